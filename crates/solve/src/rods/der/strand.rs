//! Discrete elastic rods: as many strands as a lane type holds, one a lane, solved by Newton's method.
//!
//! ```text
//! assemble_and_factor   elements → banded Hessian (half-bandwidth 10), minus gradient, energy      eqs. 6, 10, 13, 17
//!                       LDLᵀ a vertex at a time; counts negative pivots: the inertia of the Hessian
//! solve_back            direction
//! advance               the step, in place; searched ones are halved until the energy falls
//! ```
//! Unknowns are q = (x₀, θ₀, x₁, θ₁, …) as in the paper, with an unused θ at the last vertex. The state is kept as edge vectors
//! and their material frames, not as positions: a strain is then a difference of two lengths of the size of an edge, which f32
//! can tell. Lanes that have finished do not change any more, so a strand's bits do not depend on its neighbours.

use super::band::{AHEAD, BAND, EdgeView};
use super::elimination::Gains;
use super::kernels::*;
use crate::layout::{LONG_STRAND, filled};
use crate::math::approx::angle;
use crate::math::cpu::fetch;
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};

/// Iterations that the statics go on for without a smaller residual. (A strand that falls over takes up to 145 in all.)
const IDLE: f64 = 300.0;

/// Halvings of a step.
const LONGEST_SEARCH: usize = 40;

/// One and the cosine of 179.9°.
const FLAT: f64 = 2e-6;

/// More than any residual.
const HUGE: f64 = 1e30;

/// The state at a vertex and of the edge that starts there.
#[derive(Clone, Copy, Debug)]
pub struct Node<L> {
    /// x_{i+1} − x_i, m.
    pub edge: Vec3<L>,
    /// First material axis of the edge.
    pub m1: Vec3<L>,
    /// The twist at the vertex, in (−π, π], and its full turns.
    pub twist: L,
    pub turns: L,
}

impl<L: Lane> Node<L> {
    #[inline(always)]
    pub fn frame(&self) -> Frame<L> {
        let (_, t) = direction(self.edge);
        Frame { m1: self.m1, m2: t.cross(self.m1), t }
    }
}

/// The rest shape: length of the edge, curvature (12) and twist (16) at the vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest<L> {
    pub length: L,
    pub kappa: [L; 4],
    pub twist: L,
}

/// What does not change during a step.
#[derive(Clone, Copy, Debug)]
pub struct Section<L> {
    /// E A of the edge, N.
    pub ea: L,
    /// E I at the vertex, N m²: against bending towards m₁ and m₂, or, of [`Measure::Darboux`], about them.
    pub ei: [L; 2],
    /// G J at the vertex, N m².
    pub gj: L,
    /// Of the vertex, kg.
    pub mass: L,
    /// Of the edge about its axis, kg m².
    pub inertia: L,
    /// 1 where the position, the angle may change; else 0.
    pub free: [L; 2],
    /// All outer forces on the vertex, N, and the moment about the edge, N m.
    pub force: Vec3<L>,
    pub moment: L,
}

/// Displacements, forces: three of the vertex, one of the edge's angle.
pub type Row<L> = [L; 4];

/// Inertia and drag of an implicit step; all zero: statics.
#[derive(Clone, Copy, Debug)]
pub struct Inertia<L> {
    /// s
    pub h: L,
    /// 1/h²
    pub inv_h2: L,
    /// Drag: rate/h, s⁻².
    pub drag: L,
}

impl<L: Lane> Inertia<L> {
    #[inline(always)]
    pub fn none() -> Self {
        Inertia { h: L::zero(), inv_h2: L::zero(), drag: L::zero() }
    }
}

/// How a Newton solve went, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<L> {
    pub iterations: L,
    /// √(Σ f²/m) over the free unknowns, the norm of (20), before the last iteration: m/s² √kg.
    pub residual: L,
    /// max |f|/m over the free vertices then, m/s².
    pub acceleration: L,
    /// Negative eigenvalues of the last Hessian.
    pub negative: L,
    pub energy: L,
}

/// `L::N` strands of equally many (padded) vertices.
pub struct Strands<L> {
    pub state: Vec<Node<L>>,
    pub rest: Vec<Rest<L>>,
    /// Of viscosity, if there is any: the rest shape that the energies see, and how much stiffer they are. This and all other
    /// room to work in is empty until there is work.
    towards: Vec<Rest<L>>,
    viscous: bool,
    stiffen: L,
    pub section: Vec<Section<L>>,
    /// Since the step began, m and rad; where it has just begun, and between steps (`fresh`), nothing, whatever is written here.
    pub moved: Vec<Row<L>>,
    fresh: bool,
    /// m/s and rad/s.
    pub velocity: Vec<Row<L>>,
    /// Where steps take the unknowns that are not free ([`Self::drive`]); empty: nowhere.
    held: Vec<Row<L>>,
    /// 1 where nothing but the root is held.
    pub swing: L,
    pub measure: Measure,
    /// Of steps that leave out the second derivatives of strains, as those of direct ghost-point rods do: what holds their overshoot, over mass, s⁻²
    /// (`docs/internals/direct.md`, "Which poses a step holds"). 0 where no such steps are taken.
    pub steps: L,
    /// One and the cosine of the angle between neighbouring edges, of Ψ between their frames, below which an element counts as folded: it has no rest shape.
    pub folded: L,
    pub(crate) trial: Vec<Node<L>>,
    pub(crate) trial_moved: Vec<Row<L>>,
    pub(crate) negative: L,
    pub(crate) fastest: L,
    /// Of the stiffness that was assembled last, how stiff an element is against the mass of its vertex, s⁻², at most; and the largest diagonal entry over
    /// its mass.
    pub(crate) hardest: L,
    pub(crate) highest: L,
    /// Upper band, row by row: of the whole strand ([`Self::make_band`]), or, in a step, of some vertices from `first` on.
    pub band: Vec<[[L; BAND]; 4]>,
    pub(crate) first: usize,
    /// What a step keeps of the band ([`Self::eliminate`]).
    pub(crate) gains: Vec<Gains<L>>,
    /// Minus the gradient; after `solve_back`, the direction; and nothing for two vertices behind the last.
    pub rhs: Vec<Row<L>>,
}

/// Where [`Strands::advance`] leads.
#[derive(Clone, Copy)]
enum To<L> {
    Trial,
    State,
    /// The state when the step ends: it notes velocities instead of what has moved, of which this is a second's part, s⁻¹.
    End(L),
}

/// What one vertex of a walk from root to tip leaves for the next.
#[derive(Clone, Copy)]
pub(crate) struct Edge<L> {
    pub frame: Frame<L>,
    pub length: L,
    pub stretch: Stretch<L>,
}

impl<L: Lane> Edge<L> {
    #[inline(always)]
    fn new(node: &Node<L>, towards: L, stiffness: L) -> Self {
        let (length, t) = direction(node.edge);
        let frame = Frame { m1: node.m1, m2: t.cross(node.m1), t };
        Edge { frame, length, stretch: stretch(length, towards, stiffness) }
    }
    #[inline(always)]
    pub(crate) fn view(&self) -> EdgeView<L> {
        EdgeView { frame: self.frame, inv_length: L::one() / self.length }
    }
}

#[inline(always)]
fn full_turns<L: Lane>(node: &Node<L>) -> L {
    node.twist + node.turns * L::constant(core::f64::consts::TAU)
}

impl<L: Lane> Strands<L> {
    /// All of a strand of `vertices` vertices; what it holds means nothing before it is written.
    pub fn new(vertices: usize) -> Self {
        let (o, one) = (L::zero(), L::one());
        let axis = |x, y| vec3(x, y, o);
        let node = Node { edge: axis(one, o), m1: axis(o, one), twist: o, turns: o };
        let rest = Rest { length: one, kappa: [o; 4], twist: o };
        let section = Section {
            ea: o,
            ei: [o; 2],
            gj: o,
            mass: one,
            inertia: one,
            free: [o; 2],
            force: Vec3 { x: o, y: o, z: o },
            moment: o,
        };
        let rows = || filled(vertices, [o; 4]);
        Strands {
            state: filled(vertices, node),
            rest: filled(vertices, rest),
            towards: Vec::new(),
            viscous: false,
            stiffen: one,
            section: filled(vertices, section),
            moved: rows(),
            fresh: false,
            velocity: rows(),
            held: Vec::new(),
            swing: o,
            measure: Measure::Curvature,
            steps: o,
            folded: L::constant(FLAT),
            trial: Vec::new(),
            trial_moved: Vec::new(),
            negative: o,
            fastest: o,
            hardest: o,
            highest: o,
            band: Vec::new(),
            first: 0,
            gains: Vec::new(),
            rhs: Vec::new(),
        }
    }

    pub fn vertices(&self) -> usize {
        self.state.len()
    }

    /// Starts the twist of every vertex from the frames, turns at zero.
    #[inline(always)]
    pub fn measure_twist(&mut self) {
        for i in 1..self.vertices() - 1 {
            let (sin, cos) = self.relative(i).twist();
            self.state[i].twist = angle(sin, cos);
            self.state[i].turns = L::zero();
        }
    }

    /// The rotation between the edges that meet at vertex `i`.
    #[inline(always)]
    pub fn relative(&self, i: usize) -> Relative<L> {
        Relative::new(&self.state[i - 1].frame(), &self.state[i].frame())
    }

    /// The rest shape becomes the state's shape.
    #[inline(always)]
    pub fn rest_from_state(&mut self) {
        let n = self.vertices();
        for i in 0..n - 1 {
            self.rest[i].length = direction(self.state[i].edge).0;
            if i > 0 {
                let [a, b, c, d, twist] = self.strains(&self.relative(i), &self.state[i]);
                (self.rest[i].kappa, self.rest[i].twist) = ([a, b, c, d], twist);
            }
        }
    }

    #[inline(always)]
    pub fn strains(&self, q: &Relative<L>, node: &Node<L>) -> Strains<L> {
        match self.measure {
            Measure::Curvature => {
                let k = q.curvature();
                [k[0], k[1], k[2], k[3], full_turns(node)]
            }
            Measure::Darboux => {
                let psi = q.half_darboux() * L::constant(2.0);
                [psi.x, psi.y, L::zero(), L::zero(), psi.z]
            }
        }
    }

    /// E I over lengths for the first four strains, G J for the fifth; `inv` is 1/(l̄_e + l̄_f).
    #[inline(always)]
    pub fn moduli(measure: Measure, section: &Section<L>, inv: L) -> Strains<L> {
        let two = L::constant(2.0);
        let (a, b, c) = (section.ei[0] * inv, section.ei[1] * inv, two * section.gj * inv);
        match measure {
            Measure::Curvature => [a, b, a, b, c],
            Measure::Darboux => [two * a, two * b, L::zero(), L::zero(), c],
        }
    }

    /// The rest shape that the energies see.
    #[inline(always)]
    fn towards(&self, i: usize) -> &Rest<L> {
        if self.viscous { &self.towards[i] } else { &self.rest[i] }
    }

    /// The edge that starts at vertex `i` of `state` or `trial`.
    #[inline(always)]
    pub(crate) fn edge(&self, node: &Node<L>, i: usize) -> Edge<L> {
        Edge::new(node, self.towards(i).length, self.section[i].ea * self.stiffen / self.rest[i].length)
    }

    /// Rest and stiffness of the element at vertex `i`.
    #[inline(always)]
    pub(crate) fn element_rest(&self, i: usize) -> ElementRest<L> {
        let (section, rest) = (&self.section[i], self.towards(i));
        let inv = self.stiffen / (self.rest[i - 1].length + self.rest[i].length);
        let [a, b, c, d, turn] = Self::moduli(self.measure, section, inv);
        ElementRest { kappa: rest.kappa, twist: rest.twist, bend: [a, b, c, d], turn }
    }

    /// Viscosity: each strain s is also drawn to where it was when the step began, with `ratio` = time/h times its stiffness
    /// (Kelvin–Voigt). Both springs together are one, `stiffen` times as stiff, about the mean of both rest strains. It slows
    /// changes of shape, leaves rigid motions and statics alone. 0 for none.
    #[inline(always)]
    fn set_viscosity(&mut self, ratio: L) {
        self.clear_viscosity();
        if !L::any(L::zero().lt(ratio)) {
            return;
        }
        (self.viscous, self.stiffen) = (true, L::one() + ratio);
        self.towards.resize(self.vertices(), self.rest[0]);
        let inv = L::one() / self.stiffen;
        for i in 0..self.vertices() {
            let rest = self.rest[i];
            let mut to = rest;
            if i + 1 < self.vertices() {
                to.length = (rest.length + ratio * direction(self.state[i].edge).0) * inv;
            }
            if i > 0 && i + 1 < self.vertices() {
                let now = self.strains(&self.relative(i), &self.state[i]);
                for j in 0..4 {
                    to.kappa[j] = (rest.kappa[j] + ratio * now[j]) * inv;
                }
                to.twist = (rest.twist + ratio * now[4]) * inv;
            }
            self.towards[i] = to;
        }
    }

    #[inline(always)]
    pub(crate) fn clear_viscosity(&mut self) {
        (self.viscous, self.stiffen) = (false, L::one());
    }

    /// The rest that minimises the elastic energy and outer work alone: see [`Self::newton`].
    #[inline(always)]
    pub fn settle(&mut self, iterations: usize, tolerance: L) -> Outcome<L> {
        self.clear_motion();
        self.newton(&Inertia::none(), iterations, tolerance, true, None)
    }

    #[inline(always)]
    fn clear_motion(&mut self) {
        self.make_room();
        for i in 0..self.vertices() {
            self.moved[i] = [L::zero(); 4];
            self.velocity[i] = [L::zero(); 4];
        }
        self.held.clear();
        self.fresh = false;
        self.clear_viscosity();
    }

    /// One implicit step of `h` seconds: `iterations` Newton steps (the paper takes one), then velocities. `drag`, 1/s, and
    /// `viscosity`, s, damp.
    #[inline(always)]
    pub fn step(&mut self, h: L, iterations: usize, drag: L, viscosity: L) -> Outcome<L> {
        let inv_h = L::one() / h;
        self.make_room();
        self.set_viscosity(viscosity * inv_h);
        self.fresh = true;
        let inertia = Inertia { h, inv_h2: inv_h * inv_h, drag: drag * inv_h };
        self.newton(&inertia, iterations, L::zero(), iterations > 1, Some(inv_h))
    }

    /// Where every step takes a vertex that is not free, from where it begins, until the next [`Self::settle`]. Of one strand alone: a batch knows nothing of it.
    pub fn drive(&mut self, i: usize, way: Vec3<L>) {
        self.held.resize(self.vertices(), [L::zero(); 4]);
        self.held[i] = [way.x, way.y, way.z, L::zero()];
    }

    #[inline(always)]
    pub(crate) fn is_driven(&self) -> bool {
        !self.held.is_empty()
    }

    /// What is left of the way that an unknown is driven.
    #[inline(always)]
    pub(crate) fn left(&self, i: usize, k: usize) -> L {
        (self.held[i][k] - self.moved(i)[k]) * (L::one() - self.is_free(i, k))
    }

    /// Nothing has moved, whatever `moved` says.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// What a vertex has moved by since the step began.
    #[inline(always)]
    pub(crate) fn moved(&self, i: usize) -> Row<L> {
        if self.fresh { [L::zero(); 4] } else { self.moved[i] }
    }

    /// Inertia, drag and outer forces at vertex `i` displaced by `u`: energy and minus the gradient.
    #[inline(always)]
    pub(crate) fn outer(&self, i: usize, u: &Row<L>, inertia: &Inertia<L>) -> (L, Row<L>) {
        let s = &self.section[i];
        let half = L::constant(0.5);
        let mut energy = L::zero();
        let mut down = [s.force.x, s.force.y, s.force.z, s.moment];
        for k in 0..4 {
            let m = if k < 3 { s.mass } else { s.inertia };
            // Where inertia alone would take it: h v.
            let d = u[k] - inertia.h * self.velocity[i][k];
            let (a, b) = (m * inertia.inv_h2 * d, m * inertia.drag * u[k]);
            energy = energy + half * (a * d + b * u[k]) - down[k] * u[k];
            down[k] = down[k] - (a + b);
        }
        (energy, down)
    }

    /// Energy of the trial state.
    #[inline(always)]
    fn trial_energy(&self, inertia: &Inertia<L>) -> L {
        let n = self.vertices();
        let mut energy = L::zero();
        let mut before: Option<Edge<L>> = None;
        for i in 0..n {
            energy = energy + self.outer(i, &self.trial_moved[i], inertia).0;
            if i + 1 == n {
                break;
            }
            let edge = self.edge(&self.trial[i], i);
            energy = energy + edge.stretch.energy;
            if let Some(e) = before {
                let rest = self.element_rest(i);
                let now = self.strains(&Relative::new(&e.frame, &edge.frame), &self.trial[i]);
                let dm = now[4] - rest.twist;
                let mut sum = rest.turn * dm * dm;
                for j in 0..4 {
                    let d = now[j] - rest.kappa[j];
                    sum = sum + rest.bend[j] * d * d;
                }
                energy = energy + L::constant(0.5) * sum;
            }
            before = Some(edge);
        }
        energy
    }

    /// The state moved by `step` times the direction. Where nothing but the root
    /// holds a strand (`swing`), an edge takes the part of its displacement across it as a turn: a straight path would lengthen edges by the
    /// square of what they turn, and a stiff rod allows only tiny steps along it (55 against 9 iterations for a tip load). What lies beyond is
    /// carried along.
    #[inline(always)]
    fn advance(&mut self, step: L, to: To<L>) {
        let n = self.vertices();
        let swing = L::zero().lt(self.swing);
        // What the turns add to the displacements of all that follows.
        let mut carried = Vec3::zero();
        let mut before = self.state[0];
        for i in 0..n {
            if n > LONG_STRAND && i + AHEAD < n {
                fetch(&self.section[i + AHEAD].free);
            }
            let along = [carried.x, carried.y, carried.z, L::zero()];
            let mut moved = self.moved(i);
            for k in 0..4 {
                moved[k] = moved[k] + (step * self.rhs[i][k] + along[k] * self.is_free(i, k));
            }
            match to {
                To::Trial => self.trial_moved[i] = moved,
                To::State => self.moved[i] = moved,
                To::End(inv_h) => self.note_velocity(i, &moved, inv_h),
            }
            if i + 1 == n {
                break;
            }
            let (a, b) = (self.rhs[i], self.rhs[i + 1]);
            let node = self.state[i];
            let (length, t) = direction(node.edge);
            let d = vec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * step;
            let stretched = (length + d.dot(t)).max(length * L::constant(0.1));
            let across = d - t * d.dot(t);
            // t turned by the angle 2 atan(|across|/2l).
            let half = across * (L::constant(0.5) / length);
            let h2 = half.length2();
            let inv = L::one() / (L::one() + h2);
            let turned = (t * (L::one() - h2) + half * L::constant(2.0)) * (inv * stretched);
            let straight = node.edge + d;
            let edge = Vec3::select(swing, turned, straight);
            carried = carried + (edge - straight);
            // The turn whose half angle has the tangent ½ δθ: δθ up to its cube.
            let half = L::constant(0.5) * step * a[3];
            let (h2, one) = (half * half, L::one());
            let inv = one / (one + h2);
            let turn = (L::constant(2.0) * half * inv, (one - h2) * inv);
            let frame = Frame { m1: node.m1, m2: t.cross(node.m1), t }.transported(direction(edge).1, turn);
            let mut new = Node { edge, m1: frame.m1, ..node };
            if i > 0 {
                let (sin, cos) = Relative::new(&before.frame(), &frame).twist();
                let twist = angle(sin, cos);
                (new.twist, new.turns) = (twist, unwound(node.turns, node.twist, twist));
            }
            (if matches!(to, To::Trial) { &mut self.trial } else { &mut self.state })[i] = new;
            before = new;
        }
        self.fresh &= !matches!(to, To::State);
    }

    #[inline(always)]
    fn note_velocity(&mut self, i: usize, moved: &Row<L>, inv_h: L) {
        for k in 0..4 {
            self.velocity[i][k] = moved[k] * inv_h;
        }
    }

    /// The trial state becomes the state where `active`.
    #[inline(always)]
    fn accept(&mut self, active: L) {
        if !L::any(active.lt(L::one())) {
            // It begins no edge.
            let last = self.vertices() - 1;
            self.trial[last] = self.state[last];
            core::mem::swap(&mut self.trial, &mut self.state);
            core::mem::swap(&mut self.trial_moved, &mut self.moved);
            self.fresh = false;
            return;
        }
        let mask = L::zero().lt(active);
        for i in 0..self.vertices() {
            let mut moved = self.moved(i);
            let (from, to) = (self.trial[i], &mut self.state[i]);
            to.edge = Vec3::select(mask, from.edge, to.edge);
            to.m1 = Vec3::select(mask, from.m1, to.m1);
            to.twist = L::select(mask, from.twist, to.twist);
            to.turns = L::select(mask, from.turns, to.turns);
            for k in 0..4 {
                moved[k] = L::select(mask, self.trial_moved[i][k], moved[k]);
            }
            self.moved[i] = moved;
        }
        self.fresh = false;
    }

    /// Minimises the incremental potential (1) by at most `iterations` Newton steps, until √(Σ f²/m) ≤ `tolerance`. `search`: halve steps until
    /// the energy falls, but for one that carries what is driven along. `inv_h`: of a step, which ends with velocities.
    #[inline(always)]
    fn newton(&mut self, inertia: &Inertia<L>, iterations: usize, tolerance: L, search: bool, inv_h: Option<L>) -> Outcome<L> {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let epsilon = if core::mem::size_of::<L::Elem>() == 4 { 1e-6 } else { 1e-14 };
        let mut out = Outcome { iterations: zero, residual: zero, acceleration: zero, negative: zero, energy: zero };
        // 1 while the lane works.
        let mut active = one;
        let (mut best, mut idle) = (L::constant(HUGE), zero);
        let mut ended = false;
        for iteration in 0..iterations {
            let searched = search && !(iteration == 0 && self.is_driven());
            let (mut exact, mut again) = (one, true);
            // What is called here is inlined: a loop calls it once.
            let (energy, residual) = loop {
                let [energy, square] = self.assemble_and_factor(inertia, exact, searched);
                let bad = L::both(zero.lt(self.negative), zero.lt(active));
                if again {
                    out.negative = L::select(zero.lt(active), self.negative, out.negative);
                }
                if !(again && L::any(bad)) {
                    break (energy, square.sqrt());
                }
                (again, exact) = (false, L::select(bad, zero, one));
            };
            out.residual = L::select(zero.lt(active), residual, out.residual);
            out.acceleration = L::select(zero.lt(active), self.fastest, out.acceleration);
            out.energy = L::select(zero.lt(active), energy, out.energy);
            // Not done: also where the residual is NaN.
            active = L::select(residual.lt(tolerance), zero, active);
            // Nor where rounding leaves no less.
            let better = residual.lt(best * L::constant(0.9));
            best = L::select(better, residual, best);
            idle = L::select(better, zero, idle + one);
            active = L::select(L::constant(IDLE).lt(idle), zero, active);
            if !L::any(zero.lt(active)) {
                break;
            }
            out.iterations = out.iterations + active;
            self.solve_back();
            let mut step = active;
            let to = match inv_h {
                _ if searched || L::any(active.lt(one)) => To::Trial,
                Some(inv_h) if iteration + 1 == iterations => To::End(inv_h),
                _ => To::State,
            };
            ended = matches!(to, To::End(_));
            let slope = if searched { self.slope() } else { zero };
            for _ in 0..=LONGEST_SEARCH {
                self.advance(step, to);
                if !searched {
                    break;
                }
                let e = self.trial_energy(inertia);
                let slack = L::constant(epsilon) * energy.abs();
                let limit = energy - L::constant(1e-4) * step * slope + slack;
                // A NaN energy is no progress either.
                let fine = L::select(e.lt(limit), zero, step);
                if !L::any(zero.lt(fine)) {
                    break;
                }
                step = L::select(zero.lt(fine), step * half, step);
            }
            if matches!(to, To::Trial) {
                self.accept(active);
            }
        }
        if let Some(inv_h) = inv_h {
            for i in 0..if ended { 0 } else { self.vertices() } {
                self.note_velocity(i, &self.moved(i), inv_h);
            }
            self.fresh = true;
        }
        out
    }

    /// −gradient · direction.
    #[inline(always)]
    fn slope(&self) -> L {
        let mut sum = L::zero();
        for i in 0..self.vertices() {
            for k in 0..4 {
                sum = sum + self.is_free(i, k) * self.trial_moved[i][k] * self.rhs[i][k];
            }
        }
        sum
    }
}
