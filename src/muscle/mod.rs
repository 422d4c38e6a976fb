//! Muscles: a set of rods whose strands run from an origin to an insertion, both on bodies.
//!
//! What a muscle does is in the rods: they keep their volume (`rods/volume`), shorten when they are active (`rods/muscle`), and move as a bundle
//! (`docs/internals/bundles.md`). Here is what ties them to bones, and what a host reads of the whole.

use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::{EndSupport, RodsDesc, StrandEnd};
use crate::sagfree::rest_shape::Options;
use crate::strands::Rods;
use crate::tasks::{Inline, TaskRunner};
use crate::world::World;

/// Pa. What holds an end learns of a strand alone how it gives, as if its sections stood still. In firmer bundles that is far from what they do, and
/// bodies fly apart (`docs/internals/bundles.md`, Limits).
pub const MOST_STIFFNESS: f64 = 1e5;

/// The whole muscle, as the last step left it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MuscleState {
    /// Mean of its strands, m.
    pub length: f64,
    /// How fast that becomes shorter, m/s; negative while it lengthens.
    pub velocity: f64,
    /// What its strands carry together, N, and what activation adds to that.
    pub force: f64,
    pub active_force: f64,
    /// Over that at rest.
    pub volume: f64,
}

impl World {
    /// Adds rods whose roots are tied to the body `origin`, and whose tips to `insertion`, all where they are now; with `clamped` they also turn with it.
    /// `None`: that end is as `desc` says.
    ///
    /// Errors: those of [`World::add_rods`]; a bundle that is firmer than [`MOST_STIFFNESS`]; both bodies are one; an end that a body is to hold is not [`EndSupport::Free`]. Then nothing is added.
    pub fn add_muscle(&mut self, desc: RodsDesc, origin: Option<Id>, insertion: Option<Id>, clamped: bool) -> Result<Id> {
        self.add_muscle_on(desc, [origin, insertion], clamped, &Inline)
    }
    /// The same; what a definition asks to be solved is solved by `runner`.
    pub fn add_muscle_on(
        &mut self,
        mut desc: RodsDesc,
        [origin, insertion]: [Option<Id>; 2],
        clamped: bool,
        runner: &dyn TaskRunner,
    ) -> Result<Id> {
        if desc.muscle.is_none() {
            return Err(Error::invalid("muscle is not given: say what activation does"));
        }
        if origin.is_some() && origin == insertion {
            return Err(Error::invalid("insertion is the body that origin is: a muscle goes from one body to another"));
        }
        for (body, support, name) in [(origin, desc.root, "root"), (insertion, desc.tip, "tip")] {
            if let Some(body) = body {
                self.body(body)
                    .map_err(|e| Error::new(e.kind, format!("{}: {e}", if name == "root" { "origin" } else { "insertion" })))?;
                if support != EndSupport::Free {
                    return Err(Error::invalid(format!("{name} is {support:?}: an end that a body holds is free")));
                }
            }
        }
        let stiffness = desc.bundle_stiffness;
        if desc.is_bundled() && (origin.is_some() || insertion.is_some()) && stiffness > MOST_STIFFNESS {
            return Err(Error::invalid(format!(
                "bundle_stiffness is {stiffness}: must be at most {MOST_STIFFNESS} where bodies hold the ends"
            )));
        }
        // Only what holds the ends tells what they carry.
        let sag_free = core::mem::take(&mut desc.sag_free);
        let rods = self.add_rods(desc)?;
        let strands = self.rods(rods)?.strand_count() as u32;
        for (body, tip) in [(origin, false), (insertion, true)] {
            let Some(body) = body else { continue };
            for strand in 0..strands {
                if let Err(e) = self.attach_body(rods, StrandEnd { strand, tip }, body, clamped) {
                    self.remove_rods(rods)?;
                    return Err(e);
                }
            }
        }
        if sag_free && let Err(e) = self.optimize_rest_shape(rods, &Options::default(), runner, &mut |_, _| true) {
            self.remove_rods(rods)?;
            return Err(e);
        }
        Ok(rods)
    }
}

impl Rods {
    pub fn muscle_state(&self) -> MuscleState {
        let mut s = MuscleState::default();
        let strands = self.strand_count() as f64;
        self.read_strand_lengths(|_, length| s.length += length / strands);
        self.read_shortening_velocities(|_, velocity| s.velocity += velocity / strands);
        self.read_strand_forces(|_, f| (s.force, s.active_force) = (s.force + f.total, s.active_force + f.active));
        s.volume = self.volume_ratio();
        s
    }
}
