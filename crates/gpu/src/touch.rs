//! Strands that touch strands: buffers and dispatches of what comes after a solve (`shaders/touch.wgsl`; docs/internals/gpu.md, Strand against strand).

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::part::Part;
use super::shaders::{
    self,
    records::{self, PER_EDGE, Place},
};
use withy_solve::desc::error::{Error, Result};
use withy_solve::layout::{Layout, NO_STRAND, param};
use withy_solve::rods::material::COVERED;

/// Numbers of 4 bytes of a point and of a row in the shader.
const POINT: usize = 16;
const ROW: usize = 12;
/// Rounds after a solve: where it is the last of its substep, and where others follow.
const ROUNDS: [u32; 2] = [16, 4];
const WORKGROUP: u32 = 64;
/// Of a dispatch, on every adapter.
const MOST_WORKGROUPS: u32 = 65_535;
/// An edge may be longer than at rest by this part when buckets are to hold its neighbours.
const LONGER: f32 = 1.5;

/// Two edges that overlap at rest, by the numbers of their first vertices in the host's order, and by how much, m.
pub type Allowance = ([u32; 2], f64);

/// Where in a substep.
#[derive(Clone, Copy, PartialEq)]
pub enum When {
    Predicted,
    /// `first`: of the substep; `last`: no other solve follows.
    Solved {
        first: bool,
        last: bool,
    },
}

#[derive(Clone, Copy)]
#[repr(usize)]
enum Pass {
    Gather,
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
    Load,
    Scatter,
}
const PASSES: [&str; 16] = [
    "gather",
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
    "load",
    "scatter",
];

/// Compiled at the first use, for all rods of a device.
pub struct Pipelines {
    layout: wgpu::BindGroupLayout,
    passes: [wgpu::ComputePipeline; PASSES.len()],
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice) -> Pipelines {
        use wgpu::BufferBindingType::{Storage, Uniform};
        let (read, write) = (Storage { read_only: true }, Storage { read_only: false });
        // settings, touching, strands, state, params, places, buckets, points, rows, report, scratch
        let entries: Vec<_> = [Uniform, Uniform, read, write, read, read, write, write, write, write, write]
            .into_iter()
            .enumerate()
            .map(|(i, ty)| wgpu::BindGroupLayoutEntry {
                binding: i as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let group =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("touch"), entries: &entries });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("touch"),
            bind_group_layouts: &[Some(&group)],
            immediate_size: 0,
        });
        let module = gpu.module("touch", &shaders::touch_module());
        let passes = PASSES.map(|entry| gpu.pipeline(&module, Some(&layout), entry));
        gpu.keep_pipelines();
        Pipelines { layout: group, passes }
    }
}

pub struct Touch {
    layout: Layout,
    mask: u32,
    /// Of the host's allowances, by the edges' numbers on the GPU: both ways.
    allowed: Vec<(u32, u32, f32)>,
    settings: Buffer,
    places: Buffer,
    buckets: Buffer,
    points: Buffer,
    rows: Buffer,
    group: Option<wgpu::BindGroup>,
    longest: f32,
}

impl Touch {
    /// # Errors
    /// A buffer would be larger than the adapter's, or a dispatch than there can be.
    pub fn new(gpu: &GpuDevice, layout: &Layout, params: &[f32], allowed: &[Allowance]) -> Result<Touch> {
        let cells = layout.cells;
        let (needed, most) = ((cells * PER_EDGE * ROW) as u64 * 4, gpu.largest_buffer());
        if needed > most {
            return Err(Error::unsupported(format!(
                "self_contact (WITHY_RODS_SELF_CONTACT): contacts of {cells} vertices need a GPU buffer of {needed} bytes, {} allows {most}",
                gpu.name()
            )));
        }
        let most = (MOST_WORKGROUPS * WORKGROUP) as usize;
        if cells > most {
            return Err(Error::unsupported(format!(
                "self_contact (WITHY_RODS_SELF_CONTACT): {cells} vertices, and strands of at most {most} touch on the gpu backend"
            )));
        }
        let mask = (2 * cells.max(32)).next_power_of_two() as u32 - 1;
        let mut numbers = vec![0; layout.counts.iter().sum::<u32>() as usize];
        for b in &layout.blocks {
            for (lane, &strand) in b.strands[..b.width].iter().enumerate().filter(|(_, s)| **s != NO_STRAND) {
                for v in 0..layout.counts[strand as usize] {
                    numbers[(layout.starts[strand as usize] + v) as usize] = (b.offset + v as usize * b.width + lane) as u32;
                }
            }
        }
        let both = |&([a, b], by): &Allowance| {
            let (a, b) = (numbers[a as usize], numbers[b as usize]);
            [(a, b, by as f32), (b, a, by as f32)]
        };
        let mut allowed: Vec<_> = allowed.iter().flat_map(both).collect();
        allowed.sort_unstable_by_key(|a| (a.0, a.1));
        let buffer = |label: &str, len: usize| Buffer::new(gpu, label, len);
        let mut touch = Touch {
            layout: layout.clone(),
            mask,
            settings: Buffer::uniform(gpu, "touching", records::Touching::LEN),
            places: buffer("places", (cells + allowed.len()) * Place::LEN),
            buckets: buffer("buckets", mask as usize + 2 + cells + 2 * layout.counts.len()),
            points: buffer("points", cells * POINT),
            rows: buffer("rows", cells * PER_EDGE * ROW),
            group: None,
            longest: 0.0,
            allowed,
        };
        touch.upload_params(gpu, params);
        Ok(touch)
    }

    /// Where vertices are along their strands: rest lengths have changed.
    pub fn upload_params(&mut self, gpu: &GpuDevice, params: &[f32]) {
        let (layout, cells) = (&self.layout, self.layout.cells);
        let none = Place { strand: records::NONE, next: records::NONE, before: records::NONE, ..Place::default() };
        let mut places = vec![none; cells];
        // Strands have the numbers that `Part` gives them.
        let mut number = 0;
        self.longest = 0.0;
        for b in &layout.blocks {
            for (lane, &strand) in b.strands[..b.width].iter().enumerate().filter(|(_, s)| **s != NO_STRAND) {
                let (count, mut arc) = (layout.counts[strand as usize] as usize, 0.0);
                for v in 0..count {
                    let row = b.offset + v * b.width;
                    let c = row + lane;
                    let allowed = [0, 1].map(|k| cells + self.allowed.partition_point(|a| (a.0 as usize) < c + k));
                    places[c] = Place {
                        strand: number,
                        next: if v + 1 < count { (c + b.width) as u32 } else { records::NONE },
                        before: if v > 0 { (c - b.width) as u32 } else { records::NONE },
                        arc,
                        first_allowed: allowed[0] as u32,
                        end_allowed: allowed[1] as u32,
                    };
                    let length = params[row * param::ROWS + param::LENGTH * b.width + lane];
                    if v + 1 < count {
                        (arc, self.longest) = (arc + length, self.longest.max(length));
                    }
                }
                number += 1;
            }
        }
        let mut staged = Vec::new();
        places.iter().for_each(|p| p.put(&mut staged));
        for &(_, other, by) in &self.allowed {
            Place { strand: other, arc: by, ..Place::default() }.put(&mut staged);
        }
        self.places.upload(gpu, 0, &staged);
    }

    /// Forgets the forces of before: the state is another.
    pub fn forget(&self, gpu: &GpuDevice) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.rows.inner, 0, None);
        encoder.clear_buffer(&self.points.inner, 0, None);
        gpu.queue.submit([encoder.finish()]);
    }

    pub fn upload_settings(&self, gpu: &GpuDevice, friction: f32, max_radius: f32) {
        let mut staged = Vec::new();
        records::Touching {
            cells: self.layout.cells as u32,
            mask: self.mask,
            size: self.longest * LONGER + 4.0 * max_radius,
            friction,
            covered: COVERED as f32,
        }
        .put(&mut staged);
        self.settings.upload(gpu, 0, &staged);
    }

    pub fn submit(&mut self, gpu: &GpuDevice, part: &Part, when: When) -> wgpu::SubmissionIndex {
        let pipelines = gpu.touch_pipelines();
        let make = || {
            let [settings, strands, state, params, report, scratch] = part.touched();
            let all = [
                settings,
                &self.settings,
                strands,
                state,
                params,
                &self.places,
                &self.buckets,
                &self.points,
                &self.rows,
                report,
                scratch,
            ];
            let entries: Vec<_> = all.iter().enumerate().map(|(i, b)| b.entry(i as u32)).collect();
            let layout = &pipelines.layout;
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("touch"), layout, entries: &entries })
        };
        let group = self.group.take().unwrap_or_else(make);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_bind_group(0, &group, &[]);
        let mut run = |which: Pass| {
            let count = match which {
                Pass::Clear => self.mask + 1,
                Pass::Scatter | Pass::Load => part.strand_count(),
                _ => self.layout.cells as u32,
            };
            pass.set_pipeline(&pipelines.passes[which as usize]);
            pass.dispatch_workgroups(count.div_ceil(WORKGROUP).min(MOST_WORKGROUPS), 1, 1);
        };
        if when == When::Predicted {
            run(Pass::Load);
            drop(pass);
            self.group = Some(group);
            return gpu.queue.submit([encoder.finish()]);
        }
        let When::Solved { first, last } = when else { unreachable!("just asked") };
        run(Pass::Gather);
        if first {
            [Pass::Clear, Pass::Insert, Pass::Find, Pass::Agree, Pass::Weigh].into_iter().for_each(&mut run);
        }
        let all = ROUNDS[usize::from(!last)];
        for round in 0..all {
            if 2 * round == all {
                [Pass::Look, Pass::Weigh].into_iter().for_each(&mut run);
            }
            [Pass::Push, Pass::Apply].into_iter().for_each(&mut run);
        }
        if last {
            [Pass::StopOnce, Pass::HoldOnce, Pass::StopAgain, Pass::HoldAgain, Pass::Sum].into_iter().for_each(&mut run);
        }
        run(Pass::Scatter);
        drop(pass);
        self.group = Some(group);
        gpu.queue.submit([encoder.finish()])
    }

    /// Contacts for which an edge had no room, in the last substep.
    pub fn dropped(&self, gpu: &GpuDevice) -> Result<u32> {
        let mut all = vec![0.0; self.buckets.len()];
        self.buckets.read(gpu, &mut [&mut all])?;
        Ok(all.get(self.mask as usize + 1 + self.layout.cells).map_or(0, |d| d.to_bits()))
    }

    pub fn memory_bytes(&self) -> u64 {
        [&self.settings, &self.places, &self.buckets, &self.points, &self.rows].iter().map(|b| b.len() as u64 * 4).sum()
    }
}
