//! The parts of the `withy` command that xtask and tests use too.

pub mod accuracy;
pub mod render;
