// What artists paint, ramp, lock, blow and undo on withyGroom.
#include "../src/painting.h"
#include "play.h"

static const unsigned N = 16;

// Sideways, straight, 15 cm.
static Line lash(double z) { return straight({0, 100, z}, {1, 0, 0}, N); }

// Soft enough to hang; without a held pose.
static Node *soft(Stage &stage, const std::string &name, unsigned curves) {
    Node *node = stage.make("withyGroom", name);
    for (unsigned i = 0; i < curves; i++) {
        stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(lash(5.0 * i)));
    }
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e7);
    stage.set(node, "shearModulus", 4e6);
    stage.set(node, "stretchModulus", 1e10);
    stage.set(node, "radius", 1e-3);
    return node;
}

static void ramp(Stage &stage, Node *node, const std::string &name, unsigned entry, double position, double value, double interpolation = 1) {
    const std::string path = name + "[" + std::to_string(entry) + "]." + name;
    stage.set(node, path + "_Position", position);
    stage.set(node, path + "_FloatValue", value);
    stage.set(node, path + "_Interp", interpolation);
}

static void play(Stage &stage, Node *node, int last, int first = 1) {
    for (int frame = first; frame <= last; frame++) {
        go(stage, node, frame);
        output(stage, node);
    }
}

static double sag(Stage &stage, Node *node, unsigned i) { return 100 - output(stage, node, i).back()[1]; }

// A cantilever that is stiff, and damped, so that it comes to rest within two seconds: it sags by what beam theory says.
static Node *beam(Stage &stage, const std::string &name, unsigned curves) {
    Node *node = soft(stage, name, curves);
    stage.set(node, "youngModulus", 1e9);
    stage.set(node, "shearModulus", 4e8);
    stage.set(node, "damp", 20);
    stage.set(node, "drag", 30);  // To rest within two seconds: steps themselves damp little.
    return node;
}

static void ramps(Stage &stage) {
    Node *node = beam(stage, "ramp", 1);
    // A new node has an entry of 1, as the attribute editor needs it.
    CHECK(stage.number(node, "stiffnessScale[0].stiffnessScale_FloatValue") == 1 && stage.number(node, "stiffnessScale[0].stiffnessScale_Interp") == 1);
    CHECK(stage.elements(node, "stiffnessScale") == 1 && stage.elements(node, "attractionScale") == 1);
    play(stage, node, 73);
    // rho A g L^4 / (8 E I), I = A r^2 / 4.
    const double plain = 1300 * 9.81 * std::pow(0.15, 4) / (2 * 1e9 * 1e-6) * 100;
    CHECK_NEAR(sag(stage, node, 0), plain, 0.06 * plain);
    // Twice as stiff everywhere, by the ramp alone: half of it.
    ramp(stage, node, "stiffnessScale", 0, 0, 2);
    play(stage, node, 73);
    const double half = sag(stage, node, 0);
    CHECK_NEAR(half, plain / 2, 0.06 * plain / 2);
    // From 2 at the root to 1 at the tip: the sag is the integral of (L - x)^3 / (2 (2 - x / L)) over x, times rho A g / E I.
    ramp(stage, node, "stiffnessScale", 3, 1, 1);
    play(stage, node, 73);
    double integral = 0;
    for (int k = 0; k < 1000; k++) {
        const double x = (k + 0.5) / 1000;
        integral += std::pow(1 - x, 3) / (2 * (2 - x)) / 1000;
    }
    CHECK_NEAR(sag(stage, node, 0), plain * 8 * integral, 0.06 * plain);
    const double linear = sag(stage, node, 0);
    CHECK(linear > 1.04 * half);
    // As much as the array of the same numbers, a vertex each.
    std::vector<double> vertices;
    for (unsigned v = 0; v < N; v++) {
        vertices.push_back(2 - v / 15.0);
    }
    Node *same = beam(stage, "array", 1);
    stage.set(same, "stiffnessMap", doubles(vertices));
    play(stage, same, 73);
    CHECK_NEAR(sag(stage, same, 0), linear, 1e-3 * linear);
    // Both together are multiplied.
    stage.set(same, "stiffnessMap", doubles({0.5}));
    ramp(stage, same, "stiffnessScale", 0, 0, 4);
    play(stage, same, 73);
    CHECK_NEAR(sag(stage, same, 0), half, 1e-9);
    // Interpolation: none holds the root's value to the end; of two entries a spline is the mean of linear and smooth.
    double by[4];
    for (const int kind : {0, 1, 2, 3}) {
        ramp(stage, node, "stiffnessScale", 0, 0, 2, kind);
        play(stage, node, 73);
        by[kind] = sag(stage, node, 0);
    }
    CHECK_NEAR(by[1], linear, 0);
    CHECK(by[0] < linear && by[2] < linear && by[2] > by[0]);
    CHECK_NEAR(by[3], 0.5 * (by[1] + by[2]), 0.02 * (by[1] - by[2]));
    // 0 is as soft as can be, and no error.
    ramp(stage, node, "stiffnessScale", 3, 1, 0);
    play(stage, node, 20);
    CHECK(sag(stage, node, 0) > 0 && Stage::errors().empty());
    ramp(stage, node, "stiffnessScale", 3, 1, -1);
    CHECK(output(stage, node) == lash(0));
    CHECK(mentions(Stage::errors(), "error: ramp: stiffnessScale[3].stiffnessScale_FloatValue: -1 is not within [0, 1e+06]"));
    ramp(stage, node, "stiffnessScale", 3, 1.5, 1);
    output(stage, node);
    CHECK(mentions(Stage::errors(), "error: ramp: stiffnessScale[3].stiffnessScale_Position: 1.5 is not within [0, 1]"));
    // The scene keeps the entries, and an entry that is gone stays away.
    ramp(stage, node, "stiffnessScale", 3, 1, 1);
    stage.forget(node, "stiffnessScale[0]");
    const std::string scene = stage.save();
    stage.remove(node);
    stage.remove(same);
    stage.load(scene, "shot:");
    node = stage.find("shot:ramp");
    CHECK(stage.elements(node, "stiffnessScale") == 1 && stage.number(node, "stiffnessScale[3].stiffnessScale_Position") == 1);
    // All are gone: 1 everywhere.
    stage.forget(node, "stiffnessScale[3]");
    stage.set(node, "inputHair[0]", curve(lash(0)));
    play(stage, node, 73);
    CHECK_NEAR(sag(stage, node, 0), plain, 0.06 * plain);
    stage.remove(node);
    stage.remove(stage.find("shot:array"));
}

static void maps(Stage &stage) {
    Node *node = beam(stage, "map", 3);
    stage.set(node, "stiffnessMap", doubles({1, 2, 1}));
    stage.set(node, "massMap", doubles({1, 1, 2}));
    play(stage, node, 73);
    CHECK_NEAR(sag(stage, node, 1), sag(stage, node, 0) / 2, 0.02 * sag(stage, node, 0));
    CHECK_NEAR(sag(stage, node, 2), sag(stage, node, 0) * 2, 0.1 * sag(stage, node, 0));
    const struct {
        const char *name;
        std::vector<double> usual, wrong;
        const char *said;
    } all[] = {{"stiffnessMap", {}, {1, -2, 1}, "stiffnessMap[1]: -2 is not within [0, 1e+06]"},
               {"massMap", {}, {1, 1, 0}, "massMap[2]: 0 is not within [0.001, 1000]"},
               {"simulateMap", {}, {1.5, 1, 1}, "simulateMap[0]: 1.5 is not within [0, 1]"},
               {"attractMap", {}, {1, 1, std::nan("")}, "attractMap[2]: nan is not within [0, 10000]"},
               {"massMap", {}, {1, 1}, "massMap: has 2 values; 48 (one a vertex) or 3 (one a curve) are needed"},
               {"stiffnessMap", {}, {1e6, 1e6, 1e6}, "stiffnessMap: with stiffnessScale and massMap it is 2e+06 at vertex 0"}};
    for (const auto &one : all) {
        stage.set(node, "massMap", doubles({0.5, 0.5, 0.5}));
        stage.set(node, one.name, doubles(one.wrong));
        CHECK(output(stage, node, 1) == lash(5));
        const auto messages = Stage::errors();
        if (!mentions(messages, std::string("error: map: ") + one.said)) {
            std::printf("%s: not said: %s; but: %s\n", one.name, one.said, messages.empty() ? "nothing" : messages[0].c_str());
            failures++;
        }
        CHECK(stage.text(node, "report").find(one.name) == 0);
        stage.set(node, one.name, doubles(one.usual));
        CHECK(output(stage, node, 1) != lash(5));
    }
    stage.remove(node);
}

// The numbers of a ramp by themselves. An entry holds up to the next one.
static void values() {
    using withy_maya::Ramp;
    using withy_maya::value_at;
    const Ramp ramp = {{0.2, 1, 1}, {0.4, 3, 0}, {0.6, 5, 2}, {0.8, 1, 1}};
    const double at[][2] = {{0, 1}, {0.2, 1}, {0.3, 2}, {0.4, 3}, {0.5999, 3}, {0.6, 5}, {0.65, 5 - 4 * 0.15625}, {0.7, 3}, {0.8, 1}, {1, 1}};
    for (const auto &pair : at) {
        CHECK_NEAR(value_at(ramp, pair[0]), pair[1], 1e-9);
    }
    CHECK(value_at({}, 0.5) == 1);
    CHECK(value_at({{0.5, 2, 1}, {0.5, 4, 1}}, 0.5) == 4 && value_at({{0.5, 2, 1}, {0.5, 4, 1}}, 0.4) == 2);
    // A spline through points on a line is that line, and through others it is smooth; it does not go below 0.
    const Ramp line = {{0, 0, 3}, {0.25, 1, 3}, {0.5, 2, 3}, {0.75, 3, 3}, {1, 4, 3}}, steep = {{0, 9, 3}, {0.25, 0, 3}, {0.5, 0, 3}, {0.75, 9, 3}};
    CHECK_NEAR(value_at(line, 0.6), 2.4, 1e-12);
    CHECK(value_at(steep, 0.375) == 0);
    const double slope[2] = {(value_at(steep, 0.25) - value_at(steep, 0.2499)) * 1e4, (value_at(line, 0.5001) - value_at(line, 0.4999)) * 5e3};
    CHECK_NEAR(slope[0], -18, 0.1);
    CHECK_NEAR(slope[1], 4, 1e-6);
}

// Along the curve: the root half is drawn to the animation, the tip half hangs.
static void attraction(Stage &stage) {
    Node *node = soft(stage, "attract", 2);
    stage.set(node, "startCurveAttract", 1000);
    stage.set(node, "attractMap", doubles({1, 0}));
    ramp(stage, node, "attractionScale", 0, 0, 1, 0);
    ramp(stage, node, "attractionScale", 1, 0.5, 0, 0);
    play(stage, node, 49);
    const Line drawn = output(stage, node, 0), hangs = output(stage, node, 1);
    CHECK(drawn[6][1] > hangs[6][1] + 0.5 && drawn[15][1] > hangs[15][1] + 1);
    // As much as the array of the same numbers; the whole curve is drawn further.
    ramp(stage, node, "attractionScale", 0, 0, 1);
    ramp(stage, node, "attractionScale", 1, 1, 1);
    std::vector<double> vertices(2 * N, 0);
    std::fill(vertices.begin(), vertices.begin() + 8, 1);
    stage.set(node, "attractMap", doubles(vertices));
    play(stage, node, 49);
    CHECK(output(stage, node, 0) == drawn && output(stage, node, 1) == hangs);
    stage.set(node, "attractMap", doubles({1, 0}));
    play(stage, node, 49);
    CHECK(output(stage, node, 0)[15][1] > drawn[15][1] + 5);
    stage.remove(node);
}

static Line raised(const Line &line, double by) {
    Line out = line;
    for (Point &p : out) {
        p[1] += by;
    }
    return out;
}

static void simulate(Stage &stage) {
    Node *node = soft(stage, "some", 4), *all = soft(stage, "all", 4);
    const auto there = [](int frame) { return 0.5 * (frame - 1); };
    // None of the first and third; the second wholly; of the last nothing at the root and all at the tip.
    std::vector<double> shares(4 * N, 0);
    std::fill(shares.begin() + N, shares.begin() + 2 * N, 1);
    for (unsigned v = 0; v < N; v++) {
        shares[3 * N + v] = v / 15.0;
    }
    stage.set(node, "simulateMap", doubles(shares));
    std::vector<Line> seen;
    for (int frame = 1; frame <= 24; frame++) {
        for (Node *one : {node, all}) {
            go(stage, one, frame);
            for (unsigned i = 0; i < 4; i++) {
                stage.set(one, "inputHair[" + std::to_string(i) + "]", curve(raised(lash(5.0 * i), there(frame))));
            }
            output(stage, one);
        }
        seen.push_back(output(stage, node, 3));
    }
    for (const unsigned i : {0u, 2u}) {
        CHECK(output(stage, node, i) == raised(lash(5.0 * i), there(24)));
    }
    // As if it were alone; curves do not meet each other.
    CHECK(output(stage, node, 1) == output(stage, all, 1));
    const Line blended = output(stage, node, 3), whole = output(stage, all, 3), animated = raised(lash(15), there(24));
    for (unsigned v = 0; v < N; v++) {
        CHECK_NEAR(blended[v][1], animated[v][1] + (whole[v][1] - animated[v][1]) * v / 15, 1e-9);
    }
    CHECK(whole.back()[1] < animated.back()[1] - 2);
    CHECK(stage.text(node, "report") == "2 curves; 2 more are not simulated");
    // What does not move does not turn; what is simulated turns as alone.
    const MDoubleArray turns = MFnDoubleArrayData(*std::make_unique<MObject>(stage.data(node, "outputTurns"))).array();
    const MDoubleArray free = MFnDoubleArrayData(*std::make_unique<MObject>(stage.data(all, "outputTurns"))).array();
    CHECK(turns.length() == 4 * 4 * (N - 1) && free.length() == turns.length());
    for (unsigned i = 0; i < 4 * (N - 1); i++) {
        CHECK_NEAR(turns[i], i % 4 == 3 ? 1 : 0, 1e-12);
        CHECK(turns[4 * (N - 1) + i] == free[4 * (N - 1) + i]);
    }
    const unsigned last = 4 * 4 * (N - 1) - 4;
    CHECK(std::fabs(turns[last + 2]) > 0.5 * std::fabs(free[last + 2]) && std::fabs(turns[last + 2]) <= std::fabs(free[last + 2]));
    // Scrubbed; then other shares of the same curves, at once and without another simulation.
    for (const int frame : {12, 24, 5}) {
        go(stage, node, frame);
        for (unsigned i = 0; i < 4; i++) {
            stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(raised(lash(5.0 * i), there(frame))));
        }
        CHECK(output(stage, node, 3) == seen[static_cast<std::size_t>(frame - 1)]);
    }
    // A matrix carries what is not simulated.
    stage.set(node, "attachTo", 1);
    stage.set(node, "simulateMap", doubles({0, 1, 1, 1}));
    for (int frame = 1; frame <= 12; frame++) {
        go(stage, node, frame);
        stage.set(node, "attachMatrix", moved(0, 0, 2.0 * (frame - 1), 0));
        for (unsigned i = 0; i < 4; i++) {
            stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(lash(5.0 * i)));
        }
        output(stage, node);
    }
    CHECK(largest_difference(output(stage, node, 0), raised(lash(0), 22)) < 1e-9);
    CHECK(largest_difference(output(stage, node, 1), raised(lash(5), 22)) > 1);
    // None at all.
    stage.set(node, "simulateMap", doubles({0, 0, 0, 0}));
    CHECK(largest_difference(output(stage, node, 1), raised(lash(5), 22)) < 1e-9);
    CHECK(stage.text(node, "report") == "no curve is simulated: simulateMap");
    CHECK(stage.number(node, "curvesHeld") == 0);
    stage.remove(node);
    stage.remove(all);
}

// Tips held by the animation, roots free: the curve hangs from its last vertex.
static void locks(Stage &stage) {
    Node *node = soft(stage, "locked", 1);
    const auto tip = [&](double frame) {
        Line line = lash(0);
        for (Point &p : line) {
            p[2] += 0.2 * (frame - 1);
        }
        return line;
    };
    const auto show = [&](double lock) {
        stage.set(node, "pointLock", lock);
        for (int frame = 1; frame <= 60; frame++) {
            go(stage, node, frame);
            stage.set(node, "inputHair[0]", curve(tip(frame)));
            output(stage, node);
        }
        return output(stage, node);
    };
    const Point first = tip(60).front(), last = tip(60).back();
    const Line none = show(0), base = show(1), end = show(2), both = show(3);
    CHECK(none.front()[1] < 50 && none.back()[1] < 50);
    CHECK(distance(base.front(), first) < 1e-4 && base.back()[1] < 95);
    CHECK(distance(end.back(), last) < 1e-4 && end.front()[1] < 95);
    CHECK(distance(both.front(), first) < 1e-4 && distance(both.back(), last) < 1e-4);
    CHECK(both[8][1] < 100 && both[8][1] > base[8][1]);
    CHECK_NEAR(end.front()[1], base.back()[1], 0.5);  // mirrored
    stage.remove(node);
}

// A curve in the air, without weight, smaller than a gust: it goes with the air, as drag lets it.
static void gusts(Stage &stage) {
    const auto fly = [&](Node *node, double noise, double size, int frames) {
        stage.set(node, "inputHair[0]", curve(straight({0, 0, 0}, {1, 0, 0}, 5)));
        for (const char *zero : {"holdStartPose", "pointLock", "gravity"}) {
            stage.set(node, zero, 0);
        }
        stage.set(node, "radius", 1e-3);
        stage.set(node, "drag", 40);
        stage.set(node, "windSpeed", 2);
        stage.set(node, "windNoise", noise);
        stage.set(node, "windNoiseSize", size);
        std::vector<Line> all;
        for (int frame = 1; frame <= frames; frame++) {
            go(stage, node, frame);
            all.push_back(output(stage, node));
        }
        return all;
    };
    const auto speed = [](const std::vector<Line> &all, std::size_t i, std::size_t axis) { return (all[i][2][axis] - all[i - 1][2][axis]) * 0.24; };
    Node *node = stage.make("withyGroom", "gusts");
    const std::vector<Line> calm = fly(node, 0, 0.5, 25), windy = fly(node, 1, 0.5, 481);
    CHECK_NEAR(speed(calm, 24, 0), 2, 0.01);
    CHECK_NEAR(speed(calm, 24, 1), 0, 1e-6);
    // Over 20 seconds: the mean is that of the wind, the root of the mean square about its speed (a little less: drag is not at once).
    double mean[3] = {0, 0, 0}, square = 0;
    const std::size_t from = 24;
    for (std::size_t i = from; i < windy.size(); i++) {
        for (std::size_t axis = 0; axis < 3; axis++) {
            const double v = speed(windy, i, axis) - (axis == 0 ? 2 : 0), n = static_cast<double>(windy.size() - from);
            mean[axis] += v / n;
            square += v * v / n;
        }
    }
    for (const double m : mean) {
        CHECK_NEAR(m, 0, 0.6);
    }
    CHECK_NEAR(std::sqrt(square), 2, 0.5);
    std::printf("gusts over 20 s: mean %.2f %.2f %.2f, root of mean square %.2f of 2 m/s\n", mean[0], mean[1], mean[2], std::sqrt(square));
    // To the bit: backwards, in jumps, at once, after a half frame, with little memory, in another node.
    for (const int frame : {480, 479, 100, 101, 31, 481, 2}) {
        go(stage, node, frame);
        CHECK(output(stage, node) == windy[static_cast<std::size_t>(frame - 1)]);
    }
    go(stage, node, 50.5);
    const Line half = output(stage, node);
    CHECK(half != windy[49] && half != windy[50]);
    go(stage, node, 51);
    CHECK(output(stage, node) == windy[50]);
    Node *other = stage.duplicate(node, "other");
    stage.set(other, "cacheMemory", 1);
    for (const int frame : {1, 200, 120}) {
        go(stage, other, frame);
        CHECK(output(stage, other) == windy[static_cast<std::size_t>(frame - 1)]);
    }
    // A gust much larger than a soft curve pushes all of it alike: the curve stays straight.
    Node *gentle = stage.make("withyGroom", "gentle");
    stage.set(gentle, "youngModulus", 1e4);
    stage.set(gentle, "shearModulus", 4e3);
    const std::vector<Line> alike = fly(gentle, 10, 100, 49);
    for (const Line &line : alike) {
        CHECK_NEAR(distance(line[0], line[4]), 4, 0.01);
        CHECK_NEAR(distance(line[0], line[2]), 2, 0.005);
    }
    CHECK(distance(alike[48][2], {0, 0, 0}) > 100);
    // Stronger ones, and smaller ones, are others. No wind, no gusts.
    CHECK(fly(node, 0.5, 0.5, 25)[24] != windy[24] && fly(node, 1, 0.05, 25)[24] != windy[24]);
    stage.set(node, "windSpeed", 0);
    play(stage, node, 25);
    CHECK_NEAR(output(stage, node)[2][0], 2, 1e-6);
    stage.set(node, "windSpeed", 2);
    stage.set(node, "windNoise", 11);
    output(stage, node);
    CHECK(mentions(Stage::errors(), "error: gusts: windNoise: 11 is not within [0, 10]"));
    stage.set(node, "windNoise", 1);
    stage.set(node, "windNoiseSize", 0);
    output(stage, node);
    CHECK(mentions(Stage::errors(), "error: gusts: windNoiseSize: 0 is not within [1e-4, 1e4]"));
    for (Node *one : {node, gentle, other}) {
        stage.remove(one);
    }
}

// Gusts that are keyed on for some frames: what was before and after comes again when it is scrubbed.
static void keyed_gusts(Stage &stage) {
    Node *node = soft(stage, "keyed", 2);
    const auto show = [&](int frame) {
        go(stage, node, frame);
        stage.set(node, "windSpeed", 1);
        stage.set(node, "windNoise", frame >= 10 && frame < 20 ? 1 : 0);
        return output(stage, node, 1);
    };
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 40; frame++) {
        seen.push_back(show(frame));
    }
    for (const int frame : {40, 9, 10, 19, 20, 21, 15, 30, 22, 5, 40}) {
        CHECK(show(frame) == seen[static_cast<std::size_t>(frame)]);
    }
    // Two curves, 5 cm apart, in gusts of 2 cm: each its own.
    stage.set(node, "windNoiseSize", 0.02);
    for (int frame = 1; frame <= 20; frame++) {
        show(frame);
    }
    Line beside = output(stage, node, 0);
    for (Point &p : beside) {
        p[2] += 5;
    }
    CHECK(largest_difference(beside, output(stage, node, 1)) > 0.01);
    stage.remove(node);
}

static void layers(Stage &stage) {
    Node *node = soft(stage, "layers", 1);
    stage.set(node, "collider[0].colliderMatrix", moved(0, 0, 97, 0));
    MPointArray points;
    MIntArray counts, connects;
    for (const double x : {-40.0, 40.0}) {
        points.append(MPoint(x, 98, -40));
        points.append(MPoint(x, 98, 40));
    }
    counts.append(4);
    for (const int corner : {0, 1, 3, 2}) {
        connects.append(corner);
    }
    MFnMeshData data;
    MFnMesh fn;
    const MObject sheet = fn.create(4, 1, points, counts, connects, data.create());
    const auto lowest = [&] {
        play(stage, node, 40);
        double least = 1e9;
        for (const Point &p : output(stage, node)) {
            least = std::min(least, p[1]);
        }
        return least;
    };
    CHECK_NEAR(lowest(), 97.1, 0.1);
    stage.set(node, "collisionMesh[0]", sheet);
    CHECK_NEAR(lowest(), 98.1, 0.1);
    stage.set(node, "collisionMeshLayer", 3);
    CHECK_NEAR(lowest(), 97.1, 0.1);
    stage.set(node, "collisionLayer", 3);
    CHECK_NEAR(lowest(), 98.1, 0.1);
    stage.set(node, "collisionMeshLayer", 31);
    CHECK(lowest() < 95);
    stage.set(node, "collider[0].colliderLayer", 3);
    CHECK_NEAR(lowest(), 97.1, 0.1);
    stage.set(node, "collideWidthOffset", 5e-3);
    CHECK_NEAR(lowest(), 97.5, 0.1);
    for (const char *name : {"collisionLayer", "collisionMeshLayer", "collider[0].colliderLayer"}) {
        stage.set(node, name, 32);
        output(stage, node);
        CHECK(mentions(Stage::errors(), std::string("error: layers: ") + name + ": 32 is not within [0, 31]"));
        stage.set(node, name, 3);
    }
    stage.remove(node);
}

// As Maya's undo does it: the values go back, and what was shown comes again, without a visit to the start.
static void undone(Stage &stage) {
    Node *node = soft(stage, "undo", 3);
    stage.set(node, "windSpeed", 1);
    stage.set(node, "windNoise", 1);
    stage.set(node, "collider[0].colliderMatrix", moved(0, 0, 97, 0));
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 30; frame++) {
        go(stage, node, frame);
        seen.push_back(output(stage, node, 2));
    }
    const auto back = [&](const char *what) {
        if (output(stage, node, 2) != seen[30]) {
            std::printf("not undone: %s (%s)\n", what, stage.text(node, "report").c_str());
            failures++;
        }
    };
    const struct {
        const char *name;
        double value, usual;
    } all[] = {{"radius", 2e-3, 1e-3}, {"gravity", 3, 9.81}, {"windNoise", 0, 1}, {"pointLock", 3, 1}, {"startFrame", 5, 1}, {"subSteps", 4, 8},
               {"clampEnds", 0, 1}, {"timeScale", 0.5, 1}, {"enable", 0, 1}, {"youngModulus", 3e7, 1e7}, {"shearModulus", 1e8, 4e6},
               {"density", 500, 1300}, {"aspect", 0.5, 1}, {"stretchDamp", 0.1, 0}, {"stretchModulus", 1e6, 1e10}, {"iterations", 4, 0},
               {"collide", 0, 1}, {"collisionLayer", 2, 0}, {"collideWidthOffset", 0.2, 0}};
    for (const auto &one : all) {
        stage.set(node, one.name, one.value);
        CHECK(output(stage, node, 2) != seen[30]);
        stage.set(node, one.name, one.usual);
        back(one.name);
    }
    ramp(stage, node, "stiffnessScale", 2, 1, 0.1);
    CHECK(output(stage, node, 2) != seen[30]);
    stage.forget(node, "stiffnessScale[2]");
    back("a ramp's entry");
    stage.set(node, "simulateMap", doubles({0, 1, 0.5}));
    CHECK(output(stage, node, 2) != seen[30]);
    stage.set(node, "simulateMap", MObject());
    back("simulateMap");
    // A curve that is deleted, and one that is moved.
    stage.set(node, "inputHair[0]", MObject());
    CHECK(output(stage, node, 2) == lash(10) && stage.text(node, "report").find("go to frame 1") != std::string::npos);
    stage.set(node, "inputHair[0]", curve(lash(0)));
    back("a deleted curve");
    stage.set(node, "inputHair[2]", curve(raised(lash(10), 1)));
    CHECK(output(stage, node, 2) != seen[30]);
    stage.set(node, "inputHair[2]", curve(lash(10)));
    back("a moved curve");
    stage.set(node, "collider[1].colliderRadius", 2);
    CHECK(stage.text(node, "report").find("go to frame 1") != std::string::npos);
    stage.forget(node, "collider[1]");
    back("a collider");
    // The rate of frames, there and back.
    MTime::setUIUnit(MTime::kPALFrame);
    go(stage, node, 30);
    CHECK(output(stage, node, 2) == lash(10));
    MTime::setUIUnit(MTime::kFilm);
    go(stage, node, 30);
    back("the frame rate");
    stage.remove(node);
}

// A sphere of 10 cm about the origin, its front outside.
static MObject ball(int n = 24) {
    MPointArray points;
    MIntArray counts, connects;
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k < 2 * n; k++) {
            const double a = 3.141592653589793 * i / n, b = 3.141592653589793 * k / n;
            points.append(MPoint(10 * std::sin(a) * std::cos(b), 10 * std::cos(a), 10 * std::sin(a) * std::sin(b)));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2 * n; k++) {
            counts.append(4);
            const int next = (k + 1) % (2 * n);
            for (const int at : {2 * n * i + k, 2 * n * i + next, 2 * n * (i + 1) + next, 2 * n * (i + 1) + k}) {
                connects.append(at);
            }
        }
    }
    MFnMeshData data;
    MFnMesh fn;
    return fn.create(static_cast<int>(points.length()), static_cast<int>(counts.length()), points, counts, connects, data.create());
}

// What is tried first: hair on a sphere that turns, which it meets; gravity is keyed; the sphere is deleted; the scene is opened again.
static void first_groom(Stage &stage) {
    Node *node = stage.make("withyGroom", "first");
    std::vector<Line> hair;
    for (int i = 0; i < 24; i++) {
        const double a = 0.9 + 0.25 * (i % 3), b = 0.26 * i;
        const Point out = {std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b)};
        Line line;
        for (unsigned v = 0; v < 12; v++) {
            const double far = 10 + 0.8 * v;
            line.push_back({far * out[0], far * out[1] - 0.03 * v * v, far * out[2]});
        }
        hair.push_back(line);
    }
    const auto turn = [](double frame) { return moved(0.1 * std::min(std::max(frame - 10, 0.0), 20.0), 0, 0, 0); };
    const auto bring = [&](Node *one, double frame) {
        go(stage, one, frame);
        stage.set(one, "gravity", frame < 60 ? 9.81 : 0);
        for (unsigned i = 0; i < hair.size(); i++) {
            const MObject line = curve(hair[i], 3);
            Stage::place(line, turn(frame));
            stage.set(one, "inputHair[" + std::to_string(i) + "]", line);
        }
        const MObject mesh = ball();
        Stage::place(mesh, turn(frame));
        stage.set(one, "collisionMesh[0]", mesh);
    };
    const auto show = [&](Node *one, double frame) {
        bring(one, frame);
        std::vector<Line> all;
        for (unsigned i = 0; i < hair.size(); i++) {
            all.push_back(output(stage, one, i));
        }
        return all;
    };
    const auto rest = [&](unsigned i, double frame) {
        Line line;
        for (const Point &p : hair[i]) {
            const MPoint q = MPoint(p[0], p[1], p[2]) * turn(frame);
            line.push_back({q.x, q.y, q.z});
        }
        return line;
    };
    std::vector<std::vector<Line>> seen(1);
    double lag = 0, settled = 0, inside = 0;
    for (int frame = 1; frame <= 70; frame++) {
        seen.push_back(show(node, frame));
        for (unsigned i = 0; i < hair.size(); i++) {
            const Line &line = seen.back()[i];
            CHECK(distance(line[0], rest(i, frame)[0]) < 1e-4);
            const double off = largest_difference(line, rest(i, frame));
            lag = frame < 31 ? std::max(lag, off) : lag;
            settled = frame == 59 ? std::max(settled, off) : settled;
            for (std::size_t v = 2; v < line.size(); v++) {
                inside = std::max(inside, 10 - distance(line[v], {0, 0, 0}));
            }
        }
    }
    CHECK(stage.text(node, "report") == "24 curves, 24 of them can hold their start pose");
    // Since frame 30 the drag of 3/s alone would leave an amplitude of exp(-3/2 t); `damp` takes some more.
    CHECK(lag > 0.5 && settled < lag * std::exp(-1.5 * 29 / 24) && inside <= 0);
    double risen = 0;
    for (std::size_t i = 0; i < hair.size(); i++) {
        risen += (seen[70][i].back()[1] - seen[59][i].back()[1]) / 24;
    }
    CHECK(risen > 0.1);
    for (const int frame : {69, 30, 12, 61, 59, 70}) {
        CHECK(show(node, frame) == seen[static_cast<std::size_t>(frame)]);
    }
    // The sphere is deleted, which is said; that is undone; the scene is opened again.
    stage.set(node, "collisionMesh[0]", MObject());
    CHECK(line_of(stage.data(node, "outputHair[3]")) == rest(3, 70));
    CHECK(stage.text(node, "report").find("go to frame 1 (startFrame) once") == 0);
    CHECK(show(node, 70) == seen[70]);
    const std::string scene = stage.save();
    stage.remove(node);
    stage.load(scene);
    node = stage.find("first");
    for (int frame = 1; frame <= 20; frame++) {
        CHECK(show(node, frame) == seen[static_cast<std::size_t>(frame)]);
    }
    CHECK(stage.text(node, "report") == "24 curves, 24 of them can hold their start pose, as saved");
    stage.remove(node);
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    ramps(stage);
    maps(stage);
    values();
    attraction(stage);
    simulate(stage);
    locks(stage);
    gusts(stage);
    keyed_gusts(stage);
    layers(stage);
    undone(stage);
    first_groom(stage);
    CHECK(stage.unload());
    return finish("controls");
}
