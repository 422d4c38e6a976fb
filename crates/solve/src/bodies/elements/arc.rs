//! An elastic rod between two bodies.

use super::*;
use crate::math::{Mat3, Sym3};

#[derive(Clone, Copy)]
pub struct ArcElement;

/// An arc between two anchors: frames of the rod in principal axes, t the third axis.
#[derive(Clone, Copy)]
pub struct ArcParams<T> {
    pub anchors: Anchors<T>,
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
    /// l₀, m
    pub length: T,
    /// EI₁/l₀, EI₂/l₀, GJ/l₀, N m/rad; the paper's α where `relaxed` is 1.
    pub stiffness: Vec3<T>,
    /// N m s/rad
    pub damping: Vec3<T>,
    /// Natural bending and twist, rad.
    pub rest: Vec3<T>,
    pub relaxed: T,
}

#[derive(Clone, Copy)]
pub struct ArcState<T> {
    pub impulse: Vec3<T>,
    pub torque: Vec3<T>,
    pub white: Whitening<T>,
}

impl Element for ArcElement {
    type Params<L: Gather> = ArcParams<L>;
    type State<L: Gather> = ArcState<L>;
    type Work<L: Gather> = Arc<L>;
    type Impulse<L: Gather> = (Vec3<L>, Vec3<L>);
    const TOLD: usize = 6;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &ArcParams<L>,
        state: ArcState<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Arc<L>, ArcState<L>) {
        let (qa, qb) = (a.q.compose(p.frame_a), b.q.compose(p.frame_b));
        let (ra, rb) = (a.q.rotate(p.anchors.a), b.q.rotate(p.anchors.b));
        let between = b.x - a.x;
        let pose = ArcPose { chord: between + (rb - ra), between, rb, frame_a: qa.frame(), frame_b: qb.frame() };
        let strain = arc_strain(qa.conjugate().compose(qb));
        let half = L::constant(core::f64::consts::PI);
        let hard = arc_rows(&pose, &strain, p.length);
        let rows = world_rows(&strain, pose.frame_b);
        let w = a.inertia.turn.add(b.inertia.turn);
        let mut error = strain.beta - p.rest;
        // A twist is the same after a whole turn: the shorter way back.
        let turns = L::select(half.lt(error.z), L::one(), L::select(error.z.lt(-half), -L::one(), L::zero()));
        error.z = error.z - turns * (half + half);
        let stiffness = Stiffness { spring: p.stiffness, damping: p.damping };
        let stiff = set_up_spring(rows, error, stiffness, w, s.h, s.soft_motor);
        let relaxed = set_up_relaxation(rows, error, p.stiffness, w, s.inv_h);
        let is_relaxed = L::zero().lt(p.relaxed);
        let spring = Spring {
            a: Sym3::select(is_relaxed, relaxed.a, stiff.a),
            b: Mat3([
                Vec3::select(is_relaxed, relaxed.b.0[0], stiff.b.0[0]),
                Vec3::select(is_relaxed, relaxed.b.0[1], stiff.b.0[1]),
                Vec3::select(is_relaxed, relaxed.b.0[2], stiff.b.0[2]),
            ]),
            c: Vec3::select(is_relaxed, relaxed.c, stiff.c),
        };
        let (work, white, diagonal) = set_up_arc(&pose, &hard, spring, a.inertia, b.inertia, s.joint.rate);
        let impulse = white.upward(state.white.backward(state.impulse), diagonal) * s.warm;
        // A relaxation has no memory.
        let torque = Vec3::select(is_relaxed, Vec3::zero(), state.torque * s.warm);
        let (f, t) = arc_wrench(&work, impulse);
        push_arc(&work, ma, mb, f, t + torque);
        (work, ArcState { impulse, torque, white })
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &Arc<L>,
        state: ArcState<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (ArcState<L>, (Vec3<L>, Vec3<L>)) {
        let (m, t) = if RELAX {
            solve_arc(w, Softness::rigid(), a, b, state.impulse, state.torque, Vec3::zero())
        } else {
            solve_arc(w, s.joint.soft, a, b, state.impulse, state.torque, w.bias)
        };
        let (p, s) = arc_wrench(w, m);
        (ArcState { impulse: state.impulse + m, torque: state.torque + t, ..state }, (p, s + t))
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Arc<L>, (p, t): (Vec3<L>, Vec3<L>), a: &mut Motion<L>, b: &mut Motion<L>) {
        push_arc(w, a, b, p, t);
    }
}

impl Joined for ArcElement {
    fn wrench<L: Gather>(w: &Arc<L>, told: ArcState<L>, now: ArcState<L>) -> Wrench<L> {
        // The rows are those of now; a relaxation's torque is gone from the state of now.
        let (push, turn) = arc_wrench(w, now.impulse);
        Wrench { push, turn: turn + told.torque }
    }
}

in_rows! {
    ArcParams<L> {
        anchors: Anchors<L>,
        frame_a: Quat<L>,
        frame_b: Quat<L>,
        length: L,
        stiffness: Vec3<L>,
        damping: Vec3<L>,
        rest: Vec3<L>,
        relaxed: L,
    }
    ArcState<L> { impulse: Vec3<L>, torque: Vec3<L>, white: Whitening<L> }
}
