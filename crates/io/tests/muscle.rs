//! Muscles from meshes: shapes whose rods are known, bad input, and a real biceps.
#![cfg(all(feature = "muscle", feature = "stl"))]

use nalgebra::{Rotation3, Vector3};
use std::f64::consts::{PI, TAU};
use std::path::PathBuf;
use withy_io::muscle::measure::{Fit, fit};
use withy_io::muscle::{End, Muscle, MuscleDef, rods_from_mesh};
use withy_io::{TriMesh, read_mesh};

type V3 = Vector3<f64>;

/// A closed tube around a line in the plane y = 0. `line` gives point and direction, `radius` the half axes of the section.
fn tube(line: impl Fn(f64) -> (V3, V3), radius: impl Fn(f64) -> [f64; 2], along: usize, around: usize) -> TriMesh {
    lopsided_tube(line, radius, 0.0, along, around)
}

fn lopsided_tube(
    line: impl Fn(f64) -> (V3, V3),
    radius: impl Fn(f64) -> [f64; 2],
    lopsided: f64,
    along: usize,
    around: usize,
) -> TriMesh {
    let mut mesh = TriMesh::default();
    let mut push = |p: V3| mesh.points.push(<[f32; 3]>::from(p.map(|x| x as f32)));
    for k in 0..=along {
        let t = k as f64 / along as f64;
        let (center, direction) = line(t);
        let side = V3::y().cross(&direction).normalize();
        let [a, b] = radius(t);
        for step in 0..around {
            let (sin, cos) = (TAU * step as f64 / around as f64).sin_cos();
            // Not symmetric: a bulge on one side and a smaller one aslant.
            let bulge = 1.0 + lopsided * (cos + 0.5 * (2.0 * cos * sin));
            push(center + (side * (a * cos) + V3::y() * (b * sin)) * bulge);
        }
    }
    push(line(0.0).0);
    push(line(1.0).0);
    let (first, last) = ((along + 1) * around, (along + 1) * around + 1);
    let at = |k: usize, step: usize| (k * around + step % around) as u32;
    for step in 0..around {
        for k in 0..along {
            let (a, b, c, d) = (at(k, step), at(k, step + 1), at(k + 1, step), at(k + 1, step + 1));
            mesh.triangles.extend([[a, b, c], [b, d, c]]);
        }
        mesh.triangles.push([first as u32, at(0, step + 1), at(0, step)]);
        mesh.triangles.push([last as u32, at(along, step), at(along, step + 1)]);
    }
    mesh
}

fn straight(t: f64) -> (V3, V3) {
    (V3::new(0.0, 0.0, 0.3 * (t - 0.5)), V3::z())
}

/// 30 cm long, 5 by 3.6 cm thick, blunt tendons of 8 mm, the belly nearer to one end.
fn spindle(along: usize, around: usize) -> TriMesh {
    lopsided_spindle(0.0, along, around)
}

fn lopsided_spindle(lopsided: f64, along: usize, around: usize) -> TriMesh {
    let section = |t: f64| {
        let r = 0.004 + 0.021 * (PI * t.powf(1.3)).sin().max(0.0).powi(2);
        [r, 0.72 * r]
    };
    lopsided_tube(straight, section, lopsided, along, around)
}

/// Three quarters of a circle of 6 cm radius.
fn bent() -> TriMesh {
    let line = |t: f64| {
        let (sin, cos) = (1.5 * PI * t).sin_cos();
        (V3::new(0.06 * cos, 0.0, 0.06 * sin), V3::new(-sin, 0.0, cos))
    };
    tube(line, |_| [0.015, 0.015], 90, 32)
}

/// A belly with two heads: three shells that overlap.
fn two_headed() -> TriMesh {
    let belly = tube(
        |t| (V3::new(0.0, 0.0, 0.16 * t - 0.16), V3::z()),
        |t| {
            let r = 0.006 + 0.016 * (PI * t).sin();
            [r, r]
        },
        40,
        32,
    );
    let head = |side: f64, long: f64| {
        let direction = V3::new(0.3 * side, 0.0, 1.0).normalize();
        tube(move |t| (V3::new(0.003 * side, 0.0, -0.03) + direction * (long * t), direction), |_| [0.006, 0.006], 40, 24)
    };
    joined(&[belly, head(1.0, 0.15), head(-1.0, 0.13)])
}

fn joined(meshes: &[TriMesh]) -> TriMesh {
    let mut all = TriMesh::default();
    for mesh in meshes {
        let first = all.points.len() as u32;
        all.points.extend(&mesh.points);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|index| index + first)));
    }
    all
}

fn moved(mesh: &TriMesh, turn: &Rotation3<f64>, by: V3) -> TriMesh {
    let place = |p: &[f32; 3]| <[f32; 3]>::from((turn * V3::from(p.map(f64::from)) + by).map(|x| x as f32));
    TriMesh { points: mesh.points.iter().map(place).collect(), triangles: mesh.triangles.clone() }
}

/// Every triangle with corners of its own.
fn soup(mesh: &TriMesh) -> TriMesh {
    let points: Vec<[f32; 3]> = mesh.triangles.iter().flatten().map(|&index| mesh.points[index as usize]).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    TriMesh { points, triangles }
}

fn rods(mesh: &TriMesh, rods: u32, slices: u32) -> (Muscle, Fit) {
    let muscle = rods_from_mesh(mesh, &MuscleDef { rods, slices, ..MuscleDef::default() }).unwrap();
    let found = fit(mesh, &muscle).unwrap();
    println!("{slices} x {rods}: {found:?}, length {:.4}, {:?}", muscle.length, muscle.repaired.notes());
    (muscle, found)
}

/// Largest distance between vertices of the same number, in radii.
fn apart(a: &Muscle, b: &Muscle) -> f64 {
    let pairs = a.points.iter().zip(&b.points).enumerate();
    pairs.map(|(k, (p, q))| (V3::from(*p) - V3::from(*q)).norm() / a.radii[k % a.slices as usize]).fold(0.0, f64::max)
}

#[test]
fn a_spindle_is_filled() {
    let mesh = spindle(80, 40);
    let (muscle, found) = rods(&mesh, 19, 20);
    assert!(found.covered > 0.88 && found.outside < 0.05, "{found:?}");
    assert!(found.tips[0] < 1.0 && found.tips[1] < 1.0, "{found:?}");
    assert!(found.volume_error.abs() < 1e-9);
    assert!((muscle.length - 0.3).abs() < 0.01, "{}", muscle.length);
    // The tips are the middles of the blunt ends.
    for tip in muscle.tips.iter().flatten() {
        assert!((tip[2].abs() - 0.15).abs() < 1e-3, "{tip:?}");
    }
    // The volume of an elliptic section, by the trapezium rule over the mesh's own rings.
    let area = |t: f64| 0.72 * PI * (0.004 + 0.021 * (PI * t.powf(1.3)).sin().max(0.0).powi(2)).powi(2);
    let rings: f64 = (0..1000).map(|k| area((k as f64 + 0.5) / 1000.0) * 0.3 / 1000.0).sum();
    assert!((muscle.volume / rings - 1.0).abs() < 0.01, "{} {rings}", muscle.volume);
    // One rod alone has the section's area.
    let (one, _) = rods(&mesh, 1, 30);
    let middle = one.radii[one.radii.len() / 2];
    let t = 0.5 + one.rod(0)[one.radii.len() / 2][2].abs().copysign(one.rod(0)[one.radii.len() / 2][2]) / 0.3;
    assert!((PI * middle * middle / area(t) - 1.0).abs() < 0.05, "{middle} {t}");
}

/// Rods follow a bend: none crosses the hole, and outer rods are longer than inner ones.
#[test]
fn a_bent_tube_has_bent_rods() {
    let mesh = bent();
    // The first and the last ring, each with the middle of its cap.
    let last = mesh.points.len() as u32 - 2;
    let ring = |first: u32, middle: u32| End::Vertices((first..first + 32).chain([middle]).collect());
    let def = MuscleDef { origin: ring(0, last), insertion: ring(last - 32, last + 1), rods: 12, slices: 32 };
    let muscle = rods_from_mesh(&mesh, &def).unwrap();
    let found = fit(&mesh, &muscle).unwrap();
    println!("{found:?}, length {}, radii {:.4?}", muscle.length, muscle.radii);
    // Round caps on the flat ends alone are 0.02 outside.
    assert!(found.covered > 0.87 && found.outside < 0.07, "{found:?}");
    assert!((muscle.length / (1.5 * PI * 0.06) - 1.0).abs() < 0.02, "{}", muscle.length);
    for rod in 0..muscle.rods as usize {
        let radius = |p: &[f64; 3]| (p[0] * p[0] + p[2] * p[2]).sqrt();
        let length: f64 = muscle.rod(rod).windows(2).map(|p| (V3::from(p[1]) - V3::from(p[0])).norm()).sum();
        let mean = muscle.rod(rod).iter().map(radius).sum::<f64>() / 32.0;
        for p in muscle.rod(rod) {
            assert!((radius(p) - mean).abs() < 0.003, "rod {rod} wanders from {mean} to {}", radius(p));
        }
        assert!((length / (1.5 * PI * mean) - 1.0).abs() < 0.02, "rod {rod}: {length} at {mean}");
    }
    // A blunt end that nobody has painted is found by its outer corner; the rods between keep their place.
    let (found_ends, fit) = rods(&mesh, 12, 32);
    assert!(fit.covered > 0.84 && fit.outside < 0.07, "{fit:?}");
    for p in (0..12).flat_map(|rod| found_ends.rod(rod)[3..29].to_vec()) {
        assert!(((p[0] * p[0] + p[2] * p[2]).sqrt() - 0.06).abs() < 0.013, "{p:?}");
    }
}

#[test]
fn each_head_gets_rods() {
    let mesh = two_headed();
    let (muscle, found) = rods(&mesh, 20, 24);
    assert_eq!(muscle.tips.each_ref().map(Vec::len), [2, 1]);
    assert!(found.tips[0] < 1.0 && found.tips[1] < 1.0, "{found:?}");
    assert!(found.covered > 0.82 && found.outside < 0.08, "{found:?}");
    let side = |rod: usize| muscle.rod(rod)[0][0] > 0.0;
    let right = (0..20).filter(|&rod| side(rod)).count();
    assert!((8..=12).contains(&right), "{right} of 20 rods go right");
    // A rod that has entered a head stays there.
    for rod in 0..20 {
        let beyond = muscle.rod(rod).iter().filter(|p| p[2] > 0.02);
        assert!(beyond.clone().count() > 3 && beyond.clone().all(|p| (p[0] > 0.0) == side(rod)), "rod {rod} changes its head");
    }
    // Told of one head only, all rods go there, and the other one is named.
    let def = MuscleDef {
        origin: End::Points(vec![muscle.tips[0][0]]),
        insertion: End::Points(muscle.tips[1].clone()),
        rods: 8,
        slices: 20,
    };
    let one = rods_from_mesh(&mesh, &def).unwrap();
    let here = muscle.tips[0][0][0] > 0.0;
    assert!((0..8).all(|rod| (one.rod(rod)[0][0] > 0.0) == here));
    assert!(one.repaired.notes().iter().any(|note| note.starts_with("no end was given to a head")), "{:?}", one.repaired.notes());
}

#[test]
fn a_moved_mesh_has_the_same_rods_moved() {
    let mesh = spindle(60, 32);
    let (muscle, _) = rods(&mesh, 12, 16);
    let turn = Rotation3::from_euler_angles(0.4, -0.9, 2.2);
    let by = V3::new(0.2, -0.3, 0.1);
    let (other, _) = rods(&moved(&mesh, &turn, by), 12, 16);
    let mut expected = muscle.clone();
    expected.points.iter_mut().for_each(|p| *p = (turn * V3::from(*p) + by).into());
    assert!(apart(&expected, &other) < 0.02, "{}", apart(&expected, &other));
    for (a, b) in muscle.radii.iter().zip(&other.radii) {
        assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    }
}

#[test]
fn a_remeshed_muscle_has_nearly_the_same_rods() {
    let (muscle, _) = rods(&lopsided_spindle(0.2, 60, 32), 12, 16);
    let (fine, _) = rods(&lopsided_spindle(0.2, 110, 60), 12, 16);
    for rod in 0..12 {
        for (slice, (p, q)) in muscle.rod(rod).iter().zip(fine.rod(rod)).enumerate() {
            let apart = (V3::from(*p) - V3::from(*q)).norm() / muscle.radii[slice];
            // At the tips a radius is a millimetre, less than a cell.
            let most = if muscle.radii[slice] > 0.002 { 0.35 } else { 1.5 };
            assert!(apart < most, "rod {rod} slice {slice}: {apart} radii");
        }
    }
    for (a, b) in muscle.radii.iter().zip(&fine.radii).filter(|(a, _)| **a > 0.002) {
        assert!((a / b - 1.0).abs() < 0.03, "{a} {b}");
    }
}

/// Duplicate corners, an inside-out shell and flat triangles change nothing, but are told.
#[test]
fn raw_meshes_are_repaired_and_told() {
    let mesh = spindle(60, 32);
    let (muscle, _) = rods(&mesh, 6, 10);
    let (of_soup, _) = rods(&soup(&mesh), 6, 10);
    assert!(apart(&muscle, &of_soup) < 0.02, "{}", apart(&muscle, &of_soup));
    let mut turned = mesh.clone();
    turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    turned.triangles.push([5, 5, 9]);
    let (of_turned, _) = rods(&turned, 6, 10);
    assert!(apart(&muscle, &of_turned) < 0.02, "{}", apart(&muscle, &of_turned));
    assert_eq!(of_turned.repaired.notes().len(), 2, "{:?}", of_turned.repaired.notes());
    assert!(
        of_turned.repaired.notes()[0].contains("1 triangles without area")
            && of_turned.repaired.notes()[1].contains("inside out")
    );
    // A hole of a few triangles in the belly is closed by the winding number.
    let mut holed = mesh.clone();
    holed.triangles.drain(1800..1806);
    let (of_holed, _) = rods(&holed, 6, 10);
    assert!((of_holed.volume / muscle.volume - 1.0).abs() < 0.01, "{}", of_holed.volume);
    // A crumb beside the muscle is left out.
    let crumb = tube(|t| (V3::new(0.06, 0.0, 0.02 * t), V3::z()), |_| [0.005, 0.005], 10, 12);
    let (with_crumb, _) = rods(&joined(&[mesh, crumb]), 6, 10);
    assert!(with_crumb.repaired.notes().iter().any(|note| note.contains("left out")), "{:?}", with_crumb.repaired.notes());
    assert!((with_crumb.volume / muscle.volume - 1.0).abs() < 0.02);
}

/// Turned shells of a mesh are told, and change nothing: with one of two the wrong way round, the rods are the same bits.
#[test]
fn every_shell_is_turned_outwards() {
    let beside = tube(|t| (V3::new(0.02, 0.0, 0.24 * (t - 0.3)), V3::z()), |t| [0.004 + 0.02 * (PI * t).sin(); 2], 40, 24);
    let right = joined(&[spindle(60, 32), beside]);
    let (expected, good) = rods(&right, 8, 12);
    assert!(good.covered > 0.84 && good.outside < 0.08, "{good:?}");
    let first = spindle(60, 32).triangles.len();
    for turned in [0..first, first..right.triangles.len()] {
        let mut mesh = right.clone();
        mesh.triangles[turned.clone()].iter_mut().for_each(|t| t.swap(1, 2));
        // Some triangles the other way round than their shell.
        mesh.triangles[100..103].iter_mut().for_each(|t| t.swap(1, 2));
        let (muscle, found) = rods(&mesh, 8, 12);
        assert!((muscle.volume / expected.volume - 1.0).abs() < 1e-6 && apart(&muscle, &expected) < 0.01);
        assert!((found.covered - good.covered).abs() < 1e-3 && (found.belly / good.belly - 1.0).abs() < 1e-3, "{found:?}");
        let notes = muscle.repaired.notes();
        let shell = format!("one of 2 shells is inside out, that of triangle {}: turned", turned.start);
        assert!(notes.contains(&shell) && notes.iter().any(|note| note.starts_with("3 triangles run")), "{notes:?}");
    }
}

/// What is left out is not measured: not a second muscle, not a crumb, however far away, and not a head without an end.
#[test]
fn figures_are_of_what_the_rods_are_of() {
    let mesh = spindle(60, 32);
    let (muscle, alone) = rods(&mesh, 8, 12);
    let beside = moved(&mesh, &Rotation3::identity(), V3::new(0.2, 0.0, 0.0));
    let crumb = tube(|t| (V3::new(0.5, 0.0, 0.004 * t), V3::z()), |_| [0.002, 0.002], 4, 8);
    for (other, is_told) in [(beside, true), (crumb, false)] {
        let (one, found) = rods(&joined(&[mesh.clone(), other]), 8, 12);
        assert!((found.covered - alone.covered).abs() < 0.02 && (found.outside - alone.outside).abs() < 0.02, "{found:?}");
        assert!((found.belly / alone.belly - 1.0).abs() < 0.1, "{found:?} {alone:?}");
        assert!((one.volume / muscle.volume - 1.0).abs() < 0.01);
        assert_eq!(
            one.repaired.notes().iter().any(|note| note.contains("left out, 50.0 %")),
            is_told,
            "{:?}",
            one.repaired.notes()
        );
    }
    let mesh = two_headed();
    let (both, _) = rods(&mesh, 20, 24);
    let [tips, insertion] = both.tips.clone();
    let def = MuscleDef { origin: End::Points(vec![tips[0]]), insertion: End::Points(insertion), rods: 12, slices: 20 };
    let one = rods_from_mesh(&mesh, &def).unwrap();
    let found = fit(&mesh, &one).unwrap();
    println!("{found:?}, {:?}", one.repaired.notes());
    assert!(one.repaired.dead > 0.05 && found.covered > 0.84 && found.belly < 0.003, "{found:?}");
}

/// A rod ends within a radius of every tip, however few there are, and wherever inside of the end the point was told.
#[test]
fn tips_are_reached() {
    let within = |mesh: &TriMesh, def: &MuscleDef| {
        let muscle = rods_from_mesh(mesh, def).unwrap();
        let found = fit(mesh, &muscle).unwrap();
        println!("{} x {}: {:?}, {:?}", def.slices, def.rods, found.tips, muscle.repaired.notes());
        assert!(found.tips.iter().all(|&radii| radii <= 1.0), "{} x {}: {found:?}", def.slices, def.rods);
        muscle
    };
    let (heads, mesh) = (two_headed(), spindle(60, 32));
    let def = |rods: u32, slices: u32| MuscleDef { rods, slices, ..MuscleDef::default() };
    for rods in [1, 2] {
        let muscle = within(&heads, &def(rods, 2));
        assert_eq!(muscle.tips[0].len(), rods as usize);
        assert_eq!(muscle.repaired.notes().iter().any(|note| note.starts_with("heads without rods: 1")), rods == 1);
        // 4 cm inside, and 2 cm off.
        let [origin, insertion] = [[0.02, 0.0, 0.11], [0.0, 0.0, -0.15]].map(|point| End::Points(vec![point]));
        let muscle = within(&mesh, &MuscleDef { origin, insertion, ..def(rods, 2) });
        assert!((muscle.tips[0][0][2] - 0.15).abs() < 1e-3, "{:?}", muscle.tips);
    }
}

/// Ends can be told in three ways, and mean the same.
#[test]
fn ends_as_points_planes_and_painted_vertices() {
    let mesh = spindle(60, 32);
    let (found, _) = rods(&mesh, 7, 12);
    let low = found.tips[0][0][2] < 0.0;
    let sides = if low { [-1.0, 1.0] } else { [1.0, -1.0] };
    let points = sides.map(|side| End::Points(vec![[0.001, 0.0, 0.15 * side]]));
    let planes = sides.map(|side| End::Plane { point: [0.0, 0.0, 0.146 * side], normal: [0.0, 0.0, side] });
    let painted = sides.map(|side| {
        let is_end = |p: &[f32; 3]| f64::from(p[2]) * side > 0.1499;
        End::Vertices((0..mesh.points.len() as u32).filter(|&k| is_end(&mesh.points[k as usize])).collect())
    });
    for [origin, insertion] in [points, planes, painted] {
        let muscle = rods_from_mesh(&mesh, &MuscleDef { origin: origin.clone(), insertion, rods: 7, slices: 12 }).unwrap();
        let fit = fit(&mesh, &muscle).unwrap();
        assert!(fit.covered > 0.85 && fit.tips[0] < 1.0 && fit.tips[1] < 1.0, "{origin:?}: {fit:?}");
        assert!((muscle.length / found.length - 1.0).abs() < 0.03, "{origin:?}: {}", muscle.length);
        assert!((muscle.rod(0)[0][2] > 0.0) != low, "{origin:?}: from insertion to origin");
    }
}

#[test]
fn bad_input_is_named() {
    let mesh = spindle(40, 24);
    let refused = |mesh: &TriMesh, def: &MuscleDef, words: &str| {
        let error = rods_from_mesh(mesh, def).expect_err(words).to_string();
        assert!(error.contains(words), "\"{error}\" does not say \"{words}\"");
    };
    let def = MuscleDef { rods: 4, slices: 6, ..MuscleDef::default() };
    refused(&TriMesh::default(), &def, "triangles are missing: the mesh is empty");
    let bare = TriMesh { triangles: Vec::new(), ..mesh.clone() };
    refused(&bare, &def, "triangles are missing: the mesh has 986 vertices and no face");
    let mut bad = mesh.clone();
    bad.points[7][1] = f32::NAN;
    refused(&bad, &def, "points[7] (");
    refused(&bad, &def, "NaN");
    let mut bad = mesh.clone();
    bad.triangles[3][2] = 123_456;
    refused(&bad, &def, "triangles[3] 123456 is outside of the");
    let sheet = TriMesh { points: mesh.points.clone(), triangles: mesh.triangles[..40].to_vec() };
    refused(&sheet, &def, "enclose nothing: the mesh is an open sheet");
    refused(&moved(&mesh, &Rotation3::identity(), V3::new(1e5, 0.0, 0.0)), &def, "is lost in the rounding");
    let scaled = |by: f32| TriMesh { points: mesh.points.iter().map(|p| p.map(|x| x * by)).collect(), ..mesh.clone() };
    refused(&scaled(1e-20), &def, "is none of a muscle");
    refused(&scaled(1e20), &def, "is none of a muscle");

    refused(&mesh, &MuscleDef { rods: 0, ..def.clone() }, "rods 0 is not a number from 1 to 512");
    refused(&mesh, &MuscleDef { slices: 1, ..def.clone() }, "slices 1 is not a number from 2 to 512");
    let thin = tube(straight, |_| [0.002, 0.002], 100, 16);
    refused(&thin, &MuscleDef { rods: 300, ..def.clone() }, "rods 300 are too many for a section of");

    let at = |z: f64| End::Points(vec![[0.0, 0.0, z]]);
    let between = |origin: End, insertion: End| MuscleDef { origin, insertion, ..def.clone() };
    refused(&mesh, &between(at(0.15), at(0.15)), "insertion is the same as the origin");
    refused(&mesh, &between(at(0.15), at(0.1499)), "insertion is the same as the origin");
    refused(&mesh, &between(at(150.0), at(-0.15)), "origin[0] [0.0, 0.0, 150.0] lies");
    refused(&mesh, &between(at(f64::NAN), at(-0.15)), "origin[0] [0.0, 0.0, NaN] is not finite");
    refused(&mesh, &between(End::Points(Vec::new()), End::Found), "origin has no point");
    refused(&mesh, &between(End::Found, End::Vertices(vec![4, 99_999])), "insertion[1] 99999 is outside of the");
    let plane = |normal: [f64; 3], z: f64| End::Plane { point: [0.0, 0.0, z], normal };
    refused(&mesh, &between(plane([0.0; 3], 0.1), End::Found), "origin [0.0, 0.0, 0.0] is no plane");
    refused(&mesh, &between(plane([0.0, 0.0, 1.0], 0.3), End::Found), "origin has the whole mesh on one side of its plane");

    let beside = moved(&mesh, &Rotation3::identity(), V3::new(0.08, 0.0, 0.0));
    let apart = End::Points(vec![[0.08, 0.0, 0.15]]);
    refused(&joined(&[mesh, beside]), &between(at(-0.15), apart), "ends lie in different parts of the mesh, which has 2");
}

/// Rods or a reason, but no panic and no number that is none.
#[test]
fn strange_shapes_give_rods_or_a_reason() {
    let circle = |t: f64| {
        let (sin, cos) = (TAU * t).sin_cos();
        (V3::new(0.1 * cos, 0.0, 0.1 * sin), V3::new(-sin, 0.0, cos))
    };
    let round = |size: f64| move |t: f64| [(1.0 - (2.0 * t - 1.0) * (2.0 * t - 1.0)).max(0.0).sqrt() * size; 2];
    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 24) as f32
    };
    let cloud = TriMesh {
        points: (0..90).map(|_| [random(), random(), random()]).collect(),
        triangles: (0..30).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
    };
    let shapes = [
        ("tetrahedron", tube(straight, |t| [0.1 * (1.0 - t), 0.1 * (1.0 - t)], 1, 3), true),
        ("ball", tube(straight, round(0.15), 30, 30), true),
        ("plate", tube(straight, |_| [0.1, 0.001], 10, 40), true),
        ("disc", tube(|t| (V3::new(0.0, 0.0, 0.002 * t), V3::z()), |_| [0.1, 0.1], 1, 40), true),
        ("ring", tube(circle, |_| [0.02, 0.02], 60, 20), true),
        ("wire", tube(straight, |_| [1e-3, 1e-3], 50, 8), true),
        ("two triangles", TriMesh { points: cloud.points.clone(), triangles: vec![[0, 1, 2], [2, 1, 0]] }, false),
        ("line", TriMesh { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], triangles: vec![[0, 1, 2]] }, false),
        ("cloud", cloud, true),
        ("twice", joined(&[spindle(30, 20), spindle(30, 20)]), true),
    ];
    for (name, mesh, is_solid) in &shapes {
        for (rods, slices) in [(1, 2), (7, 20)] {
            match rods_from_mesh(mesh, &MuscleDef { rods, slices, ..MuscleDef::default() }) {
                Ok(muscle) => {
                    println!("{name} {slices} x {rods}: {:?}", muscle.repaired.notes());
                    assert!(muscle.points.iter().flatten().all(|x| x.is_finite()), "{name} {slices} x {rods}");
                    assert!(
                        muscle.radii.iter().all(|r| r.is_finite() && *r > 0.0),
                        "{name} {slices} x {rods}: {:?}",
                        muscle.radii
                    );
                    assert!(*is_solid, "{name} has no inside");
                }
                Err(error) => assert!(!*is_solid, "{name} {slices} x {rods}: {error}"),
            }
        }
    }
}

fn biceps() -> Option<TriMesh> {
    let root = std::env::var_os("WITHY_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let file = root.join("muscle/biceps_full.stl");
    if !file.exists() {
        println!("skipped: no shared data");
        return None;
    }
    let mesh = read_mesh(file).unwrap();
    assert_eq!((mesh.points.len(), mesh.triangles.len()), (1922, 3840));
    Some(mesh)
}

/// The bars of the plan. The mesh has two heads; the tendon of the long one hooks over.
#[test]
fn biceps_is_filled_from_tip_to_tip() {
    let Some(mesh) = biceps() else { return };
    for (count, slices) in [(8, 16), (8, 24), (24, 24)] {
        let (muscle, found) = rods(&mesh, count, slices);
        assert!(found.covered >= 0.85 && found.outside <= 0.07, "{slices} x {count}: {found:?}");
        assert!(found.belly <= 2.5 && found.volume_error.abs() < 0.01, "{slices} x {count}: {found:?}");
        assert!((muscle.volume / 320_400.0 - 1.0).abs() < 1e-3, "{}", muscle.volume);
        assert!(found.tips.iter().all(|&radii| radii <= 1.0), "{slices} x {count}: {found:?}");
        // The tips are those of the mesh, by shortest ways along its edges, within the width of a tendon.
        assert_eq!(muscle.tips.each_ref().map(Vec::len), [2, 1]);
        for (end, tip) in [(0, [128.5, 169.5, 344.0]), (0, [140.1, 184.3, 339.9]), (1, [48.0, 149.9, 0.2])] {
            let nearest = muscle.tips[end].iter().map(|p| (V3::from(*p) - V3::from(tip)).norm()).fold(f64::INFINITY, f64::min);
            assert!(nearest < 8.5, "{tip:?}: {:?}", muscle.tips[end]);
        }
    }
}

#[test]
fn biceps_turned_has_the_same_rods_turned() {
    let Some(mesh) = biceps() else { return };
    let (muscle, _) = rods(&mesh, 8, 16);
    let turn = Rotation3::from_euler_angles(-1.2, 0.5, 0.8);
    let by = V3::new(30.0, 500.0, -80.0);
    let (other, _) = rods(&moved(&mesh, &turn, by), 8, 16);
    let mut expected = muscle.clone();
    expected.points.iter_mut().for_each(|p| *p = (turn * V3::from(*p) + by).into());
    assert!(apart(&expected, &other) < 0.1, "{}", apart(&expected, &other));
}
