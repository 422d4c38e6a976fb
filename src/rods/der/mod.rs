//! Discrete elastic rods.
pub mod kernels;
