//! Contact manifolds: what two shapes near each other give a solver.

use super::frame::{Frame, either};
use super::poly::{Poly, PolyBuffer, poly_poly};
use super::poly_round::poly_round;
use super::round::{Round, round_round};
use super::shape::Geometry;
use crate::math::{Elem, Transform, Vec3};

/// One point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint<E> {
    /// Halfway between the two surfaces, in the frame of a, m.
    pub position: Vec3<E>,
    /// Along the normal, m; negative inside.
    pub separation: E,
    /// The same from step to step while the same features touch.
    pub feature: u32,
}

/// Up to four points with one normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold<E> {
    /// Unit, from a to b, in the frame of a. Any where `count` is 0.
    pub normal: Vec3<E>,
    pub points: [ManifoldPoint<E>; 4],
    pub count: u32,
}

impl<E: Elem> Default for Manifold<E> {
    fn default() -> Self {
        let point = ManifoldPoint { position: Vec3::zero(), separation: E::zero(), feature: 0 };
        Manifold { normal: Vec3 { x: E::zero(), y: E::one(), z: E::zero() }, points: [point; 4], count: 0 }
    }
}

impl<E: Elem> Manifold<E> {
    pub fn points(&self) -> &[ManifoldPoint<E>] {
        &self.points[..(self.count as usize).min(4)]
    }
    #[inline(always)]
    pub(super) fn push(&mut self, position: Vec3<E>, separation: E, feature: u32) {
        if let Some(point) = self.points.get_mut(self.count as usize) {
            *point = ManifoldPoint { position, separation, feature };
            self.count += 1;
        }
    }
    /// The least separation; infinite where there is no point.
    pub fn separation(&self) -> E {
        self.points().iter().fold(E::from_f64(f64::INFINITY), |s, p| s.min(p.separation))
    }
    /// Seen from the frame that `frame` leads to.
    #[inline(always)]
    pub(super) fn moved(&mut self, frame: &Frame<E>) {
        self.normal = frame.turn(self.normal);
        for point in self.points.iter_mut().take(self.count as usize) {
            point.position = frame.point(point.position);
        }
    }
}

/// The points of `a` and `b` that are nearer than `reach`, m, `b` at `b_in_a`. None with a mesh: that has many normals, see
/// [`super::mesh_manifolds`].
///
/// `cache`: 0 at first, then what the last call for this pair left. It only saves time: what holds the pair apart is tried first.
///
/// Depth of overlap: the least translation along the normals that convex shapes can part by (faces, and edges across edges), as
/// in Gregorius, "The Separating Axis Test between Convex Polyhedra" (GDC 2013). A face is preferred to edges that are
/// deeper by less than a thousandth of the size.
pub fn manifold<E: Elem>(
    a: &Geometry<E>,
    b: &Geometry<E>,
    b_in_a: &Transform<E>,
    reach: E,
    cache: &mut u64,
    out: &mut Manifold<E>,
) {
    out.count = 0;
    let frame = Frame::new(b_in_a);
    pair(a, b, &frame, reach, cache, out);
    let sane = |p: &ManifoldPoint<E>| p.separation.is_finite() && p.position.length2().is_finite();
    // What overflowed has no contact.
    if !out.normal.length2().is_finite() || !out.points().iter().all(sane) {
        *out = Manifold::default();
    }
}

/// Of two shapes the one that `pair` takes first.
fn rank<E>(g: &Geometry<E>) -> u32 {
    match g {
        Geometry::Plane => 0,
        Geometry::Hull(_) => 1,
        Geometry::Box { .. } => 2,
        Geometry::TaperedCapsule { .. } => 3,
        Geometry::Capsule { .. } => 4,
        Geometry::Sphere { .. } => 5,
        Geometry::Mesh(_) => 6,
    }
}

fn pair<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, frame: &Frame<E>, reach: E, cache: &mut u64, out: &mut Manifold<E>) {
    if rank(b) < rank(a) {
        ordered(b, a, &frame.inverse(), reach, cache, out);
        out.normal = -out.normal;
        out.moved(frame);
    } else {
        ordered(a, b, frame, reach, cache, out);
    }
}

#[inline(always)]
fn ordered<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, frame: &Frame<E>, reach: E, cache: &mut u64, out: &mut Manifold<E>) {
    match (a, b) {
        (_, Geometry::Mesh(_)) | (Geometry::Plane, Geometry::Plane) => {}
        (Geometry::Plane, _) => match Round::new(b, frame) {
            Some(round) => plane_round(&round, reach, out),
            None => plane_poly(&Poly::new(b, &mut PolyBuffer::new()), frame, reach, out),
        },
        _ => match (Round::new(a, &Frame::new(&Transform::identity())), Round::new(b, frame)) {
            (Some(a), Some(b)) => round_round(&a, &b, reach, out),
            (None, Some(b)) => poly_round(&Poly::new(a, &mut PolyBuffer::new()), &b, reach, out),
            _ => {
                let (mut buffer_a, mut buffer_b) = (PolyBuffer::new(), PolyBuffer::new());
                let (a, b) = (Poly::new(a, &mut buffer_a), Poly::new(b, &mut buffer_b));
                poly_poly(&a, &b, frame, reach, cache, out);
            }
        },
    }
}

fn plane_round<E: Elem>(b: &Round<E>, reach: E, out: &mut Manifold<E>) {
    let (zero, half) = (E::zero(), E::constant(0.5));
    out.normal = Vec3 { x: zero, y: E::one(), z: zero };
    let ends = if b.length > zero { 2 } else { 1 };
    for i in 0..ends {
        let separation = b.ends[i].y - b.radii[i];
        if separation < reach {
            let p = b.ends[i];
            out.push(Vec3 { x: p.x, y: separation * half, z: p.z }, separation, i as u32);
        }
    }
}

fn plane_poly<E: Elem>(b: &Poly<E>, frame: &Frame<E>, reach: E, out: &mut Manifold<E>) {
    let (zero, half) = (E::zero(), E::constant(0.5));
    out.normal = Vec3 { x: zero, y: E::one(), z: zero };
    let up = frame.turn_back(out.normal);
    let mut candidates = Candidates::<E, 256>::new();
    for (i, v) in b.vertices.iter().enumerate() {
        let separation = up.dot(*v) + frame.origin.y;
        if separation < reach {
            let p = frame.point(*v);
            candidates.push(Vec3 { x: p.x, y: separation * half, z: p.z }, separation, i as u32);
        }
    }
    candidates.reduce(out);
}

/// Points before they are reduced to four.
pub(super) struct Candidates<E, const N: usize> {
    points: [ManifoldPoint<E>; N],
    count: usize,
}

impl<E: Elem, const N: usize> Candidates<E, N> {
    #[inline(always)]
    pub fn new() -> Self {
        let none = ManifoldPoint { position: Vec3::zero(), separation: E::zero(), feature: 0 };
        Candidates { points: [none; N], count: 0 }
    }
    #[inline(always)]
    pub fn push(&mut self, position: Vec3<E>, separation: E, feature: u32) {
        if let Some(point) = self.points.get_mut(self.count) {
            *point = ManifoldPoint { position, separation, feature };
            self.count += 1;
        }
    }

    /// At most four of the points: all where there are no more.
    pub fn reduce(&self, out: &mut Manifold<E>) {
        if self.count > 4 {
            return self.choose(out);
        }
        out.count = 0;
        for p in &self.points[..self.count] {
            out.push(p.position, p.separation, p.feature);
        }
    }

    /// The deepest point (of several as deep the outermost), the farthest from it, and on either side of their line the one that
    /// spans the largest triangle; of points on a line also the other end. `out.normal` is set already.
    pub fn choose(&self, out: &mut Manifold<E>) {
        let points = &self.points[..self.count];
        out.count = 0;
        if self.count == 0 {
            return;
        }
        // Ties go to the first: what differs by less than rounding must not flicker.
        let slack = either::<E>(1e-6, 1e-12);
        let best = |value: &dyn Fn(&ManifoldPoint<E>) -> E| {
            let mut found = (0, value(&points[0]));
            for (i, p) in points.iter().enumerate().skip(1) {
                let v = value(p);
                if found.1 + (found.1.abs() + v.abs()) * slack < v {
                    found = (i, v);
                }
            }
            found
        };
        let part = E::one() / E::constant(self.count as f64);
        let middle = points.iter().fold(Vec3::zero(), |c, p| c + p.position * part);
        let outward = |p: &ManifoldPoint<E>| (p.position - middle).length2();
        let (_, width) = best(&outward);
        let deepest = -best(&|p| -p.separation).1 + width.sqrt() * E::constant(1e-4);
        let first = points[best(&|p| if p.separation <= deepest { outward(p) } else { -E::one() }).0];
        let (second, span) = best(&|p| (p.position - first.position).length2());
        out.push(first.position, first.separation, first.feature);
        if span <= E::zero() {
            return;
        }
        let second = points[second];
        out.push(second.position, second.separation, second.feature);
        let along = out.normal.cross(second.position - first.position);
        let least = span * E::constant(1e-2);
        for side in [along, -along] {
            let (i, height) = best(&|p| side.dot(p.position - first.position));
            if height > least {
                out.push(points[i].position, points[i].separation, points[i].feature);
            }
        }
        let (other, wider) = best(&|p| (p.position - second.position).length2());
        if out.count == 2 && wider > span * E::constant(1.01) {
            out.push(points[other].position, points[other].separation, points[other].feature);
        }
    }
}
