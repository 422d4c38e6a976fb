/* withy 0.1.0: measurements, statistics, debug lines, instruction sets. MIT OR Apache-2.0.
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

/* ===============================================================================================
 * Rods in detail
 *
 * How a set of rods is solved, what it measures, and what was wrong with its input.
 */

/// An edge shorter than 1e-4 of the strand's mean edge. It is simulated at that length. Value: its
/// length, m.
#define WITHY_ISSUE_SHORT_EDGE 1
/// A strand of no length. It is simulated as a tiny straight one. Value: its length, m.
#define WITHY_ISSUE_NO_LENGTH 2
/// Two edges that fold back on each other by more than 175 degrees. Value: the angle, rad.
#define WITHY_ISSUE_KINK 3
/// A strand whose edges are, on average, shorter than a tenth of its radius. It will stretch to
/// many times its length. Value: the mean edge, m.
#define WITHY_ISSUE_STUB 4

/// What was wrong with a strand at creation.
typedef struct WithyStrandIssue {
    /// The number of the strand in the set.
    uint32_t strand;
    /// Counted from the root of the strand.
    uint32_t vertex;
    /// A WITHY_ISSUE_ value.
    uint32_t kind;
    /// 0
    uint32_t reserved;
    /// What it means depends on the kind. SI units.
    double value;
} WithyStrandIssue;

/// Reads. How the rods are solved: a WITHY_ORDER_ value, in place of WITHY_ORDER_AUTO what it
/// chose. For WITHY_MODEL_DER it is WITHY_ORDER_DIRECT.
WITHY_API int32_t withy_rods_order(WithyRods rods, uint32_t *order);

/// Writes. Turns the material frames at once about their edges. The direction of an edge stays; d1
/// goes as near as it can to that of the frame. To go back to an earlier pose, write its positions
/// with `withy_rods_write_positions`, then its frames with this. Frames that the host holds
/// (clamped ends) stay. Full turns of twist are not kept: each element takes the least twist.
///
/// @param frames Quaternions, one an edge, as `withy_rods_read_frames` gives them.
WITHY_API int32_t withy_rods_write_frames(WithyRods rods, const WithySpan *frames);

/// Writes. Sets a moment about each edge, as of a motor that twists the rod there. It turns the
/// edge about its direction from root to tip, in the host's sense of rotation, in all steps until
/// it is set again. The first edge of a clamped WITHY_MODEL_DER strand does not feel it. The first
/// call allocates memory.
///
/// @param moments Numbers, one an edge, N m, at most 1e9. NULL: no moments.
WITHY_API int32_t withy_rods_set_moments(WithyRods rods, const WithySpan *moments);

/// Reads. The ghost points of WITHY_MODEL_GHOST.
///
/// @param out Vectors, one an edge, host units.
WITHY_API int32_t withy_rods_read_ghosts(WithyRods rods, WithySpan *out);

/// Reads. The angles by which the material turns about the rod from one edge to the next, in the
/// host's sense of rotation.
///
/// @param out Numbers, one an element, rad.
WITHY_API int32_t withy_rods_read_twist(WithyRods rods, WithySpan *out);

/// Reads. Strains: length / rest length - 1.
///
/// @param out Numbers, one an edge.
WITHY_API int32_t withy_rods_read_strain(WithyRods rods, WithySpan *out);

/// Reads. Radii of the sections now: those at rest, or, with a `poisson_ratio`, what stretching and
/// pressing have made of them.
///
/// @param out Numbers, one a vertex, host units.
WITHY_API int32_t withy_rods_read_radii(WithyRods rods, WithySpan *out);

/// Reads. Volumes: volume / volume at rest, 1 + strain where radii stay as they are.
///
/// @param out Numbers, one an edge.
WITHY_API int32_t withy_rods_read_volumes(WithyRods rods, WithySpan *out);

/// Reads. Darboux vectors: curvature about d1 and d2, twist about d3, in local axes (see the table
/// of conventions).
///
/// @param out Vectors, one an element, 1/host unit.
WITHY_API int32_t withy_rods_read_darboux(WithyRods rods, WithySpan *out);

/// Reads. Tensions in the last substep; positive where an edge pulls its ends together. 0 before
/// the first step.
///
/// @param out Numbers, one an edge, N.
WITHY_API int32_t withy_rods_read_tension(WithyRods rods, WithySpan *out);

/// Reads. Moments in the rod in the last substep: bending about d1 and d2, twist about d3, in local
/// axes (see the table of conventions). At an end it is the moment of the support or attachment, 0
/// if there is none; a clamp of WITHY_MODEL_DER shows at the second vertex. 0 before the first
/// step.
///
/// @param out Vectors, one a vertex, N m.
WITHY_API int32_t withy_rods_read_moments(WithyRods rods, WithySpan *out);

/// Reads. What was wrong with strands at creation.
///
/// @param issues Room for `*count` issues, or NULL to learn the count.
/// @param count Set to the number of issues.
WITHY_API
int32_t withy_rods_read_report(WithyRods rods,
                               WithyStrandIssue *issues,
                               uint64_t *count);

/* ===============================================================================================
 * Diagnostics
 *
 * What the last step did, what a world needs, and how it looks from inside.
 */

/// What the last step did. Times are in seconds of wall-clock time.
typedef struct WithyStepStats {
    /// Steps since the world was created.
    uint64_t steps;
    /// The whole step.
    double seconds_total;
    /// Of that: moving colliders over the substeps.
    double seconds_prepare;
    /// Of that: simulating rods and bodies.
    double seconds_solve;
    /// Of that: gathering the numbers below.
    double seconds_report;
    /// The largest |length / rest length - 1| of an edge.
    double largest_strain;
    /// The rods where it is. Null if there are none, or if they have been destroyed since.
    WithyRods largest_strain_rods;
    /// The strand in these rods.
    uint32_t largest_strain_strand;
    /// Substeps of the step.
    uint32_t substeps;
    /// Iterations of the world.
    uint32_t iterations;
    /// Strands with a NaN or an infinity.
    uint32_t non_finite_strands;
    /// Strands with two neighbouring frames more than 175 degrees apart: WITHY_MODEL_GHOST may flip
    /// there.
    uint32_t kinked_strands;
    /// Strands that ran into their `max_speed`, or whose substep gave no number and was left out.
    uint32_t limited_strands;
    /// Vertices of rods that touched something in the last substep, and contacts between rods.
    uint32_t contacts;
    /// 0
    uint32_t reserved;
    /// Rigid bodies.
    uint32_t bodies;
    /// Those that are awake.
    uint32_t awake_bodies;
    /// Groups of bodies that touch or are joined.
    uint32_t islands;
    /// Pairs of shapes that touch.
    uint32_t body_contacts;
    /// Bodies whose motion became NaN or infinite. They were stopped where they were.
    uint32_t non_finite_bodies;
    /// Joints.
    uint32_t joints;
    /// Not 0: too many shapes were in one place. Each met only a few of the others, and at least
    /// this number of pairs was left out.
    uint64_t pairs_left_out;
    /// Of `seconds_solve`: rigid bodies.
    double seconds_bodies;
} WithyStepStats;

/// A line to draw, in host units.
typedef struct WithyDebugLine {
    /// Where it begins.
    float start[3];
    /// Where it ends.
    float end[3];
    /// 0xRRGGBBAA
    uint32_t rgba;
    /// 0
    uint32_t reserved;
} WithyDebugLine;

/// Reads. What the last step did. Use the macro `withy_world_read_stats(world, &stats)`.
WITHY_API
int32_t withy_world_read_stats_sized(WithyWorld world,
                                     WithyStepStats *stats,
                                     uint32_t size);
#define withy_world_read_stats(world, stats) \
    withy_world_read_stats_sized((world), (stats), (uint32_t)sizeof *(stats))

/// Reads. The memory that the world takes on CPU and GPU together, in bytes.
WITHY_API int32_t withy_world_memory(WithyWorld world, uint64_t *bytes);

/// Reads. A hash of the whole state. After the same calls it is the same on every operating system,
/// instruction set and number of threads: for lockstep networking and for tests. (Worlds on the
/// GPU: only on the same GPU.)
WITHY_API int32_t withy_world_state_hash(WithyWorld world, uint64_t *hash);

/// Reads. Lines that show the world: centrelines of rods (orange where strained by more than 1 %),
/// their axes d1 (red) and d2 (green), sections of bundles (brown, from their middle to the
/// strands), meshes and colliders; shapes of bodies (green, grey asleep), frames of joints (d1, d2,
/// d3 in red, green, blue), limits, arcs, and contacts with their normals.
///
/// @param lines Room for `*count` lines, or NULL to learn the count.
/// @param count Set to the number of lines.
WITHY_API
int32_t withy_world_debug_lines(WithyWorld world,
                                WithyDebugLine *lines,
                                uint64_t *count);

/* ===============================================================================================
 * Instruction sets
 *
 * The default, WITHY_ISA_AUTO, takes the widest one of the machine. All of them give the same
 * results, to the last bit. To force one is for tests and measurements.
 */

/// No vector instructions: one strand at a time.
#define WITHY_ISA_SCALAR 1
#define WITHY_ISA_SSE2 2
#define WITHY_ISA_AVX2 3
#define WITHY_ISA_AVX512 4
#define WITHY_ISA_NEON 5

/// Tells whether this machine has an instruction set.
///
/// @param isa A WITHY_ISA_ value.
/// @return 1 if it has; always for WITHY_ISA_AUTO. Else 0.
WITHY_API uint32_t withy_isa_available(uint32_t isa);

/// Reads. The instruction set in use, a WITHY_ISA_ value.
WITHY_API int32_t withy_world_isa(WithyWorld world, uint32_t *isa);

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
WITHY_ASSERT(sizeof(WithyStrandIssue) == 24);
WITHY_ASSERT(offsetof(WithyStrandIssue, strand) == 0);
WITHY_ASSERT(offsetof(WithyStrandIssue, vertex) == 4);
WITHY_ASSERT(offsetof(WithyStrandIssue, kind) == 8);
WITHY_ASSERT(offsetof(WithyStrandIssue, reserved) == 12);
WITHY_ASSERT(offsetof(WithyStrandIssue, value) == 16);
WITHY_ASSERT(sizeof(WithyStepStats) == 128);
WITHY_ASSERT(offsetof(WithyStepStats, steps) == 0);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_total) == 8);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_prepare) == 16);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_solve) == 24);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_report) == 32);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain) == 40);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain_rods) == 48);
WITHY_ASSERT(offsetof(WithyStepStats, largest_strain_strand) == 56);
WITHY_ASSERT(offsetof(WithyStepStats, substeps) == 60);
WITHY_ASSERT(offsetof(WithyStepStats, iterations) == 64);
WITHY_ASSERT(offsetof(WithyStepStats, non_finite_strands) == 68);
WITHY_ASSERT(offsetof(WithyStepStats, kinked_strands) == 72);
WITHY_ASSERT(offsetof(WithyStepStats, limited_strands) == 76);
WITHY_ASSERT(offsetof(WithyStepStats, contacts) == 80);
WITHY_ASSERT(offsetof(WithyStepStats, reserved) == 84);
WITHY_ASSERT(offsetof(WithyStepStats, bodies) == 88);
WITHY_ASSERT(offsetof(WithyStepStats, awake_bodies) == 92);
WITHY_ASSERT(offsetof(WithyStepStats, islands) == 96);
WITHY_ASSERT(offsetof(WithyStepStats, body_contacts) == 100);
WITHY_ASSERT(offsetof(WithyStepStats, non_finite_bodies) == 104);
WITHY_ASSERT(offsetof(WithyStepStats, joints) == 108);
WITHY_ASSERT(offsetof(WithyStepStats, pairs_left_out) == 112);
WITHY_ASSERT(offsetof(WithyStepStats, seconds_bodies) == 120);
WITHY_ASSERT(sizeof(WithyDebugLine) == 32);
WITHY_ASSERT(offsetof(WithyDebugLine, start) == 0);
WITHY_ASSERT(offsetof(WithyDebugLine, end) == 12);
WITHY_ASSERT(offsetof(WithyDebugLine, rgba) == 24);
WITHY_ASSERT(offsetof(WithyDebugLine, reserved) == 28);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_EXPERT_H */
