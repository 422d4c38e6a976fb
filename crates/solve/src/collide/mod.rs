//! Shapes that the host moves, and the contact of rod vertices with them; shapes of bodies and where they touch.

pub mod broad;
pub mod kernels;
mod motion;
pub mod narrow;
pub mod pushed;

pub use motion::{Bounds, Collider, ColliderMotion, Form, between};
