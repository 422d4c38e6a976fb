//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

pub mod desc;
pub mod error;
pub mod slots;
pub mod stats;

pub use desc::*;
pub use error::{Error, ErrorKind, Result};
pub use slots::{Id, Slots};
pub use stats::StepStats;
