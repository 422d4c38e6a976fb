//! Any bytes through every reader: an answer, or an error, and what is accepted is consistent.
//!
//! `cargo +nightly fuzz run readers fuzz/corpus/readers fuzz/seeds/readers -- -max_total_time=60 -rss_limit_mb=1024`

#![no_main]

use libfuzzer_sys::fuzz_target;
use withy_io::skeleton::{Character, CharacterFile, Repeat, read_bvh, read_character_bytes, read_tof_animation, read_tof_ragdoll};
use withy_io::{ReadOptions, Sampling, read_groom_bytes, read_hair, read_obj, read_tfx, read_usda};

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
    match read_character_bytes(data, 0.01) {
        Ok(CharacterFile::Character(found)) => character(&found),
        Ok(CharacterFile::Ragdoll(ragdoll)) => {
            ragdoll.check().expect("a reader's ragdoll is consistent");
            let _ = ragdoll.kilograms();
        }
        Ok(CharacterFile::Animation(animation)) => {
            animation.clip.check(animation.joints.len()).expect("a reader's clip is consistent");
        }
        Err(_) => {}
    }
    if let Ok(found) = read_bvh(data, 0.01) {
        character(&found);
    }
    let _ = (read_tof_ragdoll(data), read_tof_animation(data));
});

fn character(found: &Character) {
    found.skeleton.check().expect("a reader's skeleton is consistent");
    let bones = found.skeleton.bones.len();
    let (mut local, mut world, mut points) = (Vec::new(), Vec::new(), Vec::new());
    for clip in &found.clips {
        clip.check(bones).expect("a reader's clip is consistent");
        clip.sample(0.3 * clip.duration(), Repeat::Loop, &mut local);
        assert_eq!(local.len(), bones);
        found.skeleton.world(&local, withy_math::Transform::identity(), &mut world);
    }
    if let Some(skin) = &found.mesh {
        let count = skin.mesh.points.len();
        assert!(skin.mesh.triangles.as_flattened().iter().all(|&vertex| (vertex as usize) < count));
        assert!(skin.joints.as_flattened().iter().all(|&joint| (joint as usize) < bones));
        assert_eq!((skin.joints.len(), skin.weights.len(), skin.inverse_bind.len()), (count, count, bones));
        skin.skin(&world, &mut points);
    }
}
