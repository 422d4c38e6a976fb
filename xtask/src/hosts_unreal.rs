//! The Unreal module of `hosts/unreal`, on stubs of Unreal.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Outcome, has, root, run, target};

const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"];

/// Compiled as Unreal compiles, by clang++ and by g++ under the sanitizers, and played; every property is in the README's tables.
pub fn unreal(prefix: &Path) -> Outcome {
    for tool in ["g++", "clang++"] {
        if !has(tool) {
            return Err(format!("{tool} is not there: `cargo xtask setup` first"));
        }
    }
    let (source, build) = (root().join("hosts/unreal"), target().join("unreal"));
    process::create_folder(&build)?;
    let [module, editor] = ["WithyRuntime", "WithyEditor"].map(|name| source.join("Source").join(name));
    properties(&module.join("Public"), &source.join("README.md"))?;
    let sanitize = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    for (compiler, options) in [("clang++", &["-O2"][..]), ("g++", &sanitize)] {
        let program = build.join(compiler);
        let mut compile = Command::new(compiler);
        compile.args(["-std=c++20", "-fno-exceptions", "-fno-rtti"]).args(WARNINGS).args(options);
        compile.arg("-isystem").arg(prefix.join("include"));
        compile.arg("-I").arg(source.join("tests/stubs")).arg("-I").arg(module.join("Public"));
        compile.arg("-I").arg(editor.join("Public"));
        compile.args(files(&module.join("Private"), "cpp")?).arg(source.join("tests/play.cpp"));
        // Its module is another one: in one program two would have the same name here.
        let nodes = files(&editor.join("Private"), "cpp")?;
        compile.args(nodes.into_iter().filter(|f| f.file_name().is_some_and(|name| name != "WithyEditor.cpp")));
        compile.arg("-L").arg(prefix.join("lib")).args(["-lwithy", "-o"]).arg(&program);
        run(&mut compile)?;
        run(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    }
    Ok(())
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let found = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found: Vec<_> = found.filter_map(|f| Some(f.ok()?.path())).collect();
    found.retain(|f| f.extension().is_some_and(|e| e == extension));
    found.sort();
    if found.is_empty() { Err(format!("{}: no .{extension}", folder.display())) } else { Ok(found) }
}

fn properties(headers: &Path, readme: &Path) -> Outcome {
    let said = process::read(readme)?;
    for header in files(headers, "h")? {
        let text = process::read(&header)?;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if !line.trim_start().starts_with("UPROPERTY(") {
                continue;
            }
            let declared = lines.next().unwrap_or_default();
            let name = declared.split('=').next().unwrap_or_default().trim().rsplit(' ').next().unwrap_or_default();
            if !said.contains(&format!("| `{name}` |")) {
                return Err(format!("{}: {name} is not in a table of README.md", header.display()));
            }
        }
    }
    Ok(())
}
