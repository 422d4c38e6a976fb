// The timeline with a world of two numbers: whatever the order of the frames, the result is that of playing forwards.
#include <cstring>

#include "../src/timeline.h"
#include "play.h"

using namespace withy_maya;

struct Toy {
    double x = 0, v = 0;
    std::size_t steps = 0, padding = 0;
    Machine machine() {
        return {[this] {
                    std::vector<std::uint8_t> out(2 * sizeof(double) + padding);
                    std::memcpy(out.data(), &x, sizeof x);
                    std::memcpy(out.data() + sizeof x, &v, sizeof v);
                    return out;
                },
                [this](const std::vector<std::uint8_t> &in) {
                    std::memcpy(&x, in.data(), sizeof x);
                    std::memcpy(&v, in.data() + sizeof x, sizeof v);
                },
                [this](const Inputs &before, const Inputs &now, double part) {
                    if (now.values[0] > 1e6) {
                        throw 1;
                    }
                    v += (now.values[0] - x + 0.1 * (now.values[0] - before.values[0])) * part;
                    x += v * part;
                    steps++;
                }};
    }
};

static Inputs input(double frame) { return {{std::sin(0.7 * frame) + 0.01 * frame}, {}}; }

static std::uint32_t state = 1;
static std::uint32_t dice(std::uint32_t sides) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % sides;
}

// With all frames seen, any order gives the same.
static void any_order(std::size_t padding, std::size_t budget) {
    Toy toy;
    toy.padding = padding;
    Timeline timeline;
    timeline.set_budget(budget);
    const Machine machine = toy.machine();
    timeline.begin(input(0), machine.save());
    std::vector<double> played(101);
    for (int frame = 0; frame <= 100; frame++) {
        timeline.seek(frame, input(frame), machine);
        played[static_cast<std::size_t>(frame)] = toy.x;
    }
    CHECK(toy.steps == 100);
    for (int i = 0; i < 2000; i++) {
        const std::uint32_t frame = dice(101);
        if (dice(4) == 0) {
            timeline.seek(frame + 0.25, input(frame + 0.25), machine);
            continue;
        }
        timeline.seek(frame, input(frame), machine);
        CHECK(toy.x == played[frame]);
    }
    CHECK(timeline.bytes() <= budget || timeline.states() == 2);
    CHECK((timeline.states() == 101) == (padding * 101 < budget));
}

// Frames come in any order, with jumps: what was seen without gaps is exact.
static void gaps() {
    for (int round = 0; round < 200; round++) {
        Toy toy, reference;
        Timeline timeline;
        const Machine machine = toy.machine(), forward = reference.machine();
        timeline.begin(input(0), machine.save());
        std::vector<double> played = {0};
        for (int frame = 1; frame <= 20; frame++) {
            forward.step(input(frame - 1), input(frame), 1);
            played.push_back(reference.x);
        }
        std::vector<bool> seen(21, false);
        seen[0] = true;
        for (int i = 0; i < 60; i++) {
            const std::uint32_t frame = dice(21);
            seen[frame] = true;
            timeline.seek(frame, input(frame), machine);
            bool all = true;
            for (std::uint32_t f = 0; f <= frame; f++) {
                all = all && seen[f];
            }
            if (all) {
                CHECK(toy.x == played[frame]);
            }
        }
    }
}

// The animation changes at a frame: those after it are made again, those before stay.
static void edits() {
    Toy toy;
    Timeline timeline;
    const Machine machine = toy.machine();
    timeline.begin(input(0), machine.save());
    std::vector<double> first(31);
    for (int frame = 1; frame <= 30; frame++) {
        timeline.seek(frame, input(frame), machine);
        first[static_cast<std::size_t>(frame)] = toy.x;
    }
    timeline.seek(10, {{5}, {}}, machine);
    CHECK(toy.x != first[10]);
    timeline.seek(9, input(9), machine);
    CHECK(toy.x == first[9]);
    timeline.seek(30, input(30), machine);
    CHECK(toy.x != first[30]);
    timeline.seek(10, input(10), machine);
    timeline.seek(30, input(30), machine);
    CHECK(toy.x == first[30]);
    // A frame that cannot be simulated is not remembered.
    bool thrown = false;
    try {
        timeline.seek(31, {{1e9}, {}}, machine);
    } catch (int) {
        thrown = true;
    }
    CHECK(thrown);
    timeline.seek(32, input(32), machine);
    timeline.seek(30, input(30), machine);
    CHECK(toy.x == first[30]);
}

// Turns between two seen frames go the short way round.
static void turns() {
    std::vector<double> seen;
    Timeline timeline;
    const Machine machine = {[] { return std::vector<std::uint8_t>(1); }, [](const std::vector<std::uint8_t> &) {},
                             [&](const Inputs &, const Inputs &now, double) { seen = now.values; }};
    timeline.begin({{0, 0, 0, 1}, {0}}, machine.save());
    timeline.seek(2, {{0, 0, -std::sqrt(0.5), -std::sqrt(0.5)}, {0}}, machine);  // a quarter turn, written the other way
    CHECK_NEAR(seen[3], -std::sqrt(0.5), 1e-12);
    timeline.seek(0, {{0, 0, 0, 1}, {0}}, machine);
    timeline.seek(1.5, {{0, 0, -std::sqrt(0.5), -std::sqrt(0.5)}, {0}}, machine);
    Timeline other;
    std::vector<std::vector<double>> all;
    const Machine record = {[] { return std::vector<std::uint8_t>(1); }, [](const std::vector<std::uint8_t> &) {},
                            [&](const Inputs &, const Inputs &now, double) { all.push_back(now.values); }};
    other.begin({{0, 0, 0, 1}, {0}}, record.save());
    other.seek(2, {{0, 0, -std::sqrt(0.5), -std::sqrt(0.5)}, {0}}, record);
    CHECK(all.size() == 2);
    CHECK_NEAR(std::fabs(all[0][2]), std::sin(3.14159265358979 / 8), 1e-9);
    CHECK_NEAR(std::fabs(all[0][3]), std::cos(3.14159265358979 / 8), 1e-9);
}

int main() {
    any_order(0, 1 << 20);
    any_order(1000, 50000);
    any_order(100000, 50000);
    gaps();
    edits();
    turns();
    return finish("timeline");
}
