//! Axes that move with the mesh and hardly depend on how it is triangulated: grids and sections are laid out in them.

use super::V3;
use nalgebra::Matrix3;

/// A frame of the mesh: `local = to_local(world)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axes {
    center: V3,
    axes: Matrix3<f64>,
}

/// Principal axes whose moments differ by less than this part of the largest are not told apart: rounding would turn them.
const DISTINCT: f64 = 0.01;

impl Axes {
    /// From the surface's moments; where it is symmetric, from the first vertices that stick out.
    pub fn of(points: &[V3], triangles: &[[u32; 3]]) -> Axes {
        let corners = |t: &[u32; 3]| t.map(|index| points[index as usize]);
        let area = |[a, b, c]: [V3; 3]| (b - a).cross(&(c - a)).norm();
        let (mut total, mut center) = (0.0, V3::zeros());
        for [a, b, c] in triangles.iter().map(corners) {
            total += area([a, b, c]);
            center += (a + b + c) * (area([a, b, c]) / 3.0);
        }
        let center = if total > 0.0 { center / total } else { V3::zeros() };
        let mut moments = Matrix3::zeros();
        for t in triangles.iter().map(corners) {
            let [a, b, c] = t.map(|p| p - center);
            let middle = a + b + c;
            let own = a * a.transpose() + b * b.transpose() + c * c.transpose() + middle * middle.transpose();
            moments += own * (area(t) / 12.0);
        }
        let eigen = moments.symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let [most, middle, least] = order.map(|k| eigen.eigenvalues[k]);

        let used = || triangles.iter().flatten().map(|&index| points[index as usize] - center);
        let long = if most - middle > DISTINCT * most {
            eigen.eigenvectors.column(order[0]).into_owned()
        } else {
            sticking_out(used(), |p| p)
        };
        let flat = |p: V3| p - long * p.dot(&long);
        let wide = if middle - least > DISTINCT * most {
            flat(eigen.eigenvectors.column(order[1]).into_owned()).normalize()
        } else {
            sticking_out(used(), flat)
        };
        // An eigenvector has no sign: the side whose third moment is larger is ahead.
        let ahead = |axis: V3| {
            let (mut skew, mut size) = (0.0, 0.0);
            for t in triangles.iter().map(corners) {
                let along = ((t[0] + t[1] + t[2]) / 3.0 - center).dot(&axis);
                skew += area(t) * along.powi(3);
                size += area(t) * along.abs().powi(3);
            }
            let first = || sticking_out(used(), |p| axis * p.dot(&axis)).dot(&axis);
            if (if skew.abs() > 1e-3 * size { skew } else { first() }) < 0.0 { -axis } else { axis }
        };
        let (long, wide) = (ahead(long), ahead(wide));
        Axes { center, axes: Matrix3::from_columns(&[long, wide, long.cross(&wide)]) }
    }

    pub fn to_local(&self, p: V3) -> V3 {
        self.axes.tr_mul(&(p - self.center))
    }

    pub fn to_local_direction(&self, d: V3) -> V3 {
        self.axes.tr_mul(&d)
    }

    pub fn to_world(&self, p: V3) -> V3 {
        self.axes * p + self.center
    }
}

/// The direction of the first vertex whose part that counts is more than seven tenths of the largest.
fn sticking_out(points: impl Iterator<Item = V3> + Clone, part: impl Fn(V3) -> V3) -> V3 {
    let largest = points.clone().map(|p| part(p).norm()).fold(0.0, f64::max);
    let first = points.map(&part).find(|p| p.norm() > 0.7 * largest && largest > 0.0);
    first.map_or(V3::x(), |p| p.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    /// A cube has no principal axes of its own.
    #[test]
    fn a_cube_turns_with_its_axes() {
        let points: Vec<V3> = (0..8).map(|k| V3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles: Vec<[u32; 3]> = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
        let turn = Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        let turned: Vec<V3> = points.iter().map(|p| turn * p + V3::new(5.0, 6.0, 7.0)).collect();
        let (a, b) = (Axes::of(&points, &triangles), Axes::of(&turned, &triangles));
        for (p, q) in points.iter().zip(&turned) {
            assert!((a.to_local(*p) - b.to_local(*q)).norm() < 1e-9);
            assert!((a.to_world(a.to_local(*p)) - p).norm() < 1e-12);
        }
    }
}
