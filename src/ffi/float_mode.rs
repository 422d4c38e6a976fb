//! The floating-point mode of the host's threads.
//!
//! Engines flush denormals, audio code rounds otherwise, debuggers trap on NaN. Results must not
//! depend on that, so every call, and every task on a thread of the host, computes in the usual
//! mode (round to nearest, denormals, no traps) and gives the host back its own.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use core::arch::asm;

#[cfg(target_arch = "x86_64")]
mod control {
    use super::asm;

    /// Exceptions that have been seen: no part of the mode.
    const SEEN: u32 = 0x3f;
    const USUAL: u32 = 0x1f80;

    pub fn read() -> u32 {
        let mut word = 0u32;
        // SAFETY: writes four bytes to `word`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags)) };
        word
    }
    pub fn write(word: u32) {
        // SAFETY: no reserved bit is set: the word was read, or is the one that threads start with.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags)) };
    }
    pub fn usual(word: u32) -> u32 {
        USUAL | word & SEEN
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use super::asm;

    /// AHP, DN, FZ, RMode, FZ16, traps, and FIZ, AH, NEP of newer machines.
    const MODE: u64 = 0x07cf_9f07;

    pub fn read() -> u64 {
        let word: u64;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nostack)) };
        word
    }
    pub fn write(word: u64) {
        // SAFETY: the word was read, or has mode bits cleared, as a thread starts.
        unsafe { asm!("msr fpcr, {}", in(reg) word, options(nostack)) };
    }
    pub fn usual(word: u64) -> u64 {
        word & !MODE
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub fn read() -> u32 {
        0
    }
    pub fn write(_: u32) {}
    pub fn usual(word: u32) -> u32 {
        word
    }
}

/// Runs `f` in the usual mode. `f` does not unwind.
pub fn usual<T>(f: impl FnOnce() -> T) -> T {
    let of_host = control::read();
    let usual = control::usual(of_host);
    if usual == of_host {
        return f();
    }
    control::write(usual);
    let result = f();
    control::write(of_host);
    result
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::ffi::context::*;
    use crate::ffi::library::WITHY_OK;
    use crate::ffi::rods::*;
    use crate::ffi::types::{WITHY_FORMAT_F64, WITHY_FORMAT_U32, WithySpan};
    use crate::ffi::world::*;
    use std::hint::black_box;

    /// Flushes denormals, takes them for zero, rounds up.
    const STRANGE: u32 = 0x1f80 | 0x8040 | 0x4000;

    /// The bytes of the state of a strand that swings for half a second.
    fn swung() -> Vec<u8> {
        let points: Vec<[f64; 3]> = (0..12).map(|k| [0.02 * f64::from(k), 1e-41 * f64::from(k), 0.0]).collect();
        let count = 12u32;
        let span = |data: *const core::ffi::c_void, n, format| WithySpan {
            data: data.cast_mut(),
            count: n,
            stride: 0,
            format,
            reserved: 0,
        };
        let (mut context, mut world, mut rods) = (WithyContext::default(), WithyWorld::default(), WithyRods::default());
        let mut def = core::mem::MaybeUninit::<WithyRodsDef>::uninit();
        // SAFETY: valid pointers throughout.
        unsafe {
            assert_eq!(withy_context_create(core::ptr::null(), &mut context), WITHY_OK);
            assert_eq!(withy_world_create(context, core::ptr::null(), &mut world), WITHY_OK);
            assert_eq!(withy_rods_def_init_sized(def.as_mut_ptr(), size_of::<WithyRodsDef>() as u32), WITHY_OK);
            let mut def = def.assume_init();
            def.positions = span(points.as_ptr().cast(), 12, WITHY_FORMAT_F64);
            def.counts = span((&raw const count).cast(), 1, WITHY_FORMAT_U32);
            def.radius = 1e-3;
            def.root = WITHY_SUPPORT_CLAMPED;
            assert_eq!(withy_rods_create(world, &def, &mut rods), WITHY_OK);
            for _ in 0..30 {
                assert_eq!(withy_world_step(world, 1.0 / 60.0), WITHY_OK);
            }
            let mut size = 0;
            assert_eq!(withy_world_save_state(world, core::ptr::null_mut(), &mut size), WITHY_OK);
            let mut bytes = vec![0u8; size as usize];
            assert_eq!(withy_world_save_state(world, bytes.as_mut_ptr().cast(), &mut size), WITHY_OK);
            assert_eq!(withy_context_destroy(context), WITHY_OK);
            bytes
        }
    }

    #[test]
    fn the_hosts_mode_changes_no_bit_and_comes_back() {
        let expected = swung();
        let before = control::read();
        control::write(STRANGE);
        let tiny = usual(|| black_box(1e-41f32) * black_box(0.5));
        let flushed = black_box(1e-41f32) * black_box(0.5);
        let found = swung();
        let after = control::read();
        control::write(before);
        assert!(tiny > 0.0 && flushed == 0.0, "{tiny:e} {flushed:e}");
        assert_eq!(after & !0x3f, STRANGE);
        assert!(found == expected, "the state differs");
    }
}
