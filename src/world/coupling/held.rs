//! A rigid body while rods pull at it within a substep.

use crate::math::{Quat, Sym3, Transform, Vec3};
use crate::world::slots::Id;

/// Where it is, how it resists, and what has been done to it.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub body: Id,
    place: Transform<f64>,
    /// kg⁻¹, and (kg m²)⁻¹ about the principal axes.
    inv_mass: f64,
    moments: Vec3<f64>,
    moved: Vec3<f64>,
    turned: Vec3<f64>,
}

impl Held {
    pub fn new(body: Id, place: Transform<f64>, inv_mass: f64, moments: Vec3<f64>) -> Held {
        Held { body, place, inv_mass, moments, moved: Vec3::zero(), turned: Vec3::zero() }
    }
    pub fn place(&self) -> Transform<f64> {
        self.place
    }
    /// Inverse inertia in world axes.
    pub fn turn(&self) -> Sym3<f64> {
        Sym3::of_axes(self.place.rotation.frame(), self.moments)
    }
    /// All that was done in the substep: m, rad.
    pub fn moved(&self) -> (Vec3<f64>, Vec3<f64>) {
        (self.moved, self.turned)
    }
    /// 1/m + [r]ₓᵀ I⁻¹ [r]ₓ at the arm r.
    pub fn inverse_mass_at(&self, arm: Vec3<f64>) -> Sym3<f64> {
        let turn = self.turn();
        let unit = |k: usize| Vec3::from(core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }));
        let column = |k: usize| turn.mul(arm.cross(unit(k))).cross(arm);
        let (x, y, z) = (column(0), column(1), column(2));
        Sym3 { xx: x.x, xy: y.x, xz: z.x, yy: y.y, yz: z.y, zz: z.z }.add_diagonal(self.inv_mass)
    }
    /// Takes an impulse, kg m, and an angular one about the centre of mass, kg m².
    pub fn apply(&mut self, linear: Vec3<f64>, angular: Vec3<f64>) {
        let (d, a) = (linear * self.inv_mass, self.turn().mul(angular));
        (self.moved, self.turned) = (self.moved + d, self.turned + a);
        let q = self.place.rotation;
        let half = a * 0.5;
        let s = Quat { x: half.x, y: half.y, z: half.z, w: 0.0 }.compose(q);
        let p = Quat { x: q.x + s.x, y: q.y + s.y, z: q.z + s.z, w: q.w + s.w };
        let n = 1.0 / p.dot(p).sqrt();
        self.place =
            Transform { position: self.place.position + d, rotation: Quat { x: p.x * n, y: p.y * n, z: p.z * n, w: p.w * n } };
    }
}
