//! withy: elastic rods, muscles and ragdoll spines behind one C ABI.
//!
//! The module map reads as the data flow. A host's descriptions ([`desc`]) enter through [`ffi`] into [`world`], are compiled once by
//! [`layout`] into blocks of lanes, and are stepped by [`step`], which runs the kernels of [`rods`], [`bodies`] and [`collide`] on the CPU or, through
//! [`gpu`], on a GPU. Those live in crates of their own (`crates/`), which an edit here does not compile again.

pub mod ffi;
pub mod muscle;
pub mod ragdoll;
mod rigid;
mod strands;
pub mod world;

pub use withy_asset as asset;
pub use withy_fit as fit;
pub use withy_gpu as gpu;
pub use withy_hair as hair;
pub use withy_io as io;
pub use withy_math as math;
pub use withy_skin as skin;
pub use withy_solve::{bodies, collide, couple, desc, layout, rods, sagfree, stages, step, tasks};
