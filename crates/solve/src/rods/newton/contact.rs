//! Contacts within Newton's method (`docs/internals/direct.md`). A contact becomes a stiff spring along the
//! normal, and a viscosity against slip. `collide::kernels` has the mathematics,
//! `Group::find_contacts` finds what is near.
//!
//! Where radii change, what a collider presses is the vertex's surface, at r s from it: the spring also acts on the scales of the edges beside the vertex.
//! There a vertex has two sides, each with a collider, as what lies between two plates has to become thinner (`docs/internals/volume.md`, Contacts).

use super::memory::scratch_row;
use super::{BAND, CONTACT, HELD, INERTIA, NOTHING, RHS, SCRATCH_ROWS};
use crate::collide::kernels::*;
use crate::layout::{FAR, near, param, state, wide};
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use crate::rods::group::contacts::{Obstacles, Wide};
use crate::rods::group::{Group, Settings};

/// What presses against a collider has a normal with at most that cosine to the collider's.
const AGAINST: f64 = -0.25;

/// How much stiffer a contact is than the section that it squeezes together with another, in shear.
const SQUEEZES: f64 = 100.0;

impl<L: Lane, const W: usize> Group<L, W> {
    /// Sides of a vertex that have a collider of their own.
    #[inline(always)]
    pub(crate) fn sides(&self) -> usize {
        if self.keeps_volume() { 2 } else { 1 }
    }
    /// Where the rows of a contact are, of which both sides have the same.
    #[inline(always)]
    fn near_at(&self, i: usize, side: usize, row: usize) -> *mut L::Elem {
        debug_assert!(i < self.vertices && row < near::ROWS && side < self.sides());
        let first = if side == 0 { CONTACT } else { SCRATCH_ROWS + wide::AGAINST };
        // SAFETY: the type's contract; rows of one contact lie one after the other.
        unsafe { self.at.scratch.add((scratch_row(self.vertices, i, first) + row) * L::N) }
    }
    #[inline(always)]
    pub(crate) fn near_row(&self, i: usize, side: usize, row: usize) -> L {
        // SAFETY: as in `near_at`.
        unsafe { L::load(self.near_at(i, side, row)) }
    }
    #[inline(always)]
    pub(crate) fn near_row3(&self, i: usize, side: usize, row: usize) -> Vec3<L> {
        vec3(self.near_row(i, side, row), self.near_row(i, side, row + 1), self.near_row(i, side, row + 2))
    }
    #[inline(always)]
    pub(crate) fn set_near(&mut self, i: usize, side: usize, row: usize, v: L) {
        // SAFETY: as in `near_at`.
        unsafe { v.store(self.near_at(i, side, row)) }
    }
    #[inline(always)]
    pub(crate) fn set_near3(&mut self, i: usize, side: usize, row: usize, v: Vec3<L>) {
        self.set_near(i, side, row, v.x);
        self.set_near(i, side, row + 1, v.y);
        self.set_near(i, side, row + 2, v.z);
    }

    #[inline(always)]
    fn closed_contact(&self, i: usize, side: usize) -> Closed<L> {
        Closed { press: self.near_row(i, side, near::PRESS), grip: self.near_row(i, side, near::GRIP) }
    }
    #[inline(always)]
    fn set_closed(&mut self, i: usize, side: usize, c: &Closed<L>) {
        self.set_near(i, side, near::PRESS, c.press);
        self.set_near(i, side, near::GRIP, c.grip);
    }

    /// What is near that side of vertex `i`, by how its surface moves: of what its section has grown by, the collider's push knows nothing.
    #[inline(always)]
    fn near_there(&self, i: usize, side: usize, ahead: bool) -> Near<L> {
        let along = self.near_row(i, side, near::ALONG);
        Near {
            normal: self.near_row3(i, side, near::NORMAL),
            surface: self.near_row3(i, side, near::SURFACE),
            slip: self.near_row3(i, side, near::SLIP),
            along: if self.keeps_volume() { along + self.grown(i, ahead) } else { along },
            depth: self.near_row(i, side, near::DEPTH),
            friction: self.near_row(i, side, near::FRICTION),
        }
    }

    /// That contact of vertex `i` with the forces that [`Group::close_contacts`] has found; `ahead`: with the section that the solution makes.
    #[inline(always)]
    pub(super) fn held_contact(&self, i: usize, side: usize, s: &Settings<L::Elem>, ahead: bool) -> Held<L> {
        let stiff = self.near_row(i, side, near::STIFF);
        held_contact(self.closed_contact(i, side), stiff, self.near_there(i, side, ahead), L::splat(s.give))
    }

    /// Lanes where a collider is near that side of vertex `i`, which nothing else holds.
    #[inline(always)]
    pub(super) fn is_near(&self, i: usize, side: usize) -> L::Mask {
        let near = L::constant(0.5 * FAR).lt(self.near_row(i, side, near::DEPTH));
        L::both(near, self.scratch_at(i, INERTIA).lt(L::constant(HELD)))
    }
    /// Lanes where a collider with that normal presses against the one that is near the first side.
    #[inline(always)]
    pub(crate) fn is_against(&self, i: usize, normal: Vec3<L>) -> L::Mask {
        let opposed = normal.dot(self.near_row3(i, 0, near::NORMAL)).lt(L::constant(AGAINST));
        L::both(opposed, self.is_near(i, 0))
    }

    /// 1 in lanes where a collider is near some vertex.
    #[inline(always)]
    pub(crate) fn touching(&self) -> L {
        let mut touching = L::zero();
        for i in 0..if self.newton.near { self.vertices } else { 0 } {
            touching = L::select(self.is_near(i, 0), L::one(), touching);
        }
        touching
    }

    /// Lanes where one holds it.
    #[inline(always)]
    fn is_held(&self, i: usize, side: usize) -> L::Mask {
        L::both(self.is_near(i, side), L::zero().lt(self.near_row(i, side, near::PRESS)))
    }

    /// Guesses which contacts what has been assembled presses together.
    #[inline(always)]
    fn guess_contacts(&mut self) {
        let zero = L::zero();
        for i in 0..self.vertices {
            let (u, f, inertia) = (self.get3(i, state::U), self.scratch3(i, RHS), self.scratch_at(i, INERTIA));
            for side in 0..self.sides() {
                let near = self.is_near(i, side);
                if !L::any(near) {
                    continue;
                }
                let mut guess = guess_contact(f, u, inertia, self.near_there(i, side, false));
                guess.press = L::select(near, guess.press, zero);
                self.set_closed(i, side, &guess);
            }
            if self.keeps_volume() {
                self.guess_squeezed(i);
            }
        }
    }

    /// The same where vertex `i` is inside of a collider on either side.
    #[inline(always)]
    fn guess_squeezed(&mut self, i: usize) {
        let zero = L::zero();
        let least = self.near_row(i, 0, near::DEPTH).min(self.near_row(i, 1, near::DEPTH));
        let inside = L::both(zero.lt(least), L::both(self.is_near(i, 0), self.is_near(i, 1)));
        if !L::any(inside) {
            return;
        }
        let (u, f, inertia) = (self.get3(i, state::U), self.scratch3(i, RHS), self.scratch_at(i, INERTIA));
        let near = [self.near_there(i, 0, false), self.near_there(i, 1, false)];
        let guess = guess_squeezed(f, u, inertia, self.swells_with(i), near);
        for (side, guess) in guess.into_iter().enumerate() {
            let before = self.closed_contact(i, side);
            let press = L::select(inside, guess.press, before.press);
            self.set_closed(i, side, &Closed { press, grip: L::select(inside, guess.grip, before.grip) });
        }
    }

    /// Adds to the stiffness of contacts of vertex `i` that of what they squeeze.
    #[inline(always)]
    fn stiffen_squeezed(&mut self, i: usize) {
        let squeezed = L::both(self.is_held(i, 0), self.is_held(i, 1));
        if !L::any(squeezed) {
            return;
        }
        let (radius, mut sum) = (self.p(i, param::RADIUS).max(L::constant(NOTHING)), L::zero());
        for (k, part) in self.radius_parts(i).into_iter().enumerate() {
            if i + k >= 1 && i + k < self.vertices {
                sum = sum + part * self.shear_of_scale(i + k - 1);
            }
        }
        let more = sum * L::constant(SQUEEZES) / (radius * radius);
        for side in 0..2 {
            let stiff = self.near_row(i, side, near::STIFF);
            self.set_near(i, side, near::STIFF, L::select(squeezed, stiff + more, stiff));
        }
    }

    /// Closes the contacts that what has been assembled presses together, unless they have been `revised`, and adds them to the system;
    /// returns their energy.
    #[inline(always)]
    pub(super) fn close_contacts(&mut self, s: &Settings<L::Elem>, revised: bool) -> L {
        let zero = L::zero();
        let mut energy = zero;
        if !revised {
            self.guess_contacts();
        }
        for i in 0..self.vertices {
            if !L::any(self.is_near(i, 0)) {
                continue;
            }
            let (u, inertia) = (self.get3(i, state::U), self.scratch_at(i, INERTIA));
            let stiffness = self.scratch_at(i, 0) + self.scratch_at(i, BAND) + self.scratch_at(i, 2 * BAND);
            for side in 0..self.sides() {
                self.set_near(i, side, near::STIFF, inertia * L::constant(CONTACT_STIFFNESS) + stiffness);
            }
            if self.keeps_volume() {
                self.stiffen_squeezed(i);
            }
            for side in 0..self.sides() {
                let (c, held) = (self.held_contact(i, side, s, false), self.is_held(i, side));
                let (force, f, normal) = (held_force(c, u), self.scratch3(i, RHS), c.normal);
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
                if self.keeps_volume() {
                    let (press, stiff) = (L::select(held, force.press, zero), L::select(held, c.stiff, zero));
                    self.press_scales(i, Vec3::select(held, normal, Vec3::zero()), press, stiff);
                }
            }
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
            let (u, inertia) = (self.get3(i, state::U) + self.scratch3(i, RHS), self.scratch_at(i, INERTIA));
            for side in 0..self.sides() {
                let held = self.is_held(i, side);
                if !L::any(held) {
                    continue;
                }
                let (closed, friction) = (self.closed_contact(i, side), self.near_row(i, side, near::FRICTION));
                let force = held_force(self.held_contact(i, side, s, true), u);
                let new = revise_contact(closed, inertia, force, friction);
                let press = L::select(held, new.closed.press, closed.press);
                self.set_closed(i, side, &Closed { press, ..new.closed });
                wrong |= L::any(L::both(held, zero.lt(new.wrong)));
            }
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
                let mut depth = self.contact_radius(i) - d.distance;
                let mut u = u;
                if self.keeps_volume() {
                    let grown = self.grown(i, true);
                    (depth, u) = (depth + grown, u - d.normal * grown);
                }
                if !L::any(zero.lt(depth)) {
                    continue;
                }
                let inertia = self.scratch_at(i, INERTIA);
                let stopped = stop_contact(u, inertia, d.normal, surface, depth, wide.friction);
                let mut open = if self.newton.near { one - self.held_there(i) } else { one };
                let mut against = zero;
                if self.keeps_volume() && self.newton.near {
                    // What one collider holds may be pressed against another.
                    let free = L::both(self.is_held(i, 0), self.is_against(i, d.normal));
                    against = L::select(self.is_held(i, 1), zero, L::select(free, one, zero));
                    open = L::select(self.is_held(i, 0), against, one);
                }
                let open = L::select(self.is_anchored(i), zero, open);
                let here = L::both(zero.lt(stopped.closed.press * open), inertia.lt(L::constant(HELD)));
                if !L::any(here) {
                    continue;
                }
                found = true;
                // A strand that nothing was near takes another form of its elements.
                self.newton.kept &= !L::any(L::both(here, touching.lt(one)));
                self.begin_contacts();
                for side in 0..self.sides() {
                    let there = L::select(zero.lt(against), L::constant(side as f64), L::constant(1.0 - side as f64));
                    let here = L::both(here, zero.lt(there));
                    self.note_stopped(i, side, here, (d.normal, surface, wide.friction), &stopped);
                }
            }
        }
        found
    }

    /// Where `here`, that side of vertex `i` is stopped at a surface with that normal, motion and friction.
    #[inline(always)]
    fn note_stopped(
        &mut self,
        i: usize,
        side: usize,
        here: L::Mask,
        (normal, surface, friction): (Vec3<L>, Vec3<L>, L),
        at: &Stopped<L>,
    ) {
        for (row, v) in [(near::NORMAL, normal), (near::SURFACE, surface)] {
            self.set_near3(i, side, row, Vec3::select(here, v, self.near_row3(i, side, row)));
        }
        for (row, v) in [
            (near::ALONG, at.along),
            (near::DEPTH, L::zero()),
            (near::FRICTION, friction),
            (near::PRESS, at.closed.press),
            (near::GRIP, at.closed.grip),
        ] {
            self.set_near(i, side, row, L::select(here, v, self.near_row(i, side, row)));
        }
    }

    /// Energy of the closed contacts of vertex `i` where it is now.
    #[inline(always)]
    pub(super) fn contact_energy(&self, i: usize, s: &Settings<L::Elem>) -> L {
        if !self.newton.near {
            return L::zero();
        }
        let (mut energy, u) = (L::zero(), self.get3(i, state::U));
        for side in 0..self.sides() {
            let more = held_force(self.held_contact(i, side, s, false), u).energy;
            energy = L::select(self.is_held(i, side), energy + more, energy);
        }
        energy
    }

    /// Notes the lanes in which a collider holds a vertex.
    #[inline(always)]
    pub(crate) fn mark_held(&mut self) {
        for i in 0..self.vertices {
            self.newton.held = self.newton.held.max(self.held_there(i));
        }
    }

    /// After the step: what sticks does not creep, and the pressing forces are those of the new state.
    #[inline(always)]
    pub(super) fn settle_contacts(&mut self, s: &Settings<L::Elem>) {
        for i in 0..self.vertices {
            let inertia = self.scratch_at(i, INERTIA);
            for side in 0..self.sides() {
                let held = self.is_held(i, side);
                if !L::any(held) {
                    continue;
                }
                let (u, friction) = (self.get3(i, state::U), self.near_row(i, side, near::FRICTION));
                let settled = settle_contact(self.held_contact(i, side, s, false), u, inertia, friction);
                self.set3(i, state::U, Vec3::select(held, settled.u, u));
                self.set_near(i, side, near::PRESS, L::select(held, settled.press, L::zero()));
            }
        }
    }

    /// 1 where Newton's step holds vertex `i`.
    #[inline(always)]
    pub(crate) fn held_there(&self, i: usize) -> L {
        let mut held = L::zero();
        for side in 0..self.sides() {
            held = L::select(self.is_held(i, side), L::one(), held);
        }
        held
    }
}
