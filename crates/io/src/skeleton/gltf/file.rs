//! The parts of a glTF file that a skin needs, and the numbers in its buffers.

use super::super::super::bytes::Bytes;
use super::super::super::error::IoError;
use base64::Engine;
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::Cell;
use std::path::{Component, Path};

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub extensions_required: Vec<String>,
    pub nodes: Vec<Node>,
    pub skins: Vec<Skin>,
    pub meshes: Vec<Mesh>,
    pub animations: Vec<Animation>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<View>,
    pub buffers: Vec<Buffer>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Node {
    pub name: String,
    pub children: Vec<u32>,
    pub mesh: Option<u32>,
    pub skin: Option<u32>,
    pub matrix: Option<Box<[f32; 16]>>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Skin {
    pub joints: Vec<u32>,
    pub inverse_bind_matrices: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Mesh {
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<u32>,
    pub mode: Option<u32>,
    pub targets: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Attributes {
    pub position: Option<u32>,
    #[serde(rename = "JOINTS_0")]
    pub joints: Option<u32>,
    #[serde(rename = "WEIGHTS_0")]
    pub weights: Option<u32>,
    #[serde(rename = "JOINTS_1")]
    pub more_joints: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub sampler: u32,
    pub target: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub node: Option<u32>,
    pub path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub input: u32,
    pub output: u32,
    pub interpolation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<u32>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

/// Values that take the place of others.
#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: Place,
    pub values: Place,
}

/// Where numbers are.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
    /// Of indices.
    #[serde(default)]
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

pub(super) struct File<'a> {
    pub document: &'a Document,
    pub size: usize,
    pub buffers: Vec<Option<Cow<'a, [u8]>>>,
    pub parents: Vec<Option<u32>>,
    /// Numbers that may still be read: accessors can be referred to again and again.
    pub numbers: Cell<usize>,
}

impl<'a> File<'a> {
    /// `beside`: the folder in which the file's other buffers are.
    pub fn new(
        document: &'a Document,
        binary: Option<&'a [u8]>,
        size: usize,
        beside: Option<&Path>,
    ) -> Result<File<'a>, IoError> {
        let mut size = size;
        let mut buffers = Vec::with_capacity(document.buffers.len());
        let mut binary = binary;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let bytes: Option<Cow<[u8]>> = match &buffer.uri {
                None => binary.take().map(Cow::Borrowed),
                Some(uri) if uri.starts_with("data:") => Some(Cow::Owned(embedded(uri).map_err(|error| error.index(index))?)),
                Some(uri) => {
                    let bytes = other_file(uri, beside).map_err(|error| error.index(index))?;
                    size += bytes.len();
                    Some(Cow::Owned(bytes))
                }
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

    pub fn accessor(&self, index: u32, field: &str) -> Result<&'a Accessor, IoError> {
        let accessors = &self.document.accessors;
        let reason = || format!("is none of the {} accessors", accessors.len());
        accessors.get(index as usize).ok_or_else(|| error(field, reason()).value(index))
    }

    /// All numbers of an accessor of that type, row by row; integers as they are, or normalised as the accessor says.
    pub fn numbers(&self, index: u32, kind: &str, field: &str) -> Result<Vec<f64>, IoError> {
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
        let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
        let mut numbers = match accessor.buffer_view {
            Some(buffer_view) => {
                let place = Place { buffer_view, byte_offset: accessor.byte_offset, component_type: accessor.component_type };
                self.rows(place, count, width, accessor.normalized, &fail)?
            }
            // All zeros, but for what is sparse.
            None if accessor.sparse.is_some() => vec![0.0; self.spend(count, width, &fail)?],
            None => return Err(fail("has none of the buffer views".into())),
        };
        if let Some(sparse) = &accessor.sparse {
            let few = usize::try_from(sparse.count).unwrap_or(usize::MAX);
            if few > count {
                return Err(fail(format!("has more sparse values than its {count}")).value(few));
            }
            let places = self.rows(sparse.indices, few, 1, false, &fail)?;
            let values = Place { component_type: accessor.component_type, ..sparse.values };
            let values = self.rows(values, few, width, accessor.normalized, &fail)?;
            for (k, (&at, value)) in places.iter().zip(values.chunks_exact(width)).enumerate() {
                if !(0.0..count as f64).contains(&at) {
                    return Err(fail(format!("has a sparse index that is outside of its {count}, number {k}")).value(at));
                }
                numbers[at as usize * width..][..width].copy_from_slice(value);
            }
        }
        Ok(numbers)
    }

    /// So many numbers of those that may still be read.
    fn spend(&self, count: usize, width: usize, fail: &dyn Fn(String) -> IoError) -> Result<usize, IoError> {
        let all = count.saturating_mul(width);
        let left = self.numbers.get().checked_sub(all);
        let left =
            left.ok_or_else(|| fail("and others are used so often that they take far more memory than the file".into()))?;
        self.numbers.set(left);
        Ok(all)
    }

    /// Rows of numbers at a place.
    fn rows(
        &self,
        place: Place,
        count: usize,
        width: usize,
        normalized: bool,
        fail: &dyn Fn(String) -> IoError,
    ) -> Result<Vec<f64>, IoError> {
        let size: u64 = match place.component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => return Err(fail("has an unknown component type".into()).value(other)),
        };
        let Some(view) = self.document.buffer_views.get(place.buffer_view as usize) else {
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
        let needs = match count.checked_sub(1) {
            Some(steps) => steps as u128 * u128::from(stride) + u128::from(row) + u128::from(place.byte_offset),
            None => 0,
        };
        if needs > bytes.len() as u128 {
            return Err(fail(format!("needs {needs} bytes of a view that has {}", bytes.len())).value(count));
        }
        let mut numbers = Vec::with_capacity(self.spend(count, width, fail)?);
        for step in 0..count {
            let start = place.byte_offset as usize + step * stride as usize;
            for part in bytes[start..start + row as usize].chunks_exact(size as usize) {
                let number = number(part, place.component_type, normalized);
                if !number.is_finite() {
                    return Err(fail(format!("is not finite in row {step}")).value(number));
                }
                numbers.push(number);
            }
        }
        Ok(numbers)
    }
}

fn number(bytes: &[u8], component_type: u32, normalized: bool) -> f64 {
    let (value, largest) = match (component_type, bytes) {
        (5120, &[a]) => (f64::from(a as i8), 127.0),
        (5121, &[a]) => (f64::from(a), 255.0),
        (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32_767.0),
        (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65_535.0),
        (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), 1.0),
        (_, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 1.0),
        _ => (f64::NAN, 1.0),
    };
    if normalized { (value / largest).max(if largest > 1.0 { -1.0 } else { f64::NEG_INFINITY }) } else { value }
}

/// The JSON, and the binary chunk of a `.glb`.
pub(super) fn chunks(data: &[u8]) -> Result<(&[u8], Option<&[u8]>), IoError> {
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

/// The bytes of a buffer that is a file beside this one, or in a folder beside it.
fn other_file(uri: &str, beside: Option<&Path>) -> Result<Vec<u8>, IoError> {
    let fail = |reason: String| error("buffers.uri", reason).value(format!("{:?}", short(uri)));
    let Some(folder) = beside else {
        return Err(fail("is another file, and bytes alone have none beside them".into()));
    };
    let name = uri.replace("%20", " ");
    let path = Path::new(&name);
    if uri.contains(':') || !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(fail("is no file beside this one".into()));
    }
    std::fs::read(folder.join(path)).map_err(|found| fail(format!("cannot be read: {found}")))
}

/// The bytes of a `data:` URI.
fn embedded(uri: &str) -> Result<Vec<u8>, IoError> {
    let Some((kind, text)) = uri.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        return Err(error("buffers.uri", "is no data").value(format!("{:?}", short(uri))));
    };
    if !kind.ends_with(";base64") {
        return Err(error("buffers.uri", "is not base64").value(format!("{:?}", short(kind))));
    }
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(text.trim_end()).map_err(|found| error("buffers.uri", format!("is not base64: {found}")))
}

pub(super) fn error(field: &str, reason: impl Into<String>) -> IoError {
    IoError::new("gltf", field, reason)
}

pub(super) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
