//! Rods that keep their volume and are solved directly, pressed from the side: they become thinner and longer.

use crate::scene::*;
use withy::tasks::Inline;
use withy::world::*;

const YOUNG: f64 = 6e4;
const NU: f64 = 0.45;

fn flesh(positions: Vec<V3>, model: RodModel) -> RodsDesc {
    RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        radii: vec![0.01],
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + NU)) },
        poisson_ratio: NU,
        density: 1060.0,
        order: SweepOrder::Direct,
        model,
        iterations: 1,
        damping: 3.0,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

fn plate(y: f64) -> Pose {
    Pose { position: [0.0, y, 0.0], rotation: if y > 0.0 { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] } }
}

/// Mean radius and length over those at rest, and how fast the fastest vertex is.
fn shape(w: &World, id: Id, length: f64) -> [f64; 3] {
    let (mut at, mut radii, mut fastest) = (Vec::new(), Vec::new(), 0.0f64);
    let rods = w.rods(id).unwrap();
    rods.read_positions(|_, p| at.push(withy::math::Vec3::from(p)));
    rods.read_radii(|_, r| radii.push(r / 0.01));
    rods.read_velocities(|_, v| fastest = fastest.max(withy::math::Vec3::from(v).length()));
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    [mean, at.windows(2).map(|e| (e[1] - e[0]).length()).sum::<f64>() / length, fastest]
}

/// Between two plates that come together: as thin as there is room, as long as the elastic solid is, and at rest.
#[test]
fn between_plates() {
    for (room, solid) in [(0.7, 1.5405), (0.85, 1.2694)] {
        for model in [RodModel::Ghost, RodModel::Der] {
            for double in [false, true] {
                let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: double, ..WorldDesc::default() }).unwrap();
                let still = ColliderDesc { friction: 0.0, ..ColliderDesc::default() };
                let plates = [-0.01, 0.01].map(|y| (y, w.add_collider(ColliderDesc { pose: plate(y), ..still }).unwrap()));
                let id = w.add_rods(RodsDesc { friction: 0.0, ..flesh(horizontal(8, 0.16), model) }).unwrap();
                for frame in 1..=300 {
                    let part = (f64::from(frame) / 120.0).min(1.0);
                    for &(y, id) in &plates {
                        w.set_collider_pose(id, plate(y * (1.0 + (room - 1.0) * part)), false).unwrap();
                    }
                    w.step(1.0 / 60.0, &Inline).unwrap();
                    if frame % 20 == 0 && std::env::var("SHOW").is_ok() {
                        println!("{frame}: {:?}", shape(&w, id, 0.16));
                    }
                }
                let [mean, length, fastest] = shape(&w, id, 0.16);
                println!("room {room}, {model:?}, double {double}: mean radius {mean:.4}, length {length:.4} of {solid:.4}, {fastest:.1e} m/s");
            }
        }
    }
}
