//! Bundles that fall on a floor: from the second step on nothing touches the heap.

use crate::counting::ALLOCATIONS;
use std::sync::atomic::Ordering;
use withy::world::*;

pub fn bundles_allocate_nothing() {
    for double_precision in [false, true] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        let strand = |k: u32| (0..16).map(move |i| [0.02 * f64::from(i), 0.05, 0.011 * f64::from(k)]);
        let desc = RodsDesc {
            positions: (0..9).flat_map(strand).collect(),
            counts: vec![16; 9],
            stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
            poisson_ratio: 0.45,
            strands_per_bundle: 3,
            self_contact: true,
            can_sleep: false,
            ..RodsDesc::default()
        };
        w.add_rods(desc).unwrap();
        (0..60).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert!(w.bundle_products() > 0 && w.stats().contacts > 0);
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..30).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - before, 0);
    }
}
