//! Umetani 2014, figure 9: a ring is cut, one end is turned, and it is closed again: it buckles out of its plane into a figure-8.
//!
//! The rod is straight at rest; both ends are clamped at the same place. Michell (1889): a circular ring stays flat until the twist
//! put in passes 2π√3 B/C, B and C being the stiffnesses of bending and twist. An elliptic section (a ribbon) prefers to bend about
//! its flat axis and takes another shape. There is no contact between rods yet: the run ends where
//! the strands of the 8 would pass through each other.

use super::measure::{out_of_plane, writhe};
use super::stage::*;
use crate::Result;
use crate::abi::Rods;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RestShape, RodsDesc, Stiffness, SweepOrder};

const RADIUS: f64 = 0.2;
const VERTICES: usize = 101;
const SECTION: f64 = 0.006;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    Circular,
    /// Wide along the ring's axis, a tenth as thick.
    Ribbon,
}

/// Poisson's ratio 0: B/C = 1, and a circular ring buckles at √3 turns.
const YOUNG: f64 = 1e6;
const SHEAR: f64 = 0.5 * YOUNG;

pub fn critical_turns() -> f64 {
    3f64.sqrt() * YOUNG / (2.0 * SHEAR)
}

/// Turns the end by `turns` within `ramp` seconds and waits for `wait`; `see` gets the time, the turns and the rod. Gives the last centreline
/// before the strands cross.
pub fn simulate(
    section: Section,
    turns: f64,
    ramp: f64,
    wait: f64,
    mut see: impl FnMut(f64, f64, Rods) -> Result<()>,
) -> Result<Vec<DVec3>> {
    let world = world(400, 1)?;
    let angle = |i: usize| TAU * i as f64 / (VERTICES - 1) as f64;
    // A ten-thousandth out of the plane, else a perfect ring waits for rounding errors.
    let at = |i: usize| DVec3::new(angle(i).sin(), 1e-4 * (2.0 * angle(i)).sin(), angle(i).cos()) * RADIUS;
    let positions: Vec<[f64; 3]> = (0..VERTICES).map(|i| at(i).into()).collect();
    let tangent_first = DVec3::from(positions[1]) - DVec3::from(positions[0]);
    let tangent_last = DVec3::from(positions[VERTICES - 1]) - DVec3::from(positions[VERTICES - 2]);
    let mut desc = RodsDesc {
        positions: positions.clone(),
        counts: vec![VERTICES as u32],
        radii: vec![SECTION],
        stiffness: Stiffness::Physical { young: YOUNG, shear: SHEAR },
        rest_shape: RestShape::Straight,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        damping: 1.5,
        drag: 0.4,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    };
    if section == Section::Ribbon {
        desc.radii = vec![0.02];
        desc.aspect = 0.1;
        desc.section_axes = vec![[0.0, 1.0, 0.0]];
    }
    let rods = world.add_rods(&desc)?;
    // The clamp holds the common tangent at the seam, not the directions of the two edges that meet there.
    let seam = (tangent_first.normalize() + tangent_last.normalize()).normalize();
    let first = DQuat::from_rotation_arc(tangent_first.normalize(), seam);
    let last = DQuat::from_rotation_arc(tangent_last.normalize(), seam);
    let frames = ((ramp + wait) / FRAME).round() as u32;
    let (mut kept, mut before) = (vectors(&positions), 0.0);
    see(0.0, 0.0, rods)?;
    for frame in 1..=frames {
        let seconds = f64::from(frame) * FRAME;
        let now = turns * (seconds / ramp).min(1.0);
        let half = |sign: f64| DQuat::from_axis_angle(seam, 0.5 * sign * TAU * now);
        rods.set_roots(&positions[..1], &[(half(-1.0) * first).to_array()])?;
        rods.set_tips(&positions[VERTICES - 1..], &[(half(1.0) * last).to_array()])?;
        world.step(FRAME)?;
        let points = vectors(&rods.positions()?);
        // A strand that passes through another changes the writhe by two.
        let writhes = writhe(&points[..VERTICES - 1]);
        if (writhes - before).abs() > 1.0 {
            break;
        }
        before = writhes;
        kept = points;
        see(seconds, now, rods)?;
    }
    Ok(kept)
}

pub fn look(section: Section) -> Look {
    match section {
        Section::Circular => Look::striped(SECTION, [0.16, 0.40, 0.62]),
        Section::Ribbon => Look::ribbon(0.02, 0.002, [0.72, 0.16, 0.22], [0.93, 0.72, 0.30]),
    }
}

fn figure(section: Section, turns: f64, title: &'static str, before: [f64; 4]) -> Result<Figure> {
    let mut film = Film::default();
    let last = simulate(section, turns, 4.0, 4.0, |t, now, rods| {
        let mut scene = picture(rods, &[VERTICES as u32], look(section))?;
        // Where the ring is cut and held.
        scene.primitives.push(clamp_block(
            DVec3::Z * RADIUS,
            DQuat::IDENTITY,
            if section == Section::Circular { 0.012 } else { 0.022 },
        ));
        film.add(t, format!("{t:.2} s, {now:.2} turns"), scene);
        Ok(())
    })?;
    let (flat, crossed, end) = (out_of_plane(&last), writhe(&last[..VERTICES - 1]), film.end());
    let [a, b, c, d] = before.map(|t| end - t);
    Ok(Figure {
        title,
        subtitle: format!("one end turned by {turns} turns"),
        shots: film.pick(&[0.0, a, b, c, d, end]),
        size: (280, 240),
        direction: [-0.35, -0.75, -1.0],
        numbers: vec![format!("out of plane {flat:.3} of its size, writhe {crossed:.3} turns")],
        ..Figure::default()
    })
}

pub fn circular() -> Result<Figure> {
    let mut figure = figure(Section::Circular, 2.2, "Ring to figure-8", [2.0, 0.6, 0.3, 0.12])?;
    figure.numbers.push(format!("a circular ring stays flat up to {:.3} turns (Michell)", critical_turns()));
    Ok(figure)
}

pub fn ribbon() -> Result<Figure> {
    figure(Section::Ribbon, 2.0, "Ribbon ring", [3.0, 2.0, 1.0, 0.5])
}
