//! The C ABI, called as a host calls it.

#[path = "../common/abi_driver/mod.rs"]
mod abi_driver;

mod bodies;
mod layout;
mod random;
mod skins;
