/* withy @VERSION@: characters that go from animation to physics and back. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * How a ragdoll lives:
 *
 *   withy_ragdolls_create         once: bones, bodies, joints, regions
 *   withy_ragdolls_instantiate    at the hit: bodies take over pose and motion of the animation
 *   withy_world_step              every frame; before it, withy_ragdolls_set_targets if the
 *                                 character should still follow its animation
 *   withy_ragdolls_read           every frame: the poses of all bones, for skinning
 *   withy_ragdolls_fade           to give the character back to the animation
 *   withy_ragdolls_remove         when the fade is over
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Ragdolls
 * step on the CPU; in a world on the GPU they meet the rods there (WITHY_BACKEND_GPU).
 */
#ifndef WITHY_RAGDOLL_H
#define WITHY_RAGDOLL_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif
