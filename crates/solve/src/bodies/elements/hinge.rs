//! Two frames with a point and an axis in common.

use super::angular::toward;
use super::*;
use crate::math::approx::angle;

/// About the frames' t axis.
#[derive(Clone, Copy)]
pub struct HingeElement;

#[derive(Clone, Copy)]
pub struct HingeParams<T> {
    pub anchors: Anchors<T>,
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
    /// Least and most angle, rad.
    pub limits: [T; 2],
}

/// What goes on from substep to substep.
#[derive(Clone, Copy, Debug)]
pub struct HingeState<T> {
    pub impulse: Wrench<T>,
    /// In (−π, π], and whole turns beside it, rad.
    pub angle: T,
    pub turns: T,
}

impl Element for HingeElement {
    type Params<L: Gather> = HingeParams<L>;
    type State<L: Gather> = HingeState<L>;
    type Work<L: Gather> = Hinge<L>;
    type Impulse<L: Gather> = Wrench<L>;
    const TOLD: usize = 6;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &HingeParams<L>,
        state: HingeState<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Hinge<L>, HingeState<L>) {
        let (ra, rb) = (a.q.rotate(p.anchors.a), b.q.rotate(p.anchors.b));
        let (qa, qb) = (a.q.compose(p.frame_a), b.q.compose(p.frame_b));
        let r = qa.conjugate().compose(qb);
        let sign = L::select(r.w.lt(L::zero()), -L::one(), L::one());
        let turn = L::constant(2.0) * angle(r.z * sign, r.w * sign);
        let turns = state.turns + toward(turn, state.angle);
        let between = b.x - a.x;
        let pose = FixedPose { between, rb, gap: between + (rb - ra), turn: Vec3::zero() };
        let axes = [qa.frame()[2], qb.frame()[2]];
        let work = set_up_hinge(pose, axes, (turn + turns, p.limits), a.inertia, b.inertia, [&s.fixed, &s.stop]);
        let before = Wrench { push: state.impulse.push * s.warm, turn: state.impulse.turn * s.warm };
        let impulse = warm_hinge(&work, before);
        push_fixed(&work.fixed, ma, mb, impulse);
        (work, HingeState { impulse, angle: turn, turns })
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &Hinge<L>,
        state: HingeState<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (HingeState<L>, Wrench<L>) {
        let p = if RELAX {
            relax_hinge(w, L::one() / s.fixed.soft.mass, a, b, state.impulse)
        } else {
            solve_hinge(w, &s.fixed.soft, a, b, state.impulse)
        };
        let impulse = Wrench { push: state.impulse.push + p.push, turn: state.impulse.turn + p.turn };
        (HingeState { impulse, ..state }, p)
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Hinge<L>, p: Wrench<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
        push_fixed(&w.fixed, a, b, p);
    }
}

impl Joined for HingeElement {
    fn wrench<L: Gather>(_: &Hinge<L>, told: HingeState<L>, _: HingeState<L>) -> Wrench<L> {
        told.impulse
    }
}

in_rows! {
    HingeParams<L> { anchors: Anchors<L>, frame_a: Quat<L>, frame_b: Quat<L>, limits: [L; 2] }
    HingeState<L> { impulse: Wrench<L>, angle: L, turns: L }
    Hinge<L> {
        fixed: Fixed<L>,
        free: Wrench<L>,
        turn: Wrench<L>,
        stop: L,
        soft: Softness<L>,
        least: L,
        most: L,
    }
}
