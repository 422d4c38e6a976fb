//! Rows of the other constraints, and effective masses.

use super::*;

#[test]
fn limit_rows_agree_with_dual_numbers() {
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
        }
    }
}

const NO_TURN: Wrench<f64> = Wrench { push: Vec3 { x: 0.0, y: 0.0, z: 0.0 }, turn: Vec3 { x: 0.0, y: 0.0, z: 0.0 } };

fn unmoved() -> HingeState<f64> {
    HingeState { impulse: NO_TURN, angle: 0.0, turns: 0.0 }
}

/// In one iteration the five rows of point and axis have the velocities that were asked for, and the hinge turns on as if only they were there: by
/// dual numbers and six rows solved as a dense system.
#[test]
fn a_hinge_holds_point_and_axis_at_once() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let c = ArcCase::new(&mut rng, 0.3);
        let anchors = Anchors { a: v3(&mut rng, 0.5), b: v3(&mut rng, 0.5) };
        let p = HingeParams { anchors, frame_a: c.p.frame_a, frame_b: c.p.frame_b, limits: [-1e10, 1e10] };
        let (mut ma, mut mb) = (c.a.m, c.b.m);
        // Rigid: an impulse says nothing about errors.
        let s =
            Substep { fixed: Bias { soft: Softness::rigid(), ..substep::<f64>(0.01, SOFT).fixed }, ..substep::<f64>(0.01, SOFT) };
        let (work, state) = HingeElement::set_up::<f64>(&p, unmoved(), &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        assert_eq!((ma.v, ma.w, mb.v, mb.w), (c.a.m.v, c.a.m.w, c.b.m.v, c.b.m.w), "no impulse, no change");
        HingeElement::solve::<f64, true>(&work, state, &mut ma, &mut mb, &s);
        // The point in the middle of the gap moves with both, and the spins differ along the axis of a alone.
        let axis = c.a.q.compose(p.frame_a).frame()[2];
        let [ra, rb] = [c.a.q.rotate(anchors.a), c.b.q.rotate(anchors.b)];
        let middle = (c.a.x + ra + c.b.x + rb) * 0.5;
        let apart = mb.v + mb.w.cross(middle - c.b.x) - (ma.v + ma.w.cross(middle - c.a.x));
        let spin = mb.w - ma.w;
        let off = spin - axis * axis.dot(spin);
        assert!(apart.length() < 1e-11 && off.length() < 1e-11, "{apart:?} {off:?}");
        // Nothing turns it about the axis: what b got has no moment about the hinge.
        let (im, _) = (c.b.place().inertia.mass, ());
        let push = (mb.v - c.b.m.v) * (1.0 / im);
        let turned = c.b.place().inertia.turn.inverse().mul(mb.w - c.b.m.w);
        let about = (turned + (c.b.x - middle).cross(push)).dot(axis);
        assert!(about.abs() < 1e-11 * (1.0 + turned.length()), "{about}");
        // Momentum stays.
        let pushed_a = (ma.v - c.a.m.v) * (1.0 / c.a.place().inertia.mass);
        assert!((push + pushed_a).length() < 1e-11, "{push:?} {pushed_a:?}");
    }
}

/// The angle of a hinge whose axes agree, and which limit counts; and that a limit and the point are held at once.
#[test]
fn a_hinge_stops_at_its_limit() {
    let mut rng = Rng::new(7);
    for by in [-3.0f64, -1.0, -1e-9, 0.3, 2.9].repeat(8) {
        let mut c = ArcCase::new(&mut rng, 0.0);
        c.b.q = c.a.q.compose(c.p.frame_a).compose(turn(vec3(0.0, 0.0, 1.0), by)).compose(c.p.frame_b.conjugate());
        let anchors = Anchors { a: v3(&mut rng, 0.5), b: v3(&mut rng, 0.5) };
        // The anchors meet.
        c.b.x = c.a.x + c.a.q.rotate(anchors.a) - c.b.q.rotate(anchors.b);
        let p = HingeParams { anchors, frame_a: c.p.frame_a, frame_b: c.p.frame_b, limits: [-0.5, 1.0] };
        let (mut ma, mut mb) = (c.a.m, c.b.m);
        let s = substep::<f64>(0.01, SOFT);
        let (work, state) = HingeElement::set_up::<f64>(&p, unmoved(), &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
        let (_, row) = gradient(&c.a, &c.b, |(_, qa), (_, qb)| {
            let [fa, fb] = c.frames(qa, qb);
            angle(fa[2].dot(fa[0].cross(fb[0])), fa[0].dot(fb[0]))
        });
        let is_low = by + 0.5 < 1.0 - by;
        let sign = if is_low { 1.0 } else { -1.0 };
        let wrong = if is_low { by + 0.5 } else { 1.0 - by };
        assert_eq!((work.least == 0.0, work.most == 0.0), (is_low, !is_low));
        // Relaxed, an open limit may be reached and a broken one only stops; both while point and axis hold.
        let free = {
            let open = HingeParams { limits: [-1e10, 1e10], ..p };
            let (mut ma, mut mb) = (c.a.m, c.b.m);
            let (work, state) = HingeElement::set_up::<f64>(&open, unmoved(), &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
            HingeElement::solve::<f64, true>(&work, state, &mut ma, &mut mb, &s);
            speed(&row, &ma, &mb)
        };
        let held = HingeElement::solve::<f64, true>(&work, state, &mut ma, &mut mb, &s);
        let least = if wrong > 0.0 { -wrong * 100.0 } else { 0.0 };
        let after = speed(&row, &ma, &mb) * sign;
        assert_near(after, (free * sign).max(least), 1e-9, "speed");
        let torque = moment(&work.free, &held.impulse);
        assert_eq!(torque.abs() > 1e-9, free * sign < least, "{by}: {torque}");
        assert!(torque * sign > -1e-9, "{by}: {torque}");
        let spin = mb.w - ma.w;
        let axis = c.a.q.compose(p.frame_a).frame()[2];
        let apart = mb.v + mb.w.cross(c.b.q.rotate(anchors.b)) - (ma.v + ma.w.cross(c.a.q.rotate(anchors.a)));
        assert!(apart.length() < 1e-10 && (spin - axis * axis.dot(spin)).length() < 1e-10, "{apart:?} {spin:?}");
        // The impulse of the other limit is not carried over.
        for side in [-sign, sign] {
            let before = HingeState { impulse: Wrench { turn: axis * side, ..NO_TURN }, ..unmoved() };
            let (mut ma, mut mb) = (c.a.m, c.b.m);
            let (_, state) = HingeElement::set_up::<f64>(&p, before, &c.a.place(), &c.b.place(), &mut ma, &mut mb, &s);
            let kept = moment(&work.free, &state.impulse);
            assert_near(kept, if side == sign { sign } else { 0.0 }, 1e-11, "kept");
        }
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

pub fn contact(rng: &mut Rng, b: &mut Body<f64>, a: &Body<f64>, gap: f64) -> ContactParams<f64, 4> {
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
    ContactParams::flat(normal, 0.6, 0.4, points)
}

pub fn no_contact<T: Real>() -> ContactState<T, 4> {
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

/// An iteration of a fixed joint is that of its six rows as one block: Δλ = −m K⁻¹ (J v + C rate) − i λ with the rows at the anchors.
#[test]
fn a_fixed_joint_is_one_block_of_six_rows() {
    let mut rng = Rng::new(41);
    for k in 0..200 {
        let (mut a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        // Light beside heavy, and one that does not move.
        a.mass *= [1.0, 1e3, 0.0][k % 3];
        a.moments = a.moments * [1.0, 1e3, 0.0][k % 3];
        let p = FixedParams {
            anchors: Anchors { a: v3(&mut rng, 0.5), b: v3(&mut rng, 0.5) },
            frame_a: rotation(&mut rng),
            frame_b: rotation(&mut rng),
        };
        let (gap, off) = (v3(&mut rng, 0.05), v3(&mut rng, 0.15));
        let frame_a = a.q.compose(p.frame_a);
        b.q = turn(off.normalized_or(vec3(1.0, 0.0, 0.0)), off.length()).compose(frame_a).compose(p.frame_b.conjugate());
        b.x = a.x + a.q.rotate(p.anchors.a) - b.q.rotate(p.anchors.b) + gap;
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, SOFT);
        let none = Wrench { push: Vec3::zero(), turn: Vec3::zero() };
        let (w, _) = FixedElement::set_up::<f64>(&p, none, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let (ra, rb) = meet(a.q.rotate(p.anchors.a), b.q.rotate(p.anchors.b), gap);
        let axis = |i: usize| Vec3::from([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][i % 3]);
        let rows: [Row12; 6] = core::array::from_fn(|i| {
            if i < 3 { row12(-axis(i), axis(i).cross(ra), axis(i), rb.cross(axis(i))) } else { angular12(axis(i)) }
        });
        let mass = |body: &Body<f64>| if body.mass == 0.0 { Matrix3::zeros() } else { body.inertia().try_inverse().unwrap() };
        // Written out, as `effective` has no place for what does not move.
        let mut m = DMatrix::<f64>::zeros(12, 12);
        for (i, body) in [&a, &b].into_iter().enumerate() {
            for j in 0..3 {
                m[(6 * i + j, 6 * i + j)] = body.mass;
            }
            m.view_mut((6 * i + 3, 6 * i + 3), (3, 3)).copy_from(&mass(body));
        }
        let j = DMatrix::from_fn(6, 12, |r, c| rows[r][c]);
        let inverse = (&j * &m * j.transpose()).try_inverse().unwrap();
        let error: DVector<f64> = DVector::from_iterator(6, gap.to_array().into_iter().chain(off.to_array()));
        // The impulses so far, as a wrench at the centre of b and along the rows.
        let before = DVector::from_fn(6, |_, _| rng.range(-1.0, 1.0));
        let push = vec3(before[0], before[1], before[2]);
        let wrench = Wrench { push, turn: vec3(before[3], before[4], before[5]) + rb.cross(push) };
        for relax in [false, true] {
            let (mut ma, mut mb) = (a.m, b.m);
            let wrong: DVector<f64> = DVector::from_iterator(6, rows.iter().map(|r| speed(r, &ma, &mb)));
            let wanted: DVector<f64> = if relax {
                -(&inverse * &wrong)
            } else {
                -(&inverse * (&wrong + &error * 30.0)) * SOFT.mass - &before * SOFT.impulse
            };
            let dv = &m * j.transpose() * &wanted;
            let after = if relax {
                FixedElement::solve::<f64, true>(&w, wrench, &mut ma, &mut mb, &s)
            } else {
                FixedElement::solve::<f64, false>(&w, wrench, &mut ma, &mut mb, &s)
            };
            let got = [ma.v - a.m.v, ma.w - a.m.w, mb.v - b.m.v, mb.w - b.m.w];
            for (i, got) in got.iter().flat_map(|v| v.to_array()).enumerate() {
                assert_near(got, dv[i], 1e-9 * (1.0 + dv.norm()), "velocity");
            }
            let gained = after.push - wrench.push;
            assert!((na(gained) - wanted.rows(0, 3)).norm() < 1e-9 * (1.0 + wanted.norm()), "impulse");
            let gained = after.turn - wrench.turn - rb.cross(gained);
            assert!((na(gained) - wanted.rows(3, 3)).norm() < 1e-9 * (1.0 + wanted.norm()), "torque impulse");
        }
    }
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
