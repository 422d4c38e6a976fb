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
const BLOCK: usize = 32;
const TAPS: u32 = 80;
const SEARCH: u32 = 48;
/// Radius of the light over its distance.
const LIGHT: f32 = 0.10;

pub(crate) struct ShadowMap {
    frame: LightFrame,
    min: Vec2,
    /// Metres a texel.
    texel: f32,
    /// Largest height toward the light; −∞ where nothing is. Empty when there is no surface.
    height: Vec<f32>,
    /// Heights rise no further than this: points above are lit.
    top: f32,
    search: Vec<Vec2>,
    spiral: Vec<Vec2>,
    /// The largest height in blocks of BLOCK × BLOCK texels: most of a floor is lit, and is known to be so from these few.
    blocks: Vec<f32>,
}

impl ShadowMap {
    pub fn new(frame: LightFrame, surface: &Surface) -> Self {
        let lit: Vec<Vec3> = surface.vertices.par_iter().map(|v| frame.to_light(v.position)).collect();
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for t in &surface.triangles {
            for &i in &t.corners {
                min = min.min(lit[i as usize]);
                max = max.max(lit[i as usize]);
            }
        }
        let vogel = |i: u32| Vec2::from_angle(i as f32 * 2.399_963);
        let spiral = (0..TAPS).map(|i| vogel(i) * ((i as f32 + 0.5) / TAPS as f32).sqrt()).collect();
        // Denser in the middle: the cone of near blockers is narrow.
        let search = (0..SEARCH).map(|i| vogel(i) * ((i as f32 + 0.5) / SEARCH as f32)).collect();
        let side = (max - min).truncate().max_element();
        let mut map =
            ShadowMap { frame, min: Vec2::ZERO, texel: 1.0, height: Vec::new(), blocks: Vec::new(), top: max.z, search, spiral };
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
        const SIDE: usize = SIZE / BLOCK;
        map.blocks = vec![f32::NEG_INFINITY; SIDE * SIDE];
        for (i, h) in map.height.iter().enumerate() {
            let block = &mut map.blocks[i / SIZE / BLOCK * SIDE + i % SIZE / BLOCK];
            *block = block.max(*h);
        }
        map
    }

    fn at(&self, x: i32, y: i32) -> f32 {
        let inside = x >= 0 && y >= 0 && x < SIZE as i32 && y < SIZE as i32;
        if inside { self.height[y as usize * SIZE + x as usize] } else { f32::NEG_INFINITY }
    }

    fn anything_above(&self, at: Vec2, reach: f32, height: f32) -> bool {
        let block = |v: f32| (v / BLOCK as f32).clamp(0.0, (SIZE / BLOCK - 1) as f32) as usize;
        (block(at.y - reach)..=block(at.y + reach)).any(|y| {
            let row = &self.blocks[y * (SIZE / BLOCK)..(y + 1) * (SIZE / BLOCK)];
            row[block(at.x - reach)..=block(at.x + reach)].iter().any(|h| *h > height)
        })
    }

    /// The lit part around one place, bilinear between four tests.
    fn lit(&self, at: Vec2, height: f32) -> f32 {
        let (x, y) = (floor(at.x - 0.5), floor(at.y - 0.5));
        let f = at - 0.5 - Vec2::new(x as f32, y as f32);
        let test = |x, y| if self.at(x, y) > height { 0.0 } else { 1.0 };
        let low = test(x, y) * (1.0 - f.x) + test(x + 1, y) * f.x;
        let high = test(x, y + 1) * (1.0 - f.x) + test(x + 1, y + 1) * f.x;
        low * (1.0 - f.y) + high * f.y
    }

    /// The same for a strand, cheap: its many neighbours blur what five taps leave.
    pub fn light_on_hair(&self, p: Vec3) -> f32 {
        if self.height.is_empty() {
            return 1.0;
        }
        let q = self.frame.to_light(p);
        let at = (q.truncate() - self.min) / self.texel;
        let height = q.z + 2.5 * self.texel;
        let around = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
        around.iter().map(|tap| self.lit(at + *tap * 3.0, height)).sum::<f32>() / around.len() as f32
    }

    /// 1 in full light, 0 in full shadow. `normal` lifts the point off its own surface.
    pub fn light(&self, p: Vec3, normal: Vec3) -> f32 {
        if self.height.is_empty() {
            return 1.0;
        }
        let q = self.frame.to_light(p + normal * (2.0 * self.texel));
        let bias = 1.5 * self.texel;
        let at = (q.truncate() - self.min) / self.texel;
        if q.z + bias > self.top {
            return 1.0;
        }
        // The light is a disc that is seen under the angle LIGHT: what can shadow lies in a cone that opens toward it.
        let reach = (LIGHT * (self.top - q.z) / self.texel).max(1.5);
        if at.min_element() < -reach || at.max_element() > SIZE as f32 + reach {
            return 1.0;
        }
        if !self.anything_above(at, reach, q.z + bias) {
            return 1.0;
        }
        let (mut blockers, mut sum) = (0.0, 0.0);
        for tap in &self.search {
            let t = at + *tap * reach;
            let above = self.at(floor(t.x), floor(t.y)) - q.z;
            // One texel of slack: near the tip of the cone the taps are farther apart than it is wide.
            if above > bias && (tap.length() * reach - 1.5) * self.texel < LIGHT * above {
                blockers += 1.0;
                sum += above;
            }
        }
        if blockers == 0.0 {
            return 1.0;
        }
        let penumbra = (LIGHT * sum / blockers / self.texel).clamp(1.5, reach);
        // A wide filter on a slope would shadow itself without a bias that grows with its width.
        let height = q.z + bias + penumbra * self.texel * 0.4;
        let light: f32 = self.spiral.iter().map(|tap| self.lit(at + *tap * penumbra, height)).sum();
        light / self.spiral.len() as f32
    }
}

/// Without SSE4.1, `f32::floor` is a call.
fn floor(v: f32) -> i32 {
    let i = v as i32;
    i - i32::from(v < i as f32)
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
