//! A lasso: a rope with an eye, whose noose is thrown over a post and drawn tight by its end.

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::bodies::{draw_rods, step};
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::{FRAME, Figure, floor};
use glam::DVec3;
use std::f64::consts::{PI, TAU};
use withy::world::{ColliderDesc, Id, Pose, RestShape, RodsDesc, Shape, Stiffness, StrandEnd, World, WorldDesc};

/// Of the rope, the eye, the noose and the post, m.
const RADIUS: f64 = 7e-3;
const EYE: f64 = 0.045;
const NOOSE: f64 = 0.3;
const POST: f64 = 0.05;
const POST_HEIGHT: f64 = 0.8;
const EDGE: f64 = 0.02;
/// Resistance of the rope to stretching, Pa, and what the hand pulls with, N: the mean of some frames, as jerks run along the rope.
const STRETCH: f64 = 3e7;
const TIGHT: f64 = 40.0;
const FRAMES: f64 = 6.0;
/// How fast the noose is thrown and the hand pulls, m/s; when it begins to, s.
const THROW: DVec3 = DVec3::new(-2.2, 1.6, 0.0);
const PULL: f64 = 3.0;
const PULLS: f64 = 0.75;
/// Where the middle of the noose and the hand begin.
const MIDDLE: DVec3 = DVec3::new(0.75, 0.95, 0.0);
const HAND: DVec3 = DVec3::new(2.1, 0.9, 0.0);
/// Height of the hand when it has pulled.
const LOW: f64 = 0.55;
const AIR: Air = Air { damping: 2.0, drag: 0.3, friction: 0.5 };
const DIRECTION: [f32; 3] = [-0.35, -0.55, -1.0];

/// From the knot at the eye once around, through the eye, and to the hand in a bow.
fn way() -> Vec<DVec3> {
    let knot = DVec3::new(1.35 * NOOSE, 0.0, 0.0);
    let begins = (NOOSE / knot.x).acos();
    let round = (0..=200).map(|k| {
        let a = -begins - (TAU - 2.0 * begins) * f64::from(k) / 200.0;
        DVec3::new(NOOSE * a.cos(), 0.0, NOOSE * a.sin())
    });
    let mut way = vec![knot];
    way.extend(round);
    let middle = knot + DVec3::new(EYE, 0.0, 0.0);
    let on = middle + (middle - way[way.len() - 1]).normalize() * 0.1;
    way.extend([middle, on]);
    way.iter_mut().for_each(|p| *p += MIDDLE);
    let from = MIDDLE + on;
    way.extend((1..=60).map(|k| {
        let t = f64::from(k) / 60.0;
        from.lerp(HAND, t) + DVec3::new(0.0, -0.25 * (PI * t).sin(), 0.25 * (TAU * t).sin())
    }));
    way
}

/// Vertices at equal distances.
fn even(way: &[DVec3]) -> Vec<DVec3> {
    let mut arc = vec![0.0];
    way.windows(2).for_each(|e| arc.push(arc[arc.len() - 1] + e[0].distance(e[1])));
    let length = arc[arc.len() - 1];
    let edges = (length / EDGE).round();
    (0..=edges as usize)
        .map(|k| {
            let s = length * k as f64 / edges;
            let i = arc.partition_point(|&a| a < s).clamp(1, way.len() - 1);
            way[i - 1].lerp(way[i], (s - arc[i - 1]) / (arc[i] - arc[i - 1]))
        })
        .collect()
}

pub struct Lasso {
    pub world: World,
    pub rope: Id,
    pub eye: Id,
    last: u32,
    hand: DVec3,
    /// What it feels, N.
    pull: f64,
    /// Since when it stands still, s.
    pub still: f64,
}

/// What is left: the largest strain, the fastest vertex, m/s, how often the rope goes through the eye, and the noose round the post.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub strain: f64,
    pub speed: f64,
    pub through: i32,
    pub round: f64,
}

impl Lasso {
    pub fn new() -> Result<Lasso> {
        let mut world = World::new(WorldDesc { substeps: 16, iterations: 1, ..WorldDesc::default() })?;
        world.add_collider(ColliderDesc::default())?;
        world.add_collider(ColliderDesc {
            shape: Shape::Capsule { radius: POST, half_height: POST_HEIGHT },
            pose: Pose { position: [0.0, -POST, 0.0], ..Pose::IDENTITY },
            ..ColliderDesc::default()
        })?;
        let base = RodsDesc {
            radii: vec![RADIUS],
            stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
            stretch_modulus: STRETCH,
            damping: AIR.damping,
            drag: AIR.drag,
            friction: AIR.friction,
            self_contact: true,
            ..RodsDesc::default()
        };
        let points = even(&way());
        let knot = points[0];
        // The noose flies, the hand holds the end, and between them the speed falls off.
        let far = points.iter().map(|p| p.distance(HAND)).fold(0.0, f64::max);
        let speed = |p: &DVec3| (THROW * (p.distance(HAND) / (far - 2.5 * NOOSE)).min(1.0)).to_array();
        let count = points.len() as u32;
        let rope = world.add_rods(RodsDesc {
            positions: points.iter().map(|p| p.to_array()).collect(),
            velocities: points.iter().map(speed).collect(),
            counts: vec![count],
            rest_shape: RestShape::Straight,
            ..base.clone()
        })?;
        let ring = (0..=16).map(|k| {
            let (s, c) = (TAU * f64::from(k) / 16.0).sin_cos();
            knot + DVec3::new(EYE * (1.0 - c), EYE * s, 0.0)
        });
        let eye = world.add_rods(RodsDesc {
            positions: ring.map(|p| p.to_array()).collect(),
            velocities: vec![speed(&knot); 17],
            counts: vec![17],
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            ..base
        })?;
        let end = |tip| StrandEnd { strand: 0, tip };
        world.add_junction(&[(rope, end(false)), (eye, end(false)), (eye, end(true))], 7e-3, 5e-3)?;
        let last = count - 1;
        world.rods_mut(rope)?.set_pin(last, Some(HAND.to_array()), true)?;
        Ok(Lasso { world, rope, eye, last, hand: HAND, pull: 0.0, still: 0.0 })
    }

    fn points(&self, of: Id) -> Result<Vec<DVec3>> {
        let mut points = Vec::new();
        self.world.rods(of)?.read_positions(|_, p| points.push(DVec3::from(p)));
        Ok(points)
    }

    /// The hand goes on until the rope pulls as it does.
    pub fn pull(&mut self, seconds: f64) -> Result<()> {
        let mut strain = 0.0;
        self.world.rods(self.rope)?.read_strain(|k, s| {
            if k as u32 + 5 > self.last {
                strain = s;
            }
        });
        let since = seconds - PULLS;
        self.pull += (strain * STRETCH * PI * RADIUS * RADIUS - self.pull) / FRAMES;
        let speed = PULL * (since / 0.2).clamp(0.0, 1.0) * (1.0 - self.pull / TIGHT).clamp(0.0, 1.0);
        if speed > 0.01 {
            self.still = seconds;
        }
        self.hand.x += speed * FRAME;
        self.hand.y = (self.hand.y - 0.3 * speed * FRAME).max(LOW);
        self.world.rods_mut(self.rope)?.set_pin(self.last, Some(self.hand.to_array()), false)?;
        Ok(())
    }

    pub fn state(&self) -> Result<State> {
        let (mut strain, mut speed) = (0.0f64, 0.0f64);
        for id in [self.rope, self.eye] {
            let rods = self.world.rods(id)?;
            rods.read_strain(|_, s| strain = strain.max(s.abs()));
            rods.read_velocities(|_, v| speed = speed.max(DVec3::from(v).length()));
        }
        let (rope, eye) = (self.points(self.rope)?, self.points(self.eye)?);
        let middle = eye.iter().sum::<DVec3>() / eye.len() as f64;
        let (mut through, mut at) = (0, 0);
        // It begins on the eye.
        for (k, edge) in rope.windows(2).enumerate().skip(1) {
            let (from, way) = (edge[0] - middle, edge[1] - edge[0]);
            for side in eye.windows(2) {
                let (a, b) = (side[0] - middle, side[1] - middle);
                let normal = a.cross(b);
                let slope = normal.dot(way);
                let t = -normal.dot(from) / slope;
                let hit = (from + way * t) / normal.length_squared();
                let (u, v) = (hit.cross(b).dot(normal), a.cross(hit).dot(normal));
                if (0.0..1.0).contains(&t) && u >= 0.0 && v >= 0.0 && u + v < 1.0 {
                    through += if slope > 0.0 { 1 } else { -1 };
                    at = k;
                }
            }
        }
        let angle = |a: DVec3, b: DVec3| (a.z * b.x - a.x * b.z).atan2(a.x * b.x + a.z * b.z);
        let noose = &rope[..=at + 1];
        let round = noose.windows(2).map(|e| angle(e[0], e[1])).sum::<f64>() + angle(noose[at + 1], rope[0]);
        Ok(State { strain, speed, through, round: round / TAU })
    }
}

impl Show for Lasso {
    fn world(&self) -> &World {
        &self.world
    }
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
    fn drive(&mut self, seconds: f64) -> Result<()> {
        self.pull(seconds)
    }
    fn rods(&self) -> Option<(Id, Air)> {
        Some((self.rope, AIR))
    }
    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }

    fn draw(&self) -> Result<Scene> {
        let post = Primitive::Capsule {
            a: [0.0, -POST as f32, 0.0],
            b: [0.0, (POST_HEIGHT - POST) as f32, 0.0],
            radius: POST as f32,
            material: Material::matte([0.45, 0.33, 0.22]),
        };
        let hand = Primitive::Sphere {
            center: self.hand.as_vec3().to_array(),
            radius: 0.03,
            material: Material::plastic([0.70, 0.22, 0.18]),
        };
        let mut scene = Scene { primitives: vec![floor(0.0, 0.5), post, hand], ..Scene::default() };
        draw_rods(&self.world, self.rope, RADIUS, Material::matte([0.72, 0.56, 0.32]), &mut scene)?;
        draw_rods(&self.world, self.eye, RADIUS, Material::matte([0.30, 0.36, 0.50]), &mut scene)?;
        Ok(scene)
    }
}

pub fn figure() -> Result<Figure> {
    let mut lasso = Lasso::new()?;
    let mut figure = Figure {
        title: "A lasso",
        subtitle: "thrown over a post, and drawn tight by its end".into(),
        size: (360, 240),
        columns: 2,
        direction: DIRECTION,
        ..Figure::default()
    };
    let shots = [0.0, 0.3, 0.6, 1.2, 1.5, 10.0];
    let (mut shot, mut strain, mut fastest) = (0, 0.0_f64, 0.0_f64);
    for frame in 0..=600 {
        let t = f64::from(frame) * FRAME;
        if shot < shots.len() && t >= shots[shot] - 1e-6 {
            shot += 1;
            figure.shot(format!("{t:.2} s"), lasso.draw()?);
        }
        lasso.pull(t + FRAME)?;
        step(&mut lasso.world)?;
        let now = lasso.state()?;
        (strain, fastest) = (strain.max(now.strain), fastest.max(now.speed));
    }
    let s = lasso.state()?;
    figure.numbers = vec![format!(
        "tight after {:.2} s; no edge longer by more than {:.1} %, no vertex faster than {fastest:.1} m/s; at the end {:.2} % and {:.3} m/s, the rope {} through the eye and {:.2} round the post",
        lasso.still,
        100.0 * strain,
        100.0 * s.strain,
        s.speed,
        s.through,
        s.round
    )];
    Ok(figure)
}
