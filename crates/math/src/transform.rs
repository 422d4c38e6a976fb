//! A rotation and a translation.

use super::{Quat, Real, Vec3};

/// x ↦ R x + p: takes points of a local frame to its parent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform<T> {
    /// m
    pub position: Vec3<T>,
    /// Unit.
    pub rotation: Quat<T>,
}

impl<T: Real> Transform<T> {
    #[inline(always)]
    pub fn identity() -> Self {
        Transform { position: Vec3::zero(), rotation: Quat::identity() }
    }
    #[inline(always)]
    pub fn map<U>(self, f: impl Fn(T) -> U) -> Transform<U> {
        Transform { position: self.position.map(&f), rotation: self.rotation.map(f) }
    }
    #[inline(always)]
    pub fn point(self, x: Vec3<T>) -> Vec3<T> {
        self.rotation.rotate(x) + self.position
    }
    #[inline(always)]
    pub fn point_back(self, x: Vec3<T>) -> Vec3<T> {
        self.rotation.conjugate().rotate(x - self.position)
    }
    /// `self` after `b`.
    #[inline(always)]
    pub fn compose(self, b: Self) -> Self {
        Transform { position: self.point(b.position), rotation: self.rotation.compose(b.rotation) }
    }
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Transform { position: -rotation.rotate(self.position), rotation }
    }
    /// `b`, seen from `self`.
    #[inline(always)]
    pub fn seen(self, b: Self) -> Self {
        Transform { position: self.point_back(b.position), rotation: self.rotation.conjugate().compose(b.rotation) }
    }
}
