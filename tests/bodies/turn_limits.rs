//! Limits at half a turn and beyond: they stop, hold and add no energy.

use core::f64::consts::PI;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn world(substeps: u32, iterations: u32) -> World {
    World::new(WorldDesc { substeps, iterations, gravity: [0.0; 3], ..WorldDesc::default() }).unwrap()
}

/// A door about z, its middle 0.1 m from the hinge, opened by `angle`.
fn door(w: &mut World, angle: f64, spin: f64) -> Id {
    let (s, c) = (0.5 * angle).sin_cos();
    w.add_body(&BodyDesc {
        pose: Pose { position: [0.1 * angle.cos(), 0.1 * angle.sin(), 0.0], rotation: [0.0, 0.0, s, c] },
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.1, 0.005, 0.15] }, ..ShapeDesc::default() }],
        velocity: [-0.1 * spin * angle.sin(), 0.1 * spin * angle.cos(), 0.0],
        spin: [0.0, 0.0, spin],
        angular_damping: 0.0,
        ..BodyDesc::default()
    })
    .unwrap()
}

fn joint(w: &mut World, b: Id, kind: JointKind, motor: Option<MotorDesc>) -> Id {
    w.add_joint(&JointDesc {
        a: None,
        b,
        frame_a: Pose::IDENTITY,
        frame_b: Pose { position: [-0.1, 0.0, 0.0], ..Pose::IDENTITY },
        kind,
        motor,
        collide: false,
    })
    .unwrap()
}

/// The angle about z, counted.
struct Count {
    last: f64,
    sum: f64,
}

impl Count {
    fn new(w: &World, b: Id, at: f64) -> Self {
        Count { last: angle(w, b), sum: at }
    }
    fn add(&mut self, w: &World, b: Id) -> f64 {
        let now = angle(w, b);
        let d = now - self.last;
        self.sum += d - (d / (2.0 * PI)).round() * 2.0 * PI;
        self.last = now;
        self.sum
    }
}

fn angle(w: &World, b: Id) -> f64 {
    let q = w.body_pose(b).unwrap().rotation;
    2.0 * q[2].atan2(q[3])
}

#[test]
fn a_door_stops_at_its_limit_wherever_that_is() {
    let mut wrong = Vec::new();
    let ends = [1.0, 3.0, PI - 9e-5, PI, 3.2, 1.5 * PI, 2.0 * PI, 7.0, 20.0 * PI];
    for (substeps, iterations) in [(8, 4), (4, 5)] {
        for end in ends {
            for sign in [1.0, -1.0] {
                let mut w = world(substeps, iterations);
                let limits = if sign > 0.0 { [0.0, end] } else { [-end, 0.0] };
                let spin = sign * if end > 50.0 { 12.0 } else { 3.0 };
                let b = door(&mut w, 0.0, spin);
                let j = joint(&mut w, b, JointKind::Hinge { limits }, None);
                let energy = w.body_energy(b).unwrap()[0];
                let mut count = Count::new(&w, b, 0.0);
                let (mut far, mut most, mut error) = (0.0f64, 0.0f64, 0.0f64);
                for _ in 0..if end > 50.0 { 1200 } else { 480 } {
                    w.step(DT, &Inline).unwrap();
                    far = far.max(count.add(&w, b) * sign);
                    most = most.max(w.body_energy(b).unwrap()[0]);
                    error = error.max(w.joint_error(j).unwrap()[1]);
                }
                // It stays there.
                let back = w.body_motion(b).unwrap()[1][2] / spin;
                if (far - end).abs() > 0.05 || !(-0.01..0.01).contains(&back) || most > 1.001 * energy || error > 0.05 {
                    wrong.push(format!("{substeps} x {iterations}, end {}: comes to {far:.4}, goes back at {back:.4} of its speed, energy {:.4} of before, error {error:.4}", sign * end, most / energy));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A joint that is made, or gets limits, counts from the turn that is within them.
#[test]
fn turns_are_counted_from_within_the_limits() {
    let mut wrong = Vec::new();
    // Opened by 200 degrees between 90 and 270: that is -160.
    for (limits, start, spin, expected) in [
        ([0.5 * PI, 1.5 * PI], 200.0f64.to_radians(), 3.0, 1.5 * PI),
        ([0.5 * PI, 1.5 * PI], 200.0f64.to_radians(), -3.0, 0.5 * PI),
        ([-1.5 * PI, -0.5 * PI], 200.0f64.to_radians(), 3.0, 1.5 * PI),
        ([4.0 * PI, 4.5 * PI], 0.1, 3.0, 0.5 * PI),
    ] {
        let mut w = world(8, 4);
        let b = door(&mut w, start, spin);
        let j = joint(&mut w, b, JointKind::Hinge { limits }, None);
        let mut count = Count::new(&w, b, start);
        let mut far = start;
        for _ in 0..240 {
            w.step(DT, &Inline).unwrap();
            let now = count.add(&w, b);
            far = if spin > 0.0 { far.max(now) } else { far.min(now) };
        }
        if (far - expected).abs() > 0.02 || w.joint_error(j).unwrap()[1] > 0.01 {
            wrong.push(format!("{limits:?} from {start}: {far} must be {expected}; error {:?}", w.joint_error(j)));
        }
    }
    // Over several turns, then limited there; the state that is saved knows them.
    let mut w = world(8, 4);
    let b = door(&mut w, 0.0, 5.0);
    let j = joint(&mut w, b, JointKind::Hinge { limits: [-PI, PI] }, None);
    let mut count = Count::new(&w, b, 0.0);
    let go = |w: &mut World, count: &mut Count, steps: usize| {
        (0..steps).for_each(|_| {
            w.step(DT, &Inline).unwrap();
            count.add(w, b);
        });
    };
    go(&mut w, &mut count, 300);
    assert!(count.sum > 22.0, "spins freely: {}", count.sum);
    w.change_joint(j, &mut |d| d.kind = JointKind::Hinge { limits: [0.0, 9.0 * PI] }).unwrap();
    let mut far = 0.0f64;
    (0..300).for_each(|_| {
        go(&mut w, &mut count, 1);
        far = far.max(count.sum);
    });
    if (far - 9.0 * PI).abs() > 0.02 {
        wrong.push(format!("limited in the fifth turn: {far}"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// 100 N m against an end, with few substeps: no more than 3 degrees beyond it.
#[test]
fn a_strong_motor_does_not_get_through() {
    let mut wrong = Vec::new();
    let speed =
        |speed: f64| MotorDesc { damping: [0.0, 0.0, 1e6], speed: [0.0, 0.0, speed], max_torque: 100.0, ..MotorDesc::default() };
    for end in [1.0, 3.1, PI, 4.0, 10.0] {
        for kind in ["hinge", "ball"] {
            if kind == "ball" && end > PI {
                continue;
            }
            let mut w = world(4, 5);
            let b = door(&mut w, 0.0, 0.0);
            let kind_of = match kind {
                "hinge" => JointKind::Hinge { limits: [0.0, end] },
                _ => JointKind::Ball { limits: Some(BallLimits { swing: [0.5; 2], twist: [-0.5, end] }) },
            };
            joint(&mut w, b, kind_of, Some(speed(5.0)));
            let mut count = Count::new(&w, b, 0.0);
            let mut far = 0.0f64;
            for _ in 0..300 {
                w.step(DT, &Inline).unwrap();
                far = far.max(count.add(&w, b));
            }
            let beyond = (far - end).to_degrees();
            if beyond > 3.0 || (count.sum - end).abs() > 0.06 {
                wrong.push(format!("{kind} to {end}: {beyond:.2} degrees beyond, at {:.3}", count.sum));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Twist and swing of a ball at and near half a turn: no energy comes from a limit.
#[test]
fn limits_of_a_ball_near_half_a_turn_add_no_energy() {
    let mut wrong = Vec::new();
    for (swing, twist, axis) in [
        ([1.0, 1.0], [0.0, PI], 2),
        ([1.0, 1.0], [-PI, 0.5], 2),
        ([1.0, 1.0], [-3.0, 3.0], 2),
        ([PI, PI], [-0.2, 3.1], 2),
        ([3.0, 3.0], [-0.5, 0.5], 0),
        ([3.1, 3.1], [-0.5, 0.5], 1),
        ([PI - 9e-5, PI - 9e-5], [-PI, PI], 0),
        ([2.5, 0.4], [-2.0, 2.0], 0),
    ] {
        for spin in [3.0, -3.0, 15.0] {
            let mut w = world(8, 4);
            let b = door(&mut w, 0.0, 0.0);
            let j = joint(&mut w, b, JointKind::Ball { limits: Some(BallLimits { swing, twist }) }, None);
            let mut s = [0.0; 3];
            s[axis] = spin;
            // About the joint.
            let v = [0.0, 0.1 * s[2], -0.1 * s[1]];
            w.set_body_motion(b, v, s).unwrap();
            let start = w.body_energy(b).unwrap()[0];
            let (mut most, mut error) = (0.0f64, 0.0f64);
            for _ in 0..600 {
                w.step(DT, &Inline).unwrap();
                most = most.max(w.body_energy(b).unwrap()[0]);
                error = error.max(w.joint_error(j).unwrap()[1]);
            }
            if most > 1.01 * start || error > 0.06 {
                wrong.push(format!(
                    "swing {swing:?}, twist {twist:?}, {spin} rad/s about {axis}: energy {:.3} of before, beyond by {error:.3}",
                    most / start
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// How far a door is open, read back: with its turns, and of a ball the swing as well.
#[test]
fn a_joint_tells_its_angles() {
    for (substeps, iterations) in [(8, 4), (4, 5)] {
        for spin in [9.0, -9.0] {
            let mut w = world(substeps, iterations);
            let b = door(&mut w, 0.0, spin);
            let limits = [-20.0 * PI, 20.0 * PI];
            let j = joint(&mut w, b, JointKind::Hinge { limits }, None);
            let mut count = Count::new(&w, b, 0.0);
            for _ in 0..120 {
                w.step(DT, &Inline).unwrap();
                let (want, got) = (count.add(&w, b), w.joint_angles(j).unwrap());
                assert!((got.z - want).abs() < 1e-4 && got.x.abs() < 0.01 && got.y.abs() < 0.01, "{got:?}, turned by {want}");
            }
            assert!(count.sum.abs() > 2.5 * 2.0 * PI, "{}", count.sum);
        }
    }
    // A bend of 0.3 rad about x, then a twist of 0.2 about the bent z.
    let mut w = world(8, 4);
    let turn = |axis: usize, angle: f64| {
        let mut q = [0.0, 0.0, 0.0, (0.5 * angle).cos()];
        q[axis] = (0.5 * angle).sin();
        let [x, y, z, w] = q;
        withy::math::Quat { x, y, z, w }
    };
    let rotation = turn(0, 0.3).compose(turn(2, 0.2)).to_array();
    let shapes = vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.1 }, ..ShapeDesc::default() }];
    let b = w.add_body(&BodyDesc { pose: Pose { position: [0.0; 3], rotation }, shapes, ..BodyDesc::default() }).unwrap();
    let ball = JointKind::Ball { limits: None };
    let frames =
        JointDesc { a: None, b, frame_a: Pose::IDENTITY, frame_b: Pose::IDENTITY, kind: ball, motor: None, collide: false };
    let j = w.add_joint(&frames).unwrap();
    let got = w.joint_angles(j).unwrap();
    assert!((got.x.hypot(got.y) - 0.3).abs() < 1e-6 && (got.z - 0.2).abs() < 1e-6, "{got:?}");
}
