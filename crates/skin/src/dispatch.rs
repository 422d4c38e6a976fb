//! One entry point an instruction set.

use crate::Skin;
use crate::deform::{Out, Pose, deform};

withy_math::by_instruction_set! {
    /// # Safety
    /// `isa` is available; that of [`deform`].
    pub unsafe fn run(skin: &Skin, pose: &Pose, chunk: usize, out: &mut Out) = deform; avx512 = F32x8
}
