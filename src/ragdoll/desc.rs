//! What a host describes of a ragdoll, SI units.

use crate::world::{BallLimits, BodyDesc, JointKind, MotorDesc, Pose};

/// Bones, bodies on them, and regions that one arc stands for. `docs/internals/ragdoll.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct RagdollDesc {
    pub bones: Vec<BoneDesc>,
    pub bodies: Vec<RagdollBody>,
    pub regions: Vec<RegionDesc>,
    /// Bodies that pass through each other, besides those that a joint or an arc joins.
    pub apart: Vec<[u32; 2]>,
    /// Whether bodies of one instance collide at all with each other. Without it `BodyDesc::group` is overwritten.
    pub self_collide: bool,
    /// What bones do that have no body and are in no region.
    pub free_bones: FreeBones,
}

impl Default for RagdollDesc {
    fn default() -> Self {
        RagdollDesc {
            bones: Vec::new(),
            bodies: Vec::new(),
            regions: Vec::new(),
            apart: Vec::new(),
            self_collide: true,
            free_bones: FreeBones::Rigid,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BoneDesc {
    pub name: String,
    /// Index of a bone, anywhere in the list.
    pub parent: Option<u32>,
    /// In the parent's frame; of a root, in the world's.
    pub bind: Pose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FreeBones {
    /// Follow their parent with the local pose that they had at instantiation.
    #[default]
    Rigid,
    /// With the local pose that they have in the animation of the moment.
    Animated,
}

/// A body whose frame is that of its bone.
#[derive(Clone, Debug, PartialEq)]
pub struct RagdollBody {
    pub bone: u32,
    /// Its pose, velocity and spin are those of the moment of instantiation. `Kinematic`: the animation moves it, until it is let go.
    pub body: BodyDesc,
    /// To the body on the nearest bone above. `None`: not joined. An arc replaces it.
    pub joint: Option<RagdollJoint>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RagdollJoint {
    pub kind: JointKind,
    /// In the bone of this body.
    pub frame: Pose,
    /// In the bone of the parent's body; `None`: where `frame` is in the bind pose.
    pub parent_frame: Option<Pose>,
    pub motor: Option<MotorDesc>,
    /// Whether the two bodies may touch.
    pub collide: bool,
}

impl Default for RagdollJoint {
    fn default() -> Self {
        RagdollJoint {
            kind: JointKind::Ball { limits: None },
            frame: Pose::IDENTITY,
            parent_frame: None,
            motor: None,
            collide: false,
        }
    }
}

/// A chain of bones of which only the first and the last have a body.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionDesc {
    /// Indices of bodies. The last's bone is below the first's.
    pub first: u32,
    pub last: u32,
    /// The ends of the arc, m, in the first and the last bone.
    pub anchors: [[f64; 3]; 2],
    /// Direction in the first bone about which `bend[0]` counts, not along the arc.
    pub axis: [f64; 3],
    /// l₀, m; `None`: that of the pose.
    pub length: Option<f64>,
    /// EI about the frames' first and second axis, N m².
    pub bend: [f64; 2],
    /// GJ, N m².
    pub twist: f64,
    /// Time in which a strain forgets how fast it changes, s.
    pub viscosity: f64,
    /// The paper's specific relaxation factors, 0..1, in place of stiffness.
    pub relaxation: Option<[f64; 2]>,
    /// Of the bending, from straight, about `axis` and across it, and of the twist, from the bind pose. `None`: no limits.
    pub limits: Option<BallLimits>,
    pub rest: RegionRest,
    pub read_back: RegionReadBack,
    /// Whether the two bodies may touch.
    pub collide: bool,
}

impl Default for RegionDesc {
    fn default() -> Self {
        RegionDesc {
            first: 0,
            last: 0,
            anchors: [[0.0; 3]; 2],
            axis: [1.0, 0.0, 0.0],
            length: None,
            bend: [0.0; 2],
            twist: 0.0,
            viscosity: 0.0,
            relaxation: None,
            limits: None,
            rest: RegionRest::Pose,
            read_back: RegionReadBack::Arc,
            collide: false,
        }
    }
}

/// Natural bending and twist of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RegionRest {
    /// Those of the pose of the transition.
    #[default]
    Pose,
    /// Those of the bind pose: stiffness pulls there.
    Bind,
}

/// How the bones inside of a region come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RegionReadBack {
    /// Along the arc.
    #[default]
    Arc,
    /// The paper's: the change of orientation is shared out, bone lengths are kept.
    Orientation,
    /// The paper's: the change of position as well.
    OrientationAndPosition,
}
