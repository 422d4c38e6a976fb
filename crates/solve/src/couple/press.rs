//! The forces of contact of rods with rods and with bodies that they push: λ ≥ 0 and |friction| ≤ μ λ, by projected gradients with the step lengths of Barzilai and Borwein (spectral
//! projected gradients, Birgin, Martínez and Raydan 2000). Each iteration asks the strands once what they answer to a change of all forces.
//!
//! ```text
//! g = J (δ + H⁻¹ Jᵀ λ) + gap + ε λ       what is left of each gap, and the slip
//! d = P(λ − α g) − λ                     P: into the cone whose radius is μ times the pressing force of now
//! λ ← λ + a d + b s                      s: the last step; the least of both, W = J H⁻¹ Jᵀ + ε being the answer
//! ```
//! Where no force reaches its bounds the two ways make it conjugate gradients.

use super::meet::{Look, Meeting, NEAR, Pair, meet, pass};
use super::near::{Allowance, Near};
use super::strands::Strands;
use crate::math::{Sym3, Vec3};

/// A contact gives by this part of what its strands give, so that two contacts which hold the same thing share it.
const SOFT: f64 = 1e-3;
/// Of an overlap, what is undone in a substep, at most as much as the pairs may be pushed apart.
const UNDONE: f64 = 0.2;
/// Of both radii, the overlap of which that much is undone; of less, less, and of little that part of it: what is pushed out has a velocity.
const MUCH: f64 = 0.05;
const LITTLE: f64 = 0.05;
/// Of what vertices give alone, the least that strands are believed to give: what is less is rounding.
const LEAST: f64 = 1e-6;
/// Cosine of the angle between two normals that are one.
const SAME: f64 = 0.99;
/// Of both radii, the overlap that stays, so that what rests goes on touching.
const REST: f64 = 0.01;

/// Iterations, at least. What is within the tolerance gets better all the same, from substep to substep: else forces are not told of slow motion at all, and
/// ropes that lie on each other swing by a quarter of a millimetre for ever.
const FEWEST: usize = 2;
/// See [`Strength::bound`].
const MORE: usize = 4;

/// Marks the number of a body's shape among those of edges.
const SHAPE: u32 = 1 << 31;

/// A body that strands touch: what a force at its centre and a moment do to it in the substep, m/N and rad/(N m).
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    pub shift: f64,
    pub turn: Sym3<f64>,
}

impl Mass {
    /// What a force on the arm does to the arm's end.
    fn give(&self, arm: Vec3<f64>, n: Vec3<f64>) -> f64 {
        let moment = arm.cross(n);
        self.shift + moment.dot(self.turn.mul(moment))
    }
}

/// A vertex of a strand at a body.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub vertex: u32,
    /// The body among those of [`Press::begin`], and its shape, by a number that stays from substep to substep.
    pub body: u32,
    pub shape: u32,
    /// From the body's centre to the vertex where it would go by itself, and out of the body.
    pub arm: Vec3<f64>,
    pub normal: Vec3<f64>,
    /// Between the two when the substep began, and at its end if nothing more happens to them, m.
    pub gap: [f64; 2],
    /// How far the vertex goes against the body's surface in the substep, m.
    pub slip: Vec3<f64>,
    pub friction: f64,
}

/// One contact.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Of rods; or a vertex and, with [`SHAPE`], the shape of a body.
    edges: [u32; 2],
    /// Which of a pair's two points.
    point: u32,
    /// Its four vertices among those that are touched, and their parts in it.
    at: [u32; 4],
    share: [f64; 4],
    /// The other side, if it is a body, and the arm of the contact on it.
    body: Option<(u32, Vec3<f64>)>,
    axes: [Vec3<f64>; 3],
    /// What the strands do by themselves: the gap that is left at the end of the substep, and the slip, m.
    left: [f64; 3],
    friction: f64,
    /// What each of the two strands gives along the normal, and across it, m/N.
    give: [f64; 2],
    /// Has been told what the strands give.
    known: bool,
    force: [f64; 3],
    rest: [f64; 3],
    way: [f64; 3],
    /// What the way does to the gap and the slip.
    seen: [f64; 3],
    /// The last step, and what it did.
    last: [f64; 3],
    last_seen: [f64; 3],
}

/// What a contact was pressed with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressed {
    pub edges: [u32; 2],
    pub point: u32,
    /// Where it is on each.
    pub share: [f64; 2],
    /// On the first edge, N.
    pub force: Vec3<f64>,
}

/// How far the forces are solved.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// Iterations, at most.
    pub iterations: usize,
    /// What may be left of a gap or a slip, m.
    pub tolerance: f64,
    /// Where more is left than this, m, it takes as many iterations again, [`MORE`] times at most.
    pub bound: f64,
    /// How far two rods may be pushed apart in a substep, m.
    pub most: f64,
}

/// Contacts of one iteration of a substep, and the forces of the last.
#[derive(Debug, Default)]
pub struct Press {
    rows: Vec<Row>,
    /// The vertices that contacts touch, and where they are among them, by vertex; `u32::MAX`: not.
    pub touched: Vec<u32>,
    place: Vec<u32>,
    /// Loads on the touched vertices, N, and what they do, m.
    loads: Vec<Vec3<f64>>,
    moves: Vec<Vec3<f64>>,
    /// What of the loads is in the strands' own ways already, N.
    applied: Vec<Vec3<f64>>,
    /// The bodies, forces and moments on them, what these do, and what has been done to them in this substep.
    masses: Vec<Mass>,
    body_loads: Vec<[Vec3<f64>; 2]>,
    body_moves: Vec<[Vec3<f64>; 2]>,
    given: Vec<[Vec3<f64>; 2]>,
    pub before: Vec<Pressed>,
}

impl Pressed {
    /// Whether it is at a body.
    pub(super) fn is_at_body(&self) -> bool {
        self.edges[1] & SHAPE != 0
    }
    /// Puts what it does to its vertices, N.
    pub fn loads(&self, mut put: impl FnMut(u32, Vec3<f64>)) {
        let ([a, b], [s, t]) = (self.edges, self.share);
        if self.is_at_body() {
            return put(a, self.force);
        }
        for (vertex, part) in [(a, 1.0 - s), (a + 1, s), (b, t - 1.0), (b + 1, -t)] {
            put(vertex, self.force * part);
        }
    }
}

impl Row {
    fn give_at(&self, k: usize) -> f64 {
        self.give[usize::from(k > 0)]
    }
    fn force(&self, f: &[f64; 3]) -> Vec3<f64> {
        self.axes[0] * f[0] + self.axes[1] * f[1] + self.axes[2] * f[2]
    }
    /// J of what the touched vertices and the bodies do.
    fn see(&self, moves: &[Vec3<f64>], bodies: &[[Vec3<f64>; 2]]) -> [f64; 3] {
        let mut way = Vec3::zero();
        for k in 0..4 {
            way = way + moves[self.at[k] as usize] * self.share[k];
        }
        if let Some((body, arm)) = self.body {
            let [shift, turn] = bodies[body as usize];
            way = way - (shift + turn.cross(arm));
        }
        self.axes.map(|a| a.dot(way))
    }
    /// Jᵀ of a force.
    fn put_load(&self, f: &[f64; 3], loads: &mut [Vec3<f64>], bodies: &mut [[Vec3<f64>; 2]]) {
        let f = self.force(f);
        for k in 0..4 {
            let load = &mut loads[self.at[k] as usize];
            *load = *load + f * self.share[k];
        }
        if let Some((body, arm)) = self.body {
            let [force, moment] = &mut bodies[body as usize];
            (*force, *moment) = (*force - f, *moment - arm.cross(f));
        }
    }
    /// From a step of `alone` ways, how far towards `a` ways and `b` last steps the force may go, 0 to 1.
    fn room(&self, alone: f64, a: f64, b: f64) -> f64 {
        let at = |k: usize| self.force[k] + alone * self.way[k];
        let by = |k: usize| (a - alone) * self.way[k] + b * self.last[k];
        let (n, dn) = (at(0), by(0));
        let mut far = if n + dn < 0.0 { if dn < 0.0 { (n / -dn).max(0.0) } else { 0.0 } } else { 1.0 };
        // Across, the friction of the force of before.
        let most = self.friction * self.force[0];
        let (x, y, dx, dy) = (at(1), at(2), by(1), by(2));
        if (x + dx) * (x + dx) + (y + dy) * (y + dy) > most * most {
            // |x + far dx| = most
            let (dd, xd, xx) = (dx * dx + dy * dy, x * dx + y * dy, x * x + y * y);
            let root = (xd * xd + dd * (most * most - xx)).max(0.0).sqrt();
            far = far.min(if dd > 0.0 { ((root - xd) / dd).max(0.0) } else { 0.0 });
        }
        far
    }
    /// The nearest force that a contact can have, where friction holds `most`.
    fn possible(f: [f64; 3], most: f64) -> [f64; 3] {
        let across = (f[1] * f[1] + f[2] * f[2]).sqrt();
        // A force that has gone to nothing may be less by rounding.
        let most = most.max(0.0);
        let part = if across > most { most / across } else { 1.0 };
        [f[0].max(0.0), f[1] * part, f[2] * part]
    }
}

fn across(n: Vec3<f64>) -> Vec3<f64> {
    let other = if n.x.abs() < 0.6 { Vec3 { x: 1.0, y: 0.0, z: 0.0 } } else { Vec3 { x: 0.0, y: 1.0, z: 0.0 } };
    let t = other - n * n.dot(other);
    t * (1.0 / t.length())
}

/// The gap that a contact is taken to have: what overlaps is pushed out slowly; what is apart may come together.
pub(super) fn pushed_out(gap: f64, radii: f64, strength: &Strength) -> f64 {
    let over = (gap + REST * radii).min(0.0);
    let part = (-over / (MUCH * radii)).clamp(LITTLE, 1.0);
    if gap > 0.0 { gap } else { (UNDONE * part * over).max(-strength.most) }
}

/// `k`: allowances of pairs before it have been passed.
pub(super) fn pair_of(strands: &Strands, edges: [u32; 2], allowed: &[Allowance], k: &mut usize) -> Pair {
    while allowed.get(*k).is_some_and(|a| a.0 < edges) {
        *k += 1;
    }
    let allowed = allowed.get(*k).filter(|a| a.0 == edges).map_or(0.0, |a| a.1);
    let [a, b] = edges.map(|e| &strands.vertices[e as usize..e as usize + 2]);
    Pair::new(a, b, allowed, strands.is_whole(edges))
}

impl Press {
    /// A substep begins, in which strands may touch these bodies.
    pub fn meet_bodies(&mut self, masses: impl Iterator<Item = Mass>) {
        self.masses.clear();
        self.masses.extend(masses);
        self.given.clear();
        self.given.resize(self.masses.len(), [Vec3::zero(); 2]);
    }

    /// No contacts yet; what pressed the last time is in the ways of the strands: in those of Newton's method from their loads, in those of sweeps once they
    /// have got it, so not yet in the first iteration of a substep.
    pub fn begin(&mut self, strands: &Strands, first: bool) {
        self.body_moves.clear();
        self.body_moves.resize(self.masses.len(), [Vec3::zero(); 2]);
        let vertices = strands.vertices.len();
        if self.place.len() == vertices {
            self.touched.iter().for_each(|&v| self.place[v as usize] = u32::MAX);
        } else {
            self.place.clear();
            self.place.resize(vertices, u32::MAX);
        }
        self.rows.clear();
        self.touched.clear();
        self.applied.clear();
        for k in 0..self.before.len() {
            let pressed = self.before[k];
            pressed.loads(|v, f| {
                if strands.vertices.get(v as usize).is_some_and(|v| v.loaded || !first) {
                    let at = self.touch(v) as usize;
                    self.applied[at] = self.applied[at] + f;
                }
            });
        }
    }

    /// Where a vertex is among those that are touched.
    fn touch(&mut self, v: u32) -> u32 {
        let place = &mut self.place[v as usize];
        if *place == u32::MAX {
            *place = self.touched.len() as u32;
            self.touched.push(v);
            self.applied.push(Vec3::zero());
        }
        *place
    }

    pub fn contacts(&self) -> usize {
        self.rows.len()
    }
    /// Neither contacts nor loads of before.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// How many contacts the pair has; `k`: those of pairs before it have been passed.
    fn of_pair(&self, pair: [u32; 2], k: &mut usize, known: usize) -> u32 {
        while *k < known && self.rows[*k].edges < pair {
            *k += 1;
        }
        self.rows[*k..known].iter().take_while(|r| r.edges == pair).count() as u32
    }

    /// Looks how all pairs meet that have no contact yet, and which of the others still come into each other; tells whether there are new contacts.
    /// `when`: the substep's number.
    pub fn find(&mut self, strands: &Strands, near: &mut Near, allowed: &[Allowance], when: u32, strength: &Strength) -> bool {
        let (known, mut k, mut free) = (self.rows.len(), 0, 0);
        near.visit(strands, |c| {
            let edges = c.edges;
            let before = self.of_pair(edges, &mut k, known);
            let pair = pair_of(strands, edges, allowed, &mut free);
            if before > 0 {
                if c.when != when {
                    (c.gap, c.when) = (pair.nearest(0.0).gap, when);
                }
                let Some(m) = pass(&pair, c.gap, Look::Short) else { return };
                let same = |r: &Row| {
                    r.axes[0].dot(m.normal) > SAME && (r.share[1] - m.share[0]).abs() + (r.share[3] + m.share[1]).abs() < 0.1
                };
                if !self.rows[k..k + before as usize].iter().any(same) {
                    self.put(strands, edges, before, &m, strength);
                }
                return;
            }
            if c.when == when && !(c.gap <= pair.approach() + NEAR * pair.radii()) {
                return;
            }
            let (start, mut point) = (pair.nearest(0.0), 0);
            (c.gap, c.when) = (start.gap, when);
            meet(&pair, &start, Look::Short, |m| {
                self.put(strands, edges, point, &m, strength);
                point += 1;
            });
        });
        self.rows.len() > known
    }

    /// After contacts have been added.
    pub fn order(&mut self) {
        self.rows.sort_unstable_by_key(|r| (r.edges, r.point));
    }

    /// Strands that still come into others, although all has been tried, stop before they do: puts (strand, part of its way) for both.
    pub fn stop(&self, strands: &Strands, near: &mut Near, allowed: &[Allowance], when: u32, mut put: impl FnMut(u32, f64)) {
        if !near.find_fast(strands) {
            return;
        }
        let mut free = 0;
        near.list_fast(strands);
        near.visit_listed(strands, |_, c| {
            let pair = pair_of(strands, c.edges, allowed, &mut free);
            if c.when != when {
                (c.gap, c.when) = (pair.nearest(0.0).gap, when);
            }
            if let Some(m) = pass(&pair, c.gap, Look::Short) {
                c.edges.iter().for_each(|&e| put(strands.vertices[e as usize].strand, m.time));
            }
        });
    }

    /// Forgets what pressed vertices from this one on.
    pub fn keep_below(&mut self, paired: u32) {
        self.before.retain(|p| p.edges[0] < paired && (p.is_at_body() || p.edges[1] < paired));
    }

    /// A contact of two edges, number `point` of theirs. They come in the order of the edges.
    fn put(&mut self, strands: &Strands, edges: [u32; 2], point: u32, m: &Meeting, strength: &Strength) {
        let ([a, b], [s, t]) = (edges, m.share);
        let (vertices, share) = ([a, a + 1, b, b + 1], [1.0 - s, s, t - 1.0, -t]);
        let v = vertices.map(|v| &strands.vertices[v as usize]);
        let give: f64 = (0..4).map(|k| share[k] * share[k] * v[k].give).sum();
        if !(give > 0.0) {
            return;
        }
        let axes = [m.normal, across(m.normal), m.normal.cross(across(m.normal))];
        let way = (0..4).fold(Vec3::zero(), |way, k| way + v[k].u * share[k]);
        let radii = v[0].radius.min(v[1].radius) + v[2].radius.min(v[3].radius);
        let gap = pushed_out(m.gap, radii, strength);
        let (one, other) = (strands.set_of(a), strands.set_of(b));
        let slip = (0..4).fold(way, |slip, k| slip + v[k].done * share[k]);
        let way = if strands.is_whole(edges) { slip } else { way };
        let left = [axes[0].dot(way) + gap, axes[1].dot(slip), axes[2].dot(slip)];
        let at = vertices.map(|v| self.touch(v));
        let friction = (one.friction * other.friction).sqrt();
        self.push(edges, point, (at, share), None, axes, left, friction, give);
    }

    /// A contact of a vertex with a body.
    pub fn touch_body(&mut self, strands: &Strands, t: &Touch, strength: &Strength) {
        let (v, mass) = (&strands.vertices[t.vertex as usize], self.masses[t.body as usize]);
        let give = v.give + mass.give(t.arm, t.normal);
        if !(give > 0.0) {
            return;
        }
        let axes = [t.normal, across(t.normal), t.normal.cross(across(t.normal))];
        let [start, end] = t.gap;
        let gap = end - start + pushed_out(start, v.radius, strength);
        let left = [gap, axes[1].dot(t.slip), axes[2].dot(t.slip)];
        let at = self.touch(t.vertex);
        let body = Some((t.body, t.arm));
        self.push([t.vertex, SHAPE | t.shape], 0, ([at; 4], [1.0, 0.0, 0.0, 0.0]), body, axes, left, t.friction, give);
    }

    #[allow(clippy::too_many_arguments, reason = "two calls; a struct would be the row itself")]
    fn push(
        &mut self,
        edges: [u32; 2],
        point: u32,
        (at, share): ([u32; 4], [f64; 4]),
        body: Option<(u32, Vec3<f64>)>,
        axes: [Vec3<f64>; 3],
        left: [f64; 3],
        friction: f64,
        give: f64,
    ) {
        let zero = [0.0; 3];
        self.rows.push(Row {
            edges,
            point,
            at,
            share,
            body,
            axes,
            left,
            friction,
            give: [give; 2],
            known: false,
            force: zero,
            rest: zero,
            way: zero,
            seen: zero,
            last: zero,
            last_seen: zero,
        });
    }

    /// Tells the new contacts what their strands give: `give(vertex)`, m/N, is what a force there does, xx, xy, xz, yy, yz, zz.
    pub fn soften(&mut self, give: impl Fn(u32) -> [f64; 6]) {
        let masses = &self.masses;
        for row in self.rows.iter_mut().filter(|r| !r.known) {
            row.known = true;
            let body = |n: Vec3<f64>| row.body.map_or(0.0, |(body, arm)| masses[body as usize].give(arm, n));
            let all = row.at.map(|k| give(self.touched[k as usize]));
            let most = row.give[0];
            let along = |n: Vec3<f64>| {
                let of = |k: usize| {
                    let [xx, xy, xz, yy, yz, zz] = all[k];
                    let m = Vec3 {
                        x: xx * n.x + xy * n.y + xz * n.z,
                        y: xy * n.x + yy * n.y + yz * n.z,
                        z: xz * n.x + yz * n.y + zz * n.z,
                    };
                    row.share[k].abs() * n.dot(m).max(0.0).sqrt()
                };
                // The ends of an edge go together.
                let (a, b) = (of(0) + of(1), of(2) + of(3));
                (a * a + b * b + body(n)).clamp(LEAST * most, most)
            };
            row.give = [along(row.axes[0]), along(row.axes[1]).max(along(row.axes[2]))];
            if row.give[0] <= LEAST * most {
                // Held from both sides: no force moves it.
                (row.left, row.force, row.friction) = ([1.0, 0.0, 0.0], [0.0; 3], 0.0);
            }
        }
    }

    /// What the contacts of before were pressed with is where these start.
    pub fn warm(&mut self) {
        let mut k = 0;
        for row in &mut self.rows {
            let key = (row.edges, row.point);
            while self.before.get(k).is_some_and(|p| (p.edges, p.point) < key) {
                k += 1;
            }
            if let Some(p) = self.before.get(k).filter(|p| (p.edges, p.point) == key) {
                let f = row.axes.map(|a| a.dot(p.force));
                row.force = Row::possible(f, row.friction * f[0].max(0.0));
            }
        }
    }

    /// Keeps the forces for the next time, and those of what sleeps.
    pub fn keep(&mut self, strands: &Strands) {
        let asleep = |e: u32| strands.vertices.get(e as usize).is_some_and(|v| v.asleep);
        self.before.retain(|p| asleep(p.edges[0]) && (p.is_at_body() || asleep(p.edges[1])));
        let kept = self.before.len();
        let pressed = self.rows.iter().filter(|r| r.force[0] > 0.0);
        self.before.extend(pressed.map(|r| {
            let share = if r.body.is_some() { [0.0; 2] } else { [r.share[1], -r.share[3]] };
            Pressed { edges: r.edges, point: r.point, share, force: r.force(&r.force) }
        }));
        if kept > 0 {
            self.before.sort_unstable_by_key(|p| (p.edges, p.point));
        }
    }

    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
            + (self.touched.capacity() + self.place.capacity()) * 4
            + (self.loads.capacity() + self.moves.capacity() + self.applied.capacity()) * 24
            + self.before.capacity() * size_of::<Pressed>()
            + self.masses.capacity() * size_of::<Mass>()
            + (self.body_loads.capacity() + self.body_moves.capacity() + self.given.capacity()) * 48
    }

    /// What the forces that are known do to a body, from where it is: m and rad.
    pub fn body_move(&self, body: u32) -> [Vec3<f64>; 2] {
        self.body_moves[body as usize]
    }
    /// Puts (body, force, moment): what has come to what was put before in the substep, N and N m.
    pub fn give_bodies(&mut self, mut put: impl FnMut(usize, Vec3<f64>, Vec3<f64>)) {
        let mut all = core::mem::take(&mut self.body_loads);
        all.clear();
        all.resize(self.masses.len(), [Vec3::zero(); 2]);
        for r in &self.rows {
            if let Some((body, arm)) = r.body {
                // Where the vertex is at last: there the strand has the force, and no angular momentum gets lost.
                let (f, arm, [force, moment]) = (r.force(&r.force), arm + self.moves[r.at[0] as usize], &mut all[body as usize]);
                (*force, *moment) = (*force - f, *moment - arm.cross(f));
            }
        }
        for (body, (all, given)) in all.iter().zip(&mut self.given).enumerate() {
            let by = [all[0] - given[0], all[1] - given[1]];
            if by != [Vec3::zero(); 2] {
                put(body, by[0], by[1]);
            }
            *given = *all;
        }
        self.body_loads = all;
    }

    /// All forces, but for what is in the strands' ways already.
    fn load_all(&mut self) {
        self.loads.clear();
        self.loads.extend(self.applied.iter().map(|&f| -f));
        self.body_loads.clear();
        self.body_loads.extend(self.given.iter().map(|&[f, m]| [-f, -m]));
        for r in &self.rows {
            r.put_load(&r.force, &mut self.loads, &mut self.body_loads);
        }
    }

    /// What the loads do to strands and bodies.
    fn ask(&mut self, answer: &mut impl FnMut(&[u32], &[Vec3<f64>], &mut [Vec3<f64>])) {
        answer(&self.touched, &self.loads, &mut self.moves);
        for ((to, mass), [force, moment]) in self.body_moves.iter_mut().zip(&self.masses).zip(&self.body_loads) {
            *to = [*force * mass.shift, mass.turn.mul(*moment)];
        }
    }

    /// Finds the forces, and has the strands answer to them. `answer(touched, loads, moves)`: what these loads do to the touched vertices; its last call
    /// is with all forces. Returns what is left of the largest gap or slip, m.
    pub fn solve(&mut self, strength: &Strength, mut answer: impl FnMut(&[u32], &[Vec3<f64>], &mut [Vec3<f64>])) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        self.moves.clear();
        self.moves.resize(self.touched.len(), Vec3::zero());
        self.load_all();
        self.ask(&mut answer);
        for r in &mut self.rows {
            let seen = r.see(&self.moves, &self.body_moves);
            r.rest = core::array::from_fn(|k| r.left[k] + seen[k] + SOFT * r.give_at(k) * r.force[k]);
        }
        // How much softer strands are than their vertices alone is what the first step learns.
        let mut step = 1.0;
        let (mut part, mut again) = (0.0, 0.0);
        let mut asked = true;
        let mut worst = 0.0_f64;
        for iteration in 0..=MORE * strength.iterations {
            // The last step is taken, and the next way found.
            let (mut slope, mut size, mut slope_again) = (0.0, 0.0, 0.0);
            worst = 0.0;
            self.loads.fill(Vec3::zero());
            self.body_loads.fill([Vec3::zero(); 2]);
            for r in &mut self.rows {
                let by = r.give.map(|give| step / give);
                let by = [by[0], by[1], by[1]];
                let mut to = [0.0; 3];
                for k in 0..3 {
                    r.last[k] = part * r.way[k] + again * r.last[k];
                    r.last_seen[k] = part * r.seen[k] + again * r.last_seen[k];
                    r.rest[k] += r.last_seen[k];
                    r.force[k] += r.last[k];
                    to[k] = r.force[k] - by[k] * r.rest[k];
                }
                let to = Row::possible(to, r.friction * r.force[0]);
                for k in 0..3 {
                    r.way[k] = to[k] - r.force[k];
                    slope -= r.rest[k] * r.way[k];
                    slope_again -= r.rest[k] * r.last[k];
                    size += r.give_at(k) * r.way[k] * r.way[k];
                    worst = worst.max(r.way[k].abs() / by[k]);
                }
                r.put_load(&r.way, &mut self.loads, &mut self.body_loads);
            }
            let enough = if iteration < strength.iterations { strength.tolerance } else { strength.bound };
            let done = iteration >= FEWEST && !(worst > enough);
            if done || worst == 0.0 || iteration == MORE * strength.iterations {
                break;
            }
            self.ask(&mut answer);
            asked = false;
            let (mut steep, mut across, mut steep_again) = (0.0, 0.0, 0.0);
            for r in &mut self.rows {
                let seen = r.see(&self.moves, &self.body_moves);
                for k in 0..3 {
                    r.seen[k] = seen[k] + SOFT * r.give_at(k) * r.way[k];
                    steep += r.way[k] * r.seen[k];
                    across += r.last[k] * r.seen[k];
                    steep_again += r.last[k] * r.last_seen[k];
                }
            }
            if !(steep > 0.0) {
                break;
            }
            let alone = if slope > 0.0 { (slope / steep).min(1.0) } else { 1.0 };
            step = (size / steep).clamp(1e-3, 1e6);
            (part, again) = (alone, 0.0);
            // The least along both the way and the last step, as conjugate gradients have it, or as far towards that as forces may be.
            let det = steep * steep_again - across * across;
            if slope > 0.0 && det > 1e-8 * steep * steep_again {
                let a = (slope * steep_again - slope_again * across) / det;
                let b = (slope_again * steep - slope * across) / det;
                let far = self.rows.iter().fold(1.0, |far: f64, r| far.min(r.room(alone, a, b)));
                (part, again) = (alone + far * (a - alone), far * b);
            }
        }
        if !asked {
            for r in &mut self.rows {
                r.force = Row::possible(r.force, r.friction * r.force[0]);
            }
            self.load_all();
            self.ask(&mut answer);
        }
        worst
    }
}
