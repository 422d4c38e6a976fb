//! Strands for which no rest shape is sought.

use super::{Refusal, positive};
use crate::math::Lane;
use crate::rods::der::kernels::{Measure, Relative};
use crate::rods::der::strand::Strands;

/// Taken down vertex by vertex.
pub(super) struct Soundness<L> {
    /// 0, or NaN where a number is not finite.
    sum: L,
    least_mass: L,
    longest: L,
    /// Of the edges that something holds in shape.
    shortest: L,
    /// The least that an element is open beyond [`Strands::folded`].
    open: L,
}

/// More than any length, m.
const HUGE: f64 = 1e300;

impl<L: Lane> Soundness<L> {
    /// With the last vertex, at which no edge begins.
    #[inline(always)]
    pub fn new(strands: &Strands<L>) -> Self {
        let (huge, last) = (L::constant(HUGE), strands.vertices() - 1);
        let mut sound = Soundness { sum: L::zero(), least_mass: L::one(), longest: L::zero(), shortest: huge, open: huge };
        sound.vertex(strands, last, strands.state[last].edge.length2().sqrt());
        sound
    }

    #[inline(always)]
    fn vertex(&mut self, strands: &Strands<L>, i: usize, length: L) {
        let (a, r, c) = (&strands.state[i], &strands.rest[i], &strands.section[i]);
        let numbers = [
            [a.edge.x, a.edge.y, a.edge.z, a.m1.x, a.m1.y, a.m1.z, a.twist, a.turns],
            [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist, c.ea, c.ei[0]],
            [c.ei[1], c.gj, c.mass, c.inertia, c.force.x, c.force.y, c.force.z, c.moment],
        ];
        // 0 x is 0, or NaN.
        for of in numbers {
            for v in of {
                self.sum = self.sum + v * L::zero();
            }
        }
        self.least_mass = self.least_mass.min(c.mass).min(c.inertia);
        self.longest = self.longest.max(L::select(L::zero().lt(c.ea), length.max(r.length), L::zero()));
    }

    /// The edge at vertex `i`.
    #[inline(always)]
    pub fn edge(&mut self, strands: &Strands<L>, i: usize, length: L) {
        self.vertex(strands, i, length);
        let c = &strands.section[i];
        let some = positive(c.ei[0] + c.ei[1] + c.gj).max(positive(c.ea));
        self.shortest = self.shortest.min(L::select(L::zero().lt(some), length, L::constant(HUGE)));
    }

    #[inline(always)]
    pub fn element(&mut self, strands: &Strands<L>, i: usize, q: &Relative<L>) {
        let [a, b, c] = q.rows;
        let open = match strands.measure {
            Measure::Curvature => L::one() + c.z,
            Measure::Darboux => L::constant(0.5) * (L::one() + (a.x + b.y + c.z)),
        };
        let c = &strands.section[i];
        let stiff = L::zero().lt(c.ei[0] + c.ei[1] + c.gj);
        self.open = self.open.min(L::select(stiff, open - strands.folded, L::constant(HUGE)));
    }

    /// 0, or 1 + a [`Refusal`] as number.
    #[inline(always)]
    pub fn refusal(&self) -> L {
        let (zero, one) = (L::zero(), L::one());
        let code = |r: Refusal| L::constant(1.0 + r as u8 as f64);
        let out = L::select(self.open.lt(zero), code(Refusal::Fold), zero);
        let out = L::select(self.shortest.lt(L::constant(1e-6) * self.longest), code(Refusal::ShortEdge), out);
        let out = L::select(zero.lt(self.least_mass), out, code(Refusal::NoMass));
        // False where the sum is NaN.
        L::select((self.sum - one).lt(zero), out, code(Refusal::NotFinite))
    }
}
