//! The groom that the project makes itself: on the scalp, of the promised size, the same bits everywhere.

use withy::io::generate::{StyleMix, hair_design_groom, head_groom};
use withy::io::head::{HEAD_SHAPES, head_mesh};
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdMesh, UsdWriter};

fn fnv(points: &[[f32; 3]]) -> u64 {
    let bytes = points.as_flattened().iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
}

/// Distance to the nearest capsule of the head.
fn distance(p: [f32; 3]) -> f32 {
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let sub = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let to = |shape: &withy::io::head::HeadShape| {
        let (ab, ap) = (sub(shape.b, shape.a), sub(p, shape.a));
        let t = (dot(ap, ab) / dot(ab, ab).max(1e-12)).clamp(0.0, 1.0);
        let d = sub(ap, ab.map(|x| x * t));
        dot(d, d).sqrt() - shape.radius
    };
    HEAD_SHAPES.iter().map(to).fold(f32::INFINITY, f32::min)
}

#[test]
fn hair_is_plausible() {
    for (name, mix) in
        [("straight", StyleMix::STRAIGHT), ("wavy", StyleMix::WAVY), ("curly", StyleMix::CURLY), ("even", StyleMix::EVEN)]
    {
        let groom = head_groom(1500, 32, mix, 7);
        groom.check().unwrap();
        if let Some(folder) = std::env::var_os("WITHY_USD_OUT") {
            let head = head_mesh();
            let meshes = [UsdMesh { name: "Head", mesh: &head, is_animated: false, color: Some([0.85, 0.65, 0.55]) }];
            let def = UsdCacheDef {
                groom: &groom,
                fps: 24.0,
                start: 0.0,
                has_velocities: false,
                is_unreal_groom: false,
                meshes: &meshes,
            };
            let path = std::path::PathBuf::from(folder).join(format!("{name}.usda"));
            let mut writer = UsdWriter::begin(path, &def).unwrap();
            writer.frame(&UsdFrame { points: &groom.points, ..UsdFrame::default() }).unwrap();
            writer.finish().unwrap();
        }
        let report = groom.validate();
        assert!(report.issues.is_empty(), "{name}: {:?}", report.issues[0]);
        assert_eq!((report.strands, report.vertices), (1500, 1500 * 32));
        assert!(report.shortest_strand > 0.19 && report.longest_strand < 0.31, "{name}: {report:?}");
        // Even in arc length; a chord is shorter where it cuts a curl, and much shorter where a lock rounds the head.
        let edge = 0.25 / 31.0;
        let is_cut = |points: &[[f32; 3]]| points.windows(2).any(|pair| apart(pair[0], pair[1]) < 0.45 * edge);
        let cut = groom.ranges().filter(|range| is_cut(&groom.points[range.clone()])).count();
        assert!(cut <= 30 && report.shortest_segment > 0.1 * edge, "{name}: {cut} strands, {}", report.shortest_segment);
        for range in groom.ranges() {
            let root = distance(groom.points[range.start]);
            assert!((-1e-6..0.006).contains(&root), "{name}: a root is {root} off the scalp");
            for &point in &groom.points[range.start + 1..range.end] {
                assert!(distance(point) > -0.002, "{name}: {point:?} is {} deep", -distance(point));
            }
        }
    }
}

#[test]
fn roots_are_even() {
    let groom = head_groom(1000, 2, StyleMix::EVEN, 1);
    let roots: Vec<[f32; 3]> = groom.ranges().map(|range| groom.points[range.start]).collect();
    let nearest: Vec<f32> =
        roots.iter().map(|a| roots.iter().filter(|b| *b != a).map(|&b| apart(*a, b)).fold(f32::INFINITY, f32::min)).collect();
    let mean = nearest.iter().sum::<f32>() / nearest.len() as f32;
    let least = nearest.iter().copied().fold(f32::INFINITY, f32::min);
    // Random roots would have 0.05 here.
    assert!(least > 0.55 * mean, "{least} of {mean}");
}

#[test]
fn same_bits_everywhere() {
    let groom = hair_design_groom();
    assert_eq!((groom.counts.len(), groom.counts[0]), (200, 21));
    assert_eq!(fnv(&groom.points), GOLDEN_GROOM, "new hash {:#x}", fnv(&groom.points));
    assert_eq!(fnv(&head_mesh().points), GOLDEN_HEAD, "new hash {:#x}", fnv(&head_mesh().points));
    assert_ne!(head_groom(20, 8, StyleMix::EVEN, 1), head_groom(20, 8, StyleMix::EVEN, 2));
}

const GOLDEN_GROOM: u64 = 0x7BCD_45AC_14B5_2209;
const GOLDEN_HEAD: u64 = 0xC0D8_72BE_F506_927F;

#[test]
fn extremes_do_not_panic() {
    assert!(head_groom(0, 8, StyleMix::EVEN, 1).points.is_empty());
    for (strands, vertices) in [(1, 0), (1, 2), (3, 3), (2, 2000)] {
        let groom = head_groom(strands, vertices, StyleMix::EVEN, 1);
        groom.check().unwrap();
        assert!(groom.points.iter().flatten().all(|x| x.is_finite()));
    }
    let nothing = StyleMix { straight: 0.0, wavy: 0.0, curly: 0.0 };
    assert!(head_groom(5, 5, nothing, 1).points.iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn head_is_closed_and_faces_out() {
    let mesh = head_mesh();
    let mut edges = std::collections::HashMap::new();
    let mut volume = 0.0f64;
    for &[a, b, c] in &mesh.triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
        let [a, b, c] = [a, b, c].map(|vertex| mesh.points[vertex as usize].map(f64::from));
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
    }
    assert!(edges.iter().all(|(&(a, b), &count)| count == 1 && edges.get(&(b, a)) == Some(&1)));
    // A head with its neck: about four litres.
    assert!((0.003..0.006).contains(&volume), "{volume} m3");
}
