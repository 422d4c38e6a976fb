//! A description, checked and compiled: parents first, regions merged, masses known.

use super::desc::*;
use super::{pose, transform};
use crate::collide::narrow::MassProperties;
use crate::desc::validate;
use crate::math::vec3::vec3;
use crate::math::{Transform, Vec3};
use crate::world::{ArcDesc, BodyDesc, BodyMotion, Error, JointDesc, JointKind, MotorDesc, Result, check_joint, weigh_body};

/// Most bones of a ragdoll.
const MOST_BONES: usize = 1 << 16;
pub(super) const NONE: u32 = u32::MAX;
/// Of the angle between a region's axis and its arc.
const LEAST_SINE: f64 = 0.01;

/// A ragdoll that instances are made of. Indices of bodies and regions are those of the description.
#[derive(Clone, Debug)]
pub struct Ragdoll {
    pub(super) desc: RagdollDesc,
    /// Bones, parents first.
    pub(super) order: Vec<u32>,
    /// Of each bone; `NONE`: a root.
    pub(super) parent: Vec<u32>,
    pub(super) bind_world: Vec<Transform<f64>>,
    /// Bodies that are made, those of parents first.
    pub(super) parts: Vec<Part>,
    /// By body of the description; `NONE`: inside of a region.
    pub(super) part_of: Vec<u32>,
    pub(super) links: Vec<Link>,
    pub(super) regions: Vec<Region>,
    /// Of each bone.
    pub(super) roles: Vec<Role>,
    /// Pairs of parts.
    pub(super) apart: Vec<[u32; 2]>,
    /// Bones inside of regions.
    pub(super) inner: usize,
}

/// A body that is made.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub source: u32,
    pub bone: u32,
    pub body: BodyDesc,
    pub center: Vec3<f64>,
    pub kinematic: bool,
    /// The link to the part above; `NONE`: there is none.
    pub link: u32,
}

/// What joins a part to the one above.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub a: u32,
    pub b: u32,
    /// `NONE`: a joint.
    pub region: u32,
    /// In the bones.
    pub frame_a: Transform<f64>,
    pub frame_b: Transform<f64>,
    pub kind: JointKind,
    pub motor: Option<MotorDesc>,
    pub collide: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Parts at the ends.
    pub a: u32,
    pub b: u32,
    /// b₀ … bₙ
    pub chain: Vec<u32>,
    /// Number of its first inner bone among those of all regions.
    pub first_inner: usize,
}

/// Where a bone's pose comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Part(u32),
    /// Bone bₖ of a region, 0 < k < n.
    Inner {
        region: u32,
        k: u32,
    },
    Free,
}

fn within<T>(place: impl FnOnce() -> String, r: Result<T>) -> Result<T> {
    r.map_err(|e| Error::new(e.kind, format!("{}{}", place(), e.message)))
}

fn index(field: &str, value: u32, count: usize, what: &str) -> Result<()> {
    if (value as usize) < count { Ok(()) } else { Err(Error::invalid(format!("{field} is {value}, there are {count} {what}"))) }
}

impl Ragdoll {
    /// # Errors
    /// Names field, index and value: a count or index out of range, bones whose parents lead round in a circle, two bodies on one bone, a
    /// body or joint that the world would refuse, a region that is no chain or shares bones with another.
    pub fn new(desc: &RagdollDesc) -> Result<Ragdoll> {
        let mut desc = desc.clone();
        let (order, parent) = tree(&desc.bones)?;
        for (i, bone) in desc.bones.iter_mut().enumerate() {
            bone.bind = within(|| format!("bones[{i}]."), validate::pose("bind", None, bone.bind))?;
        }
        let bind: Vec<_> = desc.bones.iter().map(|b| transform(b.bind)).collect();
        let mut bind_world = bind.clone();
        for &b in &order {
            if let Some(p) = bind_world.get(parent[b as usize] as usize).copied() {
                bind_world[b as usize] = p.compose(bind[b as usize]);
                let at = bind_world[b as usize].position.to_array();
                within(|| "in the world, bind ".into(), validate::vector("positions", Some(b as usize), at))?;
            }
        }
        let on = bodies_on(&desc)?;
        for (i, b) in desc.bodies.iter_mut().enumerate() {
            if let Some(j) = &mut b.joint {
                within(|| format!("bodies[{i}].joint."), check(j))?;
            }
        }
        let mut r = Ragdoll {
            order,
            parent,
            bind_world,
            parts: Vec::new(),
            part_of: vec![NONE; desc.bodies.len()],
            links: Vec::new(),
            regions: Vec::new(),
            roles: vec![Role::Free; desc.bones.len()],
            apart: Vec::new(),
            inner: 0,
            desc,
        };
        r.find_chains()?;
        r.make_parts(&on)?;
        r.make_links(&on)?;
        for (i, &[a, b]) in r.desc.apart.iter().enumerate() {
            for (k, body) in [a, b].into_iter().enumerate() {
                index(&format!("apart[{i}][{k}]"), body, r.desc.bodies.len(), "bodies")?;
            }
            // What is inside of a region counts as the end that has its shapes.
            let pair = [a, b].map(|body| r.holder(r.desc.bodies[body as usize].bone));
            if let [Some(i), Some(j)] = pair
                && i != j
            {
                r.apart.push([i, j]);
            }
            if a == b {
                return Err(Error::invalid(format!("apart[{i}] is [{a}, {a}], must be two bodies")));
            }
        }
        Ok(r)
    }

    /// As it was given, rotations normalised.
    pub fn desc(&self) -> &RagdollDesc {
        &self.desc
    }
    pub fn bones(&self) -> usize {
        self.parent.len()
    }
    /// The bind pose in the world, a bone each.
    pub fn bind_pose(&self) -> &[Transform<f64>] {
        &self.bind_world
    }
    /// Whether a body of the description is made: those inside of regions are not.
    pub fn has_body(&self, body: u32) -> bool {
        self.part_of.get(body as usize).is_some_and(|&p| p != NONE)
    }
    /// Whether a body of the description has a joint or an arc above it.
    pub fn has_joint(&self, body: u32) -> bool {
        self.part_of.get(body as usize).and_then(|&p| self.parts.get(p as usize)).is_some_and(|p| p.link != NONE)
    }
    /// Bodies that an instance has.
    pub fn body_count(&self) -> usize {
        self.parts.len()
    }
    /// Joints and arcs that an instance has.
    pub fn joint_count(&self) -> usize {
        self.links.len()
    }
    /// Takes poses relative to the parents to poses in the world.
    ///
    /// # Panics
    /// Where a slice is shorter than the bones.
    pub fn world_poses(&self, local: &[Transform<f64>], root: Transform<f64>, out: &mut [Transform<f64>]) {
        for &b in &self.order {
            let b = b as usize;
            let p = out.get(self.parent[b] as usize).copied().unwrap_or(root);
            out[b] = p.compose(local[b]);
        }
    }
    /// And back.
    ///
    /// # Panics
    /// Where a slice is shorter than the bones.
    pub fn local_poses(&self, world: &[Transform<f64>], root: Transform<f64>, out: &mut [Transform<f64>]) {
        for b in 0..self.bones() {
            out[b] = world.get(self.parent[b] as usize).copied().unwrap_or(root).seen(world[b]);
        }
    }

    /// The chains of the regions; marks what is inside.
    fn find_chains(&mut self) -> Result<()> {
        let (bodies, n) = (&self.desc.bodies, self.desc.bones.len());
        let mut last_of = vec![NONE; bodies.len()];
        for (i, region) in self.desc.regions.iter().enumerate() {
            index(&format!("regions[{i}].first"), region.first, bodies.len(), "bodies")?;
            index(&format!("regions[{i}].last"), region.last, bodies.len(), "bodies")?;
            within(|| format!("regions[{i}]."), check_region(region))?;
            let (first, last) = (bodies[region.first as usize].bone, bodies[region.last as usize].bone);
            let mut chain = vec![last];
            let mut bone = last;
            while bone != first && self.parent[bone as usize] != NONE && chain.len() <= n {
                bone = self.parent[bone as usize];
                chain.push(bone);
            }
            if bone != first || first == last {
                return Err(Error::invalid(format!(
                    "regions[{i}] is no chain: the bone {last} of its last body {} is not below the bone {first} of its first, {}",
                    region.last, region.first
                )));
            }
            chain.reverse();
            if last_of[region.last as usize] != NONE {
                let other = last_of[region.last as usize];
                return Err(Error::invalid(format!(
                    "regions[{i}].last is {}, which is the last of regions[{other}] as well",
                    region.last
                )));
            }
            last_of[region.last as usize] = i as u32;
            for (k, &b) in chain.iter().enumerate().take(chain.len() - 1).skip(1) {
                if let Role::Inner { region: other, .. } = self.roles[b as usize] {
                    return Err(Error::invalid(format!("regions[{i}] has bone {b} inside, which is inside of regions[{other}]")));
                }
                self.roles[b as usize] = Role::Inner { region: i as u32, k: k as u32 };
            }
            let first_inner = self.inner;
            self.inner += chain.len() - 2;
            self.regions.push(Region { a: NONE, b: NONE, chain, first_inner });
        }
        for (i, r) in self.regions.iter().enumerate() {
            for (end, body) in [("first", self.desc.regions[i].first), ("last", self.desc.regions[i].last)] {
                let bone = if end == "first" { r.chain[0] } else { r.chain[r.chain.len() - 1] };
                if let Role::Inner { region, .. } = self.roles[bone as usize] {
                    return Err(Error::invalid(format!("regions[{i}].{end} is {body}, which is inside of regions[{region}]")));
                }
            }
        }
        Ok(())
    }

    /// The bone at the end of its region that an inner bone is nearer to, in the bind pose.
    fn nearer_end(&self, region: u32, k: u32) -> u32 {
        let chain = &self.regions[region as usize].chain;
        let at = |i: usize| self.bind_world[chain[i] as usize].position;
        let way = |to: usize| (1..=to).fold(0.0, |sum, i| sum + (at(i) - at(i - 1)).length());
        let last = chain.len() - 1;
        if way(k as usize) <= 0.5 * way(last) { chain[0] } else { chain[last] }
    }

    fn make_parts(&mut self, on: &[u32]) -> Result<()> {
        // What goes to each bone with a body, in the order of the bones.
        let mut given: Vec<Vec<u32>> = vec![Vec::new(); self.bones()];
        for &b in &self.order {
            if let (Role::Inner { region, k }, true) = (self.roles[b as usize], on[b as usize] != NONE) {
                given[self.nearer_end(region, k) as usize].push(b);
            }
        }
        for o in 0..self.order.len() {
            let bone = self.order[o];
            let source = on[bone as usize];
            if source == NONE || self.roles[bone as usize] != Role::Free {
                continue;
            }
            let own = &self.desc.bodies[source as usize].body;
            let kinematic = own.motion == BodyMotion::Kinematic;
            let (mut body, mut mass) = weigh(source, own)?;
            if !given[bone as usize].is_empty() {
                let mut all = vec![mass];
                for &inner in &given[bone as usize] {
                    let source = on[inner as usize];
                    let (other, m) = weigh(source, &self.desc.bodies[source as usize].body)?;
                    let place = self.bind_world[bone as usize].seen(self.bind_world[inner as usize]);
                    all.push(m.moved(&place));
                    for mut s in other.shapes {
                        s.pose = pose(place.compose(transform(s.pose)));
                        body.shapes.push(s);
                    }
                }
                mass = MassProperties::combined(&all).unwrap_or(mass);
                let i = mass.inertia;
                body.mass = mass.mass;
                body.inertia = Some((mass.center.to_array(), [i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]]));
                let named = || format!("bodies[{source}], with what regions give it: ");
                (body, mass) = within(named, weigh_body(&body))?;
            }
            self.part_of[source as usize] = self.parts.len() as u32;
            self.roles[bone as usize] = Role::Part(self.parts.len() as u32);
            self.parts.push(Part { source, bone, body, center: mass.center, kinematic, link: NONE });
        }
        Ok(())
    }

    /// The part that holds a bone: on it, on the nearest bone above that has one, or at the nearer end of the region that it is inside of.
    fn holder(&self, bone: u32) -> Option<u32> {
        let mut b = bone;
        // At most one step a bone.
        for _ in 0..=self.bones() {
            match *self.roles.get(b as usize)? {
                Role::Part(p) => return Some(p),
                Role::Inner { region, k } => match self.roles[self.nearer_end(region, k) as usize] {
                    Role::Part(p) => return Some(p),
                    _ => return None,
                },
                Role::Free => b = self.parent[b as usize],
            }
        }
        None
    }

    fn make_links(&mut self, on: &[u32]) -> Result<()> {
        let mut arc_above = vec![NONE; self.parts.len()];
        for (i, r) in self.desc.regions.iter().enumerate() {
            let (a, b) = (self.part_of[r.first as usize], self.part_of[r.last as usize]);
            (self.regions[i].a, self.regions[i].b) = (a, b);
            let [from, to] = [(a, r.anchors[0]), (b, r.anchors[1])]
                .map(|(part, x)| self.bind_world[self.parts[part as usize].bone as usize].point(x.into()));
            let turn = self.bind_world[self.parts[a as usize].bone as usize].rotation;
            let axis = turn.rotate(r.axis.into()).normalized_or(vec3(1.0, 0.0, 0.0));
            if axis.cross((to - from).normalized_or(Vec3::zero())).length() < LEAST_SINE && (to - from).length() > 0.0 {
                return Err(Error::invalid(format!(
                    "regions[{i}].axis is {:?}, along the arc in the bind pose: it bends about it",
                    r.axis
                )));
            }
            arc_above[b as usize] = i as u32;
        }
        for b in 0..self.parts.len() as u32 {
            let part = &self.parts[b as usize];
            let link = if arc_above[b as usize] != NONE {
                let region = arc_above[b as usize];
                let d = &self.desc.regions[region as usize];
                let [frame_a, frame_b] = d.anchors.map(|x| Transform { position: x.into(), ..Transform::identity() });
                let kind = JointKind::Arc(arc_of(d));
                Link { a: self.regions[region as usize].a, b, region, frame_a, frame_b, kind, motor: None, collide: d.collide }
            } else {
                let Some(j) = &self.desc.bodies[part.source as usize].joint else { continue };
                let above = self.parent[part.bone as usize];
                let Some(a) = self.holder(above) else {
                    return Err(Error::invalid(format!(
                        "bodies[{}].joint joins it to nothing: no bone above has a body",
                        part.source
                    )));
                };
                let frame_b = transform(j.frame);
                let to = self.bind_world[self.parts[a as usize].bone as usize];
                // The parent of the description may be inside of a region: its frame goes along in the bind pose.
                let mut parent = above;
                while parent != NONE && on[parent as usize] == NONE {
                    parent = self.parent[parent as usize];
                }
                let frame_a = match (j.parent_frame, self.bind_world.get(parent as usize)) {
                    (Some(f), Some(from)) => to.seen(from.compose(transform(f))),
                    _ => to.seen(self.bind_world[part.bone as usize].compose(frame_b)),
                };
                Link { a, b, region: NONE, frame_a, frame_b, kind: j.kind.clone(), motor: j.motor, collide: j.collide }
            };
            self.parts[b as usize].link = self.links.len() as u32;
            self.links.push(link);
        }
        Ok(())
    }
}

/// Bones, parents first, and the parent of each.
fn tree(bones: &[BoneDesc]) -> Result<(Vec<u32>, Vec<u32>)> {
    let n = bones.len();
    if n == 0 {
        return Err(Error::invalid("there are no bones, a ragdoll needs one"));
    }
    if n > MOST_BONES {
        return Err(Error::invalid(format!("bones: {n} of them, must be at most {MOST_BONES}")));
    }
    let mut parent = vec![NONE; n];
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut order = Vec::with_capacity(n);
    for (i, b) in bones.iter().enumerate() {
        match b.parent {
            Some(p) => {
                index(&format!("parents[{i}]"), p, n, "bones")?;
                parent[i] = p;
                children[p as usize].push(i as u32);
            }
            None => order.push(i as u32),
        }
    }
    let mut at = 0;
    while at < order.len() {
        let b = order[at];
        order.extend_from_slice(&children[b as usize]);
        at += 1;
    }
    if order.len() < n {
        let mut reached = vec![false; n];
        order.iter().for_each(|&b| reached[b as usize] = true);
        // Up from any bone that was not reached, n steps: into the circle itself.
        let mut b = reached.iter().position(|r| !r).unwrap_or(0);
        for _ in 0..n {
            b = parent[b] as usize;
        }
        return Err(Error::invalid(format!("parents[{b}] is {}, which leads round in a circle", parent[b])));
    }
    Ok((order, parent))
}

/// The body on each bone.
fn bodies_on(desc: &RagdollDesc) -> Result<Vec<u32>> {
    let n = desc.bones.len();
    if desc.bodies.is_empty() {
        return Err(Error::invalid("there are no bodies, a ragdoll needs one"));
    }
    let mut on = vec![NONE; n];
    for (i, b) in desc.bodies.iter().enumerate() {
        index(&format!("bodies[{i}].bone"), b.bone, n, "bones")?;
        let there = &mut on[b.bone as usize];
        if *there != NONE {
            return Err(Error::invalid(format!("bodies[{i}].bone is {}, on which bodies[{there}] is already", b.bone)));
        }
        *there = i as u32;
        if b.body.motion == BodyMotion::Static {
            return Err(Error::invalid(format!("bodies[{i}].motion is static: bodies of ragdolls are dynamic or kinematic")));
        }
    }
    Ok(on)
}

/// The body as a dynamic one, and what it weighs.
fn weigh(i: u32, body: &BodyDesc) -> Result<(BodyDesc, MassProperties)> {
    let body = BodyDesc { motion: BodyMotion::Dynamic, pose: crate::world::Pose::IDENTITY, ..body.clone() };
    within(|| format!("bodies[{i}]: "), weigh_body(&body))
}

fn check(j: &mut RagdollJoint) -> Result<()> {
    if matches!(j.kind, JointKind::Arc(_)) {
        return Err(Error::invalid("kind is an arc: arcs are given as regions"));
    }
    if let Some(f) = &mut j.parent_frame {
        *f = validate::pose("parent_frame", None, *f)?;
    }
    j.frame = validate::pose("frame", None, j.frame)?;
    j.motor = check_joint(&JointDesc {
        a: None,
        b: Default::default(),
        frame_a: j.frame,
        frame_b: j.frame,
        kind: j.kind.clone(),
        motor: j.motor,
        collide: j.collide,
    })?
    .motor;
    Ok(())
}

/// A region's arc before it is fitted to a pose: length and natural strains are those of the transition.
fn arc_of(r: &RegionDesc) -> ArcDesc {
    ArcDesc {
        length: 0.0,
        bend: r.bend,
        twist: r.twist,
        viscosity: r.viscosity,
        rest: [0.0; 3],
        relaxation: r.relaxation,
        limits: r.limits,
    }
}

fn check_region(r: &RegionDesc) -> Result<()> {
    validate::vector("anchors", Some(0), r.anchors[0])?;
    validate::vector("anchors", Some(1), r.anchors[1])?;
    validate::vector("axis", None, r.axis)?;
    if Vec3::from(r.axis).length() < 1e-9 {
        return Err(Error::invalid(format!("axis is {:?}, which has no direction", r.axis)));
    }
    if let Some(l) = r.length {
        validate::within("length", l, validate::REST_LENGTH)?;
    }
    check_joint(&JointDesc {
        a: None,
        b: Default::default(),
        frame_a: crate::world::Pose::IDENTITY,
        frame_b: crate::world::Pose::IDENTITY,
        kind: JointKind::Arc(arc_of(r)),
        motor: None,
        collide: r.collide,
    })?;
    Ok(())
}
