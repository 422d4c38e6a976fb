#include "groom_sim.h"

#include <algorithm>
#include <cstddef>

namespace withy_maya {

namespace {

constexpr std::size_t MOTION = 13;  // numbers of a GroomMotion in Inputs

void append(Inputs &inputs, const Vec &position, const Quat &turn) {
    inputs.turns.push_back(inputs.values.size() + 3);
    inputs.values.insert(inputs.values.end(), {position[0], position[1], position[2], turn[0], turn[1], turn[2], turn[3]});
}

withy::Context make_context(const GroomSettings &settings) {
    withy::ContextDef def;
    def.convention = WITHY_CONVENTION_MAYA;
    def.metres_per_unit = settings.metres_per_unit;
    def.threads = static_cast<std::uint32_t>(settings.threads);
    return withy::Context(def);
}

}  // namespace

std::vector<double> GroomSettings::key() const {
    std::vector<double> key = {per_second, metres_per_unit, step, young_modulus, shear_modulus, stretch_modulus, density, radius, aspect,
                               collision_radius, viscosity, stiffen, static_cast<double>(model), static_cast<double>(iterations),
                               static_cast<double>(threads), static_cast<double>(point_lock), clamp ? 1.0 : 0.0, hold ? 1.0 : 0.0,
                               collide ? 1.0 : 0.0};
    key.insert(key.end(), stiffness_scale.begin(), stiffness_scale.end());
    key.push_back(static_cast<double>(attract_scale.size()));
    key.insert(key.end(), attract_scale.begin(), attract_scale.end());
    describe(colliders, key);
    describe(meshes, key);
    return key;
}

Groom::Groom(const GroomSettings &settings, const GroomMotion &motion, const std::vector<std::uint32_t> &strand_counts,
             const std::vector<Vec> &points, const HeldShape *known)
    : counts(strand_counts), start(points), settings_(settings), context_(make_context(settings)) {
    withy::WorldDef world;
    world.substeps = static_cast<std::uint32_t>(motion.substeps);
    world_.emplace(context_, world);
    const double unit = 1 / settings.metres_per_unit;
    const Vec g = motion.gravity * unit;
    world_->set_gravity({g[0], g[1], g[2]});

    withy::RodsDef def;
    def.positions = withy::span(points);
    def.counts = withy::span(counts);
    if (!settings.stiffness_scale.empty()) {
        def.stiffness_scale = withy::span(settings.stiffness_scale);
    }
    def.radius = settings.radius * unit;
    def.aspect = settings.aspect;
    def.collision_radius = settings.collision_radius * unit;
    def.young_modulus = settings.young_modulus;
    def.shear_modulus = settings.shear_modulus;
    def.stretch_modulus = settings.stretch_modulus;
    def.density = settings.density;
    def.viscosity = settings.viscosity;
    def.damping = motion.damping;
    def.drag = motion.drag;
    def.friction = motion.friction;
    def.model = static_cast<std::uint32_t>(settings.model);
    def.iterations = static_cast<std::uint32_t>(settings.iterations);
    def.mask = settings.collide ? 0xffffffffu : 0;
    const std::uint32_t support = settings.clamp ? WITHY_SUPPORT_CLAMPED : WITHY_SUPPORT_PINNED;
    def.root = settings.point_lock == Base || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    def.tip = settings.point_lock == Tip || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    rods_.emplace(*world_, def);
    colliders_ = make_colliders(*world_, settings.colliders);
    meshes_ = make_meshes(*world_, settings.meshes);
    rods_->read_frames(frames_);

    if (settings.hold && known != nullptr) {
        try {
            rods_->load_rest_shape(known->bytes.data(), known->bytes.size());
            held_ = known->held;
            known_ = true;
        } catch (const withy::Error &) {
            known_ = false;  // of other curves, whatever its settings say: it is looked for
        }
    }
    if (settings.hold && !known_) {
        WithyRestShapeDef rest;
        withy::check(withy_rest_shape_def_init(&rest));
        rest.step = settings.step;
        rest.stiffen = settings.stiffen;
        for (const WithyElasticReport &report : rods_->optimize_rest_shape(rest)) {
            held_ += report.answer == WITHY_STRAND_HOLDS ? 1 : 0;
        }
    }
}

Inputs Groom::inputs(const GroomMotion &motion, const std::vector<Vec> &points, const std::vector<ColliderInput> &colliders,
                     const std::vector<MeshInput> &meshes, const Quat *turn) const {
    Inputs inputs;
    inputs.values = {motion.gravity[0], motion.gravity[1], motion.gravity[2], motion.wind[0], motion.wind[1], motion.wind[2],
                     motion.damping, motion.drag, motion.friction, motion.time_scale, static_cast<double>(motion.substeps),
                     motion.attract, motion.attract_damping};
    const bool roots = settings_.point_lock == Base || settings_.point_lock == BothEnds;
    const bool tips = settings_.point_lock == Tip || settings_.point_lock == BothEnds;
    std::size_t at = 0;
    std::vector<Vec> backwards_start, backwards;
    for (const std::uint32_t count : counts) {
        if (roots) {
            append(inputs, points[at], turn != nullptr ? *turn : turn_of(&start[at], &points[at], count));
        }
        at += count;
    }
    at = 0;
    for (const std::uint32_t count : counts) {
        if (tips) {
            const auto first = static_cast<std::ptrdiff_t>(at), last = first + static_cast<std::ptrdiff_t>(count);
            backwards_start.assign(start.begin() + first, start.begin() + last);
            backwards.assign(points.begin() + first, points.begin() + last);
            std::reverse(backwards_start.begin(), backwards_start.end());
            std::reverse(backwards.begin(), backwards.end());
            append(inputs, backwards[0], turn != nullptr ? *turn : turn_of(backwards_start.data(), backwards.data(), count));
        }
        at += count;
    }
    append_poses(colliders, inputs);
    append_points(meshes, inputs);
    if (motion.attract > 0) {
        for (const Vec &p : points) {
            inputs.values.insert(inputs.values.end(), {p[0], p[1], p[2]});
        }
    }
    return inputs;
}

Machine Groom::machine() {
    return {[this] { return world_->save_state(); }, [this](const std::vector<std::uint8_t> &state) { world_->restore_state(state); },
            [this](const Inputs &, const Inputs &inputs, double part) { step(inputs, part); }};
}

void Groom::step(const Inputs &inputs, double part) {
    // What a saved state does not hold is set before every step, so that a restored world goes on as the first one did.
    const double *v = inputs.values.data();
    const double unit = 1 / settings_.metres_per_unit;
    world_->set_gravity({v[0] * unit, v[1] * unit, v[2] * unit});
    rods_->set_motion(v[6], v[7], {v[3] * unit, v[4] * unit, v[5] * unit}, v[8]);
    world_->set_iterations(static_cast<std::uint32_t>(v[10]), withy::WorldDef().iterations);
    const double dt = v[9] * part / settings_.per_second;
    v += MOTION;
    const std::size_t strands = counts.size();
    const auto positions = [&] { return withy::span(v, strands, 7 * sizeof(double)); };
    const auto turns = [&] { return withy::span(v + 3, strands, 7 * sizeof(double)); };
    if (settings_.point_lock == Base || settings_.point_lock == BothEnds) {
        rods_->set_root_poses(positions(), turns());
        v += 7 * strands;
    }
    if (settings_.point_lock == Tip || settings_.point_lock == BothEnds) {
        rods_->set_tip_poses(positions(), turns());
        v += 7 * strands;
    }
    v = move_colliders(colliders_, v);
    v = move_meshes(meshes_, settings_.meshes, v);
    const double attract = inputs.values[11];
    if (attract > 0) {
        std::vector<double> rates = settings_.attract_scale.empty() ? std::vector<double>(1, 1.0) : settings_.attract_scale;
        for (double &rate : rates) {
            rate *= attract;
        }
        rods_->set_goals(withy::span(v, start.size(), 3 * sizeof(double)), rates, inputs.values[12]);
    } else {
        rods_->clear_goals();
    }
    if (dt >= 1e-6) {  // slower, time stands still
        world_->step(dt);
    }
}

void Groom::read(std::vector<Vec> &points) const { rods_->read_positions(points); }

void Groom::read_turns(std::vector<Quat> &turns) const {
    rods_->read_frames(turns);
    for (std::size_t i = 0; i < turns.size(); i++) {
        turns[i] = turns[i] * inverse(frames_[i]);
    }
}

std::string Groom::report() const {
    std::string text = std::to_string(counts.size()) + " curves";
    if (settings_.hold) {
        text += ", " + std::to_string(held_) + " of them can hold their start pose" + (known_ ? ", as saved" : "");
    }
    return text;
}

}  // namespace withy_maya
