//! Rods in detail
//!
//! How a set of rods is solved, what it measures, and what was wrong with its input.

use super::defs;
use super::guard;
use super::rods::{WithyRods, read_span, write_span};
use super::span::{self, View};
use super::types::WithySpan;
use crate::world::{Rods, validate};

/// Reads. How the rods are solved: a WITHY_ORDER_ value, in place of WITHY_ORDER_AUTO what it
/// chose. For WITHY_MODEL_DER it is WITHY_ORDER_DIRECT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_order(rods: WithyRods, order: *mut u32) -> i32 {
    guard::read("withy_rods_order", rods, |cx| {
        let value = cx.world.rods(cx.id)?.order().number();
        // SAFETY: the caller's contract.
        unsafe { defs::store(order, value, "order") }
    })
}

/// Writes. Turns the material frames at once about their edges. The direction of an edge stays; d1
/// goes as near as it can to that of the frame. To go back to an earlier pose, write its positions
/// with `withy_rods_write_positions`, then its frames with this. Frames that the host holds
/// (clamped ends) stay. Full turns of twist are not kept: each element takes the least twist.
///
/// @param frames Quaternions, one an edge, as `withy_rods_read_frames` gives them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_write_frames(rods: WithyRods, frames: *const WithySpan) -> i32 {
    let of = ["frames", "edges"];
    write_span("withy_rods_write_frames", rods, frames, of, Rods::edge_count, |rods, c, view: &View<'_, 4>| {
        view.check_rotations(c)?;
        Ok(rods.write_frames(|i| c.rotation_in(view.get(i)))?)
    })
}

/// Writes. Sets a moment about each edge, as of a motor that twists the rod there. It turns the
/// edge about its direction from root to tip, in the host's sense of rotation, in all steps until
/// it is set again. The first edge of a clamped WITHY_MODEL_DER strand does not feel it. The first
/// call allocates memory.
///
/// @param moments Numbers, one an edge, N m, at most 1e9. NULL: no moments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_moments(rods: WithyRods, moments: *const WithySpan) -> i32 {
    guard::write("withy_rods_set_moments", rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods_mut(cx.id)?;
        if moments.is_null() {
            rods.clear_moments();
            return Ok(());
        }
        // SAFETY: the caller's contract.
        let view = unsafe { View::<1>::argument(moments, "moments", rods.edge_count(), "edges")? };
        view.check_scalars(validate::LARGEST)?;
        Ok(rods.set_moments(|i| c.angle_in(view.get(i)[0]))?)
    })
}

/// Reads. The ghost points of WITHY_MODEL_GHOST.
///
/// @param out Vectors, one an edge, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_ghosts(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_ghosts", rods, out, Rods::edge_count, |rods, c, out| {
        rods.read_ghosts(|i, x| out.put(i, c.position_out(x)));
    })
}

/// Reads. The angles by which the material turns about the rod from one edge to the next, in the
/// host's sense of rotation.
///
/// @param out Numbers, one an element, rad.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_twist(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_twist", rods, out, Rods::element_count, |rods, c, out| {
        rods.read_twist(|i, twist| out.put(i, [c.angle_out(twist)]));
    })
}

/// Reads. Strains: length / rest length - 1.
///
/// @param out Numbers, one an edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_strain(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_strain", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_strain(|i, strain| out.put(i, [strain]));
    })
}

/// Reads. Radii of the sections now: those at rest, or, with a `poisson_ratio`, what stretching and
/// pressing have made of them.
///
/// @param out Numbers, one a vertex, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_radii(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_radii", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_radii(|i, radius| out.put(i, [c.length_out(radius)]));
    })
}

/// Reads. Volumes: volume / volume at rest, 1 + strain where radii stay as they are.
///
/// @param out Numbers, one an edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_volumes(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_volumes", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_volumes(|i, volume| out.put(i, [volume]));
    })
}

/// Reads. Darboux vectors: curvature about d1 and d2, twist about d3, in local axes (see the table
/// of conventions).
///
/// @param out Vectors, one an element, 1/host unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_darboux(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_darboux", rods, out, Rods::element_count, |rods, c, out| {
        rods.read_darboux(|i, k| out.put(i, c.curvature_out(k)));
    })
}

/// Reads. Tensions in the last substep; positive where an edge pulls its ends together. 0 before
/// the first step.
///
/// @param out Numbers, one an edge, N.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_tension(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_tension", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_forces(|i, tension| out.put(i, [tension]));
    })
}

/// Reads. Moments in the rod in the last substep: bending about d1 and d2, twist about d3, in local
/// axes (see the table of conventions). At an end it is the moment of the support or attachment, 0
/// if there is none; a clamp of WITHY_MODEL_DER shows at the second vertex. 0 before the first
/// step.
///
/// @param out Vectors, one a vertex, N m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_moments(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_moments", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_moments(|i, m| out.put(i, c.moment_out(m)));
    })
}

/// An edge shorter than 1e-4 of the strand's mean edge. It is simulated at that length. Value: its
/// length, m.
pub const WITHY_ISSUE_SHORT_EDGE: u32 = 1;
/// A strand of no length. It is simulated as a tiny straight one. Value: its length, m.
pub const WITHY_ISSUE_NO_LENGTH: u32 = 2;
/// Two edges that fold back on each other by more than 175 degrees. Value: the angle, rad.
pub const WITHY_ISSUE_KINK: u32 = 3;
/// A strand whose edges are, on average, shorter than a tenth of its radius. It will stretch to
/// many times its length. Value: the mean edge, m.
pub const WITHY_ISSUE_STUB: u32 = 4;

/// What was wrong with a strand at creation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyStrandIssue {
    /// The number of the strand in the set.
    pub strand: u32,
    /// Counted from the root of the strand.
    pub vertex: u32,
    /// A WITHY_ISSUE_ value.
    pub kind: u32,
    /// 0
    pub reserved: u32,
    /// What it means depends on the kind. SI units.
    pub value: f64,
}

/// Reads. What was wrong with strands at creation.
///
/// @param issues Room for `*count` issues, or NULL to learn the count.
/// @param count Set to the number of issues.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_report(rods: WithyRods, issues: *mut WithyStrandIssue, count: *mut u64) -> i32 {
    guard::read("withy_rods_read_report", rods, |cx| {
        let report = cx.world.rods(cx.id)?.report();
        // SAFETY: the caller's contract.
        if let Some(issues) = unsafe { span::buffer(issues, count, report.len(), "count")? } {
            for (i, issue) in report.iter().enumerate() {
                let (strand, vertex, kind, value) = (issue.strand, issue.vertex, issue.kind as u32, issue.value);
                // SAFETY: `buffer` has checked the room.
                unsafe { issues.add(i).write_unaligned(WithyStrandIssue { strand, vertex, kind, reserved: 0, value }) };
            }
        }
        Ok(())
    })
}
