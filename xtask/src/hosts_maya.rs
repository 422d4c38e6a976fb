//! The Maya plugin of `hosts/maya`, on its stand-in for Maya's API.

use std::path::Path;
use std::process::Command;

use crate::process::{Outcome, has, root, run, target};

/// Built twice against an installed library, and played: by g++ under the sanitizers, by clang++ as it is shipped.
pub fn maya(prefix: &Path) -> Outcome {
    for tool in ["cmake", "ctest", "g++", "clang++", "nm", "python3"] {
        if !has(tool) {
            return Err(format!("{tool} is not there: `cargo xtask setup` first"));
        }
    }
    if !prefix.join("lib/libwithy.a").exists() {
        return Err(format!("{}: no library; `cargo xtask install` first", prefix.display()));
    }
    for (compiler, build_type, sanitize) in [("g++", "Debug", "ON"), ("clang++", "Release", "OFF")] {
        let build = target().join("maya").join(compiler);
        // A cache made for another compiler or prefix would be kept.
        let _ = std::fs::remove_dir_all(&build);
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("hosts/maya")).arg("-B").arg(&build).env_remove("DEVKIT_LOCATION");
        configure.arg(format!("-DCMAKE_CXX_COMPILER={compiler}")).arg(format!("-DCMAKE_BUILD_TYPE={build_type}"));
        configure.arg(format!("-DWITHY_MAYA_SANITIZE={sanitize}")).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        run(&mut configure)?;
        run(Command::new("cmake").arg("--build").arg(&build).args(["--parallel", "2"]))?;
        run(Command::new("ctest").arg("--test-dir").arg(&build).args(["--output-on-failure", "--no-tests=error"]))?;
    }
    Ok(())
}
