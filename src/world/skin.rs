//! Skins of a world: meshes that follow rods. They hold no state: what a skin gives depends on the
//! rods alone, so snapshots have nothing of them.

use super::World;
use super::followers::{Followed, GpuSkin};
use crate::desc::error::{Error, ErrorKind, Result};
use crate::desc::slots::Id;
#[cfg(feature = "gpu")]
use crate::gpu::skin::Wants;
use crate::skin::{BindOptions, Mesh, Out, Pose, Skin, Strands};
use crate::tasks::{Each, TaskRunner};

/// Most rods of a skin.
pub const SKIN_RODS: usize = 4096;

/// A bound mesh and the rods that it follows.
#[derive(Debug)]
pub struct RodSkin {
    skin: Skin,
    rods: Vec<Id>,
    /// Where it is made on the GPU.
    gpu: Followed<GpuSkin>,
}

/// Where weights come from.
#[derive(Clone, Copy, Debug)]
pub enum SkinWeights<'a> {
    /// Made from the pills of the rods.
    Pills(BindOptions),
    /// Edges, counted through all strands of all rods, and weights: four a vertex.
    Given { edges: &'a [[u32; 4]], weights: &'a [[f64; 4]] },
}

/// What a skin reads of its rods.
#[derive(Debug, Default)]
struct Now {
    counts: Vec<u32>,
    positions: Vec<[f64; 3]>,
    radii: Vec<f64>,
    frames: Vec<[f64; 4]>,
}

impl Now {
    fn strands(&self) -> Strands<'_> {
        Strands { counts: &self.counts, positions: &self.positions, radii: &self.radii, frames: &self.frames }
    }
}

impl RodSkin {
    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.rods.capacity() * size_of::<Id>() + self.skin.memory_bytes() + self.gpu.memory_bytes()
    }
}

fn invalid(e: crate::skin::Error) -> Error {
    Error::invalid(e.0)
}

impl World {
    /// The rods as they are now.
    fn rods_now(&self, rods: &[Id]) -> Result<Now> {
        let mut now = Now::default();
        for (k, &id) in rods.iter().enumerate() {
            let gone = |_| Error::new(ErrorKind::InvalidHandle, format!("rods[{k}] of the skin has been destroyed"));
            let r = self.rods(id).map_err(gone)?;
            now.counts.extend(r.counts());
            r.read_positions(|_, x| now.positions.push(x));
            r.read_radii(|_, x| now.radii.push(x));
            r.read_frames(|_, x| now.frames.push(x));
        }
        Ok(now)
    }

    fn check_skin_rods(&self, rods: &[Id]) -> Result<Now> {
        if rods.is_empty() || rods.len() > SKIN_RODS {
            return Err(Error::invalid(format!("rods has {} entries: a skin follows 1 to {SKIN_RODS}", rods.len())));
        }
        for (k, &id) in rods.iter().enumerate() {
            self.rods(id).map_err(|e| Error::new(e.kind, format!("rods[{k}]: {}", e.message)))?;
        }
        self.rods_now(rods)
    }

    /// Binds a mesh to rods as they are now: the bind pose.
    pub fn add_skin(&mut self, mesh: &Mesh, rods: &[Id], weights: SkinWeights) -> Result<Id> {
        let now = self.check_skin_rods(rods)?;
        let skin = match weights {
            SkinWeights::Pills(options) => Skin::bind(mesh, &now.strands(), &options),
            SkinWeights::Given { edges, weights } => Skin::with_weights(mesh, &now.strands(), edges, weights),
        };
        self.skins.insert(RodSkin { skin: skin.map_err(invalid)?, rods: rods.to_vec(), gpu: Followed::default() })
    }

    /// A skin from the bytes of [`Skin::save`], over rods with the strands that it was bound to.
    pub fn load_skin(&mut self, rods: &[Id], bytes: &[u8]) -> Result<Id> {
        let now = self.check_skin_rods(rods)?;
        let skin = Skin::load(bytes).map_err(invalid)?;
        // Whether it fits the rods, before it is kept.
        skin.pose(&now.strands(), &mut Pose::default()).map_err(invalid)?;
        self.skins.insert(RodSkin { skin, rods: rods.to_vec(), gpu: Followed::default() })
    }

    pub fn remove_skin(&mut self, id: Id) -> Result<()> {
        self.skins.remove(id).map(drop)
    }

    pub fn skin(&self, id: Id) -> Result<&Skin> {
        Ok(&self.skins.get(id)?.skin)
    }

    /// Where the skin is now, for `put` of each vertex in order. `wants` says what of it.
    pub fn read_skin(
        &self,
        id: Id,
        wants: SkinRead,
        runner: &dyn TaskRunner,
        mut put: impl FnMut(usize, [f64; 3]),
    ) -> Result<()> {
        let RodSkin { skin, rods, gpu } = self.skins.get(id)?;
        if wants == SkinRead::Tangents && !skin.has_tangents() {
            return Err(Error::invalid("tangents: the skin was made without"));
        }
        #[cfg(feature = "gpu")]
        {
            let wanted = match wants {
                SkinRead::Positions => Wants::Positions,
                SkinRead::Normals => Wants::Normals,
                SkinRead::Tangents => Wants::Tangents,
            };
            let read = |on_gpu: &mut GpuSkin| {
                let mut radii = Vec::with_capacity(skin.rest_radii().len());
                for &id in rods {
                    self.rods(id)?.natural_radii(|r| radii.push(r));
                }
                on_gpu.read(skin, &radii, wanted, |made| {
                    let origin = if wants == SkinRead::Positions { made.origin } else { [0.0; 3] };
                    for (i, v) in made.vectors.chunks_exact(12).enumerate() {
                        let number = |k: usize| f32::from_ne_bytes([v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]]);
                        put(made.first + i, core::array::from_fn(|k| f64::from(number(k)) + origin[k]));
                    }
                })
            };
            if self.follow(rods, "skin", gpu, |gpu, sets| GpuSkin::new(gpu, skin, sets), read)? {
                return Ok(());
            }
        }
        #[cfg(not(feature = "gpu"))]
        let _ = gpu;
        let now = self.rods_now(rods)?;
        let mut pose = Pose::default();
        skin.pose(&now.strands(), &mut pose).map_err(invalid)?;
        let mut values = vec![[0.0f32; 3]; skin.vertices()];
        let origin = pose.origin();
        let mut out = Out { origin, ..Out::default() };
        match wants {
            SkinRead::Positions => out.positions = &mut values,
            SkinRead::Normals => out.normals = &mut values,
            SkinRead::Tangents => out.tangents = &mut values,
        }
        let mut parts = skin.parts(&pose, out).map_err(invalid)?;
        let count = parts.len();
        let each = Each::new(&mut parts);
        // SAFETY: each part is one task's.
        runner.run(count, &|k| skin.part(&pose, self.isa(), k, unsafe { each.at(k) }));
        let origin = if wants == SkinRead::Positions { origin } else { [0.0; 3] };
        for (i, v) in values.iter().enumerate() {
            put(i, core::array::from_fn(|k| f64::from(v[k]) + origin[k]));
        }
        Ok(())
    }
}

/// What of a skin is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinRead {
    /// m
    Positions,
    Normals,
    Tangents,
}
