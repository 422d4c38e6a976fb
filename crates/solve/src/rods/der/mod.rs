//! Discrete elastic rods.

// Indices name rows and columns of small matrices here; iterators over one of them would hide the others.
#![allow(clippy::needless_range_loop)]

mod assembly;
pub mod band;
mod elimination;
pub mod kernels;
mod modes;
pub mod strand;
