//! Angles et al. 2019, figure 6: a wave of radius runs along a rod whose length does not change. In slow motion, and with its speed.

use super::tapers;
use crate::Result;
use crate::accuracy::solid::{FLESH, Solid};
use crate::accuracy::volume::wave_speed;
use crate::render::{Plot, Scene, Series};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::tasks::Inline;
use withy::world::{EndSupport, Id, RodModel, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

pub const SOLID: Solid = Solid { radius: 0.02, ..FLESH };
pub const LENGTH: f64 = 1.0;
const EDGES: usize = 200;
/// m, of what is held open.
const WIDTH: f64 = 0.1;
/// s, a step and a picture.
const STEP: f64 = 1e-4;
const SHOT: f64 = 0.015;

fn rod(drag: f64) -> Result<(World, Id)> {
    let desc = WorldDesc { gravity: [0.0; 3], substeps: 1, double_precision: true, ..WorldDesc::default() };
    let mut world = World::new(desc)?;
    let id = world.add_rods(RodsDesc {
        positions: line(DVec3::ZERO, DVec3::X * LENGTH, EDGES + 1),
        counts: vec![EDGES as u32 + 1],
        radii: vec![SOLID.radius],
        stiffness: Stiffness::Physical { young: SOLID.young, shear: SOLID.shear() },
        poisson_ratio: SOLID.nu,
        density: SOLID.density,
        order: SweepOrder::Direct,
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        drag,
        ..RodsDesc::default()
    })?;
    Ok((world, id))
}

fn middle(edge: usize) -> f64 {
    LENGTH * (edge as f64 + 0.5) / EDGES as f64
}

fn scales(world: &World, id: Id) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    world.rods(id)?.read_scales(|_, s| all.push(s));
    Ok(all)
}

/// Something holds the rod wide open at its left end and lets go: by `wide` if the length were free. `see` has the time and all scales, 1,000 times a
/// second.
pub fn simulate(wide: f64, seconds: f64, mut see: impl FnMut(f64, &World, Id, &[f64]) -> Result<()>) -> Result<()> {
    let (mut before, held) = rod(30.0)?;
    let stiffness = 2.0 * SOLID.young * SOLID.area() / (1.0 - SOLID.nu) / SOLID.radius;
    let bump = |e: usize| wide * (-(middle(e) / WIDTH).powi(2)).exp();
    before.rods_mut(held)?.set_radial_forces(|e| stiffness * bump(e) * LENGTH / EDGES as f64)?;
    for _ in 0..1200 {
        before.step(FRAME / 8.0, &Inline)?;
    }
    let mut points = Vec::new();
    before.rods(held)?.read_positions(|_, p| points.push(p));
    let held = scales(&before, held)?;
    let (mut world, id) = rod(0.0)?;
    world.rods_mut(id)?.write_positions(|i| points[i])?;
    world.rods_mut(id)?.write_scales(|e| [held[e], 0.0])?;
    see(0.0, &world, id, &held)?;
    for step in 1..=(seconds / STEP).round() as usize {
        world.step(STEP, &Inline)?;
        if step % 10 == 0 {
            see(step as f64 * STEP, &world, id, &scales(&world, id)?)?;
        }
    }
    Ok(())
}

/// Where the crest is that runs to the right, m, and its scale: a parabola through the widest section and its neighbours.
pub fn crest(scales: &[f64]) -> [f64; 2] {
    let widest = (1..EDGES - 1).max_by(|&a, &b| scales[a].total_cmp(&scales[b])).unwrap_or(1);
    let [a, b, c] = [scales[widest - 1], scales[widest], scales[widest + 1]];
    let by = 0.5 * (a - c) / (a - 2.0 * b + c);
    let by = if by.is_finite() { by } else { 0.0 };
    [middle(widest) + by * LENGTH / EDGES as f64, b - 0.25 * (a - c) * by]
}

/// Speed of a crest, m/s, by least squares over what is between `from` and `to` along the rod.
pub fn speed(path: &[[f64; 2]], from: f64, to: f64) -> f64 {
    let part: Vec<[f64; 2]> = path.iter().copied().filter(|p| (from..to).contains(&p[1])).collect();
    let m = part.len() as f64;
    let mean = part.iter().fold([0.0; 2], |s, p| [s[0] + p[0] / m, s[1] + p[1] / m]);
    let (xy, xx) = part.iter().fold((0.0, 0.0), |s, p| {
        let d = [p[0] - mean[0], p[1] - mean[1]];
        (s.0 + d[0] * d[1], s.1 + d[0] * d[0])
    });
    xy / xx
}

/// The dispersion of waves along a rod: phase speed over √(E/ρ) by k r.
fn dispersion() -> (Plot, Vec<String>) {
    let solid = Solid { nu: 0.3, ..SOLID };
    let bar = solid.bar_speed();
    let all: Vec<f64> = (1..=50).map(|i| 0.05 * f64::from(i)).collect();
    let line = |of: &dyn Fn(f64) -> f64| all.iter().map(|&kr| [kr, of(kr / solid.radius) / bar]).collect::<Vec<_>>();
    let by = |factors: [f64; 2]| move |k: f64| solid.rod_wave(k, factors)[0] / k;
    let mut numbers = Vec::new();
    let dots: Vec<[f64; 2]> = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5]
        .map(|kr| {
            let got = wave_speed(100, RodModel::Ghost, solid, kr);
            numbers.push(format!("kr {kr}: measured {got:.5}, exact {:.5}", solid.exact_wave(kr / solid.radius) / bar));
            [[kr, got], [f64::NAN; 2]]
        })
        .concat();
    let series = |name: &str, points, dashed| Series { name: name.into(), points, markers: false, dashed };
    let plot = Plot {
        title: "Waves along a rod, ν = 0.3".into(),
        x_label: "wave number × radius".into(),
        y_label: "phase speed over √(E/ρ)".into(),
        width: 620,
        height: 460,
        series: vec![
            series("Pochhammer and Chree", line(&|k| solid.exact_wave(k)), false),
            series("the rod's equations", line(&by(solid.wave_factors())), false),
            series("as published: both factors plain", line(&by([1.0, 2.0])), true),
            Series { markers: true, ..series("measured", dots, false) },
        ],
        ..Plot::default()
    };
    (plot, numbers)
}

pub fn figure() -> Result<Figure> {
    let mut scene = Scene::default();
    let (mut path, mut ends, mut low) = (Vec::new(), [f64::MAX, 0.0], Vec::new());
    // Height of both crests half way.
    let mut heights = [0.0; 2];
    simulate(0.01, 0.12, |t, _, _, scales| {
        let [at, scale] = crest(scales);
        heights[1] = if at < 0.5 { scale - 1.0 } else { heights[1] };
        low.push([t, at]);
        Ok(())
    })?;
    simulate(0.3, 0.106, |t, world, id, scales| {
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        world.rods(id)?.read_positions(|_, p| points.push(DVec3::from(p)));
        world.rods(id)?.read_radii(|_, r| radii.push(r));
        let whole = points[EDGES].x - points[0].x;
        ends = [ends[0].min(whole), ends[1].max(whole)];
        let [at, scale] = crest(scales);
        heights[0] = if at < 0.5 { scale - 1.0 } else { heights[0] };
        path.push([t, at]);
        let shot = (t / SHOT).round();
        if (t - shot * SHOT).abs() < 1e-6 {
            let down = DVec3::new(0.0, -3.6 * SOLID.radius * shot, 0.0);
            points.iter_mut().for_each(|p| *p += down);
            tapers(&mut scene, &points, &radii, [0.70, 0.24, 0.20]);
        }
        Ok(())
    })?;
    let bar = SOLID.bar_speed();
    let [got, small] = [&path, &low].map(|p| speed(p, 0.35, 0.85));
    let first = low.iter().find(|p| p[1] > 0.35).map_or([0.0; 2], |p| *p);
    let straight =
        low.iter().map(|p| [p[0], first[1] + bar * (p[0] - first[0])]).filter(|p| (0.0..1.0).contains(&p[1])).collect();
    let series = |name: &str, points, dashed| Series { name: name.into(), points, markers: false, dashed };
    let (waves, mut numbers) = dispersion();
    numbers.insert(
        0,
        format!(
            "a crest {:.4} high runs at {got:.3} m/s, one {:.4} high at {small:.3}, √(E/ρ) is {bar:.3}; the rod is {:.6} to {:.6} m long",
            heights[0], heights[1], ends[0], ends[1]
        ),
    );
    let crest = Plot {
        title: "Where the widest section is".into(),
        x_label: "s".into(),
        y_label: "m".into(),
        width: 620,
        height: 460,
        series: vec![
            series("the crest above", path, false),
            series("one of 0.3 %", low, false),
            series("√(E/ρ)", straight, true),
        ],
        ..Plot::default()
    };
    let mut figure = Figure {
        title: "A wave of radius",
        subtitle: "from top to bottom, every 15 ms".into(),
        size: (900, 560),
        columns: 1,
        direction: [0.0, -0.2, -1.0],
        plots: vec![crest, waves],
        numbers,
        ..Figure::default()
    };
    figure.shot("", scene);
    Ok(figure)
}
