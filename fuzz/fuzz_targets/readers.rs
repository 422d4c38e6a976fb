//! Any bytes through every reader: an answer, or an error, and what is accepted is consistent.
//!
//! `cargo +nightly fuzz run readers fuzz/corpus/readers fuzz/seeds/readers -- -max_total_time=60 -rss_limit_mb=1024`

#![no_main]

use libfuzzer_sys::fuzz_target;
use withy::io::{ReadOptions, Sampling, read_groom_bytes, read_hair, read_obj, read_tfx, read_usda};

fuzz_target!(|data: &[u8]| {
    let strict = ReadOptions::default();
    let loose = ReadOptions { sampling: Sampling::Vertices(5), allow_non_finite: true };
    for options in [strict, loose] {
        for result in [
            read_groom_bytes(data, &options),
            read_hair(data, &options),
            read_tfx(data, &options),
            read_usda(data, &options),
        ] {
            let Ok(groom) = result else { continue };
            groom.check().expect("a reader's groom is consistent");
            let finite = groom.points.iter().flatten().all(|x| x.is_finite());
            assert!(finite || options.allow_non_finite);
            let cleaned = groom.cleaned().groom;
            cleaned.check().expect("a cleaned groom is consistent");
            assert!(cleaned.points.iter().flatten().all(|x| x.is_finite()));
            let even = cleaned.resampled(4);
            even.check().expect("a resampled groom is consistent");
            assert!(even.points.iter().flatten().all(|x| x.is_finite()));
        }
    }
    if let Ok(mesh) = read_obj(data) {
        assert!(mesh.triangles.as_flattened().iter().all(|&vertex| (vertex as usize) < mesh.points.len()));
    }
});
