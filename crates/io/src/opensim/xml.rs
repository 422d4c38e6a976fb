//! What elements of OpenSim's files hold, with errors that name element and line.

use crate::error::IoError;
use roxmltree::{Document, Node, ParsingOptions};
use withy_math::approx::sin_cos;
use withy_math::vec3::vec3;
use withy_math::{Quat, Transform, Vec3};

/// The deepest element that is read: models have about 20 levels.
const DEEPEST: usize = 200;

/// A file nests deeper than that: the parser would run out of its stack.
fn too_deep(text: &str) -> bool {
    let (mut depth, mut rest) = (0usize, text);
    while let Some(at) = rest.find(['<', '/']) {
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            let Some(end) = rest.find("-->") else { return false };
            rest = &rest[end..];
        } else if rest.starts_with("</") || rest.starts_with("/>") {
            depth = depth.saturating_sub(1);
            rest = &rest[1..];
        } else if rest.starts_with('<') && !rest.starts_with("<?") && !rest.starts_with("<!") {
            depth += 1;
        }
        if depth > DEEPEST {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

pub fn parse(text: &str) -> Result<Document<'_>, IoError> {
    if too_deep(text) {
        return Err(IoError::new("opensim", "contents", format!("nests elements deeper than {DEEPEST}")));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 4_000_000, ..ParsingOptions::default() };
    Document::parse_with_options(text.trim_start_matches('\u{feff}'), options).map_err(|error| {
        let at = error.pos();
        IoError::new("opensim", format!("line {}, column {}", at.row, at.col), format!("is no XML: {error}"))
    })
}

pub fn name<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or("")
}

/// Of the first element of that tag in `node`.
pub fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|c| c.has_tag_name(tag))
}

/// The elements of a set: those in its `objects`.
pub fn objects<'a, 'i>(node: Node<'a, 'i>, set: &str) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    let objects = child(node, set).and_then(|set| child(set, "objects"));
    objects.into_iter().flat_map(|o| o.children().filter(Node::is_element))
}

/// An error about an element.
pub fn wrong(node: Node<'_, '_>, reason: impl Into<String>) -> IoError {
    let (tag, name) = (node.tag_name().name(), name(node));
    let line = node.document().text_pos_at(node.range().start).row;
    let what = if name.is_empty() { format!("<{tag}>") } else { format!("<{tag} name=\"{name}\">") };
    let short: String = what.chars().take(120).collect();
    IoError::new("opensim", format!("{short} (line {line})"), reason)
}

pub fn text<'a>(node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
    child(node, tag).map(|c| c.text().unwrap_or("").trim())
}

/// All numbers of an element.
pub fn numbers(node: Node<'_, '_>) -> Result<Vec<f64>, IoError> {
    let words = node.text().unwrap_or("").split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    words
        .map(|word| match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(wrong(node, "is not a finite number").value(word.chars().take(40).collect::<String>())),
        })
        .collect()
}

/// So many numbers of the element of that tag in `node`, where there is one.
pub fn array<const N: usize>(node: Node<'_, '_>, tag: &str) -> Result<Option<[f64; N]>, IoError> {
    let Some(found) = child(node, tag) else { return Ok(None) };
    let all = numbers(found)?;
    match <[f64; N]>::try_from(all) {
        Ok(array) => Ok(Some(array)),
        Err(all) => Err(wrong(found, format!("numbers, must have {N}")).value(format!("has {}", all.len()))),
    }
}

pub fn number(node: Node<'_, '_>, tag: &str) -> Result<Option<f64>, IoError> {
    Ok(array::<1>(node, tag)?.map(|[x]| x))
}

/// A number that is from `low` to `high`.
pub fn within(node: Node<'_, '_>, tag: &str, [low, high]: [f64; 2]) -> Result<Option<f64>, IoError> {
    let Some(x) = number(node, tag)? else { return Ok(None) };
    if (low..=high).contains(&x) {
        return Ok(Some(x));
    }
    let found = child(node, tag).unwrap_or(node);
    Err(wrong(found, format!("must be {low:e} to {high:e}")).value(x))
}

pub fn vector(node: Node<'_, '_>, tag: &str) -> Result<Option<Vec3<f64>>, IoError> {
    Ok(array::<3>(node, tag)?.map(Vec3::from))
}

pub fn flag(node: Node<'_, '_>, tag: &str) -> Option<bool> {
    text(node, tag).map(|t| t.eq_ignore_ascii_case("true"))
}

/// About a unit axis.
pub fn about(axis: Vec3<f64>, angle: f64) -> Quat<f64> {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat { x: axis.x * sin, y: axis.y * sin, z: axis.z * sin, w: cos }
}

/// About x, then the new y, then the new z.
pub fn euler([x, y, z]: [f64; 3]) -> Quat<f64> {
    let (i, j, k) = (vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    about(i, x).compose(about(j, y)).compose(about(k, z))
}

/// A translation and a body-fixed x-y-z rotation, each in an element of its own; none is none.
pub fn transform(node: Node<'_, '_>, translation: &str, rotation: &str) -> Result<Transform<f64>, IoError> {
    Ok(Transform {
        position: vector(node, translation)?.unwrap_or(Vec3::zero()),
        rotation: euler(array(node, rotation)?.unwrap_or([0.0; 3])),
    })
}
