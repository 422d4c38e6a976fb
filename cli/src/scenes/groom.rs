//! Real grooms on a turning head, through the same code as `withy simulate`. `WITHY_DATA` names the folder of the data:
//! `hair/amd_ponytail` (TressFX 3, MIT) and `hair/arnold_usd` (Apache-2.0). They are not part of the project.

use crate::Result;
use crate::args::{Cli, Command, Simulate};
use crate::simulate::{DIRECTION, Pictures, simulate};
use clap::Parser;
use std::path::PathBuf;

use super::stage::Figure;

fn data(file: &str) -> Result<String> {
    let folder = std::env::var_os("WITHY_DATA").ok_or("set WITHY_DATA to the folder of the grooms (docs/scenes.md)")?;
    let path = PathBuf::from(folder).join(file);
    if !path.exists() {
        return Err(format!("{} is not there", path.display()).into());
    }
    Ok(path.display().to_string())
}

fn options(arguments: &[&str]) -> Result<Box<Simulate>> {
    let words = ["withy", "simulate"].into_iter().chain(arguments.iter().copied());
    match Cli::try_parse_from(words)?.command {
        Command::Simulate(options) => Ok(options),
        _ => Err("not a simulation".into()),
    }
}

fn figure(title: &'static str, direction: [f32; 3], arguments: &[&str], shots: &[u32]) -> Result<Figure> {
    let options = options(arguments)?;
    let done = simulate(&options, &|frame| shots.contains(&frame))?;
    let pictures = Pictures { counts: &done.groom.counts, head: &done.head, size: options.size };
    let radius = Pictures::drawn_radius(&done.shots[0].points, done.groom.counts.len());
    let mut figure = Figure {
        title,
        subtitle: format!("{} strands, {} vertices", done.groom.counts.len(), done.groom.points.len()),
        size: options.size,
        columns: shots.len() as u32,
        direction,
        ..Figure::default()
    };
    for shot in &done.shots {
        figure.shot(format!("{:.2} s", f64::from(shot.frame) / options.fps), pictures.scene(shot, radius));
    }
    figure.numbers = vec![done.summary];
    Ok(figure)
}

/// Our own groom, as in `cargo xtask demo`.
pub fn demo() -> Result<Figure> {
    let arguments = [":head", "--strands", "2400", "--motion", "turn", "--frames", "120", "--threads", "0", "--size", "290x290"];
    let mut figure = figure("withy", DIRECTION, &arguments, &[0, 60, 90, 120])?;
    figure.title = "Curly, wavy, straight";
    Ok(figure)
}

pub fn ponytail() -> Result<Figure> {
    let groom = data("hair/amd_ponytail/ponytail.tfxproj")?;
    let head = data("hair/amd_ponytail/ruby_head.converted.obj")?;
    let arguments = [
        &groom,
        "--unit",
        "0.00254",
        "--head",
        &head,
        "--motion",
        "turn",
        "--frames",
        "120",
        "--threads",
        "0",
        "--size",
        "210x255",
        "--radius",
        "1.2e-3",
    ];
    figure("Ponytail", [0.9, -0.14, 0.75], &arguments, &[0, 30, 70, 82])
}

pub fn wavy() -> Result<Figure> {
    let groom = data("hair/arnold_usd/test_0239_wavy_lock.usda")?;
    let arguments = [&groom, "--motion", "nod", "--frames", "120", "--threads", "0", "--size", "250x300", "--vertices", "32"];
    figure("Wavy lock", DIRECTION, &arguments, &[0, 40, 70, 120])
}
