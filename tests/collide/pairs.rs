//! Contact manifolds against support functions searched over all directions, in f64 and f32.

use crate::narrow_oracle::*;
use withy::collide::narrow::{Geometry, Manifold, manifold};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Elem, Quat, Transform, Vec3};

fn touch<E: Elem>(a: &Geometry<E>, b: &Geometry<E>, pose: &Transform<E>, reach: f64) -> Manifold<E> {
    let mut out = Manifold::default();
    manifold(a, b, pose, E::from_f64(reach), &mut 0, &mut out);
    out
}

/// A pose at which the shapes are `apart` from each other, or as deep.
fn exact_pose(rng: &mut Rng, a: &Solid, b: &Solid, apart: f64) -> Transform<f64> {
    let mut pose = near_pose(rng, a, b, apart);
    for _ in 0..2 {
        let (now, n) = separation(a, b, &pose);
        pose.position = pose.position + n * (apart - now);
    }
    pose
}

/// A pose at which the shapes are about `apart` from each other.
fn near_pose(rng: &mut Rng, a: &Solid, b: &Solid, apart: f64) -> Transform<f64> {
    let rotation = rotation(rng);
    let n = if matches!(a, Solid::Plane) { vec3(0.0, 1.0, 0.0) } else { direction(rng) };
    let mut pose = Transform { position: n, rotation };
    let gap = gap(a, b, &pose, n);
    pose.position = n * (1.0 - gap + apart);
    pose
}

/// One pair in one pose: least separation and normal against the oracle, points against the shapes.
fn check<E: Elem>(what: &str, a: &Solid, b: &Solid, pose: &Transform<f64>, slack: f64) {
    let reach = 0.5;
    let (ga, gb) = (a.geometry::<E>(), b.geometry::<E>());
    let m = touch(&ga, &gb, &cast_pose::<E>(pose), reach);
    let (expected, _) = separation(a, b, pose);
    let say = || format!("{what}: {a:?} {b:?} {pose:?}: {m:?}, expected {expected}");
    if m.count == 0 {
        assert!(expected > reach - slack, "no contact. {}", say());
        return;
    }
    let f = |v: Vec3<E>| v.map(E::to_f64);
    let n = f(m.normal);
    assert!((n.length() - 1.0).abs() < 1e-5, "{}", say());
    let least = m.separation().to_f64();
    assert!((least - expected).abs() < slack, "separation {least}. {}", say());
    // The normal truly has this gap: no search involved.
    let along = gap(a, b, pose, if matches!(a, Solid::Plane) { vec3(0.0, 1.0, 0.0) } else { n });
    // Two points are given the normal of a face that is within 1.15° of the true one.
    let turned = if m.count > 1 { 0.02 * (a.size() + b.size()) } else { 0.0 };
    assert!((along - expected).abs() < slack + turned, "along the normal {along}. {}", say());
    for p in m.points() {
        let (x, s) = (f(p.position), p.separation.to_f64());
        assert!(s < reach);
        // The two surface points of a contact lie on or in their shapes.
        let (on_a, on_b) = (x - n * (0.5 * s), x + n * (0.5 * s));
        assert!(a.holds(on_a, slack), "point {p:?} off a. {}", say());
        assert!(b.holds(pose.point_back(on_b), slack), "point {p:?} off b. {}", say());
    }
}

fn pairs<E: Elem>(slack: f64, rounds: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for (i, first) in KINDS.iter().enumerate() {
        for (j, second) in KINDS.iter().enumerate().take(5) {
            for _ in 0..rounds {
                let (a, b) = (random_solid(&mut rng, i), random_solid(&mut rng, j));
                // From near to as deep as half of the smaller.
                let apart = rng.range(-0.5 * a.size().min(b.size()).max(0.1), 0.3);
                let pose = exact_pose(&mut rng, &a, &b, apart);
                check::<E>(&format!("{first} {second}"), &a, &b, &pose, slack);
            }
        }
    }
}

#[test]
fn every_pair_f64() {
    pairs::<f64>(4e-3, 150, 11);
}

#[test]
fn every_pair_f32() {
    pairs::<f32>(4e-3, 40, 12);
}

#[test]
fn exchange_mirrors() {
    let mut rng = Rng::new(5);
    for (i, first) in KINDS.iter().enumerate().take(5) {
        for (j, second) in KINDS.iter().enumerate().take(5) {
            for _ in 0..200 {
                let (a, b) = (random_solid(&mut rng, i), random_solid(&mut rng, j));
                let apart = rng.range(-0.2, 0.2);
                let pose = near_pose(&mut rng, &a, &b, apart);
                let (ga, gb) = (a.geometry::<f64>(), b.geometry::<f64>());
                let (m, w) = (touch(&ga, &gb, &pose, 0.3), touch(&gb, &ga, &pose.inverse(), 0.3));
                let what = || format!("{first} {second}: {a:?} {b:?} {pose:?}\n{m:?}\n{w:?}");
                if m.count == 0 || w.count == 0 {
                    assert_eq!(m.count, w.count, "{}", what());
                    continue;
                }
                assert!((m.separation() - w.separation()).abs() < 3e-3, "{}", what());
                // Where two ways out are as short, either may be taken; else the normals agree.
                let back = -pose.rotation.rotate(w.normal);
                assert!((gap(&a, &b, &pose, m.normal) - gap(&a, &b, &pose, back)).abs() < 4e-3, "{}", what());
            }
        }
    }
}

fn at(position: [f64; 3]) -> Transform<f64> {
    Transform { position: position.into(), rotation: Quat::identity() }
}

fn turned(position: [f64; 3], axis: [f64; 3], degrees: f64) -> Transform<f64> {
    let (s, c) = (degrees.to_radians() * 0.5).sin_cos();
    Transform { position: position.into(), rotation: Quat { x: axis[0] * s, y: axis[1] * s, z: axis[2] * s, w: c } }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn counted(a: &Solid, b: &Solid, pose: Transform<f64>, reach: f64) -> Manifold<f64> {
    let m = touch(&a.geometry::<f64>(), &b.geometry(), &pose, reach);
    let single = touch(&a.geometry::<f32>(), &b.geometry(), &cast_pose(&pose), reach);
    assert_eq!(m.count, single.count, "f32 {single:?} f64 {m:?}");
    let mut features: Vec<u32> = m.points().iter().map(|p| p.feature).collect();
    features.sort_unstable();
    features.dedup();
    assert_eq!(features.len(), m.count as usize, "{m:?}");
    m
}

/// The number of points of contacts along lines and faces, and where they are.
#[test]
fn lines_and_faces() {
    let capsule = Solid::Capsule(0.5, 0.1);
    let m = counted(&capsule, &capsule, at([0.19, 0.3, 0.0]), 0.02);
    assert_eq!(m.count, 2);
    let mut y: Vec<f64> = m.points().iter().map(|p| p.position.y).collect();
    y.sort_by(f64::total_cmp);
    assert!((y[0] + 0.2).abs() < 1e-9 && (y[1] - 0.5).abs() < 1e-9, "{m:?}");
    assert!(m.points().iter().all(|p| (p.separation + 0.01).abs() < 1e-9));
    // Crossed: one.
    assert_eq!(counted(&capsule, &capsule, turned([0.19, 0.0, 0.0], X, 90.0), 0.02).count, 1);
    // End to end: one.
    assert_eq!(counted(&capsule, &capsule, at([0.0, 1.19, 0.0]), 0.02).count, 1);

    let block = Solid::Box([1.0, 0.2, 0.6]);
    // A capsule lying on the box, and one that hangs over its rim.
    let m = counted(&block, &capsule, turned([0.0, 0.29, 0.0], Z, 90.0), 0.02);
    assert_eq!((m.count, m.normal), (2, vec3(0.0, 1.0, 0.0)));
    let m = counted(&block, &capsule, turned([0.8, 0.29, 0.0], Z, 90.0), 0.02);
    assert_eq!(m.count, 2);
    assert!(m.points().iter().any(|p| (p.position.x - 1.0).abs() < 1e-9), "{m:?}");
    // Its middle inside of the box: still up.
    let m = counted(&block, &capsule, turned([0.1, 0.1, 0.0], Z, 90.0), 0.02);
    assert_eq!((m.count, m.normal), (2, vec3(0.0, 1.0, 0.0)));
    // Standing: one.
    assert_eq!(counted(&block, &capsule, at([0.0, 0.79, 0.0]), 0.02).count, 1);

    // Box on box: four, turned or not, and at the corners of the smaller.
    let small = Solid::Box([0.3, 0.1, 0.2]);
    for degrees in [0.0, 1e-4, 30.0, 45.0] {
        let m = counted(&block, &small, turned([0.1, 0.299, 0.0], [0.0, 1.0, 0.0], degrees), 0.02);
        assert_eq!(m.count, 4, "{degrees}");
        assert!(m.normal.y > 0.999_999 && m.points().iter().all(|p| (p.separation + 0.001).abs() < 1e-6), "{m:?}");
        let area = spread(&m);
        assert!((area - 0.24).abs() < 1e-3, "{degrees}: {area}");
    }
    // The same centre.
    let m = counted(&block, &block, at([0.0; 3]), 0.02);
    assert!(m.count == 4 && m.normal.y.abs() > 0.999 && (m.separation() + 0.4).abs() < 1e-9, "{m:?}");
    // Edges across each other: one point.
    let edge = turned([0.0, 0.0, 0.0], Z, 45.0);
    let other = Transform { position: vec3(0.0, 0.0, 0.0), rotation: turned([0.0; 3], X, 45.0).rotation };
    let cube = Solid::Box([0.5; 3]);
    let diagonal = 2f64.sqrt() * 0.5;
    let other = Transform { position: vec3(0.0, 2.0 * diagonal - 0.01, 0.0), ..other };
    let m = counted(&cube, &cube, edge.seen(other), 0.02);
    assert!(m.count == 1 && (m.separation() + 0.01).abs() < 1e-6, "{m:?}");

    let tapered = Solid::Tapered(0.5, 0.2, 0.1);
    // On the plane, lying on its side: the axis dips by the slope.
    let dip = (0.1f64).asin().to_degrees();
    let lying = turned([0.0, 0.15, 0.0], Z, -90.0 - dip);
    let m = counted(&Solid::Plane, &tapered, lying, 0.02);
    assert!(m.count == 2 && m.points().iter().all(|p| p.separation.abs() < 1e-9), "{m:?}");
    let top = turned([0.0, 0.35, 0.0], Z, -90.0 - dip);
    let m = counted(&block, &tapered, top, 0.02);
    assert!(m.count == 2 && m.points().iter().all(|p| p.separation.abs() < 1e-9), "{m:?}");
    // Two of them side by side, head to foot: their axes are parallel, a line of contact.
    let m = counted(&tapered, &tapered, turned([0.29 / (1.0f64 - 0.01).sqrt(), 0.0, 0.0], X, 180.0), 0.05);
    assert_eq!(m.count, 2, "{m:?}");
    // Head to head, each leaning by the slope.
    let m = counted(&tapered, &tapered, turned([0.3, 0.03, 0.0], Z, 2.0 * dip), 0.02);
    assert_eq!(m.count, 2, "{m:?}");
    assert!(m.points().iter().all(|p| (p.separation - m.separation()).abs() < 1e-3), "{m:?}");

    for (solid, count) in [(&block, 4), (&capsule, 1), (&Solid::Sphere(0.2), 1)] {
        let h = match solid {
            Solid::Box(_) => 0.2,
            Solid::Capsule(..) => 0.6,
            _ => 0.2,
        };
        assert_eq!(counted(&Solid::Plane, solid, at([0.0, h - 0.01, 0.0]), 0.02).count, count);
    }
}

/// Area of the convex quadrilateral of four points that lie level.
fn spread(m: &Manifold<f64>) -> f64 {
    let c = m.points().iter().fold(Vec3::zero(), |c, p| c + p.position * 0.25);
    let mut p: Vec<Vec3<f64>> = m.points().iter().map(|p| p.position - c).collect();
    p.sort_by(|a, b| a.z.atan2(a.x).total_cmp(&b.z.atan2(b.x)));
    (0..4).map(|i| 0.5 * p[i].cross(p[(i + 1) % 4]).y.abs()).sum()
}

/// Small turns keep most features, so that warm starts find them.
#[test]
fn features_stay() {
    let (block, small) = (Solid::Box([1.0, 0.2, 0.6]).geometry::<f32>(), Solid::Box([0.3, 0.1, 0.2]).geometry::<f32>());
    let mut before: Option<Vec<u32>> = None;
    for i in 0..100 {
        let wobble = (i as f64 * 0.7).sin() * 0.02;
        let pose = turned([0.1 + 0.001 * i as f64, 0.299, 0.0], Z, wobble);
        let m = touch(&block, &small, &cast_pose(&pose), 0.02);
        assert_eq!(m.count, 4, "{m:?}");
        let mut features: Vec<u32> = m.points().iter().map(|p| p.feature).collect();
        features.sort_unstable();
        if let Some(before) = before {
            assert_eq!(before, features, "step {i}");
        }
        before = Some(features);
    }
}

/// Shapes and poses meant to break: sizes from 1 µm to 1 km, coincident, parallel, far, and not quite unit rotations.
#[test]
fn hostile_poses_give_numbers() {
    fn run<E: Elem>(rounds: usize) {
        let mut rng = Rng::new(77);
        let sizes = [1e-6, 1e-3, 1.0, 1e3];
        let pick = |rng: &mut Rng, from: &[f64]| from[(rng.next_u64() % from.len() as u64) as usize];
        let mut hits = 0u64;
        for _ in 0..rounds {
            let solid = |rng: &mut Rng| {
                let (s, t) = (pick(rng, &sizes), pick(rng, &sizes));
                match rng.next_u64() % 8 {
                    0 => Solid::Sphere(s),
                    1 => Solid::Capsule(pick(rng, &[0.0, s]), t),
                    2 => Solid::Tapered(pick(rng, &[0.0, s]), t, pick(rng, &[t, s, 0.5 * t, t + 2.0 * s])),
                    3 => Solid::Box([s, t, s]),
                    4 => Solid::Box([s, s, s]),
                    5 => Solid::Tapered(s, 0.3 * s, 0.2 * s),
                    6 => Solid::Plane,
                    _ => Solid::Hull(
                        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.2, 0.2, -0.01]]
                            .map(|p| p.map(|c| c * s))
                            .to_vec(),
                    ),
                }
            };
            let (a, b) = (solid(&mut rng), solid(&mut rng));
            let place = [0.0, 0.0, 1e-12, 1e-6, 0.5, 1.0, -1.0, 1e4];
            let s = pick(&mut rng, &sizes);
            let position = vec3(pick(&mut rng, &place) * s, pick(&mut rng, &place) * s, pick(&mut rng, &place) * s);
            let half = 0.5f64.sqrt();
            let rotation = match rng.next_u64() % 5 {
                0 => Quat::identity(),
                1 => Quat { x: half, y: 0.0, z: 0.0, w: half },
                2 => Quat { x: 1e-7, y: 0.0, z: 0.0, w: 1.0 },
                3 => Quat { x: 0.0, y: 1.0, z: 0.0, w: 0.0 },
                _ => rotation(&mut rng),
            };
            let pose = Transform { position, rotation };
            let m = touch(&a.geometry::<E>(), &b.geometry(), &cast_pose(&pose), pick(&mut rng, &[0.0, 0.01, 10.0]));
            assert!(m.count <= 4);
            hits += m.count as u64;
            let n = m.normal.map(E::to_f64);
            assert!((n.length() - 1.0).abs() < 1e-3, "{a:?} {b:?} {pose:?} {m:?}");
            for p in m.points() {
                assert!(p.separation.is_finite() && p.position.length2().is_finite(), "{a:?} {b:?} {pose:?} {m:?}");
            }
        }
        assert!(hits > rounds as u64 / 10);
    }
    run::<f32>(100_000);
    run::<f64>(30_000);
}

/// A cache from before never changes what comes out.
#[test]
fn a_cache_changes_nothing() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        let kind = 3 + (rng.next_u64() % 2) as usize;
        let (a, b) = (random_solid(&mut rng, kind), random_solid(&mut rng, 3));
        let (ga, gb) = (a.geometry::<f32>(), b.geometry::<f32>());
        let mut cache = rng.next_u64();
        for k in 0..20 {
            let mut pose = near_pose(&mut rng, &a, &b, 0.1 - 0.01 * k as f64);
            pose.position = pose.position * rng.range(0.9, 1.1);
            let mut out = Manifold::default();
            let pose = cast_pose(&pose);
            manifold(&ga, &gb, &pose, 0.05, &mut cache, &mut out);
            let plain = touch(&ga, &gb, &pose, 0.05);
            assert_eq!(out.count, plain.count, "{a:?} {b:?} {pose:?} {out:?} {plain:?}");
            assert_eq!(out.points(), plain.points());
        }
    }
}

fn cylinder(sides: usize, half_height: f64, radius: f64) -> Solid {
    let ring = |y: f64| {
        (0..sides).map(move |i| {
            let (s, c) = (i as f64 / sides as f64 * core::f64::consts::TAU).sin_cos();
            [radius * c, y, radius * s]
        })
    };
    Solid::Hull(ring(-half_height).chain(ring(half_height)).collect())
}

/// Hulls with faces of many corners and with as many corners as there may be.
#[test]
fn large_hulls() {
    let mut rng = Rng::new(15);
    let drum = cylinder(100, 0.3, 0.5);
    let ball = Solid::Hull((0..255).map(|_| (direction(&mut rng) * 0.5).to_array()).collect());
    for a in [&drum, &ball, &Solid::Box([0.4, 0.3, 0.2]), &Solid::Capsule(0.3, 0.2), &Solid::Plane] {
        for b in [&drum, &ball] {
            for _ in 0..4 {
                let apart = rng.range(-0.1, 0.1);
                let pose = exact_pose(&mut rng, a, b, apart);
                check::<f64>("large", a, b, &pose, 4e-3);
                check::<f32>("large", a, b, &pose, 4e-3);
            }
        }
    }
    // A drum on a drum, straight and leaning by a little: on the rim all around, or on the lowest corner.
    for lean in [0.0, 0.2, 1.0] {
        let dip = 0.5 * f64::to_radians(lean).sin();
        let m = touch(&drum.geometry::<f32>(), &drum.geometry(), &cast_pose(&turned([0.05, 0.599 + dip, 0.0], Z, lean)), 0.02);
        assert!(m.count >= 3 && m.normal.y > 0.999, "{lean}: {m:?}");
        assert!((f64::from(m.separation()) + 0.001).abs() < 3e-4, "{lean}: {m:?}");
    }
}
