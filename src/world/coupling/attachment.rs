//! A tie: one rod end on a triangle or a body, or several on the little rigid body of a junction.

use super::end::{Anchor, EndRef, Solved, Spot};
use super::net::{Ball, Net};
use super::{Held, Mesh, Substep};
use crate::couple::Holder;
use crate::desc::error::Result;
use crate::desc::slots::{Id, Slots};
use crate::desc::{StrandEnd, SweepOrder};
use crate::layout::state;
use crate::math::vec3::vec3;
use crate::math::{Sym3, Vec3};
use crate::rods::ghost::anchor::{distance, right_angle};
use crate::rods::ghost::kernels::EdgeFrame;
use crate::strands::Rods;

/// Eq. 26: an end vertex with two ghost points at right angles and equal distance.
#[derive(Clone, Debug)]
pub struct Body {
    pub x: [Vec3<f64>; 3],
    /// Displacement within a substep, velocity between substeps.
    pub u: [Vec3<f64>; 3],
    w: [f64; 3],
    radius: f64,
    pub fall: f64,
    /// Its number in the net of loose ends, if it is in one, and what that has moved and turned it by: kg m, kg m².
    anchor: Option<u32>,
    netted: [Vec3<f64>; 2],
    /// All that it joins does, in the substep under way.
    sleeps: bool,
    /// Where it is held, while what it joins is (`rod_parts.rs`).
    kept: Option<[Vec3<f64>; 3]>,
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
        /// Where that was when it was made.
        at: Vec3<f64>,
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

fn is_disabled(end: &EndRef, rods: &Slots<Rods>) -> bool {
    rods.get(end.rods).is_ok_and(|r| r.rest.disabled)
}

/// Whether the rods of an end sleep, or are disabled: it holds nothing.
fn rests(end: &EndRef, rods: &Slots<Rods>) -> bool {
    rods.get(end.rods).is_ok_and(|r| r.rest.asleep)
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
        let anchor = Anchor { at: corners.map(|c| surface.x[c as usize]), w: Vec3::zero() };
        let (end, at) = (EndRef::new(rods, end, owner, &anchor.frame(), clamped), anchor.point(bary));
        Attachment::Triangle { end, mesh, corners, bary, at }
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
        let body = Body {
            x,
            u: [Vec3::zero(); 3],
            w,
            radius,
            fall: 0.0,
            anchor: None,
            netted: [Vec3::zero(); 2],
            sleeps: false,
            kept: None,
        };
        Ok(Attachment::Junction { body, ends: refs? })
    }

    /// What a saved state holds of the ends.
    pub fn loads(&self) -> impl Iterator<Item = Vec3<f64>> {
        self.ends().iter().map(|e| e.closes)
    }
    pub fn loads_mut(&mut self) -> impl Iterator<Item = &mut Vec3<f64>> {
        self.ends_mut().iter_mut().map(|e| &mut e.closes)
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
    /// What it holds ends with, as contact between rods counts it. `id`: its own.
    pub fn holder(&self, id: Id) -> Holder {
        let number = |kind: u64, id: Id| kind << 62 | u64::from(id.index) << 30 | u64::from(id.generation & 0x3fff_ffff);
        match self {
            Attachment::Junction { .. } => Holder { number: number(0, id), at: Vec3::zero() },
            Attachment::Body { body, at, .. } => Holder { number: number(1, *body), at: *at },
            Attachment::Triangle { mesh, at, .. } => Holder { number: number(2, *mesh), at: *at },
        }
    }
    /// The rods whose junction it is, if all of its ends are theirs.
    pub fn own_of(&self) -> Option<Id> {
        match self {
            Attachment::Junction { ends, .. } => {
                let first = ends.first()?.rods;
                ends.iter().all(|e| e.rods == first).then_some(first)
            }
            _ => None,
        }
    }
    /// Whether rods that it holds are disabled, or hang asleep on a body or a mesh.
    pub fn is_idle(&self, rods: &Slots<Rods>) -> bool {
        let idle = self.end_idles();
        self.ends().iter().any(|e| idle(e, rods))
    }
    /// What tells whether it holds nothing at an end. (A junction of rods that sleep is asked for itself.)
    fn end_idles(&self) -> fn(&EndRef, &Slots<Rods>) -> bool {
        if matches!(self, Attachment::Junction { .. }) { is_disabled } else { rests }
    }
    /// A junction of rods that sleep.
    fn sleeps(&self, rods: &Slots<Rods>) -> bool {
        let asleep = |id: Id| rods.get(id).is_ok_and(|r| r.rest.asleep);
        matches!(self, Attachment::Junction { ends, .. } if ends.iter().all(|e| asleep(e.rods)))
    }
    /// The rods that it joins lie down.
    pub fn lie_down(&mut self) {
        if let Attachment::Junction { body, .. } = self {
            body.u = [Vec3::zero(); 3];
        }
    }
    /// What it joins is held where it is, or no longer.
    pub fn hold_still(&mut self, held: bool) {
        if let Attachment::Junction { body, .. } = self {
            match (held, body.kept) {
                (true, Some(at)) => body.x = at,
                (true, None) => body.kept = Some(body.x),
                (false, _) => body.kept = None,
            }
            if held {
                body.u = [Vec3::zero(); 3];
            }
        }
    }
    /// The same in a state that has been restored.
    pub fn note_held(&mut self, held: bool) {
        if let Attachment::Junction { body, .. } = self {
            body.kept = held.then_some(body.x);
        }
    }
    pub fn hangs_on(&self, id: Id) -> bool {
        matches!(self, Attachment::Triangle { mesh, .. } if *mesh == id)
    }

    /// A substep begins: what solves each end. Counts those on the vertices of meshes; each has a part of their masses.
    pub fn predict(&mut self, rods: &mut Slots<Rods>, meshes: &mut Slots<Mesh>, held: &mut [Held], s: &Substep) -> Result<()> {
        let sleeps = self.sleeps(rods);
        if let Attachment::Junction { body, .. } = self {
            body.sleeps = sleeps;
            if sleeps {
                return Ok(());
            }
        }
        let idles = self.end_idles();
        for end in self.ends_mut() {
            end.start();
            if idles(end, rods) {
                end.solve_by(rods.get_mut(end.rods)?, Solved::Idle);
            }
        }
        match self {
            Attachment::Triangle { end, .. } | Attachment::Body { end, .. } if rests(end, rods) => {}
            Attachment::Triangle { end, mesh, corners, .. } => {
                let rods = rods.get_mut(end.rods)?;
                let direct = rods.desc.order == SweepOrder::Direct;
                end.solve_by(rods, if direct { Solved::Whole } else { Solved::Swept });
                if direct {
                    let mesh = meshes.get_mut(*mesh)?;
                    corners.iter().for_each(|&c| mesh.ends[c as usize] += 1);
                }
            }
            Attachment::Body { end, slot, .. } => {
                if let Some(body) = held.get_mut(*slot) {
                    let rods = rods.get_mut(end.rods)?;
                    end.solve_by(rods, end.choose(rods, body));
                    body.loose |= end.solved == Solved::Loose;
                }
            }
            Attachment::Junction { body, ends } => {
                // What sweeps hold too takes turns with them.
                let swept = |e: &EndRef| rods.get(e.rods).is_ok_and(|r| r.desc.order != SweepOrder::Direct);
                let how = if ends.iter().any(swept) { Solved::Swept } else { Solved::Loose };
                for end in ends.iter_mut() {
                    if is_disabled(end, rods) {
                        continue;
                    }
                    let rods = rods.get_mut(end.rods)?;
                    end.weigh(rods);
                    end.solve_by(rods, how);
                }
                if how == Solved::Loose {
                    // As for bodies (`Held::begin_net`).
                    body.u = body.u.map(|v| v * s.h);
                    body.netted = [s.gravity * (-s.h * s.h * body.mass()), Vec3::zero()];
                    return Ok(());
                }
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

    /// When it is made: what strands know of it before the first step.
    pub fn tell_first(&mut self, rods: &mut Slots<Rods>) -> Result<()> {
        self.ends_mut().iter_mut().try_for_each(|e| {
            e.tell_first(rods.get_mut(e.rods)?);
            Ok(())
        })
    }

    /// Between two steps: the frame of a clamp on a body that is `held`, or on a mesh, as it is now, and where the end is held.
    pub fn aim(&self, rods: &mut Rods, meshes: &Slots<Mesh>, held: Option<&Held>) -> Result<()> {
        match (self, held) {
            (Attachment::Body { end, at, .. }, Some(body)) => {
                let place = body.place();
                end.aim(rods, &EdgeFrame::fixed(place.rotation.frame()), place.position + place.rotation.rotate(*at));
            }
            (Attachment::Triangle { end, mesh, corners, bary, .. }, _) => {
                let anchor = Anchor::at_rest(meshes.get(*mesh)?, corners);
                end.aim(rods, &anchor.frame(), anchor.point(*bary));
            }
            _ => {}
        }
        Ok(())
    }

    /// Before each Newton step: tells the strands where their anchors are by now.
    pub fn tell(&mut self, rods: &mut Slots<Rods>, meshes: &Slots<Mesh>, held: &[Held], h: f64) -> Result<()> {
        match self {
            Attachment::Triangle { end, .. } | Attachment::Body { end, .. } if end.solved == Solved::Idle => {}
            Attachment::Body { end, at, slot, .. } => {
                let rods = rods.get_mut(end.rods)?;
                if let Some(body) = held.get(*slot) {
                    end.tell_of_body(rods, body, *at, h);
                }
            }
            Attachment::Triangle { end, mesh, corners, bary, .. } => {
                let rods = rods.get_mut(end.rods)?;
                let mesh = meshes.get(*mesh)?;
                end.tell_of_points(rods, &Anchor::of(mesh, corners), *bary, mesh.parts(corners));
            }
            Attachment::Junction { body, .. } if body.sleeps => {}
            Attachment::Junction { body, ends } => {
                let points = body.points();
                let frame = points.frame();
                for end in ends.iter_mut().filter(|e| e.solved == Solved::Loose) {
                    end.tell_loose(rods.get_mut(end.rods)?, points.at[0], &frame, h);
                }
            }
        }
        Ok(())
    }

    pub fn is_junction(&self) -> bool {
        matches!(self, Attachment::Junction { .. })
    }
    /// Whether some end wants a second Newton step.
    pub fn is_loose(&self) -> bool {
        !matches!(self, Attachment::Junction { body, .. } if body.sleeps) && self.ends().iter().any(|e| e.solved == Solved::Loose)
    }

    /// After a Newton step that is not the substep's last: what loose ends tell.
    pub fn look(&mut self, id: Id, rods: &Slots<Rods>, held: &mut [Held], net: &mut Net, s: &Substep) -> Result<()> {
        match self {
            Attachment::Body { end, at, slot, .. } if end.solved == Solved::Loose => {
                let Some(body) = held.get_mut(*slot) else { return Ok(()) };
                let place = body.place();
                let Some(anchor) = body.join(net, s) else { return Ok(()) };
                let arm = place.rotation.rotate(*at);
                let frame = EdgeFrame::fixed(place.rotation.frame());
                let here = Spot { attachment: id, number: 0, anchor, point: place.position + arm, arm, mass: body.mass() };
                net.add_end(end.look(rods.get(end.rods)?, &here, &frame, s));
            }
            Attachment::Junction { body, ends } if !body.sleeps && ends.iter().any(|e| e.solved == Solved::Loose) => {
                let (points, mass) = (body.points(), body.mass());
                let frame = points.frame();
                let inertia = Sym3::diagonal(Vec3::zero()).add_diagonal(body.inertia());
                let mut ball: Option<Ball> = None;
                for end in ends.iter() {
                    let of = end.ball(rods.get(end.rods)?, body.x[0], body.u[0]);
                    let pushes = of.pushes || ball.is_some_and(|b| b.pushes);
                    let thickest = ball.filter(|b| b.radius >= of.radius).unwrap_or(of);
                    ball = Some(Ball { pushes, ..thickest });
                }
                let anchor = net.add_anchor(mass, inertia, s.h, body.netted, ball);
                body.anchor = Some(anchor);
                for (k, end) in ends.iter().enumerate().filter(|(_, e)| e.solved == Solved::Loose) {
                    let (number, point) = (k as u32, points.at[0]);
                    let here = Spot { attachment: id, number, anchor, point, arm: Vec3::zero(), mass };
                    net.add_end(end.look(rods.get(end.rods)?, &here, &frame, s));
                }
            }
            _ => {}
        }
        Ok(())
    }
    /// A junction moves and turns as its ends have it, by no more than `most` in a substep, m.
    pub fn take_motion(&mut self, net: &Net, most: f64) {
        if let Attachment::Junction { body, .. } = self
            && let Some(anchor) = body.anchor.take()
        {
            let [by, turn] = net.motion(anchor);
            body.move_by(by, turn);
            let u = body.u[0];
            let far = u.length();
            if far > most || !far.is_finite() {
                let to = if far.is_finite() { u * (most / far) } else { Vec3::zero() };
                body.u = [to; 3];
                body.netted = [Vec3::zero(); 2];
            }
        }
    }
    /// A junction goes a part of the way that it has found.
    pub fn hold_back(&mut self, part: f64) {
        if let Attachment::Junction { body, .. } = self {
            body.u = body.u.map(|u| u * part);
        }
    }
    /// What one of its ends gives changes.
    pub fn take_change(&mut self, number: u32, closes: Vec3<f64>) {
        if let Some(end) = self.ends_mut().get_mut(number as usize) {
            end.closes = end.closes + closes;
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
    pub fn find(&mut self, rods: &Slots<Rods>, held: &mut [Held]) {
        if let Attachment::Body { end, body, slot, at } = self {
            *slot = held.iter().position(|h| h.body == *body).unwrap_or(0);
            if let (Some(body), Ok(rods)) = (held.get_mut(*slot), rods.get(end.rods))
                && !rods.rest.asleep
            {
                end.tell_mass(rods, body, *at);
            }
        }
    }

    pub fn solve(&mut self, rods: &mut Slots<Rods>, meshes: &mut Slots<Mesh>, held: &mut [Held], s: &Substep) -> Result<()> {
        match self {
            Attachment::Body { end, at, slot, .. } => {
                let rods = rods.get_mut(end.rods)?;
                if let Some(body) = held.get_mut(*slot) {
                    match end.solved {
                        Solved::Whole => end.give_to_body(rods, body, *at, s),
                        Solved::Swept => end.solve_on_body(rods, body, *at, s),
                        Solved::Loose | Solved::Idle => {}
                    }
                }
            }
            Attachment::Triangle { end, .. } if end.solved == Solved::Idle => {}
            Attachment::Triangle { end, mesh, corners, bary, .. } => {
                let (mesh, rods) = (meshes.get_mut(*mesh)?, rods.get_mut(end.rods)?);
                let anchor = Anchor::of(mesh, corners);
                let moves = match end.solved == Solved::Whole {
                    true => end.give_to_points(rods, &anchor, *bary, mesh.parts(corners), s),
                    false => end.solve(rods, anchor, *bary, s),
                };
                mesh.shift(corners, moves);
            }
            Attachment::Junction { body, .. } if body.sleeps => {}
            Attachment::Junction { body, ends } => {
                for end in ends.iter_mut().filter(|e| e.solved == Solved::Swept) {
                    let moves = end.solve(rods.get_mut(end.rods)?, body.points(), vec3(1.0, 0.0, 0.0), s);
                    body.shift(moves);
                }
                body.hold_together();
            }
        }
        Ok(())
    }

    /// After the last Newton step of a substep: `put(end, what its anchor did, what is left of the edge's length)` of each loose end.
    pub fn left(&self, rods: &Slots<Rods>, held: &[Held], mut put: impl FnMut(&EndRef, Vec3<f64>, f64)) {
        for end in self.ends().iter().filter(|e| self.is_loose() && e.solved == Solved::Loose) {
            let point = match self {
                Attachment::Body { at, slot, .. } => held.get(*slot).map(|body| body.place().point(*at)),
                Attachment::Junction { body, .. } => Some(body.points().at[0]),
                Attachment::Triangle { .. } => None,
            };
            if let (Some(point), Ok(rods)) = (point, rods.get(end.rods)) {
                let (by, part) = end.left(rods, point);
                put(end, by, part);
            }
        }
    }
    /// The strand of an end that was left goes along with its anchors: what they gave it was for another way.
    pub fn forget_loads(&mut self, strand: (Id, u32)) {
        let of = |e: &&mut EndRef| (e.rods, e.end.strand) == strand;
        self.ends_mut().iter_mut().filter(of).for_each(|e| e.closes = Vec3::zero());
    }

    pub fn finalize(&mut self, s: &Substep) {
        if let Attachment::Junction { body, .. } = self
            && !body.sleeps
        {
            for k in 0..3 {
                body.x[k] = body.x[k] + body.u[k];
                body.u[k] = body.u[k] * (1.0 / s.h);
            }
        }
    }
}

impl Body {
    fn points(&self) -> Anchor {
        Anchor { at: core::array::from_fn(|k| self.x[k] + self.u[k]), w: self.w.into() }
    }
    /// kg
    fn mass(&self) -> f64 {
        self.w.iter().map(|w| 1.0 / w).sum()
    }
    /// kg m², about each axis: that of one ghost point.
    fn inertia(&self) -> f64 {
        self.radius * self.radius / self.w[1]
    }
    /// Moves it, and turns it about its vertex.
    fn move_by(&mut self, by: Vec3<f64>, turn: Vec3<f64>) {
        self.netted = [self.netted[0] + by * self.mass(), self.netted[1] + turn * self.inertia()];
        let arm = |b: &Body, k: usize| (b.x[k] - b.x[0]) + (b.u[k] - b.u[0]);
        let moves = [by, by + turn.cross(arm(self, 1)), by + turn.cross(arm(self, 2))];
        self.shift(moves);
    }
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
