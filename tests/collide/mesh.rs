//! Manifolds with triangle meshes: no edge inside a surface is felt, what is near is found.

use crate::hills::sheet;
use crate::narrow_oracle::*;
use std::sync::Arc;
use withy::collide::narrow::{Geometry, Manifold, TriangleMesh, mesh_manifolds};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Elem, Quat, Transform, Vec3};

type Arrays = (Vec<[f64; 3]>, Vec<[u32; 3]>);

fn mesh<E: Elem>((points, triangles): &Arrays) -> TriangleMesh<E> {
    TriangleMesh::new(points, triangles).unwrap()
}

fn yaw(angle: f64) -> Quat<f64> {
    let (s, c) = (0.5 * angle).sin_cos();
    Quat { x: 0.0, y: s, z: 0.0, w: c }
}

/// Lying on z: the local y axis turned down.
fn lying(angle: f64, tilt: f64) -> Quat<f64> {
    let (s, c) = (0.5 * (core::f64::consts::FRAC_PI_2 + tilt)).sin_cos();
    yaw(angle).compose(Quat { x: s, y: 0.0, z: 0.0, w: c })
}

/// Shape, its rotation, its height where it touches, points.
type Case<'a> = (Solid, &'a dyn Fn(f64) -> Quat<f64>, f64, u32);

#[test]
fn a_flat_sheet_is_one_plane() {
    fn run<E: Elem>(slack: f64) {
        let mut rng = Rng::new(3);
        let sheet = mesh::<E>(&sheet(14, &mut rng, |_, _| 0.0));
        let plate = Solid::Box([0.3, 0.05, 0.2]);
        let wedge = Solid::Hull(vec![
            [-0.2, 0.0, -0.2],
            [0.2, 0.0, -0.2],
            [0.2, 0.0, 0.2],
            [-0.2, 0.0, 0.2],
            [0.0, 0.3, -0.1],
            [0.0, 0.3, 0.1],
        ]);
        let dip = (0.1f64 / 0.4).asin();
        let cases: [Case; 6] = [
            (Solid::Sphere(0.1), &yaw, 0.1, 1),
            (Solid::Capsule(0.2, 0.05), &|a| lying(a, 0.0), 0.05, 2),
            (Solid::Capsule(0.2, 0.05), &yaw, 0.25, 1),
            (Solid::Tapered(0.2, 0.15, 0.05), &|a| lying(a, dip), 0.1, 2),
            (plate, &yaw, 0.05, 4),
            (wedge, &yaw, 0.0, 4),
        ];
        let mut out = Vec::new();
        for (solid, rotation, height, count) in &cases {
            let g = solid.geometry::<E>();
            for round in 0..400 {
                let depth = [0.0, 0.001, 0.01, -0.005][round % 4];
                let position = vec3(rng.range(-0.5, 0.5), height - depth, rng.range(-0.5, 0.5));
                let pose = Transform { position, rotation: rotation(rng.range(0.0, 6.0)) };
                mesh_manifolds(&sheet, &g, &cast_pose(&pose), E::from_f64(0.02), &mut out);
                let say = || format!("{solid:?} {pose:?} {out:?}");
                assert_eq!(out.len(), 1, "{}", say());
                let m: &Manifold<E> = &out[0];
                assert!(m.normal.y.to_f64() > 1.0 - 1e-6, "{}", say());
                assert!(m.count >= *count, "{} points. {}", m.count, say());
                for p in m.points() {
                    assert!((p.separation.to_f64() + depth).abs() < slack, "{}", say());
                }
                let mut features: Vec<u32> = m.points().iter().map(|p| p.feature).collect();
                features.sort_unstable();
                features.dedup();
                assert_eq!(features.len(), m.count as usize, "{}", say());
                // The points reach as far as the shape lies.
                let far = |axis: Vec3<f64>| {
                    m.points().iter().fold(0f64, |f, p| f.max(axis.dot(p.position.map(E::to_f64) - pose.position)))
                };
                let along = pose.rotation.rotate(vec3(0.0, 1.0, 0.0));
                let along = vec3(along.x, 0.0, along.z);
                match solid {
                    Solid::Capsule(h, _) if *count == 2 => {
                        assert!(far(along) > h - 1e-3 && far(-along) > h - 1e-3, "{}", say());
                    }
                    Solid::Box(h) => {
                        let x = pose.rotation.rotate(vec3(1.0, 0.0, 0.0));
                        assert!(far(x) > 0.9 * h[0] && far(-x) > 0.9 * h[0], "{}", say());
                    }
                    _ => {}
                }
            }
        }
    }
    run::<f64>(1e-7);
    run::<f32>(1e-6);
}

/// Distance to a triangle (Ericson, 5.1.5, by its seven regions).
fn to_triangle(p: V, [a, b, c]: [V; 3]) -> (f64, V) {
    let segment = |a: V, b: V| {
        let u = b - a;
        a + u * (u.dot(p - a) / u.length2()).clamp(0.0, 1.0)
    };
    let n = (b - a).cross(c - a);
    let foot = p - n * (n.dot(p - a) / n.length2());
    let inside = |u: V, v: V| (v - u).cross(foot - u).dot(n) >= 0.0;
    let q = if inside(a, b) && inside(b, c) && inside(c, a) {
        foot
    } else {
        [segment(a, b), segment(b, c), segment(c, a)]
            .into_iter()
            .min_by(|q, r| (*q - p).length2().total_cmp(&(*r - p).length2()))
            .unwrap()
    };
    ((p - q).length(), q)
}

#[test]
fn the_nearest_is_found_on_hills() {
    let mut rng = Rng::new(19);
    let arrays = sheet(24, &mut rng, |x, z| 0.15 * (5.0 * x).sin() * (4.0 * z).cos());
    let hills = mesh::<f64>(&arrays);
    let corners: Vec<[V; 3]> = arrays.1.iter().map(|t| t.map(|k| arrays.0[k as usize].into())).collect();
    let mut out = Vec::new();
    let mut touched = 0;
    for _ in 0..4000 {
        let (x, z) = (rng.range(-0.9, 0.9), rng.range(-0.9, 0.9));
        let c = vec3(x, 0.15 * (5.0 * x).sin() * (4.0 * z).cos() + rng.range(0.01, 0.15), z);
        let (distance, q) = corners.iter().map(|t| to_triangle(c, *t)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let r = 0.08;
        let pose = Transform { position: c, rotation: rotation(&mut rng) };
        mesh_manifolds(&hills, &Geometry::Sphere { radius: r }, &pose, 0.02, &mut out);
        let deepest = out.iter().map(Manifold::separation).fold(f64::INFINITY, f64::min);
        let say = || format!("{c:?} at {distance}: {out:?}");
        if distance - r < 0.02 - 1e-9 {
            touched += 1;
            assert!((deepest - (distance - r)).abs() < 1e-6, "{}", say());
            let m = out.iter().min_by(|a, b| a.separation().total_cmp(&b.separation())).unwrap();
            assert!((m.normal - (c - q) * (1.0 / distance)).length() < 0.06, "{}", say());
        } else {
            assert!(out.is_empty(), "{}", say());
        }
        // No contact that no surface has: each is one with some triangle as near as it says.
        for m in &out {
            for p in m.points() {
                let on = p.position - m.normal * (0.5 * p.separation);
                let off = corners.iter().map(|t| to_triangle(on, *t).0).fold(f64::INFINITY, f64::min);
                assert!(off < 2e-3, "{off} {}", say());
            }
        }
    }
    assert!(touched > 1000);
}

/// A roof: on its ridge a sphere stands on the edge; a box on the eaves' side lies on the face.
#[test]
fn ridges_and_valleys() {
    let up = [[-1.0, 0.0, -1.0], [0.0, 0.5, -1.0], [1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [0.0, 0.5, 1.0], [1.0, 0.0, 1.0]];
    let triangles = vec![[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]];
    let roof = mesh::<f64>(&(up.to_vec(), triangles.clone()));
    let mut out = Vec::new();
    let at = |position| Transform { position, rotation: Quat::identity() };
    mesh_manifolds(&roof, &Geometry::Sphere { radius: 0.1 }, &at(vec3(0.0, 0.59, 0.1)), 0.02, &mut out);
    assert_eq!(out.len(), 1, "{out:?}");
    assert!((out[0].normal.y - 1.0).abs() < 1e-9 && (out[0].separation() + 0.01).abs() < 1e-9, "{out:?}");
    // Slid down a little: the face takes over.
    let n = vec3(0.5, 1.0, 0.0) * (1.0 / 1.25f64.sqrt());
    mesh_manifolds(&roof, &Geometry::Sphere { radius: 0.1 }, &at(vec3(0.05, 0.475, 0.1) + n * 0.09), 0.02, &mut out);
    let m = out.iter().min_by(|a, b| a.separation().total_cmp(&b.separation())).unwrap();
    assert!((m.normal - n).length() < 1e-6 && (m.separation() + 0.01).abs() < 1e-6, "{out:?}");
    // A box astride of the ridge: flat on the edge.
    let block = Geometry::Box { half_extents: vec3(0.2, 0.1, 0.3) };
    mesh_manifolds(&roof, &block, &at(vec3(0.0, 0.595, 0.0)), 0.02, &mut out);
    assert!(out.iter().all(|m| m.normal.y > 0.99) && !out.is_empty(), "{out:?}");
    // The valley: two walls, two normals.
    let down: Vec<[f64; 3]> = up.iter().map(|p| [p[0], -p[1], p[2]]).collect();
    let valley = mesh::<f64>(&(down, triangles));
    let height = -0.5 + 0.1 * 1.25f64.sqrt();
    mesh_manifolds(&valley, &Geometry::Sphere { radius: 0.1 }, &at(vec3(0.0, height - 0.001, 0.1)), 0.02, &mut out);
    assert_eq!(out.len(), 2, "{out:?}");
    for m in &out {
        assert!((m.normal.y - 1.0 / 1.25f64.sqrt()).abs() < 1e-6 && m.count == 1, "{out:?}");
    }
}

/// A box dropped in any pose on a closed mesh: where it is pushed there is room, and it is never pulled in.
#[test]
fn normals_lead_out_of_a_closed_mesh() {
    let mut rng = Rng::new(29);
    let block = Solid::Box([0.5, 0.4, 0.6]);
    let mut points = Vec::new();
    for i in 0..8 {
        points.push(
            [0.5, 0.4, 0.6]
                .map(f64::from)
                .iter()
                .enumerate()
                .map(|(k, h)| if i >> k & 1 == 0 { -h } else { *h })
                .collect::<Vec<_>>(),
        );
    }
    let points: Vec<[f64; 3]> = points.iter().map(|p| [p[0], p[1], p[2]]).collect();
    let quads = [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    let mesh = mesh::<f64>(&(points, triangles));
    let mut out = Vec::new();
    let mut touched = 0;
    for kind in [0, 1, 2, 3, 4] {
        for _ in 0..300 {
            let other = random_solid(&mut rng, kind);
            let mut pose = Transform { position: direction(&mut rng) * 2.0, rotation: rotation(&mut rng) };
            for _ in 0..3 {
                let (now, n) = separation(&block, &other, &pose);
                pose.position = pose.position + n * (-0.02 - now);
            }
            mesh_manifolds(&mesh, &other.geometry(), &pose, 0.05, &mut out);
            let deepest = out.iter().map(Manifold::separation).fold(f64::INFINITY, f64::min);
            let say = || format!("{other:?} {pose:?} {out:?}");
            assert!(!out.is_empty() && deepest < 0.0, "{}", say());
            for m in &out {
                for p in m.points() {
                    touched += 1;
                    // On the box's surface, and its normal one of the box there.
                    let on = p.position - m.normal * (0.5 * p.separation);
                    assert!(block.holds(on, 1e-2) && !block.holds(on + m.normal * 0.02, 0.0), "{p:?} {}", say());
                }
            }
        }
    }
    assert!(touched > 1500);
}

#[test]
fn hostile_meshes_give_numbers() {
    let mut rng = Rng::new(37);
    let mut out = Vec::new();
    for round in 0..300 {
        let n = 3 + (rng.next_u64() % 12) as usize;
        let scale = [1e-4, 1.0, 1e3][round % 3];
        // Few places: many coincide, many triangles are slivers.
        let points: Vec<[f64; 3]> = (0..n).map(|_| [0, 1, 2].map(|_| (rng.next_u64() % 4) as f64 * scale)).collect();
        let mut corner = || (rng.next_u64() % n as u64) as u32;
        let triangles: Vec<[u32; 3]> = (0..20).map(|_| [corner(), corner(), corner()]).collect();
        let Ok(mesh) = TriangleMesh::<f32>::new(&points, &triangles) else { continue };
        let shape = Geometry::Mesh(Arc::new(mesh.clone()));
        for kind in 0..5 {
            let g = random_solid(&mut rng, kind).geometry::<f32>();
            for place in [0.0, 1.0, 1.5] {
                let p = (place * scale) as f32;
                let pose = Transform {
                    position: vec3(p, p, 0.5 * p),
                    rotation: cast_pose::<f32>(&Transform { position: Vec3::zero(), rotation: rotation(&mut rng) }).rotation,
                };
                mesh_manifolds(&mesh, &g, &pose, 0.1, &mut out);
                assert!(out.len() <= 32);
                for m in &out {
                    assert!((m.normal.length() - 1.0).abs() < 1e-3 && (1..=4).contains(&m.count), "{m:?}");
                    assert!(m.points().iter().all(|p| p.separation.is_finite() && p.position.length2().is_finite()));
                }
                if let Some(d) = withy::collide::narrow::distance(&shape, &g, &pose) {
                    assert!(d.distance.is_finite());
                }
                let motion = vec3(1.0, -2.0, 0.5);
                if let Some(hit) = withy::collide::narrow::cast(&shape, &g, &pose, motion, 0.0) {
                    assert!((0.0..=1.0).contains(&hit.fraction));
                }
            }
        }
    }
}

/// The tree leaves nothing out.
#[test]
fn the_tree_finds_all() {
    let mut rng = Rng::new(53);
    let arrays = sheet(30, &mut rng, |x, z| 0.3 * (4.0 * x + z).sin());
    let mesh = mesh::<f64>(&arrays);
    for _ in 0..200 {
        let c = direction(&mut rng) * rng.unit();
        let h = vec3(rng.range(0.0, 0.3), rng.range(0.0, 0.3), rng.range(0.0, 0.3));
        let bounds = withy::collide::Bounds { min: c - h, max: c + h };
        let mut found = Vec::new();
        mesh.overlapping(&bounds, |t| found.push(t));
        found.sort_unstable();
        assert!(found.windows(2).all(|w| w[0] < w[1]), "twice");
        for (i, t) in arrays.1.iter().enumerate() {
            let p = t.map(|k| arrays.0[k as usize]);
            let (low, high) = ((c - h).to_array(), (c + h).to_array());
            let meets = (0..3).all(|k| {
                let (a, b) = (p[0][k].min(p[1][k]).min(p[2][k]), p[0][k].max(p[1][k]).max(p[2][k]));
                a <= high[k] && low[k] <= b
            });
            assert!(!meets || found.binary_search(&(i as u32)).is_ok(), "triangle {i} not found");
        }
    }
}
