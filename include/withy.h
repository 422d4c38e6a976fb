/* withy 0.1.0: elastic rods and rigid bodies as a native plugin. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * withy simulates thin elastic rods: hair, ropes, cables, plants. This header is the manual of what
 * a first program needs: worlds, rods, colliders. Others are there when you want them:
 *
 *   withy_bodies.h       rigid bodies, joints, meshes, what ties rods to them, skins over rods
 *   withy_render_hair.h  render hair that follows simulated strands
 *   withy_ropes.h        cables over pulleys, winches, rods that are cut or break
 *   withy_muscle.h       muscles between bodies
 *   withy_ragdoll.h      characters that go from animation to physics and back
 *   withy_rest_shape.h   hair that keeps its groomed shape: reports and finer control
 *   withy_asset.h        what hosts save: one file of named chunks
 *   withy_expert.h       measurements, statistics, debug lines, instruction sets
 *
 * Example: a metre of rope, held at one end, swings for a second.
 *
 *   float points[21][3];          (fill it: 21 vertices, 5 cm apart)
 *   uint32_t vertices = 21;
 *   WithyContext context; WithyWorld world; WithyRods rope; WithyRodsDef def;
 *   withy_context_create(NULL, &context);
 *   withy_world_create(context, NULL, &world);
 *   withy_rope_def_init(context, &def);
 *   def.positions = (WithySpan){points, 21, 0, WITHY_FORMAT_F32, 0};
 *   def.counts = (WithySpan){&vertices, 1, 0, WITHY_FORMAT_U32, 0};
 *   def.root = WITHY_SUPPORT_CLAMPED;
 *   withy_rods_create(world, &def, &rope);
 *   for (int i = 0; i < 60; i++) withy_world_step(world, 1.0 / 60.0);
 *   withy_rods_read_positions(rope, &def.positions);
 *   withy_context_destroy(context);
 *
 * Objects
 *   A context holds worlds, and a world holds everything else:
 *
 *   WithyContext          the host's units, axes and threads
 *     WithyWorld          what is simulated together
 *       WithyRods         a set of strands: a groom, a rope
 *       WithyCollider     a simple shape that the host moves
 *       WithyBody, WithyJoint, WithyMesh, WithySkin, WithyAttachment  in withy_bodies.h
 *       WithyRenderHair                                         in withy_render_hair.h
 *       WithyCable                                              in withy_ropes.h
 *       WithyRagdolls                                           in withy_ragdoll.h
 *
 *   "The host" is the program that calls the library. A handle is a number; 0 is null. An object
 *   lives until it, its world or its context is destroyed. A handle of a destroyed object is never
 *   dangerous: the call returns WITHY_ERROR_INVALID_HANDLE.
 *
 * Structs
 *   To create something, fill a ...Def with its _init macro, change the fields that matter, and
 *   pass it to _create, which copies all that it points to. The first three fields are alike in
 *   all: `struct_size` is set by the macro and lets old programs run with new libraries; `flags`
 *   is 0 or a sum of the flags named there; `next` is NULL.
 *
 * Errors
 *   Functions return WITHY_OK or a negative WITHY_ERROR_ code. withy_last_error() then names the
 *   function, the field, the index and the value that was wrong. A call that fails changes nothing.
 *   All functions may return WITHY_ERROR_INVALID_ARGUMENT (also for NULL where nothing else is said
 *   and for numbers out of range), _INVALID_HANDLE, _BUSY, _OUT_OF_MEMORY and _PANIC; only other
 *   codes are listed with a function. Ranges are written [least, most]. Coordinates and speeds are
 *   at most 1e9 m and m/s.
 *
 * Threads
 *   Any thread may call any function. "Reads" and "Writes" in the descriptions are about the world:
 *   calls that read may run at the same time, a call that writes must be alone. Otherwise the call
 *   returns WITHY_ERROR_BUSY at once; no call waits for another. Different worlds are independent.
 *   Results do not depend on the number of threads.
 *
 * Units
 *   Metres, kilograms, seconds, radians; right-handed axes, Y up. A context can name another
 *   convention. Positions, lengths, velocities, gravity, directions, rotations and curvatures are
 *   then in the host's units and axes, "host units" below. Ranges stay in metres. Masses, moduli,
 *   densities, stiffnesses, forces, torques and rates are in SI units always; their directions are
 *   in the host's axes. Quaternions are x, y, z, w. Angles follow the host's handedness.
 *
 * What withy does not do yet
 *   Rods meet bodies, colliders and meshes with their vertices only, so that thin things slip
 *   through between two vertices. (Rods meet rods with their whole length.) Rigid bodies do not
 *   meet deforming meshes. There is no cloth, and there are no soft bodies. The GPU simulates rods
 *   in single precision; bodies beside them step on the CPU.
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

/* On Windows, define WITHY_DLL before including this to link with withy.dll and not with the static
 * library. */
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
 * Every function that can fail returns one of these codes. `withy_last_error` gives the reason in
 * words.
 */

#define WITHY_OK 0

/// A pointer, number, count, stride or index that cannot be used.
#define WITHY_ERROR_INVALID_ARGUMENT (-1)
/// The handle is null, or names a destroyed object, an object of another kind or of another world.
#define WITHY_ERROR_INVALID_HANDLE (-2)
/// This version, this build or this machine cannot do it.
#define WITHY_ERROR_UNSUPPORTED (-3)
/// Another call is using the world. Try again later.
#define WITHY_ERROR_BUSY (-4)
/// There is not enough memory.
#define WITHY_ERROR_OUT_OF_MEMORY (-5)
/// A fault of the library. This world can only be destroyed now; other worlds go on.
#define WITHY_ERROR_PANIC (-6)
/// The output array is too small. Its count now says how much room is needed.
#define WITHY_ERROR_TOO_SMALL (-7)

/// The version of the library that is running: major * 2^22 + minor * 2^12 + patch, as
/// WITHY_VERSION.
WITHY_API uint32_t withy_version(void);

/// Tells whether a program compiled with the header of `header_version` can use this library. Pass
/// WITHY_VERSION. The major versions must be equal; before 1.0 the minor versions, too.
///
/// @return WITHY_OK if it can, WITHY_ERROR_UNSUPPORTED if not.
WITHY_API int32_t withy_check_version(uint32_t header_version);

/// Why the last failed call of this thread failed: the function, the field, the index and the
/// value. Never NULL. Empty before the first failure. The text is valid until the next failure on
/// this thread; calls that succeed do not change it.
WITHY_API const char *withy_last_error(void);

/// The name of a result as text: "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY, "unknown" for any other
/// number. The string is constant.
WITHY_API const char *withy_result_name(int32_t result);

/* ===============================================================================================
 * Vectors and arrays
 *
 * Single numbers are doubles. Arrays are spans: f32 or f64, with any stride and alignment.
 */

/// 32-bit floats.
#define WITHY_FORMAT_F32 1
/// 64-bit floats.
#define WITHY_FORMAT_F64 2
/// 32-bit unsigned integers: for counts and indices only.
#define WITHY_FORMAT_U32 3

/// As a count, next to an array that is NULL: all objects. (NULL with a count of 0 is an empty
/// array.)
#define WITHY_ALL 18446744073709551615ull

/// An array of the host: where it is, how many elements it has, and of which type. The function or
/// field that takes it says what an element is: a number, a vector of 3 or a quaternion of 4
/// numbers.
///
/// As an input it is read during the call and not kept. A count of 0 means "none".
///
/// As an output, set `count` to the room that the array has. The call sets it to the number of
/// elements that the object has, and writes them. If `data` is NULL it only sets `count`. If there
/// is too little room it writes nothing and fails with WITHY_ERROR_TOO_SMALL.
typedef struct WithySpan {
    void *data;
    /// Elements, not numbers: 21 for 21 vectors.
    uint64_t count;
    /// Bytes from one element to the next. 0: densely packed.
    uint64_t stride;
    /// A WITHY_FORMAT_ value.
    uint32_t format;
    /// Must be 0.
    uint32_t reserved;
} WithySpan;

/// A point, direction, velocity or force.
typedef struct WithyVec3 {
    double x;
    double y;
    double z;
} WithyVec3;

/// A rotation. Its length must be 1 within 1 %; the library normalises it.
typedef struct WithyQuat {
    double x;
    double y;
    double z;
    double w;
} WithyQuat;

/// A position and a rotation: takes a local point x to rotation * x + position.
typedef struct WithyPose {
    WithyVec3 position;
    WithyQuat rotation;
} WithyPose;

/* ===============================================================================================
 * Context
 *
 * A context holds what all worlds share: the host's units and axes, and its threads. Most programs
 * have one.
 *
 *     convention   unit   up   hand    host's (x, y, z)   an edge's direction in its frame
 *     SI           m      y    right   (x, y, z)          z
 *     Maya         cm     y    right   (x, y, z)          z
 *     Unreal       cm     z    left    (x, z, y)          y
 *     Unity        m      y    left    (-x, y, z)         z
 *     Blender      m      z    right   (x, z, -y)         -y
 *
 * The fourth column says where the host's (x, y, z) is in the library. Frames of rods, bodies and
 * colliders are converted in the same way; the last column follows from that.
 */

/// Metres, right-handed, Y up. The default.
#define WITHY_CONVENTION_SI 0
/// Centimetres, right-handed, Y up.
#define WITHY_CONVENTION_MAYA 1
/// Centimetres, left-handed, Z up. The host's (x, y, z) is the library's (x, z, y).
#define WITHY_CONVENTION_UNREAL 2
/// Metres, left-handed, Y up. The host's (x, y, z) is the library's (-x, y, z).
#define WITHY_CONVENTION_UNITY 3
/// Metres, right-handed, Z up. The host's (x, y, z) is the library's (x, z, -y).
#define WITHY_CONVENTION_BLENDER 4

/// As many threads as the machine has.
#define WITHY_THREADS_ALL 0xffffffffu

/// Worker threads of the host, for `WithyContextDef.tasks`.
///
/// The library calls `run` on the thread that steps. `run` must call `task(task_data, i)` once for
/// each i from 0 to count - 1, on any threads and in any order, and return when all these calls
/// have returned. One thread may also make them one after the other. `run` must not throw and must
/// not keep `task_data`.
///
/// Other long calls (rest shapes, settling) call `run`, too. Two threads that step two worlds may
/// call it at the same time. Within it the world that is working, and its context, answer
/// WITHY_ERROR_BUSY.
typedef struct WithyTaskCallbacks {
    /// Passed to `run`. Must stay valid as long as the context.
    void *user;
    void (*run)(void *user,
                void (*task)(void *task_data, uint32_t index),
                void *task_data,
                uint32_t count);
} WithyTaskCallbacks;

/// How to create a context.
typedef struct WithyContextDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_CONVENTION_ value: units and axes of the host. Default: WITHY_CONVENTION_SI.
    uint32_t convention;
    /// Threads of the library's own pool, which all worlds of the context share, at most 1024. 0
    /// (the default): none, the thread that calls `withy_world_step` does all the work.
    /// WITHY_THREADS_ALL: as many as the machine has. Results are the same with any number.
    uint32_t threads;
    /// Length of the host's unit in metres, [1e-6, 1e6]. 0 (the default): 1, or 0.01 for the
    /// conventions in centimetres.
    double metres_per_unit;
    /// The host's worker threads instead of a pool: `threads` must then be 0. NULL (the default):
    /// none. The struct is copied.
    const WithyTaskCallbacks *tasks;
} WithyContextDef;

/// Handle of a context.
typedef struct WithyContext {
    uint64_t bits;
} WithyContext;

/// Fills `def` with the defaults. Use the macro `withy_context_def_init(&def)`; it passes the size
/// of the struct that your program was compiled with. All _init macros below do the same.
WITHY_API int32_t withy_context_def_init_sized(WithyContextDef *def, uint32_t size);
#define withy_context_def_init(d) \
    withy_context_def_init_sized((d), (uint32_t)sizeof *(d))

/// Creates a context and, if `def` asks for them, its threads.
///
/// @param def NULL: all defaults. Not kept.
/// @param context Set on success. Destroy it with `withy_context_destroy`.
WITHY_API
int32_t withy_context_create(const WithyContextDef *def,
                             WithyContext *context);

/// Destroys a context, its worlds and everything in them, and ends its threads.
///
/// @return WITHY_ERROR_BUSY: one of its worlds is in use. Nothing was destroyed.
WITHY_API int32_t withy_context_destroy(WithyContext context);

/// Destroys all contexts of the process, as a host does before it unloads the library or forgets
/// its handles.
///
/// @return WITHY_ERROR_BUSY: a world is in use. Its context is still there, the others are not.
WITHY_API int32_t withy_context_destroy_all(void);

/// Copies the programs that a GPU's driver has compiled for the worlds of a context, for
/// `withy_context_load_gpu_cache` in a later run: compiling them can take seconds. Call it after a
/// world with WITHY_BACKEND_GPU has got its rods.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the number of bytes. 0: nothing was compiled, or the driver does not give it
///     out.
WITHY_API
int32_t withy_context_save_gpu_cache(WithyContext context,
                                     void *data,
                                     uint64_t *size);

/// Gives a context what `withy_context_save_gpu_cache` returned, for the worlds that are created
/// afterwards. It is no error if the bytes are damaged, or of another GPU, driver or version of
/// withy: then everything is compiled as without them. Drivers trust such bytes as they trust a
/// program: load only files that your own program has saved.
///
/// @param data `size` bytes. They are copied.
WITHY_API
int32_t withy_context_load_gpu_cache(WithyContext context,
                                     const void *data,
                                     uint64_t size);

/* ===============================================================================================
 * World
 *
 * A world is what is simulated together: only objects of the same world can touch. It is stepped
 * as a whole.
 */

/// Simulate on the CPU. The default.
#define WITHY_BACKEND_CPU 0
/// Simulate rods on the GPU. Rigid bodies, joints and ragdolls step on the CPU beside them; rods
/// meet them, and push them unless they have WITHY_RODS_ONE_WAY: steps in which rods without it are
/// near a dynamic body wait for the GPU. Without a usable GPU `withy_world_create` fails with
/// WITHY_ERROR_UNSUPPORTED, and `withy_last_error` says why.
#define WITHY_BACKEND_GPU 1
/// The GPU if there is a usable one, else the CPU. (Software such as Mesa's llvmpipe is not taken.)
/// `withy_world_backend` tells which. On the GPU there is only what WITHY_BACKEND_GPU has.
#define WITHY_BACKEND_AUTO 2

/// The widest instruction set of the machine. (withy_expert.h has the others.)
#define WITHY_ISA_AUTO 0

/// Single precision. The default.
#define WITHY_PRECISION_F32 0
/// Double precision, on the CPU only. Slower by two to five times; for very stiff strands, and for
/// scenes kilometres wide.
#define WITHY_PRECISION_F64 1

/// How to create a world. A step is divided into substeps, and a substep into iterations: more
/// substeps follow fast motion better and make contacts and joints stiffer, more iterations bring
/// the constraints closer to being met.
typedef struct WithyWorldDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    uint32_t backend;
    /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO. All give the same results.
    uint32_t isa;
    /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    uint32_t precision;
    /// Substeps of each step, 1 to 65,536. Default: 8, good for 60 steps a second.
    uint32_t substeps;
    /// Iterations of each substep, 1 to 10,000. Default: 4. It is for rods that are swept, bodies
    /// and joints. Rods that are solved directly have their own number, `WithyRodsDef.iterations`.
    uint32_t iterations;
    /// The most substeps of a long step, up to 65,536. A step of more than 0.05 s, as after a
    /// frame that took too long, has more substeps, so that none is longer than in a step of
    /// 0.05 s. With `substeps` or less a long step has no more than a usual one. 0 (the default):
    /// 16 times `substeps`.
    uint32_t max_substeps;
} WithyWorldDef;

/// Handle of a world.
typedef struct WithyWorld {
    uint64_t bits;
} WithyWorld;

/// Fills `def` with the defaults. Use the macro `withy_world_def_init(&def)`.
WITHY_API int32_t withy_world_def_init_sized(WithyWorldDef *def, uint32_t size);
#define withy_world_def_init(d) \
    withy_world_def_init_sized((d), (uint32_t)sizeof *(d))

/// Creates an empty world. Its gravity is 9.81 m/s^2 downwards.
///
/// @param def NULL: all defaults. Not kept.
/// @param world Set on success. Destroy it with `withy_world_destroy`, or with its context.
/// @return WITHY_ERROR_UNSUPPORTED: no such backend or instruction set here, or double precision on
///     the GPU.
WITHY_API
int32_t withy_world_create(WithyContext context,
                           const WithyWorldDef *def,
                           WithyWorld *world);

/// Destroys a world and everything in it.
WITHY_API int32_t withy_world_destroy(WithyWorld world);

/// Writes. Sets the gravity and wakes bodies that sleep. Hair with WITHY_RODS_SAG_FREE was fitted
/// to the gravity before: call `withy_rods_optimize_rest_shape` to fit it again.
///
/// @param gravity In host units/s^2.
WITHY_API int32_t withy_world_set_gravity(WithyWorld world, const WithyVec3 *gravity);

/// Reads. The gravity.
///
/// @param gravity Set, in host units/s^2.
WITHY_API int32_t withy_world_get_gravity(WithyWorld world, WithyVec3 *gravity);

/// Writes. Changes the substeps and the iterations of the world, as in WithyWorldDef. After a
/// change to fewer substeps, sag-free hair should be fitted again with
/// `withy_rods_optimize_rest_shape`.
///
/// @param substeps Substeps of each step, 1 to 65,536.
/// @param iterations Iterations of each substep, 1 to 10,000.
WITHY_API
int32_t withy_world_set_iterations(WithyWorld world,
                                   uint32_t substeps,
                                   uint32_t iterations);

/// Writes. Advances the world by `dt` seconds. What the host moves (roots, pins, colliders,
/// kinematic bodies) reaches its target at the end of the step, and moves there evenly over the
/// substeps.
///
/// Steps allocate no memory, but for the first one after objects were created, and for steps in
/// which more bodies touch than ever before, or which are longer than any before.
///
/// A step of more than 0.05 s takes more substeps (`WithyWorldDef.max_substeps`): what is at rest
/// stays at rest, and nothing is thrown. `withy_world_read_stats` tells how many it took.
///
/// The floating-point mode of the calling thread does not matter, and is left as it is.
///
/// A simulation that goes wrong is not an error here: `withy_world_read_stats` (withy_expert.h)
/// tells.
///
/// @param dt 1e-6 to 10 s. 0 changes nothing.
WITHY_API int32_t withy_world_step(WithyWorld world, double dt);

/// Reads. Writes the state of the world into `data`, for `withy_world_restore_state`: for scrubbing
/// a timeline, or for a rollback.
///
/// In the state is what steps change: positions, velocities, and the poses, targets and pins that
/// the host has set; whether rods are enabled; of bodies also pushes, who moves them, contacts and
/// sleep; of ragdolls what their last transition made of them. So its size changes with the number
/// of contacts. Not in the state are settings: gravity, iterations, rest shapes, what acts on rods
/// (forces, moments, goals, winds, accelerations), what `withy_rods_change` and
/// `withy_rods_set_motion` set, and limits and motors of joints.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the state.
WITHY_API int32_t withy_world_save_state(WithyWorld world, void *data, uint64_t *size);

/// Writes. Goes back to a saved state. From there the world goes on exactly as it did, bit for bit.
/// (On the GPU strands that touch strands go on nearly so: the state has no contact forces.)
///
/// The world must have the same objects and pins as when the state was saved, or be another one
/// that was built by the same calls, with rods created in the same pose. Of ragdolls, the same
/// instances must have bodies, and joints must be of the same kinds.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the state is damaged, or of another world or
///     version.
WITHY_API
int32_t withy_world_restore_state(WithyWorld world,
                                  const void *data,
                                  uint64_t size);

/// Why the last call on this world, or on something in it, failed, on whatever thread: for hosts
/// that step in a job and tell of it elsewhere. Empty before the first failure.
///
/// @param text Room for `*size` bytes, or NULL to learn the size. A C string.
/// @param size Set to the bytes of the text, the final 0 included.
WITHY_API int32_t withy_world_last_error(WithyWorld world, char *text, uint64_t *size);

/// Reads. The name of the backend in use, such as "cpu", as a C string. If WITHY_BACKEND_AUTO fell
/// back to the CPU the name also says why.
///
/// @param name Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the name, the final 0 included.
WITHY_API int32_t withy_world_backend(WithyWorld world, char *name, uint64_t *size);

/* ===============================================================================================
 * Rods
 *
 * A set of rods is a number of strands of one material: a groom, a rope, the strings of a net. All
 * arrays go through the whole set, strand after strand, each from its root to its tip.
 *
 * A strand of n vertices has n - 1 edges between them, and n - 2 elements: its inner vertices,
 * where it bends and twists. Each edge has a material frame of three axes: d3 along the edge, d1
 * and d2 across it. The frame shows how the section is turned.
 */

/// Ghost-point rods (Umetani 2014): an extra point beside each edge carries its frame. The default.
#define WITHY_MODEL_GHOST 0
/// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025). For wires and cables that are
/// twisted by many turns: this model counts full turns, the other flips at half a turn between two
/// edges. A clamped end holds its whole first edge, and the rod bends from the middle of that edge
/// on: a cantilever of e edges is e - 1/2 edges long. (WITHY_MODEL_GHOST bends from its first
/// vertex on: e edges.) Always solved directly, so `order` has no effect; WITHY_STIFFNESS_PHYSICAL
/// only. Takes as much memory as WITHY_ORDER_DIRECT.
#define WITHY_MODEL_DER 1

/// The stiffness follows from `young_modulus`, `shear_modulus` and the section. The shape at rest
/// depends neither on the time step nor on the number of iterations. The default.
#define WITHY_STIFFNESS_PHYSICAL 0
/// The stiffness is `alpha_...`: which part of an error an iteration corrects (Umetani 2014). More
/// iterations or substeps make the rod stiffer.
#define WITHY_STIFFNESS_ALPHA 1

/// At rest the rods have the shape of the start, or of `rest_positions` if these are given. The
/// default.
#define WITHY_REST_FROM_POSE 0
/// At rest they are straight and not twisted, with the lengths of the start.
#define WITHY_REST_STRAIGHT 1
/// At rest they have `rest_lengths` and `rest_darboux`.
#define WITHY_REST_EXPLICIT 2

/// Sweeps that go from the root to the tip: each edge is corrected in turn, then its bend and
/// twist. Cheap. Long or stiff strands stretch, and bend too easily, unless there are many
/// iterations.
#define WITHY_ORDER_ROOT_TO_TIP 0
/// The whole strand is solved at once, by one step of Newton's method in each iteration. Long and
/// stiff strands are as stiff as they should be, with a single iteration in each substep. That
/// iteration costs about as much as four sweeps. Takes 300 bytes more a vertex (600 in double
/// precision) if something couples the rods to others: attachments, WITHY_RODS_SELF_CONTACT, bodies
/// that they may push, bundles; and if a strand has more than 128 vertices.
/// WITHY_STIFFNESS_PHYSICAL only. In single precision, strands of thousands of edges, or with edges
/// far below a millimetre, still stretch a little.
#define WITHY_ORDER_DIRECT 1
/// Sweeps that go in turn from the root and from the tip. As WITHY_ORDER_ROOT_TO_TIP, but does not
/// start to vibrate by itself. Give it two iterations or more.
#define WITHY_ORDER_ALTERNATING 2
/// WITHY_ORDER_DIRECT for WITHY_STIFFNESS_PHYSICAL, WITHY_ORDER_ALTERNATING for
/// WITHY_STIFFNESS_ALPHA. The default.
#define WITHY_ORDER_AUTO 3

/// WITHY_INTEGRATOR_SECOND_ORDER for rods that can have it, WITHY_INTEGRATOR_FIRST_ORDER for
/// others. The default.
#define WITHY_INTEGRATOR_AUTO 0
/// Motion is damped by the steps themselves: what swings once a second keeps 0.6 of its amplitude
/// after ten swings with 8 substeps in each 60 Hz frame, and 0.03 with one.
#define WITHY_INTEGRATOR_FIRST_ORDER 1
/// Motion stays: what swings once a second keeps 0.99 of its amplitude after ten swings with 2
/// substeps in each 60 Hz frame, for a fifth more time a substep. What is too quick for the
/// substeps still dies out. Damp what shall come to rest with `damping`, `drag` or `viscosity`.
///
/// For rods that are solved directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), without
/// `poisson_ratio` and `strands_per_bundle`. Rods that have WITHY_RODS_SELF_CONTACT, attachments or
/// goals take steps of first order all the same, whether they touch anything or not. So do rods in
/// steps in which a body is near that they may push, and a strand while a collider touches it.
#define WITHY_INTEGRATOR_SECOND_ORDER 2

/// Nothing holds this end. The default.
#define WITHY_SUPPORT_FREE 0
/// The host moves the end vertex; the strand turns freely about it.
#define WITHY_SUPPORT_PINNED 1
/// The host moves the end vertex and turns the frame there, as a scalp holds hair.
#define WITHY_SUPPORT_CLAMPED 2

/// A flag: the strands keep the shape in which they are created.
///
/// A groom is drawn as gravity has already bent it. Without this flag gravity bends it a second
/// time: it sags from the first frame on. With it, the library finds rest lengths, curvatures and
/// twists for which the start pose is an equilibrium under the present gravity. So set the gravity
/// before you create the rods. It takes about 0.1 ms for a strand of 100 vertices.
///
/// A strand that is too soft for its pose sags all the same. `withy_rods_read_elastic_report`
/// (withy_rest_shape.h) names these strands, and `withy_rods_optimize_rest_shape` can make them
/// stiffer. Call that function also when the gravity changes, and once attachments hold ends of the
/// strands.
///
/// Needs WITHY_STIFFNESS_PHYSICAL, and WITHY_ORDER_AUTO, WITHY_ORDER_DIRECT or WITHY_MODEL_DER:
/// sweeps stop before they reach the equilibrium, and are refused.
#define WITHY_RODS_SAG_FREE 1
/// A flag: rigid bodies push these rods, but the rods do not push bodies. For hair and fur, which
/// are light: it saves time where rods touch dynamic bodies, most of all on the GPU. Attachments
/// still pull both ways.
#define WITHY_RODS_ONE_WAY 2
/// A flag: the rods touch rods. A strand touches itself and the other strands of the set, and the
/// strands of other sets that have this flag and whose layers meet. Without it rods pass through
/// each other. Contact has Coulomb friction, and begins at `collision_radius`. Strands of one set
/// that overlap when they are created may go on overlapping by as much.
///
/// Knots hold, and ropes do not pass through each other, however fast they are. Make edges about as
/// long as a strand is thick, or up to three times that. What is drawn tight wants 2 iterations.
///
/// For strands that are solved directly. It works for swept ones, too, but these stretch where they
/// are pressed. A heap in which everything touches takes about ten times as long as the same
/// strands apart. Soft, thick things (`poisson_ratio`) that are all swept are faster: their
/// contacts are firm springs that take turns with the sweeps.
///
/// On the GPU such strands want 4 substeps or more, and may pass when they come nearer by more than
/// an edge's length in a substep. A set that is too large for one buffer of the GPU is
/// WITHY_ERROR_UNSUPPORTED.
#define WITHY_RODS_SELF_CONTACT 4
/// A flag: the rods never sleep. Without it, a set that has been at rest for half a second stands
/// still and costs next to nothing, until something near it moves or you change it. Sets that
/// are swept without `poisson_ratio`, sets that are tied to other rods, and sets on a dynamic body
/// that is awake stay awake. A set that hangs on dynamic bodies sleeps and wakes with them. One
/// that hangs on static or kinematic bodies, or on vertices of a mesh that you alone move, sleeps
/// as long as these stand.
#define WITHY_RODS_STAY_AWAKE 8

/// How to create a set of rods. Lengths, positions and velocities are in host units; moduli,
/// density and rates are in SI units with every convention. `positions`, `counts` and a radius are
/// required.
typedef struct WithyRodsDef {
    uint32_t struct_size;
    /// WITHY_RODS_ flags, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Vectors, one a vertex: the start pose. Required.
    WithySpan positions;
    /// u32, one a strand: its vertices, 2 to 2^24. Their sum is `positions.count`, at most 2^31.
    /// Required.
    WithySpan counts;
    /// Vectors, one a vertex: the shape at rest, where it differs from the start. Default: none.
    WithySpan rest_positions;
    /// Vectors, one a vertex: the velocities at the start. Default: none, at rest.
    WithySpan velocities;
    /// Numbers, one a vertex: section radii, in place of `radius` and in its range. Default: none.
    WithySpan radii;
    /// Vectors: the direction of d1, one for each edge, or one for each strand at its root. For
    /// sections that are not round, and for frames that you want to read. Default: none.
    WithySpan section_axes;
    /// Numbers, one a vertex, [1e-6, 1e6]: factors of the stiffness. Default: none, 1.
    WithySpan stiffness_scale;
    /// Numbers, one an edge, [1e-9, 1e9] m. Required with WITHY_REST_EXPLICIT, and only allowed
    /// there.
    WithySpan rest_lengths;
    /// Vectors, one an element: curvatures and twist at rest, as `withy_rods_read_darboux`
    /// (withy_expert.h) gives them. Required with WITHY_REST_EXPLICIT, and only allowed there.
    WithySpan rest_darboux;
    /// Radius of the section, [1e-7, 1e3] m. Of an elliptic section: the semi-axis along d1.
    /// Required, unless `radii` is given.
    double radius;
    /// Semi-axis of the section along d2 over that along d1, [1e-3, 1e3]. Default: 1, a round
    /// section.
    double aspect;
    /// Young's modulus, Pa, [1e-3, 1e15]: resistance to bending and stretching. Default: 1e7,
    /// rubber. Hair: 4e9. Wood: 1e10. Steel: 2e11.
    double young_modulus;
    /// Shear modulus, Pa, [1e-3, 1e15]: resistance to twist; usually 0.4 times Young's modulus.
    /// Default: 4e6.
    double shear_modulus;
    /// For WITHY_STIFFNESS_ALPHA, 0 to 1: bending about d1 and about d2, twist about d3, and
    /// stretching. Default: 1.
    double alpha_bend1;
    double alpha_bend2;
    double alpha_twist;
    double alpha_stretch;
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    double density;
    /// WITHY_MODEL_GHOST: distance of a ghost point from its edge. 0 (the default): the mean length
    /// of the strand's edges.
    double ghost_distance;
    /// WITHY_MODEL_GHOST: part of an edge's mass that its ghost point has, [1e-6, 0.9]. Default:
    /// 0.2.
    double ghost_mass_ratio;
    /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. A strand that flies keeps its
    /// momentum and its spin. Default: 0. Hair: 4.
    double damping;
    /// Air drag: the rate at which velocities approach `wind`, 1/s, [0, 1e9]. A rod that
    /// falls approaches gravity / drag. Default: 0. Hair: 3.
    double drag;
    /// Velocity of the air, host units/s. Default: 0.
    WithyVec3 wind;
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.5.
    double friction;
    /// Distance from the centreline at which contact begins, up to 1e3 m. 0 (the default): the
    /// section radius.
    double collision_radius;
    /// Speed limit of a vertex, [1e-3, 1e9] m/s; faster ones are slowed down to it. It stops a
    /// scene from exploding. 0 (the default): 1000 m/s.
    double max_speed;
    /// A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    uint32_t stiffness;
    /// A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    uint32_t rest_shape;
    /// A WITHY_ORDER_ value: how strands are solved. Default: WITHY_ORDER_AUTO.
    uint32_t order;
    /// A WITHY_SUPPORT_ value: what holds the first vertex of each strand. Default:
    /// WITHY_SUPPORT_FREE. If a collider or a mesh covers the start of a strand whose root is held
    /// when the first step begins, the vertices up to the first one outside never meet a collider.
    /// (Rigid bodies do not cover.)
    uint32_t root;
    /// The same for the last vertex, which nothing covers.
    uint32_t tip;
    /// Iterations in each substep, at most 10,000. 0 (the default): one if the rods are solved
    /// directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), which is enough for most scenes; the number
    /// of the world (`WithyWorldDef.iterations`) if they are swept. Swept rods that stretch, or
    /// bend too easily, need more.
    ///
    /// Rods that attachments tie to each other or to bodies are solved together, with the largest
    /// number that any of them asks for; there 0 means the number of the world.
    uint32_t iterations;
    /// The layers that these rods are in, as bits. Default: 1.
    uint32_t category;
    /// The layers that they collide with. Two objects meet if each has a bit of the other's
    /// category in its mask. Default: all.
    uint32_t mask;
    /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    uint32_t model;
    /// A WITHY_INTEGRATOR_ value: how much of a motion the steps themselves take away. Default:
    /// WITHY_INTEGRATOR_AUTO.
    uint32_t integrator;
    /// Young's modulus for stretching alone, Pa, [1e-3, 1e15]: for what bends easily and hardly
    /// stretches, such as rope. 0 (the default): `young_modulus`.
    double stretch_modulus;
    /// Internal friction, s, [0, 1e3]: the viscosity over the stiffness (Kelvin-Voigt). Slows down
    /// changes of shape, not the motion of a whole strand, and leaves the shape at rest alone. For
    /// rods that are solved directly. Default: 0.
    double viscosity;
    /// Poisson's ratio, [0.001, 0.4999]: the rod keeps its volume as a solid does, thinner where it
    /// is stretched and thicker where it is shortened; 0.45 for flesh and rubber. Colliders, bodies
    /// and other rods meet the radius that it has then. What presses it from the side, a collider
    /// or another swept rod, makes it thinner and longer if it is swept
    /// (WITHY_ORDER_ALTERNATING). A rod that is solved directly is pressed so by colliders, on the
    /// CPU. For round rods. 0 (the default): radii stay.
    double poisson_ratio;
} WithyRodsDef;

/// Handle of a set of rods.
typedef struct WithyRods {
    uint64_t bits;
} WithyRods;

/// Fills `def` with the defaults: rubber, free at both ends. Use the macro
/// `withy_rods_def_init(&def)`. For hair and rope see below.
WITHY_API int32_t withy_rods_def_init_sized(WithyRodsDef *def, uint32_t size);
#define withy_rods_def_init(d) \
    withy_rods_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a set of rods to a world. Everything in `def` is copied.
///
/// Strands with edges of no length, or with sharp kinks, are accepted; `withy_rods_read_report`
/// (withy_expert.h) names them.
///
/// @param rods Set on success. Destroy it with `withy_rods_destroy`, or with its world.
WITHY_API
int32_t withy_rods_create(WithyWorld world,
                          const WithyRodsDef *def,
                          WithyRods *rods);

/// Writes. Removes a set of rods, and the attachments that hold it.
WITHY_API int32_t withy_rods_destroy(WithyRods rods);

/// Writes. Makes the rods what `def` says, without making them anew: moduli, alphas, `density`,
/// `radius`, `aspect`, `viscosity`, `damping`, `drag`, `wind`, `friction`, `collision_radius`,
/// `max_speed`, `iterations`, `category`, `mask`, and the flags WITHY_RODS_ONE_WAY and
/// WITHY_RODS_STAY_AWAKE. The def may be the one that they were made with, or come from
/// `withy_rods_get_def`. Pose, velocities and rest shape stay: a groom that was made with
/// WITHY_RODS_SAG_FREE sags when it becomes softer or heavier, until
/// `withy_rods_optimize_rest_shape` fits it again.
///
/// Its arrays are not read: of them, `withy_rods_set_radii`, `withy_rods_set_stiffness_factors` and
/// `withy_rods_set_rest_shape` can change what they said. Radii stay if `radii` is given, or
/// `radius` is 0. Saved states do not hold what this changes.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if `model`, `stiffness`, `order`, `integrator`,
///     `root`, `tip`, `ghost_distance`, `ghost_mass_ratio`, `poisson_ratio` or
///     WITHY_RODS_SELF_CONTACT is not what the rods were made with. Nothing has changed then.
WITHY_API int32_t withy_rods_change(WithyRods rods, const WithyRodsDef *def);

/// Reads. The numbers of the def as they are now, for `withy_rods_change`: `order` as it is solved,
/// `radius` 0 if radii were given as an array. Its arrays are empty, and WITHY_RODS_SAG_FREE is
/// not set.
///
/// @param def Prepare it with `withy_rods_def_init`.
WITHY_API int32_t withy_rods_get_def(WithyRods rods, WithyRodsDef *def);

/// Writes. Takes the rods out of the world, or puts them back, as for a character that is far away.
/// Out of it they take no step, nothing meets them, and attachments do not hold them. Strands with
/// an end that is held go with it, like something rigid, vertices that are pinned, too; others stay
/// where they are. Back in the world they go on from there, at rest. If bodies that they are tied
/// to, or pins, have moved away, bring the rods there first (`withy_rods_teleport`,
/// `withy_rods_write_positions`). A saved state tells which rods are enabled.
///
/// @param enabled 1 or 0. Rods are made enabled.
WITHY_API int32_t withy_rods_set_enabled(WithyRods rods, uint32_t enabled);

/// Reads. Whether the rods are in the world.
///
/// @param enabled Set: 1 or 0.
WITHY_API int32_t withy_rods_get_enabled(WithyRods rods, uint32_t *enabled);

/// Writes. Says where the roots are at the end of the next step. They move there during the step,
/// and stay there afterwards. Roots that are WITHY_SUPPORT_FREE are refused.
///
/// @param positions Vectors, one a strand.
/// @param rotations Quaternions, one a strand: how far the ground of the root (a bone, a scalp) has
///     turned since the rods were created. The frames of clamped roots turn with it. NULL: not at
///     all.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there.
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

/// Writes. Moves all roots by one rigid transform, for hair on a rigid head:
/// `withy_rods_set_root_poses` in one call.
///
/// The transform is relative to the creation of the rods: a root that was created at x will be at
/// rotation * x + position at the end of the next step, and a clamped root turns by `rotation`. If
/// the head had the matrix M0 when the rods were created and has M now, pass M * inverse(M0). The
/// identity brings the roots back to where they were created. Roots that are WITHY_SUPPORT_FREE are
/// refused.
///
/// @param transform The position is in host units.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there.
WITHY_API
int32_t withy_rods_set_root_transform(WithyRods rods,
                                      const WithyPose *transform,
                                      uint32_t teleport);

/// Reads. Where the roots are held: what `withy_rods_set_root_poses` or
/// `withy_rods_set_root_transform` has said last. Roots that are WITHY_SUPPORT_FREE are refused.
///
/// @param positions Vectors, one a strand, host units. NULL: not wanted.
/// @param rotations Quaternions, one a strand: how far the ground of the root has turned since the
///     rods were created. NULL: not wanted.
WITHY_API
int32_t withy_rods_read_root_poses(WithyRods rods,
                                   WithySpan *positions,
                                   WithySpan *rotations);

/// Reads. Whether a set of rods sleeps; 1 also if it is not enabled.
///
/// @param sleeping Set: 1 or 0.
WITHY_API int32_t withy_rods_get_sleeping(WithyRods rods, uint32_t *sleeping);

/// Writes. Holds one vertex: it moves to `target` during the next step, and stays there. An
/// attachment of the vertex holds its other end to it: the pin carries what hangs there.
///
/// @param vertex Counted through the whole set.
/// @param target Host units. NULL: lets the vertex go; no error if nothing holds it.
/// @param teleport 1: it jumps there. 0: it moves there.
WITHY_API
int32_t withy_rods_set_pin(WithyRods rods,
                           uint32_t vertex,
                           const WithyVec3 *target,
                           uint32_t teleport);

/// Writes. `withy_rods_set_pin` for many vertices: all of them, or none if one is wrong.
///
/// @param vertices u32, counted through the whole set.
/// @param targets Vectors, one for each of `vertices`, host units. NULL: lets the vertices go.
/// @param teleport 1: they jump there. 0: they move there.
WITHY_API
int32_t withy_rods_set_pins(WithyRods rods,
                            const WithySpan *vertices,
                            const WithySpan *targets,
                            uint32_t teleport);

/// Writes. Takes the rods as a whole elsewhere, as a character that jumps: vertices, velocities,
/// frames, and where roots, tips and pins are held. From there they go on as they would have.
/// Attachments stay where they are tied.
///
/// To feel only a part of a head's motion, teleport the rods by the rest of it in each frame, and
/// then set the roots.
///
/// @param transform Takes a point x to rotation * x + position, from where it is now. The position
///     is in host units.
WITHY_API int32_t withy_rods_teleport(WithyRods rods, const WithyPose *transform);

/// Writes. Changes four fields of the def.
///
/// @param damping As WithyRodsDef.damping, 1/s.
/// @param drag As WithyRodsDef.drag, 1/s.
/// @param wind As WithyRodsDef.wind, host units/s. NULL: none.
/// @param friction As WithyRodsDef.friction.
WITHY_API
int32_t withy_rods_set_motion(WithyRods rods,
                              double damping,
                              double drag,
                              const WithyVec3 *wind,
                              double friction);

/// Writes. Puts the vertices somewhere else at once. Velocities stay; frames follow their edges
/// along the shortest turn, so twist stays, too. (`withy_rods_write_frames` in withy_expert.h sets
/// the frames; `withy_world_restore_state` goes back to a whole state.)
///
/// @param positions Vectors, one a vertex.
WITHY_API int32_t withy_rods_write_positions(WithyRods rods, const WithySpan *positions);

/// Writes. Sets the velocities of all vertices.
///
/// @param velocities Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_write_velocities(WithyRods rods, const WithySpan *velocities);

/// Writes. Sets a force on each vertex, which acts in all steps until it is set again. Vertices
/// that the host holds do not feel it. The first call allocates memory.
///
/// @param forces Vectors, one a vertex, N, in the host's axes, each component at most 1e9. NULL: no
///     forces.
WITHY_API int32_t withy_rods_set_forces(WithyRods rods, const WithySpan *forces);

/// Writes. Accelerates each vertex, as a field of forces that is not the same everywhere does,
/// beside gravity and `withy_rods_set_forces`, in all steps until it is set again. Rods that are
/// swept take it at their vertices alone, so that they are up to some percent off. Not in saved
/// states. The first call allocates memory.
///
/// @param accelerations Vectors, one a vertex, host units/s^2. NULL: none.
WITHY_API
int32_t withy_rods_set_accelerations(WithyRods rods,
                                     const WithySpan *accelerations);

/// Writes. Says how fast the air is at each vertex, in place of `WithyRodsDef.wind`: for gusts, and
/// for what is in the lee of something. Without `drag` it does nothing. Rods that are swept take it
/// at their vertices alone, so that they are up to some percent off. It stays until it is set
/// again. Not in saved states. The first call allocates memory.
///
/// @param winds Vectors, one a vertex, host units/s. NULL: the wind is that of the def.
WITHY_API int32_t withy_rods_set_winds(WithyRods rods, const WithySpan *winds);

/// Writes. Draws vertices to goals, in all steps until they are set again: an animation that hair
/// or a tail follows more or less. Forces that the host sets act beside. Goals are settings: they
/// are not in saved states. Rods with goals do not sleep. A goal acts over whole steps: what is to
/// be faster than these is a pin.
///
/// @param targets Vectors, one a vertex, host units. NULL: no goals; then `rates` may be NULL, too.
/// @param rates Numbers, one a vertex, or one for all, rad/s, [0, 1e4]: a vertex alone would swing
///     about its target so fast. At rest its weight moves it aside by gravity times
///     1 / rate^2 + 2 damping dt / rate + dt^2. 0: it is not drawn.
/// @param damping Of that swing, [0, 100]; 1 is critical.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
WITHY_API
int32_t withy_rods_set_goals(WithyRods rods,
                             const WithySpan *targets,
                             const WithySpan *rates,
                             double damping);

/// Reads. The number of vertices of each strand.
///
/// @param out u32, one a strand.
WITHY_API int32_t withy_rods_read_counts(WithyRods rods, WithySpan *out);

/// Reads. The positions.
///
/// @param out Vectors, one a vertex, host units.
WITHY_API int32_t withy_rods_read_positions(WithyRods rods, WithySpan *out);

/// Reads. Masses: of each vertex what half of the edges beside it weigh, as `density` and section
/// have it, whether it is held or not. They add up to the mass of the rods.
///
/// @param out Numbers, one a vertex, kg.
WITHY_API int32_t withy_rods_read_masses(WithyRods rods, WithySpan *out);

/// Reads. The velocities.
///
/// @param out Vectors, one a vertex, host units/s.
WITHY_API int32_t withy_rods_read_velocities(WithyRods rods, WithySpan *out);

/// Reads. The material frames: rotations that turn the local axes x, y, z into d1, d2, d3. (In
/// Unreal and Blender the direction d3 is another local axis: see the table of conventions.)
///
/// @param out Quaternions, one an edge.
WITHY_API int32_t withy_rods_read_frames(WithyRods rods, WithySpan *out);

/* ===============================================================================================
 * Hair and rope
 *
 * Two more ways to fill a WithyRodsDef, with values that look right. Then set the arrays, change
 * what you like, and create the rods.
 */

/// Fills `def` for hair. Use the macro `withy_hair_def_init(context, &def)`.
///
/// A strand stands for a lock of a few hairs: Young's modulus 4e9 Pa, shear modulus 1.5e9 Pa,
/// density 1300 kg/m^3, radius 0.1 mm. Roots are clamped. Damping is 4/s, drag 3/s. Flags are
/// WITHY_RODS_SAG_FREE, so set the gravity of the world before you create the rods, and
/// WITHY_RODS_ONE_WAY.
///
/// For single hairs set the radius to 0.03 to 0.05 mm; for thick, styled locks to 0.2 to 1 mm.
///
/// @param context Its convention says in which unit `radius` is.
WITHY_API int32_t withy_hair_def_init_sized(WithyContext context, WithyRodsDef *def, uint32_t size);
#define withy_hair_def_init(context, d) \
    withy_hair_def_init_sized((context), (d), (uint32_t)sizeof *(d))

/// Fills `def` for rope. Use the macro `withy_rope_def_init(context, &def)`.
///
/// The rope is 10 mm thick, weighs 79 g a metre, and has friction 0.6. It bends as a climbing rope
/// does (Young's modulus 1e7 Pa) and hardly stretches (`stretch_modulus` 1e9 Pa: by 1 % under 80
/// kg). Damping is 2/s, drag 0.2/s. At rest it is straight, whatever its start pose. It is solved
/// directly, so that it does not stretch on pins and attachments. Both ends are free.
///
/// @param context Its convention says in which unit `radius` is.
WITHY_API int32_t withy_rope_def_init_sized(WithyContext context, WithyRodsDef *def, uint32_t size);
#define withy_rope_def_init(context, d) \
    withy_rope_def_init_sized((context), (d), (uint32_t)sizeof *(d))

/* ===============================================================================================
 * Colliders
 *
 * Simple shapes that the host moves, and that rods and bodies slide on: the ground, a head, a
 * hand.
 */

/// Everything below a plane. The plane goes through the pose's origin; its normal is the pose's
/// local up axis (y, or z where the convention has Z up).
#define WITHY_SHAPE_PLANE 0
/// A sphere of `radius`.
#define WITHY_SHAPE_SPHERE 1
/// A cylinder of `radius` along local up, from -`half_height` to +`half_height`, with round caps.
#define WITHY_SHAPE_CAPSULE 2
/// A box of `half_extents` along the local axes.
#define WITHY_SHAPE_BOX 3
/// The hull of two spheres on local up: `radius` at -`half_height`, `radius_top` at +`half_height`.
#define WITHY_SHAPE_TAPERED_CAPSULE 4

/// How to create a collider. Lengths and positions are in host units. Every shape is centred on the
/// pose.
typedef struct WithyColliderDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_SHAPE_ value, up to WITHY_SHAPE_TAPERED_CAPSULE. Default: WITHY_SHAPE_PLANE.
    uint32_t shape;
    /// The layers that the collider is in. Default: 1.
    uint32_t category;
    /// The layers that it meets, as in WithyRodsDef. Default: all.
    uint32_t mask;
    /// Must be 0.
    uint32_t reserved;
    /// Where it is. Default: identity.
    WithyPose pose;
    /// [1e-9, 1e6] m, for shapes that need it.
    double radius;
    /// [0, 1e6] m, for capsules; without the caps.
    double half_height;
    /// [1e-9, 1e6] m, for boxes.
    WithyVec3 half_extents;
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.5.
    double friction;
    /// [1e-9, 1e6] m, for tapered capsules.
    double radius_top;
} WithyColliderDef;

/// Handle of a collider.
typedef struct WithyCollider {
    uint64_t bits;
} WithyCollider;

/// Fills `def` with the defaults. Use the macro `withy_collider_def_init(&def)`.
WITHY_API int32_t withy_collider_def_init_sized(WithyColliderDef *def, uint32_t size);
#define withy_collider_def_init(d) \
    withy_collider_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a collider to a world.
///
/// @param collider Set on success. Destroy it with `withy_collider_destroy`, or with its world.
WITHY_API
int32_t withy_collider_create(WithyWorld world,
                              const WithyColliderDef *def,
                              WithyCollider *collider);

/// Writes. Removes a collider.
WITHY_API int32_t withy_collider_destroy(WithyCollider collider);

/// Writes. Says where the collider is at the end of the next step. It moves there during the step,
/// drags along by friction what touches it, and stays there afterwards.
///
/// @param teleport 1: it jumps there without a velocity. 0: it moves there.
WITHY_API
int32_t withy_collider_set_pose(WithyCollider collider,
                                const WithyPose *pose,
                                uint32_t teleport);

/// Reads. The pose that was set last.
///
/// @param pose Set, in host units.
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
WITHY_ASSERT(offsetof(WithyWorldDef, max_substeps) == 36);
WITHY_ASSERT(sizeof(WithyWorld) == 8);
WITHY_ASSERT(offsetof(WithyWorld, bits) == 0);
WITHY_ASSERT(sizeof(WithyRodsDef) == 520);
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
WITHY_ASSERT(offsetof(WithyRodsDef, model) == 488);
WITHY_ASSERT(offsetof(WithyRodsDef, integrator) == 492);
WITHY_ASSERT(offsetof(WithyRodsDef, stretch_modulus) == 496);
WITHY_ASSERT(offsetof(WithyRodsDef, viscosity) == 504);
WITHY_ASSERT(offsetof(WithyRodsDef, poisson_ratio) == 512);
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
