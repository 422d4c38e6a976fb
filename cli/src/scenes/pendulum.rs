//! Umetani 2014, figure 8 left: a rod clamped above carries a cube, a deformable mesh, by a triangle attachment.
//!
//! Let go aside, the cube swings and one of its edges hits a post: it spins, the rod is twisted and recovers, about its twist
//! with the period 2π√(IL/GJ).

use super::stage::*;
use crate::Result;
use crate::abi::{Mesh, Rods, World};
use crate::render::{self, Material, Pattern, Primitive, Scene};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::world::{ColliderDesc, EndSupport, MeshDesc, Pose, RestShape, RodsDesc, Shape, Stiffness, SweepOrder, WorldDesc};

const LENGTH: f64 = 0.4;
const RADIUS: f64 = 0.005;
const SHEAR: f64 = 2e6;
const YOUNG: f64 = 2.5 * SHEAR;
const VERTICES: usize = 21;
/// Side and mass of the cube. Nine tenths of the mass sit in the corners, on which the rod hangs: on a small triangle of light points
/// the clamp is unstable.
const SIDE: f64 = 0.12;
const MASS: f64 = 0.1;
const CORNERS: f64 = 0.9;
/// Squares along an edge of the cube: only vertices meet the post.
const CELLS: usize = 5;

/// Let go at this angle, rad, the cube is stopped by a post beside its way.
const ASIDE: f64 = 0.125 * TAU;
const POST: [DVec3; 2] = [DVec3::new(0.1, -0.62, -0.07), DVec3::new(0.1, -0.40, -0.07)];
const POST_RADIUS: f64 = 0.03;
/// Of the cube, 1/s: it comes to rest within seconds.
const DRAG: f64 = 0.8;

/// The points of the surface, the origin in the middle of the top. The first two triangles span the top's corners.
fn cube() -> MeshDesc {
    const N: usize = CELLS;
    let all = (0..(N + 1).pow(3)).map(|k| [k % (N + 1), k / (N + 1) % (N + 1), k / (N + 1).pow(2)]);
    let surface: Vec<[usize; 3]> = all.filter(|p| p.iter().any(|c| c % N == 0)).collect();
    let along = |c: usize| SIDE * (c as f64 / N as f64 - 0.5);
    let index = |p: [usize; 3]| surface.iter().position(|q| *q == p).unwrap() as u32;
    let top = [[0, N, 0], [0, N, N], [N, N, N], [N, N, 0]].map(index);
    let mut triangles = vec![[top[0], top[1], top[2]], [top[0], top[2], top[3]]];
    for (axis, side) in [(1, N), (1, 0), (0, N), (0, 0), (2, N), (2, 0)] {
        for cell in 0..N * N {
            let corner = |a: usize, b: usize| {
                let mut p = [side; 3];
                (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (cell % N + a, cell / N + b);
                index(p)
            };
            let quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let quad = if side == N { quad } else { [quad[0], quad[3], quad[2], quad[1]] };
            triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    let points = 0..surface.len() as u32;
    let is_corner = |p: &[usize; 3]| p.iter().all(|c| c % N == 0);
    let corners = points.clone().filter(|i| is_corner(&surface[*i as usize]));
    let weight = |p| if is_corner(p) { 8.0 / (CORNERS * MASS) } else { (surface.len() - 8) as f64 / ((1.0 - CORNERS) * MASS) };
    MeshDesc {
        positions: surface.iter().map(|p| [along(p[0]), along(p[1]) - 0.5 * SIDE, along(p[2])]).collect(),
        triangles,
        inv_masses: surface.iter().map(weight).collect(),
        edge_compliance: Some(1e-5),
        extra_edges: corners.clone().flat_map(|c| points.clone().filter(move |p| *p != c).map(move |p| [c, p])).collect(),
        drag: 0.0,
        collides: None,
    }
}

/// The period of twisting, s: the cube's inertia against the rod's GJ.
pub fn period() -> f64 {
    let cube = cube();
    let inertia: f64 = cube.positions.iter().zip(&cube.inv_masses).map(|(p, w)| (p[0] * p[0] + p[2] * p[2]) / w).sum();
    let stiffness = SHEAR * 0.5 * PI * RADIUS.powi(4);
    TAU * (inertia * LENGTH / stiffness).sqrt()
}

pub struct Pendulum {
    world: World,
    rods: Rods,
    mesh: Mesh,
}

impl Pendulum {
    /// Held `aside`, rad: below its upright clamp a rod under the tension T turns to its direction within √(EI/T).
    fn new(aside: f64, drag: f64) -> Result<Pendulum> {
        let world = World::new(&WorldDesc { substeps: 200, iterations: 1, ..WorldDesc::default() }, 0)?;
        let edge = LENGTH / (VERTICES - 1) as f64;
        let bend = (YOUNG * 0.25 * PI * RADIUS.powi(4) / (MASS * 9.81 * aside.cos())).sqrt();
        let direction = |k: usize| DQuat::from_rotation_z(-aside * (1.0 - (-edge * k as f64 / bend).exp()));
        let mut positions = vec![DVec3::ZERO];
        (0..VERTICES - 1).for_each(|k| positions.push(positions[k] + direction(k) * DVec3::Y * -edge));
        let rods = world.add_rods(&RodsDesc {
            positions: positions.iter().map(|p| p.to_array()).collect(),
            counts: vec![VERTICES as u32],
            radii: vec![RADIUS],
            stiffness: Stiffness::Physical { young: YOUNG, shear: SHEAR },
            rest_shape: RestShape::Straight,
            root: EndSupport::Clamped,
            order: SweepOrder::Alternating,
            ..RodsDesc::default()
        })?;
        let mut cube = MeshDesc { drag, ..cube() };
        let (tip, turned) = (positions[VERTICES - 1], direction(VERTICES - 1));
        cube.positions.iter_mut().for_each(|p| *p = (tip + turned * DVec3::from(*p)).to_array());
        let mesh = world.add_mesh(&cube)?;
        // The middle of the diagonal that the two triangles of the top share.
        mesh.attach(rods.end(0, true), 0, [0.5, 0.0, 0.5])?;
        Ok(Pendulum { world, rods, mesh })
    }

    /// From clamp to cube, rad.
    fn twist(&self) -> Result<f64> {
        Ok(self.rods.twist()?.iter().sum())
    }
}

/// `see` gets the time, the pendulum and the rod's twist.
fn swing(seconds: f64, mut see: impl FnMut(f64, &Pendulum, f64) -> Result<()>) -> Result<()> {
    let pendulum = Pendulum::new(ASIDE, DRAG)?;
    let [a, b] = POST;
    let shape = Shape::Capsule { radius: POST_RADIUS, half_height: 0.5 * a.distance(b) };
    let pose = Pose { position: (0.5 * (a + b)).to_array(), ..Pose::IDENTITY };
    pendulum.world.add_collider(&ColliderDesc { shape, pose, friction: 0.3, ..ColliderDesc::default() })?;
    see(0.0, &pendulum, 0.0)?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        pendulum.world.step(FRAME)?;
        see(f64::from(frame) * FRAME, &pendulum, pendulum.twist()?)?;
    }
    Ok(())
}

/// The largest twist before the post, on the whole way and in the last second, rad.
pub fn twists(seconds: f64, mut see: impl FnMut(f64, &Pendulum, f64) -> Result<()>) -> Result<[f64; 3]> {
    let mut largest = [0.0f64; 3];
    swing(seconds, |t, pendulum, twist| {
        for (of, counts) in largest.iter_mut().zip([t < 0.3, true, t > seconds - 1.0]) {
            *of = if counts { of.max(twist.abs()) } else { *of };
        }
        see(t, pendulum, twist)
    })?;
    Ok(largest)
}

/// The period measured between the first two times that the twist turns back after the clamp's turn.
pub fn measured_period() -> Result<f64> {
    const SECONDS: f64 = 0.5;
    let pendulum = Pendulum::new(0.0, 0.0)?;
    let mut twists: Vec<[f64; 2]> = Vec::new();
    for frame in 1..=((SECONDS + 1.6 * period()) / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        let s = (now / SECONDS).min(1.0);
        let s = s * s * (3.0 - 2.0 * s);
        pendulum.rods.set_roots(&[[0.0; 3]], &[DQuat::from_rotation_y(0.75 * TAU * s).to_array()])?;
        pendulum.world.step(FRAME)?;
        twists.push([now, pendulum.twist()?]);
    }
    let back: Vec<f64> = twists
        .windows(3)
        .filter(|w| w[1][0] > 0.6 && (w[1][1] - w[0][1]) * (w[2][1] - w[1][1]) <= 0.0)
        .map(|w| w[1][0])
        .collect();
    match back.as_slice() {
        [first, second, ..] => Ok(2.0 * (second - first)),
        _ => Err("the cube did not swing back".into()),
    }
}

fn scene(pendulum: &Pendulum) -> Result<Scene> {
    let mut scene = picture(pendulum.rods, &[VERTICES as u32], Look::striped(RADIUS, [0.62, 0.30, 0.18]))?;
    // Smooth normals would round the cube: each triangle has corners of its own.
    let points = pendulum.mesh.positions()?;
    let material = Material { pattern: Pattern::Plain, ..Material::matte([0.30, 0.48, 0.62]) };
    let mut drawn = render::Mesh { material, ..render::Mesh::default() };
    for triangle in &cube().triangles[2..] {
        let first = drawn.points.len() as u32;
        drawn.points.extend(triangle.map(|k| points[k as usize].map(|c| c as f32)));
        drawn.triangles.push([first, first + 1, first + 2]);
    }
    scene.meshes.push(drawn);
    scene.primitives.push(clamp_block(DVec3::new(0.0, 0.015, 0.0), DQuat::from_rotation_z(0.25 * TAU), 0.03));
    let [a, b] = POST.map(|p| p.as_vec3().into());
    scene.primitives.push(Primitive::Capsule { a, b, radius: POST_RADIUS as f32, material: Material::matte([0.42, 0.45, 0.50]) });
    Ok(scene)
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 6] = [0.0, 0.3, 0.5, 0.9, 2.0, 8.0];
    let mut figure = Figure {
        title: "Pendulum",
        subtitle: "a cube on a rod hits a post".into(),
        size: (220, 260),
        direction: [-0.35, -0.35, -1.0],
        ..Figure::default()
    };
    let mut next = 0;
    let [_, largest, last] = twists(8.0, |t, pendulum, twist| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            figure.shot(format!("{t:.1} s, twist {:.0}°", twist.to_degrees()), scene(pendulum)?);
        }
        Ok(())
    })?;
    figure.numbers = vec![
        format!("largest twist in the rod {:.0}°, of the eighth second {:.0}°", largest.to_degrees(), last.to_degrees()),
        format!("period of twist {:.3} s, closed form {:.3} s", measured_period()?, period()),
    ];
    Ok(figure)
}
