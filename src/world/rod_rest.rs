//! Rods at rest: a set that has come to rest sleeps, and costs next to nothing. It wakes as it was when something near it moves, or when the host
//! changes it.
//!
//! A set sleeps as a whole, with the junctions that hold its own strands together. What it is compared with are boxes: its own, as it lay down, and those of what
//! moves. What hangs on bodies and meshes that stand still wakes with these. What hangs on dynamic bodies falls asleep together with their islands, when all that
//! hangs there is at rest, and wakes with them: bodies stay awake as long as rods that are awake hang on them. Sets that are tied to other rods, or to meshes that
//! rods move, stay awake, and so do those near another dynamic body that is awake: they push it. So do swept sets whose radii stay: they start to vibrate by
//! themselves.

use super::coupling::Attachment;
use super::dynamics::rigid;
use super::snapshot::Tape;
use super::touch::{at_point, grown, meets};
use super::world::World;
use crate::bodies::graph::Role;
use crate::collide::Bounds;
use crate::desc::slots::{Id, Slots};
use crate::desc::{EndSupport, RodsDesc, Shape, SweepOrder};
use crate::layout::{scale, state, support};
use crate::math::{Elem, Vec3};
use crate::rigid::number;
use crate::strands::{Rods, mixed, with};

/// A set of which nothing has gone farther than this for so long, s, sleeps.
pub(super) const SLEEP_AFTER: f64 = 0.5;
/// That way: a part of the radius or of the mean edge, whichever is more, and at most that, m. (Contacts are solved to a thousandth of the radius in a
/// substep: a pile of ropes of 5 mm trembles at 5 mm/s in place for ever, so that speeds tell nothing.)
const OF_RADIUS: f64 = 0.01;
const OF_EDGE: f64 = 0.0005;
/// Rods that touch rods may go so many times as far.
const IN_HEAPS: f64 = 5.0;
const AT_MOST: f64 = 5e-4;
/// Points of a strand that are looked at: ghost points of edges, which move with both ends and with what turns about itself; of rods that touch rods, vertices,
/// as nothing holds these from turning about themselves where they lie.
pub(super) const LOOKED_AT: usize = 5;
/// Faster than this, m/s, no vertex is at rest, wherever those points are: a part that is cut off, or a vibration that has its nodes there. In heaps
/// as many times as fast.
const FAST: f64 = 0.02;

/// Bits of a saved state: it sleeps, and is to wake in the next step.
const ASLEEP: u64 = 1;
const STIRRED: u64 = 2;
/// It is taken out of the world.
const DISABLED: u64 = 4;

/// Lists of a step, kept for their memory.
#[derive(Debug, Default)]
pub(super) struct RestLists {
    /// Where rods that touch rods are, or were before they woke: layers, and whether they are ready to sleep.
    boxes: Vec<(Id, Bounds<f64>, [u32; 2], bool)>,
    /// All others that are awake, and whether they are ready.
    others: Vec<(Id, bool)>,
    /// Which of these keep others awake.
    awake: Vec<u32>,
    asleep: Vec<Id>,
    /// Islands of bodies that stay awake for what hangs on them.
    islands: Vec<bool>,
    /// Which parts of a set stay (`rod_parts.rs`).
    pub(super) stays: Vec<bool>,
    /// Sets that may have such.
    parts: Vec<Id>,
}

fn ball(at: Vec3<f64>, radius: f64) -> Bounds<f64> {
    grown(at_point(at), radius)
}

impl Rods {
    pub(super) fn wakes(&mut self) {
        self.rest.asleep = self.rest.disabled;
        self.rest.moves();
    }

    /// Where its vertices are.
    pub(super) fn box_now(&self) -> Bounds<f64> {
        let mut all: Option<Bounds<f64>> = None;
        self.visit(0, |s, v, _| {
            let at = at_point(self.state3(s, v, state::X));
            all = Some(all.map_or(at, |b| b.around(&at)));
        });
        grown(all.unwrap_or(at_point(Vec3::zero())), self.max_radius())
    }

    /// Whether the host moves an end or a pin in the coming step.
    pub(crate) fn is_driven(&self) -> bool {
        let ends = [self.desc.root, self.desc.tip];
        let driven = |end: usize| {
            ends[end] != EndSupport::Free
                && with!(&self.data, b => self.layout.blocks.iter().any(|block| {
                    let base = block.strand_offset * support::ROWS;
                    let n = support::TO * block.width;
                    let rows = &b.supports[end][base..base + 2 * n];
                    rows[..n].iter().zip(&rows[n..]).any(|(from, to)| from.bits() != to.bits())
                }))
        };
        driven(0) || driven(1) || self.pins.iter().any(|p| p.from != p.to)
    }

    /// `hangs_still`: what it is tied to does not move.
    fn may_sleep(&self, hangs_still: impl FnOnce() -> bool) -> bool {
        let quiet = self.order() == SweepOrder::Direct || self.keeps_volume();
        self.desc.can_sleep && quiet && self.gpu.is_none() && (self.tied_to_others == 0 || hangs_still())
    }

    /// How far what is still may go, m.
    pub(super) fn still_way(&self) -> f64 {
        let way = (OF_RADIUS * self.reach.max_radius).max(OF_EDGE * self.reach.edge());
        way.min(AT_MOST) * if self.desc.self_contact { IN_HEAPS } else { 1.0 }
    }

    /// Of a strand, the place of a point that is looked at.
    fn looked_at(&self, strand: usize, part: usize) -> Vec3<f64> {
        let turns = !self.desc.self_contact || with!(&self.data, b => !b.forces.is_empty());
        let last = self.counts()[strand] as usize - if turns { 2 } else { 1 };
        self.state3(strand, part * last / (LOOKED_AT - 1), if turns { state::GX } else { state::X })
    }
    /// Whether all points of a strand are within `way` of where they were. Not where one is not a number.
    pub(super) fn is_near_places(&self, strand: usize, way: f64) -> bool {
        let places = &self.rest.places[strand * LOOKED_AT..][..LOOKED_AT];
        let near = |(k, place): (usize, &[f32; 3])| (self.looked_at(strand, k) - Vec3::from(place.map(f64::from))).length() < way;
        places.iter().enumerate().all(near)
    }
    pub(super) fn note_places(&mut self, strand: usize) {
        for k in 0..LOOKED_AT {
            self.rest.places[strand * LOOKED_AT + k] = self.looked_at(strand, k).to_array().map(|x| x as f32);
        }
    }

    /// How long it has been still after `dt` seconds more.
    fn count_rest(&mut self, dt: f64) {
        let (way, strands) = (self.still_way(), self.strand_count());
        self.rest.places.resize(strands * LOOKED_AT, [f32::NAN; 3]);
        // In the order of its costs.
        let slow = || (0..strands).all(|s| self.is_slow(s));
        let still = (0..strands).all(|s| self.is_near_places(s, way)) && (self.rest.still + dt < SLEEP_AFTER || slow());
        if still {
            self.rest.still += dt;
        } else {
            (0..strands).for_each(|s| self.note_places(s));
            self.rest.still = 0.0;
        }
    }

    pub(super) fn is_slow(&self, s: usize) -> bool {
        let fast = if self.desc.self_contact { IN_HEAPS * FAST } else { FAST };
        let swells = |v: usize| self.reach.max_radius * self.scale_number(s, v, scale::GROWTH).abs();
        (0..self.counts()[s] as usize).all(|v| self.state3(s, v, state::U).length() < fast && swells(v) < fast)
    }

    /// What a rest was found under: gravity and whom others meet (`around`), air, what acts on it, material.
    fn described(&self, around: u64) -> u64 {
        let d = &self.desc;
        let numbers = [d.damping, d.drag, d.friction].into_iter().chain(d.wind).map(f64::to_bits);
        let hash = [around, self.description()].into_iter().chain(numbers).fold(0, mixed);
        self.hash_loads(hash)
    }

    pub(super) fn lie_down(&mut self) {
        self.rest.asleep = true;
        self.rest.around = self.box_now();
        for s in 0..self.strand_count() {
            self.restart(s);
            for v in 0..self.counts()[s] as usize {
                self.set_state3(s, v, state::U, [0.0; 3]);
                if v + 1 < self.counts()[s] as usize {
                    self.set_state3(s, v, state::GU, [0.0; 3]);
                }
                self.set_scale_number(s, v, scale::GROWTH, 0.0);
            }
        }
    }
    /// Its part of a saved state: bytes, and both ways.
    pub(super) fn rest_bytes(&self) -> usize {
        72 + self.strand_count() * (LOOKED_AT * 12 + if self.has_parts() { 8 } else { 0 })
    }
    /// `changed`: the scene has, and the rods have not been told yet.
    pub(super) fn each_rest(&self, around: u64, changed: bool, mut put: impl FnMut(u64, usize)) {
        let r = &self.rest;
        let (stirred, still) = (r.stirred || (changed && r.asleep), if changed && !r.asleep { 0.0 } else { r.still });
        let flags = [(r.asleep, ASLEEP), (stirred, STIRRED), (r.disabled, DISABLED)];
        put(flags.into_iter().map(|(is, flag)| if is { flag } else { 0 }).sum(), 8);
        put(self.described(around), 8);
        put(still.to_bits(), 8);
        let corners = [r.around.min, r.around.max].map(Vec3::to_array);
        corners.into_iter().flatten().for_each(|x| put(x.to_bits(), 8));
        let none = [f32::NAN; 3];
        let places = (0..self.strand_count() * LOOKED_AT).map(|k| r.places.get(k).unwrap_or(&none));
        places.flatten().for_each(|x| put(u64::from(x.to_bits()), 4));
        for s in 0..if self.has_parts() { self.strand_count() } else { 0 } {
            let still = if changed && !r.asleep { 0.0 } else { r.stills.get(s).copied().unwrap_or(0.0) };
            put(still.to_bits(), 8);
        }
    }
    pub(super) fn walk_rest(&mut self, around: u64, tape: &mut impl Tape) {
        let (mut flags, now) = (0, self.described(around));
        let (mut then, places) = (now, self.strand_count() * LOOKED_AT);
        let parts = if self.has_parts() { self.strand_count() } else { 0 };
        tape.word(&mut flags);
        tape.word(&mut then);
        let r = &mut self.rest;
        tape.number(&mut r.still);
        tape.vector(&mut r.around.min);
        tape.vector(&mut r.around.max);
        r.places.resize(places, [f32::NAN; 3]);
        r.places.iter_mut().flatten().for_each(|x| tape.number(x));
        r.stills.resize(parts, 0.0);
        r.stills.iter_mut().for_each(|x| tape.number(x));
        (r.asleep, r.stirred, r.disabled) = (flags & ASLEEP != 0, flags & STIRRED != 0, flags & DISABLED != 0);
        if then != now {
            // It was at rest under another gravity, in another wind, of another stiffness.
            self.wakes();
        }
    }
}

impl World {
    /// Gravity, and which layers meet.
    pub(super) fn around_rods(&self) -> u64 {
        let layers = self.rods.iter().map(|(_, r)| u64::from(r.desc.category) << 32 | u64::from(r.desc.mask));
        self.desc.gravity.into_iter().map(f64::to_bits).chain(layers).fold(0, mixed)
    }
    /// Something has come, gone or been put elsewhere: nothing is at rest.
    pub(super) fn change_scene(&mut self) {
        // Told to them before the next step: a world of many sets must not cost the square of their number.
        self.scene_changed = true;
    }
    /// Whether a set of rods sleeps.
    pub fn rods_sleep(&self, id: Id) -> crate::desc::error::Result<bool> {
        Ok(self.rods.get(id)?.rest.asleep)
    }
    pub fn wake_rods(&mut self, id: Id) -> crate::desc::error::Result<()> {
        self.rods.get_mut(id)?.wakes();
        Ok(())
    }

    /// A body that rods have hung on, which may be gone: it falls, where it slept with them.
    pub(super) fn wake_tied(&mut self, body: Id) {
        if self.dynamics.bodies.get(body).is_ok() {
            rigid!(self, s => s.wake(number(body)));
        }
    }

    /// Before bodies look where they may come: what hangs on them and is awake, or is going to wake for what the host has done, keeps them awake.
    pub(super) fn note_tied(&mut self) {
        rigid!(self, s => s.tied.fill(false));
        for (_, r) in self.rods.iter().filter(|(_, r)| !r.rest.disabled && r.tied_to_others > 0) {
            let wakes = || {
                let around = grown(r.rest.around, r.max_radius());
                let stirred = r.rest.stirred || self.scene_changed || r.is_driven();
                stirred || !r.may_sleep(|| true) || self.host_comes_near(r, &around)
            };
            if r.rest.asleep && !wakes() {
                continue;
            }
            for tie in r.ties.values() {
                let body = self.attachments.get(*tie).ok().and_then(Attachment::body);
                // Found here a moment ago.
                if let Some(id) = body.filter(|id| self.dynamics.bodies.get(*id).is_ok()) {
                    let d = &mut self.dynamics;
                    if self.desc.double_precision {
                        d.double.note_tied(number(id));
                    } else {
                        d.single.note_tied(number(id));
                    }
                }
            }
        }
    }

    /// Before a step of `dt` seconds, when bodies have found where they may come.
    pub(super) fn wake_rods_near(&mut self, dt: f64) {
        if core::mem::take(&mut self.scene_changed) {
            self.rods.iter_mut().for_each(|(_, r)| r.rest.stir());
        }
        let mut rods = core::mem::replace(&mut self.rods, Slots::new("rods"));
        let mut boxes = core::mem::take(&mut self.rest_lists.boxes);
        boxes.clear();
        let mut sleepers = false;
        for (id, r) in rods.iter_mut().filter(|(_, r)| !r.rest.disabled) {
            let stirred = core::mem::take(&mut r.rest.stirred);
            if r.rest.asleep
                && (stirred || !r.may_sleep(|| self.hangs_still(r)) || r.is_driven() || self.comes_near(r, &r.rest.around))
            {
                // What lay on it lies there no more.
                boxes.push((id, r.rest.around, [r.desc.category, r.desc.mask], r.desc.self_contact));
                r.wakes();
            }
            if !r.rest.asleep && r.holds_parts() && (r.is_driven() || self.comes_near(r, &r.box_now())) {
                r.rest.moves();
            }
            sleepers |= r.rest.asleep;
        }
        if sleepers {
            boxes.retain(|b| b.3);
            for (id, r) in rods.iter().filter(|(_, r)| !r.rest.asleep && r.desc.self_contact) {
                boxes.push((id, r.way_box(0..r.strand_count(), 2.0 * dt), [r.desc.category, r.desc.mask], true));
            }
            // What wakes wakes what touches it.
            let mut k = 0;
            while k < boxes.len() {
                let (_, near, [category, mask], _) = boxes[k];
                let sleeps = |r: &Rods| r.rest.asleep && !r.rest.disabled;
                for (id, r) in rods.iter_mut().filter(|(_, r)| sleeps(r) && r.desc.self_contact) {
                    let around = grown(r.rest.around, r.max_radius());
                    if meets(&r.desc, category, mask) && around.overlaps(&near) {
                        r.wakes();
                        boxes.push((id, around, [r.desc.category, r.desc.mask], true));
                    }
                }
                k += 1;
            }
        }
        self.rest_lists.boxes = boxes;
        self.rods = rods;
    }

    /// Whether nothing moves what holds their ends: junctions of their own, bodies that sleep, bodies and meshes that the host lets stand.
    fn hangs_still(&self, r: &Rods) -> bool {
        self.hangs_on(r, |i| rigid!(ref self, s => s.is_let_stand(i) || (s.roles[i] == Role::Dynamic && s.asleep[i])))
    }
    /// The same after a step, of what falls asleep together with dynamic bodies.
    fn may_hang_still(&self, r: &Rods) -> bool {
        self.hangs_on(r, |i| rigid!(ref self, s => s.is_let_stand(i) || s.roles[i] == Role::Dynamic))
    }
    fn hangs_on(&self, r: &Rods, body_stands: impl Fn(usize) -> bool) -> bool {
        r.ties.values().all(|&tie| match self.attachments.get(tie) {
            Ok(Attachment::Body { body, .. }) => body_stands(number(*body)),
            Ok(Attachment::Triangle { mesh, corners, .. }) => self.meshes.get(*mesh).is_ok_and(|m| m.stands(corners)),
            Ok(junction) => junction.own_of().is_some(),
            Err(_) => false,
        })
    }

    /// The islands of dynamic bodies that are awake and that these hang on, and whether each would sleep if all that hangs there did.
    fn islands_of(&self, r: &Rods, mut put: impl FnMut(u32, bool)) {
        for &tie in r.ties.values() {
            if let Some(id) = self.attachments.get(tie).ok().and_then(Attachment::body) {
                let i = number(id);
                rigid!(ref self, s => {
                    if s.roles[i] == Role::Dynamic && !s.asleep[i] {
                        let (island, may_sleep) = s.island_of(i);
                        put(island, may_sleep);
                    }
                });
            }
        }
    }

    /// Whether a collider, a mesh or a body that moves is near where these lie.
    fn comes_near(&self, r: &Rods, around: &Bounds<f64>) -> bool {
        let around = grown(*around, r.max_radius());
        let by_body = || !self.dynamics.bodies.is_empty() && rigid!(ref self, s => s.moves_near(&r.desc, &around, |_| false));
        self.host_comes_near(r, &around) || by_body()
    }

    /// Whether the host moves a collider or a mesh there.
    fn host_comes_near(&self, r: &Rods, around: &Bounds<f64>) -> bool {
        let by_collider = self.colliders.iter().filter(|(_, c)| c.from != c.to || c.placed).any(|(_, c)| {
            if !meets(&r.desc, c.desc.category, c.desc.mask) {
                return false;
            }
            let size = match c.desc.shape {
                Shape::Plane => return true,
                Shape::Sphere { radius } => radius,
                Shape::Capsule { radius, half_height } => radius + half_height,
                Shape::TaperedCapsule { bottom, top, half_height } => bottom.max(top) + half_height,
                Shape::Box { half_extents } => Vec3::from(half_extents).length(),
            };
            let way = ball(c.from.position.into(), size).around(&ball(c.to.position.into(), size));
            around.overlaps(&way)
        });
        let by_mesh = || {
            self.meshes.iter().filter(|(_, m)| m.stirred > 0).any(|(_, m)| {
                m.collides.is_some_and(|c| meets(&r.desc, c.category, c.mask))
                    && m.way_box().is_some_and(|way| around.overlaps(&way))
            })
        };
        by_collider || by_mesh()
    }

    /// After a step: which sets have come to rest, and sleep.
    pub(super) fn rest_rods(&mut self, dt: f64) {
        let mut parts = core::mem::take(&mut self.rest_lists.parts);
        let mut rods = core::mem::replace(&mut self.rods, Slots::new("rods"));
        for (id, r) in rods.iter_mut().filter(|(_, r)| !r.rest.asleep) {
            if !r.may_sleep(|| self.may_hang_still(r)) {
                r.rest.moves();
            } else if r.has_parts() {
                parts.push(id);
            } else {
                r.count_rest(dt);
            }
        }
        self.rods = rods;
        for id in parts.drain(..) {
            self.rest_parts(id, dt);
        }
        self.rest_lists.parts = parts;
        let ready = self.rods.iter().any(|(_, r)| !r.rest.asleep && r.rest.still >= SLEEP_AFTER);
        if !ready {
            return;
        }
        let ready = |r: &Rods| r.rest.still >= SLEEP_AFTER;
        let mut lists = core::mem::take(&mut self.rest_lists);
        let RestLists { boxes, others, awake, asleep, islands, .. } = &mut lists;
        // Sets that touch others sleep together with them.
        boxes.clear();
        boxes.extend(self.rods.iter().filter(|(_, r)| r.desc.self_contact && !r.rest.asleep).map(|(id, r)| {
            let around = grown(r.box_now(), r.max_radius());
            (id, around, [r.desc.category, r.desc.mask], ready(r) && !self.keeps_awake(r))
        }));
        others.clear();
        let of = self.rods.iter().filter(|(_, r)| !r.desc.self_contact && !r.rest.asleep);
        others.extend(of.map(|(id, r)| (id, ready(r) && !self.keeps_awake(r))));
        awake.clear();
        awake.extend((0..boxes.len() as u32).filter(|&k| !boxes[k as usize].3));
        islands.clear();
        let mut k = 0;
        loop {
            while k < awake.len() {
                let (_, near, [category, mask], _) = boxes[awake[k] as usize];
                for (i, b) in boxes.iter_mut().enumerate().filter(|(_, b)| b.3) {
                    if b.1.overlaps(&near) && b.2[0] & mask != 0 && category & b.2[1] != 0 {
                        b.3 = false;
                        awake.push(i as u32);
                    }
                }
                k += 1;
            }
            // What hangs on one island of bodies sleeps together with it.
            let mut changed = false;
            let mut look = |id: Id, is_ready: &mut bool| {
                let Ok(r) = self.rods.get(id) else { return };
                let mut stays = !*is_ready;
                self.islands_of(r, |island, may_sleep| stays |= !may_sleep || islands.get(island as usize) == Some(&true));
                if stays {
                    self.islands_of(r, |island, _| {
                        let island = island as usize;
                        islands.resize(islands.len().max(island + 1), false);
                        changed |= !islands[island];
                        islands[island] = true;
                    });
                }
                changed |= stays && *is_ready;
                *is_ready = !stays;
            };
            others.iter_mut().for_each(|(id, is_ready)| look(*id, is_ready));
            for (i, b) in boxes.iter_mut().enumerate() {
                let was = b.3;
                look(b.0, &mut b.3);
                if was && !b.3 {
                    awake.push(i as u32);
                }
            }
            if !changed {
                break;
            }
        }
        asleep.clear();
        asleep.extend(boxes.iter().filter(|b| b.3).map(|b| b.0));
        asleep.extend(others.iter().filter(|o| o.1).map(|o| o.0));
        for &id in &*asleep {
            if let Ok(r) = self.rods.get_mut(id) {
                r.lie_down();
                for &tie in r.ties.values() {
                    if let Ok(a) = self.attachments.get_mut(tie) {
                        a.lie_down();
                    }
                }
            }
        }
        self.rest_lists = lists;
    }

    /// Whether a body that moves, or may, is near, and does not fall asleep together with these.
    fn keeps_awake(&self, r: &Rods) -> bool {
        let around = grown(r.box_now(), r.max_radius());
        let with = |i: usize| {
            let (island, may_sleep) = rigid!(ref self, s => s.island_of(i));
            let mut holds = false;
            self.islands_of(r, |of, _| holds |= of == island);
            holds && may_sleep
        };
        !self.dynamics.bodies.is_empty() && rigid!(ref self, s => s.moves_near(&r.desc, &around, with))
    }
}

impl<E: crate::rigid::Precise> crate::rigid::Rigid<E> {
    /// Whether nothing but the host moves body `i`, and that does not in the step under way.
    fn is_let_stand(&self, i: usize) -> bool {
        self.roles[i] != Role::Dynamic && !self.is_moved(i)
    }

    /// Whether a body that moves, or may, is there. `but`: not to be looked at, of those that are dynamic and awake.
    fn moves_near(&self, d: &RodsDesc, around: &Bounds<f64>, but: impl Fn(usize) -> bool) -> bool {
        let moves = |i: usize| match self.roles[i] {
            Role::Dynamic => !self.asleep[i] && !but(i),
            Role::Kinematic => self.is_moved(i),
            _ => false,
        };
        let at = |s: &crate::rigid::RodShape| {
            let b = self.entries[s.proxy as usize].bounds;
            let b = Bounds { min: b.min.map(E::to_f64), max: b.max.map(E::to_f64) };
            meets(d, s.category, s.mask) && around.overlaps(&b)
        };
        self.rod_shapes.iter().filter(|s| moves(s.body as usize)).any(at)
    }
}
