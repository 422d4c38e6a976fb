/* withy 0.1.0: muscles between bones.
 * MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a muscle of one strand pulls a forearm up. `upper` and `lower` are bodies that a hinge
 * joins at (0, 0, 0); the muscle goes from (0, 0.3, 0.03), on `upper`, to (0.05, 0, 0.03), on
 * `lower`.
 *
 *   float points[6 * 3];
 *   for (int i = 0; i < 6; i++) {
 *       points[3 * i] = 0.05f * i / 5, points[3 * i + 1] = 0.3f - 0.3f * i / 5;
 *       points[3 * i + 2] = 0.03f;
 *   }
 *   WithyMuscleDef def; WithyRods muscle; WithyMuscleState state;
 *   withy_muscle_def_init(&def);
 *   def.positions = (WithySpan){points, 6, 0, WITHY_FORMAT_F32, 0};
 *   def.radius = 0.02;
 *   def.origin = upper, def.insertion = lower;
 *   def.mode = WITHY_MUSCLE_HILL;
 *   withy_muscle_create(world, &def, &muscle);
 *   withy_muscle_set_activation(muscle, 0.5);
 *   withy_world_step(world, 1.0 / 60.0);
 *   withy_muscle_get_state(muscle, &state);            (state.force, N)
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Everything in
 * this header is for worlds on the CPU.
 */
#ifndef WITHY_MUSCLE_H
#define WITHY_MUSCLE_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Muscles
 *
 * A muscle is a set of rods that run side by side from one body, its origin, to another, its
 * insertion. It keeps its volume: where it is shorter it is thicker. Its activation makes it pull.
 * `withy_muscle_create` gives a WithyRods: all that reads, draws or destroys rods goes on working.
 * `withy_muscle_fit_mesh`, below, makes the strands from the surface of a muscle; so does the
 * command line tool (`withy muscle`).
 */

/// An active muscle wants to be shorter, and as much thicker: at an activation of 1 and without
/// load it is `shortest` times as long as at rest. For animation: it does not depend on how fast
/// the muscle moves. The default.
#define WITHY_MUSCLE_REST_SHAPE 0
/// An active muscle pulls with the force that Hill's model has for its length and its velocity (De
/// Groote et al. 2016). Its elasticity is the passive force. For biomechanics, and for limbs that
/// muscles move.
#define WITHY_MUSCLE_HILL 1
/// A flag: the ends also turn with their bodies. Without it the strands turn freely there.
#define WITHY_MUSCLE_CLAMPED 16

/// How to create a muscle.
typedef struct WithyMuscleDef {
    uint32_t struct_size;
    /// WITHY_MUSCLE_CLAMPED, WITHY_RODS_SAG_FREE, WITHY_RODS_ONE_WAY, WITHY_RODS_SELF_CONTACT and
    /// WITHY_RODS_STAY_AWAKE, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Vectors: the vertices now, strand after strand, each from the origin to the insertion. All
    /// strands have as many: `positions.count / strands`. Required.
    WithySpan positions;
    /// Numbers, one a vertex: radii of the strands, in place of `radius` and in its range. Default:
    /// none.
    WithySpan radii;
    /// The body that holds the first vertices of all strands, where they are now. A null handle
    /// (the default): nothing holds them.
    WithyBody origin;
    /// The body that holds the last vertices. It is not the origin's. A null handle (the default):
    /// nothing holds them.
    WithyBody insertion;
    /// Radius of the strands, [1e-7, 1e3] m. Required, unless `radii` is given.
    double radius;
    /// Young's modulus, Pa, [1, 1e12]. Default: 6e4, a muscle at rest. Tendon: 1e9.
    double young_modulus;
    /// Poisson's ratio, [0.001, 0.4999]. Default: 0.499, the volume stays within a percent.
    double poisson_ratio;
    /// kg/m^3, [1e-3, 1e6]. Default: 1060.
    double density;
    /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. Default: 2.
    double damping;
    /// Time in which the tissue forgets how fast it is deformed, s, [0, 1e3]. It slows down changes
    /// of shape. Default: 0.01.
    double viscosity;
    /// Coulomb's coefficient, [0, 1e3]. Default: 0.5.
    double friction;
    /// What holds the strands together, Pa: the force that draws a strand to its place in the
    /// bundle, for each metre of the strand and each metre that it is away. [1, 1e5] Pa. 0: the
    /// strands are not bound to each other, and those of a mesh collapse. Default: 3e4.
    double bundle_stiffness;
    /// WITHY_MUSCLE_REST_SHAPE: length at full activation over that at rest, [0.2, 1]. Default:
    /// 0.7.
    double shortest;
    /// Tendon at the origin and at the insertion, as part of the length of each strand, [0, 0.45].
    /// It is never active. Default: 0, none.
    double origin_tendon;
    double insertion_tendon;
    /// Young's modulus of the tendons, Pa, at most 1e6 times that of the muscle. Default: 1e8.
    double tendon_modulus;
    /// WITHY_MUSCLE_HILL: force of the whole muscle at full activation and optimal length, N, [0,
    /// 1e9]. 0 (the default): 3e5 Pa times the sections of all strands where they are thickest.
    double peak_force;
    /// WITHY_MUSCLE_HILL: the length at which the fibres pull most, over that at rest, [0.1, 10].
    /// Default: 1.
    double optimal_ratio;
    /// WITHY_MUSCLE_HILL: the velocity at which shortening fibres no longer pull, optimal lengths a
    /// second, [0.1, 1000]. Default: 10.
    double max_velocity;
    /// WITHY_MUSCLE_HILL: the angle between fibres and strand, rad, [0, 1.4]. Default: 0.
    double pennation;
    /// How many strands there are, at least 1; at most 4096 with a `bundle_stiffness`. Default: 1.
    uint32_t strands;
    /// A WITHY_MUSCLE_ value. Default: WITHY_MUSCLE_REST_SHAPE.
    uint32_t mode;
    /// The layers it is in, as bits. Default: 1.
    uint32_t category;
    /// The layers it collides with. Default: all.
    uint32_t mask;
} WithyMuscleDef;

/// What a muscle does.
typedef struct WithyMuscleState {
    /// Length along the strands, on average, host units.
    double length;
    /// How fast that becomes shorter, host units/s; negative while it lengthens.
    double velocity;
    /// What all strands carry together, N, on average along them, in the last substep.
    double force;
    /// What activation adds to it, N: the rest is the force without it, where the ends stay.
    double active_force;
    /// Volume over that at rest.
    double volume;
} WithyMuscleState;

/// Fills `def` with the defaults. Use the macro `withy_muscle_def_init(&def)`.
WITHY_API int32_t withy_muscle_def_init_sized(WithyMuscleDef *def, uint32_t size);
#define withy_muscle_def_init(d) \
    withy_muscle_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a muscle to a world. Everything in `def` is copied. It has its rest shape now, so
/// it pulls at nothing when it starts, and gravity bends it between its ends. With
/// WITHY_RODS_SAG_FREE it holds its pose against gravity, too.
///
/// It collides with the bodies that hold its ends as with all others. Let it begin and end at their
/// surface, or where the layers of muscle and body do not meet: what runs inside a body which it
/// touches is pressed out of it, and pulls many times as hard.
///
/// @param rods Set on success. Destroy it with `withy_rods_destroy`, or with its world. A body that
///     goes lets go of it.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
WITHY_API
int32_t withy_muscle_create(WithyWorld world,
                            const WithyMuscleDef *def,
                            WithyRods *rods);

/// Writes. Sets how active the whole muscle is, from the next step on, until it is set again. It is
/// part of the state that is saved and restored.
///
/// @param activation 0 to 1.
WITHY_API int32_t withy_muscle_set_activation(WithyRods rods, double activation);

/// Writes. Sets how active each edge is: a wave can run along a tentacle, or half of a muscle pull.
///
/// @param activations Numbers, one an edge, 0 to 1.
WITHY_API int32_t withy_muscle_write_activations(WithyRods rods, const WithySpan *activations);

/// Reads. How active each edge is; 0 of rods that are no muscle.
///
/// @param out Numbers, one an edge.
WITHY_API int32_t withy_muscle_read_activations(WithyRods rods, WithySpan *out);

/// Reads. Length, velocity, force and volume of the whole muscle. `withy_rods_read_tension`,
/// `withy_rods_read_radii` and `withy_rods_read_volumes` tell more.
///
/// @param state Set.
WITHY_API int32_t withy_muscle_get_state(WithyRods rods, WithyMuscleState *state);

/* ===============================================================================================
 * Muscles from meshes
 *
 * `withy_muscle_fit_mesh` turns the surface of a muscle into strands for `withy_muscle_create`
 * (Angles et al. 2019, section 8.1). It fills the inside with strands that run from the origin to
 * the insertion, as a field between the two does, and are as thick as they have to be for the
 * volume of the mesh. It needs no clean mesh: small holes, shells that overlap, duplicate vertices
 * and triangles without area are repaired, and told.
 *
 *     WithyMuscleMeshDef mesh; WithyMuscleFit fit; WithyMuscleDef def; WithyRods muscle;
 *     static float points[24 * 24][3], radii[24 * 24];
 *     WithySpan to = {points, 24 * 24, 0, WITHY_FORMAT_F32, 0};
 *     WithySpan thick = {radii, 24 * 24, 0, WITHY_FORMAT_F32, 0};
 *     withy_muscle_mesh_def_init(&mesh);
 *     mesh.positions = (WithySpan){vertices, vertex_count, 0, WITHY_FORMAT_F32, 0};
 *     mesh.triangles = (WithySpan){indices, triangle_count, 0, WITHY_FORMAT_U32, 0};
 *     withy_muscle_fit_mesh(context, &mesh, &to, &thick, &fit);
 *     withy_muscle_def_init(&def);
 *     def.positions = to, def.radii = thick, def.strands = mesh.strands;
 *     def.origin_tendon = def.insertion_tendon = 0.15;
 *     def.origin = upper, def.insertion = lower;
 *     withy_muscle_create(world, &def, &muscle);
 */

/// A flag of `WithyMuscleFit.repairs`: triangles had no area. They were not looked at.
#define WITHY_REPAIRED_FLAT_TRIANGLES 1
/// Shells of the mesh were inside out, or triangles ran the other way round than those beside them.
/// They were turned, each shell outwards by itself: a muscle has no cavities.
#define WITHY_REPAIRED_INSIDE_OUT 2
/// The surface is open, or overlaps itself. Its volume is that of the cells inside.
#define WITHY_REPAIRED_OPEN 4
/// No strands lead to a head: it has no end of its own, there are fewer strands than heads, or it
/// is very thin.
#define WITHY_REPAIRED_HEADS 8
/// Parts of the mesh hang together with no end. They were left out.
#define WITHY_REPAIRED_PARTS 16

/// Where a muscle begins or ends. Give its points, its vertices or a plane. Without any of them the
/// end is found: it is the tip that is farthest from the other end along the muscle, with the tips
/// of other heads.
typedef struct WithyMuscleEnd {
    /// Vectors, host units: a point on the mesh or near it for each head, at most 64. What lies
    /// behind it, as seen from the other end, belongs to the end.
    WithySpan points;
    /// u32: painted vertices of the mesh. Strands begin at the painted surface. The best choice for
    /// an end that is blunt.
    WithySpan vertices;
    /// A point on a plane, host units: what lies behind the plane belongs to the end.
    WithyVec3 plane_point;
    /// Points to what lies behind the plane. (0, 0, 0), the default: no plane.
    WithyVec3 plane_normal;
} WithyMuscleEnd;

/// How to turn the surface of a muscle into strands.
typedef struct WithyMuscleMeshDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// Vectors, host units: the vertices of the mesh, at most 2^22. Required.
    WithySpan positions;
    /// Triples of u32, at most 2^22. Required.
    WithySpan triangles;
    /// Where the strands begin. Default: found. If both ends are found, the one with more heads is
    /// the origin.
    WithyMuscleEnd origin;
    /// Where the strands end. Default: found.
    WithyMuscleEnd insertion;
    /// How many strands, 1 to 512. Default: 24.
    uint32_t strands;
    /// Vertices of a strand, 2 to 512. Default: 24.
    uint32_t slices;
} WithyMuscleMeshDef;

/// How well the strands stand for the mesh, and what was repaired. The figures are of what the
/// strands are of, without parts that were left out and heads without an end.
typedef struct WithyMuscleFit {
    /// What the mesh encloses, without what was left out, host units^3. It is the volume of the
    /// strands, too.
    double volume;
    /// Mean length of the strands, host units.
    double length;
    /// Part of the inside that lies in a strand, as pills. A bundle of round strands that touch
    /// covers 0.91; here they overlap somewhat.
    double covered;
    /// Volume of the strands outside of the mesh, over that of the mesh.
    double outside;
    /// From the tip of the origin to the nearest end of a strand, in radii there: at most 1. Of
    /// several heads that strands lead to, the farthest. The tip is the point that was given, or
    /// the end of the head where that lies beyond the point. A painted end has no tip that a strand
    /// has to reach: there it is the way from its middle, which may be more than 1.
    double origin_gap;
    /// The same at the insertion.
    double insertion_gap;
    /// Mean distance between the surfaces of mesh and strands around the belly, host units.
    double surface_distance;
    /// WITHY_REPAIRED_HEADS: the volume of the heads without an end, over that of the mesh.
    double headless;
    /// WITHY_REPAIRED_PARTS: the volume of the parts that were left out, over that of all.
    double left_out;
    /// To how many heads strands lead at the origin, and at the insertion.
    uint32_t origin_heads;
    uint32_t insertion_heads;
    /// WITHY_REPAIRED_FLAT_TRIANGLES: how many.
    uint32_t flat_triangles;
    /// WITHY_REPAIRED_ flags: what was wrong with the mesh. 0: nothing.
    uint32_t repairs;
} WithyMuscleFit;

/// Fills `def` with the defaults. Use the macro `withy_muscle_mesh_def_init(&def)`.
WITHY_API int32_t withy_muscle_mesh_def_init_sized(WithyMuscleMeshDef *def, uint32_t size);
#define withy_muscle_mesh_def_init(d) \
    withy_muscle_mesh_def_init_sized((d), (uint32_t)sizeof *(d))

/// Turns the surface of a muscle into strands. Enters no world; it runs on the threads of the
/// context and takes about a second for 24 strands of 24 vertices, and more than a minute for 512.
/// The same mesh gives the same strands with any number of threads. A mesh that has moved gives the
/// same strands moved, within a tenth of a radius.
///
/// @param points Set to vectors, one a vertex, host units: strand after strand, each from the
///     origin to the insertion, as in WithyMuscleDef. There are `strands * slices`. If its data is
///     NULL, only the counts are set.
/// @param radii Set to numbers, one a vertex, host units. All strands are as thick as each other
///     in the same slice. NULL: not wanted.
/// @param fit Set. NULL: not wanted, and not measured, which saves a quarter of the time.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the mesh encloses nothing, the ends are the same
///     or lie in different parts of the mesh, or the strands would be thinner than a thousandth of
///     their length.
WITHY_API
int32_t withy_muscle_fit_mesh(WithyContext context,
                              const WithyMuscleMeshDef *def,
                              WithySpan *points,
                              WithySpan *radii,
                              WithyMuscleFit *fit);

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
WITHY_ASSERT(sizeof(WithyMuscleDef) == 240);
WITHY_ASSERT(offsetof(WithyMuscleDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyMuscleDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyMuscleDef, next) == 8);
WITHY_ASSERT(offsetof(WithyMuscleDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyMuscleDef, radii) == 48);
WITHY_ASSERT(offsetof(WithyMuscleDef, origin) == 80);
WITHY_ASSERT(offsetof(WithyMuscleDef, insertion) == 88);
WITHY_ASSERT(offsetof(WithyMuscleDef, radius) == 96);
WITHY_ASSERT(offsetof(WithyMuscleDef, young_modulus) == 104);
WITHY_ASSERT(offsetof(WithyMuscleDef, poisson_ratio) == 112);
WITHY_ASSERT(offsetof(WithyMuscleDef, density) == 120);
WITHY_ASSERT(offsetof(WithyMuscleDef, damping) == 128);
WITHY_ASSERT(offsetof(WithyMuscleDef, viscosity) == 136);
WITHY_ASSERT(offsetof(WithyMuscleDef, friction) == 144);
WITHY_ASSERT(offsetof(WithyMuscleDef, bundle_stiffness) == 152);
WITHY_ASSERT(offsetof(WithyMuscleDef, shortest) == 160);
WITHY_ASSERT(offsetof(WithyMuscleDef, origin_tendon) == 168);
WITHY_ASSERT(offsetof(WithyMuscleDef, insertion_tendon) == 176);
WITHY_ASSERT(offsetof(WithyMuscleDef, tendon_modulus) == 184);
WITHY_ASSERT(offsetof(WithyMuscleDef, peak_force) == 192);
WITHY_ASSERT(offsetof(WithyMuscleDef, optimal_ratio) == 200);
WITHY_ASSERT(offsetof(WithyMuscleDef, max_velocity) == 208);
WITHY_ASSERT(offsetof(WithyMuscleDef, pennation) == 216);
WITHY_ASSERT(offsetof(WithyMuscleDef, strands) == 224);
WITHY_ASSERT(offsetof(WithyMuscleDef, mode) == 228);
WITHY_ASSERT(offsetof(WithyMuscleDef, category) == 232);
WITHY_ASSERT(offsetof(WithyMuscleDef, mask) == 236);
WITHY_ASSERT(sizeof(WithyMuscleState) == 40);
WITHY_ASSERT(offsetof(WithyMuscleState, length) == 0);
WITHY_ASSERT(offsetof(WithyMuscleState, velocity) == 8);
WITHY_ASSERT(offsetof(WithyMuscleState, force) == 16);
WITHY_ASSERT(offsetof(WithyMuscleState, active_force) == 24);
WITHY_ASSERT(offsetof(WithyMuscleState, volume) == 32);
WITHY_ASSERT(sizeof(WithyMuscleEnd) == 112);
WITHY_ASSERT(offsetof(WithyMuscleEnd, points) == 0);
WITHY_ASSERT(offsetof(WithyMuscleEnd, vertices) == 32);
WITHY_ASSERT(offsetof(WithyMuscleEnd, plane_point) == 64);
WITHY_ASSERT(offsetof(WithyMuscleEnd, plane_normal) == 88);
WITHY_ASSERT(sizeof(WithyMuscleMeshDef) == 312);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, next) == 8);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, triangles) == 48);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, origin) == 80);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, insertion) == 192);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, strands) == 304);
WITHY_ASSERT(offsetof(WithyMuscleMeshDef, slices) == 308);
WITHY_ASSERT(sizeof(WithyMuscleFit) == 88);
WITHY_ASSERT(offsetof(WithyMuscleFit, volume) == 0);
WITHY_ASSERT(offsetof(WithyMuscleFit, length) == 8);
WITHY_ASSERT(offsetof(WithyMuscleFit, covered) == 16);
WITHY_ASSERT(offsetof(WithyMuscleFit, outside) == 24);
WITHY_ASSERT(offsetof(WithyMuscleFit, origin_gap) == 32);
WITHY_ASSERT(offsetof(WithyMuscleFit, insertion_gap) == 40);
WITHY_ASSERT(offsetof(WithyMuscleFit, surface_distance) == 48);
WITHY_ASSERT(offsetof(WithyMuscleFit, headless) == 56);
WITHY_ASSERT(offsetof(WithyMuscleFit, left_out) == 64);
WITHY_ASSERT(offsetof(WithyMuscleFit, origin_heads) == 72);
WITHY_ASSERT(offsetof(WithyMuscleFit, insertion_heads) == 76);
WITHY_ASSERT(offsetof(WithyMuscleFit, flat_triangles) == 80);
WITHY_ASSERT(offsetof(WithyMuscleFit, repairs) == 84);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_MUSCLE_H */
