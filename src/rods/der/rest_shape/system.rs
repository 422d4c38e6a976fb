//! J and the linear system: four unknowns a vertex, upper band, the change of the rest shape out of its solution.

use super::super::band::{AHEAD, Band, Rows};
use super::super::kernels::Strains;
use super::super::strand::Strands;
use super::{BAND, BoundMode, Optimizer, Options, Six};
use crate::backend::cpu::fetch;
use crate::layout::LONG_STRAND;
use crate::math::Sym3;
use crate::math::{Lane, Vec3};

/// How many vertices on an element's parameters act, and how many behind it a pivot may be: it writes to the three vertices after its own, which no
/// later element may write to.
const AFTER: usize = 2;
const BEHIND: usize = AFTER + 2;

#[inline(always)]
fn times<L: Lane>(m: &Sym3<L>, [x, y, z]: [L; 3]) -> Vec3<L> {
    Vec3 { x: m.xx * x + m.xy * y + m.xz * z, y: m.xy * x + m.yy * y + m.yz * z, z: m.xz * x + m.yz * y + m.zz * z }
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

    /// `turn` of the element at vertex `i` times y.
    #[inline(always)]
    fn turned(&self, i: usize) -> Vec3<L> {
        let rows = &self.pose[i].turn;
        let mut sum = Vec3::zero();
        for k in 0..11 {
            let v = self.y[i - 1 + k / 4][k % 4];
            sum = sum + Vec3 { x: rows[0][k] * v, y: rows[1][k] * v, z: rows[2][k] * v };
        }
        sum
    }

    /// Jᵀ y for the parameters at vertex `i`, on a walk from the root; `here` is y turned at this element (zero at the root), and
    /// becomes that of the following one.
    #[inline(always)]
    pub(super) fn transpose_product(&self, strands: &Strands<L>, i: usize, here: &mut Vec3<L>) -> Six<L> {
        let (slope, gradients) = (&self.slope[i], &self.pose[i].gradients);
        let (a, b) = (strands.section[i].free[0], strands.section[i + 1].free[0]);
        let (ya, yb) = (&self.y[i], &self.y[i + 1]);
        let along = Vec3 { x: yb[0] * b - ya[0] * a, y: yb[1] * b - ya[1] * a, z: yb[2] * b - ya[2] * a };
        let mut out = [L::zero(); 6];
        out[0] = slope.pull.dot(along);
        if i > 0 {
            out[0] = out[0] + slope.moment.dot(*here);
            for j in 0..5 {
                out[1 + j] = slope.moduli[j] * gradients[j].dot(*here);
            }
        }
        *here = Vec3::zero();
        if i + 2 < strands.vertices() {
            *here = self.turned(i + 1);
            out[0] = out[0] + self.slope[i + 1].moment.dot(*here);
        }
        out
    }

    /// `m` along `turn` of an element.
    #[inline(always)]
    pub(super) fn spread(turn: &[[L; 11]; 3], m: Vec3<L>, k: usize) -> L {
        m.x * turn[0][k] + m.y * turn[1][k] + m.z * turn[2][k]
    }

    /// M + J D⁻¹ Jᵀ in `band`, f − J D⁻¹ r in `y`, and both solved: in one walk to the tip, so that a long strand's band goes through the caches once,
    /// and one back.
    #[inline(always)]
    pub(super) fn assemble_and_solve(&mut self, strands: &Strands<L>, options: &Options, alpha: L) {
        let n = strands.vertices();
        for i in 0..n.min(AFTER) {
            self.clear(strands, i);
        }
        for e in 0..n + BEHIND {
            self.look_ahead(strands, e);
            if e + AFTER < n {
                self.clear(strands, e + AFTER);
            }
            if e + 1 < n {
                self.weigh(e, options, alpha);
                self.add_length_and_strains(strands, e);
            }
            if let Some(v) = e.checked_sub(BEHIND) {
                self.rows().factor_rows(4 * v..4 * (v + 1), 4 * n);
            }
        }
        self.rows().substitute(n);
    }

    #[inline(always)]
    fn rows(&mut self) -> Rows<'_, L, BAND> {
        Rows { band: self.band.as_flattened_mut(), rhs: self.y.as_flattened_mut() }
    }

    /// A vertex some vertices beyond `e`, if strands are so long that their memory is asked for.
    #[inline(always)]
    pub(super) fn beyond(strands: &Strands<L>, e: usize) -> Option<usize> {
        let (i, n) = (e + AFTER + AHEAD, strands.vertices());
        (n > LONG_STRAND && i < n).then_some(i)
    }

    /// What the walk wants of a vertex some vertices beyond `e`.
    #[inline(always)]
    fn look_ahead(&self, strands: &Strands<L>, e: usize) {
        let Some(i) = Self::beyond(strands, e) else { return };
        fetch(&self.pose[i]);
        fetch(&self.slope[i]);
        fetch(&self.s[i]);
        fetch(&self.on[i]);
        fetch(&self.held[i]);
        fetch(&self.centre[i]);
        fetch(&self.upper[i]);
        fetch(&self.lower[i]);
        fetch(&self.weight[i]);
        fetch(&self.step[i]);
        fetch(&self.force[i]);
        fetch(&self.y[i]);
        fetch(&self.band[i]);
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
    pub(super) fn add_length_and_strains(&mut self, strands: &Strands<L>, i: usize) {
        let n = strands.vertices();
        let (w, shift, slope) = (self.weight[i], self.step[i], self.slope[i]);
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

    /// D⁻¹ and −D⁻¹ r for what is held. Free: D = α. Held: the bound, exactly or by the penalty.
    #[inline(always)]
    fn weigh(&mut self, i: usize, options: &Options, alpha: L) {
        let (zero, one) = (L::zero(), L::one());
        let beta = L::constant(options.penalty);
        for j in 0..6 {
            let (s, on, held) = (self.s[i][j], self.on[i][j], self.held[i][j]);
            let d = if j == 0 { alpha * self.cost[i] } else { alpha };
            let to_centre = self.centre[i][j] - s;
            let to_bound = L::select(zero.lt(held), self.upper[i][j], self.lower[i][j]) - s;
            let (weight, shift) = match options.mode {
                BoundMode::None | BoundMode::Exact => (zero, to_bound),
                BoundMode::Penalty | BoundMode::Clamped => {
                    let inv = one / (d + beta);
                    (inv, inv * (d * to_centre + beta * to_bound))
                }
            };
            let none = L::both(held.lt(one), (zero - one).lt(held));
            self.weight[i][j] = on * L::select(none, one / d, weight);
            self.step[i][j] = on * L::select(none, to_centre, shift);
        }
    }

    /// Δs̄ in `step`. Notes in `held` which parameters would leave their bounds, or want to come off them. Returns 1 where one does, the gradient along Δs̄
    /// and its length's square.
    #[inline(always)]
    pub(super) fn solve_for_change(&mut self, strands: &Strands<L>, bounded: bool) -> [L; 3] {
        let n = strands.vertices();
        let (zero, one) = (L::zero(), L::one());
        let (mut changed, mut slope, mut length2) = (zero, zero, zero);
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            if let Some(i) = Self::beyond(strands, i) {
                fetch(&self.pose[i].gradients);
                fetch(&self.pose[i].turn);
                fetch(&self.slope[i]);
                fetch(&self.y[i]);
                fetch(&self.step[i]);
                fetch(&self.weight[i]);
                fetch(&self.lower[i]);
                fetch(&self.upper[i]);
                fetch(&self.held[i]);
                fetch(&self.s[i]);
                fetch(&self.on[i]);
                fetch(&self.gradient[i]);
            }
            let jy = self.transpose_product(strands, i, &mut here);
            for j in 0..6 {
                let d = self.step[i][j] - self.weight[i][j] * jy[j];
                self.step[i][j] = d;
                slope = slope + self.gradient[i][j] * d;
                length2 = length2 + d * d;
                if !bounded {
                    continue;
                }
                let (low, high, held) = (self.lower[i][j], self.upper[i][j], self.held[i][j]);
                let (s, slack) = (self.s[i][j] + d, L::constant(1e-9) * (high - low));
                let out = L::select((high + slack).lt(s), one, L::select(s.lt(low - slack), zero - one, zero));
                // At the upper bound the objective should fall outwards: jy < 0.
                let keep = L::select((held * jy[j]).lt(zero), held, zero);
                let none = L::both(held.lt(one), (zero - one).lt(held));
                let now = L::select(none, out, keep) * self.on[i][j];
                changed = changed.max((now - held * self.on[i][j]).abs());
                self.held[i][j] = now;
            }
        }
        [changed, slope, length2]
    }

    /// One step of iterative refinement: y += (M + J D⁻¹ Jᵀ)⁻¹ (f + JΔs̄ − My). With D⁻¹ = 1e5, f − J D⁻¹ r is a small difference of
    /// large numbers: without this, directions near the paper's minimum are noise.
    #[inline(always)]
    pub(super) fn refine(&mut self, strands: &Strands<L>) {
        let n = strands.vertices();
        for i in 0..n {
            let (c, f, y) = (&strands.section[i], &self.force[i], &self.y[i]);
            for k in 0..4 {
                self.residual[i][k] = f[k] - if k < 3 { c.mass } else { c.inertia } * y[k];
            }
        }
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            // Δs̄ that y asks for, −D⁻¹(Jᵀy + r).
            let mut d = self.transpose_product(strands, i, &mut here);
            for j in 0..6 {
                d[j] = self.step[i][j] - self.weight[i][j] * d[j];
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
