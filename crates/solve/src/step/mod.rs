//! The stages of strands, block by block.
//!
//! What a substep consists of is said in one list, [`crate::stages::SUBSTEP`]. A block of strands that nothing couples to others goes through the whole step before the
//! next block is touched: its state stays in the first-level cache, and 200 strands cost per edge what 50,000 do. Coupled blocks do each stage together: who couples
//! them walks the list and asks for one stage at a time.

mod dispatch;

use crate::collide::ColliderMotion;
use crate::collide::narrow::Geometry;
use crate::layout::{Block, Buffers, FORCE_ROWS, KAPPA_ROWS, SPIN_ROWS, param, state, support, tie};
use crate::math::{Elem, Lane};
use crate::rods::group::contacts::Obstacles;
use crate::rods::group::{BlockReport, Group, Pin, Settings};
use crate::rods::newton::SCRATCH_ROWS;
use crate::stages::{At, Stage};

pub use dispatch::Runner;

/// What a step does to one set of rods.
#[derive(Clone, Copy)]
pub struct RodsStep<'a, E> {
    pub settings: &'a Settings<E>,
    pub substeps: usize,
    pub iterations: usize,
    /// `substeps` runs of the same colliders, one after the other.
    pub colliders: &'a [ColliderMotion<E>],
    pub colliders_per_substep: usize,
    /// Of these, as many are met: others, at the end, meet the rods two-way (`world/touch.rs`).
    pub met: usize,
    /// The hulls and meshes among the colliders.
    pub solids: &'a [Geometry<E>],
}

impl<E: Elem> RodsStep<'_, E> {
    fn obstacles_at(&self, substep: usize) -> Obstacles<'_, E> {
        Obstacles { colliders: &self.colliders[substep * self.colliders_per_substep..][..self.met], solids: self.solids }
    }
    /// The fraction of the step at the end of a substep.
    fn time(&self, substep: usize) -> E {
        E::from_f64((substep + 1) as f64 / self.substeps as f64)
    }
}

/// The buffers of a set of rods while its blocks are stepped, possibly by several threads.
///
/// # Safety
/// Made from `&mut Buffers`, which stays borrowed; every block is handed to one thread at a time.
#[derive(Clone, Copy)]
pub struct SharedBuffers<E> {
    params: *const E,
    state: *mut E,
    edges: *const E,
    supports: [*const E; 2],
    /// Null where no attachment holds one of these ends.
    ties: [*mut E; 2],
    spare: *mut E,
    /// Null where there are none.
    forces: *const E,
    /// Null where an end is held.
    spin: *mut E,
    /// Null where sweeps solve.
    scratch: *mut E,
    /// Null but for discrete elastic rods.
    kappa: *const E,
}

// SAFETY: blocks are disjoint parts of the buffers; the type's contract gives each to one thread at a time.
unsafe impl<E> Send for SharedBuffers<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for SharedBuffers<E> {}

impl<E: Elem> SharedBuffers<E> {
    pub fn new(b: &mut Buffers<E>) -> Self {
        SharedBuffers {
            params: b.params.as_ptr(),
            state: b.state.as_mut_ptr(),
            edges: b.edges.as_ptr(),
            supports: [b.supports[0].as_ptr(), b.supports[1].as_ptr()],
            ties: b.ties.each_mut().map(|t| if t.is_empty() { core::ptr::null_mut() } else { t.as_mut_ptr() }),
            spare: if b.spare.is_empty() { core::ptr::null_mut() } else { b.spare.as_mut_ptr() },
            spin: if b.spin.is_empty() { core::ptr::null_mut() } else { b.spin.as_mut_ptr() },
            scratch: if b.scratch.is_empty() { core::ptr::null_mut() } else { b.scratch.as_mut_ptr() },
            kappa: if b.kappa.is_empty() { core::ptr::null() } else { b.kappa.as_ptr() },
            forces: if b.forces.is_empty() { core::ptr::null() } else { b.forces.as_ptr() },
        }
    }

    /// # Safety
    /// The type's contract, and `L`'s instruction set is enabled in the function this is inlined into.
    #[inline(always)]
    unsafe fn group<L: Lane<Elem = E>, const W: usize>(&self, block: &Block, lane: usize) -> Group<L, W> {
        // SAFETY: `Layout` gives every block its own range of each buffer.
        unsafe {
            // Empty where the end is free; then nobody reads there.
            let support = |end: usize| self.supports[end].wrapping_add(block.strand_offset * support::ROWS + lane);
            Group {
                params: self.params.add(block.offset * param::ROWS + lane),
                state: self.state.add(block.offset * state::ROWS + lane),
                edges: self.edges.add(block.strand_offset + lane),
                supports: [support(0), support(1)],
                ties: self.ties.map(|t| if t.is_null() { t } else { t.add(block.strand_offset * tie::ROWS + lane) }),
                spare: if self.spare.is_null() { self.spare } else { self.spare.add(block.offset * 4 + lane) },
                spin: if self.spin.is_null() { self.spin } else { self.spin.add(block.strand_offset * SPIN_ROWS + lane) },
                forces: if self.forces.is_null() { self.forces } else { self.forces.add(block.offset * FORCE_ROWS + lane) },
                // Nobody else reads it: a group's own lies together.
                scratch: if self.scratch.is_null() {
                    self.scratch
                } else {
                    self.scratch.add((block.offset + lane * block.vertices) * SCRATCH_ROWS)
                },
                kappa: if self.kappa.is_null() { self.kappa } else { self.kappa.add(block.offset * KAPPA_ROWS + lane) },
                indefinite: L::zero(),
                floored: L::zero(),
                energy: L::zero(),
                slack: L::zero(),
                renews: false,
                near: false,
                held: L::zero(),
                goes: false,
                going: L::zero(),
                drowned: L::zero(),
                vertices: block.vertices,
                min_edges: block.min_edges,
                first_lane: lane as u32,
            }
        }
    }
}

/// # Safety
/// [`Group`]'s contract.
#[inline(always)]
unsafe fn stage_group<L: Lane, const W: usize>(
    group: &mut Group<L, W>,
    step: &RodsStep<'_, L::Elem>,
    stage: Stage,
    at: At,
    pins: &[Pin],
    report: &mut BlockReport,
) {
    let t = step.time(at.substep);
    match stage {
        Stage::Predict => report.limited |= group.predict(step.settings, t, pins),
        Stage::Solve => group.sweep(step.settings, t, at.backward()),
        Stage::Contacts => report.contacts = group.contacts(step.settings, step.obstacles_at(at.substep)),
        Stage::Finalize => group.finalize(step.settings),
        Stage::Report => group.report(report),
        // Of bodies, anchors and meshes.
        _ => {}
    }
}
