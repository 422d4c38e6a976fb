//! `cargo xtask wheel [--target T] --out DIR`: a wheel of bindings/python for this machine, for Windows or for aarch64. For the other two the library
//! is compiled across, and a program in C is run with it (wine, qemu) before it goes into the wheel.
//!
//! The tag of a Linux wheel is that of the newest version of glibc that the library asks for.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cross::{self, ARM, ARM_ROOT, WINDOWS};
use crate::hosts;
use crate::process::{self, Outcome, cargo, output, root, run, target};

/// `None`: this machine.
pub fn wheel(triple: Option<&str>, out: &Path) -> Outcome {
    if triple.is_some_and(|t| t != WINDOWS && t != ARM) {
        return Err(format!("--target is {WINDOWS} or {ARM}"));
    }
    hosts::setup()?;
    if triple.is_some() {
        cross::setup()?;
    }
    let library = build(triple)?;
    match triple {
        Some(WINDOWS) => on_windows(&library)?,
        Some(_) => on_arm(&library)?,
        None => {}
    }
    let tag = match triple {
        Some(WINDOWS) => "win_amd64".to_owned(),
        Some(_) => format!("manylinux_{}_aarch64", glibc(&library)?),
        None => format!("manylinux_{}_{}", glibc(&library)?, std::env::consts::ARCH),
    };
    let folder = target().join("python");
    let python = hosts::environment("python3", &folder, "hatchling", &["hatchling>=1.24"])?;
    process::create_folder(out)?;
    let out = out.canonicalize().map_err(|e| format!("{}: {e}", out.display()))?;
    let mut build = Command::new(python);
    build.args([
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
    ]);
    build.arg(&out).arg(root().join("bindings/python")).env("WITHY_LIBRARY", &library).env("WITHY_WHEEL_PLATFORM", &tag);
    run(build.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    println!("  a wheel for {tag} in {}", out.display());
    Ok(())
}

/// The library, without what a debugger could show of it.
fn build(triple: Option<&str>) -> Outcome<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--release", "--package", "withy", "--lib"]);
    if let Ok(features) = std::env::var("WITHY_FEATURES") {
        build.args(["--no-default-features", "--features", &features]);
    }
    build.args(triple.iter().flat_map(|t| ["--target", t]));
    build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    run(&mut build)?;
    let (file, strip) = match triple {
        Some(WINDOWS) => ("withy.dll", "x86_64-w64-mingw32-strip"),
        Some(_) => ("libwithy.so", "aarch64-linux-gnu-strip"),
        None => ("libwithy.so", "strip"),
    };
    let built = target().join(triple.unwrap_or_default()).join("release").join(file);
    let folder = target().join("wheel").join(triple.unwrap_or("native"));
    process::create_folder(&folder)?;
    let library = folder.join(file);
    std::fs::copy(&built, &library).map_err(|e| format!("{}: {e}", built.display()))?;
    run(Command::new(strip).arg("--strip-unneeded").arg(&library))?;
    Ok(library)
}

/// "2_34", of the newest versioned symbol.
fn glibc(library: &Path) -> Outcome<String> {
    let symbols = output(Command::new("readelf").args(["--dyn-syms", "--wide"]).arg(library))?;
    let minor = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse::<u32>().ok());
    let newest = symbols.match_indices("GLIBC_2.").filter_map(|(at, found)| minor(&symbols[at + found.len()..])).max();
    newest.map(|n| format!("2_{n}")).ok_or_else(|| format!("{}: asks for nothing of glibc", library.display()))
}

/// Compiles the 25 lines of ctest/hello_rod.c.
fn hello(compiler: &str, library: &Path) -> Outcome<PathBuf> {
    let folder = library.parent().expect("it lies in a folder");
    let program = folder.join("hello_rod.exe");
    let mut compile = Command::new(compiler);
    compile.args(["-std=c99", "-Wall", "-Werror", "-I"]).arg(root().join("include")).arg(root().join("ctest/hello_rod.c"));
    run(compile.arg("-o").arg(&program).arg(library).arg("-lm"))?;
    Ok(program)
}

fn on_windows(library: &Path) -> Outcome {
    let program = hello("x86_64-w64-mingw32-gcc", library)?;
    cross::random_numbers(library.parent().expect("it lies in a folder"))?;
    // What Windows does not bring would have to lie in the wheel.
    let needed = output(Command::new("x86_64-w64-mingw32-objdump").arg("-p").arg(library))?;
    if let Some(line) = needed.lines().find(|l| l.contains("DLL Name") && (l.contains("libgcc") || l.contains("winpthread"))) {
        return Err(format!("{}: needs {}", library.display(), line.trim()));
    }
    run(&mut cross::wine(&program))
}

fn on_arm(library: &Path) -> Outcome {
    let folder = library.parent().expect("it lies in a folder");
    let soname = folder.join("libwithy.so.0");
    std::fs::copy(library, &soname).map_err(|e| format!("{}: {e}", soname.display()))?;
    let program = hello("aarch64-linux-gnu-gcc", library)?;
    let path = format!("LD_LIBRARY_PATH={}", folder.display());
    run(Command::new("qemu-aarch64-static").args(["-L", ARM_ROOT, "-E", &path]).arg(program))
}
