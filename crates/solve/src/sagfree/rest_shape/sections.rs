//! Rest shapes by the method of sections, for strands that nothing holds between root and tip: no
//! system, no iteration.
//!
//! Cut such a strand anywhere: the force and the moment in the cut hold what is beyond it. Both
//! follow from the loads alone, whatever the rest shape, and from what the tip exerts if it is held
//! ([`super::ends`]). From tip to root, with N = Σ of the loads beyond the edge,
//!
//! * the tension of the edge is T = N·t, so l̄ = l/(1 + T/EA);
//! * its frame needs the moment μ = (−l N·m₂, l N·m₁, what the host turns it by), in its own axes,
//!   and gets mᵢ − Q mᵢ₊₁ from the elements at its ends;
//! * so the moment of the element is mᵢ = μ + Q mᵢ₊₁, and its curvatures and twist change by the
//!   least that gives it: δ = K Gᵀ (G K² Gᵀ)⁻¹ (G K (κ − κ̄) − mᵢ), with G the derivatives of the
//!   strains along φ and K the moduli over the new lengths.
//!
//! This is the least-change step of [`super::Optimizer::run`] with α = 0, without its linearization
//! of l̄. A lane is left to Gauss-Newton, which begins with its result, where the answer is outside
//! of the bounds, where the strand is held elsewhere, too, or where f does not vanish (hinges,
//! pinned roots, free strands).

use super::boxed::Boxed;
use super::ends::{End, reaction};
use super::soundness::Soundness;
use super::{BoundMode, Rules, Six, goal2, positive, six};
use crate::math::cpu::fetch;
use crate::math::vec3::vec3;
use crate::math::{Lane, Sym3, Vec3};
use crate::rods::der::kernels::*;
use crate::rods::der::strand::{Rest, Section, Strands};

/// How many vertices ahead memory is asked for, a part at a time.
const AHEAD: usize = 4;

/// Lane by lane.
pub(super) struct Sections<L> {
    /// 0, or 1 + a [`super::Refusal`] as number.
    pub refused: L,
    /// 1 where the strand has its rest shape; 1 where that is another than it had.
    pub done: L,
    pub moved: L,
    /// Σ f²/m, max (|f|/m)² and the parameters at bounds, of what a strand that is done ends at.
    pub square: L,
    pub fastest2: L,
    pub at_bounds: L,
    /// The square of what [`super::Options::target`] is for the strand.
    pub target2: L,
}

/// The forces of a rest shape, on the way to the root.
#[derive(Clone, Copy)]
struct Forces<L> {
    /// The force of the edge after the vertex on it.
    edge: Vec3<L>,
    /// Q m of the element at the end of the edge that is next.
    turned: Vec3<L>,
    square: L,
    fastest2: L,
}

impl<L: Lane> Forces<L> {
    #[inline(always)]
    fn zero() -> Self {
        Forces { edge: Vec3::zero(), turned: Vec3::zero(), square: L::zero(), fastest2: L::zero() }
    }

    /// Goes on over an edge, given its tension and the moment of the element at its start, and takes stock of the unknowns that are complete by this: the edge's angle
    /// and the vertex at its end.
    #[inline(always)]
    fn pass(&mut self, view: &View<L>, tension: L, m: Vec3<L>, here: &Section<L>, end: &Section<L>) {
        let mu = m - self.turned;
        let edge = view.frame.t * tension + (view.frame.m1 * mu.y - view.frame.m2 * mu.x) * view.inv_length;
        self.add(here.moment - mu.z, end.force + self.edge - edge, here, end);
        self.edge = edge;
    }

    #[inline(always)]
    fn add(&mut self, about: L, f: Vec3<L>, edge: &Section<L>, vertex: &Section<L>) {
        let (about, f) = (about * edge.free[1], f * vertex.free[0]);
        let a2 = f.length2() / vertex.mass;
        self.square = self.square + (a2 + about * about / edge.inertia);
        self.fastest2 = self.fastest2.max(a2 / vertex.mass);
    }
}

/// An edge.
#[derive(Clone, Copy)]
pub(super) struct View<L> {
    pub frame: Frame<L>,
    pub length: L,
    pub inv_length: L,
}

impl<L: Lane> View<L> {
    /// μ: what the frame needs where `force` pulls at the edge and `about` turns it.
    #[inline(always)]
    pub fn moment_of(&self, force: Vec3<L>, about: L) -> Vec3<L> {
        vec3(-(self.length * force.dot(self.frame.m2)), self.length * force.dot(self.frame.m1), about)
    }
    #[inline(always)]
    pub fn new(strands: &Strands<L>, i: usize) -> Self {
        let node = &strands.state[i];
        let (length, t) = direction(node.edge);
        View { frame: Frame { m1: node.m1, m2: t.cross(node.m1), t }, length, inv_length: L::one() / length }
    }
}

/// The solution of `a` x = `r`: where a pivot is nothing a large one, which is no rest shape, not the floored one of [`Sym3::solve`].
#[inline(always)]
pub(super) fn solved<L: Lane>(a: &Sym3<L>, r: Vec3<L>) -> Vec3<L> {
    let tiny = ((a.xx + a.yy + a.zz) * L::constant(1e-18)).max(L::constant(1e-100));
    let i1 = L::one() / a.xx.max(tiny);
    let (l2, l3) = (a.xy * i1, a.xz * i1);
    let i2 = L::one() / (a.yy - l2 * a.xy).max(tiny);
    let s = a.yz - l2 * a.xz;
    let l32 = s * i2;
    let i3 = L::one() / (a.zz - l3 * a.xz - l32 * s).max(tiny);
    let y2 = r.y - l2 * r.x;
    let y3 = r.z - l3 * r.x - l32 * y2;
    let x3 = y3 * i3;
    let x2 = y2 * i2 - l32 * x3;
    vec3(r.x * i1 - l2 * x2 - l3 * x3, x2, x3)
}

#[inline(always)]
pub(super) fn tension<L: Lane>(ea: L, length: L, rest: L) -> L {
    ea * (length / rest - L::one())
}

/// ‖load‖² in the metric of M⁻¹, of a vertex and the edge after it.
#[inline(always)]
fn load2<L: Lane>(c: &Section<L>) -> L {
    c.force.length2() / c.mass * c.free[0] + c.moment * c.moment / c.inertia * c.free[1]
}

/// The square of what [`super::Options::target`] is where that is the square of the loads' norm.
#[inline(always)]
fn target2<L: Lane>(loads: L, target: f64) -> L {
    let most = L::constant(target * target);
    // Forces of 1e-4 times the target are no loads.
    let part = (loads * L::constant(1e-6)).max(most * L::constant(1e-8)).min(most);
    L::select(L::zero().lt(loads), part, most)
}

/// 1 where none of the parameters that may change is outside of its bounds, and how many are not inside.
#[inline(always)]
fn within<L: Lane>([low, high]: &[Six<L>; 2], on: &Six<L>, s: &Six<L>) -> (L, L) {
    let (mut fine, mut at) = (L::one(), L::zero());
    for j in 0..6 {
        let out = positive(low[j] - s[j]).max(positive(s[j] - high[j]));
        fine = fine - fine * out * on[j];
        let inside = L::both(low[j].lt(s[j]), s[j].lt(high[j]));
        at = at + on[j] * L::select(inside, L::zero(), L::one());
    }
    (fine, at)
}

/// What has been seen of a strand's rest shape, lane by lane.
struct Seen<L> {
    forces: Forces<L>,
    fine: L,
    at_bounds: L,
}

impl<L: Lane> Seen<L> {
    #[inline(always)]
    fn new() -> Self {
        Seen { forces: Forces::zero(), fine: L::one(), at_bounds: L::zero() }
    }
    #[inline(always)]
    fn bounds(&mut self, bounds: &[Six<L>; 2], on: &Six<L>, s: &Six<L>) {
        let (fine, at) = within(bounds, on, s);
        (self.fine, self.at_bounds) = (self.fine * fine, self.at_bounds + at);
    }
}

/// The element at vertex `j`, between the edges `a` and `b`.
pub(super) struct Bend<L> {
    pub q: Relative<L>,
    pub strains: Strains<L>,
    pub gradients: [Vec3<L>; 5],
    pub on: Six<L>,
}

impl<L: Lane> Bend<L> {
    #[inline(always)]
    pub fn new(strands: &Strands<L>, rules: &Rules<L>, j: usize, a: &View<L>, b: &View<L>) -> Self {
        let q = Relative::new(&a.frame, &b.frame);
        let strains = strands.strains(&q, &strands.state[j]);
        Bend { q, strains, gradients: q.all_gradients(strands.measure, &strains), on: rules.on(strands, j) }
    }
    /// Σ K (κ − κ̄) ∇κ, in the axes of the frame after the vertex.
    #[inline(always)]
    pub fn moment(&self, k: &Strains<L>, s: &Six<L>) -> Vec3<L> {
        let (g, strains) = (&self.gradients, &self.strains);
        let mut sum = g[0] * (k[0] * (strains[0] - s[1]));
        for j in 1..5 {
            sum = sum + g[j] * (k[j] * (strains[j] - s[1 + j]));
        }
        sum
    }
    /// G K² Gᵀ over what may change: what a moment costs is r (G K² Gᵀ)⁻¹ r.
    #[inline(always)]
    pub fn form(&self, k: &Strains<L>) -> Sym3<L> {
        let mut form = Sym3::diagonal(Vec3::zero());
        for j in 0..5 {
            form = form.add_outer(self.gradients[j], self.on[1 + j] * k[j] * k[j]);
        }
        form
    }
    /// The nearest curvatures and twist to `now` that give the moment `needed`.
    #[inline(always)]
    fn change(&self, k: &Strains<L>, needed: Vec3<L>, now: &Six<L>, to: &mut Six<L>) {
        let lambda = solved(&self.form(k), self.moment(k, now) - needed);
        for j in 0..5 {
            to[1 + j] = now[1 + j] + self.on[1 + j] * k[j] * self.gradients[j].dot(lambda);
        }
    }
    /// The same within bounds, where it is `out` of them.
    #[inline(always)]
    fn change_within(&self, bounds: &[Six<L>; 2], k: &Strains<L>, needed: Vec3<L>, now: &Six<L>, to: &mut Six<L>, out: L::Mask) {
        let (zero, [low, high]) = (L::zero(), bounds);
        let mut boxed = Boxed { rows: self.gradients, least: [zero; 5], most: [zero; 5] };
        for j in 0..5 {
            boxed.rows[j] = boxed.rows[j] * (k[j] * self.on[1 + j]);
            (boxed.least[j], boxed.most[j]) = (low[1 + j] - now[1 + j], high[1 + j] - now[1 + j]);
        }
        let lambda = boxed.multiplier(self.moment(k, now) - needed);
        for j in 0..5 {
            let at = (now[1 + j] + boxed.rows[j].dot(lambda)).max(low[1 + j]).min(high[1 + j]);
            to[1 + j] = L::select(L::both(out, zero.lt(self.on[1 + j])), at, to[1 + j]);
        }
    }
}

/// The rest shapes that the strands' own should become, in `found`, and for which of them.
#[inline(always)]
pub(super) fn sections<L: Lane>(
    strands: &Strands<L>,
    initial: &[Rest<L>],
    rules: &Rules<L>,
    target: f64,
    found: &mut [Rest<L>],
) -> Sections<L> {
    let (n, zero, one) = (strands.vertices(), L::zero(), L::one());
    let bounded = rules.mode != BoundMode::None;
    let c = &strands.section;
    let reaction = reaction(strands, rules);
    let (mut before, mut after) = (Seen::<L>::new(), Seen::<L>::new());
    let mut sound = Soundness::new(strands);
    // Σ of the loads beyond, and the moment of the element at the edge's end, in the axes of the frame after it.
    let (mut beyond, mut needed) = (Vec3::zero(), Vec3::zero());
    let (mut loads, mut determined) = (load2(&c[n - 1]), one);
    let mut next = View::new(strands, n - 2);
    let mut now: Six<L> = six(&strands.rest[n - 1]);
    let mut to = now;
    for i in (0..n - 1).rev() {
        let j = i + 1;
        let ahead = i.checked_sub(AHEAD);
        if let Some(i) = ahead {
            fetch(&strands.state[i]);
        }
        loads = loads + load2(&c[i]);
        let known;
        (beyond, needed, known) = End::new(strands, j).cut(beyond + c[j].force, needed, &reaction);
        determined = determined * known;
        let view = View::new(strands, i);
        sound.edge(strands, i, view.length);
        let (on, s) = (rules.on(strands, i), six(&strands.rest[i]));
        let mut new = s;
        let stretch = one + beyond.dot(view.frame.t) / L::select(zero.lt(c[i].ea), c[i].ea, one);
        let fits = stretch.max(L::constant(1e-9));
        new[0] = L::select(zero.lt(on[0]), view.length / fits, s[0]);
        if let Some(i) = ahead {
            fetch(&strands.section[i]);
        }
        // A length that is not positive has no energy.
        after.fine = after.fine * (one - on[0] * positive(L::constant(1e-3) * initial[i].length - new[0]));
        if j + 1 < n {
            let bend = Bend::new(strands, rules, j, &view, &next);
            sound.element(strands, j, &bend.q);
            let k = Strands::moduli(strands.measure, &c[j], one / (s[0] + now[0]));
            let new_k = Strands::moduli(strands.measure, &c[j], one / (new[0] + to[0]));
            bend.change(&new_k, needed, &now, &mut to);
            if let Some(i) = ahead {
                fetch(&strands.rest[i]);
                fetch(&initial[i]);
            }
            if bounded {
                let bounds = rules.bounds(&six(&initial[j]));
                let out = within(&bounds, &bend.on, &to).0.lt(one);
                if L::any(out) {
                    bend.change_within(&bounds, &new_k, needed, &now, &mut to, out);
                }
                before.bounds(&bounds, &bend.on, &now);
                after.bounds(&bounds, &bend.on, &to);
            }
            for (seen, of, k) in [(&mut before, &now, &k), (&mut after, &to, &new_k)] {
                let m = bend.moment(k, of);
                seen.forces.pass(&next, tension(c[j].ea, next.length, of[0]), m, &c[j], &c[j + 1]);
                seen.forces.turned = bend.q.turned(m);
            }
            if let Some(i) = ahead {
                fetch(&found[i]);
            }
            needed = bend.q.turned(needed);
            found[j] = Rest { length: to[0], kappa: [to[1], to[2], to[3], to[4]], twist: to[5] };
        }
        needed = needed + view.moment_of(beyond, c[i].moment);
        (now, to, next) = (s, new, view);
    }
    for (seen, of) in [(&mut before, &now), (&mut after, &to)] {
        if bounded {
            let (bounds, on) = (rules.bounds(&six(&initial[0])), rules.on(strands, 0));
            seen.bounds(&bounds, &on, of);
        }
        seen.forces.pass(&next, tension(c[0].ea, next.length, of[0]), Vec3::zero(), &c[0], &c[1]);
        let edge = seen.forces.edge;
        seen.forces.add(zero, c[0].force + edge, &c[0], &c[0]);
    }
    found[0] = Rest { length: to[0], ..strands.rest[0] };
    found[n - 1] = strands.rest[n - 1];
    let (target2, refused) = (target2(loads, target), sound.refusal());
    let fit = one - positive(refused);
    let keeps = L::select(before.forces.square.lt(goal2(target2)), fit, zero);
    let keeps = if rules.clamped() { keeps * before.fine } else { keeps };
    let moved = L::select(after.forces.square.lt(target2), fit * determined * after.fine * (one - keeps), zero);
    let changes = zero.lt(moved);
    Sections {
        refused,
        done: keeps + moved,
        moved,
        square: L::select(changes, after.forces.square, before.forces.square),
        fastest2: L::select(changes, after.forces.fastest2, before.forces.fastest2),
        at_bounds: L::select(changes, after.at_bounds, before.at_bounds),
        target2,
    }
}
