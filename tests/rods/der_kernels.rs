//! Discrete elastic rods: gradients and Hessians against dual numbers and differences of them, on random and extreme states.

#![allow(clippy::needless_range_loop)]

use withy::math::approx::angle;
use withy::math::vec3::vec3;
use withy::math::{Dual, Real, Vec3, rng::Rng};
use withy::rods::der::kernels::*;

/// What an element is evaluated at: two edges with their frames, rest values.
struct State {
    e: Vec3<f64>,
    f: Vec3<f64>,
    frame_e: Frame<f64>,
    frame_f: Frame<f64>,
    rest: ElementRest<f64>,
    rest_length: f64,
    ea: f64,
}

fn lift<const N: usize>(v: Vec3<f64>) -> Vec3<Dual<N>> {
    v.map(Dual::constant)
}

fn lift_frame<const N: usize>(f: &Frame<f64>) -> Frame<Dual<N>> {
    Frame { m1: lift(f.m1), m2: lift(f.m2), t: lift(f.t) }
}

/// An edge displaced by z₀..z₂ and turned by z₃, its frame transported from where it was.
fn moved<T: Real>(e: Vec3<T>, frame: &Frame<T>, z: &[T]) -> (T, Frame<T>) {
    let (length, t) = direction(e + vec3(z[0], z[1], z[2]));
    // sin and cos to the order that second derivatives at small angles see.
    let z2 = z[3] * z[3];
    let sin = z[3] * (T::one() - z2 * T::constant(1.0 / 6.0) + z2 * z2 * T::constant(1.0 / 120.0));
    let cos = T::one() - z2 * T::constant(0.5) + z2 * z2 * T::constant(1.0 / 24.0);
    (length, frame.transported(t, (sin, cos)))
}

impl State {
    fn random(rng: &mut Rng, size: f64, bent: f64, stress: f64) -> State {
        let mut v = |s: f64| vec3(rng.range(-s, s), rng.range(-s, s), rng.range(-s, s));
        let (e, turn, axis) = (v(size), v(bent), v(1.0));
        let (le, te) = direction(e);
        let (_, tf) = direction(te + turn);
        let f = tf * (le * 1.3);
        let frame = |t: Vec3<f64>, a: Vec3<f64>| {
            let m1 = direction(a - t * t.dot(a)).1;
            Frame { m1, m2: t.cross(m1), t }
        };
        let (frame_e, frame_f) = (frame(te, axis), frame(tf, axis + v(0.5)));
        let mut kappa = Relative::new(&frame_e, &frame_f).curvature();
        for k in &mut kappa {
            *k += rng.range(-stress, stress);
        }
        let rest = ElementRest { kappa, twist: rng.range(-stress, stress), bend: [1.7, 0.6, 1.7, 0.6], turn: 0.9 };
        State { e, f, frame_e, frame_f, rest, rest_length: le * (1.0 + rng.range(-0.2, 0.2) * stress), ea: 3.0 }
    }

    /// The second edge's frame turned about it, until the element's twist is `angle`.
    fn twisted(mut self, angle: f64) -> State {
        let (s, c) = Relative::new(&self.frame_e, &self.frame_f).twist();
        let turn = angle - s.atan2(c);
        let (sin, cos) = turn.sin_cos();
        let Frame { m1, m2, t } = self.frame_f;
        self.frame_f = Frame { m1: m1 * cos + m2 * sin, m2: m2 * cos - m1 * sin, t };
        self
    }

    /// The second edge, with its frame, turned about the axis of the bend until that is `angle`.
    fn bent_by(mut self, angle: f64) -> State {
        let (te, tf) = (self.frame_e.t, self.frame_f.t);
        let axis = direction(te.cross(tf)).1;
        let (sin, cos) = (angle - te.cross(tf).length().atan2(te.dot(tf))).sin_cos();
        let turned = |v: Vec3<f64>| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
        self.f = turned(self.f);
        self.frame_f = Frame { m1: turned(self.frame_f.m1), m2: turned(self.frame_f.m2), t: turned(tf) };
        self
    }

    fn darboux_energy<const N: usize>(&self, z: [Dual<N>; 8]) -> Dual<N> {
        let c = |v: f64| Dual::<N>::constant(v);
        let (_, fe) = moved(lift(self.e), &lift_frame(&self.frame_e), &z[..4]);
        let (_, ff) = moved(lift(self.f), &lift_frame(&self.frame_f), &z[4..]);
        let psi = Relative::new(&fe, &ff).half_darboux() * c(2.0);
        let d = [psi.x - c(self.rest.kappa[0]), psi.y - c(self.rest.kappa[1]), psi.z - c(self.rest.twist)];
        c(0.5) * (c(self.rest.bend[0]) * d[0] * d[0] + c(self.rest.bend[1]) * d[1] * d[1] + c(self.rest.turn) * d[2] * d[2])
    }

    /// The element's energy with half of its edges' stretching, displaced by `z` (δe, θ_e, δf, θ_f).
    fn energy<const N: usize>(&self, z: [Dual<N>; 8]) -> Dual<N> {
        let c = |v: f64| Dual::<N>::constant(v);
        let (le, fe) = moved(lift(self.e), &lift_frame(&self.frame_e), &z[..4]);
        let (lf, ff) = moved(lift(self.f), &lift_frame(&self.frame_f), &z[4..]);
        let q = Relative::new(&fe, &ff);
        let (k, (s, co)) = (q.curvature(), q.twist());
        let dm = angle(s, co) - c(self.rest.twist);
        let mut sum = c(self.rest.turn) * dm * dm;
        for j in 0..4 {
            let d = k[j] - c(self.rest.kappa[j]);
            sum = sum + c(self.rest.bend[j]) * d * d;
        }
        let half = c(0.5);
        let (rest, ea) = (c(self.rest_length), c(self.ea));
        half * (sum + stretch(le, rest, ea / rest).energy + stretch(lf, rest, ea / rest).energy)
    }

    fn dual_gradient(&self, z: [f64; 8]) -> [f64; 8] {
        let mut i = 0;
        self.energy(z.map(|v| {
            i += 1;
            Dual::<8>::variable(v, i - 1)
        }))
        .grad
    }

    /// Gradient and Hessian as the kernels give them, along δe, θ_e, δf, θ_f.
    fn kernels(&self) -> ([f64; 8], [[f64; 8]; 8], LocalHessian<f64>) {
        let ((le, _), (lf, _)) = (direction(self.e), direction(self.f));
        let q = Relative::new(&self.frame_e, &self.frame_f);
        let kappa = q.curvature();
        let (s, c) = q.twist();
        let g = q.gradients(kappa);
        let element = bend_twist(&q, kappa, angle(s, c), &g, &self.rest);
        let mut form = element.gauss_newton;
        for (a, b) in [
            (&mut form.xx, element.second.xx),
            (&mut form.xy, element.second.xy),
            (&mut form.xz, element.second.xz),
            (&mut form.yy, element.second.yy),
            (&mut form.yz, element.second.yz),
            (&mut form.zz, element.second.zz),
        ] {
            *a += b;
        }
        let mut local = local_hessian(&q, &form, element.moment, true);
        let edges = (&self.frame_e, 1.0 / le, &self.frame_f, 1.0 / lf);
        let gauss_newton = local_hessian(&q, &element.gauss_newton, element.moment, false);
        for (h, leaning) in [(&local, true), (&gauss_newton, false)] {
            let all = world_hessian(h, edges.0, edges.1, edges.2, edges.3);
            let own = world_hessian_of(h, edges.0, edges.1, edges.2, edges.3, leaning);
            assert_eq!(format!("{all:?}").replace("-0.0,", "0.0,"), format!("{own:?}").replace("-0.0,", "0.0,"));
        }
        let k = self.ea / self.rest_length;
        let (se, sf) = (stretch(le, self.rest_length, k), stretch(lf, self.rest_length, k));
        add_half_stretch(&mut local.ee, le, &se);
        add_half_stretch(&mut local.ff, lf, &sf);
        let w = world_hessian(&local, &self.frame_e, 1.0 / le, &self.frame_f, 1.0 / lf);

        let (ge, gf) = local_gradient(&q, element.moment);
        let force = |frame: &Frame<f64>, g: [f64; 4], l: f64, s: &Stretch<f64>| {
            (frame.world(vec3(g[0], g[1], g[2])) * (1.0 / l) + frame.t * (0.5 * s.tension)).to_array()
        };
        let (a, b) = (force(&self.frame_e, ge, le, &se), force(&self.frame_f, gf, lf, &sf));
        let gradient = [a[0], a[1], a[2], ge[3], b[0], b[1], b[2], gf[3]];
        let mut h = [[0.0; 8]; 8];
        for i in 0..3 {
            let (ee, ef, ff) = (w.ee[i].to_array(), w.ef[i].to_array(), w.ff[i].to_array());
            for j in 0..3 {
                h[i][j] = ee[j];
                (h[i][4 + j], h[4 + j][i]) = (ef[j], ef[j]);
                h[4 + i][4 + j] = ff[j];
            }
            for (column, angle) in [(3, 0), (7, 1)] {
                let (e, f) = (w.e_angles[angle].to_array()[i], w.f_angles[angle].to_array()[i]);
                (h[i][column], h[column][i]) = (e, e);
                (h[4 + i][column], h[column][4 + i]) = (f, f);
            }
        }
        (h[3][3], h[3][7], h[7][3], h[7][7]) = (w.angles[0], w.angles[1], w.angles[1], w.angles[2]);
        (gradient, h, local)
    }

    fn check(&self, what: &str) {
        let (gradient, hessian, _) = self.kernels();
        let exact = self.dual_gradient([0.0; 8]);
        let scale = exact.iter().fold(1e-12, |m: f64, v| m.max(v.abs()));
        for i in 0..8 {
            assert!((gradient[i] - exact[i]).abs() < 1e-11 * scale, "{what}: gradient {i}: {} {}", gradient[i], exact[i]);
        }
        // Displacements and turns have blocks of their own size. What cancels in a block is of the size of the geometric mean of the
        // diagonal blocks that it lies between.
        let block = |i: usize, j: usize| {
            let largest = |a: usize, b: usize| {
                let rows = if a == 3 { vec![3, 7] } else { vec![0, 1, 2, 4, 5, 6] };
                let columns = if b == 3 { vec![3, 7] } else { vec![0, 1, 2, 4, 5, 6] };
                rows.iter()
                    .flat_map(|&r| columns.iter().map(move |&c| (r, c)))
                    .fold(0.0, |m: f64, (r, c)| m.max(hessian[r][c].abs()))
            };
            let kind = |k: usize| if k % 4 == 3 { 3 } else { 0 };
            (largest(kind(i), kind(i)) * largest(kind(j), kind(j))).sqrt()
        };
        let length = self.e.length();
        for j in 0..8 {
            // Central differences of sixth order over a step that is small against the edge, or against a radian.
            let step = if j % 4 == 3 { 2e-3 } else { 2e-3 * length };
            let at = |k: f64| {
                let mut z = [0.0; 8];
                z[j] = k * step;
                self.dual_gradient(z)
            };
            let p = [1.0, 2.0, 3.0].map(|k| (at(k), at(-k)));
            for i in 0..8 {
                let d = |k: usize| p[k].0[i] - p[k].1[i];
                let got = (45.0 * d(0) - 9.0 * d(1) + d(2)) / (60.0 * step);
                let error = (got - hessian[i][j]).abs();
                let size = block(i, j);
                assert!(error < 1e-8 * size, "{what}: Hessian {i},{j}: {} against {got} of {size}", hessian[i][j]);
            }
        }
    }
}

#[test]
fn derivatives_agree_with_dual_numbers() {
    let mut rng = Rng::new(7);
    for i in 0..200 {
        State::random(&mut rng, 0.01 * (1 + i % 7) as f64, 0.8, 0.5).check("random");
    }
}

#[test]
fn derivatives_agree_on_extreme_states() {
    let mut rng = Rng::new(11);
    for _ in 0..40 {
        State::random(&mut rng, 1e-5, 0.3, 0.2).check("tiny edges");
        State::random(&mut rng, 1e3, 0.3, 0.2).check("long edges");
        State::random(&mut rng, 0.01, 1e-9, 1e-9).check("straight");
        State::random(&mut rng, 0.01, 0.5, 5.0).check("far from rest");
        State::random(&mut rng, 0.01, 3.0, 0.5).check("sharp bends");
    }
    // Just short of a half turn of twist, on either side, and bent by up to 168°, where curvature is 19 and its slope 180.
    for k in 0..40 {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        State::random(&mut rng, 0.01, 0.8, 0.5).twisted(sign * rng.range(3.0, 3.12)).check("half turns");
        State::random(&mut rng, 0.01, 0.8, 0.5).bent_by(rng.range(2.6, 2.93)).check("nearly folded");
        State::random(&mut rng, 0.01, 0.8, 0.5).bent_by(rng.range(2.0, 2.6)).twisted(sign * 3.1).check("both");
    }
}

/// The form that replaces an indefinite one has no negative pivot.
#[test]
fn gauss_newton_is_never_indefinite() {
    let mut rng = Rng::new(5);
    let mut indefinite = 0;
    for _ in 0..200 {
        let s = State::random(&mut rng, 0.01, 1.0, 2.0);
        let q = Relative::new(&s.frame_e, &s.frame_f);
        let kappa = q.curvature();
        let (sin, cos) = q.twist();
        let g = q.gradients(kappa);
        let element = bend_twist(&q, kappa, angle(sin, cos), &g, &s.rest);
        let safe = local_hessian(&q, &element.gauss_newton, element.moment, false);
        assert!(smallest_pivot(&safe) > -1e-12, "{}", smallest_pivot(&safe));
        indefinite += (smallest_pivot(&s.kernels().2) <= 0.0) as u32;
    }
    assert!(indefinite > 20, "the states are not hard enough: {indefinite}");
}

/// A rod that is turned and moved as a whole has the same energy; its forces turn with it: the gradient is orthogonal to
/// rigid motions.
#[test]
fn forces_make_no_net_torque() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let s = State::random(&mut rng, 0.02, 0.8, 0.5);
        let (g, ..) = s.kernels();
        let (fe, ff) = (vec3(g[0], g[1], g[2]), vec3(g[4], g[5], g[6]));
        let torque = s.e.cross(fe) + s.f.cross(ff) + s.frame_e.t * g[3] + s.frame_f.t * g[7];
        let size = s.e.length() * fe.length() + s.f.length() * ff.length() + g[3].abs();
        assert!(torque.length() < 1e-12 * size, "{torque:?}");
    }
}

/// The Darboux vector's element: its gradient and its Hessian in the edges' own coordinates.
fn check_darboux(s: &State, what: &str) {
    let q = Relative::new(&s.frame_e, &s.frame_f);
    let psi = q.half_darboux() * 2.0;
    let element = bend_twist_darboux(&q, &[psi.x, psi.y, 0.0, 0.0, psi.z], &s.rest);
    let h = true_hessian(&q, &element);
    let (ge, gf) = local_gradient(&q, element.moment);
    // a = Dᵀ δe/|e|: in these coordinates the differences are of order one.
    let (le, lf) = (s.e.length(), s.f.length());
    let at = |y: [f64; 8]| {
        let (a, b) = (s.frame_e.world(vec3(y[0], y[1], y[2])) * le, s.frame_f.world(vec3(y[4], y[5], y[6])) * lf);
        let z = [a.x, a.y, a.z, y[3], b.x, b.y, b.z, y[7]];
        let mut k = 0;
        let g = s.darboux_energy(z.map(|v| {
            k += 1;
            Dual::<8>::variable(v, k - 1)
        }));
        let (ga, gb) = (vec3(g.grad[0], g.grad[1], g.grad[2]), vec3(g.grad[4], g.grad[5], g.grad[6]));
        let (ga, gb) = (s.frame_e.local(ga) * le, s.frame_f.local(gb) * lf);
        [ga.x, ga.y, ga.z, g.grad[3], gb.x, gb.y, gb.z, g.grad[7]]
    };
    let exact = at([0.0; 8]);
    let scale = exact.iter().fold(1e-12, |m: f64, v| m.max(v.abs()));
    for k in 0..4 {
        let error = (ge[k] - exact[k]).abs().max((gf[k] - exact[4 + k]).abs());
        assert!(error < 1e-11 * scale, "{what}: gradient {k}: {error} of {scale}");
    }
    let block = |k: usize, j: usize| match (k < 4, j < 4) {
        (true, true) => h.ee[k][j],
        (true, false) => h.ef[k][j - 4],
        (false, true) => h.ef[j][k - 4],
        (false, false) => h.ff[k - 4][j - 4],
    };
    let size = (0..64).fold(0.0, |m: f64, i| m.max(block(i / 8, i % 8).abs()));
    // Ψ = 2 tan(φ/2) is infinite at half a turn: steps that are small against what is left of it.
    let step = 2e-3 / (1.0 + 0.25 * psi.length2());
    for j in 0..8 {
        let p = [1.0, 2.0, 3.0].map(|k| {
            let mut y = [0.0; 8];
            y[j] = k * step;
            (at(y), at(y.map(|v| -v)))
        });
        for k in 0..8 {
            let d = |m: usize| p[m].0[k] - p[m].1[k];
            let got = (45.0 * d(0) - 9.0 * d(1) + d(2)) / (60.0 * step);
            let error = (got - block(k, j)).abs();
            assert!(
                error < 1e-8 * size,
                "{what}, |Ψ| {:.2}: Hessian {k},{j}: {} against {got} of {size}",
                psi.length(),
                block(k, j)
            );
        }
    }
}

#[test]
fn darboux_derivatives_agree_with_dual_numbers() {
    let mut rng = Rng::new(23);
    let mut sharpest: f64 = 0.0;
    for i in 0..100 {
        check_darboux(&State::random(&mut rng, 0.02, if i % 2 == 0 { 0.8 } else { 2.0 }, 0.5), "random");
    }
    for _ in 0..40 {
        check_darboux(&State::random(&mut rng, 1e-5, 0.3, 0.2), "tiny edges");
        check_darboux(&State::random(&mut rng, 1e3, 0.3, 0.2), "long edges");
        check_darboux(&State::random(&mut rng, 0.01, 1e-9, 1e-9), "straight");
        check_darboux(&State::random(&mut rng, 0.01, 0.5, 5.0), "far from rest");
        let s = State::random(&mut rng, 0.01, 3.0, 0.5);
        sharpest = sharpest.max(Relative::new(&s.frame_e, &s.frame_f).half_darboux().length());
        check_darboux(&s, "sharp bends");
    }
    // tan(70°)
    assert!(sharpest > 2.7, "no bend is sharp: {sharpest}");
}
