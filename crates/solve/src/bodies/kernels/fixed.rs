//! Two bodies that move as one: six rows, solved as one block.

use super::{Bias, Inertia, Motion, meet, turned};
use crate::math::{Mat3, Real, Sym3, Vec3};

/// Velocity and spin of b in a are held at the centre of mass of b: u = v_b − v_a − ω_a × D and Ω = ω_b − ω_a.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<T> {
    /// D, from the centre of mass of a to that of b, m.
    pub between: Vec3<T>,
    /// X = W⁻¹ I_a⁻¹ [D]ₓ: the torque impulse that undoes the turn of an impulse, m.
    pub undo: Mat3<T>,
    /// The inverse of (1/m_a + 1/m_b) 1 + [D]ₓᵀ (I_a + I_b)⁻¹ [D]ₓ times the softness, kg.
    pub mass: Sym3<T>,
    /// W⁻¹ = (I_a⁻¹ + I_b⁻¹)⁻¹ times the softness, kg m².
    pub turn: Sym3<T>,
    /// What takes the errors back, N s and N m s.
    pub bias: Vec3<T>,
    pub bias_turn: Vec3<T>,
    pub a: Inertia<T>,
    pub b: Inertia<T>,
}

/// Impulse on b at its centre of mass, N s, and torque impulse, N m s; a gets the opposite in the same line.
#[derive(Clone, Copy, Debug)]
pub struct Wrench<T> {
    pub push: Vec3<T>,
    pub turn: Vec3<T>,
}

/// Where the frames of a fixed joint are.
#[derive(Clone, Copy, Debug)]
pub struct FixedPose<T> {
    /// Centre of mass b less that of a, m.
    pub between: Vec3<T>,
    /// From the centre of mass of b to its anchor, m.
    pub rb: Vec3<T>,
    /// Anchor b less anchor a, m.
    pub gap: Vec3<T>,
    /// The rotation from frame a to frame b, a vector in world axes, rad.
    pub turn: Vec3<T>,
}

/// `docs/internals/bodies.md`, fixed joints. Errors close at their rate, by turning no faster than `most_turn`.
#[inline(always)]
pub fn set_up_fixed<T: Real>(pose: &FixedPose<T>, a: Inertia<T>, b: Inertia<T>, s: &Bias<T>) -> Fixed<T> {
    let d = pose.between;
    let turn = a.turn.add(b.turn).inverse();
    let arm = turned(a.turn, d);
    let undo = Mat3([turn.mul(arm.0[0]), turn.mul(arm.0[1]), turn.mul(arm.0[2])]);
    // I_b⁻¹ X = (I_a + I_b)⁻¹ [D]ₓ; the product with [D]ₓᵀ is symmetric.
    let columns = [b.turn.mul(undo.0[0]).cross(d), b.turn.mul(undo.0[1]).cross(d), b.turn.mul(undo.0[2]).cross(d)];
    let m = a.mass + b.mass;
    let k = Sym3 {
        xx: m + columns[0].x,
        xy: columns[1].x,
        xz: columns[2].x,
        yy: m + columns[1].y,
        yz: columns[2].y,
        zz: m + columns[2].z,
    };
    let (mass, turn) = (k.inverse().scale(s.soft.mass), turn.scale(s.soft.mass));
    // Errors as a velocity and a spin of b in a.
    let spin = pose.turn * s.rate;
    let fast = spin.length();
    let spin = spin * (s.most_turn / fast.max(s.most_turn));
    let (_, rb) = meet(d, pose.rb, pose.gap);
    let away = pose.gap * s.rate - spin.cross(rb);
    let bias = mass.mul(undo.transposed_mul(spin) - away);
    let bias_turn = -(turn.mul(spin) + undo.mul(bias));
    Fixed { between: d, undo, mass, turn, bias, bias_turn, a, b }
}

/// Gives both bodies a wrench.
#[inline(always)]
pub fn push_fixed<T: Real>(c: &Fixed<T>, a: &mut Motion<T>, b: &mut Motion<T>, w: Wrench<T>) {
    a.v = a.v - w.push * c.a.mass;
    a.w = a.w - c.a.turn.mul(w.turn + c.between.cross(w.push));
    b.v = b.v + w.push * c.b.mass;
    b.w = b.w + c.b.turn.mul(w.turn);
}

/// The wrench that makes both bodies move as one, times the softness.
#[inline(always)]
pub(super) fn joining<T: Real>(c: &Fixed<T>, a: &Motion<T>, b: &Motion<T>) -> Wrench<T> {
    let spin = b.w - a.w;
    let apart = b.v - a.v - a.w.cross(c.between);
    let push = c.mass.mul(c.undo.transposed_mul(spin) - apart);
    Wrench { push, turn: -(c.turn.mul(spin) + c.undo.mul(push)) }
}

/// The wrench of one iteration, `so_far` that of those before. `let_go`: [`super::Softness::impulse`].
#[inline(always)]
pub fn solve_fixed<T: Real>(c: &Fixed<T>, let_go: T, a: &Motion<T>, b: &Motion<T>, so_far: Wrench<T>) -> Wrench<T> {
    let w = joining(c, a, b);
    Wrench { push: w.push + (c.bias - so_far.push * let_go), turn: w.turn + (c.bias_turn - so_far.turn * let_go) }
}

/// The wrench of an iteration in which only velocities are to agree. `rigid`: 1/[`super::Softness::mass`].
#[inline(always)]
pub fn relax_fixed<T: Real>(c: &Fixed<T>, rigid: T, a: &Motion<T>, b: &Motion<T>) -> Wrench<T> {
    let w = joining(c, a, b);
    Wrench { push: w.push * rigid, turn: w.turn * rigid }
}
