//! `src/ffi/meaning.toml`, whose head says what the keys are.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::process::{self, Outcome};

/// Of a field or a parameter.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Entry {
    pub of: Option<u32>,
    pub per: Vec<String>,
    pub u32: bool,
    pub count: Option<String>,
    pub all: bool,
    pub required: bool,
    pub optional: bool,
    pub when: BTreeMap<String, String>,
    pub unit: Option<String>,
    pub range: Option<[f64; 2]>,
    pub above: bool,
    pub zero: Option<String>,
    pub default: Option<Filled>,
    #[serde(rename = "enum")]
    pub group: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
pub enum Filled {
    Number(f64),
    List(Vec<f64>),
    Text(String),
}

/// A group of constants.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    pub prefix: Option<String>,
    /// What is cut off the names of members, if not `prefix`.
    pub strip: Option<String>,
    pub not: Vec<String>,
    pub also: Vec<String>,
    pub flags: bool,
}

#[derive(Deserialize)]
pub struct Meaning {
    pub enums: BTreeMap<String, Group>,
    /// By the name of the struct or function, then of the field or parameter.
    #[serde(flatten)]
    pub items: BTreeMap<String, BTreeMap<String, Entry>>,
}

pub fn read(path: &Path) -> Outcome<Meaning> {
    toml::from_str(&process::read(path)?).map_err(|e| format!("{}: {e}", path.display()))
}
