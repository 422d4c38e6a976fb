//! The model that shows what a model costs (`crates/solve/src/rods/models/springs.rs`): all that a world does with rods it does
//! with these, though nothing outside that file knows them.

use crate::tied::{DT, ball, line};
use withy::sagfree::rest_shape::Options;
use withy::tasks::{Inline, Pool};
use withy::world::*;

const EDGES: usize = 10;
const RADIUS: f64 = 5e-3;
const DENSITY: f64 = 1000.0;
const MODULUS: f64 = 1e6;

/// A metre of springs from the origin to `to`, held at the root.
fn springs(to: [f64; 3]) -> RodsDesc {
    RodsDesc {
        positions: line([0.0; 3], to, EDGES + 1),
        counts: vec![EDGES as u32 + 1],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
        stretch_modulus: MODULUS,
        density: DENSITY,
        root: EndSupport::Pinned,
        drag: 2.0,
        model: RodModel::Springs,
        ..RodsDesc::default()
    }
}

fn world(double_precision: bool) -> World {
    World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap()
}

fn positions(world: &World, id: Id) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    world.rods(id).unwrap().read_positions(|_, p| out.push(p));
    out
}

fn steps(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(DT, &Inline).unwrap();
    }
}

/// Hung up, each edge is longer by the weight below it over E A. The strain that is read is the same.
#[test]
fn stretches_by_its_weight() {
    for (double, tolerance) in [(true, 1e-6), (false, 1e-4)] {
        let mut world = world(double);
        let id = world.add_rods(RodsDesc { can_sleep: false, ..springs([0.0, -1.0, 0.0]) }).unwrap();
        steps(&mut world, 20.0);
        let (p, edge) = (positions(&world, id), 1.0 / EDGES as f64);
        let mut strains = Vec::new();
        world.rods(id).unwrap().read_strain(|_, strain| strains.push(strain));
        for e in 0..EDGES {
            // Half an edge of mass for the last vertex, a whole one for each above it.
            let below = DENSITY * 9.81 * edge * ((EDGES - 1 - e) as f64 + 0.5);
            let expected = below / MODULUS;
            let strain = (p[e][1] - p[e + 1][1]) / edge - 1.0;
            assert!((strain - expected).abs() < tolerance * 0.01, "f64 {double}, edge {e}: {strain} against {expected}");
            assert!((strains[e] - strain).abs() < 1e-5, "f64 {double}, edge {e}: reads {} of {strain}", strains[e]);
        }
    }
}

/// Laid out level it falls like a chain: nothing keeps it straight. Dynamic ends carry bodies, and colliders stop it.
#[test]
fn carries_a_body_and_meets_a_collider() {
    let mut world = world(false);
    let id = world.add_rods(springs([1.0, 0.0, 0.0])).unwrap();
    let load = world.add_body(&ball([1.0, 0.0, 0.0], 0.05, 0.2)).unwrap();
    world.attach_body(id, StrandEnd { strand: 0, tip: true }, load, false).unwrap();
    let peg = Shape::Capsule { radius: 0.02, half_height: 0.5 };
    let turned = Pose { position: [0.5, -0.3, 0.0], rotation: [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()] };
    world.add_collider(ColliderDesc { shape: peg, pose: turned, ..ColliderDesc::default() }).unwrap();
    let mut lowest = f64::MAX;
    for _ in 0..300 {
        world.step(DT, &Inline).unwrap();
        let (p, body) = (positions(&world, id), world.body_pose(load).unwrap().position);
        let tip = p[EDGES];
        let gap = (0..3).map(|c| (tip[c] - body[c]).powi(2)).sum::<f64>().sqrt();
        assert!(gap < 2e-3, "the tip is {gap} m from its body");
        for (v, q) in p.iter().enumerate() {
            let depth = 0.02 - (q[0] - 0.5).hypot(q[1] + 0.3);
            assert!(depth < 2e-3, "vertex {v} is {depth} m inside the peg");
        }
        lowest = lowest.min(body[1]);
    }
    assert!(lowest < -0.5, "the load came down to {lowest} m");
}

/// A snapshot brings back the same bits; one thread or four, every instruction set.
#[test]
fn snapshots_and_bits() {
    let run = |isa, threads| {
        let mut world = World::new(WorldDesc { isa: Some(isa), ..WorldDesc::default() }).unwrap();
        let many = RodsDesc {
            positions: (0..40).flat_map(|s| line([0.0, 0.0, 0.1 * s as f64], [1.0, 0.0, 0.1 * s as f64], EDGES + 1)).collect(),
            counts: vec![EDGES as u32 + 1; 40],
            ..springs([1.0, 0.0, 0.0])
        };
        world.add_rods(many).unwrap();
        let pool = Pool::new(threads).unwrap();
        for _ in 0..30 {
            world.step(DT, &pool).unwrap();
        }
        world
    };
    let mut first = run(withy::math::Isa::Scalar, 1);
    for isa in crate::scene::sets() {
        assert_eq!(run(isa, 4).state_hash(), first.state_hash(), "{isa:?}");
    }
    let mut bytes = vec![0; first.save_state(&mut []).unwrap()];
    first.save_state(&mut bytes).unwrap();
    let mut hashes = [0, 1].map(|_| {
        first.restore_state(&bytes).unwrap();
        steps(&mut first, 0.5);
        first.state_hash()
    });
    hashes.sort();
    assert_eq!(hashes[0], hashes[1]);
}

/// What it has not is refused with its name.
#[test]
fn what_it_has_not_is_refused() {
    let mut world = world(true);
    let id = world.add_rods(springs([1.0, 0.0, 0.0])).unwrap();
    let error = world.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap_err();
    assert!(error.to_string().contains("springs"), "{error}");
    let error = world.settle(id, 10, 1e-6, &Inline).unwrap_err();
    assert!(error.to_string().contains("springs"), "{error}");
    let alpha =
        RodsDesc { stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 }, ..springs([1.0, 0.0, 0.0]) };
    let error = world.add_rods(alpha).err().unwrap();
    assert!(error.to_string().contains("springs"), "{error}");
}
