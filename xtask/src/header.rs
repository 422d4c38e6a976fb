//! The headers of `include` from `src/ffi`: cbindgen turns each file into declarations; this file puts them in the order of the
//! manual, adds the macros that C needs, and asserts the layout of every struct.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

use crate::process::{self, Outcome, root};

/// A header: how it begins, up to the opening `extern "C"`, and the files of `src/ffi` that it declares, in the order of the
/// manual.
struct Header {
    name: &'static str,
    beginning: &'static str,
    sections: &'static [&'static str],
}

/// Every public file of `src/ffi` stands in one header. A header comes after those that it includes.
const HEADERS: [Header; 9] = [
    Header {
        name: "withy.h",
        beginning: include_str!("headers/withy.h"),
        sections: &["library", "types", "context", "world", "rods", "materials", "collider"],
    },
    Header {
        name: "withy_bodies.h",
        beginning: include_str!("headers/withy_bodies.h"),
        sections: &["body", "joint", "mesh", "surface", "skin", "attachment"],
    },
    Header { name: "withy_render_hair.h", beginning: include_str!("headers/withy_render_hair.h"), sections: &["render_hair"] },
    Header { name: "withy_ropes.h", beginning: include_str!("headers/withy_ropes.h"), sections: &["cable", "cut"] },
    Header { name: "withy_muscle.h", beginning: include_str!("headers/withy_muscle.h"), sections: &["muscle", "muscle_mesh"] },
    Header { name: "withy_ragdoll.h", beginning: include_str!("headers/withy_ragdoll.h"), sections: &["ragdoll"] },
    Header { name: "withy_rest_shape.h", beginning: include_str!("headers/withy_rest_shape.h"), sections: &["rest_shape"] },
    Header { name: "withy_asset.h", beginning: include_str!("headers/withy_asset.h"), sections: &["asset"] },
    Header {
        name: "withy_expert.h",
        beginning: include_str!("headers/withy_expert.h"),
        sections: &["rods_detail", "diagnostics", "isa"],
    },
];

/// The files in `include`: those above, and those for C++ that are written by hand.
pub fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|h| h.name).chain(["withy.hpp", "withy_timeline.hpp"])
}

/// The header that declares a file of `src/ffi`.
pub fn of(section: &str) -> Option<&'static str> {
    HEADERS.iter().find(|h| h.sections.contains(&section)).map(|h| h.name)
}

/// Those above, each after what it includes.
pub fn all() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|h| h.name)
}

pub fn write() -> Outcome {
    for (name, text) in headers()? {
        process::write(&root().join("include").join(name), text)?;
        println!("  wrote include/{name}");
    }
    Ok(())
}

pub fn check() -> Outcome {
    for (name, expected) in headers()? {
        let found = process::read(&root().join("include").join(name))?;
        if expected != found {
            let line = expected.lines().zip(found.lines()).position(|(a, b)| a != b).map_or(0, |i| i + 1);
            return Err(format!("include/{name} differs from src/ffi at line {line}: run `cargo xtask header`"));
        }
        println!("  include/{name} is up to date");
    }
    Ok(())
}

/// Names and texts.
fn headers() -> Outcome<Vec<(&'static str, String)>> {
    no_file_is_left_out()?;
    let mut layouts: Layouts = [("uint32_t", 4), ("int32_t", 4), ("float", 4), ("uint64_t", 8), ("double", 8)]
        .map(|(name, size)| (name.to_owned(), (size, size)))
        .into();
    HEADERS.iter().map(|h| Ok((h.name, header(h, &mut layouts)?))).collect()
}

fn no_file_is_left_out() -> Outcome {
    let modules = process::read(&root().join("src/ffi/mod.rs"))?;
    let public = modules.lines().filter_map(|l| l.strip_prefix("pub mod ")?.strip_suffix(';'));
    match public.into_iter().find(|name| HEADERS.iter().filter(|h| h.sections.contains(name)).count() != 1) {
        Some(name) => Err(format!("src/ffi/{name}.rs must stand in one header: see HEADERS in xtask/src/header.rs")),
        None => Ok(()),
    }
}

fn header(header: &Header, layouts: &mut Layouts) -> Outcome<String> {
    let version = env!("CARGO_PKG_VERSION");
    let numbers: Vec<&str> = version.split(['.', '-']).collect();
    let number = |i: usize| numbers[i].parse::<u32>().map_err(|e| format!("version {version}: {e}"));
    let packed = number(0)? << 22 | number(1)? << 12 | number(2)?;
    let mut body = String::new();
    for name in header.sections {
        body += &section(name)?;
    }
    let mut text = header
        .beginning
        .replace("@VERSION@", version)
        .replace("@MAJOR@", numbers[0])
        .replace("@MINOR@", numbers[1])
        .replace("@PATCH@", numbers[2])
        .replace("@NUMBER@", &packed.to_string());
    text += &body;
    text += &asserts(&body, layouts)?;
    let guard = header.name.replace('.', "_").to_uppercase();
    text += &format!("\n#ifdef __cplusplus\n}} /* extern \"C\" */\n#endif\n\n#endif /* {guard} */\n");
    portable(header.name, &text)?;
    Ok(text)
}

/// What compilers and generators of bindings stumble over.
fn portable(name: &str, text: &str) -> Outcome {
    const KEYWORDS: [&str; 8] = ["def", "from", "in", "is", "as", "lambda", "object", "params"];
    for (i, line) in text.lines().enumerate() {
        let complain = |what: &str| Err(format!("include/{name}, line {}: {what}: {line}", i + 1));
        if !line.is_ascii() {
            return complain("must be ASCII for all compilers");
        }
        if line.len() > 100 {
            return complain("longer than 100 columns");
        }
        if let Some((_, parameter)) = line.split_once("@param ")
            && parameter.split_once(' ').is_none_or(|(name, _)| name.ends_with(','))
        {
            return complain("one name a @param");
        }
        let Some(define) = line.strip_prefix("#define ") else {
            continue;
        };
        let (head, value) = define.split_once(' ').unwrap_or((define, ""));
        if !head.contains('(') && value.contains("_t)") {
            return complain("a constant must be a number, without a cast");
        }
        let parameters = head.split_once('(').map_or("", |(_, p)| p);
        if parameters.split([',', ')']).any(|p| KEYWORDS.contains(&p.trim())) {
            return complain("a macro's parameter is a keyword of another language");
        }
    }
    Ok(())
}

/// One file: its `//!` comment as the title, then constants, types and functions.
fn section(name: &str) -> Outcome<String> {
    let file = root().join(format!("src/ffi/{name}.rs"));
    let source = process::read(&file)?;
    // The fences of code blocks are for rustdoc.
    let title: Vec<&str> =
        source.lines().map_while(|l| l.strip_prefix("//!")).filter(|l| !l.trim_start().starts_with("```")).collect();
    let mut text = format!("\n/* {}\n", "=".repeat(95));
    title.iter().for_each(|line| text += &format!(" *{line}\n"));
    text += " */\n\n";
    let mut config = Config { language: Language::C, style: Style::Both, ..Config::default() };
    config.documentation_style = DocumentationStyle::Cxx;
    config.no_includes = true;
    config.line_length = 100;
    config.tab_width = 4;
    config.function.prefix = Some("WITHY_API".into());
    config.export.exclude = ["IDENTITY", "FIRST_SIZE", "FLAGS"].map(String::from).to_vec();
    // Left alone, cbindgen drops what no function of the same file mentions.
    let structs = source.lines().filter_map(|l| l.strip_prefix("pub struct Withy")?.split_whitespace().next());
    config.export.include = structs.map(|name| format!("Withy{name}")).collect();
    let bindings = Builder::new()
        .with_config(config)
        .with_src(&file)
        .generate()
        .map_err(|e| format!("cbindgen on {}: {e}", file.display()))?;
    let mut generated = Vec::new();
    bindings.write(&mut generated);
    let generated = String::from_utf8(generated).map_err(|e| e.to_string())?;

    let mut function = String::new();
    // The fences of code blocks are for rustdoc.
    for line in regrouped(&generated).lines().filter(|l| !l.trim_start().starts_with("/// ```")) {
        // The typedefs serve both languages.
        let line = &if line.starts_with("typedef") { line.to_owned() } else { line.replace("struct Withy", "Withy") };
        let define = line.strip_prefix("#define ").and_then(|rest| rest.split_once(' '));
        match define {
            Some((constant, value)) if value.starts_with('-') => writeln!(text, "#define {constant} ({value})"),
            Some((constant, "4294967295")) => writeln!(text, "#define {constant} 0xffffffffu"),
            Some((constant, "18446744073709551615")) => writeln!(text, "#define {constant} 0xffffffffffffffffull"),
            _ => writeln!(text, "{line}"),
        }
        .expect("a string takes all");
        if line.starts_with("WITHY_API") || !function.is_empty() {
            function += line.trim();
            if line.ends_with(';') {
                text += &size_macro(&function);
                function.clear();
            } else {
                function.push(' ');
            }
        }
    }
    Ok(text)
}

/// Constants of one group, WITHY_SHAPE_…, without the empty lines that cbindgen puts between them.
fn regrouped(generated: &str) -> String {
    let group = |line: &str| {
        let name = line.strip_prefix("#define ")?;
        name.split('_').nth(1).map(|word| word.split(' ').next().unwrap_or_default().to_owned())
    };
    let lines: Vec<&str> = generated.trim_end().lines().collect();
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| group(lines[i]));
        let after = lines[i + 1..].iter().find(|l| !l.starts_with("///")).and_then(|l| group(l));
        if !line.is_empty() || before.is_none() || before != after {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// `withy_x_sized(a, b, size)` gets the macro `withy_x(a, b)`, where the size is that of what `b` points to.
fn size_macro(function: &str) -> String {
    let Some((head, parameters)) = function.split_once('(') else {
        return String::new();
    };
    let name = head.split_whitespace().last().unwrap_or_default();
    let Some(short) = name.strip_suffix("_sized") else {
        return String::new();
    };
    let parameters = parameters.trim_end_matches(");");
    let mut names: Vec<&str> = parameters.split(',').filter_map(|p| p.rsplit([' ', '*']).next()).collect();
    names.pop();
    // A keyword of Python, where generators turn macros into functions.
    names.iter_mut().filter(|n| **n == "def").for_each(|n| *n = "d");
    let sized = names.last().copied().unwrap_or_default();
    // `def` is a keyword of Python, for which generators of bindings make functions of macros.
    let parameter = |n: &str| if n == "def" { "definition".to_owned() } else { n.to_owned() };
    let arguments: Vec<String> = names.iter().map(|n| format!("({})", parameter(n))).collect();
    let names: Vec<String> = names.iter().map(|n| parameter(n)).collect();
    let (names, arguments, sized) = (names.join(", "), arguments.join(", "), parameter(sized));
    format!("#define {short}({names}) \\\n    {name}({arguments}, (uint32_t)sizeof *({sized}))\n")
}

/// Size and alignment of a C type on a 64-bit machine.
type Layouts = BTreeMap<String, (usize, usize)>;

/// Asserts on the size of every struct and the place of every field, computed here by C's rules and compared by the compiler.
fn asserts(body: &str, layouts: &mut Layouts) -> Outcome<String> {
    let mut text = format!("\n/* {}\n", "=".repeat(95));
    text += " * Layout\n *\n * Part of the ABI; compilers that can, check it (64-bit).\n */\n\n";
    text += "#if defined(__cplusplus)\n#define WITHY_ASSERT(fact) static_assert(fact, #fact)\n";
    text += "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n";
    text += "#define WITHY_ASSERT(fact) _Static_assert(fact, #fact)\n#endif\n\n";
    text += "#if defined(WITHY_ASSERT) && UINTPTR_MAX == UINT64_MAX\n";
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("typedef struct ").and_then(|l| l.strip_suffix(" {")) else {
            continue;
        };
        let (mut offset, mut largest, mut field_text) = (0usize, 1, String::new());
        let mut offsets = Vec::new();
        for line in lines.by_ref().take_while(|l| !l.starts_with('}')) {
            let line = line.trim();
            if line.starts_with("//") {
                continue;
            }
            field_text += line;
            if !line.ends_with(';') {
                field_text.push(' ');
                continue;
            }
            let (field, size, align) =
                field(&field_text, layouts).ok_or_else(|| format!("{name}: cannot read `{field_text}`"))?;
            offset = offset.next_multiple_of(align);
            offsets.push((field, offset));
            offset += size;
            largest = largest.max(align);
            field_text.clear();
        }
        let size = offset.next_multiple_of(largest);
        if size != offset {
            return Err(format!("{name} has padding at its end: add a reserved field"));
        }
        writeln!(text, "WITHY_ASSERT(sizeof({name}) == {size});").expect("a string takes all");
        for (field, offset) in offsets {
            writeln!(text, "WITHY_ASSERT(offsetof({name}, {field}) == {offset});").expect("a string takes all");
        }
        layouts.insert(name.to_owned(), (size, largest));
    }
    text += "#endif\n\n#undef WITHY_ASSERT\n";
    Ok(text)
}

/// Name, size and alignment of a field's declaration.
fn field(declaration: &str, layouts: &Layouts) -> Option<(String, usize, usize)> {
    let declaration = declaration.trim_end_matches(';');
    if let Some((_, rest)) = declaration.split_once("(*") {
        return Some((rest.split_once(')')?.0.to_owned(), 8, 8));
    }
    if declaration.contains('*') {
        return Some((declaration.rsplit('*').next()?.to_owned(), 8, 8));
    }
    let (kind, name) = declaration.rsplit_once(' ')?;
    let (size, align) = *layouts.get(kind.trim_start_matches("struct "))?;
    match name.split_once('[') {
        None => Some((name.to_owned(), size, align)),
        Some((name, n)) => Some((name.to_owned(), size * n.trim_end_matches(']').parse::<usize>().ok()?, align)),
    }
}
