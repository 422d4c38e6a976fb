//! A rigid body while rods pull at it within a substep.

use super::{Net, Substep};
use crate::couple::Mass;
use crate::desc::slots::Id;
use crate::math::{Quat, Sym3, Transform, Vec3};

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
    /// Of these, what contacts gave.
    touched: [Vec3<f64>; 2],
    /// Ends on it.
    pub ends: u32,
    /// Sweeps solve some of them.
    pub swept: bool,
    /// Of those that Newton's method solves: the least of their masses at the end over all ends, and the heaviest strand, kg.
    pub part: f64,
    pub heaviest: f64,
    /// The ends of a net move it, and by how much they have: kg m, kg m².
    pub loose: bool,
    netted: [Vec3<f64>; 2],
    pub gravity_scale: f64,
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
            touched: [zero; 2],
            ends: 0,
            swept: false,
            part: f64::INFINITY,
            heaviest: 0.0,
            loose: false,
            netted: [zero; 2],
            gravity_scale: 1.0,
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
    /// The ends of a net move it, from where it would have gone without gravity: what hangs at rest is then held where it is from the first Newton step
    /// on. (From where it falls to, the step's own error of second order is h² g: trees of short, stiff strands flew at 2,500 m/s.)
    pub fn begin_net(&mut self, gravity: Vec3<f64>, h: f64) {
        if self.loose && self.inv_mass > 0.0 {
            self.move_by([gravity * (-h * h * self.gravity_scale), Vec3::zero()]);
        }
    }
    fn move_by(&mut self, [by, turn]: [Vec3<f64>; 2]) {
        let given = [by * (1.0 / self.inv_mass), self.inertia().mul(turn)];
        self.netted = [self.netted[0] + given[0], self.netted[1] + given[1]];
        self.apply(given[0], Vec3::zero(), given[1]);
    }
    /// Becomes one of the net's anchors, if it is not, and moves at all.
    pub fn join(&mut self, net: &mut Net, s: &Substep) -> Option<u32> {
        if self.anchor.is_none() && !self.is_still() {
            self.anchor = Some(net.add_anchor(self.mass(), self.inertia(), s.h, self.netted, None));
        }
        self.anchor
    }
    /// Moves and turns as the ends of a net have it.
    pub fn take_motion(&mut self, net: &Net) {
        if let Some(anchor) = self.anchor.take() {
            self.move_by(net.motion(anchor));
        }
    }
    /// All impulses of the substep over its length: kg m, and kg m² about where the centre of mass was when it began.
    pub fn given(&self) -> [Vec3<f64>; 2] {
        self.given
    }
    /// Of these, what contacts gave; all of them, where no ends hang on it.
    pub fn touched(&self) -> [Vec3<f64>; 2] {
        if self.ends == 0 { self.given } else { self.touched }
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
    /// What a force at its centre and a moment do to it in a substep of `h` seconds.
    pub fn resist(&self, h: f64) -> Mass {
        Mass { shift: self.inv_mass * h * h, turn: Sym3::of_axes(self.place.rotation.frame(), self.moments.map(|m| m * h * h)) }
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
    /// Takes an impulse at the arm r, kg m, and an angular one, kg m², of a tied end. The impulse moves the end from where that was when the substep
    /// began, and counts for it there (x₀ × m u/h is the angular momentum of a vertex that goes from x₀ by u): for the body too. (With the arm of the
    /// moment and where the centre has gone to, bodies that fly got a torque of h v × p: 557 rad/s for a ball held at its centre, on a pendulum.)
    pub fn apply(&mut self, linear: Vec3<f64>, arm: Vec3<f64>, moment: Vec3<f64>) {
        let lever = arm - (self.coast[1] + self.turned).cross(arm);
        self.give(linear, arm.cross(linear) + moment, lever.cross(linear) + moment);
    }
    /// Takes the impulse of a contact at the arm r, kg m. Strands count it where it acts (`Rods::add_spin`), and so does the body.
    pub fn push(&mut self, linear: Vec3<f64>, arm: Vec3<f64>) {
        let lever = arm + (self.place.position - self.start);
        self.touch(linear, lever.cross(linear));
        self.give(linear, arm.cross(linear), lever.cross(linear));
    }
    /// Takes an impulse at its centre and an angular one about it, of contacts.
    pub fn take(&mut self, linear: Vec3<f64>, angular: Vec3<f64>) {
        let lever = self.place.position - self.start;
        self.touch(linear, angular + lever.cross(linear));
        self.give(linear, angular, angular + lever.cross(linear));
    }
    fn touch(&mut self, linear: Vec3<f64>, about_start: Vec3<f64>) {
        self.touched = [self.touched[0] + linear, self.touched[1] + about_start];
    }
    /// Where it is after a small motion of its centre and a small turn.
    pub fn moved(&self, [by, turn]: [Vec3<f64>; 2]) -> Transform<f64> {
        Transform { position: self.place.position + by, rotation: turned(self.place.rotation, turn) }
    }
    /// `about_start`: the angular impulse about where the centre of mass was when the substep began.
    fn give(&mut self, linear: Vec3<f64>, angular: Vec3<f64>, about_start: Vec3<f64>) {
        let [p, l] = self.given;
        self.given = [p + linear, l + about_start];
        let (d, a) = (linear * self.inv_mass, self.turn().mul(angular));
        (self.moved, self.turned) = (self.moved + d, self.turned + a);
        self.place = self.moved([d, a]);
    }
}

fn turned(q: Quat<f64>, by: Vec3<f64>) -> Quat<f64> {
    let half = by * 0.5;
    let s = Quat { x: half.x, y: half.y, z: half.z, w: 0.0 }.compose(q);
    let p = Quat { x: q.x + s.x, y: q.y + s.y, z: q.z + s.z, w: q.w + s.w };
    let n = 1.0 / p.dot(p).sqrt();
    Quat { x: p.x * n, y: p.y * n, z: p.z * n, w: p.w * n }
}
