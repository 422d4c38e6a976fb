//! Running other programs: what is run is printed, and a failure names it.

use std::path::{Path, PathBuf};
use std::process::Command;

pub type Outcome<T = ()> = Result<T, String>;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask has a parent").to_owned()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let all = std::iter::once(program).chain(command.get_args());
    all.map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

pub fn run(command: &mut Command) -> Outcome {
    println!("  $ {}", words(command));
    // Mesa asks for a folder of the user's session, which a build machine does not have.
    const RUNTIME: &str = "XDG_RUNTIME_DIR";
    if std::env::var_os(RUNTIME).is_none() {
        let folder = target().join("runtime");
        create_folder(&folder)?;
        command.env(RUNTIME, folder);
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` failed: {status}", words(command))),
        Err(e) => Err(format!("`{}` could not be started: {e}", words(command))),
    }
}

pub fn output(command: &mut Command) -> Outcome<String> {
    match command.output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => Err(format!("`{}` failed: {}\n{}", words(command), out.status, String::from_utf8_lossy(&out.stderr))),
        Err(e) => Err(format!("`{}` could not be started: {e}", words(command))),
    }
}

/// True if the shell would find the program.
pub fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

pub fn create_folder(path: &Path) -> Outcome {
    std::fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    if let Some(dir) = path.parent() {
        create_folder(dir)?;
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
