//! Angles et al. 2019, figures 13 and 14: how one implicit step converges whose end was drawn out to twice the length at once. The library's Newton
//! steps beside the paper's solver, an averaged Jacobi iteration over single constraints, and beside block Gauss–Seidel sweeps.
//!
//! All of them minimise the same energy (`docs/internals/volume.md`). The two others are written for a straight rod, which is all that is needed:
//! unknowns are x of the vertices and s of the edges.

use crate::Result;
use crate::accuracy::solid::{FLESH, Solid};
use crate::render::{Plot, Series};
use crate::scenes::stage::*;
use glam::{DMat3, DVec3};
use withy::tasks::Inline;
use withy::world::{EndSupport, Pose, RodModel, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

pub const EDGES: usize = 30;
const EDGE: f64 = 0.01;
const STRETCH: f64 = 2.0;

/// Positions, m, of all vertices and scales of all edges.
#[derive(Clone, Debug)]
pub struct State {
    x: Vec<f64>,
    s: Vec<f64>,
}

impl State {
    fn start() -> State {
        let x = (0..=EDGES).map(|i| EDGE * i as f64 * if i == EDGES { STRETCH } else { 1.0 }).collect();
        State { x, s: vec![1.0; EDGES] }
    }
    /// Positions in edge lengths.
    pub fn distance(&self, to: &State) -> f64 {
        let along = self.x.iter().zip(&to.x).map(|(a, b)| ((a - b) / EDGE).powi(2));
        along.chain(self.s.iter().zip(&to.s).map(|(a, b)| (a - b).powi(2))).sum::<f64>().sqrt()
    }
    fn stretch(&self, e: usize) -> f64 {
        (self.x[e + 1] - self.x[e]) / EDGE
    }
}

/// What is in a state beside inertia, J: strain (eqs. 11 to 13) and volume (eq. 18).
pub fn energies(solid: Solid, state: &State) -> [f64; 2] {
    let r = Rows::new(solid);
    let half = |compliance: f64, c: f64| 0.5 * c * c / compliance;
    let strain = (0..EDGES).map(|e| half(r.pull, state.stretch(e) - 1.0) + half(r.scale, state.s[e] - 1.0)).sum::<f64>();
    let spread = (1..EDGES).map(|e| half(r.spread, state.s[e] - state.s[e - 1])).sum::<f64>();
    let volume = (0..EDGES).map(|e| half(r.volume, state.stretch(e) * state.s[e].powi(2) - 1.0)).sum();
    [strain + spread, volume]
}

/// What a step of h minimises, J: [`energies`], and inertia from where the rod rested.
pub fn objective(solid: Solid, h: f64, state: &State) -> f64 {
    let r = Rows::new(solid);
    let far = |x: f64, weight: f64| if weight > 0.0 { 0.5 * x * x / (weight * h * h) } else { 0.0 };
    let along: f64 = (0..=EDGES).map(|i| far(state.x[i] - EDGE * i as f64, r.weight(i))).sum();
    let across: f64 = state.s.iter().map(|s| far(s - 1.0, r.weights[1])).sum();
    energies(solid, state).iter().sum::<f64>() + along + across
}

/// Compliances of the constraints of an edge, inverse masses.
struct Rows {
    pull: f64,
    scale: f64,
    volume: f64,
    spread: f64,
    /// Of a vertex, 1/kg, and of a scale, 1/(kg m²).
    weights: [f64; 2],
}

impl Rows {
    fn new(solid: Solid) -> Rows {
        let ([mu, lambda], [inertia, gradient]) = (solid.lame(), solid.wave_factors());
        let (bulk, polar) = (solid.area() * EDGE, 2.0 * solid.second_moment());
        Rows {
            pull: 1.0 / (2.0 * mu * bulk),
            scale: 1.0 / (4.0 * mu * bulk),
            volume: 1.0 / (lambda * bulk),
            spread: EDGE / (gradient * mu * polar),
            weights: [1.0 / (solid.density * bulk), 1.0 / (inertia * solid.density * polar * EDGE)],
        }
    }
    /// A held end has none.
    fn weight(&self, vertex: usize) -> f64 {
        if vertex == 0 || vertex == EDGES { 0.0 } else { self.weights[0] }
    }
}

/// The constraints ℓ − 1, s − 1, s²ℓ − 1 of an edge, and their gradients by its two vertices and its scale.
fn edge_rows(state: &State, e: usize) -> ([f64; 3], [[f64; 3]; 3]) {
    let (l, s) = (state.stretch(e), state.s[e]);
    let (by_x, area) = (1.0 / EDGE, s * s);
    ([l - 1.0, s - 1.0, area * l - 1.0], [[-by_x, by_x, 0.0], [0.0, 0.0, 1.0], [-area * by_x, area * by_x, 2.0 * s * l]])
}

/// XPBD with the three rows of an edge as one block (Macklin et al. 2016, eq. 18, for three rows), edges one after the other, then differences of scales.
/// `see` has the state after each sweep.
pub fn gauss_seidel(solid: Solid, h: f64, sweeps: usize, mut see: impl FnMut(usize, &State)) {
    let (rows, mut state) = (Rows::new(solid), State::start());
    let alphas = DVec3::new(rows.pull, rows.scale, rows.volume) / (h * h);
    let alpha = rows.spread / (h * h);
    let (mut lambdas, mut spreads) = (vec![DVec3::ZERO; EDGES], vec![0.0; EDGES]);
    for sweep in 1..=sweeps {
        for (e, lambda) in lambdas.iter_mut().enumerate() {
            let (c, gradients) = edge_rows(&state, e);
            let w = [rows.weight(e), rows.weight(e + 1), rows.weights[1]];
            let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| w[k] * a[k] * b[k]).sum::<f64>();
            let column = |k: usize| DVec3::from(gradients.map(|g| dot(g, gradients[k])));
            let system = DMat3::from_cols(column(0), column(1), column(2)) + DMat3::from_diagonal(alphas);
            let step = system.inverse() * (-DVec3::from(c) - alphas * *lambda);
            *lambda += step;
            let moved = |k: usize| w[k] * (0..3).map(|r| gradients[r][k] * step[r]).sum::<f64>();
            state.x[e] += moved(0);
            state.x[e + 1] += moved(1);
            state.s[e] += moved(2);
        }
        for (e, spread) in spreads.iter_mut().enumerate().skip(1) {
            let c = state.s[e] - state.s[e - 1];
            let step = (-c - alpha * *spread) / (2.0 * rows.weights[1] + alpha);
            *spread += step;
            state.s[e] += rows.weights[1] * step;
            state.s[e - 1] -= rows.weights[1] * step;
        }
        see(sweep, &state);
    }
}

/// The paper's: every constraint for itself from the same state (eq. 28 in its right form), and the displacements of an unknown averaged over the
/// constraints that it has.
pub fn jacobi(solid: Solid, h: f64, iterations: usize, mut see: impl FnMut(usize, &State)) {
    let (rows, mut state) = (Rows::new(solid), State::start());
    let alphas = [rows.pull, rows.scale, rows.volume].map(|a| a / (h * h));
    let alpha = rows.spread / (h * h);
    let (mut lambdas, mut spreads) = (vec![[0.0; 3]; EDGES], vec![0.0; EDGES]);
    for iteration in 1..=iterations {
        // Sum of displacements and number of constraints.
        let (mut x, mut s) = (vec![[0.0; 2]; EDGES + 1], vec![[0.0; 2]; EDGES]);
        let put = |sum: &mut [f64; 2], by: f64| *sum = [sum[0] + by, sum[1] + 1.0];
        for e in 0..EDGES {
            let (c, gradients) = edge_rows(&state, e);
            let w = [rows.weight(e), rows.weight(e + 1), rows.weights[1]];
            for (r, g) in gradients.into_iter().enumerate() {
                let mass = (0..3).map(|k| w[k] * g[k] * g[k]).sum::<f64>();
                let step = (-c[r] - alphas[r] * lambdas[e][r]) / (mass + alphas[r]);
                lambdas[e][r] += step;
                if r != 1 {
                    put(&mut x[e], w[0] * g[0] * step);
                    put(&mut x[e + 1], w[1] * g[1] * step);
                }
                if r != 0 {
                    put(&mut s[e], w[2] * g[2] * step);
                }
            }
        }
        for e in 1..EDGES {
            let c = state.s[e] - state.s[e - 1];
            let step = (-c - alpha * spreads[e]) / (2.0 * rows.weights[1] + alpha);
            spreads[e] += step;
            put(&mut s[e], rows.weights[1] * step);
            put(&mut s[e - 1], -rows.weights[1] * step);
        }
        state.x.iter_mut().zip(&x).for_each(|(x, [sum, count])| *x += sum / count);
        state.s.iter_mut().zip(&s).for_each(|(s, [sum, count])| *s += sum / count);
        see(iteration, &state);
    }
}

/// The library's step with so many of Newton's iterations, f64.
pub fn newton(solid: Solid, h: f64, iterations: u32) -> Result<State> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, double_precision: true, ..WorldDesc::default() })?;
    let id = world.add_rods(RodsDesc {
        positions: line(DVec3::ZERO, DVec3::X * EDGE * EDGES as f64, EDGES + 1),
        counts: vec![EDGES as u32 + 1],
        radii: vec![solid.radius],
        stiffness: Stiffness::Physical { young: solid.young, shear: solid.shear() },
        poisson_ratio: solid.nu,
        density: solid.density,
        order: SweepOrder::Direct,
        model: RodModel::Der,
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        max_speed: 1e9,
        iterations,
        ..RodsDesc::default()
    })?;
    let there = Pose { position: [EDGE * STRETCH * EDGES as f64, 0.0, 0.0], ..Pose::IDENTITY };
    world.rods_mut(id)?.set_tip_poses(|_| there, true)?;
    world.step(h, &Inline)?;
    let mut state = State { x: Vec::new(), s: Vec::new() };
    world.rods(id)?.read_positions(|_, p| state.x.push(p[0]));
    world.rods(id)?.read_scales(|_, s| state.s.push(s));
    Ok(state)
}

/// Distance from the minimum over that at the start, and the state, after each iteration.
pub type Course = Vec<(usize, f64, State)>;

/// Of Newton's iterations, sweeps and averaged iterations.
pub fn courses(solid: Solid, h: f64, most: usize) -> Result<[Course; 3]> {
    let end = newton(solid, h, 60)?;
    let whole = State::start().distance(&end);
    let left = |state: &State| state.distance(&end) / whole;
    let steps = (1..=10).map(|k| newton(solid, h, k).map(|s| (k as usize, left(&s), s))).collect::<Result<Course>>()?;
    let (mut sweeps, mut averaged) = (Course::new(), Course::new());
    gauss_seidel(solid, h, most, |k, s| sweeps.push((k, left(s), s.clone())));
    jacobi(solid, h, most, |k, s| averaged.push((k, left(s), s.clone())));
    Ok([steps, sweeps, averaged])
}

const NAMES: [&str; 3] = ["ours: Newton's method", "block Gauss–Seidel sweeps", "averaged Jacobi, as published"];

pub fn figure() -> Result<Figure> {
    let h = FRAME;
    let all = courses(FLESH, h, 3000)?;
    let plot = |title: &str, y: &str| Plot {
        title: title.into(),
        x_label: "iterations".into(),
        y_label: y.into(),
        log_x: true,
        log_y: true,
        width: 620,
        height: 460,
        ..Plot::default()
    };
    let mut figure = Figure { title: "Convergence", ..Figure::default() };
    let mut distance = plot("One step, its end drawn to twice the length", "distance from the minimum");
    let mut volume = plot("Energy of what the volume is off", "J");
    let [_, start] = energies(FLESH, &State::start());
    let least = objective(FLESH, h, &newton(FLESH, h, 60)?);
    for (name, course) in NAMES.into_iter().zip(&all) {
        // Evenly on a logarithmic axis.
        let shown = |k: usize| k <= 10 || (40.0 * (k as f64).log10()) as usize > (40.0 * (k as f64 - 1.0).log10()) as usize;
        let points = |of: &dyn Fn(&(usize, f64, State)) -> f64| {
            course.iter().filter(|c| shown(c.0)).map(|c| [c.0 as f64, of(c).max(1e-16)]).collect::<Vec<_>>()
        };
        let line = |points| Series { name: name.into(), points, markers: course.len() <= 10, dashed: false };
        distance.series.push(line(points(&|c| c.1)));
        volume.series.push(line(points(&|c| energies(FLESH, &c.2)[1])));
        let some = course.iter().filter(|c| (course.len() <= 10 && c.0 <= 8) || [10, 100, 1000, 3000].contains(&c.0));
        let text: Vec<String> = some.map(|c| format!("{}: {:.2e}", c.0, c.1)).collect();
        figure.numbers.push(format!("{name}: {}", text.join(", ")));
        let end = &course[course.len() - 1];
        let [strain, bulk] = energies(FLESH, &end.2);
        figure.numbers.push(format!(
            "{name}: strain {strain:.5} J, volume {bulk:.5} J after {}, {start:.1} J at the start; what the step minimises is {:.5} of its least",
            end.0,
            objective(FLESH, h, &end.2) / least
        ));
    }
    figure.plots = vec![distance, volume];
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library's end is the minimum of what is written here for itself, and sweeps come near it, not to it.
    #[test]
    fn newtons_end_is_the_minimum() -> Result<()> {
        for (solid, h) in [(FLESH, FRAME), (FLESH, 1.0 / 240.0), (Solid { nu: 0.3, young: 2e5, ..FLESH }, FRAME)] {
            let end = newton(solid, h, 60)?;
            let least = objective(solid, h, &end);
            // Its slope, against the stiffness of an edge.
            let (small, stiff) = (1e-6, solid.young * solid.area() * EDGE);
            for k in 1..EDGES {
                for scale in [false, true] {
                    let moved = |by: f64| {
                        let mut s = end.clone();
                        if scale {
                            s.s[k] += by
                        } else {
                            s.x[k] += by * EDGE
                        }
                        objective(solid, h, &s)
                    };
                    let (up, down) = (moved(small), moved(-small));
                    assert!(((up - down) / (2.0 * small)).abs() < 1e-6 * stiff, "{solid:?} {h}: {k} {scale}");
                    assert!(up + down > 2.0 * least, "{solid:?} {h}: {k} {scale}");
                }
            }
            gauss_seidel(solid, h, 1000, |k, s| {
                let more = objective(solid, h, s) / least;
                assert!(k < 1000 || (1.0..1.02).contains(&more), "{solid:?} {h}: {more} times the least");
            });
        }
        Ok(())
    }
}
