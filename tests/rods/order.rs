//! Which strands share a block changes no bit of any of them: neither the order in which they come, nor where their tips are.

use crate::scene::{V3, steps};
use crate::tied::{DT, line};
use withy::world::*;

const STRANDS: usize = 75;

/// Strands of 9 vertices whose roots are on a sheet above a ball, numbered along it.
fn strand(k: usize) -> Vec<V3> {
    let (x, z) = ((k % 15) as f64 * 0.01 - 0.07, (k / 15) as f64 * 0.02 - 0.04);
    line([x, 0.12, z], [x + 0.09, 0.1 - 0.3 * x, z + 0.01], 9)
}

fn world(order: &[usize], integrator: Integrator) -> (World, Id) {
    let mut w = World::new(WorldDesc { substeps: 2, ..WorldDesc::default() }).unwrap();
    let ball = ColliderDesc { shape: Shape::Sphere { radius: 0.06 }, friction: 0.3, ..ColliderDesc::default() };
    w.add_collider(ball).unwrap();
    let desc = RodsDesc {
        positions: order.iter().flat_map(|&k| strand(k)).collect(),
        counts: vec![9; order.len()],
        radii: vec![3e-5],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root: EndSupport::Clamped,
        integrator,
        ..RodsDesc::default()
    };
    let id = w.add_rods(desc).unwrap();
    (w, id)
}

/// Positions and velocities of all strands, in the order of the sheet.
fn all(w: &World, id: Id, order: &[usize]) -> Vec<[u64; 3]> {
    let mut rows = vec![[0; 3]; order.len() * 18];
    let rods = w.rods(id).unwrap();
    let bits = |v: [f64; 3]| v.map(f64::to_bits);
    rods.read_positions(|i, p| rows[order[i / 9] * 18 + i % 9] = bits(p));
    rods.read_velocities(|i, v| rows[order[i / 9] * 18 + 9 + i % 9] = bits(v));
    rows
}

#[test]
fn what_shares_a_block_changes_no_bit() {
    let drawn: Vec<usize> = (0..STRANDS).collect();
    let shuffled: Vec<usize> = (0..STRANDS).map(|i| i * 31 % STRANDS).collect();
    for integrator in [Integrator::First, Integrator::Second] {
        let mut ends = [&drawn, &shuffled].map(|order| {
            let (mut w, id) = world(order, integrator);
            steps(&mut w, 40, DT);
            assert!(w.stats().contacts > 5, "{integrator:?}: {} contacts", w.stats().contacts);
            all(&w, id, order)
        });
        // Each strand with others beside it, or with none.
        let (mut alone, id) = world(&[30], integrator);
        steps(&mut alone, 40, DT);
        let mut rows = vec![[0; 3]; 18];
        alone.rods(id).unwrap().read_positions(|i, p| rows[i] = p.map(f64::to_bits));
        alone.rods(id).unwrap().read_velocities(|i, v| rows[9 + i] = v.map(f64::to_bits));
        let [a, b] = ends.each_mut();
        assert!(a == b, "{integrator:?}");
        assert_eq!(a[30 * 18..31 * 18], rows, "{integrator:?}");
    }
}

/// A saved state lists numbers by blocks: where tips were elsewhere when the rods were made, it is refused and nothing changes.
#[test]
fn a_state_is_of_one_order() {
    let (mut w, _) = world(&(0..STRANDS).collect::<Vec<_>>(), Integrator::First);
    let (mut other, _) = world(&(0..STRANDS).rev().collect::<Vec<_>>(), Integrator::First);
    steps(&mut w, 3, DT);
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut state).unwrap();
    let before = other.state_hash();
    let refused = other.restore_state(&state).unwrap_err();
    assert!(refused.to_string().contains("another pose"), "{refused}");
    assert_eq!(other.state_hash(), before);
    w.restore_state(&state).unwrap();
}
