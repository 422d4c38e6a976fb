//! A set of rods on the GPU: its buffers, and a step as compute passes.
//!
//! ```text
//! upload (what the host changed)  supports, pins, colliders of all substeps, settings
//! step_strands  × few             predict, iterations × (sweep or Newton step, contacts), finalize; report after the last substep
//! readback      (when asked)      state, report
//! ```
//! One invocation is one strand. Nothing couples strands here, so no pass has to wait for another strand, and whole substeps
//! share a dispatch: as many as fit the time that a system gives one before it resets the device. Strands too long for
//! that go through the same functions in single passes ([`Passes::Staged`]).

use core::convert::Infallible;

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::shaders;
use super::shaders::records::{self, Collider, REPORT_ROWS, Range as SubstepRange, Strand};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;
use withy_math::Vec3;
use withy_solve::collide::{ColliderMotion, Form};
use withy_solve::desc::error::{Error, Result};
use withy_solve::desc::{EndSupport, SweepOrder};
use withy_solve::layout::{Buffers, FORCE_ROWS, Layout, NO_STRAND};
use withy_solve::rods::group::{BlockReport, Pin, Settings};
use withy_solve::rods::newton::SCRATCH_ROWS;
use withy_solve::stages::{At, Stage, Work, step};
use withy_solve::step::RodsStep;

const WORKGROUP: u32 = 32;

/// Vertices × iterations × substeps that one invocation does in a dispatch, at most. At a few µs each (memory latency, one
/// strand a lane) that is a quarter of a second; systems reset a GPU after about two.
const LONGEST_INVOCATION: usize = 1 << 16;
/// The same for all invocations together: about 10³ operations each, a quarter of a second at 10¹² operations a second.
const LONGEST_DISPATCH: usize = 1 << 28;

/// What a Newton step counts as: the turns of its loops a vertex, with the longest search. (A sweep and its contacts have four and one
/// a collider, the rest of a substep eight.) A software rasteriser, Mesa's llvmpipe, ends all loops of an invocation after 65,535
/// turns, whether they are done or not.
const NEWTON_STEP: usize = 96;
/// Of rods of second order, on top: what starts anew, and the velocities.
const SECOND_STEP: usize = 6;

fn newton_step(second: bool) -> usize {
    NEWTON_STEP + if second { SECOND_STEP } else { 0 }
}

/// Storage buffers that a pass of Newton's method binds. WebGPU promises eight; adapters that run such strands have more.
const NEWTON_BUFFERS: u32 = 9;

/// Steps that may be under way at once. A host that never reads would otherwise queue up memory without end.
const MOST_RUNNING: usize = 3;

/// How a step is cut into dispatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Passes {
    /// As many whole substeps a dispatch as time allows. The default.
    #[default]
    Fused,
    /// One dispatch a substep.
    Substep,
    /// Predict, sweeps and finalize each in their own dispatch.
    Staged,
}

/// The passes of a solver, shared by all rods of a device. Each is compiled when it is first needed: all have the whole solver in them.
pub struct Pipelines {
    module: wgpu::ShaderModule,
    group_layout: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    passes: [OnceLock<wgpu::ComputePipeline>; 4],
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice, newton: bool) -> Pipelines {
        use wgpu::BufferBindingType::{Storage, Uniform};
        let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
            count: None,
        };
        let (read, write) = (Storage { read_only: true }, Storage { read_only: false });
        // settings, range, strands, state, params, supports, pins, colliders, report, forces, scratch
        let entries = [Uniform, Uniform, read, write, read, read, read, read, write, read, write];
        let entries = &entries[..if newton { 11 } else { 10 }];
        let entries: Vec<_> = entries.iter().copied().enumerate().map(|(i, ty)| entry(i as u32, ty, i == 1)).collect();
        let group_layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("strands"), entries: &entries });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("strands"),
            bind_group_layouts: &[Some(&group_layout)],
            immediate_size: 0,
        });
        let source = if newton { shaders::newton_module() } else { shaders::strand_module() };
        Pipelines { module: gpu.module("strands", &source), group_layout, layout, passes: Default::default() }
    }

    fn get(&self, gpu: &GpuDevice, pass: Pass) -> &wgpu::ComputePipeline {
        self.passes[pass as usize].get_or_init(|| {
            let entry = ["step_strands", "predict_strands", "sweep_strands", "finalize_strands"][pass as usize];
            let made = gpu.pipeline(&self.module, Some(&self.layout), entry);
            gpu.keep_pipelines();
            made
        })
    }
}

/// What one dispatch does.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dispatch {
    pass: Pass,
    first_substep: u32,
    end_substep: u32,
    iterations: u32,
    /// Sweeps that the substep has after these.
    left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(usize)]
enum Pass {
    Step,
    Predict,
    Sweep,
    Finalize,
}

/// Cuts a step so that no dispatch exceeds the limits above.
fn plan(passes: Passes, substeps: usize, iterations: usize, longest: usize, cells: usize) -> Vec<Dispatch> {
    let fits = |one: usize| (LONGEST_INVOCATION / (longest * one)).min(LONGEST_DISPATCH / (cells * one));
    let together = match passes {
        Passes::Fused => fits(iterations.max(1)),
        Passes::Substep => fits(iterations.max(1)).min(1),
        Passes::Staged => 0,
    };
    let mut cut = Cut { all: Vec::new(), iterations, most: fits(1).max(1) };
    if together > 0 {
        // `step_strands` in the shaders goes through whole substeps of the list.
        for first in (0..substeps).step_by(together) {
            cut.push(Pass::Step, first, (first + together).min(substeps), iterations, 0);
        }
    } else {
        step(substeps, &mut cut).unwrap_or_else(|never| match never {});
    }
    cut.all
}

/// Makes dispatches of the stages of strands, one after the other: as many iterations in one as fit.
struct Cut {
    all: Vec<Dispatch>,
    iterations: usize,
    most: usize,
}

impl Cut {
    fn push(&mut self, pass: Pass, first: usize, end: usize, iterations: usize, left: usize) {
        let (first_substep, end_substep, iterations, left) = (first as u32, end as u32, iterations as u32, left as u32);
        self.all.push(Dispatch { pass, first_substep, end_substep, iterations, left });
    }
}

impl Work for Cut {
    type Error = Infallible;

    fn iterations(&self) -> usize {
        self.iterations
    }

    fn stage(&mut self, stage: Stage, at: At) -> core::result::Result<(), Infallible> {
        let substep = at.substep;
        match stage {
            Stage::Predict => self.push(Pass::Predict, substep, substep + 1, 0, 0),
            // The pass has the contacts after each iteration in it.
            Stage::Solve if at.iteration.is_multiple_of(self.most) => {
                let now = self.most.min(at.iterations - at.iteration);
                self.push(Pass::Sweep, substep, substep + 1, now, at.iterations - at.iteration - now);
            }
            Stage::Finalize => self.push(Pass::Finalize, substep, substep + 1, 0, 0),
            // The last pass of a step reports. Nothing here is coupled to others.
            _ => {}
        }
        Ok(())
    }
}

/// A set of rods whose state lives on the GPU. It reads the layout's own buffers: the rows of a block are the same on both
/// sides, so that upload and readback are plain copies.
pub struct GpuRods {
    gpu: GpuDevice,
    passes: Passes,
    strands: Vec<Strand>,
    strand_count: usize,
    longest: usize,
    cells: usize,
    tip_base: usize,
    /// Which block and lane each report belongs to.
    places: Vec<(u32, u32)>,
    settings: Buffer,
    ranges: Buffer,
    planned: (Vec<Dispatch>, (Passes, usize, usize, usize)),
    strands_buffer: Buffer,
    state: Buffer,
    params: Buffer,
    supports: Buffer,
    pins: Buffer,
    colliders: Buffer,
    report: Buffer,
    forces: Buffer,
    pushed: bool,
    /// Of Newton's method: the systems of the strands; empty where sweeps solve.
    scratch: Buffer,
    newton: bool,
    /// Where κ̄₂ and κ̄₃ begin in `params`.
    kappa_base: usize,
    /// Where the rows of second order begin in `state`; all of it in rods of first order.
    second_base: usize,
    /// Rebuilt when a buffer was replaced by a larger one.
    group: Option<wgpu::BindGroup>,
    staged: Vec<f32>,
    /// The last submissions of the steps that may still be running.
    running: VecDeque<wgpu::SubmissionIndex>,
}

impl core::fmt::Debug for GpuRods {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GpuRods").field("gpu", &self.gpu).field("strands", &self.strand_count).finish_non_exhaustive()
    }
}

/// Worlds move between threads and are read by several.
const _: () = {
    const fn send_sync<T: Send + Sync>() {}
    send_sync::<GpuRods>();
};

impl GpuRods {
    /// Copies constants, state and supports to the GPU. `newton`: rods whose order is [`SweepOrder::Direct`]. `InvalidArgument`
    /// where a buffer is larger than the adapter allows, `Unsupported` where it cannot bind enough of them.
    pub fn new(gpu: &GpuDevice, layout: &Layout, buffers: &Buffers<f32>, newton: bool) -> Result<GpuRods> {
        let storage = gpu.device.limits().max_storage_buffers_per_shader_stage;
        if newton && storage < NEWTON_BUFFERS {
            return Err(Error::unsupported(format!(
                "order is Direct: Newton's method needs {NEWTON_BUFFERS} storage buffers a pass, {} has {storage}",
                gpu.name()
            )));
        }
        let cells = layout.cells.max(1);
        let longest = layout.blocks.iter().map(|b| b.vertices).max().unwrap_or(1);
        let second = !buffers.second.is_empty();
        let turns = newton_step(second);
        if newton && gpu.is_software() && longest * turns > LONGEST_INVOCATION {
            return Err(Error::unsupported(format!(
                "a strand has {longest} vertices: {} counts the turns of loops, and solves at most {} directly",
                gpu.name(),
                LONGEST_INVOCATION / turns
            )));
        }
        let scratch = if newton { cells * SCRATCH_ROWS } else { 0 };
        let constants = buffers.params.len() + buffers.extra.len();
        let states = buffers.state.len() + buffers.second.len();
        let largest = [states, constants, buffers.supports[0].len() + buffers.supports[1].len(), scratch];
        let bytes = largest.into_iter().max().unwrap_or(0) as u64 * 4;
        if bytes > gpu.largest_buffer() {
            return Err(Error::invalid(format!(
                "rods need a GPU buffer of {bytes} bytes, {} allows {}",
                gpu.name(),
                gpu.largest_buffer()
            )));
        }
        let limit = gpu.device.limits().max_compute_workgroups_per_dimension as u64 * WORKGROUP as u64;
        if layout.strand_count() as u64 > limit {
            return Err(Error::invalid(format!("rods have {} strands, {} takes {limit}", layout.strand_count(), gpu.name())));
        }
        let mut strands = Vec::with_capacity(layout.strand_count());
        let mut places = Vec::with_capacity(layout.strand_count());
        for (b, block) in layout.blocks.iter().enumerate() {
            for (lane, &strand) in block.strands[..block.width].iter().enumerate() {
                if strand == NO_STRAND {
                    continue;
                }
                strands.push(Strand {
                    offset: block.offset as u32,
                    width: block.width as u32,
                    lane: lane as u32,
                    vertices: layout.counts[strand as usize],
                    strand_offset: block.strand_offset as u32,
                    first_pin: 0,
                    end_pin: 0,
                });
                places.push((b as u32, lane as u32));
            }
        }
        let strand_count = places.len();
        let mut supports = buffers.supports[0].to_vec();
        let tip_base = supports.len();
        supports.extend_from_slice(&buffers.supports[1]);
        let mut rods = GpuRods {
            gpu: gpu.clone(),
            passes: Passes::default(),
            strands_buffer: Buffer::new(gpu, "strands", strands.len() * Strand::LEN),
            strands,
            strand_count,
            longest,
            cells,
            tip_base,
            places,
            settings: Buffer::uniform(gpu, "settings", records::Settings::LEN),
            ranges: Buffer::uniform(gpu, "ranges", SubstepRange::LEN),
            planned: (Vec::new(), (Passes::Fused, 0, 0, 0)),
            state: Buffer::new(gpu, "state", states),
            params: Buffer::new(gpu, "params", constants),
            scratch: Buffer::new(gpu, "scratch", scratch),
            newton,
            kappa_base: buffers.params.len(),
            second_base: buffers.state.len(),
            // A binding holds at least one element of its type.
            supports: Buffer::with(gpu, "supports", if supports.is_empty() { &[0.0] } else { &supports }),
            pins: Buffer::new(gpu, "pins", records::Pin::LEN),
            colliders: Buffer::new(gpu, "colliders", Collider::LEN),
            report: Buffer::new(gpu, "report", strand_count * REPORT_ROWS as usize),
            forces: Buffer::new(gpu, "forces", 1),
            pushed: false,
            group: None,
            staged: Vec::new(),
            running: VecDeque::new(),
        };
        // Now, and not within a step: those that steps will need, unless it has very many colliders.
        let one = longest * if newton { turns } else { 12 };
        let needed = if one <= LONGEST_INVOCATION { &[Pass::Step][..] } else { &[Pass::Predict, Pass::Sweep, Pass::Finalize] };
        for &pass in needed {
            gpu.pipelines(newton).get(gpu, pass);
        }
        rods.upload_strands();
        rods.upload_state(&buffers.state, &buffers.second)?;
        rods.upload_params(&buffers.params)?;
        rods.upload_kappa(&buffers.extra)?;
        rods.upload_forces(&buffers.forces)?;
        gpu.wait()?;
        Ok(rods)
    }

    /// Forces how steps are cut, for measurements and tests. All give the same result.
    pub fn set_passes(&mut self, passes: Passes) {
        self.passes = passes;
    }

    /// Replaces all state (`Buffers::state` and `second`).
    pub fn upload_state(&mut self, state: &[f32], second: &[f32]) -> Result<()> {
        Self::replace(&self.gpu, &self.state, 0..self.second_base, "state", state)?;
        Self::replace(&self.gpu, &self.state, self.second_base..self.state.len(), "second", second)
    }
    /// Replaces all constants (`Buffers::params`): after a change of rest shape, stiffness or held vertices.
    pub fn upload_params(&mut self, params: &[f32]) -> Result<()> {
        Self::replace(&self.gpu, &self.params, 0..self.kappa_base, "params", params)
    }
    /// Replaces the rest strains that only discrete elastic rods have (`Buffers::kappa`).
    pub fn upload_kappa(&mut self, kappa: &[f32]) -> Result<()> {
        Self::replace(&self.gpu, &self.params, self.kappa_base..self.params.len(), "kappa", kappa)
    }
    /// Replaces the poses of the driven ends (`Buffers::supports`), roots and tips.
    pub fn upload_supports(&mut self, supports: [&[f32]; 2]) -> Result<()> {
        if supports[0].len() != self.tip_base || supports[0].len() + supports[1].len() > self.supports.len() {
            return Err(Error::invalid("supports changed their number"));
        }
        self.supports.upload(&self.gpu, 0, supports[0]);
        self.supports.upload(&self.gpu, self.tip_base, supports[1]);
        Ok(())
    }

    /// Replaces the forces on the vertices (`Buffers::forces`); empty: none.
    pub fn upload_forces(&mut self, forces: &[f32]) -> Result<()> {
        if !forces.is_empty() && forces.len() != self.cells * FORCE_ROWS {
            return Err(Error::invalid(format!(
                "forces has {} numbers, the rods have {}",
                forces.len(),
                self.cells * FORCE_ROWS
            )));
        }
        self.pushed = !forces.is_empty();
        Self::fit(&self.gpu, &mut self.forces, "forces", forces.len(), &mut self.group);
        self.forces.upload(&self.gpu, 0, forces);
        Ok(())
    }

    fn replace(gpu: &GpuDevice, buffer: &Buffer, range: Range<usize>, name: &str, data: &[f32]) -> Result<()> {
        if data.len() != range.len() {
            return Err(Error::invalid(format!("{name} has {} numbers, the rods have {}", data.len(), range.len())));
        }
        buffer.upload(gpu, range.start, data);
        Ok(())
    }

    /// Replaces the host-driven vertices, sorted by block, lane and vertex as `Rods` keeps them.
    pub fn upload_pins(&mut self, pins: &[Pin]) -> Result<()> {
        self.staged.clear();
        for pin in pins {
            let v = |p: [f64; 3]| p.map(|c| c as f32);
            records::Pin { start: v(pin.from), vertex: pin.vertex, end: v(pin.to) }.put(&mut self.staged);
        }
        Self::fit(&self.gpu, &mut self.pins, "pins", self.staged.len(), &mut self.group);
        self.pins.upload(&self.gpu, 0, &self.staged);
        for (strand, place) in self.strands.iter_mut().zip(&self.places) {
            strand.first_pin = pins.partition_point(|p| (p.block, p.lane) < *place) as u32;
            strand.end_pin = pins.partition_point(|p| (p.block, p.lane) <= *place) as u32;
        }
        self.upload_strands();
        self.gpu.check()
    }

    fn upload_strands(&mut self) {
        self.staged.clear();
        self.strands.iter().for_each(|strand| strand.put(&mut self.staged));
        self.strands_buffer.upload(&self.gpu, 0, &self.staged);
    }

    /// Makes room; the bind group is rebuilt where the buffer is another one.
    fn fit(gpu: &GpuDevice, buffer: &mut Buffer, label: &str, len: usize, group: &mut Option<wgpu::BindGroup>) {
        if buffer.len() < len {
            *buffer = Buffer::new(gpu, label, len.next_power_of_two());
            *group = None;
        }
    }

    fn upload_colliders(&mut self, step: &RodsStep<'_, f32>) -> usize {
        let s = step.settings;
        let meets = |c: &&ColliderMotion<f32>| c.mask & s.category != 0 && s.mask & c.category != 0;
        self.staged.clear();
        for c in step.colliders.iter().filter(meets) {
            let kind = match c.form {
                Form::Plane => records::PLANE,
                Form::Sphere => records::SPHERE,
                Form::Capsule => records::CAPSULE,
                Form::Box => records::CUBOID,
                Form::TaperedCapsule => records::TAPERED,
                // Refused on this backend where strands might meet them (`World::meets_solids`).
                Form::Solid(_) | Form::Bent(_) => continue,
            };
            let v = |v: Vec3<f32>| [v.x, v.y, v.z];
            Collider {
                center: v(c.center),
                // Geometric mean of the two materials.
                friction: (s.friction * c.friction).sqrt(),
                size: v(c.size),
                kind,
                axis0: v(c.axes[0]),
                bound: c.bound,
                axis1: v(c.axes[1]),
                axis2: v(c.axes[2]),
                turn0: v(c.turn[0]),
                turn1: v(c.turn[1]),
                turn2: v(c.turn[2]),
                shift: v(c.shift),
            }
            .put(&mut self.staged);
        }
        let count = self.staged.len() / Collider::LEN;
        Self::fit(&self.gpu, &mut self.colliders, "colliders", self.staged.len(), &mut self.group);
        self.colliders.upload(&self.gpu, 0, &self.staged);
        // The same colliders in every substep.
        count / step.substeps.max(1)
    }

    fn upload_settings(&mut self, s: &Settings<f32>, substeps: usize, iterations: usize, colliders: usize) {
        let order = match s.order {
            SweepOrder::RootToTip => records::ROOT_TO_TIP,
            SweepOrder::Alternating => records::ALTERNATING,
            SweepOrder::Direct => records::DIRECT,
            _ => unreachable!("refused when the rods were made"),
        };
        let support = |e: EndSupport| match e {
            EndSupport::Free => records::FREE,
            EndSupport::Pinned => records::PINNED,
            EndSupport::Clamped => records::CLAMPED,
        };
        let free = (s.root, s.tip) == (EndSupport::Free, EndSupport::Free);
        self.staged.clear();
        records::Settings {
            gravity: [s.gravity.x, s.gravity.y, s.gravity.z],
            h: s.h,
            wind: [s.wind.x, s.wind.y, s.wind.z],
            keep_spin: (s.keep_spin && free) as u32 as f32,
            inv_h2: s.inv_h2,
            inv_h_gg: s.inv_h_gg,
            damping: s.damping,
            drag_keep: s.drag_keep,
            drag_take: s.drag_take,
            max_move: s.max_move,
            alpha: s.alpha as u32,
            order,
            root: support(s.root),
            tip: support(s.tip),
            substeps: substeps as u32,
            part: s.part,
            colliders: colliders as u32,
            strands: self.strand_count as u32,
            tip_base: self.tip_base as u32,
            forces: self.pushed as u32,
            der: s.model.shaders().expect("refused when the rods were made"),
            search: s.search as u32,
            viscous: s.viscous as u32,
            kappa_base: self.kappa_base as u32,
            near: s.near,
            iterations: iterations as u32,
            give: s.give,
            second_base: if s.second { self.second_base as u32 } else { 0 },
        }
        .put(&mut self.staged);
        self.settings.upload(&self.gpu, 0, &self.staged);
    }

    /// Distance of two ranges in their buffer, in numbers.
    fn range_stride(&self) -> usize {
        self.gpu.device.limits().min_uniform_buffer_offset_alignment.max(SubstepRange::LEN as u32 * 4) as usize / 4
    }

    fn upload_plan(&mut self, substeps: usize, iterations: usize, colliders: usize) {
        let key = (self.passes, substeps, iterations, colliders);
        if self.planned.1 == key {
            return;
        }
        let weight = colliders + if self.newton { newton_step(self.is_second()) } else { 4 + 8usize.div_ceil(iterations.max(1)) };
        self.planned = (plan(self.passes, substeps, iterations, self.longest * weight, self.cells * weight), key);
        let stride = self.range_stride();
        self.staged.clear();
        for &Dispatch { first_substep, end_substep, iterations, left, .. } in &self.planned.0 {
            let next = self.staged.len() + stride;
            SubstepRange { first_substep, end_substep, iterations, left }.put(&mut self.staged);
            self.staged.resize(next, 0.0);
        }
        if self.ranges.len() < self.staged.len() {
            self.ranges = Buffer::uniform(&self.gpu, "ranges", self.staged.len());
            self.group = None;
        }
        self.ranges.upload(&self.gpu, 0, &self.staged);
    }

    fn bind_group(&mut self) -> wgpu::BindGroup {
        let make = || {
            let range = wgpu::BufferBinding {
                buffer: &self.ranges.inner,
                offset: 0,
                size: wgpu::BufferSize::new(SubstepRange::LEN as u64 * 4),
            };
            self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("strands"),
                layout: &self.gpu.pipelines(self.newton).group_layout,
                entries: &[
                    self.settings.entry(0),
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Buffer(range) },
                    self.strands_buffer.entry(2),
                    self.state.entry(3),
                    self.params.entry(4),
                    self.supports.entry(5),
                    self.pins.entry(6),
                    self.colliders.entry(7),
                    self.report.entry(8),
                    self.forces.entry(9),
                    self.scratch.entry(10),
                ][..if self.newton { 11 } else { 10 }],
            })
        };
        let group = self.group.take().unwrap_or_else(make);
        self.group = Some(group.clone());
        group
    }

    /// Submits one step and returns without waiting for it (only for the third step before it). An error that the GPU reports later comes with the next call.
    pub fn step(&mut self, step: &RodsStep<'_, f32>) -> Result<()> {
        self.gpu.check()?;
        if self.strand_count == 0 {
            return Ok(());
        }
        if self.running.len() == MOST_RUNNING {
            self.gpu.wait_for(self.running.pop_front())?;
        }
        let colliders = self.upload_colliders(step);
        self.upload_settings(step.settings, step.substeps, step.iterations, colliders);
        self.upload_plan(step.substeps, step.iterations, colliders);
        let group = self.bind_group();
        let stride = self.range_stride() as u32 * 4;
        let pipelines = self.gpu.pipelines(self.newton);
        let workgroups = (self.strand_count as u32).div_ceil(WORKGROUP);
        let mut submitted = None;
        // A submission each, so that the system's time limit starts anew; a compute pass each would do for correctness.
        for (i, d) in self.planned.0.iter().enumerate() {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(pipelines.get(&self.gpu, d.pass));
            pass.set_bind_group(0, &group, &[i as u32 * stride]);
            pass.dispatch_workgroups(workgroups, 1, 1);
            drop(pass);
            submitted = Some(self.gpu.queue.submit([encoder.finish()]));
        }
        self.running.extend(submitted);
        self.gpu.check()
    }

    /// Waits for the steps and copies the state back (`Buffers::state` and `second`).
    pub fn read_state(&mut self, state: &mut [f32], second: &mut [f32]) -> Result<()> {
        let (has, room) = ([self.second_base, self.state.len() - self.second_base], [state.len(), second.len()]);
        if has != room {
            return Err(Error::invalid(format!("state has {has:?} numbers, room was given for {room:?}")));
        }
        self.state.read(&self.gpu, &mut [state, second])
    }
    fn is_second(&self) -> bool {
        self.second_base < self.state.len()
    }

    /// Waits for the steps and fills one report a block, about the last step.
    pub fn read_reports(&mut self, out: &mut [BlockReport]) -> Result<()> {
        let mut rows = vec![0.0; self.strand_count * REPORT_ROWS as usize];
        self.report.read(&self.gpu, &mut [&mut rows])?;
        out.fill(BlockReport::default());
        for (r, &(block, lane)) in rows.chunks_exact(REPORT_ROWS as usize).zip(&self.places) {
            let report = &mut out[block as usize];
            let strain = r[records::REPORT_STRAIN as usize] as f64;
            if strain > report.largest_strain {
                (report.largest_strain, report.strain_lane) = (strain, lane);
            }
            report.limited |= ((r[records::REPORT_LIMITED as usize] > 0.0) as u32) << lane;
            report.contacts += r[records::REPORT_CONTACTS as usize] as u32;
            report.non_finite |= ((r[records::REPORT_NON_FINITE as usize] > 0.0) as u32) << lane;
            report.kinked |= ((r[records::REPORT_KINKED as usize] > 0.0) as u32) << lane;
        }
        Ok(())
    }

    /// Bytes on the GPU.
    pub fn memory_bytes(&self) -> u64 {
        let all = [&self.settings, &self.ranges, &self.strands_buffer, &self.state, &self.params, &self.supports];
        let more = [&self.pins, &self.colliders, &self.report, &self.forces, &self.scratch];
        all.iter().chain(&more).map(|b| b.len() as u64 * 4).sum()
    }

    /// Milliseconds a step, submission to completion, without readback: the mean over `steps` after one to warm up.
    pub fn bench(&mut self, step: &RodsStep<'_, f32>, steps: u32) -> Result<f64> {
        self.step(step)?;
        self.gpu.wait()?;
        let begin = Instant::now();
        for _ in 0..steps {
            self.step(step)?;
        }
        self.gpu.wait()?;
        Ok(begin.elapsed().as_secs_f64() * 1e3 / steps.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_dispatch_is_longer_than_a_system_allows_and_all_work_is_planned() {
        for (substeps, iterations, longest, cells) in [(8, 4, 20, 200 * 20), (64, 10, 10_000, 10_000), (3, 7, 200_000, 400_000)] {
            for passes in [Passes::Fused, Passes::Substep, Passes::Staged] {
                let all = plan(passes, substeps, iterations, longest, cells);
                let mut done = 0;
                for d in &all {
                    let spans = (d.end_substep - d.first_substep) as usize;
                    // Of the last substep that it touches.
                    let to_do = iterations - (done + spans * d.iterations as usize - 1) % iterations - 1;
                    assert!(d.iterations == 0 || d.left as usize == to_do, "{d:?}");
                    done += spans * d.iterations as usize;
                    assert!(longest * spans * d.iterations as usize <= LONGEST_INVOCATION.max(longest), "{d:?}");
                }
                assert_eq!(done, substeps * iterations);
                assert_eq!(all.last().map(|d| d.end_substep as usize), Some(substeps));
            }
        }
    }
}
