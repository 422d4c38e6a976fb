//! Which edges may meet. The list is kept until a vertex leaves the box that it was made for; no result depends on when that is.

use super::meet::{DEEP, Look, NEAR, Pair};
use super::strands::{RodVertex, Strands};
use crate::collide::Bounds;
use crate::collide::broad::{Broad, Entry, Filter, numbers};
use crate::math::Vec3;
use crate::tasks::TaskRunner;

/// Edges that overlap at rest, and by how much, m.
pub type Allowance = ([u32; 2], f64);

/// Edges of one box.
const CHUNK: usize = 4;
/// Where no more than this part of the boxes has a vertex that leaves, the list is made again for these alone.
const FEW: usize = 16;
/// Seconds that a vertex goes on as it does, before the list is made again, in substeps.
const AHEAD: f64 = 4.0;
/// Of its radius, how far it may go besides, or of its edge, where that is more. Thick things that keep their volume want less: they lie close.
const ROOM: f64 = 0.5;
const ROOM_OF_FLESH: f64 = 0.25;
const PART: f64 = 0.05;
/// Of both radii, more than rounding takes from a distance that was found in f32.
const MARGIN: f64 = 1e-3;
/// Of its radius, how thick a vertex may become before the list is made again, in rods whose radii change.
const SWELLS: f64 = 1.05;

/// Some edges of one strand, one after the other.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    first: u32,
    count: u32,
    set: u32,
}

/// Two edges that may meet.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// By their first vertices, lesser number first.
    pub edges: [u32; 2],
    /// The gap between them when they were last looked at, m, and in which substep that was.
    pub gap: f64,
    pub when: u32,
    /// As long as both together have not gone so far, there is nothing to look at, m.
    enough: f64,
}

impl Candidate {
    fn new(edges: [u32; 2]) -> Self {
        Candidate { edges, gap: 0.0, when: u32::MAX, enough: 0.0 }
    }
}

#[derive(Debug, Default)]
pub struct Near {
    /// Where each vertex may be.
    boxes: Vec<Bounds<f64>>,
    /// Where each edge may be, with as much around it as `meet` looks at.
    edges: Vec<Bounds<f64>>,
    chunks: Vec<Chunk>,
    /// Those that a chunk's edges may meet: itself, then some of those after it. Or those that have an edge whose box is new.
    partners: Vec<u32>,
    /// Vertices that have left their boxes, and which edges have new ones.
    left: Vec<u32>,
    stale: Vec<bool>,
    entries: Vec<Entry<f64>>,
    broad: Broad,
    /// In the order of their edges.
    pairs: Vec<Candidate>,
    /// Those of the list before.
    old: Vec<Candidate>,
    /// Which of the pairs are to be looked at.
    listed: Vec<u32>,
    /// Where vertices were in the last substep, and how thick.
    last: Vec<(Vec3<f64>, f64)>,
    /// How far an edge has gone since the list was made, m: the sum over substeps of what its faster end, with its surface, has gone in each.
    gone: Vec<f64>,
    /// How thick each vertex may become.
    thick: Vec<f64>,
    /// How far an edge will have gone at the end of the substep.
    far: Vec<f64>,
    /// Whether an edge goes far in the substep, by [`Near::find_fast`].
    fast: Vec<bool>,
    /// The strands whose ways are others than at the last look, each once, and which they are; empty: all.
    turned: Vec<u32>,
    has_turned: Vec<bool>,
    /// Pairs of boxes that there was no room for at the last search.
    pub dropped: u64,
}

fn around(a: Vec3<f64>, b: Vec3<f64>, by: f64) -> Bounds<f64> {
    let by = Vec3 { x: by, y: by, z: by };
    Bounds { min: a.lower(b) - by, max: a.upper(b) + by }
}

fn holds(b: &Bounds<f64>, x: Vec3<f64>) -> bool {
    b.min.x <= x.x && b.min.y <= x.y && b.min.z <= x.z && x.x <= b.max.x && x.y <= b.max.y && x.z <= b.max.z
}

/// Not where something is not a number.
fn is_somewhere(b: &Bounds<f64>) -> bool {
    b.min.x <= b.max.x
}

impl Near {
    /// The list is for other rods.
    pub fn forget(&mut self) {
        self.boxes.clear();
        self.pairs.clear();
    }

    /// Since the last look nothing has changed but the ways of the strands of these vertices.
    pub fn turned(&mut self, strands: &Strands, vertices: &[u32]) {
        self.forget_turned();
        self.has_turned.resize(strands.starts.len(), false);
        for &v in vertices.iter().filter(|&&v| v < strands.paired) {
            let strand = strands.vertices[v as usize].strand;
            if !core::mem::replace(&mut self.has_turned[strand as usize], true) {
                self.turned.push(strand);
            }
        }
    }
    /// The next look is at all of them.
    pub fn forget_turned(&mut self) {
        self.turned.clear();
        self.has_turned.clear();
    }

    /// Notes how far all have gone, at the first look in a substep.
    pub fn begin(&mut self, strands: &Strands) {
        self.forget_turned();
        if self.boxes.len() != strands.paired().len() {
            return;
        }
        self.far.clear();
        for (v, last) in strands.paired().iter().zip(&mut self.last) {
            self.far.push((v.x - last.0).length() + (v.radius - last.1).max(0.0));
            *last = (v.x, v.radius);
        }
        for (gone, ends) in self.gone.iter_mut().zip(self.far.windows(2)) {
            *gone += ends[0].max(ends[1]);
        }
    }

    /// Those that may meet on the ways that their ends have now. `visit` sets the gap of what it looks at.
    pub fn visit(&mut self, strands: &Strands, mut visit: impl FnMut(&mut Candidate)) {
        self.list(strands);
        self.visit_listed(strands, |_, c| visit(c));
    }

    /// Lists them.
    pub fn list(&mut self, strands: &Strands) {
        self.find_far(strands);
        self.list_if(strands, |_, _| true);
    }

    /// Whether an edge goes so far that it may come into another as deep as `meet::pass` asks: of two of which neither goes farther than that part of its
    /// radius none does.
    pub fn find_fast(&mut self, strands: &Strands) -> bool {
        let v = strands.paired();
        // From where the substep or the iteration began.
        let way = |v: &RodVertex| v.to.length2().max((v.done + v.to).length2());
        self.fast.clear();
        let ends = v.iter().zip(v.iter().skip(1).chain(v.last()));
        // What is not a number comes into nothing.
        self.fast.extend(ends.map(|(a, b)| {
            let least = DEEP * a.radius.min(b.radius);
            way(a).max(way(b)) >= least * least
        }));
        self.fast.contains(&true)
    }

    /// Lists those of which at least one edge is fast.
    pub fn list_fast(&mut self, strands: &Strands) {
        self.find_far(strands);
        let fast = core::mem::take(&mut self.fast);
        self.list_if(strands, |a, b| fast[a] || fast[b]);
        self.fast = fast;
    }

    fn find_far(&mut self, strands: &Strands) {
        let v = strands.paired();
        let before = |v: &RodVertex| if strands.whole { v.done.length() } else { 0.0 };
        let far =
            |gone: f64, a: &RodVertex, b: &RodVertex| gone + a.to.length2().max(b.to.length2()).sqrt() + before(a).max(before(b));
        if self.has_turned.is_empty() {
            self.far.clear();
            let ends = v.iter().zip(v.iter().skip(1).chain(v.last()));
            self.far.extend(self.gone.iter().zip(ends).map(|(gone, (a, b))| far(*gone, a, b)));
        }
        for &strand in &self.turned {
            for e in strands.edges_of(strand) {
                self.far[e] = far(self.gone[e], &v[e], &v[e + 1]);
            }
        }
    }

    fn list_if(&mut self, strands: &Strands, counts: impl Fn(usize, usize) -> bool) {
        let v = strands.paired();
        self.listed.clear();
        for (k, c) in self.pairs.iter().enumerate() {
            let [a, b] = c.edges.map(|e| e as usize);
            // What is not a number is listed, too.
            if self.far[a] + self.far[b] < c.enough || !counts(a, b) {
                continue;
            }
            // Of two that go as they did at the last look nothing new is to be seen.
            let same = |e: usize| !self.has_turned[v[e].strand as usize];
            if !self.has_turned.is_empty() && same(a) && same(b) {
                continue;
            }
            if !(v[a].asleep && v[b].asleep) {
                self.listed.push(k as u32);
            }
        }
    }
    /// Those that have not been looked at in the substep of this number.
    pub fn listed_not_in(&self, when: u32) -> impl Iterator<Item = [u32; 2]> {
        self.listed.iter().map(|&k| &self.pairs[k as usize]).filter(move |c| c.when != when).map(|c| c.edges)
    }

    /// Visits what is listed, with its number in the list.
    pub fn visit_listed(&mut self, strands: &Strands, mut visit: impl FnMut(usize, &mut Candidate)) {
        let v = strands.paired();
        for (number, &k) in self.listed.iter().enumerate() {
            let c = &mut self.pairs[k as usize];
            let [a, b] = c.edges.map(|e| e as usize);
            visit(number, c);
            let radii = v[a].radius.max(v[a + 1].radius) + v[b].radius.max(v[b + 1].radius);
            // From the gap when the substep began they have come some way already.
            let done = |e: usize| v[e].done.length2().max(v[e + 1].done.length2()).sqrt();
            let come = if strands.is_whole(c.edges) { done(a) + done(b) } else { 0.0 };
            c.enough = self.gone[a] + self.gone[b] + c.gap - come - (NEAR + MARGIN) * radii;
        }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether vertex `v` stays in its box in this substep. What is not a number meets nothing, and asks for no new list.
    fn stays(&self, v: usize, is: &RodVertex) -> bool {
        let b = &self.boxes[v];
        is.radius <= self.thick[v] && holds(b, is.x) && holds(b, is.x + is.to) || !(is.x + is.to).length2().is_finite()
    }

    /// Makes the list again where vertices leave their boxes.
    pub fn look(&mut self, strands: &Strands, runner: &dyn TaskRunner) {
        let paired = strands.paired();
        if self.boxes.len() == paired.len() {
            let mut left = core::mem::take(&mut self.left);
            left.clear();
            let mut look = |vertices: core::ops::Range<usize>| {
                left.extend(vertices.filter(|&v| !self.stays(v, &paired[v])).map(|v| v as u32));
            };
            if self.has_turned.is_empty() {
                look(0..paired.len());
            }
            for &strand in &self.turned {
                look(strands.vertices_of(strand));
            }
            // In their order.
            left.sort_unstable();
            self.left = left;
            if self.left.is_empty() {
                return;
            }
            // The list is another one: all of it is to be looked at.
            self.forget_turned();
            if self.left.len() < self.chunks.len() / FEW {
                return self.renew(strands);
            }
        }
        // In a crowd in which boxes meet too many others, smaller ones.
        for ahead in [AHEAD, 1.0] {
            self.search(strands, ahead, runner);
            if self.dropped == 0 {
                break;
            }
        }
    }

    /// Where vertex `v` of `paired` may be, and how thick it may become.
    fn put_box(&mut self, v: usize, paired: &[RodVertex], ahead: f64) {
        let (is, next) = (&paired[v], &paired[(v + 1).min(paired.len() - 1)]);
        self.thick[v] = is.radius * if is.swells { SWELLS } else { 1.0 };
        let edge = if is.edge { next.arc - is.arc } else { 0.0 };
        let room = (if is.swells { ROOM_OF_FLESH } else { ROOM } * is.radius).max(PART * edge) + 0.1 * ahead * is.to.length();
        let far = Vec3 { x: f64::MAX, y: f64::MAX, z: f64::MAX };
        let finite = (is.x + is.to).length2().is_finite();
        let whole = around(is.x, is.x + is.to * ahead, room).around(&around(is.x - is.done, is.x, room));
        self.boxes[v] = if finite { whole } else { Bounds { min: -far, max: far } };
    }

    /// Where the edge from vertex `e` may be, with as much around it as `meet` looks at.
    fn edge_box(&self, e: usize) -> Bounds<f64> {
        let by = self.thick[e].max(self.thick[e + 1]) * (1.0 + NEAR);
        let (b, by) = (self.boxes[e].around(&self.boxes[e + 1]), Vec3 { x: by, y: by, z: by });
        Bounds { min: b.min - by, max: b.max + by }
    }

    /// Around the edges of a chunk; nowhere where something is not a number.
    fn chunk_box(&self, c: &Chunk, paired: &[RodVertex]) -> Bounds<f64> {
        let (first, last) = (c.first as usize, (c.first + c.count) as usize);
        let finite = paired[first..=last].iter().all(|v| (v.x + v.to).length2().is_finite());
        let nan = Vec3 { x: f64::NAN, y: f64::NAN, z: f64::NAN };
        match finite {
            true => self.edges[first..last].iter().skip(1).fold(self.edges[first], |all, e| all.around(e)),
            false => Bounds { min: nan, max: nan },
        }
    }

    /// The list again for the few vertices that have left their boxes.
    fn renew(&mut self, strands: &Strands) {
        let paired = strands.paired();
        self.stale.clear();
        self.stale.resize(paired.len(), false);
        for k in 0..self.left.len() {
            let v = self.left[k] as usize;
            self.put_box(v, paired, AHEAD);
            // Both edges of the vertex.
            self.stale[v.saturating_sub(1)] = true;
            self.stale[v] = true;
        }
        self.partners.clear();
        for k in 0..self.chunks.len() {
            let c = self.chunks[k];
            let edges = c.first as usize..(c.first + c.count) as usize;
            if self.stale[edges.clone()].contains(&true) {
                for e in edges {
                    self.edges[e] = self.edge_box(e);
                }
                self.entries[k].bounds = self.chunk_box(&c, paired);
                self.partners.push(k as u32);
            }
        }
        let stale = |e: u32| self.stale[e as usize];
        self.pairs.retain(|c| !stale(c.edges[0]) && !stale(c.edges[1]));
        let known = self.pairs.len();
        for &k in &self.partners {
            let (a, bounds) = (self.chunks[k as usize], self.entries[k as usize].bounds);
            for (b, entry) in self.chunks.iter().zip(&self.entries) {
                let meet = is_somewhere(&bounds) && is_somewhere(&entry.bounds) && bounds.overlaps(&entry.bounds);
                if a.first != b.first && !(meet && strands.may_meet(a.set, b.set)) {
                    continue;
                }
                for e in (a.first..a.first + a.count).filter(|&e| stale(e)) {
                    for f in b.first..b.first + b.count {
                        // Of two that are stale the lesser finds the other.
                        if e == f || (stale(f) && f < e) || !self.edges[e as usize].overlaps(&self.edges[f as usize]) {
                            continue;
                        }
                        let edges = [e.min(f), e.max(f)];
                        if !strands.neighbours(edges[0], edges[1]) {
                            self.pairs.push(Candidate::new(edges));
                        }
                    }
                }
            }
        }
        self.pairs[known..].sort_unstable_by_key(|c| c.edges);
        let (mut before, mut new) = self.pairs.split_at(known);
        self.old.clear();
        while let (Some(a), Some(b)) = (before.first(), new.first()) {
            let from = if a.edges < b.edges { &mut before } else { &mut new };
            self.old.push(from[0]);
            *from = &from[1..];
        }
        self.old.extend_from_slice(before);
        self.old.extend_from_slice(new);
        core::mem::swap(&mut self.pairs, &mut self.old);
    }

    fn search(&mut self, strands: &Strands, ahead: f64, runner: &dyn TaskRunner) {
        self.keep_old();
        let paired = strands.paired();
        let nowhere = Bounds { min: Vec3::zero(), max: Vec3::zero() };
        self.boxes.clear();
        self.boxes.resize(paired.len(), nowhere);
        self.thick.clear();
        self.thick.resize(paired.len(), 0.0);
        for v in 0..paired.len() {
            self.put_box(v, paired, ahead);
        }
        self.edges.clear();
        for e in 1..paired.len() {
            let edge = self.edge_box(e - 1);
            self.edges.push(edge);
        }
        self.chunks.clear();
        self.entries.clear();
        for strand in strands.starts.windows(2).take_while(|s| s[1] as usize <= paired.len()) {
            let (mut first, last) = (strand[0], strand[1] - 1);
            while first < last {
                let count = (CHUNK as u32).min(last - first);
                let chunk = Chunk { first, count, set: strands.number_of(first) as u32 };
                // Layers are looked at for pairs: a set meets itself whatever they are.
                let filter = Filter { body: self.chunks.len() as u32, group: 0, category: 1, mask: 1 };
                let bounds = self.chunk_box(&chunk, paired);
                self.chunks.push(chunk);
                self.entries.push(Entry { bounds, filter, active: true });
                first += count;
            }
        }
        self.broad.find(&self.entries, runner);
        self.dropped = self.broad.dropped;
        self.list_pairs(strands);
        // What is known of a pair goes on being known.
        let mut k = 0;
        for c in &mut self.pairs {
            while self.old.get(k).is_some_and(|old| old.edges < c.edges) {
                k += 1;
            }
            if let Some(old) = self.old.get(k).filter(|old| old.edges == c.edges) {
                *c = *old;
            }
        }
        self.gone.clear();
        self.gone.resize(paired.len(), 0.0);
        self.last.clear();
        self.last.extend(paired.iter().map(|v| (v.x, v.radius)));
    }

    /// The pairs of a list that is made again, with the way that both edges have left before they are to be looked at.
    fn keep_old(&mut self) {
        core::mem::swap(&mut self.pairs, &mut self.old);
        if self.boxes.len() != self.gone.len() {
            self.old.clear();
        }
        for c in &mut self.old {
            c.enough -= self.gone[c.edges[0] as usize] + self.gone[c.edges[1] as usize];
        }
    }

    /// The pairs of edges whose boxes overlap, in order, by the pairs of their chunks, which are in order.
    fn list_pairs(&mut self, strands: &Strands) {
        self.pairs.clear();
        let mut found = self.broad.pairs.iter().map(|&pair| numbers(pair)).peekable();
        for (k, a) in self.chunks.iter().enumerate() {
            self.partners.clear();
            self.partners.push(k as u32);
            while let Some((_, b)) = found.next_if(|(first, _)| *first as usize == k) {
                if strands.may_meet(a.set, self.chunks[b as usize].set) {
                    self.partners.push(b);
                }
            }
            for e in a.first..a.first + a.count {
                let one = &self.edges[e as usize];
                for b in self.partners.iter().map(|&b| self.chunks[b as usize]) {
                    for f in b.first.max(e + 1)..b.first + b.count {
                        if one.overlaps(&self.edges[f as usize]) && !strands.neighbours(e, f) {
                            self.pairs.push(Candidate::new([e, f]));
                        }
                    }
                }
            }
        }
    }

    /// Edges that overlap where they are: what they may go on doing.
    pub fn overlaps(strands: &Strands, runner: &dyn TaskRunner) -> Vec<Allowance> {
        let mut near = Near::default();
        near.search(strands, 0.0, runner);
        let v = &strands.vertices;
        let overlap = |c: &Candidate| {
            let [a, b] = c.edges;
            let mut pair = Pair::new(&v[a as usize..], &v[b as usize..], 0.0, false);
            pair.u = [[Vec3::zero(); 2]; 2];
            let mut least = 0.0_f64;
            super::meet(&pair, &pair.nearest(0.0), Look::Long, |m| least = least.min(m.gap));
            (least < 0.0).then_some(([a, b], -least))
        };
        near.pairs.iter().filter_map(overlap).collect()
    }

    pub fn memory_bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Bounds<f64>>()
            + self.edges.capacity() * size_of::<Bounds<f64>>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + (self.partners.capacity() + self.left.capacity()) * 4
            + self.stale.capacity()
            + self.entries.capacity() * size_of::<Entry<f64>>()
            + (self.pairs.capacity() + self.old.capacity()) * size_of::<Candidate>()
            + self.last.capacity() * 32
            + self.listed.capacity() * 4
            + (self.gone.capacity() + self.far.capacity() + self.thick.capacity()) * 8
            + self.turned.capacity() * 4
            + self.has_turned.capacity()
            + self.fast.capacity()
            + self.broad.memory_bytes()
    }
}
