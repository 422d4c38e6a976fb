//! Diagnostics
//!
//! What a world did, what it needs, and how it looks from inside.

use super::defs;
use super::guard;
use super::handles;
use super::rods::WithyRods;
use super::span;
use super::world::WithyWorld;
use crate::world::{StepStats, World};

/// What the last step did. Times are wall-clock seconds.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyStepStats {
    /// Steps since the world was created.
    pub steps: u64,
    pub seconds_total: f64,
    /// Colliders interpolated over the substeps.
    pub seconds_prepare: f64,
    /// Prediction, constraints and contacts of all strands.
    pub seconds_solve: f64,
    /// The numbers that follow, gathered.
    pub seconds_report: f64,
    /// Largest |length / rest length - 1| of an edge.
    pub largest_strain: f64,
    /// Where it is: the rods, null if there are none or they have been destroyed since, and the strand in them.
    pub largest_strain_rods: WithyRods,
    pub largest_strain_strand: u32,
    pub substeps: u32,
    pub iterations: u32,
    /// Strands with a NaN or an infinity.
    pub non_finite_strands: u32,
    /// Strands with two neighbouring frames more than 175 degrees apart, where the model flips.
    pub kinked_strands: u32,
    /// Strands that ran into the speed limit, or stood still in a substep that led to no number.
    pub limited_strands: u32,
    /// Vertices that touched a collider in the last substep.
    pub contacts: u32,
    pub reserved: u32,
    /// Rigid bodies: how many there are, how many were awake, islands of them that touch or are joined, and pairs of shapes that touch.
    pub bodies: u32,
    pub awake_bodies: u32,
    pub islands: u32,
    pub body_contacts: u32,
    /// Bodies whose motion became NaN or infinite in the last step, which only loads beyond all measure do: they were stopped where they were.
    pub non_finite_bodies: u32,
    pub joints: u32,
    /// Not 0: in some place so many shapes were near each other (16 to 4 for each, and 4,096) that each met a few others only. At least so many
    /// pairs were left out.
    pub pairs_left_out: u64,
    /// Of `seconds_solve`, that of rigid bodies.
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

/// Reads. Use the macro `withy_world_read_stats(world, &stats)`, which passes the size that the host was compiled with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_read_stats_sized(world: WithyWorld, stats: *mut WithyStepStats, size: u32) -> i32 {
    guard::read("withy_world_read_stats", world, |cx| {
        // SAFETY: the caller's contract.
        unsafe { defs::write_out(stats, size, step_stats(world, cx.world)) }
    })
}

/// Reads. The memory that the world holds, on the CPU and the GPU together, in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_memory(world: WithyWorld, bytes: *mut u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::read("withy_world_memory", world, |cx| unsafe { defs::store(bytes, cx.world.memory_bytes(), "bytes") })
}

/// Reads. A hash of the whole state, equal on every thread count, instruction set and system for the same calls: what lockstep
/// networking and regression tests compare.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_world_state_hash(world: WithyWorld, hash: *mut u64) -> i32 {
    // SAFETY: the caller's contract.
    guard::read("withy_world_state_hash", world, |cx| unsafe { defs::store(hash, cx.world.state_hash(), "hash") })
}

/// A line of the debug drawing, in host units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyDebugLine {
    pub start: [f32; 3],
    pub end: [f32; 3],
    /// 0xRRGGBBAA
    pub rgba: u32,
    pub reserved: u32,
}

/// Reads. Lines of the centrelines (orange where strained by more than a percent), the material axes d1 (red) and d2 (green), the
/// meshes and the colliders; of bodies the shapes (green; grey asleep), of joints both frames (d1, d2, d3: red, green, blue), the limits and
/// the curve of an arc with its material axes, and the contacts with their normals.
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
