//! Strands in lanes: the loops that both solvers share. A [`Group`] is as many strands of a block
//! as the lane type holds. Each stage of the substep walks them from root to tip. The mathematics
//! is in `kernels`; here are memory, order and early exits.

pub mod answer;
pub mod contacts;
pub mod momentum;
mod scales;

use super::ghost::kernels::*;
#[cfg(feature = "paper")]
use crate::desc::GhostGravity;
use crate::desc::{EndSupport, RodModel, SweepOrder};
use crate::layout::{CUT_FROM, FORCE_ROWS, MAX_LANES, Pointers, force, param, state, support};
use crate::math::vec3::vec3;
use crate::math::{Apart, Elem, Lane, Quat, Vec3};
use momentum::Lost;
pub(crate) use momentum::Went;

/// What all strands of a set of rods share during one step.
#[derive(Clone, Copy, Debug)]
pub struct Settings<E> {
    /// Substep, s.
    pub h: E,
    pub inv_h2: E,
    pub gravity: Vec3<E>,
    /// Strands that nothing holds keep their angular momentum; false where they may be tied to something.
    pub keep_spin: bool,
    /// Stages run across all rods, and others push the vertices between two of them.
    pub together: bool,
    /// Rods or bodies press them: between the direction of a Newton step, or a sweep, and what follows from it, contacts are solved.
    pub contact: bool,
    /// 1/(h |g|²), or 0 without gravity.
    pub inv_h_gg: E,
    /// True: STRETCH and BEND hold the paper's α. False: compliances.
    pub alpha: bool,
    /// Edges that are cut, of the strand that has most of them.
    pub cuts: u32,
    pub order: SweepOrder,
    pub model: RodModel,
    /// Second order in time, where the rods have the rows for it.
    pub second: bool,
    /// Newton's steps are searched for the right length: discrete elastic rods with more than one iteration.
    pub search: bool,
    /// Whether there is viscosity.
    pub viscous: bool,
    #[cfg(feature = "paper")]
    pub ghost_gravity: GhostGravity,
    /// A substep over the step.
    pub part: E,
    pub root: EndSupport,
    pub tip: EndSupport,
    /// h·rate / (1 + h·rate): the part of the relative velocity that Müller's damping removes in a substep.
    pub damping: E,
    /// 1 / (1 + h·rate), and its complement.
    pub drag_keep: E,
    pub drag_take: E,
    pub wind: Vec3<E>,
    pub friction: E,
    /// Longest displacement in a substep, m.
    pub max_move: E,
    /// Largest RADIUS of the rods, m.
    pub max_radius: E,
    /// How near a vertex must be to a collider for Newton's method to hold it off, m.
    pub near: E,
    /// How far a vertex inside of a collider is moved out in an iteration of Newton's method, m.
    pub give: E,
    pub category: u32,
    pub mask: u32,
}

/// A vertex that the host drives, in block order.
#[derive(Clone, Copy, Debug)]
pub struct Pin {
    pub block: u32,
    pub lane: u32,
    pub vertex: u32,
    /// The inverse mass to give back.
    pub free_weight: f64,
    pub from: [f64; 3],
    pub to: [f64; 3],
}

/// What a block tells the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockReport {
    pub largest_strain: f64,
    /// Lane of the largest strain.
    pub strain_lane: u32,
    /// Bits of lanes.
    pub non_finite: u32,
    pub kinked: u32,
    pub limited: u32,
    pub contacts: u32,
}

/// What [`Group::predict`] does to one velocity. A struct with inlined methods, not closures: a closure is a function of its
/// own, without the instruction set of the driver, and the compiler left one uninlined.
struct PredictRule<L> {
    hg: Vec3<L>,
    keep: L,
    blow: Vec3<L>,
    h: L,
    max_move: L,
    /// What is too fast keeps what the loads add: a Newton step looks at its own length ([`Group::limit_step`]), and without a part of its loads no rest shape
    /// holds. Not of rods that fly, which get their momenta back.
    loads_whole: bool,
}

impl<L: Lane> PredictRule<L> {
    /// Gravity, on what can move.
    #[inline(always)]
    fn weight(&self, w: L) -> Vec3<L> {
        Vec3::select(L::zero().lt(w), self.hg, Vec3::zero())
    }
    /// Drag. It comes before gravity: taken from the sum of both, a thread at rest would lose the part h·rate of its weight
    /// (seen: 2 % of the sag at rate 10/s and 8 substeps of 1/60 s).
    #[inline(always)]
    fn slow(&self, v: Vec3<L>, w: L) -> Vec3<L> {
        Vec3::select(L::zero().lt(w), v * self.keep + self.blow, v)
    }
    /// The speed limit; the displacement. `v`: with the loads; `slowed`: without.
    #[inline(always)]
    fn finish(&self, v: Vec3<L>, slowed: Vec3<L>, limited: &mut L) -> Vec3<L> {
        let u = v * self.h;
        let own = if self.loads_whole { slowed * self.h } else { u };
        let u2 = own.length2();
        let fast = (self.max_move * self.max_move).lt(u2);
        *limited = L::select(fast, L::one(), *limited);
        let scaled = own * (self.max_move / u2.max(L::constant(1e-30)).sqrt());
        Vec3::select(fast, if self.loads_whole { (u - own) + scaled } else { scaled }, u)
    }
}

impl BlockReport {
    /// Joins the report of another group of the same block.
    pub fn add(&mut self, part: &BlockReport) {
        if part.largest_strain > self.largest_strain {
            self.largest_strain = part.largest_strain;
            self.strain_lane = part.strain_lane;
        }

        self.non_finite |= part.non_finite;
        self.kinked |= part.kinked;
        self.limited |= part.limited;
        self.contacts += part.contacts;
    }
}

/// What Newton's method remembers of its lanes from one part of a step to the next.
#[derive(Clone, Copy)]
pub struct Newton<L> {
    /// 1 in lanes whose Hessian was found indefinite; 1 where pivots are held at their inertia.
    pub indefinite: L,
    pub floored: L,
    /// The potential that the direction was found at, J, and what its rounding is a part of.
    pub energy: L,
    pub slack: L,
    /// The state is that between two substeps: the turns of twists are counted anew (`Group::counted`).
    pub renews: bool,
    /// Contacts have been noted in `scratch`; 1 in lanes where one of them has held a vertex in this
    /// substep.
    pub near: bool,
    pub held: L,
    /// The system without its contacts is in [`Pointers::kept`].
    pub kept: bool,
    /// The step solves for the difference to a predicted displacement (`Group::choose_delta`); 1 in
    /// the lanes that do.
    pub solves_delta: bool,
    pub delta: L,
    /// The true Hessian is tried first.
    pub tries_true: bool,
    /// 1 in lanes with an element so stiff that inertia is lost beside it.
    pub inertia_lost: L,
    /// 1 in lanes whose solution with the true Hessian was not taken, as it turned an edge too far.
    pub strayed: L,
}

impl<L: Lane> Newton<L> {
    #[inline(always)]
    #[allow(clippy::new_without_default, reason = "a default would be a function that is not inlined")]
    pub fn new() -> Self {
        let o = L::zero();
        Newton {
            indefinite: o,
            floored: o,
            energy: o,
            slack: o,
            renews: false,
            near: false,
            held: o,
            kept: false,
            solves_delta: false,
            delta: o,
            tries_true: false,
            inertia_lost: o,
            strayed: o,
        }
    }
}

/// The width of a block that is known only when it runs: [`Group`]s of different widths then share one piece of code.
pub const ANY_WIDTH: usize = 0;

/// `L::N` neighbouring lanes of a block of width `W`, or of any width where `W` is [`ANY_WIDTH`].
///
/// # Safety
/// Whoever makes one promises, for as long as it lives: `at` is [`Pointers::at`] of the first of these
/// lanes, with `vertices` records of `stride()` numbers a row behind it (of `L::N` numbers in `scratch`, which
/// is these lanes' alone); the supports that `Settings::root` and `tip` ask for are there; nobody else
/// writes these lanes; and `L`'s instruction set is enabled in the function that all of this is inlined
/// into.
pub struct Group<L: Lane, const W: usize> {
    pub at: Pointers<L::Elem>,
    pub newton: Newton<L>,
    /// Lanes of the block.
    pub width: usize,
    pub vertices: usize,
    pub min_edges: usize,
    pub first_lane: u32,
}

/// The frame of a support, out of line: it is asked for once a strand, and in many places.
struct HeldFrame<L> {
    from: Quat<L>,
    to: Quat<L>,
    t: L,
}

impl<L: Lane> Apart for HeldFrame<L> {
    type Out = EdgeFrame<L>;
    #[inline(always)]
    fn run(self) -> EdgeFrame<L> {
        EdgeFrame::fixed(self.from.nlerp(self.to, self.t).frame())
    }
}

/// The speed limit of a group, out of line: it is hardly ever needed, and once for all widths.
struct Limit<L: Lane> {
    params: *const L::Elem,
    state: *mut L::Elem,
    vertices: usize,
    stride: usize,
    h: L,
    most: L,
    moves: bool,
}

impl<L: Lane> Apart for Limit<L> {
    type Out = L;
    #[inline(always)]
    fn run(self) -> L {
        let (h, most, zero, one) = (self.h, self.most, L::zero(), L::one());
        let mut limited = zero;
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                // SAFETY: who makes one names the rows of a group.
                unsafe {
                    let w = L::load(self.params.add((i * param::ROWS + w) * self.stride));
                    let at = |field: usize| self.state.add((i * state::ROWS + field) * self.stride);
                    let three = |field: usize| vec3(L::load(at(field)), L::load(at(field + 1)), L::load(at(field + 2)));
                    let put = |field: usize, v: Vec3<L>| {
                        v.x.store(at(field));
                        v.y.store(at(field + 1));
                        v.z.store(at(field + 2));
                    };
                    let v = three(u);
                    let far = (v * h).length2();
                    let fast = L::both((most * most).lt(far), zero.lt(w));
                    let slower = v * (most / far.max(L::constant(1e-30)).sqrt());
                    let now = Vec3::select(fast, slower, v);
                    if self.moves {
                        let here = three(x);
                        put(x, Vec3::select(fast, here + (now - v) * h, here));
                    }
                    put(u, now);
                    // Rounding may leave the limit by a bit in every substep.
                    limited = L::select(L::both(fast, (most * most * L::constant(1.0 + 1e-5)).lt(far)), one, limited);
                }
            }
        }
        limited
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// The distance of a row from the next.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        if W == ANY_WIDTH { self.width } else { W }
    }
    #[inline(always)]
    pub(crate) fn p(&self, vertex: usize, field: usize) -> L {
        debug_assert!(vertex < self.vertices && field < param::ROWS);
        // SAFETY: the type's contract.
        unsafe { L::load(self.at.params.add((vertex * param::ROWS + field) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn p3(&self, vertex: usize, field: usize) -> Vec3<L> {
        vec3(self.p(vertex, field), self.p(vertex, field + 1), self.p(vertex, field + 2))
    }
    #[inline(always)]
    pub(crate) fn get(&self, vertex: usize, field: usize) -> L {
        debug_assert!(vertex < self.vertices && field < state::ROWS);
        // SAFETY: the type's contract.
        unsafe { L::load(self.at.state.add((vertex * state::ROWS + field) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn get3(&self, vertex: usize, field: usize) -> Vec3<L> {
        vec3(self.get(vertex, field), self.get(vertex, field + 1), self.get(vertex, field + 2))
    }
    #[inline(always)]
    pub(crate) fn set(&mut self, vertex: usize, field: usize, value: L) {
        debug_assert!(vertex < self.vertices && field < state::ROWS);
        // SAFETY: the type's contract.
        unsafe { value.store(self.at.state.add((vertex * state::ROWS + field) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn set3(&mut self, vertex: usize, field: usize, v: Vec3<L>) {
        self.set(vertex, field, v.x);
        self.set(vertex, field + 1, v.y);
        self.set(vertex, field + 2, v.z);
    }
    #[inline(always)]
    pub(crate) fn edge_count(&self) -> L {
        // SAFETY: the type's contract.
        unsafe { L::load(self.at.edges) }
    }
    #[inline(always)]
    fn support(&self, end: usize, field: usize) -> L {
        // SAFETY: the type's contract.
        unsafe { L::load(self.at.supports[end].add(field * self.stride())) }
    }
    #[inline(always)]
    fn support_position(&self, end: usize, t: L) -> Vec3<L> {
        let (a, b) = (self.support3(end, support::FROM), self.support3(end, support::TO));
        a + (b - a) * t
    }
    #[inline(always)]
    fn support3(&self, end: usize, f: usize) -> Vec3<L> {
        vec3(self.support(end, f), self.support(end, f + 1), self.support(end, f + 2))
    }
    #[inline(always)]
    pub(crate) fn support_frame(&self, end: usize, t: L) -> EdgeFrame<L> {
        let (from, to) = (self.support_rotation(end, support::FROM_ROTATION), self.support_rotation(end, support::TO_ROTATION));
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        unsafe { L::apart(HeldFrame { from, to, t }) }
    }
    #[inline(always)]
    fn support_rotation(&self, end: usize, f: usize) -> Quat<L> {
        let at = [self.support(end, f), self.support(end, f + 1), self.support(end, f + 2), self.support(end, f + 3)];
        Quat { x: at[0], y: at[1], z: at[2], w: at[3] }
    }
    /// What the host's force adds to the velocity of a vertex. In a Newton step it moves the ghost points' share of the mass, too.
    #[inline(always)]
    pub(crate) fn push(&self, i: usize, w: L, s: &Settings<L::Elem>, edges: L) -> Vec3<L> {
        if self.at.forces.is_null() {
            return Vec3::zero();
        }
        // SAFETY: not null, so the type's contract.
        let f = |k: usize| unsafe { L::load(self.at.forces.add((i * FORCE_ROWS + force::FORCE + k) * self.stride())) };
        let pushed = vec3(f(0), f(1), f(2)) * (w * L::splat(s.h));
        match s.order {
            SweepOrder::Direct => pushed * (mass(w) / self.lumped(i, edges).max(L::constant(1e-30))),
            _ => pushed,
        }
    }
    /// The host's moment about edge `i`, N m.
    #[inline(always)]
    pub(crate) fn moment(&self, i: usize) -> L {
        if self.at.forces.is_null() {
            return L::zero();
        }
        // SAFETY: not null, so the type's contract.
        unsafe { L::load(self.at.forces.add((i * FORCE_ROWS + force::MOMENT) * self.stride())) }
    }
    /// The force on its ghost point, across the edge, that has the host's moment about edge `i`, if that `turns` it; minus half of it is
    /// on either end.
    #[inline(always)]
    fn couple(&self, i: usize, turns: bool) -> Vec3<L> {
        if !turns || self.at.forces.is_null() || i + 1 >= self.vertices {
            return Vec3::zero();
        }
        let (x0, o) = (self.get3(i, state::X), Vec3::zero());
        let (e, g) = Self::edge_vectors(x0, o, self.get3(i + 1, state::X), o, self.get3(i, state::GX), o);
        let frame = bounded_frame(e, g, self.p(i, param::LENGTH), self.p(i, param::GHOST));
        frame.d2 * (self.moment(i) * frame.inv_h)
    }
    /// 1 where the lane has an edge number `i`, else 0.
    #[inline(always)]
    pub(crate) fn on(&self, i: usize, edges: L) -> L {
        L::select(index::<L>(i).lt(edges), L::one(), L::zero())
    }

    /// Velocities after forces, gravity and drag become displacements; supports and pins take theirs from the host; multipliers
    /// start at zero, but for the tensions that a Newton step remembers. `t` is the fraction of the step at the end of this substep. Returns
    /// the lanes that were limited.
    #[inline(always)]
    pub fn predict(&mut self, s: &Settings<L::Elem>, t: L::Elem, pins: &[Pin]) -> u32 {
        let zero = L::zero();
        let gravity = s.gravity.map(L::splat);
        let (hg, inv_h_gg) = (gravity * L::splat(s.h), L::splat(s.inv_h_gg));
        let blow = s.wind.map(L::splat) * L::splat(s.drag_take);
        // Moments about edges; a Newton step has the angle itself to turn.
        let turns = s.order != SweepOrder::Direct;
        let keep_spin = s.keep_spin && !self.at.spin.is_null();
        let (h, max_move) = (L::splat(s.h), L::splat(s.max_move));
        // A step of second order takes half of the loads off again.
        let loads_whole = !turns && (!keep_spin || self.is_second(s));
        let rule = PredictRule { hg, keep: L::splat(s.drag_keep), blow, h, max_move, loads_whole };
        let edges = self.edge_count();
        let mut limited = L::zero();
        if self.is_second(s) {
            self.note_velocities(s);
        }

        let half = L::constant(0.5);
        let mut twist0 = self.couple(0, turns);

        let mut w0 = self.p(0, param::W);
        // What gravity and the host's forces do to the velocity, what drag leaves of it, and gravity that ghost points pass on.
        let mut kick0 = self.push(0, w0, s, edges) + rule.weight(w0) - twist0 * (half * w0 * h);
        let mut v0 = self.get3(0, state::U);
        let mut shared0 = zero;
        for i in 0..self.vertices - 1 {
            let w1 = self.p(i + 1, param::W);
            let twist1 = self.couple(i + 1, turns);
            let kick1 = self.push(i + 1, w1, s, edges) + rule.weight(w1) - (twist0 + twist1) * (half * w1 * h);
            let v1 = self.get3(i + 1, state::U);
            let w = EdgeWeights { w0, w1, wg: self.p(i, param::WG) };
            // Appendix, algorithm 1: the midpoint's fall says how much of gravity the ghost point may feel. Drag acts on the ghost
            // point itself, so it is left out of the difference: it is in what is stored, and not yet in what is compared.
            let fall = (((v0 + kick0) + (v1 + kick1)) * half).dot(gravity);
            let (slowed0, slowed1) = (rule.slow(v0, w0), rule.slow(v1, w1));
            let (s0, s1) = (slowed0 + kick0, slowed1 + kick1);
            let fall_slowed = ((s0 + s1) * half).dot(gravity);
            // The direct solver shares the ghost points' mass itself.
            let share = match s.order {
                SweepOrder::Direct => GravityShare { ghost: L::one(), end0: zero, end1: zero },
                _ => gravity_share(fall, self.get(i, state::FALL), inv_h_gg, w),
            };
            #[cfg(feature = "paper")]
            let share = match s.ghost_gravity {
                GhostGravity::Shared => share,
                GhostGravity::Full => GravityShare { ghost: L::one(), end0: zero, end1: zero },
                GhostGravity::None => GravityShare { ghost: zero, end0: zero, end1: zero },
            };
            let on = self.on(i, edges);
            let u0 = rule.finish(s0 + hg * (shared0 + share.end0 * on), slowed0, &mut limited);
            let pushed = hg * (share.ghost * on) + twist0 * (w.wg * h);
            let slowed = rule.slow(self.get3(i, state::GU), w.wg);
            let ug = rule.finish(slowed + pushed, slowed, &mut limited);
            self.set3(i, state::U, u0);
            self.set3(i, state::GU, ug);
            if s.order != SweepOrder::Direct {
                self.set(i, state::FALL, fall_slowed);
            }
            self.clear_lambda(i, turns);
            (w0, v0, kick0, shared0, twist0) = (w1, v1, kick1, share.end1 * on, twist1);
        }
        let last = self.vertices - 1;
        let slowed = rule.slow(v0, w0);
        let u = rule.finish(slowed + kick0 + hg * shared0, slowed, &mut limited);
        self.set3(last, state::U, u);
        self.clear_lambda(last, turns);

        if s.root != EndSupport::Free {
            let target = self.support_position(0, L::splat(t));
            let x = self.get3(0, state::X);
            self.set3(0, state::U, target - x);
        }
        if s.tip != EndSupport::Free {
            let target = self.support_position(1, L::splat(t));
            for i in self.min_edges..self.vertices {
                let k = index::<L>(i);
                let (x, u) = (self.get3(i, state::X), self.get3(i, state::U));
                let here = L::both(not_less::<L>(k, edges), not_less::<L>(edges, k));
                self.set3(i, state::U, Vec3::select(here, target - x, u));
            }
        }
        for pin in pins {
            let lane = pin.lane.wrapping_sub(self.first_lane);
            if (lane as usize) < L::N {
                for k in 0..3 {
                    let at = |field: usize| (pin.vertex as usize * state::ROWS + field + k) * self.stride() + lane as usize;
                    let target = pin.from[k] + (pin.to[k] - pin.from[k]) * t.to_f64();
                    // SAFETY: the type's contract; a pin's vertex and lane lie in its block.
                    unsafe {
                        let x = *self.at.state.add(at(state::X));
                        *self.at.state.add(at(state::U)) = L::Elem::from_f64(target) - x;
                    }
                }
            }
        }
        if turns && self.keeps_volume() {
            self.start_swept(s);
        }
        if keep_spin && turns {
            self.set_spin(self.spin_now());
        }
        if !turns {
            self.start_newton(s, t);
            if keep_spin {
                self.set_spin(self.spin_of_newton(s));
            }
        }
        self.lanes_where(zero.lt(limited))
    }

    #[inline(always)]
    fn clear_lambda(&mut self, i: usize, lengths: bool) {
        if lengths {
            self.set(i, state::LAMBDA_LENGTH, L::zero());
        }
        self.set3(i, state::LAMBDA_BEND, Vec3::zero());
    }

    #[inline(always)]
    pub(crate) fn lanes_where(&self, mask: L::Mask) -> u32 {
        let mut out = [L::Elem::default(); MAX_LANES];
        // SAFETY: N ≤ MAX_LANES numbers fit; the type's contract.
        unsafe { L::select(mask, L::one(), L::zero()).store(out.as_mut_ptr()) };
        (0..L::N).fold(0, |bits, i| bits | ((out[i] > L::Elem::default()) as u32) << i) << self.first_lane
    }

    /// The edge vector and the ghost point from its midpoint. Positions are subtracted before displacements are added: far
    /// from the origin the differences keep their digits.
    #[inline(always)]
    pub(crate) fn edge_vectors(
        x0: Vec3<L>,
        u0: Vec3<L>,
        x1: Vec3<L>,
        u1: Vec3<L>,
        gx: Vec3<L>,
        gu: Vec3<L>,
    ) -> (Vec3<L>, Vec3<L>) {
        let half = L::constant(0.5);
        let (dx, du) = (x1 - x0, u1 - u0);
        (dx + du, ((gx - x0) - dx * half) + ((gu - u0) - du * half))
    }

    /// Displacements become velocities and are added to the positions; then the damping that keeps both momenta, and the speed limit. Returns
    /// the lanes that were limited.
    #[inline(always)]
    pub fn finalize(&mut self, s: &Settings<L::Elem>) -> u32 {
        let keep_spin = s.keep_spin && !self.at.spin.is_null();
        let newton = s.order == SweepOrder::Direct;
        let second = newton && self.is_second(s);
        // The parts of a strand that is cut fly each for itself.
        let gives_back = keep_spin && s.cuts == 0;
        let mut went = Went::nothing();
        if second {
            went = self.take_velocities(s, gives_back);
        } else if newton {
            self.forget_second();
        }
        let lost = if gives_back { self.lost_motion(s, newton, &went) } else { Lost::nothing() };
        if second {
            self.note_orders();
        }
        if self.has_multipliers() {
            self.settle_scales(s);
        }
        // A division: u·(1/h) with a rounded 1/h is off by the same 3e-8 in every substep, 5e-4 of the momentum in ten seconds.
        let h = L::splat(s.h);
        let mut farthest = L::zero();
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let mut d = self.get3(i, u);
                let mut p = self.get3(i, x);
                if !second {
                    p = p + d;
                }
                if newton {
                    let free = L::zero().lt(self.p(i, w));
                    p = p + Vec3::select(free, lost.moves, Vec3::zero());
                    d = d + Vec3::select(free, lost.shift, Vec3::zero());
                }
                let turned = lost.turn.cross((p - lost.origin) - lost.center);
                let v = d + Vec3::select(L::zero().lt(self.p(i, w)), turned, Vec3::zero());
                self.set3(i, x, p);
                farthest = v.length2().max(farthest);
                self.set3(i, u, vec3(v.x / h, v.y / h, v.z / h));
            }
        }
        let damps = s.damping > L::Elem::default();
        if self.keeps_volume() {
            self.finish_scales(h, if damps { L::one() - L::splat(s.damping) } else { L::one() });
        }
        // Damping makes no vertex faster than a few times the fastest.
        let near = L::splat(s.max_move) * L::constant(0.25);
        let fast = L::any((near * near).lt(farthest));
        // Displacements of second order have been limited for themselves.
        let limited = if fast { self.limit_speed(s, !second) } else { 0 };
        if damps {
            self.damp(s);
            if fast {
                self.limit_speed(s, false);
            }
        }
        limited
    }

    /// What is faster than the limit, whatever made it so, has that velocity and, if it `moves`, has gone as far as that. What the host holds
    /// goes with the host. Returns the lanes that were limited.
    #[inline(always)]
    fn limit_speed(&mut self, s: &Settings<L::Elem>, moves: bool) -> u32 {
        let all = Limit {
            params: self.at.params,
            state: self.at.state,
            vertices: self.vertices,
            stride: self.stride(),
            h: L::splat(s.h),
            most: L::splat(s.max_move),
            moves,
        };
        // SAFETY: the type's contract: the instruction set is enabled, and so available; the rows are the group's.
        let limited: L = unsafe { L::apart(all) };
        self.lanes_where(L::zero().lt(limited))
    }

    /// Strain, kinks and non-finite numbers at the end of a step.
    #[inline(always)]
    pub fn report(&self, out: &mut BlockReport) {
        let zero = L::zero();
        let edges = self.edge_count();
        let (mut strain, mut kinked, mut sum) = (zero, zero, zero);
        let mut before: Option<EdgeFrame<L>> = None;
        // 0 for the edge before this vertex, if it is cut.
        let mut whole = L::one();
        for i in 0..self.vertices {
            let (x, v) = (self.get3(i, state::X), self.get3(i, state::U));
            #[allow(clippy::eq_op, reason = "x − x is 0, or NaN where x is not finite")]
            let zero_if_finite = (x - x).length2() + (v - v).length2();
            sum = sum + zero_if_finite;
            if self.keeps_volume() {
                sum = sum + self.not_a_scale(i);
            }
            if i + 1 < self.vertices {
                let here = L::select(self.p(i, param::STRETCH).lt(L::constant(CUT_FROM)), L::one(), zero);
                let on = self.on(i, edges) * here;
                let x1 = self.get3(i + 1, state::X);
                let (e, g) = Self::edge_vectors(x, Vec3::zero(), x1, Vec3::zero(), self.get3(i, state::GX), Vec3::zero());
                let rest = self.p(i, param::LENGTH);
                let relative = (e.length() / rest.max(L::constant(1e-12)) - L::one()).abs() * on;
                strain = relative.max(strain);
                let frame = edge_frame(e, g);
                if let Some(a) = before {
                    let trace = L::one() + a.d1.dot(frame.d1) + a.d2.dot(frame.d2) + a.d3.dot(frame.d3);
                    // 2 + 2 cos 175°
                    let folded = trace.lt(L::constant(0.007_610_604));
                    kinked = L::select(folded, L::one().min(kinked + on * whole), kinked);
                }
                before = Some(frame);
                whole = here;
            }
        }
        let mut strains = [L::Elem::default(); MAX_LANES];
        // SAFETY: N ≤ MAX_LANES numbers fit; the type's contract.
        unsafe { strain.store(strains.as_mut_ptr()) };
        for (i, s) in strains[..L::N].iter().enumerate() {
            if s.to_f64() > out.largest_strain {
                out.largest_strain = s.to_f64();
                out.strain_lane = self.first_lane + i as u32;
            }
        }
        out.kinked |= self.lanes_where(zero.lt(kinked));
        // NaN is not less than 1.
        let finite = self.lanes_where(sum.lt(L::one()));
        let all = ((1u64 << L::N) - 1) as u32;
        out.non_finite |= !finite & (all << self.first_lane);
    }
}

/// 1/w, and 0 for what does not move.
#[inline(always)]
pub(crate) fn mass<L: Lane>(w: L) -> L {
    L::select(L::zero().lt(w), L::one() / w.max(L::constant(1e-30)), L::zero())
}

/// A vertex index as a number of the lane type; exact up to 2²⁴ vertices.
#[inline(always)]
pub(crate) fn index<L: Lane>(i: usize) -> L {
    L::splat(L::Elem::from_f64(i as f64))
}

/// `!(a < b)` as a mask: both are small whole numbers.
#[inline(always)]
pub(crate) fn not_less<L: Lane>(a: L, b: L) -> L::Mask {
    b.lt(a + L::constant(0.5))
}
