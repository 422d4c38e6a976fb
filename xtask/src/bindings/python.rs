//! `_native.py`: enums, ctypes structs, typed keyword arguments and signatures.

use std::fmt::Write as _;

use super::api::{Api, Field, Kind, Parameter, Struct};

/// Text in lines of at most 100 columns, each behind `head`.
pub fn wrapped(text: &str, head: &str) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let indent: String = paragraph.chars().take_while(|c| *c == ' ').collect();
        let mut line = format!("{head}{indent}");
        let mut empty = true;
        for word in paragraph.split_whitespace() {
            if !empty && line.len() + 1 + word.len() > 100 {
                out += line.trim_end();
                out.push('\n');
                line = format!("{head}{indent}");
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line += word;
            empty = false;
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// A docstring.
fn doc(text: &str, indent: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let body = wrapped(&text, indent);
    let body = body.trim_start();
    match body.trim_end().contains('\n') {
        true => format!("{indent}\"\"\"{}\n{indent}\"\"\"\n", body.trim_end()),
        false => format!("{indent}\"\"\"{}\"\"\"\n", body.trim_end()),
    }
}

fn short(name: &str) -> &str {
    name.strip_prefix("Withy").unwrap_or(name)
}

fn attribute(name: &str) -> String {
    const KEYWORDS: [&str; 6] = ["from", "in", "is", "not", "def", "lambda"];
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

fn scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "uint32_t" => "c_uint32",
        "int32_t" => "c_int32",
        "uint64_t" => "c_uint64",
        "double" => "c_double",
        "float" => "c_float",
        _ => return None,
    })
}

fn callback(field: &Field) -> Option<String> {
    let shape = field.shape.callback.as_ref()?;
    let of = |name: &str| scalar(name).unwrap_or("None");
    let mut list = vec![of(shape["result"].as_str().unwrap_or_default()).to_owned()];
    for p in shape["parameters"].as_array().into_iter().flatten() {
        let name = p["type"].as_str().unwrap_or_default();
        let pointer = p["pointer"].is_string() || name == "callback";
        list.push(if pointer { "c_void_p".into() } else { of(name).to_owned() });
    }
    Some(format!("CFUNCTYPE({})", list.join(", ")))
}

fn field_type(api: &Api, field: &Field) -> String {
    let shape = &field.shape;
    if shape.callback.is_some() {
        return format!("{}Callback", attribute(&field.name));
    }
    if shape.pointer.is_some() {
        return "c_void_p".into();
    }
    let one = match scalar(&shape.name) {
        Some(c) => c.to_owned(),
        None if api.is_handle(&shape.name) => "c_uint64".into(),
        None => short(&shape.name).to_owned(),
    };
    shape.length.map_or(one.clone(), |n| format!("{one} * {n}"))
}

/// What a type checker sees of a field.
fn hint(api: &Api, field: &Field) -> String {
    let shape = &field.shape;
    if shape.callback.is_some() || shape.pointer.is_some() || shape.length.is_some() {
        return "Any".into();
    }
    match shape.name.as_str() {
        "double" | "float" => "float".into(),
        name if scalar(name).is_some() || api.is_handle(name) => "int".into(),
        name => short(name).to_owned(),
    }
}

/// What a keyword argument for a field may be.
fn accepts(field: &Field) -> String {
    let shape = &field.shape;
    if field.about.span.is_some() {
        return "ArrayLike".into();
    }
    if let Some(group) = field.about.group.as_ref().filter(|g| *g != "bool") {
        return format!("Union[{group}, int]");
    }
    if field.about.group.is_some() {
        return "bool".into();
    }
    match shape.name.as_str() {
        _ if shape.callback.is_some() || shape.pointer.is_some() => "Any".into(),
        _ if shape.length.is_some() => "Union[float, Sequence[float]]".into(),
        "double" | "float" => "float".into(),
        "WithyVec3" | "WithyQuat" => "Sequence[float]".into(),
        "WithyPose" => "Tuple[Sequence[float], Sequence[float]]".into(),
        name if scalar(name).is_some() => "int".into(),
        _ => "Any".into(),
    }
}

/// Range, unit and default, in words.
fn facts(field: &Field) -> String {
    let about = &field.about;
    let mut all = Vec::new();
    if let Some(span) = &about.span {
        let what = if span.format == "u32" { "u32" } else { "numbers" };
        let what = if span.scalars == 1 { what.trim_end_matches('s') } else { what };
        all.push(format!("{} {what} per {}", span.scalars, span.per.join(" or ")));
    }
    if let Some(unit) = about.unit.as_ref().filter(|u| !u.is_empty()) {
        all.push(unit.clone());
    }
    let plain = |v: &serde_json::Value| match (v.as_str(), v.as_f64()) {
        (Some(text), _) => text.to_owned(),
        (_, Some(x)) if x.abs() >= 1e6 => format!("{x:e}"),
        _ => v.to_string(),
    };
    if let Some([low, high]) = &about.range {
        all.push(format!("[{}, {}]", plain(low), plain(high)));
    }
    if let Some(zero) = &about.zero {
        all.push(format!("0: {zero}"));
    }
    if let Some(default) = &about.default {
        all.push(format!("default {}", plain(default)));
    }
    for (name, value) in &about.when {
        all.push(format!("with {name} {value}"));
    }
    all.join("; ")
}

fn structure(api: &Api, s: &Struct) -> String {
    let mut text = String::new();
    for field in &s.fields {
        if let Some(callback) = callback(field) {
            writeln!(text, "\n{}Callback = {callback}", attribute(&field.name)).expect("a string takes all");
        }
    }
    text += &format!("\n\nclass {}(Structure):\n", short(&s.name));
    text += &doc(if s.doc.is_empty() { &s.name } else { &s.doc }, "    ");
    text.push('\n');
    for field in &s.fields {
        text += &format!("    {}: {}\n", attribute(&field.name), hint(api, field));
    }
    text += "    _fields_ = [\n";
    for field in &s.fields {
        text += &format!("        (\"{}\", {}),\n", attribute(&field.name), field_type(api, field));
    }
    text += "    ]\n";
    let spans = s.fields.iter().filter_map(|f| f.about.span.as_ref().map(|span| (f, span)));
    let spans: Vec<_> = spans.map(|(f, span)| format!("\"{}\": ({}, \"{}\")", f.name, span.scalars, span.format)).collect();
    let list = if spans.is_empty() { "{}".into() } else { format!("{{\n        {},\n    }}", spans.join(",\n        ")) };
    text += &format!("    spans: ClassVar[Dict[str, Tuple[int, str]]] = {list}\n");
    let pointers = s.fields.iter().filter(|f| f.shape.pointer.is_some() && f.shape.name.starts_with("Withy"));
    let pointers: Vec<_> = pointers
        .map(|f| {
            let count = f.about.count.as_ref().map_or_else(|| "None".into(), |c| format!("\"{c}\""));
            format!("\"{}\": (\"{}\", {count})", f.name, short(&f.shape.name))
        })
        .collect();
    text += &format!("    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {{{}}}\n", pointers.join(", "));
    let init = api.init(s).map_or_else(|| "None".into(), |name| format!("\"{name}\""));
    text += &format!("    init: ClassVar[Optional[str]] = {init}\n");
    text
}

/// The keyword arguments of what a def makes.
fn keywords(s: &Struct) -> String {
    let mut text = format!("\n\nclass {}Fields(TypedDict, total=False):\n", short(&s.name));
    text += &doc(&format!("Keyword arguments that fill a {}. L is the host's unit of length.", s.name), "    ");
    let hidden = |f: &&Field| !["struct_size", "next", "reserved"].contains(&f.name.as_str());
    for field in s.fields.iter().filter(hidden) {
        text.push('\n');
        let about = match (field.doc.as_str(), facts(field)) {
            ("", facts) => facts,
            (doc, facts) => format!("{doc}\n{facts}"),
        };
        text += &wrapped(about.trim(), "    #: ");
        text += &format!("    {}: {}\n", field.name, accepts(field));
    }
    text
}

fn argument(api: &Api, p: &Parameter) -> &'static str {
    if p.shape.pointer.is_some() || p.shape.callback.is_some() {
        return "c_void_p";
    }
    scalar(&p.shape.name).unwrap_or_else(|| if api.is_handle(&p.shape.name) { "c_uint64" } else { "c_void_p" })
}

pub fn print(api: &Api) -> String {
    let mut text = String::from(
        "\"\"\"The C ABI of withy for ctypes. Written by `cargo xtask bindings`; changes are made in src/ffi.\"\"\"\n\
         # ruff: noqa\n\n\
         from __future__ import annotations\n\n\
         from ctypes import (\n    CFUNCTYPE,\n    Structure,\n    c_char_p,\n    c_double,\n    c_float,\n    c_int32,\n    c_uint32,\n    \
         c_uint64,\n    c_void_p,\n)\n\
         from enum import IntEnum, IntFlag\n\
         from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, List, Optional, Sequence, Tuple, TypedDict, Union\n\n\
         if TYPE_CHECKING:\n    from numpy.typing import ArrayLike\n\n",
    );
    for c in &api.constants {
        let alone = c.group.is_none();
        if alone {
            let name = c.name.trim_start_matches("WITHY_");
            text += &format!("{name} = {}\n", c.value);
        }
    }
    for e in &api.enums {
        let base = if e.flags { "IntFlag" } else { "IntEnum" };
        text += &format!("\n\nclass {}({base}):\n", e.name);
        text += &doc(&format!("Constants {} and so on.", e.members[0].constant), "    ");
        for m in &e.members {
            text.push('\n');
            if !m.doc.is_empty() {
                text += &wrapped(&m.doc, "    #: ");
            }
            text += &format!("    {} = {}\n", m.name, m.value);
        }
    }
    for s in api.structs.iter().filter(|s| s.kind != Kind::Handle) {
        text += &structure(api, s);
    }
    for s in api.structs.iter().filter(|s| s.kind != Kind::Handle && s.fields.iter().any(|f| f.about.default.is_some())) {
        text += &keywords(s);
    }
    text += "\n\n#: Name, result and parameters of every function. A handle is its number.\n";
    text += "SIGNATURES: List[Tuple[str, Any, List[Any]]] = [\n";
    for f in &api.functions {
        let result = match f.result.shape.pointer {
            Some(_) => "c_char_p",
            None => scalar(&f.result.shape.name).unwrap_or("None"),
        };
        let arguments: Vec<&str> = f.parameters.iter().map(|p| argument(api, p)).collect();
        text += &format!("    (\"{}\", {result}, [{}]),\n", f.name, arguments.join(", "));
    }
    text += "]\n\n\nclass Functions:\n    \"\"\"The functions of a loaded library, under their names in C.\"\"\"\n\n";
    text += "    __slots__ = tuple(name for name, _, _ in SIGNATURES)\n\n";
    for f in &api.functions {
        let result = if f.result.shape.pointer.is_some() { "bytes" } else { "int" };
        text += &format!("    {}: Callable[..., {result}]\n", f.name);
    }
    text += "\n    def __init__(self, library: Any) -> None:\n\
             \x20       for name, result, parameters in SIGNATURES:\n\
             \x20           function = getattr(library, name)\n\
             \x20           function.restype = result\n\
             \x20           function.argtypes = parameters\n\
             \x20           setattr(self, name, function)\n";
    text
}
