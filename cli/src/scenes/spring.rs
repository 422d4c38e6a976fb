//! Umetani 2014, figure 10: a straight and a spring-shaped rod of 30 edges, clamped and twisted at both ends, ten iterations a frame.
//!
//! The paper's setting: stiffness by α, one step a frame, no damping. Oriented particles and chain shape matching fail here.

use super::paper::Stage;
use super::stage::*;
use crate::Result;
use crate::render::Scene;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, Id, Pose, RodsDesc, Stiffness, SweepOrder};

const VERTICES: usize = 31;
const RADIUS: f64 = 0.012;
const LENGTH: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Straight,
    Spring,
}

pub fn points(shape: Shape) -> Vec<[f64; 3]> {
    match shape {
        Shape::Straight => line(DVec3::ZERO, DVec3::X * LENGTH, VERTICES),
        Shape::Spring => (0..VERTICES)
            .map(|i| i as f64 / (VERTICES - 1) as f64)
            .map(|s| [LENGTH * s, 0.1 * (1.0 - (3.0 * TAU * s).cos()), 0.1 * (3.0 * TAU * s).sin()])
            .collect(),
    }
}

/// Kinetic energy over mass at the end, m²/s², and the largest strain on the way.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    pub energy: f64,
    pub strain: f64,
}

/// Both ends turn against each other in the first second, and come together by `inward` of the length.
pub fn simulate(
    shape: Shape,
    turns: f64,
    inward: f64,
    seconds: f64,
    mut see: impl FnMut(f64, &Stage, Id) -> Result<()>,
) -> Result<Rest> {
    let mut stage = Stage::floating(1, 10)?;
    let start = points(shape);
    let rods = stage.add_rods(RodsDesc {
        positions: start.clone(),
        counts: vec![VERTICES as u32],
        radii: vec![RADIUS],
        stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 },
        order: SweepOrder::Bidirectional,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        ..RodsDesc::default()
    })?;
    let frames = (seconds / FRAME) as u32;
    let mut strain: f64 = 0.0;
    see(0.0, &stage, rods)?;
    for frame in 1..=frames {
        let now = f64::from(frame) * FRAME;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns * now.min(1.0));
        let mut tip = start[VERTICES - 1];
        tip[0] -= inward * LENGTH * now.min(1.0);
        let root = Pose { position: start[0], rotation: half.inverse().to_array() };
        stage.move_ends(rods, root, Pose { position: tip, rotation: half.to_array() })?;
        stage.frame()?;
        strain = strain.max(stage.largest_strain(rods)?);
        see(now, &stage, rods)?;
    }
    let u = vectors(&stage.velocities(rods)?);
    Ok(Rest { energy: 0.5 * u.iter().map(|v| v.length_squared()).sum::<f64>() / u.len() as f64, strain })
}

fn scene(stage: &Stage, rods: Id, color: [f32; 3]) -> Result<Scene> {
    let (points, frames) = (stage.positions(rods)?, stage.frames(rods)?);
    let drawn = points.iter().map(|p| p.map(|c| c as f32)).collect();
    let curves = vec![curve_set(drawn, &frames, &[VERTICES as u32], Look::striped(RADIUS, color))];
    let mut scene = Scene { curves, ..Scene::default() };
    for (point, frame) in [(points[0], frames[0]), (points[VERTICES - 1], frames[VERTICES - 2])] {
        // A frame's z is the rod's direction, a block's x.
        let turned = DQuat::from_array(frame) * DQuat::from_rotation_y(-0.25 * TAU);
        scene.primitives.push(clamp_block(DVec3::from(point), turned, 0.03));
    }
    Ok(scene)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 4] = [0.0, 0.5, 1.0, 8.0];
    let mut figure = Figure {
        title: "Straight and spring, 30 edges",
        subtitle: "ten iterations a frame; both ends turn against each other".into(),
        size: (260, 150),
        columns: 4,
        ..Figure::default()
    };
    for (shape, turns, inward, color) in
        [(Shape::Straight, 1.5, 0.2, [0.16, 0.36, 0.62]), (Shape::Spring, 1.0, 0.0, [0.30, 0.50, 0.30])]
    {
        let mut next = 0;
        let rest = simulate(shape, turns, inward, 8.02, |t, stage, rods| {
            if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
                next += 1;
                figure.shot(format!("{t:.1} s"), scene(stage, rods, color)?);
            }
            Ok(())
        })?;
        if shape == Shape::Straight {
            figure.direction = figure.shots.last().map_or(figure.direction, Shot::widest_about_x);
        }
        figure.numbers.push(format!(
            "{shape:?}: kinetic energy over mass after 8 s {:.2e} m²/s², largest strain {:.1e}",
            rest.energy, rest.strain
        ));
    }
    Ok(figure)
}
