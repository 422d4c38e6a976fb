//! `withy bench contact`: a heap of a hundred ropes that has fallen, steps of 1/60 s; the same number of edges that touch nothing, for comparison; heaps of
//! other sizes; strands of hair that touch each other.
//!
//! All steps are done again and again from one saved state.

use crate::Result;
use crate::args::Bench;
use crate::scenes::touch::heap;
use std::time::Instant;
use withy::math::Isa;
use withy::math::rng::Rng;
use withy::world::{ColliderDesc, EndSupport, Id, Inline, Pool, RodsDesc, Stiffness, TaskRunner, World, WorldDesc};

pub const NAME: &str = "contact";

/// Steps before, and steps that are measured.
const FALL: usize = 180;
const WINDOW: usize = 20;

/// What is stepped.
struct Scene {
    name: String,
    rods: RodsDesc,
    fall: usize,
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

fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    for (ropes, touch) in [(100, true), (100, false), (17, true), (200, true)] {
        let rods = RodsDesc { self_contact: touch, ..heap::ropes(ropes) };
        let name = if touch { format!("heap{ropes}") } else { format!("heap{ropes}-apart") };
        all.push(Scene { name, rods, fall: FALL });
    }
    for touch in [true, false] {
        let name = if touch { "hair2000" } else { "hair2000-apart" };
        all.push(Scene { name: name.into(), rods: hair(2000, touch), fall: 60 });
    }
    all
}

fn measure(scene: &Scene, isa: Option<Isa>, threads: u32, seconds: f64) -> Result<String> {
    let pool = if threads > 1 { Some(Pool::new(threads as usize)?) } else { None };
    let runner: &dyn TaskRunner = pool.as_ref().map_or(&Inline, |p| p);
    let mut world = World::new(WorldDesc { isa, ..WorldDesc::default() })?;
    world.add_collider(ColliderDesc::default())?;
    let rods: Id = world.add_rods(scene.rods.clone())?;
    for _ in 0..scene.fall {
        world.step(1.0 / 60.0, runner)?;
    }
    let mut state = vec![0; world.save_state(&mut [])?];
    world.save_state(&mut state)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < WINDOW || begin.elapsed().as_secs_f64() < seconds {
        world.restore_state(&state)?;
        for _ in 0..WINDOW {
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
    for scene in scenes() {
        for &isa in isas {
            for &threads in &options.threads {
                println!("{}", measure(&scene, isa, threads, options.seconds)?);
            }
        }
    }
    Ok(())
}
