/* withy @VERSION@: elastic rods and rigid bodies as a native plugin. MIT OR Apache-2.0.
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

#define WITHY_VERSION_MAJOR @MAJOR@
#define WITHY_VERSION_MINOR @MINOR@
#define WITHY_VERSION_PATCH @PATCH@
#define WITHY_VERSION_STRING "@VERSION@"
/* For withy_check_version: major * 2^22 + minor * 2^12 + patch. */
#define WITHY_VERSION @NUMBER@u

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
