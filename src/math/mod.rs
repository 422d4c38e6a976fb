//! Numbers: the scalar every kernel is generic over, its lane types, small vectors.
//!
//! [`Real`] is what a kernel may do. [`Lane`] adds memory. The implementations are `f64` and `f32` (one lane), the
//! registers of [`crate::backend::cpu`], [`Dual`] (gradients for tests) and the recorder that prints WGSL.

pub mod approx;
pub mod dual;
pub mod lane;
pub mod quaternion;
pub mod vec3;

pub use dual::Dual;
pub use lane::{Elem, Lane, Real};
pub use quaternion::Quat;
pub use vec3::Vec3;
