/* withy @VERSION@: render hair that follows simulated strands.
 * MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: fifty render hairs for each of the guides in `rods`, read after each step.
 *
 *   WithyRenderHairDef def; WithyRenderHair hair;
 *   WithySpan positions = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
 *   withy_render_hair_def_init(&def);
 *   def.rods = &rods, def.rods_count = 1;
 *   def.per_guide = 50;
 *   withy_render_hair_create(world, &def, &hair);
 *   withy_render_hair_read(hair, NULL, &positions, NULL);      (positions.count: how many vertices)
 *   positions.data = malloc(positions.count * 3 * sizeof(float));
 *   withy_world_step(world, 1.0 / 60.0);
 *   withy_render_hair_read(hair, NULL, &positions, NULL);
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. In a world
 * on the GPU render hair is made there, and read back.
 */
#ifndef WITHY_RENDER_HAIR_H
#define WITHY_RENDER_HAIR_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
