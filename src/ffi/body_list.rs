//! The bodies that a call is about, and its arrays with a number for each.

use super::body::WithyBody;
use super::guard::{Failure, Result};
use super::handles::List;
use super::span::View;
use super::types::{WITHY_ALL, WithySpan};
use super::world::WithyWorld;
use crate::world::{Id, World};

/// Whether everything is meant, and not an array.
pub(super) fn all<T>(array: *const T, count: u64, name: &str) -> Result<bool> {
    if count == WITHY_ALL && !array.is_null() {
        return Err(Failure::argument(format!("{name} is not NULL, and count is WITHY_ALL: one of them must not be")));
    }
    Ok(count == WITHY_ALL)
}

/// The bodies of a call: a list's, or all. Each is there, or the call fails before it does anything.
pub(super) struct Chosen {
    world: WithyWorld,
    list: Option<List<WithyBody>>,
    pub count: usize,
}

impl Chosen {
    /// # Safety
    /// `bodies` is readable for `count` handles during the call, or NULL.
    pub unsafe fn new(w: &World, world: WithyWorld, bodies: *const WithyBody, count: u64) -> Result<Chosen> {
        // SAFETY: the caller's contract.
        let list = if all(bodies, count, "bodies")? { None } else { Some(unsafe { List::new(bodies, count, "bodies")? }) };
        if let Some(list) = &list {
            for i in 0..list.count() {
                let id = list.id(world, i)?;
                if let Err(e) = w.body(id) {
                    return Err(Failure { message: format!("{}: {}", list.at(i), e.message), ..e.into() });
                }
            }
        }
        let count = list.as_ref().map_or_else(|| w.bodies().len(), List::count);
        Ok(Chosen { world, list, count })
    }

    pub fn each(&self, w: &World, mut f: impl FnMut(usize, Id) -> Result<()>) -> Result<()> {
        match &self.list {
            None => w.bodies().iter().enumerate().try_for_each(|(i, (id, _))| f(i, id)),
            Some(list) => (0..list.count()).try_for_each(|i| f(i, list.id(self.world, i)?)),
        }
    }

    /// The same, for changes. Slots do not move meanwhile.
    pub fn each_mut(&self, w: &mut World, mut f: impl FnMut(&mut World, usize, Id) -> Result<()>) -> Result<()> {
        match &self.list {
            None => {
                let mut i = 0;
                for slot in 0..w.bodies().slots() {
                    if let Some((id, _)) = w.bodies().at(slot) {
                        f(w, i, id)?;
                        i += 1;
                    }
                }
                Ok(())
            }
            Some(list) => (0..list.count()).try_for_each(|i| f(w, i, list.id(self.world, i)?)),
        }
    }

    /// Refuses to keep what is no number where the host left out `name`.
    pub fn keeps(&self, i: usize, kept: &[f64], name: &str) -> Result<()> {
        if kept.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(self.refused(i, &format!("is not finite, and {name} is NULL, which would keep that")))
    }
    pub fn refused(&self, i: usize, why: &str) -> Failure {
        Failure::argument(format!("bodies[{i}] {why}"))
    }
}

/// # Safety
/// `span` is NULL or readable.
pub(super) unsafe fn input<const N: usize>(
    span: *const WithySpan,
    name: &'static str,
    count: usize,
) -> Result<Option<View<'static, N>>> {
    if span.is_null() || count == 0 {
        return Ok(None);
    }
    // SAFETY: the caller's contract.
    unsafe { View::<N>::argument(span, name, count, "bodies") }.map(Some)
}
