//! Umetani 2014, figure 1: two balls with tentacles that come together and turn.

use crate::Result;
use crate::abi::{Collider, Rods, World};
use crate::render::{Material, Primitive};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::PI;
use withy::collide::narrow::pills;
use withy::math::Vec3;
use withy::world::{ColliderDesc, EndSupport, Pose, RodsDesc, Shape, Stiffness, WorldDesc};

const BALL: f64 = 0.12;
const RADIUS: f64 = 6e-3;
const LENGTH: f64 = 0.22;
const VERTICES: usize = 17;
const TENTACLES: usize = 90;

/// Directions that are spread evenly over a sphere.
fn spread(count: usize) -> Vec<DVec3> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    (0..count)
        .map(|k| {
            let y = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
            let (r, a) = ((1.0 - y * y).sqrt(), golden * k as f64);
            DVec3::new(r * a.cos(), y, r * a.sin())
        })
        .collect()
}

/// Where a ball is: they come together, then turn against each other, then part.
fn pose(ball: usize, seconds: f64) -> (DVec3, DQuat) {
    let side = if ball == 0 { -1.0 } else { 1.0 };
    let smooth = |t: f64| t.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * t.clamp(0.0, 1.0));
    let near = smooth(seconds / 1.5) - smooth((seconds - 4.0) / 1.5);
    let x = side * (0.36 - 0.19 * near);
    (DVec3::X * x, DQuat::from_rotation_x(side * 1.2 * smooth((seconds - 1.5) / 2.0)))
}

/// Two balls with tentacles.
pub struct Balls {
    pub world: World,
    balls: Vec<(Rods, Collider)>,
    ways: Vec<DVec3>,
}

impl Balls {
    pub fn new(tentacles: usize) -> Result<Balls> {
        let world = World::new(&WorldDesc::default(), 0)?;
        let ways = spread(tentacles);
        let mut balls = Vec::new();
        for k in 0..2 {
            let (at, _) = pose(k, 0.0);
            let positions = ways.iter().flat_map(|w| line(at + *w * BALL, at + *w * (BALL + LENGTH), VERTICES)).collect();
            let rods = world.add_rods(&RodsDesc {
                positions,
                counts: vec![VERTICES as u32; tentacles],
                radii: vec![RADIUS],
                stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
                density: 800.0,
                root: EndSupport::Clamped,
                damping: 3.0,
                friction: 0.3,
                self_contact: true,
                ..RodsDesc::default()
            })?;
            // A little smaller than where the tentacles begin.
            let shape = Shape::Sphere { radius: BALL - 2.0 * RADIUS };
            let collider = world.add_collider(&ColliderDesc {
                shape,
                pose: Pose { position: at.to_array(), ..Pose::IDENTITY },
                ..ColliderDesc::default()
            })?;
            balls.push((rods, collider));
        }
        Ok(Balls { world, balls, ways })
    }

    /// A frame, to where the balls are at that time.
    pub fn step(&self, to: f64) -> Result<()> {
        for (k, (rods, collider)) in self.balls.iter().enumerate() {
            let (at, turn) = pose(k, to);
            let roots: Vec<[f64; 3]> = self.ways.iter().map(|w| (at + turn * *w * BALL).to_array()).collect();
            rods.set_roots(&roots, &vec![turn.to_array(); self.ways.len()])?;
            collider.set_pose(Pose { position: at.to_array(), rotation: turn.to_array() })?;
        }
        self.world.step(FRAME)?;
        Ok(())
    }

    /// The deepest overlap of a tentacle of one ball with one of the other, over both radii, and how near a vertex is to the middle of a ball, over the ball's
    /// radius there.
    pub fn nearest(&self, now: f64) -> Result<[f64; 2]> {
        let places: Result<Vec<Vec<DVec3>>> = self.balls.iter().map(|(rods, _)| Ok(vectors(&rods.positions()?))).collect();
        let places = places?;
        let edges = |k: usize| places[k].chunks(VERTICES).flat_map(|strand| strand.windows(2));
        let (mut deep, mut near) = (0.0f64, f64::INFINITY);
        for e in edges(0) {
            for f in edges(1).filter(|f| f[0].distance_squared(e[0]) < (2.5 * LENGTH / VERTICES as f64 + 2.0 * RADIUS).powi(2)) {
                let [a, b, c, d] = [e[0], e[1], f[0], f[1]].map(|p| Vec3::from(p.to_array()));
                deep = deep.max(-pills([a, b], [RADIUS; 2], [c, d], [RADIUS; 2]).separation / (2.0 * RADIUS));
            }
        }
        for k in 0..2 {
            let middle = pose(k, now).0;
            near = places.iter().flatten().fold(near, |near, p| near.min(p.distance(middle)));
        }
        Ok([deep, near / (BALL - 2.0 * RADIUS)])
    }
}

pub fn figure() -> Result<Figure> {
    let both = Balls::new(TENTACLES)?;
    let mut figure = Figure {
        title: "Tentacle balls",
        subtitle: format!("two balls with {TENTACLES} tentacles each; they meet, turn and part"),
        size: (330, 230),
        columns: 2,
        direction: [0.0, -0.15, -1.0],
        ..Figure::default()
    };
    let colors = [[0.85, 0.45, 0.15], [0.20, 0.50, 0.60]];
    let (mut most, mut strain) = (0, 0.0_f64);
    for frame in 0..=360 {
        let now = f64::from(frame) * FRAME;
        if [0, 90, 210, 360].contains(&frame) {
            let mut scene = crate::render::Scene::default();
            for (k, (rods, _)) in both.balls.iter().enumerate() {
                scene.curves.push(curves(*rods, &[VERTICES as u32; TENTACLES], Look::plain(RADIUS, colors[k]))?);
                let center = pose(k, now).0.as_vec3().to_array();
                scene.primitives.push(Primitive::Sphere { center, radius: BALL as f32, material: Material::plastic(colors[k]) });
            }
            figure.shot(format!("{now:.1} s"), scene);
        }
        both.step(now + FRAME)?;
        let stats = both.world.stats()?;
        most = most.max(stats.contacts);
        strain = strain.max(stats.largest_strain);
    }
    figure.numbers = vec![format!("{most} contacts at most; largest strain {:.2} %", 100.0 * strain)];
    Ok(figure)
}
