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
/* For withy_check_version. */
#define WITHY_VERSION (((uint32_t)WITHY_VERSION_MAJOR << 22) | ((uint32_t)WITHY_VERSION_MINOR << 12) | (uint32_t)WITHY_VERSION_PATCH)

/* On Windows, define WITHY_DLL before including this to link with withy.dll rather than with the static library. */
#if defined(_WIN32) && defined(WITHY_DLL)
#define WITHY_API __declspec(dllimport)
#else
#define WITHY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* =============================================================================================================================
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
WITHY_API uint32_t withy_version(void);

/// WITHY_OK if programs compiled with the header of `header_version` (pass WITHY_VERSION) run with this library: the same major
/// version; before 1.0 also the same minor version.
///
/// @return WITHY_ERROR_UNSUPPORTED otherwise.
WITHY_API int32_t withy_check_version(uint32_t header_version);

/// Why the last failed call of this thread failed: the function, the field, the index, the value. Never NULL; empty before the
/// first failure. Valid until the next failure on this thread. A successful call leaves it as it is.
WITHY_API const char *withy_last_error(void);

/// "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY; "unknown" for what is no result. A constant string.
WITHY_API const char *withy_result_name(int32_t result);

/// 1 if this machine can run `isa`, a WITHY_ISA_ value; WITHY_ISA_AUTO always.
WITHY_API uint32_t withy_isa_available(uint32_t isa);

/* =============================================================================================================================
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

/* =============================================================================================================================
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
    void (*run)(void *user, void (*task)(void *task_data, uint32_t index), void *task_data, uint32_t count);
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
WITHY_API int32_t withy_context_def_init_sized(WithyContextDef *def, uint32_t size);
#define withy_context_def_init(def) withy_context_def_init_sized((def), (uint32_t)sizeof *(def))

/// Creates a context and, if `def` asks for them, its threads.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param context Set on success. Destroy it with `withy_context_destroy`.
WITHY_API int32_t withy_context_create(const WithyContextDef *def, WithyContext *context);

/// Destroys a context with its worlds and all that is in them, and joins its threads. Their handles are stale from then on.
///
/// @return WITHY_ERROR_BUSY: one of its worlds is in use; nothing has been destroyed.
WITHY_API int32_t withy_context_destroy(WithyContext context);

/* =============================================================================================================================
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
#define WITHY_ISA_SCALAR 1
#define WITHY_ISA_SSE2 2
#define WITHY_ISA_AVX2 3
#define WITHY_ISA_AVX512 4
#define WITHY_ISA_NEON 5

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
#define withy_world_def_init(def) withy_world_def_init_sized((def), (uint32_t)sizeof *(def))

/// Creates an empty world whose gravity is 9.81 m/s^2 downwards.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param world Set on success. Destroy it with `withy_world_destroy`, or with its context.
/// @return WITHY_ERROR_UNSUPPORTED: the backend or the instruction set is not there, or the GPU is to compute in f64.
WITHY_API int32_t withy_world_create(WithyContext context, const WithyWorldDef *def, WithyWorld *world);

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

/* =============================================================================================================================
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

/// An edge shorter than 1e-4 of the strand's mean, simulated at that length. Value: its length, m.
#define WITHY_ISSUE_SHORT_EDGE 1
/// A strand of no length, simulated as a tiny straight one. Value: its length, m.
#define WITHY_ISSUE_NO_LENGTH 2
/// Neighbouring edges that fold back by more than 175 degrees. Value: the angle, rad.
#define WITHY_ISSUE_KINK 3
/// A strand whose edges are, on average, shorter than a tenth of its radius: it stretches to many times its length. Value: the
/// mean edge, m.
#define WITHY_ISSUE_STUB 4

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

/// Where and why a strand was degenerate at creation.
typedef struct WithyStrandIssue {
    uint32_t strand;
    /// Counted from the strand's root.
    uint32_t vertex;
    /// A WITHY_ISSUE_ value.
    uint32_t kind;
    uint32_t reserved;
    /// What the kind says, SI.
    double value;
} WithyStrandIssue;

/// Fills `def` with the defaults. Use the macro `withy_rods_def_init(&def)`.
WITHY_API int32_t withy_rods_def_init_sized(WithyRodsDef *def, uint32_t size);
#define withy_rods_def_init(def) withy_rods_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Adds rods to a world; everything in `def` is copied.
///
/// Degenerate strands (zero-length edges, kinks) are accepted and named by `withy_rods_read_report`.
///
/// @param rods Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU also the orders WITHY_ORDER_BIDIRECTIONAL and WITHY_ORDER_SEQUENTIAL.
WITHY_API int32_t withy_rods_create(WithyWorld world, const WithyRodsDef *def, WithyRods *rods);

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

/// Writes. Holds one vertex at `target`, host units, from the end of the next step on; it moves there over the substeps and
/// stays. NULL lets it go, and is no error for a vertex that is not held.
///
/// @param vertex Counted through the set.
/// @param teleport 1: it jumps there. Else 0.
WITHY_API int32_t withy_rods_set_pin(WithyRods rods, uint32_t vertex, const WithyVec3 *target, uint32_t teleport);

/// Writes. Changes the rates `damping` and `drag`, 1/s, `wind`, host units/s (NULL: none), and `friction` of the def.
WITHY_API
int32_t withy_rods_set_motion(WithyRods rods,
                              double damping,
                              double drag,
                              const WithyVec3 *wind,
                              double friction);

/// Writes. Changes the shape that the rods want to have.
///
/// @param rest_shape A WITHY_REST_ value; WITHY_REST_FROM_POSE takes the present pose.
/// @param rest_lengths Numbers, one an edge, host units. NULL unless WITHY_REST_EXPLICIT.
/// @param rest_darboux Vectors, one an element, 1/host unit. NULL unless WITHY_REST_EXPLICIT, or if there are no elements.
WITHY_API
int32_t withy_rods_set_rest_shape(WithyRods rods,
                                  uint32_t rest_shape,
                                  const WithySpan *rest_lengths,
                                  const WithySpan *rest_darboux);

/// Writes. Moves the vertices at once; velocities stay, and the frames turn with their edges along the shortest way. A strand that is twisted stays
/// so: withy_rods_write_frames untwists it, and withy_world_restore_state gives a whole state back.
///
/// @param positions Vectors, one a vertex.
WITHY_API
int32_t withy_rods_write_positions(WithyRods rods,
                                   const WithySpan *positions);

/// Writes. Turns the material frames at once, about their edges, whose directions stay: d1 goes to where the frame has it, across the edge. So
/// withy_rods_write_positions with what withy_rods_read_positions gave, then this with what withy_rods_read_frames gave, are the pose of then. Edges do not
/// spin afterwards; full turns of WITHY_MODEL_DER are those that leave the least twist. Frames that the host holds stay its own.
///
/// @param frames Quaternions, one an edge, as of withy_rods_read_frames.
WITHY_API
int32_t withy_rods_write_frames(WithyRods rods,
                                const WithySpan *frames);

/// Writes.
///
/// @param velocities Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_write_velocities(WithyRods rods, const WithySpan *velocities);

/// Writes. A force on every vertex, N, in the host's axes, in every step until it is set again. Vertices that the host drives do
/// not feel it. The first call, of this or withy_rods_set_moments, allocates: 16 bytes a vertex, 32 in f64.
///
/// @param forces Vectors, one a vertex, each component at most 1e9; NULL: no forces any more.
WITHY_API int32_t withy_rods_set_forces(WithyRods rods, const WithySpan *forces);

/// Writes. A moment about every edge, N m, as of a motor that twists the rod there: it turns the edge about its direction from root to tip,
/// the way that rotations turn in the host's axes, in every step until it is set again. It goes along with the edge. What a clamp of
/// WITHY_MODEL_DER holds does not feel it. Rest shapes are solved with it, but it has no energy: a strand with a moment at its free end may flutter though
/// its report calls it stable.
///
/// @param moments Numbers, one an edge, each at most 1e9; NULL: no moments any more.
WITHY_API
int32_t withy_rods_set_moments(WithyRods rods,
                               const WithySpan *moments);

/// Reads. What solves the rods, a WITHY_ORDER_ value: what became of WITHY_ORDER_AUTO; WITHY_ORDER_DIRECT for WITHY_MODEL_DER.
WITHY_API int32_t withy_rods_order(WithyRods rods, uint32_t *order);

/// Reads. u32, the vertices of each strand, as created.
WITHY_API int32_t withy_rods_read_counts(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one a vertex, host units.
WITHY_API int32_t withy_rods_read_positions(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_read_velocities(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one an edge: the ghost points, host units.
WITHY_API int32_t withy_rods_read_ghosts(WithyRods rods, WithySpan *out);

/// Reads. Quaternions, one an edge: the material frame, which turns local x, y, z into d1, d2, d3 (see the conventions).
WITHY_API int32_t withy_rods_read_frames(WithyRods rods, WithySpan *out);

/// Reads. Numbers, one an element: the angle by which the material turns about the rod from one edge to the next, rad, in the
/// host's sense of rotation.
WITHY_API int32_t withy_rods_read_twist(WithyRods rods, WithySpan *out);

/// Reads. Numbers, one an edge: length / rest length - 1.
WITHY_API int32_t withy_rods_read_strain(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one an element: the Darboux vector, curvature about d1 and d2 and twist about d3, 1/host unit, in local axes
/// (see the conventions).
WITHY_API int32_t withy_rods_read_darboux(WithyRods rods, WithySpan *out);

/// Reads. Numbers, one an edge: the tension in the last substep, N, positive where the edge pulls its ends together. 0 before
/// the first step.
WITHY_API int32_t withy_rods_read_tension(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one a vertex: the moment through it in the last substep, N m: bending about d1 and d2, twist about d3, in
/// local axes (see the conventions). At an end it is that of the support, 0 where there is none; a clamp of WITHY_MODEL_DER holds an
/// edge, and shows at that edge's other vertex; an attachment's shows at the end. 0 before the first step.
WITHY_API
int32_t withy_rods_read_moments(WithyRods rods,
                                WithySpan *out);

/// Reads. What was degenerate at creation, strand by strand.
///
/// @param issues Room for `*count` issues, or NULL to learn the count.
/// @param count Set to the number of issues.
WITHY_API int32_t withy_rods_read_report(WithyRods rods, WithyStrandIssue *issues, uint64_t *count);

/* =============================================================================================================================
 * Rest shapes that do not sag
 *
 * A groom is modelled in the pose that gravity has already bent it to. Simulated as if that were its rest shape, it sags at the first
 * frame. `withy_rods_optimize_rest_shape` finds the rest lengths, curvatures and twists that make the present pose an equilibrium
 * under the present gravity and forces (Takahashi and Batty 2025), and tells of each strand how well it could be done and whether the
 * equilibrium is stable. WITHY_STIFFNESS_PHYSICAL only. It holds for what solves the statics: WITHY_MODEL_DER and WITHY_ORDER_DIRECT.
 * Sweeps stop short of the statics in every substep, and sag by what they leave, unless they start from it: WITHY_RODS_WARM_START. What
 * was found can be read, kept with the groom and given back: rest lengths, rest strains and, where strands were stiffened, stiffness
 * factors. With each rest shape comes a certificate of its stability, `WithyElasticReport.unstable_modes` and `lowest_mode`: an
 * equilibrium that is none leaves the pose at the first touch.
 */

/// The bounds are not kept. A pose too tight for its strand can get rest curvatures beyond 169 degrees then, where steps soften: with unstable modes such
/// a strand may move on and on.
#define WITHY_BOUNDS_NONE 0
/// By a penalty, as in the paper: they are overstepped a little, and by much where that is the smaller evil, as in poses of thousands of g.
#define WITHY_BOUNDS_PENALTY 1
/// By a penalty, every iterate clamped.
#define WITHY_BOUNDS_CLAMPED 2
/// Exactly: what is at a bound and pushes outward is held there. Bounds that leave the first rest shape out are kept all the same, at any cost to the pose: lengths of 1.05 and
/// more throw a stiff strand centimetres.
#define WITHY_BOUNDS_EXACT 3

/// Nothing has been asked of the strand.
#define WITHY_STRAND_IDLE 0
/// The residual is at the target: the pose is an equilibrium, to a thousandth of the strand's length if it is stable. Whether it stays is for `unstable_modes`
/// to say: 0 if it does.
#define WITHY_STRAND_AT_TARGET 1
/// The residual is as small as the rest shape can make it; with a target of 0 the paper's minimum. Or it is at the target, of a strand so light or so hardly stable
/// that it rests more than a thousandth of its length from the pose.
#define WITHY_STRAND_CONVERGED 2
/// The same, with parameters at their bounds: the strand is too soft for its pose.
#define WITHY_STRAND_AT_BOUNDS 3
/// The iterations were used up.
#define WITHY_STRAND_ITERATION_LIMIT 4
/// `progress` cancelled before it was the strand's turn.
#define WITHY_STRAND_CANCELLED 5
/// The strand was left as it is: `refusal` says why.
#define WITHY_STRAND_REFUSED 6
/// The pose is not held, or not by `lowest_mode_min`, and what it would take was not found: the rest shape is the one without stiffening.
/// Because `stiffen` allows too little, or a step of this length makes too little of it in f32 (WITHY_REFUSAL_STEP; f64 does not
/// ask), or bounds stay around a first rest shape that is far from the pose (`withy_rods_set_rest_shape` from the pose, then again), or there are more than 1000 vertices, or no stiffness raises that mode: a pinned root swings however stiff the rod is.
#define WITHY_STRAND_TOO_SOFT 7
/// As WITHY_STRAND_AT_TARGET, but the rods are swept from zero in every substep, which stops short of the equilibrium and sags: make them with
/// WITHY_RODS_SAG_FREE, WITHY_RODS_WARM_START or WITHY_ORDER_DIRECT.
#define WITHY_STRAND_SWEPT 8

/// A NaN or an infinity in pose, forces or rest shape, or statics that run farther than 1e9 m or 1e4 lengths of the strand, as of one that
/// nothing holds.
#define WITHY_REFUSAL_NOT_FINITE 1
/// A vertex or an edge without mass.
#define WITHY_REFUSAL_NO_MASS 2
/// An edge shorter than a millionth of the strand's longest: after a write of positions only, as the definition's are simulated longer
/// (WITHY_ISSUE_SHORT_EDGE).
#define WITHY_REFUSAL_SHORT_EDGE 3
/// Two edges that fold back on each other: by more than 169 degrees, where a step of Newton's method takes them for a softer element; of rods
/// that are swept by 180, where their curvature is infinite.
#define WITHY_REFUSAL_FOLD 4
/// The pose is an equilibrium, but a step in f32 may leave it: some element is so stiff, beside what its vertices weigh, that the step takes it for another
/// (in a thin tape, or a kink of stiff hair: from some 110 degrees on at one substep a frame, 150 at eight; kinks mostly stay all the same). Of rest shapes, whatever the iterations. Make the world with WITHY_PRECISION_F64; for what is no stiffer than
/// steps take it, more substeps do, too.
#define WITHY_REFUSAL_PRECISION 6
/// What would hold the pose may be stiffer than steps of this length take it, as in f32 beside an edge a thousandth as long as the others: more substeps make more of
/// it (`step`), and WITHY_PRECISION_F64 takes 1e5 times as much.
#define WITHY_REFUSAL_STEP 7
/// A vertex is not where it is held, and the next step takes it there: by more than 1e-5 of its edge's length a pinned one, or a root or tip, of a pose that was written without
/// `withy_rods_set_pin` or `withy_rods_set_root_poses` (teleported: a target that is still ahead holds nothing yet), and of discrete elastic rods the second vertex of a clamped
/// end, a rest length along the tangent of the frame that holds it; by more than 1e-3 of its edge an end that is attached to a body or a mesh. Of what else holds: the rest
/// shape was found for the pose as it is.
#define WITHY_REFUSAL_HELD 8

/// How to look for rest shapes; `withy_rest_shape_def_init` fills in the paper's values and a `target`, with which the iterations go on to the
/// equilibrium. For the paper's own algorithm, which ends before it, set `target` to 0.
typedef struct WithyRestShapeDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// Called on the calling thread, before the first strand and then several times a second, with the strands that are done and all of
    /// them. Anything but 0 cancels: strands that have not begun keep their rest shape and are WITHY_STRAND_CANCELLED in the report, and
    /// the call returns WITHY_OK. The world is busy meanwhile. It is not asked within a strand (which `stiffen` may keep for seconds,
    /// one of 1000 vertices for a minute). Rods with
    /// WITHY_RODS_WARM_START ask on, all strands done, while they find what the sweeps carry, which takes longer than all before: where
    /// that is cancelled, strands with a new rest shape start cold and are WITHY_STRAND_SWEPT. NULL: none.
    uint32_t (*progress)(void *user, uint32_t done, uint32_t all);
    /// Handed to `progress`.
    void *user;
    /// With `target` 0: weight of the distance from the first rest shape. With another, as by default, it only damps the iterations. 1e-15 to
    /// 1e15. Default: 1e-5.
    double regularizer;
    /// Weight of overstepped bounds, 0 to 1e15. Default: 1e6.
    double penalty;
    /// With `target` 0: the step in the parameters below which it ends, 0 to 1e15. Default: 1e-5.
    double tolerance;
    /// The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5; a thousandth of that of the loads where that is less. 0: the
    /// paper's minimum, which the regularizer keeps off the equilibrium. 0 to 1e15. Default: 1e-6.
    double target;
    /// Rest lengths stay within these multiples of the first ones, 0 to 1e6, the larger above 0; those of edges that a clamp holds stay as they are.
    /// Default: 0.1 and 1.1.
    double length_min;
    double length_max;
    /// Rest curvatures (twice the tangent of half the angle between two edges) change by this, at most, 0 to 1e15. Default: 1.4142, 70
    /// degrees.
    double curvature;
    /// Rest twists change by this, at most, rad, 0 to 1e15. Default: pi/8. WITHY_MODEL_GHOST: by `curvature`, if that is more, as what bends
    /// a curved rod changes its third strain, too.
    double twist;
    /// Where the bounds keep a strand from its pose, or the pose would not be stable: the largest factor by which it may be stiffened,
    /// vertex by vertex and no more than it takes, 1 to 1e15, of which 1e9 are used; takes longer. What is least is the sum of lengths times
    /// factors (docs/rest_shape.md): found but for 0.5 % at bounds where only the root is held, of up to 250 vertices; between two held
    /// ends, of up to 128, 2 % more at most in all cases that were measured; near it elsewhere. Just stable is a `lowest_mode` of a
    /// hundredth of the loads' acceleration over the strand's length, 0.4 1/s^2 of hair of 25 cm, in f32 between two held places a fifth: at
    /// 1 g, what a step in f32 rounds moves that by some 1e-4 of the length in ten seconds near the origin, ghost-point rods ten metres away by up to 2e-3. For more, and for loads of many g in f32, ask for
    /// a `lowest_mode_min`.
    /// Strands of more than 1000 vertices are not stiffened. 0 (the default): not at all.
    double stiffen;
    /// The length of the steps to come, s: the rest shape holds for steps of this length and shorter ones, in as many substeps as the world
    /// makes of them now or more; in wind, whose push a step of h takes for drag/(1 + drag h), of these only (`withy_rods_optimize_rest_shape`,
    /// WITHY_RODS_WARM_START), 1e-6 to 10. 0 (the default): as long as the last one, 1/60 s before the first.
    double step;
    /// Gauss-Newton iterations, at most, 1 to 1e6, of strands whose rest shape does not follow from statics: those that their bounds or pins between
    /// their ends leave to it. Default: 500.
    uint32_t iterations;
    /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_PENALTY.
    uint32_t bounds;
    /// 0: the rest twist stays. Default: 1.
    uint32_t change_twist;
    /// 0
    uint32_t reserved;
    /// With `stiffen`: what `lowest_mode` shall be at least, 1/s^2, 0 to 1e15; strands that have less are stiffened until they have. A limp
    /// strand that hangs straight down has 1.4 times gravity over length, 57 of 25 cm. 0 (the default): just stable.
    double lowest_mode_min;
} WithyRestShapeDef;

/// What is known of a strand's equilibrium. A strand holds its pose if `status` is WITHY_STRAND_AT_TARGET and `unstable_modes` 0; a strand that nothing holds, which
/// falls, is WITHY_STRAND_CONVERGED.
typedef struct WithyElasticReport {
    /// A WITHY_STRAND_ value.
    uint32_t status;
    /// A WITHY_REFUSAL_ value (none is 5): why it was refused, or why its pose is not held; or 0.
    uint32_t refusal;
    /// 0: the strand had its rest shape; 1: it followed from statics; or what Gauss-Newton took.
    uint32_t iterations;
    /// Rest parameters at or beyond a bound.
    uint32_t at_bounds;
    /// Ways in which the strand leaves the pose by itself, or what else keeps it from holding: 0 for a stable equilibrium, if `lowest_mode` is a number; 0 too where nothing is
    /// known. A neutral mode, as of a rope that turns about its line, is none. In f32, of strands that more than one end holds, also what the
    /// rounding of the rest shape makes of it: 1 or more where that alone leads away from the pose, by a thousandth of the length or for good; and
    /// 1 where `refusal` names a step or what is held elsewhere as the cause. Moments about edges turn with them and have no energy: what a pose
    /// may flutter by under these is not in it. Of rods that WITHY_ORDER_DIRECT solves also those in which steps of the length that is expected
    /// swing it up: if `lowest_mode` is positive, `refusal` 0 and no rounding to blame, it is these alone, and shorter steps hold the pose. Rods that come near bodies, or get
    /// attachments, later: optimize again (docs/direct.md).
    uint32_t unstable_modes;
    /// Vertices and edges that are stiffer by it.
    uint32_t stiffened;
    /// The root of the sum of f^2/m over what can move, m/s^2 kg^0.5.
    double residual;
    /// The largest |f|/m of a vertex, m/s^2.
    double acceleration;
    /// Square of the lowest angular frequency, 1/s^2; negative if unstable, 0 if neutral, infinite if nothing can move, NaN if unknown: refused,
    /// cancelled, or settled folded (WITHY_REFUSAL_FOLD).
    /// `acceleration` over this is about how far the strand rests from the pose, in f64; what a step in f32 rounds comes on top, and moves
    /// it most where this is small.
    double lowest_mode;
    /// The largest factor by which `stiffen` has made it stiffer, now or in an earlier call: 1 if it has not.
    double stiffest;
} WithyElasticReport;

/// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&def)`.
WITHY_API int32_t withy_rest_shape_def_init_sized(WithyRestShapeDef *def, uint32_t size);
#define withy_rest_shape_def_init(def) withy_rest_shape_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Finds the rest shapes that make the present pose an equilibrium under the present gravity, wind, forces and moments. It is the
/// present pose that is kept, whatever it is, and velocities stay: after steps in which gravity was another, first write back the positions and frames to
/// keep and velocities of 0, and teleport the roots and pins there (WITHY_REFUSAL_HELD otherwise), or restore a state. A second call, after a
/// change of gravity or forces, goes on from what the first one found, and changes that as little as it has to, or nothing if nothing has changed; bounds stay around
/// the rest shape that the rods had before the first. Strands that cannot be solved keep theirs, and `withy_rods_read_elastic_report` says why. Ends that
/// the host or an attachment holds count as held; contacts do not count. What is stiffer than a step can take in f32 becomes as stiff as
/// a step of the length `step` takes it, and stays so until the next call, which begins with the stiffness that the rods were made with: after a
/// change of the steps' length, or to fewer substeps, find the rest shapes again. A direction that an attachment clamps counts as held, of swept rods as
/// free.
///
/// An end on a junction, on a dynamic body or on mesh vertices that rods may move counts as free where the strand's other end has a firmer hold: it carries
/// nothing there, and the pose stays if what hangs on it has its own. Where both ends hang on such things, or there is no other hold, it counts as held: the
/// report then tells of the strand between its ends, and what they hang on may fall.
///
/// @param def NULL: the defaults.
WITHY_API
int32_t withy_rods_optimize_rest_shape(WithyRods rods,
                                       const WithyRestShapeDef *def);

/// Writes. Moves the rods to their equilibrium under the present gravity and forces, and leaves them at rest there. Ends that
/// attachments hold stay where they are; contacts do not count. How it went: `withy_rods_read_elastic_report`.
///
/// @param iterations Steps of Newton's method, 1 to 1e6; 100 is plenty for most. 300 of them without a smaller residual end it, too.
/// @param tolerance The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5, 0 to 1e9; 1e-6, say.
WITHY_API
int32_t withy_rods_settle(WithyRods rods,
                          uint32_t iterations,
                          double tolerance);

/// Reads. How the last search for a rest shape or for statics left each strand. None before the first.
///
/// @param reports Room for `*count` reports, one a strand, or NULL to learn the count.
/// @param count Set to the number of reports.
WITHY_API int32_t withy_rods_read_elastic_report(WithyRods rods, WithyElasticReport *reports, uint64_t *count);

/// Reads. Numbers, one a strand, 0 to 1: the part of gravity and forces that a strand feels, because its sweeps carry no more in the pose
/// that was found last, with WITHY_RODS_WARM_START. A strand with 0.125 falls, sags when it leaves its pose and swings with an eighth of its
/// weight; its inertia and its stiffness are whole. One with 0.06 or less may leave its pose after a push of 1e-5 m/s. Look at it before the rods are used, and where it is too small take more substeps, more
/// iterations or WITHY_ORDER_DIRECT, which carries all. Found for the substeps and iterations that the world has, and for steps of the length
/// `WithyRestShapeDef::step`; longer substeps and fewer iterations carry less, which is in this number after the first such step (the cube of
/// the ratio of the substeps: twice as long, an eighth). 1 in all other rods.
WITHY_API
int32_t withy_rods_read_carried(WithyRods rods,
                                WithySpan *out);

/// Reads. Numbers, one an edge: rest lengths, host units.
WITHY_API int32_t withy_rods_read_rest_lengths(WithyRods rods, WithySpan *out);

/// Reads. Five numbers a vertex, how the rod is bent and twisted there at rest, as the model measures it and in the library's own
/// axes: to be kept and given back to rods of the same definition by `withy_rods_set_rest_strains`.
WITHY_API int32_t withy_rods_read_rest_strains(WithyRods rods, WithySpan *out);

/// Reads. Two numbers a vertex: the factors by which the rod is stiffer than its definition made it, against bending and twisting there, and
/// against stretching of the edge after it. 1 until `WithyRestShapeDef.stiffen` or `withy_rods_set_stiffness_factors` changes them. What `stiffen` has
/// found, the next call with it keeps where the strand has its rest shape and holds, and else finds anew; what was set stays, and is multiplied.
WITHY_API
int32_t withy_rods_read_stiffness_factors(WithyRods rods,
                                          WithySpan *out);

/// Writes. Makes the rods stiffer, or softer, than their definition did: gives back what `withy_rods_read_stiffness_factors` told, or
/// tries another stiffness. The rest shape stays: `withy_rods_optimize_rest_shape` finds that of the new stiffness, from the old one, and sooner
/// than from none. WITHY_STIFFNESS_PHYSICAL only.
///
/// @param factors Two numbers a vertex, [1e-9, 1e9].
WITHY_API
int32_t withy_rods_set_stiffness_factors(WithyRods rods,
                                         const WithySpan *factors);

/// Writes. Makes the rods thicker or thinner: masses and stretching stiffness go with the square of the radius, bending and twisting stiffness with
/// its fourth power, stiffness factors stay. Pose, velocities and rest shape stay: `withy_rods_optimize_rest_shape` finds that of the new section,
/// from the old one. Ghost points keep their distance; a junction keeps the mass that it was made with. No part of
/// `withy_world_save_state`.
///
/// @param radii Numbers, one a vertex, host units, 1e-7 m to 1e3 m; of an elliptic section along d1.
WITHY_API
int32_t withy_rods_set_radii(WithyRods rods,
                             const WithySpan *radii);

/// Writes. Gives back what `withy_rods_read_rest_lengths` and `withy_rods_read_rest_strains` told.
///
/// @param rest_lengths Numbers, one an edge, host units, 1e-9 m to 1e9 m.
/// @param rest_strains Five numbers a vertex, [-1e9, 1e9].
WITHY_API int32_t withy_rods_set_rest_strains(WithyRods rods, const WithySpan *rest_lengths, const WithySpan *rest_strains);

/* =============================================================================================================================
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
#define withy_collider_def_init(def) withy_collider_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Adds a collider to a world.
///
/// @param collider Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: a WITHY_SHAPE_TAPERED_CAPSULE on the GPU.
WITHY_API int32_t withy_collider_create(WithyWorld world, const WithyColliderDef *def, WithyCollider *collider);

/// Writes. Removes a collider.
WITHY_API int32_t withy_collider_destroy(WithyCollider collider);

/// Writes. Where the collider shall be at the end of the next step. It moves there over the substeps and drags by friction what
/// touches it; after that it stays.
///
/// @param teleport 1: it jumps there, without a velocity. Else 0.
WITHY_API int32_t withy_collider_set_pose(WithyCollider collider, const WithyPose *pose, uint32_t teleport);

/// Reads. The pose as last set.
WITHY_API int32_t withy_collider_get_pose(WithyCollider collider, WithyPose *pose);

/* =============================================================================================================================
 * Bodies
 *
 * Rigid bodies: ragdolls, props, the ground. They collide with each other and with colliders, joints hold them together, and those at
 * rest sleep. A body has a frame, whose pose the host sees, and any number of shapes, placed in that frame; its centre of mass need
 * not be the frame's origin. Bodies are on the CPU: on the GPU creating one is WITHY_ERROR_UNSUPPORTED.
 *
 * Where a call takes an array `bodies` and a count, NULL and WITHY_ALL mean all bodies, in the order of withy_world_list_bodies: that of
 * their creation, but that a new body takes the place of one destroyed before. These calls are for each frame: they read or write any
 * number of bodies at once, all or, if one number or handle is refused, none, and allocate nothing.
 */

/// Shapes that only bodies have; the others are those of colliders. The convex hull of `positions`.
#define WITHY_SHAPE_HULL 5
/// `positions` and `triangles`. Of static bodies only, as WITHY_SHAPE_PLANE. It is felt from outside alone.
#define WITHY_SHAPE_MESH 6

/// Nothing moves it; the host may put it somewhere else.
#define WITHY_BODY_STATIC 0
/// The host moves it, by targets. It pushes others, and nothing pushes it.
#define WITHY_BODY_KINEMATIC 1
/// Forces, joints and contacts move it.
#define WITHY_BODY_DYNAMIC 2
/// A flag of the def: `mass`, `center_of_mass` and `inertia` are as given, whatever the shapes; it may then have none.
#define WITHY_BODY_INERTIA 1

/// One shape of a body. Filled by its _init macro, as a def; all shapes of one array must be of one version.
typedef struct WithyShapeDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    uint32_t shape;
    /// As for rods. Default: 1 and all.
    uint32_t category;
    uint32_t mask;
    /// 0
    uint32_t reserved;
    /// In the body's frame. Default: identity.
    WithyPose pose;
    /// What the shape needs of these, host units: [1e-9, 1e6] m, and `half_height` [0, 1e6] m. `half_height` is without the caps,
    /// along local up; `half_extents` are along the local axes.
    double radius;
    double radius_top;
    double half_height;
    WithyVec3 half_extents;
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    double density;
    /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean. Default: 0.6.
    double friction;
    /// Speed after an impact over that before, [0, 1]; of two shapes the larger counts. Default: 0.
    double restitution;
    /// How the shape yields to bodies and colliders, each point of a contact by itself: N/m and N s/m in every convention, 0 (the default: it does
    /// not) or [1e-6, 1e9], and [0, 1e9]. Of two shapes that touch, one is as a spring behind the other. What yields bounces by these, whatever
    /// `restitution` says.
    double stiffness;
    double damping;
    /// Vectors, host units: points of a hull, 4 to 2^20, of which the 255 outermost are kept at most, or vertices of a mesh.
    WithySpan positions;
    /// Triples of u32, of a mesh: counterclockwise seen from outside, as hosts wind them; with WITHY_CONVENTION_UNITY clockwise, as Unity
    /// does.
    WithySpan triangles;
} WithyShapeDef;

typedef struct WithyBodyDef {
    uint32_t struct_size;
    /// WITHY_BODY_INERTIA, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// `shape_count` shapes, 4096 at most. None: it touches nothing.
    const WithyShapeDef *shapes;
    uint32_t shape_count;
    /// WITHY_BODY_STATIC, _KINEMATIC or _DYNAMIC. Default: WITHY_BODY_DYNAMIC.
    uint32_t motion;
    /// Of the frame. Default: identity.
    WithyPose pose;
    /// Of the centre of mass, host units/s. Default: 0. What is not dynamic has none, nor a spin.
    WithyVec3 velocity;
    /// rad/s about the world's axes, in the host's sense of rotation. Default: 0.
    WithyVec3 spin;
    /// kg, [1e-9, 1e12]. 0 (the default): from the shapes' densities; else their inertia is scaled to it.
    double mass;
    /// With WITHY_BODY_INERTIA: in the frame, host units.
    WithyVec3 center_of_mass;
    /// With WITHY_BODY_INERTIA: about the centre of mass, in the frame's axes, kg m^2 in every convention: xx, yy, zz, xy, xz, yz, the
    /// latter three being entries of the tensor, -sum m x y and so on. Principal moments within [1e-15, 1e18], none larger than the sum
    /// of the others.
    double inertia[6];
    /// Its gravity over the world's, [-1e6, 1e6]. Default: 1.
    double gravity_scale;
    /// Rates c at which velocity and spin die, 1/s, [0, 1e9]: a substep of h seconds makes (v + h g)/(1 + h c) of v, so that gravity is
    /// damped as air would: what falls for long has gravity over linear_damping, whatever h. Default: 0 and 0.05.
    double linear_damping;
    double angular_damping;
    /// It is slowed down to this speed, [1e-3, 1e9] m/s, in every substep and once more at the end of the step. 0 (the default): 500 m/s.
    double max_speed;
    /// Bodies of the same group other than 0 (the default) do not collide.
    uint32_t group;
    /// 1 (the default): it sleeps when it and all that it touches have been at rest for half a second: within 15 mm, and, on contacts that
    /// yield, below 3 mm/s. Else 0.
    uint32_t can_sleep;
    /// 1 (the default): going straight it does not pass through what is static or kinematic, however fast. Else 0. Whatever this says, bodies that
    /// would pass through each other within a step, going straight or swung by the host, meet where they are about to.
    uint32_t continuous;
    /// 0
    uint32_t reserved;
} WithyBodyDef;

typedef struct WithyBody {
    uint64_t bits;
} WithyBody;

/// A point where two surfaces touch, or nearly do: within 2 cm, or where a fast body may be at the end of the step.
typedef struct WithyContact {
    /// The bodies; one of them is null where it is `collider` instead.
    WithyBody body_a;
    WithyBody body_b;
    WithyCollider collider;
    /// On the surface, host units.
    WithyVec3 position;
    /// From a to b, of length 1.
    WithyVec3 normal;
    /// Distance of the surfaces at the start of the step, host units; negative where they overlap.
    double separation;
    /// Along the normal, in the last substep, N s; divided by the substep, the force. 0: they do not touch.
    double impulse;
} WithyContact;

/// Fills `def` with the defaults. Use the macro `withy_shape_def_init(&def)`.
WITHY_API int32_t withy_shape_def_init_sized(WithyShapeDef *def, uint32_t size);
#define withy_shape_def_init(def) withy_shape_def_init_sized((def), (uint32_t)sizeof *(def))

/// Fills `def` with the defaults. Use the macro `withy_body_def_init(&def)`.
WITHY_API int32_t withy_body_def_init_sized(WithyBodyDef *def, uint32_t size);
#define withy_body_def_init(def) withy_body_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Adds a body to a world; everything in `def` is copied.
///
/// @param body Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API int32_t withy_body_create(WithyWorld world, const WithyBodyDef *def, WithyBody *body);

/// Writes. Removes a body, and the joints that hang on it. What lay on it wakes.
WITHY_API int32_t withy_body_destroy(WithyBody body);

/// Writes. Puts a body somewhere at once, whatever moves it; its velocity stays. What touched it wakes.
WITHY_API int32_t withy_body_set_pose(WithyBody body, const WithyPose *pose);

/// Reads. Where its frame is.
WITHY_API int32_t withy_body_get_pose(WithyBody body, WithyPose *pose);

/// Writes. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes, of a dynamic body. It wakes.
///
/// @param spin NULL: none.
WITHY_API int32_t withy_body_set_velocity(WithyBody body, const WithyVec3 *velocity, const WithyVec3 *spin);

/// Reads. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes. A kinematic body's are those of the last
/// step.
///
/// @param velocity, spin NULL: not wanted.
WITHY_API
int32_t withy_body_get_velocity(WithyBody body,
                                WithyVec3 *velocity,
                                WithyVec3 *spin);

/// Writes. Where a kinematic body's frame shall be at the end of the next step. It moves there over the substeps and drags and pushes
/// what it touches; after that it stays. Turns of more than a radian in a step are better made in shorter steps: within it they go from pose to pose in
/// the shortest way.
WITHY_API
int32_t withy_body_set_target(WithyBody body,
                              const WithyPose *pose);

/// Writes. Who moves a body that was created WITHY_BODY_DYNAMIC: a ragdoll follows its animation, and falls when it is hit.
///
/// @param motion WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC. A body that becomes dynamic keeps the velocity that it had.
WITHY_API int32_t withy_body_set_motion(WithyBody body, uint32_t motion);

/// Writes. A force, N, and a torque, N m, in the host's axes, on a dynamic body during the next step; several add up. It wakes.
///
/// @param force NULL: none.
/// @param torque NULL: none.
/// @param point Where the force acts, in world space. NULL: at the centre of mass.
WITHY_API int32_t withy_body_push(WithyBody body, const WithyVec3 *force, const WithyVec3 *torque, const WithyVec3 *point);

/// Writes. Wakes a dynamic body, or lays it to rest: it sleeps until something that it touches moves.
///
/// @param sleeping 1 or 0. 1 is refused of a body whose `can_sleep` is 0.
WITHY_API int32_t withy_body_set_sleeping(WithyBody body, uint32_t sleeping);

/// Reads. Mass, kg, centre of mass in the frame, host units, and inertia about it in the frame's axes, kg m^2, as in the def; 0 of what
/// is not dynamic.
///
/// @param mass, center_of_mass, inertia NULL: not wanted. `inertia`: room for 6.
WITHY_API
int32_t withy_body_get_mass(WithyBody body,
                            double *mass,
                            WithyVec3 *center_of_mass,
                            double *inertia);

/// Reads. The bodies of a world, in the order in which they are read.
///
/// @param bodies Room for `*count` handles, or NULL to learn the count.
/// @param count Set to the number of bodies.
WITHY_API int32_t withy_world_list_bodies(WithyWorld world, WithyBody *bodies, uint64_t *count);

/// Reads. Poses and motion of many bodies. Every span may be NULL if it is not wanted; with NULL data its count is set.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s.
/// @param spins Vectors, rad/s.
/// @param sleeping u32: 1 of what sleeps.
WITHY_API
int32_t withy_world_read_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                WithySpan *positions,
                                WithySpan *rotations,
                                WithySpan *velocities,
                                WithySpan *spins,
                                WithySpan *sleeping);

/// Writes. Puts many bodies somewhere at once, with withy_body_set_pose, and gives dynamic ones velocities and spins, with
/// withy_body_set_velocity: a ragdoll takes the pose of its animation. A span that is NULL leaves that as it is; others have an element a
/// body.
///
/// @param bodies As in withy_world_read_bodies, and so are the spans.
WITHY_API
int32_t withy_world_write_bodies(WithyWorld world,
                                 const WithyBody *bodies,
                                 uint64_t count,
                                 const WithySpan *positions,
                                 const WithySpan *rotations,
                                 const WithySpan *velocities,
                                 const WithySpan *spins);

/// Writes. Targets of many kinematic bodies, as withy_body_set_target gives them.
///
/// @param bodies `count` kinematic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be kinematic.
/// @param positions Vectors, one a body.
/// @param rotations Quaternions, one a body. NULL: they keep theirs.
WITHY_API
int32_t withy_world_set_body_targets(WithyWorld world,
                                     const WithyBody *bodies,
                                     uint64_t count,
                                     const WithySpan *positions,
                                     const WithySpan *rotations);

/// Writes. Forces at the centres of mass, N, and torques, N m, on many dynamic bodies during the next step, as withy_body_push.
///
/// @param bodies `count` dynamic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be dynamic.
/// @param forces Vectors, one a body. NULL: none.
/// @param torques Vectors, one a body. NULL: none.
WITHY_API
int32_t withy_world_push_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                const WithySpan *forces,
                                const WithySpan *torques);

/// Reads. Contacts between bodies, and of bodies with colliders, in the last step. (An array of structs, as handles have no span.)
///
/// @param contacts Room for `*count` contacts, or NULL to learn the count.
/// @param count Set to the number of contact points.
WITHY_API
int32_t withy_world_read_contacts(WithyWorld world,
                                  WithyContact *contacts,
                                  uint64_t *count);

/* =============================================================================================================================
 * Joints
 *
 * What holds two bodies together, or one to the world. A joint has a frame in each body; what it holds is how the two frames stand to
 * each other. The axes of a frame are called d1, d2 and d3, as those of rods: d3 is the axis of twist, which is the axis of a hinge, the
 * tangent of an arc and, at rest, the direction of a limb; d1 and d2 are those about which it swings or bends. In the frame's local axes
 *
 *                     SI, Maya    Unreal    Unity    Blender
 *     d1              x           x         -x       x
 *     d2              y           z         y        z
 *     d3              z           y         z        -y
 *
 * so that frames of the identity rotation have d2 up, and d3 forwards or sidewards as hosts have it. With WITHY_CONVENTION_SI a frame's
 * rotation has d3 up if it is {-r, 0, 0, r}, down {r, 0, 0, r}, along +x {0, r, 0, r}, along -x {0, -r, 0, r}, where r = sqrt(0.5). Numbers that belong to axes, in
 * arrays of 2 (d1, d2) or 3 (d1, d2, d3), and angles about them are named by these; angles are positive in the host's sense of rotation.
 * Angles of a joint are those of frame b in frame a.
 */

/// The origins stay together; `swing` and `twist` limit the angles.
#define WITHY_JOINT_BALL 0
/// The origins and d3 stay together; `twist` limits the angle about it.
#define WITHY_JOINT_HINGE 1
/// The frames stay together.
#define WITHY_JOINT_FIXED 2
/// The origins stay between `least` and `most` apart.
#define WITHY_JOINT_DISTANCE 3
/// `arc`: an elastic rod that cannot be stretched joins the frames, in the shape of one circular arc that leaves both along d3 (Lewin 2013).
/// A spine, a neck, a tail, a finger of few joints instead of many. `swing` and `twist` limit its bend and twist. d3 of both frames points along it,
/// from a to b: a new one that leans from that by more than 90 degrees is refused.
#define WITHY_JOINT_ARC 4
/// A flag of the def: `frame_a` and `frame_b` are in world space, where the bodies are now, instead of in the bodies' frames.
#define WITHY_JOINT_WORLD_FRAMES 1
/// A flag of the def: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
#define WITHY_JOINT_ARC_RELAXATION 2

/// The rod of a WITHY_JOINT_ARC.
typedef struct WithyArc {
    /// Host units, [1e-9, 1e9] m. 0 (the default): that of the arc through both frames as they are.
    double length;
    /// Bending stiffness EI about d1 and d2, N m^2 in every convention, 0 or more; INFINITY: does not bend.
    double bend[2];
    /// Twisting stiffness GJ, N m^2 in every convention, 0 or more; INFINITY: does not twist.
    double twist;
    /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e6]. Default: 0.
    double viscosity;
    /// Natural bend about d1 and d2 and natural twist about d3, rad over the whole length, each within half a turn. Default: 0, straight.
    double rest[3];
    /// With WITHY_JOINT_ARC_RELAXATION: the part of bending and of twist that an iteration takes back, [0, 1] (Lewin 2013, 5.2); depends on the step.
    double relaxation[2];
} WithyArc;

/// A torque between the frames of a joint, of any kind but WITHY_JOINT_FIXED: a spring and a damper about each axis. It acts on both
/// bodies, in the step without delay, so that stiff ones do not shake.
///
/// Friction in a joint, as of a hinge that stays where it is left, is a motor without stiffness whose spin is 0 up to a torque: it holds what
/// weighs less, and slows down what weighs more by that torque. The torques about the three axes together are at most `max_torque`. What
/// it holds creeps, a limb by some 1e-4 rad/s, until it sleeps.
///
/// ```text
///     WithyMotor friction;
///     withy_motor_init(&friction);
///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
///     friction.max_torque = 5;
///     withy_joint_set_motor(joint, &friction);
/// ```
///
/// A joint has one motor: one with a target of its own has friction only as its `damping`.
typedef struct WithyMotor {
    /// N m/rad, 0 or more; INFINITY: as stiff as the solver can.
    double stiffness[3];
    /// N m s/rad, 0 or more; INFINITY: the spin is `speed`.
    double damping[3];
    /// How frame b should stand in frame a at the end of the next step: what the stiffness pulls to. It moves there within the step from
    /// where it was, and a stiff motor with it.
    WithyQuat target;
    /// Spin of b in a about d1, d2, d3 of frame a that the damping acts towards, rad/s, [-1e6, 1e6].
    double speed[3];
    /// N m, 0 or more; INFINITY: no limit.
    double max_torque;
} WithyMotor;

typedef struct WithyJointDef {
    uint32_t struct_size;
    /// WITHY_JOINT_WORLD_FRAMES, WITHY_JOINT_ARC_RELAXATION, both, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Null: the world.
    WithyBody body_a;
    /// In the same world as body_a. Required.
    WithyBody body_b;
    /// In the body's frame; without a body, in world space. Default: identity.
    WithyPose frame_a;
    WithyPose frame_b;
    /// A WITHY_JOINT_ value. Default: WITHY_JOINT_BALL.
    uint32_t kind;
    /// 1: the two bodies may touch. 0 (the default): they do not collide while the joint is enabled.
    uint32_t collide;
    /// Of a ball: half angles of the cone that d3 swings in, about d1 and d2, [0, pi] rad, 0.01 at least. pi, both (the default): no limit.
    /// Of an arc: the same of its bend over the whole length, from straight.
    double swing[2];
    /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. -pi and pi (the default): no limit.
    double twist[2];
    /// Of a distance: host units, [0, 1e9] m. Default: 0.
    double least;
    double most;
    WithyArc arc;
    /// NULL (the default): none. Copied.
    const WithyMotor *motor;
} WithyJointDef;

typedef struct WithyJoint {
    uint64_t bits;
} WithyJoint;

/// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&def)`.
WITHY_API int32_t withy_joint_def_init_sized(WithyJointDef *def, uint32_t size);
#define withy_joint_def_init(def) withy_joint_def_init_sized((def), (uint32_t)sizeof *(def))

/// Fills `motor` with what drives nothing: 0, the identity, and no limit of the torque. It has no size, and never changes.
WITHY_API int32_t withy_motor_init(WithyMotor *motor);

/// Writes. Adds a joint to the world of its bodies. Frames that do not stand as the joint holds them are pulled there by the next steps.
/// It is removed with either of its bodies.
///
/// @param joint Set on success.
WITHY_API
int32_t withy_joint_create(const WithyJointDef *def,
                           WithyJoint *joint);

/// Writes. Removes a joint.
WITHY_API int32_t withy_joint_destroy(WithyJoint joint);

/// Writes. Makes a joint what `def` says: its kind, frames, limits, stiffness, motor. The bodies must be as before. What the joint holds
/// before and after keeps its impulses, and nothing jerks: limits and a motor may come and go, and so may all that the kind holds besides
/// the origins.
WITHY_API
int32_t withy_joint_change(WithyJoint joint,
                           const WithyJointDef *def);

/// Writes. Changes the limits of a ball, an arc or a hinge. The joint's other impulses stay.
///
/// @param swing Two half angles, as in the def. NULL: as it is, and so for a hinge.
/// @param twist Least and most, as in the def. NULL: as it is.
WITHY_API int32_t withy_joint_set_limits(WithyJoint joint, const double *swing, const double *twist);

/// Writes. Drives a joint. The joint's other impulses stay, and the motor's own if it has one before and after, of whatever mode.
///
/// @param motor NULL: it has none any more.
WITHY_API int32_t withy_joint_set_motor(WithyJoint joint, const WithyMotor *motor);

/// Writes. A joint that is not enabled holds nothing, and its bodies may touch: it is broken. Joints are created enabled.
///
/// @param enabled 1 or 0.
WITHY_API int32_t withy_joint_set_enabled(WithyJoint joint, uint32_t enabled);

/// Reads. How far the frames are from what the joint holds.
///
/// @param distance Host units. NULL: not wanted.
/// @param angle rad, 0 or more. NULL: not wanted.
WITHY_API int32_t withy_joint_get_error(WithyJoint joint, double *distance, double *angle);

/// Reads. The length of an arc, host units, also where the def left it to the library; 0 for other kinds.
WITHY_API int32_t withy_joint_get_length(WithyJoint joint, double *length);

/// Writes. Motors of many joints, as withy_joint_set_motor: a ragdoll follows its animation in one call a frame.
///
/// @param joints `count` joints of the world.
/// @param motors `count` motors.
WITHY_API
int32_t withy_world_set_motors(WithyWorld world,
                               const WithyJoint *joints,
                               uint64_t count,
                               const WithyMotor *motors);

/// Reads. Errors of many joints, as withy_joint_get_error: one far off has more to hold than it can, and a host may destroy it. They are no measure
/// of what a joint carries: they go with the masses beside it, and with the substep.
///
/// @param joints `count` joints of the world.
/// @param distances Numbers, host units. NULL: not wanted.
/// @param angles Numbers, rad. NULL: not wanted.
WITHY_API
int32_t withy_world_read_joint_errors(WithyWorld world,
                                      const WithyJoint *joints,
                                      uint64_t count,
                                      WithySpan *distances,
                                      WithySpan *angles);

/* =============================================================================================================================
 * Ragdolls
 *
 * Characters that fall: a tree of bones, bodies on some of them, and regions (a spine, a neck, a tail) of many bones that one arc stands
 * for. A set holds any number of instances of one description. An instance has bodies and joints from the moment of its transition,
 * withy_ragdolls_instantiate, to withy_ragdolls_remove; they are bodies and joints of the world like others.
 *
 * Poses of bones are in world space, one position and one rotation a bone, the bones of one instance after those of the other. Calls take
 * the numbers of instances, `which`; NULL and WITHY_ALL mean all (in withy_ragdolls_instantiate), or all that have bodies (in the others), in
 * their order. These calls are for each frame: but for creating, instantiating and removing they allocate nothing once the largest number
 * of instances has been seen, and they do all or, if something is refused, nothing.
 */

/// A flag of a body: `joint->frame_a` is where the joint is in the bone of the parent's body. Without: where it is in the bind pose.
#define WITHY_RAGDOLL_BODY_PARENT_FRAME 1

/// What a region's natural bend and twist are: those of the pose of the transition, or those of the bind pose, to which stiffness then
/// pulls.
#define WITHY_REGION_REST_POSE 0
#define WITHY_REGION_REST_BIND 1
/// How the bones inside of a region come back: along the arc; or, as in the paper, by sharing out the change of orientation, which keeps
/// the lengths of bones, or that of orientation and position.
#define WITHY_REGION_ALONG_ARC 0
#define WITHY_REGION_ORIENTATION 1
#define WITHY_REGION_ORIENTATION_AND_POSITION 2
/// A flag of a region: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
#define WITHY_REGION_RELAXATION 1

/// A flag of the def: bodies of one instance do not collide with each other.
#define WITHY_RAGDOLL_NO_SELF_COLLISION 1
/// A flag of the def: bones without a body and outside of regions keep the local pose that the animation has, instead of that of the
/// transition.
#define WITHY_RAGDOLL_ANIMATED_BONES 2
/// A flag of instantiating: joint frames in the parents stay where the def, or the bind pose, has them, even if the pose has stretched.
#define WITHY_RAGDOLL_KEEP_ANCHORS 1
/// A flag of instantiating: limits stay as they are, even if the pose is beyond.
#define WITHY_RAGDOLL_KEEP_LIMITS 2

/// Motors towards target poses; limits hold all the same, which instantiating opens up to its pose and no further. Filled by
/// withy_ragdoll_drive_init. It has no size, and never changes.
typedef struct WithyRagdollDrive {
    /// N m/rad in every convention, 0 or more; INFINITY: as stiff as the solver can.
    double stiffness;
    /// N m s/rad, against spin other than the target's, 0 or more; may be INFINITY.
    double damping;
    /// N m, 0 (drives nothing) or more; INFINITY (the default): no limit.
    double max_torque;
    /// Numbers, [0, 1e9], one a body of the def: factors of the three for the joint above it. Count 0: 1.
    WithySpan scale;
} WithyRagdollDrive;

/// A body, whose frame is that of its bone. All bodies of one array must be of one version.
typedef struct WithyRagdollBodyDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Required. Its pose, velocity and spin are not used. WITHY_BODY_KINEMATIC: the animation moves it until it is let go.
    const WithyBodyDef *body;
    /// What joins it to the body on the nearest bone above; `frame_b` is in this bone, `body_a` and `body_b` are null. NULL: nothing.
    /// An arc replaces it. Not of kind WITHY_JOINT_ARC.
    const WithyJointDef *joint;
    uint32_t bone;
    /// 0
    uint32_t reserved;
} WithyRagdollBodyDef;

/// A chain of bones of which only the first and the last have a body, with one arc between them. All regions of one array must be of one
/// version.
typedef struct WithyRegionDef {
    uint32_t struct_size;
    /// WITHY_REGION_RELAXATION, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Indices of bodies; the last's bone is below the first's. Bodies between are not made: shapes and mass go to the nearer end.
    uint32_t first;
    uint32_t last;
    /// The ends of the arc, host units, in the first and in the last bone. Default: their origins.
    WithyVec3 anchor_a;
    WithyVec3 anchor_b;
    /// Direction in the first bone about which `arc.bend[0]` counts. Default: x.
    WithyVec3 axis;
    /// `rest` is not used; `length` 0: that of the pose of the transition.
    WithyArc arc;
    /// Limits of the bend, from straight, about `axis` and across it, and of the twist, from the bind pose, as those of an arc joint.
    /// Default: none.
    double swing[2];
    double twist[2];
    /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    uint32_t rest;
    /// WITHY_REGION_ALONG_ARC (the default), _ORIENTATION or _ORIENTATION_AND_POSITION.
    uint32_t read_back;
    /// 1: the two bodies may touch. Default: 0.
    uint32_t collide;
    /// 0
    uint32_t reserved;
} WithyRegionDef;

typedef struct WithyRagdollDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_ flags, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// u32, one a bone: the parent's index, anywhere in the array, or UINT32_MAX. At most 65536 bones.
    WithySpan parents;
    /// Vectors and quaternions, one a bone: the bind pose, in the parent's frame, of a root in the world's.
    WithySpan positions;
    WithySpan rotations;
    /// `body_count` and `region_count` of them.
    const WithyRagdollBodyDef *bodies;
    const WithyRegionDef *regions;
    uint32_t body_count;
    uint32_t region_count;
    /// Pairs of u32: bodies that pass through each other, besides those that a joint or an arc joins.
    WithySpan apart;
} WithyRagdollDef;

typedef struct WithyRagdolls {
    uint64_t bits;
} WithyRagdolls;

/// Fills `drive` with what drives nothing: no stiffness and damping, no limit of the torque.
WITHY_API int32_t withy_ragdoll_drive_init(WithyRagdollDrive *drive);

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_body_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_body_def_init_sized(WithyRagdollBodyDef *def, uint32_t size);
#define withy_ragdoll_body_def_init(def) withy_ragdoll_body_def_init_sized((def), (uint32_t)sizeof *(def))

/// Fills `def` with the defaults. Use the macro `withy_region_def_init(&def)`.
WITHY_API int32_t withy_region_def_init_sized(WithyRegionDef *def, uint32_t size);
#define withy_region_def_init(def) withy_region_def_init_sized((def), (uint32_t)sizeof *(def))

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_def_init_sized(WithyRagdollDef *def, uint32_t size);
#define withy_ragdoll_def_init(def) withy_ragdoll_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Adds a set of ragdolls to a world; everything in `def` is copied. No instance has bodies yet.
///
/// @param instances How many it has room for.
/// @param ragdolls Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_ragdolls_create(WithyWorld world,
                              const WithyRagdollDef *def,
                              uint32_t instances,
                              WithyRagdolls *ragdolls);

/// Writes. Removes a set with all its bodies and joints.
WITHY_API int32_t withy_ragdolls_destroy(WithyRagdolls ragdolls);

/// Writes. The moment of transition from animation: gives instances bodies at the poses of their bones, or puts those there that have
/// some. Arcs and joints are made to fit the pose; those that are there keep their handles, not their impulses.
///
/// @param which `count` numbers of instances, each once; NULL and WITHY_ALL: all.
/// @param positions, rotations Vectors and quaternions, one a bone of each.
/// @param positions_before, rotations_before The poses `dt` seconds before, which give the velocities. NULL, both: at rest.
/// @param flags WITHY_RAGDOLL_KEEP_ flags, or 0.
WITHY_API
int32_t withy_ragdolls_instantiate(WithyRagdolls ragdolls,
                                   const uint32_t *which,
                                   uint64_t count,
                                   const WithySpan *positions,
                                   const WithySpan *rotations,
                                   const WithySpan *positions_before,
                                   const WithySpan *rotations_before,
                                   double dt,
                                   uint32_t flags);

/// Writes. The same with the velocities given.
///
/// @param velocities Vectors, of the bones' origins, host units/s. NULL: 0.
/// @param spins Vectors, rad/s about the world's axes. NULL: 0.
WITHY_API
int32_t withy_ragdolls_instantiate_moving(WithyRagdolls ragdolls,
                                          const uint32_t *which,
                                          uint64_t count,
                                          const WithySpan *positions,
                                          const WithySpan *rotations,
                                          const WithySpan *velocities,
                                          const WithySpan *spins,
                                          uint32_t flags);

/// Writes. Takes the bodies and joints of instances out of the world. Those that have none are left alone.
WITHY_API int32_t withy_ragdolls_remove(WithyRagdolls ragdolls, const uint32_t *which, uint64_t count);

/// Writes. Where the animation wants the bones: motors of all joints and arcs, and targets of the kinematic bodies, until the next call.
/// A region is driven by how its ends stand to each other.
///
/// @param positions, rotations Vectors and quaternions, one a bone of each.
/// @param positions_before, rotations_before The targets `dt` seconds before: damping acts towards their motion. NULL, both: at rest.
WITHY_API
int32_t withy_ragdolls_set_targets(WithyRagdolls ragdolls,
                                   const uint32_t *which,
                                   uint64_t count,
                                   const WithySpan *positions,
                                   const WithySpan *rotations,
                                   const WithySpan *positions_before,
                                   const WithySpan *rotations_before,
                                   double dt,
                                   const WithyRagdollDrive *drive);

/// Writes. Motors as the def has them, for most joints none.
WITHY_API int32_t withy_ragdolls_clear_targets(WithyRagdolls ragdolls, const uint32_t *which, uint64_t count);

/// Writes. Who moves a body: the animation, through withy_ragdolls_set_targets, or the simulation. Made kinematic, it stays where it is until a target
/// comes; let go, it keeps the velocity that the last step's target gave it.
///
/// @param body Index in the def, or UINT32_MAX: all.
/// @param kinematic 1 or 0.
WITHY_API
int32_t withy_ragdolls_set_kinematic(WithyRagdolls ragdolls,
                                     const uint32_t *which,
                                     uint64_t count,
                                     uint32_t body,
                                     uint32_t kinematic);

/// Writes. Moves all bodies of instances at once, with their velocities: x becomes rotation x + position.
///
/// @param positions, rotations Vectors and quaternions, one an instance.
WITHY_API
int32_t withy_ragdolls_teleport(WithyRagdolls ragdolls,
                                const uint32_t *which,
                                uint64_t count,
                                const WithySpan *positions,
                                const WithySpan *rotations);

/// Writes. Where the weights of instances go: 1 (after the transition) is all simulated, 0 all animated. withy_ragdolls_advance moves them.
///
/// @param seconds How long it takes. 0: at once.
WITHY_API
int32_t withy_ragdolls_fade(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            double weight,
                            double seconds);

/// Writes. Time passes for the weights.
WITHY_API int32_t withy_ragdolls_advance(WithyRagdolls ragdolls, double dt);

/// Reads. The weight of an instance.
WITHY_API int32_t withy_ragdolls_get_weight(WithyRagdolls ragdolls, uint32_t instance, double *weight);

/// Writes: it uses memory of the set. World poses of all bones, simulated, or blended with the animation in bone space.
///
/// @param animated_positions, animated_rotations The animation's world poses. NULL, both: all simulated, whatever the weights.
/// @param weights Numbers, [0, 1], one a bone, that multiply the instance's weight. NULL, or count 0: 1.
/// @param positions, rotations One a bone of each. NULL if not wanted; with NULL data the count is set.
WITHY_API
int32_t withy_ragdolls_read(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            const WithySpan *animated_positions,
                            const WithySpan *animated_rotations,
                            const WithySpan *weights,
                            WithySpan *positions,
                            WithySpan *rotations);

/// Reads. Room for instances, bones of each, and bodies and joints that each has in the world.
///
/// @param instances, bones, bodies, joints NULL: not wanted.
WITHY_API
int32_t withy_ragdolls_get_counts(WithyRagdolls ragdolls,
                                  uint32_t *instances,
                                  uint32_t *bones,
                                  uint32_t *bodies,
                                  uint32_t *joints);

/// Reads. The numbers of the instances that have bodies, in order: those that WITHY_ALL means.
///
/// @param which Room for `*count` numbers, or NULL to learn the count.
/// @param count Set to how many they are.
WITHY_API int32_t withy_ragdolls_list(WithyRagdolls ragdolls, uint32_t *which, uint64_t *count);

/// Reads. The world's body for a body of the def; null, without an error, where the instance has none now or the body is inside of a
/// region. The set owns it: withy_body_destroy refuses it.
WITHY_API
int32_t withy_ragdolls_get_body(WithyRagdolls ragdolls,
                                uint32_t instance,
                                uint32_t body,
                                WithyBody *handle);

/// Reads. The joint or arc above a body of the def; null, without an error, where there is none now. A host may destroy it: a limb that
/// comes off. It comes back when the instance is instantiated anew.
WITHY_API
int32_t withy_ragdolls_get_joint(WithyRagdolls ragdolls,
                                 uint32_t instance,
                                 uint32_t body,
                                 WithyJoint *handle);

/* =============================================================================================================================
 * Meshes
 *
 * Deformable triangle meshes that strands are attached to and pull: a scalp, cloth, the box of a plant. By default the host
 * moves the mesh and may read back how far the rods would have displaced it; a WITHY_MESH_ELASTIC mesh is simulated here.
 */

/// For `flags`: the edges are springs of `edge_compliance`, and steps move the vertices.
#define WITHY_MESH_ELASTIC 1

typedef struct WithyMeshDef {
    uint32_t struct_size;
    /// WITHY_MESH_ELASTIC, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Vectors, one a vertex, host units, 1 to 2^24. Required.
    WithySpan positions;
    /// Triples of u32. Required.
    WithySpan triangles;
    /// Numbers, one a vertex, 1/kg, [0, 1e12]; 0 for a vertex that only the host moves. None: 0 for all.
    WithySpan inv_masses;
    /// Pairs of u32, or none: more pairs of vertices to hold at their distance, such as the diagonals of a box.
    WithySpan extra_edges;
    /// m/N, [0, 1e12], with WITHY_MESH_ELASTIC. Default: 0, rigid edges.
    double edge_compliance;
    /// Rate at which the motion of the vertices dies, 1/s, [0, 1e9], with WITHY_MESH_ELASTIC. Default: 0.
    double drag;
} WithyMeshDef;

typedef struct WithyMesh {
    uint64_t bits;
} WithyMesh;

/// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&def)`.
WITHY_API int32_t withy_mesh_def_init_sized(WithyMeshDef *def, uint32_t size);
#define withy_mesh_def_init(def) withy_mesh_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Adds a mesh to a world; everything in `def` is copied.
///
/// @param mesh Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API int32_t withy_mesh_create(WithyWorld world, const WithyMeshDef *def, WithyMesh *mesh);

/// Writes. Removes a mesh, and the attachments to it.
WITHY_API int32_t withy_mesh_destroy(WithyMesh mesh);

/// Writes. Where the vertices shall be at the end of the next step; they move there over the substeps. Of an elastic mesh only
/// those of inverse mass 0 go, unless they are teleported. The corrections start again from 0.
///
/// @param positions Vectors, one a vertex, host units.
/// @param teleport 1: they jump there, all of them, and rest. Else 0.
WITHY_API int32_t withy_mesh_set_positions(WithyMesh mesh, const WithySpan *positions, uint32_t teleport);

/// Reads. Vectors, one a vertex, host units.
WITHY_API int32_t withy_mesh_read_positions(WithyMesh mesh, WithySpan *out);

/// Reads. Vectors, one a vertex, host units: how far the rods have pulled the vertex since `withy_mesh_set_positions`. A host
/// that simulates the mesh itself adds it to its own positions.
WITHY_API int32_t withy_mesh_read_corrections(WithyMesh mesh, WithySpan *out);

/* =============================================================================================================================
 * Attachments
 *
 * What holds the end of a strand to something that is not given by the host: a triangle of a mesh, a rigid body, or other strands. The end
 * must be WITHY_SUPPORT_FREE, and one attachment holds it at most.
 */

#define WITHY_END_ROOT 0
#define WITHY_END_TIP 1

/// For `flags`: the frame at the end turns with the triangle or the body too, keeping the angle that it has to it at this moment. Without it
/// the direction is free.
#define WITHY_ATTACH_CLAMPED 1

/// One end of one strand.
typedef struct WithyStrandEnd {
    WithyRods rods;
    uint32_t strand;
    /// A WITHY_END_ value.
    uint32_t end;
} WithyStrandEnd;

typedef struct WithyTriangleAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    WithyStrandEnd end;
    /// In the same world as the rods.
    WithyMesh mesh;
    uint32_t triangle;
    /// 0
    uint32_t reserved;
    /// Where on the triangle, as weights of its vertices, which add up to 1 within 1e-3. Default: the middle.
    double barycentric[3];
} WithyTriangleAttachmentDef;

typedef struct WithyAttachment {
    uint64_t bits;
} WithyAttachment;

typedef struct WithyBodyAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    WithyStrandEnd end;
    /// In the same world as the rods.
    WithyBody body;
} WithyBodyAttachmentDef;

typedef struct WithyJunctionDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// `end_count` different ends, 2 to 65,536, all in one world.
    const WithyStrandEnd *ends;
    uint32_t end_count;
    /// 0
    uint32_t reserved;
    /// Distance of its two ghost points from the middle, host units, [1e-9, 1e3] m: with the mass, its resistance to turning.
    /// 0 (the default): the mean length of the edges that meet.
    double radius;
    /// kg, [1e-12, 1e9]. 0 (the default): that of the vertices that meet, which keep their own.
    double mass;
} WithyJunctionDef;

/// Fills `def` with the defaults. Use the macro `withy_triangle_attachment_def_init(&def)`.
WITHY_API int32_t withy_triangle_attachment_def_init_sized(WithyTriangleAttachmentDef *def, uint32_t size);
#define withy_triangle_attachment_def_init(def) withy_triangle_attachment_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Ties the end of a strand to a point of a triangle; from afar it is pulled there by the next steps. Both sides pull, by
/// their masses; a vertex of inverse mass 0 does not give. Vertices that weigh less than a fiftieth of the strand on them cannot carry
/// it: the mesh is stretched without end. Clamped to an elastic mesh, stiff strands may gain speed.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_attachment_create_triangle(const WithyTriangleAttachmentDef *def,
                                         WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&def)`.
WITHY_API int32_t withy_body_attachment_def_init_sized(WithyBodyAttachmentDef *def, uint32_t size);
#define withy_body_attachment_def_init(def) withy_body_attachment_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Ties the end of a strand to a rigid body where the end is at this moment. Both sides pull, by their masses, substep by
/// substep; a static or kinematic body does not give. The body does not sleep while it is tied. Destroyed with the body.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API int32_t withy_attachment_create_body(const WithyBodyAttachmentDef *def, WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&def)`.
WITHY_API int32_t withy_junction_def_init_sized(WithyJunctionDef *def, uint32_t size);
#define withy_junction_def_init(def) withy_junction_def_init_sized((def), (uint32_t)sizeof *(def))

/// Writes. Joins strand ends rigidly by a small body of two ghost points (Umetani 2014, eq. 26): trees, nets, loops. They meet at
/// the mean of their positions. The angles between them at this moment are those at rest.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API int32_t withy_attachment_create_junction(const WithyJunctionDef *def, WithyAttachment *attachment);

/// Writes. Lets the ends go.
WITHY_API int32_t withy_attachment_destroy(WithyAttachment attachment);

/* =============================================================================================================================
 * Diagnostics
 *
 * What a world did, what it needs, and how it looks from inside.
 */

/// What the last step did. Times are wall-clock seconds.
typedef struct WithyStepStats {
    /// Steps since the world was created.
    uint64_t steps;
    double seconds_total;
    /// Colliders interpolated over the substeps.
    double seconds_prepare;
    /// Prediction, constraints and contacts of all strands.
    double seconds_solve;
    /// The numbers that follow, gathered.
    double seconds_report;
    /// Largest |length / rest length - 1| of an edge.
    double largest_strain;
    /// Where it is: the rods, null if there are none or they have been destroyed since, and the strand in them.
    WithyRods largest_strain_rods;
    uint32_t largest_strain_strand;
    uint32_t substeps;
    uint32_t iterations;
    /// Strands with a NaN or an infinity.
    uint32_t non_finite_strands;
    /// Strands with two neighbouring frames more than 175 degrees apart, where the model flips.
    uint32_t kinked_strands;
    /// Strands that ran into the speed limit, or stood still in a substep that led to no number.
    uint32_t limited_strands;
    /// Vertices that touched a collider in the last substep.
    uint32_t contacts;
    uint32_t reserved;
    /// Rigid bodies: how many there are, how many were awake, islands of them that touch or are joined, and pairs of shapes that touch.
    uint32_t bodies;
    uint32_t awake_bodies;
    uint32_t islands;
    uint32_t body_contacts;
    /// Bodies whose motion became NaN or infinite in the last step, which only loads beyond all measure do: they were stopped where they were.
    uint32_t non_finite_bodies;
    uint32_t joints;
    /// Not 0: in some place so many shapes were near each other (16 to 4 for each, and 4,096) that each met a few others only. At least so many
    /// pairs were left out.
    uint64_t pairs_left_out;
    /// Of `seconds_solve`, that of rigid bodies.
    double seconds_bodies;
} WithyStepStats;

/// A line of the debug drawing, in host units.
typedef struct WithyDebugLine {
    float from[3];
    float to[3];
    /// 0xRRGGBBAA
    uint32_t rgba;
    uint32_t reserved;
} WithyDebugLine;

/// Reads. Use the macro `withy_world_read_stats(world, &stats)`, which passes the size that the host was compiled with.
WITHY_API int32_t withy_world_read_stats_sized(WithyWorld world, WithyStepStats *stats, uint32_t size);
#define withy_world_read_stats(world, stats) withy_world_read_stats_sized((world), (stats), (uint32_t)sizeof *(stats))

/// Reads. The name of the backend in use, such as "cpu", with a terminating 0; after a fall-back of WITHY_BACKEND_AUTO with the
/// reason behind it.
///
/// @param name Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the name, its 0 included.
WITHY_API int32_t withy_world_backend(WithyWorld world, char *name, uint64_t *size);

/// Reads. The instruction set in use, a WITHY_ISA_ value.
WITHY_API int32_t withy_world_isa(WithyWorld world, uint32_t *isa);

/// Reads. The memory that the world holds, on the CPU and the GPU together, in bytes.
WITHY_API int32_t withy_world_memory(WithyWorld world, uint64_t *bytes);

/// Reads. A hash of the whole state, equal on every thread count, instruction set and system for the same calls: what lockstep
/// networking and regression tests compare.
WITHY_API int32_t withy_world_state_hash(WithyWorld world, uint64_t *hash);

/// Reads. Lines of the centrelines (orange where strained by more than a percent), the material axes d1 (red) and d2 (green), the
/// meshes and the colliders; of bodies the shapes (green; grey asleep), of joints both frames (d1, d2, d3: red, green, blue), the limits and
/// the curve of an arc with its material axes, and the contacts with their normals.
///
/// @param lines Room for `*count` lines, or NULL to learn the count.
/// @param count Set to the number of lines.
WITHY_API
int32_t withy_world_debug_lines(WithyWorld world,
                                WithyDebugLine *lines,
                                uint64_t *count);

/* =============================================================================================================================
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
WITHY_ASSERT(sizeof(WithyStrandIssue) == 24);
WITHY_ASSERT(offsetof(WithyStrandIssue, strand) == 0);
WITHY_ASSERT(offsetof(WithyStrandIssue, vertex) == 4);
WITHY_ASSERT(offsetof(WithyStrandIssue, kind) == 8);
WITHY_ASSERT(offsetof(WithyStrandIssue, reserved) == 12);
WITHY_ASSERT(offsetof(WithyStrandIssue, value) == 16);
WITHY_ASSERT(sizeof(WithyRestShapeDef) == 136);
WITHY_ASSERT(offsetof(WithyRestShapeDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRestShapeDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRestShapeDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRestShapeDef, progress) == 16);
WITHY_ASSERT(offsetof(WithyRestShapeDef, user) == 24);
WITHY_ASSERT(offsetof(WithyRestShapeDef, regularizer) == 32);
WITHY_ASSERT(offsetof(WithyRestShapeDef, penalty) == 40);
WITHY_ASSERT(offsetof(WithyRestShapeDef, tolerance) == 48);
WITHY_ASSERT(offsetof(WithyRestShapeDef, target) == 56);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_min) == 64);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_max) == 72);
WITHY_ASSERT(offsetof(WithyRestShapeDef, curvature) == 80);
WITHY_ASSERT(offsetof(WithyRestShapeDef, twist) == 88);
WITHY_ASSERT(offsetof(WithyRestShapeDef, stiffen) == 96);
WITHY_ASSERT(offsetof(WithyRestShapeDef, step) == 104);
WITHY_ASSERT(offsetof(WithyRestShapeDef, iterations) == 112);
WITHY_ASSERT(offsetof(WithyRestShapeDef, bounds) == 116);
WITHY_ASSERT(offsetof(WithyRestShapeDef, change_twist) == 120);
WITHY_ASSERT(offsetof(WithyRestShapeDef, reserved) == 124);
WITHY_ASSERT(offsetof(WithyRestShapeDef, lowest_mode_min) == 128);
WITHY_ASSERT(sizeof(WithyElasticReport) == 56);
WITHY_ASSERT(offsetof(WithyElasticReport, status) == 0);
WITHY_ASSERT(offsetof(WithyElasticReport, refusal) == 4);
WITHY_ASSERT(offsetof(WithyElasticReport, iterations) == 8);
WITHY_ASSERT(offsetof(WithyElasticReport, at_bounds) == 12);
WITHY_ASSERT(offsetof(WithyElasticReport, unstable_modes) == 16);
WITHY_ASSERT(offsetof(WithyElasticReport, stiffened) == 20);
WITHY_ASSERT(offsetof(WithyElasticReport, residual) == 24);
WITHY_ASSERT(offsetof(WithyElasticReport, acceleration) == 32);
WITHY_ASSERT(offsetof(WithyElasticReport, lowest_mode) == 40);
WITHY_ASSERT(offsetof(WithyElasticReport, stiffest) == 48);
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
WITHY_ASSERT(sizeof(WithyShapeDef) == 240);
WITHY_ASSERT(offsetof(WithyShapeDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyShapeDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyShapeDef, next) == 8);
WITHY_ASSERT(offsetof(WithyShapeDef, shape) == 16);
WITHY_ASSERT(offsetof(WithyShapeDef, category) == 20);
WITHY_ASSERT(offsetof(WithyShapeDef, mask) == 24);
WITHY_ASSERT(offsetof(WithyShapeDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyShapeDef, pose) == 32);
WITHY_ASSERT(offsetof(WithyShapeDef, radius) == 88);
WITHY_ASSERT(offsetof(WithyShapeDef, radius_top) == 96);
WITHY_ASSERT(offsetof(WithyShapeDef, half_height) == 104);
WITHY_ASSERT(offsetof(WithyShapeDef, half_extents) == 112);
WITHY_ASSERT(offsetof(WithyShapeDef, density) == 136);
WITHY_ASSERT(offsetof(WithyShapeDef, friction) == 144);
WITHY_ASSERT(offsetof(WithyShapeDef, restitution) == 152);
WITHY_ASSERT(offsetof(WithyShapeDef, stiffness) == 160);
WITHY_ASSERT(offsetof(WithyShapeDef, damping) == 168);
WITHY_ASSERT(offsetof(WithyShapeDef, positions) == 176);
WITHY_ASSERT(offsetof(WithyShapeDef, triangles) == 208);
WITHY_ASSERT(sizeof(WithyBodyDef) == 264);
WITHY_ASSERT(offsetof(WithyBodyDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyBodyDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyBodyDef, next) == 8);
WITHY_ASSERT(offsetof(WithyBodyDef, shapes) == 16);
WITHY_ASSERT(offsetof(WithyBodyDef, shape_count) == 24);
WITHY_ASSERT(offsetof(WithyBodyDef, motion) == 28);
WITHY_ASSERT(offsetof(WithyBodyDef, pose) == 32);
WITHY_ASSERT(offsetof(WithyBodyDef, velocity) == 88);
WITHY_ASSERT(offsetof(WithyBodyDef, spin) == 112);
WITHY_ASSERT(offsetof(WithyBodyDef, mass) == 136);
WITHY_ASSERT(offsetof(WithyBodyDef, center_of_mass) == 144);
WITHY_ASSERT(offsetof(WithyBodyDef, inertia) == 168);
WITHY_ASSERT(offsetof(WithyBodyDef, gravity_scale) == 216);
WITHY_ASSERT(offsetof(WithyBodyDef, linear_damping) == 224);
WITHY_ASSERT(offsetof(WithyBodyDef, angular_damping) == 232);
WITHY_ASSERT(offsetof(WithyBodyDef, max_speed) == 240);
WITHY_ASSERT(offsetof(WithyBodyDef, group) == 248);
WITHY_ASSERT(offsetof(WithyBodyDef, can_sleep) == 252);
WITHY_ASSERT(offsetof(WithyBodyDef, continuous) == 256);
WITHY_ASSERT(offsetof(WithyBodyDef, reserved) == 260);
WITHY_ASSERT(sizeof(WithyBody) == 8);
WITHY_ASSERT(offsetof(WithyBody, bits) == 0);
WITHY_ASSERT(sizeof(WithyContact) == 88);
WITHY_ASSERT(offsetof(WithyContact, body_a) == 0);
WITHY_ASSERT(offsetof(WithyContact, body_b) == 8);
WITHY_ASSERT(offsetof(WithyContact, collider) == 16);
WITHY_ASSERT(offsetof(WithyContact, position) == 24);
WITHY_ASSERT(offsetof(WithyContact, normal) == 48);
WITHY_ASSERT(offsetof(WithyContact, separation) == 72);
WITHY_ASSERT(offsetof(WithyContact, impulse) == 80);
WITHY_ASSERT(sizeof(WithyArc) == 80);
WITHY_ASSERT(offsetof(WithyArc, length) == 0);
WITHY_ASSERT(offsetof(WithyArc, bend) == 8);
WITHY_ASSERT(offsetof(WithyArc, twist) == 24);
WITHY_ASSERT(offsetof(WithyArc, viscosity) == 32);
WITHY_ASSERT(offsetof(WithyArc, rest) == 40);
WITHY_ASSERT(offsetof(WithyArc, relaxation) == 64);
WITHY_ASSERT(sizeof(WithyMotor) == 112);
WITHY_ASSERT(offsetof(WithyMotor, stiffness) == 0);
WITHY_ASSERT(offsetof(WithyMotor, damping) == 24);
WITHY_ASSERT(offsetof(WithyMotor, target) == 48);
WITHY_ASSERT(offsetof(WithyMotor, speed) == 80);
WITHY_ASSERT(offsetof(WithyMotor, max_torque) == 104);
WITHY_ASSERT(sizeof(WithyJointDef) == 288);
WITHY_ASSERT(offsetof(WithyJointDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyJointDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyJointDef, next) == 8);
WITHY_ASSERT(offsetof(WithyJointDef, body_a) == 16);
WITHY_ASSERT(offsetof(WithyJointDef, body_b) == 24);
WITHY_ASSERT(offsetof(WithyJointDef, frame_a) == 32);
WITHY_ASSERT(offsetof(WithyJointDef, frame_b) == 88);
WITHY_ASSERT(offsetof(WithyJointDef, kind) == 144);
WITHY_ASSERT(offsetof(WithyJointDef, collide) == 148);
WITHY_ASSERT(offsetof(WithyJointDef, swing) == 152);
WITHY_ASSERT(offsetof(WithyJointDef, twist) == 168);
WITHY_ASSERT(offsetof(WithyJointDef, least) == 184);
WITHY_ASSERT(offsetof(WithyJointDef, most) == 192);
WITHY_ASSERT(offsetof(WithyJointDef, arc) == 200);
WITHY_ASSERT(offsetof(WithyJointDef, motor) == 280);
WITHY_ASSERT(sizeof(WithyJoint) == 8);
WITHY_ASSERT(offsetof(WithyJoint, bits) == 0);
WITHY_ASSERT(sizeof(WithyRagdollDrive) == 56);
WITHY_ASSERT(offsetof(WithyRagdollDrive, stiffness) == 0);
WITHY_ASSERT(offsetof(WithyRagdollDrive, damping) == 8);
WITHY_ASSERT(offsetof(WithyRagdollDrive, max_torque) == 16);
WITHY_ASSERT(offsetof(WithyRagdollDrive, scale) == 24);
WITHY_ASSERT(sizeof(WithyRagdollBodyDef) == 40);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, body) == 16);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, joint) == 24);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, bone) == 32);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, reserved) == 36);
WITHY_ASSERT(sizeof(WithyRegionDef) == 224);
WITHY_ASSERT(offsetof(WithyRegionDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRegionDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRegionDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRegionDef, first) == 16);
WITHY_ASSERT(offsetof(WithyRegionDef, last) == 20);
WITHY_ASSERT(offsetof(WithyRegionDef, anchor_a) == 24);
WITHY_ASSERT(offsetof(WithyRegionDef, anchor_b) == 48);
WITHY_ASSERT(offsetof(WithyRegionDef, axis) == 72);
WITHY_ASSERT(offsetof(WithyRegionDef, arc) == 96);
WITHY_ASSERT(offsetof(WithyRegionDef, swing) == 176);
WITHY_ASSERT(offsetof(WithyRegionDef, twist) == 192);
WITHY_ASSERT(offsetof(WithyRegionDef, rest) == 208);
WITHY_ASSERT(offsetof(WithyRegionDef, read_back) == 212);
WITHY_ASSERT(offsetof(WithyRegionDef, collide) == 216);
WITHY_ASSERT(offsetof(WithyRegionDef, reserved) == 220);
WITHY_ASSERT(sizeof(WithyRagdollDef) == 168);
WITHY_ASSERT(offsetof(WithyRagdollDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRagdollDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRagdollDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRagdollDef, parents) == 16);
WITHY_ASSERT(offsetof(WithyRagdollDef, positions) == 48);
WITHY_ASSERT(offsetof(WithyRagdollDef, rotations) == 80);
WITHY_ASSERT(offsetof(WithyRagdollDef, bodies) == 112);
WITHY_ASSERT(offsetof(WithyRagdollDef, regions) == 120);
WITHY_ASSERT(offsetof(WithyRagdollDef, body_count) == 128);
WITHY_ASSERT(offsetof(WithyRagdollDef, region_count) == 132);
WITHY_ASSERT(offsetof(WithyRagdollDef, apart) == 136);
WITHY_ASSERT(sizeof(WithyRagdolls) == 8);
WITHY_ASSERT(offsetof(WithyRagdolls, bits) == 0);
WITHY_ASSERT(sizeof(WithyMeshDef) == 160);
WITHY_ASSERT(offsetof(WithyMeshDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyMeshDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyMeshDef, next) == 8);
WITHY_ASSERT(offsetof(WithyMeshDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyMeshDef, triangles) == 48);
WITHY_ASSERT(offsetof(WithyMeshDef, inv_masses) == 80);
WITHY_ASSERT(offsetof(WithyMeshDef, extra_edges) == 112);
WITHY_ASSERT(offsetof(WithyMeshDef, edge_compliance) == 144);
WITHY_ASSERT(offsetof(WithyMeshDef, drag) == 152);
WITHY_ASSERT(sizeof(WithyMesh) == 8);
WITHY_ASSERT(offsetof(WithyMesh, bits) == 0);
WITHY_ASSERT(sizeof(WithyStrandEnd) == 16);
WITHY_ASSERT(offsetof(WithyStrandEnd, rods) == 0);
WITHY_ASSERT(offsetof(WithyStrandEnd, strand) == 8);
WITHY_ASSERT(offsetof(WithyStrandEnd, end) == 12);
WITHY_ASSERT(sizeof(WithyTriangleAttachmentDef) == 72);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, next) == 8);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, end) == 16);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, mesh) == 32);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, triangle) == 40);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, reserved) == 44);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, barycentric) == 48);
WITHY_ASSERT(sizeof(WithyAttachment) == 8);
WITHY_ASSERT(offsetof(WithyAttachment, bits) == 0);
WITHY_ASSERT(sizeof(WithyBodyAttachmentDef) == 40);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, next) == 8);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, end) == 16);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, body) == 32);
WITHY_ASSERT(sizeof(WithyJunctionDef) == 48);
WITHY_ASSERT(offsetof(WithyJunctionDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyJunctionDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyJunctionDef, next) == 8);
WITHY_ASSERT(offsetof(WithyJunctionDef, ends) == 16);
WITHY_ASSERT(offsetof(WithyJunctionDef, end_count) == 24);
WITHY_ASSERT(offsetof(WithyJunctionDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyJunctionDef, radius) == 32);
WITHY_ASSERT(offsetof(WithyJunctionDef, mass) == 40);
WITHY_ASSERT(sizeof(WithyStepStats) == 128);
WITHY_ASSERT(offsetof(WithyStepStats, steps) == 0);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_total) == 8);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_prepare) == 16);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_solve) == 24);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_report) == 32);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain) == 40);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain_rods) == 48);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain_strand) == 56);
WITHY_ASSERT(offsetof(WithyStepStats, substeps) == 60);
WITHY_ASSERT(offsetof(WithyStepStats, iterations) == 64);
WITHY_ASSERT(offsetof(WithyStepStats, non_finite_strands) == 68);
WITHY_ASSERT(offsetof(WithyStepStats, kinked_strands) == 72);
WITHY_ASSERT(offsetof(WithyStepStats, limited_strands) == 76);
WITHY_ASSERT(offsetof(WithyStepStats, contacts) == 80);
WITHY_ASSERT(offsetof(WithyStepStats, reserved) == 84);
WITHY_ASSERT(offsetof(WithyStepStats, bodies) == 88);
WITHY_ASSERT(offsetof(WithyStepStats, awake_bodies) == 92);
WITHY_ASSERT(offsetof(WithyStepStats, islands) == 96);
WITHY_ASSERT(offsetof(WithyStepStats, body_contacts) == 100);
WITHY_ASSERT(offsetof(WithyStepStats, non_finite_bodies) == 104);
WITHY_ASSERT(offsetof(WithyStepStats, joints) == 108);
WITHY_ASSERT(offsetof(WithyStepStats, pairs_left_out) == 112);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_bodies) == 120);
WITHY_ASSERT(sizeof(WithyDebugLine) == 32);
WITHY_ASSERT(offsetof(WithyDebugLine, from) == 0);
WITHY_ASSERT(offsetof(WithyDebugLine, to) == 12);
WITHY_ASSERT(offsetof(WithyDebugLine, rgba) == 24);
WITHY_ASSERT(offsetof(WithyDebugLine, reserved) == 28);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_H */
