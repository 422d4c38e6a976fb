//! Distance, casts and rays against sampling.

use crate::narrow_oracle::*;
use withy::collide::kernels::tapered_capsule;
use withy::collide::narrow::{Geometry, GeometryDesc, Hull, cast, distance, point, ray};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Elem, Quat, Transform, Vec3};

#[test]
fn distance_is_the_largest_gap() {
    fn run<E: Elem>(rounds: usize, slack: f64) {
        let mut rng = Rng::new(31);
        for i in 0..KINDS.len() {
            for j in 0..KINDS.len() {
                if i == 5 && j == 5 {
                    continue;
                }
                for _ in 0..rounds {
                    let (a, b) = (random_solid(&mut rng, i), random_solid(&mut rng, j));
                    let position = direction(&mut rng) * rng.range(0.2, 3.0);
                    let pose = Transform { position, rotation: rotation(&mut rng) };
                    let d = distance(&a.geometry::<E>(), &b.geometry(), &cast_pose(&pose)).unwrap();
                    let expected = if matches!(b, Solid::Plane) {
                        separation(&b, &a, &pose.inverse()).0
                    } else {
                        separation(&a, &b, &pose).0
                    };
                    let found = d.distance.to_f64();
                    let say = || format!("{a:?} {b:?} {pose:?} {d:?}, expected {expected}");
                    let f = |v: Vec3<E>| v.map(E::to_f64);
                    let (p, q, n) = (f(d.on_a), f(d.on_b), f(d.normal));
                    assert!((n.length() - 1.0).abs() < 1e-4, "{}", say());
                    // The gap along the normal is a lower bound of the distance, the points an upper one; so is what the search found,
                    // but of overlaps, where faces are preferred by a thousandth of the size.
                    let along = match (&a, &b) {
                        (_, Solid::Plane) => expected,
                        (Solid::Plane, _) => gap(&a, &b, &pose, vec3(0.0, 1.0, 0.0)),
                        _ => gap(&a, &b, &pose, n * (1.0 / n.length())),
                    };
                    let exact = if expected > 0.0 { slack } else { 2e-3 };
                    assert!((along - found).abs() < exact, "along the normal {along}. {}", say());
                    let best = if expected > 0.0 { expected - slack } else { expected - 2e-3 };
                    assert!(found > best && found < expected + 1e-3, "{}", say());
                    assert!((q - p - n * found).length() < 1e-4, "{}", say());
                    // Sampled cones are coarse by 1/400 of their length squared.
                    assert!(a.holds(p, 1e-3) && b.holds(pose.point_back(q), 1e-3), "{}", say());
                }
            }
        }
    }
    run::<f64>(60, 1e-6);
    run::<f32>(20, 2e-5);
}

#[test]
fn rays_stop_at_the_surface() {
    let mut rng = Rng::new(13);
    let mut hits = 0;
    for kind in 0..KINDS.len() {
        for _ in 0..400 {
            let solid = random_solid(&mut rng, kind);
            let g = solid.geometry::<f64>();
            let origin = direction(&mut rng) * rng.range(0.0, 3.0);
            let target = direction(&mut rng) * rng.range(0.0, 0.8);
            let d = (target - origin) * rng.range(0.5, 2.0);
            let found = ray(&g, origin, d);
            // Marched along: the first sample inside.
            let steps = 1000;
            let first = (0..=steps).map(|i| i as f64 / steps as f64).find(|t| solid.holds(origin + d * *t, 0.0));
            let say = || format!("{solid:?} {origin:?} {d:?} {found:?} {first:?}");
            match (&found, first) {
                (None, None) => {}
                (Some(hit), first) => {
                    hits += 1;
                    let x = origin + d * hit.fraction;
                    assert!(solid.holds(x, 2e-4) && (hit.normal.length() - 1.0).abs() < 1e-9, "{}", say());
                    if hit.fraction > 0.0 {
                        // On the surface, and outward: a little back it is outside, and the normal is that of the surface.
                        assert!(!solid.holds(x + hit.normal * 2e-4, 0.0), "{}", say());
                        assert!((solid.support(hit.normal) - hit.normal.dot(x)).abs() < 1e-9, "{}", say());
                        assert!(hit.normal.dot(d) < 0.0);
                    }
                    if let Some(first) = first {
                        assert!((hit.fraction - first).abs() <= 1.1 / steps as f64 || hit.fraction < first + 1e-9, "{}", say());
                        assert!(hit.fraction <= first + 2e-3, "{}", say());
                    }
                    let single = ray(&solid.geometry::<f32>(), origin.map(|c| c as f32), d.map(|c| c as f32));
                    // Grazing rays may miss in f32.
                    if let Some(single) = single
                        && hit.normal.dot(d) < -0.1 * d.length()
                    {
                        assert!((f64::from(single.fraction) - hit.fraction).abs() < 1e-4, "{} {single:?}", say());
                    }
                }
                (None, Some(_)) => panic!("missed. {}", say()),
            }
        }
    }
    assert!(hits > 1000);
}

#[test]
fn casts_stop_where_sampling_does() {
    let mut rng = Rng::new(17);
    let (mut hits, mut misses) = (0, 0);
    for (i, first) in KINDS.iter().enumerate() {
        for (j, second) in KINDS.iter().enumerate().take(5) {
            for _ in 0..100 {
                let (a, b) = (random_solid(&mut rng, i), random_solid(&mut rng, j));
                let (ga, gb) = (a.geometry::<f64>(), b.geometry::<f64>());
                let mut pose = Transform { position: direction(&mut rng) * 4.0, rotation: rotation(&mut rng) };
                if i == 5 {
                    pose.position.y = pose.position.y.abs() + 1.5;
                }
                let motion = direction(&mut rng) * 1.2 - pose.position;
                let motion = motion * rng.range(0.5, 2.0);
                let found = cast(&ga, &gb, &pose, motion, 1e-3);
                let at = |t: f64| Transform { position: pose.position + motion * t, ..pose };
                let gap_at = |t: f64| distance(&ga, &gb, &at(t)).unwrap().distance;
                let say = || format!("{first} {second}: {a:?} {b:?} {pose:?} {motion:?} {found:?}");
                let inside = (0..=400).map(|k| k as f64 / 400.0).find(|t| gap_at(*t) < 0.0);
                match found {
                    Some(hit) => {
                        hits += 1;
                        let d = gap_at(hit.fraction);
                        assert!(d > -1e-6 && d < 2e-3, "{d}. {}", say());
                        assert!(hit.normal.dot(motion) < 0.0, "{}", say());
                        if let Some(inside) = inside {
                            assert!(hit.fraction <= inside, "{inside}. {}", say());
                        }
                        assert!((hit.position - closest(&ga, &gb, &at(hit.fraction))).length() < 1e-6, "{}", say());
                    }
                    None => {
                        misses += 1;
                        assert!(inside.is_none(), "passed through at {inside:?}. {}", say());
                    }
                }
                let (single, double) =
                    (cast(&a.geometry::<f32>(), &b.geometry(), &cast_pose(&pose), motion.map(|c| c as f32), 1e-3), found);
                if let (Some(s), Some(d)) = (single, double)
                    && d.normal.dot(motion) < -0.2 * motion.length()
                {
                    assert!((f64::from(s.fraction) - d.fraction).abs() < 3e-3, "{s:?}. {}", say());
                }
            }
        }
    }
    assert!(hits > 500 && misses > 200, "{hits} {misses}");
}

fn closest(a: &Geometry<f64>, b: &Geometry<f64>, pose: &Transform<f64>) -> Vec3<f64> {
    distance(a, b, pose).unwrap().on_a
}

/// The kernel that rods use, against the gap along its normal and the spheres it is made of.
#[test]
fn the_tapered_kernel_is_the_hull_of_its_spheres() {
    let mut rng = Rng::new(61);
    for _ in 0..4000 {
        let wide = rng.unit() < 0.2;
        let solid = if wide { Solid::Tapered(0.1, 0.1, rng.range(0.3, 0.6)) } else { random_solid(&mut rng, 2) };
        let Solid::Tapered(h, bottom, top) = solid else { unreachable!() };
        let x = direction(&mut rng) * rng.range(0.0, 2.5);
        let found = tapered_capsule(x, h, bottom, top);
        let nearest = (0..=2000)
            .map(|i| {
                let t = i as f64 / 2000.0;
                (x - vec3(0.0, -h + 2.0 * h * t, 0.0)).length() - bottom - (top - bottom) * t
            })
            .fold(f64::INFINITY, f64::min);
        let say = || format!("{solid:?} {x:?}: {} {:?}, sampled {nearest}", found.distance, found.normal);
        // Near the axis the samples are as coarse as their steps.
        let coarse = if found.distance > 0.0 { 1e-5 } else { 1e-3 };
        assert!(found.distance < nearest + 1e-12 && found.distance > nearest - coarse, "{}", say());
        if found.distance > 0.0 {
            let gap = found.normal.dot(x) - solid.support(found.normal);
            assert!((gap - found.distance).abs() < 1e-9, "{gap} {}", say());
        }
        let single = tapered_capsule(x.map(|c| c as f32), h as f32, bottom as f32, top as f32);
        // In f32 a slope within 5e-7 of 1 is a sphere.
        assert!((f64::from(single.distance) - found.distance).abs() < 2e-6, "{} {}", single.distance, say());
        let placed = Transform { position: x, rotation: Quat::identity() };
        let point = distance(&solid.geometry::<f64>(), &Geometry::Sphere { radius: 1e-9 }, &placed).unwrap();
        if found.distance > 1e-6 {
            assert!((point.distance + 1e-9 - found.distance).abs() < 1e-9, "{point:?} {}", say());
        }
    }
}

/// A fast small sphere does not pass a thin box or a sheet of triangles; from behind it passes the sheet.
#[test]
fn nothing_tunnels() {
    let ball = Geometry::<f32>::Sphere { radius: 0.01 };
    let plate = Geometry::<f32>::new(&GeometryDesc::Box { half_extents: [5.0, 1e-3, 5.0] }).unwrap();
    let (points, triangles) = sheet(20, |_, _| 0.0);
    let mesh = Geometry::<f32>::new(&GeometryDesc::Mesh { points: &points, triangles: &triangles }).unwrap();
    let mut rng = Rng::new(23);
    for _ in 0..500 {
        let from = vec3(rng.range(-0.8, 0.8), rng.range(0.2, 20.0), rng.range(-0.8, 0.8));
        let to = vec3(rng.range(-0.8, 0.8), rng.range(-20.0, -0.2), rng.range(-0.8, 0.8));
        let motion = (to - from).map(|c| c as f32);
        let start = Transform { position: from.map(|c| c as f32), rotation: Quat::identity() };
        for g in [&plate, &mesh] {
            let hit = cast(g, &ball, &start, motion, 0.0).expect("a hit");
            assert!(hit.normal.y > 0.999, "{hit:?}");
            let y = start.position.y + motion.y * hit.fraction;
            assert!(y > 0.0 && y < 0.0115 + 2e-5, "{y}");
            // Seen from the ball.
            let turned = cast(&ball, g, &start.inverse(), -motion, 0.0).expect("a hit");
            assert!((turned.fraction - hit.fraction).abs() < 1e-4 && turned.normal.y < -0.999, "{turned:?} {hit:?}");
        }
        let below = Transform { position: to.map(|c| c as f32), rotation: Quat::identity() };
        assert!(cast(&mesh, &ball, &below, -motion, 0.0).is_none());
    }
}

/// (n + 1)² points over −1..1, facing up.
fn sheet(n: usize, height: impl Fn(f64, f64) -> f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let at = |k: usize| 2.0 * k as f64 / n as f64 - 1.0;
    let points = (0..(n + 1) * (n + 1)).map(|i| (at(i % (n + 1)), at(i / (n + 1)))).map(|(x, z)| [x, height(x, z), z]).collect();
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let a = (j * (n + 1) + i) as u32;
            let (b, c, d) = (a + 1, a + n as u32 + 1, a + n as u32 + 2);
            triangles.push([a, c, b]);
            triangles.push([b, c, d]);
        }
    }
    (points, triangles)
}

/// Rays and distances of a mesh against all of its triangles, one by one, by other formulas.
#[test]
fn mesh_queries_are_those_of_its_triangles() {
    let mut rng = Rng::new(41);
    let (points, triangles) = sheet(12, |x, z| 0.2 * (3.0 * x).sin() * (2.0 * z).cos());
    let mesh = Geometry::<f64>::new(&GeometryDesc::Mesh { points: &points, triangles: &triangles }).unwrap();
    let corners: Vec<[V; 3]> = triangles.iter().map(|t| t.map(|k| points[k as usize].into())).collect();
    let mut hits = 0;
    for _ in 0..2000 {
        let (o, d) = (direction(&mut rng) * rng.range(0.0, 2.0), direction(&mut rng) * rng.range(0.1, 4.0));
        // Solved as a linear system (Cramer).
        let mut best: Option<(f64, u32)> = None;
        for (i, [a, b, c]) in corners.iter().enumerate() {
            let (u, v, w) = (*b - *a, *c - *a, o - *a);
            let det = u.dot(v.cross(-d));
            let (s, t, f) = (w.dot(v.cross(-d)) / det, u.dot(w.cross(-d)) / det, u.dot(v.cross(w)) / det);
            if s >= 0.0 && t >= 0.0 && s + t <= 1.0 && (0.0..=1.0).contains(&f) && best.is_none_or(|b| f < b.0) {
                best = Some((f, i as u32));
            }
        }
        let found = ray(&mesh, o, d);
        assert_eq!(found.map(|h| h.part), best.map(|b| b.1), "{o:?} {d:?} {found:?} {best:?}");
        if let (Some(h), Some(b)) = (found, best) {
            hits += 1;
            assert!((h.fraction - b.0).abs() < 1e-9 && h.normal.dot(d) < 0.0);
        }
        // Distance of a sphere: by sampling the triangles.
        let Some(found) =
            distance(&mesh, &Geometry::Sphere { radius: 0.1 }, &Transform { position: o, rotation: Quat::identity() })
        else {
            panic!("no distance")
        };
        let mut nearest = f64::INFINITY;
        for [a, b, c] in &corners {
            for i in 0..=8 {
                for j in 0..=8 - i {
                    let x = *a + (*b - *a) * (i as f64 / 8.0) + (*c - *a) * (j as f64 / 8.0);
                    nearest = nearest.min((x - o).length());
                }
            }
        }
        assert!(found.distance <= nearest - 0.1 + 1e-9 && found.distance > nearest - 0.1 - 0.02, "{o:?} {found:?} {nearest}");
    }
    assert!(hits > 200);
    // The middle of every edge, straight from above: watertight.
    for t in &triangles {
        for k in 0..3 {
            let (a, b) = (Vec3::from(points[t[k] as usize]), Vec3::from(points[t[(k + 1) % 3] as usize]));
            let x = (a + b) * 0.5;
            if x.x.abs() < 0.999 && x.z.abs() < 0.999 {
                let single = Geometry::<f32>::new(&GeometryDesc::Mesh { points: &points, triangles: &triangles }).unwrap();
                let o = vec3(x.x as f32, 1.0, x.z as f32);
                assert!(ray(&single, o, vec3(0.0, -2.0, 0.0)).is_some(), "{x:?}");
            }
        }
        if t[0] > 30 {
            break;
        }
    }
}

/// Signed distance of points against that of small spheres, which goes another way; of meshes against the signed distance of the hull that they
/// bound.
#[test]
fn points_are_as_far_as_small_spheres() {
    fn run<E: Elem>(rounds: usize, slack: f64) {
        let mut rng = Rng::new(77);
        let e = E::from_f64;
        let far = e(10.0);
        for kind in 0..KINDS.len() {
            for _ in 0..rounds {
                let solid = random_solid(&mut rng, kind);
                let shape = solid.geometry::<E>();
                let p = direction(&mut rng) * rng.range(0.0, 2.5);
                let found = point(&shape, p.map(e), far, far).unwrap();
                let pose = Transform { position: p.map(e), rotation: Quat { x: e(0.0), y: e(0.0), z: e(0.0), w: e(1.0) } };
                let small = Geometry::Sphere { radius: e(1e-4) };
                let expected = distance(&shape, &small, &pose).unwrap();
                let (d, want) = (found.distance.to_f64(), expected.distance.to_f64() + 1e-4);
                let n = found.normal.map(E::to_f64);
                assert!((n.length() - 1.0).abs() < 1e-4, "{solid:?} {p:?}: normal {n:?}");
                // Deep inside, the spheres' search prefers faces by a thousandth.
                let exact = if want > 0.0 { slack } else { 2e-3 };
                assert!((d - want).abs() < exact, "{solid:?} {p:?}: {d}, {want}");
                assert!(point(&shape, p.map(e), found.distance - e(1e-3), far).is_none());
            }
        }
    }
    run::<f64>(200, 1e-9);
    run::<f32>(200, 2e-5);
}

/// The surface of a random hull, as a mesh: outside as the hull, inside too, as deep as it is asked for.
#[test]
fn points_at_meshes_are_as_far_as_at_hulls() {
    let mut rng = Rng::new(78);
    for _ in 0..40 {
        let points: Vec<[f64; 3]> = (0..12).map(|_| (direction(&mut rng) * rng.range(0.5, 1.0)).to_array()).collect();
        let hull = Hull::<f64>::new(&points).unwrap();
        let corners: Vec<[f64; 3]> = hull.vertices().iter().map(|v| v.to_array()).collect();
        let mut triangles = Vec::new();
        for face in 0..hull.faces().len() {
            let l = hull.face_loop(face);
            triangles.extend((2..l.len()).map(|k| [u32::from(l[0]), u32::from(l[k - 1]), u32::from(l[k])]));
        }
        let mesh = Geometry::<f64>::new(&GeometryDesc::Mesh { points: &corners, triangles: &triangles }).unwrap();
        let hull = Geometry::<f64>::new(&GeometryDesc::Hull { points: &corners }).unwrap();
        for _ in 0..400 {
            let p = direction(&mut rng) * rng.range(0.0, 1.5);
            let (a, b) = (point(&mesh, p, 10.0, 10.0).unwrap(), point(&hull, p, 10.0, 10.0).unwrap());
            // A hull's faces are merged where they are level to 3e-6 of its extent, and lie at the outermost of their corners.
            assert!((a.distance - b.distance).abs() < 1e-5, "{p:?}: {} {}", a.distance, b.distance);
            if b.distance > 1e-2 {
                assert!((a.normal - b.normal).length() < 1e-3, "{p:?}: {:?} {:?}", a.normal, b.normal);
            }
            assert_eq!(point(&mesh, p, 10.0, 0.1).is_none(), b.distance < -0.1, "{p:?}: {}", b.distance);
        }
    }
    // Beside a sheet's edge its back is not felt, before it the edge is.
    let sheet = GeometryDesc::Mesh { points: &[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], triangles: &[[0, 1, 2]] };
    let sheet = Geometry::<f64>::new(&sheet).unwrap();
    assert!(point(&sheet, vec3(-0.1, -0.01, 0.3), 1.0, 1.0).is_none());
    assert!(point(&sheet, vec3(-0.1, 0.01, 0.3), 1.0, 1.0).unwrap().distance > 0.1);
    assert!((point(&sheet, vec3(0.2, -0.01, 0.2), 1.0, 1.0).unwrap().distance + 0.01).abs() < 1e-12);
    assert!(point(&sheet, vec3(f64::NAN, 0.0, 0.2), 1.0, 1.0).is_none());
}
