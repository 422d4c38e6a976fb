//! Muscles, against the laws of their activation and of Hill's force.

use crate::scene::*;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::*;

/// E = 60 kPa, ν = 0.45, radius 1 cm: EA = 18.8496 N.
fn flesh(positions: Vec<V3>, model: RodModel, muscle: Muscle) -> RodsDesc {
    RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        radii: vec![0.01],
        stiffness: Stiffness::Physical { young: 6e4, shear: 6e4 / 2.9 },
        poisson_ratio: 0.45,
        muscle: Some(muscle),
        density: 1060.0,
        order: SweepOrder::Direct,
        model,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

const HALF: Muscle = Muscle::RestShape { shortest: 0.5 };
const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

fn still(double: bool) -> WorldDesc {
    WorldDesc { gravity: [0.0; 3], double_precision: double, ..WorldDesc::default() }
}

fn all(read: impl FnOnce(&mut dyn FnMut(usize, f64))) -> Vec<f64> {
    let mut values = Vec::new();
    read(&mut |_, x| values.push(x));
    values
}

fn scales(w: &World, id: Id) -> Vec<f64> {
    all(|put| w.rods(id).unwrap().read_scales(put))
}
fn stretches(w: &World, id: Id) -> Vec<f64> {
    all(|put| w.rods(id).unwrap().read_strain(|i, e| put(i, 1.0 + e)))
}
fn tensions(w: &World, id: Id) -> Vec<f64> {
    all(|put| w.rods(id).unwrap().read_forces(put))
}
fn force(w: &World, id: Id) -> StrandForce {
    let mut found = StrandForce::default();
    w.rods(id).unwrap().read_strand_forces(|_, f| found = f);
    found
}

fn near(what: &str, got: f64, exact: f64, most: f64) {
    assert!((got / exact - 1.0).abs() < most, "{what}: {got} for {exact}");
}

/// Both models, in f32 and f64, with one Newton step and with three.
fn each(mut check: impl FnMut(RodModel, bool, u32)) {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        [1, 3].into_iter().for_each(|iterations| check(model, double, iterations));
    }
}

#[test]
fn an_active_rod_between_two_ends_pulls() {
    each(|model, double, iterations| {
        let mut w = World::new(still(double)).unwrap();
        let ends = RodsDesc {
            root: EndSupport::Pinned,
            tip: EndSupport::Pinned,
            drag: 30.0,
            iterations,
            ..flesh(horizontal(20, 0.2), model, HALF)
        };
        let id = w.add_rods(ends).unwrap();
        w.rods_mut(id).unwrap().set_activation(|_| 0.4).unwrap();
        steps(&mut w, 60, 1.0 / 60.0);
        let most = if double { 1e-6 } else { 2e-4 };
        tensions(&w, id).into_iter().for_each(|p| near("P", p, 5.20176, most));
        scales(&w, id).into_iter().for_each(|s| near("s", s, 1.009510, most));
        let StrandForce { active, total } = force(&w, id);
        near("total", total, 5.20176, most);
        // Without activation it would carry nothing.
        near("active", active, 5.20176, most);
    });
}

/// A strand of which three fifths are tendon, held at its length: activation adds all that it carries, whatever part of it is active.
#[test]
fn what_activation_adds_is_all_that_a_strand_at_its_length_carries() {
    for double in [false, true] {
        let mut w = World::new(still(double)).unwrap();
        let tendon = |e: usize| !(6..14).contains(&e);
        let desc = RodsDesc {
            root: EndSupport::Pinned,
            tip: EndSupport::Pinned,
            drag: 30.0,
            contractile: (0..20).map(|e| if tendon(e) { 0.0 } else { 1.0 }).collect(),
            stiffness_scale: (0..=20).map(|v| if tendon(v) && (v == 0 || tendon(v - 1)) { 1e3 } else { 1.0 }).collect(),
            ..flesh(horizontal(20, 0.2), RodModel::Ghost, Muscle::Hill(HILLS[0]))
        };
        let id = w.add_rods(desc).unwrap();
        w.rods_mut(id).unwrap().set_activation(|_| 0.5).unwrap();
        steps(&mut w, 90, 1.0 / 60.0);
        let StrandForce { active, total } = force(&w, id);
        assert!(total > 1.0, "{total}");
        near("active", active, total, 1e-2);
    }
}

#[test]
fn a_free_active_rod_has_its_active_shape_and_no_stress() {
    each(|model, double, iterations| {
        for nu in [0.3, 0.45, 0.499] {
            let mut w = World::new(still(double)).unwrap();
            let desc = RodsDesc { drag: 20.0, iterations, poisson_ratio: nu, ..flesh(horizontal(20, 0.2), model, HALF) };
            let id = w.add_rods(desc).unwrap();
            w.rods_mut(id).unwrap().set_activation(|_| 0.4).unwrap();
            steps(&mut w, 120, 1.0 / 60.0);
            let most = if double { 1e-6 } else { 3e-4 };
            stretches(&w, id).into_iter().for_each(|l| near("length", l, 0.8, most));
            scales(&w, id).into_iter().for_each(|s| near("s", s, 1.118034, most));
            all(|put| w.rods(id).unwrap().read_volumes(put)).into_iter().for_each(|j| near("J", j, 1.0, most));
            tensions(&w, id).into_iter().for_each(|p| assert!(p.abs() < most * 18.8, "{model:?} {double} {nu}: {p} N"));
        }
    });
}

/// A rod that is bent at rest becomes a smaller one, of the same moduli: its angles are a^{3/2} of what they were, and its sections a^{-1/2}.
#[test]
fn a_free_active_arc_has_no_moment() {
    let n = 24;
    let arc: Vec<V3> = (0..=n)
        .map(|i| {
            let angle = 1.5 * f64::from(i) / f64::from(n);
            [0.2 * angle.sin(), 0.2 * (1.0 - angle.cos()), 0.0]
        })
        .collect();
    for model in MODELS {
        let mut w = World::new(still(true)).unwrap();
        let id = w.add_rods(RodsDesc { drag: 20.0, ..flesh(arc.clone(), model, HALF) }).unwrap();
        w.rods_mut(id).unwrap().set_activation(|_| 0.4).unwrap();
        steps(&mut w, 400, 1.0 / 60.0);
        let x = positions(w.rods(id).unwrap());
        let turn = |i: usize| {
            let (a, b) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            a.cross(b).length().atan2(a.dot(b))
        };
        for i in 1..n as usize {
            // Of both models by the strain that each has: 2 tan of half the angle, and twice the sine of half of it.
            let before = 1.5 / f64::from(n);
            near("angle", turn(i), before * 0.8f64.powf(1.5), 1e-3);
        }
        scales(&w, id).into_iter().for_each(|s| near("s", s, 1.118034, 1e-5));
        let mut most = 0.0f64;
        w.rods(id).unwrap().read_moments(|_, m| most = m.iter().fold(most, |a, b| a.max(b.abs())));
        assert!(most < 1e-8, "{model:?}: {most} N m");
    }
}

#[test]
fn half_a_chain_that_is_active_stretches_the_other_half() {
    each(|model, double, iterations| {
        let mut w = World::new(still(double)).unwrap();
        let ends = RodsDesc {
            root: EndSupport::Pinned,
            tip: EndSupport::Pinned,
            drag: 30.0,
            iterations,
            ..flesh(horizontal(40, 0.4), model, HALF)
        };
        let id = w.add_rods(ends).unwrap();
        w.rods_mut(id).unwrap().set_activation(|i| if i < 20 { 0.4 } else { 0.0 }).unwrap();
        steps(&mut w, 180, 1.0 / 60.0);
        let (l, s) = (stretches(&w, id), scales(&w, id));
        let most = 1e-3;
        for i in [2, 10, 16] {
            near("active length", l[i], 0.877428, most);
            near("active s", s[i], 1.072180, most);
        }
        for i in [23, 30, 37] {
            near("passive length", l[i], 1.122572, most);
            near("passive s", s[i], 0.948851, most);
        }
        tensions(&w, id).into_iter().for_each(|p| near("P", p, 2.15543, most));
    });
}

/// Activation that comes and goes at once, in steps of all lengths: nothing flies, and the rest comes back. (Not of an
/// edge that becomes a fifth as long at once: `docs/internals/muscles.md`, Limits.)
#[test]
fn activation_at_once_is_stable() {
    let hill = Muscle::Hill(Hill { peak: Peak::Stress(3e5), pennation: 0.2, ..Hill::default() });
    for muscle in [HALF, hill] {
        each(|model, double, iterations| {
            for (dt, substeps) in [(1.0 / 60.0, 8), (1.0 / 24.0, 1), (1.0 / 1000.0, 1)] {
                let mut w = World::new(WorldDesc { substeps, double_precision: double, ..WorldDesc::default() }).unwrap();
                let desc =
                    RodsDesc { root: EndSupport::Clamped, iterations, drag: 5.0, ..flesh(horizontal(20, 0.2), model, muscle) };
                let id = w.add_rods(desc).unwrap();
                for k in 0..60 {
                    w.rods_mut(id).unwrap().set_activation(|i| if (k / 10 + i / 7) % 2 == 1 { 1.0 } else { 0.0 }).unwrap();
                    w.step(dt, &Inline).unwrap();
                    assert_eq!(w.stats().non_finite_strands, 0, "{muscle:?} {model:?} {double} {dt}");
                    let l = stretches(&w, id);
                    assert!(l.iter().all(|l| (1e-3..8.0).contains(l)), "{muscle:?} {model:?} {double} {dt} {k}: {l:?}");
                }
                w.rods_mut(id).unwrap().set_activation(|_| 0.0).unwrap();
                w.rods_mut(id).unwrap().set_motion(0.0, 30.0, [0.0; 3], 0.5).unwrap();
                steps(&mut w, (4.0 / dt) as usize, dt);
                let off = stretches(&w, id).into_iter().map(|l| (l - 1.0).abs()).fold(0.0, f64::max);
                assert!(off < 0.1, "{muscle:?} {model:?} {double} {dt} {iterations}: {off}");
            }
        });
    }
}

/// f_L and f_V as they are written, by libm.
fn force_length(x: f64) -> f64 {
    let rows = [
        (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
        (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
        (0.1, 1.0, 0.353553390593274, 0.0),
    ];
    rows.into_iter().map(|(a, b, c, d): (f64, f64, f64, f64)| a * (-0.5 * ((x - b) / (c + d * x)).powi(2)).exp()).sum()
}
fn force_velocity(v: f64) -> f64 {
    let u = -8.149 * v - 0.374;
    -0.3211346127989808 * (u + (u * u + 1.0).sqrt()).ln() + 0.8825327733249912
}
/// The tension of the rod without activation, N, and its scale, whose sides are free: E 2 kPa, ν 0.45.
fn passive(l: f64, young: f64) -> f64 {
    let mu = young / 2.9;
    let lambda = 2.0 * mu * 0.45 / 0.1;
    let slope = |s: f64| 4.0 * mu * (s - 1.0) + 2.0 * lambda * s * l * (s * s * l - 1.0);
    let (mut a, mut b) = (0.1, 10.0);
    for _ in 0..100 {
        let m = 0.5 * (a + b);
        if slope(m) < 0.0 { a = m } else { b = m }
    }
    core::f64::consts::PI * 1e-4 * (2.0 * mu * (l - 1.0) + lambda * a * a * (a * a * l - 1.0))
}
/// Hill's force of a strand without mass, N.
fn hills(h: &Hill, activation: f64, l: f64, rate: f64) -> f64 {
    let Peak::Force(peak) = h.peak else { panic!("tests give forces") };
    let (sin, cos) = h.pennation.sin_cos();
    let lambda = l / h.optimal_ratio;
    let x = (lambda * cos).hypot(sin);
    let now = lambda * cos / x;
    let v = rate / h.optimal_ratio * cos * now / h.max_velocity;
    peak * activation * force_length(x) * force_velocity(v) * now
}

const YOUNG: f64 = 2e3;

/// A soft strand of ten edges between two ends that the host moves.
fn driven(h: Hill, model: RodModel, double: bool, iterations: u32) -> (World, Id) {
    let mut w = World::new(still(double)).unwrap();
    let ends = RodsDesc {
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / 2.9 },
        density: 100.0,
        iterations,
        ..flesh(horizontal(10, 0.1), model, Muscle::Hill(h))
    };
    let id = w.add_rods(ends).unwrap();
    (w, id)
}

const HILLS: [Hill; 2] = [
    Hill { peak: Peak::Force(20.0), optimal_ratio: 1.0, max_velocity: 10.0, pennation: 0.0 },
    Hill { peak: Peak::Force(5.0), optimal_ratio: 0.9, max_velocity: 4.0, pennation: 0.35 },
];

#[test]
fn isometric_force_is_that_of_the_length() {
    for h in HILLS {
        each(|model, double, iterations| {
            for (to, activation) in [(0.75, 1.0), (1.0, 1.0), (1.0, 0.3), (1.15, 0.6), (1.4, 1.0)] {
                let (mut w, id) = driven(h, model, double, iterations);
                for k in 0..180 {
                    let l = 1.0 + (to - 1.0) * (f64::from(k) / 60.0).min(1.0);
                    let tip = Pose { position: [0.1 * l, 0.0, 0.0], ..Pose::IDENTITY };
                    w.rods_mut(id).unwrap().set_tip_poses(|_| tip, false).unwrap();
                    // Active, it does not buckle on its way.
                    w.rods_mut(id).unwrap().set_activation(|_| activation).unwrap();
                    w.step(1.0 / 60.0, &Inline).unwrap();
                }
                let (active, elastic) = (hills(&h, activation, to, 0.0), passive(to, YOUNG));
                let got = force(&w, id);
                near("total", got.total, active + elastic, 2e-3);
                near("active", got.active, active, 2e-3);
            }
        });
    }
}

/// Ends that go apart, or together, at constant speed: the force is f_V times the isometric one.
#[test]
fn shortening_and_lengthening_have_the_force_of_their_speed() {
    for h in HILLS {
        each(|model, double, iterations| {
            for speed in [-0.8, -0.4, -0.1, 0.1, 0.4, 0.8] {
                let rate = speed * h.max_velocity * h.optimal_ratio;
                let (mut w, id) = driven(h, model, double, iterations);
                w.rods_mut(id).unwrap().set_activation(|_| 1.0).unwrap();
                let dt = 1.0 / 480.0;
                let (mut worst, mut l) = (0.0f64, 1.0);
                for k in 0..48 {
                    l += rate * dt * (f64::from(k) / 12.0).min(1.0);
                    if !(0.8..1.2).contains(&l) {
                        break;
                    }
                    let tip = Pose { position: [0.1 * l, 0.0, 0.0], ..Pose::IDENTITY };
                    w.rods_mut(id).unwrap().set_tip_poses(|_| tip, false).unwrap();
                    w.step(dt, &Inline).unwrap();
                    if k > 14 {
                        let exact = hills(&h, 1.0, l, rate) + passive(l, YOUNG);
                        worst = worst.max((force(&w, id).total - exact).abs() / hills(&h, 1.0, l, 0.0));
                        let mut v = 0.0;
                        w.rods(id).unwrap().read_shortening_velocities(|_, x| v = x);
                        near("velocity", v, -0.1 * rate, 1e-3);
                        let mut length = 0.0;
                        w.rods(id).unwrap().read_strand_lengths(|_, x| length = x);
                        near("length", length, 0.1 * l, 1e-5);
                    }
                }
                println!("{model:?} {double} {iterations}: v {speed}: off by {worst:.1e} of the isometric force");
                assert!(worst < 1e-2, "{h:?} {model:?} {double} {iterations} {speed}: {worst}");
            }
        });
    }
}

/// Held, then let go against a load: it shortens as fast as f_V says.
#[test]
fn a_quick_release_has_the_velocity_of_its_load() {
    for h in HILLS {
        for model in MODELS {
            for (double, iterations, part) in [(true, 1, 0.3), (false, 1, 0.3), (true, 3, 0.3), (true, 1, 0.7), (false, 3, 0.7)] {
                let isometric = hills(&h, 1.0, 1.0, 0.0);
                let load = part * isometric;
                let mut w = World::new(still(double)).unwrap();
                let ends = RodsDesc {
                    root: EndSupport::Pinned,
                    stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / 2.9 },
                    density: 100.0,
                    iterations,
                    ..flesh(horizontal(10, 0.1), model, Muscle::Hill(h))
                };
                let id = w.add_rods(ends).unwrap();
                let rods = w.rods_mut(id).unwrap();
                rods.set_activation(|_| 1.0).unwrap();
                rods.set_pin(10, Some([0.1, 0.0, 0.0]), false).unwrap();
                rods.set_forces(|i| if i == 10 { [load, 0.0, 0.0] } else { [0.0; 3] }).unwrap();
                steps(&mut w, 20, 1.0 / 60.0);
                near("held", force(&w, id).total, isometric, 2e-3);
                w.rods_mut(id).unwrap().set_pin(10, None, false).unwrap();
                let mut seen = 0;
                for k in 0..40 {
                    w.step(1.0 / 480.0, &Inline).unwrap();
                    let l = stretches(&w, id).iter().sum::<f64>() / 10.0;
                    if k < 4 || l < 0.85 {
                        continue;
                    }
                    // The velocity at which Hill's force carries what elasticity leaves of the load, by bisection.
                    let (mut a, mut b) = (-1.0, 0.5);
                    for _ in 0..60 {
                        let v = 0.5 * (a + b);
                        let f = hills(&h, 1.0, l, v * h.max_velocity * h.optimal_ratio) + passive(l, YOUNG);
                        if f < load { a = v } else { b = v }
                    }
                    let exact = -a * h.max_velocity * h.optimal_ratio * 0.1;
                    let mut v = 0.0;
                    w.rods(id).unwrap().read_shortening_velocities(|_, x| v = x);
                    assert!(
                        (v / exact - 1.0).abs() < 0.03,
                        "{h:?} {model:?} {double} {iterations} {part} at {k}: {v} for {exact}"
                    );
                    seen += 1;
                }
                assert!(seen > 3, "{seen}");
            }
        }
    }
}

/// Blocks of strands of several lengths, half of them active by halves.
fn bundle(model: RodModel, muscle: Muscle) -> RodsDesc {
    let counts: Vec<u32> = (0..37).map(|s| 8 + s % 5).collect();
    let positions = counts
        .iter()
        .enumerate()
        .flat_map(|(s, &n)| curl(n as usize - 1, s as f64).into_iter().map(move |[x, y, z]| [x + 0.05 * s as f64, y, z]));
    RodsDesc { positions: positions.collect(), counts, root: EndSupport::Clamped, ..flesh(Vec::new(), model, muscle) }
}

#[test]
fn all_widths_and_threads_have_the_same_bits() {
    let pool = Pool::new(2).unwrap();
    for muscle in [HALF, Muscle::Hill(HILLS[1])] {
        for model in MODELS {
            for double in [false, true] {
                let run = |isa, tasks: &dyn TaskRunner| {
                    let mut w =
                        World::new(WorldDesc { isa: Some(isa), double_precision: double, ..WorldDesc::default() }).unwrap();
                    let id = w.add_rods(bundle(model, muscle)).unwrap();
                    for k in 0..12 {
                        w.rods_mut(id).unwrap().set_activation(|i| if (i + k) % 3 == 0 { 0.7 } else { 0.1 }).unwrap();
                        w.step(1.0 / 60.0, tasks).unwrap();
                    }
                    assert_eq!(w.stats().non_finite_strands, 0);
                    w.state_hash()
                };
                let first = run(sets().next().unwrap(), &Inline);
                for isa in sets() {
                    assert_eq!(run(isa, &Inline), first, "{isa:?} {model:?} {muscle:?}");
                    assert_eq!(run(isa, &pool), first, "{isa:?} {model:?} {muscle:?}, two threads");
                }
            }
        }
    }
}

#[test]
fn a_restored_muscle_goes_on_with_the_same_bits() {
    for muscle in [HALF, Muscle::Hill(HILLS[0])] {
        for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let id = w.add_rods(bundle(model, muscle)).unwrap();
            w.rods_mut(id).unwrap().set_activation(|i| 0.1 * (i % 10) as f64).unwrap();
            steps(&mut w, 7, 1.0 / 60.0);
            let mut saved = vec![0; w.save_state(&mut []).unwrap()];
            w.save_state(&mut saved).unwrap();
            let before = all(|put| w.rods(id).unwrap().read_activation(put));
            let forces = all(|put| w.rods(id).unwrap().read_active_forces(put));
            steps(&mut w, 9, 1.0 / 60.0);
            let once = w.state_hash();
            // Scrubbing goes on with the activation of the frame that it goes back to.
            w.rods_mut(id).unwrap().set_activation(|_| 1.0).unwrap();
            steps(&mut w, 3, 1.0 / 60.0);
            w.restore_state(&saved).unwrap();
            assert_eq!(all(|put| w.rods(id).unwrap().read_activation(put)), before);
            assert_eq!(all(|put| w.rods(id).unwrap().read_active_forces(put)), forces);
            steps(&mut w, 9, 1.0 / 60.0);
            assert_eq!(w.state_hash(), once, "{model:?} {double} {muscle:?}");
        }
    }
}

#[test]
fn a_change_of_activation_wakes_a_muscle() {
    for muscle in [HALF, Muscle::Hill(HILLS[0])] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let desc = RodsDesc {
            can_sleep: true,
            root: EndSupport::Pinned,
            tip: EndSupport::Pinned,
            drag: 30.0,
            ..flesh(horizontal(10, 0.1), RodModel::Ghost, muscle)
        };
        let id = w.add_rods(desc).unwrap();
        let set = |w: &mut World, a: f64| w.rods_mut(id).unwrap().set_activation(|_| a).unwrap();
        let mut asleep = false;
        for _ in 0..600 {
            set(&mut w, 0.25);
            w.step(1.0 / 60.0, &Inline).unwrap();
            asleep = w.rods_sleep(id).unwrap();
        }
        assert!(asleep, "{muscle:?}: the same activation again wakes nothing");
        let before = force(&w, id).total;
        set(&mut w, 0.75);
        steps(&mut w, 30, 1.0 / 60.0);
        assert!(force(&w, id).total > 1.5 * before, "{muscle:?}: {} N after {before} N", force(&w, id).total);
    }
}

#[test]
fn bad_activations_and_muscles_are_named() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let id = w.add_rods(flesh(horizontal(4, 0.1), RodModel::Der, HALF)).unwrap();
    let mut refused = |value: f64| {
        let before = w.state_hash();
        let message = w.rods_mut(id).unwrap().set_activation(|i| if i == 2 { value } else { 0.5 }).unwrap_err().message;
        assert_eq!(w.state_hash(), before, "nothing is written");
        message
    };
    assert!(refused(1.5).contains("activation[2] is 1.5"), "{}", refused(1.5));
    assert!(refused(-0.01).contains("activation[2]") && refused(f64::NAN).contains("activation[2]"));
    let plain = RodsDesc { muscle: None, ..flesh(horizontal(4, 0.1), RodModel::Der, HALF) };
    let id = w.add_rods(plain.clone()).unwrap();
    assert!(w.rods_mut(id).unwrap().set_activation(|_| 0.5).unwrap_err().message.contains("muscle"));
    let mut not = |muscle: Muscle, word: &str| {
        let desc = RodsDesc { muscle: Some(muscle), ..plain.clone() };
        let message = w.add_rods(desc).unwrap_err().message;
        assert!(message.contains(word), "{message}");
    };
    not(Muscle::RestShape { shortest: 0.1 }, "muscle.shortest is 0.1");
    not(Muscle::Hill(Hill { peak: Peak::Force(-1.0), ..Hill::default() }), "muscle.peak_force is -1");
    not(Muscle::Hill(Hill { peak: Peak::Stress(f64::NAN), ..Hill::default() }), "muscle.peak_stress is NaN");
    not(Muscle::Hill(Hill { optimal_ratio: 0.0, ..Hill::default() }), "muscle.optimal_ratio is 0");
    not(Muscle::Hill(Hill { max_velocity: 0.0, ..Hill::default() }), "muscle.max_velocity is 0");
    not(Muscle::Hill(Hill { pennation: 1.6, ..Hill::default() }), "muscle.pennation is 1.6");
    let stiff = RodsDesc { muscle: Some(HALF), poisson_ratio: 0.0, ..plain };
    assert!(w.add_rods(stiff).unwrap_err().message.contains("poisson_ratio is 0"));
}

/// Beyond their optimal length fibres pull less the longer they are. Edges in a row stay alike there all the same, as this side of the curve is that
/// of the mean
/// length; and what a blow has made unlike becomes more alike again.
#[test]
fn edges_beyond_the_optimal_length_stay_alike() {
    for h in HILLS {
        each(|model, double, iterations| {
            for (edges, to, blow) in [(8, 1.2, 0.0), (8, 1.4, 0.0), (20, 1.2, 0.0), (20, 1.4, 0.0), (8, 1.4, 10.0)] {
                let mut w = World::new(still(double)).unwrap();
                let ends = RodsDesc {
                    root: EndSupport::Pinned,
                    tip: EndSupport::Pinned,
                    stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / 2.9 },
                    iterations,
                    ..flesh(horizontal(edges, 0.1), model, Muscle::Hill(h))
                };
                let id = w.add_rods(ends).unwrap();
                w.rods_mut(id).unwrap().set_activation(|_| 1.0).unwrap();
                let apart = |w: &World| {
                    let all = stretches(w, id);
                    all.iter().fold(0.0f64, |a, b| a.max(*b)) - all.iter().fold(f64::MAX, |a, b| a.min(*b))
                };
                let (to, mut after) = (to * h.optimal_ratio, 0.0);
                for k in 0..180 {
                    let l = 1.0 + (to - 1.0) * (f64::from(k) / 30.0).min(1.0);
                    let tip = Pose { position: [0.1 * l, 0.0, 0.0], ..Pose::IDENTITY };
                    w.rods_mut(id).unwrap().set_tip_poses(|_| tip, false).unwrap();
                    let blow = if k == 40 { blow } else { 0.0 };
                    let on = |i| if i == edges / 2 { [blow, 0.0, 0.0] } else { [0.0; 3] };
                    w.rods_mut(id).unwrap().set_forces(on).unwrap();
                    w.step(1.0 / 60.0, &Inline).unwrap();
                    if k == 45 {
                        after = apart(&w);
                    }
                }
                let (got, apart) = (force(&w, id), apart(&w));
                println!("{model:?} {double} {iterations} {edges} {to}: apart by {apart:.1e}, after the blow by {after:.1e}");
                if blow > 0.0 {
                    assert!(after > 0.05 && apart < 0.9 * after, "{h:?} {model:?} {double} {iterations}: {after}, then {apart}");
                    continue;
                }
                near("active", got.active, hills(&h, 1.0, to, 0.0), 2e-3);
                near("total", got.total, hills(&h, 1.0, to, 0.0) + passive(to, YOUNG), 2e-3);
                assert!(
                    apart < 2e-3 && (apart < after || !double),
                    "{h:?} {model:?} {double} {iterations} {edges} {to}: {after}, then {apart}"
                );
            }
        });
    }
}
