//! `withy bench contact`: a heap of a hundred ropes that has fallen, steps of 1/60 s; the same number of edges that touch nothing, for comparison; heaps of
//! other sizes; strands of hair that touch each other; nets of many junctions; strands that lie on many bodies.
//!
//! All steps are done again and again from one saved state.

use crate::Result;
use crate::args::Bench;
use crate::scenes::bodies::thrown::strings;
use crate::scenes::touch::heap;
use std::time::Instant;
use withy::math::Isa;
use withy::math::rng::Rng;
use withy::world::{
    BodyDesc, BodyShape, ColliderDesc, EndSupport, Id, Inline, Pool, Pose, RodsDesc, ShapeDesc, Stiffness, StrandEnd, TaskRunner,
    World, WorldDesc,
};

pub const NAME: &str = "contact";

/// Steps before, and steps that are measured.
const FALL: usize = 180;
const WINDOW: usize = 20;

/// What is stepped.
struct Scene {
    name: String,
    rods: RodsDesc,
    /// Ends that junctions hold, and bodies under the strands.
    junctions: Vec<Vec<StrandEnd>>,
    bodies: Vec<BodyDesc>,
    fall: usize,
    window: usize,
}

/// A net of `side`² junctions whose corners are held.
fn net(side: usize) -> (RodsDesc, Vec<Vec<StrandEnd>>) {
    let (positions, ends) = strings(side, 0.05, 3);
    let count = positions.len() / 4;
    let rods = RodsDesc {
        positions,
        counts: vec![4; count],
        radii: vec![2.5e-3],
        stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
        stretch_modulus: 2e7,
        damping: 3.0,
        ..RodsDesc::default()
    };
    (rods, ends)
}

/// `count` strands across so many balls in a row that lie on the ground.
fn over_bodies(count: usize, balls: usize) -> (RodsDesc, Vec<BodyDesc>) {
    let radius = 0.1;
    let bodies = (0..balls).map(|k| {
        let position = [0.25 * k as f64, radius, 0.0];
        let shapes = vec![ShapeDesc { shape: BodyShape::Sphere { radius }, ..ShapeDesc::default() }];
        BodyDesc { pose: Pose { position, ..Pose::IDENTITY }, shapes, mass: 2.0, can_sleep: false, ..BodyDesc::default() }
    });
    let length = 0.25 * balls as f64;
    let positions = (0..count).flat_map(|k| {
        let x = length * (k as f64 + 0.5) / count as f64 - 0.125;
        (0..17).map(move |v| [x, 2.0 * radius + 0.01, 0.04 * (f64::from(v) - 8.0)])
    });
    let rods = RodsDesc {
        positions: positions.collect(),
        counts: vec![17; count],
        radii: vec![2e-3],
        stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
        stretch_modulus: 2e7,
        damping: 3.0,
        can_sleep: false,
        ..RodsDesc::default()
    };
    (rods, bodies.collect())
}

/// Ropes of 20 edges that fall side by side, every second across the others and a little above them, each as near to as many others however many there are.
fn crossing(ropes: usize, touch: bool) -> RodsDesc {
    let columns = (ropes as f64).sqrt() as usize;
    let positions = (0..ropes).flat_map(|k| {
        let (i, j) = (k % columns, k / columns);
        let (x, z, y) = (0.12 * i as f64, 0.12 * j as f64, 30.0 + 0.011 * (k % 2) as f64);
        (0..21).map(move |v| {
            let along = 0.02 * (f64::from(v) - 10.0);
            if k % 2 == 0 { [x + along, y, z] } else { [x, y, z + along] }
        })
    });
    RodsDesc {
        positions: positions.collect(),
        counts: vec![21; ropes],
        radii: vec![5e-3],
        stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
        self_contact: touch,
        ..RodsDesc::default()
    }
}

/// Hair of 32 vertices on a cap, that falls to one side.
fn hair(strands: usize, touch: bool) -> RodsDesc {
    let mut rng = Rng::new(5);
    let mut positions = Vec::new();
    for _ in 0..strands {
        let (a, y) = (rng.range(0.0, std::f64::consts::TAU), rng.range(0.3, 1.0));
        let r = f64::sqrt(1.0 - y * y);
        let n = [r * a.cos(), y, r * a.sin()];
        positions.extend((0..32).map(|v| n.map(|c| c * (0.1 + 0.008 * f64::from(v)))));
    }
    RodsDesc {
        positions,
        counts: vec![32; strands],
        radii: vec![3e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root: EndSupport::Clamped,
        damping: 4.0,
        drag: 3.0,
        self_contact: touch,
        ..RodsDesc::default()
    }
}

impl Scene {
    fn of(rods: RodsDesc) -> Scene {
        Scene { name: String::new(), rods, junctions: Vec::new(), bodies: Vec::new(), fall: FALL, window: WINDOW }
    }
}

fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    for (ropes, touch) in [(100, true), (100, false), (17, true), (200, true)] {
        let rods = RodsDesc { self_contact: touch, ..heap::ropes(ropes) };
        let name = if touch { format!("heap{ropes}") } else { format!("heap{ropes}-apart") };
        all.push(Scene { name, fall: FALL, ..Scene::of(rods) });
    }
    for touch in [true, false] {
        let name = if touch { "hair2000" } else { "hair2000-apart" };
        all.push(Scene { name: name.into(), fall: 60, ..Scene::of(hair(2000, touch)) });
    }
    for side in [32, 100] {
        let (rods, junctions) = net(side);
        all.push(Scene { name: format!("net{}", side * side), junctions, fall: 3, window: 3, ..Scene::of(rods) });
    }
    for ropes in [50, 500, 5000] {
        for touch in [true, false] {
            let name = if touch { format!("pairs{ropes}") } else { format!("pairs{ropes}-apart") };
            all.push(Scene { name, fall: 20, ..Scene::of(crossing(ropes, touch)) });
        }
    }
    let (rods, bodies) = over_bodies(1000, 100);
    all.push(Scene { name: "bodies100".into(), bodies, fall: 60, ..Scene::of(rods) });
    all
}

fn measure(scene: &Scene, isa: Option<Isa>, threads: u32, seconds: f64) -> Result<String> {
    let pool = if threads > 1 { Some(Pool::new(threads as usize)?) } else { None };
    let runner: &dyn TaskRunner = pool.as_ref().map_or(&Inline, |p| p);
    let mut world = World::new(WorldDesc { isa, ..WorldDesc::default() })?;
    world.add_collider(ColliderDesc::default())?;
    for body in &scene.bodies {
        world.add_body(body)?;
    }
    let rods: Id = world.add_rods(scene.rods.clone())?;
    let side = (scene.junctions.len() as f64).sqrt() as usize;
    for (k, here) in scene.junctions.iter().enumerate() {
        if [0, side - 1].contains(&(k / side)) && [0, side - 1].contains(&(k % side)) {
            for e in here {
                let vertex = 4 * e.strand + if e.tip { 3 } else { 0 };
                world.rods_mut(rods)?.set_pin(vertex, Some(scene.rods.positions[vertex as usize]), true)?;
            }
        } else {
            let ends: Vec<(Id, StrandEnd)> = here.iter().map(|e| (rods, *e)).collect();
            world.add_junction(&ends, 4e-3, 2e-3)?;
        }
    }
    for _ in 0..scene.fall {
        world.step(1.0 / 60.0, runner)?;
    }
    let mut state = vec![0; world.save_state(&mut [])?];
    world.save_state(&mut state)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < scene.window || begin.elapsed().as_secs_f64() < seconds {
        world.restore_state(&state)?;
        for _ in 0..scene.window {
            let begin = Instant::now();
            world.step(1.0 / 60.0, runner)?;
            times.push(begin.elapsed().as_secs_f64());
        }
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let work = world.contact_work();
    let mut fastest = 0.0_f64;
    world.rods(rods)?.read_velocities(|_, v| fastest = fastest.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
    let edges = world.rods(rods)?.edge_count();
    let each = if work.products > 0 { 1e9 * median / (f64::from(work.contacts) * f64::from(work.products)) } else { 0.0 };
    Ok(format!(
        "{{\"bench\":\"{NAME}\",\"scene\":\"{}\",\"edges\":{edges},\"pairs\":{},\"contacts\":{},\"iterations\":{},\
         \"ns_per_contact_iteration\":{each:.2},\"ms_per_step\":{:.4},\"ms_least\":{:.4},\"isa\":\"{}\",\"threads\":{threads},\
         \"fastest_m_s\":{fastest:.4},\"state_hash\":\"{:016x}\"}}",
        scene.name,
        work.pairs,
        work.contacts,
        work.products,
        1e3 * median,
        1e3 * times[0],
        world.isa().name(),
        world.state_hash()
    ))
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    for scene in scenes().into_iter().filter(|s| s.name.starts_with(&options.only)) {
        for &isa in isas {
            for &threads in &options.threads {
                println!("{}", measure(&scene, isa, threads, options.seconds)?);
            }
        }
    }
    Ok(())
}
