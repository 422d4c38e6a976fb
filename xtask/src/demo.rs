//! `cargo xtask demo [PATH]`: a groom from a file, or our own, as pictures and a cache, from nothing but a Rust toolchain.

use std::time::Instant;

use crate::process::{self, Outcome};

/// Strands of our own groom, frames and size: under three minutes on two cores.
const OWN: [&str; 4] = [":head", "--strands", "2400", "--motion=turn"];
const COMMON: [&str; 8] = ["--frames", "210", "--threads", "0", "--size", "480x480", "--cache-every", "3"];

pub fn demo(path: Option<&str>) -> Outcome {
    // Before a build of a minute or two.
    if let Some(path) = path.filter(|p| !p.starts_with(':') && !std::path::Path::new(p).is_file()) {
        return Err(format!("{path}: there is no such file"));
    }
    let begin = Instant::now();
    let out = process::root().join("out").join("demo");
    std::fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let file = |name: &str| out.join(name).display().to_string();
    println!("1 of 2: compiling withy; the first time this takes about three minutes on two cores, later a few seconds");
    // It runs on the CPU; the GPU backend would triple the build.
    process::run(process::cargo().args(["build", "--release", "--package", "withy-cli", "--no-default-features"]))?;
    // Where cargo has put it: `target()` knows CARGO_TARGET_DIR.
    let program = process::target().join("release").join(format!("withy{}", std::env::consts::EXE_SUFFIX));
    println!("2 of 2: simulating three and a half seconds of hair and drawing them; about two minutes");
    let mut command = std::process::Command::new(program);
    command.arg("simulate");
    match path {
        Some(path) => command.args([path, "--motion=turn"]),
        None => command.args(OWN),
    };
    command.args(COMMON);
    command.args(["--out", &file("cache.usda"), "--preview", &file("contact_sheet.png"), "--gif", &file("demo.gif")]);
    process::run(&mut command)?;
    println!(
        "done in {:.0} s; open out/demo/demo.gif (it moves) or out/demo/contact_sheet.png; out/demo/cache.usda is for a 3D program",
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}
