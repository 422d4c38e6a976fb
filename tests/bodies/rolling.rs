//! What is round rolls: it neither sinks, nor slows down, nor strays. (Contact points once turned with the body.)

use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

pub fn body(shape: BodyShape, position: [f64; 3]) -> BodyDesc {
    BodyDesc {
        pose: Pose { position, ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
        angular_damping: 0.0,
        can_sleep: false,
        ..BodyDesc::default()
    }
}

pub fn fixed(shape: BodyShape, position: [f64; 3]) -> BodyDesc {
    BodyDesc { motion: BodyMotion::Static, ..body(shape, position) }
}

/// Grounds whose top is at height 0, 100 m wide.
pub fn grounds() -> Vec<(&'static str, BodyDesc)> {
    let corner = |k: usize| {
        [if k & 1 == 0 { -60.0 } else { 60.0 }, if k & 2 == 0 { -2.0 } else { 0.0 }, if k & 4 == 0 { -60.0 } else { 60.0 }]
    };
    let mesh = BodyShape::Mesh {
        positions: vec![[-60.0, 0.0, -60.0], [-60.0, 0.0, 60.0], [60.0, 0.0, 60.0], [60.0, 0.0, -60.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    vec![
        ("plane", fixed(BodyShape::Plane, [0.0; 3])),
        ("box", fixed(BodyShape::Box { half_extents: [60.0, 1.0, 60.0] }, [0.0, -1.0, 0.0])),
        ("hull", fixed(BodyShape::Hull { points: (0..8).map(corner).collect() }, [0.0; 3])),
        ("mesh", fixed(mesh, [0.0; 3])),
    ]
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn report(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn balls_keep_their_height_and_speed() {
    let mut wrong = Vec::new();
    for (ground, desc) in grounds() {
        for radius in [0.008, 0.02, 0.1, 0.5] {
            for speed in [1.0, 5.0] {
                for (substeps, iterations, seconds) in [(8, 4, 5), (4, 5, 8)] {
                    // A quarter turn in a substep is the fastest spin.
                    if speed / radius > 1.5 * 60.0 * f64::from(substeps) {
                        continue;
                    }
                    let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
                    w.add_body(&desc).unwrap();
                    let mut d = body(BodyShape::Sphere { radius }, [-20.0, radius, 0.0]);
                    (d.velocity, d.spin) = ([speed, 0.0, 0.0], [0.0, 0.0, -speed / radius]);
                    let b = w.add_body(&d).unwrap();
                    let (mut low, mut high, mut off) = (f64::MAX, f64::MIN, 0.0f64);
                    for _ in 0..60 * seconds {
                        w.step(DT, &Inline).unwrap();
                        let p = w.body_pose(b).unwrap().position;
                        (low, high, off) = (low.min(p[1]), high.max(p[1]), off.max(p[2].abs()));
                    }
                    let [v, s] = w.body_motion(b).unwrap();
                    let slow = (v[0] / speed - 1.0).abs().max((-s[2] * radius / speed - 1.0).abs());
                    let deep = (radius - low).max(high - radius);
                    if slow > 0.01 || deep > 0.01 * radius + 2e-4 || off > 0.002 {
                        wrong.push(format!(
                            "{ground}, radius {radius}, {speed} m/s, {substeps} x {iterations}, {seconds} s: speed off by {:.2} %, {:.2} mm low, {:.2} mm high, {:.2} mm astray",
                            100.0 * slow, 1e3 * (radius - low), 1e3 * (high - radius), 1e3 * off
                        ));
                    }
                }
            }
        }
    }
    report(wrong);
}

#[test]
fn a_ball_rolls_for_half_a_minute() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_body(&fixed(BodyShape::Plane, [0.0; 3])).unwrap();
    let mut d = body(BodyShape::Sphere { radius: 0.1 }, [0.0, 0.1, 0.0]);
    (d.velocity, d.spin) = ([3.0, 0.0, 4.0], [40.0, 0.0, -30.0]);
    let b = w.add_body(&d).unwrap();
    (0..1800).for_each(|_| w.step(DT, &Inline).unwrap());
    let p = w.body_pose(b).unwrap().position;
    let v = w.body_motion(b).unwrap()[0];
    println!("after 30 s at {p:?}, {v:?}");
    assert!((p[0] - 90.0).abs() < 0.36 && (p[2] - 120.0).abs() < 0.48 && (p[1] - 0.1).abs() < 1.2e-3, "{p:?}");
    assert!((v[0] - 3.0).abs() < 0.009 && (v[2] - 4.0).abs() < 0.012, "{v:?}");
}

/// Lying capsules roll straight on; tapered ones roll around the tip of their cone, as fast as before.
#[test]
fn capsules_roll_straight_and_cones_in_circles() {
    let mut wrong = Vec::new();
    let lying = [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()];
    for (ground, desc) in grounds() {
        for (half_height, radius) in [(0.2, 0.1), (0.05, 0.02), (1.0, 0.1)] {
            for speed in [1.0, 5.0] {
                let mut w = World::new(WorldDesc::default()).unwrap();
                w.add_body(&desc).unwrap();
                let mut d = body(BodyShape::Capsule { half_height, radius }, [-10.0, radius, 0.0]);
                d.pose.rotation = lying;
                (d.velocity, d.spin) = ([speed, 0.0, 0.0], [0.0, 0.0, -speed / radius]);
                let b = w.add_body(&d).unwrap();
                let (mut off, mut low) = (0.0f64, f64::MAX);
                for _ in 0..300 {
                    w.step(DT, &Inline).unwrap();
                    let p = w.body_pose(b).unwrap().position;
                    (off, low) = (off.max(p[2].abs()), low.min(p[1]));
                }
                let [v, s] = w.body_motion(b).unwrap();
                let slow = (v[0] / speed - 1.0).abs().max((-s[2] * radius / speed - 1.0).abs());
                if slow > 0.01 || off > 0.01 || low < 0.98 * radius - 2e-4 {
                    wrong.push(format!("{ground}: capsule {half_height} {radius} at {speed} m/s: speed off by {:.2} %, {off:.4} m astray, {:.2} mm deep", 100.0 * slow, 1e3 * (radius - low)));
                }
            }
        }
        // The line in which a cone of the slope k touches the ground goes through its tip; it turns about that.
        let (h, bottom, top) = (0.3, 0.1, 0.2);
        let k: f64 = (top - bottom) / (2.0 * h);
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_body(&desc).unwrap();
        let mut d = body(BodyShape::TaperedCapsule { half_height: h, bottom, top }, [0.0, 0.0, 0.0]);
        d.shapes[0].friction = 2.0;
        // The axis rises by arcsin k along z.
        let lean = std::f64::consts::FRAC_PI_2 - k.asin();
        d.pose.rotation = [(0.5 * lean).sin(), 0.0, 0.0, (0.5 * lean).cos()];
        d.pose.position[1] = bottom + h * k;
        let b = w.add_body(&d).unwrap();
        (0..60).for_each(|_| w.step(DT, &Inline).unwrap());
        let center = w.body_center(b).unwrap();
        // Spin about the line of contact, along z.
        let spin = [0.0, 0.0, -8.0];
        let speed = 8.0 * center[1];
        w.set_body_motion(b, [speed, 0.0, 0.0], spin).unwrap();
        let energy = |w: &World| w.body_energy(b).unwrap().iter().sum::<f64>();
        let start = energy(&w);
        let (mut most, mut least, mut low) = (start, start, f64::MAX);
        for _ in 0..300 {
            w.step(DT, &Inline).unwrap();
            let e = energy(&w);
            (most, least, low) = (most.max(e), least.min(e), low.min(w.body_center(b).unwrap()[1]));
        }
        let kinetic = w.body_energy(b).unwrap()[0];
        println!(
            "{ground}: cone {start:.4} J, {least:.4} to {most:.4}, kinetic {kinetic:.4}, center {:.4} then {low:.4}",
            center[1]
        );
        if most > start * 1.01 || least < start * 0.99 || low < 0.98 * center[1] {
            wrong
                .push(format!("{ground}: cone: {start:.4} J, {least:.4} to {most:.4}; centre at {:.4}, low {low:.4}", center[1]));
        }
    }
    report(wrong);
}

#[test]
fn down_a_slope_a_ball_is_as_fast_as_galilei_says() {
    let mut wrong = Vec::new();
    for (ground, desc) in grounds() {
        for (shape, part, height) in
            [(BodyShape::Sphere { radius: 0.1 }, 5.0 / 7.0, 0.1), (BodyShape::Sphere { radius: 0.01 }, 5.0 / 7.0, 0.01)]
        {
            for angle in [0.05f64, 0.2, 0.5] {
                let mut w = World::new(WorldDesc::default()).unwrap();
                let mut floor = desc.clone();
                let (s, c) = (0.5 * angle).sin_cos();
                floor.pose.rotation = [0.0, 0.0, -s, c];
                floor.shapes[0].friction = 2.0;
                let [x, y, _] = floor.pose.position;
                floor.pose.position = [x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin(), 0.0];
                w.add_body(&floor).unwrap();
                let mut d = body(shape.clone(), [height * angle.sin(), height * angle.cos(), 0.0]);
                d.shapes[0].friction = 2.0;
                let b = w.add_body(&d).unwrap();
                (0..120).for_each(|_| w.step(DT, &Inline).unwrap());
                let v = norm(w.body_motion(b).unwrap()[0]);
                let expected = part * G * angle.sin() * 2.0;
                if (v / expected - 1.0).abs() > 0.01 {
                    wrong.push(format!("{ground}, {shape:?}, {angle} rad: {v} m/s after 2 s, must be {expected}"));
                }
            }
        }
    }
    report(wrong);
}

#[test]
fn without_friction_nothing_begins_to_turn() {
    let mut wrong = Vec::new();
    for (ground, desc) in grounds() {
        for shape in [BodyShape::Sphere { radius: 0.1 }, BodyShape::Capsule { half_height: 0.2, radius: 0.1 }] {
            let mut w = World::new(WorldDesc::default()).unwrap();
            w.add_body(&desc).unwrap();
            let mut d = body(shape.clone(), [-10.0, 0.1, 0.0]);
            d.shapes[0].friction = 0.0;
            d.pose.rotation = [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()];
            d.velocity = [5.0, 0.0, 0.0];
            let b = w.add_body(&d).unwrap();
            let mut most = 0.0f64;
            for _ in 0..180 {
                w.step(DT, &Inline).unwrap();
                most = most.max(norm(w.body_motion(b).unwrap()[1]));
            }
            if most > 0.01 {
                wrong.push(format!("{ground}, {shape:?}: spins at {most} rad/s"));
            }
        }
    }
    report(wrong);
}

#[test]
fn what_spins_in_place_stays_there() {
    let mut wrong = Vec::new();
    for (ground, desc) in grounds() {
        for (shape, rotation, spin, height) in [
            (BodyShape::Sphere { radius: 0.1 }, [0.0, 0.0, 0.0, 1.0], [0.0, 100.0, 0.0], 0.1),
            (BodyShape::Sphere { radius: 0.01 }, [0.0, 0.0, 0.0, 1.0], [0.0, 300.0, 0.0], 0.01),
            (
                BodyShape::Capsule { half_height: 0.2, radius: 0.1 },
                [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()],
                [0.0, 20.0, 0.0],
                0.1,
            ),
        ] {
            let mut w = World::new(WorldDesc::default()).unwrap();
            w.add_body(&desc).unwrap();
            let mut d = body(shape.clone(), [0.0, height, 0.0]);
            d.shapes[0].friction = if matches!(shape, BodyShape::Capsule { .. }) { 0.0 } else { 0.6 };
            (d.pose.rotation, d.spin) = (rotation, spin);
            let b = w.add_body(&d).unwrap();
            (0..600).for_each(|_| w.step(DT, &Inline).unwrap());
            let p = w.body_pose(b).unwrap().position;
            let s = w.body_motion(b).unwrap()[1][1];
            if p[0].hypot(p[2]) > 2e-3 || (p[1] / height - 1.0).abs() > 0.02 || (s / spin[1] - 1.0).abs() > 0.01 {
                wrong.push(format!("{ground}, {shape:?}: at {p:?} after 10 s, spin {s}"));
            }
        }
    }
    report(wrong);
}

/// A ball on two rails: it turns faster than on a plane, and keeps its speed.
#[test]
fn a_ball_rolls_along_two_capsules() {
    for speed in [1.0, 4.0] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let (rail, ball, half_gap) = (0.05, 0.1, 0.09);
        for z in [-half_gap, half_gap] {
            let mut d = fixed(BodyShape::Capsule { half_height: 15.0, radius: rail }, [0.0, 0.0, z]);
            d.pose.rotation = [0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt()];
            w.add_body(&d).unwrap();
        }
        let height = ((rail + ball) * (rail + ball) - half_gap * half_gap).sqrt();
        let lever = ball * height / (rail + ball);
        let mut d = body(BodyShape::Sphere { radius: ball }, [-10.0, height, 0.0]);
        (d.velocity, d.spin) = ([speed, 0.0, 0.0], [0.0, 0.0, -speed / lever]);
        let b = w.add_body(&d).unwrap();
        (0..(15.0 / speed * 60.0) as usize).for_each(|_| w.step(DT, &Inline).unwrap());
        let (p, [v, s]) = (w.body_pose(b).unwrap().position, w.body_motion(b).unwrap());
        println!("{p:?} {v:?} {s:?}");
        assert!((v[0] / speed - 1.0).abs() < 0.01 && (-s[2] * lever / speed - 1.0).abs() < 0.01, "{v:?} {s:?}");
        assert!((p[1] - height).abs() < 2e-3 && p[2].abs() < 1e-3, "{p:?}, height {height}");
    }
}

/// A ball that rolls from the top of another leaves it where cos = 10/17.
#[test]
fn a_ball_rolls_off_a_ball() {
    for big in [1.0, 0.3] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let mut d = fixed(BodyShape::Sphere { radius: big }, [0.0; 3]);
        d.shapes[0].friction = 20.0;
        w.add_body(&d).unwrap();
        let radius = 0.1;
        let far: f64 = big + radius;
        let start = 0.05f64;
        let mut d = body(BodyShape::Sphere { radius }, [far * start.sin(), far * start.cos(), 0.0]);
        d.shapes[0].friction = 20.0;
        let b = w.add_body(&d).unwrap();
        let (mut left, mut low) = (0.0, f64::MAX);
        for _ in 0..600 {
            w.step(DT / 2.0, &Inline).unwrap();
            let p = w.body_pose(b).unwrap().position;
            let distance = p[0].hypot(p[1]);
            low = low.min(distance);
            let mut press = 0.0;
            w.read_contacts(|c| press += c.impulse);
            if press > 0.0 {
                left = (p[1] / distance).acos();
            }
        }
        // From `start` on: g (cos start − cos θ) 10/7 = g cos θ.
        let expected = (10.0 / 17.0 * start.cos()).acos();
        println!("leaves at {left} rad, must be {expected}; {:.2} mm deep", 1e3 * (far - low));
        assert!((left - expected).abs() < 0.05 && low > far - 1e-3, "{left} {expected} {low}");
    }
}

#[test]
fn rolling_and_torsional_friction_slow_down_as_they_say() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_body(&fixed(BodyShape::Plane, [0.0; 3])).unwrap();
    let (radius, c) = (0.1, 0.02);
    let mut d = body(BodyShape::Sphere { radius }, [0.0, radius, 0.0]);
    (d.velocity, d.spin) = ([2.0, 0.0, 0.0], [0.0, 0.0, -20.0]);
    d.shapes[0].rolling_friction = c;
    let rolls = w.add_body(&d).unwrap();
    let mut d = body(BodyShape::Sphere { radius }, [0.0, radius, 5.0]);
    d.spin = [0.0, 50.0, 0.0];
    d.shapes[0].torsional_friction = c;
    let turns = w.add_body(&d).unwrap();
    (0..60).for_each(|_| w.step(DT, &Inline).unwrap());
    let (v, s) = (w.body_motion(rolls).unwrap()[0][0], w.body_motion(turns).unwrap()[1][1]);
    let (right_v, right_s) = (2.0 - 5.0 / 7.0 * c * G, 50.0 - c * G / (0.4 * radius));
    println!("{v} {right_v}, {s} {right_s}");
    assert!(
        (v - right_v).abs() < 0.02 * (2.0 - right_v) && (s - right_s).abs() < 0.02 * (50.0 - right_s),
        "{v} {right_v}, {s} {right_s}"
    );
    // It stops, and stays.
    (0..1200).for_each(|_| w.step(DT, &Inline).unwrap());
    let (v, s) = (w.body_motion(rolls).unwrap(), w.body_motion(turns).unwrap());
    assert!(norm(v[0]) < 1e-4 && norm(s[1]) < 1e-3, "{v:?} {s:?}");
}
