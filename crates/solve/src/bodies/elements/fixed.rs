//! Two frames that stay together.

use super::*;
use crate::math::{Mat3, Sym3};

#[derive(Clone, Copy)]
pub struct FixedElement;

#[derive(Clone, Copy)]
pub struct FixedParams<T> {
    pub anchors: Anchors<T>,
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
}

impl Element for FixedElement {
    type Params<L: Gather> = FixedParams<L>;
    type State<L: Gather> = Wrench<L>;
    type Work<L: Gather> = Fixed<L>;
    type Impulse<L: Gather> = Wrench<L>;
    const TOLD: usize = 6;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &FixedParams<L>,
        state: Wrench<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Fixed<L>, Wrench<L>) {
        let (ra, rb) = (a.q.rotate(p.anchors.a), b.q.rotate(p.anchors.b));
        let (qa, qb) = (a.q.compose(p.frame_a), b.q.compose(p.frame_b));
        let between = b.x - a.x;
        let turn = qa.rotate(rotation_vector(qa.conjugate().compose(qb)));
        let pose = FixedPose { between, rb, gap: between + (rb - ra), turn };
        let work = set_up_fixed(&pose, a.inertia, b.inertia, &s.fixed);
        let state = Wrench { push: state.push * s.warm, turn: state.turn * s.warm };
        push_fixed(&work, ma, mb, state);
        (work, state)
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &Fixed<L>,
        state: Wrench<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (Wrench<L>, Wrench<L>) {
        let p = if RELAX {
            relax_fixed(w, L::one() / s.fixed.soft.mass, a, b)
        } else {
            solve_fixed(w, s.fixed.soft.impulse, a, b, state)
        };
        (Wrench { push: state.push + p.push, turn: state.turn + p.turn }, p)
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Fixed<L>, p: Wrench<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
        push_fixed(w, a, b, p);
    }
}

impl Joined for FixedElement {
    fn wrench<L: Gather>(_: &Fixed<L>, told: Wrench<L>, _: Wrench<L>) -> Wrench<L> {
        told
    }
}

in_rows! {
    FixedParams<L> { anchors: Anchors<L>, frame_a: Quat<L>, frame_b: Quat<L> }
    Wrench<L> { push: Vec3<L>, turn: Vec3<L> }
    Fixed<L> {
        between: Vec3<L>,
        undo: Mat3<L>,
        mass: Sym3<L>,
        turn: Sym3<L>,
        bias: Vec3<L>,
        bias_turn: Vec3<L>,
        a: Inertia<L>,
        b: Inertia<L>,
    }
}
