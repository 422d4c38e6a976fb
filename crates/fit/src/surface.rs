//! The mesh's surface in its own axes, and its winding number: how often it encloses a point.
//!
//! Source: Jacobson, Kavan & Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", 2013;
//! the dipole of what is far away: Barill et al., "Fast winding numbers for soups and clouds", 2018. Parity of crossings
//! fails on shells that overlap or have holes; the winding number is 1 inside of each and falls smoothly through holes.

use super::V3;
use std::f64::consts::PI;
use withy_math::approx::atan2;

/// Triangles in a leaf.
const LEAF: usize = 4;
/// A node is a dipole for points farther away than so many of its radii: errors of about 0.01.
const FAR: f64 = 2.3;

struct Node {
    low: V3,
    high: V3,
    /// Area-weighted centre, and the sum of the triangles' area vectors.
    center: V3,
    dipole: V3,
    radius: f64,
    /// The triangles below.
    first: u32,
    count: u32,
    /// The node after this one's descendants; its first child is the next one.
    skip: u32,
}

pub(crate) struct Surface {
    /// Sorted by place.
    triangles: Vec<[V3; 3]>,
    nodes: Vec<Node>,
}

impl Surface {
    pub fn new(mut triangles: Vec<[V3; 3]>) -> Surface {
        let mut nodes = Vec::with_capacity(2 * triangles.len() / LEAF + 1);
        if !triangles.is_empty() {
            build(&mut triangles, 0, &mut nodes);
        }
        Surface { triangles, nodes }
    }

    pub fn triangles(&self) -> &[[V3; 3]] {
        &self.triangles
    }

    pub fn bounds(&self) -> [V3; 2] {
        self.nodes.first().map_or([V3::zeros(); 2], |node| [node.low, node.high])
    }

    /// What a closed surface encloses; negative if it is inside out.
    pub fn signed_volume(&self) -> f64 {
        let origin = self.nodes.first().map_or(V3::zeros(), |node| node.center);
        let volume = |[a, b, c]: &[V3; 3]| (a - origin).cross(&(b - origin)).dot(&(c - origin)) / 6.0;
        self.triangles.iter().map(volume).sum()
    }

    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
    }

    pub fn winding(&self, point: V3) -> f64 {
        let (mut angle, mut at) = (0.0, 0);
        while let Some(node) = self.nodes.get(at) {
            let to = node.center - point;
            let distance2 = to.norm_squared();
            if distance2 > (FAR * node.radius) * (FAR * node.radius) {
                angle += to.dot(&node.dipole) / (distance2 * distance2.sqrt());
                at = node.skip as usize;
                continue;
            }
            at += 1;
            if node.skip as usize == at {
                let own = &self.triangles[node.first as usize..(node.first + node.count) as usize];
                angle += own.iter().map(|triangle| solid_angle(triangle, point)).sum::<f64>();
            }
        }
        angle / (4.0 * PI)
    }

    /// Enclosed, whichever way round the shell is.
    pub fn encloses(&self, point: V3) -> bool {
        self.winding(point).abs() > 0.5
    }

    /// How far the surface is in a direction from a point inside, seen with steps of `step`; `most` if it is farther.
    pub fn way_out(&self, from: V3, direction: V3, most: f64, step: f64) -> f64 {
        let mut inside = 0.0;
        while self.encloses(from + direction * (inside + step)) {
            inside += step;
            if inside >= most {
                return most;
            }
        }
        let mut outside = inside + step;
        for _ in 0..12 {
            let middle = 0.5 * (inside + outside);
            if self.encloses(from + direction * middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside.min(most)
    }

    /// Whether the surface comes nearer than `distance`.
    pub fn is_near(&self, point: V3, distance: f64) -> bool {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let outside = (node.low - point).sup(&(point - node.high)).sup(&V3::zeros());
            if outside.norm_squared() > distance * distance {
                at = node.skip as usize;
                continue;
            }
            at += 1;
            if node.skip as usize == at {
                let own = &self.triangles[node.first as usize..(node.first + node.count) as usize];
                if own.iter().any(|triangle| distance2_to(triangle, point) <= distance * distance) {
                    return true;
                }
            }
        }
        false
    }
}

fn build(triangles: &mut [[V3; 3]], first: usize, nodes: &mut Vec<Node>) {
    let mut low = V3::repeat(f64::INFINITY);
    let mut high = V3::repeat(f64::NEG_INFINITY);
    let (mut center, mut dipole, mut area) = (V3::zeros(), V3::zeros(), 0.0);
    for &[a, b, c] in triangles.iter() {
        low = low.inf(&a).inf(&b).inf(&c);
        high = high.sup(&a).sup(&b).sup(&c);
        let normal = (b - a).cross(&(c - a)) * 0.5;
        dipole += normal;
        area += normal.norm();
        center += (a + b + c) * (normal.norm() / 3.0);
    }
    let center = if area > 0.0 { center / area } else { (low + high) * 0.5 };
    let radius = triangles.iter().flatten().map(|p| (p - center).norm_squared()).fold(0.0, f64::max).sqrt();
    let own = nodes.len();
    nodes.push(Node { low, high, center, dipole, radius, first: first as u32, count: triangles.len() as u32, skip: 0 });
    if triangles.len() > LEAF {
        let axis = (high - low).imax();
        let half = triangles.len() / 2;
        let middle = |t: &[V3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
        triangles.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
        let (left, right) = triangles.split_at_mut(half);
        build(left, first, nodes);
        build(right, first + half, nodes);
    }
    nodes[own].skip = nodes.len() as u32;
}

/// Van Oosterom & Strackee 1983, with its sign for outward normals seen from inside.
fn solid_angle(triangle: &[V3; 3], point: V3) -> f64 {
    let [a, b, c] = triangle.map(|p| p - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let above = a.dot(&b.cross(&c));
    let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    if above == 0.0 && below == 0.0 { 0.0 } else { 2.0 * atan2(above, below) }
}

/// Squared distance of a point from a triangle (Ericson, "Real-Time Collision Detection", 2005, section 5.1.5).
fn distance2_to([a, b, c]: &[V3; 3], point: V3) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ap.norm_squared();
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return bp.norm_squared();
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (ap - ab * (d1 / (d1 - d3))).norm_squared();
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return cp.norm_squared();
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (ap - ac * (d2 / (d2 - d6))).norm_squared();
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return (bp - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))).norm_squared();
    }
    let inverse = 1.0 / (va + vb + vc);
    (ap - ab * (vb * inverse) - ac * (vc * inverse)).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(low: V3, high: V3) -> Vec<[V3; 3]> {
        let corner = |k: usize| V3::from_fn(|axis, _| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]].map(|t| t.map(corner))).collect()
    }

    #[test]
    fn counts_how_often_a_point_is_enclosed() {
        let mut soup = cuboid(V3::zeros(), V3::repeat(1.0));
        soup.extend(cuboid(V3::repeat(0.5), V3::repeat(2.0)));
        let surface = Surface::new(soup);
        for (at, expected) in [(0.25, 1.0), (0.75, 2.0), (1.5, 1.0), (-0.1, 0.0), (2.2, 0.0)] {
            let winding = surface.winding(V3::new(at, at + 0.01, at + 0.02));
            assert!((winding - expected).abs() < 0.02, "{at}: {winding}");
        }
        assert!((surface.signed_volume() - 1.0 - 1.5f64.powi(3)).abs() < 1e-12);
    }

    #[test]
    fn tells_how_near_the_surface_is() {
        let surface = Surface::new(cuboid(V3::zeros(), V3::new(1.0, 2.0, 3.0)));
        assert!(surface.is_near(V3::new(1.2, 1.0, 1.0), 0.21));
        assert!(!surface.is_near(V3::new(1.2, 1.0, 1.0), 0.19));
    }
}
