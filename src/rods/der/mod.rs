//! Discrete elastic rods.
pub mod batch;
pub mod kernels;
pub mod rest_shape;
pub mod strand;
