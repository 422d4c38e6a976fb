//! Discrete elastic rods (Bergou 2008 and 2010; Takahashi & Batty 2025). Strains are the curvatures
//! κ₀ … κ₃ (12) and the twist m (16), which counts full turns. `rods/der/kernels.rs` has the maths,
//! `docs/internals/der.md` the derivations.

use super::*;
use crate::math::Quat;
use crate::math::approx::angle;
use crate::math::vec3::vec3;
use crate::rods::der::kernels::{Frame, bend_twist, positive_hessian, true_hessian};

/// 1 + cos 169°. Curvature grows without bound towards a half turn, and the stiffness against it
/// with it, out of the reach of f32: an element that is folded farther loses stiffness as fast as
/// its curvature gains slope. (Seen: a strand pressed flat on the floor took no step any more.)
pub const FOLDED: f64 = 0.0184;

pub struct Der;

impl Model for Der {
    const SWEPT: bool = false;
    const EXACT: bool = true;
    const CLAMPS_EDGE: bool = true;
    const COUNTS_TURNS: bool = true;
    const FLOORS_TURNS: bool = true;
    const CURVATURES: usize = 4;
    const EXTRA_ROWS: usize = 2;
    const STATICS: Option<Measure> = Some(Measure::Curvature);
    const SHADERS: Option<u32> = Some(1);

    /// The ghost point has the section's polar moment of inertia about the edge.
    fn ghost_mass(desc: &RodsDesc, mass: f64, a: f64, ghost: f64) -> f64 {
        let r2 = 0.25 * a * a * (1.0 + desc.aspect * desc.aspect);
        (mass * r2 / (ghost * ghost)).min(0.5 * mass)
    }
    /// Beyond the section, where it weighs less than the edge.
    fn ghost_distance(desc: &RodsDesc, mean_edge: f64, radius: f64) -> f64 {
        mean_edge.max(radius * (1.0 + desc.aspect * desc.aspect).sqrt())
    }
    /// Edges turn with their element's curvature, so the noise of a twist pushes vertices.
    fn least_twist(bend: f64, _: f64) -> f64 {
        bend
    }
    fn strains_of(psi: Vec3<f64>) -> [f64; 5] {
        let g = psi * 0.5;
        let w = 1.0 / (1.0 + g.length2()).sqrt();
        let still = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)];
        let turned = Quat { x: g.x * w, y: g.y * w, z: g.z * w, w }.frame();
        Self::strains_between(&EdgeFrame::fixed(still), &EdgeFrame::fixed(turned))
    }
    fn strains_between(e: &EdgeFrame<f64>, f: &EdgeFrame<f64>) -> [f64; 5] {
        let frame = |f: &EdgeFrame<f64>| Frame { m1: f.d1, m2: f.d2, t: f.d3 };
        Self::strains(&Relative::new(&frame(e), &frame(f)))
    }
    fn darboux_of([a, b, c, d, twist]: [f64; 5]) -> Vec3<f64> {
        vec3(-0.5 * (b + d), 0.5 * (a + c), twist)
    }
    /// The state has a moment, in the axes of the second edge: turned back by half of the angle.
    fn moment_halfway(moment: Vec3<f64>, g: Vec3<f64>) -> Vec3<f64> {
        let root = (1.0 + g.length2()).sqrt();
        let c = 1.0 / root;
        let gm = g.cross(moment);
        moment + gm * c + g.cross(gm) * (c * c / (1.0 + c))
    }

    /// Strains 0 and 2 bend towards m₁, which is about m₂; each edge's two share one stiffness.
    #[inline(always)]
    fn rest<L: Lane>(psi: Vec3<L>, [c, d]: [L; 2], k: ElementStiffness<L>) -> ElementRest<L> {
        let half = L::constant(0.5);
        let (a, b) = (k.bend[1] * half, k.bend[0] * half);
        ElementRest { kappa: [psi.x, psi.y, c, d], twist: psi.z, bend: [a, b, a, b], turn: k.turn }
    }
    #[inline(always)]
    fn strains<L: Lane>(q: &Relative<L>) -> Strains<L> {
        let k = q.curvature();
        let (sin, cos) = q.twist();
        [k[0], k[1], k[2], k[3], angle(sin, cos)]
    }
    #[inline(always)]
    fn element<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Element<L> {
        let kappa = [now[0], now[1], now[2], now[3]];
        bend_twist(q, kappa, now[4], &q.gradients(kappa), &Self::softened(q, rest))
    }
    #[inline(always)]
    fn gradients<L: Lane>(q: &Relative<L>, now: &Strains<L>) -> [Vec3<L>; 5] {
        let g = q.gradients([now[0], now[1], now[2], now[3]]);
        [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist]
    }
    /// [`FOLDED`]
    #[inline(always)]
    fn softened<L: Lane>(q: &Relative<L>, rest: &ElementRest<L>) -> ElementRest<L> {
        let open = ((L::one() + q.rows[2].z) / L::constant(FOLDED)).max(L::zero()).min(L::one());
        let keep = open * open;
        let [a, b, c, d] = rest.bend;
        ElementRest { bend: [a * keep, b * keep, c * keep, d * keep], turn: rest.turn * keep, ..*rest }
    }
    #[inline(always)]
    fn hessian<L: Lane>(
        q: &Relative<L>,
        element: &Element<L>,
        [e, f]: [Stretched<'_, L>; 2],
        exact: L,
        form: Form,
    ) -> LocalHessian<L> {
        if form == Form::True { true_hessian(q, element) } else { positive_hessian(q, element, e, f, exact) }
    }
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "as written in the paper's sum")]
    fn energy<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> L {
        let (half, rest) = (L::constant(0.5), Self::softened(q, rest));
        let d = now[4] - rest.twist;
        let mut sum = half * rest.turn * d * d;
        for j in 0..4 {
            let d = now[j] - rest.kappa[j];
            sum = sum + half * rest.bend[j] * d * d;
        }
        sum
    }
    #[inline(always)]
    fn moment<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Vec3<L> {
        Self::element(q, now, rest).moment
    }
    /// κ₀ and κ₂ share what resists a turn about m₂, κ₁ and κ₃ about m₁.
    #[inline(always)]
    fn hung<L: Lane>(mut rest: ElementRest<L>, give: Vec3<L>, psi: Vec3<L>) -> ElementRest<L> {
        let [a, b, c, d] = rest.bend;
        let (y, x) = (in_series(a + c, give.y), in_series(b + d, give.x));
        rest.bend = [a * y, b * x, c * y, d * x];
        let [a, b, c, d] = rest.kappa;
        rest.kappa = [a + psi.y, b - psi.x, c + psi.y, d - psi.x];
        rest
    }
}
