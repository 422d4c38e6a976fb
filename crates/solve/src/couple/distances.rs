//! How far pills are apart, several pairs at a time: what `collide/narrow/round.rs` does for one, without branches, in places from the first end of the one.
//!
//! ```text
//! inside   the axes' common tangent plane touches both: n·u = −k_a, n·v = k_b      where it touches within both
//! rim      each end of the one, and the place on the other that it is nearest to   four of them, else
//! ```

use super::meet::{Meeting, Pair};
use super::near::Near;
use super::strands::{RodVertex, Strands};
use crate::math::rows::{Cursor, InRows, Line, WIDTH, in_rows};
use crate::math::{Gather, Isa, Lane, Vec3};

/// Two pills: from the first end of the one to its other end, to both of the other pill, and their radii, m.
#[derive(Clone, Copy, Debug)]
struct Ends<T> {
    a: Vec3<T>,
    b: [Vec3<T>; 2],
    radius: [T; 4],
}

/// Where they are nearest, in parts of both, the unit normal from the one to the other, and the separation, m. The normal is zero where the axes meet.
#[derive(Clone, Copy, Debug)]
struct Found<T> {
    share: [T; 2],
    normal: Vec3<T>,
    apart: T,
}

in_rows! {
    Ends<L> { a: Vec3<L>, b: [Vec3<L>; 2], radius: [L; 4] }
    Found<L> { share: [L; 2], normal: Vec3<L>, apart: L }
}

const ENDS_ROWS: usize = <Ends<f32> as InRows<f32>>::ROWS;
const FOUND_ROWS: usize = <Found<f32> as InRows<f32>>::ROWS;

/// The same of one pair.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    pub share: [f64; 2],
    pub normal: Vec3<f64>,
    pub apart: f64,
}

/// The distances of a list of pairs.
#[derive(Debug, Default)]
pub struct Distances {
    pairs: usize,
    ends: Vec<Line<f32>>,
    found: Vec<Line<f32>>,
}

/// A pill: its first end, unit axis, length, radius there and how that grows; and the slope's sine over its cosine. One of whose ends holds the other is a sphere.
#[derive(Clone, Copy)]
struct Pill<L> {
    first: Vec3<L>,
    axis: Vec3<L>,
    length: L,
    radius: L,
    slope: L,
    lean: L,
    /// 1 over the length of the axis, and of a sphere which end it is.
    inv: L,
    end: L,
}

impl<L: Lane> Pill<L> {
    #[inline(always)]
    fn new(ends: [Vec3<L>; 2], radii: [L; 2]) -> Self {
        let (zero, one) = (L::zero(), L::one());
        let along = ends[1] - ends[0];
        let (length, growth) = (along.length(), radii[1] - radii[0]);
        let least = (radii[0] + radii[1]) * L::constant(1e-5);
        let is_pill = L::both(least.lt(length), growth.abs().lt(length * L::constant(1.0 - 1e-6)));
        let inv = L::select(is_pill, one / length.max(L::constant(1e-30)), zero);
        let slope = growth * inv;
        let second = L::select(is_pill, zero, L::select(zero.lt(growth), one, zero));
        Pill {
            first: ends[0] + along * second,
            axis: along * inv,
            length: L::select(is_pill, length, zero),
            radius: radii[0] + growth * second,
            slope,
            lean: slope / (one - slope * slope).max(L::constant(1e-12)).sqrt(),
            inv,
            end: second,
        }
    }
    #[inline(always)]
    fn center(&self, y: L) -> Vec3<L> {
        self.first + self.axis * y
    }
    /// Where it is nearest to a point.
    #[inline(always)]
    fn toward(&self, x: Vec3<L>) -> L {
        let w = x - self.first;
        let y = self.axis.dot(w);
        let y = y + self.lean * (w - self.axis * y).length();
        y.min(self.length).max(L::zero())
    }
    #[inline(always)]
    fn part(&self, y: L) -> L {
        y * self.inv + self.end
    }
}

/// The best so far.
#[derive(Clone, Copy)]
struct Best<L> {
    y: L,
    z: L,
    apart: L,
    way: Vec3<L>,
}

impl<L: Lane> Best<L> {
    #[inline(always)]
    fn at(a: &Pill<L>, b: &Pill<L>, y: L, z: L) -> Self {
        let way = b.center(z) - a.center(y);
        let radii = (a.radius + a.slope * y) + (b.radius + b.slope * z);
        Best { y, z, apart: way.length() - radii, way }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let less = other.apart.lt(self.apart);
        Best {
            y: L::select(less, other.y, self.y),
            z: L::select(less, other.z, self.z),
            apart: L::select(less, other.apart, self.apart),
            way: Vec3::select(less, other.way, self.way),
        }
    }
}

#[inline(always)]
fn distance<L: Lane>(e: &Ends<L>) -> Found<L> {
    let (zero, one) = (L::zero(), L::one());
    let a = Pill::new([Vec3::zero(), e.a], [e.radius[0], e.radius[1]]);
    let b = Pill::new(e.b, [e.radius[2], e.radius[3]]);
    // The stationary point of |q(z) − p(y)| − radii.
    let (kp, kq, c) = (a.slope, b.slope, a.axis.dot(b.axis));
    let m = a.axis.cross(b.axis);
    let slant = m.length2();
    let inv = one / slant.max(L::constant(1e-12));
    let (alpha, beta) = ((zero - kp - c * kq) * inv, (kq + c * kp) * inv);
    let left = one + alpha * kp - beta * kq;
    let w = b.first - a.first;
    let wm = w.dot(m);
    let size = (left.max(zero) * inv).sqrt();
    let gamma = L::select(wm.lt(zero), zero - size, size);
    let lambda = L::select(zero.lt(size), wm * inv / L::select(zero.lt(size), gamma, one), zero);
    let (wu, wv) = (w.dot(a.axis), w.dot(b.axis));
    let z = (lambda * (kq + c * kp) - wv + c * wu) * inv;
    let y = wu + z * c + lambda * kp;
    let solved = L::both(L::constant(1e-6).lt(slant), zero.lt(left));
    let within = L::both(L::both((zero - y).lt(zero), y.lt(a.length)), L::both((zero - z).lt(zero), z.lt(b.length)));
    let inside = L::both(solved, within);
    let (y, z) = (L::select(inside, y, zero), L::select(inside, z, zero));
    let mut best = Best::at(&a, &b, y, z);
    // Any of the rim is better than what is not inside.
    best.apart = L::select(inside, best.apart, L::constant(1e30));
    let clear = L::both(inside, L::constant(1e-3).lt(slant));
    let plane = a.axis * alpha + b.axis * beta + m * gamma;
    let stationary = best;
    best = best.or(Best::at(&a, &b, a.toward(b.first), zero));
    best = best.or(Best::at(&a, &b, a.toward(b.center(b.length)), b.length));
    best = best.or(Best::at(&a, &b, zero, b.toward(a.first)));
    best = best.or(Best::at(&a, &b, a.length, b.toward(a.center(a.length))));
    // Convex: no rim is nearer than what is inside, but by rounding.
    best.y = L::select(clear, stationary.y, best.y);
    best.z = L::select(clear, stationary.z, best.z);
    best.apart = L::select(clear, stationary.apart, best.apart);
    let way = Vec3::select(clear, stationary.way, best.way);
    let length = way.length();
    let radii = e.radius[0].max(e.radius[1]) + e.radius[2].max(e.radius[3]);
    let meets = length.lt(radii * L::constant(1e-4));
    let normal = Vec3::select(clear, plane, way * (one / length.max(L::constant(1e-30))));
    Found { share: [a.part(best.y), b.part(best.z)], normal: Vec3::select(meets, Vec3::zero(), normal), apart: best.apart }
}

/// # Safety
/// The instruction set of the type is available, and enabled in the caller.
#[inline(always)]
unsafe fn all<L: Gather<Elem = f32>>(d: &mut Distances) {
    for block in 0..d.pairs.div_ceil(WIDTH) {
        for first in (0..WIDTH.min(d.pairs - block * WIDTH)).step_by(L::N) {
            // SAFETY: each block has its rows.
            unsafe {
                let ends = d.ends.as_mut_ptr().add(block * ENDS_ROWS).cast::<f32>().add(first);
                let found = d.found.as_mut_ptr().add(block * FOUND_ROWS).cast::<f32>().add(first);
                Cursor::<L>(found).write(distance(&Cursor::<L>(ends).read::<Ends<L>>()));
            }
        }
    }
}

withy_math::by_instruction_set! {
    /// # Safety
    /// `isa` is available; that of [`all`].
    unsafe fn run(distances: &mut Distances) = all; avx512 = F32x16
}

impl Distances {
    /// Of all pairs that are listed and have not been looked at in the substep `when`, where they are when it begins. In f64 one after the other.
    pub fn of_listed(&mut self, strands: &Strands, near: &Near, when: u32, (isa, is_double): (Isa, bool)) {
        self.pairs = 0;
        if !is_double {
            self.find(isa, &strands.vertices, near.listed_not_in(when));
        }
    }

    /// Pair `k` of these, when the substep begins.
    pub fn start(&self, k: usize, pair: &Pair) -> Meeting {
        let known = if k < self.pairs { self.get(k) } else { None };
        known.map_or_else(|| pair.nearest(0.0), |found| pair.start(&found))
    }

    /// Of pairs of edges, where both are now.
    fn find(&mut self, isa: Isa, vertices: &[RodVertex], pairs: impl Iterator<Item = [u32; 2]>) {
        self.pairs = 0;
        self.ends.clear();
        let mut block = [Line([0.0; WIDTH]); ENDS_ROWS];
        for [a, b] in pairs {
            let (a, b) = (&vertices[a as usize..a as usize + 2], &vertices[b as usize..b as usize + 2]);
            let lane = self.pairs % WIDTH;
            let from = |x: Vec3<f64>| {
                let d = x - a[0].x;
                [d.x as f32, d.y as f32, d.z as f32]
            };
            let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (from(a[1].x), from(b[0].x), from(b[1].x));
            let radii = [a[0].radius, a[1].radius, b[0].radius, b[1].radius].map(|r| r as f32);
            let values = [ax, ay, az, bx, by, bz, cx, cy, cz, radii[0], radii[1], radii[2], radii[3]];
            for (row, value) in block.iter_mut().zip(values) {
                row.0[lane] = value;
            }
            self.pairs += 1;
            if lane + 1 == WIDTH {
                self.ends.extend_from_slice(&block);
            }
        }
        if !self.pairs.is_multiple_of(WIDTH) {
            // What is left over of a block is not looked at.
            self.ends.extend_from_slice(&block);
        }
        self.found.resize(self.pairs.div_ceil(WIDTH) * FOUND_ROWS, Line([0.0; WIDTH]));
        // SAFETY: a world has only instruction sets that the processor has.
        unsafe { run(isa, self) }
    }

    /// Of pair `k` of the list. `None` where the axes meet, or something is not a number.
    fn get(&self, k: usize) -> Option<Distance> {
        let rows = &self.found[k / WIDTH * FOUND_ROWS..][..FOUND_ROWS];
        let [s, t, x, y, z, apart] = [0, 1, 2, 3, 4, 5].map(|r| f64::from(rows[r].0[k % WIDTH]));
        let normal = Vec3 { x, y, z };
        let found = Distance { share: [s, t], normal, apart };
        (normal.length2() > 0.5 && apart.is_finite() && s.is_finite() && t.is_finite()).then_some(found)
    }

    pub fn memory_bytes(&self) -> usize {
        (self.ends.capacity() + self.found.capacity()) * size_of::<Line<f32>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::narrow::pills;
    use crate::math::rng::Rng;

    /// Pills of all kinds, also spheres and such that hold their other end, against the closed form in f64.
    #[test]
    fn distances_are_those_of_single_pairs() {
        let mut rng = Rng::new(7);
        let mut between = |low: f64, high: f64| rng.range(low, high);
        let mut vertices = Vec::new();
        for k in 0..4000 {
            let at = Vec3 { x: between(-0.1, 0.1), y: between(-0.1, 0.1), z: between(-0.1, 0.1) };
            let mut radius = between(0.002, 0.02);
            if k % 7 == 0 {
                radius = 0.06;
            }
            let next = at + Vec3 { x: between(-0.05, 0.05), y: between(-0.05, 0.05), z: between(-0.05, 0.05) };
            for (x, radius) in [(at, radius), (if k % 11 == 0 { at } else { next }, between(0.002, 0.02))] {
                vertices.push(RodVertex { x, radius, ..RodVertex::default() });
            }
        }
        let pairs: Vec<[u32; 2]> = (0..2000).map(|k| [4 * k, 4 * k + 2]).collect();
        let (mut all, mut met) = (Distances::default(), 0);
        for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
            all.find(isa, &vertices, pairs.iter().copied());
            for (k, &[a, b]) in pairs.iter().enumerate() {
                let of = |v: u32| [0, 1].map(|k| &vertices[v as usize + k]);
                let (a, b) = (of(a), of(b));
                let exact = pills(a.map(|v| v.x), a.map(|v| v.radius), b.map(|v| v.x), b.map(|v| v.radius));
                let Some(found) = all.get(k) else {
                    met += 1;
                    continue;
                };
                assert!((found.apart - exact.separation).abs() < 2e-6, "{k}: {found:?} {exact:?}");
                // Where one end holds the other or both are parallel, there is no one place.
                let place = |s: f64, v: [&RodVertex; 2]| v[0].x * (1.0 - s) + v[1].x * s;
                let at = |s: [f64; 2]| place(s[1], b) - place(s[0], a);
                assert!((at(found.share) - at(exact.share)).length() < 2e-4, "{k}: {found:?} {exact:?}");
                assert!((found.normal - exact.normal).length() < 2e-3, "{k}: {found:?} {exact:?}");
            }
        }
        assert!(met < 20, "{met}");
    }
}
