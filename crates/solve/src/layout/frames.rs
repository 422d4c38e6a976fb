//! Twist-free frames along a polyline: the start positions of the ghost points (paper, section 6).

use crate::math::{Vec3, approx};

/// Turns `axis`, perpendicular to `from`, by the smallest rotation that takes the unit vector `from` to `to`.
/// Where `to` is opposite to `from` that rotation is not unique and the axis is kept.
pub fn transport(axis: Vec3<f64>, from: Vec3<f64>, to: Vec3<f64>) -> Vec3<f64> {
    let c = from.dot(to);
    let rotated = if c > -1.0 + 1e-9 {
        let k = from.cross(to);
        // Rodrigues' formula with sin and cos from the cross and dot products.
        axis * c + k.cross(axis) + k * (k.dot(axis) / (1.0 + c))
    } else {
        axis
    };
    (rotated - to * rotated.dot(to)).normalized_or(to.any_perpendicular())
}

/// d¹ of every edge, carried along the unit tangents from a seed that is projected off the first.
pub fn transported_axes(tangents: &[Vec3<f64>], seed: Vec3<f64>) -> Vec<Vec3<f64>> {
    let Some(&first) = tangents.first() else { return Vec::new() };
    let mut axis = (seed - first * seed.dot(first)).normalized_or(first.any_perpendicular());
    let mut axes = Vec::with_capacity(tangents.len());
    axes.push(axis);
    for pair in tangents.windows(2) {
        axis = transport(axis, pair[0], pair[1]);
        axes.push(axis);
    }
    axes
}

/// Relaxes the frames of a polyline that closes (paper, section 6, "loops in the rod topology"): carried once around, d¹ comes
/// back turned about the tangent. Averaging neighbours again and again spreads that jump evenly, which is done here at once.
pub fn relax_loop(tangents: &[Vec3<f64>], axes: &mut [Vec3<f64>]) {
    let n = tangents.len();
    if n < 3 {
        return;
    }
    let (first, last) = (axes[0], tangents[n - 1]);
    let back = transport(axes[n - 1], last, tangents[0]);
    let jump = approx::atan2(back.cross(first).dot(tangents[0]), back.dot(first));
    for (i, (axis, &t)) in axes.iter_mut().zip(tangents).enumerate() {
        let (sin, cos) = approx::sin_cos(jump * i as f64 / n as f64);
        *axis = *axis * cos + t.cross(*axis) * sin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3::vec3;

    /// A closed curve out of plane: parallel transport alone leaves a jump, afterwards all elements twist alike.
    #[test]
    fn loops_have_no_jump() {
        let n = 60;
        let point = |i: usize| {
            let a = core::f64::consts::TAU * i as f64 / n as f64;
            vec3(a.cos(), 0.6 * (2.0 * a).sin(), 0.4 * (a + 1.0).sin() + 0.3 * (3.0 * a).cos())
        };
        let tangents: Vec<_> = (0..n).map(|i| (point(i + 1) - point(i)).normalized_or(vec3(1.0, 0.0, 0.0))).collect();
        let mut axes = transported_axes(&tangents, vec3(0.0, 0.0, 1.0));
        let twist = |axes: &[Vec3<f64>], i: usize| {
            let j = (i + 1) % n;
            let carried = transport(axes[i], tangents[i], tangents[j]);
            carried.cross(axes[j]).dot(tangents[j]).atan2(carried.dot(axes[j]))
        };
        let jump = twist(&axes, n - 1);
        assert!(jump.abs() > 0.3, "the curve is too plain: {jump}");
        relax_loop(&tangents, &mut axes);
        for i in 0..n {
            assert!((twist(&axes, i) - jump / n as f64).abs() < 1e-9, "{i}: {}", twist(&axes, i));
        }
    }
}
