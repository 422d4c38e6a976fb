//! Distance to a shape, and a contact with Coulomb friction, as pure functions.
//!
//! Distances are signed, normals point out of the shape; both in the shape's frame. Friction acts on displacements of the
//! substep, as in Müller et al., "Position Based Dynamics" (2007), but with Coulomb's cone instead of a velocity factor.

use crate::math::vec3::vec3;
use crate::math::{Real, Vec3};

const TINY2: f64 = 1e-24;

/// Signed distance, m, and outward unit normal.
#[derive(Clone, Copy)]
pub struct Distance<T> {
    pub distance: T,
    pub normal: Vec3<T>,
}

/// The half space y < 0.
#[inline(always)]
pub fn plane<T: Real>(p: Vec3<T>) -> Distance<T> {
    Distance { distance: p.y, normal: vec3(T::zero(), T::one(), T::zero()) }
}

/// A segment along y of half length `half_height`, thickened by `radius`; a sphere where `half_height` is 0.
#[inline(always)]
pub fn capsule<T: Real>(p: Vec3<T>, radius: T, half_height: T) -> Distance<T> {
    let q = vec3(p.x, p.y - p.y.min(half_height).max(-half_height), p.z);
    let l2 = q.length2();
    let inside = l2.lt(T::constant(TINY2));
    let l = l2.max(T::constant(TINY2)).sqrt();
    let inv = T::one() / l;
    // On the axis every direction is as near: take x.
    let normal = Vec3::select(inside, vec3(T::one(), T::zero(), T::zero()), q * inv);
    Distance { distance: l - radius, normal }
}

/// The hull of two spheres on y, `bottom` at -`half_height` and `top` at +`half_height`: spheres whose centre and radius run
/// linearly, and the distance to the one that is nearest. Where one holds the other, the larger alone.
#[inline(always)]
pub fn tapered_capsule<T: Real>(p: Vec3<T>, half_height: T, bottom: T, top: T) -> Distance<T> {
    let (zero, one) = (T::zero(), T::one());
    let length = half_height + half_height;
    let growth = top - bottom;
    let slope = growth / length.max(T::constant(1e-30));
    let cosine2 = one - slope * slope;
    let wide = cosine2.lt(T::constant(1e-6));
    let rho = (p.x * p.x + p.z * p.z).sqrt();
    // On the cone the normal leans by the slope.
    let lean = slope * rho / cosine2.max(T::constant(1e-6)).sqrt();
    let end = T::select(zero.lt(growth), half_height, -half_height);
    let y = T::select(wide, end, (p.y + lean).min(half_height).max(-half_height));
    let part = (y + half_height) / length.max(T::constant(1e-30));
    let radius = bottom + growth * part.min(one).max(zero);
    let radius = T::select(wide, bottom.max(top), radius);
    let q = vec3(p.x, p.y - y, p.z);
    let l2 = q.length2();
    let l = l2.max(T::constant(TINY2)).sqrt();
    let normal = Vec3::select(l2.lt(T::constant(TINY2)), vec3(one, zero, zero), q * (one / l));
    Distance { distance: l - radius, normal }
}

/// A box with the given half extents.
#[inline(always)]
pub fn cuboid<T: Real>(p: Vec3<T>, half: Vec3<T>) -> Distance<T> {
    let zero = T::zero();
    let one = T::one();
    let sign = |v: T| T::select(v.lt(zero), -one, one);
    let s = vec3(sign(p.x), sign(p.y), sign(p.z));
    let q = vec3(p.x * s.x - half.x, p.y * s.y - half.y, p.z * s.z - half.z);
    let o = vec3(q.x.max(zero), q.y.max(zero), q.z.max(zero));
    let l2 = o.length2();
    let l = l2.max(T::constant(TINY2)).sqrt();
    let outside = T::constant(TINY2).lt(l2);
    // Inside: out through the nearest face.
    let xy = q.x.max(q.y);
    let most = xy.max(q.z);
    let is_z = xy.lt(q.z);
    let is_y = q.x.lt(q.y);
    let ny = T::select(is_z, zero, T::select(is_y, one, zero));
    let nz = T::select(is_z, one, zero);
    let nx = one - ny - nz;
    let n = Vec3::select(outside, o * (one / l), vec3(nx, ny, nz));
    Distance { distance: T::select(outside, l, most), normal: n.scale_by(s) }
}

/// The nearest point of a triangle.
#[derive(Clone, Copy)]
pub struct OnTriangle<T> {
    pub at: Vec3<T>,
    /// 1 for each of the edges 01, 12, 20 that it lies on, else 0.
    pub on: Vec3<T>,
}

/// 1 where `a ≤ b`, else 0.
#[inline(always)]
fn up_to<T: Real>(a: T, b: T) -> T {
    T::select(b.lt(a), T::zero(), T::one())
}

/// The part of a denominator that is not negative.
#[inline(always)]
fn part<T: Real>(of: T, all: T) -> T {
    of / all.max(T::constant(1e-30))
}

/// The point of a triangle that is nearest to `p`: without branches what `narrow::point::on_triangle` finds with them, the same bits.
///
/// Ericson, "Real-Time Collision Detection" (2005), 5.1.5.
#[inline(always)]
pub fn on_triangle<T: Real>([a, b, c]: [Vec3<T>; 3], p: Vec3<T>) -> OnTriangle<T> {
    let (zero, one) = (T::zero(), T::one());
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(p - a), ac.dot(p - a));
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let (bc, cb) = (d4 - d3, d5 - d6);
    let whole = part(one, va + vb + vc);
    // The later holds.
    let places = [
        (one, a + ab * (vb * whole) + ac * (vc * whole), vec3(zero, zero, zero)),
        (up_to(va, zero) * up_to(zero, bc) * up_to(zero, cb), b + (c - b) * part(bc, bc + cb), vec3(zero, one, zero)),
        (up_to(vb, zero) * up_to(zero, d2) * up_to(d6, zero), a + ac * part(d2, d2 - d6), vec3(zero, zero, one)),
        (up_to(vc, zero) * up_to(zero, d1) * up_to(d3, zero), a + ab * part(d1, d1 - d3), vec3(one, zero, zero)),
        (up_to(zero, d6) * up_to(d5, d6), c, vec3(zero, one, one)),
        (up_to(zero, d3) * up_to(d4, d3), b, vec3(one, one, zero)),
        (up_to(d1, zero) * up_to(d2, zero), a, vec3(one, zero, one)),
    ];
    let mut found = OnTriangle { at: places[0].1, on: places[0].2 };
    for (here, at, on) in places {
        let here = zero.lt(here);
        found = OnTriangle { at: Vec3::select(here, at, found.at), on: Vec3::select(here, on, found.on) };
    }
    found
}

/// What the corners have of a point in their plane; all the first one's where they have no area.
#[inline(always)]
pub fn corner_shares<T: Real>([a, b, c]: [Vec3<T>; 3], at: Vec3<T>) -> [T; 3] {
    let (zero, one) = (T::zero(), T::one());
    let (ab, ac, p) = (b - a, c - a, at - a);
    let (bb, bc, cc) = (ab.length2(), ab.dot(ac), ac.length2());
    let det = bb * cc - bc * bc;
    let (pb, pc) = (p.dot(ab), p.dot(ac));
    let has = zero.lt(det);
    let v = T::select(has, part(cc * pb - bc * pc, det), zero);
    let w = T::select(has, part(bb * pc - bc * pb, det), zero);
    [one - v - w, v, w]
}

/// What a contact does to a vertex.
#[derive(Clone, Copy)]
pub struct Contact<T> {
    /// Displacement of the vertex in the substep, after the contact.
    pub u: Vec3<T>,
    /// 1 where there is contact.
    pub touched: T,
}

/// Lifts the vertex by `depth` along `normal` (all in world space), then takes away tangential motion relative to the surface
/// (`surface`: what the surface point did in the substep) up to friction·depth. `movable`: inverse mass, 0 is left alone.
#[inline(always)]
pub fn contact<T: Real>(u: Vec3<T>, normal: Vec3<T>, depth: T, surface: Vec3<T>, friction: T, movable: T) -> Contact<T> {
    let zero = T::zero();
    let hit = T::both(zero.lt(depth), zero.lt(movable));
    let lifted = u + normal * depth;
    let relative = lifted - surface;
    let tangential = relative - normal * relative.dot(normal);
    let l = tangential.length2().max(T::constant(TINY2)).sqrt();
    let part = (friction * depth / l).min(T::one());
    Contact { u: Vec3::select(hit, lifted - tangential * part, u), touched: T::select(hit, T::one(), zero) }
}

/// What colliders have done to a vertex in a substep: the way by which they have pushed it out, and that by which friction has moved it, m.
#[derive(Clone, Copy)]
pub struct Grip<T> {
    pub press: Vec3<T>,
    pub held: Vec3<T>,
}

/// Where a substep begins in which the vertex would do `u` by itself: what it had before, as far as it still approaches.
#[inline(always)]
pub fn begin_grip<T: Real>(before: Grip<T>, u: Vec3<T>) -> Grip<T> {
    let press2 = before.press.length2();
    let approach = (-before.press.dot(u)).max(T::zero());
    let part = (approach / press2.max(T::constant(1e-30))).min(T::one());
    Grip { press: before.press * part, held: before.held * part }
}

/// [`contact`] in an iteration of several: Λ ← max(0, Λ + depth), f ← f − slip, no longer than friction·Λ. What a constraint of the rod does after one
/// contact, the next takes back; were friction bounded by the depth that one iteration finds, all that leans on a collider would creep. `moved`: what the
/// vertex has done in the substep against the surface; returned with what it does after the contact.
#[inline(always)]
pub fn grip<T: Real>(before: Grip<T>, moved: Vec3<T>, normal: Vec3<T>, depth: T, friction: T) -> (Grip<T>, Vec3<T>) {
    let zero = T::zero();
    let pressed = before.press.dot(normal).max(zero);
    let now = (pressed + depth).max(zero);
    let push = normal * (now - pressed);
    let had = across(before.held, normal);
    let wanted = had - across(moved, normal);
    let part = (friction * now / wanted.length2().max(T::constant(TINY2)).sqrt()).min(T::one());
    let drag = wanted * part - had;
    (Grip { press: before.press + push, held: before.held + drag }, moved + push + drag)
}

/// Stiffness of a contact that is part of a linear system, against the inertia (mass over h²) of its vertex: what rests on a collider sinks
/// in by less than a thousandth of h² g. Along the normal the stiffness of what it holds comes on top.
pub const CONTACT_STIFFNESS: f64 = 1000.0;

/// Parts of the press that a contact may pull, and of Coulomb's limit that friction may have, before a solve is done again.
const PULLS: f64 = 0.1;
const LOOSE: f64 = 0.1;

/// A collider near a vertex: its outward normal, what its surface does in the substep, the slip that is expected (that of the last substep or
/// iteration), the displacement along the normal that keeps the distance, how deep inside the vertex started, all m, and the
/// coefficient of friction.
#[derive(Clone, Copy)]
pub struct Near<T> {
    pub normal: Vec3<T>,
    pub surface: Vec3<T>,
    pub slip: Vec3<T>,
    pub along: T,
    pub depth: T,
    pub friction: T,
}

/// What a collider does to a vertex: the force that presses on it, N (0: the contact is open), and a stiffness against slip, N/m.
#[derive(Clone, Copy)]
pub struct Closed<T> {
    pub press: T,
    pub grip: T,
}

/// What sticks.
#[inline(always)]
fn stick<T: Real>(inertia: T) -> T {
    inertia * T::constant(CONTACT_STIFFNESS)
}

#[inline(always)]
pub(super) fn is_stick<T: Real>(grip: T, inertia: T) -> T::Mask {
    (stick(inertia) * T::constant(0.5)).lt(grip)
}

/// Stiffness that makes a force of `most` of the slip that is expected.
#[inline(always)]
fn grip_for<T: Real>(most: T, expected: T, inertia: T) -> T {
    (most / expected.max(T::constant(1e-30))).min(stick(inertia))
}

/// Whether a contact is closed, by what the vertex would do on its own under the force `f` (inertia included) with
/// the displacement `u`: along the normal it must not fall short, across it friction holds the surface up to friction × press. Where
/// everything is at rest these are the very forces of the contact.
#[inline(always)]
pub fn guess_contact<T: Real>(f: Vec3<T>, u: Vec3<T>, inertia: T, near: Near<T>) -> Closed<T> {
    guess_pressed(guess_press(f, u, inertia, near).max(T::zero()), f, u, inertia, near)
}

/// What presses, or if negative pulls, where nothing else does.
#[inline(always)]
fn guess_press<T: Real>(f: Vec3<T>, u: Vec3<T>, inertia: T, near: Near<T>) -> T {
    inertia * (near.along - u.dot(near.normal)) - f.dot(near.normal)
}

/// A contact that presses so much.
#[inline(always)]
fn guess_pressed<T: Real>(press: T, f: Vec3<T>, u: Vec3<T>, inertia: T, near: Near<T>) -> Closed<T> {
    let n = near.normal;
    let push = across(f + (u - near.surface) * inertia, n).length();
    let most = near.friction * press;
    // What slips goes on much as before: the force alone tells too little of a vertex that its neighbours pull along.
    let (before, alone) = (across(near.slip, n).length(), (push - most) / inertia);
    let goes_on = alone.max(before * T::constant(0.8)).min(before * T::constant(1.25));
    let expected = T::select((before * stick(inertia)).lt(most), alone, goes_on);
    Closed { press, grip: grip_for(most, expected, inertia) }
}

/// [`guess_contact`] of two colliders that a vertex is inside of, one on either side: what it does by itself tells by how much more one presses than the
/// other, `swells`, with which its section asks for more room, what both press with.
#[inline(always)]
pub fn guess_squeezed<T: Real>(f: Vec3<T>, u: Vec3<T>, inertia: T, swells: T, near: [Near<T>; 2]) -> [Closed<T>; 2] {
    let (half, [a, b]) = (T::constant(0.5), near);
    let more = (guess_press(f, u, inertia, a) - guess_press(f, u, inertia, b)) * half;
    let [first, second] = [((swells + more) * half).max(inertia * a.depth), ((swells - more) * half).max(inertia * b.depth)];
    [guess_pressed(first, f, u, inertia, a), guess_pressed(second, f, u, inertia, b)]
}

/// A closed contact as springs: displacement along the normal that it asks for, stiffness along and across it. All 0 where it is open.
#[derive(Clone, Copy)]
pub struct Held<T> {
    pub normal: Vec3<T>,
    pub surface: Vec3<T>,
    pub target: T,
    pub stiff: T,
    pub grip: T,
}

/// At most `most` of the depth is undone at once: that is motion.
#[inline(always)]
pub fn held_contact<T: Real>(closed: Closed<T>, stiff: T, near: Near<T>, most: T) -> Held<T> {
    let zero = T::zero();
    let stiff = T::select(zero.lt(closed.press), stiff, zero);
    let target = near.along + near.depth.min(most).max(zero);
    Held { normal: near.normal, surface: near.surface, target, stiff, grip: closed.grip }
}

/// Forces of a closed contact at the displacement `u`, N, its energy, J, and the slip, m.
#[derive(Clone, Copy)]
pub struct HeldForce<T> {
    pub press: T,
    pub friction: Vec3<T>,
    pub slip: Vec3<T>,
    pub energy: T,
}

#[inline(always)]
pub fn held_force<T: Real>(c: Held<T>, u: Vec3<T>) -> HeldForce<T> {
    let slip = across(u - c.surface, c.normal);
    let along = c.target - u.dot(c.normal);
    let energy = T::constant(0.5) * (c.stiff * along * along + c.grip * slip.length2());
    HeldForce { press: c.stiff * along, friction: -(slip * c.grip), slip, energy }
}

/// A contact after a solve with what was guessed, and 1 where that was wrong: what pulls opens; where friction is beyond the cone, it is that of the
/// press that came out. Small errors are left to the next substep.
#[derive(Clone, Copy)]
pub struct Revised<T> {
    pub closed: Closed<T>,
    pub wrong: T,
}

/// `force`: of the contact as it was guessed, at the displacement that was solved for.
#[inline(always)]
pub fn revise_contact<T: Real>(closed: Closed<T>, inertia: T, force: HeldForce<T>, friction: T) -> Revised<T> {
    let (zero, one) = (T::zero(), T::one());
    let pulls = force.press.lt(-(closed.press * T::constant(PULLS)));
    let most = friction * force.press.max(zero);
    let (slip, push) = (force.slip.length(), force.friction.length());
    let sticks = is_stick(closed.grip, inertia);
    let loose = (most * T::constant(1.0 + LOOSE)).lt(push);
    let weak = T::select(sticks, zero, push + most * T::constant(LOOSE)).lt(most);
    let expected = T::select(sticks, (push - most) / inertia, slip);
    let off = T::select(loose, one, T::select(weak, one, zero));
    let grip = T::select(zero.lt(off), grip_for(most, expected, inertia), closed.grip);
    let wrong = T::select(pulls, one, off);
    Revised {
        closed: Closed { press: T::select(pulls, zero, closed.press), grip: T::select(pulls, zero, grip) },
        wrong: T::select(zero.lt(closed.press), wrong, zero),
    }
}

/// A contact that stops a vertex at the surface which the displacement `u` would take it through.
#[derive(Clone, Copy)]
pub struct Stopped<T> {
    /// Open (press 0) where the vertex does not approach.
    pub closed: Closed<T>,
    /// The displacement along the normal that it asks for.
    pub along: T,
}

/// Only the approach is stopped, at most `depth`: what was inside before is not thrown out.
#[inline(always)]
pub fn stop_contact<T: Real>(u: Vec3<T>, inertia: T, normal: Vec3<T>, surface: Vec3<T>, depth: T, friction: T) -> Stopped<T> {
    let back = depth.min((surface - u).dot(normal)).max(T::zero());
    let press = inertia * back;
    let grip = grip_for(friction * press, across(u - surface, normal).length(), inertia);
    Stopped { closed: Closed { press, grip }, along: u.dot(normal) + back }
}

/// A closed contact after the step.
#[derive(Clone, Copy)]
pub struct Settled<T> {
    pub u: Vec3<T>,
    pub press: T,
}

/// What sticks does not creep, and the press is that of the new state.
#[inline(always)]
pub fn settle_contact<T: Real>(c: Held<T>, u: Vec3<T>, inertia: T, friction: T) -> Settled<T> {
    let force = held_force(c, u);
    let press = force.press.max(T::zero());
    let most = friction * press;
    let sticks = T::both(is_stick(c.grip, inertia), force.friction.length2().lt(most * most));
    Settled { u: Vec3::select(sticks, u - force.slip, u), press }
}

/// What of `v` is not along the unit vector `n`.
#[inline(always)]
fn across<T: Real>(v: Vec3<T>, n: Vec3<T>) -> Vec3<T> {
    v - n * v.dot(n)
}
