//! Umetani 2014, figure 2, to its end: a rod that is twisted on and on winds around itself.

use crate::Result;
use crate::render::{Plot, Series};
use crate::scenes::measure::open_writhe;
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::world::{EndSupport, RestShape, RodModel, RodsDesc, Stiffness};

const LENGTH: f64 = 1.0;
const RADIUS: f64 = 6e-3;
/// The right clamp comes in by so much of the length, within six seconds.
const SLACK: f64 = 0.35;
/// Turns a second.
const SPEED: f64 = 0.5;
const SECONDS: f64 = 20.0;
const VERTICES: usize = 161;

pub fn figure() -> Result<Figure> {
    let world = world(16, 1)?;
    let mut positions = line(DVec3::ZERO, DVec3::X * LENGTH, VERTICES);
    for (i, p) in positions.iter_mut().enumerate() {
        p[1] += 1e-3 * LENGTH * (std::f64::consts::PI * i as f64 / (VERTICES - 1) as f64).sin();
    }
    let rods = world.add_rods(&RodsDesc {
        positions,
        counts: vec![VERTICES as u32],
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
    let mut film = Film::default();
    let (mut turns, mut twists, mut writhes) = (0.0, Vec::new(), Vec::new());
    for frame in 0..=(SECONDS / FRAME) as u32 {
        let now = f64::from(frame) * FRAME;
        let points = vectors(&rods.positions()?);
        let (twist, writhe) = (rods.twist()?.iter().sum::<f64>() / TAU, open_writhe(&points));
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        let tip = DVec3::X * LENGTH * (1.0 - SLACK * (now / 6.0).min(1.0));
        if frame % 6 == 0 {
            let mut scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.75, 0.25, 0.18]))?;
            scene.primitives.push(clamp_block(DVec3::ZERO, half.inverse(), 0.03));
            scene.primitives.push(clamp_block(tip, half, 0.03));
            film.add(now, format!("Lk {turns:.1}: Tw {twist:.1}, Wr {writhe:.1}"), scene);
            twists.push([turns, twist]);
            writhes.push([turns, writhe]);
        }
        turns += SPEED * FRAME;
        let half = DQuat::from_rotation_x(0.5 * TAU * turns);
        rods.set_roots(&[[0.0; 3]], &[half.inverse().to_array()])?;
        rods.set_tips(&[tip.to_array()], &[half.to_array()])?;
        world.step(FRAME)?;
    }
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
    figure.numbers = vec![format!("{turns:.2} turns put in; twist {tw:.2}, writhe {wr:.2}, sum {:.2}", tw + wr)];
    Ok(figure)
}
