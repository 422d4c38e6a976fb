//! The two orders of the paper (Umetani 2014, fig. 7), for comparison.

use super::*;

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn weights(&self, i: usize) -> EdgeWeights<L> {
        EdgeWeights { w0: self.p(i, param::W), w1: self.p(i + 1, param::W), wg: self.p(i, param::WG) }
    }

    /// The three constraints of edge `i`, from and to memory.
    #[inline(always)]
    fn solve_edge(&mut self, i: usize, s: &Settings<L::Elem>, edges: L) {
        let on = self.on(i, edges);
        let (u0, u1, gu) = (self.get3(i, state::U), self.get3(i + 1, state::U), self.get3(i, state::GU));
        let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
        let (e, g) = Self::edge_vectors(x0, u0, x1, u1, gx, gu);
        let q = self.solve_edge_of(i, e, g, self.weights(i), s, on);
        self.set3(i, state::U, u0 + q.p0);
        self.set3(i + 1, state::U, u1 + q.p1);
        self.set3(i, state::GU, gu + q.pg);
    }

    #[inline(always)]
    fn frame_of(&self, i: usize) -> EdgeFrame<L> {
        let (e, g) = Self::edge_vectors(
            self.get3(i, state::X),
            self.get3(i, state::U),
            self.get3(i + 1, state::X),
            self.get3(i + 1, state::U),
            self.get3(i, state::GX),
            self.get3(i, state::GU),
        );
        edge_frame(e, g)
    }

    #[inline(always)]
    fn move_edge(&mut self, i: usize, d: (Vec3<L>, Vec3<L>, Vec3<L>)) {
        let (u0, u1, gu) = (self.get3(i, state::U), self.get3(i + 1, state::U), self.get3(i, state::GU));
        self.set3(i, state::U, u0 + d.0);
        self.set3(i + 1, state::U, u1 + d.1);
        self.set3(i, state::GU, gu + d.2);
    }

    /// The bend-twist block around vertex `i`, from and to memory; 0 and the last vertex are the supports.
    #[inline(always)]
    fn solve_element(&mut self, i: usize, s: &Settings<L::Elem>, t: L::Elem, edges: L) {
        if i == 0 {
            if s.root == EndSupport::Clamped {
                let d = self.clamp_root(&self.frame_of(0), self.weights(0), s, t, L::one());
                self.move_edge(0, d);
            }
            return;
        }
        if i + 1 < self.vertices {
            let on = self.on(i, edges);
            let (a, b) = (self.frame_of(i - 1), self.frame_of(i));
            let (wa, wb) = (self.weights(i - 1), self.weights(i));
            let r = bend_twist(&a, &b, wa, wb, self.bend_rest(i, s, on), self.get3(i, state::LAMBDA_BEND));
            self.set3(i, state::LAMBDA_BEND, r.lambda);
            self.move_edge(i - 1, (r.a0, r.shared, r.ag));
            self.move_edge(i, (Vec3::zero(), r.b1, r.bg));
        }
        if s.tip == EndSupport::Clamped && i >= self.min_edges {
            let d = self.clamp_tip(i - 1, &self.frame_of(i - 1), self.weights(i - 1), s, t, edges);
            self.move_edge(i - 1, d);
        }
    }

    /// The paper's two orders: all edges, then all bend-twist blocks, either from the root on (naive) or from both ends in
    /// turn, towards the middle and beyond it (fig. 7).
    #[inline(always)]
    pub(super) fn sweep_from_memory(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let both_ends = s.order == SweepOrder::Bidirectional;
        let pick = |k: usize, last: usize| match both_ends {
            true if k.is_multiple_of(2) => k / 2,
            true => last - k / 2,
            false => k,
        };
        let edges = self.edge_count();
        let last = self.vertices - 1;
        for k in 0..last {
            self.solve_edge(pick(k, last - 1), s, edges);
        }
        for k in 0..=last {
            self.solve_element(pick(k, last), s, t, edges);
        }
    }
}
