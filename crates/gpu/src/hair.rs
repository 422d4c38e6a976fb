//! Render hair on the GPU (`shaders/hair.wgsl`), from the state of the rods that are its guides.
//!
//! The guides' tables and what strands are bound with go up once; a plan where it is another one, roots where the host has given others. All but the
//! guides and their samples is in pieces: consecutive strands, as many as the adapter's buffers hold.

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::follow::{BUFFERS, Readback, Set, dispatch, fits, group, pieces, point};
use super::shaders::follow::{FollowSettings, HairKept, HairRoot, HairStrand, HairTap, Spot, hair_module};
use super::shaders::records::NONE;
use std::ops::Range;
use withy_hair::layout::{EVEN, WIDTH};
use withy_hair::{Hair, Lod, Plan, Roots};
use withy_solve::desc::error::Result;

/// Compiled at the first use, for all hair of a device.
pub struct Pipelines {
    gather: wgpu::ComputePipeline,
    sample: wgpu::ComputePipeline,
    read: wgpu::ComputePipeline,
    hold: wgpu::ComputePipeline,
    tangents: wgpu::ComputePipeline,
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice) -> Pipelines {
        let module = gpu.module("hair", &hair_module());
        let made = |entry| gpu.pipeline(&module, None, entry);
        let all = Pipelines {
            gather: made("gather"),
            sample: made("sample_guides"),
            read: made("read_hair"),
            hold: made("hold_edges"),
            tangents: made("read_tangents"),
        };
        gpu.keep_pipelines();
        all
    }
}

/// Vertices of one strand that numbers of 32 bits pick from (`read_hair`).
const LONGEST: u32 = 1 << 15;

/// A dispatch that does not change, and its settings.
struct Fixed {
    group: wgpu::BindGroup,
    invocations: usize,
    buffers: Vec<Buffer>,
}

/// What is read of a piece.
#[derive(Clone, Copy, Default)]
struct Planned {
    strands: usize,
    /// Groups of eight vertices.
    groups: usize,
    vertices: usize,
    /// The first vertex, of all that is read.
    first: usize,
}

struct Piece {
    strands: Range<usize>,
    settings: Buffer,
    /// Strands, offsets, uneven.
    bound: [Buffer; 3],
    roots: Buffer,
    kept: Buffer,
    groups: Buffer,
    planned: Planned,
    /// Of positions, of edges that are too long and of tangents; made anew where a buffer is another one.
    bind: Option<[wgpu::BindGroup; 3]>,
}

/// What a read gives of consecutive vertices.
pub struct Made<'a> {
    /// The first one, among those that are read.
    pub first: usize,
    /// m: what positions are relative to.
    pub origin: [f64; 3],
    /// Three f32 a vertex.
    pub positions: &'a [u8],
    /// Empty: not wanted.
    pub tangents: &'a [u8],
}

/// Bound hair on the GPU.
pub struct GpuHair {
    gpu: GpuDevice,
    guides: Buffer,
    samples: Buffer,
    status: Buffer,
    gather: Vec<Fixed>,
    sample: Fixed,
    pieces: Vec<Piece>,
    out: Buffer,
    /// What is up.
    lod: Option<Lod>,
    roots: u64,
    readback: Readback,
    staged: Vec<f32>,
}

impl core::fmt::Debug for GpuHair {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GpuHair").field("pieces", &self.pieces.len()).finish_non_exhaustive()
    }
}

fn settings(gpu: &GpuDevice, to: &FollowSettings) -> Buffer {
    let buffer = Buffer::uniform(gpu, "settings", FollowSettings::LEN);
    write_settings(gpu, &buffer, to);
    buffer
}
fn write_settings(gpu: &GpuDevice, buffer: &Buffer, to: &FollowSettings) {
    let mut staged = Vec::with_capacity(FollowSettings::LEN);
    to.put(&mut staged);
    buffer.upload(gpu, 0, &staged);
}

impl GpuHair {
    /// Uploads what does not change. `sets`: the rods that `hair` is bound to, all of them. `Ok(Err(why))`: the adapter cannot take it, and the CPU goes on
    /// to make it.
    ///
    /// # Errors
    /// The GPU has not enough memory, or is lost.
    pub fn new(gpu: &GpuDevice, hair: &Hair, sets: &[Set<'_>]) -> Result<core::result::Result<GpuHair, String>> {
        let storage = gpu.device.limits().max_storage_buffers_per_shader_stage;
        if storage < BUFFERS {
            return Ok(Err(format!("render hair needs {BUFFERS} storage buffers a pass, {} has {storage}", gpu.name())));
        }
        if let Some(s) = hair.laid_out().iter().find(|s| s.vertices > LONGEST) {
            return Ok(Err(format!("a strand has {} vertices, and at most {LONGEST} on the gpu", s.vertices)));
        }
        let (vertices, guides) = (hair.counts().iter().map(|n| *n as usize).sum::<usize>(), hair.counts().len());
        let samples: usize = hair.tables().iter().map(|t| t.shares * guides).sum();
        let shared = [("guides", vertices * 32), ("samples of guides", (samples + 1) * 32)];
        if let Some(Err(why)) = shared.into_iter().map(|(what, n)| fits(gpu, what, n as u64)).find(core::result::Result::is_err) {
            return Ok(Err(why));
        }
        let Some(ranges) = pieces(hair.strands(), gpu.largest_buffer(), |of| largest(hair, of)) else {
            return Ok(Err(format!("a strand needs a larger buffer than {} allows", gpu.name())));
        };

        let pipelines = gpu.hair_pipelines();
        let guides = Buffer::new(gpu, "guides", vertices * 8);
        let status = Buffer::new(gpu, "status", 1);
        let gather = Self::gather(gpu, hair, sets, [&guides, &status]);
        let to = FollowSettings { count: samples as u32, last: vertices as u32 - 1, ..Default::default() };
        // The origin after them.
        let (samples, taps) = (Buffer::new(gpu, "samples", (samples + 1) * 8), Buffer::with(gpu, "taps", &taps(hair)));
        let uniform = settings(gpu, &to);
        let bind = [(0, &uniform.inner), (4, &guides.inner), (5, &taps.inner), (6, &samples.inner)];
        let sample =
            Fixed { group: group(gpu, &pipelines.sample, &bind), invocations: to.count as usize, buffers: vec![uniform, taps] };
        let mut made = GpuHair {
            gpu: gpu.clone(),
            guides,
            samples,
            status,
            gather,
            sample,
            pieces: Vec::with_capacity(ranges.len()),
            out: Buffer::new(gpu, "render hair", 1),
            lod: None,
            roots: 0,
            readback: Readback::default(),
            staged: Vec::new(),
        };
        ranges.into_iter().for_each(|of| made.pieces.push(Piece::new(gpu, hair, of)));
        gpu.check()?;
        Ok(Ok(made))
    }

    fn gather(gpu: &GpuDevice, hair: &Hair, sets: &[Set<'_>], [guides, status]: [&Buffer; 2]) -> Vec<Fixed> {
        let mut all = Vec::new();
        let (mut vertex, mut edge) = (0usize, 0usize);
        for set in sets {
            let mut spots = vec![Vec::new(); set.views.len()];
            for strand in 0..set.layout.strand_count() {
                let count = set.layout.counts[strand] as usize;
                let staged = &mut spots[set.view_of(strand)];
                for v in 0..count {
                    let (spot, own) = (set.spot(strand, v), v.min(count - 2));
                    let [x, y, z, w] = hair.rest_frames()[edge + own];
                    let to = (vertex + v) as u32;
                    Spot { rest: [x, y, z], rest_w: w, at: spot.at, width: spot.width, to, back: (v - own) as u32 }.put(staged);
                }
                (vertex, edge) = (vertex + count, edge + count - 1);
            }
            for (view, staged) in set.views.iter().zip(&spots) {
                let count = staged.len() / Spot::LEN;
                let uniform = settings(gpu, &FollowSettings { count: count as u32, ..Default::default() });
                let spots = Buffer::with(gpu, "guides' vertices", staged);
                let bind = [(0, &uniform.inner), (1, &view.state), (2, &status.inner), (3, &spots.inner), (4, &guides.inner)];
                let group = group(gpu, &gpu.hair_pipelines().gather, &bind);
                all.push(Fixed { group, invocations: count, buffers: vec![uniform, spots] });
            }
        }
        all
    }

    fn upload_plan(&mut self, hair: &Hair, plan: &Plan) {
        let (gpu, kept) = (&self.gpu, plan.kept());
        let mut most = 0;
        for piece in &mut self.pieces {
            let begin = kept.partition_point(|k| (k.strand as usize) < piece.strands.start);
            let end = kept.partition_point(|k| (k.strand as usize) < piece.strands.end);
            let (mut records, mut numbers) = (Vec::new(), Vec::new());
            let first = kept.get(begin).map_or(plan.vertices(), |k| k.first as usize);
            let mut vertices = 0;
            for (i, k) in kept[begin..end].iter().enumerate() {
                let strand = k.strand - piece.strands.start as u32;
                let group = numbers.len() as u32;
                HairKept { strand, vertices: k.vertices, first: vertices as u32, group }.put(&mut records);
                numbers.resize(numbers.len() + (k.vertices as usize).div_ceil(WIDTH), f32::from_bits(i as u32));
                vertices += k.vertices as usize;
            }
            piece.planned = Planned { strands: end - begin, groups: numbers.len(), vertices, first };
            piece.kept.fit(gpu, "kept", records.len(), &mut piece.bind);
            piece.kept.upload(gpu, 0, &records);
            piece.groups.fit(gpu, "groups", numbers.len(), &mut piece.bind);
            piece.groups.upload(gpu, 0, &numbers);
            most = most.max(vertices);
        }
        if self.out.len() < 6 * most {
            self.out = Buffer::new(gpu, "render hair", 6 * most);
            self.pieces.iter_mut().for_each(|p| p.bind = None);
        }
        self.lod = Some(plan.lod());
        debug_assert!(self.pieces.iter().map(|p| p.planned.vertices).sum::<usize>() == plan.vertices(), "{}", hair.strands());
    }

    fn upload_roots(&mut self, roots: &Roots<'_>) {
        for piece in &mut self.pieces {
            self.staged.clear();
            for s in piece.strands.clone() {
                let (p, q) = (roots.positions[s], roots.rotations[s]);
                let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                let [x, y, z, w] = q.map(|x| (x / n) as f32);
                let high = p.map(|x| x as f32);
                let low = [0, 1, 2].map(|k| (p[k] - f64::from(high[k])) as f32);
                HairRoot { high, x, low, y, z, w }.put(&mut self.staged);
            }
            piece.roots.fit(&self.gpu, "roots", self.staged.len(), &mut piece.bind);
            piece.roots.upload(&self.gpu, 0, &self.staged);
        }
    }

    /// Makes what `plan` reads, and hands it on piece by piece. `roots`: where the host has put them, with a number that is another one, not 0, when they are
    /// others. `wants`: positions, tangents. False: a guide is not finite or too far away; nothing is handed on then, and the CPU says what.
    ///
    /// # Errors
    /// The GPU is lost, or has not enough memory.
    pub fn read(
        &mut self,
        hair: &Hair,
        plan: &Plan,
        roots: Option<(&Roots<'_>, u64)>,
        wants: [bool; 2],
        mut put: impl FnMut(Made<'_>),
    ) -> Result<bool> {
        self.gpu.check()?;
        if self.lod != Some(plan.lod()) {
            self.upload_plan(hair, plan);
        }
        if let Some((roots, number)) = roots.filter(|r| r.1 != self.roots) {
            self.upload_roots(roots);
            self.roots = number;
        }
        let gpu = &self.gpu;
        let pipelines = gpu.hair_pipelines();
        let mut begun = false;
        for piece in self.pieces.iter_mut().filter(|p| p.planned.vertices > 0) {
            let Planned { strands, groups, vertices, first } = piece.planned;
            let tangents_at = 3 * vertices as u32;
            let rooted = u32::from(roots.is_some());
            let origin_at = self.sample.invocations as u32;
            let (count, kept) = (groups as u32, strands as u32);
            let to = FollowSettings { count, rooted, tangents_at, origin_at, strands: kept, ..Default::default() };
            write_settings(gpu, &piece.settings, &to);
            let [positions, edges, tangents] = piece.bind(gpu, &self.samples, &self.out);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            if !begun {
                encoder.clear_buffer(&self.status.inner, 0, None);
            }
            let mut pass = encoder.begin_compute_pass(&Default::default());
            if !begun {
                for part in &self.gather {
                    dispatch(gpu, &mut pass, &pipelines.gather, &part.group, part.invocations);
                }
                dispatch(gpu, &mut pass, &pipelines.sample, &self.sample.group, self.sample.invocations);
                begun = true;
            }
            dispatch(gpu, &mut pass, &pipelines.read, &positions, groups * WIDTH);
            dispatch(gpu, &mut pass, &pipelines.hold, &edges, strands);
            if wants[1] {
                dispatch(gpu, &mut pass, &pipelines.tangents, &tangents, groups * WIDTH);
            }
            drop(pass);
            let bytes = 12 * vertices as u64;
            let wanted = [if wants[0] { bytes } else { 0 }, if wants[1] { bytes } else { 0 }];
            let copies =
                [(&self.guides, 0..12), (&self.status, 0..4), (&self.out, 0..wanted[0]), (&self.out, bytes..bytes + wanted[1])];
            let mut is_fair = true;
            self.readback.read(gpu, encoder, &copies, |all| {
                is_fair = all[12..16] == [0; 4];
                if is_fair {
                    let (positions, tangents) = all[16..].split_at(wanted[0] as usize);
                    put(Made { first, origin: point(all), positions, tangents: &tangents[..wanted[1] as usize] });
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
        let fixed = self.gather.iter().chain([&self.sample]).flat_map(|f| &f.buffers).map(bytes).sum::<u64>();
        let pieces =
            self.pieces.iter().flat_map(|p| p.bound.iter().chain([&p.roots, &p.kept, &p.groups])).map(bytes).sum::<u64>();
        let shared = [&self.guides, &self.samples, &self.out].map(bytes).iter().sum::<u64>();
        fixed + pieces + shared + self.readback.memory_bytes()
    }
}

/// Bytes of the largest buffer that these strands need.
fn largest(hair: &Hair, of: Range<usize>) -> u64 {
    let all = hair.laid_out();
    let (Some(first), Some(last)) = (all.get(of.start), all.get(of.end.wrapping_sub(1))) else { return 0 };
    let vertices = (last.first + last.vertices - first.first) as u64;
    let groups = u64::from(last.group + last.vertices.div_ceil(WIDTH as u32) - first.group);
    let strand = HairStrand::LEN.max(HairRoot::LEN) as u64 * 4;
    (24 * vertices).max(groups * 16 * WIDTH as u64).max(of.len() as u64 * strand)
}

/// Samples of all tables, and of each all shares of a guide, then of the next.
fn taps(hair: &Hair) -> Vec<f32> {
    let mut staged = Vec::new();
    for table in hair.tables() {
        let padded = table.groups() * WIDTH;
        for taps in table.taps.chunks_exact(padded) {
            for (i, tap) in taps[..table.shares].iter().enumerate() {
                let ([a, b, c, d], fade) = (tap.weights, table.fade[i / WIDTH][i % WIDTH]);
                HairTap { first: tap.first, edge: tap.edge, share: tap.share, fade, a, b, c, d }.put(&mut staged);
            }
        }
    }
    staged
}

impl Piece {
    fn new(gpu: &GpuDevice, hair: &Hair, of: Range<usize>) -> Piece {
        let (all, tables, offsets) = (&hair.laid_out()[of.clone()], hair.tables(), hair.offsets());
        let guides = hair.counts().len();
        let mut begins = Vec::with_capacity(tables.len());
        let mut begin = 0;
        for table in tables {
            begins.push(begin);
            begin += table.shares * guides;
        }
        let groups = all[0].group..all.last().map_or(0, |s| s.group + s.vertices.div_ceil(WIDTH as u32));
        // Uneven strands have their lists one after the other.
        let listed = || all.iter().filter(|s| s.samples != EVEN);
        let first_sample = listed().map(|s| s.samples).min().unwrap_or(0);
        let end_sample = listed().map(|s| s.samples + s.vertices).max().unwrap_or(0);
        let mut staged = Vec::with_capacity(all.len() * HairStrand::LEN);
        for s in all {
            let table = s.table as usize;
            let [a, b, c] = s.guides.map(|g| (begins[table] + g as usize * tables[table].shares) as u32);
            let [weight_a, weight_b, weight_c] = s.weights;
            let samples = if s.samples == EVEN { NONE } else { s.samples - first_sample };
            let (vertices, group) = (s.vertices, s.group - groups.start);
            HairStrand { a, b, c, vertices, weight_a, weight_b, weight_c, group, samples }.put(&mut staged);
        }
        let uneven: Vec<f32> = offsets.samples[first_sample as usize..end_sample as usize]
            .chunks(2)
            .map(|two| f32::from_bits(u32::from(two[0]) | u32::from(two.get(1).copied().unwrap_or(0)) << 16))
            .collect();
        let offsets = offsets.groups[groups.start as usize..groups.end as usize].as_flattened().as_flattened();
        let bound = [("strands", &staged[..]), ("offsets", offsets), ("uneven", &uneven)].map(|(l, d)| Buffer::with(gpu, l, d));
        Piece {
            strands: of,
            settings: Buffer::uniform(gpu, "settings", FollowSettings::LEN),
            bound,
            roots: Buffer::new(gpu, "roots", HairRoot::LEN),
            kept: Buffer::new(gpu, "kept", HairKept::LEN),
            groups: Buffer::new(gpu, "groups", 1),
            planned: Planned::default(),
            bind: None,
        }
    }

    fn bind(&mut self, gpu: &GpuDevice, samples: &Buffer, out: &Buffer) -> [wgpu::BindGroup; 3] {
        let make = || {
            let pipelines = gpu.hair_pipelines();
            let [strands, offsets, uneven] = &self.bound;
            let plan = [(0, &self.settings.inner), (11, &self.kept.inner), (12, &self.groups.inner), (13, &out.inner)];
            let mut all = vec![(6, &samples.inner), (7, &strands.inner), (8, &offsets.inner)];
            all.extend([(9, &uneven.inner), (10, &self.roots.inner)]);
            all.extend(plan);
            let edges =
                [(0, &self.settings.inner), (7, &strands.inner), (8, &offsets.inner), (11, &self.kept.inner), (13, &out.inner)];
            let edges = group(gpu, &pipelines.hold, &edges);
            [group(gpu, &pipelines.read, &all), edges, group(gpu, &pipelines.tangents, &plan)]
        };
        let both = self.bind.take().unwrap_or_else(make);
        self.bind = Some(both.clone());
        both
    }
}
