//! Rays against every shape.

use super::frame::{Frame, either, unit};
use super::poly::Face;
use super::round::Round;
use super::shape::Geometry;
use crate::math::vec3::vec3;
use crate::math::{Elem, Transform, Vec3};

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<E> {
    /// In lengths of the direction.
    pub fraction: E,
    /// Unit, against the ray. Where the ray starts inside: against its direction, at fraction 0.
    pub normal: Vec3<E>,
    /// The triangle of a mesh as the host counts them, else 0.
    pub part: u32,
}

/// The first hit of `origin + fraction · direction`, fraction in 0..=1, in the shape's frame. Both sides of a mesh's triangles
/// are hit.
pub fn ray<E: Elem>(shape: &Geometry<E>, origin: Vec3<E>, direction: Vec3<E>) -> Option<RayHit<E>> {
    let (zero, one) = (E::zero(), E::one());
    let against = -unit(direction, zero)?;
    if !origin.length2().is_finite() {
        return None;
    }
    let hit = |fraction: E, normal: Vec3<E>| {
        let inside = fraction < zero;
        let normal = if inside { against } else { normal };
        (fraction <= one).then_some(RayHit { fraction: fraction.max(zero), normal, part: 0 })
    };
    match shape {
        Geometry::Plane => {
            let up = vec3(zero, one, zero);
            if origin.y < zero {
                hit(-one, up)
            } else if direction.y < zero {
                hit(-origin.y / direction.y, up)
            } else {
                None
            }
        }
        Geometry::Box { half_extents: h } => {
            let face = |normal: Vec3<E>, offset: E| Face { normal, offset };
            let (x, y, z) = (vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one));
            let faces = [face(x, h.x), face(-x, h.x), face(y, h.y), face(-y, h.y), face(z, h.z), face(-z, h.z)];
            let (fraction, normal) = convex(&faces, origin, direction)?;
            hit(fraction, normal)
        }
        Geometry::Hull(hull) => {
            let (fraction, normal) = convex(hull.faces(), origin, direction)?;
            hit(fraction, normal)
        }
        Geometry::Mesh(mesh) => mesh.ray(origin, direction),
        _ => {
            let round = Round::new(shape, &Frame::new(&Transform::identity()))?;
            let (fraction, normal) = ray_round(&round, origin, direction)?;
            hit(fraction, normal)
        }
    }
}

/// Where the ray enters all half spaces; −1 where it starts inside.
fn convex<E: Elem>(faces: &[Face<E>], o: Vec3<E>, d: Vec3<E>) -> Option<(E, Vec3<E>)> {
    let zero = E::zero();
    let (mut enter, mut leave, mut normal) = (-E::one(), E::from_f64(f64::INFINITY), Vec3::zero());
    for face in faces {
        let (height, speed) = (face.normal.dot(o) - face.offset, face.normal.dot(d));
        if speed < zero {
            let t = height / -speed;
            if height >= zero && enter < t {
                (enter, normal) = (t, face.normal);
            }
        } else if height > zero {
            return None;
        } else if speed > zero {
            leave = leave.min(height / -speed);
        }
    }
    (enter <= leave).then_some((enter, normal))
}

/// Cap, cone, cap. −1 where the ray starts inside.
fn ray_round<E: Elem>(r: &Round<E>, o: Vec3<E>, d: Vec3<E>) -> Option<(E, Vec3<E>)> {
    let (zero, one) = (E::zero(), E::one());
    let y = r.clamp(r.toward(o));
    let from_axis = o - r.center(y);
    if from_axis.length() < r.radius(y) {
        return Some((-one, Vec3::zero()));
    }
    let l2 = d.length2();
    let mut best: Option<(E, Vec3<E>)> = None;
    let mut consider = |t: E, normal: Vec3<E>| {
        if t >= zero && best.is_none_or(|b| t < b.0) {
            best = Some((t, normal));
        }
    };
    for i in 0..if r.length > zero { 2 } else { 1 } {
        let (w, radius) = (o - r.ends[i], r.radii[i]);
        // Nearest point of the line first: far origins keep their digits.
        let middle = -w.dot(d) / l2;
        let foot = w + d * middle;
        let h = radius * radius - foot.length2();
        if h >= zero {
            let half = (h / l2).sqrt();
            consider(middle - half, (foot - d * half) * (one / radius));
        }
    }
    if r.length > zero {
        // |x − axis x·u| cosθ = r0 + k x·u with the cone's slope k: quadratic in t.
        let k = r.slope;
        let q = (one - k * k).sqrt();
        let middle = -(o - r.ends[0]).dot(d) / l2;
        let w = o - r.ends[0] + d * middle;
        let (wa, da) = (r.axis.dot(w), r.axis.dot(d));
        let (wp, dp) = (w - r.axis * wa, d - r.axis * da);
        // ρ q − k a = r0, with ρ and a the cylindrical coordinates: (k a + r0)² = q² ρ²
        let (c0, c1) = (r.radii[0] + k * wa, k * da);
        let a = q * q * dp.length2() - c1 * c1;
        let b = q * q * wp.dot(dp) - c0 * c1;
        let c = q * q * wp.length2() - c0 * c0;
        let discriminant = b * b - a * c;
        if discriminant >= zero {
            let root = discriminant.sqrt();
            // Stable roots of a t² + 2 b t + c.
            let s = if b < zero { root - b } else { -b - root };
            let tiny = either::<E>(1e-30, 1e-280);
            let roots = [(s.abs() > tiny).then(|| c / s), (a.abs() > tiny).then(|| s / a)];
            for t in roots.into_iter().flatten() {
                let x = w + d * t;
                let along = r.axis.dot(x);
                let radial = x - r.axis * along;
                let rho = radial.length();
                // The foot on the axis of the sphere that has this point.
                let foot = along + k * (r.radii[0] + k * along) / (q * q);
                let outer = r.radii[0] + k * along > zero && rho > zero;
                if outer && foot >= zero && foot <= r.length {
                    consider(t + middle, radial * (q / rho) - r.axis * k);
                }
            }
        }
    }
    best
}
