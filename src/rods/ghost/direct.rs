//! Ghost-point rods, solved directly: the step that the constraints of `kernels` approach sweep by sweep, as one Newton step.
//!
//! A compliant constraint C with compliance c has the energy C²/2c, so a substep minimises ½|q − q*|²_M/h² + Σ C²/2c over what can
//! move. The bisector and the distance of a ghost point have no compliance: it stays where its edge's frame puts it, and of its
//! three unknowns one is left, the turn θ of the frame. Unknowns and element are then those of `rods::der` with Ψ for strain:
//! (x₀, θ₀, x₁, θ₁, …), half-bandwidth 10, LDLᵀ in place. Derivation: `docs/direct.md`.

// Indices name rows and columns of small matrices here.
#![allow(clippy::needless_range_loop)]

use super::drive::{Group, Settings, mass};
use super::kernels::{EdgeFrame, edge_frame};
use crate::layout::{param, state};
use crate::math::vec3::vec3;
use crate::math::{Lane, Real, Vec3};
use crate::rods::der::kernels::{
    ElementRest, Frame, Mat3, Relative, bend_twist_darboux, local_gradient, local_hessian, stretch, world_hessian,
};
use crate::world::desc::EndSupport;

/// Entries of a row of the upper band.
const BAND: usize = 11;
/// Numbers a vertex: four rows of the band, four right-hand sides, four of where inertia alone would go, the inertia of the
/// vertex and of the edge.
pub const SCRATCH_ROWS: usize = 4 * BAND + 10;
const RHS: usize = 4 * BAND;
const COAST: usize = RHS + 4;
const INERTIA: usize = COAST + 4;

/// What holds an unknown, against numbers of at most 1e10.
const HELD: f64 = 1e30;

/// Stands in for a compliance of 0 where there is nothing to hold either: in the padding of shorter strands.
const NOTHING: f64 = 1e-30;

/// The largest |Ψ|/2 = tan(θ/2), 169°. Ψ grows without bound towards a half turn, and its Jacobian with its square: beyond this
/// the element pulls back as it does here.
const LARGEST_HALF: f64 = 10.0;

/// Ψ of an element.
#[inline(always)]
fn bounded_darboux<L: Real>(q: &Relative<L>) -> Vec3<L> {
    let g = q.half_darboux();
    let most = L::constant(LARGEST_HALF);
    let size = g.length2().max(L::constant(1e-30)).sqrt();
    g * (L::constant(2.0) * (most / size).min(L::one()))
}

/// An edge as the elements at both of its ends see it.
#[derive(Clone, Copy)]
struct Edge<L> {
    frame: Frame<L>,
    inv_length: L,
}

#[inline(always)]
fn as_frame<L: Real>(f: &EdgeFrame<L>) -> Frame<L> {
    Frame { m1: f.d1, m2: f.d2, t: f.d3 }
}

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn band(&self, i: usize, k: usize) -> L {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.scratch.is_null());
        // SAFETY: the type's contract; direct rods have a scratch.
        unsafe { L::load(self.scratch.add((i * SCRATCH_ROWS + k) * W)) }
    }
    #[inline(always)]
    fn set_band(&mut self, i: usize, k: usize, v: L) {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.scratch.is_null());
        // SAFETY: as in `band`.
        unsafe { v.store(self.scratch.add((i * SCRATCH_ROWS + k) * W)) }
    }
    #[inline(always)]
    fn add_band(&mut self, i: usize, k: usize, v: L) {
        self.set_band(i, k, self.band(i, k) + v);
    }
    #[inline(always)]
    fn put(&mut self, i: usize, a: usize, j: usize, b: usize, v: L) {
        self.add_band(i, a * BAND + 4 * (j - i) + b - a, v);
    }
    #[inline(always)]
    fn put_block(&mut self, i: usize, j: usize, m: &Mat3<L>) {
        for a in 0..3 {
            let row = [m[a].x, m[a].y, m[a].z];
            for b in 0..3 {
                if j > i || b >= a {
                    self.put(i, a, j, b, row[b]);
                }
            }
        }
    }
    #[inline(always)]
    fn pull(&mut self, i: usize, f: Vec3<L>) {
        self.add_band(i, RHS, f.x);
        self.add_band(i, RHS + 1, f.y);
        self.add_band(i, RHS + 2, f.z);
    }

    /// Mass of a vertex with its share of the ghost points, kg; nothing for what the host holds.
    #[inline(always)]
    fn lumped(&self, i: usize, edges: L) -> L {
        let half = L::constant(0.5);
        let before = if i > 0 { mass(self.p(i - 1, param::WG)) * self.on(i - 1, edges) } else { L::zero() };
        let after = if i + 1 < self.vertices { mass(self.p(i, param::WG)) * self.on(i, edges) } else { L::zero() };
        mass(self.p(i, param::W)) + half * (before + after)
    }

    #[inline(always)]
    fn frame_now(&self, i: usize) -> EdgeFrame<L> {
        let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
        let (u0, u1, gu) = (self.get3(i, state::U), self.get3(i + 1, state::U), self.get3(i, state::GU));
        let (e, g) = Self::edge_vectors(x0, u0, x1, u1, gx, gu);
        edge_frame(e, g)
    }

    /// The smallest compliance that is taken, as a part of h²/m: stiffer is not distinguishable from rigid at this time step
    /// (an edge gives by 1e-5 h² g under the weight of one vertex), and would drown the inertia in the rounding of f32.
    #[inline(always)]
    fn rigid() -> L {
        L::constant(if core::mem::size_of::<L::Elem>() == 4 { 1e-5 } else { 1e-10 })
    }

    /// Rest and stiffness of the element at vertex `i`; `inv_length` is
    /// that of the shorter edge, `on` 1 or 0.
    #[inline(always)]
    fn element_rest(&self, i: usize, edge: usize, inv_length: L, h2: L, on: L) -> ElementRest<L> {
        let (psi, c) = (self.p3(i, param::PSI), self.p3(i, param::BEND));
        let w = self.p(edge, param::W).max(self.p(edge + 1, param::W));
        let ghost = self.p(edge, param::GHOST);
        let bend = Self::rigid() * h2 * w * inv_length * inv_length;
        let turn = Self::rigid() * h2 * self.p(edge, param::WG) / (ghost * ghost).max(L::constant(1e-30));
        let (o, nothing) = (L::zero(), L::constant(NOTHING));
        ElementRest {
            kappa: [psi.x, psi.y, o, o],
            twist: psi.z,
            bend: [on / c.x.max(bend).max(nothing), on / c.y.max(bend).max(nothing), o, o],
            turn: on / c.z.max(turn).max(nothing),
        }
    }

    /// Where inertia alone would go, and the host takes what it holds, from what `predict` left. The first guess is the state as
    /// it was: a rod at rest is then left at rest, to the last bit of the model, by a single Newton step. (From where inertia
    /// goes, the step's own error of second order acts like h²g/l of the weight.) A ghost point stands for a section that
    /// is balanced about the axis: half of its mass is on either end of its edge, its motion along d² against the midpoint is a
    /// turn, and neither gravity nor a force on the vertices turns it.
    #[inline(always)]
    pub(super) fn start_newton(&mut self, h: L) {
        let edges = self.edge_count();
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        // Momentum of the ghost points on the vertex, over h.
        let mut carried = Vec3::zero();
        for i in 0..self.vertices {
            let w = self.p(i, param::W);
            let u = self.get3(i, state::U);
            let mut momentum = carried;
            if i + 1 < self.vertices {
                let on = self.on(i, edges);
                let pushed = (self.push(i, w, h) + self.push(i + 1, self.p(i + 1, param::W), h)) * (half * h);
                let middle = (u + self.get3(i + 1, state::U)) * half - pushed;
                let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
                let e = x1 - x0;
                let d2 = edge_frame(e, (gx - x0) - e * half).d2;
                let against = self.get3(i, state::GU) - middle;
                let turn = d2.dot(against);
                let m = mass(self.p(i, param::WG)) * on * half;
                carried = (middle + (against - d2 * turn)) * m;
                momentum = momentum + carried;
                self.set_band(i, COAST + 3, turn / self.p(i, param::GHOST).max(L::constant(1e-9)));
            } else {
                self.set_band(i, COAST + 3, zero);
            }
            let m = mass(w);
            let all = self.lumped(i, edges);
            let to = (u * m + momentum) * (one / all.max(L::constant(1e-30)));
            let to = Vec3::select(zero.lt(w), to, u);
            self.set_band(i, COAST, to.x);
            self.set_band(i, COAST + 1, to.y);
            self.set_band(i, COAST + 2, to.z);
            self.set3(i, state::U, Vec3::zero());
            self.set3(i, state::GU, Vec3::select(zero.lt(self.on(i, edges)), Vec3::zero(), self.get3(i, state::GU)));
        }
    }

    /// Puts the ghost point of edge `i`, now `e`, where the frame is that was carried along from `old` and turned by `turn`.
    #[inline(always)]
    fn place(&mut self, i: usize, old: &Frame<L>, e: Vec3<L>, turn: L, on: L) -> (Frame<L>, L) {
        let (one, half) = (L::one(), L::constant(0.5));
        let length = e.length2().max(L::constant(1e-18)).sqrt();
        // The turn whose half angle has the tangent ½ δθ.
        let th = half * turn;
        let inv = one / (one + th * th);
        let new = old.transported(e * (one / length), ((th + th) * inv, (one - th * th) * inv));
        let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
        // From the midpoint, the displacements last: far from the origin the differences keep their digits.
        let arm = ((x0 - gx) + (x1 - x0) * half) + new.m1 * self.p(i, param::GHOST);
        let gu = (self.get3(i, state::U) + self.get3(i + 1, state::U)) * half + arm;
        self.set3(i, state::GU, Vec3::select(L::zero().lt(on), gu, self.get3(i, state::GU)));
        (new, length)
    }

    /// One Newton step over all constraints.
    #[inline(always)]
    pub fn newton(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        self.assemble(s, t);
        self.factor();
        self.substitute();
        self.limit_step(s);
        self.advance(s, t);
    }

    #[inline(always)]
    fn assemble(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let edges = self.edge_count();
        let (inv_h2, h2) = (L::splat(s.inv_h2), L::splat(s.h * s.h));
        let (zero, one) = (L::zero(), L::one());
        for i in 0..self.vertices {
            for k in 0..RHS {
                self.set_band(i, k, zero);
            }
            let u = self.get3(i, state::U);
            let here = self.on(i, edges + one);
            let free = L::select(zero.lt(self.p(i, param::W) * here), one, zero);
            let m = self.lumped(i, edges) * inv_h2;
            let d = free * m + (one - free) * L::constant(HELD);
            let q = [u.x, u.y, u.z];
            self.set_band(i, INERTIA, d);
            for k in 0..3 {
                self.set_band(i, k * BAND, d);
                self.set_band(i, RHS + k, d * (self.band(i, COAST + k) - q[k]));
            }
            // The ghost point's inertia about the edge.
            let on = if i + 1 < self.vertices { self.on(i, edges) } else { zero };
            let ghost = self.p(i, param::GHOST);
            let turn = mass(self.p(i, param::WG)) * ghost * ghost * inv_h2;
            let d = on * turn + (one - on) * L::constant(HELD);
            self.set_band(i, INERTIA + 1, d);
            self.set_band(i, 3 * BAND, d);
            self.set_band(i, RHS + 3, on * turn * self.band(i, COAST + 3));
        }
        let mut before: Option<Edge<L>> = None;
        for i in 0..self.vertices - 1 {
            let on = self.on(i, edges);
            let f = self.frame_now(i);
            let edge = Edge { frame: as_frame(&f), inv_length: f.inv_len };
            let length = one / f.inv_len;
            let w = self.p(i, param::W).max(self.p(i + 1, param::W));
            let k = on / self.p(i, param::STRETCH).max(Self::rigid() * h2 * w).max(L::constant(NOTHING));
            let st = stretch(length, self.p(i, param::LENGTH), k);
            let tension = edge.frame.t * st.tension;
            self.pull(i, tension);
            self.pull(i + 1, -tension);
            let across = st.tension.max(zero) * f.inv_len;
            let t_ = edge.frame.t;
            let a = t_ * (k - across);
            let m =
                [t_ * a.x + vec3(across, zero, zero), t_ * a.y + vec3(zero, across, zero), t_ * a.z + vec3(zero, zero, across)];
            self.put_block(i, i, &m);
            self.put_block(i + 1, i + 1, &m);
            self.put_block(i, i + 1, &[-m[0], -m[1], -m[2]]);
            match before {
                Some(e) => {
                    let rest = self.element_rest(i, i, f.inv_len.max(e.inv_length), h2, on);
                    self.put_element(i, &e, &edge, &rest);
                }
                None if s.root == EndSupport::Clamped => {
                    let held = Edge { frame: as_frame(&self.support_frame(0, L::splat(t))), inv_length: zero };
                    let rest = self.element_rest(0, 0, f.inv_len, h2, one);
                    self.put_held(0, &held, &edge, &rest, true);
                }
                None => {}
            }
            if s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
                let held = Edge { frame: as_frame(&self.support_frame(1, L::splat(t))), inv_length: zero };
                let last = on * (one - self.on(i + 1, edges));
                let rest = self.element_rest(i + 1, i, f.inv_len, h2, last);
                self.put_held(i + 1, &edge, &held, &rest, false);
            }
            before = Some(edge);
        }
    }

    /// Force and Gauss–Newton Hessian of the element between `e` and `f`.
    #[inline(always)]
    fn put_element(&mut self, i: usize, e: &Edge<L>, f: &Edge<L>, rest: &ElementRest<L>) {
        let q = Relative::new(&e.frame, &f.frame);
        let psi = bounded_darboux(&q);
        let element = bend_twist_darboux(&q, &[psi.x, psi.y, L::zero(), L::zero(), psi.z], rest);
        let h = local_hessian(&q, &element.gauss_newton, element.moment, false);
        let (ge, gf) = local_gradient(&q, element.moment);
        let de = e.frame.world(vec3(ge[0], ge[1], ge[2])) * e.inv_length;
        let df = f.frame.world(vec3(gf[0], gf[1], gf[2])) * f.inv_length;
        self.pull(i - 1, de);
        self.pull(i, df - de);
        self.pull(i + 1, -df);
        self.add_band(i - 1, RHS + 3, -ge[3]);
        self.add_band(i, RHS + 3, -gf[3]);
        let w = world_hessian(&h, &e.frame, e.inv_length, &f.frame, f.inv_length);
        let (ee, ef, ff) = (&w.ee, &w.ef, &w.ff);
        let both = [
            vec3(ef[0].x + ef[0].x, ef[0].y + ef[1].x, ef[0].z + ef[2].x),
            vec3(ef[1].x + ef[0].y, ef[1].y + ef[1].y, ef[1].z + ef[2].y),
            vec3(ef[2].x + ef[0].z, ef[2].y + ef[1].z, ef[2].z + ef[2].z),
        ];
        self.put_block(i - 1, i - 1, ee);
        self.put_block(i - 1, i, &[ef[0] - ee[0], ef[1] - ee[1], ef[2] - ee[2]]);
        self.put_block(i - 1, i + 1, &[-ef[0], -ef[1], -ef[2]]);
        self.put_block(i, i, &[ee[0] + ff[0] - both[0], ee[1] + ff[1] - both[1], ee[2] + ff[2] - both[2]]);
        self.put_block(i, i + 1, &[ef[0] - ff[0], ef[1] - ff[1], ef[2] - ff[2]]);
        self.put_block(i + 1, i + 1, ff);
        let (ae, af) = (w.e_angles, w.f_angles);
        let (e0, e1) = ([ae[0].x, ae[0].y, ae[0].z], [ae[1].x, ae[1].y, ae[1].z]);
        let (f0, f1) = ([af[0].x, af[0].y, af[0].z], [af[1].x, af[1].y, af[1].z]);
        for k in 0..3 {
            self.put(i - 1, k, i - 1, 3, -e0[k]);
            self.put(i - 1, 3, i, k, e0[k] - f0[k]);
            self.put(i - 1, 3, i + 1, k, f0[k]);
            self.put(i - 1, k, i, 3, -e1[k]);
            self.put(i, k, i, 3, e1[k] - f1[k]);
            self.put(i, 3, i + 1, k, f1[k]);
        }
        self.put(i - 1, 3, i - 1, 3, w.angles[0]);
        self.put(i - 1, 3, i, 3, w.angles[1]);
        self.put(i, 3, i, 3, w.angles[2]);
    }

    /// The half element between a support's frame and the edge at vertex `i` (eq. 23): `root` tells which of both is held.
    #[inline(always)]
    fn put_held(&mut self, i: usize, e: &Edge<L>, f: &Edge<L>, rest: &ElementRest<L>, root: bool) {
        let q = Relative::new(&e.frame, &f.frame);
        let psi = bounded_darboux(&q);
        let element = bend_twist_darboux(&q, &[psi.x, psi.y, L::zero(), L::zero(), psi.z], rest);
        let h = local_hessian(&q, &element.gauss_newton, element.moment, false);
        let (ge, gf) = local_gradient(&q, element.moment);
        let w = world_hessian(&h, &e.frame, e.inv_length, &f.frame, f.inv_length);
        // The free edge starts at vertex i at the root, and ends there at the tip.
        let (from, g, edge, m, a, turn) =
            if root { (i, gf, f, &w.ff, w.f_angles[1], w.angles[2]) } else { (i - 1, ge, e, &w.ee, w.e_angles[0], w.angles[0]) };
        let d = edge.frame.world(vec3(g[0], g[1], g[2])) * edge.inv_length;
        self.pull(from, d);
        self.pull(from + 1, -d);
        self.add_band(from, RHS + 3, -g[3]);
        self.put_block(from, from, m);
        self.put_block(from, from + 1, &[-m[0], -m[1], -m[2]]);
        self.put_block(from + 1, from + 1, m);
        let a = [a.x, a.y, a.z];
        for k in 0..3 {
            self.put(from, k, from, 3, -a[k]);
            self.put(from, 3, from + 1, k, a[k]);
        }
        self.put(from, 3, from, 3, turn);
    }

    /// LDLᵀ of the band in place, and the right-hand side on its way down. The matrix is inertia plus what is never negative, so
    /// no pivot is smaller than its inertia: where f32 has lost it under stiffness, that is what is left.
    #[inline(always)]
    fn factor(&mut self) {
        let rows = 4 * self.vertices;
        for r in 0..rows {
            let (i, a) = (r / 4, r % 4);
            let mut row = [L::zero(); BAND];
            for c in 0..BAND {
                row[c] = self.band(i, a * BAND + c);
            }
            let inv = L::one() / row[0].max(self.band(i, INERTIA + usize::from(a == 3)));
            let y = self.band(i, RHS + a);
            self.set_band(i, a * BAND, inv);
            for c in 1..BAND.min(rows - r) {
                let (j, b) = ((r + c) / 4, (r + c) % 4);
                let l = row[c] * inv;
                for k in c..BAND {
                    let at = b * BAND + k - c;
                    self.set_band(j, at, self.band(j, at) - l * row[k]);
                }
                self.set_band(i, a * BAND + c, l);
                self.set_band(j, RHS + b, self.band(j, RHS + b) - l * y);
            }
        }
    }

    #[inline(always)]
    fn substitute(&mut self) {
        let rows = 4 * self.vertices;
        for r in (0..rows).rev() {
            let (i, a) = (r / 4, r % 4);
            let mut y = self.band(i, RHS + a) * self.band(i, a * BAND);
            for c in 1..BAND.min(rows - r) {
                y = y - self.band(i, a * BAND + c) * self.band((r + c) / 4, RHS + (r + c) % 4);
            }
            self.set_band(i, RHS + a, y);
        }
    }

    /// A step that moves a vertex farther than the speed limit allows is shortened as a whole; one that is not a number, as beside
    /// an edge a ten-thousandth as long as its neighbours, is not taken: the strand keeps its shape for this substep.
    #[inline(always)]
    fn limit_step(&mut self, s: &Settings<L::Elem>) {
        let edges = self.edge_count();
        let (zero, one) = (L::zero(), L::one());
        let mut largest = zero;
        let mut sum = zero;
        for i in 0..self.vertices {
            let here = zero.lt(self.on(i, edges + one));
            let d = vec3(self.band(i, RHS), self.band(i, RHS + 1), self.band(i, RHS + 2));
            let (d2, turn) = (d.length2(), self.band(i, RHS + 3));
            largest = largest.max(L::select(here, d2, zero));
            sum = sum + L::select(here, d2 + turn * turn, zero);
        }
        let most = L::splat(s.max_move);
        let scale = (most / largest.max(L::constant(1e-30)).sqrt()).min(one);
        // Not less: also where it is NaN.
        let scale = L::select(sum.lt(L::constant(HELD)), scale, zero);
        for i in 0..self.vertices {
            for k in 0..4 {
                let d = self.band(i, RHS + k) * scale;
                self.set_band(i, RHS + k, L::select(zero.lt(scale), d, zero));
            }
        }
    }

    /// Moves everything by the solution; ghost points go where their edges' frames put them; multipliers are those of the new
    /// strains: λ = −h² × force.
    #[inline(always)]
    fn advance(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let edges = self.edge_count();
        let h2 = L::splat(s.h * s.h);
        let (zero, one) = (L::zero(), L::one());
        // The frames first: they are those before the move.
        for i in 0..self.vertices - 1 {
            let old = self.frame_now(i);
            let m = old.d1;
            self.set_band(i, 0, m.x);
            self.set_band(i, 1, m.y);
            self.set_band(i, 2, m.z);
            self.set_band(i, 3, old.d3.x);
            self.set_band(i, 4, old.d3.y);
            self.set_band(i, 5, old.d3.z);
        }
        for i in 0..self.vertices {
            let d = vec3(self.band(i, RHS), self.band(i, RHS + 1), self.band(i, RHS + 2));
            let here = self.on(i, edges + one);
            let u = self.get3(i, state::U);
            self.set3(i, state::U, Vec3::select(zero.lt(here), u + d, u));
        }
        let mut before: Option<Frame<L>> = None;
        for i in 0..self.vertices - 1 {
            let on = self.on(i, edges);
            let m1 = vec3(self.band(i, 0), self.band(i, 1), self.band(i, 2));
            let t_ = vec3(self.band(i, 3), self.band(i, 4), self.band(i, 5));
            let old = Frame { m1, m2: t_.cross(m1), t: t_ };
            let turn = self.band(i, RHS + 3);
            self.set_band(i, COAST + 3, self.band(i, COAST + 3) - turn);
            let (x0, x1) = (self.get3(i, state::X), self.get3(i + 1, state::X));
            let e = (x1 - x0) + (self.get3(i + 1, state::U) - self.get3(i, state::U));
            let (new, length) = self.place(i, &old, e, turn, on);

            let w = self.p(i, param::W).max(self.p(i + 1, param::W));
            let k = on / self.p(i, param::STRETCH).max(Self::rigid() * h2 * w).max(L::constant(NOTHING));
            self.set(i, state::LAMBDA_LENGTH, -(k * (length - self.p(i, param::LENGTH))) * h2);
            let inv_length = one / length;
            match before {
                Some(e) => self.note_moment(i, &e, &new, &self.element_rest(i, i, inv_length, h2, on), h2),
                None if s.root == EndSupport::Clamped => {
                    let held = as_frame(&self.support_frame(0, L::splat(t)));
                    self.note_moment(0, &held, &new, &self.element_rest(0, 0, inv_length, h2, one), h2);
                }
                None => {}
            }
            before = Some(new);
            if s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
                let held = as_frame(&self.support_frame(1, L::splat(t)));
                let last = on * (one - self.on(i + 1, edges));
                let kept = self.get3(i + 1, state::LAMBDA_BEND);
                self.note_moment(i + 1, &new, &held, &self.element_rest(i + 1, i, inv_length, h2, last), h2);
                let noted = self.get3(i + 1, state::LAMBDA_BEND);
                self.set3(i + 1, state::LAMBDA_BEND, Vec3::select(zero.lt(last), noted, kept));
            }
        }
    }

    #[inline(always)]
    fn note_moment(&mut self, i: usize, e: &Frame<L>, f: &Frame<L>, rest: &ElementRest<L>, h2: L) {
        let psi = bounded_darboux(&Relative::new(e, f));
        let m = vec3(
            rest.bend[0] * (psi.x - rest.kappa[0]),
            rest.bend[1] * (psi.y - rest.kappa[1]),
            rest.turn * (psi.z - rest.twist),
        );
        self.set3(i, state::LAMBDA_BEND, m * -h2);
    }
}
