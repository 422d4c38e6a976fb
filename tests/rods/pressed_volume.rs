//! Rods that keep their volume and are solved directly, pressed from the side: they become thinner and longer.

use crate::scene::*;
use withy::math::Vec3;
use withy::tasks::Inline;
use withy::world::*;

const YOUNG: f64 = 6e4;
const RADIUS: f64 = 0.01;
const LENGTH: f64 = 0.16;

fn flesh(positions: Vec<V3>, model: RodModel) -> RodsDesc {
    RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / 2.9 },
        poisson_ratio: 0.45,
        density: 1060.0,
        order: SweepOrder::Direct,
        model,
        iterations: 1,
        damping: 3.0,
        ..RodsDesc::default()
    }
}

fn plate(y: f64) -> Pose {
    Pose { position: [0.0, y, 0.0], rotation: if y > 0.0 { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] } }
}

/// Mean radius and length over those at rest, volume over that at rest, and how fast the fastest vertex is, m/s.
struct Shape {
    radius: f64,
    length: f64,
    volume: f64,
    fastest: f64,
}

fn shape(w: &World, id: Id) -> Shape {
    let (mut at, mut radii, mut volumes, mut fastest) = (Vec::new(), Vec::new(), Vec::new(), 0.0f64);
    let rods = w.rods(id).unwrap();
    rods.read_positions(|_, p| at.push(Vec3::from(p)));
    rods.read_radii(|_, r| radii.push(r / RADIUS));
    rods.read_volumes(|_, v| volumes.push(v));
    rods.read_velocities(|_, v| fastest = fastest.max(Vec3::from(v).length()));
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let length = at.windows(2).map(|e| (e[1] - e[0]).length()).sum::<f64>() / LENGTH;
    Shape { radius: mean(&radii), length, volume: mean(&volumes), fastest }
}

/// A rod between two plates, of which `room(frame)` says how far apart they are, in its diameters.
fn between(desc: RodsDesc, double: bool, gravity: f64, friction: f64, frames: u32, room: impl Fn(u32) -> f64) -> (World, Id) {
    let mut w =
        World::new(WorldDesc { gravity: [0.0, -gravity, 0.0], double_precision: double, ..WorldDesc::default() }).unwrap();
    let still = ColliderDesc { friction, ..ColliderDesc::default() };
    let plates = [-RADIUS, RADIUS].map(|y| (y, w.add_collider(ColliderDesc { pose: plate(y), ..still }).unwrap()));
    let id = w.add_rods(RodsDesc { friction, ..desc }).unwrap();
    for frame in 1..=frames {
        for &(y, id) in &plates {
            w.set_collider_pose(id, plate(y * room(frame)), false).unwrap();
        }
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    (w, id)
}

const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

/// Between two plates that come together: as thin as there is room, as long as the elastic solid is, with its volume, and at rest.
#[test]
fn between_plates() {
    // The solid's length and its volume.
    for (room, length, volume) in [(0.7, 1.5405, 0.7548), (0.85, 1.2694, 0.9171)] {
        for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
            let closing = |frame: u32| 1.0 + (room - 1.0) * (f64::from(frame) / 120.0).min(1.0);
            let (w, id) = between(flesh(horizontal(8, LENGTH), model), double, 0.0, 0.0, 180, closing);
            let now = shape(&w, id);
            println!(
                "room {room}, {model:?}, double {double}: radius {:.4}, length {:.4} of {length:.4}, volume {:.4} of {volume:.4}, {:.1e} m/s",
                now.radius, now.length, now.volume, now.fastest
            );
            assert!((room..room * 1.004).contains(&now.radius), "{}", now.radius);
            assert!((now.length / length - 1.0).abs() < 3e-3, "{}", now.length);
            assert!((now.volume / volume - 1.0).abs() < 5e-3, "{}", now.volume);
            assert!(now.fastest < if double { 1e-9 } else { 1e-5 }, "{}", now.fastest);
        }
    }
}

/// With weight and friction it comes to rest, too, and sleeps; let go, it is as it was.
#[test]
fn squeezed_and_let_go() {
    for (model, friction) in MODELS.into_iter().flat_map(|m| [(m, 0.0), (m, 0.5)]) {
        let rod = || flesh(horizontal(8, LENGTH), model);
        let closing = |frame: u32| 1.0 - 0.3 * (f64::from(frame) / 60.0).min(1.0);
        let (w, id) = between(rod(), false, 9.81, friction, 150, closing);
        let now = shape(&w, id);
        println!("{model:?}, friction {friction}: radius {:.4}, length {:.4}", now.radius, now.length);
        assert!(w.rods_sleep(id).unwrap(), "it goes on at {:.1e} m/s", now.fastest);
        assert!((0.7..0.705).contains(&now.radius), "{}", now.radius);
        // What sticks to both plates becomes no longer.
        assert!((now.length - if friction > 0.0 { 1.0 } else { 1.54 }).abs() < 5e-3, "{}", now.length);
        let opening = |frame: u32| closing(frame) + (f64::from(frame.max(90) - 90) / 60.0).min(0.8);
        let (w, id) = between(rod(), false, 9.81, friction, 220, opening);
        let now = shape(&w, id);
        println!("let go: radius {:.4}, length {:.4}", now.radius, now.length);
        assert!(w.rods_sleep(id).unwrap(), "it goes on at {:.1e} m/s", now.fastest);
        assert!((now.radius - 1.0).abs() < 2e-3 && (now.length - 1.0).abs() < 2e-3, "{} {}", now.radius, now.length);
    }
}

/// Pressed to 0.6 of its thickness within a frame, of soft and of stiff material.
#[test]
fn squeezed_at_once() {
    for (model, young) in MODELS.into_iter().flat_map(|m| [(m, YOUNG), (m, 1e6), (m, 1e7)]) {
        let stiffness = Stiffness::Physical { young, shear: young / 2.9 };
        let rod = RodsDesc { stiffness, ..flesh(horizontal(8, LENGTH), model) };
        for (frames, fastest) in [(10, 0.3), (11, 1e-2), (80, 1e-5)] {
            let (w, id) = between(rod.clone(), false, 9.81, 0.3, frames, |frame| if frame < 10 { 1.0 } else { 0.6 });
            let now = shape(&w, id);
            println!(
                "{model:?}, {young:e} Pa, {frames}: radius {:.4}, length {:.4}, {:.1e} m/s",
                now.radius, now.length, now.fastest
            );
            assert!((0.6..0.612).contains(&now.radius) && (1.0..1.7).contains(&now.length), "{} {}", now.radius, now.length);
            assert!(now.fastest < fastest, "{} m/s", now.fastest);
        }
    }
}

/// What lies on one collider gives a little, by its weight, and sleeps.
#[test]
fn lies_on_the_ground() {
    for model in MODELS {
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_collider(ColliderDesc { pose: plate(-0.03), friction: 0.5, ..ColliderDesc::default() }).unwrap();
        let id = w.add_rods(RodsDesc { friction: 0.5, ..flesh(horizontal(8, LENGTH), model) }).unwrap();
        (0..60).for_each(|_| w.step(1.0 / 60.0, &Inline).map(|_| ()).unwrap());
        let now = shape(&w, id);
        println!("{model:?}: radius {:.5}, length {:.5}", now.radius, now.length);
        assert!(w.rods_sleep(id).unwrap(), "it goes on at {:.1e} m/s", now.fastest);
        assert!((0.9995..0.9999).contains(&now.radius), "{}", now.radius);
    }
}
