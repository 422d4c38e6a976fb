//! The instances and the poses of a call about ragdolls.

use super::body_list::all;
use super::convention::Convention;
use super::guard::{Failure, Result, Writing};
use super::ragdoll_desc::MOST_BONES;
use super::span::{FLOATS, View};
use super::types::WithySpan;
use crate::math::{Quat, Transform};
use crate::ragdoll::*;
use crate::world::World;

/// Enters a set with its memory for arrays, and the instances that are meant.
///
/// # Safety
/// `which` is readable for `count` numbers, or NULL.
pub(super) unsafe fn enter(
    cx: Writing,
    which: *const u32,
    count: u64,
    only_alive: bool,
    f: impl FnOnce(&mut RagdollSet, &mut World, &Convention, &mut Buffers) -> Result<()>,
) -> Result<()> {
    let c = cx.convention;
    cx.world.with_ragdolls(cx.id, |set, world| {
        let mut buffers = std::mem::take(&mut set.buffers);
        // SAFETY: the caller's contract.
        let chosen = unsafe { choose(set, which, count, only_alive, &mut buffers.which) };
        let result = chosen.and_then(|()| f(set, world, c, &mut buffers));
        set.buffers = buffers;
        result
    })
}

/// # Safety
/// That of [`enter`].
unsafe fn choose(set: &RagdollSet, which: *const u32, count: u64, only_alive: bool, out: &mut Vec<u32>) -> Result<()> {
    out.clear();
    let n = set.count() as u32;
    if all(which, count, "which")? {
        out.extend((0..n).filter(|&i| !only_alive || set.is_alive(i)));
        return Ok(());
    }
    if which.is_null() && count != 0 {
        return Err(Failure::argument(format!("which is NULL, count is {count}")));
    }
    if count > u64::from(n) {
        return Err(Failure::argument(format!("count is {count}: there are {n} instances")));
    }
    // SAFETY: the caller's contract; no alignment is asked.
    out.extend((0..count as usize).map(|i| unsafe { which.add(i).read_unaligned() }));
    Ok(())
}

/// World poses of bones from two spans, one a bone of each instance.
///
/// # Safety
/// The spans are NULL or readable.
pub(super) unsafe fn poses_in(
    positions: *const WithySpan,
    rotations: *const WithySpan,
    names: [&'static str; 2],
    count: usize,
    c: &Convention,
    out: &mut Vec<Transform<f64>>,
) -> Result<()> {
    out.clear();
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the caller's contract.
    let (x, q) = unsafe {
        (View::<3>::argument(positions, names[0], count, "poses")?, View::<4>::argument(rotations, names[1], count, "poses")?)
    };
    for i in 0..count {
        let position = c.checked_position(x.get(i), names[0], Some(i))?.into();
        let [x, y, z, w] = c.checked_rotation(q.get(i), names[1], Some(i))?;
        out.push(Transform { position, rotation: Quat { x, y, z, w } });
    }
    Ok(())
}

pub(super) const POSES: [&str; 2] = ["positions", "rotations"];
const BEFORE: [&str; 2] = ["positions_before", "rotations_before"];

/// Where the bones were before, or nothing.
///
/// # Safety
/// The spans are NULL or readable.
pub(super) unsafe fn motion_in<'a>(
    positions: *const WithySpan,
    rotations: *const WithySpan,
    dt: f64,
    count: usize,
    c: &Convention,
    out: &'a mut Vec<Transform<f64>>,
) -> Result<Motion<'a>> {
    if positions.is_null() && rotations.is_null() {
        return Ok(Motion::Still);
    }
    // SAFETY: the caller's contract.
    unsafe { poses_in(positions, rotations, BEFORE, count, c, out)? };
    Ok(Motion::Before { poses: out, dt })
}

pub(super) fn numbers_in(span: &WithySpan, name: &'static str, out: &mut Vec<f64>) -> Result<()> {
    out.clear();
    if let Some(view) = View::<1>::optional(span, name, FLOATS)? {
        if view.count() > MOST_BONES {
            return Err(Failure::argument(format!("{name}.count is {}: must be at most {MOST_BONES}", view.count())));
        }
        out.extend((0..view.count()).map(|i| view.get(i)[0]));
    }
    Ok(())
}
