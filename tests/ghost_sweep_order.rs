//! The order of the constraints within a sweep: the paper's self-excited vibration, and what is left of the stretch.
//! The tables behind it are in docs/sweep_order.md.

#[path = "common/scene.rs"]
mod scene;

use scene::*;
use withy::math::rng::Rng;
use withy::world::*;

/// A straight rod at rest between two clamps, touched with 1 mm/s. Its kinetic energy at the start and after ten seconds.
fn touched(order: SweepOrder, iterations: u32) -> [f64; 2] {
    let n = 30;
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, iterations, ..WorldDesc::default() }).unwrap();
    let mut rng = Rng::new(3);
    let velocity = |i: usize| if i == 0 || i == n { [0.0; 3] } else { [0; 3].map(|_| rng.range(-1e-3, 1e-3)) };
    let id = world
        .add_rods(RodsDesc {
            positions: (0..=n).map(|i| [i as f64 / n as f64, 0.0, 0.0]).collect(),
            velocities: (0..=n).map(velocity).collect(),
            counts: vec![n as u32 + 1],
            order,
            // The paper's: as heavy as a vertex.
            ghost_mass_ratio: 0.5,
            root: EndSupport::Clamped,
            tip: EndSupport::Clamped,
            stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 },
            ..RodsDesc::default()
        })
        .unwrap();
    let start = momentum(world.rods(id).unwrap()).kinetic;
    steps(&mut world, 600, 1.0 / 60.0);
    [start, momentum(world.rods(id).unwrap()).kinetic]
}

#[test]
fn the_naive_order_excites_itself_and_ours_does_not() {
    for order in [SweepOrder::RootToTip, SweepOrder::Bidirectional] {
        let [start, end] = touched(order, 2);
        println!("{order:?}: {start:.1e} J, then {end:.1e} J");
        assert!(end < start, "{order:?} gains energy: {start:e} to {end:e}");
    }
    let [start, end] = touched(SweepOrder::Sequential, 2);
    println!("Sequential: {start:.1e} J, then {end:.1e} J");
    assert!(end > 1e3 * start, "the paper's vibration is gone: {start:e} to {end:e}");
}

#[test]
fn root_to_tip_leaves_the_least_stretch() {
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
            steps(&mut world, 1, 1.0 / 60.0);
            sum += world.stats().largest_strain / 120.0;
        }
        sum
    };
    for (n, iterations) in [(20, 10), (20, 50), (100, 10)] {
        let ours = mean(SweepOrder::RootToTip, n, iterations);
        for order in [SweepOrder::Bidirectional, SweepOrder::Sequential] {
            let other = mean(order, n, iterations);
            println!("{n} edges, {iterations} iterations: {ours:.3} root to tip, {other:.3} {order:?}");
            assert!(ours < 0.75 * other, "{n} edges, {iterations} iterations, {order:?}: {ours} of {other}");
        }
    }
}
