//! Recorded frames as pictures: one camera for all of them.

use super::head::{Head, apply_f32};
use crate::Result;
use crate::render::{CurveSet, CurveStyle, Framing, Image, Material, Mesh, Options, Primitive, Radii, Scene, render};
use glam::{DQuat, Vec3};
use rayon::prelude::*;
use withy::world::Pose;

/// The strands and the head at one time.
#[derive(Clone, Debug)]
pub struct Shot {
    pub frame: u32,
    pub points: Vec<[f32; 3]>,
    pub head: Pose,
}

#[derive(Clone, Debug)]
pub struct Pictures<'a> {
    pub counts: &'a [u32],
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

    /// Each guide with `hairs` around it, within `lock` m at the root and less towards the tip, some shorter: as games draw few guides.
    pub fn locks(&self, shot: &Shot, radius: f32, hairs: u32, lock: f32) -> Scene {
        let mut scene = self.scene(shot, radius);
        let turn = DQuat::from_array(shot.head.rotation).as_quat();
        let set = &mut scene.curves[0];
        let (guides, counts) = (core::mem::take(&mut set.points), core::mem::take(&mut set.counts));
        let mut first = 0;
        for (strand, count) in counts.iter().enumerate() {
            let guide = &guides[first..first + *count as usize];
            for hair in 0..hairs {
                // A spiral of Vogel's fills a disc evenly; every guide has another.
                let (share, angle) = ((hair as f32 + 0.5) / hairs as f32, 2.399_963 * hair as f32 + strand as f32);
                let aside = turn * Vec3::new(angle.cos(), 0.6 * (3.0 * angle).sin(), angle.sin()) * (lock * share.sqrt());
                set.points.extend((0..*count).map(|i| {
                    let along = i as f32 / (*count - 1).max(1) as f32;
                    // The hair ends before the guide does.
                    let at = along * (1.0 - 0.25 * (0.5 + 0.5 * (5.0 * angle).sin())) * (*count - 1) as f32;
                    let before = (at as usize).min(guide.len() - 2);
                    let part = at - before as f32;
                    let here = Vec3::from(guide[before]).lerp(Vec3::from(guide[before + 1]), part);
                    (here + aside * (1.0 - 0.85 * along)).to_array()
                }));
                set.counts.push(*count);
            }
            first += *count as usize;
        }
        scene
    }

    pub fn scene(&self, shot: &Shot, radius: f32) -> Scene {
        let hair = CurveSet {
            points: shot.points.clone(),
            counts: self.counts.to_vec(),
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
        let radius = Self::drawn_radius(&all[0].points, self.counts.len());
        let mut framing = Framing::new(DIRECTION, width, height);
        for shot in all {
            shot.points.iter().for_each(|p| framing.include_point(*p, radius));
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
