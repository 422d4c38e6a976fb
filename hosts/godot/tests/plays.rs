//! What the nodes do, without the engine: the library's rods, and the shapes that are drawn.

use withy_godot::shape::{hang, length, straight, tube};
use withy_godot::simulation::{Material, Simulation};

const ROPE: Material = Material {
    radius: 0.01,
    density: 1000.0,
    young_modulus: 1e7,
    stretch_modulus: 1e9,
    damping: 0.5,
    drag: 0.0,
    friction: 0.5,
    gravity: [0.0, -9.81, 0.0],
    substeps: 8,
    hair: false,
    tip_held: true,
};

/// A catenary of 3 m over 2 m hangs down by 1.005 m; a rope of 1 cm is a bit stiff at its ends.
#[test]
fn a_rope_hangs_between_two_places() {
    let (start, end) = ([-1.0, 3.0, 0.5], [1.0, 3.0, 0.5]);
    let first = hang(start, end, 3.0, 30);
    assert!((length(&first) - 3.0).abs() < 5e-3 && first.len() == 31 && first[0] == start && first[30] == end);
    let mut rope = Simulation::new(first, Some(&straight(3.0, 30)), &[31], &ROPE).unwrap();
    for _ in 0..600 {
        rope.step(1.0 / 60.0, &[start], None, Some(&[end])).unwrap();
    }
    let p = rope.points();
    assert!((p[15][1] - 1.995).abs() < 0.02 && p[15][0].abs() < 0.02 && (p[15][2] - 0.5).abs() < 0.01, "{:?}", p[15]);
    assert!((length(p) - 3.0).abs() < 1e-3 && p[0] == start);
    // An end that moves takes the rope along.
    for i in 1..=60 {
        rope.step(1.0 / 60.0, &[start], None, Some(&[[1.0, 3.0 + 0.01 * i as f32, 0.5]])).unwrap();
    }
    assert!((rope.points()[30][1] - 3.6).abs() < 1e-4);
}

#[test]
fn hair_keeps_its_shape_and_turns_with_its_root() {
    let hair =
        Material { radius: 4e-4, young_modulus: 4e9, density: 1300.0, stretch_modulus: 0.0, damping: 4.0, drag: 3.0, ..ROPE };
    let hair = Material { hair: true, tip_held: false, ..hair };
    let strand: Vec<_> = (0..16).map(|i| [0.01 * i as f32, 0.001 * (i * i) as f32 / 16.0, 0.0]).collect();
    let root = [strand[0]];
    let mut s = Simulation::new(strand.clone(), None, &[16], &hair).unwrap();
    let still = [[0.0, 0.0, 0.0, 1.0]];
    (0..60).for_each(|_| s.step(1.0 / 60.0, &root, Some(&still), None).unwrap());
    let off = |s: &Simulation, of: &[[f32; 3]]| s.points().iter().zip(of).map(|(a, b)| length(&[*a, *b])).fold(0.0, f32::max);
    assert!(off(&s, &strand) < 2e-4, "{}", off(&s, &strand));
    // Half a turn about the vertical, in a second.
    for i in 1..=60 {
        let (sin, cos) = (std::f32::consts::PI * i as f32 / 120.0).sin_cos();
        s.step(1.0 / 60.0, &root, Some(&[[0.0, sin, 0.0, cos]]), None).unwrap();
    }
    let end = [[0.0, 1.0, 0.0, 0.0]];
    (0..180).for_each(|_| s.step(1.0 / 60.0, &root, Some(&end), None).unwrap());
    let turned: Vec<_> = strand.iter().map(|p| [-p[0], p[1], -p[2]]).collect();
    assert!(off(&s, &turned) < 1e-3, "{}", off(&s, &turned));
}

#[test]
fn what_the_library_refuses_is_said() {
    let bad = Material { radius: -1.0, ..ROPE };
    let Err(what) = Simulation::new(hang([0.0; 3], [1.0, 0.0, 0.0], 1.0, 4), None, &[5], &bad) else {
        panic!("a negative radius")
    };
    assert!(what.contains("radius is -1"), "{what}");
    let Err(what) = Simulation::new(vec![[0.0; 3]; 5], None, &[4], &ROPE) else { panic!("counts that do not add up") };
    assert!(what.contains("counts"), "{what}");
}

/// Rings at the radius around the line, every edge between two triangles but for the open ends, fronts outside.
#[test]
fn the_tube_is_whole() {
    let line = hang([0.0, 1.0, 0.0], [1.0, 1.0, 0.3], 1.5, 12);
    let t = tube(&line, 0.02, 8);
    assert_eq!((t.places.len(), t.normals.len(), t.triangles.len()), (13 * 8, 13 * 8, 12 * 8 * 6));
    for (i, p) in t.places.iter().enumerate() {
        assert!((length(&[*p, line[i / 8]]) - 0.02).abs() < 1e-5);
    }
    let mut edges = std::collections::HashMap::new();
    for c in t.triangles.chunks(3) {
        for (a, b) in [(c[0], c[1]), (c[1], c[2]), (c[2], c[0])] {
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
        }
        let [a, b, d] = [0, 1, 2].map(|k| t.places[c[k] as usize]);
        let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| d[k] - a[k]));
        let front = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let outside: f32 = (0..3).map(|k| front[k] * t.normals[c[0] as usize][k]).sum();
        // Godot's fronts are clockwise: the right-hand normal points inside.
        assert!(outside < 0.0, "{c:?}");
    }
    assert_eq!(edges.values().filter(|n| **n != 0).count(), 16, "the two open rings");
}
