//! Stand-in until the solver lands: keeps what the ABI writes, falls freely.

use super::desc::*;
use super::error::{Error, Result};
use super::rods::Rods;
use super::slots::{Id, Slots};
use super::stats::StepStats;
use super::tasks::TaskRunner;
use crate::backend::cpu::Isa;

pub struct World {
    desc: WorldDesc,
    stats: StepStats,
    rods: Slots<Rods>,
    colliders: Slots<ColliderDesc>,
    meshes: Slots<MeshDesc>,
    attachments: Slots<()>,
}

impl World {
    pub fn new(desc: WorldDesc) -> Result<World> {
        if desc.backend == BackendChoice::Gpu {
            return Err(Error::unsupported("backend is GPU: not built"));
        }
        if desc.substeps == 0 || desc.iterations == 0 {
            return Err(Error::invalid("substeps or iterations is 0"));
        }
        let (rods, colliders) = (Slots::new("rods"), Slots::new("collider"));
        let (meshes, attachments) = (Slots::new("mesh"), Slots::new("attachment"));
        Ok(World { desc, stats: StepStats::default(), rods, colliders, meshes, attachments })
    }
    pub fn set_gravity(&mut self, g: [f64; 3]) -> Result<()> {
        self.desc.gravity = g;
        Ok(())
    }
    pub fn gravity(&self) -> [f64; 3] {
        self.desc.gravity
    }
    pub fn set_iterations(&mut self, substeps: u32, iterations: u32) -> Result<()> {
        if substeps == 0 || iterations == 0 || substeps > 1024 || iterations > 10_000 {
            return Err(Error::invalid(format!("substeps is {substeps}, iterations is {iterations}")));
        }
        (self.desc.substeps, self.desc.iterations) = (substeps, iterations);
        Ok(())
    }
    pub fn step(&mut self, dt: f64, runner: &dyn TaskRunner) -> Result<()> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(Error::invalid(format!("dt is {dt}: must be positive and finite")));
        }
        let g = self.desc.gravity;
        for (_, r) in self.rods.iter_mut() {
            let (v, x) = (r.v.as_mut_ptr() as usize, r.x.as_mut_ptr() as usize);
            runner.run(r.x.len(), &|i| {
                // SAFETY: each index once, i < len of both.
                unsafe {
                    let v = &mut *(v as *mut [f64; 3]).add(i);
                    let x = &mut *(x as *mut [f64; 3]).add(i);
                    for k in 0..3 {
                        v[k] += dt * g[k];
                        x[k] += dt * v[k];
                    }
                }
            });
        }
        self.stats.steps += 1;
        Ok(())
    }
    pub fn stats(&self) -> &StepStats {
        &self.stats
    }
    pub fn backend_name(&self) -> &str {
        "cpu"
    }
    pub fn isa(&self) -> Isa {
        self.desc.isa.unwrap_or(Isa::best())
    }
    pub fn memory_bytes(&self) -> u64 {
        1000
    }
    pub fn state_hash(&self) -> u64 {
        let mut h = 0xcbf2_9ce4_8422_2325u64;
        let mut mix = |b: u64| h = (h ^ b).wrapping_mul(0x100_0000_01b3);
        for (_, r) in self.rods.iter() {
            r.x.iter().chain(&r.v).flatten().for_each(|x| mix(x.to_bits()));
        }
        h
    }
    pub fn add_rods(&mut self, d: RodsDesc) -> Result<Id> {
        self.rods.insert(Rods::new(d)?)
    }
    pub fn remove_rods(&mut self, id: Id) -> Result<()> {
        self.rods.remove(id).map(drop)
    }
    pub fn rods(&self, id: Id) -> Result<&Rods> {
        self.rods.get(id)
    }
    pub fn rods_mut(&mut self, id: Id) -> Result<&mut Rods> {
        self.rods.get_mut(id)
    }
    /// The living rods in slot `index`.
    pub fn rods_at(&self, index: u32) -> Option<Id> {
        self.rods.iter().map(|(id, _)| id).find(|id| id.index == index)
    }
    pub fn add_collider(&mut self, d: ColliderDesc) -> Result<Id> {
        if let Shape::Sphere { radius } = d.shape
            && radius <= 0.0
        {
            return Err(Error::invalid(format!("radius is {radius}: must be positive")));
        }
        self.colliders.insert(d)
    }
    pub fn remove_collider(&mut self, id: Id) -> Result<()> {
        self.colliders.remove(id).map(drop)
    }
    pub fn collider(&self, id: Id) -> Result<ColliderDesc> {
        self.colliders.get(id).copied()
    }
    pub fn set_collider_pose(&mut self, id: Id, pose: Pose, _teleport: bool) -> Result<()> {
        self.colliders.get_mut(id)?.pose = pose;
        Ok(())
    }
    pub fn add_mesh(&mut self, d: MeshDesc) -> Result<Id> {
        if let Some(i) = d.triangles.iter().position(|t| t.iter().any(|v| *v as usize >= d.positions.len())) {
            return Err(Error::invalid(format!(
                "triangles[{i}] is {:?}, mesh has {} vertices",
                d.triangles[i],
                d.positions.len()
            )));
        }
        self.meshes.insert(d)
    }
    pub fn remove_mesh(&mut self, id: Id) -> Result<()> {
        self.meshes.remove(id).map(drop)
    }
    pub fn set_mesh_positions(&mut self, id: Id, mut get: impl FnMut(usize) -> [f64; 3], _teleport: bool) -> Result<()> {
        let mesh = self.meshes.get_mut(id)?;
        mesh.positions.iter_mut().enumerate().for_each(|(i, x)| *x = get(i));
        Ok(())
    }
    pub fn read_mesh_positions(&self, id: Id, mut put: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        let mesh = self.meshes.get(id)?;
        mesh.positions.iter().enumerate().for_each(|(i, x)| put(i, *x));
        Ok(mesh.positions.len())
    }
    pub fn read_mesh_corrections(&self, id: Id, mut put: impl FnMut(usize, [f64; 3])) -> Result<usize> {
        let mesh = self.meshes.get(id)?;
        (0..mesh.positions.len()).for_each(|i| put(i, [0.0; 3]));
        Ok(mesh.positions.len())
    }
    pub fn attach_triangle(
        &mut self,
        rods: Id,
        end: StrandEnd,
        mesh: Id,
        triangle: u32,
        _bary: [f64; 3],
        _clamp_direction: bool,
    ) -> Result<Id> {
        let strands = self.rods.get(rods)?.strand_count();
        let triangles = self.meshes.get(mesh)?.triangles.len();
        if end.strand as usize >= strands || triangle as usize >= triangles {
            return Err(Error::invalid(format!("strand is {} of {strands}, triangle is {triangle} of {triangles}", end.strand)));
        }
        self.attachments.insert(())
    }
    pub fn add_junction(&mut self, ends: &[(Id, StrandEnd)], _radius: f64, _mass: f64) -> Result<Id> {
        for (i, (rods, end)) in ends.iter().enumerate() {
            let strands = self.rods.get(*rods)?.strand_count();
            if end.strand as usize >= strands {
                return Err(Error::invalid(format!("ends[{i}].strand is {}, rods has {strands}", end.strand)));
            }
        }
        self.attachments.insert(())
    }
    pub fn remove_attachment(&mut self, id: Id) -> Result<()> {
        self.attachments.remove(id)
    }
    pub fn debug_lines(&self, mut put: impl FnMut([f64; 3], [f64; 3], u32)) -> usize {
        let mut n = 0;
        for (_, r) in self.rods.iter() {
            for w in r.x.windows(2) {
                put(w[0], w[1], u32::MAX);
                n += 1;
            }
        }
        n
    }
    pub fn save_state(&self, out: &mut [u8]) -> Result<usize> {
        if !out.is_empty() {
            out[..8].copy_from_slice(&self.state_hash().to_le_bytes());
        }
        Ok(8)
    }
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() != 8 {
            return Err(Error::invalid(format!("size is {}: not a state of this world", bytes.len())));
        }
        Ok(())
    }
}
