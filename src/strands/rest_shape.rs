//! Strands of a world as `rods::der` takes them for rest shapes, statics and stability, in f64, and what was found back in their constants or their
//! state. Who asks: `optimize.rs`.

use super::settings::{Company, iterations};
use super::stored::Found;
use super::{Data, Rods, with};
use crate::desc::error::{Error, Result};
use crate::desc::*;
use crate::layout::{FORCE_ROWS, param, state};
use crate::math::{Elem, Vec3};
use crate::rods::der::kernels::Measure;
use crate::rods::der::strand::{Rest, Strands};
use crate::rods::group::Pin;
use crate::rods::material::{RestRow, StrandMaterial};
use crate::rods::models::FOLDED;
use crate::rods::newton::INERTIA_LOST;
use crate::sagfree::batch::{Status, StrandReport};
use crate::sagfree::rest_shape::Refusal;

/// The length of the edge that stands for a clamped frame of ghost-point rods, over that of the edge beside it. Half an element
/// has the stiffness of an element between an edge and nothing.
const PHANTOM: f64 = 1e-3;

/// Of a step before the first, s.
pub(super) const EXPECTED_STEP: f64 = 1.0 / 60.0;

/// The longest strand that statics may find, m: what a host may give is not farther away either.
const FARTHEST: f64 = 1e9;

/// How far statics may be from the present pose, in lengths of the strand.
const RUNS: f64 = 1e4;

/// Of what the host may set.
const STIFFNESS_FACTOR: [f64; 2] = [1e-9, 1e9];

/// By what factor a step softens what may be why a strand is too soft.
const MUCH_SOFTER: f64 = 2.0;

impl Rods {
    /// Edges before the first and behind the last vertex that stand for clamped frames: those of ghost-point rods, and of attachments.
    pub(crate) fn phantoms(&self, strand: usize) -> [usize; 2] {
        let supports = [self.desc.root, self.desc.tip];
        [0, 1].map(|end| {
            let by_edge = self.desc.model.clamps_edge() && supports[end] == EndSupport::Clamped;
            usize::from(!by_edge && !self.gives.contains(&(strand as u32, end == 1)) && self.held_frame(end, strand).is_some())
        })
    }

    /// The host's force on a vertex, and its moment about the edge after it.
    fn load(&self, strand: usize, vertex: usize) -> (Vec3<f64>, f64) {
        let at = |k: usize| self.layout.index(strand, vertex, FORCE_ROWS, k);
        let get = |k: usize| match &self.data {
            Data::F32(b) if !b.forces.is_empty() => b.forces[at(k)].to_f64(),
            Data::F64(b) if !b.forces.is_empty() => b.forces[at(k)],
            _ => 0.0,
        };
        (Vec3::from([get(0), get(1), get(2)]), get(3))
    }

    pub(crate) fn rest_row(&self, strand: usize, v: usize) -> RestRow {
        self.material_of(strand).rest(v)
    }

    pub(crate) fn material_of(&self, strand: usize) -> StrandMaterial<'_> {
        self.material.strand(&self.desc, &self.layout, strand)
    }

    fn is_double(&self) -> bool {
        matches!(self.data, Data::F64(_))
    }

    /// Compiles the material of a strand again.
    pub(crate) fn compile_strand(&mut self, strand: usize) {
        let h = self.compiled_for;
        let of = self.material.strand(&self.desc, &self.layout, strand);
        self.compiled_whole &= with!(&mut self.data, b => of.write(&self.layout, strand, h, b));
        self.changed(|c| c.params = true);
    }

    /// Compiles the material for substeps of `h` seconds. What a longer one has taken for what it is, a shorter one does, too.
    pub(crate) fn compile_for(&mut self, h: f64) {
        let shorter = h < self.compiled_for && self.compiled_whole && self.desc.viscosity == 0.0;
        if h == self.compiled_for || shorter {
            return;
        }
        (self.compiled_for, self.compiled_whole) = (h, true);
        (0..self.strand_count()).for_each(|s| self.compile_strand(s));
    }

    /// Compliances of the half element between an anchor and the end edge of a strand, as Newton's step takes them.
    pub(crate) fn half_element(&self, strand: usize, tip: bool) -> Vec3<f64> {
        let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
        Vec3::from(core::array::from_fn(|k| self.param(strand, end, param::BEND + k)))
    }

    /// What makes that half element as soft as `part` of what the end edge is to a moment in a step of `h` seconds: a compliance in series, over h².
    pub(crate) fn half_give(&self, strand: usize, tip: bool, h: f64, part: f64) -> Vec3<f64> {
        let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
        let least = Vec3::from(self.material_of(strand).least_element(end, part));
        (least - self.half_element(strand, tip) * (1.0 / (h * h))).map(|c| c.max(0.0))
    }

    /// The substep that is to be expected, s: what the host says, or the last one, or, before the first, that of a frame at 60 Hz.
    pub(crate) fn next_h(&self, substeps: u32) -> f64 {
        let last = if self.last_step > 0.0 { self.last_step } else { EXPECTED_STEP };
        self.next_step.unwrap_or(last) / f64::from(substeps)
    }

    /// The length of the steps to come, s, or the last one's: what is found next holds for them. Until the next step; then it is that one's.
    pub fn expect_steps(&mut self, dt: Option<f64>) -> Result<()> {
        dt.map_or(Ok(()), |dt| crate::desc::validate::between("step", dt, 1e-6, 10.0))?;
        self.next_step = dt;
        Ok(())
    }

    /// What substeps of `h` seconds take of the present material.
    pub(crate) fn taken(&self, strand: usize, h: f64) -> Vec<[f64; 4]> {
        let (of, double) = (self.material_of(strand), self.is_double());
        (0..self.layout.counts[strand] as usize).map(|v| of.taken(v, h.max(of.found_for), double)).collect()
    }
    /// What they take of it with the rest shape that was given: whatever has been found since does not soften the strand.
    pub(crate) fn taken_as_given(&self, strand: usize, h: f64) -> Vec<[f64; 4]> {
        let (of, double) = (self.material_of(strand).as_given(), self.is_double());
        (0..self.layout.counts[strand] as usize).map(|v| of.taken(v, h, double)).collect()
    }

    /// A strand in its present pose under gravity and the host's forces, with the rest shape of `of` and that stiffness. Ends that attachments hold count
    /// as held.
    pub(crate) fn elastic_strand(
        &self,
        strand: usize,
        world: &WorldDesc,
        of: &StrandMaterial<'_>,
        taken: &[[f64; 4]],
    ) -> Strands<f64> {
        let (gravity, substeps) = (Vec3::from(world.gravity), world.substeps);
        let n = self.layout.counts[strand] as usize;
        let [lead, trail] = self.phantoms(strand);
        let mut s = Strands::<f64>::new(n + lead + trail);
        s.measure = self.desc.model.statics().unwrap_or(Measure::Darboux);
        s.steps = self.holds_overshoot(world);
        if self.desc.order == SweepOrder::Direct {
            s.folded = FOLDED;
        }
        let clamped = |end: EndSupport| self.desc.model.clamps_edge() && end == EndSupport::Clamped;
        let tied =
            [false, true].map(|tip| (strand as u32, tip)).map(|end| self.ties.contains_key(&end) && !self.gives.contains(&end));
        for (v, &[ea, a, b, twist]) in taken.iter().enumerate() {
            let i = v + lead;
            let edge = v + 1 < n;
            if edge {
                s.state[i].edge = self.state3(strand, v + 1, state::X) - self.state3(strand, v, state::X);
                s.state[i].m1 = self.clamped_m1(strand, v, s.state[i].edge).unwrap_or(self.frame(strand, v).d1);
            }
            s.rest[i] = rest_of(of.rest(v), edge);
            let element = (v > 0 || lead > 0) && (v + 1 < n || trail > 0);
            let [half, whole] = halves(of, v, n, [lead, trail]);
            // An element has its compliance, whatever length a phantom adds.
            let [a, b, twist] = [a, b, twist].map(|k| if element { k * (whole / half) } else { 0.0 });
            let w = self.param(strand, v, param::W);
            let ghost = |v: usize| of.edge_masses(v)[1];
            let c = &mut s.section[i];
            c.ea = ea;
            // Curvatures bend towards an axis, Ψ about it.
            c.ei = if s.measure == Measure::Curvature { [b, a] } else { [a, b] };
            c.gj = twist;
            let shared = if v > 0 { ghost(v - 1) } else { 0.0 } + if edge { ghost(v) } else { 0.0 };
            c.mass = if w > 0.0 { of.mass(v) } else { 0.0 } + 0.5 * shared;
            let distance = self.param(strand, v, param::GHOST);
            c.inertia = if edge { ghost(v) * distance * distance } else { 1.0 };
            let held = w <= 0.0 || (v == 0 && tied[0]) || (v + 1 == n && tied[1]);
            let still = !edge || (v == 0 && clamped(self.desc.root)) || (v + 2 == n && clamped(self.desc.tip));
            c.free = [!held, !still].map(|free| f64::from(u8::from(free)));
            // What a step makes of it.
            let wind = Vec3::from(self.desc.wind) * (self.desc.drag / (1.0 + self.desc.drag * self.next_h(substeps)) * c.mass);
            let (force, moment) = self.load(strand, v);
            (c.force, c.moment) = (gravity * c.mass + force + wind, if edge { moment } else { 0.0 });
        }
        for (end, i, beside) in [(0, 0, lead), (1, n + lead - 1, n + lead - 2)] {
            if [lead, trail][end] == 0 {
                continue;
            }
            let frame = self.held_frame(end, strand).expect("clamped");
            let short = PHANTOM * s.rest[beside].length;
            s.state[i].edge = frame.d3 * short;
            s.state[i].m1 = frame.d1;
            s.rest[i].length = short;
            s.section[i].free[1] = 0.0;
            if end == 0 {
                (s.section[0].mass, s.section[0].inertia) = (s.section[1].mass, s.section[1].inertia);
            } else {
                // The vertex beyond: held, of any mass.
                s.section[i].inertia = s.section[beside].inertia;
                s.section[i + 1].mass = s.section[i].mass;
            }
        }
        s.measure_twist();
        if self.desc.model.counts_turns() {
            for v in 1..n - 1 {
                let node = &mut s.state[v + lead];
                node.turns = ((self.state(strand, v, state::TWIST) - node.twist) / core::f64::consts::TAU).round();
            }
        }
        let held = |end: EndSupport, tip: usize| end != EndSupport::Free || tied[tip];
        let swings = held(self.desc.root, 0) && !held(self.desc.tip, 1) && !self.is_pinned(strand);
        s.swing = f64::from(u8::from(swings));
        s
    }

    /// Whether anything holds a strand.
    fn is_held(&self, strand: usize) -> bool {
        let end = |(support, tip)| support != EndSupport::Free || self.ties.contains_key(&(strand as u32, tip));
        [(self.desc.root, false), (self.desc.tip, true)].into_iter().any(end) || self.is_pinned(strand)
    }

    /// Whether the host holds a vertex of it.
    fn is_pinned(&self, strand: usize) -> bool {
        !self.pins_of(strand).is_empty()
    }

    pub(crate) fn pins_of(&self, strand: usize) -> &[Pin] {
        let place = self.layout.places[strand];
        let below = |key: (u32, u32)| self.pins.partition_point(|p| (p.block, p.lane) < key);
        &self.pins[below((place.block, place.lane))..below((place.block, place.lane + 1))]
    }

    /// What holds the overshoot of substeps that leave out second derivatives of strains, over mass, s⁻²: those of ghost-point rods that Newton's
    /// method solves (`docs/internals/direct.md`, "Which poses a step holds"). 0: none.
    fn holds_overshoot(&self, world: &WorldDesc) -> f64 {
        if self.desc.model.is_exact() || self.desc.order != SweepOrder::Direct {
            return 0.0;
        }
        let h = self.next_h(world.substeps);
        // Beside bodies and anchors others' iterations count, too.
        let once = self.company() == Company::Alone && [false, true].iter().all(|&t| iterations(&self.desc, world, t) == 1);
        let kept = 1.0 / ((1.0 + h * self.desc.drag) * (1.0 + h * self.desc.damping));
        if once { 2.0 * (1.0 + kept) / (h * h) } else { 1.0 / (h * h) }
    }

    /// The rest shape of a strand becomes that of `s`. The half element between a phantom and the end edge is solved with a length in it that is a part of
    /// what the edge had been: the end's rest strains are such that the moment is the same without.
    fn take_rest(&mut self, strand: usize, s: &Strands<f64>) {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let same = |v: usize| rest_of(self.material.rest[start + v], v + 1 < n) == s.rest[v + lead];
        // Not to round what has not changed.
        let changed = !(0..n).all(same);
        for v in if changed { 0..n } else { 0..0 } {
            let (i, r) = (v + lead, s.rest[v + lead]);
            let row = &mut self.material.rest[start + v];
            if v + 1 < n {
                row.0 = r.length;
            }
            let [before, after] = [v > 0 || lead > 0, v + 1 < n || trail > 0];
            if !(before && after) {
                continue;
            }
            row.1 = [r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist];
            let (phantom, edge) = match v {
                0 => (s.rest[0].length, r.length),
                _ if v + 1 == n => (r.length, s.rest[i - 1].length),
                _ => continue,
            };
            let by = (1.0 + PHANTOM) * edge / (edge + phantom);
            let q = s.relative(i);
            let mut now = self.desc.model.strains(&q);
            if self.desc.model.counts_turns() {
                now[4] = s.state[i].twist + s.state[i].turns * core::f64::consts::TAU;
            }
            (0..5).for_each(|k| row.1[k] = now[k] - by * (now[k] - row.1[k]));
        }
        self.compile_strand(strand);
    }

    /// Where the pose `s` of a strand begins: elsewhere than the present one if the root is free.
    fn start_of(&self, strand: usize, s: &Strands<f64>) -> Vec3<f64> {
        let moved = Vec3::from([s.moved[0][0], s.moved[0][1], s.moved[0][2]]);
        self.state3(strand, 0, state::X) + if self.desc.root == EndSupport::Free { moved } else { Vec3::zero() }
    }

    /// Whether the pose `s` of a strand is one that a host may give, finite and no farther away than that, and that something holds: a strand that
    /// nothing does has no statics, and runs.
    pub(crate) fn in_reach(&self, strand: usize, s: &Strands<f64>) -> bool {
        let (n, [lead, _]) = (self.layout.counts[strand] as usize, self.phantoms(strand));
        let length: f64 = (0..n - 1).map(|v| self.rest_row(strand, v).0).sum();
        let mut x = self.start_of(strand, s);
        (0..n).all(|v| {
            let here = x;
            x = x + s.state[v + lead].edge;
            let way = (here - self.state3(strand, v, state::X)).length();
            // NaN is in no range.
            here.to_array().iter().all(|c| c.abs() <= FARTHEST)
                && way <= RUNS * length
                && s.state[v + lead].m1.length2().is_finite()
        })
    }

    /// The pose of a strand becomes that of `s`, at rest.
    pub(crate) fn take_pose(&mut self, strand: usize, s: &Strands<f64>) {
        let n = self.layout.counts[strand] as usize;
        let [lead, _] = self.phantoms(strand);
        let mut x = self.start_of(strand, s);
        for v in 0..n {
            let node = s.state[v + lead];
            self.set_state3(strand, v, state::X, x.to_array());
            self.set_state3(strand, v, state::U, [0.0; 3]);
            if v + 1 < n {
                let ghost = x + node.edge * 0.5 + node.m1 * self.param(strand, v, param::GHOST);
                self.set_state3(strand, v, state::GX, ghost.to_array());
                self.set_state3(strand, v, state::GU, [0.0; 3]);
                if self.desc.model.counts_turns() {
                    self.set_state(strand, v, state::TWIST, node.twist + node.turns * core::f64::consts::TAU);
                }
            }
            x = x + node.edge;
        }
    }

    /// From now on rest shapes are found: bounds stay around the one that was given.
    pub(crate) fn keep_given_rest(&mut self) {
        if self.material.given.is_empty() {
            self.material.given = self.material.rest.clone();
        }
    }

    /// Whether a strand has the rest shape still that was given.
    pub(crate) fn has_given_rest(&self, strand: usize) -> bool {
        let of = self.layout.starts[strand] as usize..self.layout.starts[strand + 1] as usize;
        self.material.rest[of.clone()] == self.material.given[of]
    }

    /// The rest shape that was given, with phantoms.
    pub(crate) fn given_rest(&self, strand: usize) -> Vec<Rest<f64>> {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let mut rest = vec![Rest { length: 1.0, kappa: [0.0; 4], twist: 0.0 }; n + lead + trail];
        for v in 0..n {
            rest[v + lead] = rest_of(self.material.given[start + v], v + 1 < n);
        }
        if lead > 0 {
            rest[0].length = PHANTOM * rest[1].length;
        }
        if trail > 0 {
            rest[n + lead - 1].length = PHANTOM * rest[n + lead - 2].length;
        }
        rest
    }

    /// Whether substeps of `h` seconds take what was found for what it was solved with, that many times as stiff, and a host could give it. (A rest length
    /// of less than half of what an edge was made with lowers the limit of a step.)
    pub(crate) fn takes(&self, strand: usize, (found, number): (&Found, usize), h: f64) -> bool {
        let (of, double, [lead, _]) = (self.material_of(strand), self.is_double(), self.phantoms(strand));
        let solved = self.taken_as_given(strand, h);
        let length = |v: usize| found.strands[number].rest[v + lead].length;
        let rest: Vec<RestRow> = (0..solved.len()).map(|v| (length(v), of.rest(v).1)).collect();
        let now = of.with_rest(&rest);
        (0..rest.len()).all(|v| {
            let [bend, stretch] = found.multipliers[number].as_ref().map_or([1.0; 2], |by| by[v + lead]);
            let (described, limit, had) = (of.described(v), now.limit(v, h, double), of.factors(v));
            let fits = |(k, by): (usize, f64)| solved[v][k] * by <= limit[k].min(described[k] * by) * (1.0 + 1e-6);
            [(0, stretch), (1, bend), (2, bend), (3, bend)].into_iter().all(fits)
                && had[0] * bend <= STIFFNESS_FACTOR[1]
                && had[1] * stretch <= STIFFNESS_FACTOR[1]
        })
    }

    /// What was found for a strand, the one of that number in a batch.
    pub(crate) fn take_solved(&mut self, strand: usize, (found, number): (&Found, usize), report: StrandReport) {
        self.elastic[strand] = report;
        if let Some(by) = &found.multipliers[number] {
            let (start, [lead, _]) = (self.layout.starts[strand] as usize, self.phantoms(strand));
            self.own_factors();
            for v in 0..self.layout.counts[strand] as usize {
                (0..2).for_each(|k| self.material.factors[start + v][k] *= by[v + lead][k]);
            }
        }
        self.material.found_for[strand] = found.h;
        self.take_rest(strand, &found.strands[number]);
    }

    /// The stiffest element, over the mass of its vertex, that the next step takes for what it is, s⁻².
    pub(crate) fn hardest_element(&self, substeps: u32) -> f64 {
        let h = self.next_h(substeps);
        if matches!(self.data, Data::F32(_)) && self.desc.order == SweepOrder::Direct {
            INERTIA_LOST / (h * h)
        } else {
            f64::INFINITY
        }
    }

    fn own_factors(&mut self) {
        if self.material.factors.is_empty() {
            self.material.factors = vec![[1.0; 2]; self.vertex_count()];
        }
    }

    /// Two factors a vertex, by which the rod is stiffer than it was made: against bending and twisting there, and against stretching of
    /// the edge after it.
    pub fn read_stiffness_factors(&self, mut put: impl FnMut(usize, [f64; 2])) {
        self.visit(0, |s, v, i| put(i, self.material_of(s).factors(v)));
    }

    /// Makes the rod stiffer, or softer, than it was made, by what [`Self::read_stiffness_factors`] tells. The rest shape stays; where that
    /// had been found for a load, find it again.
    pub fn set_stiffness_factors(&mut self, get: impl Fn(usize) -> [f64; 2]) -> Result<()> {
        self.needs_stiffness()?;
        for i in 0..self.vertex_count() {
            for (k, factor) in get(i).into_iter().enumerate() {
                let [low, high] = STIFFNESS_FACTOR;
                if !(low..=high).contains(&factor) {
                    crate::desc::validate::between(&format!("factors[{i}][{k}]"), factor, low, high)?;
                }
            }
        }
        self.material.factors = (0..self.vertex_count()).map(get).collect();
        (0..self.strand_count()).for_each(|s| self.compile_strand(s));
        Ok(())
    }

    pub(crate) fn needs_stiffness(&self) -> Result<()> {
        if self.desc.model.statics().is_none() {
            let (number, name) = (self.desc.model as u32, self.desc.model.name());
            return Err(Error::unsupported(format!("model is {number}: {name} have no statics and no rest shapes to find")));
        }
        match self.desc.stiffness {
            Stiffness::Physical { .. } => Ok(()),
            Stiffness::Alpha { .. } => Err(Error::invalid("stiffness is 1: alpha has no statics, only physical stiffness has")),
        }
    }

    /// What reports tell of the strands as they are now: who is held elsewhere, what stiffens them, and whether a step of `h` seconds is why they do not hold.
    pub(crate) fn complete_reports(&mut self, h: f64) {
        for s in 0..self.strand_count() {
            let (seated, held, n) = (self.sits_where_held(s), self.is_held(s), self.layout.counts[s] as usize);
            let (of, double) = (self.material_of(s), self.is_double());
            let factors = || (0..n).flat_map(|v| of.factors(v)).filter(|f| *f > 1.0);
            let (stiffened, stiffest) = (factors().count() as u32, factors().fold(1.0, f64::max));
            // A step takes a bend or twist for less than half as stiff. (Lengths give next to nothing, however soft a step takes them.)
            let softer = || {
                (0..n).any(|v| {
                    let (described, taken) = (of.described(v), of.taken(v, h, double));
                    (1..4).any(|k| described[k] > MUCH_SOFTER * taken[k])
                })
            };
            let mut report = self.elastic[s];
            let short = held && matches!(report.status, Status::Converged | Status::IterationLimit);
            let fails = short || matches!(report.status, Status::AtBounds | Status::TooSoft) || report.unstable_modes > 0;
            if fails && softer() {
                report.cause = report.cause.or(Some(Refusal::Step));
            }
            (report.stiffened, report.stiffest) = (stiffened, stiffest);
            if report.holds(0.0) && !seated {
                (report.unstable_modes, report.cause) = (1, Some(Refusal::Held));
            }
            self.elastic[s] = report;
        }
    }

    /// How the last optimization, search for statics or stability left each strand; empty before.
    pub fn elastic_report(&self) -> &[StrandReport] {
        &self.elastic
    }
}

fn rest_of((length, [a, b, c, d, twist]): RestRow, edge: bool) -> Rest<f64> {
    Rest { length: if edge { length } else { 1.0 }, kappa: [a, b, c, d], twist }
}

/// Half of the edges at vertex `v` of `n`, without phantoms and with them.
fn halves(of: &StrandMaterial<'_>, v: usize, n: usize, [lead, trail]: [usize; 2]) -> [f64; 2] {
    let length = |v: usize| of.rest(v).0;
    let (before, after) = (if v > 0 { length(v - 1) } else { 0.0 }, if v + 1 < n { length(v) } else { 0.0 });
    let phantom = match v {
        0 if lead > 0 => PHANTOM * length(0),
        _ if v + 1 == n && trail > 0 => PHANTOM * length(n - 2),
        _ => 0.0,
    };
    [0.5 * (before + after), 0.5 * (before + after + phantom)]
}
