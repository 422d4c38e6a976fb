//! Springs and motors.

use super::*;

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
        let s = set_up_spring(rows, error, k, ia.add(ib), h, 0.0);
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
                solve_spring(&set_up_spring(rows, error, Stiffness { spring, damping }, w, h, 0.0), spin, Vec3::zero())
            } else {
                let k = Stiffness { spring: single(spring), damping: single(damping) };
                let s = set_up_spring(rows.map(single), single(error), k, w32, h as f32, 0.0);
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
    let t = solve_spring(&set_up_spring(rows, vec3(1.0, 1.0, 1.0), k, none, 0.004, 0.0), vec3(1.0, 2.0, 3.0), Vec3::zero());
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
            let s = set_up_spring(rows, error, k, ia.add(ib), h, 0.0);
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
