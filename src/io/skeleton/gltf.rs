//! glTF 2.0 skins and their animations, `.glb` and `.gltf` with embedded buffers.
//!
//! Source: "glTF 2.0 Specification", Khronos, 2021 (ISO/IEC 12113:2022). The fields below are the ones that a skin needs; accessors
//! are read by the accessor's own words (any component type, normalised or not, interleaved).
//!
//! Bones are the skin's joints. What stands above or between them is folded into their poses, with uniform scale. The bind pose is
//! that of the inverse bind matrices, placed so that the first bone is where its node is; the mesh is in that pose, its weights sum
//! up to 1. Keys of
//! different times come to common frames; a step ends in a frame just before the next key, a cubic segment becomes eight frames.

use super::super::bytes::Bytes;
use super::super::error::IoError;
use super::keys::{locate, most_poses, union};
use super::{Bone, Character, Clip, Skeleton, SkinnedMesh, unit};
use crate::math::{Quat, Transform, Vec3};
use base64::Engine;
use nalgebra::{Matrix4, Vector4};
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Document {
    asset: Asset,
    extensions_required: Vec<String>,
    nodes: Vec<Node>,
    skins: Vec<Skin>,
    meshes: Vec<Mesh>,
    animations: Vec<Animation>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<View>,
    buffers: Vec<Buffer>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asset {
    version: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Node {
    name: String,
    children: Vec<u32>,
    mesh: Option<u32>,
    skin: Option<u32>,
    matrix: Option<Box<[f32; 16]>>,
    translation: Option<[f32; 3]>,
    rotation: Option<[f32; 4]>,
    scale: Option<[f32; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Skin {
    joints: Vec<u32>,
    inverse_bind_matrices: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Primitive {
    attributes: Attributes,
    indices: Option<u32>,
    mode: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "SCREAMING_SNAKE_CASE")]
struct Attributes {
    position: Option<u32>,
    #[serde(rename = "JOINTS_0")]
    joints: Option<u32>,
    #[serde(rename = "WEIGHTS_0")]
    weights: Option<u32>,
    #[serde(rename = "JOINTS_1")]
    more_joints: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Animation {
    name: String,
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
struct Channel {
    sampler: u32,
    target: Target,
}

#[derive(Deserialize)]
struct Target {
    node: Option<u32>,
    path: String,
}

#[derive(Deserialize)]
struct Sampler {
    input: u32,
    output: u32,
    interpolation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: Option<u32>,
    #[serde(default)]
    byte_offset: u64,
    component_type: u32,
    #[serde(default)]
    normalized: bool,
    count: u64,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: u32,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    byte_stride: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Buffer {
    uri: Option<String>,
    byte_length: u64,
}

fn error(field: &str, reason: impl Into<String>) -> IoError {
    IoError::new("gltf", field, reason)
}

/// Reads the first skin that a mesh wears (else the first one), that mesh, and all animations of the skin's joints.
///
/// # Errors
/// The file is malformed or lacks a skin, refers to other files, requires an extension that is not read; an index names nothing, an
/// accessor leaves its buffer, a value is out of range; nodes are sheared, mirrored or scaled unevenly.
pub fn read_gltf(data: &[u8]) -> Result<Character, IoError> {
    let (json, binary) = chunks(data)?;
    // Empty objects would take far more memory than file; a real one has a key and a value.
    let objects = json.iter().filter(|&&byte| byte == b'{').count();
    if objects > json.len() / 8 + 8 {
        return Err(error("json", format!("objects are too many for {} bytes", json.len())).value(objects));
    }
    let document: Document = serde_json::from_slice(json).map_err(|found| {
        let reason = format!("is not glTF: {found}");
        error("json", reason.chars().take(300).collect::<String>())
    })?;
    if !document.asset.version.starts_with("2.") {
        return Err(error("asset.version", "is not 2").value(format!("{:?}", short(&document.asset.version))));
    }
    if let Some(index) = document.extensions_required.iter().position(|name| !harmless(name)) {
        let name = short(&document.extensions_required[index]);
        return Err(error("extensionsRequired", "is an extension that is not read").index(index).value(name));
    }
    let file = File::new(&document, binary, data.len())?;
    file.character()
}

/// Extensions that leave skins, meshes and motion as they are.
fn harmless(extension: &str) -> bool {
    let looks = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"];
    extension == "KHR_mesh_quantization" || looks.iter().any(|start| extension.starts_with(start))
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The JSON, and the binary chunk of a `.glb`.
fn chunks(data: &[u8]) -> Result<(&[u8], Option<&[u8]>), IoError> {
    if !data.starts_with(b"glTF") {
        return Ok((data, None));
    }
    let bytes = Bytes::new("glb", data);
    let version = bytes.u32(4, "version")?;
    if version != 2 {
        return Err(IoError::new("glb", "version", "is not 2").value(version));
    }
    let length = bytes.u32(8, "length")?;
    bytes.array(0, u64::from(length), 1, "length", u64::from(length))?;
    let (mut json, mut binary) = (None, None);
    let mut at = 12u64;
    while at + 8 <= u64::from(length) {
        let size = bytes.u32(at as usize, "chunk length")?;
        let kind = bytes.u32(at as usize + 4, "chunk type")?;
        let chunk = bytes.array(at + 8, u64::from(size), 1, "chunk length", u64::from(size))?;
        match kind {
            0x4E4F_534A if json.is_none() => json = Some(chunk),
            0x004E_4942 if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + u64::from(size);
    }
    let json = json.ok_or_else(|| IoError::new("glb", "JSON chunk", "is not in this file"))?;
    Ok((json, binary))
}

/// Rotation, translation and uniform scale.
#[derive(Clone, Copy)]
struct Similarity {
    rigid: Transform<f64>,
    scale: f64,
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

struct File<'a> {
    document: &'a Document,
    size: usize,
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    parents: Vec<Option<u32>>,
    /// Numbers that may still be read: accessors can be referred to again and again.
    numbers: Cell<usize>,
}

/// A joint's or an ancestor's motion.
#[derive(Default)]
struct Motion {
    translation: Option<Track>,
    rotation: Option<Track>,
    scale: Option<Track>,
}

struct Track {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Of a value: 3 or 4.
    width: usize,
    kind: Interpolation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    Cubic,
}

impl Track {
    fn value(&self, key: usize) -> &[f64] {
        let key = if self.kind == Interpolation::Cubic { 3 * key + 1 } else { key };
        &self.values[key * self.width..][..self.width]
    }

    fn sample(&self, t: f64) -> [f64; 4] {
        let (key, part) = locate(&self.times, t);
        let mut out = [0.0; 4];
        out[..self.width].copy_from_slice(self.value(key));
        if part <= 0.0 || key + 1 >= self.times.len() || self.kind == Interpolation::Step {
            return out;
        }
        let next = self.value(key + 1);
        if self.kind == Interpolation::Linear {
            // Rotations along the shorter way.
            let dot: f64 = out.iter().zip(next).map(|(a, b)| a * b).sum();
            let sign = if self.width == 4 && dot < 0.0 { -1.0 } else { 1.0 };
            for (a, b) in out.iter_mut().zip(next) {
                *a += (b * sign - *a) * part;
            }
            return out;
        }
        let step = self.times[key + 1] - self.times[key];
        let leave = &self.values[(3 * key + 2) * self.width..][..self.width];
        let arrive = &self.values[3 * (key + 1) * self.width..][..self.width];
        let (p, p2, p3) = (part, part * part, part * part * part);
        for (axis, a) in out[..self.width].iter_mut().enumerate() {
            *a = (2.0 * p3 - 3.0 * p2 + 1.0) * *a
                + step * (p3 - 2.0 * p2 + p) * leave[axis]
                + (3.0 * p2 - 2.0 * p3) * next[axis]
                + step * (p3 - p2) * arrive[axis];
        }
        out
    }

    /// The times at which frames are due for it.
    fn frames(&self, out: &mut Vec<f64>) {
        for (key, &time) in self.times.iter().enumerate() {
            let Some(&next) = self.times.get(key + 1) else {
                out.push(time);
                continue;
            };
            match self.kind {
                Interpolation::Linear => out.push(time),
                Interpolation::Step => out.extend([time, next.next_down()]),
                Interpolation::Cubic => out.extend((0..8).map(|step| time + (next - time) * (f64::from(step) / 8.0))),
            }
        }
    }
}

impl<'a> File<'a> {
    fn new(document: &'a Document, binary: Option<&'a [u8]>, size: usize) -> Result<File<'a>, IoError> {
        let mut buffers = Vec::with_capacity(document.buffers.len());
        let mut binary = binary;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let bytes: Option<Cow<[u8]>> = match &buffer.uri {
                None => binary.take().map(Cow::Borrowed),
                Some(uri) => Some(Cow::Owned(embedded(uri).map_err(|error| error.index(index))?)),
            };
            if let Some(bytes) = &bytes
                && buffer.byte_length > bytes.len() as u64
            {
                let reason = format!("is more than the {} bytes that are there", bytes.len());
                return Err(error("buffers.byteLength", reason).index(index).value(buffer.byte_length));
            }
            buffers.push(bytes);
        }
        let count = document.nodes.len();
        let mut parents = vec![None; count];
        for (index, node) in document.nodes.iter().enumerate() {
            for &child in &node.children {
                let Some(parent) = parents.get_mut(child as usize) else {
                    return Err(error("nodes.children", format!("is none of the {count} nodes")).index(index).value(child));
                };
                if parent.replace(index as u32).is_some() {
                    return Err(error("nodes.children", "is the child of two nodes").index(index).value(child));
                }
            }
        }
        Ok(File { document, size, buffers, parents, numbers: Cell::new(2 * size + 4096) })
    }

    fn character(&self) -> Result<Character, IoError> {
        let Document { nodes, skins, .. } = self.document;
        if skins.is_empty() {
            return Err(error("skins", "are none in this file"));
        }
        let wearer = nodes.iter().position(|node| node.skin.is_some() && node.mesh.is_some());
        let index = wearer.and_then(|node| nodes[node].skin).unwrap_or(0);
        let Some(skin) = skins.get(index as usize) else {
            return Err(error("nodes.skin", format!("is none of the {} skins", skins.len())).value(index));
        };
        let mut dropped = Vec::new();
        if skins.len() > 1 {
            dropped.push(format!("{} more skins", skins.len() - 1));
        }
        let others = nodes.iter().enumerate().filter(|(node, n)| n.mesh.is_some() && Some(*node) != wearer).count();
        if others > 0 {
            dropped.push(format!("{others} more meshes"));
        }
        let joints = self.joints(skin)?;
        let rest = self.poses(&joints, &BTreeMap::new(), 0.0);
        let (bind, place) = self.bind(skin, &joints, &rest)?;
        let bones = joints.order.iter().enumerate().map(|(bone, &joint)| {
            let node = skin.joints[joint];
            let name = &nodes[node as usize].name;
            Bone {
                name: if name.is_empty() { format!("node {node}") } else { name.clone() },
                parent: joints.parents[bone],
                bind: local(&bind, joints.parents[bone], bone),
                tip: None,
            }
        });
        let skeleton = Skeleton { bones: bones.collect() };
        skeleton.check()?;
        let mesh = match (wearer.and_then(|node| nodes[node].mesh), place) {
            (Some(mesh), Some(place)) => {
                let inverse_bind = bind.iter().map(|pose| pose.inverse()).collect();
                Some(self.mesh(mesh, &joints, &place, inverse_bind, &mut dropped)?)
            }
            (Some(_), None) => {
                dropped.push("a mesh, whose skin has no inverse bind matrices".into());
                None
            }
            _ => None,
        };
        let clips = self.clips(&joints, &mut dropped)?;
        Ok(Character { skeleton, clips, mesh, dropped })
    }

    /// The skin's joints as bones, and the nodes that they hang on.
    fn joints(&self, skin: &Skin) -> Result<Joints, IoError> {
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
    fn poses(&self, joints: &Joints, motions: &BTreeMap<u32, Motion>, t: f64) -> Vec<Similarity> {
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
    fn bind(
        &self,
        skin: &Skin,
        joints: &Joints,
        rest: &[Similarity],
    ) -> Result<(Vec<Transform<f64>>, Option<Matrix4<f64>>), IoError> {
        let Some(accessor) = skin.inverse_bind_matrices else {
            return Ok((rest.iter().map(|pose| pose.rigid).collect(), None));
        };
        let field = "skins.inverseBindMatrices";
        let numbers = self.numbers(accessor, "MAT4", field)?;
        if numbers.len() < 16 * skin.joints.len() {
            let reason = format!("matrices do not suffice for {} joints", skin.joints.len());
            return Err(error(field, reason).value(numbers.len() / 16));
        }
        let matrix = |slot: usize| Matrix4::from_column_slice(&numbers[16 * slot..][..16]);
        let place = rest[0].matrix() * matrix(joints.order[0]);
        let mut bind = Vec::with_capacity(rest.len());
        for &slot in &joints.order {
            let inverse = matrix(slot).try_inverse();
            let pose = inverse.and_then(|inverse| Similarity::from_matrix(&flat(place * inverse)));
            let reason = "is singular, shears, mirrors or scales unevenly";
            bind.push(pose.ok_or_else(|| error(field, reason).index(slot))?.rigid);
        }
        Ok((bind, Some(place)))
    }

    fn mesh(
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
            let key = [position, slots, weights];
            let first = match shared.get(&key) {
                Some(&first) => first,
                None => {
                    let first = skin.mesh.points.len() as u32;
                    self.vertices(key, joints, place, &mut skin)?;
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
        Ok(skin)
    }

    fn vertices(&self, key: [u32; 3], joints: &Joints, place: &Matrix4<f64>, skin: &mut SkinnedMesh) -> Result<(), IoError> {
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
            if given.iter().any(|weight| *weight < 0.0) || !(sum > 1e-6 && sum < 1e6) {
                return Err(error("WEIGHTS_0", "are negative or none").index(vertex).value(format!("{given:?}")));
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

    fn clips(&self, joints: &Joints, dropped: &mut Vec<String>) -> Result<Vec<Clip>, IoError> {
        let mut clips = Vec::new();
        let mut left = most_poses(self.size);
        let mut grows = false;
        for (index, animation) in self.document.animations.iter().enumerate() {
            let motions = self.motions(index, animation, joints)?;
            let mut times = Vec::new();
            for (node, motion) in &motions {
                for track in [&motion.translation, &motion.rotation, &motion.scale].into_iter().flatten() {
                    track.frames(&mut times);
                }
                if let Some(track) = &motion.scale {
                    let rest = joints.nodes.iter().position(|other| other == node).map_or(1.0, |place| joints.rests[place].scale);
                    let mut scales = (0..track.times.len()).flat_map(|key| track.value(key));
                    grows |= scales.any(|scale| (scale - rest).abs() > 1e-3 * rest);
                }
            }
            if times.is_empty() {
                dropped.push(format!("animation {index}, which moves none of the joints"));
                continue;
            }
            let times = union(times);
            // Nodes between the joints cost time, not memory.
            left = left.checked_sub(times.len().saturating_mul(joints.nodes.len())).ok_or_else(|| {
                let reason = format!("frames of {} joints take far more memory than the file", joints.nodes.len());
                error("animations", reason).index(index).value(times.len())
            })?;
            let poses = times.iter().map(|&time| {
                let world: Vec<_> = self.poses(joints, &motions, time).iter().map(|pose| pose.rigid).collect();
                (0..world.len()).map(|bone| local(&world, joints.parents[bone], bone)).collect()
            });
            let clip = Clip { name: animation.name.clone(), poses: poses.collect(), times };
            clip.check(joints.order.len())?;
            clips.push(clip);
        }
        if grows {
            dropped.push("animated scale: joints move with it, the skin does not grow".into());
        }
        Ok(clips)
    }

    fn motions(&self, index: usize, animation: &Animation, joints: &Joints) -> Result<BTreeMap<u32, Motion>, IoError> {
        let mut motions: BTreeMap<u32, Motion> = joints.nodes.iter().map(|&node| (node, Motion::default())).collect();
        for (place, channel) in animation.channels.iter().enumerate() {
            let Some(motion) = channel.target.node.and_then(|node| motions.get_mut(&node)) else { continue };
            let field = format!("animations[{index}].channels");
            let (slot, width) = match channel.target.path.as_str() {
                "translation" => (&mut motion.translation, 3),
                "rotation" => (&mut motion.rotation, 4),
                "scale" => (&mut motion.scale, 3),
                "weights" => continue,
                path => return Err(error(&field, "has an unknown path").index(place).value(format!("{:?}", short(path)))),
            };
            let Some(sampler) = animation.samplers.get(channel.sampler as usize) else {
                let reason = format!("has none of the {} samplers", animation.samplers.len());
                return Err(error(&field, reason).index(place).value(channel.sampler));
            };
            let track = self.track(sampler, width).map_err(|found| {
                let reason = format!("{} (channel {place} of animation {index})", found.reason);
                IoError { reason, ..found }
            })?;
            let is_scale = channel.target.path == "scale";
            if let Some(key) = (0..track.times.len()).find(|&key| is_scale && track.value(key).iter().any(|&scale| scale < 0.0)) {
                return Err(error(&field, format!("mirrors at key {key}")).index(place));
            }
            if slot.replace(track).is_some() {
                return Err(error(&field, "moves what another one moves").index(place));
            }
        }
        motions.retain(|_, motion| motion.translation.is_some() || motion.rotation.is_some() || motion.scale.is_some());
        Ok(motions)
    }

    fn track(&self, sampler: &Sampler, width: usize) -> Result<Track, IoError> {
        let kind = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => return Err(error("interpolation", "is not known").value(format!("{:?}", short(other)))),
        };
        let times = self.numbers(sampler.input, "SCALAR", "input")?;
        let mut values = self.numbers(sampler.output, if width == 4 { "VEC4" } else { "VEC3" }, "output")?;
        if times.is_empty() {
            return Err(error("input", "has no keys"));
        }
        if let Some(key) = (1..times.len()).find(|&key| times[key] <= times[key - 1]) {
            return Err(error("input", "does not increase").index(key).value(times[key]));
        }
        let each = if kind == Interpolation::Cubic { 3 } else { 1 };
        if values.len() != times.len() * width * each {
            let reason = format!("values do not match {} keys", times.len());
            return Err(error("output", reason).value(values.len() / width));
        }
        for (key, value) in values.chunks_exact_mut(width).enumerate() {
            let is_value = each == 1 || key % 3 == 1;
            if width == 4 && is_value {
                let q = unit([value[0], value[1], value[2], value[3]])
                    .ok_or_else(|| error("output", "is not a unit quaternion").index(key / each).value(format!("{value:?}")))?;
                value.copy_from_slice(&q.to_array());
            }
        }
        Ok(Track { times, values, width, kind })
    }

    fn accessor(&self, index: u32, field: &str) -> Result<&'a Accessor, IoError> {
        let accessors = &self.document.accessors;
        let reason = || format!("is none of the {} accessors", accessors.len());
        accessors.get(index as usize).ok_or_else(|| error(field, reason()).value(index))
    }

    /// All numbers of an accessor of that type, row by row; integers as they are, or normalised as the accessor says.
    fn numbers(&self, index: u32, kind: &str, field: &str) -> Result<Vec<f64>, IoError> {
        let accessor = self.accessor(index, field)?;
        let fail = |reason: String| error(&format!("accessors[{index}], {field},"), reason);
        if accessor.kind != kind {
            return Err(fail(format!("is not {kind}")).value(format!("{:?}", short(&accessor.kind))));
        }
        let width: usize = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let size: u64 = match accessor.component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => return Err(fail("has an unknown component type".into()).value(other)),
        };
        if accessor.sparse.is_some() {
            return Err(fail("is sparse, which is not read".into()));
        }
        let views = &self.document.buffer_views;
        let Some(view) = accessor.buffer_view.and_then(|view| views.get(view as usize)) else {
            return Err(fail("has none of the buffer views".into()));
        };
        let Some(bytes) = self.buffers.get(view.buffer as usize).and_then(|buffer| buffer.as_deref()) else {
            return Err(fail("is in a buffer that is not in this file".into()).value(view.buffer));
        };
        let bytes = Bytes::new("gltf", bytes).array(view.byte_offset, view.byte_length, 1, "bufferViews", view.byte_length)?;
        let row = size * width as u64;
        let stride = view.byte_stride.unwrap_or(row);
        if stride < row || stride > 1024 {
            return Err(fail(format!("has a stride that does not fit {row} bytes")).value(stride));
        }
        // The last row ends where it ends, without the rest of its stride.
        let needs = match accessor.count.checked_sub(1) {
            Some(steps) => u128::from(steps) * u128::from(stride) + u128::from(row) + u128::from(accessor.byte_offset),
            None => 0,
        };
        if needs > bytes.len() as u128 {
            return Err(fail(format!("needs {needs} bytes of a view that has {}", bytes.len())).value(accessor.count));
        }
        let count = accessor.count as usize;
        let Some(left) = self.numbers.get().checked_sub(count * width) else {
            return Err(fail("and others are used so often that they take far more memory than the file".into()));
        };
        self.numbers.set(left);
        let mut numbers = Vec::with_capacity(count * width);
        for step in 0..count {
            let start = accessor.byte_offset as usize + step * stride as usize;
            for part in bytes[start..start + row as usize].chunks_exact(size as usize) {
                let number = number(part, accessor);
                if !number.is_finite() {
                    return Err(fail(format!("is not finite in row {step}")).value(number));
                }
                numbers.push(number);
            }
        }
        Ok(numbers)
    }
}

fn number(bytes: &[u8], accessor: &Accessor) -> f64 {
    let (value, largest) = match (accessor.component_type, bytes) {
        (5120, &[a]) => (f64::from(a as i8), 127.0),
        (5121, &[a]) => (f64::from(a), 255.0),
        (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32_767.0),
        (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65_535.0),
        (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), 1.0),
        (_, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 1.0),
        _ => (f64::NAN, 1.0),
    };
    if accessor.normalized { (value / largest).max(if largest > 1.0 { -1.0 } else { f64::NEG_INFINITY }) } else { value }
}

/// The skin's joints in the order of the bones, and the nodes that they hang on, parents first.
struct Joints {
    /// The joint of each bone, by its place in the skin.
    order: Vec<usize>,
    /// The bone of each joint.
    bones: Vec<u32>,
    parents: Vec<Option<u32>>,
    nodes: Vec<u32>,
    /// The parent of each node, by its place in `nodes`.
    up: Vec<Option<usize>>,
    rests: Vec<Similarity>,
    /// Each bone's place in `nodes`.
    at: Vec<usize>,
}

/// A bone's pose in its parent's frame.
fn local(world: &[Transform<f64>], parent: Option<u32>, bone: usize) -> Transform<f64> {
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

/// The bytes of a `data:` URI.
fn embedded(uri: &str) -> Result<Vec<u8>, IoError> {
    let Some((kind, text)) = uri.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        return Err(error("buffers.uri", "is another file, only embedded buffers are read").value(format!("{:?}", short(uri))));
    };
    if !kind.ends_with(";base64") {
        return Err(error("buffers.uri", "is not base64").value(format!("{:?}", short(kind))));
    }
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(text.trim_end()).map_err(|found| error("buffers.uri", format!("is not base64: {found}")))
}
