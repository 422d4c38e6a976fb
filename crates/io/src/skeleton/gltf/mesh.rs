//! The mesh that wears the skin.

use super::super::super::error::IoError;
use super::super::SkinnedMesh;
use super::file::{Attributes, File, error};
use super::joints::Joints;
use nalgebra::{Matrix4, Vector4};
use std::collections::BTreeMap;
use withy_math::Transform;

impl File<'_> {
    pub fn mesh(
        &self,
        mesh: u32,
        joints: &Joints,
        place: &Matrix4<f64>,
        inverse_bind: Vec<Transform<f64>>,
        dropped: &mut Vec<String>,
    ) -> Result<SkinnedMesh, IoError> {
        let meshes = &self.document.meshes;
        let Some(mesh) = meshes.get(mesh as usize) else {
            return Err(error("nodes.mesh", format!("is none of the {} meshes", meshes.len())).value(mesh));
        };
        let mut skin = SkinnedMesh { inverse_bind, ..SkinnedMesh::default() };
        // Where the vertices of the same accessors are already.
        let mut shared: BTreeMap<[u32; 3], u32> = BTreeMap::new();
        let mut weightless = 0;
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let Attributes { position, joints: slots, weights, more_joints } = primitive.attributes;
            if primitive.mode.is_some_and(|mode| mode != 4) {
                dropped.push(format!("primitive {index}, which is no list of triangles"));
                continue;
            }
            let (Some(position), Some(slots), Some(weights)) = (position, slots, weights) else {
                dropped.push(format!("primitive {index}, which lacks POSITION, JOINTS_0 or WEIGHTS_0"));
                continue;
            };
            if more_joints.is_some() {
                dropped.push(format!("more than four joints a vertex of primitive {index}"));
            }
            if primitive.targets.is_some() {
                dropped.push(format!("morph targets of primitive {index}"));
            }
            let key = [position, slots, weights];
            let first = match shared.get(&key) {
                Some(&first) => first,
                None => {
                    let first = skin.mesh.points.len() as u32;
                    self.vertices(key, joints, place, &mut skin, &mut weightless)?;
                    shared.insert(key, first);
                    first
                }
            };
            // Of this primitive: others may have come between.
            let count = self.accessor(position, "POSITION")?.count as u32;
            let corners = match primitive.indices {
                Some(indices) => self.numbers(indices, "SCALAR", "indices")?,
                None => (0..count).map(f64::from).collect(),
            };
            for (triangle, corners) in corners.chunks_exact(3).enumerate() {
                if let Some(corner) = corners.iter().find(|&&corner| corner < 0.0 || corner >= f64::from(count)) {
                    let reason = format!("is outside of the {count} vertices");
                    return Err(error("indices of triangle", reason).index(triangle).value(corner));
                }
                skin.mesh.triangles.push([0, 1, 2].map(|c| corners[c] as u32 + first));
            }
        }
        if weightless > 0 {
            dropped.push(format!("where {weightless} vertices without weights hang: they go with the first bone"));
        }
        Ok(skin)
    }

    fn vertices(
        &self,
        key: [u32; 3],
        joints: &Joints,
        place: &Matrix4<f64>,
        skin: &mut SkinnedMesh,
        weightless: &mut usize,
    ) -> Result<(), IoError> {
        let positions = self.numbers(key[0], "VEC3", "POSITION")?;
        let slots = self.numbers(key[1], "VEC4", "JOINTS_0")?;
        let weights = self.numbers(key[2], "VEC4", "WEIGHTS_0")?;
        let count = positions.len() / 3;
        if slots.len() != 4 * count || weights.len() != 4 * count {
            let reason = format!("are not as many as JOINTS_0 {} and WEIGHTS_0 {}", slots.len() / 4, weights.len() / 4);
            return Err(error("POSITION", reason).value(count));
        }
        skin.mesh.points.reserve(count);
        skin.joints.reserve(count);
        skin.weights.reserve(count);
        for vertex in 0..count {
            let p = &positions[3 * vertex..][..3];
            let point = place * Vector4::new(p[0], p[1], p[2], 1.0);
            let point = [point.x as f32, point.y as f32, point.z as f32];
            if !point.iter().all(|x| x.is_finite()) {
                return Err(error("POSITION", "is not finite in the world").index(vertex).value(format!("{p:?}")));
            }
            let (mut bones, mut shares) = ([0; 4], [0.0; 4]);
            let given = &weights[4 * vertex..][..4];
            let sum: f64 = given.iter().sum();
            if given.iter().any(|weight| *weight < 0.0) || !(0.0..1e6).contains(&sum) {
                return Err(error("WEIGHTS_0", "are negative or too large").index(vertex).value(format!("{given:?}")));
            }
            if sum < 1e-6 {
                // It hangs on nothing: it goes with the first bone.
                *weightless += 1;
                skin.mesh.points.push(point);
                skin.joints.push([0; 4]);
                skin.weights.push([1.0, 0.0, 0.0, 0.0]);
                continue;
            }
            for corner in 0..4 {
                let slot = slots[4 * vertex + corner];
                if given[corner] == 0.0 {
                    continue;
                }
                let Some(&bone) = joints.bones.get(slot as usize).filter(|_| slot >= 0.0) else {
                    let reason = format!("is none of the {} joints", joints.bones.len());
                    return Err(error("JOINTS_0", reason).index(vertex).value(slot));
                };
                bones[corner] = bone;
                shares[corner] = (given[corner] / sum) as f32;
            }
            skin.mesh.points.push(point);
            skin.joints.push(bones);
            skin.weights.push(shares);
        }
        Ok(())
    }
}
