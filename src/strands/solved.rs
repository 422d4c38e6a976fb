//! What a search for rest shapes or statics has found, back in the constants and the state of the strands, and what is reported of it.

use super::Rods;
use super::rest_shape::{PHANTOM, rest_of};
use super::stiffness::STIFFNESS_FACTOR;
use super::stored::Found;
use crate::desc::*;
use crate::layout::{param, state};
use crate::math::Vec3;
use crate::rods::der::strand::Strands;
use crate::rods::material::RestRow;
use crate::sagfree::batch::{Status, StrandReport};
use crate::sagfree::rest_shape::Refusal;

/// The longest strand that statics may find, m: what a host may give is not farther away either.
const FARTHEST: f64 = 1e9;

/// How far statics may be from the present pose, in lengths of the strand.
const RUNS: f64 = 1e4;

/// By what factor a step softens what may be why a strand is too soft.
const MUCH_SOFTER: f64 = 2.0;

impl Rods {
    /// The rest shape of a strand becomes that of `s`. The half element between a phantom and the end edge is solved with a length in it that is a part of
    /// what the edge had been: the end's rest strains are such that the moment is the same without.
    fn take_rest(&mut self, strand: usize, s: &Strands<f64>) {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let same = |v: usize| rest_of(self.material.rest[start + v], v + 1 < n) == s.rest[v + lead];
        // Not to round what has not changed.
        let changed = !(0..n).all(same);
        let before = if self.keeps_volume() { self.material.rest[start..start + n].to_vec() } else { Vec::new() };
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
        if changed && self.keeps_volume() && !self.take_sections(strand, s) {
            self.material.rest[start..start + n].copy_from_slice(&before);
            self.elastic[strand] = StrandReport { status: Status::Refused(Refusal::NotFinite), ..StrandReport::default() };
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
        self.restart(strand);
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
        self.describe();
        self.take_rest(strand, &found.strands[number]);
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
