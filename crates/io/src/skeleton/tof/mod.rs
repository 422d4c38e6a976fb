//! Jolt's text object streams, `.tof`, "TOS 1.00": ragdolls and skeletal animations.
//!
//! Source: JoltPhysics (J. Rouwe, MIT): `ObjectStreamTextIn.cpp` for the syntax, the `...Settings` classes for the fields.
//!
//! ```text
//! declare CLASS n        then n lines: ATTRIBUTE TYPE; TYPE a primitive, `instance CLASS`, `pointer CLASS` or `array TYPE`
//! object CLASS ID        then the attributes' values in that order; ID in hexadecimal, 0 is none
//! ```
//!
//! An array is a count and its elements; an instance is its values in place. Attributes are found by name, so that other versions'
//! files are read as long as the names stay. Metres, Y up, quaternions xyzw.
//!
//! Older files call smart pointers `instance`; those are told by their class.

mod stream;

use super::super::error::IoError;
use super::keys::{locate, most_poses, union};
use super::ragdoll::{Body, BodyShape, Joint, Mass, Motion, Motor, Ragdoll, Shape};
use super::{Animation, Bone, CharacterFile, Clip, Skeleton, blend, unit};
use std::collections::BTreeMap;
use stream::{Instance, Stream, Value, View};
use withy_math::{Quat, Transform, Vec3};

/// Shapes in shapes.
const DEPTH: usize = 24;

/// Reads a ragdoll (`RagdollSettings`): its skeleton, bodies, swing-twist joints.
///
/// # Errors
/// The file is malformed, holds no ragdoll, a value is out of range, or a shape or constraint is of a class that is not read.
pub fn read_tof_ragdoll(data: &[u8]) -> Result<Ragdoll, IoError> {
    let stream = Stream::read(data)?;
    match stream.first("RagdollSettings") {
        Some(object) => ragdoll(&stream, object, data.len()),
        None => Err(IoError::new("tof", "RagdollSettings", "are not in this file")),
    }
}

/// Reads a motion (`SkeletalAnimation`).
///
/// # Errors
/// The file is malformed, holds no animation, a value is out of range, or the joints' keys differ so much that the common frames
/// would take far more memory than the file.
pub fn read_tof_animation(data: &[u8]) -> Result<Animation, IoError> {
    let stream = Stream::read(data)?;
    match stream.first("SkeletalAnimation") {
        Some(object) => animation(&stream, object, data.len()),
        None => Err(IoError::new("tof", "SkeletalAnimation", "is not in this file")),
    }
}

pub(super) fn read(data: &[u8]) -> Result<CharacterFile, IoError> {
    let stream = Stream::read(data)?;
    if let Some(object) = stream.first("RagdollSettings") {
        return ragdoll(&stream, object, data.len()).map(CharacterFile::Ragdoll);
    }
    if let Some(object) = stream.first("SkeletalAnimation") {
        return animation(&stream, object, data.len()).map(CharacterFile::Animation);
    }
    let classes: Vec<&str> = stream.objects.iter().take(3).map(|object| object.class).collect();
    let reason = "are in this file: neither a ragdoll nor an animation";
    Err(IoError::new("tof", "objects", reason).value(classes.join(", ")))
}

fn animation(stream: &Stream, object: &Instance, size: usize) -> Result<Animation, IoError> {
    let joints = stream.view(object, None).array("mAnimatedJoints")?;
    let mut names = Vec::with_capacity(joints.len());
    let mut tracks = Vec::with_capacity(joints.len());
    let mut times = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        let joint = stream.instance(joint, "mAnimatedJoints", index)?;
        names.push(joint.text("mJointName")?);
        let keys = joint.array("mKeyframes")?;
        if keys.is_empty() {
            return Err(joint.error("mKeyframes", "are none"));
        }
        let mut track: (Vec<f64>, Vec<Transform<f64>>) = Default::default();
        for (frame, key) in keys.iter().enumerate() {
            let key = stream.instance(key, "mKeyframes", frame)?;
            let time = key.number("mTime")?;
            if track.0.last().is_some_and(|&last| time <= last) {
                return Err(key.error("mTime", &format!("of joint {index} does not increase")).value(time));
            }
            track.0.push(time);
            track.1.push(Transform { position: key.vector("mTranslation")?, rotation: key.rotation("mRotation")? });
        }
        times.extend_from_slice(&track.0);
        tracks.push(track);
    }
    if names.is_empty() {
        return Err(IoError::new("tof", "SkeletalAnimation.mAnimatedJoints", "are none"));
    }
    let times = union(times);
    if times.len() * names.len() > most_poses(size) {
        let reason = format!("different times for {} joints take far more memory than the file", names.len());
        return Err(IoError::new("tof", "SkeletalAnimation::Keyframe.mTime", reason).value(times.len()));
    }
    let pose = |(keys, poses): &(Vec<f64>, Vec<Transform<f64>>), time: f64| {
        let (frame, part) = locate(keys, time);
        match poses.get(frame + 1).filter(|_| part > 0.0) {
            Some(next) => blend(&poses[frame], next, part),
            None => poses[frame],
        }
    };
    let poses = times.iter().map(|&time| tracks.iter().map(|track| pose(track, time)).collect()).collect();
    let clip = Clip { name: String::new(), times, poses };
    clip.check(names.len())?;
    Ok(Animation { joints: names, clip })
}

fn ragdoll(stream: &Stream, object: &Instance, size: usize) -> Result<Ragdoll, IoError> {
    let settings = stream.view(object, None);
    let parts = settings.array("mParts")?;
    let skeleton = settings.link("mSkeleton")?.ok_or_else(|| settings.error("mSkeleton", "is none"))?;
    let (order, mut skeleton) = bones(stream, &skeleton)?;
    if parts.len() != order.len() {
        let reason = format!("parts do not match the {} joints of the skeleton", order.len());
        return Err(settings.error("mParts", &reason).value(parts.len()));
    }
    let mut result = Ragdoll::default();
    let mut groups = Vec::with_capacity(order.len());
    let mut budget = size;
    for (bone, &part) in order.iter().enumerate() {
        let view = stream.instance(&parts[part], "mParts", part)?;
        result.bodies.push(body(&view, bone as u32, &mut budget)?);
        groups.push(group(&view)?);
    }
    for (bone, &part) in order.iter().enumerate() {
        let view = stream.instance(&parts[part], "mParts", part)?;
        let Some(constraint) = view.link("mToParent")? else { continue };
        let Some(parent) = skeleton.bones[bone].parent else {
            return Err(view.error("mToParent", "is a constraint, but the joint has no parent"));
        };
        result.joints.push(joint(&constraint, &result.bodies, parent, bone as u32)?);
    }
    for bone in 0..order.len() {
        let pose = result.bodies[bone].pose;
        let parent = skeleton.bones[bone].parent.map(|parent| result.bodies[parent as usize].pose);
        let mut bind = parent.map_or(pose, |parent| parent.seen(pose));
        bind.rotation = unit(bind.rotation.to_array()).unwrap_or(Quat::identity());
        skeleton.bones[bone].bind = bind;
    }
    result.apart = apart(stream, &groups)?;
    if settings.has("mAdditionalConstraints") {
        let more = settings.array("mAdditionalConstraints")?.len();
        if more > 0 {
            result.dropped.push(format!("{more} additional constraints"));
        }
    }
    result.skeleton = skeleton;
    result.check()?;
    Ok(result)
}

/// The joints, parents first, and for each its place in the file. Bind poses are yet to come.
fn bones(stream: &Stream, skeleton: &View) -> Result<(Vec<usize>, Skeleton), IoError> {
    let joints = skeleton.array("mJoints")?;
    let mut names = Vec::with_capacity(joints.len());
    let mut parents = Vec::with_capacity(joints.len());
    let mut by_name = BTreeMap::new();
    for (index, joint) in joints.iter().enumerate() {
        let joint = stream.instance(joint, "mJoints", index)?;
        names.push(joint.text("mName")?);
        parents.push(joint.text("mParentName")?);
        if by_name.insert(names[index].clone(), index).is_some() {
            return Err(joint.error("mName", "is there twice").value(format!("\"{}\"", names[index])));
        }
    }
    let mut children = vec![Vec::new(); names.len()];
    let mut roots = Vec::new();
    for (index, parent) in parents.iter().enumerate() {
        match by_name.get(parent) {
            Some(&parent) => children[parent].push(index),
            None if parent.is_empty() => roots.push(index),
            None => {
                let reason = "is no joint of this skeleton";
                return Err(IoError::new("tof", "Skeleton::Joint.mParentName", reason)
                    .index(index)
                    .value(format!("\"{parent}\"")));
            }
        }
    }
    // Depth first, in the file's order where that has parents first already.
    let in_order = parents.iter().enumerate().all(|(index, parent)| by_name.get(parent).is_none_or(|&parent| parent < index));
    let mut order = Vec::with_capacity(names.len());
    if in_order {
        order.extend(0..names.len());
    } else {
        roots.reverse();
        while let Some(joint) = roots.pop() {
            order.push(joint);
            roots.extend(children[joint].iter().rev());
        }
    }
    let mut place = vec![u32::MAX; names.len()];
    for (bone, &joint) in order.iter().enumerate() {
        place[joint] = bone as u32;
    }
    if let Some(joint) = place.iter().position(|&bone| bone == u32::MAX) {
        let reason = "leads round in a circle";
        let parent = format!("\"{}\"", parents[joint]);
        return Err(IoError::new("tof", "Skeleton::Joint.mParentName", reason).index(joint).value(parent));
    }
    let bone = |&joint: &usize| Bone {
        name: names[joint].clone(),
        parent: by_name.get(&parents[joint]).map(|&parent| place[parent]),
        bind: Transform::identity(),
        tip: None,
    };
    let bones = order.iter().map(bone).collect();
    Ok((order, Skeleton { bones }))
}

fn body(part: &View, bone: u32, budget: &mut usize) -> Result<Body, IoError> {
    let pose = Transform { position: part.vector("mPosition")?, rotation: part.rotation("mRotation")? };
    let shape = part.link("mShape")?.ok_or_else(|| part.error("mShape", "is none"))?;
    let mut shapes = Vec::new();
    collect_shapes(&shape, Transform::identity(), DEPTH, budget, &mut shapes)?;
    let given = part.instance("mMassPropertiesOverride")?;
    let mass = match part.count("mOverrideMassProperties")? {
        0 => Mass::Density,
        1 => Mass::Given(given.number("mMass")?),
        2 => {
            let columns = given.numbers::<16>("mInertia")?;
            let inertia = [0, 4, 8].map(|at| [columns[at], columns[at + 1], columns[at + 2]]);
            Mass::GivenInertia(given.number("mMass")?, inertia)
        }
        other => return Err(part.error("mOverrideMassProperties", "is not 0, 1 or 2").value(other)),
    };
    let motion = match part.count("mMotionType")? {
        0 => Motion::Static,
        1 => Motion::Kinematic,
        2 => Motion::Dynamic,
        other => return Err(part.error("mMotionType", "is not 0, 1 or 2").value(other)),
    };
    Ok(Body {
        bone,
        pose,
        shapes,
        mass,
        motion,
        friction: part.number("mFriction")?,
        restitution: part.number("mRestitution")?,
        linear_damping: part.number("mLinearDamping")?,
        angular_damping: part.number("mAngularDamping")?,
        gravity_factor: part.number("mGravityFactor")?,
    })
}

fn collect_shapes(
    shape: &View,
    local: Transform<f64>,
    depth: usize,
    budget: &mut usize,
    out: &mut Vec<BodyShape>,
) -> Result<(), IoError> {
    if depth == 0 {
        return Err(shape.error("shape", "nests too deep, or within itself"));
    }
    // A shape may be referred to many times: what comes of it is kept in proportion to the file.
    let mut spend = |bytes: usize| match budget.checked_sub(bytes) {
        Some(left) => {
            *budget = left;
            Ok(())
        }
        None => Err(shape.error("shape", "and others are used so often that they take far more memory than the file")),
    };
    spend(8)?;
    let geometry = match shape.class() {
        "SphereShapeSettings" => Shape::Sphere { radius: shape.number("mRadius")? },
        "CapsuleShapeSettings" => {
            Shape::Capsule { half_height: shape.number("mHalfHeightOfCylinder")?, radius: shape.number("mRadius")? }
        }
        "TaperedCapsuleShapeSettings" => Shape::TaperedCapsule {
            half_height: shape.number("mHalfHeightOfTaperedCylinder")?,
            top: shape.number("mTopRadius")?,
            bottom: shape.number("mBottomRadius")?,
        },
        "BoxShapeSettings" => Shape::Box { half_extents: shape.vector("mHalfExtent")? },
        "ConvexHullShapeSettings" => {
            let points = shape.array("mPoints")?;
            spend(points.len() * 4)?;
            let point = |(index, point): (usize, &Value)| match point {
                Value::Numbers([x, y, z, _]) => Ok(Vec3::from([*x, *y, *z])),
                _ => Err(shape.error("mPoints", "is not a vec3").index(index)),
            };
            Shape::Hull { points: points.iter().enumerate().map(point).collect::<Result<_, _>>()? }
        }
        "StaticCompoundShapeSettings" | "MutableCompoundShapeSettings" => {
            for (index, sub) in shape.array("mSubShapes")?.iter().enumerate() {
                let sub = shape.stream.instance(sub, "mSubShapes", index)?;
                let inner = sub.link("mShape")?.ok_or_else(|| sub.error("mShape", "is none"))?;
                let place = Transform { position: sub.vector("mPosition")?, rotation: sub.rotation("mRotation")? };
                collect_shapes(&inner, local.compose(place), depth - 1, budget, out)?;
            }
            return Ok(());
        }
        "RotatedTranslatedShapeSettings" => {
            let inner = shape.link("mInnerShape")?.ok_or_else(|| shape.error("mInnerShape", "is none"))?;
            let place = Transform { position: shape.vector("mPosition")?, rotation: shape.rotation("mRotation")? };
            return collect_shapes(&inner, local.compose(place), depth - 1, budget, out);
        }
        class => return Err(IoError::new("tof", "shape", "is of a class that is not read").value(class)),
    };
    let rotation = unit(local.rotation.to_array()).unwrap_or(Quat::identity());
    let local = Transform { position: local.position, rotation };
    out.push(BodyShape { shape: geometry, local, density: shape.number("mDensity")? });
    Ok(())
}

fn joint(constraint: &View, bodies: &[Body], parent: u32, child: u32) -> Result<Joint, IoError> {
    if constraint.class() != "SwingTwistConstraintSettings" {
        let reason = "is of a class that is not read, only SwingTwistConstraintSettings";
        return Err(IoError::new("tof", "constraint", reason).index(child as usize).value(constraint.class()));
    }
    if constraint.has("mSpace") && constraint.count("mSpace")? != 1 {
        return Err(constraint.error("mSpace", "is not 1, world space: frames about the centre of mass are not read"));
    }
    if constraint.has("mSwingType") && constraint.count("mSwingType")? != 0 {
        return Err(constraint.error("mSwingType", "is not 0, a cone: pyramids are not read"));
    }
    let frame = |body: u32, position: &str, twist: &str, plane: &str| {
        let (x, z) = (constraint.vector(twist)?, constraint.vector(plane)?);
        let x = direction(x).ok_or_else(|| constraint.error(twist, "is no direction"))?;
        let z = direction(z - x * x.dot(z)).ok_or_else(|| constraint.error(plane, "is along the twist axis, or no direction"))?;
        let world = Transform { position: constraint.vector(position)?, rotation: Quat::from_frame([x, z.cross(x), z]) };
        let mut local = bodies[body as usize].pose.seen(world);
        local.rotation = unit(local.rotation.to_array()).unwrap_or(Quat::identity());
        Ok::<_, IoError>(local)
    };
    let angle = |field: &str| {
        let angle = constraint.number(field)?;
        let in_range = (0.0..=3.2).contains(&angle);
        if in_range { Ok(angle) } else { Err(constraint.error(field, "is not an angle from 0 to pi").value(angle)) }
    };
    let twist = [constraint.number("mTwistMinAngle")?, constraint.number("mTwistMaxAngle")?];
    if twist[0] > twist[1] {
        return Err(constraint.error("mTwistMinAngle", &format!("is above mTwistMaxAngle {}", twist[1])).value(twist[0]));
    }
    Ok(Joint {
        parent,
        child,
        frames: [
            frame(parent, "mPosition1", "mTwistAxis1", "mPlaneAxis1")?,
            frame(child, "mPosition2", "mTwistAxis2", "mPlaneAxis2")?,
        ],
        normal_half_angle: angle("mNormalHalfConeAngle")?,
        plane_half_angle: angle("mPlaneHalfConeAngle")?,
        twist,
        friction_torque: constraint.number("mMaxFrictionTorque")?,
        swing_motor: motor(&constraint.instance("mSwingMotorSettings")?)?,
        twist_motor: motor(&constraint.instance("mTwistMotorSettings")?)?,
    })
}

fn motor(settings: &View) -> Result<Motor, IoError> {
    if settings.has("mSpringMode") && settings.count("mSpringMode")? != 0 {
        return Err(settings.error("mSpringMode", "is not 0, frequency and damping"));
    }
    Ok(Motor {
        frequency: settings.number("mFrequency")?,
        damping: settings.number("mDamping")?,
        torque: [settings.number("mMinTorqueLimit")?, settings.number("mMaxTorqueLimit")?],
    })
}

fn direction(v: Vec3<f64>) -> Option<Vec3<f64>> {
    let length = v.length();
    // An axis of a tenth of a unit is no axis that somebody meant.
    (length > 0.1 && length < 10.0).then(|| v * (1.0 / length))
}

/// The table that a body's group filter is, the body's group, and its number in the table.
type Group<'a> = Option<(View<'a>, usize, usize)>;

fn group<'a>(part: &View<'a>) -> Result<Group<'a>, IoError> {
    let group = part.instance("mCollisionGroup")?;
    let Some(filter) = group.link("mGroupFilter")? else { return Ok(None) };
    if filter.class() != "GroupFilterTable" {
        return Ok(None);
    }
    Ok(Some((filter, group.count("mGroupID")?, group.count("mSubGroupID")?)))
}

/// `GroupFilterTable`: a bit for each pair i < j, at j (j - 1)/2 + i; 1 where they collide.
fn apart(stream: &Stream, groups: &[Group]) -> Result<Vec<[u32; 2]>, IoError> {
    let mut pairs = Vec::new();
    for (second, b) in groups.iter().enumerate() {
        let Some((filter, group, j)) = b else { continue };
        let count = filter.count("mNumSubGroups")?;
        let table = filter.array("mTable")?;
        if *j >= count {
            return Err(stream
                .error("CollisionGroup.mSubGroupID", &format!("is none of the {count} of its table"))
                .index(second)
                .value(j));
        }
        // The least number of bytes: j (j - 1)/2 bits.
        if table.len() < (count * count.saturating_sub(1) / 2).div_ceil(8) {
            return Err(filter.error("mTable", &format!("bytes are too few for {count} groups")).value(table.len()));
        }
        for (first, a) in groups[..second].iter().enumerate() {
            let Some((other, group_a, i)) = a else { continue };
            if !std::ptr::eq(other.instance, filter.instance) || group_a != group || i == j {
                continue;
            }
            let (low, high) = (*i.min(j), *i.max(j));
            let bit = high * (high - 1) / 2 + low;
            let Some(&Value::Number(byte)) = table.get(bit / 8) else {
                return Err(filter.error("mTable", "is not a number").index(bit / 8));
            };
            if byte as u32 & (1 << (bit % 8)) == 0 {
                pairs.push([first as u32, second as u32]);
            }
        }
    }
    Ok(pairs)
}
