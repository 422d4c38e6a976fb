//! Cables: without mass, over points and wheels of any bodies, as many as there are. One tension everywhere, so that length goes from one
//! segment to the next.
//!
//! ```text
//! L(x) = Σ |segments| + Σ r θ            r: radius of a wheel, θ: how far the cable lies on it
//! L̇    = Σ ê·(v of the point where a segment ends − v of that where it begins)
//! 0 ≤ T ⊥ L̄ (1 + T/EA) − L ≥ 0
//! ```
//! L̇ is exact also with wheels: where a cable lies on one, a small change of the tangent point changes no length. A wheel turns freely and weighs
//! nothing: the tension is the same on both sides. A cable has more than two sides, so it is no element of a block: in every
//! stage of a cluster the cables come first, one after the other, in f64.

use super::drive::{Record, record};
use super::elements::Substep;
use super::graph::{Edge, Role};
use crate::math::{Elem, Quat, Sym3, Transform, Vec3, approx};
use crate::stages::BodyStage;
use core::f64::consts::{FRAC_PI_2, TAU};

/// Rounds in which neighbouring wheels find their common tangents, at most.
const ROUNDS: usize = 32;
/// What is too long when a substep begins is taken back by at most that, m/s.
const MOST_PULL: f64 = 3.0;

/// A point of a cable: in the principal axes of a body, from its centre of mass, m.
#[derive(Clone, Copy, Debug)]
pub struct CableSpot {
    /// The solver's number; 0: the world.
    pub body: u32,
    pub at: Vec3<f64>,
    /// Of a wheel, around which it goes by the right-hand rule; its radius, m, is 0 for a point.
    pub axis: Vec3<f64>,
    pub radius: f64,
}

/// A cable, and where it is.
#[derive(Clone, Debug, Default)]
pub struct Cable {
    pub spots: Vec<CableSpot>,
    /// Length when the step begins, and when it ends, m.
    pub from: f64,
    pub to: f64,
    /// EA, N; 0: it does not stretch.
    pub stiffness: f64,
    /// The tension at which it breaks, N.
    pub break_force: f64,
    pub broken: bool,
    /// What it pulls at is awake in this step.
    pub acts: bool,
    /// Of the last substep, N s, and on average over the last step, N.
    pub impulse: f64,
    pub tension: f64,
    sum: f64,
    /// Where it comes to each point, and where it leaves it.
    pub ends: Vec<[Vec3<f64>; 2]>,
    /// Direction of the segment after each.
    ways: Vec<Vec3<f64>>,
    /// What a tension of one does to each body that it pulls at.
    pulls: Vec<Pull>,
    row: Row,
}

/// A force, a moment about the centre of mass, and what both do to a body that moves.
#[derive(Clone, Copy, Debug)]
struct Pull {
    body: u32,
    moves: bool,
    force: Vec3<f64>,
    moment: Vec3<f64>,
    inverse_mass: f64,
    turn: Vec3<f64>,
}

/// The constraint in a substep: Δλ = mass (L̇ + bias) − soft λ.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Whether anything moves it.
    acts: bool,
    mass: f64,
    bias: f64,
    soft: f64,
    /// The same when errors are not taken back.
    relaxed: [f64; 3],
}

fn tangent(c: Vec3<f64>, axis: Vec3<f64>, radius: f64, from: Vec3<f64>, side: f64) -> Vec3<f64> {
    let q = from - c;
    let q = q - axis * axis.dot(q);
    let far = q.length();
    let q = if far > 0.0 { q * (1.0 / far) } else { axis.any_perpendicular() };
    let cos = if radius < far { radius / far } else { 1.0 };
    c + (q * cos + axis.cross(q) * (side * (1.0 - cos * cos).max(0.0).sqrt())) * radius
}

/// The angle that a cable lies on a wheel: from a quarter turn less than none to three quarters of one.
pub fn wrap(axis: Vec3<f64>, a: Vec3<f64>, b: Vec3<f64>) -> f64 {
    let angle = approx::atan2(axis.dot(a.cross(b)), a.dot(b));
    if angle < -FRAC_PI_2 { angle + TAU } else { angle }
}

impl Cable {
    pub fn new(spots: Vec<CableSpot>, stiffness: f64, break_force: f64) -> Cable {
        let n = spots.len();
        let (ends, ways, pulls) = (vec![[Vec3::zero(); 2]; n], vec![Vec3::zero(); n], Vec::with_capacity(n));
        Cable { spots, stiffness, break_force, ends, ways, pulls, ..Cable::default() }
    }

    /// Finds its way, with bodies where `place` says. Returns its length.
    pub fn trace(&mut self, place: impl Fn(u32) -> Transform<f64>) -> f64 {
        let n = self.spots.len();
        for (ends, p) in self.ends.iter_mut().zip(&self.spots) {
            *ends = [place(p.body).point(p.at); 2];
        }
        let wheel = |p: &CableSpot| {
            let place = place(p.body);
            (place.point(p.at), place.rotation.rotate(p.axis))
        };
        let inner = 1..n.saturating_sub(1);
        for _ in 0..ROUNDS {
            let mut moved = 0.0_f64;
            for k in inner.clone().filter(|&k| self.spots[k].radius > 0.0) {
                let (p, (c, axis)) = (&self.spots[k], wheel(&self.spots[k]));
                let to = [(self.ends[k - 1][1], 1.0), (self.ends[k + 1][0], -1.0)]
                    .map(|(x, side)| tangent(c, axis, p.radius, x, side));
                (0..2).for_each(|s| moved = moved.max((to[s] - self.ends[k][s]).length() / p.radius));
                self.ends[k] = to;
            }
            if moved.is_nan() || moved <= 1e-13 {
                break;
            }
        }
        let mut length = 0.0;
        for k in 0..n {
            if k + 1 < n {
                let way = self.ends[k + 1][0] - self.ends[k][1];
                let long = way.length();
                self.ways[k] = if long > 0.0 { way * (1.0 / long) } else { Vec3::zero() };
                length += long;
            }
            if self.spots[k].radius > 0.0 {
                let (c, axis) = wheel(&self.spots[k]);
                length += self.spots[k].radius * wrap(axis, self.ends[k][0] - c, self.ends[k][1] - c);
            }
        }
        length
    }

    /// Joins what it pulls at in one island.
    pub fn join(&self, roles: &[Role], edges: &mut Vec<Edge>) {
        let bodies = || self.spots.iter().map(|s| s.body).filter(|&b| b > 0);
        let Some(a) = bodies().find(|&b| roles[b as usize] == Role::Dynamic).filter(|_| !self.broken) else { return };
        edges.extend(bodies().filter(|&b| b != a).map(|b| Edge { a, b, first: 0, count: 0, contact: false }));
    }
    /// The first body that moves, which tells its cluster.
    pub fn mover(&self, roles: &[Role]) -> Option<u32> {
        self.spots.iter().map(|s| s.body).find(|&b| roles[b as usize] == Role::Dynamic).filter(|_| !self.broken)
    }

    /// L̇, with these motions of bodies.
    fn rate(&self, motion: impl Fn(u32) -> [Vec3<f64>; 2]) -> f64 {
        let of = |p: &Pull| {
            let [v, w] = motion(p.body);
            p.force.dot(v) + p.moment.dot(w)
        };
        -self.pulls.iter().map(of).sum::<f64>()
    }

    /// After the last substep of a step.
    pub fn end_step(&mut self, dt: f64) {
        self.from = self.to;
        if !self.acts {
            return;
        }
        (self.tension, self.sum) = (self.sum / dt, 0.0);
        if self.tension > self.break_force {
            (self.broken, self.impulse) = (true, 0.0);
        }
    }
    /// A step that was not done.
    pub fn leave_step(&mut self) {
        self.sum = 0.0;
    }
    /// It has pulled at nothing that moves.
    pub fn idle(&mut self) {
        (self.tension, self.sum, self.impulse, self.from) = (0.0, 0.0, 0.0, self.to);
    }
    pub fn memory_bytes(&self) -> usize {
        self.spots.capacity() * (size_of::<CableSpot>() + size_of::<Pull>() + 72)
    }
}

/// What cables see of the bodies in a stage.
///
/// # Safety
/// Who makes one promises: poses and masses are there for every body and nobody writes them, `seat` of each body that moves is the
/// caller's, and `still` of the others nobody writes.
pub(super) struct View<'a, E> {
    pub pose: *const Record<E>,
    pub mass: *const Record<E>,
    pub seats: *mut Record<E>,
    pub seat_of: &'a [u32],
    pub roles: &'a [Role],
    /// Of bodies that the host moves: where their poses are, one a substep.
    pub paths: &'a [u32],
    pub still: &'a dyn Fn(u32) -> Record<E>,
}

impl<E: Elem> View<'_, E> {
    fn three(r: &Record<E>, at: usize) -> Vec3<f64> {
        Vec3 { x: r.0[at].to_f64(), y: r.0[at + 1].to_f64(), z: r.0[at + 2].to_f64() }
    }
    fn place(&self, body: u32, substep: u32) -> Transform<f64> {
        let path = self.paths.get(body as usize).copied().unwrap_or(0);
        let at = if path == 0 { body } else { path + substep };
        // SAFETY: the type's contract.
        let r = unsafe { &*self.pose.add(at as usize) };
        let q = |k: usize| r.0[record::ROTATION + k].to_f64();
        Transform { position: Self::three(r, 0), rotation: Quat { x: q(0), y: q(1), z: q(2), w: q(3) } }
    }
    fn moves(&self, body: u32) -> bool {
        self.roles.get(body as usize) == Some(&Role::Dynamic)
    }
    fn motion(&self, body: u32) -> [Vec3<f64>; 2] {
        let r = if self.moves(body) {
            // SAFETY: as above.
            unsafe { *self.seats.add(self.seat_of[body as usize] as usize) }
        } else {
            (self.still)(body)
        };
        [Self::three(&r, 0), Self::three(&r, record::SPIN)]
    }
    fn push(&self, p: &Pull, by: f64) {
        // SAFETY: as above.
        let r = unsafe { &mut *self.seats.add(self.seat_of[p.body as usize] as usize) };
        let mut add = |at: usize, v: Vec3<f64>| {
            for (k, c) in v.to_array().into_iter().enumerate() {
                r.0[at + k] = E::from_f64(r.0[at + k].to_f64() + c * by);
            }
        };
        add(0, p.force * p.inverse_mass);
        add(record::SPIN, p.turn);
    }

    /// Takes a cable through a stage. `part`: of the step, that is over at the substep's end.
    pub fn stage(&self, cable: &mut Cable, stage: BodyStage, s: &Substep<E>, dt: f64) {
        let f = |x: E| x.to_f64();
        match stage {
            BodyStage::SetUp => {
                let length = cable.trace(|b| self.place(b, s.number));
                self.list_pulls(cable, s.number);
                let paid = (cable.to - cable.from) / dt;
                let over = length - (cable.from + paid * dt * f(s.part));
                let give: f64 = cable.pulls.iter().map(|p| p.force.length2() * p.inverse_mass + p.moment.dot(p.turn)).sum();
                cable.row = Row::new(over, give, paid, cable, s);
                // What it pulled with the last time, in a substep of another length.
                cable.impulse = if cable.row.acts { cable.impulse * f(s.warm) } else { 0.0 };
                self.give(cable, cable.impulse);
            }
            BodyStage::Solve | BodyStage::Relax if cable.row.acts => {
                let [mass, bias, soft] = match stage {
                    BodyStage::Solve => [cable.row.mass, cable.row.bias, cable.row.soft],
                    _ => cable.row.relaxed,
                };
                let rate = cable.rate(|b| self.motion(b));
                let next = (cable.impulse + mass * (rate + bias) - soft * cable.impulse).max(0.0);
                if next.is_finite() {
                    self.give(cable, next - cable.impulse);
                    cable.impulse = next;
                }
                if stage == BodyStage::Relax {
                    cable.sum += cable.impulse;
                }
            }
            _ => {}
        }
    }

    fn give(&self, cable: &Cable, by: f64) {
        cable.pulls.iter().filter(|p| p.moves).for_each(|p| self.push(p, by));
    }

    fn list_pulls(&self, cable: &mut Cable, substep: u32) {
        let mut pulls = core::mem::take(&mut cable.pulls);
        pulls.clear();
        for (k, spot) in cable.spots.iter().enumerate() {
            if spot.body == 0 {
                continue;
            }
            let at = pulls.iter().position(|p: &Pull| p.body == spot.body).unwrap_or_else(|| {
                let (moves, none) = (self.moves(spot.body), Vec3::zero());
                pulls.push(Pull { body: spot.body, moves, force: none, moment: none, inverse_mass: 0.0, turn: none });
                pulls.len() - 1
            });
            let center = self.place(spot.body, substep).position;
            let before = if k > 0 { -cable.ways[k - 1] } else { Vec3::zero() };
            let after = if k + 1 < cable.spots.len() { cable.ways[k] } else { Vec3::zero() };
            let p = &mut pulls[at];
            for (force, x) in [(before, cable.ends[k][0]), (after, cable.ends[k][1])] {
                p.force = p.force + force;
                p.moment = p.moment + (x - center).cross(force);
            }
        }
        for p in pulls.iter_mut().filter(|p| p.moves) {
            // SAFETY: the type's contract.
            let m = unsafe { &*self.mass.add(p.body as usize) };
            let moments = Self::three(m, 1);
            p.inverse_mass = m.0[0].to_f64();
            p.turn = Sym3::of_axes(self.place(p.body, substep).rotation.frame(), moments).mul(p.moment);
        }
        cable.pulls = pulls;
    }
}

impl Row {
    /// `over`: how much too long the cable would be at the end of the substep if nothing moved, m; `give`: L̇ by a tension of one, 1/kg; `paid`: how fast it is paid out, m/s.
    fn new<E: Elem>(over: f64, give: f64, paid: f64, cable: &Cable, s: &Substep<E>) -> Row {
        let f = |x: E| x.to_f64();
        let h = f(s.h);
        if give.is_nan() || give <= 1e-30 {
            return Row::default();
        }
        if cable.stiffness > 0.0 {
            // An implicit spring: λ = h k (over + h L̇), over a substep.
            let k = cable.stiffness / cable.to.max(1e-30);
            let hk = h * k;
            let mass = 1.0 / (give + 1.0 / (h * hk));
            let row = [mass, over / h, mass / (h * hk)];
            return Row { acts: true, mass: row[0], bias: row[1], soft: row[2], relaxed: row };
        }
        let error = over + paid * h;
        if error <= 0.0 {
            // Loose: it may become as long as that.
            let row = [1.0 / give, over / h, 0.0];
            return Row { acts: true, mass: row[0], bias: row[1], soft: row[2], relaxed: row };
        }
        let bias = (f(s.joint.rate) * error).min(MOST_PULL);
        let (part, soft) = (f(s.joint.soft.mass), f(s.joint.soft.impulse));
        Row { acts: true, mass: part / give, bias: bias - paid, soft, relaxed: [1.0 / give, -paid, 0.0] }
    }
}
