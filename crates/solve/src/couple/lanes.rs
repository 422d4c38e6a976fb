//! Contacts of swept rods, several at a time: rows of one colour share no vertex, so that the lanes of a register do not meet. Packed once a substep; `relax.rs` has
//! the equations.

use super::relax::{Point, Row};
use crate::math::rows::{Cursor, InRows, Line, WIDTH, each, in_rows};
use crate::math::{Elem, Gather, Isa, Vec3};

/// A contact is a spring: in a substep it is so many times as stiff as what it moves is inert. (Limbs that are caught between the pills of a body, which
/// point different ways, then find a place to rest. Pushed out by a given part in each substep, they trembled at 0.3 m/s for ever.)
const FIRM: f64 = 20.0;
/// How often each contact is solved after a sweep. (With one, friction and what presses found no end, and a pile trembled; `docs/internals/volume.md`.)
const PASSES: usize = 4;
/// Colours, at most. What finds none is solved by itself, after them.
const COLOURS: usize = 64;

/// What a pass reads of a contact.
#[derive(Clone, Copy, Debug, Default)]
struct Work<T> {
    /// The parts of the four vertices in the gap.
    share: [T; 4],
    /// What an impulse does to each of them, and to its radius, 1/kg.
    give: [T; 4],
    swell: [T; 4],
    normal: Vec3<T>,
    /// When the substep began, and the least that counts, m.
    gap: T,
    least: T,
    friction: T,
    /// What an impulse along the normal does to the gap, and one across it to the slip, 1/kg.
    along: T,
    across: T,
}

/// The impulses of the substep so far, kg m.
#[derive(Clone, Copy, Debug, Default)]
struct Pushed<T> {
    pressed: T,
    dragged: Vec3<T>,
}

in_rows! {
    Work<L> { share: [L; 4], give: [L; 4], swell: [L; 4], normal: Vec3<L>, gap: L, least: L, friction: L, along: L, across: L }
    Pushed<L> { pressed: L, dragged: Vec3<L> }
}

const WORK_ROWS: usize = <Work<f64> as InRows<f64>>::ROWS;
const PUSHED_ROWS: usize = <Pushed<f64> as InRows<f64>>::ROWS;

/// What a vertex and its radius have done in the substep, m.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Way<E>([E; 4]);

/// Contacts of one colour, up to a row's width of them.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Where the ways of their vertices are.
    at: [[u32; WIDTH]; 4],
    count: usize,
}

/// All contacts of a substep, in one precision.
#[derive(Debug, Default)]
pub(super) struct Lanes<E> {
    blocks: Vec<Block>,
    work: Vec<Line<E>>,
    pushed: Vec<Line<E>>,
    /// One more than there are vertices: what padding and vertices without a part read and write.
    ways: Vec<Way<E>>,
    /// Of each contact: its block and lane.
    place: Vec<(u32, u32)>,
    /// Of each vertex: the colours that it has.
    used: Vec<u64>,
    colours: Vec<u8>,
}

/// Solves contacts with all that is known of the others.
#[inline(always)]
fn solve<L: Gather>(w: &Work<L>, had: Pushed<L>, p: &mut [[L; 4]; 4]) -> Pushed<L> {
    let zero = L::zero();
    let (mut way, mut swell) = (Vec3::<L>::zero(), zero);
    each!(4, k => {
        let [x, y, z, r] = p[k];
        way = way + Vec3 { x, y, z } * w.share[k];
        swell = swell + r * w.share[k].abs();
    });
    let gap = (w.gap + w.normal.dot(way) - swell).max(w.least);
    // (C + α̃ λ)/(w + α̃) with α̃ = w/FIRM.
    let given = had.pressed * (w.along * L::constant(1.0 / FIRM));
    let step = (gap + given) * L::constant(FIRM / (1.0 + FIRM)) / w.along;
    let pressed = (had.pressed - step).max(zero);
    let by = pressed - had.pressed;
    let way = way + w.normal * (by * w.across);
    let slip = way - w.normal * w.normal.dot(way);
    let wanted = had.dragged - slip * (L::one() / w.across);
    let (most, length) = (w.friction * pressed, wanted.length());
    let short = most / length.max(L::constant(1e-30));
    let dragged = Vec3::select(most.lt(length), wanted * short, wanted);
    let impulse = w.normal * by + (dragged - had.dragged);
    each!(4, k => {
        let [x, y, z, r] = p[k];
        let to = Vec3 { x, y, z } + impulse * w.give[k];
        p[k] = [to.x, to.y, to.z, r - by * w.swell[k]];
    });
    Pushed { pressed, dragged }
}

/// # Safety
/// `block` is one of `lanes`, `first` one of its lanes and a multiple of N; that of [`crate::math::Lane::load`].
#[inline(always)]
unsafe fn group<L: Gather>(lanes: &mut Lanes<L::Elem>, block: usize, first: usize) {
    // SAFETY: `pack` has made rows for each block, and all that `at` says is among the ways.
    unsafe {
        let at = &lanes.blocks[block].at;
        let ways = lanes.ways.as_mut_ptr().cast::<L::Elem>();
        let mut p = [
            L::gather(ways, at[0].as_ptr().add(first)),
            L::gather(ways, at[1].as_ptr().add(first)),
            L::gather(ways, at[2].as_ptr().add(first)),
            L::gather(ways, at[3].as_ptr().add(first)),
        ];
        let work = lanes.work.as_mut_ptr().add(block * WORK_ROWS).cast::<L::Elem>().add(first);
        let pushed = lanes.pushed.as_mut_ptr().add(block * PUSHED_ROWS).cast::<L::Elem>().add(first);
        let now = solve(&Cursor::<L>(work).read(), Cursor::<L>(pushed).read(), &mut p);
        Cursor::<L>(pushed).write(now);
        each!(4, k => {
            L::scatter(p[k], ways, at[k].as_ptr().add(first));
        });
    }
}

/// All contacts, forwards and backwards in turn.
///
/// # Safety
/// The instruction set of the type is available, and enabled in the caller.
#[inline(always)]
unsafe fn pass<L: Gather>(lanes: &mut Lanes<L::Elem>) {
    for k in 0..PASSES {
        for b in 0..lanes.blocks.len() {
            let block = if k % 2 == 0 { b } else { lanes.blocks.len() - 1 - b };
            for first in (0..lanes.blocks[block].count).step_by(L::N) {
                // SAFETY: as said.
                unsafe { group::<L>(lanes, block, first) };
            }
        }
    }
}

withy_math::by_instruction_set! {
    // A colour has some ten to a hundred contacts: what AVX-512 brings is twice the registers.
    /// # Safety
    /// `isa` is available; that of [`pass`].
    unsafe fn run(lanes: &mut Lanes<f32>) = pass; avx512 = F32x8Of32
}

impl Lanes<f32> {
    pub fn pass(&mut self, isa: Isa) {
        // SAFETY: a world has only instruction sets that the processor has.
        unsafe { run(isa, self) }
    }
}

impl Lanes<f64> {
    pub fn pass(&mut self) {
        // SAFETY: it needs no instruction set.
        unsafe { pass::<f64>(self) }
    }
}

impl<E: Elem + Gather<Elem = E>> Lanes<E> {
    /// The contacts of a substep, with what they have been pressed with so far.
    pub fn pack(&mut self, rows: &[Row], points: &[Point]) {
        let ends = self.colour(rows, points.len());
        self.blocks.clear();
        // Where each colour's blocks begin; past them, one for each contact without a colour.
        let mut next = [0; COLOURS + 1];
        let nowhere = (points.len() * 4) as u32;
        for (k, &count) in ends.iter().enumerate() {
            next[k] = (self.blocks.len() * WIDTH) as u32;
            let of = |left: usize| Block { at: [[nowhere; WIDTH]; 4], count: left };
            match k < COLOURS {
                true => self.blocks.extend((0..count).step_by(WIDTH).map(|done| of((count - done).min(WIDTH)))),
                false => self.blocks.extend((0..count).map(|_| of(1))),
            }
        }
        let still = Work { along: E::one(), across: E::one(), ..Work::default() };
        let blank = |lines: &mut Vec<Line<E>>, count: usize| {
            lines.clear();
            lines.resize(count, Line([E::zero(); WIDTH]));
        };
        blank(&mut self.work, self.blocks.len() * WORK_ROWS);
        blank(&mut self.pushed, self.blocks.len() * PUSHED_ROWS);
        for (k, block) in self.blocks.iter().enumerate() {
            (block.count..WIDTH).for_each(|lane| put_row(&mut self.work, k * WORK_ROWS, lane, still));
        }
        self.place.clear();
        let c = E::constant;
        let vector = |v: Vec3<f64>| Vec3 { x: c(v.x), y: c(v.y), z: c(v.z) };
        for (r, &colour) in rows.iter().zip(&self.colours) {
            let slot = &mut next[colour as usize];
            let (block, lane) = (*slot as usize / WIDTH, *slot as usize % WIDTH);
            *slot += if usize::from(colour) < COLOURS { 1 } else { WIDTH as u32 };
            self.place.push((block as u32, lane as u32));
            let mut work = Work {
                normal: vector(r.normal),
                gap: c(r.gap),
                least: c(r.least),
                friction: c(r.friction),
                along: c(r.give[0]),
                across: c(r.give[1]),
                ..Work::default()
            };
            for k in 0..4 {
                let (p, share) = (&points[r.at[k] as usize], r.share[k]);
                if share != 0.0 {
                    self.blocks[block].at[k][lane] = r.at[k] * 4;
                }
                work.share[k] = c(share);
                work.give[k] = c(share * p.weight);
                work.swell[k] = c(share.abs() * p.swell_weight);
            }
            put_row(&mut self.work, block * WORK_ROWS, lane, work);
            put_row(&mut self.pushed, block * PUSHED_ROWS, lane, Pushed { pressed: c(r.pressed), dragged: vector(r.dragged) });
        }
    }

    /// Greedy, in order: the first colour that no vertex of the contact has. How many each has; the last: none.
    fn colour(&mut self, rows: &[Row], points: usize) -> [usize; COLOURS + 1] {
        let mut counts = [0; COLOURS + 1];
        self.used.clear();
        self.used.resize(points, 0);
        self.colours.clear();
        for r in rows {
            let has = |k: usize| r.share[k] != 0.0;
            let taken = (0..4).filter(|&k| has(k)).fold(0, |all, k| all | self.used[r.at[k] as usize]);
            let colour = (!taken).trailing_zeros();
            if let Some(bit) = 1_u64.checked_shl(colour) {
                (0..4).filter(|&k| has(k)).for_each(|k| self.used[r.at[k] as usize] |= bit);
            }
            counts[colour as usize] += 1;
            self.colours.push(colour as u8);
        }
        counts
    }

    pub fn put_points(&mut self, points: &[Point]) {
        let c = E::constant;
        self.ways.clear();
        self.ways.extend(points.iter().map(|p| Way([c(p.u.x), c(p.u.y), c(p.u.z), c(p.swell)])));
        self.ways.push(Way::default());
    }
    pub fn take_points(&self, points: &mut [Point]) {
        for (p, Way([x, y, z, swell])) in points.iter_mut().zip(&self.ways) {
            p.u = Vec3 { x: x.to_f64(), y: y.to_f64(), z: z.to_f64() };
            if p.swell_weight > 0.0 {
                p.squeeze += (swell.to_f64() - E::constant(p.swell).to_f64()) / p.swell_weight;
            }
            p.swell = swell.to_f64();
        }
    }
    pub fn take_pushed(&mut self, rows: &mut [Row]) {
        for (r, &(block, lane)) in rows.iter_mut().zip(&self.place) {
            let at = self.pushed[block as usize * PUSHED_ROWS].0.as_mut_ptr().wrapping_add(lane as usize);
            // SAFETY: the block's rows, and a lane of theirs.
            let pushed: Pushed<E> = unsafe { Cursor::<E>(at).read() };
            r.pressed = pushed.pressed.to_f64();
            r.dragged = Vec3 { x: pushed.dragged.x.to_f64(), y: pushed.dragged.y.to_f64(), z: pushed.dragged.z.to_f64() };
        }
    }

    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + (self.work.capacity() + self.pushed.capacity()) * size_of::<Line<E>>()
            + self.ways.capacity() * size_of::<Way<E>>()
            + self.place.capacity() * 8
            + self.used.capacity() * 8
            + self.colours.capacity()
    }
}

/// Writes the numbers of one lane.
fn put_row<E: Gather<Elem = E>, R: InRows<E>>(lines: &mut [Line<E>], first: usize, lane: usize, row: R) {
    let rows = &mut lines[first..first + R::ROWS];
    assert!(lane < WIDTH);
    // SAFETY: as many rows as it needs, and a lane of theirs.
    unsafe { Cursor::<E>(rows.as_mut_ptr().cast::<E>().add(lane)).write(row) }
}
