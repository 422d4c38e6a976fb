//! Contacts, with friction and restitution.

use super::*;
use crate::math::rows::each;
use crate::math::vec3::vec3;

/// A manifold of `P` points with one normal; friction acts in their middle, and about the normal.
#[derive(Clone, Copy)]
pub struct ContactElement<const P: usize>;

#[derive(Clone, Copy)]
pub struct ContactParams<T, const P: usize> {
    /// From a to b, world axes, where it was found; stays for the step where `curved` is 0.
    pub normal: Vec3<T>,
    pub friction: T,
    pub restitution: T,
    /// How each point yields, N/m and N s/m; a stiffness of 0: not at all.
    pub spring: [T; 2],
    /// Penetration that is left alone, m.
    pub slop: T,
    /// Which body says where along the surfaces they touch: 0 a, 1 b, between them the middle.
    pub share: T,
    /// 1: the normal is that between the cores, across `axis` (unit, or 0), and is found anew every substep.
    pub curved: T,
    pub axis: Vec3<T>,
    /// The cores, from the centres of mass in principal axes, m, and the radii of the surfaces around them. Round shapes: a point of
    /// the axis. Flat ones: the point on the surface, and a radius of 0. So what rolls does not carry its contact along.
    pub points: [Anchors<T>; P],
    pub radii: [[T; 2]; P],
}

impl<T: Real, const P: usize> ContactParams<T, P> {
    /// Between flat surfaces that do not yield.
    pub fn flat(normal: Vec3<T>, friction: T, restitution: T, points: [Anchors<T>; P]) -> Self {
        let (zero, axis) = (T::zero(), Vec3::zero());
        let (spring, share, curved, radii) = ([zero; 2], T::constant(0.5), zero, [[zero; 2]; P]);
        let slop = T::constant(0.005);
        ContactParams { normal, friction, restitution, spring, slop, share, curved, axis, points, radii }
    }
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
    /// Above 0 where the points yield.
    pub yields: T,
}

impl<const P: usize> Element for ContactElement<P> {
    type Params<L: Gather> = ContactParams<L, P>;
    type State<L: Gather> = ContactState<L, P>;
    type Work<L: Gather> = ContactWork<L, P>;
    /// Both motions after it: points act one after the other.
    type Impulse<L: Gather> = [Motion<L>; 2];

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
        let between = b.x - a.x;
        let mut cores = [(Vec3::zero(), Vec3::zero()); P];
        let mut apart = Vec3::zero();
        each!(P, k => {
            cores[k] = (a.q.rotate(p.points[k].a), b.q.rotate(p.points[k].b));
            apart = apart + (between + (cores[k].1 - cores[k].0));
        });
        let n = turned_normal(p, apart);
        let mut both = Bodies { a: *ma, b: *mb, ma: a.inertia.mass, mb: b.inertia.mass };
        let mut state = state;
        let is_first = zero.lt(s.first);
        let (mut mid_a, mut mid_b) = (Vec3::zero(), Vec3::zero());
        let (mut ra, mut rb) = ([Vec3::zero(); P], [Vec3::zero(); P]);
        let empty = Row { arm_a: n, arm_b: n, turn_a: n, turn_b: n, mass: zero };
        let (mut rows, mut bias) = ([empty; P], [PointBias { bias: zero, soft: Softness::rigid() }; P]);
        let yields = p.spring[0];
        let both_move = zero.lt(a.inertia.mass * b.inertia.mass);
        let rate = L::select(both_move, s.contact_rate, s.ground_rate);
        let soft = Softness {
            mass: L::select(both_move, s.contact_soft.mass, s.ground_soft.mass),
            impulse: L::select(both_move, s.contact_soft.impulse, s.ground_soft.impulse),
        };
        each!(P, k => {
            (ra[k], rb[k]) = (cores[k].0 + n * p.radii[k][0], cores[k].1 - n * p.radii[k][1]);
            let apart = between + (rb[k] - ra[k]);
            let gap = apart.dot(n);
            // One point for both, so that angular momentum is kept: halfway into the gap, and across it where `share` says.
            let along = n * (gap * L::constant(0.5));
            let across = apart - along - along;
            (ra[k], rb[k]) = (ra[k] + along + across * p.share, rb[k] - along - across * (L::one() - p.share));
            (mid_a, mid_b) = (mid_a + ra[k], mid_b + rb[k]);
            rows[k] = set_up_row(n, ra[k], rb[k], a.inertia, b.inertia);
            let (hard, yielding) =
                (point_bias(gap, p.slop, rate, s.most_push, soft, s.inv_h), spring_bias(gap, rows[k].mass, p.spring, s.h, s.inv_h));
            bias[k] = yielding.or(hard, yields);
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
            yields,
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
    fn find<L: Gather, const RELAX: bool>(
        w: &ContactWork<L, P>,
        state: ContactState<L, P>,
        a: &Motion<L>,
        b: &Motion<L>,
        _: &Substep<L>,
    ) -> (ContactState<L, P>, [Motion<L>; 2]) {
        let mut both = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb };
        let mut out = state;
        // Friction first: that nothing goes through anything counts more. Last where only velocities count: the pressure is then what the
        // substep ends with.
        if !RELAX {
            rub(w, &mut both, &mut out);
        }
        each!(P, k => {
            let speed = both.along(w.normal, &w.rows[k]);
            let bias = if RELAX { w.bias[k].or(w.bias[k].relaxed(), w.yields) } else { w.bias[k] };
            let next = solve_point(w.rows[k].mass, speed, bias, state.impulse[k]);
            both.push(w.normal, &w.rows[k], next - state.impulse[k]);
            out.impulse[k] = next;
            out.largest[k] = state.largest[k].max(next);
        });
        if RELAX {
            rub(w, &mut both, &mut out);
        }
        (out, [both.a, both.b])
    }

    #[inline(always)]
    fn give<L: Gather>(_: &ContactWork<L, P>, after: [Motion<L>; 2], a: &mut Motion<L>, b: &mut Motion<L>) {
        [*a, *b] = after;
    }

    /// After the last substep: points that came in fast leave as restitution says.
    #[inline(always)]
    fn bounce<L: Gather>(
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
}

/// The normal of a substep. `apart`: from core to core.
#[inline(always)]
fn turned_normal<T: Real, const P: usize>(p: &ContactParams<T, P>, apart: Vec3<T>) -> Vec3<T> {
    let across = apart - p.axis * apart.dot(p.axis);
    let length = across.length();
    let n = across * (T::one() / length.max(T::constant(TINY_CORE)));
    // Cores that have met, or changed sides, have no such normal.
    let turns = T::both(T::zero().lt(p.curved), T::constant(0.5).lt(n.dot(p.normal)));
    Vec3::select(turns, n, p.normal)
}

/// Cores that are nearer, m, have no direction.
const TINY_CORE: f64 = 1e-9;

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

in_rows! {
    #[const P: usize]
    ContactParams<L, P> { normal: Vec3<L>, friction: L, restitution: L, spring: [L; 2], slop: L, share: L, curved: L, axis: Vec3<L>,
        points: [Anchors<L>; P], radii: [[L; 2]; P] }
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
        yields: L,
    }
}
