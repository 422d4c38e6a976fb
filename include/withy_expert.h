/* withy 0.1.0: what happens inside. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
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
 * What solves a set of rods, what it measures, and what was wrong with its input.
 */

/// An edge shorter than 1e-4 of the strand's mean, simulated at that length. Value: its length, m.
#define WITHY_ISSUE_SHORT_EDGE 1
/// A strand of no length, simulated as a tiny straight one. Value: its length, m.
#define WITHY_ISSUE_NO_LENGTH 2
/// Neighbouring edges that fold back by more than 175 degrees. Value: the angle, rad.
#define WITHY_ISSUE_KINK 3
/// A strand whose edges are, on average, shorter than a tenth of its radius: it stretches to many times its length. Value: the
/// mean edge, m.
#define WITHY_ISSUE_STUB 4

/// Where and why a strand was degenerate at creation.
typedef struct WithyStrandIssue {
    uint32_t strand;
    /// Counted from the strand's root.
    uint32_t vertex;
    /// A WITHY_ISSUE_ value.
    uint32_t kind;
    uint32_t reserved;
    /// What the kind says, SI.
    double value;
} WithyStrandIssue;

/// Reads. What solves the rods, a WITHY_ORDER_ value: what became of WITHY_ORDER_AUTO; WITHY_ORDER_DIRECT for WITHY_MODEL_DER.
WITHY_API
int32_t withy_rods_order(WithyRods rods,
                         uint32_t *order);

/// Writes. Turns the material frames at once, about their edges, whose directions stay: d1 goes to where the frame has it, across the edge. So
/// withy_rods_write_positions with what withy_rods_read_positions gave, then this with what withy_rods_read_frames gave, are the pose of then. Edges do not
/// spin afterwards; full turns of WITHY_MODEL_DER are those that leave the least twist. Frames that the host holds stay its own.
///
/// @param frames Quaternions, one an edge, as of withy_rods_read_frames.
WITHY_API
int32_t withy_rods_write_frames(WithyRods rods,
                                const WithySpan *frames);

/// Writes. A moment about every edge, N m, as of a motor that twists the rod there: it turns the edge about its direction from root to tip,
/// the way that rotations turn in the host's axes, in every step until it is set again. It goes along with the edge. What a clamp of
/// WITHY_MODEL_DER holds does not feel it. Rest shapes are solved with it, but it has no energy: a strand with a moment at its free end may flutter though
/// its report calls it stable.
///
/// @param moments Numbers, one an edge, each at most 1e9; NULL: no moments any more.
WITHY_API
int32_t withy_rods_set_moments(WithyRods rods,
                               const WithySpan *moments);

/// Reads. Vectors, one an edge: the ghost points, host units.
WITHY_API int32_t withy_rods_read_ghosts(WithyRods rods, WithySpan *out);

/// Reads. Numbers, one an element: the angle by which the material turns about the rod from one edge to the next, rad, in the
/// host's sense of rotation.
WITHY_API
int32_t withy_rods_read_twist(WithyRods rods,
                              WithySpan *out);

/// Reads. Numbers, one an edge: length / rest length - 1.
WITHY_API int32_t withy_rods_read_strain(WithyRods rods, WithySpan *out);

/// Reads. Vectors, one an element: the Darboux vector, curvature about d1 and d2 and twist about d3, 1/host unit, in local axes
/// (see the conventions).
WITHY_API
int32_t withy_rods_read_darboux(WithyRods rods,
                                WithySpan *out);

/// Reads. Numbers, one an edge: the tension in the last substep, N, positive where the edge pulls its ends together. 0 before
/// the first step.
WITHY_API
int32_t withy_rods_read_tension(WithyRods rods,
                                WithySpan *out);

/// Reads. Vectors, one a vertex: the moment through it in the last substep, N m: bending about d1 and d2, twist about d3, in
/// local axes (see the conventions). At an end it is that of the support, 0 where there is none; a clamp of WITHY_MODEL_DER holds an
/// edge, and shows at that edge's other vertex; an attachment's shows at the end. 0 before the first step.
WITHY_API
int32_t withy_rods_read_moments(WithyRods rods,
                                WithySpan *out);

/// Reads. What was degenerate at creation, strand by strand.
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
 * What a world did, what it needs, and how it looks from inside.
 */

/// What the last step did. Times are wall-clock seconds.
typedef struct WithyStepStats {
    /// Steps since the world was created.
    uint64_t steps;
    double seconds_total;
    /// Colliders interpolated over the substeps.
    double seconds_prepare;
    /// Prediction, constraints and contacts of all strands.
    double seconds_solve;
    /// The numbers that follow, gathered.
    double seconds_report;
    /// Largest |length / rest length - 1| of an edge.
    double largest_strain;
    /// Where it is: the rods, null if there are none or they have been destroyed since, and the strand in them.
    WithyRods largest_strain_rods;
    uint32_t largest_strain_strand;
    uint32_t substeps;
    uint32_t iterations;
    /// Strands with a NaN or an infinity.
    uint32_t non_finite_strands;
    /// Strands with two neighbouring frames more than 175 degrees apart, where the model flips.
    uint32_t kinked_strands;
    /// Strands that ran into the speed limit, or stood still in a substep that led to no number.
    uint32_t limited_strands;
    /// Vertices that touched a collider in the last substep.
    uint32_t contacts;
    uint32_t reserved;
    /// Rigid bodies: how many there are, how many were awake, islands of them that touch or are joined, and pairs of shapes that touch.
    uint32_t bodies;
    uint32_t awake_bodies;
    uint32_t islands;
    uint32_t body_contacts;
    /// Bodies whose motion became NaN or infinite in the last step, which only loads beyond all measure do: they were stopped where they were.
    uint32_t non_finite_bodies;
    uint32_t joints;
    /// Not 0: in some place so many shapes were near each other (16 to 4 for each, and 4,096) that each met a few others only. At least so many
    /// pairs were left out.
    uint64_t pairs_left_out;
    /// Of `seconds_solve`, that of rigid bodies.
    double seconds_bodies;
} WithyStepStats;

/// A line of the debug drawing, in host units.
typedef struct WithyDebugLine {
    float start[3];
    float end[3];
    /// 0xRRGGBBAA
    uint32_t rgba;
    uint32_t reserved;
} WithyDebugLine;

/// Reads. Use the macro `withy_world_read_stats(world, &stats)`, which passes the size that the host was compiled with.
WITHY_API
int32_t withy_world_read_stats_sized(WithyWorld world,
                                     WithyStepStats *stats,
                                     uint32_t size);
#define withy_world_read_stats(world, stats) \
    withy_world_read_stats_sized((world), (stats), (uint32_t)sizeof *(stats))

/// Reads. The memory that the world holds, on the CPU and the GPU together, in bytes.
WITHY_API int32_t withy_world_memory(WithyWorld world, uint64_t *bytes);

/// Reads. A hash of the whole state, equal on every thread count, instruction set and system for the same calls: what lockstep
/// networking and regression tests compare.
WITHY_API
int32_t withy_world_state_hash(WithyWorld world,
                               uint64_t *hash);

/// Reads. Lines of the centrelines (orange where strained by more than a percent), the material axes d1 (red) and d2 (green), the
/// meshes and the colliders; of bodies the shapes (green; grey asleep), of joints both frames (d1, d2, d3: red, green, blue), the limits and
/// the curve of an arc with its material axes, and the contacts with their normals.
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
 * For tests and measurements: WITHY_ISA_AUTO of `withy.h` takes the best, and all of them give the same bits.
 */

#define WITHY_ISA_SCALAR 1
#define WITHY_ISA_SSE2 2
#define WITHY_ISA_AVX2 3
#define WITHY_ISA_AVX512 4
#define WITHY_ISA_NEON 5

/// 1 if this machine can run `isa`, a WITHY_ISA_ value; WITHY_ISA_AUTO always.
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
