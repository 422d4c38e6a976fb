//! Joints of a world: creating, changing, reading, breaking them.

use super::World;
use super::dynamics::rigid;
use crate::bodies::kernels::arc_strain;
use crate::desc::error::{Error, Result};
use crate::desc::slots::{Id, Slots};
use crate::math::{Transform, Vec3};
use crate::rigid::bodies::Body;
use crate::rigid::desc::*;
use crate::rigid::joints::{Joint, Keep, NUMBERS, UNBREAKABLE, arc_error, check_strength, over, transform};
use crate::rigid::{Precise, Rigid, from, number};

/// A joint that broke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Break {
    pub joint: Id,
    /// What it held in that step, on average, N and N m.
    pub force: f64,
    pub torque: f64,
}

/// The numbers of a joint that becomes one of other elements.
fn rewrite<E: Precise>(r: &mut Rigid<E>, slot: usize, (old, new): (&Joint, &Joint), bodies: &Slots<Body>, way: bool) {
    let own = slot * NUMBERS..(slot + 1) * NUMBERS;
    let mut before = [E::zero(); NUMBERS];
    before.copy_from_slice(&r.joint_numbers[own.clone()]);
    r.write_joint(slot, new, bodies, Keep::Nothing);
    let local = bodies.get(new.desc.b).map_or(Transform::identity(), |b| b.local);
    let arm = r.place(number(new.desc.b)).rotation.rotate(local.seen(transform(new.desc.frame_b)).position.map(E::from_f64));
    new.take_over(old, &before, &mut r.joint_numbers[own], way, arm);
}

impl World {
    pub fn add_joint(&mut self, desc: &JointDesc) -> Result<Id> {
        let place = |id: Option<Id>, name: &str| -> Result<Transform<f64>> {
            let Some(id) = id else { return Ok(Transform::identity()) };
            self.body_pose(id).map(transform).map_err(|e| Error::new(e.kind, format!("{name}: {}", e.message)))
        };
        let (a, b) = (place(desc.a, "body_a")?, place(Some(desc.b), "body_b")?);
        let joint = Joint::new(desc, a, b)?;
        joint.points_along(a, b)?;
        let id = self.dynamics.joints.insert(joint.clone())?;
        self.write_joint(id, &joint, Keep::Nothing);
        self.dynamics.joints_changed = true;
        self.wake_joint(&joint);
        Ok(id)
    }
    /// The joint's numbers for the solver.
    fn write_joint(&mut self, id: Id, joint: &Joint, keep: Keep) {
        rigid!(self, r => r.write_joint(id.index as usize, joint, &self.dynamics.bodies, keep));
    }
    /// In the place of one between the same bodies.
    pub(super) fn put_joint(&mut self, id: Id, joint: Joint, keep: Keep) {
        self.write_joint(id, &joint, keep);
        if let Ok(place) = self.dynamics.joints.get_mut(id) {
            *place = joint;
        }
    }
    /// Makes a joint one that is new, without impulses, enabled, between the bodies that it has.
    pub(crate) fn renew_joint(&mut self, id: Id, desc: &JointDesc) -> Result<()> {
        let old = &self.dynamics.joints.get(id)?.desc;
        let desc = JointDesc { a: old.a, b: old.b, ..desc.clone() };
        let place = |id: Option<Id>| id.map_or(Ok(Transform::identity()), |id| self.body_pose(id).map(transform));
        let strength = self.dynamics.joints.get(id)?.strength;
        let joint = Joint { strength, ..Joint::new(&desc, place(desc.a)?, place(Some(desc.b))?)? };
        self.wake_joint(&joint);
        self.put_joint(id, joint, Keep::Nothing);
        self.dynamics.joints_changed = true;
        Ok(())
    }
    pub fn remove_joint(&mut self, id: Id) -> Result<()> {
        let joint = self.dynamics.joints.remove(id)?;
        rigid!(self, r => r.hold_joint(id.index as usize, false));
        self.dynamics.joints_changed = true;
        self.wake_joint(&joint);
        Ok(())
    }
    pub fn joints(&self) -> &Slots<Joint> {
        &self.dynamics.joints
    }
    pub fn joint(&self, id: Id) -> Result<&Joint> {
        self.dynamics.joints.get(id)
    }
    /// Another kind, other stiffness, limits, motor or frames. The bodies stay, and the impulses of the elements that stay.
    pub fn change_joint(&mut self, id: Id, change: &mut dyn FnMut(&mut JointDesc)) -> Result<()> {
        let old = self.dynamics.joints.get(id)?.clone();
        let mut desc = old.desc.clone();
        change(&mut desc);
        if (desc.a, desc.b) != (old.desc.a, old.desc.b) {
            return Err(Error::invalid("body_a and body_b of a joint cannot change"));
        }
        let place = |id: Option<Id>| id.map_or(Ok(Transform::identity()), |id| self.body_pose(id).map(transform));
        let mut joint = Joint::new(&desc, place(desc.a)?, place(Some(desc.b))?)?;
        (joint.enabled, joint.strength) = (old.enabled, old.strength);
        // A length that was measured once stays, as long as the frames do: the joint's error of the moment is none of it.
        let measured = |d: &JointDesc| matches!(&d.kind, JointKind::Arc(a) if a.length == 0.0);
        let same_frames = (desc.frame_a, desc.frame_b) == (old.desc.frame_a, old.desc.frame_b);
        if measured(&desc) && measured(&old.desc) && same_frames {
            joint.length = old.length;
        }
        // Without a spring, or seen from elsewhere, the target of before was none.
        let pulled = old.desc.motor.is_some_and(|m| m.stiffness != [0.0; 3]);
        let way = pulled && same_frames;
        if joint.kinds == old.kinds {
            self.write_joint(id, &joint, if way { Keep::Way } else { Keep::Impulses });
        } else {
            rigid!(self, r => rewrite(r, id.index as usize, (&old, &joint), &self.dynamics.bodies, way));
        }
        self.dynamics.joints_changed |= desc.collide != old.desc.collide;
        self.wake_joint(&joint);
        *self.dynamics.joints.get_mut(id)? = joint;
        Ok(())
    }

    /// A joint that is not enabled holds nothing, and its bodies may touch. Enabled again, it starts without impulses.
    pub fn set_joint_enabled(&mut self, id: Id, enabled: bool) -> Result<()> {
        let joint = self.dynamics.joints.get_mut(id)?;
        if joint.enabled == enabled {
            return Ok(());
        }
        joint.enabled = enabled;
        let joint = joint.clone();
        self.write_joint(id, &joint, Keep::Nothing);
        self.dynamics.joints_changed = true;
        self.wake_joint(&joint);
        Ok(())
    }

    /// The force, N, and the torque, N m, beyond which a joint breaks: it is then not enabled. Infinite: never.
    pub fn set_joint_strength(&mut self, id: Id, strength: [f64; 2]) -> Result<()> {
        check_strength(strength)?;
        let d = &mut self.dynamics;
        d.joints.get_mut(id)?.strength = strength;
        d.breakable |= strength != UNBREAKABLE;
        // Room for all, so that a step does not allocate.
        d.broken.reserve(d.joints.len().saturating_sub(d.broken.len()));
        Ok(())
    }

    /// Force, N, and torque about the joint's point in body b, N m, that a joint gives body b, on average over the last step.
    pub fn joint_force(&self, id: Id) -> Result<[Vec3<f64>; 2]> {
        let j = self.dynamics.joints.get(id)?;
        let b = self.dynamics.bodies.get(j.desc.b)?;
        let ([force, torque], place) =
            rigid!(ref self, r => (r.joint_wrench(id.index as usize, j), from(r.place(number(j.desc.b)))));
        let point = transform(b.frame(place)).compose(transform(j.desc.frame_b)).position;
        Ok([force, torque - (point - place.position).cross(force)])
    }

    /// Joints that broke in the last step, of those that are still there.
    pub fn broken_joints(&self) -> impl Iterator<Item = &Break> {
        self.dynamics.broken.iter().filter(|b| self.dynamics.joints.get(b.joint).is_ok())
    }

    /// After a step: what held more than it can holds nothing any more.
    pub(super) fn break_joints(&mut self) {
        if !self.dynamics.breakable {
            return;
        }
        for slot in 0..self.dynamics.joints.slots() {
            let Some((joint, j)) = self.dynamics.joints.at(slot) else { continue };
            if !j.enabled || j.strength == UNBREAKABLE {
                continue;
            }
            let strength = j.strength;
            let Ok([force, torque]) = self.joint_force(joint).map(|w| w.map(|v| v.length())) else { continue };
            if (force > strength[0] || torque > strength[1]) && self.set_joint_enabled(joint, false).is_ok() {
                self.dynamics.broken.push(Break { joint, force, torque });
            }
        }
    }

    fn wake_joint(&mut self, joint: &Joint) {
        rigid!(self, r => {
            for id in [joint.desc.a, Some(joint.desc.b)].into_iter().flatten() {
                if number(id) < r.still.len() {
                    r.wake(number(id));
                }
            }
        });
    }

    /// Its frames in the world.
    fn joint_frames(&self, j: &Joint) -> Result<[Transform<f64>; 2]> {
        let pose = |id: Option<Id>| id.map_or(Ok(Transform::identity()), |id| self.body_pose(id).map(transform));
        let (ta, tb) = (pose(j.desc.a)?, pose(Some(j.desc.b))?);
        Ok([ta.compose(transform(j.desc.frame_a)), tb.compose(transform(j.desc.frame_b))])
    }

    /// How frame b is turned against frame a: two angles of bend and the twist, as limits count them, with whole turns, rad.
    pub fn joint_angles(&self, id: Id) -> Result<Vec3<f64>> {
        let j = self.dynamics.joints.get(id)?;
        let [fa, fb] = self.joint_frames(j)?;
        let strain = arc_strain(fa.rotation.conjugate().compose(fb.rotation));
        let twist = rigid!(ref self, r => r.counted(id.index as usize, j, strain.beta.z));
        Ok(Vec3 { z: twist, ..strain.beta })
    }

    /// How far a joint is from what it holds: m, and rad.
    pub fn joint_error(&self, id: Id) -> Result<[f64; 2]> {
        let j = self.dynamics.joints.get(id)?;
        let [fa, fb] = self.joint_frames(j)?;
        let gap = fb.position - fa.position;
        let relative = fa.rotation.conjugate().compose(fb.rotation);
        let beta = self.joint_angles(id)?;
        Ok(match &j.desc.kind {
            JointKind::Ball { limits } => [gap.length(), limits.map_or(0.0, |l| l.beyond(beta))],
            JointKind::Hinge { limits } => {
                let swing = (beta.x * beta.x + beta.y * beta.y).sqrt();
                [gap.length(), swing.max(over(beta.z, *limits))]
            }
            JointKind::Fixed => [gap.length(), crate::bodies::kernels::rotation_vector(relative).length()],
            JointKind::Distance { least, most } => [over(gap.length(), [*least, *most]), 0.0],
            JointKind::Arc(arc) => {
                let [gap, off] = arc_error(&fa, &fb, j.length);
                [gap, arc.limits.map_or(off, |l| off.max(l.beyond(beta)))]
            }
        })
    }
}
