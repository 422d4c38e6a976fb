//! The same kernels as compute passes, through wgpu (cargo feature `gpu`).

#[cfg(feature = "gpu")]
pub mod buffers;
#[cfg(feature = "gpu")]
pub mod device;
#[cfg(feature = "gpu")]
pub mod passes;
pub mod shaders;

#[cfg(feature = "gpu")]
pub use device::GpuDevice;
#[cfg(feature = "gpu")]
pub use passes::{GpuRods, Passes};
