//! Distance, and how far a shape moves before it touches.

use super::frame::{Frame, below, either};
use super::gjk;
use super::manifold::Manifold;
use super::poly::{Poly, PolyBuffer, poly_poly};
use super::poly_round::{self, search};
use super::round::{Round, nearest};
use super::shape::Geometry;
use crate::collide::Bounds;
use crate::math::{Elem, Transform, Vec3};

/// The nearest points of two shapes, in the frame of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<E> {
    /// m; negative where they overlap: how far to move b along the normal.
    pub distance: E,
    /// Unit, from a to b.
    pub normal: Vec3<E>,
    pub on_a: Vec3<E>,
    pub on_b: Vec3<E>,
}

/// `b` at `b_in_a`. `None` between two of planes and meshes, and where numbers overflow. Both sides of a mesh's triangles
/// count.
pub fn distance<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, b_in_a: &Transform<E>) -> Option<Distance<E>> {
    let frame = Frame::new(b_in_a);
    let found = match (a, b) {
        (Geometry::Mesh(mesh), _) if b.can_move() => {
            let best = core::cell::Cell::new(None::<Distance<E>>);
            let around = b.bounds(b_in_a);
            let misses = |node: &Bounds<E>| best.get().is_some_and(|d| gap(node, &around) > d.distance.max(E::zero()));
            mesh.polys(misses, |poly, _, _| {
                if let Some(found) = poly_any(poly, b, &frame)
                    && best.get().is_none_or(|d| found.distance < d.distance)
                {
                    best.set(Some(found));
                }
            });
            best.get()
        }
        (_, Geometry::Mesh(_)) if a.can_move() => exchanged(distance(b, a, &b_in_a.inverse())?, &frame),
        (Geometry::Plane, _) if b.can_move() => plane_any(b, &frame),
        (_, Geometry::Plane) if a.can_move() => exchanged(plane_any(a, &frame.inverse())?, &frame),
        _ if a.can_move() && b.can_move() => convex(a, b, &frame),
        _ => None,
    }?;
    let sane = found.distance.is_finite() && found.normal.length2().is_finite() && found.on_a.length2().is_finite();
    sane.then_some(found)
}

fn exchanged<E: Elem>(d: Distance<E>, frame: &Frame<E>) -> Option<Distance<E>> {
    let normal = -frame.turn(d.normal);
    Some(Distance { distance: d.distance, normal, on_a: frame.point(d.on_b), on_b: frame.point(d.on_a) })
}

/// Lower bound of the distance of what the boxes hold.
fn gap<E: Elem>(a: &Bounds<E>, b: &Bounds<E>) -> E {
    let zero = E::zero();
    let d = (a.min - b.max).upper(b.min - a.max);
    Vec3 { x: d.x.max(zero), y: d.y.max(zero), z: d.z.max(zero) }.length()
}

fn plane_any<E: Elem>(b: &Geometry<E>, frame: &Frame<E>) -> Option<Distance<E>> {
    let normal = Vec3 { x: E::zero(), y: E::one(), z: E::zero() };
    let on_b = match Round::new(b, frame) {
        Some(round) => {
            let low = |i: usize| round.ends[i] - normal * round.radii[i];
            if low(1).y < low(0).y { low(1) } else { low(0) }
        }
        None => {
            let mut buffer = PolyBuffer::new();
            let poly = Poly::new(b, &mut buffer);
            frame.point(*poly.vertices.get(poly.support(-frame.turn_back(normal)).0)?)
        }
    };
    Some(Distance { distance: on_b.y, normal, on_a: on_b - normal * on_b.y, on_b })
}

fn convex<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, frame: &Frame<E>) -> Option<Distance<E>> {
    match Round::new(a, &Frame::new(&Transform::identity())) {
        Some(a) => match Round::new(b, frame) {
            Some(b) => {
                let near = nearest(&a, &b);
                let n = near.normal;
                let on_a = a.center(near.y) + n * a.radius(near.y);
                let on_b = b.center(near.z) - n * b.radius(near.z);
                Some(Distance { distance: near.separation, normal: n, on_a, on_b })
            }
            None => {
                // In the frame of b, where the polyhedron is first.
                let back = frame.inverse();
                let round = Round { ends: a.ends.map(|p| back.point(p)), axis: back.turn(a.axis), ..a };
                let mut buffer = PolyBuffer::new();
                exchanged(poly_round(&Poly::new(b, &mut buffer), &round)?, frame)
            }
        },
        None => poly_any(&Poly::new(a, &mut PolyBuffer::new()), b, frame),
    }
}

fn poly_any<E: Elem>(a: &Poly<E>, b: &Geometry<E>, frame: &Frame<E>) -> Option<Distance<E>> {
    if let Some(round) = Round::new(b, frame) {
        return poly_round(a, &round);
    }
    let mut buffer = PolyBuffer::new();
    let b = Poly::new(b, &mut buffer);
    if let Some(near) = gjk::polys(a, &b, frame) {
        return Some(Distance { distance: near.distance, normal: near.normal, on_a: near.on_a, on_b: near.on_b });
    }
    let mut manifold = Manifold::default();
    poly_poly(a, &b, frame, E::from_f64(f64::INFINITY), &mut 0, &mut manifold);
    deepest(&manifold)
}

fn poly_round<E: Elem>(a: &Poly<E>, round: &Round<E>) -> Option<Distance<E>> {
    if let Some((y, normal, distance)) = search(a, round) {
        let on_b = round.center(y) - normal * round.radius(y);
        return Some(Distance { distance, normal, on_a: on_b - normal * distance, on_b });
    }
    let mut manifold = Manifold::default();
    poly_round::poly_round(a, round, E::from_f64(f64::INFINITY), &mut manifold);
    deepest(&manifold)
}

fn deepest<E: Elem>(m: &Manifold<E>) -> Option<Distance<E>> {
    let mut best = m.points().first()?;
    for point in m.points() {
        if point.separation < best.separation {
            best = point;
        }
    }
    let arm = m.normal * (best.separation * E::constant(0.5));
    Some(Distance { distance: best.separation, normal: m.normal, on_a: best.position - arm, on_b: best.position + arm })
}

/// Where a moving shape first touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit<E> {
    /// Of the motion.
    pub fraction: E,
    /// Unit, from a to b, in the frame of a.
    pub normal: Vec3<E>,
    /// On a, in its frame.
    pub position: Vec3<E>,
    /// The triangle of a mesh as the host counts them, else 0.
    pub part: u32,
}

/// Most steps of an advancement.
pub const STEPS: usize = 64;

/// The first fraction of `motion` (of `b`, in the frame of a, turning not) at which `b` is nearer than `gap`, m, which is taken for
/// at least a thousandth of its inner radius; `None` if it never is. Where it is so from the start, it touches at once if the
/// motion goes deeper, else not. A mesh is met from its front only.
///
/// Conservative advancement (Mirtich 1996): never beyond the hit. What still comes nearer after [`STEPS`] steps, grazing, counts as
/// a hit.
pub fn cast<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, b_in_a: &Transform<E>, motion: Vec3<E>, gap: E) -> Option<CastHit<E>> {
    let (zero, one) = (E::zero(), E::one());
    if !motion.length2().is_finite() || motion.length2() == zero {
        return None;
    }
    let size = if b.can_move() { b.inner_radius() } else { a.inner_radius() };
    let gap = gap.max(size * E::constant(1e-3));
    match (a, b) {
        (Geometry::Mesh(mesh), _) if b.can_move() => {
            let start = b.bounds(b_in_a);
            let end = Bounds { min: start.min + motion, max: start.max + motion };
            let wide = Vec3 { x: gap, y: gap, z: gap };
            let all = start.around(&end);
            let swept = Bounds { min: all.min - wide, max: all.max + wide };
            let mut best: Option<CastHit<E>> = None;
            let misses = |n: &Bounds<E>| !n.overlaps(&swept);
            mesh.polys(misses, |poly, normal, part| {
                if normal.dot(motion) < zero {
                    let most = best.map_or(one, |h| h.fraction);
                    let at = |frame: &Frame<E>| poly_any(poly, b, frame);
                    if let Some(hit) = advance(at, &Frame::new(b_in_a), motion, gap, most)
                        && best.is_none_or(|h| hit.fraction < h.fraction)
                    {
                        best = Some(CastHit { part, ..hit });
                    }
                }
            });
            best
        }
        (_, Geometry::Mesh(_)) if a.can_move() => {
            // The same seen from b, which then stands still.
            let back = b_in_a.inverse();
            let hit = cast(b, a, &back, -back.rotation.rotate(motion), gap)?;
            let frame = Frame::new(b_in_a);
            let position = frame.point(hit.position) + motion * hit.fraction;
            Some(CastHit { normal: -frame.turn(hit.normal), position, ..hit })
        }
        _ => {
            let at = |frame: &Frame<E>| match (a, b) {
                (Geometry::Plane, _) if b.can_move() => plane_any(b, frame),
                (_, Geometry::Plane) if a.can_move() => exchanged(plane_any(a, &frame.inverse())?, frame),
                _ if a.can_move() && b.can_move() => convex(a, b, frame),
                _ => None,
            };
            advance(at, &Frame::new(b_in_a), motion, gap, one)
        }
    }
}

fn advance<E: Elem>(
    distance: impl Fn(&Frame<E>) -> Option<Distance<E>>,
    start: &Frame<E>,
    motion: Vec3<E>,
    gap: E,
    most: E,
) -> Option<CastHit<E>> {
    let mut fraction = E::zero();
    let mut frame = *start;
    let mut last: Option<CastHit<E>> = None;
    for _ in 0..STEPS {
        let found = distance(&frame)?;
        let speed = -found.normal.dot(motion);
        last = Some(CastHit { fraction, normal: found.normal, position: found.on_a, part: 0 });
        // Planes through the nearest points hold them apart: what moves along or away never comes nearer.
        if !below(motion.length() * either::<E>(1e-7, 1e-14), speed) {
            return None;
        }
        if found.distance <= gap {
            return last;
        }
        // Halfway into the gap: else the steps shrink before they arrive.
        fraction = fraction + (found.distance - gap * E::constant(0.5)) / speed;
        if below(most, fraction) || !fraction.is_finite() {
            return None;
        }
        frame.origin = start.origin + motion * fraction;
    }
    last
}
