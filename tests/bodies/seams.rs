//! What slides or rolls from one shape to the next on the same level neither stops nor hops.

use crate::rolling::{body, fixed};
use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const BOXES: usize = 20;

fn cube(h: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8).map(|k| [0, 1, 2].map(|a| if k >> a & 1 == 0 { -h[a] } else { h[a] })).collect()
}

/// Rows of twenty, from x = 0 on, the tops at height 0 but for every other one, which is lower by `step`.
fn rows(half: f64, step: f64) -> Vec<(&'static str, Vec<BodyDesc>)> {
    let h = [half, 0.5, 2.0];
    let at = |k: usize| [half + 2.0 * half * k as f64, -0.5 - step * (k % 2) as f64, 0.0];
    let boxes = (0..BOXES).map(|k| fixed(BodyShape::Box { half_extents: h }, at(k))).collect();
    let hulls = (0..BOXES).map(|k| fixed(BodyShape::Hull { points: cube(h) }, at(k))).collect();
    let mut compound = fixed(BodyShape::Box { half_extents: h }, [0.0; 3]);
    compound.shapes = (0..BOXES)
        .map(|k| {
            let shape = if k % 2 == 0 { BodyShape::Box { half_extents: h } } else { BodyShape::Hull { points: cube(h) } };
            ShapeDesc { shape, pose: Pose { position: at(k), ..Pose::IDENTITY }, ..ShapeDesc::default() }
        })
        .collect();
    vec![("boxes", boxes), ("hulls", hulls), ("compound", vec![compound])]
}

#[test]
fn rows_of_flush_shapes_are_as_smooth_as_one() {
    let mut wrong = Vec::new();
    let lying = [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()];
    let up = [0.0, 0.0, 0.0, 1.0];
    let movers = [
        ("ball", BodyShape::Sphere { radius: 0.1 }, 0.1, up, true),
        ("small ball", BodyShape::Sphere { radius: 0.008 }, 0.008, up, true),
        ("capsule", BodyShape::Capsule { half_height: 0.2, radius: 0.1 }, 0.1, lying, true),
        ("tapered", BodyShape::TaperedCapsule { half_height: 0.2, bottom: 0.1, top: 0.1 }, 0.1, lying, true),
        ("box", BodyShape::Box { half_extents: [0.2; 3] }, 0.2, up, false),
        ("flat box", BodyShape::Box { half_extents: [0.3, 0.05, 0.2] }, 0.05, up, false),
        ("hull", BodyShape::Hull { points: cube([0.2; 3]) }, 0.2, up, false),
    ];
    for step in [0.0, 1e-6] {
        for half in [0.5, 2.0] {
            for (row, descs) in rows(half, step) {
                for (mover, shape, height, rotation, round) in &movers {
                    for (speed, rolls) in [(1.0, false), (5.0, false), (3.0, true)] {
                        if rolls && !round {
                            continue;
                        }
                        let mut w = World::new(WorldDesc::default()).unwrap();
                        for d in &descs {
                            w.add_body(d).unwrap();
                        }
                        let mut d = body(shape.clone(), [0.5 * half, *height, 0.1]);
                        d.pose.rotation = *rotation;
                        if !rolls {
                            d.shapes[0].friction = 0.0;
                        }
                        let b = w.add_body(&d).unwrap();
                        (0..30).for_each(|_| w.step(DT, &Inline).unwrap());
                        let spin = if rolls { -speed / height } else { 0.0 };
                        w.set_body_motion(b, [speed, 0.0, 0.0], [0.0, 0.0, spin]).unwrap();
                        let (mut high, mut low) = (f64::MIN, f64::MAX);
                        let way = 2.0 * half * BOXES as f64 - half - 0.5;
                        for _ in 0..(way / speed * 60.0) as usize {
                            w.step(DT, &Inline).unwrap();
                            let y = w.body_pose(b).unwrap().position[1];
                            (high, low) = (high.max(y), low.min(y));
                        }
                        let v = w.body_motion(b).unwrap()[0];
                        if (v[0] / speed - 1.0).abs() > 0.01
                            || v[2].abs() > 0.01 * speed
                            || high - height > 1e-3
                            || height - low > 3e-3
                        {
                            wrong.push(format!(
                                "{row} of {} m, step {step}: {mover}, {speed} m/s, rolls {rolls}: leaves at {:.3} {:.3}, {:.2} mm high, {:.2} mm low",
                                2.0 * half, v[0], v[2], 1e3 * (high - height), 1e3 * (height - low)
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// What is not level still stops: a step of 5 cm, and the far side of a pit that a ball falls into.
#[test]
fn a_real_step_stops_a_box() {
    for (rise, stops) in [(0.05, true), (0.0, false)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let half_extents = [2.0, 0.5, 2.0];
        w.add_body(&fixed(BodyShape::Box { half_extents }, [0.0, -0.5, 0.0])).unwrap();
        w.add_body(&fixed(BodyShape::Box { half_extents }, [4.0, -0.5 + rise, 0.0])).unwrap();
        let mut d = body(BodyShape::Box { half_extents: [0.2; 3] }, [0.0, 0.2, 0.0]);
        d.shapes[0].friction = 0.0;
        d.velocity = [3.0, 0.0, 0.0];
        let b = w.add_body(&d).unwrap();
        (0..90).for_each(|_| w.step(DT, &Inline).unwrap());
        let v = w.body_motion(b).unwrap()[0][0];
        assert_eq!(v < 1.5, stops, "a rise of {rise} m: {v} m/s");
    }
    let mut w = World::new(WorldDesc::default()).unwrap();
    let half_extents = [2.0, 2.0, 2.0];
    w.add_body(&fixed(BodyShape::Box { half_extents }, [-2.0, -2.0, 0.0])).unwrap();
    w.add_body(&fixed(BodyShape::Box { half_extents }, [3.0, -2.0, 0.0])).unwrap();
    let mut d = body(BodyShape::Sphere { radius: 0.1 }, [-1.0, 0.1, 0.0]);
    (d.velocity, d.spin) = ([1.0, 0.0, 0.0], [0.0, 0.0, -10.0]);
    let b = w.add_body(&d).unwrap();
    (0..150).for_each(|_| w.step(DT, &Inline).unwrap());
    let p = w.body_pose(b).unwrap().position;
    assert!(p[1] < -0.5 && 0.0 < p[0] && p[0] < 1.0, "{p:?}");
}
