//! What an arc stands for: the fit, the way back to the bones, masses, rest, limits.

use super::*;

/// Sum of squared distances of points from an arc, by its centre and radius.
fn off_arc(a: Vector3<f64>, b: Vector3<f64>, half: Vector3<f64>, points: &[Vector3<f64>]) -> f64 {
    let (d, phi) = (b - a, half.norm());
    let n = half / phi;
    let radius = d.norm() / (2.0 * phi.sin());
    let center = (a + b) / 2.0 - n * (radius * phi.cos());
    let out = d.cross(&n).normalize();
    points
        .iter()
        .map(|p| {
            let r = p - center;
            let z = r.dot(&out);
            ((r - out * z).norm() - radius).powi(2) + z * z
        })
        .sum()
}

#[test]
fn arcs_fit_the_bones_between_best() {
    let desc = chain(5);
    let mut seed = 7;
    for (spread, most) in [(0.0, 1e-9), (0.02, 1.0)] {
        for _ in 0..40 {
            let mut world = space(true);
            let mut set = set(&desc, 1);
            // Bones on an arc of a random place, radius and plane; then off it.
            let (phi, l0) = (0.05 + 1.2 * noise(&mut seed).abs(), 0.5);
            let turn = any_turn(&mut seed, 3.0);
            let on = |s: f64| {
                let (x, r) = (2.0 * phi * s, l0 / (2.0 * phi));
                turn * Vector3::new(r * (1.0 - x.cos()), r * x.sin(), 0.0) + Vector3::new(1.0, 2.0, 3.0)
            };
            let mut poses = Vec::new();
            for k in 0..=5 {
                let mut p = on(k as f64 / 5.0);
                if k != 0 && k != 5 {
                    p += Vector3::new(noise(&mut seed), noise(&mut seed), noise(&mut seed)) * spread;
                }
                poses.push(Transform { position: Vec3::from([p.x, p.y, p.z]), rotation: quat(any_turn(&mut seed, 1.0)) });
            }
            poses.push(at(0.0, 0.0, 0.0));
            set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
            let j = world.joint(set.joint(0, 5).unwrap()).unwrap();
            let JointKind::Arc(arc) = &j.desc.kind else { panic!() };
            let ta = q(poses[0].rotation.compose(transform(j.desc.frame_a).rotation)) * Vector3::z();
            let tb = q(poses[5].rotation.compose(transform(j.desc.frame_b).rotation)) * Vector3::z();
            let (a, b) = (v(poses[0].position), v(poses[5].position));
            let half = (ta - tb).normalize() * (ta.cross(&tb).norm().atan2(ta.dot(&tb)) / 2.0);
            let points: Vec<_> = poses[1..5].iter().map(|p| v(p.position)).collect();
            let best = off_arc(a, b, half, &points);
            if spread == 0.0 {
                assert!((arc.length - l0).abs() < 1e-6 && best < most, "{} {best}", arc.length);
            }
            // No arc near by is better.
            let o = (b - a).normalize();
            for k in 0..8 {
                let angle = f64::from(k) * std::f64::consts::FRAC_PI_4;
                let e1 = o.cross(&Vector3::new(0.3, 0.5, 0.8)).normalize();
                let aside = e1 * angle.cos() + o.cross(&e1) * angle.sin();
                let other = off_arc(a, b, half + aside * 3e-3, &points);
                assert!(other > best, "{other} {best} at {angle}, {half}");
            }
        }
    }
}

/// Bodies put elsewhere, so that an arc fits them: ψ about a random normal, twist τ.
fn bend(world: &mut World, set: &RagdollSet, last: u32, psi: f64, direction: f64, tau: f64) {
    let (a, b, j) = (set.body(0, 0).unwrap(), set.body(0, last).unwrap(), world.joint(set.joint(0, last).unwrap()).unwrap());
    let JointKind::Arc(arc) = &j.desc.kind else { panic!() };
    let (fa, fb, l0) = (transform(j.desc.frame_a), transform(j.desc.frame_b), arc.length);
    let start = transform(world.body_pose(a).unwrap()).compose(fa);
    // In steps along the arc, with nalgebra.
    let (mut x, mut r) = (v(start.position), q(start.rotation));
    let axis = Vector3::new(direction.cos(), direction.sin(), 0.0);
    const STEPS: usize = 4000;
    let step = UnitQuaternion::from_scaled_axis(axis * (0.5 * psi / STEPS as f64));
    for _ in 0..STEPS {
        r *= step;
        x += r * Vector3::z() * (l0 / STEPS as f64);
        r *= step;
    }
    r *= UnitQuaternion::from_scaled_axis(Vector3::z() * tau);
    let end = Transform { position: Vec3::from([x.x, x.y, x.z]), rotation: quat(r) };
    world.set_body_pose(b, pose(end.compose(fb.inverse()))).unwrap();
}

#[test]
fn bones_come_back_along_the_arc() {
    let n = 5;
    let desc = chain(n);
    let mut seed = 3;
    let mut nearest = f64::INFINITY;
    for round in 0..30 {
        let mut world = space(true);
        let mut set = set(&desc, 1);
        let mut poses: Bones = set.ragdoll().bind_pose().to_vec();
        for p in &mut poses {
            let off = Vec3::from([noise(&mut seed), noise(&mut seed), noise(&mut seed)]);
            p.position = p.position + off * if round < 10 { 0.0 } else { 0.01 };
            p.rotation = quat(any_turn(&mut seed, 0.5));
        }
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let id = set.joint(0, n as u32).unwrap();
        let j = world.joint(id).unwrap().desc.clone();
        let JointKind::Arc(arc) = &j.kind else { panic!() };
        let psi0 = (arc.rest[0].powi(2) + arc.rest[1].powi(2)).sqrt();
        let (psi, direction, tau) = (1.5 * noise(&mut seed).abs(), 3.0 * noise(&mut seed), 0.8 * noise(&mut seed));
        bend(&mut world, &set, n as u32, psi, direction, tau);
        assert!(world.joint_error(id).unwrap()[0] < 1e-6);
        let mut out = vec![Transform::identity(); poses.len()];
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        // Where the bones should be: the frames of the arc before and after, by steps.
        let place = |psi: f64, axis: Vector3<f64>, tau: f64, s: f64, turn: f64, start: Transform<f64>| {
            let (mut x, mut r) = (v(start.position), q(start.rotation));
            const STEPS: usize = 2000;
            let step = UnitQuaternion::from_scaled_axis(axis * (0.5 * psi * s / STEPS as f64));
            for _ in 0..STEPS {
                r *= step;
                x += r * Vector3::z() * (arc.length * s / STEPS as f64);
                r *= step;
            }
            let r = q(start.rotation)
                * UnitQuaternion::from_scaled_axis(axis * (psi * turn))
                * UnitQuaternion::from_scaled_axis(Vector3::z() * (tau * turn));
            Transform { position: Vec3::from([x.x, x.y, x.z]), rotation: quat(r) }
        };
        let start = transform(world.body_pose(set.body(0, 0).unwrap()).unwrap()).compose(transform(j.frame_a));
        let axis0 = if psi0 > 1e-9 { Vector3::new(arc.rest[0], arc.rest[1], 0.0) / psi0 } else { Vector3::x() };
        let axis = Vector3::new(direction.cos(), direction.sin(), 0.0);
        let lengths: Vec<f64> = (1..=n).map(|k| (v(poses[k].position) - v(poses[k - 1].position)).norm()).collect();
        let whole: f64 = lengths.iter().sum();
        let mut s = 0.0;
        let (mut parts, mut turns, mut offsets) = (vec![0.0], vec![0.0], vec![0.0]);
        for k in 1..n {
            s += lengths[k - 1] / whole;
            let middle = s + 0.5 * lengths[k] / whole;
            let before = place(psi0, axis0, arc.rest[2], s, middle, start);
            let kept = before.seen(poses[k]);
            let expected = place(psi, axis, tau, s, middle, start).compose(kept);
            let g = gap(&out[k..=k], &[expected]);
            assert!(g[0] < 2e-6 && g[1] < 2e-6, "{round} bone {k}: {g:?}");
            parts.push(s);
            turns.push(middle);
            offsets.push(v(kept.position).norm());
        }
        // Lengths: the bound of the docs.
        (parts, turns, offsets) = ([parts, vec![1.0]].concat(), [turns, vec![1.0]].concat(), [offsets, vec![0.0]].concat());
        turns[0] = 0.5 * parts[1];
        for k in 0..n {
            let now = (v(out[k + 1].position) - v(out[k].position)).norm();
            let delta: f64 = parts[k + 1] - parts[k];
            let strain0 = Vector3::new(arc.rest[0], arc.rest[1], arc.rest[2]);
            let change = (axis * psi + Vector3::z() * tau - strain0).norm() + psi.max(psi0) * tau.abs();
            let bound = arc.length * delta.powi(3) * (psi * psi - psi0 * psi0).abs() / 24.0
                + offsets[k + 1] * (turns[k + 1] - turns[k]) * change;
            let moved = (now - lengths[k]).abs();
            nearest = nearest.min(bound + 1e-6 - moved);
            assert!(moved <= bound * 1.0001 + 1e-6, "{round} bone {k}: {moved} above {bound}");
        }
        // What hangs on a bone inside follows it, and what has a body is there.
        let side = poses.len() - 1;
        let hang = poses[n / 2].seen(poses[side]);
        assert!(gap(&out[side..], &[out[n / 2].compose(hang)])[0] < 1e-12);
        assert!(gap(&out[..1], &poses[..1])[0] < 1e-12);
    }
    println!("nearest to the bound: {nearest} m");
}

#[test]
fn the_papers_linear_ways() {
    for way in [RegionReadBack::Orientation, RegionReadBack::OrientationAndPosition] {
        let n = 5;
        let mut desc = chain(n);
        desc.regions[0].read_back = way;
        desc.bones.push(BoneDesc { name: "hand".into(), parent: Some(n as u32), bind: pose(at(0.2, 0.0, 0.0)) });
        let shape = ShapeDesc { shape: BodyShape::Sphere { radius: 0.02 }, ..ShapeDesc::default() };
        let body = BodyDesc { shapes: vec![shape], ..BodyDesc::default() };
        desc.bodies.push(RagdollBody { bone: n as u32 + 2, body, joint: Some(RagdollJoint::default()) });
        let mut world = space(true);
        let mut set = set(&desc, 1);
        let poses = set.ragdoll().bind_pose().to_vec();
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let mut out = vec![Transform::identity(); poses.len()];
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        assert!(gap(&out, &poses)[0] < 1e-12);
        bend(&mut world, &set, n as u32, 1.2, 0.4, 0.3);
        let hand = set.body(0, n as u32 + 1).unwrap();
        let last = transform(world.body_pose(set.body(0, n as u32).unwrap()).unwrap());
        world.set_body_pose(hand, pose(last.compose(at(0.2, 0.0, 0.0)))).unwrap();
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        let length = |k: usize, parent: usize| (v(out[k].position) - v(out[parent].position)).norm();
        let miss = (v(out[n].position) - v(last.position)).norm();
        println!("{way:?}: the last bone is {miss} m off its body");
        assert!(q(out[n].rotation).angle_to(&q(last.rotation)) < 1e-9);
        assert!((length(n + 2, n) - 0.2).abs() < 1e-9, "{}", length(n + 2, n));
        if way == RegionReadBack::Orientation {
            assert!((1..=n).all(|k| (length(k, k - 1) - 0.1).abs() < 1e-12));
            assert!(miss > 1e-3);
        } else {
            assert!(miss < 1e-9);
            assert!((1..=n).any(|k| (length(k, k - 1) - 0.1).abs() > 1e-4));
        }
        // Shared out: equal angles from bone to bone.
        let angles: Vec<f64> = (1..=n).map(|k| q(out[k].rotation).angle_to(&q(out[k - 1].rotation))).collect();
        assert!(angles.iter().all(|a| (a - angles[0]).abs() < 1e-7), "{angles:?}");
    }
}

#[test]
fn regions_keep_the_weight_and_its_centre() {
    let with = chain(5);
    let without = RagdollDesc { regions: Vec::new(), ..with.clone() };
    let weigh = |desc: &RagdollDesc| {
        let mut world = space(true);
        let mut set = set(desc, 1);
        let poses = set.ragdoll().bind_pose().to_vec();
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let mut sum = (0.0, Vector3::zeros());
        let bodies: Vec<Id> = live(&set).iter().map(|&b| set.body(0, b).unwrap()).collect();
        for &id in &bodies {
            let m = world.body(id).unwrap().mass;
            sum = (sum.0 + m, sum.1 + Vector3::from(world.body_center(id).unwrap()) * m);
        }
        // All of it as one about the centre: the trace of the inertia.
        let center = sum.1 / sum.0;
        let turn: f64 = bodies
            .iter()
            .map(|&id| {
                let b = world.body(id).unwrap();
                let x = Vector3::from(world.body_center(id).unwrap()) - center;
                b.moments.iter().sum::<f64>() + 2.0 * b.mass * x.norm_squared()
            })
            .sum();
        (bodies.len(), sum.0, center, turn)
    };
    let (a, b) = (weigh(&with), weigh(&without));
    assert_eq!((a.0, b.0), (2, 6));
    assert!((a.1 / b.1 - 1.0).abs() < 1e-12 && (a.2 - b.2).norm() < 1e-12 && (a.3 / b.3 - 1.0).abs() < 1e-9, "{a:?} {b:?}");
}

#[test]
fn the_arcs_motor_takes_the_relative_pose_of_its_ends() {
    // The chain hangs from its first body, is asked to bend, and does.
    let mut desc = chain(4);
    desc.bodies[0].body.motion = BodyMotion::Kinematic;
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let mut set = set(&desc, 1);
    let poses = set.ragdoll().bind_pose().to_vec();
    set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
    let wanted = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, 0.3, -0.4));
    let mut target = poses.clone();
    target[4].rotation = quat(wanted);
    let drive = Drive { stiffness: 20.0, damping: 2.0, max_torque: f64::INFINITY, scale: &[] };
    for _ in 0..300 {
        set.set_targets(&mut world, &[0], &target, Motion::Still, drive).unwrap();
        world.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut out = poses.clone();
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    let off = q(out[4].rotation).angle_to(&wanted);
    assert!(off < 1e-3, "{off}");
    assert!((v(out[0].position) - v(poses[0].position)).norm() < 1e-12);
    let error = world.joint_error(set.joint(0, 4).unwrap()).unwrap();
    assert!(error[0] < 1e-4 && error[1] < 1e-3, "{error:?}");
}

#[test]
fn a_bind_pose_at_rest_pulls_back() {
    // Let go bent, with a stiff region, the ends come to stand to each other as in the bind pose, not as they were.
    for (rest, goal) in [(RegionRest::Bind, 0.0), (RegionRest::Pose, 0.6)] {
        let mut desc = chain(4);
        desc.bodies[0].body.motion = BodyMotion::Kinematic;
        desc.bodies.iter_mut().for_each(|b| b.body.can_sleep = false);
        desc.regions[0] = RegionDesc { bend: [5.0; 2], twist: 5.0, viscosity: 0.2, rest, ..desc.regions[0].clone() };
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
        let mut set = set(&desc, 1);
        let mut poses = set.ragdoll().bind_pose().to_vec();
        for (k, p) in poses[..5].iter_mut().enumerate() {
            let a = 0.15 * k as f64;
            p.rotation = quat(UnitQuaternion::from_scaled_axis(Vector3::x() * a));
            p.position.z = 0.02 * (k * k) as f64;
        }
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        for _ in 0..400 {
            world.step(1.0 / 60.0, &Inline).unwrap();
        }
        let mut out = poses.clone();
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        let angle = q(out[0].rotation).angle_to(&q(out[4].rotation));
        assert!((angle - goal).abs() < 2e-3, "{rest:?}: {angle}");
    }
}

#[test]
fn a_region_keeps_its_limits() {
    // A chain of 0.4 m along y, bent by 0.6 about x and turned by 0.3 about itself at the moment of transition.
    let mut desc = chain(4);
    desc.bodies[0].body.motion = BodyMotion::Kinematic;
    desc.bodies.iter_mut().for_each(|b| b.body.can_sleep = false);
    let region = |swing, twist| RegionDesc {
        limits: Some(BallLimits { swing, twist }),
        bend: [1.0; 2],
        twist: 1.0,
        ..desc.regions[0].clone()
    };
    let mut poses = Ragdoll::new(&desc).unwrap().bind_pose().to_vec();
    for (k, p) in poses[..5].iter_mut().enumerate() {
        let (a, s) = (0.15 * k as f64, 0.25 * k as f64);
        p.rotation =
            quat(UnitQuaternion::from_scaled_axis(Vector3::x() * a) * UnitQuaternion::from_scaled_axis(Vector3::y() * (0.3 * s)));
        let r = 0.4 / 0.6;
        p.position = Vec3 { x: 0.0, y: r * a.sin(), z: r * (1.0 - a.cos()) };
    }
    let made = |region: RegionDesc, fit: Transition| {
        let mut desc = desc.clone();
        desc.regions[0] = region;
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
        let mut set = set(&desc, 1);
        set.instantiate(&mut world, &[0], &poses, Motion::Still, fit).unwrap();
        let id = set.joint(0, 4).unwrap();
        (world, set, id)
    };
    let kept = |world: &World, id: Id| {
        let JointKind::Arc(arc) = &world.joint(id).unwrap().desc.kind else { panic!() };
        arc.limits.unwrap()
    };
    // Beyond the pose: the bend as it is, the twist from the bind pose, of which 0.3 are gone.
    let (world, _, id) = made(region([0.9, 0.5], [-0.4, 0.45]), Transition::default());
    let l = kept(&world, id);
    assert_eq!(l.swing, [0.9, 0.5]);
    assert!((l.twist[0] + 0.7).abs() < 0.02 && (l.twist[1] - 0.15).abs() < 0.02, "{l:?}");
    // Within the pose: opened up to it, or not.
    let tight = || region([0.3, 0.2], [-0.1, 0.1]);
    let (world, _, id) = made(tight(), Transition::default());
    let l = kept(&world, id);
    assert!((l.swing[0] - 0.6).abs() < 2e-3 && (l.swing[1] - 0.4).abs() < 2e-3, "{l:?}");
    assert!((l.twist[0] + 0.4).abs() < 0.02 && (l.twist[1] - 1e-3).abs() < 1e-9, "{l:?}");
    let e = world.joint_error(id).unwrap();
    assert!(e[0] < 1e-9 && e[1] < 1e-6, "{e:?}");
    let (mut world, mut set, id) = made(tight(), Transition { limits: false, ..Transition::default() });
    assert!(world.joint_error(id).unwrap()[1] > 0.25);
    assert_eq!(kept(&world, id).swing, [0.3, 0.2]);
    // Then the ends come to stand to each other within the limits: bent by 0.3, turned by 0.1.
    for _ in 0..400 {
        world.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut out = poses.clone();
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    let between = q(out[0].rotation).inverse() * q(out[4].rotation);
    let (up, turned) = (between * Vector3::y(), 2.0 * between.j.atan2(between.w));
    let bent = (up.x * up.x + up.z * up.z).sqrt().atan2(up.y);
    assert!((bent - 0.3).abs() < 0.01 && (turned - 0.1).abs() < 0.02, "{bent} {turned}");
}

#[test]
fn a_given_length_is_kept() {
    let mut desc = chain(4);
    for length in [0.45, 0.4, 0.3] {
        desc.regions[0].length = Some(length);
        let mut world = space(true);
        let mut set = set(&desc, 1);
        let poses = set.ragdoll().bind_pose().to_vec();
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let id = set.joint(0, 4).unwrap();
        let e = arc_errors(&world, id);
        // Ends 0.4 m apart: an arc of 0.45 fits, one of 0.3 m is straight and too short.
        assert!((e[0] - (0.4f64 - length).max(0.0)).abs() < 1e-9 && e[1] < 1e-9, "{length}: {e:?}");
        let mut out = poses.clone();
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        assert!(gap(&out, &poses)[0] < 1e-12);
    }
}
