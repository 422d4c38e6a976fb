//! The parts of the `withy` command that xtask and tests use too.

pub mod abi;
pub mod accuracy;
pub mod args;
pub mod bench;
pub mod info;
pub mod muscle;
pub mod people;
pub mod render;
pub mod scenes;
pub mod simulate;
#[cfg(feature = "view")]
pub mod view;

/// What ends a command with exit code 1: a reason in words.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
pub type Result<T> = std::result::Result<T, Error>;
