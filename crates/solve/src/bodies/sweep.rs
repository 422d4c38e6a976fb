//! An iteration over a block of constraints. A group of lanes gathers the velocities of both bodies
//! and finds the impulse, then applies it and scatters.

use super::drive::{Block, Shared, record};
use super::elements::*;
use super::kernels::*;
use crate::math::rows::{Cursor, InRows, WIDTH};
use crate::math::{Gather, Vec3};

/// # Safety
/// The contract of [`Shared`]; the indices are of its records.
#[inline(always)]
pub unsafe fn motion<L: Gather>(s: &Shared<L::Elem>, index: *const u32) -> Motion<L> {
    // SAFETY: the caller's contract.
    unsafe {
        let base = s.velocity as *const L::Elem;
        let [x, y, z, _] = L::gather(base, index);
        let [p, q, r, _] = L::gather(base.add(record::SPIN), index);
        Motion { v: Vec3 { x, y, z }, w: Vec3 { x: p, y: q, z: r } }
    }
}

/// # Safety
/// As [`motion`]; the records are this thread's.
#[inline(always)]
pub unsafe fn put_motion<L: Gather>(s: &Shared<L::Elem>, index: *const u32, m: Motion<L>) {
    // SAFETY: the caller's contract.
    unsafe {
        let base = s.velocity as *mut L::Elem;
        L::scatter3([m.v.x, m.v.y, m.v.z], base, index);
        L::scatter3([m.w.x, m.w.y, m.w.z], base.add(record::SPIN), index);
    }
}

/// Half an iteration of a lane group: what it will do to the bodies, and their motions before.
struct Half<L: Gather, X: Element> {
    a: Motion<L>,
    b: Motion<L>,
    impulse: X::Impulse<L>,
}

impl<L: Gather, X: Element> Clone for Half<L, X> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Gather, X: Element> Copy for Half<L, X> {}

/// # Safety
/// That of [`sweep`]; `lane` is a multiple of `L::N` below [`WIDTH`].
#[inline(always)]
unsafe fn begin<L: Gather, X: Element, const RELAX: bool>(
    s: &Shared<L::Elem>,
    block: &Block,
    step: &Substep<L>,
    lane: usize,
) -> Half<L, X> {
    let params = <X::Params<L> as InRows<L>>::ROWS;
    let state_rows = <X::State<L> as InRows<L>>::ROWS;
    // SAFETY: the caller's contract.
    unsafe {
        let base = (s.lines.add(block.line as usize) as *mut L::Elem).add(lane + params * WIDTH);
        let a = motion::<L>(s, block.a.as_ptr().add(lane));
        let b = motion::<L>(s, block.b.as_ptr().add(lane));
        let state: X::State<L> = Cursor::<L>(base).read();
        let work: X::Work<L> = Cursor::<L>(base.add(state_rows * WIDTH)).read();
        let (state, impulse) = X::find::<L, RELAX>(&work, state, &a, &b, step);
        Cursor::<L>(base).write(state);
        Half { a, b, impulse }
    }
}

/// Both motions after it.
///
/// # Safety
/// That of [`sweep`]; `lane` is a multiple of `L::N` below [`WIDTH`].
#[inline(always)]
unsafe fn given<L: Gather, X: Element>(s: &Shared<L::Elem>, block: &Block, lane: usize, mut half: Half<L, X>) -> [Motion<L>; 2] {
    let before = <X::Params<L> as InRows<L>>::ROWS + <X::State<L> as InRows<L>>::ROWS;
    // SAFETY: the caller's contract.
    unsafe {
        let base = (s.lines.add(block.line as usize) as *mut L::Elem).add(lane + before * WIDTH);
        let work: X::Work<L> = Cursor::<L>(base).read();
        X::give::<L>(&work, half.impulse, &mut half.a, &mut half.b);
        [half.a, half.b]
    }
}

/// # Safety
/// That of [`sweep`]; `lane` is a multiple of `L::N` below [`WIDTH`].
#[inline(always)]
unsafe fn end<L: Gather, X: Element>(s: &Shared<L::Elem>, block: &Block, lane: usize, half: Half<L, X>) {
    // Twice: of each the compiler keeps what is written, and so fewer numbers are held at a time.
    // SAFETY: the caller's contract.
    unsafe {
        put_motion(s, block.a.as_ptr().add(lane), given::<L, X>(s, block, lane, half)[0]);
        put_motion(s, block.b.as_ptr().add(lane), given::<L, X>(s, block, lane, half)[1]);
    }
}

/// One iteration of a block. Lane groups go two at a time, both first halves before both second halves: they share no body that moves, so the bits
/// are those of one after the other, but a processor looks ahead no further than about a hundred operations that wait, and so there is
/// always one half that need not (`docs/internals/benchmarks.md`, the halves).
///
/// # Safety
/// The contract of [`Shared`], lanes in use name seats that differ, and the function this is inlined into has `L`'s instruction set enabled.
#[inline(always)]
pub unsafe fn sweep<L: Gather, X: Element, const RELAX: bool>(s: &Shared<L::Elem>, block: &Block, step: &Substep<L::Elem>) {
    let (lanes, count) = (step.splat::<L>(), block.count as usize);
    let mut lane = 0;
    // Relaxing is one iteration of many: of it there is one copy, in loops, where solving has three: some joints are up to a fifth slower with one (`docs/internals/size.md`).
    while RELAX && lane < count {
        let many = if L::N < WIDTH && lane + L::N < count { 2 } else { 1 };
        let mut halves = [core::mem::MaybeUninit::<Half<L, X>>::uninit(); 2];
        // SAFETY: the caller's contract; as many halves are read as were written.
        unsafe {
            for (k, half) in halves[..many].iter_mut().enumerate() {
                half.write(begin::<L, X, RELAX>(s, block, &lanes, lane + k * L::N));
            }
            for (k, half) in halves[..many].iter().enumerate() {
                end::<L, X>(s, block, lane + k * L::N, half.assume_init());
            }
        }
        lane += many * L::N;
    }
    // SAFETY: the caller's contract.
    unsafe {
        while !RELAX && L::N < WIDTH && lane + L::N < count {
            let one = begin::<L, X, RELAX>(s, block, &lanes, lane);
            let two = begin::<L, X, RELAX>(s, block, &lanes, lane + L::N);
            end::<L, X>(s, block, lane, one);
            end::<L, X>(s, block, lane + L::N, two);
            lane += 2 * L::N;
        }
        if !RELAX && lane < count {
            let one = begin::<L, X, RELAX>(s, block, &lanes, lane);
            end::<L, X>(s, block, lane, one);
        }
    }
}

/// Restitution of a block.
///
/// # Safety
/// That of [`sweep`].
#[inline(always)]
pub unsafe fn bounce<L: Gather, X: Element>(s: &Shared<L::Elem>, block: &Block, step: &Substep<L::Elem>) {
    let lanes = step.splat::<L>();
    let params = <X::Params<L> as InRows<L>>::ROWS;
    let state_rows = <X::State<L> as InRows<L>>::ROWS;
    for lane in (0..block.count as usize).step_by(L::N) {
        // SAFETY: the caller's contract.
        unsafe {
            let base = (s.lines.add(block.line as usize) as *mut L::Elem).add(lane + params * WIDTH);
            let mut ma = motion::<L>(s, block.a.as_ptr().add(lane));
            let mut mb = motion::<L>(s, block.b.as_ptr().add(lane));
            let state: X::State<L> = Cursor::<L>(base).read();
            let work: X::Work<L> = Cursor::<L>(base.add(state_rows * WIDTH)).read();
            let state = X::bounce::<L>(&work, state, &mut ma, &mut mb, &lanes);
            Cursor::<L>(base).write(state);
            put_motion(s, block.a.as_ptr().add(lane), ma);
            put_motion(s, block.b.as_ptr().add(lane), mb);
        }
    }
}
