//! Bodies that rods on the GPU push (`docs/internals/gpu.md`, Rods that push bodies): which sets come near them, where they would go in each substep, and what
//! they are given after the step.

use super::dynamics::rigid;
use super::world::World;
use crate::bodies::graph::Role;
use crate::collide::between;
use crate::collide::pushed::turn_of;
use crate::desc::SweepOrder;

use crate::gpu::push::{Given, Way, Ways};
use crate::math::{Sym3, Vec3};
use crate::rigid::bodies::pose_of;
use crate::rigid::from;

/// A body falls, or is drawn, no more than so many times as much as gravity does it; what else changes its velocity in a step is a blow.
const MOST_BEND: f64 = 2.0;

impl World {
    /// Which sets on the GPU push bodies in the step: those that come near one. `piece`: the boxes of bodies reach so many seconds ahead.
    pub(super) fn find_pushing(&mut self, dt: f64, piece: Option<f64>) {
        let g = Vec3::from(self.desc.gravity).length();
        let mut any = false;
        for (_, rods) in self.rods.iter_mut() {
            let swept_volume = rods.keeps_volume() && rods.order() != SweepOrder::Direct;
            let asks = !(rods.desc.one_way || rods.rest.disabled || swept_volume);
            let near = rods.gpu.is_some()
                && asks
                && piece.is_some_and(|piece| rigid!(ref self, r => r.box_near_bodies(rods, dt, dt - piece, g)).is_some());
            if let Some(side) = &mut rods.gpu {
                side.pushes = near;
            }
            any |= near;
        }
        if any {
            rigid!(self, r => r.note_velocities());
        }
    }

    /// The bodies that these push, on the ways that they have gone in the step; `None`: no set pushes any.
    pub(super) fn pushed_ways(&self, dt: f64) -> Option<Ways> {
        if !self.rods.iter().any(|(_, r)| r.gpu.as_ref().is_some_and(|side| side.pushes)) {
            return None;
        }
        let substeps = self.desc.substeps as usize;
        let mut numbers: Vec<u32> = rigid!(ref self, r => r.pushed_shapes().map(|s| s.body).collect());
        let shapes = numbers.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let mut ways = Ways { bodies: numbers.len(), ..Ways::default() };
        ways.shapes.extend(shapes.iter().map(|s| numbers.partition_point(|n| n < s) as u32));
        let h = dt / substeps as f64;
        let most = MOST_BEND * Vec3::from(self.desc.gravity).length();
        for k in 0..substeps {
            let t = |k: usize| k as f64 / substeps as f64;
            for &number in &numbers {
                let i = number as usize;
                let [start, end] = rigid!(ref self, r => [r.began(i), from(r.place(i))]).map(pose_of);
                let asleep = rigid!(ref self, r => r.asleep[i]);
                let ((was, _), (at, rotation)) = (between(start, end, t(k)), between(start, end, t(k + 1)));
                let mut way = Way { name: number, center: single(at), shift: single(at - was), ..Way::default() };
                // Substep k of an even acceleration ends at a h² k (k + 1) / 2.
                let gained: Vec3<f64> = rigid!(ref self, r => r.motion(i)[0] - r.began_with[i]) * (1.0 / dt);
                let even = gained * (most / gained.length().max(most).max(f64::MIN_POSITIVE));
                let bend = |k: usize| even * (0.5 * h * h * k as f64 * (k as f64 - substeps as f64));
                (way.bend, way.bend_now) = (single(bend(k + 1)), single(bend(k + 1) - bend(k)));
                if let Some((_, body)) = self.dynamics.bodies.at(i - 1).filter(|_| !asleep) {
                    let m = Sym3::of_axes(rotation.frame(), Vec3::from(body.moments.map(|m| 1.0 / m)));
                    way.inverse_mass = (1.0 / body.mass) as f32;
                    way.inverse_inertia = [m.xx, m.yy, m.zz, m.xy, m.xz, m.yz].map(|v| v as f32);
                }
                ways.ways.push(way);
            }
        }
        Some(ways)
    }

    /// Gives the bodies what rods have done to them in the step. What sleeps hears of it when it is woken (`settle_loads`).
    pub(super) fn take_pushes(&mut self, ways: &Ways, given: &[Given], dt: f64) {
        let h = dt / f64::from(self.desc.substeps);
        for (way, given) in ways.ways.iter().zip(given) {
            let i = way.name as usize;
            let double = |v: [f32; 3]| Vec3::from(v.map(f64::from));
            let [p, l, shift, turn] = [given.linear, given.angular, given.shift, given.turn].map(double);
            let (p, l) = (p * (1.0 / h), l * (1.0 / h));
            let finite = [p, l, shift, turn].iter().all(|v| v.to_array().iter().all(|c| c.is_finite()));
            // Of strands that are no numbers, the statistics tell.
            let Some((_, body)) = self.dynamics.bodies.at(i - 1).filter(|_| finite && (p.length2() > 0.0 || l.length2() > 0.0))
            else {
                continue;
            };
            let (mass, moments) = (body.mass, body.moments);
            rigid!(self, r => {
                r.rod_load[i] = [p, l];
                if r.roles[i] == Role::Dynamic && !r.asleep[i] {
                    let mut place = from(r.place(i));
                    place.position = place.position + shift;
                    place.rotation = turn_of(turn).compose(place.rotation);
                    let [v, w] = r.motion(i);
                    let inverse = Sym3::of_axes(place.rotation.frame(), Vec3::from(moments.map(|m| 1.0 / m)));
                    r.set_place(i, place);
                    r.set_motion(i, v + p * (1.0 / mass), w + inverse.mul(l));
                }
            });
        }
        self.settle_loads(dt);
    }
}

fn single(v: Vec3<f64>) -> [f32; 3] {
    v.to_array().map(|c| c as f32)
}
