//! Cutting and breaking rods
//!
//! An edge of a rod can be cut, and can break when it is pulled too hard. The strand keeps its
//! number and its vertices: only the edge holds nothing together any more, touches nothing, and is
//! not to be drawn. The parts move, fall and touch each other as strands of their own. Cut edges
//! are part of a saved state. The rods must be solved directly (WITHY_ORDER_DIRECT, the default of
//! rods whose stiffness is physical), on the CPU.

use super::defs;
use super::guard;
use super::rods::WithyRods;
use super::span::{FLOATS, INDICES, Output, View};
use super::types::WithySpan;

/// Writes. Cuts an edge, or makes it whole again, which pulls its ends together.
///
/// @param edge Counted through the whole set. Not one that a clamp holds.
/// @param cut 1: cut. 0: whole.
/// @return WITHY_ERROR_UNSUPPORTED: the rods are not solved directly, or the world is on the GPU.
#[unsafe(no_mangle)]
pub extern "C" fn withy_rods_set_cut(rods: WithyRods, edge: u32, cut: u32) -> i32 {
    guard::write("withy_rods_set_cut", rods, |cx| {
        let cut = defs::boolean(cut, "cut")?;
        Ok(cx.world.rods_mut(cx.id)?.set_cut(edge as usize, cut)?)
    })
}

/// Writes. Sets the tensions at which edges break. After a step, of each part of a strand the edge
/// that was pulled hardest, over what it bears, is cut if that was too much.
///
/// @param break_force Numbers, N, 1e-12 or more: one, or one an edge. Infinity: never. NULL: no
///     edge breaks.
/// @return WITHY_ERROR_UNSUPPORTED: the rods are not solved directly, or the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_break_force(rods: WithyRods, break_force: *const WithySpan) -> i32 {
    guard::write("withy_rods_set_break_force", rods, |cx| {
        let rods = cx.world.rods_mut(cx.id)?;
        if break_force.is_null() {
            return Ok(rods.set_break_force(0, |_| 0.0)?);
        }
        // SAFETY: the caller's contract; the copy asks for no alignment.
        let view = View::<1>::required(&unsafe { break_force.read_unaligned() }, "break_force", FLOATS)?;
        let edges = rods.edge_count();
        let view = view.counted(&[(1, "one for all"), (edges, "one an edge")])?;
        Ok(rods.set_break_force(view.count(), |i| view.get(i)[0])?)
    })
}

/// Reads. The edges that are cut, or have broken, in ascending order.
///
/// @param out u32, counted through the whole set. There are as many as are cut now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_cuts(rods: WithyRods, out: *mut WithySpan) -> i32 {
    guard::read("withy_rods_read_cuts", rods, |cx| {
        let cuts = cx.world.rods(cx.id)?.cuts();
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<1>::new(out, cuts.len(), INDICES)? } {
            cuts.enumerate().for_each(|(i, edge)| out.put_u32(i, edge));
        }
        Ok(())
    })
}
