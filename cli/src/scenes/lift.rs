//! A biceps lifts a weight: two bones, an elbow, and two muscles that keep their volume (Angles 2019; Hill's force), under a skin that holds on to the
//! muscles' strands and to a rod along the bones.

use crate::Result;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::blend::{Blend, Pill, pills, volume, weights};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::muscle::MuscleState;
use withy::skin::BindOptions;
use withy::tasks::Inline;
use withy::world::{
    BodyDesc, BodyMotion, BodyShape, Hill, Id, JointDesc, JointKind, Muscle, Peak, Pose, RodsDesc, ShapeDesc, SkinWeights,
    Stiffness, StrandEnd, World, WorldDesc,
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

/// Skin over the strands, and over which length what lies under it blends; the size of its cells, m.
const COVER: f64 = 0.003;
const BLEND: f64 = 0.010;
const CELL: f64 = 0.005;
const SOFTNESS: f64 = 0.5;
const FAIRING: f64 = 0.8;
/// Of the bones' rod: radius, m, and edges along each bone.
const BONE: f64 = 0.012;
const BONE_EDGES: usize = 6;
/// The part of the upper arm whose depth is told, m below the shoulder.
const BELLY_AT: [f64; 2] = [0.10, 0.22];

pub struct Arm {
    pub world: World,
    lower: Id,
    pub biceps: Id,
    pub triceps: Id,
    skin: Id,
    triangles: Vec<[u32; 3]>,
    /// Vertices of the skin over the bellies.
    belly: Vec<usize>,
}

/// A rod along both bones, that bends at the elbow, so that the skin has something to hold on to where there is no muscle. It weighs ten grams.
fn bones(world: &mut World, upper: Id, lower: Id) -> Result<Id> {
    let mut positions = line(DVec3::ZERO, elbow(), BONE_EDGES + 1);
    positions.extend(&line(elbow(), elbow() + forearm(START) * LOWER, BONE_EDGES + 1)[1..]);
    let mut stiffness_scale = vec![1.0; positions.len()];
    stiffness_scale[BONE_EDGES] = 0.01;
    let rods = world.add_rods(RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        stiffness_scale,
        radii: vec![BONE],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        density: 30.0,
        damping: 4.0,
        ..RodsDesc::default()
    })?;
    for (tip, body) in [(false, upper), (true, lower)] {
        world.attach_body(rods, StrandEnd { strand: 0, tip }, body, true)?;
    }
    Ok(rods)
}

/// What lies between bones, muscles and skin: upper arm, forearm, and a hand around the weight.
fn flesh() -> Vec<Vec<Pill>> {
    let way = forearm(START);
    let side = DVec3::new(-way.y, way.x, 0.0);
    let at = |along: f64| elbow() + way * along;
    let mut all = vec![
        pills(&[DVec3::ZERO, DVec3::Y * (-0.5 * UPPER), elbow(), at(0.02)], &[0.046, 0.036, 0.034, 0.033]),
        pills(&[at(0.0), at(0.07), at(0.20), at(LOWER - 0.01)], &[0.033, 0.036, 0.022, 0.024]),
    ];
    // Four fingers and a thumb.
    let ball = at(LOWER + BALL);
    for (bend, aside, long) in [(1.0, -0.030, 1.5), (1.0, -0.010, 1.7), (1.0, 0.011, 1.65), (1.0, 0.031, 1.4), (-1.0, 0.0, 1.2)] {
        let point = |k: usize| {
            let angle = 0.2 + long * k as f64 / 6.0;
            ball + (side * (bend * angle.sin()) - way * angle.cos()) * (BALL + 0.004) + DVec3::Z * aside
        };
        let points: Vec<DVec3> = (0..=6).map(point).collect();
        all.push(pills(&points, &[0.011, 0.011, 0.0105, 0.010, 0.0095, 0.009, 0.008]));
    }
    all
}

/// Edges of a muscle's strand that the skin holds on to: where tendons cross a joint, it follows the bones.
const HELD: core::ops::Range<usize> = 4..EDGES - 4;

/// The strand in the middle of a muscle, as thick as the whole muscle.
fn middle(world: &World, muscle: Id) -> Result<(Vec<DVec3>, Vec<f64>)> {
    let (mut points, mut radii) = (Vec::new(), Vec::new());
    world.rods(muscle)?.read_positions(|_, p| points.push(DVec3::from(p)));
    world.rods(muscle)?.read_radii(|_, r| radii.push(r * (BELLY + STRAND) / STRAND));
    points.truncate(EDGES + 1);
    radii.truncate(EDGES + 1);
    Ok((points, radii))
}

/// A skin around the arm as it begins, and its triangles. It holds on to the middle of each muscle and to the bones' rod: a vertex follows two
/// strands at most, and with all of a muscle's to choose from, none would be between muscle and bone.
fn cover(world: &mut World, muscles: [Id; 2], bones: Id) -> Result<(Id, Vec<[u32; 3]>)> {
    let mut strands = flesh();
    let (mut points, mut radii, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for id in muscles {
        let (p, r) = middle(world, id)?;
        strands.push(pills(&p, &r.iter().map(|r| r + COVER).collect::<Vec<_>>()));
        points.extend(&p[HELD.start..=HELD.end]);
        radii.extend(&r[HELD.start..=HELD.end]);
        counts.push(HELD.len() as u32 + 1);
    }
    world.rods(bones)?.read_positions(|_, p| points.push(DVec3::from(p)));
    radii.extend([BONE; 2 * BONE_EDGES + 1]);
    counts.push(2 * BONE_EDGES as u32 + 1);
    let (surface, triangles) = Blend { strands, over: BLEND }.mesh(CELL);
    let positions: Vec<[f64; 3]> = surface.iter().map(DVec3::to_array).collect();
    let mesh = withy::skin::Mesh { positions: &positions, triangles: &triangles, ..Default::default() };
    let options = BindOptions { softness: SOFTNESS, fairing: FAIRING };
    let (mut edges, weights) = weights(&mesh, &counts, &points, &radii, &options)?;
    // Among all strands of the muscles and bones.
    let among_all = |e: u32| match (e as usize / HELD.len(), e as usize % HELD.len()) {
        (muscle @ (0 | 1), edge) => (muscle * STRANDS * EDGES + HELD.start + edge) as u32,
        _ => e + (2 * (STRANDS * EDGES - HELD.len())) as u32,
    };
    edges.iter_mut().flatten().for_each(|e| *e = among_all(*e));
    let given = SkinWeights::Given { edges: &edges, weights: &weights };
    Ok((world.add_skin(&mesh, &[muscles[0], muscles[1], bones], given)?, triangles))
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
        let biceps = muscle(DVec3::new(0.042, -0.01, 0.0), front, DVec3::new(0.006, 0.0, 0.0))?;
        let triceps = muscle(DVec3::new(-0.042, -0.01, 0.0), olecranon, DVec3::new(-0.006, 0.0, 0.0))?;
        let bones = bones(&mut world, upper, lower)?;
        let (skin, triangles) = cover(&mut world, [biceps, triceps], bones)?;
        let over = |p: &[f64; 3]| (BELLY_AT[0]..BELLY_AT[1]).contains(&-p[1]);
        let belly = skin_points(&world, skin)?.iter().enumerate().filter(|(_, p)| over(p)).map(|(v, _)| v).collect();
        Ok(Arm { world, lower, biceps, triceps, skin, triangles, belly })
    }

    pub fn step(&mut self, biceps: f64, triceps: f64) -> Result<()> {
        self.world.rods_mut(self.biceps)?.set_activation(|_| biceps)?;
        self.world.rods_mut(self.triceps)?.set_activation(|_| triceps)?;
        Ok(self.world.step(FRAME, &Inline)?)
    }

    /// How far the skin over the biceps is from the bone at most, m, and the volume within the skin, m³.
    pub fn shape(&self) -> Result<(f64, f64)> {
        let points = vectors(&skin_points(&self.world, self.skin)?);
        let front = self.belly.iter().map(|v| points[*v].x).fold(0.0, f64::max);
        Ok((front, volume(&points, &self.triangles)))
    }

    fn skin(&self) -> Result<Scene> {
        let points = skin_points(&self.world, self.skin)?.iter().map(|p| p.map(|x| x as f32)).collect();
        let material = Material::matte([0.80, 0.58, 0.48]);
        let mesh = Mesh { points, triangles: self.triangles.clone(), material, flat: false };
        Ok(Scene { meshes: vec![mesh], ..Scene::default() })
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
    [0.7 * smooth((seconds - 0.3) / 0.6) - 0.64 * smooth((seconds - 3.0) / 0.8), 0.02]
}

pub fn figure() -> Result<Figure> {
    let mut arm = Arm::new(WorldDesc::default())?;
    let mut figure = Figure {
        title: "An arm that lifts 2 kg",
        subtitle: "biceps and triceps as bundles of volume rods with Hill's force, and the skin over them".into(),
        size: (300, 420),
        columns: 4,
        direction: [0.25, -0.1, -1.0],
        ..Figure::default()
    };
    let mut most = 0.0_f64;
    let mut outside = Vec::new();
    let (_, before) = arm.shape()?;
    for frame in 0..=270 {
        let now = f64::from(frame) * FRAME;
        let active = activations(now);
        if [0, 60, 170, 270].contains(&frame) {
            let caption = format!("{now:.1} s: {:.0}°", arm.bend()?.to_degrees());
            let (scene, veil) = (arm.draw(active)?, Some(arm.skin()?));
            figure.shots.push(Shot { caption: caption.clone(), scene: scene.clone(), veil, ..Shot::default() });
            let mut covered = arm.skin()?;
            covered.primitives = scene.primitives.into_iter().filter(|p| matches!(p, Primitive::Sphere { .. })).collect();
            outside.push((caption, covered));
            let s = arm.state(arm.biceps)?;
            let (front, volume) = arm.shape()?;
            figure.numbers.push(format!(
                "{now:.1} s: activation {:.2}, elbow {:.0}°, biceps {:.0} N, {:.0} mm, volume {:.3}; skin {:.1} mm before the bone, volume {:.3}",
                active[0],
                arm.bend()?.to_degrees(),
                s.force,
                1e3 * s.length,
                s.volume,
                1e3 * front,
                volume / before
            ));
        }
        most = most.max((arm.state(arm.biceps)?.volume - 1.0).abs());
        arm.step(active[0], active[1])?;
    }
    outside.into_iter().for_each(|(caption, scene)| figure.shot(caption, scene));
    figure.numbers.push(format!("the biceps changes its volume by {:.2} % at most", 100.0 * most));
    Ok(figure)
}
