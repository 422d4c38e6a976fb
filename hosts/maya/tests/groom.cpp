// withyGroom on the stage: physics by numbers, the timeline, and what artists do wrong.
#include <chrono>
#include <future>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "play.h"

static const unsigned N = 16;

// A lock of 15 cm that leaves the head sideways and curves down.
static Line lock(double x) {
    Line line;
    double y = 150, z = 10;
    for (unsigned i = 0; i < N; i++) {
        line.push_back({x, y, z});
        const double angle = 0.1 * i;
        y -= std::sin(angle);
        z += std::cos(angle);
    }
    return line;
}

static Node *groom(Stage &stage, const std::string &name, unsigned curves = 3) {
    Node *node = stage.make("withyGroom", name);
    for (unsigned i = 0; i < curves; i++) {
        stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(lock(i)));
    }
    return node;
}

static void hangs(Stage &stage) {
    // Straight out sideways, soft, without a held pose: at rest it hangs, and its length stays.
    Node *node = stage.make("withyGroom", "hang");
    const Line start = straight({0, 100, 0}, {1, 0, 0}, 21);
    stage.set(node, "inputHair[0]", curve(start));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e5);
    stage.set(node, "shearModulus", 4e4);
    stage.set(node, "stretchModulus", 1e10);
    stage.set(node, "radius", 1e-3);
    for (int frame = 1; frame <= 97; frame++) {
        go(stage, node, frame);
        output(stage, node);
    }
    const Line end = output(stage, node);
    CHECK(end.back()[1] < 100 - 15);
    CHECK_NEAR(end.front()[1], 100, 1e-5);
    double length = 0;
    for (std::size_t i = 1; i < end.size(); i++) {
        length += distance(end[i], end[i - 1]);
    }
    CHECK_NEAR(length, 20, 0.02);
    // The sag of a stiff cantilever under its weight: y = rho A g L^4 / (8 E I), I = A r^2 / 4, to first order.
    Node *beam = stage.make("withyGroom", "beam");
    stage.set(beam, "inputHair[0]", curve(start));
    stage.set(beam, "holdStartPose", 0);
    stage.set(beam, "youngModulus", 1e9);
    stage.set(beam, "shearModulus", 4e8);
    stage.set(beam, "radius", 1e-3);
    stage.set(beam, "damp", 20);
    for (int frame = 1; frame <= 97; frame++) {
        go(stage, beam, frame);
        output(stage, beam);
    }
    const double wanted = 1300 * 9.81 * std::pow(0.2, 4) / (2 * 1e9 * 1e-6) * 100;
    CHECK_NEAR(100 - output(stage, beam).back()[1], wanted, 0.06 * wanted);
    stage.remove(node);
    stage.remove(beam);
}

static void holds(Stage &stage) {
    Node *node = groom(stage, "hold");
    stage.set(node, "radius", 4e-4);
    go(stage, node, 1);
    CHECK(largest_difference(output(stage, node, 1), lock(1)) == 0);
    for (int frame = 2; frame <= 49; frame++) {
        go(stage, node, frame);
        output(stage, node);
    }
    CHECK(largest_difference(output(stage, node, 1), lock(1)) < 0.005);
    CHECK(stage.number(node, "curvesHeld") == 3);
    CHECK(stage.text(node, "report").find("3 of them") != std::string::npos);
    CHECK(stage.number(node, "largestStrain") < 1e-3);
    // The same without: it sags.
    stage.set(node, "holdStartPose", 0);
    CHECK(largest_difference(output(stage, node, 1), lock(1)) > 0.1);
    CHECK(stage.number(node, "curvesHeld") == 0);
    stage.remove(node);
}

// The head goes to and fro and turns.
static MMatrix head(double frame) { return moved(0.05 * frame, 5 * std::sin(0.3 * frame), 0, 0); }

static Line on_head(const Line &line, double frame) {
    const MMatrix m = head(frame);
    Line out;
    for (const Point &p : line) {
        const MPoint q = MPoint(p[0], p[1], p[2]) * m;
        out.push_back({q.x, q.y, q.z});
    }
    return out;
}

static void see(Stage &stage, Node *node, double frame, bool matrix) {
    go(stage, node, frame);
    for (unsigned i = 0; i < 3; i++) {
        if (matrix) {
            stage.set(node, "attachMatrix", head(frame));
        } else {
            stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(on_head(lock(i), frame)));
        }
    }
}

static void scrubs(Stage &stage, bool matrix, bool little_memory, double model) {
    Node *node = groom(stage, "scrub", little_memory ? 250 : 3);
    stage.set(node, "attachTo", matrix ? 1 : 0);
    stage.set(node, "model", model);
    if (little_memory) {
        stage.set(node, "cacheMemory", 1);
    }
    std::vector<Line> pictures(31);
    for (int frame = 1; frame <= 30; frame++) {
        see(stage, node, frame, matrix);
        pictures[static_cast<std::size_t>(frame)] = output(stage, node, 2);
    }
    CHECK(largest_difference(pictures[10], pictures[12]) > 0.5);
    // Roots go where they are told.
    if (!matrix) {
        CHECK(distance(pictures[30][0], on_head(lock(2), 30)[0]) < 1e-4);
    }
    int same = 0;
    const int order[] = {29, 28, 27, 5, 6, 30, 2, 1, 17, 16, 15, 14, 30, 3};
    for (const int frame : order) {
        see(stage, node, frame, matrix);
        same += largest_difference(output(stage, node, 2), pictures[static_cast<std::size_t>(frame)]) == 0 ? 1 : 0;
    }
    CHECK(same == 14);
    // A half frame lies between, and disturbs nothing.
    see(stage, node, 20.5, matrix);
    const Line half = output(stage, node, 2);
    CHECK(largest_difference(half, pictures[20]) > 1e-3);
    CHECK(largest_difference(half, pictures[20]) < largest_difference(pictures[21], pictures[20]) + 0.5);
    see(stage, node, 21, matrix);
    CHECK(largest_difference(output(stage, node, 2), pictures[21]) == 0);
    stage.remove(node);
}

// The head is elsewhere at the start than when the scene was played: nothing of that is left.
static void another_start(Stage &stage) {
    Node *node = groom(stage, "moved"), *fresh = groom(stage, "fresh");
    stage.set(node, "attachTo", 1);
    stage.set(fresh, "attachTo", 1);
    for (const bool shifted : {false, true}) {
        for (Node *one : {node, fresh}) {
            for (int frame = 1; frame <= 12 && (shifted || one == node); frame++) {
                go(stage, one, frame);
                stage.set(one, "attachMatrix", head(frame + (shifted ? 30 : 0)));
                // The second time it jumps from the first frame to the last.
                if (!shifted || frame == 1 || frame == 12) {
                    output(stage, one);
                }
            }
        }
    }
    CHECK(output(stage, node) == output(stage, fresh));
    stage.remove(node);
    stage.remove(fresh);
}

static void jumps(Stage &stage) {
    // Played forwards.
    Node *played = groom(stage, "played");
    for (int frame = 1; frame <= 20; frame++) {
        see(stage, played, frame, false);
        output(stage, played);
    }
    // A jump over frames that were not seen is filled in; once they are seen the pictures are those of playing.
    Node *jumped = groom(stage, "jumped");
    see(stage, jumped, 1, false);
    output(stage, jumped);
    see(stage, jumped, 20, false);
    const Line guess = output(stage, jumped);
    CHECK(distance(guess[0], output(stage, played)[0]) < 1e-4);
    for (int frame = 2; frame <= 20; frame++) {
        see(stage, jumped, frame, false);
        output(stage, jumped);
    }
    CHECK(largest_difference(output(stage, jumped), output(stage, played)) == 0);
    CHECK(largest_difference(output(stage, jumped), guess) > 0);
    // With nothing animated a jump is the same at once.
    Node *still = groom(stage, "still"), *also = groom(stage, "also");
    stage.set(still, "holdStartPose", 0);
    stage.set(also, "holdStartPose", 0);
    for (int frame = 1; frame <= 12; frame++) {
        go(stage, still, frame);
        output(stage, still);
    }
    for (const int frame : {1, 12}) {
        go(stage, also, frame);
        output(stage, also);
    }
    CHECK(largest_difference(output(stage, still), output(stage, also)) == 0);
    CHECK(largest_difference(output(stage, still), lock(0)) > 0.05);
    // Opened in the middle of the range, nothing is simulated, and the report says why.
    Node *late = groom(stage, "late");
    go(stage, late, 10);
    CHECK(largest_difference(output(stage, late), lock(0)) == 0);
    CHECK(stage.text(late, "report").find("go to frame 1 (startFrame)") != std::string::npos);
    // Before the start the curves are as they come.
    go(stage, still, -3);
    CHECK(largest_difference(output(stage, still), lock(0)) == 0);
    for (Node *node : {played, jumped, still, also, late}) {
        stage.remove(node);
    }
}

static void changes(Stage &stage) {
    // A keyed value that changes counts from that frame on; the frames before stay.
    Node *node = groom(stage, "keyed");
    std::vector<Line> calm(13), windy(13);
    for (int pass = 0; pass < 2; pass++) {
        for (int frame = 1; frame <= 12; frame++) {
            go(stage, node, frame);
            stage.set(node, "windSpeed", pass == 1 && frame >= 6 ? 4 : 0);
            (pass == 0 ? calm : windy)[static_cast<std::size_t>(frame)] = output(stage, node);
        }
    }
    CHECK(largest_difference(calm[5], windy[5]) == 0);
    CHECK(largest_difference(calm[12], windy[12]) > 0.05);
    CHECK(windy[12].back()[0] > calm[12].back()[0]);
    // A new radius counts from this frame on, too; what it was brings back what there was.
    stage.set(node, "radius", 3e-4);
    CHECK(largest_difference(output(stage, node), windy[12]) > 1e-3);
    stage.set(node, "radius", 1e-4);
    CHECK(largest_difference(output(stage, node), windy[12]) == 0);
    // Other ends are held: what was stored of the ends is of no use, and nothing is read from it.
    stage.set(node, "pointLock", 3);
    CHECK(distance(output(stage, node).back(), lock(0).back()) < 1e-4);
    stage.set(node, "pointLock", 1);
    go(stage, node, 1);
    output(stage, node);
    for (int frame = 2; frame <= 12; frame++) {
        go(stage, node, frame);
        stage.set(node, "windSpeed", frame >= 6 ? 4 : 0);
        output(stage, node);
    }
    // Off, and on again.
    stage.set(node, "enable", 0);
    CHECK(largest_difference(output(stage, node), lock(0)) == 0);
    stage.set(node, "enable", 1);
    CHECK(largest_difference(output(stage, node), windy[12]) == 0);
    stage.remove(node);
}

static std::vector<double> numbers(MObject object) {
    std::vector<double> out;
    const MDoubleArray values = MFnDoubleArrayData(object).array();
    for (unsigned i = 0; i < values.length(); i++) {
        out.push_back(values[i]);
    }
    return out;
}

// Keyed gravity, drag and damping, by what they do.
static void motion(Stage &stage) {
    Node *fall = stage.make("withyGroom", "fall");
    stage.set(fall, "inputHair[0]", curve(straight({0, 500, 0}, {0, 0, 1}, 5)));
    for (const char *zero : {"holdStartPose", "pointLock", "damp"}) {
        stage.set(fall, zero, 0);
    }
    stage.set(fall, "drag", 5);
    std::vector<double> y;
    for (int frame = 1; frame <= 73; frame++) {
        go(stage, fall, frame);
        stage.set(fall, "gravity", frame <= 13 ? 0 : 9.81);
        y.push_back(output(stage, fall)[2][1]);
    }
    CHECK_NEAR(y[12], 500, 1e-4);
    CHECK_NEAR((y[71] - y[72]) * 24, 981.0 / 5, 6);  // the speed at which drag balances gravity, to first order in the substep
    stage.remove(fall);
    // A soft rod that is let go goes on swinging; damping takes what bends, not what turns as a whole.
    double speed[2];
    for (const int damped : {0, 1}) {
        Node *node = stage.make("withyGroom", "swing");
        stage.set(node, "inputHair[0]", curve(straight({0, 100, 0}, {1, 0, 0}, 11)));
        stage.set(node, "holdStartPose", 0);
        stage.set(node, "radius", 1e-3);
        stage.set(node, "youngModulus", 1e7);
        stage.set(node, "drag", 0);
        stage.set(node, "damp", damped != 0 ? 30 : 0);
        Line before;
        speed[damped] = 0;
        for (int frame = 1; frame <= 40; frame++) {
            go(stage, node, frame);
            const Line now = output(stage, node);
            if (frame > 34) {
                speed[damped] = std::max(speed[damped], distance(now.back(), before.back()));
            }
            before = now;
        }
        stage.remove(node);
    }
    CHECK(speed[0] > 0.05);
    CHECK(speed[1] < 0.95 * speed[0]);
}

// The frames of the rods, and roots that turn with curves about their first edge.
static void turns(Stage &stage) {
    Node *node = stage.make("withyGroom", "turns");
    const auto about_z = [](double angle, const Line &line) {
        Line out;
        for (const Point &p : line) {
            out.push_back({p[0] * std::cos(angle) - p[1] * std::sin(angle), p[0] * std::sin(angle) + p[1] * std::cos(angle), p[2]});
        }
        return out;
    };
    // Along z, then bent aside.
    const Line bent = {{0, 0, 0}, {0, 0, 1}, {0, 0.5, 2}, {0, 1.5, 3}, {0, 3, 3.5}};
    const Line tilted = [&] {
        Line out;
        for (const Point &p : bent) {
            out.push_back({p[2], p[0], p[1]});  // along x
        }
        return out;
    }();
    stage.set(node, "radius", 1e-3);
    for (const Line *start : {&bent, &tilted}) {
        stage.set(node, "inputHair[0]", curve(*start));
        go(stage, node, 1);
        std::vector<double> q = numbers(stage.data(node, "outputTurns"));
        CHECK(q.size() == 16);
        for (std::size_t i = 0; i < q.size(); i++) {
            CHECK_NEAR(q[i], i % 4 == 3 ? 1 : 0, 1e-6);
        }
        const double angle = 1.2;
        for (int frame = 2; frame <= 30; frame++) {
            const double a = angle * std::min(1.0, frame / 12.0);
            go(stage, node, frame);
            stage.set(node, "inputHair[0]", curve(about_z(a, *start)));
            output(stage, node);
        }
        q = numbers(stage.data(node, "outputTurns"));
        CHECK_NEAR(std::fabs(q[2]), std::sin(angle / 2), 0.02);
        CHECK_NEAR(std::fabs(q[3]), std::cos(angle / 2), 0.02);
    }
    stage.remove(node);
}

static void painted(Stage &stage) {
    Node *node = groom(stage, "painted", 2);
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "stiffnessMap", doubles({1, 100}));
    for (int frame = 1; frame <= 24; frame++) {
        go(stage, node, frame);
        output(stage, node);
    }
    const double soft = largest_difference(output(stage, node, 0), lock(0)), stiff = largest_difference(output(stage, node, 1), lock(1));
    CHECK(soft > 3 * stiff);
    std::vector<double> vertices(2 * N, 1);
    std::fill(vertices.begin() + N, vertices.end(), 100);
    stage.set(node, "stiffnessMap", doubles(vertices));
    CHECK_NEAR(largest_difference(output(stage, node, 1), lock(1)), stiff, 1e-12);
    stage.set(node, "stiffnessMap", doubles({1, 2, 3}));
    CHECK(largest_difference(output(stage, node, 1), lock(1)) == 0);
    CHECK(mentions(Stage::errors(), "painted: stiffnessMap: has 3 values; 32 (one a vertex) or 2 (one a curve)"));
    stage.remove(node);
}

static void collides(Stage &stage) {
    Node *node = stage.make("withyGroom", "rope");
    stage.set(node, "inputHair[5]", curve(straight({0, 20, 0}, {1, 0, 0}, 21)));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e6);
    stage.set(node, "shearModulus", 4e5);
    stage.set(node, "stretchModulus", 1e9);
    stage.set(node, "radius", 2e-3);
    stage.set(node, "collider[3].colliderShape", 1);
    stage.set(node, "collider[3].colliderRadius", 6);
    stage.set(node, "collider[3].colliderMatrix", moved(0, 8, 12, 0));
    stage.set(node, "collider[4].colliderShape", 0);
    stage.set(node, "collider[4].colliderMatrix", moved(0, 0, 4, 0));
    for (int frame = 1; frame <= 60; frame++) {
        go(stage, node, frame);
        output(stage, node, 5);
    }
    CHECK(stage.elements(node, "outputHair") == 1);
    double nearest = 1e9, lowest = 1e9;
    for (const Point &p : output(stage, node, 5)) {
        nearest = std::min(nearest, distance(p, {8, 12, 0}));
        lowest = std::min(lowest, p[1]);
    }
    CHECK(nearest > 6.15 && nearest < 6.3);
    CHECK(lowest > 4.15);
    // The sphere moves aside and down: the rope comes to lie on the ground there.
    for (int frame = 61; frame <= 90; frame++) {
        go(stage, node, frame);
        stage.set(node, "collider[3].colliderMatrix", moved(0, 8, 12 - std::min(1.2 * (frame - 60), 20.0), 0));
        output(stage, node, 5);
    }
    lowest = 1e9;
    for (const Point &p : output(stage, node, 5)) {
        lowest = std::min(lowest, p[1]);
    }
    CHECK(lowest > 4.1 && lowest < 4.4);
    stage.set(node, "collider[3].colliderMatrix", moved(0, 8, 12, 0));
    stage.set(node, "collide", 0);
    for (int frame = 1; frame <= 60; frame++) {
        go(stage, node, frame);
        output(stage, node, 5);
    }
    nearest = 1e9;
    for (const Point &p : output(stage, node, 5)) {
        nearest = std::min(nearest, distance(p, {8, 12, 0}));
    }
    CHECK(nearest < 6);
    stage.set(node, "collide", 1);
    stage.set(node, "collider[3].colliderRadius", -1);
    output(stage, node, 5);
    const auto said = Stage::errors();
    CHECK(mentions(said, "rope: collider[3].colliderRadius: "));
    stage.remove(node);
}

// A sheet of n by n squares of a centimetre about (x, y, 0), which bulges by `bulge` cm in its middle; its front is above.
static MObject sheet(double x, double y, double bulge, int n = 24) {
    MPointArray points;
    MIntArray counts, connects;
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= n; k++) {
            const double u = i - 0.5 * n, v = k - 0.5 * n;
            points.append(MPoint(x + u, y + bulge * std::exp(-0.04 * (u * u + v * v)), v));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            counts.append(4);
            const int corner = i * (n + 1) + k;
            for (const int at : {corner, corner + 1, corner + n + 2, corner + n + 1}) {
                connects.append(at);
            }
        }
    }
    MFnMeshData data;
    MFnMesh fn;
    return fn.create(static_cast<int>(points.length()), n * n, points, counts, connects, data.create());
}

// A soft rope that falls onto a skinned surface, which rises and bulges below it.
static void slides_on_a_mesh(Stage &stage) {
    Node *node = stage.make("withyGroom", "cover");
    stage.set(node, "inputHair[0]", curve(straight({0, 20, 0}, {1, 0, 0}, 21)));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e6);
    stage.set(node, "shearModulus", 4e5);
    stage.set(node, "stretchModulus", 1e9);
    stage.set(node, "radius", 2e-3);
    stage.set(node, "collideWidthOffset", 5e-3);
    const auto surface = [](double frame) { return 2 * std::min(std::max(frame - 40, 0.0), 20.0) / 20; };  // how far it has risen
    const auto show = [&](double frame) {
        go(stage, node, frame);
        // As a shape has it whose transform brings it here: the points alone are elsewhere.
        const MObject mesh = sheet(0, 0, 3 + surface(frame));
        Stage::place(mesh, moved(0, 10, 10 + surface(frame), 0));
        stage.set(node, "collisionMesh[2]", mesh);
        return output(stage, node);
    };
    const auto clearance = [&](const Line &line, double frame) {
        double least = 1e9;
        for (std::size_t i = 4; i < line.size(); i++) {
            const double u = line[i][0] - 10, v = line[i][2];
            if (std::fabs(u) < 11 && std::fabs(v) < 11) {
                least = std::min(least, line[i][1] - 10 - surface(frame) - (3 + surface(frame)) * std::exp(-0.04 * (u * u + v * v)));
            }
        }
        return least;
    };
    std::vector<Line> seen(81);
    for (int frame = 1; frame <= 80; frame++) {
        seen[static_cast<std::size_t>(frame)] = show(frame);
    }
    // It lies on the surface, before and after this has risen and bulged by 2 cm: half a centimetre above it.
    CHECK_NEAR(clearance(seen[40], 40), 0.5, 0.2);
    CHECK_NEAR(clearance(seen[80], 80), 0.5, 0.2);
    CHECK(seen[80][10][1] > seen[40][10][1] + 2.5);
    // Scrubbed, to the bit.
    for (const int frame : {79, 30, 31, 55, 2, 80}) {
        CHECK(largest_difference(show(frame), seen[static_cast<std::size_t>(frame)]) == 0);
    }
    // Without it the rope falls through.
    for (const int collide : {0, 1}) {
        stage.set(node, "collide", collide);
        for (int frame = 1; frame < 40; frame++) {
            show(frame);
        }
        CHECK(collide == 1 ? largest_difference(show(40), seen[40]) == 0 : clearance(show(40), 40) < -3);
    }
    // Other triangles are another mesh: its start has not been seen.
    stage.set(node, "collisionMesh[2]", sheet(0, 10, 3, 12));
    output(stage, node);
    CHECK(stage.text(node, "report").find("go to frame 1") != std::string::npos);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    stage.set(node, "collisionMesh[2]", sheet(0, nan, 3));
    CHECK(largest_difference(output(stage, node), straight({0, 20, 0}, {1, 0, 0}, 21)) == 0);
    CHECK(mentions(Stage::errors(), "cover: collisionMesh[2]: vertex 0 is not a number"));
    stage.remove(node);
}

// Soft curves that would hang are drawn to the animation, the third of them by half, and let go again.
static void attracted(Stage &stage) {
    Node *node = stage.make("withyGroom", "goals");
    const auto there = [](unsigned i, double frame) { return straight({0, 100 + 2 * std::sin(0.2 * frame), 5.0 * i}, {1, 0, 0}, 16); };
    const auto show = [&](double frame) {
        go(stage, node, frame);
        for (unsigned i = 0; i < 3; i++) {
            stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(there(i, frame)));
        }
    };
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e6);
    stage.set(node, "shearModulus", 4e5);
    stage.set(node, "stretchModulus", 1e9);
    stage.set(node, "subSteps", 8);
    stage.set(node, "startCurveAttract", 1000);
    stage.set(node, "attractMap", doubles({0, 1, 0.015}));
    std::vector<Line> seen(49);
    for (int frame = 1; frame <= 48; frame++) {
        show(frame);
        output(stage, node);
        seen[static_cast<std::size_t>(frame)] = output(stage, node, 1);
    }
    const auto low = [&](unsigned i) { return there(i, 48)[15][1] - output(stage, node, i)[15][1]; };
    CHECK(low(0) > 10);
    CHECK(std::fabs(low(1)) < 3);
    CHECK(low(2) > 3 && low(2) < low(0) - 2);
    for (const int frame : {20, 47, 3, 48}) {
        show(frame);
        CHECK(largest_difference(output(stage, node, 1), seen[static_cast<std::size_t>(frame)]) == 0);
    }
    stage.set(node, "attractMap", doubles({0, -1, 1}));
    output(stage, node);
    CHECK(mentions(Stage::errors(), "goals: attractMap[1]: -1 is not within [0, 10000]"));
    stage.set(node, "attractMap", doubles({}));
    stage.set(node, "startCurveAttract", -3);
    output(stage, node);
    CHECK(mentions(Stage::errors(), "goals: startCurveAttract: -3"));
    stage.remove(node);
}

// worldSpace of a shape below a transform brings points and matrix apart. The result is where the artist sees the curve.
static void placed(Stage &stage) {
    const auto play = [&](bool apart) {
        Node *node = stage.make("withyGroom", apart ? "apart" : "together");
        const MMatrix head = moved(0.7, 30, -20, 5);
        for (int frame = 1; frame <= 12; frame++) {
            go(stage, node, frame);
            MObject data = curve(lock(0));
            Stage::place(data, head);
            if (!apart) {
                Line line;
                MPointArray points;
                MFnNurbsCurve(data).getCVs(points, MSpace::kWorld);
                for (unsigned i = 0; i < points.length(); i++) {
                    line.push_back({points[i].x, points[i].y, points[i].z});
                }
                data = curve(line);
            }
            stage.set(node, "inputHair[0]", data);
            output(stage, node);
        }
        const Line line = output(stage, node);
        stage.remove(node);
        return line;
    };
    CHECK(largest_difference(play(true), play(false)) == 0);
}

static void mistakes(Stage &stage) {
    Node *node = groom(stage, "wrong");
    for (const int frame : {1, 2, 3}) {
        go(stage, node, frame);
        output(stage, node);
    }
    // A NaN in a curve: named, and what comes in goes out.
    Line bad = lock(1);
    bad[7][1] = std::nan("");
    stage.set(node, "inputHair[1]", curve(bad));
    const Line out = output(stage, node, 1);
    CHECK(std::isnan(out[7][1]) && out[6] == bad[6]);
    CHECK(largest_difference(output(stage, node, 0), lock(0)) == 0);
    const auto said = Stage::errors();
    CHECK(said.size() == 1 && mentions(said, "error: wrong: inputHair[1]: control vertex 7 is not a number"));
    CHECK(stage.text(node, "report").find("inputHair[1]") != std::string::npos);
    // Said once, not at every frame.
    go(stage, node, 4);
    output(stage, node);
    CHECK(Stage::errors().empty());
    stage.set(node, "inputHair[1]", curve(lock(1)));
    CHECK(largest_difference(output(stage, node, 0), lock(0)) > 0);
    // One vertex is no rod.
    stage.set(node, "inputHair[1]", curve({{0, 0, 0}}, 0));
    output(stage, node);
    CHECK(mentions(Stage::errors(), "inputHair[1]: has 1 control vertices"));
    stage.set(node, "inputHair[1]", curve(lock(1)));
    go(stage, node, 1);
    output(stage, node);
    // Numbers out of range, as a connection may bring them: the library refuses, the attribute is named.
    const struct {
        const char *name;
        double value, usual;
    } wrong[] = {{"youngModulus", -1, 4e9}, {"radius", 0, 1e-4}, {"density", 1e9, 1300}, {"aspect", 0, 1}, {"damp", -1, 4}, {"drag", 1e12, 3},
                 {"friction", -1, 0.5}, {"subSteps", 0, 8}, {"iterations", 20000, 0}, {"spaceScale", 0.0, 0.01}, {"timeScale", -1, 1},
                 {"gravity", std::nan(""), 9.81}, {"collideWidthOffset", -1, 0}, {"stretchDamp", -1, 0}, {"threads", 5000, 0},
                 {"shearModulus", 1e20, 1.5e9}, {"stretchModulus", 1e20, 0}, {"model", 7, 0}, {"radius", std::nan(""), 1e-4}};
    for (const auto &one : wrong) {
        go(stage, node, 2);
        stage.set(node, one.name, one.value);
        CHECK(largest_difference(output(stage, node, 2), lock(2)) == 0);
        const auto messages = Stage::errors();
        if (!mentions(messages, std::string("error: wrong: ") + one.name + ": ")) {
            std::printf("%s is not named: %s\n", one.name, messages.empty() ? "nothing was said" : messages[0].c_str());
            failures++;
        }
        stage.set(node, one.name, one.usual);
        go(stage, node, 3);
        CHECK(largest_difference(output(stage, node, 2), lock(2)) > 0);
        CHECK(Stage::errors().empty());
    }
    // In the channel box such values are refused by Maya itself.
    CHECK(!stage.type_in(node, "youngModulus", -1));
    CHECK(!stage.type_in(node, "subSteps", 0));
    CHECK(stage.type_in(node, "subSteps", 8));
    stage.set(node, "gravityDirection", 0, 0, 0);
    output(stage, node);
    CHECK(mentions(Stage::errors(), "gravityDirection: has no length"));
    stage.remove(node);
}

static void two_nodes(Stage &stage) {
    Node *a = groom(stage, "a"), *b = groom(stage, "b");
    stage.set(b, "radius", 5e-4);
    const auto play = [&](Node *node, std::vector<Line> &out) {
        for (int frame = 1; frame <= 25; frame++) {
            go(stage, node, frame);
            out.push_back(output(stage, node));
        }
    };
    std::vector<Line> a1, b1, a2, b2;
    play(a, a1);
    play(b, b1);
    Node *c = groom(stage, "c"), *d = stage.duplicate(b, "d");
    std::thread one([&] { play(c, a2); }), two([&] { play(d, b2); });
    one.join();
    two.join();
    CHECK(a1 == a2 && b1 == b2 && a1 != b1);
    // Threads of the library change nothing.
    stage.set(c, "threads", 2);
    for (int frame = 1; frame <= 25; frame++) {
        go(stage, c, frame);
        CHECK(output(stage, c) == a1[static_cast<std::size_t>(frame - 1)]);
    }
    // A duplicate has begun anew, and the first goes on.
    go(stage, b, 26);
    go(stage, d, 26);
    CHECK(output(stage, b) == output(stage, d));
    Node *fresh = stage.duplicate(b, "fresh");
    go(stage, fresh, 26);
    CHECK(stage.text(fresh, "report").find("startFrame") != std::string::npos);
    CHECK(stage.behind(a)->schedulingType() == MPxNode::kParallel);
    for (Node *node : {a, b, c, d, fresh}) {
        stage.remove(node);
    }
}

static void saved(Stage &stage) {
    Node *node = groom(stage, "kept");
    stage.set(node, "radius", 2.5e-4);
    stage.set(node, "windDirection", 0, 0, 1);
    stage.set(node, "windSpeed", 2);
    stage.set(node, "pointLock", 3);
    stage.set(node, "stiffnessMap", doubles({1, 2, 3}));
    stage.set(node, "collider[2].colliderShape", 2);
    stage.set(node, "collider[2].colliderRadius", 3);
    stage.set(node, "collider[2].colliderMatrix", moved(0, 0, 140, 20));
    std::vector<Line> first, second;
    for (int frame = 1; frame <= 10; frame++) {
        go(stage, node, frame);
        first.push_back(output(stage, node, 1));
    }
    const std::string text = stage.save();
    CHECK(text.find("currentTime") == std::string::npos && text.find("outputHair") == std::string::npos);
    stage.remove(node);
    stage.load(text);
    Node *again = stage.find("kept");
    CHECK(stage.number(again, "collider[2].colliderRadius") == 3);
    CHECK(stage.save() == text);
    for (unsigned i = 0; i < 3; i++) {
        stage.set(again, "inputHair[" + std::to_string(i) + "]", curve(lock(i)));
    }
    for (int frame = 1; frame <= 10; frame++) {
        go(stage, again, frame);
        second.push_back(output(stage, again, 1));
    }
    CHECK(first == second);
    CHECK(distance(second.back().back(), lock(1).back()) < 1e-4);  // both ends are held
    stage.remove(again);
}

static void units(Stage &stage) {
    // The working unit of lengths is a matter of the interface: Maya hands out centimetres.
    Node *node = groom(stage, "units");
    stage.set(node, "holdStartPose", 0);
    std::vector<Line> first;
    for (int frame = 1; frame <= 8; frame++) {
        go(stage, node, frame);
        first.push_back(output(stage, node));
    }
    MDistance::setUIUnit(MDistance::kMeters);
    CHECK(stage.type_in(node, "collider[0].colliderRadius", 0.05));
    CHECK_NEAR(stage.number(node, "collider[0].colliderRadius"), 5, 1e-12);
    stage.set(node, "collider[0].colliderMatrix", moved(0, 0, -500, 0));
    Node *other = groom(stage, "metres");
    stage.set(other, "holdStartPose", 0);
    for (int frame = 1; frame <= 8; frame++) {
        go(stage, other, frame);
        CHECK(output(stage, other) == first[static_cast<std::size_t>(frame - 1)]);
    }
    MDistance::setUIUnit(MDistance::kCentimeters);
    // A scene ten times as large, with a tenth of the scale: the same motion.
    Node *large = stage.make("withyGroom", "large");
    Line ten = lock(0);
    for (Point &p : ten) {
        p = {10 * p[0], 10 * p[1], 10 * p[2]};
    }
    stage.set(large, "inputHair[0]", curve(ten));
    stage.set(large, "holdStartPose", 0);
    stage.set(large, "spaceScale", 0.001);
    for (int frame = 1; frame <= 8; frame++) {
        go(stage, large, frame);
        output(stage, large);
    }
    CHECK(distance(first.back().back(), lock(0).back()) > 0.02);
    CHECK_NEAR(output(stage, large).back()[1] / 10, first.back().back()[1], 1e-4);

    // Twice the frame rate: half a frame falls half as long. The start has to be seen again.
    Node *fall = stage.make("withyGroom", "fall");
    stage.set(fall, "inputHair[0]", curve(straight({0, 100, 0}, {0, 0, 1}, 5)));
    for (const char *zero : {"holdStartPose", "pointLock", "drag", "damp"}) {
        stage.set(fall, zero, 0);
    }
    const auto drop = [&](int frames) {
        for (int frame = 1; frame <= 1 + frames; frame++) {
            go(stage, fall, frame);
            output(stage, fall);
        }
        return 100 - output(stage, fall)[2][1];
    };
    CHECK_NEAR(drop(12), 100 * 9.81 / 2 * 0.25, 2);  // half a second at 24
    MTime::setUIUnit(MTime::kShowScan);
    go(stage, fall, 13);
    CHECK_NEAR(output(stage, fall)[2][1], 100, 0);
    CHECK(stage.text(fall, "report").find("startFrame") != std::string::npos);
    CHECK_NEAR(drop(12), 100 * 9.81 / 2 * 0.0625, 0.5);  // a quarter at 48
    MTime::setUIUnit(MTime::kFilm);
    stage.set(fall, "timeScale", 0.5);
    CHECK_NEAR(drop(12), 100 * 9.81 / 2 * 0.0625, 0.5);
    for (Node *one : {node, other, large, fall}) {
        stage.remove(one);
    }
}

// Other programs in Maya may have told the processor to flush tiny numbers to zero.
static void flushed(Stage &stage) {
#if defined(__x86_64__)
    std::vector<Line> pictures;
    for (const unsigned mode : {0x1f80u, 0x9fc0u}) {
        const unsigned before = _mm_getcsr();
        _mm_setcsr(mode);
        // Straight down: what is across is next to nothing, and dies away.
        Node *node = stage.make("withyGroom", "mode");
        stage.set(node, "inputHair[0]", curve(straight({0, 0, 0}, {1e-4, -1, 0}, 20)));
        stage.set(node, "holdStartPose", 0);
        stage.set(node, "damp", 400);
        Line all;
        for (int frame = 1; frame <= 60; frame++) {
            go(stage, node, frame);
            for (const Point &p : output(stage, node)) {
                all.push_back(p);
            }
        }
        CHECK((_mm_getcsr() & 0xffc0u) == mode);
        _mm_setcsr(before);
        pictures.push_back(all);
        stage.remove(node);
    }
    CHECK(pictures[0] == pictures[1]);
#endif
}

static void maya(Stage &stage) {
    Node *node = groom(stage, "asked");
    MNodeCacheDisablingInfo disabling;
    MNodeCacheSetupInfo setup;
    MObjectArray monitored;
    stage.behind(node)->getCacheSetup(MEvaluationNode(), disabling, setup, monitored);
    CHECK(setup.getRequirement(MNodeCacheSetupInfo::kSimulationSupport));
    go(stage, node, 1);
    output(stage, node);
    const auto range = stage.behind(node)->transformInvalidationRange(MPlug(), MTimeRange(MTime(40, MTime::kFilm), MTime(41, MTime::kFilm)));
    CHECK(range.maxTime().as(MTime::kSeconds) > 1e6);
    CHECK_NEAR(range.minTime().as(MTime::kFilm), 1, 1e-9);
    CHECK(stage.behind(node)->transformInvalidationRange(MPlug(), MTimeRange(MTime(-9, MTime::kFilm), MTime(-8, MTime::kFilm))).isEmpty());
    CHECK(!stage.storable(node, "currentTime"));
    CHECK(stage.keyable(node, "gravity") && stage.keyable(node, "youngModulus") && !stage.keyable(node, "stiffen"));
    // A curve that is deleted, and one that comes.
    stage.set(node, "inputHair[1]", MObject());
    CHECK(line_of(stage.data(node, "outputHair[2]")).size() == N);
    CHECK(stage.elements(node, "outputHair") == 2);
    stage.remove(node);
}

static void speed(Stage &stage) {
    Node *node = stage.make("withyGroom", "many");
    for (unsigned i = 0; i < 1000; i++) {
        stage.set(node, "inputHair[" + std::to_string(i) + "]", curve(lock(0.1 * i)));
    }
    stage.set(node, "attachTo", 1);
    for (const bool gusts : {false, true}) {
        stage.set(node, "windSpeed", gusts ? 1 : 0);
        stage.set(node, "windNoise", gusts ? 1 : 0);
        go(stage, node, 1);
        output(stage, node);
        const auto begin = std::chrono::steady_clock::now();
        for (int frame = 2; frame <= 11; frame++) {
            go(stage, node, frame);
            stage.set(node, "attachMatrix", head(frame));
            output(stage, node);
        }
        const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
        std::printf("1,000 curves of 16 vertices on a moving head, 8 substeps%s: %.2f ms a frame\n", gusts ? ", with gusts" : "", all.count() / 10 * 1000);
    }
    stage.remove(node);
}

// A thread of Maya that has evaluated a node outlives the plugin.
static void outlived(const char *plugin) {
    Stage stage(plugin);
    std::promise<void> played, unloaded;
    std::thread thread([&] {
        Node *node = groom(stage, "threaded");
        for (const int frame : {1, 2, 3}) {
            go(stage, node, frame);
            output(stage, node);
        }
        played.set_value();
        unloaded.get_future().wait();
    });
    played.get_future().wait();
    CHECK(stage.unload());
    unloaded.set_value();
    thread.join();
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    hangs(stage);
    holds(stage);
    scrubs(stage, false, false, 0);
    scrubs(stage, true, false, 0);
    scrubs(stage, true, true, 0);
    scrubs(stage, false, false, 1);
    another_start(stage);
    jumps(stage);
    changes(stage);
    motion(stage);
    turns(stage);
    painted(stage);
    collides(stage);
    slides_on_a_mesh(stage);
    attracted(stage);
    placed(stage);
    mistakes(stage);
    two_nodes(stage);
    saved(stage);
    units(stage);
    flushed(stage);
    maya(stage);
    speed(stage);
    CHECK(stage.unload());
    // Loaded again, as developers of rigs do all day.
    outlived(arguments[1]);
    outlived(arguments[1]);
    return finish("groom");
}
