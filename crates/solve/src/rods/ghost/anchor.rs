//! A rod's end held by three points: a triangle of a mesh (eq. 25) or the little rigid body of a junction (eq. 26).
//!
//! Both of the paper's frames are the edge frame of eq. 3 with other names: with the triangle's first side as the edge and its
//! third corner as the ghost point, (d³, d², d¹) = (e¹, e³, e²). So the same derivatives serve, and the frame attachment
//! (eqs. 22, 23) becomes a bend-twist block between the anchor's frame, turned by Ēᵀ D̄, and the end edge, half an edge long.

use super::kernels::*;
use crate::math::vec3::vec3;
use crate::math::{Real, Sym3, Vec3};

/// Corrections of the anchor's three points, of the end edge's start (at the anchor), end and ghost, and the multipliers.
#[derive(Clone, Copy)]
pub struct AnchorSolved<T> {
    pub anchor: [Vec3<T>; 3],
    pub edge: [Vec3<T>; 3],
    pub lambda: Vec3<T>,
}

/// Eqs. 22 and 23. `a` and `b` are the frames of the anchor and the end edge, `turn` the columns of Ēᵀ D̄.
#[inline(always)]
pub fn anchor_bend_twist<T: Real>(
    a: &EdgeFrame<T>,
    turn: [Vec3<T>; 3],
    b: &EdgeFrame<T>,
    wa: EdgeWeights<T>,
    wb: EdgeWeights<T>,
    rest: BendTwistRest<T>,
    lambda: Vec3<T>,
) -> AnchorSolved<T> {
    let axis = |c: Vec3<T>| a.d1 * c.x + a.d2 * c.y + a.d3 * c.z;
    let turned = EdgeFrame { d1: axis(turn[0]), d2: axis(turn[1]), d3: axis(turn[2]), ..*a };
    let r = rodrigues(&turned, b);
    let c = r.half * T::constant(2.0) - rest.psi;
    let (ma, mb) = rodrigues_jacobians(r.half);
    // Angles about the turned axes are turnᵀ times those about the anchor's own: column k gathers row k of `turn`.
    let row = |x: T, y: T, z: T| ma[0] * x + ma[1] * y + ma[2] * z;
    let own = [row(turn[0].x, turn[1].x, turn[2].x), row(turn[0].y, turn[1].y, turn[2].y), row(turn[0].z, turn[1].z, turn[2].z)];
    let (ja, jb) = (edge_columns(a, own), edge_columns(b, mb));
    let s = add_side(add_side(Sym3::diagonal(rest.compliance), &ja, wa), &jb, wb);
    let dl = s.solve((c.scale_by(rest.stiffness) + rest.compliance.scale_by(lambda)) * -rest.on);
    AnchorSolved { anchor: edge_moves(a, &ja, wa, dl), edge: edge_moves(b, &jb, wb, dl), lambda: lambda + dl }
}

/// The inverse inertia of three points about the axes of their frame `a` turned by `turn`, (kg m²)⁻¹: how they give to each row of
/// [`anchor_bend_twist`] where that is fulfilled.
pub fn anchor_turn<T: Real>(a: &EdgeFrame<T>, turn: [Vec3<T>; 3], wa: EdgeWeights<T>) -> Vec3<T> {
    let row = |k: fn(&Vec3<T>) -> T| vec3(k(&turn[0]), k(&turn[1]), k(&turn[2]));
    let ja = edge_columns(a, [row(|c| c.x), row(|c| c.y), row(|c| c.z)]);
    let s = add_side(Sym3::diagonal(Vec3::zero()), &ja, wa);
    vec3(s.xx, s.yy, s.zz)
}

/// Corrections of the end edge, the angular impulse on the body, and the multipliers.
#[derive(Clone, Copy)]
pub struct BodySolved<T> {
    pub angular: Vec3<T>,
    pub edge: [Vec3<T>; 3],
    pub lambda: Vec3<T>,
}

/// Eqs. 22 and 23 with a rigid body as the anchor: `axes` are its frame, `inertia` its inverse inertia in world axes.
#[inline(always)]
pub fn body_bend_twist<T: Real>(
    axes: [Vec3<T>; 3],
    inertia: Sym3<T>,
    turn: [Vec3<T>; 3],
    b: &EdgeFrame<T>,
    wb: EdgeWeights<T>,
    rest: BendTwistRest<T>,
    lambda: Vec3<T>,
) -> BodySolved<T> {
    let axis = |c: Vec3<T>| axes[0] * c.x + axes[1] * c.y + axes[2] * c.z;
    let turned = EdgeFrame::fixed([axis(turn[0]), axis(turn[1]), axis(turn[2])]);
    let r = rodrigues(&turned, b);
    let c = r.half * T::constant(2.0) - rest.psi;
    let (ma, mb) = rodrigues_jacobians(r.half);
    // Rows of ∂Ψ/∂θ in world axes: Σ_k ma_k (turned axis k)ᵀ.
    let (d1, d2, d3) = (turned.d1, turned.d2, turned.d3);
    let rows = [
        d1 * ma[0].x + d2 * ma[1].x + d3 * ma[2].x,
        d1 * ma[0].y + d2 * ma[1].y + d3 * ma[2].y,
        d1 * ma[0].z + d2 * ma[1].z + d3 * ma[2].z,
    ];
    let turns = [inertia.mul(rows[0]), inertia.mul(rows[1]), inertia.mul(rows[2])];
    let body = Sym3 {
        xx: rows[0].dot(turns[0]),
        xy: rows[0].dot(turns[1]),
        xz: rows[0].dot(turns[2]),
        yy: rows[1].dot(turns[1]),
        yz: rows[1].dot(turns[2]),
        zz: rows[2].dot(turns[2]),
    };
    let jb = edge_columns(b, mb);
    let s = add_side(Sym3::diagonal(rest.compliance).add(body), &jb, wb);
    let dl = s.solve((c.scale_by(rest.stiffness) + rest.compliance.scale_by(lambda)) * -rest.on);
    let angular = rows[0] * dl.x + rows[1] * dl.y + rows[2] * dl.z;
    BodySolved { angular, edge: edge_moves(b, &jb, wb, dl), lambda: lambda + dl }
}

/// Eq. 24 with both sides movable: Σ bᵢ aᵢ = p. Corrections of the three points and of p.
#[inline(always)]
pub fn anchor_position<T: Real>(a: [Vec3<T>; 3], bary: Vec3<T>, w: Vec3<T>, p: Vec3<T>, wp: T) -> ([Vec3<T>; 3], Vec3<T>) {
    let gap = a[0] * bary.x + a[1] * bary.y + a[2] * bary.z - p;
    let weight = w.x * bary.x * bary.x + w.y * bary.y * bary.y + w.z * bary.z * bary.z + wp;
    let pull = gap * (T::one() / weight.max(T::constant(1e-30)));
    ([pull * -(w.x * bary.x), pull * -(w.y * bary.y), pull * -(w.z * bary.z)], pull * wp)
}

/// |q − p| = length with compliance/h². Corrections of p and q, and the multiplier.
#[inline(always)]
pub fn distance<T: Real>(d: Vec3<T>, length: T, wp: T, wq: T, compliance: T, lambda: T) -> (Vec3<T>, Vec3<T>, T) {
    let l = d.length2().max(T::constant(1e-18)).sqrt();
    let weight = (wp + wq + compliance).max(T::constant(1e-30));
    let dl = -((l - length) + compliance * lambda) / weight;
    let pull = d * (dl / l);
    (-(pull * wp), pull * wq, lambda + dl)
}

/// (q − p)·(r − p) = 0: the right angle of a junction's body (as eq. 19). Corrections of p, q, r.
#[inline(always)]
pub fn right_angle<T: Real>(q: Vec3<T>, r: Vec3<T>, wp: T, wq: T, wr: T) -> [Vec3<T>; 3] {
    let gp = -(q + r);
    let weight = wp * gp.length2() + wq * r.length2() + wr * q.length2();
    let s = -q.dot(r) / weight.max(T::constant(1e-30));
    [gp * (s * wp), r * (s * wq), q * (s * wr)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;
    use crate::math::rng::Rng;

    type D = Dual<18>;

    fn psi<T: Real>(p: &[Vec3<T>; 6], turn: [Vec3<T>; 3]) -> Vec3<T> {
        let half = T::constant(0.5);
        let frame = |p: &[Vec3<T>]| edge_frame(p[1] - p[0], p[2] - (p[0] + p[1]) * half);
        let (a, b) = (frame(&p[..3]), frame(&p[3..]));
        let axis = |c: Vec3<T>| a.d1 * c.x + a.d2 * c.y + a.d3 * c.z;
        rodrigues(&EdgeFrame { d1: axis(turn[0]), d2: axis(turn[1]), d3: axis(turn[2]), ..a }, &b).half * T::constant(2.0)
    }

    /// The corrections are w ∂Ψ/∂pᵀ Δλ for the derivatives of the frames themselves, so a small error falls quadratically,
    /// and both momenta stay.
    #[test]
    fn the_anchor_block_follows_the_exact_gradient() {
        let mut rng = Rng::new(5);
        let mut random = || vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        for _ in 0..200 {
            let base = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.2, 1.0, 0.0)];
            let p: [Vec3<f64>; 6] = core::array::from_fn(|i| base[i % 3] + random() * 0.2);
            let f = edge_frame(vec3(1.0, 0.0, 0.0) + random(), vec3(0.0, 0.0, 1.0) + random() * 0.3);
            let turn = [f.d1, f.d2, f.d3];
            let dual: [Vec3<D>; 6] = core::array::from_fn(|i| {
                vec3(D::variable(p[i].x, 3 * i), D::variable(p[i].y, 3 * i + 1), D::variable(p[i].z, 3 * i + 2))
            });
            let exact = psi(&dual, turn.map(|c| c.map(D::constant)));
            let frame = |p: &[Vec3<f64>]| edge_frame(p[1] - p[0], p[2] - (p[0] + p[1]) * 0.5);
            let one = EdgeWeights { w0: 1.0, w1: 1.0, wg: 1.0 };
            let here = psi(&p, turn);
            if here.length() > 20.0 {
                continue;
            }
            for row in 0..3 {
                // With an all but infinite compliance Δλ is −C/a: aim it at one row to read off that row's gradient.
                let a = 1e15;
                let mut goal = here.to_array();
                goal[row] += a;
                let rest = BendTwistRest { psi: goal.into(), stiffness: vec3(1.0, 1.0, 1.0), compliance: vec3(a, a, a), on: 1.0 };
                let s = anchor_bend_twist(&frame(&p[..3]), turn, &frame(&p[3..]), one, one, rest, Vec3::zero());
                let gradient = [exact.x, exact.y, exact.z][row].grad;
                for (i, d) in s.anchor.into_iter().chain(s.edge).enumerate() {
                    for (k, d) in d.to_array().into_iter().enumerate() {
                        let g = gradient[3 * i + k];
                        assert!((d - g).abs() < 1e-9 * (1.0 + g.abs()) * (1.0 + here.length2()), "row {row} point {i}: {d} {g}");
                    }
                }
            }
        }
    }
}
