//! Rest shapes that hold a pose (Takahashi & Batty 2025): the optimizer, the least stiffening that makes a pose stable, and the batches in which strands go through both.

#![allow(clippy::needless_range_loop)]

pub mod batch;
#[cfg(test)]
pub mod bent;
mod lanes;
pub mod rest_shape;
pub mod sections;
pub mod stiffen;
