//! What is solved together: islands of bodies that touch or are joined, clusters of islands; large clusters in parts, and what lies between
//! these; inside of each, colours: constraints of one colour share no body that moves. All of it follows from the scene alone, in the order of
//! creation and by place, never from cores or lanes.

use super::drive::{Block, BodyBlock, Kind, Record};
use super::parts::Knife;
use super::rows::WIDTH;
use crate::math::Elem;
use crate::math::lane::RECORD;
use core::ops::Range;

/// A constraint between two bodies: one element, or several that share a colour.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    /// Into the elements.
    pub first: u32,
    pub count: u32,
    /// Contacts are solved after joints.
    pub contact: bool,
}

/// One element of an edge: its kind, and its number among the joints' elements or the contacts.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub kind: Kind,
    pub source: u32,
}

/// Bodies at which a new cluster begins.
const CLUSTER: u32 = 64;
/// Islands of so many bodies are clusters of their own.
const LARGE: u32 = 256;
/// Fewest bodies of a part of a cluster.
const PART: usize = 1024;
/// Most parts.
const PARTS: usize = 64;
/// How often so many bodies are halved.
fn levels(bodies: usize) -> u32 {
    (bodies / PART).clamp(1, PARTS).ilog2()
}

/// Colours of one word. Constraints beyond are solved one after the other.
const COLOURS: usize = 63;

/// Islands that are solved together. A large cluster is a tree of groups: at the root the constraints between its two halves, below it those between
/// the halves of each, and so on, and at the ends the parts, each with its bodies and what is between these. Groups of one level share no body that moves.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The tree, each group before what is below it.
    pub groups: Range<usize>,
    /// Levels above the parts.
    pub levels: u32,
    pub bodies: u32,
}

impl Cluster {
    /// How many groups a tree has from this level down.
    fn below(&self, level: u32) -> usize {
        (2 << (self.levels - level)) - 1
    }
    /// Group `k` of a level.
    fn group(&self, level: u32, k: usize) -> usize {
        let turns = (1..=level).map(|l| 1 + (k >> (level - l) & 1) * self.below(l));
        self.groups.start + turns.sum::<usize>()
    }
    /// That and all below it.
    pub fn tree(&self, level: u32, k: usize) -> Range<usize> {
        let first = self.group(level, k);
        first..first + self.below(level)
    }
    /// That alone.
    pub fn node(&self, level: u32, k: usize) -> Range<usize> {
        let first = self.group(level, k);
        first..first + 1
    }
    /// Where the constraints between two parts are.
    fn common(&self, a: u32, b: u32) -> usize {
        let level = self.levels - (u32::BITS - (a ^ b).leading_zeros());
        self.group(level, (a >> (self.levels - level)) as usize)
    }
}

/// Constraints, and bodies, that one thread solves.
#[derive(Clone, Debug, Default)]
struct Group {
    blocks: Range<usize>,
    body_blocks: Range<usize>,
}

/// What a body is to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Absent,
    /// Nothing moves it.
    Static,
    /// The host moves it.
    Kinematic,
    Dynamic,
}

/// Things put into groups, in order within each.
#[derive(Debug, Default)]
struct Sort {
    order: Vec<u32>,
    starts: Vec<u32>,
    next: Vec<u32>,
}

impl Sort {
    /// `group`: `u32::MAX` for what is in none.
    fn sort(&mut self, groups: usize, count: usize, group: impl Fn(usize) -> u32) {
        self.starts.clear();
        self.starts.resize(groups + 1, 0);
        for g in (0..count).map(&group).filter(|&g| g != u32::MAX) {
            self.starts[g as usize + 1] += 1;
        }
        for g in 0..groups {
            self.starts[g + 1] += self.starts[g];
        }
        self.order.clear();
        self.order.resize(self.starts[groups] as usize, 0);
        self.next.clear();
        self.next.extend_from_slice(&self.starts);
        for i in 0..count {
            let g = group(i);
            if g != u32::MAX {
                let to = &mut self.next[g as usize];
                self.order[*to as usize] = i as u32;
                *to += 1;
            }
        }
    }
    fn group(&self, g: usize) -> Range<usize> {
        self.starts[g] as usize..self.starts[g + 1] as usize
    }
}

#[derive(Debug, Default)]
pub struct Graph {
    parent: Vec<u32>,
    /// Of each body: its island; `u32::MAX` without one.
    pub island: Vec<u32>,
    /// Of each island: whether it is solved.
    pub awake: Vec<bool>,
    size: Vec<u32>,
    /// Of each island that is awake: its cluster.
    cluster_of: Vec<u32>,
    /// Of each body: its part in its cluster; `u32::MAX` for what nothing moves or is asleep.
    part_of: Vec<u32>,
    knife: Knife,
    used: Vec<u64>,
    colour: Vec<u32>,
    sort: Sort,
    buckets: Vec<u32>,
    sorted: Vec<(u32, u32)>,
    pub blocks: Vec<Block>,
    /// Of each block's lanes: the element.
    pub sources: Vec<[u32; WIDTH]>,
    pub body_blocks: Vec<BodyBlock>,
    pub clusters: Vec<Cluster>,
    groups: Vec<Group>,
    records: u32,
    /// Velocity records for bodies that no impulse moves: whose they are.
    pub copies: Vec<u32>,
    /// Lines that the blocks take.
    pub lines: usize,
}

impl Graph {
    fn find(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        i
    }

    /// Islands of the dynamic bodies. The root of each is its first body.
    pub fn islands(&mut self, roles: &[Role], edges: &[Edge]) {
        let n = roles.len();
        self.parent.clear();
        self.parent.extend(0..n as u32);
        for e in edges {
            if roles[e.a as usize] == Role::Dynamic && roles[e.b as usize] == Role::Dynamic {
                let (a, b) = (self.find(e.a), self.find(e.b));
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high as usize] = low;
            }
        }
        self.island.clear();
        self.island.resize(n, u32::MAX);
        self.awake.clear();
        for i in 0..n as u32 {
            if roles[i as usize] != Role::Dynamic {
                continue;
            }
            let root = self.find(i);
            if root == i {
                self.island[i as usize] = self.awake.len() as u32;
                self.awake.push(false);
            } else {
                self.island[i as usize] = self.island[root as usize];
            }
        }
    }

    /// Clusters, parts, colours and blocks of what is awake. `paths`: where the poses of bodies that the host moves are, 0 for others. `poses`: where
    /// bodies are. `records` are in use; copies follow them.
    pub fn build<E: Elem>(
        &mut self,
        roles: &[Role],
        paths: &[u32],
        poses: &[Record<E>],
        records: u32,
        edges: &[Edge],
        pieces: &[Piece],
    ) {
        self.records = records;
        self.blocks.clear();
        self.sources.clear();
        self.copies.clear();
        self.lines = 0;
        self.gather_islands();
        self.place_bodies(roles, poses, edges);
        let part_of = &self.part_of;
        let (clusters, cluster_of, island) = (&self.clusters, &self.cluster_of, &self.island);
        self.sort.sort(self.groups.len(), edges.len(), |k| {
            let (mut a, mut b) = (edges[k].a as usize, edges[k].b as usize);
            if part_of[a] == u32::MAX {
                core::mem::swap(&mut a, &mut b);
            }
            match (part_of[a], part_of[b]) {
                (u32::MAX, _) => u32::MAX,
                (p, q) => clusters[cluster_of[island[a] as usize] as usize].common(p, if q == u32::MAX { p } else { q }) as u32,
            }
        });
        self.colour.resize(self.sort.order.len(), 0);
        self.used.clear();
        self.used.resize(roles.len(), 0);
        for g in 0..self.groups.len() {
            let first_block = self.blocks.len();
            let span = self.sort.group(g);
            for contact in [false, true] {
                self.colour_edges(roles, edges, span.clone(), contact);
                self.fill(roles, paths, edges, pieces, span.clone(), contact);
            }
            self.groups[g].blocks = first_block..self.blocks.len();
        }
    }

    /// The blocks of groups that follow each other.
    pub fn blocks(&self, groups: Range<usize>) -> Range<usize> {
        self.groups[groups.start].blocks.start..self.groups[groups.end - 1].blocks.end
    }
    pub fn body_blocks(&self, groups: Range<usize>) -> Range<usize> {
        self.groups[groups.start].body_blocks.start..self.groups[groups.end - 1].body_blocks.end
    }

    /// Which cluster solves each island that is awake.
    fn gather_islands(&mut self) {
        for list in [&mut self.size, &mut self.cluster_of] {
            list.clear();
            list.resize(self.awake.len(), 0);
        }
        for &island in self.island.iter().filter(|&&island| island != u32::MAX) {
            self.size[island as usize] += 1;
        }
        self.clusters.clear();
        let mut filled = CLUSTER;
        for (island, &size) in self.size.iter().enumerate() {
            if !self.awake[island] {
                self.cluster_of[island] = u32::MAX;
                continue;
            }
            // A large island stays alone.
            if filled >= CLUSTER || size >= LARGE {
                self.clusters.push(Cluster::default());
                filled = 0;
            }
            self.cluster_of[island] = self.clusters.len() as u32 - 1;
            self.clusters.last_mut().expect("just made").bodies += size;
            filled += size;
        }
    }

    /// Bodies cluster by cluster, part by part, in blocks.
    fn place_bodies<E: Elem>(&mut self, roles: &[Role], poses: &[Record<E>], edges: &[Edge]) {
        let (cluster_of, island) = (&self.cluster_of, &self.island);
        self.sort.sort(self.clusters.len(), roles.len(), |i| match island[i] {
            u32::MAX => u32::MAX,
            island => cluster_of[island as usize],
        });
        self.part_of.clear();
        self.part_of.resize(roles.len(), u32::MAX);
        self.groups.clear();
        let mut joined = false;
        for (c, cluster) in self.clusters.iter_mut().enumerate() {
            let bodies = &self.sort.order[self.sort.group(c)];
            cluster.levels = levels(bodies.len());
            let first = self.groups.len();
            self.groups.resize(first + cluster.below(0), Group::default());
            cluster.groups = first..self.groups.len();
            if cluster.levels > 0 {
                if !joined {
                    self.knife.join(roles, edges);
                    joined = true;
                }
                self.knife.cut(bodies, 0..1 << cluster.levels, poses, &mut self.part_of);
            } else {
                bodies.iter().for_each(|&i| self.part_of[i as usize] = 0);
            }
        }
        let (part_of, clusters) = (&self.part_of, &self.clusters);
        self.sort.sort(self.groups.len(), roles.len(), |i| match part_of[i] {
            u32::MAX => u32::MAX,
            part => {
                let c = &clusters[cluster_of[island[i] as usize] as usize];
                c.group(c.levels, part as usize) as u32
            }
        });
        self.body_blocks.clear();
        for g in 0..self.groups.len() {
            let first = self.body_blocks.len();
            self.block_bodies(self.sort.group(g));
            self.groups[g].body_blocks = first..self.body_blocks.len();
        }
    }

    fn block_bodies(&mut self, span: Range<usize>) {
        for part in self.sort.order[span].chunks(WIDTH) {
            let mut block = BodyBlock { body: [0; WIDTH], count: part.len() as u32 };
            for (to, &i) in block.body.iter_mut().zip(part) {
                *to = i * RECORD as u32;
            }
            if part.len() < WIDTH {
                self.copies.push(0);
                block.body[part.len()..].fill((self.records + self.copies.len() as u32 - 1) * RECORD as u32);
            }
            self.body_blocks.push(block);
        }
    }

    /// Greedy, in order: the first colour that neither body has.
    fn colour_edges(&mut self, roles: &[Role], edges: &[Edge], span: Range<usize>, contact: bool) {
        for k in span.clone() {
            let e = &edges[self.sort.order[k] as usize];
            for body in [e.a, e.b] {
                self.used[body as usize] = 0;
            }
        }
        for k in span {
            let e = &edges[self.sort.order[k] as usize];
            if e.contact != contact {
                continue;
            }
            let moves = [e.a, e.b].map(|i| roles[i as usize] == Role::Dynamic);
            let mut taken = 0;
            for (body, moves) in [e.a, e.b].into_iter().zip(moves) {
                taken |= if moves { self.used[body as usize] } else { 0 };
            }
            let colour = (!taken).trailing_zeros().min(COLOURS as u32);
            self.colour[k] = colour;
            if colour < COLOURS as u32 {
                for (body, moves) in [e.a, e.b].into_iter().zip(moves) {
                    self.used[body as usize] |= if moves { 1 << colour } else { 0 };
                }
            }
        }
    }

    /// Blocks of a cluster's joints or contacts, colour by colour, in each kind by kind.
    fn fill(&mut self, roles: &[Role], paths: &[u32], edges: &[Edge], pieces: &[Piece], span: Range<usize>, contact: bool) {
        const KINDS: usize = Kind::ALL.len();
        self.buckets.clear();
        self.buckets.resize((COLOURS + 1) * KINDS + 1, 0);
        let key = |g: &Graph, k: usize, p: &Piece| g.colour[k] as usize * KINDS + p.kind as usize;
        let mut total = 0;
        for k in span.clone() {
            let e = &edges[self.sort.order[k] as usize];
            if e.contact == contact {
                for p in &pieces[e.first as usize..][..e.count as usize] {
                    let key = key(self, k, p);
                    self.buckets[key + 1] += 1;
                    total += 1;
                }
            }
        }
        for i in 1..self.buckets.len() {
            self.buckets[i] += self.buckets[i - 1];
        }
        self.sorted.clear();
        self.sorted.resize(total, (0, 0));
        for k in span {
            let edge = self.sort.order[k];
            let e = &edges[edge as usize];
            if e.contact == contact {
                for piece in e.first..e.first + e.count {
                    let key = key(self, k, &pieces[piece as usize]);
                    self.sorted[self.buckets[key] as usize] = (edge, piece);
                    self.buckets[key] += 1;
                }
            }
        }
        // The buckets now hold their ends.
        let mut from = 0;
        for bucket in 0..(COLOURS + 1) * KINDS {
            let to = self.buckets[bucket] as usize;
            if to == from {
                continue;
            }
            let kind = Kind::ALL[bucket % KINDS];
            // Beyond the colours nothing is known to be independent.
            let width = if bucket / KINDS < COLOURS { WIDTH } else { 1 };
            for start in (from..to).step_by(width) {
                let end = (start + width).min(to);
                self.push_block(roles, paths, edges, pieces, kind, start..end);
            }
            from = to;
        }
    }

    fn copy_of(&mut self, body: u32) -> u32 {
        self.copies.push(body);
        (self.records + self.copies.len() as u32 - 1) * RECORD as u32
    }

    fn push_block(&mut self, roles: &[Role], paths: &[u32], edges: &[Edge], pieces: &[Piece], kind: Kind, span: Range<usize>) {
        let stride = RECORD as u32;
        let count = span.len();
        let mut block = Block {
            a: [0; WIDTH],
            b: [0; WIDTH],
            mass_a: [0; WIDTH],
            mass_b: [0; WIDTH],
            pose_a: [0; WIDTH],
            pose_b: [0; WIDTH],
            next_a: [0; WIDTH],
            next_b: [0; WIDTH],
            line: self.lines as u32,
            count: count as u32,
            kind,
        };
        let mut source = [u32::MAX; WIDTH];
        for (lane, k) in span.enumerate() {
            let (edge, piece) = self.sorted[k];
            let e = &edges[edge as usize];
            source[lane] = pieces[piece as usize].source;
            (block.mass_a[lane], block.mass_b[lane]) = (e.a * stride, e.b * stride);
            let moves = [e.a, e.b].map(|i| roles[i as usize] == Role::Dynamic);
            block.a[lane] = if moves[0] { e.a * stride } else { self.copy_of(e.a) };
            block.b[lane] = if moves[1] { e.b * stride } else { self.copy_of(e.b) };
            let path = [e.a, e.b].map(|i| if paths[i as usize] == 0 { (i, 0) } else { (paths[i as usize], stride) });
            (block.pose_a[lane], block.next_a[lane]) = (path[0].0 * stride, path[0].1);
            (block.pose_b[lane], block.next_b[lane]) = (path[1].0 * stride, path[1].1);
        }
        // Lanes without a constraint share a record that nobody else writes.
        if count < WIDTH {
            let sink = self.copy_of(0);
            block.a[count..].fill(sink);
            block.b[count..].fill(sink);
        }
        self.lines += kind.all_rows();
        self.blocks.push(block);
        self.sources.push(source);
    }
}
