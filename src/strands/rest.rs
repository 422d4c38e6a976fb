//! What a set of rods knows of its rest; who decides about it is the world.

use super::{Rods, with};
use crate::collide::Bounds;
use crate::desc::Stiffness;
use crate::math::{Elem, Vec3};

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
    /// A hash of what the host and searches have described of it: a state from under another description is not one of rest. `None`: it has changed since the
    /// last step.
    pub described: Option<u64>,
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
            described: None,
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
}

/// A hash and one more number.
pub(crate) fn mixed(hash: u64, bits: u64) -> u64 {
    (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

impl Rods {
    /// The host or a search has changed the material: what is awake is not at rest, and what sleeps wakes.
    pub(super) fn describe(&mut self) {
        self.rest.described = None;
        self.rest.stir();
    }
    /// Once a step, and not at every change: a search changes one strand after the other.
    pub(crate) fn note_description(&mut self) {
        if self.rest.described.is_none() {
            self.rest.described = Some(self.description());
        }
    }
    pub(crate) fn description(&self) -> u64 {
        if let Some(known) = self.rest.described {
            return known;
        }
        let (d, m) = (&self.desc, &self.material);
        let stiffness = match d.stiffness {
            Stiffness::Physical { young, shear } => [young, shear, 0.0, 0.0],
            Stiffness::Alpha { bend1, bend2, twist, stretch } => [bend1, bend2, twist, stretch],
        };
        let of = |hash: u64, numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).fold(hash, mixed);
        let numbers = [d.aspect, d.stretch_modulus, d.viscosity, d.density, d.collision_radius];
        let hash = [&numbers[..], &stiffness, &m.radii, &m.scale, m.factors.as_flattened()].into_iter().fold(0, of);
        m.rest.iter().fold(hash, |hash, (length, strains)| of(mixed(hash, length.to_bits()), strains))
    }

    /// A hash, and what acts on them beside gravity: what the host has said, not what a step makes of it.
    pub(crate) fn hash_loads(&self, hash: u64) -> u64 {
        let Some(fields) = &self.fields else {
            return with!(&self.data, b => b.forces.iter().map(|f| f.to_f64().to_bits()).fold(hash, mixed));
        };
        let mut hash = fields.numbers().map(f64::to_bits).fold(hash, mixed);
        self.visit(1, |s, v, _| hash = mixed(hash, self.moment_about(s, v).to_bits()));
        hash
    }
}
