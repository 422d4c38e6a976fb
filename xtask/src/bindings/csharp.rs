//! `Native.cs`: enums, blittable structs and imports; and the two programs that print the layouts of all structs, in C and in C#.

use super::api::{Api, Field, Kind, Shape, Struct};
use super::python::wrapped;

fn pascal(name: &str) -> String {
    let word = |w: &str| w[..1].to_uppercase() + &w[1..].to_lowercase();
    name.split('_').filter(|w| !w.is_empty()).map(word).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn summary(text: &str, indent: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let head = format!("{indent}/// ");
    format!("{head}<summary>\n{}{head}</summary>\n", wrapped(&escaped(text), &head))
}

fn identifier(name: &str) -> String {
    const KEYWORDS: [&str; 7] = ["out", "in", "ref", "params", "fixed", "object", "event"];
    if KEYWORDS.contains(&name) { format!("@{name}") } else { name.to_owned() }
}

fn scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "uint32_t" => "uint",
        "int32_t" => "int",
        "uint64_t" => "ulong",
        "double" => "double",
        "float" => "float",
        "void" => "void",
        "char" => "byte",
        _ => return None,
    })
}

/// A type as a field or a parameter has it.
fn written(shape: &Shape, group: Option<&String>) -> String {
    if shape.callback.is_some() {
        return "IntPtr".into();
    }
    let name = match group.filter(|g| *g != "bool" && shape.pointer.is_none()) {
        Some(group) => group.clone(),
        None => scalar(&shape.name).map_or_else(|| shape.name.clone(), String::from),
    };
    if shape.pointer.is_some() { name + "*" } else { name }
}

fn field(f: &Field) -> String {
    let name = identifier(&f.name);
    match f.shape.length {
        Some(n) => format!("public fixed {} {name}[{n}];", scalar(&f.shape.name).unwrap_or("double")),
        None => format!("public {} {name};", written(&f.shape, f.about.group.as_ref())),
    }
}

fn delegates(s: &Struct) -> String {
    let mut text = String::new();
    for f in &s.fields {
        let Some(callback) = &f.shape.callback else { continue };
        let of = |v: &serde_json::Value| {
            let name = v["type"].as_str().unwrap_or_default();
            let kind = if name == "callback" { "IntPtr" } else { scalar(name).unwrap_or("void") };
            format!("{kind}{} {}", if v["pointer"].is_string() { "*" } else { "" }, v["name"].as_str().unwrap_or_default())
        };
        let parameters: Vec<String> = callback["parameters"].as_array().into_iter().flatten().map(of).collect();
        let result = scalar(callback["result"].as_str().unwrap_or_default()).unwrap_or("void");
        text += &summary(&format!("What {}.{} points to.", s.name, f.name), "    ");
        text += "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n";
        let name = s.name.trim_end_matches("Def").trim_end_matches("Callbacks");
        text += &format!("    public unsafe delegate {result} {name}{}({});\n\n", pascal(&f.name), parameters.join(", "));
    }
    text
}

const HEAD: &str = "\
// Written by `cargo xtask bindings`; changes are made in src/ffi.
//
// The C ABI of withy as it is: blittable structs, raw pointers, handles of one field. World, Rods and Ragdolls are on top of it.
// ReSharper disable InconsistentNaming
#pragma warning disable 1591

using System;
using System.Runtime.InteropServices;

namespace Withy
{
";

pub fn native(api: &Api) -> String {
    let mut text = String::from(HEAD);
    for e in &api.enums {
        text += &summary(&format!("Constants {} and so on.", e.members[0].constant), "    ");
        if e.flags {
            text += "    [Flags]\n";
        }
        text += &format!("    public enum {} : {}\n    {{\n", e.name, scalar(&e.kind).unwrap_or("uint"));
        if e.flags {
            text += "        None = 0,\n";
        }
        for m in &e.members {
            text += &summary(&m.doc, "        ");
            text += &format!("        {} = {},\n", pascal(&m.name), m.value);
        }
        text += "    }\n\n";
    }
    for s in &api.structs {
        text += &delegates(s);
        text += &summary(&s.doc, "    ");
        text += "    [StructLayout(LayoutKind.Sequential)]\n";
        text += &format!("    public unsafe partial struct {}\n    {{\n", s.name);
        for f in &s.fields {
            text += &summary(&f.doc, "        ");
            text += &format!("        {}\n", field(f));
        }
        if let Some(init) = api.init(s) {
            let size = if init.ends_with("_sized") { format!(", (uint)sizeof({})", s.name) } else { String::new() };
            let name = &s.name;
            text += "\n        /// <summary>With the defaults filled in.</summary>\n";
            text += &format!("        public static {name} Default()\n        {{\n            var value = new {name}();\n");
            text += &format!("            Check.Ok(Native.{init}(&value{size}));\n            return value;\n        }}\n");
        }
        if s.kind == Kind::Handle {
            text += "\n        public bool IsNull { get { return bits == 0; } }\n";
        }
        text += "    }\n\n";
    }
    text += "    public static unsafe class Native\n    {\n";
    text += "#if WITHY_INTERNAL || ((UNITY_IOS || UNITY_WEBGL || UNITY_SWITCH) && !UNITY_EDITOR)\n";
    text += "        public const string Library = \"__Internal\";\n#else\n        public const string Library = \"withy\";\n#endif\n";
    for c in api.constants.iter().filter(|c| c.group.is_none()) {
        text += "\n";
        text += &summary(&c.doc, "        ");
        let kind = if c.kind == "char" { "string" } else { scalar(&c.kind).unwrap_or("uint") };
        text += &format!("        public const {kind} {} = {};\n", c.name, c.value);
    }
    for f in &api.functions {
        let parameters = f.parameters.iter().map(|p| {
            let group = p.about.group.as_ref().filter(|_| p.shape.pointer.is_none());
            format!("{} {}", written(&p.shape, group), identifier(&p.name))
        });
        let parameters: Vec<String> = parameters.collect();
        let result = if f.result.status { "Result".into() } else { written(&f.result.shape, None) };
        text += "\n";
        text += &summary(&f.doc, "        ");
        text += "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n";
        text += &format!("        public static extern {result} {}({});\n", f.name, parameters.join(", "));
    }
    text += "    }\n}\n";
    text
}

/// Prints `Struct size` and `Struct.field offset size` of all structs.
pub fn layouts_c(api: &Api) -> String {
    let mut text = String::from("/* Written by `cargo xtask bindings`. */\n#include <stdio.h>\n\n");
    crate::header::all().for_each(|name| text += &format!("#include <{name}>\n"));
    text.push('\n');
    text += "#define TYPE(T) printf(#T \" %u\\n\", (unsigned)sizeof(T))\n";
    text += "#define FIELD(T, F) printf(#T \".\" #F \" %u %u\\n\", (unsigned)offsetof(T, F), (unsigned)sizeof(((T *)0)->F))\n\n";
    text += "int main(void) {\n";
    for s in &api.structs {
        text += &format!("    TYPE({});\n", s.name);
        for f in &s.fields {
            text += &format!("    FIELD({}, {});\n", s.name, f.name);
        }
    }
    text + "    return 0;\n}\n"
}

pub fn layouts_cs(api: &Api) -> String {
    let mut text = String::from("// Written by `cargo xtask bindings`.\nusing System.IO;\n\nnamespace Withy.Tests\n{\n");
    text += "    public static unsafe class Layouts\n    {\n        public static void Print(TextWriter to)\n        {\n";
    for s in &api.structs {
        text += &format!("            {{\n                var x = new {}();\n                var at = (byte*)&x;\n", s.name);
        text += &format!("                to.WriteLine(\"{} \" + sizeof({}));\n", s.name, s.name);
        for f in &s.fields {
            let name = identifier(&f.name);
            let (place, size) = match f.shape.length {
                Some(n) => (format!("(byte*)x.{name}"), format!("sizeof({}) * {n}", scalar(&f.shape.name).unwrap_or("double"))),
                None if f.shape.pointer.is_some() || f.shape.callback.is_some() => {
                    (format!("(byte*)&x.{name}"), "sizeof(System.IntPtr)".into())
                }
                None => (format!("(byte*)&x.{name}"), format!("sizeof({})", written(&f.shape, f.about.group.as_ref()))),
            };
            text += &format!("                to.WriteLine(\"{}.{} \" + ({place} - at) + \" \" + {size});\n", s.name, f.name);
        }
        text += "            }\n";
    }
    text + "        }\n    }\n}\n"
}
