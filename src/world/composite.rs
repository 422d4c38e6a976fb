//! Objects that other modules build from bodies and joints, and that are saved with the world:
//! ragdolls.

use core::any::Any;
use core::fmt::Debug;

use super::World;
use super::snapshot::Tape;
use crate::desc::slots::Id;

/// An object made of a world's bodies and joints. The world keeps it, saves it and gives it back; what it does is its own affair.
pub(crate) trait Composite: Any + Debug + Send + Sync {
    /// Joints that it may have; `nth_joint` is asked for each of them.
    fn most_joints(&self) -> usize;
    /// The joint number `k`, if it is there now.
    fn nth_joint(&self, k: usize) -> Option<Id>;
    /// Numbers that tell another object apart: its sizes, and the slots of its bodies and joints.
    fn shape(&self, world: &World, mix: &mut dyn FnMut(usize));
    fn save(&self, tape: &mut dyn Tape);
    /// The same way back.
    fn restore(&mut self, tape: &mut dyn Tape);
    fn memory_bytes(&self) -> u64;
}
