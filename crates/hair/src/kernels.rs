//! What a read computes, over any number: the CPU runs these functions on registers, and the GPU what they print as WGSL.
//!
//! `read.rs` has the formulas and what they are for.

use withy_math::vec3::vec3;
use withy_math::{Quat, Real, Vec3};

/// A guide at a share of its length, or a blend of some.
#[derive(Clone, Copy, Debug)]
pub struct Sample<T> {
    /// m, less the origin.
    pub at: Vec3<T>,
    /// Its turn since the bind pose, of any length but 0.
    pub turn: Quat<T>,
}

/// Which side of the first quaternion the second is on: below 0, its opposite is nearer.
#[inline(always)]
fn near<T: Real>(q: Quat<T>, first: Quat<T>) -> T {
    (q.x * first.x + q.y * first.y) + (q.z * first.z + q.w * first.w)
}

/// The turn from `rest` to `now`: now · rest⁻¹.
#[inline(always)]
pub fn turn<T: Real>(now: Quat<T>, rest: Quat<T>) -> Quat<T> {
    let Quat { x: ax, y: ay, z: az, w: aw } = now;
    let Quat { x: bx, y: by, z: bz, w: bw } = rest;
    Quat {
        x: (aw * -bx + ax * bw) + (az * by - ay * bz),
        y: (aw * -by + ay * bw) + (ax * bz - az * bx),
        z: (aw * -bz + az * bw) + (ay * bx - ax * by),
        w: (aw * bw + ax * bx) + (ay * by + az * bz),
    }
}

/// A guide between four of its vertices, and between the turns of two of its edges. The weights add up to 1.
#[inline(always)]
pub fn sample<T: Real>(p: [Vec3<T>; 4], weights: [T; 4], a: Quat<T>, b: Quat<T>, share: T) -> Sample<T> {
    let second = T::select(near(a, b).lt(T::zero()), -share, share);
    let first = T::one() - share;
    Sample {
        at: (p[0] * weights[0] + p[1] * weights[1]) + (p[2] * weights[2] + p[3] * weights[3]),
        turn: Quat {
            x: a.x * first + b.x * second,
            y: a.y * first + b.y * second,
            z: a.z * first + b.z * second,
            w: a.w * first + b.w * second,
        },
    }
}

/// The blend of points: Σ w x.
#[inline(always)]
pub fn center<T: Real>(of: [Vec3<T>; 3], weights: [T; 3]) -> Vec3<T> {
    let mut sum = Vec3::zero();
    for k in 0..3 {
        sum = sum + of[k] * weights[k];
    }
    sum
}

/// The blend of three guides: c and Q.
#[inline(always)]
pub fn blend<T: Real>(of: [Sample<T>; 3], weights: [T; 3]) -> Sample<T> {
    let at = center([of[0].at, of[1].at, of[2].at], weights);
    let zero = T::zero();
    let mut turn = Quat { x: zero, y: zero, z: zero, w: zero };
    for k in 0..3 {
        let (q, w) = (of[k].turn, weights[k]);
        let signed = if k == 0 { w } else { T::select(near(q, of[0].turn).lt(zero), -w, w) };
        turn = Quat { x: turn.x + signed * q.x, y: turn.y + signed * q.y, z: turn.z + signed * q.z, w: turn.w + signed * q.w };
    }
    Sample { at, turn }
}

/// r − (c₀ + g d₀): how far the blend is from a root r of turn g that the host has put. `offset`: d₀.
#[inline(always)]
pub fn root_shift<T: Real>(root: Vec3<T>, turn: Quat<T>, center: Vec3<T>, offset: Vec3<T>) -> Vec3<T> {
    let d = rotate(turn, offset);
    vec3(root.x - (center.x + d.x), root.y - (center.y + d.y), root.z - (center.z + d.z))
}

/// The blend where the host has put the root: of its turn, and moved by [`root_shift`], by the share `fade`.
#[inline(always)]
pub fn rooted<T: Real>(s: Sample<T>, turn: Quat<T>, shift: Vec3<T>, fade: T) -> Sample<T> {
    let near = ((s.turn.x * turn.x + s.turn.y * turn.y) + s.turn.z * turn.z) + s.turn.w * turn.w;
    let signed = T::select(near.lt(T::zero()), -fade, fade);
    let keep = T::one() - fade;
    Sample {
        at: s.at + shift * fade,
        turn: Quat {
            x: s.turn.x * keep + signed * turn.x,
            y: s.turn.y * keep + signed * turn.y,
            z: s.turn.z * keep + signed * turn.z,
            w: s.turn.w * keep + signed * turn.w,
        },
    }
}

/// c + Q d.
#[inline(always)]
pub fn placed<T: Real>(s: Sample<T>, offset: Vec3<T>) -> Vec3<T> {
    s.at + rotate(s.turn, offset)
}

/// A vertex that would be at `to`, no farther than `most` from where the one before it is.
#[inline(always)]
pub fn held<T: Real>(before: Vec3<T>, to: Vec3<T>, most: T) -> Vec3<T> {
    let way = to - before;
    let l2 = way.length2();
    let part = most / l2.max(T::constant(1e-30)).sqrt();
    Vec3::select((most * most).lt(l2), before + way * part, to)
}

/// Along a strand, from a vertex's neighbours: of length 1, or 0 where they are in one place.
#[inline(always)]
pub fn tangent<T: Real>(before: Vec3<T>, after: Vec3<T>) -> Vec3<T> {
    let t = after - before;
    let unit = T::one() / t.length2().max(T::constant(1e-30)).sqrt();
    t * unit
}

/// A vector turned by a quaternion of any length but 0.
#[inline(always)]
fn rotate<T: Real>(q: Quat<T>, v: Vec3<T>) -> Vec3<T> {
    let Quat { x, y, z, w } = q;
    let s = T::constant(2.0) / (x * x + y * y + (z * z + w * w)).max(T::constant(1e-20));
    let u = vec3(x, y, z);
    let t = u.cross(v);
    v + (t * w + u.cross(t)) * s
}
