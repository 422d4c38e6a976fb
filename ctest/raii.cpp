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

static void assets() {
    withy::Context context;
    withy::World world(context);
    std::vector<withy::Float3> line(8);
    for (size_t i = 0; i < line.size(); i++) line[i] = {0.01f * static_cast<float>(i), 0, 0};
    withy::Rods a = rope(world, line, 1e-3), b = rope(world, line, 1e-3);
    a.optimize_rest_shape();
    const auto shape = a.save_rest_shape();
    WithyAssetChunk chunk{};
    chunk.name = "rest";
    chunk.data = shape.data();
    chunk.size = shape.size();
    auto file = withy::write_asset({chunk});
    const auto chunks = withy::read_asset(file.data(), file.size());
    EXPECT(chunks.size() == 1 && std::strcmp(chunks[0].name, "rest") == 0);
    EXPECT(b.save_rest_shape() != shape);
    b.load_rest_shape(chunks[0].data, chunks[0].size);
    EXPECT(b.save_rest_shape() == shape);
    file.back() ^= 1;
    try {
        withy::read_asset(file.data(), file.size());
        EXPECT(!"damage is an exception");
    } catch (const withy::Error &error) {
        EXPECT(std::strstr(error.what(), "asset: chunk 0") != nullptr);
    }
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
    rods.set_root_transform({{0, 0, 0}, {0, 0, 0, 1}});
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

// A chain of five capsules that hangs from the world by balls with motors, in all conventions: the same picture.
static void bodies() {
    const struct {
        uint32_t convention;
        double unit;
        double down[3], aside[3];
    } hosts[] = {
        {WITHY_CONVENTION_SI, 1, {0, -1, 0}, {1, 0, 0}},
        {WITHY_CONVENTION_MAYA, 100, {0, -1, 0}, {1, 0, 0}},
        {WITHY_CONVENTION_UNREAL, 100, {0, 0, -1}, {1, 0, 0}},
        {WITHY_CONVENTION_UNITY, 1, {0, -1, 0}, {-1, 0, 0}},
        {WITHY_CONVENTION_BLENDER, 1, {0, 0, -1}, {1, 0, 0}},
    };
    std::vector<double> reference;
    for (const auto &host : hosts) {
        withy::ContextDef context_def;
        context_def.convention = host.convention;
        withy::Context context(context_def);
        withy::World world(context);
        const auto at = [&](double down, double aside) {
            const auto x = [&](int k) { return host.unit * (down * host.down[k] + aside * host.aside[k]); };
            return withy::Vec3{x(0), x(1), x(2)};
        };
        withy::ShapeDef capsule;
        capsule.shape = WITHY_SHAPE_CAPSULE;
        capsule.radius = 0.05 * host.unit;
        capsule.half_height = 0.1 * host.unit;
        std::vector<withy::Body> chain;
        std::vector<withy::Joint> joints;
        std::vector<WithyBody> handles;
        std::vector<WithyJoint> joint_handles;
        for (int i = 0; i < 5; ++i) {
            withy::BodyDef def;
            def.pose.position = at(0.2 + 0.4 * i, 0);
            chain.emplace_back(world, def, capsule);
            handles.push_back(chain.back());
            withy::JointDef joint;
            if (i > 0) {
                joint.body_a = handles[i - 1];
            }
            joint.body_b = handles[i];
            joint.flags = WITHY_JOINT_WORLD_FRAMES;
            joint.frame_a.position = joint.frame_b.position = at(0.4 * i, 0);
            joints.emplace_back(joint);
            joint_handles.push_back(joints.back());
        }
        EXPECT(world.bodies().size() == 5 && world.bodies()[3].bits == handles[3].bits);
        EXPECT(std::fabs(chain[0].mass() - 1000 * 3.14159265 * 0.0025 * (0.2 + 0.2 / 3)) < 1e-6);
        const withy::Vec3 wind = at(0, 1 / host.unit);
        std::vector<withy::Double3> forces(5, {wind.x, wind.y, wind.z});
        // Against turning about all axes; the numbers are SI in all of them.
        std::vector<withy::Motor> motors(5);
        for (auto &motor : motors) {
            motor.damping[0] = motor.damping[1] = motor.damping[2] = 0.2;
        }
        world.set_motors(joint_handles, motors);
        for (int i = 0; i < 90; ++i) {
            world.push_bodies(handles, forces);
            world.step(1.0 / 60.0);
        }
        std::vector<withy::Double3> positions, spins;
        std::vector<withy::Float4> rotations;
        std::vector<uint32_t> asleep;
        world.read_bodies(&positions, &rotations, nullptr, &spins, &asleep);
        EXPECT(positions.size() == 5 && rotations.size() == 5 && asleep.size() == 5 && asleep[0] == 0);
        std::vector<withy::Float3> two;
        world.read_some_bodies(std::vector<WithyBody>{handles[4], handles[0]}, &two, nullptr);
        EXPECT(two.size() == 2 && std::fabs(two[0][0] - positions[4][0]) < 1e-4 * host.unit);
        std::vector<double> now;
        for (int i = 0; i < 5; ++i) {
            double down = 0, aside = 0;
            for (int k = 0; k < 3; ++k) {
                down += positions[i][k] * host.down[k] / host.unit;
                aside += positions[i][k] * host.aside[k] / host.unit;
            }
            now.push_back(down);
            now.push_back(aside);
            // The chain turns about the axis that is down x aside by the host's own formula.
            const double *d = host.down, *a = host.aside;
            const double axis[3] = {d[1] * a[2] - d[2] * a[1], d[2] * a[0] - d[0] * a[2], d[0] * a[1] - d[1] * a[0]};
            now.push_back(spins[i][0] * axis[0] + spins[i][1] * axis[1] + spins[i][2] * axis[2]);
        }
        EXPECT(now[13] > 0.02);
        if (reference.empty()) {
            reference = now;
        }
        for (std::size_t i = 0; i < now.size(); ++i) {
            // Units are rounded on their way.
            EXPECT(std::fabs(now[i] - reference[i]) < 1e-3);
        }
        EXPECT(joints[2].error().first < 0.01 * host.unit && world.contacts().empty());
        EXPECT(!world.debug_lines().empty() && world.stats().awake_bodies == 5);
        // Back to where it was, in one call.
        std::vector<withy::Double3> start;
        for (int i = 0; i < 5; ++i) {
            const withy::Vec3 x = at(0.2 + 0.4 * i, 0);
            start.push_back({x.x, x.y, x.z});
        }
        world.write_bodies(handles, start, std::vector<withy::Double4>(5, {0, 0, 0, 1}));
        world.write_body_velocities(handles, std::vector<withy::Float3>(5), std::vector<withy::Float3>(5));
        EXPECT(std::fabs(chain[4].pose().position.x - start[4][0]) < 1e-6 * host.unit && chain[4].spin().x == 0);
        const WithyJoint gone = joints[1];
        chain[1].reset();
        double length;
        EXPECT(withy_joint_get_length(gone, &length) == WITHY_ERROR_INVALID_HANDLE);
        joints.clear();
        chain[0].set_motion(WITHY_BODY_KINEMATIC);
        chain[0].set_target({at(0, 1), {0, 0, 0, 1}});
        world.step(0.02);
        EXPECT(std::fabs(chain[0].pose().position.x - at(0, 1).x) < 1e-5 * host.unit);
    }
}

// A chain of four bones with one arc, through all calls of the class.
static void ragdolls() {
    withy::Context context;
    withy::World world(context);
    withy::ShapeDef shape;
    shape.radius = 0.03;
    withy::BodyDef body;
    body.shapes = &shape;
    body.shape_count = 1;
    const withy::JointDef joint;
    std::vector<withy::RagdollBodyDef> bodies(4);
    for (uint32_t i = 0; i < 4; ++i) {
        bodies[i].bone = i;
        bodies[i].body = &body;
        bodies[i].joint = i > 0 ? &joint : nullptr;
    }
    withy::RegionDef region;
    region.last = 3;
    const std::vector<uint32_t> parents{UINT32_MAX, 0, 1, 2};
    const std::vector<withy::Float3> bind(4, {0, 0.1f, 0}), x{{0, 0, 0}, {0, 0.1f, 0}, {0, 0.2f, 0}, {0, 0.3f, 0}};
    const std::vector<withy::Float4> q(4, {0, 0, 0, 1});
    withy::RagdollDef def;
    def.parents = withy::span(parents);
    def.positions = withy::span(bind);
    def.rotations = withy::span(q);
    def.bodies = bodies.data();
    def.body_count = 4;
    def.regions = &region;
    def.region_count = 1;
    withy::Ragdolls set(world, def, 2);
    set.instantiate(x, q, {1});
    set.instantiate_moving(x, q, x, x, {1});
    set.instantiate(x, q, x, q, 0.1, {1});
    EXPECT(set.body(1, 0).bits != 0 && set.body(1, 1).bits == 0 && set.body(0, 0).bits == 0 && set.joint(1, 3).bits != 0);
    withy::RagdollDrive drive;
    EXPECT(std::isinf(drive.max_torque));
    drive.stiffness = 10;
    drive.max_torque = 5;
    set.set_targets(x, q, drive);
    set.set_targets(x, q, x, q, 0.1, drive);
    set.clear_targets();
    set.set_kinematic(0, true);
    set.teleport(std::vector<withy::Double3>{{1, 0, 0}}, std::vector<withy::Double4>{{0, 0, 0, 1}});
    std::vector<withy::Float3> out(4);
    std::vector<withy::Float4> turned(4);
    WithySpan positions = withy::span(out), rotations = withy::span(turned);
    set.read(&positions, &rotations);
    EXPECT(std::fabs(out[3][0] - 1) < 1e-6 && std::fabs(out[3][1] - 0.3f) < 1e-6);
    std::vector<withy::Double3> resized;
    set.read(&resized, nullptr);
    EXPECT(resized.size() == 4 && std::fabs(resized[3][0] - 1) < 1e-6);
    EXPECT(set.alive() == std::vector<uint32_t>{1} && set.instances() == 2 && set.bones() == 4);
    std::vector<double> off;
    world.read_joint_errors(std::vector<WithyJoint>{set.joint(1, 3)}, &off);
    EXPECT(off.size() == 1 && off[0] < 1e-6);
    set.fade(0, 0.1, {1});
    set.advance(0.05);
    set.read_blended(x, q, &positions, nullptr);
    set.read_blended(x, q, std::vector<float>(4, 1), &resized, nullptr, {1});
    EXPECT(resized.size() == 4 && std::fabs(resized[3][0] - out[3][0]) < 1e-6);
    EXPECT(std::fabs(set.weight(1) - 0.5) < 1e-12 && std::fabs(out[3][0] - 0.5) < 1e-6);
    // An empty list is none, not all.
    const std::vector<uint32_t> nobody;
    set.remove(nobody);
    set.remove({});
    EXPECT(world.bodies().size() == 2);
    set.remove();
    EXPECT(world.bodies().empty());
}

// A spindle along y becomes a muscle, which shortens when it is active.
static void meshes() {
    constexpr uint32_t rings = 31, around = 20, first = rings * around, last = first + 1;
    std::vector<withy::Float3> vertices;
    std::vector<std::array<uint32_t, 3>> faces;
    for (uint32_t i = 0; i < rings; i++) {
        const double s = std::sin(3.14159265358979 * i / (rings - 1)), r = 0.006 + 0.016 * s * s;
        for (uint32_t j = 0; j < around; j++) {
            const double turn = 6.28318530717959 * j / around;
            vertices.push_back({static_cast<float>(r * std::cos(turn)), 0.3f - 0.01f * static_cast<float>(i),
                                static_cast<float>(0.8 * r * std::sin(turn))});
        }
    }
    vertices.push_back({0, 0.3f, 0});
    vertices.push_back({0, 0, 0});
    for (uint32_t j = 0; j < around; j++) {
        const uint32_t next = (j + 1) % around;
        for (uint32_t i = 0; i + 1 < rings; i++) {
            const uint32_t a = i * around + j, b = i * around + next;
            faces.push_back({a, b, a + around});
            faces.push_back({b, b + around, a + around});
        }
        faces.push_back({first, next, j});
        faces.push_back({last, first - around + j, first - around + next});
    }
    withy::Context context;
    withy::World world(context);
    withy::MuscleMeshDef mesh;
    mesh.positions = withy::span(vertices);
    mesh.triangles = withy::span(faces);
    mesh.strands = 7;
    mesh.slices = 10;
    const withy::MuscleFit fit(context, mesh);
    EXPECT(fit.positions().size() == 70 && fit.radii().size() == 70 && fit.strands() == 7);
    EXPECT(fit.report().covered > 0.8 && fit.report().outside < 0.1 && fit.report().repairs == 0);
    withy::Muscle muscle(world, fit.def());
    const double length = muscle.state().length;
    muscle.set_activation(1);
    for (int i = 0; i < 60; i++) world.step(1.0 / 60.0);
    EXPECT(muscle.state().length < 0.8 * length && std::fabs(muscle.state().volume - 1) < 0.01);
    faces[2][1] = 5000;
    try {
        withy::MuscleFit wrong(context, mesh);
        EXPECT(!"a vertex that is not there is refused");
    } catch (const withy::Error &e) {
        EXPECT(std::strstr(e.what(), "triangles[2] 5000 is outside of the 622 vertices") != nullptr);
    }
}

// Hair on a scalp that is carried about, drawn to goals, pinned, and that jumps.
static void scalps() {
    withy::Context context;
    withy::World world(context);
    const std::vector<withy::Double3> scalp{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    const std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}};
    const std::vector<withy::Double3> roots{{0.2, 0.1, 0.2}, {0.5, 0, 0.1}};
    const withy::Surface surface(scalp, triangles, roots);
    std::vector<withy::Double3> places;
    std::vector<withy::Double4> turns;
    // A quarter turn about x takes y to z, and z to -y.
    surface.follow(std::vector<withy::Double3>{{0, 0, 0}, {0, -1, 0}, {1, 0, 0}}, places, turns);
    EXPECT(std::fabs(places[0][1] + 0.2) < 1e-12 && std::fabs(places[0][2] - 0.1) < 1e-12);
    EXPECT(std::fabs(std::fabs(turns[1][0]) - std::sqrt(0.5)) < 1e-12 && std::fabs(turns[1][0] - turns[1][3]) < 1e-12);

    std::vector<withy::Double3> strand;
    for (int i = 0; i < 9; i++) strand.push_back({0.05 * i, 0, 0});
    const std::vector<uint32_t> counts{9};
    withy::RodsDef def;
    def.positions = withy::span(strand);
    def.counts = withy::span(counts);
    def.radius = 2e-4;
    def.root = WITHY_SUPPORT_CLAMPED;
    withy::Rods hair(world, def);
    const std::vector<double> rate{100};
    hair.set_goals(strand, rate);
    for (int i = 0; i < 240; i++) world.step(1.0 / 240);
    std::vector<withy::Double3> now(9), after(9);
    hair.read_positions(now);
    EXPECT(now[8][1] < -1e-4 && now[8][1] > -4e-3);
    hair.clear_goals();
    const std::vector<uint32_t> last{8};
    const std::vector<withy::Double3> held{now[8]};
    hair.pin(last, held);
    hair.teleport({{0, 3, 0}, {0, 0, 0, 1}});
    hair.read_positions(after);
    for (std::size_t i = 0; i < 9; i++) EXPECT(std::fabs(after[i][1] - now[i][1] - 3) < 1e-6);
    for (int i = 0; i < 60; i++) world.step(1.0 / 240);
    hair.read_positions(after);
    EXPECT(std::fabs(after[8][1] - now[8][1] - 3) < 1e-6);
    hair.unpin(last);
    for (int i = 0; i < 60; i++) world.step(1.0 / 240);
    hair.read_positions(after);
    EXPECT(after[8][1] < 2.95);
    std::vector<double> masses;
    hair.read_masses(masses);
    double mass = 0;
    for (double m : masses) mass += m;
    EXPECT(std::fabs(mass / (1000 * 0.4 * 3.14159265358979 * 4e-8) - 1) < 1e-6);
    withy::RodsDef heavier = hair.def();
    EXPECT(heavier.density == 1000 && heavier.radius == 2e-4 && heavier.root == WITHY_SUPPORT_CLAMPED);
    heavier.density = 2000;
    hair.change(heavier);
    hair.read_masses(masses);
    for (double m : masses) mass -= 0.5 * m;
    EXPECT(std::fabs(mass) < 1e-12);
    std::vector<withy::Double3> root;
    std::vector<withy::Double4> turn;
    hair.read_root_poses(root, turn);
    EXPECT(root.size() == 1 && std::fabs(root[0][1] - 3) < 1e-6 && std::fabs(turn[0][3] - 1) < 1e-6);
    EXPECT(hair.enabled());
    hair.set_enabled(false);
    hair.set_root_transform({{1, 3, 0}, {0, 0, 0, 1}});
    world.step(1.0 / 240);
    hair.read_positions(now);
    for (std::size_t i = 0; i < 9; i++) EXPECT(std::fabs(now[i][0] - after[i][0] - 1) < 1e-5);
    hair.set_enabled(true);
    hair.set_winds(std::vector<withy::Double3>(9, withy::Double3{1, 0, 0}));
    hair.clear_winds();
    hair.set_accelerations(std::vector<withy::Double3>(9, withy::Double3{0, 20, 0}));
    hair.write_velocities(std::vector<withy::Double3>(9, withy::Double3{0, 0, 0}));
    for (int i = 0; i < 60; i++) world.step(1.0 / 240);
    hair.read_positions(after);
    EXPECT(after[8][1] > now[8][1] + 0.1);
    hair.clear_accelerations();
    try {
        hair.pin(std::vector<uint32_t>{9}, held);
        EXPECT(!"a vertex that is not there is refused");
    } catch (const withy::Error &e) {
        EXPECT(world.last_error() == e.what());
    }
}

int main() {
    scalps();
    assets();
    meshes();
    lifetimes();
    bodies();
    ragdolls();
    errors();
    strides();
    conventions();
    std::printf(failures == 0 ? "raii: passed\n" : "raii: FAILED\n");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
