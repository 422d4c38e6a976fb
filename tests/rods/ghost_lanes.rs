//! The same bits on every instruction set, and the golden hash of them for every machine.

use crate::scene::*;
use withy::math::Isa;
use withy::world::*;

const ORDERS: &[SweepOrder] = &[
    SweepOrder::RootToTip,
    SweepOrder::Alternating,
    #[cfg(feature = "paper")]
    SweepOrder::Bidirectional,
    #[cfg(feature = "paper")]
    SweepOrder::Sequential,
];

/// Three grooms of ragged lengths that use everything: both stiffness modes, supports at both ends, pins, forces, wind, drag,
/// damping, all four shapes of colliders, moving.
fn everything(isa: Isa, order: SweepOrder, double: bool) -> World {
    let mut world = World::new(WorldDesc { isa: Some(isa), double_precision: double, ..WorldDesc::default() }).unwrap();
    let groom = |count: usize, shift: f64| {
        // 2 to 26 vertices, in no order: blocks of every width, with padded and short lanes.
        let strands: Vec<Vec<V3>> = (0..count)
            .map(|s| {
                let n = 1 + (s * 7919 + 3) % 25;
                let at = [shift + 0.03 * (s % 8) as f64, 0.0, 0.03 * (s / 8) as f64];
                curl(n, s as f64 * 0.7).into_iter().map(|p| [p[0] + at[0], p[1] + at[1], p[2] + at[2]]).collect()
            })
            .collect();
        RodsDesc {
            positions: strands.iter().flatten().copied().collect(),
            counts: strands.iter().map(|s| s.len() as u32).collect(),
            radii: vec![4e-3],
            order,
            ..RodsDesc::default()
        }
    };
    let hair = world
        .add_rods(RodsDesc { root: EndSupport::Clamped, drag: 0.5, wind: [1.0, 0.2, -0.5], aspect: 1.7, ..groom(53, 0.0) })
        .unwrap();
    let strings = world
        .add_rods(RodsDesc {
            root: EndSupport::Clamped,
            tip: EndSupport::Clamped,
            damping: 3.0,
            stiffness: Stiffness::Alpha { bend1: 0.3, bend2: 0.5, twist: 0.7, stretch: 1.0 },
            // Blocks of f64 are 8, 4 and 1 wide.
            ..groom(if double { 17 } else { 21 }, 0.5)
        })
        .unwrap();
    let loose = world
        .add_rods(RodsDesc { damping: 1.0, rest_shape: RestShape::Straight, tip: EndSupport::Pinned, ..groom(3, 1.0) })
        .unwrap();
    let shapes = [
        (Shape::Plane, [0.0, -0.3, 0.0]),
        (Shape::Sphere { radius: 0.1 }, [0.1, -0.25, 0.05]),
        (Shape::Capsule { radius: 0.05, half_height: 0.2 }, [0.6, -0.2, 0.1]),
        (Shape::Box { half_extents: [0.1, 0.05, 0.2] }, [1.0, -0.2, 0.0]),
    ];
    let colliders = shapes.map(|(shape, position)| {
        let pose = Pose { position, ..Pose::IDENTITY };
        world.add_collider(ColliderDesc { shape, pose, ..ColliderDesc::default() }).unwrap()
    });
    world.rods_mut(hair).unwrap().set_pin(40, Some([0.1, -0.1, 0.1]), false).unwrap();
    world.rods_mut(loose).unwrap().set_forces(|i| [0.01 * i as f64, 0.02, -0.01]).unwrap();
    let mut contacts = 0;
    for frame in 0..30 {
        // Whole multiples of 2⁻⁷: libm has no part in the scene's motion.
        let t = frame as f64 / 128.0;
        let position = [0.1 + t, -0.25 + 0.5 * t, 0.05];
        world.set_collider_pose(colliders[1], Pose { position, ..Pose::IDENTITY }, false).unwrap();
        let tip = |s: usize| Pose { position: [0.5 + 0.03 * s as f64 + t, -0.3, 0.0], rotation: [0.0, 0.6, 0.0, 0.8] };
        world.rods_mut(strings).unwrap().set_tip_poses(tip, false).unwrap();
        world.step(1.0 / 64.0, &Inline).unwrap();
        contacts += world.stats().contacts;
    }
    assert_eq!(world.stats().non_finite_strands, 0);
    assert!(contacts > 1000, "colliders must matter: {contacts}");
    world
}

#[test]
fn every_instruction_set_gives_the_same_bits_in_every_order() {
    let mut hashes = Vec::new();
    for (order, double) in ORDERS.iter().flat_map(|&order| [(order, false), (order, true)]) {
        let all: Vec<(Isa, u64)> = sets().map(|isa| (isa, everything(isa, order, double).state_hash())).collect();
        for (isa, hash) in &all {
            assert_eq!(*hash, all[0].1, "{order:?}, f64 {double}: {} differs from {}", isa.name(), all[0].0.name());
        }
        hashes.push(all[0].1);
    }
    let distinct = (1..hashes.len()).all(|k| !hashes[..k].contains(&hashes[k]));
    assert!(distinct, "the orders are different orders: {hashes:x?}");
}

#[test]
fn threads_do_not_change_the_bits() {
    let isa = Isa::best();
    let run = |order, runner: &dyn TaskRunner| {
        let mut world = World::new(WorldDesc { isa: Some(isa), ..WorldDesc::default() }).unwrap();
        let strands: Vec<Vec<V3>> = (0..400).map(|s| curl(5 + s % 17, s as f64)).collect();
        world
            .add_rods(RodsDesc {
                positions: strands.iter().flatten().copied().collect(),
                counts: strands.iter().map(|s| s.len() as u32).collect(),
                root: EndSupport::Clamped,
                order,
                ..RodsDesc::default()
            })
            .unwrap();
        (0..20).for_each(|_| world.step(1.0 / 60.0, runner).unwrap());
        world.state_hash()
    };
    for order in [SweepOrder::Alternating, SweepOrder::Direct] {
        let alone = run(order, &Inline);
        for threads in [1, 2, 3, 5] {
            assert_eq!(run(order, &Pool::new(threads).unwrap()), alone, "{order:?}, {threads} threads");
        }
    }
}

/// The state after the scene above, to the bit, in each order, on every machine. It changes only with a change of results:
/// then say so in CHANGELOG and record the new one.
const GOLDEN: [u64; 4] = [0x977b_7bcc_9e24_29f5, 0xf232_81f2_b136_8ea4, 0x9f52_e3ab_dc5f_29f5, 0x387b_1b39_0093_4eb0];

#[test]
fn the_golden_hash() {
    let got: Vec<u64> = ORDERS.iter().map(|&order| everything(Isa::best(), order, false).state_hash()).collect();
    assert_eq!(got, GOLDEN[..got.len()], "{got:#x?}");
}
