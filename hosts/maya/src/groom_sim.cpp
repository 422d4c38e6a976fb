#include "groom_sim.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "gusts.h"

namespace withy_maya {

namespace {

// The numbers of a GroomMotion in Inputs.
enum Number { GRAVITY = 0, WIND = 3, DAMPING = 6, DRAG, FRICTION, TIME_SCALE, SUBSTEPS, ATTRACT, ATTRACT_DAMPING, NOISE, NOISE_SIZE, MOTION };

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

void GroomMaterial::describe(std::vector<double> &key) const {
    key.insert(key.end(), {young_modulus, shear_modulus, stretch_modulus, density, radius, aspect, collision_radius, viscosity,
                           static_cast<double>(stiffness_scale.size())});
    key.insert(key.end(), stiffness_scale.begin(), stiffness_scale.end());
}

std::vector<double> GroomSettings::key() const {
    std::vector<double> key = {per_second, metres_per_unit, step, stiffen, static_cast<double>(model), static_cast<double>(iterations),
                               static_cast<double>(threads), static_cast<double>(point_lock), clamp ? 1.0 : 0.0, hold ? 1.0 : 0.0,
                               collide ? 1.0 : 0.0, static_cast<double>(layer)};
    material.describe(key);
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
    const GroomMaterial &material = settings.material;
    if (!material.stiffness_scale.empty()) {
        def.stiffness_scale = withy::span(material.stiffness_scale);
    }
    def.radius = material.radius * unit;
    def.aspect = material.aspect;
    def.collision_radius = material.collision_radius * unit;
    def.young_modulus = material.young_modulus;
    def.shear_modulus = material.shear_modulus;
    def.stretch_modulus = material.stretch_modulus;
    def.density = material.density;
    def.viscosity = material.viscosity;
    def.damping = motion.damping;
    def.drag = motion.drag;
    def.friction = motion.friction;
    def.model = static_cast<std::uint32_t>(settings.model);
    def.iterations = static_cast<std::uint32_t>(settings.iterations);
    def.category = settings.layer;
    def.mask = settings.collide ? settings.layer : 0;
    const std::uint32_t support = settings.clamp ? WITHY_SUPPORT_CLAMPED : WITHY_SUPPORT_PINNED;
    def.root = settings.point_lock == Base || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    def.tip = settings.point_lock == Tip || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    rods_.emplace(*world_, def);
    colliders_ = make_colliders(*world_, settings.colliders);
    meshes_ = make_meshes(*world_, settings.meshes);
    rods_->read_frames(frames_);
    // Half of each edge for both of its ends.
    const double across = 3.14159265358979323846 * material.radius * material.radius * material.aspect * material.density;
    masses_.assign(points.size(), 0.0);
    std::size_t first = 0;
    for (const std::uint32_t count : counts) {
        for (std::size_t v = first + 1; v < first + count; v++) {
            const double half = 0.5 * across * length(points[v] - points[v - 1]) * settings.metres_per_unit;
            masses_[v - 1] += half;
            masses_[v] += half;
        }
        first += count;
    }

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
                     motion.attract, motion.attract_damping, motion.noise, motion.noise_size};
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
    return {[this] { return save(); }, [this](const std::vector<std::uint8_t> &state) { restore(state); },
            [this](const Inputs &before, const Inputs &inputs, double part) { step(before, inputs, part); }};
}

// The state of the world, and the air behind it.
std::vector<std::uint8_t> Groom::save() const {
    std::vector<std::uint8_t> state = world_->save_state();
    const std::size_t size = state.size();
    state.resize(size + sizeof air_);
    std::memcpy(state.data() + size, &air_, sizeof air_);
    return state;
}

void Groom::restore(const std::vector<std::uint8_t> &state) {
    if (blown_) {
        rods_->clear_forces();  // before it: what wakes the rods must not do so afterwards
        blown_ = false;
    }
    const std::size_t size = state.size() - sizeof air_;
    world_->restore_state({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(size)});
    std::memcpy(&air_, state.data() + size, sizeof air_);
}

// Drag follows the mean wind; what the gusts add to it is a force on each vertex, over the whole frame.
void Groom::blow(const Inputs &before, const Inputs &inputs, double dt) {
    const double *v = inputs.values.data();
    const Vec wind = {v[WIND], v[WIND + 1], v[WIND + 2]};
    const double strength = v[NOISE] * length(wind) * v[DRAG], passed = dt / GUST_SECONDS;
    if (strength > 0) {
        std::vector<Vec> forces;
        rods_->read_positions(forces);
        const double per_size = settings_.metres_per_unit / v[NOISE_SIZE];
        for (std::size_t i = 0; i < forces.size(); i++) {
            forces[i] = gust(forces[i] * per_size - air_.way, air_.time + 0.5 * passed) * (strength * masses_[i]);
        }
        rods_->set_forces(forces);
    } else if (blown_ || before.values[NOISE] > 0) {
        rods_->clear_forces();
    }
    blown_ = strength > 0;
    air_.time += passed;
    air_.way = air_.way + withy_maya::unit(wind) * passed;
}

void Groom::step(const Inputs &before, const Inputs &inputs, double part) {
    // What a saved state does not hold is set before every step, so that a restored world goes on as the first one did.
    const double *v = inputs.values.data();
    const double unit = 1 / settings_.metres_per_unit;
    world_->set_gravity({v[GRAVITY] * unit, v[GRAVITY + 1] * unit, v[GRAVITY + 2] * unit});
    rods_->set_motion(v[DAMPING], v[DRAG], {v[WIND] * unit, v[WIND + 1] * unit, v[WIND + 2] * unit}, v[FRICTION]);
    world_->set_iterations(static_cast<std::uint32_t>(v[SUBSTEPS]), withy::WorldDef().iterations);
    const double dt = v[TIME_SCALE] * part / settings_.per_second;
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
    const double attract = inputs.values[ATTRACT];
    if (attract > 0) {
        std::vector<double> rates = settings_.attract_scale.empty() ? std::vector<double>(1, 1.0) : settings_.attract_scale;
        for (double &rate : rates) {
            rate *= attract;
        }
        rods_->set_goals(withy::span(v, start.size(), 3 * sizeof(double)), rates, inputs.values[ATTRACT_DAMPING]);
    } else {
        rods_->clear_goals();
    }
    if (dt >= 1e-6) {  // slower, time stands still
        blow(before, inputs, dt);
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
