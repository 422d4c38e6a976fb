//! Rigid bodies, and the joints and contacts between them. `docs/internals/bodies.md` has the maths and the data flow.

pub mod cables;
pub mod drive;
pub mod elements;
pub mod graph;
pub mod kernels;
pub mod parts;
pub mod solver;
mod sweep;
