//! Mass, bounds and hulls of shapes against sampling and closed forms; what descriptions are refused.

use crate::narrow_oracle::*;
use withy::collide::narrow::{Geometry, GeometryDesc, Hull, MassProperties};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Transform, Vec3};

/// Mass properties by a grid of midpoints, n³ in the box of half extent `size`.
fn by_grid(solid: &Solid, size: f64, n: usize) -> MassProperties {
    let step = 2.0 * size / n as f64;
    let volume = step * step * step;
    let planes: Option<Vec<(V, f64)>> = match solid.geometry::<f64>() {
        Geometry::Hull(hull) => Some(hull.faces().iter().map(|f| (f.normal, f.offset)).collect()),
        _ => None,
    };
    let mut inside = Vec::new();
    for i in 0..n * n * n {
        let at = |k: usize| -size + step * (k as f64 + 0.5);
        let x = vec3(at(i % n), at(i / n % n), at(i / n / n));
        let holds = planes.as_ref().map_or_else(|| solid.holds(x, 0.0), |p| p.iter().all(|(n, d)| n.dot(x) <= *d));
        if holds {
            inside.push(x);
        }
    }
    let mass = inside.len() as f64 * volume;
    let center = inside.iter().fold(Vec3::zero(), |c, x| c + *x * (1.0 / inside.len() as f64));
    let mut inertia = [[0.0; 3]; 3];
    for x in &inside {
        let r = (*x - center).to_array();
        let l2: f64 = r.iter().map(|c| c * c).sum();
        for i in 0..3 {
            for j in 0..3 {
                inertia[i][j] += volume * (if i == j { l2 } else { 0.0 } - r[i] * r[j]);
            }
        }
    }
    MassProperties { mass, center, inertia }
}

fn close(what: &str, a: &MassProperties, b: &MassProperties, part: f64) {
    let size = (a.inertia[0][0] / a.mass).sqrt();
    assert!((a.mass / b.mass - 1.0).abs() < part, "{what}: {a:?} {b:?}");
    assert!((a.center - b.center).length() < part * size, "{what}: {a:?} {b:?}");
    for i in 0..3 {
        for j in 0..3 {
            assert!(
                (a.inertia[i][j] - b.inertia[i][j]).abs() < part * a.inertia[0][0].max(a.inertia[1][1]),
                "{what}: {a:?} {b:?}"
            );
        }
    }
}

#[test]
fn mass_is_that_of_a_grid() {
    let mut rng = Rng::new(4);
    let solids = [
        Solid::Sphere(0.7),
        Solid::Capsule(0.4, 0.3),
        Solid::Tapered(0.5, 0.4, 0.2),
        Solid::Tapered(0.2, 0.2, 0.55),
        Solid::Tapered(0.1, 0.6, 0.2),
        Solid::Box([0.3, 0.5, 0.7]),
        random_solid(&mut rng, 4),
    ];
    for solid in &solids {
        let exact = solid.geometry::<f64>().mass(1.0).unwrap();
        close(&format!("{solid:?}"), &exact, &by_grid(solid, 1.0, 100), 0.02);
    }
    // Closed forms.
    let pi = core::f64::consts::PI;
    let sphere = solids[0].geometry::<f64>().mass(2.0).unwrap();
    let mass = 2.0 * 4.0 / 3.0 * pi * 0.343;
    assert!((sphere.mass - mass).abs() < 1e-12 && (sphere.inertia[0][0] - 0.4 * mass * 0.49).abs() < 1e-12);
    assert!((sphere.inertia[1][1] - 0.4 * mass * 0.49).abs() < 1e-12);
    let capsule = solids[1].geometry::<f64>().mass(1.0).unwrap();
    let (rod, caps) = (pi * 0.09 * 0.8, 4.0 / 3.0 * pi * 0.027);
    assert!((capsule.mass - rod - caps).abs() < 1e-12);
    assert!((capsule.inertia[1][1] - (0.5 * rod + 0.4 * caps) * 0.09).abs() < 1e-12);
    let across = rod * (0.64 / 12.0 + 0.09 / 4.0) + caps * (0.4 * 0.09 + 0.16 + 0.75 * 0.4 * 0.3);
    assert!((capsule.inertia[0][0] - across).abs() < 1e-12, "{} {across}", capsule.inertia[0][0]);
    // A box as a hull of its corners.
    let block = solids[5].geometry::<f64>().mass(3.0).unwrap();
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|_| [0.3, 0.5, 0.7])
        .zip(0..8)
        .map(|(h, i)| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -h[k] } else { h[k] }))
        .collect();
    close("corners", &block, &Solid::Hull(corners).geometry::<f64>().mass(3.0).unwrap(), 1e-12);
    assert!(Geometry::<f32>::Plane.mass(1.0).is_none());
}

#[test]
fn compounds_and_principal_axes() {
    let mut rng = Rng::new(8);
    // A box cut in two, put together again, in a turned frame.
    let whole = Solid::Box([0.4, 0.2, 0.6]).geometry::<f64>().mass(5.0).unwrap();
    let half = Solid::Box([0.2, 0.2, 0.6]).geometry::<f64>().mass(5.0).unwrap();
    for _ in 0..20 {
        let pose = Transform { position: direction(&mut rng) * 3.0, rotation: rotation(&mut rng) };
        let parts = [-0.2, 0.2].map(|x| {
            let shift = Transform { position: vec3(x, 0.0, 0.0), ..Transform::identity() };
            half.moved(&pose.compose(shift))
        });
        let sum = MassProperties::combined(&parts).unwrap();
        close("halves", &whole.moved(&pose), &sum, 1e-12);
        let (moments, axes) = sum.principal();
        let mut sorted = moments.to_array();
        sorted.sort_by(f64::total_cmp);
        let mut expected = [whole.inertia[0][0], whole.inertia[1][1], whole.inertia[2][2]];
        expected.sort_by(f64::total_cmp);
        assert!(sorted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{sorted:?} {expected:?}");
        // R diag Rᵀ gives the tensor back.
        let diagonal = MassProperties {
            mass: 1.0,
            center: Vec3::zero(),
            inertia: [[moments.x, 0.0, 0.0], [0.0, moments.y, 0.0], [0.0, 0.0, moments.z]],
        };
        let back = diagonal.moved(&Transform { position: Vec3::zero(), rotation: axes });
        for i in 0..3 {
            for j in 0..3 {
                assert!((back.inertia[i][j] - sum.inertia[i][j]).abs() < 1e-12);
            }
        }
    }
    assert!(MassProperties::combined(&[]).is_none());
}

#[test]
fn bounds_are_the_support_along_the_axes() {
    let mut rng = Rng::new(6);
    for kind in 0..5 {
        for _ in 0..100 {
            let solid = random_solid(&mut rng, kind);
            let pose = Transform { position: direction(&mut rng) * 2.0, rotation: rotation(&mut rng) };
            let b = solid.geometry::<f64>().bounds(&pose);
            for (axis, low, high) in
                [([1.0, 0.0, 0.0], b.min.x, b.max.x), ([0.0, 1.0, 0.0], b.min.y, b.max.y), ([0.0, 0.0, 1.0], b.min.z, b.max.z)]
            {
                let axis = Vec3::from(axis);
                let far = |n: V| solid.support(pose.rotation.conjugate().rotate(n)) + n.dot(pose.position);
                assert!((far(axis) - high).abs() < 1e-6 && (far(-axis) + low).abs() < 1e-6, "{solid:?} {pose:?} {b:?}");
            }
            let r = solid.geometry::<f64>().inner_radius();
            assert!(r > 0.0 && r <= solid.size());
        }
    }
}

/// What every hull must be: closed, convex, around all points, its corners among them.
fn check_hull(points: &[[f64; 3]], slack: f64) -> Hull<f64> {
    let hull = Hull::<f64>::new(points).unwrap();
    let size = points.iter().fold(0.0f64, |m, p| p.iter().fold(m, |m, c| m.max(c.abs())));
    for f in hull.faces() {
        assert!((f.normal.length() - 1.0).abs() < 1e-9);
        for p in points {
            let out = f.normal.dot(Vec3::from(*p)) - f.offset;
            assert!(out < slack * size + 1.001 * hull.excess(), "{p:?} is {out} outside of {f:?}");
        }
    }
    for v in hull.vertices() {
        assert!(points.contains(&v.to_array()));
    }
    for (i, f) in hull.faces().iter().enumerate() {
        let corners = hull.face_loop(i);
        assert!(corners.len() >= 3);
        let at = |k: usize| hull.vertices()[corners[k % corners.len()] as usize];
        for k in 0..corners.len() {
            assert!((f.normal.dot(at(k)) - f.offset).abs() < 1e-5 * size, "corner off its face");
            // Counterclockwise.
            let turn = (at(k + 1) - at(k)).cross(at(k + 2) - at(k + 1)).dot(f.normal);
            assert!(turn > -1e-9 * size * size, "a dent in a face");
        }
    }
    assert_eq!(hull.vertices().len() + hull.faces().len(), hull.edges().len() + 2);
    hull
}

#[test]
fn hulls_hold_their_points() {
    let mut rng = Rng::new(2);
    for round in 0..200 {
        let n = 4 + (rng.next_u64() % 60) as usize;
        let ball = round % 2 == 0;
        let points: Vec<[f64; 3]> = (0..n)
            .map(|_| {
                let d = direction(&mut rng);
                if ball { d.to_array() } else { (d * rng.unit()).to_array() }
            })
            .collect();
        let hull = check_hull(&points, 2e-6);
        if ball {
            assert_eq!(hull.vertices().len(), n, "all points of a sphere are corners");
        }
    }
    // A grid in a cube: six squares. Turned and rounded to f32: still.
    let grid: Vec<[f64; 3]> = (0..343).map(|i| [i % 7, i / 7 % 7, i / 49].map(|c| c as f64 / 3.0 - 1.0)).collect();
    let hull = check_hull(&grid, 2e-6);
    assert_eq!((hull.vertices().len(), hull.faces().len(), hull.edges().len()), (8, 6, 12));
    for _ in 0..50 {
        let q = rotation(&mut rng);
        let turned: Vec<[f64; 3]> =
            grid.iter().map(|p| q.rotate(Vec3::from(*p)).map(|c| f64::from(c as f32)).to_array()).collect();
        let hull = check_hull(&turned, 4e-6);
        assert_eq!((hull.vertices().len(), hull.faces().len(), hull.edges().len()), (8, 6, 12));
    }
    // A cylinder of many sides, a cone, a thin plate.
    let ring = |n: usize, y: f64, r: f64| {
        (0..n).map(move |i| {
            let (s, c) = (i as f64 / n as f64 * core::f64::consts::TAU).sin_cos();
            [r * c, y, r * s]
        })
    };
    let cylinder: Vec<[f64; 3]> = ring(100, -1.0, 0.5).chain(ring(100, 1.0, 0.5)).collect();
    assert_eq!(check_hull(&cylinder, 2e-6).faces().len(), 102);
    let cone: Vec<[f64; 3]> = ring(60, -1.0, 0.5).chain([[0.0, 1.0, 0.0]]).collect();
    assert_eq!(check_hull(&cone, 2e-6).faces().len(), 61);
    let plate: Vec<[f64; 3]> = ring(12, -5e-4, 1.0).chain(ring(12, 5e-4, 1.0)).collect();
    assert_eq!(check_hull(&plate, 2e-6).faces().len(), 14);
    // More corners than there may be: the best of them, and it says by how much the rest is out.
    let many: Vec<[f64; 3]> = (0..3000).map(|_| direction(&mut rng).to_array()).collect();
    let hull = check_hull(&many, 2e-6);
    assert_eq!(hull.vertices().len(), 255);
    assert!(hull.excess() > 1e-4 && hull.excess() < 0.05, "{}", hull.excess());
    // The same again, far from the origin.
    let far: Vec<[f64; 3]> = many.iter().map(|p| p.map(|c| c * 0.1 + 5.0)).collect();
    check_hull(&far, 1e-2);
}

#[test]
fn refusals_name_the_value() {
    let refused = |desc: &GeometryDesc| Geometry::<f32>::new(desc).unwrap_err().message;
    assert!(refused(&GeometryDesc::Sphere { radius: -1.0 }).contains("radius is -1"));
    assert!(refused(&GeometryDesc::Capsule { half_height: f64::NAN, radius: 1.0 }).contains("half_height is NaN"));
    assert!(refused(&GeometryDesc::TaperedCapsule { half_height: 1.0, bottom: 1.0, top: 0.0 }).contains("top is 0"));
    assert!(refused(&GeometryDesc::Box { half_extents: [1.0, 0.0, 1.0] }).contains("half_extents[1] is 0"));
    let square: Vec<[f64; 3]> = (0..16).map(|i| [(i % 4) as f64, 1.0, (i / 4) as f64]).collect();
    for (points, word) in [
        (vec![[0.0; 3]; 3], "3 entries"),
        (vec![[1.0; 3]; 9], "one point"),
        ((0..9).map(|i| [i as f64, 2.0 * i as f64, 0.0]).collect(), "on a line"),
        (square, "on a plane"),
        (vec![[0.0, 0.0, f64::INFINITY]; 5], "points[0]"),
    ] {
        let message = refused(&GeometryDesc::Hull { points: &points });
        let dense = message.replace("Some(0)", "0");
        assert!(dense.contains(word), "{message}");
    }
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert!(refused(&GeometryDesc::Mesh { points: &points, triangles: &[] }).contains("0 entries"));
    let message = refused(&GeometryDesc::Mesh { points: &points, triangles: &[[0, 1, 2], [0, 1, 3]] });
    assert!(message.contains("triangles[1][2] is 3"), "{message}");
    assert!(refused(&GeometryDesc::Mesh { points: &points, triangles: &[[0, 1, 1]] }).contains("none of the 1"));
}
