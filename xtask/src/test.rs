//! `cargo xtask test`: every check, cheapest first; the first failure ends it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::process::{Outcome, cargo, output, root, run, target};
use crate::{header, install, setup};

/// Cargo flags common to all stages. `WITHY_FEATURES=""` in the environment leaves the GPU out.
fn features() -> Vec<String> {
    match std::env::var("WITHY_FEATURES") {
        Ok(list) => vec!["--no-default-features".into(), "--features".into(), list],
        Err(_) => vec![],
    }
}

type Stage = (&'static str, fn() -> Outcome);

const STAGES: &[Stage] = &[
    ("system packages", setup::setup),
    ("format", format),
    ("lints", lints),
    ("header", header::check),
    ("tests", tests),
    ("C and C++ against the installed library", c_tests),
];

pub fn test() -> Outcome {
    let begin = Instant::now();
    for (i, (name, stage)) in STAGES.iter().enumerate() {
        println!("[{}/{}] {name}", i + 1, STAGES.len());
        stage().map_err(|e| format!("{name}: {e}"))?;
    }
    println!("all {} stages passed in {:.0} s", STAGES.len(), begin.elapsed().as_secs_f64());
    Ok(())
}

fn format() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Outcome {
    run(cargo().args(["clippy", "--workspace", "--all-targets"]).args(features()).args(["--", "-D", "warnings"]))
}

fn tests() -> Outcome {
    run(cargo().args(["test", "--workspace"]).args(features()))
}

/// The programs of `ctest/` see only what `install` wrote: once through `find_package`, once through pkg-config.
pub fn c_tests() -> Outcome {
    let prefix = target().join("ctest/prefix");
    install::install(&prefix)?;
    if cfg!(target_os = "linux") {
        install::check_exports(&prefix)?;
    }
    for compiler in [["gcc", "g++"], ["clang", "clang++"]] {
        let build = target().join("ctest").join(compiler[0]);
        // A cache made for another compiler or prefix would be kept.
        let _ = std::fs::remove_dir_all(&build);
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("ctest")).arg("-B").arg(&build).arg("-DCMAKE_BUILD_TYPE=Release");
        configure.arg(format!("-DCMAKE_C_COMPILER={}", compiler[0])).arg(format!("-DCMAKE_CXX_COMPILER={}", compiler[1]));
        run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?;
        run(Command::new("cmake").arg("--build").arg(&build))?;
        run(Command::new("ctest").arg("--test-dir").arg(&build).arg("--output-on-failure"))?;
    }
    pkg_config(&prefix)
}

/// The 25-line program, compiled with nothing but what pkg-config says.
fn pkg_config(prefix: &Path) -> Outcome {
    let program = target().join("ctest/hello_pkg_config");
    let flags = output(
        Command::new("pkg-config").args(["--cflags", "--libs", "withy"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
    )?;
    let mut compile = Command::new("gcc");
    compile.args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]).arg(root().join("ctest/hello_rod.c"));
    run(compile.args(flags.split_whitespace()).arg("-o").arg(&program))?;
    run(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))
}
