//! `cargo xtask cross`: the golden scenes, built for Windows and aarch64, run under wine and qemu. Their hashes are those of
//! this machine, or the program fails.

use std::path::Path;
use std::process::Command;

use crate::process::{Outcome, cargo, root, run, target};
use crate::setup::{self, Tool};

pub const WINDOWS: &str = "x86_64-pc-windows-gnu";
pub const ARM: &str = "aarch64-unknown-linux-gnu";

const TOOLS: [Tool; 4] = [
    ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
    ("wine", "wine"),
    ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    ("qemu-aarch64-static", "qemu-user-static"),
];

/// Where Debian puts the C library of the other machine.
pub const ARM_ROOT: &str = "/usr/aarch64-linux-gnu";

pub fn setup() -> Outcome {
    setup::install(&TOOLS, &["wine64", "libc6-dev-arm64-cross"])?;
    run(Command::new("rustup").args(["target", "add", WINDOWS, ARM]).current_dir(root()))
}

pub fn cross() -> Outcome {
    let mut build = cargo();
    // Both at once keep the cores busy to the end. The wide drivers of x86 are those that Linux has been tested with: Windows shows its own calling
    // convention, allocator and libm, which one width does in half of the time.
    build.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS", "--cfg withy_narrow");
    build.args(["build", "--release", "--no-default-features", "--package", "withy", "--example", "golden"]);
    build.args(["--target", WINDOWS, "--target", ARM]);
    build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    run(&mut build)?;
    windows()?;
    arm()
}

fn windows() -> Outcome {
    let folder = target().join(WINDOWS).join("release/examples");
    random_numbers(&folder)?;
    run(&mut wine(&folder.join("golden.exe")))
}

/// What wine 8 lacks of Windows, beside a program.
pub fn random_numbers(folder: &Path) -> Outcome {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/process_prng.c");
    let mut library = Command::new("x86_64-w64-mingw32-gcc");
    library.args(["-shared", "-O2"]).arg(source).arg("-o").arg(folder.join("bcryptprimitives.dll")).arg("-ladvapi32");
    run(&mut library)
}

pub fn wine(program: &Path) -> Command {
    let mut wine = Command::new("wine");
    wine.arg(program).env("WINEPREFIX", target().join("wine")).env("WINEDEBUG", "-all");
    // No Mono, no browser: nothing that asks.
    wine.env("WINEDLLOVERRIDES", "mscoree,mshtml=").env_remove("DISPLAY");
    wine
}

fn arm() -> Outcome {
    let program = target().join(ARM).join("release/examples/golden");
    run(Command::new("qemu-aarch64-static").args(["-L", ARM_ROOT]).arg(program))
}
