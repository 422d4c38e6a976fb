//! What the host does to bodies: forces, and the motion of kinematic bodies within a step.

use super::bodies::turn_between;
use super::*;
use crate::desc::error::{Error, ErrorKind};

/// Poses of a step: the solver numbers their parts in 32 bits.
const MOST_RECORDS: usize = 1 << 28;

impl<E: Precise> Rigid<E> {
    /// Room for the ways of what the host moves: a pose a substep.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn reserve_ways(&mut self, substeps: u32, bodies: &Slots<Body>, colliders: &Slots<Collider>) -> Result<()> {
        let kinematic = (1..=bodies.slots()).filter(|&i| self.roles[i] == Role::Kinematic);
        let moved = kinematic.filter(|&i| bodies.at(i - 1).is_some_and(|(_, b)| b.target.is_some())).count()
            + colliders.iter().filter(|(_, c)| c.from != c.to).count();
        let records = bodies.slots() + 1 + colliders.len() + moved * substeps as usize;
        if records < MOST_RECORDS && self.solver.reserve(records) {
            return Ok(());
        }
        let why = format!("{moved} bodies and colliders that the host moves, in {substeps} substeps: no room for their ways");
        Err(Error::new(ErrorKind::OutOfMemory, why))
    }

    /// Forces, and the ways of what the host moves. Returns the number of pose records that those need.
    pub(crate) fn take_host(&mut self, plan: &Plan, bodies: &mut Slots<Body>, colliders: &Slots<Collider>) -> usize {
        let first_collider = bodies.slots() + 1;
        let n = first_collider + colliders.len();
        self.solver.grow(n);
        self.paths.clear();
        self.paths.resize(n, 0);
        self.moves.clear();
        self.moves.resize(n, false);
        self.solver.push.clear();
        let mut ways = 0;
        for i in 1..first_collider {
            match self.roles[i] {
                Role::Dynamic if self.called[i] => self.take_push(i, n, bodies),
                Role::Kinematic => {
                    let Some((_, b)) = bodies.at(i - 1) else { continue };
                    let start = from(self.place(i));
                    let end = b.target.map_or(start, |t| b.principal(t));
                    ways += self.set_way(i, n + ways, start, end, plan);
                }
                _ => {}
            }
        }
        self.called.fill(false);
        for (k, (_, c)) in colliders.iter().enumerate() {
            let i = first_collider + k;
            self.stirred[i] |= c.placed;
            self.set_place(i, transform(c.from));
            ways += self.set_way(i, n + ways, transform(c.from), transform(c.to), plan);
        }
        ways
    }

    /// What the host's force does to a body in this step, of `n` bodies.
    fn take_push(&mut self, i: usize, n: usize, bodies: &mut Slots<Body>) {
        let Some((id, _)) = bodies.at(i - 1) else { return };
        let Ok(b) = bodies.get_mut(id) else { return };
        if b.force == [0.0; 3] && b.torque == [0.0; 3] {
            return;
        }
        let axes = from(self.place(i)).rotation.frame();
        let torque = Vec3::from(b.torque);
        let mut turn = Vec3::zero();
        for (axis, moment) in axes.into_iter().zip(b.moments) {
            turn = turn + axis * (axis.dot(torque) / moment);
        }
        let push = Vec3::from(b.force) * (1.0 / b.mass);
        self.solver.push.resize(n, Record([E::zero(); RECORD]));
        self.solver.push[i] = recorded_motion(push.map(E::from_f64), turn.map(E::from_f64));
        (b.force, b.torque) = ([0.0; 3], [0.0; 3]);
        self.wake(i);
    }

    /// Poses of a body that the host moves, at the start of every substep, from record `at` on; returns how many.
    fn set_way(&mut self, i: usize, at: usize, start: Transform<f64>, end: Transform<f64>, plan: &Plan) -> usize {
        let substeps = plan.substeps as usize;
        if stored::<E>(start) == stored(end) {
            self.set_motion(i, Vec3::zero(), Vec3::zero());
            return 0;
        }
        let turn = turn_between(start, end);
        let (v, w) = ((end.position - start.position) * (1.0 / plan.dt), turn * (1.0 / plan.dt));
        self.set_motion(i, v, w);
        self.moves[i] = true;
        self.paths[i] = at as u32;
        for k in 0..substeps {
            let t = k as f64 / substeps as f64;
            let position = start.position + (end.position - start.position) * t;
            self.set_place(at + k, Transform { position, rotation: start.rotation.nlerp(end.rotation, t) });
        }
        substeps
    }

    /// Where a body that the host moves is at the end of a substep of the step under way; `None`: it does not move, or is at its target.
    pub(crate) fn on_its_way(&self, i: usize, substep: usize, substeps: usize) -> Option<Transform<f64>> {
        match self.paths.get(i) {
            Some(&path) if path > 0 && substep + 1 < substeps => Some(from(self.place(path as usize + substep + 1))),
            _ => None,
        }
    }

    /// What the host moves is where it wanted it.
    pub(crate) fn place_hosts(&mut self, bodies: &mut Slots<Body>, colliders: &Slots<Collider>) {
        let first_collider = bodies.slots() + 1;
        for i in 1..first_collider {
            if self.roles[i] == Role::Kinematic
                && let Some((id, _)) = bodies.at(i - 1)
                && let Ok(b) = bodies.get_mut(id)
                && let Some(t) = b.target.take()
            {
                b.desc.pose = t;
                self.set_place(i, b.principal(t));
            }
        }
        for (k, (_, c)) in colliders.iter().enumerate() {
            self.set_place(first_collider + k, transform(c.to));
        }
    }
}
