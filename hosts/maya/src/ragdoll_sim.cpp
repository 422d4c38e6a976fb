#include "ragdoll_sim.h"

#include <algorithm>
#include <cmath>

#include "node.h"

namespace withy_maya {

namespace {

constexpr std::size_t MOTION = 8;  // numbers of a RagdollMotion in Inputs

withy::Context make_context(const RagdollSettings &settings) {
    withy::ContextDef def;
    def.convention = WITHY_CONVENTION_MAYA;
    def.metres_per_unit = settings.metres_per_unit;
    return withy::Context(def);
}

WithyVec3 vec(const Vec &v) { return {v[0], v[1], v[2]}; }
WithyQuat quat(const Quat &q) { return {q[0], q[1], q[2], q[3]}; }


}  // namespace

std::vector<double> RagdollSettings::key() const {
    std::vector<double> key = {per_second, metres_per_unit, self_collision ? 1.0 : 0.0, static_cast<double>(bones.size()),
                               static_cast<double>(regions.size())};
    for (const Bone &b : bones) {
        key.insert(key.end(), {static_cast<double>(b.element), static_cast<double>(b.parent), b.body ? 1.0 : 0.0, b.kinematic ? 1.0 : 0.0,
                               b.radius, b.mass, b.swing, b.twist});
        key.insert(key.end(), b.bind_position.begin(), b.bind_position.end());
        key.insert(key.end(), b.bind_rotation.begin(), b.bind_rotation.end());
    }
    for (const Region &r : regions) {
        key.insert(key.end(), {static_cast<double>(r.first), static_cast<double>(r.last), r.bend, r.twist, r.viscosity});
    }
    describe(colliders, key);
    return key;
}

Ragdoll::Ragdoll(const RagdollSettings &settings, const RagdollMotion &motion, const std::vector<Vec> &positions,
                 const std::vector<Quat> &rotations, const std::vector<Vec> *before, const std::vector<Quat> *rotations_before)
    : settings_(settings), context_(make_context(settings)) {
    const std::vector<Bone> &bones = settings.bones;
    const std::size_t n = bones.size();
    withy::WorldDef world;
    world.substeps = static_cast<std::uint32_t>(motion.substeps);
    world.iterations = static_cast<std::uint32_t>(motion.iterations);
    world_.emplace(context_, world);
    const Vec g = motion.gravity * (1 / settings.metres_per_unit);
    world_->set_gravity(vec(g));
    colliders_ = make_colliders(*world_, settings.colliders);

    // The bind pose, from the parents.
    std::vector<std::uint32_t> parents;
    std::vector<Vec> bind_positions;
    std::vector<Quat> bind_rotations;
    std::vector<int> child(n, -1);
    for (std::size_t i = 0; i < n; i++) {
        const Bone &bone = bones[i];
        if (bone.parent < 0) {
            parents.push_back(UINT32_MAX);
            bind_positions.push_back(bone.bind_position);
            bind_rotations.push_back(bone.bind_rotation);
            continue;
        }
        const auto p = static_cast<std::size_t>(bone.parent);
        parents.push_back(static_cast<std::uint32_t>(p));
        bind_positions.push_back(rotate(inverse(bones[p].bind_rotation), bone.bind_position - bones[p].bind_position));
        bind_rotations.push_back(unit(inverse(bones[p].bind_rotation) * bone.bind_rotation));
        if (child[p] < 0) {
            child[p] = static_cast<int>(i);
        }
    }

    std::vector<withy::ShapeDef> shapes(n);
    std::vector<withy::BodyDef> bodies(n);
    std::vector<withy::JointDef> joints(n);
    std::vector<withy::RagdollBodyDef> defs;
    std::vector<std::uint32_t> body_of(n, UINT32_MAX);
    for (std::size_t i = 0; i < n; i++) {
        const Bone &bone = bones[i];
        if (!bone.body) {
            continue;
        }
        // A capsule from the bone to its child; a sphere where there is none.
        const Vec along = child[i] >= 0 ? bind_positions[static_cast<std::size_t>(child[i])] : Vec{0, 0, 0};
        const double size = length(along);
        const Vec parent_side = rotate(inverse(bind_rotations[i]), bind_positions[i]);
        const Vec axis = size > 0 ? along * (1 / size) : (bone.parent >= 0 && length(parent_side) > 0 ? unit(parent_side) : Vec{0, 1, 0});
        shapes[i].shape = size > 2 * bone.radius ? WITHY_SHAPE_CAPSULE : WITHY_SHAPE_SPHERE;
        shapes[i].radius = bone.radius;
        shapes[i].half_height = std::max(0.0, size / 2 - bone.radius);
        shapes[i].pose = {vec(along * 0.5), quat(shortest({0, 1, 0}, axis))};
        bodies[i].shapes = &shapes[i];
        bodies[i].shape_count = 1;
        bodies[i].mass = bone.mass;
        bodies[i].can_sleep = 0;
        bodies[i].motion = bone.kinematic ? WITHY_BODY_KINEMATIC : WITHY_BODY_DYNAMIC;
        joints[i].kind = WITHY_JOINT_BALL;
        joints[i].frame_b.rotation = quat(shortest({0, 0, 1}, axis));
        joints[i].swing[0] = joints[i].swing[1] = bone.swing;
        joints[i].twist[0] = -bone.twist;
        joints[i].twist[1] = bone.twist;
        withy::RagdollBodyDef def;
        def.body = &bodies[i];
        def.joint = bone.parent >= 0 ? &joints[i] : nullptr;
        def.bone = static_cast<std::uint32_t>(i);
        body_of[i] = static_cast<std::uint32_t>(defs.size());
        defs.push_back(def);
    }
    std::vector<withy::RegionDef> regions;
    for (const Region &region : settings.regions) {
        const std::string name = "region[" + std::to_string(region.element) + "]";
        const auto body = [&](int bone, const char *end) {
            if (bone < 0 || bones[static_cast<std::size_t>(bone)].body == false) {
                throw Problem(name + end + ": names no bone with a body");
            }
            return body_of[static_cast<std::size_t>(bone)];
        };
        withy::RegionDef def;
        def.first = body(region.first, ".regionFirst");
        def.last = body(region.last, ".regionLast");
        def.arc.bend[0] = def.arc.bend[1] = region.bend;
        def.arc.twist = region.twist;
        def.arc.viscosity = region.viscosity;
        regions.push_back(def);
    }
    withy::RagdollDef def;
    def.flags = (settings.self_collision ? 0u : static_cast<std::uint32_t>(WITHY_RAGDOLL_NO_SELF_COLLISION)) | WITHY_RAGDOLL_ANIMATED_BONES;
    def.parents = withy::span(parents);
    def.positions = withy::span(bind_positions);
    def.rotations = withy::span(bind_rotations);
    def.bodies = defs.data();
    def.body_count = static_cast<std::uint32_t>(defs.size());
    def.regions = regions.data();
    def.region_count = static_cast<std::uint32_t>(regions.size());
    ragdolls_.emplace(*world_, def, 1);
    if (before != nullptr) {
        ragdolls_->instantiate(positions, rotations, *before, *rotations_before, 1 / settings.per_second);
    } else {
        ragdolls_->instantiate(positions, rotations);
    }
}

Inputs Ragdoll::inputs(const RagdollMotion &motion, const std::vector<Vec> &positions, const std::vector<Quat> &rotations,
                       const std::vector<ColliderInput> &colliders) {
    Inputs inputs;
    inputs.values = {motion.gravity[0], motion.gravity[1], motion.gravity[2], motion.stiffness, motion.damping,
                     static_cast<double>(motion.substeps), static_cast<double>(motion.iterations), motion.weight};
    for (std::size_t i = 0; i < positions.size(); i++) {
        const Vec &p = positions[i];
        const Quat &q = rotations[i];
        inputs.turns.push_back(inputs.values.size() + 3);
        inputs.values.insert(inputs.values.end(), {p[0], p[1], p[2], q[0], q[1], q[2], q[3]});
    }
    append_poses(colliders, inputs);
    return inputs;
}

Machine Ragdoll::machine() {
    return {[this] { return world_->save_state(); }, [this](const std::vector<std::uint8_t> &state) { world_->restore_state(state); },
            [this](const Inputs &before, const Inputs &inputs, double part) { step(before, inputs, part); }};
}

void Ragdoll::step(const Inputs &before, const Inputs &inputs, double part) {
    const double *v = inputs.values.data(), *b = before.values.data() + MOTION;
    const double dt = part / settings_.per_second;
    const double unit = 1 / settings_.metres_per_unit;
    world_->set_gravity({v[0] * unit, v[1] * unit, v[2] * unit});
    world_->set_iterations(static_cast<std::uint32_t>(v[5]), static_cast<std::uint32_t>(v[6]));
    withy::RagdollDrive drive;
    drive.stiffness = v[3];
    drive.damping = v[4];
    v += MOTION;
    const std::size_t n = settings_.bones.size();
    // Damping acts towards the motion of the animation.
    constexpr std::size_t STRIDE = 7 * sizeof(double);
    ragdolls_->set_targets(withy::span(v, n, STRIDE), withy::span(v + 3, n, STRIDE), withy::span(b, n, STRIDE), withy::span(b + 3, n, STRIDE), dt,
                           drive);
    move_colliders(colliders_, v + 7 * n);
    world_->step(dt);
}

void Ragdoll::read(const Inputs &animation, std::vector<Vec> &positions, std::vector<Quat> &rotations) {
    const double *v = animation.values.data();
    const std::size_t n = settings_.bones.size();
    const std::vector<double> weights(n, std::clamp(v[7], 0.0, 1.0));
    v += MOTION;
    ragdolls_->read_blended(withy::span(v, n, 7 * sizeof(double)), withy::span(v + 3, n, 7 * sizeof(double)), weights, &positions, &rotations);
}

std::string Ragdoll::report() const {
    const WithyStepStats stats = world_->stats();
    std::string text = std::to_string(stats.bodies) + " bodies, " + std::to_string(stats.joints) + " joints";
    if (stats.non_finite_bodies != 0) {
        text += ", " + std::to_string(stats.non_finite_bodies) + " bodies were stopped: their motion was not a number";
    }
    return text;
}

}  // namespace withy_maya
