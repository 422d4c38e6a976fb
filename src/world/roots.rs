//! Roots that a collider covers where they are made: a scalp that is drawn a little larger than the groom was grown on, a capsule for a
//! head. What is held there cannot come out, and what follows would be pressed out against it, stretched and folded. Such vertices,
//! from the root to the first one that is free, meet no collider.

use super::world::World;
use crate::collide::narrow::{NearestTriangle, TriangleMesh};
use crate::collide::{ColliderMotion, Form};
use crate::desc::{EndSupport, RodsDesc};
use crate::layout::state;
use crate::math::Vec3;
use crate::math::vec3::vec3;
use crate::strands::Rods;

/// Of a strand, the part that may be covered: what is longer inside than outside was not meant to be.
const MOST: usize = 2;

/// Something that covers.
enum Cover<'a> {
    Shape(Box<ColliderMotion<f64>>),
    Mesh(&'a TriangleMesh<f64>, [u32; 2]),
}

impl Cover<'_> {
    /// Whether `x` is inside.
    fn holds(&self, x: Vec3<f64>, d: &RodsDesc) -> bool {
        let meets = |[category, mask]: [u32; 2]| d.mask & category != 0 && mask & d.category != 0;
        match self {
            Cover::Shape(c) => {
                let (r, [a, b, e]) = (x - c.center, c.axes);
                let p = vec3(a.dot(r), b.dot(r), e.dot(r));
                let known = !matches!(c.form, Form::Solid(_) | Form::Bent(_));
                known && meets([c.category, c.mask]) && {
                    let far = crate::collide::kernels::Distance { distance: f64::INFINITY, normal: Vec3::zero() };
                    c.form.distance(c.size, p, |_| far).distance < 0.0
                }
            }
            Cover::Mesh(mesh, layers) => {
                let bounds = mesh.bounds();
                let deep = (bounds.max - bounds.min).length();
                let felt = |found: NearestTriangle<f64>| found.felt(0.0, deep).is_some_and(|d| d.distance < 0.0);
                meets(*layers) && mesh.nearest(x, deep).is_some_and(felt)
            }
        }
    }
}

impl Rods {
    /// How many strands may be covered.
    pub(super) fn may_be_covered(&self) -> usize {
        if self.desc.root == EndSupport::Free { 0 } else { self.strand_count() }
    }
    /// Vertices of a strand that meet no collider.
    pub(super) fn covered(&self, strand: usize) -> u32 {
        self.material.covered.get(strand).copied().unwrap_or(0)
    }
    pub(super) fn set_covered(&mut self, strand: usize, count: u32) {
        if count == self.covered(strand) {
            return;
        }
        if self.material.covered.is_empty() {
            self.material.covered = vec![0; self.strand_count()];
        }
        self.material.covered[strand] = count;
        self.compile_strand(strand);
    }

    /// Adds to what is covered.
    fn cover(&mut self, by: &Cover<'_>) {
        for strand in 0..self.strand_count() {
            let most = (self.counts()[strand] as usize / MOST).max(1);
            let free = |v: &usize| !by.holds(self.state3(strand, *v, state::X), &self.desc);
            let Some(first) = (0..=most.min(self.counts()[strand] as usize - 1)).find(free) else { continue };
            self.set_covered(strand, self.covered(strand).max(first as u32));
        }
    }
}

impl World {
    /// Before the first step of rods: what covers them where they and all colliders are.
    pub(super) fn cover_roots(&mut self) {
        let fresh = |r: &Rods| r.last_h == 0.0 && r.desc.root != EndSupport::Free && !r.rest.disabled;
        if !self.rods.iter().any(|(_, r)| fresh(r)) {
            return;
        }
        let mut surfaces = Vec::new();
        for (_, m) in self.meshes.iter() {
            if let (Some(c), Some(mut surface)) = (m.collides.filter(|c| !c.both_sides), m.surface()) {
                surface.refit(|t| m.faces[t as usize].map(|v| m.at(v as usize, 0.0)));
                surfaces.push((surface, [c.category, c.mask]));
            }
        }
        let shapes = self.colliders.iter().map(|(_, c)| Cover::Shape(Box::new(c.motion(0.0, 0.0))));
        let covers: Vec<Cover<'_>> = shapes.chain(surfaces.iter().map(|(s, layers)| Cover::Mesh(s, *layers))).collect();
        for (_, rods) in self.rods.iter_mut().filter(|(_, r)| fresh(r)) {
            covers.iter().for_each(|c| rods.cover(c));
        }
    }
}
