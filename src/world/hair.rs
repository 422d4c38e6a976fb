//! Render hair of a world: strands that follow rods. It holds no state: what it gives depends on the
//! rods, and on the roots that the host may have given, alone. Snapshots have nothing of it.

use parking_lot::Mutex;

use super::World;
use super::followers::Followed;
use super::followers::GpuHair;
use crate::desc::error::{Error, ErrorKind, Result};
use crate::desc::slots::Id;
#[cfg(feature = "gpu")]
use crate::hair::Made;
use crate::hair::{BindOptions, Guides, Hair, Lod, Out, Plan, Pose, Roots, Scatter, Strands};
use crate::tasks::TaskRunner;

/// Most rods whose strands are guides of one hair.
pub const HAIR_RODS: usize = 4096;

/// Which strands follow the rods.
#[derive(Clone, Copy, Debug)]
pub enum HairSource<'a> {
    /// A groom's.
    Groom(Strands<'a>),
    /// A groom's, with three guides and weights a strand.
    Weighted { strands: Strands<'a>, guides: &'a [[u32; 3]], weights: &'a [[f64; 3]] },
    /// Made between the guides.
    Scatter(Scatter<'a>),
}

/// Strands and the rods that they follow.
#[derive(Debug)]
pub struct RodHair {
    hair: Hair,
    rods: Vec<Id>,
    /// Positions, m, and turns; empty: the guides take the roots along.
    roots: (Vec<[f64; 3]>, Vec<[f64; 4]>),
    /// How often they were given.
    rooted: u64,
    /// Where it is made on the GPU.
    gpu: Followed<GpuHair>,
    /// As many as there were reads at once: so that a read allocates only at first.
    scratch: Mutex<Vec<Scratch>>,
}

/// What a read works with.
#[derive(Debug, Default)]
struct Scratch {
    now: Now,
    pose: Pose,
    plan: Plan,
}

/// The guides.
#[derive(Debug, Default)]
struct Now {
    counts: Vec<u32>,
    positions: Vec<[f64; 3]>,
    frames: Vec<[f64; 4]>,
}

impl Now {
    fn guides(&self) -> Guides<'_> {
        Guides { counts: &self.counts, positions: &self.positions, frames: &self.frames }
    }
}

impl RodHair {
    fn new(hair: Hair, rods: &[Id]) -> RodHair {
        RodHair {
            hair,
            rods: rods.to_vec(),
            roots: Default::default(),
            rooted: 0,
            gpu: Followed::default(),
            scratch: Mutex::default(),
        }
    }
    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.rods.capacity() * size_of::<Id>()
            + 56 * self.roots.0.len()
            + self.hair.memory_bytes()
            + self.gpu.memory_bytes()
    }
    fn borrow<R>(&self, f: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut scratch = self.scratch.lock().pop().unwrap_or_default();
        let result = f(&mut scratch);
        self.scratch.lock().push(scratch);
        result
    }
}

fn invalid(e: crate::hair::Error) -> Error {
    Error::invalid(e.0)
}

impl World {
    /// The rods as they are now.
    fn guides_now(&self, rods: &[Id], now: &mut Now) -> Result<()> {
        now.counts.clear();
        now.positions.clear();
        now.frames.clear();
        for (k, &id) in rods.iter().enumerate() {
            let gone = |_| Error::new(ErrorKind::InvalidHandle, format!("rods[{k}] of the hair has been destroyed"));
            let r = self.rods(id).map_err(gone)?;
            now.counts.extend(r.counts());
            r.read_positions(|_, x| now.positions.push(x));
            r.read_frames(|_, x| now.frames.push(x));
        }
        Ok(())
    }

    fn check_hair_rods(&self, rods: &[Id]) -> Result<Now> {
        if rods.is_empty() || rods.len() > HAIR_RODS {
            return Err(Error::invalid(format!("rods has {} entries: hair follows 1 to {HAIR_RODS}", rods.len())));
        }
        for (k, &id) in rods.iter().enumerate() {
            self.rods(id).map_err(|e| Error::new(e.kind, format!("rods[{k}]: {}", e.message)))?;
        }
        let mut now = Now::default();
        self.guides_now(rods, &mut now)?;
        Ok(now)
    }

    /// Binds hair to the strands of rods as they are now: the bind pose.
    pub fn add_hair(&mut self, rods: &[Id], source: HairSource, options: &BindOptions) -> Result<Id> {
        let now = self.check_hair_rods(rods)?;
        let guides = now.guides();
        let hair = match source {
            HairSource::Groom(strands) => Hair::bind(&guides, &strands, options),
            HairSource::Weighted { strands, guides: held, weights } => Hair::with_weights(&guides, &strands, held, weights),
            HairSource::Scatter(scatter) => Hair::scatter(&guides, &scatter, options),
        };
        self.hairs.insert(RodHair::new(hair.map_err(invalid)?, rods))
    }

    /// Hair from the bytes of [`Hair::save`], over rods with the strands that it was bound to.
    pub fn load_hair(&mut self, rods: &[Id], bytes: &[u8]) -> Result<Id> {
        let now = self.check_hair_rods(rods)?;
        let hair = Hair::load(bytes).map_err(invalid)?;
        // Whether it fits the rods, before it is kept.
        hair.pose(&now.guides(), None, &mut Pose::default()).map_err(invalid)?;
        self.hairs.insert(RodHair::new(hair, rods))
    }

    pub fn remove_hair(&mut self, id: Id) -> Result<()> {
        self.hairs.remove(id).map(drop)
    }

    pub fn hair(&self, id: Id) -> Result<&Hair> {
        Ok(&self.hairs.get(id)?.hair)
    }

    /// Where the roots are, m, and how they have turned since the bind pose, until it is said again.
    /// Empty: the guides take them along.
    pub fn set_hair_roots(&mut self, id: Id, positions: Vec<[f64; 3]>, rotations: Vec<[f64; 4]>) -> Result<()> {
        let hair = self.hairs.get_mut(id)?;
        if !(positions.is_empty() && rotations.is_empty()) {
            Roots { positions: &positions, rotations: &rotations }.check(hair.hair.strands()).map_err(invalid)?;
        }
        hair.roots = (positions, rotations);
        hair.rooted += 1;
        Ok(())
    }

    /// What is read at a level of detail.
    pub fn plan_hair<R>(&self, id: Id, lod: Lod, f: impl FnOnce(&Hair, &Plan) -> R) -> Result<R> {
        let own = self.hairs.get(id)?;
        if lod == Lod::default() {
            return Ok(f(&own.hair, own.hair.full()));
        }
        own.borrow(|scratch| {
            scratch.plan.update(&own.hair, lod).map_err(invalid)?;
            Ok(f(&own.hair, &scratch.plan))
        })
    }

    /// Writes where the hair is now.
    ///
    /// # Safety
    /// The targets of `out` have room for the vertices of [`World::plan_hair`] at `lod`, and nobody else uses them meanwhile;
    /// `out.axis` is a permutation.
    pub unsafe fn read_hair(&self, id: Id, lod: Lod, runner: &dyn TaskRunner, out: Out) -> Result<()> {
        let own = self.hairs.get(id)?;
        own.borrow(|Scratch { now, pose, plan }| {
            let roots = Roots { positions: &own.roots.0, rotations: &own.roots.1 };
            let given = (!own.roots.0.is_empty()).then_some(&roots);
            if lod != Lod::default() {
                plan.update(&own.hair, lod).map_err(invalid)?;
            }
            #[cfg(feature = "gpu")]
            {
                let plan = if lod == Lod::default() { own.hair.full() } else { &*plan };
                let wants = [out.positions.is_wanted(), out.tangents.is_wanted()];
                let roots = given.map(|r| (r, own.rooted));
                let read = |on_gpu: &mut GpuHair| {
                    on_gpu.read(&own.hair, plan, roots, wants, |m| {
                        let made = Made { first: m.first, origin: m.origin, positions: m.positions, tangents: m.tangents, out };
                        // SAFETY: the caller's contract.
                        runner.run(made.parts(), &|k| unsafe { made.part(k) });
                    })
                };
                if self.follow(&own.rods, "hair", &own.gpu, |gpu, sets| GpuHair::new(gpu, &own.hair, sets), read)? {
                    return Ok(());
                }
            }
            self.guides_now(&own.rods, now)?;
            own.hair.pose(&now.guides(), given, pose).map_err(invalid)?;
            let plan = if lod == Lod::default() { own.hair.full() } else { plan };
            // SAFETY: the caller's contract.
            let job = unsafe { own.hair.job(pose, plan, out) }.map_err(invalid)?;
            runner.run(job.parts(), &|k| job.part(self.isa(), k));
            Ok(())
        })
    }
}
