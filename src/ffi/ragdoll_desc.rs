//! What a `WithyRagdollDef` describes, as a set takes it.

use super::body_desc::body_desc;
use super::convention::Convention;
use super::defs::{self, Def};
use super::guard::{Failure, Result};
use super::joint::*;
use super::ragdoll::*;
use super::span::{FLOATS, INDICES, View};
use super::types::{WithyPose, WithyVec3};
use crate::ragdoll::*;
use crate::world::{Pose, validate};

/// Most bones of a description.
pub(super) const MOST_BONES: usize = 1 << 16;

/// The elements of a host's array of defs, whose first has the stride as its size.
///
/// # Safety
/// `data` is NULL or readable for `count` defs of the size that the first claims.
unsafe fn each<D: Def, T>(data: *const D, count: u32, name: &str, mut get: impl FnMut(&D) -> Result<T>) -> Result<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    defs::not_null(data, name)?;
    if count as usize > MOST_BONES {
        return Err(Failure::argument(format!("{name}: {count} of them, must be at most {MOST_BONES}")));
    }
    // SAFETY: the caller's contract.
    let stride = unsafe { data.cast::<u32>().read_unaligned() };
    let mut all = Vec::with_capacity(count as usize);
    for i in 0..count as usize {
        let named = |e: Failure| Failure { message: format!("{name}[{i}]: {}", e.message), ..e };
        // SAFETY: `defs::read` has found the first one's size to be one that the struct may have.
        let (size, def) = unsafe {
            let at = data.byte_add(i * stride as usize);
            (at.cast::<u32>().read_unaligned(), defs::read(at).map_err(named)?)
        };
        if size != stride {
            return Err(Failure::argument(format!("{name}[{i}].struct_size is {size}: that of {name}[0] is {stride}")));
        }
        all.push(get(&def).map_err(named)?);
    }
    Ok(all)
}

/// # Safety
/// Pointers of `def` are NULL or readable.
unsafe fn body_of(def: &WithyRagdollBodyDef, c: &Convention) -> Result<RagdollBody> {
    // SAFETY: the caller's contract.
    let body = unsafe { body_desc(&defs::read(def.body).map_err(prefix("body"))?, c).map_err(prefix("body"))? };
    let joint = match def.joint.is_null() {
        true => None,
        // SAFETY: the caller's contract.
        false => Some(unsafe { joint_of(def, c).map_err(prefix("joint"))? }),
    };
    Ok(RagdollBody { bone: def.bone, body, joint })
}

fn prefix(name: &'static str) -> impl Fn(Failure) -> Failure {
    move |e| Failure { message: format!("{name}: {}", e.message), ..e }
}

/// # Safety
/// `def.joint` and its motor are readable.
unsafe fn joint_of(def: &WithyRagdollBodyDef, c: &Convention) -> Result<RagdollJoint> {
    // SAFETY: the caller's contract.
    let joint = unsafe { defs::read(def.joint)? };
    if joint.body_a.bits != 0 || joint.body_b.bits != 0 {
        return Err(Failure::argument("body_a and body_b must be null: the bones say which bodies it joins"));
    }
    if joint.flags & WITHY_JOINT_WORLD_FRAMES != 0 {
        return Err(Failure::argument("flags has WITHY_JOINT_WORLD_FRAMES: frames are in the bones"));
    }
    if joint.kind == WITHY_JOINT_ARC || joint.flags & WITHY_JOINT_ARC_RELAXATION != 0 {
        return Err(Failure::argument("kind is WITHY_JOINT_ARC: arcs are given as regions"));
    }
    let motor = match joint.motor.is_null() {
        true => None,
        // SAFETY: the caller's contract.
        false => Some(motor_desc(&unsafe { defs::load(joint.motor, "motor")? }, "motor", c)?),
    };
    let given = def.flags & WITHY_RAGDOLL_BODY_PARENT_FRAME != 0;
    let WithyPose { position: p, rotation: q } = joint.frame_a;
    if !given && ([p.x, p.y, p.z, q.x, q.y, q.z] != [0.0; 6] || q.w != 1.0) {
        return Err(Failure::argument("frame_a is given, but the body's flags are without WITHY_RAGDOLL_BODY_PARENT_FRAME"));
    }
    Ok(RagdollJoint {
        kind: joint_kind(&joint, c)?,
        frame: c.checked_pose(&joint.frame_b, "frame_b")?,
        parent_frame: if given { Some(c.checked_pose(&joint.frame_a, "frame_a")?) } else { None },
        motor,
        collide: defs::boolean(joint.collide, "collide")?,
    })
}

fn region_of(def: &WithyRegionDef, c: &Convention) -> Result<RegionDesc> {
    let arc = arc_desc(&def.arc, def.flags & WITHY_REGION_RELAXATION != 0, c)?;
    let anchor = |v: WithyVec3, name: &str| c.checked_position(v.array(), name, None);
    Ok(RegionDesc {
        first: def.first,
        last: def.last,
        anchors: [anchor(def.anchor_a, "anchor_a")?, anchor(def.anchor_b, "anchor_b")?],
        axis: c.checked_direction(def.axis.array(), "axis", None)?,
        length: (arc.length != 0.0).then_some(arc.length),
        bend: arc.bend,
        twist: arc.twist,
        viscosity: arc.viscosity,
        relaxation: arc.relaxation,
        limits: limits_in(def.swing, def.twist, c)?,
        rest: defs::choice(def.rest, &[RegionRest::Pose, RegionRest::Bind], "rest")?,
        read_back: defs::choice(
            def.read_back,
            &[RegionReadBack::Arc, RegionReadBack::Orientation, RegionReadBack::OrientationAndPosition],
            "read_back",
        )?,
        collide: defs::boolean(def.collide, "collide")?,
    })
}

/// # Safety
/// Pointers of `def` are NULL or readable for their counts.
pub(super) unsafe fn ragdoll_desc(def: &WithyRagdollDef, c: &Convention) -> Result<RagdollDesc> {
    let parents = View::<1>::required(&def.parents, "parents", INDICES)?;
    let bones = parents.count();
    if bones > MOST_BONES {
        return Err(Failure::argument(format!("parents.count is {bones}: must be at most {MOST_BONES}")));
    }
    let one_each = [(bones, "one a bone")];
    let positions = View::<3>::required(&def.positions, "positions", FLOATS)?.counted(&one_each)?.positions(c)?;
    let rotations = View::<4>::required(&def.rotations, "rotations", FLOATS)?.counted(&one_each)?;
    let mut all = Vec::with_capacity(bones);
    for (i, [parent]) in parents.indices()?.into_iter().enumerate() {
        let rotation = c.checked_rotation(rotations.get(i), "rotations", Some(i))?;
        let bind = Pose { position: positions[i], rotation };
        all.push(BoneDesc { name: String::new(), parent: (parent != u32::MAX).then_some(parent), bind });
    }
    let apart = View::<2>::optional(&def.apart, "apart", INDICES)?;
    if let Some(apart) = &apart {
        validate::memory(apart.count().saturating_mul(16), "apart")?;
    }
    Ok(RagdollDesc {
        bones: all,
        // SAFETY: the caller's contract.
        bodies: unsafe { each(def.bodies, def.body_count, "bodies", |b| body_of(b, c))? },
        // SAFETY: the caller's contract.
        regions: unsafe { each(def.regions, def.region_count, "regions", |r| region_of(r, c))? },
        apart: apart.map(|a| a.indices()).transpose()?.unwrap_or_default(),
        self_collide: def.flags & WITHY_RAGDOLL_NO_SELF_COLLISION == 0,
        free_bones: match def.flags & WITHY_RAGDOLL_ANIMATED_BONES {
            0 => FreeBones::Rigid,
            _ => FreeBones::Animated,
        },
    })
}
