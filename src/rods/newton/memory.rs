//! A strand's system and whatever else Newton's method keeps of it, where it lies: [`SCRATCH_ROWS`] rows a vertex.

use super::*;
use crate::backend::cpu::fetch;
use crate::layout::{KAPPA_ROWS, LONG_STRAND};

impl<L: Lane, const W: usize> Band<L> for Group<L, W> {
    #[inline(always)]
    fn entry(&self, row: usize, column: usize) -> L {
        self.scratch_at(row / 4, row % 4 * BAND + column)
    }
    #[inline(always)]
    fn set_entry(&mut self, row: usize, column: usize, v: L) {
        self.set_scratch(row / 4, row % 4 * BAND + column, v);
    }
    #[inline(always)]
    fn rhs(&self, row: usize) -> L {
        self.scratch_at(row / 4, RHS + row % 4)
    }
    #[inline(always)]
    fn set_rhs(&mut self, row: usize, v: L) {
        self.set_scratch(row / 4, RHS + row % 4, v);
    }
    #[inline(always)]
    fn soon(&self, vertex: usize) {
        if self.vertices > LONG_STRAND {
            self.fetch_scratch::<COAST>(vertex, 0);
        }
    }
    /// Inertia plus what is never negative has no pivot below its inertia: where f32 has lost it under stiffness, or the element
    /// forms were made positive definite (`floored`), that is what is left. A true Hessian that falls short of it is noted.
    #[inline(always)]
    fn pivot(&mut self, row: usize, d: L) -> L {
        let inertia = self.scratch_at(row / 4, INERTIA + usize::from(row % 4 == 3));
        let floored = L::zero().lt(self.floored);
        let bad = d.lt(inertia * L::constant(INDEFINITE));
        self.indefinite = L::select(bad, L::one(), self.indefinite);
        L::select(floored, d.max(inertia), L::select(bad, inertia, d))
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    pub(in crate::rods) fn scratch_at(&self, i: usize, k: usize) -> L {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.scratch.is_null());
        // SAFETY: the type's contract; whoever is solved by Newton's method has a scratch.
        unsafe { L::load(self.scratch.add((i * SCRATCH_ROWS + k) * L::N)) }
    }
    #[inline(always)]
    pub(in crate::rods) fn set_scratch(&mut self, i: usize, k: usize, v: L) {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.scratch.is_null());
        // SAFETY: as in `scratch_at`.
        unsafe { v.store(self.scratch.add((i * SCRATCH_ROWS + k) * L::N)) }
    }
    #[inline(always)]
    pub(in crate::rods) fn scratch3(&self, i: usize, k: usize) -> Vec3<L> {
        vec3(self.scratch_at(i, k), self.scratch_at(i, k + 1), self.scratch_at(i, k + 2))
    }
    #[inline(always)]
    pub(in crate::rods) fn set_scratch3(&mut self, i: usize, k: usize, v: Vec3<L>) {
        self.set_scratch(i, k, v.x);
        self.set_scratch(i, k + 1, v.y);
        self.set_scratch(i, k + 2, v.z);
    }
    /// What a walk wants of a vertex some vertices ahead, beside its rows of the band: in long strands each lies on a page of its own.
    #[inline(always)]
    pub(super) fn look_ahead(&self, i: usize) {
        let i = i + AHEAD;
        if self.vertices <= LONG_STRAND || i >= self.vertices {
            return;
        }
        self.fetch_scratch::<{ START - RHS }>(i, RHS);
        for row in 0..param::ROWS {
            fetch(self.params.wrapping_add((i * param::ROWS + row) * W).cast::<L>());
        }
        for row in 0..state::ROWS {
            fetch(self.state.wrapping_add((i * state::ROWS + row) * W).cast::<L>());
        }
    }
    /// The same with what `advance` starts from.
    #[inline(always)]
    pub(super) fn look_ahead_kept(&self, i: usize) {
        self.look_ahead(i);
        if self.vertices > LONG_STRAND && i + AHEAD < self.vertices {
            self.fetch_scratch::<10>(i + AHEAD, KEPT);
        }
    }
    #[inline(always)]
    fn fetch_scratch<const ROWS: usize>(&self, i: usize, first: usize) {
        fetch(self.scratch.wrapping_add((i * SCRATCH_ROWS + first) * L::N).cast::<[L; ROWS]>());
    }
    /// κ̄₂ and κ̄₃.
    #[inline(always)]
    pub(super) fn kappa_after(&self, i: usize) -> [L; 2] {
        debug_assert!(i < self.vertices && !self.kappa.is_null());
        // SAFETY: the type's contract; discrete elastic rods have these rows.
        unsafe { [L::load(self.kappa.add(i * KAPPA_ROWS * W)), L::load(self.kappa.add((i * KAPPA_ROWS + 1) * W))] }
    }
}
