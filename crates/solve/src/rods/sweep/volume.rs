//! Rods that keep their volume, in sweeps: the scale of each edge's section is solved with its length (`docs/internals/volume.md`, Sweeps).

use super::*;
use crate::layout::{CUT_FROM, NOTHING, bulk, scale, swept};
use crate::rods::volume::{ScaleAlone, SweptEdge, SweptEdgeSolved, SweptSection, scaled};

/// Steps of Newton's method for a scale when a substep ends.
const SETTLE: usize = 2;

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
            self.set_swept_row(i, swept::COAST, growth);
            self.set_swept_row(i, swept::PUSHED, zero);
            self.set_swept_row(i, swept::UNANSWERED, zero);
            for k in 0..swept::PRESS {
                self.set_swept_row(i, k, zero);
            }
            self.begin_grip(i, h2, s);
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
        let (before, spread) = match i {
            0 => (zero, zero),
            _ => (self.scale_weight(i - 1, on), on * self.bulk_row(i, bulk::SPREAD) * L::splat(s.h * s.h)),
        };
        let swell = [if i == 0 { zero } else { self.swell(i - 1) }, self.swell(i)];
        let edge = SweptEdge {
            section: SweptSection {
                stiffness: self.section_stiffness(i, &rest, on),
                length: rest.length.max(nothing),
                weights: [(w.w0 + w.w1) * on, self.scale_weight(i, on)],
                unanswered: self.swept_row(i, swept::UNANSWERED),
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
        self.set_swept_row(i, swept::UNANSWERED, zero);
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

    /// A substep ends: scales go where their lengths and what has pressed them have them, one after the other.
    ///
    /// (A sweep solves each with its length as if the length were free to follow. The edges beside draw that back, and the scale is left where a
    /// section of a shorter edge would be: a rod of 30 edges drawn out to 1.5 of its length had 1.15 of its volume.)
    #[inline(always)]
    pub(crate) fn settle_scales(&mut self, s: &Settings<L::Elem>) {
        let (zero, nothing, h2) = (L::zero(), L::constant(NOTHING), L::splat(s.h * s.h));
        let edges = self.edge_count();
        for i in 0..self.vertices - 1 {
            let on = self.on(i, edges);
            let rest = self.edge_rest(i, s, on);
            let e = (self.get3(i + 1, state::X) + self.get3(i + 1, state::U)) - (self.get3(i, state::X) + self.get3(i, state::U));
            let length = e.length2().max(L::constant(MIN_LENGTH2)).sqrt();
            let [_, swell, volume] = self.section_stiffness(i, &rest, on);
            let free = L::both(zero.lt(on), self.p(i, param::STRETCH).lt(L::constant(CUT_FROM)));
            let mut alone = ScaleAlone {
                stiffness: [swell, volume],
                inertia: self.bulk_row(i, bulk::INERTIA),
                spread: [zero; 2],
                beside: [zero; 2],
                coast: self.scale_row(i, scale::SWELL) + self.swept_row(i, swept::COAST),
                pushed: self.swept_row(i, swept::PUSHED),
                stretch: (length - rest.length) * on / rest.length.max(nothing),
            };
            if i > 0 {
                (alone.spread[0], alone.beside[0]) = (on * self.bulk_row(i, bulk::SPREAD) * h2, self.swell(i - 1));
            }
            if i + 2 < self.vertices {
                let next = self.on(i + 1, edges);
                (alone.spread[1], alone.beside[1]) = (next * self.bulk_row(i + 1, bulk::SPREAD) * h2, self.swell(i + 1));
            }
            for _ in 0..SETTLE {
                let from = self.scale_row(i, scale::GROWTH);
                let step = L::select(free, alone.step(self.swell(i)), zero);
                let growth = self.possible_growth(i, from, from + step);
                self.set_scale_row(i, scale::GROWTH, growth);
            }
        }
    }

    /// What an impulse does to the scale of edge `i` in a substep, 1/(kg m²), against its inertia and what holds the section.
    #[inline(always)]
    fn gives(&self, i: usize, s: &Settings<L::Elem>) -> L {
        let on = self.on(i, self.edge_count());
        let [_, swell, volume] = self.section_stiffness(i, &self.edge_rest(i, s, on), on);
        let by_s = L::constant(2.0) * (L::one() + self.swell(i));
        let all = self.bulk_row(i, bulk::INERTIA) + swell + volume * by_s * by_s;
        let free = L::both(L::zero().lt(on), self.p(i, param::STRETCH).lt(L::constant(CUT_FROM)));
        L::select(free, L::one() / all.max(L::constant(NOTHING)), L::zero())
    }

    /// What an impulse on the side of vertex `i` does to its radius, 1/kg.
    #[inline(always)]
    pub(crate) fn radius_gives(&self, i: usize, s: &Settings<L::Elem>) -> L {
        let (radius, parts) = (self.p(i, param::RADIUS).max(L::zero()), self.radius_parts(i));
        let mut all = L::zero();
        for (k, part) in parts.into_iter().enumerate() {
            let arm = radius * part;
            if i + k >= 1 && i + k < self.vertices {
                all = all + arm * arm * self.gives(i + k - 1, s);
            }
        }
        all
    }

    /// An impulse, kg m, presses the section at vertex `i`: it becomes thinner, and the next sweep lets length and section answer.
    #[inline(always)]
    pub(crate) fn squeeze(&mut self, i: usize, impulse: L, s: &Settings<L::Elem>) {
        let (radius, parts) = (self.p(i, param::RADIUS).max(L::zero()), self.radius_parts(i));
        for (k, part) in parts.into_iter().enumerate() {
            if i + k < 1 || i + k >= self.vertices {
                continue;
            }
            let (e, push) = (i + k - 1, radius * part * impulse);
            let from = self.scale_row(e, scale::GROWTH);
            let to = self.possible_growth(e, from, from - self.gives(e, s) * push);
            self.set_scale_row(e, scale::GROWTH, to);
            self.set_swept_row(e, swept::PUSHED, self.swept_row(e, swept::PUSHED) - push);
            let left = self.bulk_row(e, bulk::INERTIA) * (to - from) + push;
            self.set_swept_row(e, swept::UNANSWERED, self.swept_row(e, swept::UNANSWERED) + left);
        }
    }

    /// h² times the stiffness of ε, σ and δ of edge `i`, kg m².
    #[inline(always)]
    fn section_stiffness(&self, i: usize, rest: &EdgeRest<L>, on: L) -> [L; 3] {
        // h² EA l̄.
        let whole = on * rest.length * rest.length / rest.compliance.max(L::constant(NOTHING));
        let shear = whole * self.bulk_row(i, bulk::SHEAR);
        [shear, shear + shear, whole * self.bulk_row(i, bulk::BULK)]
    }

    /// The element around vertex `i` at the scale of its section: K s² (Ψ − Ψ̄/s)².
    #[inline(always)]
    pub(super) fn scaled(&self, i: usize, rest: BendTwistRest<L>) -> BendTwistRest<L> {
        scaled(rest, self.section_scale(i))
    }
}
