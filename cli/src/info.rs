//! `withy info`: what a file holds, in its own unit, and what is wrong with it.

use crate::Result;
use crate::simulate::groom::{self, Source};
use std::path::Path;
use withy::io::{GroomReport, UpAxis};

/// Findings shown before the rest is only counted.
const SHOWN: usize = 10;

pub fn run(file: &str) -> Result<()> {
    if Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")) {
        let mesh = withy::io::read_mesh(file)?;
        println!("{file}: mesh, {} vertices, {} triangles", mesh.points.len(), mesh.triangles.len());
        return Ok(());
    }
    let source = groom::read(file, &groom::ReadAs { strands: 2000, vertices: None })?;
    let report = source.groom.validate();
    print!("{}", describe(file, &source, &report));
    Ok(())
}

fn describe(file: &str, source: &Source, r: &GroomReport) -> String {
    let g = &source.groom;
    let guess = || format!("unit not stated, perhaps {} m", g.guessed_unit());
    let unit = g.meters_per_unit.map_or_else(guess, |m| format!("{m} m per unit"));
    let up = if g.up_axis == UpAxis::Y { "Y" } else { "Z" };
    let (few, many) = (g.counts.iter().min().unwrap_or(&0), g.counts.iter().max().unwrap_or(&0));
    let [low, high] = r.bounds;
    let mut text =
        format!("{file}: groom, {} strands, {} vertices ({few} to {many} a strand), {unit}, {up} up\n", r.strands, r.vertices);
    text += &format!("  bounds     {low:?} to {high:?}\n");
    text += &format!("  strands    {} to {}, median {} long\n", r.shortest_strand, r.longest_strand, r.median_strand);
    text += &format!("  segments   shortest {}\n", r.shortest_segment);
    text += &match g.widths.as_slice() {
        [] => "  widths     none\n".to_string(),
        [one] => format!("  widths     {one}\n"),
        all => {
            let (a, b) = all.iter().fold((f32::MAX, f32::MIN), |(a, b), &w| (a.min(w), b.max(w)));
            format!("  widths     {a} to {b}\n")
        }
    };
    if !g.closed.is_empty() {
        text += &format!("  closed     {} strands\n", g.closed.len());
    }
    if !g.held_tips.is_empty() {
        text += &format!("  held tips  {} strands\n", g.held_tips.len());
    }
    if !source.spheres.is_empty() {
        text += &format!("  colliders  {} spheres\n", source.spheres.len());
    }
    text += &format!("  degenerate {} strands\n", r.degenerate_strands().len());
    for issue in r.issues.iter().take(SHOWN) {
        text += &format!("    {issue}\n");
    }
    if r.issues.len() > SHOWN {
        text += &format!("    and {} more\n", r.issues.len() - SHOWN);
    }
    text
}
