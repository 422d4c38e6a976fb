//! What corrections of positions do to momentum: the angular momentum of free strands, and damping that keeps both momenta.

use super::{Group, Settings, index, mass, not_less};
use crate::layout::CUT_FROM;
use crate::layout::scratch::COAST;
use crate::layout::{param, state};
use crate::math::Sym3;
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use crate::rods::ghost::kernels::MIN_LENGTH2;

/// The largest turn that gives back lost angular momentum in a substep, rad; a larger one is left out. Stubs ask for more, whose
/// f32 inertia is noise or which spin by radians a substep, and so do free strands of a thousand edges at too few sweeps: the turn,
/// which is linear, threw them metres far.
pub const MAX_TURN: f64 = 0.1;
/// That of a Newton step, which loses all of the spin where edges turn farther than it can follow (`newton::TURNED`). With 0.1 a hair that turned
/// by 5 rad/s stopped dead at one substep a frame; with 0.5 one that turned by 0.2 rad a substep had 60 times its energy (3.5 times at most
/// with this; 216 cases of 15 s).
pub const NEWTON_TURN: f64 = 0.3;

/// A turn about `center`, which is from `origin`, after a shift: of the velocities, by `shift` a substep, and of the positions, by `moves`. In first
/// order both are one.
pub(super) struct Lost<L> {
    pub origin: Vec3<L>,
    pub center: Vec3<L>,
    pub turn: Vec3<L>,
    pub shift: Vec3<L>,
    pub moves: Vec3<L>,
}

/// What a substep of second order has moved before its velocities are corrected.
pub(crate) struct Went<L> {
    /// The first vertex.
    pub root: Vec3<L>,
    /// Σ m times by how much farther inertia and loads alone would have taken the vertices.
    pub short: Vec3<L>,
    /// Square of the longest way.
    pub farthest2: L,
}

impl<L: Lane> Went<L> {
    #[inline(always)]
    pub(crate) fn nothing() -> Self {
        Went { root: Vec3::zero(), short: Vec3::zero(), farthest2: L::zero() }
    }
}

impl<L: Lane> Lost<L> {
    #[inline(always)]
    pub(super) fn nothing() -> Self {
        Lost { origin: Vec3::zero(), center: Vec3::zero(), turn: Vec3::zero(), shift: Vec3::zero(), moves: Vec3::zero() }
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// Σ m x×u over vertices and ghost points: h times the angular momentum about where the root was.
    #[inline(always)]
    pub(super) fn spin_now(&self) -> Vec3<L> {
        let origin = self.get3(0, state::X);
        let mut sum = Vec3::zero();
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let u = self.get3(i, u);
                let r = (self.get3(i, x) - origin) + u;
                sum = sum + r.cross(u) * mass(self.p(i, w));
            }
        }
        sum
    }

    /// The same of a Newton step, from where inertia would go and the host's moments turn it. Its ghost points stand for sections that are
    /// balanced about the axis: they weigh in its ends, and turn about it. (Taken for points, they made a free rod that turned about its axis wander
    /// by 3 cm a second.)
    #[inline(always)]
    pub(super) fn spin_of_newton(&self, s: &Settings<L::Elem>) -> Vec3<L> {
        let (edges, h2) = (self.edge_count(), L::splat(s.h * s.h));
        let origin = self.get3(0, state::X);
        let second = self.is_second(s);
        let mut sum = Vec3::zero();
        // In second order the center does not go with all of the loads.
        let (mut mass_all, mut goes, mut momentum) = (L::zero(), Vec3::zero(), Vec3::zero());
        for i in 0..self.vertices {
            let (x, u, m) = (self.get3(i, state::X), self.coast_of_all_loads(i, s), self.lumped(i, edges));
            if second {
                sum = sum + (x - origin).cross(u) * m;
                (mass_all, goes, momentum) = (mass_all + m, goes + self.scratch3(i, COAST) * m, momentum + u * m);
            } else {
                sum = sum + ((x - origin) + u).cross(u) * m;
            }
            if i + 1 < self.vertices {
                let e = self.get3(i + 1, state::X) - x;
                let ghost = self.p(i, param::GHOST);
                let turns = mass(self.p(i, param::WG)) * ghost * ghost * self.scratch_at(i, COAST + 3) + self.moment(i) * h2;
                sum = sum + e * (turns * self.on(i, edges) / e.length2().max(L::constant(MIN_LENGTH2)).sqrt());
            }
        }
        if second {
            sum = sum + goes.cross(momentum) * (L::one() / mass_all.max(L::constant(1e-30)));
        }
        sum
    }

    #[inline(always)]
    pub(crate) fn kept_spin(&self) -> Vec3<L> {
        // SAFETY: the caller has seen that it is not null; the type's contract.
        let at = |k: usize| unsafe { L::load(self.at.spin.add(k * self.stride())) };
        vec3(at(0), at(1), at(2))
    }

    #[inline(always)]
    pub(crate) fn set_spin(&mut self, v: Vec3<L>) {
        for (k, c) in [v.x, v.y, v.z].into_iter().enumerate() {
            // SAFETY: as in `kept_spin`.
            unsafe { c.store(self.at.spin.add(k * self.stride())) }
        }
    }

    /// The motion of the whole strand, within a substep, that gives it back the angular momentum of which the sweeps have lost some:
    /// none where a vertex is held, or a collider has its share in Newton's step.
    ///
    /// A correction Δp along gradients at x has no torque about x, but velocities are (x_new − x_old)/h: each correction leaves
    /// Σ m (x_old − x) × Δp / h behind. For a rod that spins at ω this is a loss of h ω² a second: 24 % in ten seconds at ω = 6/s
    /// and h = 1/960 s (seen), where the constraints themselves are exact.
    ///
    /// A Newton step keeps the momentum but for the rounding under stiff springs, which took a third of a hair's in a second in f32: it gets back
    /// that too. `went`: what a substep of second order has moved already.
    #[inline(always)]
    pub(super) fn lost_motion(&self, s: &Settings<L::Elem>, newton: bool, went: &Went<L>) -> Lost<L> {
        let (zero, one) = (L::zero(), L::one());
        // Positions have come to where displacements took them.
        let there = newton && self.is_second(s);
        let edges = self.edge_count();
        let origin = self.get3(0, state::X) - went.root;
        let (mut m, mut mx, mut spin, mut held) = (zero, Vec3::zero(), Vec3::zero(), self.newton.held);
        let (mut moved, mut behind) = (Vec3::zero(), Vec3::zero());
        let mut inertia = Sym3::diagonal(Vec3::zero());
        for i in 0..self.vertices {
            let exists = not_less::<L>(edges, index::<L>(i));
            let free = L::select(zero.lt(self.p(i, param::W)), zero, one);
            held = held + L::select(exists, free, zero);
            let point = [mass(self.p(i, param::W)), mass(self.p(i, param::WG))];
            let masses = if newton { [self.lumped(i, edges), zero] } else { point };
            for ((x, u), k) in [(state::X, state::U), (state::GX, state::GU)].into_iter().zip(masses) {
                let u = self.get3(i, u);
                let r = self.get3(i, x) - origin;
                let r = if there { r } else { r + u };
                m = m + k;
                mx = mx + r * k;
                spin = spin + r.cross(u) * k;
                inertia = inertia.add_inertia(r, k);
            }
            if newton {
                let u = self.get3(i, state::U);
                moved = moved + u * masses[0];
                behind = behind + (self.coast_of_all_loads(i, s) - u) * masses[0];
            }
            if newton && i + 1 < self.vertices {
                let (x0, x1) = (self.get3(i, state::X), self.get3(i + 1, state::X));
                let (u0, u1) = (self.get3(i, state::U), self.get3(i + 1, state::U));
                let (gx, gu) = (self.get3(i, state::GX), self.get3(i, state::GU));
                let o = Vec3::zero();
                let (e, g) =
                    if there { Self::edge_vectors(x0, o, x1, o, gx, o) } else { Self::edge_vectors(x0, u0, x1, u1, gx, gu) };
                let axis = e * (one / e.length2().max(L::constant(MIN_LENGTH2)).sqrt());
                let k = point[1] * self.on(i, edges);
                spin = spin + axis * (axis.dot(g.cross(gu - (u0 + u1) * L::constant(0.5))) * k);
                inertia = inertia.add_outer(axis, g.length2() * k);
            }
        }
        let inv = one / m.max(L::constant(1e-30));
        let (center, shift) = (mx * inv, behind * inv);
        let moves = if there { Self::moves(went, went.short * inv, s) } else { shift };
        let inertia = inertia.add_inertia(center, -m);
        // With both: Σ m (r + moves) × (u + shift).
        let mut spin = spin + moves.cross(moved) + center.cross(behind);
        if there {
            spin = spin + moves.cross(behind);
        }
        let turn = inertia.solve(self.kept_spin() - spin);
        // Also where it is NaN.
        let most = if newton { NEWTON_TURN } else { MAX_TURN };
        let turn = Vec3::select(turn.length2().lt(L::constant(most * most)), turn, Vec3::zero());
        let held = zero.lt(held);
        let center = center + moves;
        let (turn, shift) = (Vec3::select(held, Vec3::zero(), turn), Vec3::select(held, Vec3::zero(), shift));
        let moves = Vec3::select(held, Vec3::zero(), moves);
        Lost { origin, center, turn, shift, moves }
    }

    /// What positions are shifted by at the end of a substep of second order: by what they fall `short`, if that takes no vertex beyond the speed limit.
    #[inline(always)]
    fn moves(went: &Went<L>, short: Vec3<L>, s: &Settings<L::Elem>) -> Vec3<L> {
        let far = went.farthest2.sqrt() + short.length2().sqrt();
        Vec3::select(far.lt(L::splat(s.max_move)), short, Vec3::zero())
    }

    /// Müller et al. 2007, section 3.5, strand by strand, and of one that is cut part by part: velocities are drawn to those of the rigid motion with
    /// the same linear and angular momentum.
    #[inline(always)]
    pub(super) fn damp(&mut self, s: &Settings<L::Elem>) {
        let (mut all, mut from) = (L::zero(), (0, L::zero()));
        for i in 0..if s.cuts > 0 { self.vertices } else { 0 } {
            all = all + self.is_cut(i);
        }
        for part in 0..=s.cuts {
            from = self.damp_part(s, part, all, from);
        }
    }

    /// 1 where the edge after a vertex is cut.
    #[inline(always)]
    fn is_cut(&self, i: usize) -> L {
        L::select(L::constant(CUT_FROM).lt(self.p(i, param::STRETCH)), L::one(), L::zero())
    }
    /// 1 where the lane has an edge number `i`, and it is not cut.
    #[inline(always)]
    pub(crate) fn on_whole(&self, i: usize, edges: L, s: &Settings<L::Elem>) -> L {
        let on = self.on(i, edges);
        if s.cuts > 0 { on * (L::one() - self.is_cut(i)) } else { on }
    }

    /// 1 where a vertex, before which `cuts` edges are cut, and where the edge after it, is of this part of its strand.
    #[inline(always)]
    fn in_part(&self, s: &Settings<L::Elem>, i: usize, part: L, cuts: L) -> [L; 2] {
        if s.cuts == 0 {
            return [L::one(); 2];
        }
        let half = L::constant(0.5);
        let here = L::select(L::both((part - half).lt(cuts), cuts.lt(part + half)), L::one(), L::zero());
        [here, here * (L::one() - self.is_cut(i))]
    }

    /// One part of each strand, where there are `all` cuts. `start`: the first vertex that may be of it, and the cuts before that. Returns the same of the
    /// next part. (Each part is walked from where it begins to where it ends: a strand that is cut a thousand times costs hardly more than a whole one.)
    #[inline(always)]
    fn damp_part(&mut self, s: &Settings<L::Elem>, part: u32, all: L, start: (usize, L)) -> (usize, L) {
        let zero = L::zero();
        let (number, half) = (index::<L>(part as usize), L::constant(0.5));
        let origin = self.get3(0, state::X);
        let (mut m, mut mx, mut mv) = (zero, Vec3::zero(), Vec3::zero());
        let (first, mut cuts) = start;
        let (mut end, mut next) = (self.vertices, None);
        for i in first..self.vertices {
            let here = self.in_part(s, i, number, cuts);
            for ((x, u, w), here) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)].into_iter().zip(here) {
                let k = mass(self.p(i, w)) * here;
                m = m + k;
                mx = mx + (self.get3(i, x) - origin) * k;
                mv = mv + self.get3(i, u) * k;
            }
            if s.cuts > 0 {
                cuts = cuts + self.is_cut(i);
                let past = (number + half).lt(cuts);
                if next.is_none() && L::any(past) {
                    next = Some((i + 1, cuts));
                }
                // Where no strand has more of this part.
                if !L::any(L::both(cuts.lt(number + half), (number - half).lt(all))) {
                    end = i + 1;
                    break;
                }
            }
        }
        let inv = L::one() / m.max(L::constant(1e-30));
        let (center, drift) = (mx * inv, mv * inv);
        let mut momentum = Vec3::zero();
        let mut inertia = Sym3::diagonal(Vec3::zero());
        cuts = start.1;
        for i in first..end {
            let here = self.in_part(s, i, number, cuts);
            cuts = if s.cuts > 0 { cuts + self.is_cut(i) } else { cuts };
            for ((x, u, w), here) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)].into_iter().zip(here) {
                let k = mass(self.p(i, w)) * here;
                let r = (self.get3(i, x) - origin) - center;
                momentum = momentum + r.cross(self.get3(i, u) - drift) * k;
                inertia = inertia.add_inertia(r, k);
            }
        }
        let spin = inertia.solve(momentum);
        let k = L::splat(s.damping);
        cuts = start.1;
        for i in first..end {
            let here = self.in_part(s, i, number, cuts);
            cuts = if s.cuts > 0 { cuts + self.is_cut(i) } else { cuts };
            for ((x, u, w), here) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)].into_iter().zip(here) {
                let r = (self.get3(i, x) - origin) - center;
                let v = self.get3(i, u);
                let rigid = drift + spin.cross(r);
                let damped = v + (rigid - v) * k;
                self.set3(i, u, Vec3::select(zero.lt(self.p(i, w) * here), damped, v));
            }
        }
        next.unwrap_or((self.vertices, cuts))
    }
}
