//! Umetani 2014, figure 2: a rod clamped at both ends is twisted until it throws a loop, the start of a plectoneme.
//!
//! The twist that the clamps put in, Lk, stays: what leaves the twist of the material, Tw, becomes writhe of the centreline, Wr
//! (Călugăreanu's theorem, Tw + Wr = Lk), until the loop passes over a clamp. A model without coupling of bend and twist cannot
//! do it. There is no contact between rods yet, so that the film ends where the loop's strands touch:
//! going on, they would pass through each other, and Lk would jump by two.

use super::measure::{clearance, open_writhe};
use super::stage::*;
use crate::Result;
use crate::abi::Rods;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RodsDesc, Stiffness, SweepOrder};

const LENGTH: f64 = 1.0;
const RADIUS: f64 = 0.006;
/// The right clamp comes in by so much of the length.
const SLACK: f64 = 0.35;
/// Turns a second.
const SPEED: f64 = 0.5;
const VERTICES: usize = 101;

/// The state after a while: turns put in, turns of twist in the material, writhe in turns, distance from the line over length.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    pub turns: f64,
    pub twist: f64,
    pub writhe: f64,
    pub sideways: f64,
    /// Smallest distance of strands that are far apart along the rod, m.
    pub clearance: f64,
}

fn balance(rods: Rods, turns: f64) -> Result<Balance> {
    let points = vectors(&rods.positions()?);
    let twist = rods.twist()?.iter().sum::<f64>() / TAU;
    let sideways = points.iter().map(|p| (p.y * p.y + p.z * p.z).sqrt()).fold(0.0, f64::max) / LENGTH;
    Ok(Balance { turns, twist, writhe: open_writhe(&points), sideways, clearance: clearance(&points, VERTICES / 12) })
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
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    })?;
    let mut last = balance(rods, 0.0)?;
    let (mut turns, mut kept) = (0.0, last);
    see(0.0, rods, last)?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        turns += SPEED * FRAME;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        rods.set_roots(&[[0.0; 3]], &[half.inverse().to_array()])?;
        rods.set_tips(&[[tip(now), 0.0, 0.0]], &[half.to_array()])?;
        world.step(FRAME)?;
        last = balance(rods, turns)?;
        if last.clearance < 2.5 * RADIUS {
            break;
        }
        see(now, rods, last)?;
        kept = last;
    }
    Ok(kept)
}

/// Where the right clamp is: it comes in within six seconds.
fn tip(seconds: f64) -> f64 {
    LENGTH * (1.0 - SLACK * (seconds / 6.0).min(1.0))
}

pub fn figure() -> Result<Figure> {
    let mut film = Film::default();
    let last = simulate(10.0, |t, rods, b| {
        let mut scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.75, 0.25, 0.18]))?;
        let half = DQuat::from_rotation_x(0.5 * TAU * b.turns);
        scene.primitives.push(clamp_block(DVec3::ZERO, half.inverse(), 0.03));
        scene.primitives.push(clamp_block(DVec3::X * tip(t), half, 0.03));
        film.add(t, format!("Lk {:.2} = Tw {:.2} + Wr {:.2}", b.turns, b.twist, b.writhe), scene);
        Ok(())
    })?;
    let end = film.end();
    let mut figure = Figure {
        title: "Plectoneme",
        subtitle: "clamped rod, both ends turned against each other".into(),
        shots: film.pick(&[0.0, 3.0, 6.0, end - 0.25, end - 0.1, end]),
        size: (320, 150),
        ..Figure::default()
    };
    figure.direction = figure.shots.last().map_or(figure.direction, Shot::widest_about_x);
    figure.numbers = vec![format!(
        "turns {:.3}, twist + writhe {:.3} (difference {:.1e}), loop of {:.2} of the length, strands {:.4} m apart",
        last.turns,
        last.twist + last.writhe,
        last.twist + last.writhe - last.turns,
        last.sideways,
        last.clearance
    )];
    Ok(figure)
}
