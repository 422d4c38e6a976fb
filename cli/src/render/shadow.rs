//! Shadows of surfaces: a height map seen from the key light, looked up with a penumbra that grows with the blocker's distance.
//!
//! This work is based on: Fernando, Percentage-Closer Soft Shadows (2005). The taps lie on a Vogel spiral, the same for every pixel:
//! a pattern turned at random per pixel would be grain in the picture and in the GIF a size problem.

use super::surface::Surface;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Orthonormal axes of the key light; `toward` points at the light.
#[derive(Clone, Copy)]
pub(crate) struct LightFrame {
    pub right: Vec3,
    pub up: Vec3,
    pub toward: Vec3,
}

impl LightFrame {
    pub fn new(toward: Vec3) -> Self {
        let right = toward.any_orthonormal_vector();
        LightFrame { right, up: toward.cross(right), toward }
    }

    /// x, y across the light and z toward it.
    pub fn to_light(self, p: Vec3) -> Vec3 {
        Vec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.toward))
    }
}

const SIZE: usize = 1024;

pub(crate) struct ShadowMap {
    frame: LightFrame,
    min: Vec2,
    /// Metres a texel.
    texel: f32,
    /// Largest height toward the light; −∞ where nothing is. Empty when there is no surface.
    height: Vec<f32>,
    /// Heights rise no further than this: points above are lit.
    top: f32,
    search: f32,
    spiral: Vec<Vec2>,
}

impl ShadowMap {
    pub fn new(frame: LightFrame, surface: &Surface, scale: f32) -> Self {
        let lit: Vec<Vec3> = surface.vertices.par_iter().map(|v| frame.to_light(v.position)).collect();
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for t in &surface.triangles {
            for &i in &t.corners {
                min = min.min(lit[i as usize]);
                max = max.max(lit[i as usize]);
            }
        }
        let spiral = (0..40)
            .map(|i| {
                let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
                Vec2::new(cos, sin) * ((i as f32 + 0.5) / 40.0).sqrt()
            })
            .collect();
        let side = (max - min).truncate().max_element();
        let mut map = ShadowMap {
            frame,
            min: Vec2::ZERO,
            texel: 1.0,
            height: Vec::new(),
            top: max.z,
            search: 0.12 * scale,
            spiral,
        };
        if !(side.is_finite() && side > 0.0) {
            return map;
        }
        // Two texels of margin, so that the filter always finds the empty outside.
        map.texel = side / (SIZE - 4) as f32;
        map.min = 0.5 * (min + max).truncate() - Vec2::splat(0.5 * SIZE as f32 * map.texel);
        map.height = vec![f32::NEG_INFINITY; SIZE * SIZE];
        const BAND: usize = 32;
        let (origin, texel) = (map.min, map.texel);
        map.height.par_chunks_mut(SIZE * BAND).enumerate().for_each(|(band, rows)| {
            for t in &surface.triangles {
                let corner = t.corners.map(|i| {
                    let p = lit[i as usize];
                    let xy = (p.truncate() - origin) / texel;
                    Vec3::new(xy.x, xy.y - (band * BAND) as f32, p.z)
                });
                fill(rows, BAND, corner);
            }
        });
        map
    }

    fn at(&self, x: i32, y: i32) -> f32 {
        let inside = x >= 0 && y >= 0 && x < SIZE as i32 && y < SIZE as i32;
        if inside { self.height[y as usize * SIZE + x as usize] } else { f32::NEG_INFINITY }
    }

    /// The lit part around one place, bilinear between four tests.
    fn lit(&self, at: Vec2, height: f32) -> f32 {
        let base = (at - 0.5).floor();
        let f = at - 0.5 - base;
        let (x, y) = (base.x as i32, base.y as i32);
        let test = |x, y| if self.at(x, y) > height { 0.0 } else { 1.0 };
        let low = test(x, y) * (1.0 - f.x) + test(x + 1, y) * f.x;
        let high = test(x, y + 1) * (1.0 - f.x) + test(x + 1, y + 1) * f.x;
        low * (1.0 - f.y) + high * f.y
    }

    /// 1 in full light, 0 in full shadow. `normal` lifts the point off its own surface; zero for hair.
    pub fn light(&self, p: Vec3, normal: Vec3) -> f32 {
        if self.height.is_empty() {
            return 1.0;
        }
        let q = self.frame.to_light(p + normal * (2.0 * self.texel));
        let bias = 1.5 * self.texel;
        let at = (q.truncate() - self.min) / self.texel;
        let reach = self.search / self.texel;
        let limit = SIZE as f32 + reach;
        if q.z + bias > self.top || at.min_element() < -reach || at.max_element() > limit {
            return 1.0;
        }
        let (mut blockers, mut sum) = (0.0, 0.0);
        for tap in self.spiral.iter().step_by(2) {
            let t = at + *tap * reach * 0.6;
            // The search cone opens toward the light: what is near the surface counts only when it is near the axis.
            let above = self.at(t.x.floor() as i32, t.y.floor() as i32) - q.z;
            if above > bias + tap.length() * reach * 0.6 * self.texel * 0.5 {
                blockers += 1.0;
                sum += above;
            }
        }
        let penumbra = if blockers > 0.0 { (0.16 * sum / blockers / self.texel).clamp(1.5, reach) } else { 1.5 };
        // A wide filter on a slope would shadow itself without a bias that grows with its width.
        let height = q.z + bias + penumbra * self.texel * 0.25;
        let light: f32 = self.spiral.iter().map(|tap| self.lit(at + *tap * penumbra, height)).sum();
        light / self.spiral.len() as f32
    }
}

/// Keeps the largest height at every texel centre of a triangle; also marks texels that a thin triangle only touches along its
/// edges through the half-texel slack, so that thin tubes cast unbroken shadows.
fn fill(rows: &mut [f32], count: usize, c: [Vec3; 3]) {
    let low = c[0].min(c[1]).min(c[2]);
    let high = c[0].max(c[1]).max(c[2]);
    if high.y < 0.0 || low.y > count as f32 {
        return;
    }
    let area = (c[1] - c[0]).truncate().perp_dot((c[2] - c[0]).truncate());
    if area.abs() < 1e-12 || !area.is_finite() {
        return;
    }
    let (x0, x1) = ((low.x - 0.5).max(0.0) as usize, (high.x + 0.5).min(SIZE as f32 - 1.0) as usize);
    let (y0, y1) = ((low.y - 0.5).max(0.0) as usize, (high.y + 0.5).clamp(0.0, count as f32 - 1.0) as usize);
    let edge = |a: Vec3, b: Vec3| ((a.y - b.y) / area, (b.x - a.x) / area, (a.x * b.y - a.y * b.x) / area);
    let e = [edge(c[1], c[2]), edge(c[2], c[0]), edge(c[0], c[1])];
    let slack = e.map(|(a, b, _)| -0.25 * (a.abs() + b.abs()));
    for y in y0..=y1 {
        for x in x0..=x1 {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let w = e.map(|(a, b, k)| a * px + b * py + k);
            if w[0] >= slack[0] && w[1] >= slack[1] && w[2] >= slack[2] {
                let z = (c[0].z * w[0] + c[1].z * w[1] + c[2].z * w[2]).clamp(low.z, high.z);
                let cell = &mut rows[y * SIZE + x];
                *cell = cell.max(z);
            }
        }
    }
}
