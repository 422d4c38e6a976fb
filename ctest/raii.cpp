// withy.hpp: owners, spans, exceptions, conventions.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <withy.hpp>

static int failures = 0;

#define EXPECT(fact)                                                         \
    do {                                                                     \
        if (!(fact)) {                                                       \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #fact);           \
            ++failures;                                                      \
        }                                                                    \
    } while (0)

// A host's own vertex, to show strides.
struct Vertex {
    char name;
    double position[3];
    float uv[2];
};

static withy::Rods rope(const withy::World &world, const std::vector<withy::Float3> &line, double radius) {
    const std::vector<uint32_t> counts{static_cast<uint32_t>(line.size())};
    withy::RodsDef def;
    def.positions = withy::span(line);
    def.counts = withy::span(counts);
    def.radius = radius;
    def.root = WITHY_SUPPORT_CLAMPED;
    return withy::Rods(world, def);
}

static void lifetimes() {
    withy::Context context;
    withy::World world(context);
    withy::Rods a = rope(world, {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, 0.01);
    const WithyRods handle = a;
    withy::Rods b = std::move(a);
    EXPECT(!a && b && b.get().bits == handle.bits);
    b.reset();
    WithySpan count{};
    EXPECT(withy_rods_read_positions(handle, &count) == WITHY_ERROR_INVALID_HANDLE);
    withy::Rods c = rope(world, {{0, 0, 0}, {0, 0, 1}}, 0.01);
    context.reset();  // takes the world and c with it; their owners notice nothing
    EXPECT(withy_world_step(world, 0.01) == WITHY_ERROR_INVALID_HANDLE);
}

static void errors() {
    withy::Context context;
    withy::World world(context);
    try {
        rope(world, {{0, 0, 0}, {0, std::nanf(""), 1}}, 0.01);
        EXPECT(false);
    } catch (const withy::Error &e) {
        EXPECT(e.code() == WITHY_ERROR_INVALID_ARGUMENT);
        EXPECT(std::strstr(e.what(), "positions[1].y is NaN") != nullptr);
    }
}

static void strides() {
    withy::Context context;
    withy::World world(context);
    withy::Rods rods = rope(world, {{0, 0, 0}, {0, 0, 0.5f}, {0, 0, 1}}, 0.01);
    std::vector<Vertex> mine(3, Vertex{'v', {}, {7, 8}});
    WithySpan out = withy::span(mine[0].position, mine.size(), sizeof(Vertex));
    rods.read_positions(out);
    EXPECT(mine[2].position[2] == 1.0 && mine[2].uv[0] == 7 && mine[2].name == 'v');
    rods.set_root_poses(std::vector<withy::Double3>{{0, 0, 0}});
    rods.set_root_poses(std::vector<withy::Float3>{{0, 0, 0}}, std::vector<withy::Float4>{{0, 0, 0, 1}}, true);
    std::vector<double> twist;
    std::vector<withy::Double4> frames;
    rods.read_twist(twist);
    rods.read_frames(frames);
    EXPECT(twist.size() == 1 && frames.size() == 2);
    EXPECT(world.backend().find("cpu") == 0 && world.memory() > 0);
}

// The same rope, described in each host's own units and axes, falls the same way.
static void conventions() {
    struct Host {
        uint32_t convention;
        double metre;
        withy::Double3 up, out;
    };
    const Host hosts[] = {
        {WITHY_CONVENTION_SI, 1, {0, 1, 0}, {1, 0, 0}},      {WITHY_CONVENTION_MAYA, 100, {0, 1, 0}, {1, 0, 0}},
        {WITHY_CONVENTION_UNREAL, 100, {0, 0, 1}, {1, 0, 0}}, {WITHY_CONVENTION_UNITY, 1, {0, 1, 0}, {-1, 0, 0}},
        {WITHY_CONVENTION_BLENDER, 1, {0, 0, 1}, {1, 0, 0}},
    };
    double expected = 0;
    for (const Host &host : hosts) {
        withy::ContextDef context_def;
        context_def.convention = host.convention;
        withy::Context context(context_def);
        withy::World world(context);
        std::vector<withy::Float3> line(11);
        for (int i = 0; i < 11; ++i) {
            for (int k = 0; k < 3; ++k) {
                line[i][k] = static_cast<float>(0.1 * i * host.metre * host.out[k]);
            }
        }
        withy::Rods rods = rope(world, line, 0.005 * host.metre);
        const withy::Vec3 g = world.gravity();
        EXPECT(std::fabs(g.x * host.up[0] + g.y * host.up[1] + g.z * host.up[2] + 9.81 * host.metre) < 1e-9 * host.metre);
        for (int i = 0; i < 30; ++i) {
            world.step(1.0 / 60.0);
        }
        rods.read_positions(line);
        double height = 0;
        for (int k = 0; k < 3; ++k) {
            height += line[10][k] * host.up[k] / host.metre;
        }
        expected = host.convention == WITHY_CONVENTION_SI ? height : expected;
        EXPECT(height < -0.1 && std::fabs(height - expected) < 1e-3);
    }
}

int main() {
    lifetimes();
    errors();
    strides();
    conventions();
    std::printf(failures == 0 ? "raii: passed\n" : "raii: FAILED\n");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
