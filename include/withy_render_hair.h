/* withy 0.1.0: render hair that follows simulated strands.
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

/* ===============================================================================================
 * Render hair
 *
 * Any number of strands that follow a few simulated ones: the strands of rods are guides, and each
 * render strand is a blend of up to three of them. It keeps its own shape, its curls and its place
 * in a lock, and turns with the guides' material frames. At the pose in which it was bound, what is
 * read is what was given. Render hair has no state: read it whenever the rods have moved, after a
 * step or after `withy_world_restore_state`.
 */

/// How to create render hair: from the strands of a groom (`positions` and `counts`), or made
/// between the guides (`per_guide`).
typedef struct WithyRenderHairDef {
    uint32_t struct_size;
    /// Must be 0.
    uint32_t flags;
    const void *next;
    /// `rods_count` sets of rods, of the same world: all their strands are guides. Required.
    const WithyRods *rods;
    /// 1 to 4096.
    uint32_t rods_count;
    /// Strands to make for each guide, with their roots between the guides' roots, or on the
    /// scalp. The first of each guide is the guide itself. 0: none are made, `positions` has
    /// the strands.
    uint32_t per_guide;
    /// Vectors, strand after strand, host units: the groom as it goes with the rods where they
    /// are now. Required unless `per_guide` is given.
    WithySpan positions;
    /// u32, vertices of each strand, 2 to 65536. Required unless `per_guide` is given.
    WithySpan counts;
    /// Widths, host units: one a vertex, or one a strand, or one. Default: `width`.
    WithySpan widths;
    /// Three of u32 a strand, for weights that the host made: its guides, counted through all
    /// strands of all rods in their order. Goes with `weights`. Default: none, the guides
    /// whose roots surround the strand's root are taken.
    WithySpan guides;
    /// Three numbers a strand, at least 0. They need not add up to 1, but to 1e-12 at least.
    WithySpan weights;
    /// Vectors, host units: a mesh on which the roots of made strands lie. Default: none.
    WithySpan scalp_positions;
    /// Triples of u32. Default: none, roots lie between the guides' roots.
    WithySpan scalp_triangles;
    /// Of made strands: another number makes other ones.
    uint64_t seed;
    /// Vertices of each made strand, 2 to 65536. 0: as many as its guide has.
    uint32_t vertices;
    /// Must be 0.
    uint32_t reserved;
    /// How far made strands gather at the tip of their guide, [0, 1]. Default: 0.3.
    double clump;
    /// Made strands are shorter than the guides by up to this share, [0, 0.9]. Default: 0.1.
    double shorten;
    /// Width of all strands where `widths` has none, host units. 0: 7e-5 m.
    double width;
    /// Where hair is parted, rad, (0, pi]: a strand does not follow guides whose first quarter
    /// points elsewhere by more than this angle, or whose tip lies elsewhere, seen from the
    /// root, by more than this angle would take it. Default: pi / 3.
    double parting;
} WithyRenderHairDef;

/// Level of detail of a read. What is left out at some share is left out at all smaller ones,
/// so that nothing flickers while shares change.
typedef struct WithyRenderHairLodDef {
    uint32_t struct_size;
    /// Must be 0.
    uint32_t flags;
    const void *next;
    /// Share of the strands that are read, (0, 1], in a fixed random order: one at least.
    /// Widths grow as strands get fewer, so that they cover as much. Default: 1.
    double strands;
    /// Share of the edges of each strand, (0, 1]: one at least. Its ends stay. Default: 1.
    double vertices;
    /// Factor of the widths, [0, 1000]. Default: 1.
    double width;
} WithyRenderHairLodDef;

/// Handle of render hair.
typedef struct WithyRenderHair {
    uint64_t bits;
} WithyRenderHair;

/// Fills `def` with the defaults. Use the macro `withy_render_hair_def_init(&def)`.
WITHY_API int32_t withy_render_hair_def_init_sized(WithyRenderHairDef *def, uint32_t size);
#define withy_render_hair_def_init(d) \
    withy_render_hair_def_init_sized((d), (uint32_t)sizeof *(d))

/// Fills `def` with the defaults: all of the hair. Use the macro
/// `withy_render_hair_lod_def_init(&def)`.
WITHY_API
int32_t withy_render_hair_lod_def_init_sized(WithyRenderHairLodDef *def,
                                             uint32_t size);
#define withy_render_hair_lod_def_init(d) \
    withy_render_hair_lod_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Binds render hair to rods as they are now, and adds it to a world. Everything in
/// `def` is copied.
///
/// A strand follows the three guides whose roots surround its root, with barycentric weights;
/// where no three do, the up to three nearest, by their distances.
///
/// @param hair Set on success. Destroy it with `withy_render_hair_destroy`, or with its world.
WITHY_API
int32_t withy_render_hair_create(WithyWorld world,
                                 const WithyRenderHairDef *def,
                                 WithyRenderHair *hair);

/// Writes. Adds saved render hair to a world. The rods may be anywhere, but must have the
/// strands that the hair was bound to.
///
/// @param rods `rods_count` sets of rods, in the order of the hair that was saved.
/// @param rods_count 1 to 4096.
/// @param data `size` bytes of `withy_render_hair_save`.
/// @param size Number of bytes.
/// @param hair Set on success.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or
///     of other rods.
WITHY_API
int32_t withy_render_hair_load(WithyWorld world,
                               const WithyRods *rods,
                               uint32_t rods_count,
                               const void *data,
                               uint64_t size,
                               WithyRenderHair *hair);

/// Writes. Removes render hair.
WITHY_API int32_t withy_render_hair_destroy(WithyRenderHair hair);

/// Reads. Writes the hair with its weights into `data`, for `withy_render_hair_load`. The bytes are
/// the same on all machines. Roots that `withy_render_hair_set_roots` gave are not in them.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the hair.
WITHY_API int32_t withy_render_hair_save(WithyRenderHair hair, void *data, uint64_t *size);

/// Writes. Says where the roots are, for a scalp that is not rigid: each strand then begins
/// exactly there, turned as its root is, and comes to follow its guides towards the tip.
/// Without it the guides take the roots along. The roots stay until they are given again, and
/// are not part of a saved state.
///
/// @param positions Vectors, one a strand, host units. NULL, as the other: the guides again.
/// @param rotations Quaternions xyzw, one a strand: how roots have turned since the hair was
///     created.
WITHY_API
int32_t withy_render_hair_set_roots(WithyRenderHair hair,
                                    const WithySpan *positions,
                                    const WithySpan *rotations);

/// Reads. Which strands a level of detail reads, how many vertices of each, and their widths:
/// all that does not change from step to step.
///
/// @param lod NULL: all of the hair.
/// @param strands u32, one a strand that is read: its number, ascending. NULL: not wanted.
/// @param counts u32, one a strand that is read: its vertices. NULL: not wanted.
/// @param widths Numbers, one a vertex that is read, host units. NULL: not wanted.
WITHY_API
int32_t withy_render_hair_read_layout(WithyRenderHair hair,
                                      const WithyRenderHairLodDef *lod,
                                      WithySpan *strands,
                                      WithySpan *counts,
                                      WithySpan *widths);

/// Reads. Where the rods take the hair now, strand after strand. The call runs on the
/// context's threads. It is fastest into f32 without a gap between the vectors. In a world on
/// the GPU it is made there, and nothing of the rods is read.
///
/// @param lod NULL: all of the hair.
/// @param positions Vectors, one a vertex that is read, host units. NULL: not wanted.
/// @param tangents Vectors of length 1, one a vertex that is read, towards the tip; 0 where
///     two neighbours of a vertex are in one place. NULL: not wanted.
/// @return WITHY_ERROR_INVALID_HANDLE: also if one of the rods has been destroyed.
///     WITHY_ERROR_INVALID_ARGUMENT: also if the rods have flown farther than 1e9 m.
WITHY_API
int32_t withy_render_hair_read(WithyRenderHair hair,
                               const WithyRenderHairLodDef *lod,
                               WithySpan *positions,
                               WithySpan *tangents);

/// Reads. The guides that each strand follows, and its weights, to show or to paint them.
/// Weights add up to 1; a guide with weight 0 is not used.
///
/// @param guides Three of u32 a strand, as in WithyRenderHairDef, or NULL.
/// @param weights Three numbers a strand, or NULL.
WITHY_API
int32_t withy_render_hair_read_weights(WithyRenderHair hair,
                                       WithySpan *guides,
                                       WithySpan *weights);

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
WITHY_ASSERT(sizeof(WithyRenderHairDef) == 304);
WITHY_ASSERT(offsetof(WithyRenderHairDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRenderHairDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRenderHairDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRenderHairDef, rods) == 16);
WITHY_ASSERT(offsetof(WithyRenderHairDef, rods_count) == 24);
WITHY_ASSERT(offsetof(WithyRenderHairDef, per_guide) == 28);
WITHY_ASSERT(offsetof(WithyRenderHairDef, positions) == 32);
WITHY_ASSERT(offsetof(WithyRenderHairDef, counts) == 64);
WITHY_ASSERT(offsetof(WithyRenderHairDef, widths) == 96);
WITHY_ASSERT(offsetof(WithyRenderHairDef, guides) == 128);
WITHY_ASSERT(offsetof(WithyRenderHairDef, weights) == 160);
WITHY_ASSERT(offsetof(WithyRenderHairDef, scalp_positions) == 192);
WITHY_ASSERT(offsetof(WithyRenderHairDef, scalp_triangles) == 224);
WITHY_ASSERT(offsetof(WithyRenderHairDef, seed) == 256);
WITHY_ASSERT(offsetof(WithyRenderHairDef, vertices) == 264);
WITHY_ASSERT(offsetof(WithyRenderHairDef, reserved) == 268);
WITHY_ASSERT(offsetof(WithyRenderHairDef, clump) == 272);
WITHY_ASSERT(offsetof(WithyRenderHairDef, shorten) == 280);
WITHY_ASSERT(offsetof(WithyRenderHairDef, width) == 288);
WITHY_ASSERT(offsetof(WithyRenderHairDef, parting) == 296);
WITHY_ASSERT(sizeof(WithyRenderHairLodDef) == 40);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, strands) == 16);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, vertices) == 24);
WITHY_ASSERT(offsetof(WithyRenderHairLodDef, width) == 32);
WITHY_ASSERT(sizeof(WithyRenderHair) == 8);
WITHY_ASSERT(offsetof(WithyRenderHair, bits) == 0);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_RENDER_HAIR_H */
