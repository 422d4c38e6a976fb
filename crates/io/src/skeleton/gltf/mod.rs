//! glTF 2.0 skins and their animations, `.glb` and `.gltf` with buffers in the file or beside it.
//!
//! Source: "glTF 2.0 Specification", Khronos, 2021 (ISO/IEC 12113:2022). The fields below are the ones that a skin needs; accessors
//! are read by the accessor's own words (any component type, normalised or not, interleaved).
//!
//! Bones are the skin's joints. What stands above or between them is folded into their poses, with uniform scale. The bind pose is
//! that of the inverse bind matrices, placed so that the first bone is where its node is; the mesh is in that pose, its weights sum
//! up to 1. Keys of
//! different times come to common frames; a step ends in a frame just before the next key, a cubic segment becomes eight frames.

mod file;
mod joints;
mod mesh;
mod motion;

use super::super::error::IoError;
use super::{Bone, Character, Skeleton};
use file::{Document, File, chunks, error, short};
use joints::{Bind, local};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads the first skin that a mesh wears (else the first one), that mesh, and all animations of the skin's joints.
///
/// # Errors
/// The file is malformed or lacks a skin, refers to other files, requires an extension that is not read; an index names nothing, an
/// accessor leaves its buffer, a value is out of range; nodes are sheared, mirrored or scaled unevenly.
pub fn read_gltf(data: &[u8]) -> Result<Character, IoError> {
    read_gltf_beside(data, None)
}

/// The same of a file in this folder, whose buffers may be files there.
pub(super) fn read_gltf_beside(data: &[u8], beside: Option<&Path>) -> Result<Character, IoError> {
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
    let file = File::new(&document, binary, data.len(), beside)?;
    file.character()
}

/// Extensions that leave skins, meshes and motion as they are.
fn harmless(extension: &str) -> bool {
    let looks = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"];
    extension == "KHR_mesh_quantization" || looks.iter().any(|start| extension.starts_with(start))
}

impl File<'_> {
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
        let Bind { bones: bind, place, inverse } = self.bind(skin, &joints, &rest)?;
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
        let mesh = match wearer.and_then(|node| nodes[node].mesh) {
            Some(mesh) => Some(self.mesh(mesh, &joints, &place, inverse, &mut dropped)?),
            None => None,
        };
        let clips = self.clips(&joints, &mut dropped)?;
        Ok(Character { skeleton, clips, mesh, dropped })
    }
}
