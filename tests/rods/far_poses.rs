//! Poses up to the largest coordinate that is taken, however absurd: what is read back is a number.

use crate::tied::DT;
use withy::tasks::Inline;
use withy::world::*;

/// A number of -1 to 1.
fn draw(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % 2001) as f64 / 1000.0 - 1.0
}

#[test]
fn whatever_is_written_stays_finite() {
    let kinds = [
        (RodModel::Ghost, SweepOrder::Direct),
        (RodModel::Ghost, SweepOrder::Alternating),
        (RodModel::Ghost, SweepOrder::RootToTip),
        (RodModel::Der, SweepOrder::Direct),
    ];
    for double_precision in [false, true] {
        for (model, order) in kinds {
            for root in [EndSupport::Free, EndSupport::Pinned, EndSupport::Clamped] {
                let mut random = 7;
                for far in [1e6, 1e8, 1e9] {
                    for pose in 0..12 {
                        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
                        let positions: Vec<[f64; 3]> = (0..16).map(|v| [0.02 * f64::from(v), 0.0, 0.0]).collect();
                        let desc = RodsDesc {
                            positions,
                            counts: vec![16],
                            radii: vec![2e-3],
                            root,
                            model,
                            order,
                            ..RodsDesc::default()
                        };
                        let id = w.add_rods(desc).unwrap();
                        w.step(DT, &Inline).unwrap();
                        let at = |i: usize, random: &mut u64| match pose {
                            0 => [far; 3],
                            1 => [if i.is_multiple_of(2) { far } else { -far }, 0.0, 0.0],
                            2 => [far - 0.02 * (16 - i) as f64, 0.0, -far],
                            _ => [0; 3].map(|_| far * draw(random)),
                        };
                        w.rods_mut(id).unwrap().write_positions(|i| at(i, &mut random)).unwrap();
                        for _ in 0..10 {
                            w.step(DT, &Inline).unwrap();
                        }
                        let rods = w.rods(id).unwrap();
                        let what = format!("{model:?} {order:?} {root:?}, f64 {double_precision}, {far:e} m, pose {pose}");
                        rods.read_positions(|i, p| assert!(p.iter().all(|x| x.is_finite()), "{what}: positions[{i}] {p:?}"));
                        rods.read_velocities(|i, v| assert!(v.iter().all(|x| x.is_finite()), "{what}: velocities[{i}] {v:?}"));
                    }
                }
            }
        }
    }
}
