//! Where two fast shapes will meet within a step. Their contacts are looked for there: where the
//! shapes are at the start of the step they would not be seen, or would have another normal.

use super::{Proxy, Scene};
use crate::bodies::drive::record;
use crate::bodies::kernels::{Motion, move_pose};
use crate::collide::narrow::{cast, distance};
use crate::math::{Elem, Transform, Vec3};

/// Most steps of an advancement; what still comes nearer then, grazing, counts as met.
const STEPS: usize = 32;
/// Parts of a way on which a turn is made of small ones.
const TURNS: usize = 4;
/// How near is met, of the smaller inner radius.
const MET: f64 = 0.05;

impl<E: Elem> Scene<'_, E> {
    /// Where two bodies are when shapes of theirs meet, if these are fast and do. They go as they are about to, without forces.
    pub(crate) fn where_met(&self, shapes: [&Proxy<E>; 2], bodies: &[Transform<E>; 2]) -> Option<[Transform<E>; 2]> {
        let [a, b] = shapes;
        let slow = Self::slow(a, b);
        if self.way_of(a, b) <= slow {
            return None;
        }
        let motion = shapes.map(|p| self.motion(p.body));
        let turn = shapes.iter().zip(&motion).fold(E::zero(), |sum, (p, m)| sum + m.w.length() * E::from_f64(p.outer));
        let by = (motion[1].v - motion[0].v) * self.dt;
        // What turns by itself, in a joint or against others, will not go on as it does; what the host turns will.
        let swung = shapes.iter().any(|p| self.moves[p.body as usize]) && turn * self.dt > slow;
        if swung {
            self.turning(shapes, bodies, &motion, turn)
        } else if by.length2() > slow * slow {
            let [pose_a, pose_b] = [a.pose(&bodies[0]), b.pose(&bodies[1])];
            let way = pose_a.rotation.conjugate().rotate(by);
            let hit = cast(&a.geometry, &b.geometry, &pose_a.seen(pose_b), way, E::zero())?;
            let t = self.dt * hit.fraction;
            let at = |k: usize| Transform { position: bodies[k].position + motion[k].v * t, ..bodies[k] };
            Some([at(0), at(1)])
        } else {
            None
        }
    }

    fn motion(&self, body: u32) -> Motion<E> {
        let r = &self.velocity[body as usize].0;
        let at = |k: usize| Vec3 { x: r[k], y: r[k + 1], z: r[k + 2] };
        Motion { v: at(0), w: at(record::SPIN) }
    }

    /// Conservative advancement (Mirtich 1996) of both: along the direction between the nearest points nothing comes nearer faster than the bodies and
    /// the farthest points of the shapes as they turn, with `turn`, m/s.
    fn turning(
        &self,
        [a, b]: [&Proxy<E>; 2],
        bodies: &[Transform<E>; 2],
        motion: &[Motion<E>; 2],
        turn: E,
    ) -> Option<[Transform<E>; 2]> {
        let near = a.inner.min(b.inner) * E::from_f64(MET);
        let (mut t, mut at) = (E::zero(), *bodies);
        for _ in 0..STEPS {
            let pose = a.pose(&at[0]);
            let gap = distance(&a.geometry, &b.geometry, &pose.seen(b.pose(&at[1])))?;
            if gap.distance <= near {
                break;
            }
            let closing = turn - (motion[1].v - motion[0].v).dot(pose.rotation.rotate(gap.normal));
            if closing <= E::zero() {
                return None;
            }
            let next = t + gap.distance / closing;
            // Neither never, nor no number.
            if next.partial_cmp(&self.dt).is_none_or(|o| o.is_ge()) {
                return None;
            }
            t = next;
            at = [moved(&bodies[0], &motion[0], t), moved(&bodies[1], &motion[1], t)];
        }
        Some(at)
    }
}

fn moved<E: Elem>(from: &Transform<E>, m: &Motion<E>, t: E) -> Transform<E> {
    let h = t * E::from_f64(1.0 / TURNS as f64);
    (0..TURNS).fold(*from, |at, _| {
        let (position, rotation) = move_pose(at.position, at.rotation, *m, h);
        Transform { position, rotation }
    })
}
