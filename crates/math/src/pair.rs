//! Two registers as one lane type: twice as many strands walk together.
//!
//! A sweep is one long chain of dependent square roots and divisions (about 480 cycles an edge); a second, independent chain
//! fills the waiting. The order of operations of every strand, and so its bits, stay the same.

use super::{Apart, Gather, Lane, Real};
use core::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy)]
pub struct Pair<L>(L, L);

macro_rules! binary {
    ($trait:ident, $f:ident) => {
        impl<L: Real> $trait for Pair<L> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, b: Self) -> Self {
                Pair(self.0.$f(b.0), self.1.$f(b.1))
            }
        }
    };
}
binary!(Add, add);
binary!(Sub, sub);
binary!(Mul, mul);
binary!(Div, div);

impl<L: Real> Neg for Pair<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Pair(-self.0, -self.1)
    }
}

impl<L: Real> Real for Pair<L> {
    type Mask = (L::Mask, L::Mask);
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Pair(L::constant(value), L::constant(value))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Pair(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn lt(self, b: Self) -> Self::Mask {
        (self.0.lt(b.0), self.1.lt(b.1))
    }
    #[inline(always)]
    fn select(m: Self::Mask, yes: Self, no: Self) -> Self {
        Pair(L::select(m.0, yes.0, no.0), L::select(m.1, yes.1, no.1))
    }
    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        (L::both(a.0, b.0), L::both(a.1, b.1))
    }
}

impl<L: Lane> Lane for Pair<L> {
    type Elem = L::Elem;
    const N: usize = 2 * L::N;
    /// # Safety
    /// That of [`Lane::load`].
    #[inline(always)]
    unsafe fn load(from: *const L::Elem) -> Self {
        // SAFETY: 2·N readable numbers by the caller's contract.
        unsafe { Pair(L::load(from), L::load(from.add(L::N))) }
    }
    /// # Safety
    /// That of [`Lane::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut L::Elem) {
        // SAFETY: 2·N writable numbers by the caller's contract.
        unsafe {
            self.0.store(to);
            self.1.store(to.add(L::N));
        }
    }
    #[inline(always)]
    fn splat(value: L::Elem) -> Self {
        Pair(L::splat(value), L::splat(value))
    }
    #[inline(always)]
    fn any(m: Self::Mask) -> bool {
        L::any(m.0) | L::any(m.1)
    }
    /// # Safety
    /// That of [`Lane::apart`].
    #[inline(always)]
    unsafe fn apart<J: Apart>(job: J) -> J::Out {
        // SAFETY: the caller's contract.
        unsafe { L::apart(job) }
    }
}

impl<L: Gather> Gather for Pair<L> {
    /// # Safety
    /// That of [`Gather::load_aligned`].
    #[inline(always)]
    unsafe fn load_aligned(from: *const L::Elem) -> Self {
        // SAFETY: the caller's contract.
        unsafe { Pair(L::load_aligned(from), L::load_aligned(from.add(L::N))) }
    }
    /// # Safety
    /// That of [`Gather::store_aligned`].
    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut L::Elem) {
        // SAFETY: the caller's contract.
        unsafe {
            self.0.store_aligned(to);
            self.1.store_aligned(to.add(L::N));
        }
    }
    /// # Safety
    /// That of [`Gather::gather`].
    #[inline(always)]
    unsafe fn gather(base: *const L::Elem, at: *const u32) -> [Self; 4] {
        // SAFETY: the caller's contract.
        let (a, b) = unsafe { (L::gather(base, at), L::gather(base, at.add(L::N))) };
        [Pair(a[0], b[0]), Pair(a[1], b[1]), Pair(a[2], b[2]), Pair(a[3], b[3])]
    }
    /// # Safety
    /// That of [`Gather::scatter`].
    #[inline(always)]
    unsafe fn scatter(v: [Self; 4], base: *mut L::Elem, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            L::scatter([v[0].0, v[1].0, v[2].0, v[3].0], base, at);
            L::scatter([v[0].1, v[1].1, v[2].1, v[3].1], base, at.add(L::N));
        }
    }
    /// # Safety
    /// That of [`Gather::scatter3`].
    #[inline(always)]
    unsafe fn scatter3(v: [Self; 3], base: *mut L::Elem, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            L::scatter3([v[0].0, v[1].0, v[2].0], base, at);
            L::scatter3([v[0].1, v[1].1, v[2].1], base, at.add(L::N));
        }
    }
}
