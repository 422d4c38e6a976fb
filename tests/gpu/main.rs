//! The GPU backend, on hardware or a software driver.

#![cfg(feature = "gpu")]

#[path = "../common/gpu.rs"]
mod common;
#[path = "../common/scene.rs"]
mod scene;

mod bodies_pushed;
mod cache;
mod device;
mod followers;
mod kernels;
mod meshes;
mod newton;
mod rods;
mod second_order;
mod sets_touch;
mod strands_touch;
mod volume;
mod volumes_touch;
mod world;
