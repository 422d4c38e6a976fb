//! Ropes as somebody makes them who sets a shape and a material, and nothing else.

use crate::tied::{DT, ball, line};
use withy::tasks::Inline;
use withy::world::*;

fn positions(world: &World, id: Id) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    world.rods(id).unwrap().read_positions(|_, p| out.push(p));
    out
}

/// A load on a rope of 2 m and 1 GPa that only attachments hold: it hangs lower by m g L/(E A), with a body of no mass that moves not above, or with
/// the end pinned.
#[test]
fn a_crane_rope_stretches_by_what_its_modulus_says() {
    for model in [RodModel::Ghost, RodModel::Der] {
        for mass in [1.0, 10.0, 100.0] {
            let mut world = World::new(WorldDesc::default()).unwrap();
            let top = world.add_body(&BodyDesc { motion: BodyMotion::Static, ..ball([0.0; 3], 0.1, 1.0) }).unwrap();
            let load = world.add_body(&BodyDesc { linear_damping: 3.0, ..ball([0.0, -2.1, 0.0], 0.1, mass) }).unwrap();
            let rope = RodsDesc {
                positions: line([0.0; 3], [0.0, -2.0, 0.0], 41),
                counts: vec![41],
                radii: vec![5e-3],
                stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
                mask: 0,
                model,
                ..RodsDesc::default()
            };
            let rope = world.add_rods(rope).unwrap();
            world.attach_body(rope, StrandEnd { strand: 0, tip: false }, top, true).unwrap();
            world.attach_body(rope, StrandEnd { strand: 0, tip: true }, load, true).unwrap();
            for _ in 0..600 {
                world.step(DT, &Inline).unwrap();
            }
            let low = -2.1 - world.body_pose(load).unwrap().position[1];
            let right = mass * 9.81 * 2.0 / (1e9 * core::f64::consts::PI * 25e-6);
            println!("{model:?}, {mass} kg: {low:.6} m, right {right:.6}");
            // The rope's own weight is half of 0.157 kg; 0.2 mm is what f32 leaves of 2 m at eight substeps.
            assert!((low - right).abs() < 0.02 * right + 2e-4, "{model:?}, {mass} kg: {low} of {right}");
        }
    }
}

/// A rope lies along a slope of 20°. Friction of 0.5 holds up to 26.6°: in a minute it goes nowhere.
#[test]
fn a_free_rope_stays_where_friction_holds_it() {
    let creep = |degrees: f64, double_precision: bool| {
        let mut world = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let (s, c) = degrees.to_radians().sin_cos();
        let half = 0.5 * degrees.to_radians();
        let pose = Pose { position: [0.0; 3], rotation: [0.0, 0.0, half.sin(), half.cos()] };
        world.add_collider(ColliderDesc { pose, ..ColliderDesc::default() }).unwrap();
        let at = |x: f64| [x * c - 5e-3 * s, x * s + 5e-3 * c, 0.0];
        let rope =
            RodsDesc { positions: line(at(-0.3), at(0.3), 31), counts: vec![31], radii: vec![5e-3], ..RodsDesc::default() };
        let id = world.add_rods(rope).unwrap();
        (0..60).for_each(|_| world.step(DT, &Inline).unwrap());
        let start = positions(&world, id);
        (0..3600).for_each(|_| world.step(DT, &Inline).unwrap());
        let now = positions(&world, id);
        start.iter().zip(&now).map(|(a, b)| ((a[0] - b[0]) * c + (a[1] - b[1]) * s) / 31.0).sum::<f64>()
    };
    for double in [false, true] {
        for degrees in [0.0, 5.0, 20.0] {
            let moved = creep(degrees, double);
            println!("{degrees}°, f64 {double}: {moved:.2e} m");
            assert!(moved.abs() < 1e-4, "{degrees}°, f64 {double}: crept {moved} m");
        }
        let slides = creep(30.0, double);
        assert!(slides > 1.0, "30°, f64 {double}: went only {slides} m");
    }
}
