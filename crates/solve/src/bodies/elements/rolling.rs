//! Contacts that resist rolling and turning about the normal.

use super::*;
use crate::math::Sym3;
use crate::math::vec3::vec3;

/// A contact, and torques against rolling and turning in place, within bounds that grow with the pressure.
#[derive(Clone, Copy)]
pub struct RollingElement;

/// Points of its contact.
const POINTS: usize = 4;

#[derive(Clone, Copy)]
pub struct RollingParams<T> {
    pub contact: ContactParams<T, POINTS>,
    /// Largest torque over the pressure, m: against rolling, and against turning about the normal.
    pub levers: [T; 2],
}

#[derive(Clone, Copy)]
pub struct RollingState<T> {
    pub contact: ContactState<T, POINTS>,
    /// About both tangents and the normal, N m s.
    pub torque: Vec3<T>,
}

#[derive(Clone, Copy)]
pub struct RollingWork<T> {
    pub contact: ContactWork<T, POINTS>,
    pub levers: [T; 2],
    pub turn_a: Sym3<T>,
    pub turn_b: Sym3<T>,
    /// Inverse of the 2×2 inverse inertia about the tangents.
    pub roll_mass: Vec3<T>,
}

impl Element for RollingElement {
    type Params<L: Gather> = RollingParams<L>;
    type State<L: Gather> = RollingState<L>;
    type Work<L: Gather> = RollingWork<L>;
    type Impulse<L: Gather> = [Motion<L>; 2];

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &RollingParams<L>,
        state: RollingState<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (RollingWork<L>, RollingState<L>) {
        let old = state.contact.tangent;
        let (contact, next) = ContactElement::<POINTS>::set_up(&p.contact, state.contact, a, b, ma, mb, s);
        let n = contact.normal;
        let [t, u] = contact.tangents;
        let sum = a.inertia.turn.add(b.inertia.turn);
        let (turn_t, turn_u) = (sum.mul(t), sum.mul(u));
        let before = old * state.torque.x + n.cross(old) * state.torque.y;
        let torque = vec3(before.dot(t), before.dot(u), state.torque.z) * s.warm;
        let work = RollingWork {
            contact,
            levers: p.levers,
            turn_a: a.inertia.turn,
            turn_b: b.inertia.turn,
            roll_mass: inverse2(t.dot(turn_t), t.dot(turn_u), u.dot(turn_u)),
        };
        turn(&work, torque, ma, mb);
        (work, RollingState { contact: next, torque })
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &RollingWork<L>,
        state: RollingState<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (RollingState<L>, [Motion<L>; 2]) {
        let mut out = state;
        let (mut ma, mut mb) = (*a, *b);
        if !RELAX {
            resist(w, &mut out, &mut ma, &mut mb);
        }
        let after;
        (out.contact, after) = ContactElement::<POINTS>::find::<L, RELAX>(&w.contact, out.contact, &ma, &mb, s);
        [ma, mb] = after;
        if RELAX {
            resist(w, &mut out, &mut ma, &mut mb);
        }
        (out, [ma, mb])
    }

    #[inline(always)]
    fn give<L: Gather>(_: &RollingWork<L>, after: [Motion<L>; 2], a: &mut Motion<L>, b: &mut Motion<L>) {
        [*a, *b] = after;
    }

    #[inline(always)]
    fn bounce<L: Gather>(
        w: &RollingWork<L>,
        state: RollingState<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        s: &Substep<L>,
    ) -> RollingState<L> {
        RollingState { contact: ContactElement::<POINTS>::bounce(&w.contact, state.contact, a, b, s), ..state }
    }
}

#[inline(always)]
fn turn<T: Real>(w: &RollingWork<T>, torque: Vec3<T>, a: &mut Motion<T>, b: &mut Motion<T>) {
    let [t, u] = w.contact.tangents;
    let torque = t * torque.x + u * torque.y + w.contact.normal * torque.z;
    a.w = a.w - w.turn_a.mul(torque);
    b.w = b.w + w.turn_b.mul(torque);
}

/// One iteration, with the pressure as it is.
#[inline(always)]
fn resist<T: Real>(w: &RollingWork<T>, state: &mut RollingState<T>, a: &mut Motion<T>, b: &mut Motion<T>) {
    let [t, u] = w.contact.tangents;
    let press = state.contact.impulse.iter().fold(T::zero(), |sum, p| sum + *p);
    let spin = b.w - a.w;
    let old = state.torque;
    let [x, y] = solve_friction(w.roll_mass, [t.dot(spin), u.dot(spin)], press * w.levers[0], [old.x, old.y]);
    let most = press * w.levers[1];
    let z = (old.z - w.contact.spin_mass * w.contact.normal.dot(spin)).min(most).max(-most);
    state.torque = vec3(x, y, z);
    turn(w, state.torque - old, a, b);
}

in_rows! {
    RollingParams<L> { contact: ContactParams<L, POINTS>, levers: [L; 2] }
    RollingState<L> { contact: ContactState<L, POINTS>, torque: Vec3<L> }
    RollingWork<L> { contact: ContactWork<L, POINTS>, levers: [L; 2], turn_a: Sym3<L>, turn_b: Sym3<L>, roll_mass: Vec3<L> }
}
