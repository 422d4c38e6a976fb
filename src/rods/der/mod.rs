//! Discrete elastic rods.
pub mod kernels;
pub mod strand;
