//! Work in many short stages, each done before the next begins: threads meet in a few hundred nanoseconds instead of going to sleep.
//! (The scheme of E. Catto's Box2D 3: one leads, whoever comes helps, and nobody is waited for who has not come.)

use super::tasks::TaskRunner;
use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Work of `count` stages.
pub struct Stages<'a> {
    pub count: usize,
    /// Items of a stage.
    pub items: &'a (dyn Fn(usize) -> usize + Sync),
    /// Does some of a stage's items.
    pub task: &'a (dyn Fn(usize, Range<usize>) + Sync),
    /// Fewest items that are worth to be handed to another thread.
    pub grain: usize,
}

/// Parts of a stage, at most, and for each member, so that the faster one takes more.
const MOST_PARTS: usize = 64;
const PARTS: usize = 4;
/// Looks at the next stage, before the others on this core get a turn.
const SPINS: u32 = 1 << 10;
/// The stage after the last.
const OVER: u32 = u32::MAX;

struct Team<'a> {
    stages: &'a Stages<'a>,
    members: usize,
    arrived: AtomicU32,
    /// The stage that is on, from 1; 0 before the first.
    now: AtomicU32,
    /// Parts of it that are done.
    done: AtomicU32,
    /// Of each part, the last stage in which somebody took it.
    taken: [AtomicU32; MOST_PARTS],
    failed: AtomicBool,
}

/// Runs all stages in order on up to `members` threads of the runner. The items of a stage may be done in any order, on any thread. A panic
/// in a task reaches the caller, after which some items are left out. Nothing is allocated.
pub fn run_stages(runner: &dyn TaskRunner, members: usize, stages: &Stages<'_>) {
    if members < 2 || stages.count >= OVER as usize {
        for s in 0..stages.count {
            (stages.task)(s, 0..(stages.items)(s));
        }
        return;
    }
    let team = Team {
        stages,
        members,
        arrived: AtomicU32::new(0),
        now: AtomicU32::new(0),
        done: AtomicU32::new(0),
        taken: [const { AtomicU32::new(0) }; MOST_PARTS],
        failed: AtomicBool::new(false),
    };
    runner.run(members, &|_| team.join());
}

impl Team<'_> {
    fn join(&self) {
        match self.arrived.fetch_add(1, Ordering::AcqRel) {
            0 => self.lead(),
            k => self.help(k as usize),
        }
    }

    fn parts(&self, items: usize) -> usize {
        (items / self.stages.grain.max(1)).min(self.members * PARTS).clamp(1, MOST_PARTS)
    }

    fn lead(&self) {
        // Whatever happens, the others are let go.
        let _over = Last(|| self.now.store(OVER, Ordering::Release));
        for s in 0..self.stages.count {
            let items = (self.stages.items)(s);
            let parts = self.parts(items);
            if parts == 1 {
                (self.stages.task)(s, 0..items);
                continue;
            }
            self.done.store(0, Ordering::Relaxed);
            self.now.store(s as u32 + 1, Ordering::Release);
            self.work(s, items, parts, 0);
            // What nobody took: others stop where they meet.
            for part in 0..parts {
                self.take(s, items, parts, part);
            }
            let mut spins = 0;
            while self.done.load(Ordering::Acquire) < parts as u32 {
                wait(&mut spins);
            }
            if self.failed.load(Ordering::Acquire) {
                return;
            }
        }
    }

    fn help(&self, member: usize) {
        let (mut seen, mut spins) = (0, 0);
        loop {
            match self.now.load(Ordering::Acquire) {
                OVER => return,
                now if now == seen => wait(&mut spins),
                now => {
                    (seen, spins) = (now, 0);
                    let s = now as usize - 1;
                    let items = (self.stages.items)(s);
                    self.work(s, items, self.parts(items), member);
                }
            }
        }
    }

    /// The member's own parts, which are the same places from stage to stage, then those of the others from the far end.
    fn work(&self, s: usize, items: usize, parts: usize, member: usize) {
        let own = member % self.members * parts / self.members;
        let mut left = (own..parts).chain(0..own);
        while left.next().is_some_and(|part| self.take(s, items, parts, part)) {}
        let mut back = (0..own).rev().chain((own..parts).rev());
        while back.next().is_some_and(|part| self.take(s, items, parts, part)) {}
    }

    /// Does a part if it is still to be had. One who comes late finds all parts of that stage taken.
    fn take(&self, s: usize, items: usize, parts: usize, part: usize) -> bool {
        let (taken, now) = (&self.taken[part], s as u32 + 1);
        let last = taken.load(Ordering::Relaxed);
        if last >= now || taken.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return false;
        }
        let well = Cell::new(false);
        let _ended = Last(|| {
            if !well.get() {
                self.failed.store(true, Ordering::Release);
            }
            self.done.fetch_add(1, Ordering::Release);
        });
        (self.stages.task)(s, part * items / parts..(part + 1) * items / parts);
        well.set(true);
        true
    }
}

fn wait(spins: &mut u32) {
    *spins += 1;
    if *spins < SPINS { core::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Done when it goes, also in a panic.
struct Last<F: Fn()>(F);
impl<F: Fn()> Drop for Last<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::tasks::{Inline, Pool};
    use std::sync::atomic::AtomicU64;

    /// Each item of a stage reads what its neighbours were in the stage before.
    fn life(runner: &dyn TaskRunner, members: usize, n: usize, stages: usize) -> Vec<u64> {
        let cells: [Vec<AtomicU64>; 2] = [0, 1].map(|_| (0..n).map(|i| AtomicU64::new(i as u64 * 77 + 1)).collect());
        run_stages(
            runner,
            members,
            &Stages {
                count: stages,
                items: &|s| if s % 7 == 3 { 1 } else { n - s % 5 },
                task: &|s, range| {
                    for i in range {
                        let get = |k: usize| cells[s % 2][k % n].load(Ordering::Relaxed);
                        let next = get(i).wrapping_mul(31).wrapping_add(get(i + 1)).wrapping_add(get(i + n - 1) << 3);
                        cells[(s + 1) % 2][i].store(next, Ordering::Relaxed);
                    }
                },
                grain: 2,
            },
        );
        cells[stages % 2].iter().map(|c| c.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn stages_follow_each_other_on_any_number_of_threads() {
        for n in [5, 16, 333] {
            let alone = life(&Inline, 1, n, 400);
            // More members than the runner has threads, which come one after the other.
            assert!(life(&Inline, 5, n, 400) == alone);
            for threads in [2, 3, 8] {
                let pool = Pool::new(threads).unwrap();
                for _ in 0..20 {
                    assert!(life(&pool, threads, n, 400) == alone, "{threads} threads, {n} items");
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_nobody_waits_for_ever() {
        let pool = Pool::new(4).unwrap();
        for bad in [0, 17, 99] {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                run_stages(
                    &pool,
                    4,
                    &Stages {
                        count: 100,
                        items: &|_| 64,
                        task: &|s, range| assert!(s != bad || !range.contains(&40), "here"),
                        grain: 1,
                    },
                );
            }));
            assert!(result.is_err());
            assert!(life(&pool, 4, 50, 20) == life(&Inline, 1, 50, 20), "the pool still works");
        }
    }
}
