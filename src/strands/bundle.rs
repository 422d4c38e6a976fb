//! Strands that are bundled: their springs, and what a host reads of their sections.

use super::section_solver::{Bundles, SpringMaterial};
use super::{Data, Rods, with};
use crate::desc::{Pose, Stiffness};
use crate::layout::{Layout, state};
use crate::math::Vec3;

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
            let of = material.strand(desc, layout, strand);
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
