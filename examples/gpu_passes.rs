//! Milliseconds a step for the three ways to cut it into dispatches: the table of docs/internals/gpu.md.
//! `cargo run --release --example gpu_passes`.

#[path = "../tests/common/gpu.rs"]
mod common;

use common::*;
use withy::gpu::{GpuDevice, GpuRods, Passes};
use withy::layout::Layout;
use withy::rods::compile::compile;
use withy::step::RodsStep;
use withy::world::{GpuCache, RodModel, RodsDesc, SweepOrder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = GpuDevice::new(&GpuCache::default())?;
    println!("{}; 20 edges, 8 substeps of 10 iterations", gpu.name());
    for strands in [200, 4000] {
        let mut desc = groom(0);
        desc.counts = vec![21; strands];
        desc.positions = (0..strands * 21).map(|i| [(i % 21) as f64 * SEGMENT, 0.0, (i / 21) as f64 * 0.01]).collect();
        let layout = Layout::new(desc.counts.clone());
        let buffers = compile::<f32>(&desc, &layout, GRAVITY, DT / 8.0).buffers;
        let sweeps = settings(&desc, 8, 10);
        for passes in [Passes::Fused, Passes::Substep, Passes::Staged] {
            let mut rods = GpuRods::new(&gpu, &layout, &buffers, false)?;
            rods.set_passes(passes);
            let step = RodsStep {
                settings: &sweeps,
                substeps: 8,
                iterations: 10,
                colliders: &[],
                colliders_per_substep: 0,
                met: 0,
                solids: &[],
                bent: &[],
            };
            let ms = rods.bench(&step, 5)?;
            let ns = ms * 1e6 / (strands * 20 * 8 * 10) as f64;
            println!("{strands:5} strands, {passes:?}: {ms:.2} ms a step, {ns:.1} ns an edge and iteration");
        }
        for model in [RodModel::Ghost, RodModel::Der] {
            let desc = RodsDesc { model, order: SweepOrder::Direct, ..desc.clone() };
            let buffers = compile::<f32>(&desc, &layout, GRAVITY, DT / 8.0).buffers;
            let mut rods = GpuRods::new(&gpu, &layout, &buffers, true)?;
            let newton = settings(&desc, 8, 1);
            let step = RodsStep {
                settings: &newton,
                substeps: 8,
                iterations: 1,
                colliders: &[],
                colliders_per_substep: 0,
                met: 0,
                solids: &[],
                bent: &[],
            };
            let ms = rods.bench(&step, 5)?;
            let ns = ms * 1e6 / (strands * 20 * 8) as f64;
            println!("{strands:5} strands, {model:?}: {ms:.2} ms a step, {ns:.1} ns an edge and Newton step");
        }
    }
    Ok(())
}
