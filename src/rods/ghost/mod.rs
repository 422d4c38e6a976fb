//! Ghost-point rods (Umetani 2014): `kernels` is the maths, `drive` the loops over strands.

pub mod anchor;
pub mod drive;
pub mod kernels;
