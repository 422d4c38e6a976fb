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

/// Sides of what is round, and rings of a half sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    sides: u32,
    rings: u32,
}

impl Detail {
    /// Of thousands of parts, drawn many times a second.
    #[cfg(feature = "view")]
    pub const COARSE: Detail = Detail { sides: 12, rings: 3 };

    /// The more there are, the smaller they are in the picture.
    pub fn of(count: usize) -> Self {
        match count {
            0..=64 => Detail { sides: 96, rings: 24 },
            65..=1000 => Detail { sides: 48, rings: 12 },
            _ => Detail { sides: 24, rings: 6 },
        }
    }
}

pub(crate) fn add(surface: &mut Surface, primitive: &Primitive, detail: Detail) {
    match *primitive {
        Primitive::Sphere { center, radius, material } => {
            if let (Some(c), Some(r)) = (finite(center), size(radius)) {
                let paint = surface.closed_paint(&material, 0);
                taper(surface, [c, c], [r, r], paint, detail);
            }
        }
        Primitive::Capsule { a, b, radius, material } => {
            if let (Some(a), Some(b), Some(r)) = (finite(a), finite(b), size(radius)) {
                let paint = surface.closed_paint(&material, 0);
                taper(surface, [a, b], [r, r], paint, detail);
            }
        }
        Primitive::Taper { a, b, radii, material } => {
            if let (Some(a), Some(b), Some(r), Some(s)) = (finite(a), finite(b), size(radii[0]), size(radii[1])) {
                let paint = surface.closed_paint(&material, 0);
                taper(surface, [a, b], [r, s], paint, detail);
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

/// Two caps and the wall between them, tangent to both, in one grid of rings; a sphere where one ball holds the other.
fn taper(surface: &mut Surface, ends: [Vec3; 2], radii: [f32; 2], paint: u32, detail: Detail) {
    let Detail { sides, rings } = detail;
    let [a, b] = ends;
    let way = (b - a).length();
    let slope = radii[0] - radii[1];
    if way <= slope.abs() && way > 0.0 {
        let k = usize::from(slope < 0.0);
        return taper(surface, [ends[k]; 2], [radii[k]; 2], paint, detail);
    }
    let axis = (b - a).try_normalize().unwrap_or(Vec3::Y);
    // The wall's normal leans towards the smaller ball.
    let lean = if way > 0.0 { (slope / way).asin() } else { 0.0 };
    let u = axis.any_orthonormal_vector();
    let w = axis.cross(u);
    let first = surface.vertices.len() as u32;
    for ring in 0..2 * rings + 2 {
        let lower = ring <= rings;
        let (center, radius) = if lower { (a, radii[0]) } else { (b, radii[1]) };
        let latitude = if lower {
            -FRAC_PI_2 + (FRAC_PI_2 + lean) * ring as f32 / rings as f32
        } else {
            lean + (FRAC_PI_2 - lean) * (ring - rings - 1) as f32 / rings as f32
        };
        for side in 0..=sides {
            let angle = TAU * side as f32 / sides as f32;
            let n = axis * latitude.sin() + (u * angle.cos() + w * angle.sin()) * latitude.cos();
            surface.vertex(center + n * radius, n, Vec2::ZERO);
        }
    }
    surface.grid(first, sides + 1, 2 * rings + 2, paint);
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
