//! What the host changes wakes what hangs on it or lies on it.

use crate::rolling::{body, fixed};
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn steps(w: &mut World, seconds: f64) {
    (0..(seconds * 60.0) as usize).for_each(|_| w.step(DT, &Inline).unwrap());
}

fn ball(position: [f64; 3]) -> BodyDesc {
    BodyDesc { can_sleep: true, angular_damping: 0.05, ..body(BodyShape::Sphere { radius: 0.1 }, position) }
}

fn hang(w: &mut World, a: Option<Id>, b: Id, frame_a: [f64; 3], frame_b: [f64; 3]) -> Id {
    let at = |position| Pose { position, ..Pose::IDENTITY };
    let (frame_a, frame_b) = (at(frame_a), at(frame_b));
    w.add_joint(&JointDesc { a, b, frame_a, frame_b, kind: JointKind::Ball { limits: None }, motor: None, collide: false })
        .unwrap()
}

/// A box that hangs on an anchor, and one that hangs on that.
#[test]
fn what_hangs_follows_its_anchor() {
    let shape = BodyShape::Box { half_extents: [0.2; 3] };
    for motion in [BodyMotion::Static, BodyMotion::Kinematic] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let anchor = w.add_body(&BodyDesc { motion, ..ball([0.0, 1.0, 0.0]) }).unwrap();
        let boxed = |y: f64| BodyDesc { can_sleep: true, angular_damping: 0.5, ..body(shape.clone(), [0.0, y, 0.0]) };
        let (one, two) = (w.add_body(&boxed(0.0)).unwrap(), w.add_body(&boxed(-1.0)).unwrap());
        let joints = [
            hang(&mut w, Some(anchor), one, [0.0; 3], [0.0, 1.0, 0.0]),
            hang(&mut w, Some(one), two, [0.0, -0.5, 0.0], [0.0, 0.5, 0.0]),
        ];
        steps(&mut w, 5.0);
        assert!(w.body_sleeps(one).unwrap() && w.body_sleeps(two).unwrap(), "{motion:?}: hangs still and does not sleep");
        w.set_body_pose(anchor, Pose { position: [0.0, 1.5, 0.0], ..Pose::IDENTITY }).unwrap();
        steps(&mut w, 5.0);
        let (a, b) = (w.body_pose(one).unwrap().position[1], w.body_pose(two).unwrap().position[1]);
        assert!((a - 0.5).abs() < 5e-3 && (b + 0.5).abs() < 5e-3, "{motion:?}: {a} {b}");
        joints.iter().for_each(|j| assert!(w.joint_error(*j).unwrap()[0] < 1e-3, "{motion:?}"));
    }
}

/// Each change, made while a ball sleeps on a box that stands on a floor.
#[test]
fn whatever_the_host_changes_wakes() {
    type Change = fn(&mut World, Id, Id, Id);
    let changes: [(&str, Change); 6] = [
        ("the static box is put lower", |w, bed, _, _| {
            w.set_body_pose(bed, Pose { position: [0.0, -0.5, 0.0], ..Pose::IDENTITY }).unwrap();
        }),
        ("the static box is removed", |w, bed, _, _| w.remove_body(bed).unwrap()),
        ("gravity turns", |w, _, _, _| w.set_gravity([0.0, 9.81, 0.0]).unwrap()),
        ("they pass through each other", |w, bed, b, _| w.set_bodies_apart(bed, b, true).unwrap()),
        ("the collider is put in its place", |w, _, _, c| {
            w.set_collider_pose(c, Pose { position: [0.05, 0.7, 0.0], ..Pose::IDENTITY }, true).unwrap();
        }),
        ("the collider is swung there", |w, _, _, c| {
            w.set_collider_pose(c, Pose { position: [0.05, 0.7, 0.0], ..Pose::IDENTITY }, false).unwrap();
        }),
    ];
    for (what, change) in changes {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let bed = w.add_body(&fixed(BodyShape::Box { half_extents: [0.5; 3] }, [0.0; 3])).unwrap();
        let b = w.add_body(&ball([0.0, 0.6, 0.0])).unwrap();
        let c = w
            .add_collider(ColliderDesc {
                shape: Shape::Sphere { radius: 0.1 },
                pose: Pose { position: [5.0, 0.0, 0.0], ..Pose::IDENTITY },
                ..ColliderDesc::default()
            })
            .unwrap();
        steps(&mut w, 3.0);
        assert!(w.body_sleeps(b).unwrap());
        let before = w.body_pose(b).unwrap().position;
        change(&mut w, bed, b, c);
        steps(&mut w, 0.5);
        let after = w.body_pose(b).unwrap().position;
        let way = (0..3).map(|k| (after[k] - before[k]).powi(2)).sum::<f64>().sqrt();
        assert!(way > 0.02, "{what}: went {way} m");
    }
}

/// A static body put where a sleeping one is pushes it out.
#[test]
fn what_is_put_into_a_sleeper_wakes_it() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_body(&fixed(BodyShape::Plane, [0.0; 3])).unwrap();
    let other = w.add_body(&fixed(BodyShape::Sphere { radius: 0.1 }, [3.0, 0.1, 0.0])).unwrap();
    let b = w.add_body(&ball([0.0, 0.1, 0.0])).unwrap();
    steps(&mut w, 3.0);
    assert!(w.body_sleeps(b).unwrap());
    w.set_body_pose(other, Pose { position: [0.1, 0.1, 0.0], ..Pose::IDENTITY }).unwrap();
    steps(&mut w, 1.0);
    assert!(w.body_pose(b).unwrap().position[0] < -0.05, "{:?}", w.body_pose(b));
}

/// Motors, limits and targets of joints; the anchor's own motion.
#[test]
fn joints_that_change_wake_their_bodies() {
    type Change = fn(&mut JointDesc);
    let changes: [(&str, Change); 3] = [
        ("a motor", |d| d.motor = Some(MotorDesc { damping: [1e3; 3], speed: [0.0, 0.0, 1.0], ..MotorDesc::default() })),
        ("a target", |d| {
            d.motor = Some(MotorDesc {
                stiffness: [1e3; 3],
                damping: [10.0; 3],
                target: [0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt()],
                ..MotorDesc::default()
            })
        }),
        ("limits", |d| d.kind = JointKind::Hinge { limits: [0.5, 1.0] }),
    ];
    for (what, change) in changes {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let b = w.add_body(&ball([0.0; 3])).unwrap();
        let j = w
            .add_joint(&JointDesc {
                a: None,
                b,
                frame_a: Pose::IDENTITY,
                frame_b: Pose::IDENTITY,
                kind: JointKind::Hinge { limits: [-3.0, 3.0] },
                motor: None,
                collide: false,
            })
            .unwrap();
        steps(&mut w, 3.0);
        assert!(w.body_sleeps(b).unwrap());
        w.change_joint(j, &mut |d| change(d)).unwrap();
        steps(&mut w, 1.0);
        let q = w.body_pose(b).unwrap().rotation;
        assert!(q[2].abs() > 0.1, "{what}: {q:?}");
    }
}
