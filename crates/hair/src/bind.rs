//! Which guides a strand follows.
//!
//! Of the [`CANDIDATES`] guides whose roots are nearest, those on another side of a parting are left
//! out. The triangle of roots that surrounds the strand's root (Delaunay's: no other root lies within
//! its circle) gives the weights, barycentric in its plane. Delaunay's triangles cover the hair
//! without gap, so that weights do not jump from one to the next. Without such a triangle (at the rim
//! of the hair, beside a parting, with one or two guides) up to three guides share by 1/distance².

use crate::nearest::Tree;
use crate::{Followed, Guides, Result, Strands, curve, fail};
use rayon::prelude::*;
use withy_math::Vec3;

/// Guides that a strand is compared with.
pub const CANDIDATES: usize = 12;

/// How strands are bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindOptions {
    /// rad, (0, π]: guides are left out whose direction in the first quarter differs by more from the
    /// strand's, or whose way from root to tip differs by more than the chord of this angle, 2 sin(angle/2), in
    /// lengths of the longer of both.
    pub parting: f64,
}

impl Default for BindOptions {
    fn default() -> Self {
        BindOptions { parting: core::f64::consts::FRAC_PI_3 }
    }
}

impl BindOptions {
    pub(crate) fn check(&self) -> Result<()> {
        match self.parting > 0.0 && self.parting <= core::f64::consts::PI {
            true => Ok(()),
            false => fail(format!("parting is {}: must be more than 0 and at most pi", self.parting)),
        }
    }
}

/// What is compared of a strand.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub root: Vec3<f64>,
    /// From the root to a quarter of its length (less would be that of a curl), of length 1 or 0.
    pub direction: Vec3<f64>,
    /// From root to tip.
    pub way: Vec3<f64>,
}

impl Course {
    pub fn of(points: &[[f64; 3]]) -> Course {
        let n = points.len();
        let root = Vec3::from(points[0]);
        let to = |i: usize| Vec3::from(points[i]) - root;
        let shares = curve::shares_of(points.iter().map(|p| Vec3::from(*p)));
        let first = to(shares.partition_point(|s| *s < 0.25).clamp(1, n - 1));
        Course { root, direction: first.normalized_or(to(n - 1).normalized_or(Vec3::zero())), way: to(n - 1) }
    }
}

pub fn courses(counts: &[u32], positions: &[[f64; 3]]) -> Vec<Course> {
    let mut rest = positions;
    let each = counts.iter().map(|n| {
        let (own, after) = rest.split_at(*n as usize);
        rest = after;
        Course::of(own)
    });
    each.collect()
}

/// The guides, to be asked.
pub struct Field {
    pub courses: Vec<Course>,
    tree: Tree,
    cos: f64,
    chord: f64,
}

/// A triangle of guides that surrounds a root.
#[derive(Clone, Copy, Debug)]
struct Around {
    shares: [f64; 3],
    /// Of its circle, squared.
    radius2: f64,
    is_empty: bool,
}

impl Field {
    pub fn new(guides: &Guides, options: &BindOptions) -> Field {
        let courses = courses(guides.counts, guides.positions);
        let tree = Tree::new(courses.iter().map(|c| c.root.to_array()).collect());
        Field { courses, tree, cos: options.parting.cos(), chord: 2.0 * (0.5 * options.parting).sin() }
    }

    pub fn nearest(&self, p: Vec3<f64>, count: usize, found: &mut Vec<(f64, u32)>) {
        self.tree.nearest(p, count, found);
    }

    /// How far the ways differ, in lengths of the longer one.
    fn difference(&self, a: &Course, b: &Course) -> f64 {
        let longer = a.way.length2().max(b.way.length2()).sqrt();
        if longer > 0.0 { (a.way - b.way).length() / longer } else { 0.0 }
    }

    pub fn is_across(&self, a: &Course, b: &Course) -> bool {
        // A strand without length has no direction, and so no side.
        let turned = a.direction.dot(b.direction) < self.cos && a.direction.length2() > 0.0 && b.direction.length2() > 0.0;
        turned || self.difference(a, b) > self.chord
    }

    /// Guides and weights of a strand.
    pub fn follow(&self, own: &Course, found: &mut Vec<(f64, u32)>) -> Followed {
        self.nearest(own.root, CANDIDATES, found);
        if let Some(best) = found.iter().copied().reduce(|a, b| {
            let d = |x: (f64, u32)| self.difference(own, &self.courses[x.1 as usize]);
            if d(b) < d(a) { b } else { a }
        }) {
            found.retain(|x| !self.is_across(own, &self.courses[x.1 as usize]));
            if found.is_empty() {
                found.push(best);
            }
        }
        if found[0].0 == 0.0 {
            return shares([(found[0].1, 1.0)].into_iter());
        }
        if let Some((of, around)) = self.around(own.root, found) {
            return shares((0..3).map(|k| (found[of[k]].1, around.shares[k])));
        }
        shares(found.iter().take(3).map(|x| (x.1, found[0].0 / x.0)))
    }

    /// The triangle of three of those found that surrounds `p`: the smallest without another in its
    /// circle; if all have, the smallest.
    fn around(&self, p: Vec3<f64>, found: &[(f64, u32)]) -> Option<([usize; 3], Around)> {
        let mut best: Option<([usize; 3], Around)> = None;
        let root = |k: usize| self.courses[found[k].1 as usize].root;
        for c in 2..found.len() {
            for b in 1..c {
                for a in 0..b {
                    let others = (0..found.len()).filter(|k| ![a, b, c].contains(k)).map(root);
                    let Some(new) = triangle(p, [root(a), root(b), root(c)], others) else { continue };
                    let better = best.is_none_or(|(_, old)| (!new.is_empty, new.radius2) < (!old.is_empty, old.radius2));
                    if better {
                        best = Some(([a, b, c], new));
                    }
                }
            }
        }
        best
    }
}

/// Barycentric coordinates of `p`, put down into the plane of a triangle, if it is within.
fn triangle(p: Vec3<f64>, [a, b, c]: [Vec3<f64>; 3], others: impl Iterator<Item = Vec3<f64>>) -> Option<Around> {
    let (u, v, w) = (b - a, c - a, p - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let area2 = uu * vv - uv * uv;
    // What is flatter than 1° has no inside worth the name.
    if area2 <= 3e-4 * uu * vv {
        return None;
    }
    let (wu, wv) = (w.dot(u), w.dot(v));
    let (y, z) = ((vv * wu - uv * wv) / area2, (uu * wv - uv * wu) / area2);
    let x = 1.0 - y - z;
    const RIM: f64 = -1e-9;
    if x < RIM || y < RIM || z < RIM {
        return None;
    }
    // The circle's centre lies at a + s u + t v.
    let (s, t) = (0.5 * vv * (uu - uv) / area2, 0.5 * uu * (vv - uv) / area2);
    let from_a = u * s + v * t;
    let radius2 = from_a.length2();
    let foot = u * y + v * z;
    // Far above or below the triangle: another part of the head.
    if (w - foot).length2() > radius2 {
        return None;
    }
    let centre = a + from_a;
    let is_empty = others.into_iter().all(|o| (o - centre).length2() >= radius2 * (1.0 - 1e-9));
    Some(Around { shares: [x, y, z].map(|s| s.max(0.0)), radius2, is_empty })
}

/// Weights that add up to 1, the largest first; what is below 1e-6 counts for nothing.
pub fn shares(of: impl Iterator<Item = (u32, f64)>) -> Followed {
    let mut list: Vec<(u32, f64)> = of.collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let most = list[0].1;
    list.retain(|x| x.1 > 1e-6 * most);
    let total: f64 = list.iter().map(|x| x.1).sum();
    // Unused ones name the first, whose numbers are at hand.
    let mut f = Followed { guides: [list[0].0; 3], weights: [0.0; 3] };
    let mut rest = 1.0f32;
    for (k, (guide, w)) in list.iter().enumerate().skip(1) {
        f.guides[k] = *guide;
        f.weights[k] = (w / total) as f32;
        rest -= f.weights[k];
    }
    f.weights[0] = rest;
    f
}

pub fn followed(guides: &Guides, strands: &Strands, options: &BindOptions) -> Vec<Followed> {
    let field = Field::new(guides, options);
    let all = courses(strands.counts, strands.positions);
    all.par_iter().map_init(|| Vec::with_capacity(CANDIDATES + 1), |found, own| field.follow(own, found)).collect()
}

/// Whether no other point lies within the circle of a triangle that is not flat.
pub fn is_delaunay([a, b, c]: [Vec3<f64>; 3], others: impl Iterator<Item = Vec3<f64>>) -> bool {
    triangle((a + b + c) * (1.0 / 3.0), [a, b, c], others).is_some_and(|t| t.is_empty)
}
