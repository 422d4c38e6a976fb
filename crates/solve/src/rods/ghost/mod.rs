//! Ghost-point rods (Umetani 2014): `kernels` is the maths, `drive` the loops over strands, with `sweep`, `contacts` and `momentum`, `warm` what
//! their sweeps may start from; `anchor` joins them to others. The other solver, all constraints of a strand at once, is `rods/newton/`.
pub mod anchor;
pub mod contacts;
pub mod drive;
pub mod kernels;
mod momentum;
mod sweep;
mod warm;
