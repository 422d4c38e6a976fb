//! Real grooms on a turning head, through the same code as `withy simulate`. `WITHY_DATA` names the folder of the data:
//! `hair/amd_ponytail` (TressFX 3, MIT) and `hair/arnold_usd` (Apache-2.0). They are not part of the project.

use crate::Result;
use crate::args::{Cli, Command, Simulate};
use crate::simulate::head::apply_f32;
use crate::simulate::{DIRECTION, Done, Pictures, simulate};
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

/// Adds a row of pictures of one groom, and what there is to say about it; `name` goes before the times.
fn row(figure: &mut Figure, name: &str, arguments: &[&str], shots: &[u32]) -> Result<Done> {
    let options = options(arguments)?;
    let done = simulate(&options, &|frame| shots.contains(&frame))?;
    let pictures = Pictures { counts: &done.groom.counts, head: &done.head, size: options.size };
    let radius = Pictures::drawn_radius(&done.shots[0].points, done.groom.counts.len());
    figure.size = options.size;
    figure.subtitle = format!("{} strands, {} vertices", done.groom.counts.len(), done.groom.points.len());
    for shot in &done.shots {
        figure.shot(format!("{name}{:.2} s", f64::from(shot.frame) / options.fps), pictures.scene(shot, radius));
    }
    Ok(done)
}

fn figure(title: &'static str, direction: [f32; 3], arguments: &[&str], shots: &[u32]) -> Result<Figure> {
    let mut figure = Figure { title, columns: shots.len() as u32, direction, ..Figure::default() };
    let done = row(&mut figure, "", arguments, shots)?;
    figure.numbers = vec![done.summary];
    Ok(figure)
}

/// How far each strand's tip is from where it started on the head, over the strand's length: the largest and the mean.
fn tip_drift(done: &Done, frame: u32) -> [f64; 2] {
    let shot = |f: u32| done.shots.iter().find(|s| s.frame == f).expect("asked for");
    let (first, last) = (shot(0), shot(frame));
    let (mut most, mut sum) = (0.0f64, 0.0);
    for range in done.groom.ranges() {
        let points = &first.points[range.clone()];
        let length: f32 = points.windows(2).map(|p| distance(p[0], p[1])).sum();
        let there = apply_f32(last.head, first.points[range.end - 1]);
        let drift = f64::from(distance(there, last.points[range.end - 1]) / length);
        most = most.max(drift);
        sum += drift;
    }
    [most, sum / done.groom.counts.len() as f64]
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt()
}

/// The same groom naive and with optimized rest shapes, a row each.
fn before_and_after(title: &'static str, direction: [f32; 3], arguments: &[&str], shots: &[u32]) -> Result<Figure> {
    let mut figure = Figure { title, columns: shots.len() as u32, direction, ..Figure::default() };
    for (name, more) in [("naive", &[][..]), ("optimized", &["--sag-free"])] {
        let done = row(&mut figure, &format!("{name}, "), &[arguments, more].concat(), shots)?;
        let [most, mean] = tip_drift(&done, *shots.last().expect("some"));
        figure.numbers.push(format!(
            "{name}: tips are off by {:.3} % of their strand's length at the end, at most {:.3} %",
            100.0 * mean,
            100.0 * most
        ));
        figure.numbers.push(done.summary);
    }
    Ok(figure)
}

/// Takahashi & Batty 2025, fig. 11: a whole groom, turned and stopped; and the optimized one left alone for ten seconds.
pub fn sag_free() -> Result<Figure> {
    let common = [
        ":head",
        "--strands",
        "1900",
        "--vertices",
        "100",
        "--model",
        "der",
        "--no-collision",
        "--threads",
        "0",
        "--size",
        "270x270",
    ];
    let turned = [&common[..], &["--motion", "turn", "--frames", "480"]].concat();
    let mut figure = before_and_after("Before and after", DIRECTION, &turned, &[0, 20, 66, 480])?;
    let still = options(&[&common[..], &["--frames", "600", "--sag-free"]].concat())?;
    let [most, mean] = tip_drift(&simulate(&still, &|frame| frame == 0 || frame == 600)?, 600);
    figure.numbers.push(format!("left alone for 10 s: tips drift by {mean:.1e} of their strand's length, at most {most:.1e}"));
    Ok(figure)
}

/// A real groom left alone for five seconds, as ghost-point rods.
pub fn sag_free_ponytail() -> Result<Figure> {
    let groom = data("hair/amd_ponytail/ponytail.tfxproj")?;
    let head = data("hair/amd_ponytail/ruby_head.converted.obj")?;
    let arguments = [
        &groom,
        "--unit",
        "0.00254",
        "--head",
        &head,
        "--frames",
        "300",
        "--threads",
        "0",
        "--size",
        "230x280",
        "--solver",
        "direct",
        "--no-collision",
    ];
    before_and_after("Ponytail at rest", [0.9, -0.14, 0.75], &arguments, &[0, 60, 300])
}

/// Our own groom, as in `cargo xtask demo`.
pub fn demo() -> Result<Figure> {
    let arguments = [":head", "--strands", "2400", "--motion", "turn", "--frames", "120", "--threads", "0", "--size", "290x290"];
    figure("Curly, wavy, straight", DIRECTION, &arguments, &[0, 60, 90, 120])
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
