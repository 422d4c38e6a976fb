//! Loops whose rounds run on the caller's threads.

use std::sync::{Mutex, PoisonError};

/// Calls the task with every number below the count, once each, in any order and on any threads, and returns when all
/// are done. Results do not depend on how it does that.
pub type Run<'a> = &'a (dyn Fn(usize, &(dyn Fn(usize) + Sync)) + Sync);

/// The calling thread alone.
pub fn inline(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(task);
}

/// Sets every element to what `f` makes of its number, `chunk` of them at a time.
pub(crate) fn fill<T: Send>(run: Run, out: &mut [T], chunk: usize, f: impl Fn(usize) -> T + Sync) {
    let parts: Vec<Mutex<&mut [T]>> = out.chunks_mut(chunk).map(Mutex::new).collect();
    run(parts.len(), &|k| {
        let mut part = parts[k].lock().unwrap_or_else(PoisonError::into_inner);
        part.iter_mut().enumerate().for_each(|(i, x)| *x = f(k * chunk + i));
    });
}

/// What `f` makes of every number below `count`.
pub(crate) fn map<T: Default + Clone + Send>(run: Run, count: usize, chunk: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut out = vec![T::default(); count];
    fill(run, &mut out, chunk, f);
    out
}
