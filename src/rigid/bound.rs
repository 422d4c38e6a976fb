//! Where shapes may be during a step, and where their contacts are looked for.

use super::*;

/// What goes less far in a step, m and rad, is looked for contacts in the step's middle: the normals stay for the step, and those of its start come
/// late, which feeds what rolls to and fro.
const AHEAD: f64 = 0.02;
const AHEAD_TURN: f64 = 0.2;

impl<E: Precise> Rigid<E> {
    /// Boxes of all shapes, grown by how far they may come.
    pub(crate) fn bound(&mut self, dt: f64, runner: &dyn TaskRunner) {
        /// Bodies of one task.
        const PART: usize = 64;
        let n = self.roles.len();
        self.way.resize(n, E::zero());
        self.ahead.resize(n, Record([E::zero(); RECORD]));
        self.capsules.resize(self.proxies.len(), Record([E::zero(); RECORD]));
        let Rigid { entries, capsules, way, ahead, proxies, spans, solver, roles, asleep, moves, stirred, traits, .. } = self;
        let (entries, capsules) = (Each::new(entries), Each::new(capsules));
        let (way, ahead) = (Each::new(way), Each::new(ahead));
        // A pair is seen from half of it on both sides.
        let near = E::from_f64(0.5 * REACH);
        let most = E::from_f64(1e6);
        runner.run(n.div_ceil(PART), &|k| {
            for i in k * PART..((k + 1) * PART).min(n) {
                // What the host has put somewhere is seen by what sleeps there.
                let active = (roles[i] == Role::Dynamic && !asleep[i]) || moves[i] || stirred[i];
                let (pose, velocity) = (&solver.pose[i], &solver.velocity[i]);
                let (far, then) = if active {
                    let (far, then) = look_ahead(pose, velocity, dt);
                    let turned = E::from_f64(moved(velocity)[1].map(E::to_f64).length() * dt * traits[i].outer);
                    // What the host swings: its surface goes further than its frame.
                    (if moves[i] { far + turned.min(most) } else { far }, then)
                } else {
                    (E::zero(), *pose)
                };
                // SAFETY: each body is in one task.
                unsafe { (*way.at(i), *ahead.at(i)) = (far, then) };
                let (now, later) = (placed(pose), (then != *pose).then(|| placed(&then)));
                let (from, to) = spans[i];
                for (p, proxy) in proxies.iter().enumerate().take(to as usize).skip(from as usize) {
                    let mut b = proxy.geometry.bounds(&proxy.pose(&now));
                    if let Some(later) = later {
                        b = b.around(&proxy.geometry.bounds(&proxy.pose(&later)));
                    }
                    let grow = near + far;
                    let grow = Vec3 { x: grow, y: grow, z: grow };
                    // SAFETY: one entry and one capsule a proxy, and each proxy is of one body.
                    let e = unsafe {
                        *capsules.at(p) = proxy.capsule.moved(&later.unwrap_or(now)).grown(near + far).record();
                        entries.at(p)
                    };
                    (e.active, e.bounds) = (active, Bounds { min: b.min - grow, max: b.max + grow });
                }
            }
        });
    }
}

/// How far a body is expected to go in a step, m, and where contacts are looked for: in its middle, if that is not far.
fn look_ahead<E: Elem>(pose: &Record<E>, velocity: &Record<E>, dt: f64) -> (E, Record<E>) {
    let [v, w] = moved(velocity);
    let m = Motion { v, w };
    let way = m.v.map(E::to_f64).length() * dt;
    let mut then = *pose;
    if way < AHEAD && m.w.map(E::to_f64).length() * dt < AHEAD_TURN {
        let at = placed(pose);
        let (position, rotation) = move_pose(at.position, at.rotation, m, E::from_f64(0.5 * dt));
        then = recorded(Transform { position, rotation });
    }
    (E::from_f64(way.min(1e6)), then)
}
