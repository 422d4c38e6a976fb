//! A closed surface around strands of pills that is smooth where strands meet: where their blended distances are zero, meshed by surface nets.
//!
//! Based on S. Gibson, "Constrained elastic surface nets", MICCAI 1998. Distances blend by −k ln Σ exp(−d/k) over strands; of a strand the nearest
//! pill counts.

use crate::Result;
use glam::{DVec3, IVec3};
use rayon::prelude::*;
use withy::skin::{BindOptions, Mesh, Skin, Strands};

/// The hull of two spheres.
#[derive(Clone, Copy, Debug)]
pub struct Pill {
    pub a: DVec3,
    pub b: DVec3,
    pub radii: [f64; 2],
}

impl Pill {
    /// Negative inside. Between the spheres is the cone that touches both.
    fn distance(&self, p: DVec3) -> f64 {
        let (way, slope) = (self.b - self.a, self.radii[0] - self.radii[1]);
        let length = way.length();
        if length <= slope.abs() {
            return (p.distance(self.a) - self.radii[0]).min(p.distance(self.b) - self.radii[1]);
        }
        let along = (p - self.a).dot(way) / length;
        let aside = ((p - self.a).length_squared() - along * along).max(0.0).sqrt();
        let (sin, cos) = (slope / length, (1.0 - (slope / length).powi(2)).sqrt());
        // Where the wall's normal through the point meets the axis.
        match along - aside * sin / cos {
            t if t <= 0.0 => p.distance(self.a) - self.radii[0],
            t if t >= length => p.distance(self.b) - self.radii[1],
            _ => aside * cos + along * sin - self.radii[0],
        }
    }
}

/// The pills of a strand with these vertices and radii.
pub fn pills(points: &[DVec3], radii: &[f64]) -> Vec<Pill> {
    let pair = |(p, r): (&[DVec3], &[f64])| Pill { a: p[0], b: p[1], radii: [r[0], r[1]] };
    points.windows(2).zip(radii.windows(2)).map(pair).collect()
}

/// Strands of pills, and over which length they blend, m.
#[derive(Clone, Debug)]
pub struct Blend {
    pub strands: Vec<Vec<Pill>>,
    pub over: f64,
}

impl Blend {
    fn distance(&self, p: DVec3) -> f64 {
        let nearest = |s: &Vec<Pill>| s.iter().map(|pill| pill.distance(p)).fold(f64::MAX, f64::min);
        -self.over * self.strands.iter().map(|s| (-nearest(s) / self.over).exp()).sum::<f64>().ln()
    }

    fn gradient(&self, p: DVec3) -> DVec3 {
        let h = 1e-2 * self.over;
        let along = |axis: DVec3| (self.distance(p + axis * h) - self.distance(p - axis * h)) / (2.0 * h);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }

    /// One of Newton's steps towards the surface.
    fn nearer(&self, p: DVec3) -> DVec3 {
        let g = self.gradient(p);
        p - g * (self.distance(p) / g.length_squared().max(0.1))
    }

    /// A point of the surface near this one.
    pub fn onto(&self, p: DVec3) -> DVec3 {
        (0..20).fold(p, |p, _| self.nearer(p))
    }

    /// The surface in cells of this size, m: points, and triangles that are counterclockwise from outside.
    pub fn mesh(&self, cell: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (points, triangles) = Grid::new(self, cell).net();
        let points = (0..SMOOTH).fold(points, |p, _| self.smoothed(&p, &triangles));
        (points, triangles)
    }

    /// Each point at the mean of its neighbours, and from there back to the surface.
    fn smoothed(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
        let mut sums = vec![(DVec3::ZERO, 0.0); points.len()];
        for t in triangles {
            for k in 0..3 {
                let (sum, count) = &mut sums[t[k] as usize];
                *sum += points[t[(k + 1) % 3] as usize] + points[t[(k + 2) % 3] as usize];
                *count += 2.0;
            }
        }
        sums.into_par_iter().map(|(sum, count)| self.nearer(self.nearer(sum / count))).collect()
    }
}

/// How often points are smoothed.
const SMOOTH: usize = 4;

/// Distances at the corners of cells, more than a cell around everything.
struct Grid {
    first: DVec3,
    cell: f64,
    size: IVec3,
    values: Vec<f64>,
}

impl Grid {
    fn new(blend: &Blend, cell: f64) -> Grid {
        let (mut low, mut high) = (DVec3::MAX, DVec3::MIN);
        for pill in blend.strands.iter().flatten() {
            for (p, r) in [(pill.a, pill.radii[0]), (pill.b, pill.radii[1])] {
                (low, high) = (low.min(p - r), high.max(p + r));
            }
        }
        // Where strands meet the surface lies farther out.
        let margin = 2.0 * cell + blend.over * (blend.strands.len() as f64).ln();
        let first = low - margin;
        let size = ((high + margin - first) / cell).ceil().as_ivec3() + 1;
        let mut grid = Grid { first, cell, size, values: Vec::new() };
        let count = (size.x * size.y * size.z) as usize;
        grid.values = (0..count).into_par_iter().map(|i| blend.distance(grid.point(grid.corner(i)))).collect();
        grid
    }
    fn corner(&self, i: usize) -> IVec3 {
        let i = i as i32;
        IVec3::new(i % self.size.x, i / self.size.x % self.size.y, i / (self.size.x * self.size.y))
    }
    fn index(&self, c: IVec3) -> usize {
        (c.x + self.size.x * (c.y + self.size.y * c.z)) as usize
    }
    fn point(&self, c: IVec3) -> DVec3 {
        self.first + c.as_dvec3() * self.cell
    }

    /// Where the surface crosses the edge between two corners.
    fn crossing(&self, a: IVec3, b: IVec3) -> Option<DVec3> {
        let [x, y] = [a, b].map(|c| self.values[self.index(c)]);
        ((x < 0.0) != (y < 0.0)).then(|| self.point(a).lerp(self.point(b), x / (x - y)))
    }

    /// The point of a cell: the mean of the crossings of its edges.
    fn middle(&self, cell: IVec3) -> Option<DVec3> {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for axis in 0..3 {
            for k in 0..4 {
                let a = cell + AXES[(axis + 1) % 3] * (k % 2) + AXES[(axis + 2) % 3] * (k / 2);
                if let Some(p) = self.crossing(a, a + AXES[axis]) {
                    (sum, count) = (sum + p, count + 1.0);
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    fn net(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (mut points, mut number) = (Vec::new(), vec![u32::MAX; self.values.len()]);
        let inner: Vec<IVec3> = (0..self.values.len())
            .map(|i| self.corner(i))
            .filter(|c| c.cmpgt(IVec3::ZERO).all() && (*c + 1).cmplt(self.size).all())
            .collect();
        for &cell in &inner {
            if let Some(p) = self.middle(cell) {
                number[self.index(cell)] = points.len() as u32;
                points.push(p);
            }
        }
        let mut triangles = Vec::new();
        for &corner in &inner {
            for axis in 0..3 {
                if self.crossing(corner, corner + AXES[axis]).is_none() {
                    continue;
                }
                // The four cells around the edge, counterclockwise about it.
                let [u, v] = [AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]];
                let [a, b, c, d] = [corner - u - v, corner - v, corner, corner - u].map(|c| number[self.index(c)]);
                let outwards = self.values[self.index(corner)] < 0.0;
                triangles.extend(if outwards { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
        (points, triangles)
    }
}

const AXES: [IVec3; 3] = [IVec3::X, IVec3::Y, IVec3::Z];

/// The edges that each vertex of a mesh holds on to, and its weights.
pub type Anchors = (Vec<[u32; 4]>, Vec<[f64; 4]>);

/// Of a mesh around strands with these vertices and radii.
pub fn weights(mesh: &Mesh, counts: &[u32], points: &[DVec3], radii: &[f64], options: &BindOptions) -> Result<Anchors> {
    let positions: Vec<[f64; 3]> = points.iter().map(DVec3::to_array).collect();
    let frames = vec![[0.0, 0.0, 0.0, 1.0]; points.len() - counts.len()];
    let skin = Skin::bind(mesh, &Strands { counts, positions: &positions, radii, frames: &frames }, options)?;
    let anchors = |v: usize| skin.anchors(v);
    Ok((0..skin.vertices()).map(anchors).map(|a| (a.map(|a| a.edge), a.map(|a| a.weight))).unzip())
}

/// The volume within a closed surface.
pub fn volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let cone = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(cone).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::f64::consts::PI;

    /// A pill's surface is closed, faces outwards, and holds the pill's volume.
    #[test]
    fn a_pill_is_meshed() {
        let (r, length) = (0.02, 0.1);
        let strand = pills(&[DVec3::new(0.01, 0.0, 0.0), DVec3::new(0.01, length, 0.0)], &[r, r]);
        let (points, triangles) = Blend { strands: vec![strand], over: 0.01 }.mesh(0.004);
        let mut sides: HashMap<[u32; 2], i32> = HashMap::new();
        for t in &triangles {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                *sides.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        }
        assert!(sides.values().all(|s| *s == 0));
        let right = PI * r * r * (length + 4.0 / 3.0 * r);
        let got = volume(&points, &triangles);
        assert!((got / right - 1.0).abs() < 0.02, "{got}, should be {right}");
    }
}
