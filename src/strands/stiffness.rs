//! The stiffness of strands: compiled for a substep, as a step takes it, and the factors by which a host or a search makes it larger.

use super::{Data, Rods, with};
use crate::desc::error::Result;
use crate::desc::*;
use crate::layout::{param, state};
use crate::math::Vec3;
use crate::rods::newton::{HALF, INERTIA_LOST};

/// Of a step before the first, s.
pub(super) const EXPECTED_STEP: f64 = 1.0 / 60.0;

/// Of what the host may set.
pub(super) const STIFFNESS_FACTOR: [f64; 2] = [1e-9, 1e9];

impl Rods {
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

    /// The same of the half element as it is in the substep under way, with what gives beside it: a compliance in series, and Ψ̄. It is what the strand's own
    /// system has (`rods/newton/tie.rs`): an edge below half of its rest length holds it more softly, and a section of the scale s by K s² (Ψ − Ψ̄/s)².
    pub(crate) fn half_element_now(&self, strand: usize, tip: bool, give: Vec3<f64>) -> [Vec3<f64>; 2] {
        let last = self.layout.counts[strand] as usize - 1;
        let edge = if tip { last - 1 } else { 0 };
        let at = |v: usize| self.state3(strand, v, state::X) + self.state3(strand, v, state::U);
        let direct = self.desc.order == SweepOrder::Direct;
        let short = (at(edge + 1) - at(edge)).length() / (HALF * self.param(strand, edge, param::LENGTH)).max(f64::MIN_POSITIVE);
        let open = if direct { short.clamp(f64::MIN_POSITIVE.sqrt(), 1.0).powi(2) } else { 1.0 };
        let [began, now] = self.section_scales(strand, edge);
        let inv = 1.0 / now;
        let whole = self.half_element(strand, tip) * (1.0 / open) + give * (began * began);
        [whole * (inv * inv), self.half_rest(strand, tip) * inv]
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

    /// The stiffest element, over the mass of its vertex, that the next step takes for what it is, s⁻².
    pub(crate) fn hardest_element(&self, substeps: u32) -> f64 {
        let h = self.next_h(substeps);
        if matches!(self.data, Data::F32(_)) && self.desc.order == SweepOrder::Direct {
            INERTIA_LOST / (h * h)
        } else {
            f64::INFINITY
        }
    }

    pub(super) fn own_factors(&mut self) {
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
        self.describe();
        (0..self.strand_count()).for_each(|s| self.compile_strand(s));
        Ok(())
    }
}
