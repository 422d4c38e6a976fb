//! One entry point an instruction set.

use crate::read::{Job, part};

withy_math::by_instruction_set! {
    /// # Safety
    /// `isa` is available; that of [`part`].
    pub unsafe fn run(job: &Job, k: usize) = part; avx512 = F32x8
}
