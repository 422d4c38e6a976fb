//! What the options say of every parameter of a rest shape: its bounds (32)–(36), whether it may change, and what a bound's penalty pulls with.

use super::{BoundMode, Options, Six, positive};
use crate::math::Lane;
use crate::rods::der::kernels::Measure;
use crate::rods::der::strand::Strands;

/// What the options say of every parameter.
#[derive(Clone, Copy)]
pub(super) struct Rules<L> {
    pub(super) mode: BoundMode,
    /// l̄ stays between these times the initial one, κ̄ and m̄ this near.
    pub(super) length: [L; 2],
    pub(super) kappa: L,
    pub(super) twist: L,
    /// 1 where m̄ may change.
    pub(super) twists: L,
    #[cfg(feature = "paper")]
    pub(super) penalty: L,
    /// Each iterate is what the regularizer pulls to next; else the initial rest shape stays it.
    pub(super) recentre: bool,
}

impl<L: Lane> Rules<L> {
    #[inline(always)]
    pub(super) fn new(options: &Options, measure: Measure) -> Self {
        let bounds = &options.bounds;
        let twist = match measure {
            Measure::Curvature => bounds.twist,
            // All three are of one rotation: a moment that bends a curved rod takes some of the third, too.
            Measure::Darboux => bounds.twist.max(bounds.kappa),
        };
        Rules {
            mode: options.mode,
            length: [L::constant(bounds.length[0]), L::constant(bounds.length[1])],
            kappa: L::constant(bounds.kappa),
            twist: L::constant(twist),
            twists: if options.twist { L::one() } else { L::zero() },
            #[cfg(feature = "paper")]
            penalty: L::constant(options.penalty),
            recentre: options.target > 0.0,
        }
    }

    #[inline(always)]
    pub(super) fn clamped(&self) -> bool {
        #[cfg(feature = "paper")]
        if self.mode == BoundMode::Clamped {
            return true;
        }
        self.mode == BoundMode::Exact
    }

    /// The weight of overstepped bounds, β of (38), where they are kept by a penalty.
    #[inline(always)]
    pub(super) fn penalty(&self) -> Option<L> {
        #[cfg(feature = "paper")]
        if matches!(self.mode, BoundMode::Penalty | BoundMode::Clamped) {
            return Some(self.penalty);
        }
        None
    }

    /// The penalty's part of the gradient.
    #[inline(always)]
    pub(super) fn penalized_gradient(&self, s: L, low: L, high: L) -> L {
        match self.penalty() {
            Some(penalty) => penalty * ((s - high).max(L::zero()) - (low - s).max(L::zero())),
            None => L::zero(),
        }
    }

    /// Lower and upper bounds around the initial parameters of a vertex.
    #[inline(always)]
    pub(super) fn bounds(&self, s0: &Six<L>) -> [Six<L>; 2] {
        let (mut low, mut high) = (*s0, *s0);
        (low[0], high[0]) = (s0[0] * self.length[0], s0[0] * self.length[1]);
        for j in 1..5 {
            (low[j], high[j]) = (s0[j] - self.kappa, s0[j] + self.kappa);
        }
        (low[5], high[5]) = (s0[5] - self.twist, s0[5] + self.twist);
        [low, high]
    }

    /// 1 where a parameter at vertex `i` may change. The length of an edge that nothing can move plays no part, nor do the parameters of no element.
    #[inline(always)]
    pub(super) fn on(&self, strands: &Strands<L>, i: usize) -> Six<L> {
        let c = &strands.section[i];
        let mut on = [L::zero(); 6];
        on[0] = positive(c.ea) * positive(c.free[0] + strands.section[i + 1].free[0]);
        if i > 0 {
            (on[1], on[2]) = (positive(c.ei[0]), positive(c.ei[1]));
            if strands.measure == Measure::Curvature {
                (on[3], on[4]) = (on[1], on[2]);
            }
            on[5] = positive(c.gj) * self.twists;
        }
        on
    }
}
