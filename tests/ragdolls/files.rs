//! Skeletons, motion and ragdolls from files.

use super::*;

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

/// What the first frame takes out of Jolt's walk. Bodies get the mean velocity and spin of the frame before, 33 ms, at the pose of its end:
/// there the two sides of a joint part, by as much more as the frame is longer. And the friction of its joints, 5 N m at a hand of 0.4 kg,
/// brakes.
#[test]
fn what_joints_take_out_of_jolts_walk() {
    let Some((full, frames, dt)) = jolt() else { return };
    let mut bare = full.clone();
    bare.regions.clear();
    for j in bare.bodies.iter_mut().filter_map(|b| b.joint.as_mut()) {
        (j.kind, j.motor) = (JointKind::Ball { limits: None }, None);
    }
    let mut braked = bare.clone();
    for (b, from) in braked.bodies.iter_mut().zip(&full.bodies) {
        if let (Some(j), Some(from)) = (&mut b.joint, &from.joint) {
            j.motor = from.motor;
        }
    }
    // Largest change of a velocity over all frames, and how far anchors part, m/s.
    let most = |desc: &RagdollDesc, over: usize| {
        let mut desc = desc.clone();
        desc.self_collide = false;
        let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
        let (mut jump, mut part) = (0.0f64, 0.0f64);
        for k in over..frames.len() {
            let mut world =
                World::new(WorldDesc { gravity: [0.0; 3], substeps: 4, iterations: 5, ..WorldDesc::default() }).unwrap();
            let mut set = RagdollSet::new(ragdoll.clone(), 1).unwrap();
            let motion = Motion::Before { poses: &frames[k - over], dt: over as f64 * dt };
            set.instantiate(&mut world, &[0], &frames[k], motion, Transition::default()).unwrap();
            let speed = |w: &World, id: Id, p: Vector3<f64>| {
                let [u, s] = w.body_motion(id).unwrap().map(Vector3::from);
                u + s.cross(&(p - Vector3::from(w.body_center(id).unwrap())))
            };
            for (_, j) in world.joints().iter() {
                let p = v(transform(world.body_pose(j.desc.b).unwrap()).point(j.desc.frame_b.position.into()));
                part = part.max((speed(&world, j.desc.b, p) - speed(&world, j.desc.a.unwrap(), p)).norm());
            }
            let bodies: Vec<Id> = world.bodies().iter().map(|(id, _)| id).collect();
            let all = |w: &World| bodies.iter().map(|&b| Vector3::from(w.body_motion(b).unwrap()[0])).collect::<Vec<_>>();
            let before = all(&world);
            world.step(1.0 / 60.0, &Inline).unwrap();
            jump = all(&world).iter().zip(&before).fold(jump, |m, (a, b)| m.max((a - b).norm()));
        }
        [jump, part]
    };
    let [[jump, part], [_, twice]] = [1, 2].map(|over| most(&bare, over));
    let [more, all] = [&braked, &full].map(|desc| most(desc, 1)[0]);
    println!(
        "anchors part by {part} m/s, over two frames {twice}; bare joints change velocities by {jump}, with friction {more}, all {all}"
    );
    assert!(part < 0.3 && (1.4..2.6).contains(&(twice / part)), "{part} {twice}");
    assert!((0.5..1.2).contains(&(jump / part)), "{jump} {part}");
    assert!(more > 1.5 * jump && more < 0.7 && all < 0.7, "{more} {all}");
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

#[test]
fn capsules_for_a_bare_skeleton() {
    let Some((desc, frames, dt)) = cmu() else { return };
    let name = |b: u32| desc.bones[desc.bodies[b as usize].bone as usize].name.as_str();
    let regions: Vec<_> = desc.regions.iter().map(|r| (name(r.first), name(r.last))).collect();
    assert_eq!(regions, [("Hips", "Spine1"), ("Spine1", "Head")]);
    for (r, [forwards, aside, twist]) in desc.regions.iter().zip([[52.5f64, 35.0, 45.0], [45.0, 45.0, 60.0]]) {
        let l = r.limits.unwrap();
        let expected = [forwards, aside, -twist, twist].map(f64::to_radians);
        assert_eq!([l.swing[0], l.swing[1], l.twist[0], l.twist[1]], expected);
    }
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

/// A post of five bones with a tail of four: limits of the regions as they are named, given, or switched off.
#[test]
fn limits_of_arcs_for_a_bare_skeleton() {
    let names = ["hips", "spine1", "spine2", "neck", "head", "tail1", "tail2", "tail3"];
    let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(0), Some(5), Some(6)];
    let mut bones: Vec<Bone> = (0..8)
        .map(|k| {
            let bind = if k < 5 { at(0.0, 0.3, 0.0) } else { at(0.0, 0.0, -0.3) };
            let tip = (k == 4 || k == 7).then_some(Vec3 { x: 0.0, y: 0.0, z: -0.3 });
            Bone { name: names[k].into(), parent: parents[k], bind, tip }
        })
        .collect();
    bones[4].tip = Some(Vec3 { x: 0.0, y: 0.3, z: 0.0 });
    let skeleton = Skeleton { bones };
    let limits = |named: [[&str; 2]; 2], given: Option<BallLimits>| {
        let regions = named.map(|[first, last]| NamedRegion { first: first.into(), last: last.into() }).to_vec();
        let mut fit = AutoFit { regions: Some(regions), ..AutoFit::default() };
        fit.region.limits = given;
        let desc = RagdollDesc::auto(&skeleton, None, &fit).unwrap();
        Ragdoll::new(&desc).unwrap();
        desc.regions
            .iter()
            .map(|r| r.limits.map(|l| [l.swing[0], l.swing[1], l.twist[1]].map(|x| x.to_degrees().round())))
            .collect::<Vec<_>>()
    };
    let two = [["hips", "spine2"], ["hips", "tail3"]];
    // Of a tail 45° and 30° a bone.
    assert_eq!(limits(two, None), [Some([53.0, 35.0, 45.0]), Some([135.0, 135.0, 90.0])]);
    assert_eq!(limits([["hips", "head"], ["hips", "tail1"]], None), [Some([98.0, 80.0, 105.0]), Some([45.0, 45.0, 30.0])]);
    let given = BallLimits { swing: [0.5, 0.25], twist: [-0.125, 0.125] };
    assert_eq!(limits(two, Some(given)), [Some([29.0, 14.0, 7.0]); 2]);
    let pi = core::f64::consts::PI;
    assert_eq!(limits(two, Some(BallLimits { swing: [pi; 2], twist: [-pi, pi] })), [None; 2]);
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
