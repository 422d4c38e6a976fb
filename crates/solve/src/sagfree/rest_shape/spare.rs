//! Scratch memory of optimizers, from one group of strands to the next.

use super::Optimizer;
use crate::math::Lane;
use core::any::Any;
use parking_lot::Mutex;

/// Optimizers that wait for their next group: as large as the strands, they are only as many as there are workers.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Box<dyn Any + Send>>>);

impl Spare {
    /// One of these lanes and that many vertices.
    pub fn take<L: Lane>(&self, vertices: usize) -> Box<Sendable<L>> {
        let mut all = self.0.lock();
        let fits = |o: &Box<dyn Any + Send>| o.downcast_ref::<Sendable<L>>().is_some_and(|o| o.0.vertices() == vertices);
        let found = all.iter().position(fits).and_then(|i| all.swap_remove(i).downcast().ok());
        // Groups come by length: what does not fit now will not fit any more.
        found.unwrap_or_else(|| {
            all.clear();
            Box::new(Sendable(Optimizer::new(vertices)))
        })
    }

    pub fn give_back<L: Lane>(&self, optimizer: Box<Sendable<L>>) {
        self.0.lock().push(optimizer);
    }
}

pub(crate) struct Sendable<L>(pub Optimizer<L>);
// SAFETY: lanes are plain numbers.
unsafe impl<L: Lane> Send for Sendable<L> {}
