//! Milliseconds of a read of render hair and of a skin, made on the GPU, beside the CPU's from what is read of the rods:
//! `cargo run --release --example gpu_follow [GUIDES [HAIRS A GUIDE]]`. Guides have 16 vertices.

use std::time::Instant;
use withy::hair::{BindOptions, Lod, Out, Scalp, Scatter, Target};
use withy::skin::Mesh;
use withy::world::*;

const FRAMES: u32 = 10;

fn number(at: usize, or: u32) -> u32 {
    std::env::args().nth(at).map_or(or, |text| text.parse().expect("a number"))
}

/// The least of some frames, each after a step.
fn least(w: &mut World, mut read: impl FnMut(&World)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..FRAMES {
        w.step(1.0 / 60.0, &Inline).expect("a step");
        // Not the step.
        w.stats();
        let begin = Instant::now();
        read(w);
        best = best.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    best
}

fn main() {
    let (guides, per_guide) = (number(1, 1000), number(2, 50));
    for backend in [BackendChoice::Gpu, BackendChoice::Cpu] {
        let mut w = World::new(WorldDesc { backend, substeps: 1, iterations: 1, ..WorldDesc::default() }).expect("a world");
        let side = (f64::from(guides)).sqrt().ceil() as u32;
        let mut d =
            RodsDesc { root: EndSupport::Clamped, radii: vec![1e-3], order: SweepOrder::Alternating, ..Default::default() };
        for g in 0..guides {
            let (x, z) = (0.005 * f64::from(g % side), 0.005 * f64::from(g / side));
            d.counts.push(16);
            d.positions.extend((0..16).map(|v| [x, 2.0 - 0.01 * f64::from(v), z]));
        }
        let roots: Vec<[f64; 3]> = d.positions.iter().step_by(16).copied().collect();
        let rods = w.add_rods(d).expect("rods");
        let scatter = Scatter { per_guide, scalp: Scalp::default(), ..Scatter::default() };
        let hair = w.add_hair(&[rods], HairSource::Scatter(scatter), &BindOptions::default()).expect("hair");
        let n = w.plan_hair(hair, Lod::default(), |_, plan| plan.vertices()).expect("a plan");
        let (mut x, mut t) = (vec![[0.0f32; 3]; n], vec![[0.0f32; 3]; n]);
        println!("{}: {guides} guides of 16 vertices", w.backend_name());
        for wants_tangents in [false, true] {
            let positions = Target::new(x.as_mut_ptr().cast(), 12, false);
            let tangents = if wants_tangents { Target::new(t.as_mut_ptr().cast(), 12, false) } else { Target::NONE };
            // SAFETY: there is room for as many vertices.
            let ms = least(&mut w, |w| unsafe {
                w.read_hair(hair, Lod::default(), &Inline, Out::new(positions, tangents)).expect("hair");
            });
            println!("  hair of {n} vertices{}: {ms:.2} ms", if wants_tangents { ", with tangents" } else { "" });
        }
        // A sheet among some of the guides: each vertex holds on to up to four edges.
        let points: Vec<[f64; 3]> = (0..65_500u32)
            .map(|i| {
                let [x, y, z] = roots[(i % 250).min(guides - 1) as usize];
                [x + 0.002, y - 0.15 * f64::from(i / 250) / 262.0, z + 0.002]
            })
            .collect();
        let mesh = Mesh { positions: &points, triangles: &[], normals: &[], tangents: &[] };
        let edges: Vec<[u32; 4]> = (0..65_500u32)
            .map(|i| {
                let first = 15 * (i % 250).min(guides - 1) + (i / 250 * 15 / 263).min(13);
                [first, first + 1, (first + 15) % (15 * guides.min(4000)), (first + 16) % (15 * guides.min(4000))]
            })
            .collect();
        let weights = vec![[0.4, 0.3, 0.2, 0.1]; points.len()];
        match w.add_skin(&mesh, &[rods], SkinWeights::Given { edges: &edges, weights: &weights }) {
            Ok(skin) => {
                for wants in [SkinRead::Positions, SkinRead::Normals] {
                    let mut sum = 0.0;
                    let ms = least(&mut w, |w| w.read_skin(skin, wants, &Inline, |_, p| sum += p[1]).expect("a skin"));
                    println!(
                        "  {wants:?} of a skin of {} vertices: {ms:.2} ms (mean y {:.3})",
                        points.len(),
                        sum / f64::from(FRAMES) / 65_500.0
                    );
                }
            }
            Err(e) => println!("  no skin: {e}"),
        }
    }
}
