//! Diagnostics
//!
//! What the last step did, what a world needs, and how it looks from inside.

use super::defs;
use super::guard;
use super::handles;
use super::rods::WithyRods;
use super::span;
use super::world::WithyWorld;
use crate::world::{StepStats, World};

/// What the last step did. Times are in seconds of wall-clock time.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyStepStats {
    /// Steps since the world was created.
    pub steps: u64,
    /// The whole step.
    pub seconds_total: f64,
    /// Of that: moving colliders over the substeps.
    pub seconds_prepare: f64,
    /// Of that: simulating rods and bodies.
    pub seconds_solve: f64,
    /// Of that: gathering the numbers below.
    pub seconds_report: f64,
    /// The largest |length / rest length - 1| of an edge.
    pub largest_strain: f64,
    /// The rods where it is. Null if there are none, or if they have been destroyed since.
    pub largest_strain_rods: WithyRods,
    /// The strand in these rods.
    pub largest_strain_strand: u32,
    /// Substeps of the step.
    pub substeps: u32,
    /// Iterations of the world.
    pub iterations: u32,
    /// Strands with a NaN or an infinity.
    pub non_finite_strands: u32,
    /// Strands with two neighbouring frames more than 175 degrees apart: WITHY_MODEL_GHOST may flip
    /// there.
    pub kinked_strands: u32,
    /// Strands that ran into their `max_speed`, or whose substep gave no number and was left out.
    pub limited_strands: u32,
    /// Vertices of rods that touched something in the last substep, and contacts between rods.
    pub contacts: u32,
    /// 0
    pub reserved: u32,
    /// Rigid bodies.
    pub bodies: u32,
    /// Those that are awake.
    pub awake_bodies: u32,
    /// Groups of bodies that touch or are joined.
    pub islands: u32,
    /// Pairs of shapes that touch.
    pub body_contacts: u32,
    /// Bodies whose motion became NaN or infinite. They were stopped where they were.
    pub non_finite_bodies: u32,
    /// Joints.
    pub joints: u32,
    /// Not 0: too many shapes were in one place. Each met only a few of the others, and at least
    /// this number of pairs was left out.
    pub pairs_left_out: u64,
    /// Of `seconds_solve`: rigid bodies.
    pub seconds_bodies: f64,
}

fn step_stats(world: WithyWorld, w: &World) -> WithyStepStats {
    let s: StepStats = w.stats();
    let [islands, awake, touching, pairs_left_out] = w.body_counts();
    let rods = s.largest_strain_rods.filter(|id| w.rods(*id).is_ok()).map(|id| handles::object(world, id)).unwrap_or_default();
    WithyStepStats {
        steps: s.steps,
        seconds_total: s.seconds_total,
        seconds_prepare: s.seconds_prepare,
        seconds_solve: s.seconds_solve,
        seconds_report: s.seconds_report,
        largest_strain: s.largest_strain,
        largest_strain_rods: rods,
        largest_strain_strand: s.largest_strain_strand,
        substeps: s.substeps,
        iterations: s.iterations,
        non_finite_strands: s.non_finite_strands,
        kinked_strands: s.kinked_strands,
        limited_strands: s.limited_strands,
        contacts: s.contacts,
        reserved: 0,
        bodies: w.bodies().len() as u32,
        awake_bodies: awake as u32,
        islands: islands as u32,
        body_contacts: touching as u32,
        non_finite_bodies: w.non_finite_bodies(),
        joints: w.joints().len() as u32,
        pairs_left_out,
        seconds_bodies: s.seconds_bodies,
    }
}

/// Reads. What the last step did. Use the macro `withy_world_read_stats(world, &stats)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_stats_sized(world: WithyWorld, stats: *mut WithyStepStats, size: u32) -> i32 {
    guard::read("withy_world_read_stats", world, |cx| {
        // SAFETY: the caller's contract.
        unsafe { defs::write_out(stats, size, step_stats(world, cx.world)) }
    })
}

/// Reads. The memory that the world takes on CPU and GPU together, in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_memory(world: WithyWorld, bytes: *mut u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::read("withy_world_memory", world, |cx| unsafe { defs::store(bytes, cx.world.memory_bytes(), "bytes") })
}

/// Reads. A hash of the whole state. After the same calls it is the same on every operating system,
/// instruction set and number of threads: for lockstep networking and for tests. (Worlds on the
/// GPU: only on the same GPU.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_state_hash(world: WithyWorld, hash: *mut u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::read("withy_world_state_hash", world, |cx| unsafe { defs::store(hash, cx.world.state_hash(), "hash") })
}

/// A line to draw, in host units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyDebugLine {
    /// Where it begins.
    pub start: [f32; 3],
    /// Where it ends.
    pub end: [f32; 3],
    /// 0xRRGGBBAA
    pub rgba: u32,
    /// 0
    pub reserved: u32,
}

/// Reads. Lines that show the world: centrelines of rods (orange where strained by more than 1 %),
/// their axes d1 (red) and d2 (green), sections of bundles (brown, from their middle to the
/// strands), meshes and colliders; shapes of bodies (green, grey asleep), frames of joints (d1, d2,
/// d3 in red, green, blue), limits, arcs, and contacts with their normals.
///
/// @param lines Room for `*count` lines, or NULL to learn the count.
/// @param count Set to the number of lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_debug_lines(world: WithyWorld, lines: *mut WithyDebugLine, count: *mut u64) -> i32 {
    guard::read("withy_world_debug_lines", world, |cx| {
        let needed = cx.world.debug_lines(|_, _, _| {});
        // SAFETY: the caller's contract.
        if let Some(lines) = unsafe { span::buffer(lines, count, needed, "count")? } {
            let mut i = 0;
            let point = |p| cx.convention.position_out(p).map(|x| x as f32);
            cx.world.debug_lines(|start, end, rgba| {
                if i < needed {
                    let line = WithyDebugLine { start: point(start), end: point(end), rgba, reserved: 0 };
                    // SAFETY: `buffer` has checked the room for `needed` lines.
                    unsafe { lines.add(i).write_unaligned(line) };
                    i += 1;
                }
            });
        }
        Ok(())
    })
}
