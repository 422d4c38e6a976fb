//! Springs on the relative rotation, solved implicitly, and the paper's relaxation.

use super::TINY;
use super::arc::whiten;
use crate::math::vec3::vec3;
use crate::math::{Mat3, Real, Sym3, Vec3};

/// A three-dimensional torque that follows the relative spin: ΔT = −(A (ω_b − ω_a) + B T + c).
#[derive(Clone, Copy, Debug)]
pub struct Spring<T> {
    pub a: Sym3<T>,
    pub b: Mat3<T>,
    pub c: Vec3<T>,
}

/// Stiffness against each strain, in N m/rad, damping in N m s/rad.
#[derive(Clone, Copy, Debug)]
pub struct Stiffness<T> {
    pub spring: Vec3<T>,
    pub damping: Vec3<T>,
}

/// Beyond this many times the inertia a spring is rigid: what f32 can tell.
pub(super) const RIGID: f64 = 1e5;

/// The spring of strains with `rows` in world axes, off their rest by `error`, rad, solved implicitly over the substep `h`:
/// with H = Σ rows rowsᵀ h (h k + d), W the sum of both inverse inertias, (1 + H W) ΔT = −(H ω + Σ rows h k error + T).
#[inline(always)]
pub fn set_up_spring<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, k: Stiffness<T>, w: Sym3<T>, h: T) -> Spring<T> {
    // An upper bound on h (h k + d) at which the spring counts as rigid; the spring force is scaled with it.
    let most = T::constant(RIGID) / (w.xx + w.yy + w.zz).max(T::constant(TINY));
    let full = (k.spring * h + k.damping) * h;
    let kept = vec3(full.x.min(most), full.y.min(most), full.z.min(most));
    let tiny = T::constant(TINY);
    let part = vec3(kept.x / full.x.max(tiny), kept.y / full.y.max(tiny), kept.z / full.z.max(tiny));
    implicit_spring(rows, kept, (k.spring * h).scale_by(part).scale_by(error), w)
}

/// H and g along `rows`.
#[inline(always)]
pub(super) fn implicit_spring<T: Real>(rows: [Vec3<T>; 3], stiff: Vec3<T>, g: Vec3<T>, w: Sym3<T>) -> Spring<T> {
    let one = T::one();
    let stiff = Sym3::of_axes(rows, stiff);
    let force = rows[0] * g.x + rows[1] * g.y + rows[2] * g.z;
    // Columns of 1 + H W; W is symmetric, so its columns are its rows.
    let hw = Mat3([
        stiff.mul(vec3(w.xx, w.xy, w.xz)) + vec3(one, T::zero(), T::zero()),
        stiff.mul(vec3(w.xy, w.yy, w.yz)) + vec3(T::zero(), one, T::zero()),
        stiff.mul(vec3(w.xz, w.yz, w.zz)) + vec3(T::zero(), T::zero(), one),
    ]);
    let b = hw.inverse();
    let (c0, c1, c2) = (
        b.mul(vec3(stiff.xx, stiff.xy, stiff.xz)),
        b.mul(vec3(stiff.xy, stiff.yy, stiff.yz)),
        b.mul(vec3(stiff.xz, stiff.yz, stiff.zz)),
    );
    // (1 + H W)⁻¹ H is symmetric; its upper triangle.
    let a = Sym3 { xx: c0.x, xy: c1.x, xz: c2.x, yy: c1.y, yz: c2.y, zz: c2.z };
    Spring { a, b, c: b.mul(force) }
}

/// The paper's specific relaxation: each iteration takes away the part α of what is wrong (§5.2). Depends on the number of iterations.
/// The rows are first made independent in the order twist follows bending: α of each on its own would overshoot where one axis turns more
/// easily than the others.
#[inline(always)]
pub fn set_up_relaxation<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, alpha: Vec3<T>, w: Sym3<T>, inv_h: T) -> Spring<T> {
    let turned = [w.mul(rows[0]), w.mul(rows[1]), w.mul(rows[2])];
    let (white, _) = whiten(Sym3 {
        xx: rows[0].dot(turned[0]),
        xy: rows[0].dot(turned[1]),
        xz: rows[0].dot(turned[2]),
        yy: rows[1].dot(turned[1]),
        yz: rows[1].dot(turned[2]),
        zz: rows[2].dot(turned[2]),
    });
    let rows = white.rows(rows);
    let g = white.forward(error).scale_by(alpha) * inv_h;
    let zero = Vec3::zero();
    Spring { a: Sym3::of_axes(rows, alpha), b: Mat3([zero, zero, zero]), c: rows[0] * g.x + rows[1] * g.y + rows[2] * g.z }
}

/// The torque that one iteration adds.
#[inline(always)]
pub fn solve_spring<T: Real>(s: &Spring<T>, spin: Vec3<T>, torque: Vec3<T>) -> Vec3<T> {
    -(s.a.mul(spin) + s.b.mul(torque) + s.c)
}
