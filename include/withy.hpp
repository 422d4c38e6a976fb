// withy for C++17: owners that destroy what they hold, spans from containers, errors as exceptions. Header only, over the
// headers of C, which are the manual.
//
//     withy::Context context;
//     withy::World world(context);
//     std::vector<withy::Float3> line = ...;
//     withy::RodsDef def;
//     def.positions = withy::span(line);
//     withy::Rods rods(world, def);
//     world.step(1.0 / 60.0);
//     rods.read_positions(line);
//
// Without exceptions define WITHY_FAIL(code, text) before including this; it must not return.
#ifndef WITHY_HPP
#define WITHY_HPP

#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "withy.h"
#include "withy_asset.h"
#include "withy_bodies.h"
#include "withy_expert.h"
#include "withy_ragdoll.h"
#include "withy_rest_shape.h"
#include "withy_render_hair.h"
#include "withy_muscle.h"
#include "withy_ropes.h"

namespace withy {

// A failed call: code() is a WITHY_ERROR_ value, what() the reason.
class Error : public std::runtime_error {
public:
    Error(int32_t code, const char *text) : std::runtime_error(text), code_(code) {}
    int32_t code() const noexcept { return code_; }

private:
    int32_t code_;
};

#ifndef WITHY_FAIL
#define WITHY_FAIL(code, text) throw ::withy::Error((code), (text))
#endif

inline void check(int32_t result) {
    if (result != WITHY_OK) {
        WITHY_FAIL(result, withy_last_error());
    }
}

using Float3 = std::array<float, 3>;
using Float4 = std::array<float, 4>;
using Double3 = std::array<double, 3>;
using Double4 = std::array<double, 4>;
using Vec3 = WithyVec3;
using Quat = WithyQuat;
using Pose = WithyPose;

namespace detail {

template <class T>
struct Element {
    using Scalar = T;
};
template <class T, std::size_t N>
struct Element<std::array<T, N>> {
    using Scalar = T;
};

template <class Scalar>
constexpr uint32_t format() {
    static_assert(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double> || std::is_same_v<Scalar, uint32_t>,
                  "spans are of float, double or uint32_t");
    return std::is_same_v<Scalar, float> ? WITHY_FORMAT_F32 : std::is_same_v<Scalar, double> ? WITHY_FORMAT_F64 : WITHY_FORMAT_U32;
}

}  // namespace detail

// A span over the host's own structs: the scalars start at `first` and repeat every `stride` bytes.
template <class Scalar>
WithySpan span(const Scalar *first, std::size_t count, std::size_t stride) {
    return {const_cast<void *>(static_cast<const void *>(first)), count, stride, detail::format<Scalar>(), 0};
}

// A span over anything contiguous of float, double, uint32_t or std::arrays of them. It must outlive the call it is used in.
template <class Container>
WithySpan span(const Container &values) {
    using Value = typename Container::value_type;
    using Scalar = typename detail::Element<Value>::Scalar;
    const void *data = values.data();
    return span(static_cast<const Scalar *>(data), values.size(), sizeof(Value));
}

// What a call reads: a span, or anything that span() takes.
class Input {
public:
    Input(const WithySpan &values) : span_(values) {}
    template <class Container, class = typename Container::value_type>
    Input(const Container &values) : span_(span(values)) {}
    const WithySpan *get() const noexcept { return &span_; }

private:
    WithySpan span_;
};

// A def filled with its defaults.
template <class Struct, int32_t (*Init)(Struct *, uint32_t)>
struct Def : Struct {
    Def() : Struct() { check(Init(this, sizeof(Struct))); }
};
using ContextDef = Def<WithyContextDef, withy_context_def_init_sized>;
using WorldDef = Def<WithyWorldDef, withy_world_def_init_sized>;
using RodsDef = Def<WithyRodsDef, withy_rods_def_init_sized>;
using ColliderDef = Def<WithyColliderDef, withy_collider_def_init_sized>;
using SkinDef = Def<WithySkinDef, withy_skin_def_init_sized>;
using RenderHairDef = Def<WithyRenderHairDef, withy_render_hair_def_init_sized>;
using RenderHairLodDef = Def<WithyRenderHairLodDef, withy_render_hair_lod_def_init_sized>;
using CableDef = Def<WithyCableDef, withy_cable_def_init_sized>;
using MuscleDef = Def<WithyMuscleDef, withy_muscle_def_init_sized>;
using MuscleMeshDef = Def<WithyMuscleMeshDef, withy_muscle_mesh_def_init_sized>;
using MeshDef = Def<WithyMeshDef, withy_mesh_def_init_sized>;
using BodyAttachmentDef = Def<WithyBodyAttachmentDef, withy_body_attachment_def_init_sized>;
using TriangleAttachmentDef = Def<WithyTriangleAttachmentDef, withy_triangle_attachment_def_init_sized>;
using JunctionDef = Def<WithyJunctionDef, withy_junction_def_init_sized>;
using ShapeDef = Def<WithyShapeDef, withy_shape_def_init_sized>;
using BodyDef = Def<WithyBodyDef, withy_body_def_init_sized>;
using JointDef = Def<WithyJointDef, withy_joint_def_init_sized>;
using RagdollBodyDef = Def<WithyRagdollBodyDef, withy_ragdoll_body_def_init_sized>;
using RegionDef = Def<WithyRegionDef, withy_region_def_init_sized>;
using RagdollDef = Def<WithyRagdollDef, withy_ragdoll_def_init_sized>;
using RestShapeDef = Def<WithyRestShapeDef, withy_rest_shape_def_init_sized>;
using SettleDef = Def<WithySettleDef, withy_settle_def_init_sized>;

// A motor that drives nothing yet.
struct Motor : WithyMotor {
    Motor() : WithyMotor() { check(withy_motor_init(this)); }
};

// Drives nothing yet.
struct RagdollDrive : WithyRagdollDrive {
    RagdollDrive() : WithyRagdollDrive() { check(withy_ragdoll_drive_init(this)); }
};

// The chunks of an asset, which point into its bytes.
inline std::vector<WithyAssetChunk> read_asset(const void *data, uint64_t size) {
    uint64_t count = 0;
    check(withy_asset_read(data, size, nullptr, &count));
    std::vector<WithyAssetChunk> chunks(static_cast<size_t>(count));
    check(withy_asset_read(data, size, chunks.data(), &count));
    return chunks;
}

inline std::vector<unsigned char> write_asset(const std::vector<WithyAssetChunk> &chunks) {
    uint64_t size = 0;
    check(withy_asset_write(chunks.data(), chunks.size(), nullptr, &size));
    std::vector<unsigned char> bytes(static_cast<size_t>(size));
    check(withy_asset_write(chunks.data(), chunks.size(), bytes.data(), &size));
    return bytes;
}

// Owns a handle. An object that went with its world or context before is no error.
template <class Handle, int32_t (*Destroy)(Handle)>
class Owner {
public:
    Owner() = default;
    explicit Owner(Handle handle) noexcept : handle_(handle) {}
    Owner(Owner &&other) noexcept : handle_(other.release()) {}
    Owner &operator=(Owner &&other) noexcept {
        if (this != &other) {
            reset();
            handle_ = other.release();
        }
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() { reset(); }

    Handle get() const noexcept { return handle_; }
    operator Handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    Handle release() noexcept { return std::exchange(handle_, Handle{}); }
    void reset() noexcept {
        if (handle_.bits != 0) {
            Destroy(release());
        }
    }

protected:
    Handle handle_{};
};

class Context : public Owner<WithyContext, withy_context_destroy> {
public:
    Context() { create(nullptr); }
    explicit Context(const WithyContextDef &def) { create(&def); }

    // What the GPU's driver has compiled, for a file that a later run loads.
    std::vector<uint8_t> save_gpu_cache() const {
        uint64_t size = 0;
        check(withy_context_save_gpu_cache(handle_, nullptr, &size));
        std::vector<uint8_t> cache(size);
        check(withy_context_save_gpu_cache(handle_, cache.data(), &size));
        return cache;
    }
    void load_gpu_cache(const std::vector<uint8_t> &cache) { check(withy_context_load_gpu_cache(handle_, cache.data(), cache.size())); }

private:
    void create(const WithyContextDef *def) {
        check(withy_check_version(WITHY_VERSION));
        check(withy_context_create(def, &handle_));
    }
};

// What spans are written into: a container is resized to fit, a WithySpan must be large enough.
template <class Handle, class Out>
void read_span(int32_t (*function)(Handle, WithySpan *), Handle handle, Out &out) {
    if constexpr (std::is_same_v<Out, WithySpan>) {
        check(function(handle, &out));
    } else {
        WithySpan count{};
        check(function(handle, &count));
        out.resize(count.count);
        if (count.count != 0) {
            WithySpan filled = span(out);
            check(function(handle, &filled));
        }
    }
}

namespace detail {

// All that a call lists.
template <class Handle, class T>
std::vector<T> list(int32_t (*function)(Handle, T *, uint64_t *), Handle handle) {
    uint64_t count = 0;
    check(function(handle, nullptr, &count));
    std::vector<T> all(count);
    check(function(handle, all.data(), &count));
    return all;
}

// The span over one of several outputs that have `count` elements each, or NULL for one that is not wanted, which is given as nullptr.
class Output {
public:
    Output(std::nullptr_t, std::size_t) {}
    Output(WithySpan *given, std::size_t) : given_(given) {}
    template <class Container>
    Output(Container *out, std::size_t count) {
        out->resize(count);
        span_ = span(*out);
        // An empty container may have no data: then there is nothing to write.
        given_ = count != 0 ? &span_ : nullptr;
    }
    Output(const Output &) = delete;
    WithySpan *get() const noexcept { return given_; }

private:
    WithySpan span_{};
    WithySpan *given_ = nullptr;
};

}  // namespace detail

class World : public Owner<WithyWorld, withy_world_destroy> {
public:
    explicit World(WithyContext context) { check(withy_world_create(context, nullptr, &handle_)); }
    World(WithyContext context, const WithyWorldDef &def) { check(withy_world_create(context, &def, &handle_)); }

    void step(double dt) { check(withy_world_step(handle_, dt)); }
    void set_gravity(Vec3 gravity) { check(withy_world_set_gravity(handle_, &gravity)); }
    void set_iterations(uint32_t substeps, uint32_t iterations) {
        check(withy_world_set_iterations(handle_, substeps, iterations));
    }
    void restore_state(const std::vector<uint8_t> &state) { check(withy_world_restore_state(handle_, state.data(), state.size())); }

    Vec3 gravity() const { return read<Vec3>(withy_world_get_gravity); }
    uint32_t isa() const { return read<uint32_t>(withy_world_isa); }
    uint64_t memory() const { return read<uint64_t>(withy_world_memory); }
    uint64_t state_hash() const { return read<uint64_t>(withy_world_state_hash); }
    WithyStepStats stats() const {
        WithyStepStats stats;
        check(withy_world_read_stats_sized(handle_, &stats, sizeof stats));
        return stats;
    }
    // Why the last call on it failed, on whatever thread.
    std::string last_error() const {
        uint64_t size = 0;
        check(withy_world_last_error(handle_, nullptr, &size));
        std::string text(static_cast<size_t>(size), '\0');
        check(withy_world_last_error(handle_, &text[0], &size));
        text.pop_back();
        return text;
    }
    std::string backend() const {
        uint64_t size = 0;
        check(withy_world_backend(handle_, nullptr, &size));
        std::string name(size, '\0');
        check(withy_world_backend(handle_, name.data(), &size));
        name.pop_back();
        return name;
    }
    std::vector<uint8_t> save_state() const {
        uint64_t size = 0;
        check(withy_world_save_state(handle_, nullptr, &size));
        std::vector<uint8_t> state(size);
        check(withy_world_save_state(handle_, state.data(), &size));
        return state;
    }
    std::vector<WithyDebugLine> debug_lines() const {
        return detail::list(withy_world_debug_lines, handle_);
    }

    // Rigid bodies. Handles come in any contiguous container of WithyBody or WithyJoint; nullptr where a value is not wanted.
    std::vector<WithyBody> bodies() const {
        return detail::list(withy_world_list_bodies, handle_);
    }
    // Of all bodies, in the order of bodies(). Pointers to containers, which are resized, or to WithySpans that are large enough.
    template <class P, class R, class V = std::nullptr_t, class S = std::nullptr_t, class A = std::nullptr_t>
    void read_bodies(P positions, R rotations, V velocities = nullptr, S spins = nullptr, A sleeping = nullptr) const {
        uint64_t count = 0;
        check(withy_world_list_bodies(handle_, nullptr, &count));
        read(nullptr, WITHY_ALL, count, positions, rotations, velocities, spins, sleeping);
    }
    // Of some.
    template <class Bodies, class P, class R, class V = std::nullptr_t, class S = std::nullptr_t, class A = std::nullptr_t>
    void read_some_bodies(const Bodies &bodies, P positions, R rotations, V velocities = nullptr, S spins = nullptr,
                          A sleeping = nullptr) const {
        read(bodies.data(), bodies.size(), bodies.size(), positions, rotations, velocities, spins, sleeping);
    }
    template <class Bodies>
    void write_bodies(const Bodies &bodies, const Input &positions, const Input &rotations) {
        check(withy_world_write_bodies(handle_, bodies.data(), bodies.size(), positions.get(), rotations.get(), nullptr, nullptr));
    }
    template <class Bodies>
    void write_body_velocities(const Bodies &bodies, const Input &velocities, const Input &spins) {
        check(withy_world_write_bodies(handle_, bodies.data(), bodies.size(), nullptr, nullptr, velocities.get(), spins.get()));
    }
    template <class Bodies>
    void set_body_targets(const Bodies &bodies, const Input &positions, const Input &rotations) {
        check(withy_world_set_body_targets(handle_, bodies.data(), bodies.size(), positions.get(), rotations.get()));
    }
    template <class Bodies>
    void push_bodies(const Bodies &bodies, const Input &forces) {
        check(withy_world_push_bodies(handle_, bodies.data(), bodies.size(), forces.get(), nullptr));
    }
    template <class Bodies>
    void push_bodies(const Bodies &bodies, const Input &forces, const Input &torques) {
        check(withy_world_push_bodies(handle_, bodies.data(), bodies.size(), forces.get(), torques.get()));
    }
    // As many motors as joints; of WithyMotor or Motor.
    template <class Joints, class Motors>
    void set_motors(const Joints &joints, const Motors &motors) {
        static_assert(sizeof(typename Motors::value_type) == sizeof(WithyMotor), "motors are WithyMotor");
        if (joints.size() != motors.size()) {
            WITHY_FAIL(WITHY_ERROR_INVALID_ARGUMENT, "withy::World::set_motors: as many motors as joints are needed");
        }
        check(withy_world_set_motors(handle_, joints.data(), joints.size(), motors.data()));
    }
    // Of any container of WithyJoint: how far off they are, m or rad; nullptr where that is not wanted.
    template <class Joints, class D, class A = std::nullptr_t>
    void read_joint_errors(const Joints &joints, D distances, A angles = nullptr) const {
        const detail::Output d(distances, joints.size()), a(angles, joints.size());
        check(withy_world_read_joint_errors(handle_, joints.data(), joints.size(), d.get(), a.get()));
    }
    // The same of their forces, N, and torques, N m.
    template <class Joints, class F, class T = std::nullptr_t>
    void read_joint_forces(const Joints &joints, F forces, T torques = nullptr) const {
        const detail::Output f(forces, joints.size()), t(torques, joints.size());
        check(withy_world_read_joint_forces(handle_, joints.data(), joints.size(), f.get(), t.get()));
    }
    // Those that broke in the last step.
    std::vector<WithyBrokenJoint> broken_joints() const {
        return detail::list(withy_world_read_broken_joints, handle_);
    }
    std::vector<WithyContact> contacts() const {
        return detail::list(withy_world_read_contacts, handle_);
    }

private:
    template <class P, class R, class V, class S, class A>
    void read(const WithyBody *bodies, uint64_t listed, std::size_t count, P positions, R rotations, V velocities, S spins,
              A sleeping) const {
        const detail::Output p(positions, count), r(rotations, count), v(velocities, count), s(spins, count), a(sleeping, count);
        check(withy_world_read_bodies(handle_, bodies, listed, p.get(), r.get(), v.get(), s.get(), a.get()));
    }
    template <class T>
    T read(int32_t (*function)(WithyWorld, T *)) const {
        T value{};
        check(function(handle_, &value));
        return value;
    }
};

class Rods : public Owner<WithyRods, withy_rods_destroy> {
public:
    explicit Rods(WithyRods rods) noexcept : Owner(rods) {}
    Rods(WithyWorld world, const WithyRodsDef &def) { check(withy_rods_create(world, &def, &handle_)); }

    void set_root_poses(const Input &positions, bool teleport = false) {
        check(withy_rods_set_root_poses(handle_, positions.get(), nullptr, teleport));
    }
    void set_root_poses(const Input &positions, const Input &rotations, bool teleport = false) {
        check(withy_rods_set_root_poses(handle_, positions.get(), rotations.get(), teleport));
    }
    // Relative to the pose at creation.
    void set_root_transform(const Pose &transform, bool teleport = false) {
        check(withy_rods_set_root_transform(handle_, &transform, teleport));
    }
    void set_tip_poses(const Input &positions, bool teleport = false) {
        check(withy_rods_set_tip_poses(handle_, positions.get(), nullptr, teleport));
    }
    void set_tip_poses(const Input &positions, const Input &rotations, bool teleport = false) {
        check(withy_rods_set_tip_poses(handle_, positions.get(), rotations.get(), teleport));
    }
    void pin(uint32_t vertex, Vec3 target, bool teleport = false) { check(withy_rods_set_pin(handle_, vertex, &target, teleport)); }
    // Many vertices; all of them, or none if one is wrong.
    void pin(const Input &vertices, const Input &targets, bool teleport = false) {
        check(withy_rods_set_pins(handle_, vertices.get(), targets.get(), teleport));
    }
    void unpin(const Input &vertices) { check(withy_rods_set_pins(handle_, vertices.get(), nullptr, 0)); }
    // Vertices are drawn to goals: how fast a vertex alone would swing about its own, rad/s, one number or one a vertex.
    void set_goals(const Input &targets, const Input &rates, double damping = 1) {
        check(withy_rods_set_goals(handle_, targets.get(), rates.get(), damping));
    }
    void clear_goals() { check(withy_rods_set_goals(handle_, nullptr, nullptr, 1)); }
    // All of it goes elsewhere, with its motion and what holds it.
    void teleport(const Pose &transform) { check(withy_rods_teleport(handle_, &transform)); }
    void unpin(uint32_t vertex) { check(withy_rods_set_pin(handle_, vertex, nullptr, 0)); }
    // The numbers of now, to be changed and given to `change`.
    RodsDef def() const {
        RodsDef now;
        check(withy_rods_get_def(handle_, &now));
        return now;
    }
    void change(const WithyRodsDef &def) { check(withy_rods_change(handle_, &def)); }
    void set_enabled(bool enabled) { check(withy_rods_set_enabled(handle_, enabled)); }
    bool enabled() const {
        uint32_t enabled;
        check(withy_rods_get_enabled(handle_, &enabled));
        return enabled != 0;
    }
    // One a vertex.
    void set_accelerations(const Input &accelerations) { check(withy_rods_set_accelerations(handle_, accelerations.get())); }
    void clear_accelerations() { check(withy_rods_set_accelerations(handle_, nullptr)); }
    void set_winds(const Input &winds) { check(withy_rods_set_winds(handle_, winds.get())); }
    void clear_winds() { check(withy_rods_set_winds(handle_, nullptr)); }
    void set_motion(double damping, double drag, Vec3 wind, double friction) {
        check(withy_rods_set_motion(handle_, damping, drag, &wind, friction));
    }
    // WITHY_REST_FROM_POSE or WITHY_REST_STRAIGHT.
    void set_rest_shape(uint32_t rest_shape) { check(withy_rods_set_rest_shape(handle_, rest_shape, nullptr, nullptr)); }
    void set_rest_shape(const Input &lengths, const Input &darboux) {
        check(withy_rods_set_rest_shape(handle_, WITHY_REST_EXPLICIT, lengths.get(), darboux.get()));
    }
    void write_positions(const Input &positions) { check(withy_rods_write_positions(handle_, positions.get())); }
    void write_frames(const Input &frames) { check(withy_rods_write_frames(handle_, frames.get())); }
    void write_velocities(const Input &velocities) { check(withy_rods_write_velocities(handle_, velocities.get())); }
    void set_forces(const Input &forces) { check(withy_rods_set_forces(handle_, forces.get())); }
    void set_cut(uint32_t edge, bool cut = true) { check(withy_rods_set_cut(handle_, edge, cut)); }
    // N: one, or one an edge.
    void set_break_force(const Input &break_force) { check(withy_rods_set_break_force(handle_, break_force.get())); }
    void clear_break_force() { check(withy_rods_set_break_force(handle_, nullptr)); }
    std::vector<uint32_t> cuts() const {
        WithySpan ask = {nullptr, 0, 0, WITHY_FORMAT_U32, 0};
        check(withy_rods_read_cuts(handle_, &ask));
        std::vector<uint32_t> all(ask.count);
        ask.data = all.data();
        if (!all.empty()) check(withy_rods_read_cuts(handle_, &ask));
        return all;
    }
    void clear_forces() { check(withy_rods_set_forces(handle_, nullptr)); }
    void set_moments(const Input &moments) { check(withy_rods_set_moments(handle_, moments.get())); }
    void clear_moments() { check(withy_rods_set_moments(handle_, nullptr)); }

    // What became of WITHY_ORDER_AUTO.
    uint32_t order() const {
        uint32_t order;
        check(withy_rods_order(handle_, &order));
        return order;
    }
    template <class Out> void read_counts(Out &out) const { read_span(withy_rods_read_counts, handle_, out); }
    template <class Out> void read_masses(Out &out) const { read_span(withy_rods_read_masses, handle_, out); }
    template <class P, class R> void read_root_poses(P &positions, R &rotations) const {
        WithySpan ask = {nullptr, 0, 0, WITHY_FORMAT_F32, 0};
        check(withy_rods_read_root_poses(handle_, &ask, nullptr));
        const detail::Output p(&positions, static_cast<std::size_t>(ask.count)), r(&rotations, static_cast<std::size_t>(ask.count));
        check(withy_rods_read_root_poses(handle_, p.get(), r.get()));
    }
    template <class Out> void read_positions(Out &out) const { read_span(withy_rods_read_positions, handle_, out); }
    template <class Out> void read_velocities(Out &out) const { read_span(withy_rods_read_velocities, handle_, out); }
    template <class Out> void read_ghosts(Out &out) const { read_span(withy_rods_read_ghosts, handle_, out); }
    template <class Out> void read_frames(Out &out) const { read_span(withy_rods_read_frames, handle_, out); }
    template <class Out> void read_twist(Out &out) const { read_span(withy_rods_read_twist, handle_, out); }
    template <class Out> void read_strain(Out &out) const { read_span(withy_rods_read_strain, handle_, out); }
    template <class Out> void read_radii(Out &out) const { read_span(withy_rods_read_radii, handle_, out); }
    template <class Out> void read_volumes(Out &out) const { read_span(withy_rods_read_volumes, handle_, out); }
    template <class Out> void read_darboux(Out &out) const { read_span(withy_rods_read_darboux, handle_, out); }
    template <class Out> void read_tension(Out &out) const { read_span(withy_rods_read_tension, handle_, out); }
    template <class Out> void read_moments(Out &out) const { read_span(withy_rods_read_moments, handle_, out); }
    template <class Out> void read_rest_lengths(Out &out) const { read_span(withy_rods_read_rest_lengths, handle_, out); }
    template <class Out> void read_rest_strains(Out &out) const { read_span(withy_rods_read_rest_strains, handle_, out); }
    void set_rest_strains(const Input &lengths, const Input &strains) {
        check(withy_rods_set_rest_strains(handle_, lengths.get(), strains.get()));
    }
    template <class Out> void read_stiffness_factors(Out &out) const { read_span(withy_rods_read_stiffness_factors, handle_, out); }
    std::vector<unsigned char> save_rest_shape() const {
        uint64_t size = 0;
        check(withy_rods_save_rest_shape(handle_, nullptr, &size));
        std::vector<unsigned char> bytes(static_cast<size_t>(size));
        check(withy_rods_save_rest_shape(handle_, bytes.data(), &size));
        return bytes;
    }
    void load_rest_shape(const void *data, uint64_t size) { check(withy_rods_load_rest_shape(handle_, data, size)); }
    void set_radii(const Input &radii) { check(withy_rods_set_radii(handle_, radii.get())); }
    void set_stiffness_factors(const Input &factors) { check(withy_rods_set_stiffness_factors(handle_, factors.get())); }
    std::vector<WithyElasticReport> optimize_rest_shape() {
        check(withy_rods_optimize_rest_shape(handle_, nullptr));
        return elastic_report();
    }
    std::vector<WithyElasticReport> optimize_rest_shape(const WithyRestShapeDef &def) {
        check(withy_rods_optimize_rest_shape(handle_, &def));
        return elastic_report();
    }
    std::vector<WithyElasticReport> settle() {
        check(withy_rods_settle(handle_, nullptr));
        return elastic_report();
    }
    std::vector<WithyElasticReport> settle(const WithySettleDef &def) {
        check(withy_rods_settle(handle_, &def));
        return elastic_report();
    }
    std::vector<WithyElasticReport> elastic_report() const {
        return detail::list(withy_rods_read_elastic_report, handle_);
    }
    std::vector<WithyStrandIssue> report() const {
        return detail::list(withy_rods_read_report, handle_);
    }
};

class Collider : public Owner<WithyCollider, withy_collider_destroy> {
public:
    Collider(WithyWorld world, const WithyColliderDef &def) { check(withy_collider_create(world, &def, &handle_)); }

    void set_pose(const Pose &pose, bool teleport = false) { check(withy_collider_set_pose(handle_, &pose, teleport)); }
    Pose pose() const {
        Pose pose{};
        check(withy_collider_get_pose(handle_, &pose));
        return pose;
    }
};

class Body : public Owner<WithyBody, withy_body_destroy> {
public:
    Body(WithyWorld world, const WithyBodyDef &def) { check(withy_body_create(world, &def, &handle_)); }
    // With one shape, or several; `def` keeps pointing to what it pointed to.
    Body(WithyWorld world, WithyBodyDef def, const ShapeDef &shape) {
        def.shapes = &shape;
        def.shape_count = 1;
        check(withy_body_create(world, &def, &handle_));
    }
    Body(WithyWorld world, WithyBodyDef def, const std::vector<ShapeDef> &shapes) {
        def.shapes = shapes.data();
        def.shape_count = static_cast<uint32_t>(shapes.size());
        check(withy_body_create(world, &def, &handle_));
    }

    void set_pose(const Pose &pose) { check(withy_body_set_pose(handle_, &pose)); }
    void set_target(const Pose &pose) { check(withy_body_set_target(handle_, &pose)); }
    void set_velocity(Vec3 velocity, Vec3 spin) { check(withy_body_set_velocity(handle_, &velocity, &spin)); }
    // WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC.
    void set_motion(uint32_t motion) { check(withy_body_set_motion(handle_, motion)); }
    void push(Vec3 force) { check(withy_body_push(handle_, &force, nullptr, nullptr)); }
    void push(Vec3 force, Vec3 torque) { check(withy_body_push(handle_, &force, &torque, nullptr)); }
    void push_at(Vec3 force, Vec3 point) { check(withy_body_push(handle_, &force, nullptr, &point)); }
    void wake() { check(withy_body_set_sleeping(handle_, 0)); }
    void sleep() { check(withy_body_set_sleeping(handle_, 1)); }
    Pose pose() const {
        Pose pose{};
        check(withy_body_get_pose(handle_, &pose));
        return pose;
    }
    Vec3 velocity() const {
        Vec3 velocity{};
        check(withy_body_get_velocity(handle_, &velocity, nullptr));
        return velocity;
    }
    Vec3 spin() const {
        Vec3 spin{};
        check(withy_body_get_velocity(handle_, nullptr, &spin));
        return spin;
    }
    double mass() const {
        double mass = 0;
        check(withy_body_get_mass(handle_, &mass, nullptr, nullptr));
        return mass;
    }
    Vec3 center_of_mass() const {
        Vec3 center{};
        check(withy_body_get_mass(handle_, nullptr, &center, nullptr));
        return center;
    }
    std::array<double, 6> inertia() const {
        std::array<double, 6> inertia{};
        check(withy_body_get_mass(handle_, nullptr, nullptr, inertia.data()));
        return inertia;
    }
};

// Goes with its bodies; its owner notices nothing.
class Joint : public Owner<WithyJoint, withy_joint_destroy> {
public:
    explicit Joint(const WithyJointDef &def) { check(withy_joint_create(&def, &handle_)); }

    void change(const WithyJointDef &def) { check(withy_joint_change(handle_, &def)); }
    // Of a ball or an arc, rad.
    void set_swing(double first, double second) {
        const double swing[2] = {first, second};
        check(withy_joint_set_limits(handle_, swing, nullptr));
    }
    // Of a ball, an arc or a hinge, rad.
    void set_twist(double least, double most) {
        const double twist[2] = {least, most};
        check(withy_joint_set_limits(handle_, nullptr, twist));
    }
    void set_motor(const WithyMotor &motor) { check(withy_joint_set_motor(handle_, &motor)); }
    void clear_motor() { check(withy_joint_set_motor(handle_, nullptr)); }
    void set_enabled(bool enabled) { check(withy_joint_set_enabled(handle_, enabled)); }
    // One that broke is off.
    bool enabled() const {
        uint32_t enabled = 0;
        check(withy_joint_get_enabled(handle_, &enabled));
        return enabled != 0;
    }
    // What it does to its body b, N, and about the origin of frame b, N m.
    std::pair<Vec3, Vec3> force() const {
        std::pair<Vec3, Vec3> force{};
        check(withy_joint_get_force(handle_, &force.first, &force.second));
        return force;
    }
    // How frame b is turned against frame a: about d1, d2 and d3, rad.
    std::array<double, 3> angles() const {
        std::array<double, 3> angles{};
        check(withy_joint_get_angles(handle_, angles.data(), &angles[2]));
        return angles;
    }
    // How far the frames are from what the joint holds: host units, and rad.
    std::pair<double, double> error() const {
        std::pair<double, double> error;
        check(withy_joint_get_error(handle_, &error.first, &error.second));
        return error;
    }
    double length() const {
        double length = 0;
        check(withy_joint_get_length(handle_, &length));
        return length;
    }
};

// Instances that a call is about: any contiguous container of their numbers, which may be empty, or a list in braces; not given, all, or all
// that have bodies.
class Which {
public:
    // Good until the end of the call that it is written in.
    Which(std::initializer_list<uint32_t> numbers) : Which(nullptr, numbers.size()) { data_ = numbers.begin(); }
    template <class Container, class = typename Container::value_type>
    Which(const Container &numbers) : data_(numbers.data()), count_(numbers.size()) {}
    static Which all() { return Which(nullptr, WITHY_ALL); }

    const uint32_t *data() const noexcept { return data_; }
    uint64_t count() const noexcept { return count_; }

private:
    Which(const uint32_t *data, uint64_t count) : data_(data), count_(count) {}

    const uint32_t *data_;
    uint64_t count_;
};

// Instances of one ragdoll.
class Ragdolls : public Owner<WithyRagdolls, withy_ragdolls_destroy> {
public:
    using Which = withy::Which;

    Ragdolls(WithyWorld world, const WithyRagdollDef &def, uint32_t instances) {
        check(withy_ragdolls_create(world, &def, instances, &handle_));
    }

    // At rest; or moving, as from the poses `dt` seconds before. Poses are positions and rotations, one a bone of each instance.
    void instantiate(const Input &positions, const Input &rotations, const Which &which = Which::all(), uint32_t flags = 0) {
        check(withy_ragdolls_instantiate(handle_, which.data(), which.count(), positions.get(), rotations.get(), nullptr, nullptr, 0, flags));
    }
    void instantiate(const Input &positions, const Input &rotations, const Input &positions_before, const Input &rotations_before,
                     double dt, const Which &which = Which::all(), uint32_t flags = 0) {
        check(withy_ragdolls_instantiate(handle_, which.data(), which.count(), positions.get(), rotations.get(), positions_before.get(),
                                         rotations_before.get(), dt, flags));
    }
    void instantiate_moving(const Input &positions, const Input &rotations, const Input &velocities, const Input &spins,
                            const Which &which = Which::all(), uint32_t flags = 0) {
        check(withy_ragdolls_instantiate_moving(handle_, which.data(), which.count(), positions.get(), rotations.get(), velocities.get(),
                                                spins.get(), flags));
    }
    void remove(const Which &which = Which::all()) { check(withy_ragdolls_remove(handle_, which.data(), which.count())); }

    void set_targets(const Input &positions, const Input &rotations, const WithyRagdollDrive &drive, const Which &which = Which::all()) {
        check(withy_ragdolls_set_targets(handle_, which.data(), which.count(), positions.get(), rotations.get(), nullptr, nullptr, 0, &drive));
    }
    void set_targets(const Input &positions, const Input &rotations, const Input &positions_before, const Input &rotations_before,
                     double dt, const WithyRagdollDrive &drive, const Which &which = Which::all()) {
        check(withy_ragdolls_set_targets(handle_, which.data(), which.count(), positions.get(), rotations.get(), positions_before.get(),
                                         rotations_before.get(), dt, &drive));
    }
    void clear_targets(const Which &which = Which::all()) { check(withy_ragdolls_clear_targets(handle_, which.data(), which.count())); }
    // `body`: UINT32_MAX for all.
    void set_kinematic(uint32_t body, bool kinematic, const Which &which = Which::all()) {
        check(withy_ragdolls_set_kinematic(handle_, which.data(), which.count(), body, kinematic));
    }
    void teleport(const Input &positions, const Input &rotations, const Which &which = Which::all()) {
        check(withy_ragdolls_teleport(handle_, which.data(), which.count(), positions.get(), rotations.get()));
    }
    void fade(double weight, double seconds, const Which &which = Which::all()) {
        check(withy_ragdolls_fade(handle_, which.data(), which.count(), weight, seconds));
    }
    void advance(double dt) { check(withy_ragdolls_advance(handle_, dt)); }

    // All bones of each instance: pointers to containers, which are resized, or to WithySpans that are large enough; nullptr: not wanted.
    template <class P, class R>
    void read(P positions, R rotations, const Which &which = Which::all()) {
        const std::size_t n = room(which);
        const detail::Output p(positions, n), r(rotations, n);
        check(withy_ragdolls_read(handle_, which.data(), which.count(), nullptr, nullptr, nullptr, p.get(), r.get()));
    }
    template <class P, class R>
    void read_blended(const Input &animated_positions, const Input &animated_rotations, P positions, R rotations,
                      const Which &which = Which::all()) {
        blended(animated_positions, animated_rotations, nullptr, positions, rotations, which);
    }
    // `weights`: one a bone.
    template <class P, class R>
    void read_blended(const Input &animated_positions, const Input &animated_rotations, const Input &weights, P positions, R rotations,
                      const Which &which = Which::all()) {
        blended(animated_positions, animated_rotations, weights.get(), positions, rotations, which);
    }

    uint32_t instances() const { return counts()[0]; }
    uint32_t bones() const { return counts()[1]; }
    // Those that have bodies now.
    std::vector<uint32_t> alive() const {
        return detail::list(withy_ragdolls_list, handle_);
    }
    double weight(uint32_t instance) const {
        double weight = 0;
        check(withy_ragdolls_get_weight(handle_, instance, &weight));
        return weight;
    }
    // Null where there is none now. The set owns it.
    WithyBody body(uint32_t instance, uint32_t body) const {
        WithyBody out{};
        check(withy_ragdolls_get_body(handle_, instance, body, &out));
        return out;
    }
    WithyJoint joint(uint32_t instance, uint32_t body) const {
        WithyJoint out{};
        check(withy_ragdolls_get_joint(handle_, instance, body, &out));
        return out;
    }

private:
    std::array<uint32_t, 2> counts() const {
        std::array<uint32_t, 2> n{};
        check(withy_ragdolls_get_counts(handle_, &n[0], &n[1], nullptr, nullptr));
        return n;
    }
    // Bones of the instances that are meant.
    std::size_t room(const Which &which) const {
        uint64_t count = which.count();
        if (count == WITHY_ALL) {
            count = 0;
            check(withy_ragdolls_list(handle_, nullptr, &count));
        }
        return static_cast<std::size_t>(count) * bones();
    }
    template <class P, class R>
    void blended(const Input &animated_positions, const Input &animated_rotations, const WithySpan *weights, P positions, R rotations,
                 const Which &which) {
        const std::size_t n = room(which);
        const detail::Output p(positions, n), r(rotations, n);
        check(withy_ragdolls_read(handle_, which.data(), which.count(), animated_positions.get(), animated_rotations.get(), weights, p.get(),
                                  r.get()));
    }
};

// Rods between two bodies.
class Muscle : public Rods {
public:
    Muscle(WithyWorld world, const WithyMuscleDef &def) : Rods(create(world, def)) {}

    // Of the whole muscle, 0 to 1.
    void set_activation(double activation) { check(withy_muscle_set_activation(handle_, activation)); }
    // One an edge.
    void write_activations(const Input &activations) { check(withy_muscle_write_activations(handle_, activations.get())); }
    template <class Out> void read_activations(Out &out) const { read_span(withy_muscle_read_activations, handle_, out); }
    WithyMuscleState state() const {
        WithyMuscleState state;
        check(withy_muscle_get_state(handle_, &state));
        return state;
    }

private:
    static WithyRods create(WithyWorld world, const WithyMuscleDef &def) {
        WithyRods rods{};
        check(withy_muscle_create(world, &def, &rods));
        return rods;
    }
};

// Strands for a muscle, from its surface.
class MuscleFit {
public:
    // Takes about a second.
    MuscleFit(WithyContext context, const WithyMuscleMeshDef &def) : strands_(def.strands) {
        WithySpan points{nullptr, 0, 0, WITHY_FORMAT_F32, 0};
        check(withy_muscle_fit_mesh(context, &def, &points, nullptr, nullptr));
        positions_.resize(static_cast<std::size_t>(points.count));
        radii_.resize(positions_.size());
        WithySpan radii = span(radii_);
        points = span(positions_);
        check(withy_muscle_fit_mesh(context, &def, &points, &radii, &report_));
    }

    // Strand after strand, each from the origin to the insertion, and radii, one a vertex.
    const std::vector<Float3> &positions() const noexcept { return positions_; }
    const std::vector<float> &radii() const noexcept { return radii_; }
    uint32_t strands() const noexcept { return strands_; }
    // How well the strands stand for the mesh, and what was repaired.
    const WithyMuscleFit &report() const noexcept { return report_; }
    // For a Muscle: its strands point into this object.
    MuscleDef def() const {
        MuscleDef def;
        def.positions = span(positions_);
        def.radii = span(radii_);
        def.strands = strands_;
        return def;
    }

private:
    std::vector<Float3> positions_;
    std::vector<float> radii_;
    uint32_t strands_;
    WithyMuscleFit report_{};
};

class Mesh : public Owner<WithyMesh, withy_mesh_destroy> {
public:
    Mesh(WithyWorld world, const WithyMeshDef &def) { check(withy_mesh_create(world, &def, &handle_)); }

    void set_positions(const Input &positions, bool teleport = false) {
        check(withy_mesh_set_positions(handle_, positions.get(), teleport));
    }
    template <class Out> void read_positions(Out &out) const { read_span(withy_mesh_read_positions, handle_, out); }
    template <class Out> void read_corrections(Out &out) const { read_span(withy_mesh_read_corrections, handle_, out); }
};

/* Points bound to a mesh that the host moves and bends: roots of hair on a scalp. Three arrays, which may be saved. */
struct Surface {
    std::vector<Double3> positions;                  // of the vertices, when the points were bound
    std::vector<std::array<uint32_t, 3>> corners;    // of each point's triangle
    std::vector<Double3> coordinates;                // of each point, on it

    Surface() = default;
    Surface(const std::vector<Double3> &vertices, const Input &triangles, const std::vector<Double3> &points)
        : positions(vertices), corners(points.size()), coordinates(points.size()) {
        WithySpan c = span(corners), x = span(coordinates);
        check(withy_surface_bind(Input(positions).get(), triangles.get(), Input(points).get(), &c, &x));
    }
    // Where the points are, and how far they have turned since, where the vertices are there: for Rods::set_root_poses.
    void follow(const Input &vertices, std::vector<Double3> &points, std::vector<Double4> &rotations) const {
        points.resize(corners.size()), rotations.resize(corners.size());
        WithySpan p = span(points), q = span(rotations);
        check(withy_surface_follow(Input(positions).get(), vertices.get(), Input(corners).get(), Input(coordinates).get(), &p, &q));
    }
};

class Skin : public Owner<WithySkin, withy_skin_destroy> {
public:
    Skin(WithyWorld world, const WithySkinDef &def) { check(withy_skin_create(world, &def, &handle_)); }
    /* From the bytes of `save`. */
    Skin(WithyWorld world, const WithyRods *rods, uint32_t rods_count, const void *data, uint64_t size) {
        check(withy_skin_load(world, rods, rods_count, data, size, &handle_));
    }

    template <class Out> void read_positions(Out &out) const { read_span(withy_skin_read_positions, handle_, out); }
    template <class Out> void read_normals(Out &out) const { read_span(withy_skin_read_normals, handle_, out); }
    template <class Out> void read_tangents(Out &out) const { read_span(withy_skin_read_tangents, handle_, out); }
    std::vector<unsigned char> save() const {
        uint64_t size = 0;
        check(withy_skin_save(handle_, nullptr, &size));
        std::vector<unsigned char> bytes(static_cast<size_t>(size));
        check(withy_skin_save(handle_, bytes.data(), &size));
        return bytes;
    }
};

class RenderHair : public Owner<WithyRenderHair, withy_render_hair_destroy> {
public:
    RenderHair(WithyWorld world, const WithyRenderHairDef &def) { check(withy_render_hair_create(world, &def, &handle_)); }
    /* From the bytes of `save`. */
    RenderHair(WithyWorld world, const WithyRods *rods, uint32_t rods_count, const void *data, uint64_t size) {
        check(withy_render_hair_load(world, rods, rods_count, data, size, &handle_));
    }

    /* Vertices of all strands that are read. */
    uint64_t vertex_count(const WithyRenderHairLodDef *lod = nullptr) const {
        WithySpan span{nullptr, 0, 0, WITHY_FORMAT_F32, 0};
        check(withy_render_hair_read(handle_, lod, &span, nullptr));
        return span.count;
    }
    void read(WithySpan *positions, WithySpan *tangents = nullptr, const WithyRenderHairLodDef *lod = nullptr) const {
        check(withy_render_hair_read(handle_, lod, positions, tangents));
    }
    void read_layout(WithySpan *strands, WithySpan *counts, WithySpan *widths, const WithyRenderHairLodDef *lod = nullptr) const {
        check(withy_render_hair_read_layout(handle_, lod, strands, counts, widths));
    }
    void set_roots(const WithySpan *positions, const WithySpan *rotations) {
        check(withy_render_hair_set_roots(handle_, positions, rotations));
    }
    std::vector<unsigned char> save() const {
        uint64_t size = 0;
        check(withy_render_hair_save(handle_, nullptr, &size));
        std::vector<unsigned char> bytes(static_cast<size_t>(size));
        check(withy_render_hair_save(handle_, bytes.data(), &size));
        return bytes;
    }
};

class Cable : public Owner<WithyCable, withy_cable_destroy> {
public:
    Cable(WithyWorld world, const WithyCableDef &def) { check(withy_cable_create(world, &def, &handle_)); }

    void set_length(double length) { check(withy_cable_set_length(handle_, length)); }
    WithyCableState state() const {
        WithyCableState state;
        check(withy_cable_get_state(handle_, &state));
        return state;
    }
    template <class Out> void read_points(Out &out) const { read_span(withy_cable_read_points, handle_, out); }
};

class Attachment : public Owner<WithyAttachment, withy_attachment_destroy> {
public:
    explicit Attachment(const WithyBodyAttachmentDef &def) { check(withy_attachment_create_body(&def, &handle_)); }
    explicit Attachment(const WithyTriangleAttachmentDef &def) { check(withy_attachment_create_triangle(&def, &handle_)); }
    explicit Attachment(const WithyJunctionDef &def) { check(withy_attachment_create_junction(&def, &handle_)); }
};

}  // namespace withy

#endif  // WITHY_HPP
