//! The result for one strand.

use super::Refusal;

/// How an optimization ended for a strand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Not optimized yet.
    #[default]
    Idle,
    /// ‖f‖ is at [`Options::target`]: the pose is an equilibrium.
    AtTarget,
    /// f is as small as the rest shape, or f64, can make it; with a target of 0 the paper's minimum.
    Converged,
    /// The same, with parameters at their bounds.
    AtBounds,
    IterationLimit,
    /// No stiffening up to [`Options::stiffen`], or, in a world, up to what its steps take, was found that makes the pose a stable equilibrium, by
    /// [`Options::lowest_mode_min`]. The rest shape is that without stiffening.
    TooSoft,
    /// Not reached: the rest shape is as it was.
    Cancelled,
    /// The rest shape is as it was.
    Refused(Refusal),
}
