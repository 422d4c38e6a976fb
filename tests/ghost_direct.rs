//! The direct solver of ghost rods: one Newton step a substep.

#[path = "common/scene.rs"]
mod scene;

use scene::*;
use withy::world::*;

fn horizontal(n: usize, length: f64) -> Vec<V3> {
    (0..=n).map(|i| [length * i as f64 / n as f64, 0.0, 0.0]).collect()
}

/// Tip and largest strain of a clamped rod after `seconds` at 60 Hz with drag.
fn settle(order: SweepOrder, n: usize, young: f64, substeps: u32, iterations: u32, seconds: f64, double: bool) -> ([f64; 3], f64) {
    let mut world =
        World::new(WorldDesc { double_precision: double, substeps, iterations, ..WorldDesc::default() }).unwrap();
    let id = world
        .add_rods(RodsDesc {
            positions: horizontal(n, 0.3),
            counts: vec![n as u32 + 1],
            radii: vec![1e-3],
            stiffness: Stiffness::Physical { young, shear: young / 2.6 },
            density: 1000.0,
            root: EndSupport::Clamped,
            drag: 4.0,
            order,
            ..RodsDesc::default()
        })
        .unwrap();
    steps(&mut world, (60.0 * seconds) as usize, 1.0 / 60.0);
    let rods = world.rods(id).unwrap();
    let mut tip = [0.0; 3];
    rods.read_positions(|i, p| if i == n { tip = p });
    let mut strain = 0.0f64;
    rods.read_strain(|_, s| strain = strain.max(s.abs()));
    (tip, strain)
}

#[test]
fn zz_spike() {
    // EI: Γ = w L³/EI.
    for (n, young) in [(20, 1e8), (20, 1e7), (100, 1e8), (100, 1e7)] {
        let ei = young * std::f64::consts::PI * 1e-12 / 4.0;
        let gamma = 1000.0 * std::f64::consts::PI * 1e-6 * 9.81 * 0.027 / ei;
        println!("n {n} gamma {gamma:.3}");
        for double in [true, false] {
            for (name, order, s, i) in [
                ("direct", SweepOrder::Direct, 8, 1),
                ("direct", SweepOrder::Direct, 8, 2),
                ("direct", SweepOrder::Direct, 2, 1),
                ("direct", SweepOrder::Direct, 1, 1),
                ("sweeps", SweepOrder::RootToTip, 8, 4),
                ("sweeps", SweepOrder::RootToTip, 8, 40),
                ("sweeps", SweepOrder::RootToTip, 400, 4),
            ] {
                if s == 400 && !double { continue; }
                let (t, e) = settle(order, n, young, s, i, 5.0, double);
                println!("  f{} {name} {s}x{i}: {:.5} {:.5} {:.5} strain {e:.2e}", if double { 64 } else { 32 }, t[0], t[1], t[2]);
            }
        }
    }
}
