/* withy @VERSION@: what happens inside. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 */
#ifndef WITHY_EXPERT_H
#define WITHY_EXPERT_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
