//! Which bodies meet: layers, groups, joints, pairs that are kept apart.

use withy::ragdoll::*;
use withy::world::*;

use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn ball(height: f64, layers: [u32; 2], group: u32) -> BodyDesc {
    let [category, mask] = layers;
    let shape = ShapeDesc { shape: BodyShape::Sphere { radius: 0.1 }, category, mask, ..ShapeDesc::default() };
    BodyDesc { pose: Pose { position: [0.0, height, 0.0], ..Pose::IDENTITY }, shapes: vec![shape], group, ..BodyDesc::default() }
}

/// Drops one ball on another that stands: whether it stays on top of it. `more` sees both before.
fn stays(lower: BodyDesc, upper: BodyDesc, more: impl Fn(&mut World, Id, Id)) -> bool {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let a = w.add_body(&BodyDesc { motion: BodyMotion::Static, ..lower }).unwrap();
    let b = w.add_body(&upper).unwrap();
    more(&mut w, a, b);
    for _ in 0..60 {
        w.step(DT, &Inline).unwrap();
    }
    let top = w.body_pose(b).unwrap().position[1];
    assert!(top < -1.0 || (top - 0.2).abs() < 0.01, "neither on it nor through it: {top}");
    top > 0.0
}

/// Both must have a layer of the other's in their mask.
#[test]
fn layers_meet_where_both_say_so() {
    const ALL: u32 = u32::MAX;
    for (lower, upper, meet) in [
        ([1, ALL], [1, ALL], true),
        ([2, 4], [4, 2], true),
        ([2, 4], [4, 1], false),
        ([2, 1], [4, 2], false),
        ([2, ALL], [4, !2], false),
        ([6, ALL], [8, 4], true),
        ([1, 0], [1, ALL], false),
        ([1 << 31, ALL], [1, 1 << 31], true),
    ] {
        let was = stays(ball(0.0, lower, 0), ball(0.21, upper, 0), |_, _, _| ());
        assert_eq!(was, meet, "{lower:?} {upper:?}");
    }
}

/// Bodies of one group pass through each other; 0 is no group.
#[test]
fn groups_pass_through_themselves() {
    for (lower, upper, meet) in [(0, 0, true), (7, 7, false), (7, 8, true), (0, 7, true)] {
        let layers = [1, u32::MAX];
        assert_eq!(stays(ball(0.0, layers, lower), ball(0.21, layers, upper), |_, _, _| ()), meet, "{lower} {upper}");
    }
}

#[test]
fn pairs_kept_apart_meet_again() {
    let layers = [1, u32::MAX];
    let (lower, upper) = (ball(0.0, layers, 0), ball(0.21, layers, 0));
    assert!(!stays(lower.clone(), upper.clone(), |w, a, b| w.set_bodies_apart(a, b, true).unwrap()));
    assert!(!stays(lower.clone(), upper.clone(), |w, a, b| w.set_bodies_apart(b, a, true).unwrap()));
    assert!(stays(lower, upper, |w, a, b| {
        w.set_bodies_apart(a, b, true).unwrap();
        w.set_bodies_apart(b, a, false).unwrap();
    }));
}

/// Two bodies that a joint joins meet only where it says so, and meet again when it goes.
#[test]
fn joints_keep_their_bodies_apart() {
    let layers = [1, u32::MAX];
    for collide in [false, true] {
        for broken in [false, true] {
            // A rope long enough not to hold anything up.
            let rope = |w: &mut World, a: Id, b: Id| {
                let kind = JointKind::Distance { least: 0.0, most: 50.0 };
                let (frame_a, frame_b) = (Pose::IDENTITY, Pose::IDENTITY);
                let j = w.add_joint(&JointDesc { a: Some(a), b, frame_a, frame_b, kind, motor: None, collide }).unwrap();
                if broken {
                    w.remove_joint(j).unwrap();
                }
            };
            assert_eq!(stays(ball(0.0, layers, 0), ball(0.21, layers, 0), rope), collide || broken, "{collide} {broken}");
        }
    }
}

/// Two arms of a ragdoll, one above the other, not joined to each other: they meet, but not where the ragdoll's own bodies do not, nor where the
/// pair is kept apart; and those of two instances always meet.
#[test]
fn ragdolls_collide_with_themselves_as_they_say() {
    let run = |self_collide: bool, apart: bool, two: bool| {
        let mut desc = RagdollDesc { self_collide, ..RagdollDesc::default() };
        for (k, position) in [[0.0, 0.0, 0.0], [0.0, 0.21, 0.0]].into_iter().enumerate() {
            desc.bones.push(BoneDesc {
                name: format!("{k}"),
                parent: (k > 0).then_some(0),
                bind: Pose { position, ..Pose::IDENTITY },
            });
            desc.bodies.push(RagdollBody { bone: k as u32, body: ball(0.0, [1, u32::MAX], 0), joint: None });
        }
        if apart {
            desc.apart.push([1, 0]);
        }
        let mut w = World::new(WorldDesc::default()).unwrap();
        let mut set = RagdollSet::new(Arc::new(Ragdoll::new(&desc).unwrap()), 2).unwrap();
        let poses = set.ragdoll().bind_pose().to_vec();
        let which: &[u32] = if two { &[0, 1] } else { &[0] };
        let mut all = poses.clone();
        if two {
            // The second one's lower ball is out of the way, and its upper one above that of the first.
            let mut second = poses;
            second[0].position.x += 5.0;
            second[1].position.y += 0.21;
            all.extend(second);
        }
        set.instantiate(&mut w, which, &all, Motion::Still, Transition::default()).unwrap();
        set.set_kinematic(&mut w, which, Some(0), true).unwrap();
        if two {
            set.set_kinematic(&mut w, &[0], Some(1), true).unwrap();
        }
        for _ in 0..60 {
            w.step(DT, &Inline).unwrap();
        }
        let last = if two { 1 } else { 0 };
        w.body_pose(set.body(last, 1).unwrap()).unwrap().position[1] > 0.0
    };
    assert!(run(true, false, false));
    assert!(!run(false, false, false));
    assert!(!run(true, true, false));
    assert!(run(true, false, true));
    assert!(run(false, false, true));
    assert!(run(true, true, true));
}
