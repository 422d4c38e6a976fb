//! A biceps lifts a weight: two bones, an elbow, and two muscles that keep their volume (Angles 2019; Hill's force).

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::muscle::MuscleState;
use withy::tasks::Inline;
use withy::world::{
    BodyDesc, BodyMotion, BodyShape, Hill, Id, JointDesc, JointKind, Muscle, Peak, Pose, RodsDesc, ShapeDesc, Stiffness, World,
    WorldDesc,
};

/// m
const UPPER: f64 = 0.30;
const LOWER: f64 = 0.26;
const BALL: f64 = 0.05;
/// kg
const FOREARM: f64 = 1.2;
pub const WEIGHT: f64 = 2.0;
/// How far the elbow is bent at the start, rad.
const START: f64 = 0.35;

const STRANDS: usize = 7;
const EDGES: usize = 20;
/// Of the belly: radius of a strand, and distance of their axes.
const STRAND: f64 = 0.0085;
const BELLY: f64 = 0.016;

/// Force of a muscle at full activation, N: 300 kPa in its belly.
const PEAK: f64 = 480.0;
/// Of the length, at each end.
const TENDON: f64 = 0.21;
const TENDON_MODULUS: f64 = 2e7;
const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.499;

/// The forearm's direction, bent by so much.
fn forearm(bend: f64) -> DVec3 {
    DVec3::new(bend.sin(), -bend.cos(), 0.0)
}

fn elbow() -> DVec3 {
    DVec3::new(0.0, -UPPER, 0.0)
}

/// Strands in a hexagon from `a` to `b`, thick in the middle, thin where they are tendons.
fn spindle(a: DVec3, b: DVec3, bow: DVec3) -> (Vec<[f64; 3]>, Vec<f64>) {
    let along = (b - a).normalize();
    let (u, w) = (along.cross(DVec3::Z).normalize(), DVec3::Z);
    let (mut positions, mut radii) = (Vec::new(), Vec::new());
    for k in 0..STRANDS {
        let (out, angle) = if k == 0 { (0.0, 0.0) } else { (1.0, TAU * (k - 1) as f64 / 6.0) };
        for v in 0..=EDGES {
            let t = v as f64 / EDGES as f64;
            let thick = 0.28 + 0.72 * (PI * t).sin().powi(2);
            let side = (u * angle.cos() + w * angle.sin()) * (out * BELLY * thick);
            positions.push((a.lerp(b, t) + bow * (PI * t).sin() + side).to_array());
            radii.push(STRAND * thick);
        }
    }
    (positions, radii)
}

pub struct Arm {
    pub world: World,
    lower: Id,
    pub biceps: Id,
    pub triceps: Id,
}

impl Arm {
    pub fn new(desc: WorldDesc) -> Result<Arm> {
        let mut world = World::new(desc)?;
        let capsule = |length: f64, radius: f64| ShapeDesc {
            shape: BodyShape::Capsule { half_height: 0.5 * length - radius, radius },
            mask: 0,
            ..ShapeDesc::default()
        };
        let upper = world.add_body(&BodyDesc {
            motion: BodyMotion::Kinematic,
            pose: Pose { position: [0.0, -0.5 * UPPER, 0.0], ..Pose::IDENTITY },
            shapes: vec![capsule(UPPER, 0.012)],
            ..BodyDesc::default()
        })?;
        let way = forearm(START);
        let turn = DQuat::from_rotation_arc(DVec3::NEG_Y, way);
        // The weight is in the hand, at the end of the bone.
        let (bone, ball) = (FOREARM, WEIGHT);
        let (bone_at, ball_at) = (0.5 * LOWER, LOWER + BALL);
        let center = (bone * bone_at + ball * ball_at) / (bone + ball);
        let across =
            bone * (LOWER * LOWER / 12.0 + (bone_at - center).powi(2)) + ball * (0.4 * BALL * BALL + (ball_at - center).powi(2));
        let about = 0.5 * bone * 0.02 * 0.02 + 0.4 * ball * BALL * BALL;
        let lower = world.add_body(&BodyDesc {
            pose: Pose { position: (elbow() + way * center).to_array(), rotation: turn.to_array() },
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: BALL }, mask: 0, ..ShapeDesc::default() }],
            mass: bone + ball,
            inertia: Some(([0.0; 3], [across, about, across, 0.0, 0.0, 0.0])),
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        world.add_joint(&JointDesc {
            a: Some(upper),
            b: lower,
            frame_a: Pose { position: [0.0, -0.5 * UPPER, 0.0], ..Pose::IDENTITY },
            frame_b: Pose { position: [0.0, center, 0.0], rotation: turn.inverse().to_array() },
            kind: JointKind::Hinge { limits: [-START, 2.4 - START] },
            motor: None,
            collide: false,
        })?;
        let front = elbow() + way * 0.045 + DVec3::new(way.y, -way.x, 0.0) * -0.012;
        let olecranon = elbow() - way * 0.02 - DVec3::new(0.018, 0.0, 0.0);
        let mut muscle = |a: DVec3, b: DVec3, bow: DVec3| -> Result<Id> {
            let (positions, radii) = spindle(a, b, bow);
            let in_tendon = |part: f64| !(TENDON..=1.0 - TENDON).contains(&part);
            let stiffness_scale = (0..STRANDS * (EDGES + 1))
                .map(|v| if in_tendon((v % (EDGES + 1)) as f64 / EDGES as f64) { TENDON_MODULUS / YOUNG } else { 1.0 })
                .collect();
            let contractile = (0..STRANDS * EDGES)
                .map(|e| if in_tendon(((e % EDGES) as f64 + 0.5) / EDGES as f64) { 0.0 } else { 1.0 })
                .collect();
            let desc = RodsDesc {
                positions,
                counts: vec![EDGES as u32 + 1; STRANDS],
                radii,
                stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
                poisson_ratio: RATIO,
                density: 1060.0,
                viscosity: 0.02,
                damping: 4.0,
                stiffness_scale,
                contractile,
                muscle: Some(Muscle::Hill(Hill { peak: Peak::Force(PEAK / STRANDS as f64), ..Hill::default() })),
                strands_per_bundle: STRANDS as u32,
                bundle_stiffness: 3e4,
                ..RodsDesc::default()
            };
            Ok(world.add_muscle(desc, Some(upper), Some(lower), false)?)
        };
        let biceps = muscle(DVec3::new(0.03, -0.01, 0.0), front, DVec3::new(0.022, 0.0, 0.0))?;
        let triceps = muscle(DVec3::new(-0.03, -0.01, 0.0), olecranon, DVec3::new(-0.018, 0.0, 0.0))?;
        Ok(Arm { world, lower, biceps, triceps })
    }

    pub fn step(&mut self, biceps: f64, triceps: f64) -> Result<()> {
        self.world.rods_mut(self.biceps)?.set_activation(|_| biceps)?;
        self.world.rods_mut(self.triceps)?.set_activation(|_| triceps)?;
        Ok(self.world.step(FRAME, &Inline)?)
    }

    /// How far the elbow is bent, rad.
    pub fn bend(&self) -> Result<f64> {
        let way = DQuat::from_array(self.world.body_pose(self.lower)?.rotation) * DVec3::NEG_Y;
        Ok(way.x.atan2(-way.y))
    }
    pub fn state(&self, muscle: Id) -> Result<MuscleState> {
        Ok(self.world.rods(muscle)?.muscle_state())
    }

    pub fn draw(&self, activations: [f64; 2]) -> Result<Scene> {
        let mut scene = Scene::default();
        let bone = Material::matte([0.86, 0.83, 0.74]);
        let bend = self.bend()?;
        let (hand, f) = (elbow() + forearm(bend) * LOWER, |p: DVec3| p.as_vec3().to_array());
        scene.primitives.push(Primitive::Taper { a: f(DVec3::ZERO), b: f(elbow()), radii: [0.018, 0.014], material: bone });
        scene.primitives.push(Primitive::Sphere { center: f(elbow()), radius: 0.02, material: bone });
        scene.primitives.push(Primitive::Taper { a: f(elbow()), b: f(hand), radii: [0.014, 0.011], material: bone });
        let material = Material::plastic([0.30, 0.33, 0.38]);
        scene.primitives.push(Primitive::Sphere { center: f(hand + forearm(bend) * BALL), radius: BALL as f32, material });
        for (id, active) in [(self.biceps, activations[0]), (self.triceps, activations[1])] {
            let rods = self.world.rods(id)?;
            let (mut points, mut radii) = (Vec::new(), Vec::new());
            rods.read_positions(|_, p| points.push(p.map(|c| c as f32)));
            rods.read_radii(|_, r| radii.push(r as f32));
            let a = active as f32;
            let material = Material::plastic([0.52 + 0.28 * a, 0.22 - 0.10 * a, 0.20 - 0.10 * a]);
            for s in 0..STRANDS {
                for v in s * (EDGES + 1)..s * (EDGES + 1) + EDGES {
                    scene.primitives.push(Primitive::Taper {
                        a: points[v],
                        b: points[v + 1],
                        radii: [radii[v], radii[v + 1]],
                        material,
                    });
                }
            }
        }
        Ok(scene)
    }
}

/// How active biceps and triceps are: they lift the weight, hold it, and let it down.
pub fn activations(seconds: f64) -> [f64; 2] {
    let smooth = |t: f64| t.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * t.clamp(0.0, 1.0));
    [0.55 * smooth((seconds - 0.3) / 0.6) - 0.5 * smooth((seconds - 3.0) / 0.8), 0.02]
}

pub fn figure() -> Result<Figure> {
    let mut arm = Arm::new(WorldDesc::default())?;
    let mut figure = Figure {
        title: "An arm that lifts 2 kg",
        subtitle: "biceps and triceps as bundles of volume rods with Hill's force".into(),
        size: (300, 420),
        columns: 4,
        direction: [0.25, -0.1, -1.0],
        ..Figure::default()
    };
    let mut most = 0.0_f64;
    for frame in 0..=270 {
        let now = f64::from(frame) * FRAME;
        let active = activations(now);
        if [0, 60, 170, 270].contains(&frame) {
            figure.shot(format!("{now:.1} s: {:.0}°", arm.bend()?.to_degrees()), arm.draw(active)?);
            let s = arm.state(arm.biceps)?;
            figure.numbers.push(format!(
                "{now:.1} s: activation {:.2}, elbow {:.0}°, biceps {:.0} N, {:.0} mm, volume {:.3}",
                active[0],
                arm.bend()?.to_degrees(),
                s.force,
                1e3 * s.length,
                s.volume
            ));
        }
        most = most.max((arm.state(arm.biceps)?.volume - 1.0).abs());
        arm.step(active[0], active[1])?;
    }
    figure.numbers.push(format!("the biceps changes its volume by {:.2} % at most", 100.0 * most));
    Ok(figure)
}
