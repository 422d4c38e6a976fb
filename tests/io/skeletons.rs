//! Skeletons, motion and ragdolls from files: small ones written here, and real ones against numbers found another way.

use crate::common::{BVH, TOF_ANIMATION, TOF_RAGDOLL, shared};
use nalgebra::{Rotation3, Unit, Vector3};
use std::collections::HashMap;
use withy::io::skeleton::*;
use withy::math::{Transform, Vec3};

type Pose = Transform<f64>;

fn v(x: Vec3<f64>) -> Vector3<f64> {
    Vector3::new(x.x, x.y, x.z)
}

fn world(skeleton: &Skeleton, local: &[Pose]) -> Vec<Pose> {
    let mut out = Vec::new();
    skeleton.world(local, Pose::identity(), &mut out);
    out
}

fn bind_world(skeleton: &Skeleton) -> Vec<Pose> {
    world(skeleton, &skeleton.bind().collect::<Vec<_>>())
}

fn near(a: Vec3<f64>, b: [f64; 3], tolerance: f64) {
    let gap = (v(a) - Vector3::from(b)).norm();
    assert!(gap <= tolerance, "{a:?} is {gap} from {b:?}");
}

/// nalgebra's rotation about x, y or z.
fn about(axis: usize, degrees: f64) -> Rotation3<f64> {
    let mut direction = Vector3::zeros();
    direction[axis] = 1.0;
    Rotation3::from_axis_angle(&Unit::new_normalize(direction), degrees.to_radians())
}

#[test]
fn bvh_by_hand() {
    let character = read_bvh(BVH.as_bytes(), 0.5).unwrap();
    let skeleton = &character.skeleton;
    skeleton.check().unwrap();
    let names: Vec<_> = skeleton.bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
    assert_eq!(names, [("Hips", None), ("Left Leg", Some(0)), ("Chest", Some(0)), ("Head", Some(2))]);
    near(skeleton.bones[1].bind.position, [0.5, -1.0, 0.0], 0.0);
    near(skeleton.bones[1].tip.unwrap(), [0.0, -0.5, 0.25], 0.0);
    assert_eq!(skeleton.bones[2].tip, None);
    let [clip] = &character.clips[..] else { panic!("{} clips", character.clips.len()) };
    clip.check(4).unwrap();
    assert_eq!(clip.times, [0.0, 0.25]);
    // The second frame: every joint by hand, with nalgebra's rotations in the order of the file's channels.
    let hips = about(2, 30.0) * about(0, -20.0) * about(1, 400.0);
    let chest = about(0, 10.0) * about(1, 20.0) * about(2, 30.0);
    let out = world(skeleton, &clip.poses[1]);
    let root = Vector3::new(1.0, 2.0, 3.0) * 0.5;
    near(out[0].position, root.into(), 1e-15);
    near(out[1].position, (root + hips * Vector3::new(0.5, -1.0, 0.0)).into(), 1e-14);
    let neck = root + hips * Vector3::new(0.0, 1.0, 0.0);
    near(out[2].position, neck.into(), 1e-14);
    // The head's y is a channel, in place of the offset; x and z are the offset's.
    near(out[3].position, (neck + hips * chest * Vector3::new(0.05, 1.5, -0.05)).into(), 1e-14);
    let mut half = Vec::new();
    clip.sample(0.125, Repeat::Clamp, &mut half);
    near(half[0].position, [0.25, 0.5, 0.75], 1e-15);
    for (t, repeat, frame) in
        [(-1.0, Repeat::Clamp, 0), (9.0, Repeat::Clamp, 1), (0.5, Repeat::Loop, 0), (f64::NAN, Repeat::Loop, 0)]
    {
        clip.sample(t, repeat, &mut half);
        assert_eq!(half, clip.poses[frame], "{t} {repeat:?}");
    }
    clip.sample(-0.125, Repeat::Loop, &mut half);
    near(half[0].position, [0.25, 0.5, 0.75], 1e-15);
}

#[test]
fn checks_refuse_what_is_no_skeleton() {
    let bone = |parent| Bone { name: "b".into(), parent, bind: Pose::identity(), tip: None };
    let good = Skeleton { bones: vec![bone(None), bone(Some(0)), bone(None)] };
    good.check().unwrap();
    let wrong = |change: &dyn Fn(&mut Bone)| {
        let mut skeleton = good.clone();
        change(&mut skeleton.bones[1]);
        skeleton.check().unwrap_err().to_string()
    };
    assert_eq!(Skeleton::default().check().unwrap_err().to_string(), "skeleton: bones are none");
    assert_eq!(wrong(&|bone| bone.parent = Some(1)), "skeleton: parent[1] 1 does not come before its child");
    assert!(wrong(&|bone| bone.bind.position.y = f64::NAN).starts_with("skeleton: bind[1] [0.0, NaN, 0.0]"));
    assert!(wrong(&|bone| bone.bind.rotation.w = 1.1).ends_with("is not finite with a unit rotation"));
    assert!(wrong(&|bone| bone.tip = Some(Vec3::from([f64::INFINITY, 0.0, 0.0]))).starts_with("skeleton: tip[1]"));
    let pose = vec![Pose::identity(); 3];
    let clip = Clip { name: String::new(), times: vec![0.0, 1.0], poses: vec![pose.clone(), pose] };
    clip.check(3).unwrap();
    assert_eq!(clip.check(2).unwrap_err().to_string(), "clip: frame[0] 3 poses for 2 bones");
    let same = Clip { times: vec![1.0, 1.0], ..clip.clone() };
    assert_eq!(same.check(3).unwrap_err().to_string(), "clip: times[1] 1 does not increase");
    let few = Clip { times: vec![1.0], ..clip };
    assert_eq!(few.check(3).unwrap_err().to_string(), "clip: times 1 do not match the 2 frames");
    assert!(Clip::default().check(3).is_err());
}

#[test]
fn bvh_names_what_is_wrong() {
    let with = |from: &str, to: &str| {
        assert!(BVH.contains(from), "{from}");
        read_bvh(BVH.replacen(from, to, 1).as_bytes(), 1.0).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("OFFSET 1 -2 0", "OFFSET 1 x 0", "bvh: OFFSET \"x\" is not a finite number (line 8)"),
        ("OFFSET 1 -2 0", "OFFSET 1 nan 0", "bvh: OFFSET \"nan\" is not a finite number (line 8)"),
        ("OFFSET 1 -2 0", "CHANNELS 1", "bvh: OFFSET \"CHANNELS\" stands in its place (line 8)"),
        ("CHANNELS 6", "CHANNELS 7", "bvh: channel \"JOINT\" stands where a channel should (line 6)"),
        ("CHANNELS 6", "CHANNELS 10", "bvh: CHANNELS \"10\" is more than 9 (line 5)"),
        ("Frame Time: 0.25", "Frame Time: -1", "bvh: Frame Time \"-1\" is not positive (line 31)"),
        ("MOTION", "JOINT", "bvh: hierarchy \"JOINT\" stands where ROOT or MOTION should (line 29)"),
        ("HIERARCHY", "HIER", "bvh: HIERARCHY \"HIER\" stands in its place (line 1)"),
    ] {
        assert_eq!(with(from, to), expected);
    }
    assert_eq!(read_bvh(BVH.as_bytes(), -1.0).unwrap_err().to_string(), "bvh: unit -1 is not a positive number of metres");
    let none = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: 4000000000 Frame Time: 1";
    assert_eq!(read_bvh(none.as_bytes(), 1.0).unwrap_err().to_string(), "bvh: channels 0 are fewer than the 1 joints");
}

/// The bones of `02.asf`: parent, direction × length, axis angles, degrees of freedom.
struct Asf {
    bones: HashMap<String, AsfBone>,
}

#[derive(Default)]
struct AsfBone {
    parent: String,
    way: Vector3<f64>,
    axis: Rotation3<f64>,
    dof: Vec<usize>,
}

fn asf(text: &str) -> Asf {
    let mut bones = HashMap::new();
    let (mut name, mut direction, mut length, mut axis, mut dof) =
        (String::new(), Vector3::zeros(), 0.0, Vector3::zeros(), Vec::new());
    let rotation = |a: Vector3<f64>| about(2, a.z) * about(1, a.y) * about(0, a.x);
    let three = |words: &[&str]| Vector3::from_iterator(words[..3].iter().map(|word| word.parse::<f64>().unwrap()));
    let (data, hierarchy) = text.split_once(":hierarchy").unwrap();
    for line in data.split_once(":bonedata").unwrap().1.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"name") => name = words[1].to_string(),
            Some(&"direction") => direction = three(&words[1..]),
            Some(&"length") => length = words[1].parse::<f64>().unwrap(),
            Some(&"axis") => axis = three(&words[1..]),
            Some(&"dof") => {
                dof = words[1..].iter().map(|word| ["rx", "ry", "rz"].iter().position(|r| r == word).unwrap()).collect()
            }
            Some(&"end") => {
                let dof = std::mem::take(&mut dof);
                let bone = AsfBone { parent: String::new(), way: direction * length, axis: rotation(axis), dof };
                bones.insert(std::mem::take(&mut name), bone);
            }
            _ => {}
        }
    }
    for line in hierarchy.lines() {
        let mut words = line.split_whitespace();
        let Some(parent) = words.next() else { continue };
        for child in words {
            bones.get_mut(child).unwrap().parent = parent.to_string();
        }
    }
    Asf { bones }
}

impl Asf {
    /// Where a bone starts, and its rotation, in a frame of the `.amc`.
    fn start(&self, bone: &str, frame: &HashMap<&str, Vec<f64>>) -> (Vector3<f64>, Rotation3<f64>) {
        if bone == "root" {
            let r = &frame["root"];
            return (Vector3::new(r[0], r[1], r[2]), about(2, r[5]) * about(1, r[4]) * about(0, r[3]));
        }
        let AsfBone { parent, axis, dof, .. } = &self.bones[bone];
        let (start, turned) = self.start(parent, frame);
        let start = if parent == "root" { start } else { start + turned * self.bones[parent.as_str()].way };
        let mut angles = [0.0; 3];
        for (axis, angle) in dof.iter().zip(frame.get(bone).map_or(&[][..], |angles| angles)) {
            angles[*axis] = *angle;
        }
        let motion = about(2, angles[2]) * about(1, angles[1]) * about(0, angles[0]);
        (start, turned * axis * motion * axis.inverse())
    }
}

/// The walk as the database published it (ASF and AMC) has its joints where the BVH, which somebody else made of it, has them.
#[test]
fn cmu_walk_is_the_published_one() {
    let Some(bvh) = shared("skeleton/cmu_02_01_walk.bvh") else { return };
    let CharacterFile::Character(character) = read_character(bvh, 1.0).unwrap() else { panic!("no character") };
    let text = |name: &str| std::fs::read_to_string(shared(name).unwrap()).unwrap();
    let mut asf = asf(&text("skeleton/02.asf"));
    // The BVH lets the neck and the shoulders start where the thorax starts: its length, 2.07 units, is lost there.
    asf.bones.get_mut("thorax").unwrap().way = Vector3::zeros();
    let amc = text("skeleton/02_01.amc");
    let mut frames: Vec<HashMap<&str, Vec<f64>>> = Vec::new();
    for line in amc.lines().filter(|line| !line.starts_with(['#', ':'])) {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        match name.parse::<u32>() {
            Ok(_) => frames.push(HashMap::new()),
            Err(_) => {
                frames.last_mut().unwrap().insert(name, words.map(|word| word.parse().unwrap()).collect());
            }
        }
    }
    let clip = &character.clips[0];
    // The BVH starts with a T pose of its own.
    assert_eq!((clip.times.len(), frames.len()), (344, 343));
    let pairs = [
        ("Hips", "root"),
        ("LeftUpLeg", "lfemur"),
        ("LeftLeg", "ltibia"),
        ("LeftFoot", "lfoot"),
        ("LeftToeBase", "ltoes"),
        ("RightUpLeg", "rfemur"),
        ("RightLeg", "rtibia"),
        ("RightFoot", "rfoot"),
        ("RightToeBase", "rtoes"),
        ("LowerBack", "lowerback"),
        ("Spine", "upperback"),
        ("Spine1", "thorax"),
        ("Neck1", "upperneck"),
        ("Head", "head"),
        ("LeftArm", "lhumerus"),
        ("LeftForeArm", "lradius"),
        ("LeftHand", "lwrist"),
        ("RightArm", "rhumerus"),
        ("RightForeArm", "rradius"),
        ("RightHand", "rwrist"),
    ];
    let mut worst: HashMap<&str, f64> = HashMap::new();
    for (frame, angles) in frames.iter().enumerate() {
        let out = world(&character.skeleton, &clip.poses[frame + 1]);
        for (joint, bone) in pairs {
            let at = v(out[character.skeleton.find(joint).unwrap() as usize].position);
            let gap = (at - asf.start(bone, angles).0).norm();
            let worst = worst.entry(joint).or_default();
            *worst = worst.max(gap);
        }
    }
    for (joint, _) in pairs {
        println!("{joint:14} {:.2e} of the file's unit", worst[joint]);
        assert!(worst[joint] < 1e-3, "{joint} {}", worst[joint]);
    }
}

#[test]
fn cmu_walk_walks() {
    const UNIT: f64 = 0.056444;
    let Some(bvh) = shared("skeleton/cmu_02_01_walk.bvh") else { return };
    let CharacterFile::Character(character) = read_character(bvh, UNIT).unwrap() else { panic!("no character") };
    let Character { skeleton, clips, .. } = &character;
    assert_eq!(skeleton.bones.len(), 31);
    skeleton.check().unwrap();
    let clip = &clips[0];
    clip.check(31).unwrap();
    assert!((clip.times[1] - 1.0 / 120.0).abs() < 1e-5);
    let bone = |name: &str| skeleton.find(name).unwrap() as usize;
    let ends = ["LeftToeBase", "RightToeBase"].map(|name| (bone(name), skeleton.bones[bone(name)].tip.unwrap()));
    let [mut lowest, mut highest] = [f64::INFINITY, f64::NEG_INFINITY];
    let frames: Vec<Vec<Pose>> = clip.poses.iter().map(|local| world(skeleton, local)).collect();
    for frame in &frames {
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let Some(parent) = bone.parent else { continue };
            let length = v(frame[index].position - frame[parent as usize].position).norm();
            assert!((length - v(bone.bind.position).norm()).abs() < 1e-12, "{}", bone.name);
        }
    }
    for frame in &frames[1..] {
        // The lower of the toes stands on the floor, all through the walk.
        let low = ends.map(|(bone, tip)| frame[bone].point(tip).y).into_iter().fold(f64::INFINITY, f64::min);
        (lowest, highest) = (lowest.min(low), highest.max(low));
    }
    println!("lower toe between {lowest:.3} and {highest:.3} m");
    assert!(lowest > -0.03 && highest < 0.08, "{lowest} to {highest}");
    let way = v(frames[343][0].position) - v(frames[1][0].position);
    let speed = Vector3::new(way.x, 0.0, way.z).norm() / (clip.times[343] - clip.times[1]);
    println!("{speed:.3} m/s");
    assert!((1.1..1.5).contains(&speed), "{speed}");
    let head = frames[200][bone("Head")].position.y;
    assert!((1.3..1.7).contains(&head), "{head}");
}

#[test]
fn tof_by_hand() {
    let ragdoll = read_tof_ragdoll(TOF_RAGDOLL.as_bytes()).unwrap();
    ragdoll.check().unwrap();
    let names: Vec<_> = ragdoll.skeleton.bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
    // The file has the foot before its parent.
    assert_eq!(names, [("hips", None), ("a \"leg\"", Some(0)), ("foot", Some(1))]);
    let bodies = &ragdoll.bodies;
    assert_eq!(bodies.len(), 3);
    // The leg hangs a half turn about z round, its frame's y points down.
    near(ragdoll.skeleton.bones[1].bind.position, [0.1, -0.1, 0.0], 1e-15);
    near(ragdoll.skeleton.bones[2].bind.position, [0.0, 0.5, 0.0], 1e-15);
    near(bind_world(&ragdoll.skeleton)[2].position, [0.1, 0.4, 0.0], 1e-15);
    assert_eq!(bodies[0].shapes.len(), 2);
    assert_eq!(bodies[0].shapes[0].shape, Shape::Box { half_extents: Vec3::from([0.2, 0.1, 0.1]) });
    near(bodies[0].shapes[0].local.position, [0.0, 0.05, 0.0], 1e-15);
    // Moved by (0, 0.3, 0) after a quarter turn about x, within a compound that moves by (1, 0, 0).
    let Shape::Hull { points } = &bodies[0].shapes[1].shape else { panic!("{:?}", bodies[0].shapes[1]) };
    near(bodies[0].shapes[1].local.point(points[3]), [1.0, 0.2, 0.0], 1e-9);
    assert_eq!(bodies[0].kilograms(), None);
    assert_eq!(bodies[1].shapes[0].shape, Shape::TaperedCapsule { half_height: 0.2, top: 0.05, bottom: 0.08 });
    assert_eq!((bodies[1].mass, bodies[2].mass), (Mass::Given(5.5), Mass::Density));
    assert!((bodies[2].kilograms().unwrap() - 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001).abs() < 1e-12);
    assert_eq!((bodies[0].motion, bodies[1].motion), (Motion::Kinematic, Motion::Dynamic));
    assert_eq!((bodies[1].friction, bodies[1].restitution, bodies[1].gravity_factor), (0.25, 0.5, 1.0));
    assert_eq!((bodies[1].linear_damping, bodies[1].angular_damping), (0.125, 0.75));
    // Bits 0 and 2 of the table are missing: 0 with 1, and 1 with 2; 0 and 2 collide. The foot's number in the table is 2.
    assert_eq!(ragdoll.apart, [[0, 1], [1, 2]]);
    assert_eq!(ragdoll.joints.len(), 2);
    let hip = &ragdoll.joints[0];
    assert_eq!((hip.parent, hip.child, hip.twist, hip.friction_torque), (0, 1, [-0.5, 0.25], 5.0));
    assert_eq!((hip.normal_half_angle, hip.plane_half_angle), (0.75, 0.5));
    assert_eq!(hip.swing_motor, Motor { frequency: 20.0, damping: 2.0, torque: [-1000.0, 900.0] });
    for (side, body) in [(0, 0), (1, 1)] {
        let frame = bodies[body].pose.compose(hip.frames[side]);
        near(frame.position, [0.1, 0.9, 0.0], 1e-15);
        // Twist down, plane forward, normal = plane × twist.
        let [x, y, z] = frame.rotation.frame();
        near(x, [0.0, -1.0, 0.0], 1e-9);
        near(z, [0.0, 0.0, 1.0], 1e-9);
        near(y, [1.0, 0.0, 0.0], 1e-9);
    }
}

#[test]
fn tof_motion_by_hand() {
    let animation = read_tof_animation(TOF_ANIMATION.as_bytes()).unwrap();
    assert_eq!(animation.joints, ["hips", "foot"]);
    // The joints' own times, together.
    assert_eq!(animation.clip.times, [0.0, 0.5, 1.0]);
    animation.clip.check(2).unwrap();
    near(animation.clip.poses[1][0].position, [0.0, 1.5, 0.0], 1e-15);
    near(animation.clip.poses[2][1].position, [0.0, 0.25, 0.0], 1e-15);
    let ragdoll = read_tof_ragdoll(TOF_RAGDOLL.as_bytes()).unwrap();
    let clip = animation.on(&ragdoll.skeleton).unwrap();
    clip.check(3).unwrap();
    assert_eq!(clip.poses[2][1], ragdoll.skeleton.bones[1].bind);
    assert_eq!(clip.poses[2][2], animation.clip.poses[2][1]);
    let other = read_bvh(BVH.as_bytes(), 1.0).unwrap().skeleton;
    assert_eq!(animation.on(&other).unwrap_err().to_string(), "animation: joints[0] \"hips\" and the others are no bones");
}

#[test]
fn tof_names_what_is_wrong() {
    let with = |from: &str, to: &str| {
        assert!(TOF_RAGDOLL.contains(from), "{from}");
        read_tof_ragdoll(TOF_RAGDOLL.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("TOS 1.00", "TOS 2.00", "tof: signature \"2.00\" stands where \"TOS 1.00\" should (line 1)"),
        ("mRadius float", "mRadius flat", "tof: type of mRadius \"flat\" is not a type (line 66)"),
        ("mRadius float", "mRadios float", "tof: SphereShapeSettings.mRadius[1] is not declared"),
        ("\"foot\"\n      \"a", "\"hips\"\n      \"a", "tof: Skeleton::Joint.mName[1] \"hips\" is there twice"),
        (
            "\"hips\"\n      \"\"",
            "\"hips\"\n      \"foot\"",
            "tof: Skeleton::Joint.mParentName[0] \"foot\" leads round in a circle",
        ),
        (
            "0 0 0 1\n      0000000A",
            "0 0 0 2\n      0000000A",
            "tof: RagdollSettings::Part.mRotation[0] [0.0, 0.0, 0.0, 2.0] is not a unit quaternion",
        ),
        ("0000000A\n", "000000AA\n", "tof: RagdollSettings::Part.mShape[0] 000000AA names no object of this file"),
        ("1000 0.1\n", "1000 -0.1\n", "ragdoll: shape size[2] -0.1 is not positive and finite"),
        (
            "0 0 1\n  0.75",
            "0 -2 0\n  0.75",
            "tof: SwingTwistConstraintSettings.mPlaneAxis2[2] is along the twist axis, or no direction",
        ),
        ("0.75 0.5 -0.5", "0.75 0.5 1.5", "tof: SwingTwistConstraintSettings.mTwistMinAngle[2] 1.5 is above mTwistMaxAngle 0.25"),
        (
            "0.75 0.5 -0.5",
            "7.5 0.5 -0.5",
            "tof: SwingTwistConstraintSettings.mNormalHalfConeAngle[2] 7.5 is not an angle from 0 to pi",
        ),
        (
            "  3\n      0 1 0",
            "  4000000000\n      0 1 0",
            "tof: count \"4000000000\" and others make more values than the file has bytes (line 97)",
        ),
        (
            "0000000F\n  0 0.3",
            "0000000E\n  0 0.3",
            "tof: RotatedTranslatedShapeSettings.shape[1] nests too deep, or within itself",
        ),
        ("object SphereShapeSettings 0000000B", "object SphereShapeSettings 0000000A", "tof: ID 0000000A is there twice"),
        (
            "object SphereShapeSettings",
            "object Sphere",
            "tof: class \"0000000B\" comes before a declaration of Sphere (line 171)",
        ),
    ] {
        assert_eq!(with(from, to), expected);
    }
}

#[test]
fn jolt_human() {
    let Some(file) = shared("skeleton/jolt_Human.tof") else { return };
    let CharacterFile::Ragdoll(ragdoll) = read_character(file, 1.0).unwrap() else { panic!("no ragdoll") };
    ragdoll.check().unwrap();
    assert_eq!((ragdoll.bodies.len(), ragdoll.joints.len(), ragdoll.skeleton.bones.len()), (23, 22, 23));
    assert_eq!(ragdoll.dropped, [""; 0]);
    for joint in &ragdoll.joints {
        let [a, b] = [(joint.parent, 0), (joint.child, 1)]
            .map(|(body, side)| ragdoll.bodies[body as usize].pose.compose(joint.frames[side]));
        let gap = v(a.position - b.position).norm();
        assert!(gap < 5e-6, "anchors of {} are {gap} apart", ragdoll.skeleton.bones[joint.child as usize].name);
        // The pose is within the limits: q = twist about x, then swing, y the plane's angle and z the normal's.
        let q = a.rotation.conjugate().compose(b.rotation);
        let twist = 2.0 * (q.x / q.w).atan();
        let norm = (q.x * q.x + q.w * q.w).sqrt();
        let swing = [(q.w * q.y + q.x * q.z) / norm, (q.w * q.z - q.x * q.y) / norm].map(|half| 2.0 * half.asin());
        let ratios = [swing[0] / joint.plane_half_angle, swing[1] / joint.normal_half_angle];
        println!("{twist:6.3} in {:?}, {swing:?}", joint.twist);
        assert!(joint.twist[0] - 1e-3 <= twist && twist <= joint.twist[1] + 1e-3, "{twist} of {:?}", joint.twist);
        assert!(ratios[0].hypot(ratios[1]) < 1.02, "{swing:?} of {} {}", joint.plane_half_angle, joint.normal_half_angle);
        // Parents and children pass through each other.
        assert!(ragdoll.apart.contains(&[joint.parent.min(joint.child), joint.parent.max(joint.child)]));
    }
    let chain = ["hipsBone", "C_Spine_sjnt_0", "C_Spine_sjnt_1", "C_Spine_sjnt_2", "C_Spine_sjnt_4", "C_Neck_sjnt_0"];
    for pair in chain.windows(2) {
        let [parent, child] = [pair[0], pair[1]].map(|name| ragdoll.skeleton.find(name).unwrap());
        assert_eq!(ragdoll.skeleton.bones[child as usize].parent, Some(parent));
    }
    // What the shapes weigh: their volumes by counting points on a grid.
    let mut total = 0.0;
    for body in &ragdoll.bodies {
        let exact = body.kilograms().unwrap();
        let counted: f64 = body.shapes.iter().map(|part| counted_volume(&part.shape) * part.density).sum();
        assert!((exact - counted).abs() < 0.01 * exact, "{exact} {counted}");
        total += exact;
    }
    println!("{total:.1} kg");
    assert!((40.0..110.0).contains(&total), "{total}");
    assert_eq!(ragdoll.kilograms(), Some(total));
    // Jolt's neutral pose is a file of its own, of poses relative to the parents: it must be the bodies' pose.
    let CharacterFile::Animation(neutral) = read_character(shared("skeleton/jolt_neutral.tof").unwrap(), 1.0).unwrap() else {
        panic!("no animation")
    };
    let neutral = neutral.on(&ragdoll.skeleton).unwrap();
    for (pose, body) in world(&ragdoll.skeleton, &neutral.poses[0]).iter().zip(&ragdoll.bodies) {
        let name = &ragdoll.skeleton.bones[body.bone as usize].name;
        let (gap, cosine) = (v(pose.position - body.pose.position).norm(), pose.rotation.dot(body.pose.rotation).abs());
        println!("{name:20} {gap:.1e} m {:.1e}", 1.0 - cosine);
        assert!(gap < 5e-6 && 1.0 - cosine < 1e-6, "{name} {gap} {cosine}");
    }
}

/// By points of a grid that are within; of the tapered capsule, within one of 200 spheres along it.
fn counted_volume(shape: &Shape) -> f64 {
    let balls = |half_height: f64, top: f64, bottom: f64| -> Vec<(f64, f64)> {
        (0..=200).map(|k| f64::from(k) / 200.0).map(|t| (half_height * (2.0 * t - 1.0), bottom + (top - bottom) * t)).collect()
    };
    let (balls, size) = match *shape {
        Shape::Box { half_extents: h } => return 8.0 * h.x * h.y * h.z,
        Shape::Sphere { radius } => (balls(0.0, radius, radius), Vector3::repeat(radius)),
        Shape::Capsule { half_height, radius } => {
            (balls(half_height, radius, radius), Vector3::new(radius, half_height + radius, radius))
        }
        Shape::TaperedCapsule { half_height, top, bottom } => {
            let r = top.max(bottom);
            (balls(half_height, top, bottom), Vector3::new(r, half_height + r, r))
        }
        Shape::Hull { .. } => panic!("a hull"),
    };
    let mut volume = 0.0;
    const STEPS: u32 = 60;
    // Round about y: circles instead of squares.
    for j in 0..STEPS * 8 {
        let y = size.y * (f64::from(2 * j + 1) / f64::from(STEPS * 8) - 1.0);
        let radius2 = balls.iter().map(|(c, r)| r * r - (y - c) * (y - c)).fold(0.0, f64::max);
        volume += std::f64::consts::PI * radius2 * 2.0 * size.y / f64::from(STEPS * 8);
    }
    volume
}

#[test]
fn jolt_walk_moves_the_human() {
    let Some(file) = shared("skeleton/jolt_walk.tof") else { return };
    let CharacterFile::Animation(walk) = read_character(file, 1.0).unwrap() else { panic!("no animation") };
    let ragdoll = read_tof_ragdoll(&std::fs::read(shared("skeleton/jolt_Human.tof").unwrap()).unwrap()).unwrap();
    assert_eq!((walk.joints.len(), walk.clip.times.len()), (23, 85));
    let clip = walk.on(&ragdoll.skeleton).unwrap();
    clip.check(23).unwrap();
    assert!((clip.duration() - 2.8).abs() < 1e-3);
    let frames: Vec<Vec<Pose>> = clip.poses.iter().map(|local| world(&ragdoll.skeleton, local)).collect();
    for (index, bone) in ragdoll.skeleton.bones.iter().enumerate() {
        // Bones keep their length, and all of them move.
        if let Some(parent) = bone.parent {
            for frame in &frames {
                let length = v(frame[index].position - frame[parent as usize].position).norm();
                assert!((length - v(bone.bind.position).norm()).abs() < 2e-5, "{} {length}", bone.name);
            }
        }
        let moved = frames.iter().map(|frame| v(frame[index].position - frames[0][index].position).norm()).fold(0.0, f64::max);
        assert!(moved > 0.5, "{} {moved}", bone.name);
    }
    let way = v(frames[84][0].position - frames[0][0].position);
    println!("{:.2} m/s", way.norm() / clip.duration());
    let foot = ragdoll.skeleton.find("L_Foot_sjnt_0").unwrap() as usize;
    let low = frames.iter().map(|frame| frame[foot].position.y).fold(f64::INFINITY, f64::min);
    assert!((-0.05..0.15).contains(&low), "{low}");
    // Between frames as at frames: within what a walk does in a sixtieth of a second.
    let mut between = Vec::new();
    clip.sample(0.5 * (clip.times[9] + clip.times[10]), Repeat::Loop, &mut between);
    let middle = v(world(&ragdoll.skeleton, &between)[foot].position);
    assert!((middle - (v(frames[9][foot].position) + v(frames[10][foot].position)) * 0.5).norm() < 0.005);
}

#[cfg(feature = "gltf")]
mod gltf {
    use super::*;
    use crate::common::{glb, gltf};

    #[test]
    fn gltf_by_hand() {
        let character = read_gltf(gltf().as_bytes()).unwrap();
        assert_eq!(read_gltf(&glb()).unwrap(), character);
        assert_eq!(character.dropped, [""; 0]);
        let skeleton = &character.skeleton;
        skeleton.check().unwrap();
        // The skin lists the knee first.
        let names: Vec<_> = skeleton.bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
        assert_eq!(names, [("hip", None), ("knee", Some(0))]);
        near(skeleton.bones[0].bind.position, [1.0, 1.0, 0.0], 1e-7);
        near(skeleton.bones[1].bind.position, [0.0, -1.0, 0.0], 1e-7);
        let mesh = character.mesh.as_ref().unwrap();
        assert_eq!(mesh.mesh.triangles, [[0, 1, 2]]);
        assert_eq!(mesh.mesh.points, [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.5, -0.5, 0.25]]);
        assert_eq!(mesh.joints, [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]);
        assert_eq!(mesh.weights, [[1.0, 0.0, 0.0, 0.0], [0.2, 0.8, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
        let [clip] = &character.clips[..] else { panic!("{} clips", character.clips.len()) };
        assert_eq!((clip.name.as_str(), clip.times.len()), ("kick", 10));
        clip.check(2).unwrap();
        let mut pose = Vec::new();
        // The step holds to the last moment; the cubic is the smoothstep of its ends.
        for (t, hip, knee) in [(0.0, 1.0, -1.0), (0.25, 1.0, -1.3125), (0.4999, 1.0, -2.0), (0.5, 3.0, -2.0), (1.0, 3.0, -3.0)] {
            clip.sample(t, Repeat::Clamp, &mut pose);
            near(pose[0].position, [1.0, hip, 0.0], 1e-7);
            near(pose[1].position, [0.0, knee, 0.0], 1e-3);
        }
        clip.sample(1.0, Repeat::Clamp, &mut pose);
        let mut skinned = Vec::new();
        mesh.skin(&world(skeleton, &pose), &mut skinned);
        // A quarter turn about the knee at (1, 0, 0): the first vertex is the hip's, moved by 2; the last one, seen from the knee at
        // (0.5, -0.5, 0.25) before, turns to (0.5, 0.5, 0.25).
        near(skinned[0], [1.0, 3.0, 0.0], 1e-6);
        near(skinned[2], [1.5, 0.5, 0.25], 1e-6);
    }

    #[test]
    fn gltf_names_what_is_wrong() {
        let text = gltf();
        let with = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            read_gltf(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
        };
        for (from, to, expected) in [
            ("\"2.0\"", "\"1.0\"", "gltf: asset.version \"1.0\" is not 2"),
            ("[1, 3]", "[1, 9]", "gltf: nodes.children[0] 9 is none of the 4 nodes"),
            ("[1, 3]", "[1, 2]", "gltf: nodes.children[1] 2 is the child of two nodes"),
            ("[2, 2, 2]", "[2, 1, 2]", "gltf: nodes.scale[0] [2.0, 1.0, 2.0] is not positive and the same on all axes"),
            ("\"joints\": [2, 1]", "\"joints\": [2, 7]", "gltf: skins.joints[1] 7 is none of the 4 nodes"),
            ("\"joints\": [2, 1]", "\"joints\": [2, 2]", "gltf: skins.joints[1] 2 is there twice"),
            ("\"skin\": 0", "\"skin\": 3", "gltf: nodes.skin 3 is none of the 1 skins"),
            ("\"sampler\": 2", "\"sampler\": 5", "gltf: animations[0].channels[2] 5 has none of the 3 samplers"),
            ("STEP", "LEAP", "gltf: interpolation \"LEAP\" is not known (channel 1 of animation 0)"),
            ("\"POSITION\": 1", "\"POSITION\": 77", "gltf: POSITION 77 is none of the 10 accessors"),
            ("\"POSITION\": 1", "\"POSITION\": 0", "gltf: accessors[0], POSITION, \"MAT4\" is not VEC3"),
            (
                "\"count\": 2",
                "\"count\": 4000000000",
                "gltf: accessors[0], skins.inverseBindMatrices, 4000000000 needs 256000000000 bytes of a view that has 128",
            ),
            ("\"count\": 2", "\"count\": 1", "gltf: skins.inverseBindMatrices 1 matrices do not suffice for 2 joints"),
            ("\"byteLength\": 128", "\"byteLength\": 12800", "gltf: bufferViews 12800 needs 12.8 KB, file has 340 bytes"),
            ("data:application/octet-stream;base64,", "leg.bin", "gltf: buffers.uri[0]"),
            ("base64,A", "base64,?", "gltf: buffers.uri[0] is not base64"),
            ("[{\"nodes\": [0]}]", "[{\"nodes\": [0]}", "gltf: json is not glTF: expected `,` or `]`"),
            (
                "\"scenes\": ",
                "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"scenes\": ",
                "gltf: extensionsRequired[0] KHR_draco_mesh_compression is an extension that is not read",
            ),
        ] {
            let found = with(from, to);
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
        let circle = text.replace("[1, 3]", "[3]").replace("\"knee\",", "\"knee\", \"children\": [1],");
        assert_eq!(read_gltf(circle.as_bytes()).unwrap_err().to_string(), "gltf: nodes.children 2 lead round in a circle");
        let many = format!("{{\"nodes\": [{}{{}}]}}", "{},".repeat(1000));
        assert_eq!(read_gltf(many.as_bytes()).unwrap_err().to_string(), "gltf: json 1002 objects are too many for 3015 bytes");
        assert_eq!(read_gltf(b"glTF\x01\0\0\0").unwrap_err().to_string(), "glb: version 1 is not 2");
        let deep = format!("{{\"extras\": {}", "[".repeat(100_000));
        assert!(read_gltf(deep.as_bytes()).unwrap_err().to_string().contains("EOF"));
    }

    /// Joints and skinned vertices against matrices by numpy, from the file's own nodes and accessors.
    #[test]
    fn cesium_man() {
        let Some(file) = shared("skeleton/CesiumMan.glb") else { return };
        let CharacterFile::Character(character) = read_character(file, 1.0).unwrap() else { panic!("no character") };
        let skeleton = &character.skeleton;
        skeleton.check().unwrap();
        assert_eq!(skeleton.bones.len(), 19);
        assert_eq!(skeleton.bones.iter().filter(|bone| bone.parent.is_none()).count(), 1);
        assert_eq!(character.dropped, [""; 0]);
        let [clip] = &character.clips[..] else { panic!("{} clips", character.clips.len()) };
        clip.check(19).unwrap();
        assert_eq!((clip.times.len(), clip.duration()), (49, 2.0));
        let mesh = character.mesh.as_ref().unwrap();
        assert_eq!((mesh.mesh.points.len(), mesh.mesh.triangles.len()), (3273, 4672));
        // In the bind pose the skin is the mesh.
        let mut skinned = Vec::new();
        mesh.skin(&bind_world(skeleton), &mut skinned);
        for (point, skinned) in mesh.mesh.points.iter().zip(&skinned) {
            near(*skinned, point.map(f64::from), 1e-6);
        }
        let find = |node: u32| skeleton.find(&format!("node {node}")).unwrap() as usize;
        let bind = bind_world(skeleton);
        near(bind[find(2)].position, [0.0, 0.679, -0.005], 2e-6);
        near(bind[find(18)].position, [0.0665, 0.874999, -0.4545], 2e-6);
        near(bind[find(6)].position, [0.02692, 0.021235, 0.074569], 2e-6);
        let mut pose = Vec::new();
        clip.sample(f64::from(0.833333f32), Repeat::Loop, &mut pose);
        let at = world(skeleton, &pose);
        near(at[find(2)].position, [0.0, 0.644753, 0.025], 2e-6);
        near(at[find(19)].position, [0.047553, 1.101282, 0.022349], 2e-6);
        near(at[find(18)].position, [-0.233833, 0.682439, -0.058099], 2e-6);
        near(at[find(6)].position, [-0.471509, 0.237025, 0.095065], 2e-6);
        mesh.skin(&at, &mut skinned);
        // Its weights sum up to 0.685 in the file, as those of 209 others fall short of 1: they are normalised here and there.
        near(skinned[0], [0.106287, 0.928803, -0.01697], 3e-6);
        near(skinned[1000], [-0.052732, 1.397158, 0.106934], 3e-6);
        near(skinned[2500], [0.153587, 1.37196, -0.124435], 3e-6);
        near(skinned[3272], [-0.079542, 1.404417, 0.010352], 3e-6);
    }
}
