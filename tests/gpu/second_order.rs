//! Rods of second order in time on the GPU: what swings goes on, what is thrown or touched starts anew, and what the host saves and writes is
//! all of their state.

use crate::scene::{V3, curl, positions, steps};
use withy::math::Vec3;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

fn world(substeps: u32) -> Option<World> {
    match World::new(WorldDesc { backend: BackendChoice::Gpu, substeps, ..WorldDesc::default() }) {
        Ok(w) => Some(w),
        Err(e) if std::env::var_os("WITHY_REQUIRE_GPU").is_none() => {
            eprintln!("\n*** SKIPPED, NOTHING TESTED: {e} ***\n");
            None
        }
        Err(e) => panic!("WITHY_REQUIRE_GPU is set: {e}"),
    }
}

/// A wire of 16 edges that nothing damps, so stiff that it swings as a whole.
fn wire(from: V3, to: V3, root: EndSupport, model: RodModel, integrator: Integrator) -> RodsDesc {
    let point = |i: u32| [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * f64::from(i) / 16.0);
    RodsDesc {
        positions: (0..17).map(point).collect(),
        counts: vec![17],
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root,
        order: SweepOrder::Direct,
        model,
        integrator,
        ..RodsDesc::default()
    }
}

/// Amplitudes of the tips in the tenth swing about a pin, as parts of those of the start, of all integrators and models.
fn ten_swings(substeps: u32) -> Option<Vec<f64>> {
    let mut w = world(substeps)?;
    let kinds = [Integrator::First, Integrator::Second].into_iter().flat_map(|i| MODELS.map(|m| (i, m)));
    let ids: Vec<Id> = kinds
        .map(|(integrator, model)| {
            let tip = [0.3 * 0.34, -0.3 * 0.94, 0.0];
            w.add_rods(wire([0.0; 3], tip, EndSupport::Pinned, model, integrator)).unwrap()
        })
        .collect();
    let tip = |w: &World, id: Id| positions(w.rods(id).unwrap())[16].x;
    let start = tip(&w, ids[0]);
    // A swing takes 0.905 s: the tenth is among these frames.
    steps(&mut w, 513, DT);
    let mut most = vec![0.0f64; ids.len()];
    for _ in 0..57 {
        steps(&mut w, 1, DT);
        for (most, &id) in most.iter_mut().zip(&ids) {
            *most = most.max(tip(&w, id).abs() / start);
        }
    }
    Some(most)
}

#[test]
fn a_pendulum_keeps_swinging() {
    for substeps in [2, 4] {
        let Some(kept) = ten_swings(substeps) else { return };
        println!("{substeps} substeps: first order {:?}, second {:?}", &kept[..2], &kept[2..]);
        assert!(kept[..2].iter().all(|k| *k < 0.5), "{kept:?}");
        assert!(kept[2..].iter().all(|k| (0.97..1.003).contains(k)), "{substeps} substeps: {kept:?}");
    }
}

/// Hair of several lengths on a head that turns, over a ball, after 20 frames.
fn groom(model: RodModel) -> Option<(World, Id)> {
    let mut w = world(3)?;
    let ball = ColliderDesc { shape: Shape::Sphere { radius: 0.1 }, ..ColliderDesc::default() };
    w.add_collider(ColliderDesc { pose: Pose { position: [0.0, -0.3, 0.0], ..Pose::IDENTITY }, ..ball }).unwrap();
    let strands: Vec<Vec<V3>> = (0..41).map(|s| curl(3 + s % 11, s as f64)).collect();
    let roots: Vec<V3> = strands.iter().map(|s| s[0]).collect();
    let rods = RodsDesc {
        counts: strands.iter().map(|s| s.len() as u32).collect(),
        positions: strands.concat(),
        radii: vec![1e-4],
        drag: 1.0,
        damping: 2.0,
        viscosity: 1e-3,
        ..wire([0.0; 3], [1.0, 0.0, 0.0], EndSupport::Clamped, model, Integrator::Second)
    };
    let id = w.add_rods(rods).unwrap();
    for frame in 0..20 {
        let (sin, cos) = (0.4 * (0.3 * f64::from(frame)).sin()).sin_cos();
        let pose = |s: usize| Pose { position: roots[s], rotation: [0.0, sin, 0.0, cos] };
        w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
        steps(&mut w, 1, DT);
    }
    Some((w, id))
}

fn saved(w: &World) -> Vec<u8> {
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut state).unwrap();
    state
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    for model in MODELS {
        let Some((mut w, id)) = groom(model) else { return };
        let (state, then) = (saved(&w), w.state_hash());
        steps(&mut w, 10, DT);
        let end = w.state_hash();
        assert_ne!(end, then);
        w.restore_state(&state).unwrap();
        assert_eq!(w.state_hash(), then);
        steps(&mut w, 10, DT);
        assert_eq!(w.state_hash(), end);
        // Another acceleration is another state: that of what the host writes is none.
        w.restore_state(&state).unwrap();
        let mut velocities = Vec::new();
        w.rods(id).unwrap().read_velocities(|_, v| velocities.push(v));
        w.rods_mut(id).unwrap().write_velocities(|i| velocities[i]).unwrap();
        assert_ne!(w.state_hash(), then);
        steps(&mut w, 10, DT);
        assert_ne!(w.state_hash(), end);
    }
}

/// A state of the CPU goes on on the GPU as it does there, accelerations included: the first frame would be off by h² times half of what differs.
#[test]
fn a_state_of_the_cpu_goes_on_on_the_gpu() {
    for model in MODELS {
        let on = |backend| {
            let mut w = World::new(WorldDesc { backend, substeps: 2, ..WorldDesc::default() }).ok()?;
            let rods = wire([0.0; 3], [0.12, -0.3, 0.05], EndSupport::Pinned, model, Integrator::Second);
            let id = w.add_rods(rods).unwrap();
            Some((w, id))
        };
        let Some((mut gpu, there)) = world(2).and_then(|_| on(BackendChoice::Gpu)) else { return };
        let (mut cpu, id) = on(BackendChoice::Cpu).unwrap();
        steps(&mut cpu, 20, DT);
        gpu.restore_state(&saved(&cpu)).unwrap();
        let far = |a: &World, b: &World| {
            let (a, b) = (positions(a.rods(there).unwrap()), positions(b.rods(id).unwrap()));
            a.iter().zip(&b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
        };
        assert_eq!(far(&gpu, &cpu), 0.0);
        steps(&mut gpu, 1, DT);
        steps(&mut cpu, 1, DT);
        let off = far(&gpu, &cpu);
        // And turned about the vertical, by the host.
        let half = 0.5f64;
        let turn = Pose { position: [1.0, 2.0, -3.0], rotation: [0.0, half.sin(), 0.0, half.cos()] };
        gpu.rods_mut(there).unwrap().carry(turn).unwrap();
        cpu.rods_mut(id).unwrap().carry(turn).unwrap();
        steps(&mut gpu, 1, DT);
        steps(&mut cpu, 1, DT);
        println!("{model:?}: {off:e} and {:e} m apart", far(&gpu, &cpu));
        // Without accelerations: 9.81 m/s² times (1/120 s)² over 4, 1.7e-4 m.
        assert!(off < 1e-6 && far(&gpu, &cpu) < 3e-6, "{model:?}: {off:e} {:e}", far(&gpu, &cpu));
    }
}

#[test]
fn an_impact_throws_nothing_back() {
    for model in MODELS {
        for substeps in [1, 4] {
            let Some(mut w) = world(substeps) else { return };
            w.add_collider(ColliderDesc { friction: 0.5, ..ColliderDesc::default() }).unwrap();
            let rods = wire([0.0, 0.3, 0.0], [0.2, 0.3, 0.02], EndSupport::Free, model, Integrator::Second);
            let id = w.add_rods(RodsDesc { collision_radius: 5e-3, ..rods }).unwrap();
            let (mut fallen, mut highest) = (false, 0.0f64);
            for _ in 0..90 {
                steps(&mut w, 1, DT);
                let x = positions(w.rods(id).unwrap());
                let (top, low) = x.iter().fold((f64::MIN, f64::MAX), |(top, low), p| (top.max(p.y), low.min(p.y)));
                fallen |= top < 0.02;
                assert!(low > -2e-3, "{model:?}, {substeps}: {low} below the floor");
                highest = if fallen { highest.max(top) } else { 0.0 };
            }
            assert!(fallen && highest < 0.02, "{model:?}, {substeps}: {highest} after it had fallen");
        }
    }
}

/// A head that is shaken by 70 degrees twice a second, with hair of 16 vertices and a skull: the largest strain, and the fastest vertex, m/s.
fn shaken(backend: BackendChoice, model: RodModel, integrator: Integrator) -> [f64; 2] {
    let strands: Vec<RodsDesc> = (0..32)
        .map(|k| {
            let (z, x) = (0.4 * f64::from(k)).sin_cos();
            wire([0.09 * x, 0.0, 0.09 * z], [0.13 * x, -0.2, 0.13 * z], EndSupport::Clamped, model, integrator)
        })
        .collect();
    let mut w = World::new(WorldDesc { backend, substeps: 8, ..WorldDesc::default() }).unwrap();
    let pose = Pose { position: [0.0, -0.03, 0.0], ..Pose::IDENTITY };
    w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.088 }, pose, ..ColliderDesc::default() }).unwrap();
    let rods = RodsDesc {
        positions: strands.iter().flat_map(|s| s.positions.clone()).collect(),
        counts: vec![17; 32],
        radii: vec![1e-4],
        sag_free: true,
        drag: 2.0,
        ..strands[0].clone()
    };
    let id = w.add_rods(rods).unwrap();
    let mut out = [0.0f64; 2];
    for frame in 1..=60 {
        let angle = 1.2 * (std::f64::consts::TAU * 2.0 * f64::from(frame) * DT).sin();
        let ((sin, cos), (half, rest)) = (angle.sin_cos(), (0.5 * angle).sin_cos());
        let pose = |s: usize| {
            let p = strands[s].positions[0];
            Pose { position: [cos * p[0] + sin * p[2], p[1], cos * p[2] - sin * p[0]], rotation: [0.0, half, 0.0, rest] }
        };
        w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
        steps(&mut w, 1, DT);
        out[0] = out[0].max(w.stats().largest_strain);
        w.rods(id).unwrap().read_velocities(|_, v| out[1] = out[1].max(Vec3::from(v).length()));
        assert_eq!(w.stats().non_finite_strands, 0);
    }
    out
}

#[test]
fn hair_is_shaken_as_on_the_cpu() {
    if world(8).is_none() {
        return;
    }
    for model in MODELS {
        let first = shaken(BackendChoice::Gpu, model, Integrator::First);
        let [gpu, cpu] = [BackendChoice::Gpu, BackendChoice::Cpu].map(|backend| shaken(backend, model, Integrator::Second));
        println!("{model:?}: strain and speed {gpu:?}, on the CPU {cpu:?}, of first order {first:?}");
        assert!(gpu[0] < 1.5 * first[0] + 2e-3 && gpu[0] < 1.5 * cpu[0] + 2e-3, "{model:?}: {gpu:?} {cpu:?} {first:?}");
        assert!(gpu[1] < 1.5 * first[1] && gpu[1] < 1.2 * cpu[1], "{model:?}: {gpu:?} {cpu:?} {first:?}");
    }
}
