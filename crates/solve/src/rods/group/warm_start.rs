//! Warm starts of sweeps: the multipliers of the statics, and what they move, before the first sweep of a substep (`docs/warm_start.md`).

use super::{Group, Settings};
use crate::desc::EndSupport;
use crate::layout::{param, state, warm};
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use crate::rods::ghost::kernels::*;

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    pub(super) fn warm(&self, i: usize, k: usize) -> L {
        debug_assert!(i < self.vertices && k < warm::ROWS && !self.warm.is_null());
        // SAFETY: the caller has seen that it is not null; the type's contract.
        unsafe { L::load(self.warm.add((i * warm::ROWS + k) * W)) }
    }

    /// The multipliers of the statics, along the directions at the start of the substep (`t`): what is left to the sweeps of a strand at
    /// rest in its pose is nothing, however few they are.
    #[inline(always)]
    pub(super) fn start_warm(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let edges = self.edge_count();
        let (zero, one) = (L::zero(), L::one());
        let h2 = L::splat(s.h * s.h);
        let share = self.warm(0, warm::SHARE) * L::splat(s.carry);
        let mut before: Option<(EdgeFrame<L>, EdgeWeights<L>)> = None;
        for i in 0..self.vertices {
            let bend = vec3(self.warm(i, warm::BEND), self.warm(i, warm::BEND + 1), self.warm(i, warm::BEND + 2)) * h2;
            self.set3(i, state::LAMBDA_BEND, bend);
            if i + 1 == self.vertices {
                break;
            }
            let on = self.on(i, edges);
            let w = self.weights(i);
            let (x0, x1) = (self.get3(i, state::X), self.get3(i + 1, state::X));
            let (e, g) = Self::edge_vectors(x0, Vec3::zero(), x1, Vec3::zero(), self.get3(i, state::GX), Vec3::zero());
            let frame = bounded_frame(e, g, self.p(i, param::LENGTH), self.p(i, param::GHOST));
            let length = self.warm(i, warm::LENGTH) * h2;
            self.set(i, state::LAMBDA_LENGTH, length);
            let pull = frame.d3 * (length * share * on);
            let (mut p0, mut p1, mut pg) = (-(pull * w.w0), pull * w.w1, Vec3::zero());
            match before {
                Some((a, wa)) => {
                    let r = bend_twist_moves(&a, &frame, wa, w, bend * (share * on));
                    self.move_edge(i - 1, (r.a0, Vec3::zero(), r.ag));
                    (p0, p1, pg) = (p0 + r.shared, p1 + r.b1, pg + r.bg);
                }
                None if s.root == EndSupport::Clamped => {
                    let held = self.support_frame(0, L::splat(t));
                    let none = EdgeWeights { w0: zero, w1: w.w0, wg: zero };
                    let r = bend_twist_moves(&held, &frame, none, w, bend * (share * on));
                    (p0, p1, pg) = (p0 + r.shared, p1 + r.b1, pg + r.bg);
                }
                None => {}
            }
            if s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
                let held = self.support_frame(1, L::splat(t));
                let none = EdgeWeights { w0: w.w1, w1: zero, wg: zero };
                let last = h2 * share * (on * (one - self.on(i + 1, edges)));
                let k = i + 1;
                let bend = vec3(self.warm(k, warm::BEND), self.warm(k, warm::BEND + 1), self.warm(k, warm::BEND + 2)) * last;
                let r = bend_twist_moves(&frame, &held, w, none, bend);
                (p0, p1, pg) = (p0 + r.a0, p1 + r.shared, pg + r.ag);
            }
            self.move_edge(i, (p0, p1, pg));
            before = Some((frame, w));
        }
    }
}
