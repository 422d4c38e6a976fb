//! `cargo xtask test`: every check, cheapest first; the first failure ends it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::process::{self, Outcome, cargo, has, output, root, run, target};
use crate::{bindings, cross, docs, floors, fuzz, header, hosts, hosts_maya, hosts_unreal, install, setup};

/// Cargo flags common to all stages. `WITHY_FEATURES=""` in the environment leaves the GPU out.
fn features() -> Vec<String> {
    match std::env::var("WITHY_FEATURES") {
        Ok(list) => vec!["--no-default-features".into(), "--features".into(), list],
        Err(_) => vec![],
    }
}

type Stage = (&'static str, fn() -> Outcome);

/// One profile for all of them: what a stage compiles, the next one finds.
const STAGES: &[Stage] = &[
    ("system packages", system),
    ("format", format),
    ("floors: folders import downwards", floors::check),
    ("header", header::check),
    ("bindings", bindings::check),
    ("lints", lints),
    ("compile the tests", compile),
    ("shaders are what the kernels print", wgsl),
    ("tests, shaders compared", tests),
    ("C and C++ against the installed library", c_tests),
    ("generators of bindings over the headers", || hosts::generators(&prefix())),
    ("Python against the installed library", || hosts::python(&prefix())),
    ("C# and Unity's components against the installed library", || hosts::csharp(&prefix())),
    ("the Maya plugin on a stand-in for Maya", || hosts_maya::maya(&prefix())),
    ("the Unreal module on stubs of Unreal", || hosts_unreal::unreal(&prefix())),
    ("the extension inside Blender", || hosts::blender_stage(&prefix())),
    ("the pages as a site, links and pictures", docs::check),
    ("kernels in one piece", kernels),
    ("USD files against OpenUSD", usd),
    ("C and random calls under valgrind", valgrind),
    ("golden hashes on Windows and aarch64", cross::cross),
    ("readers under the fuzzer, briefly", fuzz::readers),
];

/// `from`: the number of the first stage to run, from 1.
pub fn test(from: usize) -> Outcome {
    let mut times = Vec::new();
    let mut outcome = Ok(());
    for (i, (name, stage)) in STAGES.iter().enumerate().skip(from.saturating_sub(1)) {
        println!("[{}/{}] {name}", i + 1, STAGES.len());
        let begin = Instant::now();
        outcome = stage().map_err(|e| format!("{name}: {e}"));
        times.push((name, begin.elapsed().as_secs_f64()));
        if outcome.is_err() {
            break;
        }
    }
    println!();
    for (i, (name, seconds)) in times.iter().enumerate() {
        let word = if outcome.is_err() && i + 1 == times.len() { "FAILED" } else { "ok" };
        println!("{seconds:7.1} s  {word:6} {name}");
    }
    let total: f64 = times.iter().map(|(_, seconds)| seconds).sum();
    let stages = STAGES.len();
    match outcome {
        Ok(()) => println!("{total:7.1} s  all {stages} stages passed"),
        Err(_) => println!("{total:7.1} s  stopped at stage {} of {stages}", from.saturating_sub(1) + times.len()),
    }
    outcome
}

fn system() -> Outcome {
    setup::setup()?;
    hosts::setup()?;
    docs::setup()?;
    cross::setup()
}

/// Also among the tests, but a stale shader should stop a run before they all have run.
fn wgsl() -> Outcome {
    run(cargo_test().args(["--quiet", "--lib", "--", "checked_in_kernels"]))
}

fn format() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))
}

/// Both feature sets: code for a machine without a GPU must not rot.
fn lints() -> Outcome {
    let deny = ["--", "-D", "warnings"];
    let clippy = ["clippy", "--release", "--workspace", "--all-targets"];
    run(cargo().args(clippy).args(features()).args(deny))?;
    run(cargo().args(["clippy", "--release", "--package", "withy", "--all-targets", "--no-default-features"]).args(deny))
}

/// What becomes a function of its own within the loops of a driver, as a closure may, loses the driver's instruction set: it is called with its lanes in
/// memory, at a multiple of their cost, and no test would tell.
fn kernels() -> Outcome {
    const LANES: [&str; 9] = [
        "withy_solve::rods::ghost::",
        "withy_solve::rods::newton::",
        "withy_solve::rods::der::assembly::",
        "withy_solve::rods::der::band::",
        "withy_solve::rods::der::elimination::",
        "withy_solve::rods::der::kernels::",
        "withy_solve::rods::der::modes::",
        "withy_solve::rods::der::strand::",
        "withy_solve::collide::kernels::",
    ];
    // What makes room, once, and what a search for rest shapes asks once of a strand.
    const COLD: [&str; 6] =
        ["drop_in_place", "Strands<L>::new", "::make_room", "::make_rows", "fmt::Debug", "der::strand::Strands<L>>::stiffness"];
    let program = program();
    let symbols = output(Command::new("nm").arg("-C").arg(&program))?;
    let functions = || symbols.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
    if !functions().any(|name| name.contains("withy_solve::step::dispatch::avx2::direction")) && cfg!(target_arch = "x86_64") {
        return Err(format!("no drivers among the symbols of {}", program.display()));
    }
    let apart: Vec<&str> = functions()
        .filter(|name| LANES.iter().any(|of| name.contains(of)) && !COLD.iter().any(|of| name.contains(of)))
        .filter(|name| ["{{closure}}", "<L>", "<L,", "<T>"].iter().any(|generic| name.contains(generic)))
        .collect();
    match apart[..] {
        [] => Ok(()),
        _ => Err(format!("functions of their own in loops over lanes:\n{}", apart.join("\n"))),
    }
}

/// The command line, which `install` has compiled.
pub fn program() -> PathBuf {
    target().join("release").join(format!("withy{}", std::env::consts::EXE_SUFFIX))
}

fn usd_folder() -> PathBuf {
    target().join("usd")
}

/// xtask has no tests, and is compiled in another profile.
fn cargo_test() -> Command {
    let mut command = cargo();
    command.args(["test", "--release", "--workspace", "--exclude", "xtask"]).args(features());
    command
}

fn compile() -> Outcome {
    run(cargo_test().arg("--no-run"))
}

/// A missing GPU is a failure here, unless the build has no GPU: `setup` brought a software one.
fn tests() -> Outcome {
    let _ = std::fs::remove_dir_all(usd_folder());
    process::create_folder(&usd_folder())?;
    let mut command = cargo_test();
    if std::env::var_os("WITHY_FEATURES").is_none() {
        command.env("WITHY_REQUIRE_GPU", "1");
    }
    run(command.env("WITHY_USD_OUT", usd_folder()))?;
    // What takes too long for every day.
    run(cargo_test().args(["--test", "scenes", "--", "--ignored"]))
}

/// Every USD file that the tests left, and one of the program, judged by OpenUSD's own validators.
fn usd() -> Outcome {
    let program = program();
    let folder = usd_folder().join("simulate");
    process::create_folder(&folder)?;
    let mut simulate = Command::new(program);
    simulate.args(["simulate", ":head", "--strands", "60", "--frames", "4", "--out"]).arg(folder.join("out.usda"));
    run(&mut simulate)?;
    let venv = target().join("usd_venv");
    let python = venv.join("bin/python");
    if !python.is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    }
    if output(Command::new(&python).args(["-c", "from pxr import UsdValidation"])).is_err() {
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "usd-core>=25.5"]))?;
    }
    let folders = std::fs::read_dir(usd_folder()).map_err(|e| format!("{}: {e}", usd_folder().display()))?;
    let files: Vec<PathBuf> = folders.flatten().map(|f| f.path().join("out.usda")).filter(|f| f.is_file()).collect();
    if files.is_empty() {
        return Err("the tests left no USD file".into());
    }
    files.iter().try_for_each(|file| run(Command::new(&python).arg(root().join("tests/usd_check.py")).arg(file)))
}

/// Where the programs of `ctest/` find the library.
pub fn prefix() -> PathBuf {
    target().join("ctest/prefix")
}

/// The programs of `ctest/` see only what `install` wrote: once through `find_package`, once through pkg-config.
pub fn c_tests() -> Outcome {
    let prefix = prefix();
    install::install(&prefix)?;
    if cfg!(target_os = "linux") {
        install::check_exports(&prefix)?;
        if has("strip") {
            install::check_size(&prefix)?;
        }
    }
    for compiler in [["gcc", "g++"], ["clang", "clang++"]] {
        let build = target().join("ctest").join(compiler[0]);
        // A cache made for another compiler or prefix would be kept.
        let _ = std::fs::remove_dir_all(&build);
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("ctest")).arg("-B").arg(&build).arg("-DCMAKE_BUILD_TYPE=Release");
        configure.arg(format!("-DCMAKE_C_COMPILER={}", compiler[0])).arg(format!("-DCMAKE_CXX_COMPILER={}", compiler[1]));
        run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?;
        run(Command::new("cmake").arg("--build").arg(&build))?;
        run(Command::new("ctest").arg("--test-dir").arg(&build).arg("--output-on-failure"))?;
    }
    example(&prefix)?;
    pkg_config(&prefix)
}

/// The project that a user copies, built and run as its first lines say.
fn example(prefix: &Path) -> Outcome {
    let build = target().join("ctest/example");
    let _ = std::fs::remove_dir_all(&build);
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("examples/cmake")).arg("-B").arg(&build);
    run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?;
    run(Command::new("cmake").arg("--build").arg(&build))?;
    run(&mut Command::new(build.join("scrub")))
}

/// The 25-line program, compiled with nothing but what pkg-config says.
fn pkg_config(prefix: &Path) -> Outcome {
    let program = target().join("ctest/hello_pkg_config");
    let flags = output(
        Command::new("pkg-config").args(["--cflags", "--libs", "withy"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
    )?;
    let mut compile = Command::new("gcc");
    compile.args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]).arg(root().join("ctest/hello_rod.c"));
    run(compile.args(flags.split_whitespace()).arg("-o").arg(&program))?;
    run(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))
}

/// Memory errors and leaks, seen from a C program. valgrind 3.19 does not know VMOVQ from register to register in AVX code, which
/// the compiler may choose in drivers for AVX2: worlds take those for SSE2.
fn valgrind() -> Outcome {
    let shim = target().join("ctest/baseline.so");
    let mut compile = Command::new("gcc");
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]).arg(root().join("ctest/baseline.c"));
    run(compile.arg("-I").arg(prefix().join("include")).arg("-o").arg(&shim).arg("-ldl"))?;
    const VALGRIND: [&str; 5] =
        ["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"];
    for (program, argument) in [("hello_rod", None), ("misuse", None), ("hostile", Some("few"))] {
        let mut valgrind = Command::new("valgrind");
        run(valgrind.args(VALGRIND).arg(target().join("ctest/gcc").join(program)).args(argument).env("LD_PRELOAD", &shim))?;
    }
    let runner = format!("CARGO_TARGET_{}_RUNNER", fuzz::host()?.to_uppercase().replace('-', "_"));
    let mut random = cargo_test();
    random.args(["--test", "abi", "--", "--ignored", "a_few_random_calls", "--test-threads", "1"]);
    run(random.env(runner, format!("valgrind {}", VALGRIND.join(" "))))
}
