//! What a host calls: descriptions, refusals, targets, blends, many at once.

use super::*;

#[test]
fn descriptions_that_are_none() {
    let good = chain(4);
    Ragdoll::new(&good).unwrap();
    let wrong = |change: &dyn Fn(&mut RagdollDesc)| {
        let mut desc = good.clone();
        change(&mut desc);
        Ragdoll::new(&desc).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(wrong(&|d| d.bones.clear()), "there are no bones, a ragdoll needs one");
    assert_eq!(wrong(&|d| d.bodies.clear()), "there are no bodies, a ragdoll needs one");
    assert_eq!(wrong(&|d| d.bones[2].parent = Some(9)), "parents[2] is 9, there are 6 bones");
    let round = wrong(&|d| d.bones[1].parent = Some(3));
    assert!(round.ends_with("which leads round in a circle") && round.starts_with("parents["), "{round}");
    assert_eq!(wrong(&|d| d.bones[5].parent = Some(5)), "parents[5] is 5, which leads round in a circle");
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
    assert!(wrong(&|d| region(d, &|r| r.limits = limits)).starts_with("regions[0].limits.swing[0] is -1"));
    let crossed = Some(BallLimits { swing: [1.0; 2], twist: [0.5, 0.25] });
    assert!(wrong(&|d| region(d, &|r| r.limits = crossed)).starts_with("regions[0].limits.twist are 0.5 and 0.25"));
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
    let along = wrong(&|d| region(d, &|r| r.axis = [0.0, -2.0, 0.01]));
    assert!(along.starts_with("regions[0].axis is [0.0, -2.0, 0.01], along the arc"), "{along}");
    let nothing = "bodies[0].joint joins it to nothing: no bone above has a body";
    assert_eq!(wrong(&|d| d.bodies[0].joint = Some(RagdollJoint::default())), nothing);
    assert_eq!(wrong(&|d| d.apart.push([0, 77])), "apart[0][1] is 77, there are 5 bodies");
    assert_eq!(wrong(&|d| d.apart.push([3, 3])), "apart[0] is [3, 3], must be two bodies");
}

/// A pose that one region cannot be fitted to leaves all as they are, even where its arc is broken and would be made anew.
#[test]
fn a_pose_that_no_arc_fits_changes_nobody() {
    let mut desc = chain(4);
    desc.regions[0].length = Some(30.0);
    let mut world = space(false);
    let mut set = set(&desc, 2);
    let poses = set.ragdoll().bind_pose().to_vec();
    let mut two = [poses.clone(), poses.clone()].concat();
    let refused = |set: &mut RagdollSet, world: &mut World, all: &[Transform<f64>]| {
        set.instantiate(world, &[0, 1], all, Motion::Still, Transition::default()).unwrap_err().to_string()
    };
    set.instantiate(&mut world, &[0, 1], &two, Motion::Still, Transition::default()).unwrap();
    world.remove_joint(set.joint(1, 4).unwrap()).unwrap();
    let hash = world.state_hash();
    two[0].position.x += 0.5;
    let n = poses.len();
    // The ends a millimetre apart, the bones between them far off.
    two[n + 4].position = two[n].position;
    two[n + 4].position.y += 0.001;
    let none = refused(&mut set, &mut world, &two);
    assert!(none.starts_with("which[1]: regions[0]: "), "{none}");
    assert_eq!(world.state_hash(), hash);
    assert!(world.body_pose(set.body(0, 0).unwrap()).unwrap().position[0].abs() < 1e-6);
    // Nor does one that names an instance twice, and would move it twice.
    let by = Transform { position: withy::math::vec3::vec3(6e8, 0.0, 0.0), ..Transform::identity() };
    assert_eq!(set.teleport(&mut world, &[0, 0], &[by, by]).unwrap_err().to_string(), "which[1] is 0, which is there already");
    assert_eq!(world.state_hash(), hash);
}

/// Joints that broke and were made anew are where they were, in whatever order they broke: states from before still fit.
#[test]
fn states_fit_after_joints_were_broken() {
    let desc = RagdollDesc { regions: vec![], ..chain(4) };
    for order in [[1, 2, 4], [4, 2, 1], [2, 4, 1]] {
        let mut world = space(false);
        let mut set = set(&desc, 1);
        let poses = set.ragdoll().bind_pose().to_vec();
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let before: Vec<u32> = (1..=4).map(|k| set.joint(0, k).unwrap().index).collect();
        for k in order {
            world.remove_joint(set.joint(0, k).unwrap()).unwrap();
        }
        set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
        let after: Vec<u32> = (1..=4).map(|k| set.joint(0, k).unwrap().index).collect();
        assert_eq!(before, after, "{order:?}");
    }
}

/// A limb that comes off: the rest goes on, and the joint is back after the next transition.
#[test]
fn a_joint_that_the_host_breaks() {
    let desc = RagdollDesc { regions: vec![], ..chain(4) };
    let mut world = space(false);
    let mut set = set(&desc, 2);
    let poses = set.ragdoll().bind_pose().to_vec();
    let two = [poses.clone(), poses].concat();
    set.instantiate(&mut world, &[0, 1], &two, Motion::Still, Transition::default()).unwrap();
    let joints = world.joints().len();
    world.remove_joint(set.joint(1, 3).unwrap()).unwrap();
    let mut turned = two.clone();
    for (k, p) in turned.iter_mut().enumerate() {
        p.rotation = quat(UnitQuaternion::from_scaled_axis(Vector3::new(0.1 * (k % 6) as f64, 0.0, 0.0)));
    }
    let drive = Drive { stiffness: 50.0, damping: 1.0, max_torque: f64::INFINITY, scale: &[] };
    set.set_targets(&mut world, &[0, 1], &turned, Motion::Still, drive).unwrap();
    for _ in 0..60 {
        world.step(1.0 / 60.0, &Inline).unwrap();
    }
    let between = |world: &World, i: u32, k: u32| {
        let [a, b] = [k, k + 1].map(|k| transform(world.body_pose(set.body(i, k).unwrap()).unwrap()));
        a.rotation.conjugate().compose(b.rotation).x.abs() * 2.0
    };
    for k in 0..4 {
        // The pair that is no longer joined goes its own way, all others go where they are told.
        for i in 0..2 {
            let off = (between(&world, i, k) - 0.1).abs();
            assert!((off < 0.01) == ((i, k) != (1, 2)), "instance {i}, bones {k} and {}: {off}", k + 1);
        }
    }
    let mut out = two.clone();
    set.read_back(&world, &[0, 1], &[], &[], &mut out).unwrap();
    for (i, k) in (0..2u32).flat_map(|i| (0..=4u32).map(move |k| (i, k))) {
        let body = transform(world.body_pose(set.body(i, k).unwrap()).unwrap());
        assert!((out[i as usize * 6 + k as usize].position - body.position).length() < 1e-6, "bone {k} of {i}");
    }
    set.clear_targets(&mut world, &[0, 1]).unwrap();
    set.instantiate(&mut world, &[0, 1], &two, Motion::Still, Transition::default()).unwrap();
    assert_eq!(world.joints().len(), joints);
    assert!(world.joint(set.joint(1, 3).unwrap()).is_ok());
    world.remove_joint(set.joint(0, 1).unwrap()).unwrap();
    set.remove(&mut world, &[0, 1]).unwrap();
    assert!(world.bodies().is_empty() && world.joints().is_empty());
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
    assert!(
        set.set_targets(&mut world, &[0], &poses, still, drive).unwrap_err().to_string().starts_with("drive.stiffness is NaN")
    );
    assert!(set.body(0, 2).unwrap_err().to_string().contains("inside of a region"));
    assert!(set.fade(&[0], 1.5, 0.0).is_err() && set.advance(f64::NAN).is_err());
    // Bodies go with their instance only.
    let refused = world.remove_body(set.body(0, 4).unwrap()).unwrap_err().to_string();
    assert_eq!(refused, "the body is of a ragdoll, instance 0: removing that takes it out");
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
        // What an arc cannot follow of the bones between counts; without, a head of 4 kg on two small bones of a neck.
        follows(&desc, &frames, dt, if regions { [0.045, 0.02] } else { [0.01, 0.05] });
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
