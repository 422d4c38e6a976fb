//! Rigid bodies' kernels against constraints written down another way: rows against dual numbers, masses and springs against
//! nalgebra, spins against Runge-Kutta, arcs against circles and beams. Momenta, energies, extremes.

#![allow(clippy::needless_range_loop)]

use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, SMatrix, SVector, Vector3, Vector6};
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
        contact_rate: c(30.0),
        contact_soft: soft,
        slop: c(0.005),
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

// ---------------------------------------------------------------------------------------------------- arcs, another way

/// Angles of bending and twist of two frames, and (ψ/2)/sin(ψ/2), from the frames' axes.
struct Strain<T> {
    beta: [T; 2],
    tau: T,
    stretch: T,
}

fn strain<T: Real>(fa: [Vec3<T>; 3], fb: [Vec3<T>; 3]) -> Strain<T> {
    let c = T::constant;
    let (ta, tb) = (fa[2], fb[2]);
    let n = ta.cross(tb);
    let (cos, z) = (ta.dot(tb), (tb - ta).length2());
    // asin(s)/s = Σ (2n)!/(4ⁿ n!² (2n + 1)) s²ⁿ with s² = sin² ψ/2 = z/4, where ψ is small; ψ/sin ψ = that/cos ψ/2.
    let s2 = z * c(0.25);
    let series = c(1.0) + s2 * (c(1.0 / 6.0) + s2 * (c(3.0 / 40.0) + s2 * (c(15.0 / 336.0) + s2 * c(105.0 / 3456.0))));
    let near = s2.lt(c(1e-4));
    let safe = T::select(near, c(1.0), n.length2()).sqrt();
    let psi = angle(safe, cos);
    let stretch = T::select(near, series, psi / T::select(near, c(1.0), z).sqrt());
    let over_sin = T::select(near, series / (c(1.0) - s2).sqrt(), psi / safe);
    // The frame of a, carried to t_b by the smallest turn.
    let m1 = fa[0] * cos + n.cross(fa[0]) + n * (n.dot(fa[0]) / (c(1.0) + cos));
    let (sin_tau, cos_tau) = (tb.dot(m1.cross(fb[0])), m1.dot(fb[0]));
    // Bending is seen half way through the twist.
    let half_cos = ((c(1.0) + cos_tau) * c(0.5)).sqrt();
    let half_sin = sin_tau * c(0.5) / half_cos;
    let (x, y) = (fa[0].dot(n) * over_sin, fa[1].dot(n) * over_sin);
    Strain { beta: [x * half_cos + y * half_sin, y * half_cos - x * half_sin], tau: angle(sin_tau, cos_tau), stretch }
}

struct ArcCase {
    a: Body<f64>,
    b: Body<f64>,
    p: ArcParams<f64>,
}

impl ArcCase {
    /// Bent by `psi`, otherwise anything; the anchors need not be where an arc would have them.
    fn new(rng: &mut Rng, psi: f64) -> ArcCase {
        let (a, mut b) = (Body::random(rng), Body::random(rng));
        let (frame_a, frame_b) = (rotation(rng), rotation(rng));
        let (t, phi) = (rng.range(-2.8, 2.8), rng.range(0.0, 6.2));
        let twist = turn(vec3(0.0, 0.0, 1.0), 0.5 * t);
        let r = twist.compose(turn(vec3(phi.cos(), phi.sin(), 0.0), psi)).compose(twist);
        b.q = a.q.compose(frame_a).compose(r).compose(frame_b.conjugate());
        let anchors = Anchors { a: v3(rng, 0.4), b: v3(rng, 0.4) };
        let length = rng.range(0.1, 1.0);
        b.x = a.x + a.q.rotate(anchors.a) + unit(rng) * (length * rng.range(0.3, 1.3)) - b.q.rotate(anchors.b);
        let p = ArcParams {
            anchors,
            frame_a,
            frame_b,
            length,
            stiffness: vec3(rng.range(1.0, 50.0), rng.range(1.0, 50.0), rng.range(1.0, 50.0)),
            damping: vec3(0.3, 0.2, 0.1),
            rest: v3(rng, 0.4),
            relaxed: 0.0,
        };
        ArcCase { a, b, p }
    }
    fn frames<T: Real>(&self, qa: Quat<T>, qb: Quat<T>) -> [[Vec3<T>; 3]; 2] {
        let c = |q: Quat<f64>| Quat { x: T::constant(q.x), y: T::constant(q.y), z: T::constant(q.z), w: T::constant(q.w) };
        [qa.compose(c(self.p.frame_a)).frame(), qb.compose(c(self.p.frame_b)).frame()]
    }
    fn kernels(&self) -> (ArcPose<f64>, ArcStrain<f64>, ArcHard<f64>) {
        let (qa, qb) = (self.a.q.compose(self.p.frame_a), self.b.q.compose(self.p.frame_b));
        let (ra, rb) = (self.a.q.rotate(self.p.anchors.a), self.b.q.rotate(self.p.anchors.b));
        let between = self.b.x - self.a.x;
        let pose = ArcPose { chord: between + rb - ra, between, rb, frame_a: qa.frame(), frame_b: qb.frame() };
        let e = arc_strain(qa.conjugate().compose(qb));
        let hard = arc_rows(&pose, &e, self.p.length);
        (pose, e, hard)
    }
    fn hard_rows(&self) -> [Row12; 3] {
        let (pose, _, hard) = self.kernels();
        core::array::from_fn(|k| {
            let (n, s) = (hard.n[k], hard.s[k]);
            row12(-n, -s - pose.between.cross(n), n, s)
        })
    }
    /// Length and curve (eqs. 9 and 6) of displaced bodies.
    fn constraint(&self, k: usize, (xa, qa): (Vec3<D>, Quat<D>), (xb, qb): (Vec3<D>, Quat<D>)) -> D {
        let d = (xb + qb.rotate(lift(self.p.anchors.b))) - (xa + qa.rotate(lift(self.p.anchors.a)));
        let l = d.length();
        let o = d * (D::constant(1.0) / l);
        let [fa, fb] = self.frames(qa, qb);
        if k == 0 {
            return l - D::constant(self.p.length) / strain(fa, fb).stretch;
        }
        let (m, tb) = (fa[k - 1], fb[2]);
        m.dot(tb) - D::constant(2.0) * tb.dot(o) * o.dot(m)
    }
}

/// Bends that the rows must be right at: straight, random, beyond the series, nearly folded.
const BENDS: [f64; 11] = [1e-8, 1e-5, 1e-3, 0.1, 0.39, 0.41, 0.9, 1.3, 2.0, 3.0, 3.1];

#[test]
fn length_and_curve_rows_agree_with_dual_numbers() {
    let mut rng = Rng::new(1);
    for psi in BENDS {
        for _ in 0..50 {
            let c = ArcCase::new(&mut rng, psi);
            let (_, _, hard) = c.kernels();
            let rows = c.hard_rows();
            for k in 0..3 {
                let (value, row) = gradient(&c.a, &c.b, |a, b| c.constraint(k, a, b));
                assert_near(hard.error.to_array()[k], value, 1e-12, "error");
                // Towards the fold the tangents' cross product, which stands for the angle here, loses digits.
                assert_row(rows[k], row, if psi < 2.5 { 1e-11 } else { 1e-9 }, &format!("ψ = {psi}, row {k}"));
            }
        }
    }
}

#[test]
fn strain_rows_agree_with_dual_numbers() {
    let mut rng = Rng::new(2);
    for psi in BENDS {
        for _ in 0..50 {
            let c = ArcCase::new(&mut rng, psi);
            let (pose, e, _) = c.kernels();
            let rows = world_rows(&e, pose.frame_b);
            let tolerance = if psi < 2.5 { 1e-11 } else { 1e-8 };
            for k in 0..3 {
                let (value, row) = gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
                    let [fa, fb] = c.frames(qa, qb);
                    let s = strain(fa, fb);
                    [s.beta[0], s.beta[1], s.tau][k]
                });
                assert_near(e.beta.to_array()[k], value, if psi < 2.5 { 1e-12 } else { 1e-10 }, "strain");
                if k == 2 && psi > 3.05 {
                    // Beyond 174° the twist's gradient is held back.
                    let across = Vec3::from([row[9], row[10], row[11]]);
                    assert!(rows[2].length() < across.length() && rows[2].length() < 21.0);
                    continue;
                }
                assert_row(angular12(rows[k]), row, tolerance, &format!("ψ = {psi}, strain {k}"));
            }
            assert_near(e.beta.x.hypot(e.beta.y), psi, 1e-13 * psi + 1e-15, "ψ");
            let (value, row) = gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
                let [fa, fb] = c.frames(qa, qb);
                strain(fa, fb).stretch
            });
            assert_near(e.stretch, value, 1e-12, "stretch");
            let [m1, m2, _] = pose.frame_b;
            assert_row(angular12(m1 * e.stretch_row.x + m2 * e.stretch_row.y), row, tolerance, "stretch row");
        }
    }
}

#[test]
fn a_folded_arc_and_one_without_length_are_finite() {
    let mut rng = Rng::new(3);
    for psi in [core::f64::consts::PI - 5e-8, core::f64::consts::PI - 1e-12, core::f64::consts::PI] {
        for fold in [false, true] {
            let mut c = ArcCase::new(&mut rng, psi);
            if fold {
                c.b.x = c.a.x + c.a.q.rotate(c.p.anchors.a) - c.b.q.rotate(c.p.anchors.b);
            }
            finite_arc::<f64>(&c);
            finite_arc::<f32>(&c);
        }
    }
    // An exact half turn, in every direction, of every precision.
    for (x, y, z, w) in
        [(1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, -1.0)]
    {
        let e = arc_strain(Quat { x, y, z, w });
        let all = [e.beta, e.rows[0], e.rows[1], e.rows[2], e.stretch_row, vec3(e.stretch, 0.0, 0.0)];
        assert!(all.iter().all(|v| v.length() < 1e2), "{all:?}");
        let e = arc_strain(Quat { x: x as f32, y: y as f32, z: z as f32, w: w as f32 });
        assert!([e.beta, e.rows[0], e.rows[1], e.rows[2], e.stretch_row].iter().all(|v| v.length() < 1e2));
    }
}

fn finite_arc<T: Elem + Gather<Elem = T>>(c: &ArcCase) {
    let f = T::from_f64;
    let v = |v: Vec3<f64>| v.map(f);
    let q = |q: Quat<f64>| Quat { x: f(q.x), y: f(q.y), z: f(q.z), w: f(q.w) };
    let p = ArcParams {
        anchors: Anchors { a: v(c.p.anchors.a), b: v(c.p.anchors.b) },
        frame_a: q(c.p.frame_a),
        frame_b: q(c.p.frame_b),
        length: f(c.p.length),
        stiffness: v(c.p.stiffness),
        damping: v(c.p.damping),
        rest: v(c.p.rest),
        relaxed: f(c.p.relaxed),
    };
    let (a, b) = (c.a.at::<T>(), c.b.at::<T>());
    let s = substep::<T>(1.0 / 240.0, SOFT);
    let (mut ma, mut mb) = (a.m, b.m);
    let (work, mut state) = ArcElement::set_up::<T>(&p, no_arc(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
    for _ in 0..8 {
        state = ArcElement::solve::<T, false>(&work, state, &mut ma, &mut mb, &s);
        state = ArcElement::solve::<T, true>(&work, state, &mut ma, &mut mb, &s);
    }
    for m in [ma, mb] {
        let sizes = [m.v.length(), m.w.length()].map(Elem::to_f64);
        assert!(sizes.iter().all(|s| *s < 1e4), "{sizes:?}");
    }
}

fn no_arc<T: Real>() -> ArcState<T> {
    let (one, zero) = (vec3(T::one(), T::one(), T::one()), Vec3::zero());
    ArcState { impulse: zero, torque: zero, white: Whitening { inv: one, below: zero } }
}

/// Bodies at the ends of a circular arc: nothing is wrong, and the strains are those of the arc.
#[test]
fn circular_arcs_are_without_error() {
    let mut rng = Rng::new(4);
    for psi in [0.0, 1e-8, 1e-3, 0.3, 1.0, 2.0, 3.0, 3.139] {
        for _ in 0..20 {
            let mut c = ArcCase::new(&mut rng, 0.0);
            let (fa, phi, tau) = (c.a.q.compose(c.p.frame_a), rng.range(0.0, 6.2), rng.range(-3.0, 3.0));
            let [m1, m2, t] = fa.frame();
            // The arc bends about n, so it goes towards n × t.
            let n = m1 * phi.cos() + m2 * phi.sin();
            let aside = n.cross(t);
            let radius = c.p.length / f64::max(psi, 1e-300);
            let chord =
                if psi == 0.0 { t * c.p.length } else { (t * psi.sin() + aside * (2.0 * (0.5 * psi).sin().powi(2))) * radius };
            let qb = turn(n, psi).compose(fa).compose(turn(vec3(0.0, 0.0, 1.0), tau));
            c.b.q = qb.compose(c.p.frame_b.conjugate());
            c.b.x = c.a.x + c.a.q.rotate(c.p.anchors.a) + chord - c.b.q.rotate(c.p.anchors.b);
            let (_, e, hard) = c.kernels();
            assert!(hard.error.length() < 1e-13, "ψ = {psi}: {:?}", hard.error);
            assert_near(e.beta.x.hypot(e.beta.y), psi, 2e-13, "ψ");
            assert_near(e.beta.z, tau, 1e-13 / (0.5 * psi).cos(), "τ");
        }
    }
}

/// A beam of n arcs, clamped, under a small load at its tip: too stiff by the part 1/(4n²) (`docs/arc.md`). The statics take the kernels'
/// rows: forces of the strains and the multipliers of the hard rows carry the load.
#[test]
fn a_chain_of_arcs_bends_as_a_beam_less_its_share() {
    let (length, ei, load) = (1.3, 7.0, 1e-3);
    for n in [1usize, 2, 3, 4, 8, 16] {
        let l0 = length / n as f64;
        let size = 9 * n;
        let (mut k, mut f) = (DMatrix::zeros(size, size), DVector::zeros(size));
        for joint in 0..n {
            let mut c = ArcCase::new(&mut Rng::new(5), 0.0);
            // Straight along z; bodies at their tips' anchors.
            let id = Quat::identity();
            (c.a.q, c.b.q, c.p.frame_a, c.p.frame_b) = (id, id, id, id);
            c.p.anchors = Anchors { a: Vec3::zero(), b: Vec3::zero() };
            (c.a.x, c.p.length) = (vec3(0.0, 0.0, joint as f64 * l0), l0);
            c.b.x = c.a.x + vec3(0.0, 0.0, l0);
            let (pose, e, _) = c.kernels();
            let hard = c.hard_rows();
            let soft = world_rows(&e, pose.frame_b).map(angular12);
            // Columns of body `joint` − 1 and `joint`; the first is the wall.
            let column = |i: usize| (6 * joint + i).checked_sub(6);
            for (i, j) in (0..144).map(|m| (m / 12, m % 12)) {
                if let (Some(r), Some(s)) = (column(i), column(j)) {
                    k[(r, s)] += (0..3).map(|m| soft[m][i] * soft[m][j] * ei / l0).sum::<f64>();
                }
            }
            for (m, i) in (0..36).map(|m| (m / 12, m % 12)) {
                if let Some(s) = column(i) {
                    k[(6 * n + 3 * joint + m, s)] = hard[m][i];
                    k[(s, 6 * n + 3 * joint + m)] = hard[m][i];
                }
            }
        }
        f[6 * (n - 1)] = load;
        let tip = k.lu().solve(&f).expect("statics")[6 * (n - 1)];
        let error = tip / (load * length.powi(3) / (3.0 * ei)) - 1.0;
        assert_near(error, -1.0 / (4 * n * n) as f64, 1e-9, "deflection");
    }
}

// ------------------------------------------------------------------------------------------- other rows, effective masses

#[test]
fn limit_and_hinge_rows_agree_with_dual_numbers() {
    let mut rng = Rng::new(6);
    for psi in [1e-4, 0.1, 0.5, 1.0, 2.0, 3.0] {
        for _ in 0..50 {
            let c = ArcCase::new(&mut rng, psi);
            let swing = [rng.range(0.2, 1.5), rng.range(0.2, 1.5)];
            let twist = [-0.3, 0.4];
            let (pose, e, _) = c.kernels();
            let w = c.a.place().inertia.turn.add(c.b.place().inertia.turn);
            let s = substep::<f64>(0.01, SOFT).joint;
            let rows = ball_limits(&e, pose.frame_b, swing, twist, w, &s);
            let strained = |k: usize| {
                gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
                    let [fa, fb] = c.frames(qa, qb);
                    let e = strain(fa, fb);
                    let d = |v: f64| D::constant(v);
                    let (x, y) = (e.beta[0] / d(swing[0]), e.beta[1] / d(swing[1]));
                    [(x * x + y * y).sqrt(), e.tau][k]
                })
            };
            let (f, cone) = strained(0);
            // The row is −∇f over the length of ∇f in the plane of the bending angles.
            let (x, y) = (e.beta.x / swing[0] / swing[0] / f, e.beta.y / swing[1] / swing[1] / f);
            let scale = x.hypot(y);
            let tolerance = if psi < 2.5 { 1e-11 } else { 1e-8 };
            assert_row(angular12(rows[0].axis), cone.map(|v| -v / scale), tolerance, "cone");
            let (tau, turned) = strained(1);
            assert_row(angular12(rows[1].axis), turned, tolerance, "least twist");
            assert_row(angular12(rows[2].axis), turned.map(|v| -v), tolerance, "most twist");
            // What is wrong, from the velocities that the rows ask for.
            for (row, wrong) in rows.iter().zip([(1.0 - f) / scale, tau - twist[0], twist[1] - tau]) {
                let bias = if wrong > 0.0 { wrong * 100.0 } else { (wrong * 30.0).max(-10.0) };
                assert_near(row.bias, bias, 1e-9 * (1.0 + bias.abs()), "bias");
                assert_near(row.mass * effective(&[angular12(row.axis)], &c.a, &c.b)[0], 1.0, 1e-12, "mass");
                assert!(row.least == 0.0 && row.most > 1e29);
            }
            let rows = hinge_rows(pose.frame_a, pose.frame_b, 0.1, [-0.2, 0.5], w, &s);
            for k in 0..2 {
                let (value, row) = gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
                    let [fa, fb] = c.frames(qa, qb);
                    fa[k].dot(fb[2])
                });
                assert_row(angular12(rows[k].axis), row, 1e-12, "hinge");
                assert_near(rows[k].bias, (30.0 * value).clamp(-10.0, 10.0), 1e-11, "hinge bias");
                assert_near(rows[k].mass * effective(&[row], &c.a, &c.b)[0], 1.0, 1e-12, "mass");
            }
        }
    }
}

/// The angle of a hinge whose axes agree, and which limit counts.
#[test]
fn a_hinge_knows_its_angle() {
    let mut rng = Rng::new(7);
    for by in [-3.0f64, -1.0, -1e-9, 0.3, 2.9].repeat(8) {
        let mut c = ArcCase::new(&mut rng, 0.0);
        c.b.q = c.a.q.compose(c.p.frame_a).compose(turn(vec3(0.0, 0.0, 1.0), by)).compose(c.p.frame_b.conjugate());
        let p = HingeParams { frame_a: c.p.frame_a, frame_b: c.p.frame_b, limits: [-0.5, 1.0] };
        let (mut ma, mut mb) = (c.a.m, c.b.m);
        let s = substep::<f64>(0.01, SOFT);
        let (work, _) = HingeElement::set_up::<f64>(&p, [0.0; 3], &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        let (_, row) = gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
            let [fa, fb] = c.frames(qa, qb);
            angle(fa[2].dot(fa[0].cross(fb[0])), fa[0].dot(fb[0]))
        });
        let is_low = by + 0.5 < 1.0 - by;
        let sign = if is_low { 1.0 } else { -1.0 };
        let wrong = if is_low { by + 0.5 } else { 1.0 - by };
        let limit = work.rows[2];
        assert_row(angular12(limit.axis), row, 1e-9, "angle");
        assert_near(limit.bias * sign, if wrong > 0.0 { wrong * 100.0 } else { (wrong * 30.0).max(-10.0) }, 1e-9, "bias");
        assert_eq!((limit.least == 0.0, limit.most == 0.0), (is_low, !is_low));
        // Relaxed, an open limit may be reached and a broken one only stops.
        let before = speed(&row, &ma, &mb);
        let held = HingeElement::solve::<f64, true>(&work, [0.0; 3], &mut ma, &mut mb, &s);
        let least = if wrong > 0.0 { -wrong * 100.0 } else { 0.0 };
        let after = speed(&row, &ma, &mb);
        assert!(after * sign >= least - 1e-9, "{by}: {before} {after} {least}");
        if wrong > 0.0 {
            assert_eq!(held[2], 0.0, "{by}: an open limit holds");
        }
        // The impulse of the other limit is not carried over.
        let (mut ma, mut mb) = (c.a.m, c.b.m);
        let (_, state) = HingeElement::set_up::<f64>(&p, [0.0, 0.0, -sign], &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        assert_eq!((state[2].abs(), mb.w), (0.0, c.b.m.w));
        let (_, state) = HingeElement::set_up::<f64>(&p, [0.0, 0.0, sign], &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        assert_eq!(state[2], sign);
    }
}

#[test]
fn a_distance_and_its_row() {
    let mut rng = Rng::new(8);
    for k in 0..100 {
        let (a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        let anchors = Anchors { a: v3(&mut rng, 0.5), b: v3(&mut rng, 0.5) };
        let (l, row) = gradient(&a, &b, |(xa, qa), (xb, qb)| {
            ((xb + qb.rotate(lift(anchors.b))) - (xa + qa.rotate(lift(anchors.a)))).length()
        });
        let limits = [[l + 0.1, l + 0.2], [l - 0.2, l - 0.1], [l - 0.1, l + 0.2], [l + 0.1, l + 0.1]][k % 4];
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, Softness::rigid());
        let p = DistanceParams { anchors, limits };
        let (w, state) = DistanceElement::set_up::<f64>(&p, 0.0, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        assert_row(row12(-w.n, -w.row.arm_a, w.n, w.row.arm_b), row, 1e-12, "distance");
        assert_near(w.row.mass * effective(&[row], &a, &b)[0], 1.0, 1e-12, "mass");
        let before = speed(&row, &ma, &mb);
        let after = |relax: bool| {
            let (mut ma, mut mb) = (ma, mb);
            let solve = if relax { DistanceElement::solve::<f64, true> } else { DistanceElement::solve::<f64, false> };
            solve(&w, state, &mut ma, &mut mb, &s);
            speed(&row, &ma, &mb)
        };
        // Too short, too long, open (the nearer limit is the lower), rod.
        let (want, relaxed) = match k % 4 {
            0 => (before.max(3.0), before.max(0.0)),
            1 => (before.min(-3.0), before.min(0.0)),
            2 => (before.max(-10.0), before.max(-10.0)),
            _ => (3.0, 0.0),
        };
        assert_near(after(false), want, 1e-11, "speed");
        assert_near(after(true), relaxed, 1e-11, "relaxed speed");
    }
}

fn contact(rng: &mut Rng, b: &mut Body<f64>, a: &Body<f64>, gap: f64) -> ContactParams<f64, 4> {
    let normal = unit(rng);
    let side = normal.any_perpendicular();
    let up = normal.cross(side);
    let middle = a.x + v3(rng, 0.5);
    b.x = middle + v3(rng, 0.5);
    let points = core::array::from_fn(|k| {
        let p = middle + side * (0.2 * (k % 2) as f64) + up * (0.1 * (k / 2) as f64);
        let on = |body: &Body<f64>, p: Vec3<f64>| body.q.conjugate().rotate(p - body.x);
        Anchors { a: on(a, p), b: on(b, p + normal * gap) }
    });
    ContactParams { normal, friction: 0.6, restitution: 0.4, points }
}

fn no_contact<T: Real>() -> ContactState<T, 4> {
    let zero = T::zero();
    let tangent = vec3(T::one(), zero, zero);
    ContactState { impulse: [zero; 4], largest: [zero; 4], approach: [zero; 4], friction: Vec3::zero(), tangent }
}

#[test]
fn contact_rows_agree_with_dual_numbers() {
    let mut rng = Rng::new(9);
    for k in 0..100 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let gap = [0.02, -0.002, -0.03, 0.0][k % 4];
        let p = contact(&mut rng, &mut b, &a, gap);
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, SOFT);
        let (w, state) = ContactElement::<4>::set_up::<f64>(&p, no_contact(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let parting = |n: Vec3<f64>, on_a: Vec3<f64>, on_b: Vec3<f64>| {
            gradient(&a, &b, |(xa, qa), (xb, qb)| lift(n).dot((xb + qb.rotate(lift(on_b))) - (xa + qa.rotate(lift(on_a)))))
        };
        for i in 0..4 {
            let (value, row) = parting(p.normal, p.points[i].a, p.points[i].b);
            let r = w.rows[i];
            assert_near(value, gap, 1e-14, "gap");
            assert_row(row12(-p.normal, -r.arm_a, p.normal, r.arm_b), row, 1e-12, "normal");
            assert_near(r.mass * effective(&[row], &a, &b)[0], 1.0, 1e-12, "mass");
            assert_near(state.approach[i], speed(&row, &a.m, &b.m), 1e-12, "approach");
            let bias = if gap > 0.0 { gap * 100.0 } else { ((gap + 0.005).min(0.0) * 30.0).max(-4.0) };
            assert_near(w.bias[i].bias, bias, 1e-11, "bias");
        }
        // Both bodies' points of friction are one point, between the surfaces.
        let middle =
            (0..4).fold(Vec3::zero(), |m, i| m + (a.x + a.q.rotate(p.points[i].a) + b.x + b.q.rotate(p.points[i].b)) * 0.125);
        let on = |body: &Body<f64>| body.q.conjugate().rotate(middle - body.x);
        let slide = [0, 1].map(|i| parting(w.tangents[i], on(&a), on(&b)).1);
        for i in 0..2 {
            let (t, r) = (w.tangents[i], w.slide[i]);
            assert_row(row12(-t, -r.arm_a, t, r.arm_b), slide[i], 1e-12, "slide");
            assert_near(t.length(), 1.0, 1e-15, "tangent");
            assert_near(t.dot(p.normal), 0.0, 1e-15, "tangent");
        }
        let inverse = effective(&slide, &a, &b).try_inverse().unwrap();
        for (got, want) in w.slide_mass.to_array().iter().zip([inverse[(0, 0)], inverse[(0, 1)], inverse[(1, 1)]]) {
            assert_near(*got, want, 1e-12 * inverse.norm(), "mass of sliding");
        }
        assert_near(w.spin_mass * effective(&[angular12(p.normal)], &a, &b)[0], 1.0, 1e-12, "mass of spinning");
    }
}

/// A ball's gap closes at the rate asked for, whatever the gap; without one the rows are the gradients.
#[test]
fn ball_rows_close_the_gap() {
    let mut rng = Rng::new(10);
    for k in 0..100 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let anchors = Anchors { a: v3(&mut rng, 0.5), b: v3(&mut rng, 0.5) };
        let gap = if k % 2 == 0 { Vec3::zero() } else { v3(&mut rng, 0.1) };
        b.x = a.x + a.q.rotate(anchors.a) - b.q.rotate(anchors.b) + gap;
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, Softness::rigid());
        let (w, state) = BallElement::set_up::<f64>(&anchors, Vec3::zero(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let axis = |i: usize| Vec3::from([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][i]);
        let rows: [Row12; 3] = core::array::from_fn(|i| row12(-axis(i), axis(i).cross(w.ra), axis(i), w.rb.cross(axis(i))));
        let k = effective(&rows, &a, &b);
        assert!((sym(w.mass) * k - Matrix3::identity()).norm() < 1e-11);
        let length = |xa: Vec3<D>, qa: Quat<D>, xb: Vec3<D>, qb: Quat<D>| {
            (xb + qb.rotate(lift(anchors.b))) - (xa + qa.rotate(lift(anchors.a)))
        };
        let (mut rel_a, mut rel_b) = (ma, mb);
        BallElement::solve::<f64, true>(&w, state, &mut rel_a, &mut rel_b, &s);
        BallElement::solve::<f64, false>(&w, state, &mut ma, &mut mb, &s);
        if gap.length() == 0.0 {
            for i in 0..3 {
                let (_, row) = gradient(&a, &b, |(xa, qa), (xb, qb)| length(xa, qa, xb, qb).dot(lift(axis(i))));
                assert_row(rows[i], row, 1e-12, "ball");
                assert_near(speed(&row, &ma, &mb), 0.0, 1e-12, "speed");
            }
        } else {
            let (value, row) = gradient(&a, &b, |(xa, qa), (xb, qb)| length(xa, qa, xb, qb).length());
            assert_near(speed(&row, &ma, &mb), -30.0 * value, 1e-11, "closing");
            assert_near(speed(&row, &rel_a, &rel_b), 0.0, 1e-11, "closing, relaxed");
        }
    }
}

#[test]
fn hard_rows_of_an_arc_are_without_error_after_one_solve() {
    let mut rng = Rng::new(11);
    for psi in BENDS {
        for _ in 0..20 {
            let c = ArcCase::new(&mut rng, psi);
            let rows = c.hard_rows();
            let (_, _, hard) = c.kernels();
            let (mut ma, mut mb) = (c.a.m, c.b.m);
            let s = substep::<f64>(0.01, Softness::rigid());
            let (w, state) = ArcElement::set_up::<f64>(&c.p, no_arc(), &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
            // L Lᵀ = J M⁻¹ Jᵀ
            let (i, l) = (state.white.inv, state.white.below);
            let lower = Matrix3::new(1.0 / i.x, 0.0, 0.0, l.x, 1.0 / i.y, 0.0, l.y, l.z, 1.0 / i.z);
            let k = effective(&rows, &c.a, &c.b);
            assert!((lower * lower.transpose() - k).norm() < 1e-12 * k.norm(), "ψ = {psi}");
            let size = k.norm();
            let (mut ra, mut rb) = (ma, mb);
            ArcElement::solve::<f64, true>(&w, state, &mut ra, &mut rb, &s);
            ArcElement::solve::<f64, false>(&w, state, &mut ma, &mut mb, &s);
            for r in 0..3 {
                assert_near(speed(&rows[r], &ra, &rb), 0.0, 1e-12 * size, "relaxed");
                assert_near(speed(&rows[r], &ma, &mb), -30.0 * hard.error.to_array()[r], 1e-11 * size, "solved");
            }
        }
    }
}

/// Impulses of another substep, along rows that were scaled differently, are the same impulses along these.
#[test]
fn impulses_of_an_arc_survive_a_new_scaling() {
    let mut rng = Rng::new(12);
    for _ in 0..50 {
        let c = ArcCase::new(&mut rng, 0.8);
        let (_, _, hard) = c.kernels();
        let lambda = v3(&mut rng, 2.0);
        let inv = vec3(0.3, 0.7, 1.9);
        let white = Whitening { inv, below: v3(&mut rng, 1.0) };
        // μ = Lᵀ λ of the old scaling.
        let mu = white.upward(lambda, vec3(1.0 / inv.x, 1.0 / inv.y, 1.0 / inv.z));
        let state = ArcState { impulse: mu, torque: Vec3::zero(), white };
        let (mut ma, mut mb) = (c.a.m, c.b.m);
        let s = substep::<f64>(0.01, SOFT);
        ArcElement::set_up::<f64>(&c.p, state, &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        let force = hard.n[0] * lambda.x + hard.n[1] * lambda.y + hard.n[2] * lambda.z;
        let given = (mb.v - c.b.m.v) * (1.0 / c.b.mass);
        assert!((given - force).length() < 1e-12 * force.length(), "{given:?} {force:?}");
    }
}

/// Between bodies that do not move an arc does nothing, however fast they go.
#[test]
fn an_arc_between_what_does_not_move_has_no_impulse() {
    let mut rng = Rng::new(23);
    let mut c = ArcCase::new(&mut rng, 0.8);
    for body in [&mut c.a, &mut c.b] {
        (body.mass, body.moments) = (0.0, Vec3::zero());
    }
    let (mut ma, mut mb) = (c.a.m, c.b.m);
    let s = substep::<f64>(0.01, SOFT);
    let (w, mut state) = ArcElement::set_up::<f64>(&c.p, no_arc(), &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
    for _ in 0..4 {
        state = ArcElement::solve::<f64, false>(&w, state, &mut ma, &mut mb, &s);
    }
    assert_eq!(state.impulse, Vec3::zero());
}

/// A quaternion and its opposite are one rotation.
#[test]
fn rotations_have_two_quaternions() {
    let mut rng = Rng::new(24);
    for by in [1e-9, 1e-3, 1.0, 3.0] {
        let axis = unit(&mut rng);
        let q = turn(axis, by);
        let minus = Quat { x: -q.x, y: -q.y, z: -q.z, w: -q.w };
        for q in [q, minus] {
            assert!((rotation_vector(q) - axis * by).length() < 1e-14, "{by}");
        }
        let (e, f) = (arc_strain(q), arc_strain(minus));
        assert_eq!((e.beta, e.rows, e.stretch), (f.beta, f.rows, f.stretch));
    }
}

// -------------------------------------------------------------------------------------------------------------- momentum

/// What an element does to random bodies keeps both momenta, in every stage.
fn keeps_momentum<X: Element>(
    rng: &mut Rng,
    make: impl Fn(&mut Rng, &Body<f64>, &mut Body<f64>) -> (X::Params<f64>, X::State<f64>),
    bounce: impl Fn(&X::Work<f64>, X::State<f64>, &mut Motion<f64>, &mut Motion<f64>, &Substep<f64>) -> X::State<f64>,
) {
    for k in 0..60 {
        let (a, mut b) = (Body::random(rng), Body::random(rng));
        let (p, state) = make(rng, &a, &mut b);
        let s = substep::<f64>(0.01, SOFT);
        let before = (a.momentum(), b.momentum());
        let (mut ma, mut mb) = (a.m, b.m);
        let mut moved = 0.0;
        let mut check = |ma: Motion<f64>, mb: Motion<f64>, what: &str| {
            let (a, b) = (Body { m: ma, ..a }, Body { m: mb, ..b });
            let after = (a.momentum(), b.momentum());
            let size = after.0.0.norm() + after.1.0.norm();
            moved = f64::max(moved, (after.0.0 - before.0.0).norm() + (after.0.1 - before.0.1).norm());
            let off = (after.0.0 + after.1.0 - before.0.0 - before.1.0).norm();
            assert!(off < 1e-13 * size, "{what}: linear momentum off by {off} of {size}");
            let size = 3.0 * size + after.0.1.norm() + after.1.1.norm();
            let off = (after.0.1 + after.1.1 - before.0.1 - before.1.1).norm();
            assert!(off < 1e-13 * size, "{k} {what}: angular momentum off by {off} of {size}");
        };
        let (work, mut state) = X::set_up::<f64>(&p, state, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        check(ma, mb, "warm start");
        for _ in 0..4 {
            state = X::solve::<f64, false>(&work, state, &mut ma, &mut mb, &s);
            check(ma, mb, "solve");
        }
        state = X::solve::<f64, true>(&work, state, &mut ma, &mut mb, &s);
        check(ma, mb, "relax");
        bounce(&work, state, &mut ma, &mut mb, &s);
        check(ma, mb, "bounce");
        assert!(moved > 1e-3, "nothing happened");
    }
}

#[test]
fn every_element_keeps_both_momenta() {
    let mut rng = Rng::new(13);
    let anchors = |rng: &mut Rng| Anchors { a: v3(rng, 0.4), b: v3(rng, 0.4) };
    keeps_momentum::<BallElement>(&mut rng, |r, _, _| (anchors(r), v3(r, 1.0)), |_, s, _, _, _| s);
    keeps_momentum::<DistanceElement>(
        &mut rng,
        |r, _, _| (DistanceParams { anchors: anchors(r), limits: [0.5, 0.5] }, r.range(-1.0, 1.0)),
        |_, s, _, _, _| s,
    );
    for relaxed in [0.0, 1.0] {
        keeps_momentum::<ArcElement>(
            &mut rng,
            |r, a, b| {
                let mut c = ArcCase::new(r, 1.0);
                c.p.relaxed = relaxed;
                if relaxed > 0.0 {
                    c.p.stiffness = vec3(0.3, 0.5, 0.9);
                }
                (b.x, b.q) = (c.b.x + (a.x - c.a.x), a.q.compose(c.a.q.conjugate()).compose(c.b.q));
                (c.p, ArcState { impulse: v3(r, 1.0), torque: v3(r, 1.0), ..no_arc() })
            },
            |_, s, _, _, _| s,
        );
    }
    keeps_momentum::<LimitElement>(
        &mut rng,
        |r, _, _| {
            let p = LimitParams { frame_a: rotation(r), frame_b: rotation(r), swing: [0.1, 0.2], twist: [0.0, 0.1] };
            (p, [r.unit(), r.unit(), r.unit()])
        },
        |_, s, _, _, _| s,
    );
    keeps_momentum::<HingeElement>(
        &mut rng,
        |r, _, _| {
            let p = HingeParams { frame_a: rotation(r), frame_b: rotation(r), limits: [-0.1, 0.1] };
            (p, [r.unit(), r.unit(), r.unit()])
        },
        |_, s, _, _, _| s,
    );
    keeps_momentum::<MotorElement>(
        &mut rng,
        |r, _, _| {
            let k = vec3(10.0, 20.0, 30.0);
            let p = MotorParams {
                frame_a: rotation(r),
                frame_b: rotation(r),
                stiffness: k,
                damping: k,
                target: rotation(r),
                speed: v3(r, 1.0),
                most: 50.0,
                from: rotation(r),
            };
            (p, v3(r, 1.0))
        },
        |_, s, _, _, _| s,
    );
    keeps_momentum::<ContactElement<4>>(
        &mut rng,
        |r, a, b| {
            let gap = r.range(-0.05, 0.0);
            let p = contact(r, b, a, gap);
            // Slid off each other since.
            b.x = b.x + v3(r, 0.05);
            (b.m.v, b.m.w) = (a.m.v - p.normal * 3.0, v3(r, 5.0));
            let mut state = no_contact();
            state.impulse = core::array::from_fn(|_| r.unit());
            state.friction = v3(r, 0.3);
            state.tangent = tangents(p.normal)[1];
            (p, state)
        },
        bounce_contact::<f64, 4>,
    );
}

// --------------------------------------------------------------------------------------------------------------- springs

/// T and the spins after it, of both bodies, from implicit Euler as one 6×6 system.
fn implicit(rows: [Vec3<f64>; 3], error: Vec3<f64>, k: Stiffness<f64>, a: &Body<f64>, b: &Body<f64>, h: f64) -> Vector6<f64> {
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&a.inertia());
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&b.inertia());
    let mut f = m * Vector6::from_iterator(a.m.w.to_array().into_iter().chain(b.m.w.to_array()));
    for i in 0..3 {
        let (k, d, e) = (k.spring.to_array()[i], k.damping.to_array()[i], error.to_array()[i]);
        let j = SVector::<f64, 6>::from_iterator((-rows[i]).to_array().into_iter().chain(rows[i].to_array()));
        m += j * j.transpose() * (h * (h * k + d));
        f -= j * (h * k * e);
    }
    m.lu().solve(&f).unwrap()
}

#[test]
fn a_spring_alone_is_implicit_euler() {
    let mut rng = Rng::new(14);
    for _ in 0..200 {
        let (a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        let rows = [unit(&mut rng), unit(&mut rng), unit(&mut rng)];
        let error = v3(&mut rng, 1.0);
        let h = 1.0 / 240.0;
        let size = 10f64.powf(rng.range(-2.0, 4.0));
        let k = Stiffness { spring: vec3(1.0, 0.2, 3.0) * size, damping: vec3(0.01, 0.0, 0.02) * size };
        let (ia, ib) = (a.place().inertia.turn, b.place().inertia.turn);
        let s = set_up_spring(rows, error, k, ia.add(ib), h);
        let t = solve_spring(&s, b.m.w - a.m.w, Vec3::zero());
        let want = implicit(rows, error, k, &a, &b, h);
        let (wa, wb) = (na(a.m.w - ia.mul(t)), na(b.m.w + ib.mul(t)));
        let off = (wa - want.fixed_rows::<3>(0)).norm() + (wb - want.fixed_rows::<3>(3)).norm();
        assert!(off < 1e-11 * (want.norm() + 1.0), "{off}");
        // Once is enough.
        let again = solve_spring(&s, back(wb - wa), t);
        assert!(again.length() < 1e-10 * (1.0 + t.length()), "{again:?}");
    }
}

/// A soft motor is its spring and damper, towards its speed; a stiff one is a spring of h² k s·W s = most and a damper of as many times k as its own is, both
/// against the spin that they are to have, and one of 9 h k against that of the target.
#[test]
fn a_motor_alone_is_implicit_euler() {
    let mut rng = Rng::new(31);
    for _ in 0..300 {
        let (a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        let (rows, error, h) = (rotation(&mut rng).frame(), v3(&mut rng, 1.0), 1.0 / 240.0);
        let (turning, speed, most) = (v3(&mut rng, 3.0), v3(&mut rng, 3.0), 5.0);
        let w = a.place().inertia.turn.add(b.place().inertia.turn);
        // How many times stiffer than it may be.
        let times: [f64; 3] = core::array::from_fn(|_| 10f64.powf(rng.range(-8.0, 8.0)));
        let limit: [f64; 3] = core::array::from_fn(|i| most / (h * h * rows[i].dot(w.mul(rows[i]))));
        let k: [f64; 3] = core::array::from_fn(|i| limit[i] * times[i]);
        let d = k.map(|k| k * rng.range(0.0, 0.02));
        let f = Follow { stiffness: Stiffness { spring: k.into(), damping: d.into() }, turning, speed, soft: 1.0 / most };
        let t = solve_spring(&set_up_motor(rows, error, &f, w, h), b.m.w - a.m.w, Vec3::zero());
        let mut m = Matrix6::zeros();
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&a.inertia());
        m.fixed_view_mut::<3, 3>(3, 3).copy_from(&b.inertia());
        let mut p = m * Vector6::from_iterator(a.m.w.to_array().into_iter().chain(b.m.w.to_array()));
        for i in 0..3 {
            let j = SVector::<f64, 6>::from_iterator((-rows[i]).to_array().into_iter().chain(rows[i].to_array()));
            let (kept, own) = if times[i] > 1.0 { (limit[i], d[i] / times[i]) } else { (k[i], d[i]) };
            let added = 9.0 * h * kept * times[i].min(1.0).powi(2);
            m += j * j.transpose() * (h * (h * kept + own + added));
            p -= j * (h * (kept * error.to_array()[i] - own * speed.to_array()[i] - added * turning.to_array()[i]));
        }
        let want = m.lu().solve(&p).unwrap();
        let (ia, ib) = (a.place().inertia.turn, b.place().inertia.turn);
        let (wa, wb) = (na(a.m.w - ia.mul(t)), na(b.m.w + ib.mul(t)));
        let off = (wa - want.fixed_rows::<3>(0)).norm() + (wb - want.fixed_rows::<3>(3)).norm();
        assert!(off < 1e-8 * (want.norm() + 1.0), "{off} {times:?}");
    }
}

#[test]
fn springs_of_any_stiffness_are_finite_and_rigid_in_the_end() {
    let mut rng = Rng::new(15);
    for k in 0..200 {
        let (mut a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        let size = [1.0, 1e-6, 1e6][k % 3];
        (a.moments, a.m.w) = (a.moments * size, v3(&mut rng, 1.0));
        let (a, b) = (a, Body { moments: b.moments * size, ..b });
        let q = rotation(&mut rng);
        let (rows, error, h) = (q.frame(), v3(&mut rng, 0.5), 1.0 / 240.0);
        let stiff = [1e30, 1e12 / size, f64::from(f32::MAX)][k / 3 % 3];
        // All rigid, or two of them and one soft.
        let soft = if k % 2 == 0 { stiff } else { 1e-3 / size };
        let spring = vec3(stiff, stiff, soft);
        let w = a.place().inertia.turn.add(b.place().inertia.turn);
        let single = |v: Vec3<f64>| v.map(|x| x as f32);
        let w32 = a.at::<f32>().place().inertia.turn.add(b.at::<f32>().place().inertia.turn);
        for (damping, precision) in [(0.0, 64), (1.0, 64), (0.0, 32), (1.0, 32)] {
            let damping = vec3(1.0, 1.0, 1.0) * (damping / size);
            let spin = b.m.w - a.m.w;
            let t = if precision == 64 {
                solve_spring(&set_up_spring(rows, error, Stiffness { spring, damping }, w, h), spin, Vec3::zero())
            } else {
                let k = Stiffness { spring: single(spring), damping: single(damping) };
                let s = set_up_spring(rows.map(single), single(error), k, w32, h as f32);
                let (spin, mut t) = (single(spin), Vec3::zero());
                for _ in 0..4 {
                    t = t + solve_spring(&s, spin + w32.mul(t), t);
                }
                t.map(f64::from)
            };
            let after = spin + w.mul(t);
            for i in 0..2 {
                let left = error.to_array()[i] + h * rows[i].dot(after);
                let part = if precision == 64 { 1e-3 } else { 1e-2 };
                assert!(left.abs() < part * (error.length() + h * spin.length()), "f{precision}, {k}: {left}");
            }
        }
    }
    // Nothing that could turn.
    let none = Sym3::diagonal(Vec3::<f32>::zero());
    let rows = Quat::<f32>::identity().frame();
    let k = Stiffness { spring: vec3(1e30f32, 1.0, 1e30), damping: Vec3::zero() };
    let t = solve_spring(&set_up_spring(rows, vec3(1.0, 1.0, 1.0), k, none, 0.004), vec3(1.0, 2.0, 3.0), Vec3::zero());
    assert!(none.mul(t).length() == 0.0, "{t:?}");
}

/// Two bodies and a spring between them, turning freely: E never grows.
#[test]
fn a_spring_without_a_target_takes_energy_only() {
    let mut rng = Rng::new(16);
    for _ in 0..30 {
        let (mut a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let (rows, mut error, h) = (rotation(&mut rng).frame(), v3(&mut rng, 1.0), 1.0 / 120.0);
        let size = 10f64.powf(rng.range(-2.0, 9.0));
        let k = Stiffness { spring: vec3(1.0, 0.1, 5.0) * size, damping: Vec3::zero() };
        (a.m.v, b.m.v) = (Vec3::zero(), Vec3::zero());
        let (ia, ib) = (a.place().inertia.turn, b.place().inertia.turn);
        let most = 1e5 / (sym(ia) + sym(ib)).trace() / (h * h);
        // What counts as rigid has the stiffness that stands in for it.
        let kept = k.spring.map(|k| k.min(most));
        let energy = |a: &Body<f64>, b: &Body<f64>, e: Vec3<f64>| a.energy() + b.energy() + 0.5 * e.dot(e.scale_by(kept));
        let mut last = energy(&a, &b, error);
        for _ in 0..200 {
            let s = set_up_spring(rows, error, k, ia.add(ib), h);
            let t = solve_spring(&s, b.m.w - a.m.w, Vec3::zero());
            a.m.w = a.m.w - ia.mul(t);
            b.m.w = b.m.w + ib.mul(t);
            let spin = b.m.w - a.m.w;
            error = error + vec3(rows[0].dot(spin), rows[1].dot(spin), rows[2].dot(spin)) * h;
            let now = energy(&a, &b, error);
            assert!(now <= last * (1.0 + 1e-12), "{now} after {last}");
            last = now;
        }
    }
}

/// A motor in f32 between bodies that turn for real, from far off: it comes to rest at its target, and never gains energy.
#[test]
fn a_motor_comes_to_rest() {
    let mut rng = Rng::new(17);
    for k in 0..20 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let target = rotation(&mut rng);
        b.q = a.q.compose(target).compose(turn(unit(&mut rng), 1.5));
        let (mut a, mut b) = (a.at::<f32>(), b.at::<f32>());
        (a.moments, a.mass) = (Vec3::zero(), 0.0);
        (a.m, b.m) = (Motion { v: Vec3::zero(), w: Vec3::zero() }, Motion { v: Vec3::zero(), w: Vec3::zero() });
        let stiff = 10f32.powi(k % 7);
        let t = target;
        let p = MotorParams {
            frame_a: Quat::identity(),
            frame_b: Quat::identity(),
            stiffness: vec3(stiff, stiff, stiff),
            damping: vec3(1.0, 1.0, 1.0) * (0.1 * stiff + stiff.sqrt()),
            target: Quat { x: t.x as f32, y: t.y as f32, z: t.z as f32, w: t.w as f32 },
            speed: Vec3::zero(),
            most: 1e20,
            from: Quat { x: t.x as f32, y: t.y as f32, z: t.z as f32, w: t.w as f32 },
        };
        let s = substep::<f32>(1.0 / 240.0, SOFT);
        let off = |b: &Body<f32>| rotation_vector(a.q.compose(p.target).conjugate().compose(b.q)).length();
        let energy = |b: &Body<f32>| {
            let axes = b.q.frame();
            let local = vec3(axes[0].dot(b.m.w), axes[1].dot(b.m.w), axes[2].dot(b.m.w));
            let spin = local.x * local.x / b.moments.x + local.y * local.y / b.moments.y + local.z * local.z / b.moments.z;
            0.5 * (spin + stiff * off(b) * off(b))
        };
        let (first, mut last) = (energy(&b), energy(&b));
        for _ in 0..2400 {
            let (mut ma, mut mb) = (a.m, b.m);
            let (work, mut state) = MotorElement::set_up::<f32>(&p, Vec3::zero(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
            for _ in 0..2 {
                state = MotorElement::solve::<f32, false>(&work, state, &mut ma, &mut mb, &s);
            }
            b.m = mb;
            (b.x, b.q) = move_pose(b.x, b.q, b.m, s.h);
            let now = energy(&b);
            assert!(now <= last + 1e-4 * first, "{k}: {now} after {last} of {first}");
            last = now;
        }
        assert!(off(&b) < 1e-2 && b.m.w.length() < 1e-2, "{k}: {} {:?}", off(&b), b.m.w);
    }
}

/// A motor without stiffness brings the spin to its target, with no more torque than it has.
#[test]
fn a_motor_turns_at_its_speed() {
    let mut rng = Rng::new(25);
    for k in 0..50 {
        let (a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        let frame = rotation(&mut rng);
        let aim = v3(&mut rng, 4.0);
        let most = [1e9, 20.0][k % 2];
        let target = rotation(&mut rng);
        let p = MotorParams {
            frame_a: frame,
            frame_b: rotation(&mut rng),
            stiffness: Vec3::zero(),
            damping: vec3(1e6, 1e6, 1e6),
            target,
            speed: aim,
            most,
            from: target,
        };
        let s = substep::<f64>(0.01, SOFT);
        let (mut ma, mut mb) = (a.m, b.m);
        let (w, mut t) = MotorElement::set_up::<f64>(&p, Vec3::zero(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
        for _ in 0..3 {
            t = MotorElement::solve::<f64, false>(&w, t, &mut ma, &mut mb, &s);
        }
        assert!(t.length() <= most * 0.01 * (1.0 + 1e-12), "{k}: {t:?}");
        let off = ((mb.w - ma.w) - a.q.compose(frame).rotate(aim)).length();
        assert!(off < 1e-3 || t.length() > most * 0.0099, "{k}: {off}");
    }
}

#[test]
fn relaxation_takes_its_part_of_what_is_wrong() {
    let mut rng = Rng::new(18);
    for k in 0..200 {
        let (mut a, b) = (Body::random(&mut rng), Body::random(&mut rng));
        if k % 2 == 0 {
            // One axis turns far more easily: the rows are anything but independent.
            a.moments = vec3(1.0, 1.0, 1e4);
        }
        let (rows, error, inv_h) = (rotation(&mut rng).frame(), v3(&mut rng, 1.0), 240.0);
        let w = a.place().inertia.turn.add(b.place().inertia.turn);
        let alpha = [0.0, 0.3, 1.0][k % 3];
        let s = set_up_relaxation(rows, error, vec3(alpha, alpha, alpha), w, inv_h);
        let spin = b.m.w - a.m.w;
        let after = spin + w.mul(solve_spring(&s, spin, Vec3::zero()));
        for i in 0..3 {
            let wrong = |spin: Vec3<f64>| rows[i].dot(spin) + error.to_array()[i] * inv_h;
            assert_near(wrong(after), (1.0 - alpha) * wrong(spin), 1e-9, "left");
        }
        // Unlike parts: still no iteration makes it worse in the end.
        let s = set_up_relaxation(rows, error, vec3(1.0, 0.7, 0.9), w, inv_h);
        let mut spin = spin;
        for _ in 0..200 {
            spin = spin + w.mul(solve_spring(&s, spin, Vec3::zero()));
        }
        for i in 0..3 {
            assert_near(rows[i].dot(spin) + error.to_array()[i] * inv_h, 0.0, 1e-7, "left in the end");
        }
    }
}

// -------------------------------------------------------------------------------------------------------- bodies that move

fn rotational(w: Vec3<f64>, inverse: Vec3<f64>) -> f64 {
    w.x * w.x / inverse.x + w.y * w.y / inverse.y + w.z * w.z / inverse.z
}

#[test]
fn the_gyroscopic_torque_takes_energy_only() {
    let mut rng = Rng::new(19);
    for k in 0..3000 {
        let spread = [0.1, 3.0, 12.0][k % 3];
        let mut m = || 10f64.powf(rng.range(-0.5 * spread, 0.5 * spread));
        let inverse = vec3(m(), m(), m());
        let size = 10f64.powf(rng.range(-3.0, 4.0));
        let mut w = v3(&mut rng, size);
        let h = [1.0 / 60.0, 1.0 / 480.0][k % 2];
        let (mut w32, inverse32) = (w.map(|x| x as f32), inverse.map(|x| x as f32));
        for _ in 0..30 {
            let next = gyroscopic(w, inverse, h);
            assert!(rotational(next, inverse) <= rotational(w, inverse) * (1.0 + 1e-14), "{w:?} {next:?} {inverse:?}");
            w = next;
            let next = gyroscopic(w32, inverse32, h as f32);
            let energy = |w: Vec3<f32>| rotational(w.map(f64::from), inverse32.map(f64::from));
            assert!(energy(next) <= energy(w32) * (1.0 + 1e-5), "f32: {w32:?} {next:?} {inverse32:?}");
            w32 = next;
        }
    }
    // What cannot turn about an axis keeps its spin; so does what spins beyond all measure.
    let w = vec3(1.0f32, 2.0, 3.0);
    assert_eq!(gyroscopic(w, vec3(0.0, 1.0, 2.0), 0.01), w);
    assert_eq!(gyroscopic(w * 1e25, vec3(3.0, 1.0, 2.0), 0.01), w * 1e25);
    // A ball turns evenly.
    assert!((gyroscopic(vec3(1.0, 2.0, 3.0), vec3(2.0, 2.0, 2.0), 0.1) - vec3(1.0, 2.0, 3.0)).length() < 1e-15);
}

/// A body thrown with a spin about its middle axis flips (Dzhanibekov). Against Euler's equations by Runge and Kutta.
#[test]
fn torque_free_tumbling() {
    let inertia = vec3(1.0, 2.0, 3.0);
    let inverse = vec3(1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z);
    let rate = |w: Vec3<f64>| -w.cross(w.scale_by(inertia)).scale_by(inverse);
    let start = vec3(0.01, 5.0, 0.02);
    let seconds = 8.0;
    let mut reference = start;
    let (h, mut flips, mut side) = (1e-4, 0, 1.0);
    for _ in 0..(seconds / h) as usize {
        let k1 = rate(reference);
        let k2 = rate(reference + k1 * (0.5 * h));
        let k3 = rate(reference + k2 * (0.5 * h));
        let k4 = rate(reference + k3 * h);
        reference = reference + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        if reference.y * side < -3.0 {
            (flips, side) = (flips + 1, -side);
        }
    }
    assert!(flips >= 2, "{flips}");
    let error = |h: f64| {
        let mut w = start;
        for _ in 0..(seconds / h).round() as usize {
            w = gyroscopic(w, inverse, h);
        }
        (w - reference).length()
    };
    let (coarse, fine) = (error(1.0 / 2000.0), error(1.0 / 4000.0));
    println!("off by {coarse:.2e} and {fine:.2e} rad/s of 5");
    assert!(fine < 2e-4 * 5.0, "{fine}");
    assert!((3.0..5.0).contains(&(coarse / fine)), "not of second order: {coarse} {fine}");
}

#[test]
fn moving_keeps_rotations_unit_and_speeds_within_limits() {
    let mut rng = Rng::new(20);
    let f = |v: Vec3<f64>| v.map(|x| x as f32);
    for k in 0..2000 {
        let mut b = Body::random(&mut rng);
        let size = 10f64.powf(rng.range(-6.0, 6.0));
        b.m = Motion { v: v3(&mut rng, size), w: v3(&mut rng, size) };
        let (most_speed, most_turn) = (500.0, 200.0);
        let b32 = b.at::<f32>();
        let drive = Drive { gravity: f(vec3(0.0, -9.81, 0.0)), keep: 1.0, keep_turn: 1.0, most_speed, most_turn };
        let h = 1.0 / 240.0;
        let m = move_velocity(b32.m, b32.q, b32.moments, &drive, h);
        assert!(m.v.length() <= most_speed * 1.000_001 && m.w.length() <= most_turn * 1.000_001, "{k}: {m:?}");
        // Below the limits nothing is taken.
        let fallen = (b.m.v + vec3(0.0, -9.81, 0.0) * f64::from(h)).map(|x| x as f32);
        if fallen.length() < most_speed {
            assert!((m.v - fallen).length() <= 1e-6 * (fallen.length() + 0.1), "{k}");
        }
        for m in [m, b32.m] {
            let (x, q) = move_pose(b32.x, b32.q, m, h);
            assert!((q.dot(q) - 1.0).abs() < 5e-7, "{k}: {q:?}");
            assert!((x - (b32.x + m.v * h)).length() == 0.0);
        }
    }
    // The turn is ω h to third order.
    let (w, h) = (vec3(0.3, -2.0, 1.0), 1e-3);
    let q = rotation(&mut rng);
    let (_, p) = move_pose(vec3(0.0, 0.0, 0.0), q, Motion { v: Vec3::zero(), w }, h);
    let d = p.compose(q.conjugate());
    assert!((vec3(d.x, d.y, d.z) * (2.0 / h) - w).length() < 1e-6 * w.length());
}

/// Damping, gravity that some bodies do not feel, and bodies that do not turn.
#[test]
fn drive_of_a_body() {
    let drive = Drive { gravity: vec3(0.0, 0.0, 0.0), keep: 0.5, keep_turn: 0.25, most_speed: 1e30, most_turn: 1e30 };
    let q = turn(vec3(0.6, 0.0, 0.8), 0.7);
    let (v, w) = (vec3(4.0, 0.0, -2.0), vec3(1.0, 2.0, 3.0));
    let m = move_velocity(Motion { v, w }, q, Vec3::zero(), &drive, 0.01);
    assert!((m.v - v * 0.5).length() < 1e-15 && (m.w - w * 0.25).length() < 1e-15);
}

/// 1e6 m/s and 1e6 rad/s through every element, in f32.
#[test]
fn extreme_speeds_make_no_nan() {
    let mut rng = Rng::new(21);
    fn go<X: Element>(p: X::Params<f32>, mut state: X::State<f32>, a: &Body<f32>, b: &Body<f32>) -> [Motion<f32>; 2] {
        let s = substep::<f32>(1.0 / 240.0, SOFT);
        let (mut ma, mut mb) = (a.m, b.m);
        for _ in 0..3 {
            let (work, mut next) = X::set_up::<f32>(&p, state, &a.place(), &b.place(), &mut ma, &mut mb, &s);
            for _ in 0..8 {
                next = X::solve::<f32, false>(&work, next, &mut ma, &mut mb, &s);
            }
            state = X::solve::<f32, true>(&work, next, &mut ma, &mut mb, &s);
        }
        [ma, mb]
    }
    for k in 0..100 {
        let mut pair = [0, 1].map(|_| {
            let mut b = Body::random(&mut rng);
            b.m = Motion { v: v3(&mut rng, 1e6), w: v3(&mut rng, 1e6) };
            b.at::<f32>()
        });
        // One that does not move, or neither.
        for body in pair.iter_mut().take(k % 3) {
            (body.mass, body.moments) = (0.0, Vec3::zero());
        }
        let [a, b] = pair;
        let zero = Vec3::<f32>::zero();
        let anchors = Anchors { a: v3(&mut rng, 1.0).map(|x| x as f32), b: v3(&mut rng, 1.0).map(|x| x as f32) };
        let id = Quat::identity();
        let stiffness = vec3(1e30, 10.0, 1e8);
        let mut all = vec![
            go::<BallElement>(anchors, zero, &a, &b),
            go::<DistanceElement>(DistanceParams { anchors, limits: [0.0, 0.1] }, 0.0, &a, &b),
            go::<LimitElement>(LimitParams { frame_a: id, frame_b: id, swing: [0.1, 0.0], twist: [0.0, 0.0] }, [0.0; 3], &a, &b),
            go::<HingeElement>(HingeParams { frame_a: id, frame_b: id, limits: [0.0, 0.0] }, [0.0; 3], &a, &b),
        ];
        let motor =
            MotorParams { frame_a: id, frame_b: id, stiffness, damping: zero, target: id, speed: zero, most: 1e30, from: id };
        all.push(go::<MotorElement>(motor, zero, &a, &b));
        for (relaxed, stiffness) in [(0.0, stiffness), (1.0, vec3(1.0, 1.0, 1.0))] {
            let arc = ArcParams { anchors, frame_a: id, frame_b: id, length: 0.2, stiffness, damping: zero, rest: zero, relaxed };
            all.push(go::<ArcElement>(arc, no_arc(), &a, &b));
        }
        let normal = vec3(0.0, 1.0, 0.0);
        all.push(go::<ContactElement<4>>(
            ContactParams { normal, friction: 1.0, restitution: 1.0, points: [anchors; 4] },
            no_contact(),
            &a,
            &b,
        ));
        for (i, pair) in all.iter().enumerate() {
            for (m, body) in pair.iter().zip([&a, &b]) {
                assert!((m.v.length2() + m.w.length2()).is_finite(), "{k}, element {i}: {m:?}");
                if body.mass == 0.0 {
                    assert!((m.v - body.m.v).length() + (m.w - body.m.w).length() == 0.0, "{k}, element {i}: moved");
                }
            }
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- contacts

/// Friction of before goes on in the direction it had, whatever the tangents are now.
#[test]
fn friction_keeps_its_direction() {
    let mut rng = Rng::new(26);
    for _ in 0..50 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let p = contact(&mut rng, &mut b, &a, 0.0);
        let [t, u] = tangents(p.normal);
        let old = t * 0.6 + u * 0.8;
        let mut state = no_contact();
        (state.friction, state.tangent) = (vec3(1.5, -0.7, 0.2), old);
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, SOFT);
        let (w, state) = ContactElement::<4>::set_up::<f64>(&p, state, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let before = old * 1.5 - p.normal.cross(old) * 0.7;
        let now = w.tangents[0] * state.friction.x + w.tangents[1] * state.friction.y;
        assert!((now - before).length() < 1e-14 && state.friction.z == 0.2, "{now:?} {before:?}");
        assert!(((mb.v - b.m.v) * (1.0 / b.mass) - before).length() < 1e-13);
    }
}

/// Points only push, friction stays in its disc, and what comes in fast leaves as restitution says.
#[test]
fn contacts_push_hold_and_bounce() {
    let mut rng = Rng::new(22);
    let mut met = 0;
    for _ in 0..50 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let p = contact(&mut rng, &mut b, &a, 0.0);
        b.m = Motion { v: a.m.v - p.normal * 5.0 + v3(&mut rng, 3.0), w: a.m.w };
        let s = substep::<f64>(0.01, Softness::rigid());
        let (mut ma, mut mb) = (a.m, b.m);
        let (w, mut state) = ContactElement::<4>::set_up::<f64>(&p, no_contact(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let parting = |ma: &Motion<f64>, mb: &Motion<f64>, k: usize| {
            let r = w.rows[k];
            speed(&row12(-p.normal, -r.arm_a, p.normal, r.arm_b), ma, mb)
        };
        for _ in 0..2000 {
            state = ContactElement::<4>::solve::<f64, false>(&w, state, &mut ma, &mut mb, &s);
        }
        let press: f64 = state.impulse.iter().sum();
        assert!(state.impulse.iter().all(|i| *i >= 0.0));
        met += u32::from(press > 0.0);
        let lever: f64 = state.impulse.iter().zip(w.arms).map(|(i, arm)| i * arm).sum();
        assert!(state.friction.x.hypot(state.friction.y) <= 0.6 * press * (1.0 + 1e-9));
        assert!(state.friction.z.abs() <= 0.6 * lever * (1.0 + 1e-9));
        for k in 0..4 {
            let speed = parting(&ma, &mb, k);
            assert!(speed > -1e-6, "goes in at {speed}");
            assert!(state.impulse[k] * speed < 1e-5, "pulls: {} at {speed}", state.impulse[k]);
        }
        // Where friction is less than it could be, nothing slides.
        if state.friction.x.hypot(state.friction.y) < 0.59 * press {
            for (t, r) in w.tangents.iter().zip(w.slide) {
                assert_near(speed(&row12(-*t, -r.arm_a, *t, r.arm_b), &ma, &mb), 0.0, 1e-5, "slips");
            }
        }
        let before = state;
        let mut last = (ma, mb);
        for _ in 0..500 {
            state = bounce_contact::<f64, 4>(&w, state, &mut last.0, &mut last.1, &s);
        }
        for k in 0..4 {
            if before.largest[k] > 0.0 && before.approach[k] < -1.0 {
                assert!(parting(&last.0, &last.1, k) > -0.4 * before.approach[k] - 1e-3, "{k} does not bounce");
            }
        }
    }
    assert!(met > 30, "{met}");
}
