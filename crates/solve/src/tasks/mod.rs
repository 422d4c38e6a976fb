//! Who runs the tasks of a step: the calling thread, a pool of ours, or the host's threads.

mod runner;
pub mod team;

pub use runner::*;
