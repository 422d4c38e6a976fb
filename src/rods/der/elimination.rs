//! A strand's system, solved a vertex at a time.
//!
//! The four unknowns x₁ of a vertex meet seven beyond it, x₂: the position and angle of the next and the position of the one after. With
//! A = LDLᵀ of its rows, pivot by pivot,
//!
//! ```text
//! A₁₁ x₁ + A₁₂ x₂ = b₁    →    x₁ = z − G x₂,   G = A₁₁⁻¹ A₁₂,   z = A₁₁⁻¹ b₁
//! A₂₂ ← A₂₂ − A₁₂ᵀ G,          b₂ ← b₂ − A₁₂ᵀ z
//! ```
//! What is left of a vertex for the way back are the 28 gains G, where the rows of Lᵀ and D are 38, and its four unknowns follow from x₂ side by
//! side. So the band itself is a window of vertices in the first caches, and of a long strand, which is in none, fewer bytes are moved.

use super::band::{AHEAD_BACK, BAND, Pivots, eliminate};
use super::strand::Strands;
use crate::backend::cpu::fetch_back;
use crate::layout::LONG_STRAND;
use crate::math::Lane;

/// Unknowns beyond a vertex that its own meet.
pub(super) const BEYOND: usize = BAND - 4;

/// Vertices whose rows are in the band during a step; then the first of those move to its beginning. (16: the same.)
pub(super) const WINDOW: usize = 32;

/// G of a vertex.
pub(super) type Gains<L> = [[L; BEYOND]; 4];

impl<L: Lane> Strands<L> {
    /// Takes the unknowns of vertex `v` out of the system.
    #[inline(always)]
    pub(super) fn eliminate(&mut self, v: usize) {
        let Pivots { mut l, inv, b } = eliminate(self, v, self.vertices());
        let mut z = [L::zero(); 4];
        for p in 0..4 {
            z[p] = b[p] * inv[p];
        }
        // Of A₁₁ the factor Lᵀ is left, unit upper triangular.
        for p in (0..3).rev() {
            for q in p + 1..4 {
                z[p] = z[p] - l[p][q] * z[q];
                for c in 4..BAND {
                    l[p][c] = l[p][c] - l[p][q] * l[q][c];
                }
            }
        }
        for p in 0..4 {
            for c in 0..BEYOND {
                self.gains[v][p][c] = l[p][4 + c];
            }
        }
        self.rhs[v] = z;
    }

    /// The way back: z becomes the solution. Memory is asked for in the order of the way, which the processor recognizes and goes on with.
    #[inline(always)]
    pub(super) fn solve_back(&mut self) {
        let n = self.vertices();
        for v in (0..n).rev() {
            if n > LONG_STRAND && v >= AHEAD_BACK {
                fetch_back(&self.gains[v - AHEAD_BACK], 1);
                fetch_back(&self.rhs[v - AHEAD_BACK], 1);
            }
            let ([x, y, z, turn], [x2, y2, z2, _]) = (self.rhs[v + 1], self.rhs[v + 2]);
            let beyond = [x, y, z, turn, x2, y2, z2];
            for k in 0..4 {
                let mut sum = self.rhs[v][k];
                // The nearest, which is known last, comes last.
                for c in (0..BEYOND).rev() {
                    sum = sum - self.gains[v][k][c] * beyond[c];
                }
                self.rhs[v][k] = sum;
            }
        }
    }
}
