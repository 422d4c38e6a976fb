//! Measures of curves that the scenes' claims are about.

use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// Writhe of a closed polyline in turns: the Gauss integral, exact for straight edges.
///
/// Source: K. Klenin and J. Langowski, "Computation of writhe in modeling of supercoiled DNA", Biopolymers 54, 2000, method 1a.
pub fn writhe(points: &[DVec3]) -> f64 {
    let n = points.len();
    let edge = |i: usize| (points[i], points[(i + 1) % n]);
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..i {
            // Neighbours lie in a plane and add nothing.
            if i - j > 1 && !(j == 0 && i == n - 1) {
                sum += gauss(edge(i), edge(j));
            }
        }
    }
    2.0 * sum / (2.0 * TAU)
}

fn gauss((a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)) -> f64 {
    let (ac, ad, bc, bd) = (c - a, d - a, c - b, d - b);
    // Edges in one plane, up to rounding.
    let volume = (d - c).cross(b - a).dot(ac);
    if volume.abs() <= 1e-12 * (d - c).length() * (b - a).length() * ac.length() {
        return 0.0;
    }
    let n = [ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)].map(|v| v.try_normalize());
    let [Some(n1), Some(n2), Some(n3), Some(n4)] = n else { return 0.0 };
    let angle = |u: DVec3, v: DVec3| u.dot(v).clamp(-1.0, 1.0).asin();
    let area = angle(n1, n2) + angle(n2, n3) + angle(n3, n4) + angle(n4, n1);
    area * volume.signum()
}

/// The writhe of a rod between clamps, closed far away: through a wide loop in the plane of its ends' directions.
pub fn open_writhe(points: &[DVec3]) -> f64 {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return 0.0 };
    let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    let axis = (*last - *first).try_normalize().unwrap_or(DVec3::X);
    let side = axis.any_orthonormal_vector();
    let mut closed = points.to_vec();
    let far = 20.0 * length;
    closed.push(*last + axis * far);
    closed.push(*last + axis * far + side * far);
    closed.push(*first - axis * far + side * far);
    closed.push(*first - axis * far);
    writhe(&closed)
}

/// The largest distance of a point from the plane through the centroid that fits best, over the size of the curve.
pub fn out_of_plane(points: &[DVec3]) -> f64 {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let size = points.iter().map(|p| p.distance(middle)).fold(1e-300, f64::max);
    let normal = smallest_axis(points, middle);
    points.iter().map(|p| (*p - middle).dot(normal).abs()).fold(0.0, f64::max) / size
}

/// The direction in which the points spread least, by inverse iteration on their covariance.
fn smallest_axis(points: &[DVec3], middle: DVec3) -> DVec3 {
    let mut covariance = DMat3::ZERO;
    for p in points {
        let d = *p - middle;
        covariance += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let trace = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
    let inverse = (covariance + DMat3::from_diagonal(DVec3::splat(1e-12 * trace.max(1e-300)))).inverse();
    let mut v = DVec3::new(0.5, 0.6, 0.7);
    for _ in 0..60 {
        v = (inverse * v).normalize_or(DVec3::Y);
    }
    v
}

/// Smallest distance between vertices that are more than `apart` vertices from each other along the curve.
pub fn clearance(points: &[DVec3], apart: usize) -> f64 {
    let from = |i: usize| points[(i + apart).min(points.len())..].iter().map(move |p| p.distance(points[i]));
    (0..points.len()).flat_map(from).fold(f64::MAX, f64::min)
}

/// Root of the mean squared distance of `points` from `to` over the length of `to`.
pub fn distance(points: &[DVec3], to: &[DVec3]) -> f64 {
    let sum: f64 = points.iter().zip(to).map(|(a, b)| a.distance_squared(*b)).sum();
    let length: f64 = to.windows(2).map(|p| p[0].distance(p[1])).sum();
    (sum / points.len() as f64).sqrt() / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(n: usize) -> Vec<DVec3> {
        (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| DVec3::new(a.cos(), 0.0, a.sin())).collect()
    }

    #[test]
    fn flat_curves_do_not_writhe() {
        assert!(writhe(&circle(50)).abs() < 1e-9);
        assert!(out_of_plane(&circle(50)) < 1e-9);
    }

    /// A figure-8 with its two strands just apart at the crossing writhes almost one turn.
    #[test]
    fn a_figure_eight_writhes_once() {
        let n = 400;
        let eight: Vec<DVec3> =
            (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| DVec3::new(a.sin(), 0.01 * a.cos(), (2.0 * a).sin())).collect();
        assert!((writhe(&eight).abs() - 1.0).abs() < 0.03, "{}", writhe(&eight));
    }
}
