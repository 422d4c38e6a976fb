//! Lewin 2013, figure 6: where the end of a chain of ball joints can be, and where that of an arc.

use super::*;
use crate::render::{Plot, Series};
use crate::scenes::stage::Figure;
use std::f64::consts::PI;
use withy::world::{ArcDesc, BodyDesc, JointDesc, MotorDesc, ShapeDesc};

/// End of a chain of unit length whose joints stand in the middle of its links, with these angles.
pub fn chain(angles: &[f64]) -> [f64; 2] {
    let n = angles.len() as f64;
    let (mut x, mut y, mut angle) = (0.0, 0.5 / n, 0.0);
    for (k, a) in angles.iter().enumerate() {
        angle += a;
        let link = if k + 1 == angles.len() { 0.5 / n } else { 1.0 / n };
        (x, y) = (x + link * f64::sin(angle), y + link * f64::cos(angle));
    }
    [x, y]
}

/// End of an arc of unit length that bends by `angle`.
pub fn arc(angle: f64) -> [f64; 2] {
    if angle.abs() < 1e-9 { [0.5 * angle, 1.0] } else { [(1.0 - angle.cos()) / angle, angle.sin() / angle] }
}

/// Where the solver puts the end of an arc whose motor wants `angle`.
pub fn solved(angle: f64) -> Result<[f64; 2]> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps: 4, iterations: 5, ..WorldDesc::default() })?;
    let shape = ShapeDesc { shape: BodyShape::Sphere { radius: 0.05 }, ..ShapeDesc::default() };
    let at = |y: f64, rotation: DQuat| Pose { position: [0.0, y, 0.0], rotation: rotation.to_array() };
    // z of a frame along y, x stays: bending about x by −angle carries y towards −z; the third axis of the picture is −z.
    let up = DQuat::from_rotation_x(-0.5 * PI);
    let body = BodyDesc {
        pose: at(1.0, DQuat::IDENTITY),
        shapes: vec![shape],
        linear_damping: 2.0,
        angular_damping: 2.0,
        ..BodyDesc::default()
    };
    let b = world.add_body(&body)?;
    let joint = world.add_joint(&JointDesc {
        a: None,
        b,
        frame_a: at(0.0, up),
        frame_b: at(0.0, up),
        kind: JointKind::Arc(ArcDesc { length: 1.0, ..ArcDesc::default() }),
        motor: Some(MotorDesc { stiffness: [20.0; 3], damping: [4.0; 3], ..MotorDesc::default() }),
        collide: false,
    })?;
    for k in 1..=240 {
        let part = (f64::from(k) / 120.0).min(1.0);
        let target = DQuat::from_rotation_x(-angle * part).to_array();
        world.change_joint(joint, &mut |d| {
            if let Some(m) = &mut d.motor {
                m.target = target;
            }
        })?;
        step(&mut world)?;
    }
    let p = world.body_pose(b)?.position;
    Ok([-p[2], p[1]])
}

fn line(name: &str, points: Vec<[f64; 2]>, dashed: bool, markers: bool) -> Series {
    Series { name: name.into(), points, markers, dashed }
}

pub fn figure() -> Result<Figure> {
    let angles: Vec<f64> = (-90..=90).map(|k| PI * f64::from(k) / 90.0).collect();
    let along = |f: &dyn Fn(f64) -> [f64; 2]| angles.iter().map(|&a| f(a)).collect::<Vec<_>>();
    let mut plot = Plot {
        title: "Where the end can be: unit length, bent by −180° to 180°".into(),
        x_label: "across".into(),
        y_label: "along".into(),
        width: 800,
        height: 780,
        equal: true,
        ..Plot::default()
    };
    let stops: Vec<f64> = (-8..=8).map(|k| 0.97 * PI * f64::from(k) / 8.0).collect();
    let points = stops.iter().map(|&a| solved(a)).collect::<Result<Vec<_>>>()?;
    let away = |p: [f64; 2], q: [f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
    let miss = stops.iter().zip(&points).map(|(&a, &p)| away(p, arc(a))).fold(0.0, f64::max);
    let mut numbers = vec![format!("the solver's arcs end at most {miss:.1e} of the length from the circle's (to 175°)")];
    plot.series.push(line("arc", along(&arc), false, false));
    for n in [3usize, 4, 8] {
        let end = |a: f64| chain(&vec![a / n as f64; n]);
        if n < 8 {
            plot.series.push(line(&format!("{n} equal joints"), along(&end), true, false));
        }
        let off = |to: f64| angles.iter().filter(|a| a.abs() <= to).map(|&a| away(end(a), arc(a))).fold(0.0, f64::max);
        numbers.push(format!(
            "{n} equal joints: at most {:.4} of the length from the arc to 90°, {:.4} to 180°",
            off(0.51 * PI),
            off(4.0)
        ));
    }
    for (name, part) in
        [("4 joints, all in the first", [1.0, 0.0, 0.0, 0.0]), ("4 joints, all in the last", [0.0, 0.0, 0.0, 1.0])]
    {
        let end = |a: f64| chain(&part.map(|p| p * a));
        plot.series.push(line(name, along(&end), true, false));
        let off = angles.iter().filter(|a| a.abs() <= 0.51 * PI).map(|&a| away(end(a), arc(a))).fold(0.0, f64::max);
        numbers.push(format!("{name}: {off:.3} of the length from the arc at 90°"));
    }
    plot.series.push(line("", points, false, true));
    let last = plot.series.len() - 1;
    // Markers only.
    plot.series[last].points = plot.series[last].points.iter().flat_map(|&p| [p, [f64::NAN; 2]]).collect();
    plot.series[last].name = "arc, as the solver finds it".into();
    Ok(Figure { title: "Locus", plots: vec![plot], numbers, ..Figure::default() })
}
