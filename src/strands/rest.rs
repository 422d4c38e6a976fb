//! What a set of rods knows of its rest; who decides about it is the world.

use crate::collide::Bounds;
use crate::math::Vec3;

/// Where a vertex is, with the ghost point, the scale and the twist of its edge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    pub x: [f64; 3],
    pub ghost: [f64; 3],
    pub swell: f64,
    pub turns: f64,
}

/// Whether a set of rods sleeps.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub asleep: bool,
    /// The host has taken it out of the world: it counts as asleep until it is put back, and nothing meets it.
    pub disabled: bool,
    /// How long it has been still, s, and where it was when that began: some points of each strand (`world/rod_rest.rs`).
    pub still: f64,
    pub places: Vec<[f32; 3]>,
    /// Of rods that touch rods (`world/rod_parts.rs`): which part each strand is of, by its first strand; how long that has been still, s; one a vertex, where it is
    /// while its part is held.
    pub parts: Vec<u32>,
    pub stills: Vec<f64>,
    pub kept: Vec<Kept>,
    /// The host has changed it in its sleep, since the last step.
    pub stirred: bool,
    /// Counted up when the host or a search changes arrays of its material: a state from before that is not one of rest.
    pub described: u64,
    /// Where it lies, with its radius.
    pub around: Bounds<f64>,
}

impl Default for Rest {
    fn default() -> Self {
        let zero = Vec3::zero();
        Rest {
            asleep: false,
            disabled: false,
            still: 0.0,
            places: Vec::new(),
            parts: Vec::new(),
            stills: Vec::new(),
            kept: Vec::new(),
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
        if !self.asleep {
            self.moves();
        }
    }
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<[f32; 3]>()
            + self.parts.len() * size_of::<u32>()
            + self.stills.len() * size_of::<f64>()
            + self.kept.len() * size_of::<Kept>()
    }
    /// Nothing of it is at rest.
    pub fn moves(&mut self) {
        self.still = 0.0;
        self.stills.fill(0.0);
    }
    /// The same, of arrays of the material.
    pub fn describe(&mut self) {
        self.described += 1;
        self.stir();
    }
}
