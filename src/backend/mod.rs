//! Where kernels run: [`cpu`] picks an instruction set at run time; `gpu` runs the same kernels as compute passes.

pub mod cpu;
pub mod gpu;
