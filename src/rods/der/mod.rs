//! Discrete elastic rods.
pub mod kernels;
pub mod rest_shape;
pub mod strand;
