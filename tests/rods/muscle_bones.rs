//! Muscles between bodies.

use withy::math::{Quat, Vec3};
use withy::tasks::Inline;
use withy::world::*;

const FRAME: f64 = 1.0 / 60.0;
const LENGTH: f64 = 0.3;
const STRANDS: usize = 7;
const EDGES: usize = 12;

/// Seven strands from y = LENGTH down to y = 0, thin at both ends.
fn muscle() -> RodsDesc {
    let (mut positions, mut radii) = (Vec::new(), Vec::new());
    for k in 0..STRANDS {
        let angle = core::f64::consts::TAU * k as f64 / 6.0;
        for v in 0..=EDGES {
            let t = v as f64 / EDGES as f64;
            let thick = 0.3 + 0.7 * (core::f64::consts::PI * t).sin();
            let out = if k == 0 { 0.0 } else { 0.014 * thick };
            positions.push([out * angle.cos(), LENGTH * (1.0 - t), out * angle.sin()]);
            radii.push(0.0075 * thick);
        }
    }
    RodsDesc {
        positions,
        counts: vec![EDGES as u32 + 1; STRANDS],
        radii,
        stiffness: Stiffness::Physical { young: 6e4, shear: 2e4 },
        poisson_ratio: 0.499,
        density: 1060.0,
        damping: 2.0,
        viscosity: 0.01,
        muscle: Some(Muscle::RestShape { shortest: 0.7 }),
        strands_per_bundle: STRANDS as u32,
        bundle_stiffness: 1e4,
        ..RodsDesc::default()
    }
}

fn bone(world: &mut World, y: f64, motion: BodyMotion) -> Result<Id> {
    world.add_body(&BodyDesc {
        motion,
        pose: Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.03 }, mask: 0, ..ShapeDesc::default() }],
        mass: 1.0,
        can_sleep: false,
        ..BodyDesc::default()
    })
}

fn points(world: &World, rods: Id) -> Result<Vec<Vec3<f64>>> {
    let mut x = Vec::new();
    world.rods(rods)?.read_positions(|_, p| x.push(Vec3::from(p)));
    Ok(x)
}

/// Between a bone that stands and one that floats, without weight.
#[test]
fn a_muscle_starts_without_a_pop() -> Result<()> {
    for double_precision in [true, false] {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision, ..WorldDesc::default() })?;
        let upper = bone(&mut world, LENGTH, BodyMotion::Kinematic)?;
        let lower = bone(&mut world, 0.0, BodyMotion::Dynamic)?;
        let rods = world.add_muscle(muscle(), Some(upper), Some(lower), true)?;
        let before = points(&world, rods)?;
        for _ in 0..60 {
            world.step(FRAME, &Inline)?;
        }
        let after = points(&world, rods)?;
        let most = before.iter().zip(&after).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        assert!(most < if double_precision { 1e-9 } else { 2e-5 }, "{most} m in {double_precision}");
        let state = world.rods(rods)?.muscle_state();
        assert!((state.length - before_length(&before)).abs() < 1e-4 && state.force.abs() < 1e-2, "{state:?}");
    }
    Ok(())
}

fn before_length(x: &[Vec3<f64>]) -> f64 {
    let strand = |s: &[Vec3<f64>]| s.windows(2).map(|e| (e[1] - e[0]).length()).sum::<f64>();
    x.chunks(EDGES + 1).map(strand).sum::<f64>() / STRANDS as f64
}

/// Animation turns a bone by 90° about a far joint from one frame to the next: the ends stay on it, and a second later the muscle lies straight between
/// both bones at the volume that it had.
#[test]
fn a_bone_that_turns_in_a_frame_keeps_its_muscle() -> Result<()> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
    let upper = bone(&mut world, LENGTH, BodyMotion::Kinematic)?;
    let lower = bone(&mut world, 0.0, BodyMotion::Kinematic)?;
    let rods = world.add_muscle(muscle(), Some(upper), Some(lower), false)?;
    world.step(FRAME, &Inline)?;
    // About (0.2, 0.3): from (0, 0) to (0.5, 0.1).
    let (sin, cos) = core::f64::consts::FRAC_PI_4.sin_cos();
    let turned = Pose { position: [0.5, 0.1, 0.0], rotation: [0.0, 0.0, sin, cos] };
    world.set_body_target(lower, turned)?;
    let rotation = Quat { x: 0.0, y: 0.0, z: sin, w: cos };
    let begin = points(&world, rods)?;
    for frame in 0..60 {
        world.step(FRAME, &Inline)?;
        let x = points(&world, rods)?;
        assert!(x.iter().all(|p| p.length() < 2.0), "frame {frame}: flies apart");
        for s in 0..STRANDS {
            let tip = s * (EDGES + 1) + EDGES;
            let wanted = Vec3::from(turned.position) + rotation.rotate(begin[tip]);
            let away = (x[tip] - wanted).length();
            assert!(away < 1e-6, "frame {frame}, strand {s}: {away} m off its bone");
        }
    }
    let state = world.rods(rods)?.muscle_state();
    let straight = (0.5_f64 * 0.5 + 0.2 * 0.2).sqrt();
    assert!((state.length / straight - 1.0).abs() < 0.05, "{state:?}, {straight}");
    assert!((state.volume - 1.0).abs() < 0.02 && state.force > 0.5, "{state:?}");
    Ok(())
}

#[test]
fn what_is_no_muscle_is_refused() -> Result<()> {
    let mut world = World::new(WorldDesc::default())?;
    let upper = bone(&mut world, LENGTH, BodyMotion::Kinematic)?;
    let lower = bone(&mut world, 0.0, BodyMotion::Dynamic)?;
    let mut refused = |desc: RodsDesc, a: Option<Id>, b: Option<Id>, words: &str| {
        let error = world.add_muscle(desc, a, b, false).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(words), "{words}: {error}");
    };
    refused(RodsDesc { muscle: None, ..muscle() }, Some(upper), None, "muscle is not given");
    refused(muscle(), Some(upper), Some(upper), "insertion is the body that origin is");
    refused(RodsDesc { root: EndSupport::Pinned, ..muscle() }, Some(upper), None, "root is Pinned");
    refused(RodsDesc { bundle_stiffness: f64::INFINITY, ..muscle() }, Some(upper), Some(lower), "bundle_stiffness is inf");
    let contractile = vec![1.0; 5];
    refused(RodsDesc { contractile, ..muscle() }, Some(upper), Some(lower), "contractile");
    world.remove_body(lower)?;
    let error = world.add_muscle(muscle(), Some(upper), Some(lower), false);
    assert!(error.is_err_and(|e| e.to_string().contains("insertion")));
    Ok(())
}

/// Edges that do not contract are tendons: they keep their length when the rest shortens.
#[test]
fn tendons_are_never_active() -> Result<()> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
    let contractile = (0..STRANDS * EDGES).map(|e| f64::from(u8::from(e % EDGES >= 4))).collect();
    let rods = world.add_muscle(RodsDesc { contractile, ..muscle() }, None, None, false)?;
    world.rods_mut(rods)?.set_activation(|_| 1.0)?;
    for _ in 0..120 {
        world.step(FRAME, &Inline)?;
    }
    let mut strain = Vec::new();
    world.rods(rods)?.read_strain(|_, e| strain.push(e));
    let mut active = Vec::new();
    world.rods(rods)?.read_activation(|_, a| active.push(a));
    assert_eq!((active[0], active[EDGES - 1]), (0.0, 1.0));
    assert!(strain[0].abs() < 0.02 && (strain[EDGES - 1] + 0.3).abs() < 0.02, "{strain:?}");
    Ok(())
}
/// What is tied to a body that the host moves is where the host wanted it, at the end of the same step, and has its velocity.
#[test]
fn ends_do_not_lag_behind_the_host() -> Result<()> {
    for (substeps, bundled) in [(8, true), (8, false), (1, false)] {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps, ..WorldDesc::default() })?;
        let upper = bone(&mut world, LENGTH, BodyMotion::Kinematic)?;
        let lower = bone(&mut world, 0.0, BodyMotion::Kinematic)?;
        let strands_per_bundle = if bundled { STRANDS as u32 } else { 0 };
        let rods =
            world.add_muscle(RodsDesc { strands_per_bundle, damping: 0.0, ..muscle() }, Some(upper), Some(lower), false)?;
        let speed = 1.2;
        for frame in 1..=20 {
            let x = speed * FRAME * f64::from(frame);
            world.set_body_target(lower, Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY })?;
            world.step(FRAME, &Inline)?;
            let tip = points(&world, rods)?[EDGES];
            assert!((tip.x - x).abs() < 1e-6, "frame {frame} of {substeps} substeps: {} for {x}", tip.x);
            let mut v = Vec::new();
            world.rods(rods)?.read_velocities(|_, u| v.push(u));
            assert!((v[EDGES][0] / speed - 1.0).abs() < 1e-3, "frame {frame}: {} m/s for {speed}", v[EDGES][0]);
        }
    }
    Ok(())
}
