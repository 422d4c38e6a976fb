//! Bodies that move.

use super::*;

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
            go::<FixedElement>(FixedParams { anchors, frame_a: id, frame_b: id }, Wrench { push: zero, turn: zero }, &a, &b),
            go::<DistanceElement>(DistanceParams { anchors, limits: [0.0, 0.1] }, 0.0, &a, &b),
            go::<LimitElement>(
                LimitParams { frame_a: id, frame_b: id, swing: [0.1, 0.0], twist: [0.0, 0.0] },
                AngularState::new([0.0; 3]),
                &a,
                &b,
            ),
            go::<HingeElement>(
                HingeParams { anchors, frame_a: id, frame_b: id, limits: [0.0, 0.0] },
                HingeState { impulse: Wrench { push: zero, turn: zero }, angle: 0.0, turns: 0.0 },
                &a,
                &b,
            ),
        ];
        let motor =
            MotorParams { frame_a: id, frame_b: id, stiffness, damping: zero, target: id, speed: zero, most: 1e30, from: id };
        all.push(go::<MotorElement>(motor, zero, &a, &b));
        for (relaxed, stiffness) in [(0.0, stiffness), (1.0, vec3(1.0, 1.0, 1.0))] {
            let arc = ArcParams { anchors, frame_a: id, frame_b: id, length: 0.2, stiffness, damping: zero, rest: zero, relaxed };
            all.push(go::<ArcElement>(arc, no_arc(), &a, &b));
        }
        let normal = vec3(0.0, 1.0, 0.0);
        all.push(go::<ContactElement<4>>(ContactParams::flat(normal, 1.0, 1.0, [anchors; 4]), no_contact(), &a, &b));
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
