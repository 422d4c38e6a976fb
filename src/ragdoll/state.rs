//! What a world's saved states hold of a set: what instances keep from their transitions, and their weights.

use super::read_back::Fade;
use super::set::RagdollSet;
use super::transition::Kept;
use crate::math::{Quat, Transform};
use crate::world::{Composite, Id, Tape, World};

fn place(tape: &mut impl Tape, t: &mut Transform<f64>) {
    tape.vector(&mut t.position);
    rotation(tape, &mut t.rotation);
}

fn rotation(tape: &mut impl Tape, q: &mut Quat<f64>) {
    for x in [&mut q.x, &mut q.y, &mut q.z, &mut q.w] {
        tape.number(x);
    }
}

impl Kept {
    fn walk(&mut self, tape: &mut impl Tape) {
        self.frames.iter_mut().for_each(|t| place(tape, t));
        tape.number(&mut self.length);
        rotation(tape, &mut self.between);
    }
}

impl Fade {
    fn walk(&mut self, tape: &mut impl Tape) {
        for x in [&mut self.weight, &mut self.target, &mut self.rate] {
            tape.number(x);
        }
    }
}

impl Composite for RagdollSet {
    fn shape(&self, world: &World, mix: &mut dyn FnMut(usize)) {
        let r = &*self.ragdoll;
        let sizes = [self.count(), r.bones(), r.parts.len(), r.links.len(), r.regions.len(), r.inner];
        sizes.into_iter().chain(self.alive.iter().map(|&a| usize::from(a))).for_each(&mut *mix);
        let there = |id: Id, is: bool| if is { id.index as usize + 1 } else { 0 };
        for i in self.instances() {
            let (bodies, joints) = self.slots_of(i);
            bodies.iter().for_each(|&id| mix(there(id, world.body(id).is_ok())));
            joints.iter().for_each(|&id| mix(there(id, world.joint(id).is_ok())));
        }
    }

    /// Joint k of all instances together: `None` past the last, and of an instance that has no bodies.
    fn nth_joint(&self, k: usize) -> Option<Id> {
        let instance = k.checked_div(self.ragdoll.links.len())?;
        if *self.alive.get(instance)? { self.joints.get(k).copied() } else { None }
    }
    fn most_joints(&self) -> usize {
        self.joints.len()
    }

    fn save(&self, mut tape: &mut dyn Tape) {
        let tape = &mut tape;
        for i in self.instances() {
            let [bones, inner, regions] = self.spans(i);
            self.kept[bones].iter().for_each(|&t| place(tape, &mut { t }));
            self.share[inner].iter().for_each(|&s| tape.array(&mut { s }));
            self.arcs[regions].iter().for_each(|&k| { k }.walk(tape));
            { self.fades[i] }.walk(tape);
        }
    }

    fn restore(&mut self, mut tape: &mut dyn Tape) {
        let tape = &mut tape;
        for i in 0..self.count() {
            if self.alive[i] {
                let [bones, inner, regions] = self.spans(i);
                self.kept[bones].iter_mut().for_each(|t| place(tape, t));
                self.share[inner].iter_mut().for_each(|s| tape.array(s));
                self.arcs[regions].iter_mut().for_each(|k| k.walk(tape));
                self.fades[i].walk(tape);
            }
        }
    }

    fn memory_bytes(&self) -> u64 {
        ((self.bodies.len() + self.joints.len()) * size_of::<Id>()
            + (self.kept.len() + self.simulated.len()) * size_of::<Transform<f64>>()
            + self.share.len() * size_of::<[f64; 2]>()
            + self.arcs.len() * size_of::<Kept>()
            + self.count() * (2 + size_of::<Fade>())
            + size_of::<RagdollSet>()) as u64
    }
}

impl RagdollSet {
    /// Those that have bodies.
    fn instances(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&i| self.alive[i])
    }

    fn slots_of(&self, instance: usize) -> (&[Id], &[Id]) {
        let (parts, links) = (self.ragdoll.parts.len(), self.ragdoll.links.len());
        (&self.bodies[instance * parts..][..parts], &self.joints[instance * links..][..links])
    }

    /// Where its bones, its inner bones and its regions are.
    fn spans(&self, instance: usize) -> [core::ops::Range<usize>; 3] {
        let r = &*self.ragdoll;
        [r.bones(), r.inner, r.regions.len()].map(|n| instance * n..(instance + 1) * n)
    }
}
