//! Joints
//!
//! A joint connects two bodies, or one body and the world. It has a frame in each body, and holds
//! how the two frames stand to each other.
//!
//! The axes of a frame are d1, d2 and d3. d3 is the axis of twist: the axis of a hinge, the
//! direction of a limb, the tangent of an arc. A joint swings or bends about d1 and d2. In the
//! frame's local axes they are
//!
//! ```text
//!                 SI, Maya   Unreal   Unity   Blender
//!     d1          x          x        -x      x
//!     d2          y          z        y       z
//!     d3          z          y        z       -y
//! ```
//!
//! With WITHY_CONVENTION_SI these rotations of a frame turn d3 up, down, along +x and along -x:
//! {-r, 0, 0, r}, {r, 0, 0, r}, {0, r, 0, r} and {0, -r, 0, r}, where r is sqrt(0.5).
//!
//! Arrays of 2 numbers are for d1 and d2, arrays of 3 for d1, d2 and d3. Angles are those of frame
//! b seen from frame a, in the host's sense of rotation.

use std::f64::consts::PI;
use std::ffi::c_void;

use super::body::{WithyBody, quaternion};
use super::convention::{Convention, between};
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles::{self, List};
use super::span::{self, FLOATS, Output};
use super::types::{WITHY_ALL, WithyPose, WithyQuat, WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::world::{ArcDesc, BallLimits, Id, JointDesc, JointKind, MOST_TURNS, MotorDesc, Pose, World, check_strength, validate};

/// Handle of a joint.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyJoint {
    pub bits: u64,
}
handles::handle!(WithyJoint, Joint, "joint");

/// The origins of the frames stay together. `swing` and `twist` limit the angles. The default.
pub const WITHY_JOINT_BALL: u32 = 0;
/// The origins and d3 stay together. `twist` limits the angle about d3.
pub const WITHY_JOINT_HINGE: u32 = 1;
/// The frames stay together.
pub const WITHY_JOINT_FIXED: u32 = 2;
/// The origins stay between `least` and `most` apart.
pub const WITHY_JOINT_DISTANCE: u32 = 3;
/// An elastic rod connects the frames: it bends and twists but does not stretch, and has the shape
/// of a circular arc that leaves both frames along d3 (Lewin 2013). One arc does for a whole spine,
/// neck or tail. `arc` is its stiffness; `swing` and `twist` limit its bend and twist. In both
/// frames d3 points along the arc from a to b; a new arc whose frames lean by more than 90 degrees
/// from that is refused.
pub const WITHY_JOINT_ARC: u32 = 4;

/// A flag: `frame_a` and `frame_b` are given in the world, where the bodies are now, and not in the
/// frames of the bodies.
pub const WITHY_JOINT_WORLD_FRAMES: u32 = 1;
/// A flag: the arc takes `relaxation` in place of `bend` and `twist`.
pub const WITHY_JOINT_ARC_RELAXATION: u32 = 2;

/// A spring and a damper about each axis, between the frames of a joint of any kind but
/// WITHY_JOINT_FIXED. It can be very stiff without shaking.
///
/// A motor of damping alone, with a limit, is friction: such a hinge stays where it is left. It
/// holds what needs less than `max_torque`, and slows down the rest by that torque. What it holds
/// creeps, a limb by some 1e-4 rad/s, until it sleeps.
///
/// ```text
///     WithyMotor friction;
///     withy_motor_init(&friction);
///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
///     friction.max_torque = 5;
///     withy_joint_set_motor(joint, &friction);
/// ```
///
/// A joint has one motor. One that follows a target has friction only as its damping.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyMotor {
    /// N m/rad, 0 or more. INFINITY: as stiff as the solver can make it. Default: 0.
    pub stiffness: [f64; 3],
    /// N m s/rad, 0 or more. INFINITY: the spin is `speed`. Default: 0.
    pub damping: [f64; 3],
    /// Rotation of frame b in frame a that the stiffness pulls to, at the end of the next step. The
    /// target moves there evenly during the step. Default: identity.
    pub target: WithyQuat,
    /// Spin of b in a, about d1, d2, d3 of frame a, that the damping pulls to, rad/s, [-1e6, 1e6].
    /// Default: 0.
    pub speed: [f64; 3],
    /// Limit of the torque about all three axes together, N m, 0 or more. INFINITY (the default):
    /// no limit.
    pub max_torque: f64,
}

/// The rod of a WITHY_JOINT_ARC.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyArc {
    /// Host units, [1e-9, 1e9] m. 0 (the default): the length of the arc through both frames as
    /// they are.
    pub length: f64,
    /// Bending stiffness EI about d1 and d2, N m^2 with every convention, 0 or more. INFINITY: it
    /// does not bend. Default: 0.
    pub bend: [f64; 2],
    /// Twisting stiffness GJ, N m^2 with every convention, 0 or more. INFINITY: it does not twist.
    /// Default: 0.
    pub twist: f64,
    /// Internal friction, s, [0, 1e6]: the viscosity over the stiffness (Kelvin-Voigt). Default: 0.
    pub viscosity: f64,
    /// Bend about d1 and d2, and twist about d3, at rest, rad over the whole length, each within
    /// half a turn. Default: 0, straight.
    pub rest: [f64; 3],
    /// With WITHY_JOINT_ARC_RELAXATION: the part of the bend, and of the twist, that an iteration
    /// takes back, [0, 1] (Lewin 2013). The effect depends on the step and the iterations.
    pub relaxation: [f64; 2],
}

/// How to create a joint.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyJointDef {
    pub struct_size: u32,
    /// WITHY_JOINT_ flags, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// The first body. Null (the default): the world.
    pub body_a: WithyBody,
    /// The second body, in the same world. Required.
    pub body_b: WithyBody,
    /// In the frame of body_a, or in the world if there is none. Default: identity.
    pub frame_a: WithyPose,
    /// In the frame of body_b. Default: identity.
    pub frame_b: WithyPose,
    /// A WITHY_JOINT_ kind. Default: WITHY_JOINT_BALL.
    pub kind: u32,
    /// 1: the two bodies may touch. 0 (the default): they do not collide as long as the joint is
    /// enabled.
    pub collide: u32,
    /// Of a ball: half angles of the cone in which d3 swings, about d1 and d2, [0, pi] rad. Of
    /// an arc: the same for its bend over the whole length, from straight. pi for both (the
    /// default): no limit.
    pub swing: [f64; 2],
    /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. A hinge counts
    /// its turns: [-20 pi, 20 pi] rad, or infinite. -pi and pi (the default): no limit.
    pub twist: [f64; 2],
    /// Of a distance joint: least distance, host units, [0, 1e9] m. Default: 0.
    pub least: f64,
    /// Of a distance joint: largest distance, host units, [0, 1e9] m. Default: 0.
    pub most: f64,
    /// Of an arc: the rod.
    pub arc: WithyArc,
    /// NULL (the default): none. The struct is copied.
    pub motor: *const WithyMotor,
    /// The joint breaks where its force, as `withy_joint_get_force` tells it, is larger in a step,
    /// N, above 0. It is then switched off and `withy_world_read_broken_joints` names it. INFINITY
    /// (the default): never.
    pub break_force: f64,
    /// The same for the torque, N m, above 0. INFINITY (the default): never.
    pub break_torque: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyJointDef {
    const FIRST_SIZE: usize = 288;
    const FLAGS: u32 = WITHY_JOINT_WORLD_FRAMES | WITHY_JOINT_ARC_RELAXATION;
    fn defaults() -> Self {
        WithyJointDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            body_a: WithyBody::default(),
            body_b: WithyBody::default(),
            frame_a: WithyPose::IDENTITY,
            frame_b: WithyPose::IDENTITY,
            kind: WITHY_JOINT_BALL,
            collide: 0,
            swing: [PI; 2],
            twist: [-PI, PI],
            least: 0.0,
            most: 0.0,
            arc: WithyArc { length: 0.0, bend: [0.0; 2], twist: 0.0, viscosity: 0.0, rest: [0.0; 3], relaxation: [0.0; 2] },
            motor: std::ptr::null(),
            break_force: f64::INFINITY,
            break_torque: f64::INFINITY,
        }
    }
}

/// Half a turn, with what f32 makes of it.
const HALF_TURN: f64 = PI + 1e-6;

fn angle(x: f64, name: impl std::fmt::Display, least: f64) -> Result<f64> {
    if (least..=HALF_TURN).contains(&x) {
        return Ok(x.clamp(-PI, PI));
    }
    Err(Failure::argument(format!("{name} is {x}: must be {} to pi", if least < 0.0 { "-pi" } else { "0" })))
}

fn not_negative(x: f64, name: impl std::fmt::Display) -> Result<f64> {
    // A NaN is not either; infinite is.
    if x >= 0.0 { Ok(x) } else { Err(Failure::argument(format!("{name} is {x}: must be 0 or more"))) }
}

fn swing_in(swing: [f64; 2]) -> Result<[f64; 2]> {
    Ok([angle(swing[0], "swing[0]", 0.0)?, angle(swing[1], "swing[1]", 0.0)?])
}

fn twist_in(twist: [f64; 2], c: &Convention) -> Result<[f64; 2]> {
    let [low, high] = [angle(twist[0], "twist[0]", -HALF_TURN)?, angle(twist[1], "twist[1]", -HALF_TURN)?];
    if low > high {
        return Err(Failure::argument(format!("twist[0] is {low}: must be at most twist[1], {high}")));
    }
    Ok(c.angles_in([low, high]))
}

/// The same of a hinge, which counts its turns.
fn hinge_in(twist: [f64; 2], c: &Convention) -> Result<[f64; 2]> {
    for (k, x) in twist.into_iter().enumerate() {
        if !x.is_infinite() && !(-MOST_TURNS..=MOST_TURNS).contains(&x) {
            return Err(Failure::argument(format!("twist[{k}] is {x}: must be -20 pi to 20 pi, or infinite")));
        }
    }
    if twist[0] > twist[1] {
        return Err(Failure::argument(format!("twist[0] is {}: must be at most twist[1], {}", twist[0], twist[1])));
    }
    Ok(c.angles_in(twist))
}

/// No limit.
const FREE: BallLimits = BallLimits { swing: [PI; 2], twist: [-PI, PI] };

pub(super) fn limits_in(swing: [f64; 2], twist: [f64; 2], c: &Convention) -> Result<Option<BallLimits>> {
    let limits = BallLimits { swing: swing_in(swing)?, twist: twist_in(twist, c)? };
    Ok((limits != FREE).then_some(limits))
}

pub(super) fn arc_desc(arc: &WithyArc, relaxed: bool, c: &Convention) -> Result<ArcDesc> {
    let mut rest = [0.0; 3];
    for (k, to) in rest.iter_mut().enumerate() {
        *to = c.angle_in(angle(arc.rest[k], format_args!("arc.rest[{k}]"), -HALF_TURN)?);
    }
    let relaxation = match relaxed {
        false => None,
        true => Some([
            between(arc.relaxation[0], "arc.relaxation[0]", (0.0, 1.0))?,
            between(arc.relaxation[1], "arc.relaxation[1]", (0.0, 1.0))?,
        ]),
    };
    Ok(ArcDesc {
        length: match arc.length {
            0.0 => 0.0,
            length => c.checked_length(length, "arc.length", validate::REST_LENGTH)?,
        },
        bend: [not_negative(arc.bend[0], "arc.bend[0]")?, not_negative(arc.bend[1], "arc.bend[1]")?],
        twist: not_negative(arc.twist, "arc.twist")?,
        viscosity: between(arc.viscosity, "arc.viscosity", (0.0, 1e6))?,
        rest,
        relaxation,
        limits: None,
    })
}

pub(super) fn motor_desc(m: &WithyMotor, name: impl std::fmt::Display, c: &Convention) -> Result<MotorDesc> {
    let (mut stiffness, mut damping, mut speed) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    for k in 0..3 {
        stiffness[k] = not_negative(m.stiffness[k], format_args!("{name}.stiffness[{k}]"))?;
        damping[k] = not_negative(m.damping[k], format_args!("{name}.damping[{k}]"))?;
        speed[k] = c.angle_in(between(m.speed[k], format_args!("{name}.speed[{k}]"), (-1e6, 1e6))?);
    }
    let q = m.target;
    Ok(MotorDesc {
        stiffness,
        damping,
        target: c.checked_rotation([q.x, q.y, q.z, q.w], format_args!("{name}.target"), None)?,
        speed,
        max_torque: not_negative(m.max_torque, format_args!("{name}.max_torque"))?,
    })
}

pub(super) fn joint_kind(def: &WithyJointDef, c: &Convention) -> Result<JointKind> {
    Ok(match defs::choice(def.kind, &[0, 1, 2, 3, 4], "kind")? {
        WITHY_JOINT_BALL => JointKind::Ball { limits: limits_in(def.swing, def.twist, c)? },
        WITHY_JOINT_HINGE => JointKind::Hinge { limits: hinge_in(def.twist, c)? },
        WITHY_JOINT_FIXED => JointKind::Fixed,
        WITHY_JOINT_DISTANCE => {
            let limits = (0.0, validate::LARGEST);
            let (least, most) = (c.checked_length(def.least, "least", limits)?, c.checked_length(def.most, "most", limits)?);
            if least > most {
                return Err(Failure::argument(format!("least is {}: must be at most most, {}", def.least, def.most)));
            }
            JointKind::Distance { least, most }
        }
        _ => {
            let arc = arc_desc(&def.arc, def.flags & WITHY_JOINT_ARC_RELAXATION != 0, c)?;
            JointKind::Arc(ArcDesc { limits: limits_in(def.swing, def.twist, c)?, ..arc })
        }
    })
}

/// # Safety
/// `def.motor` is NULL or readable.
unsafe fn joint_desc(def: &WithyJointDef, world: &World, a: Option<Id>, b: Id, c: &Convention) -> Result<JointDesc> {
    let kind = joint_kind(def, c)?;
    let frames = def.flags & WITHY_JOINT_WORLD_FRAMES != 0;
    let frame = |id: Option<Id>, pose: &WithyPose, name: &str| -> Result<Pose> {
        let pose = c.checked_pose(pose, name)?;
        match id {
            Some(id) if frames => Ok(world.pose_in_body(id, pose)?),
            _ => Ok(pose),
        }
    };
    let motor = match def.motor.is_null() {
        true => None,
        // SAFETY: the caller's contract.
        false => Some(motor_desc(&unsafe { defs::load(def.motor, "motor")? }, "motor", c)?),
    };
    if motor.is_some() && def.kind == WITHY_JOINT_FIXED {
        return Err(Failure::argument("motor is not NULL: WITHY_JOINT_FIXED has none"));
    }
    Ok(JointDesc {
        a,
        b,
        frame_a: frame(a, &def.frame_a, "frame_a")?,
        frame_b: frame(Some(b), &def.frame_b, "frame_b")?,
        kind,
        motor,
        collide: defs::boolean(def.collide, "collide")?,
    })
}

fn named(field: &'static str) -> impl Fn(crate::world::Error) -> Failure {
    move |e| {
        let e = Failure::from(e);
        Failure { message: format!("{field}: {}", e.message), ..e }
    }
}

/// The ids of a def's bodies, which live in the world of `body_b`.
fn bodies_of(def: &WithyJointDef, world: &World) -> Result<(Option<Id>, Id)> {
    let b = handles::same_world(def.body_b, def.body_b, "body_b")?;
    world.body(b).map_err(named("body_b"))?;
    if def.body_a.bits == 0 {
        return Ok((None, b));
    }
    let a = handles::same_world(def.body_b, def.body_a, "body_a")?;
    world.body(a).map_err(named("body_a"))?;
    Ok((Some(a), b))
}

/// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_def_init_sized(def: *mut WithyJointDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_joint_def_init", || unsafe { defs::init(def, size) })
}

/// Fills `motor` with one that drives nothing. The struct has no size field; it never changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_motor_init(motor: *mut WithyMotor) -> i32 {
    let d = MotorDesc::default();
    let value = WithyMotor {
        stiffness: d.stiffness,
        damping: d.damping,
        target: quaternion(d.target),
        speed: d.speed,
        max_torque: d.max_torque,
    };
    // SAFETY: the caller's contract.
    guard::call("withy_motor_init", || unsafe { defs::store(motor, value, "motor") })
}

/// Writes. Adds a joint to the world of its bodies. If the frames do not stand as the joint holds
/// them, the next steps pull them there. The joint is removed with either body.
///
/// @param joint Set on success.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_create(def: *const WithyJointDef, joint: *mut WithyJoint) -> i32 {
    const FUNCTION: &str = "withy_joint_create";
    let mut copy = WithyJointDef::defaults();
    // SAFETY: the caller's contract.
    let read = guard::call(FUNCTION, || unsafe {
        copy = defs::read(def)?;
        handles::named(copy.body_b, "body_b")?;
        defs::not_null(joint, "joint")
    });
    if read != 0 {
        return read;
    }
    guard::write(FUNCTION, copy.body_b, |cx| {
        let (a, b) = bodies_of(&copy, cx.world)?;
        // SAFETY: the caller's contract.
        let desc = unsafe { joint_desc(&copy, cx.world, a, b, cx.convention)? };
        let strength = [copy.break_force, copy.break_torque];
        check_strength(strength)?;
        let id = cx.world.add_joint(&desc)?;
        cx.world.set_joint_strength(id, strength)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(joint, handles::object(copy.body_b, id), "joint") }
    })
}

/// Writes. Removes a joint.
#[unsafe(no_mangle)]
pub extern "C" fn withy_joint_destroy(joint: WithyJoint) -> i32 {
    guard::write("withy_joint_destroy", joint, |cx| Ok(cx.world.remove_joint(cx.id)?))
}

/// Writes. Makes a joint what `def` says: kind, frames, limits, stiffness, motor and strength. The
/// bodies must stay the same. Nothing jerks: forces in what the joint held before and still holds
/// go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_change(joint: WithyJoint, def: *const WithyJointDef) -> i32 {
    guard::write("withy_joint_change", joint, |cx| {
        cx.world.joint(cx.id)?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        handles::same_world(joint, def.body_b, "body_b")?;
        let (a, b) = bodies_of(&def, cx.world)?;
        // SAFETY: the caller's contract.
        let desc = unsafe { joint_desc(&def, cx.world, a, b, cx.convention)? };
        let strength = [def.break_force, def.break_torque];
        check_strength(strength)?;
        cx.world.change_joint(cx.id, &mut |d| *d = desc.clone())?;
        Ok(cx.world.set_joint_strength(cx.id, strength)?)
    })
}

/// Writes. Changes the limits of a ball, an arc or a hinge.
///
/// @param swing Two half angles, as in the def. NULL: no change; for a hinge, too.
/// @param twist Least and most angle, as in the def. NULL: no change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_set_limits(joint: WithyJoint, swing: *const f64, twist: *const f64) -> i32 {
    guard::write("withy_joint_set_limits", joint, |cx| {
        let kind = &cx.world.joint(cx.id)?.desc.kind;
        // SAFETY: the caller's contract.
        let load = |two: *const f64, name| match two.is_null() {
            true => Ok(None),
            // SAFETY: the caller's contract.
            false => unsafe { defs::load(two.cast::<[f64; 2]>(), name) }.map(Some),
        };
        let swing = load(swing, "swing")?.map(swing_in).transpose()?;
        let is_hinge = matches!(cx.world.joint(cx.id)?.desc.kind, JointKind::Hinge { .. });
        let read = if is_hinge { hinge_in } else { twist_in };
        let twist = load(twist, "twist")?.map(|t| read(t, cx.convention)).transpose()?;
        let changed = |old: &Option<BallLimits>| {
            let old = old.unwrap_or(FREE);
            let new = BallLimits { swing: swing.unwrap_or(old.swing), twist: twist.unwrap_or(old.twist) };
            (new != FREE).then_some(new)
        };
        let new = match kind {
            JointKind::Ball { limits } => JointKind::Ball { limits: changed(limits) },
            JointKind::Arc(arc) => JointKind::Arc(ArcDesc { limits: changed(&arc.limits), ..*arc }),
            JointKind::Hinge { .. } if swing.is_some() => {
                return Err(Failure::argument("swing is not NULL: a hinge does not swing"));
            }
            JointKind::Hinge { limits } => JointKind::Hinge { limits: twist.unwrap_or(*limits) },
            _ => return Err(Failure::argument("the joint is neither a ball, an arc nor a hinge: it has no limits")),
        };
        Ok(cx.world.change_joint(cx.id, &mut |d| d.kind = new.clone())?)
    })
}

/// Writes. Gives a joint a motor, or changes or removes the one that it has.
///
/// @param motor NULL: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_set_motor(joint: WithyJoint, motor: *const WithyMotor) -> i32 {
    guard::write("withy_joint_set_motor", joint, |cx| {
        let fixed = matches!(cx.world.joint(cx.id)?.desc.kind, JointKind::Fixed);
        let motor = match motor.is_null() {
            true => None,
            // SAFETY: the caller's contract.
            false => Some(motor_desc(&unsafe { defs::load(motor, "motor")? }, "motor", cx.convention)?),
        };
        if fixed && motor.is_some() {
            return Err(Failure::argument("motor is not NULL: the joint is WITHY_JOINT_FIXED"));
        }
        Ok(cx.world.change_joint(cx.id, &mut |d| d.motor = motor)?)
    })
}

/// Writes. Switches a joint on or off. One that is off holds nothing, and its bodies may touch.
///
/// @param enabled 1: on, as at creation. 0: off.
#[unsafe(no_mangle)]
pub extern "C" fn withy_joint_set_enabled(joint: WithyJoint, enabled: u32) -> i32 {
    guard::write("withy_joint_set_enabled", joint, |cx| {
        let enabled = defs::boolean(enabled, "enabled")?;
        Ok(cx.world.set_joint_enabled(cx.id, enabled)?)
    })
}

/// Reads. Whether a joint is on: 1 or 0. One that broke is off.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_get_enabled(joint: WithyJoint, enabled: *mut u32) -> i32 {
    guard::read("withy_joint_get_enabled", joint, |cx| {
        let value = u32::from(cx.world.joint(cx.id)?.enabled());
        // SAFETY: the caller's contract.
        unsafe { defs::store(enabled, value, "enabled") }
    })
}

/// Reads. What a joint did to its body b in the last step, its motor and limits included: the mean
/// over the step. Body a got the opposite. Asleep, a joint tells what it held last; off, 0.
///
/// @param force N, in the host's axes. NULL: not wanted.
/// @param torque About the origin of frame b, N m, in the host's axes. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_get_force(joint: WithyJoint, force: *mut WithyVec3, torque: *mut WithyVec3) -> i32 {
    guard::read("withy_joint_get_force", joint, |cx| {
        let [f, t] = cx.world.joint_force(cx.id)?;
        // SAFETY: the caller's contract.
        unsafe {
            if !force.is_null() {
                defs::store(force, WithyVec3::new(cx.convention.direction_out(f.to_array())), "force")?;
            }
            if !torque.is_null() {
                defs::store(torque, WithyVec3::new(cx.convention.moment_out(t.to_array())), "torque")?;
            }
        }
        Ok(())
    })
}

/// Reads. How frame b of a joint of any kind is turned against frame a, as limits count it: how far
/// a door is open is the twist of its hinge.
///
/// @param swing Two numbers: the bend about d1 and d2, rad. NULL: not wanted.
/// @param twist The angle about d3, rad: of hinges with whole turns, of others within [-pi, pi].
///     NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_get_angles(joint: WithyJoint, swing: *mut f64, twist: *mut f64) -> i32 {
    guard::read("withy_joint_get_angles", joint, |cx| {
        let angles = cx.world.joint_angles(cx.id)?.to_array().map(|a| cx.convention.angle_in(a));
        // SAFETY: the caller's contract.
        unsafe {
            if !swing.is_null() {
                defs::store(swing.cast::<[f64; 2]>(), [angles[0], angles[1]], "swing")?;
            }
            if !twist.is_null() {
                defs::store(twist, angles[2], "twist")?;
            }
        }
        Ok(())
    })
}

/// Reads. How far the frames are from where the joint holds them.
///
/// @param distance Host units. NULL: not wanted.
/// @param angle rad, 0 or more. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_get_error(joint: WithyJoint, distance: *mut f64, angle: *mut f64) -> i32 {
    guard::read("withy_joint_get_error", joint, |cx| {
        let [d, a] = cx.world.joint_error(cx.id)?;
        // SAFETY: the caller's contract.
        unsafe {
            if !distance.is_null() {
                defs::store(distance, cx.convention.length_out(d), "distance")?;
            }
            if !angle.is_null() {
                defs::store(angle, a, "angle")?;
            }
        }
        Ok(())
    })
}

/// Reads. The length of an arc, host units, also if the library chose it. 0 for other kinds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_joint_get_length(joint: WithyJoint, length: *mut f64) -> i32 {
    guard::read("withy_joint_get_length", joint, |cx| {
        let value = cx.convention.length_out(cx.world.joint(cx.id)?.length());
        // SAFETY: the caller's contract.
        unsafe { defs::store(length, value, "length") }
    })
}

/// Each is there, or the call fails before it does anything.
///
/// # Safety
/// `joints` is NULL or readable for `count` handles during the call.
unsafe fn chosen(w: &World, world: WithyWorld, joints: *const WithyJoint, count: u64) -> Result<List<WithyJoint>> {
    // SAFETY: the caller's contract.
    let list = unsafe { List::new(joints, count, "joints") };
    let list = list.map_err(|e| match count {
        WITHY_ALL => Failure::argument("count is WITHY_ALL: joints are listed, all is not for them"),
        _ => e,
    })?;
    for i in 0..list.count() {
        let id = list.id(world, i)?;
        if let Err(e) = w.joint(id) {
            return Err(Failure { message: format!("{}: {}", list.at(i), e.message), ..e.into() });
        }
    }
    Ok(list)
}

/// Writes. Sets motors of many joints, as `withy_joint_set_motor`.
///
/// @param joints `count` joints of the world.
/// @param motors `count` motors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_set_motors(
    world: WithyWorld,
    joints: *const WithyJoint,
    count: u64,
    motors: *const WithyMotor,
) -> i32 {
    guard::write("withy_world_set_motors", world, |cx| {
        let (w, c) = (cx.world, cx.convention);
        // SAFETY: the caller's contract.
        let list = unsafe { chosen(w, world, joints, count)? };
        if count == 0 {
            return Ok(());
        }
        defs::not_null(motors, "motors")?;
        if count.checked_mul(size_of::<WithyMotor>() as u64).is_none_or(|b| b > isize::MAX as u64) {
            return Err(Failure::argument(format!("count is {count}: motors leaves the address space")));
        }
        // SAFETY: the caller's contract.
        let motor = |i: usize| motor_desc(&unsafe { motors.add(i).read_unaligned() }, format_args!("motors[{i}]"), c);
        for i in 0..list.count() {
            motor(i)?;
            if matches!(w.joint(list.id(world, i)?)?.desc.kind, JointKind::Fixed) {
                return Err(Failure::argument(format!("{} is WITHY_JOINT_FIXED: it has no motor", list.at(i))));
            }
        }
        for i in 0..list.count() {
            let new = motor(i)?;
            w.change_joint(list.id(world, i)?, &mut |d| d.motor = Some(new))?;
        }
        Ok(())
    })
}

/// Reads. Errors of many joints, as `withy_joint_get_error`. A joint that is far off has to hold
/// more than it can. For the force itself see `withy_world_read_joint_forces`.
///
/// @param joints `count` joints of the world.
/// @param distances Numbers, host units. NULL: not wanted.
/// @param angles Numbers, rad. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_joint_errors(
    world: WithyWorld,
    joints: *const WithyJoint,
    count: u64,
    distances: *mut WithySpan,
    angles: *mut WithySpan,
) -> i32 {
    guard::read("withy_world_read_joint_errors", world, |cx| {
        // SAFETY: the caller's contract.
        let (list, distances, angles) = unsafe {
            let list = chosen(cx.world, world, joints, count)?;
            let n = list.count();
            (list, Output::<1>::wanted(distances, n, FLOATS, "distances")?, Output::<1>::wanted(angles, n, FLOATS, "angles")?)
        };
        for i in 0..list.count() {
            let [d, a] = cx.world.joint_error(list.id(world, i)?)?;
            distances.iter().for_each(|out| out.put(i, [cx.convention.length_out(d)]));
            angles.iter().for_each(|out| out.put(i, [a]));
        }
        Ok(())
    })
}

/// Reads. Forces of many joints, as `withy_joint_get_force`.
///
/// @param joints `count` joints of the world.
/// @param forces Vectors, N. NULL: not wanted.
/// @param torques Vectors, N m. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_joint_forces(
    world: WithyWorld,
    joints: *const WithyJoint,
    count: u64,
    forces: *mut WithySpan,
    torques: *mut WithySpan,
) -> i32 {
    guard::read("withy_world_read_joint_forces", world, |cx| {
        // SAFETY: the caller's contract.
        let (list, forces, torques) = unsafe {
            let list = chosen(cx.world, world, joints, count)?;
            let n = list.count();
            (list, Output::<3>::wanted(forces, n, FLOATS, "forces")?, Output::<3>::wanted(torques, n, FLOATS, "torques")?)
        };
        for i in 0..list.count() {
            let [f, t] = cx.world.joint_force(list.id(world, i)?)?.map(|v| v.to_array());
            forces.iter().for_each(|out| out.put(i, cx.convention.direction_out(f)));
            torques.iter().for_each(|out| out.put(i, cx.convention.moment_out(t)));
        }
        Ok(())
    })
}

/// A joint that broke.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyBrokenJoint {
    /// It is off. Destroy it, or switch it on to mend it.
    pub joint: WithyJoint,
    /// What it held in the step, N.
    pub force: f64,
    /// The same, N m.
    pub torque: f64,
}

/// Reads. The joints that broke in the last step.
///
/// Joints that have been destroyed since are left out.
///
/// @param broken Room for `*count` structs, or NULL to learn the count.
/// @param count Set to the number of joints that broke.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_broken_joints(
    world: WithyWorld,
    broken: *mut WithyBrokenJoint,
    count: *mut u64,
) -> i32 {
    guard::read("withy_world_read_broken_joints", world, |cx| {
        let needed = cx.world.broken_joints().count();
        // SAFETY: the caller's contract.
        if unsafe { span::buffer(broken, count, needed, "count")? }.is_some() {
            for (i, b) in cx.world.broken_joints().enumerate() {
                let value = WithyBrokenJoint { joint: handles::object(world, b.joint), force: b.force, torque: b.torque };
                // SAFETY: `buffer` has checked the room.
                unsafe { broken.add(i).write_unaligned(value) };
            }
        }
        Ok(())
    })
}
