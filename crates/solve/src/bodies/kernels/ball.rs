//! Two points that stay together.

use super::{Inertia, Motion, turned};
use crate::math::{Mat3, Real, Sym3, Vec3};

/// Two points that stay together: three rows.
#[derive(Clone, Copy, Debug)]
pub struct Ball<T> {
    /// From the centres of mass to the point between the anchors, m.
    pub ra: Vec3<T>,
    pub rb: Vec3<T>,
    /// I⁻¹ [r]ₓ
    pub turn_a: Mat3<T>,
    pub turn_b: Mat3<T>,
    /// Inverse masses, kg⁻¹.
    pub ma: T,
    pub mb: T,
    /// (J M⁻¹ Jᵀ)⁻¹ times the softness, kg.
    pub mass: Sym3<T>,
    /// The impulse that closes the gap, N s.
    pub bias: Vec3<T>,
}

/// Both arms to the middle of the gap between their ends: an impulse at one point turns nothing, so that angular momentum is kept while
/// the gap is open, and the velocity there is that of the gap as seen by bodies that turn together.
#[inline(always)]
pub fn meet<T: Real>(ra: Vec3<T>, rb: Vec3<T>, gap: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    let half = gap * T::constant(0.5);
    (ra + half, rb - half)
}

/// `gap`: point b less point a, m. `rate`: the part of it that is closed in a second, 1/s; `part`: [`Softness::mass`].
#[inline(always)]
pub fn set_up_ball<T: Real>(ra: Vec3<T>, rb: Vec3<T>, gap: Vec3<T>, a: Inertia<T>, b: Inertia<T>, rate: T, part: T) -> Ball<T> {
    let (ra, rb) = meet(ra, rb, gap);
    let (turn_a, turn_b) = (turned(a.turn, ra), turned(b.turn, rb));
    // K = (1/m_a + 1/m_b) 1 + Σ [r]ₓᵀ I⁻¹ [r]ₓ; the products are symmetric.
    let column_a = [turn_a.0[0].cross(ra), turn_a.0[1].cross(ra), turn_a.0[2].cross(ra)];
    let column_b = [turn_b.0[0].cross(rb), turn_b.0[1].cross(rb), turn_b.0[2].cross(rb)];
    let m = a.mass + b.mass;
    let k = Sym3 {
        xx: m + column_a[0].x + column_b[0].x,
        xy: column_a[1].x + column_b[1].x,
        xz: column_a[2].x + column_b[2].x,
        yy: m + column_a[1].y + column_b[1].y,
        yz: column_a[2].y + column_b[2].y,
        zz: m + column_a[2].z + column_b[2].z,
    };
    let mass = k.inverse().scale(part);
    Ball { ra, rb, turn_a, turn_b, ma: a.mass, mb: b.mass, mass, bias: mass.mul(gap * -rate) }
}

/// Gives both bodies the impulse `p`.
#[inline(always)]
pub fn push_ball<T: Real>(c: &Ball<T>, a: &mut Motion<T>, b: &mut Motion<T>, p: Vec3<T>) {
    a.v = a.v - p * c.ma;
    a.w = a.w - c.turn_a.mul(p);
    b.v = b.v + p * c.mb;
    b.w = b.w + c.turn_b.mul(p);
}

/// Velocity of point b against point a. In this order 5 % faster than in others: what of a is needed is done with first.
#[inline(always)]
fn parting<T: Real>(c: &Ball<T>, a: &Motion<T>, b: &Motion<T>) -> Vec3<T> {
    let of_a = a.v + a.w.cross(c.ra);
    b.v - of_a + b.w.cross(c.rb)
}

/// The impulse of one iteration, `so_far` that of those before. `let_go`: [`Softness::impulse`].
#[inline(always)]
pub fn solve_ball<T: Real>(c: &Ball<T>, let_go: T, a: &Motion<T>, b: &Motion<T>, so_far: Vec3<T>) -> Vec3<T> {
    (c.bias - so_far * let_go) - c.mass.mul(parting(c, a, b))
}

/// The impulse of an iteration in which only velocities are to agree. `rigid`: 1/[`Softness::mass`].
#[inline(always)]
pub fn relax_ball<T: Real>(c: &Ball<T>, rigid: T, a: &Motion<T>, b: &Motion<T>) -> Vec3<T> {
    c.mass.mul(parting(c, a, b)) * -rigid
}
