//! Thick curves as triangles: round tubes with round ends, and flat strips with two faces.

use super::path::Path;
use super::scene::Material;
use super::surface::Surface;
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, TAU};

/// `pixels` is the tube's radius on screen: it sets how many sides are needed to look round.
pub(crate) fn tube(surface: &mut Surface, path: &Path, material: &Material, pixels: f32) {
    let sides = (8.0 + 1.5 * pixels).clamp(8.0, 48.0) as u32;
    let paint = surface.closed_paint(material, path.curve);
    let first = surface.vertices.len() as u32;
    let n = path.points.len();
    let mut rings = 0;
    let mut ring = |surface: &mut Surface, i: usize, scale: f32, lift: f32, slope: f32| {
        let (t, d1, r) = (path.tangents[i], path.d1[i], path.radii[i]);
        let d2 = t.cross(d1);
        for side in 0..=sides {
            let angle = side as f32 / sides as f32;
            let out = d1 * (angle * TAU).cos() + d2 * (angle * TAU).sin();
            let position = path.points[i] + out * (r * scale) + t * (r * lift);
            let normal = (out * slope.cos() + t * slope.sin()).normalize_or(t);
            surface.vertex(position, normal, Vec2::new(angle, path.length[i] + r * lift));
        }
        rings += 1;
    };
    const CAP: usize = 5;
    let cap = if path.closed { 0 } else { CAP };
    for k in 0..cap {
        let a = FRAC_PI_2 * (1.0 - k as f32 / CAP as f32);
        ring(surface, 0, a.cos(), -a.sin(), -a);
    }
    for i in 0..n {
        ring(surface, i, 1.0, 0.0, 0.0);
    }
    for k in 1..=cap {
        let a = FRAC_PI_2 * k as f32 / CAP as f32;
        ring(surface, n - 1, a.cos(), a.sin(), a);
    }
    surface.grid(first, sides + 1, rings, paint);
}

/// Half width along d1, half thickness along d2 = t × d1.
pub(crate) fn ribbon(surface: &mut Surface, path: &Path, material: &Material, half_width: f32, half_thickness: f32) {
    let clean = |v: f32| {
        if v.is_finite() { v.clamp(0.0, super::scene::FAR_AWAY) } else { 0.0 }
    };
    let (w, h) = (clean(half_width), clean(half_thickness));
    let paint = surface.closed_paint(material, path.curve);
    // Four faces: +d2 (front), −d1, −d2 (back), +d1; corners in (d1, d2), counter-clockwise about the tangent.
    let faces: [([f32; 2], [f32; 2], f32); 4] =
        [([w, h], [-w, h], 0.0), ([-w, h], [-w, -h], 0.5), ([-w, -h], [w, -h], 1.0), ([w, -h], [w, h], 0.5)];
    for (from, to, side) in faces {
        let first = surface.vertices.len() as u32;
        for i in 0..path.points.len() {
            let (d1, d2) = (path.d1[i], path.tangents[i].cross(path.d1[i]));
            let at = |c: [f32; 2]| d1 * c[0] + d2 * c[1];
            let along = (at(to) - at(from)).normalize_or(d1);
            let normal = along.cross(path.tangents[i]);
            for c in [from, to] {
                surface.vertex(path.points[i] + at(c), normal, Vec2::new(side, path.length[i]));
            }
        }
        surface.grid(first, 2, path.points.len() as u32, paint);
    }
    // Both ends.
    if !path.closed {
        for (i, sign) in [(0, -1.0), (path.points.len() - 1, 1.0)] {
            let (t, d1) = (path.tangents[i], path.d1[i]);
            let d2: Vec3 = t.cross(d1);
            let corners = [[-w, -h], [w, -h], [w, h], [-w, h]];
            let ids =
                corners.map(|c| surface.vertex(path.points[i] + d1 * c[0] + d2 * c[1], t * sign, Vec2::new(0.5, path.length[i])));
            surface.quad(ids, paint);
        }
    }
}
