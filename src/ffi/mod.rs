//! The C ABI: the only `extern "C"` functions of the crate. An entry point does four things: catch the panic, resolve the
//! handle, validate, call. `cargo xtask header` turns the files of this folder into `include/*.h`, one section a file, so
//! their comments are the manual. `docs/c_abi.md` explains the handles and the versioning rules.
//!
//! Safety, for every entry point: a pointer is NULL or points to what its type and the manual say, for the duration of the
//! call. Everything else is checked.
#![allow(clippy::missing_safety_doc)]

pub mod asset;
pub mod attachment;
pub mod body;
pub mod cable;
pub mod collider;
pub mod context;
pub mod cut;
pub mod diagnostics;
pub mod isa;
pub mod joint;
pub mod library;
pub mod materials;
pub mod mesh;
pub mod muscle;
pub mod muscle_mesh;
pub mod ragdoll;
pub mod render_hair;
pub mod rest_shape;
pub mod rods;
pub mod rods_detail;
pub mod skin;
pub mod surface;
pub mod types;
pub mod world;

mod body_desc;
mod body_list;
mod convention;
mod defs;
mod float_mode;
mod guard;
mod handles;
mod ragdoll_desc;
mod ragdoll_input;
mod rods_desc;
mod span;
mod tasks;
