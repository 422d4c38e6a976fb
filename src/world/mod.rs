//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

mod bodies;
mod body_desc;
mod body_state;
mod clamps;
mod contact;
mod coupling;
mod debug;
pub mod desc;
mod dynamics;
pub mod error;
mod gpu_side;
mod joints;
mod kept;
mod loads;
mod optimize;
mod ragdoll_state;
mod ragdolls;
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
pub mod tasks;
pub mod team;
mod ties;
mod touch;
pub(crate) mod validate;
mod warm;
#[allow(clippy::module_inception)]
mod world;

pub use crate::layout::{StrandIssue, StrandIssueKind};
pub use bodies::Body;
pub(crate) use bodies::weigh_body;
pub use body_desc::*;
pub use desc::*;
pub use dynamics::{ContactPoint, ContactSide};
pub use error::{Error, ErrorKind, Result};
pub use joints::Joint;
pub(crate) use joints::{check as check_joint, check_between as check_joint_between};
pub use rods::Rods;
pub use slots::{Id, Slots};
pub(crate) use snapshot::Tape;
pub use stats::StepStats;
pub use tasks::{Inline, Pool, TaskRunner};
pub use world::World;
