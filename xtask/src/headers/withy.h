/* withy @VERSION@: elastic rods and rigid bodies as a native plugin. MIT OR Apache-2.0.
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

#define WITHY_VERSION_MAJOR @MAJOR@
#define WITHY_VERSION_MINOR @MINOR@
#define WITHY_VERSION_PATCH @PATCH@
#define WITHY_VERSION_STRING "@VERSION@"
/* For withy_check_version: major * 2^22 + minor * 2^12 + patch. */
#define WITHY_VERSION @NUMBER@u

/* On Windows, define WITHY_DLL before including this to link with withy.dll rather than with the static library. */
#if defined(_WIN32) && defined(WITHY_DLL)
#define WITHY_API __declspec(dllimport)
#else
#define WITHY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif
