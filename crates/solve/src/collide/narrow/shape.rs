//! The shapes of bodies.

use super::hull::Hull;
use super::mesh::TriangleMesh;
use crate::collide::Bounds;
use crate::desc::error::Result;
use crate::desc::validate::{self, HALF_HEIGHT, SHAPE_SIZE};
use crate::math::vec3::vec3;
use crate::math::{Elem, Transform, Vec3};
use std::sync::Arc;

/// A shape as a host describes it; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeometryDesc<'a> {
    Sphere {
        radius: f64,
    },
    /// Along local y.
    Capsule {
        half_height: f64,
        radius: f64,
    },
    /// The hull of two spheres, at -half_height and at +half_height on local y.
    TaperedCapsule {
        half_height: f64,
        bottom: f64,
        top: f64,
    },
    Box {
        half_extents: [f64; 3],
    },
    /// The convex hull of these points, see [`Hull::new`].
    Hull {
        points: &'a [[f64; 3]],
    },
    /// The half space below local y = 0. Does not move.
    Plane,
    /// Triangles, counterclockwise seen from outside. Do not move. See [`TriangleMesh::new`].
    Mesh {
        points: &'a [[f64; 3]],
        triangles: &'a [[u32; 3]],
    },
}

/// A shape in its own frame. Cloning is cheap: hulls and meshes are shared.
#[derive(Clone, Debug)]
pub enum Geometry<E> {
    Sphere { radius: E },
    Capsule { half_height: E, radius: E },
    TaperedCapsule { half_height: E, bottom: E, top: E },
    Box { half_extents: Vec3<E> },
    Hull(Arc<Hull<E>>),
    Plane,
    Mesh(Arc<TriangleMesh<E>>),
}

impl<E: Elem> Geometry<E> {
    /// # Errors
    /// A size is out of range, a hull is flat, a mesh has no triangle: with field, index and value.
    pub fn new(desc: &GeometryDesc) -> Result<Self> {
        let e = E::from_f64;
        Ok(match *desc {
            GeometryDesc::Sphere { radius } => {
                validate::within("radius", radius, SHAPE_SIZE)?;
                Geometry::Sphere { radius: e(radius) }
            }
            GeometryDesc::Capsule { half_height, radius } => {
                validate::within("radius", radius, SHAPE_SIZE)?;
                validate::within("half_height", half_height, HALF_HEIGHT)?;
                Geometry::Capsule { half_height: e(half_height), radius: e(radius) }
            }
            GeometryDesc::TaperedCapsule { half_height, bottom, top } => {
                validate::within("bottom", bottom, SHAPE_SIZE)?;
                validate::within("top", top, SHAPE_SIZE)?;
                validate::within("half_height", half_height, HALF_HEIGHT)?;
                Geometry::TaperedCapsule { half_height: e(half_height), bottom: e(bottom), top: e(top) }
            }
            GeometryDesc::Box { half_extents } => {
                for (k, h) in half_extents.into_iter().enumerate() {
                    validate::within(&format!("half_extents[{k}]"), h, SHAPE_SIZE)?;
                }
                Geometry::Box { half_extents: Vec3::from(half_extents).map(e) }
            }
            GeometryDesc::Hull { points } => Geometry::Hull(Arc::new(Hull::new(points)?)),
            GeometryDesc::Plane => Geometry::Plane,
            GeometryDesc::Mesh { points, triangles } => Geometry::Mesh(Arc::new(TriangleMesh::new(points, triangles)?)),
        })
    }

    /// False for what has no mass: planes and meshes.
    pub fn can_move(&self) -> bool {
        !matches!(self, Geometry::Plane | Geometry::Mesh(_))
    }

    /// The axis-aligned box around the shape at `pose`. A plane's is infinite, but for what lies above a level one.
    pub fn bounds(&self, pose: &Transform<E>) -> Bounds<E> {
        let axes = pose.rotation.frame();
        let around = |c: Vec3<E>, h: Vec3<E>| Bounds { min: c - h, max: c + h };
        let spread = |h: Vec3<E>| axes[0].map(E::abs) * h.x + axes[1].map(E::abs) * h.y + axes[2].map(E::abs) * h.z;
        let all = |r: E| vec3(r, r, r);
        match self {
            Geometry::Sphere { radius } => around(pose.position, all(*radius)),
            Geometry::Capsule { half_height, radius } => {
                around(pose.position, (axes[1] * *half_height).map(E::abs) + all(*radius))
            }
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                let (low, high) = (pose.position - axes[1] * *half_height, pose.position + axes[1] * *half_height);
                let (low, high) = (around(low, all(*bottom)), around(high, all(*top)));
                low.around(&high)
            }
            Geometry::Box { half_extents } => around(pose.position, spread(*half_extents)),
            Geometry::Hull(hull) => bounds_of(hull.vertices(), &axes, pose.position),
            Geometry::Plane => {
                let infinite = E::from_f64(f64::INFINITY);
                let mut bounds = Bounds { min: all(-infinite), max: all(infinite) };
                if axes[1] == vec3(E::zero(), E::one(), E::zero()) {
                    bounds.max.y = pose.position.y;
                }
                bounds
            }
            Geometry::Mesh(mesh) => {
                let Bounds { min, max } = mesh.bounds();
                let half = E::constant(0.5);
                let center = (min + max) * half;
                around(pose.position + axes[0] * center.x + axes[1] * center.y + axes[2] * center.z, spread((max - min) * half))
            }
        }
    }

    /// Radius of a sphere inside the shape, m: what moves less than this in a step cannot pass through anything. 0 for planes
    /// and meshes.
    pub fn inner_radius(&self) -> E {
        match self {
            Geometry::Sphere { radius } => *radius,
            Geometry::Capsule { radius, .. } => *radius,
            Geometry::TaperedCapsule { bottom, top, .. } => bottom.max(*top),
            Geometry::Box { half_extents: h } => h.x.min(h.y).min(h.z),
            Geometry::Hull(hull) => hull.inner_radius(),
            Geometry::Plane | Geometry::Mesh(_) => E::zero(),
        }
    }

    /// Some point inside, in the shape's frame.
    pub(super) fn middle(&self) -> Vec3<E> {
        match self {
            Geometry::Hull(hull) => hull.center(),
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                let y = if *bottom < *top { *half_height } else { -*half_height };
                vec3(E::zero(), y, E::zero())
            }
            _ => Vec3::zero(),
        }
    }
}

fn bounds_of<E: Elem>(points: &[Vec3<E>], axes: &[Vec3<E>; 3], at: Vec3<E>) -> Bounds<E> {
    let moved = |p: &Vec3<E>| axes[0] * p.x + axes[1] * p.y + axes[2] * p.z + at;
    let first = Bounds::at(points.first().map_or(at, moved));
    points.iter().fold(first, |all, p| all.around(&Bounds::at(moved(p))))
}
