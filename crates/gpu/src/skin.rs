//! Skins on the GPU (`shaders/skin.wgsl`), from the state of the rods that they hold on to.
//!
//! What a mesh is bound with goes up once. Its vertices are in pieces: consecutive ones, as many as the adapter's buffers hold.

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::follow::{BUFFERS, Readback, Set, dispatch, fits, group, pieces, point};
use super::shaders::follow::{FIRST, FollowSettings, Hold, LAST, NO_SCALE, skin_module};
use std::ops::Range;
use withy_math::Quat;
use withy_skin::Skin;
use withy_solve::desc::error::Result;

/// Compiled at the first use, for all skins of a device.
pub struct Pipelines {
    bones: wgpu::ComputePipeline,
    deform: wgpu::ComputePipeline,
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice) -> Pipelines {
        let module = gpu.module("skin", &skin_module());
        let made = |entry| gpu.pipeline(&module, None, entry);
        let all = Pipelines { bones: made("make_bones"), deform: made("deform") };
        gpu.keep_pipelines();
        all
    }
}

/// What of a vertex is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Wants {
    Positions,
    Normals,
    Tangents,
}

/// The edges of a part of a set of rods.
struct Edges {
    list: Vec<Hold>,
    /// Of each, its first vertex among those of all strands.
    vertices: Vec<u32>,
    holds: Buffer,
    _settings: Buffer,
    group: wgpu::BindGroup,
}

struct Piece {
    vertices: Range<usize>,
    settings: Buffer,
    /// Anchors, vectors.
    bound: [Buffer; 2],
    group: wgpu::BindGroup,
}

/// A bound mesh on the GPU.
pub struct GpuSkin {
    gpu: GpuDevice,
    edges: Vec<Edges>,
    bones: Buffer,
    status: Buffer,
    pieces: Vec<Piece>,
    out: Buffer,
    /// m, one a vertex of the strands, without scale: of which radii the ratios are up.
    radii: Vec<f64>,
    readback: Readback,
}

impl core::fmt::Debug for GpuSkin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GpuSkin").field("pieces", &self.pieces.len()).finish_non_exhaustive()
    }
}

/// What a read gives of consecutive vertices.
pub struct Made<'a> {
    pub first: usize,
    /// m: what positions are relative to.
    pub origin: [f64; 3],
    /// Three f32 a vertex.
    pub vectors: &'a [u8],
}

/// Numbers of a bone, of a vertex's anchors and of its vectors.
const BONE: usize = 24;
const BOUND: usize = 6;
const VECTORS: usize = 9;

impl GpuSkin {
    /// Uploads what does not change. `sets`: the rods that `skin` is bound to, all of them. `Ok(Err(why))`: the adapter cannot take it, and the CPU goes on
    /// to make it.
    ///
    /// # Errors
    /// The GPU has not enough memory, or is lost.
    pub fn new(gpu: &GpuDevice, skin: &Skin, sets: &[Set<'_>]) -> Result<core::result::Result<GpuSkin, String>> {
        let storage = gpu.device.limits().max_storage_buffers_per_shader_stage;
        if storage < BUFFERS {
            return Ok(Err(format!("skins need {BUFFERS} storage buffers a pass, {} has {storage}", gpu.name())));
        }
        if let Err(why) = fits(gpu, "edges of a skin", (skin.edge_count() * BONE * 4) as u64) {
            return Ok(Err(why));
        }
        let size = |of: Range<usize>| (of.len() * VECTORS * 4) as u64;
        let Some(ranges) = pieces(skin.vertices(), gpu.largest_buffer(), size) else {
            return Ok(Err(format!("a vertex needs a larger buffer than {} allows", gpu.name())));
        };
        let bones = Buffer::new(gpu, "bones", skin.edge_count() * BONE);
        let status = Buffer::new(gpu, "status", 1);
        let out = Buffer::new(gpu, "skin", 3 * ranges.iter().map(Range::len).max().unwrap_or(0));
        let vectors = skin.vectors();
        let made = GpuSkin {
            edges: Self::edges(gpu, skin, sets, [&bones, &status]),
            pieces: ranges.into_iter().map(|of| Piece::new(gpu, skin, &vectors, of, [&bones, &out])).collect(),
            gpu: gpu.clone(),
            bones,
            status,
            out,
            radii: Vec::new(),
            readback: Readback::default(),
        };
        gpu.check()?;
        Ok(Ok(made))
    }

    fn edges(gpu: &GpuDevice, skin: &Skin, sets: &[Set<'_>], [bones, status]: [&Buffer; 2]) -> Vec<Edges> {
        let mut all = Vec::new();
        let mut edge = 0usize;
        for set in sets {
            let mut lists = vec![(Vec::new(), Vec::new()); set.views.len()];
            for strand in 0..set.layout.strand_count() {
                let count = set.layout.counts[strand] as usize;
                let (list, vertices) = &mut lists[set.view_of(strand)];
                for v in 0..count - 1 {
                    let (spot, rest) = (set.spot(strand, v), &skin.rest_edges()[edge]);
                    let [x, y, z, w] = rest.frame;
                    let axis = Quat { x, y, z, w }.frame()[2].to_array().map(|x| x as f32);
                    let ends = if v == 0 { FIRST } else { 0 } | if v + 2 == count { LAST } else { 0 };
                    let [x, y, z, w] = rest.frame.map(|x| x as f32);
                    let (rest_frame, length, scale_at) = ([x, y, z], rest.length as f32, spot.scale_at.unwrap_or(NO_SCALE));
                    let (at, width, to) = (spot.at, spot.width, edge as u32);
                    let ratios = Hold { ratio_a: 1.0, ratio_b: 1.0, ..Hold::default() };
                    list.push(Hold { rest: rest_frame, rest_w: w, axis, length, at, width, to, scale_at, ends, ..ratios });
                    vertices.push(rest.first);
                    edge += 1;
                }
            }
            for (view, (list, vertices)) in set.views.iter().zip(lists) {
                let settings = Buffer::uniform(gpu, "settings", FollowSettings::LEN);
                put(gpu, &settings, FollowSettings { count: list.len() as u32, ..Default::default() });
                let holds = Buffer::new(gpu, "edges of a skin", list.len() * Hold::LEN);
                let bind = [(0, &settings.inner), (1, &view.state), (2, &status.inner), (3, &holds.inner), (4, &bones.inner)];
                let group = group(gpu, &gpu.skin_pipelines().bones, &bind);
                all.push(Edges { list, vertices, holds, _settings: settings, group });
            }
        }
        all
    }

    fn upload_radii(&mut self, skin: &Skin, radii: &[f64]) {
        let rest = skin.rest_radii();
        let ratio = |v: usize| (radii[v] / rest[v]) as f32;
        let mut staged = Vec::new();
        for edges in &mut self.edges {
            staged.clear();
            for (hold, &v) in edges.list.iter_mut().zip(&edges.vertices) {
                (hold.ratio_a, hold.ratio_b) = (ratio(v as usize), ratio(v as usize + 1));
                hold.put(&mut staged);
            }
            edges.holds.upload(&self.gpu, 0, &staged);
        }
        self.radii.clear();
        self.radii.extend(radii);
    }

    /// Makes the mesh, and hands it on piece by piece. `radii`: m, one a vertex of the strands, without scale. False: the rods are not finite, too far away,
    /// or without radius; nothing is handed on then, and the CPU says what.
    ///
    /// # Errors
    /// The GPU is lost, or has not enough memory.
    pub fn read(&mut self, skin: &Skin, radii: &[f64], wants: Wants, mut give: impl FnMut(Made<'_>)) -> Result<bool> {
        self.gpu.check()?;
        if self.radii != radii {
            self.upload_radii(skin, radii);
        }
        let gpu = &self.gpu;
        let pipelines = gpu.skin_pipelines();
        for (k, piece) in self.pieces.iter().enumerate() {
            let count = piece.vertices.len();
            let vertices = count as u32;
            put(gpu, &piece.settings, FollowSettings { count: vertices, vertices, wants: wants as u32, ..Default::default() });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            if k == 0 {
                encoder.clear_buffer(&self.status.inner, 0, None);
            }
            let mut pass = encoder.begin_compute_pass(&Default::default());
            if k == 0 {
                for edges in &self.edges {
                    dispatch(gpu, &mut pass, &pipelines.bones, &edges.group, edges.list.len());
                }
            }
            dispatch(gpu, &mut pass, &pipelines.deform, &piece.group, count);
            drop(pass);
            let copies = [(&self.bones, 0..12), (&self.status, 0..4), (&self.out, 0..12 * count as u64)];
            let mut is_fair = true;
            self.readback.read(gpu, encoder, &copies, |all| {
                is_fair = all[12..16] == [0; 4];
                if is_fair {
                    give(Made { first: piece.vertices.start, origin: point(all), vectors: &all[16..16 + 12 * count] });
                }
            })?;
            if !is_fair {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// In how many pieces it is.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }
    /// Bytes on the GPU.
    pub fn memory_bytes(&self) -> u64 {
        let bytes = |b: &Buffer| 4 * b.len() as u64;
        let all = self.edges.iter().map(|e| bytes(&e.holds)).sum::<u64>()
            + self.pieces.iter().flat_map(|p| &p.bound).map(bytes).sum::<u64>();
        all + bytes(&self.bones) + bytes(&self.out) + self.readback.memory_bytes()
    }
}

fn put(gpu: &GpuDevice, buffer: &Buffer, settings: FollowSettings) {
    let mut staged = Vec::with_capacity(FollowSettings::LEN);
    settings.put(&mut staged);
    buffer.upload(gpu, 0, &staged);
}

impl Piece {
    fn new(gpu: &GpuDevice, skin: &Skin, vectors: &[withy_skin::Rows; 3], of: Range<usize>, [bones, out]: [&Buffer; 2]) -> Piece {
        let mut anchors = Vec::with_capacity(of.len() * BOUND);
        for b in &skin.bound()[of.clone()] {
            for part in [b.edge, b.t, b.weight] {
                anchors.extend(part.chunks(2).map(|two| f32::from_bits(u32::from(two[0]) | u32::from(two[1]) << 16)));
            }
        }
        let mut numbers = Vec::with_capacity(of.len() * VECTORS);
        for [x, y, z] in vectors.iter().filter(|rows| !rows[0].is_empty()) {
            for v in of.clone() {
                numbers.extend([x[v], y[v], z[v]]);
            }
        }
        let settings = Buffer::uniform(gpu, "settings", FollowSettings::LEN);
        let bound = [Buffer::with(gpu, "anchors", &anchors), Buffer::with(gpu, "vectors", &numbers)];
        let mut bind = vec![(0, &settings.inner), (4, &bones.inner), (5, &bound[0].inner)];
        bind.extend([(6, &bound[1].inner), (7, &out.inner)]);
        let group = group(gpu, &gpu.skin_pipelines().deform, &bind);
        Piece { vertices: of, settings, bound, group }
    }
}
