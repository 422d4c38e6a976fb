//! `cargo xtask …`: what the project does besides compiling.

mod bindings;
mod cross;
mod demo;
mod docs;
mod floors;
mod fuzz;
mod header;
mod hosts;
mod hosts_godot;
mod hosts_maya;
mod hosts_unreal;
mod install;
mod process;
mod setup;
mod test;
mod wheel;

use std::process::ExitCode;

use process::Outcome;

const USAGE: &str = "\
cargo xtask header [--check]       write include/*.h from src/ffi, or compare them
cargo xtask bindings [--check]     write include/withy.json, and from it the layers of Python and C#, or compare them
cargo xtask install --prefix DIR   build the library; put it, its headers, CMake and pkg-config files under DIR
cargo xtask wgsl [--check]         write the generated shaders from the kernels, or compare them
cargo xtask demo [GROOM]           simulate our own groom, or a file; writes out/demo
cargo xtask setup                  install the system packages that the tests need (Debian, as root)
cargo xtask docs                   the pages as a site, target/docs/site, and look at it in a browser
cargo xtask floors                 folders import downwards only
cargo xtask ctest                  only the C and C++ programs of ctest/, against the installed library
cargo xtask python [--prefix DIR]  only the tests of bindings/python, with a new library or the one installed under DIR
cargo xtask generators [--prefix DIR]
                                   bindgen, cffi, ctypesgen and clang over the headers
cargo xtask csharp [--prefix DIR]  only those of bindings/csharp and hosts/unity
cargo xtask blender [--prefix DIR] the extension of hosts/blender inside Blender 5.0.1, which pip brings (374 MB)
cargo xtask blender-time [--prefix DIR]
                                   how long a frame takes in its handler, by parts; on an idle machine
cargo xtask maya [--prefix DIR]    the plugin of hosts/maya on its stand-in for Maya
cargo xtask unreal [--prefix DIR]  the module of hosts/unreal on stubs of Unreal
cargo xtask godot [--prefix DIR]   the extension of hosts/godot, without Godot (its crate compiles for two minutes)
cargo xtask cross                  the golden hashes on Windows (wine) and aarch64 (qemu)
cargo xtask wheel [--target T] --out DIR
                                   a wheel for this machine, x86_64-pc-windows-gnu or aarch64-unknown-linux-gnu
cargo xtask fuzz [SECONDS]         both fuzz targets, each for so long (20)
cargo xtask test [--from N]        set up and run every check, or those from the N-th on; Blender only with WITHY_BLENDER=1";

/// The test that compares the checked-in shaders also writes them.
const GENERATED_WGSL: [&str; 8] = ["test", "--release", "--quiet", "--package", "withy-gpu", "--lib", "--", "checked_in_kernels"];

/// With the library of this tree.
fn installed(check: fn(&std::path::Path) -> Outcome) -> Outcome {
    hosts::setup()?;
    install::install(&test::prefix())?;
    check(&test::prefix())
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    // Tools run in folders of their own.
    for k in 1..arguments.len() {
        if let ("--prefix" | "--out", Ok(full)) = (arguments[k - 1].as_str(), std::path::absolute(&arguments[k])) {
            arguments[k] = full.to_string_lossy().into_owned();
        }
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome: Outcome = match words[..] {
        ["header"] => header::write(),
        ["header", "--check"] => header::check(),
        ["bindings"] => bindings::write(),
        ["bindings", "--check"] => bindings::check(),
        ["install", "--prefix", dir] => install::install(dir.as_ref()),
        ["fuzz"] => fuzz::all(fuzz::SECONDS),
        ["fuzz", n] => n.parse().map_err(|_| format!("fuzz {n}: not a number of seconds")).and_then(fuzz::all),
        ["cross"] => cross::setup().and_then(|()| cross::cross()),
        ["floors"] => floors::check(),
        ["python"] => installed(hosts::python),
        ["python", "--prefix", dir] => hosts::python(dir.as_ref()),
        ["generators"] => installed(hosts::generators),
        ["generators", "--prefix", dir] => hosts::generators(dir.as_ref()),
        ["csharp"] => installed(hosts::csharp),
        ["csharp", "--prefix", dir] => hosts::csharp(dir.as_ref()),
        ["blender"] => installed(hosts::blender),
        ["blender", "--prefix", dir] => hosts::blender(dir.as_ref()),
        ["blender-time"] => installed(hosts::blender_time),
        ["blender-time", "--prefix", dir] => hosts::blender_time(dir.as_ref()),
        ["maya"] => installed(hosts_maya::maya),
        ["maya", "--prefix", dir] => hosts_maya::maya(dir.as_ref()),
        ["unreal"] => installed(hosts_unreal::unreal),
        ["unreal", "--prefix", dir] => hosts_unreal::unreal(dir.as_ref()),
        ["godot"] => installed(hosts_godot::godot),
        ["godot", "--prefix", dir] => hosts_godot::godot(dir.as_ref()),
        ["wheel", "--out", dir] => wheel::wheel(None, dir.as_ref()),
        ["wheel", "--target", triple, "--out", dir] => wheel::wheel(Some(triple), dir.as_ref()),
        ["docs"] => docs::setup().and_then(|()| docs::check()),
        ["ctest"] => test::c_tests(),
        ["wgsl"] => process::run(process::cargo().args(GENERATED_WGSL).env("WITHY_WRITE_WGSL", "1")),
        ["wgsl", "--check"] => process::run(process::cargo().args(GENERATED_WGSL)),
        ["demo"] => demo::demo(None),
        ["demo", path] => demo::demo(Some(path)),
        ["setup"] => setup::setup(),
        ["test"] => test::test(1),
        ["test", "--from", n] => n.parse().map_err(|_| format!("--from {n}: not a number")).and_then(test::test),
        _ => Err(format!("usage:\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
