//! The items of `src/ffi` that the header shows: `pub const WITHY_…`, `#[repr(C)] pub struct Withy…`, exported functions.

use std::collections::BTreeMap;
use std::path::Path;

use quote::ToTokens;
use syn::{Attribute, Expr, Fields, FnArg, GenericArgument, Item, ItemFn, Lit, Meta, Pat, PathArguments, ReturnType};

use crate::process::{self, Outcome};

/// A type as C has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Of what it points to, if it is a pointer; of an element, if it is an array; of the result, if it is a callback.
    pub name: String,
    pub pointer: Option<Pointer>,
    pub array: Option<usize>,
    pub callback: Option<Vec<(String, Type)>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointer {
    Const,
    Mut,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    /// Enters no world.
    None,
    Reads,
    Writes,
}

pub struct Constant {
    pub name: String,
    pub kind: String,
    pub value: i128,
    pub doc: Vec<String>,
    pub section: String,
}

pub struct Struct {
    pub name: String,
    pub fields: Vec<(String, Type, Vec<String>)>,
    pub doc: Vec<String>,
    pub section: String,
    /// Has a `Def` implementation: starts with its size.
    pub def: bool,
}

pub struct Function {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub result: Option<Type>,
    pub doc: Vec<String>,
    pub section: String,
    pub access: Access,
}

#[derive(Default)]
pub struct Source {
    pub constants: Vec<Constant>,
    pub structs: Vec<Struct>,
    pub functions: Vec<Function>,
}

pub fn read(folder: &Path) -> Outcome<Source> {
    let list = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = list.flatten().map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
    paths.sort();
    let parsed = paths.into_iter().map(|path| {
        let file = syn::parse_file(&process::read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok((path, file))
    });
    let parsed = parsed.collect::<Outcome<Vec<_>>>()?;
    let helpers: BTreeMap<String, Access> = parsed
        .iter()
        .flat_map(|(_, file)| &file.items)
        .filter_map(|item| match item {
            Item::Fn(f) => Some((f.sig.ident.to_string(), entered(f, &BTreeMap::new()))),
            _ => None,
        })
        .filter(|(_, access)| *access != Access::None)
        .collect();
    let mut source = Source::default();
    for (path, file) in parsed {
        let section = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        section_items(&file.items, &section, &helpers, &mut source).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(source)
}

fn section_items(items: &[Item], section: &str, helpers: &BTreeMap<String, Access>, source: &mut Source) -> Outcome {
    let defs: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            Item::Impl(i) if i.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident("Def")) => {
                Some(i.self_ty.to_token_stream().to_string())
            }
            _ => None,
        })
        .collect();
    let section = section.to_owned();
    for item in items {
        match item {
            Item::Const(c) if c.ident.to_string().starts_with("WITHY_") => source.constants.push(Constant {
                name: c.ident.to_string(),
                kind: named_type(&c.ty)?.name,
                value: integer(&c.expr).ok_or_else(|| format!("{}: not a plain number", c.ident))?,
                doc: doc(&c.attrs),
                section: section.clone(),
            }),
            Item::Struct(s) if s.ident.to_string().starts_with("Withy") && is_repr_c(&s.attrs) => {
                let Fields::Named(fields) = &s.fields else { return Err(format!("{}: fields without names", s.ident)) };
                let fields = fields.named.iter().map(|f| {
                    let name = f.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                    Ok((name, named_type(&f.ty).map_err(|e| format!("{}: {e}", s.ident))?, doc(&f.attrs)))
                });
                let name = s.ident.to_string();
                let def = defs.contains(&name);
                let fields = fields.collect::<Outcome<_>>()?;
                source.structs.push(Struct { name, fields, doc: doc(&s.attrs), section: section.clone(), def });
            }
            Item::Fn(f) if f.sig.ident.to_string().starts_with("withy_") && f.sig.abi.is_some() => {
                source.functions.push(function(f, &section, helpers)?);
            }
            _ => {}
        }
    }
    Ok(())
}

fn function(f: &ItemFn, section: &str, helpers: &BTreeMap<String, Access>) -> Outcome<Function> {
    let name = f.sig.ident.to_string();
    let parameters = f.sig.inputs.iter().map(|input| match input {
        FnArg::Typed(p) => match &*p.pat {
            Pat::Ident(i) => Ok((i.ident.to_string(), named_type(&p.ty).map_err(|e| format!("{name}: {e}"))?)),
            _ => Err(format!("{name}: a parameter without a name")),
        },
        FnArg::Receiver(_) => Err(format!("{name}: has self")),
    });
    let result = match &f.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, t) => Some(named_type(t).map_err(|e| format!("{name}: {e}"))?),
    };
    let parameters = parameters.collect::<Outcome<_>>()?;
    Ok(Function { parameters, result, doc: doc(&f.attrs), section: section.to_owned(), access: entered(f, helpers), name })
}

/// Whether a body enters the world through `guard::read` or `guard::write`, itself or by a function that it calls.
fn entered(f: &ItemFn, helpers: &BTreeMap<String, Access>) -> Access {
    let text = f.block.to_token_stream().to_string();
    if text.contains("guard :: write") {
        return Access::Writes;
    }
    if text.contains("guard :: read") {
        return Access::Reads;
    }
    // A function's name, and not a method's.
    let called = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].trim_end();
            let word = text[..at].ends_with([' ', '(', '{']) && text[at + name.len()..].trim_start().starts_with('(');
            word && !before.ends_with('.')
        })
    };
    helpers.iter().find(|(name, _)| called(name)).map_or(Access::None, |(_, access)| *access)
}

fn is_repr_c(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("repr") && a.meta.to_token_stream().to_string().contains('C'))
}

/// The lines of a doc comment; the fences of code blocks are for rustdoc.
fn doc(attributes: &[Attribute]) -> Vec<String> {
    let lines = attributes.iter().filter_map(|a| match &a.meta {
        Meta::NameValue(m) if m.path.is_ident("doc") => match &m.value {
            Expr::Lit(l) => match &l.lit {
                Lit::Str(s) => Some(s.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let lines = lines.map(|l| l.strip_prefix(' ').unwrap_or(&l).trim_end().to_owned());
    lines.filter(|l| !l.trim_start().starts_with("```")).collect()
}

fn integer(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Lit(l) => match &l.lit {
            Lit::Int(i) => i.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(u) => integer(&u.expr).map(|v| -v),
        Expr::Path(p) => match p.path.to_token_stream().to_string().as_str() {
            "u64 :: MAX" => Some(i128::from(u64::MAX)),
            "u32 :: MAX" => Some(i128::from(u32::MAX)),
            _ => None,
        },
        Expr::Binary(b) if matches!(b.op, syn::BinOp::Shl(_)) => Some(integer(&b.left)? << integer(&b.right)?),
        _ => None,
    }
}

fn plain(name: &str) -> Type {
    Type { name: name.to_owned(), pointer: None, array: None, callback: None }
}

fn named_type(t: &syn::Type) -> Outcome<Type> {
    match t {
        syn::Type::Ptr(p) => {
            let pointer = if p.mutability.is_some() { Pointer::Mut } else { Pointer::Const };
            let inner = named_type(&p.elem)?;
            if inner != plain(&inner.name) {
                return Err(format!("{}: a pointer to more than a plain type", t.to_token_stream()));
            }
            Ok(Type { pointer: Some(pointer), ..inner })
        }
        syn::Type::Array(a) => {
            let n = integer(&a.len).and_then(|n| usize::try_from(n).ok()).ok_or("an array's length is not a plain number")?;
            Ok(Type { array: Some(n), ..named_type(&a.elem)? })
        }
        syn::Type::BareFn(f) => {
            let parameters = f.inputs.iter().enumerate().map(|(i, p)| {
                let name = p.name.as_ref().map_or_else(|| format!("p{i}"), |(name, _)| name.to_string());
                Ok((name, named_type(&p.ty)?))
            });
            let result = match &f.output {
                ReturnType::Default => plain("void"),
                ReturnType::Type(_, t) => named_type(t)?,
            };
            Ok(Type { callback: Some(parameters.collect::<Outcome<_>>()?), ..result })
        }
        syn::Type::Path(p) => {
            let last = p.path.segments.last().ok_or("an empty path")?;
            if last.ident == "Option" {
                let PathArguments::AngleBracketed(arguments) = &last.arguments else { return Err("Option of nothing".into()) };
                return match arguments.args.first() {
                    Some(GenericArgument::Type(t)) => named_type(t),
                    _ => Err("Option of nothing".into()),
                };
            }
            let name = last.ident.to_string();
            Ok(plain(match name.as_str() {
                "u32" => "uint32_t",
                "i32" => "int32_t",
                "u64" => "uint64_t",
                "f64" => "double",
                "f32" => "float",
                "c_void" => "void",
                "c_char" => "char",
                other if other.starts_with("Withy") => other,
                other => return Err(format!("no C type for {other}")),
            }))
        }
        other => Err(format!("no C type for {}", other.to_token_stream())),
    }
}
