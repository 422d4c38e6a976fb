//! Where the hair is, from where its guides are.
//!
//! A vertex at the share s of its strand's length, with the guides k and their weights w:
//!
//! ```text
//! c = Σ w x(s)            the blend of the guides' points at s
//! Q = Σ ±w q(s)           of their turns since the bind pose, with the sign that is nearer to the first
//! x = c + Q d             d = p − c̄, what the vertex was beside the blend at the bind pose
//! ```
//! So a lock turns with its guides' material frames, and keeps its curls and its width. The shares and
//! weights are the same for all vertices of a strand: eight of them are eight lanes, and each number
//! of a guide is one load. At the bind pose x = p to rounding; guides that all move by one rigid motion
//! take the hair along.
//!
//! Where the host gives a strand's root (position r, turn g), f = (1 − s)²:
//!
//! ```text
//! Q' = (1 − f) Q + f (±g)        x' = c + Q' d + f (r − (c₀ + g d₀))
//! ```
//! Where guides turn much from vertex to vertex, and the offset is long against the edge, neighbours would come far apart. From the root on, a vertex that would be
//! farther than [`STRETCH`](crate::layout::STRETCH) of the groomed edge from the one before it comes as near as that on the same line; all others are where they were.
#![allow(clippy::needless_range_loop, reason = "one index for several lists of registers")]

use crate::dispatch::run;
use crate::kernels::{Sample, blend, center, held, placed, root_shift, rooted, tangent};
use crate::layout::{EVEN, Offset, Samples, Vectors, WIDTH};
use crate::plan::{Kept, PART, Plan, vertex};
use crate::{Hair, Pose, Result, fail};
use rayon::prelude::*;
use withy_math::vec3::vec3;
use withy_math::{Gather, Isa, Quat, Vec3};

/// Groups that are computed before they are written.
const BLOCK: usize = 8;
/// Room for a block, a group on either side, and one vertex beyond them.
const ROOM: usize = WIDTH * (BLOCK + 4);

/// x, y, z of a block.
type Rows = [[f32; ROOM]; 3];

/// Where vectors are written: three numbers each.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    data: *mut u8,
    stride: usize,
    is_f64: bool,
}

impl Target {
    /// Not wanted.
    pub const NONE: Target = Target { data: core::ptr::null_mut(), stride: 0, is_f64: false };

    /// Vectors of f32 or f64 every `stride` bytes, at least their size; no alignment is asked.
    pub fn new(data: *mut u8, stride: usize, is_f64: bool) -> Target {
        debug_assert!(stride >= if is_f64 { 24 } else { 12 });
        Target { data, stride, is_f64 }
    }

    pub fn is_wanted(&self) -> bool {
        !self.data.is_null()
    }
}

/// Where hair goes, in the host's units and axes.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    pub positions: Target,
    /// Of length 1, or 0 where the strand has none.
    pub tangents: Target,
    /// Axis i goes to axis `axis[i]`, times `sign[i]`.
    pub axis: [usize; 3],
    pub sign: [f64; 3],
    /// The host's units in a metre.
    pub scale: f64,
}

impl Out {
    /// Metres, and the axes as they are.
    pub fn new(positions: Target, tangents: Target) -> Out {
        Out { positions, tangents, axis: [0, 1, 2], sign: [1.0; 3], scale: 1.0 }
    }
}

/// All that a read needs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    hair: &'a Hair,
    pose: &'a Pose,
    plan: &'a Plan,
    out: Out,
}
// SAFETY: parts write disjoint vertices of the targets, whose memory the caller of `Hair::job` answers for.
unsafe impl Send for Job<'_> {}
// SAFETY: as above.
unsafe impl Sync for Job<'_> {}

impl Job<'_> {
    /// Tasks of this read: any number may run at once, each once.
    pub fn parts(&self) -> usize {
        self.plan.parts()
    }
    /// Writes part `k`.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn part(&self, isa: Isa, k: usize) {
        assert!(k < self.parts());
        let isa = if isa.available() { isa } else { Isa::best() };
        // SAFETY: available; the job was checked by `Hair::job`.
        unsafe { run(isa, self, k) }
    }
}

impl Hair {
    /// A read, in parts for a pool that is not rayon's.
    ///
    /// Errors: a pose or a plan of other hair.
    ///
    /// # Safety
    /// Until the last part is done the targets' memory has room for `plan.vertices()` vectors, and
    /// nobody else reads or writes it. `out.axis` is a permutation.
    pub unsafe fn job<'a>(&'a self, pose: &'a Pose, plan: &'a Plan, out: Out) -> Result<Job<'a>> {
        if !pose.of.is(self.mark) {
            return fail("the pose is not of this hair");
        }
        if !plan.of.is(self.mark) {
            return fail("the plan is not of this hair");
        }
        Ok(Job { hair: self, pose, plan, out })
    }

    /// Writes positions, m, and tangents (empty: not wanted) on the threads of the current pool of
    /// rayon. The bits do not depend on their number, nor on the instruction set.
    ///
    /// Errors: slices that are not as long as what the plan reads, a pose or a plan of other hair.
    pub fn read(&self, pose: &Pose, plan: &Plan, isa: Isa, positions: &mut [[f32; 3]], tangents: &mut [[f32; 3]]) -> Result<()> {
        for (field, has) in [("positions", positions.len()), ("tangents", tangents.len())] {
            if has != 0 && has != plan.vertices() {
                return fail(format!("{field} has {has} entries: {} vertices are read", plan.vertices()));
            }
        }
        let target = |s: &mut [[f32; 3]]| if s.is_empty() { Target::NONE } else { Target::new(s.as_mut_ptr().cast(), 12, false) };
        // SAFETY: as long as they were found to be, and borrowed until this returns.
        let job = unsafe { self.job(pose, plan, Out::new(target(positions), target(tangents)))? };
        (0..job.parts()).into_par_iter().for_each(|k| job.part(isa, k));
        Ok(())
    }
}

/// How values become the host's: axis a is `factor[a] · value[from[a]] + shift[a]`.
struct Place {
    from: [usize; 3],
    factor: [f32; 3],
    shift: [f32; 3],
    /// The same for f64.
    wide: [[f64; 3]; 2],
}

impl Place {
    fn new(out: &Out, scale: f64, origin: [f64; 3]) -> Place {
        let mut p = Place { from: [0; 3], factor: [0.0; 3], shift: [0.0; 3], wide: [[0.0; 3]; 2] };
        for i in 0..3 {
            let a = out.axis[i];
            p.from[a] = i;
            p.wide[0][a] = out.sign[i] * scale;
            p.wide[1][a] = p.wide[0][a] * origin[i];
        }
        (p.factor, p.shift) = (p.wide[0].map(|x| x as f32), p.wide[1].map(|x| x as f32));
        p
    }
}

/// What a GPU has made of consecutive vertices of a read: three f32 a vertex, as the bytes of its buffer.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    /// The first vertex, among those that are read.
    pub first: usize,
    /// m: what positions are relative to.
    pub origin: [f64; 3],
    pub positions: &'a [u8],
    /// Either may be empty: not wanted.
    pub tangents: &'a [u8],
    pub out: Out,
}
// SAFETY: parts write disjoint vertices of the targets, whose memory the caller of `Made::part` answers for.
unsafe impl Send for Made<'_> {}
// SAFETY: as above.
unsafe impl Sync for Made<'_> {}

/// Bytes of a vector as the GPU has it.
const VECTOR: usize = 12;

impl Made<'_> {
    /// Tasks that write it: any number may run at once, each once.
    pub fn parts(&self) -> usize {
        self.positions.len().max(self.tangents.len()).div_ceil(VECTOR * PART)
    }

    /// Writes part `k` to the targets, in the host's units and axes.
    ///
    /// # Safety
    /// The targets have room for these vertices, and nobody else uses them meanwhile; `out.axis` is a permutation.
    pub unsafe fn part(&self, k: usize) {
        let places = [Place::new(&self.out, self.out.scale, self.origin), Place::new(&self.out, 1.0, [0.0; 3])];
        let all = [(self.positions, &self.out.positions), (self.tangents, &self.out.tangents)];
        for ((bytes, target), place) in all.into_iter().zip(&places) {
            let of = bytes.chunks_exact(VECTOR).enumerate().skip(k * PART).take(PART);
            for (i, v) in of.filter(|_| target.is_wanted()) {
                let number = |a: usize| f32::from_ne_bytes([v[4 * a], v[4 * a + 1], v[4 * a + 2], v[4 * a + 3]]);
                let v = [number(place.from[0]), number(place.from[1]), number(place.from[2])];
                // SAFETY: the caller's contract.
                unsafe {
                    let to = target.data.add((self.first + i) * target.stride);
                    for a in 0..3 {
                        if target.is_f64 {
                            let x = place.wide[0][a] * f64::from(v[a]) + place.wide[1][a];
                            to.add(8 * a).cast::<f64>().write_unaligned(x);
                        } else {
                            to.add(4 * a).cast::<f32>().write_unaligned(place.factor[a] * v[a] + place.shift[a]);
                        }
                    }
                }
            }
        }
    }
}

/// A group of vertices that are not the samples of their table in order.
#[derive(Default)]
struct Gathered {
    samples: [Samples; 3],
    offset: Offset,
    fade: [f32; WIDTH],
}

impl Gathered {
    /// Takes the vertices that are read from `first` on; the last is repeated. It only copies.
    #[inline(never)]
    fn gather(&mut self, job: &Job, kept: &Kept, first: usize) {
        let hair = job.hair;
        let s = &hair.strands[kept.strand as usize];
        let table = &hair.tables[s.table as usize];
        let all = job.pose.samples[s.table as usize].as_slice();
        let count = kept.vertices as usize;
        for k in 0..WIDTH {
            let v = vertex((first + k).min(count - 1), count, s.vertices as usize);
            let own = &hair.offsets.groups[s.group as usize + v / WIDTH];
            for (to, from) in self.offset.iter_mut().zip(own) {
                to[k] = from[v % WIDTH];
            }
            // With the edges of the vertices between that are left out.
            let before = vertex((first + k).min(count - 1).saturating_sub(1), count, s.vertices as usize);
            for w in before + 1..v {
                self.offset[3][k] += hair.offsets.groups[s.group as usize + w / WIDTH][3][w % WIDTH];
            }
            let i = if s.samples == EVEN { v } else { hair.offsets.samples[s.samples as usize + v] as usize };
            self.fade[k] = table.fade[i / WIDTH][i % WIDTH];
            for (samples, guide) in self.samples.iter_mut().zip(s.guides) {
                let group = &all[guide as usize * table.groups() + i / WIDTH];
                for (to, from) in samples.iter_mut().zip(group) {
                    to[k] = from[i % WIDTH];
                }
            }
        }
    }
}

/// What a part works with.
struct Scratch {
    rows: Rows,
    ways: Rows,
    /// How far each vertex of the rows may be from the one before it, m.
    most: [f32; ROOM],
    some: Gathered,
}

impl Scratch {
    /// Vertices of the rows whose way from the one before is too long come as near as that may be, one after the other.
    #[inline(never)]
    fn hold(&mut self, vertices: core::ops::Range<usize>) {
        let [x, y, z] = &mut self.rows;
        let mut before = vec3(x[vertices.start - 1], y[vertices.start - 1], z[vertices.start - 1]);
        for k in vertices {
            before = held(before, vec3(x[k], y[k], z[k]), self.most[k]);
            (x[k], y[k], z[k]) = (before.x, before.y, before.z);
        }
    }
}

/// The root of a strand as the host has it.
struct Root {
    turn: Quat<f32>,
    /// r − (c₀ + g d₀)
    shift: Vec3<f32>,
}

/// Part `k` of a read.
///
/// # Safety
/// The instruction set of `L` is enabled; `L::N` divides [`WIDTH`]; that of [`Hair::job`].
#[inline(always)]
pub(crate) unsafe fn part<L: Gather<Elem = f32>>(job: &Job, k: usize) {
    let Job { pose, plan, out, .. } = job;
    let positions = Place::new(out, out.scale, pose.origin);
    let tangents = Place::new(out, 1.0, [0.0; 3]);
    let mut scratch = Scratch { rows: [[0.0; ROOM]; 3], ways: [[0.0; ROOM]; 3], most: [0.0; ROOM], some: Gathered::default() };
    for kept in &plan.kept[plan.parts[k] as usize..plan.parts[k + 1] as usize] {
        // SAFETY: passed on to the caller.
        unsafe { strand::<L>(job, kept, [&positions, &tangents], &mut scratch) }
    }
}

/// # Safety
/// That of [`part`].
#[inline(always)]
unsafe fn strand<L: Gather<Elem = f32>>(job: &Job, kept: &Kept, [positions, tangents]: [&Place; 2], scratch: &mut Scratch) {
    let (hair, pose) = (job.hair, job.pose);
    let s = &hair.strands[kept.strand as usize];
    let table = &hair.tables[s.table as usize];
    let (count, groups) = (kept.vertices as usize, (kept.vertices as usize).div_ceil(WIDTH));
    // All vertices, at all samples of the table in their order.
    let is_even = s.samples == EVEN && kept.vertices == s.vertices;
    let all = pose.samples[s.table as usize].as_slice();
    let at = s.guides.map(|g| g as usize * table.groups());
    let mut root = Root { turn: Quat::identity(), shift: Vec3::zero() };
    let is_rooted = !pose.roots.is_empty();
    if is_rooted {
        let [x, y, z, a, b, c, d] = pose.roots[kept.strand as usize];
        let offset = &hair.offsets.groups[s.group as usize];
        let [a0, b0, c0] = at.map(|k| vec3(all[k][0][0], all[k][1][0], all[k][2][0]));
        root.turn = Quat { x: a, y: b, z: c, w: d };
        let center = center([a0, b0, c0], s.weights);
        root.shift = root_shift(vec3(x, y, z), root.turn, center, vec3(offset[0][0], offset[1][0], offset[2][0]));
    }
    let wants_tangents = job.out.tangents.is_wanted();
    let target = &job.out.positions;
    // Straight from registers to the host's memory.
    let is_direct = !wants_tangents && !target.is_f64;
    let root = is_rooted.then_some(&root);
    let mut begin = 0;
    // The vertex before those of the block.
    let mut before = [0.0; 3];
    while begin < groups {
        let end = (begin + BLOCK).min(groups);
        // Tangents need the vertex before and the one after.
        let (low, high) = if wants_tangents { (begin.saturating_sub(1), (end + 1).min(groups)) } else { (begin, end) };
        for g in low..high {
            let (samples, offset, fade) = if is_even {
                let samples = [&all[at[0] + g], &all[at[1] + g], &all[at[2] + g]];
                (samples, &hair.offsets.groups[s.group as usize + g], &table.fade[g])
            } else {
                scratch.some.gather(job, kept, WIDTH * g);
                let [a, b, c] = &scratch.some.samples;
                ([a, b, c], &scratch.some.offset, &scratch.some.fade)
            };
            for lane in (0..WIDTH).step_by(L::N) {
                // SAFETY: lanes of the group; the rows have room for the block, the target for the strand.
                unsafe {
                    let x = group::<L>(samples, &s.weights, offset, fade, root, lane);
                    let own = WIDTH * (1 + g - low) + lane;
                    for (x, row) in x.into_iter().zip(&mut scratch.rows) {
                        x.store(row.as_mut_ptr().add(own));
                    }
                    L::load(offset[3].as_ptr().add(lane)).store(scratch.most.as_mut_ptr().add(own));
                    if is_direct {
                        let v = WIDTH * g + lane;
                        if v < count {
                            put(x, positions, target, kept.first as usize + v, L::N.min(count - v));
                        }
                    }
                }
            }
        }
        // Where vertex 0 of group `begin` lies in the rows, and where they end.
        let first = WIDTH * (1 + begin - low);
        let after = WIDTH + count.min(WIDTH * high) - WIDTH * low;
        for (row, before) in scratch.rows.iter_mut().zip(before) {
            row[first - 1] = if begin == 0 { row[first] } else { before };
        }
        // SAFETY: lanes of the rows, and one number before them.
        let is_long = unsafe { is_long::<L>(&scratch.rows, &scratch.most, first, WIDTH * (1 + high - low)) };
        if is_long {
            scratch.hold(first..after);
        }
        before = [0, 1, 2].map(|c| scratch.rows[c][WIDTH * (end - low) + WIDTH - 1]);
        if is_direct && !is_long {
            begin = end;
            continue;
        }
        for g in begin..end {
            let (v, own) = (WIDTH * g, first + WIDTH * (g - begin));
            // SAFETY: vertices of the strand, within the rows.
            unsafe {
                write::<L>(&scratch.rows, own, positions, &job.out.positions, kept.first as usize + v, WIDTH.min(count - v))
            };
        }
        if wants_tangents {
            for row in &mut scratch.rows {
                if low == 0 {
                    row[WIDTH - 1] = row[WIDTH];
                }
                if high == groups {
                    let last = WIDTH + count - 1 - WIDTH * low;
                    row[last + 1] = row[last];
                }
            }
            for g in begin..end {
                let (v, own) = (WIDTH * g, first + WIDTH * (g - begin));
                // SAFETY: there is a number on either side.
                unsafe {
                    for lane in (own..own + WIDTH).step_by(L::N) {
                        let [x, y, z] = &scratch.rows;
                        let [x, y, z] = [x.as_ptr().add(lane), y.as_ptr().add(lane), z.as_ptr().add(lane)];
                        let before = vec3(L::load(x.sub(1)), L::load(y.sub(1)), L::load(z.sub(1)));
                        let after = vec3(L::load(x.add(1)), L::load(y.add(1)), L::load(z.add(1)));
                        let t = tangent(before, after);
                        for (c, t) in [t.x, t.y, t.z].into_iter().enumerate() {
                            t.store(scratch.ways[c].as_mut_ptr().add(lane));
                        }
                    }
                    write::<L>(&scratch.ways, own, tangents, &job.out.tangents, kept.first as usize + v, WIDTH.min(count - v));
                }
            }
        }
        begin = end;
    }
}

/// Whether a vertex of `own .. end` is too far from the one before it.
///
/// # Safety
/// That of [`part`]; the range is within the rows, from 1 on, and of whole registers.
#[inline(always)]
unsafe fn is_long<L: Gather<Elem = f32>>([x, y, z]: &Rows, most: &[f32; ROOM], own: usize, end: usize) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let mut worst = L::zero();
        for k in (own..end).step_by(L::N) {
            let [x, y, z] = [x.as_ptr().add(k), y.as_ptr().add(k), z.as_ptr().add(k)];
            let way = vec3(L::load(x) - L::load(x.sub(1)), L::load(y) - L::load(y.sub(1)), L::load(z) - L::load(z.sub(1)));
            let most = L::load(most.as_ptr().add(k));
            worst = worst.max(way.length2() - most * most);
        }
        let mut each = [0.0; WIDTH];
        worst.store(each.as_mut_ptr());
        each.iter().any(|x| *x > 0.0)
    }
}

/// The positions of the vertices `lane .. lane + L::N` of a group.
///
/// # Safety
/// That of [`part`]; the lanes are within the group.
#[inline(always)]
unsafe fn group<L: Gather<Elem = f32>>(
    samples: [&Samples; 3],
    weights: &[f32; 3],
    offset: &Offset,
    fade: &[f32; WIDTH],
    root: Option<&Root>,
    lane: usize,
) -> [L; 3] {
    // SAFETY: the caller's contract.
    unsafe {
        let weights = [L::splat(weights[0]), L::splat(weights[1]), L::splat(weights[2])];
        let all = [load_sample(samples[0], lane), load_sample(samples[1], lane), load_sample(samples[2], lane)];
        let mut at = blend(all, weights);
        if let Some(root) = root {
            let Quat { x, y, z, w } = root.turn;
            let turn = Quat { x: L::splat(x), y: L::splat(y), z: L::splat(z), w: L::splat(w) };
            let shift = vec3(L::splat(root.shift.x), L::splat(root.shift.y), L::splat(root.shift.z));
            at = rooted(at, turn, shift, L::load(fade.as_ptr().add(lane)));
        }
        let [dx, dy, dz, _] = offset;
        let x = placed(at, vec3(L::load(dx.as_ptr().add(lane)), L::load(dy.as_ptr().add(lane)), L::load(dz.as_ptr().add(lane))));
        [x.x, x.y, x.z]
    }
}

/// # Safety
/// That of [`group`].
#[inline(always)]
unsafe fn load_sample<L: Gather<Elem = f32>>([x, y, z, a, b, c, d]: &Samples, lane: usize) -> Sample<L> {
    // SAFETY: the caller's contract.
    unsafe {
        Sample {
            at: vec3(L::load(x.as_ptr().add(lane)), L::load(y.as_ptr().add(lane)), L::load(z.as_ptr().add(lane))),
            turn: Quat {
                x: L::load(a.as_ptr().add(lane)),
                y: L::load(b.as_ptr().add(lane)),
                z: L::load(c.as_ptr().add(lane)),
                w: L::load(d.as_ptr().add(lane)),
            },
        }
    }
}

/// Writes `count` vectors of the rows from `own` on, as the `first`th of the target.
///
/// # Safety
/// That of [`part`]; `own .. own + WIDTH` is within the rows, `count` at most [`WIDTH`].
#[inline(always)]
unsafe fn write<L: Gather<Elem = f32>>(rows: &Rows, own: usize, place: &Place, target: &Target, first: usize, count: usize) {
    if !target.is_wanted() {
        return;
    }
    // SAFETY: the caller's contract.
    unsafe {
        let to = target.data.add(first * target.stride);
        if target.is_f64 {
            for k in 0..count {
                for a in 0..3 {
                    let x = place.wide[0][a] * f64::from(rows[place.from[a]][own + k]) + place.wide[1][a];
                    to.add(k * target.stride + 8 * a).cast::<f64>().write_unaligned(x);
                }
            }
            return;
        }
        for lane in (0..WIDTH).step_by(L::N).take_while(|lane| *lane < count) {
            let mut v = [L::zero(); 3];
            for (c, v) in v.iter_mut().enumerate() {
                *v = L::load(rows[c].as_ptr().add(own + lane));
            }
            put(v, place, target, first + lane, L::N.min(count - lane));
        }
    }
}

/// Writes the first `count` lanes as f32.
///
/// # Safety
/// That of [`part`]; `count` is 1 to `L::N`.
#[inline(always)]
unsafe fn put<L: Gather<Elem = f32>>(v: [L; 3], place: &Place, target: &Target, first: usize, count: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        let to = target.data.add(first * target.stride);
        // Registers have no index.
        let [x, y, z] = v;
        let v = match place.from {
            [0, 1, 2] => [x, y, z],
            [0, 2, 1] => [x, z, y],
            [a, b, c] => [v[a], v[b], v[c]],
        };
        let mut placed = [L::zero(); 3];
        for a in 0..3 {
            placed[a] = L::splat(place.factor[a]) * v[a] + L::splat(place.shift[a]);
        }
        if target.stride == 12 && count == L::N {
            return L::store3(placed, to.cast());
        }
        let mut values = Vectors::default();
        for (row, v) in values.iter_mut().zip(placed) {
            v.store(row.as_mut_ptr());
        }
        for k in 0..count {
            for a in 0..3 {
                to.add(k * target.stride + 4 * a).cast::<f32>().write_unaligned(values[a][k]);
            }
        }
    }
}
