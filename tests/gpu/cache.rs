//! What a driver has compiled, kept for the next process.

use super::common::*;
use withy::world::*;

/// A few steps of a world whose programs come from `cache`; `None` without a GPU.
fn play(cache: &GpuCache, order: SweepOrder) -> Option<Vec<[u64; 3]>> {
    let desc = WorldDesc { backend: BackendChoice::Gpu, gpu_cache: cache.clone(), ..WorldDesc::default() };
    let mut w = match World::new(desc) {
        Ok(w) => w,
        Err(e) if std::env::var_os("WITHY_REQUIRE_GPU").is_none() => {
            eprintln!("skipped: {e}");
            return None;
        }
        Err(e) => panic!("WITHY_REQUIRE_GPU is set: {e}"),
    };
    let id = w.add_rods(RodsDesc { order, ..groom(10) }).unwrap();
    for _ in 0..3 {
        w.step(DT, &Inline).unwrap();
    }
    let mut p = Vec::new();
    w.rods(id).unwrap().read_positions(|_, x| p.push(x.map(f64::to_bits)));
    Some(p)
}

#[test]
fn a_cache_changes_nothing_whatever_is_in_it() {
    for (order, all) in [(SweepOrder::Alternating, true), (SweepOrder::Direct, false)] {
        let first = GpuCache::default();
        let Some(motion) = play(&first, order) else { return };
        let saved = first.bytes();
        assert!(saved.is_empty() || saved.len() > 24, "{}", saved.len());
        let mut damaged = [Vec::new(), vec![7; 3], vec![0; 4096], saved.to_vec(), saved.to_vec(), saved.to_vec(), saved.to_vec()];
        if !saved.is_empty() {
            // The key, the checksum, the driver's bytes, the length.
            damaged[3][9] ^= 1;
            damaged[4][17] ^= 1;
            *damaged[5].last_mut().unwrap() ^= 1;
            damaged[6].truncate(saved.len() - 1);
        }
        for bytes in [saved.to_vec()].iter().chain(&damaged[if all { 0 } else { damaged.len() }..]) {
            let cache = GpuCache::default();
            cache.put(bytes);
            assert_eq!(play(&cache, order).unwrap(), motion);
            // What is kept then is whole, of this driver and these shaders.
            assert!(saved.is_empty() || cache.bytes()[..16] == saved[..16]);
        }
    }
}
