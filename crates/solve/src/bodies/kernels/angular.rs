//! Rows on the relative spin: limits of balls and arcs.

use super::{ArcStrain, Bias, FREE, Softness, inverse_mass, world_rows};
use crate::math::{Real, Sym3, Vec3};

/// One row on the relative spin: axis · (ω_b − ω_a), with its impulse between `least` and `most`.
#[derive(Clone, Copy, Debug)]
pub struct AngularRow<T> {
    pub axis: Vec3<T>,
    /// (I_a⁻¹ + I_b⁻¹) axis
    pub turn: Vec3<T>,
    /// 1/(axis · turn)
    pub mass: T,
    pub bias: T,
    pub soft: Softness<T>,
    pub least: T,
    pub most: T,
}

/// Three of them, one after the other: limits of a ball joint.
#[inline(always)]
pub fn solve_angular<T: Real>(rows: &[AngularRow<T>; 3], spin: Vec3<T>, impulse: [T; 3]) -> (Vec3<T>, [T; 3]) {
    let (mut spin, mut torque, mut out) = (spin, Vec3::zero(), impulse);
    for k in 0..3 {
        let r = &rows[k];
        let wrong = r.axis.dot(spin) + r.bias;
        let next = impulse[k] - (r.mass * wrong * r.soft.mass + impulse[k] * r.soft.impulse);
        out[k] = next.max(r.least).min(r.most);
        let d = out[k] - impulse[k];
        spin = spin + r.turn * d;
        torque = torque + r.axis * d;
    }
    (torque, out)
}

/// A one-sided row that keeps `c` = 0 or more while it changes by `axis` · (ω_b − ω_a): `rate` of a violation is undone in a second, and
/// what is left of the way may be used up within the substep.
#[inline(always)]
pub fn one_sided<T: Real>(axis: Vec3<T>, c: T, w: Sym3<T>, s: &Bias<T>) -> AngularRow<T> {
    let turn = w.mul(axis);
    let (bias, soft) = stop(c, s);
    AngularRow { axis, turn, mass: inverse_mass(axis.dot(turn)), bias, soft, least: T::zero(), most: T::constant(FREE) }
}

/// The speed with which `c` may come to 0 or has to come back to it, and the softness of that.
#[inline(always)]
pub fn stop<T: Real>(c: T, s: &Bias<T>) -> (T, Softness<T>) {
    let (zero, one) = (T::zero(), T::one());
    let open = zero.lt(c);
    let soft = Softness { mass: T::select(open, one, s.soft.mass), impulse: T::select(open, zero, s.soft.impulse) };
    (T::select(open, c * s.inv_h, (c * s.rate).max(-s.most_turn)), soft)
}

/// Limits of a ball joint: the swing in an elliptic cone with the half angles `swing` about m₁ and m₂, the twist between two angles.
#[inline(always)]
pub fn ball_limits<T: Real>(
    e: &ArcStrain<T>,
    frame_b: [Vec3<T>; 3],
    swing: [T; 2],
    twist: [T; 2],
    w: Sym3<T>,
    s: &Bias<T>,
) -> [AngularRow<T>; 3] {
    let (one, tiny) = (T::one(), T::constant(1e-12));
    let [bend1, bend2, turn] = world_rows(e, frame_b);
    let least = T::constant(LEAST_CONE);
    let swing = [swing[0].max(least), swing[1].max(least)];
    // f = |(β₁/L₁, β₂/L₂)| ≤ 1, and how far it is to f = 1 along the gradient.
    let (x, y) = (e.beta.x / swing[0], e.beta.y / swing[1]);
    let f = (x * x + y * y).sqrt();
    let over = one / f.max(tiny);
    let (gx, gy) = (x * over / swing[0], y * over / swing[1]);
    let g = (gx * gx + gy * gy).sqrt().max(tiny);
    let inv = one / g;
    let out = bend1 * (gx * inv) + bend2 * (gy * inv);
    [
        one_sided(-out, (one - f) * inv, w, s),
        one_sided(turn, e.beta.z - twist[0], w, s),
        one_sided(-turn, twist[1] - e.beta.z, w, s),
    ]
}

/// A cone is no narrower than this, rad.
const LEAST_CONE: f64 = 1e-3;
