//! Raw access to the buffers, for drivers that walk lanes.

use super::{Aligned, Block, Buffers, FORCE_ROWS, SPARE_ROWS, SPIN_ROWS};
use super::{active, bulk, bundle, contact, hill, param, scale, scratch, second, state, support, swept, tie, wide};
use crate::math::Elem;

/// Where the rows of some strands begin; null where there are none. Made of all strands, or, by
/// [`Self::at`], of neighbouring lanes of one block.
#[derive(Clone, Copy)]
pub struct Pointers<E> {
    pub params: *const E,
    pub state: *mut E,
    pub edges: *const E,
    pub supports: [*const E; 2],
    pub ties: [*mut E; 2],
    pub spare: *mut E,
    pub contact: *mut E,
    pub forces: *const E,
    pub spin: *mut E,
    pub scratch: *mut E,
    /// [`kept`](super::kept); null where blocks have their own scratch, or keep their volume.
    pub kept: *mut E,
    pub extra: *const E,
    /// Rows a vertex of `extra`.
    pub extra_rows: usize,
    /// Null where rods do not keep their volume.
    pub scales: *mut E,
    pub bulk: *const E,
    /// Null where they are not swept.
    pub swept: *mut E,
    /// Null where rods are no muscles, or have no Hill's force.
    pub active: *mut E,
    pub hill: *mut E,
    /// Null where rods are not bundled.
    pub bundle: *mut E,
    /// Null where rods are of first order in time.
    pub second: *mut E,
}

fn first<E: Elem>(rows: &mut Aligned<E>) -> *mut E {
    if rows.is_empty() { core::ptr::null_mut() } else { rows.as_mut_ptr() }
}

#[inline(always)]
fn ahead<E>(rows: *mut E, by: usize) -> *mut E {
    if rows.is_null() { rows } else { rows.wrapping_add(by) }
}

impl<E: Elem> Pointers<E> {
    /// They are good as long as nobody else touches the buffers. `cells`: those of the layout.
    pub fn new(b: &mut Buffers<E>, cells: usize) -> Self {
        Pointers {
            params: first(&mut b.params),
            state: first(&mut b.state),
            edges: first(&mut b.edges),
            supports: b.supports.each_mut().map(|s| first(s).cast_const()),
            ties: b.ties.each_mut().map(first),
            spare: first(&mut b.spare),
            contact: first(&mut b.contact),
            forces: first(&mut b.forces),
            spin: first(&mut b.spin),
            scratch: first(&mut b.scratch),
            kept: core::ptr::null_mut(),
            extra: first(&mut b.extra),
            extra_rows: b.extra.len() / cells.max(1),
            scales: first(&mut b.scales),
            bulk: first(&mut b.bulk),
            swept: first(&mut b.swept),
            active: first(&mut b.active),
            hill: first(&mut b.hill),
            bundle: first(&mut b.bundle),
            second: first(&mut b.second),
        }
    }

    /// Those of the lanes of a block from `lane` on.
    #[inline(always)]
    pub fn at(&self, block: &Block, lane: usize) -> Self {
        let scratch_rows = scratch::ROWS + if self.scales.is_null() { 0 } else { wide::ROWS };
        Pointers {
            params: ahead(self.params.cast_mut(), block.offset * param::ROWS + lane),
            state: ahead(self.state, block.offset * state::ROWS + lane),
            edges: ahead(self.edges.cast_mut(), block.strand_offset + lane),
            supports: self.supports.map(|s| ahead(s.cast_mut(), block.strand_offset * support::ROWS + lane).cast_const()),
            ties: self.ties.map(|t| ahead(t, block.strand_offset * tie::ROWS + lane)),
            spare: ahead(self.spare, block.offset * SPARE_ROWS + lane),
            contact: ahead(self.contact, block.offset * contact::ROWS + lane),
            forces: ahead(self.forces.cast_mut(), block.offset * FORCE_ROWS + lane),
            spin: ahead(self.spin, block.strand_offset * SPIN_ROWS + lane),
            // Lanes of a group lie together here: nobody else reads it.
            kept: self.kept,
            scratch: ahead(self.scratch, (block.offset + lane * block.vertices) * scratch_rows),
            extra: ahead(self.extra.cast_mut(), block.offset * self.extra_rows + lane),
            extra_rows: self.extra_rows,
            scales: ahead(self.scales, block.offset * scale::ROWS + lane),
            bulk: ahead(self.bulk.cast_mut(), block.offset * bulk::ROWS + lane),
            swept: ahead(self.swept, block.offset * swept::ROWS + lane),
            active: ahead(self.active, block.offset * active::ROWS + lane),
            hill: ahead(self.hill, block.offset * hill::ROWS + lane),
            bundle: ahead(self.bundle, block.offset * bundle::ROWS + lane),
            second: ahead(self.second, block.offset * second::ROWS + lane),
        }
    }
}
