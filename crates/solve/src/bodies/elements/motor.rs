//! A motor, and where its target is.

use super::*;
use crate::math::Sym3;
use crate::math::vec3::vec3;

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
    type Impulse<L: Gather> = Vec3<L>;
    const RELAXES: bool = false;
    const TOLD: usize = 3;

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
        Self::give(&work, state, ma, mb);
        (work, state)
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &Motor<L>,
        state: Vec3<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        _: &Substep<L>,
    ) -> (Vec3<L>, Vec3<L>) {
        let next = at_most(state + solve_spring(&w.spring, b.w - a.w, state), w.most);
        (next, next - state)
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Motor<L>, t: Vec3<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
        a.w = a.w - w.a.mul(t);
        b.w = b.w + w.b.mul(t);
    }
}

impl Joined for MotorElement {
    fn wrench<L: Gather>(_: &Motor<L>, told: Vec3<L>, _: Vec3<L>) -> Wrench<L> {
        Wrench { push: Vec3::zero(), turn: told }
    }
}

in_rows! {
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
}
