//! Ragdolls: the moment of transition, and the way back. Real skeletons from the shared data where they are there.

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod files;
#[path = "../common/human.rs"]
mod human;
mod regions;
mod scenes;
mod state;

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

fn ragdoll_mass(desc: &RagdollDesc) -> f64 {
    let mut world = space(true);
    let mut set = set(desc, 1);
    let poses = set.ragdoll().bind_pose().to_vec();
    set.instantiate(&mut world, &[0], &poses, Motion::Still, Transition::default()).unwrap();
    world.bodies().iter().map(|(_, b)| b.mass).sum()
}
