//! Nets: strands that hang on light anchors, junctions and bodies, and that Newton's method solves.
//!
//! Each strand is held near its anchors, and tells what forces and moments would do to its ends
//! (`rods/newton/tie.rs`). The wrenches that bring all ends and anchors together are one system,
//! with six unknowns for each anchor. The next Newton step starts from it (`docs/internals/direct.md`,
//! Attachments).
//!
//! An end gives its anchor f = g + D (w − z): w is where it is, z where the anchor has it, and D
//! the stiffness that holds it there, that of a clamp's half element and, against a gap, any (of
//! the strand's mass over h²); g is the force that leaves no gap. With the response C of the
//! strand's ends, the gaps r, what the motions δ of the anchors do at the ends T, and G = 1 − C D:
//!
//! ```text
//! Δw = C (D T δ − Δg)                           g: forces only
//! C Δg = r − G T δ                              no gap
//! Δf = Gᵀ Δg − D G T δ = Gᵀ C⁻¹ r − K T δ       K = D G + Gᵀ C⁻¹ G
//! M δ / h² = Σ Tᵀ (f + Δf) − what has moved the anchor so far
//! ```
//! M / h² + Σ Tᵀ K T is positive definite, with a block of 6 × 6 for each anchor and for each
//! strand between two of them. It is solved by conjugate gradients. K is the stiffness of the
//! strand and its half elements, whatever D is against a gap. (With Δf as loads alone, the strands
//! of a chain flew at 3,000 m/s.)

use nalgebra::{Matrix3, Matrix6, SMatrix, SVector, Vector6};

use crate::desc::slots::Id;
use crate::math::{Sym3, Vec3};

type Matrix12 = SMatrix<f64, 12, 12>;
type Vector12 = SVector<f64, 12>;

/// Of the residual that the conjugate gradients start with, where they end.
const TOLERANCE: f64 = 1e-10;
/// Their steps, at most; of a small net, two for each unknown.
const MOST_STEPS: usize = 300;

/// One end of a strand.
#[derive(Clone, Copy, Debug)]
pub struct NetEnd {
    pub rods: Id,
    pub strand: u32,
    pub tip: bool,
    /// Whose end it is, and which.
    pub attachment: Id,
    pub number: u32,
    pub anchor: u32,
    /// From the anchor's centre to its point for the end.
    pub arm: Vec3<f64>,
    /// How far the end is from that point, m.
    pub gap: Vec3<f64>,
    /// What it gives the anchor where both are now, N and N m.
    pub gives: [Vec3<f64>; 2],
    /// D: against the gap, N/m, and the half element's, N m; that of a direction that goes free is 0.
    pub hold: f64,
    pub clamp: Sym3<f64>,
    /// Added to C, m/N: less than anything but where nothing moves the end.
    pub least: f64,
}

#[derive(Debug)]
struct Anchor {
    own: Matrix6<f64>,
    /// Of its block; the block, while that is put together.
    inverse: Matrix6<f64>,
    motion: Vector6<f64>,
    rest: Vector6<f64>,
    way: Vector6<f64>,
    product: Vector6<f64>,
}

/// A strand, with one end or both.
#[derive(Debug)]
struct Ray {
    ends: [usize; 2],
    /// K
    stiffness: Matrix12,
    /// Δf and Δg where the anchors stay.
    pull: Vector12,
    close: Vector12,
    /// What δ takes from Δg.
    follow: Matrix12,
}

/// All of it; the memory is kept.
#[derive(Debug, Default)]
pub struct Net {
    ends: Vec<NetEnd>,
    rays: Vec<Ray>,
    anchors: Vec<Anchor>,
}

fn full(s: Sym3<f64>) -> Matrix3<f64> {
    Matrix3::new(s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz)
}

fn stacked([a, b]: [Vec3<f64>; 2]) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

fn parts(v: &Vector6<f64>) -> [Vec3<f64>; 2] {
    [[v[0], v[1], v[2]].into(), [v[3], v[4], v[5]].into()]
}

impl NetEnd {
    /// T: what the anchor's motion does here.
    fn lever(&self, motion: &Vector6<f64>) -> Vector6<f64> {
        let [by, turn] = parts(motion);
        stacked([by + turn.cross(self.arm), turn])
    }
    /// Tᵀ
    fn wrench(&self, f: &Vector6<f64>) -> Vector6<f64> {
        let [force, moment] = parts(f);
        stacked([force, moment + self.arm.cross(force)])
    }
    fn lever_matrix(&self) -> Matrix6<f64> {
        Matrix6::from_columns(&core::array::from_fn::<_, 6, _>(|k| self.lever(&Vector6::ith(k, 1.0))))
    }
}

impl Ray {
    fn half(v: &Vector12, end: usize) -> Vector6<f64> {
        v.fixed_rows::<6>(6 * end).into_owned()
    }
    fn count(&self) -> usize {
        if self.ends[1] == usize::MAX { 1 } else { 2 }
    }

    /// From what the strand tells of its ends: `response(end, part)` is C of its root, 0, of its tip, 1, or of its tip for what acts on its root, 2.
    fn new(ends: [usize; 2], all: &[NetEnd], response: &impl Fn(&NetEnd, usize) -> [f64; 36]) -> Option<Ray> {
        let (mut c, mut d) = (Matrix12::zeros(), Matrix12::zeros());
        let mut r = Vector12::zeros();
        // Forces only.
        let mut force = Matrix12::zeros();
        for (k, end) in ends.iter().enumerate().filter_map(|(k, &i)| Some((k, all.get(i)?))) {
            let at = 6 * k;
            let own = Matrix6::from_column_slice(&response(end, usize::from(end.tip)));
            let mut own = (own + own.transpose()) * 0.5;
            for j in 0..3 {
                own[(j, j)] += end.least;
                d[(at + j, at + j)] = end.hold;
                force[(at + j, at + j)] = 1.0;
            }
            c.fixed_view_mut::<6, 6>(at, at).copy_from(&own);
            d.fixed_view_mut::<3, 3>(at + 3, at + 3).copy_from(&full(end.clamp));
            r.fixed_rows_mut::<3>(at).copy_from(&nalgebra::Vector3::new(end.gap.x, end.gap.y, end.gap.z));
        }
        if let Some(tip) = all.get(ends[1]) {
            // Root first, as the ends are sorted.
            let other = Matrix6::from_column_slice(&response(tip, 2));
            c.fixed_view_mut::<6, 6>(6, 0).copy_from(&other);
            c.fixed_view_mut::<6, 6>(0, 6).copy_from(&other.transpose());
        }
        let g = Matrix12::identity() - c * d;
        let inverse = (force * c * force + (Matrix12::identity() - force)).cholesky()?.inverse();
        let inverse = force * inverse * force;
        let follow = inverse * g;
        let close = inverse * r;
        let stiffness = d * g + g.transpose() * follow;
        let stiffness = (stiffness + stiffness.transpose()) * 0.5;
        let pull = g.transpose() * close;
        let all_known = stiffness.iter().chain(follow.iter()).chain(close.iter()).all(|x| x.is_finite());
        all_known.then_some(Ray { ends, stiffness, pull, close, follow })
    }

    /// T δ
    fn moved(&self, all: &[NetEnd], anchors: &[Anchor], of: fn(&Anchor) -> &Vector6<f64>) -> Vector12 {
        let mut moved = Vector12::zeros();
        for (k, &i) in self.ends.iter().enumerate().take(self.count()) {
            let end = &all[i];
            moved.fixed_rows_mut::<6>(6 * k).copy_from(&end.lever(of(&anchors[end.anchor as usize])));
        }
        moved
    }
}

impl Net {
    /// Memory for as many ends; there are no more strands or anchors.
    pub fn reserve(&mut self, ends: usize) {
        self.ends.reserve(ends.saturating_sub(self.ends.len()));
        self.rays.reserve(ends.saturating_sub(self.rays.len()));
        self.anchors.reserve(ends.saturating_sub(self.anchors.len()));
    }
    pub fn clear(&mut self) {
        self.ends.clear();
        self.rays.clear();
        self.anchors.clear();
    }
    /// An anchor of this mass, kg, and inertia about its centre, kg m², in a substep of `h` seconds. `netted`: the force and moment that have moved it from
    /// where it would have gone by itself, times h²: kg m, kg m².
    pub fn add_anchor(&mut self, mass: f64, inertia: Sym3<f64>, h: f64, netted: [Vec3<f64>; 2]) -> u32 {
        let mut own = Matrix6::zeros();
        own.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * (mass / (h * h))));
        own.fixed_view_mut::<3, 3>(3, 3).copy_from(&(full(inertia) / (h * h)));
        let zero = Vector6::zeros();
        self.anchors.push(Anchor {
            own,
            inverse: own,
            motion: zero,
            rest: stacked(netted) * (-1.0 / (h * h)),
            way: zero,
            product: zero,
        });
        self.anchors.len() as u32 - 1
    }
    pub fn add_end(&mut self, end: NetEnd) {
        self.ends.push(end);
    }

    /// Pairs the ends of a strand. `response`: see [`Ray::new`].
    pub fn gather(&mut self, response: impl Fn(&NetEnd, usize) -> [f64; 36]) {
        self.ends.sort_unstable_by_key(|e| (e.rods.index, e.rods.generation, e.strand, e.tip));
        let mut i = 0;
        while i < self.ends.len() {
            let (a, b) = (&self.ends[i], self.ends.get(i + 1));
            let pair = b.is_some_and(|b| (b.rods, b.strand) == (a.rods, a.strand));
            let ends = [i, if pair { i + 1 } else { usize::MAX }];
            self.rays.extend(Ray::new(ends, &self.ends, &response));
            i += 1 + usize::from(pair);
        }
    }

    /// The product of the system with the ways, and their scalar product.
    fn multiply(&mut self) -> f64 {
        for a in &mut self.anchors {
            a.product = a.own * a.way;
        }
        for ray in &self.rays {
            let f = ray.stiffness * ray.moved(&self.ends, &self.anchors, |a| &a.way);
            for (k, &i) in ray.ends.iter().enumerate().take(ray.count()) {
                let end = &self.ends[i];
                self.anchors[end.anchor as usize].product += end.wrench(&Ray::half(&f, k));
            }
        }
        self.anchors.iter().map(|a| a.way.dot(&a.product)).sum()
    }

    /// δ of all anchors.
    pub fn solve(&mut self) {
        for ray in &self.rays {
            for (k, &i) in ray.ends.iter().enumerate().take(ray.count()) {
                let (end, t) = (&self.ends[i], self.ends[i].lever_matrix());
                let anchor = &mut self.anchors[end.anchor as usize];
                let block = ray.stiffness.fixed_view::<6, 6>(6 * k, 6 * k);
                anchor.inverse += t.transpose() * block * t;
                anchor.rest += end.wrench(&(stacked(end.gives) + Ray::half(&ray.pull, k)));
            }
        }
        let mut left = 0.0;
        for a in &mut self.anchors {
            a.inverse = a.inverse.cholesky().map_or(Matrix6::zeros(), |c| c.inverse());
            a.way = a.inverse * a.rest;
            left += a.rest.dot(&a.way);
        }
        let first = left;
        for _ in 0..MOST_STEPS.min(12 * self.anchors.len()) {
            let steep = self.multiply();
            // Also where it is not a number.
            if !(left > TOLERANCE * TOLERANCE * first && steep > 0.0) {
                break;
            }
            let step = left / steep;
            let mut now = 0.0;
            for a in &mut self.anchors {
                a.motion += a.way * step;
                a.rest -= a.product * step;
                a.product = a.inverse * a.rest;
                now += a.rest.dot(&a.product);
            }
            let keep = now / left;
            for a in &mut self.anchors {
                a.way = a.product + a.way * keep;
            }
            left = now;
        }
        for a in &mut self.anchors {
            if !a.motion.iter().all(|x| x.is_finite()) {
                a.motion = Vector6::zeros();
            }
        }
    }

    /// How an anchor moves and turns.
    pub fn motion(&self, anchor: u32) -> [Vec3<f64>; 2] {
        parts(&self.anchors[anchor as usize].motion)
    }

    /// How far the anchor that turned most has turned, rad.
    pub fn largest_turn(&self) -> f64 {
        self.anchors.iter().map(|a| parts(&a.motion)[1].length()).fold(0.0, f64::max)
    }

    /// `put(attachment, number of the end, Δg)`
    pub fn changes(&self, mut put: impl FnMut(Id, u32, Vec3<f64>)) {
        for ray in &self.rays {
            let moved = ray.moved(&self.ends, &self.anchors, |a| &a.motion);
            let g = ray.close - ray.follow * moved;
            for (k, &i) in ray.ends.iter().enumerate().take(ray.count()) {
                let end = &self.ends[i];
                let [closes, _] = parts(&Ray::half(&g, k));
                put(end.attachment, end.number, if closes.length2().is_finite() { closes } else { Vec3::zero() });
            }
        }
    }
}
