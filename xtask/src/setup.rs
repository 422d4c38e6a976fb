//! The system packages that the tests need.

use std::process::Command;

use crate::process::{Outcome, has, output, run};

/// A program that must be there, and the Debian package that has it.
pub type Tool = (&'static str, &'static str);

const TOOLS: [Tool; 9] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("clang", "clang"),
    ("cmake", "cmake"),
    ("pkg-config", "pkg-config"),
    ("nm", "binutils"),
    ("valgrind", "valgrind"),
    ("Xvfb", "xvfb"),
    ("xdotool", "xdotool"),
];

/// Packages without a program: the software Vulkan driver, C's headers, what valgrind must know of it, Python's venv; what a window loads
/// on X11.
const OTHERS: [&str; 9] = [
    "mesa-vulkan-drivers",
    "libvulkan1",
    "libc6-dev",
    "libc6-dbg",
    "python3-venv",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
];

fn missing(tools: &[Tool], others: &[&'static str]) -> Vec<&'static str> {
    let tools = tools.iter().filter(|(program, _)| !has(program)).map(|(_, package)| *package);
    let installed = |package: &str| output(Command::new("dpkg").args(["-s", package])).is_ok();
    let others = others.iter().copied().filter(|package| has("dpkg") && !installed(package));
    tools.chain(others).collect()
}

/// Installs what is not there. `others` are packages that have no program to look for.
pub fn install(tools: &[Tool], others: &[&'static str]) -> Outcome {
    let packages = missing(tools, others);
    if packages.is_empty() {
        println!("  all packages are there");
        return Ok(());
    }
    let list = packages.join(" ");
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !has("apt-get") || !root {
        return Err(format!("missing: {list}. On Debian, as root: apt-get install --no-install-recommends {list}"));
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(&packages);
    run(apt.env("DEBIAN_FRONTEND", "noninteractive"))?;
    match missing(tools, others) {
        still if still.is_empty() => Ok(()),
        still => Err(format!("still missing after apt-get: {}", still.join(" "))),
    }
}

/// For `cargo xtask test` without the other machines.
pub fn setup() -> Outcome {
    install(&TOOLS, &OTHERS)
}
