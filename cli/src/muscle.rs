//! `withy muscle`: the surface of a muscle becomes rods; a picture and a table show how well they stand for it.

use crate::Result;
use crate::args::MuscleOptions;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::stage::{Figure, Shot};
use glam::{DMat3, DVec3};
use std::path::Path;
use std::time::Instant;
use withy::io::muscle::measure::{Fit, fit};
use withy::io::muscle::{End, Muscle, MuscleDef, rods_from_mesh, to_groom};
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdMesh, UsdWriter};
use withy::io::{Groom, TriMesh, read_mesh};

const FLESH: [f32; 3] = [0.66, 0.22, 0.19];
const SKIN: [f32; 3] = [0.80, 0.66, 0.60];

pub fn run(options: &MuscleOptions) -> Result<()> {
    let mesh = read_mesh(&options.mesh)?;
    let def = MuscleDef {
        origin: end(&options.origin, options.origin_plane, options.origin_vertices.as_deref())?,
        insertion: end(&options.insertion, options.insertion_plane, options.insertion_vertices.as_deref())?,
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
    muscle.repaired.notes().into_iter().chain(unlikely(muscle.length * unit)).for_each(|note| println!("  note: {note}"));
    print!("{}", table(&muscle, &fit, seconds, unit));

    std::fs::create_dir_all(&options.out).map_err(|e| format!("{}: {e}", options.out.display()))?;
    let usd = options.out.join("rods.usda");
    write_usd(&usd, &muscle, &mesh, unit)?;
    println!("  wrote {}", usd.display());
    let figure = figure(&mesh, &muscle, &fit, unit);
    figure.save("muscle", &options.out)?.iter().for_each(|file| println!("  wrote {file}"));
    Ok(())
}

/// An end as the options tell it, in one way at most.
fn end(points: &[[f64; 3]], plane: Option<[f64; 6]>, vertices: Option<&Path>) -> Result<End> {
    if let Some([x, y, z, nx, ny, nz]) = plane {
        return Ok(End::Plane { point: [x, y, z], normal: [nx, ny, nz] });
    }
    if let Some(file) = vertices {
        return Ok(End::Vertices(painted(file)?));
    }
    Ok(if points.is_empty() { End::Found } else { End::Points(points.to_vec()) })
}

/// Numbers of vertices, with commas or white space between them.
fn painted(file: &Path) -> Result<Vec<u32>> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut vertices = Vec::new();
    for (line, words) in text.lines().enumerate() {
        for word in words.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
            let named = || format!("{}: \"{word}\" is no number of a vertex (line {})", file.display(), line + 1);
            vertices.push(word.parse().map_err(|_| named())?);
        }
    }
    Ok(vertices)
}

/// Muscles of bodies from a mouse's to an elephant's, m.
const LIKELY: [f64; 2] = [0.005, 2.0];

/// Who takes millimetres for metres is told.
fn unlikely(length: f64) -> Option<String> {
    let [least, most] = LIKELY;
    let than = if length < least { "shorter" } else { "longer" };
    let is_likely = (least..=most).contains(&length);
    (!is_likely)
        .then(|| format!("{} long, {than} than a muscle is: does --unit say what the mesh is measured in?", self::length(length)))
}

/// Metres as text, in a unit in which that is a number of some digits.
fn length(metres: f64) -> String {
    let (unit, name) = length_unit(metres);
    scaled(metres, unit, name, if unit < 1.0 { 1 } else { 2 })
}

/// Metres, and their name. Millimetres from 0.05 mm to 10 m.
fn length_unit(metres: f64) -> (f64, &'static str) {
    match metres {
        x if x >= 10.0 => (1.0, "m"),
        x if x >= 0.05e-3 => (1e-3, "mm"),
        x if x >= 0.05e-6 => (1e-6, "um"),
        _ => (1e-9, "nm"),
    }
}

fn volume(cubic_metres: f64) -> String {
    let (unit, name) = match cubic_metres {
        x if x >= 0.1 => (1.0, "m3"),
        x if x >= 0.05e-6 => (1e-6, "cm3"),
        x if x >= 0.05e-9 => (1e-9, "mm3"),
        x if x >= 0.05e-18 => (1e-18, "um3"),
        _ => (1e-27, "nm3"),
    };
    scaled(cubic_metres, unit, name, 1)
}

/// With digits behind the point, or a power of ten where that is no size for any unit.
fn scaled(value: f64, unit: f64, name: &str, digits: usize) -> String {
    let value = value / unit;
    if value == 0.0 || (0.05..1e6).contains(&value) { format!("{value:.digits$} {name}") } else { format!("{value:.2e} {name}") }
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
    let thickest = muscle.radii.iter().copied().fold(0.0, f64::max);
    let thinnest = muscle.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let (radius, name) = length_unit(thickest * unit);
    let heads = muscle.tips.each_ref().map(Vec::len);
    let rows = [
        ("rods x slices", format!("{} x {}", muscle.rods, muscle.slices)),
        ("heads", format!("{} at the origin, {} at the insertion", heads[0], heads[1])),
        ("volume", format!("{}, the rods' {:+.2} %", volume(muscle.volume * unit.powi(3)), 100.0 * fit.volume_error)),
        ("length", length(muscle.length * unit)),
        ("radii", format!("{:.2} to {:.2} {name}", thinnest * unit / radius, thickest * unit / radius)),
        ("covered", format!("{:.3} of the inside", fit.covered)),
        ("outside", format!("{:.3} of the volume", fit.outside)),
        ("tips", format!("{:.2} and {:.2} radii from a rod's end", fit.tips[0], fit.tips[1])),
        ("belly", format!("{} from surface to pills", scaled(fit.belly * unit, radius, name, 2))),
        ("time", format!("{seconds:.2} s")),
    ];
    rows.iter().map(|(name, value)| format!("  {name:<14} {value}\n")).collect()
}

fn write_usd(path: &Path, muscle: &Muscle, mesh: &TriMesh, unit: f64) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_fitting_units() {
        for (metres, text) in [
            (0.3768, "376.8 mm"),
            (0.00005, "0.1 mm"),
            (2.97e-5, "29.7 um"),
            (6.1e-8, "0.1 um"),
            (3e-10, "0.3 nm"),
            (3e-13, "3.00e-4 nm"),
            (30.0, "30.00 m"),
            (3e9, "3.00e9 m"),
            (0.0, "0.0 nm"),
        ] {
            assert_eq!(length(metres), text, "{metres}");
        }
        for (cubic, text) in
            [(3.204e-4, "320.4 cm3"), (4.57e-16, "457.0 um3"), (2e-10, "0.2 mm3"), (456.8, "456.8 m3"), (4e-31, "4.00e-4 nm3")]
        {
            assert_eq!(volume(cubic), text, "{cubic}");
        }
    }

    #[test]
    fn unlikely_sizes_are_told() {
        assert_eq!(unlikely(0.3), None);
        let words = ": does --unit say what the mesh is measured in?";
        assert_eq!(unlikely(3e-4), Some(format!("0.3 mm long, shorter than a muscle is{words}")));
        assert_eq!(unlikely(300.0), Some(format!("300.00 m long, longer than a muscle is{words}")));
    }
}
