//! Rods by Newton's method: one strand a lane, in the memory and between the stages that the sweeps of ghost-point rods use.
//!
//! ```text
//! start_newton   where inertia alone would go, and the host takes what it holds
//! hold_ties      what attachments hold
//! find_contacts  what is near a collider
//! direction      assemble   stretching, bending, twisting, contacts → banded Hessian, minus the gradient
//!                factor     LDLᵀ in place; where it is indefinite: again, elements made positive definite
//! revise_contacts           where a contact was guessed wrong, or the solution comes into a collider: direction again
//! respond        what forces on ends that light anchors hold would do
//! follow         walk       displacements, frames, multipliers; with more than one iteration
//!                search     the displacements are halved until the potential falls, before
//! ```
//! All models have the unknowns (x₀, θ₀, x₁, …), half-bandwidth 10, and an element that is a function of the rotation from one
//! frame to the next. What they differ in is in `rods/models`: what measures that rotation, and how an end is clamped. The ghost point carries the frame: it stays where its edge's frame puts
//! it, and of its three unknowns one is left, the turn θ.

// Indices name rows and columns of small matrices here.
#![allow(clippy::needless_range_loop)]

mod bundle;
mod contact;
mod memory;
mod motion;
mod muscle;
mod tie;
mod time;
mod volume;

#[cfg(test)]
mod tests;

pub use crate::layout::scratch::{COAST, CONTACT, INERTIA, RHS, ROWS as SCRATCH_ROWS, START};
pub use crate::layout::{HELD, NOTHING};
pub use motion::{MOVES, whole_steps};
pub use time::{CUT_SHORT, SHORTEST, TURNS_FAR};

use super::der::band::{AHEAD, BAND, Band, EdgeView, Factored, eliminate, times, width};
use super::der::kernels::*;
use super::ghost::kernels::{EdgeFrame, edge_frame};
use super::group::{Group, Settings, mass};
use super::models::{ElementStiffness, FOLDED, Form, Model, by_model};
use super::volume::{EdgeVolume, rescaled};
use crate::desc::{EndSupport, RodModel};
use crate::layout::{param, state, wide};
use crate::math::vec3::vec3;
use crate::math::{Apart, Elem, Lane, Real, Vec3};

/// How many vertices behind the last edge's a pivot may be: it writes to the three after its own, which nothing else may write to any more.
const BEHIND: usize = 4;

/// Where `advance` keeps what it starts from, over the factors: m₁, t, displacement, turn.
pub const KEPT: usize = 0;

/// The smallest compliance that is taken, as a part of h²/m, in f32 and f64: stiffer is not distinguishable from rigid at this
/// time step (an edge gives by 1e-5 h² g under the weight of one vertex), and would drown the inertia in the rounding of f32. Materials are compiled
/// so (`rods/material.rs`).
pub const RIGID: [f64; 2] = [1e-5, 1e-10];

/// What rounding may add to a potential, relative, in f32 and f64; and to the lengths and angles that its forces and moments act on,
/// which is more where stiff springs hold tensions with next to no energy.
pub const SLACK: [f64; 2] = [1e-6, 1e-14];
pub const ROUNDING: [f64; 2] = [5e-7, 1e-15];

/// Below half of its rest length an edge lets its elements bend and twist as much more softly as their forces on its ends grow: with 1/l², out of the reach of
/// f32. (Seen: a strand whose vertices were all in one place took no step any more.)
pub const HALF: f64 = 0.5;

/// Tangent of the angle that an edge may turn by in an iteration: with the true Hessian, where steps are not searched, and in strands that a collider
/// holds. Such a strand can be a column that the root presses together, and a linear step throws what lies between far aside.
pub const TURN: f64 = 0.25;

/// Strain of an edge that a step along a line has turned by 0.045 rad.
pub const TURNED: f64 = 0.001;

/// Stiffness over inertia of which f32 makes another system than the elements are: a sixth of the inertia is rounded away. (With 3e7 a tape flew; with 1e8, folds
/// of 179° did. Springs alone reach 1e5, and kinks make more of them.)
pub const INERTIA_LOST: f64 = 3e6;

/// Halvings of a step.
pub const LONGEST_SEARCH: usize = 20;

/// A pivot of the true Hessian below this part of its inertia is taken for indefinite.
pub const INDEFINITE: f64 = 1e-3;

#[inline(always)]
fn straight<L: Lane>(v: Vec3<L>) -> Vec3<L> {
    vec3(v.x.flushed(), v.y.flushed(), v.z.flushed())
}

/// What is so nearly along an axis that the rest would be denormal when multiplied is along it.
#[inline(always)]
fn as_frame<L: Lane>(f: &EdgeFrame<L>) -> Frame<L> {
    Frame { m1: straight(f.d1), m2: straight(f.d2), t: straight(f.d3) }
}

/// An edge on the walk from root to tip.
#[derive(Clone, Copy)]
struct Edge<L> {
    frame: Frame<L>,
    inv_length: L,
    length: L,
    /// Its tension.
    pull: L,
    /// With the tension that counts across the edge.
    stretch: Stretch<L>,
    /// By what its vector is expected to change ([`Group::predicted`]).
    predicted: Option<Vec3<L>>,
    /// What its elements keep of their stiffness: less than 1 below [`HALF`] of its rest length.
    open: L,
}

impl<L: Lane> Edge<L> {
    #[inline(always)]
    fn view(&self) -> EdgeView<L> {
        EdgeView { frame: self.frame, inv_length: self.inv_length }
    }
    /// A frame that the host holds.
    #[inline(always)]
    fn held(frame: Frame<L>) -> Self {
        Edge {
            frame,
            inv_length: L::zero(),
            length: L::zero(),
            pull: L::zero(),
            stretch: stretch(L::zero(), L::zero(), L::zero()),
            predicted: None,
            open: L::one(),
        }
    }
}

/// Of the direction that Newton's method found: minus the gradient along it, and 1 where its length is to be searched.
#[derive(Clone, Copy)]
struct Slope<L> {
    along: L,
    wanted: L,
}

/// The whole number nearest to `x`, for |x| up to a million.
#[inline(always)]
fn nearest<L: Lane>(x: L) -> L {
    let magic = L::constant(if core::mem::size_of::<L::Elem>() == 4 { 12_582_912.0 } else { 6_755_399_441_055_744.0 });
    (x + magic) - magic
}

/// The angle `m` with the full turns that bring it closest to `to`.
#[inline(always)]
fn closest<L: Lane>(m: L, to: L) -> L {
    let turn = L::constant(core::f64::consts::TAU);
    m + nearest((to - m) / turn) * turn
}

/// The element of [`Group::put_held`], out of line: a strand has two of them at most, and there are three places that ask for one.
struct Half<L> {
    frames: (Frame<L>, Frame<L>),
    inv_lengths: [L; 2],
    q: Relative<L>,
    strains: Strains<L>,
    rest: ElementRest<L>,
    model: RodModel,
    /// The first frame is the one that is held.
    root: bool,
    /// 1 where the Hessian shall be the true one.
    exact: Option<L>,
}

impl<L: Lane> Apart for Half<L> {
    type Out = (L, ElementForce<L>, (Mat3<L>, Vec3<L>, L));
    #[inline(always)]
    fn run(self) -> Self::Out {
        let ((e, f), [inv_e, inv_f], q) = (&self.frames, self.inv_lengths, &self.q);
        let element = by_model!(self.model, M => M::element(q, &self.strains, &self.rest));
        let mut h = local_hessian(q, &element.gauss_newton, element.moment, false);
        if let Some(exact) = self.exact {
            let (all, here) = (true_hessian(q, &element), L::zero().lt(exact));
            for a in 0..4 {
                for b in 0..4 {
                    h.ee[a][b] = L::select(here, all.ee[a][b], h.ee[a][b]);
                    h.ff[a][b] = L::select(here, all.ff[a][b], h.ff[a][b]);
                }
            }
        }
        let d = element_force(q, element.moment, e, inv_e, f, inv_f);
        let free = if self.root { world_half(&h.ff, f, inv_f) } else { world_half(&h.ee, e, inv_e) };
        (element.energy, d, free)
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// Mass of a vertex with its share of the ghost points, kg; nothing for what the host holds.
    #[inline(always)]
    pub(crate) fn lumped(&self, i: usize, edges: L) -> L {
        let half = L::constant(0.5);
        let before = if i > 0 { mass(self.p(i - 1, param::WG)) * self.on(i - 1, edges) } else { L::zero() };
        let after = if i + 1 < self.vertices { mass(self.p(i, param::WG)) * self.on(i, edges) } else { L::zero() };
        mass(self.p(i, param::W)) + half * (before + after)
    }

    #[inline(always)]
    fn frame_now(&self, i: usize) -> EdgeFrame<L> {
        let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
        let (u0, u1, gu) = (self.get3(i, state::U), self.get3(i + 1, state::U), self.get3(i, state::GU));
        let (e, g) = Self::edge_vectors(x0, u0, x1, u1, gx, gu);
        edge_frame(straight(e), straight(g))
    }

    /// [`HALF`]
    #[inline(always)]
    fn open(length: L, rest: L) -> L {
        let open = (length / (rest * L::constant(HALF)).max(L::constant(NOTHING))).min(L::one());
        open * open
    }

    /// Edge `i` where it is now. Viscosity draws it to its length when the substep began, too (`der.md`, 5).
    ///
    /// A step along a line stretches an edge that turns by φ by φ²/2: in hair, by thousands of times what its weight does, and a Hessian with
    /// that tension across the edges lets nothing turn (a hair of 0.2 mm lost two thirds of its first swing). Steps that are not searched leave out
    /// what the last one did not ask for, up to [`TURNED`]; beyond that it holds together what is thrown about.
    #[inline(always)]
    fn edge_now(&self, i: usize, s: &Settings<L::Elem>, on: L) -> Edge<L> {
        self.edge_and_volume(i, s, on).0
    }

    /// The same, and how it swells where rods keep their volume.
    #[inline(always)]
    fn edge_and_volume(&self, i: usize, s: &Settings<L::Elem>, on: L) -> (Edge<L>, Option<EdgeVolume<L>>) {
        let f = self.frame_now(i);
        let (length, rest) = (L::one() / f.inv_len, self.p(i, param::LENGTH));
        let stiffness = on / self.p(i, param::STRETCH).max(L::constant(NOTHING));
        let (mut towards, mut k) = (rest, stiffness);
        if s.viscous {
            let ratio = self.p(i, param::VISCOUS);
            towards = (towards + ratio * self.scratch_at(i, START)) / (L::one() + ratio);
            k = k * (L::one() + ratio);
        }
        let volume = if self.keeps_volume() { Some(self.edge_volume(i, length, s, on)) } else { None };
        let mut stretch = match volume {
            Some(at) => Stretch { energy: at.energy, tension: at.tension, stiffness: at.stretch2 },
            None => stretch(length, towards, k),
        };
        let pull = stretch.tension;
        if !s.search {
            let asked = self.get(i, state::LAMBDA_LENGTH) * -L::splat(s.inv_h2);
            let most = stiffness * rest * L::constant(TURNED);
            stretch.tension = pull - (pull - asked).max(-most).min(most);
        }
        let edge = Edge {
            frame: as_frame(&f),
            inv_length: f.inv_len,
            length,
            pull,
            stretch,
            predicted: None,
            open: Self::open(length, if self.rests_active() { rest * self.natural(i) } else { rest }),
        };
        (edge, volume)
    }

    /// Rest and stiffness of the element at vertex `i`, of which its edges leave the part `on`.
    #[inline(always)]
    fn element_rest(&self, i: usize, s: &Settings<L::Elem>, on: L) -> ElementRest<L> {
        let out = self.unscaled_rest(i, s, on);
        if self.keeps_volume() { rescaled(&out, self.section_scale(i)) } else { out }
    }

    /// The same with the section as it is at rest.
    #[inline(always)]
    fn unscaled_rest(&self, i: usize, s: &Settings<L::Elem>, on: L) -> ElementRest<L> {
        let (rest, c) = (self.p3(i, param::PSI), self.p3(i, param::BEND));
        let nothing = L::constant(NOTHING);
        let (k1, k2, turn) = (on / c.x.max(nothing), on / c.y.max(nothing), on / c.z.max(nothing));
        let k = ElementStiffness { bend: [k1, k2], turn };
        let mut out = by_model!(s.model, M => M::rest(rest, self.extra(i, M::EXTRA_ROWS), k));
        if s.viscous {
            let (by, z) = (self.p(i, param::VISCOUS + 1), self.p(i, param::VISCOUS + 2));
            for j in 0..by_model!(s.model, M => M::CURVATURES) {
                out.kappa[j] = self.drawn_strain(i, out.kappa[j], by, j);
                out.bend[j] = out.bend[j] * (L::one() + by);
            }
            out.twist = self.drawn_strain(i, out.twist, z, 4);
            out.turn = out.turn * (L::one() + z);
        }
        out
    }

    /// The strain `k` that viscosity, `ratio` times as stiff, makes of the one at rest.
    #[inline(always)]
    fn drawn_strain(&self, i: usize, rest: L, ratio: L, k: usize) -> L {
        (rest + ratio * self.scratch_at(i, START + 1 + k)) / (L::one() + ratio)
    }

    /// The twist of the element at vertex `i` with its turns: those that it had when the substep began. Where that began (`renews`), an element
    /// that is folded by 169° or has turned by a quarter since keeps no count: it takes the turns that leave the least twist.
    #[inline(always)]
    fn counted(&self, i: usize, m: L, q: &Relative<L>) -> L {
        let before = self.get(i, state::TWIST);
        let kept = closest(m, before);
        if !self.newton.renews {
            return kept;
        }
        let quarter = L::constant(core::f64::consts::FRAC_PI_2);
        let followed = L::both((kept - before).abs().lt(quarter), L::constant(FOLDED - 1.0).lt(q.rows[2].z));
        L::select(followed, kept, closest(m, self.p(i, param::PSI + 2)))
    }

    /// The strains of the element at vertex `i`, the twist with its full turns where the model counts them.
    #[inline(always)]
    fn strains(&self, i: usize, q: &Relative<L>, model: RodModel) -> Strains<L> {
        by_model!(model, M => {
            let mut now = M::strains(q);
            if M::COUNTS_TURNS {
                now[4] = self.counted(i, now[4], q);
            }
            now
        })
    }

    #[inline(always)]
    fn element(q: &Relative<L>, strains: &Strains<L>, rest: &ElementRest<L>, model: RodModel) -> Element<L> {
        by_model!(model, M => M::element(q, strains, rest))
    }

    /// The direction of a Newton step over the whole strand. The true Hessian is tried first; where it is indefinite, the lane is assembled
    /// again with elements that are not (`der.md`, 4). The constraints of ghost-point rods are solved in the Gauss–Newton form. `revised`: the
    /// contacts have been looked at after a solve.
    #[inline(always)]
    pub fn direction(&mut self, s: &Settings<L::Elem>, t: L::Elem, revised: bool) {
        let (zero, one) = (L::zero(), L::one());
        // What springs hold has no pivot that tells whether the bundle is indefinite: its elements are made positive definite.
        let exact = (by_model!(s.model, M => M::EXACT) || self.is_second(s)) && !self.is_bundled();
        self.newton.tries_true = exact && by_model!(s.model, M => !M::EXACT);
        let mut restores = revised && self.newton.kept;
        self.newton.kept = false;
        // Strands that colliders touch, or of which no vertex takes a step of second order, have the model's own form: 2 stands for it.
        let own = if self.newton.tries_true { self.touching().max(self.starts()) } else { zero };
        let own = own + own;
        if !restores {
            self.newton.floored = if exact { own } else { one };
            (self.newton.inertia_lost, self.newton.strayed) = (zero, zero);
            self.choose_delta(s);
        } else if self.newton.solves_delta {
            self.predict_displacements(s);
        }
        self.newton.indefinite = zero;
        // What is kept has been found to be definite, or made so, but where contacts are part of that.
        let mut again = if restores { by_model!(s.model, M => M::EXACT) } else { exact || self.newton.solves_delta };
        // What is pressed together beyond what it buckles at may have a true Hessian that is nearly singular, without a pivot that tells. Its solution does.
        let mut doubts = exact && !s.search;
        // Every function below is inlined where it is called, into each driver: loops call it once.
        loop {
            [self.newton.energy, self.newton.slack] =
                self.assemble_and_factor(s, t, one - self.newton.floored, revised, restores);
            let indefinite = if exact { self.newton.indefinite } else { zero };
            let wrong = indefinite.max(self.newton.inertia_lost * self.newton.delta);
            if again && L::any(zero.lt(wrong)) {
                (again, restores, self.newton.floored) = (false, false, if exact { indefinite.max(own) } else { one });
                // What has been factored there is not what the elements say.
                self.newton.delta = self.newton.delta * (one - self.newton.inertia_lost);
                continue;
            }
            self.go_back();
            let far = if doubts { L::select(self.newton.floored.lt(one), self.turns_far(s), zero) } else { zero };
            if !L::any(zero.lt(far)) {
                break;
            }
            self.newton.strayed = self.newton.strayed.max(far);
            (doubts, again, restores, self.newton.floored) = (false, false, false, self.newton.floored.max(far));
        }
        self.add_predicted();
    }

    /// The step itself. With `search`, it is halved until the potential falls, in the lanes whose ends the host does not move now. `last`:
    /// nothing but the host looks at the multipliers, after the step. Returns the lanes that were limited.
    #[inline(always)]
    pub fn follow(&mut self, s: &Settings<L::Elem>, t: L::Elem, last: bool) -> u32 {
        self.newton.renews = false;
        if self.newton.near {
            self.mark_held();
        }
        self.note_pressed();
        let limited = self.limit_step(s);
        if self.is_second(s) {
            if self.newton.near {
                // As a whole: an impact that stopped some vertices is in the accelerations of all.
                self.restart_all(L::zero().lt(self.newton.held));
            }
            // What has been factored there is not the derivative of the forces: f32 has lost some of it, or the model's own form stands in its place.
            let lost = if L::Elem::IS_F64 { L::zero() } else { self.newton.inertia_lost };
            let other = L::zero().lt(lost.max(self.newton.strayed));
            if L::any(other) {
                self.restart_all(other);
            }
        }
        if s.search {
            self.search(s);
        }
        // In one walk where nothing comes between.
        let at_once = !(s.search || self.newton.near);
        for walk in 0..2 {
            let (moves, notes) = (walk == 0 && !s.search, last && (walk == 0) == at_once);
            if moves || notes {
                self.walk(s, t, moves, notes);
            }
            if walk == 0 && self.newton.near {
                self.settle_contacts(s);
            }
        }
        if last {
            self.note_ties(s);
        }
        if s.together {
            self.keep_end();
        }
        limited
    }

    /// Halves the step until the potential falls.
    #[inline(always)]
    fn search(&mut self, s: &Settings<L::Elem>) {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let energy = self.newton.energy;
        let slope = self.keep_start(s);
        let double = usize::from(L::Elem::IS_F64);
        let slack = energy.abs() * L::constant(SLACK[double]) + self.newton.slack * L::constant(ROUNDING[double]);
        let mut step = one;
        for _ in 0..=LONGEST_SEARCH {
            self.advance(step);
            let limit = energy - L::constant(1e-4) * step * slope.along + slack;
            // A NaN energy is no progress either.
            let open = L::select(self.potential(s).lt(limit), zero, slope.wanted);
            if !L::any(zero.lt(open)) {
                break;
            }
            step = L::select(zero.lt(open), step * half, step);
        }
    }

    /// Band, minus the gradient, and its factors. Returns, for the search, the incremental potential (1) without what is held, and the sum of
    /// tension times length and of moments, J. `exact`: 1 where the Hessian shall be the true one.
    ///
    /// Rows are cleared just before the first element that writes to them and factored when the last one has: the band of a long strand, most of what
    /// is moved, goes through the caches once. Every entry sees what it would see in walks of their own, which ties and contacts need.
    #[inline(always)]
    fn assemble_and_factor(&mut self, s: &Settings<L::Elem>, t: L::Elem, exact: L, revised: bool, restores: bool) -> [L; 2] {
        let (edges, n) = (self.edge_count(), self.vertices);
        let (zero, one) = (L::zero(), L::one());
        let unsure = L::any(L::both((-one).lt(exact), exact.lt(one)));
        let form = match (L::any(exact.lt(one)), self.newton.tries_true) {
            (false, _) => Form::True,
            (true, true) if unsure => Form::Positive,
            (true, true) if L::any((-one).lt(exact)) => Form::Touched,
            (true, true) => Form::Own,
            (true, false) => Form::Own,
        };
        let clamps_frame = by_model!(s.model, M => !M::CLAMPS_EDGE);
        let bundled = self.is_bundled();
        // Of a form that was made definite, whether it has to be may depend on contacts.
        let remade = by_model!(s.model, M => M::EXACT) && L::any(exact.lt(one));
        let keeps = !(self.at.kept.is_null() || revised || s.search || remade);
        let one_walk = !self.newton.near && !bundled && self.at.ties.iter().all(|t| t.is_null());
        let (mut energy, mut rounded) = (zero, zero);
        let mut predicted = self.predicted(0);
        let cleared = match (restores, one_walk) {
            (true, _) => 0,
            (_, true) => 1,
            _ => n,
        };
        for i in 0..cleared {
            self.clear_rows(i, if i > 0 { self.predicted(i) } else { predicted });
        }
        if restores {
            self.take_band();
        } else {
            energy = energy + self.put_ties(s);
        }
        let mut before: Option<Edge<L>> = None;
        for i in if restores { n - 1 } else { 0 }..n + BEHIND {
            self.look_ahead(i, 0);
            if s.search && i < n {
                energy = energy + self.inertial(i);
            }
            if i + 1 < n {
                let next = self.predicted(i + 1);
                if one_walk {
                    self.clear_rows(i + 1, next);
                }
                let on = self.on(i, edges);
                let (mut edge, volume) = self.edge_and_volume(i, s, on);
                if self.newton.solves_delta {
                    edge.predicted = Some(next - predicted);
                    predicted = next;
                }
                if s.search {
                    energy = energy + edge.stretch.energy;
                    rounded = rounded + edge.pull.abs() * edge.length;
                }
                self.put_stretch(i, &edge.view(), edge.pull, &edge.stretch, exact, edge.predicted);
                if bundled {
                    self.lean_to_section(i, &edge);
                }
                if let Some(at) = volume {
                    let [spread, swelling] = self.put_volume(i, &edge, &at, exact);
                    (energy, rounded) = (energy + spread, rounded + swelling);
                }
                match before {
                    Some(e) => {
                        let rest = self.element_rest(i, s, on * edge.open.min(e.open));
                        let element = self.add_element(i, &e, &edge, &rest, s.model, exact, form, on);
                        if s.search {
                            let m = element.moment;
                            (energy, rounded) = (energy + element.energy, rounded + (m.x.abs() + m.y.abs() + m.z.abs()));
                        }
                    }
                    None if s.root == EndSupport::Clamped && clamps_frame => {
                        let held = Edge::held(as_frame(&self.support_frame(0, L::splat(t))));
                        let rest = self.element_rest(0, s, edge.open);
                        self.put_held(0, &held, &edge, &rest, &[zero; 5], s.model, true);
                    }
                    None => {}
                }
                if s.tip == EndSupport::Clamped && clamps_frame && i + 1 >= self.min_edges {
                    let held = Edge::held(as_frame(&self.support_frame(1, L::splat(t))));
                    let last = on * (one - self.on(i + 1, edges));
                    let rest = self.element_rest(i + 1, s, last * edge.open);
                    self.put_held(i + 1, &edge, &held, &rest, &[zero; 5], s.model, false);
                }
                before = Some(edge);
            } else if i + 1 == n && self.newton.near {
                if keeps {
                    self.keep_band();
                }
                self.newton.kept = keeps;
                energy = energy + self.close_contacts(s, revised);
            }
            self.look_ahead(i, 1);
            if one_walk && s.search && (1..=n).contains(&i) {
                self.keep_slope(i - 1);
            }
            self.look_ahead(i, 2);
            if one_walk && i >= BEHIND {
                self.factor_vertex(i - BEHIND);
            }
            self.look_ahead(i, 3);
        }
        if !one_walk {
            if s.search {
                (0..n).for_each(|i| self.keep_slope(i));
            }
            if bundled {
                self.tie_to_sections();
            }
            for v in 0..n {
                self.factor_vertex(v);
            }
        }
        [energy, rounded]
    }

    /// The rows of a vertex with its inertia alone, beyond the `predicted` displacement, and with the host's moment on the right.
    #[inline(always)]
    fn clear_rows(&mut self, i: usize, predicted: Vec3<L>) {
        for k in 0..4 {
            for column in 0..width(k) {
                self.set_scratch(i, k * BAND + column, L::zero());
            }
        }
        let u = self.get3(i, state::U);
        let mut q = [u.x, u.y, u.z, L::zero()];
        if self.newton.solves_delta {
            q = [u.x + predicted.x, u.y + predicted.y, u.z + predicted.z, L::zero()];
        }
        for k in 0..4 {
            let d = self.scratch_at(i, INERTIA + usize::from(k == 3));
            self.set_scratch(i, k * BAND, d);
            self.set_scratch(i, RHS + k, d * (self.scratch_at(i, COAST + k) - q[k]));
        }
        if self.keeps_volume() {
            self.clear_scale(i);
        }
        self.push_rhs(i, 3, self.moment(i));
        if self.is_bundled() {
            self.pull_to_section(i, predicted);
        }
        if !self.at.contact.is_null() {
            self.pull(i, self.contact_load(i));
        }
    }

    /// What the slope of the potential needs after the system has been solved; multipliers come last.
    #[inline(always)]
    fn keep_slope(&mut self, i: usize) {
        for k in 0..4 {
            self.set(i, state::LAMBDA_LENGTH + k, self.scratch_at(i, RHS + k));
        }
        if self.keeps_volume() {
            let mut wide = self.wide();
            wide.set(i, wide::KEPT + 1, wide.at(i, wide::RHS));
        }
    }

    /// The element between `e` and `f`, with the second derivatives that its model gives.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn add_element(
        &mut self,
        i: usize,
        e: &Edge<L>,
        f: &Edge<L>,
        rest: &ElementRest<L>,
        model: RodModel,
        exact: L,
        form: Form,
        on: L,
    ) -> Element<L> {
        let q = Relative::new(&e.frame, &f.frame);
        let now = self.strains(i, &q, model);
        if self.newton.renews && by_model!(model, M => M::COUNTS_TURNS) {
            // Beyond a strand's tip, of which it may be what a clamp there counts, there is no element.
            self.set(i, state::TWIST, L::select(L::zero().lt(on), now[4], self.get(i, state::TWIST)));
        }
        let element = Self::element(&q, &now, rest, model);
        let edges = [(e.length, &e.stretch), (f.length, &f.stretch)];
        let h = by_model!(model, M => M::hessian(&q, &element, edges, exact, form));
        let predicted = e.predicted.zip(f.predicted).map(|(a, b)| [a, b]);
        let leaning = form != Form::Own || by_model!(model, M => M::EXACT);
        let [first, last] = self.put_element(i, &q, &e.view(), &f.view(), &element, &h, leaning, predicted);
        if self.keeps_volume() {
            let true_one = by_model!(model, M => if M::EXACT { exact } else { L::zero() });
            self.put_scaling(i, &q, &now, rest, [e.view(), f.view()], model, predicted, true_one);
        }
        // Held vertices have no inertia to drown.
        let inertia = self.scratch_at(i, INERTIA);
        self.newton.inertia_lost =
            L::select((inertia * L::constant(INERTIA_LOST)).lt(first + last), L::one(), self.newton.inertia_lost);
        element
    }

    /// The half element between a held frame and the edge at vertex `i` (Umetani 2014, eq. 23): `root` tells which of both
    /// is held. `shift`: what of its strains does not grow with the section. Returns its energy.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn put_held(
        &mut self,
        i: usize,
        e: &Edge<L>,
        f: &Edge<L>,
        rest: &ElementRest<L>,
        shift: &Strains<L>,
        model: RodModel,
        root: bool,
    ) -> L {
        let q = Relative::new(&e.frame, &f.frame);
        if self.keeps_volume() {
            let (from, now) = (if root { i } else { i - 1 }, self.strains(i, &q, model));
            self.put_held_scaling(i, from, (&q, &now, rest, shift), (e, f), model, root);
        }
        let half = Half {
            exact: if self.newton.tries_true { Some(L::one() - self.newton.floored) } else { None },
            frames: (e.frame, f.frame),
            inv_lengths: [e.inv_length, f.inv_length],
            strains: self.strains(i, &q, model),
            q,
            rest: *rest,
            model,
            root,
        };
        // SAFETY: the type's contract: the instruction set is enabled, and so available.
        let (energy, d, (m, a, turn)) = unsafe { L::apart(half) };
        // The free edge starts at vertex i at the root, and ends there at the tip.
        let (from, mut d, mut g) = if root { (i, d.f, d.turn_f) } else { (i - 1, d.e, d.turn_e) };
        if let Some(predicted) = e.predicted.or(f.predicted) {
            d = d + times(&m, predicted);
            g = g + a.dot(predicted);
        }
        self.pull(from, d);
        self.pull(from + 1, -d);
        self.push_rhs(from, 3, -g);
        self.put_block(from, from, &m);
        self.put_block(from, from + 1, &[-m[0], -m[1], -m[2]]);
        self.put_block(from + 1, from + 1, &m);
        let a = [a.x, a.y, a.z];
        for k in 0..3 {
            self.put(from, k, from, 3, -a[k]);
            self.put(from, 3, from + 1, k, a[k]);
        }
        self.put(from, 3, from, 3, turn);
        energy
    }

    /// The part of the potential at vertex `i` that inertia has, and the host's moment about the edge, which is not in where inertia would go:
    /// there its work drowned in the square.
    #[inline(always)]
    fn inertial(&self, i: usize) -> L {
        let (zero, half, held) = (L::zero(), L::constant(0.5), L::constant(HELD));
        let (m, d) = (self.scratch_at(i, INERTIA), self.scratch3(i, COAST) - self.get3(i, state::U));
        let (j, turn) = (self.scratch_at(i, INERTIA + 1), self.scratch_at(i, COAST + 3));
        let all = L::select(m.lt(held), half * m * d.length2(), zero)
            + L::select(j.lt(held), (half * j * turn + self.moment(i)) * turn, zero);
        if self.keeps_volume() { all + self.inertial_scale(i) } else { all }
    }

    /// The energy of the element at vertex `i`, where steps are searched.
    #[inline(always)]
    fn energy_of(&self, i: usize, e: &Frame<L>, f: &Frame<L>, rest: &ElementRest<L>, model: RodModel) -> L {
        let q = Relative::new(e, f);
        by_model!(model, M => if M::EXACT { M::energy(&q, &self.strains(i, &q, model), rest) } else { L::zero() })
    }

    /// The incremental potential (1) where they are now, without what is held.
    #[inline(always)]
    fn potential(&self, s: &Settings<L::Elem>) -> L {
        let edges = self.edge_count();
        let mut sum = self.tie_energy(s);
        let mut before: Option<Edge<L>> = None;
        for i in 0..self.vertices {
            sum = sum + self.inertial(i) + self.contact_energy(i, s);
            if i + 1 == self.vertices {
                break;
            }
            let on = self.on(i, edges);
            let edge = self.edge_now(i, s, on);
            sum = sum + edge.stretch.energy;
            if self.keeps_volume() {
                sum = sum + self.spread_energy(i);
            }
            if let Some(e) = before {
                let rest = self.element_rest(i, s, on * edge.open.min(e.open));
                sum = sum + self.energy_of(i, &e.frame, &edge.frame, &rest, s.model);
            }
            before = Some(edge);
        }
        sum
    }

    /// Multipliers of the new strains of edge `i` and of the element before it, λ = −h² × force, and the twist that is counted on from. Tensions
    /// of steps that are not searched are those that were asked for.
    #[inline(always)]
    fn note(&mut self, i: usize, before: &mut Option<Edge<L>>, edges: L, s: &Settings<L::Elem>, t: L::Elem) {
        self.newton.renews = true;
        let (one, clamps_frame) = (L::one(), by_model!(s.model, M => !M::CLAMPS_EDGE));
        let on = self.on(i, edges);
        let edge = self.edge_now(i, s, on);
        if s.search {
            self.set(i, state::LAMBDA_LENGTH, edge.pull * -L::splat(s.h * s.h));
            if self.has_hill() {
                self.note_hill(i, edge.length, s);
            }
        }
        let held = match before {
            Some(e) => Some((e.frame, on * edge.open.min(e.open), on)),
            None if clamps_frame && s.root == EndSupport::Clamped => {
                Some((as_frame(&self.support_frame(0, L::splat(t))), edge.open, one))
            }
            None => None,
        };
        match held {
            Some((frame, open, on)) => {
                let rest = self.element_rest(i, s, open);
                self.note_moment(i, &frame, &edge.frame, &rest, s, on);
            }
            None => self.set3(0, state::LAMBDA_BEND, Vec3::zero()),
        }
        if clamps_frame && s.tip == EndSupport::Clamped && i + 1 >= self.min_edges {
            let held = as_frame(&self.support_frame(1, L::splat(t)));
            let last = on * (one - self.on(i + 1, edges));
            let rest = self.element_rest(i + 1, s, last * edge.open);
            self.note_moment(i + 1, &edge.frame, &held, &rest, s, last);
        }
        *before = Some(edge);
    }

    #[inline(always)]
    fn note_moment(&mut self, i: usize, e: &Frame<L>, f: &Frame<L>, rest: &ElementRest<L>, s: &Settings<L::Elem>, on: L) {
        let q = Relative::new(e, f);
        let now = self.strains(i, &q, s.model);
        let here = L::zero().lt(on);
        let moment = by_model!(s.model, M => {
            if M::COUNTS_TURNS {
                self.set(i, state::TWIST, L::select(here, now[4], self.get(i, state::TWIST)));
            }
            M::moment(&q, &now, rest)
        });
        self.set3(i, state::LAMBDA_BEND, Vec3::select(here, moment * -L::splat(s.h * s.h), self.get3(i, state::LAMBDA_BEND)));
    }
}
