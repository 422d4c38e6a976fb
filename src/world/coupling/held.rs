//! A rigid body while rods pull at it within a substep.

use super::Net;
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
    /// Where its rotation was, and its centre of mass when the substep began.
    rotation: Quat<f64>,
    start: Vec3<f64>,
    /// What its velocity and spin do in a substep: m, rad.
    coast: [Vec3<f64>; 2],
    /// Impulses over h: kg m, and angular ones about `start`, kg m².
    given: [Vec3<f64>; 2],
    /// Ends on it.
    pub ends: u32,
    /// Sweeps solve some of them.
    pub swept: bool,
    /// What loose ends give it at first, over h: kg m, kg m². Each turns a light body by many times what all of them do together.
    pub first: [Vec3<f64>; 2],
    /// Its number in the net of those that are light, if it is one.
    pub anchor: Option<u32>,
}

impl Held {
    /// `coast`: what its velocity and spin do in a substep.
    pub fn new(body: Id, place: Transform<f64>, inv_mass: f64, moments: Vec3<f64>, coast: [Vec3<f64>; 2]) -> Held {
        let (zero, rotation) = (Vec3::zero(), place.rotation);
        let start = place.position - coast[0];
        Held {
            body,
            place,
            inv_mass,
            moments,
            moved: zero,
            turned: zero,
            rotation,
            start,
            coast,
            given: [zero; 2],
            ends: 0,
            swept: false,
            first: [zero; 2],
            anchor: None,
        }
    }
    pub fn place(&self) -> Transform<f64> {
        self.place
    }
    /// kg; of what does not move, infinite.
    pub fn mass(&self) -> f64 {
        1.0 / self.inv_mass
    }
    /// The host moves it, or nobody.
    pub fn is_still(&self) -> bool {
        self.inv_mass == 0.0
    }
    /// Inverse inertia in world axes.
    pub fn turn(&self) -> Sym3<f64> {
        Sym3::of_axes(self.place.rotation.frame(), self.moments)
    }
    /// About its centre, in world axes, kg m².
    pub fn inertia(&self) -> Sym3<f64> {
        Sym3::of_axes(self.place.rotation.frame(), self.moments.map(|m| 1.0 / m))
    }
    /// Takes what loose ends give it at first.
    pub fn take_first(&mut self) {
        let [linear, angular] = core::mem::replace(&mut self.first, [Vec3::zero(); 2]);
        if self.inv_mass > 0.0 {
            self.apply(linear, angular);
        }
    }
    /// Moves and turns as the ends of a net have it.
    pub fn take_motion(&mut self, net: &Net) {
        if let Some(anchor) = self.anchor.take() {
            let [by, turn] = net.motion(anchor);
            self.apply(by * (1.0 / self.inv_mass), self.inertia().mul(turn));
        }
    }
    /// All impulses of the substep over its length: kg m, and kg m² about where the centre of mass was when it began.
    pub fn given(&self) -> [Vec3<f64>; 2] {
        self.given
    }
    /// Velocity and spin after a substep of `h` seconds, from those before; `None`: it does not move.
    ///
    /// An impulse at x changes the angular momentum about the origin by x × p. That of a body which went from `start` by h v is m start × v +
    /// S; with what is given, Δp and ΔL about the origin, it is S + ΔL − start × Δp after it, whatever way it takes.
    pub fn motion(&self, h: f64) -> Option<[Vec3<f64>; 2]> {
        if self.inv_mass == 0.0 {
            return None;
        }
        let inertia = Sym3::of_axes(self.rotation.frame(), self.moments.map(|m| 1.0 / m));
        let [v, w] = self.coast.map(|c| c * (1.0 / h));
        let spin = inertia.mul(w) + self.given[1] * (1.0 / h);
        Some([v + self.given[0] * (self.inv_mass / h), self.turn().mul(spin)])
    }
    /// What the point at the arm r does in the substep, if its velocity is what it is now.
    pub fn slide(&self, arm: Vec3<f64>) -> Vec3<f64> {
        self.coast[0] + self.moved + (self.coast[1] + self.turned).cross(arm)
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
        let [p, l] = self.given;
        self.given = [p + linear, l + angular + (self.place.position - self.start).cross(linear)];
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
