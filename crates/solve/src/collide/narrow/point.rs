//! Where a point lies against a shape: what the vertices of rods ask.

use super::frame::{either, unit};
use super::hull::Hull;
use super::shape::Geometry;
use crate::collide::kernels::{self, Distance};
use crate::math::{Elem, Vec3};

/// Signed distance, m, and outward normal at `p`, both in the shape's frame. `None`: farther than `reach` outside, or farther than `deep`
/// behind a mesh, whose back is not felt; or `p` is not finite.
pub fn point<E: Elem>(shape: &Geometry<E>, p: Vec3<E>, reach: E, deep: E) -> Option<Distance<E>> {
    if !p.length2().is_finite() {
        return None;
    }
    let found = match shape {
        Geometry::Sphere { radius } => kernels::capsule(p, *radius, E::zero()),
        Geometry::Capsule { half_height, radius } => kernels::capsule(p, *radius, *half_height),
        Geometry::TaperedCapsule { half_height, bottom, top } => kernels::tapered_capsule(p, *half_height, *bottom, *top),
        Geometry::Box { half_extents } => kernels::cuboid(p, *half_extents),
        Geometry::Plane => kernels::plane(p),
        Geometry::Hull(hull) => return hull_point(hull, p, reach),
        Geometry::Mesh(mesh) => return mesh.point(p, reach, deep),
    };
    (found.distance <= reach).then_some(found)
}

/// Inside, the face that is nearest. Outside, the nearest point is on a face that sees `p`.
fn hull_point<E: Elem>(hull: &Hull<E>, p: Vec3<E>, reach: E) -> Option<Distance<E>> {
    let (zero, mut top) = (E::zero(), (0, -E::from_f64(f64::INFINITY)));
    for (i, face) in hull.faces().iter().enumerate() {
        let height = face.normal.dot(p) - face.offset;
        if top.1 < height {
            top = (i, height);
        }
    }
    // No point of the hull is nearer than its highest plane.
    if reach < top.1 {
        return None;
    }
    let over = hull.faces().get(top.0)?.normal;
    if top.1 <= zero {
        return Some(Distance { distance: top.1, normal: over });
    }
    let mut best: Option<(E, Vec3<E>)> = None;
    for (i, face) in hull.faces().iter().enumerate() {
        let height = face.normal.dot(p) - face.offset;
        if zero < height && best.is_none_or(|b| height * height < b.0) {
            let arm = p - on_polygon(hull, i, p - face.normal * height, face.normal);
            if best.is_none_or(|b| arm.length2() < b.0) {
                best = Some((arm.length2(), arm));
            }
        }
    }
    let (l2, arm) = best?;
    let distance = l2.sqrt();
    let normal = unit(arm, top.1 * E::constant(0.5)).unwrap_or(over);
    (distance <= reach).then_some(Distance { distance, normal })
}

/// The point of a face that is nearest to `foot`, in its plane.
fn on_polygon<E: Elem>(hull: &Hull<E>, face: usize, foot: Vec3<E>, normal: Vec3<E>) -> Vec3<E> {
    let corners = hull.face_loop(face);
    let vertices = hull.vertices();
    let mut best: Option<(E, Vec3<E>)> = None;
    for (k, &i) in corners.iter().enumerate() {
        let a = vertices[i as usize];
        let b = vertices[corners[(k + 1) % corners.len()] as usize];
        if (b - a).cross(normal).dot(foot - a) <= E::zero() {
            continue;
        }
        let q = on_segment(a, b, foot);
        let l2 = (foot - q).length2();
        if best.is_none_or(|b| l2 < b.0) {
            best = Some((l2, q));
        }
    }
    best.map_or(foot, |b| b.1)
}

fn on_segment<E: Elem>(a: Vec3<E>, b: Vec3<E>, p: Vec3<E>) -> Vec3<E> {
    let u = b - a;
    let t = (p - a).dot(u) / u.length2().max(either::<E>(1e-30, 1e-200));
    a + u * t.max(E::zero()).min(E::one())
}

/// The nearest point of a triangle, and the edges 01, 12, 20 that it lies on (bits 1, 2, 4).
///
/// Ericson, "Real-Time Collision Detection" (2005), 5.1.5.
pub(super) fn on_triangle<E: Elem>([a, b, c]: [Vec3<E>; 3], p: Vec3<E>) -> (Vec3<E>, u8) {
    let zero = E::zero();
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(p - a), ac.dot(p - a));
    if d1 <= zero && d2 <= zero {
        return (a, 1 | 4);
    }
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    if d3 >= zero && d4 <= d3 {
        return (b, 1 | 2);
    }
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    if d6 >= zero && d5 <= d6 {
        return (c, 2 | 4);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= zero && d1 >= zero && d3 <= zero {
        return (a + ab * (d1 / (d1 - d3)), 1);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= zero && d2 >= zero && d6 <= zero {
        return (a + ac * (d2 / (d2 - d6)), 4);
    }
    let va = d3 * d6 - d5 * d4;
    let (bc, cb) = (d4 - d3, d5 - d6);
    if va <= zero && bc >= zero && cb >= zero {
        return (b + (c - b) * (bc / (bc + cb)), 2);
    }
    let whole = E::one() / (va + vb + vc);
    (a + ab * (vb * whole) + ac * (vc * whole), 0)
}

#[cfg(test)]
mod tests {
    use super::on_triangle;
    use crate::collide::kernels::{self, corner_shares};
    use crate::math::{Vec3, rng::Rng};

    /// The function without branches, which the GPU runs, finds the same: in all regions, on their borders (whole numbers), and where the triangle has no area.
    #[test]
    fn without_branches_it_is_the_same_point_of_a_triangle() {
        let mut rng = Rng::new(5);
        let mut regions = [0; 8];
        for i in 0..200_000 {
            let mut number = || if i % 2 == 0 { rng.range(-1.0, 1.0) as f32 } else { rng.range(-2.5, 2.5).round() as f32 };
            let mut point = || Vec3 { x: number(), y: number(), z: number() };
            let (mut corners, p) = ([point(), point(), point()], point());
            if i % 50 == 1 {
                corners[2] = corners[(i / 50) % 2];
            }
            let (at, on) = on_triangle(corners, p);
            let found = kernels::on_triangle(corners, p);
            if !at.length2().is_finite() {
                // Without an area: it is left out of a search.
                continue;
            }
            let bits = |v: Vec3<f32>| [v.x, v.y, v.z].map(|c| (c + 0.0).to_bits());
            let edges = found.on.x as u8 + 2 * found.on.y as u8 + 4 * found.on.z as u8;
            assert_eq!((bits(at), on), (bits(found.at), edges), "{corners:?} {p:?}");
            regions[on as usize] += 1;
            let [u, v, w] = corner_shares(corners, at);
            let back = corners[0] * u + corners[1] * v + corners[2] * w;
            // Shares of slivers round as much as their area falls short of that of their sides.
            let (ab, ac) = (corners[1] - corners[0], corners[2] - corners[0]);
            let sides = ab.length2() * ac.length2();
            let area2 = ab.cross(ac).length2();
            assert!((back - at).length() * area2 <= 2e-6 * sides || i % 2 == 1, "{corners:?} {p:?} {back:?} {at:?}");
        }
        // Inside, three edges, three corners.
        assert!([0, 1, 2, 4, 3, 5, 6].iter().all(|&r: &usize| regions[r] > 1000), "{regions:?}");
    }
}
