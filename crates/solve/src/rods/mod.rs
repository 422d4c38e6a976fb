//! Rod models and their solvers.
//!
//! [`ghost`] and [`der`] are the models: pure functions and, for [`der`], the banded system.
//! [`group`] holds strands in lanes, with the stages that do not depend on the solver. [`sweep`]
//! and [`newton`] solve them. [`compile`] turns a description into a [`material`] and a state, and a material
//! into the constants of a step.

pub mod compile;
pub mod der;
pub mod ghost;
pub mod group;
pub mod material;
pub mod newton;
mod sweep;
