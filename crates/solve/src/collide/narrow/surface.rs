//! What a solver of contacts asks of a shape: how its surface is curved where it touches, how far it
//! reaches, and what is well inside of it.

use super::shape::Geometry;
use crate::math::vec3::vec3;
use crate::math::{Elem, Vec3};

/// What a contact does when the shape rolls. Of two shapes the larger one knows where they touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Core {
    /// It has no end: any place is as good as another.
    Endless,
    /// A polyhedron: a corner, or a place on an edge or a face.
    Flat,
    /// A place on the axis of a capsule, which may move along it.
    Line,
    /// The centre of a sphere.
    Point,
}

/// A part of the axis' length from its end that counts as the end.
const END: f64 = 1e-3;

impl<E: Elem> Geometry<E> {
    /// The core of the surface at a place `on` it with the outward unit normal `out`, both in the shape's frame: the radius around it, m,
    /// 0 for what is flat, and what it is.
    pub fn core_at(&self, on: Vec3<E>, out: Vec3<E>) -> (E, Core) {
        match self {
            Geometry::Sphere { radius } => (*radius, Core::Point),
            Geometry::Capsule { half_height, radius } => (*radius, core_of(on.y - out.y * *radius, *half_height)),
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                let slope = (*top - *bottom) / (*half_height * E::constant(2.0));
                // The radius is linear in the place on the axis, which is y − n_y r.
                let r = (*bottom + slope * (on.y + *half_height)) / (E::one() + slope * out.y).max(E::constant(1e-3));
                let r = r.max(bottom.min(*top)).min(bottom.max(*top));
                (r, core_of(on.y - out.y * r, *half_height))
            }
            Geometry::Box { .. } | Geometry::Hull(_) => (E::zero(), Core::Flat),
            Geometry::Plane | Geometry::Mesh(_) => (E::zero(), Core::Endless),
        }
    }

    /// The largest n·x of the shape, in its frame. `None` for planes and meshes.
    pub fn reach(&self, n: Vec3<E>) -> Option<E> {
        Some(match self {
            Geometry::Sphere { radius } => *radius,
            Geometry::Capsule { half_height, radius } => n.y.abs() * *half_height + *radius,
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                (*top + n.y * *half_height).max(*bottom - n.y * *half_height)
            }
            Geometry::Box { half_extents } => n.map(E::abs).dot(*half_extents),
            Geometry::Hull(hull) => hull.vertices().iter().fold(E::from_f64(f64::NEG_INFINITY), |most, v| most.max(n.dot(*v))),
            Geometry::Plane | Geometry::Mesh(_) => return None,
        })
    }

    /// What is deeper than `inset`, m, inside the shape; a hull is left whole.
    pub fn inside(&self, inset: E) -> Geometry<E> {
        match *self {
            Geometry::Sphere { radius } => Geometry::Sphere { radius: radius - inset },
            Geometry::Capsule { half_height, radius } => Geometry::Capsule { half_height, radius: radius - inset },
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                let less = inset.min(bottom.min(top) * E::constant(0.5));
                Geometry::TaperedCapsule { half_height, bottom: bottom - less, top: top - less }
            }
            Geometry::Box { half_extents } => Geometry::Box { half_extents: half_extents - vec3(inset, inset, inset) },
            _ => self.clone(),
        }
    }
}

fn core_of<E: Elem>(y: E, half_height: E) -> Core {
    if y.abs() < half_height * E::constant(1.0 - END) { Core::Line } else { Core::Point }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place on the surface is the core's radius away from the axis, along the normal.
    #[test]
    fn the_core_is_on_the_axis() {
        let (h, bottom, top) = (0.3, 0.1, 0.25);
        let g = Geometry::<f64>::TaperedCapsule { half_height: h, bottom, top };
        let slope = (top - bottom) / (2.0 * h);
        for k in 0..=10 {
            let y = h * (0.2 * f64::from(k) - 1.0);
            let r = bottom + slope * (y + h);
            // The cone's normal leans by its slope.
            let out = vec3((1.0 - slope * slope).sqrt(), -slope, 0.0);
            let (found, core) = g.core_at(vec3(0.0, y, 0.0) + out * r, out);
            assert!((found - r).abs() < 1e-12, "{y}: {found} {r}");
            assert_eq!(core, if k == 0 || k == 10 { Core::Point } else { Core::Line });
        }
        for (y, r) in [(-h, bottom), (h, top)] {
            let out = vec3(0.0, y / h, 0.0);
            let (found, core) = g.core_at(vec3(0.0, y, 0.0) + out * r, out);
            assert!((found - r).abs() < 1e-12 && core == Core::Point, "{y}: {found} {r}");
        }
        let capsule = Geometry::<f64>::Capsule { half_height: h, radius: top };
        assert_eq!(capsule.core_at(vec3(top, 0.1, 0.0), vec3(1.0, 0.0, 0.0)), (top, Core::Line));
        assert!((capsule.reach(vec3(0.6, -0.8, 0.0)).unwrap() - (0.8 * h + top)).abs() < 1e-15);
    }
}
