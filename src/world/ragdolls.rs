//! Ragdolls as objects of a world.

use super::World;
use super::error::{Error, ErrorKind, Result};
use super::slots::Id;
use crate::ragdoll::{Ragdoll, RagdollSet};
use std::sync::Arc;

impl World {
    /// Room for so many instances of a ragdoll; none has bodies yet.
    pub fn add_ragdolls(&mut self, ragdoll: Arc<Ragdoll>, count: usize) -> Result<Id> {
        self.cpu_only("ragdolls")?;
        self.ragdolls.insert(Some(RagdollSet::new(ragdoll, count)?))
    }
    /// The bodies and joints of its instances go with it.
    pub fn remove_ragdolls(&mut self, id: Id) -> Result<()> {
        self.with_ragdolls(id, |set, world| set.remove_all(world))?;
        self.ragdolls.remove(id).map(drop)
    }
    pub fn ragdolls(&self, id: Id) -> Result<&RagdollSet> {
        self.ragdolls.get(id)?.as_ref().ok_or_else(taken)
    }
    /// What changes instances, or reads their bones.
    pub fn with_ragdolls<R, E: From<Error>>(
        &mut self,
        id: Id,
        f: impl FnOnce(&mut RagdollSet, &mut World) -> core::result::Result<R, E>,
    ) -> core::result::Result<R, E> {
        let mut set = self.ragdolls.get_mut(id)?.take().ok_or_else(taken)?;
        let result = f(&mut set, self);
        *self.ragdolls.get_mut(id)? = Some(set);
        result
    }
}

/// Only within a call of `with_ragdolls` for the same set.
fn taken() -> Error {
    Error::new(ErrorKind::Busy, "the ragdolls are in use")
}
