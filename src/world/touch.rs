//! Which rods push the bodies they touch, and where; and how sweeps do it (`docs/internals/bodies.md`, Rods on bodies). Newton's method:
//! `rod_contact.rs`.
//!
//! ```text
//! step       find_meetings   which rods are near dynamic bodies at all: only these go with them, substep by substep
//! substep    list_touched    shapes near these rods         find_touches   vertices near these shapes
//! iteration  solve_touches   each swept vertex against its shape, in f64, one after the other
//! step       settle_loads    what keeps bodies awake, or wakes them
//! ```

use super::coupling::{Ball, Held, Met, Motion, motion_of};
use super::dynamics::rigid;
use super::world::World;
use crate::bodies::graph::Role;
use crate::collide::Bounds;
use crate::collide::narrow::point;
use crate::desc::error::Result;
use crate::desc::slots::{Id, Slots};
use crate::desc::{RodsDesc, SweepOrder};
use crate::layout::{param, state};
use crate::math::{Transform, Vec3};
use crate::rigid::bodies::Body;
use crate::rigid::{Precise, Rigid, RodShape, from};
use crate::strands::Rods;

/// A vertex leaves a body that it was inside of by at most that, m/s, beyond undoing its approach: that of contacts between bodies.
const MOST_PUSH: f64 = 3.0;
/// Bodies to which rods give less than this, m/s², may sleep, and go on sleeping.
const WAKE: f64 = 0.1;
/// Vertices from a tied end that do not touch what it is tied to.
const TIED: usize = 2;

/// A shape of a dynamic body in the substep under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    body: Id,
    /// Among the bodies held in the substep.
    pub slot: usize,
    pub proxy: u32,
    /// In the body's principal axes.
    pub local: Transform<f64>,
    bounds: Bounds<f64>,
    pub friction: f64,
    category: u32,
    mask: u32,
}

/// A vertex that a shape is near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub rods: Id,
    pub strand: u32,
    pub vertex: u32,
    pub side: u32,
    /// At the last look, of what is swept.
    pub closed: bool,
    /// Has a contact in the problem of this iteration, of what Newton's method solves.
    pub pressed: bool,
}

/// Where rods may touch bodies that they push, in the substep under way.
#[derive(Debug, Default)]
pub(super) struct Touches {
    pub sides: Vec<Side>,
    pub touches: Vec<Touch>,
}

impl Touches {
    pub fn bodies(&self) -> impl Iterator<Item = Id> {
        self.sides.iter().map(|s| s.body)
    }
    /// `held` is sorted.
    pub fn find(&mut self, held: &[Held]) {
        let key = |id: Id| (id.index, id.generation);
        for s in &mut self.sides {
            s.slot = held.binary_search_by_key(&key(s.body), |h| key(h.body)).unwrap_or(0);
        }
    }
    /// How many swept vertices touched a body at the last look.
    pub fn count(&self) -> u32 {
        self.touches.iter().filter(|t| t.closed).count() as u32
    }
    pub fn memory_bytes(&self) -> usize {
        self.sides.capacity() * size_of::<Side>() + self.touches.capacity() * size_of::<Touch>()
    }
}

pub(super) fn meets(d: &RodsDesc, category: u32, mask: u32) -> bool {
    d.mask & category != 0 && mask & d.category != 0
}

pub(super) fn grown(b: Bounds<f64>, by: f64) -> Bounds<f64> {
    let by = Vec3 { x: by, y: by, z: by };
    Bounds { min: b.min - by, max: b.max + by }
}

pub(super) fn at_point(x: Vec3<f64>) -> Bounds<f64> {
    Bounds { min: x, max: x }
}

impl<E: Precise> Rigid<E> {
    pub(super) fn pushed_shapes(&self) -> impl Iterator<Item = &crate::rigid::RodShape> {
        self.rod_shapes.iter().filter(|s| self.roles.get(s.body as usize) == Some(&Role::Dynamic))
    }

    /// The shapes of dynamic bodies that are in the box of rods which push them.
    fn list_sides(&self, bodies: &Slots<Body>, rods: &Slots<Rods>, out: &mut Vec<Side>) {
        for s in self.pushed_shapes() {
            let Some((body, _)) = bodies.at(s.body as usize - 1) else { continue };
            let at = from(self.place(s.body as usize)).compose(s.local);
            let b = self.proxies[s.proxy as usize].geometry.bounds(&at.map(E::from_f64));
            let bounds = Bounds { min: b.min.map(E::to_f64), max: b.max.map(E::to_f64) };
            let near = |r: &Rods| meets(&r.desc, s.category, s.mask) && r.meets.is_some_and(|m| m.overlaps(&bounds));
            if rods.iter().any(|(_, r)| near(r)) {
                let (proxy, local, friction) = (s.proxy, s.local, s.friction);
                out.push(Side { body, slot: 0, proxy, local, bounds, friction, category: s.category, mask: s.mask });
            }
        }
    }

    /// The box of rods and their ways in a step, if a dynamic body comes near it. `later`: so many seconds of the step bodies go on after their boxes, m/s²: `g`.
    pub(super) fn box_near_bodies(&self, rods: &Rods, dt: f64, later: f64, g: f64) -> Option<Bounds<f64>> {
        let mut shapes = self.pushed_shapes().filter(|s| meets(&rods.desc, s.category, s.mask)).peekable();
        shapes.peek()?;
        let way = rods.expected_way(dt);
        let all = grown(way, rods.max_radius() + rods.reach.edge() + 2.0 * g * dt * dt);
        let near = |s: &RodShape| {
            let b = self.entries[s.proxy as usize].bounds;
            let b = Bounds { min: b.min.map(|v| v.to_f64()), max: b.max.map(|v| v.to_f64()) };
            let way = (self.motion(s.body as usize)[0].length() + g * later) * later;
            all.overlaps(&grown(b, way))
        };
        shapes.any(near).then_some(all)
    }

    /// Signed distance of a point from a shape at `place`, and the normal out of it, in world axes.
    pub(super) fn gap(&self, proxy: u32, place: Transform<f64>, x: Vec3<f64>, reach: f64) -> Option<(f64, Vec3<f64>)> {
        let e = E::from_f64;
        let found = point(&self.proxies[proxy as usize].geometry, place.point_back(x).map(e), e(reach), e(0.0))?;
        Some((found.distance.to_f64(), place.rotation.rotate(found.normal.map(E::to_f64))))
    }

    /// Bodies that rods push stay awake; those that slept through it get it now and wake.
    fn settle_loads(&mut self, bodies: &Slots<Body>, dt: f64) {
        for (id, b) in bodies.iter() {
            let i = crate::rigid::number(id);
            let [p, l] = self.rod_load[i];
            if self.roles[i] != Role::Dynamic || p.length() <= WAKE * dt * b.mass {
                continue;
            }
            if self.asleep[i] {
                let mut spin = Vec3::zero();
                for (axis, moment) in from(self.place(i)).rotation.frame().into_iter().zip(b.moments) {
                    spin = spin + axis * (axis.dot(l) / moment);
                }
                self.set_motion(i, p * (1.0 / b.mass), spin);
            }
            self.wake(i);
        }
    }
}

impl Rods {
    /// Where they may be in a step: twice as far as anything is expected to go. On the GPU around the ends that hold them, where these tell.
    fn expected_way(&self, dt: f64) -> Bounds<f64> {
        #[cfg(feature = "gpu")]
        if let Some(around) = self.gpu.as_ref().and_then(|_| self.box_of_ends()) {
            return around;
        }
        self.way_box(0..self.strand_count(), 2.0 * dt)
    }

    /// The box around all vertices and where `t` seconds take them; infinite where there is no knowing.
    pub(super) fn way_box(&self, strand: core::ops::Range<usize>, t: f64) -> Bounds<f64> {
        let mut out: Option<Bounds<f64>> = None;
        for s in strand {
            for v in 0..self.counts()[s] as usize {
                let x = self.state3(s, v, state::X);
                let way = at_point(x).around(&at_point(x + self.state3(s, v, state::U) * t));
                out = Some(out.map_or(way, |b| b.around(&way)));
            }
        }
        out.unwrap_or(at_point(Vec3::zero()))
    }
}

impl World {
    /// How many of the colliders are shapes of dynamic bodies.
    pub(super) fn dynamic_rod_shapes(&self) -> usize {
        if self.dynamics.bodies.is_empty() { 0 } else { rigid!(ref self, r => r.pushed_shapes().count()) }
    }

    /// Which rods push bodies in the step: those that come near one, by boxes around the ways of both.
    ///
    /// `piece`: the boxes of bodies reach so many seconds ahead; in a long step bodies go on.
    pub(super) fn find_meetings(&mut self, dt: f64, piece: Option<f64>) {
        self.touches.touches.clear();
        let g = Vec3::from(self.desc.gravity).length();
        for (_, rods) in self.rods.iter_mut() {
            rods.meets = None;
            let Some(piece) = piece.filter(|_| !rods.desc.one_way && !rods.rest.asleep && rods.gpu.is_none()) else { continue };
            rods.meets = rigid!(ref self, r => r.box_near_bodies(rods, dt, dt - piece, g));
        }
    }

    /// Where bodies are in this substep: their shapes near rods that push them.
    pub(super) fn list_touched(&mut self) {
        let mut sides = core::mem::take(&mut self.touches.sides);
        sides.clear();
        rigid!(ref self, r => r.list_sides(&self.dynamics.bodies, &self.rods, &mut sides));
        self.touches.sides = sides;
    }

    /// The bodies that a ball of a net with the displacement `u` is within `reach` of. `motions`: what the net has bodies do, if that is known.
    pub(super) fn meet_bodies(
        &self,
        ball: &Ball,
        u: Vec3<f64>,
        reach: f64,
        motions: Option<&[Motion]>,
        put: &mut dyn FnMut(Met),
    ) {
        let at = ball.x + u;
        let far = grown(at_point(at), 2.0 * ball.radius + reach);
        for side in &self.touches.sides {
            let Some(body) = self.held.get(side.slot) else { continue };
            let apart = side.mask & ball.layers[0] == 0 || ball.layers[1] & side.category == 0;
            if apart || !far.overlaps(&side.bounds) {
                continue;
            }
            let by = motions.zip(body.anchor).map_or([Vec3::zero(); 2], |(all, anchor)| motion_of(all, anchor));
            let place = body.moved(by);
            let shape = place.compose(side.local);
            let near = rigid!(ref self, r => r.gap(side.proxy, shape, at, ball.radius + reach));
            let Some((distance, normal)) = near else { continue };
            let gap = distance - ball.radius;
            if gap < reach {
                let arm = at - place.position;
                let (on, of) = (body.anchor.map(|anchor| (anchor, arm)), Some((side.slot, arm, side.proxy)));
                put(Met { normal, gap, surface: body.slide(arm), friction: side.friction, on, body: of });
            }
        }
    }

    /// The vertices that may touch these shapes in a substep of `h` seconds.
    pub(super) fn find_touches(&mut self, h: f64) {
        let Touches { sides, touches, .. } = &mut self.touches;
        touches.clear();
        if sides.is_empty() {
            return;
        }
        let fall = Vec3::from(self.desc.gravity).length() * h * h;
        for (id, rods) in self.rods.iter().filter(|(_, r)| r.meets.is_some()) {
            // Sweeps may take a vertex farther than its velocity does.
            let reach = rods.max_radius() + 0.25 * rods.reach.edge() + fall;
            let tied = |body: Id, strand: u32, tip: bool| {
                let tie = rods.ties.get(&(strand, tip)).and_then(|&t| self.attachments.get(t).ok());
                tie.is_some_and(|t| t.body() == Some(body))
            };
            for (strand, &count) in rods.counts().iter().enumerate() {
                let (name, count) = (strand as u32, count as usize);
                let around = grown(rods.way_box(strand..strand + 1, h), reach);
                for (side, s) in sides.iter().enumerate() {
                    if !meets(&rods.desc, s.category, s.mask) || !around.overlaps(&s.bounds) {
                        continue;
                    }
                    let first = if tied(s.body, name, false) { TIED } else { 0 };
                    let last = if tied(s.body, name, true) { count.saturating_sub(TIED) } else { count };
                    for v in first..last {
                        let x = rods.state3(strand, v, state::X);
                        let way = at_point(x).around(&at_point(x + rods.state3(strand, v, state::U) * h));
                        if grown(way, reach).overlaps(&s.bounds) {
                            touches.push(Touch {
                                rods: id,
                                strand: name,
                                vertex: v as u32,
                                side: side as u32,
                                closed: false,
                                pressed: false,
                            });
                        }
                    }
                }
            }
        }
    }

    /// One pass over all touches of what is swept. Both sides take the same impulse at the vertex, with friction.
    pub(super) fn solve_touches(&mut self, h: f64) -> Result<()> {
        for k in 0..self.touches.touches.len() {
            let t = self.touches.touches[k];
            let side = self.touches.sides[t.side as usize];
            let Some(held) = self.held.get_mut(side.slot) else { continue };
            let rods = self.rods.get_mut(t.rods)?;
            if rods.can_be_pressed() && rods.order() == SweepOrder::Direct {
                continue;
            }
            let (s, v) = (t.strand as usize, t.vertex as usize);
            let u = rods.state3(s, v, state::U);
            let x = rods.state3(s, v, state::X) + u;
            let place = held.place().compose(side.local);
            let radius = rods.contact_radius(s, v);
            let found = rigid!(ref self, r => r.gap(side.proxy, place, x, radius));
            self.touches.touches[k].closed = found.is_some();
            let Some((gap, normal)) = found else { continue };
            let friction = (rods.desc.friction * side.friction).sqrt();
            let contact = Contact { x, u, w: rods.param(s, v, param::W), normal, depth: radius - gap, friction };
            let impulse = contact.solve(held, h);
            if contact.w > 0.0 && impulse != Vec3::zero() {
                rods.displace(s, v, state::U, impulse * contact.w);
                rods.add_spin(s, x, impulse);
            }
        }
        Ok(())
    }

    /// After the step.
    pub(super) fn settle_loads(&mut self, dt: f64) {
        let d = &mut self.dynamics;
        if self.desc.double_precision {
            d.double.settle_loads(&d.bodies, dt);
        } else {
            d.single.settle_loads(&d.bodies, dt);
        }
    }
}

/// A vertex at `x` with the displacement `u` in the substep, m, and inverse mass `w`, `depth` deep in a body.
struct Contact {
    x: Vec3<f64>,
    u: Vec3<f64>,
    w: f64,
    normal: Vec3<f64>,
    depth: f64,
    friction: f64,
}

impl Contact {
    /// The impulse over h, kg m, that the vertex takes; the body has taken the opposite.
    fn solve(&self, held: &mut Held, h: f64) -> Vec3<f64> {
        let n = self.normal;
        let arm = self.x - held.place().position;
        let resist = held.inverse_mass_at(arm);
        let approach = (held.slide(arm) - self.u).dot(n).max(0.0);
        let depth = self.depth.min(approach + MOST_PUSH * h);
        let inverse = self.w + n.dot(resist.mul(n));
        if depth <= 0.0 || inverse <= 0.0 {
            return Vec3::zero();
        }
        let press = depth / inverse;
        held.push(-(n * press), arm);
        // Across, what is left of the slip, as far as friction goes.
        let arm = self.x - held.place().position;
        let slip = self.u + n * (press * self.w) - held.slide(arm);
        let slip = slip - n * slip.dot(n);
        let length = slip.length();
        if length < 1e-15 {
            return n * press;
        }
        let along = slip * (1.0 / length);
        let grip = (length / (self.w + along.dot(resist.mul(along)))).min(self.friction * press);
        held.push(along * grip, arm);
        n * press - along * grip
    }
}
