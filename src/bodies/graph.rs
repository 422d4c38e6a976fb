//! What is solved together: islands of bodies that touch or are joined, clusters of islands, and inside of a cluster colours: constraints
//! of one colour share no body that moves. All of it follows from the scene alone, in the order of creation, never from cores or lanes.

use super::drive::{Block, BodyBlock, Kind};
use super::rows::WIDTH;
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
/// Colours of one word. Constraints beyond are solved one after the other.
const COLOURS: usize = 63;

/// Islands that are solved by one task.
#[derive(Clone, Debug)]
pub struct Cluster {
    pub blocks: Range<usize>,
    pub body_blocks: Range<usize>,
    /// Runs of blocks that share no body that moves.
    pub runs: Range<usize>,
    pub bodies: u32,
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
    used: Vec<u64>,
    colour: Vec<u32>,
    order: Vec<u32>,
    starts: Vec<u32>,
    buckets: Vec<u32>,
    sorted: Vec<(u32, u32)>,
    pub blocks: Vec<Block>,
    /// Of each block's lanes: the element.
    pub sources: Vec<[u32; WIDTH]>,
    pub body_blocks: Vec<BodyBlock>,
    /// Ends of runs, into the blocks.
    pub runs: Vec<usize>,
    pub clusters: Vec<Cluster>,
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

    /// Clusters, colours and blocks of what is awake. `paths`: where the poses of bodies that the host moves are, 0 for others. `records` are
    /// in use; copies follow them.
    pub fn build(&mut self, roles: &[Role], paths: &[u32], records: u32, edges: &[Edge], pieces: &[Piece]) {
        let n = roles.len();
        self.records = records;
        for list in [&mut self.size, &mut self.cluster_of] {
            list.clear();
            list.resize(self.awake.len(), 0);
        }
        for i in 0..n {
            if self.island[i] != u32::MAX {
                self.size[self.island[i] as usize] += 1;
            }
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
                self.clusters.push(Cluster { blocks: 0..0, body_blocks: 0..0, runs: 0..0, bodies: 0 });
                filled = 0;
            }
            self.cluster_of[island] = self.clusters.len() as u32 - 1;
            self.clusters.last_mut().expect("just made").bodies += size;
            filled += size;
        }
        self.blocks.clear();
        self.sources.clear();
        self.runs.clear();
        // A run has a block at least: allocates only with the blocks.
        self.runs.reserve(self.blocks.capacity());
        self.copies.clear();
        self.lines = 0;
        self.place_bodies(roles);
        self.sort_edges(roles, edges);
        self.used.clear();
        self.used.resize(n, 0);
        for c in 0..self.clusters.len() {
            let (first_block, first_run) = (self.blocks.len(), self.runs.len());
            let span = self.starts[c] as usize..self.starts[c + 1] as usize;
            for contact in [false, true] {
                self.colour_edges(roles, edges, span.clone(), contact);
                self.fill(roles, paths, edges, pieces, span.clone(), contact);
            }
            self.clusters[c].blocks = first_block..self.blocks.len();
            self.clusters[c].runs = first_run..self.runs.len();
        }
    }

    /// The cluster that solves an edge: that of its dynamic end. `None` if nothing of it moves or it is asleep.
    fn cluster(&self, roles: &[Role], e: &Edge) -> Option<u32> {
        let body = if roles[e.a as usize] == Role::Dynamic { e.a } else { e.b };
        if roles[body as usize] != Role::Dynamic {
            return None;
        }
        let cluster = self.cluster_of[self.island[body as usize] as usize];
        (cluster != u32::MAX).then_some(cluster)
    }

    fn place_bodies(&mut self, roles: &[Role]) {
        // Counted, then placed: in the order of creation within each cluster.
        let clusters = self.clusters.len();
        self.starts.clear();
        self.starts.resize(clusters + 1, 0);
        let mut count = core::mem::take(&mut self.starts);
        let at = |g: &Graph, i: usize| {
            (roles[i] == Role::Dynamic).then(|| g.cluster_of[g.island[i] as usize]).filter(|&c| c != u32::MAX)
        };
        for i in 0..roles.len() {
            if let Some(c) = at(self, i) {
                count[c as usize + 1] += 1;
            }
        }
        for c in 0..clusters {
            count[c + 1] += count[c];
        }
        self.order.clear();
        self.order.resize(count[clusters] as usize, 0);
        self.buckets.clear();
        self.buckets.extend_from_slice(&count);
        let mut next = core::mem::take(&mut self.buckets);
        for i in 0..roles.len() {
            if let Some(c) = at(self, i) {
                self.order[next[c as usize] as usize] = i as u32;
                next[c as usize] += 1;
            }
        }
        self.buckets = next;
        self.body_blocks.clear();
        for c in 0..clusters {
            let first = self.body_blocks.len();
            for part in self.order[count[c] as usize..count[c + 1] as usize].chunks(WIDTH) {
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
            self.clusters[c].body_blocks = first..self.body_blocks.len();
        }
        self.starts = count;
    }

    fn sort_edges(&mut self, roles: &[Role], edges: &[Edge]) {
        let clusters = self.clusters.len();
        self.starts.clear();
        self.starts.resize(clusters + 1, 0);
        let mut count = core::mem::take(&mut self.starts);
        for e in edges {
            if let Some(c) = self.cluster(roles, e) {
                count[c as usize + 1] += 1;
            }
        }
        for c in 0..clusters {
            count[c + 1] += count[c];
        }
        self.order.clear();
        self.order.resize(count[clusters] as usize, 0);
        self.buckets.clear();
        self.buckets.extend_from_slice(&count);
        let mut next = core::mem::take(&mut self.buckets);
        for (i, e) in edges.iter().enumerate() {
            if let Some(c) = self.cluster(roles, e) {
                self.order[next[c as usize] as usize] = i as u32;
                next[c as usize] += 1;
            }
        }
        self.buckets = next;
        self.starts = count;
    }

    /// Greedy, in order: the first colour that neither body has.
    fn colour_edges(&mut self, roles: &[Role], edges: &[Edge], span: Range<usize>, contact: bool) {
        self.colour.resize(self.order.len(), 0);
        for k in span.clone() {
            let e = &edges[self.order[k] as usize];
            for body in [e.a, e.b] {
                self.used[body as usize] = 0;
            }
        }
        for k in span {
            let e = &edges[self.order[k] as usize];
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
            let e = &edges[self.order[k] as usize];
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
            let edge = self.order[k];
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
                if width == 1 {
                    self.runs.push(self.blocks.len());
                }
            }
            // A joint's elements share bodies, a contact is one element.
            let ends =
                !contact || bucket % KINDS == KINDS - 1 || self.buckets[bucket - bucket % KINDS + KINDS - 1] as usize == to;
            if width > 1 && ends {
                self.runs.push(self.blocks.len());
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
