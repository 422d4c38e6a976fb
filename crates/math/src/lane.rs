//! The one scalar interface of every kernel.
//!
//! Rules that keep the bits equal on every lane width and instruction set:
//! * only `+ - * /`, `sqrt`, comparison and `select`: each is correctly rounded by IEEE 754, on every machine;
//! * `min`/`max` are compare-and-select, so that NaN and signed zero behave the same everywhere;
//! * no fused multiply-add, no reciprocal or rsqrt estimates, nothing from libm.
//!
//! The mask of a lane type is itself a register (or a k-mask): a `[bool; N]` stops the vectoriser (13 ns against 2 on the
//! bend-twist block, see `docs/decisions.md`).

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number as the kernels see it: one value, or one value a lane, or a recorded expression.
pub trait Real:
    Copy + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The answer of a comparison, lane by lane.
    type Mask: Copy;

    /// The same constant in all lanes, rounded to the lane's precision.
    fn constant(value: f64) -> Self;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// `self < rhs`; false where either is NaN.
    fn lt(self, rhs: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`. Both are always evaluated.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    #[inline(always)]
    fn zero() -> Self {
        Self::constant(0.0)
    }
    #[inline(always)]
    fn one() -> Self {
        Self::constant(1.0)
    }
    /// The smaller; `rhs` where either is NaN.
    #[inline(always)]
    fn min(self, rhs: Self) -> Self {
        Self::select(self.lt(rhs), self, rhs)
    }
    /// The larger; `rhs` where either is NaN.
    #[inline(always)]
    fn max(self, rhs: Self) -> Self {
        Self::select(rhs.lt(self), self, rhs)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.lt(Self::zero()), -self, self)
    }
}

/// A type that lies in memory: `f32` or `f64`.
pub trait Elem: Real<Mask = bool> + Default + PartialOrd + Send + Sync + core::fmt::Debug {
    const IS_F64: bool;
    /// What every machine of this architecture has, without asking.
    type Register: Gather<Elem = Self>;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn is_finite(self) -> bool;
    /// The bits, for the golden hash.
    fn bits(self) -> u64;
    /// The number with these bits.
    fn from_bits(bits: u64) -> Self;
}

/// What [`Lane::apart`] does. `run` is to be inlined.
pub trait Apart {
    type Out;
    fn run(self) -> Self::Out;
}

/// `N` numbers that move together between memory and registers.
pub trait Lane: Real {
    type Elem: Elem;
    const N: usize;

    /// Reads `N` consecutive numbers.
    ///
    /// # Safety
    /// `from .. from + N` is readable, and the instruction set of the type is available and enabled in the caller.
    unsafe fn load(from: *const Self::Elem) -> Self;
    /// Writes `N` consecutive numbers.
    ///
    /// # Safety
    /// `to .. to + N` is writable, and the instruction set of the type is available and enabled in the caller.
    unsafe fn store(self, to: *mut Self::Elem);
    fn splat(value: Self::Elem) -> Self;
    /// True if the mask holds in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// Runs a job out of line, with the type's instruction set enabled. Kernels are inlined wherever they are called; what is called from several places, and
    /// seldom, is so compiled once.
    ///
    /// # Safety
    /// The instruction set of the type is available.
    unsafe fn apart<J: Apart>(job: J) -> J::Out;
    /// Of numbers whose size is about 1: zero for those that are far below its rounding. Products of a few of them would be denormal, which take
    /// processors a hundred times as long. (f64 has room enough.)
    #[inline(always)]
    fn flushed(self) -> Self {
        if Self::Elem::IS_F64 {
            return self;
        }
        Self::select(self.abs().lt(Self::constant(1e-12)), Self::zero(), self)
    }
}

/// Numbers of one record of a [`Gather`]ed array.
pub const RECORD: usize = 8;

/// Eight numbers that lie together: a body's pose, its velocity, a capsule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Record<E>(pub [E; RECORD]);

/// Lanes of the widest type.
pub const MOST_LANES: usize = 32;

/// Reads and writes records that lie anywhere: one record a lane.
pub trait Gather: Lane {
    /// [`Lane::load`] from an address that is a multiple of the lane type's size.
    ///
    /// # Safety
    /// As said; that of [`Lane::load`].
    #[inline(always)]
    unsafe fn load_aligned(from: *const Self::Elem) -> Self {
        // SAFETY: the caller's contract.
        unsafe { Self::load(from) }
    }
    /// [`Lane::store`] to such an address.
    ///
    /// # Safety
    /// As said; that of [`Lane::store`].
    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut Self::Elem) {
        // SAFETY: the caller's contract.
        unsafe { self.store(to) }
    }
    /// The four numbers at `base + at[k]` for each lane k, number by number.
    ///
    /// # Safety
    /// `at .. at + N` is readable, and for each of them four numbers at `base + at`, which is a multiple of 16 bytes; else that of [`Lane::load`].
    #[inline(always)]
    unsafe fn gather(base: *const Self::Elem, at: *const u32) -> [Self; 4] {
        let mut rows = [[Self::Elem::default(); MOST_LANES]; 4];
        // SAFETY: the caller's contract; N ≤ MOST_LANES.
        unsafe {
            for k in 0..Self::N {
                let from = base.add(*at.add(k) as usize);
                for (r, row) in rows.iter_mut().enumerate() {
                    row[k] = *from.add(r);
                }
            }
            [
                Self::load(rows[0].as_ptr()),
                Self::load(rows[1].as_ptr()),
                Self::load(rows[2].as_ptr()),
                Self::load(rows[3].as_ptr()),
            ]
        }
    }
    /// Writes what [`Gather::gather`] reads. Lanes are written in order.
    ///
    /// # Safety
    /// As [`Gather::gather`], and the records are writable, by this thread alone.
    #[inline(always)]
    unsafe fn scatter(values: [Self; 4], base: *mut Self::Elem, at: *const u32) {
        let mut rows = [[Self::Elem::default(); MOST_LANES]; 4];
        // SAFETY: the caller's contract; N ≤ MOST_LANES.
        unsafe {
            for (value, row) in values.into_iter().zip(&mut rows) {
                value.store(row.as_mut_ptr());
            }
            for k in 0..Self::N {
                let to = base.add(*at.add(k) as usize);
                for (r, row) in rows.iter().enumerate() {
                    *to.add(r) = row[k];
                }
            }
        }
    }
    /// [`Gather::scatter`] of three numbers; the fourth becomes a copy of the third, which is a shuffle less than a number of its own.
    ///
    /// # Safety
    /// As [`Gather::scatter`].
    #[inline(always)]
    unsafe fn scatter3([x, y, z]: [Self; 3], base: *mut Self::Elem, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe { Self::scatter([x, y, z, z], base, at) }
    }
    /// Writes x, y, z of the first lane, then of the second, and so on: 3 `N` numbers.
    ///
    /// # Safety
    /// `to .. to + 3 N` is writable; else that of [`Lane::store`].
    #[inline(always)]
    unsafe fn store3(values: [Self; 3], to: *mut Self::Elem) {
        let mut rows = [[Self::Elem::default(); MOST_LANES]; 3];
        // SAFETY: the caller's contract; N ≤ MOST_LANES.
        unsafe {
            for (value, row) in values.into_iter().zip(&mut rows) {
                value.store(row.as_mut_ptr());
            }
            for k in 0..Self::N {
                for (c, row) in rows.iter().enumerate() {
                    to.add(3 * k + c).write_unaligned(row[k]);
                }
            }
        }
    }
}

impl Gather for f32 {}
impl Gather for f64 {}

#[cfg(target_arch = "x86_64")]
type Baseline = crate::x86::F32x4;
#[cfg(target_arch = "aarch64")]
type Baseline = crate::neon::F32x4;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
type Baseline = f32;

macro_rules! scalar {
    ($t:ty, $bits:ty, $register:ty, $is64:expr) => {
        impl Real for $t {
            type Mask = bool;
            #[inline(always)]
            fn constant(value: f64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn lt(self, rhs: Self) -> bool {
                self < rhs
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn both(a: bool, b: bool) -> bool {
                a & b
            }
        }
        impl Elem for $t {
            const IS_F64: bool = $is64;
            type Register = $register;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                <$t>::is_finite(self)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                self.to_bits() as u64
            }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                <$t>::from_bits(bits as $bits)
            }
        }
        impl Lane for $t {
            type Elem = $t;
            const N: usize = 1;
            /// # Safety
            /// That of [`Lane::load`].
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: the caller's contract: one readable number.
                unsafe { *from }
            }
            /// # Safety
            /// That of [`Lane::store`].
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: the caller's contract: one writable number.
                unsafe { *to = self }
            }
            #[inline(always)]
            fn splat(value: $t) -> Self {
                value
            }
            #[inline(always)]
            fn any(mask: bool) -> bool {
                mask
            }
            /// # Safety
            /// None.
            #[inline(never)]
            unsafe fn apart<J: Apart>(job: J) -> J::Out {
                job.run()
            }
        }
    };
}
scalar!(f32, u32, Baseline, false);
scalar!(f64, u64, f64, true);
