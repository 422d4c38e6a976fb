//! Rigid bodies: joints and contacts as pure functions on velocities.
//!
//! A substep linearises every constraint once (`set_up_…`: rows, effective masses, bias) and iterates over velocities
//! (`solve_…`). The arc is that of Lewin et al., "Rod Constraints for Simplified Ragdolls", SCA 2013, with the corrections
//! of `docs/internals/arc.md`; soft constraints and the order of the substep follow E. Catto, "Soft Constraints" (GDC 2011) and
//! "Solver2D" (2024). Maths and data flow: `docs/internals/bodies.md`.
//!
//! | paper | here |
//! |---|---|
//! | F = q F^bod (2) | axes m₁, m₂, t in [`ArcPose`], from `elements::ArcParams` |
//! | C_curve (6) | rows 1 and 2 of [`ArcHard`], along the normals of body a |
//! | C_len (3, 9) | row 0 of [`ArcHard`] |
//! | ψ, κ (10), τ (12) | [`arc_strain`]: β₁, β₂, τ |
//! | C_bend (4, 11), C_twist (5, 13) | [`set_up_spring`]; with α (§5.2) [`set_up_relaxation`] |
//! | all constraints in one function (§7) | [`solve_arc`] |
//!
//! The curve itself (7, 8) no constraint needs; `ragdoll/arc.rs` has it, for the bones along it. Nor does any the energy (1), whose gradients the
//! springs' torques are.
//!
//! Velocities are of the centre of mass, m/s, and in world axes, rad/s; impulses N s and N m s. Body b gets an impulse, body a its opposite.

mod angular;
mod arc;
mod ball;
mod contact;
mod fixed;
mod hinge;
mod motion;
mod motor;
mod rows;
mod spring;

pub use angular::*;
pub use arc::*;
pub use ball::*;
pub use contact::*;
pub use fixed::*;
pub use hinge::*;
pub use motion::*;
pub use motor::*;
pub use spring::*;

use crate::math::approx::angle;
use crate::math::vec3::vec3;
use crate::math::{Mat3, Quat, Real, Sym3, Vec3};

/// Guards divisions whose numerator is then 0 as well.
const TINY: f64 = 1e-30;

/// Velocity of a body.
#[derive(Clone, Copy, Debug)]
pub struct Motion<T> {
    /// Of the centre of mass, m/s.
    pub v: Vec3<T>,
    /// rad/s
    pub w: Vec3<T>,
}

/// Inverse mass, kg⁻¹, and inverse inertia about the centre of mass in world axes, (kg m²)⁻¹. All 0: the body does not move.
#[derive(Clone, Copy, Debug)]
pub struct Inertia<T> {
    pub mass: T,
    pub turn: Sym3<T>,
}

impl<T: Real> Inertia<T> {
    /// `principal`: inverse moments about the axes of `rotation`.
    #[inline(always)]
    pub fn new(mass: T, principal: Vec3<T>, rotation: Quat<T>) -> Self {
        Inertia { mass, turn: Sym3::of_axes(rotation.frame(), principal) }
    }
}

/// A constraint as a spring that is as stiff as the substep carries: of a velocity error, the part `mass` is undone, and the part
/// `impulse` of the impulse so far is let go. Rigid: (1, 0).
#[derive(Clone, Copy, Debug)]
pub struct Softness<T> {
    pub mass: T,
    pub impulse: T,
}

impl<T: Real> Softness<T> {
    #[inline(always)]
    pub fn rigid() -> Self {
        Softness { mass: T::one(), impulse: T::zero() }
    }
}

/// [r]ₓ after I⁻¹: what an impulse P at r does to the spin is `turned(I⁻¹, r)` · P.
#[inline(always)]
fn turned<T: Real>(inertia: Sym3<T>, r: Vec3<T>) -> Mat3<T> {
    let (zero, Vec3 { x, y, z }) = (T::zero(), r);
    Mat3([inertia.mul(vec3(zero, z, -y)), inertia.mul(vec3(-z, zero, x)), inertia.mul(vec3(y, -x, zero))])
}

/// How errors of position become velocities.
#[derive(Clone, Copy, Debug)]
pub struct Bias<T> {
    /// Part of an error closed in a second, 1/s.
    pub rate: T,
    /// Largest such velocity, rad/s.
    pub most_turn: T,
    pub inv_h: T,
    pub soft: Softness<T>,
}

/// No bound on an impulse.
pub const FREE: f64 = 1e30;

#[inline(always)]
fn inverse_mass<T: Real>(k: T) -> T {
    T::select(T::constant(TINY).lt(k), T::one() / k.max(T::constant(TINY)), T::zero())
}

/// The rotation as axis times angle in its own axes, angle in 0..π.
#[inline(always)]
pub fn rotation_vector<T: Real>(q: Quat<T>) -> Vec3<T> {
    let (zero, one, two) = (T::zero(), T::one(), T::constant(2.0));
    let sign = T::select(q.w.lt(zero), -one, one);
    let v = vec3(q.x, q.y, q.z) * sign;
    let s = v.length();
    let c = q.w * sign;
    // φ/sin φ → 1/cos φ (1 − φ²/3 …): for a short vector, 1/c is as good as f64 tells.
    let short = s.lt(T::constant(1e-6));
    v * (two * T::select(short, one / c.max(T::constant(0.5)), angle(s, c) / s.max(T::constant(1e-7))))
}
