//! Frames that took too long, for bodies.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn shape(shape: BodyShape) -> Vec<ShapeDesc> {
    vec![ShapeDesc { shape, friction: 0.5, ..ShapeDesc::default() }]
}

fn world(substeps: u32, iterations: u32) -> World {
    let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
    w.add_body(&BodyDesc { motion: BodyMotion::Static, shapes: shape(BodyShape::Plane), ..BodyDesc::default() }).unwrap();
    w
}

fn body(w: &mut World, form: BodyShape, position: [f64; 3]) -> Id {
    let pose = Pose { position, ..Pose::IDENTITY };
    w.add_body(&BodyDesc { pose, shapes: shape(form), can_sleep: false, ..BodyDesc::default() }).unwrap()
}

fn place(w: &World, b: Id) -> [f64; 3] {
    w.body_pose(b).unwrap().position
}

fn speed(w: &World, b: Id) -> f64 {
    w.body_motion(b).unwrap()[0].iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn every(mut each: impl FnMut(u32, u32, f64)) {
    for (substeps, iterations) in [(8, 4), (4, 5)] {
        for hitch in [0.1, 0.25, 0.5] {
            each(substeps, iterations, hitch);
        }
    }
}

#[test]
fn a_stack_stands() {
    every(|substeps, iterations, hitch| {
        let mut w = world(substeps, iterations);
        let half_extents = [0.25; 3];
        let boxes: Vec<Id> =
            (0..5).map(|k| body(&mut w, BodyShape::Box { half_extents }, [0.0, 0.25 + 0.5 * k as f64, 0.0])).collect();
        (0..120).for_each(|_| w.step(DT, &Inline).unwrap());
        let before: Vec<_> = boxes.iter().map(|&b| place(&w, b)).collect();
        let mut most = 0.0f64;
        let moved = |w: &World| {
            let far = |(b, was): (&Id, &[f64; 3])| (0..3).map(|k| (place(w, *b)[k] - was[k]).powi(2)).sum::<f64>().sqrt();
            boxes.iter().zip(&before).map(far).fold(0.0, f64::max)
        };
        for dt in [hitch, DT, hitch, DT, DT, DT, hitch].into_iter().chain([DT; 60]) {
            w.step(dt, &Inline).unwrap();
            most = most.max(moved(&w));
        }
        println!("{substeps} x {iterations}, {hitch} s: moved by {most:.5} m at most, {:.5} m after", moved(&w));
        // Contacts are as soft as the substep is long.
        let limit = if substeps == 8 { 3e-3 } else { 14e-3 };
        assert!(most < limit && moved(&w) < 3e-3, "{substeps} x {iterations}, {hitch} s: moved by {most}, {} m", moved(&w));
    });
}

#[test]
fn what_falls_lands() {
    every(|substeps, iterations, hitch| {
        for form in [BodyShape::Box { half_extents: [0.1; 3] }, BodyShape::Sphere { radius: 0.1 }] {
            let mut w = world(substeps, iterations);
            let b = body(&mut w, form, [0.0, 0.6, 0.0]);
            w.set_body_motion(b, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
            for _ in 0..4 {
                w.step(hitch, &Inline).unwrap();
                let y = place(&w, b)[1];
                assert!(y > 0.09 && y < 0.7, "{substeps} x {iterations}, {hitch} s: at {y} m");
                assert!(speed(&w, b) < 4.0, "{substeps} x {iterations}, {hitch} s: {} m/s", speed(&w, b));
            }
            (0..120).for_each(|_| w.step(DT, &Inline).unwrap());
            let y = place(&w, b)[1];
            assert!((y - 0.1).abs() < 3e-3, "{substeps} x {iterations}, {hitch} s: lies at {y} m");
        }
    });
}

#[test]
fn a_ball_rolls_on() {
    every(|substeps, iterations, hitch| {
        let mut w = world(substeps, iterations);
        let pose = Pose { position: [0.0, 0.2, 0.0], ..Pose::IDENTITY };
        let shapes = shape(BodyShape::Sphere { radius: 0.2 });
        let (linear_damping, angular_damping) = (0.0, 0.0);
        let b = w.add_body(&BodyDesc { pose, shapes, linear_damping, angular_damping, ..BodyDesc::default() }).unwrap();
        w.set_body_motion(b, [2.0, 0.0, 0.0], [0.0, 0.0, -10.0]).unwrap();
        (0..30).for_each(|_| w.step(DT, &Inline).unwrap());
        for _ in 0..3 {
            w.step(hitch, &Inline).unwrap();
            (0..5).for_each(|_| w.step(DT, &Inline).unwrap());
        }
        let (v, x) = (w.body_motion(b).unwrap()[0], place(&w, b));
        assert!((v[0] - 2.0).abs() < 0.02 && v[2].abs() < 0.02, "{substeps} x {iterations}, {hitch} s: {v:?}");
        assert!((x[1] - 0.2).abs() < 3e-3, "{substeps} x {iterations}, {hitch} s: {x:?}");
    });
}

#[test]
fn a_chain_with_a_load_holds() {
    every(|substeps, iterations, hitch| {
        let mut w = world(substeps, iterations);
        let mut above = None;
        let mut joints = Vec::new();
        for k in 0..8 {
            let b = body(&mut w, BodyShape::Capsule { half_height: 0.04, radius: 0.02 }, [0.0, 3.0 - 0.1 * k as f64, 0.0]);
            let y = |y: f64| Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY };
            let frame_a = if above.is_some() { y(-0.05) } else { y(3.05) };
            let kind = JointKind::Ball { limits: None };
            let desc = JointDesc { a: above, b, frame_a, frame_b: y(0.05), kind, motor: None, collide: false };
            joints.push(w.add_joint(&desc).unwrap());
            above = Some(b);
        }
        (0..120).for_each(|_| w.step(DT, &Inline).unwrap());
        let last = above.unwrap();
        w.set_body_motion(last, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
        for dt in [hitch, DT, hitch, DT, DT, hitch].into_iter().chain([DT; 60]) {
            w.step(dt, &Inline).unwrap();
            let gap = joints.iter().map(|&j| w.joint_error(j).unwrap()[0]).fold(0.0, f64::max);
            assert!(gap < 0.01, "{substeps} x {iterations}, {hitch} s: a gap of {gap} m");
            assert!(speed(&w, last) < 2.5, "{substeps} x {iterations}, {hitch} s: {} m/s", speed(&w, last));
        }
    });
}

#[test]
fn what_the_host_drives_pushes_and_does_not_pass() {
    every(|substeps, iterations, hitch| {
        let mut w = world(substeps, iterations);
        let shapes = shape(BodyShape::Box { half_extents: [0.1, 0.3, 1.0] });
        let pose = Pose { position: [-0.5, 0.3, 0.0], ..Pose::IDENTITY };
        let wall = w.add_body(&BodyDesc { motion: BodyMotion::Kinematic, pose, shapes, ..BodyDesc::default() }).unwrap();
        let b = body(&mut w, BodyShape::Box { half_extents: [0.1; 3] }, [0.0, 0.1, 0.0]);
        (0..30).for_each(|_| w.step(DT, &Inline).unwrap());
        let mut x = -0.5;
        for _ in 0..3 {
            x += 1.0 * hitch;
            w.set_body_target(wall, Pose { position: [x, 0.3, 0.0], ..Pose::IDENTITY }).unwrap();
            w.step(hitch, &Inline).unwrap();
            let at = place(&w, b);
            assert!(at[0] > x + 0.15, "{substeps} x {iterations}, {hitch} s: the wall at {x} m has passed the box at {at:?}");
            assert!(
                at[1] < 0.2 && speed(&w, b) < 2.0,
                "{substeps} x {iterations}, {hitch} s: thrown, {at:?}, {} m/s",
                speed(&w, b)
            );
        }
    });
}

/// Steps of 60 and 30 Hz in turn: the impulses that a step begins with are those of its substeps.
#[test]
fn a_change_of_the_frame_rate_shakes_nothing() {
    for (substeps, iterations) in [(8, 4), (4, 5)] {
        let mut w = world(substeps, iterations);
        let half_extents = [0.25; 3];
        let boxes: Vec<Id> =
            (0..4).map(|k| body(&mut w, BodyShape::Box { half_extents }, [0.0, 0.25 + 0.5 * k as f64, 0.0])).collect();
        (0..120).for_each(|_| w.step(DT, &Inline).unwrap());
        let (mut lowest, mut highest) = (f64::INFINITY, 0.0f64);
        for k in 0..120 {
            w.step(if k % 3 == 0 { 2.0 * DT } else { DT }, &Inline).unwrap();
            let y = place(&w, boxes[3])[1];
            (lowest, highest) = (lowest.min(y), highest.max(y));
        }
        println!("{substeps} x {iterations}: {lowest:.5} to {highest:.5} m");
        assert!(
            highest - lowest < if substeps == 8 { 1e-3 } else { 2e-3 } && (highest - 1.75).abs() < 0.02,
            "{substeps} x {iterations}: {lowest} to {highest} m"
        );
    }
}
