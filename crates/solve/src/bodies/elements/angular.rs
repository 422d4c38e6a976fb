//! Elements of three angular rows.

use super::*;
use crate::math::Sym3;

/// Three angular rows and the inertias they act on.
#[derive(Clone, Copy)]
pub struct Angular<T> {
    pub rows: [AngularRow<T>; 3],
    pub a: Sym3<T>,
    pub b: Sym3<T>,
}

#[inline(always)]
fn solve_angular_rows<L: Gather, const RELAX: bool>(w: &Angular<L>, state: [L; 3], spin: Vec3<L>) -> (Vec3<L>, [L; 3]) {
    let mut rows = w.rows;
    if RELAX {
        for r in &mut rows {
            // What is open may still close: from above or from below.
            let zero = L::zero();
            let below = L::select(zero.lt(r.most), zero, r.bias.min(zero));
            r.bias = L::select(r.least.lt(zero), below, r.bias.max(zero));
            r.soft = Softness::rigid();
        }
    }
    solve_angular(&rows, spin, state)
}

#[inline(always)]
fn turn_both<L: Gather>(w: &Angular<L>, torque: Vec3<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
    a.w = a.w - w.a.mul(torque);
    b.w = b.w + w.b.mul(torque);
}

#[inline(always)]
fn warm_angular<L: Gather>(w: &Angular<L>, state: [L; 3], a: &mut Motion<L>, b: &mut Motion<L>, s: &Substep<L>) -> [L; 3] {
    let mut state = state;
    for (state, row) in state.iter_mut().zip(&w.rows) {
        *state = (*state * s.warm).max(row.least).min(row.most);
    }
    turn_both(w, w.rows[0].axis * state[0] + w.rows[1].axis * state[1] + w.rows[2].axis * state[2], a, b);
    state
}

/// Impulses of three angular rows, N m s, and how far the bodies have turned about the axis: the angle in (−π, π] and whole turns beside
/// it, rad. A limit may so be at a half turn or beyond it.
#[derive(Clone, Copy, Debug)]
pub struct AngularState<T> {
    pub impulse: [T; 3],
    pub angle: T,
    pub turns: T,
}

impl<T: Real> AngularState<T> {
    /// Without a turn.
    pub fn new(impulse: [T; 3]) -> Self {
        AngularState { impulse, angle: T::zero(), turns: T::zero() }
    }
}

const PI: f64 = core::f64::consts::PI;

/// What to add to `angle` so that it is nearest to `to`, less than a turn and a half away.
#[inline(always)]
pub(super) fn toward<T: Real>(angle: T, to: T) -> T {
    let (pi, turn, zero) = (T::constant(PI), T::constant(2.0 * PI), T::zero());
    let d = angle - to;
    T::select(pi.lt(d), -turn, T::select(d.lt(-pi), turn, zero))
}

/// Counts on by the shorter way.
#[inline(always)]
fn counted<T: Real>(state: AngularState<T>, angle: T) -> AngularState<T> {
    AngularState { turns: state.turns + toward(angle, state.angle), angle, ..state }
}

/// An element of three angular rows, from the frames of both bodies in world axes and the sum of their inverse inertias.
macro_rules! angular_element {
    ($name:ident, $params:ident, ($p:ident, $state:ident, $qa:ident, $qb:ident, $w:ident, $s:ident) => $rows:expr) => {
        impl Element for $name {
            type Params<L: Gather> = $params<L>;
            type State<L: Gather> = AngularState<L>;
            type Work<L: Gather> = Angular<L>;
            type Impulse<L: Gather> = Vec3<L>;
            const TOLD: usize = 3;

            #[inline(always)]
            fn set_up<L: Gather>(
                $p: &$params<L>,
                $state: AngularState<L>,
                a: &Place<L>,
                b: &Place<L>,
                ma: &mut Motion<L>,
                mb: &mut Motion<L>,
                s: &Substep<L>,
            ) -> (Angular<L>, AngularState<L>) {
                let ($qa, $qb) = (a.q.compose($p.frame_a), b.q.compose($p.frame_b));
                let ($w, $s) = (a.inertia.turn.add(b.inertia.turn), s);
                let (rows, state): ([AngularRow<L>; 3], AngularState<L>) = $rows;
                let work = Angular { rows, a: a.inertia.turn, b: b.inertia.turn };
                let impulse = warm_angular(&work, state.impulse, ma, mb, s);
                (work, AngularState { impulse, ..state })
            }

            #[inline(always)]
            fn find<L: Gather, const RELAX: bool>(
                w: &Angular<L>,
                state: AngularState<L>,
                a: &Motion<L>,
                b: &Motion<L>,
                _: &Substep<L>,
            ) -> (AngularState<L>, Vec3<L>) {
                let (torque, impulse) = solve_angular_rows::<L, RELAX>(w, state.impulse, b.w - a.w);
                (AngularState { impulse, ..state }, torque)
            }

            #[inline(always)]
            fn give<L: Gather>(w: &Angular<L>, torque: Vec3<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
                turn_both(w, torque, a, b);
            }
        }

        impl Joined for $name {
            fn wrench<L: Gather>(w: &Angular<L>, told: AngularState<L>, _: AngularState<L>) -> Wrench<L> {
                let [i, j, k] = told.impulse;
                Wrench { push: Vec3::zero(), turn: w.rows[0].axis * i + w.rows[1].axis * j + w.rows[2].axis * k }
            }
        }
    };
}

/// Limits of a ball joint's swing and twist.
#[derive(Clone, Copy)]
pub struct LimitElement;

#[derive(Clone, Copy)]
pub struct LimitParams<T> {
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
    /// Half angles of the cone about m₁ and m₂, rad.
    pub swing: [T; 2],
    /// Least and most twist, rad.
    pub twist: [T; 2],
}

/// Beyond this swing, rad (120 degrees), the twist says less and less: the turns that it has made are not counted there.
const WIDE: f64 = 2.0 * PI / 3.0;

angular_element!(LimitElement, LimitParams, (p, state, qa, qb, w, s) => {
    let e = arc_strain(qa.conjugate().compose(qb));
    let counted = counted(state, e.beta.z);
    let middle = (p.twist[0] + p.twist[1]) * L::constant(0.5);
    let is_wide = L::constant(WIDE * WIDE).lt(e.beta.x * e.beta.x + e.beta.y * e.beta.y);
    let state = AngularState { turns: L::select(is_wide, toward(e.beta.z, middle), counted.turns), ..counted };
    let e = ArcStrain { beta: Vec3 { z: e.beta.z + state.turns, ..e.beta }, ..e };
    (ball_limits(&e, qb.frame(), p.swing, p.twist, w, &s.stop), state)
});

in_rows! {
    AngularState<L> { impulse: [L; 3], angle: L, turns: L }
    Angular<L> { rows: [AngularRow<L>; 3], a: Sym3<L>, b: Sym3<L> }
    LimitParams<L> { frame_a: Quat<L>, frame_b: Quat<L>, swing: [L; 2], twist: [L; 2] }
}
