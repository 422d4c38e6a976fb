//! Stand-in until the solver lands: keeps what the ABI writes, falls freely.

use super::desc::*;
use super::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StrandIssueKind {
    ZeroLength = 1,
    Kinked = 2,
    NonFinite = 3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandIssue {
    pub strand: u32,
    pub vertex: u32,
    pub kind: StrandIssueKind,
    pub value: f64,
}

pub struct Rods {
    pub(super) desc: RodsDesc,
    pub(super) x: Vec<[f64; 3]>,
    pub(super) v: Vec<[f64; 3]>,
    pub(super) roots: Vec<Option<Pose>>,
    pub(super) issues: Vec<StrandIssue>,
}

impl Rods {
    pub(super) fn new(d: RodsDesc) -> Result<Rods> {
        let total: u64 = d.counts.iter().map(|c| *c as u64).sum();
        if d.counts.is_empty() || total != d.positions.len() as u64 || d.counts.iter().any(|c| *c < 2) {
            return Err(Error::invalid(format!("counts add up to {total}, positions has {}", d.positions.len())));
        }
        if d.density <= 0.0 || d.radii.iter().any(|r| *r <= 0.0) {
            return Err(Error::invalid("density or radii is not positive".to_string()));
        }
        let v = if d.velocities.is_empty() { vec![[0.0; 3]; d.positions.len()] } else { d.velocities.clone() };
        Ok(Rods { x: d.positions.clone(), v, roots: vec![None; d.counts.len()], issues: Vec::new(), desc: d })
    }
    pub fn strand_count(&self) -> usize {
        self.desc.counts.len()
    }
    pub fn vertex_count(&self) -> usize {
        self.x.len()
    }
    pub fn edge_count(&self) -> usize {
        self.x.len() - self.desc.counts.len()
    }
    pub fn element_count(&self) -> usize {
        self.x.len() - 2 * self.desc.counts.len()
    }
    pub fn counts(&self) -> &[u32] {
        &self.desc.counts
    }
    pub fn set_root_poses(&mut self, mut get: impl FnMut(usize) -> Pose, _teleport: bool) -> Result<()> {
        for (i, r) in self.roots.iter_mut().enumerate() {
            *r = Some(get(i));
        }
        Ok(())
    }
    pub fn set_tip_poses(&mut self, get: impl FnMut(usize) -> Pose, teleport: bool) -> Result<()> {
        self.set_root_poses(get, teleport)
    }
    pub fn read_positions(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.x.iter().enumerate().for_each(|(i, x)| put(i, *x));
    }
    pub fn read_velocities(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.v.iter().enumerate().for_each(|(i, x)| put(i, *x));
    }
    pub fn read_ghosts(&self, mut put: impl FnMut(usize, [f64; 3])) {
        (0..self.edge_count()).for_each(|i| put(i, self.x[i]));
    }
    pub fn read_frames(&self, mut put: impl FnMut(usize, [f64; 4])) {
        (0..self.edge_count()).for_each(|i| put(i, [0.0, 0.0, 0.0, 1.0]));
    }
    pub fn read_twist(&self, mut put: impl FnMut(usize, f64)) {
        (0..self.element_count()).for_each(|i| put(i, 0.0));
    }
    pub fn read_strain(&self, mut put: impl FnMut(usize, f64)) {
        (0..self.edge_count()).for_each(|i| put(i, 0.0));
    }
    pub fn read_darboux(&self, mut put: impl FnMut(usize, [f64; 3])) {
        (0..self.element_count()).for_each(|i| put(i, [0.0; 3]));
    }
    pub fn write_positions(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        self.x.iter_mut().enumerate().for_each(|(i, x)| *x = get(i));
        Ok(())
    }
    pub fn write_velocities(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        self.v.iter_mut().enumerate().for_each(|(i, x)| *x = get(i));
        Ok(())
    }
    pub fn set_rest_shape(&mut self, r: RestShape) -> Result<()> {
        if let RestShape::Explicit { lengths, .. } = &r
            && lengths.len() != self.edge_count()
        {
            return Err(Error::invalid(format!("lengths has {}, rods has {} edges", lengths.len(), self.edge_count())));
        }
        self.desc.rest_shape = r;
        Ok(())
    }
    pub fn set_pin(&mut self, vertex: u32, _target: Option<[f64; 3]>, _teleport: bool) -> Result<()> {
        if vertex as usize >= self.x.len() {
            return Err(Error::invalid(format!("vertex is {vertex}, rods has {}", self.x.len())));
        }
        Ok(())
    }
    pub fn set_motion(&mut self, damping: f64, drag: f64, wind: [f64; 3], friction: f64) -> Result<()> {
        if damping < 0.0 || drag < 0.0 || friction < 0.0 {
            return Err(Error::invalid(format!("damping is {damping}, drag is {drag}, friction is {friction}: negative")));
        }
        (self.desc.damping, self.desc.drag, self.desc.wind, self.desc.friction) = (damping, drag, wind, friction);
        Ok(())
    }
    pub fn report(&self) -> &[StrandIssue] {
        &self.issues
    }
}
