//! Ragdolls whose spine, neck or tail is one arc (Lewin et al., "Rod Constraints for Simplified Ragdolls", SCA 2013, section 6):
//! description, the moment of transition from animation, and the way back to bones. Maths and data flow: `docs/internals/ragdoll.md`.

mod arc;
mod auto;
mod desc;
mod model;
mod objects;
mod read_back;
mod set;
mod state;
mod tof;
mod transition;

pub use auto::{AutoFit, NamedRegion};
pub use desc::*;
pub use model::Ragdoll;
pub(crate) use set::Buffers;
pub use set::{Drive, RagdollSet};
pub use transition::{Motion, Transition};

use crate::math::{Quat, Transform};
use crate::world::Pose;

fn transform(p: Pose) -> Transform<f64> {
    let [x, y, z, w] = p.rotation;
    Transform { position: p.position.into(), rotation: Quat { x, y, z, w } }
}

fn pose(t: Transform<f64>) -> Pose {
    Pose { position: t.position.to_array(), rotation: t.rotation.to_array() }
}
