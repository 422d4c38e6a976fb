//! `withy bench skin`: 100 skins of 13,000 faces, each over two strands with 38 pills together, moved to where their rods are. Every skin has its own
//! bind and its own rods. A frame reads all rods (positions, frames, radii), and writes positions and normals of all vertices.
//!
//! Two strands side by side in one tapered tube: most vertices hold on to both.

use crate::Result;
use crate::args::Bench;
use rayon::prelude::*;
use std::f64::consts::TAU;
use std::time::Instant;
use withy::math::Isa;
use withy::skin::{BindOptions, Mesh, Out, Pose, Skin, Strands};

pub const NAME: &str = "skin";

const MESHES: usize = 100;
/// Of each of the two strands.
const EDGES: usize = 19;
const LENGTH: f64 = 0.4;
const AROUND: usize = 50;
const RINGS: usize = 130;

/// Two strands along z, turned and stretched by `phase`.
struct Rods {
    counts: [u32; 2],
    positions: Vec<[f64; 3]>,
    radii: Vec<f64>,
    frames: Vec<[f64; 4]>,
}

impl Rods {
    fn new(phase: f64) -> Rods {
        let n = EDGES + 1;
        let mut r = Rods { counts: [n as u32; 2], positions: Vec::new(), radii: Vec::new(), frames: Vec::new() };
        for side in [-0.02, 0.02] {
            for v in 0..n {
                let z = LENGTH * v as f64 / EDGES as f64;
                let (sin, cos) = (phase * z).sin_cos();
                r.positions.push([side * cos, side * sin, (1.0 + 0.3 * phase) * z]);
                r.radii.push(0.02 / (1.0 + 0.3 * phase).sqrt());
            }
            for e in 0..EDGES {
                let half = 0.5 * phase * LENGTH * (e as f64 + 0.5) / EDGES as f64;
                r.frames.push([0.0, 0.0, half.sin(), half.cos()]);
            }
        }
        r
    }
    fn strands(&self) -> Strands<'_> {
        Strands { counts: &self.counts, positions: &self.positions, radii: &self.radii, frames: &self.frames }
    }
}

fn tube() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let point = |i: usize, k: usize| {
        let (z, a) = (LENGTH * i as f64 / RINGS as f64, TAU * k as f64 / AROUND as f64);
        let thick = 1.0 - 0.4 * z / LENGTH;
        [0.05 * thick * a.cos(), 0.035 * thick * a.sin(), z]
    };
    let points = (0..=RINGS).flat_map(|i| (0..AROUND).map(move |k| point(i, k))).collect();
    let v = |i: usize, k: usize| (i * AROUND + k % AROUND) as u32;
    let quad = |i: usize, k: usize| [[v(i, k), v(i, k + 1), v(i + 1, k + 1)], [v(i, k), v(i + 1, k + 1), v(i + 1, k)]];
    let triangles = (0..RINGS).flat_map(|i| (0..AROUND).flat_map(move |k| quad(i, k))).collect();
    (points, triangles)
}

/// What one skin is deformed with.
struct One {
    skin: Skin,
    rods: Rods,
    pose: Pose,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
}

fn frame(all: &mut [One], isa: Isa, normals: bool) -> Result<()> {
    all.par_iter_mut().try_for_each(|one| {
        one.skin.pose(&one.rods.strands(), &mut one.pose)?;
        let normals: &mut [[f32; 3]] = if normals { &mut one.normals } else { &mut [] };
        one.skin.deform(&one.pose, isa, Out { positions: &mut one.positions, normals, ..Out::default() })
    })?;
    Ok(())
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    let (points, triangles) = tube();
    let mesh = Mesh { positions: &points, triangles: &triangles, ..Mesh::default() };
    let begin = Instant::now();
    let skin = Skin::bind(&mesh, &Rods::new(0.0).strands(), &BindOptions::default())?;
    let bind = begin.elapsed().as_secs_f64();
    let vertices = skin.vertices();
    let one = |k: usize| One {
        skin: skin.clone(),
        rods: Rods::new(0.5 + k as f64 / MESHES as f64),
        pose: Pose::default(),
        positions: vec![[0.0; 3]; vertices],
        normals: vec![[0.0; 3]; vertices],
    };
    let mut all: Vec<One> = (0..MESHES).map(one).collect();
    if !options.json {
        println!(
            "{MESHES} skins of {} faces and {vertices} vertices over {} pills; a bind takes {:.0} ms",
            triangles.len(),
            2 * EDGES,
            1e3 * bind
        );
        println!("isa     threads  normals    ms best  ms median  ns/vertex     MB   GB/s");
    }
    for isa in isas.iter().map(|i| i.unwrap_or_else(Isa::best)) {
        for &threads in &options.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
            for normals in [false, true] {
                let mut times = Vec::new();
                let begin = Instant::now();
                while times.len() < 20 || begin.elapsed().as_secs_f64() < options.seconds {
                    let begin = Instant::now();
                    pool.install(|| frame(&mut all, isa, normals))?;
                    times.push(begin.elapsed().as_secs_f64());
                }
                times.sort_unstable_by(f64::total_cmp);
                let (best, median) = (times[0], times[times.len() / 2]);
                let bytes = (MESHES * skin.traffic(normals)) as f64;
                let per_vertex = 1e9 * best / (MESHES * vertices) as f64;
                let rate = 1e-9 * bytes / best;
                if options.json {
                    println!(
                        "{{\"bench\":\"{NAME}\",\"isa\":\"{}\",\"threads\":{threads},\"meshes\":{MESHES},\"faces\":{},\
                         \"vertices\":{vertices},\"pills\":{},\"normals\":{normals},\"ms_best\":{:.4},\"ms_median\":{:.4},\
                         \"ns_per_vertex\":{per_vertex:.3},\"mb\":{:.2},\"gb_per_s\":{rate:.2},\"bind_ms\":{:.1}}}",
                        isa.name(),
                        triangles.len(),
                        2 * EDGES,
                        1e3 * best,
                        1e3 * median,
                        1e-6 * bytes,
                        1e3 * bind
                    );
                } else {
                    println!(
                        "{:<7} {threads:>7} {normals:>8} {:>10.3} {:>10.3} {per_vertex:>10.2} {:>6.1} {rate:>6.1}",
                        isa.name(),
                        1e3 * best,
                        1e3 * median,
                        1e-6 * bytes
                    );
                }
            }
        }
    }
    Ok(())
}
