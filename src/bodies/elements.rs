//! What joints and contacts are made of. An element is one kind of constraint between two bodies; it is linearised at the start of a
//! substep and solved in every iteration. A joint is one element or several (`world/joints.rs`); a contact is one.

use super::kernels::*;
use super::rows::{InRows, each, in_rows};
use crate::math::approx::angle;
use crate::math::vec3::vec3;
use crate::math::{Gather, Mat3, Quat, Real, Sym3, Vec3};

/// Where a body is and how it resists.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    /// Centre of mass, m.
    pub x: Vec3<T>,
    /// Of the principal axes.
    pub q: Quat<T>,
    pub inertia: Inertia<T>,
}

/// What all constraints share in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Substep<T> {
    /// s
    pub h: T,
    pub inv_h: T,
    /// Joints: how errors are taken back.
    pub joint: Bias<T>,
    /// Contacts: part of a penetration undone in a second, the softness of that, penetration left alone, fastest push out, and the
    /// speed above which they bounce.
    pub contact_rate: T,
    pub contact_soft: Softness<T>,
    /// The same against what no impulse moves.
    pub ground_rate: T,
    pub ground_soft: Softness<T>,
    pub slop: T,
    pub most_push: T,
    pub bounce: T,
    /// Of the step's substeps, which, and 1 in the first.
    pub number: u32,
    pub first: T,
    /// Part of the step that is over at the end of the substep, and one over the step, 1/s.
    pub part: T,
    pub inv_dt: T,
    /// Part of the last impulses that the substep starts with.
    pub warm: T,
    /// One over the largest stiffness of a motor, that as h² k over the inertia.
    pub soft_motor: T,
}

impl<T: Real> Substep<T> {
    /// The same in every lane.
    #[inline(always)]
    pub fn splat<L: Gather<Elem = T>>(&self) -> Substep<L>
    where
        T: crate::math::Elem,
    {
        let soft = Softness { mass: L::splat(self.joint.soft.mass), impulse: L::splat(self.joint.soft.impulse) };
        Substep {
            h: L::splat(self.h),
            inv_h: L::splat(self.inv_h),
            joint: Bias {
                rate: L::splat(self.joint.rate),
                most_turn: L::splat(self.joint.most_turn),
                inv_h: L::splat(self.joint.inv_h),
                soft,
            },
            contact_rate: L::splat(self.contact_rate),
            contact_soft: Softness { mass: L::splat(self.contact_soft.mass), impulse: L::splat(self.contact_soft.impulse) },
            ground_rate: L::splat(self.ground_rate),
            ground_soft: Softness { mass: L::splat(self.ground_soft.mass), impulse: L::splat(self.ground_soft.impulse) },
            slop: L::splat(self.slop),
            most_push: L::splat(self.most_push),
            bounce: L::splat(self.bounce),
            number: self.number,
            first: L::splat(self.first),
            part: L::splat(self.part),
            inv_dt: L::splat(self.inv_dt),
            warm: L::splat(self.warm),
            soft_motor: L::splat(self.soft_motor),
        }
    }
}

/// One kind of constraint.
pub trait Element: Copy + Send + Sync + 'static {
    /// What the host describes.
    type Params<L: Gather>: InRows<L>;
    /// What goes on from substep to substep: the impulses.
    type State<L: Gather>: InRows<L>;
    /// What an iteration reads.
    type Work<L: Gather>: InRows<L>;

    /// Linearises, and gives the bodies the impulses of before.
    fn set_up<L: Gather>(
        p: &Self::Params<L>,
        state: Self::State<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Self::Work<L>, Self::State<L>);

    /// One iteration. `RELAX`: only velocities count, errors of position do not.
    fn solve<L: Gather, const RELAX: bool>(
        w: &Self::Work<L>,
        state: Self::State<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        s: &Substep<L>,
    ) -> Self::State<L>;
}

// ---------------------------------------------------------------------------------------------------------------- ball

#[derive(Clone, Copy)]
pub struct BallElement;

/// Anchors from the centres of mass, in principal axes, m.
#[derive(Clone, Copy, Debug)]
pub struct Anchors<T> {
    pub a: Vec3<T>,
    pub b: Vec3<T>,
}

impl Element for BallElement {
    type Params<L: Gather> = Anchors<L>;
    type State<L: Gather> = Vec3<L>;
    type Work<L: Gather> = Ball<L>;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &Anchors<L>,
        state: Vec3<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Ball<L>, Vec3<L>) {
        let (ra, rb) = (a.q.rotate(p.a), b.q.rotate(p.b));
        let gap = (b.x - a.x) + (rb - ra);
        let work = set_up_ball(ra, rb, gap, a.inertia, b.inertia, s.joint.rate, s.joint.soft.mass);
        let state = state * s.warm;
        push_ball(&work, ma, mb, state);
        (work, state)
    }

    #[inline(always)]
    fn solve<L: Gather, const RELAX: bool>(
        w: &Ball<L>,
        state: Vec3<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        s: &Substep<L>,
    ) -> Vec3<L> {
        if RELAX {
            relax_ball(w, L::one() / s.joint.soft.mass, a, b, state)
        } else {
            solve_ball(w, s.joint.soft.impulse, a, b, state)
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------- arc

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
        let hard = arc_rows(&pose, &strain, p.length);
        let rows = world_rows(&strain, pose.frame_b);
        let w = a.inertia.turn.add(b.inertia.turn);
        let error = strain.beta - p.rest;
        let stiffness = Stiffness { spring: p.stiffness, damping: p.damping };
        let stiff = set_up_spring(rows, error, stiffness, w, s.h);
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
    fn solve<L: Gather, const RELAX: bool>(
        w: &Arc<L>,
        state: ArcState<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        s: &Substep<L>,
    ) -> ArcState<L> {
        let (impulse, torque) = if RELAX {
            solve_arc(w, Softness::rigid(), a, b, state.impulse, state.torque, Vec3::zero())
        } else {
            solve_arc(w, s.joint.soft, a, b, state.impulse, state.torque, w.bias)
        };
        ArcState { impulse, torque, ..state }
    }
}

// ------------------------------------------------------------------------------------------------------ angular elements

/// Three angular rows and the inertias they act on.
#[derive(Clone, Copy)]
pub struct Angular<T> {
    pub rows: [AngularRow<T>; 3],
    pub a: Sym3<T>,
    pub b: Sym3<T>,
}

#[inline(always)]
fn solve_angular_rows<L: Gather, const RELAX: bool>(
    w: &Angular<L>,
    state: [L; 3],
    a: &mut Motion<L>,
    b: &mut Motion<L>,
) -> [L; 3] {
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
    let (torque, state) = solve_angular(&rows, b.w - a.w, state);
    a.w = a.w - w.a.mul(torque);
    b.w = b.w + w.b.mul(torque);
    state
}

#[inline(always)]
fn warm_angular<L: Gather>(w: &Angular<L>, state: [L; 3], a: &mut Motion<L>, b: &mut Motion<L>, s: &Substep<L>) -> [L; 3] {
    let mut state = state;
    for (state, row) in state.iter_mut().zip(&w.rows) {
        *state = (*state * s.warm).max(row.least).min(row.most);
    }
    let torque = w.rows[0].axis * state[0] + w.rows[1].axis * state[1] + w.rows[2].axis * state[2];
    a.w = a.w - w.a.mul(torque);
    b.w = b.w + w.b.mul(torque);
    state
}

/// An element of three angular rows, from the frames of both bodies in world axes and the sum of their inverse inertias.
macro_rules! angular_element {
    ($name:ident, $params:ident, ($p:ident, $qa:ident, $qb:ident, $w:ident, $bias:ident) => $rows:expr) => {
        impl Element for $name {
            type Params<L: Gather> = $params<L>;
            type State<L: Gather> = [L; 3];
            type Work<L: Gather> = Angular<L>;

            #[inline(always)]
            fn set_up<L: Gather>(
                $p: &$params<L>,
                state: [L; 3],
                a: &Place<L>,
                b: &Place<L>,
                ma: &mut Motion<L>,
                mb: &mut Motion<L>,
                s: &Substep<L>,
            ) -> (Angular<L>, [L; 3]) {
                let ($qa, $qb) = (a.q.compose($p.frame_a), b.q.compose($p.frame_b));
                let ($w, $bias) = (a.inertia.turn.add(b.inertia.turn), &s.joint);
                let work = Angular { rows: $rows, a: a.inertia.turn, b: b.inertia.turn };
                let state = warm_angular(&work, state, ma, mb, s);
                (work, state)
            }

            #[inline(always)]
            fn solve<L: Gather, const RELAX: bool>(
                w: &Angular<L>,
                state: [L; 3],
                a: &mut Motion<L>,
                b: &mut Motion<L>,
                _: &Substep<L>,
            ) -> [L; 3] {
                solve_angular_rows::<L, RELAX>(w, state, a, b)
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

angular_element!(LimitElement, LimitParams, (p, qa, qb, w, bias) => {
    ball_limits(&arc_strain(qa.conjugate().compose(qb)), qb.frame(), p.swing, p.twist, w, bias)
});

/// What a hinge about the frames' t axis holds beside the point.
#[derive(Clone, Copy)]
pub struct HingeElement;

#[derive(Clone, Copy)]
pub struct HingeParams<T> {
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
    /// Least and most angle, rad.
    pub limits: [T; 2],
}

angular_element!(HingeElement, HingeParams, (p, qa, qb, w, bias) => {
    let r = qa.conjugate().compose(qb);
    let sign = L::select(r.w.lt(L::zero()), -L::one(), L::one());
    let turn = L::constant(2.0) * angle(r.z * sign, r.w * sign);
    hinge_rows(qa.frame(), qb.frame(), turn, p.limits, w, bias)
});

/// What a fixed joint holds beside the point: the relative rotation.
#[derive(Clone, Copy)]
pub struct WeldElement;

#[derive(Clone, Copy)]
pub struct WeldParams<T> {
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
}

angular_element!(WeldElement, WeldParams, (p, qa, qb, w, bias) => {
    weld_rows(qa.frame(), rotation_vector(qa.conjugate().compose(qb)), w, bias)
});

/// A motor: a spring on the relative rotation, with a target that may move and a largest torque.
#[derive(Clone, Copy)]
pub struct MotorElement;

#[derive(Clone, Copy)]
pub struct MotorParams<T> {
    pub frame_a: Quat<T>,
    pub frame_b: Quat<T>,
    /// N m/rad and N m s/rad about m₁, m₂, t.
    pub stiffness: Vec3<T>,
    pub damping: Vec3<T>,
    /// Target F_a⁻¹ F_b, at the end of the step.
    pub target: Quat<T>,
    /// Target spin ω_b − ω_a in the axes of F_a, rad/s.
    pub speed: Vec3<T>,
    /// N m
    pub most: T,
    /// The target before the step.
    pub from: Quat<T>,
}

/// A target that turns further in a step, rad, is another one, and is there at once.
const MOST_WAY: f64 = 1.0;

/// The target at the end of the substep, on its way from where it was before the step, and its spin, in its own axes.
#[inline(always)]
fn aim<T: Real>(from: Quat<T>, to: Quat<T>, s: &Substep<T>) -> (Quat<T>, Vec3<T>) {
    let (zero, one) = (T::zero(), T::one());
    let between = from.conjugate().compose(to);
    let sign = T::select(between.w.lt(zero), -one, one);
    // cos(way/2)
    let cos = between.w * sign;
    let is_near = T::constant(1.0 - 0.125 * MOST_WAY * MOST_WAY).lt(cos);
    let part = T::select(is_near, s.part, one);
    let rest = (one - part) * sign;
    // One over the length of what lies straight between them, a series in 1 − length², at most 1/16.
    let y = T::constant(2.0) * part * (one - part) * (one - cos);
    let c = T::constant;
    let inv = one + y * (c(0.5) + y * (c(0.375) + y * (c(0.3125) + y * c(0.273_437_5))));
    let q = Quat {
        x: from.x * rest + to.x * part,
        y: from.y * rest + to.y * part,
        z: from.z * rest + to.z * part,
        w: from.w * rest + to.w * part,
    };
    let way = vec3(between.x, between.y, between.z) * (sign * T::constant(2.0) * s.inv_dt);
    let q = Quat { x: q.x * inv, y: q.y * inv, z: q.z * inv, w: q.w * inv };
    (q, Vec3::select(is_near, way, Vec3::zero()))
}

#[derive(Clone, Copy)]
pub struct Motor<T> {
    pub spring: Spring<T>,
    pub a: Sym3<T>,
    pub b: Sym3<T>,
    /// Largest impulse, N m s.
    pub most: T,
}

#[inline(always)]
fn at_most<T: Real>(v: Vec3<T>, most: T) -> Vec3<T> {
    let l = v.length();
    v * T::select(most.lt(l), most / l.max(T::constant(1e-30)), T::one())
}

impl Element for MotorElement {
    type Params<L: Gather> = MotorParams<L>;
    type State<L: Gather> = Vec3<L>;
    type Work<L: Gather> = Motor<L>;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &MotorParams<L>,
        state: Vec3<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Motor<L>, Vec3<L>) {
        let (qa, qb) = (a.q.compose(p.frame_a), b.q.compose(p.frame_b));
        let (target, turning) = aim(p.from, p.target, s);
        let goal = qa.compose(target);
        // The rotation from the goal to b, as a vector in the goal's axes.
        let strain = rotation_vector(goal.conjugate().compose(qb));
        let w = a.inertia.turn.add(b.inertia.turn);
        let follow = Follow {
            stiffness: Stiffness { spring: p.stiffness, damping: p.damping },
            turning,
            speed: target.conjugate().rotate(p.speed),
            soft: s.soft_motor,
        };
        let spring = set_up_motor(goal.frame(), strain, &follow, w, s.h);
        let work = Motor { spring, a: a.inertia.turn, b: b.inertia.turn, most: p.most * s.h };
        let state = at_most(state * s.warm, work.most);
        ma.w = ma.w - work.a.mul(state);
        mb.w = mb.w + work.b.mul(state);
        (work, state)
    }

    #[inline(always)]
    fn solve<L: Gather, const RELAX: bool>(
        w: &Motor<L>,
        state: Vec3<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        _: &Substep<L>,
    ) -> Vec3<L> {
        let next = at_most(state + solve_spring(&w.spring, b.w - a.w, state), w.most);
        let t = next - state;
        a.w = a.w - w.a.mul(t);
        b.w = b.w + w.b.mul(t);
        next
    }
}

// ------------------------------------------------------------------------------------------------------------ distance

#[derive(Clone, Copy)]
pub struct DistanceElement;

#[derive(Clone, Copy)]
pub struct DistanceParams<T> {
    pub anchors: Anchors<T>,
    /// Least and most length, m.
    pub limits: [T; 2],
}

#[derive(Clone, Copy)]
pub struct Distance<T> {
    pub n: Vec3<T>,
    pub row: Row<T>,
    pub ma: T,
    pub mb: T,
    /// Against the velocity at which the points part.
    pub bias: PointBias<T>,
    pub relaxed: T,
    pub least: T,
    pub most: T,
}

impl Element for DistanceElement {
    type Params<L: Gather> = DistanceParams<L>;
    type State<L: Gather> = L;
    type Work<L: Gather> = Distance<L>;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &DistanceParams<L>,
        state: L,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Distance<L>, L) {
        let (zero, one, free) = (L::zero(), L::one(), L::constant(FREE));
        let (ra, rb) = (a.q.rotate(p.anchors.a), b.q.rotate(p.anchors.b));
        let d = (b.x - a.x) + (rb - ra);
        let l = d.length();
        let tiny = L::constant(1e-9);
        let n = Vec3::select(l.lt(tiny), vec3(zero, one, zero), d * (one / l.max(tiny)));
        let row = set_up_row(n, ra, rb, a.inertia, b.inertia);
        // A rod where both limits are one; else the nearer of the two.
        let is_rod = (p.limits[1] - p.limits[0]).lt(tiny);
        let (low, high) = (l - p.limits[0], p.limits[1] - l);
        let is_low = low.lt(high);
        let near = L::select(is_low, low, high);
        let open = L::select(is_rod, zero, L::select(zero.lt(near), one, zero));
        let is_open = zero.lt(open);
        let sign = L::select(L::select(is_rod, one, L::select(is_low, one, zero)).lt(one), -one, one);
        let error = L::select(is_rod, low, near * sign);
        let bias = PointBias {
            bias: error * L::select(is_open, s.inv_h, s.joint.rate),
            soft: Softness {
                mass: L::select(is_open, one, s.joint.soft.mass),
                impulse: L::select(is_open, zero, s.joint.soft.impulse),
            },
        };
        let least = L::select(is_rod, -free, L::select(is_low, zero, -free));
        let most = L::select(is_rod, free, L::select(is_low, free, zero));
        let work = Distance {
            n,
            row,
            ma: a.inertia.mass,
            mb: b.inertia.mass,
            bias,
            relaxed: L::select(is_open, bias.bias, zero),
            least,
            most,
        };
        let state = (state * s.warm).max(least).min(most);
        let mut both = Bodies { a: *ma, b: *mb, ma: work.ma, mb: work.mb };
        both.push(n, &row, state);
        (*ma, *mb) = (both.a, both.b);
        (work, state)
    }

    #[inline(always)]
    fn solve<L: Gather, const RELAX: bool>(w: &Distance<L>, state: L, a: &mut Motion<L>, b: &mut Motion<L>, _: &Substep<L>) -> L {
        let mut both = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb };
        let speed = both.along(w.n, &w.row);
        let (bias, soft) = if RELAX { (w.relaxed, Softness::rigid()) } else { (w.bias.bias, w.bias.soft) };
        let next = state - (w.row.mass * (speed + bias) * soft.mass + state * soft.impulse);
        let next = next.max(w.least).min(w.most);
        both.push(w.n, &w.row, next - state);
        (*a, *b) = (both.a, both.b);
        next
    }
}

// ------------------------------------------------------------------------------------------------------------- contact

/// A manifold of `P` points with one normal; friction acts in their middle, and about the normal.
#[derive(Clone, Copy)]
pub struct ContactElement<const P: usize>;

#[derive(Clone, Copy)]
pub struct ContactParams<T, const P: usize> {
    /// From a to b, world axes; stays for the step.
    pub normal: Vec3<T>,
    pub friction: T,
    pub restitution: T,
    /// The points on both surfaces, from the centres of mass in principal axes, m.
    pub points: [Anchors<T>; P],
}

#[derive(Clone, Copy)]
pub struct ContactState<T, const P: usize> {
    pub impulse: [T; P],
    /// Largest impulse of the step: what did not push does not bounce.
    pub largest: [T; P],
    /// Velocity along the normal at the start of the step, m/s.
    pub approach: [T; P],
    /// Along both tangents, N s, and about the normal, N m s.
    pub friction: Vec3<T>,
    /// The tangents, so that the impulse keeps its direction when they turn.
    pub tangent: Vec3<T>,
}

#[derive(Clone, Copy)]
pub struct ContactWork<T, const P: usize> {
    pub normal: Vec3<T>,
    pub ma: T,
    pub mb: T,
    pub rows: [Row<T>; P],
    pub bias: [PointBias<T>; P],
    pub tangents: [Vec3<T>; 2],
    pub slide: [Row<T>; 2],
    /// Inverse of the 2×2 effective inverse mass of sliding.
    pub slide_mass: Vec3<T>,
    pub spin_a: Vec3<T>,
    pub spin_b: Vec3<T>,
    pub spin_mass: T,
    /// How far each point is from the middle, m.
    pub arms: [T; P],
    pub friction: T,
    pub restitution: T,
}

impl<const P: usize> Element for ContactElement<P> {
    type Params<L: Gather> = ContactParams<L, P>;
    type State<L: Gather> = ContactState<L, P>;
    type Work<L: Gather> = ContactWork<L, P>;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &ContactParams<L, P>,
        state: ContactState<L, P>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (ContactWork<L, P>, ContactState<L, P>) {
        let zero = L::zero();
        let n = p.normal;
        let between = b.x - a.x;
        let mut both = Bodies { a: *ma, b: *mb, ma: a.inertia.mass, mb: b.inertia.mass };
        let mut state = state;
        let is_first = zero.lt(s.first);
        let (mut mid_a, mut mid_b) = (Vec3::zero(), Vec3::zero());
        let (mut ra, mut rb) = ([Vec3::zero(); P], [Vec3::zero(); P]);
        let empty = Row { arm_a: n, arm_b: n, turn_a: n, turn_b: n, mass: zero };
        let (mut rows, mut bias) = ([empty; P], [PointBias { bias: zero, soft: Softness::rigid() }; P]);
        let both_move = zero.lt(a.inertia.mass * b.inertia.mass);
        let rate = L::select(both_move, s.contact_rate, s.ground_rate);
        let soft = Softness {
            mass: L::select(both_move, s.contact_soft.mass, s.ground_soft.mass),
            impulse: L::select(both_move, s.contact_soft.impulse, s.ground_soft.impulse),
        };
        each!(P, k => {
            (ra[k], rb[k]) = (a.q.rotate(p.points[k].a), b.q.rotate(p.points[k].b));
            let apart = between + (rb[k] - ra[k]);
            let gap = apart.dot(n);
            (ra[k], rb[k]) = meet(ra[k], rb[k], apart);
            (mid_a, mid_b) = (mid_a + ra[k], mid_b + rb[k]);
            rows[k] = set_up_row(n, ra[k], rb[k], a.inertia, b.inertia);
            bias[k] = point_bias(gap, s.slop, rate, s.most_push, soft, s.inv_h);
            state.approach[k] = L::select(is_first, both.along(n, &rows[k]), state.approach[k]);
            state.largest[k] = L::select(is_first, zero, state.largest[k]);
        });
        let part = L::constant(1.0 / P as f64);
        let (mid_a, mid_b) = (mid_a * part, mid_b * part);
        let mut arms = [zero; P];
        each!(P, k => {
            arms[k] = (ra[k] - mid_a).length();
        });
        let tangents = tangents(n);
        let slide = [
            set_up_row(tangents[0], mid_a, mid_b, a.inertia, b.inertia),
            set_up_row(tangents[1], mid_a, mid_b, a.inertia, b.inertia),
        ];
        let m = a.inertia.mass + b.inertia.mass;
        let slide_mass = inverse2(
            m + slide[0].arm_a.dot(slide[0].turn_a) + slide[0].arm_b.dot(slide[0].turn_b),
            slide[0].arm_a.dot(slide[1].turn_a) + slide[0].arm_b.dot(slide[1].turn_b),
            m + slide[1].arm_a.dot(slide[1].turn_a) + slide[1].arm_b.dot(slide[1].turn_b),
        );
        let (spin_a, spin_b) = (a.inertia.turn.mul(n), b.inertia.turn.mul(n));
        let spin = n.dot(spin_a + spin_b);
        let tiny = L::constant(1e-30);
        let spin_mass = L::select(tiny.lt(spin), L::one() / spin.max(tiny), zero);
        let work = ContactWork {
            normal: n,
            ma: both.ma,
            mb: both.mb,
            rows,
            bias,
            tangents,
            slide,
            slide_mass,
            spin_a,
            spin_b,
            spin_mass,
            arms,
            friction: p.friction,
            restitution: p.restitution,
        };
        // Friction of before, along the new tangents.
        let old_t = state.tangent;
        let old_u = n.cross(old_t);
        let f = old_t * state.friction.x + old_u * state.friction.y;
        state.friction = vec3(f.dot(tangents[0]), f.dot(tangents[1]), state.friction.z) * s.warm;
        state.tangent = tangents[0];
        each!(P, k => {
            state.impulse[k] = state.impulse[k] * s.warm;
            both.push(n, &work.rows[k], state.impulse[k]);
        });
        both.push(tangents[0], &slide[0], state.friction.x);
        both.push(tangents[1], &slide[1], state.friction.y);
        both.a.w = both.a.w - spin_a * state.friction.z;
        both.b.w = both.b.w + spin_b * state.friction.z;
        (*ma, *mb) = (both.a, both.b);
        (work, state)
    }

    #[inline(always)]
    fn solve<L: Gather, const RELAX: bool>(
        w: &ContactWork<L, P>,
        state: ContactState<L, P>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        _: &Substep<L>,
    ) -> ContactState<L, P> {
        let mut both = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb };
        let mut out = state;
        // Friction first: that nothing goes through anything counts more. Last where only velocities count: the pressure is then what the
        // substep ends with.
        if !RELAX {
            rub(w, &mut both, &mut out);
        }
        each!(P, k => {
            let speed = both.along(w.normal, &w.rows[k]);
            let bias = if RELAX { PointBias { bias: w.bias[k].bias.max(L::zero()), soft: Softness::rigid() } } else { w.bias[k] };
            let next = solve_point(w.rows[k].mass, speed, bias, state.impulse[k]);
            both.push(w.normal, &w.rows[k], next - state.impulse[k]);
            out.impulse[k] = next;
            out.largest[k] = state.largest[k].max(next);
        });
        if RELAX {
            rub(w, &mut both, &mut out);
        }
        (*a, *b) = (both.a, both.b);
        out
    }
}

/// Friction of one iteration, with the pressure as it is.
#[inline(always)]
fn rub<T: Real, const P: usize>(w: &ContactWork<T, P>, both: &mut Bodies<T>, state: &mut ContactState<T, P>) {
    let (mut press, mut lever) = (T::zero(), T::zero());
    each!(P, k => {
        press = press + state.impulse[k];
        lever = lever + state.impulse[k] * w.arms[k];
    });
    if P > 1 {
        let speed = w.normal.dot(both.b.w - both.a.w);
        let most = lever * w.friction;
        let next = (state.friction.z - w.spin_mass * speed).min(most).max(-most);
        let d = next - state.friction.z;
        both.a.w = both.a.w - w.spin_a * d;
        both.b.w = both.b.w + w.spin_b * d;
        state.friction.z = next;
    }
    let slip = [both.along(w.tangents[0], &w.slide[0]), both.along(w.tangents[1], &w.slide[1])];
    let next = solve_friction(w.slide_mass, slip, press * w.friction, [state.friction.x, state.friction.y]);
    both.push(w.tangents[0], &w.slide[0], next[0] - state.friction.x);
    both.push(w.tangents[1], &w.slide[1], next[1] - state.friction.y);
    (state.friction.x, state.friction.y) = (next[0], next[1]);
}

/// After the last substep: points that came in fast leave as restitution says.
#[inline(always)]
pub fn bounce_contact<L: Gather, const P: usize>(
    w: &ContactWork<L, P>,
    state: ContactState<L, P>,
    a: &mut Motion<L>,
    b: &mut Motion<L>,
    s: &Substep<L>,
) -> ContactState<L, P> {
    let (zero, mut out) = (L::zero(), state);
    let mut both = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb };
    each!(P, k => {
        let fast = L::both(state.approach[k].lt(-s.bounce), zero.lt(state.largest[k]));
        let fast = L::both(fast, zero.lt(w.restitution));
        let speed = both.along(w.normal, &w.rows[k]);
        let next = (state.impulse[k] - w.rows[k].mass * (speed + w.restitution * state.approach[k])).max(zero);
        let next = L::select(fast, next, state.impulse[k]);
        both.push(w.normal, &w.rows[k], next - state.impulse[k]);
        out.impulse[k] = next;
    });
    (*a, *b) = (both.a, both.b);
    out
}

in_rows! {
    Anchors<L> { a: Vec3<L>, b: Vec3<L> }
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
    Angular<L> { rows: [AngularRow<L>; 3], a: Sym3<L>, b: Sym3<L> }
    LimitParams<L> { frame_a: Quat<L>, frame_b: Quat<L>, swing: [L; 2], twist: [L; 2] }
    WeldParams<L> { frame_a: Quat<L>, frame_b: Quat<L> }
    HingeParams<L> { frame_a: Quat<L>, frame_b: Quat<L>, limits: [L; 2] }
    MotorParams<L> {
        frame_a: Quat<L>,
        frame_b: Quat<L>,
        stiffness: Vec3<L>,
        damping: Vec3<L>,
        target: Quat<L>,
        speed: Vec3<L>,
        most: L,
        from: Quat<L>,
    }
    Motor<L> { spring: Spring<L>, a: Sym3<L>, b: Sym3<L>, most: L }
    DistanceParams<L> { anchors: Anchors<L>, limits: [L; 2] }
    Distance<L> { n: Vec3<L>, row: Row<L>, ma: L, mb: L, bias: PointBias<L>, relaxed: L, least: L, most: L }
    #[const P: usize]
    ContactParams<L, P> { normal: Vec3<L>, friction: L, restitution: L, points: [Anchors<L>; P] }
    #[const P: usize]
    ContactState<L, P> {
        impulse: [L; P],
        largest: [L; P],
        approach: [L; P],
        friction: Vec3<L>,
        tangent: Vec3<L>,
    }
    #[const P: usize]
    ContactWork<L, P> {
        normal: Vec3<L>,
        ma: L,
        mb: L,
        rows: [Row<L>; P],
        bias: [PointBias<L>; P],
        tangents: [Vec3<L>; 2],
        slide: [Row<L>; 2],
        slide_mass: Vec3<L>,
        spin_a: Vec3<L>,
        spin_b: Vec3<L>,
        spin_mass: L,
        arms: [L; P],
        friction: L,
        restitution: L,
    }
}
