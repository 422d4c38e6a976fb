//! Contacts as the solver's blocks take them.

use super::Contact;
use crate::bodies::drive::Kind;
use crate::bodies::solver::Rows;
use crate::math::cpu::fetch;
use crate::math::rows::WIDTH;
use crate::math::{Elem, Vec3};

/// Where all contacts are.
pub struct ContactRows<E>(pub *mut Contact<E>);
// SAFETY: every contact is in one block, and a block is one task's.
unsafe impl<E> Sync for ContactRows<E> {}

/// # Safety
/// The row is writable.
unsafe fn row<E>(to: &mut *mut E, value: E) {
    // SAFETY: the caller's contract.
    unsafe {
        **to = value;
        *to = to.add(WIDTH);
    }
}

/// # Safety
/// Three rows are writable.
unsafe fn rows3<E: Copy>(to: &mut *mut E, v: Vec3<E>) {
    for c in [v.x, v.y, v.z] {
        // SAFETY: the caller's contract.
        unsafe { row(to, c) }
    }
}

fn points(kind: Kind) -> usize {
    match kind {
        Kind::Contact1 => 1,
        Kind::Contact2 => 2,
        _ => 4,
    }
}

impl<E: Elem> Rows<E> for ContactRows<E> {
    // SAFETY: the trait's contract.
    unsafe fn put(&self, kind: Kind, source: u32, to: *mut E) {
        let mut to = to;
        // SAFETY: the caller's contract; the order is that of `ContactParams` and `ContactState`.
        unsafe {
            let c = &*self.0.add(source as usize);
            let n = points(kind);
            rows3(&mut to, c.normal);
            row(&mut to, c.friction);
            row(&mut to, c.restitution);
            c.spring.iter().for_each(|&v| row(&mut to, v));
            row(&mut to, c.slop);
            row(&mut to, c.share);
            row(&mut to, c.curved);
            rows3(&mut to, c.axis);
            for p in &c.points[..n] {
                rows3(&mut to, p.a);
                rows3(&mut to, p.b);
            }
            c.radii[..n].iter().flatten().for_each(|&v| row(&mut to, v));
            if kind == Kind::Rolling {
                c.levers.iter().for_each(|&v| row(&mut to, v));
            }
            for list in [&c.impulse, &c.largest, &c.approach] {
                list[..n].iter().for_each(|&v| row(&mut to, v));
            }
            rows3(&mut to, c.slide);
            rows3(&mut to, c.tangent);
            if kind == Kind::Rolling {
                rows3(&mut to, c.roll);
            }
        }
    }
    fn fetch(&self, _: Kind, source: u32) {
        fetch(self.0.wrapping_add(source as usize));
    }
    // SAFETY: the trait's contract.
    unsafe fn take(&self, kind: Kind, source: u32, from: *const E, _: *const E) {
        // SAFETY: the caller's contract; the order is that of `ContactState`.
        unsafe {
            let c = &mut *self.0.add(source as usize);
            let n = points(kind);
            let at = |r: usize| *from.add(r * WIDTH);
            for k in 0..n {
                c.impulse[k] = at(k);
                c.largest[k] = at(n + k);
                c.approach[k] = at(2 * n + k);
            }
            let v = |r: usize| Vec3 { x: at(r), y: at(r + 1), z: at(r + 2) };
            c.slide = v(3 * n);
            c.tangent = v(3 * n + 3);
            if kind == Kind::Rolling {
                c.roll = v(3 * n + 6);
            }
        }
    }
}
