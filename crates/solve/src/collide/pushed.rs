//! Bodies that vertices push, as pure functions: how a body gives way to a contact, what a contact then is, and where the body and its shapes are after the
//! pushes of a substep.
//!
//! A body is its motion on the way that is known before anybody pushes it, and what pushes have added. Pushes are momenta times h: kg m, and kg m².

use super::kernels::{Contact, Held, Settled, contact, held_force, is_stick};
use crate::math::vec3::vec3;
use crate::math::{Quat, Real, Sym3, Vec3};

/// How far a push of 1 kg m along `normal`, at `arm` from the centre of mass, moves the body there: 1/m + (r × n)ᵀ I⁻¹ (r × n), kg⁻¹.
#[inline(always)]
pub fn body_gives<T: Real>(arm: Vec3<T>, normal: Vec3<T>, inverse_mass: T, inverse_inertia: Sym3<T>) -> T {
    let turn = arm.cross(normal);
    inverse_mass + turn.dot(times(inverse_inertia, turn))
}

/// M v.
#[inline(always)]
fn times<T: Real>(m: Sym3<T>, v: Vec3<T>) -> Vec3<T> {
    vec3(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z)
}

/// [`contact`] with a surface that gives way by `gives` per push, kg⁻¹, of a vertex that does so by `weight`: the part of it that is the vertex's. Beyond its
/// approach the vertex is taken out by at most `most`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "WGSL takes the same, one by one")]
pub fn shared_contact<T: Real>(
    u: Vec3<T>,
    normal: Vec3<T>,
    depth: T,
    surface: Vec3<T>,
    friction: T,
    weight: T,
    gives: T,
    most: T,
) -> Contact<T> {
    let approach = (surface - u).dot(normal).max(T::zero());
    let alone = contact(u, normal, depth.min(approach + most), surface, friction, weight);
    let part = weight / (weight + gives).max(T::constant(1e-30));
    Contact { u: u + (alone.u - u) * part, touched: alone.touched }
}

/// A contact in Newton's method whose surface gives way by `gives` per push, kg⁻¹, from where the push of `before` has it: surface and springs in series.
#[inline(always)]
pub fn give_way<T: Real>(c: Held<T>, before: Vec3<T>, gives: T) -> Held<T> {
    let (one, pressed) = (T::one(), before.dot(c.normal));
    Held {
        normal: c.normal,
        surface: c.surface + (before - c.normal * pressed) * gives,
        target: T::select(T::zero().lt(c.stiff), c.target + pressed * gives, c.target),
        stiff: c.stiff / (one + c.stiff * gives),
        grip: c.grip / (one + c.grip * gives),
    }
}

/// [`settle_contact`](super::kernels::settle_contact) of such a contact: what sticks goes back by its own spring's slip, of the stiffness `grip`. (With all of the
/// slip, in which the way of the surface is, or with none, ropes crept down a ball that they should hold.)
#[inline(always)]
pub fn settle_shared<T: Real>(c: Held<T>, grip: T, u: Vec3<T>, inertia: T, friction: T) -> Settled<T> {
    let force = held_force(c, u);
    let press = force.press.max(T::zero());
    let most = friction * press;
    let sticks = T::both(is_stick(grip, inertia), force.friction.length2().lt(most * most));
    Settled { u: Vec3::select(sticks, u + force.friction * (T::one() / grip.max(T::constant(1e-30))), u), press }
}

/// What pushes have added to a body's way: in a substep, or so far. A turn is a vector along its axis, rad.
#[derive(Clone, Copy)]
pub struct BodyMoves<T> {
    pub shift: Vec3<T>,
    pub turn: Vec3<T>,
}

/// In a substep, of the momenta that pushes have given it, kg m and kg m².
#[inline(always)]
pub fn body_moves<T: Real>(linear: Vec3<T>, angular: Vec3<T>, inverse_mass: T, inverse_inertia: Sym3<T>) -> BodyMoves<T> {
    BodyMoves { shift: linear * inverse_mass, turn: times(inverse_inertia, angular) }
}

/// Rotation by a small vector: the direction of (v/2, 1), which is right to |v|³/12.
#[inline(always)]
pub fn turn_of<T: Real>(v: Vec3<T>) -> Quat<T> {
    let v = v * T::constant(0.5);
    let inverse = T::one() / (T::one() + v.length2()).sqrt();
    Quat { x: v.x * inverse, y: v.y * inverse, z: v.z * inverse, w: inverse }
}

/// A shape in a substep: where its frame is at the end, and how its points have moved: turn·r + shift, r from its centre.
#[derive(Clone, Copy)]
pub struct MovedShape<T> {
    pub center: Vec3<T>,
    pub axes: [Vec3<T>; 3],
    pub turn: [Vec3<T>; 3],
    pub shift: Vec3<T>,
}

/// A shape of a body whose centre of mass would be at `body` at the end of the substep. `all`: what pushes have added by then; `now`: of that, in the substep.
#[inline(always)]
pub fn moved_shape<T: Real>(shape: MovedShape<T>, body: Vec3<T>, all: BodyMoves<T>, now: BodyMoves<T>) -> MovedShape<T> {
    let q = turn_of(all.turn);
    let arm = q.rotate(shape.center - body);
    let (zero, r) = (T::zero(), now.turn);
    let [a, b, c] = shape.axes;
    let [x, y, z] = shape.turn;
    MovedShape {
        center: (body + all.shift) + arm,
        axes: [q.rotate(a), q.rotate(b), q.rotate(c)],
        // The columns of [r]ₓ.
        turn: [x + vec3(zero, r.z, -r.y), y + vec3(-r.z, zero, r.x), z + vec3(r.y, -r.x, zero)],
        shift: shape.shift + now.shift + r.cross(arm),
    }
}
