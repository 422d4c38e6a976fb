//! Lines that show what the solver sees, pulled by the host.

use super::world::World;
use crate::bodies::kernels::arc_strain;
use crate::collide::narrow::{Geometry, Hull};
use crate::desc::Shape;
use crate::layout::state;
use crate::math::approx::sin_cos;
use crate::math::{Elem, Quat, Transform, Vec3};
use crate::rigid::bodies::{Body, Shapes};
use crate::rigid::desc::{BodyMotion, BodyShape, JointKind};
use crate::rigid::joints::{Joint, transform};

/// 0xRRGGBBAA
const D1: u32 = 0xe0_40_40_ff;
const D2: u32 = 0x40_c0_40_ff;
const STRETCHED: u32 = 0xff_80_00_ff;
const RELAXED: u32 = 0x60_90_ff_ff;
const COLLIDER: u32 = 0xc0_c0_c0_ff;
/// From the middle of a bundle's section to its strands.
const SPOKE: u32 = 0xb0_70_50_ff;
const MESH: u32 = 0x90_60_c0_ff;
const D3: u32 = 0x40_60_e0_ff;
const AWAKE: u32 = 0xa0_d0_a0_ff;
const ASLEEP: u32 = 0x70_78_90_ff;
const FIXED: u32 = 0xc0_c0_c0_ff;
const ARC: u32 = 0xf0_c0_40_ff;
const LIMIT: u32 = 0xe0_e0_40_ff;
const CONTACT: u32 = 0xff_30_30_ff;
/// Length of a contact's normal, m.
const NORMAL: f64 = 0.05;
/// Segments of an arc joint.
const CURVE: usize = 16;

impl World {
    /// Edges (orange where strained by more than a percent), material axes d¹ and d² at half a ghost distance, sections of
    /// bundles as spokes, colliders, meshes; of bodies the shapes (green awake, grey asleep), of joints the frames, the limits and the curve of an arc with its
    /// material axes, contacts with their normals. Calls `put(from, to, rgba)` and returns how many times.
    pub fn debug_lines(&self, mut put: impl FnMut([f64; 3], [f64; 3], u32)) -> usize {
        let mut count = 0;
        let mut line = |a: Vec3<f64>, b: Vec3<f64>, color: u32| {
            put(a.to_array(), b.to_array(), color);
            count += 1;
        };
        for (_, rods) in self.rods.iter() {
            for (s, &n) in rods.counts().iter().enumerate() {
                let of = rods.material_of(s);
                for v in (0..n as usize - 1).filter(|&v| !of.is_cut(v)) {
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
        for (_, rods) in self.rods.iter().filter(|(_, rods)| rods.is_bundled()) {
            rods.section_spokes(|from, to| line(from, to, SPOKE));
        }
        for (id, cable) in self.cables.iter().filter(|(_, c)| !c.broken) {
            let mut last = None;
            let pulls = cable.tension > 0.0;
            // It is there.
            let _ = self.read_cable(id, |_, x| {
                let x = Vec3::from(x);
                if let Some(last) = last.replace(x) {
                    line(last, x, if pulls { STRETCHED } else { RELAXED });
                }
            });
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
        for (id, b) in self.bodies().iter() {
            let (Ok(pose), Ok(asleep)) = (self.body_pose(id), self.body_sleeps(id)) else { continue };
            let color = match b.desc.motion {
                BodyMotion::Dynamic if !asleep => AWAKE,
                BodyMotion::Dynamic => ASLEEP,
                _ => FIXED,
            };
            body_lines(b, transform(pose), |p, q| line(p, q, color));
        }
        for (_, j) in self.joints().iter().filter(|(_, j)| j.enabled) {
            let pose = |id| self.body_pose(id).map_or(Transform::identity(), transform);
            let (a, b) = (j.desc.a.map_or(Transform::identity(), pose), pose(j.desc.b));
            let middle = |id| self.body_center(id).map_or(b.position, Vec3::from);
            joint_lines(j, a, b, middle(j.desc.b), &mut line);
        }
        self.read_contacts(|c| {
            let at = Vec3::from(c.position);
            line(at, at + Vec3::from(c.normal) * NORMAL, CONTACT);
        });
        count
    }
}

fn body_lines(b: &Body, pose: Transform<f64>, mut line: impl FnMut(Vec3<f64>, Vec3<f64>)) {
    for (k, s) in b.desc.shapes.iter().enumerate() {
        let t = pose.compose(transform(s.pose));
        let at = |p: [f64; 3]| t.point(p.into());
        match &s.shape {
            BodyShape::Sphere { radius } => rings(*radius, 0.0, |p, q| line(at(p), at(q))),
            BodyShape::Capsule { half_height, radius } => rings(*radius, *half_height, |p, q| line(at(p), at(q))),
            BodyShape::TaperedCapsule { half_height, bottom, top } => {
                for (y, r) in [(-half_height, *bottom), (*half_height, *top)] {
                    rings(r, 0.0, |p, q| line(at([p[0], p[1] + y, p[2]]), at([q[0], q[1] + y, q[2]])));
                }
                for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                    line(at([x * bottom, -half_height, z * bottom]), at([x * top, *half_height, z * top]));
                }
            }
            BodyShape::Box { half_extents: [x, y, z] } => {
                for (i, j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                    line(at([-x, i * y, j * z]), at([*x, i * y, j * z]));
                    line(at([i * x, -y, j * z]), at([i * x, *y, j * z]));
                    line(at([i * x, j * y, -z]), at([i * x, j * y, *z]));
                }
            }
            BodyShape::Hull { .. } => match &b.shapes {
                Shapes::F32(all) => hull_lines(all.get(k), &t, &mut line),
                Shapes::F64(all) => hull_lines(all.get(k), &t, &mut line),
            },
            BodyShape::Plane => {
                for k in [-1.0, 0.0, 1.0] {
                    line(at([-1.0, 0.0, k]), at([1.0, 0.0, k]));
                    line(at([k, 0.0, -1.0]), at([k, 0.0, 1.0]));
                }
            }
            BodyShape::Mesh { positions, triangles } => {
                for t in triangles {
                    for k in 0..3 {
                        line(at(positions[t[k] as usize]), at(positions[t[(k + 1) % 3] as usize]));
                    }
                }
            }
        }
    }
}

fn hull_lines<E: Elem>(g: Option<&Geometry<E>>, t: &Transform<f64>, line: &mut impl FnMut(Vec3<f64>, Vec3<f64>)) {
    if let Some(Geometry::Hull(hull)) = g {
        let hull: &Hull<E> = hull;
        let at = |i: u8| t.point(hull.vertices()[i as usize].map(E::to_f64));
        for edge in hull.edges() {
            line(at(edge.vertices[0]), at(edge.vertices[1]));
        }
    }
}

/// A rotation about the third axis.
fn twist(angle: f64) -> Quat<f64> {
    let (s, c) = sin_cos(0.5 * angle);
    Quat { x: 0.0, y: 0.0, z: s, w: c }
}

/// A rotation by the vector (x, y, 0).
fn swing(x: f64, y: f64) -> Quat<f64> {
    let angle = (x * x + y * y).sqrt();
    let (s, c) = sin_cos(0.5 * angle);
    let k = if angle > 1e-9 { s / angle } else { 0.5 };
    Quat { x: x * k, y: y * k, z: 0.0, w: c }
}

/// `middle`: the centre of mass of b, which tells how large to draw.
fn joint_lines(
    j: &Joint,
    a: Transform<f64>,
    b: Transform<f64>,
    middle: Vec3<f64>,
    line: &mut impl FnMut(Vec3<f64>, Vec3<f64>, u32),
) {
    let (fa, fb) = (a.compose(transform(j.desc.frame_a)), b.compose(transform(j.desc.frame_b)));
    let size = (0.5 * (fb.position - middle).length()).clamp(0.02, 1.0);
    for (f, size) in [(fa, size), (fb, 0.7 * size)] {
        for (axis, color) in f.rotation.frame().into_iter().zip([D1, D2, D3]) {
            line(f.position, f.position + axis * size, color);
        }
    }
    let along = |q: Quat<f64>, v: [f64; 3]| fa.rotation.compose(q).rotate(v.into());
    let cone = match &j.desc.kind {
        JointKind::Ball { limits } => *limits,
        JointKind::Arc(arc) => arc.limits,
        _ => None,
    };
    let fan = match &j.desc.kind {
        JointKind::Hinge { limits } => Some(*limits),
        _ => cone.map(|l| l.twist),
    };
    // A turn or more is a circle.
    let fan =
        fan.map(
            |[low, high]| {
                if high - low < core::f64::consts::TAU { [low, high] } else { [-core::f64::consts::PI, core::f64::consts::PI] }
            },
        );
    if let Some([low, high]) = fan {
        let at = |k: usize| fa.position + along(twist(low + (high - low) * k as f64 / 8.0), [size, 0.0, 0.0]);
        line(fa.position, at(0), LIMIT);
        line(fa.position, at(8), LIMIT);
        (0..8).for_each(|k| line(at(k), at(k + 1), LIMIT));
    }
    if let Some(l) = cone {
        let at = |k: usize| {
            let (s, c) = sin_cos(core::f64::consts::TAU * k as f64 / RING as f64);
            fa.position + along(swing(c * l.swing[0], s * l.swing[1]), [0.0, 0.0, size])
        };
        for k in 0..RING {
            line(at(k), at(k + 1), LIMIT);
            if k % 4 == 0 {
                line(fa.position, at(k), LIMIT);
            }
        }
    }
    match &j.desc.kind {
        JointKind::Ball { .. } | JointKind::Hinge { .. } | JointKind::Fixed => {}
        JointKind::Distance { .. } => line(fa.position, fb.position, LIMIT),
        JointKind::Arc(_) => {
            // F_a⁻¹ F_b = T(τ/2) S(ψ) T(τ/2): the curve bends evenly in the axes that half of the twist has turned.
            let strain = arc_strain(fa.rotation.conjugate().compose(fb.rotation));
            let (bx, by, tau) = (strain.beta.x, strain.beta.y, strain.beta.z);
            let psi = (bx * bx + by * by).sqrt();
            let half = fa.rotation.compose(twist(0.5 * tau));
            let at = |u: f64| {
                // ∫ t du for t = (sin·n×e₃, cos).
                let (forwards, aside) = if psi < 1e-4 {
                    (u, 0.5 * u * u)
                } else {
                    let (s, c) = sin_cos(u * psi);
                    (s / psi, (1.0 - c) / (psi * psi))
                };
                let frame = half.compose(swing(u * bx, u * by)).compose(twist(tau * (u - 0.5)));
                let x = half.rotate(Vec3 { x: by * aside, y: -bx * aside, z: forwards });
                (fa.position + x * j.length, frame.frame())
            };
            for k in 0..=CURVE {
                let (x, [m1, m2, _]) = at(k as f64 / CURVE as f64);
                let size = 0.5 * j.length / CURVE as f64;
                line(x, x + m1 * size, D1);
                line(x, x + m2 * size, D2);
                if k < CURVE {
                    line(x, at((k + 1) as f64 / CURVE as f64).0, ARC);
                }
            }
        }
    }
}

/// Segments of each circle.
const RING: usize = 16;

/// Two circles about y and two meridians of a capsule (or a sphere, half height 0).
fn rings(radius: f64, half_height: f64, mut line: impl FnMut([f64; 3], [f64; 3])) {
    let at = |k: usize| {
        let (s, c) = sin_cos(core::f64::consts::TAU * k as f64 / RING as f64);
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
