//! The order of the constraints within a sweep: the paper's self-excited vibration, and what is left of the stretch.
//! The tables behind it are in docs/internals/sweep_order.md.

use crate::scene::*;
use std::f64::consts::TAU;
use withy::math::rng::Rng;
use withy::world::*;

const FRAME: f64 = 1.0 / 60.0;
const OTHERS: [SweepOrder; 3] = [SweepOrder::RootToTip, SweepOrder::Bidirectional, SweepOrder::Sequential];

/// The paper's setting: α = 1, one substep a frame, no damping, no gravity.
fn world(iterations: u32) -> World {
    World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, iterations, double_precision: true, ..WorldDesc::default() }).unwrap()
}
fn rod(positions: Vec<V3>, velocities: Vec<V3>, order: SweepOrder, ghost_mass_ratio: f64) -> RodsDesc {
    RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        velocities,
        order,
        ghost_mass_ratio,
        root: EndSupport::Clamped,
        stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 },
        ..RodsDesc::default()
    }
}

/// A straight rod at rest between two clamps, touched with 1 mm/s. Its kinetic energy at the start and after ten seconds.
fn touched(order: SweepOrder, iterations: u32) -> [f64; 2] {
    let n = 30;
    let mut world = world(iterations);
    let mut rng = Rng::new(3);
    let velocity = |i: usize| if i == 0 || i == n { [0.0; 3] } else { [0; 3].map(|_| rng.range(-1e-3, 1e-3)) };
    let positions = (0..=n).map(|i| [i as f64 / n as f64, 0.0, 0.0]).collect();
    // The paper's ghost point: as heavy as a vertex.
    let desc = rod(positions, (0..=n).map(velocity).collect(), order, 0.5);
    let id = world.add_rods(RodsDesc { tip: EndSupport::Clamped, ..desc }).unwrap();
    let start = momentum(world.rods(id).unwrap()).kinetic;
    steps(&mut world, 600, FRAME);
    [start, momentum(world.rods(id).unwrap()).kinetic]
}

/// A spring held at one end, swaying by a thousandth of its length: the largest kinetic energy of the last five of 60 s over that of
/// the first five.
fn swaying(order: SweepOrder, iterations: u32, ghost_mass_ratio: f64) -> f64 {
    let spring = (0..=30).map(|i| i as f64 / 30.0).map(|s| [s, 0.1 * (1.0 - (3.0 * TAU * s).cos()), 0.1 * (3.0 * TAU * s).sin()]);
    let positions: Vec<V3> = spring.collect();
    let velocities = positions.iter().map(|p| [0.0, 1e-3 * p[0], 0.0]).collect();
    let mut world = world(iterations);
    let id = world.add_rods(RodsDesc { radii: vec![0.012], ..rod(positions, velocities, order, ghost_mass_ratio) }).unwrap();
    let kinetic: Vec<f64> = (0..3600)
        .map(|_| {
            steps(&mut world, 1, FRAME);
            momentum(world.rods(id).unwrap()).kinetic
        })
        .collect();
    let largest = |e: &[f64]| e.iter().copied().fold(0.0, f64::max);
    largest(&kinetic[3300..]) / largest(&kinetic[..300])
}

#[test]
fn the_naive_order_excites_itself_and_ours_does_not() {
    for order in [SweepOrder::Alternating, SweepOrder::RootToTip, SweepOrder::Bidirectional] {
        let [start, end] = touched(order, 2);
        println!("{order:?}: {start:.1e} J, then {end:.1e} J");
        assert!(end < start, "{order:?} gains energy: {start:e} to {end:e}");
    }
    let [start, end] = touched(SweepOrder::Sequential, 2);
    println!("Sequential: {start:.1e} J, then {end:.1e} J");
    assert!(end > 1e3 * start, "the paper's vibration is gone: {start:e} to {end:e}");
}

#[test]
fn a_spring_that_sways_does_not_gain() {
    for (iterations, ratio) in [(2, 0.2), (3, 0.2), (4, 0.2), (9, 0.2), (10, 0.2), (2, 0.5), (3, 0.5), (10, 0.5), (20, 0.5)] {
        let ours = swaying(SweepOrder::Alternating, iterations, ratio);
        let others = OTHERS.map(|order| format!("{order:?} {:.2e}", swaying(order, iterations, ratio))).join(", ");
        println!("{iterations} iterations, ghost ratio {ratio}: alternating {ours:.2}, {others}");
        assert!(ours < 1.1, "{iterations} iterations, ghost ratio {ratio}: grows by {ours}");
    }
    assert!(swaying(SweepOrder::Sequential, 10, 0.2) > 1e3, "the paper's vibration is gone");
}

#[test]
fn alternating_leaves_as_little_stretch_as_root_to_tip() {
    let mean = |order: SweepOrder, n: usize, iterations: u32| {
        let mut world =
            World::new(WorldDesc { substeps: 1, iterations, double_precision: true, ..WorldDesc::default() }).unwrap();
        world
            .add_rods(RodsDesc {
                positions: (0..=n).map(|i| [0.4 * i as f64 / n as f64, 0.0, 0.0]).collect(),
                counts: vec![n as u32 + 1],
                radii: vec![2e-3],
                stiffness: Stiffness::Physical { young: 1e8, shear: 4e7 },
                root: EndSupport::Clamped,
                drag: 1.0,
                order,
                ..RodsDesc::default()
            })
            .unwrap();
        let mut sum = 0.0;
        for _ in 0..120 {
            steps(&mut world, 1, FRAME);
            sum += world.stats().largest_strain / 120.0;
        }
        sum
    };
    for (n, iterations) in [(20, 1), (20, 2), (20, 5), (20, 10), (20, 20), (20, 50), (100, 10), (100, 50)] {
        let ours = mean(SweepOrder::Alternating, n, iterations);
        let [from_root, from_both, naive] = OTHERS.map(|order| mean(order, n, iterations));
        println!("| {n} | {iterations} | {ours:.3} | {from_root:.3} | {from_both:.3} | {naive:.3} |");
        assert!(ours < 1.1 * from_root, "{n} edges, {iterations} iterations: {ours} of {from_root}");
        assert!(ours < 0.75 * from_both.min(naive), "{n} edges, {iterations} iterations: {ours} of {from_both}, {naive}");
    }
}
