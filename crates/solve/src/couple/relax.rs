//! Contacts of rods that are swept: between two sweeps each contact is solved for itself, one after the other, like the constraints of the rods
//! (`docs/internals/contact.md`, Swept rods that keep their volume).
//!
//! ```text
//! C = max(gap₀ + n·(p_a − p_b) − δr_a − δr_b, −MOST radii)      p, δr: what points and radii have done in the substep
//! λ ← max(0, λ − (C + α̃ λ)/(w + α̃))               w = Σ shares² · (1/m + what the radius gives), α̃ = w/FIRM: a firm spring
//!                                                 whose force has a bound
//! f ← f − slip/w, no longer than μ λ
//! ```
//! λ and f are those of the substep so far: what one sweep has pushed too far, the next takes back. `lanes.rs` solves several at once. Where
//! rods keep their volume their radii are unknowns too (Angles et al. 2019, eq. 31): what is pressed gives way by thinning.

use super::distances::Distances;
use super::lanes::Lanes;
use super::meet::{Look, Meeting, meet, pass};
use super::near::{Allowance, Near};
use super::press::{Pressed, pair_of};
use super::strands::Strands;
use crate::math::{Isa, Vec3};

/// Of both radii, the overlap at which a contact's force has its bound: `FIRM` times that is how far an approach is stopped in a substep.
const MOST: f64 = 0.2;
/// Of both radii, how deep is not deep yet: what rests goes on touching.
const REST: f64 = 0.01;

/// A vertex that is touched: what it and its radius have done in the substep, m, and the inverse masses of both, 1/kg.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    pub u: Vec3<f64>,
    pub swell: f64,
    pub weight: f64,
    pub swell_weight: f64,
    /// What contacts have done to the radius since it was read, kg m.
    pub squeeze: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    edges: [u32; 2],
    point: u32,
    /// The four vertices, by number, then among those that are touched, and their parts.
    pub at: [u32; 4],
    pub share: [f64; 4],
    pub normal: Vec3<f64>,
    /// When the substep began, and the least that counts, m.
    pub gap: f64,
    pub least: f64,
    pub friction: f64,
    /// What an impulse along the normal does to the gap, and one across it to the slip, 1/kg.
    pub give: [f64; 2],
    /// kg m
    pub pressed: f64,
    pub dragged: Vec3<f64>,
}

/// All contacts of a substep.
#[derive(Debug, Default)]
pub struct Relax {
    rows: Vec<Row>,
    /// The vertices that are touched, in order, and where each is among them; `u32::MAX`: not.
    pub touched: Vec<u32>,
    place: Vec<u32>,
    /// As the world has read them.
    pub points: Vec<Point>,
    /// In f32; in f64 one after the other.
    distances: Distances,
    single: Lanes<f32>,
    double: Lanes<f64>,
}

impl Row {
    /// Gives its vertices an impulse that it begins with, along the normal and across it.
    fn begin(&mut self, (pressed, dragged): (f64, Vec3<f64>), points: &mut [Point]) {
        (self.pressed, self.dragged) = (pressed, dragged);
        let impulse = self.normal * pressed + dragged;
        for k in 0..4 {
            let p = &mut points[self.at[k] as usize];
            p.u = p.u + impulse * (p.weight * self.share[k]);
            let squeeze = pressed * self.share[k].abs();
            p.swell -= squeeze * p.swell_weight;
            p.squeeze -= squeeze;
        }
    }
}

impl Relax {
    /// Finds the contacts of the substep that begins, from where the strands are and go by themselves. `when`: its number.
    pub fn find(&mut self, strands: &Strands, near: &mut Near, allowed: &[Allowance], when: u32, how: (Isa, bool)) {
        let vertices = strands.vertices.len();
        if self.place.len() == vertices {
            self.touched.iter().for_each(|&v| self.place[v as usize] = u32::MAX);
        } else {
            self.place.clear();
            self.place.resize(vertices, u32::MAX);
        }
        self.touched.clear();
        self.rows.clear();
        let mut free = 0;
        let mut distances = core::mem::take(&mut self.distances);
        near.list(strands);
        distances.of_listed(strands, near, when, how);
        near.visit_listed(strands, |k, c| {
            let pair = pair_of(strands, c.edges, allowed, &mut free);
            let (start, mut point) = (distances.start(k, &pair), 0);
            (c.gap, c.when) = (start.gap, when);
            meet(&pair, &start, Look::Long, |m| {
                self.put(strands, c.edges, point, &m);
                point += 1;
            });
        });
        self.distances = distances;
        // In the order of their numbers: as they lie in memory.
        self.touched.sort_unstable();
        for (k, &v) in self.touched.iter().enumerate() {
            self.place[v as usize] = k as u32;
        }
        for r in &mut self.rows {
            r.at = r.at.map(|v| self.place[v as usize]);
        }
        self.points.clear();
        self.points.resize(self.touched.len(), Point::default());
    }

    /// As `Press::stop`: what still comes into others. Distances when the substep began are those of [`Relax::find`], whenever a pair is looked at first.
    pub fn stop(
        &mut self,
        strands: &Strands,
        near: &mut Near,
        allowed: &[Allowance],
        when: u32,
        how: (Isa, bool),
        mut put: impl FnMut(u32, f64),
    ) {
        if !near.find_fast(strands) {
            return;
        }
        let (mut free, mut unseen) = (0, 0);
        near.list_fast(strands);
        self.distances.of_listed(strands, near, when, how);
        near.visit_listed(strands, |_, c| {
            let pair = pair_of(strands, c.edges, allowed, &mut free);
            if c.when != when {
                (c.gap, c.when) = (self.distances.start(unseen, &pair).gap, when);
                unseen += 1;
            }
            if let Some(m) = pass(&pair, c.gap, Look::Long) {
                c.edges.iter().for_each(|&e| put(strands.vertices[e as usize].strand, m.time));
            }
        });
    }

    fn touch(&mut self, v: u32) {
        let place = &mut self.place[v as usize];
        if *place == u32::MAX {
            *place = 0;
            self.touched.push(v);
        }
    }

    fn put(&mut self, strands: &Strands, edges: [u32; 2], point: u32, m: &Meeting) {
        let ([a, b], [s, t]) = (edges, m.share);
        let (vertices, share) = ([a, a + 1, b, b + 1], [1.0 - s, s, t - 1.0, -t]);
        let v = vertices.map(|v| &strands.vertices[v as usize]);
        let radii = v[0].radius.min(v[1].radius) + v[2].radius.min(v[3].radius);
        let (gap, least) = (m.gap + REST * radii, -MOST * radii);
        vertices.iter().for_each(|&v| self.touch(v));
        let friction = (strands.set_of(a).friction * strands.set_of(b).friction).sqrt();
        self.rows.push(Row {
            edges,
            point,
            at: vertices,
            share,
            normal: m.normal,
            gap,
            least,
            friction,
            give: [0.0; 2],
            pressed: 0.0,
            dragged: Vec3::zero(),
        });
    }

    /// Once the points have their weights: contacts begin with what they were pressed with in the last substep, of so many seconds as this, `h`. What moves on
    /// neither side, held by the host or asleep, has no contact.
    pub fn begin(&mut self, h: f64, before: &[Pressed], is_double: bool) {
        self.weigh();
        self.warm(h, before);
        match is_double {
            true => self.double.pack(&self.rows, &self.points),
            false => self.single.pack(&self.rows, &self.points),
        }
    }

    fn weigh(&mut self) {
        let points = &self.points;
        self.rows.retain_mut(|r| {
            let of = |weight: fn(&Point) -> f64| -> f64 {
                (0..4).map(|k| r.share[k] * r.share[k] * weight(&points[r.at[k] as usize])).sum()
            };
            let across = of(|p| p.weight);
            r.give = [across + of(|p| p.swell_weight), across];
            across > 0.0
        });
    }

    fn warm(&mut self, h: f64, before: &[Pressed]) {
        let mut k = 0;
        for r in &mut self.rows {
            let key = (r.edges, r.point);
            while before.get(k).is_some_and(|p| (p.edges, p.point) < key) {
                k += 1;
            }
            if let Some(p) = before.get(k).filter(|p| (p.edges, p.point) == key) {
                let impulse = p.force * (h * h);
                let pressed = r.normal.dot(impulse).max(0.0);
                let across = impulse - r.normal * r.normal.dot(impulse);
                let (most, length) = (r.friction * pressed, across.length());
                r.begin((pressed, if length > most { across * (most / length) } else { across }), &mut self.points);
            }
        }
    }

    /// All contacts, several times, from where the points are: then they are where contacts take them.
    pub fn pass(&mut self, isa: Isa, is_double: bool) {
        if is_double {
            self.double.put_points(&self.points);
            self.double.pass();
            self.double.take_points(&mut self.points);
        } else {
            self.single.put_points(&self.points);
            self.single.pass(isa);
            self.single.take_points(&mut self.points);
        }
    }

    /// How hard they are pressed by now.
    pub fn end(&mut self, is_double: bool) {
        match is_double {
            true => self.double.take_pushed(&mut self.rows),
            false => self.single.take_pushed(&mut self.rows),
        }
    }

    /// What the contacts were pressed with in a substep of `h` seconds, but for what is kept of those that sleep.
    pub fn keep(&self, strands: &Strands, h: f64, before: &mut Vec<Pressed>) {
        let asleep = |e: u32| strands.vertices.get(e as usize).is_some_and(|v| v.asleep);
        before.retain(|p| asleep(p.edges[0]) && (p.is_at_body() || asleep(p.edges[1])));
        let kept = before.len();
        before.extend(self.rows.iter().filter(|r| r.pressed > 0.0).map(|r| Pressed {
            edges: r.edges,
            point: r.point,
            share: [r.share[1], -r.share[3]],
            force: (r.normal * r.pressed + r.dragged) * (1.0 / (h * h)),
        }));
        if kept > 0 {
            before.sort_unstable_by_key(|p| (p.edges, p.point));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
            + (self.touched.capacity() + self.place.capacity()) * 4
            + self.points.capacity() * size_of::<Point>()
            + self.distances.memory_bytes()
            + self.single.memory_bytes()
            + self.double.memory_bytes()
    }
}
