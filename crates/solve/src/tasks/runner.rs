//! Who runs the tasks of a step: the calling thread, or a pool. Tasks write disjoint memory and are numbered by the scene, so
//! every runner gives the same bits.

use core::marker::PhantomData;
use core::ops::Range;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};

use crate::desc::error::{Error, ErrorKind, Result};

/// Runs `task(0..count)`, each index once, in any order, on any threads; returns when all are done. A panic in a task reaches
/// the caller. Nothing is allocated.
pub trait TaskRunner: Sync {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync));
    /// How many tasks run at the same time, about.
    fn threads(&self) -> usize {
        1
    }
    /// More is to come, until [`TaskRunner::dismiss`]: helpers may stay awake, which is sooner than to be woken.
    fn attend(&self) {}
    /// After each [`TaskRunner::attend`].
    fn dismiss(&self) {}
    /// Runs `lead` once, and meanwhile `help(0..helpers)`, each on a thread of its own as far as there are any: a helper may start when the leader
    /// has ended, or never. Returns when all that started have ended.
    fn lead(&self, helpers: usize, help: &(dyn Fn(usize) + Sync), lead: &mut (dyn FnMut() + Send)) {
        let lead = Mutex::new(Some(lead));
        self.run(helpers + 1, &|k| {
            // Whoever comes first: the others could not begin without it.
            let leads = lead.lock().take();
            match leads {
                Some(lead) => lead(),
                None => help(k.saturating_sub(1)),
            }
        });
    }
}

/// Keeps helpers awake as long as it lives.
pub struct Attend<'a>(&'a dyn TaskRunner);
impl<'a> Attend<'a> {
    pub fn new(runner: &'a dyn TaskRunner) -> Self {
        runner.attend();
        Attend(runner)
    }
}
impl Drop for Attend<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

/// The calling thread only.
pub struct Inline;

impl TaskRunner for Inline {
    fn lead(&self, _: usize, _: &(dyn Fn(usize) + Sync), lead: &mut (dyn FnMut() + Send)) {
        lead();
    }
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(task);
    }
}

/// A list whose entries tasks write, each its own.
#[derive(Debug)]
pub struct Each<'a, T> {
    first: *mut T,
    count: usize,
    list: PhantomData<&'a mut [T]>,
}
// SAFETY: the list is borrowed exclusively, and every entry is one task's: it goes to that task's thread and back.
unsafe impl<T: Send> Send for Each<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Each<'_, T> {}

impl<'a, T> Each<'a, T> {
    pub fn new(list: &'a mut [T]) -> Self {
        Each { first: list.as_mut_ptr(), count: list.len(), list: PhantomData }
    }
    /// # Safety
    /// `i` is in range, and nobody else has that entry while this one is in use.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn at(&self, i: usize) -> &mut T {
        debug_assert!(i < self.count);
        // SAFETY: the caller's contract.
        unsafe { &mut *self.first.add(i) }
    }
    /// # Safety
    /// `i` is in range, and nobody writes that entry meanwhile.
    pub unsafe fn get(&self, i: usize) -> T
    where
        T: Copy,
    {
        debug_assert!(i < self.count);
        // SAFETY: the caller's contract.
        unsafe { *self.first.add(i) }
    }
    /// # Safety
    /// As [`Each::at`], for all of `span`.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn span(&self, span: Range<usize>) -> &mut [T] {
        debug_assert!(span.start <= span.end && span.end <= self.count);
        // SAFETY: the caller's contract.
        unsafe { core::slice::from_raw_parts_mut(self.first.add(span.start), span.len()) }
    }
    /// Some of the entries, numbered from 0 on.
    pub fn part(&self, span: Range<usize>) -> Each<'_, T> {
        assert!(span.start <= span.end && span.end <= self.count);
        // SAFETY: within the list.
        Each { first: unsafe { self.first.add(span.start) }, count: span.len(), list: PhantomData }
    }
}

/// `make` of every number below `count`, in that order.
pub fn collect<T: Send>(runner: &dyn TaskRunner, count: usize, make: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut made: Vec<Option<T>> = Vec::new();
    made.resize_with(count, || None);
    let each = Each::new(&mut made);
    // SAFETY: every number is one task's.
    runner.run(count, &|i| *unsafe { each.at(i) } = Some(make(i)));
    made.into_iter().flatten().collect()
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
    /// The driver has not come yet.
    Starting,
    Idle,
    Waiting(TaskPointer, usize),
    Running,
    Done(Option<Box<dyn Any + Send>>),
    Closed,
}

struct Shared {
    slot: Mutex<Slot>,
    /// How often the slot was changed: what both sides look at before they sleep.
    changes: AtomicUsize,
    /// Steps under way: as long as there are any, the driver sleeps late.
    attended: AtomicUsize,
    /// The driver waits here for `Waiting` or `Closed`.
    work: Condvar,
    /// The stepping thread waits here for `Done`.
    done: Condvar,
}

impl Shared {
    fn change(&self, slot: &mut Slot, to: Slot) {
        *slot = to;
        self.changes.fetch_add(1, Ordering::Release);
    }
    /// Waits for the next change, for a while without sleeping where `awake` says so; tells whether there was one.
    fn watch(&self, seen: usize, awake: impl Fn() -> bool) -> bool {
        let mut spins = 0;
        while self.changes.load(Ordering::Acquire) == seen {
            if !awake() || !pause(&mut spins) {
                return false;
            }
        }
        true
    }
}

/// Looks before the others on this core get a turn, and before one sleeps.
const SPINS: u32 = 1 << 10;
const YIELDS: u32 = SPINS + (1 << 12);

/// A moment for somebody else to get on; false once it has been long.
pub(super) fn pause(spins: &mut u32) -> bool {
    *spins += 1;
    match *spins {
        0..SPINS => core::hint::spin_loop(),
        SPINS..YIELDS => std::thread::yield_now(),
        _ => return false,
    }
    true
}

/// A rayon pool with one resident driver. `ThreadPool::install` and `scope` allocate a job at every call, and the thread that calls
/// them sleeps; here the stepping thread works itself and hands what others can do to a driver that already lives in the pool, and
/// the driver splits it with `join`, which keeps its jobs on the stack.
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

    /// A pool of `threads` workers, 1..=[`Self::MAX_THREADS`]. The thread that calls [`TaskRunner::run`] takes the place of one of them.
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
            .build();
        let rayon = match rayon {
            Ok(rayon) => rayon,
            Err(e) => {
                // Those that did start are told to end.
                handles.drain(..).for_each(|thread: JoinHandle<()>| drop(thread.join()));
                return Err(Error::new(ErrorKind::OutOfMemory, format!("threads is {threads}: {e}")));
            }
        };
        let (changes, attended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let shared =
            Arc::new(Shared { slot: Mutex::new(Slot::Starting), changes, attended, work: Condvar::new(), done: Condvar::new() });
        let driver = shared.clone();
        // A worker allocates when it first runs: on a busy machine one may come to it only in some later step.
        rayon.broadcast(|_| ());
        rayon.spawn(move || drive(&driver));
        // So does a lock when a thread first waits for it: here both this thread and the driver do.
        let mut slot = shared.slot.lock();
        while let Slot::Starting = *slot {
            shared.done.wait(&mut slot);
        }
        drop(slot);
        Ok(Pool { shared, caller: Mutex::new(()), rayon: Some(rayon), threads: handles, parallel: threads.min(cores()) })
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }
}

fn drive(shared: &Shared) {
    let mut slot = shared.slot.lock();
    shared.change(&mut slot, Slot::Idle);
    shared.done.notify_one();
    loop {
        match &*slot {
            Slot::Closed => return,
            Slot::Waiting(task, count) => {
                let (task, count) = (*task, *count);
                shared.change(&mut slot, Slot::Running);
                drop(slot);
                // SAFETY: the stepping thread waits for `Done`, which is set below, and keeps the task alive until then.
                let result = catch_unwind(AssertUnwindSafe(|| split(0, count, unsafe { &*task.0 })));
                slot = shared.slot.lock();
                shared.change(&mut slot, Slot::Done(result.err()));
                shared.done.notify_one();
            }
            Slot::Starting | Slot::Idle | Slot::Running | Slot::Done(_) => {
                let seen = shared.changes.load(Ordering::Acquire);
                drop(slot);
                let more = shared.watch(seen, || shared.attended.load(Ordering::Relaxed) > 0);
                slot = shared.slot.lock();
                if !more && shared.changes.load(Ordering::Acquire) == seen {
                    shared.work.wait(&mut slot);
                }
            }
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
    fn attend(&self) {
        self.shared.attended.fetch_add(1, Ordering::Relaxed);
    }
    fn dismiss(&self) {
        self.shared.attended.fetch_sub(1, Ordering::Relaxed);
    }

    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let some = || {
            loop {
                match next.fetch_add(1, Ordering::Relaxed) {
                    i if i < count => task(i),
                    _ => return,
                }
            }
        };
        let helpers = self.threads.len().min(count).saturating_sub(1);
        self.lead(helpers, &|_| some(), &mut || some());
    }

    fn lead(&self, helpers: usize, help: &(dyn Fn(usize) + Sync), lead: &mut (dyn FnMut() + Send)) {
        let caller = if helpers > 0 { self.caller.try_lock() } else { None };
        let Some(_caller) = caller else {
            return lead();
        };
        // SAFETY: only the lifetime changes. This function leaves when the driver does not hold the pointer and will not take it.
        let task = TaskPointer(unsafe { std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const Task>(help) });
        self.shared.change(&mut self.shared.slot.lock(), Slot::Waiting(task, helpers));
        self.shared.work.notify_one();
        let led = catch_unwind(AssertUnwindSafe(lead));
        let mut slot = self.shared.slot.lock();
        if let Slot::Running = *slot {
            let seen = self.shared.changes.load(Ordering::Acquire);
            drop(slot);
            self.shared.watch(seen, || true);
            slot = self.shared.slot.lock();
        }
        let helped = loop {
            match &mut *slot {
                // Nobody came.
                Slot::Waiting(..) => break None,
                Slot::Done(panic) => break panic.take(),
                _ => self.shared.done.wait(&mut slot),
            }
        };
        self.shared.change(&mut slot, Slot::Idle);
        drop(slot);
        if let Some(panic) = led.err().or(helped) {
            drop(_caller);
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.change(&mut self.shared.slot.lock(), Slot::Closed);
        self.shared.work.notify_one();
        self.rayon = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
