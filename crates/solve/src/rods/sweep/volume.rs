//! Rods that keep their volume, in sweeps: the scale of each edge's section is solved with its length (`docs/internals/volume.md`, Sweeps).

use super::*;
use crate::layout::{CUT_FROM, NOTHING, bulk, scale, swept};
use crate::rods::volume::{SweptEdge, SweptEdgeSolved, SweptSection, scaled};

/// An edge, out of line: rods that keep their radius pass by a test.
struct OutOfLine<L>(SweptEdge<L>);

impl<L: Lane> Apart for OutOfLine<L> {
    type Out = SweptEdgeSolved<L>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        self.0.solve()
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// 1 over the inertia of the scale of edge `i`; 0 where nothing holds its radius: in padding, or where it is cut.
    #[inline(always)]
    fn scale_weight(&self, i: usize, on: L) -> L {
        let free = L::both(L::zero().lt(on), self.p(i, param::STRETCH).lt(L::constant(CUT_FROM)));
        L::select(free, L::one() / self.bulk_row(i, bulk::INERTIA).max(L::constant(NOTHING)), L::zero())
    }

    /// A substep begins: scales are where inertia and the host take them, and colliders have done what they did in the last one.
    #[inline(always)]
    pub(crate) fn start_swept(&mut self, s: &Settings<L::Elem>) {
        let (zero, edges, h, h2) = (L::zero(), self.edge_count(), L::splat(s.h), L::splat(s.h * s.h));
        for i in 0..self.vertices {
            let push = self.bulk_row(i, bulk::PUSH) * self.scale_weight(i, self.on(i, edges));
            let rate = self.scale_row(i, scale::GROWTH) * L::splat(s.drag_keep) + push * h;
            let growth = self.possible_growth(i, zero, rate * h);
            self.set_scale_row(i, scale::GROWTH, growth);
            for k in 0..swept::PRESS {
                self.set_swept_row(i, k, zero);
            }
            self.begin_grip(i, h2);
        }
    }

    /// [`edge_constraints`] of edge `i` with its section.
    #[inline(always)]
    pub(super) fn solve_section(
        &mut self,
        i: usize,
        e: Vec3<L>,
        g: Vec3<L>,
        w: EdgeWeights<L>,
        s: &Settings<L::Elem>,
        on: L,
    ) -> EdgeSolved<L> {
        let (zero, nothing) = (L::zero(), L::constant(NOTHING));
        let rest = self.edge_rest(i, s, on);
        let length = e.length2().max(L::constant(MIN_LENGTH2)).sqrt();
        // h² EA l̄.
        let whole = on * rest.length * rest.length / rest.compliance.max(nothing);
        let shear = whole * self.bulk_row(i, bulk::SHEAR);
        let (before, spread) = match i {
            0 => (zero, zero),
            _ => (self.scale_weight(i - 1, on), on * self.bulk_row(i, bulk::SPREAD) * L::splat(s.h * s.h)),
        };
        let swell = [if i == 0 { zero } else { self.swell(i - 1) }, self.swell(i)];
        let edge = SweptEdge {
            section: SweptSection {
                stiffness: [shear, shear + shear, whole * self.bulk_row(i, bulk::BULK)],
                length: rest.length.max(nothing),
                weights: [(w.w0 + w.w1) * on, self.scale_weight(i, on)],
            },
            spread,
            before,
            swell,
            stretch: (length - rest.length) * on / rest.length.max(nothing),
            lambda: [self.swept_row(i, 0), self.swept_row(i, 1), self.swept_row(i, 2), self.swept_row(i, 3)],
        };
        // SAFETY: `Group`'s contract: the instruction set is enabled, and so available.
        let solved = unsafe { L::apart(OutOfLine(edge)) };
        for (k, lambda) in solved.lambda.into_iter().enumerate() {
            self.set_swept_row(i, k, lambda);
        }
        if i > 0 {
            let from = self.scale_row(i - 1, scale::GROWTH);
            self.set_scale_row(i - 1, scale::GROWTH, self.possible_growth(i - 1, from, from + solved.moves[0]));
        }
        let from = self.scale_row(i, scale::GROWTH);
        self.set_scale_row(i, scale::GROWTH, self.possible_growth(i, from, from + solved.moves[2]));
        // Both ends share what the length does.
        let sum = (w.w0 + w.w1).max(nothing);
        let step = solved.moves[1] / (sum * length);
        ghost_constraints(e, g, w, rest, step, solved.along)
    }

    /// The element around vertex `i` at the scale of its section: K s² (Ψ − Ψ̄/s)².
    #[inline(always)]
    pub(super) fn scaled(&self, i: usize, rest: BendTwistRest<L>) -> BendTwistRest<L> {
        scaled(rest, self.section_scale(i))
    }
}
