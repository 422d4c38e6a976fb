//! A host's task callbacks as a [`TaskRunner`].

use std::any::Any;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::context::WithyTaskCallbacks;
use super::float_mode;
use crate::tasks::{Inline, cores};
use crate::world::TaskRunner;

type Task = dyn Fn(usize) + Sync;

/// Epoch (16 bits), next index (24), count (24): one word, so that an index is claimed for exactly one job.
const FIELD: u64 = (1 << 24) - 1;

/// Runs the tasks of one world on the host's threads. The index that the host passes is not trusted: every call claims the next
/// one itself, and what the host left out the stepping thread does. So a host that calls too often, too rarely or with wrong
/// indices loses speed only.
pub struct HostTasks {
    callbacks: WithyTaskCallbacks,
    user: Mutex<()>,
    claim: AtomicU64,
    done: AtomicUsize,
    task: UnsafeCell<Option<*const Task>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    cores: usize,
}

// SAFETY: `task` is written only while no index can be claimed, and read only between a claim and its `done`. The callbacks'
// `user` pointer is the host's, who promises in the header that `run` may be called from any thread.
unsafe impl Send for HostTasks {}
// SAFETY: as above.
unsafe impl Sync for HostTasks {}

impl HostTasks {
    pub fn new(callbacks: WithyTaskCallbacks) -> HostTasks {
        HostTasks {
            callbacks,
            user: Mutex::new(()),
            claim: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            task: UnsafeCell::new(None),
            panic: Mutex::new(None),
            cores: cores(),
        }
    }

    /// Claims an index and runs it. False if none is left.
    fn run_one(&self) -> bool {
        let claimed = self.claim.fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| {
            let (next, count) = (word >> 24 & FIELD, word & FIELD);
            (next < count).then_some(word + (1 << 24))
        });
        let Ok(word) = claimed else {
            return false;
        };
        let index = (word >> 24 & FIELD) as usize;
        // SAFETY: this index is claimed and not yet done, so `run` has not returned and the task lives.
        let task = unsafe { (*self.task.get()).map(|task| &*task) };
        if let Some(task) = task
            && let Err(panic) = float_mode::usual(|| catch_unwind(AssertUnwindSafe(|| task(index))))
        {
            self.panic.lock().get_or_insert(panic);
        }
        self.done.fetch_add(1, Ordering::Release);
        true
    }
}

unsafe extern "C" fn run_one(task_data: *mut c_void, _index: u32) {
    // SAFETY: `task_data` is the pointer that `run` below gave to the host, used during that call.
    unsafe { &*task_data.cast::<HostTasks>() }.run_one();
}

impl TaskRunner for HostTasks {
    // The host does not say.
    fn threads(&self) -> usize {
        self.cores
    }
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let user = if count > 1 && count as u64 <= FIELD { self.user.try_lock() } else { None };
        let (Some(user), Some(run)) = (user, self.callbacks.run) else {
            return Inline.run(count, task);
        };
        // SAFETY: the last job has no unclaimed or unfinished index, so nobody reads the cell. Only the lifetime changes, and
        // this function does not return before all indices are done.
        unsafe { *self.task.get() = Some(std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const Task>(task)) };
        self.done.store(0, Ordering::Relaxed);
        let epoch = (self.claim.load(Ordering::Relaxed) >> 48).wrapping_add(1);
        self.claim.store(epoch << 48 | count as u64, Ordering::Release);
        // SAFETY: the host's function, with the arguments that the header promises.
        unsafe { run(self.callbacks.user, Some(run_one), (&raw const *self).cast_mut().cast(), count as u32) };
        while self.run_one() {}
        while self.done.load(Ordering::Acquire) < count {
            std::thread::yield_now();
        }
        drop(user);
        if let Some(panic) = self.panic.lock().take() {
            resume_unwind(panic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Callback = Option<unsafe extern "C" fn(*mut c_void, u32)>;

    unsafe extern "C" fn never(_: *mut c_void, _: Callback, _: *mut c_void, _: u32) {}
    unsafe extern "C" fn twice(_: *mut c_void, task: Callback, data: *mut c_void, count: u32) {
        for i in 0..2 * count {
            // SAFETY: the library's function and data.
            unsafe { task.unwrap()(data, i) };
        }
    }
    unsafe extern "C" fn threads(_: *mut c_void, task: Callback, data: *mut c_void, count: u32) {
        let data = data as usize;
        std::thread::scope(|scope| {
            for t in 0..3 {
                scope.spawn(move || {
                    // SAFETY: the library's function and data.
                    (0..count).filter(|i| i % 3 == t).for_each(|i| unsafe { task.unwrap()(data as *mut c_void, i) });
                });
            }
        });
    }

    #[test]
    fn every_index_once_whatever_the_host_does() {
        for run in [never, twice, threads] as [unsafe extern "C" fn(*mut c_void, Callback, *mut c_void, u32); 3] {
            let host = HostTasks::new(WithyTaskCallbacks { user: std::ptr::null_mut(), run: Some(run) });
            let hits: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..10 {
                host.run(100, &|i| {
                    hits[i].fetch_add(1, Ordering::Relaxed);
                });
            }
            assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 10));
            let panic = catch_unwind(AssertUnwindSafe(|| host.run(9, &|i| assert!(i != 4, "four")))).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"four"));
            host.run(2, &|_| {});
        }
    }
}
