//! Mathematics that the models share.

pub mod approx;
pub mod rng;
