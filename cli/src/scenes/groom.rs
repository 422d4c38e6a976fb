//! Real grooms on a turning head, through the same code as `withy simulate`. `WITHY_DATA` names the folder of the data:
//! `hair/amd_ponytail` (TressFX 3, MIT) and `hair/arnold_usd` (Apache-2.0). They are not part of the project.

use crate::Result;
use crate::args::{Cli, Command, Simulate};
use crate::render::{CurveSet, Key, Material, Radii, Scene};
use crate::simulate::head::apply_f32;
use crate::simulate::{DIRECTION, Done, Pictures, simulate};
use clap::Parser;
use std::ops::Range;
use std::path::PathBuf;
use withy::ffi::rest_shape::{WITHY_STRAND_HOLDS, WITHY_STRAND_TOO_SOFT, WITHY_STRAND_UNSTABLE, WithyElasticReport};
use withy::io::TriMesh;

use super::stage::{Figure, Shot};

fn data(file: &str) -> Result<String> {
    let folder = std::env::var_os("WITHY_DATA").ok_or("set WITHY_DATA to the folder of the grooms (docs/scenes.md)")?;
    let path = PathBuf::from(folder).join(file);
    if !path.exists() {
        return Err(format!("{} is not there", path.display()).into());
    }
    Ok(path.display().to_string())
}

/// Those of `withy simulate`, from its arguments.
pub fn options(arguments: &[&str]) -> Result<Box<Simulate>> {
    let words = ["withy", "simulate"].into_iter().chain(arguments.iter().copied());
    match Cli::try_parse_from(words)?.command {
        Command::Simulate(options) => Ok(options),
        _ => Err("not a simulation".into()),
    }
}

/// How a groom is drawn.
#[derive(Clone, Copy, Default)]
struct Drawn {
    direction: [f32; 3],
    /// The mesh is cut off so far below the lowest hair, m.
    below: Option<f32>,
}

/// Adds a row of pictures of one groom; `name` goes before the times. Returns the simulation and its frames a second.
fn row(figure: &mut Figure, name: &str, drawn: Drawn, arguments: &[&str], shots: &[u32]) -> Result<(Done, f64)> {
    let options = options(arguments)?;
    let mut done = simulate(&options, &|frame| shots.contains(&frame))?;
    if let (Some(below), Some(mesh)) = (drawn.below, &mut done.head.mesh) {
        let lowest = done.groom.points.iter().fold(f32::MAX, |low, p| low.min(p[1]));
        *mesh = above(mesh, lowest - below);
    }
    figure.size = options.size;
    let guides = done.groom.counts.len();
    figure.subtitle = match done.hair_counts.len() {
        0 => format!("{guides} strands, {} vertices", done.groom.points.len()),
        all => format!("{guides} guides simulated, {} hairs interpolated between them", all - guides),
    };
    for (scene, shot) in scenes(&done, figure.size).into_iter().zip(&done.shots) {
        figure.shot(format!("{name}{:.2} s", f64::from(shot.frame) / options.fps), scene);
    }
    Ok((done, options.fps))
}

/// Every frame that was kept.
fn scenes(done: &Done, size: (u32, u32)) -> Vec<Scene> {
    let pictures = Pictures { counts: &done.groom.counts, hair_counts: &done.hair_counts, head: &done.head, size };
    let radius = Pictures::drawn_radius(&done.shots[0].points, done.groom.counts.len().max(done.hair_counts.len()));
    done.shots.iter().map(|shot| pictures.scene(shot, radius)).collect()
}

/// The start pose, behind what became of it.
const START: [f32; 3] = [0.40, 0.74, 1.0];

/// As what it is drawn: thinner, so that it does not shine through where both are the same.
fn behind(start: &CurveSet) -> CurveSet {
    let radii = match start.radii {
        Radii::Tapered { root, tip } => Radii::Tapered { root: 0.4 * root, tip: 0.4 * tip },
        ref other => other.clone(),
    };
    CurveSet { material: Material::matte(START), radii, ..start.clone() }
}

/// From where it was to far away.
const WAY: [[f32; 3]; 8] = [
    [0.30, 0.45, 0.70],
    [0.50, 0.69, 0.83],
    [0.77, 0.88, 0.90],
    [0.99, 0.93, 0.68],
    [0.99, 0.78, 0.46],
    [0.96, 0.55, 0.32],
    [0.85, 0.28, 0.19],
    [0.60, 0.05, 0.13],
];

/// Strands in the colours of their guides' ways; `guides` is empty where the guides are drawn.
fn colored(mut scene: Scene, guides: &[u32], ways: &[f64], key: &Key) -> Scene {
    let set = scene.curves.remove(0);
    let part = |color: &[f32; 3]| CurveSet {
        points: Vec::new(),
        counts: Vec::new(),
        radii: set.radii.clone(),
        material: Material { specular: 0.15, variation: 0.1, ..Material::hair(*color) },
        ..set.clone()
    };
    let mut parts: Vec<CurveSet> = key.colors.iter().map(part).collect();
    let mut first = 0;
    for (curve, &count) in set.counts.iter().enumerate() {
        let to = &mut parts[key.share(100.0 * ways[guides.get(curve).map_or(curve, |g| *g as usize)])];
        to.points.extend(&set.points[first..first + count as usize]);
        to.counts.push(count);
        first += count as usize;
    }
    scene.curves.extend(parts);
    scene
}

fn figure(title: &'static str, direction: [f32; 3], arguments: &[&str], shots: &[u32]) -> Result<Figure> {
    let mut figure = Figure { title, columns: shots.len() as u32, direction, ..Figure::default() };
    let (done, _) = row(&mut figure, "", Drawn::default(), arguments, shots)?;
    figure.numbers = vec![done.summary];
    Ok(figure)
}

/// The largest way of a vertex of each strand from where it started on the head, over the strand's length.
pub fn drifts(done: &Done, frame: u32) -> Vec<f64> {
    let shot = |f: u32| done.shots.iter().find(|s| s.frame == f).expect("asked for");
    let (first, last) = (shot(0), shot(frame));
    let of = |range: Range<usize>| {
        let points = &first.points[range.clone()];
        let length: f32 = points.windows(2).map(|p| distance(p[0], p[1])).sum();
        let way = |(a, b): (&[f32; 3], &[f32; 3])| distance(apply_f32(last.head, *a), *b);
        f64::from(points.iter().zip(&last.points[range]).map(way).fold(0.0, f32::max) / length)
    };
    done.groom.ranges().map(of).collect()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt()
}

/// Does the report promise that the pose stays?
pub fn holds(r: &WithyElasticReport) -> bool {
    r.answer == WITHY_STRAND_HOLDS
}

/// What the reports say.
fn verdict(reports: &[WithyElasticReport]) -> String {
    let count = |is: &dyn Fn(&WithyElasticReport) -> bool| reports.iter().filter(|r| is(r)).count();
    let stiffest = reports.iter().filter(|r| holds(r)).fold(1.0, |k: f64, r| k.max(r.stiffest));
    let stiffer = count(&|r| holds(r) && r.stiffened > 0);
    format!(
        "{} of {} strands hold{}, {} are unstable, {} too soft",
        count(&holds),
        reports.len(),
        if stiffer > 0 { format!(" ({stiffer} of them up to {stiffest:.3} times as stiff)") } else { String::new() },
        count(&|r| r.answer == WITHY_STRAND_UNSTABLE),
        count(&|r| r.answer == WITHY_STRAND_TOO_SOFT)
    )
}

fn spread(mut drifts: Vec<f64>) -> String {
    if drifts.is_empty() {
        return "none".into();
    }
    drifts.sort_by(f64::total_cmp);
    let n = drifts.len();
    let mean = drifts.iter().sum::<f64>() / n as f64;
    format!("mean {mean:.1e}, median {:.1e}, worst {:.1e}", drifts[n / 2], drifts[n - 1])
}

/// How far the strands are from their pose, and those apart of which the report promised that they hold.
fn ways(done: &Done, frame: u32) -> String {
    let drifts = drifts(done, frame);
    if done.reports.is_empty() {
        return spread(drifts);
    }
    let of = |promised: bool| -> Vec<f64> {
        done.reports.iter().zip(&drifts).filter(|(r, _)| holds(r) == promised).map(|(_, d)| *d).collect()
    };
    let (held, others) = (of(true), of(false));
    if others.is_empty() { spread(held) } else { format!("those that hold: {}; the others: {}", spread(held), spread(others)) }
}

/// The part of a mesh above a height.
fn above(mesh: &TriMesh, height: f32) -> TriMesh {
    let mut out = TriMesh { points: Vec::new(), triangles: Vec::new() };
    let mut kept = vec![None; mesh.points.len()];
    for t in &mesh.triangles {
        if t.iter().all(|&v| mesh.points[v as usize][1] > height) {
            out.triangles.push(t.map(|v| {
                *kept[v as usize].get_or_insert_with(|| {
                    out.points.push(mesh.points[v as usize]);
                    out.points.len() as u32 - 1
                })
            }));
        }
    }
    out
}

/// The same groom naive and with optimized rest shapes, a row each: the frames of `shots`, the last of them over the start pose, and once
/// more with each strand in the colour of its way, up to `most` % of its length.
fn before_and_after(title: &'static str, drawn: Drawn, most: f64, arguments: &[&str], shots: &[u32]) -> Result<Figure> {
    let key = Key { colors: WAY.to_vec(), most, unit: " %" };
    let columns = shots.len() as u32 + 1;
    let mut figure = Figure { title, columns, direction: drawn.direction, ..Figure::default() };
    for (name, more) in [("naive", &[][..]), ("optimized", &["--sag-free"])] {
        let (done, fps) = row(&mut figure, &format!("{name}, "), drawn, &[arguments, more].concat(), shots)?;
        let scenes = scenes(&done, figure.size);
        let (start, end) = (&scenes[0], scenes[scenes.len() - 1].clone());
        let last = *shots.last().expect("some");
        let drifts = drifts(&done, last);
        let caption = format!("{name}, way over length");
        if let Some(shot) = figure.shots.last_mut() {
            shot.caption += "; blue: at start";
            shot.under = start.curves.first().map(behind);
        }
        let scene = colored(end, &done.hair_guides, &drifts, &key);
        figure.shots.push(Shot { caption, scene, key: Some(key.clone()), ..Shot::default() });
        if !done.reports.is_empty() {
            figure.numbers.push(verdict(&done.reports));
        }
        figure.numbers.push(format!("{name}, after {} s, way over length: {}", f64::from(last) / fps, ways(&done, last)));
        figure.numbers.push(done.summary);
    }
    Ok(figure)
}

/// Young's modulus, Pa, radius, m, and density of the paper's figures 11 and 12 and of a lock of thirty hairs.
const MATERIALS: [(&str, [&str; 3]); 3] = [
    ("paper, r = 1 mm", ["3e8", "1e-3", "1000"]),
    ("paper, r = 0.1 mm", ["3e8", "1e-4", "1000"]),
    ("thirty hairs", ["4e9", "2e-4", "1300"]),
];

/// How a groom is left alone: with the rest shape that it was made with, or that of `--sag-free` in either precision.
const KINDS: [(&str, &[&str]); 3] = [("naive", &[]), ("f32", &["--sag-free"]), ("f64", &["--sag-free", "--double"])];

/// The same with what does not hold as much stiffer as it takes.
const STIFFENED: (&str, &[&str]) = ("f32, stiffened", &["--sag-free", "--stiffen", "1000"]);

/// How far a groom is from its pose after five seconds at rest, and if so asked what the reports say of it.
fn left_alone(name: &str, arguments: &[&str], reports: bool) -> Result<String> {
    const FRAMES: u32 = 300;
    let done = simulate(&*options(&[arguments, &["--frames", "300"]].concat())?, &|frame| frame == 0 || frame == FRAMES)?;
    let what = if reports { format!("{}; ", verdict(&done.reports)) } else { String::new() };
    Ok(format!("{name}: {what}after 5 s, way over length: {}", ways(&done, FRAMES)))
}

/// That of a groom in each material. Thin strands once more, stiffened.
fn at_rest(arguments: &[&str], kinds: &[(&str, &[&str])]) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for (k, (name, [young, radius, density])) in MATERIALS.into_iter().enumerate() {
        for &(kind, sag_free) in kinds.iter().chain((k == 1).then_some(&STIFFENED)) {
            let material = ["--young", young, "--radius", radius, "--density", density];
            let all = [arguments, &material, sag_free].concat();
            words.push(left_alone(&format!("{name}, {kind}"), &all, kind.starts_with("f32"))?);
        }
    }
    Ok(words)
}

/// What the reports say of a groom as soon as it is made, for each of `cases`.
fn verdicts(arguments: &[&str], cases: &[(String, Vec<&str>)]) -> Result<Vec<String>> {
    let made = |(name, more): &(String, Vec<&str>)| {
        let done = simulate(&*options(&[arguments, more, &["--sag-free", "--frames", "1"]].concat())?, &|_| false)?;
        Ok(format!("{name}: {}", verdict(&done.reports)))
    };
    cases.iter().map(made).collect()
}

pub const SAG_START: [&str; 10] =
    [":head", "--strands", "1900", "--vertices", "60", "--no-collision", "--threads", "0", "--radius", "1e-4"];

/// The README's picture: a groom as it was modelled, and after five seconds, naive and with the rest shape found at creation.
pub fn sag_start() -> Result<Figure> {
    let arguments = [&SAG_START[..], &["--size", "420x420", "--frames", "300"]].concat();
    let mut figure = Figure { title: "Without sagging", columns: 3, direction: DIRECTION, ..Figure::default() };
    for (name, more) in [("naive", &[][..]), ("sag-free", &["--sag-free"])] {
        let (done, _) = row(&mut figure, &format!("{name}, after "), FRONT, &[&arguments[..], more].concat(), &[0, 300])?;
        figure.numbers.push(format!("{name}, after 5 s, way over length: {}", ways(&done, 300)));
        if !done.reports.is_empty() {
            figure.numbers.push(verdict(&done.reports));
        }
    }
    // Both start alike.
    figure.shots.remove(2);
    figure.shots[0].caption = "as modelled".into();
    let start = figure.shots[0].scene.curves.first().map(behind);
    for shot in &mut figure.shots[1..] {
        shot.caption += "; blue: as modelled";
        shot.under.clone_from(&start);
    }
    Ok(figure)
}

/// As the grooms of Takahashi & Batty 2025, fig. 11: discrete elastic rods of 100 vertices without collisions.
pub const AS_PAPER: [&str; 7] = ["--vertices", "100", "--model", "der", "--no-collision", "--threads", "0"];

pub const SAG_GROOM: [&str; 7] = [":head", "--strands", "1900", "--radius", "1e-4", "--motion", "turn"];

/// Takahashi & Batty 2025, fig. 11: a whole groom, turned and stopped; and the optimized one left alone for ten seconds, in both
/// precisions.
pub fn sag_free() -> Result<Figure> {
    let common = [&[":head", "--strands", "1900", "--size", "330x330", "--radius", "1e-4"], &AS_PAPER[..]].concat();
    let turned = [&SAG_GROOM[..], &AS_PAPER, &["--size", "330x330", "--frames", "480"]].concat();
    let mut figure = before_and_after("Before and after", FRONT, 25.0, &turned, &[0, 66, 480])?;
    for (name, more) in [("f32", &[][..]), ("f64", &["--double"])] {
        let still = options(&[&common[..], &["--frames", "600", "--sag-free"], more].concat())?;
        let done = simulate(&still, &|frame| frame == 0 || frame == 600)?;
        figure.numbers.push(format!("left alone for 10 s, {name}, way over length: {}", ways(&done, 600)));
    }
    Ok(figure)
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

fn sintel() -> Result<Vec<String>> {
    let groom = data("hair/sintel/GEO-sintel_hair_emit.001-sintel_hair.tfx")?;
    Ok(words([&groom, "--unit", "0.01", "--head", &data("hair/sintel/sintel.obj")?]))
}

/// For `withy view`.
pub fn sintel_arguments() -> Result<Vec<String>> {
    Ok([sintel()?, words(AS_PAPER), words(["--radius", "6e-5", "--motion", "turn"])].concat())
}

fn ponytail_files() -> Result<Vec<String>> {
    let groom = data("hair/amd_ponytail/ponytail.tfxproj")?;
    Ok(words([&groom, "--unit", "0.00254", "--head", &data("hair/amd_ponytail/ruby_head.converted.obj")?]))
}

/// For `withy view`.
pub fn ponytail_arguments() -> Result<Vec<String>> {
    Ok([ponytail_files()?, words(["--motion", "turn", "--threads", "0", "--radius", "1.2e-3"])].concat())
}

/// For `withy view`.
pub fn wavy_arguments() -> Result<Vec<String>> {
    let groom = data("hair/arnold_usd/test_0239_wavy_lock.usda")?;
    Ok(words([&groom, "--motion", "nod", "--threads", "0", "--vertices", "32"]))
}

/// Sintel's hair (Durian Open Movie, Blender Foundation, CC-BY 3.0), turned and stopped, and at rest in other materials.
pub fn sag_free_sintel() -> Result<Figure> {
    let sintel = sintel()?;
    let sintel: Vec<&str> = sintel.iter().map(String::as_str).collect();
    let common = [&sintel[..], &["--size", "330x390"], &AS_PAPER].concat();
    let hair = ["--radius", "6e-5", "--render-hairs", "80"];
    let turned = [&common[..], &hair, &["--motion", "turn", "--frames", "480"]].concat();
    let mut figure = before_and_after("Sintel", SINTEL, 25.0, &turned, &[0, 66, 480])?;
    figure.subtitle += "; hair: Blender Foundation, durian.blender.org, CC-BY 3.0";
    figure.numbers.extend(at_rest(&common, &KINDS)?);
    Ok(figure)
}

const FRONT: Drawn = Drawn { direction: DIRECTION, below: None };
/// Guides of a game: each stands for a lock.
const SINTEL: Drawn = Drawn { direction: [0.55, -0.1, -1.0], below: Some(0.03) };
const PONYTAIL: Drawn = Drawn { direction: [0.9, -0.14, 0.75], below: None };

/// The wavy lock of arnold-usd (Apache-2.0), 1.2 m long and held out sideways: with a radius of 1 mm strands hold it from E = 6e9 Pa on,
/// at 3e9 none does; stiffened all do at the paper's 3e8.
pub fn sag_free_lock() -> Result<Figure> {
    let groom = data("hair/arnold_usd/test_0239_wavy_lock.usda")?;
    let material = ["--young", "2e10", "--radius", "1e-3", "--density", "1000"];
    let turned =
        [&[&groom[..], "--size", "360x280", "--motion", "nod", "--frames", "600"], &AS_PAPER[..], &material[..]].concat();
    let mut figure = before_and_after("Wavy lock", FRONT, 40.0, &turned, &[0, 66, 600])?;
    figure.subtitle += "; E = 2e10 Pa, r = 1 mm: from 6e9 on all hold, at 3e9 none";
    let common = [&[&groom[..]], &AS_PAPER[..]].concat();
    let material = |young, radius, density| vec!["--young", young, "--radius", radius, "--density", density];
    let paper = MATERIALS.map(|(name, [young, radius, density])| (name.to_string(), material(young, radius, density)));
    let stiffer = ["3e9", "4e9", "5e9", "6e9", "2e10"];
    let stiffer = stiffer.map(|young| (format!("r = 1 mm, E = {young} Pa"), material(young, "1e-3", "1000")));
    figure.numbers.extend(verdicts(&common, &[paper.to_vec(), stiffer.to_vec()].concat())?);
    let (name, material) = &paper[0];
    let (kind, sag_free) = STIFFENED;
    figure.numbers.push(left_alone(&format!("{name}, {kind}"), &[&common[..], material, sag_free].concat(), true)?);
    Ok(figure)
}

/// A real groom left alone for five seconds, as ghost-point rods; each strand as stiff as one hair of keratin.
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
        "400x480",
        "--solver",
        "direct",
        "--no-collision",
        "--vertices",
        "32",
        "--radius",
        "3.5e-5",
    ];
    let mut figure = before_and_after("Ponytail at rest", PONYTAIL, 25.0, &arguments, &[0, 300])?;
    // As the paper's grooms, discrete elastic rods of 100 vertices.
    let common = [&[&groom[..], "--unit", "0.00254"], &AS_PAPER[..]].concat();
    figure.numbers.extend(at_rest(&common, &KINDS[..2])?);
    Ok(figure)
}

pub const DEMO: [&str; 7] = [":head", "--strands", "2400", "--motion", "turn", "--threads", "0"];

/// Our own groom, as in `cargo xtask demo`.
pub fn demo() -> Result<Figure> {
    let arguments = [&DEMO[..], &["--frames", "120", "--size", "290x290"]].concat();
    figure("Curly, wavy, straight", DIRECTION, &arguments, &[0, 60, 90, 120])
}

pub fn ponytail() -> Result<Figure> {
    let arguments = ponytail_arguments()?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let arguments = [&arguments[..], &["--frames", "120", "--size", "210x255"]].concat();
    figure("Ponytail", [0.9, -0.14, 0.75], &arguments, &[0, 30, 70, 82])
}

pub fn wavy() -> Result<Figure> {
    let arguments = wavy_arguments()?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let arguments = [&arguments[..], &["--frames", "120", "--size", "250x300"]].concat();
    figure("Wavy lock", DIRECTION, &arguments, &[0, 40, 70, 120])
}
