//! Rod models and their solvers.
//!
//! [`ghost`] and [`der`] are the models: pure functions and, for [`der`], the banded system. [`group`] is some strands in lanes and what happens to them whatever solves
//! them; [`sweep`] and [`newton`] solve them. [`compile`] turns a description into their memory.

pub mod compile;
pub mod der;
pub mod ghost;
pub mod group;
pub mod newton;
mod sweep;
