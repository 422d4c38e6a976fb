//! `cargo xtask floors`: folders import downwards only.
//!
//! [`FLOORS`] is the house, lowest floor first. Every folder of the sources stands in it once. A file may import from its own folder and from folders
//! on floors below; an import from the same floor, or from one above, is an error. So there are no circles. Test code is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::process::{Outcome, root};

/// Folders of one line may not import each other.
const FLOORS: &[&[&str]] = &[
    &["math", "asset"],
    // crates/solve: what a host describes, who runs tasks, memory of strands; shapes; maths of constraints; solvers; steps.
    &["solve/desc", "solve/stages"],
    &["solve/tasks", "solve/layout"],
    &["solve/collide"],
    &["solve/collide/narrow", "solve/collide/broad"],
    &["solve/bodies/kernels", "solve/rods/ghost", "solve/rods/der", "solve/couple"],
    &["solve/rods/models", "solve/rods/volume"],
    &["solve/bodies/elements", "solve/rods/group", "solve/rods/muscle"],
    &["solve/bodies", "solve/rods/sweep", "solve/rods/newton"],
    &["solve/rods"],
    &["solve/sagfree/rest_shape"],
    &["solve/sagfree/stiffen"],
    &["solve/sagfree", "solve/step"],
    &["solve"],
    &["skin", "hair"],
    &["gpu/shaders"],
    &["gpu"],
    &["fit"],
    &["io"],
    &["io/opensim", "io/skeleton", "io/usda"],
    &["io/skeleton/gltf", "io/skeleton/tof"],
    // src: what is in a world; the world; what is made of it; the C ABI.
    &["withy/rigid", "withy/strands"],
    &["withy/world/coupling"],
    &["withy/world"],
    &["withy/muscle", "withy/ragdoll"],
    &["withy/ffi"],
    &["withy"],
];

/// The crates: where each lies, and the name under which others import it.
const CRATES: [(&str, &str, &str); 9] = [
    ("asset", "crates/asset/src", "withy_asset"),
    ("math", "crates/math/src", "withy_math"),
    ("solve", "crates/solve/src", "withy_solve"),
    ("gpu", "crates/gpu/src", "withy_gpu"),
    ("io", "crates/io/src", "withy_io"),
    ("fit", "crates/fit/src", "withy_fit"),
    ("skin", "crates/skin/src", "withy_skin"),
    ("hair", "crates/hair/src", "withy_hair"),
    ("withy", "src", "withy"),
];

/// An import: where it stands, and the folder that it comes from.
struct Import {
    file: PathBuf,
    line: usize,
    from: String,
    to: String,
}

pub fn check() -> Outcome {
    let sources = Sources::read()?;
    let imports = sources.imports();
    if imports.len() < 100 {
        return Err(format!("only {} imports found: the reader of `use` lines is wrong", imports.len()));
    }
    let floor = |folder: &str| FLOORS.iter().position(|floor| floor.contains(&folder));
    let mut wrong = Vec::new();
    for folder in &sources.folders {
        if floor(folder).is_none() {
            wrong.push(format!("{folder}: stands on no floor (xtask/src/floors.rs)"));
        }
    }
    for import in &imports {
        if floor(&import.to) >= floor(&import.from) {
            let at = import.file.strip_prefix(root()).unwrap_or(&import.file).display();
            wrong.push(format!("{at}:{}: {} imports {}, which is not below it", import.line, import.from, import.to));
        }
    }
    if wrong.is_empty() {
        println!("  {} folders on {} floors, {} imports between them", sources.folders.len(), FLOORS.len(), imports.len());
        return Ok(());
    }
    Err(format!("{} imports go up or sideways:\n{}", wrong.len(), wrong.join("\n")))
}

/// A module's path: the crate's short name, then its modules.
type Module = Vec<String>;

struct Sources {
    /// Each file with the path of its module.
    files: Vec<(PathBuf, Module)>,
    /// The folder of each module: `solve/rods/ghost` for the module `solve::rods::ghost::sweep`.
    modules: BTreeMap<Module, String>,
    folders: BTreeSet<String>,
}

impl Sources {
    fn read() -> Outcome<Sources> {
        let mut sources = Sources { files: Vec::new(), modules: BTreeMap::new(), folders: BTreeSet::new() };
        for (name, path, _) in CRATES {
            sources.walk(&root().join(path), vec![name.to_owned()])?;
        }
        Ok(sources)
    }

    fn walk(&mut self, folder: &Path, module: Module) -> Outcome {
        let name = module.join("/");
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let mut inner = module.clone();
            if path.is_dir() {
                inner.push(stem);
                self.walk(&path, inner)?;
            } else if path.extension().is_some_and(|e| e == "rs") && !stem.ends_with("tests") {
                if !["mod", "lib"].contains(&stem.as_str()) {
                    inner.push(stem);
                }
                // `a.rs` beside a folder `a/` is the head of that folder.
                let folder = if path.with_extension("").is_dir() { inner.join("/") } else { name.clone() };
                self.folders.insert(folder.clone());
                self.modules.insert(inner.clone(), folder);
                self.files.push((path, inner));
            }
        }
        Ok(())
    }

    /// Every import from one folder into another.
    fn imports(&self) -> Vec<Import> {
        let mut all = Vec::new();
        for (file, module) in &self.files {
            let text = code_of(&std::fs::read_to_string(file).unwrap_or_default());
            let from = &self.modules[module];
            let is_head = file.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib");
            let mut seen = BTreeSet::new();
            for (line, path) in paths_of(&text) {
                let Some(to) = self.folder_of(module, &path) else { continue };
                // The head of a folder names its own folders: that is how they come into the tree.
                let own = is_head && to.starts_with(&format!("{from}/"));
                if to != *from && !own && seen.insert((line, to.clone())) {
                    all.push(Import { file: file.clone(), line, from: from.clone(), to });
                }
            }
        }
        all
    }

    /// The folder of the longest part of a path that is a module.
    fn folder_of(&self, module: &Module, path: &[String]) -> Option<String> {
        let mut at: Module = match path[0].as_str() {
            "crate" => vec![module[0].clone()],
            "self" => module.clone(),
            "super" => module[..module.len() - 1].to_vec(),
            name => match CRATES.iter().find(|(_, _, import)| *import == name) {
                Some((short, ..)) => vec![(*short).to_owned()],
                None => return None,
            },
        };
        for word in &path[1..] {
            if word == "super" {
                at.pop();
                continue;
            }
            at.push(word.clone());
            if self.modules.contains_key(&at) {
                continue;
            }
            at.pop();
            // `pub use withy_solve::rods` at a crate's root: `crate::rods` is a module of another crate.
            let other = CRATES.iter().find_map(|(short, ..)| match at.len() {
                1 if word == short => Some(vec![word.clone()]),
                1 => Some(vec![(*short).to_owned(), word.clone()]).filter(|m| self.modules.contains_key(m)),
                _ => None,
            });
            match other {
                Some(module) => at = module,
                None => break,
            }
        }
        self.modules.get(&at).cloned()
    }
}

/// A file without comments, strings and what follows `#[cfg(test)]`, which stands at the end; lines keep their numbers.
fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let mut in_string = false;
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' if in_string => drop(chars.next()),
                '"' => in_string = !in_string,
                '/' if !in_string && chars.peek() == Some(&'/') => break,
                _ if in_string => {}
                c => code.push(c),
            }
        }
        code.push('\n');
    }
    code
}

/// Every path that starts at a crate, at `self` or at `super`, with its line; `use a::{b, c::d}` gives two.
fn paths_of(code: &str) -> Vec<(usize, Vec<String>)> {
    let mut all = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(found) = code[at..].find("::") {
        let end = at + found;
        let start = code[..end].rfind(|c| !word(c)).map_or(0, |i| i + 1);
        let first = &code[start..end];
        let before = &code[..start];
        // A later word of a path, a macro's crate, or how far something is seen.
        let continued = before.ends_with("::") || before.ends_with('$') || before.ends_with("pub(in ");
        let root = ["crate", "self", "super"].contains(&first) || CRATES.iter().any(|(_, _, import)| *import == first);
        if root && !continued {
            let line = code[..start].matches('\n').count() + 1;
            let mut tree = Tree { rest: &code[start..], prefix: Vec::new(), out: Vec::new() };
            tree.read();
            all.extend(tree.out.into_iter().map(|path| (line, path)));
        }
        at = end + 2;
    }
    all
}

/// A path, or a tree of them in braces.
struct Tree<'a> {
    rest: &'a str,
    prefix: Vec<String>,
    out: Vec<Vec<String>>,
}

impl Tree<'_> {
    fn read(&mut self) {
        let depth = self.prefix.len();
        loop {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
            if end > 0 {
                self.prefix.push(self.rest[..end].to_owned());
                self.rest = &self.rest[end..];
            }
            if let Some(rest) = self.rest.strip_prefix("::") {
                self.rest = rest;
                if let Some(rest) = self.rest.strip_prefix('{') {
                    self.rest = rest;
                    loop {
                        self.read();
                        // To the next comma, over `as name`.
                        let next = self.rest.find([',', '}']).unwrap_or(self.rest.len());
                        let closes = self.rest[next..].starts_with('}');
                        self.rest = self.rest.get(next + 1..).unwrap_or_default();
                        if closes || self.rest.is_empty() {
                            break;
                        }
                    }
                    break;
                }
                if end > 0 {
                    continue;
                }
            }
            self.out.push(self.prefix.clone());
            break;
        }
        self.prefix.truncate(depth);
    }
}
