//! The optimizer's derivatives and its system.

use super::super::batch::Material;
use super::super::bent::bent;
use super::*;
use crate::math::rng::Rng;

const N: usize = 9;

fn rules(measure: Measure) -> Rules<f64> {
    Rules::new(&Options::default(), measure)
}

/// A strand far from its rest, some of it held, and an optimizer that has read it.
fn strand(rng: &mut Rng, measure: Measure, length: f64) -> (Strands<f64>, Optimizer<f64>) {
    let mut s = bent(rng, N, measure, length, &Material::default());
    for i in 0..N {
        s.section[i].free = [f64::from(u8::from(i > 1)), f64::from(u8::from(i > 0 && i + 1 < N))];
    }
    let mut o = Optimizer::new(N);
    let rest = s.rest.clone();
    o.read(&s, &rest, &rules(measure));
    o.trial.copy_from_slice(&o.s);
    (0..N - 1).for_each(|i| o.linearize(&s, i));
    (s, o)
}

/// y·f at the trial.
fn product(o: &mut Optimizer<f64>, s: &Strands<f64>, y: &[Row<f64>]) -> f64 {
    o.objective(s, &rules(s.measure), 0.0, None);
    o.tried_force.iter().flatten().zip(y.iter().flatten()).map(|(f, y)| f * y).sum()
}

fn transposed(o: &mut Optimizer<f64>, s: &Strands<f64>, y: &[Row<f64>]) -> Vec<Six<f64>> {
    o.y.copy_from_slice(y);
    let product = |i: usize| o.transpose_product(s, i, [&y[i], &y[i + 1]], o.turned_solution(i), o.turned_solution(i + 1));
    (0..N - 1).map(product).collect()
}

/// ∂f/∂s̄, (24)–(28), against differences of the forces, of each unknown's own force.
#[test]
fn forces_change_with_the_rest_shape_as_j_says() {
    let mut rng = Rng::new(17);
    for (measure, length) in
        [(Measure::Curvature, 0.01), (Measure::Curvature, 1e-4), (Measure::Curvature, 10.0), (Measure::Darboux, 0.01)]
    {
        let (s, mut o) = strand(&mut rng, measure, length);
        for unknown in 0..4 * N {
            let mut y = vec![[0.0; 4]; N];
            y[unknown / 4][unknown % 4] = 1.0;
            let j = transposed(&mut o, &s, &y);
            for i in 0..N - 1 {
                let mut at = |k: usize, d: f64| {
                    o.trial[i][k] = o.s[i][k] + d;
                    let v = product(&mut o, &s, &y);
                    o.trial[i][k] = o.s[i][k];
                    v
                };
                // Linear in curvatures and twists.
                let got: Vec<f64> = (0..6)
                    .map(|k| {
                        let h = if k == 0 { 2e-3 * length } else { 0.1 };
                        let mut d = |n: f64| at(k, n * h) - at(k, -n * h);
                        (45.0 * d(1.0) - 9.0 * d(2.0) + d(3.0)) / (60.0 * h)
                    })
                    .collect();
                for k in 0..6 {
                    if rules(measure).on(&s, i)[k] == 0.0 {
                        continue;
                    }
                    // Of the size of what this parameter does to any force on this kind of unknown.
                    let size = (0..4 * N)
                        .filter(|u| (u % 4 == 3) == (unknown % 4 == 3))
                        .map(|u| {
                            let mut y = vec![[0.0; 4]; N];
                            y[u / 4][u % 4] = 1.0;
                            transposed(&mut o, &s, &y)[i][k].abs()
                        })
                        .fold(0.0, f64::max);
                    let error = (got[k] - j[i][k]).abs();
                    // And what a difference of the tensions can tell.
                    let noise = 1e-15 * s.section[0].ea / if k == 0 { 2e-3 * length } else { 0.1 };
                    assert!(
                        error <= 1e-8 * size + noise,
                        "{measure:?} {length}: f{unknown}, s{i},{k}: {} against {}",
                        j[i][k],
                        got[k]
                    );
                }
            }
        }
    }
}

/// JᵀM⁻¹f + r against differences of (20) + (29) + (38), where each of the three has its say and most bounds are overstepped.
#[test]
fn the_gradient_is_that_of_the_objective() {
    let mut rng = Rng::new(41);
    for (measure, mode, target) in [
        (Measure::Curvature, BoundMode::None, 0.0),
        (Measure::Curvature, BoundMode::Penalty, 0.0),
        (Measure::Curvature, BoundMode::Penalty, 1e-6),
        (Measure::Darboux, BoundMode::Penalty, 0.0),
    ] {
        let length = 0.01;
        let (s, mut o) = strand(&mut rng, measure, length);
        let bounds = Bounds { length: [0.97, 1.02], kappa: 0.05, twist: 0.05 };
        let options = Options { mode, target, bounds, penalty: 0.0, ..Options::default() };
        let initial = s.rest.clone();
        let mut rules = Rules::new(&options, measure);
        o.read(&s, &initial, &rules);
        // None so near a bound that the differences would step over it.
        for i in 0..N {
            for j in 0..6 {
                let size = if j == 0 { 0.1 * length } else { 0.2 };
                o.s[i][j] += rng.range(0.5, 1.5) * size * if rng.range(-1.0, 1.0) < 0.0 { -1.0 } else { 1.0 };
            }
        }
        o.trial.copy_from_slice(&o.s);
        let gradient = |o: &mut Optimizer<f64>, rules: &Rules<f64>, alpha: f64| -> Vec<Six<f64>> {
            o.begin(&s, rules, alpha);
            o.assemble(&s, rules, alpha, true);
            o.gradient.clone()
        };
        let most = |g: &[Six<f64>], kind: usize| {
            g.iter()
                .flat_map(|g| g.iter().enumerate())
                .filter(|(j, _)| (*j == 0) == (kind == 0))
                .fold(0.0, |m: f64, (_, v)| m.max(v.abs()))
        };
        // Lengths and strains are of different sizes: α and β such that both terms are as large as f's among strains.
        let alpha = most(&gradient(&mut o, &rules, 0.0), 1);
        rules.penalty = 2.0 * alpha;
        let exact = gradient(&mut o, &rules, alpha);
        for i in 0..N - 1 {
            for j in 0..6 {
                let h = if j == 0 { 1e-3 * length } else { 0.01 };
                let mut at = |k: f64| {
                    o.trial.copy_from_slice(&o.s);
                    o.trial[i][j] += k * h;
                    o.objective(&s, &rules, alpha, None).value
                };
                let mut d = |k: f64| at(k) - at(-k);
                let got = (45.0 * d(1.0) - 9.0 * d(2.0) + d(3.0)) / (60.0 * h);
                let size = most(&exact, j);
                // And what a difference of the whole objective can tell.
                let noise = 4e-16 * at(0.0) / h;
                let error = (got * rules.on(&s, i)[j] - exact[i][j]).abs();
                assert!(error < 1e-8 * size + noise, "{measure:?} {mode:?} s{i},{j}: {} against {got} of {size}", exact[i][j]);
                assert!(noise < 1e-7 * size, "{measure:?} {mode:?} s{i},{j}: cannot tell: {noise} of {size}");
            }
        }
    }
}

/// The band is M + J D⁻¹ Jᵀ.
#[test]
fn the_force_space_system_is_what_it_says() {
    let mut rng = Rng::new(29);
    for measure in [Measure::Curvature, Measure::Darboux] {
        let (s, mut o) = strand(&mut rng, measure, 0.01);
        let weights: Vec<Six<f64>> = (0..N - 1).map(|i| rules(measure).on(&s, i).map(|on| on * rng.range(0.1, 2.0))).collect();
        let rows: Vec<Vec<Six<f64>>> = (0..4 * N)
            .map(|u| {
                let mut y = vec![[0.0; 4]; N];
                y[u / 4][u % 4] = 1.0;
                transposed(&mut o, &s, &y)
            })
            .collect();
        (0..N).for_each(|i| o.clear(&s, i));
        (0..N - 1).for_each(|i| o.add_length_and_strains(&s, i, &weights[i], &[0.0; 6]));
        for a in 0..4 * N {
            for b in a..(a + BAND).min(4 * N) {
                let c = &s.section[a / 4];
                let mass = if a != b {
                    0.0
                } else if a % 4 < 3 {
                    c.mass
                } else {
                    c.inertia
                };
                let term = |i: usize, k: usize| rows[a][i][k] * weights[i][k] * rows[b][i][k];
                let all = || (0..N - 1).flat_map(|i| (0..6).map(move |k| (i, k)));
                // A held unknown has a unit row.
                let mass = if a == b && c.free[usize::from(a % 4 == 3)] == 0.0 { 1.0 } else { mass };
                let want = mass + all().map(|(i, k)| term(i, k)).sum::<f64>();
                let size = mass + all().map(|(i, k)| term(i, k).abs()).sum::<f64>();
                let got = o.band[a / 4][a % 4][b - a];
                assert!((got - want).abs() <= 1e-12 * size, "{measure:?} {a},{b}: {got} against {want}");
            }
        }
    }
}
