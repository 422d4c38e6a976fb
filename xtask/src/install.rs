//! `cargo xtask install --prefix DIR`: the layout that `find_package(withy)` and pkg-config expect. Everything in it is relative
//! to its own place, so that the folder can be moved.
//!
//! ```text
//! include/withy.h withy_bodies.h … withy.hpp withy_timeline.hpp withy.json
//! lib/libwithy.so -> libwithy.so.0 -> libwithy.so.0.1.0      lib/libwithy.a
//! lib/cmake/withy/withy-config.cmake withy-config-version.cmake      lib/pkgconfig/withy.pc
//! ```

use std::path::Path;
use std::process::Command;

use crate::header;
use crate::process::{Outcome, cargo, has, output, read, root, run, target, write};

const CONFIG: &str = include_str!("withy-config.cmake.in");
const CONFIG_VERSION: &str = include_str!("withy-config-version.cmake.in");
const PC: &str = include_str!("withy.pc.in");

pub fn install(prefix: &Path) -> Outcome {
    let features = std::env::var("WITHY_FEATURES").ok();
    let mut build = cargo();
    // The same packages as in `test`: with the library alone, dependencies would have other features and compile twice.
    build.args(["build", "--release", "--workspace", "--exclude", "xtask"]);
    if let Some(features) = features {
        build.args(["--no-default-features", "--features", &features]);
    }
    run(&mut build)?;

    let copy = |from: &Path, to: &str| {
        let bytes = std::fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?;
        write(&prefix.join(to), bytes)
    };
    for header in header::names().chain(["withy.json"]) {
        copy(&root().join("include").join(header), &format!("include/{header}"))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD_PARTY.md"] {
        copy(&root().join(licence), &format!("share/doc/withy/{licence}"))?;
    }
    let version = env!("CARGO_PKG_VERSION");
    let major = version.split('.').next().unwrap_or("0");
    let built = target().join("release");
    let shared = shared(&built, prefix, version, major, &copy)?;
    archive(&built, prefix, &copy)?;

    let filled =
        |text: &str| text.replace("@VERSION@", version).replace("@SHARED@", &shared).replace("@LIBS@", system_libraries());
    write(&prefix.join("lib/cmake/withy/withy-config.cmake"), filled(CONFIG))?;
    write(&prefix.join("lib/cmake/withy/withy-config-version.cmake"), filled(CONFIG_VERSION))?;
    write(&prefix.join("lib/pkgconfig/withy.pc"), filled(PC))?;
    println!("  installed withy {version} under {}", prefix.display());
    Ok(())
}

/// What Rust's standard library needs beside a static library.
fn system_libraries() -> &'static str {
    if cfg!(target_os = "linux") {
        "-lpthread -ldl -lm"
    } else if cfg!(target_os = "macos") {
        "-framework CoreFoundation -liconv -lm"
    } else {
        ""
    }
}

/// The shared library under its full name and the two links to it. Returns the name that CMake shall load.
fn shared(built: &Path, prefix: &Path, version: &str, major: &str, copy: &impl Fn(&Path, &str) -> Outcome) -> Outcome<String> {
    let (file, full, links) = if cfg!(target_os = "windows") {
        copy(&built.join("withy.dll.lib"), "lib/withy.lib")?;
        ("withy.dll", "bin/withy.dll".to_owned(), vec![])
    } else if cfg!(target_os = "macos") {
        let links = vec![format!("libwithy.{major}.dylib"), "libwithy.dylib".into()];
        ("libwithy.dylib", format!("lib/libwithy.{version}.dylib"), links)
    } else {
        let links = vec![format!("libwithy.so.{major}"), "libwithy.so".into()];
        ("libwithy.so", format!("lib/libwithy.so.{version}"), links)
    };
    copy(&built.join(file), &full)?;
    if cfg!(target_os = "linux") && has("strip") {
        // What a host's debugger could show of it is larger than the library. The exported names stay.
        run(Command::new("strip").arg("--strip-unneeded").arg(prefix.join(&full)))?;
    }
    #[cfg(unix)]
    for link in links {
        let place = prefix.join("lib").join(link);
        let _ = std::fs::remove_file(&place);
        let name = Path::new(&full).file_name().unwrap_or_default();
        std::os::unix::fs::symlink(name, &place).map_err(|e| format!("{}: {e}", place.display()))?;
    }
    #[cfg(not(unix))]
    let _ = (links, prefix, version, major);
    Ok(full)
}

/// The static library. One from rustc exports Rust's symbols too, which would clash with those of another Rust library in the
/// same program: linked into one object, all but `withy_*` can be made local.
fn archive(built: &Path, prefix: &Path, copy: &impl Fn(&Path, &str) -> Outcome) -> Outcome {
    if cfg!(target_os = "windows") {
        return copy(&built.join("withy.lib"), "lib/withy-static.lib");
    }
    if !cfg!(target_os = "linux") || !has("ld") || !has("objcopy") || !has("ar") {
        return copy(&built.join("libwithy.a"), "lib/libwithy.a");
    }
    let object = built.join("withy_all.o");
    let library = prefix.join("lib/libwithy.a");
    run(Command::new("ld")
        .args(["-r", "--gc-sections", "--gc-keep-exported", "--whole-archive"])
        .arg(built.join("libwithy.a"))
        .arg("-o")
        .arg(&object))?;
    // The standard library's objects carry LLVM bitcode, over which the plugin of another LLVM in `ar` and `ld` stumbles.
    let sections = ["--remove-section=.llvmbc", "--remove-section=.llvmcmd", "--strip-debug"];
    run(Command::new("objcopy").args(["--wildcard", "--keep-global-symbol=withy_*"]).args(sections).arg(&object))?;
    let _ = std::fs::remove_file(&library);
    run(Command::new("ar").arg("crs").arg(&library).arg(&object))
}

/// The symbols that the shared library exports.
pub fn exported(library: &Path) -> Outcome<Vec<String>> {
    let text = output(Command::new("nm").args(["-D", "--defined-only"]).arg(library))?;
    Ok(text.lines().filter_map(|l| l.split_whitespace().last().map(String::from)).collect())
}

/// Only what the header declares, and all of it.
pub fn check_exports(prefix: &Path) -> Outcome {
    let mut header = String::new();
    for name in header::names() {
        header += &read(&prefix.join("include").join(name))?;
    }
    let mut declared: Vec<String> = Vec::new();
    let mut after_api = false;
    for line in header.lines() {
        let text = if after_api { Some(line) } else { line.strip_prefix("WITHY_API") };
        let name = text.and_then(|t| t.split_once('(')).and_then(|(head, _)| head.rsplit([' ', '*']).next());
        after_api = text.is_some() && name.is_none();
        declared.extend(name.map(String::from));
    }
    let mut found = exported(&prefix.join("lib/libwithy.so"))?;
    declared.sort();
    found.sort();
    if declared != found {
        let extra: Vec<_> = found.iter().filter(|f| !declared.contains(f)).collect();
        let lost: Vec<_> = declared.iter().filter(|d| !found.contains(d)).collect();
        return Err(format!("libwithy.so exports {extra:?} beyond the headers, and lacks {lost:?}"));
    }
    println!("  libwithy.so exports the {} functions of the headers and nothing else", found.len());
    Ok(())
}

/// Bytes that the shared library may have, stripped, where it has four instruction sets. It has the features that only the command asks for, too.
const MOST_BYTES: u64 = 18_600_000;

/// What a host loads does not grow unnoticed: `docs/internals/size.md`.
pub fn check_size(prefix: &Path) -> Outcome {
    let library = prefix.join("lib/libwithy.so");
    let bytes = std::fs::metadata(&library).map_err(|e| format!("{}: {e}", library.display()))?.len();
    let mb = |bytes: u64| format!("{:.2} MB", bytes as f64 / 1e6);
    if bytes > MOST_BYTES {
        return Err(format!("libwithy.so has {}, more than {}: docs/internals/size.md", mb(bytes), mb(MOST_BYTES)));
    }
    println!("  libwithy.so has {}, {} at most", mb(bytes), mb(MOST_BYTES));
    Ok(())
}
