/* withy @VERSION@: muscles between bones.
 * MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a muscle of one strand pulls a forearm up. `upper` and `lower` are bodies that a hinge
 * joins at (0, 0, 0); the muscle goes from (0, 0.3, 0.03), on `upper`, to (0.05, 0, 0.03), on
 * `lower`.
 *
 *   float points[6 * 3];
 *   for (int i = 0; i < 6; i++) {
 *       points[3 * i] = 0.05f * i / 5, points[3 * i + 1] = 0.3f - 0.3f * i / 5;
 *       points[3 * i + 2] = 0.03f;
 *   }
 *   WithyMuscleDef def; WithyRods muscle; WithyMuscleState state;
 *   withy_muscle_def_init(&def);
 *   def.positions = (WithySpan){points, 6, 0, WITHY_FORMAT_F32, 0};
 *   def.radius = 0.02;
 *   def.origin = upper, def.insertion = lower;
 *   def.mode = WITHY_MUSCLE_HILL;
 *   withy_muscle_create(world, &def, &muscle);
 *   withy_muscle_set_activation(muscle, 0.5);
 *   withy_world_step(world, 1.0 / 60.0);
 *   withy_muscle_get_state(muscle, &state);            (state.force, N)
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Everything in
 * this header is for worlds on the CPU.
 */
#ifndef WITHY_MUSCLE_H
#define WITHY_MUSCLE_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif
