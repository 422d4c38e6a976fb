//! Distance to a shape, and a contact with Coulomb friction, as pure functions.
//!
//! Distances are signed, normals point out of the shape; both in the shape's frame. Friction acts on displacements of the
//! substep, as in Müller et al., "Position Based Dynamics" (2007), but with Coulomb's cone instead of a velocity factor.

use crate::math::vec3::vec3;
use crate::math::{Real, Vec3};

const TINY2: f64 = 1e-24;

/// Signed distance, m, and outward unit normal.
#[derive(Clone, Copy)]
pub struct Distance<T> {
    pub distance: T,
    pub normal: Vec3<T>,
}

/// The half space y < 0.
#[inline(always)]
pub fn plane<T: Real>(p: Vec3<T>) -> Distance<T> {
    Distance { distance: p.y, normal: vec3(T::zero(), T::one(), T::zero()) }
}

/// A segment along y of half length `half_height`, thickened by `radius`; a sphere where `half_height` is 0.
#[inline(always)]
pub fn capsule<T: Real>(p: Vec3<T>, radius: T, half_height: T) -> Distance<T> {
    let q = vec3(p.x, p.y - p.y.min(half_height).max(-half_height), p.z);
    let l2 = q.length2();
    let inside = l2.lt(T::constant(TINY2));
    let l = l2.max(T::constant(TINY2)).sqrt();
    let inv = T::one() / l;
    // On the axis every direction is as near: take x.
    let normal = Vec3::select(inside, vec3(T::one(), T::zero(), T::zero()), q * inv);
    Distance { distance: l - radius, normal }
}

/// A box with the given half extents.
#[inline(always)]
pub fn cuboid<T: Real>(p: Vec3<T>, half: Vec3<T>) -> Distance<T> {
    let zero = T::zero();
    let one = T::one();
    let sign = |v: T| T::select(v.lt(zero), -one, one);
    let s = vec3(sign(p.x), sign(p.y), sign(p.z));
    let q = vec3(p.x * s.x - half.x, p.y * s.y - half.y, p.z * s.z - half.z);
    let o = vec3(q.x.max(zero), q.y.max(zero), q.z.max(zero));
    let l2 = o.length2();
    let l = l2.max(T::constant(TINY2)).sqrt();
    let outside = T::constant(TINY2).lt(l2);
    // Inside: out through the nearest face.
    let xy = q.x.max(q.y);
    let most = xy.max(q.z);
    let is_z = xy.lt(q.z);
    let is_y = q.x.lt(q.y);
    let ny = T::select(is_z, zero, T::select(is_y, one, zero));
    let nz = T::select(is_z, one, zero);
    let nx = one - ny - nz;
    let n = Vec3::select(outside, o * (one / l), vec3(nx, ny, nz));
    Distance { distance: T::select(outside, l, most), normal: n.scale_by(s) }
}

/// What a contact does to a vertex.
#[derive(Clone, Copy)]
pub struct Contact<T> {
    /// Displacement of the vertex in the substep, after the contact.
    pub u: Vec3<T>,
    /// 1 where there is contact.
    pub touched: T,
}

/// Lifts the vertex by `depth` along `normal` (all in world space), then takes away tangential motion relative to the surface
/// (`surface`: what the surface point did in the substep) up to friction·depth. `movable`: inverse mass, 0 is left alone.
#[inline(always)]
pub fn contact<T: Real>(u: Vec3<T>, normal: Vec3<T>, depth: T, surface: Vec3<T>, friction: T, movable: T) -> Contact<T> {
    let zero = T::zero();
    let hit = T::both(zero.lt(depth), zero.lt(movable));
    let lifted = u + normal * depth;
    let relative = lifted - surface;
    let tangential = relative - normal * relative.dot(normal);
    let l = tangential.length2().max(T::constant(TINY2)).sqrt();
    let part = (friction * depth / l).min(T::one());
    Contact { u: Vec3::select(hit, lifted - tangential * part, u), touched: T::select(hit, T::one(), zero) }
}
