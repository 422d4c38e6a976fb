//! Many strands: descriptions in, lanes, threads, results out.

use super::lanes;
pub use super::rest_shape::Status;
use super::rest_shape::{Optimizer, Options, Refusal, Solved, Spare, alone};
use super::stiffen::{Stiffened, stiffen};
use crate::desc::EndSupport;
use crate::math::Isa;
use crate::math::vec3::vec3;
#[cfg(target_arch = "x86_64")]
use crate::math::x86;
use crate::math::{Elem, Lane, Real, Vec3};
use crate::rods::der::kernels::Frame;
use crate::rods::der::strand::{Outcome, Rest, Strands};
use crate::tasks::TaskRunner;
use core::f64::consts::PI;
use parking_lot::Mutex;

/// What a strand is made of. The paper's c-coefficients: `stretch` and `bend` act as Young's moduli, `twist` as the shear
/// modulus; an isotropic solid has stretch = bend = E and twist = E/(2(1+ν)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Pa
    pub stretch: f64,
    pub bend: f64,
    pub twist: f64,
    /// kg/m³
    pub density: f64,
    /// Half axis of the section along m₁, m.
    pub radius: f64,
    /// Half axis along m₂ over that along m₁; 1: a circle.
    pub aspect: f64,
}

impl Default for Material {
    /// §5 of the paper.
    fn default() -> Self {
        Material { stretch: 1e8, bend: 1e8, twist: 1e8, density: 1e3, radius: 1e-3, aspect: 1.0 }
    }
}

impl Material {
    /// Masses (4), inertias (5), stiffnesses and weights for the lengths of the pose.
    pub fn fill(&self, s: &mut Strands<f64>, gravity: Vec3<f64>) {
        let n = s.vertices();
        let (a, b) = (self.radius, self.radius * self.aspect);
        let (area, i1, i2) = (PI * a * b, PI * a.powi(3) * b / 4.0, PI * a * b.powi(3) / 4.0);
        for i in 0..n {
            let length = |i: usize| s.state[i].edge.length();
            let share = if i > 0 { 0.5 * length(i - 1) } else { 0.0 } + if i + 1 < n { 0.5 * length(i) } else { 0.0 };
            let inertia = if i + 1 < n { self.density * (i1 + i2) * length(i) } else { 1.0 };
            let c = &mut s.section[i];
            (c.mass, c.inertia) = (self.density * area * share, inertia);
            c.force = gravity * c.mass;
            // Where there is no edge or no element there is no stiffness: shorter strands are padded.
            let (edge, element) = (f64::from(u8::from(i + 1 < n)), f64::from(u8::from(i > 0 && i + 1 < n)));
            // Bending towards m₁ strains the section along m₁.
            (c.ea, c.ei) = (self.stretch * area * edge, [self.bend * i1 * element, self.bend * i2 * element]);
            // Torsion constant of an ellipse; πr⁴/2 for the circle.
            c.gj = self.twist * PI * a.powi(3) * b.powi(3) / (a * a + b * b).max(f64::MIN_POSITIVE) * element;
        }
    }
}

/// A strand as it is described; at rest in its pose.
#[derive(Clone, Debug)]
pub struct StrandDesc {
    pub points: Vec<Vec3<f64>>,
    /// Roughly the first material axis at the root; any perpendicular where it is zero.
    pub axis: Vec3<f64>,
    pub material: Material,
    pub gravity: Vec3<f64>,
    pub root: EndSupport,
    pub tip: EndSupport,
}

/// Lengths that a degenerate edge is given, m.
const SHORTEST: f64 = 1e-9;

impl StrandDesc {
    /// One lane, in f64: frames transported from the root, masses (4), inertias (5), what is free. A clamped end holds its
    /// outermost two vertices and the angle between them.
    pub fn build(&self) -> Strands<f64> {
        let n = self.points.len();
        let mut s = Strands::<f64>::new(n);
        let mut before: Option<Frame<f64>> = None;
        for i in 0..n {
            let (from, to) = if i + 1 < n { (i, i + 1) } else { (i - 1, i) };
            let edge = self.points[to] - self.points[from];
            let last = before.map_or(vec3(1.0, 0.0, 0.0), |f| f.t);
            let (edge, t) = match edge.length() {
                l if l > SHORTEST => (edge, edge * (1.0 / l)),
                _ => (last * SHORTEST, last),
            };
            let frame = match &before {
                Some(f) => f.transported(t, (0.0, 1.0)),
                None => {
                    let across = self.axis - t * t.dot(self.axis);
                    let m1 = across.normalized_or(t.any_perpendicular());
                    Frame { m1, m2: t.cross(m1), t }
                }
            };
            (s.state[i].edge, s.state[i].m1) = (edge, frame.m1);
            before = Some(frame);
        }
        s.measure_twist();
        s.rest_from_state();
        let clamped = |end: EndSupport| end == EndSupport::Clamped;
        for i in 0..n {
            let held = (i == 0 && self.root != EndSupport::Free)
                || (i == 1 && clamped(self.root))
                || (i + 1 == n && self.tip != EndSupport::Free)
                || (i + 2 == n && clamped(self.tip));
            let still = (i == 0 && clamped(self.root)) || (i + 2 == n && clamped(self.tip)) || i + 1 == n;
            s.section[i].free = [f64::from(u8::from(!held)), f64::from(u8::from(!still))];
        }
        self.material.fill(&mut s, self.gravity);
        s.swing = f64::from(u8::from(self.tip == EndSupport::Free && self.root != EndSupport::Free));
        s
    }
}

/// What [`Batch`] can do with all of its strands.
#[derive(Clone, Copy, Debug)]
enum Job {
    Optimize(Options),
    Settle { iterations: usize, tolerance: f64 },
    Certify,
}

/// Called from any worker with the strands that are done and all of them; false cancels: strands that have not begun keep their
/// rest shape, and those that have not been stiffened have what was found without.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

/// How an optimization left a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandReport {
    pub status: Status,
    pub iterations: u32,
    /// √(Σ f²/m), the square root of twice (20) without Δt²; NaN where unknown.
    pub norm: f64,
    /// Largest |f|/m of a vertex, m/s².
    pub acceleration: f64,
    pub at_bounds: u32,
    /// Vertices and edges that were stiffened, and the largest factor.
    pub stiffened: u32,
    pub stiffest: f64,
    /// Unstable vibration modes of the pose; 0: a minimum of the energy.
    pub unstable_modes: u32,
    /// ω² of the lowest mode, s⁻²: 0 for a neutral one, infinite where nothing can move; NaN where nothing is known of it: before [`Batch::certify`], and of
    /// refused strands.
    pub lowest_mode: f64,
    /// How stiff an element is against the mass of its vertex, s⁻², at most.
    pub hardest: f64,
    /// Why the pose is not held, of strands that are not refused, or nothing is known of that.
    pub cause: Option<Refusal>,
}

impl StrandReport {
    /// Whether the pose is a stable equilibrium with no ω² below `lowest_mode_min`.
    pub fn holds(&self, lowest_mode_min: f64) -> bool {
        // What is not known is not held against it.
        self.status == Status::AtTarget
            && self.unstable_modes == 0
            && !(lowest_mode_min > 0.0 && self.lowest_mode < lowest_mode_min)
    }
}

impl Default for StrandReport {
    fn default() -> Self {
        StrandReport {
            status: Status::Idle,
            iterations: 0,
            norm: f64::NAN,
            acceleration: f64::NAN,
            at_bounds: 0,
            stiffened: 0,
            stiffest: 1.0,
            unstable_modes: 0,
            lowest_mode: f64::NAN,
            hardest: 0.0,
            cause: None,
        }
    }
}

/// Strands of one lane type.
trait Group: Send {
    fn run(&mut self, job: &Job, spare: &Spare);
    fn strand(&self, lane: usize) -> Strands<f64>;
    fn report(&self, lane: usize) -> StrandReport;
    fn count(&self) -> usize;
    /// Whether the rest shape that was found does not hold the strand.
    fn sags(&self, lane: usize, options: &Options) -> bool;
    /// The rest shape that bounds are around.
    fn initial(&self, lane: usize) -> Vec<Rest<f64>>;
    /// What was made of a strand that [`Group::strand`] gave.
    fn note_stiffened(&mut self, lane: usize, s: &Strands<f64>, found: Result<Stiffened, Status>);
    fn multipliers(&self, lane: usize) -> Option<Vec<[f64; 2]>>;
}

/// What [`Optimizer::refusal`] says in numbers.
fn refusal(number: f64) -> Option<Refusal> {
    const REFUSALS: [Refusal; 5] = [Refusal::NotFinite, Refusal::NoMass, Refusal::ShortEdge, Refusal::Fold, Refusal::Options];
    REFUSALS.into_iter().find(|&r| number == 1.0 + f64::from(r as u8))
}

struct GroupOf<L: Lane> {
    strands: Strands<L>,
    initial: Vec<Rest<L>>,
    counts: Vec<usize>,
    reports: Vec<StrandReport>,
    multipliers: Vec<Option<Vec<[f64; 2]>>>,
    run: fn(&mut Self, &Job, &Spare),
}

impl<L: Lane> GroupOf<L> {
    fn new(members: &[&Strands<f64>], first: &[&[Rest<f64>]], run: fn(&mut Self, &Job, &Spare)) -> Self {
        let strands = lanes::gather::<L>(members);
        let mut initial = strands.rest.clone();
        (0..first.len()).for_each(|lane| lanes::put(first[lane], lane, &mut initial));
        GroupOf {
            initial,
            strands,
            counts: members.iter().map(|s| s.vertices()).collect(),
            reports: vec![StrandReport::default(); members.len()],
            multipliers: vec![None; members.len()],
            run,
        }
    }

    fn note(&mut self, out: &Outcome<L>) {
        for (lane, report) in self.reports.iter_mut().enumerate() {
            let [iterations, norm, acceleration] =
                [&out.iterations, &out.residual, &out.acceleration].map(|v| lanes::numbers(v)[lane].to_f64());
            (report.iterations, report.norm, report.acceleration) = (iterations as u32, norm, acceleration);
        }
    }

    fn note_rest_shape(&mut self, solved: &Solved<L>) {
        for (lane, report) in self.reports.iter_mut().enumerate() {
            let s = solved;
            let of = [&s.iterations, &s.norm, &s.acceleration, &s.at_bounds, &s.refused, &s.ended, &s.reached];
            let [iterations, norm, acceleration, at_bounds, refused, ended, reached] =
                of.map(|v| lanes::numbers(v)[lane].to_f64());
            // What was known of the stability was that of another rest shape.
            (report.unstable_modes, report.lowest_mode, report.cause) = (0, f64::NAN, None);
            (report.stiffened, report.stiffest) = (0, 1.0);
            report.iterations = iterations as u32;
            (report.norm, report.acceleration) = (norm, acceleration);
            report.at_bounds = at_bounds as u32;
            report.status = match refusal(refused) {
                Some(why) => Status::Refused(why),
                None if reached != 0.0 => Status::AtTarget,
                None if ended == 0.0 => Status::IterationLimit,
                None if at_bounds > 0.0 => Status::AtBounds,
                None => Status::Converged,
            };
            if refused != 0.0 {
                (report.norm, report.acceleration, report.at_bounds) = (f64::NAN, f64::NAN, 0);
            }
        }
    }

    fn note_modes(&mut self, modes: [L; 4]) {
        for (lane, report) in self.reports.iter_mut().enumerate() {
            let [unstable, lowest, refused, hardest] = modes.each_ref().map(|v| lanes::numbers(v)[lane].to_f64());
            (report.unstable_modes, report.lowest_mode) = if refused != 0.0 { (0, f64::NAN) } else { (unstable as u32, lowest) };
            (report.hardest, report.cause) = (hardest, refusal(refused));
        }
    }
}

// SAFETY: lanes are plain numbers.
unsafe impl<L: Lane> Send for GroupOf<L> {}

impl<L: Lane> Group for GroupOf<L> {
    fn run(&mut self, job: &Job, spare: &Spare) {
        (self.run)(self, job, spare);
    }
    fn report(&self, lane: usize) -> StrandReport {
        self.reports[lane]
    }
    fn count(&self) -> usize {
        self.counts.len()
    }
    fn sags(&self, lane: usize, options: &Options) -> bool {
        let report = &self.reports[lane];
        !matches!(report.status, Status::Refused(_) | Status::Cancelled) && !report.holds(options.lowest_mode_min)
    }
    fn initial(&self, lane: usize) -> Vec<Rest<f64>> {
        let mut initial = Group::strand(self, lane).rest;
        lanes::unpack(&self.initial, lane, &mut initial);
        initial
    }
    fn note_stiffened(&mut self, lane: usize, s: &Strands<f64>, found: Result<Stiffened, Status>) {
        let found = match found {
            Ok(found) => found,
            Err(status) => return self.reports[lane].status = status,
        };
        let (to, solved) = (&mut self.reports[lane], &found.solved);
        (to.status, to.norm, to.acceleration) = (Status::AtTarget, solved.norm, solved.acceleration);
        (to.iterations, to.at_bounds) = (to.iterations + solved.iterations as u32, solved.at_bounds as u32);
        (to.stiffened, to.stiffest) = found.extent();
        (to.unstable_modes, to.lowest_mode) = (found.modes[0] as u32, found.modes[1]);
        lanes::put(&s.rest, lane, &mut self.strands.rest);
        lanes::put(&s.section, lane, &mut self.strands.section);
        self.multipliers[lane] = Some(found.multipliers);
    }
    fn multipliers(&self, lane: usize) -> Option<Vec<[f64; 2]>> {
        self.multipliers[lane].clone()
    }
    fn strand(&self, lane: usize) -> Strands<f64> {
        lanes::scatter(&self.strands, lane, self.counts[lane])
    }
}

/// The entries of one lane type: what is called here is inlined and so compiled for its registers. No closures below: one
/// that is not inlined loses the instruction set.
macro_rules! entry {
    ($name:ident, $lanes:ty, $optimize:path, $certify:path $(, $feature:literal)?) => {
        mod $name {
            use super::*;
            type G = GroupOf<$lanes>;

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to: the processor has the features.
            unsafe fn optimize(
                strands: &mut Strands<$lanes>,
                initial: &[Rest<$lanes>],
                optimizer: &mut Optimizer<$lanes>,
                options: &Options,
            ) -> Solved<$lanes> {
                $optimize(strands, initial, optimizer, options)
            }
            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to: the processor has the features.
            unsafe fn settle(strands: &mut Strands<$lanes>, iterations: usize, tolerance: f64) -> Outcome<$lanes> {
                strands.settle(iterations, Real::constant(tolerance))
            }
            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to: the processor has the features.
            unsafe fn certify(strands: &mut Strands<$lanes>) -> [$lanes; 4] {
                $certify(strands)
            }

            pub(super) fn run(group: &mut G, job: &Job, spare: &Spare) {
                match *job {
                    Job::Optimize(options) => {
                        let mut optimizer = spare.take(group.strands.vertices());
                        // SAFETY: a group of these lanes is only made where the processor has them.
                        let solved = unsafe { optimize(&mut group.strands, &group.initial, &mut optimizer.0, &options) };
                        spare.give_back(optimizer);
                        group.note_rest_shape(&solved);
                        if options.stiffen.is_some() {
                            // SAFETY: as above.
                            let modes = unsafe { certify(&mut group.strands) };
                            group.note_modes(modes);
                        }
                    }
                    Job::Settle { iterations, tolerance } => {
                        // SAFETY: as above.
                        let out = unsafe { settle(&mut group.strands, iterations, tolerance) };
                        group.note(&out);
                    }
                    Job::Certify => {
                        // SAFETY: as above.
                        let modes = unsafe { certify(&mut group.strands) };
                        group.note_modes(modes);
                    }
                }
            }
        }
    };
}

entry!(scalar, f64, alone::optimize_one, alone::certify_one);
#[cfg(target_arch = "x86_64")]
entry!(sse2, x86::F64x2, alone::optimize, alone::certify);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
entry!(avx2, x86::F64x4, alone::optimize, alone::certify, "avx2");
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
entry!(avx512, x86::F64x8, alone::optimize, alone::certify, "avx2,avx512f,avx512dq,avx512vl");

/// Strands in lanes of f64.
pub struct Batch {
    groups: Vec<Mutex<Box<dyn Group>>>,
    /// Group and lane of every strand.
    places: Vec<(usize, usize)>,
    spare: Spare,
}

impl Batch {
    /// Strands go to lanes by length; a strand's bits do not depend on its neighbours.
    pub fn new(strands: &[Strands<f64>], isa: Isa) -> Batch {
        Self::for_rest_shapes(strands, &[], isa)
    }

    /// The same of strands that have another rest shape by now than at `first`: bounds are around that one. Empty: they have not.
    pub fn for_rest_shapes(strands: &[Strands<f64>], first: &[Vec<Rest<f64>>], isa: Isa) -> Batch {
        let mut order: Vec<usize> = (0..strands.len()).collect();
        order.sort_by_key(|&i| core::cmp::Reverse(strands[i].vertices()));
        let lanes = |isa: Isa| (isa.lanes() / 2).max(1);
        let width = lanes(isa);
        let mut places = vec![(0, 0); strands.len()];
        let mut groups = Vec::with_capacity(strands.len().div_ceil(width));
        for (g, members) in order.chunks(width).enumerate() {
            for (lane, &i) in members.iter().enumerate() {
                places[i] = (g, lane);
            }
            let first: Vec<&[Rest<f64>]> = members.iter().filter_map(|&i| first.get(i)).map(Vec::as_slice).collect();
            let members: Vec<&Strands<f64>> = members.iter().map(|&i| &strands[i]).collect();
            // What is left over takes the narrowest lanes that hold it: they cost less, and the bits are the same.
            let narrower = [Isa::Scalar, Isa::Sse2, Isa::Avx2].into_iter().filter(|i| i.available() && lanes(*i) < width);
            let narrowest = narrower.filter(|i| lanes(*i) >= members.len()).min_by_key(|i| lanes(*i));
            let group: Box<dyn Group> = match narrowest.unwrap_or(isa) {
                #[cfg(target_arch = "x86_64")]
                Isa::Sse2 => Box::new(GroupOf::new(&members, &first, sse2::run)),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 => Box::new(GroupOf::new(&members, &first, avx2::run)),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 => Box::new(GroupOf::new(&members, &first, avx512::run)),
                _ => Box::new(GroupOf::new(&members, &first, scalar::run)),
            };
            groups.push(Mutex::new(group));
        }
        Batch { groups, places, spare: Spare::default() }
    }

    fn run(&mut self, tasks: &dyn TaskRunner, job: &Job) {
        let (groups, spare) = (&self.groups, &self.spare);
        tasks.run(groups.len(), &|g| groups[g].lock().run(job, spare));
    }

    /// Solves for the rest shapes that make the present poses equilibria; [`Self::report`] says how each strand ended. `options` satisfy
    /// [`Options::check`].
    pub fn optimize(&mut self, tasks: &dyn TaskRunner, options: &Options) {
        debug_assert_eq!(options.check(), Ok(()));
        self.run(tasks, &Job::Optimize(*options));
        let (Some(most), groups) = (options.stiffen, &self.groups) else { return };
        // A strand takes a second where its rest shape took a millisecond: each is a task of its own.
        let open: Vec<(usize, usize)> = (groups.iter().enumerate())
            .flat_map(|(g, group)| {
                let group = group.lock();
                (0..group.count()).filter(|&lane| group.sags(lane, options)).map(|lane| (g, lane)).collect::<Vec<_>>()
            })
            .collect();
        tasks.run(open.len(), &|k| {
            let (g, lane) = open[k];
            let (mut s, initial) = {
                let group = groups[g].lock();
                (group.strand(lane), group.initial(lane))
            };
            let found = stiffen(&mut s, &initial, options, most);
            groups[g].lock().note_stiffened(lane, &s, found);
        });
    }

    /// Statics from the present state: [`Strands::settle`].
    pub fn settle(&mut self, tasks: &dyn TaskRunner, iterations: usize, tolerance: f64) {
        self.run(tasks, &Job::Settle { iterations, tolerance });
    }

    /// Counts the unstable modes of the present states.
    pub fn certify(&mut self, tasks: &dyn TaskRunner) {
        self.run(tasks, &Job::Certify);
    }

    /// The factors of [`Options::stiffen`], of bending and twisting at each vertex and of stretching of the edge after it; None
    /// where the strand is as it was described.
    pub fn multipliers(&self, i: usize) -> Option<Vec<[f64; 2]>> {
        let (g, lane) = self.places[i];
        self.groups[g].lock().multipliers(lane)
    }

    pub fn strand(&self, i: usize) -> Strands<f64> {
        let (g, lane) = self.places[i];
        self.groups[g].lock().strand(lane)
    }

    pub fn report(&self, i: usize) -> StrandReport {
        let (g, lane) = self.places[i];
        self.groups[g].lock().report(lane)
    }
}
