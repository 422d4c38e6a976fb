//! Strands and triangle meshes that the host moves and bends.

use crate::scene::ball;
use crate::tied::{DT, line};
use withy::math::Vec3;
use withy::tasks::Inline;
use withy::world::*;

fn head(radius: f64, both_sides: bool) -> (MeshDesc, Vec<[f64; 3]>) {
    let (points, triangles) = ball(12);
    let desc = MeshDesc {
        positions: points.iter().map(|p| p.map(|c| c * radius)).collect(),
        inv_masses: vec![0.0; points.len()],
        triangles,
        collides: Some(MeshCollider { both_sides, clockwise: false, friction: 0.5, category: 1, mask: u32::MAX }),
        ..MeshDesc::default()
    };
    (desc, points)
}

fn positions(w: &World, rods: Id) -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_positions(|_, p| all.push(p));
    all
}

/// Ropes that lie over a ball which is drawn out into an egg, shaken, and let be.
#[test]
fn ropes_stay_on_a_head_that_bends_and_moves() {
    for (double_precision, integrator) in
        [false, true].into_iter().flat_map(|d| [(d, Integrator::First), (d, Integrator::Second)])
    {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let (desc, unit) = head(0.2, false);
        let mesh = w.add_mesh(desc).unwrap();
        let mut p = Vec::new();
        for k in 0..6 {
            let z = 0.03 * (f64::from(k) - 2.5);
            p.extend(line([-0.3, 0.23, z], [0.3, 0.23, z], 61));
        }
        let rods = RodsDesc {
            positions: p,
            counts: vec![61; 6],
            radii: vec![4e-3],
            stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
            stretch_modulus: 1e8,
            damping: 2.0,
            friction: 1.0,
            integrator,
            ..RodsDesc::default()
        };
        let rods = w.add_rods(rods).unwrap();
        let mut touched = 0;
        for frame in 0..240 {
            let t = f64::from(frame + 1) * DT;
            let stretch = 1.0 + 0.3 * (1.0 - (2.0 * t).cos()) * 0.5;
            let shift = 0.05 * (3.0 * t).sin();
            let to = |i: usize| [0.2 * unit[i][0] + shift, 0.2 * stretch * unit[i][1], 0.2 * unit[i][2]];
            w.set_mesh_positions(mesh, to, false).unwrap();
            w.step(DT, &Inline).unwrap();
            touched = w.stats().contacts;
            // Ropes of second order stretch more where they are stopped.
            let most = if integrator == Integrator::First { 0.02 } else { 0.025 };
            let strain = w.stats().largest_strain;
            assert!(strain < most, "f64 {double_precision}, {integrator:?}, frame {frame}: {strain}");
            if frame < 30 {
                continue;
            }
            // None is inside of the egg, whose triangles lie within 2 % of its radius.
            for (i, p) in positions(&w, rods).iter().enumerate() {
                let q = Vec3 { x: (p[0] - shift) / 0.2, y: p[1] / (0.2 * stretch), z: p[2] / 0.2 };
                assert!(q.length() > 0.985, "f64 {double_precision}, frame {frame}, vertex {i}: {}", q.length());
            }
        }
        assert!(touched > 60, "{touched}");
        let low = positions(&w, rods).iter().map(|p| p[1]).fold(f64::MAX, f64::min);
        assert!(low > -0.4, "none has fallen off: {low}");
    }
}

/// A sheet that is felt from both sides holds what lies on it, and what is thrown at it from below.
#[test]
fn a_sheet_stops_strands_from_both_sides() {
    for (both_sides, from_below) in [(true, true), (false, false), (true, false)] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let desc = MeshDesc {
            positions: vec![[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]],
            triangles: vec![[0, 2, 1], [0, 3, 2]],
            inv_masses: vec![0.0; 4],
            collides: Some(MeshCollider { both_sides, clockwise: false, friction: 0.5, category: 1, mask: u32::MAX }),
            ..MeshDesc::default()
        };
        w.add_mesh(desc).unwrap();
        let side = if from_below { -1.0 } else { 1.0 };
        let rods = RodsDesc {
            positions: line([-0.2, 0.1 * side, 0.05], [0.2, 0.1 * side, 0.05], 21),
            counts: vec![21],
            velocities: vec![[0.0, -15.0 * side, 0.0]; 21],
            ..RodsDesc::default()
        };
        let rods = w.add_rods(rods).unwrap();
        for _ in 0..30 {
            w.step(DT, &Inline).unwrap();
            let least = positions(&w, rods).iter().map(|p| p[1] * side).fold(f64::MAX, f64::min);
            assert!(least > 0.0, "both sides {both_sides}, from below {from_below}: {least}");
        }
    }
}

/// The same bits when it is scrubbed back to.
#[test]
fn a_saved_state_goes_on_with_a_mesh_that_moves() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let (desc, unit) = head(0.2, false);
    let mesh = w.add_mesh(desc).unwrap();
    let rods = RodsDesc { positions: line([-0.3, 0.22, 0.0], [0.3, 0.22, 0.0], 41), counts: vec![41], ..RodsDesc::default() };
    w.add_rods(rods).unwrap();
    let frame = |w: &mut World, k: u32| {
        let shift = 0.02 * f64::from(k);
        w.set_mesh_positions(mesh, |i| [0.2 * unit[i][0] + shift, 0.2 * unit[i][1], 0.2 * unit[i][2]], false).unwrap();
        w.step(DT, &Inline).unwrap();
    };
    (0..10).for_each(|k| frame(&mut w, k));
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut state).unwrap();
    (10..20).for_each(|k| frame(&mut w, k));
    let once = w.state_hash();
    w.restore_state(&state).unwrap();
    (10..20).for_each(|k| frame(&mut w, k));
    assert_eq!(w.state_hash(), once);
}

#[test]
fn odd_meshes_are_refused_by_name_or_survived() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let (desc, _) = head(0.2, false);
    let error = |w: &mut World, desc: MeshDesc| w.add_mesh(desc).unwrap_err().message;
    let flat = MeshDesc { positions: vec![[0.0; 3]; desc.positions.len()], ..desc.clone() };
    assert!(error(&mut w, flat).contains("none of the"), "no area");
    let elastic = MeshDesc { edge_compliance: Some(0.0), ..desc.clone() };
    assert!(error(&mut w, elastic).contains("not both"));
    let mut rough = desc.clone();
    rough.collides.as_mut().unwrap().friction = f64::NAN;
    assert!(error(&mut w, rough).contains("friction"));
    let none = MeshDesc { triangles: Vec::new(), ..desc.clone() };
    assert!(error(&mut w, none).contains("triangles has 0"));
    // Doubled and flipped triangles, and slivers.
    let mut odd = desc.clone();
    let more: Vec<[u32; 3]> = odd.triangles.iter().take(40).map(|&[a, b, c]| [a, c, b]).collect();
    odd.triangles.extend(more);
    odd.triangles.extend([[5, 5, 6], [7, 8, 7]]);
    let mesh = w.add_mesh(odd).unwrap();
    let rods = RodsDesc { positions: line([-0.3, 0.25, 0.0], [0.3, 0.25, 0.0], 31), counts: vec![31], ..RodsDesc::default() };
    let rods = w.add_rods(rods).unwrap();
    let there = |w: &mut World, by: f64, size: f64| {
        let d = desc.positions.clone();
        w.set_mesh_positions(mesh, |i| d[i].map(|c| c * size + by), false).unwrap();
        w.step(DT, &Inline).unwrap();
    };
    // It jumps by 10 m through the rope, shrinks to a point, and comes back.
    for k in 0..40 {
        let (by, size) = match k {
            0..10 => (0.0, 1.0),
            10..12 => (10.0, 1.0),
            12..15 => (0.0, 0.0),
            _ => (0.0, 1.0),
        };
        there(&mut w, by, size);
        assert_eq!(w.stats().non_finite_strands, 0, "frame {k}");
    }
    let far = positions(&w, rods).iter().map(|p| Vec3::from(*p).length()).fold(0.0, f64::max);
    assert!(far < 30.0, "{far}");
}

/// A head that covers the roots of a groom, as shape and as mesh, made before the rods and after: what grows out of it is not pressed.
#[test]
fn a_head_that_covers_the_roots_presses_nothing() {
    for (bent, first) in [(false, true), (false, false), (true, true), (true, false)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let mut p = Vec::new();
        for k in 0..8 {
            let a = f64::from(k) * 0.7;
            let n = [a.cos() * 0.6, 0.8, a.sin() * 0.6];
            // The scalp is at 0.1 m, the collider at 0.108.
            p.extend(line(n.map(|c| 0.1 * c), n.map(|c| 0.25 * c), 31));
        }
        let groom = RodsDesc {
            positions: p,
            counts: vec![31; 8],
            radii: vec![1e-3],
            stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
            root: EndSupport::Clamped,
            damping: 4.0,
            ..RodsDesc::default()
        };
        let add_head = |w: &mut World| {
            if bent {
                w.add_mesh(head(0.108, false).0).unwrap();
            } else {
                w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.108 }, ..ColliderDesc::default() }).unwrap();
            }
        };
        if first {
            add_head(&mut w);
        }
        w.add_rods(groom).unwrap();
        if !first {
            add_head(&mut w);
        }
        let mut strain = 0.0_f64;
        for _ in 0..60 {
            w.step(DT, &Inline).unwrap();
            strain = strain.max(w.stats().largest_strain);
        }
        assert!(strain < 1e-3, "bent {bent}, first {first}: {strain}");
    }
}

/// Two meshes, of which one shrinks to a point while the number of substeps changes and another mesh comes and goes.
#[test]
fn a_mesh_without_an_area_is_still_the_same_mesh() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let (large, unit) = head(0.2, false);
    let small = MeshDesc {
        positions: vec![[0.5, 0.0, 0.0], [0.6, 0.0, 0.0], [0.5, 0.0, 0.1]],
        triangles: vec![[0, 2, 1]],
        inv_masses: vec![0.0; 3],
        ..large.clone()
    };
    let small = w.add_mesh(small).unwrap();
    let large = w.add_mesh(large).unwrap();
    let p = line([-0.3, 0.21, 0.0], [0.3, 0.21, 0.0], 41);
    let rods = w.add_rods(RodsDesc { positions: p, counts: vec![41], ..RodsDesc::default() }).unwrap();
    w.set_mesh_positions(small, |_| [0.5, 0.0, 0.0], false).unwrap();
    for (k, dt) in [DT, 0.2, DT, DT].into_iter().enumerate() {
        w.step(dt, &Inline).unwrap();
        w.set_iterations(4 + k as u32, 1).unwrap();
        let (other, _) = head(0.05, true);
        let other = w.add_mesh(other).unwrap();
        w.step(dt, &Inline).unwrap();
        w.remove_mesh(other).unwrap();
    }
    w.set_mesh_positions(large, |i| unit[i].map(|c| 0.2 * c), false).unwrap();
    for _ in 0..20 {
        w.step(DT, &Inline).unwrap();
    }
    let inside = positions(&w, rods).iter().filter(|p| Vec3::from(**p).length() < 0.19).count();
    assert_eq!(inside, 0);
    assert_eq!(w.stats().non_finite_strands, 0);
}

/// Who restores a state of the past has the same roots covered, wherever the head is now.
#[test]
fn covered_roots_are_in_the_state() {
    let make = |late: bool| {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let p = line([0.0, 0.1, 0.0], [0.0, 0.25, 0.02], 31);
        let rods = RodsDesc { positions: p, counts: vec![31], root: EndSupport::Clamped, ..RodsDesc::default() };
        w.add_rods(rods).unwrap();
        let there = [0.0, if late { -5.0 } else { 0.0 }, 0.0];
        let pose = Pose { position: there, ..Pose::IDENTITY };
        w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.12 }, pose, ..ColliderDesc::default() }).unwrap();
        w
    };
    let (mut one, mut other) = (make(false), make(true));
    one.step(DT, &Inline).unwrap();
    other.step(DT, &Inline).unwrap();
    let mut state = vec![0; one.save_state(&mut []).unwrap()];
    one.save_state(&mut state).unwrap();
    other.restore_state(&state).unwrap();
    for _ in 0..20 {
        one.step(DT, &Inline).unwrap();
        other.step(DT, &Inline).unwrap();
        assert_eq!(one.state_hash(), other.state_hash());
    }
}
