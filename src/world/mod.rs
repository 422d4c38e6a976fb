//! The objects a user creates, and their registry. Everything here is set-up and bookkeeping; the step is in [`crate::step`].

mod body_state;
mod bundles;
mod cable;
mod composite;
mod composite_state;
mod coupling;
mod debug;
mod dynamics;
mod followers;
mod hair;
mod joints;
mod optimize;
#[cfg(feature = "gpu")]
mod push;
mod rod_contact;
mod rod_parts;
mod rod_relax;
mod rod_rest;
mod roots;
mod skin;
mod snapshot;
pub mod stats;
pub mod surface;
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
pub use crate::rigid::joints::{Joint, check_strength};
pub(crate) use crate::rigid::joints::{MOST_TURNS, check as check_joint, check_between as check_joint_between};
pub use crate::rods::compile::{StrandIssue, StrandIssueKind};
#[doc(hidden)]
pub use crate::strands::settings;
pub use crate::strands::{Rods, StrandForce};
pub use crate::tasks::{Inline, Pool, TaskRunner};
pub use cable::{CABLE_LENGTH, CABLE_POINTS, CABLE_RADIUS, CableDesc, CablePoint, CableState};
pub(crate) use composite::Composite;
pub use dynamics::{ContactPoint, ContactSide};
pub use hair::{HAIR_RODS, HairSource, RodHair};
pub use joints::Break;
pub use skin::{RodSkin, SKIN_RODS, SkinRead, SkinWeights};
pub(crate) use snapshot::Tape;
pub use stats::StepStats;
pub use world::World;
