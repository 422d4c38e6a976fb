//! Lanes over x86-64 registers: 4 (SSE2), 8 (AVX2), 16 (AVX-512) of f32, half as many of f64.
//!
//! Contract of every operation here: it is inlined into a function that has the type's `target_feature` enabled, entered
//! only after [`crate::Isa::available`] said yes. The drivers in `step/dispatch.rs` and `sagfree/batch.rs`, and what
//! [`crate::by_instruction_set`] makes, are the only such functions.

use crate::{Apart, Gather, Lane, Real};
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

macro_rules! binary {
    ($t:ident, $trait:ident, $f:ident, $intrinsic:ident) => {
        impl $trait for $t {
            type Output = Self;
            #[inline(always)]
            fn $f(self, b: Self) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $intrinsic(self.0, b.0) })
            }
        }
    };
}

macro_rules! lanes {
    ($t:ident, $elem:ty, $reg:ty, $mask:ty, $n:expr, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $set1:ident,
     $load:ident, $store:ident, neg $neg:expr, lt $lt:expr, select $select:expr, and $and:expr, any $any:expr
     $(, feature $feature:literal)?) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $t(pub $reg);
        binary!($t, Add, add, $add);
        binary!($t, Sub, sub, $sub);
        binary!($t, Mul, mul, $mul);
        binary!($t, Div, div, $div);
        impl Neg for $t {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $neg(self.0) })
            }
        }
        impl Real for $t {
            type Mask = $mask;
            #[inline(always)]
            fn constant(value: f64) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $set1(value as $elem) })
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $sqrt(self.0) })
            }
            #[inline(always)]
            fn lt(self, rhs: Self) -> $mask {
                // SAFETY: the module's contract.
                unsafe { $lt(self.0, rhs.0) }
            }
            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $select(mask, yes.0, no.0) })
            }
            #[inline(always)]
            fn both(a: $mask, b: $mask) -> $mask {
                // SAFETY: the module's contract.
                #[allow(unused_unsafe)]
                unsafe {
                    $and(a, b)
                }
            }
        }
        impl Lane for $t {
            type Elem = $elem;
            const N: usize = $n;
            /// # Safety
            /// That of [`Lane::load`].
            #[inline(always)]
            unsafe fn load(from: *const $elem) -> Self {
                // SAFETY: the module's contract; N readable numbers by the caller's.
                $t(unsafe { $load(from) })
            }
            /// # Safety
            /// That of [`Lane::store`].
            #[inline(always)]
            unsafe fn store(self, to: *mut $elem) {
                // SAFETY: the module's contract; N writable numbers by the caller's.
                unsafe { $store(to, self.0) }
            }
            #[inline(always)]
            fn splat(value: $elem) -> Self {
                // SAFETY: the module's contract.
                $t(unsafe { $set1(value) })
            }
            #[inline(always)]
            fn any(mask: $mask) -> bool {
                // SAFETY: the module's contract.
                #[allow(unused_unsafe)]
                unsafe {
                    $any(mask)
                }
            }
            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as [`Lane::apart`] says.
            unsafe fn apart<J: Apart>(job: J) -> J::Out {
                job.run()
            }
        }
    };
}

lanes!(
    F32x4,
    f32,
    __m128,
    __m128,
    4,
    _mm_add_ps,
    _mm_sub_ps,
    _mm_mul_ps,
    _mm_div_ps,
    _mm_sqrt_ps,
    _mm_set1_ps,
    _mm_loadu_ps,
    _mm_storeu_ps,
    neg | a | _mm_xor_ps(a, _mm_set1_ps(-0.0)),
    lt | a,
    b | _mm_cmplt_ps(a, b),
    select | m,
    y,
    n | _mm_or_ps(_mm_and_ps(m, y), _mm_andnot_ps(m, n)),
    and | a,
    b | _mm_and_ps(a, b),
    any | m | _mm_movemask_ps(m) != 0
);

lanes!(
    F32x8,
    f32,
    __m256,
    __m256,
    8,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_div_ps,
    _mm256_sqrt_ps,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    neg | a | _mm256_xor_ps(a, _mm256_set1_ps(-0.0)),
    lt | a,
    b | _mm256_cmp_ps::<_CMP_LT_OQ>(a, b),
    select | m,
    y,
    n | _mm256_blendv_ps(n, y, m),
    and | a,
    b | _mm256_and_ps(a, b),
    any | m | _mm256_movemask_ps(m) != 0, feature "avx2");

lanes!(F32x16, f32, __m512, __mmask16, 16, _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps, _mm512_sqrt_ps,
    _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
    neg |a| _mm512_xor_ps(a, _mm512_set1_ps(-0.0)),
    lt |a, b| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b),
    select |m, y, n| _mm512_mask_blend_ps(m, n, y),
    and |a: __mmask16, b: __mmask16| a & b,
    any |m: __mmask16| m != 0, feature "avx2,avx512f,avx512dq,avx512vl");

// Eight lanes in one of 32 registers, AVX-512VL's.
lanes!(F32x8Of32, f32, __m256, __mmask8, 8, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps, _mm256_sqrt_ps,
    _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
    neg |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0)),
    lt |a, b| _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b),
    select |m, y, n| _mm256_mask_blend_ps(m, n, y),
    and |a: __mmask8, b: __mmask8| a & b,
    any |m: __mmask8| m != 0, feature "avx2,avx512f,avx512dq,avx512vl");

lanes!(
    F64x2,
    f64,
    __m128d,
    __m128d,
    2,
    _mm_add_pd,
    _mm_sub_pd,
    _mm_mul_pd,
    _mm_div_pd,
    _mm_sqrt_pd,
    _mm_set1_pd,
    _mm_loadu_pd,
    _mm_storeu_pd,
    neg | a | _mm_xor_pd(a, _mm_set1_pd(-0.0)),
    lt | a,
    b | _mm_cmplt_pd(a, b),
    select | m,
    y,
    n | _mm_or_pd(_mm_and_pd(m, y), _mm_andnot_pd(m, n)),
    and | a,
    b | _mm_and_pd(a, b),
    any | m | _mm_movemask_pd(m) != 0
);

lanes!(
    F64x4,
    f64,
    __m256d,
    __m256d,
    4,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_div_pd,
    _mm256_sqrt_pd,
    _mm256_set1_pd,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    neg | a | _mm256_xor_pd(a, _mm256_set1_pd(-0.0)),
    lt | a,
    b | _mm256_cmp_pd::<_CMP_LT_OQ>(a, b),
    select | m,
    y,
    n | _mm256_blendv_pd(n, y, m),
    and | a,
    b | _mm256_and_pd(a, b),
    any | m | _mm256_movemask_pd(m) != 0, feature "avx2");

lanes!(F64x8, f64, __m512d, __mmask8, 8, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd, _mm512_sqrt_pd,
    _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
    neg |a| _mm512_xor_pd(a, _mm512_set1_pd(-0.0)),
    lt |a, b| _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b),
    select |m, y, n| _mm512_mask_blend_pd(m, n, y),
    and |a: __mmask8, b: __mmask8| a & b,
    any |m: __mmask8| m != 0, feature "avx2,avx512f,avx512dq,avx512vl");

impl Gather for F64x2 {}
impl Gather for F64x4 {}
impl Gather for F64x8 {}

/// Four records a 128-bit part, turned in registers: rows are records before and numbers after, or the other way round. Only these two
/// shuffles: since Ice Lake two ports have them, and one port the unpacking ones (measured on Sapphire Rapids too).
macro_rules! turned {
    ($r:expr, $shuffle:ident) => {{
        let [r0, r1, r2, r3] = $r;
        let (a, b, c, d) =
            ($shuffle::<0x88>(r0, r1), $shuffle::<0xDD>(r0, r1), $shuffle::<0x88>(r2, r3), $shuffle::<0xDD>(r2, r3));
        [$shuffle::<0x88>(a, c), $shuffle::<0x88>(b, d), $shuffle::<0xDD>(a, c), $shuffle::<0xDD>(b, d)]
    }};
}

/// Three numbers of four records a 128-bit part; the fourth becomes the third.
macro_rules! turned3 {
    ($r:expr, $shuffle:ident) => {{
        let [x, y, z] = $r;
        let (a, b) = ($shuffle::<0x88>(x, y), $shuffle::<0xDD>(x, y));
        [$shuffle::<0x08>(a, z), $shuffle::<0x58>(b, z), $shuffle::<0xAD>(a, z), $shuffle::<0xFD>(b, z)]
    }};
}

/// x, y, z of four vectors a 128-bit part, turned into three rows: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3.
macro_rules! interleaved {
    ($r:expr, $shuffle:ident) => {{
        let [x, y, z] = $r;
        let (xy, yz, zx) = ($shuffle::<0x88>(x, y), $shuffle::<0xDD>(y, z), $shuffle::<0xD8>(z, x));
        [$shuffle::<0x88>(xy, zx), $shuffle::<0xD8>(yz, xy), $shuffle::<0xDD>(zx, yz)]
    }};
}

impl Gather for F32x4 {
    // Aligned loads can be operands of SSE instructions.
    /// # Safety
    /// That of [`Gather::load_aligned`].
    #[inline(always)]
    unsafe fn load_aligned(from: *const f32) -> Self {
        // SAFETY: the caller's contract.
        F32x4(unsafe { _mm_load_ps(from) })
    }
    /// # Safety
    /// That of [`Gather::store_aligned`].
    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut f32) {
        // SAFETY: the caller's contract.
        unsafe { _mm_store_ps(to, self.0) }
    }
    /// # Safety
    /// That of [`Gather::gather`].
    #[inline(always)]
    unsafe fn gather(base: *const f32, at: *const u32) -> [Self; 4] {
        // SAFETY: the caller's contract.
        unsafe {
            let mut r = [_mm_setzero_ps(); 4];
            for (k, r) in r.iter_mut().enumerate() {
                *r = _mm_load_ps(base.add(*at.add(k) as usize));
            }
            let [x, y, z, w] = turned!(r, _mm_shuffle_ps);
            [F32x4(x), F32x4(y), F32x4(z), F32x4(w)]
        }
    }
    /// # Safety
    /// That of [`Gather::scatter`].
    #[inline(always)]
    unsafe fn scatter(v: [Self; 4], base: *mut f32, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            let r = turned!([v[0].0, v[1].0, v[2].0, v[3].0], _mm_shuffle_ps);
            for (k, r) in r.into_iter().enumerate() {
                _mm_store_ps(base.add(*at.add(k) as usize), r);
            }
        }
    }
    /// # Safety
    /// That of [`Gather::scatter3`].
    #[inline(always)]
    unsafe fn scatter3(v: [Self; 3], base: *mut f32, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            let r = turned3!([v[0].0, v[1].0, v[2].0], _mm_shuffle_ps);
            for (k, r) in r.into_iter().enumerate() {
                _mm_store_ps(base.add(*at.add(k) as usize), r);
            }
        }
    }
    /// # Safety
    /// That of [`Gather::store3`].
    #[inline(always)]
    unsafe fn store3(v: [Self; 3], to: *mut f32) {
        // SAFETY: the caller's contract.
        unsafe {
            let r = interleaved!([v[0].0, v[1].0, v[2].0], _mm_shuffle_ps);
            for (k, r) in r.into_iter().enumerate() {
                _mm_storeu_ps(to.add(4 * k), r);
            }
        }
    }
}

macro_rules! gather8 {
    ($t:ident, $shuffle:ident) => {
        impl Gather for $t {
            /// # Safety
            /// That of [`Gather::gather`].
            #[inline(always)]
            unsafe fn gather(base: *const f32, at: *const u32) -> [Self; 4] {
                // SAFETY: the caller's contract.
                unsafe {
                    let mut r = [_mm256_setzero_ps(); 4];
                    for (k, r) in r.iter_mut().enumerate() {
                        let low = _mm_load_ps(base.add(*at.add(k) as usize));
                        let high = _mm_load_ps(base.add(*at.add(k + 4) as usize));
                        *r = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high);
                    }
                    let [x, y, z, w] = turned!(r, $shuffle);
                    [$t(x), $t(y), $t(z), $t(w)]
                }
            }
            /// # Safety
            /// That of [`Gather::scatter`].
            #[inline(always)]
            unsafe fn scatter(v: [Self; 4], base: *mut f32, at: *const u32) {
                // SAFETY: the caller's contract.
                unsafe {
                    let r = turned!([v[0].0, v[1].0, v[2].0, v[3].0], $shuffle);
                    for (k, r) in r.into_iter().enumerate() {
                        _mm_store_ps(base.add(*at.add(k) as usize), _mm256_castps256_ps128(r));
                        _mm_store_ps(base.add(*at.add(k + 4) as usize), _mm256_extractf128_ps::<1>(r));
                    }
                }
            }
            /// # Safety
            /// That of [`Gather::scatter3`].
            #[inline(always)]
            unsafe fn scatter3(v: [Self; 3], base: *mut f32, at: *const u32) {
                // SAFETY: the caller's contract.
                unsafe {
                    let r = turned3!([v[0].0, v[1].0, v[2].0], $shuffle);
                    for (k, r) in r.into_iter().enumerate() {
                        _mm_store_ps(base.add(*at.add(k) as usize), _mm256_castps256_ps128(r));
                        _mm_store_ps(base.add(*at.add(k + 4) as usize), _mm256_extractf128_ps::<1>(r));
                    }
                }
            }
            /// # Safety
            /// That of [`Gather::store3`].
            #[inline(always)]
            unsafe fn store3(v: [Self; 3], to: *mut f32) {
                // SAFETY: the caller's contract.
                unsafe {
                    let r = interleaved!([v[0].0, v[1].0, v[2].0], $shuffle);
                    for (k, r) in r.into_iter().enumerate() {
                        _mm_storeu_ps(to.add(4 * k), _mm256_castps256_ps128(r));
                        _mm_storeu_ps(to.add(12 + 4 * k), _mm256_extractf128_ps::<1>(r));
                    }
                }
            }
        }
    };
}
gather8!(F32x8, _mm256_shuffle_ps);
gather8!(F32x8Of32, shuffle_of_32);

/// `_mm256_shuffle_ps` that stays one. With AVX-512 the compiler makes `vpermt2ps` of two shuffles in a row, which has one port.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn shuffle_of_32<const M: i32>(a: __m256, b: __m256) -> __m256 {
    let c: __m256;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!("vshufps {c:y}, {a:y}, {b:y}, {m}", a = in(zmm_reg) a, b = in(zmm_reg) b, c = lateout(zmm_reg) c, m = const M,
            options(pure, nomem, nostack, preserves_flags));
    }
    c
}

impl Gather for F32x16 {
    /// # Safety
    /// That of [`Gather::gather`].
    #[inline(always)]
    unsafe fn gather(base: *const f32, at: *const u32) -> [Self; 4] {
        // SAFETY: the caller's contract.
        unsafe {
            let mut r = [_mm512_setzero_ps(); 4];
            for (k, r) in r.iter_mut().enumerate() {
                let mut part = [base; 4];
                for (j, part) in part.iter_mut().enumerate() {
                    *part = base.add(*at.add(k + 4 * j) as usize);
                }
                let low = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_load_ps(part[0])), _mm_load_ps(part[1]));
                let high = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_load_ps(part[2])), _mm_load_ps(part[3]));
                *r = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high);
            }
            let [x, y, z, w] = turned!(r, _mm512_shuffle_ps);
            [F32x16(x), F32x16(y), F32x16(z), F32x16(w)]
        }
    }
    /// # Safety
    /// That of [`Gather::scatter`].
    #[inline(always)]
    unsafe fn scatter(v: [Self; 4], base: *mut f32, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            let r = turned!([v[0].0, v[1].0, v[2].0, v[3].0], _mm512_shuffle_ps);
            for (k, r) in r.into_iter().enumerate() {
                let mut part = [base; 4];
                for (j, part) in part.iter_mut().enumerate() {
                    *part = base.add(*at.add(k + 4 * j) as usize);
                }
                _mm_store_ps(part[0], _mm512_castps512_ps128(r));
                _mm_store_ps(part[1], _mm512_extractf32x4_ps::<1>(r));
                _mm_store_ps(part[2], _mm512_extractf32x4_ps::<2>(r));
                _mm_store_ps(part[3], _mm512_extractf32x4_ps::<3>(r));
            }
        }
    }
    /// # Safety
    /// That of [`Gather::scatter3`].
    #[inline(always)]
    unsafe fn scatter3(v: [Self; 3], base: *mut f32, at: *const u32) {
        // SAFETY: the caller's contract.
        unsafe {
            let r = turned3!([v[0].0, v[1].0, v[2].0], _mm512_shuffle_ps);
            for (k, r) in r.into_iter().enumerate() {
                let mut part = [base; 4];
                for (j, part) in part.iter_mut().enumerate() {
                    *part = base.add(*at.add(k + 4 * j) as usize);
                }
                _mm_store_ps(part[0], _mm512_castps512_ps128(r));
                _mm_store_ps(part[1], _mm512_extractf32x4_ps::<1>(r));
                _mm_store_ps(part[2], _mm512_extractf32x4_ps::<2>(r));
                _mm_store_ps(part[3], _mm512_extractf32x4_ps::<3>(r));
            }
        }
    }
}
