//! Recorded frames as pictures: one camera for all of them.

use super::head::{Head, apply_f32};
use crate::Result;
use crate::render::{CurveSet, CurveStyle, Framing, Image, Material, Mesh, Options, Primitive, Radii, Scene, render};
use rayon::prelude::*;
use withy::world::Pose;

/// The strands and the head at one time.
#[derive(Clone, Debug)]
pub struct Shot {
    pub frame: u32,
    pub points: Vec<[f32; 3]>,
    /// Strands that follow them; empty: there are none.
    pub hair: Vec<[f32; 3]>,
    pub head: Pose,
}

#[derive(Clone, Debug)]
pub struct Pictures<'a> {
    pub counts: &'a [u32],
    /// Of strands that follow; empty without.
    pub hair_counts: &'a [u32],
    pub head: &'a Head,
    pub size: (u32, u32),
}

/// From the front, a little from above.
pub const DIRECTION: [f32; 3] = [0.55, -0.14, -1.0];

const SKIN: [f32; 3] = [0.86, 0.72, 0.64];
const HAIR: [f32; 3] = [0.50, 0.29, 0.15];

impl Pictures<'_> {
    /// Guides stand for many hairs: few are drawn thick, so that they cover what they stand for.
    pub fn drawn_radius(points: &[[f32; 3]], strands: usize) -> f32 {
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for p in points {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let diagonal = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f32>().sqrt();
        0.03 * diagonal / (strands.max(1) as f32).sqrt()
    }

    /// The render hair, if there is any, or the strands as they are simulated.
    pub fn scene(&self, shot: &Shot, radius: f32) -> Scene {
        let (points, counts) = if shot.hair.is_empty() { (&shot.points, self.counts) } else { (&shot.hair, self.hair_counts) };
        let hair = CurveSet {
            points: points.clone(),
            counts: counts.to_vec(),
            radii: Radii::Tapered { root: radius, tip: 0.45 * radius },
            style: CurveStyle::Hair,
            material: Material::hair(HAIR),
            smooth: true,
            ..CurveSet::default()
        };
        let skin = Material { roughness: 0.5, ..Material::matte(SKIN) };
        let moved = |m: &withy::io::TriMesh| Mesh {
            points: m.points.iter().map(|&p| apply_f32(shot.head, p)).collect(),
            triangles: m.triangles.clone(),
            material: skin,
            flat: false,
        };
        let shape = |c: &super::head::Capsule| Primitive::Capsule {
            a: apply_f32(shot.head, c.a.as_vec3().into()),
            b: apply_f32(shot.head, c.b.as_vec3().into()),
            radius: c.radius as f32,
            material: skin,
        };
        let meshes: Vec<Mesh> = self.head.mesh.iter().map(moved).collect();
        let primitives = if meshes.is_empty() { self.head.capsules.iter().map(shape).collect() } else { Vec::new() };
        Scene { curves: vec![hair], meshes, primitives, ..Scene::default() }
    }

    pub fn images(&self, shots: &[&Shot], all: &[Shot], done: &(dyn Fn() + Sync)) -> Result<Vec<Image>> {
        let (width, height) = self.size;
        let radius = Self::drawn_radius(&all[0].points, self.counts.len().max(self.hair_counts.len()));
        let mut framing = Framing::new(DIRECTION, width, height);
        for shot in all {
            shot.points.iter().chain(&shot.hair).for_each(|p| framing.include_point(*p, radius));
            let mesh = self.head.mesh.iter().flat_map(|m| &m.points);
            mesh.for_each(|p| framing.include_point(apply_f32(shot.head, *p), 0.0));
        }
        let camera = framing.camera();
        let options = Options { width, height, ..Options::default() };
        let draw = |shot: &&Shot| {
            let image = render(&self.scene(shot, radius), &camera, &options);
            done();
            image
        };
        Ok(shots.par_iter().map(draw).collect::<std::result::Result<_, _>>()?)
    }
}
