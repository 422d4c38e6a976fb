//! Contacts of rods that are swept: between two sweeps each contact is solved for itself, one after the other, like the constraints of the rods
//! (`docs/internals/contact.md`, Swept rods that keep their volume).
//!
//! ```text
//! C = max(gap₀ + n·(p_a − p_b) − δr_a − δr_b, −MOST radii)      p, δr: what points and radii have done in the substep
//! λ ← max(0, λ − (C + α̃ λ)/(w + α̃))               w = Σ shares² · (1/m + what the radius gives), α̃ = w/FIRM: a firm spring
//!                                                 whose force has a bound
//! f ← f − slip/w, no longer than μ λ
//! ```
//! λ and f are those of the substep so far: what one sweep has pushed too far, the next takes back. Where rods keep their volume their radii are unknowns too
//! (Angles et al. 2019, eq. 31): what is pressed gives way by thinning.

use super::meet::{Meeting, meet};
use super::near::{Allowance, Near};
use super::press::{Pressed, pair_of};
use super::strands::Strands;
use crate::math::Vec3;

/// A contact is a spring: in a substep it is so many times as stiff as what it moves is inert. (Limbs that are caught between the pills of a body, which
/// point different ways, then find a place to rest. Pushed out by a given part in each substep, they trembled at 0.3 m/s for ever.)
const FIRM: f64 = 20.0;
/// Of both radii, the overlap at which its force has its bound: FIRM times that is how far an approach is stopped in a substep.
const MOST: f64 = 0.2;
/// Of both radii, how deep is not deep yet: what rests goes on touching.
const REST: f64 = 0.01;

/// How often each contact is solved after a sweep. (With one, friction and what presses found no end, and a pile trembled; `docs/internals/volume.md`.)
const PASSES: usize = 4;

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
struct Row {
    edges: [u32; 2],
    point: u32,
    /// The four vertices among those that are touched, and their parts.
    at: [u32; 4],
    share: [f64; 4],
    normal: Vec3<f64>,
    /// When the substep began, and the least that counts, m.
    gap: f64,
    least: f64,
    friction: f64,
    /// What an impulse along the normal does to the gap, and one across it to the slip, 1/kg.
    give: [f64; 2],
    /// kg m
    pressed: f64,
    dragged: Vec3<f64>,
}

/// All contacts of a substep.
#[derive(Debug, Default)]
pub struct Relax {
    rows: Vec<Row>,
    /// The vertices that are touched, and where each is among them; `u32::MAX`: not.
    pub touched: Vec<u32>,
    place: Vec<u32>,
    /// As the world has read them.
    pub points: Vec<Point>,
}

impl Row {
    fn sum(&self, points: &[Point]) -> Vec3<f64> {
        (0..4).fold(Vec3::zero(), |way, k| way + points[self.at[k] as usize].u * self.share[k])
    }
    fn swell(&self, points: &[Point]) -> f64 {
        (0..4).map(|k| points[self.at[k] as usize].swell * self.share[k].abs()).sum()
    }
    fn put(&self, impulse: Vec3<f64>, points: &mut [Point]) {
        for k in 0..4 {
            let p = &mut points[self.at[k] as usize];
            p.u = p.u + impulse * (p.weight * self.share[k]);
        }
    }

    /// Solves it with all that is known of the others.
    fn solve(&mut self, points: &mut [Point]) {
        let gap = (self.gap + self.normal.dot(self.sum(points)) - self.swell(points)).max(self.least);
        // (C + α̃ λ)/(w + α̃) with α̃ = w/FIRM.
        let given = self.pressed * (self.give[0] / FIRM);
        let step = (gap + given) * (FIRM / (1.0 + FIRM)) / self.give[0];
        self.press((self.pressed - step).max(0.0), points);
        let most = self.friction * self.pressed;
        if most == 0.0 && self.dragged.length2() == 0.0 {
            return;
        }
        let way = self.sum(points);
        let slip = way - self.normal * self.normal.dot(way);
        let wanted = self.dragged - slip * (1.0 / self.give[1]);
        let length = wanted.length();
        let now = if length > most { wanted * (most / length) } else { wanted };
        self.drag(now, points);
    }

    fn press(&mut self, to: f64, points: &mut [Point]) {
        let by = to - core::mem::replace(&mut self.pressed, to);
        if by != 0.0 {
            self.put(self.normal * by, points);
            for k in 0..4 {
                let p = &mut points[self.at[k] as usize];
                let squeeze = -by * self.share[k].abs();
                p.swell += squeeze * p.swell_weight;
                p.squeeze += squeeze;
            }
        }
    }
    fn drag(&mut self, to: Vec3<f64>, points: &mut [Point]) {
        self.put(to - self.dragged, points);
        self.dragged = to;
    }
}

impl Relax {
    /// Finds the contacts of the substep that begins, from where the strands are and go by themselves. `when`: its number.
    pub fn find(&mut self, strands: &Strands, near: &mut Near, allowed: &[Allowance], when: u32) {
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
        near.visit(strands, |c| {
            let pair = pair_of(strands, c.edges, allowed, &mut free);
            let (start, mut point) = (pair.nearest(0.0), 0);
            (c.gap, c.when) = (start.gap, when);
            meet(&pair, &start, |m| {
                self.put(strands, c.edges, point, &m);
                point += 1;
            });
        });
        self.points.clear();
        self.points.resize(self.touched.len(), Point::default());
    }

    fn touch(&mut self, v: u32) -> u32 {
        let place = &mut self.place[v as usize];
        if *place == u32::MAX {
            *place = self.touched.len() as u32;
            self.touched.push(v);
        }
        *place
    }

    fn put(&mut self, strands: &Strands, edges: [u32; 2], point: u32, m: &Meeting) {
        let ([a, b], [s, t]) = (edges, m.share);
        let (vertices, share) = ([a, a + 1, b, b + 1], [1.0 - s, s, t - 1.0, -t]);
        let v = vertices.map(|v| &strands.vertices[v as usize]);
        let radii = v[0].radius.min(v[1].radius) + v[2].radius.min(v[3].radius);
        let (gap, least) = (m.gap + REST * radii, -MOST * radii);
        let at = vertices.map(|v| self.touch(v));
        let friction = (strands.set_of(a).friction * strands.set_of(b).friction).sqrt();
        let (normal, give) = (m.normal, [0.0; 2]);
        self.rows.push(Row { edges, point, at, share, normal, gap, least, friction, give, pressed: 0.0, dragged: Vec3::zero() });
    }

    /// Once the points have their weights. What moves on neither side, held or asleep, has no contact.
    pub fn weigh(&mut self) {
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

    /// What contacts were pressed with in the last substep is where they start.
    pub fn warm(&mut self, h: f64, before: &[Pressed]) {
        let mut k = 0;
        for r in &mut self.rows {
            let key = (r.edges, r.point);
            while before.get(k).is_some_and(|p| (p.edges, p.point) < key) {
                k += 1;
            }
            if let Some(p) = before.get(k).filter(|p| (p.edges, p.point) == key) {
                let impulse = p.force * (h * h);
                r.press(r.normal.dot(impulse).max(0.0), &mut self.points);
                let across = impulse - r.normal * r.normal.dot(impulse);
                let (most, length) = (r.friction * r.pressed, across.length());
                r.drag(if length > most { across * (most / length) } else { across }, &mut self.points);
            }
        }
    }

    /// All contacts, forwards and backwards in turn.
    pub fn pass(&mut self) {
        let points = &mut self.points;
        for _ in 0..PASSES / 2 {
            self.rows.iter_mut().for_each(|r| r.solve(points));
            self.rows.iter_mut().rev().for_each(|r| r.solve(points));
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
    }
}
