//! Scales of sections, in rods that keep their volume: what both solvers share (`docs/internals/volume.md`).

use super::Group;
use crate::layout::{bulk, param, scale, swept};
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use crate::rods::volume::possible_growth;

impl<L: Lane, const W: usize> Group<L, W> {
    /// Whether the scales of sections are unknowns.
    #[inline(always)]
    pub(crate) fn keeps_volume(&self) -> bool {
        !self.at.scales.is_null()
    }
    #[inline(always)]
    pub(crate) fn scale_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < scale::ROWS && self.keeps_volume());
        // SAFETY: the type's contract; the caller asks whether these keep their volume.
        unsafe { L::load(self.at.scales.add((i * scale::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn set_scale_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < scale::ROWS && self.keeps_volume());
        // SAFETY: as in `scale_row`.
        unsafe { v.store(self.at.scales.add((i * scale::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn bulk_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < bulk::ROWS && !self.at.bulk.is_null());
        // SAFETY: the type's contract; who keeps its volume has these.
        unsafe { L::load(self.at.bulk.add((i * bulk::ROWS + row) * self.stride())) }
    }

    #[inline(always)]
    pub(crate) fn swept_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < swept::ROWS && !self.at.swept.is_null());
        // SAFETY: the type's contract; swept rods that keep their volume have these rows.
        unsafe { L::load(self.at.swept.add((i * swept::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn set_swept_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < swept::ROWS && !self.at.swept.is_null());
        // SAFETY: as in `swept_row`.
        unsafe { v.store(self.at.swept.add((i * swept::ROWS + row) * self.stride())) }
    }

    #[inline(always)]
    pub(crate) fn swept_row3(&self, i: usize, row: usize) -> Vec3<L> {
        vec3(self.swept_row(i, row), self.swept_row(i, row + 1), self.swept_row(i, row + 2))
    }
    #[inline(always)]
    pub(crate) fn set_swept_row3(&mut self, i: usize, row: usize, v: Vec3<L>) {
        self.set_swept_row(i, row, v.x);
        self.set_swept_row(i, row + 1, v.y);
        self.set_swept_row(i, row + 2, v.z);
    }

    /// Whether these are swept, and keep their volume.
    #[inline(always)]
    pub(crate) fn has_multipliers(&self) -> bool {
        !self.at.swept.is_null()
    }

    /// s − 1 of edge `i` where it is now.
    #[inline(always)]
    pub(crate) fn swell(&self, i: usize) -> L {
        self.swell_at(i, true)
    }

    /// The same, or that when the substep began.
    #[inline(always)]
    fn swell_at(&self, i: usize, now: bool) -> L {
        let began = self.scale_row(i, scale::SWELL);
        if now { began + self.scale_row(i, scale::GROWTH) } else { began }
    }

    /// The scale of the section at vertex `i`: the mean of its edges', at an end that of the last edge. 1 where radii stay. Of an active one it is that over the natural
    /// length: an edge of a times its length bends and twists as K s²/a² (y − a ȳ/s)².
    #[inline(always)]
    pub(crate) fn section_scale(&self, i: usize) -> L {
        let scale = if self.keeps_volume() { self.mean_scale(i, true) } else { L::one() };
        match self.per_natural(i) {
            Some(per) => scale * per,
            None => scale,
        }
    }
    /// The same when the substep began.
    #[inline(always)]
    pub(crate) fn began_scale(&self, i: usize) -> L {
        match self.per_natural(i) {
            Some(per) => self.mean_scale(i, false) * per,
            None => self.mean_scale(i, false),
        }
    }
    #[inline(always)]
    pub(crate) fn per_natural(&self, i: usize) -> Option<L> {
        if self.rests_active() { Some(L::one() / self.mean_natural(i)) } else { None }
    }

    #[inline(always)]
    pub(crate) fn mean_scale(&self, i: usize, now: bool) -> L {
        let one = L::one();
        if i == 0 {
            return one + self.swell_at(0, now);
        }
        let before = self.swell_at(i - 1, now);
        if i + 1 == self.vertices {
            return one + before;
        }
        let mean = (before + self.swell_at(i, now)) * L::constant(0.5);
        one + L::select(L::zero().lt(self.on(i, self.edge_count())), mean, before)
    }

    /// The parts that the edges before and after vertex `i` have in its radius.
    #[inline(always)]
    pub(crate) fn radius_parts(&self, i: usize) -> [L; 2] {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        if i == 0 {
            return [zero, one];
        }
        if i + 1 == self.vertices {
            return [one, zero];
        }
        let goes_on = zero.lt(self.on(i, self.edge_count()));
        [L::select(goes_on, half, one), L::select(goes_on, half, zero)]
    }
    /// The radius at vertex `i` by its sections as they are now.
    #[inline(always)]
    pub(crate) fn radius_now(&self, i: usize) -> L {
        self.p(i, param::RADIUS) * self.mean_scale(i, true)
    }

    /// By how much the section at vertex `i` has grown in the substep, m; `ahead`: where the solution takes it.
    #[inline(always)]
    pub(crate) fn grown(&self, i: usize, ahead: bool) -> L {
        let mut sum = L::zero();
        for (k, part) in self.radius_parts(i).into_iter().enumerate() {
            if i + k >= 1 && i + k < self.vertices {
                let e = i + k - 1;
                let by = if ahead { self.solved_growth(e) } else { L::zero() };
                sum = sum + part * (self.scale_row(e, scale::GROWTH) + by);
            }
        }
        sum * self.p(i, param::RADIUS)
    }

    /// How near a collider may come to vertex `i`: by its section as it was when the substep began.
    #[inline(always)]
    pub(crate) fn contact_radius(&self, i: usize) -> L {
        let radius = self.p(i, param::RADIUS);
        if self.keeps_volume() { radius * self.mean_scale(i, false) } else { radius }
    }

    /// Growth becomes how fast it grows, of which damping leaves the part `keep`.
    #[inline(always)]
    pub(crate) fn finish_scales(&mut self, h: L, keep: L) {
        let rate = keep / h;
        for i in 0..self.vertices {
            let growth = self.scale_row(i, scale::GROWTH);
            self.set_scale_row(i, scale::SWELL, self.scale_row(i, scale::SWELL) + growth);
            self.set_scale_row(i, scale::GROWTH, growth * rate);
        }
    }

    /// 0 where the scale of edge `i` is a number, else NaN.
    #[inline(always)]
    pub(crate) fn not_a_scale(&self, i: usize) -> L {
        let (s, v) = (self.scale_row(i, scale::SWELL), self.scale_row(i, scale::GROWTH));
        #[allow(clippy::eq_op, reason = "x − x is 0, or NaN where x is not finite")]
        let zero_if_finite = (s - s) + (v - v);
        zero_if_finite
    }

    /// [`possible_growth`] of edge `i`.
    #[inline(always)]
    pub(crate) fn possible_growth(&self, i: usize, from: L, to: L) -> L {
        possible_growth(self.scale_row(i, scale::SWELL), from, to)
    }
}
