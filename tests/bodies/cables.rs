//! Cables over pulleys: what they hold, how fast they run, what they keep.

use withy::tasks::Inline;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn world(double_precision: bool) -> World {
    World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap()
}
/// A ball of `mass` kg.
fn ball(w: &mut World, at: [f64; 3], mass: f64) -> Id {
    let radius = 0.1;
    let shape = ShapeDesc { shape: BodyShape::Sphere { radius }, mask: 2, ..ShapeDesc::default() };
    let pose = Pose { position: at, ..Pose::IDENTITY };
    w.add_body(&BodyDesc { shapes: vec![shape], mass, pose, linear_damping: 0.0, angular_damping: 0.0, ..BodyDesc::default() })
        .unwrap()
}
fn on(body: Id, position: [f64; 3]) -> CablePoint {
    CablePoint { body: Some(body), position, ..CablePoint::default() }
}
fn at(position: [f64; 3]) -> CablePoint {
    CablePoint { position, ..CablePoint::default() }
}
fn wheel(position: [f64; 3], radius: f64, axis: [f64; 3]) -> CablePoint {
    CablePoint { position, radius, axis, ..CablePoint::default() }
}
fn steps(w: &mut World, count: usize) {
    (0..count).for_each(|_| w.step(DT, &Inline).unwrap());
}
fn height(w: &World, id: Id) -> f64 {
    w.body_pose(id).unwrap().position[1]
}

/// Atwood's machine: a = g (m₁ − m₂)/(m₁ + m₂), T = 2 g m₁ m₂/(m₁ + m₂); over an eye and over a wheel.
#[test]
fn atwood() {
    for double_precision in [false, true] {
        for radius in [0.0, 0.25] {
            let mut w = world(double_precision);
            let (a, b) = (ball(&mut w, [-0.25, -2.0, 0.0], 3.0), ball(&mut w, [0.25, -2.0, 0.0], 1.0));
            let middle = if radius > 0.0 {
                // From the left over the top: clockwise as one looks along −z, so about −z.
                vec![wheel([0.0, 0.0, 0.0], radius, [0.0, 0.0, -2.0])]
            } else {
                vec![at([-0.25, 0.0, 0.0]), at([0.25, 0.0, 0.0])]
            };
            let mut points = vec![on(a, [-0.25, -2.0, 0.0])];
            points.extend(middle);
            points.push(on(b, [0.25, -2.0, 0.0]));
            let cable = w.add_cable(&CableDesc { points, ..CableDesc::default() }).unwrap();
            let state = w.cable_state(cable).unwrap();
            let over = if radius > 0.0 { std::f64::consts::PI * radius } else { 0.5 };
            assert!((state.length - 4.0 - over).abs() < 1e-6, "{state:?}");
            steps(&mut w, 30);
            let state = w.cable_state(cable).unwrap();
            let what = format!("f64 {double_precision}, radius {radius}: {state:?}");
            let (t, h) = (0.5, DT / 8.0);
            let fall = 0.5 * 9.81 * 0.5 * t * (t + h);
            assert!((height(&w, a) + 2.0 + fall).abs() < 2e-4, "{what}: {} {fall}", height(&w, a));
            assert!((height(&w, b) + 2.0 - fall).abs() < 2e-4, "{what}: {} {fall}", height(&w, b));
            assert!((state.tension / (2.0 * 9.81 * 3.0 / 4.0) - 1.0).abs() < 1e-3, "{what}");
            assert!((state.path - state.length).abs() < 1e-4, "{what}");
        }
    }
}

/// A block with two falls of rope: 1 kg holds 2 kg, and it goes down twice as far.
#[test]
fn block_and_tackle() {
    let mut w = world(false);
    let (load, weight) = (ball(&mut w, [0.0, -2.0, 0.0], 2.0), ball(&mut w, [0.2, -1.0, 0.0], 1.0));
    let points = vec![
        at([-0.05, 0.0, 0.0]),
        on(load, [0.0, -1.9, 0.0]),
        at([0.05, 0.0, 0.0]),
        at([0.2, 0.0, 0.0]),
        on(weight, [0.2, -1.0, 0.0]),
    ];
    let cable = w.add_cable(&CableDesc { points, ..CableDesc::default() }).unwrap();
    steps(&mut w, 120);
    let moved = [height(&w, load) + 2.0, height(&w, weight) + 1.0];
    assert!(moved.iter().all(|d| d.abs() < 0.02), "{moved:?}");
    // A push on the weight.
    w.set_body_motion(weight, [0.0, -0.4, 0.0], [0.0; 3]).unwrap();
    let before = [height(&w, load), height(&w, weight)];
    steps(&mut w, 30);
    let (up, down) = (height(&w, load) - before[0], before[1] - height(&w, weight));
    assert!(up > 0.01 && (down / up - 2.0).abs() < 0.02, "{up} {down}");
    assert!(w.cable_state(cable).unwrap().tension > 5.0);
}

/// A winch lifts a load at the speed at which it hauls in, and the cable is loose when the load stands.
#[test]
fn a_winch_lifts_and_lowers() {
    let mut w = world(false);
    w.add_collider(ColliderDesc {
        category: 2,
        pose: Pose { position: [0.0, -2.0, 0.0], ..Pose::IDENTITY },
        ..ColliderDesc::default()
    })
    .unwrap();
    let load = ball(&mut w, [0.0, -1.9, 0.0], 50.0);
    let points = vec![at([-1.0, -2.0, 0.0]), wheel([-0.1, 0.0, 0.0], 0.1, [0.0, 0.0, -1.0]), on(load, [0.0, -1.8, 0.0])];
    let cable = w.add_cable(&CableDesc { points, ..CableDesc::default() }).unwrap();
    let start = w.cable_state(cable).unwrap().length;
    for k in 1..=120 {
        w.set_cable_length(cable, start - 0.5 * DT * f64::from(k)).unwrap();
        steps(&mut w, 1);
    }
    let state = w.cable_state(cable).unwrap();
    assert!((height(&w, load) + 0.9).abs() < 3e-3, "{} {state:?}", height(&w, load));
    assert!((state.tension / (50.0 * 9.81) - 1.0).abs() < 0.02, "{state:?}");
    for k in 1..=150 {
        w.set_cable_length(cable, start - 1.0 + 0.5 * DT * f64::from(k)).unwrap();
        steps(&mut w, 1);
    }
    let state = w.cable_state(cable).unwrap();
    assert!((height(&w, load) + 1.9).abs() < 3e-3 && state.tension == 0.0 && state.path < state.length - 0.2, "{state:?}");
}

/// Momentum stays between free bodies, and no energy comes from a cable.
#[test]
fn bodies_on_a_cable_keep_their_momentum() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let bodies = [ball(&mut w, [0.0; 3], 1.0), ball(&mut w, [1.0, 0.0, 0.0], 2.0), ball(&mut w, [1.0, 1.0, 0.2], 3.0)];
    // Off their centres, so that it turns them.
    let points = vec![on(bodies[0], [0.0, 0.1, 0.0]), on(bodies[1], [1.0, 0.0, 0.1]), on(bodies[2], [1.1, 1.0, 0.2])];
    w.add_cable(&CableDesc { points, ..CableDesc::default() }).unwrap();
    w.set_body_motion(bodies[0], [-3.0, 0.5, 0.0], [0.0, 0.0, 2.0]).unwrap();
    w.set_body_motion(bodies[2], [1.0, 1.0, -1.0], [0.0; 3]).unwrap();
    let momenta = |w: &World| {
        let (mut p, mut l) = ([0.0; 3], [0.0; 3]);
        for &b in &bodies {
            let (x, [v, spin]) = (w.body_center(b).unwrap(), w.body_motion(b).unwrap());
            let body = w.body(b).unwrap();
            for k in 0..3 {
                p[k] += body.mass * v[k];
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                l[k] += body.mass * (x[i] * v[j] - x[j] * v[i]) + body.moments[k] * spin[k];
            }
        }
        (p, l)
    };
    let energy = |w: &World| bodies.iter().map(|&b| w.body_energy(b).unwrap()[0]).sum::<f64>();
    let (before, e) = (momenta(&w), energy(&w));
    steps(&mut w, 120);
    let after = momenta(&w);
    for k in 0..3 {
        assert!((before.0[k] - after.0[k]).abs() < 1e-9, "{before:?} {after:?}");
        // Relaxing acts along the lines of the substep's start, as with joints.
        assert!((before.1[k] - after.1[k]).abs() < 0.02, "{before:?} {after:?}");
    }
    // They were loose at first: what jerks is lost. Nothing is gained.
    assert!(energy(&w) < e * (1.0 + 1e-6), "{} {e}", energy(&w));
}

/// A jib on a hinge, held up by a cable and with a load on another: it stays where it is.
#[test]
fn a_crane_stands() {
    let mut w = world(false);
    let shape = ShapeDesc { shape: BodyShape::Box { half_extents: [1.5, 0.1, 0.1] }, ..ShapeDesc::default() };
    let jib = BodyDesc {
        shapes: vec![shape],
        mass: 48.0,
        pose: Pose { position: [1.5, 0.0, 0.0], ..Pose::IDENTITY },
        ..BodyDesc::default()
    };
    let jib = w.add_body(&jib).unwrap();
    let frame = Pose { position: [-1.5, 0.0, 0.0], ..Pose::IDENTITY };
    let kind = JointKind::Hinge { limits: [f64::NEG_INFINITY, f64::INFINITY] };
    w.add_joint(&JointDesc { frame_b: frame, a: None, b: jib, frame_a: Pose::IDENTITY, kind, motor: None, collide: false })
        .unwrap();
    // 48 kg of jib, 500 kg of load.
    let load = ball(&mut w, [3.0, -2.0, 0.0], 500.0);
    let held = vec![at([0.0, 2.0, 0.0]), on(jib, [3.0, 0.1, 0.0])];
    let held = w.add_cable(&CableDesc { points: held, ..CableDesc::default() }).unwrap();
    let lift = vec![at([0.0, 2.0, 0.0]), on(jib, [3.0, 0.0, 0.0]), on(load, [3.0, -1.9, 0.0])];
    let lift = w.add_cable(&CableDesc { points: lift, ..CableDesc::default() }).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..300 {
        steps(&mut w, 1);
        worst = worst.max((height(&w, load) + 2.0).abs());
    }
    let (a, b) = (w.cable_state(held).unwrap(), w.cable_state(lift).unwrap());
    assert!(worst < 0.01, "{worst} {a:?} {b:?}");
    assert!((b.tension / (500.0 * 9.81) - 1.0).abs() < 0.01, "{a:?} {b:?}");
    // About the hinge: the load, half of the jib, and both cables to the mast.
    let sin = |y: f64| (2.0 - y) / (9.0 + (2.0 - y) * (2.0 - y)).sqrt();
    let due = (500.0 * 9.81 + 0.5 * 48.0 * 9.81 - 500.0 * 9.81 * sin(0.0)) / sin(0.1);
    assert!((a.tension / due - 1.0).abs() < 0.05, "{a:?}, due {due}");
}

/// A pile on which one cable lies is the same on any number of threads: a large island, cut into parts.
#[test]
fn a_large_island_is_the_same_on_threads() {
    let run = |runner: &dyn TaskRunner| {
        let mut w = world(false);
        w.add_collider(ColliderDesc::default()).unwrap();
        let mut all = Vec::new();
        for k in 0..2304 {
            let (x, y, z) = (f64::from(k % 16), f64::from(k / 256), f64::from(k / 16 % 16));
            let shape = ShapeDesc { shape: BodyShape::Box { half_extents: [0.1; 3] }, ..ShapeDesc::default() };
            let pose = Pose { position: [0.201 * x + 0.05 * (y % 2.0), 0.1 + 0.2 * y, 0.201 * z], ..Pose::IDENTITY };
            all.push(w.add_body(&BodyDesc { shapes: vec![shape], pose, ..BodyDesc::default() }).unwrap());
        }
        // From one corner through the middle to the other, with its end on a kinematic hand.
        let hand = Pose { position: [1.5, 3.0, 1.5], ..Pose::IDENTITY };
        let hand = w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, pose: hand, ..BodyDesc::default() }).unwrap();
        let at = |w: &World, id| w.body_pose(id).unwrap().position;
        let points = [all[0], all[1160], all[2303], hand].map(|id| on(id, at(&w, id)));
        let cable = w.add_cable(&CableDesc { points: points.to_vec(), ..CableDesc::default() }).unwrap();
        for k in 1..=20 {
            let to = Pose { position: [1.5, 3.0 + 0.02 * f64::from(k), 1.5], ..Pose::IDENTITY };
            w.set_body_target(hand, to).unwrap();
            w.step(DT, runner).unwrap();
        }
        let state = w.cable_state(cable).unwrap();
        assert!(state.tension > 100.0 && (state.path / state.length - 1.0).abs() < 0.01, "{state:?}");
        w.state_hash()
    };
    assert_eq!(run(&Inline), run(&Pool::new(3).unwrap()));
}

#[test]
fn a_cable_stretches_and_breaks() {
    let mut w = world(true);
    let load = ball(&mut w, [0.0, -1.0, 0.0], 10.0);
    let points = vec![at([0.0; 3]), on(load, [0.0, -1.0, 0.0])];
    let cable = CableDesc { points, stiffness: 9810.0, break_force: 300.0, ..CableDesc::default() };
    let cable = w.add_cable(&cable).unwrap();
    steps(&mut w, 600);
    let state = w.cable_state(cable).unwrap();
    // 98.1 N on 9,810 N.
    assert!((state.path - 1.01).abs() < 1e-3 && !state.broken, "{state:?}");
    w.push_body(load, [0.0, -400.0, 0.0], None, [0.0; 3]).unwrap();
    for _ in 0..10 {
        w.push_body(load, [0.0, -400.0, 0.0], None, [0.0; 3]).unwrap();
        steps(&mut w, 1);
    }
    let state = w.cable_state(cable).unwrap();
    assert!(state.broken, "{state:?}");
    steps(&mut w, 60);
    assert!(height(&w, load) < -3.0);
    assert_eq!(w.cable_state(cable).unwrap().tension, 0.0);
}

#[test]
fn states_and_bad_input() {
    let mut w = world(false);
    let (a, b) = (ball(&mut w, [-0.3, -1.0, 0.0], 1.0), ball(&mut w, [0.3, -1.0, 0.0], 1.2));
    let points = vec![on(a, [-0.3, -1.0, 0.0]), wheel([0.0; 3], 0.2, [0.0, 0.0, -1.0]), on(b, [0.3, -1.0, 0.0])];
    let cable = w.add_cable(&CableDesc { points: points.clone(), ..CableDesc::default() }).unwrap();
    steps(&mut w, 10);
    let mut saved = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut saved).unwrap();
    let mut drawn = Vec::new();
    w.read_cable(cable, |_, x| drawn.push(x)).unwrap();
    assert_eq!(drawn.len(), w.cable_points(cable).unwrap());
    // On the wheel's rim, over its top.
    assert!(drawn[1..18].iter().all(|x| (x[0].hypot(x[1]) - 0.2).abs() < 1e-6) && drawn[9][1] > 0.1, "{drawn:?}");
    w.set_cable_length(cable, 2.0).unwrap();
    steps(&mut w, 10);
    let once = w.state_hash();
    w.restore_state(&saved).unwrap();
    w.set_cable_length(cable, 2.0).unwrap();
    steps(&mut w, 10);
    assert_eq!(w.state_hash(), once);

    let says = |r: Result<Id>, word: &str| {
        let e = r.unwrap_err();
        assert!(e.message.contains(word), "{}", e.message);
    };
    let with = |change: &dyn Fn(&mut CableDesc)| {
        let mut d = CableDesc { points: points.clone(), ..CableDesc::default() };
        change(&mut d);
        d
    };
    says(w.add_cable(&with(&|d| d.points.truncate(1))), "points has 1");
    says(w.add_cable(&with(&|d| d.points[1].axis = [0.0; 3])), "points[1].axis");
    says(w.add_cable(&with(&|d| d.points[1].radius = -1.0)), "points[1].radius");
    says(w.add_cable(&with(&|d| d.points[0].radius = 1.0)), "points[0].radius");
    says(w.add_cable(&with(&|d| d.points[2].position[1] = f64::NAN)), "points[2].position");
    says(w.add_cable(&with(&|d| d.length = -1.0)), "length");
    says(w.add_cable(&with(&|d| d.stiffness = f64::INFINITY)), "stiffness");
    says(w.add_cable(&with(&|d| d.break_force = 0.0)), "break_force");
    assert!(w.set_cable_length(cable, 0.0).is_err());
    // The cable goes with what it hangs on.
    w.remove_body(a).unwrap();
    assert!(w.cable_state(cable).is_err());
    steps(&mut w, 2);
}
