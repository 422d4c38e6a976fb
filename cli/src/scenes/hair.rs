//! Umetani 2014, figure 13: interactive hair design. 200 strands of 20 edges on a head; their rest shape is changed while they live.
//!
//! The groom settles under its weight; then every strand gets an even curl, as a designer's slider would give it; then all are
//! cut to two thirds.

use super::stage::*;
use crate::Result;
use crate::abi::{Rods, World};
use crate::render::{CurveSet, CurveStyle, Material, Mesh, Radii, Scene};
use withy::io::generate::hair_design_groom;
use withy::io::head::{HEAD_SHAPES, head_mesh};
use withy::world::{ColliderDesc, EndSupport, Pose, RodsDesc, Shape, Stiffness, SweepOrder, WorldDesc};

/// What the designer does, and when, s.
const CURL_AT: f64 = 1.5;
const CUT_AT: f64 = 3.0;
/// Curvature and twist of the curl, 1/m.
const CURL: [f64; 3] = [90.0, 0.0, 25.0];
const CUT: f64 = 0.65;

/// Milliseconds of a frame's step, median, and the strain that nine of ten edges stay below at the end.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub milliseconds: f64,
    pub strain: f64,
    pub lowest: f64,
}

fn colliders(world: &World) -> Result<()> {
    for s in HEAD_SHAPES {
        let (a, b) = (glam::Vec3::from(s.a).as_dvec3(), glam::Vec3::from(s.b).as_dvec3());
        let rotation = glam::DQuat::from_rotation_arc(glam::DVec3::Y, (b - a).try_normalize().unwrap_or(glam::DVec3::Y));
        let shape = Shape::Capsule { radius: f64::from(s.radius), half_height: 0.5 * (b - a).length() };
        let pose = Pose { position: (0.5 * (a + b)).into(), rotation: rotation.to_array() };
        world.add_collider(&ColliderDesc { shape, pose, friction: 0.3, ..ColliderDesc::default() })?;
    }
    Ok(())
}

pub fn simulate(seconds: f64, mut see: impl FnMut(f64, Rods, &[u32]) -> Result<()>) -> Result<Cost> {
    let world = World::new(&WorldDesc { substeps: 8, iterations: 10, ..WorldDesc::default() }, 0)?;
    let groom = hair_design_groom();
    let counts = groom.counts.clone();
    let rods = world.add_rods(&RodsDesc {
        positions: groom.points.iter().map(|p| p.map(f64::from)).collect(),
        counts: counts.clone(),
        radii: vec![2.5e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root: EndSupport::Clamped,
        damping: 8.0,
        drag: 4.0,
        collision_radius: 1.5e-3,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    })?;
    colliders(&world)?;
    let start: Vec<f64> = groom
        .ranges()
        .flat_map(|r| groom.points[r].windows(2).map(|p| glam::Vec3::from(p[0]).distance(p[1].into()) as f64).collect::<Vec<_>>())
        .collect();
    let rest: Vec<[f64; 3]> = rods.darboux()?;
    see(0.0, rods, &counts)?;
    let mut times = Vec::new();
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        // A second's move of the slider.
        let curl = (now - CURL_AT).clamp(0.0, 1.0);
        let cut = 1.0 - (1.0 - CUT) * (now - CUT_AT).clamp(0.0, 1.0);
        if curl > 0.0 && now < CUT_AT + 1.1 {
            let lengths: Vec<f64> = start.iter().map(|l| l * cut).collect();
            let curled = rest.iter().map(|r| [0, 1, 2].map(|k| r[k] * (1.0 - curl) + CURL[k] * curl)).collect::<Vec<_>>();
            rods.set_rest(&lengths, &curled)?;
        }
        let begin = std::time::Instant::now();
        world.step(FRAME)?;
        times.push(1e3 * begin.elapsed().as_secs_f64());
        see(now, rods, &counts)?;
    }
    times.sort_unstable_by(f64::total_cmp);
    let mut strains: Vec<f64> = rods.strain()?.into_iter().map(f64::abs).collect();
    strains.sort_unstable_by(f64::total_cmp);
    // A strand or two hook around the nose when they are cut, and are pulled.
    let strain = strains[strains.len() * 9 / 10];
    let lowest = rods.positions()?.iter().fold(0.0, |m: f64, p| m.min(p[1]));
    Ok(Cost { milliseconds: times.get(times.len() / 2).copied().unwrap_or(0.0), strain, lowest })
}

fn scene(rods: Rods, counts: &[u32]) -> Result<Scene> {
    let mesh = head_mesh();
    let hair = CurveSet {
        points: rods.positions_f32()?,
        counts: counts.to_vec(),
        radii: Radii::Tapered { root: 0.0016, tip: 0.0008 },
        style: CurveStyle::Tube,
        material: Material { variation: 0.3, ..Material::plastic([0.52, 0.30, 0.16]) },
        smooth: true,
        ..CurveSet::default()
    };
    let skin = Material { roughness: 0.5, ..Material::matte([0.86, 0.72, 0.64]) };
    let head = Mesh { points: mesh.points, triangles: mesh.triangles, material: skin, flat: false };
    Ok(Scene { curves: vec![hair], meshes: vec![head], ..Scene::default() })
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [(f64, &str); 4] = [(0.0, "start"), (1.45, "settled"), (2.95, "curled"), (5.0, "cut")];
    let mut figure = Figure {
        title: "Hair design",
        subtitle: "200 strands of 20 edges; the rest shape changes while they move".into(),
        size: (215, 265),
        columns: 4,
        direction: [0.55, -0.14, -1.0],
        ..Figure::default()
    };
    let mut next = 0;
    let cost = simulate(5.02, |t, rods, counts| {
        if next < SHOTS.len() && t >= SHOTS[next].0 - 1e-6 {
            figure.shot(format!("{}, {t:.2} s", SHOTS[next].1), scene(rods, counts)?);
            next += 1;
        }
        Ok(())
    })?;
    figure.numbers = vec![format!(
        "{:.2} ms a frame of 8 substeps and 10 iterations, nine of ten edges strained by less than {:.1e}",
        cost.milliseconds, cost.strain
    )];
    Ok(figure)
}
