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

/// Stated: momentum lost, directly 3e-2, swept 1e-5; angular momentum 0.1 and 1e-2 (friction acts on centrelines).
#[test]
fn a_ball_that_a_flying_strand_hits_takes_its_momentum() {
    for (model, (order, iterations)) in [(RodModel::Ghost, ORDERS[0]), (RodModel::Ghost, ORDERS[1]), (RodModel::Der, ORDERS[0])] {
        let Some(mut w) = world(true, 0.0, 4, iterations) else { return };
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
        let v = w.body_motion(body).unwrap()[0];
        let lost = [0, 1].map(|k| (after[k] - before[k]).length() / before[k].length());
        println!("{model:?} {order:?}: lost {:e}, {:e}; the ball has {v:?}", lost[0], lost[1]);
        let most = if order == SweepOrder::Direct { [3e-2, 0.1] } else { [1e-5, 1e-2] };
        assert!(lost[0] < most[0] && lost[1] < most[1] && v[1] < -0.08, "{lost:?} {v:?}");
    }
}

/// A ball of `mass` over three slack ropes, by `beside` off their middle.
fn ball_over_ropes(on_gpu: bool, order: (SweepOrder, u32), mass: f64, beside: f64) -> Option<(World, Id, Id)> {
    let mut w = world(on_gpu, 9.81, 8, order.1)?;
    let strands = [-0.04, 0.0, 0.04].map(|z| {
        let mut p = line([-0.5, 0.0, z], [0.5, 0.0, z], 41);
        p.iter_mut().for_each(|p| p[1] -= 0.2 * (1.0 - (p[0] / 0.5).powi(2)));
        p
    });
    let d = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..rope(&strands, order.0) };
    let rods = w.add_rods(d).unwrap();
    let body = BodyDesc { linear_damping: 1.0, angular_damping: 1.0, ..ball(mass, 0.1, [0.0, -0.2 + 0.106, beside]) };
    let body = w.add_body(&body).unwrap();
    Some((w, rods, body))
}

/// Its mean height and the rms of its vertical speed in the last second.
fn rest_on_ropes(on_gpu: bool, order: (SweepOrder, u32), mass: f64, seconds: f64) -> Option<(f64, f64)> {
    let (mut w, _, body) = ball_over_ropes(on_gpu, order, mass, 0.0)?;
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

/// Stated: after 1.2 seconds balls that have fallen into ropes are where the CPU's are to 5 mm, and about as quiet.
#[test]
fn balls_rest_on_slack_ropes() {
    for (order, mass) in [(ORDERS[0], 0.3), (ORDERS[0], 1.0), (ORDERS[1], 0.01)] {
        let Some(gpu) = rest_on_ropes(true, order, mass, 1.2) else { return };
        let cpu = rest_on_ropes(false, order, mass, 1.2).unwrap();
        println!("{order:?} {mass} kg: {:.4} m, {:.1e} m/s; on the CPU {:.4}, {:.1e}", gpu.0, gpu.1, cpu.0, cpu.1);
        assert!((gpu.0 - cpu.0).abs() < 5e-3 && gpu.1 < 2.0 * cpu.1 + 1e-2, "{gpu:?} {cpu:?}");
    }
}

/// A ball that begins 5 mm beside the middle rope rolls to between two ropes, and these hold it there by friction: they stay where they touch it, 12° to either side
/// of its lowest point. One of 0.1 kg, on ropes of 0.25 kg, finds them too slack and rolls off. Stated: after 1.5 s heights are the CPU's to 2 mm, the angles to 4°.
#[test]
fn ropes_hold_a_ball_by_friction() {
    let run = |on_gpu: bool, mass: f64| {
        let (mut w, rods, body) = ball_over_ropes(on_gpu, ORDERS[0], mass, 5e-3)?;
        for _ in 0..90 {
            w.step(DT, &Inline).unwrap();
        }
        let at = w.body_pose(body).unwrap().position;
        let place = positions(&w, rods);
        let angle = |rope: usize| (place[41 * rope + 20].z - at[2]).atan2(at[1] - place[41 * rope + 20].y).to_degrees();
        Some((at[1], angle(1), angle(2)))
    };
    let Some(gpu) = run(true, 0.3) else { return };
    let cpu = run(false, 0.3).unwrap();
    println!("{gpu:?}, on the CPU {cpu:?}");
    let off = [gpu.0 - cpu.0, (gpu.1 - cpu.1) * 5e-4, (gpu.2 - cpu.2) * 5e-4];
    assert!(off.iter().all(|off| off.abs() < 2e-3) && cpu.1.abs() < 16.0 && cpu.2.abs() < 16.0, "{gpu:?} {cpu:?}");
    let (gpu, cpu) = (run(true, 0.1).unwrap().0, run(false, 0.1).unwrap().0);
    println!("a light one: {gpu:.3} m, on the CPU {cpu:.3}");
    assert!(gpu < -0.5 && cpu < -0.5, "{gpu} {cpu}");
}

/// The figures of docs/internals/gpu.md.
#[test]
#[ignore = "a measurement"]
fn balls_rest_for_four_seconds() {
    for (order, mass) in [0.01, 0.1, 0.3, 1.0].map(|m| (ORDERS[0], m)).into_iter().chain([(ORDERS[1], 0.01)]) {
        let Some(gpu) = rest_on_ropes(true, order, mass, 4.0) else { return };
        let cpu = rest_on_ropes(false, order, mass, 4.0).unwrap();
        println!("{order:?} {mass} kg: {:.4} m, {:.1e} m/s; on the CPU {:.4}, {:.1e}", gpu.0, gpu.1, cpu.0, cpu.1);
    }
}

/// Two sets, one direct and one swept, thrown at two balls: the same bits twice, and no momentum but what a Newton step loses.
#[test]
fn several_sets_push_several_bodies_and_give_the_same_bits_twice() {
    let run = || {
        let mut w = world(true, 0.0, 4, 4)?;
        let mut sets = Vec::new();
        for (x, order) in [(-0.02, SweepOrder::Direct), (0.02, SweepOrder::Alternating)] {
            let d = RodsDesc {
                velocities: vec![[0.0, -1.0, 0.0]; 34],
                ..rope(&[-0.1, 0.1].map(|z| line([x, 0.06, z - 0.1], [x, 0.06, z + 0.1], 17)), order)
            };
            sets.push(w.add_rods(d).unwrap());
        }
        let balls = [-0.1, 0.1].map(|z| w.add_body(&ball(0.2, 0.05, [0.0, 0.0, z])).unwrap()).map(|id| (id, 0.2, 0.05));
        let before = momenta(&w, &sets, &balls);
        for _ in 0..8 {
            w.step(DT, &Inline).unwrap();
        }
        let lost = (momenta(&w, &sets, &balls)[0] - before[0]).length() / before[0].length();
        Some((w.state_hash(), lost, balls.map(|b| w.body_motion(b.0).unwrap()[0][1])))
    };
    let Some((hash, lost, v)) = run() else { return };
    println!("lost {lost:e}; the balls have {v:?}");
    assert!(lost < 3e-2 && v.iter().all(|v| *v < -0.05), "{lost} {v:?}");
    assert_eq!(run().unwrap().0, hash);
}

/// A body that sleeps wakes when it is hit, one that is put elsewhere is left alone there, and rods that are `one_way` change nothing about a body.
#[test]
fn bodies_wake_and_go_elsewhere() {
    let play = |one_way: bool, elsewhere: bool| {
        let mut w = world(true, 0.0, 4, 4)?;
        let d = RodsDesc {
            one_way,
            velocities: vec![[0.0, -1.0, 0.0]; 17],
            ..rope(&[line([-0.2, 0.1, 0.0], [0.2, 0.1, 0.0], 17)], SweepOrder::Alternating)
        };
        w.add_rods(d).unwrap();
        let body = w.add_body(&ball(0.5, 0.05, [0.0; 3])).unwrap();
        w.step(DT, &Inline).unwrap();
        w.set_body_sleeping(body, true).unwrap();
        for k in 0..10 {
            if k == 5 && elsewhere {
                w.set_body_motion(body, [0.0; 3], [0.0; 3]).unwrap();
                w.set_body_pose(body, Pose { position: [0.0, 0.0, 2.0], ..Pose::IDENTITY }).unwrap();
            }
            w.step(DT, &Inline).unwrap();
        }
        Some((w.body_sleeps(body).unwrap(), w.body_motion(body).unwrap()[0], w.body_pose(body).unwrap().position))
    };
    let Some((sleeps, v, _)) = play(false, false) else { return };
    assert!(!sleeps && v[1] < -0.02, "{sleeps} {v:?}");
    let (sleeps, v, _) = play(true, false).unwrap();
    assert!(sleeps && v == [0.0; 3], "{sleeps} {v:?}");
    let (_, v, at) = play(false, true).unwrap();
    assert!(v == [0.0; 3] && (at[2] - 2.0).abs() < 1e-6 && at[1].abs() < 1e-6, "{v:?} {at:?}");
}

/// A rope falls over a ball on the floor: the floor holds the ball where it does on the CPU, to half a millimetre.
#[test]
fn a_ball_on_a_floor_carries_a_rope() {
    let run = |on_gpu: bool, (order, iterations)| {
        let mut w = world(on_gpu, 9.81, 4, iterations)?;
        w.add_collider(ColliderDesc { shape: Shape::Plane, friction: 1.0, ..ColliderDesc::default() }).unwrap();
        let id = w.add_rods(rope(&[line([-0.2, 0.16, 0.0], [0.2, 0.16, 0.0], 21)], order)).unwrap();
        let body = w.add_body(&ball(0.5, 0.075, [0.0, 0.075, 0.0])).unwrap();
        let (mut lowest, mut touched) = (f64::MAX, 0);
        for _ in 0..30 {
            w.step(DT, &Inline).unwrap();
            lowest = lowest.min(w.body_pose(body).unwrap().position[1]);
            touched += w.stats().contacts;
        }
        let top = positions(&w, id).iter().map(|p| p.y).fold(f64::MIN, f64::max);
        Some((w.body_pose(body).unwrap().position[1], lowest, top, touched))
    };
    for order in ORDERS {
        let Some(gpu) = run(true, order) else { return };
        let cpu = run(false, order).unwrap();
        println!("{order:?}: {gpu:?}, on the CPU {cpu:?}");
        assert!((gpu.0 - cpu.0).abs() < 5e-4 && (gpu.1 - cpu.1).abs() < 2e-3 && gpu.3 > 20, "{gpu:?} {cpu:?}");
    }
}

/// A ragdoll's upper body of three capsules that hang in joints, in a hammock of ropes: the hammock holds it, and it sags as on the CPU.
#[test]
fn a_figure_falls_into_a_hammock() {
    let run = |on_gpu: bool| {
        let mut w = world(on_gpu, 9.81, 8, 1)?;
        let strands: Vec<_> =
            (0..9).map(|k| line([-0.6, 0.0, 0.04 * (k as f64 - 4.0)], [0.6, 0.0, 0.04 * (k as f64 - 4.0)], 49)).collect();
        let sags = |p: &[f64; 3]| [p[0], -0.15 * (1.0 - (p[0] / 0.6).powi(2)), p[2]];
        let strands: Vec<Vec<_>> = strands.iter().map(|s| s.iter().map(sags).collect()).collect();
        let d =
            RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, damping: 2.0, ..rope(&strands, SweepOrder::Direct) };
        w.add_rods(d).unwrap();
        let limb = |x: f64| BodyDesc {
            shapes: vec![ShapeDesc {
                shape: BodyShape::Capsule { half_height: 0.06, radius: 0.05 },
                friction: 0.5,
                ..ShapeDesc::default()
            }],
            pose: Pose { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()] },
            ..ball(0.7, 0.05, [0.0; 3])
        };
        let limbs = [-0.2, 0.0, 0.2].map(|x| w.add_body(&limb(x)).unwrap());
        for k in 0..2 {
            w.add_joint(&JointDesc {
                a: Some(limbs[k]),
                b: limbs[k + 1],
                frame_a: Pose { position: [0.0, -0.1, 0.0], ..Pose::IDENTITY },
                frame_b: Pose { position: [0.0, 0.1, 0.0], ..Pose::IDENTITY },
                kind: JointKind::Ball { limits: None },
                motor: None,
                collide: false,
            })
            .unwrap();
        }
        for _ in 0..40 {
            w.step(DT, &Inline).unwrap();
        }
        Some(limbs.map(|b| w.body_pose(b).unwrap().position))
    };
    let Some(gpu) = run(true) else { return };
    let cpu = run(false).unwrap();
    println!("{gpu:?}\n{cpu:?}");
    for (a, b) in gpu.iter().zip(&cpu) {
        let far = (Vec3::from(*a) - Vec3::from(*b)).length();
        assert!(far < 2e-2 && a[1] > -0.3, "{far} m from the CPU's: {a:?}");
    }
}
