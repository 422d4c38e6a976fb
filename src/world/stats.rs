//! What a step reports.

use crate::desc::slots::Id;

/// Filled by every `World::step`; nothing is logged. Times are wall-clock seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepStats {
    pub steps: u64,
    pub seconds_total: f64,
    /// Colliders interpolated over the substeps.
    pub seconds_prepare: f64,
    /// Predict, solve, contacts and finalize of all strands.
    pub seconds_solve: f64,
    /// Of that, rigid bodies.
    pub seconds_bodies: f64,
    /// Strain, limits, non-finite numbers.
    pub seconds_report: f64,
    pub substeps: u32,
    pub iterations: u32,
    /// Largest |l/l̄ − 1| over all edges.
    pub largest_strain: f64,
    /// Where it is; `None` before the first step and without rods.
    pub largest_strain_rods: Option<Id>,
    pub largest_strain_strand: u32,
    /// Strands with a NaN or an infinity.
    pub non_finite_strands: u32,
    /// Strands with two neighbouring frames more than 175° apart: beyond it the model flips (a stated limit of the paper).
    pub kinked_strands: u32,
    /// Strands that ran into the speed limit.
    pub limited_strands: u32,
    /// Vertices that touched a collider or a body in the last substep, and contacts between rods that pressed.
    pub contacts: u32,
}
