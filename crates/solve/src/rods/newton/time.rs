//! Second order in time: the generalised-α method that forgets what it does not resolve (`docs/internals/time.md`).
//!
//! With w = d/h, d the displacement of the substep, and the forces f where it ends:
//!
//! ```text
//! 2M/h² (d − h v) = f        v' = v + 3/2 (w − v) + h/4 a        a' = (w − v)/h + a/2
//! ```
//! In a substep a vertex keeps P = −½ h v + ¼ h² a instead of a: then h v' = 3/2 d + P and h² a' = d + 2P. Implicit Euler's step has M in
//! place of 2M, v' = w and a' = (w − v)/h: what starts, or a collider holds, takes it, vertex by vertex.

use super::*;
use crate::layout::second;
use crate::rods::group::Went;

/// Tangent of the angle by which an edge turns in a substep whose ends then start anew: its motion is not resolved, and a step along a straight line
/// is off by as much as half of its square. (Without, discrete elastic rods on a head that shakes were stretched to three times their length, where
/// implicit Euler stretches them by 0.02.)
pub const TURNS_FAR: f64 = 0.1;

/// An edge shorter than this part of its strand's longest one has no direction that its motion would resolve: such a strand takes steps of first order.
/// (Seen: one with two vertices in one place was thrown at 121 m/s as it swung back.)
pub const SHORTEST: f64 = 1e-3;

/// [`second::ORDER`] in a substep of second order that ends as one of implicit Euler.
pub const CUT_SHORT: f64 = 2.0;

impl<L: Lane, const W: usize> Group<L, W> {
    /// Whether the substep is of second order.
    #[inline(always)]
    pub(crate) fn is_second(&self, s: &Settings<L::Elem>) -> bool {
        s.second && !self.at.second.is_null()
    }
    #[inline(always)]
    fn second_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < second::ROWS && !self.at.second.is_null());
        // SAFETY: the type's contract; callers look whether there are these rows.
        unsafe { L::load(self.at.second.add((i * second::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn second_row3(&self, i: usize, row: usize) -> Vec3<L> {
        vec3(self.second_row(i, row), self.second_row(i, row + 1), self.second_row(i, row + 2))
    }
    #[inline(always)]
    fn set_second_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < second::ROWS && !self.at.second.is_null());
        // SAFETY: as above.
        unsafe { v.store(self.at.second.add((i * second::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn set_second_row3(&mut self, i: usize, row: usize, v: Vec3<L>) {
        self.set_second_row(i, row, v.x);
        self.set_second_row(i, row + 1, v.y);
        self.set_second_row(i, row + 2, v.z);
    }
    /// Lanes where vertex `i` takes a step of second order.
    #[inline(always)]
    fn is_second_at(&self, i: usize) -> L::Mask {
        L::constant(0.5).lt(self.second_row(i, second::ORDER))
    }

    /// 1 in lanes where no vertex does. Such a substep needs no true Hessian: implicit Euler damps what its own form leaves out. And it may be that
    /// of a strand that a collider has bent and let go, where the true one is nearly singular. (Seen: two strands of a ponytail of 4,714 thrown
    /// by 0.2 and 2 m, to 8 and 73 times their length.)
    #[inline(always)]
    pub(super) fn starts(&self) -> L {
        let mut second = L::zero();
        for i in 0..self.vertices {
            second = L::select(self.is_second_at(i), L::one(), second);
        }
        L::one() - second
    }

    /// What gravity, wind and the host's force add to the displacement of a step of implicit Euler, m. Drag takes its part of h v beside them.
    #[inline(always)]
    pub(super) fn loads_of(&self, i: usize, s: &Settings<L::Elem>) -> Vec3<L> {
        let h = L::splat(s.h);
        let mut loads = (s.gravity.map(L::splat) * h + s.wind.map(L::splat) * L::splat(s.drag_take)) * h;
        if !self.at.forces.is_null() {
            let w = self.p(i, param::W);
            loads = loads + self.push(i, w, s, self.edge_count()) * h;
        }
        loads
    }

    /// h v of all vertices, for [`Self::start_second`].
    #[inline(always)]
    pub(crate) fn note_velocities(&mut self, s: &Settings<L::Elem>) {
        for i in 0..self.vertices {
            self.set_scratch3(i, COAST, self.get3(i, state::U) * L::splat(s.h));
        }
    }

    /// How much of them is in where inertia would go: half in a step of second order.
    #[inline(always)]
    pub(super) fn part_of_loads(&self, i: usize) -> L {
        L::select(self.is_second_at(i), L::constant(0.5), L::one())
    }

    /// Where inertia would go with all of the loads and all of drag: h times the velocity that it would come to.
    #[inline(always)]
    pub(crate) fn coast_of_all_loads(&self, i: usize, s: &Settings<L::Elem>) -> Vec3<L> {
        let coast = self.scratch3(i, COAST);
        if !self.is_second(s) {
            return coast;
        }
        let (one, half, keep) = (L::one(), L::constant(0.5), L::splat(s.drag_keep));
        // From c = ½ (1 + keep) h v + ½ loads to keep h v + loads.
        let kept = (keep + keep) / (one + keep);
        Vec3::select(self.is_second_at(i), coast * kept + self.loads_of(i, s) * (one - half * kept), coast)
    }

    /// h v of vertex `i` when the substep began, from where inertia, the host's forces, gravity and drag would take it.
    #[inline(always)]
    pub(crate) fn moved_before(&self, i: usize, s: &Settings<L::Elem>) -> Vec3<L> {
        let (one, keep) = (L::one(), L::splat(s.drag_keep));
        let part = if self.is_second(s) { self.part_of_loads(i) } else { one };
        (self.scratch3(i, COAST) - self.loads_of(i, s) * part) * (one / ((one - part) + part * keep))
    }

    /// Vertex `i` begins a substep, from where inertia would go in one of implicit Euler. `before`: h v. What the speed limit slows takes one of these.
    #[inline(always)]
    pub(super) fn start_second(&mut self, i: usize, s: &Settings<L::Elem>, before: Vec3<L>) {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let inertia = self.scratch_at(i, INERTIA);
        let free = inertia.lt(L::constant(HELD));
        let slowed = before * L::splat(s.drag_keep) + s.wind.map(L::splat) * L::splat(s.h * s.drag_take);
        let order = L::select(L::splat(s.max_move * s.max_move).lt(slowed.length2()), zero, self.second_row(i, second::ORDER));
        let order = L::select(free, order, -one);
        let on = L::select(half.lt(order), one, zero);
        let coast = self.scratch3(i, COAST);
        let loads = self.loads_of(i, s) - before * L::splat(s.drag_take);
        let accel = self.second_row3(i, second::ACCEL) * (L::splat(s.h * s.h) * L::constant(0.25) * on);
        self.set_second_row3(i, second::ACCEL, accel - before * half);
        self.set_second_row(i, second::ORDER, order);
        self.set_scratch3(i, COAST, Vec3::select(free, coast - loads * (half * on), coast));
        self.set_scratch(i, INERTIA, L::select(free, inertia * (one + on), inertia));
    }

    /// Vertex `i` takes a step of implicit Euler, in the lanes `here`.
    #[inline(always)]
    pub(crate) fn begin_euler(&mut self, i: usize, s: &Settings<L::Elem>, here: L::Mask) {
        let (zero, half) = (L::zero(), L::constant(0.5));
        let here = L::both(here, self.is_second_at(i));
        if !L::any(here) {
            return;
        }
        let (inertia, coast) = (self.scratch_at(i, INERTIA), self.coast_of_all_loads(i, s));
        let still = self.moved_before(i, s) * -half;
        self.set_second_row3(i, second::ACCEL, Vec3::select(here, still, self.second_row3(i, second::ACCEL)));
        self.set_scratch3(i, COAST, Vec3::select(here, coast, self.scratch3(i, COAST)));
        self.set_scratch(i, INERTIA, L::select(here, inertia * half, inertia));
        self.set_second_row(i, second::ORDER, L::select(here, zero, self.second_row(i, second::ORDER)));
    }

    /// Vertex `i` ends the substep as one of implicit Euler does, and takes another one, in the lanes `here`.
    #[inline(always)]
    pub(crate) fn restart(&mut self, i: usize, here: L::Mask) {
        let again = L::select(self.is_second_at(i), L::constant(CUT_SHORT), -L::one());
        let order = L::select(here, again, self.second_row(i, second::ORDER));
        self.set_second_row(i, second::ORDER, order);
    }
    #[inline(always)]
    pub(crate) fn restart_all(&mut self, lanes: L::Mask) {
        for i in 0..self.vertices {
            self.restart(i, lanes);
        }
    }
    /// What order the next substep has, once all has been asked about this one.
    #[inline(always)]
    pub(crate) fn note_orders(&mut self) {
        let (zero, one) = (L::zero(), L::one());
        for i in 0..self.vertices {
            let order = self.second_row(i, second::ORDER);
            let next = L::both(L::constant(-0.5).lt(order), order.lt(L::constant(0.5 * CUT_SHORT + 0.5)));
            self.set_second_row(i, second::ORDER, L::select(next, one, zero));
        }
    }

    /// After a substep of first order the next one starts anew.
    #[inline(always)]
    pub(crate) fn forget_second(&mut self) {
        for i in 0..if self.at.second.is_null() { 0 } else { self.vertices } {
            self.set_second_row(i, second::ORDER, L::zero());
        }
    }

    /// A displacement, no longer than the speed limit allows where the host does not hold what has the inverse mass `w`.
    #[inline(always)]
    fn no_farther(d: Vec3<L>, w: L, s: &Settings<L::Elem>) -> Vec3<L> {
        let most = L::splat(s.max_move);
        let far = L::both((most * most).lt(d.length2()), L::zero().lt(w));
        if !L::any(far) {
            return d;
        }
        Vec3::select(far, d * (most / d.length2().max(L::constant(1e-30)).sqrt()), d)
    }

    /// The end of a substep of second order: positions go where displacements take them, and these become h times the new velocities. Turns about edges
    /// are implicit Euler's. `sums`: how far the strand as a whole falls short is wanted.
    #[inline(always)]
    pub(crate) fn take_velocities(&mut self, s: &Settings<L::Elem>, sums: bool) -> Went<L> {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let (inv_h2, edges) = (L::splat(s.inv_h2), self.edge_count());
        let mut before = Vec3::zero();
        let most = L::constant(TURNS_FAR * TURNS_FAR);
        let mut turned = zero;
        let (mut shortest, mut longest) = (L::constant(f64::from(f32::MAX)), zero);
        let mut went = Went { root: self.get3(0, state::U), short: Vec3::zero(), farthest2: zero };
        for i in 0..self.vertices {
            let d = Self::no_farther(self.get3(i, state::U), self.p(i, param::W), s);
            let p = self.second_row3(i, second::ACCEL);
            let mut turns = zero;
            if i + 1 < self.vertices {
                // Behind the tip of a shorter strand there is no edge, and where one is cut none either.
                let l = self.p(i, param::LENGTH);
                let whole = zero.lt(self.on_whole(i, edges, s));
                shortest = shortest.min(L::select(whole, l, shortest));
                longest = longest.max(L::select(whole, l, zero));
                let far = (l * l * most).lt((self.get3(i + 1, state::U) - d).length2());
                turns = L::select(L::both(far, whole), one, zero);
            }
            self.restart(i, zero.lt(turned + turns));
            turned = turns;
            let order = self.second_row(i, second::ORDER);
            let goes_on = order.lt(L::constant(0.5 * CUT_SHORT + 0.5));
            let more = Vec3::select(L::both(half.lt(order), goes_on), d * half + p, Vec3::zero());
            if sums {
                went.short = went.short + (self.scratch3(i, COAST) - d) * self.lumped(i, edges);
                went.farthest2 = went.farthest2.max(d.length2());
            }
            self.set3(i, state::X, self.get3(i, state::X) + d);
            self.set3(i, state::U, d + more);
            let next = L::both((-half).lt(order), goes_on);
            let accel = Vec3::select(next, (d + p * L::constant(2.0)) * inv_h2, Vec3::zero());
            self.set_second_row3(i, second::ACCEL, accel);
            // Ghost points go along with the ends of their edges.
            let gu = Self::no_farther(self.get3(i, state::GU), self.p(i, param::WG), s);
            self.set3(i, state::GX, self.get3(i, state::GX) + gu);
            self.set3(i, state::GU, gu);
            if i > 0 {
                let gu = self.get3(i - 1, state::GU);
                self.set3(i - 1, state::GU, gu + (before + more) * half);
            }
            before = more;
        }
        let crowded = shortest.lt(longest * L::constant(SHORTEST));
        if L::any(crowded) {
            self.restart_all(crowded);
        }
        went
    }
}
