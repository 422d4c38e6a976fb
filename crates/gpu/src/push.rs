//! Rods that push bodies: what the bodies hear of it in the rounds of a substep, and after the step (`shaders/push.wgsl`; docs/internals/gpu.md, Rods that push
//! bodies).

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::passes::GpuRods;
use super::shaders::{self, records};
use withy_solve::desc::error::Result;

/// Invocations of a workgroup of `place` and `end`.
const WORKGROUP: u32 = 64;

#[derive(Clone, Copy)]
#[repr(usize)]
enum Pass {
    Tell,
    Sum,
    Place,
    End,
}
const PASSES: [&str; 4] = ["tell", "sum", "place", "end"];

/// Compiled at the first use, for all rods of a device.
pub struct Pipelines {
    /// What the bodies have; what a part of a set does.
    groups: [wgpu::BindGroupLayout; 2],
    passes: [wgpu::ComputePipeline; PASSES.len()],
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice) -> Pipelines {
        use wgpu::BufferBindingType::{Storage, Uniform};
        let (read, write) = (Storage { read_only: true }, Storage { read_only: false });
        let group = |first: u32, types: &[wgpu::BufferBindingType]| {
            let entry = |(i, &ty): (usize, &wgpu::BufferBindingType)| wgpu::BindGroupLayoutEntry {
                binding: first + i as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            };
            let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("push"), entries: &entries })
        };
        let groups = [group(0, &[write, read]), group(OWN_BINDINGS, &[Uniform, read, write])];
        let module = gpu.module("push", &shaders::push_module());
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("push"),
            bind_group_layouts: &[Some(&groups[0]), Some(&groups[1])],
            immediate_size: 0,
        });
        let passes = PASSES.map(|entry| gpu.pipeline(&module, Some(&layout), entry));
        gpu.keep_pipelines();
        Pipelines { groups, passes }
    }
}
/// The first binding of a part's own buffers.
const OWN_BINDINGS: u32 = 2;

fn group(gpu: &GpuDevice, layout: &wgpu::BindGroupLayout, first: u32, buffers: &[&Buffer]) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers.iter().enumerate().map(|(i, b)| b.entry(first + i as u32)).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("push"), layout, entries: &entries })
}

/// A body in one substep on the way that it goes if no rods push it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// The same number in every step, below 2²⁴, not 0.
    pub name: u32,
    /// Its centre of mass where the substep ends, and what that does in it, m.
    pub center: [f32; 3],
    pub shift: [f32; 3],
    /// Colliders go straight through the step. How far the centre is from there where the substep ends, and of that, in the substep, m.
    pub bend: [f32; 3],
    pub bend_now: [f32; 3],
    /// kg⁻¹ and, in world axes (xx, yy, zz, xy, xz, yz), (kg m²)⁻¹; 0: it stands, and hears of pushes after the step.
    pub inverse_mass: f32,
    pub inverse_inertia: [f32; 6],
}

/// The bodies of a step that rods may push.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    pub bodies: usize,
    /// All of them in the first substep, then in the second …
    pub ways: Vec<Way>,
    /// Of the last colliders of each substep, which body each is of.
    pub shapes: Vec<u32>,
}

/// What rods have done to a body in a step: momenta times the length of a substep, kg m and kg m², and where that has taken it, m and rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given {
    pub linear: [f32; 3],
    pub angular: [f32; 3],
    pub shift: [f32; 3],
    pub turn: [f32; 3],
}

/// A part of a set in the step under way.
struct Member {
    group: wgpu::BindGroup,
    /// Colliders of a substep, where it is the first part of its set: they are the same for all.
    places: u32,
}

/// The bodies that rods push, on the GPU.
pub struct Push {
    gpu: GpuDevice,
    count: usize,
    substeps: usize,
    bodies: Buffer,
    ways: Buffer,
    group: Option<wgpu::BindGroup>,
    owns: Vec<Buffer>,
    members: Vec<Member>,
    staged: Vec<f32>,
}

impl Push {
    pub fn new(gpu: &GpuDevice) -> Push {
        let buffer = |label, len| Buffer::new(gpu, label, len);
        let (bodies, ways) = (buffer("bodies", records::PushedBody::LEN), buffer("ways", records::BodyWay::LEN));
        Push {
            gpu: gpu.clone(),
            count: 0,
            substeps: 0,
            bodies,
            ways,
            group: None,
            owns: Vec::new(),
            members: Vec::new(),
            staged: Vec::new(),
        }
    }

    /// The bodies of a step.
    pub fn upload(&mut self, ways: &Ways) {
        (self.count, self.substeps) = (ways.bodies, ways.ways.len() / ways.bodies.max(1));
        self.staged.clear();
        for w in &ways.ways {
            let [xx, yy, zz, xy, xz, yz] = w.inverse_inertia;
            let (diagonal, beside) = ([xx, yy, zz], [xy, xz, yz]);
            let (center, inverse_mass, name, shift) = (w.center, w.inverse_mass, w.name as f32, w.shift);
            let (bend, bend_now) = (w.bend, w.bend_now);
            records::BodyWay { center, inverse_mass, diagonal, name, beside, shift, bend, bend_now }.put(&mut self.staged);
        }
        self.ways.fit(&self.gpu, "ways", self.staged.len(), &mut self.group);
        self.ways.upload(&self.gpu, 0, &self.staged);
        self.staged.clear();
        self.staged.resize(self.count * records::PushedBody::LEN, 0.0);
        self.bodies.fit(&self.gpu, "bodies", self.staged.len(), &mut self.group);
        self.bodies.upload(&self.gpu, 0, &self.staged);
    }

    /// Before the first substep: the parts of all sets that push them, and where these find the bodies.
    pub(super) fn begin(&mut self, sets: &[&GpuRods]) -> wgpu::SubmissionIndex {
        let pipelines = self.gpu.push_pipelines();
        self.members.clear();
        for rods in sets {
            for (number, part) in rods.all_parts().iter().enumerate() {
                let (k, listed) = (self.members.len(), part.listed());
                if self.owns.len() == k {
                    self.owns.push(Buffer::uniform(&self.gpu, "pushes", records::Pushes::LEN));
                }
                self.staged.clear();
                records::Pushes {
                    bodies: self.count as u32,
                    cells: part.cells.len() as u32,
                    push_base: part.push_base() as u32,
                    pushed_at: listed.pushed_at as u32,
                    colliders_at: listed.colliders_at as u32,
                    ways_at: listed.ways_at as u32,
                    colliders: listed.colliders as u32,
                    first: u32::from(k == 0),
                    substeps: self.substeps as u32,
                }
                .put(&mut self.staged);
                self.owns[k].upload(&self.gpu, 0, &self.staged);
                let own = [&self.owns[k], part.report(), &rods.solids().buffer];
                let group = group(&self.gpu, &pipelines.groups[1], OWN_BINDINGS, &own);
                self.members
                    .push(Member { group, places: if number == 0 { listed.colliders.max(self.count) as u32 } else { 0 } });
            }
        }
        self.run(&[Pass::Place])
    }

    /// All sets have looked which bodies they are near.
    pub(super) fn tell(&mut self) -> wgpu::SubmissionIndex {
        self.run(&[Pass::Tell, Pass::Place])
    }
    /// They have met them.
    pub(super) fn sum(&mut self) -> wgpu::SubmissionIndex {
        self.run(&[Pass::Sum, Pass::Place])
    }
    /// The substep is over.
    pub(super) fn end(&mut self) -> wgpu::SubmissionIndex {
        self.run(&[Pass::End, Pass::Place])
    }

    /// One submission.
    fn run(&mut self, passes: &[Pass]) -> wgpu::SubmissionIndex {
        let pipelines = self.gpu.push_pipelines();
        let make = || group(&self.gpu, &pipelines.groups[0], 0, &[&self.bodies, &self.ways]);
        let bodies = self.group.get_or_insert_with(make).clone();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_bind_group(0, &bodies, &[]);
        for &which in passes {
            pass.set_pipeline(&pipelines.passes[which as usize]);
            for (k, member) in self.members.iter().enumerate() {
                let groups = match which {
                    Pass::Tell | Pass::Sum => self.count as u32,
                    Pass::Place => member.places.div_ceil(WORKGROUP),
                    Pass::End if k == 0 => (self.count as u32).div_ceil(WORKGROUP),
                    Pass::End => 0,
                };
                if groups > 0 {
                    pass.set_bind_group(1, &member.group, &[]);
                    pass.dispatch_workgroups(groups, 1, 1);
                }
            }
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()])
    }

    /// Waits for the step: what it has done to the bodies, in their order.
    pub fn read(&self) -> Result<Vec<Given>> {
        let mut all = vec![0.0; self.count * records::PushedBody::LEN];
        self.bodies.read(&self.gpu, &mut [&mut all])?;
        let three = |r: &[f32], at: usize| [r[at], r[at + 1], r[at + 2]];
        let given = |r: &[f32]| Given { linear: three(r, 0), angular: three(r, 4), shift: three(r, 8), turn: three(r, 12) };
        Ok(all.chunks_exact(records::PushedBody::LEN).map(given).collect())
    }

    pub fn memory_bytes(&self) -> u64 {
        [&self.bodies, &self.ways].into_iter().chain(&self.owns).map(|b| b.len() as u64 * 4).sum()
    }
}
