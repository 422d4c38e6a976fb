//! Umetani 2014, figure 8 left: a rod clamped above carries a cube, a deformable mesh, by a triangle attachment.
//!
//! The clamp turns once around and moves aside within half a second. The cube's inertia holds it back: the rod is twisted, and
//! recovers as the cube swings about its twist with the period 2π√(IL/GJ).

use super::stage::*;
use crate::Result;
use crate::abi::{Mesh, Rods};
use crate::render::{self, Material, Pattern, Scene};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::world::{EndSupport, MeshDesc, RodsDesc, Stiffness, WorldDesc};

const LENGTH: f64 = 0.4;
const RADIUS: f64 = 0.005;
const SHEAR: f64 = 2e6;
const VERTICES: usize = 21;
/// Side and mass of the cube; the mass sits in its corners.
const SIDE: f64 = 0.12;
const MASS: f64 = 0.1;
const TURN: f64 = 0.75;

/// Corner k has the signs of the bits of k in x, y, z; two triangles a side, the first on top.
fn cube() -> MeshDesc {
    let corner = |k: u32| {
        let side = |bit: u32| if k >> bit & 1 == 1 { 0.5 * SIDE } else { -0.5 * SIDE };
        [side(0), side(1) - LENGTH - 0.5 * SIDE, side(2)]
    };
    let quads = [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]];
    let all_pairs = (0..8u32).flat_map(|a| (0..a).map(move |b| [b, a]));
    MeshDesc {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect(),
        inv_masses: vec![8.0 / MASS; 8],
        edge_compliance: Some(1e-5),
        extra_edges: all_pairs.filter(|[a, b]| (a ^ b).count_ones() > 1).collect(),
        drag: 0.0,
    }
}

/// The cube's turn about the vertical, rad in -π..π.
fn heading(corners: &[[f64; 3]]) -> f64 {
    let along = |a: usize, b: usize| DVec3::from(corners[b]) - DVec3::from(corners[a]);
    let x = along(0, 1) + along(2, 3) + along(4, 5) + along(6, 7);
    (-x.z).atan2(x.x)
}

/// The period of twisting, s: the cube's corners against the rod's GJ.
pub fn period() -> f64 {
    let inertia = MASS * 0.5 * SIDE * SIDE;
    let stiffness = SHEAR * 0.5 * PI * RADIUS.powi(4);
    TAU * (inertia * LENGTH / stiffness).sqrt()
}

/// `see` gets the time, the rod, the cube and its accumulated turn in rad.
pub fn simulate(seconds: f64, aside: f64, mut see: impl FnMut(f64, Rods, Mesh, f64) -> Result<()>) -> Result<()> {
    let world = crate::abi::World::new(&WorldDesc { substeps: 200, iterations: 1, ..WorldDesc::default() }, 0)?;
    let rods = world.add_rods(&RodsDesc {
        positions: line(DVec3::ZERO, DVec3::Y * -LENGTH, VERTICES),
        counts: vec![VERTICES as u32],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 2.5 * SHEAR, shear: SHEAR },
        root: EndSupport::Clamped,
        ..RodsDesc::default()
    })?;
    let mesh = world.add_mesh(&cube())?;
    // The middle of the diagonal that the two triangles on top share.
    mesh.attach(rods.end(0, true), 0, [0.5, 0.0, 0.5])?;
    let (mut turn, mut last) = (0.0, heading(&mesh.positions()?));
    see(0.0, rods, mesh, 0.0)?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        let s = (now / 0.5).min(1.0);
        let s = s * s * (3.0 - 2.0 * s);
        rods.set_roots(&[[aside * s, 0.0, 0.0]], &[DQuat::from_rotation_y(TAU * TURN * s).to_array()])?;
        world.step(FRAME)?;
        let next = heading(&mesh.positions()?);
        turn += (next - last + PI).rem_euclid(TAU) - PI;
        last = next;
        see(now, rods, mesh, turn)?;
    }
    Ok(())
}

/// The period measured between the first two times that the cube turns back.
pub fn measured_period() -> Result<f64> {
    let mut turns: Vec<[f64; 2]> = Vec::new();
    simulate(0.5 + 1.6 * period(), 0.0, |t, _, _, turn| {
        turns.push([t, turn]);
        Ok(())
    })?;
    let back: Vec<f64> =
        turns.windows(3).filter(|w| w[1][0] > 0.6 && (w[1][1] - w[0][1]) * (w[2][1] - w[1][1]) <= 0.0).map(|w| w[1][0]).collect();
    match back.as_slice() {
        [first, second, ..] => Ok(2.0 * (second - first)),
        _ => Err("the cube did not swing back".into()),
    }
}

fn scene(rods: Rods, mesh: Mesh) -> Result<Scene> {
    let mut scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.62, 0.30, 0.18]))?;
    // Smooth normals would round the cube: each triangle has corners of its own.
    let corners = mesh.positions()?;
    let material = Material { pattern: Pattern::Plain, ..Material::matte([0.30, 0.48, 0.62]) };
    let mut drawn = render::Mesh { material, ..render::Mesh::default() };
    for triangle in cube().triangles {
        let first = drawn.points.len() as u32;
        drawn.points.extend(triangle.map(|k| corners[k as usize].map(|c| c as f32)));
        drawn.triangles.push([first, first + 1, first + 2]);
    }
    scene.meshes.push(drawn);
    Ok(scene)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 6] = [0.0, 0.25, 0.5, 1.0, 1.6, 2.4];
    let mut figure = Figure {
        title: "Pendulum",
        subtitle: "a cube on a rod; its clamp turns and moves aside".into(),
        size: (220, 260),
        direction: [-0.35, -0.35, -1.0],
        ..Figure::default()
    };
    let (mut next, mut largest) = (0, 0.0f64);
    simulate(2.5, 0.12, |t, rods, mesh, turn| {
        largest = largest.max(rods.twist()?.iter().sum::<f64>().abs());
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            let mut scene = scene(rods, mesh)?;
            let s = (t / 0.5).min(1.0);
            let s = s * s * (3.0 - 2.0 * s);
            let rotation = DQuat::from_rotation_y(TAU * TURN * s);
            scene.primitives.push(clamp_block(DVec3::new(0.12 * s, 0.015, 0.0), rotation, 0.03));
            figure.shot(format!("{t:.2} s, cube {:.2} turns", turn / TAU), scene);
        }
        Ok(())
    })?;
    figure.numbers = vec![
        format!("largest twist in the rod {:.2} turns", largest / TAU),
        format!("period of twist {:.3} s, closed form {:.3} s", measured_period()?, period()),
    ];
    Ok(figure)
}
