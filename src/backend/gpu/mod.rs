//! The same kernels as compute passes, through wgpu (cargo feature `gpu`).

#[cfg(feature = "gpu")]
pub mod buffers;
#[cfg(feature = "gpu")]
pub mod device;
pub mod shaders;

#[cfg(feature = "gpu")]
pub use device::GpuDevice;
