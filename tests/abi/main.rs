//! The C ABI, called as a host calls it.

#[path = "../common/abi_driver/mod.rs"]
mod abi_driver;

mod assets;
mod bodies;
mod hairs;
mod layout;
mod random;
mod skins;
