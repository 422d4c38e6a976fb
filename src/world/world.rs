//! The world: objects, their poses, and one step of everything in it.

use std::time::Instant;

use super::cable::state_of;
use super::composite::Composite;
use super::coupling::{Attachment, Ball, Held, Mesh, Met, Net};
use super::dynamics::Dynamics;
use super::hair::RodHair;
use super::rod_contact::RodContacts;
use super::rod_rest::RestLists;
use super::skin::RodSkin;
use super::stats::StepStats;
use super::ties::Left;
use super::touch::Touches;
use crate::bodies::cables::Cable;
use crate::collide::kernels::Distance;
use crate::collide::narrow::{Geometry, MovingMesh, point};
use crate::collide::{Collider, ColliderMotion, Form, between};
use crate::desc::error::{Error, ErrorKind, Result};
use crate::desc::slots::{Id, Slots};
use crate::desc::validate;
use crate::desc::*;
use crate::layout::{Buffers, Workspaces, active, scale, state};
use crate::math::{Elem, Isa, Vec3};
use crate::rods::compile::workspace_rows;
use crate::rods::group::{BlockReport, Settings};
use crate::sagfree::rest_shape::Options;
use crate::stages::{At, Stage};
use crate::step::{RodsStep, Runner, SharedBuffers};
use crate::strands::gpu_side::{self, GpuDevice, GpuTouch};
use crate::strands::settings::{self, Coupling, Reach};
use crate::strands::{Data, Rods};
use crate::tasks::{Attend, Each, Inline, TaskRunner};

/// Colliders in every substep of the step under way, in the precision of the world.
#[derive(Debug, Default)]
pub(super) struct Motions<E> {
    all: Vec<ColliderMotion<E>>,
    /// The meshes that bend, in every substep, and which these are.
    bent: Vec<MovingMesh<E>>,
    listed: Vec<Id>,
    /// Into how many parts a step is cut for these meshes: the substeps, or 1 where who meets them looks at the way of the whole step (the GPU).
    parts: u32,
    /// How often one has been placed.
    placed: u64,
}

impl<E: Elem> Motions<E> {
    pub(super) fn at(&self, substep: usize, substeps: usize) -> &[ColliderMotion<E>] {
        let n = self.all.len() / substeps;
        &self.all[substep * n..][..n]
    }

    /// The collider that a ball with the displacement `u` is deepest in, or nearest to within `reach`, in a substep of so many; the last `without` are left out.
    pub(super) fn meet(
        &self,
        (substep, substeps): (usize, usize),
        without: usize,
        solids: &[Geometry<E>],
        ball: &Ball,
        u: Vec3<f64>,
        reach: f64,
    ) -> Option<Met> {
        let (all, bent) = (self.at(substep, substeps), self.bent_in(substep));
        let mut found: Option<Met> = None;
        for c in &all[..all.len() - without.min(all.len())] {
            if c.mask & ball.layers[0] == 0 || ball.layers[1] & c.category == 0 {
                continue;
            }
            let r = ((ball.x - c.center.map(E::to_f64)) + u).map(E::from_f64);
            let p = Vec3 { x: c.axes[0].dot(r), y: c.axes[1].dot(r), z: c.axes[2].dot(r) };
            let far = E::from_f64(ball.radius + reach);
            let mut surface = c.turn[0] * r.x + c.turn[1] * r.y + c.turn[2] * r.z + c.shift;
            if let Form::Bent(i) = c.form {
                surface = bent.get(i as usize)?.motion(p, far);
            }
            let moved = u.map(E::from_f64) - surface;
            let deep = moved.length() + far;
            let of = |i: u32| match c.form {
                Form::Bent(_) => bent.get(i as usize).and_then(|m| m.point(p, moved, far, deep)),
                _ => solids.get(i as usize).and_then(|g| point(g, p, far, deep)),
            };
            let nowhere = Distance { distance: E::from_f64(f64::MAX), normal: Vec3::zero() };
            let d = c.form.distance(c.size, p, |i| of(i).unwrap_or(nowhere));
            let gap = d.distance.to_f64() - ball.radius;
            if gap < found.map_or(reach, |f| f.gap) {
                let normal = c.axes[0] * d.normal.x + c.axes[1] * d.normal.y + c.axes[2] * d.normal.z;
                let friction = c.friction.to_f64();
                found = Some(Met {
                    normal: normal.map(E::to_f64),
                    gap,
                    surface: surface.map(E::to_f64),
                    friction,
                    on: None,
                    body: None,
                });
            }
        }
        found
    }

    /// The meshes that bend, in each part of the step. What stands still is where it was.
    fn bend(&mut self, meshes: &Slots<Mesh>, substeps: u32) -> Result<()> {
        self.parts = substeps;
        let bending = || meshes.iter().filter(|(_, m)| m.collides.is_some());
        if !self.listed.iter().copied().eq(bending().map(|(id, _)| id)) {
            self.listed = bending().map(|(id, _)| id).collect();
            self.bent.clear();
        }
        let needed = self.listed.len() * substeps as usize;
        let known = self.bent.len();
        self.bent.try_reserve(needed.saturating_sub(known)).map_err(|_| {
            let n = self.listed.len();
            Error::new(ErrorKind::OutOfMemory, format!("substeps is {substeps}: no memory for {n} meshes in each"))
        })?;
        let t = |k: u32| f64::from(k) / f64::from(substeps);
        for i in 0..substeps {
            for (k, (_, m)) in bending().enumerate() {
                let at = i as usize * self.listed.len() + k;
                if self.bent.len() <= at {
                    let both_sides = m.collides.is_some_and(|c| c.both_sides);
                    let Some(surface) = m.surface() else { continue };
                    self.bent.push(MovingMesh::new(surface, both_sides));
                }
                if m.stirred > 0 || known <= at {
                    self.bent[at].place(&m.faces, m.x.len(), |v| m.at(v, t(i + 1)), |v| m.at(v, t(i)));
                    self.placed += 1;
                    self.bent[at].stamp = self.placed;
                }
            }
        }
        Ok(())
    }

    /// Of the meshes that bend, those of the part of the step that a substep is in.
    fn bent_in(&self, substep: usize) -> &[MovingMesh<E>] {
        let part = if self.parts == 1 { 0 } else { substep };
        self.bent.get(part * self.listed.len()..).unwrap_or_default()
    }

    /// Colliders in every substep, and room for `bodies` more shapes. Meshes that bend: and the parts of the step that they are wanted in.
    fn prepare(
        &mut self,
        colliders: &Slots<Collider>,
        meshes: Option<(&Slots<Mesh>, u32)>,
        bodies: usize,
        substeps: u32,
    ) -> Result<()> {
        if let Some((meshes, parts)) = meshes {
            self.bend(meshes, parts)?;
        }
        self.all.clear();
        let needed = (colliders.len() + self.listed.len() + bodies) * substeps as usize;
        self.all.try_reserve(needed).map_err(|_| {
            let n = colliders.len();
            Error::new(ErrorKind::OutOfMemory, format!("substeps is {substeps}: no memory for {n} colliders in each"))
        })?;
        for i in 0..substeps {
            let t = |k: u32| k as f64 / substeps as f64;
            self.all.extend(colliders.iter().map(|(_, c)| c.motion(t(i), t(i + 1))));
            for (k, id) in self.listed.iter().enumerate() {
                let mesh = meshes.and_then(|(m, _)| m.get(*id).ok());
                let layers = mesh.and_then(|m| m.collides).map(|c| (c.friction, [c.category, c.mask]));
                let placed = self.bent_in(i as usize).get(k).map(|bent| (bent.center, bent.bound));
                if let (Some((friction, layers)), Some((center, bound))) = (layers, placed) {
                    self.all.push(ColliderMotion::bent(k as u32, center, bound, friction, layers));
                }
            }
            let nothing = ColliderMotion::new(
                Shape::Sphere { radius: 0.0 },
                [between(Pose::IDENTITY, Pose::IDENTITY, 0.0); 2],
                0.0,
                [0; 2],
            );
            self.all.extend(core::iter::repeat_n(nothing, bodies));
        }
        Ok(())
    }

    /// The shapes of bodies in a substep, after the colliders.
    fn put(&mut self, substep: usize, substeps: usize, bodies: usize, shapes: impl FnOnce(&mut dyn FnMut(ColliderMotion<E>))) {
        let n = self.all.len() / substeps;
        let mut at = substep * n + n - bodies;
        shapes(&mut |m| {
            self.all[at] = m;
            at += 1;
        });
    }
}

/// Everything that is simulated together.
#[derive(Debug)]
pub struct World {
    pub(super) desc: WorldDesc,
    pub(super) gpu: Option<GpuDevice>,
    backend: String,
    pub(super) isa: Isa,
    pub(super) rods: Slots<Rods>,
    /// Where rods touch rods on the GPU.
    gpu_touch: GpuTouch,
    pub(super) colliders: Slots<Collider>,
    pub(super) meshes: Slots<Mesh>,
    pub(super) attachments: Slots<Attachment>,
    pub(super) cables: Slots<Cable>,
    pub(super) skins: Slots<RodSkin>,
    pub(super) hairs: Slots<RodHair>,
    pub(super) dynamics: Dynamics,
    pub(crate) composites: Slots<Option<Box<dyn Composite>>>,
    /// Bodies that rods hang on, in the substep under way.
    pub(super) held: Vec<Held>,
    pub(super) net: Net,
    /// Ends of a net, after a substep.
    pub(super) lost: Vec<Left>,
    /// While bundles are solved: the blocks that contact touches.
    pub(super) touched_before: Vec<u32>,
    /// Of all rods.
    rod_blocks: usize,
    /// Since the last step, and rods do not know of it.
    pub(super) scene_changed: bool,
    /// Where rods touch bodies that they push.
    pub(super) touches: Touches,
    /// Where rods touch rods.
    pub(super) rod_contacts: RodContacts,
    pub(super) motions32: Motions<f32>,
    pub(super) motions64: Motions<f64>,
    pub(super) stats: StepStats,
    pub(super) rest_lists: RestLists,
}

impl World {
    /// On a device that is open already, whatever the description says of the backend.
    #[cfg(feature = "gpu")]
    pub fn on(gpu: &GpuDevice, desc: WorldDesc) -> Result<World> {
        gpu_side::refuse_double(&desc)?;
        let backend = format!("gpu ({})", gpu.name());
        Ok(World { gpu: Some(gpu.clone()), backend, ..World::new(WorldDesc { backend: BackendChoice::Cpu, ..desc })? })
    }

    pub fn new(desc: WorldDesc) -> Result<World> {
        validate::world(&desc)?;
        let isa = desc.isa.unwrap_or_else(Isa::best);
        if !isa.available() {
            return Err(Error::unsupported(format!("isa is {}, which this processor does not have", isa.name())));
        }
        let (gpu, backend) = gpu_side::choose(&desc)?;
        Ok(World {
            gpu,
            backend,
            desc,
            isa,
            rods: Slots::new("rods"),
            gpu_touch: GpuTouch::default(),
            colliders: Slots::new("collider"),
            meshes: Slots::new("mesh"),
            attachments: Slots::new("attachment"),
            cables: Slots::new("cable"),
            skins: Slots::new("skin"),
            hairs: Slots::new("hair"),
            dynamics: Dynamics::default(),
            composites: Slots::new("ragdolls"),
            held: Vec::new(),
            net: Net::default(),
            lost: Vec::new(),
            touched_before: Vec::new(),
            rod_blocks: 0,
            scene_changed: false,
            touches: Touches::default(),
            rod_contacts: RodContacts::default(),
            motions32: Motions::default(),
            motions64: Motions::default(),
            stats: StepStats::default(),
            rest_lists: RestLists::default(),
        })
    }

    pub fn gravity(&self) -> [f64; 3] {
        self.desc.gravity
    }
    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<()> {
        validate::vector("gravity", None, gravity)?;
        if gravity != self.desc.gravity {
            self.change_scene();
            self.wake_all();
        }
        self.desc.gravity = gravity;
        Ok(())
    }
    pub fn set_iterations(&mut self, substeps: u32, iterations: u32) -> Result<()> {
        let desc = WorldDesc { substeps, iterations, ..self.desc.clone() };
        validate::world(&desc)?;
        self.desc = desc;
        Ok(())
    }
    pub(super) fn substeps(&self) -> u32 {
        self.desc.substeps
    }
    /// About the last step. On the GPU this waits for it.
    pub fn stats(&self) -> StepStats {
        let mut s = self.stats;
        if self.gpu.is_some() {
            for (id, rods) in self.rods.iter() {
                let mut reports = vec![BlockReport::default(); rods.reports.len()];
                // A lost device is reported by the next step.
                if rods.gpu.as_ref().is_some_and(|g| g.reports(&mut reports).is_ok()) {
                    fold_report(&mut s, id, rods, &reports);
                }
            }
        }
        s
    }
    /// "cpu", "gpu (adapter)", or "cpu (no gpu: reason)" after a fall-back.
    pub fn backend_name(&self) -> &str {
        &self.backend
    }
    pub fn isa(&self) -> Isa {
        self.isa
    }
    pub fn memory_bytes(&self) -> u64 {
        let motions = self.motions32.all.capacity() * size_of::<ColliderMotion<f32>>()
            + self.motions64.all.capacity() * size_of::<ColliderMotion<f64>>()
            + self.motions32.bent.iter().map(MovingMesh::memory_bytes).sum::<usize>()
            + self.motions64.bent.iter().map(MovingMesh::memory_bytes).sum::<usize>();
        self.rods.iter().map(|(_, r)| r.memory_bytes()).sum::<u64>()
            + self.dynamics.memory_bytes()
            + self.composites.iter().filter_map(|(_, c)| c.as_deref()).map(|c| c.memory_bytes()).sum::<u64>()
            + self.meshes.iter().map(|(_, m)| m.memory_bytes()).sum::<u64>()
            + self.gpu_touch.memory_bytes()
            + self.cables.iter().map(|(_, c)| c.memory_bytes()).sum::<usize>() as u64
            + self.skins.iter().map(|(_, s)| s.memory_bytes()).sum::<usize>() as u64
            + self.hairs.iter().map(|(_, h)| h.memory_bytes()).sum::<usize>() as u64
            + (self.attachments.len() * size_of::<Attachment>()
                + self.colliders.len() * size_of::<Collider>()
                + motions
                + self.touches.memory_bytes()
                + self.rod_contacts.memory_bytes()
                + size_of::<World>()) as u64
    }

    pub fn add_rods(&mut self, desc: RodsDesc) -> Result<Id> {
        self.add_rods_on(desc, &Inline)
    }
    /// The same; what a definition asks to be solved is solved by `runner`.
    pub fn add_rods_on(&mut self, desc: RodsDesc, runner: &dyn TaskRunner) -> Result<Id> {
        let sag_free = desc.sag_free;
        let mut rods = Rods::new(desc, &self.desc, self.gpu.as_ref())?;
        let touching = rods.desc.self_contact;
        if touching {
            rods.find_overlaps();
        }
        if !self.dynamics.bodies.is_empty() {
            rods.prepare_to_push();
        }
        let blocks = rods.layout.blocks.len();
        let id = self.rods.insert(rods)?;
        if touching
            && let Some(gpu) = &self.gpu
            && let Err(error) = self.gpu_touch.renew(gpu, &self.rods)
        {
            self.rods.remove(id)?;
            return Err(error);
        }
        self.rod_blocks += blocks;
        self.touched_before.reserve(self.rod_blocks);
        if self.rods.get(id)?.can_be_pressed() {
            self.list_touching();
        }
        if sag_free && let Err(error) = self.optimize_rest_shape(id, &Options::default(), runner, &mut |_, _| true) {
            self.remove_rods(id)?;
            return Err(error);
        }
        Ok(id)
    }
    pub fn remove_rods(&mut self, id: Id) -> Result<()> {
        let rods = self.rods.remove(id)?;
        self.rod_blocks -= rods.layout.blocks.len();
        self.change_scene();
        if rods.can_be_pressed() {
            self.gpu_touch.drop_pool();
            self.list_touching();
        }
        self.drop_ties(rods.ties.into_values().collect());
        Ok(())
    }
    /// Takes rods out of the world, or puts them back. Out of it they take no step and meet nothing, attachments do not hold them, and they go with their
    /// roots; back in it they go on from there, at rest.
    pub fn set_rods_enabled(&mut self, id: Id, enabled: bool) -> Result<()> {
        let rods = self.rods.get_mut(id)?;
        if rods.rest.disabled != enabled {
            return Ok(());
        }
        rods.rest.disabled = !enabled;
        let hung: Vec<Id> = rods.ties.values().filter_map(|tie| self.attachments.get(*tie).ok()?.body()).collect();
        if enabled {
            rods.follow_ends();
            rods.wakes();
        } else {
            rods.lie_down();
            rods.carry_nothing();
        }
        // What hung or lay on them, or lies where they are.
        hung.into_iter().for_each(|body| self.wake_tied(body));
        self.change_scene();
        self.list_touching();
        Ok(())
    }
    pub fn rods_enabled(&self, id: Id) -> Result<bool> {
        Ok(!self.rods.get(id)?.rest.disabled)
    }
    /// [`Rods::change`]. What pushes bodies from now on, and what meets them.
    pub fn change_rods(&mut self, id: Id, new: &RodsDesc) -> Result<()> {
        let rods = self.rods.get(id)?;
        let pushes = rods.desc.one_way && !new.one_way && !self.dynamics.bodies.is_empty();
        let rods = self.rods.get_mut(id)?;
        if rods.change(new)? {
            self.change_scene();
        }
        if pushes {
            self.rods.get_mut(id)?.prepare_to_push();
        }
        self.list_touching();
        Ok(())
    }

    pub fn rods(&self, id: Id) -> Result<&Rods> {
        self.rods.get(id)
    }
    pub fn rods_mut(&mut self, id: Id) -> Result<&mut Rods> {
        self.rods.get_mut(id)
    }

    /// What the GPU cannot do is refused, never done silently on the CPU.
    pub(crate) fn cpu_only(&self, what: &str) -> Result<()> {
        if self.gpu.is_none() { Ok(()) } else { Err(Error::unsupported(format!("{what} are not on the gpu backend"))) }
    }

    pub fn add_collider(&mut self, desc: ColliderDesc) -> Result<Id> {
        let desc = validate::collider(&desc)?;
        self.dynamics.shapes_changed();
        self.change_scene();
        self.colliders.insert(Collider::new(desc))
    }
    pub fn remove_collider(&mut self, id: Id) -> Result<()> {
        self.colliders.get(id)?;
        self.wake_at_collider(id, true);
        self.dynamics.shapes_changed();
        self.change_scene();
        self.colliders.remove(id).map(drop)
    }
    /// The description with the present pose.
    pub fn collider(&self, id: Id) -> Result<ColliderDesc> {
        self.colliders.get(id).map(|c| ColliderDesc { pose: c.to, ..c.desc })
    }
    /// Where the collider will be at the end of the next step. `teleport`: be there without having moved.
    pub fn set_collider_pose(&mut self, id: Id, pose: Pose, teleport: bool) -> Result<()> {
        let pose = validate::pose("pose", None, pose)?;
        let collider = self.colliders.get_mut(id)?;
        collider.to = pose;
        if teleport {
            (collider.from, collider.placed) = (pose, true);
            self.change_scene();
            self.wake_at_collider(id, false);
        }
        Ok(())
    }

    /// Advances everything by `dt` seconds; 0 changes nothing. Results do not depend on the runner.
    pub fn step(&mut self, dt: f64, runner: &dyn TaskRunner) -> Result<()> {
        if dt == 0.0 {
            return Ok(());
        }
        validate::between("dt", dt, 1e-6, 10.0)?;
        let own = self.desc.substeps;
        self.desc.substeps = self.desc.substeps_of(dt);
        let result = self.step_with(dt, own, runner);
        if result.is_err() {
            // What a step has not given back.
            self.take_cables(None);
        }
        self.desc.substeps = own;
        result
    }

    /// `usual`: substeps of a step that is not long.
    fn step_with(&mut self, dt: f64, usual: u32, runner: &dyn TaskRunner) -> Result<()> {
        let begin = Instant::now();
        for (_, r) in self.rods.iter_mut() {
            if r.rest.disabled {
                r.follow_ends();
            } else {
                r.note_description();
                r.put_fields(dt, self.desc.substeps)?;
                r.look_how_thick();
            }
        }
        self.cover_roots();
        let _awake = Attend::new(runner);
        let substeps = self.desc.substeps;
        let bodies = self.begin_bodies(dt, usual, runner)?;
        self.wake_rods_near(dt);
        let shapes = if self.rods.is_empty() { 0 } else { self.rod_shapes() };
        if self.desc.double_precision || !self.meshes.is_empty() {
            let double = self.desc.double_precision;
            let meshes = double.then_some((&self.meshes, substeps));
            self.motions64.prepare(&self.colliders, meshes, if double { shapes } else { 0 }, substeps)?;
        }
        if !self.desc.double_precision {
            let parts = if self.gpu.is_some() { 1 } else { substeps };
            self.motions32.prepare(&self.colliders, Some((&self.meshes, parts)), shapes, substeps)?;
        }
        self.look_what_holds_bundles();
        for (_, rods) in self.rods.iter_mut().filter(|(_, r)| !r.rest.asleep) {
            rods.reports.fill(BlockReport::default());
            rods.compile_for(dt / f64::from(substeps));
            rods.tie_bundles(dt / f64::from(substeps));
        }
        let prepared = Instant::now();
        // Bodies that rods push go substep by substep with them; others first, at once.
        self.find_meetings(dt, bodies.map(|plan| plan.piece_of(0)));
        #[cfg(feature = "gpu")]
        self.find_pushing(dt, bodies.map(|plan| plan.piece_of(0)));
        let tied = |a: &Attachment| a.body().is_some() && !a.is_idle(&self.rods);
        let pushed = self.attachments.iter().any(|(_, a)| tied(a)) || self.rods.iter().any(|(_, r)| r.meets.is_some());
        let together = bodies.filter(|_| pushed);
        if let (Some(plan), None) = (&bodies, &together) {
            self.move_bodies(plan, 0..substeps, runner);
            self.end_bodies(plan, runner);
            (0..substeps as usize).for_each(|i| self.show_bodies(i, false));
        }
        self.step_coupled(dt, together.as_ref(), runner)?;
        if let Some(plan) = &together {
            self.end_bodies(plan, runner);
            self.settle_loads(dt);
        }
        let stepped = Instant::now();
        self.step_rods(dt, runner, None, false)?;
        for (_, rods) in self.rods.iter_mut().filter(|(_, r)| !r.rest.asleep) {
            rods.advance_supports();
            rods.last_h = dt / substeps as f64;
            rods.last_step = if substeps == usual { dt } else { rods.last_h * f64::from(usual) };
            rods.next_step = None;
            rods.break_edges();
        }
        for (_, c) in self.colliders.iter_mut() {
            (c.from, c.placed) = (c.to, false);
        }
        self.rest_rods(dt);
        let solved = Instant::now();
        self.fold_reports();
        let s = &mut self.stats;
        s.contacts += self.touches.count() + self.rod_contacts.count + self.net.touching();
        s.steps += 1;
        s.seconds_prepare = (prepared - begin).as_secs_f64();
        s.seconds_bodies = (stepped - prepared).as_secs_f64();
        s.seconds_solve = (solved - prepared).as_secs_f64();
        s.seconds_report = solved.elapsed().as_secs_f64();
        s.seconds_total = begin.elapsed().as_secs_f64();
        Ok(())
    }

    /// Shows rods where bodies are in a substep: on the way through the step, or, `now`, on the way from where they were when the substep began.
    pub(super) fn show_bodies(&mut self, substep: usize, now: bool) {
        let substeps = self.desc.substeps as usize;
        let shapes = if self.rods.is_empty() { 0 } else { self.rod_shapes() };
        if shapes == 0 {
            return;
        }
        let t = |k: usize| k as f64 / substeps as f64;
        let way = if now { None } else { Some([t(substep), t(substep + 1)]) };
        let d = &mut self.dynamics;
        if self.desc.double_precision {
            self.motions64.put(substep, substeps, shapes, |put| d.double.each_rod_shape(way, put));
        } else {
            self.motions32.put(substep, substeps, shapes, |put| d.single.each_rod_shape(way, put));
        }
    }

    /// The whole step of the rods that nothing ties to others, or one stage of the substep for the others. `join`: stages that nothing comes between are
    /// done together ([`joined`]).
    pub(super) fn step_rods(&mut self, dt: f64, runner: &dyn TaskRunner, stage: Option<(Stage, At)>, join: bool) -> Result<()> {
        if self.rods.is_empty() {
            return Ok(());
        }
        if let Some(gpu) = &self.gpu {
            self.gpu_touch.renew(gpu, &self.rods)?;
        }
        #[cfg(feature = "gpu")]
        let ways = if stage.is_none() { self.pushed_ways(dt) } else { None };
        let two_way = self.dynamic_rod_shapes();
        let relaxes = self.rod_contacts.relaxes;
        for (id, rods) in self.rods.iter_mut() {
            // What is swept is not asked for its answers where contacts take turns with sweeps.
            let turns = relaxes && rods.order() != SweepOrder::Direct;
            let (coupling, pressed) = (rods.coupling(), (rods.is_pressed() && !turns) || rods.is_bundled());
            if rods.rest.asleep || (coupling == Coupling::None) == stage.is_some() {
                continue;
            }
            let joins = join && coupling == Coupling::Contact && !turns && !rods.is_bundled();
            let alone = stage.as_ref().map_or(&[][..], |(stage, _)| core::slice::from_ref(stage));
            let stages = stage.filter(|_| joins).and_then(|(stage, _)| joined(stage)).unwrap_or(alone);
            if stage.is_some() && stages.is_empty() {
                continue;
            }
            // On the GPU nothing else waits for them.
            #[cfg(feature = "gpu")]
            let joins = rods.desc.self_contact || rods.gpu.as_ref().is_some_and(|g| g.pushes);
            #[cfg(not(feature = "gpu"))]
            let joins = false;
            let coupling = if rods.gpu.is_some() && joins { Coupling::Contact } else { coupling };
            let (world, reach, goals) = (&self.desc, rods.reach_now(), rods.are_drawn());
            let Rods { layout, data, desc, pins, reports, tasks, gpu, meets, touched, cuts, .. } = rods;
            let shared = StepOf {
                world,
                isa: self.isa,
                dt,
                stages: stage.map(|(_, at)| (stages, at)),
                coupling,
                pressed,
                two_way: meets.is_some().then_some(two_way),
                layout,
                desc,
                pins,
                tasks,
                reach,
                cuts: cuts.most,
                goals,
                only: matches!(stage, Some((Stage::Respond | Stage::Give, _))).then_some(touched.as_slice()),
            };
            let (single, double) = (&self.dynamics.single.solids, &self.dynamics.double.solids);
            match data {
                #[cfg(feature = "gpu")]
                Data::F32(b) if gpu.is_some() => {
                    let settings = shared.settings();
                    let (step, pool) = (shared.step(&settings, &self.motions32, single), self.gpu_touch.pool_of(id));
                    gpu.as_mut().expect("just asked").step(b, pins, &step, pool, ways.as_ref())?;
                }
                Data::F32(b) => shared.run(b, &self.motions32, single, reports, runner),
                Data::F64(b) => shared.run(b, &self.motions64, double, reports, runner),
            }
            let _ = (gpu, id);
        }
        #[cfg(feature = "gpu")]
        if let (None, Some(gpu)) = (stage, &self.gpu) {
            self.gpu_touch.step(gpu, &mut self.rods, ways.as_ref())?;
            if let Some(ways) = &ways {
                let given = self.gpu_touch.given()?;
                self.take_pushes(ways, &given, dt);
            }
        }
        Ok(())
    }

    fn fold_reports(&mut self) {
        let mut s = StepStats {
            steps: self.stats.steps,
            substeps: self.desc.substeps,
            iterations: self.desc.iterations,
            ..StepStats::default()
        };
        for (id, rods) in self.rods.iter() {
            fold_report(&mut s, id, rods, &rods.reports);
        }
        self.stats = s;
    }

    /// A hash of all state in host order (FNV-1a over the bits): equal on every thread count, lane width and machine.
    pub fn state_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut mix = |bits: u64, bytes: u32| {
            for k in 0..bytes {
                hash = (hash ^ (bits >> (8 * k) & 0xff)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        self.dynamics.each_state(&mut mix);
        for (_, mesh) in self.meshes.iter() {
            mesh.x.iter().chain(&mesh.u).for_each(|v| v.to_array().into_iter().for_each(|c| mix(c.to_bits(), 8)));
        }
        for (_, tie) in self.attachments.iter() {
            if let Attachment::Junction { body, .. } = tie {
                body.x.iter().chain(&body.u).for_each(|v| v.to_array().into_iter().for_each(|c| mix(c.to_bits(), 8)));
            }
        }
        for (_, cable) in self.cables.iter() {
            state_of(cable).into_iter().for_each(|x| mix(x.to_bits(), 8));
        }
        for (_, rods) in self.rods.iter() {
            for (s, &n) in rods.counts().iter().enumerate() {
                for v in 0..n as usize {
                    let rows = if v + 1 < n as usize { state::LAMBDA_LENGTH } else { state::GX };
                    for field in 0..rows {
                        let i = rods.layout.index(s, v, state::ROWS, field);
                        match &rods.data {
                            // Exact: it was an f32.
                            Data::F32(_) => mix((rods.state_at(i) as f32).to_bits() as u64, 4),
                            Data::F64(_) => mix(rods.state_at(i).to_bits(), 8),
                        }
                    }
                    let scales = if rods.keeps_volume() && v + 1 < n as usize { scale::ROWS } else { 0 };
                    let actives = if rods.is_muscle() && v + 1 < n as usize { active::ROWS } else { 0 };
                    for row in 0..rods.second_rows() {
                        let value = rods.second_number(s, v, row);
                        match &rods.data {
                            Data::F32(_) => mix((value as f32).to_bits() as u64, 4),
                            Data::F64(_) => mix(value.to_bits(), 8),
                        }
                    }
                    for row in 0..scales + actives {
                        let value = match row.checked_sub(scales) {
                            None => rods.scale_number(s, v, row),
                            Some(row) => rods.active_number(s, v, row),
                        };
                        match &rods.data {
                            Data::F32(_) => mix((value as f32).to_bits() as u64, 4),
                            Data::F64(_) => mix(value.to_bits(), 8),
                        }
                    }
                }
            }
        }
        hash
    }
}

fn fold_report(s: &mut StepStats, id: Id, rods: &Rods, reports: &[BlockReport]) {
    for (block, r) in rods.layout.blocks.iter().zip(reports) {
        if r.largest_strain > s.largest_strain || s.largest_strain_rods.is_none() {
            s.largest_strain = r.largest_strain;
            s.largest_strain_rods = Some(id);
            s.largest_strain_strand = block.strands[r.strain_lane as usize];
        }
        s.non_finite_strands += r.non_finite.count_ones();
        s.kinked_strands += r.kinked.count_ones();
        s.limited_strands += r.limited.count_ones();
        s.contacts += r.contacts;
    }
}

/// What one set of rods needs for its step, apart from the buffers.
pub(super) struct StepOf<'a> {
    pub(super) world: &'a WorldDesc,
    pub(super) isa: Isa,
    pub(super) dt: f64,
    /// `None`: all of the step.
    pub(super) stages: Option<(&'a [Stage], At)>,
    pub(super) coupling: Coupling,
    pub(super) pressed: bool,
    /// How many colliders, the last, are shapes of bodies that these rods push; `None`: these are colliders like others.
    pub(super) two_way: Option<usize>,
    pub(super) layout: &'a crate::layout::Layout,
    pub(super) desc: &'a RodsDesc,
    pub(super) pins: &'a [crate::rods::group::Pin],
    pub(super) tasks: &'a [core::ops::Range<u32>],
    pub(super) reach: Reach,
    /// Cut edges of the strand that has most of them.
    pub(super) cuts: u32,
    /// Goals draw them: those are forces of implicit Euler, for a whole step, and would keep alive what such steps damp.
    pub(super) goals: bool,
    /// These lanes of each block alone.
    pub(super) only: Option<&'a [u32]>,
}

impl StepOf<'_> {
    fn settings<E: Elem>(&self) -> Settings<E> {
        let settings = settings::of(self.desc, self.world, self.dt, self.coupling, self.pressed, self.reach);
        Settings { cuts: self.cuts, second: settings.second && !self.goals, ..settings }
    }

    fn iterations(&self) -> usize {
        settings::iterations(self.desc, self.world, self.coupling.is_swept()) as usize
    }

    fn step<'s, E: Elem>(
        &self,
        settings: &'s Settings<E>,
        motions: &'s Motions<E>,
        solids: &'s [Geometry<E>],
    ) -> RodsStep<'s, E> {
        let (substeps, iterations) = (self.world.substeps as usize, self.iterations());
        let colliders_per_substep = motions.all.len() / substeps;
        let bent = &motions.bent[..(motions.listed.len() * motions.parts as usize).min(motions.bent.len())];
        let met = colliders_per_substep - self.two_way.unwrap_or(0).min(colliders_per_substep);
        RodsStep { settings, substeps, iterations, colliders: &motions.all, colliders_per_substep, met, solids, bent }
    }

    pub(super) fn run<E: Runner>(
        &self,
        buffers: &mut Buffers<E>,
        motions: &Motions<E>,
        solids: &[Geometry<E>],
        reports: &mut [BlockReport],
        runner: &dyn TaskRunner,
    ) {
        let settings = self.settings::<E>();
        let step = self.step(&settings, motions, solids);
        let workspaces = Workspaces::new(buffers, self.layout, workspace_rows(self.desc), self.stages.is_none());
        let shared = SharedBuffers::new(buffers, self.layout.cells);
        let reports = Each::new(reports);
        let task = |k: usize| {
            let workspace = workspaces.take();
            for i in self.tasks[k].clone() {
                let lanes = self.only.map_or(u32::MAX, |only| only.get(i as usize).copied().unwrap_or(0));
                if lanes == 0 {
                    continue;
                }
                let first = self.pins.partition_point(|p| p.block < i);
                let last = self.pins.partition_point(|p| p.block <= i);
                let block = &self.layout.blocks[i as usize];
                let shared = shared.working_in(workspace.as_ref().map_or(core::ptr::null_mut(), |w| w.first()));
                let run = |stage: Option<(Stage, At)>| {
                    // SAFETY: the isa was checked when the world was made; tasks are disjoint ranges of blocks, and each
                    // index is run once; `reports` has one entry a block; the workspace is this task's.
                    unsafe {
                        let report = E::run(self.isa, &shared, block, &step, &self.pins[first..last], stage, lanes);
                        put_report(reports.at(i as usize), &report, stage);
                    }
                };
                match self.stages {
                    Some((stages, at)) => stages.iter().for_each(|&stage| run(Some((stage, at)))),
                    None => run(None),
                }
            }
        };
        runner.run(self.tasks.len(), &task);
    }
}

/// What rods that only touch rods do when a stage comes, in a substep of one iteration without attachments and meshes: nothing comes between a stage and
/// those that are done with it, and a block's rows are still in the cache then. `None`: that stage alone.
fn joined(stage: Stage) -> Option<&'static [Stage]> {
    match stage {
        Stage::Predict | Stage::Follow | Stage::Contacts => Some(&[]),
        Stage::Solve => Some(&[Stage::Predict, Stage::Solve]),
        Stage::Finalize => Some(&[Stage::Follow, Stage::Contacts, Stage::Finalize]),
        _ => None,
    }
}

/// Adds to a block's report. Of stages, only the last look at the contacts counts.
fn put_report(to: &mut BlockReport, report: &BlockReport, stage: Option<(Stage, At)>) {
    match stage {
        Some((Stage::Contacts, _)) => to.contacts = report.contacts,
        _ => to.add(report),
    }
}
