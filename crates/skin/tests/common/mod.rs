//! Tubes over strands.

use withy_math::{Quat, Vec3};
use withy_skin::{Mesh, Out, Pose, Skin, Strands};

#[derive(Clone, Debug, Default)]
pub struct Rods {
    pub counts: Vec<u32>,
    pub positions: Vec<[f64; 3]>,
    pub radii: Vec<f64>,
    pub frames: Vec<[f64; 4]>,
}

impl Rods {
    pub fn strands(&self) -> Strands<'_> {
        Strands { counts: &self.counts, positions: &self.positions, radii: &self.radii, frames: &self.frames }
    }

    /// A strand along z, edges of `length / edges`, its root at (x, y).
    pub fn add(&mut self, at: [f64; 2], length: f64, edges: usize, radius: f64) {
        self.counts.push(edges as u32 + 1);
        for v in 0..=edges {
            self.positions.push([at[0], at[1], length * v as f64 / edges as f64]);
            self.radii.push(radius);
        }
        self.frames.extend(std::iter::repeat_n([0.0, 0.0, 0.0, 1.0], edges));
    }

    /// The same strands through a map of points, with the turns and scales that `at` gives for z: frames are turned first,
    /// then taken along the shortest way to their edge.
    pub fn moved(&self, map: impl Fn([f64; 3]) -> [f64; 3], twist: impl Fn(f64) -> f64, scale: impl Fn(f64) -> f64) -> Rods {
        let positions: Vec<[f64; 3]> = self.positions.iter().map(|&p| map(p)).collect();
        let (mut frames, mut first) = (Vec::new(), 0);
        for &n in &self.counts {
            for v in first..first + n as usize - 1 {
                let [a, b] = [v, v + 1].map(|v| Vec3::from(positions[v]));
                let d = (b - a).normalized_or(Vec3 { x: 0.0, y: 0.0, z: 1.0 });
                // From z to d, whose z is above -1 in all tests.
                let w = ((1.0 + d.z) * 0.5).sqrt();
                let bend = Quat { x: -d.y / (2.0 * w), y: d.x / (2.0 * w), z: 0.0, w };
                let angle = twist(0.5 * (self.positions[v][2] + self.positions[v + 1][2]));
                let turn = Quat { x: 0.0, y: 0.0, z: (0.5 * angle).sin(), w: (0.5 * angle).cos() };
                frames.push(bend.compose(turn).to_array());
            }
            first += n as usize;
        }
        let radii = self.radii.iter().zip(&self.positions).map(|(r, p)| r * scale(p[2])).collect();
        Rods { counts: self.counts.clone(), positions, radii, frames }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Shell {
    pub positions: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shell {
    pub fn mesh(&self) -> Mesh<'_> {
        Mesh { positions: &self.positions, triangles: &self.triangles, ..Mesh::default() }
    }

    /// A closed tube along z from z0 to z1, counterclockwise from outside.
    pub fn tube(&mut self, at: [f64; 2], radius: impl Fn(f64) -> f64, [z0, z1]: [f64; 2], around: usize, along: usize) {
        let base = self.positions.len() as u32;
        for i in 0..=along {
            let z = z0 + (z1 - z0) * i as f64 / along as f64;
            for k in 0..around {
                let a = std::f64::consts::TAU * k as f64 / around as f64;
                let r = radius(z);
                self.positions.push([at[0] + r * a.cos(), at[1] + r * a.sin(), z]);
            }
        }
        let v = |i: usize, k: usize| base + (i * around + k % around) as u32;
        for i in 0..along {
            for k in 0..around {
                self.triangles.push([v(i, k), v(i, k + 1), v(i + 1, k + 1)]);
                self.triangles.push([v(i, k), v(i + 1, k + 1), v(i + 1, k)]);
            }
        }
        for (i, z, flip) in [(0, z0, true), (along, z1, false)] {
            let middle = self.positions.len() as u32;
            self.positions.push([at[0], at[1], z]);
            for k in 0..around {
                let (a, b) = (v(i, k), v(i, k + 1));
                self.triangles.push(if flip { [middle, b, a] } else { [middle, a, b] });
            }
        }
    }
}

pub fn volume(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let p = |i: u32| Vec3::from(positions[i as usize].map(f64::from));
    triangles.iter().map(|t| p(t[0]).dot(p(t[1]).cross(p(t[2]))) / 6.0).sum()
}

pub fn deformed(skin: &Skin, rods: &Rods) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let mut pose = Pose::default();
    skin.pose(&rods.strands(), &mut pose).unwrap();
    let (mut positions, mut normals) = (vec![[0.0; 3]; skin.vertices()], vec![[0.0; 3]; skin.vertices()]);
    let out = Out { positions: &mut positions, normals: &mut normals, ..Out::default() };
    skin.deform(&pose, withy_math::Isa::best(), out).unwrap();
    (positions, normals)
}
