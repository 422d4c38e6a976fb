// withyDeformer on the stage: closed forms, weights, spaces, and the whole chain behind withyGroom.
#include <thread>

#include "play.h"

// Rings of 8 points around the z axis, 0 to 20 cm.
static Line tube(double radius) {
    Line points;
    for (unsigned ring = 0; ring <= 40; ring++) {
        for (unsigned i = 0; i < 8; i++) {
            const double angle = 0.785398163397448 * i;
            points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.5 * ring});
        }
    }
    return points;
}

static MObject mesh(const Line &line) {
    MPointArray points;
    MIntArray counts, connects;
    for (const Point &p : line) {
        points.append(MPoint(p[0], p[1], p[2]));
    }
    for (int ring = 0; ring < 40; ring++) {
        for (int i = 0; i < 8; i++) {
            counts.append(4);
            for (const int k : {8 * ring + i, 8 * ring + (i + 1) % 8, 8 * ring + 8 + (i + 1) % 8, 8 * ring + 8 + i}) {
                connects.append(k);
            }
        }
    }
    MFnMeshData data;
    MFnMesh fn;
    return fn.create(static_cast<int>(line.size()), static_cast<int>(counts.length()), points, counts, connects, data.create());
}

static Line result(Stage &stage, Node *node, unsigned index = 0) {
    MPointArray points;
    MObject made = stage.data(node, "outputGeometry[" + std::to_string(index) + "]");
    MFnMesh(made).getPoints(points);
    Line line;
    for (unsigned i = 0; i < points.length(); i++) {
        line.push_back({points[i].x, points[i].y, points[i].z});
    }
    return line;
}

static Line through(const MMatrix &m, const Line &line) {
    Line out;
    for (const Point &p : line) {
        const MPoint q = MPoint(p[0], p[1], p[2]) * m;
        out.push_back({q.x, q.y, q.z});
    }
    return out;
}

static const Line BASE = straight({0, 0, 0}, {0, 0, 1}, 21);

static Node *deformer(Stage &stage, const std::string &name) {
    Node *node = stage.make("withyDeformer", name);
    stage.set(node, "input[0].inputGeometry", mesh(tube(1)));
    stage.set(node, "driverBase[0]", curve(BASE));
    stage.set(node, "driver[0]", curve(BASE));
    return node;
}

static void rigid(Stage &stage) {
    Node *node = deformer(stage, "rigid");
    CHECK(largest_difference(result(stage, node), tube(1)) < 1e-12);
    const MMatrix m = moved(2, 3, -4, 5);
    stage.set(node, "driver[0]", curve(through(m, BASE)));
    // A straight driver does not show a twist; this turn about y is the shortest one.
    CHECK(largest_difference(result(stage, node), through(m, tube(1))) < 1e-9);
    // In the space of a geometry that has a matrix of its own.
    const MMatrix own = moved(0.7, 10, 20, 30);
    stage.set(node, "geometryMatrix[0]", own);
    stage.set(node, "driverBase[0]", curve(through(own, BASE)));
    stage.set(node, "driver[0]", curve(through(own * m, BASE)));
    CHECK(largest_difference(result(stage, node), through(own * m * own.inverse(), tube(1))) < 1e-9);
    stage.remove(node);
}

static void bends(Stage &stage) {
    // A straight rod becomes a quarter of a circle: the tube becomes a torus.
    Node *node = deformer(stage, "bends");
    const double big = 20 / 1.5707963267948966;
    Line bent;
    for (unsigned i = 0; i <= 20; i++) {
        const double angle = i / big;
        bent.push_back({0, big - big * std::cos(angle), big * std::sin(angle)});
    }
    stage.set(node, "driver[0]", curve(bent));
    const Line out = result(stage, node), before = tube(1);
    double worst = 0, inner = 0;
    for (std::size_t i = 0; i < out.size(); i++) {
        const double angle = before[i][2] / big;
        const double r = big - before[i][1];
        const Point wanted = {before[i][0], big - r * std::cos(angle), r * std::sin(angle)};
        worst = std::max(worst, distance(out[i], wanted));
        if (before[i][2] > 1 && before[i][2] < 19) {
            inner = std::max(inner, distance(out[i], wanted));
        }
    }
    // Within, the polyline and the spline are both off by h^2 / 8R; the last half edge at both ends does not turn further.
    CHECK(inner < 0.01);
    CHECK(worst < 0.5 / big * 1.05);
    CHECK(inner > 1e-6);
    // Other points come in, as of a deformer before this one: they are bound again.
    Line further = before;
    for (Point &p : further) {
        p[2] = 0.5 * p[2] + 7.3;
    }
    stage.set(node, "input[0].inputGeometry", mesh(further));
    Node *fresh = stage.make("withyDeformer", "fresh");
    stage.set(fresh, "input[0].inputGeometry", mesh(further));
    stage.set(fresh, "driverBase[0]", curve(BASE));
    stage.set(fresh, "driver[0]", curve(bent));
    CHECK(result(stage, node) == result(stage, fresh));
    stage.remove(fresh);
    stage.set(node, "input[0].inputGeometry", mesh(before));
    // Turned about itself by 90 degrees at every edge, by what a groom would say.
    std::vector<double> turns;
    for (int e = 0; e < 20; e++) {
        turns.insert(turns.end(), {0, 0, std::sqrt(0.5), std::sqrt(0.5)});
    }
    stage.set(node, "driver[0]", curve(BASE));
    stage.set(node, "driverTurns", doubles(turns));
    Line turned;
    for (const Point &p : before) {
        turned.push_back({-p[1], p[0], p[2]});
    }
    CHECK(largest_difference(result(stage, node), turned) < 1e-9);
    stage.set(node, "driverTurns", doubles({1, 2, 3}));
    CHECK(largest_difference(result(stage, node), before) == 0);
    CHECK(mentions(Stage::errors(), "bends: driverTurns: has 3 numbers; 80 are needed"));
    stage.remove(node);
}

static void weights(Stage &stage) {
    Node *node = deformer(stage, "weights");
    Line up = BASE;
    for (Point &p : up) {
        p[1] += 10;
    }
    stage.set(node, "driver[0]", curve(up));
    CHECK_NEAR(result(stage, node)[100][1] - tube(1)[100][1], 10, 1e-9);
    stage.set(node, "envelope", 0.25);
    CHECK_NEAR(result(stage, node)[100][1] - tube(1)[100][1], 2.5, 1e-6);
    stage.set(node, "weightList[0].weights[100]", 0.5);
    stage.set(node, "weightList[0].weights[101]", 0);
    CHECK_NEAR(result(stage, node)[100][1] - tube(1)[100][1], 1.25, 1e-6);
    CHECK(result(stage, node)[101] == tube(1)[101]);
    CHECK_NEAR(result(stage, node)[102][1] - tube(1)[102][1], 2.5, 1e-6);
    stage.set(node, "envelope", 0);
    CHECK(result(stage, node) == tube(1));
    // The members of a set: here the first half.
    stage.set(node, "envelope", 1);
    stage.set(node, "input[0].groupId", 1);
    CHECK_NEAR(result(stage, node)[10][1] - tube(1)[10][1], 10, 1e-9);
    CHECK(result(stage, node)[300] == tube(1)[300]);
    // Out of reach.
    stage.set(node, "input[0].groupId", 0);
    stage.set(node, "dropoffDistance", 2);
    const double part = (result(stage, node)[10][1] - tube(1)[10][1]) / 10;
    CHECK_NEAR(part, 0.5, 1e-9);  // half way to the drop-off
    stage.set(node, "dropoffDistance", 0.9);
    CHECK(result(stage, node) == tube(1));
    stage.remove(node);
}

static void several(Stage &stage) {
    // Two geometries, one of them a curve, and two drivers on both sides.
    Node *node = stage.make("withyDeformer", "several");
    Line left = BASE, right = BASE, middle = BASE;
    for (std::size_t i = 0; i < left.size(); i++) {
        left[i][0] = -5;
        right[i][0] = 5;
    }
    stage.set(node, "input[0].inputGeometry", mesh(tube(1)));
    stage.set(node, "input[7].inputGeometry", curve(middle, 3));
    stage.set(node, "driverBase[0]", curve(left));
    stage.set(node, "driverBase[1]", curve(right));
    for (Point &p : right) {
        p[1] += 4;
    }
    stage.set(node, "driver[0]", curve(left));
    stage.set(node, "driver[1]", curve(right));
    const Line out = line_of(stage.data(node, "outputGeometry[7]"));
    CHECK_NEAR(out[10][1], 2, 1e-9);  // half of each
    const Line moved_tube = result(stage, node, 0);
    CHECK(moved_tube[80][1] - tube(1)[80][1] > moved_tube[84][1] - tube(1)[84][1]);
    stage.set(node, "maxInfluences", 1);
    CHECK_NEAR(result(stage, node, 0)[80][1] - tube(1)[80][1], 4, 1e-9);
    stage.set(node, "driver[1]", curve(straight({0, 0, 0}, {0, 0, 1}, 5)));
    CHECK(result(stage, node, 0) == tube(1));
    CHECK(mentions(Stage::errors(), "several: driver: has other numbers"));
    Line bad = tube(1);
    bad[3][0] = std::nan("");
    stage.set(node, "driver[1]", curve(right));
    stage.set(node, "input[0].inputGeometry", mesh(bad));
    CHECK(result(stage, node, 0)[4] == tube(1)[4]);
    CHECK(mentions(Stage::errors(), "several: input[0].inputGeometry: point 3 is not a number"));
    bad = left;
    bad[2][2] = std::numeric_limits<double>::infinity();
    stage.set(node, "input[0].inputGeometry", mesh(tube(1)));
    stage.set(node, "driver[0]", curve(bad));
    CHECK(result(stage, node, 0) == tube(1));
    CHECK(mentions(Stage::errors(), "several: driver[0]: control vertex 2 is not a number"));
    stage.remove(node);
}

static void behind_a_groom(Stage &stage) {
    // A tail: the groom's rods carry a tube, and turn it with the head.
    Node *groom = stage.make("withyGroom", "tail");
    stage.set(groom, "inputHair[0]", curve(BASE));
    stage.set(groom, "attachTo", 1);
    stage.set(groom, "youngModulus", 1e6);
    stage.set(groom, "shearModulus", 4e5);
    stage.set(groom, "radius", 1e-2);
    Node *node = deformer(stage, "carried");
    stage.connect(groom, "outputHair[0]", node, "driver[0]");
    stage.connect(groom, "outputTurns", node, "driverTurns");
    Line first;
    for (int frame = 1; frame <= 20; frame++) {
        go(stage, groom, frame);
        // About its own axis, z: only the frames of the rods can tell.
        MMatrix m;
        const double angle = 0.08 * (frame - 1);
        m(0, 0) = m(1, 1) = std::cos(angle);
        m(0, 1) = std::sin(angle);
        m(1, 0) = -std::sin(angle);
        stage.set(groom, "attachMatrix", m);
        first = result(stage, node);
        if (frame == 1) {
            CHECK(largest_difference(first, tube(1)) < 1e-9);
        }
    }
    const double angle = std::atan2(first[8][1], first[8][0]);
    CHECK_NEAR(angle, 0.08 * 19, 0.05);
    const Line line = output(stage, groom);
    for (std::size_t ring = 2; ring <= 38; ring += 2) {
        CHECK_NEAR(distance(first[8 * ring], line[ring / 2]), 1, 0.05);
    }
    stage.remove(node);
    stage.remove(groom);
}

// Two on two threads, in any order of poses, changes that are undone, and what has no matter: the rate of frames, the working unit.
static void hosted(Stage &stage) {
    Node *node = deformer(stage, "one"), *second = deformer(stage, "two"), *third = deformer(stage, "three");
    stage.set(third, "dropoffDistance", 5);
    const auto play = [&](Node *one, bool backwards) {
        std::vector<Line> all(20);
        for (std::size_t i = 0; i < 20; i++) {
            const std::size_t pose = backwards ? 19 - i : i;
            stage.set(one, "driver[0]", curve(through(moved(0.1 * static_cast<double>(pose), 1, 2, 3), BASE)));
            all[pose] = result(stage, one);
        }
        return all;
    };
    const std::vector<Line> alone = play(node, false);
    CHECK(play(node, true) == alone);
    std::vector<Line> beside, other;
    std::thread a([&] { beside = play(second, false); }), b([&] { other = play(third, false); });
    a.join();
    b.join();
    CHECK(beside == alone && other != alone);
    const Line last = play(node, false)[19];
    for (const char *name : {"maxInfluences", "dropoffDistance", "envelope"}) {
        const double usual = stage.number(node, name);
        stage.set(node, name, 0.5 + usual);
        result(stage, node);
        stage.set(node, name, usual);
        CHECK(result(stage, node) == last);
    }
    stage.set(node, "driverBase[0]", curve(straight({0, 1, 0}, {0, 0, 1}, 21)));
    CHECK(result(stage, node) != last);
    stage.set(node, "driverBase[0]", curve(BASE));
    CHECK(result(stage, node) == last);
    MDistance::setUIUnit(MDistance::kMeters);
    MTime::setUIUnit(MTime::kPALFrame);
    CHECK(stage.type_in(node, "dropoffDistance", 0.03));
    CHECK_NEAR(stage.number(node, "dropoffDistance"), 3, 1e-12);
    stage.set(node, "dropoffDistance", 0);
    CHECK(result(stage, node) == last);
    MDistance::setUIUnit(MDistance::kCentimeters);
    MTime::setUIUnit(MTime::kFilm);
    for (Node *one : {node, second, third}) {
        stage.remove(one);
    }
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    rigid(stage);
    bends(stage);
    weights(stage);
    several(stage);
    behind_a_groom(stage);
    hosted(stage);
    CHECK(stage.unload());
    return finish("deformer");
}
