//! Random sequences of ABI calls from fixed seeds: the fuzz target's driver, in seconds and without a fuzzer.

const FEW: u64 = 40;

/// SplitMix64.
fn bytes(seed: u64, n: usize) -> Vec<u8> {
    let mut state = seed;
    (0..n)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ z >> 31) as u8
        })
        .collect()
}

#[test]
fn random_calls_never_crash_and_failures_change_nothing() {
    let mut total = crate::abi_driver::Tally::default();
    for seed in 0..600 {
        let tally = crate::abi_driver::drive(&bytes(seed, 4000));
        total.done += tally.done;
        total.refused += tally.refused;
    }
    println!("{total:?}");
    assert!(total.refused > total.done / 20 && total.refused < total.done * 19 / 20, "one-sided: {total:?}");
}

/// The same, short enough for valgrind.
#[test]
#[ignore = "for valgrind: cargo xtask test"]
fn a_few_random_calls() {
    for seed in 1000..1000 + FEW {
        crate::abi_driver::drive_on(&bytes(seed, 4000), true);
    }
}

#[test]
fn the_driver_calls_every_function_of_the_headers() {
    let driver = concat!(
        include_str!("../common/abi_driver/mod.rs"),
        include_str!("../common/abi_driver/assets.rs"),
        include_str!("../common/abi_driver/bodies.rs"),
        include_str!("../common/abi_driver/ragdolls.rs"),
        include_str!("../common/abi_driver/rods.rs"),
        include_str!("../common/abi_driver/ropes.rs"),
        include_str!("../common/abi_driver/muscles.rs"),
        include_str!("../common/abi_driver/skins.rs"),
        include_str!("../common/abi_driver/hairs.rs"),
    );
    let headers = concat!(
        include_str!("../../include/withy.h"),
        include_str!("../../include/withy_bodies.h"),
        include_str!("../../include/withy_ropes.h"),
        include_str!("../../include/withy_render_hair.h"),
        include_str!("../../include/withy_muscle.h"),
        include_str!("../../include/withy_ragdoll.h"),
        include_str!("../../include/withy_rest_shape.h"),
        include_str!("../../include/withy_asset.h"),
        include_str!("../../include/withy_expert.h"),
    );
    let mut functions = Vec::new();
    // A declaration ends with a semicolon; its first word that begins with `withy_` is the name.
    for declaration in headers.split("WITHY_API").skip(1) {
        let declaration = declaration.split(';').next().unwrap_or_default();
        functions.extend(declaration.split(|c: char| c != '_' && !c.is_alphanumeric()).find(|w| w.starts_with("withy_")));
    }
    assert!(functions.len() > 60, "the headers have {} functions", functions.len());
    let called = |name: &str| driver.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|w| w == name);
    let missing: Vec<_> = functions.into_iter().filter(|f| !called(f)).collect();
    assert!(missing.is_empty(), "not in tests/common/abi_driver: {missing:?}");
}

#[test]
fn the_empty_input() {
    crate::abi_driver::drive(&[]);
}
