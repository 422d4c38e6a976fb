//! Rigid bodies: who does the stages of [`crate::stages::BODIES`], and when.
//!
//! A cluster of islands goes through the whole step as one task. Of a large one what lies between its halves goes first, then what lies between the
//! halves of each, and so on, and last its parts: as many at a time as there are threads, which wait for each other after each level.

use super::cables::{Cable, View};
use super::drive::*;
use super::elements::Substep;
use super::graph::{Cluster, Edge, Graph, Piece, Role, Scene};
use super::kernels::{Bias, Softness};
use crate::math::Isa;
use crate::math::lane::RECORD;
use crate::math::rows::{Line, WIDTH};
use crate::math::{Elem, Quat, Transform, Vec3};
use crate::stages::{self, BodyStage};
use crate::tasks::team::{Stages, run_stages};
use crate::tasks::{Each, TaskRunner};
use core::ops::Range;

/// Numbers of an element that are kept between steps: parameters and state.
pub trait Rows<E> {
    /// Writes the parameters and the state of element `source` to one lane: row r at `r·WIDTH`.
    ///
    /// # Safety
    /// As many rows as the kind has are writable from `to` on.
    unsafe fn put(&self, kind: Kind, source: u32, to: *mut E);
    /// Says that element `source` is soon asked for.
    fn fetch(&self, kind: Kind, source: u32);
    /// Takes the state back after the step, and the impulses that its substeps but the last have summed up.
    ///
    /// # Safety
    /// The state's rows are readable from `from` on, and as many rows as [`Kind::told`] from `told` on; nobody else writes what belongs to
    /// `source`.
    unsafe fn take(&self, kind: Kind, source: u32, from: *const E, told: *const E);
}

/// How a step is divided, and how errors are taken back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub dt: f64,
    pub substeps: u32,
    pub iterations: u32,
    pub gravity: [f64; 3],
    /// Substeps between two searches for contacts: of a long step, fewer than all.
    pub piece: u32,
    /// Of the first substep: its length over that of the last one before, whose impulses it starts with.
    pub longer: f64,
}

/// A joint error is a spring with a period of two substeps, damped ten times critically: 14 % of it goes in a substep. A softer one shows
/// under a heap, a stiffer one makes cantilevers of several bodies tremble (`docs/internals/bodies.md`).
const JOINT_HERTZ_H: f64 = 0.5;
const JOINT_DAMPING: f64 = 10.0;
/// Limits, which only push, are twice as stiff: at 4 × 5 a door of 0.6 kg gives by 2.6 degrees under 100 N m.
const STOP_HERTZ_H: f64 = 0.7;
/// With fewer sweeps than this, iterations and the relaxation, joints are softer in proportion: what a sweep leaves would feed on itself.
const JOINT_SWEEPS: f64 = 6.0;
/// Fixed joints: damped five times critically, and (hω)² is at most this part of the sweeps, so that slow modes let go of more than their
/// errors add (`docs/internals/bodies.md`).
const FIXED_DAMPING: f64 = 5.0;
const FIXED_PART: f64 = 0.9;
/// Contacts: the stiffest springs, in periods a substep, between bodies that move, and against the ground (softer, a heap presses what is
/// light through the floor), and in Hz; damped ten times critically (E. Catto, Box2D 3).
const CONTACT_HERTZ_H: f64 = 0.35;
const GROUND_HERTZ_H: f64 = 0.5;
const CONTACT_HERTZ: f64 = 120.0;
const CONTACT_DAMPING: f64 = 10.0;
/// Fastest push out of a penetration, m/s.
const MOST_PUSH: f64 = 3.0;
/// Slower impacts do not bounce, m/s.
const BOUNCE: f64 = 1.0;
/// rad/s
const MOST_TURN_BACK: f64 = 12.0;
/// Motors get no stiffer with more iterations than this: with their damping, that is what f32 can tell.
const MOTOR_ITERATIONS: u32 = 300;
/// Where there are so many blocks, elements are asked for ahead.
const MANY: usize = 256;
/// Fastest spin, in radians a substep: a quarter turn.
const MOST_TURN: f64 = 1.57;

/// Rate, 1/s, and softness of a spring of `hertz` and damping ratio `zeta` over the substep `h` (E. Catto, GDC 2011).
fn spring(hertz: f64, zeta: f64, h: f64) -> (f64, f64, f64) {
    let omega = core::f64::consts::TAU * hertz;
    let a1 = 2.0 * zeta + h * omega;
    let a2 = h * omega * a1;
    let a3 = 1.0 / (1.0 + a2);
    (omega / a1, a2 * a3, a3)
}

impl Plan {
    pub fn h(&self) -> f64 {
        self.dt / f64::from(self.substeps)
    }
    /// Whether a substep is the first after a search for contacts.
    pub fn begins(&self, number: u32) -> bool {
        number.is_multiple_of(self.piece)
    }
    /// Whether it is the last before the next, or of the step.
    pub fn ends(&self, number: u32) -> bool {
        self.begins(number + 1) || number + 1 == self.substeps
    }
    /// The piece of the step that a substep is in, s.
    pub fn piece_of(&self, number: u32) -> f64 {
        let start = number - number % self.piece;
        if self.piece == self.substeps { self.dt } else { self.h() * f64::from(self.piece.min(self.substeps - start)) }
    }
    pub fn substep<E: Elem>(&self, number: u32) -> Substep<E> {
        let (h, e) = (self.h(), E::from_f64);
        let sweeps = f64::from(self.iterations + 1);
        let joint_hertz_h = JOINT_HERTZ_H * (sweeps / JOINT_SWEEPS).min(1.0);
        let fixed_hertz_h = joint_hertz_h.min((FIXED_PART * sweeps).sqrt() / core::f64::consts::TAU);
        let joint = |h_hertz: f64, damping: f64| {
            let (rate, mass, impulse) = spring(h_hertz / h, damping, h);
            let soft = Softness { mass: e(mass), impulse: e(impulse) };
            Bias { rate: e(rate), most_turn: e(MOST_TURN_BACK), inv_h: e(1.0 / h), soft }
        };
        let contact = |h_hertz: f64| spring(CONTACT_HERTZ.min(h_hertz / h), CONTACT_DAMPING, h);
        let (contact_rate, contact_mass, contact_impulse) = contact(CONTACT_HERTZ_H);
        let (ground_rate, ground_mass, ground_impulse) = contact(GROUND_HERTZ_H);
        let all = Substep {
            h: e(h),
            inv_h: e(1.0 / h),
            joint: joint(joint_hertz_h, JOINT_DAMPING),
            stop: joint(STOP_HERTZ_H / JOINT_HERTZ_H * joint_hertz_h, JOINT_DAMPING),
            fixed: joint(fixed_hertz_h, FIXED_DAMPING),
            contact_rate: e(contact_rate),
            contact_soft: Softness { mass: e(contact_mass), impulse: e(contact_impulse) },
            ground_rate: e(ground_rate),
            ground_soft: Softness { mass: e(ground_mass), impulse: e(ground_impulse) },
            most_push: e(MOST_PUSH),
            bounce: e(BOUNCE),
            number: 0,
            first: e(0.0),
            part: e(0.0),
            inv_dt: e(1.0 / self.dt),
            warm: e(1.0),
            soft_motor: e(1.0 / f64::from(self.iterations.min(MOTOR_ITERATIONS) + 1)),
        };
        self.numbered(&all, number)
    }
    /// What `all` substeps have in common, with what this one has of its own.
    fn numbered<E: Elem>(&self, all: &Substep<E>, number: u32) -> Substep<E> {
        Substep {
            number,
            first: E::from_f64(if self.begins(number) { 1.0 } else { 0.0 }),
            part: E::from_f64(f64::from(number + 1) / f64::from(self.substeps)),
            warm: E::from_f64(if number == 0 { self.longer } else { 1.0 }),
            ..*all
        }
    }
    pub fn field<E: Elem>(&self) -> Field<E> {
        let h = self.h();
        Field { gravity: Vec3::from(self.gravity).map(E::from_f64), h: E::from_f64(h), most_turn: E::from_f64(MOST_TURN / h) }
    }
}

/// Bodies as the kernels see them. Record 0 is the world: it never moves.
#[derive(Debug)]
pub struct Solver<E> {
    pub pose: Vec<Record<E>>,
    pub velocity: Vec<Record<E>>,
    pub mass: Vec<Record<E>>,
    /// Accelerations by the host's forces, for the records of bodies; empty where there are none.
    pub push: Vec<Record<E>>,
    /// Velocities as a step has them, see [`Graph::seats`].
    seats: Vec<Record<E>>,
    lines: Vec<Line<E>>,
    pub graph: Graph,
    /// Of the step under way, and, by cluster, those that are solved.
    pub cables: Vec<Cable>,
    cables_of: Vec<(u32, u32)>,
    /// For cables: who moves each body, and where the poses of those that the host moves are.
    roles: Vec<Role>,
    paths: Vec<u32>,
}

impl<E: Elem> Default for Solver<E> {
    fn default() -> Self {
        let mut s = Solver {
            pose: Vec::new(),
            velocity: Vec::new(),
            mass: Vec::new(),
            push: Vec::new(),
            seats: Vec::new(),
            lines: Vec::new(),
            graph: Graph::default(),
            cables: Vec::new(),
            cables_of: Vec::new(),
            roles: Vec::new(),
            paths: Vec::new(),
        };
        s.grow(1);
        s
    }
}

/// A pose that changes nothing.
fn rest<E: Elem>() -> Record<E> {
    let mut r = Record([E::zero(); RECORD]);
    r.0[record::ROTATION + 3] = E::one();
    r
}

impl<E: BodyRunner> Solver<E> {
    /// Makes the awake part of the scene ready: clusters, blocks, lines. `paths`: of each body that the host moves, where its poses are,
    /// one a substep, from the first record after the bodies on; 0 for others. `path_records`: how many those are.
    pub fn compile(
        &mut self,
        roles: &[Role],
        paths: &[u32],
        path_records: usize,
        edges: &[Edge],
        pieces: &[Piece],
        runner: &dyn TaskRunner,
    ) {
        let records = roles.len() + path_records;
        let scene = Scene { roles, paths, poses: &self.pose, records: records as u32, edges, pieces };
        self.graph.build(&scene, runner);
        self.list_cables(roles, paths);
        self.grow(records + self.graph.spares);
        for k in records..records + self.graph.spares {
            self.pose[k] = rest();
            self.mass[k] = Record([E::zero(); RECORD]);
        }
        if self.seats.len() < self.graph.seats.len() {
            self.seats.resize(self.graph.seats.len(), Record([E::zero(); RECORD]));
        }
        if !self.push.is_empty() {
            // Unused lanes read what belongs to nobody.
            self.push.resize(self.pose.len(), Record([E::zero(); RECORD]));
        }
        if self.lines.len() < self.graph.lines {
            self.lines.resize(self.graph.lines, Line([E::zero(); WIDTH]));
        }
    }

    fn list_cables(&mut self, roles: &[Role], paths: &[u32]) {
        self.cables_of.clear();
        if self.cables.is_empty() {
            return;
        }
        // Room for all, so that what wakes later does not allocate.
        self.cables_of.reserve(self.cables.len());
        self.roles.clear();
        self.roles.extend_from_slice(roles);
        self.paths.clear();
        self.paths.extend_from_slice(paths);
        for (k, cable) in self.cables.iter_mut().enumerate() {
            cable.acts = false;
            match cable.mover(roles).map(|body| self.graph.cluster(body)) {
                Some(Some(cluster)) => {
                    cable.acts = true;
                    self.cables_of.push((cluster, k as u32));
                }
                // It sleeps as it is.
                Some(None) => {}
                None => cable.idle(),
            }
        }
        self.cables_of.sort_unstable();
    }

    fn shared(&mut self) -> Shared<E> {
        Shared {
            pose: self.pose.as_mut_ptr(),
            velocity: self.seats.as_mut_ptr(),
            mass: self.mass.as_ptr(),
            push: if self.push.is_empty() { core::ptr::null() } else { self.push.as_ptr() },
            lines: self.lines.as_mut_ptr(),
        }
    }

    /// Some substeps of what [`Solver::compile`] made ready, in order, of one piece of the step. `joints` and `contacts` give what the blocks hold
    /// before the first and take it after the last.
    pub fn step(
        &mut self,
        isa: Isa,
        plan: &Plan,
        joints: &(dyn Rows<E> + Sync),
        contacts: &(dyn Rows<E> + Sync),
        runner: &dyn TaskRunner,
        span: Range<u32>,
    ) {
        if span.is_empty() {
            return;
        }
        let (first, last) = (plan.begins(span.start), plan.ends(span.end - 1));
        let shared = self.shared();
        let graph = &self.graph;
        let velocity = Each::new(&mut self.velocity);
        // Velocities of these groups to their seats, or back.
        let sit = |groups: Range<usize>, back: bool| {
            let [bodies, copies] = graph.seats(groups);
            // SAFETY: a body and its seat are in one group, and that is one task's; what is copied nobody writes.
            unsafe {
                if back {
                    let moved = bodies.filter(|&k| graph.seats[k] > 0);
                    moved.for_each(|k| *velocity.at(graph.seats[k] as usize) = *shared.seat(k));
                } else {
                    bodies.chain(copies).for_each(|k| *shared.seat(k) = velocity.get(graph.seats[k] as usize));
                }
            }
        };
        let many = graph.blocks.len() >= MANY;
        let transfer = |take: bool, span: Range<usize>| {
            for i in span.clone() {
                if many && i + 1 < span.end {
                    let (next, sources) = (&graph.blocks[i + 1], &graph.sources[i + 1]);
                    let rows = if next.kind >= Kind::Contact1 { contacts } else { joints };
                    sources[..next.count as usize].iter().for_each(|&source| rows.fetch(next.kind, source));
                }
                // SAFETY: a block's lines and elements are this task's.
                unsafe { transfer(&shared, &graph.blocks[i], &graph.sources[i], joints, contacts, take) }
            }
        };
        let order = Order { plan, span: span.clone(), field: plan.field(), substep: plan.substep(0) };
        let cables = Each::new(&mut self.cables);
        let (cables_of, roles, paths) = (&self.cables_of, &self.roles, &self.paths);
        // Before the blocks of a stage.
        let pull = |cluster: usize, stage: BodyStage, substep: &Substep<E>| {
            let from = cables_of.partition_point(|c| (c.0 as usize) < cluster);
            let own = cables_of[from..].iter().take_while(|c| c.0 as usize == cluster);
            // SAFETY: what no impulse moves nobody writes.
            let still = |body: u32| unsafe { velocity.get(body as usize) };
            // The whole of it, which may go to other threads.
            let all: &Shared<E> = &shared;
            let (pose, mass, seats) = (all.pose, all.mass, all.velocity);
            let view = View { pose, mass, seats, seat_of: graph.seat_of(), roles, paths, still: &still };
            // SAFETY: a cluster's cables are one task's.
            own.for_each(|c| view.stage(unsafe { cables.at(c.1 as usize) }, stage, substep, plan.dt));
        };
        let whole = |k: usize, c: &Cluster| {
            let all = graph.blocks(c.groups.clone());
            sit(c.groups.clone(), false);
            if first {
                transfer(false, all.clone());
            }
            let blocks = &graph.blocks[all.clone()];
            let bodies = &graph.body_blocks[graph.body_blocks(c.groups.clone())];
            for number in span.clone() {
                for phase in 0..order.phases(number) {
                    // SAFETY: `isa` was checked when the world was made; a cluster's records and lines are its own.
                    unsafe {
                        match order.stage(phase) {
                            BodyStage::Velocities => E::bodies(isa, &shared, bodies, &order.field, false),
                            BodyStage::Poses => E::bodies(isa, &shared, bodies, &order.field, true),
                            stage => {
                                let substep = order.substep(number);
                                pull(k, stage, &substep);
                                E::run(isa, &shared, blocks, stage, &substep)
                            }
                        }
                    }
                }
            }
            if last {
                transfer(true, all);
            }
            sit(c.groups.clone(), true);
        };
        // Side by side, but for those that keep the others waiting.
        let threads = runner.threads();
        let bodies: usize = graph.clusters.iter().map(|c| c.bodies as usize).sum();
        let shared_out = |c: &Cluster| threads > 1 && c.levels > 0 && c.bodies as usize * threads > bodies;
        runner.run(graph.clusters.len(), &|k| {
            let c = &graph.clusters[k];
            if !shared_out(c) {
                whole(k, c);
            }
        });
        // Those level by level, down to as many groups as there are threads; what is below is theirs.
        for (number, c) in graph.clusters.iter().enumerate().filter(|(_, c)| shared_out(c)) {
            let last_level = threads.next_power_of_two().ilog2().min(c.levels);
            let each = last_level as usize + 1;
            // Before the first phase and after the last one, seats are taken and left, and lines filled and emptied.
            let phases = order.all_phases();
            let at = |s: usize| (s / each).checked_sub(1).filter(|&p| p < phases).map(|p| order.at(p));
            let level = |s: usize| (s % each) as u32;
            let items = |s: usize| match at(s) {
                Some((_, BodyStage::Velocities | BodyStage::Poses)) if level(s) < last_level => 0,
                _ => 1 << level(s),
            };
            let task = |s: usize, span: Range<usize>| {
                for k in span {
                    let groups = if level(s) < last_level { c.node(level(s), k) } else { c.tree(level(s), k) };
                    let (blocks, bodies) = (graph.blocks(groups.clone()), graph.body_blocks(groups.clone()));
                    // SAFETY: as above; groups of one level share no record that is written, nor does what is below them.
                    unsafe {
                        match at(s) {
                            None if s < each => {
                                sit(groups, false);
                                if first {
                                    transfer(false, blocks);
                                }
                            }
                            None => {
                                if last {
                                    transfer(true, blocks);
                                }
                                sit(groups, true);
                            }
                            Some((_, stage @ (BodyStage::Velocities | BodyStage::Poses))) => {
                                let poses = stage == BodyStage::Poses;
                                E::bodies(isa, &shared, &graph.body_blocks[bodies], &order.field, poses)
                            }
                            Some((i, stage)) => {
                                let substep = order.substep(i);
                                if level(s) == 0 {
                                    pull(number, stage, &substep);
                                }
                                E::run(isa, &shared, &graph.blocks[blocks], stage, &substep);
                            }
                        }
                    }
                }
            };
            let count = each * (phases + 2);
            run_stages(runner, threads.min(1 << last_level), &Stages { count, items: &items, task: &task });
        }
    }
}

/// The order of a step.
struct Order<'a, E> {
    plan: &'a Plan,
    span: Range<u32>,
    field: Field<E>,
    substep: Substep<E>,
}

impl<E: BodyRunner> Order<'_, E> {
    /// Stages of a substep.
    fn phases(&self, number: u32) -> usize {
        stages::count(stages::BODIES, self.plan.iterations as usize, self.plan.ends(number))
    }
    fn stage(&self, k: usize) -> BodyStage {
        // Callers count with `phases`.
        stages::nth(stages::BODIES, self.plan.iterations as usize, k).unwrap_or(BodyStage::Bounce)
    }
    fn substep(&self, number: u32) -> Substep<E> {
        self.plan.numbered(&self.substep, number)
    }

    /// Of all substeps.
    fn all_phases(&self) -> usize {
        self.span.clone().map(|number| self.phases(number)).sum()
    }
    /// The substep and stage of one of all phases.
    fn at(&self, p: usize) -> (u32, BodyStage) {
        let each = self.phases(0).min(self.phases(self.span.end - 1));
        // The last substep has one more.
        let k = (p / each).min(self.span.len() - 1);
        (self.span.start + k as u32, self.stage(p - k * each))
    }
}

/// Parameters and state into a block's lanes, or the state back.
///
/// # Safety
/// The block's lines and elements are the caller's.
unsafe fn transfer<E: Elem>(
    s: &Shared<E>,
    block: &Block,
    sources: &[u32; WIDTH],
    joints: &(dyn Rows<E> + Sync),
    contacts: &(dyn Rows<E> + Sync),
    take: bool,
) {
    let rows = if block.kind >= Kind::Contact1 { contacts } else { joints };
    let [params, state, work] = block.kind.rows();
    let told = params + state + work;
    // SAFETY: the caller's contract.
    unsafe {
        let base = s.lines.add(block.line as usize) as *mut E;
        for (lane, &source) in sources.iter().enumerate() {
            match (take, lane < block.count as usize) {
                (false, true) => rows.put(block.kind, source, base.add(lane)),
                (true, true) => rows.take(block.kind, source, base.add(lane + params * WIDTH), base.add(lane + told * WIDTH)),
                // No numbers of another scene: they could be slow.
                (false, false) => (0..params + state).for_each(|r| *base.add(lane + r * WIDTH) = E::zero()),
                (true, false) => {}
            }
        }
    }
}

impl<E: Elem> Solver<E> {
    /// At least `count` records; new ones are of the world.
    pub fn grow(&mut self, count: usize) {
        if self.pose.len() < count {
            self.pose.resize(count, rest());
            self.velocity.resize(count, Record([E::zero(); RECORD]));
            self.mass.resize(count, Record([E::zero(); RECORD]));
        }
    }
    /// Memory for so many records; false where there is none.
    pub fn reserve(&mut self, count: usize) -> bool {
        let more = |list: &mut Vec<Record<E>>| list.try_reserve(count.saturating_sub(list.len())).is_ok();
        more(&mut self.pose) && more(&mut self.velocity) && more(&mut self.mass)
    }
    pub fn position(&self, i: usize) -> Vec3<E> {
        let r = &self.pose[i].0;
        Vec3 { x: r[0], y: r[1], z: r[2] }
    }
    pub fn rotation(&self, i: usize) -> Quat<E> {
        let r = &self.pose[i].0[record::ROTATION..];
        Quat { x: r[0], y: r[1], z: r[2], w: r[3] }
    }
    pub fn place(&self, i: usize) -> Transform<E> {
        Transform { position: self.position(i), rotation: self.rotation(i) }
    }
    pub fn memory_bytes(&self) -> usize {
        (self.pose.capacity() + self.velocity.capacity() + self.mass.capacity() + self.seats.capacity()) * size_of::<Record<E>>()
            + self.lines.capacity() * size_of::<Line<E>>()
    }
}
