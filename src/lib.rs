//! withy: elastic rods, muscles and ragdoll spines behind one C ABI.
//!
//! The module map reads as the data flow: a host's descriptions enter through [`ffi`] into [`world`], are compiled once by
//! [`layout`] into SIMD blocks, and are stepped by [`step`], which runs the kernels of [`rods`], [`bodies`] and [`collide`] on a
//! [`backend`]. Nothing but this map lives here.

pub mod backend;
pub mod bodies;
pub mod collide;
pub mod ffi;
pub mod io;
pub mod layout;
pub mod math;
pub mod ragdoll;
pub mod rods;
pub mod step;
pub mod world;
