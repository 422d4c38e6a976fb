//! The layers of `bindings/` against an installed library: what `install` wrote, and nothing else of this tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Outcome, output, root, run, target};
use crate::setup::{self, Tool};

const TOOLS: [Tool; 3] = [("python3", "python3"), ("mcs", "mono-mcs"), ("mono", "mono-runtime")];

/// Python's venv, and what `mcs` compiles against.
const OTHERS: [&str; 2] = ["python3-venv", "libmono-corlib4.5-cil"];

pub fn setup() -> Outcome {
    setup::install(&TOOLS, &OTHERS)
}

fn library(prefix: &Path) -> Outcome<PathBuf> {
    let path = prefix.join("lib/libwithy.so");
    if path.exists() { Ok(path) } else { Err(format!("{} is not there: `cargo xtask install` first", path.display())) }
}

/// The wheel in a clean environment: its tests, the cost of a call, the example, the types.
pub fn python(prefix: &Path) -> Outcome {
    const PACKAGES: [&str; 6] =
        ["hatchling>=1.24", "numpy>=1.22", "pytest>=7", "mypy>=1.8", "typing_extensions>=4.6", "matplotlib>=3.5"];
    let (folder, source) = (target().join("python"), root().join("bindings/python"));
    let environment = folder.join("venv");
    let python = environment.join("bin/python");
    let here = |command: &mut Command| run(command.env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1"));
    if !python.is_file() {
        here(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let pip = || {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
        command
    };
    if output(Command::new(&python).args(["-c", "import hatchling, numpy, pytest, mypy, typing_extensions, matplotlib"])).is_err()
    {
        here(pip().arg("install").args(PACKAGES))?;
    }
    let wheels = folder.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut wheel = pip();
    wheel.args(["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]).arg(&wheels).arg(&source);
    here(wheel.env("WITHY_LIBRARY", library(prefix)?))?;
    let made = std::fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let made: Vec<PathBuf> = made.flatten().map(|f| f.path()).collect();
    let [wheel] = &made[..] else { return Err(format!("{} wheels instead of one", made.len())) };
    if !wheel.to_string_lossy().contains("-py3-none-linux_") {
        return Err(format!("{} is not for every Python 3 of this platform", wheel.display()));
    }
    here(pip().args(["install", "--force-reinstall", "--no-deps"]).arg(wheel))?;
    // Not in the folder of the sources: it is the wheel that is tested.
    let within = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&folder).env_remove("WITHY_LIBRARY");
        command
    };
    here(within(&["-m", "pytest", "-p", "no:cacheprovider"]).arg(source.join("tests")))?;
    here(within(&[]).arg(source.join("bench.py")).arg("--check"))?;
    let picture = folder.join("groom.png");
    let _ = std::fs::remove_file(&picture);
    here(within(&[]).arg(source.join("examples/groom.py")).env("MPLBACKEND", "Agg"))?;
    if !picture.is_file() {
        return Err("examples/groom.py made no picture".into());
    }
    let mut types = Command::new(&python);
    types.args(["-m", "mypy", "--cache-dir"]).arg(folder.join("mypy")).current_dir(&source);
    here(&mut types)
}

/// The layer compiled by Mono without a warning, its layouts against C's, its tests.
pub fn csharp(prefix: &Path) -> Outcome {
    let (folder, source) = (target().join("csharp"), root().join("bindings/csharp"));
    process::create_folder(&folder)?;
    library(prefix)?;
    let program = folder.join("tests.exe");
    let mut compile = Command::new("mcs");
    compile.args(["-langversion:7.2", "-unsafe", "-warn:4", "-warnaserror", "-debug"]);
    compile.arg(format!("-out:{}", program.display()));
    for part in ["Withy", "tests"] {
        compile.arg(format!("-recurse:{}", source.join(part).join("*.cs").display()));
    }
    run(&mut compile)?;
    let mono = || {
        let mut command = Command::new("mono");
        command.arg("--debug").arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib"));
        command
    };
    let (layouts, managed) = (folder.join("layouts"), folder.join("layouts.txt"));
    let mut compile = Command::new("gcc");
    compile.args(["-std=c99", "-Wall", "-Werror", "-I"]).arg(prefix.join("include")).arg(source.join("tests/layouts.c"));
    run(compile.arg("-o").arg(&layouts))?;
    run(mono().arg("layouts").arg(&managed))?;
    let (c, managed) = (output(&mut Command::new(&layouts))?, process::read(&managed)?);
    if let Some((c, managed)) = c.lines().zip(managed.lines()).find(|(a, b)| a != b) {
        return Err(format!("layouts differ: `{c}` in C, `{managed}` in C#"));
    }
    if c.lines().count() != managed.lines().count() || c.is_empty() {
        return Err("layouts differ in number".into());
    }
    println!("  {} structs and fields lie in C# as in C", c.lines().count());
    run(&mut mono())
}
