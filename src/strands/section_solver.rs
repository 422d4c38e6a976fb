//! Bundles: strands side by side whose vertices number v, a section, want to move as one similarity
//! (`docs/internals/bundles.md`).
//!
//! This work is based on: Baptiste Angles, Daniel Rebain, Miles Macklin et al., "VIPER: Volume Invariant Position-based Elastic
//! Rods", 2019, equations 32 to 36.
//!
//! ```text
//! fit       sections   the similarity that is nearest to a section's vertices and edges; what the springs ask for
//! (lanes)   a Newton direction of each strand between its springs; what it has of the hard bundle's system
//! begin     how the sections would move for that: the right-hand side
//! assemble  the hard bundle's system, and its factors
//! search    conjugate gradients: push gives the springs' loads, the strands answer, take looks at the answers
//! ```
//! The springs B δq + r − C y of a strand (r: minus what they ask for) have stiffness K. With M = H + BᵀKB, which each strand has
//! factored for itself, the motions y of the sections are left:
//!
//! ```text
//! S y = CᵀK (B M⁻¹f + r)        S = CᵀKC − CᵀKB M⁻¹ BᵀKC
//! ```
//! S is the hard bundle's JᵀHJ in series with the springs, so its inverse is nearly (JᵀHJ)⁻¹ + (CᵀKC)⁻¹.

use super::bundle_rest::{Bound, Load};
use super::section_fit::{Frames, Now, Rest, Section, at_mean_stretch, fit, look};
use crate::layout::{Buffers, HELD, Layout, SECTION, bundle, contact, state};
use crate::math::vec3::vec3;
use crate::math::{Elem, Quat, Sym3, Vec3};
use crate::rods::der::kernels::Frame;
use crate::rods::der::strand::Strands;
use crate::tasks::{Each, TaskRunner};

pub(super) type V3 = Vec3<f64>;

/// Unknowns of a section and of the two after it: what a row of the system reaches at most.
const ACROSS: usize = 3 * SECTION;

/// Springs of a hard bundle, as a part of m/h²; the stiffness of an edge, EA/l̄, comes on top, up to the whole being the second, in f32 and f64. (S is a
/// difference of numbers of that size: with more, f32 would leave too few digits of the inertia.)
const HARD: f64 = 1e3;
const MOST: [f64; 2] = [1e4, 1e8];

/// (With 10⁻² a limp row of three strands in f32 hung at 0.93 of its sag after 14 s.) Conjugate gradients: the error that ends them, in f32 and f64, and how many there are at most.
const LEFT: [f64; 2] = [1e-4, 1e-4];
/// Answers to contact forces are looked for so much farther: a search of its own counts on them.
const OF_ANSWERS: f64 = 1e-2;
/// A search of more steps has the system of another pose: it is put together anew.
const MANY: u32 = 3;
pub const SEARCHES: usize = 8;
/// A step that leaves more of the square of the error than this has met rounding: steps leave a hundredth, about.
const ROUNDED: f64 = 0.2;

/// The area of a section is held so many times as firmly as the places of strands in it, and once more. It also is how many substeps a section takes
/// to change its form.
const FIRM: f64 = 100.0;

/// From so many sections on they are so firm.
const SOFT_ENDS: f64 = 2.0;

/// What is nearer to the middle of its section than this part of its radius, squared, has no direction there.
const NEAR: f64 = 1e-2;

/// What differs between the turns and scales of two sections is held by this part of their stiffness, in a step alone: a strand by
/// itself does not tell them from their neighbours' means.
const SMOOTH: f64 = 1e-6;

/// A pivot is known to this part of its diagonal entry.
const NOISE: f64 = 1e-12;

/// What products need of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    /// Stiffness of the springs, N/m and N m.
    pub pull: f64,
    pub tilt: f64,
    pub turn: f64,
    pub grow: f64,
    /// What holds the area of sections: the firmer part of `grow`, and, out of the middle, N/m, and as a direction, √(N/m) (`bundle::FIRM`).
    pub firm_grow: f64,
    pub firm: f64,
    pub hold: V3,
    /// What is this near to the middle has no direction, m².
    pub near: f64,
    pub arm: V3,
    pub tangent: V3,
    pub inv_length: f64,
    /// Of the edge's sections; 0 where these keep theirs.
    pub size: f64,
}

impl Spot {
    /// What the springs of the vertex make of a displacement.
    fn force(&self, d: V3) -> V3 {
        d * self.pull + self.hold * self.hold.dot(d)
    }
    /// The displacement for which they have a force.
    fn displacement(&self, f: V3) -> V3 {
        (f - self.hold * (self.hold.dot(f) / (self.pull + self.hold.length2()))) * (1.0 / self.pull)
    }
}

/// What springs ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Ask {
    to: V3,
    lean: V3,
    twist: f64,
    swell: f64,
}

/// Numbers of the strands' lanes.
#[derive(Clone, Copy)]
pub(super) struct Rows<E> {
    pub state: *const E,
    pub scales: *const E,
    pub contact: *mut E,
    pub bundle: *mut E,
}

// SAFETY: each bundle has its own lanes, and is one task's.
unsafe impl<E> Send for Rows<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for Rows<E> {}

impl<E: Elem> Rows<E> {
    fn of(b: &mut Buffers<E>) -> Self {
        Rows {
            state: b.state.as_mut_ptr(),
            scales: if b.scales.is_empty() { core::ptr::null() } else { b.scales.as_ptr() },
            contact: b.contact.as_mut_ptr(),
            bundle: b.bundle.as_mut_ptr(),
        }
    }
}

/// Where a strand's numbers are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    offset: usize,
    width: usize,
    lane: usize,
}

impl Lane {
    fn at(&self, rows: usize, v: usize, field: usize) -> usize {
        (self.offset + v * self.width) * rows + field * self.width + self.lane
    }
    /// # Safety
    /// The rows are the strand's.
    pub unsafe fn get<E: Elem>(&self, of: *const E, rows: usize, v: usize, field: usize) -> f64 {
        // SAFETY: the caller's contract.
        unsafe { (*of.add(self.at(rows, v, field))).to_f64() }
    }
    /// # Safety
    /// As above.
    pub unsafe fn three<E: Elem>(&self, of: *const E, rows: usize, v: usize, field: usize) -> V3 {
        let at = self.at(rows, v, field);
        // SAFETY: the caller's contract.
        unsafe { vec3((*of.add(at)).to_f64(), (*of.add(at + self.width)).to_f64(), (*of.add(at + 2 * self.width)).to_f64()) }
    }
    /// # Safety
    /// As above, and nobody else has them.
    unsafe fn set<E: Elem>(&self, of: *mut E, rows: usize, v: usize, field: usize, value: f64) {
        // SAFETY: the caller's contract.
        unsafe { *of.add(self.at(rows, v, field)) = E::from_f64(value) }
    }
    /// # Safety
    /// As above.
    unsafe fn set3<E: Elem>(&self, of: *mut E, rows: usize, v: usize, field: usize, value: V3) {
        for (k, c) in value.to_array().into_iter().enumerate() {
            // SAFETY: the caller's contract.
            unsafe { self.set(of, rows, v, field + k, c) }
        }
    }
}

/// Displacement of a vertex, turn and growth of its edge.
#[derive(Clone, Copy, Debug, Default)]
struct Move {
    x: V3,
    turn: f64,
    swell: f64,
}

/// Of a bundle, about a point; its mass is over h².
struct Momenta {
    mass: f64,
    center: V3,
    linear: V3,
    angular: V3,
    inertia: Sym3<f64>,
}

/// The largest turn, rad, and shift, m, that gives momenta back.
const MOST_TURN: f64 = 0.3;

/// One bundle.
#[derive(Clone, Debug)]
struct Bundle {
    lanes: Vec<Lane>,
    /// Sections, vertices of each strand.
    count: usize,
    /// Strand by strand.
    rest: Vec<Rest>,
    now: Vec<Now>,
    spots: Vec<Spot>,
    asks: Vec<Ask>,
    frames: Vec<Frames>,
    sections: Vec<Section>,
    /// Of the edge after each section: how far strands are from its middle at rest, the mean square, m².
    spread: Vec<f64>,
    /// How many times more firmly than the places in it the area of each section is held: [`FIRM`], or what the hardest spring leaves of that.
    firm: Vec<f64>,
    /// The hard bundle's system, then its factors: a row from its diagonal on.
    band: Vec<[f64; ACROSS]>,
    /// (CᵀKC)⁻¹ without what is between sections, as factors: lower triangles.
    springs: Vec<[[f64; SECTION]; SECTION]>,
    residual: Vec<f64>,
    way: Vec<f64>,
    product: Vec<f64>,
    error: f64,
    first_error: f64,
    open: bool,
    /// Springs carry something in the rest shape.
    loaded: bool,
    /// The error that ends the search under way; its products, and whether the next step puts the hard bundle's system together anew.
    left: f64,
    steps: u32,
    wants: bool,
}

/// All bundles of a set of rods.
#[derive(Clone, Debug)]
pub struct Bundles {
    bundles: Vec<Bundle>,
    /// Whether sections grow.
    scales: bool,
    /// Poisson's ratio of the strands.
    ratio: f64,
    double: bool,
    /// Times that strands were asked for their answers, since [`Bundles::forget_products`].
    products: u32,
    /// Whether areas of sections are held: not where something that gives holds an end. It is told how the strand gives as if sections stood still, and a
    /// bone of 1 kg on a fan with tendons flew off.
    pub holds_area: bool,
}

/// What springs are made of: numbers of a vertex and of the edge after it.
#[derive(Clone, Copy, Debug)]
pub struct SpringMaterial {
    /// Half of the edges at the vertex, and the edge, at rest, m.
    pub reach: f64,
    pub length: f64,
    /// Of the vertex with its share of all that its edges carry, and of the edge, kg.
    pub mass: f64,
    pub edge_mass: f64,
    /// Of the edge's section, m.
    pub radius: f64,
    /// GA of the edge, N.
    pub shear: f64,
    /// EA/l̄ of the edges at the vertex and of the edge, N/m.
    pub stiff: f64,
    pub edge_stiff: f64,
}

/// How firmly the area of section `v` of `count` is held: [`FIRM`], and less at the ends. What holds an end holds the area there; it is told how a
/// strand gives as if sections stood still. (With firm ends a forearm of 3 kg was thrown about, and its muscle was 18 % out of its volume.)
fn firm_at(v: usize, count: usize) -> f64 {
    let from_end = v.min((count - 1).saturating_sub(v)) as f64;
    FIRM * (from_end / SOFT_ENDS).min(1.0).powi(2)
}

fn in_series(a: f64, b: f64) -> f64 {
    // Either may be infinite.
    if a <= 0.0 || b <= 0.0 { 0.0 } else { 1.0 / (1.0 / a + 1.0 / b) }
}

/// How far the vertices of a section are from their middle: the mean square.
fn spread(rest: &[Rest], count: usize, section: usize) -> f64 {
    let mut middle = V3::zero();
    let share = count as f64 / rest.len() as f64;
    for r in rest[section..].iter().step_by(count) {
        middle = middle + r.place * share;
    }
    rest[section..].iter().step_by(count).map(|r| (r.place - middle).length2() * share).sum()
}

impl Bundles {
    /// Of `per` strands each; what is a section at rest is where they are.
    pub fn new<E: Elem>(layout: &Layout, b: &mut Buffers<E>, per: usize, scales: bool, ratio: f64) -> Self {
        let rows = Rows::of(b);
        let strands: Vec<usize> = (0..layout.counts.len()).collect();
        let bundles = strands.chunks(per).map(|strands| {
            let lanes: Vec<Lane> = strands
                .iter()
                .map(|&s| {
                    let (place, block) = (layout.places[s], &layout.blocks[layout.places[s].block as usize]);
                    Lane { offset: block.offset, width: block.width, lane: place.lane as usize }
                })
                .collect();
            let count = layout.counts[strands[0]] as usize;
            let mut now = vec![Now::default(); count * lanes.len()];
            look(&lanes, count, &rows, false, &mut now);
            let rest: Vec<Rest> = now
                .iter()
                .map(|n| Rest {
                    place: n.place,
                    axis: n.axis,
                    tangent: n.tangent,
                    length: if n.inv_length > 0.0 { 1.0 / n.inv_length } else { 0.0 },
                    scale: 1.0,
                    load: Load::default(),
                })
                .collect();
            let spread: Vec<f64> =
                (0..count).map(|v| 0.5 * (spread(&rest, count, v) + spread(&rest, count, (v + 1).min(count - 1)))).collect();
            let (all, each) = (SECTION * count, count * lanes.len());
            Bundle {
                lanes,
                count,
                rest,
                now,
                spots: vec![Spot::default(); each],
                asks: vec![Ask::default(); each],
                frames: vec![Frames::default(); count],
                spread,
                firm: vec![0.0; count],
                wants: true,
                loaded: false,
                sections: vec![
                    Section {
                        center: V3::zero(),
                        origin: V3::zero(),
                        rotation: Quat::identity(),
                        scale: 1.0,
                        spread: 1.0,
                        grown: 1.0
                    };
                    count
                ],
                band: vec![[0.0; ACROSS]; all],
                springs: vec![[[0.0; SECTION]; SECTION]; count],
                residual: vec![0.0; all],
                way: vec![0.0; all],
                product: vec![0.0; all],
                error: 0.0,
                first_error: 0.0,
                open: false,
                left: 0.0,
                steps: 0,
            }
        });
        Bundles { bundles: bundles.collect(), scales, ratio, double: E::IS_F64, products: 0, holds_area: true }
    }

    pub fn bytes(&self) -> usize {
        let of = |b: &Bundle| {
            b.lanes.len() * size_of::<Lane>()
                + b.spots.len() * (size_of::<Rest>() + size_of::<Now>() + size_of::<Spot>() + size_of::<Ask>())
                + b.count
                    * (size_of::<Section>() + size_of::<Frames>() + size_of::<f64>() + size_of::<[[f64; SECTION]; SECTION]>())
                + b.band.len() * (size_of::<[f64; ACROSS]>() + 3 * size_of::<f64>())
        };
        self.bundles.iter().map(of).sum()
    }

    /// Springs of `stiffness` (`RodsDesc::bundle_stiffness`) for substeps of `h` seconds. `of`: by strand and vertex.
    pub fn tie<E: Elem>(&mut self, b: &mut Buffers<E>, stiffness: f64, h: f64, of: impl Fn(usize, usize) -> SpringMaterial) {
        let (rows, double) = (Rows::of(b), usize::from(self.double));
        let (inertia, most) = (HARD / (h * h), MOST[double] / (h * h));
        let mut strand = 0;
        for b in &mut self.bundles {
            let firm = |v: usize| if self.scales && self.holds_area { firm_at(v, b.count) } else { 0.0 };
            b.firm.iter_mut().enumerate().for_each(|(v, to)| *to = firm(v));
            for (lane, spots) in b.lanes.iter().zip(b.spots.chunks_mut(b.count)) {
                for (v, spot) in spots.iter_mut().enumerate() {
                    let m = of(strand, v);
                    let hard = |mass: f64, stiff: f64| (inertia * mass + stiff).min(most * mass);
                    let (soft, most) = (stiffness * m.length, hard(m.edge_mass, m.edge_stiff));
                    let square = m.radius * m.radius;
                    let disc = soft.min(most) * square;
                    spot.pull = (stiffness * m.reach).min(hard(m.mass, m.stiff));
                    spot.turn = 0.5 * disc;
                    let lean = 0.25 * (soft * (1.0 + firm(v).min(firm(v + 1)))).min(most) * square;
                    spot.tilt = in_series(lean, m.shear * m.length);
                    // What lies between strands grows with them: a section that is too wide for its discs is so at all its places.
                    let (grow, most) = (soft * (0.5 * square + b.spread[v]), most * 0.5 * square);
                    if self.scales {
                        let soft = grow.min(most);
                        spot.grow = (grow * (1.0 + firm(v).min(firm(v + 1)))).min(most);
                        spot.firm_grow = spot.grow - soft;
                    }
                    (spot.near, spot.hold) = (NEAR * square, V3::zero());
                    if self.scales && spot.pull > 0.0 {
                        b.firm[v] = b.firm[v].min(hard(m.mass, m.stiff) / spot.pull - 1.0);
                    }
                    // SAFETY: the rows are this bundle's.
                    unsafe {
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::PULL, spot.pull);
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::TILT, spot.tilt);
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::TURN, spot.turn);
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::GROW, spot.grow);
                    }
                }
                strand += 1;
            }
            for spots in b.spots.chunks_mut(b.count) {
                spots.iter_mut().zip(&b.firm).for_each(|(spot, firm)| spot.firm = spot.pull * firm);
            }
        }
    }

    fn each<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner, task: impl Fn(&mut Bundle, &Rows<E>) + Sync) {
        let (rows, count) = (Rows::of(b), self.bundles.len());
        let each = Each::new(&mut self.bundles);
        runner.run(count, &|k| {
            // SAFETY: each index is run once.
            let bundle = unsafe { each.at(k) };
            task(bundle, &rows);
        });
    }

    /// Finds the sections of the state as it is, and tells the strands. `first`: of the step, in which the hard bundle's system is put together.
    pub fn fit<E: Elem>(&mut self, b: &mut Buffers<E>, first: bool, runner: &dyn TaskRunner) {
        let (scales, ratio) = (self.scales, self.ratio);
        self.each(b, runner, |bundle, rows| {
            bundle.wants |= first;
            look(&bundle.lanes, bundle.count, rows, true, &mut bundle.now);
            if scales {
                at_mean_stretch(&bundle.rest, bundle.count, ratio, &mut bundle.now);
            }
            let firm = scales.then_some(&bundle.firm[..]);
            fit(&bundle.rest, &bundle.spots, &bundle.now, firm, &mut bundle.frames, &mut bundle.sections);
            bundle.ask(rows, scales);
        });
    }

    /// Springs carry nothing from now on. What they have carried.
    pub(super) fn take_loads(&mut self) -> Vec<Load> {
        let mut loads = Vec::new();
        for b in &mut self.bundles {
            b.loaded = false;
            loads.extend(b.rest.iter_mut().map(|r| core::mem::take(&mut r.load)));
        }
        loads
    }
    pub(super) fn give_loads(&mut self, loads: Vec<Load>) {
        let mut loads = loads.into_iter();
        for b in &mut self.bundles {
            b.rest.iter_mut().zip(&mut loads).for_each(|(r, load)| r.load = load);
            b.loaded = b.rest.iter().any(|r| r.load != Load::default());
        }
    }

    /// The rest shape is given: springs carry nothing, and sections have the scales that they were made with.
    pub fn forget_loads(&mut self) {
        self.take_loads();
        self.bundles.iter_mut().flat_map(|b| &mut b.rest).for_each(|r| r.scale = 1.0);
    }

    /// How far the springs of the bundle farthest from its rest are out of their places, over the length of the edge, rad, and of the scale.
    pub fn farthest(&self) -> f64 {
        let mut most = 0.0f64;
        for b in &self.bundles {
            for (at, ask) in b.asks.iter().enumerate() {
                let length = b.rest[at].length.max(b.rest[at.max(1) - 1].length);
                let all = [ask.to.length() / length, ask.lean.length(), ask.twist.abs(), ask.swell.abs()];
                // NaN is the farthest.
                all.into_iter().for_each(|x| most = if x <= most { most } else { x });
            }
        }
        most
    }

    /// What springs give strands, from their statics, bundle by bundle: those that are found become the springs' own.
    pub(super) fn share(&mut self, bundle: usize, strands: &[Strands<f64>], phantoms: &[[usize; 2]]) {
        let (scales, b) = (self.scales, &mut self.bundles[bundle]);
        let loads = Bound { strands, phantoms, spots: &b.spots, count: b.count, scales }.loads();
        b.loaded = loads.iter().any(|load| *load != Load::default());
        b.rest.iter_mut().zip(loads).for_each(|(rest, load)| rest.load = load);
    }

    /// How many ways there are for a bundle to leave its pose.
    pub(super) fn unstable(&self, bundle: usize, strands: &mut [Strands<f64>], phantoms: &[[usize; 2]]) -> usize {
        let b = &self.bundles[bundle];
        let tense: Vec<_> = strands.iter_mut().map(|s| s.stiffness().as_flattened().to_vec()).collect();
        Bound { strands, phantoms, spots: &b.spots, count: b.count, scales: self.scales }.unstable(&tense)
    }

    /// The scales at which edges of a strand are where springs draw them to.
    pub(super) fn set_scales(&mut self, bundle: usize, strand: usize, scales: &[f64]) {
        let b = &mut self.bundles[bundle];
        b.rest[strand * b.count..][..scales.len()].iter_mut().zip(scales).for_each(|(rest, s)| rest.scale = *s);
    }

    /// What springs give a vertex, N, and the edge after it about itself, N m, where the bundle is as it was made.
    pub(super) fn load(&self, bundle: usize, strand: usize, v: usize) -> (V3, f64) {
        let b = &self.bundles[bundle];
        let of = |v: usize| {
            let r = &b.rest[strand * b.count + v];
            if r.length > 0.0 { r.load.lean * (1.0 / r.length) } else { V3::zero() }
        };
        let load = b.rest[strand * b.count + v].load;
        (load.force - of(v) + if v > 0 { of(v - 1) } else { V3::zero() }, load.twist)
    }

    /// Looks at the ways that strands have found, [`contact::OWN`], and puts the sections' system together.
    pub fn begin<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| {
            if bundle.wants {
                bundle.assemble(rows, scales);
                bundle.wants = false;
            }
            bundle.start(rows, false, scales);
        });
    }

    /// The same for answers to loads, [`contact::ANSWER`], with the system as it is.
    pub fn begin_answer<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| bundle.start(rows, true, scales));
    }

    /// Before loads that strands shall answer to: there are none, on no strand.
    pub fn unload<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        self.each(b, runner, |bundle, rows| {
            for lane in &bundle.lanes {
                for v in 0..bundle.count {
                    // SAFETY: the rows are this bundle's.
                    unsafe {
                        lane.set3(rows.contact, contact::ROWS, v, contact::ANSWER, V3::zero());
                        lane.set(rows.contact, contact::ROWS, v, contact::ANSWER_TURN, 0.0);
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::ANSWER_SWELL, 0.0);
                    }
                }
            }
        });
    }

    /// Whether any looks for its sections still.
    pub fn is_open(&self) -> bool {
        self.bundles.iter().any(|b| b.open)
    }

    /// The springs' loads for the way of the search.
    pub fn push<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        self.products += 1;
        self.each(b, runner, |bundle, rows| bundle.push(rows));
    }

    /// Takes the strands' answers.
    pub fn take<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| bundle.take(rows, scales));
    }

    /// What was found becomes the strands' own way, or, of `answers`, their answer.
    pub fn end<E: Elem>(&mut self, b: &mut Buffers<E>, answers: bool, runner: &dyn TaskRunner) {
        self.each(b, runner, |bundle, rows| bundle.end(rows, answers));
    }

    /// Before displacements become velocities: free bundles get back what a substep has lost of both momenta, as a motion of the whole. Implicit Euler
    /// loses angular momentum, rounding both.
    pub fn give_back<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        self.each(b, runner, |bundle, rows| bundle.give_back(rows));
    }

    pub fn products(&self) -> u32 {
        self.products
    }
    pub fn forget_products(&mut self) {
        self.products = 0;
    }

    /// How many there are, and how many sections each has.
    pub fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.bundles.iter().map(|b| b.count)
    }

    /// The sections of the state as it is, bundle by bundle, with the place of what was at the origin at rest.
    pub fn sections<E: Elem>(&self, b: &Buffers<E>, mut put: impl FnMut(usize, &Section)) {
        let rows = Rows {
            state: b.state.as_ptr(),
            scales: if b.scales.is_empty() { core::ptr::null() } else { b.scales.as_ptr() },
            contact: core::ptr::null_mut(),
            bundle: core::ptr::null_mut(),
        };
        let mut i = 0;
        for bundle in &self.bundles {
            let (mut now, mut frames, mut sections) = (bundle.now.clone(), bundle.frames.clone(), bundle.sections.clone());
            look(&bundle.lanes, bundle.count, &rows, false, &mut now);
            if self.scales {
                at_mean_stretch(&bundle.rest, bundle.count, self.ratio, &mut now);
            }
            let firm = self.scales.then_some(&bundle.firm[..]);
            fit(&bundle.rest, &bundle.spots, &now, firm, &mut frames, &mut sections);
            for section in &sections {
                let mut section = *section;
                section.center = section.origin;
                put(i, &section);
                i += 1;
            }
        }
    }
}

impl Bundle {
    fn spot(&self, strand: usize, v: usize) -> &Spot {
        &self.spots[strand * self.count + v]
    }

    /// What springs ask for.
    fn ask<E: Elem>(&mut self, rows: &Rows<E>, scales: bool) {
        let (out, n, wants) = (rows.bundle, bundle::ROWS, if self.wants { 1.0 } else { 0.0 });
        for lane in &self.lanes {
            // SAFETY: the rows are this bundle's.
            unsafe { lane.set(out, n, 0, bundle::WANTS, wants) };
        }
        for v in 0..self.count {
            let a = self.sections[v];
            let r = a.rotation.frame();
            let b = self.sections[(v + 1).min(self.count - 1)];
            let mean = a.rotation.nlerp(b.rotation, 0.5).frame();
            for (i, lane) in self.lanes.iter().enumerate() {
                let at = i * self.count + v;
                let (rest, now, spot) = (&self.rest[at], &self.now[at], &mut self.spots[at]);
                let y = rest.place;
                let there = a.origin + (r[0] * y.x + r[1] * y.y + r[2] * y.z) * a.scale;
                spot.arm = there - a.center;
                let mut ask = Ask { to: there - now.place, ..Ask::default() };
                if spot.firm > 0.0 {
                    // The vertex alone is drawn to its place, the section as a whole to its area.
                    spot.hold = spot.arm * (spot.firm / (spot.arm.length2() + spot.near)).sqrt();
                    let wider = spot.hold.dot(spot.arm) * (a.scale - a.spread) / a.scale;
                    let all = spot.pull + spot.hold.length2();
                    ask.to = ask.to + spot.hold * ((wider - spot.hold.dot(ask.to)) / all);
                }
                if self.loaded && spot.pull > 0.0 {
                    let f = rest.load.force;
                    ask.to = ask.to + spot.displacement(r[0] * f.x + r[1] * f.y + r[2] * f.z);
                }
                if v + 1 < self.count {
                    let turned = |y: V3| mean[0] * y.x + mean[1] * y.y + mean[2] * y.z;
                    let (m1, t) = (turned(rest.axis), turned(rest.tangent));
                    let f = Frame { m1: now.axis, m2: now.tangent.cross(now.axis), t: now.tangent };
                    ask.lean = t - f.t * f.t.dot(t);
                    ask.twist = f.turn_to(&Frame { m1, m2: t.cross(m1), t });
                    if self.loaded && spot.turn > 0.0 && spot.tilt > 0.0 {
                        let lean = turned(rest.load.lean) * (1.0 / spot.tilt);
                        ask.lean = ask.lean + (lean - f.t * f.t.dot(lean));
                        ask.twist += rest.load.twist / spot.turn;
                    }
                    spot.size = if scales { 0.5 * (a.scale + b.scale) * rest.scale } else { 0.0 };
                    if scales && spot.grow > 0.0 {
                        let all = (0.5 * (a.scale + b.scale) - a.grown) * rest.scale;
                        let own = spot.size - now.scale;
                        ask.swell = own + (all - own) * (spot.firm_grow / spot.grow);
                    }
                    (spot.tangent, spot.inv_length) = (now.tangent, now.inv_length);
                }
                // SAFETY: as above.
                unsafe {
                    lane.set3(out, n, v, bundle::TO, ask.to);
                    lane.set3(out, n, v, bundle::LEAN, ask.lean);
                    lane.set(out, n, v, bundle::TWIST, ask.twist);
                    if scales {
                        lane.set(out, n, v, bundle::SWELL, ask.swell);
                        lane.set(out, n, v, bundle::SIZE, spot.size);
                    }
                    if scales {
                        lane.set3(out, n, v, bundle::FIRM, spot.hold);
                    }
                    if self.wants {
                        lane.set3(out, n, v, bundle::ARM, spot.arm);
                    }
                }
                self.asks[at] = ask;
            }
        }
    }

    /// The hard bundle's system and its factors, and those of the springs.
    fn assemble<E: Elem>(&mut self, rows: &Rows<E>, scales: bool) {
        let count = self.count;
        for v in 0..count {
            let mut t = [0.0; SECTION * ACROSS];
            for lane in &self.lanes {
                let at = lane.at(bundle::ROWS, v, bundle::COARSE);
                for (k, t) in t.iter_mut().enumerate() {
                    // SAFETY: the rows are this bundle's.
                    *t += unsafe { (*rows.bundle.add(at + k * lane.width)).to_f64() };
                }
            }
            for r in 0..SECTION {
                let row = &mut self.band[v * SECTION + r];
                *row = [0.0; ACROSS];
                for c in r..ACROSS {
                    row[c - r] = t[r * ACROSS + c] + if c < SECTION { t[c * ACROSS + r] } else { 0.0 };
                }
            }
            // Of the springs.
            let mut g = [[0.0; SECTION]; SECTION];
            for i in 0..self.lanes.len() {
                let s = *self.spot(i, v);
                let mut add = |a: [f64; SECTION], w: f64| {
                    for r in 0..SECTION {
                        for c in 0..=r {
                            g[r][c] += w * a[r] * a[c];
                        }
                    }
                };
                let a = s.arm;
                add([1.0, 0.0, 0.0, 0.0, a.z, -a.y, a.x], s.pull);
                add([0.0, 1.0, 0.0, -a.z, 0.0, a.x, a.y], s.pull);
                add([0.0, 0.0, 1.0, a.y, -a.x, 0.0, a.z], s.pull);
                let (h, turn) = (s.hold, a.cross(s.hold));
                add([h.x, h.y, h.z, turn.x, turn.y, turn.z, a.dot(h)], 1.0);
                for e in [v.wrapping_sub(1), v] {
                    if e < count - 1 {
                        let s = *self.spot(i, e);
                        let t = s.tangent;
                        for r in 0..3 {
                            for c in 0..=r {
                                let (tr, tc) = (t.to_array()[r], t.to_array()[c]);
                                let unit = if r == c { s.tilt } else { 0.0 };
                                g[3 + r][3 + c] += 0.25 * (unit + (s.turn - s.tilt) * tr * tc);
                            }
                        }
                        g[6][6] += 0.25 * s.grow * s.size * s.size;
                    }
                }
            }
            if !scales {
                g[6] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
            }
            cholesky(&mut g);
            self.springs[v] = g;
        }
        for v in 0..count - 1 {
            for k in 3..SECTION {
                let (r, next) = (v * SECTION + k, (v + 1) * SECTION + k);
                let hold = SMOOTH * (self.band[r][0] + self.band[next][0]);
                self.band[r][0] += hold;
                self.band[next][0] += hold;
                self.band[r][SECTION] -= hold;
            }
        }
        if !scales {
            for v in 0..count {
                let at = v * SECTION + 6;
                self.band[at] = [0.0; ACROSS];
                self.band[at][0] = 1.0;
                for back in 1..ACROSS.min(at + 1) {
                    self.band[at - back][back] = 0.0;
                }
            }
        }
        // LDLᵀ in place: one over the pivot, then the row of Lᵀ.
        let all = self.band.len();
        for p in 0..all {
            let reach = Self::reach(p, all);
            let (done, rest) = self.band.split_at_mut(p + 1);
            let row = &mut done[p];
            let inv = 1.0 / row[0].max(f64::MIN_POSITIVE);
            for r in 1..reach {
                let l = row[r] * inv;
                if l != 0.0 {
                    let to = &mut rest[r - 1];
                    let known = to[0].abs() * NOISE;
                    for c in r..reach {
                        to[c - r] -= l * row[c];
                    }
                    to[0] = to[0].max(known);
                }
            }
            for r in row[1..reach].iter_mut() {
                *r *= inv;
            }
            row[0] = inv;
        }
    }

    /// How many entries the row of an unknown has.
    fn reach(p: usize, all: usize) -> usize {
        (ACROSS - p % SECTION).min(all - p)
    }

    /// way = (JᵀHJ)⁻¹ r + (CᵀKC)⁻¹ r, in `product`.
    fn soften(&mut self) {
        let all = self.band.len();
        self.product.copy_from_slice(&self.residual);
        let x = &mut self.product;
        for p in 0..all {
            let (y, row) = (x[p], &self.band[p]);
            for r in 1..Self::reach(p, all) {
                x[p + r] -= row[r] * y;
            }
        }
        for p in (0..all).rev() {
            let row = &self.band[p];
            let mut y = x[p] * row[0];
            for r in 1..Self::reach(p, all) {
                y -= row[r] * x[p + r];
            }
            x[p] = y;
        }
        for (v, l) in self.springs.iter().enumerate() {
            let mut y: [f64; SECTION] = core::array::from_fn(|k| self.residual[v * SECTION + k]);
            for r in 0..SECTION {
                for c in 0..r {
                    y[r] -= l[r][c] * y[c];
                }
                y[r] *= l[r][r];
            }
            for r in (0..SECTION).rev() {
                for c in r + 1..SECTION {
                    y[r] -= l[c][r] * y[c];
                }
                y[r] *= l[r][r];
            }
            for (k, y) in y.into_iter().enumerate() {
                self.product[v * SECTION + k] += y;
            }
        }
    }

    /// CᵀK (m − c), for the moves m of the strands; c: what sections do, C y, or what springs ask for.
    fn gather(&mut self, scales: bool, asked: bool, moves: impl Fn(&Lane, usize) -> Move) {
        self.product.fill(0.0);
        for (i, lane) in self.lanes.iter().enumerate() {
            let mut next = moves(lane, 0);
            for v in 0..self.count {
                let (m, s, ask) = (next, &self.spots[i * self.count + v], &self.asks[i * self.count + v]);
                let y = &self.way[v * SECTION..];
                let y_turn = vec3(y[3], y[4], y[5]);
                let c = if asked { ask.to } else { vec3(y[0], y[1], y[2]) + y_turn.cross(s.arm) + s.arm * y[6] };
                let f = s.force(m.x - c);
                let turn = s.arm.cross(f);
                let out = &mut self.product[v * SECTION..];
                for (k, f) in [f.x, f.y, f.z, turn.x, turn.y, turn.z, s.arm.dot(f)].into_iter().enumerate() {
                    out[k] += f;
                }
                if v + 1 == self.count {
                    break;
                }
                next = moves(lane, v + 1);
                let z = &self.way[(v + 1) * SECTION..];
                let mean = (y_turn + vec3(z[3], z[4], z[5])) * 0.5;
                let (lean, twist, swell) = if asked {
                    (ask.lean, ask.twist, ask.swell)
                } else {
                    (mean.cross(s.tangent), mean.dot(s.tangent), 0.5 * (y[6] + z[6]) * s.size)
                };
                let d = (next.x - m.x) * s.inv_length;
                let across = d - s.tangent * s.tangent.dot(d);
                let moment = s.tangent.cross(across - lean) * s.tilt + s.tangent * (s.turn * (m.turn - twist));
                let grown = s.grow * s.size * (m.swell - swell);
                for at in [v * SECTION, (v + 1) * SECTION] {
                    for (k, f) in [moment.x, moment.y, moment.z, grown].into_iter().enumerate() {
                        self.product[at + 3 + k] += 0.5 * f;
                    }
                }
            }
        }
        if !scales {
            for v in 0..self.count {
                self.product[v * SECTION + 6] = 0.0;
            }
        }
    }

    /// The right-hand side of the strands' own ways, or `answers`, and the first way to go.
    fn start<E: Elem>(&mut self, rows: &Rows<E>, answers: bool, scales: bool) {
        let (row, swell) = if answers { (contact::ANSWER, bundle::ANSWER_SWELL) } else { (contact::OWN, bundle::OWN_SWELL) };
        // SAFETY: the rows are this bundle's.
        let moves = |lane: &Lane, v: usize| unsafe {
            Move {
                x: lane.three(rows.contact, contact::ROWS, v, row),
                turn: lane.get(rows.contact, contact::ROWS, v, row + 3),
                swell: lane.get(rows.bundle, bundle::ROWS, v, swell),
            }
        };
        for lane in &self.lanes {
            for v in 0..self.count {
                let m = moves(lane, v);
                // SAFETY: as above.
                unsafe { lane.set_move(rows.bundle, v, &m) };
            }
        }
        self.way.fill(0.0);
        self.gather(scales, !answers, moves);
        self.residual.copy_from_slice(&self.product);
        self.soften();
        self.error = dot(&self.residual, &self.product);
        self.first_error = self.error;
        self.way.copy_from_slice(&self.product);
        // Not where it is not a number.
        self.open = self.error > 0.0;
        self.steps = 0;
        self.left = LEFT[usize::from(E::IS_F64)] * if answers { OF_ANSWERS } else { 1.0 };
    }

    /// BᵀKC times the way.
    fn push<E: Elem>(&mut self, rows: &Rows<E>) {
        for (i, lane) in self.lanes.iter().enumerate() {
            let mut before = V3::zero();
            for v in 0..self.count {
                let (s, y) = (self.spot(i, v), &self.way[v * SECTION..]);
                let y_turn = vec3(y[3], y[4], y[5]);
                let mut f = s.force(vec3(y[0], y[1], y[2]) + y_turn.cross(s.arm) + s.arm * y[6]) + before;
                let (mut moment, mut swell) = (0.0, 0.0);
                if v + 1 < self.count {
                    let z = &self.way[(v + 1) * SECTION..];
                    let mean = (y_turn + vec3(z[3], z[4], z[5])) * 0.5;
                    before = mean.cross(s.tangent) * (s.tilt * s.inv_length);
                    f = f - before;
                    moment = s.turn * mean.dot(s.tangent);
                    swell = s.grow * s.size * 0.5 * (y[6] + z[6]);
                }
                let on = if self.open { 1.0 } else { 0.0 };
                // SAFETY: the rows are this bundle's.
                unsafe {
                    lane.set3(rows.contact, contact::ROWS, v, contact::ANSWER, f * on);
                    lane.set(rows.contact, contact::ROWS, v, contact::ANSWER_TURN, moment * on);
                    lane.set(rows.bundle, bundle::ROWS, v, bundle::ANSWER_SWELL, swell * on);
                }
            }
        }
    }

    /// A step of the search, by the strands' answers.
    fn take<E: Elem>(&mut self, rows: &Rows<E>, scales: bool) {
        if !self.open {
            return;
        }
        // SAFETY: the rows are this bundle's.
        let moves = |lane: &Lane, v: usize| unsafe {
            Move {
                x: lane.three(rows.contact, contact::ROWS, v, contact::ANSWER),
                turn: lane.get(rows.contact, contact::ROWS, v, contact::ANSWER_TURN),
                swell: lane.get(rows.bundle, bundle::ROWS, v, bundle::ANSWER_SWELL),
            }
        };
        // −S times the way.
        self.gather(scales, false, moves);
        let curve = -dot(&self.way, &self.product);
        if curve <= 0.0 || !curve.is_finite() {
            self.open = false;
            return;
        }
        let far = self.error / curve;
        for (r, s) in self.residual.iter_mut().zip(&self.product) {
            *r += far * s;
        }
        for lane in &self.lanes {
            for v in 0..self.count {
                // SAFETY: as above.
                unsafe {
                    let (sum, m) = (lane.get_move(rows.bundle, v), moves(lane, v));
                    let to = Move { x: sum.x + m.x * far, turn: sum.turn + m.turn * far, swell: sum.swell + m.swell * far };
                    lane.set_move(rows.bundle, v, &to);
                }
            }
        }
        self.soften();
        let error = dot(&self.residual, &self.product);
        self.steps += 1;
        self.wants |= self.steps > MANY;
        self.open = error > self.left * self.left * self.first_error && error < ROUNDED * self.error;
        let keep = error / self.error;
        self.error = error;
        for (w, z) in self.way.iter_mut().zip(&self.product) {
            *w = *z + keep * *w;
        }
    }

    /// Both momenta, times h over h²: of where inertia would take the strands, or of where they go, and whether nothing holds them. `about` a point.
    fn momenta<E: Elem>(&self, rows: &Rows<E>, about: V3, coasting: bool) -> Option<Momenta> {
        let mut sum = Momenta {
            mass: 0.0,
            center: V3::zero(),
            linear: V3::zero(),
            angular: V3::zero(),
            inertia: Sym3::diagonal(V3::zero()),
        };
        for lane in &self.lanes {
            // SAFETY: the rows are this bundle's.
            let get = |v: usize, row: usize| unsafe { lane.get(rows.bundle, bundle::ROWS, v, row) };
            // SAFETY: as above.
            let at = |v: usize, row: usize| unsafe { lane.three(rows.state, state::ROWS, v, row) };
            // SAFETY: as above.
            let load = |v: usize| unsafe { lane.three(rows.contact, contact::ROWS, v, contact::LOAD) };
            if get(0, bundle::PRESSED) > 0.0 {
                return None;
            }
            for v in 0..self.count {
                let m = get(v, bundle::INERTIA);
                if m >= 0.1 * HELD || load(v) != V3::zero() {
                    return None;
                }
                let x = at(v, state::X);
                let u = if coasting {
                    vec3(get(v, bundle::COAST), get(v, bundle::COAST + 1), get(v, bundle::COAST + 2))
                } else {
                    at(v, state::U)
                };
                let r = x - about + u;
                sum.mass += m;
                sum.center = sum.center + r * m;
                sum.linear = sum.linear + u * m;
                sum.angular = sum.angular + r.cross(u) * m;
                sum.inertia = sum.inertia.add_inertia(r, m);
                if v + 1 == self.count {
                    break;
                }
                // A section turns about its edge.
                let turns = get(v, bundle::INERTIA + 1);
                let next = at(v + 1, state::X);
                let (u0, u1) = (at(v, state::U), at(v + 1, state::U));
                let e = next - x;
                let axis = (if coasting { e } else { e + (u1 - u0) }).normalized_or(V3::zero());
                let turned = if coasting {
                    get(v, bundle::COAST_TURN)
                } else {
                    let middle = (u0 + u1) * 0.5;
                    let g = at(v, state::GX) + at(v, state::GU) - (x + next) * 0.5 - middle;
                    axis.dot(g.cross(at(v, state::GU) - middle)) / g.length2().max(f64::MIN_POSITIVE)
                };
                sum.angular = sum.angular + axis * (turns * turned);
                // (Without these, which are not small where edges are long and thin, the turn that gives momentum back was too large, and each larger
                // than the last: a bundle that fell freely began to turn.)
                sum.inertia = sum.inertia.add_outer(axis, turns);
            }
        }
        Some(sum)
    }

    fn give_back<E: Elem>(&mut self, rows: &Rows<E>) {
        // SAFETY: the rows are this bundle's.
        let about = unsafe { self.lanes[0].three(rows.state, state::ROWS, 0, state::X) };
        let (Some(before), Some(after)) = (self.momenta(rows, about, true), self.momenta(rows, about, false)) else { return };
        let inv = 1.0 / after.mass;
        let (center, shift) = (after.center * inv, (before.linear - after.linear) * inv);
        let spin = after.angular + shift.cross(after.linear) + center.cross(shift * after.mass);
        let turn = after.inertia.add_inertia(center, -after.mass).solve(before.angular - spin);
        // What is not a number is not small.
        let small = turn.length2() + shift.length2() < MOST_TURN * MOST_TURN;
        if !small {
            return;
        }
        for lane in &self.lanes {
            for v in 0..self.count {
                for (x, u) in [(state::X, state::U), (state::GX, state::GU)] {
                    if u == state::GU && v + 1 == self.count {
                        continue;
                    }
                    // SAFETY: as above; a bundle writes to its own lanes alone.
                    unsafe {
                        let to = lane.three(rows.state, state::ROWS, v, u);
                        let r = lane.three(rows.state, state::ROWS, v, x) - about + to - center;
                        lane.set3(rows.state.cast_mut(), state::ROWS, v, u, to + shift + turn.cross(r));
                    }
                }
            }
        }
    }

    fn end<E: Elem>(&mut self, rows: &Rows<E>, answers: bool) {
        for lane in &self.lanes {
            for v in 0..self.count {
                // SAFETY: the rows are this bundle's.
                unsafe {
                    let sum = lane.get_move(rows.bundle, v);
                    let (to, other) = if answers { (contact::ANSWER, None) } else { (contact::OWN, Some(contact::ANSWER)) };
                    lane.set3(rows.contact, contact::ROWS, v, to, sum.x);
                    lane.set(rows.contact, contact::ROWS, v, to + 3, sum.turn);
                    if let Some(other) = other {
                        lane.set3(rows.contact, contact::ROWS, v, other, V3::zero());
                        lane.set(rows.contact, contact::ROWS, v, other + 3, 0.0);
                        lane.set(rows.bundle, bundle::ROWS, v, bundle::OWN_SWELL, sum.swell);
                    }
                    let swell = if answers { sum.swell } else { 0.0 };
                    lane.set(rows.bundle, bundle::ROWS, v, bundle::ANSWER_SWELL, swell);
                }
            }
        }
        self.open = false;
    }
}

impl Lane {
    /// # Safety
    /// As [`Lane::set`].
    unsafe fn set_move<E: Elem>(&self, of: *mut E, v: usize, m: &Move) {
        for (k, c) in [m.x.x, m.x.y, m.x.z, m.turn, m.swell].into_iter().enumerate() {
            // SAFETY: the caller's contract.
            unsafe { self.set(of, bundle::ROWS, v, bundle::SUM + k, c) };
        }
    }
    /// # Safety
    /// As [`Lane::get`].
    unsafe fn get_move<E: Elem>(&self, of: *const E, v: usize) -> Move {
        // SAFETY: the caller's contract.
        unsafe {
            Move {
                x: self.three(of, bundle::ROWS, v, bundle::SUM),
                turn: self.get(of, bundle::ROWS, v, bundle::SUM + 3),
                swell: self.get(of, bundle::ROWS, v, bundle::SUM + 4),
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Lower triangle of L with one over its diagonal.
fn cholesky(g: &mut [[f64; SECTION]; SECTION]) {
    for c in 0..SECTION {
        let known = g[c][c] * NOISE;
        let d = g[c][..c].iter().fold(g[c][c], |d, x| d - x * x);
        let inv = 1.0 / d.max(known).max(f64::MIN_POSITIVE).sqrt();
        for r in c + 1..SECTION {
            let l = g[r][..c].iter().zip(&g[c][..c]).fold(g[r][c], |l, (x, y)| l - x * y);
            g[r][c] = l * inv;
        }
        g[c][c] = inv;
    }
}
