//! The layers of `bindings/` against an installed library: what `install` wrote, and nothing else of this tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Outcome, output, root, run, target};
use crate::setup::{self, Tool};
use crate::test;

const TOOLS: [Tool; 4] = [("python3", "python3"), ("mcs", "mono-mcs"), ("mono", "mono-runtime"), ("bindgen", "bindgen")];

/// Python's venv, and what `mcs` compiles against.
const OTHERS: [&str; 2] = ["python3-venv", "libmono-corlib4.5-cil"];

/// What Blender's module is linked with, beside its own.
const BLENDER: [&str; 8] =
    ["python3.11-venv", "libgl1", "libsm6", "libxext6", "libxfixes3", "libxi6", "libxkbcommon0", "libxrender1"];

pub fn setup() -> Outcome {
    setup::install(&TOOLS, &OTHERS)
}

fn library(prefix: &Path) -> Outcome<PathBuf> {
    let path = prefix.join("lib/libwithy.so");
    if path.exists() { Ok(path) } else { Err(format!("{} is not there: `cargo xtask install` first", path.display())) }
}

fn here(command: &mut Command) -> Outcome {
    run(command.env_remove("PYTHONPATH").env_remove("WITHY_LIBRARY").env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// A virtual environment in which all of `modules` can be imported; `packages` bring them.
pub fn environment(interpreter: &str, folder: &Path, modules: &str, packages: &[&str]) -> Outcome<PathBuf> {
    let environment = folder.join("venv");
    let python = environment.join("bin/python");
    if !python.is_file() {
        here(Command::new(interpreter).args(["-m", "venv"]).arg(&environment))?;
    }
    if output(Command::new(&python).args(["-c", &format!("import {modules}")])).is_err() {
        here(pip(&python).arg("install").args(packages))?;
        let import = output(Command::new(&python).args(["-c", &format!("import {modules}")]));
        import.map_err(|e| format!("pip has installed {}, and still: {e}", packages.join(", ")))?;
    }
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    command
}

/// The wheel of bindings/python around the installed library.
fn wheel(python: &Path, prefix: &Path, folder: &Path) -> Outcome<PathBuf> {
    let wheels = folder.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut build = pip(python);
    build.args(["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]).arg(&wheels).arg(root().join("bindings/python"));
    run(build.env("WITHY_LIBRARY", library(prefix)?).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    let made = std::fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let made: Vec<PathBuf> = made.flatten().map(|f| f.path()).collect();
    let [wheel] = &made[..] else { return Err(format!("{} wheels instead of one", made.len())) };
    if !wheel.to_string_lossy().contains("-py3-none-linux_") {
        return Err(format!("{} is not for every Python 3 of this platform", wheel.display()));
    }
    Ok(wheel.clone())
}

/// The wheel in an environment for tests: these, the cost of a call, the example, the notebooks, the types. And in an empty one, as a user
/// installs it.
pub fn python(prefix: &Path) -> Outcome {
    const MODULES: &str = "hatchling, numpy, pytest, mypy, typing_extensions, matplotlib, nbclient, ipykernel";
    const PACKAGES: [&str; 8] = [
        "hatchling>=1.24",
        "numpy>=1.22",
        "pytest>=7",
        "mypy>=1.8",
        "typing_extensions>=4.6",
        "matplotlib>=3.5",
        "nbclient>=0.10",
        "ipykernel>=6.29",
    ];
    let (folder, source) = (target().join("python"), root().join("bindings/python"));
    let python = environment("python3", &folder, MODULES, &PACKAGES)?;
    let wheel = wheel(&python, prefix, &folder)?;
    here(pip(&python).args(["install", "--force-reinstall", "--no-deps"]).arg(&wheel))?;
    // Not in the folder of the sources: it is the wheel that is tested.
    let within = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&folder);
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
    here(within(&[]).arg(source.join("tests/run_notebooks.py")).arg(source.join("examples")))?;
    clean(&wheel, &folder)?;
    let mut types = Command::new(&python);
    types.args(["-m", "mypy", "--cache-dir"]).arg(folder.join("mypy")).current_dir(&source);
    here(&mut types)
}

/// `pip install` of the wheel, with what it asks for, into an empty environment. It has its own library.
fn clean(wheel: &Path, folder: &Path) -> Outcome {
    let environment = folder.join("clean");
    let _ = std::fs::remove_dir_all(&environment);
    here(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    let python = environment.join("bin/python");
    here(pip(&python).arg("install").arg(wheel))?;
    let program = "import numpy, withy; w = withy.World(); \
                   r = withy.Rods(w, numpy.linspace((0, 0, 0), (0.3, 0, 0), 9), radius=0.005, root=withy.Support.CLAMPED); \
                   [w.step(1 / 60) for _ in range(30)]; tip = r.read_positions()[-1]; print(' ', tip); assert tip[1] < -0.01";
    here(Command::new(&python).args(["-c", program]).current_dir(folder))
}

/// Generators of bindings for other languages over the installed headers, and a call through what two of them made.
pub fn generators(prefix: &Path) -> Outcome {
    library(prefix)?;
    let folder = target().join("generators");
    let python = environment("python3", &folder, "cffi, ctypesgen", &["cffi>=1.15", "ctypesgen==1.1.1"])?;
    here(Command::new(python).arg(root().join("tests/generators.py")).arg(prefix).arg("bindgen"))
}

/// Whether `test` plays Blender, too: on a new machine 374 MB come first.
const BLENDER_FLAG: &str = "WITHY_BLENDER";

/// [`blender`] as a stage of `test`.
pub fn blender_stage(prefix: &Path) -> Outcome {
    match std::env::var(BLENDER_FLAG).as_deref() {
        Ok("1") => blender(prefix),
        Ok("0") | Err(std::env::VarError::NotPresent) => {
            println!("  not run: {BLENDER_FLAG}=1 in the environment runs it, and brings Blender as a Python module (374 MB)");
            Ok(())
        }
        other => Err(format!("{BLENDER_FLAG} is {other:?}: 0 or 1")),
    }
}

/// Blender's Python, with the extension that the installed library is in, and a folder for what a user would have.
fn blender_extension(prefix: &Path) -> Outcome<(PathBuf, PathBuf, PathBuf)> {
    setup::install(&[("python3.11", "python3.11")], &BLENDER)?;
    let (folder, source) = (target().join("blender"), root().join("hosts/blender"));
    let python = environment("python3.11", &folder, "bpy, hatchling", &["bpy==5.0.1", "hatchling>=1.24"])?;
    let wheel = wheel(&python, prefix, &folder)?;
    let extension = folder.join("withy.zip");
    here(Command::new(&python).arg(source.join("build.py")).arg(wheel).arg(&extension))?;
    // The user's settings and extensions are not touched.
    let user = folder.join("user");
    let _ = std::fs::remove_dir_all(&user);
    process::create_folder(&user)?;
    Ok((python, extension, user))
}

/// How long a frame takes in Blender's handler, by parts.
pub fn blender_time(prefix: &Path) -> Outcome {
    let (python, extension, user) = blender_extension(prefix)?;
    let script = root().join("hosts/blender/tests/time_handler.py");
    here(Command::new(python).arg(script).arg(extension).env("BLENDER_USER_RESOURCES", &user))
}

/// The extension inside Blender as a module (374 MB): built, installed, enabled, played, looked at. Its Python is 3.11.
pub fn blender(prefix: &Path) -> Outcome {
    let (python, extension, user) = blender_extension(prefix)?;
    let (folder, source) = (target().join("blender"), root().join("hosts/blender"));
    let mut test = Command::new(&python);
    test.arg(source.join("tests/test_bpy.py")).arg(&extension).env("BLENDER_USER_RESOURCES", &user);
    here(&mut test)?;
    let cache = folder.join("cache.usda");
    let mut simulate = Command::new(test::program());
    simulate.args(["simulate", ":wavy", "--strands", "40", "--frames", "90", "--fps", "240", "--motion", "shake", "--out"]);
    run(simulate.arg(&cache))?;
    for (script, argument) in [("test_convert.py", &cache), ("test_picture.py", &extension)] {
        let mut test = Command::new(&python);
        test.arg(source.join("tests").join(script)).arg(argument).env("BLENDER_USER_RESOURCES", &user);
        here(&mut test)?;
    }
    Ok(())
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
    run(&mut mono())?;
    unity(prefix, &folder)?;
    core_clr(prefix, &folder, &c)
}

/// The programs that Mono has compiled and run, on the other runtime: .NET Core, which pip brings. Layouts and garbage are those of a runtime.
fn core_clr(prefix: &Path, folder: &Path, layouts: &str) -> Outcome {
    const CONFIG: &str = r#"{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"}}}"#;
    let python = environment("python3", &folder.join("core"), "dotnetcore2", &["dotnetcore2==3.1.23"])?;
    let bin = output(Command::new(python).args(["-c", "import dotnetcore2, os; print(os.path.dirname(dotnetcore2.__file__))"]))?;
    let dotnet = Path::new(bin.trim()).join("bin/dotnet");
    let core = |program: &str| -> Outcome<Command> {
        let program = folder.join(program);
        process::write(&program.with_extension("runtimeconfig.json"), CONFIG)?;
        let mut command = Command::new(&dotnet);
        command.arg("exec").arg(program).env("LD_LIBRARY_PATH", prefix.join("lib"));
        // No text of a language is written; its tables would be a library of the system.
        command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1").env("COMPlus_EnableDiagnostics", "0");
        Ok(command)
    };
    let managed = folder.join("layouts_core.txt");
    run(core("tests.exe")?.arg("layouts").arg(&managed))?;
    if process::read(&managed)? != layouts {
        return Err(format!("layouts differ on .NET Core: {}", managed.display()));
    }
    run(&mut core("tests.exe")?)?;
    run(&mut core("play.exe")?)
}

/// The components for Unity and what they are in its editor, as the assemblies that Unity makes of them: compiled against stubs of Unity and played,
/// and the package.
fn unity(prefix: &Path, folder: &Path) -> Outcome {
    let source = root().join("hosts/unity");
    let (layer, tests) = (root().join("bindings/csharp/Withy"), source.join("Tests~"));
    let compile = |out: &str, uses: &[&str], parts: &[PathBuf]| {
        let mut compile = Command::new("mcs");
        compile.args(["-langversion:7.2", "-warn:4", "-warnaserror", "-debug", "-r:System.Core.dll"]);
        // As its assembly definition says.
        compile.args((out == "Withy.Unity.dll").then_some("-unsafe"));
        compile.args(out.ends_with(".dll").then_some("-target:library"));
        compile.args(uses.iter().map(|dll| format!("-r:{}", folder.join(dll).display())));
        compile.args(parts.iter().map(|part| format!("-recurse:{}", part.join("*.cs").display())));
        run(compile.arg(format!("-out:{}", folder.join(out).display())))
    };
    compile("UnityEngine.dll", &[], &[tests.join("Stubs")])?;
    compile("Withy.Unity.dll", &["UnityEngine.dll"], &[layer, source.join("Runtime")])?;
    let both = ["UnityEngine.dll", "Withy.Unity.dll"];
    compile("Withy.Unity.Editor.dll", &both, &[source.join("Editor")])?;
    compile("play.exe", &both, &[source.join("Samples~"), tests.join("Play")])?;
    let program = folder.join("play.exe");
    run(Command::new("mono").arg("--debug").arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    let package = folder.join("withy-unity.tgz");
    run(Command::new("python3").arg(source.join("build.py")).arg(prefix).arg(&package))
}
