//! That self-stresses push nothing, that the barrier has the derivatives that it takes, and that no factors cost less.

use super::super::super::batch::{Material, StrandDesc};
use super::super::super::rest_shape::Bounds;
use super::*;
use crate::desc::EndSupport;
use crate::rods::der::band::Band as Rows;
use crate::rods::der::strand::Inertia;

impl Stress {
    fn largest(&self) -> f64 {
        let moments = self.moment.iter().map(|m| m.length());
        self.tension.iter().map(|t| t.abs()).chain(moments).fold(0.0, f64::max)
    }
}

impl Joint {
    /// What any factors cost at least, from a point near the barrier's centre.
    fn bound(&self, mut x: Vec<f64>, mu: f64, most: f64) -> Option<f64> {
        // To the centre itself.
        let left = |x: &[f64], first: &DVector<f64>| -> f64 {
            (self.factors()..x.len()).map(|v| first[v].abs() * 100.0 * x[v].abs().max(1e-3)).sum()
        };
        let mut best = (f64::INFINITY, x.clone());
        for _ in 0..30 {
            let (first, second) = self.derivatives(&x, most);
            if left(&x, &first) < best.0 {
                best = (left(&x, &first), x.clone());
            }
            let gradient = DVector::from_fn(x.len(), |v, _| self.weight.get(v).unwrap_or(&0.0) - mu * first[v]);
            let step = scaled_solve(second, &gradient)? * (1.0 / mu);
            let trial: Vec<f64> = (0..x.len()).map(|v| x[v] - step[v]).collect();
            if self.value(&trial, mu, most).is_finite() {
                x = trial;
            }
        }
        let (left, x) = best;
        // The multipliers of the bounds on k itself are not among those of the equations for k: what is left over there is positive.
        let factors = self.factors();
        let (first, _) = self.derivatives(&x, most);
        let pushed = |g: usize| first[g] - 1.0 / (x[g] - 1.0) + 1.0 / (most - x[g]);
        let theta = (0..factors).map(|g| self.weight[g] / (mu * pushed(g)).max(1e-300)).fold(1.0, f64::min);
        let ones: Vec<f64> = (0..x.len()).map(|v| if v < factors { 1.0 } else { 0.0 }).collect();
        let mut value: f64 = self.limits.iter().map(|l| -self.room(l, &ones) / self.room(l, &x)).sum();
        if self.stable {
            // tr H⁻¹ H(1, 0) = n − tr H⁻¹ (H(x) − H(1, 0))
            let mut own = Joint { limits: Vec::new(), ..self.clone() };
            own.stable = true;
            let (parts, _) = own.derivatives(&x, f64::INFINITY);
            let along: f64 =
                (0..x.len()).map(|v| (x[v] - ones[v]) * (parts[v] - if v < factors { 1.0 / (x[v] - 1.0) } else { 0.0 })).sum();
            value += along - form::rows(&self.forms) as f64;
        }
        println!("θ {theta}, left {:e} of {:e}", theta * mu * left, theta * mu * value);
        Some(theta * mu * (value - left))
    }
}

/// A curl that the host holds at both ends, with the rest shape that carries its loads without bounds.
fn held_curl(n: usize, tip: EndSupport, options: &Options) -> (Strands<f64>, Vec<Rest<f64>>, Vec<Rest<f64>>) {
    let at = |i: usize| {
        let t = 0.2 * i as f64 / (n - 1) as f64;
        vec3(t, 0.01 * (60.0 * t).sin(), 0.01 * ((60.0 * t).cos() - 1.0))
    };
    let mut s = StrandDesc {
        points: (0..n).map(at).collect(),
        axis: vec3(0.0, 0.0, 0.0),
        material: Material { stretch: 1e9, bend: 4e5, twist: 1.6e5, ..Material::default() },
        gravity: vec3(0.0, -9.81, 0.0),
        root: EndSupport::Clamped,
        tip,
    }
    .build();
    let initial = s.rest.clone();
    Optimizer::new(n).run(&mut s, &initial, &Options { mode: BoundMode::None, ..*options });
    let free = s.rest.clone();
    (s, initial, free)
}

fn narrow() -> Options {
    Options { bounds: Bounds { kappa: 0.3, ..Bounds::default() }, mode: BoundMode::Exact, ..Options::default() }
}

/// Of both bounds and stability, by factors and by self-stresses, against differences.
#[test]
fn the_barrier_has_these_derivatives() {
    let steps = [0.0, 100.0];
    for (tip, steps) in [EndSupport::Pinned, EndSupport::Clamped].into_iter().flat_map(|tip| steps.map(|s| (tip, s))) {
        let (mut s, initial, free) = held_curl(12, tip, &narrow());
        s.steps = steps;
        let mut joint = Joint::new(&s, &free, &initial, &narrow(), Margin::new(0.1, 0.0)).unwrap();
        joint.stable = true;
        let x = joint.inside(&vec![0.0; joint.own.len()], 1e4).unwrap();
        let (first, second) = joint.derivatives(&x, 1e4);
        let logs = |x: &[f64]| joint.cost(x) - joint.value(x, 1.0, 1e4);
        for v in 0..x.len() {
            let h = 1e-3 / second[(v, v)].sqrt();
            let at = |t: f64| -> Vec<f64> { x.iter().enumerate().map(|(w, x)| if w == v { x + t * h } else { *x }).collect() };
            let d = (logs(&at(1.0)) - logs(&at(-1.0))) / (2.0 * h);
            assert!((d - first[v]).abs() < 1e-4 * second[(v, v)].sqrt(), "{tip:?} {v}: {d:e} {:e}", first[v]);
            let (up, down) = (joint.derivatives(&at(1.0), 1e4).0, joint.derivatives(&at(-1.0), 1e4).0);
            for w in 0..x.len() {
                let d = (down[w] - up[w]) / (2.0 * h);
                let scale = (second[(v, v)] * second[(w, w)]).sqrt();
                assert!((d - second[(v, w)]).abs() < 1e-4 * scale, "{tip:?} {v} {w}: {d:e} {:e}", second[(v, w)]);
            }
        }
    }
}

/// Nothing outside balances a self-stress: three of a strand with a pinned tip, six with a clamped one.
#[test]
fn self_stresses_push_nothing() {
    for (tip, count) in [(EndSupport::Free, 0), (EndSupport::Pinned, 3), (EndSupport::Clamped, 6)] {
        let (mut s, initial, free) = held_curl(24, tip, &narrow());
        let (s0, _, _) = held_curl(24, tip, &narrow());
        let joint = Joint::new(&s, &free, &initial, &narrow(), Margin::new(0.1, 0.0));
        assert_eq!(joint.as_ref().map_or(0, |j| j.own.len()), count);
        let Some(joint) = joint else { continue };
        let mut forces = |rest: Vec<Rest<f64>>| -> Vec<f64> {
            s.rest = rest;
            s.assemble(&Inertia::none(), 1.0);
            let free = |r: usize| s.section[r / 4].free[usize::from(r % 4 == 3)] > 0.0;
            (0..4 * s.vertices()).filter(|&r| free(r)).map(|r| Rows::rhs(&s, r)).collect()
        };
        let most = |f: &[f64]| f.iter().fold(0.0f64, |m, f| m.max(f.abs()));
        // What loads they balance without any rest shape.
        let loads = most(&forces(initial.clone()));
        for c in 0..count {
            let mut x = vec![1.0; joint.factors()];
            x.extend((0..count).map(|k| if k == c { 1e-3 } else { 0.0 }));
            let (rest, changed) = (joint.rest(&s0, &initial, &x), joint.own[c].largest() * 1e-3);
            let left = most(&forces(rest));
            println!("{tip:?} {c}: {left:e} N of {loads:e} N, by {changed:e} N");
            assert!(left < 1e-8 * (loads + changed));
        }
    }
}

/// The same bound as above where the stress is free too: there θ μ/room are the multipliers of the bounds, and what is left of the dual
/// problem's equation for each self-stress, next to nothing, counts as often as the self-stress could change.
#[test]
fn the_cost_is_the_least_between_held_ends() {
    let (pinned, clamped) = (EndSupport::Pinned, EndSupport::Clamped);
    let mut least = Vec::new();
    for (n, tip, inertia) in [(24, pinned, 0.0), (40, pinned, 0.0), (24, clamped, 0.0), (24, pinned, 1.0)] {
        let (mut s, initial, free) = held_curl(n, tip, &narrow());
        s.steps = inertia;
        let base = s.section.clone();
        let mut joint = Joint::new(&s, &free, &initial, &narrow(), Margin::new(0.1, 0.0)).unwrap();
        let (x, mu) = joint.least(1e4).unwrap();
        let bound = joint.bound(x.clone(), mu, 1e4).unwrap();
        let rest = joint.rest(&s, &initial, &x);
        let mut optimizer = Optimizer::new(n);
        let (found, _) = around(&mut s, &mut optimizer, &base, &initial, &rest, &narrow(), 1e4, Margin::new(0.1, 0.0)).unwrap();
        let (bend, stretch): (Vec<f64>, Vec<f64>) = found.multipliers.iter().map(|k| (k[0], k[1])).unzip();
        let cost = joint.cost(&[bend, stretch].concat());
        println!("{n} {tip:?}: {} self-stresses, cost {cost:.5}, at least {bound:.5}", joint.own.len());
        assert!(found.modes[0] == 0.0 && cost < 1.02 * bound, "{n} {tip:?}: {cost} where {bound} may do");
        least.push(joint.cost(&x));
    }
    // Steps with so little inertia overshoot.
    assert!(least[3] > 1.01 * least[0], "{least:?}");
}
