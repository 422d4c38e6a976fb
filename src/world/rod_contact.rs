//! Rods that touch rods, and bodies that Newton's method has them push, in a world: what `couple` is told of strands and bodies, and what these
//! answer (`docs/internals/contact.md`).
//!
//! ```text
//! step       list_touching     which rods touch others at all; what overlapped when they were made may go on doing so
//! iteration  look at the ways that the strands have found for themselves; find the forces between them, and on bodies
//! ```

use super::coupling::Attachment;
use super::dynamics::rigid;
use super::rod_relax::Section;
use super::ties::Coupled;
use super::world::World;
use crate::couple::{Allowance, Holder, Near, Press, Pressed, Relax, RodVertex, Set, Strands, Strength, Touch};
use crate::desc::error::Result;
use crate::desc::slots::{Id, Slots};
use crate::desc::{StrandEnd, SweepOrder};
use crate::layout::{contact, param, state};
use crate::math::{Elem, Vec3};
use crate::rods::material::COVERED;
use crate::stages::{At, Stage};
use crate::strands::{Rods, with};
use crate::tasks::Inline;

/// Looks at the ways of the strands in an iteration: what one contact pushes may come into another.
const LOOKS: usize = 8;
/// Iterations of the forces after each look.
const ITERATIONS: usize = 20;
/// Of the thinnest radius, what may be left of a gap or a slip in a substep.
const LEFT: f64 = 1e-3;
/// The same, beyond which it goes on.
const MOST_LEFT: f64 = 0.05;
/// Times that what still passes is held back.
pub(super) const STOPS: usize = 4;
/// Newton steps of a substep with a net that find forces between rods anew, at its beginning; those between have them as loads, and the last finds what passes
/// in spite of them. What each step found and what the net closed after it went against each other else: a crumpled net flew apart.
const NET_PRESSES: usize = 2;
/// Of its radius, how near a vertex is to a body that is in contact with it, and how deep it comes in before it gets a contact that it had not.
const AT_BODY: f64 = 0.1;
const IN_BODY: f64 = 0.01;
/// Of the way to where two strands come into each other, how much both go then.
pub(super) const SHORT: f64 = 0.8;

pub(super) fn three<E: Elem>(rows: &[E], at: usize, width: usize) -> Vec3<f64> {
    Vec3 { x: rows[at].to_f64(), y: rows[at + width].to_f64(), z: rows[at + 2 * width].to_f64() }
}

/// Sets rows of all vertices to zero; `touched`: of the blocks that have touched lanes.
fn clear(rods: &mut Rods, rows: core::ops::Range<usize>, touched: bool) {
    let blocks = rods.layout.blocks.iter().zip(&rods.touched);
    with!(&mut rods.data, b => {
        for (block, _) in blocks.filter(|b| *b.1 != 0 || !touched) {
            for v in 0..block.vertices {
                let at = (block.offset + v * block.width) * contact::ROWS;
                b.contact[at + rows.start * block.width..at + rows.end * block.width].fill(Elem::from_f64(0.0));
            }
        }
    });
}

/// Where a vertex is in the buffers of its rods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) rods: u32,
    /// Number of the first lane of its row, its lane, and the lanes of a row.
    at: u32,
    lane: u32,
    pub(super) width: u32,
    block: u32,
    /// Of a strand, the last.
    pub(super) last: bool,
}

impl Cell {
    /// The vertex and the ghost point of the edge after it go a part of their ways.
    pub(super) fn go_a_part<E: Elem>(&self, states: &mut [E], part: f64) {
        for row in (state::U..state::U + 3).chain(state::GU..state::GU + 3) {
            let u = &mut states[self.index(state::ROWS, row)];
            *u = Elem::from_f64(u.to_f64() * part);
        }
    }

    pub(super) fn index(&self, rows: usize, field: usize) -> usize {
        self.at as usize * rows + field * self.width as usize + self.lane as usize
    }
}

/// All rods that touch rods, then the others that push bodies, and where they do.
#[derive(Debug, Default)]
pub(super) struct RodContacts {
    pub(super) listed: Vec<Id>,
    /// Which of them do so in the step under way.
    pub(super) active: Vec<bool>,
    pub(super) cells: Vec<Cell>,
    pub(super) strands: Strands,
    pub(super) allowed: Vec<Allowance>,
    pub(super) near: Near,
    /// Cuts of all sets, by how often they changed.
    cut: Vec<u32>,
    /// Ends that something holds, by part of a strand and end (true: the tip).
    held: Vec<(u32, bool, Holder)>,
    /// Looks so far: of one iteration of a substep all are one.
    pub(super) when: u32,
    pub(super) press: Press,
    /// Where all that touches rods is swept, in place of that.
    pub(super) relax: Relax,
    pub(super) relaxes: bool,
    pub(super) sections: Vec<Section>,
    /// What each strand goes of its way, where some are held back.
    pub(super) parts: Vec<f64>,
    /// Contacts that pressed in the last substep.
    pub count: u32,
    /// Times that strands were asked for their answers in the step.
    products: u32,
}

impl RodContacts {
    pub fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.active.capacity()
            + self.parts.capacity() * 8
            + self.held.capacity() * size_of::<(u32, bool, Holder)>()
            + self.strands.memory_bytes()
            + self.allowed.capacity() * size_of::<Allowance>()
            + self.near.memory_bytes()
            + self.press.memory_bytes()
            + self.relax.memory_bytes()
            + self.sections.capacity() * size_of::<Section>()
    }

    /// What the contacts were pressed with in the last substep.
    pub fn pressed(&self) -> &[Pressed] {
        &self.press.before
    }
    /// Room for so many, to be written.
    pub fn pressed_mut(&mut self, count: usize) -> &mut [Pressed] {
        self.press.before.clear();
        self.press.before.resize(count, Pressed::default());
        &mut self.press.before
    }

    /// Adds a set, in the order of its vertices.
    fn add(&mut self, number: u32, rods: &Rods) {
        let first = self.cells.len() as u32;
        let d = &rods.desc;
        let (category, mask, friction) = (d.category, d.mask, d.friction);
        if self.strands.starts.is_empty() {
            self.strands.starts.push(0);
        }
        self.strands.sets.push(Set { first_vertex: first, friction, category, mask });
        let per = d.strands_per_bundle as usize;
        let bundle = |s: usize| s.checked_div(per).map_or(0, |b| (u64::from(number) << 32) + b as u64 + 1);
        for (s, &count) in rods.counts().iter().enumerate() {
            let (place, mut arc) = (rods.layout.places[s], 0.0);
            let block = &rods.layout.blocks[place.block as usize];
            let of = rods.material_of(s);
            for v in 0..count {
                let cut = of.is_cut(v as usize);
                let at = (block.offset + v as usize * block.width) as u32;
                let cell = Cell {
                    rods: number,
                    at,
                    lane: place.lane,
                    width: block.width as u32,
                    block: place.block,
                    last: v + 1 == count,
                };
                let length = with!(&rods.data, b => b.params[cell.index(param::ROWS, param::LENGTH)].to_f64());
                self.cells.push(cell);
                self.strands.vertices.push(RodVertex {
                    x: Vec3::zero(),
                    done: Vec3::zero(),
                    u: Vec3::zero(),
                    to: Vec3::zero(),
                    radius: 0.0,
                    rest: 0.0,
                    swells: rods.keeps_volume(),
                    give: 0.0,
                    arc,
                    strand: self.strands.starts.len() as u32 - 1,
                    bundle: bundle(s),
                    loaded: rods.order() == SweepOrder::Direct,
                    edge: v + 1 < count && !cut,
                    asleep: false,
                });
                arc += length;
                // The parts of a strand that is cut are strands.
                if cut || v + 1 == count {
                    self.strands.starts.push(self.cells.len() as u32);
                }
            }
        }
        if d.self_contact {
            self.strands.paired = self.cells.len() as u32;
        }
        self.allowed.extend(rods.overlaps.iter().map(|&([a, b], by)| ([a + first, b + first], by)));
    }

    /// What holds the ends of the strands.
    fn list_holders(&mut self, rods: &Slots<Rods>, attachments: &Slots<Attachment>) {
        self.held.clear();
        for (k, &id) in self.listed.iter().enumerate() {
            let Ok(set) = rods.get(id) else { continue };
            let first = self.strands.sets[k].first_vertex;
            for (&(strand, tip), &tie) in &set.ties {
                if let Ok(a) = attachments.get(tie) {
                    let end = set.layout.starts[strand as usize + usize::from(tip)] - u32::from(tip);
                    self.held.push((self.strands.vertices[(first + end) as usize].strand, tip, a.holder(tie)));
                }
            }
        }
        let holders = &mut self.strands.holders;
        let known = holders.iter().flatten().flatten().count();
        let at = |(strand, tip, _): &(u32, bool, Holder)| holders.get(*strand as usize).and_then(|h| h[usize::from(*tip)]);
        if known == self.held.len() && self.held.iter().all(|held| at(held) == Some(held.2)) {
            return;
        }
        holders.clear();
        if !self.held.is_empty() {
            holders.resize(self.strands.starts.len() - 1, [None; 2]);
            self.held.iter().for_each(|&(strand, tip, holder)| holders[strand as usize][usize::from(tip)] = Some(holder));
        }
        self.near.forget();
    }

    /// Where the vertices of a set are and go.
    pub(super) fn read(&mut self, number: usize, rods: &Rods, h: f64) {
        let first = self.strands.sets[number].first_vertex as usize;
        let last = self.strands.sets.get(number + 1).map_or(self.cells.len(), |s| s.first_vertex as usize);
        let mut changed = false;
        if rods.rest.asleep && self.strands.vertices.get(first).is_some_and(|v| v.asleep) {
            return;
        }
        let (mut strand, mut vertex) = (0, 0);
        with!(&rods.data, b => {
            for (v, c) in self.strands.vertices[first..last].iter_mut().zip(&self.cells[first..last]) {
                let w = c.width as usize;
                v.asleep = rods.rest.asleep;
                v.x = three(&b.state, c.index(state::ROWS, state::X), w);
                v.u = three(&b.state, c.index(state::ROWS, state::U), w);
                if v.loaded {
                    (v.done, v.u) = (v.u, three(&b.contact, c.index(contact::ROWS, contact::OWN), w));
                    v.x = v.x + v.done;
                }
                if v.asleep {
                    (v.done, v.u) = (Vec3::zero(), Vec3::zero());
                    v.x = three(&b.state, c.index(state::ROWS, state::X), w);
                }
                v.to = v.u;
                let mut radius = rods.contact_radius(strand, vertex);
                (strand, vertex) = if c.last { (strand + 1, 0) } else { (strand, vertex + 1) };
                let mut rest = b.params[c.index(param::ROWS, param::RADIUS)].to_f64();
                for radius in [&mut radius, &mut rest] {
                    if *radius < 0.0 {
                        *radius *= 1.0 / COVERED;
                    }
                }
                changed |= rest != v.rest;
                (v.radius, v.rest) = (radius, rest);
                v.give = b.params[c.index(param::ROWS, param::W)].to_f64() * h * h;
            }
        });
        if changed && last <= self.strands.paired as usize {
            self.near.forget();
        }
    }

    /// The vertices of a set.
    fn set(&self, number: usize) -> &[RodVertex] {
        let sets = &self.strands.sets;
        let last = sets.get(number + 1).map_or(self.strands.vertices.len(), |s| s.first_vertex as usize);
        &self.strands.vertices[sets[number].first_vertex as usize..last]
    }

    /// How far along their strands the vertices of a set are.
    fn read_arcs(&mut self, number: usize, rods: &Rods) {
        let first = self.strands.sets[number].first_vertex as usize;
        let last = self.strands.sets.get(number + 1).map_or(self.cells.len(), |s| s.first_vertex as usize);
        let (mut arc, mut changed) = (0.0, false);
        with!(&rods.data, b => {
            for (v, c) in self.strands.vertices[first..last].iter_mut().zip(&self.cells[first..last]) {
                changed |= v.arc != arc;
                v.arc = arc;
                // As in `add`: past a cut, too.
                let last = c.last;
                arc = if last { 0.0 } else { arc + b.params[c.index(param::ROWS, param::LENGTH)].to_f64() };
            }
        });
        if changed {
            self.near.forget();
        }
    }

    /// Tells the strands what they were pressed with.
    fn put_loads(&self, rods: &mut Slots<Rods>, everywhere: bool) -> Result<()> {
        for (k, &id) in self.listed.iter().enumerate() {
            if everywhere || self.active[k] {
                clear(rods.get_mut(id)?, contact::LOAD..contact::LOAD + 3, false);
            }
        }
        for pressed in &self.press.before {
            pressed.loads(|v, f| {
                // A restored list may be anything.
                let Some(c) = self.cells.get(v as usize) else { return };
                let Ok(rods) = rods.get_mut(self.listed[c.rods as usize]) else { return };
                with!(&mut rods.data, b => {
                    for (k, f) in f.to_array().into_iter().enumerate() {
                        let to = &mut b.contact[c.index(contact::ROWS, contact::LOAD + k)];
                        *to = Elem::from_f64(to.to_f64() + f);
                    }
                });
            });
        }
        Ok(())
    }

    /// What part of their ways strands may go, at the look number `look`: in [`Self::parts`], if some are to be held back.
    fn find_stops(&mut self, look: usize) -> bool {
        let (parts, strands) = (&mut self.parts, self.strands.starts.len());
        parts.clear();
        self.press.stop(&self.strands, &mut self.near, &self.allowed, self.when, |strand, time| {
            parts.resize(strands, 1.0);
            let part = if look + 1 == STOPS { 0.0 } else { SHORT * time };
            parts[strand as usize] = parts[strand as usize].min(part);
        });
        !parts.is_empty()
    }

    /// Where contacts take the strands that are touched. A strand of a bundle takes all others along.
    fn read_answers(&mut self, rods: &Slots<Rods>) -> Result<()> {
        let strands = &mut self.strands;
        self.near.turned(strands, &self.press.touched);
        for (k, &id) in self.listed.iter().enumerate().filter(|(k, _)| self.active[*k]) {
            let rods = rods.get(id)?;
            if rods.rest.asleep {
                continue;
            }
            if rods.is_bundled() {
                self.near.forget_turned();
            }
            let first = strands.sets[k].first_vertex as usize;
            let last = strands.sets.get(k + 1).map_or(self.cells.len(), |s| s.first_vertex as usize);
            with!(&rods.data, b => {
                for (v, c) in strands.vertices[first..last].iter_mut().zip(&self.cells[first..last]) {
                    if rods.touched[c.block as usize] == 0 && !rods.is_bundled() {
                        continue;
                    }
                    let at = |k: usize| b.contact[c.index(contact::ROWS, contact::ANSWER + k)].to_f64();
                    v.to = v.u + Vec3 { x: at(0), y: at(1), z: at(2) };
                }
            });
        }
        Ok(())
    }
}

impl Rods {
    /// What overlaps where the rods are now.
    pub(super) fn find_overlaps(&mut self) {
        let mut alone = RodContacts::default();
        alone.add(0, self);
        if self.gpu.is_some() {
            let vertices = &mut alone.strands.vertices;
            self.read_positions(|i, p| vertices[i].x = p.into());
            let places = self.counts().iter().enumerate().flat_map(|(s, &n)| (0..n as usize).map(move |v| (s, v)));
            for (v, (strand, vertex)) in vertices.iter_mut().zip(places) {
                v.radius = self.contact_radius(strand, vertex);
            }
            self.overlaps = Near::overlaps(&alone.strands, &Inline);
            return;
        }
        alone.read(0, self, 0.0);
        for v in &mut alone.strands.vertices {
            // Between two steps displacements are velocities: nothing has been done yet.
            v.x = v.x - v.done;
            (v.done, v.u, v.to) = (Vec3::zero(), Vec3::zero(), Vec3::zero());
        }
        self.overlaps = Near::overlaps(&alone.strands, &Inline);
    }
}

/// What contact between rods took in the last step.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactWork {
    /// Pairs of edges that may meet, and contacts that press, in the last substep.
    pub pairs: u32,
    pub contacts: u32,
    /// How often all strands answered to all forces.
    pub products: u32,
}

impl World {
    /// For benches.
    pub fn contact_work(&self) -> ContactWork {
        let c = &self.rod_contacts;
        ContactWork { pairs: c.near.len() as u32, contacts: c.count, products: c.products }
    }

    /// Before the stages of a step.
    pub(super) fn list_touching(&mut self) {
        let relaxes = self.relaxes();
        let c = &mut self.rod_contacts;
        c.relaxes = relaxes;
        // Those that touch rods come first.
        let of = |touch: bool| {
            self.rods.iter().filter(move |(_, r)| r.can_be_pressed() && r.gpu.is_none() && r.desc.self_contact == touch)
        };
        let touching = || of(true).chain(of(false));
        (c.count, c.products) = (0, 0);
        c.list_holders(&self.rods, &self.attachments);
        let cuts = || touching().map(|(_, r)| r.cuts.changes.wrapping_add(r.layers_changed));
        let same = c.listed.iter().copied().eq(touching().map(|(id, _)| id));
        if same && c.cut.iter().copied().eq(cuts()) {
            for (k, (_, rods)) in touching().enumerate() {
                c.strands.sets[k].friction = rods.desc.friction;
                if rods.desc.self_contact {
                    c.read_arcs(k, rods);
                }
            }
        } else {
            // Forces name vertices by number. Cuts change no number, and rods that only push bodies none of those that touch rods.
            if !same {
                let kept = c.listed.iter().copied().take(of(true).count()).eq(of(true).map(|(id, _)| id));
                let paired: usize = of(true).map(|(_, r)| r.vertex_count()).sum();
                c.press.keep_below(if kept { paired as u32 } else { 0 });
            }
            c.listed.clear();
            c.cut.clear();
            c.cells.clear();
            c.allowed.clear();
            c.strands.clear();
            c.near.forget();
            for (k, (id, rods)) in touching().enumerate() {
                c.listed.push(id);
                c.cut.push(rods.cuts.changes.wrapping_add(rods.layers_changed));
                c.add(k as u32, rods);
            }
            c.list_holders(&self.rods, &self.attachments);
            self.load_pressed();
        }
        self.forget_far();
    }

    /// Which rods are pressed in this step. The others have no forces of contact.
    fn forget_far(&mut self) {
        let c = &mut self.rod_contacts;
        let pressed = |r: &Rods| r.is_pressed() || r.rest.asleep;
        c.active.clear();
        c.active.extend(c.listed.iter().map(|&id| self.rods.get(id).is_ok_and(pressed)));
        let (strands, active, known) = (&c.strands, &c.active, c.press.before.len());
        c.press.before.retain(|p| (p.edges[0] as usize) < strands.vertices.len() && active[strands.number_of(p.edges[0])]);
        if c.press.before.len() < known {
            self.load_pressed();
        }
    }

    /// Tells all strands what they were pressed with.
    pub(super) fn load_pressed(&mut self) {
        // All of these are there.
        let _ = self.rod_contacts.put_loads(&mut self.rods, true);
    }
}

/// What junctions hold together goes the same part of its way: a strand that is held back alone is off its anchors, and is carried after them
/// (`World::carry_lost`), through whatever held it back.
fn hold_nets_back(world: &mut World, strands: &Strands, listed: &[Id], parts: &mut [f64]) {
    let World { rods, attachments, .. } = world;
    let strand = |rods: &Slots<Rods>, id: Id, end: StrandEnd| {
        let (set, of) = (rods.get(id).ok()?, strands.sets.get(listed.iter().position(|&l| l == id)?)?);
        let at = set.layout.starts[end.strand as usize + usize::from(end.tip)] - u32::from(end.tip);
        Some(strands.vertices[(of.first_vertex + at) as usize].strand as usize)
    };
    loop {
        let mut goes_on = false;
        for (_, a) in attachments.iter().filter(|(_, a)| a.is_junction() && a.is_loose()) {
            let of = || a.ends().iter().filter_map(|e| strand(rods, e.rods, e.end));
            let least = of().fold(1.0, |least: f64, s| least.min(parts[s]));
            for s in of() {
                goes_on |= parts[s] > least;
                parts[s] = least;
            }
        }
        if !goes_on {
            break;
        }
    }
    for (_, a) in attachments.iter_mut().filter(|(_, a)| a.is_junction() && a.is_loose()) {
        let first = a.ends().iter().find_map(|e| strand(rods, e.rods, e.end));
        a.hold_back(first.map_or(1.0, |s| parts[s]));
    }
}

impl Coupled<'_> {
    /// Finds the forces between rods, for the ways that these have found for themselves.
    pub(super) fn press_rods(&mut self, h: f64, at: At) -> Result<()> {
        if self.world.rod_contacts.relaxes {
            return self.relax_rods(h, at);
        }
        if self.world.rod_contacts.listed.is_empty()
            || (self.loose && at.iteration >= NET_PRESSES && at.iteration + 1 < self.iterations)
        {
            return Ok(());
        }
        let mut c = core::mem::take(&mut self.world.rod_contacts);
        let done = self.press(&mut c, h, at);
        self.world.rod_contacts = c;
        done
    }

    fn press(&mut self, c: &mut RodContacts, h: f64, at: At) -> Result<()> {
        // What sleeps keeps its forces.
        if c.listed.iter().all(|&id| self.world.rods.get(id).is_ok_and(|r| r.rest.asleep || !r.is_pressed())) {
            return Ok(());
        }
        if at.first() {
            c.press.meet_bodies(self.world.held.iter().map(|body| body.resist(h)));
        }
        let (mut most, mut thin) = (f64::MAX, f64::MAX);
        for k in 0..c.listed.len() {
            if c.active[k] {
                let rods = self.world.rods.get(c.listed[k])?;
                most = most.min(2.0 * rods.reach.near);
                c.read(k, rods, h);
                thin = c.set(k).iter().map(|v| v.radius).fold(thin, f64::min);
            }
        }
        let strength = Strength { iterations: ITERATIONS, tolerance: LEFT * thin, bound: MOST_LEFT * thin, most };
        for (&id, _) in c.listed.iter().zip(&c.active).filter(|(_, active)| **active) {
            self.world.rods.get_mut(id)?.touched.fill(0);
        }
        c.strands.whole = self.loose;
        c.press.begin(&c.strands, at.first());
        c.near.begin(&c.strands);
        c.when = c.when.wrapping_add(1) % u32::MAX;
        let mut settled = false;
        for look in 0..LOOKS {
            c.near.look(&c.strands, self.runner);
            let mut found = c.press.find(&c.strands, &mut c.near, &c.allowed, c.when, &strength);
            found |= self.touch_bodies(c, look == 0, &strength);
            // At the first look there are loads of before to be taken back.
            if !found && (look > 0 || c.press.is_empty()) {
                settled = true;
                break;
            }
            for &v in &c.press.touched {
                let cell = c.cells[v as usize];
                self.world.rods.get_mut(c.listed[cell.rods as usize])?.touched[cell.block as usize] |= 1 << cell.lane;
            }
            if found {
                c.press.order();
                self.rods(Stage::Give, at)?;
            }
            if found && look == 0 {
                c.press.warm();
            }
            let rods = &self.world.rods;
            let (cells, listed) = (&c.cells, &c.listed);
            c.press.soften(|v| {
                let cell = &cells[v as usize];
                rods.get(listed[cell.rods as usize]).map_or([0.0; 6], |r| {
                    with!(&r.data, b => core::array::from_fn(|k| b.contact[cell.index(contact::ROWS, contact::GIVE + k)].to_f64()))
                })
            });
            let (mut result, mut products) = (Ok(()), 0);
            c.press.solve(&strength, |touched, loads, moves| {
                products += 1;
                if result.is_ok() {
                    result = self.answer(cells, listed, at, touched, loads, moves);
                }
            });
            result?;
            c.products += products;
            c.read_answers(&self.world.rods)?;
        }
        let held = &mut self.world.held;
        c.press.give_bodies(|body, force, moment| held[body].take(force * (h * h), moment * (h * h)));
        // Held back before, a strand of a net would not come to its anchors.
        if !self.loose || at.iteration + 1 == self.iterations {
            self.hold_back(c, settled)?;
        }
        c.press.keep(&c.strands);
        c.put_loads(&mut self.world.rods, false)?;
        c.count = c.press.before.len() as u32;
        Ok(())
    }

    /// Contacts of vertices with bodies: of those that are near one at the end of the substep, and, after the first look, of those that have
    /// come in. Tells whether there are new ones.
    fn touch_bodies(&mut self, c: &mut RodContacts, first: bool, strength: &Strength) -> bool {
        let mut touches = core::mem::take(&mut self.world.touches);
        let world = &*self.world;
        let World { rods, held, attachments, .. } = world;
        let (mut found, mut k) = (false, 0);
        for t in &mut touches.touches {
            // They come set by set.
            if c.listed.get(k) != Some(&t.rods) {
                k = c.listed.iter().position(|&id| id == t.rods).unwrap_or(usize::MAX);
            }
            let (Ok(set), Some(of)) = (rods.get(t.rods), c.strands.sets.get(k)) else { continue };
            let (strand, v) = (t.strand as usize, t.vertex as usize);
            if set.order() != SweepOrder::Direct || (t.pressed && !first) {
                continue;
            }
            t.pressed = false;
            // The net has those of its ends.
            let tip = v > 0;
            if self.loose
                && set.netted
                && (v == 0 || v + 1 == set.counts()[strand] as usize)
                && set.ties.get(&(t.strand, tip)).is_some_and(|&tie| attachments.get(tie).is_ok_and(|a| a.is_loose()))
            {
                continue;
            }
            let vertex = of.first_vertex + set.layout.starts[strand] + t.vertex;
            let (side, at) = (&touches.sides[t.side as usize], &c.strands.vertices[vertex as usize]);
            let body = &held[side.slot];
            let ([shift, turn], way) = (c.press.body_move(side.slot as u32), if first { at.u } else { at.to });
            let (place, radius, end) = (body.moved([shift, turn]), set.contact_radius(strand, v), at.x + way);
            let reach = radius * (1.0 + AT_BODY);
            let shape = place.compose(side.local);
            let Some((distance, normal)) = rigid!(ref world, r => r.gap(side.proxy, shape, end, reach)) else { continue };
            let gap = distance - radius;
            let most = if first { AT_BODY } else { -IN_BODY };
            if gap > most * radius {
                continue;
            }
            // What both do by themselves.
            let arm = at.x + at.u - body.place().position;
            let alone = gap - normal.dot(way - at.u) + normal.dot(shift + turn.cross(arm));
            let slip = at.done + at.u - body.slide(arm);
            let friction = (set.desc.friction * side.friction).sqrt();
            let gap = [alone - normal.dot(slip), alone];
            let touch = Touch { vertex, body: side.slot as u32, shape: side.proxy, arm, normal, gap, slip, friction };
            c.press.touch_body(&c.strands, &touch, strength);
            (t.pressed, found) = (true, true);
        }
        self.world.touches = touches;
        found
    }

    /// Strands that come through each other in spite of their contacts go a part of their way only. `settled`: all have been looked at as they go now.
    fn hold_back(&mut self, c: &mut RodContacts, settled: bool) -> Result<()> {
        if c.press.is_empty() && !self.loose {
            return Ok(());
        }
        if !settled {
            c.near.look(&c.strands, self.runner);
        }
        // Pairs of which neither strand is touched, too: what the host holds has no contact.
        c.near.forget_turned();
        let whole = self.loose;
        for k in 0..STOPS {
            if !c.find_stops(k) {
                break;
            }
            let parts = &mut c.parts;
            if whole {
                hold_nets_back(self.world, &c.strands, &c.listed, parts);
            }
            for (v, cell) in c.strands.vertices.iter_mut().zip(&c.cells) {
                let part = parts[v.strand as usize];
                if part == 1.0 {
                    continue;
                }
                v.to = if whole { (v.done + v.to) * part - v.done } else { v.to * part };
                with!(&mut self.world.rods.get_mut(c.listed[cell.rods as usize])?.data, b => {
                    for (row, to) in (v.to - v.u).to_array().into_iter().enumerate() {
                        b.contact[cell.index(contact::ROWS, contact::ANSWER + row)] = Elem::from_f64(to);
                    }
                    let at = |row: usize| cell.index(contact::ROWS, row);
                    let (own, turn) = (b.contact[at(contact::OWN_TURN)].to_f64(), b.contact[at(contact::ANSWER_TURN)].to_f64());
                    b.contact[at(contact::ANSWER_TURN)] = Elem::from_f64((own + turn) * part - own);
                    // The momentum that it loses must not be given back: that would take it through.
                    b.contact[at(contact::STOPPED)] = Elem::from_f64(1.0);
                });
            }
        }
        Ok(())
    }

    /// The same of strands that have been carried after their anchors.
    pub(super) fn hold_carried_back(&mut self, h: f64) -> Result<()> {
        let mut c = core::mem::take(&mut self.world.rod_contacts);
        let done = self.stop_carried(&mut c, h);
        self.world.rod_contacts = c;
        done
    }

    fn stop_carried(&mut self, c: &mut RodContacts, h: f64) -> Result<()> {
        for k in 0..c.listed.len() {
            if c.active[k] {
                c.read(k, self.world.rods.get(c.listed[k])?, h);
            }
        }
        for v in c.strands.vertices.iter_mut().filter(|v| v.loaded && !v.asleep) {
            (v.x, v.to, v.done) = (v.x - v.done, v.done, Vec3::zero());
        }
        c.near.begin(&c.strands);
        c.when = c.when.wrapping_add(1) % u32::MAX;
        for k in 0..STOPS {
            c.near.look(&c.strands, self.runner);
            if !c.find_stops(k) {
                break;
            }
            hold_nets_back(self.world, &c.strands, &c.listed, &mut c.parts);
            for (v, cell) in c.strands.vertices.iter_mut().zip(&c.cells) {
                let part = c.parts[v.strand as usize];
                if part == 1.0 || v.asleep {
                    continue;
                }
                v.to = v.to * part;
                with!(&mut self.world.rods.get_mut(c.listed[cell.rods as usize])?.data, b => cell.go_a_part(&mut b.state, part));
            }
        }
        Ok(())
    }

    /// What loads on some vertices do to them.
    fn answer(
        &mut self,
        cells: &[Cell],
        listed: &[Id],
        at: At,
        touched: &[u32],
        loads: &[Vec3<f64>],
        moves: &mut [Vec3<f64>],
    ) -> Result<()> {
        for &id in listed {
            clear(self.world.rods.get_mut(id)?, contact::ANSWER..contact::ANSWER + 4, true);
        }
        self.unload_bundles();
        for (&v, load) in touched.iter().zip(loads) {
            let c = &cells[v as usize];
            with!(&mut self.world.rods.get_mut(listed[c.rods as usize])?.data, b => {
                for (k, f) in load.to_array().into_iter().enumerate() {
                    b.contact[c.index(contact::ROWS, contact::ANSWER + k)] = Elem::from_f64(f);
                }
            });
        }
        self.rods(Stage::Respond, at)?;
        self.answer_bundles(at)?;
        for (&v, to) in touched.iter().zip(moves) {
            let c = &cells[v as usize];
            with!(&self.world.rods.get(listed[c.rods as usize])?.data, b => {
                let at = |k: usize| b.contact[c.index(contact::ROWS, contact::ANSWER + k)].to_f64();
                *to = Vec3 { x: at(0), y: at(1), z: at(2) };
            });
        }
        Ok(())
    }
}
