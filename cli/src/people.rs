//! A person of rigid bodies for scenes and benches: sixteen bodies of human masses (D. A. Winter, Biomechanics and Motor Control of
//! Human Movement: 1.75 m, 75 kg), ball joints with limits, hinges at elbows and knees, an arc or three ball joints as a spine.

use crate::Result;
use glam::{DMat3, DQuat, DVec3};
use withy::math::rng::Rng;
use withy::world::{
    ArcDesc, BallLimits, BodyDesc, BodyMotion, BodyShape, Id, JointDesc, JointKind, MotorDesc, Pose, ShapeDesc, World,
};

pub const PELVIS: usize = 0;
pub const CHEST: usize = 1;
pub const NECK: usize = 2;
pub const HEAD: usize = 3;
/// Of the left side, x > 0; those of the right come `SIDE` later.
pub const UPPER_ARM: usize = 4;
pub const LOWER_ARM: usize = 5;
pub const HAND: usize = 6;
pub const UPPER_LEG: usize = 7;
pub const LOWER_LEG: usize = 8;
pub const FOOT: usize = 9;
pub const SIDE: usize = 6;
/// Bodies but those within a spine of balls.
pub const BODIES: usize = 16;
/// Joints but those of the spine; joint k − 2 holds body k, from the neck on.
pub const JOINTS: usize = 14;

/// Spins die at this rate, 1/s: what joints rub. A head that hangs from its neck would swing for a minute else.
const DAMPING: f64 = 0.8;
const BELLY: f64 = 10.4;
/// Where the spine leaves the pelvis and enters the chest, m.
const SPINE: [f64; 2] = [1.03, 1.23];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spine {
    /// One arc from pelvis to chest.
    Arc,
    /// Three ball joints and two bodies between them.
    Balls,
}

/// How the spine resists, the same in both kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Back {
    pub spine: Spine,
    /// Of the whole spine, in bending and twist, N m/rad. Infinite: each joint has a rigid motor, an arc too.
    pub stiffness: f64,
    /// Kelvin–Voigt, s.
    pub viscosity: f64,
    /// Bend and twist at which the whole spine is stopped, rad; of balls each has a third.
    pub limits: Option<[f64; 2]>,
    /// The belly collides: as bodies of its own between balls, as shapes of pelvis and chest with an arc.
    pub belly: bool,
}

impl Default for Back {
    fn default() -> Self {
        Back { spine: Spine::Arc, stiffness: 70.0, viscosity: 0.1, limits: None, belly: false }
    }
}

#[derive(Clone, Debug)]
pub struct Build {
    /// From the person's frame (feet on y = 0, looks along z) into the world.
    pub position: DVec3,
    pub rotation: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub back: Back,
    /// Turns of the joints from neck on, about person's axes.
    pub turns: [DQuat; JOINTS],
    /// Its parts do not touch each other.
    pub group: u32,
    pub can_sleep: bool,
    /// Pelvis and legs stay where they are.
    pub held: bool,
    /// Motors of all joints towards the start pose, N m/rad and N m s/rad.
    pub motors: Option<[f64; 2]>,
}

impl Default for Build {
    fn default() -> Self {
        Build {
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            back: Back::default(),
            turns: [DQuat::IDENTITY; JOINTS],
            group: 0,
            can_sleep: true,
            held: false,
            motors: None,
        }
    }
}

/// What is in the world of a person.
#[derive(Clone, Debug)]
pub struct Person {
    /// By the names above; then the bodies within the spine.
    pub bodies: Vec<Id>,
    pub joints: Vec<Id>,
    pub spine: Vec<Id>,
}

#[derive(Clone, Copy)]
struct Part {
    from: DVec3,
    to: DVec3,
    shape: Form,
    mass: f64,
}

#[derive(Clone, Copy)]
enum Form {
    Capsule(f64),
    Taper(f64, f64),
    /// Half extents across, and of the thickness.
    Box(f64, f64),
}

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const fn part(from: DVec3, to: DVec3, shape: Form, mass: f64) -> Part {
    Part { from, to, shape, mass }
}

const SHOULDER: DVec3 = v(0.205, 1.43, 0.0);
const ELBOW: DVec3 = v(0.275, 1.155, 0.0);
const WRIST: DVec3 = v(0.325, 0.905, 0.01);
const FINGERS: DVec3 = v(0.345, 0.75, 0.02);
const HIP: DVec3 = v(0.095, 0.93, 0.0);
const KNEE: DVec3 = v(0.10, 0.50, 0.005);
const ANKLE: DVec3 = v(0.10, 0.085, -0.01);

/// From the joint towards the body on to the far end.
const PARTS: [Part; 10] = [
    part(v(-0.07, 0.98, 0.0), v(0.07, 0.98, 0.0), Form::Capsule(0.105), 10.7),
    part(v(-0.09, 1.345, 0.0), v(0.09, 1.345, 0.0), Form::Capsule(0.125), 16.2),
    part(v(0.0, 1.47, 0.0), v(0.0, 1.535, 0.01), Form::Capsule(0.055), 1.1),
    part(v(0.0, 1.62, 0.015), v(0.0, 1.68, 0.025), Form::Taper(0.085, 0.1), 5.0),
    part(SHOULDER, ELBOW, Form::Taper(0.052, 0.042), 2.1),
    part(ELBOW, WRIST, Form::Taper(0.042, 0.03), 1.2),
    part(WRIST, FINGERS, Form::Box(0.02, 0.042), 0.45),
    part(HIP, KNEE, Form::Taper(0.085, 0.058), 7.5),
    part(KNEE, ANKLE, Form::Taper(0.055, 0.04), 3.5),
    part(v(0.10, 0.04, -0.07), v(0.10, 0.04, 0.18), Form::Box(0.045, 0.04), 1.1),
];

/// The part of the left or the right side.
fn of(k: usize) -> Part {
    if k < UPPER_ARM + SIDE {
        return PARTS[k];
    }
    let p = PARTS[k - SIDE];
    let mirror = v(-1.0, 1.0, 1.0);
    Part { from: p.from * mirror, to: p.to * mirror, ..p }
}

fn parent(k: usize) -> usize {
    match k {
        CHEST => PELVIS,
        NECK => CHEST,
        HEAD => NECK,
        _ => match (k - UPPER_ARM) % SIDE + UPPER_ARM {
            UPPER_ARM => CHEST,
            UPPER_LEG => PELVIS,
            _ => k - 1,
        },
    }
}

/// Where the part hangs on its parent.
fn pivot(k: usize) -> DVec3 {
    match k {
        NECK => v(0.0, 1.46, 0.0),
        HEAD => v(0.0, 1.55, 0.01),
        _ if (k - UPPER_ARM) % SIDE + UPPER_ARM == FOOT => of(k - 1).to,
        _ => of(k).from,
    }
}

impl Part {
    fn place(&self) -> (DVec3, DQuat) {
        let along = (self.to - self.from).normalize();
        // y along the part and x to the side, as far as it goes.
        let x = if along.x.abs() > 0.9 { DVec3::Z } else { DVec3::X };
        let x = (x - along * x.dot(along)).normalize();
        (0.5 * (self.from + self.to), DQuat::from_mat3(&DMat3::from_cols(x, along, x.cross(along))))
    }

    fn shape(&self) -> BodyShape {
        let half_height = 0.5 * (self.to - self.from).length();
        match self.shape {
            Form::Capsule(radius) => BodyShape::Capsule { half_height, radius },
            Form::Taper(bottom, top) => BodyShape::TaperedCapsule { half_height, bottom, top },
            Form::Box(x, z) => BodyShape::Box { half_extents: [x, half_height, z] },
        }
    }

    fn density(&self) -> f64 {
        let half = 0.5 * (self.to - self.from).length();
        let round = |r: f64| std::f64::consts::PI * r * r * (2.0 * half + 4.0 / 3.0 * r);
        self.mass
            / match self.shape {
                Form::Capsule(r) => round(r),
                Form::Taper(a, b) => round(0.5 * (a + b)),
                Form::Box(x, z) => 8.0 * x * half * z,
            }
    }
}

/// Third axis t, first as near to `first` as it goes.
fn frame(t: DVec3, first: DVec3) -> DQuat {
    let t = t.normalize();
    let m = (first - t * first.dot(t)).normalize();
    DQuat::from_mat3(&DMat3::from_cols(m, t.cross(m), t))
}

fn pose(position: DVec3, rotation: DQuat) -> Pose {
    Pose { position: position.to_array(), rotation: rotation.to_array() }
}

/// The frames of a joint at the start pose, in the person's axes, and what it holds.
fn hold(k: usize) -> (DQuat, DQuat, JointKind) {
    let along = (of(k).to - of(k).from).normalize();
    let sign = if of(k).to.x < 0.0 { -1.0 } else { 1.0 };
    let ball = |center: DVec3, bone: DVec3, first: DVec3, swing: [f64; 2], twist: f64| {
        let a = frame(center, first);
        let b = DQuat::from_rotation_arc(center.normalize(), bone.normalize()) * a;
        (a, b, JointKind::Ball { limits: Some(BallLimits { swing, twist: [-twist, twist] }) })
    };
    let hinge = |axis: DVec3, limits: [f64; 2]| {
        let f = frame(axis, DVec3::Y);
        (f, f, JointKind::Hinge { limits })
    };
    match k {
        NECK => ball(DVec3::Y, DVec3::Y, DVec3::X, [0.45, 0.4], 0.5),
        HEAD => ball(DVec3::Y, DVec3::Y, DVec3::X, [0.45, 0.35], 0.6),
        _ => match (k - UPPER_ARM) % SIDE + UPPER_ARM {
            UPPER_ARM => ball(v(0.75 * sign, -0.45, 0.5), along, DVec3::Y, [1.45, 1.45], 0.8),
            LOWER_ARM => hinge(DVec3::NEG_X, [0.0, 2.4]),
            HAND => ball(along, along, DVec3::Z, [0.4, 0.9], 0.6),
            UPPER_LEG => ball(v(0.18 * sign, -1.0, 0.75), along, DVec3::X, [0.95, 0.6], 0.45),
            LOWER_LEG => hinge(DVec3::X, [0.0, 2.3]),
            _ => ball(DVec3::NEG_Y, DVec3::NEG_Y, DVec3::X, [0.6, 0.25], 0.2),
        },
    }
}

/// Somebody who sits: thighs forward, shanks down, arms a little bent.
pub fn seated() -> [DQuat; JOINTS] {
    let mut turns = [DQuat::IDENTITY; JOINTS];
    for side in [0, SIDE] {
        turns[UPPER_LEG + side - NECK] = DQuat::from_rotation_x(-1.45);
        turns[LOWER_LEG + side - NECK] = DQuat::from_rotation_x(1.4);
        turns[LOWER_ARM + side - NECK] = DQuat::from_rotation_x(-0.3);
    }
    turns
}

/// Start poses of somebody who falls: limbs bent within their limits.
pub fn sprawled(rng: &mut Rng) -> [DQuat; JOINTS] {
    let mut turns = [DQuat::IDENTITY; JOINTS];
    for k in NECK..BODIES {
        let sign = if of(k).to.x < 0.0 { -1.0 } else { 1.0 };
        let mut about = |axis: DVec3, low: f64, high: f64| DQuat::from_axis_angle(axis, rng.range(low, high));
        turns[k - NECK] = match k {
            NECK | HEAD => about(DVec3::X, -0.2, 0.3),
            _ => match (k - UPPER_ARM) % SIDE + UPPER_ARM {
                UPPER_ARM => about(DVec3::Z * sign, 0.1, 1.3) * about(DVec3::NEG_X, 0.0, 1.0),
                LOWER_ARM => about(DVec3::NEG_X, 0.2, 1.4),
                UPPER_LEG => about(DVec3::NEG_X, 0.0, 1.0) * about(DVec3::Z * sign, 0.0, 0.35),
                LOWER_LEG => about(DVec3::X, 0.1, 1.3),
                _ => DQuat::IDENTITY,
            },
        };
    }
    turns
}

fn add_bodies(world: &mut World, b: &Build, places: &[(DVec3, DQuat)]) -> Result<Vec<Id>> {
    let balls = b.back.spine == Spine::Balls;
    let rise = SPINE[1] - SPINE[0];
    let belly = |k: usize| {
        let y = SPINE[0] + rise * (k as f64 + 1.0) / 3.0;
        part(v(-0.055, y, 0.0), v(0.055, y, 0.0), Form::Capsule(0.09), 0.5 * BELLY)
    };
    let center = |k: usize| {
        let (x, q) = places[k];
        (b.position + b.rotation * x, b.rotation * q)
    };
    let (pelvis, _) = center(PELVIS);
    let mut bodies = Vec::new();
    for k in 0..if balls { BODIES + 2 } else { BODIES } {
        let leg = (UPPER_ARM..BODIES).contains(&k) && (k - UPPER_ARM) % SIDE >= UPPER_LEG - UPPER_ARM;
        let p = if k < BODIES { of(k) } else { belly(k - BODIES) };
        let (x, q) = if k < BODIES {
            center(k)
        } else {
            let (x, q) = p.place();
            (b.position + b.rotation * x, b.rotation * q)
        };
        let one = ShapeDesc { shape: p.shape(), density: p.density(), ..ShapeDesc::default() };
        let mut shapes = vec![one];
        let mut mass = p.mass;
        if !balls && (k == PELVIS || k == CHEST) {
            mass += 0.5 * BELLY;
            if b.back.belly {
                let piece = belly(k);
                let ((at, _), (own, turn)) = (piece.place(), p.place());
                let pose = pose(turn.inverse() * (at - own), DQuat::IDENTITY);
                shapes.push(ShapeDesc { shape: piece.shape(), pose, density: piece.density(), ..ShapeDesc::default() });
            }
        }
        let motion = if b.held && (leg || k == PELVIS) { BodyMotion::Kinematic } else { BodyMotion::Dynamic };
        bodies.push(world.add_body(&BodyDesc {
            motion,
            pose: pose(x, q),
            velocity: (b.velocity + b.spin.cross(x - pelvis)).to_array(),
            spin: b.spin.to_array(),
            shapes,
            mass,
            group: b.group,
            angular_damping: DAMPING,
            can_sleep: b.can_sleep,
            ..BodyDesc::default()
        })?);
    }
    Ok(bodies)
}

/// A person in the world.
pub fn add(world: &mut World, b: &Build) -> Result<Person> {
    // Where the turns of the joints carry the parts.
    let mut moved: Vec<(DVec3, DQuat)> = vec![(DVec3::ZERO, DQuat::IDENTITY); BODIES];
    for k in NECK..BODIES {
        let (x, q) = moved[parent(k)];
        let (at, turn) = (pivot(k), b.turns[k - NECK]);
        // p → parent(pivot + turn (p − pivot))
        moved[k] = (x + q * (at - turn * at), q * turn);
    }
    let places: Vec<(DVec3, DQuat)> = (0..BODIES)
        .map(|k| {
            let ((x, q), (at, own)) = (moved[k], of(k).place());
            (x + q * at, q * own)
        })
        .collect();
    let bodies = add_bodies(world, b, &places)?;
    let motor = b.motors.map(|[k, d]| MotorDesc { stiffness: [k; 3], damping: [d; 3], ..MotorDesc::default() });
    let mut person = Person { bodies, joints: Vec::new(), spine: Vec::new() };
    let local = |k: usize, at: DVec3, f: DQuat| {
        let (x, q) = of(k).place();
        pose(q.inverse() * (at - x), q.inverse() * f)
    };
    for k in NECK..BODIES {
        let (fa, fb, kind) = hold(k);
        // The motor's target is the start pose.
        let target = (fa.inverse() * b.turns[k - NECK] * fb).to_array();
        person.joints.push(world.add_joint(&JointDesc {
            a: Some(person.bodies[parent(k)]),
            b: person.bodies[k],
            frame_a: local(parent(k), pivot(k), fa),
            frame_b: local(k, pivot(k), fb),
            kind,
            motor: motor.map(|m| MotorDesc { target, ..m }),
            collide: false,
        })?);
    }
    let up = frame(DVec3::Y, DVec3::X);
    let (pelvis, chest) = (person.bodies[PELVIS], person.bodies[CHEST]);
    let back = b.back;
    let rise = SPINE[1] - SPINE[0];
    let limits = |joints: f64| {
        back.limits.map(|all| {
            let [swing, twist] = all.map(|angle| angle / joints);
            BallLimits { swing: [swing; 2], twist: [-twist, twist] }
        })
    };
    match back.spine {
        Spine::Arc => {
            let limits = limits(1.0);
            let k = back.stiffness * rise;
            let firm = MotorDesc { stiffness: [f64::INFINITY; 3], ..MotorDesc::default() };
            person.spine.push(world.add_joint(&JointDesc {
                a: Some(pelvis),
                b: chest,
                frame_a: local(PELVIS, DVec3::Y * SPINE[0], up),
                frame_b: local(CHEST, DVec3::Y * SPINE[1], up),
                kind: JointKind::Arc(if k.is_finite() {
                    ArcDesc { bend: [k; 2], twist: k, viscosity: back.viscosity, limits, ..ArcDesc::default() }
                } else {
                    ArcDesc { limits, ..ArcDesc::default() }
                }),
                motor: (!k.is_finite()).then_some(firm),
                collide: false,
            })?);
        }
        Spine::Balls => {
            let chain = [pelvis, person.bodies[BODIES], person.bodies[BODIES + 1], chest];
            for n in 0..3 {
                let y = SPINE[0] + rise * (2.0 * n as f64 + 1.0) / 6.0;
                // A piece of the belly has its frame's y along x.
                let in_frame = |n: usize| match n {
                    0 => local(PELVIS, DVec3::Y * y, up),
                    3 => local(CHEST, DVec3::Y * y, up),
                    _ => {
                        let at = SPINE[0] + rise * n as f64 / 3.0;
                        let q = of(PELVIS).place().1;
                        pose(q.inverse() * (DVec3::Y * (y - at)), q.inverse() * up)
                    }
                };
                let k = 3.0 * back.stiffness;
                let damping = if k.is_finite() { k * back.viscosity } else { 0.0 };
                person.spine.push(world.add_joint(&JointDesc {
                    a: Some(chain[n]),
                    b: chain[n + 1],
                    frame_a: in_frame(n),
                    frame_b: in_frame(n + 1),
                    kind: JointKind::Ball { limits: limits(3.0) },
                    motor: (k > 0.0).then_some(MotorDesc { stiffness: [k; 3], damping: [damping; 3], ..MotorDesc::default() }),
                    collide: false,
                })?);
            }
        }
    }
    Ok(person)
}
