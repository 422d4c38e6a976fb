//! Rigid bodies in a world: laws that hold whatever the solver.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn ball(position: [f64; 3], radius: f64) -> BodyDesc {
    BodyDesc {
        pose: Pose { position, ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius }, ..ShapeDesc::default() }],
        ..BodyDesc::default()
    }
}

fn cuboid(position: [f64; 3], half: [f64; 3]) -> BodyDesc {
    let mut d = ball(position, 1.0);
    d.shapes[0].shape = BodyShape::Box { half_extents: half };
    d
}

fn world() -> World {
    World::new(WorldDesc::default()).unwrap()
}

fn floor(w: &mut World) -> Id {
    w.add_collider(ColliderDesc::default()).unwrap()
}

fn steps(w: &mut World, n: usize) {
    for _ in 0..n {
        w.step(DT, &Inline).unwrap();
    }
}

fn at(w: &World, id: Id) -> [f64; 3] {
    w.body_pose(id).unwrap().position
}

#[test]
fn what_nothing_touches_falls_as_galilei_says() {
    let mut w = world();
    let b = w.add_body(&BodyDesc { velocity: [1.0, 0.0, 0.0], ..ball([0.0, 100.0, 0.0], 0.5) }).unwrap();
    steps(&mut w, 60);
    let h = DT / 8.0;
    // Symplectic Euler with substeps h: g t (t + h)/2.
    let expected = 100.0 - 0.5 * 9.81 * 1.0 * (1.0 + h);
    let p = at(&w, b);
    assert!((p[1] - expected).abs() < 1e-3, "{p:?} {expected}");
    assert!((p[0] - 1.0).abs() < 1e-4, "{p:?}");
}

/// v ← (v + h g)/(1 + h c): gravity is damped with the rest, so that the speed that is never passed is g/c for any substep.
#[test]
fn what_is_damped_falls_no_faster_than_gravity_over_its_rate() {
    for (substeps, rate) in [(1, 0.5), (4, 5.0), (20, 40.0)] {
        let mut w = World::new(WorldDesc { substeps, double_precision: true, ..WorldDesc::default() }).unwrap();
        let b = w.add_body(&BodyDesc { linear_damping: rate, ..ball([0.0; 3], 0.1) }).unwrap();
        let h = 1.0 / 60.0 / f64::from(substeps);
        let mut expected = 0.0;
        for _ in 0..60 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            (0..substeps).for_each(|_| expected = (expected - h * 9.81) / (1.0 + h * rate));
        }
        let v = w.body_motion(b).unwrap()[0][1];
        assert!((v - expected).abs() < 1e-9, "{v} {expected}");
        (0..1800).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        let v = w.body_motion(b).unwrap()[0][1];
        assert!((v * rate / 9.81 + 1.0).abs() < 1e-5, "{v}");
    }
}

#[test]
fn a_box_rests_on_the_floor_and_sleeps() {
    let mut w = world();
    floor(&mut w);
    let b = w.add_body(&cuboid([0.0, 1.0, 0.0], [0.5, 0.3, 0.4])).unwrap();
    steps(&mut w, 180);
    let p = at(&w, b);
    println!("{p:?} {:?}", w.body_motion(b).unwrap());
    assert!((p[1] - 0.3).abs() < 0.01, "{p:?}");
    assert!(w.body_sleeps(b).unwrap());
}

#[test]
fn a_stack_of_ten_stands() {
    let mut w = world();
    floor(&mut w);
    let all: Vec<Id> = (0..10).map(|k| w.add_body(&cuboid([0.0, 0.25 + 0.5 * k as f64, 0.0], [0.25; 3])).unwrap()).collect();
    steps(&mut w, 300);
    for (k, &b) in all.iter().enumerate() {
        let p = at(&w, b);
        println!("{k} {p:?}");
        assert!((p[1] - 0.25 - 0.5 * k as f64).abs() < 0.03 && p[0].abs() < 0.01 && p[2].abs() < 0.01, "{k}: {p:?}");
    }
    assert!(
        all.iter().all(|&b| w.body_sleeps(b).unwrap()),
        "{:?}",
        all.iter().map(|&b| w.body_motion(b).unwrap()).collect::<Vec<_>>()
    );
}

#[test]
fn friction_holds_to_its_cone() {
    // On a slope of 20°, tan = 0.364: 0.5 sticks, 0.2 slides at g (sin − 0.2 cos).
    for (friction, slides) in [(0.5, false), (0.2, true)] {
        let mut w = world();
        let a = 20f64.to_radians();
        let tilt = [0.0, 0.0, (a / 2.0).sin(), (a / 2.0).cos()];
        w.add_collider(ColliderDesc { friction, pose: Pose { position: [0.0; 3], rotation: tilt }, ..ColliderDesc::default() })
            .unwrap();
        let up = [-a.sin() * 0.2, a.cos() * 0.2, 0.0];
        let mut d = cuboid(up, [0.4, 0.2, 0.4]);
        d.pose.rotation = tilt;
        d.shapes[0].friction = friction;
        d.can_sleep = false;
        let b = w.add_body(&d).unwrap();
        steps(&mut w, 60);
        let p = at(&w, b);
        let way = ((p[0] - up[0]).powi(2) + (p[1] - up[1]).powi(2)).sqrt();
        let expected = if slides { 0.5 * 9.81 * (a.sin() - friction * a.cos()) } else { 0.0 };
        println!("{friction}: {way} m, {expected}");
        assert!((way - expected).abs() < 0.02 * expected + 0.005, "{friction}: {way} m, should be {expected}");
    }
}

#[test]
fn restitution_gives_back_its_part() {
    let mut w = world();
    floor(&mut w);
    let mut d = ball([0.0, 2.5, 0.0], 0.5);
    d.shapes[0].restitution = 0.8;
    let b = w.add_body(&d).unwrap();
    let mut top: f64 = 0.0;
    let mut bounced = false;
    for _ in 0..120 {
        steps(&mut w, 1);
        let v = w.body_motion(b).unwrap()[0][1];
        bounced |= v > 1.0;
        if bounced {
            top = top.max(at(&w, b)[1]);
        }
        if bounced && v < -0.5 {
            break;
        }
    }
    // e² of the height of 2 m.
    println!("top {top}");
    assert!((top - 0.5 - 2.0 * 0.64).abs() < 0.1, "{top}");
}

fn pendulum(w: &mut World, n: usize) -> (Vec<Id>, Vec<Id>) {
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    let capsule = BodyShape::Capsule { half_height: 0.2, radius: 0.05 };
    for k in 0..n {
        let mut d = ball([0.5 * k as f64 + 0.25, 0.0, 0.0], 1.0);
        d.shapes[0].shape = capsule.clone();
        let s = 0.5f64.sqrt();
        d.pose.rotation = [0.0, 0.0, -s, s];
        d.can_sleep = false;
        d.angular_damping = 0.0;
        let b = w.add_body(&d).unwrap();
        let end = |y: f64| Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY };
        let j = JointDesc {
            a: bodies.last().copied(),
            b,
            frame_a: if k == 0 { Pose { position: [0.0; 3], rotation: [0.0, 0.0, -s, s] } } else { end(0.25) },
            frame_b: end(-0.25),
            kind: JointKind::Ball { limits: None },
            motor: None,
            collide: false,
        };
        joints.push(w.add_joint(&j).unwrap());
        bodies.push(b);
    }
    (bodies, joints)
}

fn energy(w: &World, bodies: &[Id]) -> f64 {
    bodies.iter().map(|&b| w.body_energy(b).unwrap().iter().sum::<f64>()).sum()
}

#[test]
fn a_chain_swings_and_holds_together() {
    let mut w = world();
    let (bodies, joints) = pendulum(&mut w, 5);
    let start = energy(&w, &bodies);
    let mut worst: f64 = 0.0;
    for k in 0..600 {
        steps(&mut w, 1);
        worst = joints.iter().fold(worst, |m, &j| m.max(w.joint_error(j).unwrap()[0]));
        let e = energy(&w, &bodies);
        if k % 60 == 0 {
            println!("{k}: energy {e} of {start}, gap {worst}");
        }
        assert!(e < start + 0.02 * 9.81 * 20.0, "{k}: {e}");
    }
    assert!(worst < 0.01, "{worst}");
}

/// A pendulum of 0.5 m that swings by 0.07 rad, on its own or on top of a stack: the half swing of the last second, rad, and whether all sleep.
fn swing(stack: bool, seconds: usize) -> (f64, bool) {
    let mut w = world();
    floor(&mut w);
    let mut a = None;
    if stack {
        for k in 0..4 {
            a = Some(w.add_body(&cuboid([0.0, 0.25 + 0.5 * k as f64, 0.0], [0.4, 0.25, 0.4])).unwrap());
        }
    }
    // Beside the top box, on an arm that weighs nothing.
    let pivot = [0.8, 1.75, 0.0];
    let start = 0.07f64;
    let bob = [pivot[0], pivot[1] - 0.5 * start.cos(), 0.5 * start.sin()];
    let b = w.add_body(&BodyDesc { angular_damping: 0.0, ..ball(bob, 0.05) }).unwrap();
    let frame_a = Pose { position: if stack { [pivot[0], 0.0, 0.0] } else { pivot }, ..Pose::IDENTITY };
    let frame_b = Pose { position: [pivot[0] - bob[0], pivot[1] - bob[1], pivot[2] - bob[2]], ..Pose::IDENTITY };
    w.add_joint(&JointDesc { a, b, frame_a, frame_b, kind: JointKind::Ball { limits: None }, motor: None, collide: false })
        .unwrap();
    let mut most: f64 = 0.0;
    for k in 0..seconds * 60 {
        w.step(DT, &Inline).unwrap();
        if k + 120 >= seconds * 60 {
            most = most.max((at(&w, b)[2] / 0.5).abs());
        }
    }
    (most, w.body_counts()[1] == 0)
}

#[test]
fn what_an_island_waits_for_is_braked_and_nothing_else() {
    let (free, asleep) = swing(false, 20);
    println!("free: {free} rad");
    assert!(free > 0.06 && !asleep, "{free}");
    let (held, asleep) = swing(true, 20);
    println!("on a stack: {held} rad, asleep {asleep}");
    assert!(asleep, "{held}");
}

#[test]
fn what_spins_in_place_does_not_sleep() {
    // New bodies at the world's origin, where an empty record is too, and one whose surface hardly moves.
    for (at, radius) in [([0.0; 3], 0.2), ([1.0, 2.0, 3.0], 0.004)] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let spin = [0.0, 9.0, 0.0];
        let b = w.add_body(&BodyDesc { spin, angular_damping: 0.0, ..ball(at, radius) }).unwrap();
        steps(&mut w, 120);
        let [_, after] = w.body_motion(b).unwrap();
        assert!((after[1] - spin[1]).abs() < 1e-3, "radius {radius}: {after:?}");
    }
}

/// In f32 a place such as 0.1 is stored as another number: to be told to stay there is not to move.
#[test]
fn a_kinematic_body_told_to_stay_lets_others_sleep() {
    for double_precision in [false, true] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let pose = Pose { position: [0.1, 0.3, -0.7], ..Pose::IDENTITY };
        let table = w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, pose, ..cuboid([0.0; 3], [1.0, 0.1, 1.0]) }).unwrap();
        let b = w.add_body(&cuboid([0.1, 0.51, -0.7], [0.1; 3])).unwrap();
        for _ in 0..300 {
            w.set_body_target(table, pose).unwrap();
            steps(&mut w, 1);
        }
        assert!(w.body_sleeps(b).unwrap(), "{double_precision}");
        assert_eq!(at(&w, table), if double_precision { [0.1, 0.3, -0.7] } else { [0.1f32, 0.3, -0.7].map(f64::from) });
        // And when it does move, what lies on it wakes.
        w.set_body_target(table, Pose { position: [0.1, 0.31, -0.7], ..Pose::IDENTITY }).unwrap();
        steps(&mut w, 1);
        assert!(!w.body_sleeps(b).unwrap());
    }
}

/// Forces are for the next step: one given just before the host takes the body over is gone when it lets go.
#[test]
fn a_force_does_not_outlive_the_step() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
    let b = w.add_body(&ball([0.0; 3], 0.5)).unwrap();
    w.push_body(b, [1000.0, 0.0, 0.0], None, [0.0; 3]).unwrap();
    w.set_body_kinematic(b, true).unwrap();
    steps(&mut w, 2);
    w.set_body_kinematic(b, false).unwrap();
    steps(&mut w, 2);
    assert_eq!((at(&w, b), w.body_motion(b).unwrap()), ([0.0; 3], [[0.0; 3]; 2]));
}

/// A velocity in the description of what does not move is none: the floor is no conveyor.
#[test]
fn what_is_static_drags_nothing_along() {
    for motion in [BodyMotion::Static, BodyMotion::Kinematic] {
        let mut w = world();
        w.add_body(&BodyDesc { motion, velocity: [0.0, 5.0, 3.0], ..cuboid([0.0; 3], [2.0, 0.1, 2.0]) }).unwrap();
        let b = w.add_body(&cuboid([0.0, 0.2, 0.0], [0.1; 3])).unwrap();
        steps(&mut w, 60);
        let p = at(&w, b);
        assert!(p[2].abs() < 1e-3 && (p[1] - 0.2).abs() < 5e-3, "{motion:?} {p:?}");
    }
}

/// Ways of what the host moves that no memory holds are refused, and the world goes on.
#[test]
fn too_many_ways_are_refused() {
    let mut w = World::new(WorldDesc { substeps: 65_536, ..WorldDesc::default() }).unwrap();
    let tables: Vec<Id> = (0..4096)
        .map(|k| w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, ..ball([f64::from(k) * 3.0, 0.0, 0.0], 1.0) }).unwrap())
        .collect();
    for &t in &tables {
        let position = [at(&w, t)[0], 1.0, 0.0];
        w.set_body_target(t, Pose { position, ..Pose::IDENTITY }).unwrap();
    }
    let e = w.step(DT, &Inline).unwrap_err();
    assert!(e.message.contains("4096 bodies and colliders"), "{e:?}");
    w.set_iterations(4, 4).unwrap();
    steps(&mut w, 1);
    assert_eq!(at(&w, tables[7]), [21.0, 1.0, 0.0]);
}

#[test]
fn a_fast_ball_does_not_pass_a_thin_wall() {
    for speed in [50.0, 200.0, 450.0] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        w.add_body(&BodyDesc { motion: BodyMotion::Static, ..cuboid([2.0, 0.0, 0.0], [0.01, 2.0, 2.0]) }).unwrap();
        let b = w.add_body(&BodyDesc { velocity: [speed, 0.0, 0.0], ..ball([0.0; 3], 0.05) }).unwrap();
        steps(&mut w, 30);
        let p = at(&w, b);
        assert!(p[0] < 1.96, "{speed} m/s: {p:?}");
    }
}

/// A wall of 5 cm that goes half a metre in one step meets a ball on its way: it is at every place between, with its speed.
#[test]
fn a_kinematic_body_is_everywhere_on_its_way() {
    for substeps in [4, 8, 32] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], substeps, ..WorldDesc::default() }).unwrap();
        let wall = cuboid([0.0; 3], [0.025, 0.5, 0.5]);
        let wall = w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, ..wall }).unwrap();
        let b = w.add_body(&ball([0.3, 0.0, 0.0], 0.05)).unwrap();
        w.set_body_target(wall, Pose { position: [0.5, 0.0, 0.0], ..Pose::IDENTITY }).unwrap();
        steps(&mut w, 1);
        let (front, v) = (at(&w, wall)[0] + 0.025, w.body_motion(b).unwrap()[0][0]);
        assert!((at(&w, wall)[0] - 0.5).abs() < 1e-6);
        assert!(at(&w, b)[0] - 0.05 > front - 0.02, "{substeps}: the ball is at {:?}, the wall's front at {front}", at(&w, b));
        assert!((v / 30.0 - 1.0).abs() < 0.15, "{substeps}: {v} m/s, the wall has 30");
        // It keeps what it got, the wall stays.
        steps(&mut w, 10);
        assert!((w.body_motion(b).unwrap()[0][0] - v).abs() < 1.0 && at(&w, b)[0] > 0.5 + 0.15 * v);
    }
}

/// The same of turns: what hangs on a wheel's rim goes round with it, by 0.2 rad a step and 0.025 a substep.
#[test]
fn a_kinematic_body_turns_on_its_way() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let wheel = w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, ..ball([0.0; 3], 0.2) }).unwrap();
    let rate: f64 = 12.0;
    let body = BodyDesc { velocity: [0.0, rate, 0.0], spin: [0.0, 0.0, rate], ..ball([1.0, 0.0, 0.0], 0.05) };
    let b = w.add_body(&body).unwrap();
    let frame_a = Pose { position: [1.0, 0.0, 0.0], ..Pose::IDENTITY };
    let kind = JointKind::Ball { limits: None };
    w.add_joint(&JointDesc { a: Some(wheel), b, frame_a, frame_b: Pose::IDENTITY, kind, motor: None, collide: false }).unwrap();
    for k in 1..=30 {
        let angle = rate * DT * k as f64;
        let rotation = [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
        w.set_body_target(wheel, Pose { position: [0.0; 3], rotation }).unwrap();
        steps(&mut w, 1);
        let (p, [v, _]) = (at(&w, b), w.body_motion(b).unwrap());
        let off = ((p[0] - angle.cos()).powi(2) + (p[1] - angle.sin()).powi(2)).sqrt();
        let speed = (v[0] * v[0] + v[1] * v[1]).sqrt();
        assert!(off < 0.005 && (speed / rate - 1.0).abs() < 0.01, "step {k}: {off} m off, {speed} m/s");
    }
}

/// Two balls that would change places in a step bounce off each other, or stop, at the place where they meet; one that sleeps is hit by one of the host's.
#[test]
fn fast_bodies_meet_each_other() {
    for restitution in [0.0, 1.0] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let mut flying = |x: f64, v: f64| {
            let mut d = BodyDesc { velocity: [v, 0.0, 0.0], ..ball([x, 0.0, 0.0], 0.05) };
            (d.shapes[0].restitution, d.linear_damping) = (restitution, 0.0);
            w.add_body(&d).unwrap()
        };
        let (a, b) = (flying(-0.6, 60.0), flying(0.6, -60.0));
        steps(&mut w, 2);
        let (x, y) = (at(&w, a)[0], at(&w, b)[0]);
        assert!(x < y - 0.09, "{restitution}: {x} {y}");
        for (id, sign) in [(a, -1.0), (b, 1.0)] {
            let v = w.body_motion(id).unwrap()[0][0];
            assert!((v - sign * 60.0 * restitution).abs() < 0.6, "{restitution}: {v}");
        }
    }
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
    let capsule = BodyShape::Capsule { half_height: 0.1, radius: 0.04 };
    let mut hand = ball([-0.2, 0.0, 0.0], 1.0);
    (hand.shapes[0].shape, hand.motion) = (capsule, BodyMotion::Kinematic);
    let hand = w.add_body(&hand).unwrap();
    let b = w.add_body(&ball([0.05, 0.0, 0.0], 0.04)).unwrap();
    steps(&mut w, 120);
    assert!(w.body_sleeps(b).unwrap());
    w.set_body_target(hand, Pose { position: [0.15, 0.0, 0.0], ..Pose::IDENTITY }).unwrap();
    steps(&mut w, 1);
    let v = w.body_motion(b).unwrap()[0][0];
    assert!(at(&w, b)[0] > 0.15 + 0.07 && (v / 21.0 - 1.0).abs() < 0.1, "{:?} {v}", at(&w, b));
}

/// A bat that turns about its frame's origin, which does not move, meets the ball wherever it is on the arc, thin as the bat is and however fast it is.
#[test]
fn a_swung_bat_meets_its_ball() {
    for (speed, substeps) in [(10.0, 8), (30.0, 8), (30.0, 4)] {
        for k in 0..40 {
            let mut w = World::new(WorldDesc { gravity: [0.0; 3], substeps, ..WorldDesc::default() }).unwrap();
            // A metre along x, 3 cm thick.
            let lying = Pose { position: [0.5, 0.0, 0.0], rotation: [0.0, 0.0, -(0.5f64.sqrt()), 0.5f64.sqrt()] };
            let mut bat = ball([0.0; 3], 1.0);
            bat.shapes[0].shape = BodyShape::Capsule { half_height: 0.5, radius: 0.03 };
            (bat.shapes[0].pose, bat.motion) = (lying, BodyMotion::Kinematic);
            let bat = w.add_body(&bat).unwrap();
            let at = 1.5 + 0.02 * k as f64;
            let b = w.add_body(&BodyDesc { can_sleep: false, ..ball([0.7 * at.cos(), 0.7 * at.sin(), 0.0], 0.04) }).unwrap();
            let rate: f64 = speed / 0.7;
            for step in 1..=((3.6 / rate / DT) as usize) {
                let angle = rate * DT * step as f64;
                let rotation = [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
                w.set_body_target(bat, Pose { position: [0.0; 3], rotation }).unwrap();
                steps(&mut w, 1);
            }
            let v = w.body_motion(b).unwrap()[0];
            let v = (v[0] * v[0] + v[1] * v[1]).sqrt();
            assert!(v > 0.85 * speed, "{speed} m/s, {substeps} substeps, ball at {at:.2}: {v} m/s");
        }
    }
}
