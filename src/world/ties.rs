//! Meshes and attachments: their life, and the stage-by-stage step of what they couple.

use std::collections::BTreeSet;

use super::coupling::{Attachment, Held, Mesh, Substep};
use super::rods::{Data, Rods, with};
use super::settings::{self, Company};
use super::world::World;
use crate::bodies::solver::Plan;
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::validate;
use crate::desc::*;
use crate::layout::{Aligned, param, state, tie};
use crate::math::{Elem, Quat, Sym3, Vec3};
use crate::rods::ghost::kernels::EdgeFrame;
use crate::step::Stage;
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

impl World {
    pub fn add_mesh(&mut self, desc: MeshDesc) -> Result<Id> {
        self.cpu_only("meshes")?;
        self.meshes.insert(Mesh::new(desc)?)
    }
    /// Attachments to the mesh go with it.
    pub fn remove_mesh(&mut self, id: Id) -> Result<()> {
        self.meshes.remove(id)?;
        self.drop_ties(self.attachments.iter().filter(|(_, a)| a.hangs_on(id)).map(|(id, _)| id).collect());
        Ok(())
    }
    /// Where the host wants the vertices at the end of the next step; clears the corrections. `get` is called twice a vertex.
    pub fn set_mesh_positions(&mut self, id: Id, get: impl FnMut(usize) -> [f64; 3], teleport: bool) -> Result<()> {
        self.meshes.get_mut(id)?.set_positions(get, teleport)
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
            0.0 => mean(&|r, s, v| 1.0 / r.param(s, v, param::W).max(1e-12))? * ends.len() as f64,
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
        let held = self.hold(body, 0.0)?;
        let owner = self.free_end(rods, end).map_err(|e| Error::new(e.kind, format!("end: {e}")))?;
        let tie = Attachment::body_tie(rods, end, owner, &held, clamp_direction);
        self.add_tie(tie)
    }

    /// The bodies that rods hang on or may touch, each once, as they are now, in a substep of `h` seconds.
    fn hold_bodies(&mut self, h: f64) -> Result<()> {
        let mut held = core::mem::take(&mut self.held);
        held.clear();
        let tied = self.attachments.iter().filter_map(|(_, a)| a.body());
        let touched = self.touches.bodies();
        let result = tied.chain(touched).try_for_each(|id| {
            held.push(self.hold(id, h)?);
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
                Some(body) => Some(self.hold(body, 0.0)?),
                None => None,
            };
            self.attachments.get(tie)?.aim(self.rods.get_mut(id)?, &self.meshes, held.as_ref())?;
        }
        Ok(())
    }

    fn add_tie(&mut self, tie: Attachment) -> Result<Id> {
        let held: Vec<(Id, StrandEnd)> = tie.ends().iter().map(|e| (e.rods, e.end)).collect();
        let id = self.attachments.insert(tie)?;
        for (rods, end) in held {
            let rods = self.rods.get_mut(rods)?;
            rods.ties.insert((end.strand, end.tip), id);
            rods.own_ties(end.tip);
        }
        self.attachments.get_mut(id)?.tell_first(&mut self.rods)?;
        self.net.reserve(self.attachments.iter().map(|(_, a)| a.ends().len()).sum());
        Ok(id)
    }

    pub fn remove_attachment(&mut self, id: Id) -> Result<()> {
        let tie = self.attachments.remove(id)?;
        for end in tie.ends() {
            if let Ok(rods) = self.rods.get_mut(end.rods) {
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
    fn solve_net(&mut self, s: &Substep) -> Result<()> {
        let net = &mut self.net;
        net.clear();
        for (id, a) in self.attachments.iter_mut() {
            a.look(id, &self.rods, &mut self.held, net, s)?;
        }
        let rods = &self.rods;
        net.gather(|end, part| rods.get(end.rods).map_or([0.0; 36], |r| r.tie_response(end.strand as usize, part)));
        net.solve();
        self.held.iter_mut().for_each(|h| h.take_motion(net));
        self.attachments.iter_mut().for_each(|(_, a)| a.take_motion(net));
        let attachments = &mut self.attachments;
        net.changes(|id, number, closes| {
            if let Ok(a) = attachments.get_mut(id) {
                a.take_change(number, closes);
            }
        });
        Ok(())
    }

    /// Meshes, and rods that ties hold or that may touch bodies: every stage of a substep for all of them before the next.
    /// `bodies`: the step of the bodies that rods push, which goes with them.
    pub(super) fn step_coupled(&mut self, dt: f64, bodies: Option<&Plan>, runner: &dyn TaskRunner) -> Result<()> {
        let coupled = |r: &Rods| r.company() != Company::Alone;
        let cells: usize = self.rods.iter().filter(|(_, r)| coupled(r)).map(|(_, r)| r.layout.cells).sum();
        if cells == 0 && self.meshes.is_empty() {
            return Ok(());
        }
        let pool = runner;
        let runner = if cells < POOL_CELLS { &Inline } else { runner };
        let substeps = self.desc.substeps as usize;
        let own = |r: &Rods| settings::iterations(&r.desc, &self.desc, true);
        let own_iterations =
            self.rods.iter().filter(|(_, r)| coupled(r)).map(|(_, r)| own(r)).max().unwrap_or(self.desc.iterations);
        for i in 0..substeps {
            let s =
                Substep { h: dt / substeps as f64, t: (i + 1) as f64 / substeps as f64, gravity: Vec3::from(self.desc.gravity) };
            if let Some(plan) = bodies {
                self.move_bodies(plan, i as u32..i as u32 + 1, pool);
                self.show_bodies(i, true);
                self.list_touched();
                self.hold_bodies(s.h)?;
                self.find_touches(s.h);
            }
            self.step_rods(dt, runner, Some((Stage::Predict, i)))?;
            self.meshes.iter_mut().for_each(|(_, m)| m.predict(&s));
            self.rods.iter_mut().for_each(|(_, r)| r.netted = false);
            for (_, a) in self.attachments.iter_mut() {
                a.predict(&mut self.rods, &mut self.meshes, &mut self.held, &s)?;
            }
            self.held.iter_mut().for_each(|h| h.begin_net(s.gravity, s.h));
            let (mut iterations, mut k) = (own_iterations as usize, 0);
            while k < iterations {
                for (_, a) in self.attachments.iter_mut() {
                    a.tell(&mut self.rods, &self.meshes, &self.held, s.h)?;
                }
                let loose = self.attachments.iter().any(|(_, a)| a.is_loose());
                iterations = iterations.max(if loose { NET_STEPS } else { 1 });
                let last = k + 1 == iterations;
                self.step_rods(dt, runner, Some((Stage::sweep(k, iterations), i)))?;
                for (_, a) in self.attachments.iter_mut() {
                    a.solve(&mut self.rods, &mut self.meshes, &mut self.held, &s)?;
                }
                if loose && !last {
                    self.solve_net(&s)?;
                    // This strand step has not seen the turn: the next one has, and tells what is left.
                    if k + 2 == iterations && iterations < MOST_NET_STEPS && self.net.largest_turn() > NET_TURN {
                        iterations += 1;
                    }
                }
                if bodies.is_some() {
                    self.solve_touches(s.h, k > 0 && last)?;
                }
                for (_, m) in self.meshes.iter_mut() {
                    m.solve(&s);
                    m.contacts(self.motions64.at(i, substeps), &self.dynamics.double.solids);
                }
                self.step_rods(dt, runner, Some((Stage::Contacts, i)))?;
                k += 1;
            }
            self.step_rods(dt, runner, Some((Stage::Finalize, i)))?;
            self.meshes.iter_mut().for_each(|(_, m)| m.finalize(&s));
            self.attachments.iter_mut().for_each(|(_, a)| a.finalize(&s));
            for k in 0..self.held.len() {
                let held = self.held[k];
                self.let_go(&held, s.h);
            }
        }
        self.step_rods(dt, runner, Some((Stage::Report, substeps - 1)))?;
        self.meshes.iter_mut().for_each(|(_, m)| m.end_step());
        Ok(())
    }
}

/// What strands know of their anchors (`layout::tie`).
impl Rods {
    /// Memory for what attachments hold roots or tips by, where Newton's method solves them.
    pub(super) fn own_ties(&mut self, tip: bool) {
        if self.desc.order == SweepOrder::Direct {
            let (len, spare) = (self.layout.lanes * tie::ROWS, self.layout.cells * 4);
            with!(&mut self.data, b => {
                if b.spare.is_empty() {
                    b.spare = Aligned::zeroed(spare);
                }
                let rows = &mut b.ties[usize::from(tip)];
                if rows.is_empty() {
                    *rows = Aligned::zeroed(len);
                }
            });
        }
    }
    fn set_tie(&mut self, strand: usize, tip: bool, field: usize, values: &[f64]) {
        let (i, w) = (self.layout.strand_index(strand, tie::ROWS, field), self.row(strand));
        with!(&mut self.data, b => {
            for (k, &v) in values.iter().enumerate() {
                b.ties[usize::from(tip)][i + k * w] = Elem::from_f64(v);
            }
        });
    }
    /// Ψ̄ of the half element between an anchor and the end edge of a strand.
    pub(crate) fn half_rest(&self, strand: usize, tip: bool) -> Vec3<f64> {
        let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
        let (_, [a, b, c, d, twist]) = self.rest_row(strand, end);
        match self.desc.model {
            RodModel::Ghost => Vec3 { x: a, y: b, z: twist },
            RodModel::Der => Vec3 { x: -0.5 * (b + d), y: 0.5 * (a + c), z: twist },
        }
    }
    /// The force that an anchor which is solved apart gives an end.
    pub(crate) fn set_tie_load(&mut self, strand: usize, tip: bool, f: Vec3<f64>) {
        self.set_tie(strand, tip, tie::LOOSE, &[1.0, f.x, f.y, f.z]);
    }
    /// [`tie::RESPONSE`] of a strand's root, 0, or tip, 1, or [`tie::ACROSS`], 2.
    pub(crate) fn tie_response(&self, strand: usize, part: usize) -> [f64; 36] {
        let field = if part < 2 { tie::RESPONSE } else { tie::ACROSS };
        let (i, w) = (self.layout.strand_index(strand, tie::ROWS, field), self.row(strand));
        with!(&self.data, b => {
            let rows = &b.ties[part.min(1)];
            core::array::from_fn(|k| rows.get(i + k * w).map_or(0.0, |v| v.to_f64()))
        })
    }
    /// Nothing holds that end any more, and the next clamp begins without turns.
    pub(crate) fn clear_tie(&mut self, strand: usize, tip: bool) {
        if self.desc.model == RodModel::Der {
            let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
            self.set_state(strand, end, state::TWIST, 0.0);
        }
        if with!(&self.data, b => !b.ties[usize::from(tip)].is_empty()) {
            self.set_tie(strand, tip, 0, &[0.0; tie::ROWS]);
        }
    }
    /// Where an end is drawn to, m from where it is when the substep begins, by what mass; `still`: it goes there.
    pub(crate) fn set_tie_place(&mut self, strand: usize, tip: bool, at: Vec3<f64>, m: Sym3<f64>, still: bool) {
        let still = f64::from(u8::from(still));
        self.set_tie(strand, tip, tie::AT, &[at.x, at.y, at.z, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, still]);
    }
    /// The frame that an end edge is held to, the inverse inertia of what holds it, and Ψ̄.
    pub(crate) fn set_tie_frame(&mut self, strand: usize, tip: bool, q: Quat<f64>, turn: Vec3<f64>, psi: Vec3<f64>) {
        self.set_tie(strand, tip, tie::CLAMPED, &[1.0, q.x, q.y, q.z, q.w, turn.x, turn.y, turn.z, psi.x, psi.y, psi.z]);
    }
    /// That alone, of an end that one is told for.
    pub(crate) fn aim_tie(&mut self, strand: usize, tip: bool, q: Quat<f64>) {
        if self.tied_frame(usize::from(tip), strand).is_some() {
            self.set_tie(strand, tip, tie::ROTATION, &[q.x, q.y, q.z, q.w]);
        }
    }
    /// That of a clamped attachment of Newton's method, where it was in the last step, or at [`World::aim_ties`].
    pub(super) fn tied_frame(&self, end: usize, strand: usize) -> Option<EdgeFrame<f64>> {
        let i = |k: usize| self.layout.strand_index(strand, tie::ROWS, k);
        let c = |k: usize| with!(&self.data, b => b.ties[end].get(i(k)).map_or(0.0, |c| c.to_f64()));
        let q = |k: usize| c(tie::ROTATION + k);
        (c(tie::CLAMPED) > 0.0).then(|| EdgeFrame::fixed(Quat { x: q(0), y: q(1), z: q(2), w: q(3) }.frame()))
    }
}
