//! Rows on the relative spin: limits, and the angular rows of a hinge.

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

/// Three of them, one after the other: limits of a ball joint, or what a hinge holds.
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
    let (zero, one) = (T::zero(), T::one());
    let open = zero.lt(c);
    let turn = w.mul(axis);
    AngularRow {
        axis,
        turn,
        mass: inverse_mass(axis.dot(turn)),
        bias: T::select(open, c * s.inv_h, (c * s.rate).max(-s.most_turn)),
        soft: Softness { mass: T::select(open, one, s.soft.mass), impulse: T::select(open, zero, s.soft.impulse) },
        least: zero,
        most: T::constant(FREE),
    }
}

/// A row that holds `c` at 0.
#[inline(always)]
pub fn two_sided<T: Real>(axis: Vec3<T>, c: T, w: Sym3<T>, s: &Bias<T>) -> AngularRow<T> {
    let turn = w.mul(axis);
    let free = T::constant(FREE);
    let bias = (c * s.rate).max(-s.most_turn).min(s.most_turn);
    AngularRow { axis, turn, mass: inverse_mass(axis.dot(turn)), bias, soft: s.soft, least: -free, most: free }
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

/// What a hinge about t holds: t_b across both normals of a, and the angle between two limits (the nearer counts), by `stop`. The impulse of either
/// limit is along t_a, so that a limit does not start with the impulse of the other.
#[inline(always)]
pub fn hinge_rows<T: Real>(
    frame_a: [Vec3<T>; 3],
    frame_b: [Vec3<T>; 3],
    angle: T,
    limits: [T; 2],
    w: Sym3<T>,
    [s, stop]: [&Bias<T>; 2],
) -> [AngularRow<T>; 3] {
    let [m1, m2, ta] = frame_a;
    let tb = frame_b[2];
    let (low, high) = (angle - limits[0], limits[1] - angle);
    let is_low = low.lt(high);
    let limit = one_sided(ta, T::select(is_low, low, high), w, stop);
    // d/dt m·t_b = (ω_b − ω_a) · (t_b × m)
    [
        two_sided(tb.cross(m1), m1.dot(tb), w, s),
        two_sided(tb.cross(m2), m2.dot(tb), w, s),
        AngularRow {
            bias: T::select(is_low, limit.bias, -limit.bias),
            least: T::select(is_low, limit.least, -limit.most),
            most: T::select(is_low, limit.most, -limit.least),
            ..limit
        },
    ]
}
