//! The system packages that the tests need.

use std::process::Command;

use crate::process::{Outcome, has, output, run};

/// A program that must be there, and the Debian package that has it.
const TOOLS: [(&str, &str); 6] =
    [("gcc", "gcc"), ("g++", "g++"), ("clang", "clang"), ("cmake", "cmake"), ("pkg-config", "pkg-config"), ("nm", "binutils")];

/// Packages without a program: the software Vulkan driver.
const DRIVERS: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];

fn missing() -> Vec<&'static str> {
    let tools = TOOLS.iter().filter(|(program, _)| !has(program)).map(|(_, package)| *package);
    let installed = |package: &str| output(Command::new("dpkg").args(["-s", package])).is_ok();
    let drivers = DRIVERS.into_iter().filter(|package| has("dpkg") && !installed(package));
    tools.chain(drivers).collect()
}

pub fn setup() -> Outcome {
    let packages = missing();
    if packages.is_empty() {
        println!("  all packages are there");
        return Ok(());
    }
    let list = packages.join(" ");
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !has("apt-get") || !root {
        return Err(format!("missing: {list}. On Debian, as root: apt-get install --no-install-recommends {list}"));
    }
    run(Command::new("apt-get").args(["update", "-q"]))?;
    run(Command::new("apt-get").args(["install", "-y", "-q", "--no-install-recommends"]).args(&packages))?;
    match missing() {
        still if still.is_empty() => Ok(()),
        still => Err(format!("still missing after apt-get: {}", still.join(" "))),
    }
}
