//! The prims of a `.usda` layer: a flat list in file order that keeps the BasisCurves and their ancestors, with the
//! attributes that a groom needs as places in the text.
//!
//! What composes several layers or opinions (references, payloads, sublayers, variants, inherits) is stepped over and
//! noted, so that an empty result can say why.

use super::lex::{Lexer, MAX_DEPTH, Span, Token, shown};
use crate::error::IoError;
use crate::notes::Notes;

pub(super) struct Layer<'a> {
    pub lexer: Lexer<'a>,
    pub meters_per_unit: Option<Span>,
    pub up_axis: Option<Span>,
    pub prims: Vec<Prim<'a>>,
    /// The first keyword of composition that was stepped over.
    pub composes: Option<&'static str>,
    pub notes: Notes,
}

pub(super) struct Prim<'a> {
    pub name: &'a str,
    pub parent: Option<usize>,
    pub is_curves: bool,
    /// False for `over`, `class` and `active = false`: what they hold is not on the stage.
    pub is_present: bool,
    pub attributes: Vec<Attribute<'a>>,
}

pub(super) struct Attribute<'a> {
    pub name: &'a str,
    pub value: Option<Span>,
    pub samples: Option<Span>,
    pub interpolation: Option<&'a str>,
}

impl Prim<'_> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'_>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The error with the prim's name before its field.
    pub fn blame(&self, mut error: IoError) -> IoError {
        let name: String = self.name.chars().take(40).collect();
        error.field = format!("\"{name}\" {}", error.field);
        error
    }
}

const WANTED: [&str; 10] = [
    "points",
    "curveVertexCounts",
    "widths",
    "primvars:widths",
    "primvars:widths:indices",
    "type",
    "basis",
    "wrap",
    "purpose",
    "visibility",
];
/// Other schemas of curves.
const OTHER_CURVES: [&str; 2] = ["NurbsCurves", "HermiteCurves"];
const COMPOSITION: [&str; 7] = ["subLayers", "references", "payload", "variantSets", "inherits", "specializes", "variantSet"];

pub(super) fn parse(text: &str) -> Result<Layer<'_>, IoError> {
    let lexer = Lexer::new(text);
    if !text.starts_with("#usda ") {
        return Err(lexer.error("first line", "is not \"#usda 1.0\""));
    }
    let mut parser =
        Parser { lexer, open: Vec::new(), has_curves: Vec::new(), prims: Vec::new(), composes: None, notes: Notes::default() };
    let (mut meters_per_unit, mut up_axis) = (None, None);
    if parser.lexer.peek()? == Token::Mark(b'(') {
        let composes = parser.metadata("layer metadata", |key, value| match key {
            "metersPerUnit" => meters_per_unit = Some(value),
            "upAxis" => up_axis = Some(value),
            _ => {}
        })?;
        if let Some(key) = composes {
            parser.notes.add(format!("what \"{key}\" brings (usdcat --flatten resolves it)"));
        }
    }
    parser.body()?;
    Ok(Layer {
        lexer: parser.lexer,
        meters_per_unit,
        up_axis,
        prims: parser.prims,
        composes: parser.composes,
        notes: parser.notes,
    })
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The prims whose braces are open, outermost first.
    open: Vec<usize>,
    /// For each of those: is there a BasisCurves at or below it? Prims without are forgotten as they close.
    has_curves: Vec<bool>,
    prims: Vec<Prim<'a>>,
    composes: Option<&'static str>,
    notes: Notes,
}

impl<'a> Parser<'a> {
    fn body(&mut self) -> Result<(), IoError> {
        loop {
            let at = self.lexer.at;
            match self.lexer.next()? {
                Token::End => {
                    let Some(&prim) = self.open.last() else { return Ok(()) };
                    return Err(self.lexer.error(format!("prim \"{}\"", self.prims[prim].name), "is not closed"));
                }
                Token::Mark(b';') => {}
                Token::Mark(b'}') if !self.open.is_empty() => self.close(),
                Token::Word(specifier @ ("def" | "over" | "class")) => self.prim(specifier == "def")?,
                Token::Word("reorder") => {
                    self.lexer.next()?;
                    self.lexer.expect(b'=', "reorder")?;
                    self.lexer.skip_value("reorder")?;
                }
                Token::Word("variantSet") if !self.open.is_empty() => {
                    self.composes.get_or_insert("variantSet");
                    let name = self.open.last().map_or("", |&prim| self.prims[prim].name);
                    self.notes.add(format!("what \"variantSet\" brings to prim \"{name}\" (usdcat --flatten resolves it)"));
                    self.lexer.next()?;
                    self.lexer.expect(b'=', "variantSet")?;
                    self.lexer.skip_value("variantSet")?;
                }
                Token::Word(word) if !self.open.is_empty() => self.property(word, at)?,
                found => {
                    let reason = format!("expects a prim or property, {} stands there", shown(found));
                    return Err(self.lexer.error_at(at, "layer", &reason));
                }
            }
        }
    }

    fn close(&mut self) {
        let (Some(prim), Some(has_curves)) = (self.open.pop(), self.has_curves.pop()) else {
            return;
        };
        if !has_curves {
            self.prims.truncate(prim);
        } else if let Some(parent) = self.has_curves.last_mut() {
            *parent = true;
        }
    }

    /// After `def`, `over` or `class`: `[Type] "name" [(metadata)] {`.
    fn prim(&mut self, is_def: bool) -> Result<(), IoError> {
        let at = self.lexer.at;
        let mut token = self.lexer.next()?;
        let mut type_name = "";
        if let Token::Word(word) = token {
            type_name = word;
            token = self.lexer.next()?;
        }
        let Token::String(name) = token else {
            return Err(self.lexer.error_at(at, "prim", &format!("has no name, {} stands there", shown(token))));
        };
        let mut is_present = is_def;
        if self.lexer.peek()? == Token::Mark(b'(') {
            let text = self.lexer.text;
            let composes = self.metadata("prim metadata", |key, value| {
                if key == "active" && matches!(&text[value.start..value.end], "false" | "0") {
                    is_present = false;
                }
            })?;
            if let Some(key) = composes {
                self.notes.add(format!("what \"{key}\" brings to prim \"{name}\" (usdcat --flatten resolves it)"));
            }
        }
        self.lexer.expect(b'{', "prim")?;
        if self.open.len() >= MAX_DEPTH {
            return Err(self.lexer.error_at(at, "prim", &format!("nests deeper than {MAX_DEPTH}")));
        }
        let is_curves = type_name == "BasisCurves";
        if OTHER_CURVES.contains(&type_name) {
            self.notes.add(format!("prim \"{name}\": {type_name} are not read, BasisCurves are"));
        }
        let parent = self.open.last().copied();
        self.open.push(self.prims.len());
        self.has_curves.push(is_curves);
        self.prims.push(Prim { name, parent, is_curves, is_present, attributes: Vec::new() });
        Ok(())
    }

    /// A parenthesis of `key = value` entries, bare strings (comments) and list edits. Returns the last keyword of composition among them.
    fn metadata(&mut self, field: &str, mut take: impl FnMut(&'a str, Span)) -> Result<Option<&'static str>, IoError> {
        let mut composes = None;
        self.lexer.expect(b'(', field)?;
        let mut key = "";
        loop {
            let at = self.lexer.at;
            match self.lexer.next()? {
                Token::Mark(b')') => return Ok(composes),
                Token::Mark(b';' | b',') | Token::String(_) => {}
                // The last word before `=` is the key; `prepend` and a type may stand before it.
                Token::Word(word) => key = word,
                Token::Mark(b'=') => {
                    if let Some(composition) = COMPOSITION.iter().find(|&&name| name == key) {
                        self.composes.get_or_insert(composition);
                        composes = Some(*composition);
                    }
                    let value = self.lexer.skip_value(key)?;
                    // A payload or sublayer may carry a layer offset: `@a.usda@ (offset = 1)`.
                    if self.lexer.peek()? == Token::Mark(b'(') {
                        self.lexer.skip_value(key)?;
                    }
                    take(key, value);
                }
                found => {
                    let reason = format!("expects \"key = value\" or ')', {} stands there", shown(found));
                    return Err(self.lexer.error_at(at, field, &reason));
                }
            }
        }
    }

    /// `[custom] [uniform] [prepend] type[[]] name[.timeSamples] [= value] [(metadata)]`, whose first word has been read.
    fn property(&mut self, first: &'a str, at: usize) -> Result<(), IoError> {
        const MODIFIERS: [&str; 9] = ["custom", "uniform", "varying", "config", "add", "delete", "append", "prepend", "reorder"];
        let mut word = first;
        while MODIFIERS.contains(&word) {
            word = self.word(at)?;
        }
        // `word` is now the type, or `rel`.
        if self.lexer.peek()? == Token::Mark(b'[') {
            self.lexer.next()?;
            self.lexer.expect(b']', word)?;
        }
        let full_name = self.word(at)?;
        let (name, suffix) = full_name.split_once('.').unwrap_or((full_name, ""));
        let mut value = None;
        if self.lexer.peek()? == Token::Mark(b'=') {
            self.lexer.next()?;
            value = Some(self.lexer.skip_value(full_name)?);
        }
        let mut interpolation = None;
        if self.lexer.peek()? == Token::Mark(b'(') {
            let lexer = self.lexer;
            self.metadata(full_name, |key, value| {
                if let ("interpolation", Ok(Token::String(token))) = (key, lexer.within(value).next()) {
                    interpolation = Some(token);
                }
            })?;
        }
        let is_wanted = WANTED.contains(&name) || name == "xformOpOrder" || name.starts_with("xformOp:");
        let Some(prim) = self.open.last().and_then(|&prim| self.prims.get_mut(prim)).filter(|_| is_wanted) else {
            return Ok(());
        };
        let index = match prim.attributes.iter().position(|attribute| attribute.name == name) {
            Some(index) => index,
            None => {
                // Lookups are linear, so that a hostile list of names would cost its square.
                if prim.attributes.len() >= MAX_DEPTH {
                    return Err(self.lexer.error_at(at, name, "is one transform of a prim too many, the limit is 256"));
                }
                prim.attributes.push(Attribute { name, value: None, samples: None, interpolation: None });
                prim.attributes.len() - 1
            }
        };
        let attribute = &mut prim.attributes[index];
        attribute.interpolation = interpolation.or(attribute.interpolation);
        match suffix {
            "" | "default" => attribute.value = value.or(attribute.value),
            "timeSamples" => attribute.samples = value.or(attribute.samples),
            _ => {}
        }
        Ok(())
    }

    fn word(&mut self, at: usize) -> Result<&'a str, IoError> {
        match self.lexer.next()? {
            Token::Word(word) => Ok(word),
            found => Err(self.lexer.error_at(at, "property", &format!("has no name, {} stands there", shown(found)))),
        }
    }
}
