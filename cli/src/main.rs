//! The `withy` command. Exit codes: 0 done, 1 failed (the reason in words on standard error), 2 wrong usage.

use clap::Parser;
use std::process::ExitCode;
use withy_cli::args::{Cli, Command};
use withy_cli::{accuracy, bench, info, muscle, scenes, simulate};

/// A reader that goes away (`withy bench | head`) ends the program, as it does any other.
#[cfg(unix)]
fn end_with_reader() {
    // SAFETY: at the start of the program, before any other thread.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
#[cfg(not(unix))]
fn end_with_reader() {}

fn main() -> ExitCode {
    end_with_reader();
    let done = match Cli::parse().command {
        Command::Info { file } => info::run(&file),
        Command::Simulate(options) => simulate::run(&options),
        #[cfg(feature = "view")]
        Command::View(options) => withy_cli::view::run(&options),
        #[cfg(not(feature = "view"))]
        Command::View(_) => Err("this command was built without its feature `view`".into()),
        Command::Bench(options) => bench::run(&options),
        Command::Muscle(options) => muscle::run(&options),
        Command::Scene { name, out } => scenes::run(&name, &out),
        Command::Accuracy { names, edges, json } => {
            accuracy::run_some(json, &names, &edges.iter().map(|&n| n as usize).collect::<Vec<_>>()).map_err(Into::into)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("withy: {error}");
            ExitCode::FAILURE
        }
    }
}
