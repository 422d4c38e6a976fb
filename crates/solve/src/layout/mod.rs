//! Compiled descriptions: SIMD blocks, the permutation between host order and block order, and the memory behind both.
//!
//! ```text
//! strands, sorted by length:  [ 32 strands = block of width 32 ][ … ][ 5–16 left: width 16 ][ 2–4: width 4 ][ 1: width 1 ]
//! state of a block:           vertex 0: X.x[W] X.y[W] X.z[W] U.x[W] …   vertex 1: X.x[W] …            (STATE_ROWS rows each)
//! one strand:                 the same lane of every row
//! ```
//! The width of a block follows from the scene alone, never from the processor: an AVX-512 machine walks a block of 32
//! in one group of two registers, an AVX2 machine in two, and the GPU gives every lane an invocation.

mod frames;
mod order;
mod pointers;
mod rows;
mod workspace;

pub use frames::{relax_loop, transport, transported_axes};
pub use pointers::Pointers;
pub use rows::*;
pub use workspace::{Workspace, Workspaces, workspace_cells};

use crate::math::Elem;

/// A block of strands, one a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// 32, 16, 4 or 1; in f64 8, 4 or 1.
    pub width: usize,
    /// Vertices of the longest strand.
    pub vertices: usize,
    /// Edges of the shortest strand.
    pub min_edges: usize,
    /// Sum of width·vertices of the blocks before: multiply by the record's rows to get an offset.
    pub offset: usize,
    /// Sum of the widths of the blocks before.
    pub strand_offset: usize,
    /// The strand of each lane; `NO_STRAND` where a lane is padding.
    pub strands: [u32; MAX_LANES],
}

pub const NO_STRAND: u32 = u32::MAX;

/// Lanes of the widest block.
pub const MAX_LANES: usize = 32;
/// In f64, in which nothing wider is stepped (`step::dispatch`).
pub const DOUBLE_LANES: usize = 8;
/// A strand of more vertices than this is in no cache when it is walked again.
pub const LONG_STRAND: usize = 600;
/// Lanes of the widest block of such: of a wider one, the walk of a group moves its neighbours' lanes, too.
const LONG_LANES: usize = 16;

/// Where a strand went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub block: u32,
    pub lane: u32,
}

/// The compiled, immutable shape of a set of rods.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub counts: Vec<u32>,
    /// First vertex of each strand in host order; one more at the end.
    pub starts: Vec<u32>,
    pub blocks: Vec<Block>,
    pub places: Vec<Place>,
    /// Σ width·vertices
    pub cells: usize,
    /// Σ width
    pub lanes: usize,
}

impl Layout {
    /// Sorts by length (stable), fills blocks of 32, or 16 of long ones, and gives the rest the narrowest width that holds it.
    pub fn new(counts: Vec<u32>) -> Layout {
        Self::in_blocks_of(MAX_LANES, counts, &[])
    }

    /// The same in blocks of `widest` strands, [`MAX_LANES`] or [`DOUBLE_LANES`]: f64 has no wider lanes, and what lies between those of a wider
    /// block would only thin the caches out (long strands in f64 took twice as long). `tips`: where each strand ends, or none; neighbours share
    /// blocks.
    pub fn in_blocks_of(widest: usize, counts: Vec<u32>, tips: &[[f64; 3]]) -> Layout {
        let order = order::order(&counts, tips);
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut sum = 0;
        for &n in &counts {
            starts.push(sum);
            sum += n;
        }
        starts.push(sum);

        let mut blocks = Vec::with_capacity(counts.len().div_ceil(16));
        let mut places = vec![Place { block: 0, lane: 0 }; counts.len()];
        let (mut cells, mut lanes) = (0, 0);
        let mut left = order.as_slice();
        while let Some(&longest) = left.first() {
            let most = if counts[longest as usize] as usize > LONG_STRAND { widest.min(LONG_LANES) } else { widest };
            let (members, rest) = left.split_at(most.min(left.len()));
            left = rest;
            let width = match members.len() {
                1 => 1,
                2..=4 => 4,
                5..=8 if widest == DOUBLE_LANES => 8,
                5..=16 => 16,
                _ => 32,
            };
            let lengths = members.iter().map(|&s| counts[s as usize] as usize);
            let vertices = lengths.clone().max().unwrap_or(0);
            let min_edges = lengths.min().unwrap_or(1) - 1;
            let mut strands = [NO_STRAND; MAX_LANES];
            for (lane, &s) in members.iter().enumerate() {
                strands[lane] = s;
                places[s as usize] = Place { block: blocks.len() as u32, lane: lane as u32 };
            }
            blocks.push(Block { width, vertices, min_edges, offset: cells, strand_offset: lanes, strands });
            cells += width * vertices;
            lanes += width;
        }
        Layout { counts, starts, blocks, places, cells, lanes }
    }

    pub fn strand_count(&self) -> usize {
        self.counts.len()
    }
    pub fn vertex_count(&self) -> usize {
        self.starts.last().copied().unwrap_or(0) as usize
    }
    /// Numbers in the buffers that [`compile`] makes, at most.
    pub fn buffer_scalars(&self) -> usize {
        self.cells * (param::ROWS + state::ROWS) + self.lanes * (2 * support::ROWS + SPIN_ROWS + 1)
    }
    pub fn edge_count(&self) -> usize {
        self.vertex_count() - self.strand_count()
    }
    pub fn element_count(&self) -> usize {
        self.counts.iter().map(|&n| n as usize - 2).sum()
    }
    /// Index of a field in a buffer with `rows` rows a vertex.
    #[inline]
    pub fn index(&self, strand: usize, vertex: usize, rows: usize, field: usize) -> usize {
        let place = self.places[strand];
        let block = &self.blocks[place.block as usize];
        (block.offset + vertex * block.width) * rows + field * block.width + place.lane as usize
    }
    /// Index of a field in a buffer with `rows` rows a strand.
    #[inline]
    pub fn strand_index(&self, strand: usize, rows: usize, field: usize) -> usize {
        let place = self.places[strand];
        let block = &self.blocks[place.block as usize];
        block.strand_offset * rows + field * block.width + place.lane as usize
    }
    /// The strand and local vertex of a host vertex index.
    pub fn locate(&self, vertex: usize) -> Option<(usize, usize)> {
        if vertex >= self.vertex_count() {
            return None;
        }
        let strand = self.starts.partition_point(|&s| s as usize <= vertex) - 1;
        Some((strand, vertex - self.starts[strand] as usize))
    }
}

/// Bytes from which huge pages are asked for.
const HUGE: usize = 4 << 20;

/// Asks Linux for pages of 2 MB, before the memory is used: where a step walks through more than the caches hold, a tenth of its time is the
/// search for pages of 4 kB.
fn ask_for_huge_pages<T>(memory: &mut [core::mem::MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let range = memory.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(PAGE);
        let end = range.end as usize / PAGE * PAGE;
        if start < end {
            // SAFETY: whole pages within memory that is ours; the advice changes nothing of what is in them. Refused, it is slower.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// `count` of these, in huge pages where they are many.
pub fn filled<T: Clone>(count: usize, value: T) -> Vec<T> {
    let mut all = Vec::with_capacity(count);
    if count * size_of::<T>() >= HUGE {
        ask_for_huge_pages(all.spare_capacity_mut());
    }
    all.resize(count, value);
    all
}

/// Numbers on a cache-line boundary, so that a row of 16 lanes is one line.
#[derive(Debug, Clone)]
pub struct Aligned<E> {
    rows: Vec<Line<E>>,
    len: usize,
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Line<E>([E; 16]);

impl<E: Elem> Aligned<E> {
    pub fn zeroed(len: usize) -> Self {
        let zero = Line([E::default(); 16]);
        Aligned { rows: filled(len.div_ceil(16), zero), len }
    }
    pub fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Line<E>>()
    }
}

impl<E> core::ops::Deref for Aligned<E> {
    type Target = [E];
    fn deref(&self) -> &[E] {
        // SAFETY: `rows` holds at least `len` contiguous E: Line is repr(C) over [E; 16] and 16·size_of::<E>() is a
        // multiple of its alignment of 64 for the 4- and 8-byte types that Elem admits.
        unsafe { core::slice::from_raw_parts(self.rows.as_ptr().cast(), self.len) }
    }
}

impl<E> core::ops::DerefMut for Aligned<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        // SAFETY: as in deref, and `self` is borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.rows.as_mut_ptr().cast(), self.len) }
    }
}

/// The numbers of a set of rods in one precision: constants, state, and the host-driven ends.
#[derive(Debug, Clone)]
pub struct Buffers<E> {
    pub params: Aligned<E>,
    pub state: Aligned<E>,
    /// Root supports, then tip supports; empty where an end is free.
    pub supports: [Aligned<E>; 2],
    /// Anchors of roots, then of tips: [`tie::ROWS`] rows a strand, or empty where attachments hold none that Newton's method solves.
    pub ties: [Aligned<E>; 2],
    /// Four rows a vertex where ends may be [`tie::LOOSE`], or empty.
    pub spare: Aligned<E>,
    /// Of rods that may be pressed by rods or bodies: [`contact::ROWS`] rows a vertex, or empty.
    pub contact: Aligned<E>,
    /// Edges of each strand; 0 for padding.
    pub edges: Aligned<E>,
    /// External force on each vertex, N, and moment about the edge after it, N·m: [`FORCE_ROWS`] rows a vertex, or empty where the host
    /// has set none.
    pub forces: Aligned<E>,
    /// Σ m x×u of each strand in the substep: [`SPIN_ROWS`] rows a strand, or empty where an end is held.
    pub spin: Aligned<E>,
    /// The banded system of Newton's method: `rods::newton::SCRATCH_ROWS` rows a vertex, or empty.
    pub scratch: Aligned<E>,
    /// The same for a few blocks, which take it in turn (`step/workspace.rs`).
    pub workspace: Aligned<E>,
    /// Rest strains that only some models have: as many rows a vertex as the model says
    /// (`Model::EXTRA_ROWS`), or empty. κ̄₂ and κ̄₃ of discrete elastic rods.
    pub extra: Aligned<E>,
    /// State and constants of rods that keep their volume: [`scale::ROWS`] and [`bulk::ROWS`] rows a vertex,
    /// or empty. Their scratch has [`wide::ROWS`] more.
    pub scales: Aligned<E>,
    pub bulk: Aligned<E>,
    /// Of those that are swept: [`swept::ROWS`] rows a vertex, or empty.
    pub swept: Aligned<E>,
    /// Of muscles: their state, [`active::ROWS`] rows a vertex, or empty.
    pub active: Aligned<E>,
    /// Of those with Hill's force: [`hill::ROWS`] rows a vertex, or empty.
    pub hill: Aligned<E>,
    /// Of rods that are bundled: [`bundle::ROWS`] rows a vertex, or empty.
    pub bundle: Aligned<E>,
    /// Of rods of second order in time: more of their state, [`second::ROWS`] rows a vertex, or empty.
    pub second: Aligned<E>,
}

impl<E: Elem> Buffers<E> {
    pub fn bytes(&self) -> usize {
        self.params.bytes()
            + self.state.bytes()
            + self.supports[0].bytes()
            + self.supports[1].bytes()
            + self.ties[0].bytes()
            + self.ties[1].bytes()
            + self.spare.bytes()
            + self.contact.bytes()
            + self.edges.bytes()
            + self.forces.bytes()
            + self.spin.bytes()
            + self.scratch.bytes()
            + self.workspace.bytes()
            + self.extra.bytes()
            + self.scales.bytes()
            + self.bulk.bytes()
            + self.swept.bytes()
            + self.active.bytes()
            + self.hill.bytes()
            + self.bundle.bytes()
            + self.second.bytes()
    }
}
