//! Fast bodies: one that would have passed through something that stands is stopped in front of it.

use super::*;
use crate::collide::narrow::cast;

/// A body that moves by more than this part of its inner radius in a step is kept from passing through what stands.
const FAST: f64 = 0.5;

/// What only this much of the surface passes through, m, and no more than that part of the inner radius, goes on: what slides along is not
/// stopped by what it lies in a little, or by the side of the next shape on the same level.
const GRAZES: (f64, f64) = (0.003, 0.5);

/// A shape of a fast body on its way through the step, straight and without turning.
struct Flight<E> {
    shape: usize,
    from: Transform<E>,
    by: Vec3<E>,
    swept: Bounds<E>,
}

impl<E: Precise> Rigid<E> {
    /// What would have passed through something that stands stays in front of it.
    pub(crate) fn stop_fast(&mut self, runner: &dyn TaskRunner) {
        let (fast, far) = self.ask_fast();
        if fast == 0 {
            return;
        }
        let mut standing = core::mem::take(&mut self.standing);
        standing.clear();
        standing.extend((0..self.proxies.len() as u32).filter(|&p| self.stands(p as usize)));
        // The step's pairs tell what each may meet, but for those that are far; where little stands, all of it is asked.
        let all = standing.len() * fast <= self.contacts.pairs().len();
        if !all {
            self.stop_in_pairs();
        }
        if all || far {
            self.stop_anywhere(&standing, all, runner);
        }
        self.standing = standing;
        for i in 1..self.roles.len() {
            let part = self.part[i];
            if E::zero() <= part && part < E::one() {
                // A little of it goes in: the next step's contact takes over.
                let x = placed(&self.before[i]).position + self.went(i) * part;
                self.solver.pose[i].0[..3].copy_from_slice(&[x.x, x.y, x.z]);
            }
        }
    }

    fn stop_in_pairs(&mut self) {
        for k in 0..self.contacts.pairs().len() {
            let (a, b) = self.contacts.pairs()[k].proxies;
            for (mine, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
                let i = self.entries[mine].filter.body as usize;
                if E::zero() <= self.part[i] && self.stands(other) {
                    let flight = self.flight(i, mine);
                    if flight.swept.overlaps(&self.entries[other].bounds) {
                        self.part[i] = self.stop(&flight, other, self.part[i]);
                    }
                }
            }
        }
    }

    /// Of each body: the part of its way that it may go; less than nothing for those that are not fast. How many are fast, and whether any
    /// is far.
    fn ask_fast(&mut self) -> (usize, bool) {
        self.part.clear();
        self.part.resize(self.roles.len(), -E::one());
        let (mut fast, mut far) = (0, false);
        for i in 1..self.roles.len() {
            if !self.traits[i].continuous || self.roles[i] != Role::Dynamic || self.asleep[i] {
                continue;
            }
            let way = self.went(i).length();
            if way.is_finite() && self.traits[i].inner * E::from_f64(FAST) <= way {
                self.part[i] = E::one();
                fast += 1;
                far |= self.is_far(i);
            }
        }
        (fast, far)
    }

    /// Hit in this step, and now farther than its boxes reached: the pairs do not know all that it may meet.
    fn is_far(&self, i: usize) -> bool {
        self.way[i] + E::from_f64(0.5 * REACH) < self.went(i).length()
    }
    /// Whether a shape is of something that no impulse moves.
    fn stands(&self, proxy: usize) -> bool {
        matches!(self.roles[self.entries[proxy].filter.body as usize], Role::Static | Role::Kinematic)
    }
    /// How far a body's centre went in the step.
    fn went(&self, i: usize) -> Vec3<E> {
        self.solver.position(i) - placed(&self.before[i]).position
    }

    /// Looks at all that stands: for all that are fast, or only for what is far.
    fn stop_anywhere(&mut self, standing: &[u32], all: bool, runner: &dyn TaskRunner) {
        /// Bodies of one task.
        const PART: usize = 64;
        let mut parts = core::mem::take(&mut self.part);
        let (n, to) = (parts.len(), Each::new(&mut parts));
        runner.run(n.div_ceil(PART), &|k| {
            for i in k * PART..((k + 1) * PART).min(n) {
                // SAFETY: each body is in one task.
                let part = unsafe { to.at(i) };
                if E::zero() <= *part && (all || self.is_far(i)) {
                    let (from, to) = self.spans[i];
                    *part = (from as usize..to as usize).fold(*part, |part, mine| self.stop_at(i, mine, standing, part));
                }
            }
        });
        self.part = parts;
    }

    fn stop_at(&self, i: usize, mine: usize, standing: &[u32], mut part: E) -> E {
        let (flight, own) = (self.flight(i, mine), &self.entries[mine].filter);
        for other in standing.iter().map(|&p| p as usize) {
            let wall = &self.entries[other];
            if flight.swept.overlaps(&wall.bounds)
                && own.lets(&wall.filter)
                && !self.contacts.are_apart(own.body, wall.filter.body)
            {
                part = self.stop(&flight, other, part);
            }
        }
        part
    }

    /// The way of shape `mine` of body `i`.
    fn flight(&self, i: usize, mine: usize) -> Flight<E> {
        let (shape, by) = (&self.proxies[mine], self.went(i));
        let from =
            Transform { position: placed(&self.before[i]).position, rotation: self.solver.rotation(i) }.compose(shape.local);
        let start = shape.geometry.bounds(&from);
        Flight { shape: mine, from, by, swept: start.around(&Bounds { min: start.min + by, max: start.max + by }) }
    }

    /// The part of its way, at most `part`, until it meets the shape `other` of what stands.
    fn stop(&self, f: &Flight<E>, other: usize, part: E) -> E {
        let (shape, wall) = (&self.proxies[f.shape], &self.proxies[other]);
        let inset = E::from_f64(GRAZES.0).min(shape.inner * E::from_f64(GRAZES.1));
        let to = self.place(wall.body as usize).compose(wall.local);
        let (local, way) = (to.seen(f.from), to.rotation.conjugate().rotate(f.by));
        let at = |x: Vec3<E>| Transform { position: x, rotation: self.solver.rotation(shape.body as usize) };
        let start = placed(&self.before[shape.body as usize]).position;
        if self.passes_over(f.shape as u32, other as u32, &at(start), &at(start + f.by)) {
            return part;
        }
        match cast(&wall.geometry, &shape.geometry.inside(inset), &local, way, E::zero()) {
            Some(hit) if hit.fraction < part && E::zero() < hit.fraction => hit.fraction,
            _ => part,
        }
    }
}
