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

/// As it is, and in one copy: it takes its time to compile.
#[inline(never)]
fn run(o: &mut Optimizer<f64>, s: &mut Strands<f64>, initial: &[Rest<f64>], options: &Options) -> Solved<f64> {
    o.run(s, initial, options)
}

/// Gauss–Newton from `initial`, to where it brings no more.
#[inline(never)]
fn gauss_newton(
    o: &mut Optimizer<f64>,
    s: &mut Strands<f64>,
    initial: &[Rest<f64>],
    options: &Options,
    out: Solved<f64>,
) -> Solved<f64> {
    s.rest.copy_from_slice(initial);
    let rules = Rules::new(options, s.measure);
    o.read(s, initial, &rules);
    let mut out = Solved { iterations: 0.0, ..out };
    o.gauss_newton(s, &rules, options, 1.0, 1e-12, &mut out);
    out
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

/// How bounds are kept.
const MODES: &[BoundMode] = &[
    BoundMode::None,
    BoundMode::Exact,
    #[cfg(feature = "paper")]
    BoundMode::Penalty,
    #[cfg(feature = "paper")]
    BoundMode::Clamped,
];

/// JᵀM⁻¹f + r against differences of (20) + (29) + (38), where each of the three has its say (where iterates are their own centres, two) and most bounds are
/// overstepped, whatever lengths cost.
#[cfg(feature = "paper")]
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
        o.cost.iter_mut().for_each(|c| *c = rng.range(0.5, 2.0));
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

/// Four strands far from their equilibria, bounds of all kinds at work: what the way back has tried is to the bit what [`Optimizer::objective`] says of it, and nothing of
/// a step is where they were.
#[test]
fn what_the_way_back_tries_is_the_objective() {
    let mut rng = Rng::new(53);
    let mut outside = 0;
    for measure in [Measure::Curvature, Measure::Darboux] {
        for &mode in MODES {
            for target in [0.0, 1e-6] {
                let (s, mut o) = strand(&mut rng, measure, 0.01);
                let bounds = Bounds { length: [0.99, 1.01], kappa: 0.01, twist: 0.01 };
                let rules = Rules::new(&Options { mode, target, bounds, ..Options::default() }, measure);
                o.read(&s, &s.rest, &rules);
                let alpha = 1e-5;
                let first = o.begin(&s, &rules, alpha);
                for t in [1.0, 0.25, 0.0] {
                    o.assemble(&s, &rules, alpha, true);
                    if !rules.recentre {
                        o.refine(&s, &rules, alpha);
                    }
                    let (change, tried) = o.return_with_change(&s, &rules, alpha, Some(t));
                    outside += usize::from(change.changed > 0.0);
                    let bits = |o: &Optimizer<f64>, all: &Objective<f64>| -> Vec<u64> {
                        let numbers = o.trial.as_flattened().iter().chain(o.tried_force.as_flattened());
                        numbers.chain([&all.kinetic, &all.at_centre, &all.value]).map(|v| v.to_bits()).collect()
                    };
                    let got = bits(&o, &tried.expect("it was asked for"));
                    let want = o.objective(&s, &rules, alpha, Some(t));
                    assert_eq!(got, bits(&o, &want), "{measure:?} {mode:?} {target} {t}");
                    if t == 0.0 {
                        assert!(o.trial == o.s && o.tried_force == o.force, "{measure:?} {mode:?} {target}");
                        assert_eq!(want.value.to_bits(), first.value.to_bits());
                    }
                }
            }
        }
    }
    assert!(outside > 5 * MODES.len(), "{outside}");
}

/// Within exact bounds what is found satisfies the conditions of a minimum: nothing falls along a free parameter, and at a bound only outwards; to a hundredth of where
/// it began, as the search ends where eight steps bring less than a thousandth each.
#[test]
fn exact_bounds_end_at_a_minimum() {
    let mut rng = Rng::new(61);
    let (mut at_bounds, mut worst) = (0, 0.0f64);
    for measure in [Measure::Curvature, Measure::Darboux] {
        for kappa in [0.02, 0.1] {
            let (mut s, mut o) = strand(&mut rng, measure, 0.01);
            let initial = s.rest.clone();
            let bounds = Bounds { length: [0.98, 1.02], kappa, twist: kappa };
            let options = Options { mode: BoundMode::Exact, bounds, target: 1e-12, ..Options::default() };
            let solved = run(&mut o, &mut s, &initial, &options);
            let rules = Rules::new(&options, measure);
            // Of f alone, as iterates are their own centres; and of the start, to compare with.
            let most = |g: &[Six<f64>], j: usize| g.iter().fold(0.0, |m: f64, g| m.max(g[j].abs()));
            o.begin(&s, &rules, 1e-5);
            o.assemble(&s, &rules, 1e-5, true);
            let end = o.gradient.clone();
            for (i, r) in initial.iter().enumerate() {
                o.s[i] = six(r);
            }
            o.begin(&s, &rules, 1e-5);
            o.assemble(&s, &rules, 1e-5, true);
            let start = o.gradient.clone();
            assert!(solved.reached == 0.0, "the bounds leave an equilibrium");
            for i in 0..N - 1 {
                let ([low, high], now) = (rules.bounds(&o.initial[i]), six(&s.rest[i]));
                for j in 0..6 {
                    let size = most(&start, j);
                    let (at_low, at_high) = (now[j] <= low[j], now[j] >= high[j]);
                    at_bounds += usize::from(rules.on(&s, i)[j] > 0.0 && (at_low || at_high));
                    let g = end[i][j];
                    // Where it falls, and may not go.
                    let excess = if at_high {
                        g.max(0.0)
                    } else if at_low {
                        (-g).max(0.0)
                    } else {
                        g.abs()
                    };
                    worst = worst.max(excess / size);
                    assert!(excess <= 1e-2 * size, "{measure:?} {kappa} s{i},{j}: {g} of {size}, low {at_low}, high {at_high}");
                }
            }
        }
    }
    println!("{at_bounds} at bounds, {worst:e} of the first gradient left");
    assert!(at_bounds > 10);
}

/// How the strands of the next test are held beyond their roots.
#[derive(Clone, Copy, Debug)]
enum Tip {
    Free,
    Pinned,
    Clamped,
}

/// Sections leave no force, and what they find is what Gauss–Newton finds: in directions of no force both change what costs least, so they are apart by the square of the
/// change.
#[test]
fn sections_find_what_gauss_newton_finds() {
    let mut rng = Rng::new(73);
    for measure in [Measure::Curvature, Measure::Darboux] {
        for tip in [Tip::Free, Tip::Pinned, Tip::Clamped] {
            let mut apart = [0.0; 2];
            for (k, load) in [1.0, 0.1].into_iter().enumerate() {
                for _ in 0..20 {
                    let mut s = bent(&mut rng, N, measure, 0.01, &Material { stretch: 1e7, ..Material::default() });
                    s.rest_from_state();
                    for i in 0..N {
                        let held = i < 2
                            || match tip {
                                Tip::Free => false,
                                Tip::Pinned => i + 1 == N,
                                Tip::Clamped => i + 2 >= N,
                            };
                        let angle = i > 0 && i + 1 < N && !(matches!(tip, Tip::Clamped) && i + 2 == N);
                        let c = &mut s.section[i];
                        c.free = [f64::from(u8::from(!held)), f64::from(u8::from(angle))];
                        let mut v = |size: f64| rng.range(-size, size);
                        c.force = c.force * (2.0 * load) + Vec3 { x: v(1e-4), y: v(1e-4), z: v(1e-4) } * load;
                        c.moment = v(1e-7) * load;
                    }
                    s.swing = f64::from(u8::from(matches!(tip, Tip::Free)));
                    let options = Options { mode: BoundMode::None, ..Options::default() };
                    let (initial, mut o) = (s.rest.clone(), Optimizer::new(N));
                    let solved = run(&mut o, &mut s, &initial, &options);
                    let found: Vec<Six<f64>> = s.rest.iter().map(six).collect();
                    assert!(solved.iterations == 1.0 && solved.reached == 1.0, "{measure:?} {tip:?}: {solved:?}");

                    let out = gauss_newton(&mut o, &mut s, &initial, &options, solved);
                    assert!(out.reached == 1.0, "{measure:?} {tip:?}: {out:?}");
                    // In what a change costs.
                    let (mut change, mut between) = (0.0, 0.0);
                    for i in 0..N - 1 {
                        let (a, b, from) = (six(&s.rest[i]), found[i], six(&initial[i]));
                        for j in 0..6 {
                            let cost = if j == 0 { Optimizer::length_cost(&s, i) } else { 1.0 };
                            change += cost * (a[j] - from[j]).powi(2);
                            between += cost * (a[j] - b[j]).powi(2);
                        }
                    }
                    apart[k] += f64::sqrt(between / change) / 20.0;
                }
            }
            println!("{measure:?} {tip:?}: apart by {apart:?} of the change");
            let most = if matches!(tip, Tip::Free) { 1e-10 } else { 1e-4 };
            assert!(apart[0] < most && apart[1] < 0.15 * apart[0].max(1e-9), "{measure:?} {tip:?}: {apart:?}");
        }
    }
}

/// Where bounds are met and leave an equilibrium, sections find one, within them, that changes no more than what Gauss–Newton finds.
#[test]
fn sections_keep_bounds() {
    let mut rng = Rng::new(79);
    let (mut at_bounds, mut others) = (0.0, [0; 2]);
    for measure in [Measure::Curvature, Measure::Darboux] {
        for round in 0..100 {
            let mut s = bent(&mut rng, N, measure, 0.01, &Material { stretch: 1e7, ..Material::default() });
            s.rest_from_state();
            for i in 0..N {
                s.section[i].free = [f64::from(u8::from(i > 1)), f64::from(u8::from(i > 0 && i + 1 < N))];
                let mut v = |size: f64| rng.range(-size, size);
                s.section[i].force = s.section[i].force * 2.0 + Vec3 { x: v(1e-4), y: v(1e-4), z: v(1e-4) };
            }
            s.swing = 1.0;
            let (initial, mut o) = (s.rest.clone(), Optimizer::new(N));
            // As wide as the largest change without bounds needs, and less.
            run(&mut o, &mut s, &initial, &Options { mode: BoundMode::None, ..Options::default() });
            let change = |s: &Strands<f64>, i: usize| -> Vec<f64> {
                six(&s.rest[i]).iter().zip(six(&initial[i])).skip(1).map(|(a, b)| a - b).collect()
            };
            let most = (1..N - 1).flat_map(|i| change(&s, i)).fold(0.0f64, |m, d| m.max(d.abs()));
            let kappa = most * [0.99, 0.96][round % 2];
            let bounds = Bounds { length: [0.5, 2.0], kappa, twist: kappa };
            let options = Options { mode: BoundMode::Exact, bounds, ..Options::default() };
            s.rest.copy_from_slice(&initial);
            let solved = run(&mut o, &mut s, &initial, &options);
            if solved.iterations != 1.0 || solved.reached != 1.0 {
                others[usize::from(measure == Measure::Darboux)] += 1;
                continue;
            }
            at_bounds += solved.at_bounds;
            let found: Vec<Vec<f64>> = (1..N - 1).map(|i| change(&s, i)).collect();
            assert!(found.iter().flatten().all(|d| d.abs() <= kappa * (1.0 + 1e-12)), "{measure:?} {round}");
            let out = gauss_newton(&mut o, &mut s, &initial, &options, solved);
            let sum = |of: &[f64]| of.iter().map(|d| d * d).sum::<f64>();
            for (i, found) in (1..).zip(&found) {
                let (least, other) = (sum(found), sum(&change(&s, i)));
                assert!(out.reached == 0.0 || least <= other * 1.0001 + 1e-12, "{measure:?} {round} {i}: {least} {other}");
            }
        }
    }
    println!("{at_bounds} at bounds, {others:?} of 100 left to Gauss–Newton");
    // Three strains carry three moments: what meets a bound has nowhere else to go.
    assert!(at_bounds > 50.0 && others[0] < 20 && others[1] == 100, "{at_bounds} {others:?}");
}
