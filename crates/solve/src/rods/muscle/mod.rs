//! Muscles: the active rest shape of an edge, and Hill's force along it, as pure functions.
//!
//! This work is based on: Baptiste Angles et al., "VIPER", 2019 (activation), Friedl De Groote, Allison Kinney, Anil Rao, Benjamin Fregly,
//! "Evaluation of direct collocation optimal control problem formulations for solving the muscle redundancy problem", 2016 (curves), and Felix
//! Zajac, "Muscle and tendon", 1989 (pennation at constant thickness). Derivations: `docs/internals/muscles.md`.
//!
//! | | here |
//! |---|---|
//! | ℓ/a − 1, s√a − 1, s²ℓ − 1 | [`ActiveRest`] |
//! | f_L, f_V | [`force_length`], [`force_velocity`] |
//! | what f_L falls by beyond its top, of a whole strand | [`fall`] |
//! | x = √(λ²cos²α₀ + sin²α₀), cos α = λ cos α₀/x | [`hill_rates`] |
//! | P (G + G′z) f_V(γz) and its integral | [`hill_force`] |

use super::volume::{VolumeSection, VolumeStrain};
use crate::math::Real;
use crate::math::approx::{asinh, exp};

#[cfg(test)]
mod tests;

/// The active rest shape of an edge whose natural length is `a` times the one at rest, at the same volume.
#[derive(Clone, Copy, Debug)]
pub struct ActiveRest<T> {
    pub a: T,
    /// √a: the scale times this is the scale over the natural one.
    pub root: T,
}

impl<T: Real> ActiveRest<T> {
    #[inline(always)]
    pub fn new(a: T) -> Self {
        ActiveRest { a, root: a.sqrt() }
    }
    /// (ℓ/a − 1)² is ((ℓ − 1) − (a − 1))²/a², and so on: an active edge is one with another rest strain and another stiffness.
    #[inline(always)]
    pub fn section(&self, of: &VolumeSection<T>) -> VolumeSection<T> {
        VolumeSection { shear: of.shear / (self.a * self.a), swell_shear: of.swell_shear * self.a, ..*of }
    }
    /// What the rows of the edge rest at.
    #[inline(always)]
    pub fn rest(&self) -> VolumeStrain<T> {
        let one = T::one();
        VolumeStrain { stretch: self.a - one, swell: one / self.root - one, volume: T::zero() }
    }
}

/// The rows b1 to b4 of f_L.
const LENGTHS: [[f64; 4]; 3] = [
    [0.815_067_113_424_354_2, 1.055_033_428_970_575, 0.162_384_573_599_574, 0.063_303_448_465_465],
    [0.433_004_984_392_647, 0.716_775_413_397_760, -0.029_947_116_970_696, 0.200_356_847_296_188],
    [0.1, 1.0, 0.353_553_390_593_274, 0.0],
];
/// d1 to d4 of f_V.
const SPEEDS: [f64; 4] = [-0.321_134_612_798_980_8, -8.149, -0.374, 0.882_532_773_324_991_2];

/// What fibres of `x` optimal lengths can give of their peak force, and its derivative.
#[inline(always)]
pub fn force_length<T: Real>(x: T) -> [T; 2] {
    let (mut sum, mut slope) = (T::zero(), T::zero());
    for [b1, b2, b3, b4] in LENGTHS {
        let (away, width) = (x - T::constant(b2), T::constant(b3) + T::constant(b4) * x);
        // The width of the second row passes 0 at x = 0.15, where there is nothing left of it. Beyond e⁻⁸⁰ nothing is left of any.
        let width = width.max(T::constant(0.02));
        let q = away / width;
        let e = T::constant(b1) * exp(-(T::constant(0.5) * q * q).min(T::constant(80.0)));
        sum = sum + e;
        slope = slope - e * q * T::constant(b3 + b4 * b2) / (width * width);
    }
    [sum, slope]
}

/// The fibre length at which f_L is largest, over the optimal one.
const TOP: f64 = 1.013_294_050_931_556_7;

/// Fibres `lambda` optimal lengths long, `cos` as in [`hill_rates`].
#[inline(always)]
fn fibre<T: Real>(lambda: T, cos: T) -> T {
    let along = lambda * cos;
    let sin2 = (T::one() - cos * cos).max(T::zero());
    (along * along + sin2).sqrt().max(T::constant(1e-3))
}

/// f_L over its largest value where a strand of the mean length `lambda` is longer than where f_L is largest, else 1. Fibres that pull less the
/// longer they are would run away from each other in a row, so all edges of a strand share this side of the curve.
#[inline(always)]
pub fn fall<T: Real>(lambda: T, cos: T) -> T {
    let top = T::constant(TOP);
    force_length(fibre(lambda, cos).max(top))[0] / force_length(top)[0]
}

/// What fibres that lengthen by `v` of the largest velocity give of their isometric force, and its derivative. It is 0 at −1.
#[inline(always)]
pub fn force_velocity<T: Real>(v: T) -> [T; 2] {
    let [d1, d2, d3, d4] = SPEEDS;
    let u = T::constant(d2) * v + T::constant(d3);
    let root = (u * u + T::one()).sqrt();
    [T::constant(d1) * asinh(u) + T::constant(d4), T::constant(d1 * d2) / root]
}

/// Hill's force of an edge in one substep, as a function of z = λ − λ₀, by how much λ has grown: λ is the length of the edge over that at which its fibres have
/// their optimal length.
#[derive(Clone, Copy, Debug)]
pub struct HillRates<T> {
    /// f_L cos α when the substep began, and its derivative by the λ of this edge alone.
    pub gain: T,
    pub slope: T,
    /// γ: the fibres' velocity over the largest, for z = 1.
    pub speed: T,
}

/// When the substep begins at `lambda`, of a strand that has the part `fall` of f_L ([`fall`]). `cos`: of the pennation α₀ at the optimal length.
/// `inv_travel`: one over how many optimal lengths the fibres can shorten by in the substep. The fibres' distance across, lopt sin α₀, stays.
#[inline(always)]
pub fn hill_rates<T: Real>(lambda: T, cos: T, inv_travel: T, fall: T) -> HillRates<T> {
    let (zero, one) = (T::zero(), T::one());
    let x = fibre(lambda, cos);
    let now = lambda * cos / x;
    let [f, df] = force_length(x.min(T::constant(TOP)));
    // dx/dλ = cos α₀ cos α, and d cos α/dλ = cos α₀ sin²α/x.
    let rises = T::select(x.lt(T::constant(TOP)), df, zero);
    let slope = rises * cos * now * now + f * cos * (one - now * now) / x;
    HillRates { gain: fall * f * now, slope: fall * slope, speed: cos * now * inv_travel }
}

/// Hill's force of an edge.
#[derive(Clone, Copy, Debug)]
pub struct HillForce<T> {
    /// The force's integral over z from 0 on, N.
    pub energy: T,
    /// N
    pub force: T,
    /// Its derivative by z, N; 0 where that is negative, so that no Hessian becomes indefinite.
    pub stiffness: T,
}

/// The fastest velocity that f_V is asked for, over the largest. Beyond ±1 it goes on as a logarithm: what shortens faster is slowed down, by 0.21 of the peak at −2.
const FASTEST: f64 = 10.0;
/// The most that the tangent of f_L comes to: the curve itself comes to 1.0017 only.
const MOST: f64 = 1.25;

/// P (G + G′z) f_V(γz), for P = `peak` N. Where f_L is 0 it ends; where f_L comes to [`MOST`] on its tangent, or beyond [`FASTEST`], it stays. Its integral is in closed form: searches for a step's length need it.
#[inline(always)]
pub fn hill_force<T: Real>(peak: T, at: &HillRates<T>, z: T) -> HillForce<T> {
    let (zero, one) = (T::zero(), T::one());
    let [d1, d2, d3, d4] = SPEEDS.map(T::constant);
    let HillRates { gain, slope, speed } = *at;
    let steep = slope.abs().max(T::constant(1e-6));
    let rises = zero.lt(slope);
    let (none, whole) = (gain / steep, (T::constant(MOST) - gain) / steep);
    let fastest = one / speed.max(T::constant(1e-12));
    let fastest = fastest * T::constant(FASTEST);
    let low = T::select(rises, (-none).max(-fastest), -fastest);
    let high = T::select(rises, whole, none).min(fastest);
    let c = z.max(low).min(high);
    let (f, v) = (gain + slope * c, speed * c);
    let [g, dg] = force_velocity(v);
    let force = peak * f * g;
    let inside = T::both(low.lt(z), z.lt(high));
    let stiffness = T::select(inside, (peak * (slope * g + f * speed * dg)).max(zero), zero);
    // ∫(p + b u)(d1 asinh u + d4) du for u = d2 γ z + d3.
    let rate = d2 * speed.max(T::constant(1e-12));
    let b = slope / rate;
    let p = gain - b * d3;
    let whole = primitive(p, b, d2 * v + d3, d1, d4) - primitive(p, b, d3, d1, d4);
    HillForce { energy: peak * whole / rate + force * (z - c), force, stiffness }
}

/// Where the next tangent touches the force, after one asked for the change `z` with this `force`.
///
/// Newton's method on f_V, which is an arsinh, throws a point that is far out on one side farther out on the other: steps of +v and −v, each larger than the last.
/// From nearer the middle, where it is steepest, it always converges. Two points are at hand: where the edge is now, and where the true curve has the force that the
/// tangent asked for. The one nearer the middle is taken.
#[inline(always)]
pub fn next_point<T: Real>(peak: T, at: &HillRates<T>, z: T, force: T) -> T {
    let (half, tiny) = (T::constant(0.5), T::constant(1e-20));
    let [d1, d2, d3, d4] = SPEEDS.map(T::constant);
    let isometric = peak * (at.gain + at.slope * z);
    // From f_V(−10) to f_V(10).
    let part = (force / isometric.max(tiny)).max(T::constant(-0.75)).min(T::constant(2.5));
    let x = (part - d4) / d1;
    let grown = exp(x);
    let by_force = half * (grown - T::one() / grown);
    let by_length = d2 * at.speed * z + d3;
    let there = (by_force - d3) / (d2 * at.speed.max(T::constant(1e-12)));
    T::select(by_force.abs().lt(by_length.abs()), T::select(tiny.lt(isometric), there, z), z)
}

/// ∫(p + b u)(d asinh u + e) du.
#[inline(always)]
fn primitive<T: Real>(p: T, b: T, u: T, d: T, e: T) -> T {
    let (half, quarter) = (T::constant(0.5), T::constant(0.25));
    let (root, a) = ((u * u + T::one()).sqrt(), asinh(u));
    d * (p * (u * a - root) + b * (half * u * u * a - quarter * (u * root - a))) + e * (p * u + half * b * u * u)
}
