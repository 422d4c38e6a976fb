//! Skeletons, their motion, and ragdolls: what a file says about a character, in metres, Y up.
//!
//! A reader takes bytes and gives a structure whose `check` holds, or an [`IoError`] that names field, index and value.

mod bvh;
#[cfg(feature = "gltf")]
mod gltf;
mod keys;
mod ragdoll;
mod tof;
mod words;

pub use bvh::read_bvh;
#[cfg(feature = "gltf")]
pub use gltf::read_gltf;
pub use ragdoll::{Body, BodyShape, Joint, Mass, Motion, Motor, Ragdoll, Shape};
pub use tof::{read_tof_animation, read_tof_ragdoll};

use super::error::IoError;
use super::mesh::TriMesh;
use std::path::Path;
use withy_math::{Quat, Transform, Vec3};

#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// As in the file: may be empty, may repeat.
    pub name: String,
    /// Comes before its children.
    pub parent: Option<u32>,
    /// In the parent's frame; of a root, in the world's.
    pub bind: Transform<f64>,
    /// m. Where the bone ends, in its own frame, if the file says so (BVH's `End Site`).
    pub tip: Option<Vec3<f64>>,
}

/// Bones, parents first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    pub bones: Vec<Bone>,
}

impl Skeleton {
    /// # Errors
    /// There are no bones, a parent does not come before its child, a number is not finite, a rotation is not unit to 1e-6.
    pub fn check(&self) -> Result<(), IoError> {
        let error = |field: &str, reason: &str, bone: usize| IoError::new("skeleton", field, reason).index(bone);
        if self.bones.is_empty() {
            return Err(IoError::new("skeleton", "bones", "are none"));
        }
        for (index, bone) in self.bones.iter().enumerate() {
            if let Some(parent) = bone.parent.filter(|&parent| parent as usize >= index) {
                return Err(error("parent", "does not come before its child", index).value(parent));
            }
            if !is_rigid(&bone.bind) {
                return Err(error("bind", "is not finite with a unit rotation", index).value(shown(&bone.bind)));
            }
            if let Some(tip) = bone.tip.filter(|tip| !tip.to_array().iter().all(|x| x.is_finite())) {
                return Err(error("tip", "is not finite", index).value(format!("{:?}", tip.to_array())));
            }
        }
        Ok(())
    }

    /// The first bone of that name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.bones.iter().position(|bone| bone.name == name).map(|index| index as u32)
    }

    pub fn bind(&self) -> impl ExactSizeIterator<Item = Transform<f64>> + '_ {
        self.bones.iter().map(|bone| bone.bind)
    }

    /// Takes poses relative to the parents, a bone each, to poses under `root`. Allocates only where `out` is too small; what
    /// `local` lacks is the bind pose.
    pub fn world(&self, local: &[Transform<f64>], root: Transform<f64>, out: &mut Vec<Transform<f64>>) {
        out.clear();
        out.reserve(self.bones.len());
        for (index, bone) in self.bones.iter().enumerate() {
            let local = local.get(index).copied().unwrap_or(bone.bind);
            let parent = bone.parent.and_then(|parent| out.get(parent as usize)).copied().unwrap_or(root);
            out.push(parent.compose(local));
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The first and the last pose outside of the clip.
    Clamp,
    /// The last time is the first one again.
    Loop,
}

/// Poses over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    pub name: String,
    /// s, increasing.
    pub times: Vec<f64>,
    /// `[frame][bone]`, in the parent's frame.
    pub poses: Vec<Vec<Transform<f64>>>,
}

impl Clip {
    /// # Errors
    /// There are no frames, times do not increase, a frame has not one pose for each of `bones`, a pose is not finite or its rotation
    /// not unit.
    pub fn check(&self, bones: usize) -> Result<(), IoError> {
        if self.times.is_empty() || self.times.len() != self.poses.len() {
            let reason = format!("do not match the {} frames", self.poses.len());
            return Err(IoError::new("clip", "times", reason).value(self.times.len()));
        }
        let increases = |index: usize| index == 0 || self.times[index] > self.times[index - 1];
        if let Some(index) = (0..self.times.len()).find(|&index| !self.times[index].is_finite() || !increases(index)) {
            return Err(IoError::new("clip", "times", "does not increase").index(index).value(self.times[index]));
        }
        for (frame, poses) in self.poses.iter().enumerate() {
            if poses.len() != bones {
                let reason = format!("poses for {bones} bones");
                return Err(IoError::new("clip", "frame", reason).index(frame).value(poses.len()));
            }
            if let Some(bone) = poses.iter().position(|pose| !is_rigid(pose)) {
                let reason = format!("of bone {bone} is not finite with a unit rotation");
                return Err(IoError::new("clip", "pose", reason).index(frame).value(shown(&poses[bone])));
            }
        }
        Ok(())
    }

    /// s, from the first to the last frame.
    pub fn duration(&self) -> f64 {
        self.times.last().unwrap_or(&0.0) - self.times.first().unwrap_or(&0.0)
    }

    /// The poses at `t` s, on the time line of `times`: positions linear between frames, rotations linear and normalised. Allocates
    /// only where `out` is too small; `t` that is not a number is the first frame.
    pub fn sample(&self, t: f64, repeat: Repeat, out: &mut Vec<Transform<f64>>) {
        out.clear();
        let (Some(&first), Some(&last)) = (self.times.first(), self.times.last()) else { return };
        let t = match repeat {
            Repeat::Loop if last > first => {
                let turn = (t - first) % (last - first);
                first + if turn < 0.0 { turn + (last - first) } else { turn }
            }
            _ => t,
        };
        let (frame, part) = keys::locate(&self.times, t);
        let Some(here) = self.poses.get(frame) else { return };
        match self.poses.get(frame + 1).filter(|_| part > 0.0) {
            Some(next) => out.extend(here.iter().zip(next).map(|(a, b)| blend(a, b, part))),
            None => out.extend_from_slice(here),
        }
    }
}

/// A skin: `mesh` in the skeleton's world when every bone is in its bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinnedMesh {
    pub mesh: TriMesh,
    /// Bones, a vertex.
    pub joints: Vec<[u32; 4]>,
    /// Sum up to 1, a vertex.
    pub weights: Vec<[f32; 4]>,
    /// World to bone, in the bind pose; a bone.
    pub inverse_bind: Vec<Transform<f64>>,
}

impl SkinnedMesh {
    /// The vertices under bones that are at `world` ([`Skeleton::world`]): linear blend skinning.
    pub fn skin(&self, world: &[Transform<f64>], out: &mut Vec<Vec3<f64>>) {
        out.clear();
        for (point, (joints, weights)) in self.mesh.points.iter().zip(self.joints.iter().zip(&self.weights)) {
            let point = Vec3::from(point.map(f64::from));
            let mut sum = Vec3::zero();
            for (&joint, &weight) in joints.iter().zip(weights) {
                if let (Some(bone), Some(inverse)) = (world.get(joint as usize), self.inverse_bind.get(joint as usize)) {
                    sum = sum + bone.point(inverse.point(point)) * f64::from(weight);
                }
            }
            out.push(sum);
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Character {
    pub skeleton: Skeleton,
    pub clips: Vec<Clip>,
    pub mesh: Option<SkinnedMesh>,
    /// What the file has and this has not, a sentence each.
    pub dropped: Vec<String>,
}

/// Motion of joints that are known by name only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    pub joints: Vec<String>,
    /// `[frame][joint]`.
    pub clip: Clip,
}

impl Animation {
    /// The motion for the bones of `skeleton`, by name; bones without motion keep their bind pose.
    ///
    /// # Errors
    /// None of the joints is a bone.
    pub fn on(&self, skeleton: &Skeleton) -> Result<Clip, IoError> {
        let find = |bone: &Bone| self.joints.iter().position(|joint| *joint == bone.name);
        let joints: Vec<Option<usize>> = skeleton.bones.iter().map(find).collect();
        if joints.iter().all(Option::is_none) {
            let first = self.joints.first().map_or("", |name| name.as_str());
            return Err(IoError::new("animation", "joints", "and the others are no bones")
                .index(0)
                .value(format!("\"{first}\"")));
        }
        let pose = |frame: &Vec<Transform<f64>>| {
            let of = |(bone, joint): (&Bone, &Option<usize>)| joint.and_then(|j| frame.get(j)).copied().unwrap_or(bone.bind);
            skeleton.bones.iter().zip(&joints).map(of).collect()
        };
        let Clip { name, times, poses } = &self.clip;
        Ok(Clip { name: name.clone(), times: times.clone(), poses: poses.iter().map(pose).collect() })
    }
}

/// What [`read_character`] found.
#[derive(Clone, Debug, PartialEq)]
pub enum CharacterFile {
    Character(Character),
    Ragdoll(Ragdoll),
    Animation(Animation),
}

/// Reads a skeleton, an animation or a ragdoll of any format, told by its content. BVH files do not state their unit:
/// `bvh_unit` is in metres.
///
/// # Errors
/// The file cannot be opened, is of no known format, or its reader refuses it.
pub fn read_character(path: impl AsRef<Path>, bvh_unit: f64) -> Result<CharacterFile, IoError> {
    let path = path.as_ref();
    // A path without a folder is beside what is here.
    let folder = path.parent().unwrap_or(Path::new(""));
    read_any(&super::read_file(path)?, bvh_unit, Some(folder)).map_err(|error| error.file(path))
}

/// [`read_character`] for a file in memory.
///
/// # Errors
/// As [`read_character`].
pub fn read_character_bytes(data: &[u8], bvh_unit: f64) -> Result<CharacterFile, IoError> {
    read_any(data, bvh_unit, None)
}

fn read_any(data: &[u8], bvh_unit: f64, beside: Option<&Path>) -> Result<CharacterFile, IoError> {
    #[cfg(not(feature = "gltf"))]
    let _ = beside;
    let data = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
    let start = data.trim_ascii_start();
    if start.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY")) {
        return read_bvh(data, bvh_unit).map(CharacterFile::Character);
    }
    if data.starts_with(b"TOS") {
        return tof::read(data);
    }
    if data.starts_with(b"glTF") || start.starts_with(b"{") {
        #[cfg(feature = "gltf")]
        return gltf::read_gltf_beside(data, beside).map(CharacterFile::Character);
        #[cfg(not(feature = "gltf"))]
        return Err(IoError::new("character", "format", "is not read: this build is without the feature \"gltf\"").value("glTF"));
    }
    if data.starts_with(b"BOS") {
        let reason = "is not read; save it as text";
        return Err(IoError::new("character", "format", reason).value("a binary object stream"));
    }
    let start = String::from_utf8_lossy(&data[..data.len().min(12)]).escape_debug().to_string();
    let reason = "is how the file starts: neither .bvh, .tof, .glb nor .gltf";
    Err(IoError::new("character", "format", reason).value(format!("\"{start}\"")))
}

fn blend(a: &Transform<f64>, b: &Transform<f64>, part: f64) -> Transform<f64> {
    Transform { position: a.position * (1.0 - part) + b.position * part, rotation: a.rotation.nlerp(b.rotation, part) }
}

fn is_rigid(pose: &Transform<f64>) -> bool {
    pose.position.to_array().iter().all(|x| x.is_finite()) && (pose.rotation.dot(pose.rotation) - 1.0).abs() <= 1e-6
}

fn shown(pose: &Transform<f64>) -> String {
    format!("{:?} {:?}", pose.position.to_array(), pose.rotation.to_array())
}

/// A file's rotation: unit within 1 %, as decimals leave it, or nothing.
fn unit(q: [f64; 4]) -> Option<Quat<f64>> {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    // NaN fails the comparison.
    let near = (length - 1.0).abs() < 0.01;
    near.then(|| Quat { x: q[0] / length, y: q[1] / length, z: q[2] / length, w: q[3] / length })
}
