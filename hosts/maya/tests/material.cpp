// The material of withyGroom, keyed: it is followed in playback, and every frame is there again when it is scrubbed.
#include "play.h"

static const unsigned N = 16;

// A cantilever of 15 cm, damped so that it comes to rest within two seconds.
static Line lash(double y = 100) { return straight({0, y, 0}, {1, 0, 0}, N); }

static Node *beam(Stage &stage, const std::string &name) {
    Node *node = stage.make("withyGroom", name);
    stage.set(node, "inputHair[0]", curve(lash()));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e9);
    stage.set(node, "shearModulus", 4e8);
    stage.set(node, "radius", 1e-3);
    stage.set(node, "damp", 20);
    stage.set(node, "drag", 30);  // To rest within two seconds: steps themselves damp little.
    return node;
}

static double sag(const Line &line) { return 100 - line.back()[1]; }

// rho A g L^4 / (8 E I), I = A r^2 / 4, in cm.
static double cantilever(double density, double young, double radius) {
    return density * 9.81 * std::pow(0.15, 4) / (2 * young * radius * radius) * 100;
}

// A value before frame `from`, another one from `to` on, and between them the line that a curve of Maya's is.
static double keyed(double frame, double from, double first, double to, double second) {
    return first + (second - first) * std::min(std::max((frame - from) / (to - from), 0.0), 1.0);
}

static Line show(Stage &stage, Node *node, double frame, const std::string &name, double value) {
    go(stage, node, frame);
    stage.set(node, name, value);
    return output(stage, node);
}

static void stiffness(Stage &stage) {
    Node *node = beam(stage, "stiffness");
    // 30 frames from one modulus to four times as much. Before it and after it the curve comes to rest, and sleeps.
    const auto young = [](double frame) { return keyed(frame, 90, 1e9, 120, 4e9); };
    const auto at = [&](double frame) { return show(stage, node, frame, "youngModulus", young(frame)); };
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 180; frame++) {
        seen.push_back(at(frame));
    }
    const double soft = cantilever(1300, 1e9, 1e-3);
    CHECK_NEAR(sag(seen[90]), soft, 0.06 * soft);
    CHECK_NEAR(sag(seen[180]), soft / 4, 0.06 * soft / 4);
    CHECK(seen[89] == seen[90] && seen[179] == seen[180]);  // asleep
    for (std::size_t frame = 91; frame <= 120; frame++) {
        CHECK(sag(seen[frame]) < sag(seen[frame - 1]));
        const double now = soft * 1e9 / young(static_cast<double>(frame));
        CHECK_NEAR(sag(seen[frame]), now, 0.15 * soft);
    }
    // To the bit, in any order, also where it sleeps under one modulus while another was set last.
    for (const int frame : {180, 100, 89, 119, 90, 175, 5, 176, 91, 60, 61, 120, 121, 2, 180}) {
        if (at(frame) != seen[static_cast<std::size_t>(frame)]) {
            std::printf("youngModulus: frame %d is another one when it is scrubbed\n", frame);
            failures++;
        }
    }
    // Half frames are the same from everywhere, and disturb nothing.
    for (const double half : {100.5, 88.5, 150.25}) {
        at(3);
        const Line first = at(half);
        at(170);
        CHECK(at(half) == first);
        at(std::floor(half));
        CHECK(at(half) == first);
        const auto next = static_cast<std::size_t>(half + 1);
        CHECK(at(static_cast<double>(next)) == seen[next]);
    }
    const Line between = at(100.5);
    CHECK(sag(between) < sag(seen[100]) && sag(between) > sag(seen[101]));
    // As when they are played, in another node, in which nothing was set between.
    Node *other = stage.duplicate(node, "other");
    for (int frame = 1; frame <= 180; frame++) {
        CHECK(show(stage, other, frame, "youngModulus", young(frame)) == seen[static_cast<std::size_t>(frame)]);
        if (frame == 88 || frame == 100 || frame == 150) {
            const Line played = show(stage, other, frame + 0.5, "youngModulus", young(frame + 0.5));
            at(3);
            CHECK(at(frame + 0.5) == played);
        }
    }
    // What is simulated again from a state in which it slept.
    show(stage, other, 140, "youngModulus", 2e9);
    show(stage, other, 141, "youngModulus", young(141));
    show(stage, other, 140, "youngModulus", young(140));
    CHECK(show(stage, other, 180, "youngModulus", young(180)) == seen[180]);
    CHECK(show(stage, other, 155, "youngModulus", young(155)) == seen[155]);
    stage.remove(node);
    stage.remove(other);
}

// What else is keyed, by what it does to a beam at rest: before, after, and undone.
static void sections(Stage &stage) {
    const struct {
        const char *name;
        double first, second, by;  // how much further it sags
    } all[] = {{"density", 1300, 2600, 2}, {"radius", 1e-3, 2e-3, 0.25}, {"youngModulus", 1e9, 5e8, 2}};
    for (const auto &one : all) {
        Node *node = beam(stage, one.name);
        const auto at = [&](double frame) { return show(stage, node, frame, one.name, keyed(frame, 75, one.first, 80, one.second)); };
        std::vector<Line> seen(1);
        for (int frame = 1; frame <= 160; frame++) {
            seen.push_back(at(frame));
        }
        const double before = cantilever(1300, 1e9, 1e-3);
        CHECK_NEAR(sag(seen[75]), before, 0.06 * before);
        CHECK_NEAR(sag(seen[160]), one.by * before, 0.1 * one.by * before);
        for (const int frame : {78, 160, 79, 2, 159}) {
            CHECK(at(frame) == seen[static_cast<std::size_t>(frame)]);
        }
        // Changed here, and undone; changed here and there, and undone from the end.
        at(160);
        CHECK(show(stage, node, 160, one.name, one.first) != seen[160]);
        CHECK(at(160) == seen[160]);
        show(stage, node, 77, one.name, one.second);
        show(stage, node, 78, one.name, one.first);
        at(77);
        CHECK(at(78) == seen[78] && at(160) == seen[160]);
        stage.remove(node);
    }
    // Straight down, stretched by its own weight: rho g L / E at the root.
    Node *node = stage.make("withyGroom", "stretch");
    stage.set(node, "inputHair[0]", curve(straight({0, 0, 0}, {0, -1, 0}, N)));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "radius", 1e-3);
    stage.set(node, "youngModulus", 1e6);
    stage.set(node, "damp", 20);
    for (const double modulus : {1e6, 2e5}) {
        for (int frame = 1; frame <= 60; frame++) {
            show(stage, node, frame, "stretchModulus", frame < 20 ? 1e6 : modulus);
        }
        const double strain = 1300 * 9.81 * 0.145 / modulus;
        CHECK_NEAR(stage.number(node, "largestStrain"), strain, 0.05 * strain);
    }
    stage.remove(node);
}

// Hair that holds its pose sags while it is softer, and then has the shape again that was found; at the start frame it is found anew.
static void held(Stage &stage) {
    Node *node = beam(stage, "held");
    stage.set(node, "holdStartPose", 1);
    const auto young = [](double frame) { return frame >= 10 && frame < 60 ? 3e8 : 1e9; };
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 130; frame++) {
        seen.push_back(show(stage, node, frame, "youngModulus", young(frame)));
    }
    CHECK(largest_difference(seen[9], lash()) < 0.005);
    const double further = cantilever(1300, 1e9, 1e-3) * (1 / 0.3 - 1);
    CHECK_NEAR(sag(seen[59]), further, 0.1 * further);
    CHECK(largest_difference(seen[130], lash()) < 0.005);
    CHECK(stage.text(node, "report") == "1 curves, 1 of them can hold their start pose");
    for (const int frame : {59, 9, 10, 130}) {
        CHECK(show(stage, node, frame, "youngModulus", young(frame)) == seen[static_cast<std::size_t>(frame)]);
    }
    for (int frame = 1; frame <= 60; frame++) {
        show(stage, node, frame, "youngModulus", 3e8);
    }
    CHECK(largest_difference(output(stage, node), lash()) < 0.005);
    stage.remove(node);
}

// Layers, whether it collides at all, and the distance at which it does.
static void contacts(Stage &stage) {
    Node *node = stage.make("withyGroom", "contacts");
    stage.set(node, "inputHair[0]", curve(lash()));
    stage.set(node, "holdStartPose", 0);
    stage.set(node, "youngModulus", 1e7);
    stage.set(node, "shearModulus", 4e6);
    stage.set(node, "stretchModulus", 1e10);
    stage.set(node, "radius", 1e-3);
    // Grounds at 97, 94 and 90 cm, in the layers 0, 4 and 8.
    const double heights[] = {97, 94, 90};
    for (int i = 0; i < 3; i++) {
        const std::string plane = "collider[" + std::to_string(i) + "]";
        stage.set(node, plane + ".colliderMatrix", moved(0, 0, heights[i], 0));
        stage.set(node, plane + ".colliderLayer", 4 * i);
    }
    const auto at = [&](double frame) {
        go(stage, node, frame);
        stage.set(node, "collisionLayer", frame < 40 ? 0 : 8);
        stage.set(node, "collide", frame < 80 ? 1 : 0);
        stage.set(node, "collideWidthOffset", keyed(frame, 60, 0, 65, 5e-3));
        return output(stage, node);
    };
    const auto lowest = [](const Line &line) {
        double least = 1e9;
        for (const Point &p : line) {
            least = std::min(least, p[1]);
        }
        return least;
    };
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 100; frame++) {
        seen.push_back(at(frame));
    }
    CHECK_NEAR(lowest(seen[39]), 97.1, 0.1);
    CHECK_NEAR(lowest(seen[60]), 90.1, 0.1);
    CHECK_NEAR(lowest(seen[79]), 90.5, 0.1);
    CHECK(lowest(seen[100]) < 89);
    for (const int frame : {79, 39, 40, 41, 100, 80, 20, 61, 2, 99}) {
        if (at(frame) != seen[static_cast<std::size_t>(frame)]) {
            std::printf("layers: frame %d is another one when it is scrubbed\n", frame);
            failures++;
        }
    }
    // A jump over frames that were not seen: until its end the curve stays in the layer in which it was.
    Node *jumped = stage.duplicate(node, "jumped"), *played = stage.duplicate(node, "played");
    for (Node *one : {jumped, played}) {
        stage.set(one, "collide", 1);
        stage.set(one, "collideWidthOffset", 0);
        for (int frame = 1; frame <= 59; frame++) {
            if (one == played || frame == 1 || frame == 59) {
                show(stage, one, frame, "collisionLayer", frame < 59 ? 0 : 8);
            }
        }
    }
    CHECK(output(stage, jumped) == output(stage, played));
    CHECK(lowest(output(stage, jumped)) > 94 && lowest(output(stage, jumped)) < 97);
    show(stage, jumped, 70, "collisionLayer", 8);
    CHECK_NEAR(lowest(output(stage, jumped)), 90.1, 0.1);
    stage.remove(node);
    stage.remove(jumped);
    stage.remove(played);
}

// Gravity, goals and gusts that are keyed, with frames in which the curve sleeps.
static void asleep(Stage &stage) {
    Node *node = beam(stage, "asleep");
    stage.set(node, "damp", 40);
    const auto bring = [&](double frame) {
        go(stage, node, frame);
        stage.set(node, "gravity", frame < 20 ? 3 : 9.81);
        stage.set(node, "windSpeed", 0.5);
        stage.set(node, "windNoise", frame >= 5 && frame < 12 ? 1 : 0);
        stage.set(node, "startCurveAttract", frame >= 10 && frame < 16 ? 20 : 0);
        stage.set(node, "drag", frame < 18 ? 3 : 6);
    };
    const auto at = [&](double frame) {
        bring(frame);
        return output(stage, node);
    };
    std::vector<Line> seen(1);
    for (int frame = 1; frame <= 150; frame++) {
        seen.push_back(at(frame));
    }
    CHECK(seen[149] == seen[150] && seen[119] == seen[150]);
    std::size_t awake = 20;
    while (awake < 149 && seen[awake] != seen[awake + 1]) {
        awake++;
    }
    const int lies = static_cast<int>(awake);
    CHECK(lies > 25 && lies < 140);
    const auto same = [&](int frame, const std::string &after) {
        if (at(frame) != seen[static_cast<std::size_t>(frame)]) {
            std::printf("asleep from frame %d on: after %s frame %d is another one\n", lies, after.c_str(), frame);
            failures++;
        }
    };
    for (const int frame : {150, 4, 150, 6, 149, 13, 148, 17, 147, 11, 12, 9, 10, 15, 16, 14, lies, 8, lies + 1, 13, lies - 3, lies}) {
        same(frame, "another one");
    }
    // Changed in one frame, and undone there: what comes after is simulated again, from a state in which it was awake, or slept.
    const struct {
        const char *name;
        double value;
    } all[] = {{"gravity", 5}, {"windNoise", 0.5}, {"startCurveAttract", 30}, {"drag", 9}, {"density", 900}, {"friction", 2}};
    for (const auto &one : all) {
        const double usual = stage.number(node, one.name);
        for (const int frame : {6, 11, 13, 17, lies - 2, lies, lies + 1, lies + 5}) {
            bring(frame);
            CHECK(show(stage, node, frame, one.name, one.value) != seen[static_cast<std::size_t>(frame)] || std::strcmp(one.name, "friction") == 0);
            stage.set(node, one.name, usual);
            same(frame, one.name);
            same(lies - 1, one.name);
            same(150, one.name);
        }
    }
    stage.remove(node);
}

int main(int, char **arguments) {
    Stage stage(arguments[1]);
    stiffness(stage);
    sections(stage);
    held(stage);
    contacts(stage);
    asleep(stage);
    CHECK(stage.unload());
    return finish("material");
}
