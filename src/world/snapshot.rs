//! Saved states: everything that steps change, and nothing that the host described. A timeline's frame, a rollback.

use super::cable::{CABLE_STATE, set_state, state_of};
use super::coupling::Attachment;
use super::world::World;
use crate::couple::Pressed;
use crate::desc::error::{Error, Result};
use crate::desc::{Integrator, Muscle};
use crate::layout::{MAX_LANES, state};
use crate::math::{Elem, Vec3};
use crate::strands::Data;

/// Format of the bytes. A state is for the world that saved it (or one made by the same calls), in the same library version.
const MAGIC: u64 = 0x7769_7468_7901_0010;

/// Magic, shape, checksum, and how many there are of what is at the end: cut edges, contacts of rods, pairs and contacts of bodies.
const HEAD: usize = 56;
/// Of a cut edge.
const CUT: usize = 8;
/// Of a contact of rods.
const PRESSED: usize = 56;
/// Where the checksum is.
const SUM: usize = 16;

/// FNV-1a over words of eight bytes: a damaged state must not become the world's. Four sums side by side, as one waits for a
/// multiplication with each word.
fn checksum(body: &[u8]) -> u64 {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &b| bits << 8 | b as u64);
    let mix = |hash: u64, x: u64| (hash ^ x).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    let (fours, rest) = body.as_chunks::<32>();
    let mut sums = [MAGIC, MAGIC + 1, MAGIC + 2, MAGIC + 3];
    for four in fours {
        for (sum, &w) in sums.iter_mut().zip(four.as_chunks::<8>().0) {
            *sum = mix(*sum, u64::from_le_bytes(w));
        }
    }
    let (words, rest) = rest.as_chunks::<8>();
    let last = words.iter().map(|&w| u64::from_le_bytes(w));
    mix(sums.into_iter().chain(last).fold(MAGIC, mix), word(rest))
}

/// Reads or writes the same fields in the same order, so that the two cannot disagree.
pub(crate) trait Tape {
    fn word(&mut self, value: &mut u64) {
        self.bits(value, 8);
    }
    /// The low `size` bytes of a number.
    fn bits(&mut self, value: &mut u64, size: usize);
    fn number<E: Elem>(&mut self, value: &mut E)
    where
        Self: Sized,
    {
        let mut bits = value.bits();
        self.bits(&mut bits, size_of::<E>());
        *value = E::from_bits(bits);
    }
    /// As `number` of each.
    fn numbers<E: Elem>(&mut self, values: &mut [E])
    where
        Self: Sized,
    {
        values.iter_mut().for_each(|x| self.number(x));
    }
    fn vector(&mut self, v: &mut Vec3<f64>)
    where
        Self: Sized,
    {
        self.number(&mut v.x);
        self.number(&mut v.y);
        self.number(&mut v.z);
    }
    fn array(&mut self, v: &mut [f64])
    where
        Self: Sized,
    {
        v.iter_mut().for_each(|x| self.number(x));
    }
}

impl Tape for &mut dyn Tape {
    fn bits(&mut self, value: &mut u64, size: usize) {
        (**self).bits(value, size);
    }
}

pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
}

impl Tape for Reader<'_> {
    fn bits(&mut self, value: &mut u64, size: usize) {
        let (head, rest) = self.bytes.split_at(size);
        *value = head.iter().rev().fold(0, |bits, &b| bits << 8 | u64::from(b));
        self.bytes = rest;
    }
    fn numbers<E: Elem>(&mut self, values: &mut [E]) {
        let (head, rest) = self.bytes.split_at(size_of_val(values));
        for (x, bytes) in values.iter_mut().zip(head.chunks_exact(size_of::<E>())) {
            let mut bits = [0; 8];
            bits[..size_of::<E>()].copy_from_slice(bytes);
            *x = E::from_bits(u64::from_le_bytes(bits));
        }
        self.bytes = rest;
    }
}
/// The writer sees shared data, so it walks on its own; `layout_of_state_is_the_same_both_ways` compares it with `walk`.
struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
}
impl Tape for Writer<'_> {
    fn bits(&mut self, value: &mut u64, size: usize) {
        self.put(&value.to_le_bytes()[..size]);
    }
}
impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
    fn scalar<E: Elem>(&mut self, value: E) {
        self.put(&value.bits().to_le_bytes()[..size_of::<E>()]);
    }
    fn scalars<E: Elem>(&mut self, values: &[E]) {
        let end = self.at + size_of_val(values);
        for (bytes, x) in self.out[self.at..end].chunks_exact_mut(size_of::<E>()).zip(values) {
            bytes.copy_from_slice(&x.bits().to_le_bytes()[..size_of::<E>()]);
        }
        self.at = end;
    }
    fn point(&mut self, v: Vec3<f64>) {
        v.to_array().into_iter().for_each(|c| self.scalar(c));
    }
}

impl World {
    /// Numbers that tell a state of another world apart: objects and their sizes.
    fn shape(&self) -> u64 {
        let mut hash = MAGIC;
        let mut mix = |x: usize| hash = (hash ^ x as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        mix(self.desc.double_precision as usize);
        for (id, r) in self.rods.iter() {
            [id.index as usize, r.vertex_count(), r.strand_count(), r.pins.len()].into_iter().for_each(&mut mix);
            [r.desc.root as usize, r.desc.tip as usize, r.desc.self_contact as usize].into_iter().for_each(&mut mix);
            if r.desc.keeps_volume() {
                mix(1);
            }
            match r.desc.muscle {
                Some(Muscle::RestShape { .. }) => mix(2),
                Some(Muscle::Hill(_)) => mix(3),
                None => {}
            }
            if r.integrator() == Integrator::Second {
                mix(1 << 20);
            }
            if r.is_bundled() {
                mix(4 + r.desc.strands_per_bundle as usize);
            }
            r.counts().iter().for_each(|&n| mix(n as usize));
            r.layout.places.iter().for_each(|p| mix(p.block as usize * MAX_LANES + p.lane as usize));
            r.pins.iter().for_each(|p| [p.block, p.lane, p.vertex].into_iter().for_each(|x| mix(x as usize)));
        }
        for (id, _) in self.colliders.iter() {
            mix(id.index as usize);
        }
        for (id, m) in self.meshes.iter() {
            [id.index as usize, m.x.len()].into_iter().for_each(&mut mix);
        }
        for (id, a) in self.attachments.iter() {
            let junction = matches!(a, Attachment::Junction { .. });
            [id.index as usize, junction as usize, a.ends().len()].into_iter().for_each(&mut mix);
            mix(a.body().map_or(0, |id| id.index as usize + 1));
            for e in a.ends() {
                [e.rods.index, e.end.strand, e.end.tip as u32].into_iter().for_each(|x| mix(x as usize));
            }
        }
        for (id, c) in self.cables.iter() {
            mix(id.index as usize);
            c.spots.iter().for_each(|s| mix(s.body as usize));
        }
        self.composite_shape(&mut mix);
        self.rigid_shape(mix);
        hash
    }

    /// Bytes of a saved state.
    fn state_bytes(&self) -> usize {
        self.fixed_bytes()
            + self.cuts() * CUT
            + self.rod_contacts.pressed().len() * PRESSED
            + self.rigid_contact_bytes(self.rigid_contacts()).unwrap_or(0)
    }

    /// Cut edges of all rods.
    fn cuts(&self) -> usize {
        self.rods.iter().map(|(_, r)| r.material.cuts.len()).sum()
    }

    /// Those that do not depend on what touches, or is cut.
    fn fixed_bytes(&self) -> usize {
        let poses = self.colliders.len() * 2 * 7 * 8;
        let rods: usize = self
            .rods
            .iter()
            .map(|(_, r)| {
                let states = r.layout.cells * (state::ROWS + r.second_rows() + r.volume_rows());
                let numbers = match &r.data {
                    Data::F32(b) => (states + b.active.len() + b.supports[0].len() + b.supports[1].len()) * 4,
                    Data::F64(b) => (states + b.active.len() + b.supports[0].len() + b.supports[1].len()) * 8,
                };
                numbers + r.rest_bytes() + (1 + r.pins.len() * 6 + r.may_be_covered()) * 8
            })
            .sum();
        let meshes: usize = self.meshes.iter().map(|(_, m)| m.x.len() * 5 * 24).sum();
        let bodies = self.attachments.iter().filter(|(_, a)| matches!(a, Attachment::Junction { .. })).count();
        let ends: usize = self.attachments.iter().map(|(_, a)| a.ends().len() * 24).sum();
        let cables = self.cables.len() * CABLE_STATE * 8;
        HEAD + poses + rods + meshes + cables + bodies * (6 * 24 + 8) + ends + self.composite_bytes() + self.rigid_bytes()
    }

    /// Writes the state. An empty `out` only asks for its size.
    pub fn save_state(&self, out: &mut [u8]) -> Result<usize> {
        let size = self.state_bytes();
        if out.is_empty() {
            return Ok(size);
        }
        if out.len() < size {
            return Err(Error::invalid(format!("the buffer holds {} bytes, the state needs {size}", out.len())));
        }
        let mut w = Writer { out, at: 0 };
        w.put(&MAGIC.to_le_bytes());
        w.put(&self.shape().to_le_bytes());
        w.put(&[0; 8]);
        let (counts, around) = (self.rigid_contacts(), self.around_rods());
        w.put(&(self.cuts() as u64).to_le_bytes());
        w.put(&(self.rod_contacts.pressed().len() as u64).to_le_bytes());
        counts.into_iter().for_each(|n| w.put(&n.to_le_bytes()));
        for (_, c) in self.colliders.iter() {
            for pose in [c.from, c.to] {
                pose.position.into_iter().chain(pose.rotation).for_each(|x| w.scalar(x));
            }
        }
        for (_, r) in self.rods.iter() {
            match &r.data {
                Data::F32(b) => {
                    let here = [&b.state, &b.second, &b.scales, &b.swept];
                    let [state, second, scales, swept] = r.gpu.as_ref().map_or(here, |g| g.rows().each_ref());
                    let all = [state, scales, swept, &b.active, second, &b.supports[0], &b.supports[1]];
                    all.into_iter().for_each(|a| w.scalars(a))
                }
                Data::F64(b) => {
                    let all = [&b.state, &b.scales, &b.swept, &b.active, &b.second, &b.supports[0], &b.supports[1]];
                    all.into_iter().for_each(|a| w.scalars(a))
                }
            }
            w.scalar(r.last_h);
            r.each_rest(around, self.scene_changed, |bits, size| w.put(&bits.to_le_bytes()[..size]));
            for s in 0..r.may_be_covered() {
                w.put(&u64::from(r.covered(s)).to_le_bytes());
            }
            for p in &r.pins {
                p.from.into_iter().chain(p.to).for_each(|x| w.scalar(x));
            }
        }
        for (_, m) in self.meshes.iter() {
            m.moving().into_iter().flatten().for_each(|&v| w.point(v));
        }
        for (_, a) in self.attachments.iter() {
            if let Attachment::Junction { body, .. } = a {
                body.x.into_iter().chain(body.u).for_each(|v| w.point(v));
                w.scalar(body.fall);
            }
            a.loads().for_each(|v| w.point(v));
        }
        for (_, c) in self.cables.iter() {
            state_of(c).into_iter().for_each(|x| w.scalar(x));
        }
        self.save_composites(&mut w);
        for (id, r) in self.rods.iter() {
            for cut in &r.material.cuts {
                w.put(&id.index.to_le_bytes());
                w.put(&cut.to_le_bytes());
            }
        }
        for p in self.rod_contacts.pressed() {
            w.put(&p.edges[0].to_le_bytes());
            w.put(&p.edges[1].to_le_bytes());
            w.put(&u64::from(p.point).to_le_bytes());
            p.share.into_iter().for_each(|x| w.scalar(x));
            w.point(p.force);
        }
        self.save_rigid(&mut w);
        debug_assert_eq!(w.at, size);
        let sum = checksum(&out[SUM + 8..size]);
        out[SUM..SUM + 8].copy_from_slice(&sum.to_le_bytes());
        Ok(size)
    }

    /// Everything that a state holds, in the order of `save_state`, with so many cut edges and contacts of rods.
    fn walk(&mut self, tape: &mut impl Tape, [cut, pressed]: [usize; 2]) {
        let around = self.around_rods();
        let substeps = f64::from(self.desc.substeps);
        for (_, c) in self.colliders.iter_mut() {
            for pose in [&mut c.from, &mut c.to] {
                tape.array(&mut pose.position);
                tape.array(&mut pose.rotation);
            }
        }
        for (_, r) in self.rods.iter_mut() {
            match &mut r.data {
                Data::F32(b) => {
                    let here = [&mut b.state, &mut b.second, &mut b.scales, &mut b.swept];
                    let [state, second, scales, swept] = r.gpu.as_mut().map_or(here, |g| g.state_mut());
                    let [root, tip] = &mut b.supports;
                    let all = [state, scales, swept, &mut b.active, second, root, tip];
                    all.into_iter().for_each(|a| tape.numbers(a));
                }
                Data::F64(b) => {
                    let [root, tip] = &mut b.supports;
                    let all = [&mut b.state, &mut b.scales, &mut b.swept, &mut b.active, &mut b.second, root, tip];
                    all.into_iter().for_each(|a| tape.numbers(a));
                }
            }
            tape.number(&mut r.last_h);
            r.walk_rest(around, tape);
            self.scene_changed = false;
            r.last_step = r.last_h * substeps;
            r.changed(|c| (c.supports, c.pins) = (true, true));
            for s in 0..r.may_be_covered() {
                let mut covered = u64::from(r.covered(s));
                tape.word(&mut covered);
                r.set_covered(s, u32::try_from(covered).unwrap_or(0));
            }
            for p in &mut r.pins {
                tape.array(&mut p.from);
                tape.array(&mut p.to);
            }
        }
        for (_, m) in self.meshes.iter_mut() {
            m.moving_mut().into_iter().flatten().for_each(|v| tape.vector(v));
        }
        for (_, a) in self.attachments.iter_mut() {
            if let Attachment::Junction { body, .. } = a {
                body.x.iter_mut().chain(&mut body.u).for_each(|v| tape.vector(v));
                tape.number(&mut body.fall);
            }
            a.loads_mut().for_each(|v| tape.vector(v));
        }
        for (_, c) in self.cables.iter_mut() {
            let mut state = state_of(c);
            tape.array(&mut state);
            set_state(c, state);
        }
        self.restore_composites(tape);
        let cuts: Vec<[u32; 2]> = (0..cut)
            .map(|_| {
                let mut word = 0;
                tape.word(&mut word);
                [word as u32, (word >> 32) as u32]
            })
            .collect();
        for (id, r) in self.rods.iter_mut() {
            r.restore_cuts(cuts.iter().filter(|c| c[0] == id.index).map(|c| c[1]).collect());
        }
        self.list_touching();
        for p in self.rod_contacts.pressed_mut(pressed) {
            let (mut edges, mut point) = (0, 0);
            tape.word(&mut edges);
            tape.word(&mut point);
            *p = Pressed { edges: [edges as u32, (edges >> 32) as u32], point: point as u32, ..Pressed::default() };
            tape.array(&mut p.share);
            tape.vector(&mut p.force);
        }
        self.load_pressed();
        self.note_held_parts();
        self.restore_rigid(tape);
    }

    /// Takes back a state that this world saved.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        let size = self.fixed_bytes();
        if bytes.len() < size {
            return Err(Error::invalid(format!("size is {}, a state of this world has at least {size} bytes", bytes.len())));
        }
        let mut reader = Reader { bytes };
        let (mut magic, mut shape, mut sum, mut cuts, mut pressed, mut counts) = (0, 0, 0, 0, 0, [0; 2]);
        [&mut magic, &mut shape, &mut sum].into_iter().for_each(|word| reader.word(word));
        if magic != MAGIC {
            return Err(Error::invalid(format!(
                "the state begins with {magic:#x}, must begin with {MAGIC:#x} (another version?)"
            )));
        }
        if shape != self.shape() {
            let ragdolls =
                if self.composites.is_empty() { "" } else { ", or ragdolls of other instances, or made in another order" };
            return Err(Error::invalid(format!(
                "the state is of a world with other objects, or with rods that were made in another pose{ragdolls}"
            )));
        }
        let found = checksum(reader.bytes);
        if sum != found {
            return Err(Error::invalid(format!("the state is damaged: its checksum is {found:#x}, was {sum:#x} when saved")));
        }
        reader.word(&mut cuts);
        reader.word(&mut pressed);
        counts.iter_mut().for_each(|word| reader.word(word));
        let many = |n: u64, each: usize| usize::try_from(n).ok().and_then(|n| n.checked_mul(each));
        let listed = many(cuts, CUT).zip(many(pressed, PRESSED)).and_then(|(a, b)| a.checked_add(b));
        let size = listed.and_then(|n| n.checked_add(size)).unwrap_or(usize::MAX);
        let contacts = self.rigid_contact_bytes(counts).and_then(|n| n.checked_add(size));
        if contacts != Some(bytes.len()) {
            return Err(Error::invalid(format!("size is {}, not that of a state with {} contacts", bytes.len(), counts[1])));
        }
        let composites = size - self.rigid_bytes() - pressed as usize * PRESSED - cuts as usize * CUT;
        self.check_composites(&bytes[composites - self.composite_bytes()..composites])?;
        self.list_shapes();
        if !self.rigid_fits(counts, &bytes[size..]) {
            return Err(Error::invalid("the state is of a world with other shapes, or there is no memory for its contacts"));
        }
        self.walk(&mut reader, [cuts as usize, pressed as usize]);
        self.restore_contacts(counts, &mut reader);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::*;

    use crate::world::body_state::Measure;

    fn world() -> World {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let positions = (0..8).map(|i| [0.1 * (i % 4) as f64, 1.0, 0.2 * (i / 4) as f64]).collect();
        let rods =
            w.add_rods(RodsDesc { positions, counts: vec![4, 4], root: EndSupport::Clamped, ..RodsDesc::default() }).unwrap();
        let other = RodsDesc {
            positions: vec![[0.3, 1.0, 0.0], [0.4, 1.0, 0.0], [0.5, 1.0, 0.0]],
            counts: vec![3],
            ..RodsDesc::default()
        };
        let other = w.add_rods(other).unwrap();
        w.rods_mut(rods).unwrap().set_pin(7, Some([0.3, 1.0, 0.2]), false).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        w.add_junction(&[(rods, StrandEnd { strand: 0, tip: true }), (other, StrandEnd { strand: 0, tip: false })], 0.02, 1e-3)
            .unwrap();
        w
    }

    #[test]
    fn layout_of_state_is_the_same_both_ways() {
        let mut w = world();
        let mut measure = Measure(HEAD);
        w.walk(&mut measure, [0; 2]);
        assert_eq!(measure.0, w.state_bytes());
    }

    #[test]
    fn a_restored_world_goes_on_with_the_same_bits() {
        let mut w = world();
        let step = |w: &mut World, n: u32| (0..n).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        step(&mut w, 5);
        let mut saved = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut saved).unwrap();
        step(&mut w, 10);
        let once = w.state_hash();
        w.restore_state(&saved).unwrap();
        assert_ne!(w.state_hash(), once);
        step(&mut w, 10);
        assert_eq!(w.state_hash(), once);
        for byte in [0, 9, 17, HEAD, saved.len() - 1] {
            saved[byte] ^= 1;
            assert!(w.restore_state(&saved).is_err(), "byte {byte}");
            saved[byte] ^= 1;
        }
        assert_eq!(w.state_hash(), once);
    }

    #[test]
    fn tensions_come_back_with_the_substep_that_they_belong_to() {
        let mut w = world();
        let id = w.rods.iter().next().unwrap().0;
        let tension = |w: &World| {
            let mut all = Vec::new();
            w.rods(id).unwrap().read_forces(|_, t| all.push(t));
            all
        };
        w.step(1.0 / 60.0, &Inline).unwrap();
        let (before, mut saved) = (tension(&w), vec![0; w.save_state(&mut []).unwrap()]);
        w.save_state(&mut saved).unwrap();
        w.step(1.0 / 30.0, &Inline).unwrap();
        w.restore_state(&saved).unwrap();
        assert_eq!(tension(&w), before);
    }

    #[test]
    fn another_pinned_vertex_is_another_world() {
        let mut w = world();
        let id = w.rods.iter().next().unwrap().0;
        let mut saved = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut saved).unwrap();
        w.rods_mut(id).unwrap().set_pin(7, None, false).unwrap();
        assert!(w.restore_state(&saved).is_err());
        w.rods_mut(id).unwrap().set_pin(6, Some([0.2, 1.0, 0.2]), false).unwrap();
        assert!(w.restore_state(&saved).unwrap_err().message.contains("other objects"));
    }
}
