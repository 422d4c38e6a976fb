//! How hair lies in memory: eight vertices of one strand a group.
//!
//! A strand's vertex at the share s of its length follows its guides at the same share of theirs. A
//! [`Table`] has all guides at the same shares, eight a group, so that a group of a strand takes the
//! like group of each of its guides, number by number, and nothing is gathered:
//!
//! ```text
//! table: guide 0 | group 0: x×8 y×8 z×8 qx×8 qy×8 qz×8 qw×8 | group 1 … | guide 1 …
//! hair:  strand 0 | group 0: dx×8 dy×8 dz×8 most×8 | group 1 … | strand 1 …
//! ```
//! Strands of n vertices with even edges take the table of n shares. There are at most [`TABLES`] of
//! those, for the n that most strands have. All others take the nearest shares of one finer table,
//! vertex by vertex; what a vertex then lacks along the guide is in its offset.

use crate::curve;
use crate::plan::Plan;
use crate::pose::Pose;
use crate::{Followed, Hair, Mark, Rest};
use rayon::prelude::*;
use withy_math::Vec3;
use withy_math::rng::Rng;

/// Vertices of a group.
pub const WIDTH: usize = 8;
/// Numbers of a sample: position, turn.
pub const NUMBERS: usize = 7;
/// Tables of even strands.
const TABLES: usize = 4;
/// Shares of the finer table.
const FINEST: usize = 64;

/// Three numbers of each vertex of a group.
pub type Vectors = [[f32; WIDTH]; 3];
/// What is added to the blend of the guides, and how far the vertex may be from the one before it, m.
pub type Offset = [[f32; WIDTH]; 4];
/// An edge gets at most so many times as long as it was groomed.
pub const STRETCH: f64 = 1.5;
/// What holds no vertex: its square is a number.
const FAR: f32 = 1e18;
/// A group of samples of one guide.
pub type Samples = [[f32; WIDTH]; NUMBERS];

/// Where a sample takes its numbers: counted from the guides' first vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tap {
    pub first: u32,
    pub edge: u32,
    pub weights: [f32; 4],
    pub share: f32,
}

/// All guides at the same shares of their lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub shares: usize,
    /// Those of guide g: `g * groups() * WIDTH..`; after the last share it is repeated.
    pub taps: Vec<Tap>,
    /// (1 − s)²: how much of a root that the host moves a vertex takes.
    pub fade: Vec<[f32; WIDTH]>,
}

impl Table {
    pub fn groups(&self) -> usize {
        self.shares.div_ceil(WIDTH)
    }
    pub fn share(&self, i: usize) -> f64 {
        i.min(self.shares - 1) as f64 / (self.shares - 1) as f64
    }
    pub fn memory_bytes(&self) -> usize {
        self.taps.len() * size_of::<Tap>() + size_of::<[f32; WIDTH]>() * self.fade.len()
    }

    fn new(shares: usize, rest: &Rest) -> Table {
        let mut t = Table { shares, taps: Vec::new(), fade: Vec::new() };
        let padded = t.groups() * WIDTH;
        t.fade = vec![[0.0; WIDTH]; t.groups()];
        for i in 0..padded {
            t.fade[i / WIDTH][i % WIDTH] = ((1.0 - t.share(i)) * (1.0 - t.share(i))) as f32;
        }
        t.taps.reserve_exact(padded * rest.counts.len());
        let mut first = 0;
        for &n in &rest.counts {
            let points = rest.positions[first..first + n as usize].iter().map(|p| Vec3::from(p.map(f64::from)));
            let lengths = curve::shares_of(points);
            for i in 0..padded {
                let at = curve::at(&lengths, t.share(i));
                t.taps.push(Tap {
                    first: first as u32 + at.first,
                    edge: first as u32 + at.edge,
                    weights: at.weights.map(|w| w as f32),
                    share: at.share as f32,
                });
            }
            first += n as usize;
        }
        t
    }
}

/// A render strand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strand {
    pub guides: [u32; 3],
    pub weights: [f32; 3],
    pub vertices: u32,
    /// Its first vertex, among those of all strands.
    pub first: u32,
    /// Its first group.
    pub group: u32,
    pub table: u32,
    /// [`EVEN`], or where its samples begin in [`Offsets::samples`].
    pub samples: u32,
    /// Its place in a random order: the last are left out first.
    pub rank: u32,
}

/// A strand that takes the samples of its table one by one.
pub const EVEN: u32 = u32::MAX;

/// What is added to the blend of the guides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offsets {
    /// m
    pub groups: Vec<Offset>,
    /// For each vertex of uneven strands: a sample of their table.
    pub samples: Vec<u16>,
}

impl Offsets {
    pub fn memory_bytes(&self) -> usize {
        self.groups.len() * size_of::<Offset>() + 2 * self.samples.len()
    }
}

/// Whether no vertex is farther than half an edge from where it would be with even edges.
fn is_even(lengths: &[f64]) -> bool {
    let last = (lengths.len() - 1) as f64;
    lengths.iter().enumerate().all(|(i, s)| (s * last - i as f64).abs() <= 0.5)
}

/// Strands in a fixed random order (Fisher and Yates): `rank[strand]`.
fn ranks(n: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut rng = Rng::new(0x7769_7468_795f_6861);
    for i in (1..n).rev() {
        let j = (rng.next_u64() % (i as u64 + 1)) as usize;
        order.swap(i, j);
    }
    let mut rank = vec![0; n];
    for (k, s) in order.into_iter().enumerate() {
        rank[s as usize] = k as u32;
    }
    rank
}

/// `points` are relative to the origin of `rest`.
pub(crate) fn lay_out(rest: Rest, counts: &[u32], points: Vec<[f32; 3]>, widths: Vec<f32>, followed: &[Followed]) -> Hair {
    let mut starts = Vec::with_capacity(counts.len());
    let mut first = 0u32;
    for n in counts {
        starts.push(first);
        first += n;
    }
    let of = |s: usize| &points[starts[s] as usize..(starts[s] + counts[s]) as usize];
    let lengths = |s: usize| curve::shares_of(of(s).iter().map(|p| Vec3::from(p.map(f64::from))));
    let even: Vec<bool> = (0..counts.len()).into_par_iter().map(|s| is_even(&lengths(s))).collect();

    // The counts that most even strands have, of equal ones the smallest.
    let mut often: Vec<(u32, usize)> = Vec::new();
    let mut sorted: Vec<u32> = counts.iter().zip(&even).filter(|x| *x.1).map(|x| *x.0).collect();
    sorted.sort_unstable();
    for run in sorted.chunk_by(|a, b| a == b) {
        often.push((run[0], run.len()));
    }
    often.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    // A table is worth its while where it has fewer samples than the strands that take it.
    often.retain(|(n, strands)| 3 * strands >= rest.counts.len() || (*n as usize) < FINEST);
    often.truncate(TABLES);
    let mut tables: Vec<Table> = often.iter().map(|(n, _)| Table::new(*n as usize, &rest)).collect();
    let table_of = |s: usize| often.iter().position(|x| even[s] && x.0 == counts[s]);
    let fine = tables.len();
    if (0..counts.len()).any(|s| table_of(s).is_none()) {
        let longest = rest.counts.iter().copied().max().unwrap_or(2) as usize;
        tables.push(Table::new((2 * longest).next_multiple_of(WIDTH).clamp(32, FINEST), &rest));
    }

    let ranks = ranks(counts.len());
    let mut offsets = Offsets::default();
    let mut strands = Vec::with_capacity(counts.len());
    let mut group = 0u32;
    for (s, &n) in counts.iter().enumerate() {
        let mut strand = Strand {
            guides: followed[s].guides,
            weights: followed[s].weights,
            vertices: n,
            first: starts[s],
            group,
            table: table_of(s).unwrap_or(fine) as u32,
            samples: EVEN,
            rank: ranks[s],
        };
        if table_of(s).is_none() {
            strand.samples = offsets.samples.len() as u32;
            let last = (tables[fine].shares - 1) as f64;
            offsets.samples.extend(lengths(s).into_iter().map(|x| (x * last).round() as u16));
        }
        group += n.div_ceil(WIDTH as u32);
        strands.push(strand);
    }

    offsets.groups = vec![[[0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH], [FAR; WIDTH]]; group as usize];
    let mut hair = Hair { rest, strands, points, widths, tables, offsets, full: Plan::default(), mark: Mark::new() };
    // Offsets are what the blend lacks at the bind pose, computed as it is in a read.
    let mut pose = Pose::default();
    hair.pose_at_rest(&mut pose);
    let mut groups = core::mem::take(&mut hair.offsets.groups);
    let mut rest_of = groups.as_mut_slice();
    let mut each = Vec::with_capacity(hair.strands.len());
    for s in &hair.strands {
        let (own, after) = rest_of.split_at_mut((s.vertices as usize).div_ceil(WIDTH));
        rest_of = after;
        each.push(own);
    }
    each.into_par_iter().zip(&hair.strands).for_each(|(own, s)| {
        for v in 0..s.vertices as usize {
            let blend = hair.blend(&pose, s, v);
            let p = hair.points[s.first as usize + v];
            for k in 0..3 {
                own[v / WIDTH][k][v % WIDTH] = p[k] - blend[k];
            }
            let before = hair.points[s.first as usize + v.saturating_sub(1)];
            let edge = (Vec3::from(p.map(f64::from)) - Vec3::from(before.map(f64::from))).length();
            own[v / WIDTH][3][v % WIDTH] = (STRETCH * edge) as f32;
        }
    });
    hair.offsets.groups = groups;
    hair.full = Plan::full(&hair);
    hair
}
