//! Saved states of worlds with bodies and joints, and what wakes sleepers.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn shape(shape: BodyShape) -> ShapeDesc {
    ShapeDesc { shape, ..ShapeDesc::default() }
}

fn body(motion: BodyMotion, position: [f64; 3], s: BodyShape) -> BodyDesc {
    BodyDesc { motion, pose: Pose { position, ..Pose::IDENTITY }, shapes: vec![shape(s)], ..BodyDesc::default() }
}

fn cuboid(position: [f64; 3], half: f64) -> BodyDesc {
    body(BodyMotion::Dynamic, position, BodyShape::Box { half_extents: [half; 3] })
}

fn steps(w: &mut World, n: usize) {
    for _ in 0..n {
        w.step(DT, &Inline).unwrap();
    }
}

struct Scene {
    world: World,
    paddle: Id,
    motors: Vec<Id>,
    links: Vec<Id>,
    cubes: Vec<Id>,
}

/// Cubes that fall on a mesh and on a collider, a paddle, a chain with limits and motors, one of arcs.
fn scene(double_precision: bool) -> Scene {
    let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
    w.add_collider(ColliderDesc { pose: Pose { position: [0.0, -1.0, 0.0], ..Pose::IDENTITY }, ..ColliderDesc::default() })
        .unwrap();
    let positions = vec![[-4.0, 0.0, -4.0], [-4.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, -4.0]];
    let mesh = BodyShape::Mesh { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    w.add_body(&body(BodyMotion::Static, [0.0; 3], mesh)).unwrap();
    let cubes = (0..12)
        .map(|k| w.add_body(&cuboid([0.1 * (k % 3) as f64, 0.3 + 0.45 * k as f64, 0.05 * (k % 2) as f64], 0.2)).unwrap())
        .collect();
    // Beside the mesh, on the collider.
    w.add_body(&cuboid([6.0, -0.7, 0.0], 0.2)).unwrap();
    let paddle =
        w.add_body(&body(BodyMotion::Kinematic, [-2.0, 0.2, 0.0], BodyShape::Box { half_extents: [0.1, 0.1, 1.0] })).unwrap();
    let (mut motors, mut links) = (Vec::new(), Vec::new());
    // The frames' third axis down.
    let down = [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()];
    for chain in 0..2 {
        for k in 0..4 {
            let (x, y) = (2.0 + chain as f64, 3.0 - 0.5 * k as f64);
            let capsule = BodyShape::Capsule { half_height: 0.1, radius: 0.05 };
            let a = (k > 0).then(|| *links.last().unwrap());
            let b = w.add_body(&body(BodyMotion::Dynamic, [x, y, 1.0], capsule)).unwrap();
            let top = [0.0, 0.2, 0.0];
            let at = if k == 0 { [x, y + 0.3, 1.0] } else { [0.0, -0.2, 0.0] };
            let limits = (k % 2 == 1).then_some(BallLimits { swing: [0.2, 0.1], twist: [-0.1, 0.05] });
            let kind = if chain == 0 {
                JointKind::Ball { limits: Some(BallLimits { swing: [0.4, 0.6], twist: [-0.2, 0.2] }) }
            } else {
                JointKind::Arc(ArcDesc { bend: [0.5, 1.0], twist: 0.5, viscosity: 0.01, limits, ..ArcDesc::default() })
            };
            let motor = (chain == 0).then_some(MotorDesc {
                stiffness: [2.0; 3],
                damping: [0.1; 3],
                speed: [0.0, 0.0, 1.0],
                ..MotorDesc::default()
            });
            let desc = JointDesc {
                a,
                b,
                frame_a: Pose { position: at, rotation: down },
                frame_b: Pose { position: top, rotation: down },
                kind,
                motor,
                collide: false,
            };
            motors.push(w.add_joint(&desc).unwrap());
            links.push(b);
        }
    }
    Scene { world: w, paddle, motors, links, cubes }
}

/// What a host does in frame `n`.
fn frame(s: &mut Scene, n: usize) {
    let x = -2.0 + 1.5 * (n as f64 * 0.05).sin();
    let w = &mut s.world;
    w.set_body_target(s.paddle, Pose { position: [x, 0.2, 0.0], ..Pose::IDENTITY }).unwrap();
    w.push_body(s.links[7], [0.0, 0.0, 2.0], None, [0.0; 3]).unwrap();
    // Its way begins where the target of the frame before was.
    let a = 0.1 * (n as f64 * 0.3).sin();
    w.change_joint(s.motors[1], &mut |d| d.motor.as_mut().unwrap().target = [a.sin(), 0.0, 0.0, a.cos()]).unwrap();
    w.step(DT, &Inline).unwrap();
}

fn save(w: &World) -> Vec<u8> {
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    assert_eq!(w.save_state(&mut state).unwrap(), state.len());
    state
}

#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    for double in [false, true] {
        for before in [0, 3, 40, 130] {
            let mut s = scene(double);
            (0..before).for_each(|n| frame(&mut s, n));
            let saved = save(&s.world);
            let run = |s: &mut Scene| -> Vec<u64> {
                (before..before + 50)
                    .map(|n| {
                        frame(s, n);
                        s.world.state_hash()
                    })
                    .collect()
            };
            let once = run(&mut s);
            // In the same world, and in one made by the same calls, stepped or not.
            s.world.restore_state(&saved).unwrap();
            assert_eq!(save(&s.world), saved, "after {before}");
            assert_eq!(run(&mut s), once, "after {before}");
            let mut other = scene(double);
            other.world.restore_state(&saved).unwrap();
            assert_eq!(run(&mut other), once, "after {before}");
            let mut other = scene(double);
            (0..7).for_each(|n| frame(&mut other, n));
            other.world.restore_state(&saved).unwrap();
            assert_eq!(run(&mut other), once, "after {before}");
        }
    }
}

#[test]
fn impulses_and_timers_are_in_the_state() {
    // Without them the same poses and velocities go another way: a world that is given only these differs.
    let mut s = scene(true);
    (0..60).for_each(|n| frame(&mut s, n));
    let mut bare = scene(true);
    let ids: Vec<Id> = s.world.bodies().iter().map(|(id, _)| id).collect();
    for &id in &ids {
        bare.world.set_body_pose(id, s.world.body_pose(id).unwrap()).unwrap();
        let [v, w] = s.world.body_motion(id).unwrap();
        let _ = bare.world.set_body_motion(id, v, w);
    }
    frame(&mut s, 60);
    frame(&mut bare, 60);
    let away = |w: &World| ids.iter().map(|&id| w.body_pose(id).unwrap().position[1]).sum::<f64>();
    assert_ne!(away(&s.world), away(&bare.world));
}

#[test]
fn damage_and_other_worlds_are_refused() {
    let mut s = scene(false);
    (0..30).for_each(|n| frame(&mut s, n));
    let mut saved = save(&s.world);
    let hash = s.world.state_hash();
    for byte in [0, 9, 17, 25, 33, 41, saved.len() / 2, saved.len() - 1] {
        saved[byte] ^= 1;
        assert!(s.world.restore_state(&saved).is_err(), "byte {byte}");
        saved[byte] ^= 1;
    }
    for cut in [1, 8, 100, saved.len() - 30] {
        assert!(s.world.restore_state(&saved[..saved.len() - cut]).is_err(), "{cut} bytes less");
    }
    assert_eq!(s.world.state_hash(), hash);
    let other = |change: &dyn Fn(&mut Scene)| {
        let mut other = scene(false);
        change(&mut other);
        let hash = other.world.state_hash();
        assert!(other.world.restore_state(&saved).is_err());
        assert_eq!(other.world.state_hash(), hash);
    };
    other(&|s| s.world.remove_body(s.cubes[3]).unwrap());
    other(&|s| assert!(s.world.add_body(&cuboid([9.0; 3], 0.1)).is_ok()));
    other(&|s| s.world.remove_joint(s.motors[6]).unwrap());
    other(&|s| s.world.change_joint(s.motors[0], &mut |d| d.kind = JointKind::Fixed).unwrap());
    assert!(scene(true).world.restore_state(&saved).is_err());
}

#[test]
fn limits_and_motors_that_come_and_go_do_not_part_a_world_from_its_states() {
    for double in [false, true] {
        let mut s = scene(double);
        (0..40).for_each(|n| frame(&mut s, n));
        let saved = save(&s.world);
        let run = |s: &mut Scene| -> u64 {
            (40..80).for_each(|n| frame(s, n));
            s.world.state_hash()
        };
        let once = run(&mut s);
        let descs: Vec<_> = s.motors.iter().map(|&j| s.world.joint(j).unwrap().desc.clone()).collect();
        for &j in &s.motors {
            // Joint 1 is driven in every frame.
            let keep = j == s.motors[1];
            let change = &mut |d: &mut JointDesc| {
                match &mut d.kind {
                    JointKind::Ball { limits } => *limits = None,
                    JointKind::Arc(arc) => arc.limits = if arc.limits.is_some() { None } else { Some(FREE) },
                    _ => {}
                }
                d.motor = if keep || d.motor.is_none() { Some(MotorDesc::default()) } else { None };
            };
            s.world.change_joint(j, change).unwrap();
        }
        // Loads, and is a state of its own.
        s.world.restore_state(&saved).unwrap();
        assert_eq!(save(&s.world).len(), saved.len());
        let other = run(&mut s);
        assert_ne!(other, once);
        // With the limits and motors of before it is as it was, but for what motors had: the host says that anew.
        for (&j, d) in s.motors.iter().zip(&descs) {
            s.world.change_joint(j, &mut |now| *now = d.clone()).unwrap();
        }
        s.world.restore_state(&saved).unwrap();
        assert_eq!(save(&s.world), saved);
        assert_eq!(run(&mut s), once);
    }
}

const FREE: BallLimits = BallLimits { swing: [3.1; 2], twist: [-3.1, 3.1] };

#[test]
fn what_came_and_went_since_the_last_step_is_no_trouble() {
    let mut s = scene(false);
    (0..40).for_each(|n| frame(&mut s, n));
    // A hole in the list, and a new body in another's place; none of it has been stepped.
    s.world.remove_body(s.cubes[2]).unwrap();
    s.world.remove_body(s.cubes[5]).unwrap();
    let new = s.world.add_body(&cuboid([0.0, 9.0, 0.0], 0.1)).unwrap();
    s.world.read_contacts(|c| assert!([c.a, c.b].iter().all(|&side| side != ContactSide::Body(new))));
    let saved = save(&s.world);
    let mut run = || -> u64 {
        (40..80).for_each(|n| frame(&mut s, n));
        let hash = s.world.state_hash();
        s.world.restore_state(&saved).unwrap();
        hash
    };
    let once = run();
    assert_eq!(run(), once);
}

#[test]
fn a_body_that_became_dynamic_goes_back() {
    let mut s = scene(false);
    s.world.set_body_kinematic(s.links[0], true).unwrap();
    steps(&mut s.world, 5);
    let saved = save(&s.world);
    s.world.set_body_kinematic(s.links[0], false).unwrap();
    s.world.set_joint_enabled(s.motors[0], false).unwrap();
    steps(&mut s.world, 20);
    let fallen = s.world.body_pose(s.links[0]).unwrap().position[1];
    s.world.restore_state(&saved).unwrap();
    let held = s.world.body_pose(s.links[0]).unwrap().position[1];
    steps(&mut s.world, 20);
    assert!(fallen < held - 0.1, "{fallen} {held}");
    assert_eq!(s.world.body_pose(s.links[0]).unwrap().position[1], held);
    assert!(s.world.joint(s.motors[0]).unwrap().enabled());
}

#[test]
fn what_is_laid_to_rest_stays_until_something_comes() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let hovers = w.add_body(&cuboid([0.0, 3.0, 0.0], 0.2)).unwrap();
    w.set_body_sleeping(hovers, true).unwrap();
    steps(&mut w, 100);
    assert!(w.body_sleeps(hovers).unwrap());
    assert_eq!(w.body_pose(hovers).unwrap().position[1], 3.0);
    let falls = w.add_body(&cuboid([0.1, 5.0, 0.0], 0.2)).unwrap();
    steps(&mut w, 60);
    assert!(!w.body_sleeps(hovers).unwrap() && w.body_pose(hovers).unwrap().position[1] < 2.5);
    // In the middle of its way, too.
    w.set_body_sleeping(falls, true).unwrap();
    w.set_body_sleeping(hovers, true).unwrap();
    let y = w.body_pose(falls).unwrap().position[1];
    steps(&mut w, 10);
    assert_eq!(w.body_pose(falls).unwrap().position[1], y);
}

fn asleep_on(collider: bool) -> (World, Id, Id) {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let ground = if collider {
        w.add_collider(ColliderDesc::default()).unwrap()
    } else {
        w.add_body(&body(BodyMotion::Static, [0.0; 3], BodyShape::Plane)).unwrap()
    };
    let b = w.add_body(&cuboid([0.0, 0.2, 0.0], 0.2)).unwrap();
    steps(&mut w, 90);
    assert!(w.body_sleeps(b).unwrap());
    (w, ground, b)
}

#[test]
fn sleepers_wake_when_the_ground_goes() {
    let fall = |mut w: World, b: Id| {
        steps(&mut w, 30);
        let y = w.body_pose(b).unwrap().position[1];
        assert!(y < 0.0, "hangs at {y}");
    };
    let (mut w, ground, b) = asleep_on(true);
    w.remove_collider(ground).unwrap();
    fall(w, b);
    let (mut w, ground, b) = asleep_on(true);
    w.set_collider_pose(ground, Pose { position: [0.0, -9.0, 0.0], ..Pose::IDENTITY }, true).unwrap();
    fall(w, b);
    let (mut w, ground, b) = asleep_on(false);
    w.remove_body(ground).unwrap();
    fall(w, b);
    let (mut w, ground, b) = asleep_on(false);
    w.set_body_pose(ground, Pose { position: [0.0, -9.0, 0.0], ..Pose::IDENTITY }).unwrap();
    fall(w, b);
    let (mut w, _, b) = asleep_on(false);
    w.set_gravity([0.0, 9.81, 0.0]).unwrap();
    steps(&mut w, 30);
    assert!(w.body_pose(b).unwrap().position[1] > 0.5);
}

#[test]
fn contacts_name_their_bodies_after_changes() {
    let mut s = scene(false);
    (0..60).for_each(|n| frame(&mut s, n));
    let read = |w: &World| {
        let mut all = Vec::new();
        w.read_contacts(|c| all.push((c.a, c.b, c.position)));
        all
    };
    let before = read(&s.world);
    assert!(before.iter().any(|c| matches!((c.0, c.1), (ContactSide::Collider(_), _) | (_, ContactSide::Collider(_)))));
    let gone = s.cubes[0];
    assert!(before.iter().any(|c| c.0 == ContactSide::Body(gone) || c.1 == ContactSide::Body(gone)));
    // A new body takes the solver's place of the collider, another that of the removed one.
    s.world.add_body(&cuboid([0.0, 30.0, 0.0], 0.1)).unwrap();
    assert_eq!(read(&s.world), before);
    s.world.remove_body(gone).unwrap();
    s.world.add_body(&cuboid([0.0, 40.0, 0.0], 0.1)).unwrap();
    let after = read(&s.world);
    let expected: Vec<_> =
        before.into_iter().filter(|c| c.0 != ContactSide::Body(gone) && c.1 != ContactSide::Body(gone)).collect();
    assert_eq!(after, expected);
}

#[test]
fn a_disabled_joint_lets_go_and_holds_again() {
    let mut s = scene(false);
    steps(&mut s.world, 30);
    let j = s.motors[5];
    s.world.set_joint_enabled(j, false).unwrap();
    steps(&mut s.world, 12);
    let apart = s.world.joint_error(j).unwrap()[0];
    assert!(apart > 0.05, "{apart}");
    s.world.set_joint_enabled(j, true).unwrap();
    steps(&mut s.world, 120);
    let apart = s.world.joint_error(j).unwrap()[0];
    assert!(apart < 0.01, "{apart}");
}
