//! Umetani 2014, figure 2, to its end: a rod that is twisted on and on winds around itself.

use crate::Result;
use crate::abi::Rods;
use crate::render::{Plot, Series};
use crate::scenes::measure::open_writhe;
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RestShape, RodModel, RodsDesc, Stiffness};

const LENGTH: f64 = 1.0;
const RADIUS: f64 = 6e-3;
/// The right clamp comes in by so much of the length, in three tenths of the time.
const SLACK: f64 = 0.35;
const TURNS: f64 = 10.0;
const SECONDS: f64 = 20.0;
const VERTICES: usize = 161;

/// The turns put in, and what became of them; edges that touch others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wound {
    pub turns: f64,
    pub twist: f64,
    pub writhe: f64,
    pub contacts: u32,
}

/// Puts in so many turns; `see` gets the time, the rod, where the right clamp is and how far it has turned.
pub fn wind(
    vertices: usize,
    turns_in: f64,
    seconds: f64,
    mut see: impl FnMut(f64, Rods, (DVec3, DQuat), Wound) -> Result<()>,
) -> Result<Wound> {
    let world = world(16, 1)?;
    let mut positions = line(DVec3::ZERO, DVec3::X * LENGTH, vertices);
    for (i, p) in positions.iter_mut().enumerate() {
        p[1] += 1e-3 * LENGTH * (std::f64::consts::PI * i as f64 / (vertices - 1) as f64).sin();
    }
    let rods = world.add_rods(&RodsDesc {
        positions,
        counts: vec![vertices as u32],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 1e6, shear: 1e6 / 3.0 },
        density: 1100.0,
        rest_shape: RestShape::Straight,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        damping: 6.0,
        drag: 1.0,
        friction: 0.05,
        self_contact: true,
        model: RodModel::Der,
        ..RodsDesc::default()
    })?;
    let (mut turns, mut last) = (0.0, Wound::default());
    for frame in 0..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        let tip = DVec3::X * LENGTH * (1.0 - SLACK * (now / (0.3 * seconds)).min(1.0));
        if frame % 6 == 0 {
            let points = vectors(&rods.positions()?);
            let (twist, writhe) = (rods.twist()?.iter().sum::<f64>() / TAU, open_writhe(&points));
            last = Wound { turns, twist, writhe, contacts: world.stats()?.contacts };
            see(now, rods, (tip, half), last)?;
        }
        turns += turns_in / seconds * FRAME;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        rods.set_roots(&[[0.0; 3]], &[half.inverse().to_array()])?;
        rods.set_tips(&[tip.to_array()], &[half.to_array()])?;
        world.step(FRAME)?;
    }
    Ok(last)
}

pub fn figure() -> Result<Figure> {
    let mut film = Film::default();
    let (mut twists, mut writhes) = (Vec::new(), Vec::new());
    let last = wind(VERTICES, TURNS, SECONDS, |now, rods, (tip, half), w| {
        let mut scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.75, 0.25, 0.18]))?;
        scene.primitives.push(clamp_block(DVec3::ZERO, half.inverse(), 0.03));
        scene.primitives.push(clamp_block(tip, half, 0.03));
        film.add(now, format!("Lk {:.1}: Tw {:.1}, Wr {:.1}", w.turns, w.twist, w.writhe), scene);
        twists.push([w.turns, w.twist]);
        writhes.push([w.turns, w.writhe]);
        Ok(())
    })?;
    let (tw, wr) = (twists[twists.len() - 1][1], writhes[writhes.len() - 1][1]);
    let end = film.end();
    let mut figure = Figure {
        title: "Plectoneme",
        subtitle: "the rod touches itself and winds up".into(),
        shots: film.pick(&[3.0, 6.0, 9.0, 12.0, 16.0, end]),
        size: (320, 190),
        ..Figure::default()
    };
    figure.direction = figure.shots.last().map_or(figure.direction, Shot::widest_about_x);
    figure.plots.push(Plot {
        title: "What becomes of the turns".into(),
        x_label: "turns put in, Lk".into(),
        y_label: "turns".into(),
        series: [("twist of the rod, Tw", twists.clone()), ("writhe of its line, Wr", writhes.clone())]
            .map(|(name, points)| Series { name: name.into(), points, markers: false, dashed: false })
            .into(),
        ..Plot::default()
    });
    figure.numbers = vec![format!("{:.2} turns put in; twist {tw:.2}, writhe {wr:.2}, sum {:.2}", last.turns, tw + wr)];
    Ok(figure)
}
