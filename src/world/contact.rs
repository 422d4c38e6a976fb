//! Contacts between bodies: found once a step, kept from step to step by the features that touch.

use super::rigid::placed;
use super::tasks::TaskRunner;
use crate::bodies::drive::{Kind, Record};
use crate::bodies::elements::Anchors;
use crate::bodies::rows::WIDTH;
use crate::bodies::solver::Rows;
use crate::collide::broad::{Broad, Entry};
use crate::collide::narrow::{Geometry, Manifold, manifold, mesh_manifolds};
use crate::math::{Elem, Transform, Vec3};

/// A shape as collision sees it.
#[derive(Clone, Debug)]
pub(super) struct Proxy<E> {
    pub geometry: Geometry<E>,
    /// Of the shape, in the principal axes of its body.
    pub local: Transform<E>,
    /// Solver index.
    pub body: u32,
    pub friction: E,
    pub restitution: E,
    /// The same as long as the shape lives.
    pub name: u64,
    /// How far a box around it may be off, m.
    pub inner: E,
    /// How far the surface is from the body's centre of mass at most, m.
    pub outer: f64,
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
    /// On both surfaces, from the centres of mass in principal axes, m.
    pub points: [Anchors<E>; 4],
    pub features: [u32; 4],
    /// m
    pub separation: [E; 4],
    /// N s, of the last substep.
    pub impulse: [E; 4],
    pub largest: [E; 4],
    pub approach: [E; 4],
    pub slide: Vec3<E>,
    pub tangent: Vec3<E>,
    pub cache: u64,
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
            points: [Anchors { a: none, b: none }; 4],
            features: [0; 4],
            separation: [zero; 4],
            impulse: [zero; 4],
            largest: [zero; 4],
            approach: [zero; 4],
            slide: none,
            tangent: none,
            cache: 0,
        }
    }

    pub fn kind(&self) -> Kind {
        match self.count {
            1 => Kind::Contact1,
            2 => Kind::Contact2,
            _ => Kind::Contact4,
        }
    }
}

/// Manifolds that one pair with a mesh may have.
const MESH_SLOTS: u32 = 8;
/// Pairs of one task.
const PART: usize = 32;
/// A point of the step before stays if the normal has turned by less than this (a cosine), if it is this deep still, m, if its places on both
/// surfaces have slid apart by less, m, and if it is as far from the new points, m.
const KEEP_TURN: f64 = 0.9;
const KEEP_DEEP: f64 = -0.004;
const KEEP_ASTRAY: f64 = 0.03;
const KEEP_APART: f64 = 0.01;
/// Manifolds that a mesh finds, at most.
const MOST_FOUND: usize = 32;

/// A pair of boxes that overlap, and where its contacts are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub proxies: (u32, u32),
    pub slot: u32,
    pub slots: u32,
    /// What it had in the last step.
    old: u32,
    old_slots: u32,
}

#[derive(Debug)]
pub(super) struct Contacts<E> {
    pub broad: Broad,
    pairs: Vec<Pair>,
    last: Vec<Pair>,
    pub all: Vec<Contact<E>>,
    before: Vec<Contact<E>>,
    /// Pairs of bodies that joints keep from colliding, lesser first, sorted; and where those of each body begin.
    pub apart: Vec<(u32, u32)>,
    apart_from: Vec<u32>,
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
            all: Vec::new(),
            before: Vec::new(),
            apart: Vec::new(),
            apart_from: Vec::new(),
            seconds_pairs: 0.0,
            found: Vec::new(),
        }
    }
}

/// Where bodies are and how fast, for the search.
pub(super) struct Scene<'a, E> {
    pub proxies: &'a [Proxy<E>],
    pub entries: &'a [Entry<E>],
    /// Poses of the bodies to look from.
    pub poses: &'a [Record<E>],
    /// How far its surface may come in the step, m.
    pub way: &'a [E],
    /// Speculative distance, m.
    pub reach: E,
}

impl<E: Elem> Contacts<E> {
    /// After shapes were added or removed: `new_number[old]`, or `u32::MAX`.
    pub fn renumber(&mut self, new_number: &[u32]) {
        for p in &mut self.pairs {
            let (a, b) = p.proxies;
            let of = |i: u32| new_number.get(i as usize).copied().unwrap_or(u32::MAX);
            p.proxies = (of(a).min(of(b)), of(a).max(of(b)));
        }
        self.pairs.retain(|p| p.proxies.1 != u32::MAX);
        self.pairs.sort_unstable_by_key(|p| p.proxies);
    }

    /// Whether a joint, or the host, lets two bodies pass through each other.
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        let from = self.apart_from.get(a as usize).copied().unwrap_or(u32::MAX) as usize;
        self.apart.iter().skip(from).take_while(|p| p.0 == a).any(|p| p.1 == b)
    }

    /// After `apart` was filled.
    pub fn index_apart(&mut self) {
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
        self.merge(scene);
        self.seconds_pairs = begin.elapsed().as_secs_f64();
        let slots = self.pairs.last().map_or(0, |p| p.slot + p.slots) as usize;
        // What was there before is written over.
        self.all.resize(slots, Contact::empty());
        let to = Slots(self.all.as_mut_ptr());
        let (pairs, before) = (&self.pairs, &self.before);
        let tasks = pairs.len().div_ceil(PART);
        if self.found.len() < tasks {
            self.found.resize_with(tasks, Vec::new);
        }
        if pairs.iter().any(|p| p.slots > 1) {
            self.found.iter_mut().for_each(|f| f.reserve(MOST_FOUND.saturating_sub(f.len())));
        }
        let scratch = Scratch(self.found.as_mut_ptr());
        runner.run(tasks, &|k| {
            // SAFETY: one for every task.
            let found = unsafe { scratch.of(k) };
            for pair in &pairs[k * PART..((k + 1) * PART).min(pairs.len())] {
                // SAFETY: every pair has slots of its own within `all`.
                let out = unsafe { to.of(pair) };
                let old = &before[pair.old as usize..][..pair.old_slots as usize];
                touch(scene, pair, old, out, found);
            }
        });
    }

    /// This step's pairs, in order, with what they had before; and those of the last step whose bodies sleep.
    fn merge(&mut self, scene: &Scene<'_, E>) {
        self.pairs.clear();
        let (mut slot, mut at) = (0, 0);
        let entries = scene.entries;
        let mut push = |pairs: &mut Vec<Pair>, proxies: (u32, u32), old: u32, old_slots: u32| {
            let slots = slots_of(scene.proxies, proxies.0, proxies.1);
            pairs.push(Pair { proxies, slot, slots, old, old_slots });
            slot += slots;
        };
        let asleep = |(a, b): (u32, u32)| !entries[a as usize].active && !entries[b as usize].active;
        for &(i, j) in &self.broad.pairs {
            let bodies = (entries[i as usize].body, entries[j as usize].body);
            if self.are_apart(bodies.0, bodies.1) {
                continue;
            }
            while at < self.last.len() && self.last[at].proxies < (i, j) {
                let l = self.last[at];
                if asleep(l.proxies) {
                    push(&mut self.pairs, l.proxies, l.slot, l.slots);
                }
                at += 1;
            }
            let (mut old, mut old_slots) = (0, 0);
            if at < self.last.len() && self.last[at].proxies == (i, j) {
                (old, old_slots) = (self.last[at].slot, self.last[at].slots);
                at += 1;
            }
            push(&mut self.pairs, (i, j), old, old_slots);
        }
        for l in &self.last[at.min(self.last.len())..] {
            if asleep(l.proxies) {
                push(&mut self.pairs, l.proxies, l.slot, l.slots);
            }
        }
    }

    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub fn clear(&mut self) {
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
            + (self.pairs.capacity() + self.last.capacity()) * size_of::<Pair>()
    }
}

#[derive(Clone, Copy)]
struct Slots<E>(*mut Contact<E>);
// SAFETY: pairs have disjoint slots, and each pair is one task's.
unsafe impl<E> Send for Slots<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for Slots<E> {}

impl<E> Slots<E> {
    /// # Safety
    /// The pair's slots exist and are this task's.
    #[allow(clippy::mut_from_ref)]
    unsafe fn of(&self, p: &Pair) -> &mut [Contact<E>] {
        // SAFETY: the caller's contract.
        unsafe { core::slice::from_raw_parts_mut(self.0.add(p.slot as usize), p.slots as usize) }
    }
}

#[derive(Clone, Copy)]
struct Scratch<E>(*mut Vec<Manifold<E>>);
// SAFETY: each is one task's.
unsafe impl<E> Send for Scratch<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for Scratch<E> {}

impl<E> Scratch<E> {
    /// # Safety
    /// The list exists and is this task's.
    #[allow(clippy::mut_from_ref)]
    unsafe fn of(&self, k: usize) -> &mut Vec<Manifold<E>> {
        // SAFETY: the caller's contract.
        unsafe { &mut *self.0.add(k) }
    }
}

/// The contacts of one pair.
fn touch<E: Elem>(scene: &Scene<'_, E>, pair: &Pair, old: &[Contact<E>], out: &mut [Contact<E>], found: &mut Vec<Manifold<E>>) {
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
    let (p, q) = by_order(scene.proxies, i, j);
    let (pa, pb) = (&scene.proxies[p as usize], &scene.proxies[q as usize]);
    let pose_a = placed(&scene.poses[pa.body as usize]).compose(pa.local);
    let pose_b = placed(&scene.poses[pb.body as usize]).compose(pb.local);
    let b_in_a = pose_a.seen(pose_b);
    let way = scene.way[pa.body as usize] + scene.way[pb.body as usize];
    let reach = scene.reach + way.min((pa.inner + pb.inner) * E::from_f64(0.5));
    let mut cache = old.first().map_or(0, |c| c.cache);
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
    for (k, to) in out.iter_mut().enumerate() {
        (to.count, to.cache) = (0, cache);
        let Some(m) = manifolds.get(k).filter(|m| m.count > 0) else { continue };
        *to = Contact {
            a: pa.body,
            b: pb.body,
            count: m.count,
            normal: pose_a.rotation.rotate(m.normal),
            friction: (pa.friction * pb.friction).sqrt(),
            restitution: pa.restitution.max(pb.restitution),
            cache,
            ..Contact::empty()
        };
        for k in 0..m.count as usize {
            let point = &m.points[k];
            let off = m.normal * (point.separation * E::constant(0.5));
            to.points[k] =
                Anchors { a: pa.local.point(point.position - off), b: pb.local.point(a_in_b.point(point.position + off)) };
            to.separation[k] = point.separation;
            to.features[k] = point.feature;
        }
        if let Some(o) = remember(to, old)
            && pair.slots == 1
        {
            keep(to, o, &placed(&scene.poses[pa.body as usize]), &placed(&scene.poses[pb.body as usize]));
        }
        for k in to.count.max(1) as usize..4 {
            to.points[k] = to.points[to.count as usize - 1];
            to.separation[k] = to.separation[to.count as usize - 1];
        }
    }
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
fn by_order<E: Elem>(proxies: &[Proxy<E>], i: u32, j: u32) -> (u32, u32) {
    let last = |k: u32| proxies[k as usize].geometry.can_move();
    if last(i) && !last(j) { (j, i) } else { (i, j) }
}

/// Contacts that a pair may have.
pub(super) fn slots_of<E>(proxies: &[Proxy<E>], i: u32, j: u32) -> u32 {
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
        let gap = b.point(p.b) - a.point(p.a);
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
        (to.points[k], to.features[k], to.separation[k]) = (p, o.features[l], separation);
        to.impulse[k] = o.impulse[l];
        to.count += 1;
    }
}

/// Contacts as the solver's blocks take them.
pub(super) struct ContactRows<E>(pub *mut Contact<E>);
// SAFETY: every contact is in one block, and a block is one task's.
unsafe impl<E> Sync for ContactRows<E> {}

/// # Safety
/// The row is writable.
unsafe fn row<E>(to: &mut *mut E, value: E) {
    // SAFETY: the caller's contract.
    unsafe {
        **to = value;
        *to = to.add(WIDTH);
    }
}

/// # Safety
/// Three rows are writable.
unsafe fn rows3<E: Copy>(to: &mut *mut E, v: Vec3<E>) {
    for c in [v.x, v.y, v.z] {
        // SAFETY: the caller's contract.
        unsafe { row(to, c) }
    }
}

fn points(kind: Kind) -> usize {
    match kind {
        Kind::Contact1 => 1,
        Kind::Contact2 => 2,
        _ => 4,
    }
}

impl<E: Elem> Rows<E> for ContactRows<E> {
    // SAFETY: the trait's contract.
    unsafe fn put(&self, kind: Kind, source: u32, to: *mut E) {
        let mut to = to;
        // SAFETY: the caller's contract; the order is that of `ContactParams` and `ContactState`.
        unsafe {
            let c = &*self.0.add(source as usize);
            let n = points(kind);
            rows3(&mut to, c.normal);
            row(&mut to, c.friction);
            row(&mut to, c.restitution);
            for p in &c.points[..n] {
                rows3(&mut to, p.a);
                rows3(&mut to, p.b);
            }
            for list in [&c.impulse, &c.largest, &c.approach] {
                list[..n].iter().for_each(|&v| row(&mut to, v));
            }
            rows3(&mut to, c.slide);
            rows3(&mut to, c.tangent);
        }
    }
    // SAFETY: the trait's contract.
    unsafe fn take(&self, kind: Kind, source: u32, from: *const E) {
        // SAFETY: the caller's contract; the order is that of `ContactState`.
        unsafe {
            let c = &mut *self.0.add(source as usize);
            let n = points(kind);
            let at = |r: usize| *from.add(r * WIDTH);
            for k in 0..n {
                c.impulse[k] = at(k);
                c.largest[k] = at(n + k);
                c.approach[k] = at(2 * n + k);
            }
            let v = |r: usize| Vec3 { x: at(r), y: at(r + 1), z: at(r + 2) };
            c.slide = v(3 * n);
            c.tangent = v(3 * n + 3);
        }
    }
}
