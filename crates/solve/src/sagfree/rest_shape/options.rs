//! What is asked of the optimizer, and what it answers.

/// Permitted changes, (32)–(36).
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// l̄ between these times the initial length.
    pub length: [f64; 2],
    /// |κ̄ − κ̄₀|, of each of the four components.
    pub kappa: f64,
    /// |m̄ − m̄₀|, rad. Of ghost-point rods the larger of this and `kappa`.
    pub twist: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { length: [0.1, 1.1], kappa: core::f64::consts::SQRT_2, twist: core::f64::consts::FRAC_PI_8 }
    }
}

/// How the bounds are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundMode {
    /// Not at all.
    None,
    /// By the penalty (38): bounds are overstepped a little.
    #[cfg(feature = "paper")]
    Penalty,
    /// By the penalty, each iterate clamped.
    #[cfg(feature = "paper")]
    Clamped,
    /// Exactly: parameters at a bound that push outward are held there (projected Gauss–Newton).
    Exact,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// α of (29).
    pub regularizer: f64,
    /// β of (38).
    #[cfg(feature = "paper")]
    pub penalty: f64,
    /// ε: stop where ‖Δs̄‖₂ is smaller; for the paper's minimum.
    pub tolerance: f64,
    pub iterations: usize,
    /// False: m̄ stays (§4.5).
    pub twist: bool,
    pub bounds: Bounds,
    pub mode: BoundMode,
    /// The regularizer pulls s̄ off the equilibrium (by 3 % of κ̄ for the paper's horizontal strand at c_bend = 1e8). With a target,
    /// each iterate is its next centre, until √(Σ f²/m) is below the target, and below a thousandth of what it is of the loads alone (the
    /// target is much to a strand of micrograms), or the bounds stop it; 0: the paper's minimum.
    pub target: f64,
    /// Where the bounds keep a strand from its target, or its pose is not stable: the largest factor by which it may be stiffened,
    /// vertex by vertex and no more than it takes ([`super::stiffen`]). None: not at all.
    pub stiffen: Option<f64>,
    /// With `stiffen`: ω² of the lowest mode that a strand shall have at least, s⁻²; what has less is stiffened until it has. 0: just stable.
    pub lowest_mode_min: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            regularizer: 1e-5,
            #[cfg(feature = "paper")]
            penalty: 1e6,
            tolerance: 1e-5,
            iterations: 500,
            twist: true,
            bounds: Bounds::default(),
            mode: BoundMode::Exact,
            target: 1e-6,
            stiffen: None,
            lowest_mode_min: 0.0,
        }
    }
}

impl Options {
    /// Whether there is a problem to solve: what is wrong, else.
    pub fn check(&self) -> Result<(), &'static str> {
        let finite = |v: f64| v.is_finite() && v >= 0.0;
        let [low, high] = self.bounds.length;
        match () {
            () if !(finite(self.regularizer) && self.regularizer > 0.0) => Err("regularizer: not positive"),
            #[cfg(feature = "paper")]
            () if !finite(self.penalty) => Err("penalty: negative or not finite"),
            () if !finite(self.tolerance) => Err("tolerance: negative or not finite"),
            () if !finite(self.target) => Err("target: negative or not finite"),
            () if !(finite(low) && finite(high) && low <= high && high > 0.0) => Err("bounds.length: not 0 ≤ low ≤ high"),
            () if self.stiffen.is_some_and(|k| !(k.is_finite() && k >= 1.0)) => Err("stiffen: less than 1 or not finite"),
            () if !finite(self.lowest_mode_min) => Err("lowest_mode_min: negative or not finite"),
            () if !finite(self.bounds.kappa) => Err("bounds.kappa: negative or not finite"),
            () if !finite(self.bounds.twist) => Err("bounds.twist: negative or not finite"),
            () => Ok(()),
        }
    }
}

/// Why a strand was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A NaN or an infinity in pose, loads, section or rest shape.
    NotFinite,
    /// A vertex or an edge without mass: radius or density 0.
    NoMass,
    /// An edge shorter than a millionth of the strand's longest, or of its longest rest length.
    ShortEdge,
    /// Two edges that fold back on each other: to 0.1°, as their curvature is infinite; in a world beyond 169°, where a step takes them for a softer element
    /// than they are (`docs/internals/der.md`, 6).
    Fold,
    /// [`Options::check`].
    Options,
    /// An element so stiff, beside what its vertices weigh, that a step in f32 takes it for another.
    Precision,
    /// What would hold the pose is stiffer than steps of this length take it.
    Step,
    /// A vertex is held elsewhere: by a pin, at the root, by the clamp of an end's edge.
    Held,
}

/// What came out, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Solved<L> {
    /// 0; 1 + a [`Refusal`] as number where nothing was done.
    pub refused: L,
    /// 1 where the lane stopped of itself, 0 where the iterations were used up.
    pub ended: L,
    pub iterations: L,
    /// √(Σ f²/m), ‖f‖ in the metric of M⁻¹.
    pub norm: L,
    /// 1 where that is below the target.
    pub reached: L,
    /// max |f|/m over the free vertices, m/s².
    pub acceleration: L,
    /// Parameters at or beyond a bound.
    pub at_bounds: L,
}
