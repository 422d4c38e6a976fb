//! Tiles: which surface each sample sees, how much of each pixel each strand covers, and the sum of both.
//!
//! Surfaces are sampled 3 × 3 times a pixel and shaded once per pixel and triangle. Hair is not sampled: a strand is a tenth of a pixel
//! wide, and samples would turn it into dots. Its area in each pixel is computed exactly instead, so that a strand of half the
//! width is half as dark wherever it falls, and the pieces are laid over each other by depth.

use super::image::encode;
use super::shade::{Plane, Studio};
use super::strand::Segment;
use glam::{Vec2, Vec3};

pub(crate) const TILE: usize = 32;
const SS: usize = 3;
const ROW: usize = TILE * SS;
/// Sample ids: 0 is background, `i + 1` a triangle, and from the top down the planes.
const FIRST_PLANE: u32 = u32::MAX;

pub(super) struct Fragment {
    pixel: u16,
    inv_depth: f32,
    pub(super) alpha: f32,
    color: Vec3,
}

pub(crate) struct Tile<'a> {
    pub x: usize,
    pub y: usize,
    pub triangles: &'a [u32],
    pub segments: &'a [u32],
}

pub(crate) struct Job<'a> {
    pub studio: &'a Studio<'a>,
    pub planes: &'a [Plane],
    /// Pixel x, y and 1 / depth of every vertex of the surface.
    pub screen: &'a [Vec3],
    pub segments: &'a [Segment],
}

impl Job<'_> {
    /// The TILE × TILE pixels of a tile.
    pub fn draw(&self, tile: &Tile) -> Vec<[u8; 3]> {
        let mut depth = vec![0.0f32; ROW * ROW];
        let mut id = vec![0u32; ROW * ROW];
        for &t in tile.triangles {
            let triangle = &self.studio.surface.triangles[t as usize];
            let closed = self.studio.surface.paints[triangle.paint as usize].closed;
            fill(&mut depth, &mut id, t + 1, triangle.corners.map(|i| self.screen[i as usize]), closed, tile);
        }
        for (k, plane) in self.planes.iter().enumerate() {
            self.fill_plane(&mut depth, &mut id, FIRST_PLANE - k as u32, plane, tile);
        }
        // The farthest sample of each pixel: hair behind it cannot be seen.
        let farthest: Vec<f32> = (0..TILE * TILE).map(|p| samples(p).map(|s| depth[s]).fold(f32::INFINITY, f32::min)).collect();
        let mut fragments = Vec::new();
        for &s in tile.segments {
            cover(&self.segments[s as usize], tile, &farthest, &mut fragments);
        }
        let (order, start) = by_pixel(&fragments);
        let mut out = Vec::with_capacity(TILE * TILE);
        for pixel in 0..TILE * TILE {
            let mut colors = self.surfaces(pixel, &id, &depth, tile);
            for &f in &order[start[pixel] as usize..start[pixel + 1] as usize] {
                let f = &fragments[f as usize];
                for (color, s) in colors.iter_mut().zip(samples(pixel)) {
                    if f.inv_depth > depth[s] {
                        *color = color.lerp(f.color, f.alpha);
                    }
                }
            }
            out.push(encode(colors.iter().map(|c| c.min(Vec3::splat(3.0))).sum::<Vec3>() / (SS * SS) as f32));
        }
        out
    }

    fn fill_plane(&self, depth: &mut [f32], id: &mut [u32], name: u32, plane: &Plane, tile: &Tile) {
        let view = self.studio.view;
        let height = (plane.point - view.eye).dot(plane.normal);
        if height >= 0.0 {
            return; // seen from below, a floor would hide everything
        }
        for sy in 0..ROW {
            for sx in 0..ROW {
                let at = place(tile, sx, sy);
                let inv = view.ray(at.x, at.y).dot(plane.normal) / height;
                let s = sy * ROW + sx;
                if inv > depth[s] {
                    (depth[s], id[s]) = (inv, name);
                }
            }
        }
    }

    /// The colours of a pixel's samples without hair: each triangle is shaded once, in the middle of its samples.
    fn surfaces(&self, pixel: usize, id: &[u32], depth: &[f32], tile: &Tile) -> [Vec3; SS * SS] {
        let ids: [u32; SS * SS] = std::array::from_fn(|k| id[sample(pixel, k)]);
        let mut colors = [Vec3::ZERO; SS * SS];
        let mut done = [false; SS * SS];
        for k in 0..SS * SS {
            if done[k] {
                continue;
            }
            let mut sum = Vec2::ZERO;
            let mut count = 0.0;
            let same: [bool; SS * SS] =
                std::array::from_fn(|j| j >= k && !done[j] && self.alike(ids[j], ids[k], depth, pixel, j, k));
            for (j, _) in same.iter().enumerate().filter(|(_, s)| **s) {
                let s = sample(pixel, j);
                sum += place(tile, s % ROW, s / ROW);
                count += 1.0;
            }
            // Shade at the member nearest to their middle, not at the middle itself: that may lie outside a long thin triangle, where its
            // weights run away (dark dots along bevels).
            let middle = sum / count;
            let spot = |j: usize| place(tile, sample(pixel, j) % ROW, sample(pixel, j) / ROW);
            let off = |j: usize| spot(j).distance_squared(middle);
            let best = (k..SS * SS).filter(|&j| same[j]).min_by(|&i, &j| off(i).total_cmp(&off(j))).unwrap_or(k);
            let at = spot(best);
            let color = match ids[best] {
                0 => self.studio.background(at.x, at.y),
                n if n > FIRST_PLANE - self.planes.len() as u32 => {
                    self.studio.plane(&self.planes[(FIRST_PLANE - n) as usize], at)
                }
                n => self.studio.triangle(&self.studio.surface.triangles[n as usize - 1], self.screen, at),
            };
            for j in 0..SS * SS {
                if same[j] {
                    (colors[j], done[j]) = (color, true);
                }
            }
        }
        colors
    }

    /// Whether two samples may share one colour. Small neighbours on one surface do: a fine mesh would be shaded nine times a pixel.
    fn alike(&self, a: u32, b: u32, depth: &[f32], pixel: usize, j: usize, k: usize) -> bool {
        if a == b {
            return true;
        }
        let plane = FIRST_PLANE - self.planes.len() as u32;
        if a == 0 || b == 0 || a > plane || b > plane {
            return false;
        }
        let surface = self.studio.surface;
        let (ta, tb) = (&surface.triangles[a as usize - 1], &surface.triangles[b as usize - 1]);
        let (da, db) = (depth[sample(pixel, j)], depth[sample(pixel, k)]);
        let normal = |t: &super::surface::Triangle| surface.vertices[t.corners[0] as usize].normal;
        ta.paint == tb.paint && (da - db).abs() < 2e-3 * db && normal(ta).dot(normal(tb)) > 0.97
    }
}

fn sample(pixel: usize, k: usize) -> usize {
    ((pixel / TILE) * SS + k / SS) * ROW + (pixel % TILE) * SS + k % SS
}

fn samples(pixel: usize) -> impl Iterator<Item = usize> {
    (0..SS * SS).map(move |k| sample(pixel, k))
}

fn place(tile: &Tile, sx: usize, sy: usize) -> Vec2 {
    Vec2::new(tile.x as f32 + (sx as f32 + 0.5) / SS as f32, tile.y as f32 + (sy as f32 + 0.5) / SS as f32)
}

/// Depth-tests a triangle's samples. Edges count as inside: a sample on a shared edge is drawn twice, never missed. In f64 relative to
/// the tile, because corners may lie far outside the picture.
fn fill(depth: &mut [f32], id: &mut [u32], name: u32, corner: [Vec3; 3], closed: bool, tile: &Tile) {
    let c = corner.map(|p| {
        let s = SS as f64;
        [(p.x as f64 - tile.x as f64) * s - 0.5, (p.y as f64 - tile.y as f64) * s - 0.5, p.z as f64]
    });
    let area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
    // y points down: counter-clockwise in the world is a negative area here.
    if area.abs() < 1e-9 || !area.is_finite() || (closed && area > 0.0) {
        return;
    }
    let low = |k: usize| c[0][k].min(c[1][k]).min(c[2][k]).ceil().max(0.0) as usize;
    let high = |k: usize| c[0][k].max(c[1][k]).max(c[2][k]).floor().min(ROW as f64 - 1.0);
    let (x0, y0, x1, y1) = (low(0), low(1), high(0), high(1));
    if x1 < x0 as f64 || y1 < y0 as f64 {
        return;
    }
    // Each edge's barycentric weight as a x + b y + k.
    let edge = |p: [f64; 3], q: [f64; 3]| [(p[1] - q[1]) / area, (q[0] - p[0]) / area, (p[0] * q[1] - p[1] * q[0]) / area];
    let e = [edge(c[1], c[2]), edge(c[2], c[0]), edge(c[0], c[1])];
    let z: [f64; 3] = std::array::from_fn(|k| e[0][k] * c[0][2] + e[1][k] * c[1][2] + e[2][k] * c[2][2]);
    for y in y0..=y1 as usize {
        // The span of the row in which all three weights are ≥ 0.
        let (mut left, mut right) = (x0 as f64, x1);
        for [a, b, k] in e {
            let rest = b * y as f64 + k;
            if a > 0.0 {
                left = left.max((-rest / a - 1e-9).ceil());
            } else if a < 0.0 {
                right = right.min((-rest / a + 1e-9).floor());
            } else if rest < 0.0 {
                right = -1.0;
            }
        }
        if left > right {
            continue;
        }
        for x in left as usize..=right as usize {
            let inv = (z[0] * x as f64 + z[1] * y as f64 + z[2]) as f32;
            let s = y * ROW + x;
            if inv > depth[s] {
                (depth[s], id[s]) = (inv, name);
            }
        }
    }
}

/// The exact area of a line piece in every pixel of the tile that it touches. The piece is a parallelogram whose ends are cut along
/// the pixel grid's minor axis: neighbours along a strand then meet without overlap, and the areas sum to length × width.
///
/// In one pixel column the strip's centre moves by `slope`, so that its cover in y is a box of the strip's thickness convolved with a box
/// of that movement; P below is the integral of such a box's ramp, and four values of P give the area in a pixel.
pub(super) fn cover(s: &Segment, tile: &Tile, farthest: &[f32], out: &mut Vec<Fragment>) {
    let steep = (s.b.y - s.a.y).abs() > (s.b.x - s.a.x).abs();
    let axes = |p: Vec3| {
        let q = Vec3::new(p.x - tile.x as f32, p.y - tile.y as f32, p.z);
        if steep { Vec3::new(q.y, q.x, q.z) } else { q }
    };
    let (mut a, mut b) = (axes(s.a), axes(s.b));
    let (mut color_a, mut color_b) = (s.color_a, s.color_b);
    if a.x > b.x {
        (a, b) = (b, a);
        (color_a, color_b) = (color_b, color_a);
    }
    let run = b.x - a.x;
    if run < 1e-6 {
        return;
    }
    let slope = (b.y - a.y) / run;
    let thickness = s.width * (1.0 + slope * slope).sqrt();
    let size = TILE as f32;
    let (first, last) = (a.x.max(0.0), b.x.min(size));
    if first >= last {
        return;
    }
    for column in first as usize..(last.ceil() as usize).min(TILE) {
        let (l, r) = (first.max(column as f32), last.min(column as f32 + 1.0));
        let part = r - l;
        if part <= 0.0 {
            continue;
        }
        let t = (0.5 * (l + r) - a.x) / run;
        let middle = a.y + (b.y - a.y) * t;
        let moved = (slope * part).abs();
        let half = 0.5 * (thickness + moved);
        let (low, high) = (middle - half, middle + half);
        if high <= 0.0 || low >= size {
            continue;
        }
        let inv_depth = a.z + (b.z - a.z) * t;
        let ramp = |u: f32| {
            if u >= 0.5 * moved {
                u
            } else if u <= -0.5 * moved {
                0.0
            } else {
                (u + 0.5 * moved).powi(2) / (2.0 * moved)
            }
        };
        let below = |y: f32| ramp(y - middle + 0.5 * thickness) - ramp(y - middle - 0.5 * thickness);
        let color = color_a.lerp(color_b, t);
        for row in low.max(0.0) as usize..(high.ceil() as usize).min(TILE) {
            let alpha = part * (below(row as f32 + 1.0) - below(row as f32));
            let pixel = if steep { column * TILE + row } else { row * TILE + column };
            if alpha > 1e-4 && inv_depth > farthest[pixel] {
                out.push(Fragment { pixel: pixel as u16, inv_depth, alpha: alpha.min(1.0), color });
            }
        }
    }
}

/// Fragment indices grouped by pixel, far to near; equal depths keep the scene's order.
fn by_pixel(fragments: &[Fragment]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; TILE * TILE + 1];
    fragments.iter().for_each(|f| start[f.pixel as usize + 1] += 1);
    for i in 0..TILE * TILE {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut order = vec![0u32; fragments.len()];
    for (i, f) in fragments.iter().enumerate() {
        order[next[f.pixel as usize] as usize] = i as u32;
        next[f.pixel as usize] += 1;
    }
    for p in 0..TILE * TILE {
        let depth = |i: &u32| fragments[*i as usize].inv_depth;
        order[start[p] as usize..start[p + 1] as usize].sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    }
    (order, start)
}
