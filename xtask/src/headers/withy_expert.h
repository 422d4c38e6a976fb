/* withy @VERSION@: measurements, statistics, debug lines, instruction sets. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Nothing here is needed to simulate. It serves to look inside, to measure and to test.
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too.
 */
#ifndef WITHY_EXPERT_H
#define WITHY_EXPERT_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
