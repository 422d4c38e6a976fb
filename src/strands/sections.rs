//! Changes the section of existing rods: all that depends on the radii of their vertices.

use super::Rods;
use super::settings::Reach;
use crate::desc::Stiffness;
use crate::desc::error::Result;
use crate::desc::validate;
use crate::layout::param;
use crate::rods::compile::ghost_mass;

/// A section over the one that an edge or a vertex had.
struct Change {
    /// Radii, m: before and after.
    old: f64,
    new: f64,
}

impl Change {
    fn ratio(&self) -> f64 {
        self.new / self.old
    }
}

impl Rods {
    fn radius(&self, i: usize) -> f64 {
        let radii = &self.desc.radii;
        radii[if radii.len() == 1 { 0 } else { i }]
    }

    /// Makes the rods thicker or thinner, radii in m, one a vertex: masses go with the square, bending and twisting stiffness with the fourth power, and
    /// stretching stiffness with the square; the aspect stays, and so do ghost distances. Pose, rest shape and velocities stay; where a rest shape had been
    /// found for a load, find it again: it goes on from this one.
    pub fn set_radii(&mut self, get: impl Fn(usize) -> f64) -> Result<()> {
        let new: Vec<f64> = (0..self.vertex_count()).map(get).collect();
        for (i, &r) in new.iter().enumerate() {
            validate::within(&format!("radii[{i}]"), r, validate::RADIUS)?;
        }
        for s in 0..self.strand_count() {
            let start = self.layout.starts[s] as usize;
            let n = self.layout.counts[s] as usize;
            let at = |rods: &Self, v: usize| Change { old: rods.radius(start + v), new: new[start + v] };
            // Of an edge, as when rods are made: the mean of its ends.
            let edge = |rods: &Self, v: usize| {
                let (a, b) = (at(rods, v), at(rods, v + 1));
                Change { old: 0.5 * (a.old + b.old), new: 0.5 * (a.new + b.new) }
            };
            let mut masses = vec![0.0; n];
            for v in 0..n - 1 {
                let section = edge(self, v);
                let [mass, ghost] = self.edge_masses(s, v, &section);
                self.set_param(s, v, param::WG, 1.0 / ghost);
                masses[v] += 0.5 * (mass - ghost);
                masses[v + 1] += 0.5 * (mass - ghost);
                self.soften(s, v, param::STRETCH, section.ratio().powi(2));
            }
            for v in 0..n {
                let ratio = at(self, v).ratio();
                (0..3).for_each(|k| self.soften(s, v, param::BEND + k, ratio.powi(4)));
                self.set_weight(s, v, 1.0 / masses[v]);
                if self.desc.collision_radius == 0.0 {
                    self.set_param(s, v, param::RADIUS, new[start + v]);
                }
            }
        }
        self.softened = Vec::new();
        self.desc.radii = new;
        self.reach = Reach { max_radius: Reach::thickest(&self.desc), ..self.reach };
        Ok(())
    }

    /// Of an edge and of its ghost point with the new section, kg, from what the ghost point weighs with the old one.
    fn edge_masses(&self, s: usize, v: usize, section: &Change) -> [f64; 2] {
        let ghost = |mass: f64, a: f64| ghost_mass(&self.desc, mass, a, self.param(s, v, param::GHOST));
        let old = 1.0 / self.param(s, v, param::WG) / ghost(1.0, section.old);
        let mass = old * section.ratio().powi(2);
        [mass, ghost(mass, section.new)]
    }

    /// A compliance as the rod was made, over `by`.
    fn soften(&mut self, s: usize, v: usize, field: usize, by: f64) {
        if let Stiffness::Physical { .. } = self.desc.stiffness {
            let made = self.made(s, v, field);
            self.set_param(s, v, field, made / by);
        }
    }

    /// The inverse mass of a vertex, or of a pinned one when it is let go. What the supports hold stays held.
    fn set_weight(&mut self, s: usize, v: usize, w: f64) {
        let place = self.layout.places[s];
        let key = (place.block, place.lane, v as u32);
        match self.pins.binary_search_by_key(&key, |p| (p.block, p.lane, p.vertex)) {
            Ok(i) if self.pins[i].free_weight > 0.0 => self.pins[i].free_weight = w,
            Ok(_) => {}
            Err(_) if self.param(s, v, param::W) > 0.0 => self.set_param(s, v, param::W, w),
            Err(_) => {}
        }
    }
}
