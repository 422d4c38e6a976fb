//! Instances of one ragdoll: their bodies and joints in a world, and what their bones keep. Flat arrays, `[instance][…]`.

use super::arc::normalized;
use super::model::{NONE, Ragdoll, Role};
use super::read_back::Fade;
use super::transition::{Kept, Motion};
use super::{pose, transform};
use crate::desc::validate;
use crate::math::{Quat, Transform, Vec3};
use crate::world::{BodyMotion, Error, Id, Joint, JointKind, MotorDesc, Result, World};
use std::sync::Arc;

/// Motors towards target poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive<'a> {
    /// N m/rad. Infinite: as stiff as the solver can.
    pub stiffness: f64,
    /// N m s/rad, against spin other than the target's. May be infinite.
    pub damping: f64,
    /// N m; may be infinite.
    pub max_torque: f64,
    /// A factor of stiffness, damping and torque for the joint above each body of the description; empty: 1.
    pub scale: &'a [f64],
}

/// Instances of one ragdoll. An instance has bodies from `instantiate` to `remove`.
#[derive(Debug)]
pub struct RagdollSet {
    pub(super) ragdoll: Arc<Ragdoll>,
    pub(super) alive: Vec<bool>,
    /// Those that a call has named so far.
    named: Vec<bool>,
    /// `[instance][part]`
    pub(super) bodies: Vec<Id>,
    /// `[instance][link]`. The host may have broken some.
    pub(super) joints: Vec<Id>,
    /// `[instance][bone]`: local pose; of a root, in the world; of a bone inside of a region, in the arc's frame or as its read-back asks.
    pub(super) kept: Vec<Transform<f64>>,
    /// `[instance][inner bone]`: s and σ.
    pub(super) share: Vec<[f64; 2]>,
    /// `[instance][region]`
    pub(super) arcs: Vec<Kept>,
    pub(super) fades: Vec<Fade>,
    /// For callers that put arrays together.
    pub(crate) buffers: Buffers,
    /// One instance on its way out: poses and displacements, a bone each; what regions need.
    pub(super) simulated: Vec<Transform<f64>>,
    pub(super) shift: Vec<Vec3<f64>>,
    pub(super) shapes: Vec<super::read_back::RegionShape>,
}

/// Memory that is kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub which: Vec<u32>,
    pub poses: Vec<Transform<f64>>,
    pub before: Vec<Transform<f64>>,
    pub moves: Vec<[[f64; 3]; 2]>,
    pub numbers: Vec<f64>,
}

impl RagdollSet {
    /// # Errors
    /// More instances than the world could hold.
    pub fn new(ragdoll: Arc<Ragdoll>, count: usize) -> Result<RagdollSet> {
        let (bones, parts) = (ragdoll.bones(), ragdoll.parts.len());
        const MOST: usize = 1 << 26;
        if count.saturating_mul(bones) > MOST || count.saturating_mul(parts) > crate::world::Slots::<()>::MAX_OBJECTS {
            return Err(Error::invalid(format!("instances is {count}: too many, each of {bones} bones and {parts} bodies")));
        }
        let identity = Transform::identity();
        let nothing = Kept { frames: [identity; 2], length: 1.0, between: Quat::identity() };
        Ok(RagdollSet {
            alive: vec![false; count],
            named: vec![false; count],
            bodies: vec![Id::default(); count * parts],
            joints: vec![Id::default(); count * ragdoll.links.len()],
            kept: vec![identity; count * bones],
            share: vec![[0.0; 2]; count * ragdoll.inner],
            arcs: vec![nothing; count * ragdoll.regions.len()],
            fades: vec![Fade::default(); count],
            buffers: Buffers::default(),
            simulated: vec![identity; bones],
            shift: vec![Vec3::zero(); bones],
            shapes: vec![Default::default(); ragdoll.regions.len()],
            ragdoll,
        })
    }

    pub fn ragdoll(&self) -> &Arc<Ragdoll> {
        &self.ragdoll
    }
    pub fn count(&self) -> usize {
        self.alive.len()
    }
    /// Whether an instance has bodies in the world.
    pub fn is_alive(&self, instance: u32) -> bool {
        self.alive.get(instance as usize).copied().unwrap_or(false)
    }

    /// The world's body for a body of the description.
    pub fn body(&self, instance: u32, body: u32) -> Result<Id> {
        self.live(|| "instance".into(), instance)?;
        let part = self.part(body)?;
        Ok(self.bodies[instance as usize * self.ragdoll.parts.len() + part as usize])
    }
    /// The joint or arc above a body of the description; the host may have removed it.
    pub fn joint(&self, instance: u32, body: u32) -> Result<Id> {
        self.live(|| "instance".into(), instance)?;
        let link = self.ragdoll.parts[self.part(body)? as usize].link;
        if link == NONE {
            return Err(Error::invalid(format!("body is {body}, above which there is no joint")));
        }
        Ok(self.joints[instance as usize * self.ragdoll.links.len() + link as usize])
    }

    pub(crate) fn check_alive(&self, instance: u32) -> Result<()> {
        self.live(|| "instance".into(), instance).map(drop)
    }
    pub(crate) fn check_indices(&self, instance: u32, body: u32) -> Result<()> {
        self.known(|| "instance".into(), instance)?;
        match self.part(body) {
            Err(e) if body as usize >= self.ragdoll.part_of.len() => Err(e),
            _ => Ok(()),
        }
    }
    fn part(&self, body: u32) -> Result<u32> {
        match self.ragdoll.part_of.get(body as usize) {
            Some(&NONE) => Err(Error::invalid(format!("body is {body}, which is inside of a region: it is not made"))),
            Some(&part) => Ok(part),
            None => Err(Error::invalid(format!("body is {body}, there are {}", self.ragdoll.part_of.len()))),
        }
    }
    pub(super) fn known(&self, field: impl Fn() -> String, instance: u32) -> Result<usize> {
        let n = self.alive.len();
        if (instance as usize) < n {
            Ok(instance as usize)
        } else {
            Err(Error::invalid(format!("{} is {instance}, there are {n} instances", field())))
        }
    }
    fn live(&self, field: impl Fn() -> String, instance: u32) -> Result<usize> {
        let i = self.known(&field, instance)?;
        let gone = || Error::invalid(format!("{} is {instance}, which has not been instantiated", field()));
        if self.alive[i] { Ok(i) } else { Err(gone()) }
    }
    pub(super) fn each_live(&self, which: &[u32]) -> Result<()> {
        which.iter().enumerate().try_for_each(|(k, &i)| self.live(|| nth(k), i).map(drop))
    }

    /// Instances that there are, each named once: what changes by what it was cannot be done to one twice.
    pub(super) fn each_once(&mut self, which: &[u32]) -> Result<()> {
        self.named.fill(false);
        for (k, &instance) in which.iter().enumerate() {
            let i = self.known(|| nth(k), instance)?;
            if core::mem::replace(&mut self.named[i], true) {
                return Err(Error::invalid(format!("{} is {i}, which is there already", nth(k))));
            }
        }
        Ok(())
    }

    /// Of all instances.
    pub fn remove_all(&mut self, world: &mut World) -> Result<()> {
        (0..self.count() as u32).rev().try_for_each(|i| self.remove(world, &[i]))
    }
    /// Takes the bodies and joints of instances out of the world. Instances without are left alone.
    pub fn remove(&mut self, world: &mut World, which: &[u32]) -> Result<()> {
        for (k, &instance) in which.iter().enumerate() {
            self.known(|| nth(k), instance)?;
        }
        let (parts, links) = (self.ragdoll.parts.len(), self.ragdoll.links.len());
        // Backwards, so that what is made anew in the same order finds its slots again, and states saved before still fit.
        for &instance in which.iter().rev() {
            let i = instance as usize;
            if !core::mem::replace(&mut self.alive[i], false) {
                continue;
            }
            // Joints that the host has broken are gone already.
            for &id in self.joints[i * links..][..links].iter().rev() {
                let _ = world.remove_joint(id);
            }
            for &id in self.bodies[i * parts..][..parts].iter().rev() {
                let _ = world.take_body(id);
            }
        }
        Ok(())
    }

    /// Motors of the joints and arcs, and targets of the kinematic bodies, towards these world poses, `[which][bone]`. `motion`: how the
    /// target itself moves, towards which damping acts.
    pub fn set_targets(
        &mut self,
        world: &mut World,
        which: &[u32],
        poses: &[Transform<f64>],
        motion: Motion,
        drive: Drive,
    ) -> Result<()> {
        let r = &*self.ragdoll;
        let bones = r.bones();
        self.each_live(which)?;
        sized("poses", poses.len(), which.len(), bones)?;
        for (field, v) in [("stiffness", drive.stiffness), ("damping", drive.damping), ("max_torque", drive.max_torque)] {
            // Infinite is allowed, NaN is not.
            if v.is_nan() || v < 0.0 {
                return Err(Error::invalid(format!("drive.{field} is {v}, must be 0 or more")));
            }
        }
        if !drive.scale.is_empty() {
            sized("drive.scale", drive.scale.len(), 1, r.desc.bodies.len())?;
            for (i, &s) in drive.scale.iter().enumerate() {
                if !(0.0..=1e9).contains(&s) {
                    return Err(Error::invalid(format!("drive.scale[{i}] is {s}, must be 0 to 1e9")));
                }
            }
        }
        motion.check(which.len(), bones)?;
        for (k, p) in poses.iter().enumerate() {
            rigid("poses", k, *p)?;
        }
        match motion {
            Motion::Still => {}
            Motion::Before { poses, .. } => {
                poses.iter().enumerate().try_for_each(|(k, p)| rigid("poses before", k, *p).map(drop))?
            }
            Motion::Given(v) => v.iter().enumerate().try_for_each(|(k, v)| validate::vector("spin", Some(k), v[1]))?,
        }
        for (k, &instance) in which.iter().enumerate() {
            let i = instance as usize;
            let at = |bone: u32| -> Transform<f64> {
                let p = poses[k * bones + bone as usize];
                Transform { position: p.position, rotation: normalized(p.rotation) }
            };
            for (part, &id) in r.parts.iter().zip(&self.bodies[i * r.parts.len()..]) {
                if world.body(id)?.desc.motion == BodyMotion::Kinematic {
                    world.set_body_target(id, pose(at(part.bone)))?;
                }
            }
            for (link, &id) in r.links.iter().zip(&self.joints[i * r.links.len()..]) {
                let bone = |part: u32| r.parts[part as usize].bone;
                let turn = |bone: u32| motion.spin(k * bones + bone as usize, at(bone).rotation);
                let spin = turn(bone(link.b)) - turn(bone(link.a));
                let first = at(bone(link.a)).rotation;
                let between = first.conjugate().compose(at(bone(link.b)).rotation);
                let source = r.parts[link.b as usize].source as usize;
                let scale = drive.scale.get(source).copied().unwrap_or(1.0);
                // 0 times infinite is 0 here.
                let scaled = |v: f64| if scale == 0.0 { 0.0 } else { v * scale };
                let Ok(Joint { desc, .. }) = world.joint(id) else { continue };
                if matches!(desc.kind, JointKind::Fixed) {
                    continue;
                }
                let (fa, fb) = (transform(desc.frame_a).rotation, transform(desc.frame_b).rotation);
                let target = normalized(fa.conjugate().compose(between).compose(fb));
                let motor = MotorDesc {
                    stiffness: [scaled(drive.stiffness); 3],
                    damping: [scaled(drive.damping); 3],
                    target: target.to_array(),
                    speed: first.compose(fa).conjugate().rotate(spin).to_array().map(|w| w.clamp(-1e6, 1e6)),
                    max_torque: scaled(drive.max_torque),
                };
                world.change_joint(id, &mut |d| d.motor = Some(motor))?;
            }
        }
        Ok(())
    }

    /// Motors as the description has them, for most bodies none.
    pub fn clear_targets(&mut self, world: &mut World, which: &[u32]) -> Result<()> {
        let r = &*self.ragdoll;
        self.each_live(which)?;
        for &instance in which {
            for (link, &id) in r.links.iter().zip(&self.joints[instance as usize * r.links.len()..]) {
                if world.joint(id).is_ok() {
                    world.change_joint(id, &mut |d| d.motor = link.motor)?;
                }
            }
        }
        Ok(())
    }

    /// Who moves a body, or all (`None`), of instances: the animation, through `set_targets`, or the simulation. Bodies keep their velocity.
    pub fn set_kinematic(&mut self, world: &mut World, which: &[u32], body: Option<u32>, kinematic: bool) -> Result<()> {
        self.each_live(which)?;
        let parts = self.ragdoll.parts.len();
        let range = match body {
            Some(body) => {
                let part = self.part(body)? as usize;
                part..part + 1
            }
            None => 0..parts,
        };
        for &instance in which {
            for &id in &self.bodies[instance as usize * parts..][range.clone()] {
                world.set_body_kinematic(id, kinematic)?;
            }
        }
        Ok(())
    }

    /// Moves all bodies of instances by rigid motions of the world, one each, velocities included.
    pub fn teleport(&mut self, world: &mut World, which: &[u32], by: &[Transform<f64>]) -> Result<()> {
        self.each_live(which)?;
        self.each_once(which)?;
        sized("by", by.len(), which.len(), 1)?;
        let parts = self.ragdoll.parts.len();
        for (k, (&instance, &t)) in which.iter().zip(by).enumerate() {
            let t = rigid("by", k, t)?;
            let named = |e: Error| Error::new(e.kind, format!("{}: {}", nth(k), e.message));
            for &id in &self.bodies[instance as usize * parts..][..parts] {
                let to = t.point(world.body_pose(id)?.position.into());
                validate::vector("position after the move", None, to.to_array()).map_err(named)?;
                if world.body(id)?.desc.motion == BodyMotion::Dynamic {
                    for (v, name) in world.body_motion(id)?.into_iter().zip(["velocity after the move", "spin after the move"]) {
                        validate::vector(name, None, t.rotation.rotate(v.into()).to_array()).map_err(named)?;
                    }
                }
            }
        }
        for (&instance, &by) in which.iter().zip(by) {
            let by = Transform { position: by.position, rotation: normalized(by.rotation) };
            let i = instance as usize;
            for &id in &self.bodies[i * parts..][..parts] {
                let mut at = by.compose(transform(world.body_pose(id)?));
                at.rotation = normalized(at.rotation);
                let [v, w] = world.body_motion(id)?;
                world.set_body_pose(id, pose(at))?;
                if world.body(id)?.desc.motion == BodyMotion::Dynamic {
                    let turned = |v: [f64; 3]| by.rotation.rotate(v.into()).to_array();
                    world.set_body_motion(id, turned(v), turned(w))?;
                }
            }
            // Bones that hang on no body.
            let r = &*self.ragdoll;
            for (b, kept) in self.kept[i * r.bones()..][..r.bones()].iter_mut().enumerate() {
                if r.parent[b] == NONE && r.roles[b] == Role::Free {
                    *kept = by.compose(*kept);
                }
            }
        }
        Ok(())
    }
}

/// An array of `per` entries for each of `which`.
pub(super) fn sized(field: &str, got: usize, which: usize, per: usize) -> Result<()> {
    // A count that overflows is no array's length.
    if which.checked_mul(per) == Some(got) {
        Ok(())
    } else {
        Err(Error::invalid(format!("{field} has {got} entries, must have {which} times {per}")))
    }
}

pub(super) fn nth(k: usize) -> String {
    format!("which[{k}]")
}

/// A pose, checked, its rotation normalised.
pub(super) fn rigid(field: &str, index: usize, p: Transform<f64>) -> Result<Transform<f64>> {
    validate::pose(field, Some(index), pose(p)).map(transform)
}
