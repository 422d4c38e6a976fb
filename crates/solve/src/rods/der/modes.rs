//! How stable a state is: the inertia of its Hessian K, and the lowest eigenvalue of K x = ω² M x.

use super::band::{BAND, width};
use super::strand::Strands;
use crate::math::Lane;

/// Such a mode grows by a tenth of itself in ten seconds.
const NEUTRAL: f64 = 1e-4;
/// Of the largest entry of K over mass, what its factors lose; and no more than this, s⁻², as one light vertex says little of the modes elsewhere.
const ROUNDED: f64 = 1e-15;
const MOST_NEUTRAL: f64 = 1e-2;

impl<L: Lane> Strands<L> {
    /// How many vibration modes of the free unknowns have an eigenvalue ω² below `sigma`, s⁻²: the negative pivots of K − σM
    /// (Sylvester). With σ = 0 and none, the state is a minimum of the energy, not only an equilibrium.
    #[inline(always)]
    pub fn modes_below(&mut self, sigma: L) -> L {
        self.assemble_modes(false);
        self.count_below(sigma)
    }

    /// K of the state, of each vertex and unknown the row from its diagonal on; what is not free is in it.
    pub fn stiffness(&mut self) -> &[[[L; BAND]; 4]] {
        self.clear_viscosity();
        self.assemble_static(false);
        &self.band[..self.state.len()]
    }

    /// K of the state in `band`, or what tells [`Self::modes_swung_up`], with unit rows for what is not free.
    #[inline(always)]
    fn assemble_modes(&mut self, overshoots: bool) {
        self.clear_viscosity();
        self.assemble_static(overshoots);
        self.constrain();
        if overshoots {
            return;
        }
        self.highest = L::zero();
        for (rows, c) in self.band.iter().zip(&self.section) {
            for (k, row) in rows.iter().enumerate() {
                let (m, free) = if k < 3 { (c.mass, c.free[0]) } else { (c.inertia, c.free[1]) };
                self.highest = self.highest.max(free * row[0] / m);
            }
        }
    }

    /// What ω² may be and still be 0, s⁻²: a motion that nothing holds or drives, as that of a rope about its pin. What is left of the rounding of K, or what
    /// takes minutes to be seen.
    #[inline(always)]
    fn neutral(&self) -> L {
        L::constant(NEUTRAL).max((self.highest * L::constant(ROUNDED)).min(L::constant(MOST_NEUTRAL)))
    }

    /// Negative pivots of K − σM. K stays in `band`: only the rows that a pivot reaches are copied, and a factor is not kept.
    #[inline(always)]
    fn count_below(&self, sigma: L) -> L {
        const ROWS: usize = BAND.next_power_of_two();
        let (zero, one, tiny) = (L::zero(), L::one(), L::constant(1e-30));
        let band = self.band[..self.vertices()].as_flattened();
        let mut near = [[zero; BAND]; ROWS];
        let mut negative = zero;
        // Row r of K − σM comes in BAND − 1 rows before its pivot.
        for coming in 0..band.len() + BAND - 1 {
            if coming < band.len() {
                let (section, k) = (&self.section[coming / 4], coming % 4);
                let m = if k < 3 { section.mass * section.free[0] } else { section.inertia * section.free[1] };
                let row = &mut near[coming % ROWS];
                *row = band[coming];
                row[0] = row[0] - sigma * m;
            }
            let Some(r) = coming.checked_sub(BAND - 1) else { continue };
            let row = near[r % ROWS];
            let d = L::select(row[0].abs().lt(tiny), tiny, row[0]);
            negative = L::select(row[0].lt(zero), negative + one, negative);
            let inv = one / d;
            // Beyond the last row there is nothing: the entries are zero.
            for c in 1..width(r) {
                let l = row[c] * inv;
                let below = &mut near[(r + c) % ROWS];
                for k in c..width(r) {
                    below[k - c] = below[k - c] - l * row[k];
                }
            }
        }
        negative
    }

    /// The smallest eigenvalue ω² of K x = ω² M x, s⁻², to a hundredth of its size.
    #[inline(always)]
    pub fn lowest_mode(&mut self) -> L {
        self.stability()[1]
    }

    /// In how many ways steps of `self.steps` swing up what is stable by itself, or shake it (`docs/internals/direct.md`, "Which poses a step holds").
    #[inline(always)]
    pub fn modes_swung_up(&mut self) -> L {
        let zero = L::zero();
        let here = zero.lt(self.steps);
        if !L::any(here) {
            return zero;
        }
        self.assemble_modes(true);
        L::select(here, self.count_below(zero), zero)
    }

    /// How many modes are unstable, ω² below what counts as 0 and [`Self::modes_swung_up`], and the lowest ω²: 0 for a neutral one, infinite where nothing
    /// can move, else by bisection, first for its power of 4 above what counts as 0, then within. K is assembled once.
    #[inline(always)]
    pub fn stability(&mut self) -> [L; 2] {
        let (zero, half) = (L::zero(), L::constant(0.5));
        let (here, mut swung_up) = (zero.lt(self.steps), zero);
        // [`Self::modes_swung_up`], then K: what is called here is inlined, and a loop calls it once.
        for overshoots in [true, false] {
            if overshoots && !L::any(here) {
                continue;
            }
            self.assemble_modes(overshoots);
            if overshoots {
                swung_up = L::select(here, self.count_below(zero), zero);
            }
        }
        let neutral = self.neutral();
        let negative = self.count_below(-neutral);
        let unstable = zero.lt(negative);
        let lowest_is_neutral = L::both(negative.lt(half), zero.lt(self.count_below(neutral)));
        // |ω²| is in (size, 4 size). Powers add up to 34: 3e16 and more.
        let mut size = neutral;
        for power in [17, 9, 4, 2, 1, 1] {
            let sigma = size * L::constant((1u64 << (2 * power)) as f64);
            size = L::select(zero.lt(self.reaches(unstable, sigma)), sigma, size);
        }
        let (mut low, mut high) = (size, size * L::constant(4.0));
        for _ in 0..9 {
            let middle = half * (low + high);
            let up = zero.lt(self.reaches(unstable, middle));
            low = L::select(up, middle, low);
            high = L::select(up, high, middle);
        }
        let middle = half * (low + high);
        let size = L::select(zero.lt(self.highest), middle, L::constant(f64::INFINITY));
        let lowest = L::select(unstable, -size, L::select(lowest_is_neutral, zero, size));
        [negative + swung_up, lowest]
    }

    /// 1 where the lowest ω² is `size` or more away from 0: of an unstable state modes lie below −`size`, of a stable one none
    /// below `size`.
    #[inline(always)]
    fn reaches(&self, unstable: L::Mask, size: L) -> L {
        let (zero, one) = (L::zero(), L::one());
        let none = self.count_below(L::select(unstable, -size, size)).lt(one);
        L::select(unstable, L::select(none, zero, one), L::select(none, one, zero))
    }
}
