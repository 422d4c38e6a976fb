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
use crate::rods::der::strand::{Rest, Strands};
use crate::sagfree::batch::{Batch, Status, StrandReport};
use crate::sagfree::rest_shape::{Options, Refusal};
use crate::strands::rest_shape::{Described, Stiff};
use crate::strands::stored::Found;
use crate::strands::{Data, Rods};
use crate::tasks::{TaskRunner, collect};

/// Vertices that are solved together, at most, if they are not of fewer strands than there are lanes: about 3 kB each.
const BATCH_VERTICES: usize = 1 << 14;

/// How long the strands between two calls of the host's progress may take.
const ASKED_EVERY: Duration = Duration::from_millis(30);

/// How often strands that are stable in f64 alone are stiffened again, each time to four times the lowest ω².
const STIFFER: u32 = 4;

/// How often strands that come out stiffer than a step takes them are solved again with more margin.
const MARGINS: usize = 4;

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

/// Of each, the rest shape that it had before any search, around which bounds stay.
pub(super) fn first_rests(rods: &Rods, members: &[usize]) -> Vec<Vec<Rest<f64>>> {
    members.iter().map(|&s| rods.first_rest(s)).collect()
}

/// What the strands of a set of rods are solved with.
pub(super) struct Solver<'a> {
    pub(super) world: &'a WorldDesc,
    isa: Isa,
    pub(super) substeps: u32,
    /// The rods are stored in f32.
    pub(super) single: bool,
    /// The stiffest element, over the mass of its vertex, that a step takes for what it is, s⁻².
    pub(super) hardest: f64,
    pub(super) runner: &'a dyn TaskRunner,
}

impl Solver<'_> {
    /// A strand as it was described, with the rest shape `first`.
    fn fresh(&self, rods: &Rods, strand: usize, first: &[Rest<f64>]) -> Strands<f64> {
        rods.elastic_strand(strand, self.world, Described::From(first))
    }

    /// Solves `members` from the rest shapes that they have, without stiffening.
    pub(super) fn go_on(&self, rods: &mut Rods, members: &[usize], first: &[Vec<Rest<f64>>], options: &Options) -> Found {
        let plain = Options { stiffen: None, ..*options };
        self.solve(rods, members, first, &plain, &|rods, k| rods.elastic_strand(members[k], self.world, Described::Anew))
    }

    /// Solves `members` as `make` describes them. Strands that come out stiffer than a step takes them are described softer, and all are solved again.
    fn solve(
        &self,
        rods: &mut Rods,
        members: &[usize],
        first: &[Vec<Rest<f64>>],
        options: &Options,
        make: &(dyn Fn(&Rods, usize) -> Strands<f64> + Sync),
    ) -> Found {
        let mut tries = MARGINS;
        // Not what another start has asked for.
        members.iter().for_each(|&s| rods.drop_margin(s));
        loop {
            let described: &Rods = rods;
            let strands = collect(self.runner, members.len(), &|k| make(described, k));
            let mut found = Found::new(&strands, first, options, (self.isa, self.single, self.runner));
            let mut again = false;
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
                    found.wanted[k] = 0.0;
                }
                let over = rods.over_limit(s, &found.strands[k], self.substeps);
                // Rounded, it is on the limit.
                let past = over > 1.0 + 1e-6 && over.is_finite();
                // Described softer, a strand would be stiffened by as much more.
                let beyond = found.multipliers[k].as_ref().is_some_and(|by| !rods.takes(s, &strands[k], by, self.substeps));
                if beyond || (past && tries == 0) {
                    // A step takes it for softer, and leaves the pose.
                    (found.over[k], found.wanted[k], report.unstable_modes) = (true, 0.0, report.unstable_modes.max(1));
                    report.cause = Some(Refusal::Step);
                } else if past {
                    rods.raise_margin(s, over);
                    again = true;
                }
            }
            if !again {
                return found;
            }
            tries -= 1;
        }
    }

    /// A strand that is stable but for what f32 makes of it, stiffened until its lowest ω² is at least `wanted`, or more.
    fn stiffer(&self, rods: &mut Rods, strand: usize, first: &[Rest<f64>], wanted: f64, options: &Options) -> Option<Found> {
        (0..if wanted > 0.0 { STIFFER } else { 0 }).find_map(|n| {
            let least = options.lowest_mode_min.max(wanted * f64::from(1 << (2 * n)));
            let options = Options { lowest_mode_min: least, ..*options };
            let found = self.solve(rods, &[strand], &[], &options, &|rods, _| self.fresh(rods, strand, first));
            found.reports[0].holds(0.0).then_some(found)
        })
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
        let rods = self.rods_mut(id)?;
        rods.needs_stiffness()?;
        super::validate::solved_directly("a rest shape is asked for", &rods.desc)?;
        rods.gives = gives;
        let all = rods.strand_count();
        rods.keep_first_rest();
        rods.seat_clamps();
        rods.elastic = vec![StrandReport { status: Status::Cancelled, ..StrandReport::default() }; all];
        let order = by_length(rods);
        let plain = Options { stiffen: None, ..*options };
        let holds = |r: &StrandReport| r.holds(0.0);
        let single = matches!(rods.data, Data::F32(_));
        let hardest = rods.hardest_element(substeps);
        let solver = Solver { world: &world, isa, substeps, single, hardest, runner };
        // The first portions are small: the host wants to be asked several times a second.
        let (mut begun, mut done, mut most) = (0, 0, isa.lanes());
        let mut go = progress(done, all);
        while go && begun < all {
            let began = Instant::now();
            let members = portion(rods, &order[begun..], isa, most);
            begun += members.len();
            let all_members = members.len();
            let changed = solver.without_kept(rods, members, options);
            let held = match options.stiffen {
                Some(largest) => solver.without_held(rods, &changed, options, largest),
                None => changed.clone(),
            };
            let members = &*held;
            let had: Vec<Vec<Stiff>> = match options.stiffen {
                Some(_) => members.iter().map(|&s| rods.take_off_stiffening(s)).collect(),
                None => Vec::new(),
            };
            let first = first_rests(rods, members);
            let went_on = solver.go_on(rods, members, &first, options);
            // Where the present rest shape led to no equilibrium that holds, the first one may: after 1000 g, of three strands in forty.
            let again: Vec<usize> =
                (0..members.len()).filter(|&k| !holds(&went_on.reports[k]) && !rods.has_first_rest(members[k])).collect();
            let those: Vec<usize> = again.iter().map(|&k| members[k]).collect();
            let from_first = solver.solve(rods, &those, &[], &plain, &|rods, j| solver.fresh(rods, those[j], &first[again[j]]));
            let chosen = |k: usize| match again.binary_search(&k) {
                Ok(j) if holds(&from_first.reports[j]) || is_refused(&went_on.reports[k]) => (&from_first, j),
                _ => (&went_on, k),
            };
            let mut sags = Vec::new();
            for (k, &s) in members.iter().enumerate() {
                let (found, j) = chosen(k);
                let report = found.reports[j];
                if is_refused(&report) {
                    rods.elastic[s] = report;
                    had.get(k).into_iter().for_each(|had| rods.give_back_stiffening(s, had));
                } else if options.stiffen.is_some()
                    && !report.holds(options.lowest_mode_min)
                    && report.cause != Some(Refusal::Precision)
                {
                    sags.push(k);
                } else {
                    rods.take_solved(s, (found, j), report);
                }
            }
            done += all_members - sags.len();
            most = if began.elapsed() < ASKED_EVERY { most.saturating_mul(2) } else { (most / 2).max(1) };
            // A strand that is stiffened takes up to seconds: one a thread between two questions.
            for some in sags.chunks(runner.threads().max(1)) {
                go = go && progress(done, all);
                if !go {
                    some.iter().for_each(|&k| rods.give_back_stiffening(members[k], &had[k]));
                    continue;
                }
                let those: Vec<usize> = some.iter().map(|&k| members[k]).collect();
                let stiffened =
                    solver.solve(rods, &those, &[], options, &|rods, j| solver.fresh(rods, those[j], &first[some[j]]));
                for (j, (&k, &s)) in some.iter().zip(&those).enumerate() {
                    let again = solver.stiffer(rods, s, &first[k], stiffened.wanted[j], options);
                    let found = again.as_ref().map_or((&stiffened, j), |again| (again, 0));
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
                done += some.len();
            }
            solver.keep(rods, &changed, options);
            go = go && progress(done, all);
        }
        rods.gives.clear();
        rods.complete_reports();
        Ok(())
    }

    /// Moves the strands to their equilibrium under the present gravity and forces, at rest, by at most `iterations` steps of Newton's
    /// method each, until √(Σ f²/m) ≤ `tolerance`, m/s² √kg. Attachments hold the ends where they are; contacts do not count. The
    /// outcome: [`Rods::elastic_report`].
    pub fn settle(&mut self, id: Id, iterations: usize, tolerance: f64, runner: &dyn TaskRunner) -> Result<()> {
        crate::desc::validate::between("tolerance", tolerance, 0.0, 1e9)?;
        crate::desc::validate::between("iterations", iterations as f64, 1.0, 1e6)?;
        let (world, isa) = (self.desc.clone(), self.isa());
        self.aim_ties(id)?;
        let rods = self.rods_mut(id)?;
        rods.needs_stiffness()?;
        rods.seat_clamps();
        rods.elastic = vec![StrandReport::default(); rods.strand_count()];
        let order = by_length(rods);
        let mut done = 0;
        while done < order.len() {
            let members = portion(rods, &order[done..], isa, usize::MAX);
            done += members.len();
            let described: &Rods = rods;
            let strands = collect(runner, members.len(), &|k| described.elastic_strand(members[k], &world, Described::Present));
            let mut batch = Batch::new(&strands, isa);
            batch.settle(runner, iterations, tolerance);
            batch.certify(runner);
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
                    rods.take_pose(s, &strand);
                }
            }
        }
        rods.complete_reports();
        Ok(())
    }
}
