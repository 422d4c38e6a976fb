//! Instruction sets of the CPU: detection, the forceable choice, and the lane types.

mod dispatch;
#[cfg(target_arch = "aarch64")]
pub mod neon;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use dispatch::Isa;
