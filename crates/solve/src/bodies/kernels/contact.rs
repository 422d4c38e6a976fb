//! Rows along a direction at a point: contacts, their friction, and distances.

use super::{Inertia, Motion, Softness, TINY, inverse_mass};
use crate::math::vec3::vec3;
use crate::math::{Real, Vec3};

/// The directions of a contact in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Row<T> {
    /// r_a × n, r_b × n
    pub arm_a: Vec3<T>,
    pub arm_b: Vec3<T>,
    /// I⁻¹ of them.
    pub turn_a: Vec3<T>,
    pub turn_b: Vec3<T>,
    /// Effective mass, kg.
    pub mass: T,
}

#[inline(always)]
pub fn set_up_row<T: Real>(n: Vec3<T>, ra: Vec3<T>, rb: Vec3<T>, a: Inertia<T>, b: Inertia<T>) -> Row<T> {
    let (arm_a, arm_b) = (ra.cross(n), rb.cross(n));
    let (turn_a, turn_b) = (a.turn.mul(arm_a), b.turn.mul(arm_b));
    let mass = inverse_mass(a.mass + b.mass + arm_a.dot(turn_a) + arm_b.dot(turn_b));
    Row { arm_a, arm_b, turn_a, turn_b, mass }
}

/// Both bodies of a constraint between two points.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<T> {
    pub a: Motion<T>,
    pub b: Motion<T>,
    pub ma: T,
    pub mb: T,
}

impl<T: Real> Bodies<T> {
    /// Velocity at which the points part along `n`.
    #[inline(always)]
    pub fn along(&self, n: Vec3<T>, r: &Row<T>) -> T {
        n.dot(self.b.v - self.a.v) + r.arm_b.dot(self.b.w) - r.arm_a.dot(self.a.w)
    }
    #[inline(always)]
    pub fn push(&mut self, n: Vec3<T>, r: &Row<T>, p: T) {
        self.a.v = self.a.v - n * (p * self.ma);
        self.b.v = self.b.v + n * (p * self.mb);
        self.a.w = self.a.w - r.turn_a * p;
        self.b.w = self.b.w + r.turn_b * p;
    }
}

/// How a contact point takes its error back: open ones may close within the substep.
#[derive(Clone, Copy, Debug)]
pub struct PointBias<T> {
    pub bias: T,
    pub soft: Softness<T>,
}

impl<T: Real> PointBias<T> {
    /// Of a point that does not yield, where only velocities count.
    #[inline(always)]
    pub fn relaxed(&self) -> Self {
        PointBias { bias: self.bias.max(T::zero()), soft: Softness::rigid() }
    }
    /// This one where `yields` is above 0, else `hard`.
    #[inline(always)]
    pub fn or(&self, hard: Self, yields: T) -> Self {
        let is = T::zero().lt(yields);
        PointBias {
            bias: T::select(is, self.bias, hard.bias),
            soft: Softness {
                mass: T::select(is, self.soft.mass, hard.soft.mass),
                impulse: T::select(is, self.soft.impulse, hard.soft.impulse),
            },
        }
    }
}

/// `gap`: separation, m. `slop`: penetration that is left alone, m. `most`: fastest push out, m/s.
#[inline(always)]
pub fn point_bias<T: Real>(gap: T, slop: T, rate: T, most: T, soft: Softness<T>, inv_h: T) -> PointBias<T> {
    let (zero, one) = (T::zero(), T::one());
    let open = zero.lt(gap);
    let deep = (gap + slop).min(zero);
    PointBias {
        bias: T::select(open, gap * inv_h, (deep * rate).max(-most)),
        soft: Softness { mass: T::select(open, one, soft.mass), impulse: T::select(open, zero, soft.impulse) },
    }
}

/// Of a point that yields with the stiffness k (N/m) and the damping d (N s/m): an implicit step of the spring, whatever other constraints do.
/// The impulse is that of the gap and its rate at the end of the substep `h`; while it is open it counts where it will have closed.
#[inline(always)]
pub fn spring_bias<T: Real>(gap: T, mass: T, [k, d]: [T; 2], h: T, inv_h: T) -> PointBias<T> {
    let (zero, one) = (T::zero(), T::one());
    let both = (d + h * k).max(T::constant(TINY));
    // λ = −h (k (gap + h v) + d v)
    let yields = mass / (h * both);
    let part = one / (one + yields);
    PointBias {
        bias: T::select(zero.lt(gap), gap * inv_h, gap * (k / both)),
        soft: Softness { mass: part, impulse: yields * part },
    }
}

/// The next impulse of a contact point; it only pushes.
#[inline(always)]
pub fn solve_point<T: Real>(mass: T, speed: T, p: PointBias<T>, impulse: T) -> T {
    (impulse - (mass * (speed + p.bias) * p.soft.mass + impulse * p.soft.impulse)).max(T::zero())
}

/// The next impulse of friction in the plane, within a disc of radius `most`: `inverse` is the inverse of the 2×2 effective inverse mass,
/// xx, xy, yy.
#[inline(always)]
pub fn solve_friction<T: Real>(inverse: Vec3<T>, slip: [T; 2], most: T, impulse: [T; 2]) -> [T; 2] {
    let x = impulse[0] - (inverse.x * slip[0] + inverse.y * slip[1]);
    let y = impulse[1] - (inverse.y * slip[0] + inverse.z * slip[1]);
    let l = (x * x + y * y).sqrt();
    let part = T::select(most.lt(l), most / l.max(T::constant(TINY)), T::one());
    [x * part, y * part]
}

/// Inverse of [[xx, xy], [xy, yy]]; 0 where nothing moves.
#[inline(always)]
pub fn inverse2<T: Real>(xx: T, xy: T, yy: T) -> Vec3<T> {
    let tiny = T::constant(TINY);
    let i1 = T::one() / xx.max(tiny);
    let l = xy * i1;
    let i2 = T::one() / (yy - l * xy).max(yy * T::constant(1e-6)).max(tiny);
    let inverse = vec3(i1 + l * l * i2, -(l * i2), i2);
    Vec3::select(tiny.lt(xx), inverse, Vec3::zero())
}

/// Two unit vectors across the unit vector `n` and each other, without a branch (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017).
#[inline(always)]
pub fn tangents<T: Real>(n: Vec3<T>) -> [Vec3<T>; 2] {
    let one = T::one();
    let s = T::select(n.z.lt(T::zero()), -one, one);
    let a = -(one / (s + n.z));
    let b = n.x * n.y * a;
    [vec3(one + s * n.x * n.x * a, s * b, -(s * n.x)), vec3(b, s + n.y * n.y * a, -n.y)]
}
