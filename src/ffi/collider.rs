//! Colliders
//!
//! Simple shapes that the host moves, and that rods and bodies slide on: the ground, a head, a
//! hand.

use std::ffi::c_void;

use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard::{self, Result};
use super::handles;
use super::types::{WithyPose, WithyVec3};
use super::world::WithyWorld;
use crate::world::{ColliderDesc, Shape, validate};

/// Handle of a collider.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyCollider {
    pub bits: u64,
}
handles::handle!(WithyCollider, Collider, "collider");

/// Everything below a plane. The plane goes through the pose's origin; its normal is the pose's
/// local up axis (y, or z where the convention has Z up).
pub const WITHY_SHAPE_PLANE: u32 = 0;
/// A sphere of `radius`.
pub const WITHY_SHAPE_SPHERE: u32 = 1;
/// A cylinder of `radius` along local up, from -`half_height` to +`half_height`, with round caps.
pub const WITHY_SHAPE_CAPSULE: u32 = 2;
/// A box of `half_extents` along the local axes.
pub const WITHY_SHAPE_BOX: u32 = 3;
/// The hull of two spheres on local up: `radius` at -`half_height`, `radius_top` at +`half_height`.
pub const WITHY_SHAPE_TAPERED_CAPSULE: u32 = 4;

/// How to create a collider. Lengths and positions are in host units. Every shape is centred on the
/// pose.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyColliderDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_SHAPE_ value, up to WITHY_SHAPE_TAPERED_CAPSULE. Default: WITHY_SHAPE_PLANE.
    pub shape: u32,
    /// The layers that the collider is in. Default: 1.
    pub category: u32,
    /// The layers that it meets, as in WithyRodsDef. Default: all.
    pub mask: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Where it is. Default: identity.
    pub pose: WithyPose,
    /// [1e-9, 1e6] m, for shapes that need it.
    pub radius: f64,
    /// [0, 1e6] m, for capsules; without the caps.
    pub half_height: f64,
    /// [1e-9, 1e6] m, for boxes.
    pub half_extents: WithyVec3,
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.5.
    pub friction: f64,
    /// [1e-9, 1e6] m, for tapered capsules.
    pub radius_top: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyColliderDef {
    // Up to `friction`.
    const FIRST_SIZE: usize = 136;
    fn defaults() -> Self {
        let desc = ColliderDesc::default();
        WithyColliderDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            shape: WITHY_SHAPE_PLANE,
            category: desc.category,
            mask: desc.mask,
            reserved: 0,
            pose: WithyPose::IDENTITY,
            radius: 0.0,
            half_height: 0.0,
            half_extents: WithyVec3::default(),
            friction: desc.friction,
            radius_top: 0.0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

fn collider_desc(def: &WithyColliderDef, c: &Convention) -> Result<ColliderDesc> {
    let shape = match defs::choice(def.shape, &[0, 1, 2, 3, 4], "shape")? {
        WITHY_SHAPE_PLANE => Shape::Plane,
        WITHY_SHAPE_SPHERE => Shape::Sphere { radius: c.checked_length(def.radius, "radius", validate::SHAPE_SIZE)? },
        WITHY_SHAPE_CAPSULE => Shape::Capsule {
            radius: c.checked_length(def.radius, "radius", validate::SHAPE_SIZE)?,
            half_height: c.checked_length(def.half_height, "half_height", validate::HALF_HEIGHT)?,
        },
        WITHY_SHAPE_TAPERED_CAPSULE => Shape::TaperedCapsule {
            half_height: c.checked_length(def.half_height, "half_height", validate::HALF_HEIGHT)?,
            bottom: c.checked_length(def.radius, "radius", validate::SHAPE_SIZE)?,
            top: c.checked_length(def.radius_top, "radius_top", validate::SHAPE_SIZE)?,
        },
        _ => {
            let e = def.half_extents.array();
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                c.checked_length(e[k], format_args!("half_extents.{axis}"), validate::SHAPE_SIZE)?;
            }
            Shape::Box { half_extents: c.extents_in(e) }
        }
    };
    Ok(ColliderDesc {
        shape,
        pose: c.checked_pose(&def.pose, "pose")?,
        friction: finite(def.friction, "friction")?,
        category: def.category,
        mask: def.mask,
    })
}

/// Fills `def` with the defaults. Use the macro `withy_collider_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_collider_def_init_sized(def: *mut WithyColliderDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_collider_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds a collider to a world.
///
/// @param collider Set on success. Destroy it with `withy_collider_destroy`, or with its world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_collider_create(
    world: WithyWorld,
    def: *const WithyColliderDef,
    collider: *mut WithyCollider,
) -> i32 {
    guard::write("withy_collider_create", world, |cx| {
        defs::not_null(collider, "collider")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let id = cx.world.add_collider(collider_desc(&def, cx.convention)?)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(collider, handles::object(world, id), "collider") }
    })
}

/// Writes. Removes a collider.
#[unsafe(no_mangle)]
pub extern "C" fn withy_collider_destroy(collider: WithyCollider) -> i32 {
    guard::write("withy_collider_destroy", collider, |cx| Ok(cx.world.remove_collider(cx.id)?))
}

/// Writes. Says where the collider is at the end of the next step. It moves there during the step,
/// drags along by friction what touches it, and stays there afterwards.
///
/// @param teleport 1: it jumps there without a velocity. 0: it moves there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_collider_set_pose(collider: WithyCollider, pose: *const WithyPose, teleport: u32) -> i32 {
    guard::write("withy_collider_set_pose", collider, |cx| {
        cx.world.collider(cx.id)?;
        let teleport = defs::boolean(teleport, "teleport")?;
        // SAFETY: the caller's contract.
        let pose = cx.convention.checked_pose(&unsafe { defs::load(pose, "pose")? }, "pose")?;
        Ok(cx.world.set_collider_pose(cx.id, pose, teleport)?)
    })
}

/// Reads. The pose that was set last.
///
/// @param pose Set, in host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_collider_get_pose(collider: WithyCollider, pose: *mut WithyPose) -> i32 {
    guard::read("withy_collider_get_pose", collider, |cx| {
        let value = cx.convention.pose_out(cx.world.collider(cx.id)?.pose);
        // SAFETY: the caller's contract.
        unsafe { defs::store(pose, value, "pose") }
    })
}
