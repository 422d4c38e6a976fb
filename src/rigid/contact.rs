//! Contacts between bodies: found once a step, kept from step to step by the features that touch.

#[path = "contact_meet.rs"]
mod meet;
#[path = "contact_rows.rs"]
mod rows;

pub(crate) use rows::ContactRows;

use super::placed;
use crate::bodies::drive::{Kind, Record};
use crate::bodies::elements::Anchors;
use crate::bodies::graph::Role;
use crate::collide::broad::{Broad, Entry, numbers};
use crate::collide::narrow::capsule::MOST_PAIRS;
use crate::collide::narrow::{Capsule, Core, Geometry, Manifold, far, manifold, mesh_manifolds};
use crate::math::cpu::fetch;
use crate::math::{Elem, Transform, Vec3};
use crate::tasks::{Each, Inline, TaskRunner};

/// A shape as collision sees it.
#[derive(Clone, Debug)]
pub(crate) struct Proxy<E> {
    pub geometry: Geometry<E>,
    /// Of the shape, in the principal axes of its body; and whether that is where these are.
    pub local: Transform<E>,
    pub centred: bool,
    /// Solver index.
    pub body: u32,
    pub friction: E,
    pub restitution: E,
    /// N/m, 0: does not yield; and N s/m.
    pub spring: [E; 2],
    /// Coefficients against rolling and turning in place.
    pub rolling: [E; 2],
    /// The same as long as the shape lives.
    pub name: u64,
    /// How far a box around it may be off, m.
    pub inner: E,
    /// How far the surface is from the body's centre of mass at most, m.
    pub outer: f64,
    /// Around it, in the principal axes of its body.
    pub capsule: Capsule<E>,
}

impl<E: Elem> Proxy<E> {
    /// The pose of the shape, of that of its body.
    #[inline(always)]
    pub fn pose(&self, body: &Transform<E>) -> Transform<E> {
        if self.centred { *body } else { body.compose(self.local) }
    }
    /// A point of the shape in the axes of its body.
    #[inline(always)]
    fn point(&self, p: Vec3<E>) -> Vec3<E> {
        if self.centred { p } else { self.local.point(p) }
    }
    /// The largest n·x of the shape, its body at `body`; `None` without an end.
    pub fn reach(&self, body: &Transform<E>, n: Vec3<E>) -> Option<E> {
        let at = self.pose(body);
        self.geometry.reach(at.rotation.conjugate().rotate(n)).map(|r| r + n.dot(at.position))
    }
}

/// A manifold in the making of a step. Empty where `count` is 0.
#[derive(Clone, Copy, Debug)]
pub struct Contact<E> {
    pub a: u32,
    pub b: u32,
    pub count: u32,
    /// From a to b, world axes.
    pub normal: Vec3<E>,
    pub friction: E,
    pub restitution: E,
    pub spring: [E; 2],
    /// Penetration that is left alone, m.
    pub slop: E,
    /// See `ContactParams`.
    pub share: E,
    pub curved: E,
    pub axis: Vec3<E>,
    /// The cores of both surfaces, from the centres of mass in principal axes, and the radii around them, m.
    pub points: [Anchors<E>; 4],
    pub radii: [[E; 2]; 4],
    /// Largest torques against rolling and turning in place over the pressure, m.
    pub levers: [E; 2],
    pub features: [u32; 4],
    /// m
    pub separation: [E; 4],
    /// N s, of the last substep.
    pub impulse: [E; 4],
    pub largest: [E; 4],
    pub approach: [E; 4],
    pub slide: Vec3<E>,
    pub tangent: Vec3<E>,
    /// Against rolling and turning in place, N m s.
    pub roll: Vec3<E>,
    pub cache: u64,
}

/// Friction of a manifold in the last substep.
pub(crate) struct Rub {
    /// N s, in the middle of the points.
    pub push: Vec3<f64>,
    /// N m s
    pub turn: Vec3<f64>,
    /// Along the normal, of all points, N s.
    press: f64,
}

impl Rub {
    /// The part of it that a point has which presses so.
    pub fn share(&self, impulse: f64) -> f64 {
        if self.press > 0.0 { impulse / self.press } else { 0.0 }
    }
}

impl<E: Elem> Contact<E> {
    pub fn empty() -> Self {
        let (zero, none) = (E::zero(), Vec3::zero());
        Contact {
            a: 0,
            b: 0,
            count: 0,
            normal: none,
            friction: zero,
            restitution: zero,
            spring: [zero; 2],
            slop: zero,
            share: E::constant(0.5),
            curved: zero,
            axis: none,
            radii: [[zero; 2]; 4],
            levers: [zero; 2],
            points: [Anchors { a: none, b: none }; 4],
            features: [0; 4],
            separation: [zero; 4],
            impulse: [zero; 4],
            largest: [zero; 4],
            approach: [zero; 4],
            slide: none,
            tangent: none,
            roll: none,
            cache: 0,
        }
    }

    /// Where point `k` is on either surface, the bodies at `a` and `b`.
    pub fn surfaces<T: Elem>(&self, k: usize, a: &Transform<T>, b: &Transform<T>) -> [Vec3<T>; 2] {
        let to = |v: Vec3<E>| v.map(|x| T::from_f64(x.to_f64()));
        let (n, r) = (to(self.normal), self.radii[k].map(|r| T::from_f64(r.to_f64())));
        [a.point(to(self.points[k].a)) + n * r[0], b.point(to(self.points[k].b)) - n * r[1]]
    }

    /// What friction gives body b.
    pub fn rub(&self) -> Rub {
        let to = |v: Vec3<E>| v.map(|x| x.to_f64());
        let (n, t, slide, roll) = (to(self.normal), to(self.tangent), to(self.slide), to(self.roll));
        let u = n.cross(t);
        let press = self.impulse[..self.count as usize].iter().fold(0.0, |sum, p| sum + p.to_f64());
        let roll = if self.kind() == Kind::Rolling { roll } else { Vec3::zero() };
        Rub { push: t * slide.x + u * slide.y, turn: n * (slide.z + roll.z) + t * roll.x + u * roll.y, press }
    }

    pub fn kind(&self) -> Kind {
        if self.levers != [E::zero(); 2] {
            return Kind::Rolling;
        }
        match self.count {
            1 => Kind::Contact1,
            2 => Kind::Contact2,
            _ => Kind::Contact4,
        }
    }
}

/// Penetration that is left alone: at most, m; of the smaller inner radius of two bodies, which rest in heaps by it; and of the inner radius of one on what
/// stands, which rolls.
const SLOP: [f64; 3] = [0.002, 0.1, 0.01];

/// Planes and meshes have no inner radius. `stands`: one does not move.
fn slop<E: Elem>(a: E, b: E, stands: bool) -> E {
    let endless = |r: E| if E::zero() < r { r } else { E::from_f64(f64::INFINITY) };
    let [most, between, on_ground] = SLOP.map(E::from_f64);
    most.min(endless(a).min(endless(b)) * if stands { on_ground } else { between })
}

/// Manifolds that one pair with a mesh may have.
const MESH_SLOTS: u32 = 8;
/// Pairs of one task, and how many ahead memory is asked for where there are many.
const PART: usize = MOST_PAIRS;
const AHEAD: usize = 3;
const MANY: usize = 4096;
/// Fewer pairs are not merged by several.
const FEW: usize = 1024;
/// A point of the step before stays if the normal has turned by less than this (a cosine), if it is this deep still, m, if its places on both
/// surfaces have slid apart by less, m, and if it is as far from the new points, m.
const KEEP_TURN: f64 = 0.9;
const KEEP_DEEP: f64 = -0.004;
const KEEP_ASTRAY: f64 = 0.03;
const KEEP_APART: f64 = 0.01;
/// Manifolds that a mesh finds, at most.
const MOST_FOUND: usize = 32;

/// A pair of boxes that overlap, and where its contacts are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pair {
    pub proxies: (u32, u32),
    pub slot: u32,
    pub slots: u32,
    /// What it had in the last step.
    old: u32,
    old_slots: u32,
}

/// Pairs of one range of first proxies.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// Where they are in `merged`, with slots counted from the part's own.
    at: u32,
    pairs: u32,
    slots: u32,
    /// Among those of all parts.
    first_pair: u32,
    first_slot: u32,
    /// One of them, asleep, is of bodies that are apart by now.
    stale: bool,
}

/// A contact that is not empty: its slot, its bodies, and what the solver takes it for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub slot: u32,
    pub a: u32,
    pub b: u32,
    pub kind: Kind,
}

impl Default for Link {
    fn default() -> Self {
        Link { slot: 0, a: 0, b: 0, kind: Kind::Contact1 }
    }
}

/// What one task has found: links, from `first` on, and how many of them touch.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    first: u32,
    links: u32,
    touching: u32,
}

#[derive(Debug)]
pub(crate) struct Contacts<E> {
    pub broad: Broad,
    pairs: Vec<Pair>,
    last: Vec<Pair>,
    /// This step's pairs in the making, and the parts that they are in.
    merged: Vec<Pair>,
    parts: Vec<Part>,
    /// As many as contacts; in use are those that the tallies name.
    links: Vec<Link>,
    tallies: Vec<Tally>,
    pub all: Vec<Contact<E>>,
    before: Vec<Contact<E>>,
    /// Pairs of bodies that joints keep from colliding, lesser first, sorted; and where those of each body begin.
    pub apart: Vec<(u32, u32)>,
    apart_from: Vec<u32>,
    /// None of the last step's pairs is among them.
    apart_known: bool,
    pub seconds_pairs: f64,
    /// Scratch memory of each task.
    found: Vec<Vec<Manifold<E>>>,
}

impl<E: Elem> Default for Contacts<E> {
    fn default() -> Self {
        Contacts {
            broad: Broad::default(),
            pairs: Vec::new(),
            last: Vec::new(),
            merged: Vec::new(),
            parts: Vec::new(),
            links: Vec::new(),
            tallies: Vec::new(),
            all: Vec::new(),
            before: Vec::new(),
            apart: Vec::new(),
            apart_from: Vec::new(),
            apart_known: false,
            seconds_pairs: 0.0,
            found: Vec::new(),
        }
    }
}

/// Where bodies are and how fast, for the search.
pub(crate) struct Scene<'a, E> {
    pub proxies: &'a [Proxy<E>],
    pub entries: &'a [Entry<E>],
    /// What is around each shape there, and half of what is near.
    pub capsules: &'a [Record<E>],
    /// Poses of the bodies to look from.
    pub poses: &'a [Record<E>],
    /// How far its surface may come in the step, m.
    pub way: &'a [E],
    /// Which bodies the host moves, and what each is.
    pub moves: &'a [bool],
    pub roles: &'a [Role],
    /// Of the bodies, and how long the step is, s.
    pub velocity: &'a [Record<E>],
    pub dt: E,
    /// Speculative distance, m.
    pub reach: E,
    /// Whether a shape is a mesh.
    pub meshes: bool,
}

impl<E: Elem> Scene<'_, E> {
    /// How near two shapes have to be for a contact, m.
    fn reach(&self, a: &Proxy<E>, b: &Proxy<E>) -> E {
        self.reach + self.way_of(a, b).min(Self::slow(a, b))
    }
    fn stands(&self, body: u32) -> bool {
        self.roles[body as usize] != Role::Dynamic
    }
    pub(crate) fn way_of(&self, a: &Proxy<E>, b: &Proxy<E>) -> E {
        self.way[a.body as usize] + self.way[b.body as usize]
    }
    /// What goes less far could not pass through the other.
    pub(crate) fn slow(a: &Proxy<E>, b: &Proxy<E>) -> E {
        (a.inner + b.inner) * E::from_f64(0.5)
    }

    /// Says that a pair is soon looked at: of one that is `far` only what it had.
    fn fetch(&self, pair: &Pair, before: &[Contact<E>], far: bool) {
        for i in [pair.proxies.0, pair.proxies.1].into_iter().filter(|_| !far) {
            let proxy = &self.proxies[i as usize];
            fetch(proxy);
            fetch(&self.poses[self.entries[i as usize].filter.body as usize]);
        }
        if pair.old_slots > 0 {
            fetch(&before[pair.old as usize]);
        }
    }
}

impl<E: Elem> Contacts<E> {
    /// After shapes were added or removed: `new_number[old]`, or `u32::MAX`.
    pub fn renumber(&mut self, new_number: &[u32], proxies: &[Proxy<E>]) {
        self.apart_known = false;
        for p in &mut self.pairs {
            let (a, b) = p.proxies;
            let of = |i: u32| new_number.get(i as usize).copied().unwrap_or(u32::MAX);
            p.proxies = (of(a).min(of(b)), of(a).max(of(b)));
            let gone = p.proxies.1 == u32::MAX;
            for c in &mut self.all[p.slot as usize..][..p.slots as usize] {
                if gone {
                    c.count = 0;
                } else {
                    let (i, j) = by_order(proxies, p.proxies.0, p.proxies.1);
                    (c.a, c.b) = (proxies[i as usize].body, proxies[j as usize].body);
                }
            }
        }
        self.pairs.retain(|p| p.proxies.1 != u32::MAX);
        self.pairs.sort_unstable_by_key(|p| p.proxies);
    }

    /// Whether a joint, or the host, lets two bodies pass through each other.
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        Apart { pairs: &self.apart, from: &self.apart_from }.has(a, b)
    }

    /// After `apart` was filled.
    pub fn index_apart(&mut self) {
        self.apart_known = false;
        self.apart.sort_unstable();
        self.apart.dedup();
        self.apart_from.clear();
        for (k, p) in self.apart.iter().enumerate() {
            let body = p.0 as usize;
            if self.apart_from.len() <= body {
                self.apart_from.resize(body + 1, u32::MAX);
            }
            if self.apart_from[body] == u32::MAX {
                self.apart_from[body] = k as u32;
            }
        }
    }

    /// All contacts of the step.
    pub fn find(&mut self, scene: &Scene<'_, E>, runner: &dyn TaskRunner) {
        let begin = std::time::Instant::now();
        self.broad.find(scene.entries, runner);
        core::mem::swap(&mut self.pairs, &mut self.last);
        core::mem::swap(&mut self.all, &mut self.before);
        self.merge(scene, runner);
        self.seconds_pairs = begin.elapsed().as_secs_f64();
        let (pairs, slots) = self.parts.iter().fold((0, 0), |(p, s), part| (p + part.pairs, s + part.slots));
        // What was there before is written over.
        self.pairs.resize(pairs as usize, Pair::default());
        self.all.resize(slots as usize, Contact::empty());
        self.links.resize(slots as usize, Link::default());
        // The next step writes to the other lists.
        self.last.reserve((pairs as usize).saturating_sub(self.last.len()));
        self.before.reserve((slots as usize).saturating_sub(self.before.len()));
        let tasks = self.pairs.len().div_ceil(PART);
        self.tallies.clear();
        self.tallies.resize(tasks, Tally::default());
        if self.found.len() < tasks {
            self.found.resize_with(tasks, Vec::new);
        }
        if slots > pairs {
            self.found.iter_mut().for_each(|f| f.reserve(MOST_FOUND.saturating_sub(f.len())));
        }
        let many = self.pairs.len() >= MANY;
        let (parts, merged, before) = (&self.parts, &self.merged, &self.before);
        let (count, to, all) = (self.pairs.len(), Each::new(&mut self.pairs), Each::new(&mut self.all));
        let (links, tallies, found) = (Each::new(&mut self.links), Each::new(&mut self.tallies), Each::new(&mut self.found));
        runner.run(tasks, &|k| {
            let span = k * PART..((k + 1) * PART).min(count);
            // SAFETY: each pair is in one task, and one tally and one list of scratch memory is for every task.
            let (pairs, tally, found) = unsafe { (to.span(span.clone()), tallies.at(k), found.at(k)) };
            take_merged(parts, merged, span.start, pairs);
            tally.first = pairs[0].slot;
            // Most pairs are only of boxes.
            let far = far(scene.capsules, pairs.iter().map(|p| p.proxies));
            for (n, pair) in pairs.iter().enumerate() {
                if let Some(next) = pairs.get(n + AHEAD).filter(|_| many) {
                    scene.fetch(next, before, far >> (n + AHEAD) & 1 == 1);
                }
                let slots = pair.slot as usize..(pair.slot + pair.slots) as usize;
                // SAFETY: every pair has slots of its own within `all`.
                let out = unsafe { all.span(slots) };
                let old = &before[pair.old as usize..][..pair.old_slots as usize];
                touch(scene, pair, far >> n & 1 == 1, old, out, found);
                for (c, slot) in out.iter().zip(pair.slot..).filter(|(c, _)| c.count > 0) {
                    // SAFETY: there are as many links as slots, and these are the task's.
                    unsafe { *links.at((tally.first + tally.links) as usize) = Link { slot, a: c.a, b: c.b, kind: c.kind() } };
                    tally.links += 1;
                    tally.touching += u32::from(c.separation[..c.count as usize].iter().any(|s| *s < E::zero()));
                }
            }
        });
    }

    /// This step's pairs, in order, with what they had before; and those of the last step whose bodies sleep: each range of the first
    /// proxies is one task's.
    fn merge(&mut self, scene: &Scene<'_, E>, runner: &dyn TaskRunner) {
        let (broad, last) = (&self.broad, &self.last);
        let most = broad.pairs.len() + last.len();
        if self.merged.len() < most {
            // Twice the larger, so that fewer pairs do not allocate later.
            self.merged.resize(2 * broad.pairs.len().max(last.len()), Pair::default());
        }
        self.parts.clear();
        self.parts.resize(broad.ranges(), Part::default());
        let runner: &dyn TaskRunner = if most < FEW { &Inline } else { runner };
        let (parts, merged) = (Each::new(&mut self.parts), Each::new(&mut self.merged));
        let apart = Apart { pairs: &self.apart, from: &self.apart_from };
        let known = self.apart_known;
        runner.run(broad.ranges(), &|r| {
            let (first, new) = broad.range(r);
            let old = |proxy: u32| last.partition_point(|p| p.proxies.0 < proxy);
            let old = old(first)..if r + 1 < broad.ranges() { old(broad.range(r + 1).0) } else { last.len() };
            let at = new.start + old.start;
            // SAFETY: a range's own pairs, new and old, are as many places for what comes of them.
            let (part, to) = unsafe { (parts.at(r), merged.span(at..new.end + old.end)) };
            let mut out = Merged { scene, to, part: Part { at: at as u32, ..Part::default() } };
            out.merge(&broad.pairs[new], &last[old], &apart, known);
            *part = out.part;
        });
        self.apart_known = self.parts.iter().all(|p| !p.stale);
        let (mut pair, mut slot) = (0, 0);
        for p in &mut self.parts {
            (p.first_pair, p.first_slot) = (pair, slot);
            (pair, slot) = (pair + p.pairs, slot + p.slots);
        }
    }

    /// What touches or nearly does, in order: slot, bodies and kind.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.tallies.iter().flat_map(|t| &self.links[t.first as usize..][..t.links as usize])
    }
    /// Contacts with a point that touches.
    pub fn touching(&self) -> u32 {
        self.tallies.iter().map(|t| t.touching).sum()
    }

    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub fn clear(&mut self) {
        self.apart_known = false;
        self.pairs.clear();
        self.all.clear();
    }

    /// One more pair of proxies, after the last, and its contacts.
    pub fn push(&mut self, proxies: &[Proxy<E>], i: u32, j: u32) -> &mut [Contact<E>] {
        let (slot, slots) = (self.all.len(), slots_of(proxies, i, j));
        self.pairs.push(Pair { proxies: (i, j), slot: slot as u32, slots, old: 0, old_slots: 0 });
        let (p, q) = by_order(proxies, i, j);
        let (a, b) = (proxies[p as usize].body, proxies[q as usize].body);
        self.all.resize(slot + slots as usize, Contact { a, b, ..Contact::empty() });
        &mut self.all[slot..]
    }

    pub fn reserve(&mut self, pairs: usize, contacts: usize) -> bool {
        let more = |have: usize, wanted: usize| wanted.saturating_sub(have);
        self.pairs.try_reserve(more(self.pairs.len(), pairs)).is_ok()
            && self.all.try_reserve(more(self.all.len(), contacts)).is_ok()
    }

    pub fn memory_bytes(&self) -> usize {
        (self.all.capacity() + self.before.capacity()) * size_of::<Contact<E>>()
            + self.broad.memory_bytes()
            + (self.pairs.capacity() + self.last.capacity() + self.merged.capacity()) * size_of::<Pair>()
            + self.links.capacity() * size_of::<Link>()
    }
}

/// Bodies that pass through each other.
struct Apart<'a> {
    /// Lesser first, sorted; and where those of each body begin.
    pairs: &'a [(u32, u32)],
    from: &'a [u32],
}

impl Apart<'_> {
    fn has(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        let from = self.from.get(a as usize).copied().unwrap_or(u32::MAX) as usize;
        self.pairs.iter().skip(from).take_while(|p| p.0 == a).any(|p| p.1 == b)
    }
}

/// Where the pairs of a range go, and how many there are.
struct Merged<'a, E> {
    scene: &'a Scene<'a, E>,
    to: &'a mut [Pair],
    part: Part,
}

impl<E: Elem> Merged<'_, E> {
    fn push(&mut self, proxies: (u32, u32), old: u32, old_slots: u32) {
        let slots = if self.scene.meshes { slots_of(self.scene.proxies, proxies.0, proxies.1) } else { 1 };
        self.to[self.part.pairs as usize] = Pair { proxies, slot: self.part.slots, slots, old, old_slots };
        self.part.pairs += 1;
        self.part.slots += slots;
    }

    /// Both lists are in order. `known`: none of the `last` pairs is `apart`.
    fn merge(&mut self, new: &[u64], last: &[Pair], apart: &Apart<'_>, known: bool) {
        let entries = self.scene.entries;
        let asleep = |p: &&Pair| !entries[p.proxies.0 as usize].active && !entries[p.proxies.1 as usize].active;
        let are_apart = |(i, j): (u32, u32)| apart.has(entries[i as usize].filter.body, entries[j as usize].filter.body);
        let mut last = last.iter().peekable();
        for proxies in new.iter().copied().map(numbers) {
            while let Some(l) = last.next_if(|l| l.proxies < proxies) {
                if asleep(&l) {
                    self.sleep(l, !known && are_apart(l.proxies));
                }
            }
            let old = last.next_if(|l| l.proxies == proxies);
            if (old.is_none() || !known) && are_apart(proxies) {
                continue;
            }
            let (old, old_slots) = old.map_or((0, 0), |l| (l.slot, l.slots));
            self.push(proxies, old, old_slots);
        }
        for l in last.filter(asleep) {
            self.sleep(l, !known && are_apart(l.proxies));
        }
    }

    /// A pair that stays as it was.
    fn sleep(&mut self, l: &Pair, stale: bool) {
        self.part.stale |= stale;
        self.push(l.proxies, l.slot, l.slots);
    }
}

/// The pairs of all ranges from the `first` on, with their slots among those of all.
fn take_merged(parts: &[Part], merged: &[Pair], first: usize, to: &mut [Pair]) {
    let mut r = parts.partition_point(|p| (p.first_pair + p.pairs) as usize <= first);
    let mut k = first - parts[r].first_pair as usize;
    for pair in to {
        while k >= parts[r].pairs as usize {
            (r, k) = (r + 1, 0);
        }
        let p = &parts[r];
        *pair = merged[p.at as usize + k];
        pair.slot += p.first_slot;
        k += 1;
    }
}

/// The contacts of one pair.
fn touch<E: Elem>(
    scene: &Scene<'_, E>,
    pair: &Pair,
    far: bool,
    old: &[Contact<E>],
    out: &mut [Contact<E>],
    found: &mut Vec<Manifold<E>>,
) {
    let (i, j) = pair.proxies;
    let entries = scene.entries;
    if !entries[i as usize].active && !entries[j as usize].active {
        out.iter_mut().skip(old.len()).for_each(|to| (to.count, to.cache) = (0, 0));
        for (to, from) in out.iter_mut().zip(old) {
            *to = *from;
            // Bodies may have other numbers now.
            let (p, q) = by_order(scene.proxies, i, j);
            (to.a, to.b) = (scene.proxies[p as usize].body, scene.proxies[q as usize].body);
        }
        return;
    }
    let mut cache = old.first().map_or(0, |c| c.cache);
    if far {
        out.iter_mut().for_each(|to| (to.count, to.cache) = (0, cache));
        return;
    }
    let (p, q) = by_order(scene.proxies, i, j);
    let (pa, pb) = (&scene.proxies[p as usize], &scene.proxies[q as usize]);
    let bodies = [pa, pb].map(|p| placed(&scene.poses[p.body as usize]));
    let [body_a, body_b] = scene.where_met([pa, pb], &bodies).unwrap_or(bodies);
    let (pose_a, pose_b) = (pa.pose(&body_a), pb.pose(&body_b));
    let b_in_a = pose_a.seen(pose_b);
    let reach = scene.reach(pa, pb);
    let mut one = Manifold::default();
    let manifolds: &[Manifold<E>] = if let Geometry::Mesh(mesh) = &pa.geometry {
        mesh_manifolds(mesh, &pb.geometry, &b_in_a, reach, found);
        // The deepest first; what has no slot is left out.
        sort(found);
        found
    } else {
        manifold(&pa.geometry, &pb.geometry, &b_in_a, reach, &mut cache, &mut one);
        core::slice::from_ref(&one)
    };
    let a_in_b = b_in_a.inverse();
    let spring = in_series(pa.spring, pb.spring);
    for (k, to) in out.iter_mut().enumerate() {
        (to.count, to.cache) = (0, cache);
        let Some(m) = manifolds.get(k).filter(|m| m.count > 0) else { continue };
        *to = Contact {
            a: pa.body,
            b: pb.body,
            count: m.count,
            normal: pose_a.rotation.rotate(m.normal),
            friction: (pa.friction * pb.friction).sqrt(),
            restitution: if E::zero() < spring[0] { E::zero() } else { pa.restitution.max(pb.restitution) },
            spring,
            slop: slop(pa.inner, pb.inner, scene.stands(pa.body) || scene.stands(pb.body)),
            cache,
            ..Contact::empty()
        };
        let normal_b = -a_in_b.rotation.rotate(m.normal);
        let mut cores = [Core::Endless; 2];
        for k in 0..m.count as usize {
            let point = &m.points[k];
            let off = m.normal * (point.separation * E::constant(0.5));
            let (on_a, on_b) = (point.position - off, a_in_b.point(point.position + off));
            let (ra, core_a) = pa.geometry.core_at(on_a, m.normal);
            let (rb, core_b) = pb.geometry.core_at(on_b, normal_b);
            cores = [cores[0].max(core_a), cores[1].max(core_b)];
            to.points[k] = Anchors { a: pa.point(on_a - m.normal * ra), b: pb.point(on_b - normal_b * rb) };
            to.radii[k] = [ra, rb];
            to.separation[k] = point.separation;
            to.features[k] = point.feature;
        }
        follow(to, [pa, pb], cores, [&pose_a, &pose_b]);
        if let Some(o) = remember(to, old)
            && pair.slots == 1
        {
            keep(to, o, &body_a, &body_b);
        }
        for k in to.count.max(1) as usize..4 {
            to.points[k] = to.points[to.count as usize - 1];
            to.radii[k] = to.radii[to.count as usize - 1];
            to.separation[k] = to.separation[to.count as usize - 1];
        }
    }
}

/// Cosine up to which two axes are one line.
const ONE_LINE: f64 = 0.99;

/// How a contact goes on within the step: who says where it is, how its normal turns, and what resists rolling.
fn follow<E: Elem>(to: &mut Contact<E>, shapes: [&Proxy<E>; 2], cores: [Core; 2], poses: [&Transform<E>; 2]) {
    let (zero, half, one) = (E::zero(), E::constant(0.5), E::one());
    // A capsule that lies on something touches it where its own ends are.
    let lies = |k: usize| to.count > 1 && cores[k] == Core::Line && cores[1 - k] <= Core::Flat;
    let says = [0, 1].map(|k| if lies(k) { Core::Point } else { cores[k] });
    // Of a line across an edge neither knows.
    let says = says.map(|c| if c == Core::Line { Core::Flat } else { c });
    to.share = match says[0].cmp(&says[1]) {
        core::cmp::Ordering::Less => one,
        core::cmp::Ordering::Equal => half,
        core::cmp::Ordering::Greater => zero,
    };
    let radius = to.radii[0];
    if zero < radius[0] && zero < radius[1] {
        // Cones lean on their axes: their normals are not across them.
        let leans = |k: usize| matches!(shapes[k].geometry, Geometry::TaperedCapsule { .. }) && cores[k] == Core::Line;
        let line = |k: usize| (cores[k] == Core::Line).then(|| poses[k].rotation.frame()[1]);
        let axis = match (line(0), line(1)) {
            (None, None) => Some(Vec3::zero()),
            (Some(u), None) | (None, Some(u)) => Some(u),
            (Some(u), Some(v)) => (u.dot(v).abs() > E::constant(ONE_LINE)).then_some(u),
        };
        if let Some(axis) = axis.filter(|_| !leans(0) && !leans(1)) {
            (to.curved, to.axis) = (one, axis);
        }
    }
    // What rolls does so on the smaller radius.
    let lever = if zero < radius[0] && zero < radius[1] { radius[0].min(radius[1]) } else { radius[0].max(radius[1]) };
    let [a, b] = shapes.map(|s| s.rolling);
    to.levers = [a[0].max(b[0]) * lever, a[1].max(b[1]) * lever];
}

/// Two springs, one behind the other, and what they dissipate where both have the same force. What does not yield has no part in it.
fn in_series<E: Elem>(a: [E; 2], b: [E; 2]) -> [E; 2] {
    if a[0] <= E::zero() {
        return b;
    }
    if b[0] <= E::zero() {
        return a;
    }
    let k = a[0] * (b[0] / (a[0] + b[0]));
    let (u, v) = (k / a[0], k / b[0]);
    [k, a[1] * u * u + b[1] * v * v]
}

/// By separation; equal ones stay as they are. They are few, and nothing is allocated.
fn sort<E: Elem>(all: &mut [Manifold<E>]) {
    for end in 1..all.len() {
        let mut i = end;
        while i > 0 && all[i].separation().to_f64().total_cmp(&all[i - 1].separation().to_f64()).is_lt() {
            all.swap(i, i - 1);
            i -= 1;
        }
    }
}

/// A mesh, or what does not move, comes first.
pub(super) fn by_order<E: Elem>(proxies: &[Proxy<E>], i: u32, j: u32) -> (u32, u32) {
    let last = |k: u32| proxies[k as usize].geometry.can_move();
    if last(i) && !last(j) { (j, i) } else { (i, j) }
}

/// Contacts that a pair may have.
pub(crate) fn slots_of<E>(proxies: &[Proxy<E>], i: u32, j: u32) -> u32 {
    let is_mesh = |i: u32| matches!(proxies[i as usize].geometry, Geometry::Mesh(_));
    if is_mesh(i) || is_mesh(j) { MESH_SLOTS } else { 1 }
}

/// Impulses of the points that touched before.
fn remember<'a, E: Elem>(to: &mut Contact<E>, old: &'a [Contact<E>]) -> Option<&'a Contact<E>> {
    // Of several manifolds, the one with the nearest normal.
    let mut best: Option<&Contact<E>> = None;
    for o in old.iter().filter(|o| o.count > 0) {
        if best.is_none_or(|b| b.normal.dot(to.normal) < o.normal.dot(to.normal)) {
            best = Some(o);
        }
    }
    let o = best?;
    for k in 0..to.count as usize {
        if let Some(l) = (0..o.count as usize).find(|&l| o.features[l] == to.features[k]) {
            to.impulse[k] = o.impulse[l];
        }
    }
    to.slide = o.slide;
    to.tangent = o.tangent;
    to.roll = o.roll;
    Some(o)
}

/// Points of the last step that are still deep, where there is room. What rocks from one point to another, step by step, never comes to
/// rest, nor apart: it needs both.
fn keep<E: Elem>(to: &mut Contact<E>, o: &Contact<E>, a: &Transform<E>, b: &Transform<E>) {
    let n = to.normal;
    if o.normal.dot(n) < E::from_f64(KEEP_TURN) {
        return;
    }
    let (astray, apart) = (E::from_f64(KEEP_ASTRAY * KEEP_ASTRAY), E::from_f64(KEEP_APART * KEEP_APART));
    let found = to.count as usize;
    for l in 0..o.count as usize {
        let k = to.count as usize;
        if k == 4 {
            break;
        }
        let p = o.points[l];
        let [on_a, on_b] = o.surfaces(l, a, b);
        let gap = on_b - on_a;
        let separation = gap.dot(n);
        let aside = gap - n * separation;
        if separation > E::from_f64(KEEP_DEEP) || aside.length2() > astray {
            continue;
        }
        // A new one says all that an old one next to it could.
        if (0..found).any(|i| (to.points[i].a - p.a).length2() < apart || (to.points[i].b - p.b).length2() < apart) {
            continue;
        }
        // Shapes name a point that jumps as before.
        let is_named = (0..l).all(|m| o.features[m] != o.features[l]);
        if let Some(i) = (0..found).find(|&i| is_named && to.features[i] == o.features[l]) {
            to.impulse[i] = E::zero();
        }
        (to.points[k], to.radii[k]) = (p, o.radii[l]);
        (to.features[k], to.separation[k]) = (o.features[l], separation);
        to.impulse[k] = o.impulse[l];
        to.count += 1;
    }
}
