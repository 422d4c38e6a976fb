/* withy @VERSION@: rigid bodies, joints, and what ties rods to them. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 */
#ifndef WITHY_BODIES_H
#define WITHY_BODIES_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
