//! Angles et al. 2019, figure 5: a rod that is stretched becomes thin, one that is pressed together becomes thick.

pub mod band;
pub mod convergence;
pub mod fem;
pub mod pinch;
pub mod spindle;
pub mod wave;

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::tasks::Inline;
use withy::world::{EndSupport, Pose, RodsDesc, Stiffness, World, WorldDesc};

const RADIUS: f64 = 0.02;
const LENGTH: f64 = 0.08;
const EDGES: usize = 16;
const YOUNG: f64 = 60e3;
/// Poisson's ratio, 0: radii stay.
const RATIOS: [f64; 3] = [0.0, 0.3, 0.49];
const STRETCHES: [f64; 3] = [1.0, 1.8, 0.6];

/// Vertices and radii of a rod that was drawn out to `stretch` in a second and held for another.
fn pulled(ratio: f64, stretch: f64) -> Result<(Vec<DVec3>, Vec<f64>)> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
    let shear = if ratio > 0.0 { YOUNG / (2.0 * (1.0 + ratio)) } else { 0.4 * YOUNG };
    let rods = world.add_rods(RodsDesc {
        positions: line(DVec3::ZERO, DVec3::new(0.0, -LENGTH, 0.0), EDGES + 1),
        counts: vec![EDGES as u32 + 1],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: YOUNG, shear },
        poisson_ratio: ratio,
        density: 1060.0,
        damping: 2.0,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        ..RodsDesc::default()
    })?;
    for frame in 1..=120 {
        let part = (f64::from(frame) / 60.0).min(1.0);
        let tip = LENGTH * (1.0 + (stretch - 1.0) * part);
        world.rods_mut(rods)?.set_tip_poses(|_| Pose { position: [0.0, -tip, 0.0], ..Pose::IDENTITY }, false)?;
        world.step(FRAME, &Inline)?;
    }
    let (mut points, mut radii) = (Vec::new(), Vec::new());
    world.rods(rods)?.read_positions(|_, p| points.push(DVec3::from(p)));
    world.rods(rods)?.read_radii(|_, r| radii.push(r));
    Ok((points, radii))
}

/// A rod as it is simulated: a cone for every edge.
fn tapers(scene: &mut Scene, points: &[DVec3], radii: &[f64], color: [f32; 3]) {
    let material = Material::matte(color);
    for e in 0..points.len() - 1 {
        let [a, b] = [e, e + 1].map(|v| points[v].as_vec3().to_array());
        let radii = [radii[e] as f32, radii[e + 1] as f32];
        scene.primitives.push(Primitive::Taper { a, b, radii, material });
    }
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Rods that keep their volume",
        subtitle: "Poisson's ratio 0, 0.3, 0.49".into(),
        size: (300, 380),
        columns: 3,
        direction: [0.0, -0.2, -1.0],
        ..Figure::default()
    };
    for stretch in STRETCHES {
        let mut scene = Scene::default();
        for (k, ratio) in RATIOS.into_iter().enumerate() {
            let (points, radii) = pulled(ratio, stretch)?;
            let aside = DVec3::new(3.2 * RADIUS * k as f64, 0.0, 0.0);
            let points: Vec<DVec3> = points.into_iter().map(|p| p + aside).collect();
            tapers(&mut scene, &points, &radii, [0.70, 0.24, 0.20]);
            figure.numbers.push(format!(
                "ratio {ratio}, {stretch} of its length: radius {:.3} of that at rest in the middle",
                radii[EDGES / 2] / RADIUS
            ));
        }
        figure.shot(format!("{stretch} of its length"), scene);
    }
    Ok(figure)
}
