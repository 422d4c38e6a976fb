//! A tentacle, a bundle of muscle fibres that keep their volume, curls around a post and lifts it by friction.
//!
//! The fibres on the post's side shorten. Nothing else pulls, and nothing is tied to the post.

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::tasks::Inline;
use withy::world::{
    BodyDesc, BodyShape, ColliderDesc, EndSupport, Id, Muscle, Pose, RodsDesc, ShapeDesc, Stiffness, World, WorldDesc,
};

/// m
const LENGTH: f64 = 0.30;
const EDGES: usize = 30;
const STRANDS: usize = 7;
/// Of a strand at the root and at the tip; their axes are twice as far apart.
const ROOT: f64 = 0.0075;
const TIP: f64 = 0.0035;
/// The post.
const POST: f64 = 0.030;
const HALF_HEIGHT: f64 = 0.09;
const FOOT: [f64; 3] = [0.032, 0.008, 0.032];
/// kg
pub const MASS: f64 = 0.3;
const YOUNG: f64 = 1.2e6;
const RATIO: f64 = 0.499;
const SHORTEST: f64 = 0.5;
const FRICTION: f64 = 1.0;
/// The tentacle's height over the floor when it grips, and how far it lifts, m.
const HEIGHT: f64 = 0.105;
/// The post's axis along the tentacle; what is before it does not pull.
const AT: f64 = 0.07;
const LIFT: f64 = 0.14;
/// When it curls, when it lifts, how long that takes, and when it lets go, s.
const CURLS: f64 = 0.1;
const CURLED: f64 = 0.6;
const LIFTS: f64 = 1.2;
const TAKES: f64 = 0.8;
/// From then on it hangs still, s.
pub const HANGS: f64 = LIFTS + TAKES + 0.3;
pub const RELEASES: f64 = 4.6;

pub struct Grip {
    pub world: World,
    pub tentacle: Id,
    pub post: Id,
    active: Vec<bool>,
    time: f64,
}

fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Grip {
    pub fn new(desc: WorldDesc) -> Result<Grip> {
        let mut world = World::new(desc)?;
        world.add_collider(ColliderDesc::default())?;
        let (mut positions, mut radii, mut active) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..STRANDS {
            let (out, angle) = if k == 0 { (0.0, 0.0) } else { (2.0, TAU * (k - 1) as f64 / 6.0) };
            for v in 0..=EDGES {
                let t = v as f64 / EDGES as f64;
                let radius = ROOT + (TIP - ROOT) * t;
                positions.push([LENGTH * t, HEIGHT + out * radius * angle.sin(), out * radius * angle.cos()]);
                radii.push(radius);
            }
            // The post is at positive z.
            let inner = k > 0 && angle.cos() > 0.1;
            active.extend((0..EDGES).map(|e| inner && LENGTH * (e as f64 + 0.5) / EDGES as f64 > AT));
        }
        let tentacle = world.add_rods(RodsDesc {
            positions,
            counts: vec![EDGES as u32 + 1; STRANDS],
            radii,
            stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
            poisson_ratio: RATIO,
            density: 1060.0,
            damping: 8.0,
            viscosity: 0.02,
            friction: FRICTION,
            muscle: Some(Muscle::RestShape { shortest: SHORTEST }),
            strands_per_bundle: STRANDS as u32,
            root: EndSupport::Clamped,
            can_sleep: false,
            ..RodsDesc::default()
        })?;
        let post = world.add_body(&BodyDesc {
            pose: Pose { position: [AT, HALF_HEIGHT, POST + 3.0 * ROOT], ..Pose::IDENTITY },
            shapes: vec![
                ShapeDesc {
                    shape: BodyShape::Capsule { half_height: HALF_HEIGHT - POST, radius: POST },
                    friction: FRICTION,
                    ..ShapeDesc::default()
                },
                // It stands on a foot, which the tentacle does not touch.
                ShapeDesc {
                    shape: BodyShape::Box { half_extents: FOOT },
                    pose: Pose { position: [0.0, FOOT[1] - HALF_HEIGHT, 0.0], ..Pose::IDENTITY },
                    ..ShapeDesc::default()
                },
            ],
            mass: MASS,
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        Ok(Grip { world, tentacle, post, active, time: 0.0 })
    }

    /// How active the fibres on the post's side are, and how high the root has gone.
    fn plan(time: f64) -> (f64, f64) {
        let activation = smooth((time - CURLS) / CURLED) - smooth((time - RELEASES) / 0.4);
        (activation, LIFT * smooth((time - LIFTS) / TAKES))
    }

    pub fn step(&mut self) -> Result<()> {
        self.time += FRAME;
        let (activation, lift) = Grip::plan(self.time);
        let active = &self.active;
        let rods = self.world.rods_mut(self.tentacle)?;
        rods.set_activation(|e| if active[e] { activation } else { 0.0 })?;
        rods.set_root_transform(Pose { position: [0.0, lift, 0.0], ..Pose::IDENTITY }, false)?;
        Ok(self.world.step(FRAME, &Inline)?)
    }

    /// Of the post's middle over where it stood, m.
    pub fn height(&self) -> Result<f64> {
        Ok(self.world.body_pose(self.post)?.position[1] - HALF_HEIGHT)
    }
    pub fn volume(&self) -> Result<f64> {
        Ok(self.world.rods(self.tentacle)?.volume_ratio())
    }

    fn draw(&self) -> Result<Scene> {
        let mut scene = Scene::default();
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        self.world.rods(self.tentacle)?.read_positions(|_, p| points.push(p.map(|c| c as f32)));
        self.world.rods(self.tentacle)?.read_radii(|_, r| radii.push(r as f32));
        let (activation, _) = Grip::plan(self.time);
        for s in 0..STRANDS {
            for v in s * (EDGES + 1)..s * (EDGES + 1) + EDGES {
                let a = if self.active[v - s] { activation as f32 } else { 0.0 };
                let material = Material::plastic([0.50 + 0.30 * a, 0.30 - 0.14 * a, 0.36 - 0.2 * a]);
                let (a, b, radii) = (points[v], points[v + 1], [radii[v], radii[v + 1]]);
                scene.primitives.push(Primitive::Taper { a, b, radii, material });
            }
        }
        let pose = self.world.body_pose(self.post)?;
        let (at, turn) = (DVec3::from(pose.position), DQuat::from_array(pose.rotation));
        let end = |side: f64| (at + turn * DVec3::Y * (side * (HALF_HEIGHT - POST))).as_vec3().to_array();
        let (radius, material) = (POST as f32, Material::matte([0.55, 0.62, 0.66]));
        scene.primitives.push(Primitive::Capsule { a: end(-1.0), b: end(1.0), radius, material });
        scene.primitives.push(Primitive::Cuboid {
            center: (at + turn * DVec3::Y * (FOOT[1] - HALF_HEIGHT)).as_vec3().to_array(),
            half_extents: FOOT.map(|x| x as f32),
            rotation: turn.as_quat().to_array(),
            material,
        });
        scene.primitives.push(floor(0.0, 0.1));
        Ok(scene)
    }
}

pub fn figure() -> Result<Figure> {
    let mut grip = Grip::new(WorldDesc::default())?;
    let mut figure = Figure {
        title: "A tentacle that grips",
        subtitle: format!("seven fibres that keep their volume; those at the post shorten. {MASS} kg hang by friction"),
        size: (300, 320),
        columns: 5,
        direction: [-0.5, -0.45, 1.0],
        ..Figure::default()
    };
    let mut most = 0.0f64;
    let mut slip = [f64::MAX, f64::MIN];
    let times = [0.0, 0.5, LIFTS, HANGS, RELEASES];
    for frame in 0..((RELEASES + 1.0) * 60.0) as u32 {
        let now = f64::from(frame) * FRAME;
        if let Some(time) = times.iter().find(|t| (now - **t).abs() < 0.5 * FRAME) {
            figure.shot(format!("{time:.1} s"), grip.draw()?);
            figure.numbers.push(format!("{time:.1} s: post {:.1} mm up, volume {:.4}", 1e3 * grip.height()?, grip.volume()?));
        }
        most = most.max((grip.volume()? - 1.0).abs());
        if (HANGS..RELEASES).contains(&now) {
            let h = grip.height()?;
            slip = [slip[0].min(h), slip[1].max(h)];
        }
        grip.step()?;
    }
    figure.numbers.push(format!(
        "from {:.1} s to {RELEASES} s the post is between {:.1} and {:.1} mm up",
        HANGS,
        1e3 * slip[0],
        1e3 * slip[1]
    ));
    figure.numbers.push(format!(
        "after it lets go the post is {:.1} mm up; volume within {:.2} %",
        1e3 * grip.height()?,
        100.0 * most
    ));
    Ok(figure)
}
