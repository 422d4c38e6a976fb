//! Ghost-point rods (Umetani 2014). `kernels` has the constraints, `anchor` joins an end to
//! something else. Two solvers use them: `rods/sweep` takes one constraint after the other,
//! `rods/newton` all of a strand at once.
pub mod anchor;
pub mod kernels;
