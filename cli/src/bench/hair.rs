//! `withy bench hair`: 1,000 guides of 16 vertices, and 50,000 render hairs of 16 and of 32 vertices that follow them.
//!
//! A frame takes the guides' positions and frames, as a read of rods gives them, and writes the positions of all hair: each
//! with up to three guides, on a patch of 20 × 20 cm, curled and turned. `read` is the part that does not pose the guides.

use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::hair::{BindOptions, Guides, Hair, Pose, Scatter};
use withy::math::rng::Rng;
use withy::math::{Isa, Quat, Vec3};

pub const NAME: &str = "hair";

const GUIDES: usize = 1000;
const VERTICES: usize = 16;
const PER_GUIDE: u32 = 50;

/// Guides with a wave, on a patch; `bend` says how far they have moved from the bind pose.
struct Set {
    counts: Vec<u32>,
    positions: Vec<[f64; 3]>,
    frames: Vec<[f64; 4]>,
}

impl Set {
    fn new(bend: f64) -> Set {
        let mut s = Set { counts: vec![VERTICES as u32; GUIDES], positions: Vec::new(), frames: Vec::new() };
        let mut rng = Rng::new(1);
        for _ in 0..GUIDES {
            let (x, z, phase) = (rng.range(0.0, 0.2), rng.range(0.0, 0.2), rng.range(0.0, 6.0));
            let point = |i: usize| {
                let t = i as f64 / (VERTICES - 1) as f64;
                Vec3 { x: x + 0.003 * (9.0 * t + phase).sin() + bend * t * t, y: -0.2 * t, z: z + 0.4 * bend * t }
            };
            let points: Vec<Vec3<f64>> = (0..VERTICES).map(point).collect();
            for e in points.windows(2) {
                let d = (e[1] - e[0]).normalized_or(Vec3 { x: 0.0, y: 1.0, z: 0.0 });
                let a = d.any_perpendicular().normalized_or(d);
                s.frames.push(Quat::from_frame([a, d.cross(a), d]).to_array());
            }
            s.positions.extend(points.iter().map(|p| p.to_array()));
        }
        s
    }
    fn guides(&self) -> Guides<'_> {
        Guides { counts: &self.counts, positions: &self.positions, frames: &self.frames }
    }
}

/// Best and median, ms.
fn time(seconds: f64, mut f: impl FnMut() -> Result<()>) -> Result<[f64; 2]> {
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < 20 || begin.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        f()?;
        times.push(1e3 * begin.elapsed().as_secs_f64());
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok([times[0], times[times.len() / 2]])
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    let (rest, now) = (Set::new(0.0), Set::new(0.05));
    if !options.json {
        println!("{GUIDES} guides of {VERTICES} vertices, {} render hairs", GUIDES as u32 * PER_GUIDE);
        println!("isa     threads  vertices  tangents    ms best  ms median   ms read  ns/vertex     MB   GB/s   bind ms");
    }
    for vertices in [16, 32] {
        let begin = Instant::now();
        let scatter = Scatter { per_guide: PER_GUIDE, vertices, ..Scatter::default() };
        let hair = Hair::scatter(&rest.guides(), &scatter, &BindOptions::default())?;
        let bind = 1e3 * begin.elapsed().as_secs_f64();
        let (mut positions, mut tangents) = (vec![[0.0f32; 3]; hair.vertices()], vec![[0.0f32; 3]; hair.vertices()]);
        let mut pose = Pose::default();
        for isa in isas.iter().map(|i| i.unwrap_or_else(Isa::best)) {
            for &threads in &options.threads {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
                for with in [false, true] {
                    let tangents: &mut [[f32; 3]] = if with { &mut tangents } else { &mut [] };
                    let [best, median] = time(options.seconds, || {
                        hair.pose(&now.guides(), None, &mut pose)?;
                        pool.install(|| hair.read(&pose, hair.full(), isa, &mut positions, tangents))?;
                        Ok(())
                    })?;
                    let [read, _] = time(options.seconds, || {
                        pool.install(|| hair.read(&pose, hair.full(), isa, &mut positions, tangents))?;
                        Ok(())
                    })?;
                    let bytes = hair.traffic(with) as f64;
                    let (per_vertex, rate) = (1e6 * best / hair.vertices() as f64, 1e-6 * bytes / best);
                    if options.json {
                        println!(
                            "{{\"bench\":\"{NAME}\",\"isa\":\"{}\",\"threads\":{threads},\"guides\":{GUIDES},\"hairs\":{},\
                             \"vertices\":{vertices},\"tangents\":{with},\"ms_best\":{best:.4},\"ms_median\":{median:.4},\
                             \"ms_read\":{read:.4},\"ns_per_vertex\":{per_vertex:.3},\"mb\":{:.2},\"gb_per_s\":{rate:.2},\
                             \"bind_ms\":{bind:.1}}}",
                            isa.name(),
                            hair.strands(),
                            1e-6 * bytes
                        );
                    } else {
                        println!(
                            "{:<7} {threads:>7} {vertices:>9} {with:>9} {best:>10.3} {median:>10.3} {read:>9.3} {per_vertex:>10.2} {:>6.1} {rate:>6.1} {bind:>9.0}",
                            isa.name(),
                            1e-6 * bytes
                        );
                    }
                }
            }
        }
    }
    Ok(())
}
