//! 5,000 strands on a mesh head that nods and talks: the host moves the mesh's vertices each frame, and the mesh stops the hair.

use crate::Result;
use crate::render::{CurveSet, CurveStyle, Material, Mesh, Radii, Scene};
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::*;
use crate::simulate::Pictures;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::io::generate::{StyleMix, head_groom};
use withy::io::head::head_mesh;
use withy::tasks::Pool;
use withy::world::{EndSupport, Id, MeshCollider, MeshDesc, Pose, RodsDesc, Stiffness, World, WorldDesc};

pub const STRANDS: u32 = 5000;
const VERTICES: u32 = 24;
/// What the head and the jaw turn about, m.
const NECK: DVec3 = DVec3::new(0.0, -0.08, -0.02);
const JAW: DVec3 = DVec3::new(0.0, -0.03, 0.0);

fn nod(t: f64) -> DQuat {
    let begun = (t / 0.5).min(1.0);
    DQuat::from_rotation_y(0.35 * begun * (TAU * t / 2.4).sin()) * DQuat::from_rotation_x(0.28 * begun * (TAU * t / 1.1).sin())
}

/// Opened by so much, rad.
fn jaw(t: f64) -> f64 {
    0.14 * (1.0 - (TAU * 2.2 * t).cos())
}

/// A vertex of the head at rest, where it is: the chin goes with the jaw, the cheeks by half.
fn place(p: DVec3, t: f64) -> DVec3 {
    let low =
        ((-0.035 - p.y) / 0.04).clamp(0.0, 1.0) * ((p.z - 0.01) / 0.03).clamp(0.0, 1.0) * ((p.y + 0.16) / 0.03).clamp(0.0, 1.0);
    let opened = JAW + DQuat::from_rotation_x(jaw(t) * low) * (p - JAW);
    NECK + nod(t) * (opened - NECK)
}

const AIR: Air = Air { damping: 4.0, drag: 3.0, friction: 0.3 };
const DIRECTION: [f32; 3] = [0.55, -0.1, -1.0];

pub struct Talking {
    world: World,
    mesh: Id,
    rods: Id,
    /// The mesh at rest and as it is now.
    rest: Vec<DVec3>,
    now: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    counts: Vec<u32>,
}

impl Talking {
    pub fn new(strands: u32) -> Result<Talking> {
        let groom = head_groom(strands, VERTICES, StyleMix { straight: 1.0, wavy: 1.0, curly: 0.2 }, 7);
        let head = head_mesh();
        let rest: Vec<DVec3> = head.points.iter().map(|p| DVec3::from(p.map(f64::from))).collect();
        let now: Vec<DVec3> = rest.iter().map(|p| place(*p, 0.0)).collect();
        let mut world = World::new(WorldDesc::default())?;
        let mesh = world.add_mesh(MeshDesc {
            positions: now.iter().map(DVec3::to_array).collect(),
            triangles: head.triangles.clone(),
            inv_masses: vec![0.0; rest.len()],
            collides: Some(MeshCollider { both_sides: false, clockwise: false, friction: 0.3, category: 1, mask: u32::MAX }),
            ..MeshDesc::default()
        })?;
        let rods = world.add_rods(RodsDesc {
            positions: groom.points.iter().map(|p| p.map(f64::from)).collect(),
            counts: groom.counts.clone(),
            radii: vec![1e-4],
            stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
            density: 1300.0,
            root: EndSupport::Clamped,
            damping: AIR.damping,
            drag: AIR.drag,
            friction: AIR.friction,
            collision_radius: 1e-3,
            ..RodsDesc::default()
        })?;
        Ok(Talking { world, mesh, rods, rest, now, triangles: head.triangles, counts: groom.counts })
    }

    /// The part of the hair's vertices that is inside of the head, and how deep the deepest is, m.
    pub fn inside(&self) -> Result<(f64, f64)> {
        Ok(behind(&self.now, &self.triangles, &self.points()?))
    }

    fn points(&self) -> Result<Vec<DVec3>> {
        let mut points = Vec::new();
        self.world.rods(self.rods)?.read_positions(|_, p| points.push(DVec3::from(p)));
        Ok(points)
    }
}

impl Show for Talking {
    fn world(&self) -> &World {
        &self.world
    }
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
    fn rods(&self) -> Option<(Id, Air)> {
        Some((self.rods, AIR))
    }
    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }

    fn drive(&mut self, t: f64) -> Result<()> {
        self.now = self.rest.iter().map(|p| place(*p, t)).collect();
        let turn = nod(t);
        let pose = Pose { position: (NECK - turn * NECK).to_array(), rotation: turn.to_array() };
        self.world.rods_mut(self.rods)?.set_root_transform(pose, false)?;
        let now = &self.now;
        self.world.set_mesh_positions(self.mesh, |k| now[k].to_array(), false)?;
        Ok(())
    }

    fn draw(&self) -> Result<Scene> {
        let floats = |p: &DVec3| p.as_vec3().to_array();
        let points: Vec<[f32; 3]> = self.points()?.iter().map(floats).collect();
        let radius = Pictures::drawn_radius(&points, STRANDS as usize);
        Ok(Scene {
            curves: vec![CurveSet {
                points,
                counts: self.counts.clone(),
                radii: Radii::Tapered { root: radius, tip: 0.45 * radius },
                style: CurveStyle::Hair,
                material: Material::hair([0.50, 0.29, 0.15]),
                smooth: true,
                ..CurveSet::default()
            }],
            meshes: vec![Mesh {
                points: self.now.iter().map(floats).collect(),
                triangles: self.triangles.clone(),
                material: Material { roughness: 0.5, ..Material::matte([0.86, 0.72, 0.64]) },
                flat: false,
            }],
            ..Scene::default()
        })
    }
}

pub fn figure() -> Result<Figure> {
    let mut talking = Talking::new(STRANDS)?;
    let pool = Pool::new(2)?;
    let mut figure = Figure {
        title: "Talking head",
        subtitle: format!("{STRANDS} strands of {VERTICES} vertices; {} triangles that nod and talk", talking.triangles.len()),
        size: (300, 320),
        columns: 3,
        direction: DIRECTION,
        ..Figure::default()
    };
    let shots = [0.0, 0.5, 1.3, 1.9, 2.6, 3.2];
    let (mut shot, mut inside, mut seconds) = (0, 0.0_f64, Vec::new());
    let mut deepest = 0.0_f64;
    for frame in 0..=192 {
        let t = f64::from(frame) * FRAME;
        if frame > 0 {
            talking.drive(t)?;
            let begin = std::time::Instant::now();
            talking.world.step(FRAME, &pool)?;
            seconds.push(begin.elapsed().as_secs_f64());
        }
        if shot < shots.len() && t >= shots[shot] - 1e-6 {
            shot += 1;
            figure.shot(format!("{t:.1} s"), talking.draw()?);
        }
        if frame % 24 == 0 {
            let (part, depth) = talking.inside()?;
            (inside, deepest) = (inside.max(part), deepest.max(depth));
        }
    }
    seconds.sort_by(f64::total_cmp);
    figure.numbers = vec![format!(
        "inside the head: {:.3} % of the vertices beyond the third of their strands at most, by up to {:.2} mm; {:.0} ms a frame on two threads",
        100.0 * inside,
        1e3 * deepest,
        1e3 * seconds[seconds.len() / 2]
    )];
    Ok(figure)
}

/// The part of vertices from the fourth of each strand on that are inside of the mesh, and how deep the deepest is, m: by the nearest corner's normal, near it.
fn behind(mesh: &[DVec3], triangles: &[[u32; 3]], points: &[DVec3]) -> (f64, f64) {
    let mut normals = vec![DVec3::ZERO; mesh.len()];
    for t in triangles {
        let [a, b, c] = t.map(|k| mesh[k as usize]);
        let n = (b - a).cross(c - a);
        t.iter().for_each(|&k| normals[k as usize] += n);
    }
    let (mut count, mut all, mut deepest) = (0, 0, 0.0_f64);
    for strand in points.chunks(VERTICES as usize).step_by(8) {
        for p in &strand[3..] {
            all += 1;
            let nearest = (0..mesh.len()).min_by(|&i, &j| mesh[i].distance_squared(*p).total_cmp(&mesh[j].distance_squared(*p)));
            let Some(k) = nearest else { continue };
            let depth = (mesh[k] - *p).dot(normals[k].normalize_or_zero());
            // Corners are 5 mm apart: a little beneath the tangent plane may still be outside.
            if depth > 1e-3 {
                count += 1;
                deepest = deepest.max(depth);
            }
        }
    }
    (f64::from(count) / f64::from(all.max(1)), deepest)
}
