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

/// The bounds are not kept. A pose too tight for its strand can get rest curvatures beyond 169 degrees then, where steps soften: with unstable modes such
/// a strand may move on and on.
#define WITHY_BOUNDS_NONE 0
/// By a penalty, as in the paper: they are overstepped a little, and by much where that is the smaller evil, as in poses of thousands of g.
#define WITHY_BOUNDS_PENALTY 1
/// By a penalty, every iterate clamped.
#define WITHY_BOUNDS_CLAMPED 2
/// Exactly: what is at a bound and pushes outward is held there. Bounds that leave the first rest shape out are kept all the same, at any cost to the pose: lengths of 1.05 and
/// more throw a stiff strand centimetres.
#define WITHY_BOUNDS_EXACT 3

/// Nothing has been asked of the strand.
#define WITHY_STRAND_IDLE 0
/// The residual is at the target: the pose is an equilibrium, to a thousandth of the strand's length if it is stable. Whether it stays is for `unstable_modes`
/// to say: 0 if it does.
#define WITHY_STRAND_AT_TARGET 1
/// The residual is as small as the rest shape can make it; with a target of 0 the paper's minimum. Or it is at the target, of a strand so light or so hardly stable
/// that it rests more than a thousandth of its length from the pose.
#define WITHY_STRAND_CONVERGED 2
/// The same, with parameters at their bounds: the strand is too soft for its pose.
#define WITHY_STRAND_AT_BOUNDS 3
/// The iterations were used up.
#define WITHY_STRAND_ITERATION_LIMIT 4
/// `progress` cancelled before it was the strand's turn.
#define WITHY_STRAND_CANCELLED 5
/// The strand was left as it is: `refusal` says why.
#define WITHY_STRAND_REFUSED 6
/// The pose is not held, or not by `lowest_mode_min`, and what it would take was not found: the rest shape is the one without stiffening.
/// Because `stiffen` allows too little, or a step of this length makes too little of it in f32 (WITHY_REFUSAL_STEP; f64 does not
/// ask), or bounds stay around a first rest shape that is far from the pose (`withy_rods_set_rest_shape` from the pose, then again), or there are more than 1000 vertices, or no stiffness raises that mode: a pinned root swings however stiff the rod is.
#define WITHY_STRAND_TOO_SOFT 7
/// As WITHY_STRAND_AT_TARGET, but the rods are swept from zero in every substep, which stops short of the equilibrium and sags: make them with
/// WITHY_RODS_SAG_FREE, WITHY_RODS_WARM_START or WITHY_ORDER_DIRECT.
#define WITHY_STRAND_SWEPT 8

/// A NaN or an infinity in pose, forces or rest shape, or statics that run farther than 1e9 m or 1e4 lengths of the strand, as of one that
/// nothing holds.
#define WITHY_REFUSAL_NOT_FINITE 1
/// A vertex or an edge without mass.
#define WITHY_REFUSAL_NO_MASS 2
/// An edge shorter than a millionth of the strand's longest: after a write of positions only, as the definition's are simulated longer
/// (WITHY_ISSUE_SHORT_EDGE).
#define WITHY_REFUSAL_SHORT_EDGE 3
/// Two edges that fold back on each other: by more than 169 degrees, where a step of Newton's method takes them for a softer element; of rods
/// that are swept by 180, where their curvature is infinite.
#define WITHY_REFUSAL_FOLD 4
/// The pose is an equilibrium, but a step in f32 may leave it: some element is so stiff, beside what its vertices weigh, that the step takes it for another
/// (in a thin tape, or a kink of stiff hair: from some 110 degrees on at one substep a frame, 150 at eight; kinks mostly stay all the same). Of rest shapes, whatever the iterations. Make the world with WITHY_PRECISION_F64; for what is no stiffer than
/// steps take it, more substeps do, too.
#define WITHY_REFUSAL_PRECISION 6
/// What would hold the pose may be stiffer than steps of this length take it, as in f32 beside an edge a thousandth as long as the others: more substeps make more of
/// it (`step`), and WITHY_PRECISION_F64 takes 1e5 times as much.
#define WITHY_REFUSAL_STEP 7
/// A vertex is not where it is held, and the next step takes it there: by more than 1e-5 of its edge's length a pinned one, or a root or tip, of a pose that was written without
/// `withy_rods_set_pin` or `withy_rods_set_root_poses` (teleported: a target that is still ahead holds nothing yet), and of discrete elastic rods the second vertex of a clamped
/// end, a rest length along the tangent of the frame that holds it; by more than 1e-3 of its edge an end that is attached to a body or a mesh. Of what else holds: the rest
/// shape was found for the pose as it is.
#define WITHY_REFUSAL_HELD 8

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
    /// With `target` 0: weight of the distance from the first rest shape. With another, as by default, it only damps the iterations. 1e-15 to
    /// 1e15. Default: 1e-5.
    double regularizer;
    /// Weight of overstepped bounds, 0 to 1e15. Default: 1e6.
    double penalty;
    /// With `target` 0: the step in the parameters below which it ends, 0 to 1e15. Default: 1e-5.
    double tolerance;
    /// The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5; a thousandth of that of the loads where that is less. 0: the
    /// paper's minimum, which the regularizer keeps off the equilibrium. 0 to 1e15. Default: 1e-6.
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
    /// need. It takes longer: a second for a strand of 100 vertices. Not for strands of more than
    /// 1000 vertices. 0 (the default): none.
    double stiffen;
    /// Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this length
    /// and shorter ones. 0 (the default): as long as the last step; 1/60 s before the first.
    double step;
    /// Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or that
    /// meet their bounds, need any. Default: 500.
    uint32_t iterations;
    /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_PENALTY.
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

/// What is known of a strand's equilibrium. A strand holds its pose if `status` is WITHY_STRAND_AT_TARGET and `unstable_modes` 0; a strand that nothing holds, which
/// falls, is WITHY_STRAND_CONVERGED.
typedef struct WithyElasticReport {
    /// A WITHY_STRAND_ value.
    uint32_t status;
    /// A WITHY_REFUSAL_ value (none is 5): why it was refused, or why its pose is not held; or 0.
    uint32_t refusal;
    /// 0: the strand had its rest shape; 1: it followed from statics; or what Gauss-Newton took.
    uint32_t iterations;
    /// Rest parameters at or beyond a bound.
    uint32_t at_bounds;
    /// Ways in which the strand leaves the pose by itself, or what else keeps it from holding: 0 for a stable equilibrium, if `lowest_mode` is a number; 0 too where nothing is
    /// known. A neutral mode, as of a rope that turns about its line, is none. In f32, of strands that more than one end holds, also what the
    /// rounding of the rest shape makes of it: 1 or more where that alone leads away from the pose, by a thousandth of the length or for good; and
    /// 1 where `refusal` names a step or what is held elsewhere as the cause. Moments about edges turn with them and have no energy: what a pose
    /// may flutter by under these is not in it. Of rods that WITHY_ORDER_DIRECT solves also those in which steps of the length that is expected
    /// swing it up: if `lowest_mode` is positive, `refusal` 0 and no rounding to blame, it is these alone, and shorter steps hold the pose. Rods that come near bodies, or get
    /// attachments, later: optimize again (docs/internals/direct.md).
    uint32_t unstable_modes;
    /// Vertices and edges that are stiffer by it.
    uint32_t stiffened;
    /// The root of the sum of f^2/m over what can move, m/s^2 kg^0.5.
    double residual;
    /// The largest |f|/m of a vertex, m/s^2.
    double acceleration;
    /// Square of the lowest angular frequency, 1/s^2; negative if unstable, 0 if neutral, infinite if nothing can move, NaN if unknown: refused,
    /// cancelled, or settled folded (WITHY_REFUSAL_FOLD).
    /// `acceleration` over this is about how far the strand rests from the pose, in f64; what a step in f32 rounds comes on top, and moves
    /// it most where this is small.
    double lowest_mode;
    /// The largest factor by which `stiffen` has made it stiffer, now or in an earlier call: 1 if it has not.
    double stiffest;
} WithyElasticReport;

/// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&def)`.
WITHY_API int32_t withy_rest_shape_def_init_sized(WithyRestShapeDef *def, uint32_t size);
#define withy_rest_shape_def_init(definition) \
    withy_rest_shape_def_init_sized((definition), (uint32_t)sizeof *(definition))

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

/// Writes. Moves the rods to their equilibrium under the present gravity and forces, and leaves
/// them at rest there. Held ends stay where they are; contacts do not count.
/// `withy_rods_read_elastic_report` tells how it went.
///
/// @param iterations Steps of Newton's method, 1 to 1e6. 100 is plenty for most strands.
/// @param tolerance The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. 1e-6
///     is a good value.
WITHY_API int32_t withy_rods_settle(WithyRods rods, uint32_t iterations, double tolerance);

/// Reads. How the last search left each strand. There are no reports before the first search.
///
/// @param reports Room for `*count` reports, one a strand, or NULL to learn the count.
/// @param count Set to the number of reports.
WITHY_API
int32_t withy_rods_read_elastic_report(WithyRods rods,
                                       WithyElasticReport *reports,
                                       uint64_t *count);

/// Reads. Numbers, one a strand, 0 to 1: the part of gravity and forces that a strand feels, because its sweeps carry no more in the pose
/// that was found last, with WITHY_RODS_WARM_START. A strand with 0.125 falls, sags when it leaves its pose and swings with an eighth of its
/// weight; its inertia and its stiffness are whole. One with 0.06 or less may leave its pose after a push of 1e-5 m/s. Look at it before the rods are used, and where it is too small take more substeps, more
/// iterations or WITHY_ORDER_DIRECT, which carries all. Found for the substeps and iterations that the world has, and for steps of the length
/// `WithyRestShapeDef::step`; longer substeps and fewer iterations carry less, which is in this number after the first such step (the cube of
/// the ratio of the substeps: twice as long, an eighth). 1 in all other rods.
WITHY_API
int32_t withy_rods_read_carried(WithyRods rods,
                                WithySpan *out);

/// Reads. The lengths at rest.
///
/// @param out Numbers, one an edge, host units.
WITHY_API int32_t withy_rods_read_rest_lengths(WithyRods rods, WithySpan *out);

/// Reads. How the rods are bent and twisted at rest, in the library's own measure. To be stored
/// with a groom, and given to rods of the same definition by `withy_rods_set_rest_strains`.
///
/// @param out Five numbers a vertex.
WITHY_API int32_t withy_rods_read_rest_strains(WithyRods rods, WithySpan *out);

/// Reads. Two numbers a vertex: the factors by which the rod is stiffer than its definition made it, against bending and twisting there, and
/// against stretching of the edge after it. 1 until `WithyRestShapeDef.stiffen` or `withy_rods_set_stiffness_factors` changes them. What `stiffen` has
/// found, the next call with it keeps where the strand has its rest shape and holds, and else finds anew; what was set stays, and is multiplied.
WITHY_API
int32_t withy_rods_read_stiffness_factors(WithyRods rods,
                                          WithySpan *out);

/// Writes. Makes the rods stiffer, or softer, than their definition did: gives back what `withy_rods_read_stiffness_factors` told, or
/// tries another stiffness. The rest shape stays: `withy_rods_optimize_rest_shape` finds that of the new stiffness, from the old one, and sooner
/// than from none. WITHY_STIFFNESS_PHYSICAL only.
///
/// @param factors Two numbers a vertex, [1e-9, 1e9].
WITHY_API
int32_t withy_rods_set_stiffness_factors(WithyRods rods,
                                         const WithySpan *factors);

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
WITHY_ASSERT(sizeof(WithyRestShapeDef) == 136);
WITHY_ASSERT(offsetof(WithyRestShapeDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRestShapeDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRestShapeDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRestShapeDef, progress) == 16);
WITHY_ASSERT(offsetof(WithyRestShapeDef, user) == 24);
WITHY_ASSERT(offsetof(WithyRestShapeDef, regularizer) == 32);
WITHY_ASSERT(offsetof(WithyRestShapeDef, penalty) == 40);
WITHY_ASSERT(offsetof(WithyRestShapeDef, tolerance) == 48);
WITHY_ASSERT(offsetof(WithyRestShapeDef, target) == 56);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_min) == 64);
WITHY_ASSERT(offsetof(WithyRestShapeDef, length_max) == 72);
WITHY_ASSERT(offsetof(WithyRestShapeDef, curvature) == 80);
WITHY_ASSERT(offsetof(WithyRestShapeDef, twist) == 88);
WITHY_ASSERT(offsetof(WithyRestShapeDef, stiffen) == 96);
WITHY_ASSERT(offsetof(WithyRestShapeDef, step) == 104);
WITHY_ASSERT(offsetof(WithyRestShapeDef, iterations) == 112);
WITHY_ASSERT(offsetof(WithyRestShapeDef, bounds) == 116);
WITHY_ASSERT(offsetof(WithyRestShapeDef, change_twist) == 120);
WITHY_ASSERT(offsetof(WithyRestShapeDef, reserved) == 124);
WITHY_ASSERT(offsetof(WithyRestShapeDef, lowest_mode_min) == 128);
WITHY_ASSERT(sizeof(WithyElasticReport) == 56);
WITHY_ASSERT(offsetof(WithyElasticReport, status) == 0);
WITHY_ASSERT(offsetof(WithyElasticReport, refusal) == 4);
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
