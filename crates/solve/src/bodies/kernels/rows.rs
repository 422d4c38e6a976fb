//! Which fields of the bodies' kernel structures lie in rows, and in which order.

use super::*;
use crate::math::rows::in_rows;
use crate::math::{Mat3, Sym3, Vec3};

in_rows! {
    Inertia<L> { mass: L, turn: Sym3<L> }
    Softness<L> { mass: L, impulse: L }
    Ball<L> { ra: Vec3<L>, rb: Vec3<L>, turn_a: Mat3<L>, turn_b: Mat3<L>, ma: L, mb: L, mass: Sym3<L>, bias: Vec3<L> }
    Spring<L> { a: Sym3<L>, b: Mat3<L>, c: Vec3<L> }
    Arc<L> {
        n: [Vec3<L>; 3],
        s: [Vec3<L>; 3],
        cross: [Vec3<L>; 3],
        between: Vec3<L>,
        bias: Vec3<L>,
        spring: Spring<L>,
        a: Inertia<L>,
        b: Inertia<L>,
    }
    Whitening<L> { inv: Vec3<L>, below: Vec3<L> }
    AngularRow<L> { axis: Vec3<L>, turn: Vec3<L>, mass: L, bias: L, soft: Softness<L>, least: L, most: L }
    Row<L> { arm_a: Vec3<L>, arm_b: Vec3<L>, turn_a: Vec3<L>, turn_b: Vec3<L>, mass: L }
    PointBias<L> { bias: L, soft: Softness<L> }
}
