//! Only what is in balance and not driven sleeps.

use crate::rolling::{body, fixed};
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn world(g: f64) -> World {
    World::new(WorldDesc { gravity: [0.0, -g, 0.0], ..WorldDesc::default() }).unwrap()
}

fn steps(w: &mut World, seconds: f64) {
    (0..(seconds * 60.0) as usize).for_each(|_| w.step(DT, &Inline).unwrap());
}

fn sleeper(shape: BodyShape, position: [f64; 3]) -> BodyDesc {
    BodyDesc { can_sleep: true, ..body(shape, position) }
}

fn joint(b: Id, kind: JointKind, anchor: [f64; 3], motor: Option<MotorDesc>) -> JointDesc {
    let frame_b = Pose { position: anchor, ..Pose::IDENTITY };
    JointDesc { a: None, b, frame_a: Pose::IDENTITY, frame_b, kind, motor, collide: false }
}

#[test]
fn slow_falls_and_drifts_go_on() {
    for g in [0.01, 0.1] {
        let mut w = world(g);
        let b = w.add_body(&sleeper(BodyShape::Sphere { radius: 0.1 }, [0.0; 3])).unwrap();
        steps(&mut w, 10.0);
        let fell = -w.body_pose(b).unwrap().position[1];
        assert!((fell / (50.0 * g) - 1.0).abs() < 0.01, "{g} m/s^2: fell {fell} m");
    }
    for v in [0.03, 0.002] {
        let mut w = world(0.0);
        let b =
            w.add_body(&BodyDesc { velocity: [v, 0.0, 0.0], ..sleeper(BodyShape::Sphere { radius: 0.1 }, [0.0; 3]) }).unwrap();
        steps(&mut w, 10.0);
        let x = w.body_pose(b).unwrap().position[0];
        assert!((x / (10.0 * v) - 1.0).abs() < 0.01, "{v} m/s: drifted {x} m");
    }
}

/// Rolling and sliding slowly, on the ground.
#[test]
fn what_rolls_or_slides_slowly_goes_on() {
    for (v, rolls) in [(0.02, true), (0.02, false), (0.006, true)] {
        let mut w = world(9.81);
        w.add_body(&fixed(BodyShape::Plane, [0.0; 3])).unwrap();
        let mut d = sleeper(BodyShape::Sphere { radius: 0.1 }, [0.0, 0.1, 0.0]);
        d.velocity = [v, 0.0, 0.0];
        if rolls {
            d.spin = [0.0, 0.0, -10.0 * v];
        } else {
            d.shapes[0].friction = 0.0;
        }
        let b = w.add_body(&d).unwrap();
        steps(&mut w, 20.0);
        let x = w.body_pose(b).unwrap().position[0];
        assert!((x / (20.0 * v) - 1.0).abs() < 0.02, "{v} m/s, rolls {rolls}: {x} m in 20 s");
    }
}

#[test]
fn pendulums_do_not_stop_at_their_turns() {
    for (length, amplitude) in [(1.0, 0.05f64), (10.0, 0.045), (1.0, 0.014), (4.0, 0.1)] {
        let mut w = world(9.81);
        let at = [length * amplitude.sin(), -length * amplitude.cos(), 0.0];
        let mut d = sleeper(BodyShape::Sphere { radius: 0.05 }, at);
        d.pose.rotation = [0.0, 0.0, (0.5 * amplitude).sin(), (0.5 * amplitude).cos()];
        let b = w.add_body(&d).unwrap();
        w.add_joint(&joint(b, JointKind::Ball { limits: None }, [0.0, length, 0.0], None)).unwrap();
        steps(&mut w, 60.0);
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for _ in 0..480 {
            w.step(DT, &Inline).unwrap();
            let x = w.body_pose(b).unwrap().position[0];
            (low, high) = (low.min(x), high.max(x));
        }
        let swings = 0.5 * (high - low) / at[0];
        assert!(swings > 0.7 && !w.body_sleeps(b).unwrap(), "{length} m, {amplitude}: {swings} of its swing after a minute");
    }
}

/// A ball that rolls to and fro in a trough of two slopes, and a box that rocks on its edge, have contacts.
#[test]
fn slow_motors_and_door_closers_arrive() {
    let mut w = world(0.0);
    let cube = BodyShape::Box { half_extents: [0.2; 3] };
    let b = w.add_body(&sleeper(cube.clone(), [0.0; 3])).unwrap();
    let motor = MotorDesc { damping: [0.0, 0.0, 1000.0], speed: [0.0, 0.0, 0.05], ..MotorDesc::default() };
    let hinge = JointKind::Hinge { limits: [-3.2, 3.2] };
    w.add_joint(&joint(b, hinge.clone(), [0.0; 3], Some(motor))).unwrap();
    steps(&mut w, 20.0);
    let angle = |w: &World, b: Id| 2.0 * w.body_pose(b).unwrap().rotation[2].asin();
    assert!((angle(&w, b) - 1.0).abs() < 0.01, "{}", angle(&w, b));
    // Stiffness 5, damping 150: a time constant of 30 s.
    let mut w = world(0.0);
    let mut d = sleeper(BodyShape::Box { half_extents: [0.4, 0.02, 0.4] }, [0.0; 3]);
    d.pose.rotation = [0.0, 0.0, 0.5f64.sin(), 0.5f64.cos()];
    let b = w.add_body(&d).unwrap();
    let motor = MotorDesc { stiffness: [0.0, 0.0, 5.0], damping: [0.0, 0.0, 150.0], ..MotorDesc::default() };
    w.add_joint(&joint(b, hinge, [0.0; 3], Some(motor))).unwrap();
    steps(&mut w, 120.0);
    let (at, right) = (angle(&w, b), (-4.0f64).exp());
    assert!((at - right).abs() < 0.002, "{at} rad, must be {right}");
    // There, it sleeps.
    steps(&mut w, 300.0);
    assert!(w.body_sleeps(b).unwrap(), "{}", angle(&w, b));
}

/// An arc of high viscosity creeps to where its load bends it.
#[test]
fn an_arc_creeps_on() {
    let bend = |can_sleep: bool| {
        let mut w = world(9.81);
        let d = BodyDesc { can_sleep, ..sleeper(BodyShape::Box { half_extents: [0.02, 0.02, 0.1] }, [0.0, 0.0, 0.3]) };
        let b = w.add_body(&d).unwrap();
        let arc = ArcDesc { length: 0.2, bend: [5.0; 2], twist: 5.0, viscosity: 20.0, ..ArcDesc::default() };
        w.add_joint(&joint(b, JointKind::Arc(arc), [0.0, 0.0, -0.1], None)).unwrap();
        steps(&mut w, 60.0);
        w.body_pose(b).unwrap().position[1]
    };
    let (sleeps, not) = (bend(true), bend(false));
    println!("arc: {sleeps} {not}");
    assert!((sleeps - not).abs() < 0.02 * not.abs(), "{sleeps} m, without sleep {not} m");
}
