//! Heavy on light, and heavy hung on light.

use crate::rolling::{body, fixed};
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

/// How deep a box of 1 kg is pressed by one of `ratio` kg that stands on it, after 5 s.
fn pressed(ratio: f64, substeps: u32, iterations: u32) -> [f64; 2] {
    let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
    w.add_body(&fixed(BodyShape::Box { half_extents: [5.0, 0.5, 5.0] }, [0.0, -0.5, 0.0])).unwrap();
    let cube = |y: f64, mass: f64| BodyDesc { mass, ..body(BodyShape::Box { half_extents: [0.25; 3] }, [0.0, y, 0.0]) };
    let light = w.add_body(&cube(0.25, 1.0)).unwrap();
    let heavy = w.add_body(&cube(0.75, ratio)).unwrap();
    (0..300).for_each(|_| w.step(DT, &Inline).unwrap());
    let at = |id: Id| w.body_pose(id).unwrap().position[1];
    [0.25 - at(light), 0.75 - at(heavy)]
}

/// The largest gap of a chain of ten links of 0.1 m, over its length, under a ball of `ratio` times a link.
fn hung(ratio: f64, substeps: u32, iterations: u32) -> f64 {
    let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
    let mut last: Option<Id> = None;
    let mut joints = Vec::new();
    for k in 0..11 {
        let (mass, half) = if k < 10 { (0.1, 0.05) } else { (0.1 * ratio, 0.2) };
        let y = if k < 10 { -0.05 - 0.1 * f64::from(k) } else { -1.2 };
        let shape =
            if k < 10 { BodyShape::Capsule { half_height: 0.035, radius: 0.015 } } else { BodyShape::Sphere { radius: 0.2 } };
        let b = w.add_body(&BodyDesc { mass, group: 1, ..body(shape, [0.0, y, 0.0]) }).unwrap();
        let pose = |y: f64| Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY };
        let frame_a = if last.is_some() { pose(-0.05) } else { Pose::IDENTITY };
        joints.push(
            w.add_joint(&JointDesc {
                a: last,
                b,
                frame_a,
                frame_b: pose(half),
                kind: JointKind::Ball { limits: None },
                motor: None,
                collide: false,
            })
            .unwrap(),
        );
        last = Some(b);
    }
    (0..300).for_each(|_| w.step(DT, &Inline).unwrap());
    joints.iter().map(|j| w.joint_error(*j).unwrap()[0]).fold(0.0, f64::max)
}

#[test]
#[ignore = "a survey: what is not promised yet"]
fn survey() {
    for (substeps, iterations) in [(8, 4), (4, 5), (1, 20)] {
        for ratio in [10.0, 100.0, 365.0, 1000.0] {
            let [light, heavy] = pressed(ratio, substeps, iterations);
            let gap = hung(ratio, substeps, iterations);
            println!(
                "{substeps} x {iterations}, {ratio} : 1: stacked {:.2} mm, {:.2} mm low; hung, largest gap {:.3} mm of a metre",
                1e3 * light,
                1e3 * heavy,
                1e3 * gap
            );
        }
    }
}
