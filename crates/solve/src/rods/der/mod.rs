//! Discrete elastic rods.

// Indices name rows and columns of small matrices here; iterators over one of them would hide the others.
#![allow(clippy::needless_range_loop)]

mod assembly;
pub mod band;
pub mod batch;
#[cfg(test)]
pub(in crate::rods) mod bent;
mod elimination;
pub mod kernels;
mod lanes;
mod modes;
pub mod rest_shape;
pub mod stiffen;
pub mod strand;
