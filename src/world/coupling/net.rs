//! Nets: strands that hang on light anchors, junctions and bodies, and that Newton's method solves.
//!
//! Each strand is held near its anchors, and tells what forces and moments would do to its ends
//! (`rods/newton/tie.rs`). The wrenches that bring all ends and anchors together are one system,
//! with six unknowns for each anchor. The next Newton step starts from it (`docs/internals/direct.md`,
//! Attachments).
//!
//! An end gives its anchor f = g + D (w − z): w is where it is, z where the anchor has it, and D
//! the stiffness that holds it there, that of a clamp's half element and, against a gap, any (of
//! the strand's mass over h²); g is the force that leaves no gap. With the response C of the
//! strand's ends, the gaps r, what the motions δ of the anchors do at the ends T, and G = 1 − C D:
//!
//! ```text
//! Δw = C (D T δ − Δg)                           g: forces only
//! C Δg = r − G T δ                              no gap
//! Δf = Gᵀ Δg − D G T δ = Gᵀ C⁻¹ r − K T δ       K = D G + Gᵀ C⁻¹ G
//! M δ / h² = Σ Tᵀ (f + Δf) − what has moved the anchor so far
//! ```
//! M / h² + Σ Tᵀ K T is positive definite, with a block of 6 × 6 for each anchor and for each
//! strand between two of them. It is solved by conjugate gradients. K is the stiffness of the
//! strand and its half elements, whatever D is against a gap. (With Δf as loads alone, the strands
//! of a chain flew at 3,000 m/s.)
//!
//! Colliders meet the anchors, not the ends on them: a contact of its own would make an end a
//! thousand times as stiff, the force that closes its gap as large, and the strand would fly with
//! that where the next step opens the contact. An anchor that is a ball has the contact of a vertex
//! (`collide::kernels`): a stiff spring along the normal and a viscosity against slip, on the left
//! of its row. A body that a ball meets is an anchor itself, and takes the opposite force. Which of them are closed is looked at after each solve.

use nalgebra::{Matrix3, Matrix6, Vector6};

use crate::collide::kernels::*;
use crate::desc::slots::Id;
use crate::math::{Sym3, Vec3};

/// Of both ends of a strand: force and moment of its root, then of its tip.
const BOTH: usize = 12;
type Matrix12 = [[f64; BOTH]; BOTH];
/// Force and moment, or motion and turn, of one end.
type Matrix66 = [[f64; 6]; 6];
type Six = [f64; 6];

/// Of the residual that the conjugate gradients start with, where they end.
const TOLERANCE: f64 = 1e-8;
/// Their steps, at most; of a small net, two for each unknown.
const MOST_STEPS: usize = 300;

/// Where a Newton step leaves more than this part of the largest gap, the net takes half of its next change: bent wires swung by the same 2 mm until the
/// steps were out.
const SWINGS: f64 = 0.6;
/// A gap that is a smaller part of its edge than this is left alone.
const SMALL: f64 = 1e-3;
/// Of an end edge, how far a Newton step takes its anchor at most, and by what it turns it, rad: the responses of strands are linear, and say nothing of
/// what is farther. (A noose that became taut asked for 13 edges and 1.7 rad, and then for ten times as much.)
const MOST_STEP: f64 = 0.125;

/// Contacts of one ball, at most: between two bodies and a collider.
const MOST_CONTACTS: usize = 3;

/// Solves with other contacts closed, at most.
const LOOKS: usize = 8;

/// An anchor that colliders meet: where it was when the substep began, its displacement, and its radius, m.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    pub x: Vec3<f64>,
    pub u: Vec3<f64>,
    pub radius: f64,
    pub friction: f64,
    pub layers: [u32; 2],
    /// It pushes bodies; else these are colliders.
    pub pushes: bool,
}

/// What a ball meets: the collider's normal, how far the ball is off it (less than 0: inside), and what the surface does in the substep, m.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub normal: Vec3<f64>,
    pub gap: f64,
    pub surface: Vec3<f64>,
    pub friction: f64,
    pub on: On,
    /// The body among those held, and from its centre to the contact, and the number of its shape.
    pub body: Option<(usize, Vec3<f64>, u32)>,
}

/// The anchor that a ball meets, if it is one, and from its centre to the contact.
pub type On = Option<(u32, Vec3<f64>)>;

/// The contact of an anchor.
#[derive(Clone, Copy)]
struct Pressed {
    near: Near<f64>,
    closed: Closed<f64>,
    stiff: f64,
    inertia: f64,
    on: On,
    body: Option<(usize, Vec3<f64>, u32)>,
}

impl Pressed {
    /// `u`: of the ball, against the anchor that it meets. `force`: on the ball alone, N.
    fn new(ball: &Ball, met: &Met, u: Vec3<f64>, force: Option<Vec3<f64>>, anchor: &Anchor) -> Pressed {
        let depth = -met.gap;
        // Only the approach is stopped at once.
        let back = depth.min((met.surface - u).dot(met.normal)).max(0.0);
        let near = Near {
            normal: met.normal,
            surface: met.surface,
            slip: u - met.surface,
            along: u.dot(met.normal) + back,
            depth: depth - back,
            friction: (met.friction * ball.friction).sqrt(),
        };
        let (inertia, stiffness) = (anchor.inertia, (0..3).map(|k| anchor.block[(k, k)]).sum::<f64>());
        let closed = match force {
            Some(force) => guess_contact(force, u, inertia, near),
            None => stop_contact(u, inertia, met.normal, met.surface, depth, near.friction).closed,
        };
        Pressed { near, closed, stiff: inertia * CONTACT_STIFFNESS + stiffness, inertia, on: met.on, body: met.body }
    }
    fn held(&self) -> Held<f64> {
        // What is deep inside comes out slowly.
        held_contact(self.closed, self.stiff, self.near, 0.1 * self.near.depth.max(0.0))
    }
    fn is_closed(&self) -> bool {
        self.closed.press > 0.0
    }
    /// Its stiffness times `v`.
    fn times(&self, v: Vec3<f64>) -> Vec3<f64> {
        let (held, along) = (self.held(), self.near.normal * self.near.normal.dot(v));
        along * held.stiff + (v - along) * held.grip
    }
    /// Its stiffness against the motion and turn of an anchor, at this arm from its centre.
    fn block(&self, arm: Vec3<f64>) -> Matrix6<f64> {
        let mut out = Matrix6::zeros();
        for k in 0..6 {
            let [by, turn] = parts(&Vector6::ith(k, 1.0));
            let force = self.times(by + turn.cross(arm));
            out.set_column(k, &stacked([force, arm.cross(force)]));
        }
        out
    }
    fn force(&self, u: Vec3<f64>) -> Vec3<f64> {
        let force = held_force(self.held(), u);
        self.near.normal * force.press + force.friction
    }
    /// After a solve that takes the anchor to `u`: whether it was guessed wrong.
    fn revise(&mut self, u: Vec3<f64>) -> bool {
        let new = revise_contact(self.closed, self.inertia, held_force(self.held(), u), self.near.friction);
        let wrong = self.is_closed() && new.wrong > 0.0;
        if wrong {
            self.closed = new.closed;
        }
        wrong
    }
}

/// One end of a strand.
#[derive(Clone, Copy, Debug)]
pub struct NetEnd {
    pub rods: Id,
    pub strand: u32,
    pub tip: bool,
    /// Whose end it is, and which.
    pub attachment: Id,
    pub number: u32,
    pub anchor: u32,
    /// From the anchor's centre to its point for the end.
    pub arm: Vec3<f64>,
    /// How far the end is from that point, m, and the length of its edge.
    pub gap: Vec3<f64>,
    pub edge: f64,
    /// What it gives the anchor where both are now, N and N m.
    pub gives: [Vec3<f64>; 2],
    /// D: against the gap, N/m, and the half element's, N m; that of a direction that goes free is 0.
    pub hold: f64,
    pub clamp: Sym3<f64>,
    /// Added to C, m/N: less than anything but where nothing moves the end.
    pub least: f64,
}

struct Anchor {
    /// Its mass and inertia over h², with what the strands on it add.
    block: Matrix6<f64>,
    /// Of its block with the contact.
    inverse: Matrix6<f64>,
    /// The force and the moment on it where it is, without the contact.
    force: Vector6<f64>,
    ball: Option<Ball>,
    /// How many contacts it has.
    contacts: u32,
    /// Mass over h² of the anchor and the strands on it, N/m.
    inertia: f64,
    motion: Vector6<f64>,
    rest: Vector6<f64>,
}

/// What anchors at both ends of a strand take from each other's motion: a block of K beside the diagonal, for the tip's from the root's.
#[derive(Clone, Copy, Debug)]
struct Link {
    root: u32,
    tip: u32,
    across: Matrix66,
}

/// A strand, with one end or both.
#[derive(Debug)]
struct Ray {
    ends: [usize; 2],
    anchors: [u32; 2],
    /// Δg where the anchors stay, by ends, and what their motions take from it.
    close: Six,
    follow: [[f64; BOTH]; 6],
}

/// All of it; the memory is kept.
#[derive(Default)]
pub struct Net {
    ends: Vec<NetEnd>,
    rays: Vec<Ray>,
    anchors: Vec<Anchor>,
    /// Of balls, by the numbers of their anchors.
    contacts: Vec<(u32, Pressed)>,
    links: Vec<Link>,
    /// Of all anchors, for the conjugate gradients.
    ways: Vec<Vector6<f64>>,
    products: Vec<Vector6<f64>>,
    /// The largest gap at the last look, of its edge, and how much of what it found was taken.
    gap: f64,
    part: f64,
    /// Some anchor would have gone farther than [`MOST_STEP`].
    pub bounded: bool,
}

fn full(s: Sym3<f64>) -> Matrix3<f64> {
    Matrix3::new(s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz)
}

fn stacked([a, b]: [Vec3<f64>; 2]) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

fn parts(v: &Vector6<f64>) -> [Vec3<f64>; 2] {
    [[v[0], v[1], v[2]].into(), [v[3], v[4], v[5]].into()]
}

/// Of an anchor: its displacement and turn.
pub type Motion = Vector6<f64>;

/// What the motions of all anchors do at a contact.
fn moved(motions: &[Motion], on: On) -> Vec3<f64> {
    let Some((anchor, arm)) = on else { return Vec3::zero() };
    let [by, turn] = motion_of(motions, anchor);
    by + turn.cross(arm)
}
pub fn motion_of(motions: &[Motion], anchor: u32) -> [Vec3<f64>; 2] {
    parts(&motions[anchor as usize])
}

fn add_times(out: &mut Vector6<f64>, m: &Matrix66, v: &Vector6<f64>) {
    for (row, out) in m.iter().zip(out.iter_mut()) {
        *out += row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3] + row[4] * v[4] + row[5] * v[5];
    }
}

fn add_times_transposed(out: &mut Vector6<f64>, m: &Matrix66, v: &Vector6<f64>) {
    for (row, &v) in m.iter().zip(v.iter()) {
        for (out, m) in out.iter_mut().zip(row) {
            *out += m * v;
        }
    }
}

/// The inverse of a positive definite matrix.
fn inverse_of(m: &Matrix66) -> Option<Matrix66> {
    let m = Matrix6::from_fn(|i, j| m[i][j]).cholesky()?.inverse();
    Some(core::array::from_fn(|i| core::array::from_fn(|j| m[(i, j)])))
}

impl NetEnd {
    /// A row that an end's motion and turn are multiplied with, for those of the anchor (`T`, by which a point on it moves).
    fn lever(&self, row: &mut [f64]) {
        let [force, moment]: [Vec3<f64>; 2] = [[row[0], row[1], row[2]].into(), [row[3], row[4], row[5]].into()];
        row[3..6].copy_from_slice(&(moment + self.arm.cross(force)).to_array());
    }
    fn wrench(&self, [force, moment]: [Vec3<f64>; 2]) -> Vector6<f64> {
        stacked([force, moment + self.arm.cross(force)])
    }
}

/// Rows and columns of the forces among those of both ends.
const FORCES: [usize; 6] = [0, 1, 2, 6, 7, 8];

impl Ray {
    fn count(&self) -> usize {
        if self.ends[1] == usize::MAX { 1 } else { 2 }
    }

    /// From what the strand tells of its ends: `response(end, part)` is C of its root, 0, of its tip, 1, or of its tip for what acts on its root, 2.
    /// `put(anchor, block of K, force and moment)`: what the anchors get of it; `link`: what they take from each other.
    #[allow(clippy::needless_range_loop, reason = "indices name rows and columns")]
    fn new(
        ends: [usize; 2],
        all: &[NetEnd],
        response: &impl Fn(&NetEnd, usize) -> [f64; 36],
        mut put: impl FnMut(u32, &Matrix66, Vector6<f64>),
        link: impl FnOnce(Link),
    ) -> Option<Ray> {
        let two = ends[1] != usize::MAX;
        let (size, forces) = if two { (BOTH, 6) } else { (6, 3) };
        let pair = [&all[ends[0]], &all[if two { ends[1] } else { ends[0] }]];
        let mut c: Matrix12 = [[0.0; BOTH]; BOTH];
        for (k, end) in pair.iter().enumerate().take(size / 6) {
            let own = response(end, usize::from(end.tip));
            for i in 0..6 {
                for j in 0..6 {
                    c[6 * k + i][6 * k + j] = 0.5 * (own[6 * j + i] + own[6 * i + j]);
                }
            }
            for j in 0..3 {
                c[6 * k + j][6 * k + j] += end.least;
            }
        }
        if two {
            // Root first, as the ends are sorted.
            let other = response(pair[1], 2);
            for i in 0..6 {
                for j in 0..6 {
                    c[6 + i][j] = other[6 * j + i];
                    c[j][6 + i] = other[6 * j + i];
                }
            }
        }
        // D is diagonal for forces, a block for moments. C D, and G of the forces.
        let clamp = pair.map(|e| full(e.clamp));
        let mut cd: Matrix12 = [[0.0; BOTH]; BOTH];
        for (row, c) in cd.iter_mut().zip(&c).take(size) {
            for (k, end) in pair.iter().enumerate().take(size / 6) {
                for j in 0..3 {
                    row[6 * k + j] = c[6 * k + j] * end.hold;
                    row[6 * k + 3 + j] = (0..3).map(|i| c[6 * k + 3 + i] * clamp[k][(i, j)]).sum();
                }
            }
        }
        let mut g = [[0.0; BOTH]; 6];
        for (row, &force) in g.iter_mut().zip(&FORCES).take(forces) {
            for (out, cd) in row.iter_mut().zip(&cd[force]).take(size) {
                *out = -cd;
            }
            row[force] += 1.0;
        }
        let mut among: Matrix66 = core::array::from_fn(|i| core::array::from_fn(|j| f64::from(u8::from(i == j))));
        for i in 0..forces {
            for j in 0..forces {
                among[i][j] = c[FORCES[i]][FORCES[j]];
            }
        }
        let inverse = inverse_of(&among)?;
        let gap = |i: usize| pair[i / 3].gap.to_array()[i % 3];
        let (mut close, mut follow) = ([0.0; 6], [[0.0; BOTH]; 6]);
        for i in 0..forces {
            for j in 0..forces {
                close[i] += inverse[i][j] * gap(j);
                for (out, g) in follow[i].iter_mut().zip(&g[j]).take(size) {
                    *out += inverse[i][j] * g;
                }
            }
        }
        // D − D C D + Gᵀ C⁻¹ G, and Gᵀ C⁻¹ r.
        let (mut k, mut pull): (Matrix12, [f64; BOTH]) = ([[0.0; BOTH]; BOTH], [0.0; BOTH]);
        for i in 0..forces {
            for (row, &g) in k.iter_mut().zip(&g[i]).take(size) {
                for (out, f) in row.iter_mut().zip(&follow[i]).take(size) {
                    *out += g * f;
                }
            }
            pull.iter_mut().zip(&g[i]).for_each(|(out, g)| *out += g * close[i]);
        }
        for (e, end) in pair.iter().enumerate().take(size / 6) {
            for j in 0..3 {
                let (force, moment) = (6 * e + j, 6 * e + 3 + j);
                k[force][force] += end.hold;
                for column in 0..size {
                    k[force][column] -= end.hold * cd[force][column];
                    k[moment][column] -= (0..3).map(|i| clamp[e][(j, i)] * cd[6 * e + 3 + i][column]).sum::<f64>();
                }
                for i in 0..3 {
                    k[moment][6 * e + 3 + i] += clamp[e][(j, i)];
                }
            }
        }
        // For the motions of the anchors.
        for (e, end) in pair.iter().enumerate().take(size / 6) {
            if end.arm.length2() > 0.0 {
                k.iter_mut().take(size).for_each(|row| end.lever(&mut row[6 * e..6 * e + 6]));
                follow.iter_mut().for_each(|row| end.lever(&mut row[6 * e..6 * e + 6]));
                for column in 0..size {
                    let mut of: Six = core::array::from_fn(|i| k[6 * e + i][column]);
                    end.lever(&mut of);
                    (0..6).for_each(|i| k[6 * e + i][column] = of[i]);
                }
            }
        }
        if !k.iter().flatten().chain(follow.iter().flatten()).chain(&close).all(|x| x.is_finite()) {
            return None;
        }
        let block = |a: usize, b: usize| -> Matrix66 {
            core::array::from_fn(|i| core::array::from_fn(|j| 0.5 * (k[6 * a + i][6 * b + j] + k[6 * b + j][6 * a + i])))
        };
        for (e, end) in pair.iter().enumerate().take(size / 6) {
            let [a, b]: [Vec3<f64>; 2] = [0, 3].map(|i| core::array::from_fn(|j| pull[6 * e + i + j]).into());
            put(end.anchor, &block(e, e), end.wrench([a, b]));
        }
        if two {
            link(Link { root: pair[0].anchor, tip: pair[1].anchor, across: block(1, 0) });
        }
        Some(Ray { ends, anchors: pair.map(|e| e.anchor), close, follow })
    }
}

impl core::fmt::Debug for Net {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Net of {} anchors and {} ends", self.anchors.len(), self.ends.len())
    }
}

impl Net {
    /// Memory for as many ends and bodies; there are no more strands or anchors.
    pub fn reserve(&mut self, ends: usize) {
        self.ends.reserve(ends.saturating_sub(self.ends.len()));
        self.rays.reserve(ends.saturating_sub(self.rays.len()));
        self.anchors.reserve(ends.saturating_sub(self.anchors.len()));
        self.contacts.reserve((MOST_CONTACTS * ends).saturating_sub(self.contacts.len()));
        self.links.reserve(ends.saturating_sub(self.links.len()));
        self.ways.reserve(ends.saturating_sub(self.ways.len()));
        self.products.reserve(ends.saturating_sub(self.products.len()));
    }
    pub fn clear(&mut self) {
        self.ends.clear();
        self.rays.clear();
        self.anchors.clear();
        self.contacts.clear();
        self.links.clear();
    }
    /// An anchor of this mass, kg, and inertia about its centre, kg m², in a substep of `h` seconds. `netted`: the force and moment that have moved it from
    /// where it would have gone by itself, times h²: kg m, kg m².
    /// `ball`: where colliders meet it.
    pub fn add_anchor(&mut self, mass: f64, inertia: Sym3<f64>, h: f64, netted: [Vec3<f64>; 2], ball: Option<Ball>) -> u32 {
        let mut own = Matrix6::zeros();
        own.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * (mass / (h * h))));
        own.fixed_view_mut::<3, 3>(3, 3).copy_from(&(full(inertia) / (h * h)));
        let zero = Vector6::zeros();
        self.anchors.push(Anchor {
            block: own,
            inverse: own,
            force: stacked(netted) * (-1.0 / (h * h)),
            ball,
            contacts: 0,
            inertia: mass / (h * h),
            motion: zero,
            rest: zero,
        });
        self.anchors.len() as u32 - 1
    }
    pub fn add_end(&mut self, end: NetEnd) {
        self.ends.push(end);
    }

    /// Pairs the ends of a strand, and gives their anchors what they get of it. `response`: see [`Ray::new`].
    pub fn gather(&mut self, response: impl Fn(&NetEnd, usize) -> [f64; 36]) {
        self.ends.sort_unstable_by_key(|e| (e.rods.index, e.rods.generation, e.strand, e.tip));
        let (ends, anchors, links) = (&self.ends, &mut self.anchors, &mut self.links);
        for end in ends {
            let anchor = &mut anchors[end.anchor as usize];
            anchor.force += end.wrench(end.gives);
            anchor.inertia += end.hold;
        }
        let mut i = 0;
        while i < ends.len() {
            let (a, b) = (&ends[i], ends.get(i + 1));
            let pair = b.is_some_and(|b| (b.rods, b.strand) == (a.rods, a.strand));
            let both = [i, if pair { i + 1 } else { usize::MAX }];
            let put = |anchor: u32, block: &Matrix66, force: Vector6<f64>| {
                let anchor = &mut anchors[anchor as usize];
                anchor.force += force;
                for (k, row) in block.iter().enumerate() {
                    for (j, v) in row.iter().enumerate() {
                        anchor.block[(k, j)] += v;
                    }
                }
            };
            self.rays.extend(Ray::new(both, ends, &response, put, |link| links.push(link)));
            i += 1 + usize::from(pair);
        }
    }

    /// The product of the system with the ways, and their scalar product.
    fn multiply(&mut self) -> f64 {
        for ((a, way), product) in self.anchors.iter().zip(&self.ways).zip(&mut self.products) {
            *product = a.block * way;
        }
        for (i, c) in self.contacts.iter().filter(|(_, c)| c.is_closed()) {
            let way = parts(&self.ways[*i as usize])[0] - moved(&self.ways, c.on);
            let force = c.times(way);
            self.products[*i as usize] += stacked([force, Vec3::zero()]);
            if let Some((on, arm)) = c.on {
                self.products[on as usize] -= stacked([force, arm.cross(force)]);
            }
        }
        for link in &self.links {
            let [root, tip] = [link.root as usize, link.tip as usize];
            add_times(&mut self.products[tip], &link.across, &self.ways[root]);
            add_times_transposed(&mut self.products[root], &link.across, &self.ways[tip]);
        }
        self.ways.iter().zip(&self.products).map(|(way, product)| way.dot(product)).sum()
    }

    /// δ of all anchors. `meet(ball, u, motions, put)`: what a ball with the displacement `u` is near; with the motions of anchors, what it is in.
    pub fn solve(&mut self, meet: impl Fn(&Ball, Vec3<f64>, Option<&[Motion]>, &mut dyn FnMut(Met))) {
        let contacts = &mut self.contacts;
        for (i, a) in self.anchors.iter_mut().enumerate() {
            let Some(ball) = a.ball else { continue };
            let force = Some(parts(&a.force)[0]);
            meet(&ball, ball.u, None, &mut |met| {
                if a.contacts < MOST_CONTACTS as u32 {
                    a.contacts += 1;
                    contacts.push((i as u32, Pressed::new(&ball, &met, ball.u, force, a)));
                }
            });
        }
        for look in 0..LOOKS {
            self.solve_closed();
            let mut wrong = false;
            // All motions: the ways have done their work.
            self.ways.clear();
            self.ways.extend(self.anchors.iter().map(|a| a.motion));
            let (ways, contacts) = (&self.ways, &mut self.contacts);
            let way = |i: u32, ball: &Ball| ball.u + parts(&ways[i as usize])[0];
            for (i, c) in contacts.iter_mut().filter(|(_, c)| c.is_closed()) {
                let Some(ball) = self.anchors[*i as usize].ball else { continue };
                wrong |= c.revise(way(*i, &ball) - moved(ways, c.on));
            }
            for (i, a) in self.anchors.iter_mut().enumerate() {
                let Some(ball) = a.ball else { continue };
                let u = way(i as u32, &ball);
                meet(&ball, u, Some(ways), &mut |met| {
                    let same = |(k, c): &&mut (u32, Pressed)| *k == i as u32 && c.body.map(|b| b.2) == met.body.map(|b| b.2);
                    let hit = Pressed::new(&ball, &met, u - moved(ways, met.on), None, a);
                    match contacts.iter_mut().find(same) {
                        Some((_, c)) if c.is_closed() => return,
                        Some((_, c)) => *c = hit,
                        None if a.contacts < MOST_CONTACTS as u32 => {
                            a.contacts += 1;
                            contacts.push((i as u32, hit));
                        }
                        None => return,
                    }
                    wrong |= hit.is_closed();
                });
            }
            if !wrong || look + 1 == LOOKS {
                break;
            }
        }
    }

    /// δ with the contacts as they are.
    fn solve_closed(&mut self) {
        let mut left = 0.0;
        self.ways.clear();
        for a in &mut self.anchors {
            (a.motion, a.rest, a.inverse) = (Vector6::zeros(), a.force, a.block);
        }
        for (i, c) in self.contacts.iter().filter(|(_, c)| c.is_closed()) {
            let a = &mut self.anchors[*i as usize];
            let Some(ball) = a.ball else { continue };
            let force = c.force(ball.u);
            a.rest += stacked([force, Vec3::zero()]);
            a.inverse += c.block(Vec3::zero());
            if let Some((on, arm)) = c.on {
                let other = &mut self.anchors[on as usize];
                other.rest -= stacked([force, arm.cross(force)]);
                other.inverse += c.block(arm);
            }
        }
        for a in &mut self.anchors {
            a.inverse = a.inverse.cholesky().map_or(Matrix6::zeros(), |c| c.inverse());
            let way = a.inverse * a.rest;
            left += a.rest.dot(&way);
            self.ways.push(way);
        }
        self.products.clear();
        self.products.resize(self.anchors.len(), Vector6::zeros());
        let first = left;
        for _ in 0..MOST_STEPS.min(12 * self.anchors.len()) {
            let steep = self.multiply();
            // Also where it is not a number.
            if !(left > TOLERANCE * TOLERANCE * first && steep > 0.0) {
                break;
            }
            let step = left / steep;
            let mut now = 0.0;
            for ((a, way), product) in self.anchors.iter_mut().zip(&self.ways).zip(&mut self.products) {
                a.motion += way * step;
                a.rest -= *product * step;
                *product = a.inverse * a.rest;
                now += a.rest.dot(product);
            }
            let keep = now / left;
            for (way, product) in self.ways.iter_mut().zip(&self.products) {
                *way = product + *way * keep;
            }
            left = now;
        }
        for a in &mut self.anchors {
            if !a.motion.iter().all(|x| x.is_finite()) {
                a.motion = Vector6::zeros();
            }
        }
    }

    /// Puts (body, force on the ball, arm) of all contacts with bodies that are no anchors.
    pub fn on_still(&self, mut put: impl FnMut(usize, Vec3<f64>, Vec3<f64>)) {
        for (i, c) in self.contacts.iter().filter(|(_, c)| c.is_closed() && c.on.is_none()) {
            let anchor = &self.anchors[*i as usize];
            if let (Some((slot, arm, _)), Some(ball)) = (c.body, anchor.ball) {
                put(slot, c.force(ball.u + parts(&anchor.motion)[0]), arm);
            }
        }
    }

    /// How many contacts knots have with colliders and bodies.
    pub fn touching(&self) -> u32 {
        self.contacts.iter().filter(|(_, c)| c.is_closed()).count() as u32
    }

    /// Goes by half of what it has found where the last Newton step has not brought ends nearer to their anchors: it swings from one side to the other. No
    /// anchor goes farther than [`MOST_STEP`].
    pub fn calm(&mut self, first: bool) {
        let gap = self.ends.iter().map(|e| e.gap.length() / e.edge).fold(0.0, f64::max);
        self.part = if !first && gap > (SWINGS * self.gap).max(SMALL) { 0.5 } else { 1.0 };
        self.gap = gap;
        let most = self.ends.iter().fold(0.0f64, |most, end| {
            let [by, turn] = self.motion(end.anchor);
            most.max((by + turn.cross(end.arm)).length() / end.edge).max(turn.length())
        });
        self.bounded = most * self.part > MOST_STEP;
        if self.bounded {
            self.part = MOST_STEP / most;
        }
        self.anchors.iter_mut().for_each(|a| a.motion *= self.part);
    }

    /// How an anchor moves and turns.
    pub fn motion(&self, anchor: u32) -> [Vec3<f64>; 2] {
        parts(&self.anchors[anchor as usize].motion)
    }

    /// How far the anchor that turned most has turned, rad.
    pub fn largest_turn(&self) -> f64 {
        self.anchors.iter().map(|a| parts(&a.motion)[1].length()).fold(0.0, f64::max)
    }

    /// `put(attachment, number of the end, Δg)`
    pub fn changes(&self, mut put: impl FnMut(Id, u32, Vec3<f64>)) {
        for ray in &self.rays {
            let mut g = ray.close.map(|c| c * self.part);
            for (k, &anchor) in ray.anchors.iter().enumerate().take(ray.count()) {
                let motion = &self.anchors[anchor as usize].motion;
                for (g, row) in g.iter_mut().zip(&ray.follow) {
                    *g -= (0..6).map(|i| row[6 * k + i] * motion[i]).sum::<f64>();
                }
            }
            for (k, &i) in ray.ends.iter().enumerate().take(ray.count()) {
                let closes = Vec3 { x: g[3 * k], y: g[3 * k + 1], z: g[3 * k + 2] };
                let end = &self.ends[i];
                put(end.attachment, end.number, if closes.length2().is_finite() { closes } else { Vec3::zero() });
            }
        }
    }
}
