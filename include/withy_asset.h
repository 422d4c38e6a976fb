/* withy 0.1.0: what hosts save. MIT OR Apache-2.0.
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

/* ===============================================================================================
 * Assets
 *
 * One file for what a host saves: settings, rest shapes, bound skins and render hair. It is made of
 * named chunks. Each has the type of its data, a version of its own and a checksum, so that a file
 * tells what is in it, and a newer program reads what an older one wrote.
 *
 * Take the chunks that you know by their names, and pass the others on when you write the file
 * again. Names are yours. What the library saves (`withy_rods_save_rest_shape`, `withy_skin_save`,
 * `withy_render_hair_save`) is the data of a chunk of WITHY_ASSET_BYTES.
 */

/// Bytes of any meaning.
#define WITHY_ASSET_BYTES 0
/// An array of 32-bit floats.
#define WITHY_ASSET_F32 1
/// An array of 64-bit floats.
#define WITHY_ASSET_F64 2
/// An array of 32-bit unsigned integers.
#define WITHY_ASSET_U32 3
/// Text in UTF-8, JSON for example. It has no zero at its end.
#define WITHY_ASSET_TEXT 4

/// A part of an asset.
typedef struct WithyAssetChunk {
    /// UTF-8 with a zero at its end, 1 to 255 bytes without it, no control characters.
    const char *name;
    /// `size` bytes, little-endian, rows one behind the other. NULL if there are none.
    const void *data;
    uint64_t size;
    /// Count it up when what you save under this name means something else.
    uint32_t version;
    /// A WITHY_ASSET_ value. Others are of a newer library: pass such chunks on.
    uint32_t format;
    /// Numbers in a row of an array. 0 of bytes and text.
    uint32_t columns;
    /// Must be 0.
    uint32_t reserved;
} WithyAssetChunk;

/// Tells what is in an asset, and whether it is whole. Enters no world.
///
/// @param data `size` bytes of `withy_asset_write`.
/// @param size Number of bytes.
/// @param chunks Room for `*count` chunks, or NULL to learn the count. Names and data that they
///     point to lie in `data`, arrays at multiples of 8 bytes from its begin.
/// @param count Set to the number of chunks.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, or of a newer library. The
///     error then names the chunk and the byte.
WITHY_API
int32_t withy_asset_read(const void *data,
                         uint64_t size,
                         WithyAssetChunk *chunks,
                         uint64_t *count);

/// Writes an asset with these chunks into `data`. The same chunks give the same bytes on all
/// machines. Enters no world.
///
/// @param chunks `count` of them, no name twice. They may be those of `withy_asset_read`.
/// @param count Number of chunks, up to 65536.
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the asset.
WITHY_API
int32_t withy_asset_write(const WithyAssetChunk *chunks,
                          uint64_t count,
                          void *data,
                          uint64_t *size);

/* ===============================================================================================
 * Layout
 *
 * Part of the ABI; compilers that can, check it (64-bit).
 */

#if defined(__cplusplus)
#define WITHY_ASSERT(fact) static_assert(fact, #fact)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WITHY_ASSERT(fact) _Static_assert(fact, #fact)
#endif

#if defined(WITHY_ASSERT) && UINTPTR_MAX == UINT64_MAX
WITHY_ASSERT(sizeof(WithyAssetChunk) == 40);
WITHY_ASSERT(offsetof(WithyAssetChunk, name) == 0);
WITHY_ASSERT(offsetof(WithyAssetChunk, data) == 8);
WITHY_ASSERT(offsetof(WithyAssetChunk, size) == 16);
WITHY_ASSERT(offsetof(WithyAssetChunk, version) == 24);
WITHY_ASSERT(offsetof(WithyAssetChunk, format) == 28);
WITHY_ASSERT(offsetof(WithyAssetChunk, columns) == 32);
WITHY_ASSERT(offsetof(WithyAssetChunk, reserved) == 36);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_ASSET_H */
