//! The parts of the Hessian that stiffening knows, and that it costs the least.

use super::super::batch::{Material, StrandDesc};
use super::*;
use crate::desc::EndSupport;

/// No multipliers cost less: Z = θ μ H⁻¹, θ so that tr Z A ≤ w for each element, is a point of the dual problem, whose value −tr Z H(low) is a lower
/// bound of what any that hold cost beyond `low`.
#[test]
fn the_cost_is_the_least() {
    for (n, bend, curved) in [(20, 1e8, 0.0), (20, 1e9, 0.0), (20, 1e10, 0.0), (30, 1e7, 0.05), (40, 1e8, 0.1)] {
        let point = |u: f64| vec3(u, curved * (9.0 * u).sin(), curved * (7.0 * u).cos());
        let mut s = StrandDesc {
            points: (0..n).map(|i| point(i as f64 / (n - 1) as f64)).collect(),
            axis: vec3(0.0, 0.0, 0.0),
            material: Material { bend, ..Material::default() },
            gravity: vec3(0.0, -9.81, 0.0),
            root: EndSupport::Clamped,
            tip: EndSupport::Free,
        }
        .build();
        let initial = s.rest.clone();
        let options = Options { mode: BoundMode::None, ..Options::default() };
        Optimizer::new(n).run(&mut s, &initial, &options);
        let ones = vec![[1.0; 2]; n];
        let problem = Stability::new(&s, &ones, &ones, 1e3, Margin::new(0.1, 0.0));
        assert!(!problem.stable(&problem.low), "{bend:e}: nothing to do");
        let (k, mu) = problem.central().unwrap();
        let (first, _) = problem.derivatives(&k);
        let theta = (0..k.len()).map(|g| problem.weight[g] / (mu * first[g]).max(1e-300)).fold(1.0, f64::min);
        let more: f64 = (0..k.len()).map(|g| (k[g] - problem.low[g]) * first[g]).sum();
        let bound = theta * mu * (more - form::rows(&problem.forms) as f64);
        let found = problem.solve().unwrap();
        let cost = problem.cost(&found);
        println!("{n} {bend:e} {curved}: cost {cost:.5}, at least {bound:.5}");
        assert!(problem.stable(&found));
        assert!(cost < 1.005 * bound, "{n} {bend:e}: {cost} where {bound} may do");
    }
}

/// K_geometric + Σ k A is the Hessian that certificates use.
#[test]
fn parts_of_the_hessian_add_up() {
    [Measure::Curvature, Measure::Darboux].into_iter().for_each(add_up);
}

fn add_up(measure: Measure) {
    let n = 12;
    let mut s = Strands::<f64>::new(n);
    s.measure = measure;
    for i in 0..n {
        let u = i as f64;
        s.state[i].edge = vec3(0.1 + 0.02 * (2.0 * u).sin(), 0.03 * u.cos(), 0.02 * (1.7 * u).sin());
        s.state[i].m1 = (s.state[i].edge.cross(vec3(0.1, 0.3, 1.0))).normalized_or(vec3(1.0, 0.0, 0.0));
    }
    s.measure_twist();
    s.rest_from_state();
    for i in 0..n {
        let c = &mut s.section[i];
        let (edge, inner) = (f64::from(u8::from(i + 1 < n)), f64::from(u8::from(i > 0 && i + 1 < n)));
        (c.ea, c.ei, c.gj) = (300.0 * edge, [0.02 * inner, 0.03 * inner], 0.01 * inner);
        c.free = [f64::from(u8::from(i > 1)), f64::from(u8::from(i > 0 && i + 1 < n))];
        (s.rest[i].length, s.rest[i].twist) = (s.rest[i].length * 0.97, s.rest[i].twist + 0.2);
        s.rest[i].kappa[1] += 0.3;
    }
    let (k, mut swung) = (vec![[1.0; 2]; n], std::collections::BTreeSet::new());
    for sigma in [-3.0, 0.0, 2.0, 10.0, 50.0, 200.0, 1e3, 1e4] {
        let problem = Stability::new(&s, &k, &k, 10.0, Margin { omega: sigma, inertia: 1.0, least: 0.0 });
        let ones = vec![1.0; problem.low.len()];
        assert_eq!(problem.stable(&ones), s.modes_below(sigma) == 0.0, "{sigma}");
    }
    // The same for steps that overshoot, where edges press.
    let rest = s.rest.clone();
    s.rest.iter_mut().for_each(|r| r.length *= 1.1);
    for inertia in [1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 10.0] {
        s.steps = inertia;
        let problem = Stability::new(&s, &k, &k, 10.0, Margin { omega: -1e6, inertia: 1.0, least: 0.0 });
        let ones = vec![1.0; problem.low.len()];
        assert_eq!(problem.stable(&ones), s.modes_swung_up() == 0.0, "{measure:?} {inertia}");
        swung.insert(s.modes_swung_up() as u32);
    }
    assert!(swung.len() > 1, "{swung:?}");
    (s.steps, s.rest) = (0.0, rest);
    let lowest = s.lowest_mode();
    let at = |sigma: f64| {
        let problem = Stability::new(&s, &k, &k, 10.0, Margin { omega: sigma, inertia: 1.0, least: 0.0 });
        problem.stable(&vec![1.0; problem.low.len()])
    };
    assert!(at(lowest - 0.02 * lowest.abs()) && !at(lowest + 0.02 * lowest.abs()));
}
