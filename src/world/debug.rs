//! Lines that show what the solver sees, pulled by the host.

use super::desc::Shape;
use super::world::World;
use crate::layout::state;
use crate::math::{Quat, Vec3};

/// 0xRRGGBBAA
const D1: u32 = 0xe0_40_40_ff;
const D2: u32 = 0x40_c0_40_ff;
const STRETCHED: u32 = 0xff_80_00_ff;
const RELAXED: u32 = 0x60_90_ff_ff;
const COLLIDER: u32 = 0xc0_c0_c0_ff;
const MESH: u32 = 0x90_60_c0_ff;

impl World {
    /// Edges (orange where strained by more than a percent), material axes d¹ and d² at half a ghost distance, colliders,
    /// meshes. Calls `put(from, to, rgba)` and returns how many times.
    pub fn debug_lines(&self, mut put: impl FnMut([f64; 3], [f64; 3], u32)) -> usize {
        let mut count = 0;
        let mut line = |a: Vec3<f64>, b: Vec3<f64>, color: u32| {
            put(a.to_array(), b.to_array(), color);
            count += 1;
        };
        for (_, rods) in self.rods.iter() {
            for (s, &n) in rods.counts().iter().enumerate() {
                for v in 0..n as usize - 1 {
                    let (a, b) = (rods.state3(s, v, state::X), rods.state3(s, v + 1, state::X));
                    let rest = rods.param(s, v, crate::layout::param::LENGTH);
                    let strained = ((b - a).length() / rest - 1.0).abs() > 0.01;
                    line(a, b, if strained { STRETCHED } else { RELAXED });
                    let (f, m) = (rods.frame(s, v), (a + b) * 0.5);
                    let size = 0.5 * rods.param(s, v, crate::layout::param::GHOST);
                    line(m, m + f.d1 * size, D1);
                    line(m, m + f.d2 * size, D2);
                }
            }
        }
        for (_, mesh) in self.meshes.iter() {
            for t in &mesh.triangles {
                for k in 0..3 {
                    line(mesh.x[t[k] as usize], mesh.x[t[(k + 1) % 3] as usize], MESH);
                }
            }
        }
        for (_, c) in self.colliders.iter() {
            let [x, y, z, w] = c.to.rotation;
            let (q, o) = (Quat { x, y, z, w }, Vec3::from(c.to.position));
            let at = |p: [f64; 3]| o + q.rotate(p.into());
            match c.desc.shape {
                Shape::Plane => {
                    for k in [-1.0, 0.0, 1.0] {
                        line(at([-1.0, 0.0, k]), at([1.0, 0.0, k]), COLLIDER);
                        line(at([k, 0.0, -1.0]), at([k, 0.0, 1.0]), COLLIDER);
                    }
                }
                Shape::Sphere { radius } => rings(radius, 0.0, |a, b| line(at(a), at(b), COLLIDER)),
                Shape::Capsule { radius, half_height } => rings(radius, half_height, |a, b| line(at(a), at(b), COLLIDER)),
                Shape::TaperedCapsule { half_height, bottom, top } => {
                    for (radius, y) in [(bottom, -half_height), (top, half_height)] {
                        rings(radius, 0.0, |a, b| line(at([a[0], a[1] + y, a[2]]), at([b[0], b[1] + y, b[2]]), COLLIDER));
                    }
                }
                Shape::Box { half_extents: [x, y, z] } => {
                    for (i, j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                        line(at([-x, i * y, j * z]), at([x, i * y, j * z]), COLLIDER);
                        line(at([i * x, -y, j * z]), at([i * x, y, j * z]), COLLIDER);
                        line(at([i * x, j * y, -z]), at([i * x, j * y, z]), COLLIDER);
                    }
                }
            }
        }
        count
    }
}

/// Segments of each circle.
const RING: usize = 16;

/// Two circles about y and two meridians of a capsule (or a sphere, half height 0).
fn rings(radius: f64, half_height: f64, mut line: impl FnMut([f64; 3], [f64; 3])) {
    let at = |k: usize| {
        let (s, c) = crate::math::approx::sin_cos(core::f64::consts::TAU * k as f64 / RING as f64);
        (c * radius, s * radius)
    };
    for k in 0..RING {
        let ((c0, s0), (c1, s1)) = (at(k), at(k + 1));
        for y in [-half_height, half_height] {
            line([c0, y, s0], [c1, y, s1]);
        }
        let lift = if k < RING / 2 { half_height } else { -half_height };
        line([c0, s0 + lift, 0.0], [c1, s1 + lift, 0.0]);
        line([0.0, s0 + lift, c0], [0.0, s1 + lift, c1]);
    }
}
