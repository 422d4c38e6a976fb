/* withy @VERSION@: what hosts save. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * One file of named chunks, for settings, rest shapes, bound skins and render hair. These
 * functions need no context. docs/files.md has the format.
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too.
 */
#ifndef WITHY_ASSET_H
#define WITHY_ASSET_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
