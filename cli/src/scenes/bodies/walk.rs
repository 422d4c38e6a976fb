//! Somebody walks and is handed over to the ragdoll in mid-stride: a walk of the CMU motion capture database on a ragdoll that is fitted to its
//! bones, and Jolt's human with its own walk. Spine and neck are arcs. `WITHY_DATA` names the folder of the data.

use super::*;
use crate::render::Bounds;
use crate::scenes::stage::Figure;
use std::path::PathBuf;
use std::sync::Arc;
use withy::io::skeleton::{Clip, Skeleton, read_bvh, read_tof_animation, read_tof_ragdoll};
use withy::math::{Quat, Transform, Vec3};
use withy::ragdoll::{AutoFit, Motion, Ragdoll, RagdollDesc, RagdollSet, Transition};
use withy::world::ColliderDesc;

type Bones = Vec<Transform<f64>>;

/// A description and world poses of its bones, every `dt` seconds.
pub struct Walk {
    pub desc: RagdollDesc,
    pub frames: Vec<Bones>,
    pub dt: f64,
}

fn file(name: &str) -> Result<Vec<u8>> {
    let folder = std::env::var_os("WITHY_DATA").ok_or("set WITHY_DATA to the folder of the characters (docs/scenes.md)")?;
    let path = PathBuf::from(folder).join("skeleton").join(name);
    std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()).into())
}

fn frames(skeleton: &Skeleton, clip: &Clip) -> Vec<Bones> {
    let mut out = Vec::new();
    let mut pose = |local: &Vec<Transform<f64>>| {
        skeleton.world(local, Transform::identity(), &mut out);
        out.clone()
    };
    clip.poses.iter().map(&mut pose).collect()
}

fn step_of(clip: &Clip) -> f64 {
    clip.duration() / (clip.times.len() - 1).max(1) as f64
}

/// Subject 2, trial 1, an inch over 0.45 a unit.
pub fn cmu() -> Result<Walk> {
    let c = read_bvh(&file("cmu_02_01_walk.bvh")?, 0.056444)?;
    let desc = RagdollDesc::auto(&c.skeleton, None, &AutoFit { mass: 75.0, ..AutoFit::default() })?;
    let clip = c.clips.first().ok_or("the walk has no motion")?;
    Ok(Walk { desc, frames: frames(&c.skeleton, clip), dt: step_of(clip) })
}

pub fn jolt() -> Result<Walk> {
    let human = read_tof_ragdoll(&file("jolt_Human.tof")?)?;
    let clip = read_tof_animation(&file("jolt_walk.tof")?)?.on(&human.skeleton)?;
    let mut desc = RagdollDesc::from_tof(&human)?;
    let name = |part: &str| {
        let found = desc.bones.iter().find(|b| b.name.contains(part)).map(|b| b.name.clone());
        found.ok_or_else(|| format!("no bone is called {part}"))
    };
    let (hips, chest, head) = (desc.bones[0].name.clone(), name("Spine_sjnt_4")?, name("Head")?);
    let mut regions = vec![desc.region(&hips, &chest)?, desc.region(&chest, &head)?];
    for r in &mut regions {
        r.axis = [0.0, 0.0, 1.0];
        (r.bend, r.twist, r.viscosity) = ([8.0; 2], 8.0, 0.1);
    }
    desc.regions = regions;
    Ok(Walk { desc, frames: frames(&human.skeleton, &clip), dt: step_of(&clip) })
}

fn clothes_of(bone: &str, clothes: &Clothes) -> Material {
    let name = bone.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
    clothes.cloth(if has(&["head", "neck", "hand", "wrist"]) {
        clothes.skin
    } else if has(&["foot", "ankle", "toe"]) {
        [0.13, 0.12, 0.12]
    } else if has(&["leg", "hip", "knee", "thigh", "shin"]) {
        clothes.trousers
    } else {
        clothes.shirt
    })
}

/// The bodies of an instance; arcs as tubes.
fn draw_set(world: &World, set: &RagdollSet, clothes: Clothes, scene: &mut Scene) -> Result<()> {
    let desc = set.ragdoll().desc();
    for (k, b) in desc.bodies.iter().enumerate().filter(|(k, _)| set.ragdoll().has_body(*k as u32)) {
        let name = &desc.bones[b.bone as usize].name;
        draw(world, set.body(0, k as u32)?, clothes_of(name, &clothes), scene)?;
    }
    for (k, r) in desc.regions.iter().enumerate() {
        let points = arc_points(world, set.joint(0, r.last)?, 16)?;
        let (radius, color) = if k == 0 { (0.085, clothes.shirt) } else { (0.045, clothes.skin) };
        scene.curves.push(tube(&points, radius, clothes.cloth(color)));
    }
    Ok(())
}

/// The lowest point of the bodies, m.
fn lowest(world: &World, set: &RagdollSet) -> Result<f64> {
    let made = (0..set.ragdoll().desc().bodies.len() as u32).filter(|&b| set.ragdoll().has_body(b));
    made.map(|b| super::lowest(world, set.body(0, b)?)).try_fold(f64::INFINITY, |m, y| Ok(m.min(y?)))
}

/// What the handover did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handover {
    /// Of joints and arcs before the first step, m and rad, and the largest on the way.
    pub first: [f64; 2],
    pub most: [f64; 2],
    /// Bones read back against those of the animation, m, before the first step.
    pub back: f64,
    /// Largest change of a body's velocity in the first frame beside gravity's, m/s.
    pub jump: f64,
    /// Sum of kinetic energies at the end, J.
    pub energy: f64,
}

/// Hands over at frame `at`. `see(t, …)`: the animation at the negative times `before`, then every frame of the ragdoll.
pub fn simulate(
    walk: &Walk,
    at: usize,
    seconds: f64,
    before: &[f64],
    mut see: impl FnMut(f64, &World, &RagdollSet) -> Result<()>,
) -> Result<Handover> {
    let ragdoll = Arc::new(Ragdoll::new(&walk.desc)?);
    let frame = |t: f64| ((at as f64 + t / walk.dt).round().max(1.0) as usize).min(walk.frames.len() - 1);
    // The floor is where the feet are at their lowest.
    let mut floor = f64::INFINITY;
    for k in (1..walk.frames.len()).step_by((walk.frames.len() / 60).max(1)) {
        let mut scratch = world(4, 5)?;
        let mut set = RagdollSet::new(ragdoll.clone(), 1)?;
        set.instantiate(&mut scratch, &[0], &walk.frames[k], Motion::Still, Transition::default())?;
        floor = floor.min(lowest(&scratch, &set)?);
    }
    for &t in before {
        let mut scratch = world(4, 5)?;
        let mut set = RagdollSet::new(ragdoll.clone(), 1)?;
        set.instantiate(&mut scratch, &[0], &walk.frames[frame(t)], Motion::Still, Transition::default())?;
        see(t, &scratch, &set)?;
    }
    let mut world = world(4, 5)?;
    let pose = Pose { position: [0.0, floor, 0.0], ..Pose::IDENTITY };
    world.add_collider(ColliderDesc { pose, friction: 0.8, ..ColliderDesc::default() })?;
    let mut set = RagdollSet::new(ragdoll, 1)?;
    let now = &walk.frames[at];
    let motion = Motion::Before { poses: &walk.frames[at - 1], dt: walk.dt };
    set.instantiate(&mut world, &[0], now, motion, Transition::default())?;
    let mut h = Handover::default();
    let mut out = vec![Transform { position: Vec3::zero(), rotation: Quat::identity() }; now.len()];
    set.read_back(&world, &[0], &[], &[], &mut out)?;
    h.back = out.iter().zip(now).fold(0.0, |m, (a, b)| m.max((a.position - b.position).length()));
    let live: Vec<u32> = (0..walk.desc.bodies.len() as u32).filter(|&b| set.ragdoll().has_body(b)).collect();
    let bodies = live.iter().map(|&b| set.body(0, b)).collect::<std::result::Result<Vec<_>, _>>()?;
    let joints: Vec<Id> = world.joints().iter().map(|(id, _)| id).collect();
    let worst = |world: &World| -> Result<[f64; 2]> {
        joints.iter().try_fold([0.0f64; 2], |m, &j| {
            let e = world.joint_error(j)?;
            Ok([m[0].max(e[0]), m[1].max(e[1])])
        })
    };
    let speeds =
        |world: &World| -> Result<Vec<DVec3>> { bodies.iter().map(|&b| Ok(DVec3::from(world.body_motion(b)?[0]))).collect() };
    h.first = worst(&world)?;
    let start = speeds(&world)?;
    see(0.0, &world, &set)?;
    for k in 1..=(seconds / FRAME).round() as u32 {
        step(&mut world)?;
        let e = worst(&world)?;
        h.most = [h.most[0].max(e[0]), h.most[1].max(e[1])];
        if k == 1 {
            let fall = DVec3::new(0.0, -9.81 * FRAME, 0.0);
            h.jump = start.iter().zip(speeds(&world)?).fold(0.0, |m, (a, b)| m.max((b - *a - fall).length()));
        }
        see(f64::from(k) * FRAME, &world, &set)?;
    }
    for &b in &bodies {
        h.energy += world.body_energy(b)?[0];
    }
    Ok(h)
}

fn run(walk: &Walk, title: &'static str, at: usize, before: &[f64], after: &[f64]) -> Result<Figure> {
    /// Between two poses, m.
    const GAP: f32 = 0.25;
    let hips = |k: usize| walk.frames[k][0].position;
    let (from, to) = (hips(0), hips(walk.frames.len() - 1));
    let way = DVec3::new(to.x - from.x, 0.0, to.z - from.z);
    let along = if way.length() > 0.3 { way.normalize() } else { DVec3::Z };
    let look = DVec3::Y.cross(along);
    let look = (look - 0.18 * DVec3::Y).normalize();
    let mut figure = Figure {
        title,
        subtitle: "pale: the animation; from 0 s on the ragdoll, 4 substeps of 5 iterations".into(),
        size: (900, 330),
        columns: 1,
        direction: floats(look),
        ..Figure::default()
    };
    let mut scene = Scene::default();
    let mut shown = 0;
    let mut free = 0.0;
    let last = *after.last().unwrap_or(&0.0);
    let mut words = String::new();
    let mut low = f64::INFINITY;
    let h = simulate(walk, at, last, before, |t, world, set| {
        let due = t < 0.0 || (shown < after.len() && t >= after[shown] - 1e-6);
        if due {
            let strength = if t < 0.0 { 0.25 } else { 1.0 };
            let mut one = Scene::default();
            draw_set(world, set, Clothes { strength, ..Clothes::number(if t < 0.0 { 0 } else { 1 }) }, &mut one)?;
            low = low.min(lowest(world, set)?);
            // Each begins where the one before ends.
            let [first, end] = Bounds::along(&one, along.as_vec3());
            scene.add_moved(&one, (along.as_vec3() * (free - first)).to_array());
            free += end - first + GAP;
            words += &format!("{}{t:.2}", if words.is_empty() { "" } else { ", " });
            shown += usize::from(t >= 0.0);
        }
        Ok(())
    })?;
    scene.primitives.push(crate::scenes::stage::floor(low as f32, 0.0));
    figure.shot(format!("{words} s, from left to right"), scene);
    let ragdoll = Ragdoll::new(&walk.desc)?;
    figure.numbers = vec![
        format!(
            "{} bones, {} bodies, {} joints, {} of them arcs",
            ragdoll.bones(),
            ragdoll.body_count(),
            ragdoll.joint_count(),
            walk.desc.regions.len()
        ),
        format!(
            "handed over: joints off by {:.1e} m and {:.1e} rad, bones read back {:.1e} m from the animation; first frame changes velocities by {:.2} m/s at most",
            h.first[0], h.first[1], h.back, h.jump
        ),
        format!(
            "on the way: joints off by {:.1} mm and {:.3} rad at most; {:.2} J after {last} s",
            1e3 * h.most[0],
            h.most[1],
            h.energy
        ),
    ];
    Ok(figure)
}

pub fn figure() -> Result<Figure> {
    let walk = cmu()?;
    let at = walk.frames.len() / 2;
    run(&walk, "Walk", at, &[-0.9, -0.45], &[0.0, 0.25, 0.45, 0.7, 2.5])
}

pub fn figure_jolt() -> Result<Figure> {
    let walk = jolt()?;
    let at = walk.frames.len() / 2;
    run(&walk, "Jolt's human", at, &[-0.3], &[0.0, 0.25, 0.45, 0.7, 2.5])
}
