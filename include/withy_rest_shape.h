/* withy 0.1.0: hair that keeps its groomed shape. MIT OR Apache-2.0.
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

/* ===============================================================================================
 * Rest shapes that do not sag
 *
 * A groom is drawn as gravity has already bent it. If the simulation takes that shape for the
 * shape at rest, gravity bends it a second time, and it sags. `withy_rods_optimize_rest_shape`
 * finds the rest lengths, curvatures and twists for which the present pose is an equilibrium under
 * the present gravity and forces (Takahashi and Batty 2025). A report tells for each strand
 * whether it will hold.
 *
 * It needs WITHY_STIFFNESS_PHYSICAL, and rods that are solved directly (WITHY_ORDER_DIRECT or
 * WITHY_MODEL_DER): sweeps stop before they reach an equilibrium, and sag.
 */

/// Rest shapes may change as much as they have to. A pose that is too tight for its strand can get
/// rest curvatures that steps soften.
#define WITHY_BOUNDS_NONE 0
/// Rest shapes keep their bounds. The default.
#define WITHY_BOUNDS_EXACT 1

/// The strand holds its pose: it is a stable equilibrium, in the precision of the rods and for
/// steps of the expected length.
#define WITHY_STRAND_HOLDS 1
/// The strand leaves its pose: by itself, as a pencil on its tip falls, or because a force is left.
#define WITHY_STRAND_UNSTABLE 2
/// The strand would hold its pose if it were stiffer. See `WithyRestShapeDef.stiffen`.
#define WITHY_STRAND_TOO_SOFT 3
/// The strand was left as it is. `reason` says why.
#define WITHY_STRAND_REFUSED 4

/// A NaN or an infinity in the pose, the forces or the rest shape, or a strand that runs away
/// because nothing holds it.
#define WITHY_REASON_NOT_FINITE 1
/// A vertex or an edge without mass.
#define WITHY_REASON_NO_MASS 2
/// An edge shorter than a millionth of the strand's longest.
#define WITHY_REASON_SHORT_EDGE 3
/// Two edges fold back on each other by more than 169 degrees.
#define WITHY_REASON_FOLD 4
/// `progress` cancelled the search before it was the strand's turn.
#define WITHY_REASON_CANCELLED 5
/// In single precision a step may leave this pose: part of the strand is too stiff for its mass, as
/// in a thin tape or a sharp kink of stiff hair. Use WITHY_PRECISION_F64, or more substeps.
#define WITHY_REASON_PRECISION 6
/// A step of this length softens the strand, or would soften what holds the pose. Use more
/// substeps, or WITHY_PRECISION_F64.
#define WITHY_REASON_STEP 7
/// A held vertex is not where it is held, so that the next step moves it. Teleport roots, tips and
/// pins to the pose first. For WITHY_MODEL_DER the second vertex of a clamped end counts, too.
#define WITHY_REASON_HELD 8
/// Rest shapes that would hold the pose are beyond the bounds.
#define WITHY_REASON_BOUNDS 9
/// The search used up its iterations.
#define WITHY_REASON_ITERATIONS 10
/// No rest shape makes the pose an equilibrium, as nothing holds the strand, or a force is too
/// large: what is left in `residual` is the least.
#define WITHY_REASON_NO_EQUILIBRIUM 11

/// How to look for rest shapes. The defaults are good for hair; most hosts change `stiffen` only.
typedef struct WithyRestShapeDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// Called several times a second on the calling thread, with the number of strands that are
    /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done keep
    /// their rest shape. The world is busy meanwhile. NULL (the default): none.
    uint32_t (*progress)(void *user, uint32_t done, uint32_t all);
    /// Passed to `progress`.
    void *user;
    /// With a `target` of 0: weight of the distance from the first rest shape. Otherwise it only
    /// damps the search. 1e-15 to 1e15. Default: 1e-5.
    double regularizer;
    /// With a `target` of 0: the change of the rest shape below which the search ends, 0 to 1e15.
    /// Default: 1e-5.
    double tolerance;
    /// The force that may be left, as in `WithyElasticReport.residual`; a thousandth of that of the
    /// loads where that is less. 0: the minimum of the paper, which is not quite an equilibrium. 0
    /// to 1e15. Default: 1e-6.
    double target;
    /// Rest lengths stay above this multiple of the first ones, 0 to 1e6. Default: 0.1.
    double length_min;
    /// Rest lengths stay below this multiple of the first ones, up to 1e6. Default: 1.1.
    double length_max;
    /// The largest change of a rest curvature, 0 to 1e15. A curvature is twice the tangent of half
    /// the angle between two edges. Default: 1.4142, a change by 70 degrees.
    double curvature;
    /// The largest change of a rest twist, rad, 0 to 1e15. Default: pi/8. (WITHY_MODEL_GHOST: at
    /// least `curvature`.)
    double twist;
    /// The largest factor by which a strand may be made stiffer if it would not hold its pose
    /// otherwise, 1 to 1e15. Only the vertices that need it become stiffer, and no more than they
    /// need. The stiffness factors of the rods are multiplied, and stay until the host sets
    /// others. It takes longer: a second for a strand of 100 vertices. Not for strands of more
    /// than 1000 vertices. 0 (the default): none.
    double stiffen;
    /// Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this length
    /// and shorter ones. 0 (the default): as long as the last step; 1/60 s before the first.
    double step;
    /// Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or that
    /// meet their bounds, need any. Default: 500.
    uint32_t iterations;
    /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_EXACT.
    uint32_t bounds;
    /// 1 (the default): rest twists may change. 0: they stay.
    uint32_t change_twist;
    /// Must be 0.
    uint32_t reserved;
    /// With `stiffen`: how firmly a strand must hold its pose, as the least
    /// `WithyElasticReport.lowest_mode`, 1/s^2, 0 to 1e15. A limp strand of 25 cm that hangs down
    /// has 57. 0 (the default): just stable.
    double lowest_mode_min;
} WithyRestShapeDef;

/// How to settle rods.
typedef struct WithySettleDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// Called several times a second on the calling thread, with the number of strands that are
    /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done stay
    /// where they are. The world is busy meanwhile. NULL (the default): none.
    uint32_t (*progress)(void *user, uint32_t done, uint32_t all);
    /// Passed to `progress`.
    void *user;
    /// The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. Default: 1e-6.
    double tolerance;
    /// Steps of Newton's method, 1 to 1e6. Default: 100, plenty for most strands.
    uint32_t iterations;
    /// Must be 0.
    uint32_t reserved;
} WithySettleDef;

/// Whether a strand holds its pose, and what is known of its equilibrium.
typedef struct WithyElasticReport {
    /// A WITHY_STRAND_ value.
    uint32_t answer;
    /// A WITHY_REASON_ value: why the strand was refused, or does not hold. 0: there is no other
    /// reason than the answer.
    uint32_t reason;
    /// Iterations of the search. 0: the strand had its rest shape already.
    uint32_t iterations;
    /// The number of rest lengths, curvatures and twists at their bounds.
    uint32_t at_bounds;
    /// The number of ways in which the strand leaves its pose by itself, as a pencil on its tip
    /// falls. 0: none, if `lowest_mode` is a number. It includes what rounding in single precision,
    /// or steps of the expected length, would make of the pose. It does not include flutter by
    /// `withy_rods_set_moments`.
    uint32_t unstable_modes;
    /// The number of stiffness factors above 1, as `withy_rods_read_stiffness_factors` gives them.
    /// Who set them, `stiffen` or the host, makes no difference.
    uint32_t stiffened;
    /// The force that is left: the root of the sum of f^2/m over all that can move, m/s^2 kg^0.5.
    double residual;
    /// The largest acceleration that is left at a vertex, m/s^2. Divided by `lowest_mode` it is
    /// about how far from its pose the strand rests, m.
    double acceleration;
    /// How firmly the strand holds: the square of its lowest angular frequency, 1/s^2. Negative:
    /// unstable. 0: neutral, as a rope that turns about its line. Infinite: nothing can move. NaN:
    /// not known.
    double lowest_mode;
    /// The largest stiffness factor of the strand. 1: no factor is above 1.
    double stiffest;
} WithyElasticReport;

/// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&def)`.
WITHY_API int32_t withy_rest_shape_def_init_sized(WithyRestShapeDef *def, uint32_t size);
#define withy_rest_shape_def_init(d) \
    withy_rest_shape_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Finds rest shapes for which the present pose is an equilibrium under the present
/// gravity, wind, forces and moments. `withy_rods_read_elastic_report` tells how well it went;
/// strands that cannot be solved keep their rest shape.
///
/// Call it after gravity or forces have changed, after a change to fewer substeps or longer steps,
/// and when attachments have come. It keeps the pose that the rods have now. To keep an earlier
/// one, write back its positions and frames and velocities of 0, and teleport roots and pins there
/// first. Calling it twice changes nothing.
///
/// Ends that the host or an attachment holds count as held; contacts do not count. An end on a
/// junction, a dynamic body or a movable mesh counts as free if the other end is held more firmly.
///
/// @param def NULL: the defaults.
WITHY_API
int32_t withy_rods_optimize_rest_shape(WithyRods rods,
                                       const WithyRestShapeDef *def);

/// Writes. Sets the shape at rest.
///
/// @param rest_shape A WITHY_REST_ value. WITHY_REST_FROM_POSE takes the present pose.
/// @param rest_lengths Numbers, one an edge, host units. NULL unless WITHY_REST_EXPLICIT.
/// @param rest_darboux Vectors, one an element, 1/host unit. NULL unless WITHY_REST_EXPLICIT, or if
///     there are no elements.
WITHY_API
int32_t withy_rods_set_rest_shape(WithyRods rods,
                                  uint32_t rest_shape,
                                  const WithySpan *rest_lengths,
                                  const WithySpan *rest_darboux);

/// Fills `def` with the defaults. Use the macro `withy_settle_def_init(&def)`.
WITHY_API int32_t withy_settle_def_init_sized(WithySettleDef *def, uint32_t size);
#define withy_settle_def_init(d) \
    withy_settle_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Moves the rods to their equilibrium under the present gravity and forces, and leaves
/// them at rest there. Held ends stay where they are; contacts do not count.
/// `withy_rods_read_elastic_report` tells how it went: of strands that were not done it says
/// WITHY_STRAND_REFUSED and WITHY_REASON_CANCELLED. One iteration takes about as long as a step.
///
/// @param def NULL: the defaults.
WITHY_API int32_t withy_rods_settle(WithyRods rods, const WithySettleDef *def);

/// Reads. How the last search left each strand. There are no reports before the first search.
///
/// @param reports Room for `*count` reports, one a strand, or NULL to learn the count.
/// @param count Set to the number of reports.
WITHY_API
int32_t withy_rods_read_elastic_report(WithyRods rods,
                                       WithyElasticReport *reports,
                                       uint64_t *count);

/// Reads. The lengths at rest.
///
/// @param out Numbers, one an edge, host units.
WITHY_API int32_t withy_rods_read_rest_lengths(WithyRods rods, WithySpan *out);

/// Reads. How the rods are bent and twisted at rest, in the library's own measure. To be stored
/// with a groom, and given to rods of the same definition by `withy_rods_set_rest_strains`.
///
/// @param out Five numbers a vertex.
WITHY_API int32_t withy_rods_read_rest_strains(WithyRods rods, WithySpan *out);

/// Reads. How much stiffer the rods are than they were made: factors for bending and twist at a
/// vertex, and for stretching of the edge after it. 1 until `WithyRestShapeDef.stiffen` or
/// `withy_rods_set_stiffness_factors` changes them.
///
/// @param out Two numbers a vertex.
WITHY_API int32_t withy_rods_read_stiffness_factors(WithyRods rods, WithySpan *out);

/// Writes. Makes the rods stiffer or softer than they were made. The rest shape stays: call
/// `withy_rods_optimize_rest_shape` to fit it again. Factors of 1 take off what
/// `WithyRestShapeDef.stiffen` has found. WITHY_STIFFNESS_PHYSICAL only.
///
/// @param factors Two numbers a vertex, as read by `withy_rods_read_stiffness_factors`, [1e-9,
///     1e9].
WITHY_API int32_t withy_rods_set_stiffness_factors(WithyRods rods, const WithySpan *factors);

/// Writes. Makes the rods thicker or thinner. Masses and stretching stiffness go with the square of
/// the radius, bending and twisting stiffness with its fourth power. Pose, velocities and rest
/// shape stay: call `withy_rods_optimize_rest_shape` to fit it again. Saved states do not hold
/// radii.
///
/// @param radii Numbers, one a vertex, host units, 1e-7 m to 1e3 m; of an elliptic section along
///     d1.
WITHY_API int32_t withy_rods_set_radii(WithyRods rods, const WithySpan *radii);

/// Writes. Sets a rest shape that was stored.
///
/// @param rest_lengths Numbers, one an edge, as read by `withy_rods_read_rest_lengths`, 1e-9 m to
///     1e9 m.
/// @param rest_strains Five numbers a vertex, as read by `withy_rods_read_rest_strains`, [-1e9,
///     1e9].
WITHY_API
int32_t withy_rods_set_rest_strains(WithyRods rods,
                                    const WithySpan *rest_lengths,
                                    const WithySpan *rest_strains);

/// Reads. Writes the rest shape with its stiffness factors into `data`: an asset of its own, for a
/// chunk of a host's asset, or for a file. It is in SI units, whatever those of the context.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the rest shape.
WITHY_API int32_t withy_rods_save_rest_shape(WithyRods rods, void *data, uint64_t *size);

/// Writes. Sets a rest shape that was saved. The rods must have the strands and the model of those
/// that it was found for; that their material and gravity are the same is up to the host.
///
/// @param data `size` bytes of `withy_rods_save_rest_shape`.
/// @param size Number of bytes.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or of
///     other rods, which then keep their rest shape.
WITHY_API int32_t withy_rods_load_rest_shape(WithyRods rods, const void *data, uint64_t size);

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
WITHY_ASSERT(sizeof(WithyRestShapeDef) == 128);
WITHY_ASSERT(offsetof(WithyRestShapeDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRestShapeDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRestShapeDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRestShapeDef, progress) == 16);
WITHY_ASSERT(offsetof(WithyRestShapeDef, user) == 24);
WITHY_ASSERT(offsetof(WithyRestShapeDef, regularizer) == 32);
WITHY_ASSERT(offsetof(WithyRestShapeDef, tolerance) == 40);
WITHY_ASSERT(offsetof(WithyRestShapeDef, target) == 48);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_min) == 56);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_max) == 64);
WITHY_ASSERT(offsetof(WithyRestShapeDef, curvature) == 72);
WITHY_ASSERT(offsetof(WithyRestShapeDef, twist) == 80);
WITHY_ASSERT(offsetof(WithyRestShapeDef, stiffen) == 88);
WITHY_ASSERT(offsetof(WithyRestShapeDef, step) == 96);
WITHY_ASSERT(offsetof(WithyRestShapeDef, iterations) == 104);
WITHY_ASSERT(offsetof(WithyRestShapeDef, bounds) == 108);
WITHY_ASSERT(offsetof(WithyRestShapeDef, change_twist) == 112);
WITHY_ASSERT(offsetof(WithyRestShapeDef, reserved) == 116);
WITHY_ASSERT(offsetof(WithyRestShapeDef, lowest_mode_min) == 120);
WITHY_ASSERT(sizeof(WithySettleDef) == 48);
WITHY_ASSERT(offsetof(WithySettleDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithySettleDef, flags) == 4);
WITHY_ASSERT(offsetof(WithySettleDef, next) == 8);
WITHY_ASSERT(offsetof(WithySettleDef, progress) == 16);
WITHY_ASSERT(offsetof(WithySettleDef, user) == 24);
WITHY_ASSERT(offsetof(WithySettleDef, tolerance) == 32);
WITHY_ASSERT(offsetof(WithySettleDef, iterations) == 40);
WITHY_ASSERT(offsetof(WithySettleDef, reserved) == 44);
WITHY_ASSERT(sizeof(WithyElasticReport) == 56);
WITHY_ASSERT(offsetof(WithyElasticReport, answer) == 0);
WITHY_ASSERT(offsetof(WithyElasticReport, reason) == 4);
WITHY_ASSERT(offsetof(WithyElasticReport, iterations) == 8);
WITHY_ASSERT(offsetof(WithyElasticReport, at_bounds) == 12);
WITHY_ASSERT(offsetof(WithyElasticReport, unstable_modes) == 16);
WITHY_ASSERT(offsetof(WithyElasticReport, stiffened) == 20);
WITHY_ASSERT(offsetof(WithyElasticReport, residual) == 24);
WITHY_ASSERT(offsetof(WithyElasticReport, acceleration) == 32);
WITHY_ASSERT(offsetof(WithyElasticReport, lowest_mode) == 40);
WITHY_ASSERT(offsetof(WithyElasticReport, stiffest) == 48);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_REST_SHAPE_H */
