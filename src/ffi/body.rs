//! Bodies
//!
//! Rigid bodies: props, the ground, the bones of a ragdoll. They collide with each other and with
//! colliders, joints connect them, and those that rest fall asleep. A body has a frame, whose pose
//! the host sees, and any number of shapes placed in that frame. Its centre of mass need not be the
//! origin of the frame. In a world on the GPU bodies step on the CPU: rods meet them, and do not
//! push them.
//!
//! Functions on many bodies take an array `bodies` and its `count`. NULL and WITHY_ALL mean all
//! bodies, in the order of `withy_world_list_bodies`. They are made for calling every frame: they
//! allocate nothing, and if one number or handle is wrong they do nothing.

use std::ffi::c_void;

use super::body_desc::{body_desc, motion};
use super::body_list::{Chosen, input};
use super::collider::*;
use super::defs::{self, Def};
use super::guard::{self, Failure, Reading};
use super::handles;
use super::span::{self, FLOATS, INDICES, Output};
use super::types::{WithyPose, WithyQuat, WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::world::{BodyDesc, BodyMotion, ContactSide, Pose, ShapeDesc};

/// Handle of a body.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyBody {
    pub bits: u64,
}
handles::handle!(WithyBody, Body, "body");

/// The convex hull of `positions`. (These two shapes are for bodies; the others are listed with the
/// colliders.)
pub const WITHY_SHAPE_HULL: u32 = 5;
/// Triangles: `positions` and `triangles`. For static bodies only, as is WITHY_SHAPE_PLANE. Only
/// the outer side is solid.
pub const WITHY_SHAPE_MESH: u32 = 6;

/// One shape of a body. Lengths are in host units. All shapes in an array must be filled by the
/// same version of `withy_shape_def_init`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyShapeDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    pub shape: u32,
    /// The layers that the shape is in. Default: 1.
    pub category: u32,
    /// The layers that it meets, as in WithyRodsDef. Default: all.
    pub mask: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Where the shape is in the frame of the body. Default: identity.
    pub pose: WithyPose,
    /// [1e-9, 1e6] m, for shapes that need it.
    pub radius: f64,
    /// [1e-9, 1e6] m, for tapered capsules.
    pub radius_top: f64,
    /// [0, 1e6] m, for capsules; along local up, without the caps.
    pub half_height: f64,
    /// [1e-9, 1e6] m, for boxes.
    pub half_extents: WithyVec3,
    /// kg/m^3, [1e-3, 1e6]. Default: 1000, water.
    pub density: f64,
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.6.
    pub friction: f64,
    /// How much it bounces: speed after an impact over the speed before, [0, 1]. The larger one of
    /// both sides counts. Default: 0.
    pub restitution: f64,
    /// Makes the surface soft: each contact point yields like a spring of this stiffness, N/m,
    /// [1e-6, 1e9]. Two soft shapes are two springs, one behind the other. A soft contact ignores
    /// `restitution`. 0 (the default): hard.
    pub stiffness: f64,
    /// The damper beside that spring, N s/m, [0, 1e9]. Default: 0.
    pub damping: f64,
    /// Resists rolling: a torque of at most this times pressure and radius, [0, 1e3]. A ball that
    /// rolls slows down by 5/7 of this times gravity. Of both sides the larger counts. Flat shapes
    /// have no radius. Default: 0.
    pub rolling_friction: f64,
    /// Resists turning in place: the same about the normal. Default: 0.
    pub torsional_friction: f64,
    /// Vectors: the points of a hull, 4 to 2^20 (it keeps the 255 outermost at most), or the
    /// vertices of a mesh.
    pub positions: WithySpan,
    /// Triples of u32, for a mesh. Seen from outside they run counterclockwise; in Unity clockwise.
    pub triangles: WithySpan,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyShapeDef {
    const FIRST_SIZE: usize = 256;
    fn defaults() -> Self {
        let desc = ShapeDesc::default();
        WithyShapeDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            shape: WITHY_SHAPE_SPHERE,
            category: desc.category,
            mask: desc.mask,
            reserved: 0,
            pose: WithyPose::IDENTITY,
            radius: 0.0,
            radius_top: 0.0,
            half_height: 0.0,
            half_extents: WithyVec3::default(),
            density: desc.density,
            friction: desc.friction,
            restitution: desc.restitution,
            stiffness: 0.0,
            damping: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
            positions: WithySpan::default(),
            triangles: WithySpan::default(),
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// It stands still. The host may put it somewhere else.
pub const WITHY_BODY_STATIC: u32 = 0;
/// The host moves it, by targets. It pushes others; nothing pushes it.
pub const WITHY_BODY_KINEMATIC: u32 = 1;
/// Forces, joints and contacts move it. The default.
pub const WITHY_BODY_DYNAMIC: u32 = 2;

/// A flag: `mass`, `center_of_mass` and `inertia` are given, and do not follow from the shapes. The
/// body may then have no shapes.
pub const WITHY_BODY_INERTIA: u32 = 1;

/// How to create a body.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyBodyDef {
    pub struct_size: u32,
    /// WITHY_BODY_INERTIA, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// `shape_count` shapes. A body without shapes touches nothing.
    pub shapes: *const WithyShapeDef,
    /// At most 4096.
    pub shape_count: u32,
    /// WITHY_BODY_STATIC, WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC (the default).
    pub motion: u32,
    /// Where its frame is. Default: identity.
    pub pose: WithyPose,
    /// Velocity of the centre of mass, host units/s. Default: 0. For dynamic bodies, as is `spin`.
    pub velocity: WithyVec3,
    /// Angular velocity, rad/s, about the axes of the world. Default: 0.
    pub spin: WithyVec3,
    /// kg, [1e-9, 1e12]. 0 (the default): it follows from the densities of the shapes. Else their
    /// mass and inertia are scaled to this mass.
    pub mass: f64,
    /// With WITHY_BODY_INERTIA: in the frame of the body, host units.
    pub center_of_mass: WithyVec3,
    /// With WITHY_BODY_INERTIA: the inertia tensor about the centre of mass, in the axes of the
    /// frame, kg m^2 with every convention, as xx, yy, zz, xy, xz, yz. The last three are entries
    /// of the tensor: minus the sum of m x y, and so on. Principal moments are within [1e-15,
    /// 1e18], and none is larger than the sum of the other two.
    pub inertia: [f64; 6],
    /// Factor of the gravity, [-1e6, 1e6]. Default: 1.
    pub gravity_scale: f64,
    /// Rate at which the velocity dies, 1/s, [0, 1e9]: a body that falls approaches gravity
    /// over this. Default: 0.
    pub linear_damping: f64,
    /// Rate at which the spin dies, 1/s, [0, 1e9]. Default: 0.05.
    pub angular_damping: f64,
    /// Speed limit, [1e-3, 1e9] m/s: a faster body is slowed down to it. 0 (the default): 500 m/s.
    pub max_speed: f64,
    /// Bodies with the same group do not collide with each other. 0 (the default): no group.
    pub group: u32,
    /// 1 (the default): the body falls asleep, and costs next to nothing, once it and all that it
    /// touches have rested for half a second. 0: never.
    pub can_sleep: u32,
    /// 1 (the default): it does not pass through static and kinematic bodies, however fast it
    /// flies. 0: it may. Two moving bodies never pass through each other on a straight way.
    pub continuous: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyBodyDef {
    const FIRST_SIZE: usize = 264;
    const FLAGS: u32 = WITHY_BODY_INERTIA;
    fn defaults() -> Self {
        let desc = BodyDesc::default();
        WithyBodyDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            shapes: std::ptr::null(),
            shape_count: 0,
            motion: WITHY_BODY_DYNAMIC,
            pose: WithyPose::IDENTITY,
            velocity: WithyVec3::default(),
            spin: WithyVec3::default(),
            mass: desc.mass,
            center_of_mass: WithyVec3::default(),
            inertia: [0.0; 6],
            gravity_scale: desc.gravity_scale,
            linear_damping: desc.linear_damping,
            angular_damping: desc.angular_damping,
            max_speed: 0.0,
            group: desc.group,
            can_sleep: desc.can_sleep as u32,
            continuous: desc.continuous as u32,
            reserved: 0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Fills `def` with the defaults. Use the macro `withy_shape_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_shape_def_init_sized(def: *mut WithyShapeDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_shape_def_init", || unsafe { defs::init(def, size) })
}

/// Fills `def` with the defaults. Use the macro `withy_body_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_def_init_sized(def: *mut WithyBodyDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_body_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds a body to a world. Everything in `def` is copied.
///
/// @param body Set on success. Destroy it with `withy_body_destroy`, or with its world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_create(world: WithyWorld, def: *const WithyBodyDef, body: *mut WithyBody) -> i32 {
    guard::write("withy_body_create", world, |cx| {
        defs::not_null(body, "body")?;
        // SAFETY: the caller's contract.
        let desc = unsafe { body_desc(&defs::read(def)?, cx.convention)? };
        let id = cx.world.add_body(&desc)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(body, handles::object(world, id), "body") }
    })
}

/// Writes. Removes a body, its joints and the attachments to it. What lay on it wakes.
#[unsafe(no_mangle)]
pub extern "C" fn withy_body_destroy(body: WithyBody) -> i32 {
    guard::write("withy_body_destroy", body, |cx| Ok(cx.world.remove_body(cx.id)?))
}

/// Writes. Puts a body somewhere else at once. Its velocity stays, and what touched it wakes.
///
/// @param pose Of the frame, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_set_pose(body: WithyBody, pose: *const WithyPose) -> i32 {
    guard::write("withy_body_set_pose", body, |cx| {
        cx.world.body(cx.id)?;
        // SAFETY: the caller's contract.
        let pose = cx.convention.checked_pose(&unsafe { defs::load(pose, "pose")? }, "pose")?;
        Ok(cx.world.set_body_pose(cx.id, pose)?)
    })
}

/// Reads. The pose of its frame.
///
/// @param pose Set, in host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_get_pose(body: WithyBody, pose: *mut WithyPose) -> i32 {
    guard::read("withy_body_get_pose", body, |cx| {
        let value = cx.convention.pose_out(cx.world.body_pose(cx.id)?);
        // SAFETY: the caller's contract.
        unsafe { defs::store(pose, value, "pose") }
    })
}

/// Writes. Sets the motion of a dynamic body, and wakes it.
///
/// @param velocity Of the centre of mass, host units/s.
/// @param spin rad/s, about the axes of the world. NULL: 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_set_velocity(body: WithyBody, velocity: *const WithyVec3, spin: *const WithyVec3) -> i32 {
    guard::write("withy_body_set_velocity", body, |cx| {
        let c = cx.convention;
        cx.world.body(cx.id)?;
        // SAFETY: the caller's contract.
        let velocity = c.checked_position(unsafe { defs::load(velocity, "velocity")? }.array(), "velocity", None)?;
        let spin = match spin.is_null() {
            true => [0.0; 3],
            // SAFETY: the caller's contract.
            false => c.checked_moment(unsafe { defs::load(spin, "spin")? }.array(), "spin", None)?,
        };
        Ok(cx.world.set_body_motion(cx.id, velocity, spin)?)
    })
}

/// Reads. The motion of a body. That of a kinematic body is the motion of the last step.
///
/// @param velocity Of the centre of mass, host units/s. NULL: not wanted.
/// @param spin rad/s, about the axes of the world. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_get_velocity(body: WithyBody, velocity: *mut WithyVec3, spin: *mut WithyVec3) -> i32 {
    guard::read("withy_body_get_velocity", body, |cx| {
        let [v, w] = cx.world.body_motion(cx.id)?;
        // SAFETY: the caller's contract.
        unsafe {
            if !velocity.is_null() {
                defs::store(velocity, WithyVec3::new(cx.convention.position_out(v)), "velocity")?;
            }
            if !spin.is_null() {
                defs::store(spin, WithyVec3::new(cx.convention.moment_out(w)), "spin")?;
            }
        }
        Ok(())
    })
}

/// Writes. Says where a kinematic body is at the end of the next step. It moves there during the
/// step, pushes and drags what it touches, and stays there afterwards. It turns the shortest way:
/// take shorter steps for turns of more than a radian.
///
/// @param pose Of the frame, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_set_target(body: WithyBody, pose: *const WithyPose) -> i32 {
    guard::write("withy_body_set_target", body, |cx| {
        cx.world.body(cx.id)?;
        // SAFETY: the caller's contract.
        let pose = cx.convention.checked_pose(&unsafe { defs::load(pose, "pose")? }, "pose")?;
        Ok(cx.world.set_body_target(cx.id, pose)?)
    })
}

/// Writes. Changes who moves a body that was created as WITHY_BODY_DYNAMIC. So a body can follow an
/// animation until something hits it. When it becomes dynamic it keeps its velocity.
///
/// @param motion WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC.
#[unsafe(no_mangle)]
pub extern "C" fn withy_body_set_motion(body: WithyBody, motion: u32) -> i32 {
    guard::write("withy_body_set_motion", body, |cx| {
        let kinematic = match self::motion(motion)? {
            BodyMotion::Kinematic => true,
            BodyMotion::Dynamic => false,
            BodyMotion::Static => {
                return Err(Failure::argument("motion is 0: must be WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC"));
            }
        };
        Ok(cx.world.set_body_kinematic(cx.id, kinematic)?)
    })
}

/// Writes. Applies a force and a torque to a dynamic body during the next step, and wakes it.
/// Several calls add up.
///
/// @param force N, in the host's axes. NULL: none.
/// @param torque N m, in the host's axes. NULL: none.
/// @param point Where the force acts, in the world, host units. NULL: at the centre of mass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_push(
    body: WithyBody,
    force: *const WithyVec3,
    torque: *const WithyVec3,
    point: *const WithyVec3,
) -> i32 {
    guard::write("withy_body_push", body, |cx| {
        let c = cx.convention;
        cx.world.body(cx.id)?;
        let load = |v: *const WithyVec3, name: &str| match v.is_null() {
            true => Ok(None),
            // SAFETY: the caller's contract.
            false => unsafe { defs::load(v, name) }.map(|v| Some(v.array())),
        };
        let force = load(force, "force")?.map_or(Ok([0.0; 3]), |v| c.checked_direction(v, "force", None))?;
        let torque = load(torque, "torque")?.map_or(Ok([0.0; 3]), |v| c.checked_moment(v, "torque", None))?;
        let point = load(point, "point")?.map(|v| c.checked_position(v, "point", None)).transpose()?;
        Ok(cx.world.push_body(cx.id, force, point, torque)?)
    })
}

/// Writes. Wakes a dynamic body, or puts it to sleep until something that it touches moves.
///
/// @param sleeping 1: sleep; refused if `can_sleep` is 0. 0: wake.
#[unsafe(no_mangle)]
pub extern "C" fn withy_body_set_sleeping(body: WithyBody, sleeping: u32) -> i32 {
    guard::write("withy_body_set_sleeping", body, |cx| {
        let sleeping = defs::boolean(sleeping, "sleeping")?;
        Ok(cx.world.set_body_sleeping(cx.id, sleeping)?)
    })
}

/// Reads. Mass and inertia of a body; all 0 if it is not dynamic.
///
/// @param mass kg. NULL: not wanted.
/// @param center_of_mass In its frame, host units. NULL: not wanted.
/// @param inertia Room for 6 numbers, as in WithyBodyDef. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_get_mass(
    body: WithyBody,
    mass: *mut f64,
    center_of_mass: *mut WithyVec3,
    inertia: *mut f64,
) -> i32 {
    guard::read("withy_body_get_mass", body, |cx| {
        let (c, b) = (cx.convention, cx.world.body(cx.id)?);
        let (center, tensor) = b.center_and_inertia();
        // SAFETY: the caller's contract.
        unsafe {
            if !mass.is_null() {
                defs::store(mass, b.mass, "mass")?;
            }
            if !center_of_mass.is_null() {
                defs::store(center_of_mass, WithyVec3::new(c.position_out(center)), "center_of_mass")?;
            }
            if !inertia.is_null() {
                defs::store(inertia.cast::<[f64; 6]>(), c.tensor_out(tensor), "inertia")?;
            }
        }
        Ok(())
    })
}

/// Reads. All bodies of a world: in the order of their creation, but a new body takes the place of
/// a destroyed one.
///
/// @param bodies Room for `*count` handles, or NULL to learn the count.
/// @param count Set to the number of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_list_bodies(world: WithyWorld, bodies: *mut WithyBody, count: *mut u64) -> i32 {
    guard::read("withy_world_list_bodies", world, |cx| {
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(bodies) = span::buffer(bodies, count, cx.world.bodies().len(), "count")? {
                for (i, (id, _)) in cx.world.bodies().iter().enumerate() {
                    bodies.add(i).write_unaligned(handles::object(world, id));
                }
            }
        }
        Ok(())
    })
}

/// Reads. Poses and motion of many bodies. A span that is NULL is not wanted; with NULL data its
/// count is set.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames, host units.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s.
/// @param spins Vectors, rad/s.
/// @param sleeping u32: 1 for a body that sleeps.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn withy_world_read_bodies(
    world: WithyWorld,
    bodies: *const WithyBody,
    count: u64,
    positions: *mut WithySpan,
    rotations: *mut WithySpan,
    velocities: *mut WithySpan,
    spins: *mut WithySpan,
    sleeping: *mut WithySpan,
) -> i32 {
    guard::read("withy_world_read_bodies", world, |cx| {
        let Reading { world: w, convention: c, .. } = cx;
        // SAFETY: the caller's contract.
        let (chosen, positions, rotations, velocities, spins, sleeping) = unsafe {
            let chosen = Chosen::new(w, world, bodies, count)?;
            let n = chosen.count;
            (
                chosen,
                Output::<3>::wanted(positions, n, FLOATS, "positions")?,
                Output::<4>::wanted(rotations, n, FLOATS, "rotations")?,
                Output::<3>::wanted(velocities, n, FLOATS, "velocities")?,
                Output::<3>::wanted(spins, n, FLOATS, "spins")?,
                Output::<1>::wanted(sleeping, n, INDICES, "sleeping")?,
            )
        };
        chosen.each(w, |i, id| {
            if positions.is_some() || rotations.is_some() {
                let pose = w.body_pose(id)?;
                positions.iter().for_each(|out| out.put(i, c.position_out(pose.position)));
                rotations.iter().for_each(|out| out.put(i, c.rotation_out(pose.rotation)));
            }
            if velocities.is_some() || spins.is_some() {
                let [v, s] = w.body_motion(id)?;
                velocities.iter().for_each(|out| out.put(i, c.position_out(v)));
                spins.iter().for_each(|out| out.put(i, c.moment_out(s)));
            }
            if let Some(out) = &sleeping {
                out.put_u32(i, w.body_sleeps(id)? as u32);
            }
            Ok(())
        })
    })
}

/// Writes. Sets poses and motion of many bodies, as `withy_body_set_pose` and
/// `withy_body_set_velocity`. A span that is NULL changes nothing; the others have one element for
/// each body.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames, host units.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s. For dynamic bodies.
/// @param spins Vectors, rad/s. For dynamic bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_write_bodies(
    world: WithyWorld,
    bodies: *const WithyBody,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    velocities: *const WithySpan,
    spins: *const WithySpan,
) -> i32 {
    guard::write("withy_world_write_bodies", world, |cx| {
        let (w, c) = (cx.world, cx.convention);
        // SAFETY: the caller's contract.
        let (chosen, positions, rotations, velocities, spins) = unsafe {
            let chosen = Chosen::new(w, world, bodies, count)?;
            let n = chosen.count;
            (
                chosen,
                input::<3>(positions, "positions", n)?,
                input::<4>(rotations, "rotations", n)?,
                input::<3>(velocities, "velocities", n)?,
                input::<3>(spins, "spins", n)?,
            )
        };
        positions.as_ref().map_or(Ok(()), |v| v.check_positions(c))?;
        rotations.as_ref().map_or(Ok(()), |v| v.check_rotations(c))?;
        velocities.as_ref().map_or(Ok(()), |v| v.check_positions(c))?;
        spins.as_ref().map_or(Ok(()), |v| v.check_each(|v, name, i| c.checked_moment(v, name, i)))?;
        let moves = velocities.is_some() || spins.is_some();
        // What is kept of a pose or a motion was computed, and may be no number.
        let keeps_pose = positions.is_some() != rotations.is_some();
        let keeps_motion = velocities.is_some() != spins.is_some();
        if keeps_pose || keeps_motion {
            chosen.each(w, |i, id| {
                let (pose, [v, s]) = (w.body_pose(id)?, w.body_motion(id)?);
                let kept = [
                    (keeps_pose && positions.is_none(), &pose.position[..], "positions"),
                    (keeps_pose && rotations.is_none(), &pose.rotation[..], "rotations"),
                    (keeps_motion && velocities.is_none(), &v[..], "velocities"),
                    (keeps_motion && spins.is_none(), &s[..], "spins"),
                ];
                kept.iter().filter(|k| k.0).try_for_each(|(_, x, name)| chosen.keeps(i, x, name))
            })?;
        }
        if moves {
            chosen.each(w, |i, id| match w.body(id)?.desc.motion {
                BodyMotion::Dynamic => Ok(()),
                _ => Err(chosen.refused(i, "is not dynamic: only dynamic bodies take a velocity")),
            })?;
        }
        chosen.each_mut(w, |w, i, id| {
            if positions.is_some() || rotations.is_some() {
                let old = w.body_pose(id)?;
                w.set_body_pose(
                    id,
                    Pose {
                        position: positions.as_ref().map_or(old.position, |v| c.position_in(v.get(i))),
                        rotation: rotations.as_ref().map_or(old.rotation, |v| unit(c.rotation_in(v.get(i)))),
                    },
                )?;
            }
            if moves {
                let [v, s] = w.body_motion(id)?;
                let velocity = velocities.as_ref().map_or(v, |v| c.position_in(v.get(i)));
                w.set_body_motion(id, velocity, spins.as_ref().map_or(s, |v| c.moment_in(v.get(i))))?;
            }
            Ok(())
        })
    })
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Writes. Sets targets of many kinematic bodies, as `withy_body_set_target`.
///
/// @param bodies `count` kinematic bodies; NULL and WITHY_ALL: all bodies, which must all be
///     kinematic.
/// @param positions Vectors, one a body, host units.
/// @param rotations Quaternions, one a body. NULL: they keep theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_set_body_targets(
    world: WithyWorld,
    bodies: *const WithyBody,
    count: u64,
    positions: *const WithySpan,
    rotations: *const WithySpan,
) -> i32 {
    guard::write("withy_world_set_body_targets", world, |cx| {
        let (w, c) = (cx.world, cx.convention);
        defs::not_null(positions, "positions")?;
        // SAFETY: the caller's contract.
        let (chosen, positions, rotations) = unsafe {
            let chosen = Chosen::new(w, world, bodies, count)?;
            let n = chosen.count;
            (chosen, input::<3>(positions, "positions", n)?, input::<4>(rotations, "rotations", n)?)
        };
        positions.as_ref().map_or(Ok(()), |v| v.check_positions(c))?;
        rotations.as_ref().map_or(Ok(()), |v| v.check_rotations(c))?;
        chosen.each(w, |i, id| match w.body(id)?.desc.motion {
            BodyMotion::Kinematic => Ok(()),
            _ => Err(chosen.refused(i, "is not kinematic: only a kinematic body takes a target")),
        })?;
        if rotations.is_none() {
            chosen.each(w, |i, id| chosen.keeps(i, &w.body_pose(id)?.rotation, "rotations"))?;
        }
        chosen.each_mut(w, |w, i, id| {
            let old = w.body_pose(id)?;
            let target = Pose {
                position: positions.as_ref().map_or(old.position, |v| c.position_in(v.get(i))),
                rotation: rotations.as_ref().map_or(old.rotation, |v| unit(c.rotation_in(v.get(i)))),
            };
            Ok(w.set_body_target(id, target)?)
        })
    })
}

/// Writes. Applies forces at the centres of mass, and torques, to many dynamic bodies, as
/// `withy_body_push`.
///
/// @param bodies `count` dynamic bodies; NULL and WITHY_ALL: all bodies, which must all be dynamic.
/// @param forces Vectors, one a body, N. NULL: none.
/// @param torques Vectors, one a body, N m. NULL: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_push_bodies(
    world: WithyWorld,
    bodies: *const WithyBody,
    count: u64,
    forces: *const WithySpan,
    torques: *const WithySpan,
) -> i32 {
    guard::write("withy_world_push_bodies", world, |cx| {
        let (w, c) = (cx.world, cx.convention);
        // SAFETY: the caller's contract.
        let (chosen, forces, torques) = unsafe {
            let chosen = Chosen::new(w, world, bodies, count)?;
            let n = chosen.count;
            (chosen, input::<3>(forces, "forces", n)?, input::<3>(torques, "torques", n)?)
        };
        forces.as_ref().map_or(Ok(()), |v| v.check_each(|v, name, i| c.checked_direction(v, name, i)))?;
        torques.as_ref().map_or(Ok(()), |v| v.check_each(|v, name, i| c.checked_moment(v, name, i)))?;
        chosen.each(w, |i, id| match w.body(id)?.desc.motion {
            BodyMotion::Dynamic => Ok(()),
            _ => Err(chosen.refused(i, "is not dynamic: only dynamic bodies can be pushed")),
        })?;
        chosen.each_mut(w, |w, i, id| {
            let force = forces.as_ref().map_or([0.0; 3], |v| c.direction_in(v.get(i)));
            let torque = torques.as_ref().map_or([0.0; 3], |v| c.moment_in(v.get(i)));
            Ok(w.push_body(id, force, None, torque)?)
        })
    })
}

/// A point where two surfaces touch or nearly touch: they are less than 2 cm apart, or could meet
/// within the step.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyContact {
    /// The two bodies. One of them is null if `collider` is there instead.
    pub body_a: WithyBody,
    pub body_b: WithyBody,
    pub collider: WithyCollider,
    /// On the surface, host units.
    pub position: WithyVec3,
    /// From a to b; its length is 1.
    pub normal: WithyVec3,
    /// Distance of the surfaces at the start of the step, host units. Negative where they overlap.
    pub separation: f64,
    /// Along the normal, in the last substep, N s. 0: they do not touch.
    pub impulse: f64,
    /// On body_b in the last substep, friction included, N, in the host's axes. The forces of all
    /// points of two shapes make up what one does to the other.
    pub force: WithyVec3,
    /// The torque about `position` that friction has besides, N m, in the host's axes.
    pub torque: WithyVec3,
    /// How fast the surfaces came together here at the start of the step, host units/s; negative
    /// where they parted. How hard something hit is this, or `impulse`.
    pub approach: f64,
}

/// Reads. The contacts of bodies with bodies and colliders in the last step.
///
/// @param contacts Room for `*count` contacts, or NULL to learn the count.
/// @param count Set to the number of contact points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_contacts(world: WithyWorld, contacts: *mut WithyContact, count: *mut u64) -> i32 {
    guard::read("withy_world_read_contacts", world, |cx| {
        let c = cx.convention;
        let mut needed = 0;
        cx.world.read_contacts(|_| needed += 1);
        // SAFETY: the caller's contract.
        if let Some(contacts) = unsafe { span::buffer(contacts, count, needed, "count")? } {
            let mut i = 0;
            cx.world.read_contacts(|p| {
                let body = |side| match side {
                    ContactSide::Body(id) => handles::object(world, id),
                    ContactSide::Collider(_) => WithyBody::default(),
                };
                let collider = [p.a, p.b].into_iter().find_map(|side| match side {
                    ContactSide::Collider(id) => Some(handles::object(world, id)),
                    ContactSide::Body(_) => None,
                });
                let contact = WithyContact {
                    body_a: body(p.a),
                    body_b: body(p.b),
                    collider: collider.unwrap_or_default(),
                    position: WithyVec3::new(c.position_out(p.position)),
                    normal: WithyVec3::new(c.direction_out(p.normal)),
                    separation: c.length_out(p.separation),
                    impulse: p.impulse,
                    force: WithyVec3::new(c.direction_out(p.force)),
                    torque: WithyVec3::new(c.moment_out(p.torque)),
                    approach: c.length_out(p.approach),
                };
                // SAFETY: `buffer` has checked the room for `needed`.
                unsafe { contacts.add(i).write_unaligned(contact) };
                i += 1;
            });
        }
        Ok(())
    })
}

pub(super) fn quaternion([x, y, z, w]: [f64; 4]) -> WithyQuat {
    WithyQuat { x, y, z, w }
}
