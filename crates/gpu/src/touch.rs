//! Strands that touch strands, of one set of rods or of several: buffers and dispatches of what comes after a solve (`shaders/touch.wgsl`;
//! docs/internals/gpu.md, Strand against strand).
//!
//! All sets of a world that touch rods share one pool: their vertices have numbers one after the other, and a contact does not know whose they are. Only what
//! reads a set's own buffers, or writes to them, is a dispatch for each set.

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::passes::{GpuRods, NEWTON_BUFFERS};
use super::shaders::{
    self,
    records::{self, LONGER, PER_EDGE, Place},
};
use withy_solve::desc::error::{Error, Result};
use withy_solve::layout::{Layout, NO_STRAND, param};
use withy_solve::rods::material::COVERED;

/// Numbers of 4 bytes of a point and of a row in the shader.
const POINT: usize = 24;
const ROW: usize = 12;
/// Rounds after a solve: where it is the last of its substep, and where others follow.
const ROUNDS: [u32; 2] = [16, 4];
const WORKGROUP: u32 = 64;
/// Of a dispatch, on every adapter.
const MOST_WORKGROUPS: u32 = 65_535;

/// Two edges that overlap at rest, by the numbers of their first vertices in the host's order, and by how much, m.
pub type Allowance = ([u32; 2], f64);

#[derive(Clone, Copy)]
#[repr(usize)]
enum Pass {
    Gather,
    Load,
    Scatter,
    Count,
    Clear,
    Insert,
    Find,
    Agree,
    Weigh,
    Look,
    Push,
    Apply,
    StopOnce,
    HoldOnce,
    StopAgain,
    HoldAgain,
    Sum,
}
/// The first ones are a dispatch for each set.
const PASSES: [&str; 17] = [
    "gather",
    "load",
    "scatter",
    "count",
    "clear",
    "insert",
    "find",
    "agree",
    "weigh",
    "look",
    "push",
    "apply",
    "stop_once",
    "hold_once",
    "stop_again",
    "hold_again",
    "sum",
];
const OF_A_SET: usize = 4;

/// Compiled at the first use, for all rods of a device.
pub struct Pipelines {
    /// What the pool has; of one set; of all sets.
    groups: [wgpu::BindGroupLayout; 3],
    passes: [wgpu::ComputePipeline; PASSES.len()],
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice) -> Pipelines {
        use wgpu::BufferBindingType::{Storage, Uniform};
        let (read, write) = (Storage { read_only: true }, Storage { read_only: false });
        let group = |label: &str, first: u32, types: &[wgpu::BufferBindingType]| {
            let entry = |(i, &ty): (usize, &wgpu::BufferBindingType)| wgpu::BindGroupLayoutEntry {
                binding: first + i as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            };
            let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        // touching, places, buckets, points, rows
        let pool = group("touch", 0, &[Uniform, read, write, write, write]);
        // settings, own, strands, state, params, report, scratch
        let one = group("touch, one set", OWN_BINDINGS, &[Uniform, Uniform, read, write, read, write, write]);
        let all = group("touch, all sets", 0, &[read]);
        let module = gpu.module("touch", &shaders::touch_module());
        let layouts = [&one, &all].map(|second| {
            gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("touch"),
                bind_group_layouts: &[Some(&pool), Some(second)],
                immediate_size: 0,
            })
        });
        let mut number = 0;
        let passes = PASSES.map(|entry| {
            number += 1;
            gpu.pipeline(&module, Some(&layouts[usize::from(number > OF_A_SET)]), entry)
        });
        gpu.keep_pipelines();
        Pipelines { groups: [pool, one, all], passes }
    }
}
/// The first binding of a set's own buffers.
const OWN_BINDINGS: u32 = 1;

fn group(gpu: &GpuDevice, layout: &wgpu::BindGroupLayout, first: u32, buffers: &[&Buffer]) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers.iter().enumerate().map(|(i, b)| b.entry(first + i as u32)).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("touch"), layout, entries: &entries })
}

/// Whom a set meets: another one where the mask of each has the category of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    pub category: u32,
    pub mask: u32,
}

/// Rods that touch others, and whom they meet.
pub type TouchingRods<'a> = (Layers, &'a GpuRods);

/// A set of rods as it comes into a pool.
pub struct Joins<'a> {
    pub layout: &'a Layout,
    pub params: &'a [f32],
    /// What overlaps at rest.
    pub allowed: &'a [Allowance],
}

/// A set of rods in a pool.
struct Member {
    layout: Layout,
    first_cell: usize,
    first_strand: u32,
    /// Of the host's allowances, by the edges' numbers in the pool: both ways.
    allowed: Vec<(u32, u32, f32)>,
    /// Where they begin in `places`.
    allowed_at: usize,
    longest: f32,
    layers: Option<Layers>,
    own: Buffer,
    group: Option<wgpu::BindGroup>,
}

/// The pool of all sets of rods that touch rods.
pub struct Touch {
    gpu: GpuDevice,
    members: Vec<Member>,
    cells: usize,
    strands: u32,
    mask: u32,
    touching: Buffer,
    sets: Buffer,
    places: Buffer,
    buckets: Buffer,
    points: Buffer,
    rows: Buffer,
    /// Of the pool; of all sets.
    groups: [wgpu::BindGroup; 2],
}

/// The strands of a layout: block, lane, number in the host's order; as `part.rs` numbers them.
fn strands_of(layout: &Layout) -> impl Iterator<Item = (usize, usize, usize)> {
    layout.blocks.iter().enumerate().flat_map(|(b, block)| {
        let lanes = block.strands[..block.width].iter().enumerate();
        lanes.filter(|(_, s)| **s != NO_STRAND).map(move |(lane, &s)| (b, lane, s as usize))
    })
}

impl Member {
    fn new(gpu: &GpuDevice, set: &Joins<'_>, first_cell: usize, first_strand: u32, allowed_at: usize) -> Member {
        let layout = set.layout;
        let mut numbers = vec![0; layout.counts.iter().sum::<u32>() as usize];
        let mut strands = 0;
        for (b, lane, strand) in strands_of(layout) {
            let block = &layout.blocks[b];
            for v in 0..layout.counts[strand] as usize {
                let c = first_cell + block.offset + v * block.width + lane;
                numbers[layout.starts[strand] as usize + v] = c as u32;
            }
            strands += 1;
        }
        let both = |&([a, b], by): &Allowance| {
            let (a, b) = (numbers[a as usize], numbers[b as usize]);
            [(a, b, by as f32), (b, a, by as f32)]
        };
        let mut allowed: Vec<_> = set.allowed.iter().flat_map(both).collect();
        allowed.sort_unstable_by_key(|a| (a.0, a.1));
        let own = Buffer::uniform(gpu, "own", records::Own::LEN);
        let mut staged = Vec::new();
        records::Own { first_cell: first_cell as u32, cells: layout.cells as u32, first_strand, strands }.put(&mut staged);
        own.upload(gpu, 0, &staged);
        let layout = layout.clone();
        Member { layout, first_cell, first_strand, allowed, allowed_at, longest: 0.0, layers: None, own, group: None }
    }

    /// Where its vertices are along their strands.
    fn places(&mut self, set: u32, params: &[f32]) -> Vec<f32> {
        let layout = &self.layout;
        let none = Place { strand: records::NONE, next: records::NONE, before: records::NONE, ..Place::default() };
        let mut places = vec![none; layout.cells];
        self.longest = 0.0;
        for (number, (b, lane, strand)) in strands_of(layout).enumerate() {
            let block = &layout.blocks[b];
            let (count, mut arc) = (layout.counts[strand] as usize, 0.0);
            for v in 0..count {
                let row = block.offset + v * block.width;
                let c = self.first_cell + row + lane;
                let allowed = [0, 1].map(|k| self.allowed_at + self.allowed.partition_point(|a| (a.0 as usize) < c + k));
                places[row + lane] = Place {
                    strand: self.first_strand + number as u32,
                    next: if v + 1 < count { (c + block.width) as u32 } else { records::NONE },
                    before: if v > 0 { (c - block.width) as u32 } else { records::NONE },
                    owner: set,
                    arc,
                    first_allowed: allowed[0] as u32,
                    end_allowed: allowed[1] as u32,
                };
                let length = params[row * param::ROWS + param::LENGTH * block.width + lane];
                if v + 1 < count {
                    (arc, self.longest) = (arc + length, self.longest.max(length));
                }
            }
        }
        let mut staged = Vec::new();
        places.iter().for_each(|p| p.put(&mut staged));
        staged
    }
}

impl Touch {
    /// Whether so many vertices with their padding, of all sets together, can touch each other.
    ///
    /// # Errors
    /// A buffer would be larger than the adapter's, or a dispatch than there can be; a pass cannot bind enough buffers.
    pub fn check(gpu: &GpuDevice, cells: usize) -> Result<()> {
        let refused = |why: String| Err(Error::unsupported(format!("self_contact (WITHY_RODS_SELF_CONTACT): {why}")));
        let (needed, most) = ((cells * PER_EDGE * ROW) as u64 * 4, gpu.largest_buffer());
        if needed > most {
            return refused(format!(
                "contacts of {cells} vertices, of all sets that touch rods, need a GPU buffer of {needed} bytes, {} allows {most}",
                gpu.name()
            ));
        }
        let most = (MOST_WORKGROUPS * WORKGROUP) as usize;
        if cells > most {
            return refused(format!("{cells} vertices in all sets that touch rods, and at most {most} touch on the gpu backend"));
        }
        let storage = gpu.device.limits().max_storage_buffers_per_shader_stage;
        if storage < NEWTON_BUFFERS {
            return refused(format!("it needs {NEWTON_BUFFERS} storage buffers a pass, {} has {storage}", gpu.name()));
        }
        Ok(())
    }

    /// A pool of these sets, without contact forces of before.
    ///
    /// # Errors
    /// As [`Touch::check`], or the GPU has not enough memory.
    pub fn new(gpu: &GpuDevice, sets: &[Joins<'_>]) -> Result<Touch> {
        let cells = sets.iter().map(|s| s.layout.cells).sum();
        Self::check(gpu, cells)?;
        let (mut members, mut first_cell, mut strands, mut allowed_at) = (Vec::with_capacity(sets.len()), 0, 0, cells);
        for set in sets {
            let member = Member::new(gpu, set, first_cell, strands, allowed_at);
            (first_cell, strands) = (first_cell + set.layout.cells, strands + set.layout.counts.len() as u32);
            allowed_at += member.allowed.len();
            members.push(member);
        }
        let mask = (2 * cells.max(32)).next_power_of_two() as u32 - 1;
        let buffer = |label: &str, len: usize| Buffer::new(gpu, label, len);
        let touching = Buffer::uniform(gpu, "touching", records::Touching::LEN);
        let all = buffer("sets", sets.len() * records::TouchedSet::LEN);
        let places = buffer("places", allowed_at * Place::LEN);
        let buckets = buffer("buckets", mask as usize + 3 + cells + 2 * strands as usize);
        let (points, rows) = (buffer("points", cells * POINT), buffer("rows", cells * PER_EDGE * ROW));
        let pipelines = gpu.touch_pipelines();
        let groups = [
            group(gpu, &pipelines.groups[0], 0, &[&touching, &places, &buckets, &points, &rows]),
            group(gpu, &pipelines.groups[2], 0, &[&all]),
        ];
        let gpu = gpu.clone();
        let mut touch = Touch { gpu, members, cells, strands, mask, touching, sets: all, places, buckets, points, rows, groups };
        let mut staged = Vec::new();
        for &(_, other, by) in touch.members.iter().flat_map(|m| &m.allowed) {
            Place { strand: other, arc: by, ..Place::default() }.put(&mut staged);
        }
        touch.places.upload(&touch.gpu, cells * Place::LEN, &staged);
        sets.iter().enumerate().for_each(|(k, set)| touch.upload_params(k, set.params));
        touch.gpu.wait()?;
        Ok(touch)
    }

    /// Rest lengths of a set have changed.
    pub fn upload_params(&mut self, set: usize, params: &[f32]) {
        let member = &mut self.members[set];
        let staged = member.places(set as u32, params);
        self.places.upload(&self.gpu, member.first_cell * Place::LEN, &staged);
    }

    /// Forgets the forces of before: the state of a set is another.
    pub fn forget(&self) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.rows.inner, 0, None);
        encoder.clear_buffer(&self.points.inner, 0, None);
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn upload_settings(&mut self, sets: &[TouchingRods<'_>]) {
        let (mut longest, mut max_radius, mut changed, mut staged) = (0.0_f32, 0.0_f32, false, Vec::new());
        for (member, (layers, rods)) in self.members.iter_mut().zip(sets) {
            let [friction, radius] = rods.touching();
            (longest, max_radius) = (longest.max(member.longest), max_radius.max(radius));
            changed |= member.layers.replace(*layers).is_some_and(|before| before != *layers);
            let (category, mask) = (layers.category, layers.mask);
            records::TouchedSet { category, mask, friction, direct: u32::from(rods.part().rows.newton) }.put(&mut staged);
        }
        self.sets.upload(&self.gpu, 0, &staged);
        staged.clear();
        records::Touching {
            cells: self.cells as u32,
            mask: self.mask,
            size: longest * LONGER + 4.0 * max_radius,
            covered: COVERED as f32,
            strands: self.strands,
        }
        .put(&mut staged);
        self.touching.upload(&self.gpu, 0, &staged);
        if changed {
            self.forget();
        }
    }

    /// Before a step of the sets in the pool, in the order in which they came into it; each is prepared ([`GpuRods::prepare`]).
    pub(super) fn begin(&mut self, sets: &[TouchingRods<'_>]) {
        debug_assert_eq!(sets.len(), self.members.len());
        self.upload_settings(sets);
    }
    /// What pushed a set in the substep before, as loads of its Newton step.
    pub(super) fn load(&mut self, sets: &[TouchingRods<'_>], set: usize) -> wgpu::SubmissionIndex {
        self.run(sets, |run| run.set(Pass::Load, set))
    }
    /// After a solve: `first` of the substep; `last`: no other follows.
    pub(super) fn touch(&mut self, sets: &[TouchingRods<'_>], first: bool, last: bool) -> wgpu::SubmissionIndex {
        self.run(sets, |run| run.touch(first, last))
    }

    /// One submission.
    fn run(&mut self, sets: &[TouchingRods<'_>], passes: impl FnOnce(&mut Run<'_, '_>)) -> wgpu::SubmissionIndex {
        let gpu = self.gpu.clone();
        let pipelines = gpu.touch_pipelines();
        for (member, (_, rods)) in self.members.iter_mut().zip(sets) {
            member.group.get_or_insert_with(|| {
                let [settings, strands, state, params, report, scratch] = rods.part().touched();
                let all = [settings, &member.own, strands, state, params, report, scratch];
                group(&gpu, &pipelines.groups[1], OWN_BINDINGS, &all)
            });
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_bind_group(0, &self.groups[0], &[]);
        passes(&mut Run { touch: self, sets, pass: &mut pass, pipelines });
        drop(pass);
        gpu.queue.submit([encoder.finish()])
    }

    /// Contacts for which an edge had no room, in the last substep; the farthest were left out.
    pub fn dropped(&self) -> Result<u32> {
        let mut all = vec![0.0; self.buckets.len()];
        self.buckets.read(&self.gpu, &mut [&mut all])?;
        Ok(all.get(self.mask as usize + 1 + self.cells).map_or(0, |d| d.to_bits()))
    }

    pub fn memory_bytes(&self) -> u64 {
        let all = [&self.touching, &self.sets, &self.places, &self.buckets, &self.points, &self.rows];
        all.into_iter().chain(self.members.iter().map(|m| &m.own)).map(|b| b.len() as u64 * 4).sum()
    }
}

/// Dispatches of one submission.
struct Run<'a, 'p> {
    touch: &'a Touch,
    sets: &'a [(Layers, &'a GpuRods)],
    pass: &'a mut wgpu::ComputePass<'p>,
    pipelines: &'a Pipelines,
}

impl Run<'_, '_> {
    fn dispatch(&mut self, which: Pass, group: Option<&wgpu::BindGroup>, count: u32) {
        self.pass.set_pipeline(&self.pipelines.passes[which as usize]);
        self.pass.set_bind_group(1, group, &[]);
        self.pass.dispatch_workgroups(count.div_ceil(WORKGROUP).min(MOST_WORKGROUPS), 1, 1);
    }
    fn set(&mut self, which: Pass, set: usize) {
        let member = &self.touch.members[set];
        let count = match which {
            Pass::Gather => member.layout.cells as u32,
            _ => self.sets[set].1.part().strand_count(),
        };
        self.dispatch(which, member.group.as_ref(), count);
    }
    fn each_set(&mut self, which: Pass) {
        (0..self.touch.members.len()).for_each(|set| self.set(which, set));
    }
    fn all(&mut self, passes: &[Pass]) {
        for &which in passes {
            let count = match which {
                Pass::Clear => self.touch.mask + 1,
                _ => self.touch.cells as u32,
            };
            self.dispatch(which, Some(&self.touch.groups[1]), count);
        }
    }

    /// After a solve: `first` of the substep; `last`: no other follows.
    fn touch(&mut self, first: bool, last: bool) {
        self.each_set(Pass::Gather);
        if first {
            self.all(&[Pass::Clear, Pass::Insert, Pass::Find, Pass::Agree, Pass::Weigh]);
        }
        let rounds = ROUNDS[usize::from(!last)];
        for round in 0..rounds {
            if 2 * round == rounds {
                self.all(&[Pass::Look, Pass::Weigh]);
            }
            self.all(&[Pass::Push, Pass::Apply]);
        }
        if last {
            self.all(&[Pass::StopOnce, Pass::HoldOnce, Pass::StopAgain, Pass::HoldAgain, Pass::Sum]);
            self.each_set(Pass::Count);
        }
        self.each_set(Pass::Scatter);
    }
}
