//! The skin of an octopus, made around its pills at rest and bound to them once; each of many octopuses wears it with the same weights.

use super::blend::{Blend, pills, volume, weights};
use super::octopus::{COLORS, COUNTS, PILLS};
use super::stage::{floor, vectors};
use crate::Result;
use crate::render::{Material, Mesh, Scene};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::skin::BindOptions;
use withy::world::{Id, SkinWeights, World};

/// Over which length arms and head blend, and the size of a cell, m.
const BLEND: f64 = 0.007;
const CELL: f64 = 0.0045;
/// m, and where the eyes are: beside the way that an octopus looks, rad, and above its hub.
const EYE: f64 = 0.012;
const EYES_APART: f64 = 0.7;
const EYES_UP: f64 = 0.052;
/// Pale where the surface at rest looks down more than this.
const PALE_BELOW: f64 = -0.45;
/// How wide a pupil is, rad from its middle.
const PUPIL: f64 = 0.75;

pub struct Coat {
    pub points: Vec<DVec3>,
    /// Triangles of the back, of what is below, of the eyes, and of the pupils.
    pub parts: [Vec<[u32; 3]>; 4],
    edges: Vec<[u32; 4]>,
    weights: Vec<[f64; 4]>,
}

impl Coat {
    /// Around an octopus at rest with these vertices and radii.
    pub fn new(vertices: &[DVec3], radii: &[f64]) -> Result<Coat> {
        let mut left = (vertices, radii);
        let strands = COUNTS.map(|n| {
            let (p, r) = (left.0.split_at(n as usize), left.1.split_at(n as usize));
            left = (p.1, r.1);
            pills(p.0, r.0)
        });
        let blend = Blend { strands: strands.to_vec(), over: BLEND };
        let (mut points, triangles) = blend.mesh(CELL);
        let mut parts: [Vec<[u32; 3]>; 4] = Default::default();
        for t in triangles {
            let [a, b, c] = t.map(|i| points[i as usize]);
            let down = (b - a).cross(c - a).normalize_or_zero().y < PALE_BELOW && a.y < 0.02;
            parts[usize::from(down)].push(t);
        }
        for side in [-1.0, 1.0] {
            eye(&blend, side, &mut points, &mut parts);
        }
        let mut coat = Coat { points, parts, edges: Vec::new(), weights: Vec::new() };
        coat.bind(vertices, radii)?;
        Ok(coat)
    }

    /// Weights from its pills.
    fn bind(&mut self, vertices: &[DVec3], radii: &[f64]) -> Result<()> {
        let positions: Vec<[f64; 3]> = self.points.iter().map(DVec3::to_array).collect();
        let mesh = withy::skin::Mesh { positions: &positions, triangles: &self.parts.concat(), ..Default::default() };
        (self.edges, self.weights) = weights(&mesh, &COUNTS, vertices, radii, &BindOptions::default())?;
        Ok(())
    }

    /// A skin for all octopuses of a set of rods, which are at these places.
    pub fn put_on(&self, world: &mut World, rods: Id, places: &[(DVec3, DQuat)]) -> Result<Id> {
        let (mut positions, mut edges) = (Vec::new(), Vec::new());
        for (k, (at, turn)) in places.iter().enumerate() {
            positions.extend(self.points.iter().map(|p| (*at + *turn * *p).to_array()));
            edges.extend(self.edges.iter().map(|e| e.map(|e| e + (k * PILLS) as u32)));
        }
        let (one, weights) = (self.parts.concat(), self.weights.repeat(places.len()));
        let triangles: Vec<[u32; 3]> = (0..places.len()).flat_map(|k| self.shifted(&one, k)).collect();
        let mesh = withy::skin::Mesh { positions: &positions, triangles: &triangles, ..Default::default() };
        Ok(world.add_skin(&mesh, &[rods], SkinWeights::Given { edges: &edges, weights: &weights })?)
    }

    /// Triangles of one octopus as those of the so-manyth.
    fn shifted(&self, triangles: &[[u32; 3]], k: usize) -> Vec<[u32; 3]> {
        let by = (k * self.points.len()) as u32;
        triangles.iter().map(|t| t.map(|i| i + by)).collect()
    }

    /// The least and the largest volume of an octopus with these points, over that at rest.
    pub fn volumes(&self, points: &[[f64; 3]]) -> (f64, f64) {
        // Eyes are open at the back.
        let shell = self.parts[..2].concat();
        let rest = volume(&self.points, &shell);
        let of = |p: &[[f64; 3]]| volume(&vectors(p), &shell) / rest;
        let each: Vec<f64> = points.chunks(self.points.len()).map(of).collect();
        (each.iter().copied().fold(f64::MAX, f64::min), each.iter().copied().fold(0.0, f64::max))
    }

    /// Octopuses with these points, on a floor.
    pub fn draw(&self, points: &[[f64; 3]]) -> Scene {
        let mut scene = Scene::default();
        for (c, color) in COLORS.into_iter().enumerate() {
            let worn = points.chunks(self.points.len()).skip(c).step_by(COLORS.len());
            let count = worn.len();
            let points: Vec<[f32; 3]> = worn.flatten().map(|p| p.map(|x| x as f32)).collect();
            let pale = color.map(|x| 0.45 * x + 0.5);
            for (part, color) in self.parts.iter().zip([color, pale, [0.93, 0.91, 0.84], [0.05, 0.05, 0.06]]) {
                let triangles = (0..count).flat_map(|k| self.shifted(part, k)).collect();
                let material = Material { specular: 0.35, roughness: 0.4, ..Material::plastic(color) };
                scene.meshes.push(Mesh { points: points.clone(), triangles, material, flat: false });
            }
        }
        scene.primitives.push(floor(0.0, 0.2));
        scene
    }
}

/// The part of a sphere that looks out of the surface, with its pupil.
fn eye(blend: &Blend, side: f64, points: &mut Vec<DVec3>, parts: &mut [Vec<[u32; 3]>; 4]) {
    const AROUND: usize = 20;
    const RINGS: usize = 8;
    let out = DVec3::new(EYES_APART.cos(), 0.0, side * EYES_APART.sin());
    let on = blend.onto(out * EYE + DVec3::Y * EYES_UP);
    let (way, center) = ((out + DVec3::Y * 0.25).normalize(), on - out * (0.25 * EYE));
    let u = way.any_orthonormal_vector();
    let w = way.cross(u);
    let first = points.len() as u32;
    points.push(center + way * EYE);
    for ring in 1..=RINGS {
        let (sin, cos) = (PUPIL * ring as f64 / 3.0).sin_cos();
        for k in 0..AROUND {
            let (s, c) = (TAU * k as f64 / AROUND as f64).sin_cos();
            points.push(center + (way * cos + (u * c + w * s) * sin) * EYE);
        }
    }
    let v = |ring: usize, k: usize| first + 1 + ((ring - 1) * AROUND + k % AROUND) as u32;
    for k in 0..AROUND {
        parts[3].push([first, v(1, k), v(1, k + 1)]);
        for ring in 1..RINGS {
            let part = if ring < 3 { 3 } else { 2 };
            parts[part]
                .extend([[v(ring, k), v(ring + 1, k), v(ring + 1, k + 1)], [v(ring, k), v(ring + 1, k + 1), v(ring, k + 1)]]);
        }
    }
}
