//! Ghost-point rods: the constraints as pure functions.
//!
//! This work is based on: Nobuyuki Umetani, Ryan Schmidt, Jos Stam, "Position-based Elastic Rods", SCA 2014, and its
//! appendix; corrections and the closed-form Jacobian are derived in `docs/internals/ghost_rods.md`.
//!
//! | paper | here |
//! |---|---|
//! | p_{e-1}, p_e, p_e^g | the two ends and the ghost point of an edge; kernels see them only as differences: |
//! | p_e − p_{e-1} | `e`, the edge vector |
//! | p_e^g − p_{e-1/2} | `g`, the ghost point from the edge's midpoint |
//! | D = [d¹ d² d³] (3) | [`EdgeFrame`] |
//! | Ψ (9), Ω (10) | [`rodrigues`]: Ψ = l·Ω = 2 n tan(θ/2) in material coordinates, the half of it is `half` |
//! | C^L, C^P, C^D (18–20) | [`edge_constraints`] |
//! | C^BT (21) solved by (17) | [`bend_twist`] |
//!
//! Values in, corrections out: no memory, no index, no libm, no branch. Compliance is that of XPBD: with
//! `a = compliance / h²`, Δλ = −(k C + a λ) / (∇C M⁻¹ ∇Cᵀ + a). The paper's stiffness α ∈ [0,1] is k = α, a = 0.

use crate::math::vec3::vec3;
use crate::math::{Real, Sym3, Vec3};

/// The square of the shortest length that is divided by, m². Shorter edges get a zero axis instead of a NaN.
pub const MIN_LENGTH2: f64 = 1e-18;
/// The smallest 1 + tr Q: frames within 0.06° of a half turn are treated as if they were there.
const MIN_TRACE: f64 = 1e-6;
/// Stands in for a zero sum of inverse masses: everything that it divides is multiplied by those zeros.
const MIN_WEIGHT: f64 = 1e-28;

/// The material frame of an edge (eq. 3) and what its derivatives need.
#[derive(Clone, Copy, Debug)]
pub struct EdgeFrame<T> {
    pub d1: Vec3<T>,
    pub d2: Vec3<T>,
    pub d3: Vec3<T>,
    /// 1 / |e|
    pub inv_len: T,
    /// 1 / distance of the ghost point from the edge's line
    pub inv_h: T,
    /// Where the ghost point's foot lies along the edge, 0 at its start, 1 at its end.
    pub foot: T,
}

impl<T: Real> EdgeFrame<T> {
    /// A frame that nothing moves: a host's frame (eq. 22), given by its axes.
    #[inline(always)]
    pub fn fixed(d: [Vec3<T>; 3]) -> Self {
        EdgeFrame { d1: d[0], d2: d[1], d3: d[2], inv_len: T::zero(), inv_h: T::zero(), foot: T::zero() }
    }
}

/// Eq. 3. d¹ by Gram–Schmidt is the same frame as the paper's two cross products, with one of them less.
#[inline(always)]
pub fn edge_frame<T: Real>(e: Vec3<T>, g: Vec3<T>) -> EdgeFrame<T> {
    let tiny = T::constant(MIN_LENGTH2);
    let inv_len = T::one() / e.length2().max(tiny).sqrt();
    let d3 = e * inv_len;
    let c = d3.dot(g);
    let r = g - d3 * c;
    let inv_h = T::one() / r.length2().max(tiny).sqrt();
    let d1 = r * inv_h;
    EdgeFrame { d1, d2: d3.cross(d1), d3, inv_len, inv_h, foot: T::constant(0.5) + c * inv_len }
}

/// The same for forces that are given rather than solved for: an edge much shorter than its rest length, or a ghost point near its
/// edge's line, lengthens no lever without bound.
#[inline(always)]
pub fn bounded_frame<T: Real>(e: Vec3<T>, g: Vec3<T>, length: T, ghost: T) -> EdgeFrame<T> {
    let f = edge_frame(e, g);
    let (two, tiny) = (T::constant(2.0), T::constant(MIN_WEIGHT));
    EdgeFrame { inv_len: f.inv_len.min(two / length.max(tiny)), inv_h: f.inv_h.min(two / ghost.max(tiny)), ..f }
}

/// Inverse masses of an edge's three points, kg⁻¹.
#[derive(Clone, Copy)]
pub struct EdgeWeights<T> {
    pub w0: T,
    pub w1: T,
    pub wg: T,
}

/// What [`edge_constraints`] enforces.
#[derive(Clone, Copy)]
pub struct EdgeRest<T> {
    /// Rest length L̄, m.
    pub length: T,
    /// Ghost distance L̄^g, m.
    pub ghost: T,
    /// k of the length constraint, 0..1.
    pub stiffness: T,
    /// compliance / h² of the length constraint, kg⁻¹.
    pub compliance: T,
    /// 1, or 0 where the lane has no such edge.
    pub on: T,
}

/// Corrections of an edge's points, its vectors after them, and the length multiplier.
#[derive(Clone, Copy)]
pub struct EdgeSolved<T> {
    pub p0: Vec3<T>,
    pub p1: Vec3<T>,
    pub pg: Vec3<T>,
    pub e: Vec3<T>,
    pub g: Vec3<T>,
    pub lambda: T,
}

/// Eqs. 18, 19, 20 in this order, each seeing the corrections of the one before (appendix 3.1.1–3.1.3).
#[inline(always)]
pub fn edge_constraints<T: Real>(e: Vec3<T>, g: Vec3<T>, w: EdgeWeights<T>, rest: EdgeRest<T>, lambda: T) -> EdgeSolved<T> {
    let tiny = T::constant(MIN_WEIGHT);

    // C^L = |e| − L̄ (18). One division serves both 1/|e| and 1/denominator.
    let length = e.length2().max(T::constant(MIN_LENGTH2)).sqrt();
    let c = length - rest.length;
    let denominator = (w.w0 + w.w1 + rest.compliance).max(tiny);
    let s = -(rest.stiffness * c + rest.compliance * lambda) * rest.on / (length * denominator);
    ghost_constraints(e, g, w, rest, s, lambda + s * length)
}

/// Moves both ends by an impulse of `s` times the edge, then eqs. 19 and 20.
#[inline(always)]
pub fn ghost_constraints<T: Real>(
    e: Vec3<T>,
    g: Vec3<T>,
    w: EdgeWeights<T>,
    rest: EdgeRest<T>,
    s: T,
    lambda: T,
) -> EdgeSolved<T> {
    let half = T::constant(0.5);
    let tiny = T::constant(MIN_WEIGHT);
    let w01 = w.w0 + w.w1;
    let step = e * s;
    let p0 = -(step * w.w0);
    let p1 = step * w.w1;
    let e = e + (p1 - p0);
    let g = g - (p0 + p1) * half;

    // C^P = g·e (19). ∇p0 = −(g + e/2), ∇p1 = g − e/2, ∇pg = e.
    let c = g.dot(e);
    let (gg, ee) = (g.length2(), e.length2() * T::constant(0.25));
    let sum = gg + ee;
    let denominator = (w.w0 * (sum + c) + w.w1 * (sum - c) + w.wg * (ee * T::constant(4.0))).max(tiny);
    let s = -(c * rest.on) / denominator;
    let eh = e * half;
    let (q0, q1, qg) = ((g + eh) * -(s * w.w0), (g - eh) * (s * w.w1), e * (s * w.wg));
    let (p0, p1, pg) = (p0 + q0, p1 + q1, qg);
    let e = e + (q1 - q0);
    let g = g + (qg - (q0 + q1) * half);

    // C^D = |g| − L̄^g (20). ∇pg = n, ∇p0 = ∇p1 = −n/2: the edge vector does not change.
    let distance = g.length2().max(T::constant(MIN_LENGTH2)).sqrt();
    let denominator = (w.wg + T::constant(0.25) * w01).max(tiny);
    let s = (rest.ghost - distance) * rest.on / (distance * denominator);
    let step = g * s;
    let (r0, r1, rg) = (step * (-half * w.w0), step * (-half * w.w1), step * w.wg);
    EdgeSolved { p0: p0 + r0, p1: p1 + r1, pg: pg + rg, e: e + (r1 - r0), g: g + (rg - (r0 + r1) * half), lambda }
}

/// g = tan(θ/2) n in material coordinates, and the four entries of Q = D_Aᵀ D_B that a shared vertex needs.
#[derive(Clone, Copy)]
pub struct Rodrigues<T> {
    pub half: Vec3<T>,
    pub q11: T,
    pub q12: T,
    pub q21: T,
    pub q22: T,
}

/// Eqs. 9 and 10: Ψ/2 = vect-part of Q over 1 + tr Q.
#[inline(always)]
pub fn rodrigues<T: Real>(a: &EdgeFrame<T>, b: &EdgeFrame<T>) -> Rodrigues<T> {
    let (q11, q12, q13) = (a.d1.dot(b.d1), a.d1.dot(b.d2), a.d1.dot(b.d3));
    let (q21, q22, q23) = (a.d2.dot(b.d1), a.d2.dot(b.d2), a.d2.dot(b.d3));
    let (q31, q32, q33) = (a.d3.dot(b.d1), a.d3.dot(b.d2), a.d3.dot(b.d3));
    let inv = T::one() / (T::one() + (q11 + q22 + q33)).max(T::constant(MIN_TRACE));
    Rodrigues { half: vec3((q32 - q23) * inv, (q13 - q31) * inv, (q21 - q12) * inv), q11, q12, q21, q22 }
}

/// The four columns through which one edge's points move Ψ:
/// ∂Ψ/∂p0 = −b⊗d¹ + c0⊗d², ∂Ψ/∂p1 = b⊗d¹ + c1⊗d², ∂Ψ/∂pg = t⊗d².
#[derive(Clone, Copy)]
pub struct EdgeColumns<T> {
    pub b: Vec3<T>,
    pub c0: Vec3<T>,
    pub c1: Vec3<T>,
    pub t: Vec3<T>,
}

/// `m` holds the columns ∂Ψ/∂θ of this edge's frame. A displacement turns the frame, in its own axes, by
/// θ¹ = d²·(δp0−δp1)/L, θ² = d¹·(δp1−δp0)/L, θ³ = d²·(δpg − (1−s) δp0 − s δp1)/h, with s the ghost's foot.
#[inline(always)]
pub fn edge_columns<T: Real>(f: &EdgeFrame<T>, m: [Vec3<T>; 3]) -> EdgeColumns<T> {
    let (q, b, t) = (m[0] * f.inv_len, m[1] * f.inv_len, m[2] * f.inv_h);
    let c1 = -(q + t * f.foot);
    EdgeColumns { b, c0: -(c1 + t), c1, t }
}

/// ∂Ψ/∂θ_B = I + [g]× + g gᵀ by columns, and ∂Ψ/∂θ_A = −(I − [g]× + g gᵀ).
#[inline(always)]
pub fn rodrigues_jacobians<T: Real>(g: Vec3<T>) -> ([Vec3<T>; 3], [Vec3<T>; 3]) {
    let one = T::one();
    let (xy, xz, yz) = (g.x * g.y, g.x * g.z, g.y * g.z);
    let (dx, dy, dz) = (one + g.x * g.x, one + g.y * g.y, one + g.z * g.z);
    let b = [vec3(dx, xy + g.z, xz - g.y), vec3(xy - g.z, dy, yz + g.x), vec3(xz + g.y, yz - g.x, dz)];
    let a = [-vec3(dx, xy - g.z, xz + g.y), -vec3(xy + g.z, dy, yz - g.x), -vec3(xz - g.y, yz + g.x, dz)];
    (a, b)
}

/// The mass-weighted square of one side's columns, Σ_p w_p ∂Ψ/∂p ∂Ψ/∂pᵀ.
#[inline(always)]
pub fn add_side<T: Real>(s: Sym3<T>, j: &EdgeColumns<T>, w: EdgeWeights<T>) -> Sym3<T> {
    s.add_outer(j.b, w.w0 + w.w1).add_outer(j.c0, w.w0).add_outer(j.c1, w.w1).add_outer(j.t, w.wg)
}

/// What [`bend_twist`] enforces, on the axes d¹, d² (bending), d³ (twist).
#[derive(Clone, Copy)]
pub struct BendTwistRest<T> {
    /// Ψ̄ = l Ω̄: 2 tan(θ/2) of the rest shape.
    pub psi: Vec3<T>,
    /// k, 0..1.
    pub stiffness: Vec3<T>,
    /// compliance / h² = l / (K h²), N⁻¹ m⁻¹ s⁻².
    pub compliance: Vec3<T>,
    /// 1, or 0 where the lane has no such element.
    pub on: T,
}

/// Corrections of the five points of an orientation element, and its three multipliers.
#[derive(Clone, Copy)]
pub struct BendTwistSolved<T> {
    pub a0: Vec3<T>,
    pub ag: Vec3<T>,
    pub shared: Vec3<T>,
    pub b1: Vec3<T>,
    pub bg: Vec3<T>,
    pub lambda: Vec3<T>,
}

/// Δp = w ∂Ψ/∂pᵀ Δλ for the start, end and ghost of an edge.
#[inline(always)]
pub fn edge_moves<T: Real>(f: &EdgeFrame<T>, j: &EdgeColumns<T>, w: EdgeWeights<T>, dl: Vec3<T>) -> [Vec3<T>; 3] {
    let b = j.b.dot(dl);
    let (c0, c1, t) = (j.c0.dot(dl), j.c1.dot(dl), j.t.dot(dl));
    [(f.d2 * c0 - f.d1 * b) * w.w0, (f.d1 * b + f.d2 * c1) * w.w1, f.d2 * (t * w.wg)]
}

/// Eq. 21 as one block of three rows, solved by eq. 17 with compliance: edge A ends at the vertex where edge B starts.
#[inline(always)]
pub fn bend_twist<T: Real>(
    a: &EdgeFrame<T>,
    b: &EdgeFrame<T>,
    wa: EdgeWeights<T>,
    wb: EdgeWeights<T>,
    rest: BendTwistRest<T>,
    lambda: Vec3<T>,
) -> BendTwistSolved<T> {
    let r = rodrigues(a, b);
    let c = r.half * T::constant(2.0) - rest.psi;
    let (ma, mb) = rodrigues_jacobians(r.half);
    let (ja, jb) = (edge_columns(a, ma), edge_columns(b, mb));

    // The shared vertex moves both frames: w (∂Ψ/∂p1_A ∂Ψ/∂p0_Bᵀ + transpose), whose inner products are entries of Q.
    let u = (jb.c0 * r.q12 - jb.b * r.q11) * wa.w1;
    let v = (jb.c0 * r.q22 - jb.b * r.q21) * wa.w1;
    let s = add_side(add_side(Sym3::diagonal(rest.compliance), &ja, wa), &jb, wb).add_cross(ja.b, u).add_cross(ja.c1, v);

    let rhs = (c.scale_by(rest.stiffness) + rest.compliance.scale_by(lambda)) * -rest.on;
    let dl = s.solve(rhs);
    let [a0, a1, ag] = edge_moves(a, &ja, wa, dl);
    let [b0, b1, bg] = edge_moves(b, &jb, wb, dl);
    BendTwistSolved { a0, ag, shared: a1 + b0, b1, bg, lambda: lambda + dl }
}

/// How gravity is shared between an edge's ghost point and its ends (appendix, algorithm 1, momentum-exact).
#[derive(Clone, Copy)]
pub struct GravityShare<T> {
    /// The part of h·g that the ghost point takes, −1..2.
    pub ghost: T,
    /// The part of h·g that each end takes on top of its own.
    pub end0: T,
    pub end1: T,
}

/// `fall` and `fall_before` are v_m·g of the midpoint in this substep and in the one before, both after gravity was added;
/// r = (a_m·g)/|g|² is how much of gravity the midpoint really felt. A weight that hangs at rest has r = 0, free fall has 1.
/// A midpoint that other forces move faster than gravity is not followed: unclamped, a ghost point of 0.8 of its edge's mass feeds
/// energy in without bound. The clamp is symmetric about hanging and falling, −1..2. At 0..1 it cut one half of every oscillation
/// and every rounding error: a mean force on the ghost point that bent a hanging rod and spun a falling one.
#[inline(always)]
pub fn gravity_share<T: Real>(fall: T, fall_before: T, inv_h_gg: T, w: EdgeWeights<T>) -> GravityShare<T> {
    let r = ((fall - fall_before) * inv_h_gg).max(T::constant(-1.0)).min(T::constant(2.0));
    let free = T::zero().lt(w.wg);
    // ½ (1−r) m_g / m_end
    let part = T::select(free, T::constant(0.5) * (T::one() - r) / w.wg.max(T::constant(MIN_WEIGHT)), T::zero());
    GravityShare { ghost: T::select(free, r, T::zero()), end0: part * w.w0, end1: part * w.w1 }
}
