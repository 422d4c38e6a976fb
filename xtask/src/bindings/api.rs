//! Source and table joined: what `include/withy.json` says. Here is decided what must be said.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::meaning::{Entry, Filled, Group, Meaning};
use super::source::{self, Access, Pointer, Source, Type};
use crate::header;
use crate::process::Outcome;

#[derive(Serialize)]
pub struct Api {
    pub name: &'static str,
    pub version: &'static str,
    /// What units and ranges mean.
    pub notes: BTreeMap<&'static str, &'static str>,
    pub constants: Vec<Constant>,
    pub enums: Vec<Enum>,
    pub structs: Vec<Struct>,
    pub functions: Vec<Function>,
}

#[derive(Serialize)]
pub struct Constant {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The file of `include` that declares it.
    pub header: &'static str,
    pub doc: String,
}

#[derive(Serialize)]
pub struct Enum {
    pub name: String,
    pub flags: bool,
    #[serde(rename = "type")]
    pub kind: String,
    pub members: Vec<Member>,
}

#[derive(Serialize)]
pub struct Member {
    pub name: String,
    pub constant: String,
    pub value: i128,
    pub doc: String,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One field, `bits`.
    Handle,
    /// Starts with its size, and has an init function.
    Def,
    Value,
}

#[derive(Serialize)]
pub struct Struct {
    pub name: String,
    pub kind: Kind,
    pub size: usize,
    pub align: usize,
    /// The file of `include` that declares it.
    pub header: &'static str,
    pub doc: String,
    pub fields: Vec<Field>,
}

#[derive(Serialize)]
pub struct Field {
    pub name: String,
    #[serde(flatten)]
    pub shape: Shape,
    pub offset: usize,
    pub size: usize,
    #[serde(flatten)]
    pub about: About,
    pub doc: String,
}

#[derive(Serialize)]
pub struct Function {
    pub name: String,
    /// The macro of the header that passes the size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    pub access: &'static str,
    /// The file of `include` that declares it.
    pub header: &'static str,
    pub doc: String,
    pub parameters: Vec<Parameter>,
    pub result: Returned,
}

#[derive(Serialize)]
pub struct Parameter {
    pub name: String,
    #[serde(flatten)]
    pub shape: Shape,
    /// handle, value, in, out, inout, count, size
    pub role: &'static str,
    #[serde(flatten)]
    pub about: About,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

#[derive(Serialize)]
pub struct Returned {
    #[serde(flatten)]
    pub shape: Shape,
    /// It is a WITHY_OK or WITHY_ERROR_ value.
    pub status: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

#[derive(Serialize, Clone)]
pub struct Shape {
    #[serde(rename = "type")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<&'static str>,
    /// Length of an array within a struct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback: Option<Value>,
}

/// What the table says.
#[derive(Serialize, Default)]
pub struct About {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The name of its count, or the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub all: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub optional: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[Value; 2]>,
    /// The lower end is not part of the range.
    #[serde(skip_serializing_if = "is_false")]
    pub above: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub when: BTreeMap<String, String>,
}

#[derive(Serialize, Clone)]
pub struct Span {
    pub scalars: u32,
    pub format: &'static str,
    pub per: Vec<String>,
}

fn is_false(b: &bool) -> bool {
    !b
}

impl Api {
    pub fn json(&self) -> Outcome<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|e| e.to_string())
    }
    /// The function that fills a struct with its defaults.
    pub fn init(&self, s: &Struct) -> Option<&str> {
        let init = self.functions.iter().find(|f| {
            let first = f.parameters.first().is_some_and(|p| p.shape.name == s.name && p.shape.pointer == Some("mut"));
            first && (f.name.ends_with("_init") || f.name.ends_with("_init_sized"))
        });
        init.map(|f| f.name.as_str())
    }
    pub fn structure(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|s| s.name == name)
    }
    pub fn is_handle(&self, name: &str) -> bool {
        self.structure(name).is_some_and(|s| s.kind == Kind::Handle)
    }
}

const NOTES: [(&str, &str); 6] = [
    ("unit", "L is the host's unit of length (WithyContextDef), all else SI. Empty: a plain number. Missing: no number."),
    (
        "range",
        "What is accepted, ends included (above: but for the lower), in SI whatever the host's units. `zero` says what 0 means, which is then accepted too.",
    ),
    (
        "span",
        "An array of `scalars` numbers per entry; `per` says what has one. format float: WITHY_FORMAT_F32 or _F64, u32: WITHY_FORMAT_U32.",
    ),
    ("access", "reads: beside other readers of the world; writes: alone; none: enters no world."),
    ("layout", "Sizes and offsets in bytes, on 64-bit machines."),
    ("when", "Used with these values of other fields only; \"1\" is any but 0."),
];

pub fn join(source: &Source, meaning: &Meaning) -> Outcome<Api> {
    let mut used = BTreeSet::new();
    let groups = groups(source, meaning)?;
    let mut group_of = BTreeMap::new();
    for (group, members) in &groups {
        for c in members {
            if let Some(other) = group_of.insert(c.name.clone(), group.clone()) {
                return Err(format!("meaning.toml: {} is in {other} and in {group}", c.name));
            }
        }
    }
    let check = Check { source, groups: &groups };
    let structs = ordered(&source.structs)?.into_iter().map(|s| structure(s, source, meaning, &mut used, &check));
    let structs = structs.collect::<Outcome<Vec<_>>>()?;
    let functions = source.functions.iter().map(|f| function(f, source, meaning, &mut used, &check));
    let functions = functions.collect::<Outcome<Vec<_>>>()?;
    for (item, entries) in &meaning.items {
        if let Some(name) = entries.keys().find(|name| !used.contains(&(item.clone(), (*name).clone()))) {
            return Err(format!("meaning.toml: [{item}] {name} is in no item of src/ffi"));
        }
    }
    let constants = source.constants.iter().map(|c| {
        Ok(Constant {
            name: c.name.clone(),
            kind: c.kind.clone(),
            value: whole(c.value),
            group: group_of.get(&c.name).cloned(),
            header: declared(&c.section)?,
            doc: paragraphs(&c.doc),
        })
    });
    let mut constants = constants.collect::<Outcome<Vec<_>>>()?;
    constants.extend(version_constants());
    let enums = groups.iter().map(|(name, members)| enumeration(name, &meaning.enums[name], members)).collect::<Outcome<_>>()?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(Api { name: "withy", version, notes: NOTES.into(), constants, enums, structs, functions })
}

/// Those that the header computes by macros.
fn version_constants() -> Vec<Constant> {
    let numbers: Vec<i128> = env!("CARGO_PKG_VERSION").split(['.', '-']).filter_map(|n| n.parse().ok()).collect();
    let constant = |name: &str, kind: &str, value| Constant {
        name: name.into(),
        kind: kind.into(),
        value,
        group: None,
        header: "withy.h",
        doc: "Of the header.".into(),
    };
    let names = ["WITHY_VERSION_MAJOR", "WITHY_VERSION_MINOR", "WITHY_VERSION_PATCH"];
    let mut all: Vec<_> = names.iter().zip(&numbers).map(|(name, n)| constant(name, "uint32_t", whole(*n))).collect();
    all.push(constant("WITHY_VERSION", "uint32_t", whole(numbers[0] << 22 | numbers[1] << 12 | numbers[2])));
    all.push(constant("WITHY_VERSION_STRING", "char", Value::from(env!("CARGO_PKG_VERSION"))));
    all
}

fn declared(section: &str) -> Outcome<&'static str> {
    header::of(section).ok_or_else(|| format!("src/ffi/{section}.rs is in no header"))
}

type Groups<'a> = BTreeMap<String, Vec<&'a source::Constant>>;

fn groups<'a>(source: &'a Source, meaning: &Meaning) -> Outcome<Groups<'a>> {
    let member = |g: &Group, c: &str| {
        let by_prefix = g.prefix.as_ref().is_some_and(|p| c.starts_with(p.as_str()));
        g.also.iter().any(|a| a == c) || by_prefix && !g.not.iter().any(|n| n == c)
    };
    let all = meaning.enums.iter().map(|(name, g)| {
        for named in g.also.iter().chain(&g.not) {
            if !source.constants.iter().any(|c| c.name == *named) {
                return Err(format!("meaning.toml: enum {name} names {named}, which is no constant"));
            }
        }
        let members: Vec<_> = source.constants.iter().filter(|c| member(g, &c.name)).collect();
        if members.is_empty() { Err(format!("meaning.toml: enum {name} has no members")) } else { Ok((name.clone(), members)) }
    });
    all.collect()
}

fn enumeration(name: &str, group: &Group, members: &[&source::Constant]) -> Outcome<Enum> {
    let strip = group.strip.as_ref().or(group.prefix.as_ref()).ok_or_else(|| format!("enum {name}: neither prefix nor strip"))?;
    let short =
        |constant: &str| constant.strip_prefix(strip.as_str()).unwrap_or(constant.trim_start_matches("WITHY_")).to_owned();
    let members = members.iter().map(|c| Member {
        name: short(&c.name),
        constant: c.name.clone(),
        value: c.value,
        doc: paragraphs(&c.doc),
    });
    let kind = if name == "Result" { "int32_t" } else { "uint32_t" };
    Ok(Enum { name: name.to_owned(), flags: group.flags, kind: kind.into(), members: members.collect() })
}

/// Structs after those that they contain.
fn ordered(structs: &[source::Struct]) -> Outcome<Vec<&source::Struct>> {
    let mut done: Vec<&source::Struct> = Vec::new();
    while done.len() < structs.len() {
        let before = done.len();
        for s in structs {
            let known = |t: &Type| t.pointer.is_some() || !t.name.starts_with("Withy") || done.iter().any(|d| d.name == t.name);
            if !done.iter().any(|d| d.name == s.name) && s.fields.iter().all(|(_, t, _)| known(t)) {
                done.push(s);
            }
        }
        if done.len() == before {
            return Err("structs that contain each other, or something else than structs of src/ffi".into());
        }
    }
    Ok(done)
}

fn layout(t: &Type, source: &Source) -> Outcome<(usize, usize)> {
    if t.pointer.is_some() || t.callback.is_some() {
        return Ok((8, 8));
    }
    let (size, align) = match t.name.as_str() {
        "uint32_t" | "int32_t" | "float" => (4, 4),
        "uint64_t" | "double" => (8, 8),
        name => {
            let s = source.structs.iter().find(|s| s.name == name).ok_or_else(|| format!("no layout of {name}"))?;
            let (_, size, align) = offsets(s, source)?;
            (size, align)
        }
    };
    Ok((size * t.array.unwrap_or(1), align))
}

/// Offset and size of each field, size and alignment of the struct.
type Offsets = (Vec<(usize, usize)>, usize, usize);

fn offsets(s: &source::Struct, source: &Source) -> Outcome<Offsets> {
    let (mut at, mut largest, mut all) = (0usize, 1, Vec::new());
    for (_, t, _) in &s.fields {
        let (size, align) = layout(t, source)?;
        at = at.next_multiple_of(align);
        all.push((at, size));
        at += size;
        largest = largest.max(align);
    }
    Ok((all, at.next_multiple_of(largest), largest))
}

fn structure(
    s: &source::Struct,
    source: &Source,
    meaning: &Meaning,
    used: &mut BTreeSet<(String, String)>,
    check: &Check,
) -> Outcome<Struct> {
    let (offsets, size, align) = offsets(s, source)?;
    let handle = s.fields.len() == 1 && s.fields[0].0 == "bits";
    let kind = match (handle, s.def) {
        (true, _) => Kind::Handle,
        (_, true) => Kind::Def,
        _ => Kind::Value,
    };
    let siblings: Vec<&str> = s.fields.iter().map(|(name, ..)| name.as_str()).collect();
    let fields = s.fields.iter().zip(offsets).map(|((name, t, doc), (offset, size))| {
        let entry = meaning.items.get(&s.name).and_then(|entries| entries.get(name));
        let obvious = ["struct_size", "flags", "next", "reserved", "bits", "count"].contains(&name.as_str());
        if entry.is_none() && !obvious {
            return Err(format!("meaning.toml: no entry for [{}] {name}", s.name));
        }
        used.insert((s.name.clone(), name.clone()));
        let mut about = match entry {
            Some(e) => check.about(&s.name, name, t, e, &siblings)?,
            None => About::default(),
        };
        if kind == Kind::Def
            && !about.required
            && about.default.is_none()
            && !["struct_size", "reserved"].contains(&name.as_str())
        {
            let number = t.pointer.is_none() && t.callback.is_none() && !t.name.starts_with("Withy");
            about.default = number.then(|| Value::from(0));
        }
        let doc = paragraphs(doc);
        Ok(Field { name: name.clone(), shape: shape(t), offset, size, about, doc })
    });
    let fields = fields.collect::<Outcome<_>>()?;
    Ok(Struct { name: s.name.clone(), kind, size, align, header: declared(&s.section)?, doc: paragraphs(&s.doc), fields })
}

fn function(
    f: &source::Function,
    source: &Source,
    meaning: &Meaning,
    used: &mut BTreeSet<(String, String)>,
    check: &Check,
) -> Outcome<Function> {
    let (doc, mut parameter_docs, returns) = parts(&f.doc);
    let siblings: Vec<&str> = f.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let kind_of = |t: &Type| source.structs.iter().find(|s| s.name == t.name);
    let is_handle = |t: &Type| kind_of(t).is_some_and(|s| s.fields.len() == 1 && s.fields[0].0 == "bits");
    let is_count = |name: &str| {
        let entries = meaning.items.get(&f.name);
        entries.is_some_and(|e| e.values().any(|e| e.count.as_deref() == Some(name)))
    };
    let parameters = f.parameters.iter().map(|(name, t)| {
        let entry = meaning.items.get(&f.name).and_then(|entries| entries.get(name));
        let sized = name == "size" && f.name.ends_with("_sized");
        let def = kind_of(t).is_some_and(|s| s.def) && t.pointer.is_some();
        // A handle that is made, or stands for an object.
        let one_handle = is_handle(t) && t.pointer != Some(Pointer::Const);
        if entry.is_none() && !sized && !def && !one_handle {
            return Err(format!("meaning.toml: no entry for [{}] {name}", f.name));
        }
        used.insert((f.name.clone(), name.clone()));
        let about = match entry {
            Some(e) => check.about(&f.name, name, t, e, &siblings)?,
            None => About::default(),
        };
        let role = match (t.pointer, t.name.as_str()) {
            _ if sized => "size",
            (Some(Pointer::Const), _) => "in",
            (Some(Pointer::Mut), "WithySpan") => "inout",
            (Some(Pointer::Mut), _) if is_count(name) => "inout",
            (Some(Pointer::Mut), _) => "out",
            (None, _) if is_count(name) => "count",
            (None, _) if is_handle(t) => "handle",
            (None, _) => "value",
        };
        let doc = parameter_docs.remove(name).unwrap_or_default();
        Ok(Parameter { name: name.clone(), shape: shape(t), role, about, doc })
    });
    let parameters = parameters.collect::<Outcome<Vec<_>>>()?;
    if let Some(name) = parameter_docs.keys().next() {
        return Err(format!("{}: @param {name}, which it does not have", f.name));
    }
    let result = f.result.as_ref().ok_or_else(|| format!("{}: returns nothing", f.name))?;
    let status = result.name == "int32_t";
    let access = match f.access {
        Access::None => "none",
        Access::Reads => "reads",
        Access::Writes => "writes",
    };
    Ok(Function {
        name: f.name.clone(),
        short: f.name.strip_suffix("_sized").map(String::from),
        access,
        header: declared(&f.section)?,
        doc,
        parameters,
        result: Returned { shape: shape(result), status, doc: returns },
    })
}

/// The text, that of each parameter, and that of the result.
fn parts(lines: &[String]) -> (String, BTreeMap<String, String>, String) {
    let (mut doc, mut parameters, mut returns) = (Vec::new(), BTreeMap::<String, String>::new(), String::new());
    // Whose text goes on with the next line.
    let mut names: Vec<String> = Vec::new();
    let mut returning = false;
    for line in lines {
        let text = line.trim();
        let text = if let Some(rest) = text.strip_prefix("@param ") {
            (names, returning) = (Vec::new(), false);
            let mut words = rest.split_whitespace();
            for word in words.by_ref() {
                names.push(word.trim_end_matches(',').to_owned());
                if !word.ends_with(',') {
                    break;
                }
            }
            words.collect::<Vec<_>>().join(" ")
        } else if let Some(rest) = text.strip_prefix("@return ") {
            (names, returning) = (Vec::new(), true);
            rest.to_owned()
        } else {
            text.to_owned()
        };
        if returning {
            returns = format!("{returns} {text}").trim().to_owned();
        } else if names.is_empty() {
            doc.push(line.clone());
        } else {
            for name in &names {
                let so_far = parameters.entry(name.clone()).or_default();
                *so_far = format!("{so_far} {text}").trim().to_owned();
            }
        }
    }
    (paragraphs(&doc), parameters, returns)
}

/// Lines joined, but for empty ones and indented ones.
fn paragraphs(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let apart = line.is_empty() || line.starts_with(' ') || text.is_empty() || text.ends_with('\n');
        if !apart {
            text.push(' ');
        } else if !text.is_empty() {
            text.push('\n');
        }
        text += line;
    }
    text.trim().to_owned()
}

fn shape(t: &Type) -> Shape {
    let pointer = t.pointer.map(|p| if p == Pointer::Const { "const" } else { "mut" });
    let callback = t.callback.as_ref().map(|parameters| {
        let list = parameters.iter().map(|(name, t)| {
            let mut value = serde_json::to_value(shape(t)).unwrap_or_default();
            value["name"] = Value::from(name.as_str());
            value
        });
        json!({ "parameters": list.collect::<Vec<_>>(), "result": t.name })
    });
    let name = if callback.is_some() { "callback".to_owned() } else { t.name.clone() };
    Shape { name, pointer, length: t.array, callback }
}

fn whole(value: i128) -> Value {
    i64::try_from(value).map(Value::from).or_else(|_| u64::try_from(value).map(Value::from)).unwrap_or_default()
}

/// JSON has no infinity.
fn number(x: f64) -> Value {
    if x.is_infinite() {
        Value::from(if x > 0.0 { "inf" } else { "-inf" })
    } else if x.fract() == 0.0 && x.abs() < 9e15 {
        Value::from(x as i64)
    } else {
        Value::from(x)
    }
}

struct Check<'a> {
    source: &'a Source,
    groups: &'a Groups<'a>,
}

impl Check<'_> {
    fn about(&self, item: &str, name: &str, t: &Type, e: &Entry, siblings: &[&str]) -> Outcome<About> {
        let wrong = |what: &str| Err(format!("meaning.toml: [{item}] {name}: {what}"));
        let span = t.name == "WithySpan" && item != "WithySpan";
        if span != (e.of.is_some() && !e.per.is_empty()) {
            return wrong(if span { "a span needs `of` and `per`" } else { "`of` and `per` are for spans" });
        }
        if span && !e.u32 && e.unit.is_none() {
            return wrong("needs a unit");
        }
        if let Some(count) = &e.count
            && !siblings.contains(&count.as_str())
            && count.parse::<u32>().is_err()
        {
            return wrong("`count` is neither beside it nor a number");
        }
        let number_like = ["double", "float", "uint32_t", "int32_t", "uint64_t"].contains(&t.name.as_str());
        if number_like && t.callback.is_none() && e.unit.is_none() && e.group.is_none() && e.count.is_none() {
            return wrong("needs a unit or an enum");
        }
        if let Some(group) = &e.group
            && group != "bool"
        {
            let Some(members) = self.groups.get(group) else { return wrong("no such enum") };
            if let Some(Filled::Number(d)) = &e.default
                && !members.iter().any(|c| c.value as f64 == *d)
            {
                return wrong("the default is no member of the enum");
            }
        }
        for (field, value) in &e.when {
            let constant = self.source.constants.iter().any(|c| c.name == *value);
            if !siblings.contains(&field.as_str()) || !constant && value.parse::<f64>().is_err() {
                return wrong("`when` names no field, or no value");
            }
        }
        if e.range.is_some_and(|[low, high]| low > high) {
            return wrong("an empty range");
        }
        Ok(About {
            span: e.of.filter(|_| span).map(|scalars| Span {
                scalars,
                format: if e.u32 { "u32" } else { "float" },
                per: e.per.clone(),
            }),
            count: e.count.clone(),
            all: e.all,
            required: e.required,
            optional: e.optional || e.all,
            unit: e.unit.clone(),
            range: e.range.map(|r| r.map(number)),
            above: e.above,
            zero: e.zero.clone(),
            default: e.default.as_ref().map(|d| match d {
                Filled::Number(x) => number(*x),
                Filled::List(list) => list.iter().copied().map(number).collect(),
                Filled::Text(text) => Value::from(text.as_str()),
            }),
            group: e.group.clone(),
            when: e.when.clone(),
        })
    }
}
