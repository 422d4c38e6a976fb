//! What a set of rods knows of its rest; who decides about it is the world.

use crate::collide::Bounds;
use crate::math::Vec3;

/// Whether a set of rods sleeps.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub asleep: bool,
    /// How long it has been still, s, and where it was when that began: some points of each strand (`world/rod_rest.rs`).
    pub still: f64,
    pub places: Vec<[f32; 3]>,
    /// The host has changed it in its sleep, since the last step.
    pub stirred: bool,
    /// Counted up when the host or a search changes its material: a state from before that is not one of rest.
    pub described: u64,
    /// Where it lies, with its radius.
    pub around: Bounds<f64>,
}

impl Default for Rest {
    fn default() -> Self {
        let zero = Vec3::zero();
        Rest {
            asleep: false,
            still: 0.0,
            places: Vec::new(),
            stirred: false,
            described: 0,
            around: Bounds { min: zero, max: zero },
        }
    }
}

impl Rest {
    /// The host has changed something: what is awake is not at rest, and what sleeps wakes in the next step.
    pub fn stir(&mut self) {
        self.stirred |= self.asleep;
        self.still = if self.asleep { self.still } else { 0.0 };
    }
    /// The same, of the material.
    pub fn describe(&mut self) {
        self.described += 1;
        self.stir();
    }
}
