//! What the springs of a bundle carry in a rest shape that does not sag. A bundle holds up as a beam what its strands could not, each for itself:
//! some pull, some push, and springs pass that on from strand to strand. Statics leave open how much each strand carries. It is taken from the
//! bundle as it was made, without stress, as it gives a little under its loads: one linear system. Each strand is then solved with what springs
//! give it. (`docs/internals/bundles.md`, "Rest shapes".)

use super::section_solver::{Spot, V3};
use crate::layout::SECTION;
use crate::math::vec3::vec3;
use crate::rods::der::band::BAND;
use crate::rods::der::kernels::element_force;
use crate::rods::der::strand::Strands;

/// Unknowns of a vertex: position, and the turn of the edge after it.
const EACH: usize = 4;

/// Numbers of the largest system: 256 MiB, ten seconds or so. A hundred strands of a hundred vertices.
const MOST: usize = 1 << 25;

/// Unknowns of `per` strands side by side and their section, and how far a row reaches.
fn size(per: usize) -> [usize; 2] {
    let width = EACH * per + SECTION;
    [width, 2 * width + EACH]
}

/// Whether bundles of `per` strands of `count` vertices are too large for it.
pub(super) fn is_too_large(per: usize, count: usize) -> bool {
    let [width, reach] = size(per);
    width * reach * count > MOST
}

/// This part of the diagonal holds what nothing does: the turn of a section of one vertex.
const LOOSE: f64 = 1e-12;

/// A bundle is told to hold if it would hold so many times its loads: its stiffness knows neither what springs carry nor that sections swell. (A
/// muscle of seven strands between two bones, with softer springs than now, held from 250 kPa on; without this margin it was told to hold from 200.)
const SURE: f64 = 1.5;

/// What the springs of a vertex, and of the edge after it, give their strand, in the axes of its sections at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// On the vertex, N.
    pub force: V3,
    /// What turns the edge: its tangent in this direction, and about itself, N m.
    pub lean: V3,
    pub twist: f64,
}

/// Of a strand that carries something: [`Strands::stiffness`].
pub(super) type Stiffness = Vec<[f64; BAND]>;

/// A bundle in its pose, strand by strand.
pub(super) struct Bound<'a> {
    pub strands: &'a [Strands<f64>],
    /// Edges that stand for clamped frames, before the first vertex and behind the last.
    pub phantoms: &'a [[usize; 2]],
    pub spots: &'a [Spot],
    /// Sections, and whether they grow.
    pub count: usize,
    pub scales: bool,
}

/// The upper half of a symmetric matrix: a row from its diagonal on.
struct Form {
    rows: Vec<f64>,
    reach: usize,
    held: Vec<bool>,
}

/// A number that is linear in a few unknowns.
struct Linear([(usize, f64); 12], usize);

impl Linear {
    fn new() -> Self {
        Linear([(0, 0.0); 12], 0)
    }
    fn add(&mut self, unknown: usize, part: f64) -> &mut Self {
        if part != 0.0 {
            match self.0[..self.1].iter_mut().find(|(k, _)| *k == unknown) {
                Some((_, there)) => *there += part,
                None => {
                    self.0[self.1] = (unknown, part);
                    self.1 += 1;
                }
            }
        }
        self
    }
    fn add3(&mut self, first: usize, part: V3) -> &mut Self {
        self.add(first, part.x).add(first + 1, part.y).add(first + 2, part.z)
    }
    fn parts(&self) -> &[(usize, f64)] {
        &self.0[..self.1]
    }
    fn of(&self, x: &[f64]) -> f64 {
        self.parts().iter().map(|&(k, part)| part * x[k]).sum()
    }
}

impl Form {
    /// Adds `stiffness` times the square of that, halved.
    fn add(&mut self, stiffness: f64, of: &Linear) {
        for (n, &(i, a)) in of.parts().iter().enumerate() {
            for &(j, b) in &of.parts()[n..] {
                if !self.held[i] && !self.held[j] {
                    let (low, high) = (i.min(j), i.max(j));
                    self.rows[low * self.reach + high - low] += stiffness * a * b;
                }
            }
        }
    }

    /// L D Lᵀ in its place, and how many pivots are negative.
    fn factor(&mut self) -> usize {
        let (n, reach) = (self.held.len(), self.reach);
        let mut negative = 0;
        for p in 0..n {
            let diagonal = &mut self.rows[p * reach];
            if self.held[p] || *diagonal == 0.0 {
                *diagonal = 1.0;
            }
            let (done, rest) = self.rows.split_at_mut((p + 1) * reach);
            let row = &mut done[p * reach..];
            negative += usize::from(row[0] < 0.0);
            let inv = 1.0 / row[0];
            for r in 1..reach.min(n - p) {
                let by = row[r] * inv;
                if by != 0.0 {
                    let to = &mut rest[(r - 1) * reach..];
                    to[..reach - r].iter_mut().zip(&row[r..]).for_each(|(to, x)| *to -= by * x);
                }
            }
            row[1..].iter_mut().for_each(|x| *x *= inv);
        }
        negative
    }

    fn solve(&self, x: &mut [f64]) {
        let (n, reach) = (x.len(), self.reach);
        for p in 0..n {
            let (done, rest) = x.split_at_mut(p + 1);
            let row = &self.rows[p * reach + 1..][..(reach - 1).min(n - p - 1)];
            rest.iter_mut().zip(row).for_each(|(x, l)| *x -= l * done[p]);
        }
        for p in (0..n).rev() {
            let row = &self.rows[p * reach..][..reach.min(n - p)];
            let sum: f64 = row[1..].iter().zip(&x[p + 1..]).map(|(l, x)| l * x).sum();
            x[p] = x[p] / row[0] - sum;
        }
    }
}

/// Two directions across a unit vector.
fn across(t: V3) -> [V3; 2] {
    let beside = if t.x.abs() < 0.6 { vec3(1.0, 0.0, 0.0) } else { vec3(0.0, 1.0, 0.0) };
    let a = t.cross(beside).normalized_or(beside);
    [a, t.cross(a)]
}

const AXES: [V3; 3] = [V3 { x: 1.0, y: 0.0, z: 0.0 }, V3 { x: 0.0, y: 1.0, z: 0.0 }, V3 { x: 0.0, y: 0.0, z: 1.0 }];

impl Bound<'_> {
    fn width(&self) -> usize {
        size(self.strands.len())[0]
    }
    fn vertex(&self, strand: usize, v: usize) -> usize {
        v * self.width() + EACH * strand
    }
    fn section(&self, v: usize) -> usize {
        v * self.width() + EACH * self.strands.len()
    }
    fn spot(&self, strand: usize, v: usize) -> &Spot {
        &self.spots[strand * self.count + v]
    }
    /// The vertex of `Strands`.
    fn at(&self, strand: usize, v: usize) -> usize {
        v + self.phantoms[strand][0]
    }
    /// Tangent and length of an edge.
    fn edge(&self, strand: usize, v: usize) -> (V3, f64) {
        let e = self.strands[strand].state[self.at(strand, v)].edge;
        let length = e.length();
        (e * (1.0 / length), length)
    }

    /// How far the place of a vertex in its section is from it, along an axis.
    fn slip(&self, strand: usize, v: usize, axis: V3) -> Linear {
        let (a, x) = (self.spot(strand, v).arm, self.section(v));
        let mut of = Linear::new();
        of.add3(self.vertex(strand, v), axis * -1.0).add3(x, axis).add3(x + 3, a.cross(axis));
        if self.scales {
            of.add(x + 6, a.dot(axis));
        }
        of
    }
    /// How far the tangent of its sections is from that of an edge, along `d`.
    fn lean(&self, strand: usize, v: usize, d: V3) -> Linear {
        let (t, length) = self.edge(strand, v);
        let mut of = Linear::new();
        let half = t.cross(d) * 0.5;
        of.add3(self.vertex(strand, v), d * (1.0 / length)).add3(self.vertex(strand, v + 1), d * (-1.0 / length));
        of.add3(self.section(v) + 3, half).add3(self.section(v + 1) + 3, half);
        of
    }
    /// How far its sections have turned about an edge, beyond it.
    fn twist(&self, strand: usize, v: usize) -> Linear {
        let half = self.edge(strand, v).0 * 0.5;
        let mut of = Linear::new();
        of.add3(self.section(v) + 3, half).add3(self.section(v + 1) + 3, half).add(self.vertex(strand, v) + 3, -1.0);
        of
    }

    /// How far the edges at vertex `i` of `Strands` turn against each other, along an axis. Frames that stand for clamps stay.
    fn turn(&self, strand: usize, i: usize, axis: V3) -> Linear {
        let s = &self.strands[strand];
        let (e, f) = (s.state[i - 1], s.state[i]);
        let by = element_force(&s.relative(i), axis, &e.frame(), 1.0 / e.edge.length(), &f.frame(), 1.0 / f.edge.length());
        let mut of = Linear::new();
        for (i, edge, turn) in [(i - 1, by.e, by.turn_e), (i, by.f, by.turn_f)] {
            let v = i.wrapping_sub(self.phantoms[strand][0]);
            if v < self.count - 1 {
                let x = self.vertex(strand, v);
                of.add3(x, edge * -1.0).add3(self.vertex(strand, v + 1), edge).add(x + 3, turn);
            }
        }
        of
    }

    /// The bundle's stiffness: that of its springs, and of strands without stress, or, from what they have as they are, as if they carried [`SURE`] times that.
    fn form(&self, tense: &[Stiffness]) -> Form {
        let n = self.width() * self.count;
        let mut held = vec![false; n];
        for (k, s) in self.strands.iter().enumerate() {
            for v in 0..self.count {
                let free = s.section[self.at(k, v)].free;
                let x = self.vertex(k, v);
                held[x..x + 3].fill(free[0] == 0.0);
                held[x + 3] = free[1] == 0.0 || v + 1 == self.count;
            }
        }
        if !self.scales {
            (0..self.count).for_each(|v| held[self.section(v) + 6] = true);
        }
        let reach = size(self.strands.len())[1].min(n);
        let mut form = Form { rows: vec![0.0; n * reach], reach, held };
        let free = if tense.is_empty() { 1.0 } else { 1.0 - SURE };
        for (k, s) in self.strands.iter().enumerate() {
            for v in 0..self.count {
                let (spot, c) = (self.spot(k, v), &s.section[self.at(k, v)]);
                AXES.into_iter().for_each(|axis| form.add(spot.pull, &self.slip(k, v, axis)));
                if v + 1 < self.count {
                    let (t, length) = self.edge(k, v);
                    form.add(spot.turn, &self.twist(k, v));
                    across(t).into_iter().for_each(|d| form.add(spot.tilt, &self.lean(k, v, d)));
                    let mut along = Linear::new();
                    along.add3(self.vertex(k, v), t * -1.0).add3(self.vertex(k, v + 1), t);
                    form.add(free * c.ea / length, &along);
                }
            }
            if let Some(rows) = tense.get(k) {
                self.add_tense(k, rows, &mut form);
            }
            for i in 1..s.vertices() - 1 {
                let (c, length) = (&s.section[i], 0.5 * (s.rest[i - 1].length + s.rest[i].length));
                for (axis, stiffness) in AXES.into_iter().zip([c.ei[0], c.ei[1], c.gj]) {
                    form.add(free * stiffness / length, &self.turn(k, i, axis));
                }
            }
        }
        for p in 0..n {
            form.rows[p * reach] *= 1.0 + LOOSE;
        }
        form
    }

    /// A strand as it is, [`SURE`] times.
    fn add_tense(&self, strand: usize, rows: &Stiffness, form: &mut Form) {
        let unknown = |row: usize| {
            let v = (row / 4).checked_sub(self.phantoms[strand][0]).filter(|v| *v < self.count)?;
            let x = self.vertex(strand, v) + row % 4;
            (!form.held[x]).then_some(x)
        };
        let mut entries = Vec::new();
        for (row, of) in rows.iter().enumerate() {
            for (c, &k) in of.iter().enumerate() {
                if let (Some(i), Some(j), true) = (unknown(row), unknown(row + c), k != 0.0) {
                    entries.push((i, j, k));
                }
            }
        }
        entries.into_iter().for_each(|(i, j, k)| form.rows[i * form.reach + j - i] += SURE * k);
    }

    fn is_held(&self) -> bool {
        let held = |(k, s): (usize, &Strands<f64>)| (0..self.count).any(|v| s.section[self.at(k, v)].free[0] == 0.0);
        self.strands.iter().enumerate().any(held)
    }

    /// What springs give the strands, strand by strand. Nothing where nothing holds the bundle.
    pub fn loads(&self) -> Vec<Load> {
        let mut loads = vec![Load::default(); self.spots.len()];
        if !self.is_held() {
            return loads;
        }
        let mut form = self.form(&[]);
        form.factor();
        let mut x = vec![0.0; form.held.len()];
        for (k, s) in self.strands.iter().enumerate() {
            for v in 0..self.count {
                let (c, at) = (&s.section[self.at(k, v)], self.vertex(k, v));
                x[at..at + 3].copy_from_slice(&c.force.to_array());
                x[at + 3] = c.moment;
            }
        }
        x.iter_mut().zip(&form.held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
        form.solve(&mut x);
        for k in 0..self.strands.len() {
            for v in 0..self.count {
                let (spot, load) = (self.spot(k, v), &mut loads[k * self.count + v]);
                let [a, b, c] = AXES.map(|axis| self.slip(k, v, axis).of(&x));
                load.force = vec3(a, b, c) * spot.pull;
                if v + 1 < self.count {
                    let lean = across(self.edge(k, v).0).map(|d| d * self.lean(k, v, d).of(&x));
                    load.lean = (lean[0] + lean[1]) * spot.tilt;
                    load.twist = spot.turn * self.twist(k, v).of(&x);
                }
            }
        }
        loads
    }

    /// How many ways there are for the bundle to leave its pose, of strands that have been solved.
    pub fn unstable(&self, tense: &[Stiffness]) -> usize {
        if self.is_held() { self.form(tense).factor() } else { 0 }
    }
}
