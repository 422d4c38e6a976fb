//! Bodies
//!
//! Rigid bodies: ragdolls, props, the ground. They collide with each other and with colliders, joints hold them together, and those at
//! rest sleep. A body has a frame, whose pose the host sees, and any number of shapes, placed in that frame; its centre of mass need
//! not be the frame's origin. Bodies are on the CPU: on the GPU creating one is WITHY_ERROR_UNSUPPORTED.
//!
//! Where a call takes an array `bodies` and a count, NULL and WITHY_ALL mean all bodies, in the order of withy_world_list_bodies: that of
//! their creation, but that a new body takes the place of one destroyed before. These calls are for each frame: they read or write any
//! number of bodies at once, all or, if one number or handle is refused, none, and allocate nothing.

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

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyBody {
    pub bits: u64,
}
handles::handle!(WithyBody, Body, "body");

/// Shapes that only bodies have; the others are those of colliders. The convex hull of `positions`.
pub const WITHY_SHAPE_HULL: u32 = 5;
/// `positions` and `triangles`. Of static bodies only, as WITHY_SHAPE_PLANE. It is felt from outside alone.
pub const WITHY_SHAPE_MESH: u32 = 6;

/// One shape of a body. Filled by its _init macro, as a def; all shapes of one array must be of one version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyShapeDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    pub shape: u32,
    /// As for rods. Default: 1 and all.
    pub category: u32,
    pub mask: u32,
    /// 0
    pub reserved: u32,
    /// In the body's frame. Default: identity.
    pub pose: WithyPose,
    /// What the shape needs of these, host units: [1e-9, 1e6] m, and `half_height` [0, 1e6] m. `half_height` is without the caps,
    /// along local up; `half_extents` are along the local axes.
    pub radius: f64,
    pub radius_top: f64,
    pub half_height: f64,
    pub half_extents: WithyVec3,
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    pub density: f64,
    /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean. Default: 0.6.
    pub friction: f64,
    /// Speed after an impact over that before, [0, 1]; of two shapes the larger counts. Default: 0.
    pub restitution: f64,
    /// How the shape yields to bodies and colliders, each point of a contact by itself: N/m and N s/m in every convention, 0 (the default: it does
    /// not) or [1e-6, 1e9], and [0, 1e9]. Of two shapes that touch, one is as a spring behind the other. What yields bounces by these, whatever
    /// `restitution` says.
    pub stiffness: f64,
    pub damping: f64,
    /// Vectors, host units: points of a hull, 4 to 2^20, of which the 255 outermost are kept at most, or vertices of a mesh.
    pub positions: WithySpan,
    /// Triples of u32, of a mesh: counterclockwise seen from outside, as hosts wind them; with WITHY_CONVENTION_UNITY clockwise, as Unity
    /// does.
    pub triangles: WithySpan,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyShapeDef {
    const FIRST_SIZE: usize = 240;
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
            positions: WithySpan::default(),
            triangles: WithySpan::default(),
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Nothing moves it; the host may put it somewhere else.
pub const WITHY_BODY_STATIC: u32 = 0;
/// The host moves it, by targets. It pushes others, and nothing pushes it.
pub const WITHY_BODY_KINEMATIC: u32 = 1;
/// Forces, joints and contacts move it.
pub const WITHY_BODY_DYNAMIC: u32 = 2;

/// A flag of the def: `mass`, `center_of_mass` and `inertia` are as given, whatever the shapes; it may then have none.
pub const WITHY_BODY_INERTIA: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyBodyDef {
    pub struct_size: u32,
    /// WITHY_BODY_INERTIA, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// `shape_count` shapes, 4096 at most. None: it touches nothing.
    pub shapes: *const WithyShapeDef,
    pub shape_count: u32,
    /// WITHY_BODY_STATIC, _KINEMATIC or _DYNAMIC. Default: WITHY_BODY_DYNAMIC.
    pub motion: u32,
    /// Of the frame. Default: identity.
    pub pose: WithyPose,
    /// Of the centre of mass, host units/s. Default: 0. What is not dynamic has none, nor a spin.
    pub velocity: WithyVec3,
    /// rad/s about the world's axes, in the host's sense of rotation. Default: 0.
    pub spin: WithyVec3,
    /// kg, [1e-9, 1e12]. 0 (the default): from the shapes' densities; else their inertia is scaled to it.
    pub mass: f64,
    /// With WITHY_BODY_INERTIA: in the frame, host units.
    pub center_of_mass: WithyVec3,
    /// With WITHY_BODY_INERTIA: about the centre of mass, in the frame's axes, kg m^2 in every convention: xx, yy, zz, xy, xz, yz, the
    /// latter three being entries of the tensor, -sum m x y and so on. Principal moments within [1e-15, 1e18], none larger than the sum
    /// of the others.
    pub inertia: [f64; 6],
    /// Its gravity over the world's, [-1e6, 1e6]. Default: 1.
    pub gravity_scale: f64,
    /// Rates c at which velocity and spin die, 1/s, [0, 1e9]: a substep of h seconds makes (v + h g)/(1 + h c) of v, so that gravity is
    /// damped as air would: what falls for long has gravity over linear_damping, whatever h. Default: 0 and 0.05.
    pub linear_damping: f64,
    pub angular_damping: f64,
    /// It is slowed down to this speed, [1e-3, 1e9] m/s, in every substep and once more at the end of the step. 0 (the default): 500 m/s.
    pub max_speed: f64,
    /// Bodies of the same group other than 0 (the default) do not collide.
    pub group: u32,
    /// 1 (the default): it sleeps when it and all that it touches have been at rest for half a second: within 15 mm, and, on contacts that
    /// yield, below 3 mm/s. Else 0.
    pub can_sleep: u32,
    /// 1 (the default): going straight it does not pass through what is static or kinematic, however fast. Else 0. Whatever this says, bodies that
    /// would pass through each other within a step, going straight or swung by the host, meet where they are about to.
    pub continuous: u32,
    /// 0
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

/// Writes. Adds a body to a world; everything in `def` is copied.
///
/// @param body Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
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

/// Writes. Removes a body, and the joints that hang on it. What lay on it wakes.
#[unsafe(no_mangle)]
pub extern "C" fn withy_body_destroy(body: WithyBody) -> i32 {
    guard::write("withy_body_destroy", body, |cx| Ok(cx.world.remove_body(cx.id)?))
}

/// Writes. Puts a body somewhere at once, whatever moves it; its velocity stays. What touched it wakes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_set_pose(body: WithyBody, pose: *const WithyPose) -> i32 {
    guard::write("withy_body_set_pose", body, |cx| {
        cx.world.body(cx.id)?;
        // SAFETY: the caller's contract.
        let pose = cx.convention.checked_pose(&unsafe { defs::load(pose, "pose")? }, "pose")?;
        Ok(cx.world.set_body_pose(cx.id, pose)?)
    })
}

/// Reads. Where its frame is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_get_pose(body: WithyBody, pose: *mut WithyPose) -> i32 {
    guard::read("withy_body_get_pose", body, |cx| {
        let value = cx.convention.pose_out(cx.world.body_pose(cx.id)?);
        // SAFETY: the caller's contract.
        unsafe { defs::store(pose, value, "pose") }
    })
}

/// Writes. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes, of a dynamic body. It wakes.
///
/// @param spin NULL: none.
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

/// Reads. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes. A kinematic body's are those of the last
/// step.
///
/// @param velocity NULL: not wanted.
/// @param spin NULL: not wanted.
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

/// Writes. Where a kinematic body's frame shall be at the end of the next step. It moves there over the substeps and drags and pushes
/// what it touches; after that it stays. Turns of more than a radian in a step are better made in shorter steps: within it they go from pose to pose in
/// the shortest way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_set_target(body: WithyBody, pose: *const WithyPose) -> i32 {
    guard::write("withy_body_set_target", body, |cx| {
        cx.world.body(cx.id)?;
        // SAFETY: the caller's contract.
        let pose = cx.convention.checked_pose(&unsafe { defs::load(pose, "pose")? }, "pose")?;
        Ok(cx.world.set_body_target(cx.id, pose)?)
    })
}

/// Writes. Who moves a body that was created WITHY_BODY_DYNAMIC: a ragdoll follows its animation, and falls when it is hit.
///
/// @param motion WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC. A body that becomes dynamic keeps the velocity that it had.
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

/// Writes. A force, N, and a torque, N m, in the host's axes, on a dynamic body during the next step; several add up. It wakes.
///
/// @param force NULL: none.
/// @param torque NULL: none.
/// @param point Where the force acts, in world space. NULL: at the centre of mass.
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

/// Writes. Wakes a dynamic body, or lays it to rest: it sleeps until something that it touches moves.
///
/// @param sleeping 1 or 0. 1 is refused of a body whose `can_sleep` is 0.
#[unsafe(no_mangle)]
pub extern "C" fn withy_body_set_sleeping(body: WithyBody, sleeping: u32) -> i32 {
    guard::write("withy_body_set_sleeping", body, |cx| {
        let sleeping = defs::boolean(sleeping, "sleeping")?;
        Ok(cx.world.set_body_sleeping(cx.id, sleeping)?)
    })
}

/// Reads. Mass, kg, centre of mass in the frame, host units, and inertia about it in the frame's axes, kg m^2, as in the def; 0 of what
/// is not dynamic.
///
/// @param mass NULL: not wanted. `inertia`: room for 6.
/// @param center_of_mass NULL: not wanted. `inertia`: room for 6.
/// @param inertia NULL: not wanted. `inertia`: room for 6.
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

/// Reads. The bodies of a world, in the order in which they are read.
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

/// Reads. Poses and motion of many bodies. Every span may be NULL if it is not wanted; with NULL data its count is set.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s.
/// @param spins Vectors, rad/s.
/// @param sleeping u32: 1 of what sleeps.
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

/// Writes. Puts many bodies somewhere at once, with withy_body_set_pose, and gives dynamic ones velocities and spins, with
/// withy_body_set_velocity: a ragdoll takes the pose of its animation. A span that is NULL leaves that as it is; others have an element a
/// body.
///
/// @param bodies As in withy_world_read_bodies, and so are the spans.
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

/// Writes. Targets of many kinematic bodies, as withy_body_set_target gives them.
///
/// @param bodies `count` kinematic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be kinematic.
/// @param positions Vectors, one a body.
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

/// Writes. Forces at the centres of mass, N, and torques, N m, on many dynamic bodies during the next step, as withy_body_push.
///
/// @param bodies `count` dynamic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be dynamic.
/// @param forces Vectors, one a body. NULL: none.
/// @param torques Vectors, one a body. NULL: none.
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

/// A point where two surfaces touch, or nearly do: within 2 cm, or where a fast body may be at the end of the step.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyContact {
    /// The bodies; one of them is null where it is `collider` instead.
    pub body_a: WithyBody,
    pub body_b: WithyBody,
    pub collider: WithyCollider,
    /// On the surface, host units.
    pub position: WithyVec3,
    /// From a to b, of length 1.
    pub normal: WithyVec3,
    /// Distance of the surfaces at the start of the step, host units; negative where they overlap.
    pub separation: f64,
    /// Along the normal, in the last substep, N s; divided by the substep, the force. 0: they do not touch.
    pub impulse: f64,
}

/// Reads. Contacts between bodies, and of bodies with colliders, in the last step. (An array of structs, as handles have no span.)
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
