//! `withy bench swing`: what ten swings leave of a motion, beside what they cost. A thousand wires of 16 vertices and 0.3 m swing about their
//! roots from 20°, undamped, by Newton steps of implicit Euler and of second order (`docs/internals/time.md`).

use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::math::Isa;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::{EndSupport, Id, Integrator, RodModel, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

pub const NAME: &str = "swing";

const STRANDS: usize = 1000;
const VERTICES: usize = 16;
const LENGTH: f64 = 0.3;
const SUBSTEPS: [u32; 5] = [1, 2, 3, 4, 8];
/// Halves of ten swings; more frames than they take.
const PASSES: usize = 21;
const MOST_FRAMES: usize = 900;

#[derive(Debug)]
struct Row {
    model: RodModel,
    integrator: Integrator,
    substeps: u32,
    double: bool,
    isa: Isa,
    threads: u32,
    /// Median of a frame, s.
    frame: f64,
    /// Of the tenth swing over that of the start.
    amplitude: f64,
    strain: f64,
}

impl Row {
    fn words(&self) -> [&'static str; 3] {
        [
            if self.model == RodModel::Der { "der" } else { "ghost" },
            if self.integrator == Integrator::Second { "second" } else { "first" },
            if self.double { "f64" } else { "f32" },
        ]
    }

    fn json(&self) -> String {
        let [model, order, precision] = self.words();
        format!(
            "{{\"bench\":\"{NAME}\",\"model\":\"{model}\",\"order\":\"{order}\",\"substeps\":{},\"precision\":\"{precision}\",\"isa\":\"{}\",\
             \"threads\":{},\"strands\":{STRANDS},\"vertices\":{VERTICES},\"ms_per_frame\":{:.4},\"amplitude\":{:.4},\"strain\":{:.2e}}}",
            self.substeps,
            self.isa.name(),
            self.threads,
            1e3 * self.frame,
            self.amplitude,
            self.strain
        )
    }

    fn text(&self) -> String {
        let [model, order, precision] = self.words();
        format!(
            "{model:<5} {order:<6} {:>8} {precision} {:<7} {:>7} {:>10.3} {:>9.3} {:>9.1e}",
            self.substeps,
            self.isa.name(),
            self.threads,
            1e3 * self.frame,
            self.amplitude,
            self.strain
        )
    }
}

fn wires(model: RodModel, integrator: Integrator) -> RodsDesc {
    let (sin, cos) = 20.0f64.to_radians().sin_cos();
    let strand = |k: usize| {
        let way = |v: usize| LENGTH * v as f64 / (VERTICES - 1) as f64;
        (0..VERTICES).map(move |v| [0.01 * k as f64 + way(v) * sin, -way(v) * cos, 0.0])
    };
    RodsDesc {
        positions: (0..STRANDS).flat_map(strand).collect(),
        counts: vec![VERTICES as u32; STRANDS],
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root: EndSupport::Pinned,
        order: SweepOrder::Direct,
        model,
        integrator,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

/// How far aside the tip of the last wire is, m.
fn aside(world: &World, rods: Id) -> Result<f64> {
    let (mut x, mut root) = (0.0, 0.0);
    world.rods(rods)?.read_positions(|i, p| {
        if i % VERTICES == 0 {
            root = p[0];
        }
        x = p[0];
    });
    Ok(x - root)
}

fn measure(row: Row) -> Result<Row> {
    let tasks: Box<dyn TaskRunner> = if row.threads == 1 { Box::new(Inline) } else { Box::new(Pool::new(row.threads as usize)?) };
    let desc = WorldDesc { substeps: row.substeps, isa: Some(row.isa), double_precision: row.double, ..WorldDesc::default() };
    let mut world = World::new(desc)?;
    let rods = world.add_rods(wires(row.model, row.integrator))?;
    let start = aside(&world, rods)?;
    let (mut times, mut strain) = (Vec::with_capacity(MOST_FRAMES), 0.0f64);
    let (mut last, mut peak, mut passes) = (start, 0.0f64, 0);
    while passes < PASSES && times.len() < MOST_FRAMES {
        let begin = Instant::now();
        world.step(super::DT, &*tasks)?;
        times.push(begin.elapsed().as_secs_f64());
        strain = strain.max(world.stats().largest_strain);
        let now = aside(&world, rods)?;
        if now * last < 0.0 {
            passes += 1;
            if passes < PASSES {
                peak = 0.0;
            }
        }
        peak = if passes < PASSES { peak.max(now.abs()) } else { peak };
        last = now;
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(Row { frame: times[times.len() / 2], amplitude: peak / start, strain, ..row })
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    if !options.json {
        println!(
            "{STRANDS} wires of {VERTICES} vertices: a frame of 1/60 s, and the amplitude of the tenth swing over that of the start"
        );
        println!("model order  substeps     isa     threads   ms/frame amplitude    strain");
    }
    for isa in isas.iter().map(|isa| isa.unwrap_or_else(Isa::best)) {
        for &threads in &options.threads {
            for (model, double) in [RodModel::Ghost, RodModel::Der].into_iter().flat_map(|m| [(m, false), (m, true)]) {
                for integrator in [Integrator::First, Integrator::Second] {
                    for substeps in SUBSTEPS {
                        let (frame, amplitude, strain) = (0.0, 0.0, 0.0);
                        let row = measure(Row { model, integrator, substeps, double, isa, threads, frame, amplitude, strain })?;
                        println!("{}", if options.json { row.json() } else { row.text() });
                    }
                }
            }
        }
    }
    Ok(())
}
