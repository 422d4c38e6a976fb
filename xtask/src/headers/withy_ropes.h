/* withy @VERSION@: ropes as tools: cables over pulleys, winches, rods that are cut or break.
 * MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a winch lifts a load over a pulley on a mast. `load` is a body at (1, 0, 0).
 *
 *   WithyCablePoint points[3] = {{{0}}};
 *   WithyCableDef def; WithyCable cable; WithyCableState state;
 *   points[1].position.y = 3;                      (points[0], the winch, is at the origin)
 *   points[1].axis.z = -1;                         (up on the left, over the top, down)
 *   points[1].radius = 0.2;
 *   points[2].body = load;
 *   points[2].position.x = 1;
 *   withy_cable_def_init(&def);
 *   def.points = points, def.point_count = 3;
 *   withy_cable_create(world, &def, &cable);
 *   withy_cable_get_state(cable, &state);
 *   for (int i = 0; i < 60; i++) {                 (half a metre in a second)
 *       withy_cable_set_length(cable, state.length -= 0.5 / 60);
 *       withy_world_step(world, 1.0 / 60.0);
 *   }
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Cables step
 * on the CPU, in worlds on the GPU, too; rods are cut and break in worlds on the CPU.
 */
#ifndef WITHY_ROPES_H
#define WITHY_ROPES_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif
