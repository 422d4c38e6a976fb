#include "groom_sim.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "gusts.h"

namespace withy_maya {

namespace {

// The numbers of a GroomMotion in Inputs.
enum Number {
    GRAVITY = 0,
    WIND = 3,
    DAMPING = 6,
    DRAG,
    FRICTION,
    TIME_SCALE,
    SUBSTEPS,
    ITERATIONS,
    ATTRACT,
    ATTRACT_DAMPING,
    NOISE,
    NOISE_SIZE,
    YOUNG,
    SHEAR,
    STRETCH,
    DENSITY,
    RADIUS,
    ASPECT,
    COLLISION_RADIUS,
    VISCOSITY,
    LAYER,
    LAYER_SQUARE,
    MOTION
};

// As far as gusts blow; 0: they do not.
double strength_of_gusts(const double *v) { return v[DRAG] > 0 ? v[NOISE] * length(Vec{v[WIND], v[WIND + 1], v[WIND + 2]}) : 0; }

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

std::vector<double> GroomMotion::numbers() const {
    const auto whole = [](int number) { return static_cast<double>(number); };
    // Layers do not mix. Where frames are left out, and numbers interpolated, these two are no longer a number and its square.
    return {gravity[0], gravity[1], gravity[2], wind[0], wind[1], wind[2], damping, drag, friction, time_scale, whole(substeps),
            whole(iterations), attract, attract_damping, noise, noise_size, material.young_modulus, material.shear_modulus,
            material.stretch_modulus, material.density, material.radius, material.aspect, material.collision_radius, material.viscosity,
            whole(layer), whole(layer * layer)};
}

std::vector<double> GroomMotion::fitted() const {
    const GroomMaterial &m = material;
    return {gravity[0], gravity[1], gravity[2], static_cast<double>(substeps), static_cast<double>(iterations), static_cast<double>(layer),
            m.young_modulus, m.shear_modulus, m.stretch_modulus, m.density, m.radius, m.aspect, m.collision_radius, m.viscosity};
}

std::vector<double> GroomSettings::key() const {
    std::vector<double> key = {per_second, metres_per_unit, step, stiffen, static_cast<double>(model), static_cast<double>(threads),
                               static_cast<double>(point_lock), clamp ? 1.0 : 0.0, hold ? 1.0 : 0.0};
    for (const std::vector<double> *scale : {&stiffness_scale, &attract_scale}) {
        key.push_back(static_cast<double>(scale->size()));
        key.insert(key.end(), scale->begin(), scale->end());
    }
    describe(colliders, key);
    describe(meshes, key);
    return key;
}

Groom::Groom(const GroomSettings &settings, const GroomMotion &motion, const std::vector<std::uint32_t> &strand_counts,
             const std::vector<Vec> &points, const HeldShape *known)
    : counts(strand_counts), start(points), settings_(settings), context_(make_context(settings)) {
    world_.emplace(context_, withy::WorldDef());
    withy::RodsDef def;
    def.positions = withy::span(points);
    def.counts = withy::span(counts);
    if (!settings.stiffness_scale.empty()) {
        def.stiffness_scale = withy::span(settings.stiffness_scale);
    }
    def.radius = motion.material.radius / settings.metres_per_unit;
    def.model = static_cast<std::uint32_t>(settings.model);
    const std::uint32_t support = settings.clamp ? WITHY_SUPPORT_CLAMPED : WITHY_SUPPORT_PINNED;
    def.root = settings.point_lock == Base || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    def.tip = settings.point_lock == Tip || settings.point_lock == BothEnds ? support : WITHY_SUPPORT_FREE;
    rods_.emplace(*world_, def);
    colliders_ = make_colliders(*world_, settings.colliders);
    meshes_ = make_meshes(*world_, settings.meshes);
    rods_->read_frames(frames_);
    // The shape at rest is that in still air.
    GroomMotion calm = motion;
    calm.wind = {0, 0, 0};
    become(calm.numbers().data());

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
    inputs.values = motion.numbers();
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
            [this](const Inputs &, const Inputs &inputs, double part) { step(inputs, part); }};
}

// The state of the world, and beside it what that does not hold: its settings, and the air.
std::vector<std::uint8_t> Groom::save() const {
    std::vector<std::uint8_t> state = world_->save_state();
    const std::size_t size = state.size(), numbers = MOTION * sizeof(double);
    state.resize(size + numbers + sizeof layer_ + sizeof air_);
    std::uint8_t *beside = state.data() + size;
    std::memcpy(beside, numbers_.data(), numbers);
    std::memcpy(beside + numbers, &layer_, sizeof layer_);
    std::memcpy(beside + numbers + sizeof layer_, &air_, sizeof air_);
    return state;
}

void Groom::restore(const std::vector<std::uint8_t> &state) {
    const std::size_t numbers = MOTION * sizeof(double), size = state.size() - numbers - sizeof layer_ - sizeof air_;
    const std::uint8_t *beside = state.data() + size;
    std::vector<double> then(MOTION);
    std::memcpy(then.data(), beside, numbers);
    std::memcpy(&layer_, beside + numbers, sizeof layer_);
    numbers_.clear();  // of the layer, which is not theirs alone
    std::memcpy(&air_, beside + numbers + sizeof layer_, sizeof air_);
    // All of it before the state: what wakes the rods must not do so afterwards. Gusts and goals are set by the next step; whether there are
    // any is as it was.
    become(then.data());
    if (strength_of_gusts(then.data()) > 0) {
        rods_->set_winds(start);
    } else {
        rods_->clear_winds();
    }
    if (then[ATTRACT] > 0) {
        rods_->set_goals(start, std::vector<double>(1, 0.0), 1);
    } else {
        rods_->clear_goals();
    }
    world_->restore_state({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(size)});
}

// What stays as it is wakes no rods: the library looks.
void Groom::become(const double *v) {
    if (!numbers_.empty() && std::memcmp(numbers_.data(), v, MOTION * sizeof(double)) == 0) {
        return;
    }
    numbers_.clear();  // if one of them is refused
    const double unit = 1 / settings_.metres_per_unit;
    world_->set_gravity({v[GRAVITY] * unit, v[GRAVITY + 1] * unit, v[GRAVITY + 2] * unit});
    world_->set_iterations(static_cast<std::uint32_t>(v[SUBSTEPS]), withy::WorldDef().iterations);
    withy::RodsDef def = rods_->def();
    def.damping = v[DAMPING];
    def.drag = v[DRAG];
    def.wind = {v[WIND] * unit, v[WIND + 1] * unit, v[WIND + 2] * unit};
    def.friction = v[FRICTION];
    def.iterations = static_cast<std::uint32_t>(v[ITERATIONS]);
    def.young_modulus = v[YOUNG];
    def.shear_modulus = v[SHEAR];
    def.stretch_modulus = v[STRETCH];
    def.density = v[DENSITY];
    def.radius = v[RADIUS] * unit;
    def.aspect = v[ASPECT];
    def.collision_radius = v[COLLISION_RADIUS] * unit;
    def.viscosity = v[VISCOSITY];
    if (v[LAYER_SQUARE] == v[LAYER] * v[LAYER]) {
        layer_ = static_cast<int>(v[LAYER]);
    }
    def.category = layer_ == NO_LAYER ? 0 : 1u << layer_;
    def.mask = def.category;
    rods_->change(def);
    numbers_.assign(v, v + MOTION);
}

// Before a step of `dt`: each vertex has its own wind, over the whole step.
void Groom::blow(double dt) {
    const double *v = numbers_.data();
    const Vec wind = {v[WIND], v[WIND + 1], v[WIND + 2]};
    const double strength = strength_of_gusts(v), passed = dt / GUST_SECONDS;
    if (strength > 0) {
        std::vector<Vec> winds;
        rods_->read_positions(winds);
        const double unit = 1 / settings_.metres_per_unit, per_size = settings_.metres_per_unit / v[NOISE_SIZE];
        for (Vec &w : winds) {
            w = (wind + gust(w * per_size - air_.way, air_.time + 0.5 * passed) * strength) * unit;
        }
        rods_->set_winds(winds);
    } else {
        rods_->clear_winds();
    }
    air_.time += passed;
    air_.way = air_.way + withy_maya::unit(wind) * passed;
}

void Groom::step(const Inputs &inputs, double part) {
    // What a saved state does not hold is set before every step, so that a restored world goes on as the first one did.
    const double *v = inputs.values.data();
    become(v);
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
    const bool passes = dt >= 1e-6;  // slower, time stands still
    blow(passes ? dt : 0);
    if (passes) {
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
