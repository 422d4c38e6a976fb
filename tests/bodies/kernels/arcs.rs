//! The arc: its rows and strains against dual numbers, circles and beams.

use super::*;

/// Angles of bending and twist of two frames, and (ψ/2)/sin(ψ/2), from the frames' axes.
pub struct Strain<T> {
    pub beta: [T; 2],
    pub tau: T,
    pub stretch: T,
}

pub fn strain<T: Real>(fa: [Vec3<T>; 3], fb: [Vec3<T>; 3]) -> Strain<T> {
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

pub struct ArcCase {
    pub a: Body<f64>,
    pub b: Body<f64>,
    pub p: ArcParams<f64>,
}

impl ArcCase {
    /// Bent by `psi`, otherwise anything; the anchors need not be where an arc would have them.
    pub fn new(rng: &mut Rng, psi: f64) -> ArcCase {
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
    pub fn frames<T: Real>(&self, qa: Quat<T>, qb: Quat<T>) -> [[Vec3<T>; 3]; 2] {
        let c = |q: Quat<f64>| Quat { x: T::constant(q.x), y: T::constant(q.y), z: T::constant(q.z), w: T::constant(q.w) };
        [qa.compose(c(self.p.frame_a)).frame(), qb.compose(c(self.p.frame_b)).frame()]
    }
    pub fn kernels(&self) -> (ArcPose<f64>, ArcStrain<f64>, ArcHard<f64>) {
        let (qa, qb) = (self.a.q.compose(self.p.frame_a), self.b.q.compose(self.p.frame_b));
        let (ra, rb) = (self.a.q.rotate(self.p.anchors.a), self.b.q.rotate(self.p.anchors.b));
        let between = self.b.x - self.a.x;
        let pose = ArcPose { chord: between + rb - ra, between, rb, frame_a: qa.frame(), frame_b: qb.frame() };
        let e = arc_strain(qa.conjugate().compose(qb));
        let hard = arc_rows(&pose, &e, self.p.length);
        (pose, e, hard)
    }
    pub fn hard_rows(&self) -> [Row12; 3] {
        let (pose, _, hard) = self.kernels();
        core::array::from_fn(|k| {
            let (n, s) = (hard.n[k], hard.s[k]);
            row12(-n, -s - pose.between.cross(n), n, s)
        })
    }
    /// Length and curve (eqs. 9 and 6) of displaced bodies.
    pub fn constraint(&self, k: usize, (xa, qa): (Vec3<D>, Quat<D>), (xb, qb): (Vec3<D>, Quat<D>)) -> D {
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
            let (pose, _, hard) = c.kernels();
            let rows = c.hard_rows();
            // All of (6): t_a less t_b in a mirror across the chord, 2 sin(φ/2) long.
            let (o, [ta, tb]) = (pose.chord * (1.0 / pose.chord.length()), [pose.frame_a[2], pose.frame_b[2]]);
            let curve = ta - (o * (2.0 * tb.dot(o)) - tb);
            assert_near(curve.length2(), 2.0 - 2.0 * hard.cosine, 1e-12, "angle");
            for k in 0..3 {
                let (value, row) = gradient(&c.a, &c.b, |a, b| c.constraint(k, a, b));
                // Where the ends point away from each other the errors turn with the rows.
                let turned = if k > 0 && hard.cosine < 0.0 { -1.0 } else { 1.0 };
                assert_near(hard.error.to_array()[k], turned * value, 1e-12, "error");
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

pub fn no_arc<T: Real>() -> ArcState<T> {
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

/// A beam of n arcs, clamped, under a small load at its tip: too stiff by the part 1/(4n²) (`docs/internals/arc.md`). The statics take the kernels'
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
