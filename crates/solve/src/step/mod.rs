//! The stages of strands, block by block.
//!
//! What a substep consists of is said in one list, [`crate::stages::SUBSTEP`]. A block of strands that nothing couples to others goes through the whole step before the
//! next block is touched: its state stays in the first-level cache, and 200 strands cost per edge what 50,000 do. Coupled blocks do each stage together: who couples
//! them walks the list and asks for one stage at a time.

mod dispatch;

use crate::collide::ColliderMotion;
use crate::collide::narrow::{Geometry, MovingMesh};
use crate::desc::SweepOrder;
use crate::layout::{Block, Buffers, Pointers, scratch};
use crate::math::{Elem, Lane};
use crate::rods::group::contacts::Obstacles;
use crate::rods::group::{BlockReport, Group, Newton, Pin, Settings};
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
    /// `substeps` runs of the same meshes that bend.
    pub bent: &'a [MovingMesh<E>],
}

impl<E: Elem> RodsStep<'_, E> {
    fn obstacles_at(&self, substep: usize) -> Obstacles<'_, E> {
        let bent = self.bent.len() / self.substeps;
        Obstacles {
            colliders: &self.colliders[substep * self.colliders_per_substep..][..self.met],
            solids: self.solids,
            bent: &self.bent[substep * bent..][..bent],
        }
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
    at: Pointers<E>,
    /// Null where blocks have their own.
    workspace: *mut E,
}

// SAFETY: blocks are disjoint parts of the buffers; the type's contract gives each to one thread at a time.
unsafe impl<E> Send for SharedBuffers<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for SharedBuffers<E> {}

impl<E: Elem> SharedBuffers<E> {
    pub fn new(b: &mut Buffers<E>, cells: usize) -> Self {
        SharedBuffers { at: Pointers::new(b, cells), workspace: core::ptr::null_mut() }
    }

    /// The same for a block that works in the memory of a [`Workspace`](crate::layout::Workspace), which nobody else has meanwhile; null: in its own.
    pub fn working_in(self, workspace: *mut E) -> Self {
        SharedBuffers { workspace, ..self }
    }

    /// # Safety
    /// The type's contract, and `L`'s instruction set is enabled in the function this is inlined into.
    #[inline(always)]
    unsafe fn group<L: Lane<Elem = E>, const W: usize>(&self, block: &Block, lane: usize) -> Group<L, W> {
        // `Layout` gives every block its own range of each buffer.
        let own = self.at.at(block, lane);
        let mut at = own;
        if !self.workspace.is_null() {
            at.scratch = self.workspace;
            if at.scales.is_null() {
                at.kept = self.workspace.wrapping_add(block.vertices * L::N * scratch::ROWS);
            }
        }
        Group {
            at,
            newton: Newton::new(),
            width: block.width,
            vertices: block.vertices,
            min_edges: block.min_edges,
            first_lane: lane as u32,
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
        Stage::Solve => {
            group.sweep(step.settings, t, at.backward());
            if step.settings.contact {
                group.begin_contact(false);
            }
        }
        Stage::Respond if step.settings.contact => group.answer_by_mass(step.settings),
        Stage::Give if step.settings.contact => group.give_by_mass(step.settings),
        Stage::Follow if step.settings.contact => group.move_by_answer(),
        Stage::Contacts => {
            if step.settings.contact && step.settings.order == SweepOrder::Direct {
                // `take_answer` has noted what is near.
                group.newton.near = !step.obstacles_at(at.substep).colliders.is_empty();
            }
            report.contacts = group.contacts(step.settings, step.obstacles_at(at.substep));
        }
        Stage::Finalize => {
            if step.settings.contact && step.settings.order == SweepOrder::Direct {
                group.mark_pressed(!step.obstacles_at(at.substep).colliders.is_empty());
            }
            report.limited |= group.finalize(step.settings);
        }
        Stage::Report => group.report(report),
        // Of bodies, anchors and meshes.
        _ => {}
    }
}
