//! What a skin computes, over any number: the CPU runs these functions on registers, and the GPU what they print as WGSL.
//!
//! `deform.rs` has the formulas and what they are for.

use withy_math::vec3::vec3;
use withy_math::{Quat, Real, Vec3};

/// Scales and stretches count as at least this, and as at most one over this.
pub const LEAST: f64 = 1e-3;

/// What an anchor takes from its edge.
#[derive(Clone, Copy, Debug)]
pub struct Bone<T> {
    /// Of the first vertex: x, relative to the origin, m; ln s.
    pub start: Vec3<T>,
    pub log: T,
    /// The same, from the first to the second vertex.
    pub change: Vec3<T>,
    pub log_change: T,
    pub turn: Quat<T>,
    /// k āāᵀ: xx, yy, zz; xy, xz, yz.
    pub along: Vec3<T>,
    pub across: Vec3<T>,
    /// The gradient of ln s at the bind pose, 1/m: along ā.
    pub swell: Vec3<T>,
}

/// The blend of anchors: c, ln s and Q, of any length but 0.
#[derive(Clone, Copy, Debug)]
pub struct Held<T> {
    pub center: Vec3<T>,
    pub log: T,
    pub turn: Quat<T>,
}

/// The blend of anchors: K (xx, yy, zz; xy, xz, yz) and ∇ ln s.
#[derive(Clone, Copy, Debug)]
pub struct Pull<T> {
    pub along: Vec3<T>,
    pub across: Vec3<T>,
    pub swell: Vec3<T>,
}

impl<T: Real> Held<T> {
    #[inline(always)]
    pub fn zero() -> Self {
        let o = T::zero();
        Held { center: Vec3::zero(), log: o, turn: Quat { x: o, y: o, z: o, w: o } }
    }
}

impl<T: Real> Pull<T> {
    #[inline(always)]
    pub fn zero() -> Self {
        Pull { along: Vec3::zero(), across: Vec3::zero(), swell: Vec3::zero() }
    }
}

#[inline(always)]
fn bounded<T: Real>(x: T) -> T {
    x.max(T::constant(LEAST)).min(T::constant(1.0 / LEAST))
}

/// Radii at both ends of an edge over those at the bind pose. `swell`: s − 1 of the sections before, of and after the edge, or of the edge itself where
/// there is none; `ratio`: radii without scale over those at the bind pose.
#[inline(always)]
pub fn scales<T: Real>(swell: [T; 3], ratio: [T; 2]) -> [T; 2] {
    let (half, one) = (T::constant(0.5), T::one());
    let [before, own, after] = [one + swell[0], one + swell[1], one + swell[2]];
    [ratio[0] * (half * (before + own)), ratio[1] * (half * (own + after))]
}

/// An edge now, of frame `now`, with radii over those at the bind pose; there it had the frame `rest` with the third axis `axis`, and `length`.
#[inline(always)]
pub fn bone<T: Real>(
    start: Vec3<T>,
    edge: Vec3<T>,
    scale: [T; 2],
    now: Quat<T>,
    rest: Quat<T>,
    axis: Vec3<T>,
    length: T,
) -> Bone<T> {
    let (zero, one) = (T::zero(), T::one());
    let (scale_a, scale_b) = (bounded(scale[0]), bounded(scale[1]));
    let (log_a, log_b) = (ln(scale_a), ln(scale_b));
    let is_long = zero.lt(length);
    let divisor = T::select(is_long, length, one);
    let stretch = T::select(is_long, edge.length() / divisor, one);
    let k = bounded(stretch / (scale_a * scale_b).sqrt()) - one;
    let (x, y, z) = (axis.x, axis.y, axis.z);
    let swell = |a: T| T::select(is_long, a * (log_b - log_a) / divisor, zero);
    Bone {
        start,
        log: log_a,
        change: edge,
        log_change: log_b - log_a,
        turn: now.compose(rest.conjugate()),
        along: vec3(k * (x * x), k * (y * y), k * (z * z)),
        across: vec3(k * (x * y), k * (x * z), k * (y * z)),
        swell: vec3(swell(x), swell(y), swell(z)),
    }
}

/// The weight of a turn, with the sign that is nearer to the first.
#[inline(always)]
pub fn signed<T: Real>(turn: Quat<T>, first: Quat<T>, weight: T) -> T {
    let near = (turn.x * first.x + turn.y * first.y) + (turn.z * first.z + turn.w * first.w);
    T::select(near.lt(T::zero()), -weight, weight)
}

/// Adds an anchor: the part `t` of its edge. `signed` is its weight for the turn.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "WGSL takes the same, one by one")]
pub fn hold<T: Real>(
    sum: Held<T>,
    start: Vec3<T>,
    log: T,
    change: Vec3<T>,
    log_change: T,
    turn: Quat<T>,
    t: T,
    weight: T,
    signed: T,
) -> Held<T> {
    let (c, q) = (sum.center, sum.turn);
    Held {
        center: vec3(
            c.x + weight * (start.x + t * change.x),
            c.y + weight * (start.y + t * change.y),
            c.z + weight * (start.z + t * change.z),
        ),
        log: sum.log + weight * (log + t * log_change),
        turn: Quat { x: q.x + signed * turn.x, y: q.y + signed * turn.y, z: q.z + signed * turn.z, w: q.w + signed * turn.w },
    }
}

/// Adds an anchor's part of K, and of ∇ ln s.
#[inline(always)]
pub fn pull<T: Real>(sum: Pull<T>, of: Pull<T>, weight: T) -> Pull<T> {
    Pull { along: sum.along + of.along * weight, across: sum.across + of.across * weight, swell: sum.swell + of.swell * weight }
}

/// The rows of I + K, times v.
#[inline(always)]
fn stretched<T: Real>(p: &Pull<T>, v: Vec3<T>) -> Vec3<T> {
    let one = T::one();
    let (gx, gy, gz) = (one + p.along.x, one + p.along.y, one + p.along.z);
    let (xy, xz, yz) = (p.across.x, p.across.y, p.across.z);
    vec3(gx * v.x + xy * v.y + xz * v.z, xy * v.x + gy * v.y + yz * v.z, xz * v.x + yz * v.y + gz * v.z)
}

/// Q s (I + K) d: from the blend of the axes to the vertex.
#[inline(always)]
pub fn offset<T: Real>(columns: [Vec3<T>; 3], log: T, of: Pull<T>, d: Vec3<T>) -> Vec3<T> {
    apply(&columns, stretched(&of, d) * exp(log))
}

/// The normal of a vertex at `d`: G = I + K + d gᵀ, with g the gradient of ln s: a limb that swells along its axis has sides that slope.
#[inline(always)]
pub fn normal<T: Real>(columns: [Vec3<T>; 3], of: Pull<T>, d: Vec3<T>, normal: Vec3<T>) -> Vec3<T> {
    let one = T::one();
    let (gx, gy, gz) = (one + of.along.x, one + of.along.y, one + of.along.z);
    let (xy, xz, yz, u) = (of.across.x, of.across.y, of.across.z, of.swell);
    let a = vec3(gx + d.x * u.x, xy + d.y * u.x, xz + d.z * u.x);
    let b = vec3(xy + d.x * u.y, gy + d.y * u.y, yz + d.z * u.y);
    let c = vec3(xz + d.x * u.z, yz + d.y * u.z, gz + d.z * u.z);
    let v = b.cross(c) * normal.x + c.cross(a) * normal.y + a.cross(b) * normal.z;
    normalised(apply(&columns, v))
}

#[inline(always)]
pub fn tangent<T: Real>(columns: [Vec3<T>; 3], of: Pull<T>, tangent: Vec3<T>) -> Vec3<T> {
    normalised(apply(&columns, stretched(&of, tangent)))
}

/// Natural logarithm of a number from 2⁻¹⁵ to 2¹⁵, without the system's libm: in f64 to 1e-15.
#[inline(always)]
pub fn ln<T: Real>(x: T) -> T {
    let (mut part, mut power) = (x, T::zero());
    // Halved or doubled until it is above √½, and at most √2.
    for k in [8i32, 4, 2, 1] {
        let (times, limit) = (f64::from(1 << k), core::f64::consts::SQRT_2 * f64::from(1 << (k - 1)));
        let (steps, limit, least) = (T::constant(f64::from(k)), T::constant(limit), T::constant(1.0 / limit));
        let is_large = limit.lt(part);
        let is_fair = least.lt(part);
        power = T::select(is_large, power + steps, T::select(is_fair, power, power - steps));
        let other = T::select(is_fair, part, part * T::constant(times));
        part = T::select(is_large, part * T::constant(1.0 / times), other);
    }
    // ln((1 + s)/(1 - s)) = 2 (s + s³/3 + …), |s| < 0.172.
    let s = (part - T::one()) / (part + T::one());
    let mut sum = T::zero();
    for k in (0..11).rev() {
        sum = sum * s * s + T::constant(1.0 / f64::from(2 * k + 1));
    }
    power * T::constant(core::f64::consts::LN_2) + T::constant(2.0) * s * sum
}

/// e^x for |x| ≤ 7, to 4e-6 of it; 1 for 0.
#[inline(always)]
pub fn exp<T: Real>(x: T) -> T {
    let y = x * T::constant(1.0 / 16.0);
    let mut sum = T::constant(1.0 / 5040.0);
    for c in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * y + T::constant(c);
    }
    let mut e = sum;
    for _ in 0..4 {
        e = e * e;
    }
    e
}

/// The columns of the rotation of a quaternion of any length but 0.
#[inline(always)]
pub fn rotation<T: Real>(q: Quat<T>) -> [Vec3<T>; 3] {
    let Quat { x, y, z, w } = q;
    let one = T::one();
    let s = T::constant(2.0) / (x * x + y * y + (z * z + w * w)).max(T::constant(1e-20));
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (xx, yy, zz, xy, xz, yz) = (x * xs, y * ys, z * zs, x * ys, x * zs, y * zs);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    [vec3(one - (yy + zz), xy + wz, xz - wy), vec3(xy - wz, one - (xx + zz), yz + wx), vec3(xz + wy, yz - wx, one - (xx + yy))]
}

#[inline(always)]
fn apply<T: Real>(columns: &[Vec3<T>; 3], v: Vec3<T>) -> Vec3<T> {
    columns[0] * v.x + columns[1] * v.y + columns[2] * v.z
}

#[inline(always)]
fn normalised<T: Real>(v: Vec3<T>) -> Vec3<T> {
    v * (T::one() / v.length2().max(T::constant(1e-30)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_match_std() {
        for k in -690..=690 {
            let y = f64::from(k) * 0.01;
            assert!((ln(y.exp()) - y).abs() < 3e-15, "{y}");
            assert!((f64::from(ln(y.exp() as f32)) - y).abs() < 1e-6, "{y}");
            assert!((f64::from(exp(y as f32)) / y.exp() - 1.0).abs() < 8e-6, "{y}");
        }
        for k in -15..=15 {
            let x = f64::powi(2.0, k);
            assert!((ln(x) - x.ln()).abs() < 3e-15 && (ln(1.5 * x) - (1.5 * x).ln()).abs() < 3e-15, "{x}");
        }
        assert_eq!((ln(1.0), ln(1.0f32), exp(0.0f32)), (0.0, 0.0, 1.0));
    }
}
