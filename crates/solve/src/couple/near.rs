//! Which edges may meet. The list is kept until a vertex leaves the box that it was made for; no result depends on when that is.

use super::meet::{NEAR, Pair};
use super::strands::Strands;
use crate::collide::Bounds;
use crate::collide::broad::{Broad, Entry, Filter, numbers};
use crate::math::Vec3;
use crate::tasks::TaskRunner;

/// Edges that overlap at rest, and by how much, m.
pub type Allowance = ([u32; 2], f64);

/// Edges of one box.
const CHUNK: usize = 4;
/// Seconds that a vertex goes on as it does, before the list is made again, in substeps.
const AHEAD: f64 = 4.0;
/// Of its radius, how far it may go besides, or of its edge, where that is more.
const ROOM: f64 = 0.5;
const PART: f64 = 0.05;
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

#[derive(Debug, Default)]
pub struct Near {
    /// Where each vertex may be.
    boxes: Vec<Bounds<f64>>,
    chunks: Vec<Chunk>,
    entries: Vec<Entry<f64>>,
    broad: Broad,
    /// In the order of their edges.
    pairs: Vec<Candidate>,
    /// Those of the list before.
    old: Vec<Candidate>,
    /// Where vertices were in the last substep, how thick, and how far they and their surfaces have gone since the list was made, m.
    last: Vec<(Vec3<f64>, f64)>,
    gone: Vec<f64>,
    /// How thick each may become.
    thick: Vec<f64>,
    /// The same of edges, the end that has gone farther, and with the way of this substep.
    far: Vec<f64>,
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

impl Near {
    /// The list is for other rods.
    pub fn forget(&mut self) {
        self.boxes.clear();
        self.pairs.clear();
    }

    /// Notes how far all have gone, at the first look in a substep.
    pub fn begin(&mut self, strands: &Strands) {
        if self.boxes.len() != strands.paired().len() {
            return;
        }
        for ((v, last), gone) in strands.paired().iter().zip(&mut self.last).zip(&mut self.gone) {
            *gone += (v.x - last.0).length() + (v.radius - last.1).max(0.0);
            *last = (v.x, v.radius);
        }
    }

    /// Those that may meet on the ways that their ends have now. `visit` sets the gap of what it looks at.
    pub fn visit(&mut self, strands: &Strands, mut visit: impl FnMut(&mut Candidate)) {
        let v = strands.paired();
        self.far.clear();
        self.far.extend((0..v.len()).map(|e| {
            let f = (e + 1).min(v.len() - 1);
            self.gone[e].max(self.gone[f]) + v[e].to.length2().max(v[f].to.length2()).sqrt()
        }));
        for c in &mut self.pairs {
            let [a, b] = c.edges.map(|e| e as usize);
            if v[a].asleep && v[b].asleep {
                continue;
            }
            // Also where it is not a number.
            if self.far[a] + self.far[b] < c.enough {
                continue;
            }
            visit(c);
            let radii = v[a].radius.max(v[a + 1].radius) + v[b].radius.max(v[b + 1].radius);
            let gone = self.gone[a].min(self.gone[a + 1]) + self.gone[b].min(self.gone[b + 1]);
            c.enough = gone + c.gap - (NEAR + 1e-6) * radii;
        }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether all vertices stay in their boxes in this substep.
    fn is_good(&self, strands: &Strands) -> bool {
        let paired = strands.paired();
        self.boxes.len() == paired.len()
            && paired.iter().zip(&self.boxes).zip(&self.thick).all(|((v, b), &thick)| {
                v.radius <= thick && (holds(b, v.x) && holds(b, v.x + v.to)) || !(v.x + v.to).length2().is_finite()
            })
    }

    /// Makes the list again where a vertex leaves its box.
    pub fn look(&mut self, strands: &Strands, runner: &dyn TaskRunner) {
        if !self.is_good(strands) {
            // In a crowd in which boxes meet too many others, smaller ones.
            for ahead in [AHEAD, 1.0] {
                self.search(strands, ahead, runner);
                if self.dropped == 0 {
                    break;
                }
            }
        }
    }

    fn search(&mut self, strands: &Strands, ahead: f64, runner: &dyn TaskRunner) {
        self.keep_old();
        self.boxes.clear();
        self.thick.clear();
        self.thick.extend(strands.paired().iter().map(|v| v.radius * if v.swells { SWELLS } else { 1.0 }));
        // What is not a number meets nothing, and asks for no new list.
        let far = Vec3 { x: f64::MAX, y: f64::MAX, z: f64::MAX };
        let paired = strands.paired();
        let next = paired.iter().skip(1).chain(paired.last());
        self.boxes.extend(paired.iter().zip(next).map(|(v, next)| {
            let edge = if v.edge { next.arc - v.arc } else { 0.0 };
            let room = (ROOM * v.radius).max(PART * edge) + 0.1 * ahead * v.to.length();
            let to = v.x + v.to * ahead;
            if (v.x + v.to).length2().is_finite() { around(v.x, to, room) } else { Bounds { min: -far, max: far } }
        }));
        self.chunks.clear();
        self.entries.clear();
        for strand in strands.starts.windows(2).take_while(|s| s[1] as usize <= paired.len()) {
            let (mut first, last) = (strand[0] as usize, strand[1] as usize - 1);
            while first < last {
                let count = CHUNK.min(last - first);
                let mut all = self.edge_box(first);
                for e in first + 1..first + count {
                    all = all.around(&self.edge_box(e));
                }
                let finite = strands.vertices[first..=first + count].iter().all(|v| (v.x + v.to).length2().is_finite());
                if !finite {
                    let nan = Vec3 { x: f64::NAN, y: f64::NAN, z: f64::NAN };
                    all = Bounds { min: nan, max: nan };
                }
                let set = strands.number_of(first as u32) as u32;
                // Layers are looked at for pairs: a set meets itself whatever they are.
                let filter = Filter { body: self.chunks.len() as u32, group: 0, category: 1, mask: 1 };
                self.chunks.push(Chunk { first: first as u32, count: count as u32, set });
                self.entries.push(Entry { bounds: all, filter, active: true });
                first += count;
            }
        }
        self.broad.find(&self.entries, runner);
        self.dropped = self.broad.dropped;
        self.pairs.clear();
        for k in 0..self.chunks.len() {
            self.put_pairs(strands, self.chunks[k], self.chunks[k]);
        }
        for k in 0..self.broad.pairs.len() {
            let (a, b) = numbers(self.broad.pairs[k]);
            self.put_pairs(strands, self.chunks[a as usize], self.chunks[b as usize]);
        }
        self.pairs.sort_unstable_by_key(|c| c.edges);
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
            let gone = |e: u32| self.gone[e as usize].max(self.gone[e as usize + 1]);
            c.enough -= gone(c.edges[0]) + gone(c.edges[1]);
        }
    }

    fn edge_box(&self, e: usize) -> Bounds<f64> {
        let radius = self.thick[e].max(self.thick[e + 1]);
        let b = self.boxes[e].around(&self.boxes[e + 1]);
        // As far as `meet` looks.
        let by = radius * (1.0 + NEAR);
        let by = Vec3 { x: by, y: by, z: by };
        Bounds { min: b.min - by, max: b.max + by }
    }

    fn put_pairs(&mut self, strands: &Strands, a: Chunk, b: Chunk) {
        let [one, other] = [a, b].map(|c| &strands.sets[c.set as usize]);
        if a.set != b.set && (one.mask & other.category == 0 || other.mask & one.category == 0) {
            return;
        }
        for e in a.first..a.first + a.count {
            let one = self.edge_box(e as usize);
            for f in b.first.max(e + 1)..b.first + b.count {
                if one.overlaps(&self.edge_box(f as usize)) && !strands.neighbours(e, f) {
                    self.pairs.push(Candidate { edges: [e, f], gap: 0.0, when: u32::MAX, enough: 0.0 });
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
            let mut pair = Pair::new(&v[a as usize..], &v[b as usize..], 0.0);
            pair.u = [[Vec3::zero(); 2]; 2];
            let mut least = 0.0_f64;
            super::meet(&pair, &pair.nearest(0.0), |m| least = least.min(m.gap));
            (least < 0.0).then_some(([a, b], -least))
        };
        near.pairs.iter().filter_map(overlap).collect()
    }

    pub fn memory_bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Bounds<f64>>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.entries.capacity() * size_of::<Entry<f64>>()
            + (self.pairs.capacity() + self.old.capacity()) * size_of::<Candidate>()
            + self.last.capacity() * 32
            + (self.gone.capacity() + self.far.capacity() + self.thick.capacity()) * 8
            + self.broad.memory_bytes()
    }
}
