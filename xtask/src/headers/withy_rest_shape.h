/* withy @VERSION@: hair that keeps its groomed shape. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * The flag WITHY_RODS_SAG_FREE in withy.h is enough for most grooms. This header is for the rest:
 * to see which strands hold, to stiffen those that do not, to fit a groom again after its gravity
 * has changed, and to store what was found.
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too.
 */
#ifndef WITHY_REST_SHAPE_H
#define WITHY_REST_SHAPE_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
