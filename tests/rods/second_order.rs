//! Rods of second order in time (`docs/internals/time.md`): what swings goes on, and nothing gains energy.

use crate::scene::{V3, curl, farthest, momentum, newton_masses, positions, sets, steps};
use crate::tied::{DT, line};
use withy::math::Vec3;
use withy::math::approx::sin_cos;
use withy::math::rng::Rng;
use withy::world::*;

const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

fn world(double_precision: bool, substeps: u32) -> World {
    World::new(WorldDesc { double_precision, substeps, ..WorldDesc::default() }).unwrap()
}

/// Strands of one length, a tenth of a millimetre thick, that nothing damps.
fn hair(strands: &[Vec<V3>], root: EndSupport, model: RodModel, integrator: Integrator) -> RodsDesc {
    RodsDesc {
        positions: strands.concat(),
        counts: strands.iter().map(|s| s.len() as u32).collect(),
        radii: vec![1e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root,
        order: SweepOrder::Direct,
        model,
        integrator,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

fn tip(w: &World, id: Id) -> V3 {
    *positions(w.rods(id).unwrap()).last().map(|p| p.to_array()).as_ref().unwrap()
}

/// Amplitude of the tip in the tenth swing, as a part of that of the start, and the largest strain.
fn ten_swings(w: &mut World, id: Id, of: impl Fn(V3) -> f64) -> (f64, f64) {
    let mut last = of(tip(w, id));
    let start = last.abs();
    let (mut passes, mut peak, mut strain) = (0, 0.0f64, 0.0f64);
    for _ in 0..60 * 20 {
        steps(w, 1, DT);
        let now = of(tip(w, id));
        strain = strain.max(w.stats().largest_strain);
        if now * last < 0.0 {
            passes += 1;
            if passes == 21 {
                return (peak / start, strain);
            }
            peak = 0.0;
        }
        peak = peak.max(now.abs());
        last = now;
    }
    panic!("{passes} passes in 20 s");
}

fn pendulum(double: bool, substeps: u32, model: RodModel, integrator: Integrator) -> (f64, f64) {
    let strand = line([0.0; 3], [0.3 * 0.34, -0.3 * 0.94, 0.0], 17);
    let mut w = world(double, substeps);
    // As stiff as a wire: it swings as a whole.
    let wire = RodsDesc { radii: vec![1e-3], ..hair(&[strand], EndSupport::Pinned, model, integrator) };
    let id = w.add_rods(wire).unwrap();
    ten_swings(&mut w, id, |p| p[0])
}

#[test]
fn a_pendulum_keeps_swinging() {
    for model in MODELS {
        for double in [false, true] {
            let of = |substeps, integrator| pendulum(double, substeps, model, integrator);
            let (first, strain) = of(8, Integrator::First);
            assert!((0.55..0.7).contains(&first), "{model:?}: first order keeps {first}");
            for (substeps, least) in [(1, 0.92), (2, 0.98), (4, 0.995), (8, 0.998)] {
                let (kept, stretched) = of(substeps, Integrator::Second);
                assert!((least..1.003).contains(&kept), "{model:?}, {substeps} substeps, f64 {double}: {kept}");
                if substeps == 8 {
                    assert!(stretched < 1.2 * strain, "{model:?}: strain {stretched:e}, of first order {strain:e}");
                }
            }
        }
    }
}

/// A cantilever that swings in its lowest mode: the shape x² (6 − 4x + x²) of a beam under an even load is that but for 1 %.
fn cantilever(double: bool, substeps: u32, model: RodModel, integrator: Integrator) -> f64 {
    let strand = line([0.0; 3], [0.22, 0.0, 0.0], 17);
    let velocities = strand.iter().map(|p| p[0] / 0.22).map(|x| [0.0, 0.02 * x * x * (6.0 - 4.0 * x + x * x), 0.0]).collect();
    let mut w = world(double, substeps);
    let id =
        w.add_rods(RodsDesc { velocities, sag_free: true, ..hair(&[strand], EndSupport::Clamped, model, integrator) }).unwrap();
    // From the first reversal on.
    let mut most = 0.0f64;
    for _ in 0..60 {
        steps(&mut w, 1, DT);
        most = most.max(tip(&w, id)[1].abs());
    }
    let mut peaks = [0.0f64; 2];
    for frame in 60..600 {
        steps(&mut w, 1, DT);
        let y = tip(&w, id)[1].abs();
        if frame >= 540 {
            peaks[1] = peaks[1].max(y);
        }
    }
    peaks[0] = most;
    peaks[1] / peaks[0]
}

#[test]
fn a_cantilever_keeps_swinging() {
    for model in MODELS {
        for double in [false, true] {
            let first = cantilever(double, 8, model, Integrator::First);
            assert!(first < 0.8, "{model:?}: first order keeps {first}");
            for (substeps, least) in [(2, 0.93), (4, 0.97), (8, 0.97)] {
                let kept = cantilever(double, substeps, model, Integrator::Second);
                assert!((least..1.04).contains(&kept), "{model:?}, {substeps} substeps, f64 {double}: {kept}");
            }
        }
    }
}

/// Where strands are after half a second, in so many substeps of each sixtieth.
fn half_a_second(substeps: u32, rods: RodsDesc) -> Vec<Vec3<f64>> {
    let mut w = world(true, substeps);
    let id = w.add_rods(rods).unwrap();
    steps(&mut w, 30, DT);
    positions(w.rods(id).unwrap())
}

#[test]
fn errors_fall_with_the_square_of_the_substep() {
    // So stiff that it swings as a whole: what else vibrates, no substep here resolves.
    let wire = line([0.0; 3], [0.3 * 0.34, -0.3 * 0.94, 0.0], 17);
    let stiffness = Stiffness::Physical { young: 4e12, shear: 1.6e12 };
    for model in MODELS {
        let of = |n, integrator| {
            let rods = hair(std::slice::from_ref(&wire), EndSupport::Pinned, model, integrator);
            half_a_second(n, RodsDesc { radii: vec![1e-3], stiffness, ..rods })
        };
        let exact = of(64, Integrator::Second);
        let errors = |integrator| [1, 2, 4].map(|n| farthest(&of(n, integrator), &exact));
        let order = |e: [f64; 3]| (e[0] / e[2]).log2() / 2.0;
        let (first, second) = (errors(Integrator::First), errors(Integrator::Second));
        let case = format!("{model:?}: {first:?} {second:?}, orders {} and {}", order(first), order(second));
        assert!(order(second) > 1.75 && order(first) < 1.25, "{case}");
        assert!(second[0] < 0.1 * first[0], "{case}");
    }
}

/// Kinetic and potential energy without the elastic one, J.
fn energy(w: &World, id: Id) -> f64 {
    let (masses, _) = newton_masses(w.rods(id).unwrap());
    masses.iter().map(|(m, x, v)| m * (9.81 * x.y + 0.5 * v.length2())).sum()
}

#[test]
fn a_chain_gains_no_energy() {
    for model in MODELS {
        for double in [false, true] {
            for substeps in [1, 2, 8] {
                let mut w = world(double, substeps);
                let strand = line([0.0; 3], [0.4, 0.0, 0.0], 25);
                let id = w.add_rods(hair(&[strand], EndSupport::Pinned, model, Integrator::Second)).unwrap();
                let start = energy(&w, id);
                let mass: f64 = newton_masses(w.rods(id).unwrap()).0.iter().map(|p| p.0).sum();
                let fall = mass * 9.81 * 0.2;
                let (mut most, mut after) = (f64::MIN, f64::MIN);
                for frame in 0..3600 {
                    steps(&mut w, 1, DT);
                    let e = (energy(&w, id) - start) / fall;
                    most = most.max(e);
                    if frame > 1800 {
                        after = after.max(e);
                    }
                }
                assert!(most < 1e-3, "{model:?}, {substeps} substeps, f64 {double}: gained {most}");
                assert!(after < -0.1, "{model:?}, {substeps} substeps, f64 {double}: {after} half a minute later");
            }
        }
    }
}

/// With the Gauss–Newton form a curl's moment turns along a substep late: it had 3.4 times its energy after a minute of 8 substeps, 128 times after one of 2.
#[test]
fn a_curl_that_hangs_gains_no_energy() {
    for model in MODELS {
        for substeps in [1, 2, 8] {
            let mut w = world(true, substeps);
            let strand: Vec<V3> = (0..=20)
                .map(|i| {
                    let s = f64::from(i) / 20.0;
                    let (sin, cos) = sin_cos(9.0 * s);
                    [0.015 * cos - 0.015, -0.2 * s, 0.015 * sin]
                })
                .collect();
            let velocities = strand.iter().map(|p| 25.0 * p[1] * p[1]).map(|s| [0.03 * s, 0.02 * s, 0.05 * s]).collect();
            let rods = hair(&[strand], EndSupport::Clamped, model, Integrator::Second);
            let stiffness = Stiffness::Physical { young: 1e9, shear: 4e8 };
            let id = w.add_rods(RodsDesc { radii: vec![2e-4], sag_free: true, velocities, stiffness, ..rods }).unwrap();
            let start = momentum(w.rods(id).unwrap()).kinetic;
            let mut parts = [0.0f64; 6];
            for part in &mut parts {
                for _ in 0..600 {
                    steps(&mut w, 1, DT);
                    *part = part.max(momentum(w.rods(id).unwrap()).kinetic / start);
                }
            }
            assert!(parts[0] < 1.02, "{model:?}, {substeps}: {parts:?}");
            assert!(parts.windows(2).all(|p| p[1] < 1.01 * p[0]), "{model:?}, {substeps}: {parts:?}");
            if substeps == 8 {
                assert!(parts[5] > 0.75, "{model:?}: {parts:?}");
            }
        }
    }
}

#[test]
fn what_falls_falls_as_it_should() {
    for double in [false, true] {
        let mut w = world(double, 2);
        let mut rods = hair(&[line([0.0, 5.0, 0.0], [0.2, 5.0, 0.1], 11)], EndSupport::Free, RodModel::Ghost, Integrator::Second);
        let spin = |p: &V3| [-3.0 * (p[2] - 0.05), 1.0, 3.0 * (p[0] - 0.1)];
        (rods.velocities, rods.radii) = (rods.positions.iter().map(spin).collect(), vec![1e-3]);
        let id = w.add_rods(rods).unwrap();
        let before = flight(&w, id);
        steps(&mut w, 60, DT);
        let after = flight(&w, id);
        // The first substep is of first order: ½ g h² too low.
        let expected = before[0].y + before[1].y - 0.5 * 9.81;
        assert!((after[0].y - expected).abs() < 0.6 * 9.81 / 120.0 / 120.0, "{} {expected}", after[0].y);
        assert!((after[1].y - (before[1].y - 9.81)).abs() < 1e-4, "{:?}", after[1]);
        let turned = (after[2] - before[2]).length() / before[2].length();
        assert!(turned < 1e-3, "{turned:e}");
    }
}

/// Centre of mass, its velocity, and the angular momentum about it, of one strand.
fn flight(w: &World, id: Id) -> [Vec3<f64>; 3] {
    let (masses, turning) = newton_masses(w.rods(id).unwrap());
    let all: f64 = masses.iter().map(|p| p.0).sum();
    let mean = |f: &dyn Fn(usize) -> Vec3<f64>| (0..masses.len()).fold(Vec3::zero(), |a, i| a + f(i) * (masses[i].0 / all));
    let (x, v) = (mean(&|i| masses[i].1), mean(&|i| masses[i].2));
    [x, v, mean(&|i| (masses[i].1 - x).cross(masses[i].2)) * all + turning]
}

#[test]
fn a_rest_pose_is_the_same() {
    // In wind, with drag and a force on the tip.
    for model in MODELS {
        let end = |integrator| {
            let mut w = world(true, 4);
            let rods = hair(&[line([0.0; 3], [0.2, 0.0, 0.0], 13)], EndSupport::Clamped, model, integrator);
            let id = w.add_rods(RodsDesc { drag: 5.0, damping: 5.0, wind: [0.0, 0.0, 3.0], ..rods }).unwrap();
            w.rods_mut(id).unwrap().set_forces(|i| if i == 12 { [0.0, 2e-6, 0.0] } else { [0.0; 3] }).unwrap();
            steps(&mut w, 1200, DT);
            positions(w.rods(id).unwrap())
        };
        let off = farthest(&end(Integrator::Second), &end(Integrator::First));
        assert!(off < 1e-7, "{model:?}: {off:e}");
    }
}

#[test]
fn what_drifts_goes_at_its_velocity() {
    // Half of what drag took in a substep was missing from the way of what the wind carries: 9 % at this drag.
    let (dt, drag, wind) = (1.0 / 24.0, 40.0, [0.0, 0.0, 3.0]);
    for model in MODELS {
        for (double, bound) in [(false, 2e-5), (true, 1e-9)] {
            let mut w = World::new(WorldDesc { double_precision: double, substeps: 8, ..WorldDesc::default() }).unwrap();
            let rods = hair(&[line([0.0; 3], [0.2, 0.0, 0.0], 13)], EndSupport::Free, model, Integrator::Second);
            let id = w.add_rods(RodsDesc { drag, wind, ..rods }).unwrap();
            steps(&mut w, 24, dt);
            let before = flight(&w, id);
            steps(&mut w, 24, dt);
            let after = flight(&w, id);
            let way = (after[0] - before[0]) * (1.0 / (24.0 * dt));
            let fall = Vec3 { x: 0.0, y: -9.81 / drag * (1.0 + dt / 8.0 * drag), z: 3.0 };
            println!("{model:?} f64 {double}: way {way:?}, velocity {:?}", after[1]);
            assert!((way - after[1]).length() < bound, "{model:?} f64 {double}: {way:?} {:?}", after[1]);
            assert!((after[1] - fall).length() < bound.max(1e-6), "{model:?} f64 {double}: {:?} {fall:?}", after[1]);
        }
    }
}

/// A head that is shaken by 70 degrees twice a second, with hair of 16 vertices and, maybe, a skull. Largest strain, fastest vertex, and the fastest after a
/// second of rest.
fn shaken(double: bool, substeps: u32, model: RodModel, integrator: Integrator, skull: bool) -> [f64; 3] {
    let strands: Vec<Vec<V3>> = (0..32)
        .map(|k| {
            let (z, x) = sin_cos(0.4 * f64::from(k));
            line([0.09 * x, 0.0, 0.09 * z], [0.13 * x, -0.2, 0.13 * z], 16)
        })
        .collect();
    let mut w = world(double, substeps);
    if skull {
        let ball = Shape::Sphere { radius: 0.088 };
        let pose = Pose { position: [0.0, -0.03, 0.0], ..Pose::IDENTITY };
        w.add_collider(ColliderDesc { shape: ball, pose, ..ColliderDesc::default() }).unwrap();
    }
    let rods = hair(&strands, EndSupport::Clamped, model, integrator);
    let id = w.add_rods(RodsDesc { sag_free: true, drag: 2.0, ..rods }).unwrap();
    let mut out = [0.0f64; 3];
    for frame in 1..=180 {
        let t = (f64::from(frame) * DT).min(2.0);
        let angle = 1.2 * sin_cos(std::f64::consts::TAU * 2.0 * t).0;
        let ((sin, cos), (half, rest)) = (sin_cos(angle), sin_cos(0.5 * angle));
        let pose = |s: usize| {
            let p = strands[s][0];
            Pose { position: [cos * p[0] + sin * p[2], p[1], cos * p[2] - sin * p[0]], rotation: [0.0, half, 0.0, rest] }
        };
        w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
        steps(&mut w, 1, DT);
        out[0] = out[0].max(w.stats().largest_strain);
        let mut fastest = 0.0f64;
        w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(Vec3::from(v).length()));
        out[1] = out[1].max(fastest);
        out[2] = if frame > 170 { out[2].max(fastest) } else { 0.0 };
        assert_eq!(w.stats().non_finite_strands, 0);
    }
    out
}

#[test]
fn hair_is_shaken_as_well_as_in_first_order() {
    for model in MODELS {
        for double in [false, true] {
            for skull in [false, true] {
                let [strain, fastest, _] = shaken(double, 8, model, Integrator::First, skull);
                let [stretched, speed, late] = shaken(double, 8, model, Integrator::Second, skull);
                let case = format!(
                    "{model:?}, f64 {double}, skull {skull}: strain {strain:e} {stretched:e}, speed {fastest} {speed} {late}"
                );
                assert!(stretched < 1.5 * strain + 2e-3, "{case}");
                assert!(speed < 1.5 * fastest, "{case}");
                assert!(late < 0.4 * speed, "{case}");
            }
        }
    }
}

#[test]
fn an_impact_throws_nothing_back() {
    for model in MODELS {
        for substeps in [1, 4] {
            let mut w = world(false, substeps);
            w.add_collider(ColliderDesc { friction: 0.5, ..ColliderDesc::default() }).unwrap();
            let rods = hair(&[line([0.0, 0.3, 0.0], [0.2, 0.3, 0.02], 11)], EndSupport::Free, model, Integrator::Second);
            let id = w.add_rods(RodsDesc { radii: vec![1e-3], collision_radius: 5e-3, ..rods }).unwrap();
            let mut fallen = false;
            let mut highest = 0.0f64;
            for _ in 0..240 {
                steps(&mut w, 1, DT);
                let top = positions(w.rods(id).unwrap()).iter().fold(f64::MIN, |top, p| top.max(p.y));
                let low = positions(w.rods(id).unwrap()).iter().fold(f64::MAX, |low, p| low.min(p.y));
                fallen |= top < 0.02;
                assert!(low > -2e-3, "{model:?}, {substeps}: {low} below the floor");
                highest = if fallen { highest.max(top) } else { 0.0 };
            }
            assert!(fallen && highest < 0.02, "{model:?}, {substeps}: {highest} after it had fallen");
        }
    }
}

/// Stiff strands on all sides of a ball that strikes them and leaves them again: their largest strain, which is that of those whose roots it covers.
fn struck(model: RodModel, integrator: Integrator, radius: f64, young: f64, seed: u64, speed: f64) -> f64 {
    let mut w = world(false, 2);
    let ball = Shape::Sphere { radius: 0.05 };
    let ball = w.add_collider(ColliderDesc { shape: ball, friction: 0.5, ..ColliderDesc::default() }).unwrap();
    let mut rng = Rng::new(seed);
    let strands: Vec<Vec<V3>> = (0..128)
        .map(|_| {
            let direction = Vec3::from([0; 3].map(|_| rng.range(-1.0, 1.0)));
            let root = Vec3::from([0; 3].map(|_| rng.range(-1.0, 1.0)));
            let root = root * (0.056 / root.length());
            let along = root * (0.2 / root.length()) + direction * (1.0 / direction.length());
            line(root.to_array(), (root + along * (0.07 / along.length())).to_array(), 16)
        })
        .collect();
    let rods = hair(&strands, EndSupport::Clamped, model, integrator);
    let stiffness = Stiffness::Physical { young, shear: 0.4 * young };
    w.add_rods(RodsDesc { radii: vec![radius], stiffness, drag: 3.0, damping: 4.0, ..rods }).unwrap();
    let mut largest = 0.0f64;
    for frame in 0..120 {
        let t = f64::from(frame) * speed;
        let at = [0.03 * sin_cos(t).0, 0.03 * sin_cos(1.3 * t).0, 0.03 * sin_cos(0.7 * t).0];
        w.set_collider_pose(ball, Pose { position: at, ..Pose::IDENTITY }, false).unwrap();
        steps(&mut w, 1, DT);
        largest = largest.max(w.stats().largest_strain);
    }
    largest
}

/// Their true Hessians threw strands to 30 to 1,000 times their length, with ghost points in steps of second order, without them in both.
#[test]
fn what_a_collider_lets_go_is_not_thrown() {
    for (radius, young, speed, seed) in [(1.2e-3, 6e8, 0.2, 1), (1.2e-3, 6e8, 0.5, 2), (3e-4, 4e9, 0.2, 2), (1e-4, 6e8, 0.5, 1)] {
        let first = struck(RodModel::Ghost, Integrator::First, radius, young, seed, speed);
        for model in MODELS {
            for integrator in [Integrator::First, Integrator::Second] {
                let strain = struck(model, integrator, radius, young, seed, speed);
                assert!(strain < 1.4 * first, "{model:?} {integrator:?} {radius} {young} {speed}: {strain}, {first}");
            }
        }
    }
}

/// Hair of several lengths on a head that turns, over a ball.
fn groom(isa: Option<withy::math::Isa>, double_precision: bool, model: RodModel, runner: &dyn TaskRunner) -> (World, Id) {
    let mut w = World::new(WorldDesc { isa, double_precision, substeps: 3, ..WorldDesc::default() }).unwrap();
    let ball = ColliderDesc { shape: Shape::Sphere { radius: 0.1 }, ..ColliderDesc::default() };
    w.add_collider(ColliderDesc { pose: Pose { position: [0.0, -0.3, 0.0], ..Pose::IDENTITY }, ..ball }).unwrap();
    let strands: Vec<Vec<V3>> = (0..41).map(|s| curl(3 + s % 11, s as f64)).collect();
    let roots: Vec<V3> = strands.iter().map(|s| s[0]).collect();
    let rods = hair(&strands, EndSupport::Clamped, model, Integrator::Second);
    let id = w.add_rods(RodsDesc { drag: 1.0, damping: 2.0, viscosity: 1e-3, ..rods }).unwrap();
    for frame in 0..20 {
        turn(&mut w, id, &roots, frame);
        w.step(DT, runner).unwrap();
    }
    (w, id)
}

fn turn(w: &mut World, id: Id, roots: &[V3], frame: u32) {
    let (sin, cos) = sin_cos(0.4 * sin_cos(0.3 * f64::from(frame)).0);
    let pose = |s: usize| Pose { position: roots[s], rotation: [0.0, sin, 0.0, cos] };
    w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
}

#[test]
fn bits_do_not_depend_on_threads_and_instruction_sets() {
    for model in MODELS {
        for double in [false, true] {
            let hash = groom(None, double, model, &Inline).0.state_hash();
            for isa in sets() {
                assert_eq!(groom(Some(isa), double, model, &Inline).0.state_hash(), hash, "{model:?} {isa:?}");
            }
            for threads in [2, 8] {
                let pool = Pool::new(threads).unwrap();
                assert_eq!(groom(None, double, model, &pool).0.state_hash(), hash, "{model:?}, {threads} threads");
            }
        }
    }
}

/// Lanes of a block go as far as its longest strand: behind the tip of a shorter one there is no edge that could turn.
#[test]
fn a_strand_beside_longer_ones_moves_as_alone() {
    for model in MODELS {
        for double in [false, true] {
            let moved = |strands: &[Vec<V3>]| {
                let mut w = world(double, 2);
                let id = w.add_rods(hair(strands, EndSupport::Pinned, model, Integrator::Second)).unwrap();
                steps(&mut w, 20, DT);
                positions(w.rods(id).unwrap()).iter().map(|p| p.to_array().map(f64::to_bits)).collect::<Vec<_>>()
            };
            let short = [curl(4, 0.0), curl(9, 1.0)];
            let [first, second] = [&short[..1], &short[1..]].map(moved);
            let beside = moved(&[curl(23, 2.0), short[0].clone(), short[1].clone()]);
            assert_eq!(beside[24..29], first, "{model:?}, f64 {double}");
            assert_eq!(beside[29..], second, "{model:?}, f64 {double}");
        }
    }
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    for double in [false, true] {
        let (mut w, id) = groom(None, double, RodModel::Ghost, &Inline);
        let mut state = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut state).unwrap();
        steps(&mut w, 10, DT);
        let end = w.state_hash();
        w.restore_state(&state).unwrap();
        steps(&mut w, 10, DT);
        assert_eq!(w.state_hash(), end);
        // Another acceleration is another state.
        w.restore_state(&state).unwrap();
        let mut velocities = Vec::new();
        w.rods(id).unwrap().read_velocities(|_, v| velocities.push(v));
        w.rods_mut(id).unwrap().write_velocities(|i| velocities[i]).unwrap();
        steps(&mut w, 10, DT);
        assert_ne!(w.state_hash(), end);
    }
}

#[test]
fn what_cannot_be_of_second_order_says_why() {
    let mut w = world(false, 8);
    let good = hair(&[line([0.0; 3], [0.1, 0.0, 0.0], 5)], EndSupport::Clamped, RodModel::Ghost, Integrator::Second);
    let mut refused = |rods: RodsDesc, what: &str| {
        let error = w.add_rods(rods).unwrap_err().to_string();
        assert!(error.contains("WITHY_INTEGRATOR_SECOND_ORDER") && error.contains(what), "{error}");
    };
    refused(RodsDesc { order: SweepOrder::Alternating, ..good.clone() }, "order is Alternating");
    refused(RodsDesc { poisson_ratio: 0.4, ..good.clone() }, "poisson_ratio is 0.4");
    refused(RodsDesc { strands_per_bundle: 1, ..good.clone() }, "strands_per_bundle is 1");
    let auto = RodsDesc { integrator: Integrator::Auto, ..good };
    for (rods, becomes) in [
        (RodsDesc { order: SweepOrder::Alternating, ..auto.clone() }, Integrator::First),
        (RodsDesc { poisson_ratio: 0.4, ..auto.clone() }, Integrator::First),
        (RodsDesc { strands_per_bundle: 1, ..auto.clone() }, Integrator::First),
        (RodsDesc { integrator: Integrator::First, ..auto.clone() }, Integrator::First),
        (auto, Integrator::Second),
    ] {
        let id = w.add_rods(rods).unwrap();
        assert_eq!(w.rods(id).unwrap().integrator(), becomes);
    }
}

/// Hair that falls from all heights and swings is stretched no more than twice as far as in first order, and is no faster.
#[test]
fn hair_that_falls_stretches_as_in_first_order() {
    let strand = |k: usize| {
        let (n, length) = (8 + k % 25, 0.1 + 0.3 * ((k * 37) % 101) as f64 / 100.0);
        let (sin, cos) = sin_cos(1.2 * (((k * 53) % 89) as f64 / 88.0 - 0.3));
        line([0.0, 0.0, k as f64], [cos * length, sin * length, k as f64], n)
    };
    let strands: Vec<Vec<V3>> = (0..64).map(strand).collect();
    for model in MODELS {
        for substeps in [2, 8] {
            let [first, second] = [Integrator::First, Integrator::Second].map(|integrator| {
                let mut w = world(false, substeps);
                let rods = RodsDesc { radii: vec![4e-5], ..hair(&strands, EndSupport::Clamped, model, integrator) };
                let id = w.add_rods(rods).unwrap();
                let (mut strain, mut fastest) = (0.0f64, 0.0f64);
                for _ in 0..90 {
                    steps(&mut w, 1, DT);
                    strain = strain.max(w.stats().largest_strain);
                    w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(Vec3::from(v).length()));
                }
                [strain, fastest]
            });
            println!("{model:?}, {substeps} substeps: {first:?} {second:?}");
            assert!(second[0] < 2.0 * first[0] && second[1] < 1.2 * first[1], "{model:?} {substeps}: {first:?} {second:?}");
        }
    }
}
