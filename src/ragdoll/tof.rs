//! From Jolt's ragdolls.

use super::desc::*;
use super::pose;
use crate::collide::narrow::MassProperties;
use crate::io::skeleton::{self as file, Mass, Shape};
use crate::math::{Quat, Transform, Vec3};
use crate::world::{
    BallLimits, BodyDesc, BodyMotion, BodyShape, Error, JointKind, MotorDesc, Pose, Result, ShapeDesc, weigh_body,
};

impl RagdollDesc {
    /// A body a bone, ball joints with limits, no regions. Jolt's twist axis comes first, ours third. Friction torques become motors;
    /// the settings of Jolt's motors are left out (`docs/internals/ragdoll.md`).
    ///
    /// # Errors
    /// The reader's own check, as it was changed since.
    pub fn from_tof(ragdoll: &file::Ragdoll) -> Result<RagdollDesc> {
        ragdoll.check().map_err(|e| Error::invalid(e.to_string()))?;
        let bones = bones(&ragdoll.skeleton);
        let mut bind = Vec::new();
        ragdoll.skeleton.world(&[], Transform::identity(), &mut bind);
        let mut bodies = Vec::with_capacity(ragdoll.bodies.len());
        for (i, b) in ragdoll.bodies.iter().enumerate() {
            // The body in its bone: nothing, for Jolt, but for the rounding of the file.
            let local = bind[b.bone as usize].seen(b.pose);
            bodies.push(RagdollBody { bone: b.bone, body: body(i, b, local)?, joint: None });
        }
        for j in &ragdoll.joints {
            let in_bone = |body: u32, frame: Transform<f64>| {
                let b = &ragdoll.bodies[body as usize];
                pose(bind[b.bone as usize].seen(b.pose).compose(frame).compose(JOLT))
            };
            let friction = MotorDesc { damping: [f64::INFINITY; 3], max_torque: j.friction_torque, ..MotorDesc::default() };
            bodies[j.child as usize].joint = Some(RagdollJoint {
                kind: JointKind::Ball {
                    limits: Some(BallLimits {
                        swing: [j.plane_half_angle, j.normal_half_angle].map(|a| a.min(PI)),
                        twist: j.twist.map(|a| a.clamp(-PI, PI)),
                    }),
                },
                frame: in_bone(j.child, j.frames[1]),
                parent_frame: Some(in_bone(j.parent, j.frames[0])),
                motor: (j.friction_torque > 0.0).then_some(friction),
                collide: false,
            });
        }
        Ok(RagdollDesc { bones, bodies, apart: ragdoll.apart.clone(), ..RagdollDesc::default() })
    }

    /// A region between the bodies on two bones.
    ///
    /// # Errors
    /// There is no bone of that name, or no body on it.
    pub fn region(&self, first: &str, last: &str) -> Result<RegionDesc> {
        let body = |field: &str, name: &str| {
            let bone = self
                .bones
                .iter()
                .position(|b| b.name == name)
                .ok_or_else(|| Error::invalid(format!("{field} is \"{name}\", which is no bone")))?;
            let on = self.bodies.iter().position(|b| b.bone as usize == bone);
            on.map(|b| b as u32).ok_or_else(|| Error::invalid(format!("{field} is \"{name}\", on which there is no body")))
        };
        Ok(RegionDesc { first: body("first", first)?, last: body("last", last)?, ..RegionDesc::default() })
    }
}

const PI: f64 = core::f64::consts::PI;
/// Our axes in Jolt's: m₁ = y, m₂ = z, t = x.
const JOLT: Transform<f64> =
    Transform { position: Vec3 { x: 0.0, y: 0.0, z: 0.0 }, rotation: Quat { x: 0.5, y: 0.5, z: 0.5, w: 0.5 } };

pub(super) fn bones(skeleton: &file::Skeleton) -> Vec<BoneDesc> {
    let bone = |b: &file::Bone| BoneDesc { name: b.name.clone(), parent: b.parent, bind: pose(b.bind) };
    skeleton.bones.iter().map(bone).collect()
}

/// `local`: the body in its bone.
fn body(index: usize, b: &file::Body, local: Transform<f64>) -> Result<BodyDesc> {
    let shape = |s: &file::BodyShape| ShapeDesc {
        shape: match &s.shape {
            &Shape::Sphere { radius } => BodyShape::Sphere { radius },
            &Shape::Capsule { half_height, radius } => BodyShape::Capsule { half_height, radius },
            &Shape::TaperedCapsule { half_height, top, bottom } => BodyShape::TaperedCapsule { half_height, bottom, top },
            Shape::Box { half_extents } => BodyShape::Box { half_extents: half_extents.to_array() },
            Shape::Hull { points } => BodyShape::Hull { points: points.iter().map(|p| p.to_array()).collect() },
        },
        pose: pose(local.compose(s.local)),
        density: s.density,
        friction: b.friction,
        restitution: b.restitution.clamp(0.0, 1.0),
        ..ShapeDesc::default()
    };
    let mut desc = BodyDesc {
        motion: match b.motion {
            file::Motion::Kinematic | file::Motion::Static => BodyMotion::Kinematic,
            file::Motion::Dynamic => BodyMotion::Dynamic,
        },
        pose: Pose::IDENTITY,
        shapes: b.shapes.iter().map(shape).collect(),
        mass: if let Mass::Given(m) | Mass::GivenInertia(m, _) = b.mass { m } else { 0.0 },
        gravity_scale: b.gravity_factor,
        linear_damping: b.linear_damping.max(0.0),
        angular_damping: b.angular_damping.max(0.0),
        ..BodyDesc::default()
    };
    if let Mass::GivenInertia(mass, columns) = b.mass {
        // Given about the centre of the shapes.
        let dynamic = BodyDesc { motion: BodyMotion::Dynamic, ..desc.clone() };
        let (_, shapes) = weigh_body(&dynamic).map_err(|e| Error::new(e.kind, format!("bodies[{index}]: {}", e.message)))?;
        let turn = Transform { rotation: local.rotation, ..Transform::identity() };
        let i = MassProperties { mass, center: Vec3::zero(), inertia: columns }.moved(&turn).inertia;
        desc.inertia = Some((shapes.center.to_array(), [i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]]));
    }
    Ok(desc)
}
