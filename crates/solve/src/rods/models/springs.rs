//! Point masses on springs: edges stretch, and nothing bends or twists them. No host needs it; it
//! shows what a model costs. Behind the cargo feature of that name.

use super::*;
use crate::math::Sym3;

pub struct Springs;

impl Model for Springs {
    const SWEPT: bool = false;
    const EXACT: bool = false;
    const CLAMPS_EDGE: bool = false;
    const COUNTS_TURNS: bool = false;
    const FLOORS_TURNS: bool = false;
    const CURVATURES: usize = 0;
    const EXTRA_ROWS: usize = 0;
    const STATICS: Option<Measure> = None;
    const SHADERS: Option<u32> = None;

    /// Frames follow the edges, and nothing turns them. The ghost points only keep them.
    fn ghost_mass(_: &RodsDesc, mass: f64, _: f64, _: f64) -> f64 {
        1e-3 * mass
    }
    fn ghost_distance(_: &RodsDesc, mean_edge: f64, _: f64) -> f64 {
        mean_edge
    }
    fn least_twist(bend: f64, turn: f64) -> f64 {
        bend.max(turn)
    }
    fn strains_of(_: Vec3<f64>) -> [f64; 5] {
        [0.0; 5]
    }
    fn strains_between(_: &EdgeFrame<f64>, _: &EdgeFrame<f64>) -> [f64; 5] {
        [0.0; 5]
    }
    fn darboux_of(_: [f64; 5]) -> Vec3<f64> {
        Vec3::zero()
    }
    fn moment_halfway(_: Vec3<f64>, _: Vec3<f64>) -> Vec3<f64> {
        Vec3::zero()
    }

    #[inline(always)]
    fn rest<L: Lane>(_: Vec3<L>, _: [L; 2], _: ElementStiffness<L>) -> ElementRest<L> {
        let o = L::zero();
        ElementRest { kappa: [o; 4], twist: o, bend: [o; 4], turn: o }
    }
    #[inline(always)]
    fn strains<L: Lane>(_: &Relative<L>) -> Strains<L> {
        [L::zero(); 5]
    }
    #[inline(always)]
    fn element<L: Lane>(_: &Relative<L>, _: &Strains<L>, _: &ElementRest<L>) -> Element<L> {
        let none = Sym3::diagonal(Vec3::zero());
        Element { energy: L::zero(), moment: Vec3::zero(), gauss_newton: none, second: none }
    }
    #[inline(always)]
    fn gradients<L: Lane>(_: &Relative<L>, _: &Strains<L>) -> [Vec3<L>; 5] {
        [Vec3::zero(); 5]
    }
    #[inline(always)]
    fn softened<L: Lane>(_: &Relative<L>, rest: &ElementRest<L>) -> ElementRest<L> {
        *rest
    }
    #[inline(always)]
    fn hessian<L: Lane>(_: &Relative<L>, _: &Element<L>, _: [Stretched<'_, L>; 2], _: L, _: Form) -> LocalHessian<L> {
        let none = [[L::zero(); 4]; 4];
        LocalHessian { ee: none, ef: none, ff: none }
    }
    #[inline(always)]
    fn energy<L: Lane>(_: &Relative<L>, _: &Strains<L>, _: &ElementRest<L>) -> L {
        L::zero()
    }
    #[inline(always)]
    fn moment<L: Lane>(_: &Relative<L>, _: &Strains<L>, _: &ElementRest<L>) -> Vec3<L> {
        Vec3::zero()
    }
    #[inline(always)]
    fn hung<L: Lane>(rest: ElementRest<L>, _: Vec3<L>, _: Vec3<L>) -> ElementRest<L> {
        rest
    }
}
