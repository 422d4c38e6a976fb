//! Context
//!
//! A context holds what all worlds share: the host's units and axes, and its threads. Most programs
//! have one.
//!
//! ```text
//!     convention   unit   up   hand    host's (x, y, z)   an edge's direction in its frame
//!     SI           m      y    right   (x, y, z)          z
//!     Maya         cm     y    right   (x, y, z)          z
//!     Unreal       cm     z    left    (x, z, y)          y
//!     Unity        m      y    left    (-x, y, z)         z
//!     Blender      m      z    right   (x, z, -y)         -y
//! ```
//!
//! The fourth column says where the host's (x, y, z) is in the library. Frames of rods, bodies and
//! colliders are converted in the same way; the last column follows from that.

use std::ffi::c_void;

use super::convention::Convention;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span;
use crate::tasks::{Inline, Pool};
use crate::world::{GpuCache, TaskRunner};

/// Handle of a context.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyContext {
    pub bits: u64,
}
handles::handle!(WithyContext, Context, "context");

/// Metres, right-handed, Y up. The default.
pub const WITHY_CONVENTION_SI: u32 = 0;
/// Centimetres, right-handed, Y up.
pub const WITHY_CONVENTION_MAYA: u32 = 1;
/// Centimetres, left-handed, Z up. The host's (x, y, z) is the library's (x, z, y).
pub const WITHY_CONVENTION_UNREAL: u32 = 2;
/// Metres, left-handed, Y up. The host's (x, y, z) is the library's (-x, y, z).
pub const WITHY_CONVENTION_UNITY: u32 = 3;
/// Metres, right-handed, Z up. The host's (x, y, z) is the library's (x, z, -y).
pub const WITHY_CONVENTION_BLENDER: u32 = 4;

/// As many threads as the machine has.
pub const WITHY_THREADS_ALL: u32 = 0xffff_ffff;

/// Worker threads of the host, for `WithyContextDef.tasks`.
///
/// The library calls `run` on the thread that steps. `run` must call `task(task_data, i)` once for
/// each i from 0 to count - 1, on any threads and in any order, and return when all these calls
/// have returned. One thread may also make them one after the other. `run` must not throw and must
/// not keep `task_data`.
///
/// Other long calls (rest shapes, settling) call `run`, too. Two threads that step two worlds may
/// call it at the same time. Within it the world that is working, and its context, answer
/// WITHY_ERROR_BUSY.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyTaskCallbacks {
    /// Passed to `run`. Must stay valid as long as the context.
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

/// How to create a context.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyContextDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// A WITHY_CONVENTION_ value: units and axes of the host. Default: WITHY_CONVENTION_SI.
    pub convention: u32,
    /// Threads of the library's own pool, which all worlds of the context share, at most 1024. 0
    /// (the default): none, the thread that calls `withy_world_step` does all the work.
    /// WITHY_THREADS_ALL: as many as the machine has. Results are the same with any number.
    pub threads: u32,
    /// Length of the host's unit in metres, [1e-6, 1e6]. 0 (the default): 1, or 0.01 for the
    /// conventions in centimetres.
    pub metres_per_unit: f64,
    /// The host's worker threads instead of a pool: `threads` must then be 0. NULL (the default):
    /// none. The struct is copied.
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
    /// Of all its worlds.
    pub(super) gpu_cache: GpuCache,
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

/// Fills `def` with the defaults. Use the macro `withy_context_def_init(&def)`; it passes the size
/// of the struct that your program was compiled with. All _init macros below do the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_def_init_sized(def: *mut WithyContextDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_context_def_init", || unsafe { defs::init(def, size) })
}

/// Creates a context and, if `def` asks for them, its threads.
///
/// @param def NULL: all defaults. Not kept.
/// @param context Set on success. Destroy it with `withy_context_destroy`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_create(def: *const WithyContextDef, context: *mut WithyContext) -> i32 {
    guard::call("withy_context_create", || {
        defs::not_null(context, "context")?;
        // SAFETY: the caller's contract.
        let def = if def.is_null() { WithyContextDef::defaults() } else { unsafe { defs::read(def)? } };
        let convention = Convention::new(def.convention, def.metres_per_unit)?;
        let workers = workers(&def)?;
        let bits = handles::insert_context(ContextEntry { convention, workers, gpu_cache: GpuCache::default() });
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

/// Destroys a context, its worlds and everything in them, and ends its threads.
///
/// @return WITHY_ERROR_BUSY: one of its worlds is in use. Nothing was destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn withy_context_destroy(context: WithyContext) -> i32 {
    guard::call("withy_context_destroy", || handles::remove_context(context).map(drop))
}

/// Destroys all contexts of the process, as a host does before it unloads the library or forgets
/// its handles.
///
/// @return WITHY_ERROR_BUSY: a world is in use. Its context is still there, the others are not.
#[unsafe(no_mangle)]
pub extern "C" fn withy_context_destroy_all() -> i32 {
    guard::call("withy_context_destroy_all", || {
        // One that another thread has destroyed meanwhile is gone as well.
        let gone = |e: &Failure| e.code == super::library::WITHY_ERROR_INVALID_HANDLE;
        let outcomes = handles::contexts().into_iter().map(|context| handles::remove_context(context).map(drop));
        outcomes.filter(|o| !o.as_ref().is_err_and(gone)).fold(Ok(()), Result::and)
    })
}

/// Copies the programs that a GPU's driver has compiled for the worlds of a context, for
/// `withy_context_load_gpu_cache` in a later run: compiling them can take seconds. Call it after a
/// world with WITHY_BACKEND_GPU has got its rods.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the number of bytes. 0: nothing was compiled, or the driver does not give it
///     out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_save_gpu_cache(context: WithyContext, data: *mut c_void, size: *mut u64) -> i32 {
    guard::call("withy_context_save_gpu_cache", || {
        let bytes = handles::context(context)?.gpu_cache.bytes();
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, bytes.len(), "size")? {
                data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        Ok(())
    })
}

/// Gives a context what `withy_context_save_gpu_cache` returned, for the worlds that are created
/// afterwards. It is no error if the bytes are damaged, or of another GPU, driver or version of
/// withy: then everything is compiled as without them. Drivers trust such bytes as they trust a
/// program: load only files that your own program has saved.
///
/// @param data `size` bytes. They are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_context_load_gpu_cache(context: WithyContext, data: *const c_void, size: u64) -> i32 {
    guard::call("withy_context_load_gpu_cache", || {
        let entry = handles::context(context)?;
        // SAFETY: the caller's contract.
        entry.gpu_cache.put(unsafe { span::bytes(data, size, ["data", "size"])? });
        Ok(())
    })
}
