//! The extension of `hosts/godot`: compiled, played without the engine, loaded.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Outcome, cargo, root, run, target};

pub fn godot(prefix: &Path) -> Outcome {
    let (source, build) = (root().join("hosts/godot"), target().join("godot"));
    process::create_folder(&build)?;
    let library = prefix.join("lib");
    let within = |words: &[&str]| {
        let mut command = cargo();
        command.args(words).current_dir(&source).env("WITHY_PREFIX", prefix).env("CARGO_TARGET_DIR", &build);
        command.env("LD_LIBRARY_PATH", &library);
        command
    };
    run(&mut within(&["clippy", "--release", "--all-targets", "--", "-D", "warnings"]))?;
    run(&mut within(&["test", "--release"]))?;
    run(&mut within(&["build", "--release"]))?;
    // As in a project: withy's library lies beside the extension.
    let addon = build.join("addon");
    process::create_folder(&addon)?;
    for (from, name) in
        [(build.join("release/libwithy_godot.so"), "libwithy_godot.so"), (library.join("libwithy.so.0"), "libwithy.so.0")]
    {
        std::fs::copy(&from, addon.join(name)).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    let program = build.join("load");
    let mut compile = Command::new("gcc");
    compile.args(["-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror"]).arg(source.join("tests/load.c"));
    run(compile.arg("-o").arg(&program).arg("-ldl"))?;
    run(Command::new(program).arg(addon.join("libwithy_godot.so")).env_remove("LD_LIBRARY_PATH"))
}
