//! Roots that a collider covers where they are made: a scalp that is drawn a little larger than the groom was grown on, a capsule for a
//! head. What is held there cannot come out, and what follows would be pressed out against it, stretched and folded. Such vertices,
//! from the root to the first one that is free, meet no collider.

use super::world::World;
use crate::collide::narrow::TriangleMesh;
use crate::collide::{ColliderMotion, Form};
use crate::desc::error::Result;
use crate::desc::slots::Id;
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
    /// Whether something of this radius at `x` touches it.
    fn touches(&self, x: Vec3<f64>, radius: f64, d: &RodsDesc) -> bool {
        let meets = |[category, mask]: [u32; 2]| d.mask & category != 0 && mask & d.category != 0;
        match self {
            Cover::Shape(c) => {
                let (r, [a, b, e]) = (x - c.center, c.axes);
                let p = vec3(a.dot(r), b.dot(r), e.dot(r));
                let known = !matches!(c.form, Form::Solid(_) | Form::Bent(_));
                known && meets([c.category, c.mask]) && {
                    let far = crate::collide::kernels::Distance { distance: f64::INFINITY, normal: Vec3::zero() };
                    c.form.distance(c.size, p, |_| far).distance < radius
                }
            }
            Cover::Mesh(mesh, layers) => {
                let deep = mesh.bounds();
                meets(*layers)
                    && mesh.nearest(x, (deep.max - deep.min).length() + radius).is_some_and(|found| {
                        let distance = found.distance(found.normal.dot(found.arm) < 0.0, found.normal).distance;
                        distance < radius
                    })
            }
        }
    }
}

impl Rods {
    /// Adds to what is covered; nothing of what has ever moved.
    fn cover(&mut self, by: &Cover<'_>) {
        if self.last_h > 0.0 || self.desc.root == EndSupport::Free {
            return;
        }
        for strand in 0..self.strand_count() {
            let most = (self.counts()[strand] as usize / MOST).max(1);
            let free = |v: &usize| {
                let x = self.state3(strand, *v, state::X);
                let radius = self.material_of(strand).radius(*v);
                let contact = self.desc.collision_radius;
                !by.touches(x, if contact > 0.0 { contact } else { radius }, &self.desc)
            };
            let Some(first) = (0..=most.min(self.counts()[strand] as usize - 1)).find(free) else { continue };
            if first > 0 {
                if self.material.covered.is_empty() {
                    self.material.covered = vec![0; self.strand_count()];
                }
                let covered = &mut self.material.covered[strand];
                *covered = (*covered).max(first as u32);
                self.compile_strand(strand);
            }
        }
    }
}

impl World {
    /// For new rods: what covers them.
    pub(super) fn cover_roots_of(&mut self, id: Id) -> Result<()> {
        let rods = self.rods.get_mut(id)?;
        for (_, c) in self.colliders.iter() {
            rods.cover(&Cover::Shape(Box::new(c.motion(1.0, 1.0))));
        }
        for (_, m) in self.meshes.iter() {
            if let (Some(c), Some(surface)) = (m.collides.filter(|c| !c.both_sides), m.surface()) {
                rods.cover(&Cover::Mesh(&surface, [c.category, c.mask]));
            }
        }
        Ok(())
    }

    /// For a new collider: what it covers.
    pub(super) fn cover_by_collider(&mut self, id: Id) -> Result<()> {
        let cover = Cover::Shape(Box::new(self.colliders.get(id)?.motion(1.0, 1.0)));
        self.rods.iter_mut().for_each(|(_, r)| r.cover(&cover));
        Ok(())
    }

    /// For a new mesh.
    pub(super) fn cover_by_mesh(&mut self, id: Id) -> Result<()> {
        let mesh = self.meshes.get(id)?;
        if let (Some(c), Some(surface)) = (mesh.collides.filter(|c| !c.both_sides), mesh.surface()) {
            let cover = Cover::Mesh(&surface, [c.category, c.mask]);
            self.rods.iter_mut().for_each(|(_, r)| r.cover(&cover));
        }
        Ok(())
    }
}
