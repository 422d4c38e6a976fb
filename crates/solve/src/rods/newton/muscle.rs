//! Muscles in the system of Newton's method: edges with an active rest shape, and Hill's force along them. `rods/muscle` has the mathematics,
//! `docs/internals/muscles.md` says why.

use super::*;
use crate::layout::{active, hill};
use crate::rods::muscle::{ActiveRest, HillForce, HillRates, fall, hill_force, hill_rates, next_point};
use crate::rods::volume::{VolumeSection, VolumeStrain};

/// The same out of line: exponentials and logarithms are long, and asked for in several places.
struct ForceAt<L> {
    peak: L,
    rates: HillRates<L>,
    z: L,
}

impl<L: Lane> Apart for ForceAt<L> {
    type Out = HillForce<L>;
    #[inline(always)]
    fn run(self) -> HillForce<L> {
        hill_force(self.peak, &self.rates, self.z)
    }
}

struct PointAt<L> {
    at: ForceAt<L>,
    force: L,
}

impl<L: Lane> Apart for PointAt<L> {
    type Out = L;
    #[inline(always)]
    fn run(self) -> L {
        next_point(self.at.peak, &self.at.rates, self.at.z, self.force)
    }
}

struct RatesAt<L> {
    lambda: L,
    cos: L,
    inv_travel: L,
    fall: L,
}

impl<L: Lane> Apart for RatesAt<L> {
    type Out = HillRates<L>;
    #[inline(always)]
    fn run(self) -> HillRates<L> {
        hill_rates(self.lambda, self.cos, self.inv_travel, self.fall)
    }
}

struct FallAt<L> {
    lambda: L,
    cos: L,
}

impl<L: Lane> Apart for FallAt<L> {
    type Out = L;
    #[inline(always)]
    fn run(self) -> L {
        fall(self.lambda, self.cos)
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// Whether activation changes what edges rest at.
    #[inline(always)]
    pub(crate) fn rests_active(&self) -> bool {
        !self.at.active.is_null() && self.at.hill.is_null()
    }
    /// Whether Hill's force acts along edges.
    #[inline(always)]
    pub(super) fn has_hill(&self) -> bool {
        !self.at.hill.is_null()
    }
    #[inline(always)]
    fn active_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < active::ROWS && !self.at.active.is_null());
        // SAFETY: the type's contract; the caller asks whether these are muscles.
        unsafe { L::load(self.at.active.add((i * active::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn set_active_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < active::ROWS && !self.at.active.is_null());
        // SAFETY: as in `active_row`.
        unsafe { v.store(self.at.active.add((i * active::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn hill_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < hill::ROWS && self.has_hill());
        // SAFETY: as in `active_row`.
        unsafe { L::load(self.at.hill.add((i * hill::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn set_hill_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < hill::ROWS && self.has_hill());
        // SAFETY: as in `active_row`.
        unsafe { v.store(self.at.hill.add((i * hill::ROWS + row) * self.stride())) }
    }

    /// The natural length of edge `i` over the one at rest.
    #[inline(always)]
    pub(super) fn natural(&self, i: usize) -> L {
        self.active_row(i, active::NATURAL)
    }
    /// The same of the section at vertex `i`: the mean of its edges', at an end that of the last edge.
    #[inline(always)]
    pub(crate) fn mean_natural(&self, i: usize) -> L {
        if i == 0 {
            return self.natural(0);
        }
        let before = self.natural(i - 1);
        if i + 1 == self.vertices {
            return before;
        }
        let mean = (before + self.natural(i)) * L::constant(0.5);
        L::select(L::zero().lt(self.on(i, self.edge_count())), mean, before)
    }
    /// The section of edge `i`, and what its rows rest at.
    #[inline(always)]
    pub(super) fn active_rest(&self, i: usize, section: &VolumeSection<L>) -> (VolumeSection<L>, VolumeStrain<L>) {
        let at = ActiveRest::new(self.natural(i));
        (at.section(section), at.rest())
    }

    /// What differs between the sections of edges `i` − 1 and `i` over their natural ones, of a stiffness against it, N m: that, and the derivatives of the
    /// difference by both scales.
    #[inline(always)]
    pub(super) fn active_spread(&self, i: usize, spread: L, swells: [L; 2]) -> (L, L, [L; 2]) {
        let a = self.mean_natural(i);
        let parts = [self.natural(i - 1).sqrt(), self.natural(i).sqrt()];
        let d = (parts[1] - parts[0]) + (parts[1] * swells[1] - parts[0] * swells[0]);
        (spread / (a * a * a), d, parts)
    }

    /// A substep begins: where the edges are, and what f_L does from there.
    #[inline(always)]
    pub(super) fn start_hill(&mut self, s: &Settings<L::Elem>) {
        let fall = self.start_lengths(s);
        for i in 0..self.vertices - 1 {
            let lambda = self.hill_row(i, hill::START) * self.per_optimal(i);
            let inv_travel = L::one() / (self.hill_row(i, hill::SPEED) * L::splat(s.h)).max(L::constant(NOTHING));
            let job = RatesAt { lambda, cos: self.hill_row(i, hill::COS), inv_travel, fall };
            // SAFETY: the type's contract: the instruction set is enabled, and so available.
            let rates = unsafe { L::apart(job) };
            self.set_hill_row(i, hill::GAIN, rates.gain);
            self.set_hill_row(i, hill::SLOPE, rates.slope);
            self.set_hill_row(i, hill::TRAVEL, rates.speed);
        }
    }

    /// Where the edges are, and what part of f_L the strand's mean length leaves at the end of the substep. The mean is that of what is active, each
    /// edge as much as it is: it leaves out tendons. How far it goes is taken from the last substep: this side of the curve is never in the Hessian.
    #[inline(always)]
    fn start_lengths(&mut self, s: &Settings<L::Elem>) -> L {
        let zero = L::zero();
        let (mut lengths, mut optimal, mut grown) = (zero, zero, zero);
        for i in 0..self.vertices - 1 {
            let length = L::one() / self.frame_now(i).inv_len;
            let point = self.active_row(i, active::RATE) * L::splat(s.h);
            self.set_hill_row(i, hill::START, length);
            self.set_hill_row(i, hill::POINT, point);
            // What is cut has no force.
            let pulls = L::both(zero.lt(self.on(i, self.edge_count())), zero.lt(self.hill_row(i, hill::PEAK)));
            let weight = L::select(pulls, self.active_row(i, active::ACTIVATION), zero);
            let of = weight * self.hill_row(i, hill::OPTIMAL);
            optimal = optimal + of;
            lengths = lengths + L::select(pulls, weight * length, zero);
            grown = grown + of * point;
        }
        let lambda = (lengths + grown) / optimal.max(L::constant(NOTHING));
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        unsafe { L::apart(FallAt { lambda, cos: self.hill_row(0, hill::COS) }) }
    }

    /// λ of a length of edge `i`, 1/m; 0 where the lane has no such edge.
    #[inline(always)]
    fn per_optimal(&self, i: usize) -> L {
        self.on(i, self.edge_count()) / self.hill_row(i, hill::OPTIMAL).max(L::constant(NOTHING))
    }

    #[inline(always)]
    fn hill_at(&self, i: usize, z: L) -> ForceAt<L> {
        let (gain, slope, speed) = (self.hill_row(i, hill::GAIN), self.hill_row(i, hill::SLOPE), self.hill_row(i, hill::TRAVEL));
        let peak = self.hill_row(i, hill::PEAK) * self.active_row(i, active::ACTIVATION);
        ForceAt { peak, rates: HillRates { gain, slope, speed }, z }
    }
    #[inline(always)]
    fn hill_force(&self, i: usize, z: L) -> HillForce<L> {
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        unsafe { L::apart(self.hill_at(i, z)) }
    }

    /// Hill's force of edge `i` of that `length`: energy, J, tension, N, and its derivative by the length, N/m. Steps that are searched take it where it is; others
    /// see its tangent where the last substep, or iteration, says that it will be. (From where it was, one Newton step of a force that falls by half within a fifth of
    /// the largest velocity missed that velocity by a tenth.)
    #[inline(always)]
    pub(super) fn hill_tension(&self, i: usize, length: L, search: bool) -> [L; 3] {
        let per = self.per_optimal(i);
        let z = (length - self.hill_row(i, hill::START)) * per;
        if search {
            let at = self.hill_force(i, z);
            return [at.energy * self.hill_row(i, hill::OPTIMAL), at.force, at.stiffness * per];
        }
        let point = self.hill_row(i, hill::POINT);
        let at = self.hill_force(i, point);
        [L::zero(), at.force + at.stiffness * (z - point), at.stiffness * per]
    }

    /// Of a step that is not searched and makes edge `i` of that `length` `longer`: the force that it asks for, and where the next one is linearised.
    #[inline(always)]
    pub(super) fn note_hill_step(&mut self, i: usize, length: L, longer: L, s: &Settings<L::Elem>) {
        let [_, force, stiffness] = self.hill_tension(i, length, false);
        let z = ((length - self.hill_row(i, hill::START)) + longer) * self.per_optimal(i);
        let force = force + stiffness * longer;
        let job = PointAt { at: self.hill_at(i, z), force };
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        let point = unsafe { L::apart(job) };
        self.set_hill_row(i, hill::POINT, point);
        self.set_active_row(i, active::RATE, point / L::splat(s.h));
        self.set_active_row(i, active::FORCE, force);
    }

    /// The same of one that was searched.
    #[inline(always)]
    pub(super) fn note_hill(&mut self, i: usize, length: L, s: &Settings<L::Elem>) {
        let z = (length - self.hill_row(i, hill::START)) * self.per_optimal(i);
        let [_, force, _] = self.hill_tension(i, length, true);
        self.set_active_row(i, active::RATE, z / L::splat(s.h));
        self.set_active_row(i, active::FORCE, force);
    }
}
