//! The optimization as the paper writes it, with other optimizers and norms to compare: unknowns s̄, six a vertex,
//! (JᵀM⁻¹J + αI + βH) Δs̄ = −∇F with J column by column; gradient descent and Newton beside Gauss–Newton.

// Indices name rows and columns of small matrices here.
#![allow(clippy::needless_range_loop)]

use super::*;
use withy::rods::der::kernels::{Frame, Relative, direction, local_gradient};

/// l̄ of the edge, κ̄ and m̄ at the vertex.
pub type Six = [f64; 6];
/// Unknowns that a parameter at vertex i acts on: from x_{i−1} to x_{i+2}.
const COLUMN: usize = 15;
/// Entries of a row of the upper band: parameters up to three vertices further act on a common unknown.
pub const BAND: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Norm {
    /// ‖f‖² (Twigg & Kačić-Alesić 2011).
    Force,
    /// The same, each system scaled to a unit diagonal.
    Equilibrated,
    /// ‖f‖²_{M⁻¹}
    Kinetic,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Descent,
    /// With the second derivatives of the stretching force, held positive edge by edge (§5.2).
    Newton,
    GaussNewton,
}

/// What the pose fixes.
pub struct Problem<'a> {
    strands: &'a Strands<f64>,
    options: Options,
    norm: Norm,
    pub(super) length: Vec<f64>,
    pub(super) tangent: Vec<[f64; 3]>,
    /// Rows of J_curv and ∇m.
    pub(super) rows: Vec<[[f64; 11]; 5]>,
    pub(super) strains: Vec<[f64; 5]>,
    pub initial: Vec<Six>,
}

/// One iterate.
#[derive(Clone, Copy, Debug)]
pub struct Iterate {
    pub objective: f64,
    /// Since the start, without measuring.
    pub seconds: f64,
    /// ‖Δs̄‖ that led here.
    pub step: f64,
}

pub struct Run {
    pub s: Vec<Six>,
    pub iterates: Vec<Iterate>,
    /// Smallest and largest entry of the last system that is not zero.
    pub entries: [f64; 2],
}

impl<'a> Problem<'a> {
    pub fn new(strands: &'a Strands<f64>, options: Options, norm: Norm) -> Self {
        let n = strands.vertices();
        let mut p = Problem {
            strands,
            options,
            norm,
            length: Vec::new(),
            tangent: Vec::new(),
            rows: vec![[[0.0; 11]; 5]; n],
            strains: vec![[0.0; 5]; n],
            initial: super::norms::sixes(strands),
        };
        let mut before: Option<(Frame<f64>, f64)> = None;
        for (i, node) in strands.state[..n - 1].iter().enumerate() {
            let (length, t) = direction(node.edge);
            let frame = Frame { m1: node.m1, m2: t.cross(node.m1), t };
            p.length.push(length);
            p.tangent.push(t.to_array());
            if let Some((e, l)) = before {
                let q = Relative::new(&e, &frame);
                p.strains[i] = strands.strains(&q, node);
                let [a, b, c, d, _] = p.strains[i];
                let g = q.gradients([a, b, c, d]);
                for (j, gradient) in g.kappa.into_iter().chain([g.twist]).enumerate() {
                    let (ge, gf) = local_gradient(&q, gradient);
                    let de = e.world(vec3(ge[0], ge[1], ge[2])) * (1.0 / l);
                    let df = frame.world(vec3(gf[0], gf[1], gf[2])) * (1.0 / length);
                    let m = de - df;
                    let row = [-de.x, -de.y, -de.z, ge[3], m.x, m.y, m.z, gf[3], df.x, df.y, df.z];
                    p.rows[i][j] = std::array::from_fn(|k| row[k] * p.free(i - 1 + k / 4, k % 4));
                }
            }
            before = Some((frame, length));
        }
        p
    }

    fn free(&self, i: usize, k: usize) -> f64 {
        self.strands.section[i].free[usize::from(k == 3)]
    }

    /// The norm's weight of an unknown.
    fn weight(&self, i: usize, k: usize) -> f64 {
        let c = &self.strands.section[i];
        match self.norm {
            Norm::Kinetic => 1.0 / if k < 3 { c.mass } else { c.inertia },
            _ => 1.0,
        }
    }

    fn bounds(&self, i: usize, j: usize) -> [f64; 2] {
        let (s, b) = (self.initial[i][j], &self.options.bounds);
        match j {
            0 => [b.length[0] * s, b.length[1] * s],
            5 => [s - b.twist, s + b.twist],
            _ => [s - b.kappa, s + b.kappa],
        }
    }

    pub(super) fn moduli(&self, s: &[Six], i: usize) -> ([f64; 5], f64) {
        let inv = 1.0 / (s[i - 1][0] + s[i][0]);
        (Strands::moduli(self.strands.measure, &self.strands.section[i], inv), inv)
    }

    /// How far the bounds are overstepped.
    fn violation(&self, s: &[Six], i: usize, j: usize) -> f64 {
        let [low, high] = self.bounds(i, j);
        if self.options.mode == BoundMode::None { 0.0 } else { (s[i][j] - high).max(0.0) - (low - s[i][j]).max(0.0) }
    }

    /// −∂E/∂q of the free unknowns with their loads.
    pub fn force(&self, s: &[Six]) -> Vec<[f64; 4]> {
        let n = s.len();
        let mut f: Vec<[f64; 4]> = self.strands.section.iter().map(|c| [c.force.x, c.force.y, c.force.z, c.moment]).collect();
        for i in 0..n - 1 {
            let tension = self.strands.section[i].ea * (self.length[i] / s[i][0] - 1.0);
            for k in 0..3 {
                f[i][k] += tension * self.tangent[i][k];
                f[i + 1][k] -= tension * self.tangent[i][k];
            }
            if i > 0 {
                let (moduli, _) = self.moduli(s, i);
                for j in 0..5 {
                    let m = moduli[j] * (self.strains[i][j] - s[i][j + 1]);
                    for k in 0..11 {
                        f[i - 1 + k / 4][k % 4] -= m * self.rows[i][j][k];
                    }
                }
            }
        }
        for (i, row) in f.iter_mut().enumerate() {
            (0..4).for_each(|k| row[k] *= self.free(i, k));
        }
        f
    }

    /// ‖f‖ of the norm, and F of (37).
    pub fn objective(&self, s: &[Six]) -> (f64, f64) {
        let f = self.force(s);
        let kinetic: f64 = f.iter().enumerate().flat_map(|(i, r)| (0..4).map(move |k| self.weight(i, k) * r[k] * r[k])).sum();
        let mut sum = kinetic;
        for i in 0..s.len() - 1 {
            for j in 0..6 {
                let (d, v) = (s[i][j] - self.initial[i][j], self.violation(s, i, j));
                sum += self.options.regularizer * d * d + self.options.penalty * v * v;
            }
        }
        (kinetic.sqrt(), 0.5 * sum)
    }

    /// ∂f/∂s̄ of a parameter, over the unknowns from vertex i − 1 on; zero for what is not optimized. (24) to (28)
    fn column(&self, s: &[Six], i: usize, j: usize) -> [f64; COLUMN] {
        let mut u = [0.0; COLUMN];
        let n = s.len();
        // The root's edge and its end are held.
        if i == 0 || i + 1 >= n || j == 5 && !self.options.twist {
            return u;
        }
        let (moduli, _) = self.moduli(s, i);
        if j > 0 {
            (0..11).for_each(|k| u[k] = moduli[j - 1] * self.rows[i][j - 1][k]);
            return u;
        }
        for (at, shift) in [(i, 0), (i + 1, 4)].into_iter().filter(|(at, _)| at + 1 < n) {
            let (moduli, inv) = self.moduli(s, at);
            for j in 0..5 {
                let m = moduli[j] * inv * (self.strains[at][j] - s[at][j + 1]);
                (0..11).for_each(|k| u[shift + k] += m * self.rows[at][j][k]);
            }
        }
        let pull = self.strands.section[i].ea * self.length[i] / (s[i][0] * s[i][0]);
        for k in 0..3 {
            u[4 + k] -= pull * self.tangent[i][k] * self.free(i, k);
            u[8 + k] += pull * self.tangent[i][k] * self.free(i + 1, k);
        }
        u
    }

    /// Columns of J and ∇F.
    fn gradient(&self, s: &[Six]) -> (Vec<[f64; COLUMN]>, Vec<f64>) {
        let f = self.force(s);
        let n = s.len();
        let (mut columns, mut gradient) = (Vec::with_capacity(6 * n), Vec::with_capacity(6 * n));
        for i in 0..n {
            for j in 0..6 {
                let u = self.column(s, i, j);
                let mut g = 0.0;
                if u != [0.0; COLUMN] {
                    let at = |k: usize| (i + k / 4 - 1, k % 4);
                    let term = |k: usize| u[k] * f[at(k).0][at(k).1] * self.weight(at(k).0, at(k).1);
                    g = (0..COLUMN).filter(|k| at(*k).0 < n).map(term).sum();
                    let r = self.options.regularizer * (s[i][j] - self.initial[i][j]);
                    g += r + self.options.penalty * self.violation(s, i, j);
                }
                columns.push(u);
                gradient.push(g);
            }
        }
        (columns, gradient)
    }

    /// JᵀWJ + αI + βH by upper bands; and with the second derivatives of stretching where Newton asks for them.
    fn system(&self, s: &[Six], columns: &[[f64; COLUMN]], newton: bool) -> Vec<[f64; BAND]> {
        let n = s.len();
        let mut band = vec![[0.0; BAND]; 6 * n];
        let force = self.force(s);
        for (a, u) in columns.iter().enumerate() {
            let (i, j) = (a / 6, a % 6);
            for (b, v) in columns.iter().enumerate().take(a + BAND).skip(a) {
                // The second column begins so much further on.
                let shift = 4 * (b / 6 - i);
                let term = |k: usize| u[k] * v[k - shift] * self.weight(i + k / 4 - 1, k % 4);
                band[a][b - a] = if u[..] == [0.0; COLUMN] || v[..] == [0.0; COLUMN] {
                    0.0
                } else {
                    (shift..COLUMN).filter(|k| i + k / 4 <= n).map(term).sum()
                };
            }
            if newton && j == 0 && u[..] != [0.0; COLUMN] {
                let curve = 2.0 * self.strands.section[i].ea * self.length[i] / s[i][0].powi(3);
                let along = |v: usize| (0..3).map(|k| self.weight(v, k) * force[v][k] * self.tangent[i][k]).sum::<f64>();
                band[a][0] += (curve * (along(i) - along(i + 1))).max(0.0);
            }
            band[a][0] += self.options.regularizer;
            if self.violation(s, i, j) != 0.0 {
                band[a][0] += self.options.penalty;
            }
        }
        band
    }

    /// The paper's algorithm 1 with any of the methods.
    pub fn run(&self, method: Method) -> Run {
        let mut s = self.initial.clone();
        let mut value = self.objective(&s).1;
        let mut run =
            Run { s: Vec::new(), iterates: vec![Iterate { objective: value, seconds: 0.0, step: 0.0 }], entries: [0.0; 2] };
        let start = Instant::now();
        for _ in 0..self.options.iterations {
            let (columns, gradient) = self.gradient(&s);
            let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
            if method != Method::Descent {
                let mut band = self.system(&s, &columns, method == Method::Newton);
                let scale: Vec<f64> = match self.norm {
                    Norm::Equilibrated => band.iter().map(|row| 1.0 / row[0].sqrt()).collect(),
                    _ => vec![1.0; band.len()],
                };
                for (a, row) in band.iter_mut().enumerate() {
                    step[a] *= scale[a];
                    (0..BAND.min(scale.len() - a)).for_each(|b| row[b] *= scale[a] * scale[a + b]);
                }
                run.entries = extremes(&band, &columns);
                solve(&mut band, &mut step);
                step.iter_mut().zip(&scale).for_each(|(d, k)| *d *= k);
            }
            let slope: f64 = gradient.iter().zip(&step).map(|(g, d)| g * d).sum();
            let length = step.iter().map(|d| d * d).sum::<f64>().sqrt();
            let moved =
                |t: f64| -> Vec<Six> { (0..s.len()).map(|i| std::array::from_fn(|j| s[i][j] + t * step[6 * i + j])).collect() };
            // A length that is not positive has no energy.
            let fine = |s: &[Six]| s.iter().zip(&self.initial).all(|(a, b)| a[0] >= 1e-3 * b[0]);
            let accepted = (0..80).map(|k| 0.5f64.powi(k)).find_map(|t| {
                let trial = moved(t);
                let v = if fine(&trial) { self.objective(&trial).1 } else { f64::INFINITY };
                (v < value + 1e-4 * t * slope).then_some((trial, v))
            });
            let Some((trial, v)) = accepted else { break };
            (s, value) = (trial, v);
            run.iterates.push(Iterate { objective: v, seconds: start.elapsed().as_secs_f64(), step: length });
            if length < self.options.tolerance {
                break;
            }
        }
        run.s = s;
        run
    }
}

/// The least and the largest entry that is not zero, or rounding, of parameters that are optimized.
fn extremes(band: &[[f64; BAND]], columns: &[[f64; COLUMN]]) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for (a, row) in band.iter().enumerate().filter(|(a, _)| columns[*a] != [0.0; COLUMN]) {
        for (b, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            if v.abs() > 1e-13 * (row[0] * band[a + b][0]).sqrt() {
                (low, high) = (low.min(v.abs()), high.max(v.abs()));
            }
        }
    }
    [low, high]
}

/// LDLᵀ in place; `x` becomes the solution.
pub(super) fn solve(band: &mut [[f64; BAND]], x: &mut [f64]) {
    let rows = x.len();
    for r in 0..rows {
        let row = band[r];
        for c in 1..BAND.min(rows - r) {
            let l = row[c] / row[0];
            (c..BAND).for_each(|k| band[r + c][k - c] -= l * row[k]);
            band[r][c] = l;
            x[r + c] -= l * x[r];
        }
    }
    for r in (0..rows).rev() {
        x[r] = x[r] / band[r][0] - (1..BAND.min(rows - r)).map(|c| band[r][c] * x[r + c]).sum::<f64>();
    }
}
