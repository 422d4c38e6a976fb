//! A rigid transform as a matrix, for the many points of one pair.

use crate::math::{Elem, Transform, Vec3};

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<E> {
    /// Columns.
    pub axes: [Vec3<E>; 3],
    pub origin: Vec3<E>,
}

impl<E: Elem> Frame<E> {
    #[inline(always)]
    pub fn new(t: &Transform<E>) -> Self {
        Frame { axes: t.rotation.frame(), origin: t.position }
    }
    #[inline(always)]
    pub fn turn(&self, v: Vec3<E>) -> Vec3<E> {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }
    #[inline(always)]
    pub fn turn_back(&self, v: Vec3<E>) -> Vec3<E> {
        Vec3 { x: self.axes[0].dot(v), y: self.axes[1].dot(v), z: self.axes[2].dot(v) }
    }
    #[inline(always)]
    pub fn point(&self, x: Vec3<E>) -> Vec3<E> {
        self.turn(x) + self.origin
    }
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let [a, b, c] = self.axes;
        let axes = [Vec3 { x: a.x, y: b.x, z: c.x }, Vec3 { x: a.y, y: b.y, z: c.y }, Vec3 { x: a.z, y: b.z, z: c.z }];
        Frame { axes, origin: -self.turn_back(self.origin) }
    }
}

/// `f32` or `f64` value of a tolerance.
#[inline(always)]
pub(super) fn either<E: Elem>(in_f32: f64, in_f64: f64) -> E {
    E::constant(if E::IS_F64 { in_f64 } else { in_f32 })
}

/// `a < b`: false for NaN, which `!below` thus takes for large.
#[inline(always)]
pub(super) fn below<E: PartialOrd>(a: E, b: E) -> bool {
    a < b
}

/// Unit, or `None` where too short to have a direction.
#[inline(always)]
pub(super) fn unit<E: Elem>(v: Vec3<E>, shortest: E) -> Option<Vec3<E>> {
    let l2 = v.length2();
    (l2 > shortest * shortest && l2.is_finite()).then(|| v * (E::one() / l2.sqrt()))
}

/// Some unit vector across a unit vector.
pub(super) fn across<E: Elem>(v: Vec3<E>) -> Vec3<E> {
    let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
    let (one, zero) = (E::one(), E::zero());
    let axis = if x <= y && x <= z {
        Vec3 { x: one, y: zero, z: zero }
    } else if y <= z {
        Vec3 { x: zero, y: one, z: zero }
    } else {
        Vec3 { x: zero, y: zero, z: one }
    };
    unit(axis - v * axis.dot(v), E::constant(1e-3)).unwrap_or(axis)
}
