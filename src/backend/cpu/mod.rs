//! Instruction sets of the CPU: detection, the forceable choice, and the lane types.

mod dispatch;
#[cfg(target_arch = "aarch64")]
pub mod neon;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use dispatch::Isa;

/// Asks for the memory of a value that is soon read. It changes nothing but time.
///
/// # Safety
/// `first` points to a `T`, or to where one could be.
#[inline(always)]
pub unsafe fn fetch<T>(first: *const T) {
    #[cfg(target_arch = "x86_64")]
    for at in (0..size_of::<T>()).step_by(64) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; the place is within the value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(first.cast::<i8>().add(at)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = first;
}
