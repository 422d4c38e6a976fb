//! The readers against real files; the numbers are those of the data's own README and of independent python readers.

use crate::common::shared;
use withy::io::{Groom, IssueKind, ReadOptions, Sampling, UpAxis, read_groom, read_mesh};

fn read(path: &str) -> Option<Groom> {
    let groom = read_groom(shared(path)?, &ReadOptions::default()).unwrap();
    groom.check().unwrap();
    Some(groom)
}

#[test]
fn ponytail() {
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let (mut strands, mut vertices) = (0, 0);
    for (name, expected) in [("front_top", 876), ("side", 3066), ("back", 517), ("tail", 255)] {
        let Some(groom) = read(&format!("hair/amd_ponytail/{name}.tfx")) else {
            return;
        };
        let report = groom.validate();
        assert_eq!(report.strands, expected);
        assert!(groom.counts.iter().all(|&count| count == 16));
        assert_eq!(report.issues, [], "{name}");
        assert_eq!(groom.meters_per_unit, None);
        assert!(report.shortest_segment > 0.05, "{name}: {}", report.shortest_segment);
        strands += report.strands;
        vertices += report.vertices;
        let [low, high] = report.bounds;
        bounds[0] = std::array::from_fn(|axis| bounds[0][axis].min(low[axis]));
        bounds[1] = std::array::from_fn(|axis| bounds[1][axis].max(high[axis]));
    }
    assert_eq!((strands, vertices), (4714, 75_424));
    for (got, expected) in bounds.as_flattened().iter().zip([-33.0, -3.0, -36.0, 33.0, 124.0, 78.0]) {
        assert!((got - expected).abs() < 1.0, "bounds {bounds:?}");
    }
}

#[test]
fn ratboy_names_its_degenerate_strands() {
    let Some(groom) = read("hair/amd_ratboy/Ratboy_mohawk.tfx") else {
        return;
    };
    let report = groom.validate();
    assert_eq!((report.strands, report.vertices), (2228, 2228 * 32));
    assert!((report.shortest_strand - 7.4925e-6).abs() < 1e-9, "{}", report.shortest_strand);
    assert!((report.shortest_segment - 1.295e-7).abs() < 1e-10, "{}", report.shortest_segment);
    assert!((report.longest_strand - 0.295).abs() < 0.001);
    // Two strands under 1/1000 of the median, four with segments of less than 64 ulps: an independent count agrees.
    let short = report.issues.iter().filter(|issue| issue.kind == IssueKind::ShortStrand).count();
    assert_eq!(short, 2);
    assert_eq!(report.degenerate_strands().len(), 4);
    println!("{}", report.issues.iter().map(|issue| format!("{issue}\n")).collect::<String>());
    let cleaned = groom.cleaned();
    assert_eq!((cleaned.dropped.len(), cleaned.groom.counts.len()), (0, 2228));
}

#[test]
fn sintel() {
    let Some(groom) = read("hair/sintel/GEO-sintel_hair_emit.001-sintel_hair.tfx") else {
        return;
    };
    assert_eq!((groom.counts.len(), groom.points.len()), (228, 228 * 32));
}

#[test]
fn wavy_lock_is_pinned_bspline() {
    let Some(groom) = read("hair/arnold_usd/test_0239_wavy_lock.usda") else {
        return;
    };
    let report = groom.validate();
    assert_eq!(report.strands, 1987);
    assert!(groom.counts.iter().all(|&count| count <= 9 * 4 + 1));
    assert_eq!((groom.meters_per_unit, groom.up_axis), (Some(1.0), UpAxis::Y));
    assert!(report.issues.is_empty(), "{:?}", &report.issues[..report.issues.len().min(5)]);
    // A pinned curve starts on its first CV.
    assert_eq!(groom.points[0], [0.11511555, 0.46806467, 0.12524018]);
    // The extent holds widths too: half of 0.001 on each side.
    let extent = [[0.09896427, 0.0024731094, -0.02610717], [1.1907026, 0.50637126, 0.5825481]];
    let inside =
        |axis: usize| report.bounds[0][axis] >= extent[0][axis] - 1e-6 && report.bounds[1][axis] <= extent[1][axis] + 1e-6;
    assert!((0..3).all(inside), "{:?}", report.bounds);
    assert_eq!(groom.widths.len(), groom.points.len());

    let options = ReadOptions { sampling: Sampling::Vertices(20), ..ReadOptions::default() };
    let even = read_groom(shared("hair/arnold_usd/test_0239_wavy_lock.usda").unwrap(), &options).unwrap();
    assert!(even.counts.iter().all(|&count| count == 20));
    assert!(even.validate().issues.is_empty());
}

#[test]
fn doubled_end_cvs_leave_no_zero_segments() {
    let Some(groom) = read("hair/arnold_usd/test_0179_hair_test.usda") else {
        return;
    };
    let report = groom.validate();
    assert_eq!(report.strands, 285);
    assert!(report.issues.is_empty(), "{:?}", &report.issues[..report.issues.len().min(5)]);
    let mean = report.median_strand / 32.0;
    assert!(report.shortest_segment > 0.005 * mean, "{} of {mean}", report.shortest_segment);
}

#[test]
fn tree_is_bezier() {
    let Some(groom) = read("curves/pixar_tree_branches_BasisCurves2.usda") else {
        return;
    };
    let report = groom.validate();
    assert_eq!(report.strands, 451);
    // 3739 CVs in 451 curves of 3k + 1: 1096 segments.
    assert!(groom.points.len() <= 1096 * 4 + 451 && groom.points.len() > 1096 * 4);
    assert_eq!(groom.points[0], [-168.423, -311.251, 1348.25]);
    assert!(report.bounds[1][2] > 1700.0 && report.bounds[1][2] < 1716.0);
    assert!(groom.widths.iter().all(|width| *width > 0.0));
}

#[test]
fn meshes() {
    for (path, points, triangles) in [
        ("hair/amd_ponytail/ruby_head.converted.obj", 4230, 8320),
        ("hair/sintel/sintel.obj", 3046, 5952),
        ("body/human_man.obj", 6890, 13_776),
    ] {
        let Some(path) = shared(path) else { return };
        let mesh = read_mesh(path).unwrap();
        assert_eq!((mesh.points.len(), mesh.triangles.len()), (points, triangles));
    }
}
