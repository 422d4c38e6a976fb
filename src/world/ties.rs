//! Meshes and attachments: their life, and the stage-by-stage step of what they couple.

use std::collections::BTreeSet;

use super::coupling::{Attachment, Held, Mesh, Substep};
use super::world::World;
use crate::bodies::solver::Plan;
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::validate;
use crate::desc::*;
use crate::layout::{param, state};
use crate::math::Vec3;
use crate::stages::{self, At, Stage, Work};
use crate::strands::Rods;
use crate::strands::settings::{self, Coupling};
use crate::tasks::{Inline, TaskRunner};

/// Sets of rods with less work than this a stage are stepped by the calling thread: waking a pool costs more.
const POOL_CELLS: usize = 4096;

/// Newton steps of a substep with a net, at least: one to learn what its strands do, and two with it. (With one, what the second order leaves fed
/// swings of stiff curls, 1.7 J/kg.)
const NET_STEPS: usize = 3;

/// At most, and the turn of an anchor in the last look at the net, rad, that asks for one more. (Stiff strands that turn by 0.1 rad in a step of
/// 1/60 s wanted five: with three, a second-order error of their frames times the stiffness of a clamp threw them about at 1,000 m/s.)
const MOST_NET_STEPS: usize = 8;
const NET_TURN: f64 = 0.0003;

/// Of its end edge, how far a strand may be from its anchor after the last Newton step. What is more has not been found: a wire that is bent to a point, or snaps.
/// Such a strand keeps its shape for the substep. (With what it had found, a net that was pulled through a ring came out of it at 1,000 m/s.)
const LOST: f64 = 0.05;

/// What is left at an end of a strand ([`LOST`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    rods: Id,
    strand: u32,
    tip: bool,
    by: Vec3<f64>,
    part: f64,
}

impl World {
    pub fn add_mesh(&mut self, desc: MeshDesc) -> Result<Id> {
        if desc.collides.is_none() {
            self.cpu_only("meshes that do not collide")?;
        }
        self.change_scene();
        self.meshes.insert(Mesh::new(desc)?)
    }
    /// Attachments to the mesh go with it.
    pub fn remove_mesh(&mut self, id: Id) -> Result<()> {
        self.meshes.remove(id)?;
        self.change_scene();
        self.drop_ties(self.attachments.iter().filter(|(_, a)| a.hangs_on(id)).map(|(id, _)| id).collect());
        Ok(())
    }
    /// Where the host wants the vertices at the end of the next step; clears the corrections. `get` is called twice a vertex.
    pub fn set_mesh_positions(&mut self, id: Id, get: impl FnMut(usize) -> [f64; 3], teleport: bool) -> Result<()> {
        self.meshes.get_mut(id)?.set_positions(get, teleport)?;
        if teleport {
            self.change_scene();
        }
        Ok(())
    }
    pub fn read_mesh_positions(&self, id: Id, mut put: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        let mesh = self.meshes.get(id)?;
        mesh.x.iter().enumerate().for_each(|(i, x)| put(i, x.to_array()));
        Ok(mesh.x.len())
    }
    /// What rods have moved each vertex by since the host last gave positions, m.
    pub fn read_mesh_corrections(&self, id: Id, mut put: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        let mesh = self.meshes.get(id)?;
        mesh.correction.iter().enumerate().for_each(|(i, x)| put(i, x.to_array()));
        Ok(mesh.x.len())
    }

    fn free_end(&self, rods: Id, end: StrandEnd) -> Result<&Rods> {
        let owner = self.rods.get(rods)?;
        let n = owner.strand_count();
        if end.strand as usize >= n {
            return Err(Error::invalid(format!("strand is {}, the rods have {n} strands", end.strand)));
        }
        let (name, support) = if end.tip { ("tip", owner.desc.tip) } else { ("root", owner.desc.root) };
        if support != EndSupport::Free {
            return Err(Error::invalid(format!(
                "the {name} of strand {} is held by the host; an attached end must be free",
                end.strand
            )));
        }
        if owner.ties.contains_key(&(end.strand, end.tip)) {
            return Err(Error::invalid(format!("the {name} of strand {} is attached already", end.strand)));
        }
        Ok(owner)
    }

    /// Ties a free end to a triangle, two-way: position at the barycentric coordinates, and the direction it has now if
    /// `clamp_direction`.
    pub fn attach_triangle(
        &mut self,
        rods: Id,
        end: StrandEnd,
        mesh: Id,
        triangle: u32,
        bary: [f64; 3],
        clamp_direction: bool,
    ) -> Result<Id> {
        self.cpu_only("attachments")?;
        let owner = self.free_end(rods, end).map_err(|e| Error::new(e.kind, format!("end: {e}")))?;
        let surface = self.meshes.get(mesh)?;
        let Some(&corners) = surface.triangles.get(triangle as usize) else {
            return Err(Error::invalid(format!("triangle is {triangle}, the mesh has {}", surface.triangles.len())));
        };
        validate::vector("barycentric", None, bary)?;
        let sum = bary[0] + bary[1] + bary[2];
        if (sum - 1.0).abs() > 1e-3 {
            return Err(Error::invalid(format!("barycentric is {bary:?} and adds up to {sum}, must add up to 1")));
        }
        let tie = Attachment::triangle(rods, end, owner, mesh, surface, corners, bary.into(), clamp_direction);
        self.add_tie(tie)
    }

    /// Joins two or more free ends in a small rigid body at the mean of their positions. `radius` 0: the mean length of the end
    /// edges. `mass` 0: that of the end vertices.
    pub fn add_junction(&mut self, ends: &[(Id, StrandEnd)], radius: f64, mass: f64) -> Result<Id> {
        self.cpu_only("junctions")?;
        if ends.len() < 2 {
            return Err(Error::invalid(format!("ends has {} entries, a junction joins at least 2", ends.len())));
        }
        let mut seen = BTreeSet::new();
        for (i, &(rods, end)) in ends.iter().enumerate() {
            self.free_end(rods, end).map_err(|e| Error::new(e.kind, format!("ends[{i}]: {e}")))?;
            if !seen.insert((rods.index, end.strand, end.tip)) {
                return Err(Error::invalid(format!("ends[{i}] is the same end as one before it")));
            }
        }
        // 0 leaves the choice to us: the mean of the end edges for the radius, the ends' own mass for the body.
        let mean = |f: &dyn Fn(&Rods, usize, usize) -> f64| -> Result<f64> {
            let each: Result<Vec<f64>> = ends
                .iter()
                .map(|&(id, end)| {
                    let (rods, s) = (self.rods.get(id)?, end.strand as usize);
                    let last = rods.counts()[s] as usize - 1;
                    Ok(f(rods, s, if end.tip { last } else { 0 }))
                })
                .collect();
            Ok(each?.iter().sum::<f64>() / ends.len() as f64)
        };
        let radius = match radius {
            0.0 => mean(&|r, s, v| r.param(s, v.min(r.counts()[s] as usize - 2), param::LENGTH))?,
            given => given,
        };
        let mass = match mass {
            // Of a vertex that a pin holds, what it would have without.
            0.0 => {
                let of = |r: &Rods, s: usize, v: usize| match r.param(s, v, param::W) {
                    w if w > 0.0 => 1.0 / w,
                    _ => r.material_of(s).mass(v),
                };
                mean(&of)? * ends.len() as f64
            }
            given => given,
        };
        validate::within("radius", radius, validate::JUNCTION_RADIUS)?;
        validate::between("mass", mass, 1e-12, 1e9)?;
        let tie = Attachment::junction(ends, &self.rods, radius, mass)?;
        self.add_tie(tie)
    }

    /// Ties a free end to a body where it is, two-way, with the direction it has now if `clamp_direction`.
    pub fn attach_body(&mut self, rods: Id, end: StrandEnd, body: Id, clamp_direction: bool) -> Result<Id> {
        self.cpu_only("attachments")?;
        let held = self.hold(body, 0.0, None)?;
        let owner = self.free_end(rods, end).map_err(|e| Error::new(e.kind, format!("end: {e}")))?;
        let tie = Attachment::body_tie(rods, end, owner, &held, clamp_direction);
        self.add_tie(tie)
    }

    /// The bodies that rods hang on or may touch, each once, as they are at the end of a substep of `h` seconds, `within` so many.
    fn hold_bodies(&mut self, h: f64, within: [usize; 2]) -> Result<()> {
        let mut held = core::mem::take(&mut self.held);
        held.clear();
        let tied = self.attachments.iter().filter_map(|(_, a)| a.body());
        let touched = self.touches.bodies();
        let result = tied.chain(touched).try_for_each(|id| {
            held.push(self.hold(id, h, Some(within))?);
            Ok(())
        });
        let key = |h: &Held| (h.body.index, h.body.generation);
        held.sort_unstable_by_key(key);
        held.dedup_by_key(|h| key(h));
        self.held = held;
        result?;
        for (_, a) in self.attachments.iter_mut() {
            a.find(&self.rods, &mut self.held);
        }
        self.touches.find(&self.held);
        Ok(())
    }

    /// Tells rods, between two steps, the frames that clamps of attachments have by now.
    pub(super) fn aim_ties(&mut self, id: Id) -> Result<()> {
        let ties: Vec<Id> = self.rods.get(id)?.ties.values().copied().collect();
        self.rods.get_mut(id)?.anchors.clear();
        for tie in ties {
            let held = match self.attachments.get(tie)?.body() {
                Some(body) => Some(self.hold(body, 0.0, None)?),
                None => None,
            };
            self.attachments.get(tie)?.aim(self.rods.get_mut(id)?, &self.meshes, held.as_ref())?;
        }
        Ok(())
    }

    fn add_tie(&mut self, tie: Attachment) -> Result<Id> {
        let held: Vec<(Id, StrandEnd)> = tie.ends().iter().map(|e| (e.rods, e.end)).collect();
        let own = tie.own_of().is_some();
        let id = self.attachments.insert(tie)?;
        for (rods, end) in held {
            let rods = self.rods.get_mut(rods)?;
            rods.tied_to_others += u32::from(!own);
            rods.rest.stir();
            rods.ties.insert((end.strand, end.tip), id);
            rods.own_ties(end.tip);
        }
        self.attachments.get_mut(id)?.tell_first(&mut self.rods)?;
        self.reserve_net();
        Ok(id)
    }

    /// Memory for the net, before a step.
    pub(super) fn reserve_net(&mut self) {
        let ends: usize = self.attachments.iter().map(|(_, a)| a.ends().len()).sum();
        if ends > 0 {
            self.net.reserve(ends + self.dynamics.bodies.len());
            self.lost.reserve(ends.saturating_sub(self.lost.len()));
        }
    }

    pub fn remove_attachment(&mut self, id: Id) -> Result<()> {
        let tie = self.attachments.remove(id)?;
        let own = tie.own_of().is_some();
        if let Some(body) = tie.body() {
            self.wake_tied(body);
        }
        for end in tie.ends() {
            if let Ok(rods) = self.rods.get_mut(end.rods) {
                rods.tied_to_others -= u32::from(!own);
                // What it held falls.
                rods.rest.stir();
                rods.ties.remove(&(end.end.strand, end.end.tip));
                rods.clear_tie(end.end.strand as usize, end.end.tip);
            }
        }
        Ok(())
    }

    /// In the order of their slots, so that later attachments get the same ones whatever held these. A junction is named by each
    /// of its ends.
    pub(super) fn drop_ties(&mut self, mut doomed: Vec<Id>) {
        doomed.sort_unstable_by_key(|id| id.index);
        doomed.dedup();
        for id in doomed {
            // Found a moment ago.
            let _ = self.remove_attachment(id);
        }
    }

    /// Several strands on light anchors: what they give each other in the next Newton step.
    fn solve_net(&mut self, s: &Substep, substep: usize, iteration: usize) -> Result<()> {
        let two_way = if self.rods.iter().any(|(_, r)| r.netted && r.meets.is_some()) { self.dynamic_rod_shapes() } else { 0 };
        let net = &mut self.net;
        net.clear();
        for (id, a) in self.attachments.iter_mut() {
            a.look(id, &self.rods, &mut self.held, net, s)?;
        }
        let rods = &self.rods;
        net.gather(|end, part| rods.get(end.rods).map_or([0.0; 36], |r| r.tie_response(end.strand as usize, part)));
        let (substeps, double) = (self.desc.substeps as usize, self.desc.double_precision);
        let near = rods.iter().filter(|(_, r)| r.netted).map(|(_, r)| r.reach.near).fold(0.0, f64::max);
        for side in &self.touches.sides {
            if let Some(body) = self.held.get_mut(side.slot) {
                body.join(net, s);
            }
        }
        let mut net = core::mem::take(net);
        net.solve(|ball, u, motions, put| {
            let (reach, d) = (if motions.is_some() { 0.0 } else { near }, &self.dynamics);
            let without = if ball.pushes { two_way } else { 0 };
            let on_collider = match double {
                true => self.motions64.meet((substep, substeps), without, &d.double.solids, ball, u, reach),
                false => self.motions32.meet((substep, substeps), without, &d.single.solids, ball, u, reach),
            };
            on_collider.into_iter().for_each(&mut *put);
            if ball.pushes {
                self.meet_bodies(ball, u, reach, motions, put);
            }
        });
        // What sleeps gets no motion of it, but is told, and wakes.
        let (held, h) = (&mut self.held, s.h);
        net.on_still(|slot, force, arm| held[slot].push(-(force * (h * h)), arm));
        self.net = net;
        let net = &mut self.net;
        net.calm(iteration < 2);
        self.held.iter_mut().for_each(|h| h.take_motion(net));
        let most = self.rods.iter().filter(|(_, r)| r.netted).map(|(_, r)| r.desc.max_speed * s.h).fold(f64::INFINITY, f64::min);
        self.attachments.iter_mut().for_each(|(_, a)| a.take_motion(net, most));
        let attachments = &mut self.attachments;
        net.changes(|id, number, closes| {
            if let Ok(a) = attachments.get_mut(id) {
                a.take_change(number, closes);
            }
        });
        Ok(())
    }

    /// Strands that have not come to their anchors keep their shape in this substep, and go where these go. Tells whether there are any.
    fn carry_lost(&mut self) -> Result<bool> {
        let lost = &mut self.lost;
        lost.clear();
        for (_, a) in self.attachments.iter() {
            a.left(&self.rods, &self.held, |end, by, part| {
                lost.push(Left { rods: end.rods, strand: end.end.strand, tip: end.end.tip, by, part });
            });
        }
        lost.sort_unstable_by_key(|l| (l.rods.index, l.strand, l.tip));
        let (mut k, mut carries) = (0, false);
        while let Some(&a) = lost.get(k) {
            let b = lost.get(k + 1).filter(|b| (b.rods, b.strand) == (a.rods, a.strand)).copied();
            k += 1 + usize::from(b.is_some());
            if a.part.max(b.map_or(0.0, |b| b.part)) < LOST {
                continue;
            }
            let rods = self.rods.get_mut(a.rods)?;
            let strand = a.strand as usize;
            let last = rods.counts()[strand] as usize - 1;
            // A free end goes along; one that the host holds goes where that wants it.
            let own = |v: usize| rods.state3(strand, v, state::U);
            let other = if rods.param(strand, if a.tip { 0 } else { last }, param::W) > 0.0 {
                a.by
            } else {
                own(if a.tip { 0 } else { last })
            };
            let ends = match b {
                Some(b) => [a.by, b.by],
                None if a.tip => [other, a.by],
                None => [a.by, other],
            };
            for v in 0..=last {
                let at = |v: f64| ends[0] + (ends[1] - ends[0]) * (v / last as f64);
                rods.set_state3(strand, v, state::U, at(v as f64).to_array());
                if v < last {
                    rods.set_state3(strand, v, state::GU, at(v as f64 + 0.5).to_array());
                }
            }
            for (_, t) in self.attachments.iter_mut() {
                t.forget_loads((a.rods, a.strand));
            }
            carries = true;
        }
        Ok(carries)
    }

    /// Meshes, and rods that ties hold or that may touch bodies: every stage of a substep for all of them before the next.
    /// `bodies`: the step of the bodies that rods push, which goes with them.
    pub(super) fn step_coupled(&mut self, dt: f64, bodies: Option<&Plan>, runner: &dyn TaskRunner) -> Result<()> {
        self.list_touching();
        self.net.clear();
        if bodies.is_none() {
            // No rods push any, nor hang on one.
            self.held.clear();
            self.touches.sides.clear();
        }
        let coupled = |r: &Rods| !r.rest.asleep && r.coupling() != Coupling::None;
        let cells: usize = self.rods.iter().filter(|(_, r)| coupled(r)).map(|(_, r)| r.layout.cells).sum();
        if cells == 0 && self.meshes.is_empty() {
            return Ok(());
        }
        let pool = runner;
        let runner = if cells < POOL_CELLS { &Inline } else { runner };
        let own = |r: &Rods| settings::iterations(&r.desc, &self.desc, r.coupling().is_swept());
        let own =
            self.rods.iter().filter(|(_, r)| coupled(r)).map(|(_, r)| own(r)).max().unwrap_or(self.desc.iterations) as usize;
        let substeps = self.desc.substeps as usize;
        let joins = own == 1 && self.attachments.is_empty() && self.meshes.is_empty();
        let mut all = Coupled { world: self, dt, bodies, runner, pool, own, iterations: own, loose: false, joins };
        stages::step(substeps, &mut all)
    }
}

/// All that is coupled, on its way through a step: each stage for everybody before the next.
pub(super) struct Coupled<'a> {
    pub(super) world: &'a mut World,
    dt: f64,
    /// The step of the bodies that rods push, which goes with them.
    bodies: Option<&'a Plan>,
    /// For strands, and for bodies.
    pub(super) runner: &'a dyn TaskRunner,
    pool: &'a dyn TaskRunner,
    /// Iterations that the rods ask for, and those of this substep, which light anchors may ask more of.
    own: usize,
    pub(super) iterations: usize,
    /// Some anchors are so light that they are solved with all that hangs on them.
    pub(super) loose: bool,
    /// Rods that only touch rods may do several stages at once.
    joins: bool,
}

impl Coupled<'_> {
    pub(super) fn rods(&mut self, stage: Stage, at: At) -> Result<()> {
        let stage = (stage, At { iterations: self.iterations, ..at });
        self.world.step_rods(self.dt, self.runner, Some(stage), self.joins)
    }
}

impl Work for Coupled<'_> {
    type Error = Error;

    fn iterations(&self) -> usize {
        self.iterations
    }

    fn stage(&mut self, stage: Stage, at: At) -> Result<()> {
        let substeps = self.world.desc.substeps as usize;
        let h = self.dt / substeps as f64;
        let (i, gravity) = (at.substep, Vec3::from(self.world.desc.gravity));
        let s = Substep { h, t: (i + 1) as f64 / substeps as f64, gravity };
        match stage {
            Stage::Bodies => {
                self.iterations = self.own;
                if let Some(plan) = self.bodies {
                    self.world.move_bodies(plan, i as u32..i as u32 + 1, self.pool);
                    self.world.show_bodies(i, true);
                }
            }
            Stage::Meet => {
                if self.bodies.is_some() {
                    self.world.list_touched();
                    self.world.hold_bodies(h, [i, substeps])?;
                    self.world.find_touches(h);
                }
            }
            Stage::Predict | Stage::Follow | Stage::Contacts => self.rods(stage, at)?,
            Stage::Finalize => {
                self.give_bundles_back();
                self.rods(stage, at)?;
            }
            Stage::Solve => {
                self.fit_bundles(at);
                self.rods(stage, at)?;
            }
            Stage::RodContacts => {
                self.solve_bundles(at)?;
                self.press_rods(h, at)?;
            }
            // Asked for where it is needed.
            Stage::Respond | Stage::Give => {}
            Stage::PredictAnchors => {
                let w = &mut *self.world;
                w.meshes.iter_mut().for_each(|(_, m)| m.predict(&s));
                w.rods.iter_mut().for_each(|(_, r)| r.netted = false);
                for (_, a) in w.attachments.iter_mut() {
                    a.predict(&mut w.rods, &mut w.meshes, &mut w.held, &s)?;
                }
                w.held.iter_mut().for_each(|held| held.begin_net(gravity, h));
            }
            Stage::TellAnchors => {
                let w = &mut *self.world;
                for (_, a) in w.attachments.iter_mut() {
                    a.tell(&mut w.rods, &w.meshes, &w.held, h)?;
                }
                self.loose = w.attachments.iter().any(|(_, a)| a.is_loose());
                self.iterations = self.iterations.max(if self.loose { NET_STEPS } else { 1 });
            }
            Stage::SolveAnchors => {
                let w = &mut *self.world;
                for (_, a) in w.attachments.iter_mut() {
                    a.solve(&mut w.rods, &mut w.meshes, &mut w.held, &s)?;
                }
                let left = self.iterations - 1 - at.iteration;
                if self.loose && left == 0 && w.carry_lost()? {
                    return self.hold_carried_back(h);
                }
                if self.loose && left > 0 {
                    w.solve_net(&s, i, at.iteration)?;
                    // The last strand step has not seen the turn: the next one sees it, and tells what is left.
                    let goes_on = w.net.bounded || w.net.largest_turn() > NET_TURN;
                    if left == 1 && self.iterations < MOST_NET_STEPS && goes_on {
                        self.iterations += 1;
                    }
                }
            }
            Stage::Touch => {
                if self.bodies.is_some() {
                    self.world.solve_touches(h)?;
                }
            }
            Stage::Meshes => {
                let w = &mut *self.world;
                for (_, m) in w.meshes.iter_mut() {
                    m.solve(&s);
                    m.contacts(w.motions64.at(i, substeps), &w.dynamics.double.solids);
                }
            }
            Stage::FinalizeAnchors => {
                let w = &mut *self.world;
                w.meshes.iter_mut().for_each(|(_, m)| m.finalize(&s));
                w.attachments.iter_mut().for_each(|(_, a)| a.finalize(&s));
                for k in 0..w.held.len() {
                    let held = w.held[k];
                    w.let_go(&held, h);
                }
            }
            Stage::Report => {
                self.rods(stage, at)?;
                self.world.meshes.iter_mut().for_each(|(_, m)| m.end_step());
            }
        }
        Ok(())
    }
}
