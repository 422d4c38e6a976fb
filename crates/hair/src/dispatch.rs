//! One entry point an instruction set; all give the same bits. Everything below an entry is inlined into it and so
//! compiled for its registers.

use crate::read::{Job, part};
use withy_math::Isa;
#[cfg(target_arch = "aarch64")]
use withy_math::neon;
#[cfg(target_arch = "x86_64")]
use withy_math::x86;

macro_rules! instruction_set {
    ($name:ident, $lanes:ty $(, $feature:literal)?) => {
        $(#[target_feature(enable = $feature)])?
        #[inline(never)]
        // SAFETY: for the caller to see to: the processor has the features; that of `part`.
        unsafe fn $name(job: &Job, k: usize) {
            // SAFETY: passed on to the caller.
            unsafe { part::<$lanes>(job, k) }
        }
    };
}

instruction_set!(scalar, f32);
#[cfg(target_arch = "x86_64")]
instruction_set!(sse2, x86::F32x4);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx2, x86::F32x8, "avx2");
// A group has eight vertices: what AVX-512 brings is twice the registers.
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx512, x86::F32x8, "avx2,avx512f,avx512dq,avx512vl");
#[cfg(target_arch = "aarch64")]
instruction_set!(neon_, neon::F32x4);

/// # Safety
/// `isa` is available; that of [`part`].
pub unsafe fn run(isa: Isa, job: &Job, k: usize) {
    // SAFETY: passed on to the caller.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => sse2(job, k),
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            Isa::Avx2 => avx2(job, k),
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            Isa::Avx512 => avx512(job, k),
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => neon_(job, k),
            _ => scalar(job, k),
        }
    }
}
