//! `cargo xtask fuzz [SECONDS]`: the targets of `fuzz/` under libFuzzer and AddressSanitizer.
//!
//! What `cargo fuzz` does, without it and without a nightly compiler: the flags below are its own.

use std::process::Command;

use crate::process::{self, Outcome, cargo, root, run, target};

/// Of a test run, for each target.
pub const SECONDS: u32 = 20;

/// A target, and where its first inputs are.
type Target = (&'static str, Option<&'static str>);
const READERS: Target = ("readers", Some("fuzz/seeds/readers"));
const ABI: Target = ("abi", None);

const FLAGS: &str = "--cfg fuzzing --cfg withy_narrow -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Cdebug-assertions";

/// What a test run has time for: the solver, which the other target needs, takes four minutes to compile under these instruments. There, random calls
/// are under valgrind.
pub fn readers() -> Outcome {
    fuzz(&[READERS], SECONDS)
}

pub fn all(seconds: u32) -> Outcome {
    fuzz(&[READERS, ABI], seconds)
}

fn fuzz(targets: &[Target], seconds: u32) -> Outcome {
    // Flags that name a target leave build scripts alone.
    let triple = host()?;
    let folder = target().join("fuzz");
    let mut build = cargo();
    build
        .args(["build", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &triple])
        .arg("--target-dir")
        .arg(&folder);
    for (name, _) in targets {
        build.args(["--bin", name]);
    }
    if targets.contains(&ABI) {
        build.args(["--features", "abi"]);
    }
    run(build.env("RUSTFLAGS", FLAGS).env("RUSTC_BOOTSTRAP", "1"))?;
    for &(name, seeds) in targets {
        let corpus = folder.join("corpus").join(name);
        process::create_folder(&corpus)?;
        let mut program = Command::new(folder.join(&triple).join("release").join(name));
        program.current_dir(root()).arg(corpus).args(seeds);
        program.arg(format!("-max_total_time={seconds}")).args([
            "-rss_limit_mb=2048",
            "-max_len=4096",
            "-verbosity=0",
            "-print_funcs=0",
            "-seed=1",
        ]);
        program.arg("-print_final_stats=1").arg(format!("-artifact_prefix={}/", folder.display()));
        // A count that no machine could hold is refused when its memory is: not an error of the program.
        run(program.env("ASAN_OPTIONS", "allocator_may_return_null=1"))?;
    }
    Ok(())
}

pub fn host() -> Outcome<String> {
    let text = process::output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|l| l.strip_prefix("host: "));
    line.map(String::from).ok_or_else(|| "rustc -vV names no host".into())
}
