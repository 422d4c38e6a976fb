//! Rods that keep their volume: energies, forces and Hessians of the scale s of a section, as pure functions.
//!
//! This work is based on: Baptiste Angles, Daniel Rebain, Miles Macklin et al., "VIPER: Volume Invariant Position-based Elastic
//! Rods", 2019, and on R. D. Mindlin, G. Herrmann, "A one-dimensional theory of compressional waves in an elastic rod", 1951.
//! Derivations: `docs/internals/volume.md`.
//!
//! | | here |
//! |---|---|
//! | ℓ − 1 = ε, s − 1 = σ, J − 1 = s²ℓ − 1 = δ | [`volume_strain`] |
//! | stretching, swelling and volume of an edge (eqs. 11, 12, 18) | [`edge_volume`] |
//! | s_v Ψ of an element (eq. 14) | [`rescaled`] gives it to the element, [`scaling`] has the derivatives by s_v |
//! | i and g of Mindlin and Herrmann | [`wave_factors`] |

use super::der::kernels::{ElementRest, Strains};
use super::ghost::kernels::BendTwistRest;
use crate::math::{Real, Vec3};

#[cfg(test)]
mod tests;

/// The smallest scale of a section.
pub const LEAST_SCALE: f64 = 0.05;

/// 2μ and λ over Young's modulus.
pub fn shares(nu: f64) -> [f64; 2] {
    [1.0 / (1.0 + nu), nu / ((1.0 + nu) * (1.0 - 2.0 * nu))]
}

/// i and g, which multiply the inertia of s and the stiffness against its gradient: short waves then have the speed of Rayleigh's, and long ones
/// their first correction.
pub fn wave_factors(nu: f64) -> (f64, f64) {
    // Rayleigh's (c/c₂)²: R³ − 8R² + (24 − 16k)R − 16(1 − k) = 0 with k = (c₂/c₁)². It rises through its root between 0 and 1.
    let k = (1.0 - 2.0 * nu) / (2.0 * (1.0 - nu));
    let f = |r: f64| ((r - 8.0) * r + 24.0 - 16.0 * k) * r - 16.0 * (1.0 - k);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        (low, high) = if f(middle) < 0.0 { (middle, high) } else { (low, middle) };
    }
    let i = 1.0 / (1.0 - low / (2.0 * (1.0 + nu)));
    (i, i * low)
}

/// How an edge is strained: ε = ℓ − 1, σ = s − 1 and δ = s²ℓ − 1. Or what its rows are drawn to.
#[derive(Clone, Copy, Debug)]
pub struct VolumeStrain<T> {
    pub stretch: T,
    pub swell: T,
    pub volume: T,
}

/// δ without the difference of numbers near 1.
#[inline(always)]
pub fn volume_strain<T: Real>(stretch: T, swell: T) -> VolumeStrain<T> {
    VolumeStrain { stretch, swell, volume: stretch + swell * (T::constant(2.0) + swell) * (T::one() + stretch) }
}

/// The material of an edge: EA/l̄, N/m, l̄, m, and 2μ and λ over E. 2μ against swelling is another one where the edge is active (`rods/muscle`).
#[derive(Clone, Copy, Debug)]
pub struct VolumeSection<T> {
    pub stiffness: T,
    pub length: T,
    pub shear: T,
    pub swell_shear: T,
    pub bulk: T,
}

/// Stretching and swelling of an edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeVolume<T> {
    pub energy: T,
    /// Its derivatives by the length, N, and by s, N m.
    pub tension: T,
    pub swelling: T,
    /// ∂²/∂l², N/m, ∂²/∂l∂s, N, and ∂²/∂s², N m.
    pub stretch2: T,
    pub mixed: T,
    pub swell2: T,
    /// ∂²/∂l∂s and ∂²/∂s² of Gauss and Newton, which together with [`Self::stretch2`] are never indefinite.
    pub safe_mixed: T,
    pub safe_swell2: T,
}

/// A l̄ [μ(ε − ε̄)² + 2μ(σ − σ̄)² + (λ/2)(δ − δ̄)²]. At rest ε̄ = σ̄ = δ̄ = 0.
#[inline(always)]
pub fn edge_volume<T: Real>(section: &VolumeSection<T>, now: &VolumeStrain<T>, rest: &VolumeStrain<T>) -> EdgeVolume<T> {
    let (one, two, half) = (T::one(), T::constant(2.0), T::constant(0.5));
    let VolumeSection { stiffness, length, shear, swell_shear, bulk } = *section;
    let (ea, whole) = (stiffness * length, stiffness * length * length);
    let (l, s, j) = (one + now.stretch, one + now.swell, one + now.volume);
    let (a, b, c) = (now.stretch - rest.stretch, now.swell - rest.swell, now.volume - rest.volume);
    let (s2, kc) = (s * s, bulk * c);
    let safe_mixed = ea * (two * bulk * s * j);
    let safe_swell2 = whole * two * (swell_shear + two * bulk * j * l);
    EdgeVolume {
        energy: whole * (half * (shear * a * a + kc * c) + swell_shear * b * b),
        tension: ea * (shear * a + s2 * kc),
        swelling: whole * two * (swell_shear * b + s * l * kc),
        stretch2: stiffness * (shear + bulk * s2 * s2),
        mixed: safe_mixed + ea * two * s * kc,
        swell2: safe_swell2 + whole * two * l * kc,
        safe_mixed,
        safe_swell2,
    }
}

/// How much of the determinant of Gauss and Newton's 2 × 2 form the true one must have to be taken.
const LEAST_DETERMINANT: f64 = 0.25;

impl<T: Real> EdgeVolume<T> {
    /// ∂²/∂l∂s and ∂²/∂s²: the true ones where `exact` is 1, or where they are positive definite with [`Self::stretch2`], else the safe ones.
    #[inline(always)]
    pub fn hessian(&self, exact: T) -> [T; 2] {
        let determinant = self.stretch2 * self.swell2 - self.mixed * self.mixed;
        let safe = self.stretch2 * self.safe_swell2 - self.safe_mixed * self.safe_mixed;
        let all = T::select(T::zero().lt(exact), T::one(), determinant - safe * T::constant(LEAST_DETERMINANT));
        let take = T::zero().lt(all);
        [T::select(take, self.mixed, self.safe_mixed), T::select(take, self.swell2, self.safe_swell2)]
    }
}

/// What sweeps solve of an edge that keeps its volume: [`edge_volume`] as three constraints ε, σ and δ on two unknowns, its length and s.
#[derive(Clone, Copy, Debug)]
pub struct SweptSection<T> {
    /// h² times the stiffness of each, kg m².
    pub stiffness: [T; 3],
    /// At rest, m.
    pub length: T,
    /// Inverse masses of the length and of s, 1/kg and 1/(kg m²).
    pub weights: [T; 2],
    /// What contacts have pressed s with since the last step, and this has not answered, kg m².
    pub unanswered: T,
}

/// By how much length and s change, and the three multipliers. Divided by h² these are moments, N m.
#[derive(Clone, Copy, Debug)]
pub struct SweptVolume<T> {
    pub moves: [T; 2],
    pub lambda: [T; 3],
    /// The multiplier of the length that they add up to: over h² a force, N, negative where the edge pulls.
    pub along: T,
}

impl<T: Real> SweptSection<T> {
    /// One step of XPBD with all three at once: (A + α̃) Δλ = −(C + α̃ λ) has rank two in the unknowns, so that it is solved for these,
    /// (1 + W K) d = −W (∇C (C/α̃ + λ) + g) with K = ∇C ∇Cᵀ/α̃; g acts on s alone.
    #[inline(always)]
    pub fn solve(&self, now: &VolumeStrain<T>, lambda: [T; 3]) -> SweptVolume<T> {
        let (one, two) = (T::one(), T::constant(2.0));
        let ([a, b, c], [wl, ws]) = (self.stiffness, self.weights);
        let (l, s, inv) = (one + now.stretch, one + now.swell, one / self.length);
        let (stretch, by_l, by_s) = (a * now.stretch + lambda[0], s * s * inv, two * s * l);
        let (swell, volume) = (b * now.swell + lambda[1], c * now.volume + lambda[2]);
        let (gl, gs) = (wl * (stretch * inv + volume * by_l), ws * (swell + volume * by_s + self.unanswered));
        let ll = one + wl * (a * inv * inv + c * by_l * by_l);
        let ss = one + ws * (b + c * by_s * by_s);
        let mixed = c * by_l * by_s;
        let d = one / (ll * ss - wl * ws * mixed * mixed);
        let moves = [(wl * mixed * gs - ss * gl) * d, (ws * mixed * gl - ll * gs) * d];
        let strained = [now.stretch + moves[0] * inv, now.swell + moves[1], now.volume + moves[0] * by_l + moves[1] * by_s];
        let lambda = [-(a * strained[0]), -(b * strained[1]), -(c * strained[2])];
        SweptVolume { moves, lambda, along: lambda[0] * inv + lambda[2] * by_l }
    }
}

/// The scale of an edge between those beside it, its length held, when a substep ends (`docs/internals/volume.md`, Sweeps).
#[derive(Clone, Copy, Debug)]
pub struct ScaleAlone<T> {
    /// h² times the stiffness of σ and δ, kg m²; iρIp l̄, kg m².
    pub stiffness: [T; 2],
    pub inertia: T,
    /// h² times the stiffness that joins it to the scale of the edge before, and to that of the edge after.
    pub spread: [T; 2],
    /// s − 1 of these.
    pub beside: [T; 2],
    /// s − 1 where inertia alone would take it.
    pub coast: T,
    /// What contacts have done to it, kg m².
    pub pushed: T,
    /// ε
    pub stretch: T,
}

impl<T: Real> ScaleAlone<T> {
    /// One step of Newton's method towards the least of its energy, from s − 1 = `swell`.
    #[inline(always)]
    pub fn step(&self, swell: T) -> T {
        let (l, s, two) = (T::one() + self.stretch, T::one() + swell, T::constant(2.0));
        let ([b, c], [before, after]) = (self.stiffness, self.spread);
        let (by_s, volume) = (two * s * l, volume_strain(self.stretch, swell).volume);
        let joined = before * (swell - self.beside[0]) + after * (swell - self.beside[1]);
        let force = self.inertia * (swell - self.coast) + b * swell + c * volume * by_s + joined - self.pushed;
        let second = self.inertia + before + after + b + c * (by_s * by_s + two * l * volume.max(T::zero()));
        -(force / second.max(T::constant(1e-30)))
    }
}

/// An edge as sweeps solve it: its section, and what joins its scale to that of the edge before.
#[derive(Clone, Copy, Debug)]
pub struct SweptEdge<T> {
    pub section: SweptSection<T>,
    /// h² times the stiffness that joins both scales, kg m²; the inverse inertia of the one before, 1/(kg m²); s − 1 of both; ε; the multipliers of ε, σ, δ
    /// and of what differs between the scales.
    pub spread: T,
    pub before: T,
    pub swell: [T; 2],
    pub stretch: T,
    pub lambda: [T; 4],
}

/// By how much the scale before, the length and the scale change; the multipliers, and that of the length.
#[derive(Clone, Copy, Debug)]
pub struct SweptEdgeSolved<T> {
    pub moves: [T; 3],
    pub lambda: [T; 4],
    pub along: T,
}

impl<T: Real> SweptEdge<T> {
    /// The row of (∇s)², then [`SweptSection::solve`].
    #[inline(always)]
    pub fn solve(&self) -> SweptEdgeSolved<T> {
        let [before, mut swell] = self.swell;
        let ws = self.section.weights[1];
        // ½ k (s − s of before)², in the form that k = 0 is no exception to.
        let all = T::one() + self.spread * (self.before + ws);
        let step = -(self.spread * (swell - before) + self.lambda[3]) / all;
        swell = swell + ws * step;
        let lambda = self.lambda;
        let solved = self.section.solve(&volume_strain(self.stretch, swell), [lambda[0], lambda[1], lambda[2]]);
        let [a, b, c] = solved.lambda;
        let moves = [-(self.before * step), solved.moves[0], ws * step + solved.moves[1]];
        SweptEdgeSolved { moves, lambda: [a, b, c, lambda[3] + step], along: solved.along }
    }
}

/// How a scale that was 1 + `swell` may have grown in a substep in which it had grown by `from`: none becomes less than [`LEAST_SCALE`], or more than twice, or
/// less than half of what it was.
#[inline(always)]
pub fn possible_growth<T: Real>(swell: T, from: T, to: T) -> T {
    let half = (T::one() + (swell + from)) * T::constant(0.5);
    let (least, most) = (T::constant(LEAST_SCALE - 1.0) - swell, from + half + half);
    to.min(most).max(from - half).max(least)
}

/// What sweeps take of the element whose section has the scale s: K s² (Ψ − Ψ̄/s)².
#[inline(always)]
pub fn scaled<T: Real>(rest: BendTwistRest<T>, s: T) -> BendTwistRest<T> {
    let inv = T::one() / s;
    BendTwistRest { psi: rest.psi * inv, compliance: rest.compliance * (inv * inv), ..rest }
}

/// Rest and stiffness of the element whose section has the scale s: K (s y − ȳ)² = K s² (y − ȳ/s)², for each of its strains y.
#[inline(always)]
pub fn rescaled<T: Real>(rest: &ElementRest<T>, s: T) -> ElementRest<T> {
    let (s2, inv) = (s * s, T::one() / s);
    let ([a, b, c, d], [k, l, m, n]) = (rest.bend, rest.kappa);
    ElementRest {
        bend: [a * s2, b * s2, c * s2, d * s2],
        turn: rest.turn * s2,
        kappa: [k * inv, l * inv, m * inv, n * inv],
        twist: rest.twist * inv,
    }
}

/// The derivatives of an element by its scale, or, [`Self::by`], by something else that it is linear in.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<T> {
    /// ∂E/∂s, N m.
    pub force: T,
    /// ∂²E/∂s², never negative.
    pub second: T,
    /// ∂²E/∂φ∂s, and that of Gauss and Newton, with which the block is never indefinite.
    pub cross: Vec3<T>,
    pub safe_cross: Vec3<T>,
}

impl<T: Real> Scaling<T> {
    /// By what the scale is `part` times.
    #[inline(always)]
    pub fn by(&self, part: T) -> Self {
        Scaling {
            force: self.force * part,
            second: self.second * part * part,
            cross: self.cross * part,
            safe_cross: self.safe_cross * part,
        }
    }
}

/// Of an element at the scale `s`, where `rest` is [`rescaled`] and `gradients` are those of the strains `now` along φ. `shift`: what of the strains does not
/// grow with s. Of the first four strains the model has so many `curvatures`.
#[inline(always)]
pub fn scaling<T: Real>(
    gradients: &[Vec3<T>; 5],
    now: &Strains<T>,
    rest: &ElementRest<T>,
    shift: &Strains<T>,
    s: T,
    curvatures: usize,
) -> Scaling<T> {
    let ([a, b, c, d], [k, l, m, n]) = (rest.bend, rest.kappa);
    let (stiffness, rests) = ([a, b, c, d, rest.turn], [k, l, m, n, rest.twist]);
    let inv = T::one() / s;
    let (mut force, mut second, mut moment, mut cross) = (T::zero(), T::zero(), Vec3::zero(), Vec3::zero());
    for j in 0..5 {
        if (curvatures..4).contains(&j) {
            continue;
        }
        let grown = stiffness[j] * (now[j] - shift[j]);
        let pull = stiffness[j] * (now[j] - rests[j]);
        force = force + grown * (now[j] - rests[j]);
        second = second + grown * (now[j] - shift[j]);
        cross = cross + gradients[j] * grown;
        moment = moment + gradients[j] * pull;
    }
    Scaling { force: force * inv, second: second * inv * inv, cross: (cross + moment) * inv, safe_cross: cross * inv }
}
