//! What follows rods, where it is made on the GPU: render hair and skins, from the state of the rods that lies there. Nothing of the rods comes down for it.
//!
//! The CPU makes it where a set of rods is not on the GPU, where the adapter cannot take it, and where the rods cannot be followed: it says why.

#[cfg(feature = "gpu")]
pub use with_gpu::{Followed, GpuHair, GpuSkin};
#[cfg(not(feature = "gpu"))]
pub use without_gpu::{Followed, GpuHair, GpuSkin};

#[cfg(not(feature = "gpu"))]
mod without_gpu {
    use core::marker::PhantomData;

    /// No such thing: this build has no GPU backend.
    #[derive(Debug)]
    pub enum GpuHair {}
    #[derive(Debug)]
    pub enum GpuSkin {}

    /// Nothing is made there.
    #[derive(Debug)]
    pub struct Followed<T>(PhantomData<T>);

    impl<T> Default for Followed<T> {
        fn default() -> Self {
            Followed(PhantomData)
        }
    }

    impl<T> Followed<T> {
        pub fn memory_bytes(&self) -> usize {
            0
        }
    }
}

#[cfg(feature = "gpu")]
mod with_gpu {
    use crate::desc::error::{Error, ErrorKind, Result};
    use crate::desc::slots::Id;
    use crate::gpu::GpuDevice;
    use crate::gpu::follow::Set;
    pub use crate::gpu::{GpuHair, GpuSkin};
    use crate::world::World;
    use parking_lot::Mutex;

    /// What is bound to rods, on the GPU, from the first read on. There are as many as there were reads at once: nobody waits for another, and
    /// a host's thread that waits for its tasks may read the same in one of them.
    #[derive(Debug)]
    pub struct Followed<T>(Mutex<Bound<T>>);

    #[derive(Debug)]
    struct Bound<T> {
        /// The adapter cannot take it.
        is_refused: bool,
        idle: Vec<T>,
    }

    impl<T> Default for Followed<T> {
        fn default() -> Self {
            Followed(Mutex::new(Bound { is_refused: false, idle: Vec::new() }))
        }
    }

    /// Something that takes memory there.
    pub trait OnGpu {
        fn bytes(&self) -> u64;
    }
    impl OnGpu for GpuHair {
        fn bytes(&self) -> u64 {
            self.memory_bytes()
        }
    }
    impl OnGpu for GpuSkin {
        fn bytes(&self) -> u64 {
            self.memory_bytes()
        }
    }

    impl<T: OnGpu> Followed<T> {
        pub fn memory_bytes(&self) -> usize {
            self.0.lock().idle.iter().map(OnGpu::bytes).sum::<u64>() as usize
        }
    }

    impl World {
        /// Reads what follows these rods, if it is made on the GPU; false: the CPU has to make it. `new` binds it at the first read.
        pub(in crate::world) fn follow<T>(
            &self,
            rods: &[Id],
            what: &str,
            followed: &Followed<T>,
            new: impl FnOnce(&GpuDevice, &[Set<'_>]) -> Result<core::result::Result<T, String>>,
            read: impl FnOnce(&mut T) -> Result<bool>,
        ) -> Result<bool> {
            let Some(gpu) = &self.gpu else { return Ok(false) };
            for (k, &id) in rods.iter().enumerate() {
                let Ok(set) = self.rods(id) else {
                    // What it holds of theirs goes, too.
                    followed.0.lock().idle.clear();
                    return Err(Error::new(ErrorKind::InvalidHandle, format!("rods[{k}] of the {what} has been destroyed")));
                };
                match &set.gpu {
                    Some(side) => side.bring_up()?,
                    None => return Ok(false),
                }
            }
            let idle = {
                let mut bound = followed.0.lock();
                if bound.is_refused {
                    return Ok(false);
                }
                bound.idle.pop()
            };
            let mut it = match idle {
                Some(it) => it,
                None => {
                    let mut sets = Vec::with_capacity(rods.len());
                    for &id in rods {
                        let set = self.rods(id)?;
                        let views = set.gpu.as_ref().map(|side| side.views()).unwrap_or_default();
                        sets.push(Set { layout: &set.layout, views });
                    }
                    let Ok(it) = new(gpu, &sets)? else {
                        followed.0.lock().is_refused = true;
                        return Ok(false);
                    };
                    it
                }
            };
            let made = read(&mut it)?;
            followed.0.lock().idle.push(it);
            Ok(made)
        }
    }
}
