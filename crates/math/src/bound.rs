//! Interval arithmetic that carries f32 rounding (Moore 1966; Higham, "Accuracy and Stability of Numerical Algorithms", ch. 3).
//!
//! A kernel run on [`Bound`] gives its value in f64 and, beside it, the interval that holds any f32 evaluation of the same
//! expression on a processor that keeps WGSL's promises, fused where that loses nothing. It is the stated bound of the GPU
//! tests: derived for each input instead of guessed for all.

use super::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub value: f64,
    /// Ends of the interval; infinite once f32 may have overflowed.
    pub low: f64,
    pub high: f64,
    /// Of a product: how small and how large the product of some of its factors may be, at most 1 and at least 1. Compilers multiply in any
    /// order.
    partial: [f64; 2],
}

/// One rounding to nearest, relative; 0.1 % more for the f64 arithmetic of this file.
const U: f64 = 1.001 / (1u64 << 24) as f64;
/// WGSL's x/y: 2.5 ulp for |y| in 2^-126..2^126; an ulp is at most 2u relative.
const DIVISION: f64 = 5.0 * U;
/// WGSL's sqrt inherits from 1/inverseSqrt: 2 ulp, then a division.
const SQRT: f64 = 9.0 * U;
/// WGSL may flush what is below the smallest normal number.
const FLUSH: f64 = f32::MIN_POSITIVE as f64;

impl Bound {
    /// A number that both sides got exactly. Below the smallest normal number WGSL may read zero.
    pub fn exact(value: f32) -> Self {
        let (x, zero) = (value as f64, if value.is_subnormal() { 0.0 } else { value as f64 });
        Self::of(x, x.min(zero), x.max(zero))
    }
    fn of(value: f64, low: f64, high: f64) -> Self {
        let small = if low <= 0.0 && high >= 0.0 { if low == high { 1.0 } else { 0.0 } } else { low.abs().min(high.abs()) };
        Bound { value, low, high, partial: [small.min(1.0), low.abs().max(high.abs()).max(1.0)] }
    }
    fn anything(value: f64) -> Self {
        Self::of(value, f64::NEG_INFINITY, f64::INFINITY)
    }
    fn rounded(value: f64, low: f64, high: f64, relative: f64) -> Self {
        Self::product(value, low, high, relative, [1.0; 2])
    }
    /// `partial` is that of the factors together.
    fn product(value: f64, low: f64, high: f64, relative: f64, partial: [f64; 2]) -> Self {
        let [small, large] = partial;
        // What is flushed on the way may be multiplied by all the rest.
        let flushed = if small < FLUSH { FLUSH * large } else { FLUSH };
        let slack = relative * low.abs().max(high.abs()) + flushed;
        let inside = low - slack >= f32::MIN as f64 && high + slack <= f32::MAX as f64 && large <= f32::MAX as f64;
        // A NaN among them is not inside.
        if !inside || value.is_nan() {
            return Self::anything(value);
        }
        let own = Self::of(value, low - slack, high + slack);
        if partial == [1.0; 2] { own } else { Bound { partial, ..own } }
    }
    fn partial_with(self, b: Self) -> [f64; 2] {
        [self.partial[0] * b.partial[0], self.partial[1] * b.partial[1]]
    }
    /// True if `got` is in the interval, widened `slack` times about its value. An infinite one allows anything, NaN included.
    pub fn allows(self, got: f32, slack: f64) -> bool {
        self.is_infinite() || (got as f64 - self.value).abs() <= slack * self.error()
    }
    pub fn is_infinite(self) -> bool {
        self.low == f64::NEG_INFINITY || self.high == f64::INFINITY
    }
    /// The farthest that the interval goes from the value.
    pub fn error(self) -> f64 {
        (self.value - self.low).max(self.high - self.value)
    }
    fn hull(self, b: Self) -> Self {
        Self::of(self.value, self.low.min(b.low), self.high.max(b.high))
    }
}

impl Add for Bound {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::rounded(self.value + b.value, self.low + b.low, self.high + b.high, U)
    }
}
impl Sub for Bound {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::rounded(self.value - b.value, self.low - b.high, self.high - b.low, U)
    }
}

/// The extremes of `f` over the four corners. A NaN corner (0·∞) makes the caller's test fail, as it should.
fn corners(a: Bound, b: Bound, f: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let c = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
    if c.iter().any(|x| x.is_nan()) {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    (c.iter().copied().fold(f64::INFINITY, f64::min), c.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

impl Mul for Bound {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        let (low, high) = corners(self, b, |x, y| x * y);
        Self::product(self.value * b.value, low, high, U, self.partial_with(b))
    }
}
impl Div for Bound {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let (smallest, largest) = (2.0f64.powi(-126), 2.0f64.powi(126));
        let one_sign = b.low >= smallest || b.high <= -smallest;
        if !one_sign || b.high.max(-b.low) > largest {
            return Self::anything(self.value / b.value);
        }
        let (low, high) = corners(self, b, |x, y| x / y);
        // As x·(1/y).
        let (near, far) = (b.low.abs().min(b.high.abs()), b.low.abs().max(b.high.abs()));
        let inverse = Self::of(1.0, 1.0 / far, 1.0 / near);
        Self::product(self.value / b.value, low, high, DIVISION, self.partial_with(inverse))
    }
}
impl Neg for Bound {
    type Output = Self;
    fn neg(self) -> Self {
        Bound { value: -self.value, low: -self.high, high: -self.low, ..self }
    }
}

impl Real for Bound {
    /// The answer, and whether rounding leaves it certain.
    type Mask = (bool, bool);
    fn constant(value: f64) -> Self {
        // f64 kernels see the constant itself, all others its rounding to f32.
        let rounded = value as f32 as f64;
        Self::of(value, value.min(rounded), value.max(rounded))
    }
    fn sqrt(self) -> Self {
        if self.low < 0.0 {
            return Self::anything(self.value.sqrt());
        }
        Self::rounded(self.value.sqrt(), self.low.sqrt(), self.high.sqrt(), SQRT)
    }
    fn lt(self, rhs: Self) -> (bool, bool) {
        (self.value < rhs.value, self.high < rhs.low || self.low >= rhs.high)
    }
    fn select((holds, certain): (bool, bool), yes: Self, no: Self) -> Self {
        let (chosen, other) = if holds { (yes, no) } else { (no, yes) };
        if certain { chosen } else { chosen.hull(other) }
    }
    fn both(a: (bool, bool), b: (bool, bool)) -> (bool, bool) {
        // A certain no decides alone.
        let no = |(holds, certain): (bool, bool)| certain && !holds;
        (a.0 && b.0, no(a) || no(b) || (a.1 && b.1))
    }
    /// Monotone in both, so tighter than compare-and-select: a guarded divisor stays away from zero.
    fn min(self, b: Self) -> Self {
        Self::of(self.value.min(b.value), self.low.min(b.low), self.high.min(b.high))
    }
    fn max(self, b: Self) -> Self {
        Self::of(self.value.max(b.value), self.low.max(b.low), self.high.max(b.high))
    }
}
