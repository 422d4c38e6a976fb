//! Rigid bodies, joints and ragdolls: one file a scene. They step the library's own world.

pub mod catch;
pub mod chain;
pub mod crane;
pub mod heap;
pub mod locus;
pub mod push;
pub mod residual;
pub mod slump;
pub mod thrown;
pub mod walk;

use crate::Result;
use crate::people::{self, Person};
use crate::render::{CurveSet, CurveStyle, Material, Mesh, Primitive, Radii, Scene};
use glam::{DQuat, DVec3};
use withy::collide::narrow::Hull;
use withy::world::{BodyShape, Id, Inline, JointKind, Pose, World, WorldDesc};

pub const FRAME: f64 = 1.0 / 60.0;

pub fn world(substeps: u32, iterations: u32) -> Result<World> {
    Ok(World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() })?)
}

pub fn step(world: &mut World) -> Result<()> {
    Ok(world.step(FRAME, &Inline)?)
}

fn parts(p: Pose) -> (DVec3, DQuat) {
    (DVec3::from(p.position), DQuat::from_array(p.rotation))
}

fn floats(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}

/// Height of the lowest point of a body, m.
fn lowest(world: &World, id: Id) -> Result<f64> {
    let (x, q) = parts(world.body_pose(id)?);
    let mut low = f64::INFINITY;
    for s in &world.body(id)?.desc.shapes {
        let (at, turn) = parts(s.pose);
        let (at, turn) = (x + q * at, q * turn);
        let up = DVec3::new((turn * DVec3::X).y, (turn * DVec3::Y).y, (turn * DVec3::Z).y);
        low = low.min(match &s.shape {
            BodyShape::Sphere { radius } => at.y - radius,
            BodyShape::Capsule { half_height, radius } => at.y - half_height * up.y.abs() - radius,
            BodyShape::TaperedCapsule { half_height, bottom, top } => {
                (at.y + half_height * up.y - top).min(at.y - half_height * up.y - bottom)
            }
            BodyShape::Box { half_extents } => at.y - DVec3::from(*half_extents).dot(up.abs()),
            BodyShape::Hull { points } => points.iter().fold(f64::INFINITY, |m, &p| m.min((at + turn * DVec3::from(p)).y)),
            BodyShape::Plane | BodyShape::Mesh { .. } => f64::INFINITY,
        });
    }
    Ok(low)
}

/// A body's shapes where they are.
pub fn draw(world: &World, id: Id, material: Material, scene: &mut Scene) -> Result<()> {
    let (x, q) = parts(world.body_pose(id)?);
    for s in &world.body(id)?.desc.shapes {
        let (at, turn) = parts(s.pose);
        let (at, turn) = (x + q * at, q * turn);
        let ends = |h: f64| [at - turn * DVec3::Y * h, at + turn * DVec3::Y * h].map(floats);
        let mesh = |points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>| Mesh {
            points: points.into_iter().map(|p| floats(at + turn * DVec3::from(p))).collect(),
            triangles,
            material,
            flat: true,
        };
        match &s.shape {
            BodyShape::Sphere { radius } => {
                scene.primitives.push(Primitive::Sphere { center: floats(at), radius: *radius as f32, material });
            }
            BodyShape::Capsule { half_height, radius } => {
                let [a, b] = ends(*half_height);
                scene.primitives.push(Primitive::Capsule { a, b, radius: *radius as f32, material });
            }
            BodyShape::TaperedCapsule { half_height, bottom, top } => {
                let [a, b] = ends(*half_height);
                scene.primitives.push(Primitive::Taper { a, b, radii: [*bottom as f32, *top as f32], material });
            }
            BodyShape::Box { half_extents } => scene.primitives.push(Primitive::Cuboid {
                center: floats(at),
                half_extents: half_extents.map(|h| h as f32),
                rotation: turn.as_quat().to_array(),
                material,
            }),
            BodyShape::Hull { points } => {
                let hull = Hull::<f64>::new(points)?;
                let fan = |f: usize| {
                    let l = hull.face_loop(f);
                    (1..l.len() - 1).map(|k| [l[0], l[k], l[k + 1]].map(u32::from)).collect::<Vec<_>>()
                };
                let triangles = (0..hull.faces().len()).flat_map(fan).collect();
                scene.meshes.push(mesh(hull.vertices().iter().map(|v| v.to_array()).collect(), triangles));
            }
            BodyShape::Mesh { positions, triangles } => scene.meshes.push(mesh(positions.clone(), triangles.clone())),
            BodyShape::Plane => {
                scene.primitives.push(Primitive::Plane { point: floats(at), normal: floats(turn * DVec3::Y), grid: 0.0 });
            }
        }
    }
    Ok(())
}

/// The frames of a joint in the world.
pub fn joint_frames(world: &World, id: Id) -> Result<[(DVec3, DQuat); 2]> {
    let d = &world.joint(id)?.desc;
    let place = |body: Option<Id>, frame: Pose| -> Result<(DVec3, DQuat)> {
        let (x, q) = parts(body.map_or(Ok(Pose::IDENTITY), |b| world.body_pose(b))?);
        let (at, turn) = parts(frame);
        Ok((x + q * at, q * turn))
    };
    Ok([place(d.a, d.frame_a)?, place(Some(d.b), d.frame_b)?])
}

/// Points along an arc joint: from a on in its circle, the error shared out.
pub fn arc_points(world: &World, id: Id, count: usize) -> Result<Vec<DVec3>> {
    let [(a, qa), (b, qb)] = joint_frames(world, id)?;
    let (ta, tb) = (qa * DVec3::Z, qb * DVec3::Z);
    let normal = ta.cross(tb);
    let angle = normal.length().atan2(ta.dot(tb));
    let axis = normal.try_normalize().unwrap_or(qa * DVec3::X);
    let sinc = if angle < 1e-6 { 1.0 } else { (0.5 * angle).sin() / (0.5 * angle) };
    let length = (b - a).length() / sinc;
    let at = |s: f64| {
        let turn = DQuat::from_axis_angle(axis, 0.5 * angle * s);
        let part = if angle * s < 1e-6 { 1.0 } else { (0.5 * angle * s).sin() / (0.5 * angle * s) };
        a + turn * ta * (length * s * part)
    };
    let miss = b - at(1.0);
    Ok((0..count).map(|k| k as f64 / (count - 1) as f64).map(|s| at(s) + miss * s).collect())
}

pub fn tube(points: &[DVec3], radius: f64, material: Material) -> CurveSet {
    CurveSet {
        points: points.iter().map(|p| floats(*p)).collect(),
        counts: vec![points.len() as u32],
        radii: Radii::Uniform(radius as f32),
        style: CurveStyle::Tube,
        material,
        frames: Vec::new(),
        smooth: true,
    }
}

/// Rods as tubes.
pub fn draw_rods(world: &World, id: Id, radius: f64, material: Material, scene: &mut Scene) -> Result<()> {
    let rods = world.rods(id)?;
    let mut points = Vec::new();
    rods.read_positions(|_, p| points.push(floats(DVec3::from(p))));
    scene.curves.push(CurveSet { points, counts: rods.counts().to_vec(), ..tube(&[], radius, material) });
    Ok(())
}

/// What a person wears.
#[derive(Clone, Copy, Debug)]
pub struct Clothes {
    pub shirt: [f32; 3],
    pub trousers: [f32; 3],
    pub skin: [f32; 3],
    /// 1: as it is, 0: as pale as the background.
    pub strength: f32,
}

impl Clothes {
    pub fn number(k: usize) -> Clothes {
        const SHIRTS: [[f32; 3]; 8] = [
            [0.16, 0.36, 0.62],
            [0.70, 0.22, 0.18],
            [0.28, 0.50, 0.30],
            [0.83, 0.62, 0.20],
            [0.45, 0.30, 0.55],
            [0.85, 0.84, 0.80],
            [0.20, 0.52, 0.55],
            [0.80, 0.45, 0.35],
        ];
        const TROUSERS: [[f32; 3]; 5] =
            [[0.20, 0.22, 0.28], [0.36, 0.33, 0.28], [0.24, 0.30, 0.42], [0.45, 0.44, 0.43], [0.30, 0.22, 0.18]];
        const SKINS: [[f32; 3]; 4] = [[0.87, 0.68, 0.56], [0.72, 0.52, 0.40], [0.50, 0.34, 0.25], [0.92, 0.76, 0.66]];
        Clothes { shirt: SHIRTS[k % 8], trousers: TROUSERS[(k / 2) % 5], skin: SKINS[(k * 7 / 3) % 4], strength: 1.0 }
    }

    fn cloth(&self, color: [f32; 3]) -> Material {
        let pale = [0.88, 0.885, 0.90];
        let mix = |k: usize| pale[k] + (color[k] - pale[k]) * self.strength;
        Material { specular: 0.12 * self.strength, roughness: 0.7, ..Material::matte([mix(0), mix(1), mix(2)]) }
    }

    fn of(&self, part: usize) -> Material {
        use people::*;
        let limb = if (UPPER_ARM..BODIES).contains(&part) { (part - UPPER_ARM) % SIDE + UPPER_ARM } else { part };
        self.cloth(match limb {
            NECK | HEAD | HAND => self.skin,
            PELVIS | UPPER_LEG | LOWER_LEG => self.trousers,
            FOOT => [0.13, 0.12, 0.12],
            _ => self.shirt,
        })
    }
}

/// A person; an arc as the tube of a belly.
pub fn draw_person(world: &World, person: &Person, clothes: Clothes, scene: &mut Scene) -> Result<()> {
    for (k, &id) in person.bodies.iter().enumerate() {
        draw(world, id, clothes.of(k), scene)?;
    }
    for &j in &person.spine {
        if matches!(world.joint(j)?.desc.kind, JointKind::Arc(_)) {
            let points = arc_points(world, j, 12)?;
            scene.curves.push(tube(&points, 0.092, clothes.cloth(clothes.shirt)));
        }
    }
    Ok(())
}
