//! The solver core of withy, without a world: what a host describes, its layout in lanes, rod models, rigid bodies, contact, and the step.
//!
//! Folders from the bottom up: [`desc`] (descriptions, errors, limits), [`tasks`] (threads), [`layout`] (rows and blocks of lanes),
//! [`collide`] (shapes), [`rods`] and [`bodies`] (kernels and solvers), [`couple`] (contact between rods), [`step`] (the stages of a step).

pub use withy_math as math;

pub mod bodies;
pub mod collide;
pub mod couple;
pub mod desc;
pub mod layout;
pub mod rods;
pub mod sagfree;
pub mod stages;
pub mod step;
pub mod tasks;
