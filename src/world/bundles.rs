//! Bundles in a world: when their sections are found, and who asks the strands (`couple::Bundles`).

use super::coupling::Attachment;
use super::ties::Coupled;
use super::world::World;
use crate::desc::error::Result;
use crate::desc::slots::Id;
use crate::rigid::desc::BodyMotion;
use crate::stages::{At, Stage};
use crate::strands::section_solver::SEARCHES;
use crate::strands::with;

impl World {
    /// Before bundles get their springs: whether all that holds their ends stands, or goes where the host says.
    pub(super) fn look_what_holds_bundles(&mut self) {
        for (_, rods) in self.rods.iter_mut() {
            let Some(bundles) = &mut rods.bundles else { continue };
            let gives = |tie: &Id| match self.attachments.get(*tie) {
                Ok(Attachment::Body { body, .. }) => {
                    self.dynamics.bodies.get(*body).is_ok_and(|b| b.desc.motion == BodyMotion::Dynamic)
                }
                Ok(Attachment::Triangle { mesh, corners, .. }) => {
                    self.meshes.get(*mesh).is_ok_and(|m| corners.iter().any(|&c| m.w[c as usize] > 0.0))
                }
                Ok(Attachment::Junction { .. }) => true,
                Err(_) => false,
            };
            bundles.holds_area = !rods.ties.values().any(gives);
        }
    }

    /// How often the strands of bundles were asked for their answers in the last step. For benches.
    pub fn bundle_products(&self) -> u32 {
        self.rods.iter().filter_map(|(_, r)| r.bundles.as_ref()).map(|b| b.products()).sum()
    }
}

impl Coupled<'_> {
    /// Before a Newton step: where sections are, and what draws strands to them.
    pub(super) fn fit_bundles(&mut self, at: At) {
        for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
            if let Some(bundles) = &mut rods.bundles {
                with!(&mut rods.data, b => bundles.fit(b, at.substep == 0 && at.first(), self.runner));
            }
        }
    }

    /// Before a substep ends: what it has lost of momenta.
    pub(super) fn give_bundles_back(&mut self) {
        for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle() && r.ties.is_empty() && r.cuts.most == 0)
        {
            if let Some(bundles) = &mut rods.bundles {
                with!(&mut rods.data, b => bundles.give_back(b, self.runner));
            }
        }
    }

    /// After it: the strands' own ways become those of the bundle.
    pub(super) fn solve_bundles(&mut self, at: At) -> Result<()> {
        if !self.world.rods.iter().any(|(_, r)| r.is_awake_bundle()) {
            return Ok(());
        }
        for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
            if let Some(bundles) = &mut rods.bundles {
                with!(&mut rods.data, b => bundles.begin(b, self.runner));
            }
        }
        self.search_bundles(at, false)
    }

    /// Before strands are asked what loads on some of them do: nothing is left of the last answers.
    pub(super) fn unload_bundles(&mut self) {
        for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
            if let Some(bundles) = &mut rods.bundles {
                with!(&mut rods.data, b => bundles.unload(b, self.runner));
            }
        }
    }

    /// What strands answer to loads becomes what their bundles do.
    pub(super) fn answer_bundles(&mut self, at: At) -> Result<()> {
        if !self.world.rods.iter().any(|(_, r)| r.is_awake_bundle()) {
            return Ok(());
        }
        for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
            if let Some(bundles) = &mut rods.bundles {
                with!(&mut rods.data, b => bundles.begin_answer(b, self.runner));
            }
        }
        self.search_bundles(at, true)
    }

    fn search_bundles(&mut self, at: At, answers: bool) -> Result<()> {
        // Nobody else is asked.
        let mut touched = core::mem::take(&mut self.world.touched_before);
        touched.clear();
        for (_, rods) in self.world.rods.iter_mut() {
            touched.extend_from_slice(&rods.touched);
            let own = rods.is_awake_bundle();
            rods.touched.fill(if own { u32::MAX } else { 0 });
        }
        for _ in 0..SEARCHES {
            let mut open = false;
            for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
                if let Some(bundles) = &mut rods.bundles {
                    open |= bundles.is_open();
                    rods.touched.fill(if bundles.is_open() { u32::MAX } else { 0 });
                    if bundles.is_open() {
                        with!(&mut rods.data, b => bundles.push(b, self.runner));
                    }
                }
            }
            if !open {
                break;
            }
            self.rods(Stage::Respond, at)?;
            for (_, rods) in self.world.rods.iter_mut().filter(|(_, r)| r.is_awake_bundle()) {
                if let Some(bundles) = &mut rods.bundles {
                    with!(&mut rods.data, b => bundles.take(b, self.runner));
                }
            }
        }
        let mut before = touched.iter();
        for (_, rods) in self.world.rods.iter_mut() {
            rods.touched.iter_mut().zip(&mut before).for_each(|(to, from)| *to = *from);
            if rods.is_awake_bundle()
                && let Some(bundles) = &mut rods.bundles
            {
                with!(&mut rods.data, b => bundles.end(b, answers, self.runner));
            }
        }
        self.world.touched_before = touched;
        Ok(())
    }
}
