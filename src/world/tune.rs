//! Rest shapes of ghost-point rods for the substep that really runs.
//!
//! Sweeps start from multipliers of zero in every substep and stop before they have converged: with the rest shape of the statics a
//! rod still sags. Let m(x) be what a constraint measures in the pose, s̄ its rest value, c̃ = c/h² its compliance, λ* its multiplier in
//! equilibrium, and let a substep from rest in the pose move it by u and end at the multiplier λ. With the rest values
//!
//! ```text
//! s̄ ← s̄ − [m(x + u) − m(x)] − c̃ (λ − λ*),    c̃ λ* = s̄* − m(x),   s̄*: the rest shape of the statics
//! ```
//! the error of the right-hand side b of Aλ = −b shrinks as k sweeps shrink it (A = ∇C M⁻¹ ∇Cᵀ + c̃, b* − b ← A Hᵏ A⁻¹ (b* − b)), down
//! to u = 0. Each strand on its own is sped up by Anderson's method. The bisector and the distance of a ghost point have no rest
//! value that could change: ghost points go where the sweeps take them.

use super::error::Result;
use super::rods::Rods;
use super::slots::Id;
use super::tasks::TaskRunner;
use super::world::World;
use crate::layout::{param, state};
use crate::rods::ghost::kernels::{EdgeFrame, edge_frame, rodrigues};

/// Steps that Anderson's method remembers.
const MEMORY: usize = 8;

/// L̄ of the edge after a vertex, and Ψ̄ of the element around it.
type Row = [f64; 4];

/// The rest values of one strand and how they came about.
struct Tuned {
    /// s̄*
    statics: Vec<Row>,
    /// What the constraints measure in the pose.
    pose: Vec<Row>,
    rest: Vec<Row>,
    best: Vec<Row>,
    least: f64,
    /// Changes of the rest values and of the correction, newest last.
    steps: Vec<(Vec<Row>, Vec<Row>)>,
    last: Option<(Vec<Row>, Vec<Row>)>,
}

fn dot(a: &[Row], b: &[Row]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| x * y).sum()
}
fn minus(a: &[Row], b: &[Row]) -> Vec<Row> {
    a.iter().zip(b).map(|(a, b)| core::array::from_fn(|k| a[k] - b[k])).collect()
}

impl Tuned {
    /// Goes on by the correction `f`, or by what Anderson's method makes of it: the mix of the last steps that would have left the
    /// least. Lengths count in units of `scale`.
    fn advance(&mut self, f: Vec<Row>, scale: f64) {
        let weigh = |rows: &[Row]| -> Vec<Row> { rows.iter().map(|r| [r[0] / scale, r[1], r[2], r[3]]).collect() };
        if let Some((rest, correction)) = self.last.take() {
            if self.steps.len() == MEMORY {
                self.steps.remove(0);
            }
            self.steps.push((minus(&self.rest, &rest), minus(&f, &correction)));
        }
        let n = self.steps.len();
        let changes: Vec<Vec<Row>> = self.steps.iter().map(|(_, df)| weigh(df)).collect();
        let target = weigh(&f);
        // Normal equations of min |f − Σ γ Δf|, a little regularized.
        let mut a = vec![vec![0.0; n + 1]; n];
        for i in 0..n {
            for j in 0..n {
                a[i][j] = dot(&changes[i], &changes[j]);
            }
            a[i][i] *= 1.0 + 1e-10;
            a[i][n] = dot(&changes[i], &target);
        }
        let gamma = solve(a).unwrap_or_else(|| vec![0.0; n]);
        let old = self.rest.clone();
        for (v, row) in self.rest.iter_mut().enumerate() {
            for k in 0..4 {
                let mixed: f64 = (0..n).map(|i| gamma[i] * (self.steps[i].0[v][k] + self.steps[i].1[v][k])).sum();
                row[k] += f[v][k] - mixed;
            }
        }
        self.last = Some((old, f));
    }
}

/// Gauss–Jordan on a small symmetric system with its right-hand side in the last column.
fn solve(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        if !(a[k][k].abs() > 0.0) || !a[k][k].is_finite() {
            return None;
        }
        for i in 0..n {
            if i != k {
                let l = a[i][k] / a[k][k];
                for j in k..=n {
                    a[i][j] -= l * a[k][j];
                }
            }
        }
    }
    Some((0..n).map(|k| a[k][n] / a[k][k]).collect())
}

impl Rods {
    /// What the constraints of a strand measure where the ghost points are and the vertices are after h seconds at their velocities.
    fn measure(&self, strand: usize, h: f64) -> Vec<Row> {
        let n = self.layout.counts[strand] as usize;
        let at = |v: usize| (self.state3(strand, v, state::X), self.state3(strand, v, state::U) * h);
        let frame = |v: usize| {
            let ((a, ua), (b, ub), g) = (at(v), at(v + 1), self.state3(strand, v, state::GX));
            edge_frame((b - a) + (ub - ua), (g - (a + b) * 0.5) - (ua + ub) * 0.5)
        };
        let psi = |a: &EdgeFrame<f64>, b: &EdgeFrame<f64>| (rodrigues(a, b).half * 2.0).to_array();
        (0..n)
            .map(|v| {
                let bend = match v {
                    0 => self.held_frame(0, strand).map_or([0.0; 3], |held| psi(&held, &frame(0))),
                    v if v + 1 == n => self.held_frame(1, strand).map_or([0.0; 3], |held| psi(&frame(v - 1), &held)),
                    v => psi(&frame(v - 1), &frame(v)),
                };
                let length = if v + 1 < n { 1.0 / frame(v).inv_len } else { 0.0 };
                [length, bend[0], bend[1], bend[2]]
            })
            .collect()
    }

    fn save_positions(&self) -> Vec<[f64; 3]> {
        let mut out = vec![[0.0; 3]; self.vertex_count()];
        self.read_positions(|i, x| out[i] = x);
        out
    }
    /// Ghost points and velocities stay.
    fn restore_positions(&mut self, to: &[[f64; 3]]) {
        let mut i = 0;
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                self.set_state3(s, v, state::X, to[i]);
                i += 1;
            }
        }
    }
    fn stop(&mut self) {
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                self.set_state3(s, v, state::U, [0.0; 3]);
                self.set_state3(s, v, state::GU, [0.0; 3]);
            }
        }
    }

    fn rest_values(&self, strand: usize) -> Vec<Row> {
        let p = |v: usize, k: usize| self.param(strand, v, k);
        (0..self.layout.counts[strand] as usize)
            .map(|v| [p(v, param::LENGTH), p(v, param::PSI), p(v, param::PSI + 1), p(v, param::PSI + 2)])
            .collect()
    }

    fn set_rest_values(&mut self, strand: usize, rows: &[Row]) {
        let n = rows.len();
        for (v, row) in rows.iter().enumerate() {
            if v + 1 < n {
                self.set_param(strand, v, param::LENGTH, row[0].max(1e-9));
            }
            for k in 0..3 {
                self.set_param(strand, v, param::PSI + k, row[1 + k]);
            }
        }
    }
}

impl World {
    /// From the rest shape of the statics to that of substeps of `h` seconds: at most `rounds` of them, until no vertex of a strand
    /// would start to move faster than `acceleration`, m/s². Writes what is left of each strand into its report. Strands for
    /// which it finds nothing better keep the rest shape of the statics.
    pub(super) fn tune(&mut self, id: Id, h: f64, rounds: usize, acceleration: f64, runner: &dyn TaskRunner) -> Result<()> {
        let rods = self.rods_mut(id)?;
        let strands = rods.strand_count();
        let (damping, start) = (rods.desc.damping, rods.save_positions());
        rods.desc.damping = 0.0;
        let mut all: Vec<Tuned> = (0..strands)
            .map(|s| {
                let statics = rods.rest_values(s);
                Tuned {
                    pose: rods.measure(s, 0.0),
                    rest: statics.clone(),
                    best: statics.clone(),
                    statics,
                    least: f64::INFINITY,
                    steps: Vec::new(),
                    last: None,
                }
            })
            .collect();
        for _ in 0..rounds {
            self.substep_alone(id, h, runner)?;
            let rods = self.rods_mut(id)?;
            // Back to where the substep began, but for the ghost points; the velocities tell how far it went.
            rods.restore_positions(&start);
            let mut open = 0;
            for (s, tuned) in all.iter_mut().enumerate() {
                let n = rods.layout.counts[s] as usize;
                let speed = (0..n).map(|v| rods.state3(s, v, state::U).length()).fold(0.0, f64::max);
                if speed / h < tuned.least {
                    (tuned.least, tuned.best) = (speed / h, tuned.rest.clone());
                }
                if !(speed / h > acceleration) {
                    continue;
                }
                open += 1;
                let (moved, still) = (rods.measure(s, h), rods.measure(s, 0.0));
                let f: Vec<Row> = (0..n)
                    .map(|v| {
                        let compliance =
                            |k: usize| rods.param(s, v, if k == 0 { param::STRETCH } else { param::BEND + k - 1 }) / (h * h);
                        core::array::from_fn(|k| {
                            let lambda = rods.state(s, v, state::LAMBDA_LENGTH + k);
                            let wanted = tuned.statics[v][k] - tuned.pose[v][k];
                            let c = compliance(k);
                            if c.is_finite() && c > 0.0 { -(moved[v][k] - still[v][k]) - c * lambda + wanted } else { 0.0 }
                        })
                    })
                    .collect();
                let scale = tuned.pose.iter().map(|r| r[0]).sum::<f64>() / (n - 1) as f64;
                tuned.advance(f, scale);
                rods.set_rest_values(s, &tuned.rest);
            }
            rods.stop();
            if open == 0 {
                break;
            }
        }
        let rods = self.rods_mut(id)?;
        rods.desc.damping = damping;
        for (s, tuned) in all.iter().enumerate() {
            rods.set_rest_values(s, &tuned.best);
            rods.elastic[s].acceleration = tuned.least;
        }
        rods.stop();
        Ok(())
    }
}
