//! A ragdoll as a file describes it: bodies on bones, and the joints between them.

use super::super::error::IoError;
use super::{Skeleton, is_rigid, shown};
use std::f64::consts::PI;
use withy_math::{Transform, Vec3};

/// m, in a frame of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Sphere {
        radius: f64,
    },
    /// Along y; the half height is that of the cylinder.
    Capsule {
        half_height: f64,
        radius: f64,
    },
    /// The hull of a sphere of radius `top` at y = `half_height` and one of radius `bottom` at -`half_height`.
    TaperedCapsule {
        half_height: f64,
        top: f64,
        bottom: f64,
    },
    Box {
        half_extents: Vec3<f64>,
    },
    /// Of these points.
    Hull {
        points: Vec<Vec3<f64>>,
    },
}

impl Shape {
    /// m³; none for hulls.
    pub fn volume(&self) -> Option<f64> {
        match *self {
            Shape::Sphere { radius } => Some(4.0 / 3.0 * PI * radius * radius * radius),
            Shape::Capsule { half_height, radius } => Some(PI * radius * radius * (2.0 * half_height + 4.0 / 3.0 * radius)),
            Shape::TaperedCapsule { half_height, top, bottom } => Some(tapered_volume(half_height, top, bottom)),
            Shape::Box { half_extents: h } => Some(8.0 * h.x * h.y * h.z),
            Shape::Hull { .. } => None,
        }
    }
}

/// The cone touches each sphere on a circle at y + r s, of radius r c, where s is the sine of the cone's half angle: a cap of each
/// sphere, and the frustum between.
fn tapered_volume(half_height: f64, top: f64, bottom: f64) -> f64 {
    let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
    let s = (bottom - top) / (2.0 * half_height);
    if s.is_nan() || s.abs() >= 1.0 {
        return ball(top.max(bottom));
    }
    let c2 = 1.0 - s * s;
    let cap = |r: f64, height: f64| PI * height * height * (3.0 * r - height) / 3.0;
    let tall = 2.0 * half_height + (top - bottom) * s;
    let frustum = PI * tall / 3.0 * c2 * (top * top + top * bottom + bottom * bottom);
    cap(top, top * (1.0 - s)) + cap(bottom, bottom * (1.0 + s)) + frustum
}

#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    pub shape: Shape,
    /// In the body's frame.
    pub local: Transform<f64>,
    /// kg/m³
    pub density: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// Of the shapes.
    Density,
    /// kg; the inertia is that of the shapes, scaled.
    Given(f64),
    /// kg and kg m², about the centre of mass, along the body's axes; columns.
    GivenInertia(f64, [[f64; 3]; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Static,
    Kinematic,
    Dynamic,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub bone: u32,
    /// In the world, when the bones are in their bind pose.
    pub pose: Transform<f64>,
    pub shapes: Vec<BodyShape>,
    pub mass: Mass,
    pub motion: Motion,
    pub friction: f64,
    pub restitution: f64,
    /// 1/s
    pub linear_damping: f64,
    /// 1/s
    pub angular_damping: f64,
    pub gravity_factor: f64,
}

impl Body {
    /// kg. None where a shape is a hull and the file gives no mass.
    pub fn kilograms(&self) -> Option<f64> {
        match self.mass {
            Mass::Given(mass) | Mass::GivenInertia(mass, _) => Some(mass),
            Mass::Density => self.shapes.iter().map(|part| part.shape.volume().map(|v| v * part.density)).sum(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// 1/s
    pub frequency: f64,
    /// Of critical.
    pub damping: f64,
    /// N m, least and most.
    pub torque: [f64; 2],
}

/// A ball joint with limits: swing within an elliptic cone, twist within a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    pub parent: u32,
    pub child: u32,
    /// The joint in the frames of the two bodies: at the anchor, x the twist axis, y the normal axis, z the plane axis.
    pub frames: [Transform<f64>; 2],
    /// rad. About z, in the plane of x and y.
    pub normal_half_angle: f64,
    /// rad. About y, in the plane of x and z.
    pub plane_half_angle: f64,
    /// rad, least and most, about x.
    pub twist: [f64; 2],
    /// N m
    pub friction_torque: f64,
    pub swing_motor: Motor,
    pub twist_motor: Motor,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ragdoll {
    pub skeleton: Skeleton,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    /// Bodies that pass through each other, the lower index first.
    pub apart: Vec<[u32; 2]>,
    /// What the file has and this has not, a sentence each.
    pub dropped: Vec<String>,
}

impl Ragdoll {
    /// kg. None where one of the bodies has none.
    pub fn kilograms(&self) -> Option<f64> {
        self.bodies.iter().map(Body::kilograms).sum()
    }

    /// # Errors
    /// The skeleton's; an index names nothing, a pose is not rigid, a length, density or mass not positive.
    pub fn check(&self) -> Result<(), IoError> {
        self.skeleton.check()?;
        let error = |field: &str, reason: &str, index: usize| IoError::new("ragdoll", field, reason).index(index);
        for (index, body) in self.bodies.iter().enumerate() {
            if body.bone as usize >= self.skeleton.bones.len() {
                return Err(error("bone", "is no bone", index).value(body.bone));
            }
            if !is_rigid(&body.pose) {
                return Err(error("pose", "is not finite with a unit rotation", index).value(shown(&body.pose)));
            }
            for part in &body.shapes {
                if !is_rigid(&part.local) {
                    return Err(error("shape pose", "is not finite with a unit rotation", index).value(shown(&part.local)));
                }
                if let Some(size) = part.shape.wrong_size() {
                    return Err(error("shape size", "is not positive and finite", index).value(size));
                }
                if !(part.density > 0.0 && part.density.is_finite()) {
                    return Err(error("density", "is not positive and finite", index).value(part.density));
                }
            }
            if let Mass::Given(mass) | Mass::GivenInertia(mass, _) = body.mass
                && !(mass > 0.0 && mass.is_finite())
            {
                return Err(error("mass", "is not positive and finite", index).value(mass));
            }
        }
        for (index, joint) in self.joints.iter().enumerate() {
            let most = joint.parent.max(joint.child);
            if most as usize >= self.bodies.len() || joint.parent == joint.child {
                return Err(error("joint", "does not join two bodies", index).value(most));
            }
            if let Some(frame) = joint.frames.iter().find(|frame| !is_rigid(frame)) {
                return Err(error("joint frame", "is not finite with a unit rotation", index).value(shown(frame)));
            }
        }
        Ok(())
    }
}

impl Shape {
    /// A length that is none. Capsules may be of no height, tapered ones of no radius at one end.
    fn wrong_size(&self) -> Option<f64> {
        let positive = |x: &f64| *x > 0.0 && x.is_finite();
        let not_negative = |x: &f64| *x >= 0.0 && x.is_finite();
        match self {
            Shape::Sphere { radius } => Some(*radius).filter(|x| !positive(x)),
            Shape::Capsule { half_height, radius } => {
                Some(*half_height).filter(|x| !not_negative(x)).or(Some(*radius).filter(|x| !positive(x)))
            }
            Shape::TaperedCapsule { half_height, top, bottom } => {
                let largest = top.max(*bottom);
                [*half_height, *top, *bottom].into_iter().find(|x| !not_negative(x)).or(Some(largest).filter(|x| !positive(x)))
            }
            Shape::Box { half_extents } => half_extents.to_array().into_iter().find(|x| !positive(x)),
            Shape::Hull { points } if points.len() < 4 => Some(points.len() as f64),
            Shape::Hull { points } => points.iter().flat_map(|p| p.to_array()).find(|x| !x.is_finite()),
        }
    }
}
