//! The rest shape that makes a pose an equilibrium.
//!
//! This work is based on: Tetsuya Takahashi, Christopher Batty, "Rest Shape Optimization for Sag-Free Discrete Elastic Rods",
//! CGF 44(2), 2025, §4; derivations and the smaller system: `docs/internals/rest_shape.md`.
//!
//! | paper | here |
//! |---|---|
//! | s̄ = (l̄, κ̄, m̄) | [`Six`], one a vertex |
//! | the problem (18); F_kin (20), F_reg (29), F_box (38, gradient (39) with its sign) | [`Optimizer::objective`] |
//! | ∂f/∂s̄ (24)–(28) | [`Optimizer::linearize`], [`Optimizer::transpose_product`] |
//! | gradients (21), (30), (39), Gauss–Newton Hessians (22), (31), (40) | [`Optimizer::assemble`], in force space |
//! | algorithm 1, with its back-tracking line search | [`Optimizer::gauss_newton`] |
//! | bounds (32)–(36) | [`Bounds`], [`Rules`] |
//! | §4.6, the norm of the force and others | `scene sag-norms`, `docs/internals/sagfree.md` |
//! | §6.3, an interleaved banded system of the six parameters | the smaller one below, four a vertex, interleaved too: xᵢ, θᵢ |
//!
//! Where nothing holds a strand between root and tip, statics alone tell its tensions and moments, and one walk finds the rest shape of least change that has them
//! ([`sections`]). What is below is for all others, and for the paper's minimum.
//!
//! An iteration is two walks along the strand, as long strands cost what they move through the caches: to the tip with the gradient, the system and its
//! factors ([`Optimizer::assemble`]), and back with the solution, what it changes, and what the whole change leads to ([`Optimizer::return_with_change`]).
//! More, where parameters meet their bounds, the whole change is too much, or the paper's minimum is wanted.
//!
//! The paper's system has six unknowns a vertex. With D = αI + βH and y = M⁻¹(f + JΔs̄) it is
//! (M + J D⁻¹ Jᵀ) y = f − J D⁻¹ r, Δs̄ = −D⁻¹(Jᵀy + r), r = α(s̄ − s̄₀) + β(violation): four unknowns a vertex, half-bandwidth 14,
//! and a parameter that may not change, or that is held at its bound, has D⁻¹ = 0.

pub mod alone;
mod boxed;
mod ends;
mod options;
mod rules;
mod sections;
mod soundness;
mod spare;
mod status;
mod system;

use crate::layout::{LONG_STRAND, filled};
use crate::math::cpu::fetch;
use crate::math::{Lane, Vec3};
use crate::rods::der::kernels::*;
use crate::rods::der::strand::{Rest, Row, Strands};
pub use options::*;
pub use status::Status;

use rules::Rules;
use sections::{View, sections};
use soundness::Soundness;
pub(super) use spare::Spare;
use system::AHEAD;

/// l̄ of the edge, κ̄ and m̄ at the vertex.
pub type Six<L> = [L; 6];

/// The part of the target that is gone for where another step or two get there. Near the limit of its stability a pose is off by residual
/// acceleration over ω²: of a hair of 4 mg and ω² = 0.25/s² by 12 mm at the target.
const POLISH: f64 = 1e-3;

/// Entries of a row of the upper band of J D⁻¹ Jᵀ: a rest length acts on x_{i−1} … x_{i+2}.
const BAND: usize = 15;

/// What the pose gives, once.
#[derive(Clone, Copy)]
struct Pose<L> {
    t: Vec3<L>,
    length: L,
    strains: Strains<L>,
    /// ∂/∂φ of the five strains.
    gradients: [Vec3<L>; 5],
    /// ∂φ/∂(x_{i−1}, θ_{i−1}, x_i, θ_i, x_{i+1}), zero at what is not free. All five rows of J_curv and ∇m are mixes of these three.
    turn: [[L; 11]; 3],
}

/// What s̄ gives, once an iteration.
#[derive(Clone, Copy)]
struct Slope<L> {
    /// The element's stiffnesses over l̄_{i−1} + l̄_i.
    moduli: Strains<L>,
    /// The element's moment over l̄_{i−1} + l̄_i: along `turn`, what each of both lengths changes of f (25), (27).
    moment: Vec3<L>,
    /// −∂/∂l̄ of the edge's tension, times its direction.
    pull: Vec3<L>,
}

pub struct Optimizer<L> {
    /// What sections find.
    found: Vec<Rest<L>>,
    /// Empty until there is need of a system, as are all below.
    pose: Vec<Pose<L>>,
    slope: Vec<Slope<L>>,
    /// What bounds are around, and the regularizer pulls to where it does not follow the iterates.
    initial: Vec<Six<L>>,
    /// What the square of a change of length costs, in α: 1, or what [`Optimizer::length_cost`] says.
    cost: Vec<L>,
    s: Vec<Six<L>>,
    trial: Vec<Six<L>>,
    /// Δs̄
    step: Vec<Six<L>>,
    /// 1 and −1 where a parameter shall end at its upper and lower bound.
    held: Vec<Six<L>>,
    /// The gradient of the objective.
    gradient: Vec<Six<L>>,
    /// f at s̄, at the trial.
    force: Vec<Row<L>>,
    tried_force: Vec<Row<L>>,
    y: Vec<Row<L>>,
    residual: Vec<Row<L>>,
    band: Vec<[[L; BAND]; 4]>,
}

/// ½‖f‖² in the metric of M⁻¹; the same with the penalty, and with what the regularizer adds.
#[derive(Clone, Copy)]
struct Objective<L> {
    kinetic: L,
    at_centre: L,
    value: L,
}

/// What the objective is made of, on the way: f²/m, the penalty, and the distance to the centre.
#[derive(Clone, Copy)]
struct Sums<L> {
    square: L,
    beyond: L,
    away: L,
}

impl<L: Lane> Sums<L> {
    #[inline(always)]
    fn zero() -> Self {
        Sums { square: L::zero(), beyond: L::zero(), away: L::zero() }
    }
}

/// Of a Δs̄.
#[derive(Clone, Copy)]
struct Change<L> {
    /// 1 where other parameters are to be held: one would leave its bounds, or wants to come off them.
    changed: L,
    /// How far one that is not held is beyond its bounds at most, over what is between them.
    beyond: L,
    /// The objective's along it.
    slope: L,
    /// Its length's square.
    length2: L,
}

impl<L: Lane> Change<L> {
    #[inline(always)]
    fn none() -> Self {
        Change { changed: L::zero(), beyond: L::zero(), slope: L::zero(), length2: L::zero() }
    }
}

#[inline(always)]
fn six<L: Copy>(r: &Rest<L>) -> Six<L> {
    [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist]
}

#[inline(always)]
fn write_where<L: Lane>(mask: L::Mask, yes: &Six<L>, no: &Six<L>, to: &mut Rest<L>) {
    to.length = L::select(mask, yes[0], no[0]);
    for j in 0..4 {
        to.kappa[j] = L::select(mask, yes[1 + j], no[1 + j]);
    }
    to.twist = L::select(mask, yes[5], no[5]);
}

/// What a strand that has met its target goes on to, if that comes by itself.
#[inline(always)]
fn goal2<L: Lane>(target2: L) -> L {
    target2 * L::constant(POLISH * POLISH)
}

/// 1 where `v` is positive, else 0.
#[inline(always)]
fn positive<L: Lane>(v: L) -> L {
    L::select(L::zero().lt(v), L::one(), L::zero())
}

impl<L: Lane> Optimizer<L> {
    pub fn new(vertices: usize) -> Self {
        let o = L::zero();
        Optimizer {
            found: filled(vertices, Rest { length: L::one(), kappa: [o; 4], twist: o }),
            pose: Vec::new(),
            slope: Vec::new(),
            initial: Vec::new(),
            cost: Vec::new(),
            s: Vec::new(),
            trial: Vec::new(),
            step: Vec::new(),
            held: Vec::new(),
            gradient: Vec::new(),
            force: Vec::new(),
            tried_force: Vec::new(),
            y: Vec::new(),
            residual: Vec::new(),
            band: Vec::new(),
        }
    }

    /// Makes the room to work in.
    fn make_room(&mut self) {
        let (n, o) = (self.vertices(), L::zero());
        if self.pose.len() == n {
            return;
        }
        let v = Vec3 { x: o, y: o, z: o };
        self.pose = filled(n, Pose { t: v, length: L::one(), strains: [o; 5], gradients: [v; 5], turn: [[o; 11]; 3] });
        self.slope = filled(n, Slope { moduli: [o; 5], moment: v, pull: v });
        self.cost = filled(n, L::one());
        for sixes in [&mut self.initial, &mut self.s, &mut self.trial, &mut self.step, &mut self.held, &mut self.gradient] {
            *sixes = filled(n, [o; 6]);
        }
        for rows in [&mut self.force, &mut self.tried_force, &mut self.y, &mut self.residual] {
            *rows = filled(n, [o; 4]);
        }
        self.band = filled(n, [[o; BAND]; 4]);
    }

    pub(super) fn vertices(&self) -> usize {
        self.found.len()
    }

    /// 0, or 1 + a [`Refusal`] as number.
    #[inline(always)]
    pub(super) fn refusal(strands: &Strands<L>) -> L {
        let mut sound = Soundness::new(strands);
        let mut next = View::new(strands, strands.vertices() - 2);
        for i in (0..strands.vertices() - 1).rev() {
            let view = View::new(strands, i);
            sound.edge(strands, i, view.length);
            if i + 2 < strands.vertices() {
                sound.element(strands, i + 1, &Relative::new(&view.frame, &next.frame));
            }
            next = view;
        }
        sound.refusal()
    }

    /// Reads the pose, its loads, what is free and the start of s̄ from `strands`. Bounds are around `initial`.
    #[inline(always)]
    fn read(&mut self, strands: &Strands<L>, initial: &[Rest<L>], rules: &Rules<L>) {
        self.make_room();
        let n = strands.vertices();
        let (o, one) = (L::zero(), L::one());
        let axes = [Vec3 { x: one, y: o, z: o }, Vec3 { x: o, y: one, z: o }, Vec3 { x: o, y: o, z: one }];
        let mut before: Option<(Frame<L>, L)> = None;
        for i in 0..n - 1 {
            let node = &strands.state[i];
            let (length, t) = direction(node.edge);
            let frame = Frame { m1: node.m1, m2: t.cross(node.m1), t };
            let inv = L::one() / length;
            let p = &mut self.pose[i];
            (p.t, p.length) = (t, length);
            if let Some((e, inv_e)) = before {
                let q = Relative::new(&e, &frame);
                p.strains = strands.strains(&q, node);
                p.gradients = q.all_gradients(strands.measure, &p.strains);
                for k in 0..3 {
                    let (ge, gf) = local_gradient(&q, axes[k]);
                    let de = e.world(Vec3 { x: ge[0], y: ge[1], z: ge[2] }) * inv_e;
                    let df = frame.world(Vec3 { x: gf[0], y: gf[1], z: gf[2] }) * inv;
                    let m = de - df;
                    let mut row = [-de.x, -de.y, -de.z, ge[3], m.x, m.y, m.z, gf[3], df.x, df.y, df.z];
                    for c in 0..11 {
                        row[c] = row[c] * strands.section[i - 1 + c / 4].free[usize::from(c % 4 == 3)];
                    }
                    p.turn[k] = row;
                }
            }
            before = Some((frame, inv));
            self.initial[i] = six(&initial[i]);
            self.s[i] = six(&strands.rest[i]);
            if rules.clamped() {
                self.s[i] = self.bounded(strands, rules, i, self.s[i]);
            }
            self.cost[i] = if rules.recentre { Self::length_cost(strands, i) } else { one };
        }
    }

    /// `s` within the bounds at vertex `i`; what plays no part stays, wherever its bounds are.
    #[inline(always)]
    fn bounded(&self, strands: &Strands<L>, rules: &Rules<L>, i: usize, s: Six<L>) -> Six<L> {
        let ([low, high], on) = (rules.bounds(&self.initial[i]), rules.on(strands, i));
        let mut out = s;
        for j in 0..6 {
            out[j] = L::select(L::zero().lt(on[j]), s[j].min(high[j]).max(low[j]), s[j]);
        }
        out
    }

    /// On the way to a target lengths cost what curvatures that give the same force cost: (EA l/EI)². With the paper's 1 the
    /// condition of J D⁻¹ Jᵀ is that of (EA l²/EI)² and more than f64 has for a strand of 0.1 mm (seen: directions of noise).
    #[inline(always)]
    fn length_cost(strands: &Strands<L>, i: usize) -> L {
        let c = &strands.section;
        let (one, length) = (L::one(), direction(strands.state[i].edge).0);
        let bend = c[i].ei[0].max(c[i].ei[1]).max(c[i + 1].ei[0]).max(c[i + 1].ei[1]);
        let some = L::zero().lt(bend);
        let ratio = c[i].ea * length * length / L::select(some, bend, one);
        let ratio = L::select(some, ratio.max(one), one) / length;
        ratio * ratio
    }

    /// What the regularizer pulls the parameters at vertex `i` to.
    #[inline(always)]
    fn centre(&self, rules: &Rules<L>, i: usize) -> &Six<L> {
        if rules.recentre { &self.s[i] } else { &self.initial[i] }
    }

    /// s̄ at vertex `i` after the part `t` of the step; as it is where that is 0.
    #[inline(always)]
    fn tried(&self, strands: &Strands<L>, rules: &Rules<L>, i: usize, t: L) -> Six<L> {
        let (s, d, s0) = (&self.s[i], &self.step[i], &self.initial[i]);
        let mut ahead = *s;
        for j in 0..6 {
            ahead[j] = s[j] + t * d[j];
        }
        let mut out = if rules.clamped() { self.bounded(strands, rules, i, ahead) } else { ahead };
        // A length that is not positive has no energy.
        let mut length = out[0].max(L::constant(1e-3) * s0[0]);
        // What only a penalty holds oversteps a bound by as much again at most. (Seen, of a pose turned by 3 rad: 450 times.)
        if rules.mode != BoundMode::None {
            length = length.min(s0[0] * rules.length[1] * L::constant(2.0));
        }
        out[0] = L::select(L::zero().lt(rules.on(strands, i)[0]), length, s[0]);
        // A step that is no number shall not become a bound: the objective tells.
        for j in 0..6 {
            out[j] = L::select((ahead[j] * L::zero()).lt(L::one()), out[j], ahead[j]);
        }
        let moves = L::zero().lt(t);
        for j in 0..6 {
            out[j] = L::select(moves, out[j], s[j]);
        }
        out
    }

    /// Of the trial, which with `moved` is what that part of the step leads to; leaves f in `tried_force`.
    #[inline(always)]
    fn objective(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L, moved: Option<L>) -> Objective<L> {
        let n = strands.vertices();
        let mut sums = Sums::zero();
        self.begin_sums(strands);
        for i in (0..n - 1).rev() {
            if n > LONG_STRAND && i >= AHEAD {
                self.fetch_for_sums(strands, i - AHEAD);
            }
            if let Some(t) = moved {
                self.trial[i] = self.tried(strands, rules, i, t);
            }
            self.add_to_sums(strands, rules, alpha, i, &mut sums);
        }
        self.objective_of(strands, sums)
    }

    /// Puts what acts on the tip's vertices into `tried_force`: the way of [`Optimizer::add_to_sums`] leads to the root.
    #[inline(always)]
    fn begin_sums(&mut self, strands: &Strands<L>) {
        for i in strands.vertices() - 2..strands.vertices() {
            self.load(strands, i);
        }
    }

    #[inline(always)]
    fn fetch_for_sums(&self, strands: &Strands<L>, i: usize) {
        fetch(&self.pose[i]);
        fetch(&self.trial[i]);
        fetch(&self.s[i]);
        fetch(&self.step[i]);
        fetch(&self.initial[i]);
        fetch(&self.cost[i]);
        fetch(&self.tried_force[i]);
        fetch(&strands.section[i]);
    }

    /// The part of vertex `i` in the objective of the trial, which at this vertex has just become known: the element after it, its edge, and its parameters.
    #[inline(always)]
    fn add_to_sums(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L, i: usize, sums: &mut Sums<L>) {
        let (n, zero) = (strands.vertices(), L::zero());
        if i + 2 < n {
            self.load(strands, i);
            let (moduli, _) = Self::moduli(strands, &self.trial, i + 1);
            let (m, turn) = (self.moment(&self.trial, i + 1, &moduli), &self.pose[i + 1].turn);
            for k in 0..11 {
                let f = &mut self.tried_force[i + k / 4][k % 4];
                *f = *f - Self::spread(turn, m, k);
            }
            // No earlier element acts on this vertex, and the edge before it has been.
            sums.square = self.add_square(strands, i + 2, sums.square);
        }
        let (p, s, s0) = (&self.pose[i], &self.trial[i], &self.initial[i]);
        let pull = p.t * (strands.section[i].ea * (p.length / s[0] - L::one()));
        let pull = [pull.x, pull.y, pull.z];
        for k in 0..3 {
            self.tried_force[i][k] = self.tried_force[i][k] + pull[k];
            self.tried_force[i + 1][k] = self.tried_force[i + 1][k] - pull[k];
        }
        let (on, centre) = (rules.on(strands, i), self.centre(rules, i));
        for j in 0..6 {
            let d = (s[j] - centre[j]) * on[j];
            sums.away = sums.away + if j == 0 { alpha * self.cost[i] } else { alpha } * d * d;
        }
        if let Some(penalty) = rules.penalty() {
            let [low, high] = rules.bounds(s0);
            for j in 0..6 {
                let v = ((s[j] - high[j]).max(zero) + (low[j] - s[j]).max(zero)) * on[j];
                sums.beyond = sums.beyond + penalty * v * v;
            }
        }
    }

    #[inline(always)]
    fn objective_of(&mut self, strands: &Strands<L>, sums: Sums<L>) -> Objective<L> {
        let (half, mut square) = (L::constant(0.5), sums.square);
        for i in (0..2).rev() {
            square = self.add_square(strands, i, square);
        }
        let at_centre = square + sums.beyond;
        Objective { kinetic: half * square, at_centre: half * at_centre, value: half * (at_centre + sums.away) }
    }

    /// The outer force on a vertex.
    #[inline(always)]
    fn load(&mut self, strands: &Strands<L>, i: usize) {
        let c = &strands.section[i];
        self.tried_force[i] = [c.force.x, c.force.y, c.force.z, c.moment];
    }

    /// `sum` and f²/m of what is free at a vertex; the rest is nobody's.
    #[inline(always)]
    fn add_square(&mut self, strands: &Strands<L>, i: usize, sum: L) -> L {
        let (c, mut sum) = (&strands.section[i], sum);
        for k in 0..4 {
            let (m, free) = if k < 3 { (c.mass, c.free[0]) } else { (c.inertia, c.free[1]) };
            let f = self.tried_force[i][k] * free;
            self.tried_force[i][k] = f;
            sum = sum + f * f / m;
        }
        sum
    }

    /// α (s̄ − centre), of parameter `j` at vertex `i`.
    #[inline(always)]
    fn regularized(&self, rules: &Rules<L>, i: usize, j: usize, alpha: L) -> L {
        let weight = if j == 0 { alpha * self.cost[i] } else { alpha };
        weight * (self.s[i][j] - self.centre(rules, i)[j])
    }

    /// By sections where that is all there is to do; else by [`Self::gauss_newton`]. The result goes to `strands.rest`.
    #[inline(always)]
    pub fn run(&mut self, strands: &mut Strands<L>, initial: &[Rest<L>], options: &Options) -> Solved<L> {
        let (zero, one) = (L::zero(), L::one());
        let rules = Rules::new(options, strands.measure);
        let mut target2 = zero;
        let mut out = Solved {
            refused: zero,
            ended: zero,
            iterations: zero,
            norm: zero,
            reached: zero,
            acceleration: zero,
            at_bounds: zero,
        };
        if rules.recentre && options.iterations > 0 {
            let by = sections(strands, initial, &rules, options.target, &mut self.found);
            self.take(strands, by.moved);
            (out.refused, out.ended, out.reached, out.iterations) = (by.refused, by.done, by.done, by.moved);
            (out.norm, out.acceleration, out.at_bounds) = (by.square.sqrt(), by.fastest2.sqrt(), by.at_bounds);
            target2 = by.target2;
        } else {
            out.refused = Self::refusal(strands);
        }
        // 1 while the lane works.
        let active = one - positive(out.refused) - out.ended;
        if L::any(zero.lt(active)) {
            self.read(strands, initial, &rules);
            self.gauss_newton(strands, &rules, options, active, target2, &mut out);
        }
        out
    }

    /// What was found becomes the rest shape of the lanes that `take` it.
    #[inline(always)]
    fn take(&mut self, strands: &mut Strands<L>, take: L) {
        if !L::any(take.lt(L::one())) {
            core::mem::swap(&mut self.found, &mut strands.rest);
        } else if L::any(L::zero().lt(take)) {
            for (to, from) in strands.rest.iter_mut().zip(&self.found) {
                let (new, old) = (six(from), six(to));
                write_where(L::zero().lt(take), &new, &old, to);
            }
        }
    }

    /// Gauss–Newton of the `active` lanes, as read, until f is at its target, or ‖Δs̄‖ < ε, the line search fails or the iterations are used up.
    #[inline(always)]
    fn gauss_newton(
        &mut self,
        strands: &mut Strands<L>,
        rules: &Rules<L>,
        options: &Options,
        mut active: L,
        target2: L,
        out: &mut Solved<L>,
    ) {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let works = zero.lt(active);
        let (mut alpha, mut slow) = (L::constant(options.regularizer), zero);
        let tolerance2 = L::constant(options.tolerance * options.tolerance);
        let goal2 = goal2(target2);
        let (recentre, bounded) = (rules.recentre, options.mode != BoundMode::None);
        let first = self.begin(strands, rules, alpha);
        let (mut kinetic, mut value) = (first.kinetic, first.value);
        for _ in 0..options.iterations {
            active = L::select((kinetic + kinetic).lt(goal2), zero, active);
            if !L::any(zero.lt(active)) {
                break;
            }
            let met = (kinetic + kinetic).lt(target2);
            let mut change = Change::none();
            let (mut t, mut failed) = (active, zero);
            // Which parameters end at a bound is found by solving for it, too: a step that ignores bounds zigzags between them
            // (seen: 82 iterations of a thin strand without an end).
            let mut tried = None;
            for round in 0..if bounded { 12 } else { 1 } {
                self.assemble(strands, rules, alpha, round == 0);
                if !recentre {
                    self.refine(strands, rules, alpha);
                }
                // Mostly no parameter is at a bound, and the first change is the one that counts.
                (change, tried) = self.return_with_change(strands, rules, alpha, (round == 0).then_some(t));
                if !L::any(zero.lt(change.changed * active)) {
                    break;
                }
            }
            out.iterations = out.iterations + active;
            let mut round = 0;
            let reached = loop {
                let reached = match tried.take() {
                    Some(reached) => reached,
                    None => self.objective(strands, rules, alpha, Some(t)),
                };
                // What does not fall is no direction: it fails.
                let limit = value + L::constant(1e-4) * t * change.slope.min(zero);
                let still = L::select(reached.value.lt(limit), zero, L::select(zero.lt(t), one, zero));
                if round == 30 || !L::any(zero.lt(still)) {
                    break reached;
                }
                round += 1;
                t = L::select(zero.lt(still), if round == 30 { zero } else { t * half }, t);
                failed = L::select(zero.lt(still), if round == 30 { one } else { zero }, failed);
            };
            // Lanes that have failed, or do not work, were tried where they are.
            core::mem::swap(&mut self.s, &mut self.trial);
            core::mem::swap(&mut self.force, &mut self.tried_force);
            // Done: a step that promises nothing, none at all or, for the paper's minimum, a short one.
            let promise = L::constant(if recentre { 1e-6 } else { 1e-9 }) * value;
            let short = if recentre { failed } else { L::select(change.length2.lt(tolerance2), one, failed) };
            let mut stop = L::select(promise.lt(-change.slope), short, one);
            if recentre {
                // Levenberg and Marquardt: α only damps now, and a soft strand would creep under it. Where bounds leave no equilibrium
                // J has no full rank, and without it steps are too long.
                let full = L::constant(options.regularizer);
                let less = (alpha * L::constant(1e-2)).max(full * L::constant(1e-9));
                let more = (alpha * L::constant(100.0)).max(full);
                // Without an equilibrium within the bounds it creeps to the least f: eight steps of less than 1e-3 are enough of that.
                slow = L::select((value * L::constant(1e-3)).lt(value - reached.value), zero, slow + one);
                // A damped step promises little: that is no end.
                // Nor is one that leads up, as bounds may make it that were still being looked for: more damping settles them.
                let astray = L::select(zero.lt(change.slope), one, failed);
                stop =
                    L::select(zero.lt(astray), positive(alpha - full * L::constant(1e6)), L::select(full.lt(alpha), zero, stop));
                stop = L::select(slow.lt(L::constant(7.5)), stop, one);
                // Beyond the target only what comes by itself.
                stop = L::select(L::both(met, (value * L::constant(0.1)).lt(reached.value)), one, stop);
                alpha = L::select(t.lt(one), L::select(t.lt(L::constant(0.25)), more, alpha), less);
            }
            active = L::select(zero.lt(stop), zero, active);
            if !L::any(zero.lt(active)) {
                break;
            }
            // Where the search has led: nowhere, if it failed.
            (kinetic, value) = (reached.kinetic, if recentre { reached.at_centre } else { reached.value });
        }
        out.ended = L::select(works, one - active, out.ended);
        self.finish(strands, rules, works, target2, out);
    }

    /// The objective where the strands are.
    #[inline(always)]
    fn begin(&mut self, strands: &Strands<L>, rules: &Rules<L>, alpha: L) -> Objective<L> {
        self.trial.copy_from_slice(&self.s);
        let objective = self.objective(strands, rules, alpha, None);
        core::mem::swap(&mut self.force, &mut self.tried_force);
        objective
    }

    /// Of the lanes that worked.
    #[inline(always)]
    fn finish(&mut self, strands: &mut Strands<L>, rules: &Rules<L>, works: L::Mask, target2: L, out: &mut Solved<L>) {
        let (zero, one) = (L::zero(), L::one());
        let n = strands.vertices();
        let (mut sum, mut acceleration, mut at_bounds) = (zero, zero, zero);
        for i in 0..n {
            let c = &strands.section[i];
            let f = &self.force[i];
            let a2 = (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / c.mass;
            sum = sum + a2 + f[3] * f[3] / c.inertia;
            acceleration = acceleration.max((a2 / c.mass).sqrt());
        }
        for i in 0..n - 1 {
            let s = self.s[i];
            if rules.mode != BoundMode::None {
                let ([low, high], on) = (rules.bounds(&self.initial[i]), rules.on(strands, i));
                for j in 0..6 {
                    let inside = L::both(low[j].lt(s[j]), s[j].lt(high[j]));
                    at_bounds = at_bounds + on[j] * L::select(inside, zero, one);
                }
            }
            // The others keep what they had, NaN included.
            let had = six(&strands.rest[i]);
            write_where(works, &s, &had, &mut strands.rest[i]);
        }
        out.norm = L::select(works, sum.sqrt(), out.norm);
        out.acceleration = L::select(works, acceleration, out.acceleration);
        out.at_bounds = L::select(works, at_bounds, out.at_bounds);
        out.reached = L::select(L::both(works, sum.lt(target2)), one, out.reached);
    }
}

#[cfg(test)]
mod tests;
