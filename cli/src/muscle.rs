//! `withy muscle`: the surface of a muscle becomes rods; a picture and a table show how well they stand for it.

use crate::Result;
use crate::args::MuscleOptions;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::stage::{Figure, Shot};
use glam::{DMat3, DVec3};
use std::time::Instant;
use withy::io::muscle::measure::{Fit, fit};
use withy::io::muscle::{End, Muscle, MuscleDef, rods_from_mesh, to_groom};
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdMesh, UsdWriter};
use withy::io::{Groom, TriMesh, read_mesh};

const FLESH: [f32; 3] = [0.66, 0.22, 0.19];
const SKIN: [f32; 3] = [0.80, 0.66, 0.60];

pub fn run(options: &MuscleOptions) -> Result<()> {
    let mesh = read_mesh(&options.mesh)?;
    let end = |points: &[[f64; 3]]| if points.is_empty() { End::Found } else { End::Points(points.to_vec()) };
    let def = MuscleDef {
        origin: end(&options.origin),
        insertion: end(&options.insertion),
        rods: options.rods,
        slices: options.slices,
    };
    let started = Instant::now();
    let muscle = rods_from_mesh(&mesh, &def)?;
    let seconds = started.elapsed().as_secs_f64();
    let fit = fit(&mesh, &muscle)?;
    let unit = options.unit.unwrap_or_else(|| guessed_unit(&muscle));
    let taken = if options.unit.is_some() { "given" } else { "guessed by its length" };
    let (vertices, triangles) = (mesh.points.len(), mesh.triangles.len());
    println!("{}: {vertices} vertices, {triangles} triangles, {unit} m a unit ({taken})", options.mesh.display());
    muscle.repaired.notes().iter().for_each(|note| println!("  note: {note}"));
    print!("{}", table(&muscle, &fit, seconds, unit));

    std::fs::create_dir_all(&options.out).map_err(|e| format!("{}: {e}", options.out.display()))?;
    let usd = options.out.join("rods.usda");
    write_usd(&usd, &muscle, &mesh, unit)?;
    println!("  wrote {}", usd.display());
    let figure = figure(&mesh, &muscle, &fit, unit);
    figure.save("muscle", &options.out)?.iter().for_each(|file| println!("  wrote {file}"));
    Ok(())
}

/// Metres a unit: no muscle is longer than 2 m, and few are shorter than 2 cm.
fn guessed_unit(muscle: &Muscle) -> f64 {
    match muscle.length {
        length if length <= 2.0 => 1.0,
        length if length <= 60.0 => 0.01,
        _ => 0.001,
    }
}

fn table(muscle: &Muscle, fit: &Fit, seconds: f64, unit: f64) -> String {
    let millimetres = |x: f64| x * unit * 1e3;
    let thickest = muscle.radii.iter().copied().fold(0.0, f64::max);
    let thinnest = muscle.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let heads = muscle.tips.each_ref().map(Vec::len);
    let rows = [
        ("rods x slices", format!("{} x {}", muscle.rods, muscle.slices)),
        ("heads", format!("{} at the origin, {} at the insertion", heads[0], heads[1])),
        ("volume", format!("{:.1} cm3, the rods' {:+.2} %", muscle.volume * (unit * 100.0).powi(3), 100.0 * fit.volume_error)),
        ("length", format!("{:.1} mm", millimetres(muscle.length))),
        ("radii", format!("{:.2} to {:.2} mm", millimetres(thinnest), millimetres(thickest))),
        ("covered", format!("{:.3} of the inside", fit.covered)),
        ("outside", format!("{:.3} of the volume", fit.outside)),
        ("tips", format!("{:.2} and {:.2} radii from a rod's end", fit.tips[0], fit.tips[1])),
        ("belly", format!("{:.2} mm from surface to pills", millimetres(fit.belly))),
        ("time", format!("{seconds:.2} s")),
    ];
    rows.iter().map(|(name, value)| format!("  {name:<14} {value}\n")).collect()
}

fn write_usd(path: &std::path::Path, muscle: &Muscle, mesh: &TriMesh, unit: f64) -> Result<()> {
    let groom = Groom { meters_per_unit: Some(unit), ..to_groom(muscle) };
    let surface = UsdMesh { name: "Surface", mesh, is_animated: false, color: Some(SKIN) };
    let def =
        UsdCacheDef { groom: &groom, fps: 24.0, start: 1.0, has_velocities: false, is_unreal_groom: false, meshes: &[surface] };
    let mut writer = UsdWriter::begin(path, &def)?;
    writer.frame(&UsdFrame { points: &groom.points, ..UsdFrame::default() })?;
    writer.finish()?;
    Ok(())
}

/// The mesh, the rods as pills in its outline, and both from the side. The muscle hangs from its origin.
fn figure(mesh: &TriMesh, muscle: &Muscle, fit: &Fit, unit: f64) -> Figure {
    let mut figure = Figure {
        title: "Rods of a muscle",
        subtitle: format!(
            "{} rods, {} slices: covered {:.2}, outside {:.2}",
            muscle.rods, muscle.slices, fit.covered, fit.outside
        ),
        size: (300, 620),
        columns: 4,
        direction: [0.0, 0.0, -1.0],
        ..Figure::default()
    };
    let bounds =
        |pick: fn(DVec3, DVec3) -> DVec3| muscle.points.iter().map(|p| DVec3::from(*p)).reduce(pick).unwrap_or(DVec3::ZERO);
    let middle = 0.5 * (bounds(DVec3::min) + bounds(DVec3::max));
    let front = upright(mesh, muscle);
    let side = DMat3::from_rotation_y(std::f64::consts::FRAC_PI_2) * front;
    for (turn, from) in [(front, "front"), (side, "side")] {
        let placed = |p: DVec3| (turn * (p - middle) * unit).as_vec3().to_array();
        let points: Vec<[f32; 3]> = mesh.points.iter().map(|p| placed(DVec3::from(p.map(f64::from)))).collect();
        let surface = Mesh { points, triangles: mesh.triangles.clone(), material: Material::matte(SKIN), flat: false };
        let outline = Scene { meshes: vec![surface], ..Scene::default() };
        figure.shot(format!("mesh, {from}"), outline.clone());
        let rods = Scene { primitives: pills(muscle, &placed, unit), ..Scene::default() };
        figure.shots.push(Shot { caption: format!("rods, {from}"), scene: rods, outline: Some(outline), ..Shot::default() });
    }
    figure
}

/// Neighbouring rods have different shades.
fn pills(muscle: &Muscle, placed: &dyn Fn(DVec3) -> [f32; 3], unit: f64) -> Vec<Primitive> {
    let radius = |slice: usize| (muscle.radii[slice] * unit) as f32;
    let of_rod = |rod: usize| {
        let shade = 0.65 + 0.7 * ((rod * 7) % 12) as f32 / 12.0;
        let pale = 0.10 * ((rod * 5) % 7) as f32 / 7.0;
        let material = Material { specular: 0.3, ..Material::plastic(FLESH.map(|c| (c * shade + pale).min(1.0))) };
        let points: Vec<[f32; 3]> = muscle.rod(rod).iter().map(|p| placed(DVec3::from(*p))).collect();
        let pill = move |slice: usize| Primitive::Taper {
            a: points[slice],
            b: points[slice + 1],
            radii: [radius(slice), radius(slice + 1)],
            material,
        };
        (0..muscle.slices as usize - 1).map(pill).collect::<Vec<Primitive>>()
    };
    (0..muscle.rods as usize).flat_map(of_rod).collect()
}

/// Turns the line from insertion to origin up, and the mesh's broader side to the front.
fn upright(mesh: &TriMesh, muscle: &Muscle) -> DMat3 {
    let middle = |tips: &[[f64; 3]]| tips.iter().map(|p| DVec3::from(*p)).sum::<DVec3>() / tips.len() as f64;
    let up = (middle(&muscle.tips[0]) - middle(&muscle.tips[1])).normalize_or(DVec3::Y);
    let (a, b) = (up.any_orthonormal_vector(), up.cross(up.any_orthonormal_vector()));
    let points = || mesh.points.iter().map(|p| DVec3::from(p.map(f64::from)));
    let mean = points().sum::<DVec3>() / mesh.points.len() as f64;
    let moment = |u: DVec3, v: DVec3| points().map(|p| (p - mean).dot(u) * (p - mean).dot(v)).sum::<f64>();
    let angle = 0.5 * (2.0 * moment(a, b)).atan2(moment(a, a) - moment(b, b));
    let right = a * angle.cos() + b * angle.sin();
    DMat3::from_cols(right, up, right.cross(up)).transpose()
}
