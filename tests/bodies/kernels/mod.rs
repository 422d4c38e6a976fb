//! Rigid bodies' kernels against constraints written down another way: rows against dual numbers, masses and springs against
//! nalgebra, spins against Runge-Kutta, arcs against circles and beams. Momenta, energies, extremes.

#![allow(clippy::needless_range_loop)]

mod arcs;
mod contacts;
mod momenta;
mod moving;
mod rows;
mod springs;

use arcs::{ArcCase, no_arc, strain};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, SMatrix, SVector, Vector3, Vector6};
use rows::{contact, no_contact};
use withy::bodies::elements::*;
use withy::bodies::kernels::*;
use withy::math::approx::angle;
use withy::math::vec3::vec3;
use withy::math::{Dual, Elem, Gather, Quat, Real, Sym3, Vec3, rng::Rng};

type D = Dual<12>;
/// Derivatives by the turn and the place of body a, then of b: x_a, φ_a, x_b, φ_b.
type Row12 = [f64; 12];

#[derive(Clone, Copy)]
struct Body<T> {
    x: Vec3<T>,
    q: Quat<T>,
    /// Inverse mass, inverse principal moments.
    mass: T,
    moments: Vec3<T>,
    m: Motion<T>,
}

fn v3(rng: &mut Rng, s: f64) -> Vec3<f64> {
    vec3(rng.range(-s, s), rng.range(-s, s), rng.range(-s, s))
}

fn unit(rng: &mut Rng) -> Vec3<f64> {
    v3(rng, 1.0).normalized_or(vec3(1.0, 0.0, 0.0))
}

fn turn(axis: Vec3<f64>, by: f64) -> Quat<f64> {
    let (s, c) = (0.5 * by).sin_cos();
    Quat { x: axis.x * s, y: axis.y * s, z: axis.z * s, w: c }
}

fn rotation(rng: &mut Rng) -> Quat<f64> {
    let axis = unit(rng);
    turn(axis, rng.range(-3.0, 3.0))
}

impl Body<f64> {
    fn random(rng: &mut Rng) -> Self {
        Body {
            x: v3(rng, 2.0),
            q: rotation(rng),
            mass: rng.range(0.1, 2.0),
            moments: vec3(rng.range(0.5, 20.0), rng.range(0.5, 20.0), rng.range(0.5, 20.0)),
            m: Motion { v: v3(rng, 3.0), w: v3(rng, 5.0) },
        }
    }
    fn at<T: Elem>(&self) -> Body<T> {
        let v = |v: Vec3<f64>| v.map(T::from_f64);
        let q = self.q;
        Body {
            x: v(self.x),
            q: Quat { x: T::from_f64(q.x), y: T::from_f64(q.y), z: T::from_f64(q.z), w: T::from_f64(q.w) },
            mass: T::from_f64(self.mass),
            moments: v(self.moments),
            m: Motion { v: v(self.m.v), w: v(self.m.w) },
        }
    }
    /// Inertia about the centre of mass, world axes.
    fn inertia(&self) -> Matrix3<f64> {
        let f = frame(self.q);
        f * Matrix3::from_diagonal(&Vector3::new(1.0 / self.moments.x, 1.0 / self.moments.y, 1.0 / self.moments.z))
            * f.transpose()
    }
    /// Linear momentum, and angular about the origin.
    fn momentum(&self) -> (Vector3<f64>, Vector3<f64>) {
        let p = na(self.m.v) / self.mass;
        (p, na(self.x).cross(&p) + self.inertia() * na(self.m.w))
    }
    fn energy(&self) -> f64 {
        let w = na(self.m.w);
        0.5 * (self.m.v.length2() / self.mass + w.dot(&(self.inertia() * w)))
    }
    /// Displaced by z₀..z₂ and turned by z₃..z₅.
    fn moved(&self, z: [D; 6]) -> (Vec3<D>, Quat<D>) {
        let (c, half) = (|v: f64| D::constant(v), D::constant(0.5));
        let q = Quat { x: c(self.q.x), y: c(self.q.y), z: c(self.q.z), w: c(self.q.w) };
        let d = Quat { x: z[3] * half, y: z[4] * half, z: z[5] * half, w: c(0.0) }.compose(q);
        (lift(self.x) + vec3(z[0], z[1], z[2]), Quat { x: q.x + d.x, y: q.y + d.y, z: q.z + d.z, w: q.w + d.w })
    }
}

impl<T: Real> Body<T> {
    fn place(&self) -> Place<T> {
        Place { x: self.x, q: self.q, inertia: Inertia::new(self.mass, self.moments, self.q) }
    }
}

fn na(v: Vec3<f64>) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

fn back(v: Vector3<f64>) -> Vec3<f64> {
    vec3(v.x, v.y, v.z)
}

fn frame(q: Quat<f64>) -> Matrix3<f64> {
    Matrix3::from_columns(&q.frame().map(na))
}

fn sym(s: Sym3<f64>) -> Matrix3<f64> {
    Matrix3::new(s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz)
}

fn lift(v: Vec3<f64>) -> Vec3<D> {
    v.map(D::constant)
}

/// A constraint's value and its gradient.
fn gradient(a: &Body<f64>, b: &Body<f64>, c: impl Fn((Vec3<D>, Quat<D>), (Vec3<D>, Quat<D>)) -> D) -> (f64, Row12) {
    let z: [D; 12] = core::array::from_fn(|i| D::variable(0.0, i));
    let r = c(a.moved(core::array::from_fn(|i| z[i])), b.moved(core::array::from_fn(|i| z[6 + i])));
    (r.value, r.grad)
}

fn row12(xa: Vec3<f64>, pa: Vec3<f64>, xb: Vec3<f64>, pb: Vec3<f64>) -> Row12 {
    let mut all = [0.0; 12];
    for (k, v) in [xa, pa, xb, pb].into_iter().enumerate() {
        all[3 * k..3 * k + 3].copy_from_slice(&v.to_array());
    }
    all
}

/// A row on the relative spin alone.
fn angular12(axis: Vec3<f64>) -> Row12 {
    row12(Vec3::zero(), -axis, Vec3::zero(), axis)
}

#[track_caller]
fn assert_row(got: Row12, want: Row12, tolerance: f64, what: &str) {
    let size = want.iter().fold(1e-3, |m: f64, v| m.max(v.abs()));
    for k in 0..12 {
        assert!((got[k] - want[k]).abs() <= tolerance * size, "{what}, {k}: {} for {}\n{got:?}\n{want:?}", got[k], want[k]);
    }
}

#[track_caller]
fn assert_near(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!((got - want).abs() <= tolerance, "{what}: {got} for {want}, off by {:e}", got - want);
}

/// J M⁻¹ Jᵀ of rows.
fn effective<const N: usize>(rows: &[Row12; N], a: &Body<f64>, b: &Body<f64>) -> SMatrix<f64, N, N> {
    let mut m = SMatrix::<f64, 12, 12>::zeros();
    for (k, body) in [a, b].into_iter().enumerate() {
        for i in 0..3 {
            m[(6 * k + i, 6 * k + i)] = body.mass;
        }
        m.fixed_view_mut::<3, 3>(6 * k + 3, 6 * k + 3).copy_from(&body.inertia().try_inverse().unwrap());
    }
    let mut j = SMatrix::<f64, N, 12>::zeros();
    for r in 0..N {
        for c in 0..12 {
            j[(r, c)] = rows[r][c];
        }
    }
    j * m * j.transpose()
}

/// J v
fn speed(row: &Row12, a: &Motion<f64>, b: &Motion<f64>) -> f64 {
    let v = row12(a.v, a.w, b.v, b.w);
    row.iter().zip(v).map(|(r, v)| r * v).sum()
}

fn substep<T: Elem>(h: f64, soft: Softness<f64>) -> Substep<T> {
    let c = T::from_f64;
    let soft = Softness { mass: c(soft.mass), impulse: c(soft.impulse) };
    Substep {
        h: c(h),
        inv_h: c(1.0 / h),
        joint: Bias { rate: c(30.0), most_turn: c(10.0), inv_h: c(1.0 / h), soft },
        stop: Bias { rate: c(30.0), most_turn: c(10.0), inv_h: c(1.0 / h), soft },
        fixed: Bias { rate: c(30.0), most_turn: c(10.0), inv_h: c(1.0 / h), soft },
        contact_rate: c(30.0),
        contact_soft: soft,
        ground_rate: c(30.0),
        ground_soft: soft,
        most_push: c(4.0),
        bounce: c(1.0),
        number: 0,
        first: c(1.0),
        part: c(1.0),
        inv_dt: c(1.0 / h),
        warm: c(1.0),
        soft_motor: c(0.2),
    }
}

const SOFT: Softness<f64> = Softness { mass: 0.9, impulse: 0.1 };
