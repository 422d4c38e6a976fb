//! The system of a strand: elements into the band, what is held out of it, and its factors, in one walk from root to tip.

use super::band::{BAND, Band};
use super::kernels::*;
use super::strand::{Edge, Inertia, Strands};
use crate::math::Lane;

/// How many vertices a stage of the walk is behind the one before it: what an element, a held unknown or a pivot writes to are
/// the three vertices after its first. So a long strand's band goes through the caches once, and every entry sees what it would
/// see if each stage went through the whole strand: the bits are the same.
const BEHIND: usize = 3;

/// What the walk knows at an edge: where the Hessian shall be the true one, and the edge before.
struct Walk<L> {
    exact: L,
    all_exact: bool,
    before: Option<Edge<L>>,
}

impl<L: Lane> Walk<L> {
    #[inline(always)]
    fn new(exact: L) -> Self {
        Walk { exact, all_exact: !L::any(exact.lt(L::one())), before: None }
    }
}

impl<L: Lane> Strands<L> {
    /// Band, minus the gradient and energy of the state. `exact` is 1 where the Hessian shall be the true one; elsewhere each
    /// element that is not positive definite gives its Gauss–Newton form.
    #[inline(always)]
    pub fn assemble(&mut self, inertia: &Inertia<L>, exact: L) -> L {
        let n = self.vertices();
        let mut energy = self.begin(inertia);
        let mut walk = Walk::new(exact);
        self.clear_rows(0, inertia);
        for i in 0..n - 1 {
            energy = self.add_edge(i, &mut walk, energy, inertia);
        }
        energy
    }

    /// Takes the unknowns that are not free out of the system.
    #[inline(always)]
    pub(super) fn constrain(&mut self) {
        for i in 0..self.vertices() {
            self.constrain_vertex(i);
        }
    }

    /// [`Self::assemble`], [`Self::constrain`] and LDLᵀ of the band, in place. Returns the energy and Σ f²/m over what is free; leaves the number
    /// of negative pivots in `negative`.
    #[inline(always)]
    pub(super) fn assemble_and_factor(&mut self, inertia: &Inertia<L>, exact: L) -> [L; 2] {
        let n = self.vertices();
        let (mut energy, mut sum) = (self.begin(inertia), L::zero());
        self.negative = L::zero();
        let mut walk = Walk::new(exact);
        self.clear_rows(0, inertia);
        for e in 0..n + 3 * BEHIND {
            if e + 1 < n {
                energy = self.add_edge(e, &mut walk, energy, inertia);
            }
            // No element beyond e writes to e − 1 and before.
            let at = |behind: usize| e.checked_sub(behind).filter(|v| *v < n);
            if let Some(v) = at(1) {
                sum = self.add_square(v, sum);
            }
            if let Some(v) = at(1 + BEHIND) {
                self.constrain_vertex(v);
            }
            if let Some(v) = at(1 + 2 * BEHIND) {
                self.factor_rows(4 * v..4 * (v + 1), 4 * n);
            }
        }
        [energy, sum]
    }

    /// Inertia, drag and outer forces: their energy, and minus their gradient on the right.
    #[inline(always)]
    fn begin(&mut self, inertia: &Inertia<L>) -> L {
        let mut energy = L::zero();
        for i in 0..self.vertices() {
            let (e, down) = self.outer(i, &self.moved[i], inertia);
            energy = energy + e;
            self.rhs[i] = down;
        }
        energy
    }

    /// The rows of a vertex with its inertia and drag alone.
    #[inline(always)]
    fn clear_rows(&mut self, i: usize, inertia: &Inertia<L>) {
        self.band[i] = [[L::zero(); BAND]; 4];
        let s = &self.section[i];
        let (m, o) = (s.mass * (inertia.inv_h2 + inertia.drag), s.inertia * (inertia.inv_h2 + inertia.drag));
        for k in 0..4 {
            self.band[i][k][0] = if k < 3 { m } else { o };
        }
    }

    /// The edge after vertex `i`, and the element at it; returns `energy` and theirs.
    #[inline(always)]
    fn add_edge(&mut self, i: usize, walk: &mut Walk<L>, energy: L, inertia: &Inertia<L>) -> L {
        self.clear_rows(i + 1, inertia);
        let edge = self.edge(&self.state[i], i);
        let mut energy = energy + edge.stretch.energy;
        self.put_stretch(i, edge.frame.t, L::one() / edge.length, edge.stretch.tension, &edge.stretch, walk.exact);
        if let Some(e) = &walk.before {
            energy = energy + self.add_element(i, e, &edge, walk);
        }
        walk.before = Some(edge);
        energy
    }

    /// The element at vertex `i`.
    #[inline(always)]
    fn add_element(&mut self, i: usize, e: &Edge<L>, f: &Edge<L>, walk: &Walk<L>) -> L {
        let rest = self.element_rest(i);
        let q = Relative::new(&e.frame, &f.frame);
        let now = self.strains(&q, &self.state[i]);
        let element = match self.measure {
            Measure::Curvature => {
                let kappa = [now[0], now[1], now[2], now[3]];
                bend_twist(&q, kappa, now[4], &q.gradients(kappa), &rest)
            }
            Measure::Darboux => bend_twist_darboux(&q, &now, &rest),
        };
        let h = match walk.all_exact {
            true => true_hessian(&q, &element),
            false => positive_hessian(&q, &element, (e.length, &e.stretch), (f.length, &f.stretch), walk.exact),
        };
        self.put_element(i, &q, &e.view(), &f.view(), &element, &h);
        element.energy
    }

    #[inline(always)]
    pub(super) fn is_free(&self, i: usize, k: usize) -> L {
        self.section[i].free[if k < 3 { 0 } else { 1 }]
    }

    /// `sum` and f²/m of what is free at a vertex.
    #[inline(always)]
    fn add_square(&self, i: usize, sum: L) -> L {
        let mut sum = sum;
        for k in 0..4 {
            let m = if k < 3 { self.section[i].mass } else { self.section[i].inertia };
            let f = self.rhs[i][k];
            sum = sum + self.is_free(i, k) * f * f / m;
        }
        sum
    }

    /// Takes the unknowns of a vertex that are not free out of the system: their displacement is what is left of `held`, and pushes on its free
    /// neighbours. The right-hand side is kept in `trial_moved`.
    #[inline(always)]
    fn constrain_vertex(&mut self, i: usize) {
        let rows = 4 * self.vertices();
        let left = |s: &Self, i: usize, k: usize| (s.held[i][k] - s.moved[i][k]) * (L::one() - s.is_free(i, k));
        for k in 0..4 {
            let (free, own) = (self.is_free(i, k), left(self, i, k));
            for c in 1..BAND.min(rows - 4 * i - k) {
                let (j, l) = ((4 * i + k + c) / 4, (k + c) % 4);
                let a = self.band[i][k][c];
                let (other, other_left) = (self.is_free(j, l), left(self, j, l));
                self.rhs[j][l] = self.rhs[j][l] - a * own;
                self.rhs[i][k] = self.rhs[i][k] - a * other_left;
                self.band[i][k][c] = a * free * other;
            }
            self.band[i][k][0] = self.band[i][k][0] * free + (L::one() - free);
        }
        for k in 0..4 {
            self.rhs[i][k] = self.rhs[i][k] * self.is_free(i, k) + left(self, i, k);
        }
        self.trial_moved[i] = self.rhs[i];
    }
}

#[cfg(test)]
mod tests;
