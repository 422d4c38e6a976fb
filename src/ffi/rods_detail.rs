//! Rods in detail
//!
//! What solves a set of rods, what it measures, and what was wrong with its input.

use super::defs;
use super::guard;
use super::rods::{WithyRods, read_span, write_span};
use super::span::{self, View};
use super::types::WithySpan;
use crate::world::{Rods, validate};

/// Reads. What solves the rods, a WITHY_ORDER_ value: what became of WITHY_ORDER_AUTO; WITHY_ORDER_DIRECT for WITHY_MODEL_DER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_order(rods: WithyRods, order: *mut u32) -> i32 {
    guard::read("withy_rods_order", rods, |cx| {
        let value = cx.world.rods(cx.id)?.order() as u32;
        // SAFETY: the caller's contract.
        unsafe { defs::store(order, value, "order") }
    })
}

/// Writes. Turns the material frames at once, about their edges, whose directions stay: d1 goes to where the frame has it, across the edge. So
/// withy_rods_write_positions with what withy_rods_read_positions gave, then this with what withy_rods_read_frames gave, are the pose of then. Edges do not
/// spin afterwards; full turns of WITHY_MODEL_DER are those that leave the least twist. Frames that the host holds stay its own.
///
/// @param frames Quaternions, one an edge, as of withy_rods_read_frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_write_frames(rods: WithyRods, frames: *const WithySpan) -> i32 {
    let of = ["frames", "edges"];
    write_span("withy_rods_write_frames", rods, frames, of, Rods::edge_count, |rods, c, view: &View<'_, 4>| {
        view.check_rotations(c)?;
        Ok(rods.write_frames(|i| c.rotation_in(view.get(i)))?)
    })
}

/// Writes. A moment about every edge, N m, as of a motor that twists the rod there: it turns the edge about its direction from root to tip,
/// the way that rotations turn in the host's axes, in every step until it is set again. It goes along with the edge. What a clamp of
/// WITHY_MODEL_DER holds does not feel it. Rest shapes are solved with it, but it has no energy: a strand with a moment at its free end may flutter though
/// its report calls it stable.
///
/// @param moments Numbers, one an edge, each at most 1e9; NULL: no moments any more.
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

/// Reads. Vectors, one an edge: the ghost points, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_ghosts(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_ghosts", rods, out, Rods::edge_count, |rods, c, out| {
        rods.read_ghosts(|i, x| out.put(i, c.position_out(x)));
    })
}

/// Reads. Numbers, one an element: the angle by which the material turns about the rod from one edge to the next, rad, in the
/// host's sense of rotation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_twist(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_twist", rods, out, Rods::element_count, |rods, c, out| {
        rods.read_twist(|i, twist| out.put(i, [c.angle_out(twist)]));
    })
}

/// Reads. Numbers, one an edge: length / rest length - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_strain(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_strain", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_strain(|i, strain| out.put(i, [strain]));
    })
}

/// Reads. Vectors, one an element: the Darboux vector, curvature about d1 and d2 and twist about d3, 1/host unit, in local axes
/// (see the conventions).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_darboux(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_darboux", rods, out, Rods::element_count, |rods, c, out| {
        rods.read_darboux(|i, k| out.put(i, c.curvature_out(k)));
    })
}

/// Reads. Numbers, one an edge: the tension in the last substep, N, positive where the edge pulls its ends together. 0 before
/// the first step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_tension(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_tension", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_forces(|i, tension| out.put(i, [tension]));
    })
}

/// Reads. Vectors, one a vertex: the moment through it in the last substep, N m: bending about d1 and d2, twist about d3, in
/// local axes (see the conventions). At an end it is that of the support, 0 where there is none; a clamp of WITHY_MODEL_DER holds an
/// edge, and shows at that edge's other vertex; an attachment's shows at the end. 0 before the first step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_moments(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_moments", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_moments(|i, m| out.put(i, c.moment_out(m)));
    })
}

/// An edge shorter than 1e-4 of the strand's mean, simulated at that length. Value: its length, m.
pub const WITHY_ISSUE_SHORT_EDGE: u32 = 1;
/// A strand of no length, simulated as a tiny straight one. Value: its length, m.
pub const WITHY_ISSUE_NO_LENGTH: u32 = 2;
/// Neighbouring edges that fold back by more than 175 degrees. Value: the angle, rad.
pub const WITHY_ISSUE_KINK: u32 = 3;
/// A strand whose edges are, on average, shorter than a tenth of its radius: it stretches to many times its length. Value: the
/// mean edge, m.
pub const WITHY_ISSUE_STUB: u32 = 4;

/// Where and why a strand was degenerate at creation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyStrandIssue {
    pub strand: u32,
    /// Counted from the strand's root.
    pub vertex: u32,
    /// A WITHY_ISSUE_ value.
    pub kind: u32,
    pub reserved: u32,
    /// What the kind says, SI.
    pub value: f64,
}

/// Reads. What was degenerate at creation, strand by strand.
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
