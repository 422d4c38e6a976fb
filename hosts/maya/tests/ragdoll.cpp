// withyRagdoll on the stage: falling, joints, an arc for the spine, the timeline.
#include <thread>

#include "play.h"

static MMatrix at(double x, double y, double z) { return moved(0, x, y, z); }

enum { PELVIS, SPINE1, SPINE2, CHEST, HEAD, ARM, HAND, BONES };
static const int PARENTS[BONES] = {-1, PELVIS, SPINE1, SPINE2, CHEST, CHEST, ARM};
static const Point PLACES[BONES] = {{0, 100, 0}, {0, 115, 0}, {0, 130, 0}, {0, 145, 0}, {0, 165, 0}, {20, 145, 0}, {45, 145, 0}};

// The character walks along z, 150 cm a second at 24 frames.
static MMatrix animated(int bone, double frame) {
    const Point &p = PLACES[bone];
    return at(p[0], p[1], p[2] + 6.25 * frame);
}

static Node *character(Stage &stage, const std::string &name) {
    Node *node = stage.make("withyRagdoll", name);
    for (int b = 0; b < BONES; b++) {
        const std::string bone = "bone[" + std::to_string(10 + b) + "].";  // elements need not begin at 0
        stage.set(node, bone + "boneParent", PARENTS[b] < 0 ? -1 : 10 + PARENTS[b]);
        stage.set(node, bone + "boneBindMatrix", animated(b, 0));
        stage.set(node, bone + "boneRadius", b == HAND ? 4 : 6);
    }
    stage.set(node, "region[0].regionFirst", 10 + PELVIS);
    stage.set(node, "region[0].regionLast", 10 + CHEST);
    stage.set(node, "collider[0].colliderShape", 0);
    stage.set(node, "releaseFrame", 5);
    return node;
}

static std::vector<MMatrix> see(Stage &stage, Node *node, double frame) {
    go(stage, node, frame);
    std::vector<MMatrix> out;
    for (int b = 0; b < BONES; b++) {
        stage.set(node, "bone[" + std::to_string(10 + b) + "].boneMatrix", animated(b, frame));
    }
    for (int b = 0; b < BONES; b++) {
        out.push_back(stage.matrix(node, "outMatrix[" + std::to_string(10 + b) + "]"));
    }
    return out;
}

static double apart(const MMatrix &a, const MMatrix &b) { return distance({a(3, 0), a(3, 1), a(3, 2)}, {b(3, 0), b(3, 1), b(3, 2)}); }

static void falls(Stage &stage) {
    Node *node = character(stage, "falls");
    std::vector<std::vector<MMatrix>> pictures(70);
    for (int frame = 1; frame < 70; frame++) {
        pictures[static_cast<std::size_t>(frame)] = see(stage, node, frame);
    }
    CHECK(pictures[4][CHEST] == animated(CHEST, 4));
    CHECK(pictures[5][CHEST] == animated(CHEST, 5));
    // In the first instants it flies on as it walked, and falls: after 3 frames 1/128 s^2 * g / 2.
    CHECK_NEAR(pictures[8][PELVIS](3, 2), animated(PELVIS, 8)(3, 2), 0.5);
    CHECK_NEAR(100 - pictures[8][PELVIS](3, 1), 981 * 0.5 * 0.125 * 0.125, 2);
    const auto &end = pictures[69];
    for (int b = 0; b < BONES; b++) {
        CHECK(end[static_cast<std::size_t>(b)](3, 1) > 0 && end[static_cast<std::size_t>(b)](3, 1) < 60);
    }
    // Joints hold: a bone is as far from its parent as before.
    CHECK_NEAR(apart(end[CHEST], end[HEAD]), 20, 0.5);
    CHECK_NEAR(apart(end[CHEST], end[ARM]), 20, 0.5);
    CHECK_NEAR(apart(end[ARM], end[HAND]), 25, 0.5);
    const MPoint hand = MPoint(25, 0, 0) * end[ARM];  // where the arm's own rotation has it
    CHECK(distance({hand.x, hand.y, hand.z}, {end[HAND](3, 0), end[HAND](3, 1), end[HAND](3, 2)}) < 0.5);
    // The arc keeps its length, and the bones within lie along it.
    CHECK_NEAR(apart(end[PELVIS], end[SPINE1]) + apart(end[SPINE1], end[SPINE2]) + apart(end[SPINE2], end[CHEST]), 45, 1.5);
    CHECK(stage.text(node, "report").find("5 bodies") != std::string::npos);
    // Scrubbing.
    int same = 0;
    const int order[] = {40, 39, 38, 6, 7, 69, 5, 4, 12, 30};
    for (const int frame : order) {
        same += see(stage, node, frame) == pictures[static_cast<std::size_t>(frame)] ? 1 : 0;
    }
    CHECK(same == 10);
    // The pose before the release was another one when it was first seen: the last one counts.
    Node *other = character(stage, "other");
    go(stage, other, 4);
    for (int b = 0; b < BONES; b++) {
        stage.set(other, "bone[" + std::to_string(10 + b) + "].boneMatrix", animated(b, -20));
    }
    stage.matrix(other, "outMatrix[10]");
    see(stage, other, 5);
    CHECK(!(see(stage, other, 6) == pictures[6]));
    see(stage, other, 4);
    see(stage, other, 5);
    CHECK(see(stage, other, 6) == pictures[6]);
    stage.remove(other);
    // Half of the animation.
    stage.set(node, "weight", 0.5);
    const auto half = see(stage, node, 30);
    CHECK_NEAR(half[PELVIS](3, 1), (pictures[30][PELVIS](3, 1) + 100) / 2, 0.5);
    stage.set(node, "weight", 0);
    CHECK(apart(see(stage, node, 30)[HEAD], animated(HEAD, 30)) < 1e-3);
    stage.remove(node);
}

static void follows(Stage &stage) {
    // A stiff drive keeps the pose, a kinematic pelvis leads.
    Node *node = character(stage, "follows");
    stage.set(node, "bone[10].boneKinematic", 1);
    stage.set(node, "driveStiffness", 1e3);
    stage.set(node, "driveDamping", 1e2);
    std::vector<MMatrix> out;
    for (int frame = 4; frame <= 30; frame++) {
        out = see(stage, node, frame);
    }
    CHECK(apart(out[PELVIS], animated(PELVIS, 30)) < 0.05);
    CHECK(apart(out[HAND], animated(HAND, 30)) < 1.5);
    stage.remove(node);
    // Limp, it hangs down from the pelvis.
    node = character(stage, "limp");
    stage.set(node, "bone[10].boneKinematic", 1);
    for (int frame = 4; frame <= 30; frame++) {
        out = see(stage, node, frame);
    }
    CHECK(apart(out[HAND], animated(HAND, 30)) > 8);
    stage.remove(node);
}

// A drive of damping alone follows the motion of the animation, not its pose.
static void swings(Stage &stage) {
    Node *node = character(stage, "swings");
    stage.set(node, "bone[13].boneKinematic", 1);
    stage.set(node, "bone[15].boneSwing", 180);
    stage.set(node, "gravity", 0);
    stage.set(node, "driveDamping", 1000);
    MMatrix out;
    for (int frame = 5; frame <= 29; frame++) {
        go(stage, node, frame);
        for (int b = 0; b < BONES; b++) {
            MMatrix m = animated(b, 0);
            const double angle = b == ARM || b == HAND ? 0.04 * (frame - 5) : 0;
            m(0, 0) = m(1, 1) = std::cos(angle);
            m(0, 1) = std::sin(angle);
            m(1, 0) = -std::sin(angle);
            if (b == HAND) {
                m(3, 0) = 20 + 25 * std::cos(angle);
                m(3, 1) = 145 + 25 * std::sin(angle);
            }
            stage.set(node, "bone[" + std::to_string(10 + b) + "].boneMatrix", m);
        }
        out = stage.matrix(node, "outMatrix[15]");
    }
    CHECK_NEAR(std::atan2(out(0, 1), out(0, 0)), 0.04 * 24, 0.1);
    stage.remove(node);
}

static void keeps_scale(Stage &stage) {
    Node *node = stage.make("withyRagdoll", "scaled");
    MMatrix m = moved(0.4, 0, 500, 0);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            m(i, j) *= 1.5;
        }
    }
    stage.set(node, "bone[0].boneMatrix", m);
    for (int frame = 1; frame <= 5; frame++) {
        go(stage, node, frame);
        stage.matrix(node, "outMatrix[0]");
    }
    const MMatrix out = stage.matrix(node, "outMatrix[0]");
    CHECK_NEAR(std::hypot(out(0, 0), out(0, 1), out(0, 2)), 1.5, 1e-5);
    CHECK_NEAR(500 - out(3, 1), 981 * 0.5 / 36, 1.5);  // four frames
    stage.remove(node);
}

static void mistakes(Stage &stage) {
    Node *node = character(stage, "wrong");
    see(stage, node, 5);
    see(stage, node, 6);
    MMatrix bad = animated(ARM, 7);
    bad(3, 1) = std::nan("");
    go(stage, node, 7);
    stage.set(node, "bone[15].boneMatrix", bad);
    CHECK(stage.matrix(node, "outMatrix[14]") == animated(HEAD, 6));
    CHECK(mentions(Stage::errors(), "wrong: bone[15].boneMatrix: is not a number, or flat"));
    const struct {
        const char *path;
        double value, usual;
        const char *text;
    } wrong[] = {{"bone[15].boneParent", 99, 13, "bone[15].boneParent: 99 is no other bone"}, {"bone[12].boneRadius", 0, 6, "bone[12].boneRadius: "},
                 {"bone[12].boneSwing", 200, 45, "bone[12].boneSwing: "}, {"region[0].regionLast", 77, 13, "region[0].regionLast: "},
                 {"bone[14].boneMass", -1, 0, "boneMass: "}, {"region[0].regionBend", -1, 20, "regionBend: "}, {"subSteps", 0, 8, "subSteps: "},
                 {"driveStiffness", -1, 0, "driveStiffness: "}, {"spaceScale", -1, 0.01, "spaceScale: "}};
    for (const auto &one : wrong) {
        stage.set(node, one.path, one.value);
        CHECK(see(stage, node, 8)[HEAD] == animated(HEAD, 8));
        const auto said = Stage::errors();
        if (!mentions(said, std::string("error: wrong: ") + one.text)) {
            std::printf("%s: %s\n", one.path, said.empty() ? "nothing was said" : said[0].c_str());
            failures++;
        }
        stage.set(node, one.path, one.usual);
        see(stage, node, 5);
        CHECK(!(see(stage, node, 8)[HEAD] == animated(HEAD, 8)));
        CHECK(Stage::errors().empty());
    }
    // Two bones in a ring.
    stage.set(node, "bone[10].boneParent", 16);
    see(stage, node, 5);
    CHECK(!Stage::errors().empty());
    stage.remove(node);
}

// Two on two threads, changes that are undone, the rate of frames, the working unit.
static void hosted(Stage &stage) {
    const auto play = [&](Node *node, int last) {
        std::vector<std::vector<MMatrix>> all;
        for (int frame = 4; frame <= last; frame++) {
            all.push_back(see(stage, node, frame));
        }
        return all;
    };
    Node *node = character(stage, "one"), *second = character(stage, "two"), *third = character(stage, "three");
    stage.set(third, "gravity", 5);
    const auto alone = play(node, 30);
    std::vector<std::vector<MMatrix>> beside, other;
    std::thread a([&] { beside = play(second, 30); }), b([&] { other = play(third, 30); });
    a.join();
    b.join();
    CHECK(beside == alone && other != alone);
    const struct {
        const char *path;
        double value, usual;
    } all[] = {{"subSteps", 3, 8}, {"gravity", 3, 9.81}, {"bone[15].boneRadius", 9, 6}, {"region[0].regionBend", 90, 20}, {"bone[16].boneBody", 0, 1},
               {"releaseFrame", 9, 5}, {"enable", 0, 1}, {"collider[0].colliderFriction", 0, 0.5}};
    for (const auto &one : all) {
        stage.set(node, one.path, one.value);
        see(stage, node, 30);
        stage.set(node, one.path, one.usual);
        if (see(stage, node, 30) != alone.back()) {
            std::printf("not undone: %s (%s)\n", one.path, stage.text(node, "report").c_str());
            failures++;
        }
    }
    CHECK(Stage::errors().empty());
    MDistance::setUIUnit(MDistance::kMeters);
    CHECK(stage.type_in(node, "bone[15].boneRadius", 0.06));
    CHECK_NEAR(stage.number(node, "bone[15].boneRadius"), 6, 1e-12);
    CHECK(see(stage, node, 29) == alone[25]);
    MDistance::setUIUnit(MDistance::kCentimeters);
    // At 48 frames a second six of them last as long as three of 24; the release has to be seen again.
    MTime::setUIUnit(MTime::kShowScan);
    see(stage, second, 11);
    CHECK(stage.text(second, "report").find("releaseFrame") != std::string::npos);
    see(stage, second, 5);
    CHECK_NEAR(100 - see(stage, second, 11)[PELVIS](3, 1), 981 * 0.5 * 0.125 * 0.125, 2);
    MTime::setUIUnit(MTime::kFilm);
    for (Node *one : {node, second, third}) {
        stage.remove(one);
    }
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    falls(stage);
    follows(stage);
    swings(stage);
    keeps_scale(stage);
    mistakes(stage);
    hosted(stage);
    CHECK(stage.unload());
    return finish("ragdoll");
}
