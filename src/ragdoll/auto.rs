//! A ragdoll for a bare skeleton: capsules, limits and regions by stated rules. `docs/internals/ragdoll.md`, from files.

use super::arc::shortest;
use super::desc::*;
use super::tof::bones;
use super::{pose, transform};
use crate::collide::narrow::{Geometry, distance};
use crate::desc::validate;
use crate::io::skeleton::{Skeleton, SkinnedMesh};
use crate::math::vec3::vec3;
use crate::math::{Quat, Transform, Vec3};
use crate::world::{BallLimits, BodyDesc, BodyShape, Error, JointKind, Result, ShapeDesc};

/// How a bare skeleton gets its bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoFit {
    /// A bone has a body if it is longer than this part of the height.
    pub least_length: f64,
    /// kg; 0: what the capsules weigh.
    pub mass: f64,
    /// `None`: spine and neck, by the names of the bones. Empty: none.
    pub regions: Option<Vec<NamedRegion>>,
    /// Stiffness and the like of the regions; `first`, `last` and `axis` are found. `limits`: of all of them; half angles of π and a twist
    /// of ±π are none. `None`: those of spine and neck, of other chains the sum of their joints'.
    pub region: RegionDesc,
    pub friction: f64,
    /// 1/s
    pub angular_damping: f64,
}

impl Default for AutoFit {
    fn default() -> Self {
        AutoFit {
            least_length: 0.05,
            mass: 0.0,
            regions: None,
            region: RegionDesc { bend: [8.0; 2], twist: 8.0, viscosity: 0.1, rest: RegionRest::Bind, ..RegionDesc::default() },
            friction: 0.6,
            angular_damping: 0.5,
        }
    }
}

/// A region between two bones by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRegion {
    pub first: String,
    pub last: String,
}

/// Bodies that are compared pair by pair.
const MOST_BODIES: usize = 2048;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hips,
    Spine,
    Neck,
    Head,
    Thigh,
    Shank,
    Foot,
    UpperArm,
    Forearm,
    Hand,
    /// Never has a body.
    Small,
    Other,
}

impl Kind {
    /// By the name; the first row that has one of its words in it counts.
    fn of(name: &str) -> Kind {
        let lower = name.to_ascii_lowercase();
        let name = lower.rsplit(':').next().unwrap_or(&lower);
        const WORDS: [(Kind, &[&str]); 11] = [
            (
                Kind::Small,
                &["thumb", "index", "middle", "ring", "pinky", "finger", "toe", "shoulder", "clavicle", "collar", "hipjoint"],
            ),
            (Kind::Thigh, &["upleg", "upperleg", "thigh"]),
            (Kind::Hips, &["hip", "pelvis"]),
            (Kind::Neck, &["neck"]),
            (Kind::Head, &["head"]),
            (Kind::Spine, &["spine", "back", "chest", "torso", "abdomen"]),
            (Kind::Foot, &["foot", "ankle"]),
            (Kind::Forearm, &["forearm", "lowerarm", "elbow"]),
            (Kind::Hand, &["hand", "wrist"]),
            (Kind::Shank, &["leg", "shin", "calf", "knee"]),
            (Kind::UpperArm, &["arm"]),
        ];
        WORDS.iter().find(|(_, words)| words.iter().any(|w| name.contains(w))).map_or(Kind::Other, |(kind, _)| *kind)
    }
    /// Radius over the height of the body.
    fn radius(self) -> Option<f64> {
        Some(match self {
            Kind::Hips | Kind::Spine => 0.075,
            Kind::Neck => 0.033,
            Kind::Head => 0.052,
            Kind::Thigh => 0.041,
            Kind::Shank => 0.028,
            Kind::Foot => 0.020,
            Kind::UpperArm => 0.025,
            Kind::Forearm => 0.021,
            Kind::Hand => 0.015,
            Kind::Small | Kind::Other => return None,
        })
    }
    /// Half angles of swing, and twist to both sides, degrees.
    fn limits(self) -> [f64; 2] {
        match self {
            Kind::Spine => [30.0, 25.0],
            Kind::Neck => [35.0, 30.0],
            Kind::Head => [45.0, 50.0],
            Kind::Thigh => [80.0, 40.0],
            Kind::Shank => [80.0, 20.0],
            Kind::Foot => [45.0, 20.0],
            Kind::UpperArm => [100.0, 60.0],
            Kind::Forearm => [80.0, 50.0],
            Kind::Hand => [70.0, 40.0],
            Kind::Hips | Kind::Small | Kind::Other => [45.0, 30.0],
        }
    }
}

/// Limits of a whole spine and a whole neck: half angles of bending forwards and back, and to the side, and twist to both sides, degrees.
/// American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording" (1965): thoracic and lumbar spine together
/// flexion 80, extension 20 to 30, to the side 35, rotation 45; cervical spine 45, 45, 45, 60. A cone about straight has one half angle
/// for flexion and extension: their mean.
const SPINE: [f64; 3] = [52.5, 35.0, 45.0];
const NECK: [f64; 3] = [45.0, 45.0, 60.0];

/// A bone and its capsule.
struct Limb {
    kind: Kind,
    /// From the bone's origin to its end, in the bone, m.
    way: Vec3<f64>,
    children: Vec<u32>,
}

impl RagdollDesc {
    /// Capsules for a skeleton, fitted to its skin where there is one. The rules: `docs/internals/ragdoll.md`.
    ///
    /// # Errors
    /// The skeleton is none, or has no height; a setting is out of range; a region's bone is not there.
    pub fn auto(skeleton: &Skeleton, skin: Option<&SkinnedMesh>, fit: &AutoFit) -> Result<RagdollDesc> {
        skeleton.check().map_err(|e| Error::invalid(e.to_string()))?;
        validate::between("least_length", fit.least_length, 0.0, 1.0)?;
        validate::between("mass", fit.mass, 0.0, 1e12)?;
        let mut bind = Vec::new();
        skeleton.world(&[], Transform::identity(), &mut bind);
        for (b, t) in bind.iter().enumerate() {
            validate::vector("bind.position in the world", Some(b), t.position.to_array())?;
        }
        let height = height(skeleton, &bind);
        if height < 1e-6 {
            return Err(Error::invalid(format!("bones span {height} m: there is no height to fit to")));
        }
        let limbs = limbs(skeleton, &bind);
        let mut desc = RagdollDesc { bones: bones(skeleton), ..RagdollDesc::default() };
        let mut wants = Vec::with_capacity(limbs.len());
        for (b, limb) in limbs.iter().enumerate() {
            let root = skeleton.bones[b].parent.is_none() && !limb.children.is_empty();
            let long = limb.way.length() > fit.least_length * height && limb.kind != Kind::Small;
            wants.push(long || root || limb.kind == Kind::Head);
        }
        // Where the spine forks into branches with bodies it has one as well.
        let mut branches = vec![0u32; limbs.len()];
        for b in (0..limbs.len()).rev() {
            wants[b] |= limbs[b].kind == Kind::Spine && branches[b] > 1;
            if let Some(p) = skeleton.bones[b].parent {
                branches[p as usize] += u32::from(wants[b] || branches[b] > 0);
            }
        }
        let forwards = forwards(&bind, &limbs);
        let mut weights = Vec::new();
        for b in (0..limbs.len()).filter(|&b| wants[b]) {
            let limb = &limbs[b];
            let radius = skin.and_then(|s| skin_radius(s, b as u32, limb.way)).unwrap_or_else(|| match limb.kind.radius() {
                Some(r) => r * height,
                None => (0.2 * limb.way.length()).clamp(0.01 * height, 0.08 * height),
            });
            // A head's bone may end at its middle, or at its eyes.
            let way = match limb.kind {
                Kind::Head => limb.way.normalized_or(vec3(0.0, 1.0, 0.0)) * limb.way.length().max(HEAD_LENGTH * radius),
                _ => limb.way,
            };
            let (shape, weight) = capsule(way, radius, fit.friction);
            weights.push(weight);
            let above = holder(skeleton, &wants, b);
            let joint =
                above.map(|above| match forwards.filter(|_| limb.kind == Kind::Shank).and_then(|f| fold(&bind, b, limb, -f)) {
                    Some(frame) => RagdollJoint {
                        kind: JointKind::Ball { limits: Some(folding(limb.kind)) },
                        frame: pose(Transform { position: Vec3::zero(), rotation: frame }),
                        parent_frame: Some(pose(folded(&bind, b, above, frame))),
                        ..RagdollJoint::default()
                    },
                    None => RagdollJoint {
                        kind: JointKind::Ball { limits: Some(limits(limb.kind)) },
                        frame: pose(Transform { position: Vec3::zero(), rotation: along(limb.way) }),
                        ..RagdollJoint::default()
                    },
                });
            let body =
                BodyDesc { shapes: vec![shape], mass: weight, angular_damping: fit.angular_damping, ..BodyDesc::default() };
            desc.bodies.push(RagdollBody { bone: b as u32, body, joint });
        }
        if desc.bodies.len() > MOST_BODIES {
            let n = desc.bodies.len();
            return Err(Error::invalid(format!(
                "least_length is {}: {n} bones get a body, at most {MOST_BODIES}",
                fit.least_length
            )));
        }
        girdles(&mut desc, skeleton, &bind, &limbs, &wants, fit);
        if fit.mass > 0.0 {
            let sum: f64 = weights.iter().sum();
            desc.bodies.iter_mut().for_each(|b| b.body.mass *= fit.mass / sum);
        }
        let named = match &fit.regions {
            Some(named) => named.clone(),
            None => found(skeleton, &limbs, &wants),
        };
        for n in &named {
            let found = desc.region(&n.first, &n.last)?;
            let axis = sideways(&bind, &desc, found.first);
            let limits = match fit.region.limits {
                Some(given) => (given != FREE).then_some(given),
                None => Some(region_limits(&desc, &limbs, &found)),
            };
            desc.regions.push(RegionDesc { first: found.first, last: found.last, axis, limits, ..fit.region.clone() });
        }
        desc.apart = overlapping(&bind, &desc)?;
        Ok(desc)
    }
}

/// Length of a head over its capsule's radius.
const HEAD_LENGTH: f64 = 2.5;
/// How far knees fold, and how far they give aside, degrees. Elbows fold about an axis that depends on how the arm is turned in the bind pose.
const FOLD: f64 = 140.0;
const ASIDE: f64 = 15.0;

/// The nearest bone above that has a body.
fn holder(skeleton: &Skeleton, wants: &[bool], b: usize) -> Option<usize> {
    let mut at = skeleton.bones[b].parent;
    while let Some(p) = at {
        if wants[p as usize] {
            return Some(p as usize);
        }
        at = skeleton.bones[p as usize].parent;
    }
    None
}

/// Where the feet point in the bind pose, across the way from them to the hips.
fn forwards(bind: &[Transform<f64>], limbs: &[Limb]) -> Option<Vec3<f64>> {
    let ways = |kind: Kind| {
        let of = limbs.iter().zip(bind).filter(move |(l, _)| l.kind == kind);
        of.fold(Vec3::zero(), |sum, (l, t)| sum + t.rotation.rotate(l.way))
    };
    let down = (ways(Kind::Thigh) + ways(Kind::Shank)).normalized_or(Vec3::zero());
    let feet = ways(Kind::Foot);
    let f = feet - down * down.dot(feet);
    (down.length() > 0.5 && f.length() > 0.3 * feet.length() && f.length() > 0.0).then(|| f.normalized_or(Vec3::zero()))
}

/// The frame of a limb that folds towards `to`, in its bone: the third axis along it, the first the one that it folds about. `None` where it points that
/// way already.
fn fold(bind: &[Transform<f64>], b: usize, limb: &Limb, to: Vec3<f64>) -> Option<Quat<f64>> {
    let way = limb.way.normalized_or(Vec3::zero());
    let axis = way.cross(bind[b].rotation.conjugate().rotate(to));
    let axis = (axis.length() > 0.5).then(|| axis.normalized_or(Vec3::zero()))?;
    Some(Quat::from_frame([axis, way.cross(axis), way]))
}

/// The same frame half folded, in the bone `above`: the cone about it goes from straight to folded.
fn folded(bind: &[Transform<f64>], b: usize, above: usize, frame: Quat<f64>) -> Transform<f64> {
    let half = 0.25 * FOLD.to_radians();
    let turn = Quat { x: half.sin(), y: 0.0, z: 0.0, w: half.cos() };
    let place = bind[above].seen(bind[b]);
    Transform { position: place.position, rotation: place.rotation.compose(frame).compose(turn) }
}

fn folding(kind: Kind) -> BallLimits {
    BallLimits { swing: [0.5 * FOLD.to_radians(), ASIDE.to_radians()], ..limits(kind) }
}

/// Shoulders and hips: bones of their own that have no body, between the trunk and a limb. They are shapes of the trunk.
fn girdles(desc: &mut RagdollDesc, skeleton: &Skeleton, bind: &[Transform<f64>], limbs: &[Limb], wants: &[bool], fit: &AutoFit) {
    let body_on = |desc: &RagdollDesc, bone: usize| desc.bodies.iter().position(|d| d.bone as usize == bone);
    for (b, limb) in limbs.iter().enumerate().filter(|(b, l)| !wants[*b] && l.kind == Kind::Small) {
        for &c in limb.children.iter().filter(|&&c| wants[c as usize]) {
            let arm = &limbs[c as usize];
            let (Kind::UpperArm | Kind::Thigh, Some(above)) = (arm.kind, holder(skeleton, wants, b)) else { continue };
            let (Some(of), Some(to)) = (body_on(desc, c as usize), body_on(desc, above)) else { continue };
            let radius = match desc.bodies[of].body.shapes[0].shape {
                BodyShape::Capsule { radius, .. } | BodyShape::Sphere { radius } => radius,
                _ => continue,
            };
            let (from, end) = (bind[above].point_back(bind[b].position), bind[above].point_back(bind[c as usize].position));
            if (end - from).length() < radius {
                continue;
            }
            let (mut shape, _) = capsule(end - from, radius, fit.friction);
            let mut place = transform(shape.pose);
            place.position = place.position + from;
            shape.pose = pose(place);
            desc.bodies[to].body.shapes.push(shape);
        }
    }
}

/// The extent of the bind pose along its longest axis, m.
fn height(skeleton: &Skeleton, bind: &[Transform<f64>]) -> f64 {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let tips = skeleton.bones.iter().zip(bind).filter_map(|(b, t)| b.tip.map(|tip| t.point(tip)));
    for p in bind.iter().map(|t| t.position).chain(tips) {
        for (k, x) in p.to_array().into_iter().enumerate() {
            (low[k], high[k]) = (low[k].min(x), high[k].max(x));
        }
    }
    (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max)
}

fn limbs(skeleton: &Skeleton, bind: &[Transform<f64>]) -> Vec<Limb> {
    let mut limbs: Vec<Limb> = skeleton
        .bones
        .iter()
        .map(|b| Limb { kind: Kind::of(&b.name), way: b.tip.unwrap_or(Vec3::zero()), children: Vec::new() })
        .collect();
    for (b, bone) in skeleton.bones.iter().enumerate() {
        if let Some(p) = bone.parent {
            limbs[p as usize].children.push(b as u32);
        }
    }
    for b in 0..limbs.len() {
        let n = limbs[b].children.len();
        if skeleton.bones[b].parent.is_none() && n > 1 {
            limbs[b].kind = Kind::Hips;
        }
        if skeleton.bones[b].tip.is_none() && n > 0 {
            let sum = limbs[b].children.iter().fold(Vec3::zero(), |s, &c| s + bind[b].point_back(bind[c as usize].position));
            limbs[b].way = sum * (1.0 / n as f64);
        }
    }
    limbs
}

/// The rotation from y to a direction; that of x to x where there is none.
fn upright(way: Vec3<f64>) -> Quat<f64> {
    shortest(vec3(0.0, 1.0, 0.0), way.normalized_or(vec3(0.0, 1.0, 0.0)))
}
/// From z, the axis of twist.
fn along(way: Vec3<f64>) -> Quat<f64> {
    shortest(vec3(0.0, 0.0, 1.0), way.normalized_or(vec3(0.0, 1.0, 0.0)))
}

/// A capsule from the origin to `way`, rounded off within it, or a sphere; and what a cylinder of that size weighs, kg.
fn capsule(way: Vec3<f64>, radius: f64, friction: f64) -> (ShapeDesc, f64) {
    let length = way.length();
    // Longer than wide, and no wider than long where that is not short.
    let radius = if length > radius { radius.min(0.5 * length.max(radius)) } else { radius };
    let half_height = (0.5 * length - radius).max(0.0);
    let shape = if half_height > 0.0 { BodyShape::Capsule { half_height, radius } } else { BodyShape::Sphere { radius } };
    let place = Transform { position: way * 0.5, rotation: upright(way) };
    let weight = core::f64::consts::PI * radius * radius * length.max(radius) * 1000.0;
    (ShapeDesc { shape, pose: pose(place), friction, ..ShapeDesc::default() }, weight)
}

fn limits(kind: Kind) -> BallLimits {
    let [swing, twist] = kind.limits().map(f64::to_radians);
    BallLimits { swing: [swing; 2], twist: [-twist, twist] }
}

/// No limit.
const FREE: BallLimits = BallLimits { swing: [PI; 2], twist: [-PI, PI] };
const PI: f64 = core::f64::consts::PI;

/// Of the arc in place of the joints of a chain: spine and neck as a whole, of other chains what the joints add up to.
fn region_limits(desc: &RagdollDesc, limbs: &[Limb], region: &RegionDesc) -> BallLimits {
    let bone = |body: u32| desc.bodies[body as usize].bone;
    let (first, mut b) = (bone(region.first), bone(region.last));
    let mut kinds = Vec::new();
    // A chain that is none is refused later: here it ends at the root.
    while b != first {
        kinds.push(limbs[b as usize].kind);
        let Some(p) = desc.bones[b as usize].parent else { break };
        b = p;
    }
    let any = |of: &[Kind]| kinds.iter().any(|k| of.contains(k));
    let (spine, neck) = (any(&[Kind::Spine]), any(&[Kind::Neck, Kind::Head]));
    let mut sum = [0.0; 3];
    let mut add = |more: [f64; 3]| sum.iter_mut().zip(more).for_each(|(s, m)| *s += m);
    if spine {
        add(SPINE);
    }
    if neck {
        add(NECK);
    }
    if !spine && !neck {
        kinds.iter().map(|k| k.limits()).for_each(|[swing, twist]| add([swing, swing, twist]));
    }
    let [forwards, aside, twist] = sum.map(|s: f64| s.to_radians().min(PI));
    BallLimits { swing: [forwards, aside], twist: [-twist, twist] }
}

/// The median distance from the bone's axis of the vertices that follow it most, m.
fn skin_radius(skin: &SkinnedMesh, bone: u32, way: Vec3<f64>) -> Option<f64> {
    let inverse = skin.inverse_bind.get(bone as usize)?;
    let axis = way.normalized_or(Vec3::zero());
    let mut all = Vec::new();
    for (p, (joints, weights)) in skin.mesh.points.iter().zip(skin.joints.iter().zip(&skin.weights)) {
        let most = (0..4).fold(0, |m, k| if weights[k] > weights[m] { k } else { m });
        if joints[most] == bone {
            let p = inverse.point(Vec3::from(p.map(f64::from)));
            let t = p.dot(axis);
            // Beside the bone, not beyond its ends.
            if (0.0..=way.length()).contains(&t) {
                all.push((p - axis * t).length());
            }
        }
    }
    if all.len() < 8 {
        return None;
    }
    all.sort_unstable_by(f64::total_cmp);
    let r = all[all.len() / 2];
    (r > 1e-6 && r.is_finite()).then_some(r)
}

/// Spine and neck, by the names of the bones.
fn found(skeleton: &Skeleton, limbs: &[Limb], wants: &[bool]) -> Vec<NamedRegion> {
    let parent = |b: usize| skeleton.bones[b].parent.map(|p| p as usize);
    let unique = |b: usize| skeleton.find(&skeleton.bones[b].name) == Some(b as u32);
    let mut out = Vec::new();
    let mut add = |first: usize, last: usize| {
        if unique(first) && unique(last) {
            let name = |b: usize| skeleton.bones[b].name.clone();
            out.push(NamedRegion { first: name(first), last: name(last) });
        }
    };
    // Up from the last bone of a kind to the nearest bone of another kind that has a body.
    let below = |mut b: usize, through: &dyn Fn(Kind) -> bool| -> (usize, Option<usize>) {
        let mut between = 0;
        while let Some(p) = parent(b) {
            b = p;
            if !through(limbs[b].kind) && wants[b] {
                return (between, Some(b));
            }
            between += 1;
        }
        (between, None)
    };
    // The last spine bone with a body: none of its kind comes after it.
    let spine = |b: usize| limbs[b].kind == Kind::Spine && wants[b];
    let mut leads_on = vec![false; limbs.len()];
    for b in (0..limbs.len()).rev() {
        if let Some(p) = parent(b) {
            leads_on[p] |= leads_on[b] || spine(b);
        }
    }
    let is_last = |b: &usize| spine(*b) && !leads_on[*b];
    if let Some(last) = (0..limbs.len()).find(is_last)
        && let (1.., Some(first)) = below(last, &|k| matches!(k, Kind::Spine | Kind::Other | Kind::Small))
    {
        add(first, last);
    }
    if let Some(head) = (0..limbs.len()).find(|&b| limbs[b].kind == Kind::Head && wants[b])
        && let (1.., Some(first)) = below(head, &|k| matches!(k, Kind::Neck | Kind::Small))
    {
        add(first, head);
    }
    out
}

/// x of the world in the first bone: characters face along z.
fn sideways(bind: &[Transform<f64>], desc: &RagdollDesc, body: u32) -> [f64; 3] {
    let bone = desc.bodies[body as usize].bone as usize;
    bind[bone].rotation.conjugate().rotate(vec3(1.0, 0.0, 0.0)).to_array()
}

/// Pairs whose shapes overlap in the bind pose.
fn overlapping(bind: &[Transform<f64>], desc: &RagdollDesc) -> Result<Vec<[u32; 2]>> {
    let mut all = Vec::new();
    for b in &desc.bodies {
        let mut shapes = Vec::with_capacity(b.body.shapes.len());
        for s in &b.body.shapes {
            shapes.push((Geometry::<f64>::new(&s.shape.geometry())?, bind[b.bone as usize].compose(transform(s.pose))));
        }
        all.push(shapes);
    }
    let mut pairs = Vec::new();
    for j in 0..all.len() {
        for i in 0..j {
            let mut both = all[i].iter().flat_map(|a| all[j].iter().map(move |b| (a, b)));
            if both.any(|((ga, ta), (gb, tb))| distance(ga, gb, &ta.seen(*tb)).is_some_and(|d| d.distance <= 0.0)) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    Ok(pairs)
}
