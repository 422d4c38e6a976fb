//! Umetani 2014, figure 11: every vertex starts at a random place, and the rod finds back to its rest shape, a spring.
//!
//! The first edge starts in its place and is clamped, so that the shape at the end can be compared point by point.

use super::measure::distance;
use super::spring::{Shape, points};
use super::stage::*;
use crate::Result;
use crate::abi::Rods;
use glam::DVec3;
use withy::math::rng::Rng;
use withy::world::{EndSupport, RodsDesc, Stiffness, SweepOrder};

const RADIUS: f64 = 0.012;

/// Distance from the rest shape, rms over its length, frame by frame.
pub fn simulate(seed: u64, seconds: f64, mut see: impl FnMut(f64, Rods, f64) -> Result<()>) -> Result<f64> {
    let world = world(4, 10)?;
    let rest = points(Shape::Spring);
    let target = vectors(&rest);
    let mut rng = Rng::new(seed);
    let mut positions = rest.clone();
    for p in positions.iter_mut().skip(2) {
        *p = [rng.range(0.0, 1.0), rng.range(-0.2, 0.4), rng.range(-0.3, 0.3)];
    }
    let rods = world.add_rods(&RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        rest_positions: rest,
        radii: vec![RADIUS],
        stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 },
        root: EndSupport::Clamped,
        damping: 8.0,
        drag: 2.0,
        max_speed: 5.0,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    })?;
    let frames = (seconds / FRAME).round() as u32;
    let away = |rods: Rods| -> Result<f64> { Ok(distance(&vectors(&rods.positions()?), &target)) };
    let mut last = away(rods)?;
    see(0.0, rods, last)?;
    for frame in 1..=frames {
        world.step(FRAME)?;
        last = away(rods)?;
        see(f64::from(frame) * FRAME, rods, last)?;
    }
    Ok(last)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 6] = [0.0, 1.0 / 60.0, 5.0 / 60.0, 0.25, 1.0, 4.0];
    let mut figure = Figure {
        title: "Random start",
        subtitle: "30 edges; rms distance from the rest shape over its length".into(),
        size: (280, 220),
        ..Figure::default()
    };
    let mut next = 0;
    let last = simulate(11, 4.0, |t, rods, away| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            let mut scene = picture(rods, &[31], Look { smooth: t > 0.1, ..Look::striped(RADIUS, [0.62, 0.30, 0.18]) })?;
            scene.primitives.push(clamp_block(DVec3::ZERO, glam::DQuat::IDENTITY, 0.03));
            figure.shot(format!("{t:.2} s, {:.2} %", 100.0 * away), scene);
        }
        Ok(())
    })?;
    figure.numbers = vec![format!("after 4 s {:.3} % of the length away from the rest shape", 100.0 * last)];
    Ok(figure)
}
