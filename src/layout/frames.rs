//! Twist-free frames along a polyline: the start positions of the ghost points (paper, section 6).

use crate::math::Vec3;

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
