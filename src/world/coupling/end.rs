//! One end of a strand in an attachment, and the three ways to solve it with its anchor.

use super::net::{Ball, NetEnd};
use super::{Held, Mesh, Substep};
use crate::desc::slots::Id;
use crate::desc::{Stiffness, StrandEnd, SweepOrder};
use crate::layout::{param, state};
use crate::math::vec3::vec3;
use crate::math::{Quat, Sym3, Vec3};
use crate::rods::ghost::anchor::{anchor_bend_twist, anchor_position, anchor_turn, body_bend_twist};
use crate::rods::ghost::kernels::{BendTwistRest, EdgeFrame, EdgeWeights, edge_frame, rodrigues, rodrigues_jacobians};
use crate::strands::Rods;

/// An end of a strand, its direction in the anchor's frame, and the multipliers of the substep.
#[derive(Clone, Copy, Debug)]
pub struct EndRef {
    pub rods: Id,
    pub end: StrandEnd,
    /// Columns of Ēᵀ D̄ (eq. 22); `None` lets the direction go free.
    turn: Option<[Vec3<f64>; 3]>,
    lambda: Vec3<f64>,
    pub(super) solved: Solved,
    whole: Whole,
    /// Of a loose end, the force that leaves no gap, N: from one substep to the next. The mass of what moves of the strand, kg.
    pub(super) closes: Vec3<f64>,
    mass: f64,
    /// Of a loose end, what gives beside its clamp, 1/(N m), and the stiffness of that where the strand's system was made, N m.
    give: Vec3<f64>,
    clamp: Sym3<f64>,
}

/// What solves an end with its anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solved {
    /// Sweeps, between those of the strand.
    Swept,
    /// Newton's method, as one system: [`Whole`].
    Whole,
    /// Newton's method, with what other strands give a light anchor (`net.rs`).
    Loose,
    /// Nothing: its rods are disabled.
    Idle,
}

/// An end that Newton's method solves together with its anchor (`rods/newton/tie.rs`).
#[derive(Clone, Copy, Debug)]
struct Whole {
    /// What the strand was told last: its part of the anchor's mass, kg, where it is drawn to, m, and the anchor's frame.
    mass: Sym3<f64>,
    to: Vec3<f64>,
    frame: EdgeFrame<f64>,
    /// What the anchor has got from this end in the substep: an impulse times h, kg m.
    given: Vec3<f64>,
}

impl Whole {
    fn nothing() -> Self {
        let zero = Vec3::zero();
        let frame = EdgeFrame::fixed([zero; 3]);
        Whole { mass: Sym3::diagonal(zero), to: zero, frame, given: zero }
    }
}

/// Where an end hangs on an anchor of a net: the end's number in its attachment and the anchor's in the net, the point for it, the arm to that from
/// the anchor's centre, and its mass.
pub(super) struct Spot {
    pub attachment: Id,
    pub number: u32,
    pub anchor: u32,
    pub point: Vec3<f64>,
    pub arm: Vec3<f64>,
    pub mass: f64,
}

/// A part of what an anchor would move by that a force on an end moves it by at least: what the host holds does not move.
const LEAST: f64 = 1e-6;

/// tan(θ/2) of the largest turn of an end against its anchor that a linear step may correct.
const MOST_TURN: f64 = 1.0;

/// A clamp of a net is at least this part as soft as the end edge is to a moment in a free step: what is stiffer threw strands of millimetres about
/// at 13 to 8,000 m/s, as an anchor gets what was foreseen, and a second-order error of its turn times the stiffness is more than they weigh.
const NET_GIVE: f64 = 0.004;

/// What moves less than this, 1/kg, does not move.
const STILL: f64 = 1e-15;

/// Three points that make a frame, where they are now.
pub(super) struct Anchor {
    pub at: [Vec3<f64>; 3],
    pub w: Vec3<f64>,
}

impl Anchor {
    pub(super) fn of(mesh: &Mesh, corners: &[u32; 3]) -> Anchor {
        let [a, b, c] = corners.map(|c| c as usize);
        Anchor { at: [a, b, c].map(|c| mesh.x[c] + mesh.u[c]), w: vec3(mesh.w[a], mesh.w[b], mesh.w[c]) }
    }
    /// Between two steps, when displacements are velocities.
    pub(super) fn at_rest(mesh: &Mesh, corners: &[u32; 3]) -> Anchor {
        let [a, b, c] = corners.map(|c| c as usize);
        Anchor { at: [a, b, c].map(|c| mesh.x[c]), w: vec3(mesh.w[a], mesh.w[b], mesh.w[c]) }
    }
    /// What holds an end on its triangle.
    pub(super) fn point(&self, bary: Vec3<f64>) -> Vec3<f64> {
        self.at[0] * bary.x + self.at[1] * bary.y + self.at[2] * bary.z
    }
    pub(super) fn frame(&self) -> EdgeFrame<f64> {
        edge_frame(self.at[1] - self.at[0], self.at[2] - (self.at[0] + self.at[1]) * 0.5)
    }
}

impl EndRef {
    /// The vertices of the end edge, and which of them is the end.
    fn edge(&self, rods: &Rods) -> (usize, usize) {
        let n = rods.counts()[self.end.strand as usize] as usize;
        if self.end.tip { (n - 2, n - 1) } else { (0, 0) }
    }

    pub(super) fn new(rods: Id, end: StrandEnd, owner: &Rods, anchor: &EdgeFrame<f64>, clamped: bool) -> EndRef {
        let mut it = EndRef {
            rods,
            end,
            turn: None,
            lambda: Vec3::zero(),
            solved: Solved::Swept,
            whole: Whole::nothing(),
            closes: Vec3::zero(),
            mass: 0.0,
            give: Vec3::zero(),
            clamp: Sym3::diagonal(Vec3::zero()),
        };
        if clamped {
            let (first, _) = it.edge(owner);
            let f = owner.frame(end.strand as usize, first);
            let local = |d: Vec3<f64>| vec3(anchor.d1.dot(d), anchor.d2.dot(d), anchor.d3.dot(d));
            it.turn = Some([local(f.d1), local(f.d2), local(f.d3)]);
        }
        it
    }

    /// The end edge's vertices and ghost point as they are in the substep: frame and weights.
    fn end_edge(&self, rods: &Rods) -> (EdgeFrame<f64>, EdgeWeights<f64>) {
        let strand = self.end.strand as usize;
        let (first, _) = self.edge(rods);
        let here = |v: usize, x: usize| rods.state3(strand, v, x) + rods.state3(strand, v, x + 3);
        let (a, b) = (here(first, state::X), here(first + 1, state::X));
        let weights = EdgeWeights {
            w0: rods.param(strand, first, param::W),
            w1: rods.param(strand, first + 1, param::W),
            wg: rods.param(strand, first, param::WG),
        };
        (edge_frame(b - a, here(first, state::GX) - (a + b) * 0.5), weights)
    }

    /// Weighs what moves of the strand.
    pub(super) fn weigh(&mut self, rods: &Rods) {
        let strand = self.end.strand as usize;
        let weights = (0..rods.counts()[strand] as usize).map(|v| rods.param(strand, v, param::W));
        self.mass = weights.filter(|&w| w > 0.0).map(|w| 1.0 / w).sum();
    }

    /// Before the first step: the frame that a clamp holds is that of the end edge.
    pub fn tell_first(&mut self, rods: &mut Rods) {
        if rods.desc.order != SweepOrder::Direct {
            return;
        }
        self.solved = Solved::Whole;
        let (strand, tip) = (self.end.strand as usize, self.end.tip);
        let (first, _) = self.edge(rods);
        let f = rods.frame(strand, first);
        if self.turn.is_some() {
            rods.set_tie_frame(strand, tip, Quat::from_frame([f.d1, f.d2, f.d3]), Vec3::zero(), Vec3::zero());
        }
    }

    /// A substep begins.
    pub(super) fn start(&mut self) {
        (self.lambda, self.whole.given) = (Vec3::zero(), Vec3::zero());
    }

    /// What solves it in the substep that begins. What it gave a light anchor stays, as that has been restored perhaps.
    pub(super) fn solve_by(&mut self, rods: &mut Rods, how: Solved) {
        if self.solved != how {
            rods.clear_tie(self.end.strand as usize, self.end.tip);
            self.solved = how;
        }
        rods.netted |= how == Solved::Loose;
        if how != Solved::Loose {
            self.closes = Vec3::zero();
        }
    }

    /// Tells a body of the strand: all ends on one are solved in one way.
    pub(super) fn tell_mass(&mut self, rods: &Rods, body: &mut Held, at: Vec3<f64>) {
        body.ends += 1;
        if rods.desc.order != SweepOrder::Direct {
            body.swept = true;
            return;
        }
        let inverse = body.inverse_mass_at(body.place().rotation.rotate(at));
        body.part = body.part.min(1.0 / (inverse.xx + inverse.yy + inverse.zz));
        self.weigh(rods);
        body.heaviest = body.heaviest.max(self.mass);
    }
    /// What solves an end on a body that knows of all.
    pub(super) fn choose(&self, rods: &Rods, body: &Held) -> Solved {
        match rods.desc.order {
            SweepOrder::Direct if body.part >= body.heaviest * f64::from(body.ends) => Solved::Whole,
            // What sweeps hold too takes turns with them.
            SweepOrder::Direct if body.swept => Solved::Swept,
            SweepOrder::Direct => Solved::Loose,
            _ => Solved::Swept,
        }
    }

    /// The direction that the end edge is held to by an anchor of this frame.
    fn held_axes(&self, f: &EdgeFrame<f64>) -> Option<[Vec3<f64>; 3]> {
        self.turn.map(|turn| turn.map(|c| f.d1 * c.x + f.d2 * c.y + f.d3 * c.z))
    }

    /// The frame of a clamp, and the point that holds the end, which are in another place since the last step perhaps.
    pub(super) fn aim(&self, rods: &mut Rods, frame: &EdgeFrame<f64>, point: Vec3<f64>) {
        rods.anchors.insert((self.end.strand, self.end.tip), point);
        if let Some(held) = self.held_axes(frame) {
            rods.aim_tie(self.end.strand as usize, self.end.tip, Quat::from_frame(held));
        }
    }

    /// Tells the strand where its anchor is, near which it is held, and the force that leaves no gap.
    pub(super) fn tell_loose(&mut self, rods: &mut Rods, point: Vec3<f64>, frame: &EdgeFrame<f64>, h: f64) {
        let (strand, tip) = (self.end.strand as usize, self.end.tip);
        let (_, end) = self.edge(rods);
        let mass = Sym3::diagonal(Vec3::zero()).add_diagonal(self.mass);
        rods.set_tie_place(strand, tip, point - rods.state3(strand, end, state::X), mass, false);
        if let Some(held) = self.held_axes(frame) {
            let give = rods.half_give(strand, tip, h, NET_GIVE);
            rods.set_tie_frame(strand, tip, Quat::from_frame(held), give, Vec3::zero());
            self.give = give * (h * h);
        }
        rods.set_tie_load(strand, tip, -self.closes);
        self.clamp = self.clamp_now(rods, frame).0;
    }

    /// After the last Newton step of a substep: what the anchor's point for the end did in it, and what is left between both, as a part of the end
    /// edge's length.
    pub(super) fn left(&self, rods: &Rods, point: Vec3<f64>) -> (Vec3<f64>, f64) {
        let (strand, (first, end)) = (self.end.strand as usize, self.edge(rods));
        let by = point - rods.state3(strand, end, state::X);
        let left = (by - rods.state3(strand, end, state::U)).length();
        (by, left / rods.param(strand, first, param::LENGTH).max(f64::MIN_POSITIVE))
    }

    /// What colliders meet of the end: the vertex, where its anchor is.
    pub(super) fn ball(&self, rods: &Rods, x: Vec3<f64>, u: Vec3<f64>) -> Ball {
        let (_, end) = self.edge(rods);
        let radius = rods.contact_radius(self.end.strand as usize, end);
        Ball {
            x,
            u,
            radius,
            friction: rods.desc.friction,
            layers: [rods.desc.category, rods.desc.mask],
            pushes: rods.meets.is_some(),
        }
    }

    /// The stiffness of the half element of a clamp, N m, and its moment on the anchor, as the strand and an anchor of this frame are now.
    fn clamp_now(&self, rods: &Rods, frame: &EdgeFrame<f64>) -> (Sym3<f64>, Vec3<f64>) {
        let (mut clamp, mut moment) = (Sym3::diagonal(Vec3::zero()), Vec3::zero());
        let (strand, tip) = (self.end.strand as usize, self.end.tip);
        let Some(held) = self.held_axes(frame) else { return (clamp, moment) };
        let [compliance, rest] = rods.half_element_now(strand, tip, self.give);
        let stiffness = compliance.map(|c| 1.0 / c.max(f64::MIN_POSITIVE));
        let edge = self.end_edge(rods).0;
        let half = rodrigues(&EdgeFrame::fixed(held), &edge).half;
        let half = half * (MOST_TURN / half.length().max(MOST_TURN));
        let psi = half * 2.0 - rest * self.side();
        // ∂Ψ/∂θ by columns, about the edge's axes.
        let (_, by) = rodrigues_jacobians(half);
        let axes = [edge.d1, edge.d2, edge.d3];
        let row = |k: fn(&Vec3<f64>) -> f64| axes[0] * k(&by[0]) + axes[1] * k(&by[1]) + axes[2] * k(&by[2]);
        let rows = [row(|c| c.x), row(|c| c.y), row(|c| c.z)];
        for (row, (k, psi)) in rows.into_iter().zip(stiffness.to_array().into_iter().zip(psi.to_array())) {
            clamp = clamp.add_outer(row, k);
            moment = moment + row * (k * psi);
        }
        (clamp, moment)
    }

    /// What the net wants to know.
    pub(super) fn look(&self, rods: &Rods, at: &Spot, frame: &EdgeFrame<f64>, s: &Substep) -> NetEnd {
        let strand = self.end.strand as usize;
        let (_, end) = self.edge(rods);
        let here = rods.state3(strand, end, state::X) + rods.state3(strand, end, state::U);
        let gap = here - at.point;
        let hold = self.mass / (s.h * s.h);
        let moment = self.clamp_now(rods, frame).1;
        NetEnd {
            rods: self.rods,
            strand: self.end.strand,
            tip: self.end.tip,
            attachment: at.attachment,
            number: at.number,
            anchor: at.anchor,
            arm: at.arm,
            gap,
            edge: rods.param(strand, self.edge(rods).0, param::LENGTH).max(f64::MIN_POSITIVE),
            gives: [self.closes + gap * hold, moment],
            hold,
            clamp: self.clamp,
            least: (LEAST * s.h * s.h / at.mass).min(0.1 / hold),
        }
    }

    /// Tells the strand what it hangs on: a point and the inverse of this end's part of the anchor's mass there, its frame, and the inverse inertia
    /// about the axes that the end edge is held to.
    fn tell(&mut self, rods: &mut Rods, point: Vec3<f64>, inverse: Sym3<f64>, frame: &EdgeFrame<f64>, gives: Vec3<f64>) {
        let (strand, tip) = (self.end.strand as usize, self.end.tip);
        let (_, end) = self.edge(rods);
        let still = inverse.xx.max(inverse.yy).max(inverse.zz) < STILL;
        let w = &mut self.whole;
        w.mass = if still { Sym3::diagonal(Vec3::zero()) } else { inverse.inverse() };
        // Without what this end has done to it already.
        w.to = point - inverse.mul(w.given);
        w.frame = *frame;
        rods.set_tie_place(strand, tip, w.to - rods.state3(strand, end, state::X), w.mass, still);
        if let Some(held) = self.held_axes(frame) {
            let psi = self.lambda.scale_by(gives) * self.side();
            rods.set_tie_frame(strand, tip, Quat::from_frame(held), gives, psi);
        }
    }

    /// What the anchor gets, kg m, beyond what it has got: what it took to bring its part of the mass to where the strand has gone with it.
    fn pull(&mut self, rods: &Rods) -> Vec3<f64> {
        let strand = self.end.strand as usize;
        let (_, end) = self.edge(rods);
        let here = rods.state3(strand, end, state::X) + rods.state3(strand, end, state::U);
        let now = self.whole.mass.mul(here - self.whole.to);
        now - core::mem::replace(&mut self.whole.given, now)
    }

    /// Strains of the half element are from the anchor to the end edge; those of a tip are measured from the edge to the anchor.
    fn side(&self) -> f64 {
        if self.end.tip { -1.0 } else { 1.0 }
    }

    /// How firmly the direction of the end is held.
    fn direction(&self, rods: &Rods, s: &Substep) -> BendTwistRest<f64> {
        let [c, rest] = rods.half_element_now(self.end.strand as usize, self.end.tip, Vec3::zero());
        let alpha = matches!(rods.desc.stiffness, Stiffness::Alpha { .. });
        BendTwistRest {
            psi: rest * self.side(),
            stiffness: if alpha { c } else { vec3(1.0, 1.0, 1.0) },
            compliance: if alpha { Vec3::zero() } else { c * (1.0 / (s.h * s.h)) },
            on: 1.0,
        }
    }

    /// The end edge as it is, but that nothing moves it.
    fn still_edge(&self, rods: &Rods) -> (EdgeFrame<f64>, EdgeWeights<f64>) {
        (self.end_edge(rods).0, EdgeWeights { w0: 0.0, w1: 0.0, wg: 0.0 })
    }

    pub(super) fn tell_of_body(&mut self, rods: &mut Rods, body: &Held, at: Vec3<f64>, h: f64) {
        let arm = body.place().rotation.rotate(at);
        let (point, frame) = (body.place().position + arm, EdgeFrame::fixed(body.place().rotation.frame()));
        match self.solved {
            Solved::Whole => {
                let (parts, turn) = (f64::from(body.ends), body.turn());
                let gives = |axes: [Vec3<f64>; 3]| Vec3::from(axes.map(|a| a.dot(turn.mul(a)) * parts));
                let gives = self.held_axes(&frame).map_or(Vec3::zero(), gives);
                self.tell(rods, point, body.inverse_mass_at(arm).scale(parts), &frame, gives);
            }
            Solved::Loose => self.tell_loose(rods, point, &frame, h),
            Solved::Swept | Solved::Idle => {}
        }
    }

    /// Gives the body what the strand has felt.
    pub(super) fn give_to_body(&mut self, rods: &Rods, body: &mut Held, at: Vec3<f64>, s: &Substep) {
        if body.is_still() {
            return;
        }
        let arm = body.place().rotation.rotate(at);
        let pull = self.pull(rods);
        let mut moment = Vec3::zero();
        if let Some(turn) = self.turn {
            let (edge, w) = self.still_edge(rods);
            let f = self.whole.frame;
            let inertia = body.turn().scale(f64::from(body.ends));
            let r = body_bend_twist([f.d1, f.d2, f.d3], inertia, turn, &edge, w, self.direction(rods, s), self.lambda);
            self.lambda = r.lambda;
            moment = r.angular;
        }
        body.apply(pull, arm, moment);
    }

    pub(super) fn tell_of_points(&mut self, rods: &mut Rods, anchor: &Anchor, bary: Vec3<f64>, parts: Vec3<f64>) {
        if self.solved != Solved::Whole {
            return;
        }
        let (point, frame) = (anchor.point(bary), anchor.frame());
        let w = anchor.w.scale_by(parts);
        let inverse = Sym3::diagonal(Vec3::zero()).add_diagonal(w.dot(bary.scale_by(bary)));
        let wa = EdgeWeights { w0: w.x, w1: w.y, wg: w.z };
        let gives = self.turn.map_or(Vec3::zero(), |turn| anchor_turn(&frame, turn, wa));
        self.tell(rods, point, inverse, &frame, gives);
    }

    /// What the strand has felt moves the three points by.
    pub(super) fn give_to_points(
        &mut self,
        rods: &Rods,
        anchor: &Anchor,
        bary: Vec3<f64>,
        parts: Vec3<f64>,
        s: &Substep,
    ) -> [Vec3<f64>; 3] {
        let pull = self.pull(rods);
        let part = bary.scale_by(anchor.w);
        let mut moves = [pull * part.x, pull * part.y, pull * part.z];
        if let Some(turn) = self.turn {
            let (edge, still) = self.still_edge(rods);
            let w = anchor.w.scale_by(parts);
            let wa = EdgeWeights { w0: w.x, w1: w.y, wg: w.z };
            let r = anchor_bend_twist(&self.whole.frame, turn, &edge, wa, still, self.direction(rods, s), self.lambda);
            self.lambda = r.lambda;
            for (k, parts) in parts.to_array().into_iter().enumerate() {
                moves[k] = moves[k] + r.anchor[k] * (1.0 / parts);
            }
        }
        moves
    }

    /// The same as [`EndRef::solve`] on a rigid body, which moves and turns by what the end gives it.
    pub(super) fn solve_on_body(&mut self, rods: &mut Rods, body: &mut Held, at: Vec3<f64>, s: &Substep) {
        let strand = self.end.strand as usize;
        let (first, end) = self.edge(rods);
        if let Some(turn) = self.turn {
            let (frame, wb) = self.end_edge(rods);
            let rest = self.direction(rods, s);
            let r = body_bend_twist(body.place().rotation.frame(), body.turn(), turn, &frame, wb, rest, self.lambda);
            self.lambda = r.lambda;
            body.apply(Vec3::zero(), Vec3::zero(), r.angular);
            rods.displace(strand, first, state::U, r.edge[0]);
            rods.displace(strand, first + 1, state::U, r.edge[1]);
            rods.displace(strand, first, state::GU, r.edge[2]);
        }
        let here = rods.state3(strand, end, state::X) + rods.state3(strand, end, state::U);
        let wp = rods.param(strand, end, param::W);
        let arm = body.place().rotation.rotate(at);
        let gap = body.place().position + arm - here;
        let pull = body.inverse_mass_at(arm).add_diagonal(wp).solve(gap);
        rods.displace(strand, end, state::U, pull * wp);
        body.apply(-pull, arm, Vec3::zero());
    }

    /// Eqs. 22–24 between the anchor and the end. Returns the anchor's corrections.
    pub(super) fn solve(&mut self, rods: &mut Rods, mut anchor: Anchor, bary: Vec3<f64>, s: &Substep) -> [Vec3<f64>; 3] {
        let strand = self.end.strand as usize;
        let (first, end) = self.edge(rods);
        let here = |rods: &Rods, v: usize, x: usize| rods.state3(strand, v, x) + rods.state3(strand, v, x + 3);
        let mut total = [Vec3::zero(); 3];
        let wb = EdgeWeights {
            w0: rods.param(strand, first, param::W),
            w1: rods.param(strand, first + 1, param::W),
            wg: rods.param(strand, first, param::WG),
        };
        if let Some(turn) = self.turn {
            let (a, b) = (here(rods, first, state::X), here(rods, first + 1, state::X));
            let frame = edge_frame(b - a, here(rods, first, state::GX) - (a + b) * 0.5);
            let rest = self.direction(rods, s);
            let wa = EdgeWeights { w0: anchor.w.x, w1: anchor.w.y, wg: anchor.w.z };
            let r = anchor_bend_twist(&anchor.frame(), turn, &frame, wa, wb, rest, self.lambda);
            self.lambda = r.lambda;
            for (at, move_by) in anchor.at.iter_mut().zip(r.anchor) {
                *at = *at + move_by;
            }
            total = r.anchor;
            rods.displace(strand, first, state::U, r.edge[0]);
            rods.displace(strand, first + 1, state::U, r.edge[1]);
            rods.displace(strand, first, state::GU, r.edge[2]);
        }
        let wp = if end == first { wb.w0 } else { wb.w1 };
        let (moves, p) = anchor_position(anchor.at, bary, anchor.w, here(rods, end, state::X), wp);
        rods.displace(strand, end, state::U, p);
        core::array::from_fn(|k| total[k] + moves[k])
    }
}
