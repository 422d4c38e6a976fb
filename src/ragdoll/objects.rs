//! Sets of ragdolls as objects of a world.

use core::any::Any;
use std::sync::Arc;

use super::model::Ragdoll;
use super::set::RagdollSet;
use crate::world::{Composite, Error, ErrorKind, Id, Result, World};

impl World {
    /// Room for so many instances of a ragdoll; none has bodies yet.
    pub fn add_ragdolls(&mut self, ragdoll: Arc<Ragdoll>, count: usize) -> Result<Id> {
        self.composites.insert(Some(Box::new(RagdollSet::new(ragdoll, count)?)))
    }
    /// The bodies and joints of its instances go with it.
    pub fn remove_ragdolls(&mut self, id: Id) -> Result<()> {
        self.with_ragdolls(id, |set, world| set.remove_all(world))?;
        self.composites.remove(id).map(drop)
    }
    pub fn ragdolls(&self, id: Id) -> Result<&RagdollSet> {
        let object: &dyn Any = self.composites.get(id)?.as_deref().ok_or_else(taken)?;
        object.downcast_ref().ok_or_else(other)
    }
    /// What changes instances, or reads their bones.
    pub fn with_ragdolls<R, E: From<Error>>(
        &mut self,
        id: Id,
        f: impl FnOnce(&mut RagdollSet, &mut World) -> core::result::Result<R, E>,
    ) -> core::result::Result<R, E> {
        let mut object: Box<dyn Composite> = self.composites.get_mut(id)?.take().ok_or_else(taken)?;
        let any: &mut dyn Any = &mut *object;
        let result = match any.downcast_mut() {
            Some(set) => f(set, self),
            None => Err(other().into()),
        };
        *self.composites.get_mut(id)? = Some(object);
        result
    }
}

/// Only within a call of `with_ragdolls` for the same set.
fn taken() -> Error {
    Error::new(ErrorKind::Busy, "the ragdolls are in use")
}

fn other() -> Error {
    Error::handle("the handle is not one of ragdolls")
}
