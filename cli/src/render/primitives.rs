//! Spheres, capsules and boxes as triangles. Boxes get a small bevel: real edges catch light, and a knife edge looks like a diagram.

use super::scene::{Primitive, finite};
use super::surface::Surface;
use glam::{Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

/// The caller's quaternion, normalised; the identity when it cannot be.
pub(crate) fn rotation(q: [f32; 4]) -> Quat {
    let q = Quat::from_array(q);
    if q.is_finite() && q.length_squared() > 1e-12 { q.normalize() } else { Quat::IDENTITY }
}

fn size(r: f32) -> Option<f32> {
    (r.is_finite() && r > 0.0 && r < super::scene::FAR_AWAY).then_some(r)
}

pub(crate) fn add(surface: &mut Surface, primitive: &Primitive) {
    match *primitive {
        Primitive::Sphere { center, radius, material } => {
            if let (Some(c), Some(r)) = (finite(center), size(radius)) {
                let paint = surface.closed_paint(&material, 0);
                capsule(surface, c, c, r, paint);
            }
        }
        Primitive::Capsule { a, b, radius, material } => {
            if let (Some(a), Some(b), Some(r)) = (finite(a), finite(b), size(radius)) {
                let paint = surface.closed_paint(&material, 0);
                capsule(surface, a, b, r, paint);
            }
        }
        Primitive::Cuboid { center, half_extents, rotation: q, material } => {
            if let (Some(c), Some(h)) = (finite(center), finite(half_extents)) {
                let paint = surface.closed_paint(&material, 0);
                cuboid(surface, c, h.abs().max(Vec3::splat(1e-6)), rotation(q), paint);
            }
        }
        Primitive::Plane { .. } => {}
    }
}

/// Two half spheres and the wall between them in one grid of rings; a sphere when `a == b`.
fn capsule(surface: &mut Surface, a: Vec3, b: Vec3, radius: f32, paint: u32) {
    const SIDES: u32 = 96;
    const RINGS: u32 = 24; // for each half sphere
    let axis = (b - a).try_normalize().unwrap_or(Vec3::Y);
    let u = axis.any_orthonormal_vector();
    let w = axis.cross(u);
    let first = surface.vertices.len() as u32;
    for ring in 0..2 * RINGS + 2 {
        let (center, step) = if ring <= RINGS { (a, ring) } else { (b, ring - 1) };
        let latitude = -FRAC_PI_2 + FRAC_PI_2 * step as f32 / RINGS as f32;
        for side in 0..=SIDES {
            let angle = TAU * side as f32 / SIDES as f32;
            let n = axis * latitude.sin() + (u * angle.cos() + w * angle.sin()) * latitude.cos();
            surface.vertex(center + n * radius, n, Vec2::ZERO);
        }
    }
    surface.grid(first, SIDES + 1, 2 * RINGS + 2, paint);
}

/// Six faces; each is a grid whose outer cells bend over the bevel to 45°, where the next face takes over.
fn cuboid(surface: &mut Surface, center: Vec3, half: Vec3, q: Quat, paint: u32) {
    const BEND: usize = 4;
    let bevel = 0.08 * half.min_element();
    let inner = half - bevel;
    let across: Vec<(f32, f32)> = (0..=BEND)
        .map(|k| (-FRAC_PI_4 * (1.0 - k as f32 / BEND as f32), -1.0))
        .chain((0..=BEND).map(|k| (FRAC_PI_4 * k as f32 / BEND as f32, 1.0)))
        .collect();
    let columns = across.len() as u32;
    for face in 0..6 {
        let sign = if face % 2 == 0 { 1.0 } else { -1.0 };
        let axis = face / 2;
        let pick = |i: usize| [Vec3::X, Vec3::Y, Vec3::Z][i % 3];
        let (n, u, v) = (pick(axis) * sign, pick(axis + 1) * sign, pick(axis + 2));
        let first = surface.vertices.len() as u32;
        for &(lat, side_v) in &across {
            for &(lon, side_u) in &across {
                let normal = (n + u * lon.tan() + v * lat.tan()).normalize();
                let corner = (n + u * side_u + v * side_v) * inner;
                surface.vertex(center + q * (corner + normal * bevel), q * normal, Vec2::ZERO);
            }
        }
        surface.grid(first, columns, columns, paint);
    }
}
