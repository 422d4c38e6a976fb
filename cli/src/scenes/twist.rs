//! Umetani 2014, figure 8 right: a rod under large twist. The frames of neighbouring edges turn by 90° and do not flip.
//!
//! A rod of rubber is stretched by a tenth, so that it does not buckle, and one end turns and turns back. Beyond 106° an
//! element the rod buckles within two edges and loses a turn; at 180° the model itself cannot tell a turn from its opposite.

use super::stage::*;
use crate::Result;
use crate::abi::Rods;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RestShape, RodsDesc, Stiffness, SweepOrder};

const LENGTH: f64 = 0.6;
const VERTICES: usize = 41;
const HALF_WIDTH: f64 = 0.02;
const ASPECT: f64 = 0.3;

/// Turns of the end, largest and mean twist of an element in degrees, largest sideways motion over the length.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub turns: f64,
    pub largest: f64,
    pub total: f64,
    pub sideways: f64,
}

fn state(rods: Rods, turns: f64) -> Result<State> {
    let twist = rods.twist()?;
    let sideways = rods.positions()?.iter().map(|p| p[1].hypot(p[2])).fold(0.0, f64::max) / LENGTH;
    Ok(State {
        turns,
        largest: twist.iter().map(|t| t.abs().to_degrees()).fold(0.0, f64::max),
        total: twist.iter().sum::<f64>() / TAU,
        sideways,
    })
}

/// Up to `turns` and back.
pub fn simulate(turns: f64, seconds: f64, mut see: impl FnMut(f64, Rods, State) -> Result<()>) -> Result<State> {
    let world = world(400, 1)?;
    let positions = line(DVec3::ZERO, DVec3::X * LENGTH, VERTICES);
    let rods = world.add_rods(&RodsDesc {
        positions,
        counts: vec![VERTICES as u32],
        radii: vec![HALF_WIDTH],
        aspect: ASPECT,
        section_axes: vec![[0.0, 1.0, 0.0]],
        stiffness: Stiffness::Physical { young: 2e5, shear: 2e5 / 3.0 },
        rest_shape: RestShape::Straight,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        damping: 4.0,
        drag: 1.0,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    })?;
    let frames = (seconds / FRAME) as u32;
    let mut last = state(rods, 0.0)?;
    see(0.0, rods, last)?;
    for frame in 1..=frames {
        let t = f64::from(frame) / f64::from(frames);
        let now = turns * (2.5 * t).min(1.0).min((2.5 * (1.0 - t) - 0.25).max(0.0));
        rods.set_tips(
            &[[LENGTH * (1.0 + 0.1 * (10.0 * t).min(1.0)), 0.0, 0.0]],
            &[DQuat::from_rotation_x(TAU * now).to_array()],
        )?;
        world.step(FRAME)?;
        last = state(rods, now)?;
        see(t, rods, last)?;
    }
    Ok(last)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 6] = [0.0, 0.1, 0.2, 0.45, 0.8, 1.0];
    let mut figure = Figure {
        title: "Large twist",
        subtitle: format!("{} edges, stretched by a tenth, up to 10 turns and back", VERTICES - 1),
        size: (360, 130),
        columns: 2,
        ..Figure::default()
    };
    let (mut next, mut largest, mut loss) = (0, 0.0f64, 0.0f64);
    let last = simulate(10.0, 8.0, |t, rods, s| {
        largest = largest.max(s.largest);
        loss = loss.max((s.total - s.turns).abs());
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-9 {
            next += 1;
            let look = Look::ribbon(HALF_WIDTH, ASPECT * HALF_WIDTH, [0.20, 0.45, 0.36], [0.85, 0.75, 0.45]);
            let scene = picture(rods, &[VERTICES as u32], look)?;
            figure.shot(format!("{:.1} turns, {:.0}° an element", s.turns, s.largest), scene);
        }
        Ok(())
    })?;
    figure.numbers = vec![
        format!("largest twist of an element {largest:.1}°, no flip: measured and imposed turns differ by {loss:.2} at most"),
        format!("back at {:.3} turns: {:.4} turns left, {:.1e} of the length out of line", last.turns, last.total, last.sideways),
    ];
    Ok(figure)
}
