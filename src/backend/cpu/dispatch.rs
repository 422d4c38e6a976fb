//! The choice of an instruction set: once, at world creation; tests and hosts can force it.

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
