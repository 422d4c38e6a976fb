//! Three lanes side by side. nalgebra's `Vector3<lane>` ran at half the speed here; set-up code uses nalgebra all the same.

use super::Real;
use core::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Vec3<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

#[inline(always)]
pub const fn vec3<T>(x: T, y: T, z: T) -> Vec3<T> {
    Vec3 { x, y, z }
}

impl<T: Real> Vec3<T> {
    #[inline(always)]
    pub fn zero() -> Self {
        vec3(T::zero(), T::zero(), T::zero())
    }
    #[inline(always)]
    pub fn dot(self, b: Self) -> T {
        self.x * b.x + self.y * b.y + self.z * b.z
    }
    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        vec3(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }
    #[inline(always)]
    pub fn length2(self) -> T {
        self.dot(self)
    }
    #[inline(always)]
    pub fn length(self) -> T {
        self.length2().sqrt()
    }
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        vec3(T::select(mask, yes.x, no.x), T::select(mask, yes.y, no.y), T::select(mask, yes.z, no.z))
    }
    #[inline(always)]
    pub fn map<U>(self, f: impl Fn(T) -> U) -> Vec3<U> {
        vec3(f(self.x), f(self.y), f(self.z))
    }
    /// The smaller of each component.
    #[inline(always)]
    pub fn lower(self, b: Self) -> Self {
        vec3(self.x.min(b.x), self.y.min(b.y), self.z.min(b.z))
    }
    /// The larger of each component.
    #[inline(always)]
    pub fn upper(self, b: Self) -> Self {
        vec3(self.x.max(b.x), self.y.max(b.y), self.z.max(b.z))
    }
    /// Component by component.
    #[inline(always)]
    pub fn scale_by(self, b: Self) -> Self {
        vec3(self.x * b.x, self.y * b.y, self.z * b.z)
    }
}

impl Vec3<f64> {
    /// The unit vector, or `fallback` where the length is below 1e-300 or not finite.
    pub fn normalized_or(self, fallback: Self) -> Self {
        let l = self.length();
        if l > 1e-300 && l.is_finite() { self * (1.0 / l) } else { fallback }
    }
    /// Some unit vector perpendicular to this unit vector.
    pub fn any_perpendicular(self) -> Self {
        let axis = if self.x.abs() <= self.y.abs() && self.x.abs() <= self.z.abs() {
            vec3(1.0, 0.0, 0.0)
        } else if self.y.abs() <= self.z.abs() {
            vec3(0.0, 1.0, 0.0)
        } else {
            vec3(0.0, 0.0, 1.0)
        };
        (axis - self * axis.dot(self)).normalized_or(axis)
    }
    pub fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl<T> From<[T; 3]> for Vec3<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        vec3(x, y, z)
    }
}

impl<T: Real> Add for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        vec3(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}
impl<T: Real> Sub for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        vec3(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}
impl<T: Real> Mul<T> for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        vec3(self.x * s, self.y * s, self.z * s)
    }
}
impl<T: Real> Neg for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        vec3(-self.x, -self.y, -self.z)
    }
}
