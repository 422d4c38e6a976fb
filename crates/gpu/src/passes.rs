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

use super::device::GpuDevice;
use super::follow::View;
use super::part::{Part, Rows};
use super::push::Ways;
use super::shaders::{self, Solver};
use super::solids::Solids;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::Instant;
use withy_solve::desc::error::{Error, Result};
use withy_solve::layout::{Buffers, FORCE_ROWS, Layout, param};
use withy_solve::rods::group::{BlockReport, Pin};
use withy_solve::stages::{At, Stage, Work, step};
use withy_solve::step::RodsStep;

pub(super) const WORKGROUP: u32 = 32;

/// Vertices × iterations × substeps that one invocation does in a dispatch, at most. At a few µs each (memory latency, one
/// strand a lane) that is a quarter of a second; systems reset a GPU after about two.
pub(super) const LONGEST_INVOCATION: usize = 1 << 16;
/// The same for all invocations together: about 10³ operations each, a quarter of a second at 10¹² operations a second.
const LONGEST_DISPATCH: usize = 1 << 28;

/// What a Newton step counts as: the turns of its loops a vertex, with the longest search. (A sweep and its contacts have four and one
/// a collider, the rest of a substep eight.) A software rasteriser, Mesa's llvmpipe, ends all loops of an invocation after 65,535
/// turns, whether they are done or not.
const NEWTON_STEP: usize = 96;
/// Of rods of second order, on top: what starts anew, and the velocities.
const SECOND_STEP: usize = 6;

/// Searches in a hull or a mesh for a vertex in an iteration: in a Newton step where it is carried and where it then is, where the solution takes it, and
/// after the step.
pub(super) fn searches(newton: bool) -> usize {
    if newton { 4 } else { 1 }
}

pub(super) fn newton_step(second: bool) -> usize {
    NEWTON_STEP + if second { SECOND_STEP } else { 0 }
}

/// Storage buffers that a pass of Newton's method binds. WebGPU promises eight; adapters that run such strands have more.
pub(super) const NEWTON_BUFFERS: u32 = 9;

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

/// When strands touch strands, or push bodies: steps are then [`Passes::Staged`], as strands wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Touching {
    #[default]
    Never,
    /// After the last solve of a substep: each Newton step goes its own way from where the substep began.
    Last,
    /// After each sweep.
    Each,
}

/// The passes of a solver, shared by all rods of a device. Each is compiled when it is first needed: all have the whole solver in them.
pub struct Pipelines {
    module: wgpu::ShaderModule,
    pub(super) group_layout: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    passes: [OnceLock<wgpu::ComputePipeline>; 5],
}

impl Pipelines {
    pub(super) fn new(gpu: &GpuDevice, solver: Solver) -> Pipelines {
        use wgpu::BufferBindingType::{Storage, Uniform};
        let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
            count: None,
        };
        let (read, write) = (Storage { read_only: true }, Storage { read_only: false });
        // settings, range, strands, state, params, supports, pins, solids, report, forces, scratch
        let entries = [Uniform, Uniform, read, write, read, read, read, read, write, read, write];
        let entries = &entries[..if solver.is_newton() { 11 } else { 10 }];
        let entries: Vec<_> = entries.iter().copied().enumerate().map(|(i, ty)| entry(i as u32, ty, i == 1)).collect();
        let group_layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("strands"), entries: &entries });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("strands"),
            bind_group_layouts: &[Some(&group_layout)],
            immediate_size: 0,
        });
        Pipelines { module: gpu.module("strands", &shaders::module(solver)), group_layout, layout, passes: Default::default() }
    }

    pub(super) fn get(&self, gpu: &GpuDevice, pass: Pass) -> &wgpu::ComputePipeline {
        self.passes[pass as usize].get_or_init(|| {
            let entry = ["step_strands", "predict_strands", "sweep_strands", "finalize_strands", "near_strands"][pass as usize];
            let made = gpu.pipeline(&self.module, Some(&self.layout), entry);
            gpu.keep_pipelines();
            made
        })
    }
}

/// What one dispatch does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dispatch {
    pub pass: Pass,
    pub first_substep: u32,
    pub end_substep: u32,
    pub iterations: u32,
    /// Sweeps that the substep has after these.
    pub left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(usize)]
pub(super) enum Pass {
    Step,
    Predict,
    Sweep,
    Finalize,
    /// Which bodies vertices may push.
    Near,
    /// Several dispatches of `touch.wgsl`: 1 iteration where it is the substep's first.
    Touch,
    /// What pushed strands before, as loads of a Newton step.
    Load,
}

/// Cuts a step so that no dispatch exceeds the limits above.
pub(super) fn plan(
    passes: Passes,
    (touching, pushes): (Touching, bool),
    substeps: usize,
    iterations: usize,
    longest: usize,
    cells: usize,
) -> Vec<Dispatch> {
    let fits = |one: usize| (LONGEST_INVOCATION / (longest * one)).min(LONGEST_DISPATCH / (cells * one));
    let together = match passes {
        _ if touching != Touching::Never => 0,
        Passes::Fused => fits(iterations.max(1)),
        Passes::Substep => fits(iterations.max(1)).min(1),
        Passes::Staged => 0,
    };
    let mut cut =
        Cut { all: Vec::new(), iterations, touching, pushes, most: if touching == Touching::Each { 1 } else { fits(1).max(1) } };
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
    touching: Touching,
    /// Bodies.
    pushes: bool,
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
            Stage::Predict => {
                self.push(Pass::Predict, substep, substep + 1, 0, 0);
                if self.pushes {
                    self.push(Pass::Near, substep, substep + 1, 0, 0);
                }
                if self.touching == Touching::Last {
                    self.push(Pass::Load, substep, substep + 1, 0, 0);
                }
            }
            // The pass has the contacts after each iteration in it.
            Stage::Solve if at.iteration.is_multiple_of(self.most) => {
                let now = self.most.min(at.iterations - at.iteration);
                self.push(Pass::Sweep, substep, substep + 1, now, at.iterations - at.iteration - now);
            }
            Stage::RodContacts => match self.touching {
                Touching::Last if at.last() => self.push(Pass::Touch, substep, substep + 1, 1, 0),
                Touching::Each => {
                    self.push(Pass::Touch, substep, substep + 1, if at.first() { 1 } else { 0 }, at.iterations - at.iteration - 1)
                }
                _ => {}
            },
            Stage::Finalize => self.push(Pass::Finalize, substep, substep + 1, 0, 0),
            // The last pass of a step reports. Nothing here is coupled to others.
            _ => {}
        }
        Ok(())
    }
}

/// A set of rods whose state lives on the GPU. It reads the layout's own buffers: the rows of a block are the same on both
/// sides, so that upload and readback are plain copies. A set that no buffer of the adapter holds is in several [`Part`]s.
pub struct GpuRods {
    gpu: GpuDevice,
    passes: Passes,
    parts: Vec<Part>,
    /// The same for all parts.
    solids: Solids,
    /// Friction and the largest radius of the step under way, m: what a pool asks for.
    touching: [f32; 2],
    staged: Vec<f32>,
    /// Whether it pushed bodies in the last step.
    pushed: bool,
    /// The last submissions of the steps that may still be running.
    running: VecDeque<wgpu::SubmissionIndex>,
}

impl core::fmt::Debug for GpuRods {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GpuRods").field("gpu", &self.gpu).field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}

/// Worlds move between threads and are read by several.
const _: () = {
    const fn send_sync<T: Send + Sync>() {}
    send_sync::<GpuRods>();
};

impl GpuRods {
    /// Copies constants, state and supports to the GPU. `newton`: rods whose order is [`SweepOrder::Direct`]. `InvalidArgument`
    /// where a block of strands needs a larger buffer than the adapter allows, `Unsupported` where it cannot bind enough of them.
    pub fn new(gpu: &GpuDevice, layout: &Layout, buffers: &Buffers<f32>, newton: bool) -> Result<GpuRods> {
        Self::stepping(gpu, layout, buffers, newton, false)
    }
    /// The same; `staged`: single passes will step them.
    pub fn stepping(gpu: &GpuDevice, layout: &Layout, buffers: &Buffers<f32>, newton: bool, staged: bool) -> Result<GpuRods> {
        let storage = gpu.device.limits().max_storage_buffers_per_shader_stage;
        if newton && storage < NEWTON_BUFFERS {
            return Err(Error::unsupported(format!(
                "order is Direct: Newton's method needs {NEWTON_BUFFERS} storage buffers a pass, {} has {storage}",
                gpu.name()
            )));
        }
        let longest = layout.blocks.iter().map(|b| b.vertices).max().unwrap_or(1);
        let turns = newton_step(!buffers.second.is_empty());
        if newton && gpu.is_software() && longest * turns > LONGEST_INVOCATION {
            return Err(Error::unsupported(format!(
                "a strand has {longest} vertices: {} counts the turns of loops, and solves at most {} directly",
                gpu.name(),
                LONGEST_INVOCATION / turns
            )));
        }
        let rows = Rows::of(layout, buffers, newton);
        let mut parts = Vec::new();
        for blocks in rows.split(gpu, layout)? {
            parts.push(Part::new(gpu, layout, rows, blocks));
        }
        let mut rods = GpuRods {
            gpu: gpu.clone(),
            passes: Passes::default(),
            parts,
            solids: Solids::new(gpu),
            touching: [0.0; 2],
            staged: Vec::new(),
            pushed: false,
            running: VecDeque::new(),
        };
        // Now, and not within a step: those that steps will need, unless it has very many colliders.
        let one = longest * if newton { turns } else { 16 };
        let needed =
            if one <= LONGEST_INVOCATION && !staged { &[Pass::Step][..] } else { &[Pass::Predict, Pass::Sweep, Pass::Finalize] };
        for &pass in needed {
            gpu.pipelines(rows.solver()).get(gpu, pass);
        }
        rods.upload_state([&buffers.state, &buffers.second, &buffers.scales, &buffers.swept])?;
        rods.upload_params(&buffers.params)?;
        rods.upload_kappa(&buffers.extra)?;
        rods.upload_bulk(&buffers.bulk)?;
        rods.upload_supports([&buffers.supports[0], &buffers.supports[1]])?;
        rods.upload_forces(&buffers.forces)?;
        gpu.wait()?;
        Ok(rods)
    }

    /// Whether strands of the set can be in a pool of strands that touch ([`super::touch::Touch`]): it is in one part.
    pub fn can_touch(&self) -> Result<()> {
        match self.parts.len() {
            0 | 1 => Ok(()),
            n => Err(Error::unsupported(format!(
                "self_contact (WITHY_RODS_SELF_CONTACT): a set whose strands touch is in one part on the gpu backend, and this one is in {n}"
            ))),
        }
    }

    /// Forces how steps are cut, for measurements and tests. All give the same result.
    pub fn set_passes(&mut self, passes: Passes) {
        self.passes = passes;
    }
    /// Its parts, for what follows the rods.
    pub fn views(&self) -> Vec<View> {
        let view = |p: &Part| View {
            blocks: p.blocks.clone(),
            first_cell: p.cells.start,
            state: p.state.inner.clone(),
            scales_at: (p.rows.scales > 0).then(|| p.changed_at()[2]),
        };
        self.parts.iter().map(view).collect()
    }
    /// In how many parts the set is.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The numbers that every part has of a buffer with so many rows a vertex, all of them together.
    fn all(&self, rows: impl Fn(&Part) -> usize) -> usize {
        self.parts.iter().map(rows).sum()
    }
    fn fits(name: &str, given: usize, has: usize) -> Result<()> {
        if given == has { Ok(()) } else { Err(Error::invalid(format!("{name} has {given} numbers, the rods have {has}"))) }
    }

    /// Replaces all state (`Buffers::state`, `second`, `scales` and `swept`).
    pub fn upload_state(&mut self, rows: [&[f32]; 4]) -> Result<()> {
        self.state_fits(rows.map(<[f32]>::len))?;
        for p in &self.parts {
            for ((at, of), numbers) in p.changed_at().into_iter().zip(p.rows.changed()).zip(rows) {
                p.state.upload(&self.gpu, at, &numbers[p.of(of)]);
            }
        }
        Ok(())
    }
    /// Replaces all constants (`Buffers::params`): after a change of rest shape, stiffness or held vertices.
    pub fn upload_params(&mut self, params: &[f32]) -> Result<()> {
        Self::fits("params", params.len(), self.all(|p| p.cells.len() * param::ROWS))?;
        for p in &self.parts {
            p.params.upload(&self.gpu, 0, &params[p.of(param::ROWS)]);
        }
        Ok(())
    }
    fn state_fits(&self, given: [usize; 4]) -> Result<()> {
        for (k, (name, given)) in ["state", "second", "scales", "swept"].into_iter().zip(given).enumerate() {
            Self::fits(name, given, self.all(|p| p.cells.len() * p.rows.changed()[k]))?;
        }
        Ok(())
    }
    /// Replaces the constants of sections (`Buffers::bulk`) of rods that keep their volume.
    pub fn upload_bulk(&mut self, bulk: &[f32]) -> Result<()> {
        Self::fits("bulk", bulk.len(), self.all(|p| p.cells.len() * p.rows.bulk))?;
        for p in &self.parts {
            p.params.upload(&self.gpu, p.bulk_base(), &bulk[p.of(p.rows.bulk)]);
        }
        Ok(())
    }
    /// Replaces the rest strains that only discrete elastic rods have (`Buffers::extra`).
    pub fn upload_kappa(&mut self, kappa: &[f32]) -> Result<()> {
        Self::fits("kappa", kappa.len(), self.all(|p| p.cells.len() * p.rows.kappa))?;
        for p in &self.parts {
            p.params.upload(&self.gpu, p.kappa_base(), &kappa[p.of(p.rows.kappa)]);
        }
        Ok(())
    }
    /// Replaces the poses of the driven ends (`Buffers::supports`), roots and tips.
    pub fn upload_supports(&mut self, supports: [&[f32]; 2]) -> Result<()> {
        for (end, given) in supports.into_iter().enumerate() {
            Self::fits("supports", given.len(), self.all(|p| p.lanes.len() * p.rows.supports[end]))?;
        }
        for p in &self.parts {
            let [root, tip] = p.rows.supports.map(|rows| p.lanes.start * rows..p.lanes.end * rows);
            p.supports.upload(&self.gpu, 0, &supports[0][root]);
            p.supports.upload(&self.gpu, p.tip_base(), &supports[1][tip]);
        }
        Ok(())
    }

    /// Replaces the forces on the vertices (`Buffers::forces`); empty: none.
    pub fn upload_forces(&mut self, forces: &[f32]) -> Result<()> {
        if !forces.is_empty() {
            Self::fits("forces", forces.len(), self.all(|p| p.cells.len() * FORCE_ROWS))?;
        }
        for p in &mut self.parts {
            p.pushed = !forces.is_empty();
            let here = if p.pushed { &forces[p.of(FORCE_ROWS)] } else { &[] };
            p.forces.fit(&self.gpu, "forces", here.len(), &mut p.group);
            p.forces.upload(&self.gpu, 0, here);
        }
        Ok(())
    }

    /// Replaces the host-driven vertices, sorted by block, lane and vertex as `Rods` keeps them.
    pub fn upload_pins(&mut self, pins: &[Pin]) -> Result<()> {
        for p in &mut self.parts {
            let at = |block: usize| pins.partition_point(|pin| (pin.block as usize) < block);
            p.upload_pins(&self.gpu, &pins[at(p.blocks.start)..at(p.blocks.end)], &mut self.staged);
        }
        self.gpu.check()
    }

    /// Submits one step and returns without waiting for it (only for the third step before it). An error that the GPU reports later comes with the next call.
    pub fn step(&mut self, step: &RodsStep<'_, f32>) -> Result<()> {
        self.plan(step, false, None)?;
        let mut submitted = None;
        for part in &mut self.parts {
            submitted = part.submit(&self.gpu, &self.solids.buffer);
        }
        self.note_running(submitted);
        self.gpu.check()
    }
    /// Does all of a step but its dispatches, for rods that touch others or push bodies: [`super::together::step`] submits them.
    pub fn prepare(&mut self, step: &RodsStep<'_, f32>, pushes: Option<&Ways>) -> Result<()> {
        self.touching = [step.settings.friction, step.settings.max_radius];
        self.plan(step, true, pushes)
    }

    /// Compiles what a set needs that pushes bodies, so that no step has to.
    pub fn prepare_to_push(&self) {
        let Some(part) = self.parts.first() else { return };
        for pass in [Pass::Predict, Pass::Near, Pass::Sweep, Pass::Finalize] {
            self.gpu.pipelines(part.rows.solver()).get(&self.gpu, pass);
        }
        self.gpu.push_pipelines();
    }

    /// Pushes of before are none of the state that follows.
    pub fn forget_pushes(&mut self) {
        self.pushed = false;
    }

    fn plan(&mut self, step: &RodsStep<'_, f32>, touches: bool, pushes: Option<&Ways>) -> Result<()> {
        self.gpu.check()?;
        if self.parts.is_empty() {
            return Ok(());
        }
        if self.running.len() == MOST_RUNNING {
            self.gpu.wait_for(self.running.pop_front())?;
        }
        let (listed, another) = self.solids.upload(&self.gpu, step, pushes)?;
        if another {
            self.parts.iter_mut().for_each(|p| p.group = None);
        }
        let pushed = core::mem::replace(&mut self.pushed, pushes.is_some());
        let forget = !pushed;
        if pushed && pushes.is_none() {
            // Beside bodies steps are of first order: an acceleration of before is none of this motion.
            self.parts.iter().for_each(|p| p.restart(&self.gpu));
        }
        for part in &mut self.parts {
            if pushes.is_some() {
                part.make_room_for_pushes(&self.gpu, forget)?;
            }
            part.upload_settings(&self.gpu, step, listed, &mut self.staged);
            let touching = match touches {
                false => Touching::Never,
                true if part.rows.newton => Touching::Last,
                true => Touching::Each,
            };
            part.upload_plan(
                &self.gpu,
                (self.passes, (touching, pushes.is_some()), step.substeps, step.iterations, listed),
                &mut self.staged,
            )?;
        }
        Ok(())
    }
    pub(super) fn note_running(&mut self, submitted: Option<wgpu::SubmissionIndex>) {
        self.running.extend(submitted);
    }
    pub(super) fn touching(&self) -> [f32; 2] {
        self.touching
    }
    /// The part of a set that is in a pool.
    pub(super) fn part(&self) -> &Part {
        &self.parts[0]
    }
    pub(super) fn all_parts(&self) -> &[Part] {
        &self.parts
    }
    /// One dispatch of a part.
    pub(super) fn submit_own(&mut self, part: usize, dispatch: usize) -> wgpu::SubmissionIndex {
        self.parts[part].submit_one(&self.gpu, &self.solids.buffer, dispatch)
    }
    pub(super) fn solids(&self) -> &Solids {
        &self.solids
    }

    /// Waits for the steps and copies the state back (`Buffers::state`, `second`, `scales` and `swept`).
    pub fn read_state(&mut self, rows: [&mut [f32]; 4]) -> Result<()> {
        self.state_fits(rows.each_ref().map(|r| r.len()))?;
        let [state, second, scales, swept] = rows;
        for p in &self.parts {
            let [a, b, c, d] = p.rows.changed().map(|of| p.of(of));
            p.state.read(&self.gpu, &mut [&mut state[a], &mut second[b], &mut scales[c], &mut swept[d]])?;
        }
        Ok(())
    }

    /// Waits for the steps and fills one report a block, about the last step.
    pub fn read_reports(&mut self, out: &mut [BlockReport]) -> Result<()> {
        out.fill(BlockReport::default());
        self.parts.iter().try_for_each(|p| p.read_reports(&self.gpu, out))
    }

    /// Bytes on the GPU.
    pub fn memory_bytes(&self) -> u64 {
        self.solids.memory_bytes() + self.parts.iter().map(Part::memory_bytes).sum::<u64>()
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
                let all = plan(passes, (Touching::Never, false), substeps, iterations, longest, cells);
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
                assert!(all.iter().all(|d| d.pass != Pass::Touch), "nothing touches");
                assert_eq!(all.last().map(|d| d.end_substep as usize), Some(substeps));
            }
        }
    }

    /// After the last Newton step of each substep, or after each sweep, first and last ones marked; never beside another strand's dispatch.
    #[test]
    fn strands_touch_between_dispatches() {
        for (touching, each) in [(Touching::Last, 1), (Touching::Each, 3)] {
            let all = plan(Passes::Fused, (touching, false), 4, 3, 20, 400);
            assert!(all.iter().all(|d| d.pass != Pass::Step));
            let touches: Vec<_> = all.iter().filter(|d| d.pass == Pass::Touch).collect();
            assert_eq!(touches.len(), 4 * each);
            assert_eq!(touches.iter().filter(|d| d.iterations == 1).count(), 4);
            assert_eq!(touches.iter().filter(|d| d.left == 0).count(), 4);
            for pair in all.windows(2).filter(|p| p[1].pass == Pass::Touch) {
                assert!(
                    pair[0].pass == Pass::Sweep && pair[0].first_substep == pair[1].first_substep && pair[0].left == pair[1].left
                );
            }
        }
    }
}
