//! Joints at the ends of what is accepted: stiffness that differs from axis to axis, speeds that nothing has. No body flies, none becomes NaN.

use withy::math::rng::Rng;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn world(double_precision: bool, substeps: u32, iterations: u32) -> World {
    World::new(WorldDesc { double_precision, substeps, iterations, ..WorldDesc::default() }).unwrap()
}

fn ball(w: &mut World, position: [f64; 3], radius: f64) -> Id {
    let shape = ShapeDesc { shape: BodyShape::Sphere { radius }, ..ShapeDesc::default() };
    let desc = BodyDesc { pose: Pose { position, ..Pose::IDENTITY }, shapes: vec![shape], ..BodyDesc::default() };
    w.add_body(&desc).unwrap()
}

fn at(position: [f64; 3]) -> Pose {
    Pose { position, ..Pose::IDENTITY }
}

/// The fastest that any body gets, m/s; infinite where something is no number.
fn fastest(w: &mut World, bodies: &[Id], steps: usize) -> f64 {
    let mut top: f64 = 0.0;
    for _ in 0..steps {
        w.step(DT, &Inline).unwrap();
        for &b in bodies {
            let Pose { position, rotation } = w.body_pose(b).unwrap();
            let [v, s] = w.body_motion(b).unwrap();
            let finite = position.iter().chain(&rotation).chain(&v).chain(&s).all(|x| x.is_finite());
            top = top.max(if finite { v.iter().map(|x| x * x).sum::<f64>().sqrt() } else { f64::INFINITY });
        }
    }
    top
}

/// An arc that bends and does not twist, or twists and does not bend, away from its natural state: it goes there and stays.
#[test]
fn arcs_as_stiff_as_they_get_about_some_axes() {
    let stiff = f64::INFINITY;
    let mut worst: f64 = 0.0;
    for double in [false, true] {
        for (bend, twist) in [
            ([10.0; 2], stiff),
            ([1000.0; 2], stiff),
            ([0.01; 2], 1e6),
            ([stiff, 10.0], 10.0),
            ([stiff; 2], 0.1),
            ([10.0, stiff], stiff),
        ] {
            for (radius, second) in [(0.05, false), (0.2, false), (0.3, true), (0.2, true)] {
                for rest in [[0.0, 0.0, 0.0], [1.0, 0.4, 0.0], [0.3, -0.2, 0.5]] {
                    let mut w = world(double, 8, 4);
                    let a = second.then(|| ball(&mut w, [0.0; 3], radius));
                    let b = ball(&mut w, [0.0, 0.0, 0.6], radius);
                    let kind = JointKind::Arc(ArcDesc { bend, twist, rest, ..ArcDesc::default() });
                    let frame_a = Pose::IDENTITY;
                    w.add_joint(&JointDesc { a, b, frame_a, frame_b: Pose::IDENTITY, kind, motor: None, collide: false })
                        .unwrap();
                    let bodies: Vec<Id> = a.into_iter().chain([b]).collect();
                    let top = fastest(&mut w, &bodies, 120);
                    worst = worst.max(top);
                    // In two seconds they fall to 20 m/s; what is rigid goes to its natural state within a substep of 1/480 s.
                    let snap = 0.6 * 480.0 * rest.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
                    assert!(
                        top < 30.0 + snap,
                        "f64 {double}, {bend:?} {twist}, radius {radius}, {rest:?}, two bodies {second}: {top} m/s"
                    );
                }
            }
        }
    }
    println!("{worst} m/s");
}

#[test]
fn motors_as_stiff_as_they_get_about_some_axes() {
    let mut rng = Rng::new(5);
    for k in 0..400 {
        let mut w = world(k % 4 == 3, [8, 4, 1][k % 3], [4, 5, 20][k % 3]);
        let radius = rng.range(0.05, 0.3);
        let a = (k % 2 == 0).then(|| ball(&mut w, [0.0; 3], radius));
        let b = ball(&mut w, [0.0, 0.0, 0.6], radius);
        let mut q = [0; 4].map(|_| rng.range(-1.0, 1.0f64));
        let l = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.iter_mut().for_each(|x| *x /= l);
        let mut some = |finite: f64| if rng.range(0.0, 1.0) < 0.4 { f64::INFINITY } else { finite };
        let motor = MotorDesc {
            stiffness: [some(10.0), some(100.0), some(1000.0)],
            damping: [some(0.0), some(1.0), some(100.0)],
            target: q,
            ..MotorDesc::default()
        };
        let kind = if k % 5 == 0 { JointKind::Hinge { limits: [-3.0, 3.0] } } else { JointKind::Ball { limits: None } };
        let desc = JointDesc {
            a,
            b,
            frame_a: at([0.0, 0.0, 0.3]),
            frame_b: at([0.0, 0.0, -0.3]),
            kind,
            motor: Some(motor),
            collide: false,
        };
        w.add_joint(&desc).unwrap();
        let bodies: Vec<Id> = a.into_iter().chain([b]).collect();
        let top = fastest(&mut w, &bodies, 120);
        assert!(top < 150.0, "{k}: {motor:?}: {top} m/s");
    }
}

/// Six bodies on joints of each kind, thrown at each other with up to 10⁶ m/s where the host allows it: nobody is no number, in the air and on a floor.
#[test]
fn a_million_metres_a_second_on_joints() {
    for double in [false, true] {
        for kind in 0..5 {
            for speed in [3e3, 3e4, 1e6] {
                for ground in [false, true] {
                    let mut w = world(double, 8, 4);
                    if ground {
                        w.add_collider(ColliderDesc::default()).unwrap();
                    }
                    let mut bodies = Vec::new();
                    for k in 0..6 {
                        let v = if k % 2 == 0 { speed } else { -speed };
                        let shape = ShapeDesc { shape: BodyShape::Box { half_extents: [0.1; 3] }, ..ShapeDesc::default() };
                        let desc = BodyDesc {
                            pose: at([0.0, 1.0 + 0.3 * k as f64, 0.0]),
                            velocity: [v, -v, 0.5 * v],
                            max_speed: 1e9,
                            shapes: vec![shape],
                            ..BodyDesc::default()
                        };
                        bodies.push(w.add_body(&desc).unwrap());
                    }
                    let up = [-(0.5f64.sqrt()), 0.0, 0.0, 0.5f64.sqrt()];
                    for k in 1..6 {
                        let kind = match (kind + if kind == 4 { k } else { 0 }) % 4 {
                            0 => JointKind::Ball { limits: None },
                            1 => JointKind::Hinge { limits: [-0.5, 0.5] },
                            2 => JointKind::Fixed,
                            _ => JointKind::Arc(ArcDesc { bend: [10.0; 2], twist: 10.0, ..ArcDesc::default() }),
                        };
                        let frame = |y: f64| Pose { position: [0.0, y, 0.0], rotation: up };
                        let (frame_a, frame_b) = (frame(0.1), frame(-0.1));
                        let desc = JointDesc {
                            a: Some(bodies[k - 1]),
                            b: bodies[k],
                            frame_a,
                            frame_b,
                            kind,
                            motor: None,
                            collide: false,
                        };
                        w.add_joint(&desc).unwrap();
                    }
                    let top = fastest(&mut w, &bodies, 60);
                    assert!(top.is_finite(), "f64 {double}, kind {kind}, {speed} m/s, ground {ground}");
                }
            }
        }
    }
}

/// Nor is anybody faster than it may be after a step, whatever a body of the host's does to it.
#[test]
fn nobody_is_faster_than_it_may_be() {
    let mut w = world(false, 8, 4);
    let bat = w
        .add_body(&BodyDesc {
            motion: BodyMotion::Kinematic,
            shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.1, 1.0, 1.0] }, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })
        .unwrap();
    let b = ball(&mut w, [0.5, 0.0, 0.0], 0.1);
    let hung = ball(&mut w, [0.0, -3.0, 0.0], 0.1);
    let kind = JointKind::Ball { limits: None };
    let desc = JointDesc {
        a: Some(bat),
        b: hung,
        frame_a: at([0.0, -3.0, 0.0]),
        frame_b: Pose::IDENTITY,
        kind,
        motor: None,
        collide: false,
    };
    w.add_joint(&desc).unwrap();
    for k in 0..60 {
        let x = if k % 2 == 0 { 2e6 } else { 0.0 };
        w.set_body_target(bat, at([x, 0.0, 0.0])).unwrap();
        let top = fastest(&mut w, &[b, hung], 1);
        assert!(top < 500.1, "step {k}: {top} m/s");
    }
}

/// Two bodies at one place, joined by each kind: refused by name, or they stay numbers and slower than what pushes them apart.
#[test]
fn bodies_at_one_place_are_refused_by_name_or_stay_finite() {
    let half = 0.5f64.sqrt();
    let limits = Some(BallLimits { swing: [0.5, 0.3], twist: [-0.2, 0.4] });
    let arc = ArcDesc { bend: [10.0; 2], twist: 10.0, ..ArcDesc::default() };
    let kinds = [
        JointKind::Ball { limits: None },
        JointKind::Ball { limits },
        JointKind::Hinge { limits: [-0.5, 0.5] },
        JointKind::Fixed,
        JointKind::Distance { least: 0.0, most: 0.0 },
        JointKind::Distance { least: 0.1, most: 0.3 },
        JointKind::Arc(arc),
        JointKind::Arc(ArcDesc { length: 0.3, limits, ..arc }),
    ];
    let anchors = [
        ([0.0; 3], [0.0; 3]),
        ([0.0, 0.1, 0.0], [0.0, 0.1, 0.0]),
        ([0.0; 3], [0.0, 0.0, 0.2]),
        ([0.1, 0.0, 0.0], [-0.1, 0.05, 0.0]),
    ];
    let (mut made, mut refused) = (0, 0);
    for double in [false, true] {
        for (k, kind) in kinds.iter().enumerate() {
            for (from, to) in anchors {
                for collide in [false, true] {
                    let mut w = world(double, [8, 4][k % 2], [4, 5][k % 2]);
                    let pose = Pose { position: [0.3, 2.0, -0.1], rotation: [half, 0.0, 0.0, half] };
                    let bodies = [0.1, 0.2].map(|radius| {
                        let shape = ShapeDesc { shape: BodyShape::Box { half_extents: [radius; 3] }, ..ShapeDesc::default() };
                        w.add_body(&BodyDesc { pose, shapes: vec![shape], ..BodyDesc::default() }).unwrap()
                    });
                    let (a, b) = (Some(bodies[0]), bodies[1]);
                    let desc = JointDesc { a, b, frame_a: at(from), frame_b: at(to), kind: kind.clone(), motor: None, collide };
                    let what = format!("f64 {double}, {kind:?}, {from:?} to {to:?}, collide {collide}");
                    if let Err(e) = w.add_joint(&desc) {
                        assert!(["length", "frame_a", "frame_b"].iter().any(|f| e.message.contains(f)), "{what}: {e:?}");
                        assert!(matches!(kind, JointKind::Arc(_)), "{what}: {e:?}");
                        refused += 1;
                        continue;
                    }
                    made += 1;
                    let top = fastest(&mut w, &bodies, 120);
                    assert!(top < 100.0, "{what}: {top} m/s");
                }
            }
        }
    }
    println!("{made} made, {refused} refused");
    assert!(made > 0 && refused > 0);
}
