//! The skin against what it promises: closed forms, partition of unity, no leaks, no crash, equal bits.

mod common;

use common::{Rods, Shell, deformed, volume};
use std::f64::consts::PI;
use withy_math::{Isa, Quat, Vec3};
use withy_skin::{BindOptions, Mesh, Out, Pose, Skin};

fn arm() -> (Rods, Shell) {
    let mut rods = Rods::default();
    rods.add([0.0, 0.0], 0.4, 20, 0.03);
    let mut shell = Shell::default();
    shell.tube([0.0, 0.0], |z| 0.045 - 0.03 * z, [-0.02, 0.42], 32, 88);
    (rods, shell)
}

fn bind(shell: &Shell, rods: &Rods) -> Skin {
    Skin::bind(&shell.mesh(), &rods.strands(), &BindOptions::default()).unwrap()
}

fn distance(a: [f32; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a.map(f64::from)) - Vec3::from(b)).length()
}

#[test]
fn the_rest_pose_gives_the_mesh_back() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    let (positions, normals) = deformed(&skin, &rods);
    for (i, (x, p)) in positions.iter().zip(&shell.positions).enumerate() {
        assert!(distance(*x, *p) < 1e-7, "vertex {i}: {x:?} for {p:?}");
    }
    // Of the tube's side, away from its ends: cone of slope 0.03.
    for (i, normal) in normals.iter().enumerate().take(32 * 80).skip(32 * 10) {
        let [x, y, _] = shell.positions[i];
        let side = (x * x + y * y).sqrt();
        let n = Vec3 { x: x / side, y: y / side, z: 0.03 }.normalized_or(Vec3::zero());
        assert!(distance(*normal, n.to_array()) < 2e-3, "normal {i}");
    }
}

#[test]
fn an_affine_motion_of_the_rods_is_that_of_the_skin() {
    let mut rods = Rods::default();
    rods.add([0.0, 0.0], 0.4, 8, 0.03);
    rods.add([0.1, 0.02], 0.4, 5, 0.02);
    let mut shell = Shell::default();
    shell.tube([0.05, 0.0], |_| 0.09, [-0.02, 0.42], 32, 40);
    let skin = bind(&shell, &rods);
    // A turn of everything, after a stretch along the rods and another across them.
    let turn = Quat::<f64> { x: 0.5, y: -0.1, z: 0.7, w: 0.5 };
    let n = turn.dot(turn).sqrt();
    let turn = turn.map(|x| x / n);
    for (s, l) in [(1.0, 1.0), (2.0, 2.0), (0.7, 2.0), (1.4, 0.5)] {
        let map = |p: [f64; 3]| {
            let v = turn.rotate(Vec3 { x: s * p[0], y: s * p[1], z: l * p[2] });
            [v.x + 1.0, v.y - 2.0, v.z + 0.5]
        };
        let mut now = rods.clone();
        now.positions.iter_mut().for_each(|p| *p = map(*p));
        now.radii.iter_mut().for_each(|r| *r *= s);
        now.frames.iter_mut().for_each(|f| *f = turn.to_array());
        let (positions, normals) = deformed(&skin, &now);
        let rest = deformed(&skin, &rods).1;
        for i in 0..positions.len() {
            assert!(
                distance(positions[i], map(shell.positions[i])) < 2e-6,
                "{s} {l}: vertex {i} by {}",
                distance(positions[i], map(shell.positions[i]))
            );
            let [x, y, z] = rest[i].map(f64::from);
            let n = turn.rotate(Vec3 { x: x / s, y: y / s, z: z / l }).normalized_or(Vec3::zero());
            assert!(distance(normals[i], n.to_array()) < 2e-6, "{s} {l}: normal {i}");
        }
    }
}

#[test]
fn any_similarity_of_bent_rods_is_that_of_the_skin() {
    let (straight, shell) = arm();
    let bent = straight.moved(|[x, y, z]| [x + z * z, y, z], |_| 0.0, |_| 1.0);
    let skin = bind(&shell, &bent);
    let turn = Quat { x: 0.0, y: 0.6, z: 0.0, w: 0.8 };
    let map = |p: [f64; 3]| (turn.rotate(Vec3::from(p)) * 1.7).to_array();
    let mut now = bent.clone();
    now.positions.iter_mut().for_each(|p| *p = map(*p));
    now.radii.iter_mut().for_each(|r| *r *= 1.7);
    now.frames.iter_mut().for_each(|f| *f = turn.compose(Quat { x: f[0], y: f[1], z: f[2], w: f[3] }).to_array());
    for (x, p) in deformed(&skin, &now).0.iter().zip(&shell.positions) {
        assert!(distance(*x, map(*p)) < 1e-6);
    }
}

#[test]
fn weights_add_up_to_one_and_are_smooth() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    let dense = |v: usize| {
        let mut w = vec![0.0; skin.edge_count()];
        skin.anchors(v).iter().for_each(|a| w[a.edge as usize] += a.weight);
        w
    };
    for v in 0..skin.vertices() {
        let sum: f64 = dense(v).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "vertex {v}: {sum}");
    }
    // Along a strand, weights go linearly from one edge's middle to the next, 20 mm: by 0.25 along an edge of the mesh of 5 mm.
    let mut worst = 0.0f64;
    for t in &shell.triangles[..2 * 32 * 88] {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let change = dense(a as usize).iter().zip(dense(b as usize)).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            worst = worst.max(change);
        }
    }
    println!("largest change of a weight along an edge: {worst:.3}");
    assert!(worst < 0.26, "{worst}");
}

#[test]
fn a_finger_does_not_follow_its_neighbour() {
    // Two fingers that nearly touch, flesh between pill and skin.
    let mut rods = Rods::default();
    rods.add([0.0, 0.0], 0.08, 4, 0.005);
    rods.add([0.021, 0.0], 0.08, 4, 0.005);
    let mut shell = Shell::default();
    shell.tube([0.0, 0.0], |_| 0.01, [-0.01, 0.09], 32, 40);
    let first = shell.positions.len();
    shell.tube([0.021, 0.0], |_| 0.01, [-0.01, 0.09], 32, 40);
    for flip in [false, true] {
        if flip {
            shell.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        }
        let skin = bind(&shell, &rods);
        for v in 0..skin.vertices() {
            let mine = if v < first { 0..4 } else { 4..8 };
            let leak: f64 = skin.anchors(v).iter().filter(|a| !mine.contains(&a.edge)).map(|a| a.weight).sum();
            assert_eq!(leak, 0.0, "vertex {v}");
        }
    }
}

/// A hand of one surface: a web joins the fingers at their roots. Beyond it, weights stay with their finger.
#[test]
fn webbed_fingers_share_only_the_web() {
    let mut rods = Rods::default();
    rods.add([-0.0105, 0.0], 0.08, 4, 0.008);
    rods.add([0.0105, 0.0], 0.08, 4, 0.008);
    // Walls between z = 0 and 0.08; the roots are joined by triangles between facing vertices at z = 0.
    let mut shell = Shell::default();
    shell.tube([-0.0105, 0.0], |_| 0.01, [0.0, 0.09], 32, 40);
    let other = shell.positions.len() as u32;
    shell.tube([0.0105, 0.0], |_| 0.01, [0.0, 0.09], 32, 40);
    shell.triangles.push([0, 1, other + 16]);
    shell.triangles.push([1, other + 15, other + 16]);
    let skin = bind(&shell, &rods);
    let mut most = 0.0f64;
    for v in 0..skin.vertices() {
        let mine = if (v as u32) < other { 0..4 } else { 4..8 };
        let leak: f64 = skin.anchors(v).iter().filter(|a| !mine.contains(&a.edge)).map(|a| a.weight).sum();
        if shell.positions[v][2] > 0.03 {
            most = most.max(leak);
        }
    }
    println!("largest weight of the other finger beyond 3 cm: {most:.4}");
    assert!(most < 0.01, "{most}");
}

#[test]
fn a_twist_of_half_a_turn_keeps_the_volume() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    let before = volume(&deformed(&skin, &rods).0, &shell.triangles);
    for (degrees, bound) in [(90.0, 0.005), (180.0, 0.01), (360.0, 0.03)] {
        let twist = |z: f64| degrees * PI / 180.0 * z / 0.4;
        let after = volume(&deformed(&skin, &rods.moved(|p| p, twist, |_| 1.0)).0, &shell.triangles);
        println!("twist {degrees}: volume {:+.3} %", 100.0 * (after / before - 1.0));
        assert!((after / before - 1.0).abs() < bound, "{degrees}: {}", after / before);
    }
}

/// Half a turn between two edges: what makes a candy wrapper of linear blending.
#[test]
fn a_twist_between_two_edges_does_not_collapse() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    for degrees in [60.0, 120.0, 170.0] {
        let twist = |z: f64| if z < 0.2 { 0.0 } else { f64::to_radians(degrees) };
        let (positions, _) = deformed(&skin, &rods.moved(|p| p, twist, |_| 1.0));
        for (x, p) in positions.iter().zip(&shell.positions) {
            let side = |x: f64, y: f64| (x * x + y * y).sqrt();
            let (now, before) = (side(x[0].into(), x[1].into()), side(p[0], p[1]));
            assert!((now - before).abs() < 1e-5, "{degrees}: radius {now} for {before} at {}", p[2]);
        }
    }
}

#[test]
fn stretched_rods_that_keep_their_volume_keep_that_of_the_skin() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    let before = volume(&deformed(&skin, &rods).0, &shell.triangles);
    // Thin in the middle: ℓ grows from 1 to 2 and back, s = ℓ^-½.
    let stretch = |z: f64| 1.0 + (PI * (z / 0.4).clamp(0.0, 1.0)).sin();
    let along = |z: f64| z + 0.4 / PI * (1.0 - (PI * z / 0.4).cos());
    let now = rods.moved(|[x, y, z]| [x, y, along(z)], |_| 0.0, |z| stretch(z).sqrt().recip());
    let after = volume(&deformed(&skin, &now).0, &shell.triangles);
    println!("stretched unevenly to {:.2}: volume {:+.2} %", along(0.4) / 0.4, 100.0 * (after / before - 1.0));
    assert!((after / before - 1.0).abs() < 0.02);
}

#[test]
fn normals_are_those_of_the_deformed_mesh() {
    let (rods, shell) = arm();
    let skin = bind(&shell, &rods);
    // Bent by 90°, twisted by 180°, a bulge of 30 % in the middle.
    let bend = |[x, y, z]: [f64; 3]| {
        let (radius, a) = (0.8 / PI, PI / 2.0 * z / 0.4);
        [x * a.cos() + radius * (1.0 - a.cos()), y, radius * a.sin() - x * a.sin()]
    };
    let cases: [(&str, Rods, f64); 3] = [
        ("bent by 90°", rods.moved(bend, |_| 0.0, |_| 1.0), 6.0),
        ("twisted by 180°", rods.moved(|p| p, |z| PI * z / 0.4, |_| 1.0), 6.0),
        ("bulging by 30 %", rods.moved(|p| p, |_| 0.0, |z| 1.0 + 0.3 * (PI * z / 0.4).sin()), 8.0),
    ];
    for (name, now, bound) in cases {
        let (positions, normals) = deformed(&skin, &now);
        let p = |i: u32| Vec3::from(positions[i as usize].map(f64::from));
        let mut sums = vec![Vec3::<f64>::zero(); positions.len()];
        for t in &shell.triangles {
            let n = (p(t[1]) - p(t[0])).cross(p(t[2]) - p(t[0]));
            t.iter().for_each(|&i| sums[i as usize] = sums[i as usize] + n);
        }
        let (mut worst, mut mean) = (0.0f64, 0.0);
        // Not the rims of the lids, where a vertex has no normal of its own.
        let sides = 32 * 2..32 * 86;
        for i in sides.clone() {
            let cos = sums[i].normalized_or(Vec3::zero()).dot(Vec3::from(normals[i].map(f64::from)));
            let angle = cos.clamp(-1.0, 1.0).acos().to_degrees();
            (worst, mean) = (worst.max(angle), mean + angle / sides.len() as f64);
        }
        println!("{name}: normals off by {mean:.2}° on average, {worst:.2}° at most");
        assert!(worst < bound, "{name}: {worst}");
    }
}

#[test]
fn no_mesh_is_too_bad() {
    let mut rods = Rods::default();
    rods.add([0.0, 0.0], 0.4, 6, 0.03);
    rods.add([0.0, 0.0], 0.4, 6, 0.03);
    // A pill of no length, one of two sizes that hide each other.
    rods.counts.push(3);
    rods.positions.extend([[0.2, 0.0, 0.0]; 3]);
    rods.radii.extend([0.01, 0.3, 0.02]);
    rods.frames.extend([[0.0, 0.0, 0.0, 1.0]; 2]);
    let p = vec![
        [0.0, 0.0, 0.1],
        [0.0, 0.0, 0.1],
        [0.03, 0.0, 0.1],
        [0.0, 0.03, 0.2],
        [0.0, -0.03, 0.2],
        [0.05, 0.0, 0.2],
        [1e6, 1e6, -1e6],
        [0.0, 0.0, 0.3],
        [0.0, 0.0, 0.30000001],
        [0.0, 0.0, 0.31],
    ];
    let all: [&[[u32; 3]]; 4] = [
        &[],
        &[[0, 0, 0], [1, 1, 2], [0, 1, 2]],
        // Three triangles at one edge, the same triangle twice, both ways round, one without area.
        &[[2, 3, 4], [2, 3, 5], [2, 3, 0], [2, 3, 0], [3, 2, 0], [7, 8, 9]],
        &[[6, 2, 3], [7, 8, 9], [0, 7, 6]],
    ];
    for triangles in all {
        let mesh = Mesh { positions: &p, triangles, ..Mesh::default() };
        for options in [
            BindOptions::default(),
            BindOptions { softness: 1e-3, fairing: 0.0 },
            BindOptions { softness: 100.0, fairing: 100.0 },
        ] {
            let skin = Skin::bind(&mesh, &rods.strands(), &options).unwrap();
            let twisted = rods.moved(|[x, y, z]| [x, y + 0.1 * z, 2.0 * z], |z| 20.0 * z, |_| 1e-4);
            for now in [&rods, &twisted] {
                let (positions, normals) = deformed(&skin, now);
                for i in 0..p.len() {
                    assert!((skin.anchors(i).iter().map(|a| a.weight).sum::<f64>() - 1.0).abs() < 1e-12);
                    assert!(positions[i].iter().chain(&normals[i]).all(|x| x.is_finite()), "vertex {i}");
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_bound_is_named() {
    let (rods, shell) = arm();
    let says = |mesh: Mesh, rods: &Rods, text: &str| {
        let e = Skin::bind(&mesh, &rods.strands(), &BindOptions::default()).unwrap_err();
        assert!(e.0.contains(text), "{e}, not {text}");
    };
    let mut p = shell.positions.clone();
    p[7][1] = f64::NAN;
    says(Mesh { positions: &p, ..shell.mesh() }, &rods, "positions[7].y is NaN");
    says(Mesh { positions: &[], triangles: &[], ..Mesh::default() }, &rods, "positions has 0");
    says(Mesh { triangles: &[[0, 1, 99_999]], ..shell.mesh() }, &rods, "triangles[0] has vertex 99999");
    says(Mesh { normals: &[[0.0, 0.0, 1.0]], ..shell.mesh() }, &rods, "normals has 1");
    says(shell.mesh(), &Rods::default(), "counts is empty");
    let mut bad = rods.clone();
    bad.radii[3] = 0.0;
    says(shell.mesh(), &bad, "radii[3] is 0");
    bad = rods.clone();
    bad.frames[2] = [0.0; 4];
    says(shell.mesh(), &bad, "frames[2]");
    bad = rods.clone();
    bad.counts[0] = 22;
    says(shell.mesh(), &bad, "entries: there are 22");
    let mut many = Rods::default();
    many.add([0.0, 0.0], 1.0, 70_000, 0.01);
    says(shell.mesh(), &many, "70000 edges");
    let skin = bind(&shell, &rods);
    let mut other = rods.clone();
    other.counts[0] = 3;
    assert!(skin.pose(&other.strands(), &mut Pose::default()).unwrap_err().0.contains("bound to"));
    bad = rods.clone();
    bad.positions[5][2] = f64::INFINITY;
    assert!(skin.pose(&bad.strands(), &mut Pose::default()).unwrap_err().0.contains("positions of the strands[5].z is inf"));
}

#[test]
fn painted_weights_are_taken() {
    let (rods, shell) = arm();
    let n = shell.positions.len();
    let held = vec![[3, 4, 9, 77]; n];
    let mut weights = vec![[2.0, 1.0, 1.0, 0.0]; n];
    let skin = Skin::with_weights(&shell.mesh(), &rods.strands(), &held, &weights).unwrap();
    let a = skin.anchors(40);
    assert_eq!((a[0].edge, a[1].edge, a[2].edge), (3, 4, 9));
    assert!((a[0].weight - 0.5).abs() < 2e-5 && a[3].weight == 0.0);
    for (x, p) in deformed(&skin, &rods).0.iter().zip(&shell.positions) {
        assert!(distance(*x, *p) < 1e-7);
    }
    weights[5] = [0.0; 4];
    assert!(Skin::with_weights(&shell.mesh(), &rods.strands(), &held, &weights).unwrap_err().0.contains("weights[5]"));
    weights[5] = [1.0, -1.0, 0.0, 0.0];
    assert!(Skin::with_weights(&shell.mesh(), &rods.strands(), &held, &weights).unwrap_err().0.contains("weights[5] has -1"));
    weights[5] = [0.0, 0.0, 0.0, 1.0];
    assert!(Skin::with_weights(&shell.mesh(), &rods.strands(), &held, &weights).unwrap_err().0.contains("edges[5] has 77"));
}

/// Position, normal and tangent of each vertex.
type Frames = Vec<[[f32; 3]; 3]>;

#[test]
fn the_same_bits_for_all_widths_and_threads() {
    let (rods, shell) = arm();
    let tangents: Vec<[f64; 3]> = shell.positions.iter().map(|p| [0.1 - p[1], p[0], 1.0]).collect();
    let mesh = Mesh { tangents: &tangents, ..shell.mesh() };
    let mut first: Option<(Vec<u8>, Frames)> = None;
    let now = rods.moved(|[x, y, z]| [x + z * z, y, 1.5 * z], |z| 8.0 * z, |z| 0.8 + z);
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
            let all = pool.install(|| {
                let skin = Skin::bind(&mesh, &rods.strands(), &BindOptions::default()).unwrap();
                let mut pose = Pose::default();
                skin.pose(&now.strands(), &mut pose).unwrap();
                let n = skin.vertices();
                let (mut p, mut m, mut t) = (vec![[0.0; 3]; n], vec![[0.0; 3]; n], vec![[0.0; 3]; n]);
                let out = Out { positions: &mut p, normals: &mut m, tangents: &mut t, origin: [0.0; 3] };
                skin.deform(&pose, isa, out).unwrap();
                (skin.save(), (0..n).map(|i| [p[i], m[i], t[i]]).collect::<Frames>())
            });
            println!("{threads} threads, {}", isa.name());
            let first = first.get_or_insert_with(|| all.clone());
            assert_eq!(first.0, all.0);
            let bits = |v: &[[[f32; 3]; 3]]| v.iter().flatten().flatten().map(|x| x.to_bits()).collect::<Vec<u32>>();
            assert!(bits(&first.1) == bits(&all.1), "{threads} {}", isa.name());
        }
    }
}

#[test]
fn what_is_saved_is_loaded() {
    let (rods, shell) = arm();
    let tangents = vec![[1.0, 0.0, 0.0]; shell.positions.len()];
    for mesh in [shell.mesh(), Mesh { tangents: &tangents, ..shell.mesh() }] {
        let skin = Skin::bind(&mesh, &rods.strands(), &BindOptions::default()).unwrap();
        let bytes = skin.save();
        assert_eq!(bytes.len(), skin.saved_size());
        let again = Skin::load(&bytes).unwrap();
        assert_eq!(again, skin);
        assert_eq!(again.save(), bytes);
    }
}

#[test]
fn broken_files_are_refused() {
    let (rods, _) = arm();
    let mut shell = Shell::default();
    shell.tube([0.0, 0.0], |_| 0.04, [0.0, 0.4], 6, 10);
    let bytes = bind(&shell, &rods).save();
    let says = |bytes: &[u8], text: &str| {
        let e = Skin::load(bytes).unwrap_err();
        assert!(e.0.contains(text), "{e}, not {text}");
    };
    says(&[], "0 bytes");
    says(b"WITHYSTA and much more, of something else altogether", "do not begin as");
    says(&bytes[..bytes.len() - 1], "its head asks for");
    says(&bytes[..100], "its head asks for");
    says(&[&bytes[..], &[0]].concat(), "its head asks for");
    let mut other = bytes.clone();
    other[8] = 2;
    says(&other, "version 2");
    for at in (32..bytes.len()).step_by(37) {
        let mut bad = bytes.clone();
        bad[at] ^= 0x10;
        says(&bad, "checksum");
    }
    // Any head, with a checksum that fits: refused or loaded, without a panic.
    let sum = |b: &[u8]| b.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    let mut refused = 0;
    for at in 8..bytes.len() - 8 {
        for value in [0, 0x7f, 0xff] {
            let mut bad = bytes.clone();
            bad[at] = value;
            let end = bad.len() - 8;
            let s = sum(&bad[..end]).to_le_bytes();
            bad[end..].copy_from_slice(&s);
            if let Ok(skin) = Skin::load(&bad) {
                assert_eq!(skin.save(), bad);
            } else {
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Two strands side by side that wind around each other: the skin between them has no ridges at the pitch of the edges.
#[test]
fn a_twist_over_two_strands_is_smooth() {
    let mut rods = Rods::default();
    rods.add([-0.021, 0.0], 0.3, 16, 0.02);
    rods.add([0.021, 0.0], 0.3, 16, 0.02);
    let mut shell = Shell::default();
    let (around, along) = (64, 120);
    shell.tube([0.0, 0.0], |z| 0.055 - 0.06 * z, [-0.01, 0.31], around, along);
    let skin = bind(&shell, &rods);
    let wind = |[x, y, z]: [f64; 3]| {
        let (sin, cos) = (PI * (z / 0.3).clamp(0.0, 1.0)).sin_cos();
        [x * cos - y * sin, x * sin + y * cos, z]
    };
    let (positions, _) = deformed(&skin, &rods.moved(wind, |z| PI * z / 0.3, |_| 1.0));
    let p = |i: usize, k: usize| Vec3::from(positions[i * around + k % around].map(f64::from));
    let normal = |i: usize, k: usize| (p(i, k + 1) - p(i, k)).cross(p(i + 1, k) - p(i, k)).normalized_or(Vec3::zero());
    let mut worst = 0.0f64;
    for i in 8..along - 9 {
        for k in 0..around {
            worst = worst.max(normal(i, k).dot(normal(i + 1, k)).clamp(-1.0, 1.0).acos().to_degrees());
        }
    }
    println!("largest angle between neighbouring faces along the arm: {worst:.2}°");
    assert!(worst < 10.0, "{worst}");
}

/// Strands of one edge, and the last edge of a long one: means of edge numbers are rounded, and must not name an edge that is not there.
#[test]
fn no_vertex_holds_on_to_an_edge_that_is_not_there() {
    for (strands, each) in [(7, 1), (1, 100), (3, 33)] {
        let mut rods = Rods::default();
        for k in 0..strands {
            let angle = 2.0 * PI * k as f64 / 7.0;
            rods.add([0.05 * angle.cos(), 0.05 * angle.sin()], 0.4, each, 0.02);
        }
        for triangles in [true, false] {
            let mut shell = Shell::default();
            shell.tube([0.0, 0.0], |_| 0.09, [-0.03, 0.43], 61, 37);
            if !triangles {
                shell.triangles.clear();
            }
            let skin = bind(&shell, &rods);
            let (positions, _) = deformed(&skin, &rods);
            for (x, p) in positions.iter().zip(&shell.positions) {
                assert!(distance(*x, *p) < 1e-7, "{x:?} for {p:?}");
            }
        }
    }
}

/// A mesh without triangles follows the nearest edge, not the middle of the strand.
#[test]
fn points_follow_what_is_near() {
    let mut rods = Rods::default();
    rods.add([0.0, 0.0], 1.0, 100, 0.01);
    let positions = vec![[0.03, 0.0, 0.005], [0.03, 0.0, 0.995], [0.03, 0.0, 0.505]];
    let skin = Skin::bind(&Mesh { positions: &positions, ..Mesh::default() }, &rods.strands(), &BindOptions::default()).unwrap();
    for (i, near) in [0, 99, 50].into_iter().enumerate() {
        for anchor in skin.anchors(i) {
            assert!(anchor.weight == 0.0 || anchor.edge.abs_diff(near) < 2, "vertex {i}: {anchor:?}");
        }
    }
}
