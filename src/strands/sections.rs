//! Changes the section of existing rods: all that depends on the radii of their vertices.

use super::Rods;
use super::settings::Reach;
use crate::desc::error::Result;
use crate::desc::validate;
use crate::layout::param;

impl Rods {
    /// Makes the rods thicker or thinner, radii in m, one a vertex: masses go with the square, bending and twisting stiffness with the fourth power, and
    /// stretching stiffness with the square; the aspect stays, and so do ghost distances. Pose, rest shape and velocities stay; where a rest shape had been
    /// found for a load, find it again: it goes on from this one.
    pub fn set_radii(&mut self, get: impl Fn(usize) -> f64) -> Result<()> {
        let new: Vec<f64> = (0..self.vertex_count()).map(get).collect();
        for (i, &r) in new.iter().enumerate() {
            validate::within(&format!("radii[{i}]"), r, validate::RADIUS)?;
        }
        self.material.radii = new;
        self.rest.describe();
        self.material_changed();
        Ok(())
    }

    /// After a change of radii, density or stiffness.
    pub(super) fn material_changed(&mut self) {
        self.rest.stir();
        self.fields_are_stale();
        self.compiled_whole = true;
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                self.set_weight(s, v, 1.0 / self.material_of(s).mass(v));
            }
            self.compile_strand(s);
        }
        self.reach.max_radius = Reach::thickest(self.desc.collision_radius, &self.material.radii);
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
