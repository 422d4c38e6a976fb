//! Who runs the tasks of a step.

/// Runs `task(0..count)`, each index once, in any order, on any threads; returns when all are done.
pub trait TaskRunner: Sync {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync));
}

/// The calling thread only.
pub struct Inline;

impl TaskRunner for Inline {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(task);
    }
}
