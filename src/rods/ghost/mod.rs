//! Ghost-point rods (Umetani 2014): `kernels` is the maths, `drive` the loops over strands, `warm` what
//! their sweeps may start from; [`super::newton`] is the other solver: all constraints of a strand at once.

pub mod anchor;
pub mod drive;
pub mod kernels;
mod warm;
