//! A tie: one rod end on a triangle, or several on the little rigid body of a junction.

use super::{Held, Mesh, Substep};
use crate::layout::{param, state};
use crate::math::vec3::vec3;
use crate::math::{Quat, Sym3, Vec3};
use crate::rods::ghost::anchor::{anchor_bend_twist, anchor_position, anchor_turn, body_bend_twist, distance, right_angle};
use crate::rods::ghost::kernels::{BendTwistRest, EdgeFrame, EdgeWeights, edge_frame};
use crate::world::desc::{Stiffness, StrandEnd, SweepOrder};
use crate::world::error::Result;
use crate::world::rods::Rods;
use crate::world::slots::{Id, Slots};

/// An end of a strand, its direction in the anchor's frame, and the multipliers of the substep.
#[derive(Clone, Copy, Debug)]
pub struct EndRef {
    pub rods: Id,
    pub end: StrandEnd,
    /// Columns of Ēᵀ D̄ (eq. 22); `None` lets the direction go free.
    turn: Option<[Vec3<f64>; 3]>,
    lambda: Vec3<f64>,
    whole: Whole,
}

/// An end that Newton's method solves together with its anchor (`rods/newton/tie.rs`).
#[derive(Clone, Copy, Debug)]
struct Whole {
    /// What the strand was told last: its part of the anchor's mass, kg, where it is drawn to, m, and the anchor's frame.
    mass: Sym3<f64>,
    to: Vec3<f64>,
    frame: EdgeFrame<f64>,
    /// What the anchor has got from this end in the substep: an impulse over h, kg m.
    given: Vec3<f64>,
    /// Whether it is solved like this at all.
    on: bool,
}

impl Whole {
    fn nothing() -> Self {
        let zero = Vec3::zero();
        let frame = EdgeFrame::fixed([zero; 3]);
        Whole { mass: Sym3::diagonal(zero), to: zero, frame, given: zero, on: false }
    }
}

/// What moves less than this, 1/kg, does not move.
const STILL: f64 = 1e-15;

/// Three points that make a frame, where they are now.
struct Anchor {
    at: [Vec3<f64>; 3],
    w: Vec3<f64>,
}

impl Anchor {
    fn of(mesh: &Mesh, corners: &[u32; 3]) -> Anchor {
        let [a, b, c] = corners.map(|c| c as usize);
        Anchor { at: [a, b, c].map(|c| mesh.x[c] + mesh.u[c]), w: vec3(mesh.w[a], mesh.w[b], mesh.w[c]) }
    }
    fn frame(&self) -> EdgeFrame<f64> {
        edge_frame(self.at[1] - self.at[0], self.at[2] - (self.at[0] + self.at[1]) * 0.5)
    }
}

impl EndRef {
    /// The vertices of the end edge, and which of them is the end.
    fn edge(&self, rods: &Rods) -> (usize, usize) {
        let n = rods.counts()[self.end.strand as usize] as usize;
        if self.end.tip { (n - 2, n - 1) } else { (0, 0) }
    }

    fn new(rods: Id, end: StrandEnd, owner: &Rods, anchor: &EdgeFrame<f64>, clamped: bool) -> EndRef {
        let mut it = EndRef { rods, end, turn: None, lambda: Vec3::zero(), whole: Whole::nothing() };
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

    /// The mass of what moves of the strand, kg.
    fn strand_mass(&self, rods: &Rods) -> f64 {
        let strand = self.end.strand as usize;
        let weights = (0..rods.counts()[strand] as usize).map(|v| rods.param(strand, v, param::W));
        weights.filter(|&w| w > 0.0).map(|w| 1.0 / w).sum()
    }

    /// Whether Newton's method solves the strand with its anchor, of which `ends` ends have this part of its mass: not where that is less than the strand's,
    /// and others hold it too.
    fn choose(&mut self, rods: &mut Rods, part: f64, ends: f64) -> bool {
        let on = rods.desc.order == SweepOrder::Direct && (ends == 1.0 || part >= self.strand_mass(rods));
        if self.whole.on && !on {
            rods.clear_tie(self.end.strand as usize, self.end.tip);
        }
        self.whole.on = on;
        on
    }

    /// Tells the strand what it hangs on: a point and the inverse of this end's part of the anchor's mass there, the frame, and the inverse
    /// inertia about the axes that the end edge is held to.
    fn tell(
        &mut self,
        rods: &mut Rods,
        point: Vec3<f64>,
        inverse: Sym3<f64>,
        frame: impl FnOnce() -> EdgeFrame<f64>,
        gives: impl FnOnce(&EdgeFrame<f64>, [Vec3<f64>; 3]) -> Vec3<f64>,
    ) {
        let (strand, tip) = (self.end.strand as usize, self.end.tip);
        let (_, end) = self.edge(rods);
        let still = inverse.xx.max(inverse.yy).max(inverse.zz) < STILL;
        let w = &mut self.whole;
        w.mass = if still { Sym3::diagonal(Vec3::zero()) } else { inverse.inverse() };
        // Without what this end has done to it already.
        w.to = point - inverse.mul(w.given);
        let at = w.to - rods.state3(strand, end, state::X);
        rods.set_tie_place(strand, tip, at, w.mass, still);
        if let Some(turn) = self.turn {
            let f = frame();
            w.frame = f;
            let held = turn.map(|c| f.d1 * c.x + f.d2 * c.y + f.d3 * c.z);
            let gives = gives(&f, turn);
            rods.set_tie_frame(strand, tip, Quat::from_frame(held), gives, self.lambda.scale_by(gives));
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

    /// How firmly the direction of the end is held.
    fn direction(&self, rods: &Rods, s: &Substep) -> BendTwistRest<f64> {
        let (_, end) = self.edge(rods);
        let bend = |k: usize| rods.param(self.end.strand as usize, end, param::BEND + k);
        let c = vec3(bend(0), bend(1), bend(2));
        let alpha = matches!(rods.desc.stiffness, Stiffness::Alpha { .. });
        BendTwistRest {
            psi: Vec3::zero(),
            stiffness: if alpha { c } else { vec3(1.0, 1.0, 1.0) },
            compliance: if alpha { Vec3::zero() } else { c * (1.0 / (s.h * s.h)) },
            on: 1.0,
        }
    }

    /// The end edge as it is, but that nothing moves it.
    fn still_edge(&self, rods: &Rods) -> (EdgeFrame<f64>, EdgeWeights<f64>) {
        (self.end_edge(rods).0, EdgeWeights { w0: 0.0, w1: 0.0, wg: 0.0 })
    }

    fn tell_of_body(&mut self, rods: &mut Rods, body: &Held, at: Vec3<f64>) {
        let parts = f64::from(body.ends);
        let arm = body.place().rotation.rotate(at);
        let inverse = body.inverse_mass_at(arm).scale(parts);
        if !self.choose(rods, 1.0 / inverse.xx.max(inverse.yy).max(inverse.zz).max(STILL), parts) {
            return;
        }
        let gives = |f: &EdgeFrame<f64>, turn: [Vec3<f64>; 3]| {
            let axes = turn.map(|c| f.d1 * c.x + f.d2 * c.y + f.d3 * c.z);
            Vec3::from(axes.map(|a| a.dot(body.turn().mul(a)) * parts))
        };
        let frame = || EdgeFrame::fixed(body.place().rotation.frame());
        self.tell(rods, body.place().position + arm, inverse, frame, gives);
    }

    /// Gives the body what the strand has felt.
    fn give_to_body(&mut self, rods: &Rods, body: &mut Held, at: Vec3<f64>, s: &Substep) {
        if body.is_still() {
            return;
        }
        let arm = body.place().rotation.rotate(at);
        let pull = self.pull(rods);
        let mut angular = arm.cross(pull);
        if let Some(turn) = self.turn {
            let (edge, w) = self.still_edge(rods);
            let f = self.whole.frame;
            let inertia = body.turn().scale(f64::from(body.ends));
            let r = body_bend_twist([f.d1, f.d2, f.d3], inertia, turn, &edge, w, self.direction(rods, s), self.lambda);
            self.lambda = r.lambda;
            angular = angular + r.angular;
        }
        body.apply(pull, angular);
    }

    fn tell_of_points(&mut self, rods: &mut Rods, anchor: &Anchor, bary: Vec3<f64>, parts: Vec3<f64>) {
        let point = anchor.at[0] * bary.x + anchor.at[1] * bary.y + anchor.at[2] * bary.z;
        let w = anchor.w.scale_by(parts);
        let inverse = w.dot(bary.scale_by(bary));
        if !self.choose(rods, 1.0 / inverse.max(STILL), parts.x.max(parts.y).max(parts.z)) {
            return;
        }
        let inverse = Sym3::diagonal(Vec3::zero()).add_diagonal(inverse);
        let gives = |f: &EdgeFrame<f64>, turn| anchor_turn(f, turn, EdgeWeights { w0: w.x, w1: w.y, wg: w.z });
        self.tell(rods, point, inverse, || anchor.frame(), gives);
    }

    /// What the strand has felt moves the three points by.
    fn give_to_points(&mut self, rods: &Rods, anchor: &Anchor, bary: Vec3<f64>, parts: Vec3<f64>, s: &Substep) -> [Vec3<f64>; 3] {
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
    fn solve_on_body(&mut self, rods: &mut Rods, body: &mut Held, at: Vec3<f64>, s: &Substep) {
        let strand = self.end.strand as usize;
        let (first, end) = self.edge(rods);
        if let Some(turn) = self.turn {
            let (frame, wb) = self.end_edge(rods);
            let rest = self.direction(rods, s);
            let r = body_bend_twist(body.place().rotation.frame(), body.turn(), turn, &frame, wb, rest, self.lambda);
            self.lambda = r.lambda;
            body.apply(Vec3::zero(), r.angular);
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
        body.apply(-pull, -arm.cross(pull));
    }

    /// Eqs. 22–24 between the anchor and the end. Returns the anchor's corrections.
    fn solve(&mut self, rods: &mut Rods, mut anchor: Anchor, bary: Vec3<f64>, s: &Substep) -> [Vec3<f64>; 3] {
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

/// Eq. 26: an end vertex with two ghost points at right angles and equal distance.
#[derive(Clone, Debug)]
pub struct Body {
    pub x: [Vec3<f64>; 3],
    /// Displacement within a substep, velocity between substeps.
    pub u: [Vec3<f64>; 3],
    w: [f64; 3],
    radius: f64,
    pub fall: f64,
}

/// Part of a junction's mass in each of its ghost points.
const GHOST_PART: f64 = 0.1;

#[derive(Clone, Debug)]
pub enum Attachment {
    Triangle {
        end: EndRef,
        mesh: Id,
        corners: [u32; 3],
        bary: Vec3<f64>,
    },
    Junction {
        body: Body,
        ends: Vec<EndRef>,
    },
    /// On a rigid body; `at`: where, from its centre of mass in principal axes. `slot`: the body among those held in the substep.
    Body {
        end: EndRef,
        body: Id,
        at: Vec3<f64>,
        slot: usize,
    },
}

impl Attachment {
    #[allow(clippy::too_many_arguments, reason = "one call; a struct would only name them twice")]
    pub fn triangle(
        rods: Id,
        end: StrandEnd,
        owner: &Rods,
        mesh: Id,
        surface: &Mesh,
        corners: [u32; 3],
        bary: Vec3<f64>,
        clamped: bool,
    ) -> Attachment {
        let frame = Anchor { at: corners.map(|c| surface.x[c as usize]), w: Vec3::zero() }.frame();
        Attachment::Triangle { end: EndRef::new(rods, end, owner, &frame, clamped), mesh, corners, bary }
    }

    pub fn junction(ends: &[(Id, StrandEnd)], all: &Slots<Rods>, radius: f64, mass: f64) -> Result<Attachment> {
        let mut center = Vec3::zero();
        for &(id, end) in ends {
            let rods = all.get(id)?;
            let v = if end.tip { rods.counts()[end.strand as usize] as usize - 1 } else { 0 };
            center = center + rods.state3(end.strand as usize, v, state::X);
        }
        center = center * (1.0 / ends.len() as f64);
        let x = [center, center + vec3(radius, 0.0, 0.0), center + vec3(0.0, radius, 0.0)];
        let frame = Anchor { at: x, w: Vec3::zero() }.frame();
        let refs: Result<Vec<EndRef>> =
            ends.iter().map(|&(id, end)| Ok(EndRef::new(id, end, all.get(id)?, &frame, true))).collect();
        let w = [1.0 / (mass * (1.0 - 2.0 * GHOST_PART)), 1.0 / (mass * GHOST_PART), 1.0 / (mass * GHOST_PART)];
        let body = Body { x, u: [Vec3::zero(); 3], w, radius, fall: 0.0 };
        Ok(Attachment::Junction { body, ends: refs? })
    }

    pub fn ends(&self) -> &[EndRef] {
        match self {
            Attachment::Triangle { end, .. } | Attachment::Body { end, .. } => core::slice::from_ref(end),
            Attachment::Junction { ends, .. } => ends,
        }
    }
    fn ends_mut(&mut self) -> &mut [EndRef] {
        match self {
            Attachment::Triangle { end, .. } | Attachment::Body { end, .. } => core::slice::from_mut(end),
            Attachment::Junction { ends, .. } => ends,
        }
    }
    pub fn hangs_on(&self, id: Id) -> bool {
        matches!(self, Attachment::Triangle { mesh, .. } if *mesh == id)
    }

    /// A substep begins. Counts the ends on meshes and bodies: each has a part of their masses.
    pub fn predict(&mut self, meshes: &mut Slots<Mesh>, held: &mut [Held], s: &Substep) -> Result<()> {
        self.ends_mut().iter_mut().for_each(|e| (e.lambda, e.whole.given) = (Vec3::zero(), Vec3::zero()));
        match self {
            Attachment::Triangle { mesh, corners, .. } => {
                let mesh = meshes.get_mut(*mesh)?;
                corners.iter().for_each(|&c| mesh.ends[c as usize] += 1);
            }
            Attachment::Body { slot, .. } => held.get_mut(*slot).into_iter().for_each(|body| body.ends += 1),
            Attachment::Junction { body, .. } => {
                // Gravity as for the ghost points of rods: what they may not feel, the vertex takes.
                let (v0, hg, gg) = (body.u[0] + s.gravity * s.h, s.gravity * s.h, s.gravity.length2());
                let fall = v0.dot(s.gravity);
                let r = if gg > 0.0 { ((fall - body.fall) / (s.h * gg)).clamp(0.0, 1.0) } else { 0.0 };
                body.fall = fall;
                let part = (1.0 - r) * 2.0 * GHOST_PART / (1.0 - 2.0 * GHOST_PART);
                body.u = [(v0 + hg * part) * s.h, (body.u[1] + hg * r) * s.h, (body.u[2] + hg * r) * s.h];
            }
        }
        Ok(())
    }

    /// Before each Newton step: tells the strands where their anchors are by now.
    pub fn tell(&mut self, rods: &mut Slots<Rods>, meshes: &Slots<Mesh>, held: &[Held]) -> Result<()> {
        match self {
            Attachment::Body { end, at, slot, .. } => {
                let rods = rods.get_mut(end.rods)?;
                if let Some(body) = held.get(*slot) {
                    end.tell_of_body(rods, body, *at);
                }
            }
            Attachment::Triangle { end, mesh, corners, bary } => {
                let rods = rods.get_mut(end.rods)?;
                let mesh = meshes.get(*mesh)?;
                end.tell_of_points(rods, &Anchor::of(mesh, corners), *bary, mesh.parts(corners));
            }
            Attachment::Junction { .. } => {}
        }
        Ok(())
    }

    /// A tie to a rigid body at the end's present position.
    pub fn body_tie(rods: Id, end: StrandEnd, owner: &Rods, held: &Held, clamped: bool) -> Attachment {
        let v = if end.tip { owner.counts()[end.strand as usize] as usize - 1 } else { 0 };
        let at = held.place().point_back(owner.state3(end.strand as usize, v, state::X));
        let frame = EdgeFrame::fixed(held.place().rotation.frame());
        Attachment::Body { end: EndRef::new(rods, end, owner, &frame, clamped), body: held.body, at, slot: 0 }
    }
    /// The rigid body that it hangs on.
    pub fn body(&self) -> Option<Id> {
        match self {
            Attachment::Body { body, .. } => Some(*body),
            _ => None,
        }
    }
    pub fn find(&mut self, held: &[Held]) {
        if let Attachment::Body { body, slot, .. } = self {
            *slot = held.iter().position(|h| h.body == *body).unwrap_or(0);
        }
    }

    pub fn solve(&mut self, rods: &mut Slots<Rods>, meshes: &mut Slots<Mesh>, held: &mut [Held], s: &Substep) -> Result<()> {
        match self {
            Attachment::Body { end, at, slot, .. } => {
                let rods = rods.get_mut(end.rods)?;
                match held.get_mut(*slot) {
                    Some(body) if end.whole.on => end.give_to_body(rods, body, *at, s),
                    Some(body) => end.solve_on_body(rods, body, *at, s),
                    None => {}
                }
            }
            Attachment::Triangle { end, mesh, corners, bary } => {
                let (mesh, rods) = (meshes.get_mut(*mesh)?, rods.get_mut(end.rods)?);
                let anchor = Anchor::of(mesh, corners);
                let moves = match end.whole.on {
                    true => end.give_to_points(rods, &anchor, *bary, mesh.parts(corners), s),
                    false => end.solve(rods, anchor, *bary, s),
                };
                mesh.shift(corners, moves);
            }
            Attachment::Junction { body, ends } => {
                for end in ends {
                    let anchor = Anchor { at: core::array::from_fn(|k| body.x[k] + body.u[k]), w: body.w.into() };
                    let moves = end.solve(rods.get_mut(end.rods)?, anchor, vec3(1.0, 0.0, 0.0), s);
                    body.shift(moves);
                }
                body.hold_together();
            }
        }
        Ok(())
    }

    pub fn finalize(&mut self, s: &Substep) {
        if let Attachment::Junction { body, .. } = self {
            for k in 0..3 {
                body.x[k] = body.x[k] + body.u[k];
                body.u[k] = body.u[k] * (1.0 / s.h);
            }
        }
    }
}

impl Body {
    fn shift(&mut self, d: [Vec3<f64>; 3]) {
        for (u, d) in self.u.iter_mut().zip(d) {
            *u = *u + d;
        }
    }

    /// The lengths and the right angle of eq. 26.
    fn hold_together(&mut self) {
        let arm = |b: &Body, k: usize| (b.x[k] - b.x[0]) + (b.u[k] - b.u[0]);
        for k in 1..3 {
            let (p, q, _) = distance(arm(self, k), self.radius, self.w[0], self.w[k], 0.0, 0.0);
            self.u[0] = self.u[0] + p;
            self.u[k] = self.u[k] + q;
        }
        let moves = right_angle(arm(self, 1), arm(self, 2), self.w[0], self.w[1], self.w[2]);
        self.shift(moves);
    }
}
