//! Instruction sets of the CPU: detection, the forceable choice, and the lane types.

mod dispatch;
#[cfg(target_arch = "aarch64")]
pub mod neon;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use dispatch::Isa;

/// Asks for the memory of values that are soon read, wherever that is. It changes nothing but time.
#[inline(always)]
#[allow(clippy::not_unsafe_ptr_arg_deref, reason = "nothing is read")]
pub fn fetch_all<T>(first: *const T, count: usize) {
    #[cfg(target_arch = "x86_64")]
    for at in (0..count * size_of::<T>()).step_by(64) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which no address makes fail.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(first.cast::<i8>().wrapping_add(at)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, count);
}

/// The same for one.
#[inline(always)]
pub fn fetch<T>(first: *const T) {
    fetch_all(first, 1);
}

/// The same for walks that go backwards: the last first, and into the second-level cache, which has more room for what is on its way.
#[inline(always)]
#[allow(clippy::not_unsafe_ptr_arg_deref, reason = "nothing is read")]
pub fn fetch_back<T>(first: *const T, count: usize) {
    #[cfg(target_arch = "x86_64")]
    for at in (0..count * size_of::<T>()).step_by(64).rev() {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint, which no address makes fail.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(first.cast::<i8>().wrapping_add(at)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, count);
}
