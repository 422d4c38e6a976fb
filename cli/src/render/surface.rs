//! All triangles of a frame in one list, ready to be projected.

use super::image::linear;
use super::scene::{Material, Mesh, Pattern, finite};
use glam::{Vec2, Vec3};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub position: Vec3,
    pub normal: Vec3,
    /// Tubes: (angle / 2π from d1, arc length in metres). Ribbons: x is 0 in front and 1 at the back.
    pub uv: Vec2,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub corners: [u32; 3],
    pub paint: u32,
}

/// A material with its colours in linear light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub color: Vec3,
    pub second: Vec3,
    pub specular: f32,
    pub roughness: f32,
    pub pattern: Pattern,
    /// The surface encloses a body: its back faces are never seen, and drawing them would fight with what touches the body.
    pub closed: bool,
}

impl Paint {
    pub fn new(material: &Material, curve: usize) -> Self {
        let second = match material.pattern {
            Pattern::Plain => material.color,
            Pattern::Stripes { color, .. } | Pattern::Rope { color, .. } | Pattern::TwoSided { color } => color,
        };
        let vary = 1.0 + material.variation.clamp(0.0, 1.0) * (hash01(curve as u32) - 0.5);
        let positive = |v: f32, limit: f32| if v.is_finite() { v.clamp(0.0, limit) } else { 0.0 };
        Paint {
            color: linear(material.color) * vary,
            second: linear(second) * vary,
            specular: positive(material.specular, 4.0),
            roughness: positive(material.roughness, 1.0).max(0.04),
            pattern: material.pattern,
            closed: false,
        }
    }
}

/// A well-mixed number in 0..1 for a curve's index (PCG's output hash).
pub(crate) fn hash01(i: u32) -> f32 {
    let state = i.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    ((word >> 22) ^ word) as f32 / u32::MAX as f32
}

#[derive(Default)]
pub(crate) struct Surface {
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<Triangle>,
    pub paints: Vec<Paint>,
}

impl Surface {
    pub fn paint(&mut self, material: &Material, curve: usize) -> u32 {
        self.paints.push(Paint::new(material, curve));
        self.paints.len() as u32 - 1
    }

    /// A paint for bodies whose triangles all turn counter-clockwise from outside.
    pub fn closed_paint(&mut self, material: &Material, curve: usize) -> u32 {
        let paint = self.paint(material, curve);
        self.paints[paint as usize].closed = true;
        paint
    }

    pub fn vertex(&mut self, position: Vec3, normal: Vec3, uv: Vec2) -> u32 {
        self.vertices.push(Vertex { position, normal, uv });
        self.vertices.len() as u32 - 1
    }

    pub fn triangle(&mut self, a: u32, b: u32, c: u32, paint: u32) {
        self.triangles.push(Triangle { corners: [a, b, c], paint });
    }

    /// Corners in order around the quad, counter-clockwise from outside.
    pub fn quad(&mut self, corners: [u32; 4], paint: u32) {
        let [a, b, c, d] = corners;
        self.triangle(a, b, c, paint);
        self.triangle(a, c, d, paint);
    }

    /// A grid of `columns` × `rows` vertices that starts at `first`; the surface's outside is columns × rows.
    pub fn grid(&mut self, first: u32, columns: u32, rows: u32, paint: u32) {
        for r in 0..rows - 1 {
            for c in 0..columns - 1 {
                let a = first + r * columns + c;
                self.quad([a, a + 1, a + columns + 1, a + columns], paint);
            }
        }
    }

    /// Vertex normals weighted by area, so that slivers do not tilt them. Triangles with a bad corner are left out. Vertices at the
    /// same place share a normal: files often repeat them along texture seams, which would show as creases.
    pub fn mesh(&mut self, mesh: &Mesh) {
        let paint = self.paint(&mesh.material, 0);
        if mesh.flat {
            for t in &mesh.triangles {
                let corner = t.map(|i| finite(mesh.points[i as usize]));
                let [Some(a), Some(b), Some(c)] = corner else { continue };
                let normal = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y);
                let [a, b, c] = [a, b, c].map(|p| self.vertex(p, normal, Vec2::ZERO));
                self.triangle(a, b, c, paint);
            }
            return;
        }
        let first = self.vertices.len() as u32;
        let mut welded = std::collections::HashMap::with_capacity(mesh.points.len());
        let mut sums: Vec<Vec3> = Vec::new();
        let mut slot = Vec::with_capacity(mesh.points.len());
        for p in &mesh.points {
            let key = p.map(|v| (v + 0.0).to_bits());
            let next = welded.len();
            slot.push(*welded.entry(key).or_insert(next));
            self.vertex(finite(*p).unwrap_or_default(), Vec3::ZERO, Vec2::ZERO);
        }
        sums.resize(welded.len(), Vec3::ZERO);
        for t in &mesh.triangles {
            let corner = t.map(|i| finite(mesh.points[i as usize]));
            let [Some(a), Some(b), Some(c)] = corner else { continue };
            let area = (b - a).cross(c - a);
            t.iter().for_each(|&i| sums[slot[i as usize]] += area);
            let [a, b, c] = t.map(|i| first + i);
            self.triangle(a, b, c, paint);
        }
        for (i, s) in slot.iter().enumerate() {
            self.vertices[first as usize + i].normal = sums[*s].try_normalize().unwrap_or(Vec3::Y);
        }
    }
}
