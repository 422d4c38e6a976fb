//! World
//!
//! Everything that can touch lives in one world, and a world is stepped as a whole.

use std::ffi::{c_char, c_void};

use super::context::WithyContext;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span;
use super::tasks::HostTasks;
use super::types::WithyVec3;
use crate::math::Isa;
use crate::world::{BackendChoice, World, WorldDesc};

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyWorld {
    pub bits: u64,
}
handles::handle!(WithyWorld, World, "world");

pub const WITHY_BACKEND_CPU: u32 = 0;
/// Without a usable GPU `withy_world_create` fails with WITHY_ERROR_UNSUPPORTED and says why.
pub const WITHY_BACKEND_GPU: u32 = 1;
/// The GPU if there is a usable one, else the CPU; `withy_world_backend` tells which, and why.
pub const WITHY_BACKEND_AUTO: u32 = 2;

/// The widest instruction set that the machine has. All of them give the same bits; forcing one is for tests and measurements.
pub const WITHY_ISA_AUTO: u32 = 0;

pub const WITHY_PRECISION_F32: u32 = 0;
/// Doubles, on the CPU only: what f32 is measured against, and for scenes that are too stiff or too wide for it.
pub const WITHY_PRECISION_F64: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyWorldDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    pub backend: u32,
    /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO.
    pub isa: u32,
    /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    pub precision: u32,
    /// Substeps of a step, 1 to 65,536. Default: 8.
    pub substeps: u32,
    /// Sweeps over the constraints in a substep, 1 to 10,000; not of rods that Newton's method solves, see `WithyRodsDef.iterations`. Default: 4.
    pub iterations: u32,
    /// 0
    pub reserved: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyWorldDef {
    const FIRST_SIZE: usize = 40;
    fn defaults() -> Self {
        let desc = WorldDesc::default();
        WithyWorldDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            backend: WITHY_BACKEND_CPU,
            isa: WITHY_ISA_AUTO,
            precision: WITHY_PRECISION_F32,
            substeps: desc.substeps,
            iterations: desc.iterations,
            reserved: 0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

fn world_desc(def: &WithyWorldDef) -> Result<WorldDesc> {
    let isa = match def.isa {
        WITHY_ISA_AUTO => None,
        value => {
            let isa = Isa::ALL.into_iter().find(|isa| *isa as u32 == value);
            let isa = isa.ok_or_else(|| Failure::argument(format!("isa is {value}: not a WITHY_ISA_ value")))?;
            if !isa.available() {
                return Err(Failure::unsupported(format!("isa is {value}: this machine does not have {}", isa.name())));
            }
            Some(isa)
        }
    };
    let backends = [BackendChoice::Cpu, BackendChoice::Gpu, BackendChoice::Auto];
    Ok(WorldDesc {
        backend: defs::choice(def.backend, &backends, "backend")?,
        isa,
        double_precision: defs::choice(def.precision, &[false, true], "precision")?,
        substeps: def.substeps,
        iterations: def.iterations,
        ..WorldDesc::default()
    })
}

/// Fills `def` with the defaults. Use the macro `withy_world_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_def_init_sized(def: *mut WithyWorldDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_world_def_init", || unsafe { defs::init(def, size) })
}

/// Creates an empty world whose gravity is 9.81 m/s^2 downwards.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param world Set on success. Destroy it with `withy_world_destroy`, or with its context.
/// @return WITHY_ERROR_UNSUPPORTED: the backend or the instruction set is not there, or the GPU is to compute in f64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_create(context: WithyContext, def: *const WithyWorldDef, world: *mut WithyWorld) -> i32 {
    guard::call("withy_world_create", || {
        let entry = handles::context(context)?;
        defs::not_null(world, "world")?;
        // SAFETY: the caller's contract.
        let def = if def.is_null() { WithyWorldDef::defaults() } else { unsafe { defs::read(def)? } };
        let new = World::new(world_desc(&def)?)?;
        let host_tasks = entry.callbacks().map(HostTasks::new);
        let handle = handles::insert_world(context, entry, new, host_tasks)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(world, handle, "world") }
    })
}

/// Destroys a world and all that is in it. Their handles are stale from then on.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_destroy(world: WithyWorld) -> i32 {
    guard::call("withy_world_destroy", || handles::remove_world(world).map(drop))
}

/// Writes. `gravity`: host units/s^2. Bodies wake if it is another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_set_gravity(world: WithyWorld, gravity: *const WithyVec3) -> i32 {
    guard::write("withy_world_set_gravity", world, |cx| {
        // SAFETY: the caller's contract.
        let gravity = unsafe { defs::load(gravity, "gravity")? };
        let gravity = cx.convention.checked_position(gravity.array(), "gravity", None)?;
        Ok(cx.world.set_gravity(gravity)?)
    })
}

/// Reads. `gravity`: host units/s^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_get_gravity(world: WithyWorld, gravity: *mut WithyVec3) -> i32 {
    guard::read("withy_world_get_gravity", world, |cx| {
        let value = WithyVec3::new(cx.convention.position_out(cx.world.gravity()));
        // SAFETY: the caller's contract.
        unsafe { defs::store(gravity, value, "gravity") }
    })
}

/// Writes. Substeps of a step, 1 to 65,536, and sweeps over the constraints in a substep, 1 to 10,000, as in the def. After a change to fewer substeps, find
/// rest shapes again (`withy_rods_optimize_rest_shape`): a longer substep takes less stiffness in f32.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_set_iterations(world: WithyWorld, substeps: u32, iterations: u32) -> i32 {
    guard::write("withy_world_set_iterations", world, |cx| Ok(cx.world.set_iterations(substeps, iterations)?))
}

/// Writes. Advances everything by `dt` seconds, 1e-6 to 10. Poses and targets set since the last step are reached at its
/// end, interpolated over the substeps. After the first step nothing is allocated until objects are created again, or more bodies
/// are near each other than ever before.
///
/// The thread that steps, and those that run tasks, must round to nearest and keep denormals, as threads do unless told otherwise:
/// results would depend on it.
///
/// A simulation that degenerates is no error: `withy_world_read_stats` tells.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_step(world: WithyWorld, dt: f64) -> i32 {
    guard::write("withy_world_step", world, |cx| Ok(cx.world.step(dt, cx.runner)?))
}

/// Reads. Writes all that steps change into `data`, for `withy_world_restore_state`: a timeline's frame, a rollback. Poses,
/// targets and pins belong to it, and so do pushes of bodies, who moves them (`withy_body_set_motion`), whether joints are enabled, what
/// sleeps and what touches, so that the size changes with the contacts; gravity, iterations, rest shapes, what warm starts of
/// sweeps begin with, forces and moments on rods, the values of `withy_rods_set_motion`, limits, stiffness and motors of joints and the
/// statistics do not. Of ragdolls what their transitions have made
/// belongs to it: how their joints and arcs were fitted and are limited and driven, what their bones keep, and their weights.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_save_state(world: WithyWorld, data: *mut c_void, size: *mut u64) -> i32 {
    guard::read("withy_world_save_state", world, |cx| {
        let needed = cx.world.save_state(&mut [])?;
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, needed, "size")? {
                data.write_bytes(0, needed);
                cx.world.save_state(std::slice::from_raw_parts_mut(data, needed))?;
            }
        }
        Ok(())
    })
}

/// Writes. Goes back to a saved state, bit for bit, and goes on from there as it went. The world must have the same objects and pins as
/// when it was saved, or have been made by the same calls; of ragdolls the same instances must have bodies, made in the same order, in
/// whatever poses. Joints must be of the same kinds; limits and motors that have come since then start without impulses.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if it is a state of another world or another version, cut or damaged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_restore_state(world: WithyWorld, data: *const c_void, size: u64) -> i32 {
    guard::write("withy_world_restore_state", world, |cx| {
        defs::not_null(data, "data")?;
        if size > isize::MAX as u64 {
            return Err(Failure::argument(format!("size is {size}: leaves the address space")));
        }
        // SAFETY: the caller's contract; not NULL, and of a possible size.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) };
        Ok(cx.world.restore_state(bytes)?)
    })
}

/// Reads. The name of the backend in use, such as "cpu", with a terminating 0; after a fall-back of WITHY_BACKEND_AUTO with the
/// reason behind it.
///
/// @param name Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the name, its 0 included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_backend(world: WithyWorld, name: *mut c_char, size: *mut u64) -> i32 {
    guard::read("withy_world_backend", world, |cx| {
        let text = cx.world.backend_name().as_bytes();
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(name) = span::buffer(name.cast::<u8>(), size, text.len() + 1, "size")? {
                name.copy_from_nonoverlapping(text.as_ptr(), text.len());
                name.add(text.len()).write(0);
            }
        }
        Ok(())
    })
}
