//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

mod bodies;
mod body_desc;
mod body_state;
mod clamps;
mod composite;
mod composite_state;
mod contact;
mod coupling;
mod debug;
mod dynamics;
mod gpu_side;
mod joints;
mod kept;
mod loads;
mod optimize;
mod rest_shape;
mod rigid;
mod rods;
mod sections;
#[doc(hidden)]
pub mod settings;
pub mod slots;
mod snapshot;
pub mod stats;
mod stored;
mod ties;
mod touch;
mod warm;
#[allow(clippy::module_inception)]
mod world;

pub use crate::desc::error::{Error, ErrorKind, Result};
pub use crate::desc::*;
pub use crate::layout::{StrandIssue, StrandIssueKind};
pub use crate::tasks::{Inline, Pool, TaskRunner};
pub use bodies::Body;
pub(crate) use bodies::weigh_body;
pub use body_desc::*;
pub(crate) use composite::Composite;
pub use dynamics::{ContactPoint, ContactSide};
pub use joints::Joint;
pub(crate) use joints::{check as check_joint, check_between as check_joint_between};
pub use rods::Rods;
pub use slots::{Id, Slots};
pub(crate) use snapshot::Tape;
pub use stats::StepStats;
pub use world::World;
