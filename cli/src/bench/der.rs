//! `withy bench der`: steps of discrete elastic rods in a world; `sagfree`: their rest shapes, below the world, in the library's lanes;
//! `sagfree-world`: as a user of a world pays for them, description, certificate and report included.
//!
//! A step is one implicit step of 1/60 s with one Newton iteration: Hessian, LDLᵀ, directions, velocities. A rest shape is found from the
//! pose each time. Times are of one core: wall clock times threads, over strands.

use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::math::Isa;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::rods::der::strand::Strands;
use withy::sagfree::batch::{Batch, Material, Status, StrandDesc};
use withy::sagfree::rest_shape::Options;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::{EndSupport, RodModel, RodsDesc, Stiffness, World, WorldDesc};

/// 30 cm down and 10 aside, with waves of 2 cm out of plane; each strand in another phase.
fn wavy(vertices: usize, strand: usize) -> Vec<Vec3<f64>> {
    waves(vertices, vertices, strand)
}

/// The same, going on beyond the first `of` vertices with the same edges, or ending before.
fn waves(vertices: usize, of: usize, strand: usize) -> Vec<Vec3<f64>> {
    let p = 0.37 * strand as f64;
    let at = |u: f64| vec3(0.02 * (25.0 * u + p).sin(), -0.3 * u, 0.02 * (17.0 * u + 2.0 * p).cos() + 0.1 * u);
    (0..vertices).map(|i| at(i as f64 / (of - 1) as f64)).collect()
}

/// Strands of any length with the edges of the 100-vertex one: the more vertices, the longer. (A strand cut finer is stiffer against its
/// inertia, which takes more second assemblies: that is another question.)
const FINENESS: usize = 100;

fn built(points: Vec<Vec3<f64>>, material: Material) -> Strands<f64> {
    let (axis, gravity) = (vec3(0.0, 0.0, 0.0), vec3(0.0, -9.81, 0.0));
    StrandDesc { points, axis, material, gravity, root: EndSupport::Clamped, tip: EndSupport::Free }.build()
}

fn groom(strands: usize, vertices: usize) -> Vec<Strands<f64>> {
    (0..strands).map(|k| built(wavy(vertices, k), Material::default())).collect()
}

/// The same strands for a world; `of` as in [`waves`].
fn rods(strands: usize, vertices: usize, of: usize, model: RodModel) -> RodsDesc {
    RodsDesc {
        positions: (0..strands).flat_map(|k| waves(vertices, of, k)).map(|p| p.to_array()).collect(),
        counts: vec![vertices as u32; strands],
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 1e8, shear: 1e8 },
        root: EndSupport::Clamped,
        model,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

/// A metre along `to`, straight.
fn line(vertices: usize, to: Vec3<f64>, stretch: f64) -> Vec<Strands<f64>> {
    let points = (0..vertices).map(|i| to * (i as f64 / (vertices - 1) as f64)).collect();
    vec![built(points, Material { stretch, ..Material::default() })]
}

fn tasks(threads: u32) -> Result<Box<dyn TaskRunner>> {
    Ok(match threads {
        1 => Box::new(Inline),
        n => Box::new(Pool::new(n as usize)?),
    })
}

/// The median and the least of the times that `run` returns in `seconds`, at least three.
fn timed(seconds: f64, mut run: impl FnMut() -> f64) -> [f64; 2] {
    let begin = Instant::now();
    let mut times = vec![run(), run(), run()];
    while begin.elapsed().as_secs_f64() < seconds && times.len() < 10_000 {
        times.push(run());
    }
    times.sort_unstable_by(f64::total_cmp);
    [times[times.len() / 2], times[0]]
}

/// Vertices of a strand: the first is the bar's, the others show that the cost is linear.
const VERTICES: [usize; 8] = [100, 20, 50, 200, 500, 1000, 3000, 10_000];

/// One line a precision and length.
fn steps(options: &Bench, isa: Isa, threads: u32) -> Result<()> {
    let tasks = tasks(threads)?;
    for vertices in VERTICES {
        for double in [true, false] {
            // Blocks of 32 strands, or of 16.
            let strands = (12_800 / vertices).next_multiple_of(32 * threads as usize);
            let rods = RodsDesc { drag: 1.0, ..rods(strands, vertices, FINENESS, RodModel::Der) };
            let desc = WorldDesc { isa: Some(isa), double_precision: double, substeps: 1, iterations: 1, ..WorldDesc::default() };
            let mut world = World::new(desc)?;
            world.add_rods(rods)?;
            let times = timed(options.seconds / VERTICES.len() as f64, || {
                let begin = Instant::now();
                world.step(1.0 / 60.0, &*tasks).expect("a step");
                begin.elapsed().as_secs_f64()
            });
            step_line("der", options.json, isa, double, threads, strands, vertices, times);
        }
    }
    Ok(())
}

#[allow(clippy::too_many_arguments, reason = "the columns of a line")]
fn step_line(bench: &str, json: bool, isa: Isa, double: bool, threads: u32, strands: usize, vertices: usize, times: [f64; 2]) {
    let [us, best] = times.map(|t| 1e6 * t * f64::from(threads) / strands as f64);
    let (isa, precision) = (isa.name(), if double { "f64" } else { "f32" });
    if json {
        println!(
            "{{\"bench\":\"{bench}\",\"isa\":\"{isa}\",\"precision\":\"{precision}\",\"threads\":{threads},\"strands\":{strands},\
             \"vertices\":{vertices},\"iterations\":1,\"us_per_strand_step\":{us:.3},\"us_best\":{best:.3},\"ns_per_vertex\":{:.3}}}",
            1e3 * us / vertices as f64
        );
    } else {
        println!(
            "{bench:<9} {isa:<7} {precision} {threads:>3} threads {strands:>6} × {vertices:>5} vertices {us:>10.2} µs a strand and step, \
             best {best:>10.2}; best a vertex {:>8.1} ns",
            1e3 * best / vertices as f64
        );
    }
}

/// Strands with the edges of [`waves`] that hang from the root, however long: the loads grow with the length, but not beyond what the bounds allow.
fn hanging(strands: usize, vertices: usize) -> Vec<Strands<f64>> {
    let upright = |p: Vec3<f64>, i: usize| vec3(p.x, p.y, p.z - 0.1 * i as f64 / (FINENESS - 1) as f64);
    let points = |k: usize| waves(vertices, FINENESS, k).into_iter().enumerate().map(|(i, p)| upright(p, i)).collect();
    let material = Material { stretch: 1e9, bend: 1e9, twist: 1e9, ..Material::default() };
    (0..strands).map(|k| built(points(k), material)).collect()
}

/// The same with clamped tips: six numbers of their stress are free, and a second walk finds those that cost least.
fn bridges(strands: usize, vertices: usize) -> Vec<Strands<f64>> {
    let mut all = hanging(strands, vertices);
    for s in &mut all {
        s.section[vertices - 2].free = [0.0; 2];
        s.section[vertices - 1].free[0] = 0.0;
        s.swing = 0.0;
    }
    all
}

/// The same with a pin half way, which nothing but Gauss and Newton take.
fn pinned(strands: usize, vertices: usize) -> Vec<Strands<f64>> {
    let mut all = hanging(strands, vertices);
    for s in &mut all {
        s.section[vertices / 2].free[0] = 0.0;
        s.swing = 0.0;
    }
    all
}

/// Thin hair, too soft for its pose within the bounds: Gauss–Newton to the least force.
fn thin(strands: usize) -> Vec<Strands<f64>> {
    let material = Material { stretch: 3e8, bend: 3e8, twist: 3e8, radius: 1e-4, ..Material::default() };
    (0..strands).map(|k| built(wavy(100, k), material)).collect()
}

/// The teaser's groom, the paper's two single strands (figs. 3 and 6), and hanging strands of any length; then what takes more than sections.
fn rest_shapes(options: &Bench, isa: Isa, threads: u32) -> Result<()> {
    let tasks = tasks(threads)?;
    let wide = |kappa: f64| {
        let mut o = Options::default();
        o.bounds.kappa = kappa;
        o
    };
    let lanes = (isa.lanes() / 2).max(1) * threads as usize;
    let usual = Options::default();
    type Make = fn(usize, usize) -> Vec<Strands<f64>>;
    let of_length = |name: &str, make: Make, vertices: usize| {
        let strands = (12_800 / vertices).next_multiple_of(lanes).max(lanes);
        (format!("{name}{vertices}"), make(strands, vertices), usual)
    };
    let scenes = [
        ("groom1900x100".into(), groom(1900, 100), usual),
        ("vertical500".into(), line(500, vec3(0.0, -1.0, 0.0), 1e4), usual),
        ("horizontal1000".into(), line(1000, vec3(1.0, 0.0, 0.0), 1e8), wide(10.0)),
    ];
    let longer = VERTICES.iter().map(|&n| of_length("hanging", hanging, n));
    let others: [(&str, Make); 2] = [("bridge", bridges), ("pinned", pinned)];
    let others = others.into_iter().flat_map(|(name, make)| [100, 1000, 10_000].map(|n| of_length(name, make, n)));
    let thin = [("thin100".into(), thin(lanes), usual)];
    for (scene, strands, how) in scenes.into_iter().chain(longer).chain(others).chain(thin) {
        let mut reports = Vec::new();
        let times = timed(options.seconds / 3.0, || {
            let mut batch = Batch::new(&strands, isa);
            let begin = Instant::now();
            batch.optimize(&*tasks, &how);
            let seconds = begin.elapsed().as_secs_f64();
            reports = (0..strands.len()).map(|k| batch.report(k)).collect();
            seconds
        });
        let (count, vertices) = (strands.len(), strands[0].vertices());
        let done = reports.iter().filter(|r| r.status == Status::AtTarget).count();
        let iterations = reports.iter().map(|r| f64::from(r.iterations)).sum::<f64>() / count as f64;
        let residual = reports.iter().fold(0.0, |m: f64, r| m.max(r.norm));
        // A strand alone takes one core, whatever there is.
        let [ms, best] = times.map(|t| 1e3 * t * f64::from(threads.min(count as u32)) / count as f64);
        let ns = 1e6 * best / vertices as f64;
        if options.json {
            println!(
                "{{\"bench\":\"sagfree\",\"scene\":\"{scene}\",\"isa\":\"{}\",\"precision\":\"f64\",\"threads\":{threads},\
                 \"strands\":{count},\"vertices\":{vertices},\"ms_per_strand\":{ms:.5},\"ms_best\":{best:.5},\"iterations\":{iterations:.2},\
                 \"ns_per_vertex\":{ns:.2},\"at_target\":{done},\"residual\":{residual:.3e}}}",
                isa.name()
            );
        } else {
            println!(
                "sagfree {:<7} f64 {threads:>3} threads {scene:<14} {ms:>9.4} ms a strand, best {best:>8.4}, {iterations:>6.2} iterations, {ns:>7.1} ns a vertex, \
                 {done} of {count} at their target, ‖f‖ ≤ {residual:.1e}",
                isa.name()
            );
        }
    }
    Ok(())
}

/// The groom of [`rest_shapes`] and a shorter one, of both models, in a world: all of `World::optimize_rest_shape`.
fn worlds(options: &Bench, isa: Isa, threads: u32) -> Result<()> {
    let tasks = tasks(threads)?;
    for (strands, vertices) in [(1900, 100), (2000, 21)] {
        for model in [RodModel::Der, RodModel::Ghost] {
            let rods = rods(strands, vertices, vertices, model);
            let mut done = 0;
            let mut again = Vec::new();
            let mut run = || -> Result<f64> {
                let mut world = World::new(WorldDesc { isa: Some(isa), ..WorldDesc::default() })?;
                let id = world.add_rods(rods.clone())?;
                let mut optimize = |world: &mut World| -> Result<f64> {
                    let begin = Instant::now();
                    world.optimize_rest_shape(id, &Options::default(), &*tasks, &mut |_, _| true)?;
                    let seconds = begin.elapsed().as_secs_f64();
                    let reports = world.rods(id)?.elastic_report();
                    done = reports.iter().filter(|r| r.status == Status::AtTarget).count();
                    Ok(seconds)
                };
                let first = optimize(&mut world)?;
                // A change of gravity: from what is there.
                world.set_gravity([0.5, -9.7, 1.0])?;
                again.push(optimize(&mut world)?);
                Ok(first)
            };
            run()?;
            let times = timed(options.seconds / 4.0, || run().expect("as before"));
            again.sort_unstable_by(f64::total_cmp);
            let [ms, best, again] =
                [times[0], times[1], again[again.len() / 2]].map(|t| 1e3 * t * f64::from(threads) / strands as f64);
            if options.json {
                println!(
                    "{{\"bench\":\"sagfree-world\",\"model\":\"{model:?}\",\"isa\":\"{}\",\"precision\":\"f64\",\"threads\":{threads},\"strands\":{strands},\
                     \"vertices\":{vertices},\"at_target\":{done},\"ms_per_strand\":{ms:.5},\"ms_best\":{best:.5},\"ms_again\":{again:.5}}}",
                    isa.name()
                );
            } else {
                println!(
                    "sagfree-world {:<7} {threads:>3} threads {model:?}, {strands} × {vertices} vertices {ms:>9.4} ms a strand, best {best:>8.4}, \
                     after another gravity {again:>8.4}, {done} of {strands} at their target",
                    isa.name()
                );
            }
        }
    }
    Ok(())
}

/// The names that are benches of this file.
pub const NAMES: [&str; 3] = ["der", "sagfree", "sagfree-world"];

pub fn run(name: &str, options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    for isa in isas {
        let isa = isa.unwrap_or_else(Isa::best);
        for &threads in &options.threads {
            match name {
                "der" => steps(options, isa, threads)?,
                "sagfree-world" => worlds(options, isa, threads)?,
                _ => rest_shapes(options, isa, threads)?,
            }
        }
    }
    Ok(())
}
