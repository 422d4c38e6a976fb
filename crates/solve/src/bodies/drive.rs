//! The loops over rigid bodies. A [`Block`] is up to [`WIDTH`] constraints of one kind that share
//! no moving body. A stage walks it group of lanes by group of lanes (iterations: `sweep.rs`).

use super::elements::*;
use super::kernels::*;
use super::sweep::*;
use crate::math::Isa;
#[cfg(target_arch = "x86_64")]
use crate::math::Pair;
#[cfg(target_arch = "aarch64")]
use crate::math::neon;
use crate::math::rows::{Cursor, InRows, Line, WIDTH};
#[cfg(target_arch = "x86_64")]
use crate::math::x86;
use crate::math::{Elem, Gather, Quat, Vec3};
use crate::stages::BodyStage;

/// Kinds of elements, in the order in which those of one colour are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Motor,
    Limit,
    Hinge,
    Distance,
    Ball,
    Fixed,
    Arc,
    Contact1,
    Contact2,
    Contact4,
    /// A contact of four points that resists rolling.
    Rolling,
}

/// `body` with the type `X` of a kind's element.
macro_rules! with_element {
    ($kind:expr, $x:ident => $body:expr) => {
        match $kind {
            Kind::Motor => {
                type $x = MotorElement;
                $body
            }
            Kind::Limit => {
                type $x = LimitElement;
                $body
            }
            Kind::Hinge => {
                type $x = HingeElement;
                $body
            }
            Kind::Distance => {
                type $x = DistanceElement;
                $body
            }
            Kind::Ball => {
                type $x = BallElement;
                $body
            }
            Kind::Fixed => {
                type $x = FixedElement;
                $body
            }
            Kind::Arc => {
                type $x = ArcElement;
                $body
            }
            Kind::Contact1 => {
                type $x = ContactElement<1>;
                $body
            }
            Kind::Contact2 => {
                type $x = ContactElement<2>;
                $body
            }
            Kind::Contact4 => {
                type $x = ContactElement<4>;
                $body
            }
            Kind::Rolling => {
                type $x = RollingElement;
                $body
            }
        }
    };
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Motor,
        Kind::Limit,
        Kind::Hinge,
        Kind::Distance,
        Kind::Ball,
        Kind::Fixed,
        Kind::Arc,
        Kind::Contact1,
        Kind::Contact2,
        Kind::Contact4,
        Kind::Rolling,
    ];
    /// Rows of parameters, of state, and of a substep's work.
    pub fn rows(self) -> [usize; 3] {
        fn of<X: Element>() -> [usize; 3] {
            [<X::Params<f32> as InRows<f32>>::ROWS, <X::State<f32> as InRows<f32>>::ROWS, <X::Work<f32> as InRows<f32>>::ROWS]
        }
        with_element!(self, X => of::<X>())
    }
    /// Rows of the sums of impulses, after the others.
    pub fn told(self) -> usize {
        with_element!(self, X => X::TOLD)
    }
    pub fn all_rows(self) -> usize {
        self.rows().iter().sum::<usize>() + self.told()
    }
}

/// Up to [`WIDTH`] constraints of one kind.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Block {
    /// The seats of the bodies, where their velocities are: [`RECORD`] times the index. The lanes in use name seats that differ: a body that an
    /// impulse moves is in one of them, and one that none moves has a seat for each. Unused lanes name a seat that is nobody's, as do their places.
    pub a: [u32; WIDTH],
    pub b: [u32; WIDTH],
    /// Where their masses are.
    pub mass_a: [u32; WIDTH],
    pub mass_b: [u32; WIDTH],
    /// Where their poses are in the first substep, and how far it is to the next one: bodies that the host moves have one for each.
    pub pose_a: [u32; WIDTH],
    pub pose_b: [u32; WIDTH],
    pub next_a: [u32; WIDTH],
    pub next_b: [u32; WIDTH],
    /// First of its lines.
    pub line: u32,
    /// Lanes in use, from the first.
    pub count: u32,
    pub kind: Kind,
}

impl Default for Block {
    fn default() -> Self {
        let none = [0; WIDTH];
        let (line, count, kind) = (0, 0, Kind::ALL[0]);
        Block {
            a: none,
            b: none,
            mass_a: none,
            mass_b: none,
            pose_a: none,
            pose_b: none,
            next_a: none,
            next_b: none,
            line,
            count,
            kind,
        }
    }
}

/// Bodies that move together through a stage.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct BodyBlock {
    /// Where their poses and masses are, and their seats: [`RECORD`] times the index; unused lanes name what is nobody's.
    pub body: [u32; WIDTH],
    pub seat: [u32; WIDTH],
    pub count: u32,
}

pub use crate::math::lane::Record;

/// Places in the records.
pub mod record {
    /// Poses: position of the centre of mass, then, from here, the rotation.
    pub const ROTATION: usize = 4;
    /// Velocities: linear, then, from here, angular. The fourth numbers mean nothing.
    pub const SPIN: usize = 4;
    /// Masses: inverse mass, inverse principal moments; from here on gravity scale, linear and angular damping, speed limit.
    pub const GRAVITY: usize = 4;
}

/// Memory of a step, shared by its tasks.
///
/// # Safety
/// Made from exclusive borrows that last; every record and block is handed to one thread at a time, but for poses and masses, which are
/// only read by constraints.
#[derive(Clone, Copy)]
pub struct Shared<E> {
    pub pose: *mut Record<E>,
    /// Velocities, by seat.
    pub velocity: *mut Record<E>,
    pub mass: *const Record<E>,
    /// What the host's forces do: accelerations, m/s² and rad/s². Null where there are none.
    pub push: *const Record<E>,
    pub lines: *mut Line<E>,
}
impl<E> Shared<E> {
    /// # Safety
    /// There are so many seats.
    pub unsafe fn seat(&self, k: usize) -> *mut Record<E> {
        // SAFETY: the caller's contract.
        unsafe { self.velocity.add(k) }
    }
}
// SAFETY: the type's contract.
unsafe impl<E> Send for Shared<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for Shared<E> {}

/// What moves bodies in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Field<E> {
    pub gravity: Vec3<E>,
    pub h: E,
    pub most_turn: E,
}

/// # Safety
/// As [`motion`].
#[inline(always)]
unsafe fn place<L: Gather>(s: &Shared<L::Elem>, pose: *const u32, mass: *const u32) -> Place<L> {
    // SAFETY: the caller's contract.
    unsafe {
        let base = s.pose as *const L::Elem;
        let [x, y, z, _] = L::gather(base, pose);
        let [qx, qy, qz, qw] = L::gather(base.add(record::ROTATION), pose);
        let [m, i, j, k] = L::gather(s.mass as *const L::Elem, mass);
        let q = Quat { x: qx, y: qy, z: qz, w: qw };
        Place { x: Vec3 { x, y, z }, q, inertia: Inertia::new(m, Vec3 { x: i, y: j, z: k }, q) }
    }
}

/// Where poses are in substep `k`.
#[inline(always)]
fn poses_at(first: &[u32; WIDTH], next: &[u32; WIDTH], k: u32) -> [u32; WIDTH] {
    let mut at = *first;
    for (at, next) in at.iter_mut().zip(next) {
        *at += k * next;
    }
    at
}

/// # Safety
/// The contract of [`Shared`]; `L`'s instruction set is enabled in the function this is inlined into.
#[inline(always)]
unsafe fn set_up<L: Gather, X: Element>(s: &Shared<L::Elem>, block: &Block, step: &Substep<L::Elem>) {
    let lanes = step.splat::<L>();
    let params = <X::Params<L> as InRows<L>>::ROWS;
    let state_rows = <X::State<L> as InRows<L>>::ROWS;
    let all_rows = params + state_rows + <X::Work<L> as InRows<L>>::ROWS;
    let pose_a = poses_at(&block.pose_a, &block.next_a, step.number);
    let pose_b = poses_at(&block.pose_b, &block.next_b, step.number);
    for lane in (0..block.count as usize).step_by(L::N) {
        // SAFETY: the caller's contract; a group's lanes are within the block.
        unsafe {
            let (ia, ib) = (block.a.as_ptr().add(lane), block.b.as_ptr().add(lane));
            let base = (s.lines.add(block.line as usize) as *mut L::Elem).add(lane);
            let p: X::Params<L> = Cursor::<L>(base).read();
            let state: X::State<L> = Cursor::<L>(base.add(params * WIDTH)).read();
            // The impulses of the substeps before this one.
            for r in 0..X::TOLD {
                let (now, sum) = (base.add((params + r) * WIDTH), base.add((all_rows + r) * WIDTH));
                let so_far = if L::Elem::default() < step.first {
                    L::zero()
                } else {
                    Cursor::<L>(sum).read::<L>() + Cursor::<L>(now).read::<L>()
                };
                Cursor::<L>(sum).write(so_far);
            }
            let a = place::<L>(s, pose_a.as_ptr().add(lane), block.mass_a.as_ptr().add(lane));
            let b = place::<L>(s, pose_b.as_ptr().add(lane), block.mass_b.as_ptr().add(lane));
            let (mut ma, mut mb) = (motion::<L>(s, ia), motion::<L>(s, ib));
            let (work, state) = X::set_up::<L>(&p, state, &a, &b, &mut ma, &mut mb, &lanes);
            Cursor::<L>(base.add(params * WIDTH)).write(state);
            Cursor::<L>(base.add((params + state_rows) * WIDTH)).write(work);
            put_motion(s, block.a.as_ptr().add(lane), ma);
            put_motion(s, block.b.as_ptr().add(lane), mb);
        }
    }
}

/// # Safety
/// As [`set_up`].
#[inline(always)]
unsafe fn velocities<L: Gather>(s: &Shared<L::Elem>, block: &BodyBlock, f: &Field<L::Elem>) {
    let h = L::splat(f.h);
    let one = L::one();
    for lane in (0..block.count as usize).step_by(L::N) {
        // SAFETY: as in `set_up`.
        unsafe {
            let (index, seat) = (block.body.as_ptr().add(lane), block.seat.as_ptr().add(lane));
            let mut m = sane_motion(motion::<L>(s, seat));
            if !s.push.is_null() {
                let base = s.push as *const L::Elem;
                let ([x, y, z, _], [p, q, r, _]) = (L::gather(base, index), L::gather(base.add(record::SPIN), index));
                m.v = m.v + Vec3 { x, y, z } * h;
                m.w = m.w + Vec3 { x: p, y: q, z: r } * h;
            }
            let [qx, qy, qz, qw] = L::gather((s.pose as *const L::Elem).add(record::ROTATION), index);
            let [_, i, j, k] = L::gather(s.mass as *const L::Elem, index);
            let [gravity, damping, damping_turn, most] = L::gather((s.mass as *const L::Elem).add(record::GRAVITY), index);
            let g = Vec3 { x: L::splat(f.gravity.x), y: L::splat(f.gravity.y), z: L::splat(f.gravity.z) };
            let drive = Drive {
                gravity: g * gravity,
                keep: one / (one + h * damping),
                keep_turn: one / (one + h * damping_turn),
                most_speed: most,
                most_turn: L::splat(f.most_turn),
            };
            let q = Quat { x: qx, y: qy, z: qz, w: qw };
            put_motion(s, seat, move_velocity(m, q, Vec3 { x: i, y: j, z: k }, &drive, h));
        }
    }
}

/// # Safety
/// As [`set_up`].
#[inline(always)]
unsafe fn poses<L: Gather>(s: &Shared<L::Elem>, block: &BodyBlock, f: &Field<L::Elem>) {
    let h = L::splat(f.h);
    for lane in (0..block.count as usize).step_by(L::N) {
        // SAFETY: as in `set_up`.
        unsafe {
            let index = block.body.as_ptr().add(lane);
            let [_, _, _, most] = L::gather((s.mass as *const L::Elem).add(record::GRAVITY), index);
            let m = limited_motion(motion::<L>(s, block.seat.as_ptr().add(lane)), most, L::splat(f.most_turn));
            let base = s.pose as *mut L::Elem;
            let [x, y, z, w] = L::gather(base, index);
            let [qx, qy, qz, qw] = L::gather(base.add(record::ROTATION), index);
            let (x, q) = sane_pose(Vec3 { x, y, z }, Quat { x: qx, y: qy, z: qz, w: qw }, m, h);
            L::scatter([x.x, x.y, x.z, w], base, index);
            L::scatter([q.x, q.y, q.z, q.w], base.add(record::ROTATION), index);
        }
    }
}

/// The drivers of one instruction set, as in `step/dispatch.rs`: registers are switched on here, everything below is inlined.
///
/// Set-up and bodies take the set's own lane type. Iterations are latency as much as work: those with long chains go faster as pairs of registers, as
/// far as there are registers for them; groups of less than a block go faster two at a time (`sweep.rs`); and none goes faster in registers of 512 bits, whose
/// shuffles have one port. So `light` (motors, distances), `joint` (balls, fixed joints, arcs), `angular` (limits, hinges) and `contact` name the lanes
/// that they iterate in. The bits are the same in all of them; `docs/internals/benchmarks.md` has the times.
macro_rules! instruction_set {
    ($name:ident, $elem:ty, $lane:ty, light $light_lane:ty, joint $joint_lane:ty, angular $angular_lane:ty,
     contact $contact_lane:ty $(, $feature:literal)?) => {
        mod $name {
            use super::*;

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: for the caller to see to: the contract of [`Shared`]; the processor has the features.
            unsafe fn first<X: Element>(s: &Shared<$elem>, blocks: &[Block], step: &Substep<$elem>) {
                for block in blocks {
                    // SAFETY: passed on to the caller; the features are enabled here.
                    unsafe { set_up::<$lane, X>(s, block, step) }
                }
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: as `first`; `L` needs no more than the features.
            pub unsafe fn iterate<L: Gather<Elem = $elem>, X: Element>(
                s: &Shared<$elem>,
                blocks: &[Block],
                relax: bool,
                step: &Substep<$elem>,
            ) {
                // SAFETY: as in `first`.
                unsafe {
                    if relax && X::RELAXES {
                        for block in blocks {
                            sweep::<L, X, true>(s, block, step)
                        }
                    } else {
                        for block in blocks {
                            sweep::<L, X, false>(s, block, step)
                        }
                    }
                }
            }

            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            // SAFETY: as `first`.
            unsafe fn bounced(s: &Shared<$elem>, kind: Kind, blocks: &[Block], step: &Substep<$elem>) {
                for block in blocks {
                    // SAFETY: as in `first`.
                    unsafe {
                        match kind {
                            Kind::Contact1 => bounce::<$lane, ContactElement<1>>(s, block, step),
                            Kind::Contact2 => bounce::<$lane, ContactElement<2>>(s, block, step),
                            Kind::Contact4 => bounce::<$lane, ContactElement<4>>(s, block, step),
                            Kind::Rolling => bounce::<$lane, RollingElement>(s, block, step),
                            _ => {}
                        }
                }
                }
            }

            // SAFETY: as `first`.
            unsafe fn set_up_run(s: &Shared<$elem>, kind: Kind, blocks: &[Block], step: &Substep<$elem>) {
                // SAFETY: as in `first`.
                unsafe {
                    with_element!(kind, X => first::<X>(s, blocks, step))
                }
            }

            // SAFETY: as `first`.
            unsafe fn iterate_run(s: &Shared<$elem>, kind: Kind, blocks: &[Block], relax: bool, step: &Substep<$elem>) {
                // SAFETY: as in `first`.
                unsafe {
                    match kind {
                        Kind::Motor => iterate::<$light_lane, MotorElement>(s, blocks, relax, step),
                        Kind::Limit => iterate::<$angular_lane, LimitElement>(s, blocks, relax, step),
                        Kind::Hinge => iterate::<$joint_lane, HingeElement>(s, blocks, relax, step),
                        Kind::Distance => iterate::<$light_lane, DistanceElement>(s, blocks, relax, step),
                        Kind::Ball => iterate::<$joint_lane, BallElement>(s, blocks, relax, step),
                        Kind::Fixed => iterate::<$joint_lane, FixedElement>(s, blocks, relax, step),
                        Kind::Arc => iterate::<$joint_lane, ArcElement>(s, blocks, relax, step),
                        Kind::Contact1 => iterate::<$contact_lane, ContactElement<1>>(s, blocks, relax, step),
                        Kind::Contact2 => iterate::<$contact_lane, ContactElement<2>>(s, blocks, relax, step),
                        Kind::Contact4 => iterate::<$contact_lane, ContactElement<4>>(s, blocks, relax, step),
                        Kind::Rolling => iterate::<$contact_lane, RollingElement>(s, blocks, relax, step),
                    }
                }
            }

            /// # Safety
            /// As `first`.
            pub unsafe fn run(s: &Shared<$elem>, blocks: &[Block], stage: BodyStage, step: &Substep<$elem>) {
                for blocks in blocks.chunk_by(|a, b| a.kind == b.kind) {
                    let kind = blocks[0].kind;
                    // SAFETY: as in `first`.
                    unsafe {
                        match stage {
                            BodyStage::SetUp => set_up_run(s, kind, blocks, step),
                            BodyStage::Solve => iterate_run(s, kind, blocks, false, step),
                            BodyStage::Relax => iterate_run(s, kind, blocks, true, step),
                            BodyStage::Bounce => bounced(s, kind, blocks, step),
                            // Those move bodies (`bodies`).
                            BodyStage::Velocities | BodyStage::Poses => {}
                        }
                    }
                }
            }

            $(#[target_feature(enable = $feature)])?
            // SAFETY: as `first`.
            pub unsafe fn bodies(s: &Shared<$elem>, blocks: &[BodyBlock], field: &Field<$elem>, pose: bool) {
                for block in blocks {
                    // SAFETY: as in `first`.
                    unsafe {
                        if pose {
                            poses::<$lane>(s, block, field);
                        } else {
                            velocities::<$lane>(s, block, field);
                        }
                    }
                }
            }
        }
    };
    // One lane type for all.
    ($name:ident, $elem:ty, $lane:ty $(, $feature:literal)?) => {
        instruction_set!($name, $elem, $lane, light $lane, joint $lane, angular $lane, contact $lane $(, $feature)?);
    };
}

#[cfg(target_arch = "x86_64")]
type Two4 = Pair<x86::F32x4>;
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
type Two8 = Pair<x86::F32x8>;
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
type Two8Of32 = Pair<x86::F32x8Of32>;

instruction_set!(scalar, f32, f32);
instruction_set!(double, f64, f64);
#[cfg(target_arch = "x86_64")]
instruction_set!(sse2, f32, x86::F32x4, light Two4, joint x86::F32x4, angular Two4, contact Two4);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx2, f32, x86::F32x8, light x86::F32x8, joint x86::F32x8, angular Two8, contact Two8, "avx2");
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(avx512, f32, x86::F32x16, light x86::F32x8Of32, joint x86::F32x8Of32, angular Two8Of32, contact Two8Of32,
    "avx2,avx512f,avx512dq,avx512vl");
#[cfg(target_arch = "aarch64")]
instruction_set!(neon_, f32, neon::F32x4);
#[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
instruction_set!(double_avx2, f64, x86::F64x4, "avx2");

/// Lanes of the registers that iterations take place in, in f32: see the table above.
pub fn lanes(isa: Isa) -> usize {
    isa.lanes().min(8)
}

/// A precision that bodies can be stepped in.
pub trait BodyRunner: Elem {
    /// Takes blocks through a stage, in order.
    ///
    /// # Safety
    /// `isa` is available; the contract of [`Shared`]; blocks and lines belong together.
    unsafe fn run(isa: Isa, s: &Shared<Self>, blocks: &[Block], stage: BodyStage, step: &Substep<Self>);
    /// Velocities, or poses, of bodies after a substep.
    ///
    /// # Safety
    /// As [`BodyRunner::run`].
    unsafe fn bodies(isa: Isa, s: &Shared<Self>, blocks: &[BodyBlock], field: &Field<Self>, pose: bool);
}

impl BodyRunner for f32 {
    // SAFETY: the trait's contract.
    unsafe fn run(isa: Isa, s: &Shared<f32>, blocks: &[Block], stage: BodyStage, step: &Substep<f32>) {
        // SAFETY: the caller's contract.
        unsafe {
            match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Sse2 => sse2::run(s, blocks, stage, step),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 => avx2::run(s, blocks, stage, step),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 => avx512::run(s, blocks, stage, step),
                #[cfg(target_arch = "aarch64")]
                Isa::Neon => neon_::run(s, blocks, stage, step),
                _ => scalar::run(s, blocks, stage, step),
            }
        }
    }
    // SAFETY: the trait's contract.
    unsafe fn bodies(isa: Isa, s: &Shared<f32>, blocks: &[BodyBlock], field: &Field<f32>, pose: bool) {
        // SAFETY: the caller's contract.
        unsafe {
            match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Sse2 => sse2::bodies(s, blocks, field, pose),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 => avx2::bodies(s, blocks, field, pose),
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx512 => avx512::bodies(s, blocks, field, pose),
                #[cfg(target_arch = "aarch64")]
                Isa::Neon => neon_::bodies(s, blocks, field, pose),
                _ => scalar::bodies(s, blocks, field, pose),
            }
        }
    }
}

impl BodyRunner for f64 {
    // SAFETY: the trait's contract.
    unsafe fn run(isa: Isa, s: &Shared<f64>, blocks: &[Block], stage: BodyStage, step: &Substep<f64>) {
        // SAFETY: the caller's contract.
        unsafe {
            match isa {
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 | Isa::Avx512 => double_avx2::run(s, blocks, stage, step),
                _ => double::run(s, blocks, stage, step),
            }
        }
    }
    // SAFETY: the trait's contract.
    unsafe fn bodies(isa: Isa, s: &Shared<f64>, blocks: &[BodyBlock], field: &Field<f64>, pose: bool) {
        // SAFETY: the caller's contract.
        unsafe {
            match isa {
                #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                Isa::Avx2 | Isa::Avx512 => double_avx2::bodies(s, blocks, field, pose),
                _ => double::bodies(s, blocks, field, pose),
            }
        }
    }
}
