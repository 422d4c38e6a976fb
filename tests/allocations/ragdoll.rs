//! What is called for ragdolls in every frame leaves the heap alone.

use crate::counting::ALLOCATIONS;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use withy::math::Transform;
use withy::ragdoll::*;
use withy::world::*;

pub fn frames_of_a_set() {
    let mut desc = RagdollDesc::default();
    for k in 0..8u32 {
        let bind = Pose { position: [0.0, 0.1, 0.0], ..Pose::IDENTITY };
        desc.bones.push(BoneDesc { name: String::new(), parent: k.checked_sub(1), bind });
        let shape = ShapeDesc { shape: BodyShape::Sphere { radius: 0.03 }, ..ShapeDesc::default() };
        let limits = Some(BallLimits { swing: [0.5; 2], twist: [-0.5, 0.5] });
        let joint = RagdollJoint { kind: JointKind::Ball { limits }, ..RagdollJoint::default() };
        let motion = if k == 0 { BodyMotion::Kinematic } else { BodyMotion::Dynamic };
        let body = BodyDesc { shapes: vec![shape], motion, ..BodyDesc::default() };
        desc.bodies.push(RagdollBody { bone: k, body, joint: (k > 0).then_some(joint) });
    }
    for read_back in [RegionReadBack::Arc, RegionReadBack::OrientationAndPosition] {
        desc.regions = vec![RegionDesc { first: 1, last: 5, read_back, ..RegionDesc::default() }];
        let ragdoll = Arc::new(Ragdoll::new(&desc).unwrap());
        let (count, bones) = (20, ragdoll.bones());
        let mut world = World::new(WorldDesc::default()).unwrap();
        let mut set = RagdollSet::new(ragdoll.clone(), count).unwrap();
        let which: Vec<u32> = (0..count as u32).collect();
        let place = |i: usize| Transform { position: [i as f64, 1.0, 0.0].into(), ..Transform::identity() };
        let poses: Vec<_> = (0..count).flat_map(|i| ragdoll.bind_pose().iter().map(move |p| place(i).compose(*p))).collect();
        let weights = vec![0.5; bones];
        let mut out = vec![Transform::identity(); poses.len()];
        set.instantiate(&mut world, &which, &poses, Motion::Still, Transition::default()).unwrap();
        set.fade(&which, 0.3, 1.0).unwrap();
        let drive = Drive { stiffness: 5.0, damping: 1.0, max_torque: 20.0, scale: &[] };
        let motion = Motion::Before { poses: &poses, dt: 0.1 };
        let mut used = 0;
        for frame in 0..120 {
            let before = ALLOCATIONS.load(Ordering::SeqCst);
            set.set_targets(&mut world, &which, &poses, motion, drive).unwrap();
            set.advance(1.0 / 60.0).unwrap();
            set.read_back(&world, &which, &poses, &weights, &mut out).unwrap();
            // The harness has things to do of its own at first.
            if frame >= 30 {
                used += ALLOCATIONS.load(Ordering::SeqCst) - before;
            }
            world.step(1.0 / 60.0, &Inline).unwrap();
        }
        assert_eq!(used, 0, "allocations in 90 frames, {read_back:?}");
        assert!(out.iter().all(|p| p.position.y.is_finite()));
    }
}
