//! What ties rods to each other and to meshes: triangle attachments and junctions (paper, section 5.1).
//!
//! Rods with such a tie are stepped stage by stage together; the ties are solved between their sweeps, in the order of their
//! creation, in f64 whatever the world's precision. There are a few for every rod at most, so they are not batched.

mod attachment;
mod end;
mod held;
mod mesh;
mod net;

pub use attachment::Attachment;
pub use held::Held;
pub use mesh::Mesh;
pub use net::{Ball, Met, Motion, Net, motion_of};

use crate::collide::kernels::{self, Distance};
use crate::collide::narrow::{self, Geometry};
use crate::collide::{ColliderMotion, Form};
use crate::math::Vec3;
use crate::math::vec3::vec3;

/// What a substep is for a tie.
#[derive(Clone, Copy, Debug)]
pub struct Substep {
    /// s
    pub h: f64,
    /// Fraction of the step at its end.
    pub t: f64,
    pub gravity: Vec3<f64>,
}

/// A point against one collider, as for rod vertices.
pub(crate) fn collide_point(x: Vec3<f64>, u: Vec3<f64>, w: f64, c: &ColliderMotion<f64>, solids: &[Geometry<f64>]) -> Vec3<f64> {
    if let Form::Bent(_) = c.form {
        return u;
    }
    let r = (x - c.center) + u;
    let p = vec3(c.axes[0].dot(r), c.axes[1].dot(r), c.axes[2].dot(r));
    let surface = c.turn[0] * r.x + c.turn[1] * r.y + c.turn[2] * r.z + c.shift;
    // A point without a radius: behind a mesh by no more than it came in this substep.
    let deep = (u - surface).length();
    let of_solid = |i: u32| solids.get(i as usize).and_then(|g| narrow::point(g, p, 0.0, deep));
    let far = Distance { distance: f64::INFINITY, normal: Vec3::zero() };
    let d = c.form.distance(c.size, p, |i| of_solid(i).unwrap_or(far));
    if d.distance == f64::INFINITY {
        return u;
    }
    let normal = c.axes[0] * d.normal.x + c.axes[1] * d.normal.y + c.axes[2] * d.normal.z;
    kernels::contact(u, normal, -d.distance, surface, c.friction, w).u
}
