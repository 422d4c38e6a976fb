//! What is solved together.
//!
//! Bodies that touch or are joined form islands, islands form clusters, and large clusters are cut
//! into parts. Within each, constraints have colours: those of one colour share no moving body. All
//! of it follows from the scene, from the order of creation and from place; never from cores or
//! lanes.

use super::drive::{Block, BodyBlock, Kind, Record};
use super::parts::Knife;
use crate::math::Elem;
use crate::math::lane::RECORD;
use crate::math::rows::WIDTH;
use crate::tasks::{Each, Inline, TaskRunner};
use core::ops::Range;
use core::slice::IterMut;

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
/// Elements of one colour and kind; the last colour is all beyond.
const BUCKETS: usize = (COLOURS + 1) * KINDS;
const KINDS: usize = Kind::ALL.len();
/// Fewer edges are not handed to other threads.
const FEW: usize = 1024;
/// Seats that nobody has between those of two groups, so that no line of a cache, nor the next, is of both.
const GAP: usize = 4;

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
    level: u32,
    blocks: Range<usize>,
    body_blocks: Range<usize>,
    /// Where its elements and lines are, and its seats: of its bodies, and of copies for what no impulse moves.
    elements: Range<usize>,
    lines: Range<usize>,
    seats: Range<usize>,
    copies: Range<usize>,
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
    /// Of each level and body: the colours that it has.
    used: Vec<u64>,
    /// Of each edge, as the groups sort them: its colour.
    colour: Vec<u32>,
    sort: Sort,
    /// Edge and piece of each element, by group, colour and kind.
    sorted: Vec<(u32, u32)>,
    pub blocks: Vec<Block>,
    /// Of each block's lanes: the element.
    pub sources: Vec<[u32; WIDTH]>,
    pub body_blocks: Vec<BodyBlock>,
    pub clusters: Vec<Cluster>,
    groups: Vec<Group>,
    /// Records of velocities as the step has them: whose they are, 0 where nobody's. Each group's are apart from the others'.
    pub seats: Vec<u32>,
    /// Of each body that moves.
    seat_of: Vec<u32>,
    /// Records that unused lanes of bodies need, after those in use.
    pub spares: usize,
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

    /// Clusters, parts, colours and blocks of what is awake.
    pub fn build<E: Elem>(&mut self, scene: &Scene<'_, E>, runner: &dyn TaskRunner) {
        let &Scene { roles, edges, .. } = scene;
        self.gather_islands();
        self.place_bodies(scene);
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
        let levels = 1 + self.clusters.iter().map(|c| c.levels as usize).max().unwrap_or(0);
        if self.used.len() < levels * roles.len() {
            self.used.resize(levels * roles.len(), 0);
        }
        let runner: &dyn TaskRunner = if edges.len() < FEW { &Inline } else { runner };
        let (count, sort) = (self.groups.len(), &self.sort);
        let (groups, colour, used) = (Each::new(&mut self.groups), Each::new(&mut self.colour), Each::new(&mut self.used));
        runner.run(count, &|g| {
            let span = sort.group(g);
            let order = &sort.order[span.clone()];
            // SAFETY: a group and its edges are one task's; groups of one level share no body that moves, and of others nothing is written.
            unsafe {
                let group = groups.at(g);
                let used = used.part(group.level as usize * roles.len()..(group.level as usize + 1) * roles.len());
                group.count(scene, order, colour.span(span), &used);
            }
        });
        let (mut blocks, mut elements, mut copies, mut lines) = (0, 0, self.seats.len(), 0);
        for g in &mut self.groups {
            for (at, range) in [
                (&mut blocks, &mut g.blocks),
                (&mut elements, &mut g.elements),
                (&mut copies, &mut g.copies),
                (&mut lines, &mut g.lines),
            ] {
                *range = *at..*at + range.len();
                *at = range.end;
            }
        }
        self.lines = lines;
        self.blocks.resize(blocks, Block::default());
        self.sources.resize(blocks, [0; WIDTH]);
        self.seats.resize(copies, 0);
        if self.sorted.len() < elements {
            self.sorted.resize(elements, (0, 0));
        }
        let (groups, colour, seat_of) = (&self.groups, &self.colour, &self.seat_of);
        let (blocks, sources) = (Each::new(&mut self.blocks), Each::new(&mut self.sources));
        let (seats, sorted) = (Each::new(&mut self.seats), Each::new(&mut self.sorted));
        runner.run(count, &|g| {
            let (group, span) = (&groups[g], sort.group(g));
            // SAFETY: the ranges of groups are apart, and each group is one task's.
            let mut fill = unsafe {
                Fill {
                    scene,
                    sorted: sorted.span(group.elements.clone()),
                    blocks: blocks.span(group.blocks.clone()).iter_mut(),
                    sources: sources.span(group.blocks.clone()).iter_mut(),
                    seat_of,
                    copies: seats.span(group.copies.clone()).iter_mut(),
                    copy: group.copies.start,
                    line: group.lines.start,
                }
            };
            fill.fill(&sort.order[span.clone()], &colour[span]);
        });
    }

    /// The cluster that solves a body; `None` where it sleeps.
    pub fn cluster(&self, body: u32) -> Option<u32> {
        let island = *self.island.get(body as usize)?;
        self.cluster_of.get(island as usize).copied().filter(|&c| c != u32::MAX)
    }
    /// Of each body that moves: its seat.
    pub fn seat_of(&self) -> &[u32] {
        &self.seat_of
    }
    /// The blocks of groups that follow each other.
    pub fn blocks(&self, groups: Range<usize>) -> Range<usize> {
        self.groups[groups.start].blocks.start..self.groups[groups.end - 1].blocks.end
    }
    pub fn body_blocks(&self, groups: Range<usize>) -> Range<usize> {
        self.groups[groups.start].body_blocks.start..self.groups[groups.end - 1].body_blocks.end
    }
    /// The seats of their bodies, and those of copies.
    pub fn seats(&self, groups: Range<usize>) -> [Range<usize>; 2] {
        let (first, last) = (&self.groups[groups.start], &self.groups[groups.end - 1]);
        [first.seats.start..last.seats.end, first.copies.start..last.copies.end]
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
    fn place_bodies<E: Elem>(&mut self, scene: &Scene<'_, E>) {
        let &Scene { roles, poses, edges, .. } = scene;
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
            for (level, k) in (0..=cluster.levels).flat_map(|level| (0..1 << level).map(move |k| (level, k))) {
                self.groups[cluster.group(level, k)].level = level;
            }
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
        self.seats.clear();
        self.seat_of.resize(roles.len(), 0);
        self.spares = 0;
        for g in 0..self.groups.len() {
            let (blocks, seats) = (self.body_blocks.len(), self.seats.len());
            self.block_bodies(self.sort.group(g), scene.records);
            if self.seats.len() > seats {
                self.seats.resize(self.seats.len() + GAP, 0);
            }
            (self.groups[g].body_blocks, self.groups[g].seats) = (blocks..self.body_blocks.len(), seats..self.seats.len());
        }
    }

    fn block_bodies(&mut self, span: Range<usize>, records: u32) {
        let stride = RECORD as u32;
        for part in self.sort.order[span].chunks(WIDTH) {
            let first = self.seats.len() as u32;
            let mut block = BodyBlock {
                body: [0; WIDTH],
                seat: core::array::from_fn(|lane| (first + lane as u32) * stride),
                count: part.len() as u32,
            };
            for ((to, seat), &i) in block.body.iter_mut().zip(first..).zip(part) {
                *to = i * stride;
                self.seat_of[i as usize] = seat;
            }
            self.seats.extend_from_slice(part);
            if part.len() < WIDTH {
                block.body[part.len()..].fill((records + self.spares as u32) * stride);
                self.spares += 1;
                self.seats.resize(first as usize + WIDTH, 0);
            }
            self.body_blocks.push(block);
        }
    }
}

/// What is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, E> {
    pub roles: &'a [Role],
    /// Where the poses of bodies that the host moves are, 0 for others.
    pub paths: &'a [u32],
    /// Where bodies are.
    pub poses: &'a [Record<E>],
    /// In use; spare ones follow them.
    pub records: u32,
    pub edges: &'a [Edge],
    pub pieces: &'a [Piece],
}

impl<E> Scene<'_, E> {
    fn moves(&self, body: u32) -> bool {
        self.roles[body as usize] == Role::Dynamic
    }
    fn pieces(&self, e: &Edge) -> Range<u32> {
        e.first..e.first + e.count
    }
    fn kind(&self, piece: u32) -> Kind {
        self.pieces[piece as usize].kind
    }
}

/// Elements of each bucket.
type Buckets = [u32; BUCKETS];

fn bucket(colour: u32, kind: Kind) -> usize {
    colour as usize * KINDS + kind as usize
}
/// Elements of a block. Beyond the colours nothing is known to be independent.
fn width(bucket: usize) -> usize {
    if bucket / KINDS < COLOURS { WIDTH } else { 1 }
}

impl Group {
    /// Colours of its edges, in `order`, and how much room its blocks take. `used`: of each body.
    ///
    /// # Safety
    /// Nobody else has the bodies of these edges that move.
    unsafe fn count<E>(&mut self, scene: &Scene<'_, E>, order: &[u32], colours: &mut [u32], used: &Each<'_, u64>) {
        let (mut blocks, mut elements, mut copies, mut lines) = (0, 0, 0, 0);
        for contact in [false, true] {
            let mut buckets = [0; BUCKETS];
            // SAFETY: the caller's contract.
            unsafe { colour(scene, order, contact, colours, used) };
            for (&edge, &colour) in order.iter().zip(&*colours) {
                let e = &scene.edges[edge as usize];
                if e.contact == contact {
                    let still = [e.a, e.b].into_iter().filter(|&i| !scene.moves(i)).count();
                    copies += still * e.count as usize;
                    elements += e.count as usize;
                    scene.pieces(e).for_each(|p| buckets[bucket(colour, scene.kind(p))] += 1);
                }
            }
            for (k, &count) in buckets.iter().enumerate().filter(|b| *b.1 > 0) {
                let of_bucket = (count as usize).div_ceil(width(k));
                blocks += of_bucket;
                lines += of_bucket * Kind::ALL[k % KINDS].all_rows();
                // One for the lanes without a constraint.
                copies += if width(k) == 1 { of_bucket } else { usize::from(!(count as usize).is_multiple_of(WIDTH)) };
            }
        }
        let copies = if copies > 0 { copies + GAP } else { 0 };
        (self.blocks, self.elements, self.copies, self.lines) = (0..blocks, 0..elements, 0..copies, 0..lines);
    }
}

/// Greedy, in order: the first colour that neither body has.
///
/// # Safety
/// Nobody else has the bodies of these edges that move.
unsafe fn colour<E>(scene: &Scene<'_, E>, order: &[u32], contact: bool, colours: &mut [u32], used: &Each<'_, u64>) {
    // SAFETY: the caller's contract.
    let of = |body: u32| unsafe { used.at(body as usize) };
    for &edge in order {
        let e = &scene.edges[edge as usize];
        [e.a, e.b].into_iter().filter(|&i| scene.moves(i)).for_each(|i| *of(i) = 0);
    }
    for (&edge, colour) in order.iter().zip(colours) {
        let e = &scene.edges[edge as usize];
        if e.contact != contact {
            continue;
        }
        let ends = || [e.a, e.b].into_iter().filter(|&i| scene.moves(i));
        let taken = ends().fold(0, |taken, i| taken | *of(i));
        *colour = (!taken).trailing_zeros().min(COLOURS as u32);
        if *colour < COLOURS as u32 {
            ends().for_each(|i| *of(i) |= 1 << *colour);
        }
    }
}

/// Blocks of a group in the making.
struct Fill<'a, E> {
    scene: &'a Scene<'a, E>,
    sorted: &'a mut [(u32, u32)],
    blocks: IterMut<'a, Block>,
    sources: IterMut<'a, [u32; WIDTH]>,
    seat_of: &'a [u32],
    /// Copies, and the seat of the next.
    copies: IterMut<'a, u32>,
    copy: usize,
    line: usize,
}

impl<E> Fill<'_, E> {
    /// Joints, then contacts; of each colour by colour, in each kind by kind.
    fn fill(&mut self, order: &[u32], colours: &[u32]) {
        let scene = self.scene;
        for contact in [false, true] {
            let each = || {
                let edges = order.iter().zip(colours).map(|(&edge, &colour)| (edge, colour, &scene.edges[edge as usize]));
                edges.filter(move |(_, _, e)| e.contact == contact)
            };
            let mut ends: Buckets = [0; BUCKETS];
            for (_, colour, e) in each() {
                scene.pieces(e).for_each(|p| ends[bucket(colour, scene.kind(p))] += 1);
            }
            let mut total = 0;
            for end in &mut ends {
                (*end, total) = (total, total + *end);
            }
            for (edge, colour, e) in each() {
                for piece in scene.pieces(e) {
                    let end = &mut ends[bucket(colour, scene.kind(piece))];
                    self.sorted[*end as usize] = (edge, piece);
                    *end += 1;
                }
            }
            let mut from = 0;
            for (k, &to) in ends.iter().enumerate().filter(|b| *b.1 > 0) {
                while from < to as usize {
                    let end = (from + width(k)).min(to as usize);
                    self.push(Kind::ALL[k % KINDS], from..end);
                    from = end;
                }
            }
        }
        // The gap.
        self.copies.by_ref().for_each(|seat| *seat = 0);
    }

    fn seat(&mut self, body: u32) -> u32 {
        if self.scene.moves(body) { self.seat_of[body as usize] * RECORD as u32 } else { self.copy_of(body) }
    }

    fn copy_of(&mut self, body: u32) -> u32 {
        *self.copies.next().expect("counted") = body;
        self.copy += 1;
        (self.copy - 1) as u32 * RECORD as u32
    }

    fn push(&mut self, kind: Kind, span: Range<usize>) {
        let (stride, scene, count) = (RECORD as u32, self.scene, span.len());
        let mut block = Block { line: self.line as u32, count: count as u32, kind, ..Block::default() };
        let mut source = [u32::MAX; WIDTH];
        for (lane, k) in span.enumerate() {
            let (edge, piece) = self.sorted[k];
            let e = &scene.edges[edge as usize];
            source[lane] = scene.pieces[piece as usize].source;
            (block.mass_a[lane], block.mass_b[lane]) = (e.a * stride, e.b * stride);
            (block.a[lane], block.b[lane]) = (self.seat(e.a), self.seat(e.b));
            let path = [e.a, e.b].map(|i| if scene.paths[i as usize] == 0 { (i, 0) } else { (scene.paths[i as usize], stride) });
            (block.pose_a[lane], block.next_a[lane]) = (path[0].0 * stride, path[0].1);
            (block.pose_b[lane], block.next_b[lane]) = (path[1].0 * stride, path[1].1);
        }
        // Lanes without a constraint share a record that nobody else writes.
        if count < WIDTH {
            let sink = self.copy_of(0);
            block.a[count..].fill(sink);
            block.b[count..].fill(sink);
        }
        self.line += kind.all_rows();
        *self.blocks.next().expect("counted") = block;
        *self.sources.next().expect("counted") = source;
    }
}
