//! Who runs the tasks of a step: the calling thread, or a pool. Tasks write disjoint memory and are numbered by the scene, so
//! every runner gives the same bits.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};

use super::error::{Error, ErrorKind, Result};

/// Runs `task(0..count)`, each index once, in any order, on any threads; returns when all are done. A panic in a task reaches
/// the caller. Nothing is allocated.
pub trait TaskRunner: Sync {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync));
    /// How many tasks run at the same time, about.
    fn threads(&self) -> usize {
        1
    }
}

/// The calling thread only.
pub struct Inline;

impl TaskRunner for Inline {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(task);
    }
}

/// What the machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

type Task = dyn Fn(usize) + Sync;

/// A borrowed task whose lifetime has been erased; [`Pool::run`] does not return while it is in use.
#[derive(Clone, Copy)]
struct TaskPointer(*const Task);
// SAFETY: the task is `Sync`, so sharing the reference between threads is sound; its lifetime is kept by `Pool::run`.
unsafe impl Send for TaskPointer {}
// SAFETY: as above.
unsafe impl Sync for TaskPointer {}

enum Slot {
    Idle,
    Waiting(TaskPointer, usize),
    Running,
    Done(Option<Box<dyn Any + Send>>),
    Closed,
}

struct Shared {
    slot: Mutex<Slot>,
    /// The driver waits here for `Waiting` or `Closed`.
    work: Condvar,
    /// The stepping thread waits here for `Done`.
    done: Condvar,
}

/// A rayon pool with one resident driver. `ThreadPool::install` and `scope` allocate a job at every call; here the stepping
/// thread hands its job to a driver that already lives in the pool, and the driver splits it with `join`, which keeps its jobs
/// on the stack.
pub struct Pool {
    shared: Arc<Shared>,
    /// Held by the world that uses the pool; another one meanwhile runs its tasks itself.
    caller: Mutex<()>,
    rayon: Option<rayon::ThreadPool>,
    threads: Vec<JoinHandle<()>>,
    /// Of these, how many the machine runs at once.
    parallel: usize,
}

impl Pool {
    pub const MAX_THREADS: usize = 1024;

    /// A pool of `threads` workers, 1..=[`Self::MAX_THREADS`]. The thread that calls [`TaskRunner::run`] sleeps meanwhile.
    pub fn new(threads: usize) -> Result<Pool> {
        if threads == 0 || threads > Self::MAX_THREADS {
            return Err(Error::invalid(format!("threads is {threads}: a pool has 1 to {} threads", Self::MAX_THREADS)));
        }
        let mut handles = Vec::with_capacity(threads);
        let rayon = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|worker| {
                // Our own threads, so that dropping the pool can join them: a host may unload the library right afterwards.
                let thread = std::thread::Builder::new().name(format!("withy {}", worker.index()));
                handles.push(thread.spawn(|| worker.run())?);
                Ok(())
            })
            .build()
            .map_err(|e| Error::new(ErrorKind::OutOfMemory, format!("threads is {threads}: {e}")))?;
        let shared = Arc::new(Shared { slot: Mutex::new(Slot::Idle), work: Condvar::new(), done: Condvar::new() });
        let driver = shared.clone();
        // A worker allocates when it first runs: on a busy machine one may come to it only in some later step.
        rayon.broadcast(|_| ());
        rayon.spawn(move || drive(&driver));
        Ok(Pool { shared, caller: Mutex::new(()), rayon: Some(rayon), threads: handles, parallel: threads.min(cores()) })
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }
}

fn drive(shared: &Shared) {
    let mut slot = shared.slot.lock();
    loop {
        match &*slot {
            Slot::Closed => return,
            Slot::Waiting(task, count) => {
                let (task, count) = (*task, *count);
                *slot = Slot::Running;
                drop(slot);
                // SAFETY: the stepping thread waits for `Done`, which is set below, and keeps the task alive until then.
                let result = catch_unwind(AssertUnwindSafe(|| split(0, count, unsafe { &*task.0 })));
                slot = shared.slot.lock();
                *slot = Slot::Done(result.err());
                shared.done.notify_one();
            }
            Slot::Idle | Slot::Running | Slot::Done(_) => shared.work.wait(&mut slot),
        }
    }
}

/// Halves the range down to single tasks. `join` waits for both halves even if one panics.
fn split(begin: usize, end: usize, task: &Task) {
    match end - begin {
        0 => {}
        1 => task(begin),
        n => {
            let middle = begin + n / 2;
            rayon::join(|| split(begin, middle, task), || split(middle, end, task));
        }
    }
}

impl TaskRunner for Pool {
    fn threads(&self) -> usize {
        self.parallel
    }
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let caller = if count > 1 { self.caller.try_lock() } else { None };
        let Some(_caller) = caller else {
            return Inline.run(count, task);
        };
        let mut slot = self.shared.slot.lock();
        // SAFETY: only the lifetime changes. This function leaves after `Done`, when the driver no longer holds the pointer.
        let task = TaskPointer(unsafe { std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const Task>(task) });
        *slot = Slot::Waiting(task, count);
        self.shared.work.notify_one();
        let panic = loop {
            if let Slot::Done(panic) = &mut *slot {
                break panic.take();
            }
            self.shared.done.wait(&mut slot);
        };
        *slot = Slot::Idle;
        drop(slot);
        if let Some(panic) = panic {
            drop(_caller);
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        *self.shared.slot.lock() = Slot::Closed;
        self.shared.work.notify_one();
        self.rayon = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
