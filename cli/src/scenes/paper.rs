//! A world of the modes that only a paper's figure needs (feature `paper`): the C ABI does not have them.

use super::stage::FRAME;
use crate::Result;
use withy::tasks::Inline;
use withy::world::{Id, Pose, Rods, RodsDesc, World, WorldDesc};

pub struct Stage {
    world: World,
}

impl Stage {
    pub fn new(desc: WorldDesc) -> Result<Stage> {
        Ok(Stage { world: World::new(desc)? })
    }
    /// Without gravity.
    pub fn floating(substeps: u32, iterations: u32) -> Result<Stage> {
        Stage::new(WorldDesc { gravity: [0.0; 3], substeps, iterations, ..WorldDesc::default() })
    }
    pub fn add_rods(&mut self, desc: RodsDesc) -> Result<Id> {
        Ok(self.world.add_rods(desc)?)
    }
    pub fn frame(&mut self) -> Result<()> {
        Ok(self.world.step(FRAME, &Inline)?)
    }
    fn rods(&self, id: Id) -> Result<&Rods> {
        Ok(self.world.rods(id)?)
    }
    pub fn positions(&self, id: Id) -> Result<Vec<[f64; 3]>> {
        let mut all = Vec::new();
        self.rods(id)?.read_positions(|_, x| all.push(x));
        Ok(all)
    }
    pub fn velocities(&self, id: Id) -> Result<Vec<[f64; 3]>> {
        let mut all = Vec::new();
        self.rods(id)?.read_velocities(|_, u| all.push(u));
        Ok(all)
    }
    pub fn frames(&self, id: Id) -> Result<Vec<[f64; 4]>> {
        let mut all = Vec::new();
        self.rods(id)?.read_frames(|_, q| all.push(q));
        Ok(all)
    }
    pub fn largest_strain(&self, id: Id) -> Result<f64> {
        let mut most: f64 = 0.0;
        self.rods(id)?.read_strain(|_, s| most = most.max(s.abs()));
        Ok(most)
    }
    /// Of a strand alone.
    pub fn move_ends(&mut self, id: Id, root: Pose, tip: Pose) -> Result<()> {
        let rods = self.world.rods_mut(id)?;
        rods.set_root_poses(|_| root, false)?;
        Ok(rods.set_tip_poses(|_| tip, false)?)
    }
}
