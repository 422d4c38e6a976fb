//! `cargo xtask …`: what the project does besides compiling.

mod header;
mod install;
mod process;
mod setup;
mod test;

use std::process::ExitCode;

use process::Outcome;

const USAGE: &str = "\
cargo xtask header [--check]       write include/withy.h from src/ffi, or compare it
cargo xtask install --prefix DIR   build the library; put it, its headers, CMake and pkg-config files under DIR
cargo xtask setup                  install the system packages that the tests need (Debian, as root)
cargo xtask test                   set up and run every check";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome: Outcome = match words[..] {
        ["header"] => header::write(),
        ["header", "--check"] => header::check(),
        ["install", "--prefix", dir] => install::install(dir.as_ref()),
        ["setup"] => setup::setup(),
        ["test"] => test::test(),
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
