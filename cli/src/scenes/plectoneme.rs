//! Umetani 2014, figure 2: a rod clamped at both ends is twisted until it throws a loop, the start of a plectoneme.
//!
//! The twist that the clamps put in, Lk, stays: what leaves the twist of the material, Tw, becomes writhe of the centreline, Wr
//! (Călugăreanu's theorem, Tw + Wr = Lk), until the loop passes over a clamp. A model without coupling of bend and twist cannot
//! do it. There is no contact between rods yet, so that the loop stops before its strands would touch.

use super::measure::open_writhe;
use super::stage::*;
use crate::Result;
use crate::abi::Rods;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RodsDesc, Stiffness};

const LENGTH: f64 = 1.0;
const RADIUS: f64 = 0.006;
/// The right clamp comes in by so much of the length.
const SLACK: f64 = 0.30;
const TURNS: f64 = 4.0;
const VERTICES: usize = 101;

/// The state after a while: turns put in, turns of twist in the material, writhe in turns, distance from the line over length.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    pub turns: f64,
    pub twist: f64,
    pub writhe: f64,
    pub sideways: f64,
}

fn balance(rods: Rods, turns: f64) -> Result<Balance> {
    let points = vectors(&rods.positions()?);
    let twist = rods.twist()?.iter().sum::<f64>() / TAU;
    let sideways = points.iter().map(|p| (p.y * p.y + p.z * p.z).sqrt()).fold(0.0, f64::max) / LENGTH;
    Ok(Balance { turns, twist, writhe: open_writhe(&points), sideways })
}

/// Runs the scene; `see` is called after every frame with the progress from 0 to 1.
pub fn simulate(seconds: f64, mut see: impl FnMut(f64, Rods, Balance) -> Result<()>) -> Result<Balance> {
    let world = world(400, 1)?;
    let mut positions = line(DVec3::ZERO, DVec3::X * LENGTH, VERTICES);
    // A straight rod under compression does not know where to go: a bump of a thousandth tells it.
    for (i, p) in positions.iter_mut().enumerate() {
        p[1] += 1e-3 * LENGTH * (std::f64::consts::PI * i as f64 / (VERTICES - 1) as f64).sin();
    }
    let rods = world.add_rods(&RodsDesc {
        positions,
        counts: vec![VERTICES as u32],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 1e6, shear: 1e6 / 3.0 },
        density: 1100.0,
        rest_shape: withy::world::RestShape::Straight,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        damping: 6.0,
        drag: 1.0,
        ..RodsDesc::default()
    })?;
    let frames = (seconds / FRAME) as u32;
    let mut last = balance(rods, 0.0)?;
    see(0.0, rods, last)?;
    for frame in 1..=frames {
        let t = f64::from(frame) / f64::from(frames);
        // Both ends turn, half each, in the first four fifths; the right one comes in meanwhile.
        let ramp = (t / 0.8).min(1.0);
        let turns = TURNS * ramp;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        rods.set_roots(&[[0.0; 3]], &[half.inverse().to_array()])?;
        rods.set_tips(&[[LENGTH * (1.0 - SLACK * ramp), 0.0, 0.0]], &[half.to_array()])?;
        world.step(FRAME)?;
        last = balance(rods, turns)?;
        see(t, rods, last)?;
    }
    Ok(last)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 6] = [0.0, 0.3, 0.45, 0.6, 0.8, 1.0];
    let mut figure = Figure {
        title: "Plectoneme",
        subtitle: "clamped rod, both ends turned against each other".into(),
        size: (320, 240),
        ..Figure::default()
    };
    let mut next = 0;
    let last = simulate(8.0, |t, rods, b| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-9 {
            next += 1;
            let mut scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.75, 0.25, 0.18]))?;
            let end = LENGTH * (1.0 - SLACK * (t / 0.8).min(1.0));
            let half = DQuat::from_rotation_x(0.5 * TAU * b.turns);
            scene.primitives.push(clamp_block(DVec3::ZERO, half.inverse(), 0.03));
            scene.primitives.push(clamp_block(DVec3::X * end, half, 0.03));
            figure.shot(format!("Lk {:.1} = Tw {:.2} + Wr {:.2}", b.turns, b.twist, b.writhe), scene);
        }
        Ok(())
    })?;
    figure.numbers = vec![format!(
        "turns {:.3}, twist + writhe {:.3} (difference {:.1e}), loop of {:.2} of the length",
        last.turns,
        last.twist + last.writhe,
        last.twist + last.writhe - last.turns,
        last.sideways
    )];
    Ok(figure)
}
