//! Rigid bodies of a world: creating, reading, moving them; and the rigid part of its step.

use core::ops::Range;
use core::sync::atomic::Ordering;

use super::World;
use super::coupling::Held;
use super::joints::Break;
use crate::bodies::solver::Plan;
use crate::desc::Pose;
use crate::desc::error::{Error, Result};
use crate::desc::slots::{Id, Slots};
use crate::desc::validate;
use crate::math::{Elem, Transform, Vec3};
use crate::rigid::bodies::{Body, pose_of};
use crate::rigid::desc::*;
use crate::rigid::joints::{Joint, Keep, transform};
use crate::rigid::{Rigid, from, number};
use crate::tasks::TaskRunner;
use std::collections::BTreeSet;

/// All that is rigid.
#[derive(Debug)]
pub(super) struct Dynamics {
    pub bodies: Slots<Body>,
    pub joints: Slots<Joint>,
    pub single: Rigid<f32>,
    pub double: Rigid<f64>,
    /// Colliders as bodies meet them, in the order of their slots, with their names.
    pub colliders: Vec<(u64, Body)>,
    names: u64,
    groups: u32,
    /// Bodies that pass through each other, by solver's number, both ways round.
    apart: BTreeSet<(u32, u32)>,
    pub shapes_changed: bool,
    pub(super) joints_changed: bool,
    /// Whether a joint was ever given a strength, and those that broke in the last step.
    pub(super) breakable: bool,
    pub(super) broken: Vec<Break>,
}

impl Default for Dynamics {
    fn default() -> Self {
        Dynamics {
            bodies: Slots::new("body"),
            joints: Slots::new("joint"),
            single: Rigid::default(),
            double: Rigid::default(),
            colliders: Vec::new(),
            names: 0,
            groups: 0,
            apart: BTreeSet::new(),
            shapes_changed: true,
            joints_changed: true,
            breakable: false,
            broken: Vec::new(),
        }
    }
}

impl Dynamics {
    pub fn shapes_changed(&mut self) {
        self.shapes_changed = true;
    }
    pub fn joints_changed(&mut self) {
        self.joints_changed = true;
    }
    /// They are of another step.
    pub fn forget_breaks(&mut self) {
        self.broken.clear();
    }
    fn name(&mut self) -> u64 {
        self.names += 1;
        self.names
    }
    pub fn memory_bytes(&self) -> u64 {
        self.bodies.iter().map(|(_, b)| b.memory_bytes()).sum::<u64>()
            + (self.joints.len() * size_of::<Joint>() + self.single.memory_bytes() + self.double.memory_bytes()) as u64
    }
    /// All numbers of the state, for the hash.
    pub fn each_state(&self, mix: &mut dyn FnMut(u64, u32)) {
        for (id, _) in self.bodies.iter() {
            let i = number(id);
            if let (Some(p), Some(v)) = (self.single.solver.pose.get(i), self.single.solver.velocity.get(i))
                && !self.single.asleep.is_empty()
            {
                p.0.iter().chain(&v.0).for_each(|x| mix(x.bits(), 4));
            }
            if let (Some(p), Some(v)) = (self.double.solver.pose.get(i), self.double.solver.velocity.get(i))
                && !self.double.asleep.is_empty()
            {
                p.0.iter().chain(&v.0).for_each(|x| mix(x.bits(), 8));
            }
        }
    }
}

/// One of the two that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactSide {
    Body(Id),
    Collider(Id),
}

/// A point where two surfaces touch, or nearly do.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// World space, m.
    pub position: [f64; 3],
    /// From a to b.
    pub normal: [f64; 3],
    /// m; negative: that deep.
    pub separation: f64,
    /// Along the normal, N s, of the last substep.
    pub impulse: f64,
    /// On b, of the last substep, N, and N m about the point; its share of the manifold's friction is among it.
    pub force: [f64; 3],
    pub torque: [f64; 3],
    /// How fast they came together at the start of the step, m/s; negative: parted.
    pub approach: f64,
    pub a: ContactSide,
    pub b: ContactSide,
}

/// Runs the same on the precision that the world has.
macro_rules! rigid {
    ($world:expr, $r:ident => $e:expr) => {
        if $world.desc.double_precision {
            let $r = &mut $world.dynamics.double;
            $e
        } else {
            let $r = &mut $world.dynamics.single;
            $e
        }
    };
    (ref $world:expr, $r:ident => $e:expr) => {
        if $world.desc.double_precision {
            let $r = &$world.dynamics.double;
            $e
        } else {
            let $r = &$world.dynamics.single;
            $e
        }
    };
}

pub(super) use rigid;

/// Colliders have their own range of names.
fn collider_name(id: Id) -> u64 {
    1 << 51 | u64::from(id.generation) << 20 | u64::from(id.index)
}

/// The collider of a name.
pub(super) fn collider_of(name: u64) -> Id {
    Id { index: (name & 0xf_ffff) as u32, generation: (name >> 20 & 0xf_ffff) as u32 }
}

impl World {
    /// A new body. It collides with bodies and colliders, and rods hang on it and lie on it.
    pub fn add_body(&mut self, desc: &BodyDesc) -> Result<Id> {
        let name = self.dynamics.name();
        let body = Body::new(desc, name, self.desc.double_precision)?;
        let id = self.dynamics.bodies.insert(body.clone())?;
        rigid!(self, r => r.insert(id, &body));
        self.rods.iter_mut().for_each(|(_, rods)| rods.prepare_to_push());
        self.list_touching();
        self.reserve_net();
        self.dynamics.shapes_changed = true;
        self.change_scene();
        Ok(id)
    }

    /// The joints that hang on it go with it.
    ///
    /// # Errors
    /// It is a ragdoll's: those are taken out with their instance.
    pub fn remove_body(&mut self, id: Id) -> Result<()> {
        match self.dynamics.bodies.get(id)?.instance {
            Some(i) => Err(Error::invalid(format!("the body is of a ragdoll, instance {i}: removing that takes it out"))),
            None => self.take_body(id),
        }
    }
    /// A body of an instance of a ragdoll.
    pub(crate) fn add_body_of(&mut self, instance: u32, desc: &BodyDesc) -> Result<Id> {
        let id = self.add_body(desc)?;
        self.dynamics.bodies.get_mut(id)?.instance = Some(instance);
        Ok(id)
    }
    pub(crate) fn take_body(&mut self, id: Id) -> Result<()> {
        self.dynamics.bodies.get(id)?;
        let hang: Vec<Id> =
            self.dynamics.joints.iter().filter(|(_, j)| j.desc.a == Some(id) || j.desc.b == id).map(|(id, _)| id).collect();
        for j in hang {
            self.remove_joint(j)?;
        }
        self.drop_ties(self.attachments.iter().filter(|(_, a)| a.body() == Some(id)).map(|(id, _)| id).collect());
        self.drop_cables(id)?;
        // What lay on it wakes up.
        let own = number(id) as u32;
        self.wake_neighbours(own, true);
        let apart = &mut self.dynamics.apart;
        while let Some(&(_, other)) = apart.range((own, 0)..=(own, u32::MAX)).next() {
            apart.remove(&(own, other));
            apart.remove(&(other, own));
            self.dynamics.joints_changed = true;
        }
        self.dynamics.bodies.remove(id)?;
        self.dynamics.shapes_changed = true;
        self.change_scene();
        Ok(())
    }

    /// Wakes what a body or a collider, by the solver's number, touched in the last step. `gone`: it no longer does.
    fn wake_neighbours(&mut self, body: u32, gone: bool) {
        let colliders = self.dynamics.colliders.len();
        // A body that is newer than the last list has touched nothing.
        rigid!(self, r => if (body as usize) < r.listed() - colliders {
            r.wake_neighbours(body, gone);
        });
    }

    /// The same for a collider.
    pub(super) fn wake_at_collider(&mut self, id: Id, gone: bool) {
        let name = collider_name(id);
        if let Some(k) = self.dynamics.colliders.iter().position(|c| c.0 == name) {
            let colliders = self.dynamics.colliders.len();
            rigid!(self, r => r.wake_neighbours((r.listed() - colliders + k) as u32, gone));
        }
    }

    pub(super) fn wake_all(&mut self) {
        rigid!(self, r => r.wake_all());
    }

    pub fn bodies(&self) -> &Slots<Body> {
        &self.dynamics.bodies
    }
    pub fn body(&self, id: Id) -> Result<&Body> {
        self.dynamics.bodies.get(id)
    }
    pub fn body_pose(&self, id: Id) -> Result<Pose> {
        let b = self.dynamics.bodies.get(id)?;
        Ok(rigid!(ref self, r => r.pose(id, b)))
    }
    /// Velocity of the centre of mass, m/s, and spin, rad/s.
    pub fn body_motion(&self, id: Id) -> Result<[[f64; 3]; 2]> {
        self.dynamics.bodies.get(id)?;
        Ok(rigid!(ref self, r => r.motion(number(id))).map(Vec3::to_array))
    }
    pub fn body_sleeps(&self, id: Id) -> Result<bool> {
        self.dynamics.bodies.get(id)?;
        Ok(rigid!(ref self, r => r.asleep[number(id)]))
    }
    /// Centre of mass in world space, m.
    pub fn body_center(&self, id: Id) -> Result<[f64; 3]> {
        self.dynamics.bodies.get(id)?;
        Ok(rigid!(ref self, r => from(r.place(number(id)))).position.to_array())
    }

    /// A pose of world space in the frame of a body.
    pub fn pose_in_body(&self, id: Id, pose: Pose) -> Result<Pose> {
        Ok(pose_of(transform(self.body_pose(id)?).seen(transform(validate::pose("pose", None, pose)?))))
    }

    /// Puts a body somewhere, at once. Its joints keep their impulses.
    pub fn set_body_pose(&mut self, id: Id, pose: Pose) -> Result<()> {
        let pose = validate::pose("pose", None, pose)?;
        self.dynamics.bodies.get(id)?;
        self.change_scene();
        let b = self.dynamics.bodies.get_mut(id)?;
        b.desc.pose = pose;
        b.target = None;
        let place = b.principal(pose);
        rigid!(self, r => {
            r.set_place(number(id), place);
            r.stir(number(id));
        });
        self.wake_neighbours(number(id) as u32, false);
        Ok(())
    }
    pub fn set_body_motion(&mut self, id: Id, velocity: [f64; 3], spin: [f64; 3]) -> Result<()> {
        validate::vector("velocity", None, velocity)?;
        validate::vector("spin", None, spin)?;
        self.dynamic(id, "velocity")?;
        rigid!(self, r => {
            r.set_motion(number(id), velocity.into(), spin.into());
            r.wake(number(id));
        });
        Ok(())
    }
    /// Where a kinematic body is at the end of the next step.
    pub fn set_body_target(&mut self, id: Id, pose: Pose) -> Result<()> {
        let pose = validate::pose("pose", None, pose)?;
        let b = self.dynamics.bodies.get_mut(id)?;
        if b.desc.motion != BodyMotion::Kinematic {
            return Err(Error::invalid("the body is not kinematic: only a kinematic body takes a target"));
        }
        b.target = Some(pose);
        Ok(())
    }

    /// Whether two bodies pass through each other, whatever joints say.
    pub fn set_bodies_apart(&mut self, a: Id, b: Id, apart: bool) -> Result<()> {
        self.dynamics.bodies.get(a)?;
        self.dynamics.bodies.get(b)?;
        if a == b {
            return Err(Error::invalid("body_a and body_b are the same body"));
        }
        let (i, j) = (number(a) as u32, number(b) as u32);
        for pair in [(i, j), (j, i)] {
            if apart {
                self.dynamics.apart.insert(pair);
            } else {
                self.dynamics.apart.remove(&pair);
            }
        }
        self.dynamics.joints_changed = true;
        for id in [a, b] {
            rigid!(self, r => r.wake(number(id)));
        }
        Ok(())
    }
    /// A group that no body of a host is likely to have: from 2³¹ on, another one each time.
    pub(crate) fn fresh_group(&mut self) -> u32 {
        self.dynamics.groups = self.dynamics.groups.wrapping_add(1) & 0x7fff_ffff;
        0x8000_0000 | self.dynamics.groups
    }

    /// Kinematic or dynamic: who moves the body from now on. What becomes kinematic keeps its mass in mind.
    pub fn set_body_kinematic(&mut self, id: Id, kinematic: bool) -> Result<()> {
        let b = self.dynamics.bodies.get_mut(id)?;
        if b.mass == 0.0 {
            return Err(Error::invalid("the body was not dynamic when it was made: it has no mass"));
        }
        b.desc.motion = if kinematic { BodyMotion::Kinematic } else { BodyMotion::Dynamic };
        b.target = None;
        // Pushes are for the next step, not for the next one in which it is dynamic.
        (b.force, b.torque) = ([0.0; 3], [0.0; 3]);
        rigid!(self, r => {
            r.write_mass(number(id), self.dynamics.bodies.get(id)?);
            r.stir(number(id));
        });
        self.wake_neighbours(number(id) as u32, false);
        Ok(())
    }

    fn dynamic(&self, id: Id, what: &str) -> Result<&Body> {
        let b = self.dynamics.bodies.get(id)?;
        if b.desc.motion == BodyMotion::Dynamic { Ok(b) } else { Err(Error::invalid(format!("{what} is for dynamic bodies"))) }
    }

    /// A force, N, at a point in world space, m (`None`: the centre of mass), and a torque, N m, during the next step.
    pub fn push_body(&mut self, id: Id, force: [f64; 3], at: Option<[f64; 3]>, torque: [f64; 3]) -> Result<()> {
        validate::vector("force", None, force)?;
        validate::vector("torque", None, torque)?;
        self.dynamic(id, "force")?;
        let mut all = Vec3::from(torque);
        if let Some(at) = at {
            validate::vector("point", None, at)?;
            let center = rigid!(ref self, r => from(r.place(number(id)))).position;
            all = all + (Vec3::from(at) - center).cross(force.into());
        }
        let b = self.dynamics.bodies.get_mut(id)?;
        b.force = (Vec3::from(b.force) + Vec3::from(force)).to_array();
        b.torque = (Vec3::from(b.torque) + all).to_array();
        rigid!(self, r => r.wake(number(id)));
        Ok(())
    }

    /// Wakes a dynamic body, or lets it rest from now on: it sleeps until something that it touches moves.
    pub fn set_body_sleeping(&mut self, id: Id, sleeping: bool) -> Result<()> {
        let b = self.dynamic(id, "sleep")?;
        if sleeping && !b.desc.can_sleep {
            return Err(Error::invalid("sleeping is 1: the body was made with can_sleep 0"));
        }
        rigid!(self, r => if sleeping { r.rest(number(id)) } else { r.wake(number(id)) });
        Ok(())
    }

    /// Kinetic and potential energy of a body, J; the latter from the origin up.
    pub fn body_energy(&self, id: Id) -> Result<[f64; 2]> {
        let b = self.dynamics.bodies.get(id)?;
        let place = rigid!(ref self, r => from(r.place(number(id))));
        let [v, w] = rigid!(ref self, r => r.motion(number(id)));
        let axes = place.rotation.frame();
        let spin: f64 = (0..3).map(|k| b.moments[k] * axes[k].dot(w) * axes[k].dot(w)).sum();
        let g = Vec3::from(self.desc.gravity) * b.desc.gravity_scale;
        Ok([0.5 * (b.mass * v.length2() + spin), -b.mass * g.dot(place.position)])
    }

    /// After bodies or colliders came or went.
    pub(super) fn list_shapes(&mut self) {
        let double = self.desc.double_precision;
        let d = &mut self.dynamics;
        if d.shapes_changed {
            d.colliders.clear();
            for (id, c) in self.colliders.iter() {
                let name = collider_name(id);
                if let Ok(body) = Body::of_collider(&c.desc, name, double) {
                    d.colliders.push((name, body));
                }
            }
            if double {
                d.double.list_shapes(&d.bodies, &d.colliders);
            } else {
                d.single.list_shapes(&d.bodies, &d.colliders);
            }
            d.shapes_changed = false;
        }
    }

    /// Finds what collides and prepares the step. `None` where there are no bodies. `usual`: substeps of a step that is not long.
    ///
    /// # Errors
    /// There is no room for the ways of what the host moves.
    pub(super) fn begin_bodies(&mut self, dt: f64, usual: u32, runner: &dyn TaskRunner) -> Result<Option<Plan>> {
        self.dynamics.broken.clear();
        if self.dynamics.bodies.is_empty() {
            return Ok(None);
        }
        let w = &self.desc;
        let h = dt / f64::from(w.substeps);
        let last_h = rigid!(ref self, r => r.last_h);
        let longer = if last_h > 0.0 { h / last_h } else { 1.0 };
        let plan = Plan { dt, substeps: w.substeps, iterations: w.iterations, gravity: w.gravity, piece: usual, longer };
        self.note_tied();
        self.list_shapes();
        self.list_apart();
        self.lend_cables();
        let double = self.desc.double_precision;
        let d = &mut self.dynamics;
        let rods = !self.rods.is_empty();
        if double {
            d.double.begin(&plan, &mut d.bodies, &self.colliders, rods, runner)?;
        } else {
            d.single.begin(&plan, &mut d.bodies, &self.colliders, rods, runner)?;
        }
        Ok(Some(plan))
    }

    fn list_apart(&mut self) {
        let d = &mut self.dynamics;
        if d.joints_changed {
            if self.desc.double_precision {
                d.double.list_apart(&d.joints, &d.apart);
            } else {
                d.single.list_apart(&d.joints, &d.apart);
            }
            d.joints_changed = false;
        }
    }

    pub(super) fn move_bodies(&mut self, plan: &Plan, span: Range<u32>, runner: &dyn TaskRunner) {
        let (isa, mut start) = (self.isa, span.start);
        while start < span.end {
            if start > 0 && plan.begins(start) {
                self.break_joints();
                self.list_apart();
                rigid!(self, r => r.go_on(plan, start, runner));
            }
            let end = (start - start % plan.piece + plan.piece).min(span.end);
            rigid!(self, r => r.substeps(plan, isa, runner, start..end));
            start = end;
        }
    }

    pub(super) fn end_bodies(&mut self, plan: &Plan, runner: &dyn TaskRunner) {
        let d = &mut self.dynamics;
        if self.desc.double_precision {
            d.double.end(plan, &mut d.bodies, &self.colliders, runner);
        } else {
            d.single.end(plan, &mut d.bodies, &self.colliders, runner);
        }
        self.take_cables(Some(plan.dt));
        if self.non_finite_bodies() > 0 {
            self.forget_impulses();
        }
        self.break_joints();
    }

    /// After motions that were no numbers: the impulses that led to them are not kept.
    fn forget_impulses(&mut self) {
        let d = &mut self.dynamics;
        for (id, joint) in d.joints.iter() {
            if self.desc.double_precision {
                d.double.write_joint(id.index as usize, joint, &d.bodies, Keep::Nothing);
            } else {
                d.single.write_joint(id.index as usize, joint, &d.bodies, Keep::Nothing);
            }
        }
        rigid!(self, r => r.forget_contacts());
    }

    /// A body as attachments and rods that touch it move it, at the end of a substep and
    /// within one of `h` seconds. One that sleeps stands.
    pub(super) fn hold(&self, id: Id, h: f64, within: Option<[usize; 2]>) -> Result<Held> {
        let b = self.dynamics.bodies.get(id)?;
        let i = number(id);
        let (mut place, motion, asleep) = rigid!(ref self, r => (from(r.place(i)), r.motion(i), r.asleep[i]));
        if let (Some([substep, substeps]), Some(target)) = (within, b.target) {
            // Solvers keep it where the step began.
            place = rigid!(ref self, r => r.on_its_way(i, substep, substeps)).unwrap_or_else(|| b.principal(target));
        }
        let moves = b.desc.motion == BodyMotion::Dynamic && !asleep;
        let inverse = |m: f64| if moves { 1.0 / m } else { 0.0 };
        let [x, y, z] = b.moments.map(inverse);
        let mut held = Held::new(id, place, inverse(b.mass), Vec3 { x, y, z }, motion.map(|v| v * h));
        held.gravity_scale = b.desc.gravity_scale;
        Ok(held)
    }
    /// What they have done to it in a substep of `h` seconds.
    pub(super) fn let_go(&mut self, held: &Held, h: f64) {
        let i = number(held.body);
        let (given, touched) = (held.given(), held.touched());
        if given == [Vec3::zero(); 2] {
            return;
        }
        rigid!(self, r => {
            let load = &mut r.rod_load[i];
            *load = [load[0] + touched[0] * (1.0 / h), load[1] + touched[1] * (1.0 / h)];
            if let Some([v, w]) = held.motion(h) {
                r.set_place(i, held.place());
                r.set_motion(i, v, w);
            }
        });
    }

    /// Shapes of bodies that rods meet.
    pub(super) fn rod_shapes(&self) -> usize {
        if self.dynamics.bodies.is_empty() { 0 } else { rigid!(ref self, r => r.rod_shapes()) }
    }

    /// Islands, awake bodies, touching contacts and pairs that were left out, of the last step.
    pub fn body_counts(&self) -> [u64; 4] {
        if self.dynamics.bodies.is_empty() {
            return [0; 4];
        }
        rigid!(ref self, r => [u64::from(r.islands), u64::from(r.awake), u64::from(r.touching), r.contacts.broad.dropped])
    }

    /// Bodies whose motion became no number in the last step: they stand where they were.
    pub fn non_finite_bodies(&self) -> u32 {
        rigid!(ref self, r => r.stopped.load(Ordering::Relaxed))
    }

    #[doc(hidden)]
    pub fn pair_count(&self) -> usize {
        rigid!(ref self, r => r.contacts.broad.pairs.len())
    }
    /// Wall-clock seconds of the last step: boxes and their overlaps, contacts, graph, solver.
    #[doc(hidden)]
    pub fn body_seconds(&self) -> [f64; 4] {
        let [boxes, pairs, manifolds, graph, substeps, rest] = self.body_times();
        [boxes + pairs, manifolds, graph, substeps + rest]
    }
    /// Wall-clock seconds of the last step: boxes, pairs of boxes, manifolds, islands and blocks, substeps, fast and resting bodies.
    pub fn body_times(&self) -> [f64; 6] {
        rigid!(ref self, r => r.times)
    }

    /// Every contact point of the last step whose bodies and colliders are still there.
    pub fn read_contacts(&self, mut each: impl FnMut(&ContactPoint)) {
        let d = &self.dynamics;
        rigid!(ref self, r => {
            let first = r.listed() - d.colliders.len();
            let side = |n: u32| -> Option<ContactSide> {
                let n = n as usize;
                if n >= first {
                    let id = collider_of(d.colliders.get(n - first)?.0);
                    return self.colliders.get(id).is_ok().then_some(ContactSide::Collider(id));
                }
                d.bodies.at(n.checked_sub(1)?).map(|(id, _)| ContactSide::Body(id))
            };
            for c in r.contacts.all.iter().filter(|c| c.count > 0) {
                let (Some(a), Some(b)) = (side(c.a), side(c.b)) else { continue };
                // At least one of them is a body. Colliders may have moved on in the solver's memory.
                let (at_a, at_b) = (from(r.place(c.a as usize)), from(r.place(c.b as usize)));
                let point = |k: usize| {
                    let [on_a, on_b] = c.surfaces(k, &at_a, &at_b);
                    match (a, b) {
                        (ContactSide::Collider(_), _) => on_b,
                        (_, ContactSide::Collider(_)) => on_a,
                        _ => on_a + (on_b - on_a) * c.share.to_f64(),
                    }
                };
                let count = c.count as usize;
                let middle = (0..count).fold(Vec3::zero(), |sum, k| sum + point(k)) * (1.0 / count as f64);
                let rub = c.rub();
                let per_second = if r.last_h > 0.0 { 1.0 / r.last_h } else { 0.0 };
                for k in 0..count {
                    let at = point(k);
                    let normal = c.normal.map(|v| v.to_f64());
                    let (impulse, share) = (c.impulse[k].to_f64(), rub.share(c.impulse[k].to_f64()));
                    let friction = rub.push * share;
                    let force = (normal * impulse + friction) * per_second;
                    let torque = (rub.turn * share + (middle - at).cross(friction)) * per_second;
                    each(&ContactPoint {
                        position: at.to_array(),
                        normal: normal.to_array(),
                        separation: c.separation[k].to_f64(),
                        impulse,
                        force: force.to_array(),
                        torque: torque.to_array(),
                        approach: -c.approach[k].to_f64(),
                        a,
                        b,
                    });
                }
            }
        });
    }

    #[doc(hidden)]
    pub fn pose_from_frame(t: Transform<f64>) -> Pose {
        pose_of(t)
    }
}
