//! Work in many short stages, each done before the next begins: threads meet in a few hundred nanoseconds instead of going to sleep.
//! (The scheme of E. Catto's Box2D 3: one leads, whoever comes helps, and nobody is waited for who has not come.)

use super::{TaskRunner, pause};
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

/// Work of `count` stages.
pub struct Stages<'a> {
    pub count: usize,
    /// Items of a stage.
    pub items: &'a (dyn Fn(usize) -> usize + Sync),
    /// Does some of a stage's items.
    pub task: &'a (dyn Fn(usize, Range<usize>) + Sync),
}

/// Members, at most, and parts of a stage for each, so that the faster one takes more.
const MEMBERS: usize = 64;
const PARTS: usize = 2;
const NAP: Duration = Duration::from_micros(20);
/// The stage after the last.
const OVER: u32 = u32::MAX;

/// In lines of the cache of its own: passing one from core to core takes as long as some constraints.
#[repr(align(128))]
struct Apart<T>(T);

struct Team<'a> {
    stages: &'a Stages<'a>,
    members: usize,
    /// The stage that is on, from 1; 0 before the first.
    now: Apart<AtomicU32>,
    /// Parts of it that are done.
    done: Apart<AtomicU32>,
    /// Of each member: the last stage in which somebody took one of its parts, and how many are taken (32 bits each).
    taken: [Apart<AtomicU64>; MEMBERS],
    failed: AtomicBool,
}

/// Runs all stages in order on up to `members` threads of the runner. The items of a stage may be done in any order, on any thread. A panic
/// in a task reaches the caller, after which some items are left out. Nothing is allocated.
pub fn run_stages(runner: &dyn TaskRunner, members: usize, stages: &Stages<'_>) {
    let members = members.min(MEMBERS);
    if members < 2 || stages.count >= OVER as usize {
        for s in 0..stages.count {
            (stages.task)(s, 0..(stages.items)(s));
        }
        return;
    }
    let team = Team {
        stages,
        members,
        now: Apart(AtomicU32::new(0)),
        done: Apart(AtomicU32::new(0)),
        taken: [const { Apart(AtomicU64::new(0)) }; MEMBERS],
        failed: AtomicBool::new(false),
    };
    runner.lead(members - 1, &|k| team.help(1 + k % (members - 1)), &mut || team.lead());
}

/// A stage and how it is divided: `each` parts for every member.
struct Division {
    stage: usize,
    items: usize,
    each: usize,
}

impl Team<'_> {
    /// 0 parts: not worth dividing.
    fn divide(&self, stage: usize) -> Division {
        let items = (self.stages.items)(stage);
        let each = (items / self.members).min(PARTS);
        Division { stage, items, each }
    }

    fn lead(&self) {
        // Whatever happens, the others are let go.
        let _over = Last(|| self.now.0.store(OVER, Ordering::Release));
        for stage in 0..self.stages.count {
            let d = self.divide(stage);
            if d.each == 0 {
                (self.stages.task)(stage, 0..d.items);
                continue;
            }
            self.done.0.store(0, Ordering::Relaxed);
            self.now.0.store(stage as u32 + 1, Ordering::Release);
            self.work(&d, 0);
            let (all, mut spins) = ((d.each * self.members) as u32, 0);
            while self.done.0.load(Ordering::Acquire) < all {
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
            match self.now.0.load(Ordering::Acquire) {
                OVER => return,
                now if now == seen => wait(&mut spins),
                now => {
                    (seen, spins) = (now, 0);
                    self.work(&self.divide(now as usize - 1), member);
                }
            }
        }
    }

    /// The member's own parts, which are the same places from stage to stage, then what is left of the others'.
    fn work(&self, d: &Division, member: usize) {
        let mut done = Done { team: self, parts: 0, well: false };
        for k in 0..self.members {
            let of = (member + k) % self.members;
            while let Some(part) = self.take(d, of) {
                let (part, parts) = (of * d.each + part, d.each * self.members);
                done.parts += 1;
                (self.stages.task)(d.stage, part * d.items / parts..(part + 1) * d.items / parts);
            }
        }
        done.well = true;
    }

    /// A part of a member's that is still to be had. One who comes late finds all parts of that stage taken.
    fn take(&self, d: &Division, of: usize) -> Option<usize> {
        let (taken, now) = (&self.taken[of].0, d.stage as u64 + 1);
        let mut last = taken.load(Ordering::Relaxed);
        loop {
            let part = match last >> 32 {
                stage if stage > now => return None,
                stage if stage == now => last & 0xffff_ffff,
                _ => 0,
            };
            if part >= d.each as u64 {
                return None;
            }
            match taken.compare_exchange_weak(last, now << 32 | (part + 1), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(part as usize),
                Err(other) => last = other,
            }
        }
    }
}

/// Tells how many parts a member did, also in a panic.
struct Done<'a> {
    team: &'a Team<'a>,
    parts: u32,
    well: bool,
}
impl Drop for Done<'_> {
    fn drop(&mut self) {
        if !self.well {
            self.team.failed.store(true, Ordering::Release);
        }
        if self.parts > 0 {
            self.team.done.0.fetch_add(self.parts, Ordering::Release);
        }
    }
}

fn wait(spins: &mut u32) {
    // Who is waited for may be of less priority on the same core.
    if !pause(spins) {
        std::thread::sleep(NAP);
    }
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
    use crate::tasks::{Inline, Pool};

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
                    &Stages { count: 100, items: &|_| 64, task: &|s, range| assert!(s != bad || !range.contains(&40), "here") },
                );
            }));
            assert!(result.is_err());
            assert!(life(&pool, 4, 50, 20) == life(&Inline, 1, 50, 20), "the pool still works");
        }
    }
}
