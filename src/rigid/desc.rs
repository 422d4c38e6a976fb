//! What a host describes of rigid bodies and joints, in SI units.

use crate::collide::narrow::GeometryDesc;
use crate::desc::Pose;
use crate::desc::slots::Id;

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BodyMotion {
    Static,
    /// The host: `World::set_body_target`. Pushes others, and nothing pushes it.
    Kinematic,
    #[default]
    Dynamic,
}

/// A shape that a description owns; lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    Sphere {
        radius: f64,
    },
    /// Along local y.
    Capsule {
        half_height: f64,
        radius: f64,
    },
    /// The hull of two spheres, at −half_height and at +half_height on local y.
    TaperedCapsule {
        half_height: f64,
        bottom: f64,
        top: f64,
    },
    Box {
        half_extents: [f64; 3],
    },
    /// The convex hull of points.
    Hull {
        points: Vec<[f64; 3]>,
    },
    /// The half space below local y = 0. Does not move.
    Plane,
    /// Triangles, counterclockwise seen from outside. Do not move.
    Mesh {
        positions: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    },
}

impl BodyShape {
    /// Of the kind, in the order above.
    pub fn number(&self) -> u32 {
        match self {
            BodyShape::Sphere { .. } => 0,
            BodyShape::Capsule { .. } => 1,
            BodyShape::TaperedCapsule { .. } => 2,
            BodyShape::Box { .. } => 3,
            BodyShape::Hull { .. } => 4,
            BodyShape::Plane => 5,
            BodyShape::Mesh { .. } => 6,
        }
    }
    pub fn geometry(&self) -> GeometryDesc<'_> {
        match self {
            &BodyShape::Sphere { radius } => GeometryDesc::Sphere { radius },
            &BodyShape::Capsule { half_height, radius } => GeometryDesc::Capsule { half_height, radius },
            &BodyShape::TaperedCapsule { half_height, bottom, top } => GeometryDesc::TaperedCapsule { half_height, bottom, top },
            &BodyShape::Box { half_extents } => GeometryDesc::Box { half_extents },
            BodyShape::Hull { points } => GeometryDesc::Hull { points },
            BodyShape::Plane => GeometryDesc::Plane,
            BodyShape::Mesh { positions, triangles } => GeometryDesc::Mesh { points: positions, triangles },
        }
    }
}

/// One of a body's shapes. A body with several is a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDesc {
    pub shape: BodyShape,
    /// In the body's frame.
    pub pose: Pose,
    /// kg/m³
    pub density: f64,
    /// Coulomb's; of two shapes the geometric mean counts.
    pub friction: f64,
    /// Speed after an impact over that before, 0..1; of two shapes the larger counts.
    pub restitution: f64,
    /// N/m of each point of a contact between bodies, and N s/m; a stiffness of 0: does not yield. Of two shapes one is behind the other. What
    /// yields bounces as these say, not by restitution.
    pub stiffness: f64,
    pub damping: f64,
    /// Of round shapes: the torque that resists rolling, and turning about the normal, over pressure and radius. Of two shapes the larger
    /// counts.
    pub rolling_friction: f64,
    pub torsional_friction: f64,
    /// Layer bits, and the layers it collides with.
    pub category: u32,
    pub mask: u32,
}

impl Default for ShapeDesc {
    fn default() -> Self {
        ShapeDesc {
            shape: BodyShape::Sphere { radius: 0.5 },
            pose: Pose::IDENTITY,
            density: 1000.0,
            friction: 0.6,
            restitution: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
            category: 1,
            mask: u32::MAX,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BodyDesc {
    pub motion: BodyMotion,
    pub pose: Pose,
    /// Of the centre of mass, m/s, and rad/s.
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
    pub shapes: Vec<ShapeDesc>,
    /// kg; 0: from the shapes' densities. The inertia is scaled with it.
    pub mass: f64,
    /// In place of the shapes': centre of mass, m, and inertia about it, kg m² (xx, yy, zz, xy, xz, yz), in the body's frame.
    pub inertia: Option<([f64; 3], [f64; 6])>,
    pub gravity_scale: f64,
    /// Rates c at which velocity and spin die, 1/s: v ← (v + h g)/(1 + h c) in a substep, the implicit Euler step of v̇ = g − c v, whose
    /// terminal velocity g/c does not depend on h.
    pub linear_damping: f64,
    pub angular_damping: f64,
    /// m/s
    pub max_speed: f64,
    /// Bodies of the same group other than 0 do not collide.
    pub group: u32,
    /// Whether it may sleep when it and all that it touches are at rest.
    pub can_sleep: bool,
    /// Whether it is kept from passing through what does not move when it is fast.
    pub continuous: bool,
}

impl Default for BodyDesc {
    fn default() -> Self {
        BodyDesc {
            motion: BodyMotion::Dynamic,
            pose: Pose::IDENTITY,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            shapes: Vec::new(),
            mass: 0.0,
            inertia: None,
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.05,
            max_speed: 500.0,
            group: 0,
            can_sleep: true,
            continuous: true,
        }
    }
}

/// What a joint holds. Its frames' third axis is the rod's tangent, the axis of twist, the hinge's axis.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// The frames' origins stay together.
    Ball { limits: Option<BallLimits> },
    /// And so do their third axes; the angle about it from `limits[0]` to `limits[1]`, rad.
    Hinge { limits: [f64; 2] },
    /// The frames stay together.
    Fixed,
    /// The origins stay between these distances, m.
    Distance { least: f64, most: f64 },
    /// One circular arc fits both ends (Lewin 2013).
    Arc(ArcDesc),
}

/// Limits of a ball joint or an arc: the swing of the third axis (the bending of an arc) in an elliptic cone with half angles about the
/// first and the second axis, and the twist about the third, rad. A half angle of π and a twist of ±π are no limit; the cone is 0.01 wide
/// at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallLimits {
    pub swing: [f64; 2],
    pub twist: [f64; 2],
}

/// An inextensible elastic arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcDesc {
    /// l₀, m; 0: that of the arc through both frames as they are.
    pub length: f64,
    /// EI about the frames' first and second axis, N m².
    pub bend: [f64; 2],
    /// GJ, N m².
    pub twist: f64,
    /// Time in which a strain forgets how fast it changes, s (Kelvin–Voigt).
    pub viscosity: f64,
    /// Natural bending and twist, rad over the whole length: (β₁, β₂, τ).
    pub rest: [f64; 3],
    /// The paper's specific relaxation factors (§5.2), 0..1, for bending and twist, in place of stiffness.
    pub relaxation: Option<[f64; 2]>,
    /// Of (β₁, β₂) and τ over the whole length, from the straight arc, not from `rest`.
    pub limits: Option<BallLimits>,
}

impl Default for ArcDesc {
    fn default() -> Self {
        ArcDesc { length: 0.0, bend: [0.0; 2], twist: 0.0, viscosity: 0.0, rest: [0.0; 3], relaxation: None, limits: None }
    }
}

/// A torque that drives the frames of a joint towards each other, or to a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorDesc {
    /// N m/rad about the three axes. Limited, and damping with it, by what the solver's iterations carry (`docs/internals/bodies.md`); infinite: that.
    pub stiffness: [f64; 3],
    /// N m s/rad
    pub damping: [f64; 3],
    /// Where frame b should stand in frame a at the end of the next step, unit quaternion xyzw. Within the step it moves there from where
    /// it was.
    pub target: [f64; 4],
    /// Spin of b in a that damping acts towards, in the axes of frame a, rad/s.
    pub speed: [f64; 3],
    /// N m; may be infinite.
    pub max_torque: f64,
}

impl Default for MotorDesc {
    fn default() -> Self {
        MotorDesc {
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            target: [0.0, 0.0, 0.0, 1.0],
            speed: [0.0; 3],
            max_torque: f64::INFINITY,
        }
    }
}

impl MotorDesc {
    /// Whether it turns the joint on and on, as long as nothing stops it.
    pub(crate) fn drives(&self) -> bool {
        self.max_torque > 0.0 && (0..3).any(|k| self.speed[k] != 0.0 && self.damping[k] > 0.0)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct JointDesc {
    /// `None`: the world.
    pub a: Option<Id>,
    pub b: Id,
    /// In the bodies' frames; in world space for the world.
    pub frame_a: Pose,
    pub frame_b: Pose,
    pub kind: JointKind,
    pub motor: Option<MotorDesc>,
    /// Whether the two bodies may touch.
    pub collide: bool,
}
