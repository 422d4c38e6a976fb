//! A box in a sling, on one that sleeps, on a mesh: once they have met, steps do not touch the heap.

use crate::counting::ALLOCATIONS;
use std::sync::atomic::Ordering;
use withy::world::*;

pub fn rods_on_bodies_allocate_nothing() {
    for double_precision in [false, true] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let body = |motion: BodyMotion, y: f64, shape: BodyShape| BodyDesc {
            motion,
            pose: Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
            mass: 1.0,
            can_sleep: false,
            ..BodyDesc::default()
        };
        let ground = BodyShape::Mesh {
            positions: vec![[-2.0, 0.0, -2.0], [-2.0, 0.0, 2.0], [2.0, 0.0, 2.0], [2.0, 0.0, -2.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        w.add_body(&body(BodyMotion::Static, 0.0, ground)).unwrap();
        w.add_body(&body(BodyMotion::Dynamic, 0.65, BodyShape::Box { half_extents: [0.1, 0.1, 0.2] })).unwrap();
        for (z, root) in [(-0.1, EndSupport::Pinned), (0.1, EndSupport::Pinned), (0.3, EndSupport::Free)] {
            let positions = (0..41).map(|k| [0.03 * f64::from(k) - 0.6, 0.5, z]).collect();
            let (radii, stiffness) = (vec![0.01], Stiffness::Physical { young: 1e5, shear: 4e4 });
            let d = RodsDesc { positions, counts: vec![41], radii, stiffness, root, tip: root, ..RodsDesc::default() };
            w.add_rods(RodsDesc { density: 1000.0, stretch_modulus: 1e7, damping: 3.0, ..d }).unwrap();
        }
        (0..120).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert!(w.stats().contacts > 10);
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..60).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - before, 0);
    }
}

/// Limbs that keep their volume, swept, in a pile that has come to lie.
pub fn a_swept_pile_allocates_nothing() {
    for double_precision in [false, true] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        let limb = |k: usize| {
            let (sin, cos) = (2.4 * k as f64).sin_cos();
            (0..7).map(move |v| 0.02 * (f64::from(v) - 3.0)).map(move |t| [t * cos, 0.02 + 0.022 * k as f64, t * sin])
        };
        let d = RodsDesc {
            positions: (0..6).flat_map(limb).collect(),
            counts: vec![7; 6],
            radii: vec![0.01],
            stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
            poisson_ratio: 0.45,
            order: SweepOrder::Alternating,
            iterations: 4,
            damping: 5.0,
            self_contact: true,
            can_sleep: false,
            ..RodsDesc::default()
        };
        w.add_rods(d).unwrap();
        (0..180).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert!(w.contact_work().contacts > 5);
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..30).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - before, 0);
    }
}
