//! Sequences of ABI calls from the fuzzer's bytes; `tests/abi/random.rs` runs the same driver from fixed seeds.
//!
//! `cargo +nightly fuzz run --features abi abi`
#![no_main]

#[path = "../../tests/common/abi_driver/mod.rs"]
mod abi_driver;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    abi_driver::drive(bytes);
});
