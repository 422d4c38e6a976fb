//! Consecutive blocks of a set of rods, with buffers and dispatches of their own: all of the set, or as many as the adapter's buffers hold.

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::passes::{Dispatch, LONGEST_INVOCATION, Passes, Touching, WORKGROUP, newton_step, plan, searches};
use super::shaders::Solver;
use super::shaders::der::SCRATCH_ROWS;
use super::shaders::records::{self, PUSH_ROWS, REPORT_ROWS, Range as SubstepRange, Strand};
use super::shaders::volume::ALL_SCRATCH_ROWS;
use super::solids::Listed;
use std::ops::Range;
use withy_solve::desc::error::{Error, Result};
use withy_solve::desc::{EndSupport, SweepOrder};
use withy_solve::layout::{Block, Buffers, FORCE_ROWS, Layout, NO_STRAND, bulk, param, scale, second, state, support, swept};
use withy_solve::rods::group::{BlockReport, Pin};
use withy_solve::step::RodsStep;

/// Rows that only some rods have: a vertex; a strand at its two ends.
#[derive(Clone, Copy)]
pub struct Rows {
    pub newton: bool,
    pub second: usize,
    /// κ̄₂ and κ̄₃.
    pub kappa: usize,
    /// Of rods that keep their volume; multipliers where they are swept.
    pub scales: usize,
    pub swept: usize,
    pub bulk: usize,
    pub supports: [usize; 2],
}

impl Rows {
    pub fn of(layout: &Layout, buffers: &Buffers<f32>, newton: bool) -> Rows {
        let supports = [&buffers.supports[0], &buffers.supports[1]].map(|s| if s.is_empty() { 0 } else { support::ROWS });
        Rows {
            newton,
            second: if buffers.second.is_empty() { 0 } else { second::ROWS },
            kappa: buffers.extra.len() / layout.cells.max(1),
            scales: if buffers.scales.is_empty() { 0 } else { scale::ROWS },
            swept: if buffers.swept.is_empty() { 0 } else { swept::ROWS },
            bulk: if buffers.bulk.is_empty() { 0 } else { bulk::ROWS },
            supports,
        }
    }

    pub fn solver(&self) -> Solver {
        Solver::of(self.newton, self.scales > 0)
    }
    /// Rows of a vertex that steps change: of all rods, of second order, scales, multipliers.
    pub fn changed(&self) -> [usize; 4] {
        [state::ROWS, self.second, self.scales, self.swept]
    }
    fn scratch(&self) -> usize {
        match self.solver() {
            Solver::Newton => SCRATCH_ROWS,
            Solver::VolumeNewton => ALL_SCRATCH_ROWS,
            _ => 0,
        }
    }

    /// Bytes of the largest buffer that so many vertices and strands, padding with them, can need.
    fn largest(&self, cells: usize, lanes: usize) -> u64 {
        let (changed, fixed) = (self.changed().iter().sum(), param::ROWS + self.kappa + self.bulk);
        let vertex = [changed, fixed, self.scratch(), FORCE_ROWS, records::Pin::LEN];
        let strand = [self.supports[0] + self.supports[1], REPORT_ROWS as usize, Strand::LEN];
        let most = |rows: &[usize]| rows.iter().copied().max().unwrap_or(0) as u64;
        (cells as u64 * most(&vertex)).max(lanes as u64 * most(&strand)) * 4
    }

    /// The blocks of each part: as many as the adapter's buffers hold and one dispatch takes.
    pub fn split(&self, gpu: &GpuDevice, layout: &Layout) -> Result<Vec<Range<usize>>> {
        let most = gpu.largest_buffer();
        let strands = gpu.device.limits().max_compute_workgroups_per_dimension as usize * WORKGROUP as usize;
        let mut parts: Vec<Range<usize>> = Vec::new();
        let (mut cells, mut lanes) = (0, 0);
        for (b, block) in layout.blocks.iter().enumerate() {
            let (more, wide) = (block.width * block.vertices, block.width);
            let alone = self.largest(more, wide);
            if alone > most {
                return Err(Error::invalid(format!(
                    "{wide} strands of up to {} vertices need a GPU buffer of {alone} bytes, {} allows {most}",
                    block.vertices,
                    gpu.name()
                )));
            }
            match parts.last_mut() {
                Some(part) if self.largest(cells + more, lanes + wide) <= most && lanes + wide <= strands => {
                    part.end = b + 1;
                    (cells, lanes) = (cells + more, lanes + wide);
                }
                _ => {
                    parts.push(b..b + 1);
                    (cells, lanes) = (more, wide);
                }
            }
        }
        Ok(parts)
    }
}

pub struct Part {
    pub rows: Rows,
    pub blocks: Range<usize>,
    /// Σ width·vertices of the blocks before, and with these.
    pub cells: Range<usize>,
    /// The same of the widths.
    pub lanes: Range<usize>,
    pub state: Buffer,
    pub params: Buffer,
    pub supports: Buffer,
    pub forces: Buffer,
    pub pushed: bool,
    /// Rebuilt when a buffer was replaced by a larger one.
    pub group: Option<wgpu::BindGroup>,
    strands: Vec<Strand>,
    longest: usize,
    /// Which block and lane each report belongs to.
    places: Vec<(u32, u32)>,
    settings: Buffer,
    ranges: Buffer,
    planned: (Vec<Dispatch>, Plan),
    strands_buffer: Buffer,
    pins: Buffer,
    report: Buffer,
    /// Of Newton's method: the systems of the strands; empty where sweeps solve.
    scratch: Buffer,
}

/// What a plan is for: how it is cut, when strands touch and whether they push bodies, substeps, iterations, colliders.
pub type Plan = (Passes, (Touching, bool), usize, usize, Listed);

impl Part {
    pub fn new(gpu: &GpuDevice, layout: &Layout, rows: Rows, blocks: Range<usize>) -> Part {
        let here = &layout.blocks[blocks.clone()];
        let from = &here[0];
        let sum = |of: fn(&Block) -> usize| here.iter().map(of).sum::<usize>();
        let cells = from.offset..from.offset + sum(|b| b.width * b.vertices);
        let lanes = from.strand_offset..from.strand_offset + sum(|b| b.width);
        let (mut strands, mut places) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for (b, block) in blocks.clone().zip(here) {
            for (lane, &strand) in block.strands[..block.width].iter().enumerate() {
                if strand == NO_STRAND {
                    continue;
                }
                strands.push(Strand {
                    offset: (block.offset - cells.start) as u32,
                    width: block.width as u32,
                    lane: lane as u32,
                    vertices: layout.counts[strand as usize],
                    strand_offset: (block.strand_offset - lanes.start) as u32,
                    first_pin: 0,
                    end_pin: 0,
                });
                places.push((b as u32, lane as u32));
            }
        }
        let buffer = |label: &str, len: usize| Buffer::new(gpu, label, len);
        let part = Part {
            rows,
            blocks,
            state: buffer("state", cells.len() * rows.changed().iter().sum::<usize>()),
            params: buffer("params", cells.len() * (param::ROWS + rows.kappa + rows.bulk)),
            supports: buffer("supports", lanes.len() * (rows.supports[0] + rows.supports[1])),
            forces: buffer("forces", 1),
            pushed: false,
            group: None,
            longest: here.iter().map(|b| b.vertices).max().unwrap_or(1),
            settings: Buffer::uniform(gpu, "settings", records::Settings::LEN),
            ranges: Buffer::uniform(gpu, "ranges", SubstepRange::LEN),
            planned: (Vec::new(), (Passes::Fused, (Touching::Never, false), 0, 0, Listed::default())),
            strands_buffer: buffer("strands", strands.len() * Strand::LEN),
            pins: buffer("pins", records::Pin::LEN),
            report: buffer("report", strands.len() * REPORT_ROWS as usize),
            scratch: buffer("scratch", cells.len() * rows.scratch()),
            cells,
            lanes,
            strands,
            places,
        };
        part.upload_strands(gpu, &mut Vec::new());
        part
    }

    /// Where the part's numbers are in a buffer with so many rows a vertex.
    pub fn of(&self, rows: usize) -> Range<usize> {
        self.cells.start * rows..self.cells.end * rows
    }
    /// Where each of the lists of [`Rows::changed`] begins in `state`.
    pub fn changed_at(&self) -> [usize; 4] {
        let mut at = 0;
        self.rows.changed().map(|rows| {
            let begin = at;
            at += self.cells.len() * rows;
            begin
        })
    }
    /// Where κ̄₂ and κ̄₃ begin in `params`.
    pub fn kappa_base(&self) -> usize {
        self.cells.len() * param::ROWS
    }
    /// Where the constants of scales do.
    pub fn bulk_base(&self) -> usize {
        self.cells.len() * (param::ROWS + self.rows.kappa)
    }
    /// Where the tips' supports begin.
    pub fn tip_base(&self) -> usize {
        self.lanes.len() * self.rows.supports[0]
    }

    pub fn upload_pins(&mut self, gpu: &GpuDevice, pins: &[Pin], staged: &mut Vec<f32>) {
        staged.clear();
        for pin in pins {
            let v = |p: [f64; 3]| p.map(|c| c as f32);
            records::Pin { start: v(pin.from), vertex: pin.vertex, end: v(pin.to) }.put(staged);
        }
        self.pins.fit(gpu, "pins", staged.len(), &mut self.group);
        self.pins.upload(gpu, 0, staged);
        for (strand, place) in self.strands.iter_mut().zip(&self.places) {
            strand.first_pin = pins.partition_point(|p| (p.block, p.lane) < *place) as u32;
            strand.end_pin = pins.partition_point(|p| (p.block, p.lane) <= *place) as u32;
        }
        self.upload_strands(gpu, staged);
    }

    fn upload_strands(&self, gpu: &GpuDevice, staged: &mut Vec<f32>) {
        staged.clear();
        self.strands.iter().for_each(|strand| strand.put(staged));
        self.strands_buffer.upload(gpu, 0, staged);
    }

    /// Where the rows of [`records::PUSH_ROWS`] begin in `report`.
    pub(super) fn push_base(&self) -> usize {
        self.strands.len() * REPORT_ROWS as usize
    }
    /// Rows for what vertices push bodies with; all 0 where `forget`.
    pub(super) fn make_room_for_pushes(&mut self, gpu: &GpuDevice, forget: bool) -> Result<()> {
        let numbers = self.push_base() + self.cells.len() * PUSH_ROWS as usize;
        if self.report.len() < numbers {
            let (needed, most) = (numbers as u64 * 4, gpu.largest_buffer());
            if needed > most {
                let (cells, name) = (self.cells.len(), gpu.name());
                return Err(Error::unsupported(format!(
                    "one_way (WITHY_RODS_ONE_WAY) is off: {cells} vertices that push bodies need a GPU buffer of {needed} bytes, {name} allows {most}"
                )));
            }
            self.report = Buffer::new(gpu, "report", numbers);
            self.group = None;
        } else if forget {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&self.report.inner, self.push_base() as u64 * 4, None);
            gpu.queue.submit([encoder.finish()]);
        }
        Ok(())
    }
    /// Forgets accelerations of before: a step of second order starts anew.
    pub(super) fn restart(&self, gpu: &GpuDevice) {
        let (at, numbers) = (self.changed_at()[1], self.cells.len() * self.rows.second);
        if numbers > 0 {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&self.state.inner, at as u64 * 4, Some(numbers as u64 * 4));
            gpu.queue.submit([encoder.finish()]);
        }
    }
    /// What the passes of bodies read and write of it.
    pub(super) fn report(&self) -> &Buffer {
        &self.report
    }

    pub fn upload_settings(&self, gpu: &GpuDevice, step: &RodsStep<'_, f32>, listed: Listed, staged: &mut Vec<f32>) {
        let s = step.settings;
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
        let [_, second, scales, swept] = self.changed_at().map(|at| at as u32);
        staged.clear();
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
            substeps: step.substeps as u32,
            part: s.part,
            colliders: listed.colliders as u32,
            strands: self.strands.len() as u32,
            tip_base: self.tip_base() as u32,
            forces: self.pushed as u32,
            der: s.model.shaders().expect("refused when the rods were made"),
            search: s.search as u32,
            viscous: s.viscous as u32,
            kappa_base: self.kappa_base() as u32,
            near: s.near,
            max_radius: s.max_radius,
            colliders_at: listed.colliders_at as u32,
            iterations: step.iterations as u32,
            give: s.give,
            second_base: if s.second { second } else { 0 },
            scale_base: if self.rows.scales > 0 { scales } else { 0 },
            swept_base: if self.rows.swept > 0 { swept } else { 0 },
            bulk_base: self.bulk_base() as u32,
            wide_base: (self.cells.len() * SCRATCH_ROWS) as u32,
            push_base: if listed.bodies > 0 { self.push_base() as u32 } else { 0 },
            cells: self.cells.len() as u32,
            pushed_at: listed.pushed_at as u32,
        }
        .put(staged);
        self.settings.upload(gpu, 0, staged);
    }

    /// Distance of two ranges in their buffer, in numbers.
    fn range_stride(gpu: &GpuDevice) -> usize {
        gpu.device.limits().min_uniform_buffer_offset_alignment.max(SubstepRange::LEN as u32 * 4) as usize / 4
    }

    pub fn upload_plan(&mut self, gpu: &GpuDevice, key: Plan, staged: &mut Vec<f32>) -> Result<()> {
        if self.planned.1 == key {
            return Ok(());
        }
        let (passes, touching, substeps, iterations, listed) = key;
        let newton = newton_step(self.rows.second > 0);
        // With a scale a sweep has two loops more, and so has the rest of a substep.
        let (each, rest) = if self.rows.scales > 0 { (6, 10usize) } else { (4, 8) };
        let alone = if self.rows.newton { newton } else { each + rest.div_ceil(iterations.max(1)) };
        let weight = alone + listed.colliders + searches(self.rows.newton) * listed.searches;
        if listed.searches > 0 && gpu.is_software() && self.longest * weight > LONGEST_INVOCATION {
            return Err(Error::unsupported(format!(
                "a strand has {} vertices: {} counts the turns of loops, and beside these hulls and meshes steps strands of at most {}",
                self.longest,
                gpu.name(),
                LONGEST_INVOCATION / weight
            )));
        }
        self.planned = (plan(passes, touching, substeps, iterations, self.longest * weight, self.cells.len() * weight), key);
        let stride = Self::range_stride(gpu);
        staged.clear();
        for &Dispatch { first_substep, end_substep, iterations, left, .. } in &self.planned.0 {
            let next = staged.len() + stride;
            SubstepRange { first_substep, end_substep, iterations, left }.put(staged);
            staged.resize(next, 0.0);
        }
        if self.ranges.len() < staged.len() {
            self.ranges = Buffer::uniform(gpu, "ranges", staged.len());
            self.group = None;
        }
        self.ranges.upload(gpu, 0, staged);
        Ok(())
    }

    fn bind_group(&mut self, gpu: &GpuDevice, solids: &Buffer) -> wgpu::BindGroup {
        let make = || {
            let range = wgpu::BufferBinding {
                buffer: &self.ranges.inner,
                offset: 0,
                size: wgpu::BufferSize::new(SubstepRange::LEN as u64 * 4),
            };
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("strands"),
                layout: &gpu.pipelines(self.rows.solver()).group_layout,
                entries: &[
                    self.settings.entry(0),
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Buffer(range) },
                    self.strands_buffer.entry(2),
                    self.state.entry(3),
                    self.params.entry(4),
                    self.supports.entry(5),
                    self.pins.entry(6),
                    solids.entry(7),
                    self.report.entry(8),
                    self.forces.entry(9),
                    self.scratch.entry(10),
                ][..if self.rows.newton { 11 } else { 10 }],
            })
        };
        let group = self.group.take().unwrap_or_else(make);
        self.group = Some(group.clone());
        group
    }

    /// What strands that touch strands read and write: settings, strands, state, params, report, scratch.
    pub fn touched(&self) -> [&Buffer; 6] {
        [&self.settings, &self.strands_buffer, &self.state, &self.params, &self.report, &self.scratch]
    }
    pub fn strand_count(&self) -> u32 {
        self.strands.len() as u32
    }

    /// What was planned.
    pub(super) fn planned(&self) -> &[Dispatch] {
        &self.planned.0
    }
    pub(super) fn listed(&self) -> Listed {
        self.planned.1.4
    }
    /// Submits the step that was planned: a submission for each dispatch, so that the system's time limit starts anew; a compute pass each would do for
    /// correctness.
    pub fn submit(&mut self, gpu: &GpuDevice, solids: &Buffer) -> Option<wgpu::SubmissionIndex> {
        (0..self.planned.0.len()).map(|i| self.submit_one(gpu, solids, i)).last()
    }
    pub(super) fn submit_one(&mut self, gpu: &GpuDevice, solids: &Buffer, i: usize) -> wgpu::SubmissionIndex {
        let group = self.bind_group(gpu, solids);
        let stride = Self::range_stride(gpu) as u32 * 4;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(gpu.pipelines(self.rows.solver()).get(gpu, self.planned.0[i].pass));
        pass.set_bind_group(0, &group, &[i as u32 * stride]);
        pass.dispatch_workgroups((self.strands.len() as u32).div_ceil(WORKGROUP), 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()])
    }

    /// Adds what the strands report to that of their blocks.
    pub fn read_reports(&self, gpu: &GpuDevice, out: &mut [BlockReport]) -> Result<()> {
        let mut rows = vec![0.0; self.strands.len() * REPORT_ROWS as usize];
        self.report.read(gpu, &mut [&mut rows])?;
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

    pub fn memory_bytes(&self) -> u64 {
        let all = [&self.settings, &self.ranges, &self.strands_buffer, &self.state, &self.params, &self.supports];
        let more = [&self.pins, &self.report, &self.forces, &self.scratch];
        all.iter().chain(&more).map(|b| b.len() as u64 * 4).sum()
    }
}
