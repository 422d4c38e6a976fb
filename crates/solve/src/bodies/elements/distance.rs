//! Two points whose distance has limits.

use super::*;
use crate::math::vec3::vec3;

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
    type Impulse<L: Gather> = L;
    const TOLD: usize = 1;

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
        Self::give(&work, state, ma, mb);
        (work, state)
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(w: &Distance<L>, state: L, a: &Motion<L>, b: &Motion<L>, _: &Substep<L>) -> (L, L) {
        let speed = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb }.along(w.n, &w.row);
        let (bias, soft) = if RELAX { (w.relaxed, Softness::rigid()) } else { (w.bias.bias, w.bias.soft) };
        let next = state - (w.row.mass * (speed + bias) * soft.mass + state * soft.impulse);
        let next = next.max(w.least).min(w.most);
        (next, next - state)
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Distance<L>, p: L, a: &mut Motion<L>, b: &mut Motion<L>) {
        let mut both = Bodies { a: *a, b: *b, ma: w.ma, mb: w.mb };
        both.push(w.n, &w.row, p);
        (*a, *b) = (both.a, both.b);
    }
}

impl Joined for DistanceElement {
    fn wrench<L: Gather>(w: &Distance<L>, told: L, _: L) -> Wrench<L> {
        Wrench { push: w.n * told, turn: w.row.arm_b * told }
    }
}

in_rows! {
    DistanceParams<L> { anchors: Anchors<L>, limits: [L; 2] }
    Distance<L> { n: Vec3<L>, row: Row<L>, ma: L, mb: L, bias: PointBias<L>, relaxed: L, least: L, most: L }
}
