//! Each kind of joint in a world: what it holds, its motor, and its statics in closed form.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn body(w: &mut World, position: [f64; 3], half: [f64; 3], mass: f64) -> Id {
    let d = BodyDesc {
        pose: Pose { position, ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: half }, ..ShapeDesc::default() }],
        mass,
        can_sleep: false,
        angular_damping: 0.0,
        ..BodyDesc::default()
    };
    w.add_body(&d).unwrap()
}

fn at(position: [f64; 3]) -> Pose {
    Pose { position, ..Pose::IDENTITY }
}

fn steps(w: &mut World, n: usize) {
    for _ in 0..n {
        w.step(DT, &Inline).unwrap();
    }
}

fn joint(a: Option<Id>, b: Id, frame_a: Pose, frame_b: Pose, kind: JointKind) -> JointDesc {
    JointDesc { a, b, frame_a, frame_b, kind, motor: None, collide: false }
}

/// The angle of a body about the world's z, rad.
fn angle(w: &World, b: Id) -> f64 {
    let [_, _, z, q] = w.body_pose(b).unwrap().rotation;
    2.0 * z.atan2(q)
}

#[test]
fn a_hinge_turns_about_its_axis_only_and_stops_at_its_limits() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
    let kind = JointKind::Hinge { limits: [-0.8, 0.3] };
    let j = w.add_joint(&joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), kind)).unwrap();
    w.set_body_motion(b, [0.0, 0.0, 0.4], [0.3, 0.0, 0.0]).unwrap();
    let mut lowest: f64 = 0.0;
    for _ in 0..240 {
        steps(&mut w, 1);
        lowest = lowest.min(angle(&w, b));
        let e = w.joint_error(j).unwrap();
        assert!(e[0] < 2e-3 && e[1] < 0.1, "{e:?}");
    }
    println!("lowest {lowest}, end {}", angle(&w, b));
    assert!((angle(&w, b) + 0.8).abs() < 5e-3, "{}", angle(&w, b));
    assert!(w.body_pose(b).unwrap().position[2].abs() < 1e-3);
}

#[test]
fn a_motor_turns_a_hinge_at_its_speed_and_up_to_its_torque() {
    for (torque, turns) in [(20.0, true), (5.0, false)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        // Weight at 0.5 m: 9.81 N m.
        let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
        let kind = JointKind::Hinge { limits: [-3.0, 3.0] };
        let mut d = joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), kind);
        let motor = MotorDesc { damping: [0.0, 0.0, 1e4], speed: [0.0, 0.0, 0.5], max_torque: torque, ..MotorDesc::default() };
        d.motor = Some(motor);
        w.add_joint(&d).unwrap();
        steps(&mut w, 60);
        println!("{torque} N m: {} rad", angle(&w, b));
        if turns {
            assert!((angle(&w, b) - 0.5).abs() < 0.02, "{}", angle(&w, b));
        } else {
            assert!(angle(&w, b) < -0.2, "{}", angle(&w, b));
        }
    }
}

/// A motor that only brakes is the friction of a joint: at rest it holds what weighs less, and it slows down what weighs more.
#[test]
fn friction_in_a_joint_holds_and_slides() {
    // Weight at 0.5 m: 9.81 N m; the bar's inertia about the joint 0.67 kg m².
    let kinds = [
        JointKind::Ball { limits: None },
        JointKind::Ball { limits: Some(BallLimits { swing: [3.0; 2], twist: [-3.0, 3.0] }) },
        JointKind::Hinge { limits: [-3.1, 3.1] },
    ];
    for (double, substeps, iterations) in [(false, 4, 5), (false, 8, 4), (false, 1, 20), (false, 20, 1), (true, 4, 5)] {
        for kind in &kinds {
            let hold = |torque: f64, seconds: usize| {
                let mut w =
                    World::new(WorldDesc { double_precision: double, substeps, iterations, ..WorldDesc::default() }).unwrap();
                let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
                let mut d = joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), kind.clone());
                d.motor = Some(MotorDesc { damping: [f64::INFINITY; 3], max_torque: torque, ..MotorDesc::default() });
                w.add_joint(&d).unwrap();
                steps(&mut w, 60 * seconds);
                angle(&w, b)
            };
            let crept = hold(1.05 * 9.81, 20);
            let slid = hold(0.5 * 9.81, 1);
            // A damper that f32 still tells from none lets go of τ h tr W / 1e5, rad/s.
            let inverse = 1.5 * (1.0 / (2.0 * 0.0025) + 2.0 / (0.25 + 0.0025));
            let creep = 9.81 * DT / f64::from(substeps) * inverse / 1e5 * 20.0;
            println!(
                "{double} {substeps} × {iterations} {kind:?}: {crept:.2e} rad in 20 s, {creep:.2e}; half as much friction: {slid} rad in 1 s"
            );
            assert!((crept / creep + 1.0).abs() < 0.2, "{crept} {creep}");
            assert!(slid < -0.5, "{slid}");
        }
    }
}

/// Swings out by what friction takes: I ω²/2 = τ φ.
#[test]
fn friction_takes_its_torque_times_the_angle() {
    for (substeps, iterations) in [(4, 5), (8, 4)] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], substeps, iterations, ..WorldDesc::default() }).unwrap();
        let b = body(&mut w, [0.0; 3], [0.5, 0.05, 0.05], 2.0);
        let mut d = joint(None, b, at([0.0; 3]), at([0.0; 3]), JointKind::Hinge { limits: [-3.1, 3.1] });
        d.motor = Some(MotorDesc { damping: [f64::INFINITY; 3], max_torque: 0.5, ..MotorDesc::default() });
        w.add_joint(&d).unwrap();
        w.set_body_motion(b, [0.0; 3], [0.0, 0.0, 3.0]).unwrap();
        steps(&mut w, 120);
        let (inertia, expected) = (2.0 / 3.0 * (0.25 + 0.0025), 2.0 / 3.0 * 0.2525 * 9.0 / 2.0 / 0.5);
        println!("{inertia} kg m²: {} rad, {expected}", angle(&w, b));
        assert!((angle(&w, b) / expected - 1.0).abs() < 0.01, "{} {expected}", angle(&w, b));
    }
}

/// A chain that hangs, each body heavier than the one above, the lowest of 60 kg; every frame something of its joints changes.
#[test]
fn a_chain_whose_joints_change_hangs_on() {
    type Change = fn(&mut JointDesc, usize);
    let limits: Change = |d, n| {
        let some = BallLimits { swing: [1.0; 2], twist: [-1.0, 1.0] };
        d.kind = JointKind::Ball { limits: (n % 2 == 0).then_some(some) };
    };
    let motor: Change = |d, n| {
        let m = MotorDesc { stiffness: [1.0; 3], damping: [0.1; 3], ..MotorDesc::default() };
        d.motor = (n % 2 == 0).then_some(m);
    };
    let mode: Change = |d, n| {
        let spring = MotorDesc { stiffness: [1.0; 3], ..MotorDesc::default() };
        let brake = MotorDesc { damping: [f64::INFINITY; 3], max_torque: 1.0, ..MotorDesc::default() };
        d.motor = Some(if n % 2 == 0 { spring } else { brake });
    };
    let kind: Change = |d, n| {
        d.kind = if n % 2 == 0 { JointKind::Fixed } else { JointKind::Hinge { limits: [-1.0, 1.0] } };
    };
    let ball: Change = |d, n| {
        d.kind = if n % 2 == 0 { JointKind::Ball { limits: None } } else { JointKind::Hinge { limits: [-1.0, 1.0] } };
    };
    let nothing: Change = |_, _| {};
    let mut still = 0.0;
    for (name, change) in
        [("nothing", nothing), ("limits", limits), ("motor", motor), ("mode", mode), ("kind", kind), ("ball", ball)]
    {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let (mut above, mut joints, mut bodies) = (None, Vec::new(), Vec::new());
        let first = if name == "kind" { JointKind::Fixed } else { JointKind::Ball { limits: None } };
        for k in 0..6 {
            let b = body(&mut w, [0.0, -0.1 - 0.2 * k as f64, 0.0], [0.03, 0.1, 0.03], if k == 5 { 60.0 } else { 0.5 });
            let from = if k == 0 { at([0.0; 3]) } else { at([0.0, -0.1, 0.0]) };
            joints.push(w.add_joint(&joint(above, b, from, at([0.0, 0.1, 0.0]), first.clone())).unwrap());
            bodies.push(b);
            above = Some(b);
        }
        steps(&mut w, 300);
        let gap = |w: &World| joints.iter().fold(0.0f64, |m, &j| m.max(w.joint_error(j).unwrap()[0]));
        let before = gap(&w);
        let (mut most, mut speed) = (0.0f64, 0.0f64);
        for n in 0..120 {
            joints.iter().for_each(|&j| w.change_joint(j, &mut |d| change(d, n)).unwrap());
            steps(&mut w, 1);
            most = most.max(gap(&w));
            speed = bodies.iter().fold(speed, |m, &b| {
                let [x, y, z] = w.body_motion(b).unwrap()[0];
                m.max((x * x + y * y + z * z).sqrt())
            });
        }
        println!("{name}: open by {before:.2e} m, then {most:.2e}; {speed:.2e} m/s");
        // Without the impulses of before it falls by half a g h² and more, 0.04 m/s in the first substep.
        if name == "ball" {
            // A hinge gives by 1.5 times as much as a ball: it goes there and back.
            assert!(most < before * 1.7 && speed < 0.08, "{name}: {before} {most} m, {speed} m/s");
            continue;
        }
        assert!(most < before * 1.01 + 1e-6 && speed < 2e-3, "{name}: {before} {most} m, {speed} m/s");
        if name == "nothing" {
            still = most;
        }
        if name != "kind" {
            assert!((most - still).abs() < 0.01 * still + 1e-6, "{name}: {most} {still}");
        }
    }
}

#[test]
fn a_spring_motor_sags_by_weight_over_stiffness() {
    let mut w = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
    let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
    let mut d = joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), JointKind::Ball { limits: None });
    d.motor = Some(MotorDesc { stiffness: [200.0; 3], damping: [10.0; 3], ..MotorDesc::default() });
    w.add_joint(&d).unwrap();
    steps(&mut w, 1200);
    let theta = angle(&w, b);
    // k θ = m g l cos θ.
    let expected = -2.0 * 9.81 * 0.5 * theta.cos() / 200.0;
    println!("{theta} {expected}");
    assert!((theta / expected - 1.0).abs() < 1e-4, "{theta} {expected}");
}

#[test]
fn an_infinite_motor_holds_its_pose() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
    let mut d = joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), JointKind::Ball { limits: None });
    let (s, c) = (0.25f64.sin(), 0.25f64.cos());
    d.motor = Some(MotorDesc { stiffness: [f64::INFINITY; 3], target: [0.0, 0.0, s, c], ..MotorDesc::default() });
    w.add_joint(&d).unwrap();
    steps(&mut w, 120);
    assert!((angle(&w, b) - 0.5).abs() < 2e-3, "{}", angle(&w, b));
}

const RIGID: MotorDesc = MotorDesc {
    stiffness: [f64::INFINITY; 3],
    damping: [0.0; 3],
    target: [0.0, 0.0, 0.0, 1.0],
    speed: [0.0; 3],
    max_torque: f64::INFINITY,
};

/// A rigid motor has h² k W = iterations + 1, W the inverse inertia: it gives under a weight by that, in closed form.
#[test]
fn a_rigid_motor_gives_as_it_says() {
    for (substeps, iterations) in [(8, 4), (4, 5), (1, 20)] {
        let mut w = World::new(WorldDesc { substeps, iterations, double_precision: true, ..WorldDesc::default() }).unwrap();
        let b = body(&mut w, [0.5, 0.0, 0.0], [0.5, 0.05, 0.05], 2.0);
        let mut d = joint(None, b, at([0.0; 3]), at([-0.5, 0.0, 0.0]), JointKind::Ball { limits: None });
        d.motor = Some(RIGID);
        w.add_joint(&d).unwrap();
        steps(&mut w, 1200);
        let h = DT / f64::from(substeps);
        let inertia = 2.0 / 12.0 * (1.0 + 0.01);
        let k = f64::from(iterations + 1) * inertia / (h * h);
        let theta = angle(&w, b);
        let expected = -2.0 * 9.81 * 0.5 * theta.cos() / k;
        println!("{substeps} × {iterations}: {theta} {expected}");
        assert!((theta / expected - 1.0).abs() < 1e-3, "{substeps} × {iterations}: {theta} {expected}");
    }
}

/// Rigid motors on ball joints in a row, upright and leaning, hold their pose.
#[test]
fn rigid_motors_hold_a_chain() {
    for (substeps, iterations) in [(8, 4), (4, 5), (1, 20)] {
        for lean in [0.0f64, 0.5] {
            let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
            let q = [0.0, 0.0, -(lean / 2.0).sin(), (lean / 2.0).cos()];
            let (sin, cos) = lean.sin_cos();
            let mut bodies: Vec<Id> = Vec::new();
            for k in 0..4 {
                let up = 0.1 + 0.2 * k as f64;
                let mass = if k == 3 { 20.0 } else { 5.0 };
                let b = body(&mut w, [up * sin, up * cos, 0.0], [0.1, 0.08, 0.1], mass);
                w.set_body_pose(b, Pose { position: [up * sin, up * cos, 0.0], rotation: q }).unwrap();
                let fa = if k == 0 { Pose { position: [0.0; 3], rotation: q } } else { at([0.0, 0.1, 0.0]) };
                let mut d = joint(bodies.last().copied(), b, fa, at([0.0, -0.1, 0.0]), JointKind::Ball { limits: None });
                d.motor = Some(MotorDesc { stiffness: [f64::INFINITY; 3], ..MotorDesc::default() });
                w.add_joint(&d).unwrap();
                bodies.push(b);
            }
            let (mut energy, mut far): (f64, f64) = (0.0, 0.0);
            for k in 0..300 {
                steps(&mut w, 1);
                let p = w.body_pose(bodies[3]).unwrap().position;
                far = far.max(((p[0] - 0.7 * sin).powi(2) + (p[1] - 0.7 * cos).powi(2) + p[2] * p[2]).sqrt());
                assert!(p.iter().all(|x| x.is_finite()), "{substeps} × {iterations}, step {k}");
                energy = bodies.iter().map(|&b| w.body_energy(b).unwrap()[0]).sum();
            }
            println!("{substeps} × {iterations}, lean {lean}: {far} m off at most, {energy:.1e} J in the end");
            // What a motor carries goes with 1/h²: with one substep it hangs low.
            let most = if substeps == 1 { 0.8 } else { 0.05 };
            assert!(energy < 0.02 && far < most, "{substeps} × {iterations}, lean {lean}: {energy} J, {far} m");
        }
    }
}

/// `count` cubes of 0.2 m and 5 kg on rigid motors, in a row from the origin that leans by an angle from upright.
fn row(w: &mut World, count: usize, lean: f64) -> (Vec<Id>, Vec<Id>) {
    let q = [0.0, 0.0, -(lean / 2.0).sin(), (lean / 2.0).cos()];
    let (mut bodies, mut joints): (Vec<Id>, Vec<Id>) = (Vec::new(), Vec::new());
    for k in 0..count {
        let up = 0.1 + 0.2 * k as f64;
        let position = [up * lean.sin(), up * lean.cos(), 0.0];
        let b = body(w, position, [0.1, 0.08, 0.1], 5.0);
        w.set_body_pose(b, Pose { position, rotation: q }).unwrap();
        let fa = if k == 0 { Pose { position: [0.0; 3], rotation: q } } else { at([0.0, 0.1, 0.0]) };
        let mut d = joint(bodies.last().copied(), b, fa, at([0.0, -0.1, 0.0]), JointKind::Ball { limits: None });
        d.motor = Some(RIGID);
        joints.push(w.add_joint(&d).unwrap());
        bodies.push(b);
    }
    (bodies, joints)
}

/// Eight of them for twenty seconds: they give, swing, and stand.
#[test]
fn a_long_row_of_rigid_motors_comes_to_rest() {
    for (substeps, iterations, most) in [(8, 4, 0.08), (4, 5, 0.25), (1, 20, 1.0)] {
        for lean in [0.5, core::f64::consts::FRAC_PI_2] {
            let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
            let (bodies, joints) = row(&mut w, 8, lean);
            // Of each second, the largest.
            let mut energy = [0.0f64; 20];
            for most in &mut energy {
                for _ in 0..60 {
                    steps(&mut w, 1);
                    *most = most.max(bodies.iter().map(|&b| w.body_energy(b).unwrap()[0]).sum());
                }
            }
            let p = w.body_pose(bodies[7]).unwrap().position;
            let sag = ((p[0] - 1.5 * lean.sin()).powi(2) + (p[1] - 1.5 * lean.cos()).powi(2) + p[2] * p[2]).sqrt();
            let open = joints.iter().map(|&j| w.joint_error(j).unwrap()[0]).fold(0.0, f64::max);
            println!(
                "{substeps} × {iterations}, lean {lean:.1}: sag {sag:.4} m, joints open {open:.1e} m, J of each second {energy:?}"
            );
            assert!(
                sag < most && p[2].abs() < 1e-3 && open < 0.02 * most,
                "{substeps} × {iterations}, lean {lean}: {sag} m, {p:?}, {open} m"
            );
            assert!(energy[19] < 1e-6, "{substeps} × {iterations}, lean {lean}: {energy:?}");
            for k in 2..20 {
                // Below a microjoule it is rounding.
                assert!(energy[k] < energy[k - 1].max(1e-6), "{substeps} × {iterations}, lean {lean}, second {k}: {energy:?}");
            }
        }
    }
}

/// Four of them follow a swing of 0.5 rad, once a second, set in every step; so they do if the host says how fast it goes.
#[test]
fn rigid_motors_follow_a_moving_target() {
    for (substeps, iterations, most) in [(8, 4, 0.012), (4, 5, 0.04), (1, 20, 0.2)] {
        for told in [false, true] {
            let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
            let (bodies, joints) = row(&mut w, 4, 0.0);
            let (turn, mut worst) = (2.0 * core::f64::consts::PI, 0.0f64);
            for k in 1..600 {
                let t = k as f64 * DT;
                let wanted = 0.5 * (turn * t).sin();
                let speed = if told { 0.5 * turn * (turn * t).cos() } else { 0.0 };
                let target = [0.0, 0.0, (wanted / 2.0).sin(), (wanted / 2.0).cos()];
                for &j in &joints {
                    w.change_joint(j, &mut |d| d.motor = Some(MotorDesc { target, speed: [0.0, 0.0, speed], ..RIGID })).unwrap();
                }
                steps(&mut w, 1);
                let mut below = 0.0;
                for &b in &bodies {
                    let now = angle(&w, b);
                    let off = now - below - wanted;
                    below = now;
                    // The first quarter of a second starts from rest.
                    let off = off - 2.0 * core::f64::consts::PI * (off / (2.0 * core::f64::consts::PI)).round();
                    worst = worst.max(if k > 15 { off.abs() } else { 0.0 });
                }
            }
            println!("{substeps} × {iterations}, told {told}: {worst} rad off at most");
            assert!(worst < most, "{substeps} × {iterations}, told {told}: {worst} rad");
        }
    }
}

/// A target that jumps is not thrown at, one that was set while both bodies were the host's is no jump, and two changes before a step are one.
#[test]
fn a_target_goes_from_where_it_was() {
    let turned = |a: f64| [0.0, 0.0, (a / 2.0).sin(), (a / 2.0).cos()];
    let start = || {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let (bodies, joints) = row(&mut w, 1, 0.0);
        (w, bodies[0], joints[0])
    };
    let aim = |w: &mut World, j: Id, a: f64| {
        w.change_joint(j, &mut |d| d.motor = Some(MotorDesc { target: turned(a), ..RIGID })).unwrap()
    };
    for jump in [0.5, 2.5] {
        let (mut w, b, j) = start();
        steps(&mut w, 10);
        aim(&mut w, j, jump);
        let mut most: f64 = 0.0;
        for _ in 0..60 {
            steps(&mut w, 1);
            most = most.max(angle(&w, b));
        }
        println!("a jump of {jump}: {most} at most, then {}", angle(&w, b));
        assert!(most < 1.1 * jump && (angle(&w, b) - jump).abs() < 1e-3, "{jump}: {most}, {}", angle(&w, b));
    }
    // Kinematic, turned by the host along with the target; then let go.
    let (mut w, b, j) = start();
    w.set_body_kinematic(b, true).unwrap();
    for k in 1..=30 {
        let a = 0.01 * k as f64;
        aim(&mut w, j, a);
        let position = [-0.1 * a.sin(), 0.1 * a.cos(), 0.0];
        w.set_body_target(b, Pose { position, rotation: turned(a) }).unwrap();
        steps(&mut w, 1);
    }
    w.set_body_kinematic(b, false).unwrap();
    w.set_body_motion(b, [0.0; 3], [0.0; 3]).unwrap();
    steps(&mut w, 1);
    assert!((angle(&w, b) - 0.3).abs() < 1e-4, "{}", angle(&w, b));
    // Twice before a step.
    let run = |twice: bool| {
        let (mut w, b, j) = start();
        for k in 1..=30 {
            if twice {
                aim(&mut w, j, 1.0);
            }
            aim(&mut w, j, 0.01 * k as f64);
            steps(&mut w, 1);
        }
        angle(&w, b)
    };
    assert_eq!(run(false), run(true));
    assert!((run(false) - 0.3).abs() < 1e-3);
}

#[test]
fn a_fixed_beam_stays_straight() {
    for (count, iterations, sag) in [(1, 4, 1e-4), (2, 4, 1e-3), (3, 4, 3e-3), (3, 20, 3e-3)] {
        let mut w = World::new(WorldDesc { iterations, ..WorldDesc::default() }).unwrap();
        let bodies: Vec<Id> = (0..count).map(|k| body(&mut w, [0.5 + k as f64, 0.0, 0.0], [0.45, 0.1, 0.1], 3.0)).collect();
        let mut joints = Vec::new();
        for (k, &b) in bodies.iter().enumerate() {
            let a = if k == 0 { None } else { Some(bodies[k - 1]) };
            let fa = if k == 0 { at([0.0; 3]) } else { at([0.5, 0.0, 0.0]) };
            joints.push(w.add_joint(&joint(a, b, fa, at([-0.5, 0.0, 0.0]), JointKind::Fixed)).unwrap());
        }
        let mut lowest: f64 = 0.0;
        for _ in 0..300 {
            steps(&mut w, 1);
            lowest = lowest.min(w.body_pose(*bodies.last().unwrap()).unwrap().position[1]);
        }
        let tip = w.body_pose(*bodies.last().unwrap()).unwrap().position;
        let worst = joints.iter().map(|&j| w.joint_error(j).unwrap()).fold([0.0f64; 2], |m, e| [m[0].max(e[0]), m[1].max(e[1])]);
        println!("{count} bodies, {iterations} iterations: lowest {lowest}, tip {tip:?}, errors {worst:?}");
        assert!(tip[1].abs() < sag, "{tip:?}");
    }
}

/// hω of the springs that fixed joints are.
fn fixed_spring(iterations: u32) -> f64 {
    let sweeps = f64::from(iterations + 1);
    (core::f64::consts::PI * (sweeps / 6.0).min(1.0)).min((0.9 * sweeps).sqrt())
}

/// A cantilever's joints give by C = (h/x)² K Λ each, Λ the force and the torque that it carries, x = hω: statics in closed form.
#[test]
fn a_fixed_beam_sags_as_its_springs() {
    for (substeps, iterations) in [(8, 4), (8, 2), (20, 1), (4, 5)] {
        for count in 1..=5 {
            let mut w = World::new(WorldDesc { substeps, iterations, double_precision: true, ..WorldDesc::default() }).unwrap();
            let (mass, half) = (3.0, [0.45, 0.1, 0.1]);
            let bodies: Vec<Id> = (0..count).map(|k| body(&mut w, [0.5 + k as f64, 0.0, 0.0], half, mass)).collect();
            for k in 0..count {
                let (a, fa) = if k == 0 { (None, at([0.0; 3])) } else { (Some(bodies[k - 1]), at([0.5, 0.0, 0.0])) };
                w.add_joint(&joint(a, bodies[k], fa, at([-0.5, 0.0, 0.0]), JointKind::Fixed)).unwrap();
            }
            steps(&mut w, 3000);
            let moment = mass / 3.0 * (half[0] * half[0] + half[1] * half[1]);
            let give = (DT / f64::from(substeps) / fixed_spring(iterations)).powi(2);
            // Height and angle, from body to body, a metre apart.
            let (mut y, mut angle) = (0.0, 0.0);
            for k in 0..count {
                let (a, inverse) = if k == 0 { (0.0, 1.0 / mass) } else { (1.0 / moment, 2.0 / mass) };
                let weight = mass * 9.81 * (count - k) as f64;
                let torque = (k..count).map(|i| mass * 9.81 * (i - k) as f64).sum::<f64>();
                let turn = give * (torque / moment + a * (torque + weight));
                y -= if k == 0 { 0.0 } else { -angle } + give * (inverse * weight + a * (torque + weight));
                angle -= turn;
            }
            let tip = w.body_pose(bodies[count - 1]).unwrap().position[1];
            let energy: f64 = bodies.iter().map(|&b| w.body_energy(b).unwrap()[0]).sum();
            println!("{substeps} × {iterations}, {count} bodies: {tip:.3e} for {y:.3e} m, {energy:.1e} J");
            assert!(
                (tip / y - 1.0).abs() < 0.002 && energy < 1e-9,
                "{substeps} × {iterations}, {count}: {tip} for {y}, {energy} J"
            );
        }
    }
}

/// A ring of twelve bodies on fixed joints that hangs from the world at one of them, undamped: closed, it is statically indeterminate. It
/// sags as its springs give, with (h/x)², and comes to rest.
#[test]
fn a_closed_ring_of_fixed_joints_rests() {
    const COUNT: usize = 12;
    let mut law = None;
    for (substeps, iterations) in [(8, 4), (8, 2), (20, 1), (4, 5), (1, 20)] {
        let mut w = World::new(WorldDesc { substeps, iterations, ..WorldDesc::default() }).unwrap();
        let turn = core::f64::consts::TAU / COUNT as f64;
        // From the middle of a side to its end, for a radius of 0.5 m to that middle.
        let half = 0.5 * (0.5 * turn).tan();
        let about_z = |a: f64| [0.0, 0.0, (0.5 * a).sin(), (0.5 * a).cos()];
        let bodies: Vec<Id> = (0..COUNT)
            .map(|k| {
                let a = turn * k as f64;
                let b = body(&mut w, [0.0; 3], [half, 0.04, 0.06], 2.0);
                w.set_body_pose(b, Pose { position: [0.5 * a.sin(), 0.5 * a.cos(), 0.0], rotation: about_z(-a) }).unwrap();
                b
            })
            .collect();
        w.add_joint(&joint(None, bodies[0], at([0.0, 0.5, 0.0]), at([0.0; 3]), JointKind::Fixed)).unwrap();
        let joints: Vec<Id> = (0..COUNT)
            .map(|k| {
                // The end of one, turned as the next one is.
                let fa = Pose { position: [half, 0.0, 0.0], rotation: about_z(-turn) };
                let d = joint(Some(bodies[k]), bodies[(k + 1) % COUNT], fa, at([-half, 0.0, 0.0]), JointKind::Fixed);
                w.add_joint(&d).unwrap()
            })
            .collect();
        steps(&mut w, 600);
        let worst = joints.iter().map(|&j| w.joint_error(j).unwrap()).fold([0.0f64; 2], |m, e| [m[0].max(e[0]), m[1].max(e[1])]);
        let energy: f64 = bodies.iter().map(|&b| w.body_energy(b).unwrap()[0]).sum();
        let low = w.body_pose(bodies[COUNT / 2]).unwrap().position;
        println!("{substeps} × {iterations}: sag {:.1e} m, errors {worst:?}, {energy:.1e} J", -0.5 - low[1]);
        let give = worst.map(|e| e * (f64::from(substeps) * fixed_spring(iterations)).powi(2));
        let law = *law.get_or_insert(give);
        assert!(energy < 1e-6, "{substeps} × {iterations}: {energy} J");
        for k in 0..2 {
            // To first order: 1 × 20 is bent by 0.06 rad at a joint.
            assert!((give[k] / law[k] - 1.0).abs() < 0.08, "{substeps} × {iterations}: {give:?} for {law:?}");
        }
    }
}

#[test]
fn a_distance_lets_go_within_its_limits() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let b = body(&mut w, [0.0, -0.3, 0.0], [0.1; 3], 1.0);
    w.add_joint(&joint(None, b, at([0.0; 3]), at([0.0; 3]), JointKind::Distance { least: 0.2, most: 1.0 })).unwrap();
    steps(&mut w, 6);
    // Free at first.
    let y = w.body_pose(b).unwrap().position[1];
    assert!((y + 0.3 + 0.5 * 9.81 * 0.01).abs() < 6e-3, "{y}");
    steps(&mut w, 240);
    let y = w.body_pose(b).unwrap().position[1];
    assert!((y + 1.0).abs() < 2e-3, "{y}");
    w.set_body_motion(b, [0.0, 12.0, 0.0], [0.0; 3]).unwrap();
    let mut nearest: f64 = 1.0;
    for _ in 0..30 {
        steps(&mut w, 1);
        let p = w.body_pose(b).unwrap().position;
        nearest = nearest.min((p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt());
    }
    println!("nearest {nearest}");
    assert!((nearest - 0.2).abs() < 0.02, "{nearest}");
}

#[test]
fn a_ball_joint_swings_as_far_as_its_cone() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    // The rod hangs along −y; the twist axis is its own.
    let s = 0.5f64.sqrt();
    let down = [s, 0.0, 0.0, s];
    let d = BodyDesc {
        pose: at([0.0, -0.5, 0.0]),
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.05, 0.5, 0.05] }, ..ShapeDesc::default() }],
        mass: 2.0,
        angular_damping: 3.0,
        ..BodyDesc::default()
    };
    let b = w.add_body(&d).unwrap();
    let kind = JointKind::Ball { limits: Some(BallLimits { swing: [0.5, 0.2], twist: [-0.1, 0.1] }) };
    let fa = Pose { position: [0.0; 3], rotation: down };
    let fb = Pose { position: [0.0, 0.5, 0.0], rotation: down };
    w.add_joint(&joint(None, b, fa, fb, kind)).unwrap();
    for (push, limit) in [([0.0, 0.0, 60.0], 0.5), ([60.0, 0.0, 0.0], 0.2)] {
        for _ in 0..180 {
            w.push_body(b, push, None, [0.0, 5.0, 0.0]).unwrap();
            steps(&mut w, 1);
        }
        let p = w.body_pose(b).unwrap().position;
        let swing = (p[0] * p[0] + p[2] * p[2]).sqrt().atan2(-p[1]);
        println!("{push:?}: {swing}");
        assert!((swing - limit).abs() < 0.025, "{push:?}: {swing}, should be {limit}");
    }
}

/// One arc under a tip load of moment: ψ = M l₀/EI, exactly.
#[test]
fn an_arc_under_a_moment_bends_as_a_beam() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let b = body(&mut w, [0.0, 1.0, 0.0], [0.1; 3], 1.0);
    let s = 0.5f64.sqrt();
    let up = [-s, 0.0, 0.0, s];
    let arc = ArcDesc { bend: [10.0, 10.0], twist: 8.0, viscosity: 0.1, ..ArcDesc::default() };
    let fa = Pose { position: [0.0; 3], rotation: up };
    let fb = Pose { position: [0.0; 3], rotation: up };
    let j = w.add_joint(&joint(None, b, fa, fb, JointKind::Arc(arc))).unwrap();
    for _ in 0..900 {
        w.push_body(b, [0.0; 3], None, [0.0, 0.0, 6.0]).unwrap();
        steps(&mut w, 1);
    }
    let psi = angle(&w, b);
    let p = w.body_pose(b).unwrap().position;
    // ψ = 0.6 rad, the tip on a circle of radius l₀/ψ.
    println!("{psi} {p:?} {:?}", w.joint_error(j).unwrap());
    assert!((psi - 0.6).abs() < 1e-3, "{psi}");
    let (x, y) = (-(1.0 - psi.cos()) / psi, psi.sin() / psi);
    assert!((p[0] - x).abs() < 1e-3 && (p[1] - y).abs() < 1e-3, "{p:?} {x} {y}");
    // Twist: τ = T l₀/GJ.
    for _ in 0..900 {
        w.push_body(b, [0.0; 3], None, [0.0, 4.0, 0.0]).unwrap();
        steps(&mut w, 1);
    }
    let [_, y, _, q] = w.body_pose(b).unwrap().rotation;
    let tau = 2.0 * y.atan2(q);
    println!("twist {tau}");
    assert!((tau - 0.5).abs() < 1e-3, "{tau}");
}

/// Two ends that lean from any arc, up to nearly the state in which both rows of the curve are 0 though the ends point away from each other: they come
/// to the one arc, not to that. The angle is told up to π, by (6) itself: t_a against t_b in a mirror across the chord.
#[test]
fn an_arc_comes_back_from_any_lean() {
    for (k, lean) in [30.0f64, 80.0, 100.0, 135.0, 160.0, 175.0].into_iter().enumerate() {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: k % 2 == 1, ..WorldDesc::default() }).unwrap();
        let along_z = Pose::IDENTITY;
        let [a, b] = [0.0, 1.0].map(|z| body(&mut w, [0.0, 0.0, z], [0.1; 3], 1.0));
        let arc = ArcDesc { bend: [5.0; 2], twist: 5.0, viscosity: 0.1, ..ArcDesc::default() };
        let j = w.add_joint(&joint(Some(a), b, along_z, along_z, JointKind::Arc(arc))).unwrap();
        // Both ends stay parallel; b goes round a, by half the angle that the mirror sees.
        let way = 0.5 * lean.to_radians();
        w.set_body_pose(b, at([way.sin(), 0.0, way.cos()])).unwrap();
        let off = w.joint_error(j).unwrap();
        assert!((off[1] - lean.to_radians()).abs() < 1e-5, "{lean}: {off:?}");
        steps(&mut w, 600);
        let [gap, off] = w.joint_error(j).unwrap();
        assert!(gap < 1e-3 && off < 1e-3, "{lean}: {gap} {off}");
    }
}

/// Frames whose third axes do not point along the arc at all are a mistake: bodies above each other with the library's own frames.
#[test]
fn an_arc_whose_ends_point_elsewhere_is_refused() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let [a, b] = [0.0, 1.0].map(|y| body(&mut w, [0.0, y, 0.0], [0.1; 3], 1.0));
    for length in [0.0, 1.0] {
        let arc = JointKind::Arc(ArcDesc { length, ..ArcDesc::default() });
        let e = w.add_joint(&joint(Some(a), b, Pose::IDENTITY, Pose::IDENTITY, arc)).unwrap_err();
        assert!(e.message.contains("frame_a and frame_b lean by 180 degrees"), "{e:?}");
    }
}

/// The paper's relaxation pulls the arc straight, whatever the load, more with more iterations.
#[test]
fn a_relaxed_arc_comes_back() {
    let mut last = f64::MAX;
    for alpha in [0.01, 0.1, 1.0] {
        let mut w = World::new(WorldDesc { substeps: 1, iterations: 20, ..WorldDesc::default() }).unwrap();
        let b = body(&mut w, [0.0, 1.0, 0.0], [0.1; 3], 1.0);
        let s = 0.5f64.sqrt();
        let up = Pose { position: [0.0; 3], rotation: [-s, 0.0, 0.0, s] };
        let arc = ArcDesc { relaxation: Some([alpha, alpha]), ..ArcDesc::default() };
        w.add_joint(&joint(None, b, up, up, JointKind::Arc(arc))).unwrap();
        for _ in 0..300 {
            w.push_body(b, [0.0; 3], None, [0.0, 0.0, 3.0]).unwrap();
            steps(&mut w, 1);
        }
        println!("{alpha}: {}", angle(&w, b));
        assert!(angle(&w, b).abs() < last && angle(&w, b) > -1e-6, "{alpha}: {} after {last}", angle(&w, b));
        last = angle(&w, b).abs();
    }
    assert!(last < 0.02, "{last}");
}

#[test]
fn bad_joints_are_refused_by_name() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let b = body(&mut w, [0.0; 3], [0.1; 3], 1.0);
    let good = joint(None, b, at([0.0; 3]), at([0.0; 3]), JointKind::Ball { limits: None });
    let mut refused = |change: &dyn Fn(&mut JointDesc), what: &str| {
        let mut d = good.clone();
        change(&mut d);
        let e = w.add_joint(&d).unwrap_err();
        assert!(e.message.contains(what), "{} should name {what}", e.message);
    };
    refused(&|d| d.frame_a.rotation = [0.0, 0.0, 0.0, 2.0], "frame_a.rotation");
    refused(&|d| d.frame_b.position[1] = f64::NAN, "frame_b.position");
    refused(&|d| d.a = Some(d.b), "body_a");
    refused(&|d| d.kind = JointKind::Hinge { limits: [1.0, 0.0] }, "limits");
    refused(&|d| d.kind = JointKind::Distance { least: 2.0, most: 1.0 }, "least");
    refused(&|d| d.kind = JointKind::Arc(ArcDesc { length: -1.0, ..ArcDesc::default() }), "length");
    refused(&|d| d.kind = JointKind::Arc(ArcDesc::default()), "length");
    refused(&|d| d.kind = JointKind::Arc(ArcDesc { length: 1.0, bend: [f64::NAN; 2], ..ArcDesc::default() }), "bend[0]");
    refused(&|d| d.motor = Some(MotorDesc { max_torque: -1.0, ..MotorDesc::default() }), "max_torque");
    let mut body_refused = |d: BodyDesc, what: &str| {
        let e = w.add_body(&d).unwrap_err();
        assert!(e.message.contains(what), "{} should name {what}", e.message);
    };
    let shape = |shape: BodyShape| vec![ShapeDesc { shape, ..ShapeDesc::default() }];
    let sphere = shape(BodyShape::Sphere { radius: 0.1 });
    body_refused(BodyDesc::default(), "shapes");
    body_refused(BodyDesc { mass: f64::NAN, shapes: sphere.clone(), ..BodyDesc::default() }, "mass");
    body_refused(BodyDesc { velocity: [0.0, f64::INFINITY, 0.0], shapes: sphere.clone(), ..BodyDesc::default() }, "velocity.y");
    body_refused(BodyDesc { shapes: shape(BodyShape::Sphere { radius: 0.0 }), ..BodyDesc::default() }, "radius");
    body_refused(BodyDesc { shapes: shape(BodyShape::Plane), ..BodyDesc::default() }, "plane");
    let flat = Some(([0.0; 3], [1.0, 1.0, 5.0, 0.0, 0.0, 0.0]));
    body_refused(BodyDesc { mass: 1.0, inertia: flat, shapes: sphere, ..BodyDesc::default() }, "inertia");
}
