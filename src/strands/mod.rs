//! A set of rods: what the host reads and writes between steps. All arrays are in host order.

pub mod answer;
mod bundle;
mod bundle_rest;
mod carry;
mod change;
mod clamps;
mod cuts;
mod fields;
mod goals;
pub(crate) mod gpu_side;
mod loads;
mod muscle;
pub(crate) mod rest;
pub(crate) mod rest_shape;
mod saved;
mod section_fit;
pub(crate) mod section_solver;
mod sections;
mod sections_at_rest;
pub mod settings;
mod solved;
mod stiffness;
pub(crate) mod stored;
mod ties;
mod volume;

use std::collections::{BTreeMap, BTreeSet};

use crate::collide::Bounds;
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::validate;
use crate::desc::*;
use crate::layout::{
    Aligned, Buffers, DOUBLE_LANES, Layout, MAX_LANES, SPIN_ROWS, contact, param, second, state, support, transport,
};
use crate::math::vec3::vec3;
use crate::math::{Elem, Quat, Vec3};
use crate::rods::compile::{StrandIssue, compile, optional_rows, scratch_rows};
use crate::rods::ghost::kernels::{EdgeFrame, edge_frame, rodrigues};
use crate::rods::group::{BlockReport, Pin};
use crate::rods::material::{Material, RestRow};
use crate::sagfree::batch::StrandReport;
use gpu_side::{Changed, GpuDevice, GpuSide};
pub use muscle::StrandForce;
pub(crate) use rest::{Kept, mixed};
use section_solver::Bundles;
use settings::{Coupling, Reach};

/// How much of a written frame's d¹ must lie across its edge.
const ALONG: f64 = 1e-3;

/// State and constants in the world's precision.
#[derive(Debug)]
pub enum Data {
    F32(Buffers<f32>),
    F64(Buffers<f64>),
}

macro_rules! with {
    ($data:expr, $b:ident => $body:expr) => {
        match $data {
            $crate::strands::Data::F32($b) => $body,
            $crate::strands::Data::F64($b) => $body,
        }
    };
}
pub(crate) use with;

/// A groom, a rope, the strings of a net.
#[derive(Debug)]
pub struct Rods {
    pub(crate) layout: Layout,
    pub(crate) data: Data,
    pub(crate) desc: RodsDesc,
    pub(crate) pins: Vec<Pin>,
    pub(crate) reports: Vec<BlockReport>,
    /// Blocks of each task: consecutive ranges of roughly equal work.
    pub(crate) tasks: Vec<core::ops::Range<u32>>,
    pub(crate) reach: Reach,
    /// The largest scale that a section may come to in a step; 1 where radii stay.
    pub(crate) swollen: f64,
    /// What ties these rods to others, by strand and end (true: the tip).
    pub(crate) ties: BTreeMap<(u32, bool), Id>,
    /// Of these, ends that are tied to other rods, bodies or meshes.
    pub(crate) tied_to_others: u32,
    /// Where these held their ends at the last `World::aim_ties`.
    pub(crate) anchors: BTreeMap<(u32, bool), Vec3<f64>>,
    /// Some of them, in this substep, by anchors that are solved apart.
    pub(crate) netted: bool,
    /// In the step under way, the box in which bodies may be that these rods push; `None`: there are none, or the rods push none.
    pub(crate) meets: Option<Bounds<f64>>,
    /// Edges, by their first vertices, that overlapped when the rods were made, and by how much, m: they may go on.
    pub(crate) overlaps: Vec<([u32; 2], f64)>,
    /// Lanes of each block that others touch in this iteration, one bit each: alone asked for answers. Empty where they are never pressed.
    pub(crate) touched: Vec<u32>,
    pub(crate) bundles: Option<Bundles>,
    pub(crate) fields: Option<Box<fields::Fields>>,
    pub(crate) cuts: cuts::Cuts,
    /// Counted up when they meet others than before.
    pub(crate) layers_changed: u32,
    pub(crate) rest: rest::Rest,
    /// Substep of the last step, s: multipliers over its square are forces. 0 before the first step.
    pub(crate) last_h: f64,
    /// The last step, s.
    pub(crate) last_step: f64,
    /// Steps that the host says will come, s.
    pub(crate) next_step: Option<f64>,
    /// Where the state is, if it is not in `data`.
    pub(crate) gpu: Option<GpuSide>,
    issues: Vec<StrandIssue>,
    /// What the host has described, and what searches have found for it.
    pub(crate) material: Material,
    /// Substep that `data` is compiled for, s, and whether that takes all stiffness for what it is.
    pub(crate) compiled_for: f64,
    pub(crate) compiled_whole: bool,
    pub(crate) elastic: Vec<StrandReport>,
    /// While rest shapes are found: ends whose attachments give, of strands that something firmer holds.
    pub(crate) gives: BTreeSet<(u32, bool)>,
    /// Frame of the end edge relative to the host's pose, for each strand and end: Ēᵀ D̄ of eq. 22.
    offsets: [Vec<Quat<f64>>; 2],
    /// Where the roots were at creation, m, one a strand; empty if they are free.
    root_origins: Vec<[f64; 3]>,
}

/// Memory for the layout of a strand, and for the work on a vertex while its strand is compiled, at most.
const STRAND_BYTES: usize = 256;
const VERTEX_BYTES: usize = 256;

/// Of a vertex in the material.
const MATERIAL_BYTES: usize = size_of::<RestRow>() + size_of::<f64>();

/// Vertices of the blocks that make one task, at least.
const TASK_CELLS: usize = 1024;

/// Where strands end, for [`Layout::in_blocks_of`]; none where counts and positions are not of each other, which is refused elsewhere.
fn tips(counts: &[u32], positions: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let ends = counts.iter().scan(0usize, |end, &n| {
        *end += n as usize;
        Some(*end)
    });
    ends.map_while(|end| positions.get(end.checked_sub(1)?).copied()).collect()
}

impl Rods {
    pub(crate) fn new(mut desc: RodsDesc, world: &WorldDesc, gpu: Option<&GpuDevice>) -> Result<Rods> {
        let (double, gravity) = (world.double_precision, world.gravity);
        desc.order = settings::order(&desc);
        desc.integrator = settings::integrator(&desc);
        if !desc.model.is_swept() && matches!(desc.stiffness, Stiffness::Alpha { .. }) {
            let (number, name) = (desc.model as u32, desc.model.name());
            return Err(Error::invalid(format!("model is {number}: {name} need physical stiffness, not alpha")));
        }
        validate::rods(&desc)?;
        let (vertices, strands) = (desc.positions.len(), desc.counts.len());
        let what = format_args!("counts add up to {vertices} vertices in {strands} strands");
        validate::memory(strands * STRAND_BYTES, what)?;
        let longest = desc.counts.iter().copied().max().unwrap_or(0) as usize;
        let reach = Reach::of(&desc);
        let counts = core::mem::take(&mut desc.counts);
        let tips = if desc.is_bundled() { Vec::new() } else { tips(&counts, &desc.positions) };
        let layout = Layout::in_blocks_of(if double { DOUBLE_LANES } else { MAX_LANES }, counts, &tips);
        let scalar = if double { 8 } else { 4 };
        let band = layout.cells * optional_rows(&desc);
        let authored = vertices * MATERIAL_BYTES + longest * VERTEX_BYTES;
        validate::memory((layout.buffer_scalars() + band) * scalar + authored, what)?;
        let compiled_for = stiffness::EXPECTED_STEP / f64::from(world.substeps);
        #[cfg_attr(feature = "gpu", allow(unused_mut))]
        let (mut data, (material, issues, compiled_whole)) = if double {
            let c = compile::<f64>(&desc, &layout, gravity, compiled_for);
            (Data::F64(c.buffers), (c.material, c.issues, c.whole))
        } else {
            let c = compile::<f32>(&desc, &layout, gravity, compiled_for);
            (Data::F32(c.buffers), (c.material, c.issues, c.whole))
        };
        #[cfg(feature = "gpu")]
        let (mut data, gpu) = match (data, gpu) {
            (Data::F32(mut b), Some(gpu)) => {
                let newton = desc.order == SweepOrder::Direct;
                #[cfg(feature = "paper")]
                if desc.ghost_gravity != GhostGravity::Shared
                    || matches!(desc.order, SweepOrder::Bidirectional | SweepOrder::Sequential)
                {
                    return Err(Error::unsupported("the gpu backend has no modes that only a paper's figure needs"));
                }
                if desc.model.shaders().is_none() {
                    let (number, name) = (desc.model as u32, desc.model.name());
                    return Err(Error::unsupported(format!("model is {number}: the gpu backend has no {name}")));
                }
                if desc.muscle.is_some() {
                    return Err(Error::unsupported("muscle is given: the gpu backend has no muscles"));
                }
                if desc.is_bundled() {
                    let k = desc.strands_per_bundle;
                    return Err(Error::unsupported(format!("strands_per_bundle is {k}: the gpu backend has no bundles")));
                }
                let mut side = GpuSide::new(gpu, &layout, &mut b, newton, desc.self_contact)?;
                if desc.self_contact {
                    side.can_touch()?;
                }
                (Data::F32(b), Some(side))
            }
            (data, _) => (data, None),
        };
        #[cfg(not(feature = "gpu"))]
        let gpu = gpu.map(|none| match *none {});
        let mut tasks = Vec::new();
        let (mut begin, mut cells) = (0, 0);
        for (i, block) in layout.blocks.iter().enumerate() {
            cells += block.width * block.vertices;
            if cells >= TASK_CELLS || i + 1 == layout.blocks.len() {
                tasks.push(begin..i as u32 + 1);
                (begin, cells) = (i as u32 + 1, 0);
            }
        }
        let root_origins = match desc.root {
            EndSupport::Free => Vec::new(),
            _ => (0..layout.strand_count()).map(|s| desc.positions[layout.starts[s] as usize]).collect(),
        };
        let touched = vec![0; if desc.self_contact || desc.is_bundled() { layout.blocks.len() } else { 0 }];
        let bundles = Self::make_bundles(&desc, &layout, &mut data);
        let mut rods = Rods {
            reports: vec![BlockReport::default(); layout.blocks.len()],
            layout,
            data,
            pins: Vec::new(),
            tasks,
            reach,
            swollen: 1.0,
            ties: BTreeMap::new(),
            tied_to_others: 0,
            anchors: BTreeMap::new(),
            netted: false,
            meets: None,
            overlaps: Vec::new(),
            touched,
            bundles,
            fields: None,
            cuts: cuts::Cuts::default(),
            layers_changed: 0,
            rest: rest::Rest::default(),
            last_h: 0.0,
            last_step: 0.0,
            next_step: None,
            gpu,
            issues,
            material,
            compiled_for,
            compiled_whole,
            elastic: Vec::new(),
            gives: BTreeSet::new(),
            offsets: [Vec::new(), Vec::new()],
            root_origins,
            // The bulk arrays live on in the buffers and in the material.
            desc: RodsDesc {
                radii: Vec::new(),
                stiffness_scale: Vec::new(),
                positions: Vec::new(),
                rest_positions: Vec::new(),
                velocities: Vec::new(),
                section_axes: Vec::new(),
                rest_shape: RestShape::FromPose,
                ..desc
            },
        };
        // Sections can be read before the first step.
        rods.tie_bundles(compiled_for);
        // A host's pose starts as the identity rotation at the end vertex.
        for end in 0..2 {
            if with!(&rods.data, b => b.supports[end].is_empty()) {
                continue;
            }
            rods.offsets[end] = (0..rods.strand_count())
                .map(|s| {
                    let c = |k| with!(&rods.data, b => b.supports[end][rods.layout.strand_index(s, support::ROWS, support::TO_ROTATION + k)].to_f64());
                    Quat { x: c(0), y: c(1), z: c(2), w: c(3) }
                })
                .collect();
        }
        Ok(rods)
    }

    pub fn strand_count(&self) -> usize {
        self.layout.strand_count()
    }
    pub fn vertex_count(&self) -> usize {
        self.layout.vertex_count()
    }
    pub fn edge_count(&self) -> usize {
        self.layout.edge_count()
    }
    /// Interior vertices: where bending and twist live.
    pub fn element_count(&self) -> usize {
        self.layout.element_count()
    }
    /// Vertices of each strand.
    pub fn counts(&self) -> &[u32] {
        &self.layout.counts
    }
    /// What solves the rods: what `SweepOrder::Auto` became; discrete elastic rods have [`SweepOrder::Direct`].
    pub fn order(&self) -> SweepOrder {
        self.desc.order
    }
    /// How they integrate over time: what `Integrator::Auto` became.
    pub fn integrator(&self) -> Integrator {
        self.desc.integrator
    }
    /// Rows of [`second`] that the state has, and a number of these.
    pub(crate) fn second_rows(&self) -> usize {
        if self.desc.integrator == Integrator::Second { second::ROWS } else { 0 }
    }
    pub(crate) fn second_number(&self, strand: usize, v: usize, row: usize) -> f64 {
        let i = self.layout.index(strand, v, second::ROWS, row);
        match &self.gpu {
            Some(gpu) => f64::from(gpu.rows()[1][i]),
            None => with!(&self.data, b => b.second[i].to_f64()),
        }
    }
    pub(crate) fn set_second(&mut self, strand: usize, v: usize, row: usize, x: f64) {
        let i = self.layout.index(strand, v, second::ROWS, row);
        match &mut self.gpu {
            Some(gpu) => gpu.state_mut()[1][i] = x as f32,
            None => with!(&mut self.data, b => b.second[i] = Elem::from_f64(x)),
        }
    }
    /// A strand has no motion of before.
    pub(crate) fn begins_anew(&mut self, strand: usize) {
        for v in 0..self.layout.counts[strand] as usize {
            (0..self.second_rows()).for_each(|row| self.set_second(strand, v, row, 0.0));
        }
    }
    /// A strand begins its motion anew, as positions or velocities are others now: an acceleration of before is none of it.
    pub(crate) fn restart(&mut self, strand: usize) {
        self.begins_anew(strand);
        for v in 0..self.layout.counts[strand] as usize {
            self.forget_multipliers(strand, v);
        }
    }
    /// Degenerate input, strand by strand.
    pub fn report(&self) -> &[StrandIssue] {
        &self.issues
    }
    pub fn memory_bytes(&self) -> u64 {
        let buffers = with!(&self.data, b => b.bytes());
        let layout = self.layout.counts.len() * 4
            + self.layout.starts.len() * 4
            + self.layout.places.len() * size_of::<crate::layout::Place>()
            + self.layout.blocks.len() * size_of::<crate::layout::Block>();
        let rest = self.reports.len() * size_of::<BlockReport>()
            + self.tasks.len() * size_of::<core::ops::Range<u32>>()
            + self.pins.len() * size_of::<Pin>()
            + self.ties.len() * size_of::<((u32, bool), Id)>()
            + (self.offsets[0].len() + self.offsets[1].len()) * size_of::<Quat<f64>>()
            + self.elastic.len() * size_of::<StrandReport>()
            + self.bundles.as_ref().map_or(0, Bundles::bytes)
            + self.rest.bytes()
            + self.material.bytes();
        (buffers + layout + rest) as u64 + self.gpu.as_ref().map_or(0, |g| g.memory_bytes())
    }

    /// A number of the state, wherever it is.
    pub(crate) fn state_at(&self, i: usize) -> f64 {
        match &self.gpu {
            Some(gpu) => gpu.state()[i] as f64,
            None => with!(&self.data, b => b.state[i].to_f64()),
        }
    }
    pub(crate) fn row(&self, strand: usize) -> usize {
        self.layout.blocks[self.layout.places[strand].block as usize].width
    }
    pub(crate) fn state(&self, strand: usize, vertex: usize, field: usize) -> f64 {
        self.state_at(self.layout.index(strand, vertex, state::ROWS, field))
    }
    pub(crate) fn state3(&self, strand: usize, vertex: usize, field: usize) -> Vec3<f64> {
        let (i, w) = (self.layout.index(strand, vertex, state::ROWS, field), self.row(strand));
        Vec3::from([self.state_at(i), self.state_at(i + w), self.state_at(i + 2 * w)])
    }
    pub(crate) fn param(&self, strand: usize, vertex: usize, field: usize) -> f64 {
        let i = self.layout.index(strand, vertex, param::ROWS, field);
        with!(&self.data, b => b.params[i].to_f64())
    }
    pub(crate) fn set_state(&mut self, strand: usize, vertex: usize, field: usize, v: f64) {
        let i = self.layout.index(strand, vertex, state::ROWS, field);
        match &mut self.gpu {
            Some(gpu) => gpu.state_mut()[0][i] = v as f32,
            None => with!(&mut self.data, b => b.state[i] = Elem::from_f64(v)),
        }
    }
    pub(crate) fn set_state3(&mut self, strand: usize, vertex: usize, field: usize, v: [f64; 3]) {
        let (i, w) = (self.layout.index(strand, vertex, state::ROWS, field), self.row(strand));
        for (k, c) in v.into_iter().enumerate() {
            match &mut self.gpu {
                Some(gpu) => gpu.state_mut()[0][i + k * w] = c as f32,
                None => with!(&mut self.data, b => b.state[i + k * w] = Elem::from_f64(c)),
            }
        }
    }
    /// Notes what the GPU must be told before the next step.
    pub(crate) fn changed(&mut self, note: impl FnOnce(&mut Changed)) {
        if let Some(gpu) = &mut self.gpu {
            note(gpu.changed());
        }
    }
    /// What the stages of a substep run together with.
    pub(crate) fn coupling(&self) -> Coupling {
        match self.ties.is_empty() {
            false if self.netted => Coupling::Net,
            false => Coupling::Attachments,
            true if self.gpu.is_some() => Coupling::None,
            true if self.is_pressed() || self.is_bundled() => Coupling::Contact,
            true if self.meets.is_some() => Coupling::Bodies,
            true => Coupling::None,
        }
    }
    /// Whether contact forces on them are solved in the step under way (`world/rod_contact.rs`): of rods, or of bodies that Newton's method meets.
    pub(crate) fn is_pressed(&self) -> bool {
        self.desc.self_contact || (self.meets.is_some() && self.can_be_pressed())
    }
    /// Whether they may ever be.
    pub(crate) fn can_be_pressed(&self) -> bool {
        !self.touched.is_empty() && !self.rest.disabled
    }
    /// Memory for Newton's method, before something couples the rods to others.
    pub(crate) fn own_scratch(&mut self) {
        let numbers = self.layout.cells * scratch_rows(&self.desc);
        if self.gpu.is_none() {
            with!(&mut self.data, b => if b.scratch.is_empty() { b.scratch = Aligned::zeroed(numbers) });
        }
    }
    /// Memory for that, before rods that push bodies meet any.
    pub(crate) fn prepare_to_push(&mut self) {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu.as_mut().filter(|_| !self.desc.one_way) {
            gpu.prepare_to_push();
        }
        if !self.desc.one_way && self.gpu.is_none() && self.order() == SweepOrder::Direct && self.touched.is_empty() {
            self.touched = vec![0; self.layout.blocks.len()];
            let rows = self.layout.cells * contact::ROWS;
            with!(&mut self.data, b => b.contact = Aligned::zeroed(rows));
            self.own_scratch();
        }
    }
    /// Gives a strand angular momentum times h within a substep: an impulse `p`, kg m, at `x`.
    pub(crate) fn add_spin(&mut self, strand: usize, x: Vec3<f64>, p: Vec3<f64>) {
        let arm = x - self.state3(strand, 0, state::X);
        let at = |k: usize| self.layout.strand_index(strand, SPIN_ROWS, k);
        let at = [at(0), at(1), at(2)];
        with!(&mut self.data, b => {
            // Empty where an end is held.
            if !b.spin.is_empty() {
                for (i, d) in at.into_iter().zip(arm.cross(p).to_array()) {
                    b.spin[i] = Elem::from_f64(b.spin[i].to_f64() + d);
                }
            }
        });
    }
    /// Adds to a displacement.
    pub(crate) fn displace(&mut self, strand: usize, vertex: usize, field: usize, d: Vec3<f64>) {
        let u = self.state3(strand, vertex, field);
        self.set_state3(strand, vertex, field, (u + d).to_array());
    }
    pub(crate) fn set_param(&mut self, strand: usize, vertex: usize, field: usize, v: f64) {
        let i = self.layout.index(strand, vertex, param::ROWS, field);
        with!(&mut self.data, b => b.params[i] = Elem::from_f64(v));
        self.changed(|c| c.params = true);
    }

    /// Calls `f(strand, vertex in strand, running number)` for `less` fewer than the vertices of each strand.
    pub(crate) fn visit(&self, less: usize, mut f: impl FnMut(usize, usize, usize)) {
        let mut i = 0;
        for (strand, &n) in self.layout.counts.iter().enumerate() {
            for vertex in 0..(n as usize).saturating_sub(less) {
                f(strand, vertex, i);
                i += 1;
            }
        }
    }

    /// m, one a vertex.
    pub fn read_positions(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.visit(0, |s, v, i| put(i, self.state3(s, v, state::X).to_array()));
    }
    /// m/s, one a vertex.
    pub fn read_velocities(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.visit(0, |s, v, i| put(i, self.state3(s, v, state::U).to_array()));
    }
    /// m, one an edge.
    pub fn read_ghosts(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.visit(1, |s, v, i| put(i, self.state3(s, v, state::GX).to_array()));
    }

    pub(crate) fn frame(&self, s: usize, v: usize) -> EdgeFrame<f64> {
        let (a, b) = (self.state3(s, v, state::X), self.state3(s, v + 1, state::X));
        edge_frame(b - a, self.state3(s, v, state::GX) - (a + b) * 0.5)
    }
    /// One an edge: the unit quaternion xyzw of the material frame d¹ d² d³ (eq. 3), d³ along the edge.
    pub fn read_frames(&self, mut put: impl FnMut(usize, [f64; 4])) {
        self.visit(1, |s, v, i| {
            let f = self.frame(s, v);
            put(i, Quat::from_frame([f.d1, f.d2, f.d3]).to_array());
        });
    }
    /// The strains of the element at interior vertex `v`, as the model measures them; the twist with the turns that were counted.
    pub(crate) fn strains(&self, s: usize, v: usize) -> [f64; 5] {
        let mut strains = self.desc.model.strains_between(&self.frame(s, v - 1), &self.frame(s, v));
        if self.desc.model.counts_turns() {
            let turn = core::f64::consts::TAU;
            strains[4] += turn * ((self.state(s, v, state::TWIST) - strains[4]) / turn).round();
        }
        strains
    }
    /// One an interior vertex: the material coordinates of the modified discrete Darboux vector Ω (eq. 10), 1/m.
    pub fn read_darboux(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.visit(2, |s, v, i| {
            let psi = rodrigues(&self.frame(s, v), &self.frame(s, v + 1)).half * 2.0;
            let l = 0.5 * (self.param(s, v, param::LENGTH) + self.param(s, v + 1, param::LENGTH));
            put(i, (psi * (1.0 / l)).to_array());
        });
    }
    /// One an interior vertex: the angle by which the material turns about the rod from one edge to the next, rad.
    pub fn read_twist(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(2, |s, v, i| {
            let (a, b) = (self.frame(s, v), self.frame(s, v + 1));
            let carried = transport(a.d1, a.d3, b.d3);
            put(i, crate::math::approx::atan2(carried.cross(b.d1).dot(b.d3), carried.dot(b.d1)));
        });
    }
    /// m, one an edge.
    pub fn read_rest_lengths(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| put(i, self.rest_row(s, v).0));
    }
    /// One a vertex: as in [`RestShape::Strains`].
    pub fn read_rest_strains(&self, mut put: impl FnMut(usize, [f64; 5])) {
        self.visit(0, |s, v, i| put(i, self.rest_row(s, v).1));
    }
    /// One an edge: l/l̄ − 1.
    pub fn read_strain(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| {
            let l = (self.state3(s, v + 1, state::X) - self.state3(s, v, state::X)).length();
            put(i, l / self.param(s, v, param::LENGTH) - 1.0);
        });
    }

    fn all_vectors(field: &str, n: usize, get: &mut impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        (0..n).try_for_each(|i| validate::vector(field, Some(i), get(i)))
    }

    /// Moves every vertex at once; velocities stay, material frames are carried along by the smallest rotation. `get` is called
    /// twice for every vertex: to check, then to write.
    pub fn write_positions(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        Self::all_vectors("positions", self.vertex_count(), &mut get)?;
        self.rest.stir();
        for s in 0..self.strand_count() {
            self.restart(s);
            let start = self.layout.starts[s] as usize;
            let n = self.layout.counts[s] as usize;
            let mut a: Vec3<f64> = get(start).into();
            let mut old = self.state3(s, 0, state::X);
            for v in 0..n - 1 {
                let b: Vec3<f64> = get(start + v + 1).into();
                let next = self.state3(s, v + 1, state::X);
                let f = edge_frame(next - old, self.state3(s, v, state::GX) - (old + next) * 0.5);
                let d3 = (b - a).normalized_or(f.d3);
                let d1 = transport(f.d1, f.d3, d3);
                let ghost = (a + b) * 0.5 + d1 * self.param(s, v, param::GHOST);
                self.set_state3(s, v, state::X, a.to_array());
                self.set_state3(s, v, state::GX, ghost.to_array());
                (a, old) = (b, next);
            }
            self.set_state3(s, n - 1, state::X, a.to_array());
        }
        Ok(())
    }

    /// Turns the material about every edge at once: d¹ goes where the unit quaternion takes the first axis, across the edge, whose direction stays; its
    /// spin ends. The full turns of discrete elastic rods count anew: those that leave the least twist. `get` is called twice for every
    /// edge: to check, then to write.
    pub fn write_frames(&mut self, mut get: impl FnMut(usize) -> [f64; 4]) -> Result<()> {
        let across = |rods: &Self, s: usize, v: usize, [x, y, z, w]: [f64; 4]| {
            let (d1, d3) = (Quat { x, y, z, w }.rotate(vec3(1.0, 0.0, 0.0)), rods.frame(s, v).d3);
            d1 - d3 * d1.dot(d3)
        };
        let mut wrong = None;
        self.visit(1, |s, v, i| {
            let length = across(self, s, v, get(i)).length();
            if wrong.is_none() && (length.is_nan() || length <= ALONG) {
                wrong = Some((i, length));
            }
        });
        if let Some((i, length)) = wrong {
            return Err(Error::invalid(format!(
                "frames[{i}]: d1 is {length:.1e} across its edge, and must be more than {ALONG:.0e}"
            )));
        }
        self.rest.stir();
        let mut i = 0;
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize - 1 {
                let (x0, x1) = (self.state3(s, v, state::X), self.state3(s, v + 1, state::X));
                let (v0, v1) = (self.state3(s, v, state::U), self.state3(s, v + 1, state::U));
                let d1 = across(self, s, v, get(i));
                let ghost = (x0 + x1) * 0.5 + d1 * (self.param(s, v, param::GHOST) / d1.length());
                self.set_state3(s, v, state::GX, ghost.to_array());
                self.set_state3(s, v, state::GU, ((v0 + v1) * 0.5).to_array());
                i += 1;
                if self.desc.model.counts_turns() && v > 0 {
                    self.set_state(s, v, state::TWIST, self.param(s, v, param::PSI + 2));
                    let twist = self.strains(s, v)[4];
                    self.set_state(s, v, state::TWIST, twist);
                }
            }
        }
        Ok(())
    }

    /// m/s, one a vertex; ghost points take the mean of their edge's ends.
    pub fn write_velocities(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        Self::all_vectors("velocities", self.vertex_count(), &mut get)?;
        self.rest.stir();
        for s in 0..self.strand_count() {
            self.restart(s);
            let start = self.layout.starts[s] as usize;
            let n = self.layout.counts[s] as usize;
            for v in 0..n {
                let a: Vec3<f64> = get(start + v).into();
                self.set_state3(s, v, state::U, a.to_array());
                if v + 1 < n {
                    let b: Vec3<f64> = get(start + v + 1).into();
                    self.set_state3(s, v, state::GU, ((a + b) * 0.5).to_array());
                }
            }
        }
        Ok(())
    }

    /// Where the roots will be at the end of the next step, one a strand; the substeps interpolate. `rotation` is relative to
    /// the pose at creation. `teleport`: be there at once, without the velocity of getting there. `get` is called twice for
    /// every strand: to check, then to write.
    pub fn set_root_poses(&mut self, get: impl FnMut(usize) -> Pose, teleport: bool) -> Result<()> {
        self.set_end_poses(0, "root", self.desc.root, get, teleport)
    }
    /// [`Rods::set_root_poses`] for roots on something rigid: `transform` takes every root from where it was at creation to where it
    /// will be at the end of the next step.
    pub fn set_root_transform(&mut self, transform: Pose, teleport: bool) -> Result<()> {
        let Pose { position, rotation } = validate::pose("transform", None, transform)?;
        let [x, y, z, w] = rotation;
        let turn = Quat { x, y, z, w };
        let origins = core::mem::take(&mut self.root_origins);
        let moved = |s: usize| {
            let turned = turn.rotate(origins[s].into()) + position.into();
            Pose { position: turned.to_array(), rotation }
        };
        let result = self.set_root_poses(moved, teleport);
        self.root_origins = origins;
        result
    }
    /// Where the roots are held at the end of the next step, as [`Rods::set_root_poses`] takes it.
    ///
    /// # Errors
    /// They are free.
    pub fn read_root_poses(&self, mut put: impl FnMut(usize, Pose)) -> Result<()> {
        Self::is_held_at("root", self.desc.root)?;
        for s in 0..self.strand_count() {
            let get = |k: usize| {
                let i = self.layout.strand_index(s, support::ROWS, k);
                with!(&self.data, b => b.supports[0][i].to_f64())
            };
            let position = [0, 1, 2].map(|k| get(support::TO + k));
            let [x, y, z, w] = [0, 1, 2, 3].map(|k| get(support::TO_ROTATION + k));
            let rotation = Quat { x, y, z, w }.compose(self.offsets[0][s].conjugate()).to_array();
            put(s, Pose { position, rotation });
        }
        Ok(())
    }
    fn is_held_at(name: &str, support: EndSupport) -> Result<()> {
        match support {
            EndSupport::Free => {
                Err(Error::invalid(format!("{name} is free in the rods' definition; make it pinned or clamped to drive it")))
            }
            _ => Ok(()),
        }
    }
    /// The same for the last vertices.
    pub fn set_tip_poses(&mut self, get: impl FnMut(usize) -> Pose, teleport: bool) -> Result<()> {
        self.set_end_poses(1, "tip", self.desc.tip, get, teleport)
    }

    fn set_end_poses(
        &mut self,
        end: usize,
        name: &str,
        support: EndSupport,
        mut get: impl FnMut(usize) -> Pose,
        teleport: bool,
    ) -> Result<()> {
        Self::is_held_at(name, support)?;
        for s in 0..self.strand_count() {
            validate::pose(format_args!("{name}_poses"), Some(s), get(s))?;
        }
        self.changed(|c| c.supports = true);
        // Disabled strands go with their roots anyhow.
        let teleport = teleport && !self.rest.disabled;
        if teleport {
            self.rest.stir();
        }
        for s in 0..self.strand_count() {
            let pose = get(s);
            let n = pose.rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
            let [x, y, z, w] = pose.rotation.map(|c| c / n);
            let q = Quat { x, y, z, w }.compose(self.offsets[end][s]);
            let mut set = |field: usize, values: &[f64]| {
                for (k, &c) in values.iter().enumerate() {
                    let i = self.layout.strand_index(s, support::ROWS, field + k);
                    with!(&mut self.data, b => b.supports[end][i] = Elem::from_f64(c));
                }
            };
            set(support::TO, &pose.position);
            set(support::TO_ROTATION, &q.to_array());
            if teleport {
                set(support::FROM, &pose.position);
                set(support::FROM_ROTATION, &q.to_array());
                let v = if end == 0 { 0 } else { self.layout.counts[s] as usize - 1 };
                self.set_state3(s, v, state::X, pose.position);
                self.set_state3(s, v, state::U, [0.0; 3]);
            }
        }
        Ok(())
    }

    /// The frame that a clamped end is held to now.
    pub(crate) fn held_frame(&self, end: usize, strand: usize) -> Option<EdgeFrame<f64>> {
        if [self.desc.root, self.desc.tip][end] != EndSupport::Clamped {
            return self.tied_frame(end, strand);
        }
        let i = |k: usize| self.layout.strand_index(strand, support::ROWS, support::FROM_ROTATION + k);
        let c = |k: usize| with!(&self.data, b => b.supports[end][i(k)].to_f64());
        Some(EdgeFrame::fixed(Quat { x: c(0), y: c(1), z: c(2), w: c(3) }.frame()))
    }

    /// After a step the targets are where the ends are.
    pub(crate) fn advance_supports(&mut self) {
        for end in 0..2 {
            let lanes = self.layout.lanes;
            with!(&mut self.data, b => {
                if b.supports[end].is_empty() {
                    continue;
                }
                for block in &self.layout.blocks {
                    let base = block.strand_offset * support::ROWS;
                    let (from, to) = (base, base + support::TO * block.width);
                    b.supports[end].copy_within(to..to + support::TO * block.width, from);
                }
                debug_assert!(lanes * support::ROWS == b.supports[end].len());
            });
            self.changed(|c| c.supports = true);
        }
        if !self.pins.is_empty() {
            self.changed(|c| c.pins = true);
        }
        for pin in &mut self.pins {
            pin.from = pin.to;
        }
    }

    /// Holds a vertex (host index) at a place, or lets it go with `None`. `teleport` as for the roots.
    pub fn set_pin(&mut self, vertex: u32, target: Option<[f64; 3]>, teleport: bool) -> Result<()> {
        let Some((strand, local)) = self.layout.locate(vertex as usize) else {
            return Err(Error::invalid(format!("vertex is {vertex}, the rods have {}", self.vertex_count())));
        };
        let place = self.layout.places[strand];
        self.changed(|c| c.pins = true);
        let key = (place.block, place.lane, local as u32);
        let found = self.pins.binary_search_by_key(&key, |p| (p.block, p.lane, p.vertex));
        match (target, found) {
            (None, Err(_)) => {}
            (None, Ok(i)) => {
                let pin = self.pins.remove(i);
                self.rest.stir();
                self.fields_are_stale();
                self.set_param(strand, local, param::W, pin.free_weight);
            }
            (Some(to), found) => {
                validate::vector("target", None, to)?;
                let here = self.state3(strand, local, state::X).to_array();
                let i = match found {
                    Ok(i) => i,
                    Err(i) => {
                        let free_weight = self.param(strand, local, param::W);
                        let (block, lane, vertex) = key;
                        self.pins.insert(i, Pin { block, lane, vertex, free_weight, from: here, to });
                        self.set_param(strand, local, param::W, 0.0);
                        self.rest.stir();
                        i
                    }
                };
                self.pins[i].to = to;
                if teleport {
                    self.rest.stir();
                    self.pins[i].from = to;
                    self.set_state3(strand, local, state::X, to);
                    self.set_state3(strand, local, state::U, [0.0; 3]);
                }
            }
        }
        Ok(())
    }

    /// Replaces the rest shape; the state stays as it is. `FromPose` takes the present pose.
    pub fn set_rest_shape(&mut self, r: RestShape) -> Result<()> {
        validate::rest_shape(&r, self.edge_count(), self.element_count())?;
        let (mut edge, mut element) = (0, 0);
        let mut rest = Vec::with_capacity(self.vertex_count());
        for s in 0..self.strand_count() {
            let edges = self.layout.counts[s] as usize - 1;
            let first = rest.len();
            for v in 0..=edges {
                let length = match &r {
                    _ if v == edges => 0.0,
                    RestShape::FromPose => (self.state3(s, v + 1, state::X) - self.state3(s, v, state::X)).length().max(1e-9),
                    RestShape::Straight => self.rest_row(s, v).0,
                    RestShape::Explicit { lengths, .. } | RestShape::Strains { lengths, .. } => lengths[edge + v],
                };
                rest.push((length, [0.0; 5]));
            }
            for v in 0..=edges {
                rest[first + v].1 = match &r {
                    RestShape::Strains { strains, .. } => strains[first + v],
                    RestShape::FromPose if v > 0 && v < edges => self.strains(s, v),
                    RestShape::Explicit { darboux, .. } if v > 0 && v < edges => {
                        let psi = Vec3::from(darboux[element + v - 1]) * (0.5 * (rest[first + v - 1].0 + rest[first + v].0));
                        self.desc.model.strains_of(psi)
                    }
                    _ => [0.0; 5],
                };
            }
            edge += edges;
            element += edges - 1;
        }
        (self.material.rest, self.material.given) = (rest, Vec::new());
        self.describe();
        self.material.found_for.fill(0.0);
        if let Some(bundles) = &mut self.bundles {
            bundles.forget_loads();
        }
        (0..self.strand_count()).for_each(|s| self.compile_strand(s));
        Ok(())
    }

    /// Rates 1/s, wind m/s, friction coefficient.
    pub fn set_motion(&mut self, damping: f64, drag: f64, wind: [f64; 3], friction: f64) -> Result<()> {
        validate::motion(damping, drag, wind, friction)?;
        let d = &self.desc;
        if (damping, drag, wind, friction) != (d.damping, d.drag, d.wind, d.friction) {
            self.rest.stir();
            self.fields_are_stale();
        }
        (self.desc.damping, self.desc.drag, self.desc.wind, self.desc.friction) = (damping, drag, wind, friction);
        Ok(())
    }
}
