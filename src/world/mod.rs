//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

pub mod desc;
pub mod error;
pub mod rods;
pub mod slots;
pub mod stats;
pub mod tasks;
#[allow(clippy::module_inception)]
pub mod world;

pub use desc::*;
pub use error::{Error, ErrorKind, Result};
pub use rods::{Rods, StrandIssue, StrandIssueKind};
pub use slots::{Id, Slots};
pub use stats::StepStats;
pub use tasks::TaskRunner;
pub use world::World;
