//! Kernel structures in memory: number by number, [`WIDTH`] lanes a row.

use crate::{Gather, Lane, Mat3, Quat, Sym3, Vec3};

/// Constraints of one block.
pub const WIDTH: usize = 16;

/// One row, aligned for the widest loads.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Line<E>(pub [E; WIDTH]);

/// Where the next number of a lane group is.
#[derive(Clone, Copy)]
pub struct Cursor<L: Lane>(pub *mut L::Elem);

impl<L: Gather> Cursor<L> {
    /// # Safety
    /// A row of the block follows, readable, its lane group aligned; that of [`Lane::load`].
    #[inline(always)]
    unsafe fn next(&mut self) -> L {
        // SAFETY: the caller's contract.
        unsafe {
            let value = L::load_aligned(self.0);
            self.0 = self.0.add(WIDTH);
            value
        }
    }
    /// # Safety
    /// A row of the block follows, writable, its lane group aligned; that of [`Lane::store`].
    #[inline(always)]
    unsafe fn put(&mut self, value: L) {
        // SAFETY: the caller's contract.
        unsafe {
            value.store_aligned(self.0);
            self.0 = self.0.add(WIDTH);
        }
    }
    /// # Safety
    /// That of [`InRows::read`].
    #[inline(always)]
    pub unsafe fn read<R: InRows<L>>(&mut self) -> R {
        // SAFETY: the caller's contract.
        unsafe { R::read(self) }
    }
    /// # Safety
    /// That of [`InRows::write`].
    #[inline(always)]
    pub unsafe fn write<R: InRows<L>>(&mut self, value: R) {
        // SAFETY: the caller's contract.
        unsafe { value.write(self) }
    }
}

/// A structure of lanes that lies in `ROWS` rows.
pub trait InRows<L: Gather>: Copy {
    const ROWS: usize;
    /// # Safety
    /// `ROWS` rows are readable from the cursor on; that of [`Lane::load`].
    unsafe fn read(from: &mut Cursor<L>) -> Self;
    /// # Safety
    /// `ROWS` rows are writable from the cursor on; that of [`Lane::store`].
    unsafe fn write(self, to: &mut Cursor<L>);
}

impl<L: Gather> InRows<L> for L {
    const ROWS: usize = 1;
    /// # Safety
    /// That of [`InRows::read`].
    #[inline(always)]
    unsafe fn read(from: &mut Cursor<L>) -> Self {
        // SAFETY: the caller's contract.
        unsafe { from.next() }
    }
    /// # Safety
    /// That of [`InRows::write`].
    #[inline(always)]
    unsafe fn write(self, to: &mut Cursor<L>) {
        // SAFETY: the caller's contract.
        unsafe { to.put(self) }
    }
}

/// A loop over 0..n, n ≤ 4, without a loop: what is indexed stays in registers, which the compiler's own unrolling comes too late for.
#[macro_export]
macro_rules! each {
    ($n:expr, $k:ident => $body:block) => {{
        const { assert!($n <= 4) };
        if $n > 0 {
            let $k = 0;
            $body
        }
        if $n > 1 {
            let $k = 1;
            $body
        }
        if $n > 2 {
            let $k = 2;
            $body
        }
        if $n > 3 {
            let $k = 3;
            $body
        }
    }};
}
pub use each;

impl<L: Gather, R: InRows<L>, const N: usize> InRows<L> for [R; N] {
    const ROWS: usize = N * R::ROWS;
    /// # Safety
    /// That of [`InRows::read`].
    #[inline(always)]
    unsafe fn read(from: &mut Cursor<L>) -> Self {
        // SAFETY: the caller's contract. The first is read twice, as there is no other value to fill the array with.
        unsafe {
            let first = *from;
            let mut all = [R::read(from); N];
            *from = first;
            each!(N, k => {
                all[k] = R::read(from);
            });
            all
        }
    }
    /// # Safety
    /// That of [`InRows::write`].
    #[inline(always)]
    unsafe fn write(self, to: &mut Cursor<L>) {
        // SAFETY: the caller's contract.
        unsafe {
            each!(N, k => {
                self[k].write(to);
            });
        }
    }
}

/// Which fields of a structure lie in rows, and in which order.
#[macro_export]
macro_rules! in_rows {
    ($($(#[$($generic:tt)*])? $t:ty { $($field:ident: $kind:ty),* $(,)? })*) => { $(
        impl<L: $crate::Gather $(, $($generic)*)?> $crate::rows::InRows<L> for $t {
            const ROWS: usize = 0 $(+ <$kind as $crate::rows::InRows<L>>::ROWS)*;
            /// # Safety
            /// That of `InRows::read`.
            #[inline(always)]
            unsafe fn read(from: &mut $crate::rows::Cursor<L>) -> Self {
                // SAFETY: the caller's contract.
                unsafe { Self { $($field: <$kind as $crate::rows::InRows<L>>::read(from)),* } }
            }
            /// # Safety
            /// That of `InRows::write`.
            #[inline(always)]
            unsafe fn write(self, to: &mut $crate::rows::Cursor<L>) {
                // SAFETY: the caller's contract.
                unsafe { $($crate::rows::InRows::<L>::write(self.$field, to);)* }
            }
        }
    )* };
}
pub use in_rows;

impl<L: Gather> InRows<L> for Mat3<L> {
    const ROWS: usize = 9;
    /// # Safety
    /// That of [`InRows::read`].
    #[inline(always)]
    unsafe fn read(from: &mut Cursor<L>) -> Self {
        // SAFETY: the caller's contract.
        Mat3(unsafe { from.read() })
    }
    /// # Safety
    /// That of [`InRows::write`].
    #[inline(always)]
    unsafe fn write(self, to: &mut Cursor<L>) {
        // SAFETY: the caller's contract.
        unsafe { to.write(self.0) }
    }
}

in_rows! {
    Vec3<L> { x: L, y: L, z: L }
    Quat<L> { x: L, y: L, z: L, w: L }
    Sym3<L> { xx: L, xy: L, xz: L, yy: L, yz: L, zz: L }
}
