//! Context
//!
//! The host's conventions and its workers. One context serves any number of worlds; most programs have one.

use std::ffi::c_void;

use super::convention::Convention;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use crate::tasks::{Inline, Pool};
use crate::world::TaskRunner;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyContext {
    pub bits: u64,
}
handles::handle!(WithyContext, Context, "context");

/// Metres, right-handed, Y up. "Local z" is z.
pub const WITHY_CONVENTION_SI: u32 = 0;
/// Centimetres, right-handed, Y up. "Local z" is z.
pub const WITHY_CONVENTION_MAYA: u32 = 1;
/// Centimetres, left-handed, Z up: (x, y, z) is the library's (x, z, y). "Local z" is y.
pub const WITHY_CONVENTION_UNREAL: u32 = 2;
/// Metres, left-handed, Y up: (x, y, z) is the library's (-x, y, z). "Local z" is z.
pub const WITHY_CONVENTION_UNITY: u32 = 3;
/// Metres, right-handed, Z up: (x, y, z) is the library's (x, z, -y). "Local z" is -y.
pub const WITHY_CONVENTION_BLENDER: u32 = 4;

/// As many threads as the machine has.
pub const WITHY_THREADS_ALL: u32 = 0xffff_ffff;

/// The host's own workers. `run` calls `task(task_data, i)` for each i below `count`, from any threads and in any order, and
/// returns when all of these calls have; it must not keep `task_data` and must not throw. It is called within
/// `withy_world_step` and what else takes long (rest shapes, statics), on the calling thread, so by two threads at once if they step two worlds. It may
/// call the library, but the world at work and its context answer WITHY_ERROR_BUSY. `user` must stay valid while the context lives.
///
/// Calls of one `run` may wait for each other, busily, while many bodies touch; none waits for a call that has not begun, so that one
/// thread may make them one after the other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyTaskCallbacks {
    pub user: *mut c_void,
    pub run: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            task: Option<unsafe extern "C" fn(task_data: *mut c_void, index: u32)>,
            task_data: *mut c_void,
            count: u32,
        ),
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyContextDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_CONVENTION_ value. Default: WITHY_CONVENTION_SI.
    pub convention: u32,
    /// 0 (the default): worlds are stepped by the calling thread alone. n: a pool of n threads, 1024 at most, shared by the
    /// worlds of the context. WITHY_THREADS_ALL: as many as the machine has. Results do not depend on it.
    pub threads: u32,
    /// Length of the host's unit, m, [1e-6, 1e6]. 0 (the default): the convention's own.
    pub metres_per_unit: f64,
    /// The host's workers, or NULL (the default). Copied. `threads` must then be 0.
    pub tasks: *const WithyTaskCallbacks,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyContextDef {
    const FIRST_SIZE: usize = 40;
    fn defaults() -> Self {
        WithyContextDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            convention: WITHY_CONVENTION_SI,
            threads: 0,
            metres_per_unit: 0.0,
            tasks: std::ptr::null(),
        }
    }
}

enum Workers {
    Caller,
    Pool(Pool),
    /// Each world of the context has its own [`super::tasks::HostTasks`] over these.
    Host(WithyTaskCallbacks),
}

/// A context as the registry keeps it.
pub struct ContextEntry {
    pub(super) convention: Convention,
    workers: Workers,
}

// SAFETY: the only pointers are the callbacks, which the host promises to be callable from any thread.
unsafe impl Send for ContextEntry {}
// SAFETY: as above.
unsafe impl Sync for ContextEntry {}

impl ContextEntry {
    pub(super) fn runner(&self) -> &dyn TaskRunner {
        match &self.workers {
            Workers::Pool(pool) => pool,
            _ => &Inline,
        }
    }
    pub(super) fn callbacks(&self) -> Option<WithyTaskCallbacks> {
        match &self.workers {
            Workers::Host(callbacks) => Some(*callbacks),
            _ => None,
        }
    }
}

/// Fills `def` with the defaults. Use the macro `withy_context_def_init(&def)`, which passes the size that the host was compiled
/// with.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: `def` is NULL, or `size` is none that this struct ever had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_def_init_sized(def: *mut WithyContextDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_context_def_init", || unsafe { defs::init(def, size) })
}

/// Creates a context and, if `def` asks for them, its threads.
///
/// @param def NULL: all defaults. Read during the call only.
/// @param context Set on success. Destroy it with `withy_context_destroy`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_create(def: *const WithyContextDef, context: *mut WithyContext) -> i32 {
    guard::call("withy_context_create", || {
        defs::not_null(context, "context")?;
        // SAFETY: the caller's contract.
        let def = if def.is_null() { WithyContextDef::defaults() } else { unsafe { defs::read(def)? } };
        let convention = Convention::new(def.convention, def.metres_per_unit)?;
        let workers = workers(&def)?;
        let bits = handles::insert_context(ContextEntry { convention, workers });
        // SAFETY: the caller's contract.
        unsafe { defs::store(context, WithyContext { bits }, "context") }
    })
}

fn workers(def: &WithyContextDef) -> Result<Workers> {
    if !def.tasks.is_null() {
        if def.threads != 0 {
            return Err(Failure::argument(format!("threads is {}: must be 0 beside tasks", def.threads)));
        }
        // SAFETY: the caller's contract: not NULL, so readable.
        let tasks = unsafe { defs::load(def.tasks, "tasks")? };
        if tasks.run.is_none() {
            return Err(Failure::argument("tasks.run is NULL"));
        }
        return Ok(Workers::Host(tasks));
    }
    let threads = match def.threads {
        0 => return Ok(Workers::Caller),
        WITHY_THREADS_ALL => std::thread::available_parallelism().map_or(1, |n| n.get()).min(Pool::MAX_THREADS),
        n => n as usize,
    };
    Ok(Workers::Pool(Pool::new(threads)?))
}

/// Destroys a context with its worlds and all that is in them, and joins its threads. Their handles are stale from then on.
///
/// @return WITHY_ERROR_BUSY: one of its worlds is in use; nothing has been destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn withy_context_destroy(context: WithyContext) -> i32 {
    guard::call("withy_context_destroy", || handles::remove_context(context).map(drop))
}
