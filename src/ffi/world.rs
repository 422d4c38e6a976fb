//! World
//!
//! A world is what is simulated together: only objects of the same world can touch. It is stepped
//! as a whole.

use std::ffi::{c_char, c_void};

use super::context::WithyContext;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span;
use super::tasks::HostTasks;
use super::types::WithyVec3;
use crate::math::Isa;
use crate::world::{BackendChoice, GpuCache, World, WorldDesc};

/// Handle of a world.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyWorld {
    pub bits: u64,
}
handles::handle!(WithyWorld, World, "world");

/// Simulate on the CPU. The default.
pub const WITHY_BACKEND_CPU: u32 = 0;
/// Simulate rods on the GPU. Rigid bodies, joints and ragdolls step on the CPU beside them; rods
/// meet them, and push them unless they have WITHY_RODS_ONE_WAY: steps in which rods without it are
/// near a dynamic body wait for the GPU. Without a usable GPU `withy_world_create` fails with
/// WITHY_ERROR_UNSUPPORTED, and `withy_last_error` says why.
pub const WITHY_BACKEND_GPU: u32 = 1;
/// The GPU if there is a usable one, else the CPU. (Software such as Mesa's llvmpipe is not taken.)
/// `withy_world_backend` tells which. On the GPU there is only what WITHY_BACKEND_GPU has.
pub const WITHY_BACKEND_AUTO: u32 = 2;

/// The widest instruction set of the machine. (withy_expert.h has the others.)
pub const WITHY_ISA_AUTO: u32 = 0;

/// Single precision. The default.
pub const WITHY_PRECISION_F32: u32 = 0;
/// Double precision, on the CPU only. Slower by two to five times; for very stiff strands, and for
/// scenes kilometres wide.
pub const WITHY_PRECISION_F64: u32 = 1;

/// How to create a world. A step is divided into substeps, and a substep into iterations: more
/// substeps follow fast motion better and make contacts and joints stiffer, more iterations bring
/// the constraints closer to being met.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyWorldDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    pub backend: u32,
    /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO. All give the same results.
    pub isa: u32,
    /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    pub precision: u32,
    /// Substeps of each step, 1 to 65,536. Default: 8, good for 60 steps a second.
    pub substeps: u32,
    /// Iterations of each substep, 1 to 10,000. Default: 4. It is for rods that are swept, bodies
    /// and joints. Rods that are solved directly have their own number, `WithyRodsDef.iterations`.
    pub iterations: u32,
    /// The most substeps of a long step, up to 65,536. A step of more than 0.05 s, as after a
    /// frame that took too long, has more substeps, so that none is longer than in a step of
    /// 0.05 s. With `substeps` or less a long step has no more than a usual one. 0 (the default):
    /// 16 times `substeps`.
    pub max_substeps: u32,
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
            max_substeps: desc.max_substeps,
        }
    }
}

fn world_desc(def: &WithyWorldDef, gpu_cache: &GpuCache) -> Result<WorldDesc> {
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
        max_substeps: def.max_substeps,
        gpu_cache: gpu_cache.clone(),
        ..WorldDesc::default()
    })
}

/// Fills `def` with the defaults. Use the macro `withy_world_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_def_init_sized(def: *mut WithyWorldDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_world_def_init", || unsafe { defs::init(def, size) })
}

/// Creates an empty world. Its gravity is 9.81 m/s^2 downwards.
///
/// @param def NULL: all defaults. Not kept.
/// @param world Set on success. Destroy it with `withy_world_destroy`, or with its context.
/// @return WITHY_ERROR_UNSUPPORTED: no such backend or instruction set here, or double precision on
///     the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_create(context: WithyContext, def: *const WithyWorldDef, world: *mut WithyWorld) -> i32 {
    guard::call("withy_world_create", || {
        let entry = handles::context(context)?;
        defs::not_null(world, "world")?;
        // SAFETY: the caller's contract.
        let def = if def.is_null() { WithyWorldDef::defaults() } else { unsafe { defs::read(def)? } };
        let new = World::new(world_desc(&def, &entry.gpu_cache)?)?;
        let host_tasks = entry.callbacks().map(HostTasks::new);
        let handle = handles::insert_world(context, entry, new, host_tasks)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(world, handle, "world") }
    })
}

/// Destroys a world and everything in it.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_destroy(world: WithyWorld) -> i32 {
    guard::call("withy_world_destroy", || handles::remove_world(world).map(drop))
}

/// Writes. Sets the gravity and wakes bodies that sleep. Hair with WITHY_RODS_SAG_FREE was fitted
/// to the gravity before: call `withy_rods_optimize_rest_shape` to fit it again.
///
/// @param gravity In host units/s^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_set_gravity(world: WithyWorld, gravity: *const WithyVec3) -> i32 {
    guard::write("withy_world_set_gravity", world, |cx| {
        // SAFETY: the caller's contract.
        let gravity = unsafe { defs::load(gravity, "gravity")? };
        let gravity = cx.convention.checked_position(gravity.array(), "gravity", None)?;
        Ok(cx.world.set_gravity(gravity)?)
    })
}

/// Reads. The gravity.
///
/// @param gravity Set, in host units/s^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_get_gravity(world: WithyWorld, gravity: *mut WithyVec3) -> i32 {
    guard::read("withy_world_get_gravity", world, |cx| {
        let value = WithyVec3::new(cx.convention.position_out(cx.world.gravity()));
        // SAFETY: the caller's contract.
        unsafe { defs::store(gravity, value, "gravity") }
    })
}

/// Writes. Changes the substeps and the iterations of the world, as in WithyWorldDef. After a
/// change to fewer substeps, sag-free hair should be fitted again with
/// `withy_rods_optimize_rest_shape`.
///
/// @param substeps Substeps of each step, 1 to 65,536.
/// @param iterations Iterations of each substep, 1 to 10,000.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_set_iterations(world: WithyWorld, substeps: u32, iterations: u32) -> i32 {
    guard::write("withy_world_set_iterations", world, |cx| Ok(cx.world.set_iterations(substeps, iterations)?))
}

/// Writes. Advances the world by `dt` seconds. What the host moves (roots, pins, colliders,
/// kinematic bodies) reaches its target at the end of the step, and moves there evenly over the
/// substeps.
///
/// Steps allocate no memory, but for the first one after objects were created, and for steps in
/// which more bodies touch than ever before, or which are longer than any before.
///
/// A step of more than 0.05 s takes more substeps (`WithyWorldDef.max_substeps`): what is at rest
/// stays at rest, and nothing is thrown. `withy_world_read_stats` tells how many it took.
///
/// The floating-point mode of the calling thread does not matter, and is left as it is.
///
/// A simulation that goes wrong is not an error here: `withy_world_read_stats` (withy_expert.h)
/// tells.
///
/// @param dt 1e-6 to 10 s. 0 changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn withy_world_step(world: WithyWorld, dt: f64) -> i32 {
    guard::write("withy_world_step", world, |cx| Ok(cx.world.step(dt, cx.runner)?))
}

/// Reads. Writes the state of the world into `data`, for `withy_world_restore_state`: for scrubbing
/// a timeline, or for a rollback.
///
/// In the state is what steps change: positions, velocities, and the poses, targets and pins that
/// the host has set; whether rods are enabled; of bodies also pushes, who moves them, contacts and
/// sleep; of ragdolls what their last transition made of them. So its size changes with the number
/// of contacts. Not in the state are settings: gravity, iterations, rest shapes, what acts on rods
/// (forces, moments, goals, winds, accelerations), what `withy_rods_change` and
/// `withy_rods_set_motion` set, and limits and motors of joints.
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

/// Writes. Goes back to a saved state. From there the world goes on exactly as it did, bit for bit.
/// (On the GPU strands that touch strands go on nearly so: the state has no contact forces.)
///
/// The world must have the same objects and pins as when the state was saved, or be another one
/// that was built by the same calls, with rods created in the same pose. Of ragdolls, the same
/// instances must have bodies, and joints must be of the same kinds.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the state is damaged, or of another world or
///     version.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_restore_state(world: WithyWorld, data: *const c_void, size: u64) -> i32 {
    guard::write("withy_world_restore_state", world, |cx| {
        defs::not_null(data, "data")?;
        // SAFETY: the caller's contract.
        Ok(cx.world.restore_state(unsafe { span::bytes(data, size, ["data", "size"])? })?)
    })
}

/// Why the last call on this world, or on something in it, failed, on whatever thread: for hosts
/// that step in a job and tell of it elsewhere. Empty before the first failure.
///
/// @param text Room for `*size` bytes, or NULL to learn the size. A C string.
/// @param size Set to the bytes of the text, the final 0 included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_last_error(world: WithyWorld, text: *mut c_char, size: *mut u64) -> i32 {
    guard::call("withy_world_last_error", || {
        // It may be asked for while the world works.
        let (entry, _) = handles::resolve(world)?;
        let last = entry.last_error.lock().replace('\0', " ");
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(text) = span::buffer(text.cast::<u8>(), size, last.len() + 1, "size")? {
                text.copy_from_nonoverlapping(last.as_ptr(), last.len());
                text.add(last.len()).write(0);
            }
        }
        Ok(())
    })
}

/// Reads. The name of the backend in use, such as "cpu", as a C string. If WITHY_BACKEND_AUTO fell
/// back to the CPU the name also says why.
///
/// @param name Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the name, the final 0 included.
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
