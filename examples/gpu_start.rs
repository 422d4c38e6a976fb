//! Milliseconds until rods on the GPU can step: once without what the driver has compiled before, once with it.
//! `cargo run --release --example gpu_start FILE` reads FILE if there is one and writes it: run it twice.

use std::time::Instant;
use withy::world::*;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("the file of the cache is missing")?;
    let cache = GpuCache::default();
    let had = std::fs::read(&file).unwrap_or_default();
    cache.put(&had);
    let start = Instant::now();
    let desc = WorldDesc { backend: BackendChoice::Gpu, gpu_cache: cache.clone(), ..WorldDesc::default() };
    let mut world = World::new(desc)?;
    println!("{}; {} bytes of compiled programs; device {:.0?}", world.backend_name(), had.len(), start.elapsed());
    let strands = RodsDesc {
        counts: vec![24; 100],
        positions: (0..2400).map(|i| [f64::from(i % 24) * 0.01, 0.0, f64::from(i / 24) * 0.01]).collect(),
        radii: vec![1e-3],
        root: EndSupport::Clamped,
        ..RodsDesc::default()
    };
    for (name, order, model) in [
        ("sweeps", SweepOrder::Alternating, RodModel::Ghost),
        ("Newton", SweepOrder::Direct, RodModel::Ghost),
        ("Newton, the other model", SweepOrder::Direct, RodModel::Der),
    ] {
        let start = Instant::now();
        world.add_rods(RodsDesc { order, model, ..strands.clone() })?;
        let added = start.elapsed();
        let start = Instant::now();
        world.step(1.0 / 60.0, &Inline)?;
        println!("{name}: added in {added:.0?}, first step {:.0?}", start.elapsed());
    }
    std::fs::write(&file, cache.bytes())?;
    Ok(())
}
