//! Rods at rest: a set that has come to rest sleeps, and costs next to nothing. It wakes as it was when something near it moves, or when the host
//! changes it.
//!
//! A set sleeps as a whole, if it is solved directly: sweeps start to vibrate by themselves, and never come to rest. What it is compared with are boxes: its own, as it lay down, and those of what moves. Sets with attachments stay awake, and so
//! do those near a dynamic body that is awake: they push it.

use super::dynamics::rigid;
use super::snapshot::Tape;
use super::world::World;
use crate::bodies::graph::Role;
use crate::collide::Bounds;
use crate::desc::slots::{Id, Slots};
use crate::desc::{EndSupport, RodsDesc, Shape, SweepOrder};
use crate::layout::{state, support};
use crate::math::{Elem, Vec3};
use crate::strands::{Rods, with};

/// A set of which nothing has gone farther than this for so long, s, sleeps.
const SLEEP_AFTER: f64 = 0.5;
/// That way: a part of the radius or of the mean edge, whichever is more, and at most that, m. (Contacts are solved to a thousandth of the radius in a
/// substep: a pile of ropes of 5 mm trembles at 5 mm/s in place for ever, so that speeds tell nothing.)
const OF_RADIUS: f64 = 0.01;
const OF_EDGE: f64 = 0.0005;
/// Rods that touch rods may go so many times as far.
const IN_HEAPS: f64 = 5.0;
const AT_MOST: f64 = 5e-4;
/// Points of a strand that are looked at: ghost points of edges, which move with both ends and with what turns about itself; of rods that touch rods, vertices,
/// as nothing holds these from turning about themselves where they lie.
const LOOKED_AT: usize = 5;

fn meets(d: &RodsDesc, category: u32, mask: u32) -> bool {
    d.mask & category != 0 && mask & d.category != 0
}

fn grown(b: Bounds<f64>, by: f64) -> Bounds<f64> {
    let by = Vec3 { x: by, y: by, z: by };
    Bounds { min: b.min - by, max: b.max + by }
}

fn ball(at: Vec3<f64>, radius: f64) -> Bounds<f64> {
    grown(Bounds { min: at, max: at }, radius)
}

impl Rods {
    pub(super) fn wakes(&mut self) {
        (self.rest.asleep, self.rest.still) = (false, 0.0);
    }

    /// Where its vertices are.
    pub(super) fn box_now(&self) -> Bounds<f64> {
        let mut all: Option<Bounds<f64>> = None;
        self.visit(0, |s, v, _| {
            let x = self.state3(s, v, state::X);
            let at = Bounds { min: x, max: x };
            all = Some(all.map_or(at, |b| b.around(&at)));
        });
        grown(all.unwrap_or(Bounds { min: Vec3::zero(), max: Vec3::zero() }), self.reach.max_radius)
    }

    /// Whether the host moves an end or a pin in the coming step.
    fn is_driven(&self) -> bool {
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

    fn may_sleep(&self) -> bool {
        self.desc.can_sleep && self.order() == SweepOrder::Direct && self.gpu.is_none() && self.ties.is_empty()
    }

    /// How long it has been still after `dt` seconds more.
    fn count_rest(&mut self, dt: f64) {
        let way = (OF_RADIUS * self.reach.max_radius).max(OF_EDGE * self.reach.edge());
        let way = (if self.desc.self_contact { IN_HEAPS * way } else { way }).min(AT_MOST);
        let turns = !self.desc.self_contact || with!(&self.data, b => !b.forces.is_empty());
        let mut places = core::mem::take(&mut self.rest.places);
        places.resize(self.strand_count() * LOOKED_AT, [f32::NAN; 3]);
        let now = |k: usize| {
            let (strand, part) = (k / LOOKED_AT, k % LOOKED_AT);
            let last = self.counts()[strand] as usize - if turns { 2 } else { 1 };
            self.state3(strand, part * last / (LOOKED_AT - 1), if turns { state::GX } else { state::X })
        };
        // Also where one is not a number.
        let near = |(k, place): (usize, &[f32; 3])| (now(k) - Vec3::from(place.map(f64::from))).length() < way;
        let still = places.iter().enumerate().all(near);
        if still {
            self.rest.still += dt;
        } else {
            places.iter_mut().enumerate().for_each(|(k, place)| *place = now(k).to_array().map(|x| x as f32));
            self.rest.still = 0.0;
        }
        self.rest.places = places;
    }

    fn lie_down(&mut self) {
        self.rest.asleep = true;
        self.rest.around = self.box_now();
        for s in 0..self.strand_count() {
            for v in 0..self.counts()[s] as usize {
                self.set_state3(s, v, state::U, [0.0; 3]);
                if v + 1 < self.counts()[s] as usize {
                    self.set_state3(s, v, state::GU, [0.0; 3]);
                }
            }
        }
    }
    /// Its part of a saved state: bytes, and both ways.
    pub(super) fn rest_bytes(&self) -> usize {
        16 + self.strand_count() * LOOKED_AT * 12
    }
    pub(super) fn each_rest(&self, mut put: impl FnMut(u64, usize)) {
        put(u64::from(self.rest.asleep), 8);
        put(self.rest.still.to_bits(), 8);
        let none = [f32::NAN; 3];
        let places = (0..self.strand_count() * LOOKED_AT).map(|k| self.rest.places.get(k).unwrap_or(&none));
        places.flatten().for_each(|x| put(u64::from(x.to_bits()), 4));
    }
    pub(super) fn walk_rest(&mut self, tape: &mut impl Tape) {
        let mut asleep = u64::from(self.rest.asleep);
        tape.word(&mut asleep);
        tape.number(&mut self.rest.still);
        self.rest.places.resize(self.strand_count() * LOOKED_AT, [f32::NAN; 3]);
        self.rest.places.iter_mut().flatten().for_each(|x| tape.number(x));
        self.rest.asleep = asleep == 1;
        if self.rest.asleep {
            self.rest.around = self.box_now();
        }
    }
}

impl World {
    /// Rods that the host moves by their ends and pins, or sets to what they are: no other change.
    pub fn aim_rods(&mut self, id: Id) -> crate::desc::error::Result<&mut Rods> {
        self.rods.get_mut(id)
    }
    /// Whether a set of rods sleeps.
    pub fn rods_sleep(&self, id: Id) -> crate::desc::error::Result<bool> {
        Ok(self.rods.get(id)?.rest.asleep)
    }
    pub fn wake_rods(&mut self, id: Id) -> crate::desc::error::Result<()> {
        self.rods.get_mut(id)?.wakes();
        Ok(())
    }

    /// Before a step of `dt` seconds, when bodies have found where they may come.
    pub(super) fn wake_rods_near(&mut self, dt: f64) {
        let changed = core::mem::take(&mut self.scene_changed);
        for (_, r) in self.rods.iter_mut() {
            let stirred = core::mem::take(&mut r.rest.stirred);
            if changed || stirred || r.rest.asleep && (!r.may_sleep() || r.is_driven()) {
                r.wakes();
            }
        }
        if !self.rods.iter().any(|(_, r)| r.rest.asleep) {
            return;
        }
        let mut rods = core::mem::replace(&mut self.rods, Slots::new("rods"));
        for (_, r) in rods.iter_mut().filter(|(_, r)| r.rest.asleep) {
            if self.comes_near(r) {
                r.wakes();
            }
        }
        // What wakes wakes what touches it.
        let touches = |r: &Rods| r.desc.self_contact;
        loop {
            let awake: Vec<(Bounds<f64>, u32, u32)> = rods
                .iter()
                .filter(|(_, r)| !r.rest.asleep && touches(r))
                .map(|(_, r)| (r.way_box(0..r.strand_count(), 2.0 * dt), r.desc.category, r.desc.mask))
                .collect();
            let mut more = false;
            for (_, r) in rods.iter_mut().filter(|(_, r)| r.rest.asleep && touches(r)) {
                let around = grown(r.rest.around, r.reach.max_radius);
                if awake.iter().any(|(b, category, mask)| meets(&r.desc, *category, *mask) && around.overlaps(b)) {
                    r.wakes();
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
        self.rods = rods;
    }

    /// Whether a collider, a mesh or a body that moves is near where these lie.
    fn comes_near(&self, r: &Rods) -> bool {
        let around = grown(r.rest.around, r.reach.max_radius);
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
        let by_body = || !self.dynamics.bodies.is_empty() && rigid!(ref self, s => s.moves_near(&r.desc, &around));
        by_collider || by_mesh() || by_body()
    }

    /// After a step: which sets have come to rest, and sleep.
    pub(super) fn rest_rods(&mut self, dt: f64) {
        let mut ready = false;
        for (_, r) in self.rods.iter_mut().filter(|(_, r)| !r.rest.asleep) {
            if !r.may_sleep() {
                r.rest.still = 0.0;
                continue;
            }
            r.count_rest(dt);
            ready |= r.rest.still >= SLEEP_AFTER;
        }
        if !ready {
            return;
        }
        let ready = |r: &Rods| r.rest.still >= SLEEP_AFTER;
        // Sets that touch others sleep together with them.
        let touching: Vec<(Id, Bounds<f64>, bool, [u32; 2])> = self
            .rods
            .iter()
            .filter(|(_, r)| r.desc.self_contact && !r.rest.asleep)
            .map(|(id, r)| (id, grown(r.box_now(), r.reach.max_radius), ready(r), [r.desc.category, r.desc.mask]))
            .collect();
        let mut kept: Vec<Id> = touching.iter().filter(|t| !t.2).map(|t| t.0).collect();
        let mut k = 0;
        while k < kept.len() {
            let Some(from) = touching.iter().find(|t| t.0 == kept[k]) else { break };
            for t in touching.iter().filter(|t| t.2 && t.1.overlaps(&from.1)) {
                let layers = t.3[0] & from.3[1] != 0 && from.3[0] & t.3[1] != 0;
                if layers && !kept.contains(&t.0) {
                    kept.push(t.0);
                }
            }
            k += 1;
        }
        let asleep: Vec<Id> = self
            .rods
            .iter()
            .filter(|(id, r)| !r.rest.asleep && ready(r) && !kept.contains(id))
            .filter(|(_, r)| {
                let around = grown(r.box_now(), r.reach.max_radius);
                self.dynamics.bodies.is_empty() || !rigid!(ref self, s => s.moves_near(&r.desc, &around))
            })
            .map(|(id, _)| id)
            .collect();
        for id in asleep {
            if let Ok(r) = self.rods.get_mut(id) {
                r.lie_down();
            }
        }
    }
}

impl<E: crate::rigid::Precise> crate::rigid::Rigid<E> {
    /// Whether a body that moves, or may, is there.
    fn moves_near(&self, d: &RodsDesc, around: &Bounds<f64>) -> bool {
        let moves = |i: usize| match self.roles[i] {
            Role::Dynamic => !self.asleep[i],
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
