//! What strands answer to forces between the stages of a step: contact between rods is solved with it
//! (`couple`).

// Indices name rows and columns of small matrices here.
#![allow(clippy::needless_range_loop)]

use super::{Group, Settings};
use crate::layout::WIDE;
use crate::layout::scratch::RHS;
use crate::layout::{bundle, contact, param, state};
use crate::math::{Lane, Vec3};
use crate::rods::der::band::{BAND, Factors};

/// xx, xy, xz, yy, yz, zz of the block of Z = H⁻¹ at the position of vertex `v`, from `after`: Z of the unknowns beyond the vertex, which becomes that of the
/// unknowns beyond the one before.
///
/// Z = D⁻¹ L⁻¹ + (1 − Lᵀ) Z. A vertex's rows reach the next vertex's, and the place of the one after it.
#[inline(always)]
fn block_of_inverse<L: Lane, const N: usize, const REACH: usize, const ALL: usize>(
    factors: &impl Factors<L, N, ALL>,
    v: usize,
    vertices: usize,
    after: &mut [[L; REACH]; REACH],
) -> [L; 6] {
    let zero = L::zero();
    let mut z = [[zero; ALL]; ALL];
    for (to, from) in z[N..].iter_mut().zip(&*after) {
        to[N..].copy_from_slice(from);
    }
    let last = ALL.min(N * (vertices - v));
    for p in (0..N).rev() {
        let mut l = [zero; ALL];
        for (k, l) in l.iter_mut().enumerate().take(last).skip(p + 1) {
            *l = factors.factor(v, p, k - p);
        }
        for j in p + 1..last {
            let mut sum = zero;
            for (k, l) in l.iter().enumerate().take(last).skip(p + 1) {
                sum = sum + *l * z[k][j];
            }
            z[p][j] = -sum;
            z[j][p] = -sum;
        }
        let mut own = factors.factor(v, p, 0);
        for (k, l) in l.iter().enumerate().take(last).skip(p + 1) {
            own = own - *l * z[p][k];
        }
        z[p][p] = own;
    }
    for (to, from) in after.iter_mut().zip(&z) {
        to.copy_from_slice(&from[..REACH]);
    }
    [z[0][0], z[0][1], z[0][2], z[1][1], z[1][2], z[2][2]]
}

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn contact_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < contact::ROWS && !self.at.contact.is_null());
        // SAFETY: the type's contract; rods that are pressed have these rows.
        unsafe { L::load(self.at.contact.add((i * contact::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn set_contact_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < contact::ROWS && !self.at.contact.is_null());
        // SAFETY: as above.
        unsafe { v.store(self.at.contact.add((i * contact::ROWS + row) * self.stride())) }
    }

    /// [`contact::LOAD`]
    #[inline(always)]
    pub(crate) fn contact_load(&self, i: usize) -> Vec3<L> {
        let at = |k: usize| self.contact_row(i, contact::LOAD + k);
        Vec3 { x: at(0), y: at(1), z: at(2) }
    }

    /// Keeps the solution that the strand has found for itself: of Newton's method (`solved`) a displacement and a turn; what has been swept is there.
    #[inline(always)]
    pub fn begin_contact(&mut self, solved: bool) {
        for i in 0..self.vertices {
            for k in 0..4 {
                let own = if solved { self.scratch_at(i, RHS + k) } else { L::zero() };
                self.set_contact_row(i, contact::OWN + k, own);
                self.set_contact_row(i, contact::ANSWER + k, L::zero());
            }
            self.set_contact_row(i, contact::STOPPED, L::zero());
            if solved {
                self.begin_scale(i);
            }
        }
        // The next stage does not know whether any was noted.
        if solved && !self.newton.near {
            self.begin_contacts();
        }
    }

    /// The forces in [`contact::ANSWER`] become what they do to the strand, by the factors of Newton's direction.
    #[inline(always)]
    pub fn answer(&mut self) {
        for i in 0..self.vertices {
            for k in 0..3 {
                let f = self.contact_row(i, contact::ANSWER + k);
                self.set_scratch(i, RHS + k, f);
            }
            let [moment, swell] = if self.is_bundled() {
                [self.contact_row(i, contact::ANSWER_TURN), self.bundle_row(i, bundle::ANSWER_SWELL)]
            } else {
                [L::zero(); 2]
            };
            self.set_scratch(i, RHS + 3, moment);
            self.load_scale(i, swell);
        }
        self.go_down();
        self.go_back();
        for i in 0..self.vertices {
            for k in 0..4 {
                // A lane that nothing loads has +0, as where nobody asks for it.
                let d = self.scratch_at(i, RHS + k) + L::zero();
                self.set_contact_row(i, contact::ANSWER + k, d);
            }
            self.answer_scale(i);
        }
    }

    /// The same for what is swept: each vertex for itself.
    #[inline(always)]
    pub fn answer_by_mass(&mut self, s: &Settings<L::Elem>) {
        let h2 = L::splat(s.h * s.h);
        for i in 0..self.vertices {
            let by = self.p(i, param::W) * h2;
            for k in 0..3 {
                let f = self.contact_row(i, contact::ANSWER + k);
                self.set_contact_row(i, contact::ANSWER + k, f * by);
            }
        }
    }

    /// What a force on each vertex does to it: blocks on the diagonal of H⁻¹, from the factors, tip first (Takahashi, Fagan and Chin 1973).
    #[inline(always)]
    pub fn give(&mut self) {
        if self.keeps_volume() {
            let mut after = [[L::zero(); 8]; 8];
            for v in (0..self.vertices).rev() {
                let block = block_of_inverse::<L, 5, 8, WIDE>(&self.wide_band(), v, self.vertices, &mut after);
                self.put_give(v, block);
            }
            return;
        }
        let mut after = [[L::zero(); 7]; 7];
        for v in (0..self.vertices).rev() {
            let block = block_of_inverse::<L, 4, 7, BAND>(self, v, self.vertices, &mut after);
            self.put_give(v, block);
        }
    }

    #[inline(always)]
    fn put_give(&mut self, v: usize, block: [L; 6]) {
        for (row, give) in block.into_iter().enumerate() {
            self.set_contact_row(v, contact::GIVE + row, give);
        }
    }

    /// The same for what is swept.
    #[inline(always)]
    pub fn give_by_mass(&mut self, s: &Settings<L::Elem>) {
        let h2 = L::splat(s.h * s.h);
        for i in 0..self.vertices {
            let by = self.p(i, param::W) * h2;
            for row in 0..6 {
                self.set_contact_row(i, contact::GIVE + row, if matches!(row, 0 | 3 | 5) { by } else { L::zero() });
            }
        }
    }

    /// The direction of a Newton step becomes what the strand found and what contact adds. `near`: there are colliders.
    #[inline(always)]
    pub fn take_answer(&mut self, near: bool) {
        self.newton.near = near;
        for i in 0..self.vertices {
            for k in 0..4 {
                let d = self.contact_row(i, contact::OWN + k) + self.contact_row(i, contact::ANSWER + k);
                self.set_scratch(i, RHS + k, d);
            }
            self.take_scale(i);
        }
    }

    /// Notes the lanes that rods or, if there are any (`near`), colliders have pressed or held back: what these give a strand, or take from it, is not told to
    /// its momentum, so that none is given back.
    #[inline(always)]
    pub fn mark_pressed(&mut self, near: bool) {
        for i in 0..self.vertices {
            let pressed = L::zero().lt(self.contact_load(i).length2() + self.contact_row(i, contact::STOPPED));
            self.newton.held = L::select(pressed, L::one(), self.newton.held);
        }
        if near {
            self.mark_held();
        }
    }

    /// What is swept moves.
    #[inline(always)]
    pub fn move_by_answer(&mut self) {
        for i in 0..self.vertices {
            let at = |k: usize| self.contact_row(i, contact::ANSWER + k);
            let by = Vec3 { x: at(0), y: at(1), z: at(2) };
            self.set3(i, state::U, self.get3(i, state::U) + by);
        }
    }
}
