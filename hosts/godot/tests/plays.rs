//! What the nodes do, without the engine: the library's rods, and the shapes that are drawn.

use withy_godot::shape::{hang, length, straight, tube};
use withy_godot::simulation::{Collider, Material, Shape, Simulation};

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

fn collider(id: i64, shape: Shape, position: [f32; 3]) -> Collider {
    Collider { id, shape, friction: 1.0, position, rotation: [0.0, 0.0, 0.0, 1.0] }
}

/// The distance of a point from a shape's surface, whose axes are those of the world.
fn outside(c: &Collider, p: [f32; 3]) -> f32 {
    let d = [0, 1, 2].map(|k| f64::from(p[k] - c.position[k]));
    let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    (match c.shape {
        Shape::Sphere { radius } => norm(d) - radius,
        Shape::Capsule { radius, height } => {
            let half = 0.5 * height - radius;
            norm([d[0], d[1] - d[1].clamp(-half, half), d[2]]) - radius
        }
        Shape::Box { size } => {
            let q = [0, 1, 2].map(|k| d[k].abs() - 0.5 * size[k]);
            norm(q.map(|x| x.max(0.0))) + q.into_iter().fold(f64::MIN, f64::max).min(0.0)
        }
    }) as f32
}

/// Without it the rope's middle hangs a metre below its ends.
#[test]
fn a_rope_lies_over_each_shape_follows_it_and_falls_when_it_goes() {
    let (start, end) = ([-1.0, 2.0, 0.0], [1.0, 2.0, 0.0]);
    for shape in
        [Shape::Sphere { radius: 0.4 }, Shape::Capsule { radius: 0.3, height: 0.8 }, Shape::Box { size: [0.8, 0.8, 0.8] }]
    {
        let damped = Material { damping: 5.0, ..ROPE };
        let mut rope = Simulation::new(hang(start, end, 3.0, 60), Some(&straight(3.0, 60)), &[61], &damped).unwrap();
        let mut c = collider(7, shape, [0.0, -0.5, 0.0]);
        let play = |rope: &mut Simulation, c: &[Collider]| {
            rope.set_colliders(c).unwrap();
            rope.step(1.0 / 60.0, &[start], None, Some(&[end])).unwrap();
        };
        // It comes up from below, and lifts the rope.
        for i in 1..=120 {
            c.position[1] = -0.5 + 2.0 * i as f32 / 120.0;
            play(&mut rope, &[c]);
        }
        (0..120).for_each(|_| play(&mut rope, &[c]));
        let least = rope.points().iter().map(|p| outside(&c, *p)).fold(f32::MAX, f32::min);
        assert!((0.009..0.012).contains(&least), "{shape:?}: it touches: {least}");
        assert!(rope.points()[30][1] > c.position[1] + 0.39, "{shape:?}: it lies on top: {:?}", rope.points()[30]);
        (0..300).for_each(|_| play(&mut rope, &[]));
        assert!((rope.points()[30][1] - 0.995).abs() < 0.03, "{shape:?}: it is gone: {:?}", rope.points()[30]);
    }
}

#[test]
fn a_collider_of_no_size_is_said_once_and_left_out() {
    let mut rope = Simulation::new(hang([0.0; 3], [1.0, 0.0, 0.0], 1.0, 4), None, &[5], &ROPE).unwrap();
    let bad = collider(1, Shape::Sphere { radius: -1.0 }, [0.0, -5.0, 0.0]);
    let good = collider(2, Shape::Sphere { radius: 1.0 }, [0.0, -5.0, 0.0]);
    let what = rope.set_colliders(&[bad, good]).unwrap_err();
    assert!(what.contains("radius is -1"), "{what}");
    assert_eq!(rope.set_colliders(&[bad, good]), Ok(()), "not in every frame");
    assert_eq!(rope.set_colliders(&[good]), Ok(()));
    assert!(rope.set_colliders(&[bad]).is_err(), "anew");
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
