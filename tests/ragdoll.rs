//! Ragdolls: the moment of transition, and the way back. Real skeletons from the shared data where they are there.

mod common;

use common::shared;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;
use withy::io::skeleton::{Bone, Clip, Skeleton, read_bvh, read_tof_animation, read_tof_ragdoll};
use withy::math::{Quat, Transform, Vec3};
use withy::ragdoll::*;
use withy::world::*;

type Bones = Vec<Transform<f64>>;

fn v(x: Vec3<f64>) -> Vector3<f64> {
    Vector3::new(x.x, x.y, x.z)
}
fn q(r: Quat<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(r.w, r.x, r.y, r.z))
}
fn quat(r: UnitQuaternion<f64>) -> Quat<f64> {
    Quat { x: r.i, y: r.j, z: r.k, w: r.w }
}
fn at(x: f64, y: f64, z: f64) -> Transform<f64> {
    Transform { position: Vec3 { x, y, z }, rotation: Quat::identity() }
}
fn pose(t: Transform<f64>) -> Pose {
    Pose { position: t.position.to_array(), rotation: t.rotation.to_array() }
}
fn transform(p: Pose) -> Transform<f64> {
    let [x, y, z, w] = p.rotation;
    Transform { position: p.position.into(), rotation: Quat { x, y, z, w } }
}

fn frames(skeleton: &Skeleton, clip: &Clip) -> Vec<Bones> {
    clip.poses
        .iter()
        .map(|pose| {
            let mut out = Vec::new();
            skeleton.world(pose, Transform::identity(), &mut out);
            out
        })
        .collect()
}

fn space(double_precision: bool) -> World {
    World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap()
}

/// CMU's walk: description, frames, seconds a frame.
fn cmu() -> Option<(RagdollDesc, Vec<Bones>, f64)> {
    let file = std::fs::read(shared("skeleton/cmu_02_01_walk.bvh")?).unwrap();
    let c = read_bvh(&file, 0.056444).unwrap();
    let desc = RagdollDesc::auto(&c.skeleton, None, &AutoFit { mass: 75.0, ..AutoFit::default() }).unwrap();
    let frames = frames(&c.skeleton, &c.clips[0]);
    let dt = c.clips[0].times[1] - c.clips[0].times[0];
    Some((desc, frames, dt))
}

/// Jolt's human with its walk; spine and neck are regions.
fn jolt() -> Option<(RagdollDesc, Vec<Bones>, f64)> {
    let human = std::fs::read(shared("skeleton/jolt_Human.tof")?).unwrap();
    let walk = std::fs::read(shared("skeleton/jolt_walk.tof")?).unwrap();
    let human = read_tof_ragdoll(&human).unwrap();
    let clip = read_tof_animation(&walk).unwrap().on(&human.skeleton).unwrap();
    let mut desc = RagdollDesc::from_tof(&human).unwrap();
    let names: Vec<_> = desc.bones.iter().map(|b| b.name.as_str()).collect();
    println!("{names:?}");
    let name = |part: &str| names.iter().find(|n| n.contains(part)).unwrap().to_string();
    let mut spine = desc.region(names[0], &name("Spine_sjnt_4")).unwrap();
    let mut neck = desc.region(&name("Spine_sjnt_4"), &name("Head")).unwrap();
    spine.axis = [0.0, 0.0, 1.0];
    neck.axis = [0.0, 0.0, 1.0];
    desc.regions = vec![spine, neck];
    let dt = clip.times[1] - clip.times[0];
    Some((desc, frames(&human.skeleton, &clip), dt))
}

/// How far two poses are: m, rad.
fn gap(a: &[Transform<f64>], b: &[Transform<f64>]) -> [f64; 2] {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold([0.0; 2], |[m, r], (a, b)| {
        [m.max((v(a.position) - v(b.position)).norm()), r.max(q(a.rotation).angle_to(&q(b.rotation)))]
    })
}

fn live(set: &RagdollSet) -> Vec<u32> {
    (0..set.ragdoll().desc().bodies.len() as u32).filter(|&b| set.ragdoll().has_body(b)).collect()
}

/// The paper's (6) and (9) of an arc, from the world's bodies and the joint's frames, with nalgebra.
fn arc_errors(world: &World, id: Id) -> [f64; 2] {
    let j = world.joint(id).unwrap();
    let JointKind::Arc(arc) = &j.desc.kind else { panic!("no arc") };
    let end = |body: Id, frame: Pose| transform(world.body_pose(body).unwrap()).compose(transform(frame));
    let (a, b) = (end(j.desc.a.unwrap(), j.desc.frame_a), end(j.desc.b, j.desc.frame_b));
    let d = v(b.position) - v(a.position);
    let o = d.normalize();
    let (ta, tb) = (q(a.rotation) * Vector3::z(), q(b.rotation) * Vector3::z());
    let psi = ta.cross(&tb).norm().atan2(ta.dot(&tb));
    let sinc = if psi < 1e-6 { 1.0 } else { (psi / 2.0).sin() / (psi / 2.0) };
    [(d.norm() - arc.length * sinc).abs(), (ta + tb - o * (2.0 * ta.dot(&o))).norm()]
}

/// Instantiates from every frame: errors of arcs, velocities, and the pose read back.
fn every_frame(desc: &RagdollDesc, frames: &[Bones], dt: f64) {
    let ragdoll = Arc::new(Ragdoll::new(desc).unwrap());
    assert!(!desc.regions.is_empty());
    for double in [false, true] {
        let mut world = space(double);
        let mut set = RagdollSet::new(ragdoll.clone(), 1).unwrap();
        let (mut arcs, mut own, mut speed, mut back) = ([0.0f64; 2], [0.0f64; 2], [0.0f64; 2], [0.0f64; 2]);
        let mut centers: Vec<Vector3<f64>> = Vec::new();
        let mut longest = 0.0f64;
        for k in 0..frames.len() {
            let before = &frames[k.saturating_sub(1)];
            let motion = Motion::Before { poses: before, dt };
            if k % 7 == 0 {
                // Anew, or moved there.
                set.remove(&mut world, &[0]).unwrap();
            }
            set.instantiate(&mut world, &[0], &frames[k], motion, Transition::default()).unwrap();
            for r in &desc.regions {
                let id = set.joint(0, r.last).unwrap();
                let e = world.joint_error(id).unwrap();
                let f = arc_errors(&world, id);
                arcs = [arcs[0].max(e[0]), arcs[1].max(e[1])];
                own = [own[0].max(f[0]), own[1].max(f[1])];
            }
            let now: Vec<_> =
                live(&set).iter().map(|&b| Vector3::from(world.body_center(set.body(0, b).unwrap()).unwrap())).collect();
            if k > 0 {
                for (i, b) in live(&set).into_iter().enumerate() {
                    let [lin, spin] = world.body_motion(set.body(0, b).unwrap()).unwrap();
                    let bone = desc.bodies[b as usize].bone as usize;
                    let turn = (q(frames[k][bone].rotation) * q(before[bone].rotation).inverse()).scaled_axis() / dt;
                    speed[0] = speed[0].max((Vector3::from(lin) - (now[i] - centers[i]) / dt).norm());
                    speed[1] = speed[1].max((Vector3::from(spin) - turn).norm());
                    longest = longest.max(Vector3::from(lin).norm());
                }
            }
            centers = now;
            let mut out = vec![Transform::identity(); frames[k].len()];
            set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
            let g = gap(&out, &frames[k]);
            back = [back[0].max(g[0]), back[1].max(g[1])];
        }
        println!("double {double}: arcs {arcs:?}, with nalgebra {own:?}; velocity {speed:?} of {longest}; read back {back:?}");
        assert!(arcs[0] < 1e-5 && arcs[1] < 1e-4 && own[0] < 1e-5 && own[1] < 1e-4);
        // Positions in f32, divided by dt.
        let digits = if double { 1e-9 } else { 2e-4 };
        assert!(speed[0] < digits && speed[1] < digits.max(1e-6), "{speed:?}");
        assert!(longest > 0.5);
        assert!(back[0] < 1e-5 && back[1] < 1e-5, "{back:?}");
    }
}

/// At rest in a pose, without springs, an instance falls as one: nothing pulls at its joints.
fn falls_as_one(desc: &RagdollDesc, frames: &[Bones]) {
    let mut desc = desc.clone();
    for r in &mut desc.regions {
        (r.bend, r.twist) = ([0.0; 2], 0.0);
    }
    for b in &mut desc.bodies {
        (b.body.linear_damping, b.body.angular_damping, b.body.can_sleep) = (0.0, 0.0, false);
        b.body.gravity_scale = 1.0;
    }
    desc.self_collide = false;
    let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
    let n = 1.0 / 60.0;
    let fall = 0.5 * 9.81 * n * (n + n / 8.0);
    let mut worst = [0.0f64; 2];
    for k in (0..frames.len()).step_by(5) {
        let mut world = space(false);
        let mut set = RagdollSet::new(ragdoll.clone(), 1).unwrap();
        set.instantiate(&mut world, &[0], &frames[k], Motion::Still, Transition::default()).unwrap();
        let before: Vec<_> = live(&set).iter().map(|&b| world.body_pose(set.body(0, b).unwrap()).unwrap()).collect();
        world.step(n, &Inline).unwrap();
        for (b, before) in live(&set).into_iter().zip(before) {
            let id = set.body(0, b).unwrap();
            let (now, before) = (transform(world.body_pose(id).unwrap()), transform(before));
            let way = v(now.position) - v(before.position) + Vector3::new(0.0, fall, 0.0);
            worst = [worst[0].max(way.norm()), worst[1].max(q(now.rotation).angle_to(&q(before.rotation)))];
        }
    }
    println!("first step, off free fall: {worst:?} m, rad; the fall {fall} m");
    assert!(worst[0] < 3e-5 && worst[1] < 2e-4, "{worst:?}");
}

/// With the animation's velocities: what the joints take out of them in the first step.
fn goes_on(desc: &RagdollDesc, frames: &[Bones], dt: f64) {
    let mut desc = desc.clone();
    desc.self_collide = false;
    let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
    let mut worst = [0.0f64; 3];
    // The step from the first frame of a capture, a T pose, is none.
    for k in (2..frames.len()).step_by(7) {
        let mut world = space(false);
        let mut set = RagdollSet::new(ragdoll.clone(), 1).unwrap();
        let motion = Motion::Before { poses: &frames[k - 1], dt };
        set.instantiate(&mut world, &[0], &frames[k], motion, Transition::default()).unwrap();
        let bodies: Vec<Id> = live(&set).iter().map(|&b| set.body(0, b).unwrap()).collect();
        let momentum = |w: &World| {
            bodies
                .iter()
                .fold(Vector3::zeros(), |p, &b| p + Vector3::from(w.body_motion(b).unwrap()[0]) * w.body(b).unwrap().mass)
        };
        let (p, weight) = (momentum(&world), bodies.iter().map(|&b| world.body(b).unwrap().mass).sum::<f64>());
        let before: Vec<_> = bodies.iter().map(|&b| (world.body_center(b).unwrap(), world.body_motion(b).unwrap()[0])).collect();
        let h = 1.0 / 60.0;
        world.step(h, &Inline).unwrap();
        let lost = (momentum(&world) - p) / weight - Vector3::new(0.0, -9.81 * h, 0.0);
        worst[2] = worst[2].max(lost.norm());
        for (&b, (x, u)) in bodies.iter().zip(before) {
            let way = Vector3::from(world.body_center(b).unwrap()) - Vector3::from(x) - Vector3::from(u) * h;
            worst[0] = worst[0].max(way.norm());
            worst[1] = worst[1].max((Vector3::from(world.body_motion(b).unwrap()[0]) - Vector3::from(u)).norm());
        }
    }
    println!(
        "first step with the walk's velocities: {:?} m off the straight way, {:?} m/s; momentum {:?} m/s",
        worst[0], worst[1], worst[2]
    );
    assert!(worst[0] < 0.008 && worst[2] < 3e-3, "{worst:?}");
}

#[test]
fn every_frame_of_a_captured_walk() {
    let Some((desc, frames, dt)) = cmu() else { return };
    let names: Vec<_> = desc.bodies.iter().map(|b| desc.bones[b.bone as usize].name.as_str()).collect();
    println!("bodies {names:?}");
    for r in &desc.regions {
        println!("region {} to {}", names[r.first as usize], names[r.last as usize]);
    }
    every_frame(&desc, &frames, dt);
    falls_as_one(&desc, &frames);
    goes_on(&desc, &frames, dt);
}

#[test]
fn every_frame_of_jolts_walk() {
    let Some((desc, frames, dt)) = jolt() else { return };
    every_frame(&desc, &frames, dt);
    falls_as_one(&desc, &frames);
    goes_on(&desc, &frames, dt);
}

// ------------------------------------------------------------------------------------------------------- a chain by hand

/// A chain of `n` + 1 bones up y, 0.1 m apart, with a body on each and a side bone without on the middle; the region is all of it.
fn chain(n: usize) -> RagdollDesc {
    let mut desc = RagdollDesc::default();
    for k in 0..=n {
        let bind = if k == 0 { Pose { position: [0.0, 1.0, 0.0], ..Pose::IDENTITY } } else { pose(at(0.0, 0.1, 0.0)) };
        desc.bones.push(BoneDesc { name: format!("b{k}"), parent: (k > 0).then(|| k as u32 - 1), bind });
        let shape = ShapeDesc {
            shape: BodyShape::Capsule { half_height: 0.02, radius: 0.03 },
            pose: pose(at(0.0, 0.05, 0.0)),
            ..ShapeDesc::default()
        };
        let body = BodyDesc { shapes: vec![shape], angular_damping: 0.0, ..BodyDesc::default() };
        desc.bodies.push(RagdollBody { bone: k as u32, body, joint: (k > 0).then(RagdollJoint::default) });
    }
    desc.bones.push(BoneDesc { name: "side".into(), parent: Some(n as u32 / 2), bind: pose(at(0.1, 0.0, 0.0)) });
    desc.regions.push(RegionDesc { first: 0, last: n as u32, ..RegionDesc::default() });
    desc
}

fn set(desc: &RagdollDesc, count: usize) -> RagdollSet {
    RagdollSet::new(Arc::new(Ragdoll::new(desc).unwrap()), count).unwrap()
}

/// A repeatable number in −1..1.
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn any_turn(seed: &mut u64, most: f64) -> UnitQuaternion<f64> {
    let axis = Vector3::new(noise(seed), noise(seed), noise(seed));
    UnitQuaternion::from_scaled_axis(axis.normalize() * most * noise(seed))
}

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
fn descriptions_that_are_none() {
    let good = chain(4);
    Ragdoll::new(&good).unwrap();
    let wrong = |change: &dyn Fn(&mut RagdollDesc)| {
        let mut desc = good.clone();
        change(&mut desc);
        Ragdoll::new(&desc).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(wrong(&|d| d.bones.clear()), "bones is empty, a ragdoll needs one");
    assert_eq!(wrong(&|d| d.bodies.clear()), "bodies is empty, a ragdoll needs one");
    assert_eq!(wrong(&|d| d.bones[2].parent = Some(9)), "bones[2].parent is 9, there are 6 bones");
    let round = wrong(&|d| d.bones[1].parent = Some(3));
    assert!(round.ends_with("which leads round in a circle") && round.starts_with("bones["), "{round}");
    assert_eq!(wrong(&|d| d.bones[5].parent = Some(5)), "bones[5].parent is 5, which leads round in a circle");
    assert!(wrong(&|d| d.bones[3].bind.rotation = [0.0; 4]).starts_with("bones[3].bind.rotation is [0.0, 0.0, 0.0, 0.0]"));
    assert!(wrong(&|d| d.bones[3].bind.position[1] = f64::NAN).starts_with("bones[3].bind.position.y is NaN"));
    assert_eq!(wrong(&|d| d.bodies[2].bone = 6), "bodies[2].bone is 6, there are 6 bones");
    assert_eq!(wrong(&|d| d.bodies[2].bone = 1), "bodies[2].bone is 1, on which bodies[1] is already");
    assert!(wrong(&|d| d.bodies[2].body.motion = BodyMotion::Static).starts_with("bodies[2].motion is static"));
    assert!(wrong(&|d| d.bodies[2].body.shapes.clear()).starts_with("bodies[2]: shapes is empty"));
    assert!(wrong(&|d| d.bodies[2].body.shapes[0].density = -1.0).starts_with("bodies[2]: shapes[0]: density is -1"));
    let joint = |d: &mut RagdollDesc, f: &dyn Fn(&mut RagdollJoint)| f(d.bodies[2].joint.as_mut().unwrap());
    assert!(wrong(&|d| joint(d, &|j| j.frame.rotation = [1.0; 4])).starts_with("bodies[2].joint.frame.rotation is"));
    assert!(
        wrong(&|d| joint(d, &|j| j.parent_frame = Some(Pose { rotation: [f64::NAN; 4], ..Pose::IDENTITY })))
            .starts_with("bodies[2].joint.parent_frame.rotation is")
    );
    let limits = Some(BallLimits { swing: [-1.0, 1.0], twist: [0.0; 2] });
    assert!(wrong(&|d| joint(d, &|j| j.kind = JointKind::Ball { limits })).starts_with("bodies[2].joint.swing[0] is -1"));
    assert!(wrong(&|d| joint(d, &|j| j.kind = JointKind::Arc(ArcDesc::default()))).contains("arcs are given as regions"));
    let region = |d: &mut RagdollDesc, f: &dyn Fn(&mut RegionDesc)| f(&mut d.regions[0]);
    assert_eq!(wrong(&|d| region(d, &|r| r.last = 5)), "regions[0].last is 5, there are 5 bodies");
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(wrong(&|d| region(d, &|r| r.length = Some(length))).starts_with("regions[0].length is"));
    }
    assert!(wrong(&|d| region(d, &|r| r.bend[1] = -1.0)).starts_with("regions[0].bend[1] is -1"));
    assert!(wrong(&|d| region(d, &|r| r.axis = [0.0; 3])).starts_with("regions[0].axis is [0.0, 0.0, 0.0]"));
    assert!(wrong(&|d| region(d, &|r| (r.first, r.last) = (4, 0))).starts_with("regions[0] is no chain"));
    assert!(wrong(&|d| region(d, &|r| r.last = 0)).starts_with("regions[0] is no chain"));
    let more = |d: &mut RagdollDesc, first: u32, last: u32| {
        d.regions[0].first = 0;
        d.regions[0].last = 3;
        d.regions.push(RegionDesc { first, last, ..RegionDesc::default() });
    };
    assert_eq!(wrong(&|d| more(d, 1, 4)), "regions[1] has bone 2 inside, which is inside of regions[0]");
    assert_eq!(wrong(&|d| more(d, 2, 4)), "regions[0].last is 3, which is inside of regions[1]");
    assert_eq!(wrong(&|d| more(d, 0, 3)), "regions[1].last is 3, which is the last of regions[0] as well");
    assert_eq!(wrong(&|d| d.apart.push([0, 77])), "apart[0][1] is 77, there are 5 bodies");
}

#[test]
fn calls_that_are_refused_change_nothing() {
    let mut world = space(false);
    let mut set = set(&chain(4), 3);
    let poses = set.ragdoll().bind_pose().to_vec();
    let bones = poses.len();
    let two = [poses.clone(), poses.clone()].concat();
    let still = Motion::Still;
    let mut err = |set: &mut RagdollSet, which: &[u32], poses: &[Transform<f64>], motion: Motion| {
        let e = set.instantiate(&mut world, which, poses, motion, Transition::default()).unwrap_err().to_string();
        assert!(world.bodies().is_empty() && world.joints().is_empty(), "{e}");
        e
    };
    assert_eq!(err(&mut set, &[3], &poses, still), "which[0] is 3, there are 3 instances");
    assert_eq!(err(&mut set, &[1, 1], &two, still), "which[1] is 1, which is there already");
    assert_eq!(err(&mut set, &[0, 1], &poses, still), "poses has 6 entries, must have 2 times 6");
    let mut bad = two.clone();
    bad[bones + 2].rotation.w = 0.5;
    assert!(err(&mut set, &[0, 1], &bad, still).starts_with("which[1]: pose.rotation[2] is"));
    bad[bones + 2] = two[2];
    bad[bones + 4].position = bad[bones].position;
    assert_eq!(err(&mut set, &[0, 1], &bad, still), "which[1]: regions[0] has ends 0 m apart: no arc fits them");
    let motion = Motion::Before { poses: &two, dt: 0.0 };
    assert!(err(&mut set, &[0, 1], &two, motion).starts_with("dt is 0"));
    let v = vec![[[f64::NAN; 3]; 2]; bones];
    assert!(err(&mut set, &[0], &poses, Motion::Given(&v)).starts_with("which[0]: velocity[0].x is NaN"));
    let mut out = poses.clone();
    assert_eq!(
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap_err().to_string(),
        "which[0] is 0, which has not been instantiated"
    );
    set.instantiate(&mut world, &[0], &poses, still, Transition::default()).unwrap();
    let drive = Drive { stiffness: f64::NAN, damping: 0.0, max_torque: 0.0, scale: &[] };
    assert!(set.set_targets(&mut world, &[0], &poses, still, drive).unwrap_err().to_string().starts_with("stiffness is NaN"));
    assert!(set.body(0, 2).unwrap_err().to_string().contains("inside of a region"));
    assert!(set.fade(&[0], 1.5, 0.0).is_err() && set.advance(f64::NAN).is_err());
    // A body that the host has removed.
    world.remove_body(set.body(0, 4).unwrap()).unwrap();
    assert!(set.read_back(&world, &[0], &[], &[], &mut out).is_err());
    assert!(set.instantiate(&mut world, &[0], &poses, still, Transition::default()).is_err());
    set.remove(&mut world, &[0, 1, 2]).unwrap();
    assert!(world.bodies().is_empty() && world.joints().is_empty());
    set.instantiate(&mut world, &[0], &poses, still, Transition::default()).unwrap();
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
}

#[test]
fn blends_in_bone_space() {
    let desc = chain(4);
    let mut world = space(false);
    let mut set = set(&desc, 1);
    let poses = set.ragdoll().bind_pose().to_vec();
    set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
    for _ in 0..10 {
        world.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut seed = 11;
    let animated: Bones = poses.iter().map(|p| Transform { rotation: quat(any_turn(&mut seed, 1.0)), ..*p }).collect();
    let n = poses.len();
    let read = |set: &mut RagdollSet, animated: &[Transform<f64>], weights: &[f64]| {
        let mut out = vec![Transform::identity(); n];
        set.read_back(&world, &[0], animated, weights, &mut out).unwrap();
        out
    };
    let simulated = read(&mut set, &[], &[]);
    assert!(gap(&simulated, &poses)[0] > 0.1);
    assert_eq!(read(&mut set, &animated, &[]), simulated);
    set.fade(&[0], 0.0, 0.5).unwrap();
    assert_eq!(read(&mut set, &animated, &[]), simulated);
    set.advance(0.25).unwrap();
    assert!((set.weight(0) - 0.5).abs() < 1e-15);
    let half = read(&mut set, &animated, &[]);
    let local = |all: &[Transform<f64>], b: usize| match set.ragdoll().desc().bones[b].parent {
        Some(p) => all[p as usize].seen(all[b]),
        None => all[b],
    };
    for b in 0..n {
        let (from, to, between) = (local(&animated, b), local(&simulated, b), local(&half, b));
        let middle = (v(from.position) + v(to.position)) / 2.0;
        let turn = q(from.rotation).slerp(&q(to.rotation), 0.5);
        assert!((v(between.position) - middle).norm() < 1e-12 && q(between.rotation).angle_to(&turn) < 1e-7, "{b}");
    }
    // Bones of weight 0 have the animated local pose, wherever they hang.
    let mut weights = vec![1.0; n];
    weights[4] = 0.0;
    set.fade(&[0], 1.0, 0.0).unwrap();
    let part = read(&mut set, &animated, &weights);
    assert_eq!(part[..4], simulated[..4]);
    assert!(gap(&[part[3].seen(part[4])], &[animated[3].seen(animated[4])])[0] < 1e-12);
    set.fade(&[0], 0.0, 0.0).unwrap();
    assert_eq!(read(&mut set, &animated, &[]), animated);
    set.fade(&[0], 1.0, 0.2).unwrap();
    set.advance(10.0).unwrap();
    assert_eq!(set.weight(0), 1.0);
}

#[test]
fn bones_without_a_body_follow_or_are_animated() {
    let mut desc = chain(4);
    desc.free_bones = FreeBones::Animated;
    let mut world = space(true);
    let mut set = set(&desc, 1);
    let poses = set.ragdoll().bind_pose().to_vec();
    set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
    world.step(0.1, &Inline).unwrap();
    let mut animated = poses.clone();
    animated[5] = animated[2].compose(at(0.0, 0.0, 0.3));
    let mut out = poses.clone();
    set.read_back(&world, &[0], &animated, &[], &mut out).unwrap();
    assert!(gap(&out[5..], &[out[2].compose(at(0.0, 0.0, 0.3))])[0] < 1e-12);
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    assert!(gap(&out[5..], &[out[2].compose(at(0.1, 0.0, 0.0))])[0] < 1e-12);
}

#[test]
fn targets_hold_a_pose_and_kinematic_hips_carry_it() {
    for regions in [true, false] {
        let Some((mut desc, frames, dt)) = cmu() else { return };
        desc.self_collide = false;
        if !regions {
            desc.regions.clear();
        }
        // What an arc cannot follow of the bones between counts.
        follows(&desc, &frames, dt, if regions { [0.045, 0.02] } else { [0.01, 0.02] });
    }
}

fn follows(desc: &RagdollDesc, frames: &[Bones], dt: f64, most: [f64; 2]) {
    let mut world = space(false);
    let mut set = set(desc, 1);
    let k = 60;
    set.instantiate(&mut world, &[0], &frames[k], Motion::Before { poses: &frames[k - 1], dt }, Transition::default()).unwrap();
    let hips = 0;
    assert_eq!(desc.bones[desc.bodies[hips as usize].bone as usize].name, "Hips");
    set.set_kinematic(&mut world, &[0], Some(hips), true).unwrap();
    let drive = Drive { stiffness: f64::INFINITY, damping: 0.0, max_torque: f64::INFINITY, scale: &[] };
    let bones: Vec<usize> = live(&set).iter().map(|&b| desc.bodies[b as usize].bone as usize).collect();
    let bodies = |all: &[Transform<f64>]| bones.iter().map(|&b| all[b]).collect::<Bones>();
    let (h, mut worst) = (2.0 * dt, [0.0f64; 2]);
    let mut out = frames[k].clone();
    for step in 1..60 {
        let now = &frames[k + 2 * step];
        let motion = Motion::Before { poses: &frames[k + 2 * step - 2], dt: h };
        set.set_targets(&mut world, &[0], now, motion, drive).unwrap();
        world.step(h, &Inline).unwrap();
        set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
        let hip = gap(&out[..1], &now[..1]);
        assert!(hip[0] < 1e-5 && hip[1] < 1e-4, "{hip:?}");
        if step > 5 {
            let g = gap(&bodies(&out), &bodies(now));
            worst = [worst[0].max(g[0]), worst[1].max(g[1])];
        }
    }
    println!("{} regions, held by infinite motors for a second of the walk: off by {worst:?} m, rad", desc.regions.len());
    assert!(worst[0] < most[0] && worst[1] < most[1], "{worst:?}");
    // Without them it hangs from its hips.
    set.clear_targets(&mut world, &[0]).unwrap();
    for _ in 0..60 {
        world.step(h, &Inline).unwrap();
    }
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    assert!(gap(&out, &frames[k + 118])[0] > 0.3);
    set.set_kinematic(&mut world, &[0], None, false).unwrap();
    let height = out[0].position.y;
    for _ in 0..30 {
        world.step(h, &Inline).unwrap();
    }
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    assert!(out[0].position.y < height - 0.5);
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
fn teleports_move_all_as_one() {
    let Some((desc, frames, dt)) = cmu() else { return };
    let mut world = space(true);
    let mut set = set(&desc, 2);
    let both = [frames[50].clone(), frames[90].clone()].concat();
    let before = [frames[49].clone(), frames[89].clone()].concat();
    set.instantiate(&mut world, &[0, 1], &both, Motion::Before { poses: &before, dt }, Transition::default()).unwrap();
    let speed = world.body_motion(set.body(1, 3).unwrap()).unwrap();
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 2.0, -0.5));
    let by = Transform { position: Vec3::from([10.0, 3.0, -5.0]), rotation: quat(turn) };
    set.teleport(&mut world, &[1], &[by]).unwrap();
    let mut out = both.clone();
    set.read_back(&world, &[0, 1], &[], &[], &mut out).unwrap();
    let n = frames[0].len();
    assert!(gap(&out[..n], &frames[50])[0] < 1e-9);
    let expected: Bones = frames[90].iter().map(|&p| by.compose(p)).collect();
    let g = gap(&out[n..], &expected);
    assert!(g[0] < 1e-9 && g[1] < 1e-7, "{g:?}");
    let now = world.body_motion(set.body(1, 3).unwrap()).unwrap();
    for k in 0..2 {
        assert!((turn * Vector3::from(speed[k]) - Vector3::from(now[k])).norm() < 1e-9);
    }
}

#[test]
fn many_have_the_bits_of_one_by_one() {
    let Some((desc, frames, dt)) = cmu() else { return };
    let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
    let (count, bones) = (12, ragdoll.bones());
    let place = |i: usize, frame: usize| -> Bones {
        // Apart by a power of two, so that no digit is lost.
        frames[frame].iter().map(|p| Transform { position: p.position + Vec3::from([0.0, 0.0, 8.0 * i as f64]), ..*p }).collect()
    };
    let frame = |i: usize| 30 + 20 * i;
    let poses: Bones = (0..count).flat_map(|i| place(i, frame(i))).collect();
    let before: Bones = (0..count).flat_map(|i| place(i, frame(i) - 1)).collect();
    let drive = Drive { stiffness: 30.0, damping: 3.0, max_torque: 50.0, scale: &[] };
    let all: Vec<u32> = (0..count as u32).collect();
    let run = |groups: &[&[u32]]| {
        let mut world = space(false);
        world.add_collider(ColliderDesc::default()).unwrap();
        let mut set = RagdollSet::new(ragdoll.clone(), count).unwrap();
        let slice = |which: &[u32], of: &Bones| -> Bones {
            which.iter().flat_map(|&i| of[i as usize * bones..][..bones].to_vec()).collect()
        };
        for which in groups {
            let motion = slice(which, &before);
            let motion = Motion::Before { poses: &motion, dt };
            set.instantiate(&mut world, which, &slice(which, &poses), motion, Transition::default()).unwrap();
        }
        for _ in 0..40 {
            for which in groups {
                set.set_targets(&mut world, which, &slice(which, &poses), Motion::Still, drive).unwrap();
            }
            world.step(1.0 / 60.0, &Inline).unwrap();
        }
        let mut out = vec![Transform::identity(); count * bones];
        for which in groups {
            let mut part = vec![Transform::identity(); which.len() * bones];
            set.read_back(&world, which, &slice(which, &poses), &[], &mut part).unwrap();
            for (k, &i) in which.iter().enumerate() {
                out[i as usize * bones..][..bones].copy_from_slice(&part[k * bones..][..bones]);
            }
        }
        out
    };
    let together = run(&[&all]);
    assert!(gap(&together, &poses)[0] > 0.05);
    let single: Vec<&[u32]> = all.chunks(1).collect();
    assert!(together == run(&single), "one call each");
    // And alone in a world.
    for i in [0, 5, 11] {
        let alone = run(&[&[i as u32]]);
        let (a, b) = (&together[i * bones..][..bones], &alone[i * bones..][..bones]);
        assert!(a == b, "instance {i} alone: {:?}", gap(a, b));
    }
}

#[test]
fn limits_from_jolt_are_about_jolts_axes() {
    let Some(path) = shared("skeleton/jolt_Human.tof") else { return };
    let human = read_tof_ragdoll(&std::fs::read(path).unwrap()).unwrap();
    let desc = RagdollDesc::from_tof(&human).unwrap();
    assert_eq!(desc.bodies.len(), 23);
    let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
    assert_eq!(ragdoll.joint_count(), 22);
    let mut bind = Vec::new();
    human.skeleton.world(&[], Transform::identity(), &mut bind);
    let fit = Transition { anchors: false, limits: false };
    // The rotation from the parent's to the child's joint frame, in Jolt's axes; within the limits or not.
    let error = |joint: usize, axis: Vector3<f64>, angle: f64| {
        let j = &human.joints[joint];
        let (a, b) = (&human.bodies[j.parent as usize], &human.bodies[j.child as usize]);
        let turn = Transform { rotation: quat(UnitQuaternion::from_scaled_axis(axis * angle)), ..Transform::identity() };
        let mut poses = bind.clone();
        poses[b.bone as usize] = poses[a.bone as usize].compose(j.frames[0]).compose(turn).compose(j.frames[1].inverse());
        let mut world = space(true);
        let mut set = RagdollSet::new(ragdoll.clone(), 1).unwrap();
        set.instantiate(&mut world, &[0], &poses, Motion::Still, fit).unwrap();
        let [gap, angle] = world.joint_error(set.joint(0, j.child).unwrap()).unwrap();
        assert!(gap < 1e-5, "{gap}");
        angle
    };
    for joint in 0..22 {
        let j = &human.joints[joint];
        let cases = [
            (Vector3::x(), j.twist[1], 1.0),
            (Vector3::x(), -j.twist[0], -1.0),
            (Vector3::y(), j.plane_half_angle, 1.0),
            (Vector3::z(), j.normal_half_angle, -1.0),
        ];
        for (axis, limit, sign) in cases {
            if !(0.05..3.0).contains(&limit) {
                continue;
            }
            let (inside, outside) = (error(joint, axis, sign * (limit - 0.01)), error(joint, axis, sign * (limit + 0.01)));
            assert!(inside < 1e-6 && (outside - 0.01).abs() < 1e-3, "joint {joint} {axis}: {inside} {outside}");
        }
    }
    let sum: f64 = ragdoll_mass(&desc);
    println!("{sum} kg, the file {:?}", human.kilograms());
    assert!((sum / human.kilograms().unwrap() - 1.0).abs() < 1e-6);
}

fn ragdoll_mass(desc: &RagdollDesc) -> f64 {
    let mut world = space(true);
    let mut set = set(desc, 1);
    let poses = set.ragdoll().bind_pose().to_vec();
    set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
    world.bodies().iter().map(|(_, b)| b.mass).sum()
}

#[test]
fn joints_open_up_to_the_pose() {
    // A hinge aside of its axis, a cone and a twist beyond their limits, a fixed joint that is bent: none pulls.
    let limits = Some(BallLimits { swing: [0.2, 0.3], twist: [-0.1, 0.1] });
    for kind in [JointKind::Ball { limits }, JointKind::Hinge { limits: [-0.1, 0.1] }, JointKind::Fixed] {
        let mut desc = chain(1);
        desc.regions.clear();
        desc.bodies[1].joint = Some(RagdollJoint { kind: kind.clone(), ..RagdollJoint::default() });
        let mut world = space(true);
        let mut set = set(&desc, 1);
        let mut poses = set.ragdoll().bind_pose().to_vec();
        poses[1].rotation = quat(UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 0.7, -0.6)));
        poses[1].position.x = 0.03;
        let error = |set: &mut RagdollSet, world: &mut World, fit: Transition| {
            set.instantiate(world, &[0], &poses, Motion::Still, fit).unwrap();
            world.joint_error(set.joint(0, 1).unwrap()).unwrap()
        };
        let e = error(&mut set, &mut world, Transition { anchors: false, limits: false });
        assert!((e[0] - 0.03).abs() < 1e-9 && e[1] > 0.1, "{kind:?} {e:?}");
        let e = error(&mut set, &mut world, Transition::default());
        assert!(e[0] < 1e-12 && e[1] < 1e-9, "{kind:?} {e:?}");
    }
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

#[test]
fn capsules_for_a_bare_skeleton() {
    let Some((desc, frames, dt)) = cmu() else { return };
    let name = |b: u32| desc.bones[desc.bodies[b as usize].bone as usize].name.as_str();
    let regions: Vec<_> = desc.regions.iter().map(|r| (name(r.first), name(r.last))).collect();
    assert_eq!(regions, [("Hips", "Spine1"), ("Spine1", "Head")]);
    assert!((ragdoll_mass(&desc) - 75.0).abs() < 1e-6);
    // It falls onto the floor and stays in one piece.
    let mut world = space(false);
    world.add_collider(ColliderDesc::default()).unwrap();
    let mut set = set(&desc, 1);
    let n = 100;
    set.instantiate(&mut world, &[0], &frames[n], Motion::Before { poses: &frames[n - 1], dt }, Transition::default()).unwrap();
    let mut worst = [0.0f64; 2];
    for step in 0..240 {
        world.step(1.0 / 60.0, &Inline).unwrap();
        if step > 180 {
            for r in &desc.regions {
                let e = world.joint_error(set.joint(0, r.last).unwrap()).unwrap();
                worst = [worst[0].max(e[0]), worst[1].max(e[1])];
            }
        }
    }
    let mut out = frames[0].clone();
    set.read_back(&world, &[0], &[], &[], &mut out).unwrap();
    let top = out.iter().fold(0.0f64, |m, p| m.max(p.position.y));
    let low = out.iter().fold(9.0f64, |m, p| m.min(p.position.y));
    println!("on the floor: arcs {worst:?}, from {low} to {top} m");
    assert!(top < 0.8 && low > -0.05 && worst[0] < 0.01 && worst[1] < 0.1, "{worst:?}");
    let skeleton = |bones: Vec<Bone>| Skeleton { bones };
    let one = Bone { name: "x".into(), parent: None, bind: Transform::identity(), tip: None };
    let e = RagdollDesc::auto(&skeleton(vec![one.clone()]), None, &AutoFit::default()).unwrap_err().to_string();
    assert_eq!(e, "bones span 0 m: there is no height to fit to");
    let fit = AutoFit { regions: Some(vec![NamedRegion { first: "x".into(), last: "y".into() }]), ..AutoFit::default() };
    let two = Bone { parent: Some(0), bind: at(0.0, 1.0, 0.0), ..one.clone() };
    let e = RagdollDesc::auto(&skeleton(vec![one, two]), None, &fit).unwrap_err().to_string();
    assert_eq!(e, "last is \"y\", which is no bone");
}

#[cfg(feature = "gltf")]
#[test]
fn capsules_within_a_skin() {
    let Some(path) = shared("skeleton/CesiumMan.glb") else { return };
    let c = withy::io::skeleton::read_gltf(&std::fs::read(path).unwrap()).unwrap();
    let fit = AutoFit { mass: 75.0, ..AutoFit::default() };
    let names: Vec<_> = c.skeleton.bones.iter().map(|b| b.name.as_str()).collect();
    println!("{names:?}");
    let desc = RagdollDesc::auto(&c.skeleton, c.mesh.as_ref(), &fit).unwrap();
    for b in &desc.bodies {
        println!("{} {:?} {} kg", names[b.bone as usize], b.body.shapes[0].shape, b.body.mass);
    }
    println!("{:?}", desc.regions.iter().map(|r| (r.first, r.last)).collect::<Vec<_>>());
    let frames = frames(&c.skeleton, &c.clips[0]);
    falls_as_one(&desc, &frames);
}
