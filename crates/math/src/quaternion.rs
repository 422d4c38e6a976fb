//! Unit quaternions, xyzw, and the frames they stand for.

use super::vec3::vec3;
use super::{Real, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<T> {
    pub x: T,
    pub y: T,
    pub z: T,
    pub w: T,
}

impl<T: Real> Quat<T> {
    #[inline(always)]
    pub fn identity() -> Self {
        Quat { x: T::zero(), y: T::zero(), z: T::zero(), w: T::one() }
    }
    #[inline(always)]
    pub fn dot(self, b: Self) -> T {
        self.x * b.x + self.y * b.y + self.z * b.z + self.w * b.w
    }
    /// `self` after `b`.
    #[inline(always)]
    pub fn compose(self, b: Self) -> Self {
        Quat {
            x: self.w * b.x + self.x * b.w + self.y * b.z - self.z * b.y,
            y: self.w * b.y - self.x * b.z + self.y * b.w + self.z * b.x,
            z: self.w * b.z + self.x * b.y - self.y * b.x + self.z * b.w,
            w: self.w * b.w - self.x * b.x - self.y * b.y - self.z * b.z,
        }
    }
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Quat { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }
    #[inline(always)]
    pub fn map<U>(self, f: impl Fn(T) -> U) -> Quat<U> {
        Quat { x: f(self.x), y: f(self.y), z: f(self.z), w: f(self.w) }
    }
    /// The columns d¹, d², d³ of the rotation matrix.
    #[inline(always)]
    pub fn frame(self) -> [Vec3<T>; 3] {
        let one = T::one();
        let two = T::constant(2.0);
        let Quat { x, y, z, w } = self;
        [
            vec3(one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)),
            vec3(two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)),
            vec3(two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)),
        ]
    }
    #[inline(always)]
    pub fn rotate(self, v: Vec3<T>) -> Vec3<T> {
        let [a, b, c] = self.frame();
        a * v.x + b * v.y + c * v.z
    }
    /// Normalised linear interpolation along the shorter arc. `t` in 0..1.
    #[inline(always)]
    pub fn nlerp(self, b: Self, t: T) -> Self {
        let s = T::one() - t;
        let t = T::select(self.dot(b).lt(T::zero()), -t, t);
        let q = Quat { x: self.x * s + b.x * t, y: self.y * s + b.y * t, z: self.z * s + b.z * t, w: self.w * s + b.w * t };
        let inv = T::one() / q.dot(q).max(T::constant(1e-30)).sqrt();
        Quat { x: q.x * inv, y: q.y * inv, z: q.z * inv, w: q.w * inv }
    }
    /// The quaternion of a rotation given by its columns, without branches: of both signs the one whose largest part is
    /// positive. Each candidate is 4 q times a part of q; that of the largest part is the most exact.
    #[inline(always)]
    pub fn of_frame([a, b, c]: [Vec3<T>; 3]) -> Self {
        let one = T::one();
        let (yz, zx, xy) = (b.z - c.y, c.x - a.z, a.y - b.x);
        let (yz2, zx2, xy2) = (b.z + c.y, c.x + a.z, a.y + b.x);
        let mut q = Quat { x: yz, y: zx, z: xy, w: one + (a.x + b.y + c.z) };
        let mut most = q.w;
        let x = one + (a.x - b.y - c.z);
        let y = one + (b.y - a.x - c.z);
        let z = one + (c.z - a.x - b.y);
        for (part, other) in [
            (x, Quat { x, y: xy2, z: zx2, w: yz }),
            (y, Quat { x: xy2, y, z: yz2, w: zx }),
            (z, Quat { x: zx2, y: yz2, z, w: xy }),
        ] {
            let longer = most.lt(part);
            q = Quat {
                x: T::select(longer, other.x, q.x),
                y: T::select(longer, other.y, q.y),
                z: T::select(longer, other.z, q.z),
                w: T::select(longer, other.w, q.w),
            };
            most = T::select(longer, part, most);
        }
        let inv = one / q.dot(q).max(T::constant(1e-30)).sqrt();
        Quat { x: q.x * inv, y: q.y * inv, z: q.z * inv, w: q.w * inv }
    }
}

impl Quat<f64> {
    /// The quaternion of a rotation given by its columns. `sqrt` and the four operations only, so every system agrees.
    pub fn from_frame(d: [Vec3<f64>; 3]) -> Self {
        let m = nalgebra::Matrix3::from_columns(&d.map(|c| nalgebra::Vector3::new(c.x, c.y, c.z)));
        let t = m.trace();
        let (x, y, z, w);
        if t > 0.0 {
            let s = (t + 1.0).sqrt() * 2.0;
            (w, x, y, z) = (0.25 * s, (m[(2, 1)] - m[(1, 2)]) / s, (m[(0, 2)] - m[(2, 0)]) / s, (m[(1, 0)] - m[(0, 1)]) / s);
        } else {
            let i = if m[(0, 0)] >= m[(1, 1)] && m[(0, 0)] >= m[(2, 2)] {
                0
            } else if m[(1, 1)] >= m[(2, 2)] {
                1
            } else {
                2
            };
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let s = (1.0 + m[(i, i)] - m[(j, j)] - m[(k, k)]).max(0.0).sqrt() * 2.0;
            let mut q = [0.0; 3];
            q[i] = 0.25 * s;
            q[j] = (m[(j, i)] + m[(i, j)]) / s;
            q[k] = (m[(k, i)] + m[(i, k)]) / s;
            (w, x, y, z) = ((m[(k, j)] - m[(j, k)]) / s, q[0], q[1], q[2]);
        }
        let n = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
        Quat { x: x * n, y: y * n, z: z * n, w: w * n }
    }
    pub fn to_array(self) -> [f64; 4] {
        [self.x, self.y, self.z, self.w]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Also where it is turned by half a circle about an axis, and about one between two or three of them.
    #[test]
    fn a_frame_gives_its_quaternion_without_branches() {
        let mut rng = Rng::new(3);
        let half = |x: f64, y: f64, z: f64| [x, y, z, 0.0];
        let mut all = vec![[0.0, 0.0, 0.0, 1.0], half(1.0, 0.0, 0.0), half(0.0, 1.0, 0.0), half(0.0, 0.0, 1.0)];
        all.extend([half(1.0, 1.0, 0.0), half(0.0, -1.0, 1.0), half(1.0, -1.0, 1.0), [1.0, 1.0, 1.0, -1.0]]);
        all.extend((0..500).map(|_| [0; 4].map(|_| 2.0 * rng.unit() - 1.0)));
        for q in all {
            let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            let [x, y, z, w] = q.map(|x| x / n);
            let q = Quat { x, y, z, w };
            let (found, known) = (Quat::of_frame(q.frame()), Quat::from_frame(q.frame()));
            assert!(1.0 - found.dot(q).abs() < 1e-14, "{q:?} {found:?}");
            assert!(1.0 - found.dot(known).abs() < 1e-14, "{known:?} {found:?}");
            let narrow = Quat::of_frame(q.frame().map(|d| d.map(|x| x as f32)));
            assert!(1.0 - narrow.map(f64::from).dot(q).abs() < 1e-6, "{q:?} {narrow:?}");
        }
    }
}
