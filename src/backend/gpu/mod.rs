//! The same kernels as compute passes, through wgpu (cargo feature `gpu`).

pub mod shaders;
