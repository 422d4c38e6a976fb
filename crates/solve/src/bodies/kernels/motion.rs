//! What moves a body in a substep.

use super::{Motion, TINY};
use crate::math::vec3::vec3;
use crate::math::{Mat3, Quat, Real, Vec3};

/// Forces on one body in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Drive<T> {
    /// Gravity of the body, m/s², 0 for what does not move.
    pub gravity: Vec3<T>,
    /// 1/(1 + h·rate) of linear and angular damping.
    pub keep: T,
    pub keep_turn: T,
    /// m/s, rad/s
    pub most_speed: T,
    pub most_turn: T,
}

/// Gravity, damping, the gyroscopic torque, and the speed limits. `moments`: principal inverse moments, 0 where it cannot turn.
#[inline(always)]
pub fn move_velocity<T: Real>(m: Motion<T>, rotation: Quat<T>, moments: Vec3<T>, d: &Drive<T>, h: T) -> Motion<T> {
    let v = (m.v + d.gravity * h) * d.keep;
    let axes = rotation.frame();
    let local = vec3(axes[0].dot(m.w), axes[1].dot(m.w), axes[2].dot(m.w));
    let turned = gyroscopic(local, moments, h) * d.keep_turn;
    let w = axes[0] * turned.x + axes[1] * turned.y + axes[2] * turned.z;
    Motion { v: limited(v, d.most_speed), w: limited(w, d.most_turn) }
}

/// What constraints have given may go beyond the limits: no pose does.
#[inline(always)]
pub fn limited_motion<T: Real>(m: Motion<T>, most_speed: T, most_turn: T) -> Motion<T> {
    Motion { v: limited(m.v, most_speed), w: limited(m.w, most_turn) }
}

/// A motion that is a number, or none.
#[inline(always)]
pub fn sane_motion<T: Real>(m: Motion<T>) -> Motion<T> {
    let zero = T::zero();
    // A NaN or an infinity times 0 is a NaN, which is below nothing.
    let sum = (m.v.x + m.v.y + m.v.z) * zero + (m.w.x + m.w.y + m.w.z) * zero;
    let sane = sum.lt(T::one());
    Motion { v: Vec3::select(sane, m.v, Vec3::zero()), w: Vec3::select(sane, m.w, Vec3::zero()) }
}

/// [`move_pose`], or the pose as it was where that is none.
#[inline(always)]
pub fn sane_pose<T: Real>(x: Vec3<T>, q: Quat<T>, m: Motion<T>, h: T) -> (Vec3<T>, Quat<T>) {
    let (y, r) = move_pose(x, q, m, h);
    let zero = T::zero();
    let sane = ((y.x + y.y + y.z) * zero + (r.x + r.y + r.z + r.w) * zero).lt(T::one());
    let kept = |new: T, old: T| T::select(sane, new, old);
    (Vec3::select(sane, y, x), Quat { x: kept(r.x, q.x), y: kept(r.y, q.y), z: kept(r.z, q.z), w: kept(r.w, q.w) })
}

#[inline(always)]
fn limited<T: Real>(v: Vec3<T>, most: T) -> Vec3<T> {
    // In parts, so that the square does not overflow.
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs()).max(T::constant(TINY));
    let u = v * (T::one() / largest);
    let l = largest * u.length();
    v * T::select(most.lt(l), most / l, T::one())
}

/// I ω̇ = −ω × I ω in principal axes: one Newton step of the implicit midpoint rule, then never more energy than before.
#[inline(always)]
pub fn gyroscopic<T: Real>(w: Vec3<T>, moments: Vec3<T>, h: T) -> Vec3<T> {
    let (zero, one, tiny) = (T::zero(), T::one(), T::constant(TINY));
    // Only ratios of the moments count.
    let least = moments.x.min(moments.y).min(moments.z).max(tiny);
    let i = vec3(least / moments.x.max(tiny), least / moments.y.max(tiny), least / moments.z.max(tiny));
    let half = h * T::constant(0.5);
    let f = w.cross(w.scale_by(i)) * h;
    // d/dω₁ of I (ω₁ − ω) + h ω̄ × I ω̄ at ω₁ = ω: I + h/2 ([ω]ₓ I − [I ω]ₓ).
    let (a, b, c) = ((i.z - i.y) * half, (i.x - i.z) * half, (i.y - i.x) * half);
    let m = Mat3([vec3(i.x, w.z * b, w.y * c), vec3(w.z * a, i.y, w.x * c), vec3(w.y * a, w.x * b, i.z)]);
    let next = w - m.inverse().mul(f);
    let (before, after) = (w.dot(w.scale_by(i)), next.dot(next.scale_by(i)));
    let part = T::select(before.lt(after), (before / after.max(tiny)).sqrt(), one);
    let free = T::both(zero.lt(moments.x), T::both(zero.lt(moments.y), zero.lt(moments.z)));
    // NaN where a spin is beyond all measure: keep it.
    let sane = (after * zero).lt(one);
    Vec3::select(T::both(free, sane), next * part, w)
}

/// Position and rotation after `h` seconds.
#[inline(always)]
pub fn move_pose<T: Real>(x: Vec3<T>, q: Quat<T>, m: Motion<T>, h: T) -> (Vec3<T>, Quat<T>) {
    let half = h * T::constant(0.5);
    let w = m.w * half;
    let d = Quat { x: w.x, y: w.y, z: w.z, w: T::zero() }.compose(q);
    let p = Quat { x: q.x + d.x, y: q.y + d.y, z: q.z + d.z, w: q.w + d.w };
    let inv = T::one() / p.dot(p).sqrt();
    (x + m.v * h, Quat { x: p.x * inv, y: p.y * inv, z: p.z * inv, w: p.w * inv })
}
