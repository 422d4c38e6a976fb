//! A tie: one rod end on a triangle, or several on the little rigid body of a junction.

use super::{Held, Mesh, Substep};
use crate::layout::{param, state};
use crate::math::Vec3;
use crate::math::vec3::vec3;
use crate::rods::ghost::anchor::{anchor_bend_twist, anchor_position, body_bend_twist, distance, right_angle};
use crate::rods::ghost::kernels::{BendTwistRest, EdgeFrame, EdgeWeights, edge_frame};
use crate::world::desc::{Stiffness, StrandEnd};
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
}

/// Three points that make a frame, where they are now.
struct Anchor {
    at: [Vec3<f64>; 3],
    w: Vec3<f64>,
}

impl Anchor {
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
        let mut it = EndRef { rods, end, turn: None, lambda: Vec3::zero() };
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
    pub fn hangs_on(&self, id: Id) -> bool {
        matches!(self, Attachment::Triangle { mesh, .. } if *mesh == id)
    }

    pub fn predict(&mut self, s: &Substep) {
        match self {
            Attachment::Triangle { end, .. } | Attachment::Body { end, .. } => end.lambda = Vec3::zero(),
            Attachment::Junction { body, ends } => {
                ends.iter_mut().for_each(|e| e.lambda = Vec3::zero());
                // Gravity as for the ghost points of rods: what they may not feel, the vertex takes.
                let (v0, hg, gg) = (body.u[0] + s.gravity * s.h, s.gravity * s.h, s.gravity.length2());
                let fall = v0.dot(s.gravity);
                let r = if gg > 0.0 { ((fall - body.fall) / (s.h * gg)).clamp(0.0, 1.0) } else { 0.0 };
                body.fall = fall;
                let part = (1.0 - r) * 2.0 * GHOST_PART / (1.0 - 2.0 * GHOST_PART);
                body.u = [(v0 + hg * part) * s.h, (body.u[1] + hg * r) * s.h, (body.u[2] + hg * r) * s.h];
            }
        }
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
                if let Some(body) = held.get_mut(*slot) {
                    end.solve_on_body(rods.get_mut(end.rods)?, body, *at, s);
                }
            }
            Attachment::Triangle { end, mesh, corners, bary } => {
                let mesh = meshes.get_mut(*mesh)?;
                let c = corners.map(|c| c as usize);
                let anchor = Anchor { at: c.map(|c| mesh.x[c] + mesh.u[c]), w: vec3(mesh.w[c[0]], mesh.w[c[1]], mesh.w[c[2]]) };
                let moves = end.solve(rods.get_mut(end.rods)?, anchor, *bary, s);
                for (c, d) in c.into_iter().zip(moves) {
                    mesh.u[c] = mesh.u[c] + d;
                    mesh.correction[c] = mesh.correction[c] + d;
                }
            }
            Attachment::Junction { body, ends } => {
                for end in ends {
                    let at = core::array::from_fn(|k| body.x[k] + body.u[k]);
                    let anchor = Anchor { at, w: vec3(body.w[0], body.w[1], body.w[2]) };
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
