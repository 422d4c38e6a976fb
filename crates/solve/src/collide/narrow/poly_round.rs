//! Polyhedra against spheres, capsules and tapered capsules.

use super::frame::{across, below, either, unit};
use super::manifold::Manifold;
use super::poly::{Face, Poly};
use super::round::{Round, stationary};
use crate::math::vec3::vec3;
use crate::math::{Elem, Vec3};

/// What of a polyhedron is nearest to a point outside of it.
#[derive(Clone, Copy)]
pub(super) enum Feature<E> {
    Face,
    /// A point of the edge and its direction, unit.
    Edge(Vec3<E>, Vec3<E>),
    Vertex(Vec3<E>),
}

/// Distance from the polyhedron to a point, and the unit normal there; inside (nearer than `tiny` counts as that) the negative
/// distance to the nearest face.
#[inline(always)]
fn near<E: Elem>(poly: &Poly<E>, x: Vec3<E>, tiny: E) -> Option<(E, Vec3<E>, Feature<E>)> {
    match poly.half {
        Some(half) => Some(near_box(half, x, tiny)),
        None if poly.triangle => near_triangle(poly, x, tiny),
        None => near_hull(poly, x, tiny),
    }
}

/// Ericson, 5.1.5. Below a triangle that has no back is inside.
#[inline(always)]
fn near_triangle<E: Elem>(poly: &Poly<E>, x: Vec3<E>, tiny: E) -> Option<(E, Vec3<E>, Feature<E>)> {
    let zero = E::zero();
    let &[a, b, c] = poly.vertices else { return None };
    let normal = poly.faces.first()?.normal;
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (p, q, r) = (x - a, x - b, x - c);
    let (d1, d2, d3, d4, d5, d6) = (ab.dot(p), ac.dot(p), ab.dot(q), ac.dot(q), ab.dot(r), ac.dot(r));
    let (vc, vb, va) = (d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4);
    let (foot, feature) = if d1 <= zero && d2 <= zero {
        (a, Feature::Vertex(a))
    } else if d3 >= zero && d4 <= d3 {
        (b, Feature::Vertex(b))
    } else if vc <= zero && d1 >= zero && d3 <= zero {
        let foot = a + ab * (d1 / (d1 - d3));
        (foot, Feature::Edge(foot, ab))
    } else if d6 >= zero && d5 <= d6 {
        (c, Feature::Vertex(c))
    } else if vb <= zero && d2 >= zero && d6 <= zero {
        let foot = a + ac * (d2 / (d2 - d6));
        (foot, Feature::Edge(foot, ac))
    } else if va <= zero && d4 >= d3 && d5 >= d6 {
        let foot = b + bc * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
        (foot, Feature::Edge(foot, bc))
    } else {
        let height = normal.dot(p);
        return Some(if height > tiny {
            (height, normal, Feature::Face)
        } else if height < -tiny && poly.faces.len() > 4 {
            (-height, -normal, Feature::Face)
        } else {
            (height.min(zero), normal, Feature::Face)
        });
    };
    let d = x - foot;
    let l = d.length();
    if !below(tiny, l) {
        return Some((zero, normal, Feature::Face));
    }
    let feature = match feature {
        Feature::Edge(q, u) => Feature::Edge(q, unit(u, zero)?),
        other => other,
    };
    Some((l, d * (E::one() / l), feature))
}

#[inline(always)]
fn near_box<E: Elem>(h: Vec3<E>, x: Vec3<E>, tiny: E) -> (E, Vec3<E>, Feature<E>) {
    let (zero, one) = (E::zero(), E::one());
    let q = vec3(x.x.min(h.x).max(-h.x), x.y.min(h.y).max(-h.y), x.z.min(h.z).max(-h.z));
    let d = x - q;
    let out = [d.x != zero, d.y != zero, d.z != zero];
    let l2 = d.length2();
    if !below(tiny * tiny, l2) {
        let (a, b, c) = (x.x.abs() - h.x, x.y.abs() - h.y, x.z.abs() - h.z);
        let signed = |x: E| if x < zero { -one } else { one };
        return if a >= b && a >= c {
            (a.min(zero), vec3(signed(x.x), zero, zero), Feature::Face)
        } else if b >= c {
            (b.min(zero), vec3(zero, signed(x.y), zero), Feature::Face)
        } else {
            (c.min(zero), vec3(zero, zero, signed(x.z)), Feature::Face)
        };
    }
    let l = l2.sqrt();
    let n = d * (one / l);
    let feature = match out {
        [true, false, false] => Feature::Face,
        [false, true, false] => Feature::Face,
        [false, false, true] => Feature::Face,
        [false, true, true] => Feature::Edge(q, vec3(one, zero, zero)),
        [true, false, true] => Feature::Edge(q, vec3(zero, one, zero)),
        [true, true, false] => Feature::Edge(q, vec3(zero, zero, one)),
        _ => Feature::Vertex(q),
    };
    (l, n, feature)
}

fn near_hull<E: Elem>(poly: &Poly<E>, x: Vec3<E>, tiny: E) -> Option<(E, Vec3<E>, Feature<E>)> {
    let zero = E::zero();
    let mut best = (0, E::from_f64(f64::NEG_INFINITY));
    for (i, face) in poly.faces.iter().enumerate() {
        let s = face.normal.dot(x) - face.offset;
        if best.1 < s {
            best = (i, s);
        }
    }
    let (face, height) = best;
    if !below(tiny, height) {
        return Some((height.min(zero), poly.faces.get(face)?.normal, Feature::Face));
    }
    // Every plane is a lower bound: where x stands above the farthest plane's face, that is the distance.
    let normal = poly.faces.get(face)?.normal;
    let corners = poly.face_loop(face);
    let mut a = poly.vertex(*corners.last()?);
    let mut above = corners.len() > 2;
    for &v in corners {
        let b = poly.vertex(v);
        if (b - a).cross(normal).dot(x - a) > zero {
            above = false;
            break;
        }
        a = b;
    }
    if above {
        return Some((height, normal, Feature::Face));
    }
    let mut found: Option<(E, Vec3<E>, Feature<E>)> = None;
    let visible = |f: u16| poly.faces.get(f as usize).is_some_and(|f| f.normal.dot(x) > f.offset);
    for edge in poly.edges {
        if !visible(edge.faces[0]) && !visible(edge.faces[1]) {
            continue;
        }
        let [a, b] = edge.vertices.map(|v| poly.vertex(v));
        let (u, w) = (b - a, x - a);
        let l2 = u.length2();
        let t = if l2 > zero { u.dot(w) / l2 } else { zero };
        let (q, feature) = if t <= zero {
            (a, Feature::Vertex(a))
        } else if t >= E::one() {
            (b, Feature::Vertex(b))
        } else {
            let q = a + u * t;
            (q, Feature::Edge(q, u))
        };
        let d = x - q;
        let d2 = d.length2();
        if found.as_ref().is_none_or(|f| d2 < f.0) {
            found = Some((d2, d, feature));
        }
    }
    let (d2, d, feature) = found?;
    let l = d2.sqrt();
    if !below(tiny, l) {
        return Some((zero, normal, Feature::Face));
    }
    let feature = match feature {
        Feature::Edge(q, u) => Feature::Edge(q, unit(u, zero).unwrap_or(u)),
        other => other,
    };
    Some((l, d * (E::one() / l), feature))
}

/// Where a round shape is nearest to a polyhedron: place on the axis, normal out of the polyhedron, separation. `None` where that
/// place is inside: there the way out is another.
pub(super) fn search<E: Elem>(poly: &Poly<E>, round: &Round<E>) -> Option<(E, Vec3<E>, E)> {
    let zero = E::zero();
    let size = round.length + round.radii[0].max(round.radii[1]);
    let tiny = size * either::<E>(1e-6, 1e-12);
    let (flat, short) = (either::<E>(2e-6, 1e-13), round.length * either::<E>(1e-5, 1e-11));
    // The ends of the bracket; with value and slope once they are known.
    let mut low: (E, Option<(E, E)>) = (zero, None);
    let mut high: (E, Option<(E, E)>) = (round.length, None);
    let mut y = round.clamp(round.axis.dot(poly.center - round.ends[0]));
    let mut best: Option<(E, Vec3<E>, E)> = None;
    let mut inside = false;
    for _ in 0..24 {
        let x = round.center(y);
        let (d, n, feature) = near(poly, x, tiny)?;
        let g = d - round.radius(y);
        if best.is_none_or(|b| g < b.2) {
            best = Some((y, n, g));
            inside = d <= zero;
            // The distance is least inside; only a growing radius moves the minimum out again.
            if inside && round.slope == zero {
                return None;
            }
        }
        // Convex in y: the sign of the slope tells on which side the minimum is.
        let slope = n.dot(round.axis) - round.slope;
        if slope.abs() <= flat {
            break;
        }
        if slope > zero {
            high = (y, Some((g, slope)));
        } else {
            low = (y, Some((g, slope)));
        }
        if high.0 - low.0 <= short {
            break;
        }
        // The minimum against this feature alone.
        let alone = match feature {
            Feature::Vertex(v) => Some(round.toward(v)),
            Feature::Edge(q, u) => stationary(round.ends[0], round.axis, round.slope, q, u, zero).map(|s| s.0),
            Feature::Face => None,
        };
        let alone = alone.unwrap_or(if slope > zero { low.0 } else { high.0 });
        if (alone - y).abs() <= short {
            break;
        }
        y = if alone > low.0 && alone < high.0 {
            alone
        } else {
            match (low.1, high.1) {
                // Both ends known: the tangents meet inside.
                (Some((g0, s0)), Some((g1, s1))) => {
                    let y = low.0 + (g1 - g0 - s1 * (high.0 - low.0)) / (s0 - s1);
                    if y > low.0 && y < high.0 { y } else { (low.0 + high.0) * E::constant(0.5) }
                }
                (None, _) if slope > zero => low.0,
                (_, None) if slope < zero => high.0,
                _ => (low.0 + high.0) * E::constant(0.5),
            }
        };
    }
    if inside { None } else { best }
}

/// What a round shape whose axis enters the polyhedron is pushed out along.
pub(super) struct Deep<E> {
    pub normal: Vec3<E>,
    pub separation: E,
    /// The face, or a point of the edge and its direction.
    pub face: Option<usize>,
    edge: (Vec3<E>, Vec3<E>),
}

/// The largest separation over the faces, and over edges against the cone.
pub(super) fn deep<E: Elem>(poly: &Poly<E>, round: &Round<E>) -> Option<Deep<E>> {
    let zero = E::zero();
    let height = |n: Vec3<E>| (n.dot(round.ends[0]) - round.radii[0]).min(n.dot(round.ends[1]) - round.radii[1]);
    let mut best = (0, E::from_f64(f64::NEG_INFINITY));
    for (i, Face { normal, offset }) in poly.faces.iter().enumerate() {
        let s = height(*normal) - *offset;
        if best.1 < s {
            best = (i, s);
        }
    }
    let face = poly.faces.get(best.0)?;
    let none = (Vec3::zero(), Vec3::zero());
    let mut found = Deep { normal: face.normal, separation: best.1, face: Some(best.0), edge: none };
    if round.length <= zero {
        return Some(found);
    }
    let mut least = best.1 + (poly.inner + round.radii[0]) * E::constant(1e-3);
    for edge in poly.edges {
        let [a, b] = edge.vertices.map(|v| poly.vertex(v));
        let Some(e) = unit(b - a, zero) else { continue };
        let u = round.axis;
        let m = u.cross(e);
        let d = m.length2();
        if d < either::<E>(1e-6, 1e-12) {
            continue;
        }
        // n·u = slope, n·e = 0
        let (c, k) = (u.dot(e), round.slope);
        let alpha = k / d;
        let left = E::one() - alpha * k;
        if left <= zero {
            continue;
        }
        let gamma = (left / d).sqrt();
        let flat = u * alpha - e * (c * alpha);
        let (Some(f0), Some(f1)) = (poly.faces.get(edge.faces[0] as usize), poly.faces.get(edge.faces[1] as usize)) else {
            continue;
        };
        for n in [flat + m * gamma, flat - m * gamma] {
            let separation = n.dot(round.ends[0] - a) - round.radii[0];
            // Between the normals of the faces: only there does the edge come first.
            if separation > least
                && f0.normal.cross(n).dot(e) > zero
                && n.cross(f1.normal).dot(e) > zero
                && n.dot(f0.normal + f1.normal) > zero
            {
                least = separation;
                found = Deep { normal: n, separation, face: None, edge: (a, e) };
            }
        }
    }
    if round.slope != zero {
        // Corners against the cone.
        let (u, k) = (round.axis, round.slope);
        let q = (E::one() - k * k).max(zero).sqrt();
        for v in poly.vertices {
            let w = round.ends[0] - *v;
            let Some(p) = unit(w - u * u.dot(w), w.length() * either::<E>(1e-3, 1e-7)) else { continue };
            let n = u * k + p * q;
            let separation = n.dot(w) - round.radii[0];
            if separation > least && poly.support(n).1 <= n.dot(*v) + poly.inner * either::<E>(1e-5, 1e-10) {
                least = separation;
                found = Deep { normal: n, separation, face: None, edge: (*v, across(n)) };
            }
        }
    }
    Some(found)
}

/// Cosine of the angle up to which a normal is taken for that of a face: 1.15°.
const ALIGNED: f64 = 0.9998;

/// The polyhedron is a, the round shape, in its frame, is b.
pub(super) fn poly_round<E: Elem>(poly: &Poly<E>, round: &Round<E>, reach: E, out: &mut Manifold<E>) {
    let slack = round.radii[0].max(round.radii[1]) * E::constant(0.01);
    match search(poly, round) {
        Some((y, n, separation)) => {
            if !below(separation, reach) {
                return;
            }
            if round.length > E::zero() {
                let face = poly.facing(n);
                if poly.faces.get(face).is_some_and(|f| f.normal.dot(n) > E::constant(ALIGNED))
                    && face_round(poly, face, round, reach, out).is_some_and(|s| s < separation + slack)
                {
                    return;
                }
            }
            out.count = 0;
            out.normal = n;
            out.push(round.center(y) - n * (round.radius(y) + separation * E::constant(0.5)), separation, 0);
        }
        None => {
            let Some(deep) = deep(poly, round) else { return };
            if !below(deep.separation, reach) {
                return;
            }
            if let Some(face) = deep.face
                && face_round(poly, face, round, reach, out).is_some_and(|s| s < deep.separation + slack)
            {
                return;
            }
            let y = match deep.face {
                None => {
                    // Where the axis passes the edge, seen along the normal.
                    let (edge, e) = deep.edge;
                    let m = e.cross(deep.normal);
                    let across = round.axis.dot(m);
                    let y = if across == E::zero() { E::zero() } else { (edge - round.ends[0]).dot(m) / across };
                    round.clamp(y)
                }
                Some(_) => {
                    let at = |i: usize| deep.normal.dot(round.ends[i]) - round.radii[i];
                    if at(1) < at(0) { round.length } else { E::zero() }
                }
            };
            out.count = 0;
            out.normal = deep.normal;
            let x = round.center(y) - deep.normal * (round.radius(y) + deep.separation * E::constant(0.5));
            out.push(x, deep.separation, 0);
        }
    }
}

/// The line in which the round shape would lie on the face's plane, cut to the face: up to two points below `reach`, their least
/// separation.
pub(super) fn face_round<E: Elem>(poly: &Poly<E>, face: usize, round: &Round<E>, reach: E, out: &mut Manifold<E>) -> Option<E> {
    let (zero, one, half) = (E::zero(), E::one(), E::constant(0.5));
    let &Face { normal: n, offset } = poly.faces.get(face)?;
    out.normal = n;
    out.count = 0;
    let ends = [round.ends[0] - n * round.radii[0], round.ends[1] - n * round.radii[1]];
    let along = ends[1] - ends[0];
    let (mut low, mut high) = (zero, if round.length > zero { one } else { zero });
    let corners = poly.face_loop(face);
    let mut a = poly.vertex(*corners.last()?);
    for &v in corners {
        let b = poly.vertex(v);
        let outward = (b - a).cross(n);
        let (h, slope) = (outward.dot(ends[0] - a), outward.dot(along));
        // h + slope t <= 0
        if slope > zero {
            high = high.min(-h / slope);
        } else if slope < zero {
            low = low.max(-h / slope);
        } else if h > zero {
            return None;
        }
        a = b;
    }
    if below(high, low) {
        return None;
    }
    let short = (high - low) * along.length() < round.radii[0].min(round.radii[1]) * E::constant(1e-2);
    let height = |t: E| n.dot(ends[0] + along * t) - offset;
    let mut least: Option<E> = None;
    let single = [(if height(high) < height(low) { high } else { low }, 0)];
    let both = [(low, 1), (high, 2)];
    let places: &[(E, u32)] = if short { &single } else { &both };
    for &(t, feature) in places {
        let p = ends[0] + along * t;
        let separation = height(t);
        if separation < reach {
            out.push(p - n * (separation * half), separation, feature);
            least = Some(least.map_or(separation, |l| l.min(separation)));
        }
    }
    least
}
