//! Strands of a world as `rods::der` takes them for rest shapes, statics and stability, in f64, and what was found back in their constants or their
//! state. Who asks: `optimize.rs`.

use super::settings::{Company, iterations};
use super::stored::Found;
use super::{Data, Rods};
use crate::desc::error::{Error, Result};
use crate::desc::*;
use crate::layout::{FORCE_ROWS, KAPPA_ROWS, param, state};
use crate::math::{Elem, Vec3};
use crate::rods::der::kernels::Measure;
use crate::rods::der::strand::{Rest, Strands};
use crate::rods::group::Pin;
use crate::rods::newton::{DROWNED, FOLDED, RIGID};
use crate::sagfree::batch::{Status, StrandReport};
use crate::sagfree::rest_shape::Refusal;

/// The length of the edge that stands for a clamped frame of ghost-point rods, over that of the edge beside it. Half an element
/// has the stiffness of an element between an edge and nothing.
const PHANTOM: f64 = 1e-3;

/// Of a step before the first, s.
const EXPECTED_STEP: f64 = 1.0 / 60.0;

/// The longest strand that statics may find, m: what a host may give is not farther away either.
const FARTHEST: f64 = 1e9;

/// How far statics may be from the present pose, in lengths of the strand.
const RUNS: f64 = 1e4;

/// Of what the host may set.
const STIFFNESS_FACTOR: [f64; 2] = [1e-9, 1e9];

/// Of a compliance in [`Rods::softened`].
fn softened_row(field: usize) -> usize {
    if field == param::STRETCH { 0 } else { 1 + field - param::BEND }
}

/// How far below the step's limit a stiffness is kept: rest lengths are not lengths, and edges turn. Strands whose rest lengths change by more get as much
/// more as they ask for, and are solved again.
const MARGIN: f64 = 1.02;

/// Compliances that stiffening changes, and which of a vertex's two factors each has.
const STIFFENED: [(usize, usize); 4] = [(param::BEND, 0), (param::BEND + 1, 0), (param::BEND + 2, 0), (param::STRETCH, 1)];

/// By what factor a step softens what may be why a strand is too soft.
const MUCH_SOFTER: f64 = 2.0;

/// How stiff a vertex was.
pub(crate) struct Stiff {
    compliances: [f64; 4],
    factors: [f64; 2],
    found: [f64; 2],
}

/// What a strand is solved with.
#[derive(Clone, Copy)]
pub(crate) enum Described<'a> {
    /// What steps solve.
    Present,
    /// The stiffness that it was made with, not what a longer step has softened.
    Anew,
    /// That, and this rest shape, with phantoms.
    From(&'a [Rest<f64>]),
}

/// l̄ of the edge after a vertex and the strains of the element around it.
pub(crate) type RestRow = (f64, [f64; 5]);

/// The smallest compliances that a step takes (`newton.rs`, RIGID). A rest shape for stiffer ones would not hold: in f32 grooms with
/// edges of a millimetre sagged by 1 % to 8 %.
struct Rigid<'a> {
    rods: &'a Rods,
    /// Over mass.
    least: f64,
    /// With each strand's margin.
    safe: bool,
}

impl Rigid<'_> {
    fn least(&self, s: usize) -> f64 {
        self.least * if self.safe { self.rods.margin(s) } else { 1.0 }
    }

    fn edge(&self, s: usize, v: usize) -> f64 {
        self.least(s) * self.rods.param(s, v, param::W).max(self.rods.param(s, v + 1, param::W))
    }

    /// Of the element between the edges `e` and `f`.
    fn element(&self, s: usize, e: usize, f: usize) -> [f64; 3] {
        let r = self.rods;
        let length = |v: usize| (r.state3(s, v + 1, state::X) - r.state3(s, v, state::X)).length();
        let (shorter, ghost) = (length(e).min(length(f)), r.param(s, f, param::GHOST));
        let bend = self.edge(s, f) / (shorter * shorter).max(f64::MIN_POSITIVE);
        let turn = self.least(s) * r.param(s, f, param::WG) / (ghost * ghost).max(f64::MIN_POSITIVE);
        [bend, bend, if r.desc.model == RodModel::Der { bend } else { bend.max(turn) }]
    }
}

impl Rods {
    /// Edges before the first and behind the last vertex that stand for clamped frames: those of ghost-point rods, and of attachments.
    pub(crate) fn phantoms(&self, strand: usize) -> [usize; 2] {
        let supports = [self.desc.root, self.desc.tip];
        [0, 1].map(|end| {
            let by_edge = self.desc.model == RodModel::Der && supports[end] == EndSupport::Clamped;
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

    pub(crate) fn rest_row(&self, strand: usize, vertex: usize) -> RestRow {
        let p = |k: usize| self.param(strand, vertex, param::PSI + k);
        let kappa = |k: usize| {
            let i = self.layout.index(strand, vertex, KAPPA_ROWS, k);
            match &self.data {
                Data::F32(b) if !b.kappa.is_empty() => b.kappa[i].to_f64(),
                Data::F64(b) if !b.kappa.is_empty() => b.kappa[i],
                _ => 0.0,
            }
        };
        (self.param(strand, vertex, param::LENGTH), [p(0), p(1), kappa(0), kappa(1), p(2)])
    }

    /// What a step of `h` seconds takes.
    fn rigid_at(&self, h: f64) -> Rigid<'_> {
        Rigid { rods: self, least: h * h * RIGID[usize::from(matches!(self.data, Data::F64(_)))], safe: false }
    }
    /// What the next step takes; `safe`: with margins.
    fn rigid(&self, substeps: u32, safe: bool) -> Rigid<'_> {
        let rigid = self.rigid_at(self.next_h(substeps));
        // Sweeps take any compliance.
        Rigid { least: if self.desc.order != SweepOrder::Direct { 0.0 } else { rigid.least }, safe, ..rigid }
    }

    /// Compliances of the half element between an anchor and the end edge of a strand, as Newton's step takes them.
    pub(crate) fn half_element(&self, strand: usize, tip: bool, h: f64) -> Vec3<f64> {
        let n = self.layout.counts[strand] as usize;
        let (end, edge) = if tip { (n - 1, n - 2) } else { (0, 0) };
        let least = self.rigid_at(h).element(strand, edge, edge);
        Vec3::from(core::array::from_fn(|k| self.param(strand, end, param::BEND + k).max(least[k])))
    }

    /// What makes that half element as soft as `part` of what the end edge is to a moment in a step of `h` seconds: a compliance in series, over h².
    pub(crate) fn half_give(&self, strand: usize, tip: bool, h: f64, part: f64) -> Vec3<f64> {
        let edge = if tip { self.layout.counts[strand] as usize - 2 } else { 0 };
        let least = Vec3::from(Rigid { rods: self, least: part, safe: false }.element(strand, edge, edge));
        (least - self.half_element(strand, tip, h) * (1.0 / (h * h))).map(|c| c.max(0.0))
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

    /// The compliance that a field had before a step's limit softened it.
    pub(crate) fn made(&self, strand: usize, v: usize, field: usize) -> f64 {
        let softened = self.softened.get(self.layout.starts[strand] as usize + v).map_or(1.0, |s| s[softened_row(field)]);
        self.param(strand, v, field) / softened
    }

    /// Twice the mean length of the edges at a vertex, of that `length` each, phantoms included.
    fn span(&self, strand: usize, v: usize, [lead, trail]: [usize; 2], length: &dyn Fn(usize) -> f64) -> f64 {
        let n = self.layout.counts[strand] as usize;
        let phantom = |there: usize, beside: usize| there as f64 * PHANTOM * length(beside);
        (if v > 0 { length(v - 1) } else { phantom(lead, 0) }) + (if v + 1 < n { length(v) } else { phantom(trail, n - 2) })
    }

    /// EA of the edge after a vertex, EI about its first and second axis, and GJ of its element. `anew`: as they were made, not as a longer step has
    /// softened them.
    pub(crate) fn stiffness(&self, strand: usize, v: usize, phantoms: [usize; 2], anew: bool) -> [f64; 4] {
        let length = |v: usize| self.param(strand, v, param::LENGTH);
        let compliance = |field: usize| if anew { self.made(strand, v, field) } else { self.param(strand, v, field) };
        let half = 0.5 * self.span(strand, v, phantoms, &length);
        let ea = if v + 1 < self.layout.counts[strand] as usize { length(v) / compliance(param::STRETCH) } else { 0.0 };
        let [a, b, twist] = core::array::from_fn(|k| half / compliance(param::BEND + k));
        [ea, a, b, twist]
    }

    /// A strand in its present pose under gravity and the host's forces. Ends that attachments hold count as held. What is stiffer than a
    /// step takes it counts as that stiff.
    pub(crate) fn elastic_strand(&self, strand: usize, world: &WorldDesc, described: Described<'_>) -> Strands<f64> {
        let (gravity, substeps) = (Vec3::from(world.gravity), world.substeps);
        let anew = !matches!(described, Described::Present);
        let rigid = self.rigid(substeps, anew);
        let n = self.layout.counts[strand] as usize;
        let [lead, trail] = self.phantoms(strand);
        let der = self.desc.model == RodModel::Der;
        let mut s = Strands::<f64>::new(n + lead + trail);
        s.measure = if der { Measure::Curvature } else { Measure::Darboux };
        s.steps = self.holds_overshoot(world);
        if der || self.desc.order == SweepOrder::Direct {
            s.folded = FOLDED;
        }
        let clamped = |end: EndSupport| der && end == EndSupport::Clamped;
        let tied =
            [false, true].map(|tip| (strand as u32, tip)).map(|end| self.ties.contains_key(&end) && !self.gives.contains(&end));
        let length = |v: usize| match described {
            Described::From(rest) => rest[v + lead].length,
            _ => self.param(strand, v, param::LENGTH),
        };
        for v in 0..n {
            let i = v + lead;
            let edge = v + 1 < n;
            if edge {
                s.state[i].edge = self.state3(strand, v + 1, state::X) - self.state3(strand, v, state::X);
                s.state[i].m1 = self.clamped_m1(strand, v, s.state[i].edge).unwrap_or(self.frame(strand, v).d1);
            }
            s.rest[i] = match described {
                Described::From(rest) => rest[i],
                _ => {
                    let (rest_length, [a, b, c, d, twist]) = self.rest_row(strand, v);
                    Rest { length: if edge { rest_length } else { 1.0 }, kappa: [a, b, c, d], twist }
                }
            };
            let element = (v > 0 || lead > 0) && (v + 1 < n || trail > 0);
            let least = if element { rigid.element(strand, v.max(1) - 1, v.min(n - 2)) } else { [0.0; 3] };
            let (made, half) =
                (self.stiffness(strand, v, [lead, trail], anew), 0.5 * self.span(strand, v, [lead, trail], &length));
            let stiffness = |k: usize| if element { half / (half / made[1 + k]).max(least[k]) } else { 0.0 };
            let ghost = |v: usize| 1.0 / self.param(strand, v, param::WG);
            let w = self.param(strand, v, param::W);
            let c = &mut s.section[i];
            c.ea = if edge { length(v) / (length(v) / made[0]).max(rigid.edge(strand, v)) } else { 0.0 };
            // Strains of DER bend towards an axis, Ψ about it.
            c.ei = if der { [stiffness(1), stiffness(0)] } else { [stiffness(0), stiffness(1)] };
            c.gj = stiffness(2);
            let shared = if v > 0 { ghost(v - 1) } else { 0.0 } + if edge { ghost(v) } else { 0.0 };
            c.mass = if w > 0.0 { 1.0 / w } else { 0.0 } + 0.5 * shared;
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
        if der {
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
        if self.desc.model == RodModel::Der || self.desc.order != SweepOrder::Direct {
            return 0.0;
        }
        let h = self.next_h(world.substeps);
        // Beside bodies and anchors others' iterations count, too.
        let once = self.company() == Company::Alone && [false, true].iter().all(|&t| iterations(&self.desc, world, t) == 1);
        let kept = 1.0 / ((1.0 + h * self.desc.drag) * (1.0 + h * self.desc.damping));
        if once { 2.0 * (1.0 + kept) / (h * h) } else { 1.0 / (h * h) }
    }

    /// The rest shape and the stiffness of a strand become those of `s`, `by` times what they were made with but for a step's limit. What the rest
    /// makes of the stiffness that is stored is noted, so that the next call begins with that which the rods were made with: by how much that limit softens,
    /// phantoms, which are a part of an edge that was of another length, and in f32 rounding.
    fn take_rest(&mut self, strand: usize, s: &Strands<f64>, by: Option<&[[f64; 2]]>) {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let made: Vec<[f64; 4]> = (0..n).map(|v| self.stiffness(strand, v, [lead, trail], true)).collect();
        let der = self.desc.model == RodModel::Der;
        for v in 0..n {
            let i = v + lead;
            let (r, c) = (s.rest[i], s.section[i]);
            if v + 1 < n {
                self.set_param(strand, v, param::LENGTH, r.length);
                self.set_param(strand, v, param::STRETCH, r.length / c.ea);
            }
            if (v > 0 || lead > 0) && (v + 1 < n || trail > 0) {
                self.set_rest_strains(strand, v, [r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist]);
                let half = 0.5 * (if i > 0 { s.rest[i - 1].length } else { 0.0 } + r.length);
                let [a, b] = if der { [c.ei[1], c.ei[0]] } else { c.ei };
                for (k, stiffness) in [a, b, c.gj].into_iter().enumerate() {
                    self.set_param(strand, v, param::BEND + k, half / stiffness);
                }
            }
        }
        if self.softened.is_empty() {
            self.softened = vec![[1.0; 4]; self.vertex_count()];
        }
        for v in 0..n {
            let now = self.stiffness(strand, v, [lead, trail], false);
            let [bend, stretch] = by.map_or([1.0; 2], |by| by[v + lead]);
            self.softened[start + v] = core::array::from_fn(|k| {
                let softer = made[v][k] * if k == 0 { stretch } else { bend } / now[k];
                if softer.is_finite() && softer > 0.0 { softer } else { 1.0 }
            });
        }
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
        let length: f64 = (0..n - 1).map(|v| self.param(strand, v, param::LENGTH)).sum();
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
                if self.desc.model == RodModel::Der {
                    self.set_state(strand, v, state::TWIST, node.twist + node.turns * core::f64::consts::TAU);
                }
            }
            x = x + node.edge;
        }
    }

    /// Notes the rest shape as it is before any optimization, a row a vertex.
    pub(crate) fn keep_first_rest(&mut self) {
        if self.first_rest.is_empty() {
            let mut rows = Vec::with_capacity(self.vertex_count());
            self.visit(0, |s, v, _| rows.push(self.rest_row(s, v)));
            self.first_rest = rows;
        }
    }

    /// Whether a strand has that rest shape still.
    pub(crate) fn has_first_rest(&self, strand: usize) -> bool {
        let start = self.layout.starts[strand] as usize;
        (0..self.layout.counts[strand] as usize).all(|v| self.rest_row(strand, v) == self.first_rest[start + v])
    }

    /// That rest shape, with phantoms.
    pub(crate) fn first_rest(&self, strand: usize) -> Vec<Rest<f64>> {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let none = Rest { length: 1.0, kappa: [0.0; 4], twist: 0.0 };
        let mut rest = vec![none; n + lead + trail];
        for (v, &(length, [a, b, c, d, twist])) in self.first_rest[start..start + n].iter().enumerate() {
            let to = &mut rest[v + lead];
            (to.kappa, to.twist) = ([a, b, c, d], twist);
            if v + 1 < n {
                to.length = length;
            }
        }
        if lead > 0 {
            rest[0].length = PHANTOM * rest[1].length;
        }
        if trail > 0 {
            rest[n + lead - 1].length = PHANTOM * rest[n + lead - 2].length;
        }
        rest
    }

    /// How many times as stiff as a step takes it a strand is: against bending and twisting at each vertex, and against stretching after it.
    fn over_limits(&self, strand: usize, s: &Strands<f64>, rigid: &Rigid<'_>) -> impl Iterator<Item = [f64; 2]> {
        let (n, [lead, trail]) = (self.layout.counts[strand] as usize, self.phantoms(strand));
        (0..n).map(move |v| {
            let (i, c, length) = (v + lead, &s.section[v + lead], s.rest[v + lead].length);
            let stretch = if v + 1 < n { rigid.edge(strand, v) * c.ea / length } else { 0.0 };
            let mut bend: f64 = 0.0;
            if (v > 0 || lead > 0) && (v + 1 < n || trail > 0) {
                let half = 0.5 * (if i > 0 { s.rest[i - 1].length } else { 0.0 } + length);
                let least = rigid.element(strand, v.max(1) - 1, v.min(n - 2));
                bend = [c.ei[0], c.ei[1], c.gj].iter().zip(least).fold(bend, |m, (k, least)| m.max(least * k / half));
            }
            [bend, stretch]
        })
    }

    /// Whether a step takes stiffness that is larger by these factors than that of `s`, a strand as it was described, and a host could give it.
    pub(crate) fn takes(&self, strand: usize, s: &Strands<f64>, by: &[[f64; 2]], substeps: u32) -> bool {
        let (rigid, start, [lead, _]) = (self.rigid(substeps, true), self.layout.starts[strand] as usize, self.phantoms(strand));
        self.over_limits(strand, s, &rigid).enumerate().all(|(v, over)| {
            let set = self.factors.get(start + v).unwrap_or(&[1.0; 2]);
            (0..2).all(|k| {
                let by = by[v + lead][k];
                set[k] * by <= STIFFNESS_FACTOR[1] && (by == 1.0 || by * over[k] <= 1.0 + 1e-6)
            })
        })
    }

    /// How many times as stiff a strand is as the next step takes it; at most 1 where it takes it as it is.
    pub(crate) fn over_limit(&self, strand: usize, s: &Strands<f64>, substeps: u32) -> f64 {
        self.over_limits(strand, s, &self.rigid(substeps, false)).flatten().fold(1.0, f64::max)
    }

    /// A rest shape that came out `over` times too stiff is to be found again for a softer strand.
    pub(crate) fn raise_margin(&mut self, strand: usize, over: f64) {
        self.set_margin(strand, self.margin(strand) * over * MARGIN);
    }

    pub(crate) fn drop_margin(&mut self, strand: usize) {
        self.set_margin(strand, MARGIN);
    }

    fn margin(&self, strand: usize) -> f64 {
        self.margins.get(strand).copied().unwrap_or(MARGIN)
    }

    fn set_margin(&mut self, strand: usize, margin: f64) {
        if self.margins.is_empty() && margin != MARGIN {
            self.margins = vec![MARGIN; self.strand_count()];
        }
        if let Some(m) = self.margins.get_mut(strand) {
            *m = margin;
        }
    }

    /// What was found for a strand, the one of that number in a batch.
    pub(crate) fn take_solved(&mut self, strand: usize, (found, number): (&Found, usize), report: StrandReport) {
        let solved = &found.strands[number];
        self.elastic[strand] = report;
        self.take_rest(strand, solved, found.multipliers[number].as_deref());
        if let Some(factors) = &found.multipliers[number] {
            self.note_stiffening(strand, factors);
        }
    }

    /// `by`: of a strand with its phantoms.
    fn note_stiffening(&mut self, strand: usize, by: &[[f64; 2]]) {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, _] = self.phantoms(strand);
        self.own_factors();
        if self.found.is_empty() {
            self.found = vec![[1.0; 2]; self.vertex_count()];
        }
        for i in 0..n {
            self.found[start + i] = by[i + lead];
            (0..2).for_each(|k| self.factors[start + i][k] *= by[i + lead][k]);
        }
    }

    pub(crate) fn stiffest(&self, strand: usize) -> f64 {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let found = self.found.get(start..start + n).unwrap_or_default();
        found.iter().flatten().fold(1.0, |m: f64, f| m.max(*f))
    }
    pub(crate) fn is_stiffened(&self, strand: usize) -> bool {
        self.stiffest(strand) > 1.0
    }

    /// The stiffest element, over the mass of its vertex, that the next step takes for what it is, s⁻².
    pub(crate) fn hardest_element(&self, substeps: u32) -> f64 {
        let h = self.next_h(substeps);
        if matches!(self.data, Data::F32(_)) && self.desc.order == SweepOrder::Direct { DROWNED / (h * h) } else { f64::INFINITY }
    }

    /// Takes off what stiffening has found for a strand. What it was goes to [`Self::give_back_stiffening`].
    pub(crate) fn take_off_stiffening(&mut self, strand: usize) -> Vec<Stiff> {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        if !self.is_stiffened(strand) {
            return Vec::new();
        }
        let mut out = Vec::with_capacity(n);
        for v in 0..n {
            let compliances = STIFFENED.map(|(field, _)| self.param(strand, v, field));
            let (factors, found) = (self.factors[start + v], self.found[start + v]);
            out.push(Stiff { compliances, factors, found });
            for (k, (field, which)) in STIFFENED.into_iter().enumerate() {
                self.set_param(strand, v, field, compliances[k] * found[which]);
            }
            self.factors[start + v] = [factors[0] / found[0], factors[1] / found[1]];
            self.found[start + v] = [1.0; 2];
        }
        out
    }

    pub(crate) fn give_back_stiffening(&mut self, strand: usize, had: &[Stiff]) {
        let start = self.layout.starts[strand] as usize;
        for (v, had) in had.iter().enumerate() {
            for (k, (field, _)) in STIFFENED.into_iter().enumerate() {
                self.set_param(strand, v, field, had.compliances[k]);
            }
            (self.factors[start + v], self.found[start + v]) = (had.factors, had.found);
        }
    }

    fn own_factors(&mut self) {
        if self.factors.is_empty() {
            self.factors = vec![[1.0; 2]; self.vertex_count()];
        }
    }

    /// Two factors a vertex, by which the rod is stiffer than it was made: against bending and twisting there, and against stretching of
    /// the edge after it.
    pub fn read_stiffness_factors(&self, mut put: impl FnMut(usize, [f64; 2])) {
        self.visit(0, |_, _, i| put(i, self.factors.get(i).copied().unwrap_or([1.0; 2])));
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
        self.own_factors();
        self.found = Vec::new();
        let mut i = 0;
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                let (old, new) = (self.factors[i], get(i));
                for (field, which) in STIFFENED {
                    self.set_param(s, v, field, self.param(s, v, field) * (old[which] / new[which]));
                }
                self.factors[i] = new;
                i += 1;
            }
        }
        Ok(())
    }

    pub(crate) fn needs_stiffness(&self) -> Result<()> {
        match self.desc.stiffness {
            Stiffness::Physical { .. } => Ok(()),
            Stiffness::Alpha { .. } => Err(Error::invalid("stiffness is 1: alpha has no statics, only physical stiffness has")),
        }
    }

    /// What is not of the last solution alone: what an earlier call has stiffened holds this pose, too, and sweeps that start from nothing keep no
    /// equilibrium.
    pub(crate) fn complete_reports(&mut self) {
        // A step takes a bend or twist for less than half as stiff. (Lengths give next to nothing, however soft a step takes them.)
        let softer = |s: &[f64; 4]| s[1..].iter().any(|s| *s > MUCH_SOFTER);
        let unseated: Vec<usize> = (0..self.strand_count()).filter(|&s| !self.sits_where_held(s)).collect();
        for s in unseated {
            let report = &mut self.elastic[s];
            if report.holds(0.0) {
                (report.unstable_modes, report.cause) = (1, Some(Refusal::Held));
            }
        }
        let held: Vec<bool> = (0..self.strand_count()).map(|s| self.is_held(s)).collect();
        for (s, report) in self.elastic.iter_mut().enumerate() {
            let start = self.layout.starts[s] as usize;
            if let Some(found) = self.found.get(start..start + self.layout.counts[s] as usize) {
                let all = || found.iter().flatten().filter(|f| **f > 1.0);
                (report.stiffened, report.stiffest) = (all().count() as u32, all().fold(1.0, |m: f64, f| m.max(*f)));
            }
            let here = self.softened.get(start..start + self.layout.counts[s] as usize).unwrap_or_default();
            let short = held[s] && matches!(report.status, Status::Converged | Status::IterationLimit);
            let fails = short || matches!(report.status, Status::AtBounds | Status::TooSoft) || report.unstable_modes > 0;
            if fails && here.iter().any(softer) {
                report.cause = report.cause.or(Some(Refusal::Step));
            }
        }
    }

    /// How the last optimization, search for statics or stability left each strand; empty before.
    pub fn elastic_report(&self) -> &[StrandReport] {
        &self.elastic
    }
}
