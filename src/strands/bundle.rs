//! Strands that are bundled: their springs, and what a host reads of their sections.

use super::bundle_rest::is_too_large;
use super::section_solver::{Bundles, SpringMaterial};
use super::{Data, Rods, with};
use crate::desc::error::{Error, Result};
use crate::desc::{Pose, Stiffness, WorldDesc};
use crate::layout::{Layout, state};
use crate::math::Vec3;
use crate::rods::der::strand::Strands;
use crate::sagfree::batch::{Status, StrandReport};
use crate::tasks::Inline;

/// How far springs of a bundle may be out of their places where a rest shape is found, in lengths of an edge and rad.
const AWAY: f64 = 1e-3;

impl Rods {
    /// Bundles of strands where they are.
    pub(super) fn make_bundles(desc: &crate::desc::RodsDesc, layout: &Layout, data: &mut Data) -> Option<Bundles> {
        let scales = desc.bundle_scales && desc.keeps_volume();
        desc.is_bundled()
            .then(|| with!(data, b => Bundles::new(layout, b, desc.strands_per_bundle as usize, scales, desc.poisson_ratio)))
    }

    /// Whether strands are bundled: [`RodsDesc::strands_per_bundle`](crate::desc::RodsDesc::strands_per_bundle).
    pub fn is_bundled(&self) -> bool {
        self.bundles.is_some()
    }
    pub(crate) fn is_awake_bundle(&self) -> bool {
        self.is_bundled() && !self.rest.asleep
    }

    /// Springs for substeps of `h` seconds.
    pub(crate) fn tie_bundles(&mut self, h: f64) {
        let Rods { bundles: Some(bundles), data, material, desc, layout, .. } = self else { return };
        bundles.forget_products();
        let shear = match desc.stiffness {
            Stiffness::Physical { shear, .. } => shear,
            Stiffness::Alpha { .. } => 0.0,
        };
        let of = |strand: usize, v: usize| {
            // What is found for a load changes no spring.
            let of = material.strand(desc, layout, strand);
            let of = if material.given.is_empty() { of } else { of.as_given() };
            let last = layout.counts[strand] as usize - 1;
            // Length, mass and EA/l̄ of an edge; nothing beyond the ends, and of what is cut.
            let edge = |v: usize| {
                if v >= last || of.is_cut(v) {
                    return [0.0; 3];
                }
                let ([vertices, ghost], length) = (of.edge_masses(v), of.rest(v).0);
                [length, vertices + ghost, of.described(v)[0] / length]
            };
            let (before, after) = (if v > 0 { edge(v - 1) } else { [0.0; 3] }, edge(v));
            let radius = 0.5 * (of.radius(v) + of.radius((v + 1).min(last)));
            SpringMaterial {
                reach: 0.5 * (before[0] + after[0]),
                length: after[0],
                mass: 0.5 * (before[1] + after[1]),
                edge_mass: after[1],
                radius,
                shear: shear * core::f64::consts::PI * radius * radius,
                stiff: 0.5 * (before[2] + after[2]),
                edge_stiff: after[2],
            }
        };
        with!(data, b => bundles.tie(b, desc.bundle_stiffness, h, of));
    }

    /// What springs of bundles shall carry, for the loads of now, in a rest shape for this pose and substeps of `h` seconds.
    ///
    /// Errors: the bundles are not where they were made. What sections are at rest is that.
    pub(crate) fn share_loads(&mut self, world: &WorldDesc, h: f64) -> Result<()> {
        if !self.is_bundled() {
            return Ok(());
        }
        let per = self.desc.strands_per_bundle as usize;
        if let Some(count) = self.counts().iter().map(|n| *n as usize).find(|n| is_too_large(per, *n)) {
            return Err(Error::unsupported(format!(
                "strands_per_bundle is {per}: with {count} vertices each that is too many for a rest shape"
            )));
        }
        self.tie_bundles(h);
        let Rods { bundles: Some(bundles), data, .. } = &mut *self else { return Ok(()) };
        let before = bundles.take_loads();
        with!(data, b => bundles.fit(b, true, &Inline));
        let away = bundles.farthest();
        // NaN is far.
        if away.is_nan() || away > AWAY {
            bundles.give_loads(before);
            return Err(Error::unsupported(format!(
                "strands_per_bundle is {per}, and a section is off by {away} of its edges: rest shapes of bundles are found where they were made"
            )));
        }
        for bundle in 0..self.strand_count() / per {
            let members = bundle * per..(bundle + 1) * per;
            let phantoms: Vec<[usize; 2]> = members.clone().map(|s| self.phantoms(s)).collect();
            let strands: Vec<Strands<f64>> = members
                .map(|s| self.elastic_strand(s, world, &self.material_of(s).as_given(), &self.taken_as_given(s, h)))
                .collect();
            if let Some(bundles) = &mut self.bundles {
                bundles.share(bundle, &strands, &phantoms);
            }
        }
        Ok(())
    }

    /// Rest shapes of the strands have been found: sections have their scales, and bundles are judged as a whole. Where a strand has no rest shape
    /// its bundle has none.
    pub(crate) fn settle_bundles(&mut self, world: &WorldDesc, h: f64) {
        let per = self.desc.strands_per_bundle as usize;
        for bundle in 0..if self.is_bundled() { self.strand_count() / per } else { 0 } {
            let members = bundle * per..(bundle + 1) * per;
            for (k, s) in members.clone().enumerate() {
                let scales = self.scales_of(s);
                if let (Some(bundles), true) = (&mut self.bundles, self.desc.keeps_volume()) {
                    bundles.set_scales(bundle, k, &scales);
                }
            }
            let phantoms: Vec<[usize; 2]> = members.clone().map(|s| self.phantoms(s)).collect();
            let strand = |s: usize| {
                let rest = self.rest_without_sections(s, world);
                self.elastic_strand(s, world, &self.material_of(s).with_rest(&rest), &self.taken(s, h))
            };
            let mut strands: Vec<Strands<f64>> = members.clone().map(strand).collect();
            let unstable = self.bundles.as_ref().map_or(0, |b| b.unstable(bundle, &mut strands, &phantoms)) as u32;
            // A strand by itself, without its neighbours, may well be unstable.
            let alone = |r: &StrandReport| r.status == Status::AtTarget && r.cause.is_none();
            let worst = self.elastic[members.clone()].iter().find(|r| !alone(r)).copied();
            for report in &mut self.elastic[members] {
                match worst {
                    Some(worst) => (report.status, report.cause) = (worst.status, worst.cause),
                    None => (report.unstable_modes, report.lowest_mode) = (unstable, f64::NAN),
                }
            }
        }
    }

    /// What springs give a vertex, N, and the edge after it about itself, N m, in the rest shape.
    pub(super) fn spring_load(&self, strand: usize, v: usize) -> (Vec3<f64>, f64) {
        let per = self.desc.strands_per_bundle as usize;
        self.bundles.as_ref().map_or((Vec3::zero(), 0.0), |b| b.load(strand / per, strand % per, v))
    }

    /// How many sections there are: of each bundle as many as a strand of it has vertices.
    pub fn section_count(&self) -> usize {
        self.bundles.as_ref().map_or(0, |b| b.counts().sum())
    }

    /// The similarity that takes each section from where it was at creation to where it is, bundle after bundle: x becomes
    /// position + scale · rotation x. It is the one that is nearest to the strands' vertices and sections. Calls `put(section, pose,
    /// scale)`; nothing where strands are not bundled.
    pub fn read_sections(&self, mut put: impl FnMut(usize, Pose, f64)) {
        if let Some(bundles) = &self.bundles {
            with!(&self.data, b => bundles.sections(b, |i, s| {
                put(i, Pose { position: s.center.to_array(), rotation: s.rotation.to_array() }, s.scale);
            }));
        }
    }

    /// Calls `put(middle, vertex)` for each vertex of each section, as they are now.
    pub(crate) fn section_spokes(&self, mut put: impl FnMut(Vec3<f64>, Vec3<f64>)) {
        let (per, counts) = (self.desc.strands_per_bundle as usize, self.counts());
        for first in (0..counts.len()).step_by(per.max(1)) {
            for v in 0..counts[first] as usize {
                let x = |strand: usize| self.state3(strand, v, state::X);
                let middle = (first..first + per).fold(Vec3::zero(), |sum, s| sum + x(s)) * (1.0 / per as f64);
                (first..first + per).for_each(|s| put(middle, x(s)));
            }
        }
    }

    /// Volume of each bundle now over that at rest, the sum of its edges': one a bundle.
    pub fn read_bundle_volumes(&self, mut put: impl FnMut(usize, f64)) {
        let per = self.desc.strands_per_bundle as usize;
        if per == 0 {
            return;
        }
        let mut sums = vec![[0.0; 2]; self.strand_count() / per];
        let mut ratios = vec![1.0; self.edge_count()];
        self.read_volumes(|i, v| ratios[i] = v);
        self.visit(1, |s, v, i| {
            let of = self.material_of(s);
            let radius = 0.5 * (of.radius(v) + of.radius(v + 1));
            let volume = core::f64::consts::PI * radius * radius * of.rest(v).0;
            sums[s / per][0] += volume * ratios[i];
            sums[s / per][1] += volume;
        });
        sums.iter().enumerate().for_each(|(i, [now, rest])| put(i, now / rest));
    }
}
