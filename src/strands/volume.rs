//! Radii of rods that keep their volume, and what the host does to them.

use super::settings::Reach;
use super::{Rods, with};
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::desc::{Muscle, SweepOrder};
use crate::layout::{active, bulk, param, scale, swept};
use crate::math::Elem;
use crate::rods::volume::LEAST_SCALE;

/// How much thicker a section may become in a step before contact looks too near.
const GROWS: f64 = 1.1;

/// The largest scale that a host may give.
const LARGEST_SCALE: f64 = 100.0;

impl Rods {
    /// Whether sections change their radius: [`RodsDesc::poisson_ratio`](crate::desc::RodsDesc::poisson_ratio).
    pub fn keeps_volume(&self) -> bool {
        self.desc.keeps_volume()
    }

    /// Rows of a vertex that steps change, beyond those of all rods: scales, and multipliers where they are swept.
    pub(crate) fn volume_rows(&self) -> usize {
        match (self.keeps_volume(), self.order()) {
            (false, _) => 0,
            (true, SweepOrder::Direct) => scale::ROWS,
            (true, _) => scale::ROWS + swept::ROWS,
        }
    }

    /// A row of [`scale`]; 0 where radii stay.
    pub(crate) fn scale_number(&self, strand: usize, v: usize, row: usize) -> f64 {
        let i = self.layout.index(strand, v, scale::ROWS, row);
        if let Some(gpu) = &self.gpu {
            return gpu.rows()[2].get(i).map_or(0.0, |&s| f64::from(s));
        }
        with!(&self.data, b => if b.scales.is_empty() { 0.0 } else { b.scales[i].to_f64() })
    }
    pub(crate) fn set_scale_number(&mut self, strand: usize, v: usize, row: usize, value: f64) {
        let i = self.layout.index(strand, v, scale::ROWS, row);
        if let Some(gpu) = self.gpu.as_mut().filter(|g| !g.rows()[2].is_empty()) {
            gpu.state_mut()[2][i] = value as f32;
            return;
        }
        with!(&mut self.data, b => if !b.scales.is_empty() {
            b.scales[i] = Elem::from_f64(value);
        });
    }

    /// What constraints and colliders have done to a vertex of swept rods so far is of the past.
    pub(crate) fn forget_multipliers(&mut self, strand: usize, v: usize) {
        if self.volume_rows() <= scale::ROWS {
            return;
        }
        let (width, i) = (self.row(strand), self.layout.index(strand, v, swept::ROWS, 0));
        for k in 0..swept::ROWS {
            match &mut self.gpu {
                Some(gpu) => gpu.state_mut()[3][i + k * width] = 0.0,
                None => with!(&mut self.data, b => b.swept[i + k * width] = Elem::from_f64(0.0)),
            }
        }
    }

    /// The scale of the section of the edge after a vertex.
    fn scale_of(&self, strand: usize, v: usize) -> f64 {
        1.0 + self.scale_number(strand, v, scale::SWELL)
    }

    /// The scale of the section of the edge after a vertex when the substep under way began, and now, over its natural length where it is active: what an
    /// element there bends by (`rods/group/scales.rs`).
    pub(crate) fn section_scales(&self, strand: usize, v: usize) -> [f64; 2] {
        if !self.keeps_volume() {
            return [1.0; 2];
        }
        let began = self.scale_of(strand, v);
        let both = [began, began + self.scale_number(strand, v, scale::GROWTH)];
        match self.desc.muscle {
            Some(Muscle::RestShape { .. }) => both.map(|s| s / self.active_number(strand, v, active::NATURAL)),
            _ => both,
        }
    }

    /// The scale of the section at a vertex.
    fn mean_scale(&self, strand: usize, v: usize) -> f64 {
        let last = self.layout.counts[strand] as usize - 1;
        0.5 * (self.scale_of(strand, v.max(1) - 1) + self.scale_of(strand, v.min(last - 1)))
    }
    /// Contact distance of a vertex, m, by its section as it was when the substep began. Negative where something covers it.
    pub(crate) fn contact_radius(&self, strand: usize, v: usize) -> f64 {
        let radius = self.param(strand, v, param::RADIUS);
        if self.keeps_volume() { radius * self.mean_scale(strand, v) } else { radius }
    }
    /// How far from an axis contacts are looked for, m.
    pub(crate) fn max_radius(&self) -> f64 {
        self.reach.max_radius * self.swollen
    }
    /// [`Rods::reach`] with it.
    pub(crate) fn reach_now(&self) -> Reach {
        Reach { max_radius: self.max_radius(), ..self.reach }
    }
    /// Looks before a step how thick the thickest section may become in it. (The GPU looks at each vertex itself: nothing comes down for this.)
    pub(crate) fn look_how_thick(&mut self) {
        if self.keeps_volume() && self.gpu.is_none() {
            let most = with!(&self.data, b => {
                let swells = self.layout.blocks.iter().flat_map(|block| {
                    let rows = &b.scales[block.offset * scale::ROWS..][..block.vertices * block.width * scale::ROWS];
                    rows.chunks_exact(block.width * scale::ROWS).flat_map(|of| &of[scale::SWELL * block.width..][..block.width])
                });
                swells.fold(0.0f64, |most, s| most.max(s.to_f64()))
            });
            self.swollen = GROWS * (1.0 + most);
        }
    }

    /// One an edge: the radius of its section over the one at rest.
    pub fn read_scales(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| put(i, self.scale_of(s, v)));
    }
    /// One an edge: how fast that grows, 1/s.
    pub fn read_scale_rates(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(1, |s, v, i| put(i, self.scale_number(s, v, scale::GROWTH)));
    }
    /// Section radius now, m, one a vertex: that at rest times the mean scale of the edges there. At an end it is that of half an
    /// edge alone.
    pub fn read_radii(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(0, |s, v, i| put(i, self.material_of(s).radius(v) * self.mean_scale(s, v)));
    }
    /// The same without scales, strand after strand: what the host has described.
    #[cfg(feature = "gpu")]
    pub(crate) fn natural_radii(&self, mut put: impl FnMut(f64)) {
        self.visit(0, |s, v, _| put(self.material_of(s).radius(v)));
    }
    /// One an edge: its volume over the one at rest.
    pub fn read_volumes(&self, mut put: impl FnMut(usize, f64)) {
        let mut scales = vec![1.0; self.edge_count()];
        self.read_scales(|i, s| scales[i] = s);
        self.read_strain(|i, strain| put(i, (1.0 + strain) * scales[i] * scales[i]));
    }

    /// Volume of all edges that are not cut over that at rest.
    pub fn volume_ratio(&self) -> f64 {
        let mut rest = vec![0.0; self.edge_count()];
        self.visit(1, |s, v, i| {
            let of = self.material_of(s);
            if of.is_cut(v) {
                return;
            }
            rest[i] = (0.5 * (of.radius(v) + of.radius(v + 1))).powi(2) * self.param(s, v, param::LENGTH);
        });
        let mut now = 0.0;
        self.read_volumes(|i, ratio| now += ratio * rest[i]);
        now / rest.iter().sum::<f64>()
    }

    fn needs_volume(&self, what: &str) -> Result<()> {
        if self.keeps_volume() {
            return Ok(());
        }
        Err(Error::invalid(format!("{what}: poisson_ratio of the rods is 0, so their radii stay")))
    }

    /// Scales of the sections, one an edge, and their rates, 1/s. `get` is called twice for every edge: to check, then to write.
    pub fn write_scales(&mut self, mut get: impl FnMut(usize) -> [f64; 2]) -> Result<()> {
        self.needs_volume("scales")?;
        for i in 0..self.edge_count() {
            let [scale, rate] = get(i);
            validate::between(&format!("scales[{i}]"), scale, LEAST_SCALE, LARGEST_SCALE)?;
            validate::between(&format!("scale_rates[{i}]"), rate, -validate::LARGEST, validate::LARGEST)?;
        }
        self.rest.stir();
        let mut all = Vec::with_capacity(self.edge_count());
        self.visit(1, |s, v, i| all.push((s, v, i)));
        for (s, v, i) in all {
            let [value, rate] = get(i);
            self.set_scale_number(s, v, scale::SWELL, value - 1.0);
            self.set_scale_number(s, v, scale::GROWTH, rate);
        }
        Ok(())
    }

    /// What presses on the sections from all sides, one an edge: the sum of all forces outwards, N, until it is set again. `get` is
    /// called twice for every edge: to check, then to write.
    pub fn set_radial_forces(&mut self, mut get: impl FnMut(usize) -> f64) -> Result<()> {
        self.needs_volume("radial_forces")?;
        (0..self.edge_count()).try_for_each(|i| validate::finite(&format!("radial_forces[{i}]"), get(i)))?;
        self.rest.stir();
        let mut all = Vec::with_capacity(self.edge_count());
        self.visit(1, |s, v, i| all.push((s, v, i)));
        for (s, v, i) in all {
            let of = self.material_of(s);
            let moment = get(i) * 0.5 * (of.radius(v) + of.radius(v + 1));
            let at = self.layout.index(s, v, bulk::ROWS, bulk::PUSH);
            with!(&mut self.data, b => b.bulk[at] = Elem::from_f64(moment));
        }
        self.changed(|c| c.bulk = true);
        Ok(())
    }
}
