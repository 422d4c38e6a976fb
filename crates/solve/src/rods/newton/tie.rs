//! Ends that attachments hold, in the strand's own system (`docs/internals/direct.md`, Attachments). The
//! anchor's mass is added to that of the end vertex; a clamp is half an element to the anchor's
//! frame. The anchor then gets the reaction of what the strand felt (`world/coupling`).

use super::*;
use crate::layout::tie;
use crate::math::{Quat, Sym3};
use crate::rods::models::in_series;

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn tie(&self, end: usize, field: usize) -> L {
        debug_assert!(field < tie::ROWS && !self.at.ties[end].is_null());
        // SAFETY: the type's contract; callers look whether it is null.
        unsafe { L::load(self.at.ties[end].add(field * self.stride())) }
    }
    #[inline(always)]
    fn tie3(&self, end: usize, field: usize) -> Vec3<L> {
        vec3(self.tie(end, field), self.tie(end, field + 1), self.tie(end, field + 2))
    }
    /// The vertices that may be this end of a strand.
    #[inline(always)]
    fn ends(&self, end: usize) -> core::ops::Range<usize> {
        if end == 0 { 0..1 } else { self.min_edges..self.vertices }
    }
    /// 1 in lanes whose vertex `i` is this end.
    #[inline(always)]
    fn is_end(&self, end: usize, i: usize) -> L {
        let (edges, one) = (self.edge_count(), L::one());
        if end == 0 { one } else { self.on(i, edges + one) * (one - self.on(i, edges)) }
    }

    /// Where nothing moves the anchor, the end is held like one that the host holds. Before every Newton step: other ends may have moved the anchor.
    #[inline(always)]
    pub fn hold_ties(&mut self) {
        for end in 0..2 {
            if self.at.ties[end].is_null() {
                continue;
            }
            for i in self.ends(end) {
                let here = L::zero().lt(self.is_end(end, i) * self.tie(end, tie::STILL));
                // As far as the position can tell: what is less would be a motion that never ends.
                let x = self.get3(i, state::X);
                let at = (x + self.tie3(end, tie::AT)) - x;
                self.set_scratch3(i, COAST, Vec3::select(here, at, self.scratch3(i, COAST)));
                self.set_scratch(i, INERTIA, L::select(here, L::constant(HELD), self.scratch_at(i, INERTIA)));
            }
        }
    }

    /// The anchor's mass at vertex `i` over h², where that is its end, and how far it is from where it draws to.
    #[inline(always)]
    pub(super) fn drawn(&self, end: usize, i: usize, s: &Settings<L::Elem>) -> (Sym3<L>, Vec3<L>) {
        let part = self.is_end(end, i) * L::splat(s.inv_h2);
        let (a, b) = (self.tie3(end, tie::MASS) * part, self.tie3(end, tie::MASS + 3) * part);
        (Sym3 { xx: a.x, xy: a.y, xz: a.z, yy: b.x, yz: b.y, zz: b.z }, self.tie3(end, tie::AT) - self.get3(i, state::U))
    }

    /// The vertex beside the end `i`, and the end edge.
    #[inline(always)]
    fn beside(end: usize, i: usize) -> (usize, usize) {
        if end == 0 { (1, 0) } else { (i - 1, i - 1) }
    }

    /// What an anchor that is solved apart gives at vertex `i`.
    #[inline(always)]
    pub(super) fn load_of(&self, end: usize, i: usize) -> Vec3<L> {
        self.tie3(end, tie::LOAD) * self.is_end(end, i)
    }

    /// Whether some lane has such an end whose anchor is solved apart.
    #[inline(always)]
    fn any_loose(&self, end: usize) -> bool {
        !self.at.ties[end].is_null() && L::any(L::zero().lt(self.tie(end, tie::LOOSE)))
    }

    /// Lanes in which vertex `i` is an end whose anchor is solved apart: colliders meet that and not the end.
    #[inline(always)]
    pub(crate) fn is_anchored(&self, i: usize) -> L::Mask {
        let mut anchored = L::zero();
        for end in 0..2 {
            if !self.at.ties[end].is_null() && self.ends(end).contains(&i) {
                anchored = anchored + self.tie(end, tie::LOOSE) * self.is_end(end, i);
            }
        }
        L::zero().lt(anchored)
    }

    /// What each unit force and moment on loose ends would do there, with the factors of the direction, before `follow` writes over them. The
    /// solution is kept meanwhile.
    #[inline(always)]
    pub fn respond(&mut self) {
        let loose = [self.any_loose(0), self.any_loose(1)];
        if self.at.spare.is_null() || loose == [false; 2] {
            return;
        }
        for i in 0..self.vertices {
            for k in 0..4 {
                let v = self.scratch_at(i, RHS + k);
                // SAFETY: not null, so the type's contract.
                unsafe { v.store(self.at.spare.add((4 * i + k) * self.stride())) };
            }
            self.spare_scale(i, true);
        }
        let zero = L::zero();
        for load in 0..12 {
            let (end, column) = (load / 6, load % 6);
            if !loose[end] {
                continue;
            }
            for i in 0..self.vertices {
                for k in 0..4 {
                    self.set_scratch(i, RHS + k, zero);
                }
                self.load_scale(i, zero);
            }
            let unit = |k: usize| if column == k { L::one() } else { zero };
            let (force, moment) = (vec3(unit(0), unit(1), unit(2)), vec3(unit(3), unit(4), unit(5)));
            let side = if end == 0 { -L::one() } else { L::one() };
            for i in self.ends(end) {
                let (next, edge) = Self::beside(end, i);
                let (here, f) = (self.is_end(end, i), self.frame_now(edge));
                let couple = moment.cross(f.d3) * (f.inv_len * side);
                self.pull(i, (force + couple) * here);
                self.pull(next, couple * -here);
                self.push_rhs(edge, 3, moment.dot(f.d3) * here);
            }
            self.go_down();
            self.go_back();
            self.note_response(end, tie::RESPONSE + 6 * column);
            if end == 0 && loose[1] {
                self.note_response(1, tie::ACROSS + 6 * column);
            }
        }
        for i in 0..self.vertices {
            for k in 0..4 {
                // SAFETY: as above.
                let v = unsafe { L::load(self.at.spare.add((4 * i + k) * self.stride())) };
                self.set_scratch(i, RHS + k, v);
            }
            self.spare_scale(i, false);
        }
    }

    /// Of the solution in the right-hand side, what it does to an end and to its edge.
    #[inline(always)]
    fn note_response(&mut self, end: usize, field: usize) {
        let side = if end == 0 { -L::one() } else { L::one() };
        for i in self.ends(end) {
            let (next, edge) = Self::beside(end, i);
            let (here, f) = (L::zero().lt(self.is_end(end, i)), self.frame_now(edge));
            let x = self.scratch3(i, RHS);
            let bent = f.d3.cross(x - self.scratch3(next, RHS)) * (f.inv_len * side);
            let turn = bent + f.d3 * self.scratch_at(edge, RHS + 3);
            for (row, v) in [x.x, x.y, x.z, turn.x, turn.y, turn.z].into_iter().enumerate() {
                let v = L::select(here, v, self.tie(end, field + row));
                // SAFETY: the caller looks that it is not null, so the type's contract.
                unsafe { v.store(self.at.ties[end].add((field + row) * self.stride())) };
            }
        }
    }

    /// Adds masses of anchors, what those that are solved apart give, and the half elements of clamps to the system. Returns what they add to the
    /// potential.
    #[inline(always)]
    pub(super) fn put_ties(&mut self, s: &Settings<L::Elem>) -> L {
        let mut energy = L::zero();
        for end in 0..2 {
            if self.at.ties[end].is_null() {
                continue;
            }
            let clamped = self.any_clamped(end);
            for i in self.ends(end) {
                let load = self.load_of(end, i);
                let (m, d) = self.drawn(end, i, s);
                let f = m.mul(d);
                energy = energy + L::constant(0.5) * d.dot(f) - load.dot(self.get3(i, state::U));
                self.pull(i, f + load - m.mul(self.predicted(i)));
                self.put_block(i, i, &[vec3(m.xx, m.xy, m.xz), vec3(m.xy, m.yy, m.yz), vec3(m.xz, m.yz, m.zz)]);
                if clamped {
                    let (held, edge, rest) = self.half_element(end, i, s);
                    let (e, f) = if end == 0 { (held, edge) } else { (edge, held) };
                    let shift = self.turned_away(end, s);
                    energy = energy + self.put_held(i, &e, &f, &rest, &shift, s.model, end == 0);
                }
            }
        }
        energy
    }

    #[inline(always)]
    pub(super) fn tie_energy(&self, s: &Settings<L::Elem>) -> L {
        let mut energy = L::zero();
        for end in 0..2 {
            if self.at.ties[end].is_null() {
                continue;
            }
            let clamped = self.any_clamped(end);
            for i in self.ends(end) {
                let (m, d) = self.drawn(end, i, s);
                energy = energy + L::constant(0.5) * d.dot(m.mul(d)) - self.load_of(end, i).dot(self.get3(i, state::U));
                if clamped {
                    let (held, edge, rest) = self.half_element(end, i, s);
                    let (e, f) = if end == 0 { (held, edge) } else { (edge, held) };
                    energy = energy + self.energy_of(i, &e.frame, &f.frame, &rest, s.model);
                }
            }
        }
        energy
    }

    /// The moments of clamps, and their twists.
    #[inline(always)]
    pub(super) fn note_ties(&mut self, s: &Settings<L::Elem>) {
        self.newton.renews = true;
        for end in 0..2 {
            if self.at.ties[end].is_null() || !self.any_clamped(end) {
                continue;
            }
            for i in self.ends(end) {
                let (held, edge, rest) = self.half_element(end, i, s);
                let (e, f) = if end == 0 { (held, edge) } else { (edge, held) };
                let on = self.is_end(end, i) * self.tie(end, tie::CLAMPED);
                self.note_moment(i, &e.frame, &f.frame, &rest, s, on);
            }
        }
    }

    /// The strains that a clamp's anchor has been turned by.
    #[inline(always)]
    fn turned_away(&self, end: usize, s: &Settings<L::Elem>) -> Strains<L> {
        let (zero, psi) = (L::zero(), self.tie3(end, tie::PSI));
        let none = ElementRest { kappa: [zero; 4], twist: zero, bend: [zero; 4], turn: zero };
        let [a, b, c, d] = by_model!(s.model, M => M::hung(none, Vec3::zero(), psi)).kappa;
        [a, b, c, d, psi.z]
    }

    #[inline(always)]
    fn any_clamped(&self, end: usize) -> bool {
        L::any(L::zero().lt(self.tie(end, tie::CLAMPED)))
    }

    /// The half element of a clamp at vertex `i`: the anchor's frame, the end edge, and rest and stiffness. An anchor that the moment turns is as
    /// good as a compliance in series. What it was like when the substep began is not known: there is no viscosity in an attachment.
    #[inline(always)]
    pub(super) fn half_element(&self, end: usize, i: usize, s: &Settings<L::Elem>) -> (Edge<L>, Edge<L>, ElementRest<L>) {
        let q = |k: usize| self.tie(end, tie::ROTATION + k);
        let [m1, m2, t] = Quat { x: q(0), y: q(1), z: q(2), w: q(3) }.frame();
        let held = Edge::held(Frame { m1, m2, t });
        let (_, at) = Self::beside(end, i);
        let f = self.frame_now(at);
        let predicted = self.predicted(at + 1) - self.predicted(at);
        let edge = Edge { inv_length: f.inv_len, predicted: Some(predicted), ..Edge::held(as_frame(&f)) };

        let still = Settings { viscous: false, ..*s };
        let on = self.is_end(end, i) * self.tie(end, tie::CLAMPED);
        let open = Self::open(L::one() / f.inv_len, self.p(at, param::LENGTH));
        let mut rest = self.unscaled_rest(i, &still, on * open);
        let (give, psi) = (self.tie3(end, tie::TURN) * L::splat(s.h * s.h), self.tie3(end, tie::PSI));
        if self.keeps_volume() {
            // The anchor gives beside the section as it was when the substep began, so that K s² in series with it is that of the scale now, to first order.
            // What it has turned does not grow with the section.
            let began = self.began_scale(i);
            let give = give * (began * began);
            rest = by_model!(s.model, M => M::hung(rest, give, Vec3::zero()));
            rest.turn = rest.turn * in_series(rest.turn, give.z);
            let ([a, b, c, d, twist], at) = (self.turned_away(end, s), rescaled(&rest, self.section_scale(i)));
            let [k, l, m, n] = at.kappa;
            rest = ElementRest { kappa: [k + a, l + b, m + c, n + d], twist: at.twist + twist, ..at };
        } else {
            rest = by_model!(s.model, M => M::hung(rest, give, psi));
            rest.turn = rest.turn * in_series(rest.turn, give.z);
            rest.twist = rest.twist + psi.z;
        }
        (held, edge, rest)
    }
}
