//! Numbers: the scalar every kernel is generic over, its lane types, small vectors.
//!
//! [`Real`] is what a kernel may do. [`Lane`] adds memory. The implementations are `f64` and `f32` (one lane), the
//! registers of [`crate::cpu`], [`Dual`] (gradients) and [`Bound`] (rounding errors) for the tests, and [`Rec`],
//! which prints WGSL.

pub mod approx;
pub mod bound;
pub mod cpu;
pub mod dispatch;
pub mod dual;
pub mod lane;
pub mod matrix;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod pair;
pub mod quaternion;
pub mod recorder;
pub mod rng;
pub mod rows;
pub mod transform;
pub mod vec3;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use bound::Bound;
pub use cpu::Isa;
pub use dual::Dual;
pub use lane::{Apart, Elem, Gather, Lane, Real};
pub use matrix::{Mat3, Sym3};
pub use pair::Pair;
pub use quaternion::Quat;
pub use recorder::Rec;
pub use transform::Transform;
pub use vec3::Vec3;
