//! A groom from a file, from several files that a `.tfxproj` names, or of our own making.

use crate::Result;
use std::path::Path;
use withy::io::generate::{StyleMix, head_groom};
use withy::io::{Groom, ReadOptions, Sampling, read_groom};

/// Vertices of a strand of our own grooms.
const OWN_VERTICES: u32 = 24;

#[derive(Clone, Copy, Debug)]
pub struct ReadAs {
    /// Strands of a groom of our own.
    pub strands: u32,
    pub vertices: Option<u32>,
}

/// A groom as its file says it, and what came with it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub groom: Groom,
    /// Centre and radius in the file's unit.
    pub spheres: Vec<([f32; 3], f32)>,
    /// Grown on the head of `withy::io::head`.
    pub on_own_head: bool,
}

pub fn read(file: &str, read_as: &ReadAs) -> Result<Source> {
    if let Some(name) = file.strip_prefix(':') {
        let mix = match name {
            "head" => StyleMix::EVEN,
            "straight" => StyleMix::STRAIGHT,
            "wavy" => StyleMix::WAVY,
            "curly" => StyleMix::CURLY,
            _ => return Err(format!("{file} is none of :head, :straight, :wavy, :curly").into()),
        };
        let groom = head_groom(read_as.strands, read_as.vertices.unwrap_or(OWN_VERTICES), mix, 13);
        return Ok(Source { groom, on_own_head: true, ..Source::default() });
    }
    let path = Path::new(file);
    let sampling = read_as.vertices.map_or(ReadOptions::default().sampling, Sampling::Vertices);
    let options = ReadOptions { sampling, allow_non_finite: true };
    let mut source = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tfxproj")) {
        project(path, &options)?
    } else {
        Source { groom: read_groom(path, &options)?, ..Source::default() }
    };
    if let Some(vertices) = read_as.vertices
        && source.groom.counts.iter().any(|&n| n != vertices)
    {
        // A strand that the solver cannot use stays what it is, so that cleaning can name it.
        source.groom = source.groom.cleaned().groom.resampled(vertices);
    }
    Ok(source)
}

/// TressFX 3: lines `name.tfx …` and `collision_sphere x y z radius`; the rest is about rendering.
fn project(path: &Path, options: &ReadOptions) -> Result<Source> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut source = Source::default();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = || format!("{} line {}", path.display(), number + 1);
        match words.as_slice() {
            [name, ..] if name.ends_with(".tfx") => {
                let part = read_groom(path.with_file_name(name), options)?;
                append(&mut source.groom, part).map_err(|e| format!("{}: {e}", at()))?;
            }
            ["collision_sphere", numbers @ ..] => {
                let values: Vec<f32> = numbers.iter().filter_map(|w| w.parse().ok()).collect();
                let &[x, y, z, radius] = values.as_slice() else {
                    return Err(format!("{}: collision_sphere needs 4 numbers", at()).into());
                };
                if !(x.is_finite() && y.is_finite() && z.is_finite() && radius > 0.0 && radius.is_finite()) {
                    return Err(format!("{}: collision_sphere {numbers:?} is no sphere", at()).into());
                }
                source.spheres.push(([x, y, z], radius));
            }
            _ => {}
        }
    }
    if source.groom.counts.is_empty() {
        return Err(format!("{}: names no .tfx file", path.display()).into());
    }
    Ok(source)
}

fn append(groom: &mut Groom, part: Groom) -> Result<()> {
    if groom.counts.is_empty() {
        *groom = part;
        return Ok(());
    }
    if groom.up_axis != part.up_axis || groom.meters_per_unit != part.meters_per_unit {
        return Err("its files differ in unit or axes".into());
    }
    // Widths of parts with different conventions do not fit into one array; the simulation has its own radius.
    groom.widths.clear();
    let strands = groom.counts.len() as u32;
    groom.closed.extend(part.closed.iter().map(|s| s + strands));
    groom.held_tips.extend(part.held_tips.iter().map(|s| s + strands));
    groom.counts.extend(&part.counts);
    groom.points.extend(&part.points);
    Ok(())
}
