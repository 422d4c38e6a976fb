//! Saved states of worlds with ragdolls: what bones keep, how joints were fitted, weights and targets.

use super::*;

const FRAME: f64 = 1.0 / 60.0;

struct Scene {
    world: World,
    set: Id,
}

/// Three may be there; a region of limits, a side bone without a body, and motors of the description.
fn description() -> RagdollDesc {
    let mut desc = chain(5);
    desc.regions[0].last = 4;
    desc.regions[0].limits = Some(BallLimits { swing: [0.4, 0.3], twist: [-0.2, 0.3] });
    (desc.regions[0].bend, desc.regions[0].twist) = ([0.5, 0.8], 0.4);
    let joint = desc.bodies[5].joint.as_mut().unwrap();
    joint.kind = JointKind::Ball { limits: Some(BallLimits { swing: [0.1; 2], twist: [-0.1, 0.1] }) };
    joint.motor = Some(MotorDesc { stiffness: [0.2; 3], damping: [0.01; 3], ..MotorDesc::default() });
    // Bones that hang on no body.
    desc.bones.push(BoneDesc { name: "free".into(), parent: None, bind: pose(at(0.3, 0.2, 0.1)) });
    desc
}

/// A world with the description and, of three instances, those of `which`, in poses of this seed.
fn scene(double_precision: bool, which: &[u32], seed: u64) -> Scene {
    let mut world = space(double_precision);
    world.add_collider(ColliderDesc::default()).unwrap();
    let ragdoll = Arc::new(Ragdoll::new(&description()).unwrap());
    let set = world.add_ragdolls(ragdoll, 3).unwrap();
    let mut s = Scene { world, set };
    instantiate(&mut s, which, seed);
    s
}

/// The bind pose of each, bent, turned and moved at random.
fn poses(s: &Scene, which: &[u32], mut seed: u64) -> Bones {
    let ragdoll = s.world.ragdolls(s.set).unwrap().ragdoll().clone();
    let mut all = Vec::new();
    for &i in which {
        let root = Transform { rotation: quat(any_turn(&mut seed, 1.0)), ..at(f64::from(i), 0.1, noise(&mut seed)) };
        let mut local = vec![Transform::identity(); ragdoll.bones()];
        ragdoll.local_poses(ragdoll.bind_pose(), Transform::identity(), &mut local);
        for t in &mut local {
            t.rotation = quat(q(t.rotation) * any_turn(&mut seed, 0.3));
        }
        let mut out = local.clone();
        ragdoll.world_poses(&local, root, &mut out);
        all.extend(out);
    }
    all
}

fn instantiate(s: &mut Scene, which: &[u32], seed: u64) {
    let (now, before) = (poses(s, which, seed), poses(s, which, seed + 1));
    let motion = Motion::Before { poses: &before, dt: 0.5 };
    s.world.with_ragdolls(s.set, |set, w| set.instantiate(w, which, &now, motion, Transition::default())).unwrap();
}

fn drive(s: &mut Scene, which: &[u32], seed: u64) {
    let poses = poses(s, which, seed);
    let drive = Drive { stiffness: 2.0, damping: 0.05, max_torque: 5.0, scale: &[] };
    s.world.with_ragdolls(s.set, |set, w| set.set_targets(w, which, &poses, Motion::Still, drive)).unwrap();
}

/// One frame: the state's hash, and all bits of the bones, blended with an animation and not.
fn frame(s: &mut Scene, which: &[u32]) -> (u64, Vec<u64>) {
    s.world.step(FRAME, &Inline).unwrap();
    let animated = poses(s, which, 77);
    let mut out = vec![Transform::identity(); animated.len()];
    let mut bits = Vec::new();
    let read = |set: &mut RagdollSet, w: &mut World| -> Result<()> {
        set.advance(FRAME)?;
        for animated in [&animated[..], &[]] {
            set.read_back(w, which, animated, &[], &mut out)?;
            for t in &out {
                bits.extend(t.position.to_array().map(f64::to_bits));
                bits.extend([t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w].map(f64::to_bits));
            }
        }
        Ok(())
    };
    s.world.with_ragdolls(s.set, read).unwrap();
    (s.world.state_hash(), bits)
}

fn save(w: &World) -> Vec<u8> {
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    assert_eq!(w.save_state(&mut state).unwrap(), state.len());
    state
}

#[test]
fn ragdolls_go_on_with_the_same_bits() {
    let which = [0, 2];
    for double in [false, true] {
        for before in [0, 25] {
            let mut s = scene(double, &which, 5);
            drive(&mut s, &[0], 9);
            s.world.with_ragdolls(s.set, |set, _| set.fade(&[2], 0.25, 1.5)).unwrap();
            (0..before).for_each(|_| drop(frame(&mut s, &which)));
            let saved = save(&s.world);
            let run = |s: &mut Scene| (0..40).map(|_| frame(s, &which)).collect::<Vec<_>>();
            let once = run(&mut s);
            let again = |s: &mut Scene, what: &str| {
                s.world.restore_state(&saved).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!(save(&s.world), saved, "{what}");
                assert!(run(s) == once, "{what}, after {before}");
            };
            again(&mut s, "the same world");
            // Whatever its host has done since.
            instantiate(&mut s, &which, 1234);
            drive(&mut s, &which, 4321);
            frame(&mut s, &which);
            again(&mut s, "other poses");
            s.world.with_ragdolls(s.set, |set, w| set.clear_targets(w, &which)).unwrap();
            let away = [at(3.0, 1.0, 2.0)];
            s.world.with_ragdolls(s.set, |set, w| set.teleport(w, &[2], &away)).unwrap();
            s.world.with_ragdolls(s.set, |set, _| set.fade(&which, 0.0, 0.0)).unwrap();
            again(&mut s, "no targets");
            s.world.with_ragdolls(s.set, |set, w| set.remove(w, &which)).unwrap();
            instantiate(&mut s, &which, 99);
            again(&mut s, "made anew");
            again(&mut scene(double, &which, 31), "another world");
        }
    }
}

#[test]
fn bones_need_what_is_kept() {
    // Bodies and joints alone do not make the bones: another transition, its bodies put where those of the first are, reads back others.
    let which = [0, 2];
    let (mut s, mut other) = (scene(true, &which, 5), scene(true, &which, 31));
    (0..5).for_each(|_| drop(frame(&mut s, &which)));
    let ids = |s: &Scene| s.world.bodies().iter().map(|(id, _)| id).collect::<Vec<_>>();
    for (from, to) in ids(&s).into_iter().zip(ids(&other)) {
        other.world.set_body_pose(to, s.world.body_pose(from).unwrap()).unwrap();
    }
    let read = |s: &mut Scene| {
        let mut out = poses(s, &which, 0);
        s.world.with_ragdolls(s.set, |set, w| set.read_back(w, &which, &[], &[], &mut out)).unwrap();
        out
    };
    assert!(gap(&read(&mut s), &read(&mut other))[0] > 0.01);
    other.world.restore_state(&save(&s.world)).unwrap();
    assert_eq!(read(&mut s), read(&mut other));
}

#[test]
fn states_that_do_not_fit_are_refused() {
    let which = [0, 2];
    let mut s = scene(false, &which, 5);
    (0..10).for_each(|_| drop(frame(&mut s, &which)));
    let mut saved = save(&s.world);
    let refused = |s: &mut Scene, state: &[u8], why: &str| {
        let before = save(&s.world);
        let e = s.world.restore_state(state).unwrap_err().to_string();
        assert!(e.contains(why), "{e}");
        assert_eq!(save(&s.world), before, "{e}");
    };
    for len in (0..saved.len()).step_by(101).chain([saved.len() - 1]) {
        refused(&mut s, &saved[..len], "size is");
    }
    for at in (24..saved.len()).step_by(61) {
        saved[at] ^= 4;
        refused(&mut s, &saved, "damaged");
        saved[at] ^= 4;
    }
    saved[0] ^= 1;
    refused(&mut s, &saved, "another version?");
    saved[0] ^= 1;
    refused(&mut scene(false, &[0], 5), &saved, "ragdolls of other instances");
    refused(&mut scene(false, &[0, 1], 5), &saved, "ragdolls of other instances");
    refused(&mut scene(false, &[2, 0], 5), &saved, "ragdolls of other instances");
    refused(&mut scene(false, &[0, 1, 2], 5), &saved, "size is");
    refused(&mut scene(true, &which, 5), &saved, "size is");
    let mut other = scene(false, &which, 5);
    let joint = other.world.ragdolls(other.set).unwrap().joint(2, 5).unwrap();
    other.world.change_joint(joint, &mut |d| d.kind = JointKind::Hinge { limits: [-1.0, 1.0] }).unwrap();
    assert!(other.world.restore_state(&saved).is_err());
    s.world.restore_state(&saved).unwrap();
}
