// Hair on a head that turns, on a timeline that a user may scrub: each frame is the same whenever it is shown.
#include <cmath>
#include <cstdio>
#include <vector>
#include <withy.hpp>
#include <withy_timeline.hpp>

constexpr int STRANDS = 200, VERTICES = 12;
constexpr double FPS = 24;

// Hair of 12 cm on the upper half of a head of 9 cm.
static std::vector<withy::Float3> groom() {
    std::vector<withy::Float3> points;
    for (int s = 0; s < STRANDS; s++) {
        const double y = (s + 0.5) / STRANDS, turn = 2.399963 * s, r = std::sqrt(1 - y * y);
        for (int v = 0; v < VERTICES; v++) {
            const double out = 0.09 + 0.12 * v / (VERTICES - 1);
            points.push_back({float(out * r * std::cos(turn)), float(out * y), float(out * r * std::sin(turn))});
        }
    }
    return points;
}

// What the application moves: here one number, the angle of the head.
static withy::Inputs inputs(double frame) { return {{0.8 * std::sin(0.2 * frame)}, {}}; }

int main() try {
    withy::Context context;
    withy::World world(context);
    const std::vector<withy::Float3> points = groom();
    const std::vector<uint32_t> counts(STRANDS, VERTICES);
    withy::RodsDef def;
    withy::check(withy_hair_def_init(context, &def));
    def.positions = withy::span(points);
    def.counts = withy::span(counts);
    withy::Rods hair(world, def);

    const withy::Machine machine = withy::machine(world, [&](const withy::Inputs &, const withy::Inputs &now, double part) {
        const double half = 0.5 * now.values[0];
        hair.set_root_transform({{0, 0, 0}, {0, std::sin(half), 0, std::cos(half)}});
        world.step(part / FPS);
    });
    withy::Timeline timeline;
    timeline.begin(inputs(0), world.save_state());

    std::vector<withy::Float3> first(points.size()), again(points.size());
    for (int frame = 1; frame <= 48; frame++) {
        timeline.seek(frame, inputs(frame), machine);
        if (frame == 20) hair.read_positions(first);
    }
    timeline.seek(20, inputs(20), machine);  // back, as an artist does
    hair.read_positions(again);
    std::size_t same = 0;
    for (std::size_t i = 0; i < first.size(); i++) same += first[i] == again[i] ? 1 : 0;
    std::printf("frame 20 again: %zu of %zu vertices are where they were; %zu states, %.1f MB\n", same, first.size(),
                timeline.states(), 1e-6 * double(timeline.bytes()));
    return same == first.size() ? 0 : 1;
} catch (const withy::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
