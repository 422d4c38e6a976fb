//! Warm starts of swept rods: the multipliers of the statics, and how much of its loads each strand's sweeps carry
//! (`docs/warm_start.md`).

use super::rods::{Data, Rods};
use super::settings::{self, Company};
use super::world::{Motions, StepOf, World};
use crate::desc::Stiffness;
use crate::desc::error::Result;
use crate::desc::slots::Id;
use crate::layout::{Aligned, Buffers, DOUBLE_LANES, FORCE_ROWS, Layout, SPIN_ROWS, param, state, support, warm};
use crate::math::Elem;
use crate::math::rng::Rng;
use crate::rods::der::strand::Strands;
use crate::rods::group::{BlockReport, Pin};
use crate::sagfree::batch::Status;
use crate::tasks::TaskRunner;

/// Substeps of a trial, and the least number of steps.
const TRIAL: usize = 400;
const TRIAL_STEPS: usize = 8;
/// What every vertex of a trial moves by in its first substep, over the strand's ghost distance: far above what f32 leaves of the
/// balance, far below what bends the strand.
const KICK: f64 = 1e-4;
/// A trial is with this much more load than the share it is for.
const MARGIN: f64 = 1.5;
/// What the residual of an equilibrium may be, root mean square over mass, m/s²: a thousandth of weight.
const BALANCED: f64 = 0.01;
/// Halvings of a share; after that the strand carries nothing.
const HALVINGS: usize = 20;

fn converted<E: Elem>(from: &Aligned<E>) -> Aligned<f64> {
    let mut to = Aligned::zeroed(from.len());
    to.iter_mut().zip(from.iter()).for_each(|(to, &x)| *to = x.to_f64());
    to
}

/// The same numbers in f64; `state` where it is not theirs.
fn in_f64<E: Elem>(b: &Buffers<E>, state: &Aligned<E>) -> Buffers<f64> {
    Buffers {
        params: converted(&b.params),
        state: converted(state),
        supports: [converted(&b.supports[0]), converted(&b.supports[1])],
        ties: [Aligned::zeroed(0), Aligned::zeroed(0)],
        spare: Aligned::zeroed(0),
        edges: converted(&b.edges),
        forces: converted(&b.forces),
        spin: converted(&b.spin),
        scratch: Aligned::zeroed(0),
        kappa: Aligned::zeroed(0),
        warm: converted(&b.warm),
    }
}

/// Some strands alone, one after the other.
struct Subset {
    layout: Layout,
    buffers: Buffers<f64>,
    pins: Vec<Pin>,
}

impl Subset {
    fn new(from: &Layout, b: &Buffers<f64>, pins: &[Pin], strands: &[usize]) -> Subset {
        let layout = Layout::in_blocks_of(DOUBLE_LANES, strands.iter().map(|&s| from.counts[s]).collect());
        let vertices = |b: &Aligned<f64>, rows: usize| {
            let mut out = Aligned::zeroed(if b.is_empty() { 0 } else { layout.cells * rows });
            for (k, &s) in strands.iter().enumerate().filter(|_| !b.is_empty()) {
                for v in 0..from.counts[s] as usize {
                    (0..rows).for_each(|r| out[layout.index(k, v, rows, r)] = b[from.index(s, v, rows, r)]);
                }
            }
            out
        };
        let rows_of = |b: &Aligned<f64>, rows: usize| {
            let mut out = Aligned::zeroed(if b.is_empty() { 0 } else { layout.lanes * rows });
            for (k, &s) in strands.iter().enumerate().filter(|_| !b.is_empty()) {
                (0..rows).for_each(|r| out[layout.strand_index(k, rows, r)] = b[from.strand_index(s, rows, r)]);
            }
            out
        };
        let buffers = Buffers {
            params: vertices(&b.params, param::ROWS),
            state: vertices(&b.state, state::ROWS),
            supports: [rows_of(&b.supports[0], support::ROWS), rows_of(&b.supports[1], support::ROWS)],
            ties: [Aligned::zeroed(0), Aligned::zeroed(0)],
            spare: Aligned::zeroed(0),
            edges: rows_of(&b.edges, 1),
            forces: vertices(&b.forces, FORCE_ROWS),
            spin: rows_of(&b.spin, SPIN_ROWS),
            scratch: Aligned::zeroed(0),
            kappa: Aligned::zeroed(0),
            warm: vertices(&b.warm, warm::ROWS),
        };
        let mut pins: Vec<Pin> = pins
            .iter()
            .filter_map(|pin| {
                let strand = from.blocks[pin.block as usize].strands[pin.lane as usize] as usize;
                let place = layout.places[strands.binary_search(&strand).ok()?];
                Some(Pin { block: place.block, lane: place.lane, ..*pin })
            })
            .collect();
        pins.sort_by_key(|p| (p.block, p.lane, p.vertex));
        Subset { layout, buffers, pins }
    }

    /// How far the vertices of each strand are from `x`, where they were, if that is more than `most`.
    fn farthest(&self, x: &[[f64; 3]], most: &mut [f64]) {
        let mut at = 0;
        for (s, most) in most.iter_mut().enumerate() {
            for v in 0..self.layout.counts[s] as usize {
                let now = |k: usize| self.buffers.state[self.layout.index(s, v, state::ROWS, state::X + k)];
                let d = (0..3).map(|k| (now(k) - x[at][k]).powi(2)).sum::<f64>().sqrt();
                *most = if d.is_finite() { most.max(d) } else { f64::INFINITY };
                at += 1;
            }
        }
    }
}

impl Rods {
    fn set_warm(&mut self, strand: usize, vertex: usize, field: usize, value: f64) {
        let i = self.layout.index(strand, vertex, warm::ROWS, field);
        match &mut self.data {
            Data::F32(b) => b.warm[i] = value as f32,
            Data::F64(b) => b.warm[i] = value,
        }
        self.changed(|c| c.params = true);
    }

    /// Sweeps start from nothing, and carry all.
    pub(super) fn cool(&mut self) {
        if self.desc.warm_start {
            for strand in 0..self.strand_count() {
                self.cool_strand(strand);
            }
            (self.carried_at, self.carry) = (None, 1.0);
        }
    }

    /// The same of one strand: what is known of its equilibrium is not what its sweeps keep.
    fn cool_strand(&mut self, strand: usize) {
        if let Some(report) = self.elastic.get_mut(strand)
            && report.status == Status::AtTarget
        {
            report.status = Status::Swept;
        }
        for v in 0..self.layout.counts[strand] as usize {
            (warm::LENGTH..warm::SHARE).for_each(|field| self.set_warm(strand, v, field, 0.0));
        }
        self.set_warm(strand, 0, warm::SHARE, 1.0);
    }

    /// Keeps the multipliers of the strains that `s` has, if that is an equilibrium, which the residual √(Σ f²/m) tells; none, else.
    pub(super) fn keep_statics(&mut self, strand: usize, s: &Strands<f64>, residual: f64) {
        if !self.desc.warm_start {
            return;
        }
        let mass: f64 = s.section.iter().map(|c| c.mass).sum();
        if residual.is_nan() || residual > BALANCED * mass.sqrt() {
            return self.cool_strand(strand);
        }
        let [lead, trail] = self.phantoms(strand);
        let n = self.layout.counts[strand] as usize;
        for v in 0..n {
            let i = v + lead;
            let (rest, section) = (s.rest[i], s.section[i]);
            if v + 1 < n {
                self.set_warm(strand, v, warm::LENGTH, -section.ea * (s.state[i].edge.length() / rest.length - 1.0));
            }
            if (v > 0 || lead > 0) && (v + 1 < n || trail > 0) {
                let psi = s.relative(i).half_darboux() * 2.0;
                let inv = 2.0 / (s.rest[i - 1].length + rest.length);
                let strain = [psi.x - rest.kappa[0], psi.y - rest.kappa[1], psi.z - rest.twist];
                for (k, stiffness) in [section.ei[0], section.ei[1], section.gj].into_iter().enumerate() {
                    self.set_warm(strand, v, warm::BEND + k, -stiffness * inv * strain[k]);
                }
            }
        }
        self.set_warm(strand, 0, warm::SHARE, 1.0);
        for v in 0..n {
            self.set_state(strand, v, state::FALL, 0.0);
        }
    }

    /// Whether its sweeps start from anything.
    fn is_warm(&self, strand: usize) -> bool {
        let any = |b: &dyn Fn(usize) -> bool| {
            (0..self.layout.counts[strand] as usize)
                .any(|v| (warm::LENGTH..warm::SHARE).any(|field| b(self.layout.index(strand, v, warm::ROWS, field))))
        };
        match &self.data {
            Data::F32(b) => any(&|i| b.warm[i] != 0.0),
            Data::F64(b) => any(&|i| b.warm[i] != 0.0),
        }
    }

    /// Substeps that are longer, or iterations that are fewer, than the shares were found for carry less of them: an estimate.
    pub(super) fn carry_at(&self, h: f64, iterations: u32) -> f64 {
        self.carried_at.map_or(1.0, |(at, n)| (at / h).min(1.0).powi(3) * (f64::from(iterations) / f64::from(n)).min(1.0))
    }

    /// One a strand: the part of its loads that its sweeps carry in the pose that was found last, 0 to 1. Gravity and the host's forces
    /// act on the strand by that part: what it had in the last step. 1 where sweeps do not start warm.
    pub fn read_carried(&self, mut put: impl FnMut(usize, f64)) {
        for strand in 0..self.strand_count() {
            put(strand, self.share(strand) * self.carry);
        }
    }

    /// That part at the steps that it was found for.
    fn share(&self, strand: usize) -> f64 {
        let i = self.layout.index(strand, 0, warm::ROWS, warm::SHARE);
        match &self.data {
            Data::F32(b) if !b.warm.is_empty() => b.warm[i].to_f64(),
            Data::F64(b) if !b.warm.is_empty() => b.warm[i],
            _ => 1.0,
        }
    }

    /// Everything at rest where it is now, for trials.
    fn at_rest(&self) -> (Buffers<f64>, Vec<Pin>) {
        let mut b = match (&self.data, &self.gpu) {
            (Data::F32(b), Some(gpu)) => in_f64(b, gpu.state()),
            (Data::F32(b), None) => in_f64(b, &b.state),
            (Data::F64(b), _) => in_f64(b, &b.state),
        };
        self.visit(0, |s, v, _| {
            for field in [state::U, state::GU] {
                (0..3).for_each(|k| b.state[self.layout.index(s, v, state::ROWS, field + k)] = 0.0);
            }
            b.state[self.layout.index(s, v, state::ROWS, state::FALL)] = 0.0;
        });
        for s in 0..self.strand_count() {
            for end in 0..2 {
                let v = if end == 0 { 0 } else { self.layout.counts[s] as usize - 1 };
                if self.ties.contains_key(&(s as u32, end == 1)) {
                    b.params[self.layout.index(s, v, param::ROWS, param::W)] = 0.0;
                }
                if b.supports[end].is_empty() {
                    continue;
                }
                let row = |k: usize| self.layout.strand_index(s, support::ROWS, k);
                for k in 0..support::TO {
                    let to = match k {
                        0..3 => b.state[self.layout.index(s, v, state::ROWS, state::X + k)],
                        _ => b.supports[end][row(support::TO + k)],
                    };
                    (b.supports[end][row(k)], b.supports[end][row(support::TO + k)]) = (to, to);
                }
            }
        }
        let mut pins = self.pins.clone();
        for pin in &mut pins {
            let block = &self.layout.blocks[pin.block as usize];
            let strand = block.strands[pin.lane as usize] as usize;
            pin.from = self.state3(strand, pin.vertex as usize, state::X).to_array();
            pin.to = pin.from;
        }
        (b, pins)
    }
}

impl World {
    /// Finds how much of its loads each strand's sweeps can carry in its pose: the largest of 1, ½, ¼ … under which the substep, at its
    /// length and its iterations, lets a small push die. Trials in f64, without colliders, of steps as long as `Rods::next_h`. Where `go` becomes
    /// false, strands whose share is not known yet keep that of the rest shape they have, or, of a new one, start from nothing.
    pub(super) fn share_loads(&mut self, id: Id, runner: &dyn TaskRunner, go: &mut dyn FnMut() -> bool) -> Result<()> {
        let (world, isa) = (self.desc.clone(), self.isa());
        let rods = self.rods_mut(id)?;
        debug_assert!(matches!(rods.desc.stiffness, Stiffness::Physical { .. }));
        let substeps = world.substeps as usize;
        let dt = rods.next_h(world.substeps) * substeps as f64;
        let steps = (TRIAL / substeps).max(TRIAL_STEPS);
        let (pose, pins) = rods.at_rest();
        let all = rods.strand_count();
        let unit: Vec<f64> = (0..all).map(|s| KICK * rods.param(s, 0, param::GHOST)).collect();
        let mut share = vec![1.0; all];
        let mut open: Vec<usize> = (0..all).filter(|&s| rods.is_warm(s)).collect();
        let iterations = settings::iterations(&rods.desc, &world, false);
        let mut cancelled = false;
        'rounds: for round in 0..=HALVINGS {
            if open.is_empty() {
                break;
            }
            let part = if round < HALVINGS { 0.5f64.powi(round as i32) } else { 0.0 };
            let mut trial = Subset::new(&rods.layout, &pose, &pins, &open);
            let mut x = Vec::new();
            for (k, &s) in open.iter().enumerate() {
                share[s] = part;
                trial.buffers.warm[trial.layout.index(k, 0, warm::ROWS, warm::SHARE)] = part * MARGIN;
                let mut rng = Rng::new(s as u64);
                for v in 0..trial.layout.counts[k] as usize {
                    let free = trial.buffers.params[trial.layout.index(k, v, param::ROWS, param::W)] > 0.0;
                    let row = |field: usize| trial.layout.index(k, v, state::ROWS, field);
                    x.push([0, 1, 2].map(|c| trial.buffers.state[row(state::X + c)]));
                    for i in [0, 1, 2].map(|c| row(state::U + c)) {
                        let push = rng.range(-1.0, 1.0) * unit[s] * substeps as f64 / dt;
                        trial.buffers.state[i] = if free { push } else { 0.0 };
                    }
                }
            }
            let tasks: Vec<core::ops::Range<u32>> = (0..trial.layout.blocks.len() as u32).map(|b| b..b + 1).collect();
            let mut reports = vec![BlockReport::default(); tasks.len()];
            let (mut early, mut late) = (vec![0.0; open.len()], vec![0.0; open.len()]);
            for k in 0..steps {
                cancelled = !go();
                if cancelled {
                    break 'rounds;
                }
                let step = StepOf {
                    world: &world,
                    isa,
                    dt,
                    stage: None,
                    company: Company::Alone,
                    two_way: None,
                    layout: &trial.layout,
                    desc: &rods.desc,
                    pins: &trial.pins,
                    tasks: &tasks,
                    reach: rods.reach,
                    carry: 1.0,
                };
                step.run(&mut trial.buffers, &Motions::default(), &[], &mut reports, runner);
                if (steps / 4..steps / 2).contains(&k) {
                    trial.farthest(&x, &mut early);
                } else if k >= steps - steps / 4 {
                    trial.farthest(&x, &mut late);
                }
            }
            // A push that nothing holds goes on at its speed: twice as far in the last quarter as in the second.
            let far = (2 * steps * substeps) as f64;
            let dies = |k: usize, unit: f64| late[k] < far * unit && (late[k] < 4.0 * early[k] || late[k] < 20.0 * unit);
            open = open.iter().enumerate().filter(|&(k, &s)| !dies(k, unit[s])).map(|(_, &s)| s).collect();
        }
        let known = rods.carry_at(dt / substeps as f64, iterations);
        // Those that no share is known of yet.
        let unknown = |s: usize| cancelled && open.binary_search(&s).is_ok();
        for (s, &share) in share.iter().enumerate() {
            match (unknown(s), rods.elastic[s].status) {
                (false, _) => rods.set_warm(s, 0, warm::SHARE, share),
                // Its rest shape is the old one, and its share was found at another step, perhaps.
                (true, Status::Cancelled) => {
                    let old = rods.share(s);
                    rods.set_warm(s, 0, warm::SHARE, old * known);
                }
                (true, _) => rods.cool_strand(s),
            }
        }
        (rods.carried_at, rods.carry) = (Some((dt / substeps as f64, iterations)), 1.0);
        Ok(())
    }
}
