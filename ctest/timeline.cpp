// withy_timeline.hpp: a rope whose root the host moves, scrubbed in any order.
#include <cmath>
#include <cstdio>
#include <withy.hpp>
#include <withy_timeline.hpp>

static int failures = 0;

#define EXPECT(fact)                                                         \
    do {                                                                     \
        if (!(fact)) {                                                       \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #fact);           \
            ++failures;                                                      \
        }                                                                    \
    } while (0)

struct Rope {
    withy::Context context;
    withy::World world{context};
    withy::Rods rods = make();
    withy::Machine machine = withy::machine(world, [this](const withy::Inputs &, const withy::Inputs &now, double part) {
        const std::vector<std::array<double, 3>> root{{now.values[0], 0, 0}};
        rods.set_root_poses(withy::span(root));
        world.step(part / 24);
    });

    withy::Rods make() {
        std::vector<withy::Float3> line;
        for (int i = 0; i < 11; i++) line.push_back({0.0f, -0.05f * static_cast<float>(i), 0.0f});
        const std::vector<uint32_t> counts{11};
        withy::RodsDef def;
        def.positions = withy::span(line);
        def.counts = withy::span(counts);
        def.radius = 0.005;
        def.root = WITHY_SUPPORT_PINNED;
        return withy::Rods(world, def);
    }
    static withy::Inputs inputs(double frame) { return {{0.2 * std::sin(0.3 * frame)}, {}}; }
    void seek(withy::Timeline &timeline, double frame) { timeline.seek(frame, inputs(frame), machine); }
};

int main() {
    Rope rope;
    withy::Timeline timeline;
    timeline.begin(Rope::inputs(0), rope.world.save_state());
    std::vector<uint64_t> hashes{rope.world.state_hash()};
    for (int frame = 1; frame <= 120; frame++) {
        rope.seek(timeline, frame);
        hashes.push_back(rope.world.state_hash());
    }
    EXPECT(hashes[120] != hashes[119]);
    // Backwards, forwards and about, each frame as it was.
    for (const int frame : {119, 60, 61, 3, 0, 120, 77, 76, 1}) {
        rope.seek(timeline, frame);
        EXPECT(rope.world.state_hash() == hashes[static_cast<std::size_t>(frame)]);
    }
    // Motion blur: between frames, and back.
    rope.seek(timeline, 40.5);
    rope.seek(timeline, 40);
    EXPECT(rope.world.state_hash() == hashes[40]);
    // Little memory: states go, the frames stay the same.
    const std::size_t states = timeline.states();
    timeline.set_budget(timeline.bytes() / 8);
    for (int frame = 121; frame <= 140; frame++) rope.seek(timeline, frame);
    EXPECT(timeline.states() < states / 4);
    for (const int frame : {90, 13, 120}) {
        rope.seek(timeline, frame);
        EXPECT(rope.world.state_hash() == hashes[static_cast<std::size_t>(frame)]);
    }
    // The animation was changed at frame 100: what was before it stays, what comes after is made again.
    withy::Inputs other = Rope::inputs(100);
    other.values[0] += 0.1;
    timeline.seek(100, other, rope.machine);
    rope.seek(timeline, 120);
    EXPECT(rope.world.state_hash() != hashes[120]);
    rope.seek(timeline, 99);
    EXPECT(rope.world.state_hash() == hashes[99]);
    // A jump over frames that nobody saw; seen later, what followed is made again.
    Rope fresh;
    withy::Timeline jumped;
    jumped.begin(Rope::inputs(0), fresh.world.save_state());
    fresh.seek(jumped, 30);
    EXPECT(fresh.world.state_hash() != hashes[30]);
    for (int frame = 1; frame <= 30; frame++) fresh.seek(jumped, frame);
    EXPECT(fresh.world.state_hash() == hashes[30]);
    if (failures == 0) std::puts("a timeline: 140 frames, any order, the same bits");
    return failures != 0;
}
