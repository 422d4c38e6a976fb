//! Contacts of the vertices of rods with colliders: after a solve, and, for Newton's method, before it.

use super::{Group, Settings, mass};
use crate::collide::kernels::{self as shape, Distance};
use crate::collide::narrow::{Geometry, MovingMesh, point};
use crate::collide::{Bounds, ColliderMotion, Form};
use crate::desc::SweepOrder;
use crate::layout::scratch::{INERTIA, RHS};
use crate::layout::{FAR, HELD, MAX_LANES, NOTHING, near, param, state, swept};
use crate::math::vec3::vec3;
use crate::math::{Elem, Lane, Real, Vec3};

/// What rods meet in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a, E> {
    pub colliders: &'a [ColliderMotion<E>],
    /// The hulls and meshes among them.
    pub solids: &'a [Geometry<E>],
    /// The meshes that bend, in this substep.
    pub bent: &'a [MovingMesh<E>],
}

/// A collider in the lanes of a group.
pub(crate) struct Wide<'a, L: Lane> {
    form: Form,
    solid: Option<&'a Geometry<L::Elem>>,
    bent: Option<&'a MovingMesh<L::Elem>>,
    /// How far off a solid is looked for, m.
    reach: L::Elem,
    size: Vec3<L>,
    pub(crate) center: Vec3<L>,
    axes: [Vec3<L>; 3],
    turn: [Vec3<L>; 3],
    shift: Vec3<L>,
    /// Geometric mean of the two materials.
    pub(crate) friction: L,
}

/// Of solids, where nothing is near.
pub const NOWHERE: f64 = 1e30;
/// How far behind a mesh a vertex is felt, in its radius and [`Settings::near`]; what it has moved in the substep comes on top.
pub const BEHIND: f64 = 4.0;

impl<'a, L: Lane> Wide<'a, L> {
    /// None where the collider is on other layers, or farther than `margin` from `bounds`.
    #[inline(always)]
    pub(crate) fn meeting(
        c: &ColliderMotion<L::Elem>,
        obstacles: Obstacles<'a, L::Elem>,
        s: &Settings<L::Elem>,
        bounds: &Bounds<L::Elem>,
        margin: L::Elem,
    ) -> Option<Self> {
        if c.mask & s.category == 0 || s.mask & c.category == 0 || !bounds.may_touch(c, margin) {
            return None;
        }
        let solid = match c.form {
            Form::Solid(i) => Some(obstacles.solids.get(i as usize)?),
            _ => None,
        };
        let bent = match c.form {
            Form::Bent(i) => Some(obstacles.bent.get(i as usize)?),
            _ => None,
        };
        Some(Wide {
            form: c.form,
            solid,
            bent,
            reach: s.max_radius + s.near,
            size: c.size.map(L::splat),
            center: c.center.map(L::splat),
            axes: [c.axes[0].map(L::splat), c.axes[1].map(L::splat), c.axes[2].map(L::splat)],
            turn: [c.turn[0].map(L::splat), c.turn[1].map(L::splat), c.turn[2].map(L::splat)],
            shift: c.shift.map(L::splat),
            friction: L::splat((s.friction * c.friction).sqrt()),
        })
    }
    /// Distance and normal, in the world's axes, at `r` from the centre. `moved`: against the surface, in this substep.
    #[inline(always)]
    pub(crate) fn distance(&self, r: Vec3<L>, moved: Vec3<L>) -> Distance<L> {
        let [a, b, c] = self.axes;
        let p = vec3(a.dot(r), b.dot(r), c.dot(r));
        let d = self.form.distance(self.size, p, |_| self.solid_distance(p, moved));
        Distance { distance: d.distance, normal: a * d.normal.x + b * d.normal.y + c * d.normal.z }
    }
    /// Hulls and meshes are asked lane by lane; beyond the reach they are nowhere.
    #[inline(always)]
    fn solid_distance(&self, p: Vec3<L>, moved: Vec3<L>) -> Distance<L> {
        let mut out = [[L::Elem::default(); MAX_LANES]; 4];
        let (at, displacement) = (Points::of(p), Points::of(moved));
        if let Some(solid) = self.solid {
            ask_solid(solid, L::N, self.reach, &at, &displacement, &mut out);
        }
        if let Some(bent) = self.bent {
            ask_bent(bent, L::N, self.reach, &at, &displacement, &mut out);
        }
        // SAFETY: `out` has room for N ≤ MAX_LANES numbers a row.
        let lane = |k: usize| unsafe { L::load(out[k].as_ptr()) };
        Distance { distance: lane(0), normal: vec3(lane(1), lane(2), lane(3)) }
    }
    /// What the surface does there in the substep.
    #[inline(always)]
    pub(crate) fn motion(&self, r: Vec3<L>) -> Vec3<L> {
        if let Some(bent) = self.bent {
            let mut out = [[L::Elem::default(); MAX_LANES]; 4];
            ask_motion(bent, L::N, self.reach, &Points::of(r), &mut out);
            // SAFETY: as in `solid_distance`.
            let lane = |k: usize| unsafe { L::load(out[k].as_ptr()) };
            return vec3(lane(1), lane(2), lane(3));
        }
        self.turn[0] * r.x + self.turn[1] * r.y + self.turn[2] * r.z + self.shift
    }
}

/// The points of the lanes of a group.
struct Points<E>([[E; MAX_LANES]; 3]);

impl<E: Elem> Points<E> {
    #[inline(always)]
    fn of<L: Lane<Elem = E>>(p: Vec3<L>) -> Self {
        let mut all = [[E::default(); MAX_LANES]; 3];
        // SAFETY: N ≤ MAX_LANES numbers fit a row.
        unsafe {
            p.x.store(all[0].as_mut_ptr());
            p.y.store(all[1].as_mut_ptr());
            p.z.store(all[2].as_mut_ptr());
        }
        Points(all)
    }
    fn at(&self, k: usize) -> Vec3<E> {
        vec3(self.0[0][k], self.0[1][k], self.0[2][k])
    }
}

/// Puts what was found for lane `k`.
fn put<E: Elem>(found: Option<Distance<E>>, k: usize, out: &mut [[E; MAX_LANES]; 4]) {
    let up = vec3(E::zero(), E::one(), E::zero());
    let (distance, n) = found.map_or((E::constant(NOWHERE), up), |d| (d.distance, d.normal));
    (out[0][k], out[1][k], out[2][k], out[3][k]) = (distance, n.x, n.y, n.z);
}

/// Distance and normal of the first `n` points. Out of line: what it does is the same whatever the caller's registers are.
#[inline(never)]
fn ask_solid<E: Elem>(solid: &Geometry<E>, n: usize, reach: E, at: &Points<E>, moved: &Points<E>, out: &mut [[E; MAX_LANES]; 4]) {
    for k in 0..n.min(MAX_LANES) {
        let deep = moved.at(k).length() + reach * E::constant(BEHIND);
        put(point(solid, at.at(k), reach, deep), k, out);
    }
}

/// The same of a mesh that bends.
#[inline(never)]
fn ask_bent<E: Elem>(mesh: &MovingMesh<E>, n: usize, reach: E, at: &Points<E>, moved: &Points<E>, out: &mut [[E; MAX_LANES]; 4]) {
    for k in 0..n.min(MAX_LANES) {
        let (p, moved) = (at.at(k), moved.at(k));
        let deep = moved.length() + reach * E::constant(BEHIND);
        let found = if p.length2().is_finite() { mesh.point(p, moved, reach, deep) } else { None };
        put(found, k, out);
    }
}

/// What the surface does.
#[inline(never)]
fn ask_motion<E: Elem>(mesh: &MovingMesh<E>, n: usize, reach: E, at: &Points<E>, out: &mut [[E; MAX_LANES]; 4]) {
    let [_, x, y, z] = out;
    for (k, ((x, y), z)) in x.iter_mut().zip(y).zip(z).enumerate().take(n) {
        let p = at.at(k);
        let by = if p.length2().is_finite() { mesh.motion(p, reach * E::constant(BEHIND)) } else { Vec3::zero() };
        (*x, *y, *z) = (by.x, by.y, by.z);
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    #[inline(always)]
    fn place(&self, i: usize, ahead: bool) -> Vec3<L> {
        let x = self.get3(i, state::X) + self.get3(i, state::U);
        if ahead { x + self.scratch3(i, RHS) } else { x }
    }

    /// The box around all vertices of the group where they are now, or where Newton's step takes them.
    #[inline(always)]
    pub(crate) fn bounds(&self, ahead: bool) -> Bounds<L::Elem> {
        let mut min = self.place(0, ahead);
        let mut max = min;
        for i in 1..self.vertices {
            let x = self.place(i, ahead);
            min = vec3(x.x.min(min.x), x.y.min(min.y), x.z.min(min.z));
            max = vec3(max.x.max(x.x), max.y.max(x.y), max.z.max(x.z));
        }
        let least = vec3(Self::extreme(min.x, true), Self::extreme(min.y, true), Self::extreme(min.z, true));
        let most = vec3(Self::extreme(max.x, false), Self::extreme(max.y, false), Self::extreme(max.z, false));
        Bounds { min: least, max: most }
    }

    /// The least or the largest of all lanes.
    #[inline(always)]
    fn extreme(v: L, least: bool) -> L::Elem {
        let mut out = [L::Elem::default(); MAX_LANES];
        // SAFETY: N ≤ MAX_LANES numbers fit; the type's contract.
        unsafe { v.store(out.as_mut_ptr()) };
        (1..L::N).fold(out[0], |a, i| if least { out[i].min(a) } else { out[i].max(a) })
    }

    /// Contacts of all vertices with the colliders. What is skipped would have changed nothing, so that the result does not
    /// depend on how many lanes are looked at together. Returns how many touched.
    #[inline(always)]
    pub fn contacts(&mut self, s: &Settings<L::Elem>, obstacles: Obstacles<'_, L::Elem>) -> u32 {
        if obstacles.colliders.is_empty() && !self.has_multipliers() {
            return 0;
        }
        let zero = L::zero();
        let bounds = self.bounds(false);
        let (mut touched, mut stopped) = (zero, zero);
        let mut margin = s.max_radius;
        if self.has_multipliers() {
            let mut pressed = zero;
            for i in 0..self.vertices {
                self.set_swept_row(i, swept::TOUCHES, zero);
                self.set_swept_row(i, swept::OPEN, L::constant(FAR));
                pressed = pressed.max(self.swept_row3(i, swept::PRESS).length2());
            }
            // What has been pushed out so far is looked at as far off as that, whichever strands are looked at together.
            margin = margin + Self::extreme(pressed.sqrt() * L::constant(1.001), false);
        }
        for c in obstacles.colliders {
            let Some(wide) = Wide::<L>::meeting(c, obstacles, s, &bounds, margin) else { continue };
            for i in 0..self.vertices {
                let (x, u) = (self.get3(i, state::X), self.get3(i, state::U));
                let r = (x - wide.center) + u;
                let surface = wide.motion(r);
                let d = wide.distance(r, u - surface);
                if self.has_multipliers() {
                    let depth = self.radius_now(i) - d.distance;
                    touched = touched + self.grips(i, (u, surface), (d.normal, depth), wide.friction, s);
                    continue;
                }
                let depth = self.contact_radius(i) - d.distance;
                if !L::any(zero.lt(depth)) {
                    continue;
                }
                let normal = d.normal;
                let w = self.p(i, param::W);
                let q = if s.order == SweepOrder::Direct {
                    // No sweep comes after this one to bend the neighbours along. What Newton's step holds is left alone. Of the
                    // others, only what stops the approach is motion; what was inside before is pushed out without a velocity, a little
                    // of an edge at a time: at once it would fold the rod.
                    let free = if self.newton.near { L::one() - self.held_there(i) } else { L::one() };
                    // An end that something holds where it is stays there.
                    let free = L::select(self.scratch_at(i, INERTIA).lt(L::constant(HELD)), free, zero);
                    let free = L::select(self.is_anchored(i), zero, free);
                    let mut q = shape::contact(u, normal, depth * free, surface, wide.friction, w);
                    let approach = (surface - u).dot(normal).max(zero);
                    let extra = ((q.u - u).dot(normal) - approach).max(zero);
                    let deep = zero.lt(extra);
                    q.u = Vec3::select(deep, q.u - normal * extra, q.u);
                    q.touched = L::select(L::both(zero.lt(depth), zero.lt(w)), free, zero);
                    self.set3(i, state::X, Vec3::select(deep, x + normal * extra.min(L::splat(s.give)), x));
                    q
                } else {
                    shape::contact(u, normal, depth, surface, wide.friction, w)
                };
                self.turn_by_contact(i, x, (u, q.u), s);
                stopped = stopped.max(q.touched);
                self.set3(i, state::U, q.u);
                touched = touched + q.touched;
            }
        }
        if self.is_second(s) {
            self.restart_all(zero.lt(stopped));
        }
        for i in 0..if self.has_multipliers() { self.vertices } else { 0 } {
            self.let_go(i, s);
        }
        for i in 0..if self.newton.near { self.vertices } else { 0 } {
            touched = touched + self.held_there(i);
        }
        let mut out = [L::Elem::default(); MAX_LANES];
        // SAFETY: N ≤ MAX_LANES numbers fit; the type's contract.
        unsafe { touched.store(out.as_mut_ptr()) };
        out[..L::N].iter().map(|t| t.to_f64() as u32).sum()
    }

    /// What a contact of the vertex at `x` does to the angular momentum of a strand that keeps its own.
    #[inline(always)]
    fn turn_by_contact(&mut self, i: usize, x: Vec3<L>, (before, after): (Vec3<L>, Vec3<L>), s: &Settings<L::Elem>) {
        if s.keep_spin && !self.at.spin.is_null() {
            let arm = (x - self.get3(0, state::X)) + before;
            self.set_spin(self.kept_spin() + arm.cross(after - before) * mass(self.p(i, param::W)));
        }
    }

    /// A contact that knows what it has done in the substep so far ([`shape::grip`]). Returns 1 where it touches.
    #[inline(always)]
    fn grips(
        &mut self,
        i: usize,
        (u, surface): (Vec3<L>, Vec3<L>),
        (normal, depth): (Vec3<L>, L),
        friction: L,
        s: &Settings<L::Elem>,
    ) -> L {
        let (zero, before, w) = (L::zero(), self.grip(i), self.p(i, param::W));
        let here = L::both(zero.lt(w), (-before.press.dot(normal).max(zero)).lt(depth));
        let open = self.swept_row(i, swept::OPEN);
        self.set_swept_row(i, swept::OPEN, open.max(depth.min(zero)));
        if !L::any(here) {
            return zero;
        }
        // What is pressed from two sides gives way with its radius, too. (Of what lies on one side alone radii are left: with them piles trembled on the ground.)
        let squeezed = (zero - before.press.dot(normal)).max(self.swept_row(i, swept::SQUEEZE));
        let squeezed = L::both(here, zero.lt(squeezed));
        let give = if L::any(squeezed) { self.radius_gives(i, s) } else { zero };
        let part = w / (w + L::select(squeezed, give, zero)).max(L::constant(NOTHING));
        let (now, moved) = shape::grip(before, u - surface, normal, depth * part, friction);
        let moved = Vec3::select(here, moved + surface, u);
        self.turn_by_contact(i, self.get3(i, state::X), (u, moved), s);
        self.set3(i, state::U, moved);
        let press = Vec3::select(here, now.press, before.press);
        if L::any(squeezed) {
            let more = (press - before.press).dot(normal).max(zero) / w.max(L::constant(NOTHING));
            self.squeeze_by(i, L::select(squeezed, more, zero), s);
        }
        self.set_grip(i, shape::Grip { press, held: Vec3::select(here, now.held, before.held) });
        self.set_swept_row(i, swept::TOUCHES, L::select(here, L::one(), self.swept_row(i, swept::TOUCHES)));
        let pressed = L::both(here, zero.lt(now.press.dot(normal)));
        let open = self.swept_row(i, swept::OPEN);
        self.set_swept_row(i, swept::OPEN, L::select(pressed, zero, open));
        L::select(pressed, L::one(), zero)
    }

    /// Colliders press the section at vertex `i` by so much more.
    #[inline(always)]
    fn squeeze_by(&mut self, i: usize, more: L, s: &Settings<L::Elem>) {
        self.set_swept_row(i, swept::SQUEEZE, self.swept_row(i, swept::SQUEEZE) + more);
        self.squeeze(i, more, s);
    }

    #[inline(always)]
    fn grip(&self, i: usize) -> shape::Grip<L> {
        shape::Grip { press: self.swept_row3(i, swept::PRESS), held: self.swept_row3(i, swept::GRIP) }
    }
    #[inline(always)]
    fn set_grip(&mut self, i: usize, grip: shape::Grip<L>) {
        self.set_swept_row3(i, swept::PRESS, grip.press);
        self.set_swept_row3(i, swept::GRIP, grip.held);
    }

    /// What no collider is near any more, none has moved, or pressed. What squeezes is let go as far as there is room.
    #[inline(always)]
    fn let_go(&mut self, i: usize, s: &Settings<L::Elem>) {
        let (zero, had, touches) = (L::zero(), self.grip(i), L::zero().lt(self.swept_row(i, swept::TOUCHES)));
        let u = self.get3(i, state::U);
        let free = Vec3::select(touches, u, u - (had.press + had.held));
        self.turn_by_contact(i, self.get3(i, state::X), (u, free), s);
        self.set3(i, state::U, free);
        let (press, held) = (Vec3::select(touches, had.press, Vec3::zero()), Vec3::select(touches, had.held, Vec3::zero()));
        self.set_grip(i, shape::Grip { press, held });
        let squeezed = self.swept_row(i, swept::SQUEEZE);
        if !L::any(zero.lt(squeezed)) {
            return;
        }
        let w = self.p(i, param::W).max(L::constant(NOTHING));
        let room = (zero - self.swept_row(i, swept::OPEN)) / (w + self.radius_gives(i, s));
        self.squeeze_by(i, zero - L::select(touches, squeezed.min(room), squeezed), s);
    }

    /// Colliders begin with what they did in the substep before.
    #[inline(always)]
    pub(crate) fn begin_grip(&mut self, i: usize, h2: L, s: &Settings<L::Elem>) {
        let u = self.get3(i, state::U);
        let before = self.swept_row(i, swept::STEP);
        let ratio = L::select(L::zero().lt(before), h2 / before.max(L::constant(1e-30)), L::zero());
        self.set_swept_row(i, swept::STEP, h2);
        let had = self.grip(i);
        let now = shape::begin_grip(shape::Grip { press: had.press * ratio, held: had.held * ratio }, u);
        let free = L::zero().lt(self.p(i, param::W));
        let (press, held) = (Vec3::select(free, now.press, Vec3::zero()), Vec3::select(free, now.held, Vec3::zero()));
        self.set_grip(i, shape::Grip { press, held });
        self.set3(i, state::U, u + press + held);
        let squeezed = self.swept_row(i, swept::SQUEEZE);
        if L::any(L::zero().lt(squeezed)) {
            let now = L::select(free, squeezed * ratio, L::zero());
            self.set_swept_row(i, swept::SQUEEZE, now);
            self.squeeze(i, now, s);
        }
    }

    /// No vertex is near a collider yet.
    #[inline(always)]
    pub(crate) fn begin_contacts(&mut self) {
        if !self.newton.near {
            for i in 0..self.vertices {
                for side in 0..self.sides() {
                    self.set_near(i, side, near::DEPTH, L::constant(FAR));
                }
            }
            self.newton.near = true;
        }
    }

    /// Before a Newton step: for each vertex the collider that it is deepest in, or about to touch; where radii change, also the one that it is deepest in
    /// of those that press against that. In the `first` iteration of a substep it is looked for where the surface would carry the vertex, later where the
    /// vertex has come to.
    #[inline(always)]
    pub fn find_contacts(&mut self, s: &Settings<L::Elem>, obstacles: Obstacles<'_, L::Elem>, first: bool) {
        self.newton.near = false;
        if obstacles.colliders.is_empty() {
            return;
        }
        let (zero, reach) = (L::zero(), L::splat(s.near));
        let bounds = self.bounds(false);
        if s.contact {
            // Where couplings take a substep in stages, `take_answer` looks at all vertices.
            self.begin_contacts();
        }
        for side in 0..self.sides() {
            for c in obstacles.colliders {
                let margin = s.max_radius + s.near + if first { c.shift.length() } else { L::Elem::default() };
                let Some(wide) = Wide::<L>::meeting(c, obstacles, s, &bounds, margin) else { continue };
                self.begin_contacts();
                for i in 0..self.vertices {
                    let u = self.get3(i, state::U);
                    let start = (self.get3(i, state::X) - wide.center) + u;
                    let surface = wide.motion(start);
                    let (r, there) = if first { (start + surface, surface) } else { (start, u) };
                    let d = wide.distance(r, there - surface);
                    let (mut depth, mut along) = (self.contact_radius(i) - d.distance, d.normal.dot(there));
                    if self.keeps_volume() {
                        let grown = self.grown(i, false);
                        (depth, along) = (depth + grown, along - grown);
                    }
                    let w = L::select(self.is_anchored(i), zero, self.p(i, param::W));
                    let deepest = self.near_row(i, side, near::DEPTH).lt(depth);
                    let mut here = L::both(L::both((-reach).lt(depth), deepest), zero.lt(w));
                    if side > 0 {
                        here = L::both(here, self.is_against(i, d.normal));
                    }
                    if !L::any(here) {
                        continue;
                    }
                    if self.is_second(s) {
                        self.begin_euler(i, s, here);
                    }
                    let moved = if first { self.moved_before(i, s) } else { u };
                    for (row, v) in [(near::NORMAL, d.normal), (near::SURFACE, surface), (near::SLIP, moved - surface)] {
                        self.set_near3(i, side, row, Vec3::select(here, v, self.near_row3(i, side, row)));
                    }
                    for (row, v) in [(near::ALONG, along), (near::DEPTH, depth), (near::FRICTION, wide.friction)] {
                        self.set_near(i, side, row, L::select(here, v, self.near_row(i, side, row)));
                    }
                }
            }
            if !self.newton.near {
                return;
            }
        }
        let touching = self.touching();
        // Boxes overlap more often than anything in them touches.
        self.newton.near = L::any(zero.lt(touching));
        if self.newton.near && self.is_second(s) {
            for i in 0..self.vertices {
                self.begin_euler(i, s, zero.lt(touching));
            }
        }
    }
}
