//! `cargo xtask docs`: the pages of the project as a site under target/docs/site, by MkDocs with the theme Material.
//!
//! The pages lie in the site as they lie in the project, so that a link that leads somewhere on a git forge does so here. Two pages are
//! made: the gallery, of the pictures of docs/scenes.md, and the attributes, of include/withy.json.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::hosts;
use crate::process::{Outcome, create_folder, read, root, run, target, write};
use crate::setup;

const CONFIG: &str = include_str!("mkdocs.yml");
const PACKAGES: [&str; 2] = ["mkdocs==1.6.1", "mkdocs-material==9.8.2"];
const CSS: &str = "\
.md-grid { max-width: 78rem; }
.md-typeset table:not([class]) { font-size: 0.62rem; }
.md-typeset table:not([class]) th:last-child { min-width: 14rem; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.gallery img { width: 100%; height: 11rem; object-fit: contain; background: #eceded; }
.gallery p { margin: 0; font-size: 0.65rem; }
";

/// The browser that looks at the site.
pub fn setup() -> Outcome {
    setup::install(&[("chromium", "chromium"), ("python3", "python3")], &["python3-venv"])
}

fn folder() -> PathBuf {
    target().join("docs")
}

/// All files with these endings under a folder of the project, relative to the project.
fn files(under: &str, deep: bool, endings: &[&str]) -> Outcome<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join(under)).map_err(|e| format!("{under}: {e}"))?;
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = Path::new(under).join(entry.file_name());
        if root().join(&path).is_dir() {
            if deep {
                found.extend(files(&path.to_string_lossy(), true, endings)?);
            }
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Builds the site; a link that leads nowhere is a failure.
pub fn build() -> Outcome {
    let python = hosts::environment("python3", &folder(), "mkdocs, material", &PACKAGES)?;
    let source = folder().join("source");
    let _ = std::fs::remove_dir_all(&source);
    let mut pages = files(".", false, &["md"])?;
    pages.extend(files("docs", true, &["md", "png", "gif", "webp"])?);
    pages.extend(files("include", false, &["h", "hpp", "json"])?);
    for folder in ["bindings", "hosts"] {
        let names = std::fs::read_dir(root().join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        pages.extend(names.flatten().map(|n| Path::new(folder).join(n.file_name()).join("README.md")));
    }
    for page in pages.iter().filter(|p| root().join(p).is_file()) {
        let to = source.join(page);
        create_folder(to.parent().unwrap_or(&source))?;
        std::fs::copy(root().join(page), &to).map_err(|e| format!("{}: {e}", page.display()))?;
    }
    write(&source.join("gallery.md"), gallery(&read(&root().join("docs/scenes.md"))?))?;
    write(&source.join("attributes.md"), attributes(&read(&root().join("include/withy.json"))?)?)?;
    write(&source.join("site.css"), CSS)?;
    let internals = pages.iter().filter(|p| p.starts_with("docs/internals") && !p.ends_with("README.md"));
    let internals = internals.filter(|p| p.extension().is_some_and(|e| e == "md"));
    let internals: Vec<String> = internals.map(|p| format!("      - {}", p.display())).collect();
    write(&folder().join("mkdocs.yml"), CONFIG.replace("@INTERNALS@", &internals.join("\n")))?;
    // Announcements of other programs are not ours.
    run(Command::new(&python)
        .args(["-m", "mkdocs", "build", "--strict", "--clean"])
        .env("NO_MKDOCS_2_WARNING", "1")
        .current_dir(folder()))?;
    println!("  {}", folder().join("site/index.html").display());
    Ok(())
}

/// Builds the site and looks at it: every link and anchor, every picture as the browser loads it, one page as it is drawn.
pub fn check() -> Outcome {
    build()?;
    let python = folder().join("venv/bin/python");
    run(Command::new(python).arg(root().join("tests/site_check.py")).arg(folder().join("site")).arg(folder().join("page.png")))
}

/// The pictures of scenes.md, each with the heading that it stands under.
fn gallery(scenes: &str) -> String {
    let mut page = "# Gallery\n\nEach picture leads to its scene and numbers.\n\n<div class=\"gallery\" markdown>\n".to_string();
    let mut heading = "";
    for line in scenes.lines() {
        if let Some(text) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
            heading = text;
        }
        let picture = line.strip_prefix("![").and_then(|l| l.split_once("](pictures/")).and_then(|(_, l)| l.split_once(')'));
        if let Some((file, _)) = picture.filter(|(file, _)| !file.contains("_plot")) {
            let words = heading.replace('`', "");
            let _ = write!(
                page,
                "\n<div markdown>\n[![{words}](docs/pictures/{file})](docs/scenes.md#{})\n\n{words}\n</div>\n",
                anchor(heading)
            );
        }
    }
    page + "\n</div>\n"
}

/// Of a heading, as forges and pymdownx make it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// What the definitions hold: type, default, range, unit and a sentence for every field.
fn attributes(json: &str) -> Outcome<String> {
    let api: Value = serde_json::from_str(json).map_err(|e| format!("withy.json: {e}"))?;
    let text = |v: &Value, key: &str| v[key].as_str().unwrap_or_default().to_string();
    let mut page = String::from(
        "# Attributes\n\nEvery field of the structs that a program fills in or reads, from \
         [withy.json](include/withy.json), which programs can read too. Units: `L` is the unit of length that the context \
         names, the metre if none. The layers for Python and C# have the same names.\n",
    );
    for kind in api["structs"].as_array().ok_or("withy.json has no structs")? {
        let fields: Vec<&Value> = kind["fields"].as_array().into_iter().flatten().collect();
        // Handles have nothing to fill in.
        if matches!(fields[..], [only] if only["name"] == "bits") {
            continue;
        }
        let _ = write!(page, "\n## {}\n\n{}\n\n", text(kind, "name"), line(&text(kind, "doc")));
        let _ = writeln!(
            page,
            "From `{}`.\n\n| field | type | default | range | unit | meaning |\n|---|---|---|---|---|---|",
            text(kind, "header")
        );
        for field in fields {
            let name = text(field, "name");
            if ["struct_size", "reserved", "next"].contains(&name.as_str()) {
                continue;
            }
            let kind = match field["enum"].as_str() {
                Some("bool") => "0 or 1".to_string(),
                Some(name) => name.to_string(),
                None if field["span"].is_object() => {
                    let per = field["span"]["per"].as_array().into_iter().flatten();
                    let per: Vec<&str> = per.filter_map(Value::as_str).collect();
                    format!("{} a {}", field["span"]["scalars"], per.join(" or "))
                }
                None => text(field, "type"),
            };
            let range = match field["range"].as_array().map(Vec::as_slice) {
                Some([low, high]) => format!("{} to {}", number(low), number(high)),
                _ => String::new(),
            };
            let default = if field["default"].is_null() { String::new() } else { number(&field["default"]) };
            let _ = writeln!(
                page,
                "| `{name}` | {kind} | {default} | {range} | {} | {} |",
                text(field, "unit"),
                line(&text(field, "doc"))
            );
        }
    }
    Ok(page)
}

fn number(value: &Value) -> String {
    match value.as_f64() {
        Some(x) if x != 0.0 && !(1e-4..1e6).contains(&x.abs()) => format!("{x:e}"),
        Some(x) => format!("{x}"),
        None => value.to_string().replace('"', ""),
    }
}

/// One line of a table.
fn line(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|").replace('<', "&lt;")
}
