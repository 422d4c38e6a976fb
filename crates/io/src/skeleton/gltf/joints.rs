//! The skin's joints as bones: their poses in the world, and the bind pose.

use super::super::super::error::IoError;
use super::super::keys::locate;
use super::super::unit;
use super::file::{File, Node, Skin, error};
use super::motion::Motion;
use nalgebra::{Matrix4, Vector4};
use std::collections::BTreeMap;
use withy_math::{Quat, Transform, Vec3};

/// The skin's joints in the order of the bones, and the nodes that they hang on, parents first.
pub(super) struct Joints {
    /// The joint of each bone, by its place in the skin.
    pub order: Vec<usize>,
    /// The bone of each joint.
    pub bones: Vec<u32>,
    pub parents: Vec<Option<u32>>,
    pub nodes: Vec<u32>,
    /// The parent of each node, by its place in `nodes`.
    pub up: Vec<Option<usize>>,
    pub rests: Vec<Similarity>,
    /// Each bone's place in `nodes`.
    pub at: Vec<usize>,
}

/// The bind pose.
pub(super) struct Bind {
    /// The bones in the world.
    pub bones: Vec<Transform<f64>>,
    /// What takes the mesh there.
    pub place: Matrix4<f64>,
    /// From the mesh to each bone's frame.
    pub inverse: Vec<Transform<f64>>,
}

/// Rotation, translation and uniform scale.
#[derive(Clone, Copy)]
pub(super) struct Similarity {
    pub rigid: Transform<f64>,
    pub scale: f64,
}

impl Similarity {
    fn compose(self, b: Similarity) -> Similarity {
        let position = self.rigid.position + self.rigid.rotation.rotate(b.rigid.position) * self.scale;
        let rotation = self.rigid.rotation.compose(b.rigid.rotation);
        Similarity { rigid: Transform { position, rotation }, scale: self.scale * b.scale }
    }

    fn matrix(self) -> Matrix4<f64> {
        let [x, y, z] = self.rigid.rotation.frame().map(|axis| axis * self.scale);
        let column = |v: Vec3<f64>, w: f64| Vector4::new(v.x, v.y, v.z, w);
        Matrix4::from_columns(&[column(x, 0.0), column(y, 0.0), column(z, 0.0), column(self.rigid.position, 1.0)])
    }

    /// None where the matrix shears, mirrors, or scales unevenly by more than 0.1 %.
    fn from_matrix(m: &Matrix4<f64>) -> Option<Similarity> {
        let column = |c: usize| Vec3::from([m[(0, c)], m[(1, c)], m[(2, c)]]);
        let axes = [column(0), column(1), column(2)];
        let position = column(3);
        let scale = even(axes.map(|axis| axis.length()))?;
        let [x, y, z] = axes.map(|axis| axis * (1.0 / axis.length()));
        let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        let is_rotation = skew < 1e-3 && x.cross(y).dot(z) > 0.0;
        let is_affine = m[(3, 0)] == 0.0 && m[(3, 1)] == 0.0 && m[(3, 2)] == 0.0 && (m[(3, 3)] - 1.0).abs() < 1e-6;
        let is_finite = position.to_array().iter().all(|x| x.is_finite());
        (is_rotation && is_affine && is_finite)
            .then(|| Similarity { rigid: Transform { position, rotation: Quat::from_frame([x, y, z]) }, scale })
    }
}

/// The mean of three scales that are positive and differ by 0.1 % at most.
fn even(scale: [f64; 3]) -> Option<f64> {
    let mean = (scale[0] + scale[1] + scale[2]) / 3.0;
    let is_even = mean > 1e-12 && mean < 1e12 && scale.iter().all(|s| (s - mean).abs() <= 1e-3 * mean);
    is_even.then_some(mean)
}

impl File<'_> {
    /// The skin's joints as bones, and the nodes that they hang on.
    pub fn joints(&self, skin: &Skin) -> Result<Joints, IoError> {
        let count = self.document.nodes.len();
        if skin.joints.is_empty() {
            return Err(error("skins.joints", "are none"));
        }
        let mut slots = vec![None; count];
        for (slot, &node) in skin.joints.iter().enumerate() {
            let Some(place) = slots.get_mut(node as usize) else {
                return Err(error("skins.joints", format!("is none of the {count} nodes")).index(slot).value(node));
            };
            if place.replace(slot).is_some() {
                return Err(error("skins.joints", "is there twice").index(slot).value(node));
            }
        }
        // Up from each joint to what is known already; a walk that meets itself never ends in a root.
        let mut nodes = Vec::new();
        let mut known = vec![false; count];
        let mut walk = Vec::new();
        for &joint in &skin.joints {
            let mut at = Some(joint);
            while let Some(node) = at.filter(|&node| !known[node as usize]) {
                if walk.len() > count {
                    return Err(error("nodes.children", "lead round in a circle").value(joint));
                }
                walk.push(node);
                at = self.parents[node as usize];
            }
            for node in walk.drain(..).rev() {
                known[node as usize] = true;
                nodes.push(node);
            }
        }
        let in_order = |joint: u32| {
            let mut at = self.parents[joint as usize];
            while let Some(node) = at {
                if let Some(slot) = slots[node as usize] {
                    return Some(slot);
                }
                at = self.parents[node as usize];
            }
            None
        };
        // Steps up that find no joint are bounded by the nodes above, which few files have many of.
        if nodes.len().saturating_mul(skin.joints.len()) > 64 * (self.size + 65_536) {
            return Err(error("nodes", "above the joints are far too many").value(nodes.len()));
        }
        let above: Vec<Option<usize>> = skin.joints.iter().map(|&joint| in_order(joint)).collect();
        let order: Vec<usize> = if above.iter().enumerate().all(|(slot, above)| above.is_none_or(|above| above < slot)) {
            (0..skin.joints.len()).collect()
        } else {
            nodes.iter().filter_map(|&node| slots[node as usize]).collect()
        };
        let mut bones = vec![0; order.len()];
        for (bone, &slot) in order.iter().enumerate() {
            bones[slot] = bone as u32;
        }
        let parents = order.iter().map(|&slot| above[slot].map(|above| bones[above])).collect();
        let mut place = BTreeMap::new();
        for (index, &node) in nodes.iter().enumerate() {
            place.insert(node, index);
        }
        let rests = nodes.iter().map(|&node| self.rest(node)).collect::<Result<Vec<_>, _>>()?;
        let up = nodes.iter().map(|&node| self.parents[node as usize].and_then(|parent| place.get(&parent).copied())).collect();
        let at = order.iter().map(|&slot| place[&skin.joints[slot]]).collect();
        Ok(Joints { order, bones, parents, nodes, up, rests, at })
    }

    fn rest(&self, node: u32) -> Result<Similarity, IoError> {
        let Node { matrix, translation, rotation, scale, .. } = &self.document.nodes[node as usize];
        if let Some(matrix) = matrix {
            let matrix = Matrix4::from_iterator(matrix.iter().map(|&x| f64::from(x)));
            return Similarity::from_matrix(&matrix)
                .ok_or_else(|| error("nodes.matrix", "shears, mirrors or scales unevenly").index(node as usize));
        }
        let scale = scale.unwrap_or([1.0; 3]).map(f64::from);
        let position = translation.unwrap_or_default().map(f64::from);
        let rotation = rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]).map(f64::from);
        if !position.iter().all(|x| x.is_finite()) {
            return Err(error("nodes.translation", "is not finite").index(node as usize).value(format!("{position:?}")));
        }
        let fail = |field: &str, reason: &str, value: String| error(field, reason).index(node as usize).value(value);
        let even =
            even(scale).ok_or_else(|| fail("nodes.scale", "is not positive and the same on all axes", format!("{scale:?}")))?;
        let rotation =
            unit(rotation).ok_or_else(|| fail("nodes.rotation", "is not a unit quaternion", format!("{rotation:?}")))?;
        Ok(Similarity { rigid: Transform { position: position.into(), rotation }, scale: even })
    }

    /// The bones in the world at a time.
    pub fn poses(&self, joints: &Joints, motions: &BTreeMap<u32, Motion>, t: f64) -> Vec<Similarity> {
        let mut world: Vec<Similarity> = Vec::with_capacity(joints.nodes.len());
        for (index, node) in joints.nodes.iter().enumerate() {
            let mut pose = joints.rests[index];
            if let Some(motion) = motions.get(node) {
                if let Some(track) = &motion.translation {
                    let [x, y, z, _] = track.sample(t);
                    pose.rigid.position = [x, y, z].into();
                }
                if let Some(track) = &motion.rotation {
                    let [x, y, z, w] = track.sample(t);
                    let q = Quat { x, y, z, w };
                    // Between opposite keys a rotation can vanish: then it is that of the key before.
                    let length = q.dot(q).sqrt();
                    pose.rigid.rotation = if length > 1e-3 {
                        Quat { x: x / length, y: y / length, z: z / length, w: w / length }
                    } else {
                        let key = track.value(locate(&track.times, t).0);
                        Quat { x: key[0], y: key[1], z: key[2], w: key[3] }
                    };
                }
                if let Some(track) = &motion.scale {
                    let [x, y, z, _] = track.sample(t);
                    pose.scale = (x + y + z) / 3.0;
                }
            }
            world.push(joints.up[index].map_or(pose, |up| world[up].compose(pose)));
        }
        joints.at.iter().map(|&at| world[at]).collect()
    }

    /// The bones in the world in the bind pose, and what takes the mesh there.
    pub fn bind(&self, skin: &Skin, joints: &Joints, rest: &[Similarity]) -> Result<Bind, IoError> {
        let Some(accessor) = skin.inverse_bind_matrices else {
            // They are the identity then: each vertex is in the frame of its joint, which may be scaled.
            let inverse = vec![Transform::identity(); rest.len()];
            return Ok(Bind {
                bones: rest.iter().map(|pose| pose.rigid).collect(),
                place: Matrix4::new_scaling(rest[0].scale),
                inverse,
            });
        };
        let field = "skins.inverseBindMatrices";
        let numbers = self.numbers(accessor, "MAT4", field)?;
        if numbers.len() < 16 * skin.joints.len() {
            let reason = format!("matrices do not suffice for {} joints", skin.joints.len());
            return Err(error(field, reason).value(numbers.len() / 16));
        }
        let matrix = |slot: usize| Matrix4::from_column_slice(&numbers[16 * slot..][..16]);
        let place = rest[0].matrix() * matrix(joints.order[0]);
        let mut bones = Vec::with_capacity(rest.len());
        for &slot in &joints.order {
            let inverse = matrix(slot).try_inverse();
            let pose = inverse.and_then(|inverse| Similarity::from_matrix(&flat(place * inverse)));
            let reason = "is singular, shears, mirrors or scales unevenly";
            bones.push(pose.ok_or_else(|| error(field, reason).index(slot))?.rigid);
        }
        let inverse = bones.iter().map(|pose| pose.inverse()).collect();
        Ok(Bind { bones, place, inverse })
    }
}

/// A bone's pose in its parent's frame.
pub(super) fn local(world: &[Transform<f64>], parent: Option<u32>, bone: usize) -> Transform<f64> {
    let mut pose = parent.map_or(world[bone], |parent| world[parent as usize].seen(world[bone]));
    // Rounding along a chain.
    pose.rotation = unit(pose.rotation.to_array()).unwrap_or(Quat::identity());
    pose
}

/// With the last row of an affine matrix: an inverse leaves rounding there.
fn flat(mut matrix: Matrix4<f64>) -> Matrix4<f64> {
    for column in 0..4 {
        let exact = if column == 3 { 1.0 } else { 0.0 };
        if (matrix[(3, column)] - exact).abs() < 1e-6 {
            matrix[(3, column)] = exact;
        }
    }
    matrix
}
