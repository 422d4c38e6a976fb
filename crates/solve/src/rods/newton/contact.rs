//! Contacts within Newton's method (`docs/internals/direct.md`). A contact becomes a stiff spring along the
//! normal, and a viscosity against slip. `collide::kernels` has the mathematics,
//! `Group::find_contacts` finds what is near.

use super::{BAND, CONTACT, HELD, INERTIA, RHS};
use crate::collide::kernels::*;
use crate::layout::{FAR, near, state};
use crate::math::{Lane, Vec3};
use crate::rods::group::contacts::{Obstacles, Wide};
use crate::rods::group::{Group, Settings};

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn contact_at(&self, i: usize, row: usize) -> L {
        self.scratch_at(i, CONTACT + row)
    }
    #[inline(always)]
    fn contact3(&self, i: usize, row: usize) -> Vec3<L> {
        self.scratch3(i, CONTACT + row)
    }

    #[inline(always)]
    fn closed_contact(&self, i: usize) -> Closed<L> {
        Closed { press: self.contact_at(i, near::PRESS), grip: self.contact_at(i, near::GRIP) }
    }
    #[inline(always)]
    fn set_closed(&mut self, i: usize, c: &Closed<L>) {
        self.set_scratch(i, CONTACT + near::PRESS, c.press);
        self.set_scratch(i, CONTACT + near::GRIP, c.grip);
    }

    #[inline(always)]
    fn near_there(&self, i: usize) -> Near<L> {
        Near {
            normal: self.contact3(i, near::NORMAL),
            surface: self.contact3(i, near::SURFACE),
            slip: self.contact3(i, near::SLIP),
            along: self.contact_at(i, near::ALONG),
            depth: self.contact_at(i, near::DEPTH),
            friction: self.contact_at(i, near::FRICTION),
        }
    }

    /// The contact of vertex `i` with the forces that [`Group::close_contacts`] has found.
    #[inline(always)]
    pub(super) fn held_contact(&self, i: usize, s: &Settings<L::Elem>) -> Held<L> {
        let stiff = self.contact_at(i, near::STIFF);
        held_contact(self.closed_contact(i), stiff, self.near_there(i), L::splat(s.give))
    }

    /// Lanes where a collider is near vertex `i`, which nothing else holds.
    #[inline(always)]
    pub(super) fn is_near(&self, i: usize) -> L::Mask {
        let near = L::constant(0.5 * FAR).lt(self.contact_at(i, near::DEPTH));
        L::both(near, self.scratch_at(i, INERTIA).lt(L::constant(HELD)))
    }

    /// 1 in lanes where a collider is near some vertex.
    #[inline(always)]
    pub(crate) fn touching(&self) -> L {
        let mut touching = L::zero();
        for i in 0..if self.newton.near { self.vertices } else { 0 } {
            touching = L::select(self.is_near(i), L::one(), touching);
        }
        touching
    }

    /// Lanes where one holds it.
    #[inline(always)]
    fn is_held(&self, i: usize) -> L::Mask {
        L::both(self.is_near(i), L::zero().lt(self.contact_at(i, near::PRESS)))
    }

    /// Closes the contacts that what has been assembled presses together, unless they have been `revised`, and adds them to the system;
    /// returns their energy.
    #[inline(always)]
    pub(super) fn close_contacts(&mut self, s: &Settings<L::Elem>, revised: bool) -> L {
        let zero = L::zero();
        let mut energy = zero;
        for i in 0..self.vertices {
            let near = self.is_near(i);
            if !L::any(near) {
                continue;
            }
            let (u, f, inertia) = (self.get3(i, state::U), self.scratch3(i, RHS), self.scratch_at(i, INERTIA));
            let normal = self.contact3(i, near::NORMAL);
            let stiffness = self.scratch_at(i, 0) + self.scratch_at(i, BAND) + self.scratch_at(i, 2 * BAND);
            self.set_scratch(i, CONTACT + near::STIFF, inertia * L::constant(CONTACT_STIFFNESS) + stiffness);
            if !revised {
                let mut guess = guess_contact(f, u, inertia, self.near_there(i));
                guess.press = L::select(near, guess.press, zero);
                self.set_closed(i, &guess);
            }
            let (c, held) = (self.held_contact(i, s), self.is_held(i));
            let force = held_force(c, u);
            self.set_scratch3(i, RHS, Vec3::select(held, f + normal * force.press + force.friction, f));
            let (a, n) = (normal * (c.stiff - c.grip), [normal.x, normal.y, normal.z]);
            for row in 0..3 {
                for (column, n) in n.into_iter().enumerate().skip(row) {
                    let k = [a.x, a.y, a.z][row] * n + if row == column { c.grip } else { zero };
                    let at = row * BAND + column - row;
                    let old = self.scratch_at(i, at);
                    self.set_scratch(i, at, L::select(held, old + k, old));
                }
            }
            energy = L::select(held, energy + force.energy, energy);
        }
        energy
    }

    /// Looks at the contacts after a solve: what was guessed wrong is revised, and what would come into a collider is stopped at its surface.
    /// Tells whether any was.
    #[inline(always)]
    pub fn revise_contacts(&mut self, s: &Settings<L::Elem>, obstacles: Obstacles<'_, L::Elem>) -> bool {
        let zero = L::zero();
        let mut wrong = false;
        for i in 0..if self.newton.near { self.vertices } else { 0 } {
            let held = self.is_held(i);
            if !L::any(held) {
                continue;
            }
            let (closed, u) = (self.closed_contact(i), self.get3(i, state::U) + self.scratch3(i, RHS));
            let force = held_force(self.held_contact(i, s), u);
            let new = revise_contact(closed, self.scratch_at(i, INERTIA), force, self.contact_at(i, near::FRICTION));
            let press = L::select(held, new.closed.press, closed.press);
            self.set_closed(i, &Closed { press, ..new.closed });
            wrong |= L::any(L::both(held, zero.lt(new.wrong)));
        }
        wrong | self.find_impacts(s, obstacles)
    }

    /// Where the solution of the system comes into a collider: a contact that stops it at the surface. Tells whether there is any.
    #[inline(always)]
    fn find_impacts(&mut self, s: &Settings<L::Elem>, obstacles: Obstacles<'_, L::Elem>) -> bool {
        let (zero, one) = (L::zero(), L::one());
        let bounds = self.bounds(true);
        let touching = if self.newton.kept { self.touching() } else { one };
        let mut found = false;
        for c in obstacles.colliders {
            let Some(wide) = Wide::<L>::meeting(c, obstacles, s, &bounds, s.max_radius) else { continue };
            for i in 0..self.vertices {
                let u = self.get3(i, state::U) + self.scratch3(i, RHS);
                let r = (self.get3(i, state::X) - wide.center) + u;
                let surface = wide.motion(r);
                let d = wide.distance(r, u - surface);
                let depth = self.contact_radius(i) - d.distance;
                if !L::any(zero.lt(depth)) {
                    continue;
                }
                let inertia = self.scratch_at(i, INERTIA);
                let stopped = stop_contact(u, inertia, d.normal, surface, depth, wide.friction);
                let open = if self.newton.near { one - self.held_there(i) } else { one };
                let open = L::select(self.is_anchored(i), zero, open);
                let here = L::both(zero.lt(stopped.closed.press * open), inertia.lt(L::constant(HELD)));
                if !L::any(here) {
                    continue;
                }
                found = true;
                // A strand that nothing was near takes another form of its elements.
                self.newton.kept &= !L::any(L::both(here, touching.lt(one)));
                self.begin_contacts();
                for (row, v) in [(near::NORMAL, d.normal), (near::SURFACE, surface)] {
                    self.set_scratch3(i, CONTACT + row, Vec3::select(here, v, self.contact3(i, row)));
                }
                for (row, v) in [
                    (near::ALONG, stopped.along),
                    (near::DEPTH, zero),
                    (near::FRICTION, wide.friction),
                    (near::PRESS, stopped.closed.press),
                    (near::GRIP, stopped.closed.grip),
                ] {
                    self.set_scratch(i, CONTACT + row, L::select(here, v, self.contact_at(i, row)));
                }
            }
        }
        found
    }

    /// Energy of the closed contact of vertex `i` where it is now.
    #[inline(always)]
    pub(super) fn contact_energy(&self, i: usize, s: &Settings<L::Elem>) -> L {
        if !self.newton.near {
            return L::zero();
        }
        L::select(self.is_held(i), held_force(self.held_contact(i, s), self.get3(i, state::U)).energy, L::zero())
    }

    /// Notes the lanes in which a collider holds a vertex.
    #[inline(always)]
    pub(crate) fn mark_held(&mut self) {
        for i in 0..self.vertices {
            self.newton.held = L::select(self.is_held(i), L::one(), self.newton.held);
        }
    }

    /// After the step: what sticks does not creep, and the pressing forces are those of the new state.
    #[inline(always)]
    pub(super) fn settle_contacts(&mut self, s: &Settings<L::Elem>) {
        for i in 0..self.vertices {
            let held = self.is_held(i);
            if !L::any(held) {
                continue;
            }
            let (u, inertia, friction) =
                (self.get3(i, state::U), self.scratch_at(i, INERTIA), self.contact_at(i, near::FRICTION));
            let settled = settle_contact(self.held_contact(i, s), u, inertia, friction);
            self.set3(i, state::U, Vec3::select(held, settled.u, u));
            self.set_scratch(i, CONTACT + near::PRESS, L::select(held, settled.press, L::zero()));
        }
    }

    /// 1 where Newton's step holds vertex `i`.
    #[inline(always)]
    pub(crate) fn held_there(&self, i: usize) -> L {
        L::select(self.is_held(i), L::one(), L::zero())
    }
}
