//! Strands between guides, made.
//!
//! The first strand of each guide is the guide itself. The roots of the others lie in the triangles of
//! guides' roots (Delaunay's, as in [`crate::bind`]), in that third of a triangle that is nearest to
//! their guide; or on the triangles of a scalp. Their shapes are blends of the guides' shapes, and
//! gather towards their own guide at the tip as `clump` says.

use crate::bind::{BindOptions, CANDIDATES, Course, Field, shares};
use crate::{Followed, Guides, MOST_OF_A_STRAND, MOST_VERTICES, Result, check_finite, curve, fail};
use withy_math::Vec3;
use withy_math::rng::Rng;

/// A mesh that roots lie on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalp<'a> {
    /// m
    pub positions: &'a [[f64; 3]],
    pub triangles: &'a [[u32; 3]],
}

/// What strands are made.
#[derive(Clone, Copy, Debug)]
pub struct Scatter<'a> {
    /// Strands for each guide, 1 to 100,000.
    pub per_guide: u32,
    /// Vertices of each strand; 0: as many as its guide has.
    pub vertices: u32,
    /// Other numbers, other hair.
    pub seed: u64,
    /// 0 to 1: how far strands gather at their guide's tip.
    pub clump: f64,
    /// 0 to 0.9: strands are shorter than their guides by up to this share.
    pub shorten: f64,
    /// Where roots lie. Without triangles: between the guides' roots.
    pub scalp: Scalp<'a>,
    /// m: one for all, or none.
    pub widths: &'a [f32],
}

impl Default for Scatter<'_> {
    fn default() -> Self {
        Scatter { per_guide: 16, vertices: 0, seed: 0, clump: 0.3, shorten: 0.1, scalp: Scalp::default(), widths: &[] }
    }
}

impl Scatter<'_> {
    pub(crate) fn check(&self, guides: &Guides) -> Result<()> {
        if !(1..=100_000).contains(&self.per_guide) {
            return fail(format!("per_guide is {}: must be 1 to 100000", self.per_guide));
        }
        if self.vertices == 1 || self.vertices > MOST_OF_A_STRAND {
            return fail(format!("vertices is {}: must be 0 or 2 to {MOST_OF_A_STRAND}", self.vertices));
        }
        let each = |n: &u32| if self.vertices == 0 { *n as usize } else { self.vertices as usize };
        let all = guides.counts.iter().map(each).sum::<usize>().saturating_mul(self.per_guide as usize);
        if all > MOST_VERTICES {
            return fail(format!("per_guide is {}: {all} vertices, {MOST_VERTICES} at most", self.per_guide));
        }
        for (field, x, most) in [("clump", self.clump, 1.0), ("shorten", self.shorten, 0.9)] {
            if !(x >= 0.0 && x <= most) {
                return fail(format!("{field} is {x}: must be 0 to {most}"));
            }
        }
        if self.widths.len() > 1 {
            return fail(format!("widths has {} entries: made strands have 1 for all", self.widths.len()));
        }
        check_finite("scalp_positions", self.scalp.positions)?;
        let n = self.scalp.positions.len();
        match self.scalp.triangles.iter().enumerate().find_map(|(i, t)| Some((i, t.iter().find(|v| **v as usize >= n)?))) {
            Some((i, v)) => fail(format!("scalp_triangles[{i}] has vertex {v}: there are {n}")),
            None => Ok(()),
        }
    }
}

pub struct Made {
    pub counts: Vec<u32>,
    pub positions: Vec<[f64; 3]>,
    pub followed: Vec<Followed>,
}

/// A guide with the shares of its length.
struct Shape<'a> {
    points: &'a [[f64; 3]],
    shares: Vec<f64>,
}

impl Shape<'_> {
    fn at(&self, s: f64) -> Vec3<f64> {
        let at = curve::at(&self.shares, s);
        let mut p = Vec3::zero();
        for (k, w) in at.weights.iter().enumerate().filter(|x| *x.1 != 0.0) {
            p = p + Vec3::from(self.points[at.first as usize + k]) * *w;
        }
        p
    }
}

/// Barycentric numbers, even over a triangle.
fn even(rng: &mut Rng) -> [f64; 3] {
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    [1.0 - u - v, u, v]
}

/// An index, each as often as its share of the sum: `sums` are running totals.
fn pick(sums: &[f64], rng: &mut Rng) -> usize {
    let x = rng.unit() * sums.last().copied().unwrap_or(0.0);
    sums.partition_point(|s| *s <= x).min(sums.len() - 1)
}

fn area(a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

pub fn strands(guides: &Guides, s: &Scatter, options: &BindOptions) -> Result<Made> {
    let field = Field::new(guides, options);
    let mut shapes = Vec::with_capacity(guides.counts.len());
    let mut rest = guides.positions;
    for n in guides.counts {
        let (points, after) = rest.split_at(*n as usize);
        rest = after;
        shapes.push(Shape { points, shares: curve::shares_of(points.iter().map(|p| Vec3::from(*p))) });
    }
    let mut rng = Rng::new(s.seed ^ 0x7363_6174_7465_7221);
    let roots = if s.scalp.triangles.is_empty() { between(&field, s, &mut rng) } else { on_scalp(&field, s, &mut rng)? };
    let mut made = Made { counts: Vec::new(), positions: Vec::new(), followed: Vec::with_capacity(roots.len()) };
    let mut found = Vec::with_capacity(CANDIDATES + 1);
    for (own, root) in roots {
        let guide = &shapes[own as usize];
        let n = if s.vertices == 0 { guide.points.len() } else { s.vertices as usize };
        let (shorten, is_guide) = (s.shorten * rng.unit(), root.is_none());
        made.counts.push(n as u32);
        let Some(root) = root else {
            made.followed.push(shares([(own, 1.0)].into_iter()));
            made.positions.extend((0..n).map(|i| guide.at(i as f64 / (n - 1) as f64).to_array()));
            continue;
        };
        debug_assert!(!is_guide);
        let f = field.follow(&Course { root, ..field.courses[own as usize] }, &mut found);
        let mut aside = root;
        for k in 0..3 {
            aside = aside - Vec3::from(shapes[f.guides[k] as usize].points[0]) * f64::from(f.weights[k]);
        }
        for i in 0..n {
            let t = i as f64 / (n - 1) as f64;
            let mut p = aside;
            for k in (0..3).filter(|k| f.weights[*k] > 0.0) {
                p = p + shapes[f.guides[k] as usize].at(t) * f64::from(f.weights[k]);
            }
            let p = p + (guide.at(t) - p) * (s.clump * t);
            made.positions.push((root + (p - root) * (1.0 - shorten)).to_array());
        }
        made.followed.push(f);
    }
    Ok(made)
}

/// For each strand its guide and its root; no root: the guide itself.
type Roots = Vec<(u32, Option<Vec3<f64>>)>;

fn between(field: &Field, s: &Scatter, rng: &mut Rng) -> Roots {
    let mut roots = Roots::new();
    let mut found = Vec::with_capacity(CANDIDATES + 1);
    for (g, own) in (0u32..).zip(&field.courses) {
        roots.push((g, None));
        field.nearest(own.root, CANDIDATES, &mut found);
        let across = |x: &(f64, u32)| field.is_across(own, &field.courses[x.1 as usize]);
        found.retain(|x| x.1 != g && x.0 > 0.0 && !across(x));
        let near: Vec<Vec3<f64>> = found.iter().map(|x| field.courses[x.1 as usize].root).collect();
        // Triangles at this guide without another root in their circle.
        let (mut fans, mut sums, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for b in 1..near.len() {
            for a in 0..b {
                let others = (0..near.len()).filter(|k| ![a, b].contains(k)).map(|k| near[k]);
                if crate::bind::is_delaunay([own.root, near[a], near[b]], others) {
                    sum += area(own.root, near[a], near[b]);
                    fans.push((near[a], near[b]));
                    sums.push(sum);
                }
            }
        }
        // A guide without triangles stands in the middle of a lock, as wide as the way to the next
        // guide, or as a thirtieth of its own length.
        let wide = match near.first() {
            Some(n) => 0.5 * (*n - own.root).length(),
            None => own.way.length() / 30.0,
        };
        let aside = own.direction.normalized_or(Vec3 { x: 0.0, y: 1.0, z: 0.0 });
        let u = aside.any_perpendicular().normalized_or(Vec3 { x: 1.0, y: 0.0, z: 0.0 });
        let v = aside.cross(u);
        for _ in 1..s.per_guide {
            let root = if fans.is_empty() {
                // Even over a disc.
                loop {
                    let (x, y) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                    if x * x + y * y <= 1.0 {
                        break own.root + (u * x + v * y) * wide;
                    }
                }
            } else {
                let (a, b) = fans[pick(&sums, rng)];
                let mut w = even(rng);
                // The third of the triangle that is the guide's.
                w.sort_unstable_by(f64::total_cmp);
                let [least, middle, most] = w;
                let (x, y) = if rng.unit() < 0.5 { (least, middle) } else { (middle, least) };
                own.root * most + a * x + b * y
            };
            roots.push((g, Some(root)));
        }
    }
    roots
}

/// How far from a guide's root roots on a scalp may lie, in ways to its third neighbour.
const REACH: f64 = 1.2;

fn on_scalp(field: &Field, s: &Scatter, rng: &mut Rng) -> Result<Roots> {
    let mut found = Vec::with_capacity(CANDIDATES + 1);
    let reach: Vec<f64> = field
        .courses
        .iter()
        .map(|c| {
            field.nearest(c.root, 4, &mut found);
            match found.last() {
                Some(x) if x.0 > 0.0 => REACH * x.0.sqrt(),
                _ => c.way.length() / 30.0,
            }
        })
        .collect();
    let widest = reach.iter().copied().fold(0.0, f64::max);
    let corner = |v: u32| Vec3::from(s.scalp.positions[v as usize]);
    let (mut near, mut sums, mut sum) = (Vec::new(), Vec::new(), 0.0);
    for t in s.scalp.triangles {
        let [a, b, c] = t.map(corner);
        let middle = (a + b + c) * (1.0 / 3.0);
        let size = [a, b, c].map(|x| (x - middle).length()).into_iter().fold(0.0, f64::max);
        field.nearest(middle, 1, &mut found);
        let own = area(a, b, c);
        if own > 0.0 && found[0].0.sqrt() <= widest + size {
            sum += own;
            near.push([a, b, c]);
            sums.push(sum);
        }
    }
    let mut roots: Roots = (0..field.courses.len() as u32).map(|g| (g, None)).collect();
    let wanted = field.courses.len() * s.per_guide as usize;
    // Most of the triangles are within reach; where few are, the hair ends up thinner there.
    let mut tries = 64 * wanted;
    while roots.len() < wanted {
        if near.is_empty() || tries == 0 {
            return fail(format!(
                "scalp_triangles: {} of {} strands found a place: the scalp is not where the guides' roots are",
                roots.len(),
                wanted
            ));
        }
        tries -= 1;
        let [a, b, c] = near[pick(&sums, rng)];
        let [x, y, z] = even(rng);
        let root = a * x + b * y + c * z;
        field.nearest(root, 1, &mut found);
        let (square, g) = found[0];
        if square.sqrt() <= reach[g as usize] {
            roots.push((g, Some(root)));
        }
    }
    Ok(roots)
}
