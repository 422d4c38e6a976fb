//! Activation of muscles, and what they do: lengths, velocities, forces.

use super::{Rods, with};
use crate::desc::Muscle;
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::layout::{active, bulk, param, state};
use crate::math::Elem;
use crate::rods::muscle::ActiveRest;
use crate::rods::volume::{VolumeSection, VolumeStrain, edge_volume, volume_strain};

/// What a strand carries, N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandForce {
    /// What activation adds to the tension, where the ends stay: the mean of its edges' ([`Rods::read_active_forces`]), each by how much it gives. A
    /// tendon gives little, and so takes nothing from it.
    pub active: f64,
    /// The tension in the last substep, the mean over its length: [`Rods::read_forces`].
    pub total: f64,
}

/// The tension of an edge that is stretched and that nothing presses from the side.
fn free_tension(section: &VolumeSection<f64>, rest: &VolumeStrain<f64>, stretch: f64) -> f64 {
    // From the width that keeps its volume.
    let mut swell = 1.0 / (1.0 + stretch).max(1e-3).sqrt() - 1.0;
    for _ in 0..FREE {
        let at = edge_volume(section, &volume_strain(stretch, swell), rest);
        let slope = if at.swell2 > 0.0 { at.swell2 } else { at.safe_swell2 };
        swell = (swell - at.swelling / slope.max(f64::MIN_POSITIVE)).max(-0.95);
    }
    edge_volume(section, &volume_strain(stretch, swell), rest).tension
}

const AT_REST: VolumeStrain<f64> = VolumeStrain { stretch: 0.0, swell: 0.0, volume: 0.0 };

/// A stretch that is as good as none, where both it and its tension may be nothing.
const LEAST: f64 = 1e-4;

/// Newton's steps to the width that an edge has by itself: it starts within a tenth of it.
const FREE: usize = 6;

impl Rods {
    /// Whether they have an activation: [`RodsDesc::muscle`](crate::desc::RodsDesc::muscle).
    pub fn is_muscle(&self) -> bool {
        self.desc.muscle.is_some()
    }

    /// A row of [`active`]; 0 where there is none.
    pub(crate) fn active_number(&self, strand: usize, v: usize, row: usize) -> f64 {
        let i = self.layout.index(strand, v, active::ROWS, row);
        with!(&self.data, b => if b.active.is_empty() { 0.0 } else { b.active[i].to_f64() })
    }
    fn set_active_number(&mut self, strand: usize, v: usize, row: usize, value: f64) {
        let i = self.layout.index(strand, v, active::ROWS, row);
        with!(&mut self.data, b => b.active[i] = Elem::from_f64(value));
    }

    /// How active each edge is, 0 to 1, one an edge; it stays until it is set again. It is part of the state: what is saved and restored goes on with it.
    /// Another activation than before wakes what sleeps. `get` is called twice for every edge: to check, then to write.
    ///
    /// An edge that is not wholly [`contractile`](crate::desc::RodsDesc::contractile) takes that part of it.
    ///
    /// Errors: the rods are no muscle; a value that is not from 0 to 1, by its index.
    pub fn set_activation(&mut self, mut get: impl FnMut(usize) -> f64) -> Result<()> {
        let Some(muscle) = self.desc.muscle else {
            return Err(Error::invalid("activation: muscle of the rods is not given, so nothing can be active"));
        };
        (0..self.edge_count()).try_for_each(|i| match get(i) {
            x if (0.0..=1.0).contains(&x) => Ok(()),
            x => validate::between(&format!("activation[{i}]"), x, 0.0, 1.0),
        })?;
        let (mut i, mut changed) = (0, false);
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize - 1 {
                let activation = get(i) * self.desc.contractile.get(i).copied().unwrap_or(1.0);
                i += 1;
                let now = |of: &Rods| [active::ACTIVATION, active::NATURAL].map(|row| of.active_number(s, v, row));
                let before = now(self);
                self.set_active_number(s, v, active::ACTIVATION, activation);
                if let Muscle::RestShape { shortest } = muscle {
                    self.set_active_number(s, v, active::NATURAL, 1.0 - activation * (1.0 - shortest));
                }
                changed |= now(self) != before;
            }
        }
        if changed {
            self.rest.stir();
        }
        Ok(())
    }

    /// One an edge: what was set, times what part of the edge is contractile; 0 of rods that are no muscles.
    pub fn read_activation(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| put(i, self.active_number(s, v, active::ACTIVATION)));
    }

    fn edge_length(&self, s: usize, v: usize) -> f64 {
        (self.state3(s, v + 1, state::X) - self.state3(s, v, state::X)).length()
    }

    /// What an edge is made of, without activation, and its stretch.
    fn passive_edge(&self, s: usize, v: usize) -> (VolumeSection<f64>, f64) {
        let length = self.param(s, v, param::LENGTH);
        let number = |row| {
            let i = self.layout.index(s, v, bulk::ROWS, row);
            with!(&self.data, b => b.bulk[i].to_f64())
        };
        let shear = number(bulk::SHEAR);
        let stiffness = 1.0 / self.param(s, v, param::STRETCH);
        let section = VolumeSection { stiffness, length, shear, swell_shear: shear, bulk: number(bulk::BULK) };
        (section, self.edge_length(s, v) / length - 1.0)
    }

    /// How much longer an edge is for what its passive tension has it be, m/N.
    fn slack(&self, s: usize, v: usize) -> f64 {
        let (section, stretch) = self.passive_edge(s, v);
        let stretch = if stretch.abs() < LEAST { LEAST } else { stretch };
        section.length * stretch / free_tension(&section, &AT_REST, stretch)
    }

    /// What activation adds to the tension of the edge after a vertex, N.
    fn active_force(&self, s: usize, v: usize) -> f64 {
        let Some(Muscle::RestShape { .. }) = self.desc.muscle else { return self.active_number(s, v, active::FORCE) };
        let (section, stretch) = self.passive_edge(s, v);
        let natural = self.active_number(s, v, active::NATURAL);
        if natural == 1.0 {
            return 0.0;
        }
        let active = ActiveRest::new(natural);
        free_tension(&active.section(&section), &active.rest(), stretch) - free_tension(&section, &AT_REST, stretch)
    }

    /// One an edge: what activation adds to its tension at its length, N; 0 of rods that are no muscles. Of Hill's force: the force along the edge in the last
    /// substep. Of a rest shape: its tension over that which it would have without activation, each with the radius that it takes by itself.
    pub fn read_active_forces(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| put(i, if self.is_muscle() { self.active_force(s, v) } else { 0.0 }));
    }

    fn edges_of(&self, strand: usize) -> core::ops::Range<usize> {
        0..self.layout.counts[strand] as usize - 1
    }

    /// Those that are not cut.
    fn whole_edges_of(&self, strand: usize) -> impl Iterator<Item = usize> {
        let of = self.material_of(strand);
        self.edges_of(strand).filter(move |v| !of.is_cut(*v))
    }

    /// One a strand: its length, m, without edges that are cut.
    pub fn read_strand_lengths(&self, mut put: impl FnMut(usize, f64)) {
        for s in 0..self.strand_count() {
            put(s, self.whole_edges_of(s).map(|v| self.edge_length(s, v)).sum());
        }
    }

    /// One a strand: how fast it becomes shorter, m/s; negative while it lengthens.
    pub fn read_shortening_velocities(&self, mut put: impl FnMut(usize, f64)) {
        for s in 0..self.strand_count() {
            let shorter = |v: usize| {
                let e = self.state3(s, v + 1, state::X) - self.state3(s, v, state::X);
                let u = self.state3(s, v + 1, state::U) - self.state3(s, v, state::U);
                -e.dot(u) / e.length().max(1e-30)
            };
            put(s, self.whole_edges_of(s).map(shorter).sum());
        }
    }

    /// One a strand: the tension that it carries.
    pub fn read_strand_forces(&self, mut put: impl FnMut(usize, StrandForce)) {
        let mut totals = vec![0.0; self.edge_count()];
        self.read_forces(|i, t| totals[i] = t);
        let mut active = vec![0.0; self.edge_count()];
        self.read_active_forces(|i, t| active[i] = t);
        let mut first = 0;
        for s in 0..self.strand_count() {
            let (mut sum, mut length, mut slack) = (StrandForce::default(), 0.0, 0.0);
            for v in self.edges_of(s) {
                let l = self.param(s, v, param::LENGTH);
                let gives = if self.is_muscle() { self.slack(s, v) } else { 0.0 };
                sum.active += active[first + v] * gives;
                sum.total += totals[first + v] * l;
                (length, slack) = (length + l, slack + gives);
            }
            first += self.layout.counts[s] as usize - 1;
            put(s, StrandForce { active: sum.active / slack.max(f64::MIN_POSITIVE), total: sum.total / length });
        }
    }
}
