//! What f32 leaves of a rest shape. A strand between two held places cannot give way: rest lengths
//! that are rounded up press it together, and what is just stable in f64 buckles. So its statics
//! are found again for the numbers that are stored, and the report is about those. The same is done
//! for strands to which the residual at the target is much.

use crate::math::Isa;
use crate::rods::der::strand::{Rest, Strands};
use crate::sagfree::batch::{Batch, Status, StrandReport};
use crate::sagfree::rest_shape::Options;
use crate::tasks::TaskRunner;

/// By what part a step in f32 may find an edge shorter than it is against its rest length, beside the rounding of that.
const SHORTER: f64 = 1.2e-7;

/// How far the statics of what was found, and of stored numbers, may be from the pose, over the strand's length.
const LEAVES: f64 = 1e-3;

/// Steps of Newton's method from the pose to those statics, and where they are there, m/s² √kg.
const STEPS: usize = 10;
const THERE: f64 = 1e-6;

/// Stiffened between held places, ω² shall be this part of (largest load/mass)/(length): twenty times what is just stable elsewhere, for a few percent more
/// stiffness. What a step in f32 finds of tensions changes from one to the next, and the hundredth was left by ten of 120 such strands under 100 g.
const SURE: f64 = 0.2;

/// Strands that have been solved together, and how each ended.
pub(crate) struct Found {
    /// The substep that they have been solved for, s.
    pub h: f64,
    pub strands: Vec<Strands<f64>>,
    pub reports: Vec<StrandReport>,
    /// Those of [`Batch::multipliers`].
    pub multipliers: Vec<Option<Vec<[f64; 2]>>>,
    /// The lowest ω², s⁻², that a strand would need to hold, where it has less; 0 where it has enough.
    pub margin: Vec<f64>,
    /// Stiffer than a step takes it, or than a host could make it.
    pub over: Vec<bool>,
}

impl Found {
    /// Rest shapes from `first` on (`Batch::for_rest_shapes`), with what is known of their stability. `single`: they will be stored in f32.
    pub fn new(
        strands: &[Strands<f64>],
        first: &[Vec<Rest<f64>>],
        options: &Options,
        (isa, single, runner): (Isa, bool, &dyn TaskRunner),
        h: f64,
    ) -> Found {
        let mut batch = Batch::for_rest_shapes(strands, first, isa);
        batch.optimize(runner, options);
        batch.certify(runner);
        let all = 0..strands.len();
        let mut found = Found {
            h,
            strands: all.clone().map(|k| batch.strand(k)).collect(),
            reports: all.clone().map(|k| batch.report(k)).collect(),
            multipliers: all.map(|k| batch.multipliers(k)).collect(),
            margin: vec![0.0; strands.len()],
            over: vec![false; strands.len()],
        };
        found.note_what_rests_elsewhere(&batch, isa, runner);
        if single {
            found.note_stored(&batch, isa, runner);
        }
        found
    }

    /// What is left at the target moves light strands, and those that are hardly stable, away from the pose: √(Σ m x²) is at most √(Σ f²/m)/ω². Where that is
    /// too far, it is looked how far.
    fn note_what_rests_elsewhere(&mut self, batch: &Batch, isa: Isa, runner: &dyn TaskRunner) {
        let far = |&k: &usize| {
            let (s, report) = (&self.strands[k], &self.reports[k]);
            let mass: f64 = s.section.iter().map(|c| c.free[0] * c.mass).sum();
            let most = LEAVES * s.pose_length() * mass.sqrt() * report.lowest_mode;
            report.holds(0.0) && 0.0 < most && most < report.norm
        };
        let which: Vec<usize> = (0..self.strands.len()).filter(far).collect();
        if which.is_empty() {
            return;
        }
        let strands: Vec<Strands<f64>> = which.iter().map(|&k| batch.strand(k)).collect();
        let mut statics = Batch::new(&strands, isa);
        statics.settle(runner, STEPS, 0.0);
        for (j, k) in which.into_iter().enumerate() {
            if statics.strand(j).farthest_moved() > LEAVES * strands[j].pose_length() {
                let report = &mut self.reports[k];
                report.status = Status::Converged;
                self.margin[k] = 4.0 * report.lowest_mode;
            }
        }
    }

    /// Strands that one end alone holds take up what rounding does by growing longer or shorter; the others' reports become those of what is stored.
    fn note_stored(&mut self, batch: &Batch, isa: Isa, runner: &dyn TaskRunner) {
        let held = |&k: &usize| self.reports[k].holds(0.0) && self.strands[k].swing == 0.0;
        let which: Vec<usize> = (0..self.strands.len()).filter(held).collect();
        if which.is_empty() {
            return;
        }
        let strands: Vec<Strands<f64>> = which.iter().map(|&k| stored(batch.strand(k))).collect();
        let mut statics = Batch::new(&strands, isa);
        statics.settle(runner, STEPS, THERE);
        statics.certify(runner);
        for (j, k) in which.into_iter().enumerate() {
            let (there, report) = (statics.report(j), &mut self.reports[k]);
            let near = statics.strand(j).farthest_moved() <= LEAVES * strands[j].pose_length();
            let stays = near && there.norm <= THERE.max(report.norm) && there.unstable_modes == 0;
            let sure = SURE * strands[j].load_over_length();
            if !stays {
                (report.unstable_modes, report.lowest_mode) = (there.unstable_modes.max(1), there.lowest_mode);
                self.margin[k] = sure.max(4.0 * there.lowest_mode.abs());
            } else if there.lowest_mode < sure && self.multipliers[k].is_some() {
                self.margin[k] = sure;
            }
        }
    }
}

/// A strand with its rest shape and stiffness in f32, its edges shorter against their rest lengths by what a step may take them for.
fn stored(mut s: Strands<f64>) -> Strands<f64> {
    let rounded = |x: f64| f64::from(x as f32);
    for rest in &mut s.rest {
        rest.length = rounded(rest.length) * (1.0 + SHORTER);
        (rest.kappa, rest.twist) = (rest.kappa.map(rounded), rounded(rest.twist));
    }
    for c in &mut s.section {
        (c.ei, c.gj, c.ea) = (c.ei.map(rounded), rounded(c.gj), rounded(c.ea));
    }
    s
}
