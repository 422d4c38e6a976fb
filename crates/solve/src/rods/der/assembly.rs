//! The system of a strand in one walk from root to tip: elements into the band, held unknowns out
//! of it, and its factors.

use super::band::{Band, width};
use super::elimination::WINDOW;
use super::kernels::*;
use super::strand::{Edge, Inertia, Strands};
use crate::math::Lane;

/// What the walk knows at an edge: where the Hessian shall be the true one, the edge before, and the energies so far, of inertia and outer forces and
/// of the elements.
struct Walk<L> {
    exact: L,
    all_exact: bool,
    /// [`overshoot`] instead of Hessians.
    overshoots: bool,
    /// Looks for the stiffest element.
    measures: bool,
    before: Option<Edge<L>>,
    outer: L,
    elastic: L,
}

impl<L: Lane> Walk<L> {
    #[inline(always)]
    fn new(exact: L) -> Self {
        Walk {
            exact,
            all_exact: !L::any(exact.lt(L::one())),
            overshoots: false,
            measures: false,
            before: None,
            outer: L::zero(),
            elastic: L::zero(),
        }
    }
}

impl<L: Lane> Strands<L> {
    /// Band, minus the gradient and energy of the state. `exact` is 1 where the Hessian shall be the true one; elsewhere each
    /// element that is not positive definite gives its Gauss–Newton form.
    #[inline(always)]
    pub fn assemble(&mut self, inertia: &Inertia<L>, exact: L) -> L {
        let mut walk = Walk::new(exact);
        self.walk(&mut walk, inertia);
        walk.outer + walk.elastic
    }

    /// K of the state in the band, and its stiffest element in `hardest`. Or, where it `overshoots`, the matrix whose negative eigenvalues are motions
    /// that steps of `self.steps` swing up. The tension of edges counts for nothing there where they are pressed: it holds more.
    #[inline(always)]
    pub(crate) fn assemble_static(&mut self, overshoots: bool) {
        let (exact, inertia) = if overshoots {
            (L::zero(), Inertia { h: L::one(), inv_h2: self.steps, drag: L::zero() })
        } else {
            self.hardest = L::zero();
            (L::one(), Inertia::none())
        };
        self.walk(&mut Walk { overshoots, measures: !overshoots, ..Walk::new(exact) }, &inertia);
    }

    #[inline(always)]
    fn walk(&mut self, walk: &mut Walk<L>, inertia: &Inertia<L>) {
        self.make_band();
        self.begin(0, walk, inertia);
        for i in 0..self.vertices() - 1 {
            self.add_edge(i, walk, inertia);
        }
    }

    /// Takes the unknowns that are not free out of the system.
    #[inline(always)]
    pub(crate) fn constrain(&mut self) {
        for i in 0..self.vertices() {
            self.constrain_vertex(i);
        }
    }

    /// [`Self::assemble`], [`Self::constrain`] and [`Self::eliminate`] in one walk, each as soon as the one before has had what it writes to. Returns the
    /// energy and Σ f²/m over what is free; leaves the number of negative pivots in `negative`, in `fastest` max |f|/m over the free vertices, and for
    /// [`Self::slope`] what it wants, where that is `searched`.
    #[inline(always)]
    pub(crate) fn assemble_and_factor(&mut self, inertia: &Inertia<L>, exact: L, searched: bool) -> [L; 2] {
        let n = self.vertices();
        let mut sum = L::zero();
        (self.negative, self.fastest) = (L::zero(), L::zero());
        self.rhs[n..].fill([L::zero(); 4]);
        let mut walk = Walk::new(exact);
        self.begin(0, &mut walk, inertia);
        for e in 0..n + 3 {
            self.look_ahead(e, 0);
            if e + 1 - self.first == WINDOW && e + 1 < n {
                // What elements and pivots still write to.
                let from = e - 3;
                self.band.copy_within(from - self.first..e + 1 - self.first, 0);
                self.first = from;
            }
            if e + 1 < n {
                self.add_edge(e, &mut walk, inertia);
            }
            self.look_ahead(e, 1);
            // No element beyond e writes to e − 1 and before.
            let at = |behind: usize| e.checked_sub(behind).filter(|v| *v < n);
            if let Some(v) = at(1) {
                sum = self.add_square(v, sum);
                let (f, c) = (&self.rhs[v], &self.section[v]);
                let square = c.free[0] * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
                self.fastest = self.fastest.max(square.sqrt() / c.mass);
                if searched {
                    self.trial_moved[v] = self.rhs[v];
                }
            }
            self.look_ahead(e, 2);
            // Both write to the right-hand sides of two more.
            if let Some(v) = at(3) {
                self.constrain_vertex(v);
                self.eliminate(v);
            }
            self.look_ahead(e, 3);
        }
        self.first = 0;
        [walk.outer + walk.elastic, sum]
    }

    /// The rows of a vertex with its inertia and drag alone, and on the right minus the gradient of these and of outer forces.
    #[inline(always)]
    fn begin(&mut self, i: usize, walk: &mut Walk<L>, inertia: &Inertia<L>) {
        let (energy, down) = self.outer(i, &self.moved(i), inertia);
        walk.outer = walk.outer + energy;
        self.rhs[i] = down;
        let s = &self.section[i];
        let (m, o) = (s.mass * (inertia.inv_h2 + inertia.drag), s.inertia * (inertia.inv_h2 + inertia.drag));
        for k in 0..4 {
            self.band[i - self.first][k][..width(k)].fill(L::zero());
            self.band[i - self.first][k][0] = if k < 3 { m } else { o };
        }
    }

    /// The edge after vertex `i`, and the element at it.
    #[inline(always)]
    fn add_edge(&mut self, i: usize, walk: &mut Walk<L>, inertia: &Inertia<L>) {
        self.begin(i + 1, walk, inertia);
        let edge = self.edge(&self.state[i], i);
        walk.elastic = walk.elastic + edge.stretch.energy;
        self.put_stretch(i, &edge.view(), edge.stretch.tension, &edge.stretch, walk.exact, None);
        if let Some(e) = &walk.before {
            let energy = self.add_element(i, e, &edge, walk);
            walk.elastic = walk.elastic + energy;
        }
        walk.before = Some(edge);
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
            _ if walk.overshoots => overshoot(&q, &element),
            true => true_hessian(&q, &element),
            false => positive_hessian(&q, &element, (e.length, &e.stretch), (f.length, &f.stretch), walk.exact),
        };
        let [first, last] = self.put_element(i, &q, &e.view(), &f.view(), &element, &h, true, None);
        if walk.measures {
            // Frames that are held stand for edges that are not there.
            let (before, here, after) = (&self.section[i - 1].free, &self.section[i], &self.section[i + 1].free);
            let stiff = (first * before[0] + last * after[0]) * here.free[0];
            self.hardest = self.hardest.max(stiff / here.mass);
        }
        element.energy
    }

    #[inline(always)]
    pub(crate) fn is_free(&self, i: usize, k: usize) -> L {
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

    /// Takes the unknowns of a vertex that are not free out of the system: their displacement is what is left of the way that they are driven, and pushes
    /// on their free neighbours.
    #[inline(always)]
    fn constrain_vertex(&mut self, i: usize) {
        let rows = 4 * self.vertices();
        if self.is_driven() {
            self.push_neighbours(i);
        }
        for k in 0..4 {
            let free = self.is_free(i, k);
            let row = &mut self.band[i - self.first][k];
            for c in 1..width(k).min(rows - 4 * i - k) {
                let other = self.section[(4 * i + k + c) / 4].free[usize::from((k + c) % 4 == 3)];
                row[c] = row[c] * free * other;
            }
            row[0] = row[0] * free + (L::one() - free);
            let left = if self.is_driven() { self.left(i, k) } else { L::zero() };
            self.rhs[i][k] = self.rhs[i][k] * free + left;
        }
    }

    /// Of what is driven of a vertex and of those after it, on each other.
    #[inline(always)]
    fn push_neighbours(&mut self, i: usize) {
        let rows = 4 * self.vertices();
        for k in 0..4 {
            let own = self.left(i, k);
            for c in 1..width(k).min(rows - 4 * i - k) {
                let (j, l) = ((4 * i + k + c) / 4, (k + c) % 4);
                let a = self.band[i - self.first][k][c];
                self.rhs[j][l] = self.rhs[j][l] - a * own;
                self.rhs[i][k] = self.rhs[i][k] - a * self.left(j, l);
            }
        }
    }
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod tests;
