/* withy @VERSION@: rest shapes that do not sag. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 */
#ifndef WITHY_REST_SHAPE_H
#define WITHY_REST_SHAPE_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
