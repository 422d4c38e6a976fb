//! The bodies' part of a step: what collides, what is awake, and the solver.

pub mod bodies;
mod bound;
pub mod contact;
pub mod desc;
mod fast;
mod forces;
mod host;
pub mod joints;
mod rest;
mod seams;

use crate::bodies::drive::{BodyRunner, Kind, Record, record};
use crate::bodies::graph::{Edge, Piece, Role};
use crate::bodies::kernels::{Motion, move_pose};
use crate::bodies::solver::{Plan, Solver};
use crate::collide::broad::{Entry, Filter};
use crate::collide::narrow::{Capsule, Geometry};
use crate::collide::{Bounds, Collider, ColliderMotion, between};
use crate::desc::error::Result;
use crate::desc::slots::{Id, Slots};
use crate::desc::{Pose, Shape};
use crate::math::Isa;
use crate::math::lane::RECORD;
use crate::math::{Elem, Gather, Quat, Transform, Vec3};
use crate::tasks::{Each, TaskRunner};
use bodies::{Body, Shapes, pose_of};
use contact::{ContactRows, Contacts, Proxy, Scene};
use core::ops::Range;
use core::sync::atomic::AtomicU32;
use desc::{BodyMotion, BodyShape, JointKind};
use joints::{Joint, JointRows, Keep, MOTOR_FROM, MOTOR_TARGET, NUMBERS, PIECES, transform, turned_to};
use std::collections::BTreeSet;
use std::time::Instant;

/// How near a contact is seen, m.
const REACH: f64 = 0.02;
/// A body's shape as rods meet it.
#[derive(Debug)]
pub(crate) struct RodShape {
    form: RodForm,
    /// Where its geometry is.
    pub proxy: u32,
    /// In principal axes.
    pub local: Transform<f64>,
    pub body: u32,
    pub friction: f64,
    pub category: u32,
    pub mask: u32,
}

#[derive(Clone, Copy, Debug)]
enum RodForm {
    Simple(Shape),
    /// A hull or a mesh: its number among [`Rigid::solids`], and how far it is from its frame's origin at most, m.
    Solid(u32, f64),
}

/// What follows from a body's shapes.
#[derive(Clone, Copy, Debug)]
struct Traits<E> {
    /// Smallest sphere that is inside of a shape: what moves less than that does not pass through anything, m.
    inner: E,
    /// How far its surface is from its centre at most, m.
    outer: f64,
    continuous: bool,
    can_sleep: bool,
    /// Linear and angular damping without a brake, 1/s.
    damping: [f64; 2],
}

/// What the solver asks of a joint, in a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
struct JointLink {
    a: u32,
    b: u32,
    kinds: [Option<Kind>; PIECES],
    /// Where its motor's numbers are.
    motor: Option<u32>,
    /// There is one, and it is enabled.
    holds: bool,
    /// Its motor has a speed to keep; it, or an arc, pulls to a pose.
    drives: bool,
    springs: bool,
}

/// What the bodies of one precision need.
#[derive(Debug)]
pub(crate) struct Rigid<E> {
    pub solver: Solver<E>,
    pub contacts: Contacts<E>,
    pub proxies: Vec<Proxy<E>>,
    pub(crate) entries: Vec<Entry<E>>,
    /// Around each shape, where contacts are looked for, and half of what is near.
    capsules: Vec<Record<E>>,
    pub(crate) rod_shapes: Vec<RodShape>,
    /// The hulls and meshes among them.
    pub solids: Vec<Geometry<E>>,
    /// What rods that are awake hang on in the step under way: it is awake, too.
    pub tied: Vec<bool>,
    /// Poses that rods were last shown within the step under way.
    shown: Vec<Record<E>>,
    /// What rods gave each body in the step, but for the ends that hang on it: N s, and N m s about its centre of mass.
    pub rod_load: Vec<[Vec3<f64>; 2]>,
    /// First proxy of each solver body, and one past the last.
    pub spans: Vec<(u32, u32)>,
    traits: Vec<Traits<E>>,
    /// Whether a shape is a mesh.
    meshes: bool,
    /// Whether shapes may lie side by side, and contacts of such in the making of a step.
    seams: bool,
    sides: Vec<seams::Side>,
    /// Whether a shape yields, and which bodies have a contact that does.
    yielding: bool,
    yields: Vec<bool>,
    /// Fastest that a body may creep at rest, m/s; infinite where something presses on its island: the others hang in joints, or fly.
    creep: Vec<f64>,
    /// Bodies whose motion became no number in the last step.
    pub stopped: AtomicU32,
    pub(crate) roles: Vec<Role>,
    /// Where the host did something since the last step: these may have a force.
    called: Vec<bool>,
    /// What the host has put somewhere, or handed to another mover, since the last step: what hangs on it or lies on it wakes.
    stirred: Vec<bool>,
    paths: Vec<u32>,
    /// How far each body was expected to go in the step, m, and the part of its way that a fast one may go.
    way: Vec<E>,
    part: Vec<E>,
    /// Shapes of what no impulse moves, when a fast body looks for them.
    standing: Vec<u32>,
    /// Time at rest, s, and whether it sleeps.
    pub still: Vec<f32>,
    pub asleep: Vec<bool>,
    moves: Vec<bool>,
    /// Where bodies were when contacts were last looked for, and at the start of the step.
    before: Vec<Record<E>>,
    began: Vec<Record<E>>,
    /// How fast, where rods on the GPU push it.
    #[cfg(feature = "gpu")]
    pub began_with: Vec<Vec3<f64>>,
    /// Poses of the ways of what the host moves.
    path_records: usize,
    /// Where contacts are looked for.
    ahead: Vec<Record<E>>,
    /// Where each body was when its time at rest began.
    pub rest: Vec<Record<E>>,
    /// Time within [`NEAR`], s, and where that is.
    pub calm: Vec<f32>,
    pub near: Vec<Record<E>>,
    /// Of each island.
    resting: Vec<rest::Resting>,
    /// Whether a brake was set in the last step.
    braked: bool,
    /// Of every joint slot.
    pub joint_numbers: Vec<E>,
    joint_offsets: Vec<u32>,
    joint_links: Vec<JointLink>,
    /// Numbers of motors whose targets are on their way in this step.
    ways_of_motors: Vec<u32>,
    edges: Vec<Edge>,
    pieces: Vec<Piece>,
    pub(crate) islands: u32,
    pub(crate) awake: u32,
    pub(crate) touching: u32,
    /// The substep of the last step, s; 0 before the first. Contacts and joints keep impulses.
    pub(crate) last_h: f64,
    /// Seconds of the last step: boxes, pairs, manifolds, islands and blocks, substeps, the rest.
    pub(crate) times: [f64; 6],
    /// Of each body: the contacts of the last step, found when they are asked for.
    touches: Vec<u32>,
    touch_starts: Vec<u32>,
    pub touches_known: bool,
}

impl<E: Elem> Default for Rigid<E> {
    fn default() -> Self {
        Rigid {
            solver: Solver::default(),
            contacts: Contacts::default(),
            proxies: Vec::new(),
            entries: Vec::new(),
            capsules: Vec::new(),
            rod_shapes: Vec::new(),
            solids: Vec::new(),
            shown: Vec::new(),
            rod_load: Vec::new(),
            tied: Vec::new(),
            spans: Vec::new(),
            traits: Vec::new(),
            meshes: false,
            seams: false,
            sides: Vec::new(),
            yielding: false,
            yields: Vec::new(),
            creep: Vec::new(),
            stopped: AtomicU32::new(0),
            roles: Vec::new(),
            called: Vec::new(),
            stirred: Vec::new(),
            paths: Vec::new(),
            way: Vec::new(),
            part: Vec::new(),
            standing: Vec::new(),
            still: Vec::new(),
            asleep: Vec::new(),
            moves: Vec::new(),
            before: Vec::new(),
            began: Vec::new(),
            #[cfg(feature = "gpu")]
            began_with: Vec::new(),
            path_records: 0,
            ahead: Vec::new(),
            rest: Vec::new(),
            calm: Vec::new(),
            near: Vec::new(),
            resting: Vec::new(),
            braked: false,
            joint_numbers: Vec::new(),
            joint_offsets: Vec::new(),
            joint_links: Vec::new(),
            ways_of_motors: Vec::new(),
            edges: Vec::new(),
            pieces: Vec::new(),
            islands: 0,
            awake: 0,
            touching: 0,
            last_h: 0.0,
            times: [0.0; 6],
            touches: Vec::new(),
            touch_starts: Vec::new(),
            touches_known: false,
        }
    }
}

/// The solver's number of a body.
pub(crate) fn number(id: Id) -> usize {
    id.index as usize + 1
}

pub(crate) fn from<E: Elem>(t: Transform<E>) -> Transform<f64> {
    t.map(E::to_f64)
}

/// A precision's shapes.
pub(crate) trait Precise: BodyRunner + Gather<Elem = Self> {
    fn shapes(s: &Shapes) -> &[Geometry<Self>];
}
impl Precise for f32 {
    fn shapes(s: &Shapes) -> &[Geometry<f32>] {
        match s {
            Shapes::F32(s) => s,
            Shapes::F64(_) => &[],
        }
    }
}
impl Precise for f64 {
    fn shapes(s: &Shapes) -> &[Geometry<f64>] {
        match s {
            Shapes::F64(s) => s,
            Shapes::F32(_) => &[],
        }
    }
}

impl<E: Precise> Rigid<E> {
    pub fn place(&self, i: usize) -> Transform<E> {
        self.solver.place(i)
    }
    pub fn set_place(&mut self, i: usize, t: Transform<f64>) {
        self.solver.grow(i + 1);
        self.solver.pose[i] = stored(t);
    }
    /// Notes velocities, before bodies move in a step whose rods push them.
    #[cfg(feature = "gpu")]
    pub fn note_velocities(&mut self) {
        self.began_with.clear();
        self.began_with.extend((0..self.roles.len()).map(|i| moved(&self.solver.velocity[i])[0].map(E::to_f64)));
    }
    /// Where a body was when the step began.
    #[cfg(feature = "gpu")]
    pub fn began(&self, i: usize) -> Transform<f64> {
        from(placed(&self.began[i]))
    }
    pub fn motion(&self, i: usize) -> [Vec3<f64>; 2] {
        moved(&self.solver.velocity[i]).map(|v| v.map(E::to_f64))
    }
    pub fn set_motion(&mut self, i: usize, v: Vec3<f64>, w: Vec3<f64>) {
        self.solver.grow(i + 1);
        self.solver.velocity[i] = recorded_motion(v.map(E::from_f64), w.map(E::from_f64));
    }

    /// A body that is new in its slot.
    pub fn insert(&mut self, id: Id, b: &Body) {
        let i = number(id);
        self.set_place(i, b.principal(b.desc.pose));
        // What does not move drags nothing along.
        let moves = b.desc.motion == BodyMotion::Dynamic;
        let motion = [b.desc.velocity, b.desc.spin].map(|v| if moves { v.into() } else { Vec3::zero() });
        self.set_motion(i, motion[0], motion[1]);
        self.write_mass(i, b);
        if self.still.len() <= i {
            self.still.resize(i + 1, 0.0);
            self.calm.resize(i + 1, 0.0);
            self.asleep.resize(i + 1, false);
        }
        // Its time at rest begins here.
        for list in [&mut self.rest, &mut self.near] {
            if list.len() <= i {
                list.resize(i + 1, Record([E::zero(); RECORD]));
            }
            list[i] = self.solver.pose[i];
        }
        self.calm[i] = 0.0;
        self.wake(i);
    }

    /// What it weighs and who moves it.
    pub fn write_mass(&mut self, i: usize, b: &Body) {
        self.solver.grow(i + 1);
        if self.roles.len() <= i {
            self.roles.resize(i + 1, Role::Absent);
            self.called.resize(i + 1, false);
            self.stirred.resize(i + 1, false);
        }
        let d = &b.desc;
        (self.roles[i], self.called[i]) = (role(d.motion), true);
        let e = E::from_f64;
        self.solver.mass[i] = if d.motion == BodyMotion::Dynamic {
            let m = b.moments.map(|m| 1.0 / m);
            Record([
                e(1.0 / b.mass),
                e(m[0]),
                e(m[1]),
                e(m[2]),
                e(d.gravity_scale),
                e(d.linear_damping),
                e(d.angular_damping),
                e(d.max_speed),
            ])
        } else {
            Record([E::zero(); RECORD])
        };
    }

    /// Bodies and colliders in the last list of shapes, and the world.
    pub fn listed(&self) -> usize {
        self.spans.len()
    }

    /// The joint's numbers.
    pub fn write_joint(&mut self, slot: usize, joint: &Joint, bodies: &Slots<Body>, keep: Keep) {
        let needed = (slot + 1) * NUMBERS;
        if self.joint_numbers.len() < needed {
            self.joint_numbers.resize(needed, E::zero());
            self.joint_offsets.resize((slot + 1) * PIECES, 0);
            self.joint_links.resize(slot + 1, JointLink::default());
        }
        let local = |id: Option<Id>| id.and_then(|id| bodies.get(id).ok()).map_or(Transform::identity(), |b| b.local);
        let locals = [local(joint.desc.a), local(Some(joint.desc.b))];
        joint.write(locals, &mut self.joint_numbers[slot * NUMBERS..][..NUMBERS], keep);
        if keep == Keep::Nothing
            && let Some((at, limits)) = joint.turns()
        {
            let place = |id: Option<Id>, local: &Transform<f64>| {
                id.map_or(Transform::identity(), |id| from(self.place(number(id))).compose(local.inverse()))
            };
            let angle = joint.angle(place(joint.desc.a, &locals[0]), place(Some(joint.desc.b), &locals[1]));
            let turns = turned_to(angle, limits) - angle;
            self.joint_numbers[slot * NUMBERS + at..][..2].copy_from_slice(&[angle, turns].map(E::from_f64));
        }
        for k in 0..PIECES {
            self.joint_offsets[slot * PIECES + k] = (slot * NUMBERS + joint.offset(k)) as u32;
        }
        self.joint_links[slot] = JointLink {
            a: joint.desc.a.map_or(0, number) as u32,
            b: number(joint.desc.b) as u32,
            kinds: joint.kinds,
            motor: joint.motor().map(|at| (slot * NUMBERS + at) as u32),
            holds: joint.enabled,
            drives: joint.desc.motor.is_some_and(|m| m.drives()),
            springs: joint.desc.motor.is_some_and(|m| m.stiffness != [0.0; 3]) || matches!(joint.desc.kind, JointKind::Arc(_)),
        };
    }

    /// An angle in (-π, π] with the whole turns that a hinge or limits have counted, rad.
    pub fn counted(&self, slot: usize, joint: &Joint, angle: f64) -> f64 {
        let Some((at, _)) = joint.turns() else { return angle };
        let [last, turns] = [at, at + 1].map(|k| self.joint_numbers[slot * NUMBERS + k].to_f64());
        // By the shorter way from where it was last.
        angle + turns - ((angle - last) / core::f64::consts::TAU).round() * core::f64::consts::TAU
    }

    /// Whether the joint of a slot holds anything.
    pub fn hold_joint(&mut self, slot: usize, holds: bool) {
        self.joint_links[slot].holds = holds;
    }

    /// After bodies or colliders came or went: the shapes, in the order of creation.
    pub fn list_shapes(&mut self, bodies: &Slots<Body>, colliders: &[(u64, Body)]) {
        let names: Vec<u64> = self.proxies.iter().map(|p| p.name).collect();
        self.proxies.clear();
        self.entries.clear();
        self.rod_shapes.clear();
        self.solids.clear();
        self.spans.clear();
        let first_collider = bodies.slots() + 1;
        self.spans.resize(first_collider + colliders.len(), (0, 0));
        self.traits.clear();
        let far = E::from_f64(f64::INFINITY);
        let none = Traits { inner: far, outer: 0.0, continuous: false, can_sleep: true, damping: [0.0; 2] };
        let n = self.spans.len();
        self.traits.resize(n, none);
        self.roles.clear();
        self.roles.resize(n, Role::Absent);
        self.roles[0] = Role::Static;
        self.called.resize(n, false);
        self.stirred.resize(n, false);
        self.still.resize(n, 0.0);
        self.calm.resize(n, 0.0);
        self.asleep.resize(n, false);
        self.rest.resize(n, Record([E::zero(); RECORD]));
        self.near.resize(n, Record([E::zero(); RECORD]));
        self.solver.grow(n);
        for i in first_collider..n {
            self.solver.mass[i] = Record([E::zero(); RECORD]);
        }
        let bounds = Bounds { min: Vec3::zero(), max: Vec3::zero() };
        let all = bodies.iter().map(|(id, b)| (number(id), b));
        let all = all.chain(colliders.iter().enumerate().map(|(k, (_, b))| (first_collider + k, b)));
        for (i, b) in all {
            self.roles[i] = if i < first_collider { role(b.desc.motion) } else { Role::Kinematic };
            let first = self.proxies.len() as u32;
            for (k, (g, s)) in E::shapes(&b.shapes).iter().zip(&b.desc.shapes).enumerate() {
                let local = b.local.seen(transform(s.pose)).map(E::from_f64);
                self.proxies.push(Proxy {
                    geometry: g.clone(),
                    local,
                    centred: local == Transform::identity(),
                    body: i as u32,
                    friction: E::from_f64(s.friction),
                    restitution: E::from_f64(s.restitution),
                    spring: [s.stiffness, s.damping].map(E::from_f64),
                    rolling: [s.rolling_friction, s.torsional_friction].map(E::from_f64),
                    name: b.name << 12 | k as u64,
                    inner: g.inner_radius(),
                    outer: outer(g, &local),
                    capsule: Capsule::around(g).moved(&local),
                });
                let (group, category, mask) = (b.desc.group, s.category, s.mask);
                // Rods know colliders already.
                if i < first_collider {
                    let local = b.local.seen(transform(s.pose));
                    let (proxy, form) = (self.proxies.len() as u32 - 1, self.rod_form(&s.shape, g));
                    let friction = s.friction;
                    self.rod_shapes.push(RodShape { form, proxy, local, body: i as u32, friction, category, mask });
                }
                self.entries.push(Entry { bounds, filter: Filter { body: i as u32, group, category, mask }, active: false });
            }
            self.spans[i] = (first, self.proxies.len() as u32);
            let own = &self.proxies[first as usize..];
            let inner = own.iter().fold(none.inner, |m, p| if p.inner < m { p.inner } else { m });
            let outer = own.iter().fold(0.0f64, |m, p| m.max(p.outer));
            let d = &b.desc;
            let damping = [d.linear_damping, d.angular_damping];
            self.traits[i] = Traits { inner, outer, continuous: d.continuous, can_sleep: d.can_sleep, damping };
        }
        // Room for all, so that a step does not allocate.
        self.standing.clear();
        self.standing.reserve(self.proxies.len());
        self.yielding = self.proxies.iter().any(|p| E::zero() < p.spring[0]);
        self.yields.reserve(n.saturating_sub(self.yields.len()));
        self.creep.resize(n, f64::INFINITY);
        self.meshes = self.proxies.iter().any(|p| matches!(p.geometry, Geometry::Mesh(_)));
        self.seams = self.may_have_seams();
        let mut now: Vec<(u64, u32)> = self.proxies.iter().enumerate().map(|(i, p)| (p.name, i as u32)).collect();
        now.sort_unstable();
        let number_of = |name: &u64| now.binary_search_by_key(name, |e| e.0).map_or(u32::MAX, |k| now[k].1);
        let renumbered: Vec<u32> = names.iter().map(number_of).collect();
        self.contacts.renumber(&renumbered, &self.proxies);
        self.touches_known = false;
    }

    /// Pairs that joints, or the host, keep from colliding.
    pub fn list_apart(&mut self, joints: &Slots<Joint>, apart: &BTreeSet<(u32, u32)>) {
        self.contacts.apart.clear();
        self.contacts.apart.extend(apart.iter().filter(|(a, b)| a < b));
        for (_, j) in joints.iter().filter(|(_, j)| j.enabled && !j.desc.collide) {
            let (a, b) = (j.desc.a.map_or(0, number) as u32, number(j.desc.b) as u32);
            self.contacts.apart.push((a.min(b), a.max(b)));
        }
        self.contacts.index_apart();
    }

    /// What collides, what is awake, and the blocks of the step.
    /// `rods`: whether any may meet the bodies.
    ///
    /// # Errors
    /// There is no room for the ways of what the host moves.
    pub fn begin(
        &mut self,
        plan: &Plan,
        bodies: &mut Slots<Body>,
        colliders: &Slots<Collider>,
        rods: bool,
        runner: &dyn TaskRunner,
    ) -> Result<()> {
        self.reserve_ways(plan.substeps, bodies, colliders)?;
        self.touches_known = false;
        self.last_h = plan.h();
        self.path_records = self.take_host(plan, bodies, colliders);
        self.began.clear();
        self.began.extend_from_slice(&self.solver.pose[..self.roles.len()]);
        if rods {
            self.shown.clone_from(&self.began);
            self.rod_load.clear();
            self.rod_load.resize(self.roles.len(), [Vec3::zero(); 2]);
        }
        self.times = [0.0; 6];
        self.look(plan.piece_of(0), runner);
        Ok(())
    }

    /// The next piece of a long step, from this substep on: what the last one has left, then a search for contacts.
    pub fn go_on(&mut self, plan: &Plan, substep: u32, runner: &dyn TaskRunner) {
        self.stop_fast(runner);
        self.time_rest(plan.piece_of(substep - 1), runner);
        for (i, &path) in self.paths.iter().enumerate().filter(|(_, path)| **path > 0) {
            self.solver.pose[i] = self.solver.pose[(path + substep) as usize];
        }
        self.look(plan.piece_of(substep), runner);
    }

    /// Finds contacts for the next `dt` seconds, and makes the blocks.
    fn look(&mut self, dt: f64, runner: &dyn TaskRunner) {
        let begin = Instant::now();
        self.bound(dt, runner);
        let bounded = Instant::now();
        let scene = Scene {
            proxies: &self.proxies,
            entries: &self.entries,
            capsules: &self.capsules,
            poses: &self.ahead,
            way: &self.way,
            moves: &self.moves,
            roles: &self.roles,
            velocity: &self.solver.velocity,
            dt: E::from_f64(dt),
            reach: E::from_f64(REACH),
            meshes: self.meshes,
        };
        self.contacts.find(&scene, runner);
        self.smooth_seams();
        let found = Instant::now();
        self.list_edges();
        self.solver.graph.islands(&self.roles, &self.edges);
        self.count_rest();
        self.wake_islands();
        self.calm_last();
        self.stirred.fill(false);
        self.solver.compile(&self.roles, &self.paths, self.path_records, &self.edges, &self.pieces, runner);
        self.before.clear();
        self.before.extend_from_slice(&self.solver.pose[..self.roles.len()]);
        let pairs = self.contacts.seconds_pairs;
        let seconds =
            [(bounded - begin).as_secs_f64(), pairs, (found - bounded).as_secs_f64() - pairs, found.elapsed().as_secs_f64()];
        self.times.iter_mut().zip(seconds).for_each(|(sum, s)| *sum += s);
    }

    /// Some of the step's substeps, in order.
    pub fn substeps(&mut self, plan: &Plan, isa: Isa, runner: &dyn TaskRunner, span: Range<u32>) {
        let begin = Instant::now();
        let joint_rows = JointRows {
            numbers: self.joint_numbers.as_mut_ptr(),
            offsets: &self.joint_offsets,
            inv_dt: E::from_f64(1.0 / plan.piece_of(span.start)),
        };
        let contact_rows = ContactRows(self.contacts.all.as_mut_ptr());
        self.solver.step(isa, plan, &joint_rows, &contact_rows, runner, span);
        self.times[4] += begin.elapsed().as_secs_f64();
    }

    /// What has no number for a motion stands still, and all contacts start anew.
    pub fn forget_contacts(&mut self) {
        let zero = Vec3::zero();
        for c in &mut self.contacts.all {
            (c.impulse, c.largest, c.approach) = ([E::zero(); 4], [E::zero(); 4], [E::zero(); 4]);
            (c.slide, c.tangent, c.roll) = (zero, zero, zero);
        }
    }

    /// Fast bodies, time at rest, and where the host wanted its bodies.
    pub fn end(&mut self, plan: &Plan, bodies: &mut Slots<Body>, colliders: &Slots<Collider>, runner: &dyn TaskRunner) {
        let begin = Instant::now();
        for &at in &self.ways_of_motors {
            let at = at as usize;
            self.joint_numbers.copy_within(at + MOTOR_TARGET..at + MOTOR_TARGET + 4, at + MOTOR_FROM);
        }
        self.stop_fast(runner);
        self.time_rest(plan.piece_of(plan.substeps - 1), runner);
        self.place_hosts(bodies, colliders);
        self.times[5] = begin.elapsed().as_secs_f64();
    }

    /// A shape for rods; hulls and meshes are noted among the solids.
    fn rod_form(&mut self, shape: &BodyShape, g: &Geometry<E>) -> RodForm {
        RodForm::Simple(match *shape {
            BodyShape::Sphere { radius } => Shape::Sphere { radius },
            BodyShape::Capsule { half_height, radius } => Shape::Capsule { radius, half_height },
            BodyShape::TaperedCapsule { half_height, bottom, top } => Shape::TaperedCapsule { half_height, bottom, top },
            BodyShape::Box { half_extents } => Shape::Box { half_extents },
            BodyShape::Plane => Shape::Plane,
            BodyShape::Hull { .. } | BodyShape::Mesh { .. } => {
                self.solids.push(g.clone());
                return RodForm::Solid(self.solids.len() as u32 - 1, outer(g, &Transform::identity()));
            }
        })
    }

    /// Shapes that rods lie on, those of dynamic bodies last: between two fractions of the step on the straight way from where it began to
    /// where the bodies are now, or on the way from where they were last shown.
    pub fn each_rod_shape(&mut self, way: Option<[f64; 2]>, mut each: impl FnMut(ColliderMotion<E>)) {
        for last in [false, true] {
            for s in &self.rod_shapes {
                let i = s.body as usize;
                if (self.roles[i] == Role::Dynamic) != last {
                    continue;
                }
                let from_record = if way.is_some() { &self.began[i] } else { &self.shown[i] };
                let (start, now) = (from(placed(from_record)), from(self.place(i)));
                let pose = |t: Transform<f64>| pose_of(t.compose(s.local));
                let (a, b) = (pose(start), pose(now));
                let [t0, t1] = way.unwrap_or([0.0, 1.0]);
                let (poses, layers) = ([between(a, b, t0), between(a, b, t1)], [s.category, s.mask]);
                each(match s.form {
                    RodForm::Simple(shape) => ColliderMotion::new(shape, poses, s.friction, layers),
                    RodForm::Solid(index, bound) => ColliderMotion::solid(index, bound, poses, s.friction, layers),
                });
            }
        }
        if way.is_none() {
            self.shown.copy_from_slice(&self.solver.pose[..self.roles.len()]);
        }
    }
    pub fn rod_shapes(&self) -> usize {
        self.rod_shapes.len()
    }

    fn list_edges(&mut self) {
        self.edges.clear();
        self.pieces.clear();
        self.ways_of_motors.clear();
        self.ways_of_motors.reserve(self.joint_links.len());
        for (slot, j) in self.joint_links.iter().enumerate().filter(|(_, j)| j.holds) {
            if let Some(at) = j.motor {
                let numbers = &self.joint_numbers[at as usize..];
                if numbers[MOTOR_TARGET..][..4] != numbers[MOTOR_FROM..][..4] {
                    self.ways_of_motors.push(at);
                }
            }
            let first = self.pieces.len() as u32;
            for (k, kind) in j.kinds.into_iter().enumerate() {
                if let Some(kind) = kind {
                    self.pieces.push(Piece { kind, source: (slot * PIECES + k) as u32 });
                }
            }
            let count = self.pieces.len() as u32 - first;
            self.edges.push(Edge { a: j.a, b: j.b, first, count, contact: false });
        }
        for cable in &self.solver.cables {
            cable.join(&self.roles, &mut self.edges);
        }
        for l in self.contacts.links().filter(|l| self.contacts.all[l.slot as usize].count > 0) {
            let first = self.pieces.len() as u32;
            self.pieces.push(Piece { kind: l.kind, source: l.slot });
            self.edges.push(Edge { a: l.a, b: l.b, first, count: 1, contact: true });
        }
        self.touching = self.contacts.touching();
    }

    pub fn memory_bytes(&self) -> usize {
        self.solver.memory_bytes()
            + self.contacts.memory_bytes()
            + self.proxies.capacity() * size_of::<Proxy<E>>()
            + self.entries.capacity() * size_of::<Entry<E>>()
            + self.capsules.capacity() * size_of::<Record<E>>()
            + self.joint_numbers.capacity() * size_of::<E>()
            + self.joint_links.capacity() * size_of::<JointLink>()
    }

    /// The frame of a body.
    pub fn pose(&self, id: Id, b: &Body) -> Pose {
        b.frame(from(self.place(number(id))))
    }
}

fn role(motion: BodyMotion) -> Role {
    match motion {
        BodyMotion::Static => Role::Static,
        BodyMotion::Kinematic => Role::Kinematic,
        BodyMotion::Dynamic => Role::Dynamic,
    }
}

/// How far the surface is from the centre of mass at most, m.
fn outer<E: Elem>(g: &Geometry<E>, local: &Transform<E>) -> f64 {
    let b = g.bounds(local);
    let far = |low: E, high: E| low.abs().max(high.abs());
    let v = Vec3 { x: far(b.min.x, b.max.x), y: far(b.min.y, b.max.y), z: far(b.min.z, b.max.z) };
    v.length().to_f64()
}

/// The pose in a record.
pub(crate) fn placed<E: Elem>(r: &Record<E>) -> Transform<E> {
    let r = &r.0;
    Transform { position: Vec3 { x: r[0], y: r[1], z: r[2] }, rotation: Quat { x: r[4], y: r[5], z: r[6], w: r[7] } }
}

/// A pose as the solver has it.
fn stored<E: Elem>(t: Transform<f64>) -> Record<E> {
    recorded(t.map(E::from_f64))
}

/// The record of a pose.
fn recorded<E: Elem>(t: Transform<E>) -> Record<E> {
    let (x, q) = (t.position, t.rotation);
    Record([x.x, x.y, x.z, E::zero(), q.x, q.y, q.z, q.w])
}

/// Two vectors in a record of velocities.
fn recorded_motion<E: Elem>(v: Vec3<E>, w: Vec3<E>) -> Record<E> {
    Record([v.x, v.y, v.z, E::zero(), w.x, w.y, w.z, E::zero()])
}

fn moved<E: Elem>(r: &Record<E>) -> [Vec3<E>; 2] {
    [0, record::SPIN].map(|k| Vec3 { x: r.0[k], y: r.0[k + 1], z: r.0[k + 2] })
}
