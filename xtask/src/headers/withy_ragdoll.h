/* withy @VERSION@: characters that fall. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 */
#ifndef WITHY_RAGDOLL_H
#define WITHY_RAGDOLL_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif
