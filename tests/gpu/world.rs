//! A world on the GPU, as a host uses it: driven roots, pins, colliders, forces, edits between steps, saved states. The same
//! calls on a CPU world must lead to the same motion.
use withy::math::Vec3;
use withy::world::*;

fn groom() -> RodsDesc {
    let mut d = RodsDesc {
        root: EndSupport::Clamped,
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        drag: 0.5,
        damping: 1.0,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    };
    for s in 0..40u32 {
        let n = 6 + s % 7;
        d.counts.push(n);
        d.positions.extend((0..n).map(|v| [0.02 * s as f64, 1.0 + 0.01 * v as f64, 0.03 * v as f64]));
    }
    d
}

fn world(backend: BackendChoice) -> Option<World> {
    match World::new(WorldDesc { backend, substeps: 4, iterations: 6, ..WorldDesc::default() }) {
        Ok(w) => Some(w),
        Err(e) if std::env::var_os("WITHY_REQUIRE_GPU").is_none() => {
            assert_eq!(e.kind, ErrorKind::Unsupported);
            assert!(!e.message.is_empty());
            eprintln!("skipped: {e}");
            None
        }
        Err(e) => panic!("WITHY_REQUIRE_GPU is set: {e}"),
    }
}

/// Half a second of everything a host does to a groom.
fn play(w: &mut World) -> (Id, Vec<Vec3<f64>>, StepStats) {
    let id = w.add_rods(groom()).unwrap();
    w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.1 }, pose: at([0.3, 0.85, 0.1]), ..ColliderDesc::default() })
        .unwrap();
    for frame in 0..30 {
        let t = frame as f64 / 60.0;
        let rods = w.rods_mut(id).unwrap();
        rods.set_root_poses(|s| at([0.02 * s as f64 + 0.1 * t, 1.0, 0.0]), false).unwrap();
        match frame {
            5 => rods.set_pin(9, Some([0.05, 1.1, 0.1]), false).unwrap(),
            15 => rods.set_pin(9, None, false).unwrap(),
            10 => rods.set_forces(|_| [0.0, 0.0, 1e-5]).unwrap(),
            20 => rods.set_rest_shape(RestShape::Straight).unwrap(),
            25 => {
                let mut now = Vec::new();
                rods.read_positions(|_, p| now.push(p));
                rods.write_positions(|i| now[i]).unwrap();
            }
            _ => {}
        }
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut p: Vec<Vec3<f64>> = Vec::new();
    w.rods(id).unwrap().read_positions(|_, x| p.push(x.into()));
    (id, p, w.stats())
}

fn at(position: [f64; 3]) -> Pose {
    Pose { position, ..Pose::IDENTITY }
}

#[test]
fn the_same_calls_lead_to_the_same_motion() {
    let Some(mut gpu) = world(BackendChoice::Gpu) else { return };
    assert!(gpu.backend_name().starts_with("gpu"), "{}", gpu.backend_name());
    let (_, a, sa) = play(&mut gpu);
    let (_, b, sb) = play(&mut world(BackendChoice::Cpu).unwrap());
    // Rounding differs (the GPU may reassociate); in half a second of this scene it grows to micrometres.
    let worst = a.iter().zip(&b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(worst < 2e-3, "vertices up to {worst} m apart");
    let mean = a.iter().zip(&b).map(|(a, b)| (*a - *b).length()).sum::<f64>() / a.len() as f64;
    assert!(mean < 1e-4, "vertices {mean} m apart in the mean");
    assert!((sa.largest_strain - sb.largest_strain).abs() < 1e-2, "{} {}", sa.largest_strain, sb.largest_strain);
    assert_eq!(sa.non_finite_strands, 0);
    assert!(sa.contacts > 0 && sa.contacts.abs_diff(sb.contacts) <= 3, "{} {}", sa.contacts, sb.contacts);
}

#[test]
fn a_saved_state_comes_back() {
    let Some(mut w) = world(BackendChoice::Gpu) else { return };
    play(&mut w);
    let mut saved = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut saved).unwrap();
    let then = w.state_hash();
    for _ in 0..5 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let later = w.state_hash();
    assert_ne!(later, then);
    w.restore_state(&saved).unwrap();
    assert_eq!(w.state_hash(), then);
    for _ in 0..5 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    assert_eq!(w.state_hash(), later, "the same device gives the same bits");
}

/// A character of bodies and hair in one world: a pendulum of two tapered capsules swings through the groom. The bodies go as beside rods on the CPU that do not push them, to
/// the bit, and the strands as those.
#[test]
fn rods_meet_bodies_that_step_beside_them() {
    let run = |backend| {
        let mut w = world(backend)?;
        let rods = w.add_rods(RodsDesc { one_way: true, ..groom() }).unwrap();
        let limb = |y: f64| BodyDesc {
            pose: at([0.4, y, 0.1]),
            spin: [2.0, 0.0, 0.0],
            shapes: vec![ShapeDesc {
                shape: BodyShape::TaperedCapsule { half_height: 0.06, bottom: 0.03, top: 0.05 },
                ..ShapeDesc::default()
            }],
            ..BodyDesc::default()
        };
        let (a, b) = (w.add_body(&limb(0.9)).unwrap(), w.add_body(&limb(0.7)).unwrap());
        let kind = JointKind::Ball { limits: None };
        for (a, b, y) in [(None, a, 1.0), (Some(a), b, -0.1)] {
            let frame_a = if a.is_none() { at([0.4, y, 0.1]) } else { at([0.0, y, 0.0]) };
            w.add_joint(&JointDesc {
                a,
                b,
                frame_a,
                frame_b: at([0.0, 0.1, 0.0]),
                kind: kind.clone(),
                motor: None,
                collide: false,
            })
            .unwrap();
        }
        let mut touched = 0;
        for _ in 0..40 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            touched += w.stats().contacts;
        }
        let (mut p, pose) = (Vec::new(), w.body_pose(b).unwrap());
        w.rods(rods).unwrap().read_positions(|_, x| p.push(Vec3::from(x)));
        Some((p, pose, touched))
    };
    let Some((gpu, pose, touched)) = run(BackendChoice::Gpu) else { return };
    let (cpu, pose_there, touched_there) = run(BackendChoice::Cpu).unwrap();
    assert_eq!(pose.position.map(f64::to_bits), pose_there.position.map(f64::to_bits), "{pose:?} {pose_there:?}");
    let far = gpu.iter().zip(&cpu).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    println!("{far:e} m apart; {touched} contacts, {touched_there} on the CPU");
    assert!(touched > 100 && touched_there > 100, "{touched} {touched_there}");
    assert!(far < 2e-4, "{far}");
}

/// Render hair that is bound where the strands are goes where they go.
#[test]
fn render_hair_follows_strands_on_the_gpu() {
    use withy::hair::{BindOptions, Lod, Out, Strands, Target};
    let Some(mut w) = world(BackendChoice::Gpu) else { return };
    let d = groom();
    let id = w.add_rods(d.clone()).unwrap();
    let strands = Strands { counts: &d.counts, positions: &d.positions, widths: &[] };
    let hair = w.add_hair(&[id], HairSource::Groom(strands), &BindOptions::default()).unwrap();
    (0..20).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
    let mut p = Vec::new();
    w.rods(id).unwrap().read_positions(|_, x| p.push(Vec3::from(x)));
    let mut found = vec![[f64::NAN; 3]; p.len()];
    // SAFETY: there is room for as many vertices.
    unsafe {
        let positions = Target::new(found.as_mut_ptr().cast(), 24, true);
        w.read_hair(hair, Lod::default(), &Inline, Out::new(positions, Target::NONE)).unwrap();
    }
    let far = found.iter().zip(&p).map(|(a, b)| (Vec3::from(*a) - *b).length()).fold(0.0, f64::max);
    let fell = p.iter().zip(&d.positions).map(|(a, b)| (*a - Vec3::from(*b)).length()).fold(0.0, f64::max);
    println!("{far:e} m from its strands, which went {fell:.3} m");
    assert!(fell > 0.05 && far < 0.02 * fell, "{far} {fell}");
}

/// All that a host does to a set that is in several parts, with a skin and render hair that follow it, comes to the bits of one that is not; and so does
/// what is saved of either.
#[test]
fn a_split_set_is_one_to_its_host() {
    use withy::gpu::GpuDevice;
    use withy::hair::{BindOptions, Lod, Out, Strands, Target};
    use withy::layout::{Layout, state};
    use withy::skin::Mesh;
    if world(BackendChoice::Gpu).is_none() {
        return;
    }
    let gpu = GpuDevice::new(&GpuCache::default()).unwrap();
    let d = groom();
    let bytes = |b: &withy::layout::Block| (b.width * b.vertices * state::ROWS * 4) as u64;
    let blocks: Vec<u64> = Layout::new(d.counts.clone()).blocks.iter().map(bytes).collect();
    let (largest, all) = (blocks.iter().copied().max().unwrap(), blocks.iter().sum::<u64>());
    assert!(all > largest);
    let run = |gpu: &GpuDevice| {
        let mut w = World::on(gpu, WorldDesc { substeps: 4, iterations: 6, ..WorldDesc::default() }).unwrap();
        let (id, mut found, stats) = play(&mut w);
        let counts: Vec<u32> = d.counts.clone();
        let positions: Vec<[f64; 3]> = found.iter().map(|p| p.to_array()).collect();
        let strands = Strands { counts: &counts, positions: &positions, widths: &[] };
        let hair = w.add_hair(&[id], HairSource::Groom(strands), &BindOptions::default()).unwrap();
        let triangles: Vec<[u32; 3]> = (0..positions.len() as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
        let mesh = Mesh { positions: &positions, triangles: &triangles, normals: &[], tangents: &[] };
        let skin = w.add_skin(&mesh, &[id], SkinWeights::Pills(Default::default())).unwrap();
        let (then, hash) = (saved(&w), w.state_hash());
        (0..5).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        w.restore_state(&then).unwrap();
        assert_eq!(w.state_hash(), hash);
        (0..5).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        let mut render = vec![[f64::NAN; 3]; positions.len()];
        // SAFETY: there is room for as many vertices.
        unsafe {
            let target = Target::new(render.as_mut_ptr().cast(), 24, true);
            w.read_hair(hair, Lod::default(), &Inline, Out::new(target, Target::NONE)).unwrap();
        }
        let mut skinned = vec![[f64::NAN; 3]; positions.len()];
        w.read_skin(skin, SkinRead::Positions, &Inline, |i, p| skinned[i] = p).unwrap();
        found.extend(render.into_iter().chain(skinned).map(Vec3::from));
        let bits: Vec<[u64; 3]> = found.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
        assert!(found.iter().all(|p| p.length2().is_finite()));
        (bits, then, w.state_hash(), stats.contacts)
    };
    let (one, split) = (run(&gpu), run(&gpu.with_largest_buffer(largest)));
    assert!(one.0 == split.0 && one.1 == split.1);
    assert_eq!((one.2, one.3), (split.2, split.3));
    // The limit is one: below it a block has no room.
    let mut w = World::on(&gpu.with_largest_buffer(largest - 1), WorldDesc::default()).unwrap();
    assert!(w.add_rods(groom()).unwrap_err().message.contains("need a GPU buffer"));
}

fn saved(w: &World) -> Vec<u8> {
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut state).unwrap();
    state
}

#[test]
fn what_the_gpu_cannot_do_is_said() {
    let Some(mut w) = world(BackendChoice::Gpu) else { return };
    let refused = w.add_mesh(MeshDesc::default()).unwrap_err();
    assert!(refused.kind == ErrorKind::Unsupported && refused.message.contains("meshes that do not collide"), "{refused}");
    // As docs/internals/gpu.md says: a software rasteriser counts the turns of loops.
    let long = |n: u32| RodsDesc {
        counts: vec![n],
        positions: (0..n).map(|v| [0.01 * f64::from(v), 0.0, 0.0]).collect(),
        order: SweepOrder::Direct,
        integrator: Integrator::First,
        ..groom()
    };
    assert!(w.add_rods(long(682)).is_ok());
    let software = w.backend_name().contains("llvmpipe");
    let refused = w.add_rods(long(683)).err().map(|e| (e.kind, e.message.contains("turns of loops")));
    assert_eq!(refused, software.then_some((ErrorKind::Unsupported, true)));
    let second = |n: u32| RodsDesc { integrator: Integrator::Second, ..long(n) };
    assert!(w.add_rods(second(642)).is_ok());
    assert_eq!(w.add_rods(second(643)).is_err(), software);
    let d = WorldDesc { backend: BackendChoice::Gpu, double_precision: true, ..WorldDesc::default() };
    assert!(World::new(d.clone()).unwrap_err().message.contains("f64"));
    let auto = World::new(WorldDesc { backend: BackendChoice::Auto, ..d }).unwrap();
    assert!(auto.backend_name().starts_with("cpu (no gpu: "), "{}", auto.backend_name());
    // Software is slower than the CPU's own solver: only who names it gets it.
    let auto = World::new(WorldDesc { backend: BackendChoice::Auto, ..WorldDesc::default() }).unwrap();
    assert_eq!(auto.backend_name().starts_with("cpu (no gpu: "), software, "{}", auto.backend_name());
}
