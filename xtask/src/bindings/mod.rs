//! `cargo xtask bindings`: the C ABI as data, `include/withy.json`, and what is printed from it for Python and C#.
//!
//! ```text
//! src/ffi/*.rs        items, types, docs, who may call at the same time  ┐
//!                                                                        ├ Api ─ include/withy.json
//! src/ffi/meaning.toml  arrays, units, ranges, defaults, enums           ┘   ├── bindings/python/src/withy/_native.py
//!                                                                            ├── bindings/csharp/Withy/Native.cs
//!                                                                            └── bindings/csharp/tests/layouts.c, Layouts.cs
//! ```

mod api;
mod csharp;
mod meaning;
mod python;
mod source;

use std::path::PathBuf;

use crate::process::{self, Outcome, root};

/// Every generated file, with its text.
fn files() -> Outcome<Vec<(PathBuf, String)>> {
    let folder = root().join("src/ffi");
    let source = source::read(&folder)?;
    let meaning = meaning::read(&folder.join("meaning.toml"))?;
    let api = api::join(&source, &meaning)?;
    let at = |path: &str| root().join(path);
    Ok(vec![
        (at("include/withy.json"), api.json()?),
        (at("bindings/python/src/withy/_native.py"), python::print(&api)),
        (at("bindings/csharp/Withy/Native.cs"), csharp::native(&api)),
        (at("bindings/csharp/tests/layouts.c"), csharp::layouts_c(&api)),
        (at("bindings/csharp/tests/Layouts.cs"), csharp::layouts_cs(&api)),
    ])
}

fn short(path: &std::path::Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

pub fn write() -> Outcome {
    for (path, text) in files()? {
        process::write(&path, text)?;
        println!("  wrote {}", short(&path));
    }
    Ok(())
}

pub fn check() -> Outcome {
    for (path, expected) in files()? {
        let found = process::read(&path)?;
        if expected != found {
            let line = expected.lines().zip(found.lines()).position(|(a, b)| a != b).map_or(0, |i| i + 1);
            let name = short(&path);
            return Err(format!("{name} differs from src/ffi at line {line}: run `cargo xtask bindings`"));
        }
        println!("  {} is up to date", short(&path));
    }
    Ok(())
}
