//! Small matrices in lanes: 3×3, symmetric and general.

use super::vec3::vec3;
use super::{Real, Vec3};

/// Stands in for a pivot of 0.
const TINY: f64 = 1e-30;
/// A pivot is known to a few ulp of its diagonal entry. Where fewer than three of an element's points can move the matrix
/// is singular, and a pivot that is only rounding noise would answer with displacements of 1e28 m (seen), or a NaN.
const PIVOT_NOISE: f64 = 1e-6;
/// Beyond this f32 overflows in the next product. Reached by frames near a half turn on edges of a micrometre, where the
/// linearised block says nothing anyway: it is skipped.
const LARGEST_BLOCK: f64 = 1e36;

/// A symmetric 3×3 matrix.
#[derive(Clone, Copy, Debug)]
pub struct Sym3<T> {
    pub xx: T,
    pub xy: T,
    pub xz: T,
    pub yy: T,
    pub yz: T,
    pub zz: T,
}

#[allow(clippy::should_implement_trait, reason = "products with vectors, written as calls like the rest")]
impl<T: Real> Sym3<T> {
    #[inline(always)]
    pub fn diagonal(d: Vec3<T>) -> Self {
        let zero = T::zero();
        Sym3 { xx: d.x, xy: zero, xz: zero, yy: d.y, yz: zero, zz: d.z }
    }
    /// self + s v vᵀ
    #[inline(always)]
    pub fn add_outer(self, v: Vec3<T>, s: T) -> Self {
        let sv = v * s;
        Sym3 {
            xx: self.xx + sv.x * v.x,
            xy: self.xy + sv.x * v.y,
            xz: self.xz + sv.x * v.z,
            yy: self.yy + sv.y * v.y,
            yz: self.yz + sv.y * v.z,
            zz: self.zz + sv.z * v.z,
        }
    }
    /// self + s·1
    #[inline(always)]
    pub fn add_diagonal(self, s: T) -> Self {
        Sym3 { xx: self.xx + s, yy: self.yy + s, zz: self.zz + s, ..self }
    }
    /// self + k (|r|² − r rᵀ), the inertia of a mass k at r. Written out: |r|² − x² as a difference loses the inertia about x of a
    /// strand that lies along x. For a stub of 7e-6 m in f32 it came out negative, and damping threw the strand 4 m far (seen).
    #[inline(always)]
    pub fn add_inertia(self, r: Vec3<T>, k: T) -> Self {
        let (kx, ky, kz) = (k * r.x, k * r.y, k * r.z);
        Sym3 {
            xx: self.xx + (ky * r.y + kz * r.z),
            xy: self.xy - kx * r.y,
            xz: self.xz - kx * r.z,
            yy: self.yy + (kx * r.x + kz * r.z),
            yz: self.yz - ky * r.z,
            zz: self.zz + (kx * r.x + ky * r.y),
        }
    }
    /// self + u vᵀ + v uᵀ
    #[inline(always)]
    pub fn add_cross(self, u: Vec3<T>, v: Vec3<T>) -> Self {
        let two = T::constant(2.0);
        Sym3 {
            xx: self.xx + two * (u.x * v.x),
            xy: self.xy + (u.x * v.y + u.y * v.x),
            xz: self.xz + (u.x * v.z + u.z * v.x),
            yy: self.yy + two * (u.y * v.y),
            yz: self.yz + (u.y * v.z + u.z * v.y),
            zz: self.zz + two * (u.z * v.z),
        }
    }
    /// Solves self · x = r by LDLᵀ. The adjugate needs one division instead of three, but its determinant overflows f32
    /// for a hair (entries near 1e16) and loses the small pivots that a light ghost point leaves.
    #[inline(always)]
    pub fn solve(self, r: Vec3<T>) -> Vec3<T> {
        let (tiny, noise) = (T::constant(TINY), T::constant(PIVOT_NOISE));
        let i1 = T::one() / self.xx.max(tiny);
        let (l2, l3) = (self.xy * i1, self.xz * i1);
        let i2 = T::one() / (self.yy - l2 * self.xy).max(self.yy * noise).max(tiny);
        let s = self.yz - l2 * self.xz;
        let l32 = s * i2;
        let i3 = T::one() / (self.zz - l3 * self.xz - l32 * s).max(self.zz * noise).max(tiny);
        let y2 = r.y - l2 * r.x;
        let y3 = r.z - l3 * r.x - l32 * y2;
        let x3 = y3 * i3;
        let x2 = y2 * i2 - l32 * x3;
        let x = vec3(r.x * i1 - l2 * x2 - l3 * x3, x2, x3);
        // Not less, also where it is NaN.
        Vec3::select((self.xx + self.yy + self.zz).lt(T::constant(LARGEST_BLOCK)), x, Vec3::zero())
    }
    #[inline(always)]
    pub fn mul(self, v: Vec3<T>) -> Vec3<T> {
        vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
    #[inline(always)]
    pub fn add(self, b: Self) -> Self {
        Sym3 {
            xx: self.xx + b.xx,
            xy: self.xy + b.xy,
            xz: self.xz + b.xz,
            yy: self.yy + b.yy,
            yz: self.yz + b.yz,
            zz: self.zz + b.zz,
        }
    }
    #[inline(always)]
    pub fn scale(self, s: T) -> Self {
        Sym3 { xx: self.xx * s, xy: self.xy * s, xz: self.xz * s, yy: self.yy * s, yz: self.yz * s, zz: self.zz * s }
    }
    /// Σ_k axes[k] axes[k]ᵀ d_k: the matrix with these principal axes.
    #[inline(always)]
    pub fn of_axes(axes: [Vec3<T>; 3], d: Vec3<T>) -> Self {
        Sym3::diagonal(Vec3::zero()).add_outer(axes[0], d.x).add_outer(axes[1], d.y).add_outer(axes[2], d.z)
    }
    /// The inverse, by LDLᵀ with the floors of [`Sym3::solve`]. Zero for the zero matrix.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let (one, tiny, noise) = (T::one(), T::constant(TINY), T::constant(PIVOT_NOISE));
        let i1 = one / self.xx.max(tiny);
        let (l2, l3) = (self.xy * i1, self.xz * i1);
        let i2 = one / (self.yy - l2 * self.xy).max(self.yy * noise).max(tiny);
        let s = self.yz - l2 * self.xz;
        let l32 = s * i2;
        let i3 = one / (self.zz - l3 * self.xz - l32 * s).max(self.zz * noise).max(tiny);
        // L⁻¹ has rows (1), (−l2, 1), (m, −l32, 1).
        let m = l2 * l32 - l3;
        let (m3, n3) = (m * i3, l32 * i3);
        let inverse =
            Sym3 { xx: i1 + l2 * l2 * i2 + m * m3, xy: -(l2 * i2) - m3 * l32, xz: m3, yy: i2 + l32 * n3, yz: -n3, zz: i3 };
        let known = T::both(T::zero().lt(self.xx), (self.xx + self.yy + self.zz).lt(T::constant(LARGEST_BLOCK)));
        Self::select(known, inverse, Sym3::diagonal(Vec3::zero()))
    }
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Sym3 {
            xx: T::select(mask, yes.xx, no.xx),
            xy: T::select(mask, yes.xy, no.xy),
            xz: T::select(mask, yes.xz, no.xz),
            yy: T::select(mask, yes.yy, no.yy),
            yz: T::select(mask, yes.yz, no.yz),
            zz: T::select(mask, yes.zz, no.zz),
        }
    }
}

/// A 3×3 matrix by its columns.
#[derive(Clone, Copy, Debug)]
pub struct Mat3<T>(pub [Vec3<T>; 3]);

#[allow(clippy::should_implement_trait, reason = "as for `Sym3`")]
impl<T: Real> Mat3<T> {
    #[inline(always)]
    pub fn mul(self, v: Vec3<T>) -> Vec3<T> {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
    /// selfᵀ v
    #[inline(always)]
    pub fn transposed_mul(self, v: Vec3<T>) -> Vec3<T> {
        vec3(self.0[0].dot(v), self.0[1].dot(v), self.0[2].dot(v))
    }
    /// The inverse of a matrix that is known to have one.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let [a, b, c] = self.0;
        // The rows of the inverse, times the determinant.
        let (r0, r1, r2) = (b.cross(c), c.cross(a), a.cross(b));
        let d = T::one() / a.dot(r0);
        Mat3([vec3(r0.x, r1.x, r2.x) * d, vec3(r0.y, r1.y, r2.y) * d, vec3(r0.z, r1.z, r2.z) * d])
    }
}
