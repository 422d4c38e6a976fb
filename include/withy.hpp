// withy for C++17: owners that destroy what they hold, spans from containers, errors as exceptions. Header only, over withy.h,
// which is the manual.
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
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "withy.h"

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
using MeshDef = Def<WithyMeshDef, withy_mesh_def_init_sized>;
using TriangleAttachmentDef = Def<WithyTriangleAttachmentDef, withy_triangle_attachment_def_init_sized>;
using JunctionDef = Def<WithyJunctionDef, withy_junction_def_init_sized>;

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

private:
    void create(const WithyContextDef *def) {
        check(withy_check_version(WITHY_VERSION));
        check(withy_context_create(def, &handle_));
    }
};

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
        uint64_t count = 0;
        check(withy_world_debug_lines(handle_, nullptr, &count));
        std::vector<WithyDebugLine> lines(count);
        check(withy_world_debug_lines(handle_, lines.data(), &count));
        return lines;
    }

private:
    template <class T>
    T read(int32_t (*function)(WithyWorld, T *)) const {
        T value{};
        check(function(handle_, &value));
        return value;
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

class Rods : public Owner<WithyRods, withy_rods_destroy> {
public:
    Rods(WithyWorld world, const WithyRodsDef &def) { check(withy_rods_create(world, &def, &handle_)); }

    void set_root_poses(const Input &positions, bool teleport = false) {
        check(withy_rods_set_root_poses(handle_, positions.get(), nullptr, teleport));
    }
    void set_root_poses(const Input &positions, const Input &rotations, bool teleport = false) {
        check(withy_rods_set_root_poses(handle_, positions.get(), rotations.get(), teleport));
    }
    void set_tip_poses(const Input &positions, bool teleport = false) {
        check(withy_rods_set_tip_poses(handle_, positions.get(), nullptr, teleport));
    }
    void set_tip_poses(const Input &positions, const Input &rotations, bool teleport = false) {
        check(withy_rods_set_tip_poses(handle_, positions.get(), rotations.get(), teleport));
    }
    void pin(uint32_t vertex, Vec3 target, bool teleport = false) { check(withy_rods_set_pin(handle_, vertex, &target, teleport)); }
    void unpin(uint32_t vertex) { check(withy_rods_set_pin(handle_, vertex, nullptr, 0)); }
    void set_motion(double damping, double drag, Vec3 wind, double friction) {
        check(withy_rods_set_motion(handle_, damping, drag, &wind, friction));
    }
    // WITHY_REST_FROM_POSE or WITHY_REST_STRAIGHT.
    void set_rest_shape(uint32_t rest_shape) { check(withy_rods_set_rest_shape(handle_, rest_shape, nullptr, nullptr)); }
    void set_rest_shape(const Input &lengths, const Input &darboux) {
        check(withy_rods_set_rest_shape(handle_, WITHY_REST_EXPLICIT, lengths.get(), darboux.get()));
    }
    void write_positions(const Input &positions) { check(withy_rods_write_positions(handle_, positions.get())); }
    void write_velocities(const Input &velocities) { check(withy_rods_write_velocities(handle_, velocities.get())); }
    void set_forces(const Input &forces) { check(withy_rods_set_forces(handle_, forces.get())); }
    void clear_forces() { check(withy_rods_set_forces(handle_, nullptr)); }

    // What became of WITHY_ORDER_AUTO.
    uint32_t order() const {
        uint32_t order;
        check(withy_rods_order(handle_, &order));
        return order;
    }
    template <class Out> void read_counts(Out &out) const { read_span(withy_rods_read_counts, handle_, out); }
    template <class Out> void read_positions(Out &out) const { read_span(withy_rods_read_positions, handle_, out); }
    template <class Out> void read_velocities(Out &out) const { read_span(withy_rods_read_velocities, handle_, out); }
    template <class Out> void read_ghosts(Out &out) const { read_span(withy_rods_read_ghosts, handle_, out); }
    template <class Out> void read_frames(Out &out) const { read_span(withy_rods_read_frames, handle_, out); }
    template <class Out> void read_twist(Out &out) const { read_span(withy_rods_read_twist, handle_, out); }
    template <class Out> void read_strain(Out &out) const { read_span(withy_rods_read_strain, handle_, out); }
    template <class Out> void read_darboux(Out &out) const { read_span(withy_rods_read_darboux, handle_, out); }
    template <class Out> void read_tension(Out &out) const { read_span(withy_rods_read_tension, handle_, out); }
    template <class Out> void read_moments(Out &out) const { read_span(withy_rods_read_moments, handle_, out); }
    template <class Out> void read_rest_lengths(Out &out) const { read_span(withy_rods_read_rest_lengths, handle_, out); }
    template <class Out> void read_rest_strains(Out &out) const { read_span(withy_rods_read_rest_strains, handle_, out); }
    void set_rest_strains(const Input &lengths, const Input &strains) {
        check(withy_rods_set_rest_strains(handle_, lengths.get(), strains.get()));
    }
    template <class Out> void read_stiffness_factors(Out &out) const { read_span(withy_rods_read_stiffness_factors, handle_, out); }
    void set_stiffness_factors(const Input &factors) { check(withy_rods_set_stiffness_factors(handle_, factors.get())); }
    std::vector<WithyElasticReport> optimize_rest_shape() {
        check(withy_rods_optimize_rest_shape(handle_, nullptr));
        return elastic_report();
    }
    std::vector<WithyElasticReport> optimize_rest_shape(const WithyRestShapeDef &def) {
        check(withy_rods_optimize_rest_shape(handle_, &def));
        return elastic_report();
    }
    std::vector<WithyElasticReport> settle(uint32_t iterations = 100, double tolerance = 1e-6) {
        check(withy_rods_settle(handle_, iterations, tolerance));
        return elastic_report();
    }
    std::vector<WithyElasticReport> elastic_report() const {
        uint64_t count = 0;
        check(withy_rods_read_elastic_report(handle_, nullptr, &count));
        std::vector<WithyElasticReport> reports(count);
        check(withy_rods_read_elastic_report(handle_, reports.data(), &count));
        return reports;
    }
    std::vector<WithyStrandIssue> report() const {
        uint64_t count = 0;
        check(withy_rods_read_report(handle_, nullptr, &count));
        std::vector<WithyStrandIssue> issues(count);
        check(withy_rods_read_report(handle_, issues.data(), &count));
        return issues;
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

class Mesh : public Owner<WithyMesh, withy_mesh_destroy> {
public:
    Mesh(WithyWorld world, const WithyMeshDef &def) { check(withy_mesh_create(world, &def, &handle_)); }

    void set_positions(const Input &positions, bool teleport = false) {
        check(withy_mesh_set_positions(handle_, positions.get(), teleport));
    }
    template <class Out> void read_positions(Out &out) const { read_span(withy_mesh_read_positions, handle_, out); }
    template <class Out> void read_corrections(Out &out) const { read_span(withy_mesh_read_corrections, handle_, out); }
};

class Attachment : public Owner<WithyAttachment, withy_attachment_destroy> {
public:
    explicit Attachment(const WithyTriangleAttachmentDef &def) { check(withy_attachment_create_triangle(&def, &handle_)); }
    explicit Attachment(const WithyJunctionDef &def) { check(withy_attachment_create_junction(&def, &handle_)); }
};

}  // namespace withy

#endif  // WITHY_HPP
