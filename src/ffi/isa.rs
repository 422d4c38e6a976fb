//! Instruction sets
//!
//! The default, WITHY_ISA_AUTO, takes the widest one of the machine. All of them give the same
//! results, to the last bit. To force one is for tests and measurements.

use super::defs;
use super::guard;
use super::world::{WITHY_ISA_AUTO, WithyWorld};
use crate::math::Isa;

/// No vector instructions: one strand at a time.
pub const WITHY_ISA_SCALAR: u32 = 1;
pub const WITHY_ISA_SSE2: u32 = 2;
pub const WITHY_ISA_AVX2: u32 = 3;
pub const WITHY_ISA_AVX512: u32 = 4;
pub const WITHY_ISA_NEON: u32 = 5;

/// Tells whether this machine has an instruction set.
///
/// @param isa A WITHY_ISA_ value.
/// @return 1 if it has; always for WITHY_ISA_AUTO. Else 0.
#[unsafe(no_mangle)]
pub extern "C" fn withy_isa_available(isa: u32) -> u32 {
    (isa == WITHY_ISA_AUTO || Isa::ALL.into_iter().any(|i| i as u32 == isa && i.available())) as u32
}

/// Reads. The instruction set in use, a WITHY_ISA_ value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_isa(world: WithyWorld, isa: *mut u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::read("withy_world_isa", world, |cx| unsafe { defs::store(isa, cx.world.isa() as u32, "isa") })
}
