//! The closed-form Jacobian of the bend-twist block against dual numbers through the frames themselves.

use withy::math::vec3::vec3;
use withy::math::{Dual, Real, Vec3};
use withy::rods::ghost::kernels::*;

type D = Dual<15>;

fn splitmix(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e3779b97f4a7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
}

/// p0, p1, p2, ga, gb of a random element that is neither straight nor kinked.
fn random_element(seed: &mut u64, bend: f64) -> [Vec3<f64>; 5] {
    let mut r = || vec3(splitmix(seed), splitmix(seed), splitmix(seed));
    let (p0, d) = (r(), vec3(1.0, 0.2, -0.1));
    let p1 = p0 + d + r() * 0.1;
    let p2 = p1 + d + r() * bend;
    let up = vec3(0.1, 0.3, 1.0);
    [p0, p1, p2, (p0 + p1) * 0.5 + up + r() * 0.3, (p1 + p2) * 0.5 + up + r() * bend]
}

fn psi<T: Real>(p: &[Vec3<T>; 5]) -> Vec3<T> {
    let half = T::constant(0.5);
    let a = edge_frame(p[1] - p[0], p[3] - (p[0] + p[1]) * half);
    let b = edge_frame(p[2] - p[1], p[4] - (p[1] + p[2]) * half);
    rodrigues(&a, &b).half * T::constant(2.0)
}

#[test]
fn bend_twist_jacobian_equals_dual_numbers() {
    let mut seed = 1;
    for trial in 0..500 {
        let p = random_element(&mut seed, if trial % 5 == 0 { 1.5 } else { 0.5 });
        let dual: [Vec3<D>; 5] = core::array::from_fn(|i| {
            vec3(D::variable(p[i].x, 3 * i), D::variable(p[i].y, 3 * i + 1), D::variable(p[i].z, 3 * i + 2))
        });
        let exact = psi(&dual);
        let a = edge_frame(p[1] - p[0], p[3] - (p[0] + p[1]) * 0.5);
        let b = edge_frame(p[2] - p[1], p[4] - (p[1] + p[2]) * 0.5);
        let r = rodrigues(&a, &b);
        let (ma, mb) = rodrigues_jacobians(r.half);
        let (ja, jb) = (edge_columns(&a, ma), edge_columns(&b, mb));
        let pick = |v: Vec3<f64>, row: usize| v.to_array()[row];
        let scale = 1.0 + r.half.length2();
        for (row, exact) in [exact.x, exact.y, exact.z].into_iter().enumerate() {
            let gradient = [
                b_neg(&a, &ja, row),
                a.d1 * pick(ja.b, row) + a.d2 * pick(ja.c1, row) + b_neg(&b, &jb, row),
                b.d1 * pick(jb.b, row) + b.d2 * pick(jb.c1, row),
                a.d2 * pick(ja.t, row),
                b.d2 * pick(jb.t, row),
            ];
            for (i, g) in gradient.into_iter().enumerate() {
                for (k, g) in g.to_array().into_iter().enumerate() {
                    let d = exact.grad[3 * i + k];
                    assert!(
                        (g - d).abs() <= 1e-12 * scale * (1.0 + d.abs()) * 10.0,
                        "trial {trial} row {row} point {i}.{k}: {g} against {d}"
                    );
                }
            }
        }
    }

    fn b_neg(f: &EdgeFrame<f64>, j: &EdgeColumns<f64>, row: usize) -> Vec3<f64> {
        f.d2 * j.c0.to_array()[row] - f.d1 * j.b.to_array()[row]
    }
}

#[test]
fn rodrigues_is_two_tan_half_angle() {
    for degrees in [1.0f64, 30.0, 90.0, 150.0, 179.0] {
        let t = degrees.to_radians();
        let a = EdgeFrame::fixed([vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)]);
        let (s, c) = t.sin_cos();
        // A turn by t about d³.
        let b = EdgeFrame::fixed([vec3(c, s, 0.0), vec3(-s, c, 0.0), vec3(0.0, 0.0, 1.0)]);
        let got = rodrigues(&a, &b).half.z;
        assert!((got - (t / 2.0).tan()).abs() < 1e-9 * got.abs(), "{degrees}: {got}");
    }
}

/// Without compliance one block solve removes the linearised error: a small error must fall quadratically.
#[test]
fn one_solve_leaves_a_second_order_error() {
    let mut seed = 7;
    for _ in 0..200 {
        let mut p = random_element(&mut seed, 0.4);
        let rest = psi(&p);
        for q in &mut p {
            *q = *q + vec3(splitmix(&mut seed), splitmix(&mut seed), splitmix(&mut seed)) * 1e-4;
        }
        let before = (psi(&p) - rest).length();
        let a = edge_frame(p[1] - p[0], p[3] - (p[0] + p[1]) * 0.5);
        let b = edge_frame(p[2] - p[1], p[4] - (p[1] + p[2]) * 0.5);
        let (wa, wb) = (EdgeWeights { w0: 1.0, w1: 2.0, wg: 3.0 }, EdgeWeights { w0: 2.0, w1: 0.5, wg: 1.5 });
        let one = vec3(1.0, 1.0, 1.0);
        let r = BendTwistRest { psi: rest, stiffness: one, compliance: Vec3::zero(), on: 1.0 };
        let s = bend_twist(&a, &b, wa, wb, r, Vec3::zero());
        let q = [p[0] + s.a0, p[1] + s.shared, p[2] + s.b1, p[3] + s.ag, p[4] + s.bg];
        let after = (psi(&q) - rest).length();
        assert!(after < 1e-3 * before, "{before} -> {after}");
        // Linear and angular momentum: Σ m Δp = 0, Σ m p × Δp = 0.
        let m = [1.0, 0.5, 2.0, 1.0 / 3.0, 1.0 / 1.5];
        let d = [s.a0, s.shared, s.b1, s.ag, s.bg];
        let (mut lin, mut ang) = (Vec3::zero(), Vec3::zero());
        for i in 0..5 {
            lin = lin + d[i] * m[i];
            ang = ang + p[i].cross(d[i]) * m[i];
        }
        assert!(lin.length() < 1e-15 && ang.length() < 1e-15, "{lin:?} {ang:?}");
    }
}
