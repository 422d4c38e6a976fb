//! The same kernels as compute passes, through wgpu (cargo feature `gpu`).

#[cfg(feature = "device")]
pub mod buffers;
#[cfg(feature = "device")]
pub mod device;
#[cfg(feature = "device")]
pub mod follow;
#[cfg(feature = "device")]
pub mod hair;
#[cfg(feature = "device")]
mod part;
#[cfg(feature = "device")]
pub mod passes;
#[cfg(feature = "device")]
pub mod push;
pub mod shaders;
#[cfg(feature = "device")]
pub mod skin;
#[cfg(feature = "device")]
pub mod solids;
#[cfg(feature = "device")]
pub mod together;
#[cfg(feature = "device")]
pub mod touch;

#[cfg(feature = "device")]
pub use device::GpuDevice;
#[cfg(feature = "device")]
pub use hair::GpuHair;
#[cfg(feature = "device")]
pub use passes::{GpuRods, Passes};
#[cfg(feature = "device")]
pub use skin::GpuSkin;
#[cfg(feature = "device")]
pub use wgpu::naga;
