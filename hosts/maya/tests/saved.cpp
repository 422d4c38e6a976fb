// What the nodes compute stays in the scene: saved and reloaded, in a referenced scene, in a duplicate; of other curves or damaged
// it is computed again.
#include <sstream>

#include "../src/saved.h"
#include "play.h"

using withy_maya::Saved;

// The asset of a node, as the scene has it.
static std::string asset(const std::string &scene, const std::string &node) {
    std::istringstream in(scene);
    std::string line;
    bool here = false;
    while (std::getline(in, line)) {
        if (line.compare(0, 5, "node ") == 0) {
            here = line.size() > node.size() && line.substr(line.size() - node.size() - 1) == " " + node;
        } else if (here && line.compare(0, 16, "text savedAsset ") == 0) {
            return line.substr(16);
        }
    }
    return "";
}

static std::string with(const std::string &text, const std::string &before, const std::string &after) {
    std::string out = text;
    const std::size_t at = out.find(before);
    CHECK(!before.empty() && at != std::string::npos);
    return at == std::string::npos ? out : out.replace(at, before.size(), after);
}

// One chunk changed, as proof that it is read.
template <class T>
static std::string changed(const std::string &base64, const std::string &name, const T &value) {
    Saved saved;
    CHECK(saved.set_text(base64));
    std::vector<T> values;
    CHECK(saved.take(name, values));
    values.assign(values.size(), value);
    Saved other = saved;
    other.put({Saved::chunk(name, values, 1)});
    return other.text();
}

static Line lock(double x) {
    Line line;
    for (unsigned i = 0; i < 12; i++) {
        line.push_back({x, 150 - 0.05 * i * i, 10.0 + i});
    }
    return line;
}

static void bring(Stage &stage, Node *node, unsigned curves) {
    for (unsigned i = 0; i < curves; i++) {
        stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(lock(i)));
    }
}

static std::vector<Line> play(Stage &stage, Node *node) {
    std::vector<Line> all;
    for (int frame = 1; frame <= 12; frame++) {
        go(stage, node, frame);
        all.push_back(output(stage, node));
    }
    return all;
}

static void groom(Stage &stage) {
    Node *node = stage.make("withyGroom", "a");
    CHECK(asset(stage.save(), "a").empty());
    bring(stage, node, 3);
    stage.set(node, "radius", 3e-4);
    stage.set(node, "windSpeed", 1);
    const std::vector<Line> played = play(stage, node);
    CHECK(stage.number(node, "curvesHeld") == 3);
    CHECK(stage.text(node, "report").find("as saved") == std::string::npos);
    const std::string scene = stage.save(), kept = asset(scene, "a");
    CHECK(kept.size() > 1000);
    Node *twin = stage.duplicate(node, "twin");
    CHECK(asset(stage.save(), "twin") == kept);
    stage.remove(node);
    // The duplicate, the scene, and the scene referenced twice.
    stage.load(scene);
    stage.load(scene, "first:");
    stage.load(scene, "second:");
    for (const char *name : {"twin", "a", "first:a", "second:a"}) {
        node = stage.find(name);
        bring(stage, node, 3);
        CHECK(play(stage, node) == played);
        CHECK(stage.text(node, "report").find("3 of them can hold their start pose, as saved") != std::string::npos);
        CHECK(asset(stage.save(), name) == kept);
    }
    stage.remove(stage.find("second:a"));
    stage.remove(stage.find("first:a"));
    stage.remove(twin);
    // It is read: another count in it is the count that is shown.
    node = stage.find("a");
    stage.remove(node);
    stage.load(with(scene, kept, changed(kept, "held", std::uint32_t{2})));
    node = stage.find("a");
    bring(stage, node, 3);
    CHECK(play(stage, node) == played && stage.number(node, "curvesHeld") == 2);
    // A thicker curve, and one curve more: it is looked for again, and the scene has the new one.
    stage.set(node, "radius", 4e-4);
    play(stage, node);
    CHECK(stage.number(node, "curvesHeld") == 3 && stage.text(node, "report").find("as saved") == std::string::npos);
    const std::string thicker = asset(stage.save(), "a");
    CHECK(thicker != kept && !thicker.empty());
    bring(stage, node, 4);
    play(stage, node);
    CHECK(stage.number(node, "curvesHeld") == 4 && asset(stage.save(), "a").size() > thicker.size());
    // What is not ours stays.
    Saved more;
    CHECK(more.set_text(kept));
    const std::string words = "of another program";
    more.put({Saved::chunk("note", words)});
    stage.set_text(node, "savedAsset", more.text());
    stage.set(node, "radius", 5e-4);
    play(stage, node);
    CHECK(more.set_text(asset(stage.save(), "a")) && more.is_text("note", words));
    // Nothing is said of these, but for the last ones.
    CHECK(Stage::errors().empty());
    std::string cut = kept, turned = kept;
    cut.resize(kept.size() / 8 * 4);
    turned[kept.size() / 2] = turned[kept.size() / 2] == 'A' ? 'B' : 'A';
    for (const std::string &wrong : {cut, turned, kept.substr(1), std::string("?"), std::string("AAA="), std::string("=AAA")}) {
        stage.set_text(node, "savedAsset", wrong);
        CHECK(mentions(Stage::errors(), "savedAsset: damaged"));
        CHECK(asset(stage.save(), "a").empty());
    }
    stage.set(node, "radius", 3e-4);
    bring(stage, node, 3);
    stage.remove(node);
}

static Node *tube(Stage &stage, Node *node) {
    MPointArray points;
    MIntArray counts, connects;
    for (unsigned i = 0; i < 40; i++) {
        points.append(MPoint(std::cos(0.8 * i), std::sin(0.8 * i), 0.5 * i));
    }
    for (int i = 0; i + 3 <= 39; i += 3) {
        counts.append(3);
        for (const int k : {i, i + 1, i + 2}) {
            connects.append(k);
        }
    }
    MFnMeshData data;
    MFnMesh fn;
    stage.set(node, "input[0].inputGeometry",
              fn.create(static_cast<int>(points.length()), static_cast<int>(counts.length()), points, counts, connects, data.create()));
    stage.set(node, "driverBase[0]", curve(straight({0, 0, 0}, {0, 0, 1}, 21)));
    stage.set(node, "driver[0]", curve(straight({0, 0, 0}, {0, 0.6, 0.8}, 21)));
    return node;
}

static Line deformed(Stage &stage, Node *node) {
    MPointArray points;
    MObject made = stage.data(node, "outputGeometry[0]");
    MFnMesh(made).getPoints(points);
    Line line;
    for (unsigned i = 0; i < points.length(); i++) {
        line.push_back({points[i].x, points[i].y, points[i].z});
    }
    return line;
}

static void deformer(Stage &stage) {
    Node *node = tube(stage, stage.make("withyDeformer", "d"));
    const Line there = deformed(stage, node);
    const std::string scene = stage.save(), kept = asset(scene, "d");
    CHECK(!kept.empty());
    Node *twin = tube(stage, stage.duplicate(node, "twin"));
    CHECK(deformed(stage, twin) == there && asset(stage.save(), "twin") == kept);
    stage.remove(twin);
    stage.remove(node);
    stage.load(scene, "rig:");
    node = tube(stage, stage.find("rig:d"));
    CHECK(deformed(stage, node) == there && asset(stage.save(), "rig:d") == kept);
    stage.remove(node);
    // It is read: without strength nothing moves.
    const auto weak = [&](const std::string &text) {
        stage.load(with(scene, kept, text));
        Node *made = tube(stage, stage.find("d"));
        const Line line = deformed(stage, made);
        stage.remove(made);
        return line;
    };
    const Line still = weak(changed(kept, "geometry[0].strength", 0.0));
    CHECK(std::fabs(still[39][1] - std::sin(0.8 * 39)) < 1e-12 && distance(still[39], there[39]) > 5);
    // Numbers that would lead out of the curves, or are none: it is bound anew.
    CHECK(weak(changed(kept, "geometry[0].ties", std::uint32_t{1000})) == there);
    CHECK(weak(changed(kept, "geometry[0].first", std::uint32_t{7})) == there);
    CHECK(weak(changed(kept, "geometry[0].weights", std::nan(""))) == there);
    // Of another driver base.
    stage.load(scene);
    node = tube(stage, stage.find("d"));
    stage.set(node, "driverBase[0]", curve(straight({0, 1, 0}, {0, 0, 1}, 21)));
    const Line other = deformed(stage, node);
    CHECK(other != there && asset(stage.save(), "d") != kept);
    stage.remove(node);
    CHECK(Stage::errors().empty());
}

static MMatrix fallen(Stage &stage, Node *node, double frame) {
    go(stage, node, frame);
    for (int b = 0; b < 2; b++) {
        stage.set(node, "bone[" + std::to_string(b) + "].boneMatrix", moved(0, 10 * b, 100, 3 * frame));
    }
    return stage.matrix(node, "outMatrix[1]");
}

static void ragdoll(Stage &stage) {
    Node *node = stage.make("withyRagdoll", "r");
    stage.set(node, "bone[0].boneParent", -1);
    stage.set(node, "bone[1].boneParent", 0);
    stage.set(node, "collider[0].colliderShape", 0);
    stage.set(node, "releaseFrame", 5);
    std::vector<MMatrix> played;
    for (int frame = 1; frame <= 20; frame++) {
        played.push_back(fallen(stage, node, frame));
    }
    CHECK(played[19](3, 1) < 90);
    const std::string scene = stage.save(), kept = asset(scene, "r");
    CHECK(!kept.empty());
    Node *twin = stage.duplicate(node, "twin");
    CHECK(distance({fallen(stage, twin, 20)(3, 0), 0, 0}, {played[19](3, 0), 0, 0}) < 1e-3);
    stage.remove(twin);
    stage.remove(node);
    // Opened in the middle: it falls as it was released, with the velocity that it had.
    stage.load(scene, "shot:");
    node = stage.find("shot:r");
    const MMatrix now = fallen(stage, node, 20);
    CHECK(stage.text(node, "report").find("released as saved") != std::string::npos);
    for (unsigned k = 0; k < 3; k++) {
        CHECK_NEAR(now(3, k), played[19](3, k), 1e-3);
    }
    // The release is seen: from here on it is what counts.
    for (int frame = 4; frame <= 20; frame++) {
        const MMatrix m = fallen(stage, node, frame);
        CHECK(m == played[static_cast<std::size_t>(frame - 1)]);
    }
    CHECK(stage.text(node, "report").find("as saved") == std::string::npos);
    stage.remove(node);
    // Another frame of the release, another skeleton, or nonsense: the frame must be seen.
    const auto asks = [&](const std::string &text, const std::function<void(Node *)> &change) {
        stage.load(text);
        Node *made = stage.find("r");
        change(made);
        fallen(stage, made, 20);
        const bool asked = stage.text(made, "report").find("releaseFrame") != std::string::npos;
        stage.remove(made);
        return asked;
    };
    CHECK(!asks(scene, [](Node *) {}));
    CHECK(asks(scene, [&](Node *n) { stage.set(n, "releaseFrame", 6); }));
    CHECK(asks(scene, [&](Node *n) {
        stage.set(n, "bone[2].boneParent", 1);
        stage.set(n, "bone[2].boneMatrix", moved(0, 30, 100, 0));
    }));
    CHECK(asks(with(scene, kept, changed(kept, "pose", std::nan(""))), [](Node *) {}));
    CHECK(Stage::errors().empty());
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    groom(stage);
    deformer(stage);
    ragdoll(stage);
    CHECK(stage.unload());
    return finish("saved");
}
