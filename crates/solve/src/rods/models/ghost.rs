//! Ghost-point rods (Umetani 2014). Strains are the rotation vector Ψ = 2 n tan(θ/2) of the paper's
//! eqs. 9 and 10, in the places 0, 1 and 4. Sweeps solve them by `rods/ghost/kernels.rs`; Newton's
//! method takes the same energy in the Gauss–Newton form (`docs/internals/direct.md`).

use super::*;
use crate::math::vec3::vec3;
use crate::rods::der::kernels::{add, bend_twist_folded, folded_rest, local_hessian, positive_hessian, true_hessian};
use crate::rods::ghost::kernels::rodrigues;

pub struct Ghost;

impl Model for Ghost {
    const SWEPT: bool = true;
    const EXACT: bool = false;
    const CLAMPS_EDGE: bool = false;
    const COUNTS_TURNS: bool = false;
    const FLOORS_TURNS: bool = false;
    const CURVATURES: usize = 2;
    const EXTRA_ROWS: usize = 0;
    const STATICS: Option<Measure> = Some(Measure::Darboux);
    const SHADERS: Option<u32> = Some(0);

    fn ghost_mass(desc: &RodsDesc, mass: f64, _: f64, _: f64) -> f64 {
        mass * desc.ghost_mass_ratio
    }
    fn ghost_distance(desc: &RodsDesc, mean_edge: f64, _: f64) -> f64 {
        if desc.ghost_distance > 0.0 { desc.ghost_distance } else { mean_edge }
    }
    fn least_twist(bend: f64, turn: f64) -> f64 {
        bend.max(turn)
    }
    fn strains_of(psi: Vec3<f64>) -> [f64; 5] {
        [psi.x, psi.y, 0.0, 0.0, psi.z]
    }
    fn strains_between(e: &EdgeFrame<f64>, f: &EdgeFrame<f64>) -> [f64; 5] {
        Self::strains_of(rodrigues(e, f).half * 2.0)
    }
    fn darboux_of([x, y, _, _, z]: [f64; 5]) -> Vec3<f64> {
        vec3(x, y, z)
    }
    /// The state has λ/h², the derivative of the energy by Ψ. The moment is its derivative by the
    /// angle: (I − [g]× + g gᵀ) λ in the axes of the second edge, which is
    /// √(1+g²) (λ + g (g·λ)/(1+√(1+g²))) halfway.
    fn moment_halfway(lambda: Vec3<f64>, g: Vec3<f64>) -> Vec3<f64> {
        let root = (1.0 + g.length2()).sqrt();
        (lambda + g * (g.dot(lambda) / (1.0 + root))) * root
    }

    #[inline(always)]
    fn rest<L: Lane>(psi: Vec3<L>, _: [L; 2], k: ElementStiffness<L>) -> ElementRest<L> {
        let (o, [k1, k2]) = (L::zero(), k.bend);
        ElementRest { kappa: [psi.x, psi.y, o, o], twist: psi.z, bend: [k1, k2, o, o], turn: k.turn }
    }
    #[inline(always)]
    fn strains<L: Lane>(q: &Relative<L>) -> Strains<L> {
        let psi = q.half_darboux() * L::constant(2.0);
        [psi.x, psi.y, L::zero(), L::zero(), psi.z]
    }
    #[inline(always)]
    fn element<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Element<L> {
        bend_twist_folded(q, now, rest)
    }
    #[inline(always)]
    fn gradients<L: Lane>(q: &Relative<L>, now: &Strains<L>) -> [Vec3<L>; 5] {
        let g = q.darboux_gradients(vec3(now[0], now[1], now[4]) * L::constant(0.5));
        [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist]
    }
    #[inline(always)]
    fn softened<L: Lane>(q: &Relative<L>, rest: &ElementRest<L>) -> ElementRest<L> {
        folded_rest(q, rest)
    }
    #[inline(always)]
    fn hessian<L: Lane>(
        q: &Relative<L>,
        element: &Element<L>,
        [e, f]: [Stretched<'_, L>; 2],
        exact: L,
        form: Form,
    ) -> LocalHessian<L> {
        match form {
            Form::Own => local_hessian(q, &element.gauss_newton, element.moment, false),
            Form::True => true_hessian(q, element),
            Form::Touched => {
                // Nothing of second order counts where `exact` is −1.
                let here = L::select(exact.lt(L::constant(-0.5)), L::zero(), L::one());
                local_hessian(q, &add(element.gauss_newton, element.second, here), element.moment * here, true)
            }
            Form::Positive => {
                let mut h = positive_hessian(q, element, e, f, exact);
                let (own, here) = (local_hessian(q, &element.gauss_newton, element.moment, false), exact.lt(L::constant(-0.5)));
                for a in 0..4 {
                    for b in 0..4 {
                        h.ee[a][b] = L::select(here, own.ee[a][b], h.ee[a][b]);
                        h.ef[a][b] = L::select(here, own.ef[a][b], h.ef[a][b]);
                        h.ff[a][b] = L::select(here, own.ff[a][b], h.ff[a][b]);
                    }
                }
                h
            }
        }
    }
    #[inline(always)]
    fn energy<L: Lane>(_: &Relative<L>, _: &Strains<L>, _: &ElementRest<L>) -> L {
        L::zero()
    }
    /// Derivatives by Ψ.
    #[inline(always)]
    fn moment<L: Lane>(_: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Vec3<L> {
        vec3(rest.bend[0] * (now[0] - rest.kappa[0]), rest.bend[1] * (now[1] - rest.kappa[1]), rest.turn * (now[4] - rest.twist))
    }
    #[inline(always)]
    fn hung<L: Lane>(mut rest: ElementRest<L>, give: Vec3<L>, psi: Vec3<L>) -> ElementRest<L> {
        rest.bend[0] = rest.bend[0] * in_series(rest.bend[0], give.x);
        rest.bend[1] = rest.bend[1] * in_series(rest.bend[1], give.y);
        (rest.kappa[0], rest.kappa[1]) = (rest.kappa[0] + psi.x, rest.kappa[1] + psi.y);
        rest
    }
}
