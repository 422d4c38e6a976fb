/* withy 0.1.0: elastic rods and rigid bodies as a native plugin. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * From nothing to a falling rope: withy_context_create, withy_world_create, withy_rods_def_init, withy_rods_create; then each
 * frame withy_world_step and withy_rods_read_positions; at the end withy_context_destroy. To a falling box: withy_body_def_init,
 * withy_shape_def_init, withy_body_create; then withy_world_step and withy_world_read_bodies. To people that fall:
 * withy_ragdoll_def_init, withy_ragdolls_create, withy_ragdolls_instantiate; then withy_world_step and withy_ragdolls_read.
 *
 * Objects
 *   WithyContext      the host's units, axes and threads
 *     WithyWorld      what is simulated together
 *       WithyRods         a groom, a rope, a net's strings
 *       WithyCollider     a plane, sphere, capsule or box that the host moves
 *       WithyBody         a rigid body: a bone of a ragdoll, a prop, the ground
 *       WithyJoint        what holds two bodies together: a hinge, a ball, an elastic arc
 *       WithyRagdolls     characters of one skeleton: bodies, joints and arcs, and the bones that are read back
 *       WithyMesh         triangles that strands hang on and pull
 *       WithyAttachment   a strand's end on a triangle, or several ends together
 *   A handle is a number, 0 is null. Whoever holds a destroyed, foreign or mistaken one gets WITHY_ERROR_INVALID_HANDLE. An
 *   object lives until it, its world or its context is destroyed.
 *
 * Errors
 *   Functions return WITHY_OK or a negative WITHY_ERROR_ code, and then withy_last_error() says which field, which index and
 *   which value was wrong. What fails changes nothing. All may return WITHY_ERROR_INVALID_ARGUMENT for NULL or for numbers out
 *   of their range, _INVALID_HANDLE, _BUSY, _OUT_OF_MEMORY and _PANIC; only what goes beyond is listed with a function.
 *   Coordinates and speeds are at most 1e9 m and m/s; other ranges stand with the fields, [least, most].
 *
 * Threads
 *   Any thread may call any function. Different worlds do not wait for each other. Of one world there may be any number of calls
 *   that read, or one that writes ("Reads", "Writes" below): a call that comes in between returns WITHY_ERROR_BUSY at once.
 *   No call waits for another. Stepping, moving and reading whole objects allocates nothing after the first step.
 *
 * Units
 *   SI, right-handed, Y up, unless the context names the host's convention. Positions, lengths, velocities, gravity, directions,
 *   rotations and curvatures are then in the host's units and axes ("host units"). Masses, inertias, moduli, densities, stiffnesses,
 *   compliances, forces, torques and rates are SI always (kg, N, N m, kg m^2, N m^2, ...), and where they have a direction, that is in
 *   the host's axes. Quaternions are xyzw. Angles, spins and torques follow the host's handedness. Local axes, those of frames, of
 *   bodies and of colliders, are converted like the world's: what is local z in the library, the direction of an edge in its frame, is
 *   local y in Unreal (listed with the conventions and the joints).
 *
 * Structs
 *   A ...Def is filled by its _init macro, changed, and passed to _create, which copies all that it points to. Its struct_size
 *   makes old programs run with new libraries; `next` is NULL and `flags` 0 unless said otherwise.
 */
#ifndef WITHY_H
#define WITHY_H

#include <stddef.h>
#include <stdint.h>

#define WITHY_VERSION_MAJOR 0
#define WITHY_VERSION_MINOR 1
#define WITHY_VERSION_PATCH 0
#define WITHY_VERSION_STRING "0.1.0"
/* For withy_check_version: major * 2^22 + minor * 2^12 + patch. */
#define WITHY_VERSION 4096u

/* On Windows, define WITHY_DLL before including this to link with withy.dll rather than with the static library. */
#if defined(_WIN32) && defined(WITHY_DLL)
#define WITHY_API __declspec(dllimport)
#else
#define WITHY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Versions and errors
 *
 * Every function that can fail returns one of these codes; `withy_last_error` tells the reason in words.
 */

#define WITHY_OK 0

/// A NULL, number, count, stride or index that cannot be used.
#define WITHY_ERROR_INVALID_ARGUMENT (-1)
/// A handle that is null, of a destroyed object, of another kind or of another world.
#define WITHY_ERROR_INVALID_HANDLE (-2)
/// This version, this build or this machine does not have it.
#define WITHY_ERROR_UNSUPPORTED (-3)
/// Another thread, or a callback's own caller, is inside the world. Try again later.
#define WITHY_ERROR_BUSY (-4)
#define WITHY_ERROR_OUT_OF_MEMORY (-5)
/// The library failed at something that it should not have. The world can only be destroyed; others are not concerned.
#define WITHY_ERROR_PANIC (-6)
/// An output array is too small; its count has been set to what is needed.
#define WITHY_ERROR_TOO_SMALL (-7)

/// The version of the library at run time: major << 22 | minor << 12 | patch. Compare with WITHY_VERSION.
WITHY_API
uint32_t withy_version(void);

/// WITHY_OK if programs compiled with the header of `header_version` (pass WITHY_VERSION) run with this library: the same major
/// version; before 1.0 also the same minor version.
///
/// @return WITHY_ERROR_UNSUPPORTED otherwise.
WITHY_API
int32_t withy_check_version(uint32_t header_version);

/// Why the last failed call of this thread failed: the function, the field, the index, the value. Never NULL; empty before the
/// first failure. Valid until the next failure on this thread. A successful call leaves it as it is.
WITHY_API
const char *withy_last_error(void);

/// "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY; "unknown" for what is no result. A constant string.
WITHY_API const char *withy_result_name(int32_t result);

/* ===============================================================================================
 * Vectors and arrays
 *
 * Numbers that travel alone are doubles. Arrays travel as spans: f32 or f64, any stride, no alignment needed.
 */

/// The scalars of a span.
#define WITHY_FORMAT_F32 1
#define WITHY_FORMAT_F64 2
/// For counts and indices only.
#define WITHY_FORMAT_U32 3

/// A count of everything there is, for calls about some of many; their array is NULL then. NULL and 0 is an empty array: nothing.
#define WITHY_ALL UINT64_MAX

/// An array of the host's: `count` elements, `stride` bytes from one to the next. How many scalars an element has (1, 3 for a
/// vector, 4 for a quaternion xyzw) each use says.
///
/// As an input it is read during the call only, and "none" is a count of 0. As an output `count` is the room, and is set to the
/// number of elements that the object has: with NULL data nothing else happens, and with too little room nothing is written and
/// the call fails with WITHY_ERROR_TOO_SMALL. Only the scalars are written, not the bytes between them.
typedef struct WithySpan {
    void *data;
    uint64_t count;
    /// Bytes; 0: densely packed. Never less than an element.
    uint64_t stride;
    /// A WITHY_FORMAT_ value.
    uint32_t format;
    /// 0
    uint32_t reserved;
} WithySpan;

typedef struct WithyVec3 {
    double x;
    double y;
    double z;
} WithyVec3;

/// A rotation: of unit length within 1 %, and normalised on entry.
typedef struct WithyQuat {
    double x;
    double y;
    double z;
    double w;
} WithyQuat;

/// A rigid transform, from local to world.
typedef struct WithyPose {
    WithyVec3 position;
    WithyQuat rotation;
} WithyPose;

/* ===============================================================================================
 * Context
 *
 * The host's conventions and its workers. One context serves any number of worlds; most programs have one.
 */

/// Metres, right-handed, Y up. "Local z" is z.
#define WITHY_CONVENTION_SI 0
/// Centimetres, right-handed, Y up. "Local z" is z.
#define WITHY_CONVENTION_MAYA 1
/// Centimetres, left-handed, Z up: (x, y, z) is the library's (x, z, y). "Local z" is y.
#define WITHY_CONVENTION_UNREAL 2
/// Metres, left-handed, Y up: (x, y, z) is the library's (-x, y, z). "Local z" is z.
#define WITHY_CONVENTION_UNITY 3
/// Metres, right-handed, Z up: (x, y, z) is the library's (x, z, -y). "Local z" is -y.
#define WITHY_CONVENTION_BLENDER 4

/// As many threads as the machine has.
#define WITHY_THREADS_ALL UINT32_MAX

/// The host's own workers. `run` calls `task(task_data, i)` for each i below `count`, from any threads and in any order, and
/// returns when all of these calls have; it must not keep `task_data` and must not throw. It is called within
/// `withy_world_step` and what else takes long (rest shapes, statics), on the calling thread, so by two threads at once if they step two worlds. It may
/// call the library, but the world at work and its context answer WITHY_ERROR_BUSY. `user` must stay valid while the context lives.
///
/// Calls of one `run` may wait for each other, busily, while many bodies touch; none waits for a call that has not begun, so that one
/// thread may make them one after the other.
typedef struct WithyTaskCallbacks {
    void *user;
    void (*run)(void *user,
                void (*task)(void *task_data, uint32_t index),
                void *task_data,
                uint32_t count);
} WithyTaskCallbacks;

typedef struct WithyContextDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_CONVENTION_ value. Default: WITHY_CONVENTION_SI.
    uint32_t convention;
    /// 0 (the default): worlds are stepped by the calling thread alone. n: a pool of n threads, 1024 at most, shared by the
    /// worlds of the context. WITHY_THREADS_ALL: as many as the machine has. Results do not depend on it.
    uint32_t threads;
    /// Length of the host's unit, m, [1e-6, 1e6]. 0 (the default): the convention's own.
    double metres_per_unit;
    /// The host's workers, or NULL (the default). Copied. `threads` must then be 0.
    const WithyTaskCallbacks *tasks;
} WithyContextDef;

typedef struct WithyContext {
    uint64_t bits;
} WithyContext;

/// Fills `def` with the defaults. Use the macro `withy_context_def_init(&def)`, which passes the size that the host was compiled
/// with.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: `def` is NULL, or `size` is none that this struct ever had.
WITHY_API
int32_t withy_context_def_init_sized(WithyContextDef *def,
                                     uint32_t size);
#define withy_context_def_init(definition) \
    withy_context_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Creates a context and, if `def` asks for them, its threads.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param context Set on success. Destroy it with `withy_context_destroy`.
WITHY_API
int32_t withy_context_create(const WithyContextDef *def,
                             WithyContext *context);

/// Destroys a context with its worlds and all that is in them, and joins its threads. Their handles are stale from then on.
///
/// @return WITHY_ERROR_BUSY: one of its worlds is in use; nothing has been destroyed.
WITHY_API
int32_t withy_context_destroy(WithyContext context);

/* ===============================================================================================
 * World
 *
 * Everything that can touch lives in one world, and a world is stepped as a whole.
 */

#define WITHY_BACKEND_CPU 0
/// Without a usable GPU `withy_world_create` fails with WITHY_ERROR_UNSUPPORTED and says why.
#define WITHY_BACKEND_GPU 1
/// The GPU if there is a usable one, else the CPU; `withy_world_backend` tells which, and why.
#define WITHY_BACKEND_AUTO 2

/// The widest instruction set that the machine has. All of them give the same bits; forcing one is for tests and measurements.
#define WITHY_ISA_AUTO 0

#define WITHY_PRECISION_F32 0
/// Doubles, on the CPU only: what f32 is measured against, and for scenes that are too stiff or too wide for it.
#define WITHY_PRECISION_F64 1

typedef struct WithyWorldDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    uint32_t backend;
    /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO.
    uint32_t isa;
    /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    uint32_t precision;
    /// Substeps of a step, 1 to 65,536. Default: 8.
    uint32_t substeps;
    /// Sweeps over the constraints in a substep, 1 to 10,000; not of rods that Newton's method solves, see `WithyRodsDef.iterations`. Default: 4.
    uint32_t iterations;
    /// 0
    uint32_t reserved;
} WithyWorldDef;

typedef struct WithyWorld {
    uint64_t bits;
} WithyWorld;

/// Fills `def` with the defaults. Use the macro `withy_world_def_init(&def)`.
WITHY_API int32_t withy_world_def_init_sized(WithyWorldDef *def, uint32_t size);
#define withy_world_def_init(definition) \
    withy_world_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Creates an empty world whose gravity is 9.81 m/s^2 downwards.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param world Set on success. Destroy it with `withy_world_destroy`, or with its context.
/// @return WITHY_ERROR_UNSUPPORTED: the backend or the instruction set is not there, or the GPU is to compute in f64.
WITHY_API
int32_t withy_world_create(WithyContext context,
                           const WithyWorldDef *def,
                           WithyWorld *world);

/// Destroys a world and all that is in it. Their handles are stale from then on.
WITHY_API int32_t withy_world_destroy(WithyWorld world);

/// Writes. `gravity`: host units/s^2. Bodies wake if it is another.
WITHY_API int32_t withy_world_set_gravity(WithyWorld world, const WithyVec3 *gravity);

/// Reads. `gravity`: host units/s^2.
WITHY_API int32_t withy_world_get_gravity(WithyWorld world, WithyVec3 *gravity);

/// Writes. Substeps of a step, 1 to 65,536, and sweeps over the constraints in a substep, 1 to 10,000, as in the def. After a change to fewer substeps, find
/// rest shapes again (`withy_rods_optimize_rest_shape`): a longer substep takes less stiffness in f32.
WITHY_API
int32_t withy_world_set_iterations(WithyWorld world,
                                   uint32_t substeps,
                                   uint32_t iterations);

/// Writes. Advances everything by `dt` seconds, 1e-6 to 10. Poses and targets set since the last step are reached at its
/// end, interpolated over the substeps. After the first step nothing is allocated until objects are created again, or more bodies
/// are near each other than ever before.
///
/// The thread that steps, and those that run tasks, must round to nearest and keep denormals, as threads do unless told otherwise:
/// results would depend on it.
///
/// A simulation that degenerates is no error: `withy_world_read_stats` tells.
WITHY_API
int32_t withy_world_step(WithyWorld world,
                         double dt);

/// Reads. Writes all that steps change into `data`, for `withy_world_restore_state`: a timeline's frame, a rollback. Poses,
/// targets and pins belong to it, and so do pushes of bodies, who moves them (`withy_body_set_motion`), whether joints are enabled, what
/// sleeps and what touches, so that the size changes with the contacts; gravity, iterations, rest shapes, what warm starts of
/// sweeps begin with, forces and moments on rods, the values of `withy_rods_set_motion`, limits, stiffness and motors of joints and the
/// statistics do not. Of ragdolls what their transitions have made
/// belongs to it: how their joints and arcs were fitted and are limited and driven, what their bones keep, and their weights.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the state.
WITHY_API
int32_t withy_world_save_state(WithyWorld world,
                               void *data,
                               uint64_t *size);

/// Writes. Goes back to a saved state, bit for bit, and goes on from there as it went. The world must have the same objects and pins as
/// when it was saved, or have been made by the same calls; of ragdolls the same instances must have bodies, made in the same order, in
/// whatever poses. Joints must be of the same kinds; limits and motors that have come since then start without impulses.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if it is a state of another world or another version, cut or damaged.
WITHY_API
int32_t withy_world_restore_state(WithyWorld world,
                                  const void *data,
                                  uint64_t size);

/// Reads. The name of the backend in use, such as "cpu", with a terminating 0; after a fall-back of WITHY_BACKEND_AUTO with the
/// reason behind it.
///
/// @param name Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the name, its 0 included.
WITHY_API
int32_t withy_world_backend(WithyWorld world,
                            char *name,
                            uint64_t *size);

/* ===============================================================================================
 * Rods
 *
 * A set of strands of one material: a groom, a rope, the strings of a net. Vertices are counted strand after strand, root first,
 * through the whole set. A strand of n vertices has n - 1 edges, each with a material frame (d1, d2, d3), d3 along the edge, and
 * n - 2 elements: its interior vertices, where it bends and twists. Edges and elements are counted through the set likewise.
 */

/// Position-based rods with ghost points (Umetani 2014): many cheap iterations.
#define WITHY_MODEL_GHOST 0
/// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025): an iteration is a step of Newton's method over the whole strand;
/// one is enough for most scenes. A clamped end holds its edge. WITHY_STIFFNESS_PHYSICAL only; `order` and `ghost_...` do not
/// matter. Costs 308 bytes more a vertex, 616 in f64.
#define WITHY_MODEL_DER 1

/// `young_modulus`, `shear_modulus` and the section give the stiffness. The static shape depends neither on the time step nor
/// on the iterations.
#define WITHY_STIFFNESS_PHYSICAL 0
/// `alpha_...` is the share of each constraint that an iteration corrects (Umetani 2014). Stiffer with more iterations.
#define WITHY_STIFFNESS_ALPHA 1

/// The shape at the start, or `rest_positions`.
#define WITHY_REST_FROM_POSE 0
/// The lengths of the start, without curvature and twist.
#define WITHY_REST_STRAIGHT 1
/// `rest_lengths` and `rest_darboux`.
#define WITHY_REST_EXPLICIT 2

/// Edge by edge from the root, each with its bend and twist.
#define WITHY_ORDER_ROOT_TO_TIP 0
/// From both ends at once (Umetani 2014, fig. 7); the tip's end is that of the longest of the up to 32 strands that are solved side by side, so that
/// shorter ones depend on it. For comparison.
#define WITHY_ORDER_BIDIRECTIONAL 1
/// All edges, then all elements: the naive order, which vibrates by itself; kept for comparison.
#define WITHY_ORDER_SEQUENTIAL 2
/// None: all constraints of a strand at once, by one Newton step an iteration. Weight and stiffness travel the whole strand in one
/// step: long or stiff strands neither stretch nor soften, in f64; in f32 an edge gives by some 1e-5 h^2 g more under the weight of a vertex, h the substep,
/// which adds up in strands of thousands of edges and in edges far under a millimetre (docs/direct.md). Costs some four sweeps, and 300 bytes more a
/// vertex, 600 in f64; physical stiffness only.
#define WITHY_ORDER_DIRECT 3
/// In turn as WITHY_ORDER_ROOT_TO_TIP, and with all bends and twists from the tip before all edges from the root. Stretches as little
/// as that order, and does not vibrate by itself if a substep has two iterations or more.
#define WITHY_ORDER_ALTERNATING 4
/// WITHY_ORDER_DIRECT for WITHY_MODEL_GHOST, WITHY_STIFFNESS_PHYSICAL and WITHY_GHOST_GRAVITY_SHARED where the root or the tip is pinned or
/// clamped, or WITHY_RODS_SAG_FREE is set, and WITHY_RODS_WARM_START is not; else WITHY_ORDER_ALTERNATING: rods that fly keep their momenta
/// better so. `withy_rods_order` tells which.
#define WITHY_ORDER_AUTO 5

/// As much as the middle of its edge feels, the rest on the edge's ends (Umetani 2014, appendix): a hanging rod does not bend, a
/// falling one does not spin.
#define WITHY_GHOST_GRAVITY_SHARED 0
/// All of it: a hanging rod bends towards its ghost points. For comparison, like the next.
#define WITHY_GHOST_GRAVITY_FULL 1
/// None: a falling rod spins about its ghost points.
#define WITHY_GHOST_GRAVITY_NONE 2

/// How an end of each strand is held.
#define WITHY_SUPPORT_FREE 0
/// The end vertex follows `withy_rods_set_root_poses` or `_tip_poses`; the direction is free.
#define WITHY_SUPPORT_PINNED 1
/// The end vertex and the material frame at it follow.
#define WITHY_SUPPORT_CLAMPED 2

/// A flag of the def: at creation, find the rest shape that makes the start pose an equilibrium under the gravity that the world has then, as
/// `withy_rods_optimize_rest_shape` with its defaults does; to be asked on the way, or to cancel, call that instead. Strands that are too soft for their
/// pose sag all the same:
/// `withy_rods_read_elastic_report` tells which. WITHY_ORDER_AUTO becomes WITHY_ORDER_DIRECT; other orders of WITHY_MODEL_GHOST get
/// WITHY_RODS_WARM_START, with its price, a second or more of creation for some twenty strands, and WITHY_GHOST_GRAVITY_SHARED only: look at
/// `withy_rods_read_carried`, too. Ends that attachments will hold: optimize again once they do. Look
/// at `status` and `unstable_modes`: an equilibrium may be one that the strand leaves. WITHY_STIFFNESS_PHYSICAL only.
#define WITHY_RODS_SAG_FREE 1
/// A flag of the def: sweeps start each substep from the multipliers of the equilibrium that `withy_rods_optimize_rest_shape`,
/// `withy_rods_settle` or WITHY_RODS_SAG_FREE found last, not from zero, so that the pose stays at any iteration count.
/// The price: where the sweeps are too few to carry a strand in its pose, gravity, wind and forces act on it by the part that they carry, an
/// eighth, say, and it falls and swings as if it weighed that much; and where they only just carry it, it may leave its pose slowly, by a
/// hundredth of a millimetre in the first five seconds and a hundred times as much in the next. `withy_rods_read_carried` tells that part
/// of each strand; more substeps or iterations carry more, and WITHY_ORDER_DIRECT carries all and needs no warm start. After a change of
/// gravity, loads or rest strains optimize again: warm sweeps that start from another load's multipliers may swing for ever, and where rest strains or
/// stiffness are set, sweeps start from zero. Before the first
/// equilibrium, and in strands of which there is none, sweeps start from zero and carry all. WITHY_MODEL_GHOST with any order but
/// WITHY_ORDER_DIRECT, WITHY_STIFFNESS_PHYSICAL and
/// WITHY_GHOST_GRAVITY_SHARED only; else WITHY_ERROR_INVALID_ARGUMENT.
#define WITHY_RODS_WARM_START 2
/// A flag of the def: contact with these rods does not push bodies, which are to them what colliders are then. For hair and fur: rods that push
/// dynamic bodies are stepped together with them wherever these are near, with the world's iterations whatever solves the rods, which costs more.
/// Attachments push both ways all the same.
#define WITHY_RODS_ONE_WAY 4

/// Lengths, positions and velocities in host units; moduli, density and rates in SI whatever the convention.
typedef struct WithyRodsDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// Vectors, one a vertex. Required.
    WithySpan positions;
    /// u32, vertices of each strand, 2 to 2^24; they add up to `positions.count`, 2^31 at most. Required.
    WithySpan counts;
    /// Vectors, one a vertex, or none: the shape to have at rest where it differs from the start.
    WithySpan rest_positions;
    /// Vectors, one a vertex, or none: the start velocities.
    WithySpan velocities;
    /// Numbers, one a vertex, or none: section radii instead of `radius`, in the same range.
    WithySpan radii;
    /// Vectors, the direction of d1, projected off the edge: one an edge; one a strand, transported from its root; or none,
    /// for circular sections.
    WithySpan section_axes;
    /// Numbers, one a vertex, [1e-6, 1e6], or none: multiplies the stiffness of bending, twist and stretch.
    WithySpan stiffness_scale;
    /// Numbers, one an edge, [1e-9, 1e9] m. With WITHY_REST_EXPLICIT only, and then required.
    WithySpan rest_lengths;
    /// Vectors, one an element: Darboux vectors, as `withy_rods_read_darboux` gives them. With WITHY_REST_EXPLICIT only, and
    /// then required.
    WithySpan rest_darboux;
    /// Section radius, or for an ellipse the semi-axis along d1, [1e-7, 1e3] m. Required unless `radii` is there.
    double radius;
    /// Semi-axis along d2 over that along d1, [1e-3, 1e3]. Default: 1.
    double aspect;
    /// Young's modulus E and shear modulus G, Pa, [1e-3, 1e15]. Default: 1e7 and 4e6, rubber. (c_bend and c_twist of Takahashi and Batty 2025, whose
    /// c_stretch is `stretch_modulus`; hair: 4e9 and 1.5e9.)
    double young_modulus;
    double shear_modulus;
    /// 0 to 1, with WITHY_STIFFNESS_ALPHA: bending about d1 and d2, twist about d3, stretch. Default: 1.
    double alpha_bend1;
    double alpha_bend2;
    double alpha_twist;
    double alpha_stretch;
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    double density;
    /// Distance of the ghost points from their edges. 0 (the default): the mean edge length of the strand.
    double ghost_distance;
    /// Mass of a ghost point over that of its edge, from which it is taken, [1e-6, 0.9]. Default: 0.2.
    double ghost_mass_ratio;
    /// Rate at which motion other than a strand's rigid motion dies, 1/s, [0, 1e9]; keeps both momenta (Mueller 2007).
    /// Default: 0.
    double damping;
    /// Rate at which the velocity approaches that of the wind, 1/s, [0, 1e9]. Default: 0.
    double drag;
    /// Host units/s. Default: 0.
    WithyVec3 wind;
    /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean with the collider's. Default: 0.5.
    double friction;
    /// Distance of contact from the centreline, up to 1e3 m. 0 (the default): the section radius.
    double collision_radius;
    /// Vertices are slowed down to this speed, [1e-3, 1e9] m/s; the step's statistics count the strands. Loads that would bring a vertex there
    /// within one substep are cut by sweeps, and whole where Newton's method solves rods that something holds. 0 (the default): 1000 m/s.
    double max_speed;
    /// A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    uint32_t stiffness;
    /// A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    uint32_t rest_shape;
    /// A WITHY_ORDER_ value. Default: WITHY_ORDER_AUTO.
    uint32_t order;
    /// WITHY_SUPPORT_ values, at the first and the last vertex of each strand. Default: WITHY_SUPPORT_FREE.
    uint32_t root;
    uint32_t tip;
    /// Iterations of a substep, 10,000 at most. 0 (the default): one step of Newton's method with WITHY_ORDER_DIRECT and WITHY_MODEL_DER,
    /// without a line search, which comes with the second (docs/direct.md); the world's with sweeps. Rods that attachments hold are
    /// solved together, by the most iterations that any of them asks for; there 0 is the world's for all, three to eight where light bodies or
    /// junctions hold direct strands. What one of them asks for, or hangs on, thus changes how exactly the others are solved, near or far.
    uint32_t iterations;
    /// Layers that these rods are in and that they collide with: two objects meet if each has a bit of the other's category in
    /// its mask. Default: 1 and all.
    uint32_t category;
    uint32_t mask;
    /// How gravity pulls on the ghost points, a WITHY_GHOST_GRAVITY_ value. Default: WITHY_GHOST_GRAVITY_SHARED.
    uint32_t ghost_gravity;
    /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    uint32_t model;
    /// Young's modulus against stretching alone, Pa, [1e-3, 1e15]. 0 (the default): `young_modulus`.
    double stretch_modulus;
    /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e3]: slows changes of shape, leaves rigid motion
    /// and the static shape alone. WITHY_MODEL_DER or WITHY_ORDER_DIRECT only. With its stiffness no more than a step can take,
    /// which f32 limits. Default: 0.
    double viscosity;
} WithyRodsDef;

typedef struct WithyRods {
    uint64_t bits;
} WithyRods;

/// Fills `def` with the defaults. Use the macro `withy_rods_def_init(&def)`.
WITHY_API int32_t withy_rods_def_init_sized(WithyRodsDef *def, uint32_t size);
#define withy_rods_def_init(definition) \
    withy_rods_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Adds rods to a world; everything in `def` is copied.
///
/// Degenerate strands (zero-length edges, kinks) are accepted and named by `withy_rods_read_report`.
///
/// @param rods Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU also the orders WITHY_ORDER_BIDIRECTIONAL and WITHY_ORDER_SEQUENTIAL.
WITHY_API
int32_t withy_rods_create(WithyWorld world,
                          const WithyRodsDef *def,
                          WithyRods *rods);

/// Writes. Removes rods, and the attachments that hold them.
WITHY_API int32_t withy_rods_destroy(WithyRods rods);

/// Writes. Where the roots shall be at the end of the next step. They move there over its substeps; after that they stay.
///
/// @param positions Vectors, one a strand.
/// @param rotations Quaternions, one a strand: how far what the root sits on (a bone, a scalp) has turned since the rods were
///        created; a clamped frame turns with it. NULL: not at all, which is enough for WITHY_SUPPORT_PINNED.
/// @param teleport 1: they jump there, without getting a velocity. Else 0.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the roots are WITHY_SUPPORT_FREE.
WITHY_API
int32_t withy_rods_set_root_poses(WithyRods rods,
                                  const WithySpan *positions,
                                  const WithySpan *rotations,
                                  uint32_t teleport);

/// Writes. The same for the tips.
WITHY_API
int32_t withy_rods_set_tip_poses(WithyRods rods,
                                 const WithySpan *positions,
                                 const WithySpan *rotations,
                                 uint32_t teleport);

/// Writes. Moves all roots by one rigid transform: `withy_rods_set_root_poses` for hair on a rigid head, in one call.
///
/// The transform is relative to the pose at creation: a root that was created at x will be at rotation * x + position at
/// the end of the next step, and a clamped root turns by `rotation`. For a head whose matrix was M0 when the rods were
/// created and is M now, pass M * inverse(M0). The identity brings the roots back to where they were created.
///
/// @param transform Position in host units.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there during the next step.
/// @return WITHY_ERROR_INVALID_ARGUMENT also if the roots are WITHY_SUPPORT_FREE.
WITHY_API
int32_t withy_rods_set_root_transform(WithyRods rods,
                                      const WithyPose *transform,
                                      uint32_t teleport);

/// Writes. Holds one vertex at `target`, host units, from the end of the next step on; it moves there over the substeps and
/// stays. NULL lets it go, and is no error for a vertex that is not held.
///
/// @param vertex Counted through the set.
/// @param teleport 1: it jumps there. Else 0.
WITHY_API
int32_t withy_rods_set_pin(WithyRods rods,
                           uint32_t vertex,
                           const WithyVec3 *target,
                           uint32_t teleport);

/// Writes. Changes the rates `damping` and `drag`, 1/s, `wind`, host units/s (NULL: none), and `friction` of the def.
WITHY_API
int32_t withy_rods_set_motion(WithyRods rods,
                              double damping,
                              double drag,
                              const WithyVec3 *wind,
                              double friction);

/// Writes. Moves the vertices at once; velocities stay, and the frames turn with their edges along the shortest way. A strand that is twisted stays
/// so: withy_rods_write_frames untwists it, and withy_world_restore_state gives a whole state back.
///
/// @param positions Vectors, one a vertex.
WITHY_API
int32_t withy_rods_write_positions(WithyRods rods,
                                   const WithySpan *positions);

/// Writes.
///
/// @param velocities Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_write_velocities(WithyRods rods, const WithySpan *velocities);

/// Writes. A force on every vertex, N, in the host's axes, in every step until it is set again. Vertices that the host drives do
/// not feel it. The first call, of this or withy_rods_set_moments, allocates: 16 bytes a vertex, 32 in f64.
///
/// @param forces Vectors, one a vertex, each component at most 1e9; NULL: no forces any more.
WITHY_API
int32_t withy_rods_set_forces(WithyRods rods,
                              const WithySpan *forces);

/// Reads. u32, the vertices of each strand, as created.
WITHY_API int32_t withy_rods_read_counts(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one a vertex, host units.
WITHY_API int32_t withy_rods_read_positions(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_read_velocities(WithyRods rods, WithySpan *out);

/// Reads. Quaternions, one an edge: the material frame, which turns local x, y, z into d1, d2, d3 (see the conventions).
WITHY_API
int32_t withy_rods_read_frames(WithyRods rods,
                               WithySpan *out);

/* ===============================================================================================
 * Hair and rope
 *
 * Two more ways to fill a WithyRodsDef: with values that look right. Set the arrays, change what you like, create the rods.
 */

/// Fills `def` for hair. Use the macro `withy_hair_def_init(context, &def)`.
///
/// Each strand is a lock of a few hairs: E 4e9 Pa, G 1.5e9 Pa, density 1300 kg/m^3, radius 0.1 mm. Roots are clamped. The
/// flags are WITHY_RODS_SAG_FREE, so set the gravity of the world before you create the rods, and WITHY_RODS_ONE_WAY.
/// `damping` is 4/s and `drag` 3/s. A single hair has a radius of 0.03 to 0.05 mm and more drag; fur and lashes are
/// shorter and need no other values.
///
/// @param context Its convention says in which unit `radius` is.
WITHY_API
int32_t withy_hair_def_init_sized(WithyContext context,
                                  WithyRodsDef *def,
                                  uint32_t size);
#define withy_hair_def_init(context, definition) \
    withy_hair_def_init_sized((context), (definition), (uint32_t)sizeof *(definition))

/// Fills `def` for rope. Use the macro `withy_rope_def_init(context, &def)`.
///
/// The rope is 10 mm thick, weighs 79 g a metre and has friction 0.6. It bends as a climbing rope does (`young_modulus`
/// 1e7 Pa) and hardly stretches (`stretch_modulus` 1e9 Pa: 1 % under 80 kg). It is straight at rest, whatever its start pose.
/// Both ends are free: hold them with `root` and `tip`, with pins, or with attachments. For another thickness set `radius`.
///
/// @param context Its convention says in which unit `radius` is.
WITHY_API
int32_t withy_rope_def_init_sized(WithyContext context,
                                  WithyRodsDef *def,
                                  uint32_t size);
#define withy_rope_def_init(context, definition) \
    withy_rope_def_init_sized((context), (definition), (uint32_t)sizeof *(definition))

/* ===============================================================================================
 * Colliders
 *
 * Rigid shapes that the host moves and rods and bodies slide on.
 */

/// The half space below the pose's local horizontal: up (y, or z where the convention has Z up) is its normal.
#define WITHY_SHAPE_PLANE 0
/// `radius`.
#define WITHY_SHAPE_SPHERE 1
/// `radius` and `half_height`, the latter without the caps; along local up.
#define WITHY_SHAPE_CAPSULE 2
/// `half_extents`, along the local axes.
#define WITHY_SHAPE_BOX 3
/// The hull of two spheres: `radius` at -`half_height` on local up, `radius_top` at +`half_height`. Not on the GPU.
#define WITHY_SHAPE_TAPERED_CAPSULE 4

/// Lengths and positions in host units. Shapes are centred on their pose.
typedef struct WithyColliderDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_PLANE.
    uint32_t shape;
    /// As for rods. Default: 1 and all.
    uint32_t category;
    uint32_t mask;
    /// 0
    uint32_t reserved;
    /// Default: identity.
    WithyPose pose;
    /// What the shape needs of these three and of `radius_top`: [1e-9, 1e6] m, and `half_height` [0, 1e6] m.
    double radius;
    double half_height;
    WithyVec3 half_extents;
    /// Coulomb's coefficient, [0, 1e3]. Default: 0.5.
    double friction;
    /// Of WITHY_SHAPE_TAPERED_CAPSULE.
    double radius_top;
} WithyColliderDef;

typedef struct WithyCollider {
    uint64_t bits;
} WithyCollider;

/// Fills `def` with the defaults. Use the macro `withy_collider_def_init(&def)`.
WITHY_API int32_t withy_collider_def_init_sized(WithyColliderDef *def, uint32_t size);
#define withy_collider_def_init(definition) \
    withy_collider_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Adds a collider to a world.
///
/// @param collider Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: a WITHY_SHAPE_TAPERED_CAPSULE on the GPU.
WITHY_API
int32_t withy_collider_create(WithyWorld world,
                              const WithyColliderDef *def,
                              WithyCollider *collider);

/// Writes. Removes a collider.
WITHY_API int32_t withy_collider_destroy(WithyCollider collider);

/// Writes. Where the collider shall be at the end of the next step. It moves there over the substeps and drags by friction what
/// touches it; after that it stays.
///
/// @param teleport 1: it jumps there, without a velocity. Else 0.
WITHY_API
int32_t withy_collider_set_pose(WithyCollider collider,
                                const WithyPose *pose,
                                uint32_t teleport);

/// Reads. The pose as last set.
WITHY_API int32_t withy_collider_get_pose(WithyCollider collider, WithyPose *pose);

/* ===============================================================================================
 * Layout
 *
 * Part of the ABI; compilers that can, check it (64-bit).
 */

#if defined(__cplusplus)
#define WITHY_ASSERT(fact) static_assert(fact, #fact)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WITHY_ASSERT(fact) _Static_assert(fact, #fact)
#endif

#if defined(WITHY_ASSERT) && UINTPTR_MAX == UINT64_MAX
WITHY_ASSERT(sizeof(WithySpan) == 32);
WITHY_ASSERT(offsetof(WithySpan, data) == 0);
WITHY_ASSERT(offsetof(WithySpan, count) == 8);
WITHY_ASSERT(offsetof(WithySpan, stride) == 16);
WITHY_ASSERT(offsetof(WithySpan, format) == 24);
WITHY_ASSERT(offsetof(WithySpan, reserved) == 28);
WITHY_ASSERT(sizeof(WithyVec3) == 24);
WITHY_ASSERT(offsetof(WithyVec3, x) == 0);
WITHY_ASSERT(offsetof(WithyVec3, y) == 8);
WITHY_ASSERT(offsetof(WithyVec3, z) == 16);
WITHY_ASSERT(sizeof(WithyQuat) == 32);
WITHY_ASSERT(offsetof(WithyQuat, x) == 0);
WITHY_ASSERT(offsetof(WithyQuat, y) == 8);
WITHY_ASSERT(offsetof(WithyQuat, z) == 16);
WITHY_ASSERT(offsetof(WithyQuat, w) == 24);
WITHY_ASSERT(sizeof(WithyPose) == 56);
WITHY_ASSERT(offsetof(WithyPose, position) == 0);
WITHY_ASSERT(offsetof(WithyPose, rotation) == 24);
WITHY_ASSERT(sizeof(WithyTaskCallbacks) == 16);
WITHY_ASSERT(offsetof(WithyTaskCallbacks, user) == 0);
WITHY_ASSERT(offsetof(WithyTaskCallbacks, run) == 8);
WITHY_ASSERT(sizeof(WithyContextDef) == 40);
WITHY_ASSERT(offsetof(WithyContextDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyContextDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyContextDef, next) == 8);
WITHY_ASSERT(offsetof(WithyContextDef, convention) == 16);
WITHY_ASSERT(offsetof(WithyContextDef, threads) == 20);
WITHY_ASSERT(offsetof(WithyContextDef, metres_per_unit) == 24);
WITHY_ASSERT(offsetof(WithyContextDef, tasks) == 32);
WITHY_ASSERT(sizeof(WithyContext) == 8);
WITHY_ASSERT(offsetof(WithyContext, bits) == 0);
WITHY_ASSERT(sizeof(WithyWorldDef) == 40);
WITHY_ASSERT(offsetof(WithyWorldDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyWorldDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyWorldDef, next) == 8);
WITHY_ASSERT(offsetof(WithyWorldDef, backend) == 16);
WITHY_ASSERT(offsetof(WithyWorldDef, isa) == 20);
WITHY_ASSERT(offsetof(WithyWorldDef, precision) == 24);
WITHY_ASSERT(offsetof(WithyWorldDef, substeps) == 28);
WITHY_ASSERT(offsetof(WithyWorldDef, iterations) == 32);
WITHY_ASSERT(offsetof(WithyWorldDef, reserved) == 36);
WITHY_ASSERT(sizeof(WithyWorld) == 8);
WITHY_ASSERT(offsetof(WithyWorld, bits) == 0);
WITHY_ASSERT(sizeof(WithyRodsDef) == 512);
WITHY_ASSERT(offsetof(WithyRodsDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRodsDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRodsDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRodsDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyRodsDef, counts) == 48);
WITHY_ASSERT(offsetof(WithyRodsDef, rest_positions) == 80);
WITHY_ASSERT(offsetof(WithyRodsDef, velocities) == 112);
WITHY_ASSERT(offsetof(WithyRodsDef, radii) == 144);
WITHY_ASSERT(offsetof(WithyRodsDef, section_axes) == 176);
WITHY_ASSERT(offsetof(WithyRodsDef, stiffness_scale) == 208);
WITHY_ASSERT(offsetof(WithyRodsDef, rest_lengths) == 240);
WITHY_ASSERT(offsetof(WithyRodsDef, rest_darboux) == 272);
WITHY_ASSERT(offsetof(WithyRodsDef, radius) == 304);
WITHY_ASSERT(offsetof(WithyRodsDef, aspect) == 312);
WITHY_ASSERT(offsetof(WithyRodsDef, young_modulus) == 320);
WITHY_ASSERT(offsetof(WithyRodsDef, shear_modulus) == 328);
WITHY_ASSERT(offsetof(WithyRodsDef, alpha_bend1) == 336);
WITHY_ASSERT(offsetof(WithyRodsDef, alpha_bend2) == 344);
WITHY_ASSERT(offsetof(WithyRodsDef, alpha_twist) == 352);
WITHY_ASSERT(offsetof(WithyRodsDef, alpha_stretch) == 360);
WITHY_ASSERT(offsetof(WithyRodsDef, density) == 368);
WITHY_ASSERT(offsetof(WithyRodsDef, ghost_distance) == 376);
WITHY_ASSERT(offsetof(WithyRodsDef, ghost_mass_ratio) == 384);
WITHY_ASSERT(offsetof(WithyRodsDef, damping) == 392);
WITHY_ASSERT(offsetof(WithyRodsDef, drag) == 400);
WITHY_ASSERT(offsetof(WithyRodsDef, wind) == 408);
WITHY_ASSERT(offsetof(WithyRodsDef, friction) == 432);
WITHY_ASSERT(offsetof(WithyRodsDef, collision_radius) == 440);
WITHY_ASSERT(offsetof(WithyRodsDef, max_speed) == 448);
WITHY_ASSERT(offsetof(WithyRodsDef, stiffness) == 456);
WITHY_ASSERT(offsetof(WithyRodsDef, rest_shape) == 460);
WITHY_ASSERT(offsetof(WithyRodsDef, order) == 464);
WITHY_ASSERT(offsetof(WithyRodsDef, root) == 468);
WITHY_ASSERT(offsetof(WithyRodsDef, tip) == 472);
WITHY_ASSERT(offsetof(WithyRodsDef, iterations) == 476);
WITHY_ASSERT(offsetof(WithyRodsDef, category) == 480);
WITHY_ASSERT(offsetof(WithyRodsDef, mask) == 484);
WITHY_ASSERT(offsetof(WithyRodsDef, ghost_gravity) == 488);
WITHY_ASSERT(offsetof(WithyRodsDef, model) == 492);
WITHY_ASSERT(offsetof(WithyRodsDef, stretch_modulus) == 496);
WITHY_ASSERT(offsetof(WithyRodsDef, viscosity) == 504);
WITHY_ASSERT(sizeof(WithyRods) == 8);
WITHY_ASSERT(offsetof(WithyRods, bits) == 0);
WITHY_ASSERT(sizeof(WithyColliderDef) == 144);
WITHY_ASSERT(offsetof(WithyColliderDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyColliderDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyColliderDef, next) == 8);
WITHY_ASSERT(offsetof(WithyColliderDef, shape) == 16);
WITHY_ASSERT(offsetof(WithyColliderDef, category) == 20);
WITHY_ASSERT(offsetof(WithyColliderDef, mask) == 24);
WITHY_ASSERT(offsetof(WithyColliderDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyColliderDef, pose) == 32);
WITHY_ASSERT(offsetof(WithyColliderDef, radius) == 88);
WITHY_ASSERT(offsetof(WithyColliderDef, half_height) == 96);
WITHY_ASSERT(offsetof(WithyColliderDef, half_extents) == 104);
WITHY_ASSERT(offsetof(WithyColliderDef, friction) == 128);
WITHY_ASSERT(offsetof(WithyColliderDef, radius_top) == 136);
WITHY_ASSERT(sizeof(WithyCollider) == 8);
WITHY_ASSERT(offsetof(WithyCollider, bits) == 0);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_H */
