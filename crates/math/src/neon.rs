//! Four lanes over aarch64 NEON, which every aarch64 has.

use crate::{Apart, Gather, Lane, Real};
use core::arch::aarch64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct F32x4(pub float32x4_t);

macro_rules! binary {
    ($trait:ident, $f:ident, $intrinsic:ident) => {
        impl $trait for F32x4 {
            type Output = Self;
            #[inline(always)]
            fn $f(self, b: Self) -> Self {
                // SAFETY: NEON is part of the aarch64 baseline.
                F32x4(unsafe { $intrinsic(self.0, b.0) })
            }
        }
    };
}
binary!(Add, add, vaddq_f32);
binary!(Sub, sub, vsubq_f32);
binary!(Mul, mul, vmulq_f32);
binary!(Div, div, vdivq_f32);

impl Neg for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: NEON is part of the aarch64 baseline.
        F32x4(unsafe { vnegq_f32(self.0) })
    }
}

impl Real for F32x4 {
    type Mask = uint32x4_t;
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(value as f32)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: NEON is part of the aarch64 baseline.
        F32x4(unsafe { vsqrtq_f32(self.0) })
    }
    #[inline(always)]
    fn lt(self, rhs: Self) -> uint32x4_t {
        // SAFETY: NEON is part of the aarch64 baseline.
        unsafe { vcltq_f32(self.0, rhs.0) }
    }
    #[inline(always)]
    fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self {
        // SAFETY: NEON is part of the aarch64 baseline.
        F32x4(unsafe { vbslq_f32(mask, yes.0, no.0) })
    }
    #[inline(always)]
    fn both(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: NEON is part of the aarch64 baseline.
        unsafe { vandq_u32(a, b) }
    }
}

impl Lane for F32x4 {
    type Elem = f32;
    const N: usize = 4;
    /// # Safety
    /// That of [`Lane::load`].
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: four readable numbers by the caller's contract.
        F32x4(unsafe { vld1q_f32(from) })
    }
    /// # Safety
    /// That of [`Lane::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: four writable numbers by the caller's contract.
        unsafe { vst1q_f32(to, self.0) }
    }
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: NEON is part of the aarch64 baseline.
        F32x4(unsafe { vdupq_n_f32(value) })
    }
    #[inline(always)]
    fn any(mask: uint32x4_t) -> bool {
        // SAFETY: NEON is part of the aarch64 baseline.
        unsafe { vmaxvq_u32(mask) != 0 }
    }
    /// # Safety
    /// None.
    #[inline(never)]
    unsafe fn apart<J: Apart>(job: J) -> J::Out {
        job.run()
    }
}

impl Gather for F32x4 {}
