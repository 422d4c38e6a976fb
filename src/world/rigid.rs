//! The bodies' part of a step: what collides, what is awake, and the solver.

use super::bodies::{Body, Shapes, pose_of, turn_between};
use super::body_desc::{BodyMotion, BodyShape};
use super::contact::{ContactRows, Contacts, Proxy, Scene};
use super::desc::{Pose, Shape};
use super::joints::{Joint, JointRows, Keep, MOTOR_FROM, MOTOR_TARGET, NUMBERS, PIECES, transform};
use super::slots::{Id, Slots};
use super::tasks::TaskRunner;
use crate::backend::cpu::Isa;
use crate::bodies::drive::{BodyRunner, Record, record};
use crate::bodies::graph::{Edge, Piece, Role};
use crate::bodies::kernels::{Motion, move_pose};
use crate::bodies::solver::{Plan, Solver};
use crate::collide::broad::Entry;
use crate::collide::narrow::{Geometry, cast};
use crate::collide::{Bounds, Collider, ColliderMotion, between};
use crate::math::lane::RECORD;
use crate::math::{Elem, Gather, Quat, Transform, Vec3};
use core::ops::Range;
use std::collections::BTreeSet;
use std::time::Instant;

/// Bodies whose surface stays within this way, m, for that time, s, sleep. (J. Rouwe's test in Jolt: a small tremor does not count.)
const STILL: f64 = 0.015;
const SLEEP_AFTER: f64 = 0.5;
/// Nor do they turn by that, rad.
const STILL_TURN: f64 = 1.0;
/// Where that part of an island's bodies is at rest, the others are braked if they have stayed within `NEAR`, m, for `CALM_AFTER`, s: by a
/// damping that grows by `BRAKE`, 1/s², up to `MOST_BRAKE`, 1/s.
const MOST_AT_REST: (u64, u64) = (3, 4);
const NEAR: f64 = 0.1;
const CALM_AFTER: f64 = 1.0;
const BRAKE: f64 = 5.0;
const MOST_BRAKE: f64 = 30.0;
/// How near a contact is seen, m.
const REACH: f64 = 0.02;
/// What goes less far in a step, m and rad, is looked for contacts in the step's middle: the normals stay for the step, and those of its start come
/// late, which feeds what rolls to and fro.
const AHEAD: f64 = 0.02;
const AHEAD_TURN: f64 = 0.2;
/// A body that moves by more than this part of its inner radius in a step is kept from passing through what stands.
const FAST: f64 = 0.5;

/// A body's shape as rods meet it.
#[derive(Debug)]
pub(super) struct RodShape {
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
}

/// What the bodies of one precision need.
#[derive(Debug)]
pub(super) struct Rigid<E> {
    pub solver: Solver<E>,
    pub contacts: Contacts<E>,
    pub proxies: Vec<Proxy<E>>,
    pub(super) entries: Vec<Entry<E>>,
    pub(super) rod_shapes: Vec<RodShape>,
    /// The hulls and meshes among them.
    pub solids: Vec<Geometry<E>>,
    /// Poses that rods were last shown within the step under way.
    shown: Vec<Record<E>>,
    /// What rods gave each body in the step: N s, and N m s about its centre of mass.
    pub rod_load: Vec<[Vec3<f64>; 2]>,
    /// First proxy of each solver body, and one past the last.
    pub spans: Vec<(u32, u32)>,
    traits: Vec<Traits<E>>,
    pub(super) roles: Vec<Role>,
    paths: Vec<u32>,
    /// How far each body was expected to go in the step, m, and the part of its way that a fast one may go.
    way: Vec<E>,
    part: Vec<E>,
    /// Time at rest, s, and whether it sleeps.
    pub still: Vec<f32>,
    pub asleep: Vec<bool>,
    moves: Vec<bool>,
    before: Vec<Record<E>>,
    /// Where contacts are looked for.
    ahead: Vec<Record<E>>,
    /// Where each body was when its time at rest began.
    pub rest: Vec<Record<E>>,
    /// Time within [`NEAR`], s, and where that is.
    pub calm: Vec<f32>,
    pub near: Vec<Record<E>>,
    /// Of each island: bodies, and those at rest.
    resting: Vec<[u32; 2]>,
    /// Of every joint slot.
    pub joint_numbers: Vec<E>,
    joint_offsets: Vec<u32>,
    /// Numbers of motors whose targets are on their way in this step.
    ways_of_motors: Vec<u32>,
    edges: Vec<Edge>,
    pieces: Vec<Piece>,
    pub(super) islands: u32,
    pub(super) awake: u32,
    pub(super) touching: u32,
    /// Seconds of the last step: boxes, pairs, manifolds, islands and blocks, substeps, the rest.
    pub(super) times: [f64; 6],
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
            rod_shapes: Vec::new(),
            solids: Vec::new(),
            shown: Vec::new(),
            rod_load: Vec::new(),
            spans: Vec::new(),
            traits: Vec::new(),
            roles: Vec::new(),
            paths: Vec::new(),
            way: Vec::new(),
            part: Vec::new(),
            still: Vec::new(),
            asleep: Vec::new(),
            moves: Vec::new(),
            before: Vec::new(),
            ahead: Vec::new(),
            rest: Vec::new(),
            calm: Vec::new(),
            near: Vec::new(),
            resting: Vec::new(),
            joint_numbers: Vec::new(),
            joint_offsets: Vec::new(),
            ways_of_motors: Vec::new(),
            edges: Vec::new(),
            pieces: Vec::new(),
            islands: 0,
            awake: 0,
            touching: 0,
            times: [0.0; 6],
            touches: Vec::new(),
            touch_starts: Vec::new(),
            touches_known: false,
        }
    }
}

/// The solver's number of a body.
pub(super) fn number(id: Id) -> usize {
    id.index as usize + 1
}

pub(super) fn to<E: Elem>(t: Transform<f64>) -> Transform<E> {
    let q = t.rotation;
    let e = E::from_f64;
    Transform { position: t.position.map(e), rotation: Quat { x: e(q.x), y: e(q.y), z: e(q.z), w: e(q.w) } }
}

pub(super) fn from<E: Elem>(t: Transform<E>) -> Transform<f64> {
    let q = t.rotation;
    Transform {
        position: t.position.map(E::to_f64),
        rotation: Quat { x: q.x.to_f64(), y: q.y.to_f64(), z: q.z.to_f64(), w: q.w.to_f64() },
    }
}

/// A precision's shapes.
pub(super) trait Precise: BodyRunner + Gather<Elem = Self> {
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
        let p = to::<E>(t);
        let (x, q, zero) = (p.position, p.rotation, E::zero());
        self.solver.pose[i] = Record([x.x, x.y, x.z, zero, q.x, q.y, q.z, q.w]);
    }
    pub fn motion(&self, i: usize) -> [Vec3<f64>; 2] {
        let r = self.solver.velocity[i].0.map(E::to_f64);
        [Vec3::from([r[0], r[1], r[2]]), Vec3::from([r[record::SPIN], r[record::SPIN + 1], r[record::SPIN + 2]])]
    }
    pub fn set_motion(&mut self, i: usize, v: Vec3<f64>, w: Vec3<f64>) {
        self.solver.grow(i + 1);
        let (v, w, zero) = (v.map(E::from_f64), w.map(E::from_f64), E::zero());
        self.solver.velocity[i] = Record([v.x, v.y, v.z, zero, w.x, w.y, w.z, zero]);
    }

    /// A body that is new in its slot.
    pub fn insert(&mut self, id: Id, b: &Body) {
        let i = number(id);
        self.set_place(i, b.principal(b.desc.pose));
        self.set_motion(i, b.desc.velocity.into(), b.desc.spin.into());
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

    pub fn write_mass(&mut self, i: usize, b: &Body) {
        self.solver.grow(i + 1);
        let d = &b.desc;
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

    pub fn wake(&mut self, i: usize) {
        (self.still[i], self.calm[i]) = (0.0, 0.0);
        self.asleep[i] = false;
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

    /// Bodies and colliders in the last list of shapes, and the world.
    pub fn listed(&self) -> usize {
        self.spans.len()
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

    /// The joint's numbers.
    pub fn write_joint(&mut self, slot: usize, joint: &Joint, bodies: &Slots<Body>, keep: Keep) {
        let needed = (slot + 1) * NUMBERS;
        if self.joint_numbers.len() < needed {
            self.joint_numbers.resize(needed, E::zero());
            self.joint_offsets.resize((slot + 1) * PIECES, 0);
        }
        let local = |id: Option<Id>| id.and_then(|id| bodies.get(id).ok()).map_or(Transform::identity(), |b| b.local);
        joint.write([local(joint.desc.a), local(Some(joint.desc.b))], &mut self.joint_numbers[slot * NUMBERS..][..NUMBERS], keep);
        for k in 0..PIECES {
            self.joint_offsets[slot * PIECES + k] = (slot * NUMBERS + joint.offset(k)) as u32;
        }
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
        let none = Traits { inner: E::from_f64(f64::INFINITY), outer: 0.0, continuous: false };
        self.traits.resize(self.spans.len(), none);
        let bounds = Bounds { min: Vec3::zero(), max: Vec3::zero() };
        let all = bodies.iter().map(|(id, b)| (number(id), b));
        let all = all.chain(colliders.iter().enumerate().map(|(k, (_, b))| (first_collider + k, b)));
        for (i, b) in all {
            let first = self.proxies.len() as u32;
            for (k, (g, s)) in E::shapes(&b.shapes).iter().zip(&b.desc.shapes).enumerate() {
                self.proxies.push(Proxy {
                    geometry: g.clone(),
                    local: to(b.local.seen(transform(s.pose))),
                    body: i as u32,
                    friction: E::from_f64(s.friction),
                    restitution: E::from_f64(s.restitution),
                    name: b.name << 12 | k as u64,
                    inner: g.inner_radius(),
                    outer: outer(g, &to(b.local.seen(transform(s.pose)))),
                });
                let (group, category, mask) = (b.desc.group, s.category, s.mask);
                // Rods know colliders already.
                if i < first_collider {
                    let local = b.local.seen(transform(s.pose));
                    let (proxy, form) = (self.proxies.len() as u32 - 1, self.rod_form(&s.shape, g));
                    let friction = s.friction;
                    self.rod_shapes.push(RodShape { form, proxy, local, body: i as u32, friction, category, mask });
                }
                self.entries.push(Entry { bounds, body: i as u32, group, category, mask, active: false });
            }
            self.spans[i] = (first, self.proxies.len() as u32);
            let own = &self.proxies[first as usize..];
            let inner = own.iter().fold(none.inner, |m, p| if p.inner < m { p.inner } else { m });
            let outer = own.iter().fold(0.0f64, |m, p| m.max(p.outer));
            self.traits[i] = Traits { inner, outer, continuous: b.desc.continuous };
        }
        let mut now: Vec<(u64, u32)> = self.proxies.iter().enumerate().map(|(i, p)| (p.name, i as u32)).collect();
        now.sort_unstable();
        let number_of = |name: &u64| now.binary_search_by_key(name, |e| e.0).map_or(u32::MAX, |k| now[k].1);
        let renumbered: Vec<u32> = names.iter().map(number_of).collect();
        self.contacts.renumber(&renumbered);
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
    pub fn begin(
        &mut self,
        plan: &Plan,
        bodies: &mut Slots<Body>,
        joints: &Slots<Joint>,
        colliders: &Slots<Collider>,
        runner: &dyn TaskRunner,
    ) {
        self.touches_known = false;
        let dt = plan.dt;
        let begin = Instant::now();
        let path_records = self.take_host(plan, bodies, colliders);
        self.bound(dt, runner);
        let bounded = Instant::now();
        let scene = Scene {
            proxies: &self.proxies,
            entries: &self.entries,
            poses: &self.ahead,
            way: &self.way,
            reach: E::from_f64(REACH),
        };
        self.contacts.find(&scene, runner);
        let found = Instant::now();
        self.list_edges(joints);
        self.solver.graph.islands(&self.roles, &self.edges);
        self.wake_islands(bodies);
        self.calm_last(bodies);
        self.solver.compile(&self.roles, &self.paths, path_records, &self.edges, &self.pieces);
        self.before.clear();
        self.before.extend_from_slice(&self.solver.pose[..self.roles.len()]);
        self.shown.clone_from(&self.before);
        self.rod_load.clear();
        self.rod_load.resize(self.roles.len(), [Vec3::zero(); 2]);
        let pairs = self.contacts.seconds_pairs;
        self.times = [
            (bounded - begin).as_secs_f64(),
            pairs,
            (found - bounded).as_secs_f64() - pairs,
            found.elapsed().as_secs_f64(),
            0.0,
            0.0,
        ];
    }

    /// Some of the step's substeps, in order.
    pub fn substeps(&mut self, plan: &Plan, isa: Isa, runner: &dyn TaskRunner, span: Range<u32>) {
        let begin = Instant::now();
        let joint_rows = JointRows { numbers: self.joint_numbers.as_mut_ptr(), offsets: &self.joint_offsets };
        let contact_rows = ContactRows(self.contacts.all.as_mut_ptr());
        self.solver.step(isa, plan, &joint_rows, &contact_rows, runner, span);
        self.times[4] += begin.elapsed().as_secs_f64();
    }

    /// Fast bodies, time at rest, and where the host wanted its bodies.
    pub fn end(&mut self, plan: &Plan, bodies: &mut Slots<Body>, colliders: &Slots<Collider>, runner: &dyn TaskRunner) {
        let begin = Instant::now();
        for &at in &self.ways_of_motors {
            let at = at as usize;
            self.joint_numbers.copy_within(at + MOTOR_TARGET..at + MOTOR_TARGET + 4, at + MOTOR_FROM);
        }
        self.stop_fast();
        self.time_rest(plan.dt, runner);
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
                let from_record = if way.is_some() { &self.before[i] } else { &self.shown[i] };
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

    /// Roles, forces, and the ways of what the host moves. Returns the number of pose records that those need.
    fn take_host(&mut self, plan: &Plan, bodies: &mut Slots<Body>, colliders: &Slots<Collider>) -> usize {
        let first_collider = bodies.slots() + 1;
        let n = first_collider + colliders.len();
        self.solver.grow(n);
        self.roles.clear();
        self.roles.resize(n, Role::Absent);
        self.roles[0] = Role::Static;
        self.paths.clear();
        self.paths.resize(n, 0);
        self.moves.clear();
        self.moves.resize(n, false);
        self.still.resize(n, 0.0);
        self.calm.resize(n, 0.0);
        self.asleep.resize(n, false);
        self.rest.resize(n, Record([E::zero(); RECORD]));
        self.near.resize(n, Record([E::zero(); RECORD]));
        self.solver.push.clear();
        let mut ways = 0;
        let substeps = plan.substeps as usize;
        for (id, b) in bodies.iter_mut() {
            let i = number(id);
            self.roles[i] = match b.desc.motion {
                BodyMotion::Static => Role::Static,
                BodyMotion::Kinematic => Role::Kinematic,
                BodyMotion::Dynamic => Role::Dynamic,
            };
            match b.desc.motion {
                BodyMotion::Dynamic if b.force != [0.0; 3] || b.torque != [0.0; 3] => {
                    let axes = from(self.place(i)).rotation.frame();
                    let torque = Vec3::from(b.torque);
                    let mut turn = Vec3::zero();
                    for (axis, moment) in axes.into_iter().zip(b.moments) {
                        turn = turn + axis * (axis.dot(torque) / moment);
                    }
                    let (a, t, zero) = (Vec3::from(b.force) * (1.0 / b.mass), turn.map(E::from_f64), E::zero());
                    let a = a.map(E::from_f64);
                    self.solver.push.resize(n, Record([zero; RECORD]));
                    self.solver.push[i] = Record([a.x, a.y, a.z, zero, t.x, t.y, t.z, zero]);
                    (b.force, b.torque) = ([0.0; 3], [0.0; 3]);
                    self.wake(i);
                }
                BodyMotion::Kinematic => {
                    let start = from(self.place(i));
                    let end = b.target.map_or(start, |t| b.principal(t));
                    ways += self.set_way(i, n + ways, start, end, substeps, plan.dt);
                }
                _ => {}
            }
        }
        for (k, (_, c)) in colliders.iter().enumerate() {
            let i = first_collider + k;
            self.roles[i] = Role::Kinematic;
            self.solver.mass[i] = Record([E::zero(); RECORD]);
            self.set_place(i, transform(c.from));
            ways += self.set_way(i, n + ways, transform(c.from), transform(c.to), substeps, plan.dt);
        }
        ways
    }

    /// Poses of a body that the host moves, at the start of every substep, from record `at` on; returns how many.
    fn set_way(&mut self, i: usize, at: usize, start: Transform<f64>, end: Transform<f64>, substeps: usize, dt: f64) -> usize {
        let turn = turn_between(start, end);
        let (v, w) = ((end.position - start.position) * (1.0 / dt), turn * (1.0 / dt));
        self.set_motion(i, v, w);
        if start == end {
            return 0;
        }
        self.moves[i] = true;
        self.paths[i] = at as u32;
        for k in 0..substeps {
            let t = k as f64 / substeps as f64;
            let position = start.position + (end.position - start.position) * t;
            self.set_place(at + k, Transform { position, rotation: start.rotation.nlerp(end.rotation, t) });
        }
        substeps
    }

    /// Boxes of all shapes, grown by how far they may come.
    fn bound(&mut self, dt: f64, runner: &dyn TaskRunner) {
        let n = self.roles.len();
        self.way.clear();
        self.way.resize(n, E::zero());
        self.ahead.clear();
        self.ahead.extend_from_slice(&self.solver.pose[..n]);
        for i in 1..n {
            let [v, w] = self.motion(i);
            let moving = (self.roles[i] == Role::Dynamic && !self.asleep[i]) || self.moves[i];
            if moving {
                let way = v.length() * dt;
                self.way[i] = E::from_f64(way.min(1e6));
                if way < AHEAD && w.length() * dt < AHEAD_TURN {
                    let at = placed(&self.ahead[i]);
                    let m = Motion { v: v.map(E::from_f64), w: w.map(E::from_f64) };
                    let (x, q) = move_pose(at.position, at.rotation, m, E::from_f64(0.5 * dt));
                    self.ahead[i] = Record([x.x, x.y, x.z, E::zero(), q.x, q.y, q.z, q.w]);
                }
            }
        }
        let to = Each(self.entries.as_mut_ptr());
        let this = &*self;
        const PART: usize = 64;
        // A pair is seen from half of it on both sides.
        let near = E::from_f64(0.5 * REACH);
        let proxies = &this.proxies;
        runner.run(proxies.len().div_ceil(PART), &|k| {
            for (p, proxy) in proxies.iter().enumerate().take((k + 1) * PART).skip(k * PART) {
                let i = proxy.body as usize;
                // SAFETY: one entry a proxy, and each is one task's.
                let e = unsafe { to.at(p) };
                e.active = (this.roles[i] == Role::Dynamic && !this.asleep[i]) || this.moves[i];
                let mut b = proxy.geometry.bounds(&this.place(i).compose(proxy.local));
                if this.ahead[i] != this.solver.pose[i] {
                    b = b.around(&proxy.geometry.bounds(&placed(&this.ahead[i]).compose(proxy.local)));
                }
                let grow = near + this.way[i];
                let grow = Vec3 { x: grow, y: grow, z: grow };
                e.bounds = Bounds { min: b.min - grow, max: b.max + grow };
            }
        });
    }

    fn list_edges(&mut self, joints: &Slots<Joint>) {
        self.edges.clear();
        self.pieces.clear();
        self.ways_of_motors.clear();
        self.ways_of_motors.reserve(joints.len());
        for (id, j) in joints.iter().filter(|(_, j)| j.enabled) {
            if let Some(motor) = j.motor() {
                let at = id.index as usize * NUMBERS + motor;
                let numbers = &self.joint_numbers[at..];
                if numbers[MOTOR_TARGET..][..4] != numbers[MOTOR_FROM..][..4] {
                    self.ways_of_motors.push(at as u32);
                }
            }
            let first = self.pieces.len() as u32;
            for (k, kind) in j.kinds.into_iter().enumerate() {
                if let Some(kind) = kind {
                    self.pieces.push(Piece { kind, source: (id.index as usize * PIECES + k) as u32 });
                }
            }
            let count = self.pieces.len() as u32 - first;
            let (a, b) = (j.desc.a.map_or(0, number) as u32, number(j.desc.b) as u32);
            self.edges.push(Edge { a, b, first, count, contact: false });
        }
        self.touching = 0;
        for (slot, c) in self.contacts.all.iter().enumerate() {
            if c.count > 0 {
                let first = self.pieces.len() as u32;
                self.pieces.push(Piece { kind: c.kind(), source: slot as u32 });
                self.edges.push(Edge { a: c.a, b: c.b, first, count: 1, contact: true });
                self.touching += u32::from(c.separation[..c.count as usize].iter().any(|s| *s < E::zero()));
            }
        }
    }

    /// An island is awake where one of its bodies is, or where it touches what the host moves.
    fn wake_islands(&mut self, bodies: &Slots<Body>) {
        let graph = &mut self.solver.graph;
        for (id, b) in bodies.iter() {
            let i = number(id);
            if self.roles[i] == Role::Dynamic && (!b.desc.can_sleep || f64::from(self.still[i]) < SLEEP_AFTER) {
                graph.awake[graph.island[i] as usize] = true;
            }
        }
        for e in &self.edges {
            for (one, other) in [(e.a, e.b), (e.b, e.a)] {
                if self.moves[one as usize] && self.roles[other as usize] == Role::Dynamic {
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
                self.solver.velocity[i] = Record([E::zero(); RECORD]);
            }
        }
    }

    /// Where most of an island is at rest, the last that still swing or tremble near a place are braked, the longer the more.
    fn calm_last(&mut self, bodies: &Slots<Body>) {
        let graph = &self.solver.graph;
        self.resting.clear();
        // As many as there could be, so that islands that part later do not allocate.
        self.resting.reserve(self.roles.len());
        self.resting.resize(graph.awake.len(), [0; 2]);
        for (id, b) in bodies.iter() {
            let i = number(id);
            if self.roles[i] == Role::Dynamic {
                let [all, still] = &mut self.resting[graph.island[i] as usize];
                // With one that may not sleep nothing is waited for.
                *all = all.saturating_add(if b.desc.can_sleep { 1 } else { u32::MAX });
                *still += u32::from(f64::from(self.still[i]) >= SLEEP_AFTER);
            }
        }
        for (id, b) in bodies.iter() {
            let i = number(id);
            if self.roles[i] != Role::Dynamic || self.asleep[i] {
                continue;
            }
            let [all, still] = self.resting[graph.island[i] as usize];
            let waits = still < all && u64::from(still) * MOST_AT_REST.1 >= u64::from(all) * MOST_AT_REST.0;
            let calm = f64::from(self.calm[i]) - CALM_AFTER;
            let more = if waits { (calm * BRAKE).clamp(0.0, MOST_BRAKE) } else { 0.0 };
            let mass = &mut self.solver.mass[i].0[record::GRAVITY + 1..];
            mass[0] = E::from_f64(b.desc.linear_damping + more);
            mass[1] = E::from_f64(b.desc.angular_damping + more);
        }
    }

    /// What would have passed through something that stands stays in front of it.
    fn stop_fast(&mut self) {
        // Of each body: the part of its way that it may go; less than nothing for those that are not asked.
        let (one, none) = (E::one(), -E::one());
        self.part.clear();
        self.part.resize(self.roles.len(), none);
        let (mut any, mut any_far) = (false, false);
        // Hit in this step, and now farther than its boxes reached.
        let far = |r: &Self, i: usize| E::zero() <= r.part[i] && r.way[i] + E::from_f64(0.5 * REACH) < r.went(i).length();
        for i in 1..self.roles.len() {
            if !self.traits[i].continuous || self.roles[i] != Role::Dynamic || self.asleep[i] {
                continue;
            }
            let way = self.went(i).length();
            if way.is_finite() && self.traits[i].inner * E::from_f64(FAST) <= way {
                self.part[i] = one;
                any = true;
                any_far |= far(self, i);
            }
        }
        if !any {
            return;
        }
        for k in 0..self.contacts.pairs().len() {
            let (a, b) = self.contacts.pairs()[k].proxies;
            let (a, b) = (a as usize, b as usize);
            for (mine, other) in [(a, b), (b, a)] {
                self.stop(mine, other);
            }
        }
        for mine in 0..if any_far { self.proxies.len() } else { 0 } {
            for other in 0..if far(self, self.proxies[mine].body as usize) { self.proxies.len() } else { 0 } {
                let (e, wall) = (&self.entries[mine], &self.entries[other]);
                let stands = matches!(self.roles[wall.body as usize], Role::Static | Role::Kinematic);
                if stands && e.may_meet(wall) && !self.contacts.are_apart(e.body, wall.body) {
                    self.stop(mine, other);
                }
            }
        }
        for i in 1..self.roles.len() {
            let part = self.part[i];
            if E::zero() < part && part < one {
                // A little of it goes in: the next step's contact takes over.
                let x = placed(&self.before[i]).position + self.went(i) * part;
                self.solver.pose[i].0[..3].copy_from_slice(&[x.x, x.y, x.z]);
            }
        }
    }

    /// How far a body's centre went in the step.
    fn went(&self, i: usize) -> Vec3<E> {
        self.solver.position(i) - placed(&self.before[i]).position
    }

    /// Cuts the way of a fast body where the shape `mine` of it meets the shape `other` of what stands.
    fn stop(&mut self, mine: usize, other: usize) {
        let (shape, wall) = (&self.proxies[mine], &self.proxies[other]);
        let i = shape.body as usize;
        let stands = matches!(self.roles[wall.body as usize], Role::Static | Role::Kinematic);
        if self.part[i] < E::zero() || !stands {
            return;
        }
        let move_by = self.went(i);
        let from =
            Transform { position: placed(&self.before[i]).position, rotation: self.solver.rotation(i) }.compose(shape.local);
        let start = shape.geometry.bounds(&from);
        let swept = start.around(&Bounds { min: start.min + move_by, max: start.max + move_by });
        if !swept.overlaps(&self.entries[other].bounds) {
            return;
        }
        let to = self.place(wall.body as usize).compose(wall.local);
        let (local, way) = (to.seen(from), to.rotation.conjugate().rotate(move_by));
        if let Some(hit) = cast(&wall.geometry, &shape.geometry, &local, way, E::zero())
            && hit.fraction < self.part[i]
            && E::zero() < hit.fraction
        {
            self.part[i] = hit.fraction;
        }
    }

    /// How long each body has been at rest.
    fn time_rest(&mut self, dt: f64, runner: &dyn TaskRunner) {
        const PART: usize = 128;
        let n = self.roles.len();
        let (still, rest) = (Each(self.still.as_mut_ptr()), Each(self.rest.as_mut_ptr()));
        let (calm, near) = (Each(self.calm.as_mut_ptr()), Each(self.near.as_mut_ptr()));
        let this = &*self;
        runner.run(n.div_ceil(PART), &|k| {
            for i in k * PART..((k + 1) * PART).min(n) {
                if this.roles[i] != Role::Dynamic || this.asleep[i] {
                    continue;
                }
                // SAFETY: each has one entry a body, and each body is one task's; nothing else reads them meanwhile.
                let (still, rest, calm, near) = unsafe { (still.at(i), rest.at(i), calm.at(i), near.at(i)) };
                let size = this.traits[i].outer;
                let now = from(this.place(i));
                let place = this.solver.pose[i];
                for (time, at, within) in [(still, rest, STILL), (calm, near, NEAR)] {
                    let then = from(placed(at));
                    let turn = then.rotation.conjugate().compose(now.rotation);
                    let turn = 2.0 * Vec3 { x: turn.x, y: turn.y, z: turn.z }.length();
                    // What spins in place is not at rest, however small it is.
                    if turn < STILL_TURN && (now.position - then.position).length() + turn * size < within {
                        *time += dt as f32;
                    } else {
                        *time = 0.0;
                        *at = place;
                    }
                }
            }
        });
    }

    /// What the host moves is where it wanted it.
    fn place_hosts(&mut self, bodies: &mut Slots<Body>, colliders: &Slots<Collider>) {
        let first_collider = bodies.slots() + 1;
        for (id, b) in bodies.iter_mut() {
            if b.desc.motion == BodyMotion::Kinematic
                && let Some(t) = b.target.take()
            {
                b.desc.pose = t;
                self.set_place(number(id), b.principal(t));
            }
        }
        for (k, (_, c)) in colliders.iter().enumerate() {
            self.set_place(first_collider + k, transform(c.to));
        }
    }

    pub fn memory_bytes(&self) -> usize {
        self.solver.memory_bytes()
            + self.contacts.memory_bytes()
            + self.proxies.capacity() * size_of::<Proxy<E>>()
            + self.entries.capacity() * size_of::<Entry<E>>()
            + self.joint_numbers.capacity() * size_of::<E>()
    }

    /// The frame of a body.
    pub fn pose(&self, id: Id, b: &Body) -> Pose {
        b.frame(from(self.place(number(id))))
    }
}

/// How far the surface is from the centre of mass at most, m.
fn outer<E: Elem>(g: &Geometry<E>, local: &Transform<E>) -> f64 {
    let b = g.bounds(local);
    let far = |low: E, high: E| low.abs().max(high.abs());
    let v = Vec3 { x: far(b.min.x, b.max.x), y: far(b.min.y, b.max.y), z: far(b.min.z, b.max.z) };
    v.length().to_f64()
}

pub(super) fn placed<E: Elem>(r: &Record<E>) -> Transform<E> {
    let r = &r.0;
    Transform { position: Vec3 { x: r[0], y: r[1], z: r[2] }, rotation: Quat { x: r[4], y: r[5], z: r[6], w: r[7] } }
}

/// Entries that tasks write, each its own.
#[derive(Clone, Copy)]
struct Each<T>(*mut T);
// SAFETY: every entry is one task's.
unsafe impl<T> Send for Each<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Each<T> {}
impl<T> Each<T> {
    /// # Safety
    /// `i` is in range and this task's.
    #[allow(clippy::mut_from_ref)]
    unsafe fn at(&self, i: usize) -> &mut T {
        // SAFETY: the caller's contract.
        unsafe { &mut *self.0.add(i) }
    }
}
