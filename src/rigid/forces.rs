//! What joints hold: their forces and torques, from the impulses of the last step.

use super::joints::{FORCES, Joint, NUMBERS, TOLD};
use super::{Precise, Rigid, from, number};
use crate::bodies::drive::Kind;
use crate::bodies::elements::*;
use crate::bodies::kernels::{Inertia, Motion, Wrench};
use crate::bodies::solver::Plan;
use crate::math::Vec3;
use crate::math::rows::{Cursor, InRows, WIDTH};

/// Numbers of an element, those of the host and its state, and its forces. In f64, whatever the world has: one copy of the code is enough.
struct Numbers {
    own: [f64; NUMBERS],
    forces: [f64; FORCES],
}

impl Numbers {
    /// The wrench on body b, N, and N m about its centre of mass: the forces along the rows as they are now.
    #[inline(never)]
    fn wrench<X: Joined>(&self, [a, b]: &[Place<f64>; 2]) -> Wrench<f64> {
        let params = <X::Params<f64> as InRows<f64>>::ROWS;
        let mut block = [0.0; NUMBERS * WIDTH];
        for (r, n) in self.own.into_iter().enumerate() {
            block[r * WIDTH] = n;
        }
        for (r, &n) in self.forces[..X::TOLD].iter().enumerate() {
            block[(params + r) * WIDTH] = n;
        }
        // Impulses over one second are forces.
        let step = Plan { dt: 1.0, substeps: 1, iterations: 1, gravity: [0.0; 3], piece: 1, longer: 1.0 }.substep::<f64>(0);
        let mut still = [Motion { v: Vec3::zero(), w: Vec3::zero() }; 2];
        let [ma, mb] = &mut still;
        // SAFETY: `block` has room for every kind's rows; one lane needs no instruction set.
        unsafe {
            let p: X::Params<f64> = Cursor::<f64>(block.as_mut_ptr()).read();
            let state = || Cursor::<f64>(block.as_ptr().add(params * WIDTH).cast_mut()).read::<X::State<f64>>();
            let (work, now) = X::set_up::<f64>(&p, state(), a, b, ma, mb, &step.splat::<f64>());
            X::wrench(&work, state(), now)
        }
    }
}

impl<E: Precise> Rigid<E> {
    fn resisting(&self, i: usize) -> Place<f64> {
        let [m, x, y, z] = [0, 1, 2, 3].map(|k| self.solver.mass[i].0[k].to_f64());
        let at = from(self.place(i));
        Place { x: at.position, q: at.rotation, inertia: Inertia::new(m, Vec3 { x, y, z }, at.rotation) }
    }

    /// What a joint did to body b in the last step, on average: N, and N m about its centre of mass.
    pub fn joint_wrench(&self, slot: usize, joint: &Joint) -> [Vec3<f64>; 2] {
        let all = &self.joint_numbers[slot * NUMBERS..][..NUMBERS];
        let mut sum = [Vec3::<f64>::zero(); 2];
        if all[TOLD..].iter().all(|n| *n == E::zero()) {
            return sum;
        }
        let places = [joint.desc.a.map_or(0, number), number(joint.desc.b)].map(|i| self.resisting(i));
        for (k, kind) in joint.kinds.into_iter().enumerate() {
            let Some(kind) = kind else { continue };
            let [params, state, _] = kind.rows();
            let mut numbers = Numbers { own: [0.0; NUMBERS], forces: [0.0; FORCES] };
            for (to, n) in numbers.own.iter_mut().zip(&all[joint.offset(k)..][..params + state]) {
                *to = n.to_f64();
            }
            for (to, n) in numbers.forces.iter_mut().zip(&all[TOLD + k * FORCES..]) {
                *to = n.to_f64();
            }
            let w = match kind {
                Kind::Motor => numbers.wrench::<MotorElement>(&places),
                Kind::Limit => numbers.wrench::<LimitElement>(&places),
                Kind::Hinge => numbers.wrench::<HingeElement>(&places),
                Kind::Distance => numbers.wrench::<DistanceElement>(&places),
                Kind::Ball => numbers.wrench::<BallElement>(&places),
                Kind::Fixed => numbers.wrench::<FixedElement>(&places),
                Kind::Arc => numbers.wrench::<ArcElement>(&places),
                Kind::Contact1 | Kind::Contact2 | Kind::Contact4 | Kind::Rolling => continue,
            };
            sum = [sum[0] + w.push, sum[1] + w.turn];
        }
        sum
    }
}
