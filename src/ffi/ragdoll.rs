//! Ragdolls
//!
//! A set of ragdolls is any number of instances of one description: a tree of bones, rigid bodies
//! on some of them, joints between these, and regions. A region is a chain of bones (a spine, a
//! neck, a tail) that one elastic arc stands for.
//!
//! An instance has bodies and joints from its transition (`withy_ragdolls_instantiate`) until
//! `withy_ragdolls_remove`. They are bodies and joints of the world like others.
//!
//! Poses of bones are given and read in the world: one position and one rotation for each bone,
//! instance after instance. `which` holds the numbers of instances, and `count` how many there are.
//! NULL and WITHY_ALL mean all: in `withy_ragdolls_instantiate` all that there is room for,
//! elsewhere all that have bodies. These functions are made for calling every frame: apart from
//! creating, instantiating and removing they allocate nothing, and if something is wrong they do
//! nothing.

use std::f64::consts::PI;
use std::ffi::c_void;
use std::sync::Arc;

use super::body::{WithyBody, WithyBodyDef};
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::joint::{WithyArc, WithyJoint, WithyJointDef};
use super::ragdoll_desc::ragdoll_desc;
use super::ragdoll_input::*;
use super::span::{self, FLOATS, Output, View};
use super::types::{WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::math::Transform;
use crate::ragdoll::*;

/// Handle of a set of ragdolls.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyRagdolls {
    pub bits: u64,
}
handles::handle!(WithyRagdolls, Ragdolls, "ragdolls");

/// A flag of a body: `joint->frame_a` says where the joint is in the bone of the parent body.
/// Without it the joint is where it is in the bind pose.
pub const WITHY_RAGDOLL_BODY_PARENT_FRAME: u32 = 1;

/// A body of a ragdoll. Its frame is that of its bone. All bodies in an array must be filled by the
/// same version of the init function.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollBodyDef {
    pub struct_size: u32,
    /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Shapes, mass and motion; its pose, velocity and spin are not used. Required. With
    /// WITHY_BODY_KINEMATIC the animation moves the body until it is let go.
    pub body: *const WithyBodyDef,
    /// What connects it to the body on the nearest bone above: any joint but an arc. `frame_b` is
    /// in this bone; `body_a` and `body_b` are null. NULL: nothing. A region's arc replaces it.
    pub joint: *const WithyJointDef,
    /// The number of its bone.
    pub bone: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRagdollBodyDef {
    const FIRST_SIZE: usize = 40;
    const FLAGS: u32 = WITHY_RAGDOLL_BODY_PARENT_FRAME;
    fn defaults() -> Self {
        WithyRagdollBodyDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            body: std::ptr::null(),
            joint: std::ptr::null(),
            bone: 0,
            reserved: 0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// The region wants to keep the shape that it has at the transition. The default.
pub const WITHY_REGION_REST_POSE: u32 = 0;
/// The region is pulled to the shape of the bind pose.
pub const WITHY_REGION_REST_BIND: u32 = 1;

/// The inner bones of a region are read back along the arc. The default.
pub const WITHY_REGION_ALONG_ARC: u32 = 0;
/// They share the change of orientation between the ends; lengths of bones stay (Lewin 2013).
pub const WITHY_REGION_ORIENTATION: u32 = 1;
/// They share the change of orientation and of position (Lewin 2013).
pub const WITHY_REGION_ORIENTATION_AND_POSITION: u32 = 2;

/// A flag of a region: the arc takes `relaxation` in place of `bend` and `twist`.
pub const WITHY_REGION_RELAXATION: u32 = 1;

/// A chain of bones of which only the first and the last have bodies, with one arc between them.
/// All regions in an array must be filled by the same version of the init function.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRegionDef {
    pub struct_size: u32,
    /// WITHY_REGION_RELAXATION, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// The number of the first body.
    pub first: u32,
    /// The number of the last body. Its bone is below that of the first. Bodies on bones between
    /// them are not made; their shapes and masses go to the nearer end.
    pub last: u32,
    /// Where the arc begins, in the first bone, host units. Default: its origin.
    pub anchor_a: WithyVec3,
    /// Where the arc ends, in the last bone, host units. Default: its origin.
    pub anchor_b: WithyVec3,
    /// The direction in the first bone about which `arc.bend[0]` counts. Default: x.
    pub axis: WithyVec3,
    /// Stiffness of the arc. `rest` is not used. `length` 0: the length at the transition.
    pub arc: WithyArc,
    /// Limits of the bend about `axis` and across it, from straight, rad, as those of an arc joint.
    /// Default: none.
    pub swing: [f64; 2],
    /// Limits of the twist from the bind pose, rad, as those of an arc joint. Default: none.
    pub twist: [f64; 2],
    /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    pub rest: u32,
    /// WITHY_REGION_ALONG_ARC (the default), WITHY_REGION_ORIENTATION or
    /// WITHY_REGION_ORIENTATION_AND_POSITION.
    pub read_back: u32,
    /// 1: the two bodies may touch. 0 (the default): they do not collide.
    pub collide: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRegionDef {
    const FIRST_SIZE: usize = 224;
    const FLAGS: u32 = WITHY_REGION_RELAXATION;
    fn defaults() -> Self {
        WithyRegionDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            first: 0,
            last: 0,
            anchor_a: WithyVec3::default(),
            anchor_b: WithyVec3::default(),
            axis: WithyVec3 { x: 1.0, y: 0.0, z: 0.0 },
            arc: WithyArc { length: 0.0, bend: [0.0; 2], twist: 0.0, viscosity: 0.0, rest: [0.0; 3], relaxation: [0.0; 2] },
            swing: [PI; 2],
            twist: [-PI, PI],
            rest: WITHY_REGION_REST_POSE,
            read_back: WITHY_REGION_ALONG_ARC,
            collide: 0,
            reserved: 0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// A flag of the def: bodies of the same instance do not collide with each other.
pub const WITHY_RAGDOLL_NO_SELF_COLLISION: u32 = 1;
/// A flag of the def: bones without a body, outside of regions, have the local pose of the
/// animation. Without it they keep the local pose of the transition.
pub const WITHY_RAGDOLL_ANIMATED_BONES: u32 = 2;

/// How to create a set of ragdolls.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollDef {
    pub struct_size: u32,
    /// WITHY_RAGDOLL_NO_SELF_COLLISION, WITHY_RAGDOLL_ANIMATED_BONES, both, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// u32, one a bone: the number of its parent, anywhere in the array, or UINT32_MAX for a root.
    /// At most 65,536 bones.
    pub parents: WithySpan,
    /// Vectors, one a bone: the bind pose in the frame of the parent; of roots, in the world. Host
    /// units.
    pub positions: WithySpan,
    /// Quaternions, one a bone: the same.
    pub rotations: WithySpan,
    /// `body_count` bodies.
    pub bodies: *const WithyRagdollBodyDef,
    /// `region_count` regions.
    pub regions: *const WithyRegionDef,
    pub body_count: u32,
    pub region_count: u32,
    /// Pairs of u32: numbers of bodies that pass through each other. Those that a joint or an arc
    /// connects do so anyway. Default: none.
    pub apart: WithySpan,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRagdollDef {
    const FIRST_SIZE: usize = 168;
    const FLAGS: u32 = WITHY_RAGDOLL_NO_SELF_COLLISION | WITHY_RAGDOLL_ANIMATED_BONES;
    fn defaults() -> Self {
        WithyRagdollDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            parents: WithySpan::default(),
            positions: WithySpan::default(),
            rotations: WithySpan::default(),
            bodies: std::ptr::null(),
            regions: std::ptr::null(),
            body_count: 0,
            region_count: 0,
            apart: WithySpan::default(),
        }
    }
}

/// How strongly motors pull the joints towards a target pose. Limits of joints hold all the same.
/// Fill it with `withy_ragdoll_drive_init`. It has no size field; it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollDrive {
    /// N m/rad with every convention, 0 or more. INFINITY: as stiff as the solver can make it.
    /// Default: 0.
    pub stiffness: f64,
    /// N m s/rad, against spin other than the target's, 0 or more, or INFINITY. Default: 0.
    pub damping: f64,
    /// Limit of the torque of a joint, N m, 0 or more. INFINITY (the default): no limit.
    pub max_torque: f64,
    /// Numbers, [0, 1e9], one for each body of the def: factors of these three for the joint above
    /// it. Count 0 (the default): 1.
    pub scale: WithySpan,
}

/// Fills `drive` with one that drives nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdoll_drive_init(drive: *mut WithyRagdollDrive) -> i32 {
    let none = WithySpan { data: std::ptr::null_mut(), count: 0, stride: 0, format: 0, reserved: 0 };
    let value = WithyRagdollDrive { stiffness: 0.0, damping: 0.0, max_torque: f64::INFINITY, scale: none };
    // SAFETY: the caller's contract.
    guard::call("withy_ragdoll_drive_init", || unsafe { defs::store(drive, value, "drive") })
}

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_body_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdoll_body_def_init_sized(def: *mut WithyRagdollBodyDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_ragdoll_body_def_init", || unsafe { defs::init(def, size) })
}

/// Fills `def` with the defaults. Use the macro `withy_region_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_region_def_init_sized(def: *mut WithyRegionDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_region_def_init", || unsafe { defs::init(def, size) })
}

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdoll_def_init_sized(def: *mut WithyRagdollDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_ragdoll_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds a set of ragdolls to a world. Everything in `def` is copied. No instance has bodies
/// yet.
///
/// @param instances The number of instances.
/// @param ragdolls Set on success. Destroy it with `withy_ragdolls_destroy`, or with its world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_create(
    world: WithyWorld,
    def: *const WithyRagdollDef,
    instances: u32,
    ragdolls: *mut WithyRagdolls,
) -> i32 {
    guard::write("withy_ragdolls_create", world, |cx| {
        defs::not_null(ragdolls, "ragdolls")?;
        // SAFETY: the caller's contract.
        let desc = unsafe { ragdoll_desc(&defs::read(def)?, cx.convention)? };
        let id = cx.world.add_ragdolls(Arc::new(Ragdoll::new(&desc)?), instances as usize)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(ragdolls, handles::object(world, id), "ragdolls") }
    })
}

/// Writes. Removes a set with all its bodies and joints.
#[unsafe(no_mangle)]
pub extern "C" fn withy_ragdolls_destroy(ragdolls: WithyRagdolls) -> i32 {
    guard::write("withy_ragdolls_destroy", ragdolls, |cx| Ok(cx.world.remove_ragdolls(cx.id)?))
}

/// A flag of `withy_ragdolls_instantiate`: joints stay where the def has them in the parents, even
/// if the animation has stretched the bones. Without it they move to where the bones meet.
pub const WITHY_RAGDOLL_KEEP_ANCHORS: u32 = 1;
/// A flag of `withy_ragdolls_instantiate`: limits of joints stay, even if the pose is beyond them.
/// Without it they are opened up to the pose.
pub const WITHY_RAGDOLL_KEEP_LIMITS: u32 = 2;

fn transition(flags: u32) -> Result<Transition> {
    if flags & !(WITHY_RAGDOLL_KEEP_ANCHORS | WITHY_RAGDOLL_KEEP_LIMITS) != 0 {
        return Err(Failure::unsupported(format!("flags is 0x{flags:x}: this version knows 0x3")));
    }
    Ok(Transition { anchors: flags & WITHY_RAGDOLL_KEEP_ANCHORS == 0, limits: flags & WITHY_RAGDOLL_KEEP_LIMITS == 0 })
}

/// Writes. The transition from animation to physics: gives instances bodies in the poses of their
/// bones. Instances that have bodies are put into the new pose. Joints and arcs are fitted to the
/// pose; they keep their handles.
///
/// The velocities follow from the two poses and the time between them.
///
/// @param which Numbers of instances, each once. NULL and a count of WITHY_ALL: all.
/// @param positions Vectors, one for each bone of each instance.
/// @param rotations Quaternions, the same.
/// @param positions_before The positions `dt` seconds before. NULL, as are the rotations: at rest.
/// @param rotations_before The rotations `dt` seconds before.
/// @param dt Time between the two poses, s.
/// @param flags WITHY_RAGDOLL_KEEP_ flags, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_instantiate(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    positions_before: *const WithySpan,
    rotations_before: *const WithySpan,
    dt: f64,
    flags: u32,
) -> i32 {
    guard::write("withy_ragdolls_instantiate", ragdolls, |cx| {
        let transition = transition(flags)?;
        // SAFETY: the caller's contract.
        unsafe {
            enter(cx, which, count, false, |set, world, c, b| {
                let n = b.which.len() * set.ragdoll().bones();
                poses_in(positions, rotations, POSES, n, c, &mut b.poses)?;
                let motion = motion_in(positions_before, rotations_before, dt, n, c, &mut b.before)?;
                Ok(set.instantiate(world, &b.which, &b.poses, motion, transition)?)
            })
        }
    })
}

/// Writes. The same with given velocities.
///
/// @param velocities Vectors: of the origins of the bones, host units/s. NULL: 0.
/// @param spins Vectors, rad/s, about the axes of the world. NULL: 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_instantiate_moving(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    velocities: *const WithySpan,
    spins: *const WithySpan,
    flags: u32,
) -> i32 {
    guard::write("withy_ragdolls_instantiate_moving", ragdolls, |cx| {
        let transition = transition(flags)?;
        // SAFETY: the caller's contract.
        unsafe {
            enter(cx, which, count, false, |set, world, c, b| {
                let n = b.which.len() * set.ragdoll().bones();
                poses_in(positions, rotations, POSES, n, c, &mut b.poses)?;
                let view = |span: *const WithySpan, name: &'static str| match span.is_null() || n == 0 {
                    true => Ok(None),
                    false => View::<3>::argument(span, name, n, "poses").map(Some),
                };
                let (v, w) = (view(velocities, "velocities")?, view(spins, "spins")?);
                b.moves.clear();
                for i in 0..n {
                    let velocity = v.as_ref().map_or(Ok([0.0; 3]), |v| c.checked_position(v.get(i), "velocities", Some(i)))?;
                    let spin = w.as_ref().map_or(Ok([0.0; 3]), |w| c.checked_moment(w.get(i), "spins", Some(i)))?;
                    b.moves.push([velocity, spin]);
                }
                Ok(set.instantiate(world, &b.which, &b.poses, Motion::Given(&b.moves), transition)?)
            })
        }
    })
}

/// Writes. Takes the bodies and joints of instances out of the world. Instances that have none are
/// left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_remove(ragdolls: WithyRagdolls, which: *const u32, count: u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_remove", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, world, _, b| Ok(set.remove(world, &b.which)?))
    })
}

/// Writes. Says where the animation wants the bones at the end of the next step. Motors drive all
/// joints and arcs there, and kinematic bodies move there. It holds until the next call.
///
/// @param positions Vectors, one for each bone of each instance.
/// @param rotations Quaternions, the same.
/// @param positions_before The targets `dt` seconds before: damping then acts towards their motion.
///     NULL, as are the rotations: towards rest.
/// @param rotations_before The rotations `dt` seconds before.
/// @param dt Time between the two poses, s.
/// @param drive How strong the motors are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_set_targets(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    positions_before: *const WithySpan,
    rotations_before: *const WithySpan,
    dt: f64,
    drive: *const WithyRagdollDrive,
) -> i32 {
    guard::write("withy_ragdolls_set_targets", ragdolls, |cx| {
        // SAFETY: the caller's contract.
        unsafe {
            let d = defs::load(drive, "drive")?;
            enter(cx, which, count, true, |set, world, c, b| {
                let n = b.which.len() * set.ragdoll().bones();
                poses_in(positions, rotations, POSES, n, c, &mut b.poses)?;
                let motion = motion_in(positions_before, rotations_before, dt, n, c, &mut b.before)?;
                numbers_in(&d.scale, "drive.scale", &mut b.numbers)?;
                let drive = Drive { stiffness: d.stiffness, damping: d.damping, max_torque: d.max_torque, scale: &b.numbers };
                Ok(set.set_targets(world, &b.which, &b.poses, motion, drive)?)
            })
        }
    })
}

/// Writes. Gives joints the motors of the def again, which for most joints is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_clear_targets(ragdolls: WithyRagdolls, which: *const u32, count: u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_clear_targets", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, world, _, b| Ok(set.clear_targets(world, &b.which)?))
    })
}

/// Writes. Says who moves a body: the animation, by `withy_ragdolls_set_targets`, or the
/// simulation. A body that becomes kinematic stays where it is until a target comes. One that is
/// let go keeps the velocity of its last target.
///
/// @param body Its number in the def. UINT32_MAX: all bodies.
/// @param kinematic 1: the animation. 0: the simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_set_kinematic(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    body: u32,
    kinematic: u32,
) -> i32 {
    guard::write("withy_ragdolls_set_kinematic", ragdolls, |cx| {
        let kinematic = defs::boolean(kinematic, "kinematic")?;
        let body = (body != u32::MAX).then_some(body);
        // SAFETY: the caller's contract.
        unsafe { enter(cx, which, count, true, |set, world, _, b| Ok(set.set_kinematic(world, &b.which, body, kinematic)?)) }
    })
}

/// Writes. Moves all bodies of instances at once, with their velocities, by rigid transforms: x
/// becomes rotation * x + position.
///
/// @param positions Vectors, one an instance, host units.
/// @param rotations Quaternions, one an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_teleport(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_teleport", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, world, c, b| {
            poses_in(positions, rotations, POSES, b.which.len(), c, &mut b.poses)?;
            Ok(set.teleport(world, &b.which, &b.poses)?)
        })
    })
}

/// Writes. Fades instances between simulation and animation. The weight is 1 after the transition
/// (all simulated) and goes to `weight` at a constant rate. `withy_ragdolls_advance` moves it.
///
/// @param weight 0 (all animated) to 1 (all simulated).
/// @param seconds How long it takes. 0: at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_fade(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    weight: f64,
    seconds: f64,
) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_fade", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, _, _, b| Ok(set.fade(&b.which, weight, seconds)?))
    })
}

/// Writes. Lets `dt` seconds pass for the fading. Call it after each step.
#[unsafe(no_mangle)]
pub extern "C" fn withy_ragdolls_advance(ragdolls: WithyRagdolls, dt: f64) -> i32 {
    guard::write("withy_ragdolls_advance", ragdolls, |cx| {
        cx.world.with_ragdolls(cx.id, |set, _| Ok::<(), Failure>(set.advance(dt)?))
    })
}

/// Reads. The weight of an instance, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_get_weight(ragdolls: WithyRagdolls, instance: u32, weight: *mut f64) -> i32 {
    guard::read("withy_ragdolls_get_weight", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        set.check_alive(instance)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(weight, set.weight(instance), "weight") }
    })
}

/// Writes (it uses memory of the set). Gives the poses of all bones in the world: simulated, or
/// blended with the animation.
///
/// @param animated_positions The animation's positions in the world. NULL, as are the rotations:
///     all is simulated, whatever the weights.
/// @param animated_rotations The animation's rotations.
/// @param weights Numbers, one a bone, [0, 1]: factors of the weight of the instance. NULL, or a
///     count of 0: 1.
/// @param positions Vectors, one for each bone of each instance. NULL: not wanted. With NULL data
///     the count is set.
/// @param rotations Quaternions, the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_read(
    ragdolls: WithyRagdolls,
    which: *const u32,
    count: u64,
    animated_positions: *const WithySpan,
    animated_rotations: *const WithySpan,
    weights: *const WithySpan,
    positions: *mut WithySpan,
    rotations: *mut WithySpan,
) -> i32 {
    guard::write("withy_ragdolls_read", ragdolls, |cx| {
        // SAFETY: the caller's contract.
        unsafe {
            enter(cx, which, count, true, |set, world, c, b| {
                let n = b.which.len() * set.ragdoll().bones();
                let x = Output::<3>::wanted(positions, n, FLOATS, "positions")?;
                let q = Output::<4>::wanted(rotations, n, FLOATS, "rotations")?;
                b.poses.clear();
                if !(animated_positions.is_null() && animated_rotations.is_null()) {
                    let names = ["animated_positions", "animated_rotations"];
                    poses_in(animated_positions, animated_rotations, names, n, c, &mut b.poses)?;
                }
                b.numbers.clear();
                if !weights.is_null() {
                    numbers_in(&weights.read_unaligned(), "weights", &mut b.numbers)?;
                }
                b.before.clear();
                b.before.resize(n, Transform::identity());
                set.read_back(world, &b.which, &b.poses, &b.numbers, &mut b.before)?;
                for (i, t) in b.before.iter().enumerate() {
                    x.iter().for_each(|x| x.put(i, c.position_out(t.position.to_array())));
                    q.iter().for_each(|q| q.put(i, c.rotation_out(t.rotation.to_array())));
                }
                Ok(())
            })
        }
    })
}

/// Reads. The sizes of a set.
///
/// @param instances The number of instances. NULL: not wanted.
/// @param bones The bones of each instance. NULL: not wanted.
/// @param bodies The bodies that each has in the world. NULL: not wanted.
/// @param joints The joints that each has in the world. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_get_counts(
    ragdolls: WithyRagdolls,
    instances: *mut u32,
    bones: *mut u32,
    bodies: *mut u32,
    joints: *mut u32,
) -> i32 {
    guard::read("withy_ragdolls_get_counts", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        let r = set.ragdoll();
        for (to, n) in [(instances, set.count()), (bones, r.bones()), (bodies, r.body_count()), (joints, r.joint_count())] {
            if !to.is_null() {
                // SAFETY: the caller's contract.
                unsafe { defs::store(to, n as u32, "count")? };
            }
        }
        Ok(())
    })
}

/// Reads. The numbers of the instances that have bodies, in order. These are the ones that
/// WITHY_ALL means.
///
/// @param which Room for `*count` numbers, or NULL to learn the count.
/// @param count Set to how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_list(ragdolls: WithyRagdolls, which: *mut u32, count: *mut u64) -> i32 {
    guard::read("withy_ragdolls_list", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        let alive = || (0..set.count() as u32).filter(|&i| set.is_alive(i));
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(which) = span::buffer(which, count, alive().count(), "count")? {
                alive().enumerate().for_each(|(k, i)| which.add(k).write_unaligned(i));
            }
        }
        Ok(())
    })
}

/// Reads. The body in the world for a body of the def. The handle is null, without an error, if the
/// instance has no bodies now, or if the body is inside a region. The set owns it:
/// `withy_body_destroy` refuses it.
///
/// @param body Its number in the def.
/// @param handle Set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_get_body(
    ragdolls: WithyRagdolls,
    instance: u32,
    body: u32,
    handle: *mut WithyBody,
) -> i32 {
    guard::read("withy_ragdolls_get_body", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        set.check_indices(instance, body)?;
        let value = match set.is_alive(instance) && set.ragdoll().has_body(body) {
            true => handles::object(ragdolls, set.body(instance, body)?),
            false => WithyBody::default(),
        };
        // SAFETY: the caller's contract.
        unsafe { defs::store(handle, value, "handle") }
    })
}

/// Reads. The joint or arc above a body of the def. The handle is null, without an error, if there
/// is none now. You may destroy it, and the limb comes off; it comes back at the next transition.
///
/// @param body Its number in the def.
/// @param handle Set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_get_joint(
    ragdolls: WithyRagdolls,
    instance: u32,
    body: u32,
    handle: *mut WithyJoint,
) -> i32 {
    guard::read("withy_ragdolls_get_joint", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        set.check_indices(instance, body)?;
        let there = set.is_alive(instance) && set.ragdoll().has_joint(body);
        let joint = if there { Some(set.joint(instance, body)?) } else { None };
        let value = match joint.filter(|&id| cx.world.joint(id).is_ok()) {
            Some(id) => handles::object(ragdolls, id),
            None => WithyJoint::default(),
        };
        // SAFETY: the caller's contract.
        unsafe { defs::store(handle, value, "handle") }
    })
}
