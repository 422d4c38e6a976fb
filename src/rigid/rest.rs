//! Bodies at rest: which islands sleep, what wakes them, and the brake for the last that move.

use super::*;
use core::sync::atomic::Ordering;

/// Bodies whose surface stays within this way, m, for that time, s, sleep. (J. Rouwe's test in Jolt: a small tremor does not count.)
const STILL: f64 = 0.015;
const SLEEP_AFTER: f64 = 0.5;
/// What hangs free, or lies on a contact that yields, swings within that way: it must be as slow as this, m/s, too.
const SLOW: f64 = 0.003;
/// And what hangs free creeps within that way: over this time, s, it must be slower than this, m/s; more so where springs take it to their rest.
const CREEP_OVER: f64 = 1.0;
const CREEP: f64 = 2e-4;
const CREEP_OF_SPRINGS: f64 = 5e-6;
/// What goes on in one direction is not at rest: faster than this, m/s, if its mean velocity is at least that part of the present one.
const DRIFT: f64 = 0.004;
const DRIFT_PART: f64 = 0.3;
/// Nor do they turn by that, rad.
const STILL_TURN: f64 = 1.0;
/// Where that part of an island's bodies is at rest, the others are braked if they have stayed within `NEAR`, m, for `CALM_AFTER`, s: by a
/// damping that grows by `BRAKE`, 1/s², up to `MOST_BRAKE`, 1/s.
const MOST_AT_REST: (u64, u64) = (3, 4);
const NEAR: f64 = 0.1;
const CALM_AFTER: f64 = 1.0;
const BRAKE: f64 = 5.0;
const MOST_BRAKE: f64 = 30.0;
/// Where that part is at rest and all others have stayed within `NEAR` for that time, s, all sleep: of thousands of bodies there are always some that
/// tremble between others.
const NEARLY_ALL: (u64, u64) = (99, 100);
const TREMBLES: f64 = 4.0;

/// Bodies of an island, those at rest, and others that have stayed near a place for long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resting {
    all: u32,
    still: u32,
    tremble: u32,
    /// Something presses on it. Otherwise it hangs in joints or on rods, or flies.
    lies: bool,
    /// Rods that are awake hang on it.
    tied: bool,
    /// A motor drives it, and springs pull at it.
    driven: bool,
    sprung: bool,
}

impl Resting {
    fn most(self, (part, of): (u64, u64)) -> bool {
        u64::from(self.still) * of >= u64::from(self.all) * part
    }
    fn sleeps(&self) -> bool {
        !self.tied && self.may_sleep()
    }
    /// Whatever hangs on it.
    fn may_sleep(&self) -> bool {
        let nearly = self.lies && self.most(NEARLY_ALL) && self.still + self.tremble == self.all;
        !self.driven && (self.still == self.all || nearly)
    }
    /// For the last ones.
    fn waits(&self) -> bool {
        self.lies && !self.driven && self.still < self.all && self.most(MOST_AT_REST)
    }
}

impl<E: Precise> Rigid<E> {
    pub fn wake(&mut self, i: usize) {
        (self.still[i], self.calm[i]) = (0.0, 0.0);
        (self.asleep[i], self.called[i]) = (false, true);
    }

    /// Rods that are awake hang on it in the coming step.
    pub fn note_tied(&mut self, i: usize) {
        if self.asleep[i] {
            self.wake(i);
        }
        if self.tied.len() <= i {
            self.tied.resize(i + 1, false);
        }
        self.tied[i] = true;
    }
    /// The island of a body, after [`Rigid::look`], and whether it would sleep in the next step if all rods that hang on it did.
    pub fn island_of(&self, i: usize) -> (u32, bool) {
        let k = self.solver.graph.island[i];
        (k, self.resting.get(k as usize).is_some_and(Resting::may_sleep))
    }

    /// Whether the host moves it in the step under way.
    pub fn is_moved(&self, i: usize) -> bool {
        self.moves.get(i) == Some(&true)
    }

    /// What hangs on it or lies on it wakes in the next step.
    pub fn stir(&mut self, i: usize) {
        self.wake(i);
        self.stirred[i] = true;
    }

    pub fn wake_all(&mut self) {
        self.still.fill(0.0);
        self.calm.fill(0.0);
        self.asleep.fill(false);
    }
    /// At rest, and asleep as long as its island is.
    pub fn rest(&mut self, i: usize) {
        self.solver.velocity[i] = Record([E::zero(); RECORD]);
        self.still[i] = SLEEP_AFTER as f32;
        if self.rest.len() <= i {
            self.rest.resize(i + 1, Record([E::zero(); RECORD]));
        }
        self.rest[i] = self.solver.pose[i];
        self.asleep[i] = true;
    }

    /// Wakes what body `i` touched in the last step. `gone`: these contacts are no more.
    pub fn wake_neighbours(&mut self, i: u32, gone: bool) {
        if !self.touches_known {
            let starts = &mut self.touch_starts;
            starts.clear();
            starts.resize(self.spans.len() + 2, 0);
            // Counted one further, so that filling leaves every start where it belongs.
            for c in self.contacts.all.iter().filter(|c| c.count > 0) {
                starts[c.a as usize + 2] += 1;
                starts[c.b as usize + 2] += 1;
            }
            for k in 1..starts.len() {
                starts[k] += starts[k - 1];
            }
            self.touches.clear();
            self.touches.resize(starts[starts.len() - 1] as usize, 0);
            for (k, c) in self.contacts.all.iter().enumerate().filter(|(_, c)| c.count > 0) {
                for body in [c.a, c.b] {
                    let at = &mut starts[body as usize + 1];
                    self.touches[*at as usize] = k as u32;
                    *at += 1;
                }
            }
            self.touches_known = true;
        }
        let (Some(&from), Some(&to)) = (self.touch_starts.get(i as usize), self.touch_starts.get(i as usize + 1)) else {
            return;
        };
        for k in from..to {
            let c = &mut self.contacts.all[self.touches[k as usize] as usize];
            if c.count == 0 {
                continue;
            }
            let other = if c.a == i { c.b } else { c.a } as usize;
            if gone {
                c.count = 0;
            }
            if other < self.still.len() {
                self.wake(other);
            }
        }
    }

    /// How many of each island's bodies are at rest.
    pub(crate) fn count_rest(&mut self) {
        let graph = &self.solver.graph;
        self.resting.clear();
        // As many as there could be, so that islands that part later do not allocate.
        self.resting.reserve(self.roles.len());
        self.resting.resize(graph.awake.len(), Resting::default());
        let island = |a: u32, b: u32| graph.island[a as usize].min(graph.island[b as usize]) as usize;
        for l in self.contacts.links() {
            let c = &self.contacts.all[l.slot as usize];
            if c.count > 0
                && c.impulse.iter().any(|p| E::zero() < *p)
                && let Some(r) = self.resting.get_mut(island(l.a, l.b))
            {
                r.lies = true;
            }
        }
        for j in self.joint_links.iter().filter(|j| j.holds && (j.drives || j.springs)) {
            if let Some(r) = self.resting.get_mut(island(j.a, j.b)) {
                r.driven |= j.drives;
                r.sprung |= j.springs;
            }
        }
        self.creep.clear();
        self.creep.resize(self.roles.len(), f64::INFINITY);
        for (i, t) in self.traits.iter().enumerate() {
            if self.roles[i] == Role::Dynamic {
                let k = graph.island[i] as usize;
                let r = &mut self.resting[k];
                if !r.lies {
                    self.creep[i] = if r.sprung { CREEP_OF_SPRINGS } else { CREEP };
                }
                let least = if r.lies || self.asleep[i] { SLEEP_AFTER } else { CREEP_OVER };
                let still = f64::from(self.still[i]) >= least;
                // With one that may not sleep nothing is waited for.
                r.all = r.all.saturating_add(if t.can_sleep { 1 } else { u32::MAX });
                r.tied |= self.tied.get(i) == Some(&true);
                r.still += u32::from(still);
                r.tremble += u32::from(!still && f64::from(self.calm[i]) >= TREMBLES);
            }
        }
    }

    /// An island is awake where one of its bodies is, or where something hangs on, or lies on, what the host moves or has changed since the last
    /// step.
    pub(crate) fn wake_islands(&mut self) {
        let stirs = |i: u32| self.moves[i as usize] || self.stirred[i as usize];
        let hosts = (0..self.roles.len() as u32).any(stirs);
        let graph = &mut self.solver.graph;
        for (awake, r) in graph.awake.iter_mut().zip(&self.resting) {
            *awake = !r.sleeps();
        }
        for e in self.edges.iter().filter(|_| hosts) {
            for (one, other) in [(e.a, e.b), (e.b, e.a)] {
                if stirs(one) && self.roles[other as usize] == Role::Dynamic {
                    graph.awake[graph.island[other as usize] as usize] = true;
                }
            }
        }
        self.islands = graph.awake.len() as u32;
        self.awake = 0;
        for i in 1..self.roles.len() {
            if self.roles[i] != Role::Dynamic {
                continue;
            }
            if graph.awake[graph.island[i] as usize] {
                self.awake += 1;
                if self.asleep[i] {
                    self.asleep[i] = false;
                    (self.still[i], self.calm[i]) = (0.0, 0.0);
                }
            } else if !self.asleep[i] {
                self.asleep[i] = true;
                self.still[i] = self.still[i].max(SLEEP_AFTER as f32);
                self.solver.velocity[i] = Record([E::zero(); RECORD]);
            }
        }
    }

    /// Where most of an island is at rest, the last that still swing or tremble near a place are braked, the longer the more.
    pub(crate) fn calm_last(&mut self) {
        let graph = &self.solver.graph;
        let any = self.resting.iter().any(Resting::waits);
        if !any && !self.braked {
            return;
        }
        for (i, t) in self.traits.iter().enumerate() {
            if self.roles[i] != Role::Dynamic {
                continue;
            }
            let calm = f64::from(self.calm[i]) - CALM_AFTER;
            let brake = !self.asleep[i] && self.resting[graph.island[i] as usize].waits();
            let more = if brake { (calm * BRAKE).clamp(0.0, MOST_BRAKE) } else { 0.0 };
            let mass = &mut self.solver.mass[i].0[record::GRAVITY + 1..];
            mass[0] = E::from_f64(t.damping[0] + more);
            mass[1] = E::from_f64(t.damping[1] + more);
        }
        self.braked = any;
    }

    /// How long each body has been at rest.
    pub(crate) fn time_rest(&mut self, dt: f64, runner: &dyn TaskRunner) {
        /// Bodies of one task.
        const PART: usize = 128;
        let n = self.roles.len();
        if self.yielding {
            self.yields.clear();
            self.yields.resize(n, false);
            for c in self.contacts.all.iter().filter(|c| c.count > 0 && E::zero() < c.spring[0]) {
                (self.yields[c.a as usize], self.yields[c.b as usize]) = (true, true);
            }
        }
        *self.stopped.get_mut() = 0;
        let Rigid { still, rest, calm, near, roles, asleep, traits, solver, yielding, yields, creep, stopped, .. } = self;
        let (pose, mass, velocity) = (&solver.pose, &solver.mass, Each::new(&mut solver.velocity));
        let (still, rest, calm, near) = (Each::new(still), Each::new(rest), Each::new(calm), Each::new(near));
        runner.run(n.div_ceil(PART), &|k| {
            for i in k * PART..((k + 1) * PART).min(n) {
                if roles[i] != Role::Dynamic || asleep[i] {
                    continue;
                }
                // SAFETY: each has one entry a body, and each body is one task's; nothing else reads them meanwhile.
                let (still, rest, calm, near) = unsafe { (still.at(i), rest.at(i), calm.at(i), near.at(i)) };
                let size = traits[i].outer;
                let place = pose[i];
                // SAFETY: as above.
                let [v, w] = unsafe { slowed(velocity.at(i), mass[i].0[record::GRAVITY + 3], stopped) };
                let swings = (creep[i].is_finite() || *yielding && yields[i]) && SLOW < v.length() + w.length() * size;
                let now = from(placed(&place));
                for (time, at, within) in [(still, rest, STILL), (calm, near, NEAR)] {
                    let then = from(placed(at));
                    let (way, turn) = (now.position - then.position, turn(then, now));
                    // Of the surface, as one vector of six.
                    let square = |v: Vec3<f64>, w: Vec3<f64>| v.length2() + w.length2() * size * size;
                    let drifts = || {
                        let along = way.dot(v) + turn.dot(w) * size * size;
                        let most = square(v, w);
                        DRIFT * DRIFT < most && DRIFT_PART * most * f64::from(*time) < along
                    };
                    // What spins in place is not at rest, however small it is.
                    let long = f64::from(*time) + dt;
                    let went = way.length() + turn.length() * size;
                    let creeps = || CREEP_OVER <= long && creep[i] * long < went;
                    let goes = within == STILL && (swings || creeps() || (SLEEP_AFTER <= long && drifts()));
                    if !goes && turn.length() < STILL_TURN && went < within {
                        *time += dt as f32;
                    } else {
                        *time = 0.0;
                        *at = place;
                    }
                }
            }
        });
    }
}

/// How a body has turned, rad, where that is little.
fn turn(then: Transform<f64>, now: Transform<f64>) -> Vec3<f64> {
    let q = now.rotation.compose(then.rotation.conjugate());
    Vec3 { x: q.x, y: q.y, z: q.z } * if q.w < 0.0 { -2.0 } else { 2.0 }
}

/// What the last sweeps gave beyond the limit of the speed is taken back; what is no number is counted, and stands. The velocities.
fn slowed<E: Precise>(velocity: &mut Record<E>, most: E, stopped: &AtomicU32) -> [Vec3<f64>; 2] {
    let speed = moved(velocity)[0].map(E::to_f64).length();
    if !velocity.0.iter().all(|x| x.is_finite()) {
        *velocity = Record([E::zero(); RECORD]);
        stopped.fetch_add(1, Ordering::Relaxed);
        return [Vec3::zero(); 2];
    }
    if most.to_f64() < speed {
        let part = E::from_f64(most.to_f64() / speed);
        velocity.0[..3].iter_mut().for_each(|v| *v = *v * part);
    }
    moved(velocity).map(|v| v.map(E::to_f64))
}
