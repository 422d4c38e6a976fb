//! The moment of transition: bodies and joints of instances for a pose, and what their bones keep of it. Maths: `docs/internals/ragdoll.md`.

use super::arc::{Curve, fit, normalized, shortest};
use super::desc::*;
use super::model::{Link, NONE, Ragdoll};
use super::pose;
use super::read_back::Fade;
use super::set::{RagdollSet, rigid, sized};
use crate::bodies::kernels::{arc_strain, rotation_vector};
use crate::desc::validate;
use crate::math::vec3::vec3;
use crate::math::{Quat, Transform, Vec3};
use crate::world::{BallLimits, BodyDesc, BodyMotion, Error, Id, JointDesc, JointKind, Result, World, check_joint_between};

/// How the bones move at the moment of transition. Arrays are `[which][bone]`.
#[derive(Clone, Copy, Debug, Default)]
pub enum Motion<'a> {
    #[default]
    Still,
    /// World poses `dt` seconds before.
    Before { poses: &'a [Transform<f64>], dt: f64 },
    /// Velocity of the bone's origin, m/s, and its spin, rad/s, in the world.
    Given(&'a [[[f64; 3]; 2]]),
}

impl Motion<'_> {
    pub(super) fn check(&self, which: usize, bones: usize) -> Result<()> {
        match *self {
            Motion::Still => Ok(()),
            Motion::Before { poses, dt } => {
                sized("poses before", poses.len(), which, bones)?;
                validate::between("dt", dt, 1e-9, 1e3)
            }
            Motion::Given(v) => sized("velocities", v.len(), which, bones),
        }
    }
    /// Of entry `i`, which now stands so, rad/s.
    pub(super) fn spin(&self, i: usize, now: Quat<f64>) -> Vec3<f64> {
        match *self {
            Motion::Still => Vec3::zero(),
            Motion::Before { poses, dt } => rotation_vector(normalized(now.compose(poses[i].rotation.conjugate()))) * (1.0 / dt),
            Motion::Given(v) => v[i][1].into(),
        }
    }
}

/// What is made to fit the pose at the moment of transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Anchors in the parents are put where those of the children are.
    pub anchors: bool,
    /// Limits that the pose is beyond are opened up to it; hinges and fixed joints are aligned.
    pub limits: bool,
}

impl Default for Transition {
    fn default() -> Self {
        Transition { anchors: true, limits: true }
    }
}

/// What an arc keeps from the moment of transition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Material frames at the anchors, in the bones.
    pub frames: [Transform<f64>; 2],
    pub length: f64,
    /// R_a⁻¹ R_b
    pub between: Quat<f64>,
}

/// What an instance will be made of.
struct Plan {
    instance: usize,
    poses: Vec<Transform<f64>>,
    motion: Vec<[Vec3<f64>; 2]>,
    joints: Vec<JointDesc>,
    arcs: Vec<Kept>,
    kept: Vec<Transform<f64>>,
    share: Vec<[f64; 2]>,
}

impl RagdollSet {
    /// Gives instances bodies at these world poses, `[which][bone]`, or puts those there that have some. Joints and arcs are fitted to the
    /// pose. All or none.
    ///
    /// # Errors
    /// An instance out of range or named twice, arrays of another size, a pose that is not rigid, a velocity that is not finite, ends of a
    /// region that coincide; the world has no room for the bodies and joints of all.
    pub fn instantiate(
        &mut self,
        world: &mut World,
        which: &[u32],
        poses: &[Transform<f64>],
        motion: Motion,
        fit: Transition,
    ) -> Result<()> {
        let (bones, links) = (self.ragdoll.bones(), self.ragdoll.links.len());
        sized("poses", poses.len(), which.len(), bones)?;
        motion.check(which.len(), bones)?;
        self.each_once(which)?;
        let mut plans = Vec::with_capacity(which.len());
        for (k, &instance) in which.iter().enumerate() {
            let i = instance as usize;
            let range = k * bones..(k + 1) * bones;
            let named = |e: Error| Error::new(e.kind, format!("which[{k}]: {}", e.message));
            plans.push(self.plan(i, &poses[range.clone()], motion, range, fit).map_err(named)?);
        }
        let fresh = which.iter().filter(|&&i| !self.alive[i as usize]).count();
        let broken = |i: &u32| self.joints[*i as usize * links..][..links].iter().filter(|&&id| world.joint(id).is_err()).count();
        world.bodies().check_room(fresh * self.ragdoll.parts.len())?;
        world.joints().check_room(which.iter().map(broken).sum())?;
        let mut made = Vec::new();
        for plan in plans {
            let (instance, fresh) = (plan.instance, !self.alive[plan.instance]);
            if fresh {
                made.push(instance as u32);
            }
            if let Err(e) = self.apply(world, plan) {
                self.remove(world, &made)?;
                return Err(e);
            }
        }
        Ok(())
    }

    fn plan(
        &self,
        instance: usize,
        poses: &[Transform<f64>],
        motion: Motion,
        range: core::ops::Range<usize>,
        fit: Transition,
    ) -> Result<Plan> {
        let r = &*self.ragdoll;
        let checked = |field: &str, poses: &[Transform<f64>]| -> Result<Vec<Transform<f64>>> {
            poses.iter().enumerate().map(|(b, &p)| rigid(field, b, p)).collect()
        };
        let poses = checked("pose", poses)?;
        let motion = match motion {
            Motion::Still => vec![[Vec3::zero(); 2]; r.parts.len()],
            Motion::Before { poses: before, dt } => {
                let before = checked("pose before", &before[range])?;
                let of = |b: u32, center: Vec3<f64>| {
                    let (p, q) = (before[b as usize], poses[b as usize]);
                    let turn = rotation_vector(normalized(q.rotation.compose(p.rotation.conjugate())));
                    [(q.point(center) - p.point(center)) * (1.0 / dt), turn * (1.0 / dt)]
                };
                r.parts.iter().map(|p| of(p.bone, p.center)).collect()
            }
            Motion::Given(v) => {
                let v = &v[range];
                for (b, [u, w]) in v.iter().enumerate() {
                    validate::vector("velocity", Some(b), *u)?;
                    validate::vector("spin", Some(b), *w)?;
                }
                let of = |b: u32, center: Vec3<f64>| {
                    let [u, w] = v[b as usize].map(Vec3::from);
                    [u + w.cross(poses[b as usize].rotation.rotate(center)), w]
                };
                r.parts.iter().map(|p| of(p.bone, p.center)).collect()
            }
        };
        for (p, [v, w]) in r.parts.iter().zip(&motion) {
            validate::vector("velocity of bone", Some(p.bone as usize), v.to_array())?;
            validate::vector("spin of bone", Some(p.bone as usize), w.to_array())?;
        }
        let identity = Transform::identity();
        let mut plan = Plan {
            instance,
            motion,
            joints: Vec::with_capacity(r.links.len()),
            arcs: vec![Kept { frames: [identity; 2], length: 1.0, between: Quat::identity() }; r.regions.len()],
            kept: vec![identity; r.bones()],
            share: vec![[0.0; 2]; r.inner],
            poses,
        };
        for b in 0..r.bones() {
            let p = plan.poses.get(r.parent[b] as usize).copied().unwrap_or(identity);
            plan.kept[b] = p.seen(plan.poses[b]);
        }
        for link in &r.links {
            let joint = if link.region == NONE { joint(r, &plan.poses, link, fit) } else { arc(r, &mut plan, link, fit)? };
            let bodies = [link.a, link.b].map(|part| plan.poses[r.parts[part as usize].bone as usize]);
            check_joint_between(&joint, bodies).map_err(|e| {
                let place = match link.region {
                    NONE => format!("bodies[{}].joint", r.parts[link.b as usize].source),
                    region => format!("regions[{region}]"),
                };
                Error::new(e.kind, format!("{place}: {}", e.message))
            })?;
            plan.joints.push(joint);
        }
        Ok(plan)
    }

    fn apply(&mut self, world: &mut World, plan: Plan) -> Result<()> {
        let ragdoll = self.ragdoll.clone();
        let (parts, links, i) = (ragdoll.parts.len(), ragdoll.links.len(), plan.instance);
        let at = |part: u32| i * parts + part as usize;
        if self.alive[i] {
            for (k, p) in ragdoll.parts.iter().enumerate() {
                let id = self.bodies[at(k as u32)];
                world.set_body_pose(id, pose(plan.poses[p.bone as usize]))?;
                if world.body(id)?.desc.motion == BodyMotion::Dynamic {
                    world.set_body_motion(id, plan.motion[k][0].to_array(), plan.motion[k][1].to_array())?;
                }
            }
        } else {
            let group = if ragdoll.desc.self_collide { None } else { Some(world.fresh_group()) };
            self.bodies[i * parts..][..parts].fill(Id::default());
            self.joints[i * links..][..links].fill(Id::default());
            // From here on `remove` takes away what there is.
            self.alive[i] = true;
            for (k, p) in ragdoll.parts.iter().enumerate() {
                let desc = BodyDesc {
                    pose: pose(plan.poses[p.bone as usize]),
                    velocity: plan.motion[k][0].to_array(),
                    spin: plan.motion[k][1].to_array(),
                    group: group.unwrap_or(p.body.group),
                    ..p.body.clone()
                };
                let id = world.add_body_of(i as u32, &desc)?;
                self.bodies[at(k as u32)] = id;
                if p.kinematic {
                    world.set_body_kinematic(id, true)?;
                }
            }
            for &[a, b] in &ragdoll.apart {
                world.set_bodies_apart(self.bodies[at(a)], self.bodies[at(b)], true)?;
            }
            self.fades[i] = Fade::default();
        }
        for (k, (link, mut joint)) in ragdoll.links.iter().zip(plan.joints).enumerate() {
            joint.a = Some(self.bodies[at(link.a)]);
            joint.b = self.bodies[at(link.b)];
            let old = &mut self.joints[i * links + k];
            // One that the host has removed is made anew.
            if world.renew_joint(*old, &joint).is_err() {
                *old = world.add_joint(&joint)?;
            }
        }
        self.kept[i * ragdoll.bones()..][..ragdoll.bones()].copy_from_slice(&plan.kept);
        self.share[i * ragdoll.inner..][..ragdoll.inner].copy_from_slice(&plan.share);
        self.arcs[i * ragdoll.regions.len()..][..ragdoll.regions.len()].copy_from_slice(&plan.arcs);
        Ok(())
    }
}

/// A joint's description for a pose.
fn joint(r: &Ragdoll, poses: &[Transform<f64>], link: &Link, fit: Transition) -> JointDesc {
    let at = |part: u32| poses[r.parts[part as usize].bone as usize];
    let (a, b) = (at(link.a), at(link.b));
    let (mut frame_a, frame_b, mut kind) = (link.frame_a, link.frame_b, link.kind.clone());
    if fit.anchors && !matches!(kind, JointKind::Distance { .. }) {
        frame_a.position = a.point_back(b.point(frame_b.position));
    }
    let relative = |frame_a: Transform<f64>| {
        let (fa, fb) = (a.rotation.compose(frame_a.rotation), b.rotation.compose(frame_b.rotation));
        (fa, fb, normalized(fa.conjugate().compose(fb)))
    };
    if fit.limits {
        let (fa, fb, between) = relative(frame_a);
        match &mut kind {
            JointKind::Ball { limits: Some(l) } => *l = opened(*l, arc_strain(between).beta),
            JointKind::Hinge { limits } => {
                let turn = shortest(fa.frame()[2], fb.frame()[2]);
                frame_a.rotation = normalized(a.rotation.conjugate().compose(turn).compose(fa));
                let angle = arc_strain(relative(frame_a).2).beta.z;
                *limits = wide(*limits, angle);
            }
            JointKind::Fixed => frame_a.rotation = normalized(a.rotation.conjugate().compose(fb)),
            JointKind::Distance { least, most } => {
                let d = (b.point(frame_b.position) - a.point(frame_a.position)).length();
                (*least, *most) = (least.min(d), most.max(d));
            }
            _ => {}
        }
    }
    JointDesc {
        a: None,
        b: Id::default(),
        frame_a: pose(frame_a),
        frame_b: pose(frame_b),
        kind,
        motor: link.motor,
        collide: link.collide,
    }
}

const PI: f64 = core::f64::consts::PI;
/// What an opened limit is beyond the pose, rad.
const SLACK: f64 = 1e-3;
/// The solver's least width of a cone, rad.
const LEAST_SWING: f64 = 0.01;

/// Bounds that hold `v`.
fn wide([low, high]: [f64; 2], v: f64) -> [f64; 2] {
    if (low..=high).contains(&v) { [low, high] } else { [low.min(v - SLACK).max(-PI), high.max(v + SLACK).min(PI)] }
}

/// Limits that hold the strains (β₁, β₂, τ); both half angles grow by the same factor.
fn opened(l: BallLimits, strain: Vec3<f64>) -> BallLimits {
    let swing = l.swing.map(|s| s.max(LEAST_SWING));
    let (x, y) = (strain.x / swing[0], strain.y / swing[1]);
    let out = (x * x + y * y).sqrt();
    let swing = if out > 1.0 { swing.map(|s| (s * (out + SLACK)).min(PI)) } else { l.swing };
    BallLimits { swing, twist: wide(l.twist, strain.z) }
}

/// The arc of a region, fitted to a pose; what it and its bones keep.
fn arc(r: &Ragdoll, plan: &mut Plan, link: &Link, fit_to: Transition) -> Result<JointDesc> {
    let (region, desc) = (&r.regions[link.region as usize], &r.desc.regions[link.region as usize]);
    let at = |i: usize| plan.poses[region.chain[i] as usize];
    let last = region.chain.len() - 1;
    let (a, b) = (at(0), at(last));
    let (from, to) = (a.point(link.frame_a.position), b.point(link.frame_b.position));
    let axis = a.rotation.rotate(Vec3::from(desc.axis)).normalized_or(vec3(1.0, 0.0, 0.0));
    let points = (1..last).map(|i| at(i).position);
    let Some(arc) = fit(from, to, points, desc.length, axis) else {
        let gap = (to - from).length();
        return Err(Error::invalid(format!("regions[{}] has ends {gap} m apart: no arc fits them", link.region)));
    };
    let [ta, tb] = arc.tangents();
    if ta.dot(to - from) <= 0.0 {
        let (gap, length) = ((to - from).length(), arc.length());
        return Err(Error::invalid(format!(
            "regions[{}]: an arc of {length} m between ends {gap} m apart turns by more than a half turn",
            link.region
        )));
    }
    let m1 = (axis - ta * axis.dot(ta)).normalized_or(ta.any_perpendicular());
    let fa = Quat::from_frame([m1, ta.cross(m1), ta]);
    let fb = normalized(shortest(ta, tb).compose(fa));
    let length = desc.length.unwrap_or(arc.length());
    validate::within(&format!("length of regions[{}]", link.region), length, validate::REST_LENGTH)?;
    let local = |bone: Transform<f64>, anchor: Vec3<f64>, f: Quat<f64>| Transform {
        position: anchor,
        rotation: normalized(bone.rotation.conjugate().compose(f)),
    };
    let frames = [local(a, link.frame_a.position, fa), local(b, link.frame_b.position, fb)];
    let strain = |between: Quat<f64>| arc_strain(normalized(between)).beta;
    let now = strain(fa.conjugate().compose(fb));
    let bind = |i: usize, f: Transform<f64>| r.bind_world[region.chain[i] as usize].rotation.compose(f.rotation);
    let bound = strain(bind(0, frames[0]).conjugate().compose(bind(last, frames[1])));
    let rest = match desc.rest {
        RegionRest::Pose => now,
        RegionRest::Bind => bound,
    };
    let kept = Kept { frames, length, between: a.rotation.conjugate().compose(b.rotation) };
    let way = |i: usize| (at(i).position - at(i - 1).position).length();
    let whole = (1..=last).fold(0.0, |sum, i| sum + way(i)).max(1e-300);
    let curve = Curve::new(a.compose(frames[0]), b.compose(frames[1]), length);
    let mut done = 0.0;
    let mut bones = Vec::with_capacity(last);
    for i in 1..last {
        done += way(i);
        let (s, middle) = (done / whole, (done + 0.5 * way(i + 1)) / whole);
        plan.share[region.first_inner + i - 1] = [s, middle];
        let frame = Transform { position: curve.point(s), rotation: curve.frame(middle) };
        bones.push(match desc.read_back {
            RegionReadBack::Arc => frame.seen(at(i)),
            _ => Transform {
                position: at(i - 1).point_back(at(i).position),
                rotation: a.rotation.conjugate().compose(at(i).rotation),
            },
        });
    }
    plan.kept[region.chain[last] as usize].position = at(last - 1).point_back(b.position);
    for (k, bone) in bones.into_iter().enumerate() {
        plan.kept[region.chain[k + 1] as usize] = bone;
    }
    plan.arcs[link.region as usize] = kept;
    let mut kind = link.kind.clone();
    if let JointKind::Arc(arc) = &mut kind {
        arc.length = length;
        arc.rest = rest.to_array().map(|x| x.clamp(-PI, PI));
        if let Some(l) = &mut arc.limits {
            // The frames have no twist between them now, whatever the pose: limits count from the bind pose.
            let [low, high] = l.twist;
            // A whole turn would be none.
            let turned = |v: f64| (v + bound.z).clamp(1e-3 - PI, PI - 1e-3);
            l.twist = [if low > -PI { turned(low) } else { low }, if high < PI { turned(high) } else { high }];
            *l = if fit_to.limits { opened(*l, now) } else { *l };
        }
    }
    Ok(JointDesc {
        a: None,
        b: Id::default(),
        frame_a: pose(frames[0]),
        frame_b: pose(frames[1]),
        kind,
        motor: link.motor,
        collide: link.collide,
    })
}
