//! Distance of polyhedra that are apart.
//!
//! Gilbert, Johnson & Keerthi, "A Fast Procedure for Computing the Distance between Complex Objects" (1988), with the nearest
//! point of the simplex by its Voronoi regions (Ericson, "Real-Time Collision Detection", 5.1 and 9.5).

use super::frame::{Frame, below, either, unit};
use super::poly::Poly;
use crate::math::{Elem, Vec3};

/// A corner of the simplex: b − a, and the vertices it is of.
#[derive(Clone, Copy)]
struct Corner<E> {
    w: Vec3<E>,
    a: usize,
    b: usize,
}

/// The nearest points of two polyhedra, in the frame of a.
#[derive(Clone, Copy)]
pub(super) struct Near<E> {
    pub distance: E,
    /// Unit, from a to b.
    pub normal: Vec3<E>,
    pub on_a: Vec3<E>,
    pub on_b: Vec3<E>,
    ids: u32,
}

impl<E> Near<E> {
    /// Names the vertices involved.
    pub fn feature(&self) -> u32 {
        self.ids
    }
}

/// Corners of the part of the simplex that is nearest to 0 and their weights.
#[derive(Clone, Copy)]
struct Part<E> {
    corners: [usize; 3],
    weights: [E; 3],
    count: usize,
    point: Vec3<E>,
}

fn part1<E: Elem>(s: &[Corner<E>; 4], i: usize) -> Part<E> {
    Part { corners: [i, i, i], weights: [E::one(), E::zero(), E::zero()], count: 1, point: s[i].w }
}

fn part2<E: Elem>(s: &[Corner<E>; 4], i: usize, j: usize, t: E) -> Part<E> {
    let point = s[i].w + (s[j].w - s[i].w) * t;
    Part { corners: [i, j, j], weights: [E::one() - t, t, E::zero()], count: 2, point }
}

fn line<E: Elem>(s: &[Corner<E>; 4], i: usize, j: usize) -> Part<E> {
    let (a, b) = (s[i].w, s[j].w);
    let u = b - a;
    let (d, l2) = (-a.dot(u), u.length2());
    if !below(E::zero(), d) {
        part1(s, i)
    } else if d >= l2 {
        part1(s, j)
    } else {
        part2(s, i, j, d / l2)
    }
}

fn triangle<E: Elem>(s: &[Corner<E>; 4], i: usize, j: usize, k: usize) -> Part<E> {
    let zero = E::zero();
    let (a, b, c) = (s[i].w, s[j].w, s[k].w);
    let n = (b - a).cross(c - a);
    let n2 = n.length2();
    let shortest = |parts: [Part<E>; 3]| {
        let mut best = parts[0];
        for part in parts {
            if part.point.length2() < best.point.length2() {
                best = part;
            }
        }
        best
    };
    // Areas of the triangles to the foot of the perpendicular.
    let (u, v, w) = (n.dot(b.cross(c)), n.dot(c.cross(a)), n.dot(a.cross(b)));
    if u > zero && v > zero && w > zero && n2 > zero {
        let sum = u + v + w;
        let weights = [u / sum, v / sum, w / sum];
        let point = n * (n.dot(a) / n2);
        return Part { corners: [i, j, k], weights, count: 3, point };
    }
    shortest([line(s, i, j), line(s, j, k), line(s, i, k)])
}

/// `None`: 0 is inside.
fn nearest<E: Elem>(s: &[Corner<E>; 4], count: usize) -> Option<Part<E>> {
    match count {
        1 => Some(part1(s, 0)),
        2 => Some(line(s, 0, 1)),
        3 => Some(triangle(s, 0, 1, 2)),
        _ => {
            let mut best: Option<Part<E>> = None;
            for [i, j, k, l] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
                let n = (s[j].w - s[i].w).cross(s[k].w - s[i].w);
                let (origin, other) = (-n.dot(s[i].w), n.dot(s[l].w - s[i].w));
                // 0 on the other side of this face than the fourth corner.
                if origin * other <= E::zero() {
                    let part = triangle(s, i, j, k);
                    if best.is_none_or(|b| part.point.length2() < b.point.length2()) {
                        best = Some(part);
                    }
                }
            }
            best
        }
    }
}

/// `None` where they overlap.
pub(super) fn polys<E: Elem>(a: &Poly<E>, b: &Poly<E>, frame: &Frame<E>) -> Option<Near<E>> {
    let support = |d: Vec3<E>| {
        let (i, _) = a.support(d);
        let (j, _) = b.support(-frame.turn_back(d));
        let (p, q) = (a.vertices.get(i).copied()?, b.vertices.get(j).copied()?);
        Some(Corner { w: frame.point(q) - p, a: i, b: j })
    };
    let first = support(frame.point(b.center) - a.center)?;
    let mut simplex = [first; 4];
    let mut part = part1(&simplex, 0);
    let mut count = 1;
    let close = either::<E>(1e-6, 1e-13);
    let size = a.inner + b.inner;
    let touching = size * either::<E>(1e-6, 1e-12);
    for _ in 0..64 {
        let v = part.point;
        let v2 = v.length2();
        if !below(touching * touching, v2) {
            return None;
        }
        let next = support(v)?;
        if v2 - v.dot(next.w) <= close * v2 || simplex[..count].iter().any(|c| c.a == next.a && c.b == next.b) {
            break;
        }
        simplex[count] = next;
        let shorter = nearest(&simplex, count + 1)?;
        if shorter.point.length2() >= v2 {
            break;
        }
        let kept = shorter.corners.map(|i| simplex[i]);
        count = shorter.count;
        simplex[..3].copy_from_slice(&kept);
        part = Part { corners: [0, 1, 2], ..shorter };
    }
    let (mut on_a, mut on_b, mut ids) = (Vec3::zero(), Vec3::zero(), 0u32);
    for (&i, &weight) in part.corners.iter().zip(&part.weights).take(part.count) {
        let corner = simplex[i];
        on_a = on_a + a.vertices.get(corner.a).copied()? * weight;
        on_b = on_b + frame.point(b.vertices.get(corner.b).copied()?) * weight;
        ids = ids.max((corner.a as u32) << 8 | corner.b as u32);
    }
    let v = part.point;
    let normal = unit(v, E::zero())?;
    Some(Near { distance: v.length(), normal, on_a, on_b, ids: 0x6000_0000 | ids })
}
