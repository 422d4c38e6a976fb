/* withy 0.1.0: ropes as tools: cables over pulleys, winches, rods that are cut or break.
 * MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a winch lifts a load over a pulley on a mast. `load` is a body at (1, 0, 0).
 *
 *   WithyCablePoint points[3] = {{{0}}};
 *   WithyCableDef def; WithyCable cable; WithyCableState state;
 *   points[1].position.y = 3;                      (points[0], the winch, is at the origin)
 *   points[1].axis.z = -1;                         (up on the left, over the top, down)
 *   points[1].radius = 0.2;
 *   points[2].body = load;
 *   points[2].position.x = 1;
 *   withy_cable_def_init(&def);
 *   def.points = points, def.point_count = 3;
 *   withy_cable_create(world, &def, &cable);
 *   withy_cable_get_state(cable, &state);
 *   for (int i = 0; i < 60; i++) {                 (half a metre in a second)
 *       withy_cable_set_length(cable, state.length -= 0.5 / 60);
 *       withy_world_step(world, 1.0 / 60.0);
 *   }
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Cables step
 * on the CPU, in worlds on the GPU, too; rods are cut and break in worlds on the CPU.
 */
#ifndef WITHY_ROPES_H
#define WITHY_ROPES_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Cables
 *
 * A cable has no mass and does not bend. It goes from point to point of bodies and of the world,
 * straight between them, and slides through all but its two ends without friction: over pulleys,
 * through rings, through a block and tackle. It only pulls, with the same tension everywhere.
 * Hauled in it is a winch.
 *
 * It collides with nothing. For a rope that has weight, lies on things and makes knots, take a
 * WithyRods (`withy_rope_def_init`).
 */

/// A point of a cable. It is fixed to its body where it is when the cable is created.
typedef struct WithyCablePoint {
    /// A null handle: the point is fixed to the world.
    WithyBody body;
    /// In world space, host units: the point, or the middle of a wheel.
    WithyVec3 position;
    /// Of a wheel: its axis, of any length. Around it the cable goes by the right-hand rule
    /// (left-hand in hosts with left-handed axes).
    WithyVec3 axis;
    /// Radius of a wheel, host units, [1e-6, 1e3] m. 0: a ring that the cable slides through, or an
    /// end. A wheel turns freely and weighs nothing. The cable may lie on three quarters of it, and
    /// be unwound by a quarter turn past straight: beyond that its length jumps by the
    /// circumference.
    double radius;
} WithyCablePoint;

/// How to create a cable.
typedef struct WithyCableDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// `point_count` points, from one end to the other. Required.
    const WithyCablePoint *points;
    /// 2 to 256.
    uint32_t point_count;
    /// Must be 0.
    uint32_t reserved;
    /// Length, host units, [1e-6, 1e6] m. 0 (the default): that of its way at creation.
    double length;
    /// Force that would stretch it to twice its length, EA, N, [1e-3, 1e15]. 0 (the default): it
    /// does not stretch.
    double stiffness;
    /// Tension at which it breaks, N, more than 0. Default: infinity, it never does.
    double break_force;
} WithyCableDef;

/// Handle of a cable.
typedef struct WithyCable {
    uint64_t bits;
} WithyCable;

/// What a cable does.
typedef struct WithyCableState {
    /// How long the cable is, host units: what was set last.
    double length;
    /// How long its way is now, host units. Where it is less than `length` the cable hangs loose.
    double path;
    /// On average over the last step, N.
    double tension;
    /// 1: it has broken, and pulls no more.
    uint32_t broken;
    /// 0
    uint32_t reserved;
} WithyCableState;

/// Fills `def` with the defaults. Use the macro `withy_cable_def_init(&def)`.
WITHY_API int32_t withy_cable_def_init_sized(WithyCableDef *def, uint32_t size);
#define withy_cable_def_init(d) \
    withy_cable_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a cable to a world. Everything in `def` is copied.
///
/// @param cable Set on success. Destroy it with `withy_cable_destroy`, or with its world. It is
///     destroyed with any of its bodies.
WITHY_API
int32_t withy_cable_create(WithyWorld world,
                           const WithyCableDef *def,
                           WithyCable *cable);

/// Writes. Removes a cable.
WITHY_API int32_t withy_cable_destroy(WithyCable cable);

/// Writes. Says how long the cable is at the end of the next step. During the step it is hauled in,
/// or paid out, at an even speed. A winch calls this in every frame.
///
/// It has no stop: a load that is hauled past its wheel whirls round it. Keep `length` above the
/// way up to that wheel.
///
/// @param length Host units, [1e-6, 1e6] m.
WITHY_API int32_t withy_cable_set_length(WithyCable cable, double length);

/// Reads. Length, tension, and whether it has broken.
///
/// @param state Set.
WITHY_API int32_t withy_cable_get_state(WithyCable cable, WithyCableState *state);

/// Reads. The way of the cable, to draw it: one point for each of its points, and 17 on the rim of
/// each wheel. Their number does not change.
///
/// @param out Vectors, host units.
WITHY_API int32_t withy_cable_read_points(WithyCable cable, WithySpan *out);

/* ===============================================================================================
 * Cutting and breaking rods
 *
 * An edge of a rod can be cut, and can break when it is pulled too hard. The strand keeps its
 * number and its vertices: only the edge holds nothing together any more, touches nothing, and is
 * not to be drawn. The parts move, fall and touch each other as strands of their own. Cut edges
 * are part of a saved state. The rods must be solved directly (WITHY_ORDER_DIRECT, the default of
 * rods whose stiffness is physical), on the CPU.
 */

/// Writes. Cuts an edge, or makes it whole again, which pulls its ends together.
///
/// @param edge Counted through the whole set. Not one that a clamp holds.
/// @param cut 1: cut. 0: whole.
/// @return WITHY_ERROR_UNSUPPORTED: the rods are not solved directly, or the world is on the GPU.
WITHY_API int32_t withy_rods_set_cut(WithyRods rods, uint32_t edge, uint32_t cut);

/// Writes. Sets the tensions at which edges break. After a step, of each part of a strand the edge
/// that was pulled hardest, over what it bears, is cut if that was too much.
///
/// @param break_force Numbers, N, 1e-12 or more: one, or one an edge. Infinity: never. NULL: no
///     edge breaks.
/// @return WITHY_ERROR_UNSUPPORTED: the rods are not solved directly, or the world is on the GPU.
WITHY_API int32_t withy_rods_set_break_force(WithyRods rods, const WithySpan *break_force);

/// Reads. The edges that are cut, or have broken, in ascending order.
///
/// @param out u32, counted through the whole set. There are as many as are cut now.
WITHY_API int32_t withy_rods_read_cuts(WithyRods rods, WithySpan *out);

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
WITHY_ASSERT(sizeof(WithyCablePoint) == 64);
WITHY_ASSERT(offsetof(WithyCablePoint, body) == 0);
WITHY_ASSERT(offsetof(WithyCablePoint, position) == 8);
WITHY_ASSERT(offsetof(WithyCablePoint, axis) == 32);
WITHY_ASSERT(offsetof(WithyCablePoint, radius) == 56);
WITHY_ASSERT(sizeof(WithyCableDef) == 56);
WITHY_ASSERT(offsetof(WithyCableDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyCableDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyCableDef, next) == 8);
WITHY_ASSERT(offsetof(WithyCableDef, points) == 16);
WITHY_ASSERT(offsetof(WithyCableDef, point_count) == 24);
WITHY_ASSERT(offsetof(WithyCableDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyCableDef, length) == 32);
WITHY_ASSERT(offsetof(WithyCableDef, stiffness) == 40);
WITHY_ASSERT(offsetof(WithyCableDef, break_force) == 48);
WITHY_ASSERT(sizeof(WithyCable) == 8);
WITHY_ASSERT(offsetof(WithyCable, bits) == 0);
WITHY_ASSERT(sizeof(WithyCableState) == 32);
WITHY_ASSERT(offsetof(WithyCableState, length) == 0);
WITHY_ASSERT(offsetof(WithyCableState, path) == 8);
WITHY_ASSERT(offsetof(WithyCableState, tension) == 16);
WITHY_ASSERT(offsetof(WithyCableState, broken) == 24);
WITHY_ASSERT(offsetof(WithyCableState, reserved) == 28);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_ROPES_H */
