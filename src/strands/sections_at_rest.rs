//! Rest shapes of rods that keep their volume: statics know rods whose sections stay (`sagfree::sections`).

use super::{Rods, with};
use crate::desc::WorldDesc;
use crate::desc::error::{Error, Result};
use crate::layout::{active, bulk, scale};
use crate::math::Elem;
use crate::rods::der::strand::Strands;
use crate::rods::material::RestRow;
use crate::sagfree::sections::{Step, Strained, carried, settled, with_sections, without_sections};

impl Rods {
    /// The pose of a strand as statics have it.
    fn strained(&self, strand: usize, s: &Strands<f64>) -> Strained {
        let (n, [lead, trail]) = (self.layout.counts[strand] as usize, self.phantoms(strand));
        let lengths = (0..n - 1).map(|v| s.state[v + lead].edge.length()).collect();
        let held = |v: usize| s.section[v + lead].free[0] == 0.0;
        let kept = (0..n - 1).map(|v| held(v) && held(v + 1)).collect();
        let strains = (0..n).map(|v| {
            let element = (v > 0 || lead > 0) && (v + 1 < n || trail > 0);
            element.then(|| {
                let mut now = self.desc.model.strains(&s.relative(v + lead));
                if self.desc.model.counts_turns() {
                    now[4] = s.state[v + lead].twist + s.state[v + lead].turns * core::f64::consts::TAU;
                }
                now
            })
        });
        Strained { lengths, kept, strains: strains.collect() }
    }

    /// What the host presses its sections with, one an edge, N m.
    fn pushes(&self, strand: usize) -> Vec<f64> {
        let at = |v: usize| self.layout.index(strand, v, bulk::ROWS, bulk::PUSH);
        with!(&self.data, b => (0..self.layout.counts[strand] as usize - 1).map(|v| b.bulk[at(v)].to_f64()).collect())
    }

    fn step_of(&self, strand: usize) -> Step {
        Step { h: self.compiled_for.max(self.material.found_for[strand]), double: self.is_double() }
    }

    pub(super) fn scales_of(&self, strand: usize) -> Vec<f64> {
        (0..self.layout.counts[strand] as usize - 1).map(|v| 1.0 + self.scale_number(strand, v, scale::SWELL)).collect()
    }

    fn set_scales_of(&mut self, strand: usize, scales: &[f64]) {
        for (v, s) in scales.iter().enumerate() {
            self.set_scale_number(strand, v, scale::SWELL, s - 1.0);
            self.set_scale_number(strand, v, scale::GROWTH, 0.0);
        }
    }

    /// The rest shape of a strand, found for sections that stay, becomes that of sections that do not, and these take the radius that they have there.
    /// Returns whether there is one: not where loads are beyond any stretch that a rod may have.
    pub(super) fn take_sections(&mut self, strand: usize, s: &Strands<f64>) -> bool {
        let (pose, push) = (self.strained(strand, s), self.pushes(strand));
        let found = with_sections(&self.material_of(strand), &pose, &push, self.step_of(strand));
        let Some((rest, scales)) = found else { return false };
        let start = self.layout.starts[strand] as usize;
        self.material.rest[start..start + rest.len()].copy_from_slice(&rest);
        self.set_scales_of(strand, &scales);
        true
    }

    /// The rest shape of a rod whose sections stay that carries, in the pose that there is, what this strand carries once its sections have the
    /// radius that they rest at. The same rest shape where radii stay.
    pub(crate) fn rest_without_sections(&self, strand: usize, world: &WorldDesc) -> Vec<RestRow> {
        let of = self.material_of(strand);
        let given = || (0..self.layout.counts[strand] as usize).map(|v| of.rest(v)).collect();
        if !self.keeps_volume() {
            return given();
        }
        let step = self.step_of(strand);
        let s = self.elastic_strand(strand, world, &of, &self.taken(strand, step.h));
        let (pose, push) = (self.strained(strand, &s), self.pushes(strand));
        match settled(&of, &pose, self.scales_of(strand), &push, step) {
            Some(scales) => without_sections(&of, &pose, &carried(&of, &pose, &scales, step), step),
            None => given(),
        }
    }

    /// Sections take the radius at which they rest in the pose that there is.
    pub(crate) fn settle_sections(&mut self, strand: usize, world: &WorldDesc) {
        if !self.keeps_volume() {
            return;
        }
        let (of, step) = (self.material_of(strand), self.step_of(strand));
        let s = self.elastic_strand(strand, world, &of, &self.taken(strand, step.h));
        let (pose, push) = (self.strained(strand, &s), self.pushes(strand));
        if let Some(scales) = settled(&of, &pose, self.scales_of(strand), &push, step) {
            self.set_scales_of(strand, &scales);
        }
    }

    /// Statics are those of strands by themselves.
    pub(crate) fn needs_no_bundles(&self, what: &str) -> Result<()> {
        if self.is_bundled() {
            let k = self.desc.strands_per_bundle;
            return Err(Error::unsupported(format!("{what}: strands_per_bundle is {k}, and bundles have no statics yet")));
        }
        Ok(())
    }

    /// Statics and rest shapes are those of muscles that are not active.
    pub(crate) fn needs_muscles_at_rest(&self, what: &str) -> Result<()> {
        for strand in 0..if self.is_muscle() { self.strand_count() } else { 0 } {
            for v in 0..self.layout.counts[strand] as usize - 1 {
                let activation = self.active_number(strand, v, active::ACTIVATION);
                if activation != 0.0 {
                    return Err(Error::invalid(format!(
                        "{what}: edge {v} of strand {strand} has the activation {activation}, and this is for muscles at rest: set 0 first"
                    )));
                }
            }
        }
        Ok(())
    }
}
