//! Contacts and queries do not touch the heap, once the caller's memory has grown.

use crate::counting::ALLOCATIONS;
use crate::narrow_oracle::*;
use std::sync::atomic::Ordering;
use withy::collide::narrow::{Geometry, GeometryDesc, Manifold, cast, distance, manifold, mesh_manifolds, ray};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Quat, Transform};

pub fn contacts_and_queries() {
    let mut rng = Rng::new(71);
    let shapes: Vec<Geometry<f32>> = (0..36).map(|i| random_solid(&mut rng, i % 6).geometry()).collect();
    let points: Vec<[f64; 3]> =
        (0..121).map(|i| [(i % 11) as f64 * 0.3 - 1.5, rng.range(-0.1, 0.1), (i / 11) as f64 * 0.3 - 1.5]).collect();
    let mut triangles = Vec::new();
    for i in (0..110).filter(|i| i % 11 < 10) {
        triangles.extend([[i, i + 11, i + 1], [i + 1, i + 11, i + 12]]);
    }
    let ground = Geometry::<f32>::new(&GeometryDesc::Mesh { points: &points, triangles: &triangles }).unwrap();
    let Geometry::Mesh(mesh) = &ground else { unreachable!() };
    let mut poses = Vec::new();
    for _ in 0..64 {
        let position = direction(&mut rng) * rng.range(0.0, 1.2);
        poses.push(cast_pose::<f32>(&Transform { position, rotation: rotation(&mut rng) }));
    }
    poses.push(Transform { position: vec3(0.0, 0.0, 0.0), rotation: Quat::identity() });
    let mut many: Vec<Manifold<f32>> = Vec::new();
    let mut one = Manifold::default();
    let (mut before, mut found) = (0, 0);
    for round in 0..2 {
        // The first round grows `many`.
        before = if round == 1 { ALLOCATIONS.load(Ordering::SeqCst) } else { before };
        found = 0;
        for a in &shapes {
            for pose in &poses {
                for b in &shapes {
                    manifold(a, b, pose, 0.05, &mut 0, &mut one);
                    found += one.count;
                }
                mesh_manifolds(mesh, a, pose, 0.05, &mut many);
                found += many.len() as u32;
                let motion = vec3(0.3, -1.0, 0.2);
                found += u32::from(distance(&ground, a, pose).is_some());
                found += u32::from(cast(a, &shapes[7], pose, motion, 0.0).is_some());
                found += u32::from(cast(&ground, a, pose, motion, 0.0).is_some());
                found += u32::from(ray(a, pose.position, motion).is_some());
            }
        }
    }
    assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - before, 0);
    assert!(found > 10_000, "{found}");
}
