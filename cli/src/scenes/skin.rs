//! Skin over rods that keep their volume: an arm of two strands, stretched, bent and twisted by half a turn.

use crate::Result;
use crate::render::{Material, Mesh, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use withy::skin::BindOptions;
use withy::tasks::Inline;
use withy::world::{EndSupport, Pose, RodsDesc, SkinWeights, Stiffness, World, WorldDesc};

const LENGTH: f64 = 0.3;
const EDGES: usize = 16;
const RADIUS: f64 = 0.02;
/// From the arm's axis to each strand's.
const ASIDE: f64 = 0.021;
const AROUND: usize = 64;
const RINGS: usize = 120;
/// Columns of a stripe.
const STRIPE: usize = 8;
const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.45;

/// How an arm is held at its tip.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// Drawn out to so many times its length.
    Stretched(f64),
    /// Round a corner, rad.
    Bent(f64),
    /// About its axis, rad.
    Twisted(f64),
}

impl Held {
    /// Where the tip is, a part of the way there.
    fn tip(self, part: f64) -> (DVec3, DQuat) {
        let down = DVec3::NEG_Y;
        match self {
            Held::Stretched(times) => (down * LENGTH * (1.0 + (times - 1.0) * part), DQuat::IDENTITY),
            Held::Bent(angle) => {
                // Along an arc of the arm's length.
                let a = (angle * part).max(1e-6);
                let (sin, cos) = a.sin_cos();
                (DVec3::new((1.0 - cos) / a, -sin / a, 0.0) * LENGTH, DQuat::from_rotation_z(a))
            }
            Held::Twisted(angle) => (down * LENGTH, DQuat::from_rotation_y(angle * part)),
        }
    }
}

fn radius(down: f64) -> f64 {
    0.055 - 0.018 * down / LENGTH
}

/// Around the strands: its points, and triangles in stripes of two colours.
fn tube() -> (Vec<[f64; 3]>, [Vec<[u32; 3]>; 2]) {
    let (begin, end) = (-0.01, LENGTH + 0.01);
    let mut points = Vec::new();
    for i in 0..=RINGS {
        let y = begin + (end - begin) * i as f64 / RINGS as f64;
        for k in 0..AROUND {
            let a = TAU * k as f64 / AROUND as f64;
            points.push([radius(y) * a.cos(), -y, radius(y) * a.sin()]);
        }
    }
    let v = |i: usize, k: usize| (i * AROUND + k % AROUND) as u32;
    let mut stripes = [Vec::new(), Vec::new()];
    for i in 0..RINGS {
        for k in 0..AROUND {
            let color = (k / STRIPE) % 2;
            stripes[color].push([v(i, k), v(i, k + 1), v(i + 1, k + 1)]);
            stripes[color].push([v(i, k), v(i + 1, k + 1), v(i + 1, k)]);
        }
    }
    (points, stripes)
}

/// The volume between the rings, closed by the middles of the first and the last.
fn volume(points: &[[f64; 3]], triangles: &[Vec<[u32; 3]>; 2]) -> f64 {
    let p = |i: u32| DVec3::from(points[i as usize]);
    let cone = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c)) / 6.0;
    let mut sum: f64 = triangles.iter().flatten().map(|t| cone(p(t[0]), p(t[1]), p(t[2]))).sum();
    for (ring, sign) in [(0, -1.0), (RINGS, 1.0)] {
        let v = |k: usize| DVec3::from(points[ring * AROUND + k % AROUND]);
        let middle = (0..AROUND).map(v).sum::<DVec3>() / AROUND as f64;
        sum += (0..AROUND).map(|k| sign * cone(middle, v(k), v(k + 1))).sum::<f64>();
    }
    sum.abs()
}

/// What an arm looks like after a second on its way and one of rest.
#[derive(Clone, Debug)]
pub struct Arm {
    pub points: Vec<[f64; 3]>,
    /// Over that at the bind pose.
    pub volume: f64,
    /// Least distance of a ring's vertex from the middle of its ring, over that at the bind pose: small where it collapses.
    pub waist: f64,
    /// Largest step of a vertex within a frame, over that of the tip's farthest vertex: large where something pops.
    pub jump: f64,
}

pub fn arm(held: Held) -> Result<Arm> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
    let sides = [-ASIDE, ASIDE].map(|x| DVec3::new(x, 0.0, 0.0));
    let down = DVec3::new(0.0, -LENGTH, 0.0);
    let rods = world.add_rods(RodsDesc {
        positions: sides.iter().flat_map(|s| line(*s, *s + down, EDGES + 1)).collect(),
        counts: vec![EDGES as u32 + 1; 2],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
        poisson_ratio: RATIO,
        density: 1060.0,
        damping: 2.0,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        self_contact: true,
        ..RodsDesc::default()
    })?;
    let (bind, stripes) = tube();
    let triangles: Vec<[u32; 3]> = stripes.iter().flatten().copied().collect();
    let mesh = withy::skin::Mesh { positions: &bind, triangles: &triangles, ..withy::skin::Mesh::default() };
    let skin = world.add_skin(&mesh, &[rods], SkinWeights::Pills(BindOptions::default()))?;
    let mut points = skin_points(&world, skin)?;
    let mut jump = 0.0f64;
    for frame in 1..=120 {
        let (tip, turn) = held.tip((f64::from(frame) / 60.0).min(1.0));
        // Rods that are drawn out become thin, and come together.
        let near = (LENGTH / tip.length()).sqrt().min(1.0);
        let near = if matches!(held, Held::Stretched(_)) { near } else { 1.0 };
        let pose = |s: usize| Pose { position: (tip + turn * sides[s] * near).to_array(), rotation: turn.to_array() };
        let root = |s: usize| Pose { position: (sides[s] * near).to_array(), ..Pose::IDENTITY };
        world.rods_mut(rods)?.set_tip_poses(pose, false)?;
        world.rods_mut(rods)?.set_root_poses(root, false)?;
        world.step(FRAME, &Inline)?;
        let now = skin_points(&world, skin)?;
        let moved = |i: usize| DVec3::from(now[i]).distance(DVec3::from(points[i]));
        if frame <= 60 {
            let last = (RINGS * AROUND..now.len()).map(moved).fold(1e-6, f64::max);
            jump = jump.max((0..now.len()).map(moved).fold(0.0, f64::max) / last);
        }
        points = now;
    }
    let waist = (0..=RINGS).map(|ring| {
        let least = |p: &[[f64; 3]]| {
            let ring = vectors(&p[ring * AROUND..(ring + 1) * AROUND]);
            let middle = ring.iter().sum::<DVec3>() / AROUND as f64;
            ring.iter().map(|p| p.distance(middle)).fold(f64::MAX, f64::min)
        };
        least(&points) / least(&bind)
    });
    Ok(Arm { waist: waist.fold(f64::MAX, f64::min), volume: volume(&points, &stripes) / volume(&bind, &stripes), points, jump })
}

fn scene(points: &[[f64; 3]]) -> Scene {
    let points: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
    let [a, b] = tube().1;
    let mesh = |triangles, color| Mesh { points: points.clone(), triangles, material: Material::matte(color), flat: false };
    Scene { meshes: vec![mesh(a, [0.80, 0.55, 0.45]), mesh(b, [0.62, 0.34, 0.28])], ..Scene::default() }
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Skin over two rods that keep their volume",
        subtitle: "stretched, bent, twisted".into(),
        size: (300, 420),
        columns: 4,
        direction: [0.0, -0.15, -1.0],
        ..Figure::default()
    };
    figure.shot("at the bind pose", scene(&tube().0));
    for (caption, held) in [
        ("1.5 of its length", Held::Stretched(1.5)),
        ("bent by 90°", Held::Bent(FRAC_PI_2)),
        ("twisted by 180°", Held::Twisted(PI)),
    ] {
        let arm = arm(held)?;
        figure.shot(caption, scene(&arm.points));
        figure.numbers.push(format!(
            "{caption}: volume {:+.2} %, narrowest {:.3} of what it was, largest step {:.2} of the tip's",
            100.0 * (arm.volume - 1.0),
            arm.waist,
            arm.jump
        ));
    }
    Ok(figure)
}
