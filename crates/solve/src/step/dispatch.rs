//! One entry point an instruction set. Everything below an entry is inlined into it and so compiled for its registers.

use super::{RodsStep, SharedBuffers, stage_group};
use core::convert::Infallible;

use crate::desc::SweepOrder;
use crate::layout::{Block, NO_STRAND};
use crate::math::Isa;
#[cfg(target_arch = "aarch64")]
use crate::math::neon;
#[cfg(target_arch = "x86_64")]
use crate::math::x86;
use crate::math::{Elem, Lane, Pair};
use crate::rods::group::{ANY_WIDTH, BlockReport, Group, Pin};
use crate::stages::{At, Stage, Work, step};

/// The work on one block, whatever its precision.
struct Job<'a, E> {
    buffers: &'a SharedBuffers<E>,
    block: &'a Block,
    step: &'a RodsStep<'a, E>,
    pins: &'a [Pin],
    /// `None`: the whole step.
    stage: Option<(Stage, At)>,
    /// The block's lanes that are asked for, one bit each.
    lanes: u32,
}

impl<E> Job<'_, E> {
    /// Whether one of `n` lanes is asked for.
    #[inline(always)]
    fn asks(&self, first: usize, n: usize) -> bool {
        self.lanes >> first & (u32::MAX >> (32 - n)) != 0
    }
}

/// The drivers of one instruction set: `stage` is where its registers are switched on, everything below is inlined into it.
macro_rules! instruction_set {
    ($name:ident, $elem:ty, [$($width:pat => $lanes:ty, $stride:expr);*] $(, $feature:literal)?) => {
        mod $name {
            use super::*;

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to: [`Group`]'s contract; the processor has the features.
            unsafe fn stage<L: Lane<Elem = $elem>, const W: usize>(
                group: &mut Group<L, W>,
                job: &Job<'_, $elem>,
                stage: Stage,
                at: At,
                report: &mut BlockReport,
            ) {
                if job.step.settings.order == SweepOrder::Direct {
                    match stage {
                        // SAFETY: passed on to the caller.
                        Stage::Solve => return unsafe { newton::<L, W>(group, job, at, report) },
                        // SAFETY: passed on to the caller.
                        Stage::Respond if job.step.settings.contact => return unsafe { answer::<L, W>(group) },
                        Stage::Follow => {
                            if job.step.settings.contact {
                                group.take_answer(!job.step.obstacles_at(at.substep).colliders.is_empty());
                                // SAFETY: passed on to the caller.
                                unsafe { follow::<L, W>(group, job, at, report) };
                            }
                            return;
                        }
                        // SAFETY: passed on to the caller.
                        Stage::Give if job.step.settings.contact => return unsafe { give::<L, W>(group) },
                        Stage::Respond | Stage::Give => return,
                        _ => {}
                    }
                }
                // SAFETY: passed on to the caller; the features are enabled here.
                unsafe { stage_group::<L, W>(group, job.step, stage, at, job.pins, report) }
            }

            /// A Newton step. Its parts are functions of their own: the compiler takes longer over one large function than over several.
            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn newton<L: Lane<Elem = $elem>, const W: usize>(
                group: &mut Group<L, W>,
                job: &Job<'_, $elem>,
                at: At,
                report: &mut BlockReport,
            ) {
                let (substep, first) = (at.substep, at.first());
                let (s, obstacles) = (job.step.settings, job.step.obstacles_at(substep));
                if !first && s.together {
                    group.take_impulses(s);
                }
                group.hold_ties();
                group.newton.renews = first;
                group.find_contacts(s, obstacles, first);
                // SAFETY: passed on to the caller.
                unsafe { direction::<L, W>(group, job, substep, false) };
                if !obstacles.colliders.is_empty() && group.revise_contacts(s, obstacles) {
                    // SAFETY: passed on to the caller.
                    unsafe { direction::<L, W>(group, job, substep, true) };
                }
                // SAFETY: passed on to the caller.
                unsafe { respond::<L, W>(group) };
                if s.contact {
                    // Contact counts on whole steps.
                    if group.newton.near {
                        group.mark_held();
                    }
                    report.limited |= group.limit_step(s);
                    return group.begin_contact(true);
                }
                // SAFETY: passed on to the caller.
                unsafe { follow::<L, W>(group, job, at, report) };
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn follow<L: Lane<Elem = $elem>, const W: usize>(
                group: &mut Group<L, W>,
                job: &Job<'_, $elem>,
                at: At,
                report: &mut BlockReport,
            ) {
                let (s, t) = (job.step.settings, job.step.time(at.substep));
                report.limited |= group.follow(s, t, at.last() && at.substep + 1 == job.step.substeps);
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn answer<L: Lane<Elem = $elem>, const W: usize>(group: &mut Group<L, W>) {
                group.answer();
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn direction<L: Lane<Elem = $elem>, const W: usize>(
                group: &mut Group<L, W>,
                job: &Job<'_, $elem>,
                substep: usize,
                revised: bool,
            ) {
                group.direction(job.step.settings, job.step.time(substep), revised);
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn respond<L: Lane<Elem = $elem>, const W: usize>(group: &mut Group<L, W>) {
                group.respond();
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to, as `stage`.
            unsafe fn give<L: Lane<Elem = $elem>, const W: usize>(group: &mut Group<L, W>) {
                group.give();
            }

            /// Some lanes of a block on their way through a step.
            struct Alone<'a, 'b, L: Lane<Elem = $elem>, const W: usize> {
                group: Group<L, W>,
                job: &'a Job<'b, $elem>,
                report: &'a mut BlockReport,
            }

            impl<L: Lane<Elem = $elem>, const W: usize> Work for Alone<'_, '_, L, W> {
                type Error = Infallible;
                #[inline(always)]
                fn stage(&mut self, one: Stage, at: At) -> Result<(), Infallible> {
                    // SAFETY: `lanes`, which alone makes these, has the contract of `stage`.
                    unsafe { stage::<L, W>(&mut self.group, self.job, one, at, self.report) };
                    Ok(())
                }
                #[inline(always)]
                fn iterations(&self) -> usize {
                    self.job.step.iterations
                }
            }

            /// # Safety
            /// As `stage`; `W` is the block's width, or [`ANY_WIDTH`].
            unsafe fn lanes<L: Lane<Elem = $elem>, const W: usize>(job: &Job<'_, $elem>) -> BlockReport {
                let mut report = BlockReport::default();
                // Strands fill the lanes from the first: where a group starts with padding, the rest is padding.
                for lane in (0..job.block.width).step_by(L::N).take_while(|&lane| job.block.strands[lane] != NO_STRAND) {
                    if !job.asks(lane, L::N) {
                        continue;
                    }
                    let mut part = BlockReport::default();
                    // SAFETY: passed on to the caller.
                    unsafe {
                        let group = job.buffers.group::<L, W>(job.block, lane);
                        let mut alone = Alone { group, job, report: &mut part };
                        match job.stage {
                            Some((one, at)) => alone.stage(one, at),
                            None => step(job.step.substeps, &mut alone),
                        }
                        .unwrap_or_else(|never| match never {});
                    }
                    report.add(&part);
                }
                report
            }

            /// # Safety
            /// The processor has the features; the contract of [`SharedBuffers`].
            pub unsafe fn run(job: &Job<'_, $elem>) -> BlockReport {
                // SAFETY: passed on to the caller.
                unsafe {
                    match job.block.width {
                        $($width => lanes::<$lanes, { $stride }>(job),)*
                        #[allow(unreachable_patterns)]
                        width => {
                            debug_assert!(false, "a block of {width} lanes, which this instruction set does not have");
                            BlockReport::default()
                        }
                    }
                }
            }
        }
    };
}

// Lanes of a block, the type that walks them, and the width that is known when it is compiled: `ANY_WIDTH` where one driver has several. A driver is 170 to
// 340 kB of the library (`docs/internals/size.md`), and takes its time to compile. So several widths share one wherever that costs at most 3 %, and some
// widths are another set's: one lane in SSE2 and AVX-512, and in f64 in all; four lanes in AVX-512. Where a rope alone is a tenth faster with a
// set's own, it has its own. Direct solves in AVX2 are 5 % faster where 32 is known.
instruction_set!(scalar, f32, [_ => f32, ANY_WIDTH]);
instruction_set!(double, f64, [_ => f64, ANY_WIDTH]);
#[cfg(target_arch = "x86_64")]
instruction_set!(sse2, f32, [32 | 16 => Pair<x86::F32x4>, ANY_WIDTH; 4 => x86::F32x4, 4]);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx2, f32, [32 => Pair<x86::F32x8>, 32; 16 => Pair<x86::F32x8>, ANY_WIDTH; 4 => x86::F32x4, 4; 1 => f32, 1], "avx2");
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx512, f32, [32 => Pair<x86::F32x16>, 32; 16 => x86::F32x16, 16], "avx2,avx512f,avx512dq,avx512vl");
#[cfg(target_arch = "aarch64")]
instruction_set!(neon_, f32, [32 | 16 => Pair<neon::F32x4>, ANY_WIDTH; 4 => neon::F32x4, 4]);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(double_sse2, f64, [8 | 4 => x86::F64x2, ANY_WIDTH]);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(double_avx2, f64, [8 | 4 => x86::F64x4, ANY_WIDTH], "avx2");
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(double_avx512, f64, [8 => x86::F64x8, 8], "avx2,avx512f,avx512dq,avx512vl");

/// A precision that blocks can be stepped in.
pub trait Runner: Elem {
    /// Steps one block, or takes it through one stage of a substep. `lanes`: those that are asked for, one bit each; their neighbours in a register go along.
    ///
    /// # Safety
    /// `isa` is available; the contract of [`SharedBuffers`]; `block` belongs to the layout the buffers were made for.
    unsafe fn run(
        isa: Isa,
        buffers: &SharedBuffers<Self>,
        block: &Block,
        step: &RodsStep<'_, Self>,
        pins: &[Pin],
        stage: Option<(Stage, At)>,
        lanes: u32,
    ) -> BlockReport;
}

impl Runner for f32 {
    // SAFETY: the trait's contract.
    unsafe fn run(
        isa: Isa,
        buffers: &SharedBuffers<f32>,
        block: &Block,
        step: &RodsStep<'_, f32>,
        pins: &[Pin],
        stage: Option<(Stage, At)>,
        lanes: u32,
    ) -> BlockReport {
        let job = Job { buffers, block, step, pins, stage, lanes };
        // SAFETY: `isa` is available by the caller's contract, the rest is passed on.
        unsafe {
            match isa {
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 if block.width <= 4 => avx2::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 => avx2::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 => avx512::run(&job),
                _ if block.width == 1 => scalar::run(&job),
                #[cfg(target_arch = "x86_64")]
                Isa::Sse2 => sse2::run(&job),
                #[cfg(target_arch = "aarch64")]
                Isa::Neon => neon_::run(&job),
                _ => scalar::run(&job),
            }
        }
    }
}

impl Runner for f64 {
    // SAFETY: the trait's contract.
    unsafe fn run(
        isa: Isa,
        buffers: &SharedBuffers<f64>,
        block: &Block,
        step: &RodsStep<'_, f64>,
        pins: &[Pin],
        stage: Option<(Stage, At)>,
        lanes: u32,
    ) -> BlockReport {
        let job = Job { buffers, block, step, pins, stage, lanes };
        // SAFETY: `isa` is available by the caller's contract, the rest is passed on.
        unsafe {
            match isa {
                _ if block.width == 1 => double::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Sse2 => double_sse2::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 => double_avx2::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 if block.width == 4 => double_avx2::run(&job),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 => double_avx512::run(&job),
                _ => double::run(&job),
            }
        }
    }
}
