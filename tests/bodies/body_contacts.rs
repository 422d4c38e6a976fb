//! Contacts that yield: a spring's laws, whatever the solver. The default, which does not yield, is met in `bodies.rs`.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

fn body(shape: BodyShape, height: f64, stiffness: f64, damping: f64) -> BodyDesc {
    let shape = ShapeDesc { shape, stiffness, damping, ..ShapeDesc::default() };
    BodyDesc {
        pose: Pose { position: [0.0, height, 0.0], ..Pose::IDENTITY },
        shapes: vec![shape],
        can_sleep: false,
        linear_damping: 0.0,
        angular_damping: 0.0,
        ..BodyDesc::default()
    }
}

fn world(double_precision: bool, substeps: u32) -> World {
    World::new(WorldDesc { double_precision, substeps, ..WorldDesc::default() }).unwrap()
}

fn height(w: &World, id: Id) -> f64 {
    w.body_pose(id).unwrap().position[1]
}

fn steps(w: &mut World, n: usize) {
    for _ in 0..n {
        w.step(DT, &Inline).unwrap();
    }
}

const BALL: BodyShape = BodyShape::Sphere { radius: 0.1 };
const CUBE: BodyShape = BodyShape::Box { half_extents: [0.1; 3] };

/// Depth at rest: the weight over the stiffness of all points, on a collider, and on a static body that yields too.
#[test]
fn what_yields_sinks_as_its_stiffness_says() {
    for double in [false, true] {
        for (shape, points) in [(BALL, 1.0), (CUBE, 4.0)] {
            for below in [None, Some(3000.0)] {
                let mut w = world(double, 8);
                match below {
                    None => {
                        w.add_collider(ColliderDesc::default()).unwrap();
                    }
                    Some(k) => {
                        let slab = BodyShape::Box { half_extents: [1.0, 0.5, 1.0] };
                        let slab = body(slab, -0.5, k, 20.0);
                        w.add_body(&BodyDesc { motion: BodyMotion::Static, ..slab }).unwrap();
                    }
                }
                let k = 6000.0;
                let b = w.add_body(&body(shape.clone(), 0.12, k, 60.0)).unwrap();
                let mass = w.body(b).unwrap().mass;
                steps(&mut w, 400);
                let k = below.map_or(k, |o| 1.0 / (1.0 / k + 1.0 / o));
                let depth = 0.1 - height(&w, b);
                let expected = mass * G / (k * points);
                assert!((depth / expected - 1.0).abs() < 0.01, "{shape:?} {below:?} {double}: {depth} {expected}");
            }
        }
    }
}

/// A ball let go where it touches swings once around its rest in 2π√(m/k), and never higher than before.
#[test]
fn what_yields_swings_with_its_period_and_gains_nothing() {
    let (k, substeps) = (4000.0, 64);
    let mut w = world(true, substeps);
    w.add_collider(ColliderDesc::default()).unwrap();
    let b = w.add_body(&body(BALL, 0.1, k, 0.0)).unwrap();
    let mass = w.body(b).unwrap().mass;
    let period = core::f64::consts::TAU * (mass / k).sqrt();
    let dt = period / 100.0;
    let energy = |w: &World| {
        let [v, _] = w.body_motion(b).unwrap();
        let y = height(w, b);
        0.5 * mass * v[1] * v[1] + mass * G * y + 0.5 * k * (0.1 - y).max(0.0).powi(2)
    };
    let (mut lowest, mut at) = (f64::INFINITY, 0);
    let mut last = energy(&w);
    for i in 1..=100 {
        w.step(dt, &Inline).unwrap();
        if height(&w, b) < lowest {
            (lowest, at) = (height(&w, b), i);
        }
        let now = energy(&w);
        assert!(now < last + 1e-6, "step {i}: {last} to {now}");
        last = now;
    }
    assert!((49..=51).contains(&at), "lowest after {at} hundredths of the period");
    // Twice the depth at rest, less what the implicit step takes.
    let depth = (0.1 - lowest) / (2.0 * mass * G / k);
    assert!((0.97..1.0).contains(&depth), "{depth}");
    // Back where it came from.
    assert!((height(&w, b) - 0.1).abs() < 0.002, "{}", height(&w, b));
}

/// A ball that falls: the spring turns it around, and damping decides how high it comes; what does not yield stays down.
#[test]
fn what_yields_bounces_by_its_damping() {
    let top = |stiffness: f64, damping: f64| {
        let mut w = world(false, 32);
        w.add_collider(ColliderDesc::default()).unwrap();
        let b = w.add_body(&body(BALL, 0.6, stiffness, damping)).unwrap();
        let mut top: f64 = 0.0;
        for i in 0..90 {
            steps(&mut w, 1);
            if i > 24 {
                top = top.max(height(&w, b));
            }
        }
        top - 0.1
    };
    let [hard, free, damped, dead] = [top(0.0, 0.0), top(2e4, 0.0), top(2e4, 60.0), top(2e4, 1e4)];
    assert!(hard < 0.01, "{hard}");
    assert!((0.42..0.5).contains(&free), "{free}");
    // ζ = 60 / (2 √(k m)) = 0.1: e = exp(−π ζ / √(1 − ζ²)) = 0.72, e² of the height.
    assert!((0.18..0.28).contains(&damped), "{damped}");
    assert!(dead < 0.01, "{dead}");
}

#[test]
fn springs_that_are_none() {
    let wrong =
        |stiffness: f64, damping: f64| world(false, 8).add_body(&body(BALL, 0.0, stiffness, damping)).unwrap_err().to_string();
    assert!(wrong(-1.0, 0.0).starts_with("shapes[0]: stiffness is -1"));
    assert!(wrong(f64::NAN, 0.0).starts_with("shapes[0]: stiffness is NaN"));
    assert!(wrong(1e10, 0.0).starts_with("shapes[0]: stiffness is 10000000000"));
    assert!(wrong(1.0, -1.0).starts_with("shapes[0]: damping is -1"));
    assert_eq!(wrong(0.0, 5.0), "shapes[0]: damping is 5, which needs a stiffness");
}

/// What still swings on its contacts does not sleep: it does at the depth that its weight asks for, however softly it was damped.
#[test]
fn what_yields_sleeps_at_its_depth() {
    for (k, damping) in [(2000.0, 4.0), (4109.0, 3.0), (4109.0, 40.0), (20000.0, 20.0)] {
        let mut w = world(false, 8);
        w.add_collider(ColliderDesc::default()).unwrap();
        let b = w.add_body(&BodyDesc { can_sleep: true, ..body(BALL, 0.13, k, damping) }).unwrap();
        let mass = w.body(b).unwrap().mass;
        let mut slept = None;
        for i in 0..6000 {
            steps(&mut w, 1);
            if w.body_sleeps(b).unwrap() {
                slept = Some(i);
                break;
            }
        }
        let (depth, expected) = (0.1 - height(&w, b), mass * G / k);
        assert!(slept.is_some(), "k = {k}, d = {damping}: awake after 100 s");
        assert!(
            (depth / expected - 1.0).abs() < 0.02,
            "k = {k}, d = {damping}: {depth} m deep, should be {expected}, asleep in step {slept:?}"
        );
    }
}

/// Between two that both move and both yield: as one spring behind the other, whatever their restitution; and friction holds as on hard ground.
#[test]
fn what_yields_does_so_on_both_sides() {
    let (k, o) = (4000.0, 9000.0);
    let mut w =
        World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, substeps: 32, ..WorldDesc::default() }).unwrap();
    let mut thrown = |x: f64, v: f64, stiffness: f64, restitution: f64| {
        let mut d = BodyDesc { velocity: [v, 0.0, 0.0], ..body(BALL, 0.0, stiffness, 0.0) };
        d.pose.position[0] = x;
        d.shapes[0].restitution = restitution;
        w.add_body(&d).unwrap()
    };
    let (a, b) = (thrown(-0.1, 1.0, k, 0.9), thrown(0.1, -1.0, o, 0.0));
    let mass = w.body(a).unwrap().mass;
    let series = 1.0 / (1.0 / k + 1.0 / o);
    // Two masses on a spring: ω² = 2 k/m; half a period in touch, deepest after a quarter by 2 v/ω.
    let omega = (2.0 * series / mass).sqrt();
    let (dt, mut deepest) = (core::f64::consts::PI / omega / 100.0, f64::INFINITY);
    for _ in 0..120 {
        w.step(dt, &Inline).unwrap();
        let [x, y] = [a, b].map(|id| w.body_pose(id).unwrap().position[0]);
        deepest = deepest.min(y - x - 0.2);
    }
    assert!((-deepest * omega / 2.0 - 1.0).abs() < 0.02, "{deepest} m deep, should be {}", 2.0 / omega);
    let v = w.body_motion(b).unwrap()[0][0];
    assert!((0.97..1.001).contains(&v), "they part with {v} of the speed they came with");

    // A box on a slope that is as steep as friction holds, and a little steeper.
    for (slope, holds) in [(0.55f64, true), (0.65, false)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let (s, c) = (slope.atan() / 2.0).sin_cos();
        let turned = [0.0, 0.0, -s, c];
        let ground =
            ColliderDesc { pose: Pose { position: [0.0; 3], rotation: turned }, friction: 0.6, ..ColliderDesc::default() };
        w.add_collider(ground).unwrap();
        let mut d = body(CUBE, 0.0, 20_000.0, 100.0);
        let (sine, cosine) = slope.atan().sin_cos();
        d.pose = Pose { position: [0.1 * sine, 0.1 * cosine, 0.0], rotation: turned };
        let b = w.add_body(&d).unwrap();
        steps(&mut w, 120);
        let p = w.body_pose(b).unwrap().position;
        let way = p[0] * cosine - p[1] * sine;
        // Without friction's last part: ½ g (sin − 0.6 cos) t².
        let slid = 0.5 * G * (sine - 0.6 * cosine).max(0.0) * 4.0;
        assert!(
            if holds { way.abs() < 0.02 } else { (way / slid - 1.0).abs() < 0.1 },
            "slope {slope}: {way} m, should be {slid}"
        );
    }
}
