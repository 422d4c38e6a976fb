//! The memory of Newton's method for a strand: its system, and all else that it keeps,
//! [`SCRATCH_ROWS`] rows a vertex.

use super::*;
use crate::layout::{LONG_STRAND, kept, wide};
use crate::math::cpu::{fetch, fetch_all, fetch_back};

/// The first of the rows of scales that are not of the band.
const WIDE_WALK: usize = SCRATCH_ROWS + wide::RHS;

/// Where row `k` of vertex `i` is, of a group whose strands have `vertices`: the bands of all of them, then what every walk reads (right-hand
/// sides, where inertia would go, inertias), then the rest. Walks that leave the band alone go through a sixth of the memory.
#[inline(always)]
pub(super) const fn scratch_row(vertices: usize, i: usize, k: usize) -> usize {
    match k {
        0..RHS => i * RHS + k,
        RHS..START => vertices * RHS + i * (START - RHS) + k - RHS,
        // Of rods that keep their volume (`volume.rs`): again the band first.
        SCRATCH_ROWS..WIDE_WALK => vertices * SCRATCH_ROWS + i * wide::RHS + k - SCRATCH_ROWS,
        WIDE_WALK.. => vertices * WIDE_WALK + i * (wide::ROWS - wide::RHS) + k - WIDE_WALK,
        _ => vertices * START + i * (SCRATCH_ROWS - START) + k - START,
    }
}

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
    /// Inertia plus what is never negative has no pivot below its inertia: where f32 has lost it under stiffness, or the element
    /// forms were made positive definite (`floored`), that is what is left. A true Hessian that falls short of it is noted.
    #[inline(always)]
    fn pivot(&mut self, row: usize, d: L) -> L {
        let inertia = self.scratch_at(row / 4, INERTIA + usize::from(row % 4 == 3));
        let floored = L::zero().lt(self.newton.floored);
        let bad = d.lt(inertia * L::constant(INDEFINITE));
        self.newton.indefinite = L::select(bad, L::one(), self.newton.indefinite);
        L::select(floored, d.max(inertia), L::select(bad, inertia, d))
    }
}

impl<L: Lane, const W: usize> Factored<L> for Group<L, W> {
    #[inline(always)]
    fn soon(&self, row: usize) {
        if self.vertices > LONG_STRAND {
            fetch_back(self.scratch_row(row / 4, row % 4 * BAND), width(row));
            fetch_back(self.scratch_row(row / 4, RHS + row % 4), 1);
        }
    }
    #[inline(always)]
    fn width(&self, row: usize) -> usize {
        width(row)
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// [`eliminate`], with the factors left in the rows.
    #[inline(always)]
    pub(super) fn factor_vertex(&mut self, v: usize) {
        if self.keeps_volume() {
            return self.factor_wide(v);
        }
        eliminate(self, v, self.vertices);
    }
    #[inline(always)]
    pub(crate) fn scratch_at(&self, i: usize, k: usize) -> L {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.at.scratch.is_null());
        // SAFETY: the type's contract; whoever is solved by Newton's method has a scratch.
        unsafe { L::load(self.at.scratch.add(scratch_row(self.vertices, i, k) * L::N)) }
    }
    #[inline(always)]
    pub(crate) fn set_scratch(&mut self, i: usize, k: usize, v: L) {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS && !self.at.scratch.is_null());
        // SAFETY: as in `scratch_at`.
        unsafe { v.store(self.at.scratch.add(scratch_row(self.vertices, i, k) * L::N)) }
    }
    #[inline(always)]
    pub(crate) fn scratch3(&self, i: usize, k: usize) -> Vec3<L> {
        vec3(self.scratch_at(i, k), self.scratch_at(i, k + 1), self.scratch_at(i, k + 2))
    }
    #[inline(always)]
    pub(crate) fn set_scratch3(&mut self, i: usize, k: usize, v: Vec3<L>) {
        self.set_scratch(i, k, v.x);
        self.set_scratch(i, k + 1, v.y);
        self.set_scratch(i, k + 2, v.z);
    }
    #[inline(always)]
    fn kept_row(&self, i: usize, k: usize) -> *mut L::Elem {
        debug_assert!(i < self.vertices && k < kept::ROWS && !self.at.kept.is_null());
        self.at.kept.wrapping_add((i * kept::ROWS + k) * L::N)
    }
    /// Keeps the system before contacts are in it.
    #[inline(always)]
    pub(super) fn keep_band(&mut self) {
        for i in 0..self.vertices {
            for k in 0..4 {
                for c in k * BAND..k * BAND + width(k) {
                    // SAFETY: the type's contract; callers look whether there are these rows.
                    unsafe { self.scratch_at(i, c).store(self.kept_row(i, c)) };
                }
                // SAFETY: as above.
                unsafe { self.scratch_at(i, RHS + k).store(self.kept_row(i, kept::RHS + k)) };
            }
        }
    }
    /// The system that [`Self::keep_band`] has kept.
    #[inline(always)]
    pub(super) fn take_band(&mut self) {
        for i in 0..self.vertices {
            for k in 0..4 {
                for c in k * BAND..k * BAND + width(k) {
                    // SAFETY: as in `keep_band`, which has filled them.
                    let v = unsafe { L::load(self.kept_row(i, c)) };
                    self.set_scratch(i, c, v);
                }
                // SAFETY: as above.
                let v = unsafe { L::load(self.kept_row(i, kept::RHS + k)) };
                self.set_scratch(i, RHS + k, v);
            }
        }
    }
    /// A quarter of what the walk from root to tip wants of a vertex some vertices ahead, and row `k` of its band: asked for all at once, it
    /// waits in line. In long strands a band's vertex is most of a page, where the processor's own prefetching starts anew.
    #[inline(always)]
    pub(super) fn look_ahead(&self, i: usize, k: usize) {
        self.look_beside(i, k);
        if self.vertices > LONG_STRAND && i + AHEAD < self.vertices {
            self.fetch_scratch(i + AHEAD, k * BAND, width(k));
            self.fetch_scratch(i + AHEAD, RHS + k, 1);
        }
    }
    /// The same without the band.
    #[inline(always)]
    pub(super) fn look_beside(&self, i: usize, k: usize) {
        let i = i + AHEAD;
        if self.vertices <= LONG_STRAND || i >= self.vertices {
            return;
        }
        for row in (RHS + 4 + k..START).step_by(4) {
            self.fetch_scratch(i, row, 1);
        }
        let extra = self.at.extra_rows;
        if k < extra {
            fetch(self.at.extra.wrapping_add((i * extra + k) * self.stride()).cast::<L>());
        }
        for row in (k..param::ROWS).step_by(4) {
            fetch(self.at.params.wrapping_add((i * param::ROWS + row) * self.stride()).cast::<L>());
        }
        for row in (k..state::ROWS).step_by(4) {
            fetch(self.at.state.wrapping_add((i * state::ROWS + row) * self.stride()).cast::<L>());
        }
    }
    #[inline(always)]
    fn fetch_scratch(&self, i: usize, first: usize, rows: usize) {
        fetch_all(self.scratch_row(i, first), rows);
    }
    #[inline(always)]
    fn scratch_row(&self, i: usize, k: usize) -> *const L {
        self.at.scratch.wrapping_add(scratch_row(self.vertices, i, k) * L::N).cast::<L>()
    }
    /// Rest strains 2, 3 … of a model with `rows` of them; zeros beyond.
    #[inline(always)]
    pub(super) fn extra(&self, i: usize, rows: usize) -> [L; 2] {
        debug_assert!(i < self.vertices && rows == self.at.extra_rows);
        let mut out = [L::zero(); 2];
        for k in 0..rows.min(2) {
            // SAFETY: the type's contract.
            out[k] = unsafe { L::load(self.at.extra.add((i * rows + k) * self.stride())) };
        }
        out
    }
}
