//! J and the linear system: four unknowns a vertex, upper band, the change of the rest shape out of its solution.

use super::{BAND, BoundMode, Change, Objective, Optimizer, Rules, Six, Sums};
use crate::layout::LONG_STRAND;
use crate::math::Sym3;
use crate::math::cpu::fetch;
use crate::math::{Lane, Vec3};
use crate::rods::der::band::{Factored, Rows};
use crate::rods::der::kernels::Strains;
use crate::rods::der::strand::{Row, Strands};

/// How many vertices on an element's parameters act, and how many behind it a pivot may be: it writes to the three vertices after its own, which no
/// later element may write to.
const AFTER: usize = 2;
const BEHIND: usize = AFTER + 2;

/// How many vertices ahead the memory of long strands is asked for: few, as one with eight lanes has 12 KB. A part between two rows each: asked for at once
/// they are more misses than a core can have, and it waits.
pub(super) const AHEAD: usize = 2;

/// What is this near to a bound, over what is between both, is at it.
const SLACK: f64 = 1e-9;

/// The part of the farthest that is held with it. Times for 0.8, 0.9, 0.95, 0.98 and 0.999: 0.68, 0.49, 0.44, 0.43 and 0.46 ms a strand (r = 0.1 mm), 2.5, 2.8, 2.7, 2.9
/// and 3.1 under 100 g, 23, 22, 9, 7 and 9 with 400 vertices and κ̄ ± 0.05.
const WORST: f64 = 0.95;

#[inline(always)]
fn times<L: Lane>(m: &Sym3<L>, [x, y, z]: [L; 3]) -> Vec3<L> {
    Vec3 { x: m.xx * x + m.xy * y + m.xz * z, y: m.xy * x + m.yy * y + m.yz * z, z: m.xz * x + m.yz * y + m.zz * z }
}

/// How far beyond its bounds a parameter is, over what is between them.
#[inline(always)]
fn beyond<L: Lane>(s: L, low: L, high: L) -> L {
    (s - high).max(low - s) / (high - low).max(L::constant(1e-300))
}

/// Where the way back is.
struct Walk<L> {
    /// y turned at the element of the vertex that it comes from.
    after: Vec3<L>,
    change: Change<L>,
    sums: Sums<L>,
}

impl<L: Lane> Optimizer<L> {
    /// The stiffnesses of the element at vertex `i` over l̄_{i−1} + l̄_i, and one over that sum.
    #[inline(always)]
    pub(super) fn moduli(strands: &Strands<L>, s: &[Six<L>], i: usize) -> (Strains<L>, L) {
        let inv = L::one() / (s[i - 1][0] + s[i][0]);
        (Strands::moduli(strands.measure, &strands.section[i], inv), inv)
    }

    /// The element's moment, in the axes of the frame after it.
    #[inline(always)]
    pub(super) fn moment(&self, s: &[Six<L>], i: usize, moduli: &Strains<L>) -> Vec3<L> {
        let p = &self.pose[i];
        let mut sum = p.gradients[0] * (moduli[0] * (p.strains[0] - s[i][1]));
        for j in 1..5 {
            sum = sum + p.gradients[j] * (moduli[j] * (p.strains[j] - s[i][1 + j]));
        }
        sum
    }

    /// J at s̄, in factors, of the parameters at vertex `i`.
    #[inline(always)]
    pub(super) fn linearize(&mut self, strands: &Strands<L>, i: usize) {
        let (p, l) = (&self.pose[i], self.s[i][0]);
        self.slope[i].pull = p.t * (strands.section[i].ea * p.length / (l * l));
        if i > 0 {
            let (moduli, inv) = Self::moduli(strands, &self.s, i);
            (self.slope[i].moment, self.slope[i].moduli) = (self.moment(&self.s, i, &moduli) * inv, moduli);
        }
    }

    /// `turn` of the element at vertex `i` times y, of which the rows of its three vertices are wanted.
    #[inline(always)]
    fn turned(&self, i: usize, y: [&Row<L>; 3]) -> Vec3<L> {
        let rows = &self.pose[i].turn;
        let mut sum = Vec3::zero();
        for k in 0..11 {
            let v = y[k / 4][k % 4];
            sum = sum + Vec3 { x: rows[0][k] * v, y: rows[1][k] * v, z: rows[2][k] * v };
        }
        sum
    }

    /// The same out of `self.y`; zero where there is no element.
    #[inline(always)]
    pub(super) fn turned_solution(&self, i: usize) -> Vec3<L> {
        if i == 0 || i + 1 >= self.vertices() {
            return Vec3::zero();
        }
        self.turned(i, [&self.y[i - 1], &self.y[i], &self.y[i + 1]])
    }

    /// Jᵀ y for the parameters at vertex `i`, of y at the edge's `ends` and turned at the elements `here` and after the edge.
    #[inline(always)]
    pub(super) fn transpose_product(
        &self,
        strands: &Strands<L>,
        i: usize,
        ends: [&Row<L>; 2],
        here: Vec3<L>,
        after: Vec3<L>,
    ) -> Six<L> {
        let (slope, gradients) = (&self.slope[i], &self.pose[i].gradients);
        let (a, b) = (strands.section[i].free[0], strands.section[i + 1].free[0]);
        let [ya, yb] = ends;
        let along = Vec3 { x: yb[0] * b - ya[0] * a, y: yb[1] * b - ya[1] * a, z: yb[2] * b - ya[2] * a };
        let mut out = [L::zero(); 6];
        out[0] = slope.pull.dot(along);
        if i > 0 {
            out[0] = out[0] + slope.moment.dot(here);
            for j in 0..5 {
                out[1 + j] = slope.moduli[j] * gradients[j].dot(here);
            }
        }
        if i + 2 < strands.vertices() {
            out[0] = out[0] + self.slope[i + 1].moment.dot(after);
        }
        out
    }

    /// `m` along `turn` of an element.
    #[inline(always)]
    pub(super) fn spread(turn: &[[L; 11]; 3], m: Vec3<L>, k: usize) -> L {
        m.x * turn[0][k] + m.y * turn[1][k] + m.z * turn[2][k]
    }

    /// M⁻¹f at a vertex.
    #[inline(always)]
    fn acceleration(&self, strands: &Strands<L>, i: usize) -> Row<L> {
        let (c, mut a) = (&strands.section[i], self.force[i]);
        for k in 0..4 {
            a[k] = a[k] / if k < 3 { c.mass } else { c.inertia };
        }
        a
    }

    /// M + J D⁻¹ Jᵀ in `band`, factored, and f − J D⁻¹ r in `y` on its way down, in one walk to the tip. In the `first` one at an s̄ J, the gradient JᵀM⁻¹f + r
    /// and a first guess of what is held are made, too.
    #[inline(always)]
    pub(super) fn assemble(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L, first: bool) {
        let n = strands.vertices();
        for i in 0..n.min(AFTER) {
            self.clear(strands, i);
        }
        // M⁻¹f at vertex e and the one after; turned at the element of vertex e.
        let (mut a, mut b, mut here) = ([L::zero(); 4], [L::zero(); 4], Vec3::zero());
        if first {
            (a, b) = (self.acceleration(strands, 0), self.acceleration(strands, 1));
            self.linearize(strands, 0);
        }
        for e in 0..n + BEHIND {
            let ahead = Self::ahead(strands, e);
            if let Some(i) = ahead {
                self.fetch_small(strands, i);
                fetch(&self.force[i]);
            }
            if e + AFTER < n {
                self.clear(strands, e + AFTER);
            }
            if e + 1 < n {
                if first {
                    let (mut c, mut after) = ([L::zero(); 4], Vec3::zero());
                    if e + 2 < n {
                        c = self.acceleration(strands, e + 2);
                        self.linearize(strands, e + 1);
                        after = self.turned(e + 1, [&a, &b, &c]);
                    }
                    let jy = self.transpose_product(strands, e, [&a, &b], here, after);
                    self.guess(strands, rules, alpha, e, &jy);
                    (a, b, here) = (b, c, after);
                }
                let (weight, shift) = self.weigh(strands, rules, e, alpha);
                self.add_length_and_strains(strands, e, &weight, &shift);
            }
            let Some(v) = e.checked_sub(BEHIND) else { continue };
            let Some(i) = ahead else {
                self.rows().factor_rows(4 * v..4 * (v + 1), 4 * n);
                continue;
            };
            for k in 0..4 {
                self.fetch_row(i, k);
                self.rows().factor_rows(4 * v + k..4 * v + k + 1, 4 * n);
            }
        }
    }

    /// The gradient at vertex `i`, where `jy` is its JᵀM⁻¹f, and what is held by it: what is at a bound and would leave it.
    #[inline(always)]
    fn guess(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L, i: usize, jy: &Six<L>) {
        let (zero, one) = (L::zero(), L::one());
        let (bounds, on, s) = (rules.bounds(&self.initial[i]), rules.on(strands, i), self.s[i]);
        for j in 0..6 {
            let (low, high) = (bounds[0][j], bounds[1][j]);
            // At a bound that a penalty keeps, its part makes the gradient nothing.
            let g = jy[j] + self.regularized(rules, i, j, alpha);
            self.gradient[i][j] = (g + rules.penalized_gradient(s[j], low, high)) * on[j];
            let (up, down) = (L::select(s[j].lt(high), zero, one), L::select(low.lt(s[j]), zero, one));
            let held = L::select(g.lt(zero), up, zero - down);
            self.held[i][j] = if rules.mode == BoundMode::None { zero } else { held };
        }
    }

    /// The way back of the solution in `y`, with refinement already there; what it changes, in `step`; notes in `held` which parameters want to come off their bounds,
    /// and which of those that would leave them are to be held. And the objective of a part of it, if that is `tried`, to the bit as [`Optimizer::objective`] has it.
    #[inline(always)]
    pub(super) fn return_with_change(
        &mut self,
        strands: &Strands<L>,
        rules: &Rules<L>,
        alpha: L,
        tried: Option<L>,
    ) -> (Change<L>, Option<Objective<L>>) {
        let n = strands.vertices();
        let mut walk = Walk { after: Vec3::zero(), change: Change::none(), sums: Sums::zero() };
        self.begin_sums(strands);
        for next in (0..=n).rev() {
            if let Some(v) = next.checked_sub(1) {
                let before = (n > LONG_STRAND && v >= AHEAD).then(|| v - AHEAD);
                if let Some(i) = before {
                    self.fetch_small(strands, i);
                    fetch(&self.step[i]);
                    fetch(&self.trial[i]);
                    fetch(&self.tried_force[i]);
                }
                // Refinement has been all the way back already.
                for k in (0..if rules.recentre { 4 } else { 0 }).rev() {
                    if let Some(i) = before {
                        self.fetch_row(i, k);
                    }
                    self.rows().substitute_row(4 * v + k, 4 * n);
                }
            }
            // What is at a vertex wants y at the one before.
            if next + 1 < n {
                self.change(strands, rules, alpha, tried, next, &mut walk);
            }
        }
        self.hold_worst(strands, rules, &mut walk.change);
        (walk.change, tried.map(|_| self.objective_of(strands, walk.sums)))
    }

    /// Holds the parameters that are farthest beyond their bounds, those that are at least [`WORST`] as far as the farthest: with these held, most of the others come
    /// back by themselves. (All that are beyond at once, as it was: of a thin strand's 490 parameters 170 were held and let go in turn, until twelve rounds were used up,
    /// while four are at bounds in the end; 54 iterations, now 5, and 13 ms a strand, now 0.5.)
    #[inline(always)]
    fn hold_worst(&mut self, strands: &Strands<L>, rules: &Rules<L>, change: &mut Change<L>) {
        let (zero, one) = (L::zero(), L::one());
        let some = L::constant(SLACK).lt(change.beyond);
        if rules.mode == BoundMode::None || !L::any(some) {
            return;
        }
        change.changed = L::select(some, one, change.changed);
        let least = change.beyond * L::constant(WORST);
        for i in 0..strands.vertices() - 1 {
            let (on, [low, high]) = (rules.on(strands, i), rules.bounds(&self.initial[i]));
            for j in 0..6 {
                let (s, held) = (self.s[i][j] + self.step[i][j], self.held[i][j]);
                let far = L::both(some, least.lt(beyond(s, low[j], high[j]) * on[j]));
                let free = L::both(held.lt(one), (zero - one).lt(held));
                let side = L::select(high[j].lt(s), one, zero - one);
                self.held[i][j] = L::select(L::both(far, free), side, held);
            }
        }
    }

    /// Δs̄ at vertex `i`, and what the part of it that is `tried` leads to.
    #[inline(always)]
    fn change(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L, tried: Option<L>, i: usize, walk: &mut Walk<L>) {
        let out = &mut walk.change;
        let here = self.turned_solution(i);
        let (zero, one) = (L::zero(), L::one());
        let jy = self.transpose_product(strands, i, [&self.y[i], &self.y[i + 1]], here, walk.after);
        let (weight, shift) = self.weigh(strands, rules, i, alpha);
        let (on, [low, high]) = (rules.on(strands, i), rules.bounds(&self.initial[i]));
        for j in 0..6 {
            let d = shift[j] - weight[j] * jy[j];
            self.step[i][j] = d;
            out.slope = out.slope + self.gradient[i][j] * d;
            out.length2 = out.length2 + d * d;
            if rules.mode == BoundMode::None {
                continue;
            }
            let held = self.held[i][j];
            // At the upper bound the objective should fall outwards: jy < 0.
            let keep = L::select((held * jy[j]).lt(zero), held, zero);
            let none = L::both(held.lt(one), (zero - one).lt(held));
            let now = L::select(none, zero, keep) * on[j];
            out.beyond = out.beyond.max(L::select(none, beyond(self.s[i][j] + d, low[j], high[j]), zero) * on[j]);
            out.changed = out.changed.max((now - held * on[j]).abs());
            self.held[i][j] = now;
        }
        walk.after = here;
        if let Some(t) = tried {
            self.trial[i] = self.tried(strands, rules, i, t);
            self.add_to_sums(strands, rules, alpha, i, &mut walk.sums);
        }
    }

    #[inline(always)]
    fn rows(&mut self) -> Rows<'_, L, BAND> {
        Rows { band: self.band.as_flattened_mut(), rhs: self.y.as_flattened_mut() }
    }

    /// The vertex that the walk to the tip comes to some vertices after `e`, if the memory of strands as long is asked for.
    #[inline(always)]
    fn ahead(strands: &Strands<L>, e: usize) -> Option<usize> {
        let (i, n) = (e + AFTER + AHEAD, strands.vertices());
        (n > LONG_STRAND && i < n).then_some(i)
    }

    /// Asks for row `k` of a vertex's band, and for as much of what else both walks want of it.
    #[inline(always)]
    fn fetch_row(&self, i: usize, k: usize) {
        fetch(&self.band[i][k]);
        match k {
            0..3 => fetch(&self.pose[i].turn[k]),
            _ => {
                fetch(&self.pose[i].gradients);
                fetch(&self.slope[i]);
            }
        }
    }

    /// The same for the rest of it.
    #[inline(always)]
    fn fetch_small(&self, strands: &Strands<L>, i: usize) {
        fetch(&self.pose[i].t);
        fetch(&self.pose[i].length);
        fetch(&self.pose[i].strains);
        fetch(&self.y[i]);
        fetch(&self.s[i]);
        fetch(&self.initial[i]);
        fetch(&self.held[i]);
        fetch(&self.gradient[i]);
        fetch(&self.cost[i]);
        fetch(&strands.section[i]);
    }

    /// The rows of a vertex with its mass alone, and its force on the right.
    #[inline(always)]
    pub(super) fn clear(&mut self, strands: &Strands<L>, i: usize) {
        self.y[i] = self.force[i];
        let c = &strands.section[i];
        for k in 0..4 {
            let (m, free) = if k < 3 { (c.mass, c.free[0]) } else { (c.inertia, c.free[1]) };
            self.band[i][k] = [L::zero(); BAND];
            // A held unknown has a unit row.
            self.band[i][k][0] = m * free + (L::one() - free);
        }
    }

    /// What the parameters at vertex `i` add.
    #[inline(always)]
    pub(super) fn add_length_and_strains(&mut self, strands: &Strands<L>, i: usize, w: &Six<L>, shift: &Six<L>) {
        let (n, slope) = (strands.vertices(), self.slope[i]);
        // The column of l̄ over x_{i−1} … x_{i+2}; what lies beyond the ends stays zero.
        let mut column = [L::zero(); BAND];
        if i > 0 {
            let (turn, g) = (&self.pose[i].turn, &self.pose[i].gradients);
            for k in 0..11 {
                column[k] = Self::spread(turn, slope.moment, k);
            }
            // Σ w K² g gᵀ: the five curvature columns are of rank three.
            let mut form = Sym3::diagonal(Vec3::zero());
            let mut push = Vec3::zero();
            for j in 0..5 {
                form = form.add_outer(g[j], w[1 + j] * slope.moduli[j] * slope.moduli[j]);
                push = push + g[j] * (slope.moduli[j] * shift[1 + j]);
            }
            for a in 0..11 {
                let v = times(&form, [turn[0][a], turn[1][a], turn[2][a]]);
                let row = &mut self.band[i - 1 + a / 4][a % 4];
                for b in a..11 {
                    row[b - a] = row[b - a] + Self::spread(turn, v, b);
                }
                let y = &mut self.y[i - 1 + a / 4][a % 4];
                *y = *y + Self::spread(turn, push, a);
            }
        }
        if i + 2 < n {
            let (turn, moment) = (&self.pose[i + 1].turn, self.slope[i + 1].moment);
            for k in 0..11 {
                column[4 + k] = column[4 + k] + Self::spread(turn, moment, k);
            }
        }
        let (a, b) = (strands.section[i].free[0], strands.section[i + 1].free[0]);
        let pull = [slope.pull.x, slope.pull.y, slope.pull.z];
        for k in 0..3 {
            column[4 + k] = column[4 + k] - pull[k] * a;
            column[8 + k] = column[8 + k] + pull[k] * b;
        }
        let (first, end) = (if i > 0 { 0 } else { 4 }, if i + 2 < n { BAND } else { 11 });
        for k in first..end {
            let at = i + k / 4 - 1;
            let v = column[k] * w[0];
            let row = &mut self.band[at][k % 4];
            for c in k..end {
                row[c - k] = row[c - k] + v * column[c];
            }
            let y = &mut self.y[at][k % 4];
            *y = *y + shift[0] * column[k];
        }
    }

    /// D⁻¹ and −D⁻¹ r, what Δs̄ is without y, at vertex `i` for what is held. Free: D = α. Held: the bound, exactly or by the penalty.
    #[inline(always)]
    fn weigh(&self, strands: &Strands<L>, rules: &Rules<L>, i: usize, alpha: L) -> (Six<L>, Six<L>) {
        let (zero, one) = (L::zero(), L::one());
        let ([low, high], on) = (rules.bounds(&self.initial[i]), rules.on(strands, i));
        let (s, centre) = (&self.s[i], self.centre(rules, i));
        let (mut weights, mut shifts) = ([zero; 6], [zero; 6]);
        let dear = alpha * self.cost[i];
        // All strains cost the same.
        let free = [one / dear, one / alpha];
        for j in 0..6 {
            let (held, d, kind) = (self.held[i][j], if j == 0 { dear } else { alpha }, usize::from(j > 0));
            let to_centre = centre[j] - s[j];
            let to_bound = L::select(zero.lt(held), high[j], low[j]) - s[j];
            let (weight, shift) = match rules.penalty() {
                Some(penalty) => (one / (d + penalty), (d * to_centre + penalty * to_bound) / (d + penalty)),
                None => (zero, to_bound),
            };
            let none = L::both(held.lt(one), (zero - one).lt(held));
            weights[j] = on[j] * L::select(none, free[kind], weight);
            shifts[j] = on[j] * L::select(none, to_centre, shift);
        }
        (weights, shifts)
    }

    /// The whole way back, and one step of iterative refinement: y += (M + J D⁻¹ Jᵀ)⁻¹ (f + JΔs̄ − My). With D⁻¹ = 1e5, f − J D⁻¹ r is a small difference of
    /// large numbers: without this, directions near the paper's minimum are noise.
    #[inline(always)]
    pub(super) fn refine(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L) {
        let n = strands.vertices();
        self.rows().substitute(n);
        for i in 0..n {
            let (c, f, y) = (&strands.section[i], &self.force[i], &self.y[i]);
            for k in 0..4 {
                self.residual[i][k] = f[k] - if k < 3 { c.mass } else { c.inertia } * y[k];
            }
        }
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            // Δs̄ that y asks for, −D⁻¹(Jᵀy + r).
            let after = self.turned_solution(i + 1);
            let mut d = self.transpose_product(strands, i, [&self.y[i], &self.y[i + 1]], here, after);
            here = after;
            let (weight, shift) = self.weigh(strands, rules, i, alpha);
            for j in 0..6 {
                d[j] = shift[j] - weight[j] * d[j];
            }
            let slope = self.slope[i];
            if i > 0 {
                let p = &self.pose[i];
                let mut m = slope.moment * d[0];
                for j in 0..5 {
                    m = m + p.gradients[j] * (slope.moduli[j] * d[1 + j]);
                }
                for k in 0..11 {
                    let f = &mut self.residual[i - 1 + k / 4][k % 4];
                    *f = *f + Self::spread(&p.turn, m, k);
                }
            }
            if i + 2 < n {
                let (turn, m) = (&self.pose[i + 1].turn, self.slope[i + 1].moment * d[0]);
                for k in 0..11 {
                    let f = &mut self.residual[i + k / 4][k % 4];
                    *f = *f + Self::spread(turn, m, k);
                }
            }
            let (a, b) = (strands.section[i].free[0] * d[0], strands.section[i + 1].free[0] * d[0]);
            let pull = [slope.pull.x, slope.pull.y, slope.pull.z];
            for k in 0..3 {
                self.residual[i][k] = self.residual[i][k] - pull[k] * a;
                self.residual[i + 1][k] = self.residual[i + 1][k] + pull[k] * b;
            }
        }
        let mut rows = Rows { band: self.band.as_flattened_mut(), rhs: self.residual.as_flattened_mut() };
        rows.descend(n);
        rows.substitute(n);
        for i in 0..n {
            for k in 0..4 {
                self.y[i][k] = self.y[i][k] + self.residual[i][k];
            }
        }
    }
}
