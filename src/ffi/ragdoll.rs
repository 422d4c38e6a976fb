//! Ragdolls
//!
//! Characters that fall: a tree of bones, bodies on some of them, and regions (a spine, a neck, a tail) of many bones that one arc stands
//! for. A set holds any number of instances of one description. An instance has bodies and joints from the moment of its transition,
//! withy_ragdolls_instantiate, to withy_ragdolls_remove; they are bodies and joints of the world like others.
//!
//! Poses of bones are in world space, one position and one rotation a bone, the bones of one instance after those of the other. Calls take
//! the numbers of instances, `which`; NULL and WITHY_ALL mean all (in withy_ragdolls_instantiate), or all that have bodies (in the others), in
//! their order. These calls are for each frame: but for creating, instantiating and removing they allocate nothing once the largest number
//! of instances has been seen, and they do all or, if something is refused, nothing.

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

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyRagdolls {
    pub bits: u64,
}
handles::handle!(WithyRagdolls, Ragdolls, "ragdolls");

/// A flag of a body: `joint->frame_a` is where the joint is in the bone of the parent's body. Without: where it is in the bind pose.
pub const WITHY_RAGDOLL_BODY_PARENT_FRAME: u32 = 1;

/// A body, whose frame is that of its bone. All bodies of one array must be of one version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollBodyDef {
    pub struct_size: u32,
    /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Required. Its pose, velocity and spin are not used. WITHY_BODY_KINEMATIC: the animation moves it until it is let go.
    pub body: *const WithyBodyDef,
    /// What joins it to the body on the nearest bone above; `frame_b` is in this bone, `body_a` and `body_b` are null. NULL: nothing.
    /// An arc replaces it. Not of kind WITHY_JOINT_ARC.
    pub joint: *const WithyJointDef,
    pub bone: u32,
    /// 0
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

/// What a region's natural bend and twist are: those of the pose of the transition, or those of the bind pose, to which stiffness then
/// pulls.
pub const WITHY_REGION_REST_POSE: u32 = 0;
pub const WITHY_REGION_REST_BIND: u32 = 1;

/// How the bones inside of a region come back: along the arc; or, as in the paper, by sharing out the change of orientation, which keeps
/// the lengths of bones, or that of orientation and position.
pub const WITHY_REGION_ALONG_ARC: u32 = 0;
pub const WITHY_REGION_ORIENTATION: u32 = 1;
pub const WITHY_REGION_ORIENTATION_AND_POSITION: u32 = 2;

/// A flag of a region: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
pub const WITHY_REGION_RELAXATION: u32 = 1;

/// A chain of bones of which only the first and the last have a body, with one arc between them. All regions of one array must be of one
/// version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRegionDef {
    pub struct_size: u32,
    /// WITHY_REGION_RELAXATION, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Indices of bodies; the last's bone is below the first's. Bodies between are not made: shapes and mass go to the nearer end.
    pub first: u32,
    pub last: u32,
    /// The ends of the arc, host units, in the first and in the last bone. Default: their origins.
    pub anchor_a: WithyVec3,
    pub anchor_b: WithyVec3,
    /// Direction in the first bone about which `arc.bend[0]` counts. Default: x.
    pub axis: WithyVec3,
    /// `rest` is not used; `length` 0: that of the pose of the transition.
    pub arc: WithyArc,
    /// Limits of the bend, from straight, about `axis` and across it, and of the twist, from the bind pose, as those of an arc joint.
    /// Default: none.
    pub swing: [f64; 2],
    pub twist: [f64; 2],
    /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    pub rest: u32,
    /// WITHY_REGION_ALONG_ARC (the default), _ORIENTATION or _ORIENTATION_AND_POSITION.
    pub read_back: u32,
    /// 1: the two bodies may touch. Default: 0.
    pub collide: u32,
    /// 0
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

/// A flag of the def: bodies of one instance do not collide with each other.
pub const WITHY_RAGDOLL_NO_SELF_COLLISION: u32 = 1;
/// A flag of the def: bones without a body and outside of regions keep the local pose that the animation has, instead of that of the
/// transition.
pub const WITHY_RAGDOLL_ANIMATED_BONES: u32 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollDef {
    pub struct_size: u32,
    /// WITHY_RAGDOLL_ flags, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// u32, one a bone: the parent's index, anywhere in the array, or UINT32_MAX. At most 65536 bones.
    pub parents: WithySpan,
    /// Vectors and quaternions, one a bone: the bind pose, in the parent's frame, of a root in the world's.
    pub positions: WithySpan,
    pub rotations: WithySpan,
    /// `body_count` and `region_count` of them.
    pub bodies: *const WithyRagdollBodyDef,
    pub regions: *const WithyRegionDef,
    pub body_count: u32,
    pub region_count: u32,
    /// Pairs of u32: bodies that pass through each other, besides those that a joint or an arc joins.
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

/// Motors towards target poses; limits hold all the same, which instantiating opens up to its pose and no further. Filled by
/// withy_ragdoll_drive_init. It has no size, and never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRagdollDrive {
    /// N m/rad in every convention, 0 or more; INFINITY: as stiff as the solver can.
    pub stiffness: f64,
    /// N m s/rad, against spin other than the target's, 0 or more; may be INFINITY.
    pub damping: f64,
    /// N m, 0 (drives nothing) or more; INFINITY (the default): no limit.
    pub max_torque: f64,
    /// Numbers, [0, 1e9], one a body of the def: factors of the three for the joint above it. Count 0: 1.
    pub scale: WithySpan,
}

/// Fills `drive` with what drives nothing: no stiffness and damping, no limit of the torque.
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

/// Writes. Adds a set of ragdolls to a world; everything in `def` is copied. No instance has bodies yet.
///
/// @param instances How many it has room for.
/// @param ragdolls Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
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

/// A flag of instantiating: joint frames in the parents stay where the def, or the bind pose, has them, even if the pose has stretched.
pub const WITHY_RAGDOLL_KEEP_ANCHORS: u32 = 1;
/// A flag of instantiating: limits stay as they are, even if the pose is beyond.
pub const WITHY_RAGDOLL_KEEP_LIMITS: u32 = 2;

fn transition(flags: u32) -> Result<Transition> {
    if flags & !(WITHY_RAGDOLL_KEEP_ANCHORS | WITHY_RAGDOLL_KEEP_LIMITS) != 0 {
        return Err(Failure::unsupported(format!("flags is 0x{flags:x}: this version knows 0x3")));
    }
    Ok(Transition { anchors: flags & WITHY_RAGDOLL_KEEP_ANCHORS == 0, limits: flags & WITHY_RAGDOLL_KEEP_LIMITS == 0 })
}

/// Writes. The moment of transition from animation: gives instances bodies at the poses of their bones, or puts those there that have
/// some. Arcs and joints are made to fit the pose; those that are there keep their handles, not their impulses.
///
/// @param which `count` numbers of instances, each once; NULL and WITHY_ALL: all.
/// @param positions Vectors and quaternions, one a bone of each.
/// @param rotations Vectors and quaternions, one a bone of each.
/// @param positions_before The poses `dt` seconds before, which give the velocities. NULL, both: at rest.
/// @param rotations_before The poses `dt` seconds before, which give the velocities. NULL, both: at rest.
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

/// Writes. The same with the velocities given.
///
/// @param velocities Vectors, of the bones' origins, host units/s. NULL: 0.
/// @param spins Vectors, rad/s about the world's axes. NULL: 0.
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

/// Writes. Takes the bodies and joints of instances out of the world. Those that have none are left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_remove(ragdolls: WithyRagdolls, which: *const u32, count: u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_remove", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, world, _, b| Ok(set.remove(world, &b.which)?))
    })
}

/// Writes. Where the animation wants the bones: motors of all joints and arcs, and targets of the kinematic bodies, until the next call.
/// A region is driven by how its ends stand to each other.
///
/// @param positions Vectors and quaternions, one a bone of each.
/// @param rotations Vectors and quaternions, one a bone of each.
/// @param positions_before The targets `dt` seconds before: damping acts towards their motion. NULL, both: at rest.
/// @param rotations_before The targets `dt` seconds before: damping acts towards their motion. NULL, both: at rest.
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

/// Writes. Motors as the def has them, for most joints none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_clear_targets(ragdolls: WithyRagdolls, which: *const u32, count: u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::write("withy_ragdolls_clear_targets", ragdolls, |cx| unsafe {
        enter(cx, which, count, true, |set, world, _, b| Ok(set.clear_targets(world, &b.which)?))
    })
}

/// Writes. Who moves a body: the animation, through withy_ragdolls_set_targets, or the simulation. Made kinematic, it stays where it is until a target
/// comes; let go, it keeps the velocity that the last step's target gave it.
///
/// @param body Index in the def, or UINT32_MAX: all.
/// @param kinematic 1 or 0.
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

/// Writes. Moves all bodies of instances at once, with their velocities: x becomes rotation x + position.
///
/// @param positions Vectors and quaternions, one an instance.
/// @param rotations Vectors and quaternions, one an instance.
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

/// Writes. Where the weights of instances go: 1 (after the transition) is all simulated, 0 all animated. withy_ragdolls_advance moves them.
///
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

/// Writes. Time passes for the weights.
#[unsafe(no_mangle)]
pub extern "C" fn withy_ragdolls_advance(ragdolls: WithyRagdolls, dt: f64) -> i32 {
    guard::write("withy_ragdolls_advance", ragdolls, |cx| {
        cx.world.with_ragdolls(cx.id, |set, _| Ok::<(), Failure>(set.advance(dt)?))
    })
}

/// Reads. The weight of an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_ragdolls_get_weight(ragdolls: WithyRagdolls, instance: u32, weight: *mut f64) -> i32 {
    guard::read("withy_ragdolls_get_weight", ragdolls, |cx| {
        let set = cx.world.ragdolls(cx.id)?;
        set.check_alive(instance)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(weight, set.weight(instance), "weight") }
    })
}

/// Writes: it uses memory of the set. World poses of all bones, simulated, or blended with the animation in bone space.
///
/// @param animated_positions The animation's world poses. NULL, both: all simulated, whatever the weights.
/// @param animated_rotations The animation's world poses. NULL, both: all simulated, whatever the weights.
/// @param weights Numbers, [0, 1], one a bone, that multiply the instance's weight. NULL, or count 0: 1.
/// @param positions One a bone of each. NULL if not wanted; with NULL data the count is set.
/// @param rotations One a bone of each. NULL if not wanted; with NULL data the count is set.
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

/// Reads. Room for instances, bones of each, and bodies and joints that each has in the world.
///
/// @param instances NULL: not wanted.
/// @param bones NULL: not wanted.
/// @param bodies NULL: not wanted.
/// @param joints NULL: not wanted.
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

/// Reads. The numbers of the instances that have bodies, in order: those that WITHY_ALL means.
///
/// @param which Room for `*count` numbers, or NULL to learn the count.
/// @param count Set to how many they are.
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

/// Reads. The world's body for a body of the def; null, without an error, where the instance has none now or the body is inside of a
/// region. The set owns it: withy_body_destroy refuses it.
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

/// Reads. The joint or arc above a body of the def; null, without an error, where there is none now. A host may destroy it: a limb that
/// comes off. It comes back when the instance is instantiated anew.
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
