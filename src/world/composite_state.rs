//! The part of saved states that belongs to composite objects, such as ragdolls. Their joints are
//! not as the host described them, but as a transition fitted them and as targets drive them. So
//! their joints are part of it, too.

use super::World;
use super::body_state::Measure;
use super::composite::Composite;
use super::snapshot::{Reader, Tape};
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::validate;
use crate::rigid::desc::*;
use crate::rigid::joints::{Joint, Keep, check};

/// Bits of a joint's word, above the kind's number.
const LIMITS: u64 = 1 << 3;
const RELAXATION: u64 = 1 << 4;
const DRIVEN: u64 = 1 << 5;
const COLLIDE: u64 = 1 << 6;

/// The kind's number, and what the joint has.
fn word_of(d: &JointDesc) -> u64 {
    let (kind, limits, relaxation) = match &d.kind {
        JointKind::Ball { limits } => (0, limits.is_some(), false),
        JointKind::Hinge { .. } => (1, false, false),
        JointKind::Fixed => (2, false, false),
        JointKind::Distance { .. } => (3, false, false),
        JointKind::Arc(arc) => (4, arc.limits.is_some(), arc.relaxation.is_some()),
    };
    let bits = [(limits, LIMITS), (relaxation, RELAXATION), (d.motor.is_some(), DRIVEN), (d.collide, COLLIDE)];
    bits.into_iter().fold(kind, |word, (has, bit)| if has { word | bit } else { word })
}

/// Always as long, whether it is there or not.
fn optional<T: Copy>(value: &mut Option<T>, there: bool, none: T, walk: impl FnOnce(&mut T)) {
    let mut some = value.unwrap_or(none);
    walk(&mut some);
    *value = there.then_some(some);
}

fn walk_limits(limits: &mut Option<BallLimits>, there: bool, tape: &mut impl Tape) {
    optional(limits, there, BallLimits { swing: [0.0; 2], twist: [0.0; 2] }, |l| {
        tape.array(&mut l.swing);
        tape.array(&mut l.twist);
    });
}

/// All of a joint but its bodies and whether it is enabled. Gives its word.
fn walk_joint(d: &mut JointDesc, length: &mut f64, tape: &mut impl Tape) -> u64 {
    let mut word = word_of(d);
    tape.word(&mut word);
    let has = |bit: u64| word & bit != 0;
    for frame in [&mut d.frame_a, &mut d.frame_b] {
        tape.array(&mut frame.position);
        tape.array(&mut frame.rotation);
    }
    tape.number(length);
    match &mut d.kind {
        JointKind::Ball { limits } => walk_limits(limits, has(LIMITS), tape),
        JointKind::Hinge { limits } => tape.array(limits),
        JointKind::Fixed => {}
        JointKind::Distance { least, most } => [least, most].into_iter().for_each(|x| tape.number(x)),
        JointKind::Arc(arc) => {
            [&mut arc.length, &mut arc.twist, &mut arc.viscosity].into_iter().for_each(|x| tape.number(x));
            tape.array(&mut arc.bend);
            tape.array(&mut arc.rest);
            optional(&mut arc.relaxation, has(RELAXATION), [0.0; 2], |r| tape.array(r));
            walk_limits(&mut arc.limits, has(LIMITS), tape);
        }
    }
    optional(&mut d.motor, has(DRIVEN), MotorDesc::default(), |m| {
        [&mut m.stiffness, &mut m.damping, &mut m.speed].into_iter().for_each(|v| tape.array(v));
        tape.array(&mut m.target);
        tape.number(&mut m.max_torque);
    });
    d.collide = has(COLLIDE);
    word
}

impl World {
    fn sets(&self) -> impl Iterator<Item = (Id, &dyn Composite)> {
        self.composites.iter().filter_map(|(id, set)| set.as_deref().map(|set| (id, set)))
    }

    /// Joints of composites that are there, in order.
    fn composite_joints(&self) -> impl Iterator<Item = (Id, &Joint)> {
        let all = self.sets().flat_map(|(_, set)| (0..set.most_joints()).filter_map(|k| set.nth_joint(k)));
        all.filter_map(|id| self.joint(id).ok().map(|j| (id, j)))
    }

    /// What tells composites of another world apart.
    pub(super) fn composite_shape(&self, mut mix: impl FnMut(usize)) {
        for (id, set) in self.sets() {
            mix(id.index as usize);
            set.shape(self, &mut mix);
        }
    }

    pub(super) fn composite_bytes(&self) -> usize {
        let mut all = Measure(0);
        self.save_composites(&mut all);
        all.0
    }

    pub(super) fn save_composites(&self, tape: &mut impl Tape) {
        for (_, j) in self.composite_joints() {
            walk_joint(&mut j.desc.clone(), &mut { j.length }, tape);
        }
        self.sets().for_each(|(_, set)| set.save(tape));
    }

    /// Whether these bytes, the composites' part of a state, hold joints that there may be.
    pub(super) fn check_composites(&self, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader { bytes };
        for (_, j) in self.composite_joints() {
            let (mut desc, mut length) = (j.desc.clone(), j.length);
            let word = walk_joint(&mut desc, &mut length, &mut reader);
            if word != word_of(&desc) {
                return Err(Error::invalid(format!("the state has a ragdoll's joint of the unknown kind {word:#x}")));
            }
            let named = |e: Error| Error::new(e.kind, format!("the state has a ragdoll's joint whose {}", e.message));
            check(&desc).map_err(named)?;
            if matches!(desc.kind, JointKind::Arc(_)) {
                validate::within("length", length, validate::REST_LENGTH).map_err(named)?;
            }
        }
        Ok(())
    }

    /// The same way back, of bytes that have been checked. The joints' impulses come after it.
    pub(super) fn restore_composites(&mut self, tape: &mut impl Tape) {
        for slot in 0..self.composites.slots() {
            let mut k = 0;
            // The set is looked up anew each time: joints of the world change on the way.
            while let Some(set) = self.composites.at(slot).and_then(|(_, set)| set.as_deref())
                && k < set.most_joints()
            {
                let id = set.nth_joint(k);
                k += 1;
                if let Some((id, j)) = id.and_then(|id| self.joint(id).ok().map(|j| (id, j))) {
                    let (mut desc, mut length) = (j.desc.clone(), j.length);
                    walk_joint(&mut desc, &mut length, tape);
                    let joint = Joint { enabled: j.enabled, ..Joint::of(desc, length) };
                    self.put_joint(id, joint, Keep::Nothing);
                }
            }
        }
        self.composites.iter_mut().filter_map(|(_, set)| set.as_deref_mut()).for_each(|set| set.restore(tape));
    }
}
