//! One sweep over the constraints of a group of strands, in its orders.

use super::ghost::kernels::*;
use super::group::{Group, Settings};
use crate::desc::{EndSupport, SweepOrder};
use crate::layout::{param, state};
use crate::math::vec3::vec3;
use crate::math::{Apart, Lane, Vec3};

/// Displacements of an edge's two ends and its ghost point, its vector, and the ghost point's from its middle.
type Walked<L> = (Vec3<L>, Vec3<L>, Vec3<L>, Vec3<L>, Vec3<L>);

/// An edge on a walk, after its ends and its ghost point have moved by `d`.
#[inline(always)]
fn moved<L: Lane>((u0, u1, gu, e, g): Walked<L>, d: (Vec3<L>, Vec3<L>, Vec3<L>)) -> Walked<L> {
    let (d0, d1, dg) = d;
    (u0 + d0, u1 + d1, gu + dg, e + (d1 - d0), g + (dg - (d0 + d1) * L::constant(0.5)))
}

/// [`bend_twist`] at a clamp.
struct AtEnd<L> {
    frames: (EdgeFrame<L>, EdgeFrame<L>),
    weights: [EdgeWeights<L>; 2],
    rest: BendTwistRest<L>,
    lambda: Vec3<L>,
}

impl<L: Lane> Apart for AtEnd<L> {
    type Out = BendTwistSolved<L>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        let ([wa, wb], (a, b)) = (self.weights, &self.frames);
        bend_twist(a, b, wa, wb, self.rest, self.lambda)
    }
}

/// Out of line: every sweep has two ends, and each is one element of many.
#[inline(always)]
fn at_end<L: Lane>(
    frames: (EdgeFrame<L>, EdgeFrame<L>),
    weights: [EdgeWeights<L>; 2],
    rest: BendTwistRest<L>,
    lambda: Vec3<L>,
) -> BendTwistSolved<L> {
    // SAFETY: `Group`'s contract: the instruction set is enabled, and so available.
    unsafe { L::apart(AtEnd { frames, weights, rest, lambda }) }
}

#[cfg(feature = "paper")]
mod paper;
mod volume;

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn edge_rest(&self, i: usize, s: &Settings<L::Elem>, on: L) -> EdgeRest<L> {
        let c = self.p(i, param::STRETCH);
        EdgeRest {
            length: self.p(i, param::LENGTH),
            ghost: self.p(i, param::GHOST),
            stiffness: if s.alpha { c } else { L::one() },
            compliance: if s.alpha { L::zero() } else { c * L::splat(s.inv_h2) },
            on,
        }
    }

    #[inline(always)]
    fn bend_rest(&self, i: usize, s: &Settings<L::Elem>, on: L) -> BendTwistRest<L> {
        let c = self.p3(i, param::BEND);
        let rest = BendTwistRest {
            psi: self.p3(i, param::PSI),
            stiffness: if s.alpha { c } else { vec3(L::one(), L::one(), L::one()) },
            compliance: if s.alpha { Vec3::zero() } else { c * L::splat(s.inv_h2) },
            on,
        };
        if self.keeps_volume() { self.scaled(i, rest) } else { rest }
    }

    /// Eqs. 18 to 20 of edge `i`.
    #[inline(always)]
    fn solve_edge_of(
        &mut self,
        i: usize,
        e: Vec3<L>,
        g: Vec3<L>,
        w: EdgeWeights<L>,
        s: &Settings<L::Elem>,
        on: L,
    ) -> EdgeSolved<L> {
        let q = if self.keeps_volume() {
            self.solve_section(i, e, g, w, s, on)
        } else {
            edge_constraints(e, g, w, self.edge_rest(i, s, on), self.get(i, state::LAMBDA_LENGTH))
        };
        self.set(i, state::LAMBDA_LENGTH, q.lambda);
        q
    }

    /// One iteration over all constraints, in the order that was asked for; `back` says which of its two the alternating one takes.
    #[inline(always)]
    pub fn sweep(&mut self, s: &Settings<L::Elem>, t: L::Elem, back: bool) {
        match s.order {
            #[cfg(feature = "paper")]
            SweepOrder::Bidirectional | SweepOrder::Sequential => self.sweep_from_memory(s, t),
            SweepOrder::Alternating if back => self.sweep_back(s, t),
            _ => self.sweep_root_to_tip(s, t),
        }
    }

    /// Edge i, then the element that joins it to edge i−1; what both need of the last edge stays in registers.
    #[inline(always)]
    fn sweep_root_to_tip(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let half = L::constant(0.5);
        let edges = self.edge_count();
        let (mut x0, mut u0) = (self.get3(0, state::X), self.get3(0, state::U));
        let mut w0 = self.p(0, param::W);
        let mut before: Option<(Vec3<L>, Vec3<L>, EdgeWeights<L>)> = None;
        for i in 0..self.vertices - 1 {
            let on = self.on(i, edges);
            let (x1, u1) = (self.get3(i + 1, state::X), self.get3(i + 1, state::U));
            let gu = self.get3(i, state::GU);
            let (e, g) = Self::edge_vectors(x0, u0, x1, u1, self.get3(i, state::GX), gu);
            let w = EdgeWeights { w0, w1: self.p(i + 1, param::W), wg: self.p(i, param::WG) };

            let q = self.solve_edge_of(i, e, g, w, s, on);
            u0 = u0 + q.p0;
            let (mut u1, mut gu, mut e, mut g) = (u1 + q.p1, gu + q.pg, q.e, q.g);

            let frame = edge_frame(e, g);
            match before {
                Some((ea, ga, wa)) => {
                    let a = edge_frame(ea + q.p0, ga - q.p0 * half);
                    let r = bend_twist(&a, &frame, wa, w, self.bend_rest(i, s, on), self.get3(i, state::LAMBDA_BEND));
                    self.set3(i, state::LAMBDA_BEND, r.lambda);
                    let (ua, ug) = (self.get3(i - 1, state::U), self.get3(i - 1, state::GU));
                    self.set3(i - 1, state::U, ua + r.a0);
                    self.set3(i - 1, state::GU, ug + r.ag);
                    (u0, u1, gu, e, g) = moved((u0, u1, gu, e, g), (r.shared, r.b1, r.bg));
                }
                None if s.root == EndSupport::Clamped => {
                    let moves = self.clamp_root(&frame, w, s, t, on);
                    (u0, u1, gu, e, g) = moved((u0, u1, gu, e, g), moves);
                }
                None => {}
            }
            if s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
                let moves = self.clamp_tip(i, &edge_frame(e, g), w, s, t, edges);
                (u0, u1, gu, e, g) = moved((u0, u1, gu, e, g), moves);
            }
            self.set3(i, state::U, u0);
            self.set3(i, state::GU, gu);
            before = Some((e, g, w));
            (x0, u0, w0) = (x1, u1, w.w1);
        }
        self.set3(self.vertices - 1, state::U, u0);
    }

    /// All elements from the tip on, then all edges from the root on; what both need of the last edge stays in registers.
    ///
    /// It is the elements' direction that excites the rod, so it is theirs that alternates. Edges from the tip on would do no good, and
    /// leave the two kinds of sweep with ghost points off to opposite sides: a hanging rod of 20 edges bent by 0.2 % at 8 × 4.
    #[inline(always)]
    fn sweep_back(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let edges = self.edge_count();
        let last = self.vertices - 1;
        let (mut x1, mut u1) = (self.get3(last, state::X), self.get3(last, state::U));
        let mut w1 = self.p(last, param::W);
        let mut after: Option<(Vec3<L>, Vec3<L>, EdgeWeights<L>)> = None;
        for i in (0..last).rev() {
            let (x0, mut u0) = (self.get3(i, state::X), self.get3(i, state::U));
            let mut gu = self.get3(i, state::GU);
            let (mut e, mut g) = Self::edge_vectors(x0, u0, x1, u1, self.get3(i, state::GX), gu);
            let w = EdgeWeights { w0: self.p(i, param::W), w1, wg: self.p(i, param::WG) };
            if let Some((eb, gb, wb)) = after {
                let rest = self.bend_rest(i + 1, s, self.on(i + 1, edges));
                let lambda = self.get3(i + 1, state::LAMBDA_BEND);
                let r = bend_twist(&edge_frame(e, g), &edge_frame(eb, gb), w, wb, rest, lambda);
                self.set3(i + 1, state::LAMBDA_BEND, r.lambda);
                let (ub, ug) = (self.get3(i + 2, state::U), self.get3(i + 1, state::GU));
                self.set3(i + 2, state::U, ub + r.b1);
                self.set3(i + 1, state::GU, ug + r.bg);
                (u0, u1, gu, e, g) = moved((u0, u1, gu, e, g), (r.a0, r.shared, r.ag));
            }
            if s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
                let moves = self.clamp_tip(i, &edge_frame(e, g), w, s, t, edges);
                (u0, u1, gu, e, g) = moved((u0, u1, gu, e, g), moves);
            }
            if s.root == EndSupport::Clamped && i == 0 {
                let (d0, d1, dg) = self.clamp_root(&edge_frame(e, g), w, s, t, self.on(0, edges));
                u0 = u0 + d0;
                u1 = u1 + d1;
                gu = gu + dg;
            }
            self.set3(i + 1, state::U, u1);
            self.set3(i, state::GU, gu);
            after = Some((e, g, w));
            (x1, u1, w1) = (x0, u0, w.w0);
        }
        let (mut x0, mut u0, mut w0) = (x1, u1, w1);
        for i in 0..last {
            let (x1, u1) = (self.get3(i + 1, state::X), self.get3(i + 1, state::U));
            let gu = self.get3(i, state::GU);
            let (e, g) = Self::edge_vectors(x0, u0, x1, u1, self.get3(i, state::GX), gu);
            let w = EdgeWeights { w0, w1: self.p(i + 1, param::W), wg: self.p(i, param::WG) };
            let q = self.solve_edge_of(i, e, g, w, s, self.on(i, edges));
            self.set3(i, state::U, u0 + q.p0);
            self.set3(i, state::GU, gu + q.pg);
            (x0, u0, w0) = (x1, u1 + q.p1, w.w1);
        }
        self.set3(last, state::U, u0);
    }

    /// Eq. 23: the element between the support's frame and the first edge, half an edge long.
    #[inline(always)]
    fn clamp_root(
        &mut self,
        frame: &EdgeFrame<L>,
        w: EdgeWeights<L>,
        s: &Settings<L::Elem>,
        t: L::Elem,
        on: L,
    ) -> (Vec3<L>, Vec3<L>, Vec3<L>) {
        let held = self.support_frame(0, L::splat(t));
        let none = EdgeWeights { w0: L::zero(), w1: w.w0, wg: L::zero() };
        let r = at_end((held, *frame), [none, w], self.bend_rest(0, s, on), self.get3(0, state::LAMBDA_BEND));
        self.set3(0, state::LAMBDA_BEND, r.lambda);
        (r.shared, r.b1, r.bg)
    }

    /// The same at the other end, in the lanes whose last edge is `i`.
    #[inline(always)]
    fn clamp_tip(
        &mut self,
        i: usize,
        frame: &EdgeFrame<L>,
        w: EdgeWeights<L>,
        s: &Settings<L::Elem>,
        t: L::Elem,
        edges: L,
    ) -> (Vec3<L>, Vec3<L>, Vec3<L>) {
        let held = self.support_frame(1, L::splat(t));
        let none = EdgeWeights { w0: w.w1, w1: L::zero(), wg: L::zero() };
        // Edge i is the last where i < edges and not i+1 < edges.
        let on = self.on(i, edges) * (L::one() - self.on(i + 1, edges));
        let lambda = self.get3(i + 1, state::LAMBDA_BEND);
        let r = at_end((*frame, held), [w, none], self.bend_rest(i + 1, s, on), lambda);
        self.set3(i + 1, state::LAMBDA_BEND, r.lambda);
        (r.a0, r.shared, r.ag)
    }
}
