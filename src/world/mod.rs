//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

mod body_state;
mod clamps;
mod composite;
mod composite_state;
mod coupling;
mod debug;
mod dynamics;
mod gpu_side;
mod kept;
mod loads;
mod optimize;
mod rest_shape;
mod rods;
mod sections;
#[doc(hidden)]
pub mod settings;
mod snapshot;
pub mod stats;
mod stored;
mod ties;
mod touch;
#[allow(clippy::module_inception)]
mod world;

pub use crate::desc::error::{Error, ErrorKind, Result};
pub use crate::desc::slots::{Id, Slots};
pub use crate::desc::*;
pub use crate::rigid::bodies::Body;
pub(crate) use crate::rigid::bodies::weigh_body;
pub use crate::rigid::desc::*;
pub use crate::rigid::joints::Joint;
pub(crate) use crate::rigid::joints::{check as check_joint, check_between as check_joint_between};
pub use crate::rods::compile::{StrandIssue, StrandIssueKind};
pub use crate::tasks::{Inline, Pool, TaskRunner};
pub(crate) use composite::Composite;
pub use dynamics::{ContactPoint, ContactSide};
pub use rods::Rods;
pub(crate) use snapshot::Tape;
pub use stats::StepStats;
pub use world::World;
