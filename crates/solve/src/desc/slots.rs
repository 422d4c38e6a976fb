//! Storage by index and generation: a stale id finds nothing instead of somebody else's object.

use crate::desc::error::{Error, Result};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which object, and which life of its slot. Generation 0 is never given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Id {
    pub index: u32,
    pub generation: u32,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// Objects of one kind. Iteration is in slot order, so results depend on creation order only.
#[derive(Debug)]
pub struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// The lowest comes first: what goes and comes back together finds its slots again, in whatever order it went.
    free: BinaryHeap<Reverse<u32>>,
    /// In use.
    count: usize,
    kind: &'static str,
}

impl<T> Slots<T> {
    /// Generations live in 20 bits of a handle.
    pub const MAX_GENERATION: u32 = (1 << 20) - 1;
    /// Indices live in 20 bits of a handle.
    pub const MAX_OBJECTS: usize = 1 << 20;

    pub fn new(kind: &'static str) -> Self {
        Slots { slots: Vec::new(), free: BinaryHeap::new(), count: 0, kind }
    }

    pub fn insert(&mut self, value: T) -> Result<Id> {
        if let Some(Reverse(index)) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.value = Some(value);
            self.count += 1;
            return Ok(Id { index, generation: slot.generation });
        }
        if self.slots.len() >= Self::MAX_OBJECTS {
            return Err(Error::invalid(format!("{}: more than {} in one world", self.kind, Self::MAX_OBJECTS)));
        }
        let index = self.slots.len() as u32;
        self.slots.push(Slot { generation: 1, value: Some(value) });
        self.count += 1;
        Ok(Id { index, generation: 1 })
    }

    pub fn remove(&mut self, id: Id) -> Result<T> {
        self.get(id)?;
        let slot = &mut self.slots[id.index as usize];
        let value = slot.value.take().expect("checked by get");
        self.count -= 1;
        // A slot whose generations are used up is retired rather than reused.
        if slot.generation < Self::MAX_GENERATION {
            slot.generation += 1;
            self.free.push(Reverse(id.index));
        }
        Ok(value)
    }

    /// Refuses what there would be no place for.
    pub fn check_room(&self, more: usize) -> Result<()> {
        let room = self.free.len() + (Self::MAX_OBJECTS - self.slots.len());
        if more <= room {
            return Ok(());
        }
        Err(Error::invalid(format!("{}: {more} more, there is room for {room} of {}", self.kind, Self::MAX_OBJECTS)))
    }

    fn stale(&self, id: Id) -> Error {
        Error::handle(format!(
            "{}: no object {} of generation {} (destroyed, or never created)",
            self.kind, id.index, id.generation
        ))
    }

    pub fn get(&self, id: Id) -> Result<&T> {
        match self.slots.get(id.index as usize) {
            Some(Slot { generation, value: Some(value) }) if *generation == id.generation => Ok(value),
            _ => Err(self.stale(id)),
        }
    }

    pub fn get_mut(&mut self, id: Id) -> Result<&mut T> {
        self.get(id)?;
        Ok(self.slots[id.index as usize].value.as_mut().expect("checked by get"))
    }

    /// The object in a slot, if there is one.
    pub fn at(&self, slot: usize) -> Option<(Id, &T)> {
        let s = self.slots.get(slot)?;
        s.value.as_ref().map(|v| (Id { index: slot as u32, generation: s.generation }, v))
    }

    /// Slots, in use or not: every index is below.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
    pub fn len(&self) -> usize {
        self.count
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn iter(&self) -> impl Iterator<Item = (Id, &T)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(i, s)| s.value.as_ref().map(|v| (Id { index: i as u32, generation: s.generation }, v)))
    }
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(i, s)| {
            let generation = s.generation;
            s.value.as_mut().map(|v| (Id { index: i as u32, generation }, v))
        })
    }
}
