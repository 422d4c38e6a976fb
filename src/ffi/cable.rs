//! Cables
//!
//! A cable has no mass and does not bend. It goes from point to point of bodies and of the world,
//! straight between them, and slides through all but its two ends without friction: over pulleys,
//! through rings, through a block and tackle. It only pulls, with the same tension everywhere.
//! Hauled in it is a winch.
//!
//! It collides with nothing. For a rope that has weight, lies on things and makes knots, take a
//! WithyRods (`withy_rope_def_init`).

use std::ffi::c_void;

use super::body::WithyBody;
use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span::{FLOATS, Output};
use super::types::{WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::world::{CABLE_LENGTH, CABLE_POINTS, CABLE_RADIUS, CableDesc, CablePoint};

/// Handle of a cable.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyCable {
    pub bits: u64,
}
handles::handle!(WithyCable, Cable, "cable");

/// A point of a cable. It is fixed to its body where it is when the cable is created.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyCablePoint {
    /// A null handle: the point is fixed to the world.
    pub body: WithyBody,
    /// In world space, host units: the point, or the middle of a wheel.
    pub position: WithyVec3,
    /// Of a wheel: its axis, of any length. Around it the cable goes by the right-hand rule
    /// (left-hand in hosts with left-handed axes).
    pub axis: WithyVec3,
    /// Radius of a wheel, host units, [1e-6, 1e3] m. 0: a ring that the cable slides through, or an
    /// end. A wheel turns freely and weighs nothing. The cable may lie on three quarters of it, and
    /// be unwound by a quarter turn past straight: beyond that its length jumps by the
    /// circumference.
    pub radius: f64,
}

/// How to create a cable.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyCableDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// `point_count` points, from one end to the other. Required.
    pub points: *const WithyCablePoint,
    /// 2 to 256.
    pub point_count: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Length, host units, [1e-6, 1e6] m. 0 (the default): that of its way at creation.
    pub length: f64,
    /// Force that would stretch it to twice its length, EA, N, [1e-3, 1e15]. 0 (the default): it
    /// does not stretch.
    pub stiffness: f64,
    /// Tension at which it breaks, N, more than 0. Default: infinity, it never does.
    pub break_force: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyCableDef {
    const FIRST_SIZE: usize = 56;
    fn defaults() -> Self {
        WithyCableDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            points: std::ptr::null(),
            point_count: 0,
            reserved: 0,
            length: 0.0,
            stiffness: 0.0,
            break_force: f64::INFINITY,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// What a cable does.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyCableState {
    /// How long the cable is, host units: what was set last.
    pub length: f64,
    /// How long its way is now, host units. Where it is less than `length` the cable hangs loose.
    pub path: f64,
    /// On average over the last step, N.
    pub tension: f64,
    /// 1: it has broken, and pulls no more.
    pub broken: u32,
    /// 0
    pub reserved: u32,
}

/// Fills `def` with the defaults. Use the macro `withy_cable_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_cable_def_init_sized(def: *mut WithyCableDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_cable_def_init", || unsafe { defs::init(def, size) })
}

fn point(world: WithyWorld, p: &WithyCablePoint, c: &Convention, name: &str) -> Result<CablePoint> {
    let body = match p.body.bits {
        0 => None,
        _ => Some(handles::same_world(world, p.body, &format!("{name}.body"))?),
    };
    let (x, a) = (p.position, p.axis);
    let position = c.checked_position([x.x, x.y, x.z], format_args!("{name}.position"), None)?;
    if p.radius == 0.0 {
        return Ok(CablePoint { body, position, ..CablePoint::default() });
    }
    let radius = c.checked_length(p.radius, format_args!("{name}.radius"), CABLE_RADIUS)?;
    let axis = c.checked_moment([a.x, a.y, a.z], format_args!("{name}.axis"), None)?;
    Ok(CablePoint { body, position, axis, radius })
}

/// Writes. Adds a cable to a world. Everything in `def` is copied.
///
/// @param cable Set on success. Destroy it with `withy_cable_destroy`, or with its world. It is
///     destroyed with any of its bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_cable_create(world: WithyWorld, def: *const WithyCableDef, cable: *mut WithyCable) -> i32 {
    guard::write("withy_cable_create", world, |cx| {
        defs::not_null(cable, "cable")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        defs::not_null(def.points, "points")?;
        let (least, most) = CABLE_POINTS;
        if !(least..=most).contains(&(def.point_count as usize)) {
            return Err(Failure::argument(format!("point_count is {}: must be {least} to {most}", def.point_count)));
        }
        let points: Result<Vec<CablePoint>> = (0..def.point_count as usize)
            .map(|k| {
                // SAFETY: the caller's contract; no alignment is asked.
                let p = unsafe { def.points.add(k).read_unaligned() };
                point(world, &p, cx.convention, &format!("points[{k}]"))
            })
            .collect();
        let length = match def.length {
            0.0 => 0.0,
            length => cx.convention.checked_length(length, "length", CABLE_LENGTH)?,
        };
        let (stiffness, break_force) = (finite(def.stiffness, "stiffness")?, def.break_force);
        let desc = CableDesc { points: points?, length, stiffness, break_force };
        let id = cx.world.add_cable(&desc)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(cable, handles::object(world, id), "cable") }
    })
}

/// Writes. Removes a cable.
#[unsafe(no_mangle)]
pub extern "C" fn withy_cable_destroy(cable: WithyCable) -> i32 {
    guard::write("withy_cable_destroy", cable, |cx| Ok(cx.world.remove_cable(cx.id)?))
}

/// Writes. Says how long the cable is at the end of the next step. During the step it is hauled in,
/// or paid out, at an even speed. A winch calls this in every frame.
///
/// It has no stop: a load that is hauled past its wheel whirls round it. Keep `length` above the
/// way up to that wheel.
///
/// @param length Host units, [1e-6, 1e6] m.
#[unsafe(no_mangle)]
pub extern "C" fn withy_cable_set_length(cable: WithyCable, length: f64) -> i32 {
    guard::write("withy_cable_set_length", cable, |cx| {
        let length = cx.convention.checked_length(length, "length", CABLE_LENGTH)?;
        Ok(cx.world.set_cable_length(cx.id, length)?)
    })
}

/// Reads. Length, tension, and whether it has broken.
///
/// @param state Set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_cable_get_state(cable: WithyCable, state: *mut WithyCableState) -> i32 {
    guard::read("withy_cable_get_state", cable, |cx| {
        let s = cx.world.cable_state(cx.id)?;
        let c = cx.convention;
        let (length, path, broken) = (c.length_out(s.length), c.length_out(s.path), u32::from(s.broken));
        // SAFETY: the caller's contract.
        unsafe { defs::store(state, WithyCableState { length, path, tension: s.tension, broken, reserved: 0 }, "state") }
    })
}

/// Reads. The way of the cable, to draw it: one point for each of its points, and 17 on the rim of
/// each wheel. Their number does not change.
///
/// @param out Vectors, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_cable_read_points(cable: WithyCable, out: *mut WithySpan) -> i32 {
    guard::read("withy_cable_read_points", cable, |cx| {
        let points = cx.world.cable_points(cx.id)?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<3>::new(out, points, FLOATS)? } {
            cx.world.read_cable(cx.id, |i, x| out.put(i, cx.convention.position_out(x)))?;
        }
        Ok(())
    })
}
