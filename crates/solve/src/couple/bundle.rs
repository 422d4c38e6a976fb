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

use crate::layout::{Buffers, Layout, SECTION, bundle, contact, scale, state};
use crate::math::vec3::vec3;
use crate::math::{Elem, Quat, Sym3, Vec3};
use crate::rods::der::kernels::Frame;
use crate::rods::ghost::kernels::edge_frame;
use crate::tasks::{Each, TaskRunner};

type V3 = Vec3<f64>;

/// Unknowns of a section and of the two after it: what a row of the system reaches at most.
const ACROSS: usize = 3 * SECTION;

/// Steps towards a section's rotation, and the turn, rad, that ends them.
const FITS: usize = 12;
const FITTED: f64 = 1e-10;

/// The stiffest spring, as a part of m/h², in f32 and f64. Hard bundles have it. (S is a difference of two numbers of that size: in f32 more would
/// leave too few digits of the inertia.)
pub const HARD: [f64; 2] = [1e3, 1e8];

/// Conjugate gradients: the error that ends them, in f32 and f64, and how many there are at most.
const LEFT: [f64; 2] = [1e-5, 1e-9];
pub const SEARCHES: usize = 8;

/// What differs between the turns and scales of two sections is held by this part of their stiffness, in a step alone: a strand by
/// itself does not tell them from their neighbours' means.
const SMOOTH: f64 = 1e-6;

/// A pivot is known to this part of its diagonal entry.
const NOISE: f64 = 1e-12;

/// Scales of sections.
const SCALES: (f64, f64) = (0.05, 100.0);

/// A vertex of a strand, and the edge after it.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    /// At rest: where it is, and the axes of the edge's section.
    rest: V3,
    rest_axis: V3,
    rest_tangent: V3,
    /// Of the springs, N/m and N m.
    pull: f64,
    tilt: f64,
    turn: f64,
    grow: f64,
    arm: V3,
    tangent: V3,
    inv_length: f64,
    /// Of the edge's sections; 0 where these keep theirs.
    size: f64,
    /// What springs ask for.
    to: V3,
    lean: V3,
    twist: f64,
    swell: f64,
}

/// Where a section is.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub center: V3,
    pub rotation: Quat<f64>,
    pub scale: f64,
}

/// Numbers of the strands' lanes.
#[derive(Clone, Copy)]
struct Rows<E> {
    state: *const E,
    scales: *const E,
    contact: *mut E,
    bundle: *mut E,
}

// SAFETY: each bundle has its own lanes, and is one task's.
unsafe impl<E> Send for Rows<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for Rows<E> {}

impl<E: Elem> Rows<E> {
    fn of(b: &mut Buffers<E>) -> Self {
        Rows {
            state: b.state.as_ptr(),
            scales: if b.scales.is_empty() { core::ptr::null() } else { b.scales.as_ptr() },
            contact: b.contact.as_mut_ptr(),
            bundle: b.bundle.as_mut_ptr(),
        }
    }
}

/// Where a strand's numbers are.
#[derive(Clone, Copy, Debug)]
struct Lane {
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
    unsafe fn get<E: Elem>(&self, of: *const E, rows: usize, v: usize, field: usize) -> f64 {
        // SAFETY: the caller's contract.
        unsafe { (*of.add(self.at(rows, v, field))).to_f64() }
    }
    /// # Safety
    /// As above.
    unsafe fn three<E: Elem>(&self, of: *const E, rows: usize, v: usize, field: usize) -> V3 {
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

/// One bundle.
#[derive(Clone, Debug)]
struct Bundle {
    lanes: Vec<Lane>,
    /// Sections, vertices of each strand.
    count: usize,
    /// Strand by strand.
    spots: Vec<Spot>,
    sections: Vec<Section>,
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
}

/// All bundles of a set of rods.
#[derive(Clone, Debug)]
pub struct Bundles {
    bundles: Vec<Bundle>,
    /// Whether sections grow.
    scales: bool,
    double: bool,
    /// Times that strands were asked for their answers, since [`Bundles::forget_products`].
    products: u32,
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
}

fn in_series(a: f64, b: f64) -> f64 {
    // Either may be infinite.
    if a <= 0.0 || b <= 0.0 { 0.0 } else { 1.0 / (1.0 / a + 1.0 / b) }
}

impl Bundles {
    /// Of `per` strands each; what is a section at rest is where they are.
    pub fn new<E: Elem>(layout: &Layout, b: &mut Buffers<E>, per: usize, scales: bool) -> Self {
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
            let mut spots = vec![Spot::default(); count * lanes.len()];
            for (lane, spots) in lanes.iter().zip(spots.chunks_mut(count)) {
                for (v, spot) in spots.iter_mut().enumerate() {
                    // SAFETY: the layout is that of the buffers.
                    spot.rest = unsafe { lane.three(rows.state, state::ROWS, v, state::X) };
                    if v + 1 < count {
                        // SAFETY: as above.
                        let (f, _) = unsafe { lane.frame(rows.state, v) };
                        (spot.rest_axis, spot.rest_tangent) = (f.m1, f.t);
                    }
                }
            }
            let all = SECTION * count;
            Bundle {
                lanes,
                count,
                spots,
                sections: vec![Section { center: V3::zero(), rotation: Quat::identity(), scale: 1.0 }; count],
                band: vec![[0.0; ACROSS]; all],
                springs: vec![[[0.0; SECTION]; SECTION]; count],
                residual: vec![0.0; all],
                way: vec![0.0; all],
                product: vec![0.0; all],
                error: 0.0,
                first_error: 0.0,
                open: false,
            }
        });
        Bundles { bundles: bundles.collect(), scales, double: E::IS_F64, products: 0 }
    }

    pub fn bytes(&self) -> usize {
        let of = |b: &Bundle| {
            b.lanes.len() * size_of::<Lane>()
                + b.spots.len() * size_of::<Spot>()
                + b.count * (size_of::<Section>() + size_of::<[[f64; SECTION]; SECTION]>())
                + b.band.len() * (size_of::<[f64; ACROSS]>() + 3 * size_of::<f64>())
        };
        self.bundles.iter().map(of).sum()
    }

    /// Springs of `stiffness` (`RodsDesc::bundle_stiffness`) for substeps of `h` seconds. `of`: by strand and vertex.
    pub fn tie(&mut self, stiffness: f64, h: f64, of: impl Fn(usize, usize) -> SpringMaterial) {
        let hard = HARD[usize::from(self.double)] / (h * h);
        let mut strand = 0;
        for b in &mut self.bundles {
            for spots in b.spots.chunks_mut(b.count) {
                for (v, spot) in spots.iter_mut().enumerate() {
                    let m = of(strand, v);
                    let (pull, edge) = ((stiffness * m.reach).min(hard * m.mass), (stiffness * m.length).min(hard * m.edge_mass));
                    let disc = edge * m.radius * m.radius;
                    spot.pull = pull;
                    spot.turn = 0.5 * disc;
                    spot.tilt = in_series(0.25 * disc, m.shear * m.length);
                    spot.grow = if self.scales { 0.5 * disc } else { 0.0 };
                }
                strand += 1;
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

    /// Finds the sections of the state as it is, and tells the strands.
    pub fn fit<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| {
            bundle.place(rows, scales);
            bundle.ask(rows, scales);
        });
    }

    /// Looks at the ways that strands have found, [`contact::OWN`], and puts the sections' system together.
    pub fn begin<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| {
            bundle.assemble(rows, scales);
            bundle.start(rows, false, scales);
        });
    }

    /// The same for answers to loads, [`contact::ANSWER`], with the system as it is.
    pub fn begin_answer<E: Elem>(&mut self, b: &mut Buffers<E>, runner: &dyn TaskRunner) {
        let scales = self.scales;
        self.each(b, runner, |bundle, rows| bundle.start(rows, true, scales));
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
        let (scales, left) = (self.scales, LEFT[usize::from(self.double)]);
        self.each(b, runner, |bundle, rows| bundle.take(rows, scales, left));
    }

    /// What was found becomes the strands' own way, or, of `answers`, their answer.
    pub fn end<E: Elem>(&mut self, b: &mut Buffers<E>, answers: bool, runner: &dyn TaskRunner) {
        self.each(b, runner, |bundle, rows| bundle.end(rows, answers));
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

    /// The sections of the state as it is, bundle by bundle.
    pub fn sections<E: Elem>(&self, b: &Buffers<E>, mut put: impl FnMut(usize, &Section)) {
        let rows = Rows {
            state: b.state.as_ptr(),
            scales: if b.scales.is_empty() { core::ptr::null() } else { b.scales.as_ptr() },
            contact: core::ptr::null_mut(),
            bundle: core::ptr::null_mut(),
        };
        let mut i = 0;
        for bundle in &self.bundles {
            for v in 0..bundle.count {
                let (mut section, center) = bundle.fitted::<E>(&rows, v, self.scales, false);
                // Where it is that was at the origin of the section at rest.
                section.center = center;
                put(i, &section);
                i += 1;
            }
        }
    }
}

impl Lane {
    /// The frame of an edge now, and one over its length.
    ///
    /// # Safety
    /// As [`Lane::get`].
    unsafe fn frame<E: Elem>(&self, of: *const E, v: usize) -> (Frame<f64>, f64) {
        // SAFETY: the caller's contract.
        unsafe { self.frame_at(of, v, false) }
    }
    /// # Safety
    /// As [`Lane::get`]. `moved`: within a substep, when displacements are in the rows of velocities.
    unsafe fn frame_at<E: Elem>(&self, of: *const E, v: usize, moved: bool) -> (Frame<f64>, f64) {
        // SAFETY: the caller's contract.
        let get = |v: usize, field: usize| unsafe { self.three(of, state::ROWS, v, field) };
        let (x0, x1, g) = (get(v, state::X), get(v + 1, state::X), get(v, state::GX));
        let (mut e, mut ghost) = (x1 - x0, g - x0 - (x1 - x0) * 0.5);
        if moved {
            let (u0, u1, gu) = (get(v, state::U), get(v + 1, state::U), get(v, state::GU));
            (e, ghost) = (e + (u1 - u0), ghost + (gu - u0 - (u1 - u0) * 0.5));
        }
        let f = edge_frame(e, ghost);
        (Frame { m1: f.d1, m2: f.d2, t: f.d3 }, f.inv_len)
    }
}

impl Bundle {
    fn spot(&self, strand: usize, v: usize) -> &Spot {
        &self.spots[strand * self.count + v]
    }

    /// The similarity that is nearest to section `v`, and the mean of its vertices at rest is where.
    fn fitted<E: Elem>(&self, rows: &Rows<E>, v: usize, scales: bool, moved: bool) -> (Section, V3) {
        let (mut weight, mut center, mut rest) = (0.0, V3::zero(), V3::zero());
        let place = |lane: &Lane| {
            // SAFETY: the rows are this bundle's.
            let (x, u) = unsafe { (lane.three(rows.state, state::ROWS, v, state::X), lane.three(rows.state, state::ROWS, v, state::U)) };
            if moved { x + u } else { x }
        };
        for (i, lane) in self.lanes.iter().enumerate() {
            let spot = self.spot(i, v);
            weight += spot.pull;
            center = center + place(lane) * spot.pull;
            rest = rest + spot.rest * spot.pull;
        }
        let inv = 1.0 / weight.max(f64::MIN_POSITIVE);
        (center, rest) = (center * inv, rest * inv);
        // Σ m Δ Δ̄ᵀ by columns, with what frames add; and of the scale the sum over what it multiplies.
        let mut a = [V3::zero(); 3];
        let (mut wide, mut grown) = (0.0, 0.0);
        let mut add = |x: V3, y: V3, w: f64| {
            let wx = x * w;
            for (a, y) in a.iter_mut().zip(y.to_array()) {
                *a = *a + wx * y;
            }
        };
        let mut first = None;
        for (i, lane) in self.lanes.iter().enumerate() {
            let spot = self.spot(i, v);
            add(place(lane) - center, spot.rest - rest, spot.pull);
            wide += spot.pull * (spot.rest - rest).length2();
            for e in [v.wrapping_sub(1), v] {
                if e >= self.count - 1 {
                    continue;
                }
                let edge = self.spot(i, e);
                // SAFETY: as above.
                let (f, _) = unsafe { lane.frame_at(rows.state, e, moved) };
                let (d1, t) = (edge.rest_axis, edge.rest_tangent);
                let d2 = t.cross(d1);
                let disc = 0.25 * edge.turn;
                add(f.m1, d1, disc);
                add(f.m2, d2, disc);
                add(f.t, t, (0.5 * edge.tilt - disc).max(0.0));
                if first.is_none() {
                    // The rotation of one of its edges.
                    first = Some(Quat::from_frame([f.m1, f.m2, f.t]).compose(Quat::from_frame([d1, d2, t]).conjugate()));
                }
            }
        }
        let mut rotation = first.unwrap_or_else(Quat::identity);
        for _ in 0..FITS {
            let r = rotation.frame();
            let turn = r[0].cross(a[0]) + r[1].cross(a[1]) + r[2].cross(a[2]);
            // tr B − B of B = Σ a_k r_kᵀ.
            let mut b = Sym3::diagonal(V3::zero());
            for k in 0..3 {
                b = b.add_cross(a[k] * 0.5, r[k]);
            }
            let trace = b.xx + b.yy + b.zz;
            let left = b.scale(-1.0).add_diagonal(trace).solve(turn);
            let size = left.length();
            let left = left * (0.25 / size.max(0.5));
            let q = Quat { x: left.x, y: left.y, z: left.z, w: (1.0 - left.length2()).max(0.0).sqrt() };
            let next = q.compose(rotation);
            let n = 1.0 / next.dot(next).sqrt();
            rotation = next.map(|c| c * n);
            if size < FITTED {
                break;
            }
        }
        let r = rotation.frame();
        let turned = |y: V3| r[0] * y.x + r[1] * y.y + r[2] * y.z;
        let mut size = 1.0;
        if scales {
            for (i, lane) in self.lanes.iter().enumerate() {
                let spot = self.spot(i, v);
                grown += spot.pull * (place(lane) - center).dot(turned(spot.rest - rest));
                for e in [v.wrapping_sub(1), v] {
                    if e < self.count - 1 {
                        let disc = 0.5 * self.spot(i, e).grow;
                        wide += disc;
                        grown += disc * self.scale_of(rows, lane, e, moved);
                    }
                }
            }
            size = (grown / wide.max(f64::MIN_POSITIVE)).clamp(SCALES.0, SCALES.1);
        }
        // Where the mean of the vertices at rest is now, and that mean.
        (Section { center, rotation, scale: size }, center - turned(rest) * size)
    }

    fn scale_of<E: Elem>(&self, rows: &Rows<E>, lane: &Lane, e: usize, moved: bool) -> f64 {
        if rows.scales.is_null() {
            return 1.0;
        }
        // SAFETY: the rows are this bundle's.
        let (swell, growth) = unsafe {
            (lane.get(rows.scales, scale::ROWS, e, scale::SWELL), lane.get(rows.scales, scale::ROWS, e, scale::GROWTH))
        };
        1.0 + swell + if moved { growth } else { 0.0 }
    }

    /// Where the sections are.
    fn place<E: Elem>(&mut self, rows: &Rows<E>, scales: bool) {
        for v in 0..self.count {
            let (section, at) = self.fitted(rows, v, scales, true);
            // With the place of the origin, arms follow.
            let r = section.rotation.frame();
            for (i, lane) in self.lanes.iter().enumerate() {
                let spot = &mut self.spots[i * self.count + v];
                let there = at + (r[0] * spot.rest.x + r[1] * spot.rest.y + r[2] * spot.rest.z) * section.scale;
                spot.arm = there - section.center;
                // SAFETY: the rows are this bundle's.
                let (x, u) =
                    unsafe { (lane.three(rows.state, state::ROWS, v, state::X), lane.three(rows.state, state::ROWS, v, state::U)) };
                spot.to = (there - x) - u;
            }
            self.sections[v] = section;
        }
    }

    /// What springs ask for.
    fn ask<E: Elem>(&mut self, rows: &Rows<E>, scales: bool) {
        for (i, lane) in self.lanes.iter().enumerate() {
            for v in 0..self.count {
                let mut spot = self.spots[i * self.count + v];
                if v + 1 < self.count {
                    let (a, b) = (&self.sections[v], &self.sections[v + 1]);
                    let r = a.rotation.nlerp(b.rotation, 0.5).frame();
                    let turned = |y: V3| r[0] * y.x + r[1] * y.y + r[2] * y.z;
                    // SAFETY: the rows are this bundle's.
                    let (f, inv_length) = unsafe { lane.frame_at(rows.state, v, true) };
                    let (m1, t) = (turned(spot.rest_axis), turned(spot.rest_tangent));
                    spot.lean = t - f.t * f.t.dot(t);
                    spot.twist = f.turn_to(&Frame { m1, m2: t.cross(m1), t });
                    spot.size = if scales { 0.5 * (a.scale + b.scale) } else { 0.0 };
                    spot.swell = if scales { spot.size - self.scale_of(rows, lane, v, true) } else { 0.0 };
                    (spot.tangent, spot.inv_length) = (f.t, inv_length);
                }
                let (rows, n) = (rows.bundle, bundle::ROWS);
                // SAFETY: as above.
                unsafe {
                    for (row, value) in [
                        (bundle::PULL, spot.pull),
                        (bundle::TILT, spot.tilt),
                        (bundle::TURN, spot.turn),
                        (bundle::GROW, spot.grow),
                        (bundle::TWIST, spot.twist),
                        (bundle::SWELL, spot.swell),
                        (bundle::SIZE, spot.size),
                    ] {
                        lane.set(rows, n, v, row, value);
                    }
                    lane.set3(rows, n, v, bundle::TO, spot.to);
                    lane.set3(rows, n, v, bundle::LEAN, spot.lean);
                    lane.set3(rows, n, v, bundle::ARM, spot.arm);
                }
                self.spots[i * self.count + v] = spot;
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
                let (m, s) = (next, &self.spots[i * self.count + v]);
                let y = &self.way[v * SECTION..];
                let y_turn = vec3(y[3], y[4], y[5]);
                let c = if asked { s.to } else { vec3(y[0], y[1], y[2]) + y_turn.cross(s.arm) + s.arm * y[6] };
                let f = (m.x - c) * s.pull;
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
                let (lean, twist, swell) =
                    if asked { (s.lean, s.twist, s.swell) } else { (mean.cross(s.tangent), mean.dot(s.tangent), 0.5 * (y[6] + z[6]) * s.size) };
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
    }

    /// BᵀKC times the way.
    fn push<E: Elem>(&mut self, rows: &Rows<E>) {
        for (i, lane) in self.lanes.iter().enumerate() {
            let mut before = V3::zero();
            for v in 0..self.count {
                let (s, y) = (self.spot(i, v), &self.way[v * SECTION..]);
                let y_turn = vec3(y[3], y[4], y[5]);
                let mut f = (vec3(y[0], y[1], y[2]) + y_turn.cross(s.arm) + s.arm * y[6]) * s.pull + before;
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
    fn take<E: Elem>(&mut self, rows: &Rows<E>, scales: bool, left: f64) {
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
        self.open = error > left * left * self.first_error;
        let keep = error / self.error;
        self.error = error;
        for (w, z) in self.way.iter_mut().zip(&self.product) {
            *w = *z + keep * *w;
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
        let mut d = g[c][c];
        for k in 0..c {
            d -= g[c][k] * g[c][k];
        }
        let inv = 1.0 / d.max(known).max(f64::MIN_POSITIVE).sqrt();
        for r in c + 1..SECTION {
            let mut l = g[r][c];
            for k in 0..c {
                l -= g[r][k] * g[c][k];
            }
            g[r][c] = l * inv;
        }
        g[c][c] = inv;
    }
}
