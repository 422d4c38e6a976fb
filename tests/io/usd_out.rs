//! The cache writer: what it writes reads back bit for bit, streams, cleans up after itself, and refuses what it cannot write.
//! `tests/usd_check.py` judges the same file with OpenUSD; set `WITHY_USD_OUT` to a folder to keep it.

use std::path::PathBuf;
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdMesh, UsdWriter};
use withy::io::{Groom, ReadOptions, TriMesh, UpAxis, read_groom};

fn folder(name: &str) -> PathBuf {
    let root = std::env::var_os("WITHY_USD_OUT").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = root.join(format!("withy-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn groom() -> Groom {
    Groom {
        points: vec![
            [0.0, 0.0, 0.0],
            [0.1, -1e-7, 3.4e38],
            [1e-30, 16_777_216.0, 0.333_333_34],
            [1.0, 2.0, 3.0],
            [1.0, 2.5, 3.0],
        ],
        counts: vec![3, 2],
        widths: vec![0.1, 0.05, 0.0, 0.1, 0.1],
        meters_per_unit: Some(0.01),
        up_axis: UpAxis::Z,
        ..Groom::default()
    }
}

fn triangle() -> TriMesh {
    TriMesh { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: vec![[0, 1, 2]] }
}

fn def<'a>(groom: &'a Groom, meshes: &'a [UsdMesh<'a>]) -> UsdCacheDef<'a> {
    UsdCacheDef { groom, fps: 60.0, start: 1.0, has_velocities: false, is_unreal_groom: false, meshes }
}

#[test]
fn reads_back_the_same_bits() {
    let (groom, folder) = (groom(), folder("bits"));
    let path = folder.join("out.usda");
    let mut writer = UsdWriter::begin(&path, &def(&groom, &[])).unwrap();
    let moved: Vec<[f32; 3]> = groom.points.iter().map(|p| [p[0], p[1] * 0.5, p[2]]).collect();
    writer.frame(&UsdFrame { points: &groom.points, ..UsdFrame::default() }).unwrap();
    writer.frame(&UsdFrame { points: &moved, ..UsdFrame::default() }).unwrap();
    let size = writer.finish().unwrap();
    assert_eq!(size, std::fs::metadata(&path).unwrap().len());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "parts are left");
    assert!(!std::fs::read_to_string(&path).unwrap().contains("00000000"), "what is tiny or huge is written with its zeros");
    assert_eq!(read_groom(&path, &ReadOptions::default()).unwrap(), groom);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn velocities_closed_strands_and_meshes() {
    let folder = folder("full");
    let groom = Groom { widths: vec![0.1], closed: vec![0], meters_per_unit: Some(1.0), up_axis: UpAxis::Y, ..groom() };
    let groom = Groom { points: groom.points.iter().map(|p| p.map(|x| x.clamp(-9.0, 9.0))).collect(), ..groom };
    let mesh = triangle();
    let meshes = [
        UsdMesh { name: "Head", mesh: &mesh, is_animated: false, color: Some([0.8, 0.6, 0.5]) },
        UsdMesh { name: "Collider_1", mesh: &mesh, is_animated: true, color: None },
    ];
    let path = folder.join("out.usda");
    let mut writer =
        UsdWriter::begin(&path, &UsdCacheDef { has_velocities: true, is_unreal_groom: true, ..def(&groom, &meshes) }).unwrap();
    let velocities = vec![[0.0, -9.81, 0.0]; 5];
    for _ in 0..3 {
        let frame = UsdFrame { points: &groom.points, velocities: &velocities, meshes: &[&mesh.points] };
        writer.frame(&frame).unwrap();
    }
    writer.finish().unwrap();
    let back = read_groom(&path, &ReadOptions::default()).unwrap();
    assert_eq!(back.counts, [4, 2]);
    assert_eq!(back.points[3], back.points[0]);
    let text = std::fs::read_to_string(&path).unwrap();
    for line in [
        "prepend apiSchemas = [\"GroomAPI\"]",
        "int[] primvars:groom_guide = [0] (",
        "int[] primvars:groom_id = [0, 1] (",
        "custom int userProperties:groom_version_major = 1",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    if std::env::var_os("WITHY_USD_OUT").is_none() {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn refuses_and_leaves_nothing_behind() {
    let (groom, mesh, folder) = (groom(), triangle(), folder("refuse"));
    let path = folder.join("out.usda");
    let begin = |def: &UsdCacheDef| UsdWriter::begin(&path, def).err().map(|error| error.to_string()).unwrap_or_default();
    let named = |name| [UsdMesh { name, mesh: &mesh, is_animated: true, color: None }];
    assert_eq!(begin(&UsdCacheDef { fps: f64::NAN, ..def(&groom, &[]) }), "usd cache: fps NaN is not a positive number");
    assert_eq!(begin(&def(&groom, &named("Strands"))), "usd cache: mesh name[0] Strands is taken");
    assert!(begin(&def(&groom, &named("a\" { }"))).contains("is no identifier"));
    let broken = Groom { counts: vec![3, 3], ..groom.clone() };
    assert_eq!(begin(&def(&broken, &[])), "groom: sum of counts 6 does not match the 5 points");

    let mut writer = UsdWriter::begin(&path, &def(&groom, &[])).unwrap();
    let mut points = groom.points.clone();
    let error = writer.frame(&UsdFrame { points: &points[1..], ..UsdFrame::default() }).unwrap_err();
    assert_eq!(error.to_string(), "usd cache: number of points 4 is not the 5 of the definition (frame 0)");
    points[2][1] = f32::NAN;
    let error = writer.frame(&UsdFrame { points: &points, ..UsdFrame::default() }).unwrap_err();
    assert_eq!(error.to_string(), "usd cache: points[2] NaN is not finite (frame 0)");
    assert_eq!(writer.finish().unwrap_err().to_string(), "usd cache: frames 0 were not written, a cache needs one");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    assert!(UsdWriter::begin(folder.join("no/such/out.usda"), &def(&groom, &[])).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}
