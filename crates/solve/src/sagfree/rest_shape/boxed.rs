//! The least change of five strains at rest that gives a moment and stays within bounds.
//!
//! min ½|δ|² where Σ rowⱼ δⱼ = r and least ≤ δ ≤ most: δ = clamp(row·λ), and λ is where the convex, piecewise quadratic ψ(λ) with ∇ψ = Σ rowⱼ clamp(rowⱼ·λ) − r is least:
//! Newton's method in three dimensions, each step as long as ψ falls. (Tried: holding what is farthest beyond its bound and letting go what wants off, as whole strands do.
//! Of 600 elements near the edge of what their bounds allow one held too many and found no way back.)

use super::sections::solved;
use crate::math::{Lane, Sym3, Vec3};

/// Newton steps: 3 to 8 are taken.
const STEPS: usize = 20;

#[derive(Clone, Copy)]
pub(super) struct Boxed<L> {
    pub rows: [Vec3<L>; 5],
    pub least: [L; 5],
    pub most: [L; 5],
}

impl<L: Lane> Boxed<L> {
    #[inline(always)]
    pub fn clamped(&self, d: L, j: usize) -> L {
        d.max(self.least[j]).min(self.most[j])
    }

    /// λ; where no change within the bounds gives `r`, one that comes near.
    #[inline(always)]
    pub fn multiplier(&self, r: Vec3<L>) -> Vec3<L> {
        let (zero, one, rows) = (L::zero(), L::one(), &self.rows);
        let mut lambda = Vec3::zero();
        for _ in 0..STEPS {
            let mut form = Sym3::diagonal(Vec3::zero());
            let mut gradient = -r;
            for j in 0..5 {
                let d = rows[j].dot(lambda);
                let free = L::select(L::both(self.least[j].lt(d), d.lt(self.most[j])), one, zero);
                // Where nothing is free it goes far: to where something comes off its bound.
                form = form.add_outer(rows[j], free).add_diagonal(rows[j].length2() * L::constant(1e-10));
                gradient = gradient + rows[j] * self.clamped(d, j);
            }
            let open = (r.length2() * L::constant(1e-26)).lt(gradient.length2());
            if !L::any(open) {
                break;
            }
            let p = -solved(&form, gradient);
            let t = self.longest(r, lambda, p, gradient.dot(p));
            lambda = Vec3::select(open, lambda + p * t, lambda);
        }
        lambda
    }

    /// How far of `p` ψ falls; it begins to fall by `slope`. ψ' is linear between where strains come to their bounds.
    #[inline(always)]
    fn longest(&self, r: Vec3<L>, lambda: Vec3<L>, p: Vec3<L>, slope: L) -> L {
        let (zero, one) = (L::zero(), L::one());
        let (mut at, mut by) = ([zero; 5], [zero; 5]);
        for j in 0..5 {
            (at[j], by[j]) = (self.rows[j].dot(lambda), self.rows[j].dot(p));
        }
        // The last place where it falls and the first where it rises, with ψ' there.
        let ([mut t0, mut s0], [mut t1, mut s1]) = ([zero, slope], [one, self.slope(r, p, &at, &by, one)]);
        for k in 0..10 {
            let (j, bound) = (k / 2, if k % 2 == 0 { self.least[k / 2] } else { self.most[k / 2] });
            let t = (bound - at[j]) / L::select(zero.lt(by[j].abs()), by[j], one);
            let s = self.slope(r, p, &at, &by, t);
            let (after, before) = (L::both(t0.lt(t), s.lt(zero)), L::both(t.lt(t1), zero.lt(s)));
            let (after, before) = (L::both(after, t.lt(t1)), L::both(before, t0.lt(t)));
            (t0, s0) = (L::select(after, t, t0), L::select(after, s, s0));
            (t1, s1) = (L::select(before, t, t1), L::select(before, s, s1));
        }
        let rises = zero.lt(s1);
        L::select(rises, t0 + (t1 - t0) * (-s0 / L::select(rises, s1 - s0, one)), one)
    }

    #[inline(always)]
    fn slope(&self, r: Vec3<L>, p: Vec3<L>, at: &[L; 5], by: &[L; 5], t: L) -> L {
        let mut slope = -r.dot(p);
        for j in 0..5 {
            slope = slope + by[j] * self.clamped(at[j] + t * by[j], j);
        }
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;
    use crate::math::vec3::vec3;

    /// All 243 ways to hold strains at their bounds: the one that satisfies the conditions of the minimum.
    fn by_enumeration(b: &Boxed<f64>, r: Vec3<f64>) -> Option<[f64; 5]> {
        (0..243).find_map(|code: u32| {
            let side = |j: usize| code / 3u32.pow(j as u32) % 3;
            let (mut form, mut left) = (Sym3::diagonal(Vec3::zero()), r);
            for j in 0..5 {
                match side(j) {
                    0 => form = form.add_outer(b.rows[j], 1.0),
                    1 => left = left - b.rows[j] * b.least[j],
                    _ => left = left - b.rows[j] * b.most[j],
                }
            }
            if (0..5).filter(|&j| side(j) == 0).count() < 3 {
                return None;
            }
            let lambda = solved(&form, left);
            let d: [f64; 5] = core::array::from_fn(|j| b.rows[j].dot(lambda));
            let fits = |j: usize| match side(j) {
                0 => b.least[j] <= d[j] && d[j] <= b.most[j],
                1 => d[j] <= b.least[j],
                _ => d[j] >= b.most[j],
            };
            (0..5).all(fits).then(|| core::array::from_fn(|j| b.clamped(d[j], j)))
        })
    }

    #[test]
    fn it_is_the_least_change_of_all() {
        let mut rng = Rng::new(7);
        let mut at_bounds = 0;
        for round in 0..2000 {
            // Curvatures come in pairs that pull alike, and twist may be stiffer by far.
            let mut v = |s: f64| vec3(rng.range(-s, s), rng.range(-s, s), rng.range(-s, s));
            let scale = [1.0, 1.0, 1.0, 1.0, if round % 2 == 0 { 1.0 } else { 50.0 }];
            let (a, b) = (vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0));
            let rows = [a + v(0.4), b + v(0.4), a + v(0.4), b + v(0.4), vec3(0.0, 0.0, 1.0) + v(0.4)];
            let rows: [Vec3<f64>; 5] = core::array::from_fn(|j| rows[j] * scale[j]);
            let least: [f64; 5] = core::array::from_fn(|_| -rng.range(0.01, 1.0));
            let most: [f64; 5] = core::array::from_fn(|_| rng.range(0.01, 1.0));
            // A moment of some change within the bounds, near their edge or not.
            let part = [0.5, 0.9, 0.995][round % 3];
            let some: [f64; 5] = core::array::from_fn(|j| part * if rng.range(-1.0, 1.0) < 0.0 { least[j] } else { most[j] });
            let r = (0..5).fold(Vec3::zero(), |r, j| r + rows[j] * some[j]);
            let boxed = Boxed { rows, least, most };
            let lambda = boxed.multiplier(r);
            let got: [f64; 5] = core::array::from_fn(|j| boxed.clamped(rows[j].dot(lambda), j));
            let moment = (0..5).fold(Vec3::zero(), |m, j| m + rows[j] * got[j]);
            assert!((moment - r).length() <= 1e-11 * r.length(), "{round}: {moment:?} for {r:?}");
            at_bounds += (0..5).filter(|&j| got[j] == least[j] || got[j] == most[j]).count();
            if let Some(want) = by_enumeration(&boxed, r) {
                (0..5).for_each(|j| assert!((got[j] - want[j]).abs() < 1e-9, "{round}: {got:?}, {want:?}"));
            }
        }
        assert!(at_bounds > 2000, "{at_bounds}");
    }
}
