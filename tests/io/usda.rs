//! `.usda` semantics: what the numbers must be, from OpenUSD itself or from closed forms.

use crate::common::USDA;
use withy::io::{Groom, ReadOptions, Sampling, UpAxis, read_usda};

fn read(text: &str) -> Groom {
    let groom = read_usda(text.as_bytes(), &ReadOptions::default()).unwrap();
    groom.check().unwrap();
    groom
}

fn close(a: [f32; 3], b: [f64; 3]) {
    assert!((0..3).all(|axis| (f64::from(a[axis]) - b[axis]).abs() < 2e-6), "{a:?} for {b:?}");
}

/// A layer with one BasisCurves of these attributes.
fn curves(attributes: &str) -> String {
    format!("#usda 1.0\ndef BasisCurves \"C\"\n{{\n{attributes}\n}}\n")
}

/// Every kind of op, nested, with time samples out of order, an inverse and a reset. The expected points are those of
/// `UsdGeomXformable::ComputeLocalToWorldTransform(1)` in usd-core.
#[test]
fn transforms_agree_with_openusd() {
    let groom = read(TRANSFORMS);
    close(groom.points[0], [-10.456403914135398, 6.950691602400541, 11.93208380092175]);
    close(groom.points[1], [-11.216385061994535, 1.4593089885575736, 14.615204912908098]);
    close(groom.points[2], [1.0, 0.0, 0.0]);
    close(groom.points[3], [1.0, 1.0, 0.0]);
}

#[test]
fn a_layer_with_two_prims() {
    let groom = read(USDA);
    assert_eq!((groom.meters_per_unit, groom.up_axis), (Some(0.01), UpAxis::Z));
    // Pinned: 3 and 4 segments of 4 steps, and the end; then the line.
    assert_eq!(groom.counts, [13, 17, 2]);
    assert_eq!(groom.widths.len(), groom.points.len());
    assert!((groom.widths[0] - 0.1).abs() < 1e-7 && (groom.widths[13] - 0.2).abs() < 1e-7 && groom.widths[30] == 0.5);
    // The quarter turn about z, then the translation: (3, 0, 0) goes to (1, 5, 3).
    close(groom.points[12], [1.0, 5.0, 3.0]);
    let metres = groom.to_metres_y_up(1.0);
    close(metres.points[12], [0.01, 0.03, -0.05]);
    assert!((metres.widths[30] - 0.005).abs() < 1e-9);
}

#[test]
fn defaults_are_those_of_the_schema() {
    // cubic, bezier, nonperiodic; centimetres, Y up.
    let groom = read(&curves("int[] curveVertexCounts = [4]\npoint3f[] points = [(0,0,0), (1,0,0), (2,0,0), (3,0,0)]"));
    assert_eq!((groom.counts[0], groom.meters_per_unit, groom.up_axis), (5, Some(0.01), UpAxis::Y));
    assert!(groom.widths.is_empty());
    close(groom.points[2], [1.5, 0.0, 0.0]);
}

#[test]
fn periodic_curves_are_closed_strands() {
    let square = "int[] curveVertexCounts = [4]\npoint3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n";
    let linear = read(&curves(&format!("{square} uniform token type = \"linear\" uniform token wrap = \"periodic\"")));
    assert_eq!((linear.closed.clone(), linear.counts[0]), (vec![0], 4));
    assert_eq!(linear.strand_lengths(), [4.0]);
    let even = linear.resampled(8);
    assert_eq!((even.closed.clone(), even.counts[0]), (vec![0], 8));
    close(even.points[7], [0.0, 0.5, 0.0]);
    let spline = read(&curves(&format!("{square} uniform token basis = \"bspline\" uniform token wrap = \"periodic\"")));
    assert_eq!((spline.closed.clone(), spline.counts[0]), (vec![0], 16));
    assert!(spline.validate().issues.is_empty());
}

#[test]
fn widths_follow_their_interpolation() {
    let two = "int[] curveVertexCounts = [4, 7] point3f[] points = [(0,0,0), (1,0,0), (2,0,0), (3,0,0),
        (0,1,0), (1,1,0), (2,1,0), (3,1,0), (4,1,0), (5,1,0), (6,1,0)]\n";
    let widths = |text: &str| read(&curves(&format!("{two}{text}"))).widths;
    let varying = widths("float[] widths = [1, 2, 3, 4, 5] (interpolation = \"varying\")");
    assert_eq!(varying, [1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 3.25, 3.5, 3.75, 4.0, 4.25, 4.5, 4.75, 5.0]);
    let uniform = widths("float[] widths = [1, 2] (interpolation = \"uniform\")");
    assert_eq!((uniform[4], uniform[5]), (1.0, 2.0));
    assert!(widths("float[] widths = [3] (interpolation = \"constant\")").iter().all(|width| *width == 3.0));
    let vertex = widths("float[] widths = [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]");
    assert_eq!((vertex[4], vertex[5]), (1.0, 2.0));
    let indexed = widths(
        "float[] primvars:widths = [5, 7] (interpolation = \"uniform\") int[] primvars:widths:indices = [1, 0] float[] widths = [9]",
    );
    assert_eq!((indexed[4], indexed[5]), (7.0, 5.0));
}

#[test]
fn repeated_end_cvs_leave_no_crowd() {
    for repeats in 1..5 {
        let end = |x: f32| format!("({x}, 0, 0), ").repeat(repeats);
        let points = format!("{}(1, 0.5, 0), (2, -0.5, 0), (3, 0.5, 0), {}", end(0.0), end(4.0));
        let count = 3 + 2 * repeats;
        let groom = read(&curves(&format!(
            "uniform token basis = \"bspline\" int[] curveVertexCounts = [{count}] point3f[] points = [{points}]"
        )));
        let report = groom.validate();
        assert!(report.issues.is_empty(), "{repeats}: {:?}", report.issues);
        assert!(report.shortest_segment > 0.001, "{repeats}: {}", report.shortest_segment);
    }
    // All CVs in one place: nothing to save, so the strand is named.
    let point = read(&curves("int[] curveVertexCounts = [4] point3f[] points = [(1,1,1), (1,1,1), (1,1,1), (1,1,1)]"));
    assert_eq!((point.counts[0], point.validate().issues.len()), (2, 1));
}

#[test]
fn sampling_to_a_number_of_vertices_is_even() {
    let arc = curves("int[] curveVertexCounts = [4] point3f[] points = [(1,0,0), (1,0.5523,0), (0.5523,1,0), (0,1,0)]");
    let options = ReadOptions { sampling: Sampling::Vertices(9), ..ReadOptions::default() };
    let groom = read_usda(arc.as_bytes(), &options).unwrap();
    assert_eq!(groom.counts, [9]);
    let chord = 2.0 * (std::f64::consts::PI / 32.0).sin();
    for pair in groom.points.windows(2) {
        let apart = (0..3).map(|k| (f64::from(pair[0][k]) - f64::from(pair[1][k])).powi(2)).sum::<f64>().sqrt();
        assert!((apart - chord).abs() < 2e-3 * chord, "{apart} for {chord}");
    }
}

#[test]
fn what_is_not_on_the_stage_is_not_read() {
    let curve = "{ uniform token type = \"linear\" int[] curveVertexCounts = [2] point3f[] points = [(0,0,0), (1,0,0)] }";
    let layer = format!(
        "#usda 1.0\nclass BasisCurves \"A\" {curve}\nover BasisCurves \"B\" {curve}\ndef Xform \"C\" (active = false) {{ def \
         BasisCurves \"D\" {curve} }}\ndef Scope \"E\" {{ def BasisCurves \"F\" {curve} }}"
    );
    assert_eq!(read(&layer).counts, [2]);
}

#[test]
fn strands_with_nan_can_be_let_through_and_dropped() {
    let text = curves(
        "uniform token type = \"linear\" int[] curveVertexCounts = [2, 2, 1, 2]
         point3f[] points = [(0,0,0), (1,0,0), (0,0,0), (nan,0,0), (5,5,5), (2,0,0), (2,0,0)]",
    );
    let options = ReadOptions { allow_non_finite: true, ..ReadOptions::default() };
    let groom = read_usda(text.as_bytes(), &options).unwrap();
    let cleaned = groom.cleaned();
    assert_eq!((cleaned.groom.counts, cleaned.source), (vec![2, 2], vec![0, 3]));
    let said: Vec<String> = cleaned.dropped.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["strand 1 vertex 1 holds NaN", "strand 2 has 1 vertices, a strand needs 2"]);
    let said: Vec<String> = groom.validate().issues.iter().map(ToString::to_string).collect();
    assert_eq!(said[2], "strand 3 segment 0 has length 0");
}

const TRANSFORMS: &str = r#"#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "A"
{
    double3 xformOp:translate = (1, 2, 3)
    double3 xformOp:translate:pivot = (0.5, -1, 0.25)
    float3 xformOp:rotateXYZ.timeSamples = { 5: (0, 0, 0), 1: (10, 20, 30), }
    float3 xformOp:scale = (2, 3, 0.5)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:translate:pivot", "xformOp:rotateXYZ", "xformOp:scale", "!invert!xformOp:translate:pivot"]
    def Xform "B"
    {
        quatf xformOp:orient = (0.8, 0.2, -0.4, 0.4)
        float xformOp:rotateY = 33
        double3 xformOp:rotateZYX = (5, -7, 11)
        matrix4d xformOp:transform = ( (1, 0.5, 0, 0), (0, 1, 0, 0), (0.25, 0, 1, 0), (4, 5, 6, 1) )
        uniform token[] xformOpOrder = ["xformOp:orient", "xformOp:rotateY", "xformOp:rotateZYX", "xformOp:transform"]
        def BasisCurves "C"
        {
            uniform token type = "linear"
            int[] curveVertexCounts = [2]
            point3f[] points = [(0.1, 0.2, 0.3), (-1, 2, 5)]
        }
        def BasisCurves "D"
        {
            double3 xformOp:translate = (1, 0, 0)
            uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
            uniform token type = "linear"
            int[] curveVertexCounts = [2]
            point3f[] points = [(0, 0, 0), (0, 1, 0)]
        }
    }
}
"#;
