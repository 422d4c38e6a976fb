//! Rest shapes and statics of the rods of a world: which strands are solved together, where the
//! search starts, and what is taken of its result.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::coupling::Attachment;
use super::world::World;
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::{EndSupport, WorldDesc};
use crate::math::Isa;
use crate::rigid::desc::BodyMotion;
use crate::rods::der::strand::Rest;
use crate::sagfree::batch::{Batch, Status, StrandReport};
use crate::sagfree::rest_shape::{Options, Refusal};
use crate::strands::stored::Found;
use crate::strands::{Data, Rods};
use crate::tasks::{Inline, TaskRunner, collect};

/// Vertices that are solved together, at most, if they are not of fewer strands than there are lanes: about 3 kB each.
const BATCH_VERTICES: usize = 1 << 14;

/// Rods that keep their volume: statics of rods whose sections stay are found so many times at most, each with the sections that the last pose has, until a
/// pose is as near to the last one as this part of its length. The error goes down by the strain of the edges in each.
const SETTLED: usize = 30;
const SETTLED_WITHIN: f64 = 1e-9;

/// How long the strands between two calls of the host's progress may take.
const ASKED_EVERY: Duration = Duration::from_millis(30);

fn is_refused(report: &StrandReport) -> bool {
    matches!(report.status, Status::Refused(_))
}

/// Strands by length, the longest first.
fn by_length(rods: &Rods) -> Vec<usize> {
    let counts = rods.counts();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&s| core::cmp::Reverse(counts[s]));
    order
}

/// The first of these strands that are solved together: `most`, or as many as make [`BATCH_VERTICES`] and fill their lanes.
fn portion<'a>(rods: &Rods, order: &'a [usize], isa: Isa, most: usize) -> &'a [usize] {
    let mut vertices = 0;
    let within = |k: &usize| {
        vertices += rods.counts()[order[*k]] as usize;
        !k.is_multiple_of(isa.lanes()) || vertices <= BATCH_VERTICES || *k == 0
    };
    &order[..(0..order.len().min(most)).take_while(within).count()]
}

/// The rest shape that a search starts from.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// The present one; bounds stay around the one that the host gave.
    Present,
    Given,
}

/// What the strands of a set of rods are solved with.
#[derive(Clone, Copy)]
struct Solver<'a> {
    world: &'a WorldDesc,
    isa: Isa,
    /// The substep to come, s.
    h: f64,
    /// The rods are stored in f32.
    single: bool,
    /// The stiffest element, over the mass of its vertex, that a step takes for what it is, s⁻².
    hardest: f64,
    runner: &'a dyn TaskRunner,
}

impl Solver<'_> {
    fn solve(&self, rods: &Rods, members: &[usize], from: Start, options: &Options) -> Found {
        let first: Vec<Vec<Rest<f64>>> = match from {
            Start::Present => members.iter().map(|&s| rods.given_rest(s)).collect(),
            Start::Given => Vec::new(),
        };
        let strands = collect(self.runner, members.len(), &|k| {
            let present = match from {
                Start::Present if rods.keeps_volume() => rods.rest_without_sections(members[k], self.world),
                _ => Vec::new(),
            };
            let of = match from {
                Start::Present if rods.keeps_volume() => rods.material_of(members[k]).with_rest(&present),
                Start::Present => rods.material_of(members[k]),
                Start::Given => rods.material_of(members[k]).as_given(),
            };
            rods.elastic_strand(members[k], self.world, &of, &rods.taken_as_given(members[k], self.h))
        });
        let mut found = Found::new(&strands, &first, options, (self.isa, self.single, self.runner), self.h);
        for (k, &s) in members.iter().enumerate() {
            let report = &mut found.reports[k];
            // A rest shape out of all proportion, as of loads that nothing could carry, would be refused by the next call.
            if let Some(why) = report.cause {
                *report = StrandReport { status: Status::Refused(why), ..StrandReport::default() };
            }
            if is_refused(report) {
                continue;
            }
            if report.holds(0.0) && report.hardest > self.hardest {
                (report.unstable_modes, report.cause) = (1, Some(Refusal::Precision));
                found.margin[k] = 0.0;
            }
            if !rods.takes(s, (&found, k), self.h) {
                // A step takes it for softer, and leaves the pose.
                let report = &mut found.reports[k];
                (report.unstable_modes, report.cause) = (report.unstable_modes.max(1), Some(Refusal::Step));
                (found.over[k], found.margin[k]) = (true, 0.0);
            }
        }
        found
    }

    /// A strand from the rest shape that was given, as little stiffer as makes it hold. Where that is too little for what f32 makes of it, once more,
    /// for the margin that was missed.
    fn stiffened(&self, rods: &Rods, strand: usize, options: &Options) -> Found {
        let found = self.solve(rods, &[strand], Start::Given, options);
        if found.margin[0] == 0.0 {
            return found;
        }
        let options = Options { lowest_mode_min: options.lowest_mode_min.max(found.margin[0]), ..*options };
        let again = self.solve(rods, &[strand], Start::Given, &options);
        if again.reports[0].holds(0.0) { again } else { found }
    }
}

impl World {
    /// Ends that hang on what gives, and by the strand's other end on nothing less firm than the host: they carry nothing then. Where a strand has no
    /// firmer hold, what gives is its hold.
    fn ends_that_give(&self, id: Id) -> Result<BTreeSet<(u32, bool)>> {
        let rods = self.rods(id)?;
        let gives = |end: &(u32, bool)| match rods.ties.get(end).map(|&tie| self.attachments.get(tie)) {
            Some(Ok(Attachment::Junction { .. })) => true,
            Some(Ok(Attachment::Body { body, .. })) => {
                self.dynamics.bodies.get(*body).is_ok_and(|b| b.desc.motion == BodyMotion::Dynamic)
            }
            Some(Ok(Attachment::Triangle { mesh, corners, .. })) => {
                self.meshes.get(*mesh).is_ok_and(|m| corners.iter().any(|&c| m.w[c as usize] > 0.0))
            }
            _ => false,
        };
        let firm = |&(strand, tip): &(u32, bool)| {
            let (support, end) = (if tip { rods.desc.tip } else { rods.desc.root }, (strand, tip));
            support != EndSupport::Free || (rods.ties.contains_key(&end) && !gives(&end))
        };
        Ok(rods.ties.keys().filter(|&&(strand, tip)| gives(&(strand, tip)) && firm(&(strand, !tip))).copied().collect())
    }

    /// Solves for the rest shapes that make the present poses of these rods equilibria under the present gravity, wind and
    /// forces (Takahashi & Batty 2025), and for the stability of each. A second call goes on from what the first one found, or where that leads to
    /// nothing stable starts anew; bounds stay around the rest shape that the rods had before the first. Strands that cannot be solved
    /// keep their rest shape.
    ///
    /// `progress` gets the strands that are done and all; where it returns false, those that have not begun keep their rest shape.
    /// The outcome: [`Rods::elastic_report`].
    pub fn optimize_rest_shape(
        &mut self,
        id: Id,
        options: &Options,
        runner: &dyn TaskRunner,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<()> {
        options.check().map_err(Error::invalid)?;
        let (world, isa, substeps) = (self.desc.clone(), self.isa(), self.substeps());
        let gives = self.ends_that_give(id)?;
        self.aim_ties(id)?;
        self.look_what_holds_bundles();
        let rods = self.rods_mut(id)?;
        rods.needs_stiffness()?;
        if let Some(edge) = rods.cuts().next() {
            return Err(Error::invalid(format!("edge {edge} of the rods is cut: a rest shape is found for whole strands")));
        }
        super::validate::solved_directly("a rest shape is asked for", &rods.desc)?;
        rods.needs_muscles_at_rest("a rest shape is asked for")?;
        if options.stiffen.is_some() {
            rods.needs_no_bundles("a rest shape is asked for that may stiffen")?;
        }
        rods.gives = gives;
        let all = rods.strand_count();
        rods.keep_given_rest();
        rods.seat_clamps();
        rods.elastic = vec![StrandReport { status: Status::Cancelled, ..StrandReport::default() }; all];
        let order = by_length(rods);
        let plain = Options { stiffen: None, ..*options };
        let holds = |r: &StrandReport| r.holds(0.0);
        let single = matches!(rods.data, Data::F32(_));
        let (h, hardest) = (rods.next_h(substeps), rods.hardest_element(substeps));
        if let Err(e) = rods.share_loads(&world, h) {
            rods.gives.clear();
            return Err(e);
        }
        let solver = Solver { world: &world, isa, h, single, hardest, runner };
        // The first portions are small: the host wants to be asked several times a second.
        let (mut begun, mut done, mut most) = (0, 0, isa.lanes());
        let mut go = progress(done, all);
        while go && begun < all {
            let began = Instant::now();
            let members = portion(rods, &order[begun..], isa, most);
            begun += members.len();
            let went_on = solver.solve(rods, members, Start::Present, &plain);
            // Where the present rest shape led to no equilibrium that holds, the one that was given may: after 1000 g, of three strands in forty.
            let again: Vec<usize> =
                (0..members.len()).filter(|&k| !holds(&went_on.reports[k]) && !rods.has_given_rest(members[k])).collect();
            let those: Vec<usize> = again.iter().map(|&k| members[k]).collect();
            let from_given = solver.solve(rods, &those, Start::Given, &plain);
            let good = |r: &StrandReport| (!is_refused(r), holds(r), r.status == Status::AtTarget);
            let chosen = |k: usize| match again.binary_search(&k) {
                Ok(j) if good(&from_given.reports[j]) > good(&went_on.reports[k]) => (&from_given, j),
                _ => (&went_on, k),
            };
            let mut sags = Vec::new();
            for (k, &s) in members.iter().enumerate() {
                let (found, j) = chosen(k);
                let report = found.reports[j];
                if is_refused(&report) {
                    rods.elastic[s] = report;
                } else if options.stiffen.is_some()
                    && !report.holds(options.lowest_mode_min)
                    && report.cause != Some(Refusal::Precision)
                {
                    sags.push(k);
                } else {
                    rods.take_solved(s, (found, j), report);
                }
            }
            done += members.len() - sags.len();
            most = if began.elapsed() < ASKED_EVERY { most.saturating_mul(2) } else { (most / 2).max(1) };
            // A strand that is stiffened takes up to seconds: one a thread between two questions.
            for some in sags.chunks(runner.threads().max(1)) {
                go = go && progress(done, all);
                if !go {
                    break;
                }
                let those: Vec<usize> = some.iter().map(|&k| members[k]).collect();
                let (solver, of) = (Solver { runner: &Inline, ..solver }, &*rods);
                let stiffened = collect(runner, those.len(), &|j| solver.stiffened(of, those[j], options));
                for ((&k, &s), stiffened) in some.iter().zip(&those).zip(&stiffened) {
                    let found = (stiffened, 0);
                    // What would have to be stiffer than a step can make it is too soft, and stays as it is; so is what rounding lets go.
                    let last = &found.0.reports[found.1];
                    let ended = last.status == Status::AtTarget || (last.status == Status::Converged && last.stiffened > 0);
                    let beyond = found.0.over[found.1] || (ended && !last.holds(0.0));
                    let (from, j) = if beyond { chosen(k) } else { found };
                    let mut report = from.reports[j];
                    if beyond {
                        (report.status, report.cause) = (Status::TooSoft, last.cause.or(report.cause));
                    }
                    rods.take_solved(s, (from, j), report);
                }
                // Reports are about the material and the seat that there are now, which an equal call will find.
                let stiffer: Vec<usize> = those.into_iter().filter(|&s| holds(&rods.elastic[s])).collect();
                stiffer.iter().for_each(|&s| rods.seat_clamps_of(s));
                let now = solver.solve(rods, &stiffer, Start::Present, &plain);
                for (j, &s) in stiffer.iter().enumerate().filter(|&(j, _)| !is_refused(&now.reports[j])) {
                    let iterations = rods.elastic[s].iterations;
                    rods.take_solved(s, (&now, j), StrandReport { iterations, ..now.reports[j] });
                }
                done += some.len();
            }
            go = go && progress(done, all);
        }
        rods.settle_bundles(&world, h);
        rods.gives.clear();
        rods.complete_reports(h);
        Ok(())
    }

    /// Moves the strands to their equilibrium under the present gravity and forces, at rest, by at most `iterations` steps of Newton's
    /// method each, until √(Σ f²/m) ≤ `tolerance`, m/s² √kg. Attachments hold the ends where they are; contacts do not count. The
    /// outcome: [`Rods::elastic_report`].
    pub fn settle(&mut self, id: Id, iterations: usize, tolerance: f64, runner: &dyn TaskRunner) -> Result<()> {
        self.settle_watched(id, iterations, tolerance, runner, &mut |_, _| true)
    }

    /// [`World::settle`]. `progress` gets the strands that are done and all; where it returns false, those that have not begun stay where they are.
    pub fn settle_watched(
        &mut self,
        id: Id,
        iterations: usize,
        tolerance: f64,
        runner: &dyn TaskRunner,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<()> {
        crate::desc::validate::between("tolerance", tolerance, 0.0, 1e9)?;
        crate::desc::validate::between("iterations", iterations as f64, 1.0, 1e6)?;
        let (world, isa, substeps) = (self.desc.clone(), self.isa(), self.substeps());
        if self.rods(id)?.rest.disabled {
            return Err(Error::invalid("the rods are disabled: enable them before they are settled"));
        }
        self.aim_ties(id)?;
        let rods = self.rods_mut(id)?;
        let h = rods.next_h(substeps);
        rods.needs_stiffness()?;
        rods.needs_no_bundles("statics are asked for")?;
        rods.needs_muscles_at_rest("statics are asked for")?;
        rods.seat_clamps();
        rods.elastic = vec![StrandReport { status: Status::Cancelled, ..StrandReport::default() }; rods.strand_count()];
        let order = by_length(rods);
        let (mut done, mut most) = (0, isa.lanes());
        while done < order.len() && progress(done, order.len()) {
            let began = Instant::now();
            let members = portion(rods, &order[done..], isa, most);
            done += members.len();
            for _ in 0..if rods.keeps_volume() { SETTLED } else { 1 } {
                let described: &Rods = rods;
                let strands = collect(runner, members.len(), &|k| {
                    let rest = described.rest_without_sections(members[k], &world);
                    let of = described.material_of(members[k]).with_rest(&rest);
                    described.elastic_strand(members[k], &world, &of, &described.taken(members[k], h))
                });
                let mut batch = Batch::new(&strands, isa);
                batch.settle(runner, iterations, tolerance);
                batch.certify(runner);
                let mut moves = false;
                for (k, &s) in members.iter().enumerate() {
                    let mut report = batch.report(k);
                    let strand = batch.strand(k);
                    report.status = if report.norm <= tolerance { Status::AtTarget } else { Status::IterationLimit };
                    let settled = rods.in_reach(s, &strand);
                    if !settled {
                        report = StrandReport { status: Status::Refused(Refusal::NotFinite), ..StrandReport::default() };
                    }
                    rods.elastic[s] = report;
                    if settled {
                        moves |= strand.farthest_moved() > SETTLED_WITHIN * strand.pose_length();
                        rods.take_pose(s, &strand);
                        rods.settle_sections(s, &world);
                    }
                }
                if !moves {
                    break;
                }
            }
            most = if began.elapsed() < ASKED_EVERY { most.saturating_mul(2) } else { (most / 2).max(1) };
        }
        progress(done, order.len());
        rods.complete_reports(h);
        Ok(())
    }
}
