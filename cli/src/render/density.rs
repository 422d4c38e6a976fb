//! How much light gets into hair and into corners: two coarse grids that stand in for deep shadow maps and ambient occlusion.
//!
//! This work is based on: Lokovic & Veach, Deep Shadow Maps (2000), here as a grid of optical depths in light space; Crassin et al.,
//! Voxel Cone Tracing (2011), here for occlusion only. Both are sums over the scene in its order: no noise, the same on every run.

use super::shadow::LightFrame;
use super::strand::Piece;
use super::surface::Surface;
use glam::{UVec3, Vec3};
use std::f32::consts::FRAC_PI_4;

struct Grid {
    size: UVec3,
    cells: Vec<f32>,
}

impl Grid {
    fn new(size: UVec3) -> Self {
        Grid { size, cells: vec![0.0; (size.x * size.y * size.z) as usize] }
    }

    fn index(&self, x: u32, y: u32, z: u32) -> usize {
        ((z * self.size.y + y) * self.size.x + x) as usize
    }

    /// The eight cells around a place in cell units and their weights; cells outside are left out.
    #[inline]
    fn around(&self, at: Vec3, mut visit: impl FnMut(usize, f32)) {
        let base = (at - 0.5).floor();
        let f = at - 0.5 - base;
        let b = base.as_ivec3();
        for corner in 0..8 {
            let o = glam::IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
            let c = b + o;
            if c.min_element() >= 0 && c.as_uvec3().cmplt(self.size).all() {
                let w = Vec3::select(o.cmpeq(glam::IVec3::ONE), f, 1.0 - f);
                visit(self.index(c.x as u32, c.y as u32, c.z as u32), w.x * w.y * w.z);
            }
        }
    }

    fn splat(&mut self, at: Vec3, amount: f32) {
        let mut hits = [(0, 0.0); 8];
        let mut n = 0;
        self.around(at, |i, w| {
            hits[n] = (i, w);
            n += 1;
        });
        hits[..n].iter().for_each(|&(i, w)| self.cells[i] += amount * w);
    }

    fn sample(&self, at: Vec3) -> f32 {
        // Shifted by one cell, so that a cast rounds down: without SSE4.1, floor() is a call, and this is the hottest line.
        let shifted = at + 0.5;
        if !(shifted.min_element() >= 0.0 && shifted.cmplt(self.size.as_vec3() + 1.0).all()) {
            return 0.0;
        }
        let b = shifted.as_ivec3() - 1;
        if b.min_element() >= 0 && (b + 1).cmplt(self.size.as_ivec3()).all() {
            // Most places: all eight cells exist.
            let (f, row, layer) = (at - 0.5 - b.as_vec3(), self.size.x as usize, (self.size.x * self.size.y) as usize);
            let i = self.index(b.x as u32, b.y as u32, b.z as u32);
            let c = &self.cells[i..i + layer + row + 2];
            let x = |k: usize| c[k] + (c[k + 1] - c[k]) * f.x;
            let low = x(0) + (x(row) - x(0)) * f.y;
            let high = x(layer) + (x(layer + row) - x(layer)) * f.y;
            return low + (high - low) * f.z;
        }
        let mut sum = 0.0;
        self.around(at, |i, w| sum += self.cells[i] * w);
        sum
    }

    /// Half the resolution, mean of eight.
    fn half(&self) -> Grid {
        let mut out = Grid::new((self.size + 1) / 2);
        for z in 0..self.size.z {
            for y in 0..self.size.y {
                for x in 0..self.size.x {
                    let to = out.index(x / 2, y / 2, z / 2);
                    out.cells[to] += 0.125 * self.cells[self.index(x, y, z)];
                }
            }
        }
        out
    }
}

/// Places along a piece of hair at most `step` metres apart, with the length that each stands for.
fn along(piece: &Piece, step: f32, mut visit: impl FnMut(Vec3, f32)) {
    let length = piece.a.distance(piece.b);
    let n = (length / step).ceil().clamp(1.0, 64.0);
    for k in 0..n as u32 {
        visit(piece.a.lerp(piece.b, (k as f32 + 0.5) / n), length / n);
    }
}

/// Optical depth of hair between a point and the key light.
pub(crate) struct LightDensity {
    frame: LightFrame,
    min: Vec3,
    cell: Vec3,
    grid: Grid,
}

impl LightDensity {
    /// `None` without hair.
    pub fn new(frame: LightFrame, pieces: &[Piece]) -> Option<Self> {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for p in pieces.iter().flat_map(|piece| [piece.a, piece.b]) {
            let q = frame.to_light(p);
            (min, max) = (min.min(q), max.max(q));
        }
        if pieces.is_empty() {
            return None;
        }
        let size = UVec3::new(144, 144, 96);
        let margin = (max - min).max_element().max(1e-6) * 0.02;
        (min, max) = (min - margin, max + margin);
        let cell = (max - min) / size.as_vec3();
        let mut grid = Grid::new(size);
        let area = cell.x * cell.y;
        for piece in pieces {
            let across = (piece.b - piece.a).cross(frame.toward).length() / piece.a.distance(piece.b).max(1e-12);
            along(piece, 1.5 * cell.min_element(), |p, length| {
                grid.splat((frame.to_light(p) - min) / cell, 2.0 * piece.radius * length * across / area);
            });
        }
        // From the light's side down: every cell then holds all that lies above it.
        let layer = (size.x * size.y) as usize;
        for z in (0..size.z as usize - 1).rev() {
            let (below, above) = grid.cells.split_at_mut((z + 1) * layer);
            below[z * layer..].iter_mut().zip(&above[..layer]).for_each(|(b, a)| *b += a);
        }
        Some(LightDensity { frame, min, cell, grid })
    }

    /// Optical depth at a point; half a cell toward the light is skipped, so that a strand does not shadow itself.
    pub fn depth(&self, p: Vec3) -> f32 {
        let mut at = (self.frame.to_light(p) - self.min) / self.cell;
        at.z = (at.z + 1.0).max(0.5);
        self.grid.sample(at)
    }

    /// The same, blurred for a surface that lies `scale`-wise far below: hair shadows on the ground are soft.
    pub fn soft_depth(&self, p: Vec3, radius: f32) -> f32 {
        let f = &self.frame;
        let taps = [(0.0, 0.0), (1.0, 0.0), (-0.5, 0.87), (-0.5, -0.87), (0.3, 0.5), (-0.6, 0.0), (0.3, -0.5)];
        taps.iter().map(|(x, y)| self.depth(p + (f.right * *x + f.up * *y) * radius)).sum::<f32>() / taps.len() as f32
    }
}

/// Ambient occlusion: extinction (1/m) of everything in world space, and its halved copies.
pub(crate) struct Occlusion {
    min: Vec3,
    cell: f32,
    levels: Vec<Grid>,
}

impl Occlusion {
    pub fn new(pieces: &[Piece], surface: &Surface) -> Option<Self> {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut grow = |p: Vec3| (min, max) = (min.min(p), max.max(p));
        pieces.iter().for_each(|piece| [piece.a, piece.b].into_iter().for_each(&mut grow));
        surface.triangles.iter().flat_map(|t| t.corners).for_each(|i| grow(surface.vertices[i as usize].position));
        let side = (max - min).max_element();
        if !(side.is_finite() && side > 0.0) {
            return None;
        }
        let cell = side / 72.0;
        let size = ((max - min) / cell).ceil().as_uvec3().max(UVec3::ONE) + 4;
        let min = min - 2.0 * cell;
        let mut grid = Grid::new(size);
        let volume = cell * cell * cell;
        for piece in pieces {
            along(piece, cell, |p, length| {
                grid.splat((p - min) / cell, FRAC_PI_4 * 2.0 * piece.radius * length / volume);
            });
        }
        for t in &surface.triangles {
            let [a, b, c] = t.corners.map(|i| surface.vertices[i as usize].position);
            let area = 0.5 * (b - a).cross(c - a).length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let n = (longest / (0.7 * cell)).ceil().clamp(1.0, 64.0) as u32;
            // n² small triangles, by their centres.
            for i in 0..n {
                for j in 0..2 * (n - i) - 1 {
                    let third = if j % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
                    let (u, v) = ((i as f32 + third) / n as f32, ((j / 2) as f32 + third) / n as f32);
                    let p = a + (b - a) * u + (c - a) * v;
                    grid.splat((p - min) / cell, 1.2 * area / (n * n) as f32 / volume);
                }
            }
        }
        // A cell full of surface is opaque; without a ceiling a dense bundle would throw its darkness metres away.
        grid.cells.iter_mut().for_each(|v| *v = v.min(2.5 / cell));
        let mut levels = vec![grid];
        for _ in 0..4 {
            levels.push(levels[levels.len() - 1].half());
        }
        Some(Occlusion { min, cell, levels })
    }

    /// Open part of a cone of about 60° along `direction`, 0..=1, starting `start` cells away.
    fn cone(&self, p: Vec3, direction: Vec3, start: f32) -> f32 {
        let mut distance = start;
        let mut depth = 0.0;
        for _ in 0..5 {
            // The nearest power of two to the cone's width, from the float's exponent.
            let width = (0.9 * std::f32::consts::SQRT_2 * distance).max(1.0);
            let l = (((width.to_bits() >> 23) - 127) as usize).min(self.levels.len() - 1);
            let at = (p - self.min) / self.cell + direction * distance;
            let step = 0.8 * distance;
            depth += self.levels[l].sample(at / (1 << l) as f32) * step * self.cell;
            distance += step;
        }
        (-depth).exp()
    }

    fn outside(&self, p: Vec3) -> bool {
        let at = (p - self.min) / self.cell;
        let margin = 20.0;
        at.min_element() < -margin || (at - self.levels[0].size.as_vec3()).max_element() > margin
    }

    /// Openness above a surface.
    pub fn surface(&self, p: Vec3, normal: Vec3) -> f32 {
        if self.outside(p) {
            return 1.0;
        }
        let u = normal.any_orthonormal_vector();
        let v = normal.cross(u);
        let tilted = |c: f32, s: f32| self.cone(p, (normal * 0.7 + (u * c + v * s) * 0.71).normalize(), 1.8);
        0.31 * self.cone(p, normal, 1.8) + 0.23 * (tilted(1.0, 0.0) + tilted(-0.5, 0.866) + tilted(-0.5, -0.866))
    }

    /// Openness in the middle of hair: four directions, the one toward the viewer counts most, because it is the side that is seen.
    pub fn hair(&self, p: Vec3, toward_eye: Vec3) -> f32 {
        let u = toward_eye.any_orthonormal_vector();
        let v = toward_eye.cross(u);
        let side = |c: f32, s: f32| self.cone(p, (toward_eye * 0.3 + u * c + v * s).normalize(), 1.2);
        0.4 * self.cone(p, toward_eye, 1.2) + 0.2 * (side(1.0, 0.0) + side(-0.5, 0.866) + side(-0.5, -0.866))
    }
}
