//! Points bound to a surface that moves and bends: roots of hair on a skinned scalp.

use crate::collide::narrow::TriangleMesh;
use crate::desc::error::{Error, Result};
use crate::math::{Quat, Vec3};

/// Where a point is on its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub corners: [u32; 3],
    /// What the second and the third corner have of the point in the triangle's plane, and how far the point is before that, m.
    pub coordinates: [f64; 3],
}

/// Directions of a triangle: in its plane between two edges, across that, its normal. `None`: it has no area.
fn frame([a, b, c]: [Vec3<f64>; 3]) -> Option<[Vec3<f64>; 3]> {
    let unit = |v: Vec3<f64>| (v.length2() > 1e-300).then(|| v * (1.0 / v.length()));
    let (u, v) = (unit(b - a)?, unit(c - a)?);
    let normal = unit(u.cross(v))?;
    // In the middle of both, so that a shear turns it by half as much.
    let along = unit(u + v)?;
    Some([along, normal.cross(along), normal])
}

/// Each point to the triangle that is nearest to it.
pub fn bind(positions: &[[f64; 3]], triangles: &[[u32; 3]], points: &[[f64; 3]]) -> Result<Vec<Bound>> {
    let mesh = TriangleMesh::<f64>::new(positions, triangles)?;
    let bound = points.iter().map(|p| {
        let p = Vec3::from(*p);
        let nearest = mesh.nearest(p, f64::MAX.sqrt()).ok_or_else(|| Error::invalid("triangles: none of them has an area"))?;
        let corners = triangles[mesh.index(nearest.slot) as usize];
        let [a, b, c] = corners.map(|i| Vec3::from(positions[i as usize]));
        let (ab, ac, ap) = (b - a, c - a, p - a);
        let (bb, bc, cc, pb, pc) = (ab.length2(), ab.dot(ac), ac.length2(), ap.dot(ab), ap.dot(ac));
        let det = bb * cc - bc * bc;
        let shares = [(cc * pb - bc * pc) / det, (bb * pc - bc * pb) / det];
        let ahead = frame([a, b, c]).map_or(0.0, |[_, _, normal]| normal.dot(ap));
        let coordinates = [shares[0], shares[1], ahead];
        if coordinates.iter().any(|x| !x.is_finite()) {
            return Err(Error::invalid(format!("triangles: the one of corners {corners:?} has no area")));
        }
        Ok(Bound { corners, coordinates })
    });
    bound.collect()
}

/// Where a bound point is now, and how far its triangle has turned since the surface was `bind`. Where a triangle has lost its area the point lies
/// in it and has not turned.
pub fn follow(bound: &Bound, bind: [Vec3<f64>; 3], now: [Vec3<f64>; 3]) -> (Vec3<f64>, Quat<f64>) {
    let [second, third, ahead] = bound.coordinates;
    let [a, b, c] = now;
    let at = a + (b - a) * second + (c - a) * third;
    let Some(to) = frame(now) else { return (at, Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }) };
    let from = frame(bind).unwrap_or(to);
    (at + to[2] * ahead, Quat::from_frame(to).compose(Quat::from_frame(from).conjugate()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bent sheet of 10 × 10 squares of a decimetre.
    fn sheet() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let points = (0..121).map(|i| {
            let (x, z) = (0.1 * f64::from(i % 11), 0.1 * f64::from(i / 11));
            [x, 0.2 * (3.0 * x).sin() * z, z]
        });
        let squares = (0..100u32).map(|i| i % 10 + 11 * (i / 10));
        (points.collect(), squares.flat_map(|a| [[a, a + 11, a + 1], [a + 1, a + 11, a + 12]]).collect())
    }

    #[test]
    fn points_stay_where_they_are_bound_and_go_with_a_surface_that_turns() {
        let (positions, triangles) = sheet();
        let points: Vec<[f64; 3]> =
            (0..40).map(f64::from).map(|i| [-0.05 + 0.028 * i, 0.3 * (0.7 * i).sin(), 1.05 - 0.027 * i]).collect();
        let bound = bind(&positions, &triangles, &points).unwrap();
        let turn = Quat { x: 0.1, y: -0.7, z: 0.5, w: 0.5 };
        let moved = |p: [f64; 3]| turn.rotate(Vec3::from(p)) + Vec3::from([4.0, -2.0, 1.0]);
        for (b, p) in bound.iter().zip(&points) {
            let corners = b.corners.map(|i| positions[i as usize]);
            let bind = corners.map(Vec3::from);
            let (at, still) = follow(b, bind, bind);
            assert!((at - Vec3::from(*p)).length() < 1e-12 && (still.w.abs() - 1.0).abs() < 1e-12, "{p:?} {at:?} {still:?}");
            let (at, turned) = follow(b, bind, corners.map(moved));
            assert!((at - moved(*p)).length() < 1e-12);
            let same = turned.compose(turn.conjugate());
            assert!((same.w.abs() - 1.0).abs() < 1e-12, "{turned:?}");
        }
    }

    /// A shear by 0.2 rad turns the direction between two edges by half of that.
    #[test]
    fn a_surface_that_bends_takes_them_along() {
        let bound = Bound { corners: [0, 1, 2], coordinates: [0.25, 0.5, 0.1] };
        let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
        let sheared = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2f64.sin(), 0.2f64.cos(), 0.0]].map(Vec3::from);
        let (at, turned) = follow(&bound, flat, sheared);
        let wanted = sheared[1] * 0.25 + sheared[2] * 0.5 + Vec3::from([0.0, 0.0, 0.1]);
        assert!((at - wanted).length() < 1e-15);
        assert!((2.0 * turned.z.asin() + 0.1).abs() < 1e-12, "{turned:?}");
        let (at, turned) = follow(&bound, flat, [flat[0]; 3]);
        assert!(at.length() == 0.0 && turned.w == 1.0);
    }
}
