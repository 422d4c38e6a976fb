//! Shapes that the host moves, and the contact of rod vertices with them.

pub mod kernels;
mod motion;

pub use motion::{Bounds, Collider, ColliderMotion};
