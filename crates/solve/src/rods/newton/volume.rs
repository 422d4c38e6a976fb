//! Rods that keep their volume: the scale s of each edge's section is an unknown of Newton's method, (x₀, θ₀, s₀, x₁, …) with half-bandwidth 12
//! (`docs/internals/volume.md`). `rods/volume` has the mathematics.
//!
//! ```text
//! scratch of all rods        x, θ of vertex v against x, θ of v, v + 1, and x of v + 2          4 rows of 11
//! wide::TO_SCALES            x, θ of vertex v against s of v and v + 1                          4 × 2
//! wide::FROM_SCALE           s of v against s of v, then x, θ, s of v + 1, and x of v + 2       1 + 5 + 3
//! ```
//! What other rods have lies where it lies in them, so they are assembled by the same code. All that is of scales alone is out of line: rods
//! that keep their radius pass by a test, and a driver of each instruction set has it once for all widths.

use super::memory::scratch_row;
use super::*;
use crate::layout::{CUT_FROM, WIDE, bulk, bundle, scale, wide};
use crate::rods::der::band::Factors;
use crate::rods::volume::{EdgeVolume, Scaling, VolumeSection, VolumeStrain, edge_volume, scaling, volume_strain};

/// Unknowns of a vertex with its edge: position, turn, scale.
const ALL: usize = 5;

/// The scratch of a group, by vertex and row; those of [`wide`] come after all others.
#[derive(Clone, Copy)]
pub(super) struct Wide<L: Lane> {
    scratch: *mut L::Elem,
    vertices: usize,
}

impl<L: Lane> Wide<L> {
    #[inline(always)]
    fn row(&self, i: usize, k: usize) -> L {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS + wide::ROWS);
        // SAFETY: the contract of the group whose memory this is: it keeps its volume, so it has all of these rows.
        unsafe { L::load(self.scratch.add(scratch_row(self.vertices, i, k) * L::N)) }
    }
    #[inline(always)]
    fn set_row(&mut self, i: usize, k: usize, v: L) {
        debug_assert!(i < self.vertices && k < SCRATCH_ROWS + wide::ROWS);
        // SAFETY: as in `row`.
        unsafe { v.store(self.scratch.add(scratch_row(self.vertices, i, k) * L::N)) }
    }
    #[inline(always)]
    pub(super) fn at(&self, i: usize, k: usize) -> L {
        self.row(i, SCRATCH_ROWS + k)
    }
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, k: usize, v: L) {
        self.set_row(i, SCRATCH_ROWS + k, v);
    }
    #[inline(always)]
    fn add(&mut self, i: usize, k: usize, v: L) {
        self.set(i, k, self.at(i, k) + v);
    }
    /// Adds to what unknown `a` (0 to 3) of vertex `i` has to do with the scale of edge `j`.
    #[inline(always)]
    fn put(&mut self, i: usize, a: usize, j: usize, v: L) {
        let (at, row) = if i <= j { (i, wide::TO_SCALES + 2 * a + j - i) } else { (j, wide::FROM_SCALE + ALL * (i - j) - 4 + a) };
        self.add(at, row, v);
    }
    #[inline(always)]
    fn put3(&mut self, i: usize, j: usize, v: Vec3<L>) {
        for (a, c) in [v.x, v.y, v.z].into_iter().enumerate() {
            self.put(i, a, j, c);
        }
    }
    /// What an element with the derivatives `d` along its two edges and their turns has to do with the scale of edge `j`.
    #[inline(always)]
    fn put_force(&mut self, i: usize, j: usize, d: &ElementForce<L>) {
        self.put3(i - 1, j, -d.e);
        self.put3(i, j, d.e - d.f);
        self.put3(i + 1, j, d.f);
        self.put(i - 1, 3, j, d.turn_e);
        self.put(i, 3, j, d.turn_f);
    }
}

/// The band of both, with what [`Group`] knows of its pivots.
pub(crate) struct WideBand<L: Lane> {
    rows: Wide<L>,
    floored: L,
    indefinite: L,
}

impl<L: Lane> WideBand<L> {
    /// Where the entry of an unknown's row is: scales are the fourth and the ninth column from the vertex's first on.
    #[inline(always)]
    fn place(unknown: usize, column: usize) -> usize {
        let c = unknown + column;
        match (unknown, c) {
            (4, _) => SCRATCH_ROWS + wide::FROM_SCALE + column,
            (_, 4) => SCRATCH_ROWS + wide::TO_SCALES + 2 * unknown,
            (_, 9) => SCRATCH_ROWS + wide::TO_SCALES + 2 * unknown + 1,
            _ => unknown * BAND + column - usize::from(c > 4) - usize::from(c > 9),
        }
    }
    #[inline(always)]
    fn side_at(unknown: usize) -> usize {
        if unknown == 4 { SCRATCH_ROWS + wide::RHS } else { RHS + unknown }
    }

    #[inline(always)]
    fn cell(&self, v: usize, unknown: usize, column: usize) -> L {
        self.rows.row(v, Self::place(unknown, column))
    }
    #[inline(always)]
    fn set_cell(&mut self, v: usize, unknown: usize, column: usize, value: L) {
        self.rows.set_row(v, Self::place(unknown, column), value);
    }
    #[inline(always)]
    fn side(&self, v: usize, unknown: usize) -> L {
        self.rows.row(v, Self::side_at(unknown))
    }
    #[inline(always)]
    fn set_side(&mut self, v: usize, unknown: usize, value: L) {
        self.rows.set_row(v, Self::side_at(unknown), value);
    }
    /// As in [`Band::pivot`] of a [`Group`]. The pivot of a scale is far above its inertia: what f32 has lost of it under λ made steps of 10¹⁵.
    #[inline(always)]
    fn settle(&mut self, v: usize, unknown: usize, d: L) -> L {
        let (inertia, least) = match unknown {
            4 => (self.rows.at(v, wide::INERTIA), self.rows.at(v, wide::LEAST)),
            _ => {
                let inertia = self.rows.row(v, INERTIA + usize::from(unknown == 3));
                (inertia, inertia)
            }
        };
        let bad = d.lt(inertia * L::constant(INDEFINITE));
        self.indefinite = L::select(bad, L::one(), self.indefinite);
        L::select(L::zero().lt(self.floored), d.max(least), L::select(bad, inertia, d))
    }

    /// [`eliminate`] for the five unknowns of vertex `v`, with the factors left in the rows as they come: of these many, no registers hold them.
    #[inline(always)]
    fn eliminate(&mut self, v: usize) {
        let mut a = [[L::zero(); WIDE]; ALL];
        let mut b = [L::zero(); ALL];
        for p in 0..ALL {
            b[p] = self.side(v, p);
            // All of it is written, so that it need not be cleared before.
            for c in 0..WIDE {
                a[p][c] = if c < p { L::zero() } else { self.cell(v, p, c - p) };
            }
        }
        for p in 0..ALL {
            let inv = L::one() / self.settle(v, p, a[p][p]);
            self.set_cell(v, p, 0, inv);
            self.set_side(v, p, b[p]);
            for r in p + 1..ALL {
                let l = a[p][r] * inv;
                for c in r..WIDE {
                    a[r][c] = a[r][c] - l * a[p][c];
                }
                b[r] = b[r] - l * b[p];
                self.set_cell(v, p, r - p, l);
            }
            for c in ALL..WIDE {
                self.set_cell(v, p, c - p, a[p][c] * inv);
            }
        }
        for next in 1..3 {
            if v + next >= self.rows.vertices {
                break;
            }
            for r in ALL * next..(ALL * next + ALL).min(WIDE) {
                let unknown = r - ALL * next;
                let mut l = [L::zero(); ALL];
                let mut rhs = self.side(v + next, unknown);
                for p in 0..ALL {
                    l[p] = self.cell(v, p, r - p);
                    rhs = rhs - l[p] * b[p];
                }
                self.set_side(v + next, unknown, rhs);
                for c in r..WIDE {
                    let mut entry = self.cell(v + next, unknown, c - r);
                    for p in 0..ALL {
                        entry = entry - l[p] * a[p][c];
                    }
                    self.set_cell(v + next, unknown, c - r, entry);
                }
            }
        }
    }

    /// The unknowns from vertex `v` on that a row reaches, of which the first five are its own.
    #[inline(always)]
    fn beyond(&self, v: usize) -> [L; WIDE] {
        let mut x = [L::zero(); WIDE];
        for next in 1..3 {
            if v + next >= self.rows.vertices {
                break;
            }
            for c in ALL * next..(ALL * next + ALL).min(WIDE) {
                x[c] = self.side(v + next, c - ALL * next);
            }
        }
        x
    }

    /// The way down of another right-hand side.
    #[inline(always)]
    fn descend(&mut self) {
        for v in 0..self.rows.vertices {
            let mut y = self.beyond(v);
            for p in 0..ALL {
                y[p] = self.side(v, p);
            }
            for p in 0..ALL {
                for c in p + 1..WIDE {
                    y[c] = y[c] - self.cell(v, p, c - p) * y[p];
                }
            }
            for p in 0..ALL {
                self.set_side(v, p, y[p]);
            }
            for next in 1..3 {
                if v + next >= self.rows.vertices {
                    break;
                }
                for c in ALL * next..(ALL * next + ALL).min(WIDE) {
                    self.set_side(v + next, c - ALL * next, y[c]);
                }
            }
        }
    }

    /// The way back: the right-hand side becomes the solution.
    #[inline(always)]
    fn substitute(&mut self) {
        for v in (0..self.rows.vertices).rev() {
            let mut x = self.beyond(v);
            for p in (0..ALL).rev() {
                let mut y = self.side(v, p) * self.cell(v, p, 0);
                for c in (p + 1..WIDE).rev() {
                    y = y - self.cell(v, p, c - p) * x[c];
                }
                x[p] = y;
                self.set_side(v, p, y);
            }
        }
    }
}

impl<L: Lane> Factors<L, ALL, WIDE> for WideBand<L> {
    #[inline(always)]
    fn factor(&self, v: usize, unknown: usize, column: usize) -> L {
        self.cell(v, unknown, column)
    }
}

/// What is done to a whole [`WideBand`]; returns what has been found indefinite.
enum Walk {
    Factor(usize),
    Descend,
    Substitute,
}

struct Solve<L: Lane> {
    band: WideBand<L>,
    walk: Walk,
}

impl<L: Lane> Apart for Solve<L> {
    type Out = L;
    #[inline(always)]
    fn run(mut self) -> L {
        match self.walk {
            Walk::Factor(v) => self.band.eliminate(v),
            Walk::Descend => self.band.descend(),
            Walk::Substitute => self.band.substitute(),
        }
        self.band.indefinite
    }
}

/// An element as its scale sees it.
struct ScaledElement<L> {
    model: RodModel,
    q: Relative<L>,
    now: Strains<L>,
    /// At the scale `s`.
    rest: ElementRest<L>,
    /// What of the strains does not grow with it.
    shift: Strains<L>,
    s: L,
    /// By what the scale of the section is that times, in muscles with an active rest shape.
    per: Option<L>,
}

impl<L: Lane> Apart for ScaledElement<L> {
    type Out = Scaling<L>;
    #[inline(always)]
    fn run(self) -> Scaling<L> {
        by_model!(self.model, M => {
            let rest = M::softened(&self.q, &self.rest);
            let at = scaling(&M::gradients(&self.q, &self.now), &self.now, &rest, &self.shift, self.s, M::CURVATURES);
            match self.per {
                Some(per) => at.by(per),
                None => at,
            }
        })
    }
}

/// The same in the system, between two edges.
struct PutScaling<L: Lane> {
    rows: Wide<L>,
    i: usize,
    element: ScaledElement<L>,
    edges: [EdgeView<L>; 2],
    predicted: Option<[Vec3<L>; 2]>,
    exact: L,
}

impl<L: Lane> Apart for PutScaling<L> {
    type Out = ();
    #[inline(always)]
    fn run(mut self) {
        let (i, half) = (self.i, L::constant(0.5));
        let (q, [e, f]) = (self.element.q, self.edges);
        let at = self.element.run();
        let exact = L::zero().lt(self.exact);
        let cross = Vec3::select(exact, at.cross, at.safe_cross) * half;
        // The derivatives by either scale: the section's is their mean.
        let d = element_force(&q, cross, &e.frame, e.inv_length, &f.frame, f.inv_length);
        let mut force = -(at.force * half);
        if let Some([a, b]) = self.predicted {
            force = force - (d.e.dot(a) + d.f.dot(b));
        }
        let second = at.second * (half * half);
        for j in [i - 1, i] {
            self.rows.add(j, wide::RHS, force);
            self.rows.add(j, wide::FROM_SCALE, second);
            self.rows.put_force(i, j, &d);
        }
        self.rows.add(i - 1, wide::FROM_SCALE + ALL, second);
    }
}

/// A contact in the system: what presses on the side of vertex `i` presses on the scales of its edges, by whose part in its radius (`arms`, m).
struct PressScales<L: Lane> {
    rows: Wide<L>,
    i: usize,
    arms: [L; 2],
    normal: Vec3<L>,
    press: L,
    stiff: L,
}

impl<L: Lane> Apart for PressScales<L> {
    type Out = ();
    #[inline(always)]
    fn run(mut self) {
        let (i, [before, after]) = (self.i, self.arms);
        for (k, arm) in self.arms.into_iter().enumerate() {
            if i + k < 1 || i + k >= self.rows.vertices {
                continue;
            }
            let (e, stiff) = (i + k - 1, self.stiff * arm);
            self.rows.add(e, wide::RHS, -(self.press * arm));
            self.rows.add(e, wide::FROM_SCALE, stiff * arm);
            self.rows.put3(i, e, self.normal * -stiff);
        }
        if i > 0 && i + 1 < self.rows.vertices {
            self.rows.add(i - 1, wide::FROM_SCALE + ALL, self.stiff * before * after);
        }
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    pub(super) fn wide(&self) -> Wide<L> {
        Wide { scratch: self.at.scratch, vertices: self.vertices }
    }

    /// By how much the solution lets the scale of edge `i` grow.
    #[inline(always)]
    pub(crate) fn solved_growth(&self, i: usize) -> L {
        self.wide().at(i, wide::RHS)
    }

    /// What shear alone has of the second derivative by the scale of edge `i`: 4μAl̄.
    #[inline(always)]
    pub(super) fn shear_of_scale(&self, i: usize) -> L {
        let (length, stretch) = (self.p(i, param::LENGTH), self.p(i, param::STRETCH).max(L::constant(NOTHING)));
        let mut shear = self.bulk_row(i, bulk::SHEAR) * (L::constant(2.0) * length * length / stretch);
        if self.rests_active() {
            shear = shear * self.natural(i);
        }
        shear
    }

    /// The force on the side of vertex `i` with which its section asks for room, N, if all vertices beside it are pressed as it is.
    #[inline(always)]
    pub(super) fn swells_with(&self, i: usize) -> L {
        let (wide, mut sum) = (self.wide(), L::zero());
        for (k, part) in self.radius_parts(i).into_iter().enumerate() {
            if i + k >= 1 && i + k < self.vertices {
                sum = sum + part * wide.at(i + k - 1, wide::RHS);
            }
        }
        sum / self.p(i, param::RADIUS).max(L::constant(NOTHING))
    }

    /// What a contact of vertex `i` that presses along `normal` with the force `press` and the stiffness `stiff` has to do with the scales beside it.
    #[inline(always)]
    pub(super) fn press_scales(&mut self, i: usize, normal: Vec3<L>, press: L, stiff: L) {
        let (radius, [before, after]) = (self.p(i, param::RADIUS), self.radius_parts(i));
        let job = PressScales { rows: self.wide(), i, arms: [before * radius, after * radius], normal, press, stiff };
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        unsafe { L::apart(job) }
    }

    /// Stretching and swelling of edge `i` of that length now; viscosity draws it to what it was when the substep began, too.
    #[inline(always)]
    pub(super) fn edge_volume(&self, i: usize, length: L, s: &Settings<L::Elem>, on: L) -> EdgeVolume<L> {
        let (zero, one, nothing) = (L::zero(), L::one(), L::constant(NOTHING));
        let rest = self.p(i, param::LENGTH);
        let inv = on / rest.max(nothing);
        let shear = self.bulk_row(i, bulk::SHEAR);
        let mut section = VolumeSection {
            stiffness: on / self.p(i, param::STRETCH).max(nothing),
            length: rest,
            shear,
            swell_shear: shear,
            bulk: self.bulk_row(i, bulk::BULK),
        };
        let now = volume_strain((length - rest) * inv, self.swell(i));
        let mut towards = VolumeStrain { stretch: zero, swell: zero, volume: zero };
        if self.rests_active() {
            (section, towards) = self.active_rest(i, &section);
        }
        if s.viscous {
            let (ratio, start) = (self.p(i, param::VISCOUS), self.wide());
            let part = ratio / (one + ratio);
            let natural = towards;
            towards = VolumeStrain {
                stretch: (self.scratch_at(i, START) - rest) * inv * part,
                swell: start.at(i, wide::START) * part,
                volume: start.at(i, wide::START + 1) * part,
            };
            if self.rests_active() {
                towards.stretch = towards.stretch + natural.stretch * (one - part);
                towards.swell = towards.swell + natural.swell * (one - part);
            }
            section.stiffness = section.stiffness * (one + ratio);
        }
        let mut all = edge_volume(&section, &now, &towards);
        if self.has_hill() {
            let [energy, tension, stiffness] = self.hill_tension(i, length, s.search);
            all.energy = all.energy + energy;
            all.tension = all.tension + tension;
            all.stretch2 = all.stretch2 + stiffness;
        }
        all
    }

    /// Where inertia alone would take the scales, in a substep that begins.
    #[inline(always)]
    pub(super) fn start_scale(&mut self, i: usize, s: &Settings<L::Elem>, on: L) {
        let (zero, held) = (L::zero(), L::constant(HELD));
        // What is cut has nothing that holds its radius.
        let here = L::both(zero.lt(on), self.p(i, param::STRETCH).lt(L::constant(CUT_FROM)));
        let coast = self.scale_row(i, scale::GROWTH) * (L::splat(s.h) * L::splat(s.drag_keep));
        let inertia = self.bulk_row(i, bulk::INERTIA) * L::splat(s.inv_h2);
        let mut wide = self.wide();
        wide.set(i, wide::COAST, L::select(here, coast, zero));
        wide.set(i, wide::INERTIA, L::select(here, inertia, held));
        // Of the forms that edges give (`EdgeVolume::hessian`), no less is left when all but the scale is eliminated.
        let shear = self.shear_of_scale(i) * L::constant(0.25);
        wide.set(i, wide::LEAST, L::select(here, inertia + shear, held));
        self.set_scale_row(i, scale::GROWTH, zero);
        if s.viscous && i + 1 < self.vertices {
            let rest = self.p(i, param::LENGTH);
            let length = (self.get3(i + 1, state::X) - self.get3(i, state::X)).length2().sqrt();
            let now = volume_strain((length - rest) * (on / rest.max(L::constant(NOTHING))), self.swell(i));
            wide.set(i, wide::START, now.swell);
            wide.set(i, wide::START + 1, now.volume);
        }
    }

    /// The rows of the scale of edge `i` with its inertia and what the host does to it.
    #[inline(always)]
    pub(super) fn clear_scale(&mut self, i: usize) {
        let mut wide = self.wide();
        for k in 0..wide::FROM_SCALE + 9 {
            wide.set(i, k, L::zero());
        }
        let d = wide.at(i, wide::INERTIA);
        let push = L::select(d.lt(L::constant(HELD)), self.bulk_row(i, bulk::PUSH), L::zero());
        wide.set(i, wide::FROM_SCALE, d);
        wide.set(i, wide::RHS, d * (wide.at(i, wide::COAST) - self.scale_row(i, scale::GROWTH)) + push);
    }

    /// What swelling adds to the system of edge `i`, and what differs between its scale and the one before. Returns the energy of the latter, and the
    /// moment that the former is a sum of, J.
    #[inline(always)]
    pub(super) fn put_volume(&mut self, i: usize, edge: &Edge<L>, at: &EdgeVolume<L>, exact: L) -> [L; 2] {
        let [mixed, second] = at.hessian(exact);
        let (mut wide, along) = (self.wide(), edge.frame.t * mixed);
        let mut force = -at.swelling;
        if let Some(way) = edge.predicted {
            force = force - along.dot(way);
        }
        wide.add(i, wide::RHS, force);
        wide.add(i, wide::FROM_SCALE, second);
        wide.put3(i, i, -along);
        wide.put3(i + 1, i, along);
        if i == 0 {
            return [L::zero(), at.swelling.abs()];
        }
        let spread = self.bulk_row(i, bulk::SPREAD);
        let d = self.swell(i) - self.swell(i - 1);
        if self.rests_active() {
            let (spread, d, [before, here]) = self.active_spread(i, spread, [self.swell(i - 1), self.swell(i)]);
            let pull = spread * d;
            wide.add(i, wide::RHS, -(pull * here));
            wide.add(i - 1, wide::RHS, pull * before);
            wide.add(i, wide::FROM_SCALE, spread * here * here);
            wide.add(i - 1, wide::FROM_SCALE, spread * before * before);
            wide.add(i - 1, wide::FROM_SCALE + ALL, -(spread * before * here));
            return [L::constant(0.5) * pull * d, at.swelling.abs()];
        }
        let pull = spread * d;
        wide.add(i, wide::RHS, -pull);
        wide.add(i - 1, wide::RHS, pull);
        wide.add(i, wide::FROM_SCALE, spread);
        wide.add(i - 1, wide::FROM_SCALE, spread);
        wide.add(i - 1, wide::FROM_SCALE + ALL, -spread);
        [L::constant(0.5) * pull * d, at.swelling.abs()]
    }

    /// Energy of what differs between the scales of edges `i` − 1 and `i`.
    #[inline(always)]
    pub(super) fn spread_energy(&self, i: usize) -> L {
        if !self.keeps_volume() || i == 0 {
            return L::zero();
        }
        let (mut spread, mut d) = (self.bulk_row(i, bulk::SPREAD), self.swell(i) - self.swell(i - 1));
        if self.rests_active() {
            (spread, d, _) = self.active_spread(i, spread, [self.swell(i - 1), self.swell(i)]);
        }
        L::constant(0.5) * spread * d * d
    }

    /// The part of the potential at edge `i` that the inertia of its scale has, and what the host does to it.
    #[inline(always)]
    pub(super) fn inertial_scale(&self, i: usize) -> L {
        let (wide, growth) = (self.wide(), self.scale_row(i, scale::GROWTH));
        let (m, d) = (wide.at(i, wide::INERTIA), wide.at(i, wide::COAST) - growth);
        let all = L::constant(0.5) * m * d * d - self.bulk_row(i, bulk::PUSH) * growth;
        L::select(m.lt(L::constant(HELD)), all, L::zero())
    }

    /// What the element at vertex `i` has to do with the scales of its edges; `rest` is at the section's.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn put_scaling(
        &mut self,
        i: usize,
        q: &Relative<L>,
        now: &Strains<L>,
        rest: &ElementRest<L>,
        edges: [EdgeView<L>; 2],
        model: RodModel,
        predicted: Option<[Vec3<L>; 2]>,
        exact: L,
    ) {
        let element = ScaledElement {
            model,
            q: *q,
            now: *now,
            rest: *rest,
            shift: [L::zero(); 5],
            s: self.section_scale(i),
            per: self.per_natural(i),
        };
        let job = PutScaling { rows: self.wide(), i, element, edges, predicted, exact };
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        unsafe { L::apart(job) }
    }

    /// The same of a half element between a held frame and the edge that starts at vertex `from`, with the derivatives along that edge alone.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn put_held_scaling(
        &mut self,
        i: usize,
        from: usize,
        half: (&Relative<L>, &Strains<L>, &ElementRest<L>, &Strains<L>),
        edges: (&Edge<L>, &Edge<L>),
        model: RodModel,
        root: bool,
    ) {
        let ((q, now, rest, shift), (e, f)) = (half, edges);
        let element = ScaledElement {
            model,
            q: *q,
            now: *now,
            rest: *rest,
            shift: *shift,
            s: self.section_scale(i),
            per: self.per_natural(i),
        };
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        let at = unsafe { L::apart(element) };
        let d = element_force(q, at.safe_cross, &e.frame, e.inv_length, &f.frame, f.inv_length);
        let (along, turn) = if root { (d.f, d.turn_f) } else { (d.e, d.turn_e) };
        let mut wide = self.wide();
        let mut force = -at.force;
        if let Some(way) = e.predicted.or(f.predicted) {
            force = force - along.dot(way);
        }
        wide.add(from, wide::RHS, force);
        wide.add(from, wide::FROM_SCALE, at.second);
        wide.put3(from, from, -along);
        wide.put3(from + 1, from, along);
        wide.put(from, 3, from, turn);
    }

    #[inline(always)]
    pub(crate) fn wide_band(&self) -> WideBand<L> {
        WideBand { rows: self.wide(), floored: self.newton.floored, indefinite: self.newton.indefinite }
    }
    #[inline(always)]
    fn solve_wide(&mut self, walk: Walk) {
        let band = self.wide_band();
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        self.newton.indefinite = unsafe { L::apart(Solve { band, walk }) };
    }

    /// [`Self::factor_vertex`] with the scale.
    #[inline(always)]
    pub(super) fn factor_wide(&mut self, v: usize) {
        self.solve_wide(Walk::Factor(v));
    }

    /// The way down of another right-hand side.
    #[inline(always)]
    pub(crate) fn go_down(&mut self) {
        if self.keeps_volume() {
            self.solve_wide(Walk::Descend);
        } else {
            self.descend(self.vertices);
        }
    }

    /// The way back: the right-hand side becomes the solution.
    #[inline(always)]
    pub(crate) fn go_back(&mut self) {
        if self.keeps_volume() {
            self.solve_wide(Walk::Substitute);
        } else {
            self.substitute(self.vertices);
        }
    }

    /// Adds `step` times the solution to how the scale of edge `i` has grown, as far as that may be.
    #[inline(always)]
    pub(super) fn grow(&mut self, i: usize, from: L, step: L) {
        let growth = self.possible_growth(i, from, from + self.wide().at(i, wide::RHS) * step);
        let there = L::zero().lt(self.on(i, self.edge_count()));
        self.set_scale_row(i, scale::GROWTH, L::select(there, growth, self.scale_row(i, scale::GROWTH)));
    }

    /// [`Self::grow`] by the whole solution.
    #[inline(always)]
    pub(super) fn grow_whole(&mut self, i: usize) {
        self.grow(i, self.scale_row(i, scale::GROWTH), L::one());
    }

    /// Of [`Self::keep_start`]: returns the slope along the solution.
    #[inline(always)]
    pub(super) fn keep_scale(&mut self, i: usize) -> L {
        let mut wide = self.wide();
        wide.set(i, wide::KEPT, self.scale_row(i, scale::GROWTH));
        let free = wide.at(i, wide::INERTIA).lt(L::constant(HELD));
        L::select(free, wide.at(i, wide::KEPT + 1) * wide.at(i, wide::RHS), L::zero())
    }

    /// Puts a right-hand side of the scale of edge `i`, where there is one.
    #[inline(always)]
    pub(crate) fn load_scale(&mut self, i: usize, v: L) {
        if self.keeps_volume() {
            self.wide().set(i, wide::RHS, v);
        }
    }

    /// Keeps what the solution has of the scale of edge `i`, or, if not `kept`, puts it back.
    #[inline(always)]
    pub(super) fn spare_scale(&mut self, i: usize, kept: bool) {
        if self.keeps_volume() {
            let (mut wide, [from, to]) = (self.wide(), [wide::RHS, wide::KEPT]);
            let (from, to) = if kept { (from, to) } else { (to, from) };
            wide.set(i, to, wide.at(i, from));
        }
    }

    /// Of rods that touch rods: the scale that the strand's own solution asks for, and nothing yet that contact adds.
    #[inline(always)]
    pub(crate) fn begin_scale(&mut self, i: usize) {
        if self.keeps_volume() {
            let mut wide = self.wide();
            wide.set(i, wide::OWN, wide.at(i, wide::RHS));
            wide.set(i, wide::ANSWER, L::zero());
            if self.is_bundled() {
                self.set_bundle_row(i, bundle::OWN_SWELL, wide.at(i, wide::RHS));
            }
        }
    }

    /// What contact adds to it.
    #[inline(always)]
    pub(crate) fn answer_scale(&mut self, i: usize) {
        if self.keeps_volume() {
            let mut wide = self.wide();
            wide.set(i, wide::ANSWER, wide.at(i, wide::RHS) + L::zero());
            if self.is_bundled() {
                self.set_bundle_row(i, bundle::ANSWER_SWELL, wide.at(i, wide::RHS));
            }
        }
    }

    /// Both together.
    #[inline(always)]
    pub(crate) fn take_scale(&mut self, i: usize) {
        if self.keeps_volume() {
            let mut wide = self.wide();
            let both = if self.is_bundled() {
                self.bundle_row(i, bundle::OWN_SWELL) + self.bundle_row(i, bundle::ANSWER_SWELL)
            } else {
                wide.at(i, wide::OWN) + wide.at(i, wide::ANSWER)
            };
            wide.set(i, wide::RHS, both);
        }
    }
}
