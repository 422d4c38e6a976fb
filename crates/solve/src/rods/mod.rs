//! Rod models and their solvers.
//!
//! [`models`] says what makes a model. [`ghost`] and [`der`] have the mathematics: pure functions
//! and, for [`der`], the banded system and the statics. [`group`] holds strands in lanes, with the stages that do not depend on the solver. [`sweep`]
//! and [`newton`] solve them. [`compile`] turns a description into a [`material`] and a state, and a material
//! into the constants of a step.

pub mod compile;
pub mod der;
pub mod ghost;
pub mod group;
pub mod material;
pub mod models;
pub mod muscle;
pub mod newton;
mod sweep;
pub mod volume;
