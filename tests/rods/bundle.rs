//! Bundles: strands side by side whose sections move as one.

use crate::scene::*;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::*;

const RADIUS: f64 = 0.005;
const YOUNG: f64 = 1e6;
const NU: f64 = 0.45;
const SHEAR: f64 = YOUNG / (2.0 * (1.0 + NU));
const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

fn cases() -> impl Iterator<Item = (RodModel, bool)> {
    MODELS.into_iter().flat_map(|m| [(m, true), (m, false)])
}

/// One strand, and six around it.
fn hexagon() -> Vec<[f64; 2]> {
    let around = (0..6).map(|k| {
        let a = core::f64::consts::PI / 3.0 * f64::from(k);
        [2.0 * RADIUS * a.cos(), 2.0 * RADIUS * a.sin()]
    });
    core::iter::once([0.0; 2]).chain(around).collect()
}

/// Strands along x at these places in the section.
fn bundle(places: &[[f64; 2]], edges: usize, length: f64) -> RodsDesc {
    let along = |&[y, z]: &[f64; 2]| (0..=edges).map(move |i| [length * i as f64 / edges as f64, y, z]);
    RodsDesc {
        positions: places.iter().flat_map(along).collect(),
        counts: vec![edges as u32 + 1; places.len()],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: YOUNG, shear: SHEAR },
        order: SweepOrder::Direct,
        strands_per_bundle: places.len() as u32,
        // What sleeps is not at rest to the last digit.
        can_sleep: false,
        ..RodsDesc::default()
    }
}

fn world(double: bool, gravity: f64, substeps: u32) -> World {
    World::new(WorldDesc { gravity: [0.0, -gravity, 0.0], double_precision: double, substeps, ..WorldDesc::default() }).unwrap()
}

fn area() -> f64 {
    core::f64::consts::PI * RADIUS * RADIUS
}

/// Where the tips of a cantilever rest under its own weight, below their roots.
fn sag(desc: RodsDesc, double: bool, g: f64, [drag, seconds]: [f64; 2]) -> (f64, u32) {
    let (strands, edges) = (desc.counts.len(), desc.counts[0] as usize - 1);
    let mut w = world(double, g, 8);
    let id = w.add_rods(RodsDesc { root: EndSupport::Clamped, drag, ..desc }).unwrap();
    steps(&mut w, (60.0 * seconds) as usize, 1.0 / 60.0);
    let x = positions(w.rods(id).unwrap());
    let of = |s: usize| x[s * (edges + 1)].y - x[s * (edges + 1) + edges].y;
    ((0..strands).map(of).sum::<f64>() / strands as f64, w.bundle_products())
}

/// The tip of a cantilever under its own weight: w L⁴/8EI, and what shear adds, w L²/2GA, where the deflection is small.
#[test]
fn a_hard_bundle_bends_as_the_beam_that_its_strands_make() {
    let (length, g) = (0.5, 0.05);
    for model in MODELS {
        for (double, edges) in [(true, 50), (true, 100), (false, 50)] {
            let (got, products) = sag(RodsDesc { model, ..bundle(&hexagon(), edges, length) }, double, g, [5.0, 6.0]);
            // A clamp of discrete elastic rods holds the first edge, and with it two sections.
            let held = if model == RodModel::Der { length / edges as f64 } else { 0.0 };
            let ei = 13.75 * YOUNG * area() * RADIUS * RADIUS;
            let weight = 7.0 * area() * 1000.0 * g;
            let reach = length - held;
            let expected = weight * reach.powi(4) / (8.0 * ei) + weight * reach * reach / (2.0 * 7.0 * SHEAR * area());
            println!("{model:?} {double} {edges}: {got:.6e} of {expected:.6e}, {:.4}; {products} products", got / expected);
            assert!((got / expected - 1.0).abs() < 0.01, "{model:?} {double} {edges}: {got} for {expected}");
        }
    }
}

#[test]
fn what_starts_at_rest_stays_there() {
    for (model, double) in cases() {
        for (nu, stiffness) in [(0.0, f64::INFINITY), (NU, f64::INFINITY), (NU, 1e4)] {
            let mut w = world(double, 0.0, 8);
            let desc = RodsDesc { model, poisson_ratio: nu, bundle_stiffness: stiffness, ..bundle(&hexagon(), 20, 0.2) };
            let id = w.add_rods(desc).unwrap();
            let before = positions(w.rods(id).unwrap());
            steps(&mut w, 60, 1.0 / 60.0);
            let moved = positions(w.rods(id).unwrap()).iter().zip(&before).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            println!("{model:?} {double} {nu} {stiffness}: {moved:e}");
            assert!(moved < if double { 1e-12 } else { 1e-6 }, "{model:?} {double} {nu}: {moved}");
        }
    }
}

fn read(w: &World, id: Id) -> (Vec<f64>, Vec<(Pose, f64)>, f64) {
    let (mut scales, mut sections, mut volume) = (Vec::new(), Vec::new(), 0.0);
    let rods = w.rods(id).unwrap();
    rods.read_scales(|_, s| scales.push(s));
    rods.read_sections(|_, pose, s| sections.push((pose, s)));
    rods.read_bundle_volumes(|_, v| volume = v);
    (scales, sections, volume)
}

/// A bundle between ends that go apart or together; sections at the ends come to `size`.
fn drawn(desc: RodsDesc, double: bool, l: f64, length: f64, size: f64) -> (World, Id) {
    let mut w = world(double, 0.0, 8);
    let n = desc.counts[0] as usize;
    let places: Vec<V3> = desc.positions.chunks(n).map(|s| s[0]).collect();
    let id = w.add_rods(RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 30.0, ..desc }).unwrap();
    for frame in 1..=150 {
        let part = (f64::from(frame) / 30.0).min(1.0);
        let size = 1.0 + (size - 1.0) * part;
        let at = |k: usize, x: f64| Pose { position: [x, size * places[k][1], size * places[k][2]], ..Pose::IDENTITY };
        w.rods_mut(id).unwrap().set_root_poses(|k| at(k, 0.0), false).unwrap();
        w.rods_mut(id).unwrap().set_tip_poses(|k| at(k, length * (1.0 + (l - 1.0) * part)), false).unwrap();
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    (w, id)
}

/// Scale, force and volume are those of one rod of that stretch.
#[test]
fn a_bundle_that_is_stretched_is_a_rod_that_is() {
    let l = 1.5;
    let one = |desc: RodsDesc, double: bool, size: f64| {
        let (w, id) = drawn(desc, double, l, 0.4, size);
        let mut tension = Vec::new();
        w.rods(id).unwrap().read_forces(|_, t| tension.push(t));
        let (scales, sections, volume) = read(&w, id);
        (scales, tension, sections, volume)
    };
    for (model, double) in cases() {
        let alone = RodsDesc { model, poisson_ratio: NU, strands_per_bundle: 0, ..bundle(&[[0.0; 2]], 40, 0.4) };
        let (scale, force, _, _) = one(alone, double, 1.0);
        for stiffness in [f64::INFINITY, 1e6] {
            let desc = RodsDesc { model, poisson_ratio: NU, bundle_stiffness: stiffness, ..bundle(&hexagon(), 40, 0.4) };
            let (all, forces, sections, volume) = one(desc, double, scale[20]);
            println!(
                "{model:?} {double} {stiffness}: s {:.6} of {:.6}, force {:.5} of {:.5}, section {:.6}, volume {volume:.5}",
                all[20], scale[20], forces[20], force[20], sections[20].1
            );
            for s in 0..7 {
                assert!(
                    (all[40 * s + 20] / scale[20] - 1.0).abs() < 1e-3,
                    "{model:?} {double} {stiffness}: {}",
                    all[40 * s + 20]
                );
                assert!((forces[40 * s + 20] / force[20] - 1.0).abs() < 2e-3, "{model:?} {double} {stiffness}");
            }
            assert!((sections[20].1 / scale[20] - 1.0).abs() < 1e-3);
        }
    }
}

/// Figures 9 and 10 of the paper: neighbours touch as before where sections grow with the strands; else they overlap or gape.
#[test]
fn distances_between_strands_follow_their_radii() {
    for (scales, l, low, high) in
        [(true, 1.5, 0.99, 1.01), (true, 0.8, 0.99, 1.01), (false, 1.5, 1.15, 1.3), (false, 0.8, 0.85, 0.95)]
    {
        // So short that it does not buckle.
        let desc = RodsDesc { poisson_ratio: NU, bundle_scales: scales, ..bundle(&hexagon(), 8, 0.04) };
        let (w, id) = drawn(desc, true, l, 0.04, 1.0);
        let x = positions(w.rods(id).unwrap());
        let mut radii = Vec::new();
        w.rods(id).unwrap().read_radii(|_, r| radii.push(r));
        let (a, b) = (4, 9 + 4);
        let ratio = (x[a] - x[b]).length() / (radii[a] + radii[b]);
        println!("{scales} {l}: {ratio:.5}");
        assert!((low..high).contains(&ratio), "{scales} {l}: {ratio}");
    }
}

/// A bundle of one strand is that strand.
#[test]
fn one_strand_is_what_it_is_alone() {
    for (model, double) in cases() {
        for nu in [0.0, NU] {
            let desc = RodsDesc { model, poisson_ratio: nu, ..bundle(&[[0.0; 2]], 30, 0.3) };
            let alone = sag(RodsDesc { strands_per_bundle: 0, ..desc.clone() }, double, 1.0, [10.0, 10.0]).0;
            let bundled = sag(desc, double, 1.0, [10.0, 10.0]).0;
            println!("{model:?} {double} {nu}: {bundled:.6} of {alone:.6}");
            // What is left is the shear of its section.
            assert!((bundled / alone - 1.0).abs() < 5e-3, "{model:?} {double} {nu}: {bundled} for {alone}");
        }
    }
}

/// Strands in a row bend across it as each alone, and along it as a plank does.
#[test]
fn strands_in_a_row_have_two_stiffnesses() {
    let (length, g) = (0.5, 0.02);
    for (model, double) in cases() {
        for (places, sum) in [
            ([[0.0, -2.0], [0.0, 0.0], [0.0, 2.0]], 0.75),
            ([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]], 8.75),
            ([[2.0, 0.0], [0.0, 0.0], [-2.0, 0.0]], 8.75),
        ] {
            let places = places.map(|p: [f64; 2]| p.map(|c| c * RADIUS));
            let (got, _) = sag(RodsDesc { model, ..bundle(&places, 50, length) }, double, g, [2.0, 14.0]);
            let weight = 3.0 * area() * 1000.0 * g;
            let ei = sum * YOUNG * area() * RADIUS * RADIUS;
            // As above; of a strand by itself, half of that edge.
            let held = if model == RodModel::Der { length / 50.0 * if sum < 1.0 { 0.5 } else { 1.0 } } else { 0.0 };
            let reach = length - held;
            let expected = weight * reach.powi(4) / (8.0 * ei) + weight * reach * reach / (6.0 * SHEAR * area());
            println!("{model:?} {double} {sum}: {:.4}", got / expected);
            assert!((got / expected - 1.0).abs() < 0.015, "{model:?} {double} {sum}: {got} for {expected}");
        }
    }
}

/// Two strands that are pulled apart: each leaves its place by force over stiffness.
#[test]
fn a_soft_bundle_gives_by_force_over_stiffness() {
    for (model, double) in cases() {
        let (length, edges, stiffness) = (0.3, 30, 2e3);
        let mut w = world(double, 0.0, 8);
        let desc = RodsDesc {
            model,
            bundle_stiffness: stiffness,
            drag: 20.0,
            ..bundle(&[[RADIUS, 0.0], [-RADIUS, 0.0]], edges, length)
        };
        let id = w.add_rods(desc).unwrap();
        let per = 0.5;
        let of = |i: usize| {
            let v = i % (edges + 1);
            let half = if v == 0 || v == edges { 0.5 } else { 1.0 };
            [0.0, if i <= edges { per } else { -per } * half * length / edges as f64, 0.0]
        };
        w.rods_mut(id).unwrap().set_forces(of).unwrap();
        steps(&mut w, 240, 1.0 / 60.0);
        let x = positions(w.rods(id).unwrap());
        let apart = x[edges / 2].y - x[edges + 1 + edges / 2].y - 2.0 * RADIUS;
        let expected = 2.0 * per / stiffness;
        println!("{model:?} {double}: {apart:.6e} of {expected:.6e}");
        assert!((apart / expected - 1.0).abs() < 2e-3, "{model:?} {double}: {apart} for {expected}");
    }
}

/// A bundle that turns, swells and wriggles in flight.
#[test]
fn both_momenta_are_kept() {
    for (model, double) in cases() {
        for (nu, stiffness) in [(0.0, f64::INFINITY), (NU, f64::INFINITY), (NU, 1e4)] {
            let mut w = world(double, 0.0, 8);
            let desc = bundle(&hexagon(), 20, 0.2);
            let velocities = desc
                .positions
                .iter()
                .enumerate()
                .map(|(i, x)| [1.0 - 3.0 * x[1] + 0.1 * (0.3 * i as f64).sin(), 0.5 + 3.0 * x[0], 0.2 * (0.2 * i as f64).cos()])
                .collect();
            let desc = RodsDesc { model, poisson_ratio: nu, bundle_stiffness: stiffness, velocities, ..desc };
            let id = w.add_rods(desc).unwrap();
            let momenta = |w: &World| {
                let (points, turning) = newton_masses(w.rods(id).unwrap());
                let linear = points.iter().fold(vec3(0.0, 0.0, 0.0), |sum, p| sum + p.2 * p.0);
                let angular = points.iter().fold(turning, |sum, p| sum + p.1.cross(p.2) * p.0);
                (linear, angular)
            };
            let before = momenta(&w);
            steps(&mut w, 60, 1.0 / 60.0);
            let after = momenta(&w);
            let off = (after.0 - before.0).length() / before.0.length();
            let turn = (after.1 - before.1).length() / before.1.length();
            println!("{model:?} {double} {nu} {stiffness}: linear {off:.1e}, angular {turn:.1e}");
            assert!(off < if double { 1e-11 } else { 1e-4 }, "{model:?} {double} {nu}: {off}");
            assert!(turn < if double { 2e-3 } else { 5e-3 }, "{model:?} {double} {nu}: {turn}");
            assert_eq!(w.stats().non_finite_strands, 0);
        }
    }
}

/// Three strands of edges six times as long as thick, at rest. (What gave them back their momentum did not know that their edges have inertia about
/// themselves: they turned by 3° in half a second.)
#[test]
fn a_bundle_falls_without_turning() {
    for (model, double) in cases() {
        let strand = |[x, z]: [f64; 2]| (0..9).map(move |v| [x, 0.0375 * v as f64, z]);
        let positions: Vec<[f64; 3]> = [[0.0, 0.0], [0.012, 0.0], [0.0, 0.012]].into_iter().flat_map(strand).collect();
        let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
        let desc = RodsDesc {
            model,
            positions: positions.clone(),
            counts: vec![9; 3],
            radii: vec![0.006],
            stiffness: Stiffness::Physical { young: 6e4, shear: 2e4 },
            poisson_ratio: 0.499,
            strands_per_bundle: 3,
            bundle_stiffness: 1e5,
            ..RodsDesc::default()
        };
        let id = w.add_rods(desc).unwrap();
        steps(&mut w, 30, 1.0 / 60.0);
        let mut fell = Vec::new();
        w.rods(id).unwrap().read_positions(|i, p| fell.push([0, 1, 2].map(|k| p[k] - positions[i][k])));
        let off = fell.iter().map(|p| p[0].abs().max(p[2].abs()).max((p[1] - fell[0][1]).abs())).fold(0.0, f64::max);
        println!("{model:?} {double}: {off:.1e}");
        assert!(fell[0][1] < -0.8 && off < if double { 1e-12 } else { 2e-5 }, "{model:?} {double}: {off}");
    }
}

/// Several bundles of two lengths that swing over a floor.
fn swinging(double: bool, model: RodModel, nu: f64, isa: Option<withy::math::Isa>) -> World {
    let mut w = World::new(WorldDesc { double_precision: double, isa, ..WorldDesc::default() }).unwrap();
    let floor = Pose { position: [0.0, -0.12, 0.0], ..Pose::IDENTITY };
    w.add_collider(ColliderDesc { pose: floor, ..ColliderDesc::default() }).unwrap();
    let (mut positions, mut counts) = (Vec::new(), Vec::new());
    for k in 0..6 {
        let desc = bundle(&hexagon()[..5], 12 + k % 2 * 5, 0.2);
        positions.extend(desc.positions.iter().map(|x| [x[0], x[1], x[2] + 0.1 * k as f64]));
        counts.extend(desc.counts);
    }
    let desc =
        RodsDesc { model, positions, counts, poisson_ratio: nu, root: EndSupport::Clamped, ..bundle(&hexagon()[..5], 1, 1.0) };
    w.add_rods(desc).unwrap();
    w
}

#[test]
fn the_same_bits_on_threads_and_from_a_saved_state() {
    for (model, double) in cases() {
        let nu = if double { NU } else { 0.0 };
        let run = |runner: &dyn TaskRunner| {
            let mut w = swinging(double, model, nu, None);
            (0..20).for_each(|_| w.step(1.0 / 60.0, runner).unwrap());
            let mut bytes = vec![0; w.save_state(&mut []).unwrap()];
            w.save_state(&mut bytes).unwrap();
            (0..20).for_each(|_| w.step(1.0 / 60.0, runner).unwrap());
            assert_eq!(w.stats().non_finite_strands, 0);
            (w.state_hash(), bytes)
        };
        let alone = run(&Inline);
        assert!(run(&Pool::new(8).unwrap()) == alone, "{model:?} {double}");
        let mut again = swinging(double, model, nu, None);
        again.restore_state(&alone.1).unwrap();
        (0..20).for_each(|_| again.step(1.0 / 60.0, &Inline).unwrap());
        assert_eq!(again.state_hash(), alone.0, "{model:?} {double}");
    }
}

#[test]
fn the_same_bits_in_every_width() {
    for (model, double) in cases() {
        let hash = |isa| {
            let mut w = swinging(double, model, NU, Some(isa));
            steps(&mut w, 20, 1.0 / 60.0);
            w.state_hash()
        };
        let all: Vec<u64> = sets().map(hash).collect();
        assert!(all.windows(2).all(|h| h[0] == h[1]), "{model:?} {double}: {all:x?}");
    }
}

/// What is described wrongly is refused with its name and value.
#[test]
fn what_cannot_be_bundled_is_refused() {
    let refused = |desc: RodsDesc| world(false, 0.0, 8).add_rods(desc).unwrap_err().to_string();
    let plain = || bundle(&hexagon(), 4, 0.1);
    let why = refused(RodsDesc { strands_per_bundle: 3, ..plain() });
    assert!(why.contains("strands_per_bundle is 3") && why.contains("7 strands"), "{why}");
    for k in [-1.0, 0.0, f64::NAN, f64::NEG_INFINITY, 1e20] {
        let why = refused(RodsDesc { bundle_stiffness: k, ..plain() });
        assert!(why.contains("bundle_stiffness is"), "{k}: {why}");
    }
    let mut uneven = plain();
    uneven.counts[2] -= 1;
    uneven.counts[3] += 1;
    let why = refused(uneven);
    assert!(why.contains("counts[2] is 4") && why.contains("counts[0]"), "{why}");
    let why = refused(RodsDesc { order: SweepOrder::Alternating, ..plain() });
    assert!(why.contains("strands_per_bundle is 7") && why.contains("order is Alternating"), "{why}");
    let why = refused(RodsDesc { aspect: 0.5, ..plain() });
    assert!(why.contains("aspect is 0.5"), "{why}");
}

/// A bundle that falls flat comes to rest on the floor, its lowest strands at their radius.
#[test]
fn a_bundle_comes_to_rest_on_a_floor() {
    for (model, double) in cases() {
        for stiffness in [f64::INFINITY, 1e5] {
            let mut w = world(double, 9.81, 8);
            w.add_collider(ColliderDesc::default()).unwrap();
            let mut desc =
                RodsDesc { model, poisson_ratio: NU, bundle_stiffness: stiffness, damping: 5.0, ..bundle(&hexagon(), 20, 0.2) };
            // Two strands below.
            let raised = 2.0 * RADIUS * 0.75f64.sqrt() + 2.0 * RADIUS;
            desc.positions.iter_mut().for_each(|x| *x = [x[0], x[2] + raised, x[1]]);
            let id = w.add_rods(desc).unwrap();
            steps(&mut w, 240, 1.0 / 60.0);
            let x = positions(w.rods(id).unwrap());
            let low = x.iter().map(|x| x.y).fold(f64::MAX, f64::min);
            let mut fast = 0.0f64;
            w.rods(id).unwrap().read_velocities(|_, v| fast = fast.max(Vec3::from(v).length()));
            println!(
                "{model:?} {double} {stiffness}: lowest {:.4} radii, fastest {fast:.1e}, {:?}",
                low / RADIUS,
                w.bundle_products()
            );
            assert!((0.95..1.1).contains(&(low / RADIUS)), "{model:?} {double} {stiffness}: {low}");
            assert!(fast < 0.01, "{model:?} {double} {stiffness}: {fast} m/s");
        }
    }
}

/// A ball that falls on a bundle between two walls is carried by all of its strands.
#[test]
fn a_bundle_carries_a_ball() {
    for ((model, double), nu) in cases().flat_map(|c| [(c, 0.0), (c, NU)]) {
        let mut w = world(double, 9.81, 8);
        let desc = RodsDesc {
            model,
            poisson_ratio: nu,
            root: EndSupport::Clamped,
            tip: EndSupport::Clamped,
            damping: 5.0,
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            ..bundle(&hexagon(), 20, 0.3)
        };
        let id = w.add_rods(desc).unwrap();
        let pose = Pose { position: [0.15, 3.0 * RADIUS + 0.03 + 0.01, 0.0], ..Pose::IDENTITY };
        let shape = ShapeDesc { shape: BodyShape::Sphere { radius: 0.03 }, ..ShapeDesc::default() };
        let ball = BodyDesc { shapes: vec![shape], pose, ..BodyDesc::default() };
        let ball = w.add_body(&ball).unwrap();
        steps(&mut w, 40, 1.0 / 60.0);
        let (at, x) = (w.body_pose(ball).unwrap().position, positions(w.rods(id).unwrap()));
        let spread = (0..7).map(|s| x[21 * s + 10].y - x[10].y - hexagon()[s][0]).fold(0.0f64, |m, d| m.max(d.abs()));
        println!("{model:?} {double}: ball {at:?}, middle {:?}, spread {spread:.1e}", x[10]);
        assert!(at[1] > 0.02 && spread < 0.1 * RADIUS, "{model:?} {double}: {at:?} {spread}");
    }
}

/// Between two bodies that the host moves, as a muscle between bones.
#[test]
fn a_bundle_hangs_between_bodies() {
    for (model, double) in cases() {
        let mut w = world(double, 9.81, 8);
        let desc = RodsDesc { model, poisson_ratio: NU, damping: 5.0, ..bundle(&hexagon(), 20, 0.2) };
        let id = w.add_rods(desc).unwrap();
        let bone = |x: f64| BodyDesc {
            motion: BodyMotion::Kinematic,
            pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.01 }, category: 0, mask: 0, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        };
        let bones = [w.add_body(&bone(0.0)).unwrap(), w.add_body(&bone(0.2)).unwrap()];
        for strand in 0..7 {
            for (tip, bone) in [(false, bones[0]), (true, bones[1])] {
                w.attach_body(id, StrandEnd { strand, tip }, bone, true).unwrap();
            }
        }
        for frame in 1..=120 {
            let x = 0.2 + 0.05 * (f64::from(frame) / 60.0).min(1.0);
            w.set_body_target(bones[1], Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }).unwrap();
            w.step(1.0 / 60.0, &Inline).unwrap();
        }
        let x = positions(w.rods(id).unwrap());
        let end = (0..7).map(|s| (x[21 * s + 20].x - 0.25).abs()).fold(0.0, f64::max);
        let (_, sections, volume) = read(&w, id);
        println!("{model:?} {double}: ends off by {end:.1e}, scale {:.4}, volume {volume:.4}", sections[10].1);
        assert!(end < 1e-3 && (0.85..0.95).contains(&sections[10].1) && (volume - 1.0).abs() < 0.05, "{model:?} {double}");
        assert_eq!(w.stats().non_finite_strands, 0);
    }
}

/// What a step of bundles costs against the same strands without: `cargo test --release --test rods -- --ignored --nocapture costs`.
#[test]
#[ignore = "a measurement"]
fn what_a_bundle_costs() {
    for (k, edges, sets) in [(7, 20, 60), (19, 20, 24), (19, 60, 8)] {
        let places: Vec<[f64; 2]> = (0..k)
            .map(|i| [2.0 * RADIUS * (i % 5) as f64, 2.0 * RADIUS * (i / 5) as f64 + 0.3 * RADIUS * (i % 3) as f64])
            .collect();
        for double in [false, true] {
            let time = |per: u32, stiffness: f64| {
                let mut w = world(double, 9.81, 8);
                let mut positions = Vec::new();
                for b in 0..sets {
                    let one = bundle(&places, edges, 0.01 * edges as f64);
                    positions.extend(one.positions.iter().map(|x| [x[0], x[1], x[2] + 0.2 * f64::from(b)]));
                }
                let desc = RodsDesc {
                    positions,
                    counts: vec![edges as u32 + 1; k * sets as usize],
                    poisson_ratio: NU,
                    root: EndSupport::Clamped,
                    strands_per_bundle: per,
                    bundle_stiffness: stiffness,
                    ..bundle(&places, 1, 1.0)
                };
                w.add_rods(desc).unwrap();
                steps(&mut w, 10, 1.0 / 60.0);
                let mut best = f64::MAX;
                for _ in 0..10 {
                    let begin = std::time::Instant::now();
                    steps(&mut w, 2, 1.0 / 60.0);
                    best = best.min(begin.elapsed().as_secs_f64() / 2.0);
                }
                let count = f64::from(w.bundle_products()) / 8.0;
                (best / (8.0 * (k * edges * sets as usize) as f64) * 1e9, count)
            };
            let (alone, _) = time(0, 1.0);
            for stiffness in [f64::INFINITY, 1e6, 1e4] {
                let (ns, products) = time(k as u32, stiffness);
                println!(
                    "{k} strands, {edges} edges, f64 {double}, {stiffness}: {ns:.0} ns an edge and substep, alone {alone:.0}, {:.2} times, {products} products",
                    ns / alone
                );
            }
        }
    }
}

/// Before the first step sections are where they were made.
#[test]
fn sections_are_known_at_once() -> Result<()> {
    let mut world = World::new(WorldDesc::default())?;
    let mut desc = RodsDesc { poisson_ratio: NU, ..bundle(&hexagon(), 8, 0.2) };
    desc.positions.iter_mut().for_each(|x| x[1] += 3.0);
    let id = world.add_rods(desc)?;
    let mut seen = 0;
    world.rods(id)?.read_sections(|_, pose, scale| {
        seen += 1;
        let away = pose.position.iter().map(|x| x.abs()).fold(0.0, f64::max);
        assert!(away < 1e-5 && (scale - 1.0).abs() < 1e-5, "{pose:?} {scale}");
    });
    assert_eq!(seen, 9);
    // Debug lines show each section as a spoke to each strand, two radii long but for the strand in the middle.
    let mut spokes = Vec::new();
    world.debug_lines(|a, b, color| {
        if color == 0xb0_70_50_ff {
            spokes.push((Vec3::from(a) - Vec3::from(b)).length());
        }
    });
    assert_eq!(spokes.len(), 9 * 7);
    let long = spokes.iter().filter(|l| (**l - 2.0 * RADIUS).abs() < 1e-6).count();
    let none = spokes.iter().filter(|l| **l < 1e-6).count();
    assert_eq!((long, none), (9 * 6, 9), "{spokes:?}");
    Ok(())
}

/// A bundle that is cut through falls apart: the lower part falls as a stone does, and nothing turns the upper one.
#[test]
fn a_bundle_that_is_cut_falls_apart() -> Result<()> {
    for stiffness in [f64::INFINITY, 1e6] {
        let mut world = World::new(WorldDesc::default())?;
        let edges = 10;
        let mut desc = RodsDesc { bundle_stiffness: stiffness, root: EndSupport::Clamped, ..bundle(&hexagon(), edges, 0.2) };
        // Along y, hanging.
        desc.positions.iter_mut().for_each(|x| *x = [x[1], -x[0], x[2]]);
        let id = world.add_rods(desc)?;
        for _ in 0..30 {
            world.step(1.0 / 60.0, &Inline)?;
        }
        let y = |world: &World, v: usize| -> Result<f64> {
            let mut y = Vec::new();
            world.rods(id)?.read_positions(|_, x| y.push(x[1]));
            Ok(y[v])
        };
        let before = y(&world, edges)?;
        for strand in 0..7 {
            world.rods_mut(id)?.set_cut(strand * edges + 5, true)?;
        }
        for _ in 0..30 {
            world.step(1.0 / 60.0, &Inline)?;
        }
        let fallen = before - y(&world, edges)?;
        assert!((fallen / (0.5 * 9.81 * 0.25) - 1.0).abs() < 0.05, "{stiffness}: {fallen} m");
        assert!((y(&world, 4)? + 0.08).abs() < 2e-3, "{stiffness}: {}", y(&world, 4)?);
        let mut most = 0.0_f64;
        world.rods(id)?.read_positions(|_, x| most = most.max(x[0].abs()).max(x[2].abs()));
        assert!(most < 3.0 * RADIUS, "{stiffness}: {most} m aside");
    }
    Ok(())
}
