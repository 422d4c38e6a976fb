//! Dual numbers: a value and its derivatives in `N` directions. The tests differentiate the kernels themselves with them.

use super::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug)]
pub struct Dual<const N: usize> {
    pub value: f64,
    pub grad: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// The variable number `i`.
    pub fn variable(value: f64, i: usize) -> Self {
        let mut grad = [0.0; N];
        grad[i] = 1.0;
        Dual { value, grad }
    }
    fn chain(value: f64, a: &Self, da: f64, b: &Self, db: f64) -> Self {
        Dual { value, grad: core::array::from_fn(|i| a.grad[i] * da + b.grad[i] * db) }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::chain(self.value + b.value, &self, 1.0, &b, 1.0)
    }
}
impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::chain(self.value - b.value, &self, 1.0, &b, -1.0)
    }
}
impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self::chain(self.value * b.value, &self, b.value, &b, self.value)
    }
}
impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let q = self.value / b.value;
        Self::chain(q, &self, 1.0 / b.value, &b, -q / b.value)
    }
}
impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::chain(-self.value, &self, -1.0, &self, 0.0)
    }
}

impl<const N: usize> Real for Dual<N> {
    type Mask = bool;
    fn constant(value: f64) -> Self {
        Dual { value, grad: [0.0; N] }
    }
    fn sqrt(self) -> Self {
        let r = self.value.sqrt();
        Self::chain(r, &self, 0.5 / r, &self, 0.0)
    }
    fn lt(self, rhs: Self) -> bool {
        self.value < rhs.value
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    fn both(a: bool, b: bool) -> bool {
        a & b
    }
}
