//! The pool runs a step's tasks without touching the heap, whichever thread looks.

use crate::counting::ALLOCATIONS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use withy::tasks::{Pool, TaskRunner};

fn run_once(pool: &Pool, hits: &[AtomicUsize]) {
    pool.run(hits.len(), &|i| {
        hits[i].fetch_add(1, Ordering::Relaxed);
    });
}

pub fn pool() {
    let hits: Vec<AtomicUsize> = (0..257).map(|_| AtomicUsize::new(0)).collect();
    let pool = Pool::new(3).unwrap();
    for _ in 0..100 {
        run_once(&pool, &hits);
    }
    let before = ALLOCATIONS.load(Ordering::SeqCst);
    for _ in 0..1000 {
        run_once(&pool, &hits);
    }
    assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - before, 0, "allocations in 1000 runs");
    assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1100), "every index once a run");

    // A panic in a task reaches the caller, and the pool lives on.
    let caught = catch_unwind(AssertUnwindSafe(|| pool.run(10, &|i| assert!(i != 7, "task seven"))));
    assert!(caught.unwrap_err().downcast_ref::<&str>().is_some_and(|m| m.contains("task seven")));
    run_once(&pool, &hits);
    assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1101));

    // A second user meanwhile, a nested run, a single task: inline, without waiting for the pool.
    pool.run(4, &|_| run_once(&pool, &hits));
    assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1105));

    assert!(Pool::new(0).is_err() && Pool::new(1 << 20).is_err());
    drop(pool);
}
