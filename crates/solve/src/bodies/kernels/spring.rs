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

/// The inverse inertia about each row.
#[inline(always)]
pub(super) fn inverse_about<T: Real>(rows: [Vec3<T>; 3], w: Sym3<T>) -> Vec3<T> {
    vec3(rows[0].dot(w.mul(rows[0])), rows[1].dot(w.mul(rows[1])), rows[2].dot(w.mul(rows[2])))
}

/// The spring of strains with `rows` in world axes, off their rest by `error`, rad, solved implicitly over the substep `h`:
/// with H = Σ rows rowsᵀ h (h k + d), W the sum of both inverse inertias, (1 + H W) ΔT = −(H ω + Σ rows h k error + T).
///
/// `soft`: one over the largest h² k times the inverse inertia about a row: what turns easily on a long lever is carried no stiffer by so few iterations
/// (`docs/internals/bodies.md`); k beyond that, and d with it, count as that.
#[inline(always)]
pub fn set_up_spring<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, k: Stiffness<T>, w: Sym3<T>, h: T, soft: T) -> Spring<T> {
    let about = inverse_about(rows, w) * (h * h * soft);
    let (one, near) = (T::one(), k.spring.scale_by(about));
    let carried = vec3(one / near.x.max(one), one / near.y.max(one), one / near.z.max(one));
    let k = Stiffness { spring: k.spring.scale_by(carried), damping: k.damping.scale_by(carried) };
    // An upper bound on h (h k + d) at which the spring counts as rigid; the spring force is scaled with it.
    let most = T::constant(RIGID) / (w.xx + w.yy + w.zz).max(T::constant(TINY));
    let full = (k.spring * h + k.damping) * h;
    let kept = vec3(full.x.min(most), full.y.min(most), full.z.min(most));
    let tiny = T::constant(TINY);
    let part = vec3(kept.x / full.x.max(tiny), kept.y / full.y.max(tiny), kept.z / full.z.max(tiny));
    implicit_spring(rows, kept, (k.spring * h).scale_by(part).scale_by(error), w)
}

/// H = R S Rᵀ and R g along the rows R, S the diagonal `stiff`. With G = Rᵀ W R and P = 1 + S^½ G S^½, which is positive definite however much the
/// stiffness differs from axis to axis, and whose LDLᵀ does not mind (1 + H W by cofactors did: f32 made it indefinite, and the spring flew):
/// N = S^½ P⁻¹ S^½, (1 + H W)⁻¹ H = R N Rᵀ, (1 + H W)⁻¹ = 1 − R N Rᵀ W, (1 + H W)⁻¹ R g = R N S⁻¹ g.
#[inline(always)]
pub(super) fn implicit_spring<T: Real>(rows: [Vec3<T>; 3], stiff: Vec3<T>, g: Vec3<T>, w: Sym3<T>) -> Spring<T> {
    let (zero, one, tiny) = (T::zero(), T::one(), T::constant(TINY));
    let root = vec3(stiff.x.sqrt(), stiff.y.sqrt(), stiff.z.sqrt());
    let sized = [rows[0] * root.x, rows[1] * root.y, rows[2] * root.z];
    let turned = [w.mul(sized[0]), w.mul(sized[1]), w.mul(sized[2])];
    let p = Sym3 {
        xx: one + sized[0].dot(turned[0]),
        xy: sized[0].dot(turned[1]),
        xz: sized[0].dot(turned[2]),
        yy: one + sized[1].dot(turned[1]),
        yz: sized[1].dot(turned[2]),
        zz: one + sized[2].dot(turned[2]),
    }
    .inverse();
    let [r0, r1, r2] = sized;
    // R S^½ P⁻¹, by columns.
    let (u0, u1, u2) = (r0 * p.xx + r1 * p.xy + r2 * p.xz, r0 * p.xy + r1 * p.yy + r2 * p.yz, r0 * p.xz + r1 * p.yz + r2 * p.zz);
    let a = Sym3 {
        xx: u0.x * r0.x + u1.x * r1.x + u2.x * r2.x,
        xy: u0.x * r0.y + u1.x * r1.y + u2.x * r2.y,
        xz: u0.x * r0.z + u1.x * r1.z + u2.x * r2.z,
        yy: u0.y * r0.y + u1.y * r1.y + u2.y * r2.y,
        yz: u0.y * r0.z + u1.y * r1.z + u2.y * r2.z,
        zz: u0.z * r0.z + u1.z * r1.z + u2.z * r2.z,
    };
    // Columns of W are its rows.
    let b = Mat3([
        vec3(one, zero, zero) - a.mul(vec3(w.xx, w.xy, w.xz)),
        vec3(zero, one, zero) - a.mul(vec3(w.xy, w.yy, w.yz)),
        vec3(zero, zero, one) - a.mul(vec3(w.xz, w.yz, w.zz)),
    ]);
    let off = vec3(g.x / root.x.max(tiny), g.y / root.y.max(tiny), g.z / root.z.max(tiny));
    Spring { a, b, c: u0 * off.x + u1 * off.y + u2 * off.z }
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
