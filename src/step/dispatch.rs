//! One entry point an instruction set. Everything below an entry is inlined into it and so compiled for its registers.

use super::{RodsStep, SharedBuffers, Stage, stage_group, step_group};
use crate::backend::cpu::Isa;
#[cfg(target_arch = "aarch64")]
use crate::backend::cpu::neon;
#[cfg(target_arch = "x86_64")]
use crate::backend::cpu::x86;
use crate::layout::Block;
use crate::math::{Elem, Lane};
use crate::rods::ghost::drive::{BlockReport, Pin};

/// The work on one block, whatever its precision.
struct Job<'a, E> {
    buffers: &'a SharedBuffers<E>,
    block: &'a Block,
    step: &'a RodsStep<'a, E>,
    pins: &'a [Pin],
    /// `None`: the whole step.
    stage: Option<(Stage, usize)>,
}

/// # Safety
/// The instruction sets of `Wide` and `Four` are enabled in the caller, into which this is inlined; the contract of
/// [`SharedBuffers`].
#[inline(always)]
unsafe fn run<E, Wide, Four>(job: &Job<'_, E>) -> BlockReport
where
    E: Elem + Lane<Elem = E>,
    Wide: Lane<Elem = E>,
    Four: Lane<Elem = E>,
{
    // SAFETY: passed on to the caller.
    unsafe {
        match job.block.width {
            16 => lanes::<E, Wide, 16>(job),
            4 => lanes::<E, Four, 4>(job),
            _ => lanes::<E, E, 1>(job),
        }
    }
}

/// # Safety
/// As [`run`]; `W` is the block's width.
#[inline(always)]
unsafe fn lanes<E: Elem, L: Lane<Elem = E>, const W: usize>(job: &Job<'_, E>) -> BlockReport {
    let mut report = BlockReport::default();
    for lane in (0..W).step_by(L::N) {
        // SAFETY: passed on to the caller.
        unsafe {
            let mut group = job.buffers.group::<L, W>(job.block, lane);
            match job.stage {
                None => step_group(&mut group, job.step, job.pins, &mut report),
                Some((stage, substep)) => stage_group(&mut group, job.step, stage, substep, job.pins, &mut report),
            }
        }
    }
    report
}

/// # Safety
/// As [`run`].
unsafe fn run_scalar(job: &Job<'_, f32>) -> BlockReport {
    // SAFETY: one lane needs no instruction set.
    unsafe { run::<f32, f32, f32>(job) }
}

/// # Safety
/// As [`run`].
unsafe fn run_f64(job: &Job<'_, f64>) -> BlockReport {
    // SAFETY: one lane needs no instruction set.
    unsafe { run::<f64, f64, f64>(job) }
}

/// # Safety
/// As [`run`].
#[cfg(target_arch = "x86_64")]
unsafe fn run_sse2(job: &Job<'_, f32>) -> BlockReport {
    // SAFETY: SSE2 is the x86-64 baseline.
    unsafe { run::<f32, x86::F32x4, x86::F32x4>(job) }
}

/// # Safety
/// As [`run`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn run_avx2(job: &Job<'_, f32>) -> BlockReport {
    // SAFETY: enabled here.
    unsafe { run::<f32, x86::F32x8, x86::F32x4>(job) }
}

/// # Safety
/// As [`run`], on a processor with AVX-512 F, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
unsafe fn run_avx512(job: &Job<'_, f32>) -> BlockReport {
    // SAFETY: enabled here.
    unsafe { run::<f32, x86::F32x16, x86::F32x4>(job) }
}

/// # Safety
/// As [`run`].
#[cfg(target_arch = "aarch64")]
unsafe fn run_neon(job: &Job<'_, f32>) -> BlockReport {
    // SAFETY: NEON is the aarch64 baseline.
    unsafe { run::<f32, neon::F32x4, neon::F32x4>(job) }
}

/// A precision that blocks can be stepped in.
pub trait Runner: Elem {
    /// Steps one block, or takes it through one stage of a substep.
    ///
    /// # Safety
    /// `isa` is available; the contract of [`SharedBuffers`]; `block` belongs to the layout the buffers were made for.
    unsafe fn run(
        isa: Isa,
        buffers: &SharedBuffers<Self>,
        block: &Block,
        step: &RodsStep<'_, Self>,
        pins: &[Pin],
        stage: Option<(Stage, usize)>,
    ) -> BlockReport;
}

impl Runner for f32 {
    unsafe fn run(
        isa: Isa,
        buffers: &SharedBuffers<f32>,
        block: &Block,
        step: &RodsStep<'_, f32>,
        pins: &[Pin],
        stage: Option<(Stage, usize)>,
    ) -> BlockReport {
        let job = Job { buffers, block, step, pins, stage };
        // SAFETY: `isa` is available by the caller's contract, the rest is passed on.
        unsafe {
            match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Sse2 => run_sse2(&job),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => run_avx2(&job),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => run_avx512(&job),
                #[cfg(target_arch = "aarch64")]
                Isa::Neon => run_neon(&job),
                _ => run_scalar(&job),
            }
        }
    }
}

impl Runner for f64 {
    unsafe fn run(
        _: Isa,
        buffers: &SharedBuffers<f64>,
        block: &Block,
        step: &RodsStep<'_, f64>,
        pins: &[Pin],
        stage: Option<(Stage, usize)>,
    ) -> BlockReport {
        // SAFETY: passed on to the caller.
        unsafe { run_f64(&Job { buffers, block, step, pins, stage }) }
    }
}
