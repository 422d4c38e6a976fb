//! Mass, centre and inertia of the shapes, in closed form, f64.

use super::shape::Geometry;
use crate::math::vec3::vec3;
use crate::math::{Elem, Quat, Transform, Vec3};

/// What a solid of even density weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// kg
    pub mass: f64,
    /// m, in the shape's frame.
    pub center: Vec3<f64>,
    /// About the centre, kg m², in the shape's axes; symmetric, `inertia[i][j]`.
    pub inertia: [[f64; 3]; 3],
}

impl MassProperties {
    /// Seen from the frame that `pose` leads to.
    pub fn moved(&self, pose: &Transform<f64>) -> MassProperties {
        let r = pose.rotation.frame().map(Vec3::to_array); // r[column][row]
        let mut turned = [[0.0; 3]; 3];
        for (i, row) in turned.iter_mut().enumerate() {
            for (j, out) in row.iter_mut().enumerate() {
                for k in 0..3 {
                    for l in 0..3 {
                        *out += r[k][i] * self.inertia[k][l] * r[l][j];
                    }
                }
            }
        }
        MassProperties { mass: self.mass, center: pose.point(self.center), inertia: symmetric(turned) }
    }

    /// Of several bodies as one. Nothing where they weigh nothing.
    pub fn combined(parts: &[MassProperties]) -> Option<MassProperties> {
        let mass: f64 = parts.iter().map(|p| p.mass).sum();
        if mass.is_nan() || mass <= 0.0 {
            return None;
        }
        let center = parts.iter().fold(Vec3::zero(), |c, p| c + p.center * (p.mass / mass));
        let mut inertia = [[0.0; 3]; 3];
        for part in parts {
            let arm = steiner(part.mass, part.center - center);
            for i in 0..3 {
                for j in 0..3 {
                    inertia[i][j] += part.inertia[i][j] + arm[i][j];
                }
            }
        }
        Some(MassProperties { mass, center, inertia })
    }

    /// The same shape with another mass.
    pub fn with_mass(&self, mass: f64) -> MassProperties {
        let part = mass / self.mass;
        MassProperties { mass, center: self.center, inertia: self.inertia.map(|row| row.map(|v| v * part)) }
    }

    /// Moments about the principal axes, kg m², and the rotation whose columns these axes are. Jacobi's method, a fixed number
    /// of sweeps (Golub & Van Loan, "Matrix Computations", 8.5).
    pub fn principal(&self) -> (Vec3<f64>, Quat<f64>) {
        let mut a = self.inertia;
        let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; // v[column]
        for _ in 0..12 {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                let (off, scale) = (a[p][q], a[p][p].abs() + a[q][q].abs());
                if off == 0.0 || off.abs() < 1e-18 * scale {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * off);
                let t = (if theta < 0.0 { -1.0 } else { 1.0 }) / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (ap, aq) = (a[p], a[q]);
                for k in 0..3 {
                    (a[p][k], a[q][k]) = (c * ap[k] - s * aq[k], s * ap[k] + c * aq[k]);
                }
                let (vp, vq) = (v[p], v[q]);
                for k in 0..3 {
                    (v[p][k], v[q][k]) = (c * vp[k] - s * vq[k], s * vp[k] + c * vq[k]);
                }
            }
        }
        let columns = v.map(Vec3::from);
        // Rotations by Jacobi keep the frame right-handed.
        (vec3(a[0][0], a[1][1], a[2][2]), Quat::from_frame(columns))
    }
}

/// Inertia of a point mass at `r`.
fn steiner(mass: f64, r: Vec3<f64>) -> [[f64; 3]; 3] {
    let (a, l2) = (r.to_array(), r.length2());
    let at = |i: usize, j: usize| mass * (if i == j { l2 } else { 0.0 } - a[i] * a[j]);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| at(i, j)))
}

fn symmetric(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| 0.5 * (m[i][j] + m[j][i])))
}

fn diagonal(v: [f64; 3]) -> [[f64; 3]; 3] {
    [[v[0], 0.0, 0.0], [0.0, v[1], 0.0], [0.0, 0.0, v[2]]]
}

impl<E: Elem> Geometry<E> {
    /// `density` in kg/m³. Nothing for planes and meshes.
    pub fn mass(&self, density: f64) -> Option<MassProperties> {
        let f = E::to_f64;
        match self {
            Geometry::Sphere { radius } => Some(round(density, 0.0, f(*radius), f(*radius))),
            Geometry::Capsule { half_height, radius } => Some(round(density, f(*half_height), f(*radius), f(*radius))),
            Geometry::TaperedCapsule { half_height, bottom, top } => Some(round(density, f(*half_height), f(*bottom), f(*top))),
            Geometry::Box { half_extents } => {
                let [x, y, z] = half_extents.map(f).to_array();
                let mass = 8.0 * density * x * y * z;
                let moment = |a: f64, b: f64| mass / 3.0 * (a * a + b * b);
                let inertia = diagonal([moment(y, z), moment(x, z), moment(x, y)]);
                Some(MassProperties { mass, center: Vec3::zero(), inertia })
            }
            Geometry::Hull(hull) => Some(hull.mass(density)),
            Geometry::Plane | Geometry::Mesh(_) => None,
        }
    }
}

/// The hull of two spheres on y: cap, frustum, cap. The squared radius of its sections is a polynomial of degree 2 on each, so
/// that Gauss's rule with three points integrates everything exactly.
fn round(density: f64, half_height: f64, bottom: f64, top: f64) -> MassProperties {
    let pi = core::f64::consts::PI;
    let length = 2.0 * half_height;
    // (from, to, squared radius at y)
    type Piece<'a> = (f64, f64, &'a dyn Fn(f64) -> f64);
    let sphere = |c: f64, r: f64| move |y: f64| (r * r - (y - c) * (y - c)).max(0.0);
    let (low, high) = (sphere(-half_height, bottom), sphere(half_height, top));
    let slope = if length > 0.0 { (top - bottom) / length } else { 0.0 };
    // On the cone the normal leans by the slope: there it touches the spheres.
    let (y0, y1) = (-half_height - slope * bottom, half_height - slope * top);
    let cosine = (1.0 - slope * slope).max(0.0).sqrt();
    let (rho0, rho1) = (bottom * cosine, top * cosine);
    let cone = |y: f64| {
        let rho = rho0 + (rho1 - rho0) * (y - y0) / (y1 - y0);
        rho * rho
    };
    let pieces: [Piece; 3] = if (top - bottom).abs() >= length {
        // One sphere holds the other.
        let (c, r, f): (f64, f64, &dyn Fn(f64) -> f64) =
            if bottom >= top { (-half_height, bottom, &low) } else { (half_height, top, &high) };
        [(c - r, c, f), (c, c + r, f), (c, c, f)]
    } else {
        [(-half_height - bottom, y0, &low), (y0, y1, &cone), (y1, half_height + top, &high)]
    };
    // ∫ρ², ∫yρ², ∫y²ρ², ∫ρ⁴
    let mut sums = [0.0; 4];
    let node = 0.6f64.sqrt();
    for (from, to, squared) in pieces {
        for (x, weight) in [(-node, 5.0 / 9.0), (0.0, 8.0 / 9.0), (node, 5.0 / 9.0)] {
            let y = 0.5 * (from + to) + 0.5 * (to - from) * x;
            let (w, s) = (0.5 * (to - from) * weight, squared(y));
            for (sum, value) in sums.iter_mut().zip([s, y * s, y * y * s, s * s]) {
                *sum += w * value;
            }
        }
    }
    let center = sums[1] / sums[0];
    let along = 0.5 * density * pi * sums[3];
    let across = 0.5 * along + density * pi * (sums[2] - center * sums[1]);
    let inertia = diagonal([across, along, across]);
    MassProperties { mass: density * pi * sums[0], center: vec3(0.0, center, 0.0), inertia }
}

/// Of a solid bounded by triangles, counterclockwise seen from outside; about `inside`, where the tetrahedra to the triangles meet.
pub(super) fn solid(density: f64, inside: Vec3<f64>, triangles: impl Iterator<Item = [Vec3<f64>; 3]>) -> MassProperties {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zero(), [[0.0; 3]; 3]);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| v - inside);
        let six = a.dot(b.cross(c));
        volume += six / 6.0;
        let sum = a + b + c;
        first = first + sum * (six / 24.0);
        let (s, corners) = (sum.to_array(), [a, b, c].map(Vec3::to_array));
        for i in 0..3 {
            for j in 0..3 {
                let squares: f64 = corners.iter().map(|v| v[i] * v[j]).sum();
                second[i][j] += six / 120.0 * (squares + s[i] * s[j]);
            }
        }
    }
    let arm = first * (1.0 / volume);
    let trace = second[0][0] + second[1][1] + second[2][2];
    let mass = density * volume;
    let away = steiner(mass, arm);
    let at = |i: usize, j: usize| density * (if i == j { trace } else { 0.0 } - second[i][j]) - away[i][j];
    let inertia = symmetric([0, 1, 2].map(|i| [0, 1, 2].map(|j| at(i, j))));
    MassProperties { mass, center: inside + arm, inertia }
}
