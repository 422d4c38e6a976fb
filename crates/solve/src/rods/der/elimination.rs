//! The system of a strand: where it lies, and how it is solved, a vertex at a time.
//!
//! The four unknowns x₁ of a vertex meet seven beyond it, x₂: position and angle of the next
//! vertex, and the position of the one after. With A = LDLᵀ of its rows, pivot by pivot,
//!
//! ```text
//! A₁₁ x₁ + A₁₂ x₂ = b₁    →    x₁ = z − G x₂,   G = A₁₁⁻¹ A₁₂,   z = A₁₁⁻¹ b₁
//! A₂₂ ← A₂₂ − A₁₂ᵀ G,          b₂ ← b₂ − A₁₂ᵀ z
//! ```
//! For the way back a vertex keeps its 28 gains G (the rows of Lᵀ and D are 38 numbers), and its
//! four unknowns follow from x₂ side by side. So the band itself is a window of vertices in the
//! first caches, and fewer bytes of long strands are moved.

use super::band::{AHEAD, AHEAD_BACK, BAND, Band, eliminate};
use super::strand::Strands;
use crate::layout::{LONG_STRAND, filled};
use crate::math::Lane;
use crate::math::cpu::{fetch, fetch_all, fetch_back};

/// Unknowns beyond a vertex that its own meet.
const BEYOND: usize = BAND - 4;

/// Vertices whose rows are in the band during a step; then the first of those move to its beginning. (16: the same.)
pub(crate) const WINDOW: usize = 32;

/// G of a vertex.
pub(crate) type Gains<L> = [[L; BEYOND]; 4];

impl<L: Lane> Band<L> for Strands<L> {
    #[inline(always)]
    fn entry(&self, row: usize, column: usize) -> L {
        self.band[row / 4 - self.first][row % 4][column]
    }
    #[inline(always)]
    fn set_entry(&mut self, row: usize, column: usize, v: L) {
        self.band[row / 4 - self.first][row % 4][column] = v;
    }
    #[inline(always)]
    fn rhs(&self, row: usize) -> L {
        self.rhs[row / 4][row % 4]
    }
    #[inline(always)]
    fn set_rhs(&mut self, row: usize, v: L) {
        self.rhs[row / 4][row % 4] = v;
    }
    /// Counts the negative ones.
    #[inline(always)]
    fn pivot(&mut self, _: usize, d: L) -> L {
        let tiny = L::constant(1e-30);
        self.negative = L::select(d.lt(L::zero()), self.negative + L::one(), self.negative);
        L::select(d.abs().lt(tiny), tiny, d)
    }
}

impl<L: Lane> Strands<L> {
    /// Makes the room that Newton's method works in.
    pub(crate) fn make_room(&mut self) {
        let (n, o) = (self.vertices(), L::zero());
        if self.gains.len() < n {
            self.trial.clone_from(&self.state);
            self.trial_moved = filled(n, [o; 4]);
            self.gains = filled(n, [[o; BEYOND]; 4]);
        }
        self.make_rows(WINDOW.min(n));
    }

    /// Makes room for the band of the whole strand, which walks that keep it want.
    pub(crate) fn make_band(&mut self) {
        self.make_rows(self.vertices());
    }

    fn make_rows(&mut self, vertices: usize) {
        let (n, o) = (self.vertices() + 2, L::zero());
        if self.band.len() < vertices {
            self.band = filled(vertices, [[o; BAND]; 4]);
        }
        if self.rhs.len() < n {
            self.rhs = filled(n, [o; 4]);
        }
    }

    /// A quarter of what the walk from root to tip wants of a vertex some vertices beyond `i`, and row `k` of what it leaves: asked for all at once, it
    /// waits in line.
    #[inline(always)]
    pub(crate) fn look_ahead(&self, i: usize, k: usize) {
        let i = i + 1 + AHEAD;
        if self.vertices() <= LONG_STRAND || i >= self.vertices() {
            return;
        }
        match k {
            0 => fetch(&self.state[i]),
            1 => fetch(&self.section[i]),
            2 => fetch(&self.rest[i]),
            _ => {
                fetch(&self.velocity[i]);
                fetch(&self.rhs[i]);
            }
        }
        fetch_all(self.gains[i][k].as_ptr(), BEYOND);
    }

    /// Takes the unknowns of vertex `v` out of the system.
    #[inline(always)]
    pub(crate) fn eliminate(&mut self, v: usize) {
        eliminate(self, v, self.vertices());
        let (mut z, mut l) = ([L::zero(); 4], self.band[v - self.first]);
        for p in 0..4 {
            z[p] = self.rhs(4 * v + p) * l[p][0];
        }
        // Of A₁₁ the factor Lᵀ is left, unit upper triangular.
        for p in (0..3).rev() {
            for q in p + 1..4 {
                let by = l[p][q - p];
                z[p] = z[p] - by * z[q];
                for c in 4..BAND {
                    l[p][c - p] = l[p][c - p] - by * l[q][c - q];
                }
            }
        }
        for p in 0..4 {
            for c in 0..BEYOND {
                self.gains[v][p][c] = l[p][4 + c - p];
            }
        }
        self.rhs[v] = z;
    }

    /// The way back: z becomes the solution. Memory is asked for in the order of the way, which the processor recognizes and goes on with.
    #[inline(always)]
    pub(crate) fn solve_back(&mut self) {
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
