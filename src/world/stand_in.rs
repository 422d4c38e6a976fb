//! Not built yet: meshes, attachments, saved states, debug lines.

use super::{Error, Id, MeshDesc, Result, StrandEnd, World};

fn missing<T>(what: &str) -> Result<T> {
    Err(Error::unsupported(format!("{what}: not built")))
}

fn no_mesh<T>(id: Id) -> Result<T> {
    Err(Error::handle(format!("mesh: no object {} of generation {}", id.index, id.generation)))
}

impl World {
    pub fn add_mesh(&mut self, _: MeshDesc) -> Result<Id> {
        missing("mesh")
    }
    pub fn remove_mesh(&mut self, id: Id) -> Result<()> {
        no_mesh(id)
    }
    pub fn set_mesh_positions(&mut self, id: Id, _: impl FnMut(usize) -> [f64; 3], _teleport: bool) -> Result<()> {
        no_mesh(id)
    }
    pub fn read_mesh_positions(&self, id: Id, _: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        no_mesh(id)
    }
    pub fn read_mesh_corrections(&self, id: Id, _: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        no_mesh(id)
    }
    pub fn attach_triangle(&mut self, rods: Id, _: StrandEnd, mesh: Id, _: u32, _: [f64; 3], _clamp: bool) -> Result<Id> {
        self.rods(rods)?;
        no_mesh(mesh)
    }
    pub fn add_junction(&mut self, ends: &[(Id, StrandEnd)], _radius: f64, _mass: f64) -> Result<Id> {
        ends.iter().try_for_each(|(rods, _)| self.rods(*rods).map(drop))?;
        missing("junction")
    }
    pub fn remove_attachment(&mut self, id: Id) -> Result<()> {
        Err(Error::handle(format!("attachment: no object {} of generation {}", id.index, id.generation)))
    }
    pub fn debug_lines(&self, _: impl FnMut([f64; 3], [f64; 3], u32)) -> usize {
        0
    }
    pub fn save_state(&self, _: &mut [u8]) -> Result<usize> {
        missing("state")
    }
    pub fn restore_state(&mut self, _: &[u8]) -> Result<()> {
        missing("state")
    }
}
