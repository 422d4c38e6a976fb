//! Memory for Newton's method that blocks take in turn.
//!
//! A block that nothing couples to others needs its banded system from the beginning of a step to its end, and nobody reads it afterwards.
//! With memory of its own each block would stream 300 bytes a vertex through all caches in every step; in turn, they find it in the
//! second-level cache, and sets that nothing is coupled to have no other. Coupled blocks go stage by stage and have their own
//! ([`Buffers::scratch`]).

use super::{Buffers, Layout};
use crate::math::Elem;
use core::sync::atomic::{AtomicU64, Ordering};

/// Vertices of a block, times its lanes, beyond which blocks keep to their own memory: there is nothing to gain where no second-level cache
/// holds it.
const MOST_CELLS: usize = 4096;
/// At most so many are in use at a time, a bit each.
const MOST: usize = 64;

/// Cells of the largest block.
fn cells(layout: &Layout) -> usize {
    layout.blocks.iter().map(|b| b.width * b.vertices).max().unwrap_or(0)
}

/// Cells of [`Buffers::workspace`]: one for each core that can be at work at a time, as far as there are blocks; none where blocks are
/// too large for it.
pub fn workspace_cells(layout: &Layout) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    if cells(layout) > MOST_CELLS { 0 } else { cells(layout) * cores.min(layout.blocks.len()).min(MOST) }
}

/// Those of a set of rods while it is stepped: good as long as nobody else touches the buffers.
pub struct Workspaces<E> {
    first: *mut E,
    /// Numbers of one, and how many there are.
    size: usize,
    count: usize,
    taken: AtomicU64,
}

// SAFETY: what `take` gives out is nobody else's until it is dropped.
unsafe impl<E> Sync for Workspaces<E> {}

impl<E: Elem> Workspaces<E> {
    /// Of rods that are `alone`; others use none. `rows`: of a vertex.
    pub fn new(buffers: &mut Buffers<E>, layout: &Layout, rows: usize, alone: bool) -> Self {
        let size = cells(layout) * rows;
        let count = if alone && size > 0 { (buffers.workspace.len() / size).min(MOST) } else { 0 };
        Workspaces { first: buffers.workspace.as_mut_ptr(), size, count, taken: AtomicU64::new(0) }
    }

    /// One that nobody else has; `None` where blocks have their own memory. Waits only if more threads are at work than the machine had cores
    /// when the rods were created.
    pub fn take(&self) -> Option<Workspace<'_, E>> {
        if self.count == 0 {
            return None;
        }
        loop {
            for k in 0..self.count {
                if self.taken.fetch_or(1 << k, Ordering::Acquire) & (1 << k) == 0 {
                    return Some(Workspace { of: self, k });
                }
            }
            std::thread::yield_now();
        }
    }
}

/// One of them, given back when dropped.
pub struct Workspace<'a, E> {
    of: &'a Workspaces<E>,
    k: usize,
}

impl<E: Elem> Workspace<'_, E> {
    /// Where it lies: for one block at a time.
    pub fn first(&self) -> *mut E {
        self.of.first.wrapping_add(self.k * self.of.size)
    }
}

impl<E> Drop for Workspace<'_, E> {
    fn drop(&mut self) {
        self.of.taken.fetch_and(!(1 << self.k), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desc::{RodsDesc, SweepOrder, WorldDesc};
    use crate::rods::compile::{compile, workspace_rows};

    /// Two that are out at the same time lie apart, and one that came back is given again.
    #[test]
    fn each_has_its_own() {
        let strands = 200;
        let desc = RodsDesc {
            positions: (0..strands * 3).map(|i| [f64::from(i / 3) * 0.01, f64::from(i % 3) * -0.01, 0.0]).collect(),
            counts: vec![3; strands as usize],
            order: SweepOrder::Direct,
            ..RodsDesc::default()
        };
        let layout = Layout::new(desc.counts.clone());
        let mut buffers = compile::<f32>(&desc, &layout, WorldDesc::default().gravity, 1.0 / 480.0).buffers;
        let rows = workspace_rows(&desc);
        let all = Workspaces::new(&mut buffers, &layout, rows, true);
        assert!(all.count >= 1 && all.size == 32 * 3 * rows);
        let mut out: Vec<_> = (0..all.count).filter_map(|_| all.take()).collect();
        let mut places: Vec<usize> = out.iter().map(|w| w.first() as usize).collect();
        places.sort_unstable();
        assert!(places.windows(2).all(|p| p[1] - p[0] >= all.size * size_of::<f32>()));
        assert!(places.last().unwrap() + all.size * size_of::<f32>() <= buffers.workspace.as_ptr_range().end as usize);
        let back = out.pop().unwrap().first();
        assert_eq!(all.take().unwrap().first(), back);
        assert!(Workspaces::new(&mut buffers, &layout, rows, false).take().is_none());
    }
}
