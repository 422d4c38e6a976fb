//! Rods on the GPU that push bodies: momenta, bodies that rest on ropes, sets and bodies that come and go. Against the CPU.

use crate::strands_touch::{DT, V, line, positions};
use withy::math::Vec3;
use withy::world::*;

fn world(on_gpu: bool, gravity: f64, substeps: u32, iterations: u32) -> Option<World> {
    crate::device::world(on_gpu, WorldDesc { substeps, iterations, gravity: [0.0, -gravity, 0.0], ..WorldDesc::default() })
}

fn rope(strands: &[Vec<[f64; 3]>], order: SweepOrder) -> RodsDesc {
    RodsDesc {
        counts: strands.iter().map(|s| s.len() as u32).collect(),
        positions: strands.concat(),
        radii: vec![5e-3],
        density: 1000.0,
        stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
        stretch_modulus: 1e8,
        friction: 0.5,
        order,
        integrator: Integrator::First,
        ..RodsDesc::default()
    }
}

fn ball(mass: f64, radius: f64, at: [f64; 3]) -> BodyDesc {
    BodyDesc {
        motion: BodyMotion::Dynamic,
        mass,
        pose: Pose { position: at, ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius }, friction: 0.5, ..ShapeDesc::default() }],
        ..BodyDesc::default()
    }
}

/// Momentum, and angular momentum about the origin, of rods and balls together.
fn momenta(w: &World, rods: &[Id], balls: &[(Id, f64, f64)]) -> [V; 2] {
    let (mut p, mut l) = (Vec3::zero(), Vec3::zero());
    for &id in rods {
        let m = crate::scene::momentum(w.rods(id).unwrap());
        p = p + m.linear;
        l = l + m.angular + m.center.cross(m.linear);
    }
    for &(id, mass, radius) in balls {
        let [v, spin] = w.body_motion(id).unwrap().map(Vec3::from);
        let x: V = w.body_pose(id).unwrap().position.into();
        p = p + v * mass;
        l = l + x.cross(v) * mass + spin * (0.4 * mass * radius * radius);
    }
    [p, l]
}

const ORDERS: [(SweepOrder, u32); 2] = [(SweepOrder::Direct, 1), (SweepOrder::Alternating, 8)];

#[test]
fn a_ball_that_a_flying_strand_hits_takes_its_momentum() {
    for model in [RodModel::Ghost, RodModel::Der] {
        for (order, iterations) in ORDERS {
            if (model, order) == (RodModel::Der, SweepOrder::Alternating) {
                continue;
            }
            for on_gpu in [true] {
                let Some(mut w) = world(on_gpu, 0.0, 4, iterations) else { return };
                let d = RodsDesc {
                    model,
                    velocities: vec![[0.0, -1.0, 0.2]; 17],
                    ..rope(&[line([-0.15, 0.08, 0.01], [0.25, 0.09, 0.01], 17)], order)
                };
                let id = w.add_rods(d).unwrap();
                let body = w.add_body(&ball(0.1, 0.05, [0.0; 3])).unwrap();
                let before = momenta(&w, &[id], &[(body, 0.1, 0.05)]);
                for _ in 0..12 {
                    w.step(DT, &Inline).unwrap();
                }
                let after = momenta(&w, &[id], &[(body, 0.1, 0.05)]);
                let v: V = w.body_motion(body).unwrap()[0].into();
                let lost = [0, 1].map(|k| (after[k] - before[k]).length() / before[k].length());
                println!("{model:?} {order:?} on the GPU {on_gpu}: lost {:e}, {:e}; the ball has {v:?}", lost[0], lost[1]);
            }
        }
    }
}

/// Its mean height and the rms of its vertical speed in the last second.
fn rest_on_ropes(on_gpu: bool, order: (SweepOrder, u32), mass: f64, seconds: f64) -> Option<(f64, f64)> {
    let mut w = world(on_gpu, 9.81, 8, order.1)?;
    let strands = [-0.04, 0.0, 0.04].map(|z| {
        let mut p = line([-0.5, 0.0, z], [0.5, 0.0, z], 41);
        p.iter_mut().for_each(|p| p[1] -= 0.2 * (1.0 - (p[0] / 0.5).powi(2)));
        p
    });
    let d = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..rope(&strands, order.0) };
    w.add_rods(d).unwrap();
    let body = BodyDesc { linear_damping: 1.0, angular_damping: 1.0, ..ball(mass, 0.1, [0.0, -0.2 + 0.106, 0.0]) };
    let body = w.add_body(&body).unwrap();
    let steps = (seconds * 60.0) as usize;
    let (mut mean, mut square) = (0.0, 0.0);
    for k in 0..steps {
        w.step(DT, &Inline).unwrap();
        if k + 60 >= steps {
            mean += w.body_pose(body).unwrap().position[1] / 60.0;
            square += w.body_motion(body).unwrap()[0][1].powi(2) / 60.0;
        }
    }
    Some((mean, square.sqrt()))
}

#[test]
fn balls_rest_on_slack_ropes() {
    for order in ORDERS {
        for mass in [0.01, 0.3, 10.0] {
            let begin = std::time::Instant::now();
            let Some(gpu) = rest_on_ropes(true, order, mass, 2.5) else { return };
            println!("{:?}", begin.elapsed());
            let cpu = rest_on_ropes(false, order, mass, 2.5).unwrap();
            println!("{order:?} {mass} kg: {:.4} m, {:.1e} m/s; on the CPU {:.4}, {:.1e}", gpu.0, gpu.1, cpu.0, cpu.1);
        }
    }
}

#[allow(dead_code)]
fn seen(w: &World, rods: Id) -> Vec<V> {
    positions(w, rods)
}
