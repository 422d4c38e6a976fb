//! The instruction sets of the CPU: detection, the forceable choice (once, at world creation), and prefetching.

/// An instruction set a driver is compiled for. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Isa {
    /// One strand at a time.
    Scalar = 1,
    /// 4 lanes, x86-64 baseline.
    Sse2 = 2,
    /// 8 lanes.
    Avx2 = 3,
    /// 16 lanes.
    Avx512 = 4,
    /// 4 lanes, aarch64 baseline.
    Neon = 5,
}

impl Isa {
    pub const ALL: [Isa; 5] = [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon];

    /// True if this processor can run it.
    pub fn available(self) -> bool {
        match self {
            Isa::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => true,
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            Isa::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            Isa::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => true,
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// The widest that this processor has.
    pub fn best() -> Isa {
        [Isa::Avx512, Isa::Avx2, Isa::Neon, Isa::Sse2].into_iter().find(|isa| isa.available()).unwrap_or(Isa::Scalar)
    }

    pub fn lanes(self) -> usize {
        match self {
            Isa::Scalar => 1,
            Isa::Sse2 | Isa::Neon => 4,
            Isa::Avx2 => 8,
            Isa::Avx512 => 16,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Sse2 => "sse2",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Neon => "neon",
        }
    }

    pub fn from_name(name: &str) -> Option<Isa> {
        Self::ALL.into_iter().find(|isa| isa.name() == name)
    }
}

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
