//! The C ABI, called as a host calls it.

#[path = "../common/abi_driver/mod.rs"]
mod abi_driver;

mod bodies;
mod hairs;
mod layout;
mod random;
mod skins;
