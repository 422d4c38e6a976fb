//! The least local stiffening that makes a pose a stable equilibrium: `docs/internals/rest_shape.md`, "Stiffening".
//!
//! ```text
//! forces      tensions T and moments M that carry the loads, from a rest shape without bounds
//! box         at each edge and vertex the least multiplier for which a permitted rest shape gives T or M: closed forms
//! stability   min Σ w k  so that  K_geometric + Σ k A − ωM ≻ 0, k ≥ box: a logarithmic barrier, Newton's method
//! again       the rest shape for these stiffnesses, its certificate, and once more if that is not yet positive
//! ```
//! f64, one strand at a time: few strands need it.

mod form;
mod held;

use super::rest_shape::Status;
use super::rest_shape::alone::{certify_one, optimize_one};
use super::rest_shape::{BoundMode, Bounds, Optimizer, Options, Solved};
use crate::math::Vec3;
use crate::math::vec3::vec3;
use crate::rods::der::kernels::*;
use crate::rods::der::strand::{Rest, Section, Strands};
use form::{BAND, Column, Form, Margin};
use held::Joint;
use nalgebra::{Cholesky, DMatrix, DVector};

/// Multipliers that differ from one vertex to the next at most; longer strands share theirs between neighbours.
const MOST_FREE: usize = 250;
/// A multiplier is this much more than a box would allow.
const SLACK: f64 = 1.005;
/// Rounds of multipliers and rest shapes.
const ROUNDS: usize = 8;
/// Strands of more vertices are not stiffened: the work grows with their square, a minute for so many.
const LONGEST: usize = 1000;
/// No factor is larger: none that a host may give back is.
const MOST: f64 = 1e9;
/// Halvings of the part of all factors that a strand with a held tip needs.
const DRAWS: usize = 9;
/// The lowest ω² shall be this part of (largest load/mass)/(length), or what [`Options::lowest_mode_min`] asks for.
const FLOOR: f64 = 0.01;

/// What was found for a strand.
#[derive(Clone, Debug)]
pub struct Stiffened {
    /// Of bending and twisting at the vertex, of stretching of the edge after it; 1: as it was.
    pub multipliers: Vec<[f64; 2]>,
    pub solved: Solved<f64>,
    /// Unstable modes and the lowest ω².
    pub modes: [f64; 2],
}

impl Stiffened {
    /// Vertices and edges that are stiffer, and the largest multiplier.
    pub fn extent(&self) -> (u32, f64) {
        let all = || self.multipliers.iter().flatten();
        (all().filter(|&&k| k > 1.0).count() as u32, all().fold(1.0, |a, &b| a.max(b)))
    }
}

/// The pose of an element as the statics need it.
#[cfg_attr(test, derive(Clone))]
struct Element {
    strains: Strains<f64>,
    gradients: [Vec3<f64>; 5],
    /// ∂(a, θ_e, b, θ_f)/∂(x_{i−1} … x_{i+1}), zero at what is not free.
    to_local: [[f64; BAND]; 8],
    q: Relative<f64>,
}

fn element(s: &Strands<f64>, i: usize) -> Element {
    let (a, b) = (&s.state[i - 1], &s.state[i]);
    let (fa, fb, la, lb) = (a.frame(), b.frame(), a.edge.length(), b.edge.length());
    let q = Relative::new(&fa, &fb);
    let strains = s.strains(&q, b);
    let g = match s.measure {
        Measure::Curvature => q.gradients([strains[0], strains[1], strains[2], strains[3]]),
        Measure::Darboux => q.darboux_gradients(q.half_darboux()),
    };
    let mut to_local = [[0.0; BAND]; 8];
    for (row, axis) in [fa.m1, fa.m2, fa.t].into_iter().enumerate() {
        for (k, v) in axis.to_array().into_iter().enumerate() {
            (to_local[row][k], to_local[row][4 + k]) = (-v / la, v / la);
        }
    }
    for (row, axis) in [fb.m1, fb.m2, fb.t].into_iter().enumerate() {
        for (k, v) in axis.to_array().into_iter().enumerate() {
            (to_local[4 + row][4 + k], to_local[4 + row][8 + k]) = (-v / lb, v / lb);
        }
    }
    (to_local[3][3], to_local[7][7]) = (1.0, 1.0);
    for row in &mut to_local {
        for k in 0..BAND {
            row[k] *= s.section[i - 1 + k / 4].free[usize::from(k % 4 == 3)];
        }
    }
    let gradients = [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist];
    Element { strains, gradients, to_local, q }
}

impl Element {
    /// Stiffnesses over `sum` = l̄_{i−1} + l̄_i.
    fn moduli(s: &Strands<f64>, i: usize, sum: f64) -> Strains<f64> {
        Strands::moduli(s.measure, &s.section[i], 1.0 / sum)
    }

    fn moment(&self, moduli: &Strains<f64>, rest: &Rest<f64>) -> Vec3<f64> {
        let to = [rest.kappa[0], rest.kappa[1], rest.kappa[2], rest.kappa[3], rest.twist];
        (0..5).fold(Vec3::zero(), |m, j| m + self.gradients[j] * (moduli[j] * (self.strains[j] - to[j])))
    }

    /// A vector along φ in the unknowns.
    fn spread(&self, along: Vec3<f64>) -> [f64; BAND] {
        let (e, f) = local_gradient(&self.q, along);
        let local = [e[0], e[1], e[2], e[3], f[0], f[1], f[2], f[3]];
        core::array::from_fn(|k| (0..8).map(|r| local[r] * self.to_local[r][k]).sum())
    }

    /// What the stress makes of the second derivatives: it does not change when stiffness grows and strain falls alike.
    fn geometric(&self, s: &Strands<f64>, i: usize) -> [[f64; BAND]; BAND] {
        self.stressed(s.measure, &Self::moduli(s, i, s.rest[i - 1].length + s.rest[i].length), &s.rest[i])
    }

    fn stressed(&self, measure: Measure, m: &Strains<f64>, rest: &Rest<f64>) -> [[f64; BAND]; BAND] {
        let of = ElementRest { kappa: rest.kappa, twist: rest.twist, bend: [m[0], m[1], m[2], m[3]], turn: m[4] };
        let kappa = [self.strains[0], self.strains[1], self.strains[2], self.strains[3]];
        let whole = match measure {
            Measure::Curvature => bend_twist(&self.q, kappa, self.strains[4], &self.q.gradients(kappa), &of),
            Measure::Darboux => bend_twist_darboux(&self.q, &self.strains, &of),
        };
        let h = local_hessian(&self.q, &whole.second, whole.moment, true);
        let local = |a: usize, b: usize| match (a < 4, b < 4) {
            (true, true) => h.ee[a][b],
            (true, false) => h.ef[a][b - 4],
            (false, true) => h.ef[b][a - 4],
            (false, false) => h.ff[a - 4][b - 4],
        };
        let mut half = [[0.0; BAND]; 8];
        for a in 0..8 {
            for k in 0..BAND {
                half[a][k] = (0..8).map(|b| local(a, b) * self.to_local[b][k]).sum();
            }
        }
        core::array::from_fn(|j| core::array::from_fn(|k| (0..8).map(|a| self.to_local[a][j] * half[a][k]).sum()))
    }

    /// Columns whose outer products add up to the Gauss–Newton form.
    fn columns(&self, moduli: &Strains<f64>) -> [[f64; BAND]; 3] {
        let mut g = [[0.0; 3]; 3];
        for j in 0..5 {
            let v = self.gradients[j].to_array();
            for a in 0..3 {
                for b in 0..3 {
                    g[a][b] += moduli[j] * v[a] * v[b];
                }
            }
        }
        // A Cholesky factor of a form that may be singular.
        let tiny = 1e-14 * (g[0][0] + g[1][1] + g[2][2]);
        let mut factor = [Vec3::zero(); 3];
        for c in 0..3 {
            if g[c][c] <= tiny {
                continue;
            }
            let inv = 1.0 / g[c][c].sqrt();
            let l: [f64; 3] = core::array::from_fn(|r| if r < c { 0.0 } else { g[r][c] * inv });
            for a in c..3 {
                for b in c..3 {
                    g[a][b] -= l[a] * l[b];
                }
            }
            factor[c] = vec3(l[0], l[1], l[2]);
        }
        factor.map(|f| self.spread(f))
    }

    /// The least k for which some strains within `low` … `high` give the moment `m`/k: all such moments are a zonotope of five
    /// generators, whose faces are spanned by two of them. Infinite where none does.
    fn least(&self, m: Vec3<f64>, moduli: &Strains<f64>, bounds: &[Strains<f64>; 2]) -> f64 {
        let all = self.moments(moduli, bounds);
        let mut least: f64 = 0.0;
        for n in all.normals().into_iter().flatten() {
            for n in [n, -n] {
                let (along, room) = (n.dot(m), all.room(n));
                if along > 1e-7 * m.length() {
                    least = least.max(if room > 0.0 { along / room } else { f64::INFINITY });
                }
            }
        }
        least
    }

    /// All moments that strains within bounds give.
    fn moments(&self, moduli: &Strains<f64>, [low, high]: &[Strains<f64>; 2]) -> Zonotope {
        let along = |j: usize, strain: f64| self.gradients[j] * (0.5 * moduli[j] * strain);
        Zonotope {
            middle: (0..5).fold(Vec3::zero(), |c, j| c + along(j, low[j] + high[j])),
            generators: core::array::from_fn(|j| along(j, high[j] - low[j])),
        }
    }

    /// The strain minus the one at rest may be between these, where strains at rest may be as far from `initial` as `room` says.
    fn bounds(&self, initial: &Rest<f64>, room: &Strains<f64>) -> [Strains<f64>; 2] {
        let to = [initial.kappa[0], initial.kappa[1], initial.kappa[2], initial.kappa[3], initial.twist];
        let at = |sign: f64| core::array::from_fn(|j| self.strains[j] - to[j] + sign * room[j]);
        [at(-1.0), at(1.0)]
    }
}

/// Sums of `middle` and each generator times −1 … 1.
struct Zonotope {
    middle: Vec3<f64>,
    generators: [Vec3<f64>; 5],
}

impl Zonotope {
    /// The longest generator.
    fn reach(&self) -> f64 {
        self.generators.iter().fold(0.0f64, |s, v| s.max(v.length()))
    }

    /// How far it goes along the unit vector `n`.
    fn room(&self, n: Vec3<f64>) -> f64 {
        n.dot(self.middle) + self.generators.iter().map(|v| n.dot(*v).abs()).sum::<f64>()
    }

    /// Directions that bound it, both ways: ends, if it lies on a line; edges, if in a plane; faces.
    fn normals(&self) -> [Vec<Vec3<f64>>; 3] {
        let (v, size) = (&self.generators, self.reach());
        let [mut ends, mut edges, mut faces] = [(); 3].map(|()| Vec::with_capacity(20));
        let unit = |n: Vec3<f64>, size: f64| (n.length() > 1e-9 * size).then(|| n * (1.0 / n.length()));
        for a in 0..5 {
            ends.extend(unit(v[a], size));
            for b in 0..a {
                if let Some(n) = unit(v[a].cross(v[b]), size * size) {
                    faces.push(n);
                    edges.extend([v[a], v[b]].into_iter().filter_map(|v| unit(n.cross(v), size)));
                }
            }
        }
        [ends, edges, faces]
    }
}

impl Strands<f64> {
    /// The length of the pose, m.
    pub fn pose_length(&self) -> f64 {
        self.state[..self.vertices() - 1].iter().map(|e| e.edge.length()).sum()
    }

    /// How far the vertex has gone that statics have moved farthest, m.
    pub fn farthest_moved(&self) -> f64 {
        self.moved.iter().map(|m| vec3(m[0], m[1], m[2]).length()).fold(0.0, f64::max)
    }

    /// The largest load over its mass that a vertex feels, over the length, s⁻²: what the lowest ω² of a pose is measured by.
    pub fn load_over_length(&self) -> f64 {
        let length = self.pose_length();
        let felt = |c: &Section<f64>| (c.free[0] * c.force.length() + c.free[1] * c.moment.abs() / length) / c.mass;
        self.section.iter().map(felt).fold(0.0f64, f64::max) / length
    }
}

/// The strand's sections with multipliers.
fn apply(s: &mut Strands<f64>, base: &[Section<f64>], k: &[[f64; 2]]) {
    for (i, (c, b)) in s.section.iter_mut().zip(base).enumerate() {
        (c.ei, c.gj, c.ea) = (b.ei.map(|v| v * k[i][0]), b.gj * k[i][0], b.ea * k[i][1]);
    }
}

/// How far strains at rest may go from where they began ([`Optimizer`]): of ghost-point rods, all three are of one rotation.
fn room(measure: Measure, options: &Options) -> Strains<f64> {
    let Bounds { kappa, twist, .. } = options.bounds;
    let twist = match measure {
        _ if !options.twist => 0.0,
        Measure::Curvature => twist,
        Measure::Darboux => twist.max(kappa),
    };
    [kappa, kappa, kappa, kappa, twist]
}

/// Least multipliers for the bounds, or None where no stiffness would do.
fn for_bounds(s: &Strands<f64>, free: &[Rest<f64>], initial: &[Rest<f64>], options: &Options) -> Option<Vec<[f64; 2]>> {
    let n = s.vertices();
    let bounds = &options.bounds;
    let mut k = vec![[1.0; 2]; n];
    if options.mode == BoundMode::None {
        return Some(k);
    }
    let mut rest = vec![0.0; n];
    for i in 0..n - 1 {
        let (l, c) = (s.state[i].edge.length(), &s.section[i]);
        let moves = c.free[0] + s.section[i + 1].free[0] > 0.0;
        rest[i] = initial[i].length;
        if c.ea > 0.0 && moves {
            let strain = l / free[i].length - 1.0;
            let [low, high] = bounds.length.map(|b| l / (b * initial[i].length) - 1.0);
            let room = if strain > 0.0 { low } else { high };
            if room * strain <= 0.0 && strain.abs() > 1e-9 {
                return None;
            }
            let least = if strain.abs() > 1e-9 { strain / room } else { 1.0 };
            k[i][1] = if least > 1.0 { least * SLACK } else { 1.0 };
            rest[i] = l / (1.0 + strain / k[i][1]);
        }
    }
    for i in 1..n - 1 {
        let c = &s.section[i];
        if c.ei[0] + c.ei[1] + c.gj <= 0.0 {
            continue;
        }
        let e = element(s, i);
        let m = e.moment(&Element::moduli(s, i, free[i - 1].length + free[i].length), &free[i]);
        let bounds = e.bounds(&initial[i], &room(s.measure, options));
        let least = e.least(m, &Element::moduli(s, i, rest[i - 1] + rest[i]), &bounds);
        if !least.is_finite() {
            return None;
        }
        k[i][0] = if least > 1.0 { least * SLACK } else { 1.0 };
    }
    Some(k)
}

/// min Σ w k so that all forms are positive definite, low ≤ k ≤ most, for elements in groups.
struct Stability {
    forms: Vec<Form>,
    columns: Vec<Column>,
    low: Vec<f64>,
    weight: Vec<f64>,
    most: f64,
}

impl Stability {
    /// For the stress that the strand has now, with multipliers `k`; with this margin.
    fn new(s: &Strands<f64>, k: &[[f64; 2]], low: &[[f64; 2]], most: f64, margin: Margin) -> Self {
        let n = s.vertices();
        let mut forms = Form::all(s, margin);
        let mut columns = Vec::new();
        let groups = n.min(MOST_FREE);
        let (mut bound, mut weight) = (vec![1.0f64; groups], vec![0.0; groups]);
        for i in 0..n - 1 {
            let (c, rest) = (&s.section[i], s.rest[i].length);
            let l = s.state[i].edge.length();
            let (along, across) = (c.ea / rest, c.ea * (l / rest - 1.0) / l);
            for (form, sign) in &mut forms {
                // Steps have no tension that presses.
                form.fixed.add_edge(s, i, along, if *sign > 0.0 { across } else { across.max(0.0) });
            }
            if i == 0 || c.ei[0] + c.ei[1] + c.gj <= 0.0 {
                continue;
            }
            let e = element(s, i);
            let h = e.geometric(s, i);
            forms.iter_mut().for_each(|(form, sign)| form.fixed.add_element(i, *sign, &h));
            let moduli = Element::moduli(s, i, s.rest[i - 1].length + rest).map(|m| m / k[i][0]);
            let of = i * groups / n;
            columns.extend(e.columns(&moduli).map(|entries| Column { start: 4 * (i - 1), entries, of }));
            bound[of] = bound[of].max(low[i][0]);
            weight[of] += 0.5 * (s.state[i - 1].edge.length() + l);
        }
        // Groups without an element cost what others do, and stay where they are.
        let mean = weight.iter().sum::<f64>() / groups as f64;
        weight.iter_mut().filter(|w| **w == 0.0).for_each(|w| *w = mean);
        Stability { forms: forms.into_iter().map(|f| f.0).collect(), columns, low: bound, weight, most }
    }

    fn stable(&self, k: &[f64]) -> bool {
        form::definite(&self.forms, &self.columns, k)
    }

    /// The barrier's value; infinite outside.
    fn value(&self, k: &[f64], mu: f64) -> f64 {
        if !(0..k.len()).all(|g| k[g] > self.low[g] && k[g] < self.most) {
            return f64::INFINITY;
        }
        let Some(determinants) = form::log_determinants(&self.forms, &self.columns, k) else { return f64::INFINITY };
        let logs = determinants + (0..k.len()).map(|g| (k[g] - self.low[g]).ln() + (self.most - k[g]).ln()).sum::<f64>();
        k.iter().zip(&self.weight).map(|(k, w)| k * w).sum::<f64>() - mu * logs
    }

    /// tr H⁻¹A for each group, and tr H⁻¹A H⁻¹A' for each two.
    fn derivatives(&self, k: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
        let groups = k.len();
        let (mut first, mut second) = (DVector::zeros(groups), DMatrix::zeros(groups, groups));
        for form in &self.forms {
            let mut h = form.matrix(&self.columns, k);
            h.cholesky();
            let mut x = vec![0.0; h.0.len()];
            for (i, c) in self.columns.iter().enumerate() {
                x.fill(0.0);
                x[c.start..c.start + BAND].copy_from_slice(&c.entries);
                h.solve(&mut x);
                for (j, other) in self.columns.iter().enumerate() {
                    let p = other.dot(&x);
                    second[(c.of, other.of)] += p * p;
                    if i == j {
                        first[c.of] += p;
                    }
                }
            }
        }
        (first, second)
    }

    /// What multipliers cost beyond `low`.
    fn cost(&self, k: &[f64]) -> f64 {
        k.iter().zip(&self.low).zip(&self.weight).map(|((k, l), w)| w * (k - l)).sum()
    }

    /// Multipliers inside, as near to the optimum as the barrier has led, and its μ. None where `most` is not enough.
    fn central(&self) -> Option<(Vec<f64>, f64)> {
        let groups = self.low.len();
        // A start inside: all of them more and more.
        let mut part = 1e-3;
        let mut k: Vec<f64>;
        loop {
            k = self.low.iter().map(|l| l + part * (self.most - l)).collect();
            if self.stable(&k) {
                break;
            }
            if part > 0.99 {
                return None;
            }
            part = (2.0 * part).min(0.999);
        }
        let count = (form::rows(&self.forms) + 2 * groups) as f64;
        let mut mu = self.cost(&k) / count;
        for _ in 0..60 {
            let mut value = self.value(&k, mu);
            for _ in 0..20 {
                let (first, mut second) = self.derivatives(&k);
                let mut gradient = DVector::zeros(groups);
                for g in 0..groups {
                    let (a, b) = (1.0 / (k[g] - self.low[g]), 1.0 / (self.most - k[g]));
                    gradient[g] = self.weight[g] - mu * (first[g] + a - b);
                    second[(g, g)] += a * a + b * b;
                }
                let step = Cholesky::new(second * mu)?.solve(&gradient);
                let slope = -gradient.dot(&step);
                // Newton's decrement in units of the barrier.
                if -slope < 0.05 * mu {
                    break;
                }
                let mut t = 1.0;
                let found = (0..40).find_map(|_| {
                    let trial: Vec<f64> = (0..groups).map(|g| k[g] - t * step[g]).collect();
                    let v = self.value(&trial, mu);
                    t *= 0.5;
                    (v < value + 0.2 * t * slope).then_some((trial, v))
                });
                match found {
                    Some((trial, v)) => (k, value) = (trial, v),
                    None => break,
                }
            }
            // Twice the duality gap is μ times the number of logarithms.
            if mu * count < 2e-3 * self.cost(&k) {
                break;
            }
            mu *= 0.3;
        }
        Some((k, mu))
    }

    /// The multipliers of the groups, or None where `most` is not enough.
    fn solve(&self) -> Option<Vec<f64>> {
        if self.low.iter().any(|&l| l > self.most) {
            return None;
        }
        if self.stable(&self.low) {
            return Some(self.low.clone());
        }
        let (mut k, _) = self.central()?;
        // What the barrier alone keeps off its bound lies on it, unless nothing is left then; what is left is drawn to the edge.
        let most = k.iter().zip(&self.low).fold(0.0f64, |m, (k, l)| m.max(k - l));
        let small = |(k, l): (&f64, &f64)| if *k - l < (0.01 * l).max(1e-3 * most) { *l } else { *k };
        let fewer: Vec<f64> = k.iter().zip(&self.low).map(small).collect();
        let drawn =
            |k: &[f64], t: f64| -> Vec<f64> { k.iter().zip(&self.low).map(|(k, l)| (l + t * (k - l)).min(self.most)).collect() };
        let (mut no, mut yes) = (0.9, 1.1);
        if self.stable(&drawn(&fewer, yes)) {
            k = fewer;
        } else if !self.stable(&drawn(&k, yes)) {
            return None;
        }
        for _ in 0..20 {
            let t = 0.5 * (no + yes);
            *if self.stable(&drawn(&k, t)) { &mut yes } else { &mut no } = t;
        }
        Some(drawn(&k, yes))
    }
}

/// Stiffens a strand whose rest shape, as it is, does not hold it, by at most `most`. Where nothing does, the strand is as it was: `TooSoft`, or
/// `Converged` if without bounds, too, no rest shape brings f to the target, or `IterationLimit` if that was not found out.
pub fn stiffen(s: &mut Strands<f64>, initial: &[Rest<f64>], options: &Options, most: f64) -> Result<Stiffened, Status> {
    let (base, rest, mut otherwise) = (s.section.clone(), s.rest.clone(), Status::TooSoft);
    let found = if s.vertices() <= LONGEST { attempt(s, &base, initial, options, most.min(MOST), &mut otherwise) } else { None };
    found.ok_or_else(|| {
        s.section.copy_from_slice(&base);
        s.rest.copy_from_slice(&rest);
        otherwise
    })
}

/// `otherwise`: what a strand without stiffening is told.
fn attempt(
    s: &mut Strands<f64>,
    base: &[Section<f64>],
    initial: &[Rest<f64>],
    options: &Options,
    most: f64,
    otherwise: &mut Status,
) -> Option<Stiffened> {
    let n = s.vertices();
    let mut optimizer = Optimizer::new(n);
    let target = if options.target > 0.0 { options.target } else { Options::default().target };
    let mode = if options.mode == BoundMode::None { BoundMode::None } else { BoundMode::Exact };
    let options = Options { target, mode, ..*options };
    // The stress without bounds: of a strand that only its root holds it is the only one.
    let unbounded = Options { mode: BoundMode::None, ..options };
    let mut free = None;
    for stiffer in [1.0, 1e3, 1e6, MOST] {
        // What is far too soft has strains that f64 does not tell from nothing: the stress is that of a stiffer one.
        apply(s, base, &vec![[stiffer; 2]; n]);
        if !options.twist {
            s.section.iter_mut().zip(base).for_each(|(c, b)| c.gj = b.gj);
        }
        s.rest.copy_from_slice(initial);
        let solved = optimize_one(s, initial, &mut optimizer, &unbounded);
        if solved.reached != 0.0 {
            free = Some(softer(s, stiffer, options.twist));
            break;
        }
        if stiffer == 1.0 {
            *otherwise = if solved.ended == 0.0 { Status::IterationLimit } else { Status::Converged };
        }
    }
    apply(s, base, &vec![[1.0; 2]; n]);
    let free = free?;
    *otherwise = Status::TooSoft;
    let margin = Margin::new(FLOOR * s.load_over_length(), options.lowest_mode_min);
    let mut try_with =
        |s: &mut Strands<f64>, free: &[Rest<f64>]| around(s, &mut optimizer, base, initial, free, &options, most, margin);
    if !is_indeterminate(s) {
        return try_with(s, &free).map(|found| found.0);
    }
    // Several stresses would do.
    let least = Joint::new(s, &free, initial, &options, margin)
        .and_then(|mut j| j.least(most).map(|(x, _)| j.rest(s, initial, &x)))
        .and_then(|free| try_with(s, &free));
    if let Some((found, _)) = least {
        return Some(found);
    }
    apply(s, base, &vec![[1.0; 2]; n]);
    let (found, least_mode) = try_with(s, &free)?;
    Some(drawn_in(found, &mut |k| {
        [None, Some(&free[..])].into_iter().find_map(|start| {
            let (solved, modes) = with_factors(s, &mut optimizer, base, initial, start, &options, &k);
            let holds = solved.reached != 0.0 && modes[0] == 0.0 && !has_modes_below(s, least_mode);
            holds.then(|| Stiffened { multipliers: k.clone(), solved, modes })
        })
    }))
}

/// The least factors for the stress of the rest shape `free`, and the ω² that no mode is below.
#[allow(clippy::too_many_arguments)]
fn around(
    s: &mut Strands<f64>,
    optimizer: &mut Optimizer<f64>,
    base: &[Section<f64>],
    initial: &[Rest<f64>],
    free: &[Rest<f64>],
    options: &Options,
    most: f64,
    mut margin: Margin,
) -> Option<(Stiffened, f64)> {
    let least_mode = margin.least;
    let low = for_bounds(s, free, initial, options)?;
    if low.iter().flatten().any(|&k| k > most) {
        return None;
    }
    let mut k = low.clone();
    for _ in 0..ROUNDS {
        let (solved, modes) = with_factors(s, optimizer, base, initial, Some(free), options, &k);
        if solved.reached == 0.0 {
            return None;
        }
        if modes[0] == 0.0 && !has_modes_below(s, least_mode) {
            return Some((Stiffened { multipliers: k, solved, modes }, least_mode));
        }
        let problem = Stability::new(s, &k, &low, most, margin);
        let groups = problem.solve()?;
        for c in &problem.columns {
            k[c.start / 4 + 1][0] = groups[c.of];
        }
        margin = margin.more();
    }
    None
}

/// Out of line: all of it is inlined into who calls it.
#[inline(never)]
fn has_modes_below(s: &mut Strands<f64>, sigma: f64) -> bool {
    s.modes_below(sigma) != 0.0
}

/// Whether more than one stress carries the loads: something beyond the root's first edge is held.
fn is_indeterminate(s: &Strands<f64>) -> bool {
    s.section.iter().skip(2).any(|c| c.free[0] == 0.0)
}

/// Where the stress is not the only one, what was asked of each vertex by itself is too much for all together: all factors are drawn towards 1
/// by the same part, as far as the strand holds.
fn drawn_in(found: Stiffened, tried: &mut dyn FnMut(Vec<[f64; 2]>) -> Option<Stiffened>) -> Stiffened {
    let all = found.multipliers.clone();
    let part = |t: f64| all.iter().map(|k| k.map(|k| (t * k).max(1.0))).collect::<Vec<_>>();
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..DRAWS {
        let t = 0.5 * (low + high);
        if tried(part(t)).is_some() { high = t } else { low = t }
    }
    // The strand is left with what is given back.
    let less = if high < 1.0 { tried(part((high * 1.002).min(1.0))) } else { None };
    less.or_else(|| tried(all.clone())).unwrap_or(found)
}

/// Of an edge with that strain. Where it is less than −1 no such edge exists, but, stiffened, one with a part of the strain: the number stands for it.
fn rest_length(length: f64, strain: f64) -> f64 {
    let ratio = 1.0 + strain;
    length / if ratio.abs() < 1e-3 { 1e-3 } else { ratio }
}

/// The rest shape with which the strand has the stress that it has now, where it is so many times less stiff; without `twist`, as stiff as it is against twisting.
fn softer(s: &Strands<f64>, times: f64, twist: bool) -> Vec<Rest<f64>> {
    let mut out = s.rest.clone();
    if times == 1.0 {
        return out;
    }
    for i in 0..s.vertices() - 1 {
        let l = s.state[i].edge.length();
        out[i].length = rest_length(l, (l / s.rest[i].length - 1.0) * times);
        if i > 0 {
            // Stiffnesses are over the sum of both lengths.
            let sum = |of: &[Rest<f64>]| of[i - 1].length + of[i].length;
            let by = times * sum(&out) / sum(&s.rest);
            out[i] = Rest { length: out[i].length, ..drawn_from(s, i, &s.rest[i], by, twist) };
        }
    }
    out
}

/// The rest shape `of` the element at vertex `i` with strains so many times as large; twist too, where it may change.
fn drawn_from(s: &Strands<f64>, i: usize, of: &Rest<f64>, times: f64, twist: bool) -> Rest<f64> {
    let strains = element(s, i).strains;
    let at = |j: usize, rest: f64| strains[j] - (strains[j] - rest) * times;
    Rest {
        length: of.length,
        kappa: core::array::from_fn(|j| at(j, of.kappa[j])),
        twist: if twist { at(4, of.twist) } else { s.rest[i].twist },
    }
}

/// The rest shape and the certificate for the factors `k`, from `initial`, or from a shape near the answer: the strains of `free`, each over its
/// factor.
fn with_factors(
    s: &mut Strands<f64>,
    optimizer: &mut Optimizer<f64>,
    base: &[Section<f64>],
    initial: &[Rest<f64>],
    free: Option<&[Rest<f64>]>,
    options: &Options,
    k: &[[f64; 2]],
) -> (Solved<f64>, [f64; 2]) {
    apply(s, base, k);
    s.rest.copy_from_slice(initial);
    let edges = s.vertices() - 1;
    for (i, free) in free.into_iter().flat_map(|f| f[..edges].iter().enumerate()) {
        let l = s.state[i].edge.length();
        s.rest[i].length = l / (1.0 + (l / free.length - 1.0) / k[i][1]);
        if i > 0 {
            s.rest[i] = Rest { length: s.rest[i].length, ..drawn_from(s, i, free, 1.0 / k[i][0], options.twist) };
        }
    }
    let solved = optimize_one(s, initial, optimizer, options);
    let [unstable, lowest, ..] = certify_one(s);
    (solved, [unstable, lowest])
}

#[cfg(test)]
mod tests;
