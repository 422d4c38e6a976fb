//! The rest shape that makes a pose an equilibrium.
//!
//! This work is based on: Tetsuya Takahashi, Christopher Batty, "Rest Shape Optimization for Sag-Free Discrete Elastic Rods",
//! CGF 44(2), 2025, §4; derivations and the smaller system: `docs/rest_shape.md`.
//!
//! | paper | here |
//! |---|---|
//! | s̄ = (l̄, κ̄, m̄) | [`Six`], one a vertex |
//! | F_kin (20), F_reg (29), F_box (38, gradient with its sign) | [`Optimizer::objective`] |
//! | ∂f/∂s̄ (24)–(28) | [`Optimizer::linearize`], [`Optimizer::transpose_product`] |
//! | (JᵀM⁻¹J + αI + βH) Δs̄ = −∇F, algorithm 1 | [`Optimizer::run`], in force space |
//! | bounds (32)–(36) | [`Bounds`] |
//!
//! The paper's system has six unknowns a vertex. With D = αI + βH and y = M⁻¹(f + JΔs̄) it is
//! (M + J D⁻¹ Jᵀ) y = f − J D⁻¹ r, Δs̄ = −D⁻¹(Jᵀy + r), r = α(s̄ − s̄₀) + β(violation): four unknowns a vertex, half-bandwidth 14,
//! and a parameter that may not change, or that is held at its bound, has D⁻¹ = 0.

use super::kernels::*;
use super::strand::{Rest, Row, Strands};
use crate::math::{Lane, Vec3};
use crate::rods::ghost::kernels::Sym3;

/// l̄ of the edge, κ̄ and m̄ at the vertex.
pub type Six<L> = [L; 6];

/// Entries of a row of the upper band of J D⁻¹ Jᵀ: a rest length acts on x_{i−1} … x_{i+2}.
const BAND: usize = 15;

/// Permitted changes, (32)–(36).
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// l̄ between these times the initial length.
    pub length: [f64; 2],
    /// |κ̄ − κ̄₀|, of each of the four components.
    pub kappa: f64,
    /// |m̄ − m̄₀|, rad.
    pub twist: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { length: [0.1, 1.1], kappa: core::f64::consts::SQRT_2, twist: core::f64::consts::FRAC_PI_8 }
    }
}

/// How the bounds are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundMode {
    /// Not at all.
    None,
    /// By the penalty (38): bounds are overstepped a little.
    Penalty,
    /// By the penalty, each iterate clamped.
    Clamped,
    /// Exactly: parameters at a bound that push outward are held there (projected Gauss–Newton).
    Exact,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// α of (29).
    pub regularizer: f64,
    /// β of (38).
    pub penalty: f64,
    /// ε: stop where ‖Δs̄‖₂ is smaller; for the paper's minimum.
    pub tolerance: f64,
    pub iterations: usize,
    /// False: m̄ stays (§4.5).
    pub twist: bool,
    pub bounds: Bounds,
    pub mode: BoundMode,
    /// The regularizer pulls s̄ off the equilibrium (by 3 % of κ̄ for the paper's horizontal strand at c_bend = 1e8). With a target,
    /// each iterate is its next centre, until √(Σ f²/m) is below the target or the bounds stop it; 0: the paper's minimum.
    pub target: f64,
    /// Where the bounds keep a strand from its target, or its pose is not stable: the largest factor by which it may be stiffened,
    /// vertex by vertex and no more than it takes ([`super::stiffen`]). None: not at all.
    pub stiffen: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            regularizer: 1e-5,
            penalty: 1e6,
            tolerance: 1e-5,
            iterations: 500,
            twist: true,
            bounds: Bounds::default(),
            mode: BoundMode::Penalty,
            target: 1e-6,
            stiffen: None,
        }
    }
}

impl Options {
    /// Whether there is a problem to solve: what is wrong, else.
    pub fn check(&self) -> Result<(), &'static str> {
        let finite = |v: f64| v.is_finite() && v >= 0.0;
        let [low, high] = self.bounds.length;
        match () {
            () if !(finite(self.regularizer) && self.regularizer > 0.0) => Err("regularizer: not positive"),
            () if !finite(self.penalty) => Err("penalty: negative or not finite"),
            () if !finite(self.tolerance) => Err("tolerance: negative or not finite"),
            () if !finite(self.target) => Err("target: negative or not finite"),
            () if !(finite(low) && finite(high) && low <= high && high > 0.0) => Err("bounds.length: not 0 ≤ low ≤ high"),
            () if self.stiffen.is_some_and(|k| !(k.is_finite() && k >= 1.0)) => Err("stiffen: less than 1 or not finite"),
            () if !finite(self.bounds.kappa) => Err("bounds.kappa: negative or not finite"),
            () if !finite(self.bounds.twist) => Err("bounds.twist: negative or not finite"),
            () => Ok(()),
        }
    }
}

/// Why a strand was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A NaN or an infinity in pose, loads, section or rest shape.
    NotFinite,
    /// A vertex or an edge without mass: radius or density 0.
    NoMass,
    /// An edge shorter than a millionth of the strand's longest.
    ShortEdge,
    /// Two edges that fold back on each other, to 0.1°: their curvature is infinite.
    Fold,
    /// [`Options::check`].
    Options,
}

/// What came out, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Solved<L> {
    /// 0; 1 + a [`Refusal`] as number where nothing was done.
    pub refused: L,
    /// 1 where the lane stopped of itself, 0 where the iterations were used up.
    pub ended: L,
    pub iterations: L,
    /// √(Σ f²/m), ‖f‖ in the metric of M⁻¹.
    pub norm: L,
    /// max |f|/m over the free vertices, m/s².
    pub acceleration: L,
    /// Parameters at or beyond a bound.
    pub at_bounds: L,
}

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
    pose: Vec<Pose<L>>,
    slope: Vec<Slope<L>>,
    initial: Vec<Six<L>>,
    /// What the regularizer pulls to.
    centre: Vec<Six<L>>,
    lower: Vec<Six<L>>,
    upper: Vec<Six<L>>,
    /// 1 where a parameter may change.
    on: Vec<Six<L>>,
    /// What the square of a change of length costs, in α: 1, or what [`Optimizer::length_cost`] says.
    cost: Vec<L>,
    s: Vec<Six<L>>,
    trial: Vec<Six<L>>,
    /// −D⁻¹ r, what Δs̄ is without y; then Δs̄.
    step: Vec<Six<L>>,
    /// D⁻¹
    weight: Vec<Six<L>>,
    /// 1 and −1 where a parameter shall end at its upper and lower bound.
    held: Vec<Six<L>>,
    /// The gradient of the objective.
    gradient: Vec<Six<L>>,
    force: Vec<Row<L>>,
    y: Vec<Row<L>>,
    residual: Vec<Row<L>>,
    band: Vec<[[L; BAND]; 4]>,
}

#[inline(always)]
fn six<L: Copy>(r: &Rest<L>) -> Six<L> {
    [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist]
}

/// 1 where `v` is positive, else 0.
#[inline(always)]
fn positive<L: Lane>(v: L) -> L {
    L::select(L::zero().lt(v), L::one(), L::zero())
}

#[inline(always)]
fn times<L: Lane>(m: &Sym3<L>, [x, y, z]: [L; 3]) -> Vec3<L> {
    Vec3 { x: m.xx * x + m.xy * y + m.xz * z, y: m.xy * x + m.yy * y + m.yz * z, z: m.xz * x + m.yz * y + m.zz * z }
}

impl<L: Lane> Optimizer<L> {
    pub fn new(vertices: usize) -> Self {
        let o = L::zero();
        let sixes = || vec![[o; 6]; vertices];
        let v = Vec3 { x: o, y: o, z: o };
        Optimizer {
            pose: vec![Pose { t: v, length: L::one(), strains: [o; 5], gradients: [v; 5], turn: [[o; 11]; 3] }; vertices],
            slope: vec![Slope { moduli: [o; 5], moment: v, pull: v }; vertices],
            initial: sixes(),
            centre: sixes(),
            lower: sixes(),
            upper: sixes(),
            on: sixes(),
            cost: vec![L::one(); vertices],
            s: sixes(),
            trial: sixes(),
            step: sixes(),
            weight: sixes(),
            held: sixes(),
            gradient: sixes(),
            force: vec![[o; 4]; vertices],
            y: vec![[o; 4]; vertices],
            residual: vec![[o; 4]; vertices],
            band: vec![[[o; BAND]; 4]; vertices],
        }
    }

    /// 0, or 1 + a [`Refusal`] as number.
    #[inline(always)]
    pub(super) fn refusal(strands: &Strands<L>) -> L {
        let n = strands.vertices();
        let (zero, one) = (L::zero(), L::one());
        // 0 x is 0, or NaN where x is not finite.
        let (mut sum, mut least_mass, mut longest) = (zero, one, zero);
        for i in 0..n {
            let (a, r, c) = (&strands.state[i], &strands.rest[i], &strands.section[i]);
            let numbers = [
                [a.edge.x, a.edge.y, a.edge.z, a.m1.x, a.m1.y, a.m1.z, a.twist, a.turns],
                [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist, c.ea, c.ei[0]],
                [c.ei[1], c.gj, c.mass, c.inertia, c.force.x, c.force.y, c.force.z, c.moment],
            ];
            for of in numbers {
                for v in of {
                    sum = sum + v * zero;
                }
            }
            least_mass = least_mass.min(c.mass).min(c.inertia);
            let edge = direction(a.edge).0;
            longest = longest.max(L::select(zero.lt(c.ea), edge, zero));
        }
        let (mut fold, mut short) = (zero, zero);
        for i in 0..n - 1 {
            let (c, (length, t)) = (&strands.section[i], direction(strands.state[i].edge));
            let stiff = positive(c.ei[0] + c.ei[1] + c.gj);
            short = short.max(positive(L::constant(1e-6) * longest - length) * stiff.max(positive(c.ea)));
            if i > 0 {
                let (_, before) = direction(strands.state[i - 1].edge);
                fold = fold.max(positive(L::constant(2e-6) - (one + t.dot(before))) * stiff);
            }
        }
        let code = L::select(zero.lt(fold), L::constant(1.0 + Refusal::Fold as u8 as f64), zero);
        let code = L::select(zero.lt(short), L::constant(1.0 + Refusal::ShortEdge as u8 as f64), code);
        let code = L::select(zero.lt(least_mass), code, L::constant(1.0 + Refusal::NoMass as u8 as f64));
        // False where the sum is NaN.
        L::select((sum - one).lt(zero), code, L::constant(1.0 + Refusal::NotFinite as u8 as f64))
    }

    /// Reads the pose, its loads, what is free and the start of s̄ from `strands`. Bounds are around `initial`.
    #[inline(always)]
    fn read(&mut self, strands: &Strands<L>, initial: &[Rest<L>], options: &Options) {
        let n = strands.vertices();
        let clamped = matches!(options.mode, BoundMode::Clamped | BoundMode::Exact);
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
                let k = &p.strains;
                let g = match strands.measure {
                    Measure::Curvature => q.gradients([k[0], k[1], k[2], k[3]]),
                    Measure::Darboux => q.darboux_gradients(q.half_darboux()),
                };
                p.gradients = [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist];
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
            let section = &strands.section[i];
            // The length of an edge that nothing can move plays no part, nor do the parameters of no element.
            let moves = positive(strands.section[i].free[0] + strands.section[i + 1].free[0]);
            let element = if i > 0 { L::one() } else { L::zero() };
            let (b0, b1) = (positive(section.ei[0]) * element, positive(section.ei[1]) * element);
            let c = if options.twist { positive(section.gj) * element } else { L::zero() };
            let (b2, b3) = match strands.measure {
                Measure::Curvature => (b0, b1),
                Measure::Darboux => (L::zero(), L::zero()),
            };
            self.on[i] = [positive(section.ea) * moves, b0, b1, b2, b3, c];
            let s0 = self.initial[i];
            let bounds = &options.bounds;
            let (k, m) = (L::constant(bounds.kappa), L::constant(bounds.twist));
            let (mut low, mut high) = (s0, s0);
            low[0] = s0[0] * L::constant(bounds.length[0]);
            high[0] = s0[0] * L::constant(bounds.length[1]);
            for j in 1..5 {
                (low[j], high[j]) = (s0[j] - k, s0[j] + k);
            }
            (low[5], high[5]) = (s0[5] - m, s0[5] + m);
            (self.lower[i], self.upper[i]) = (low, high);
            if clamped {
                for j in 0..6 {
                    self.s[i][j] = self.s[i][j].min(high[j]).max(low[j]);
                }
            }
            self.cost[i] = if options.target > 0.0 { Self::length_cost(strands, i) } else { one };
            // A second run goes on from the first one's s̄; the paper's minimum is always about the initial one.
            self.centre[i] = if options.target > 0.0 { self.s[i] } else { s0 };
        }
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

    /// The stiffnesses of the element at vertex `i` over l̄_{i−1} + l̄_i, and one over that sum.
    #[inline(always)]
    fn moduli(strands: &Strands<L>, s: &[Six<L>], i: usize) -> (Strains<L>, L) {
        let inv = L::one() / (s[i - 1][0] + s[i][0]);
        (Strands::moduli(strands.measure, &strands.section[i], inv), inv)
    }

    /// The element's moment, in the axes of the frame after it.
    #[inline(always)]
    fn moment(&self, s: &[Six<L>], i: usize, moduli: &Strains<L>) -> Vec3<L> {
        let p = &self.pose[i];
        let mut sum = p.gradients[0] * (moduli[0] * (p.strains[0] - s[i][1]));
        for j in 1..5 {
            sum = sum + p.gradients[j] * (moduli[j] * (p.strains[j] - s[i][1 + j]));
        }
        sum
    }

    /// ½‖f‖² in the metric of M⁻¹ of the trial, and the same plus regularizer and penalty; leaves f in `force`.
    #[inline(always)]
    fn objective(&mut self, strands: &Strands<L>, options: &Options, alpha: L) -> (L, L) {
        let n = strands.vertices();
        let (zero, half) = (L::zero(), L::constant(0.5));
        let s = core::mem::take(&mut self.trial);
        for i in 0..n {
            let c = &strands.section[i];
            self.force[i] = [c.force.x, c.force.y, c.force.z, c.moment];
        }
        for i in 0..n - 1 {
            let p = self.pose[i];
            let tension = strands.section[i].ea * (p.length / s[i][0] - L::one());
            let pull = p.t * tension;
            let pull = [pull.x, pull.y, pull.z];
            for k in 0..3 {
                self.force[i][k] = self.force[i][k] + pull[k];
                self.force[i + 1][k] = self.force[i + 1][k] - pull[k];
            }
            if i > 0 {
                let (moduli, _) = Self::moduli(strands, &s, i);
                let m = self.moment(&s, i, &moduli);
                for k in 0..11 {
                    let f = &mut self.force[i - 1 + k / 4][k % 4];
                    *f = *f - (m.x * p.turn[0][k] + m.y * p.turn[1][k] + m.z * p.turn[2][k]);
                }
            }
        }
        let mut sum = zero;
        for i in 0..n {
            let c = &strands.section[i];
            for k in 0..4 {
                let (m, free) = if k < 3 { (c.mass, c.free[0]) } else { (c.inertia, c.free[1]) };
                let f = self.force[i][k] * free;
                self.force[i][k] = f;
                sum = sum + f * f / m;
            }
        }
        let kinetic = half * sum;
        let beta = L::constant(options.penalty);
        let penalty = matches!(options.mode, BoundMode::Penalty | BoundMode::Clamped);
        for i in 0..n - 1 {
            for j in 0..6 {
                let d = (s[i][j] - self.centre[i][j]) * self.on[i][j];
                sum = sum + if j == 0 { alpha * self.cost[i] } else { alpha } * d * d;
                if penalty {
                    let v = ((s[i][j] - self.upper[i][j]).max(zero) + (self.lower[i][j] - s[i][j]).max(zero)) * self.on[i][j];
                    sum = sum + beta * v * v;
                }
            }
        }
        self.trial = s;
        (kinetic, half * sum)
    }

    /// J at s̄, in factors.
    #[inline(always)]
    fn linearize(&mut self, strands: &Strands<L>) {
        for i in 0..strands.vertices() - 1 {
            let (p, l) = (&self.pose[i], self.s[i][0]);
            self.slope[i].pull = p.t * (strands.section[i].ea * p.length / (l * l));
            if i > 0 {
                let (moduli, inv) = Self::moduli(strands, &self.s, i);
                (self.slope[i].moment, self.slope[i].moduli) = (self.moment(&self.s, i, &moduli) * inv, moduli);
            }
        }
    }

    /// `turn` of the element at vertex `i` times y.
    #[inline(always)]
    fn turned(&self, i: usize, y: &[Row<L>]) -> Vec3<L> {
        let rows = &self.pose[i].turn;
        let mut sum = Vec3::zero();
        for k in 0..11 {
            let v = y[i - 1 + k / 4][k % 4];
            sum = sum + Vec3 { x: rows[0][k] * v, y: rows[1][k] * v, z: rows[2][k] * v };
        }
        sum
    }

    /// Jᵀ y for the parameters at vertex `i`; `here` is y turned at this element (zero at the root), `next` at the following one.
    #[inline(always)]
    fn transpose_product(&self, strands: &Strands<L>, i: usize, y: &[Row<L>], here: Vec3<L>, next: Vec3<L>) -> Six<L> {
        let (slope, gradients) = (&self.slope[i], &self.pose[i].gradients);
        let (a, b) = (strands.section[i].free[0], strands.section[i + 1].free[0]);
        let (ya, yb) = (&y[i], &y[i + 1]);
        let along = Vec3 { x: yb[0] * b - ya[0] * a, y: yb[1] * b - ya[1] * a, z: yb[2] * b - ya[2] * a };
        let mut out = [L::zero(); 6];
        out[0] = slope.pull.dot(along);
        if i > 0 {
            out[0] = out[0] + slope.moment.dot(here);
            for j in 0..5 {
                out[1 + j] = slope.moduli[j] * gradients[j].dot(here);
            }
        }
        if i + 2 < strands.vertices() {
            out[0] = out[0] + self.slope[i + 1].moment.dot(next);
        }
        out
    }

    /// `m` along `turn` of an element.
    #[inline(always)]
    fn spread(turn: &[[L; 11]; 3], m: Vec3<L>, k: usize) -> L {
        m.x * turn[0][k] + m.y * turn[1][k] + m.z * turn[2][k]
    }

    /// M + J D⁻¹ Jᵀ in `band`, f − J D⁻¹ r in `y`.
    #[inline(always)]
    fn assemble(&mut self, strands: &Strands<L>) {
        let n = strands.vertices();
        self.y.copy_from_slice(&self.force);
        for i in 0..n {
            let c = &strands.section[i];
            for k in 0..4 {
                let (m, free) = if k < 3 { (c.mass, c.free[0]) } else { (c.inertia, c.free[1]) };
                self.band[i][k] = [L::zero(); BAND];
                // A held unknown has a unit row.
                self.band[i][k][0] = m * free + (L::one() - free);
            }
        }
        for i in 0..n - 1 {
            let (w, shift, slope) = (self.weight[i], self.step[i], self.slope[i]);
            // The column of l̄ over x_{i−1} … x_{i+2}; what lies beyond the ends stays zero.
            let mut column = [L::zero(); BAND];
            if i > 0 {
                let (turn, g) = (&self.pose[i].turn, &self.pose[i].gradients);
                for k in 0..11 {
                    column[k] = Self::spread(turn, slope.moment, k);
                }
                // Σ w K² g gᵀ: the five curvature columns are of rank three.
                let mut form = Sym3::diagonal(Vec3::zero());
                let mut push = Vec3::zero();
                for j in 0..5 {
                    form = form.add_outer(g[j], w[1 + j] * slope.moduli[j] * slope.moduli[j]);
                    push = push + g[j] * (slope.moduli[j] * shift[1 + j]);
                }
                for a in 0..11 {
                    let v = times(&form, [turn[0][a], turn[1][a], turn[2][a]]);
                    let row = &mut self.band[i - 1 + a / 4][a % 4];
                    for b in a..11 {
                        row[b - a] = row[b - a] + Self::spread(turn, v, b);
                    }
                    let y = &mut self.y[i - 1 + a / 4][a % 4];
                    *y = *y + Self::spread(turn, push, a);
                }
            }
            if i + 2 < n {
                let (turn, moment) = (&self.pose[i + 1].turn, self.slope[i + 1].moment);
                for k in 0..11 {
                    column[4 + k] = column[4 + k] + Self::spread(turn, moment, k);
                }
            }
            let (a, b) = (strands.section[i].free[0], strands.section[i + 1].free[0]);
            let pull = [slope.pull.x, slope.pull.y, slope.pull.z];
            for k in 0..3 {
                column[4 + k] = column[4 + k] - pull[k] * a;
                column[8 + k] = column[8 + k] + pull[k] * b;
            }
            let (first, end) = (if i > 0 { 0 } else { 4 }, if i + 2 < n { BAND } else { 11 });
            for k in first..end {
                let at = i + k / 4 - 1;
                let v = column[k] * w[0];
                let row = &mut self.band[at][k % 4];
                for c in k..end {
                    row[c - k] = row[c - k] + v * column[c];
                }
                let y = &mut self.y[at][k % 4];
                *y = *y + shift[0] * column[k];
            }
        }
    }

    /// α (s̄ − centre) and the penalty's part of the gradient, and its α part of D.
    #[inline(always)]
    fn regularized(&self, i: usize, j: usize, options: &Options, alpha: L) -> (L, L) {
        let (zero, s) = (L::zero(), self.s[i][j]);
        let d = if j == 0 { alpha * self.cost[i] } else { alpha };
        let r = d * (s - self.centre[i][j]);
        let over = (s - self.upper[i][j]).max(zero) - (self.lower[i][j] - s).max(zero);
        match options.mode {
            BoundMode::Penalty | BoundMode::Clamped => (r + L::constant(options.penalty) * over, d),
            BoundMode::None | BoundMode::Exact => (r, d),
        }
    }

    /// The gradient, JᵀM⁻¹f + r, and a first guess of what is held.
    #[inline(always)]
    fn differentiate(&mut self, strands: &Strands<L>, options: &Options, alpha: L) {
        let n = strands.vertices();
        let (zero, one) = (L::zero(), L::one());
        for i in 0..n {
            let c = &strands.section[i];
            for k in 0..4 {
                self.y[i][k] = self.force[i][k] / if k < 3 { c.mass } else { c.inertia };
            }
        }
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            let next = if i + 2 < n { self.turned(i + 1, &self.y) } else { Vec3::zero() };
            let jy = self.transpose_product(strands, i, &self.y, here, next);
            here = next;
            for j in 0..6 {
                let (s, low, high) = (self.s[i][j], self.lower[i][j], self.upper[i][j]);
                let (r, _) = self.regularized(i, j, options, alpha);
                let g = jy[j] + r;
                self.gradient[i][j] = g * self.on[i][j];
                let (up, down) = (L::select(s.lt(high), zero, one), L::select(low.lt(s), zero, one));
                let held = L::select(g.lt(zero), up, zero - down);
                self.held[i][j] = if options.mode == BoundMode::None { zero } else { held };
            }
        }
    }

    /// D⁻¹ and −D⁻¹ r for what is held. Free: D = α. Held: the bound, exactly or by the penalty.
    #[inline(always)]
    fn weigh(&mut self, strands: &Strands<L>, options: &Options, alpha: L) {
        let (zero, one) = (L::zero(), L::one());
        let beta = L::constant(options.penalty);
        for i in 0..strands.vertices() - 1 {
            for j in 0..6 {
                let (s, on, held) = (self.s[i][j], self.on[i][j], self.held[i][j]);
                let d = if j == 0 { alpha * self.cost[i] } else { alpha };
                let to_centre = self.centre[i][j] - s;
                let to_bound = L::select(zero.lt(held), self.upper[i][j], self.lower[i][j]) - s;
                let (weight, shift) = match options.mode {
                    BoundMode::None | BoundMode::Exact => (zero, to_bound),
                    BoundMode::Penalty | BoundMode::Clamped => {
                        let inv = one / (d + beta);
                        (inv, inv * (d * to_centre + beta * to_bound))
                    }
                };
                let none = L::both(held.lt(one), (zero - one).lt(held));
                self.weight[i][j] = on * L::select(none, one / d, weight);
                self.step[i][j] = on * L::select(none, to_centre, shift);
            }
        }
    }

    /// Δs̄ in `step`. Notes in `held` which parameters would leave their bounds, or want to come off them; 1 where one does.
    #[inline(always)]
    fn solve_for_change(&mut self, strands: &Strands<L>, bounded: bool) -> L {
        let n = strands.vertices();
        let (zero, one) = (L::zero(), L::one());
        let mut changed = zero;
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            let next = if i + 2 < n { self.turned(i + 1, &self.y) } else { Vec3::zero() };
            let jy = self.transpose_product(strands, i, &self.y, here, next);
            here = next;
            for j in 0..6 {
                let d = self.step[i][j] - self.weight[i][j] * jy[j];
                self.step[i][j] = d;
                if !bounded {
                    continue;
                }
                let (low, high, held) = (self.lower[i][j], self.upper[i][j], self.held[i][j]);
                let (s, slack) = (self.s[i][j] + d, L::constant(1e-9) * (high - low));
                let out = L::select((high + slack).lt(s), one, L::select(s.lt(low - slack), zero - one, zero));
                // At the upper bound the objective should fall outwards: jy < 0.
                let keep = L::select((held * jy[j]).lt(zero), held, zero);
                let none = L::both(held.lt(one), (zero - one).lt(held));
                let now = L::select(none, out, keep) * self.on[i][j];
                changed = changed.max((now - held * self.on[i][j]).abs());
                self.held[i][j] = now;
            }
        }
        changed
    }

    /// Gauss–Newton until f is at its target, or ‖Δs̄‖ < ε, the line search fails or the iterations are used up; the result goes to `strands.rest`.
    #[inline(always)]
    pub fn run(&mut self, strands: &mut Strands<L>, initial: &[Rest<L>], options: &Options) -> Solved<L> {
        let n = strands.vertices();
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let (mut alpha, mut slow) = (L::constant(options.regularizer), zero);
        let tolerance2 = L::constant(options.tolerance * options.tolerance);
        let clamped = matches!(options.mode, BoundMode::Clamped | BoundMode::Exact);
        self.read(strands, initial, options);
        let target2 = L::constant(options.target * options.target);
        let (recentre, bounded) = (options.target > 0.0, options.mode != BoundMode::None);
        let refused = Self::refusal(strands);
        // 1 while the lane works.
        let mut active = L::select(zero.lt(refused), zero, one);
        let mut out = Solved { refused, ended: zero, iterations: zero, norm: zero, acceleration: zero, at_bounds: zero };
        for _ in 0..options.iterations {
            self.trial.copy_from_slice(&self.s);
            let (kinetic, value) = self.objective(strands, options, alpha);
            active = L::select((kinetic + kinetic).lt(target2), zero, active);
            if !L::any(zero.lt(active)) {
                break;
            }
            self.linearize(strands);
            self.differentiate(strands, options, alpha);
            // Which parameters end at a bound is found by solving for it, too: a step that ignores bounds zigzags between them
            // (seen: 82 iterations of a thin strand without an end, now 5).
            for _ in 0..if bounded { 12 } else { 1 } {
                self.weigh(strands, options, alpha);
                self.assemble(strands);
                self.factor(n);
                let mut x = core::mem::take(&mut self.y);
                self.substitute(n, &mut x);
                self.y = x;
                if !recentre {
                    self.refine(strands);
                }
                let changed = self.solve_for_change(strands, bounded);
                if !L::any(zero.lt(changed * active)) {
                    break;
                }
            }
            // Its length and the slope.
            let (mut length2, mut slope) = (zero, zero);
            for i in 0..n - 1 {
                for j in 0..6 {
                    let d = self.step[i][j];
                    slope = slope + self.gradient[i][j] * d;
                    length2 = length2 + d * d;
                }
            }
            out.iterations = out.iterations + active;
            let (mut t, mut failed, mut reached) = (active, zero, value);
            for round in 0..30 {
                for i in 0..n - 1 {
                    for j in 0..6 {
                        let s = self.s[i][j] + t * self.step[i][j];
                        self.trial[i][j] = if clamped { s.min(self.upper[i][j]).max(self.lower[i][j]) } else { s };
                    }
                    // A length that is not positive has no energy.
                    let shortest = L::constant(1e-3) * self.initial[i][0];
                    self.trial[i][0] = self.trial[i][0].max(shortest);
                }
                let (_, v) = self.objective(strands, options, alpha);
                reached = v;
                // What does not fall is no direction: it fails.
                let limit = value + L::constant(1e-4) * t * slope.min(zero);
                let still = L::select(v.lt(limit), zero, L::select(zero.lt(t), one, zero));
                if !L::any(zero.lt(still)) {
                    break;
                }
                t = L::select(zero.lt(still), if round == 29 { zero } else { t * half }, t);
                failed = L::select(zero.lt(still), if round == 29 { one } else { zero }, failed);
            }
            let go = zero.lt(active);
            for i in 0..n - 1 {
                for j in 0..6 {
                    self.s[i][j] = L::select(go, L::select(zero.lt(failed), self.s[i][j], self.trial[i][j]), self.s[i][j]);
                }
            }
            // Done: a step that promises nothing, none at all or, for the paper's minimum, a short one.
            let promise = L::constant(if recentre { 1e-6 } else { 1e-9 }) * value;
            let short = if recentre { failed } else { L::select(length2.lt(tolerance2), one, failed) };
            let mut stop = L::select(promise.lt(-slope), short, one);
            if recentre {
                self.centre.copy_from_slice(&self.s);
                // Levenberg and Marquardt: α only damps now, and a soft strand would creep under it. Where bounds leave no equilibrium
                // J has no full rank, and without it steps are too long.
                let full = L::constant(options.regularizer);
                let less = (alpha * L::constant(1e-2)).max(full * L::constant(1e-9));
                let more = (alpha * L::constant(100.0)).max(full);
                // Without an equilibrium within the bounds it creeps to the least f: eight steps of less than 1e-3 are enough of that.
                slow = L::select((value * L::constant(1e-3)).lt(value - reached), zero, slow + one);
                // A damped step promises little: that is no end.
                stop =
                    L::select(zero.lt(failed), positive(alpha - full * L::constant(1e6)), L::select(full.lt(alpha), zero, stop));
                stop = L::select(slow.lt(L::constant(7.5)), stop, one);
                alpha = L::select(t.lt(one), L::select(t.lt(L::constant(0.25)), more, alpha), less);
            }
            active = L::select(zero.lt(stop), zero, active);
            if !L::any(zero.lt(active)) {
                break;
            }
        }
        out.ended = one - active;
        self.trial.copy_from_slice(&self.s);
        self.objective(strands, options, alpha);
        self.finish(strands, options, &mut out);
        out
    }

    #[inline(always)]
    fn finish(&mut self, strands: &mut Strands<L>, options: &Options, out: &mut Solved<L>) {
        let (zero, one) = (L::zero(), L::one());
        let n = strands.vertices();
        let mut sum = zero;
        for i in 0..n {
            let c = &strands.section[i];
            let f = &self.force[i];
            let a2 = (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / c.mass;
            sum = sum + a2 + f[3] * f[3] / c.inertia;
            out.acceleration = out.acceleration.max((a2 / c.mass).sqrt());
        }
        out.norm = sum.sqrt();
        for i in 0..n - 1 {
            let s = self.s[i];
            for j in 0..6 {
                if options.mode != BoundMode::None {
                    let inside = L::both(self.lower[i][j].lt(s[j]), s[j].lt(self.upper[i][j]));
                    out.at_bounds = out.at_bounds + self.on[i][j] * L::select(inside, zero, one);
                }
            }
            // Refused lanes keep what they had, NaN included.
            let (keep, to) = (zero.lt(out.refused), &mut strands.rest[i]);
            to.length = L::select(keep, to.length, s[0]);
            for j in 0..4 {
                to.kappa[j] = L::select(keep, to.kappa[j], s[1 + j]);
            }
            to.twist = L::select(keep, to.twist, s[5]);
        }
    }

    /// Δs̄ of vertex `i` that `y` asks for, −D⁻¹(Jᵀy + r).
    #[inline(always)]
    fn change(&self, strands: &Strands<L>, i: usize, here: Vec3<L>, next: Vec3<L>) -> Six<L> {
        let mut d = self.transpose_product(strands, i, &self.y, here, next);
        for j in 0..6 {
            d[j] = self.step[i][j] - self.weight[i][j] * d[j];
        }
        d
    }

    /// One step of iterative refinement: y += (M + J D⁻¹ Jᵀ)⁻¹ (f + JΔs̄ − My). With D⁻¹ = 1e5, f − J D⁻¹ r is a small difference of
    /// large numbers: without this, directions near the paper's minimum are noise.
    #[inline(always)]
    fn refine(&mut self, strands: &Strands<L>) {
        let n = strands.vertices();
        for i in 0..n {
            let (c, f, y) = (&strands.section[i], &self.force[i], &self.y[i]);
            for k in 0..4 {
                self.residual[i][k] = f[k] - if k < 3 { c.mass } else { c.inertia } * y[k];
            }
        }
        let mut here = Vec3::zero();
        for i in 0..n - 1 {
            let next = if i + 2 < n { self.turned(i + 1, &self.y) } else { Vec3::zero() };
            let d = self.change(strands, i, here, next);
            here = next;
            let slope = self.slope[i];
            if i > 0 {
                let p = &self.pose[i];
                let mut m = slope.moment * d[0];
                for j in 0..5 {
                    m = m + p.gradients[j] * (slope.moduli[j] * d[1 + j]);
                }
                for k in 0..11 {
                    let f = &mut self.residual[i - 1 + k / 4][k % 4];
                    *f = *f + Self::spread(&p.turn, m, k);
                }
            }
            if i + 2 < n {
                let (turn, m) = (&self.pose[i + 1].turn, self.slope[i + 1].moment * d[0]);
                for k in 0..11 {
                    let f = &mut self.residual[i + k / 4][k % 4];
                    *f = *f + Self::spread(turn, m, k);
                }
            }
            let (a, b) = (strands.section[i].free[0] * d[0], strands.section[i + 1].free[0] * d[0]);
            let pull = [slope.pull.x, slope.pull.y, slope.pull.z];
            for k in 0..3 {
                self.residual[i][k] = self.residual[i][k] - pull[k] * a;
                self.residual[i + 1][k] = self.residual[i + 1][k] + pull[k] * b;
            }
        }
        let mut x = core::mem::take(&mut self.residual);
        self.substitute(n, &mut x);
        for i in 0..n {
            for k in 0..4 {
                self.y[i][k] = self.y[i][k] + x[i][k];
            }
        }
        self.residual = x;
    }

    /// LDLᵀ of the band, in place.
    #[inline(always)]
    fn factor(&mut self, n: usize) {
        let rows = 4 * n;
        let band = self.band.as_flattened_mut();
        for r in 0..rows {
            let row = band[r];
            let inv = L::one() / row[0];
            for c in 1..BAND.min(rows - r) {
                let l = row[c] * inv;
                let below = &mut band[r + c];
                for k in c..BAND {
                    below[k - c] = below[k - c] - l * row[k];
                }
                band[r][c] = l;
            }
        }
    }

    /// Solves with the factors; `x` becomes the solution.
    #[inline(always)]
    fn substitute(&self, n: usize, x: &mut [Row<L>]) {
        let rows = 4 * n;
        let (band, x) = (self.band.as_flattened(), x.as_flattened_mut());
        for r in 0..rows {
            let v = x[r];
            for c in 1..BAND.min(rows - r) {
                x[r + c] = x[r + c] - band[r][c] * v;
            }
        }
        for r in (0..rows).rev() {
            let mut v = x[r] / band[r][0];
            for c in 1..BAND.min(rows - r) {
                v = v - band[r][c] * x[r + c];
            }
            x[r] = v;
        }
    }
}
