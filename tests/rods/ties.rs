//! Junctions and triangle attachments (paper, section 5.1): two-way, momentum kept, angles transmitted.

use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::world::*;

fn straight(from: [f64; 3], to: [f64; 3], n: u32) -> Vec<[f64; 3]> {
    let (a, b): (Vec3<f64>, Vec3<f64>) = (from.into(), to.into());
    (0..n).map(|i| (a + (b - a) * (i as f64 / (n - 1) as f64)).to_array()).collect()
}

fn rods(lines: &[([f64; 3], [f64; 3])], n: u32) -> RodsDesc {
    RodsDesc {
        positions: lines.iter().flat_map(|&(a, b)| straight(a, b, n)).collect(),
        counts: vec![n; lines.len()],
        radii: vec![0.01],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        ..RodsDesc::default()
    }
}

fn root(strand: u32) -> StrandEnd {
    StrandEnd { strand, tip: false }
}

fn world(gravity: f64, substeps: u32, iterations: u32) -> World {
    World::new(WorldDesc { gravity: [0.0, -gravity, 0.0], substeps, iterations, double_precision: true, ..WorldDesc::default() })
        .unwrap()
}

fn positions(w: &World, id: Id) -> Vec<Vec3<f64>> {
    let mut out = Vec::new();
    w.rods(id).unwrap().read_positions(|_, p| out.push(p.into()));
    out
}

/// A star of three rods in free flight: what holds it together are inner forces.
#[test]
fn a_spinning_star_keeps_its_shape_and_falls_straight() {
    let mut w = world(0.0, 20, 10);
    let arm = |k: f64| {
        let a = k * core::f64::consts::TAU / 3.0;
        ([0.0, 0.0, 0.0], [a.cos() * 0.5, 0.0, a.sin() * 0.5])
    };
    let mut d = rods(&[arm(0.0), arm(1.0), arm(2.0)], 8);
    // 1 m/s along x, 1 rad/s about y.
    d.velocities = d.positions.iter().map(|p| [1.0 + p[2], 0.0, -p[0]]).collect();
    let id = w.add_rods(d).unwrap();
    w.add_junction(&[(id, root(0)), (id, root(1)), (id, root(2))], 0.05, 0.05).unwrap();
    for _ in 0..120 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let p = positions(&w, id);
    let center = p[0];
    // The junction's body starts at rest, so the star is a little slower than its arms were.
    assert!(center.x > 1.0 && center.x < 2.0, "{center:?}");
    assert!(center.y.abs() < 0.02, "{center:?}");
    for k in 0..3 {
        assert!((p[8 * k] - center).length() < 1e-4, "root {k} left the junction: {:?}", p[8 * k] - center);
        let a = (p[8 * k + 7] - center) * 2.0;
        let b = (p[8 * ((k + 1) % 3) + 7] - center) * 2.0;
        let angle = a.dot(b) / (a.length() * b.length());
        assert!((angle + 0.5).abs() < 0.05, "arms {k} and next are at cos {angle}, were at -0.5");
    }
}

/// A horizontal bar held at one end, joined to a second bar: the moment must go through the junction.
#[test]
fn a_junction_transmits_bending() {
    let sag = |joined: bool| {
        let mut w = world(9.81, 40, 20);
        let mut d = rods(&[([0.0; 3], [0.5, 0.0, 0.0]), ([0.5, 0.0, 0.0], [1.0, 0.0, 0.0])], 6);
        d.damping = 5.0;
        d.drag = 2.0;
        let id = w.add_rods(d).unwrap();
        // Hold the first two vertices: a clamp that leaves the root free to be listed as an end.
        for v in 0..2 {
            w.rods_mut(id).unwrap().set_pin(v, Some([0.1 * v as f64, 0.0, 0.0]), false).unwrap();
        }
        if joined {
            w.add_junction(&[(id, StrandEnd { strand: 0, tip: true }), (id, root(1))], 0.05, 1e-3).unwrap();
        }
        for _ in 0..90 {
            w.step(1.0 / 60.0, &Inline).unwrap();
        }
        positions(&w, id)
    };
    let p = sag(true);
    // A 1 m cantilever of the same section: w L⁴ / 8 B, B = E π r⁴ / 4.
    let (weight, b) = (1000.0 * core::f64::consts::PI * 1e-4 * 9.81, 1e7 * core::f64::consts::PI * 1e-8 / 4.0);
    let expected = weight * 0.9f64.powi(4) / (8.0 * b);
    let got = -p[11].y;
    // The junction's own softness and large rotation allow a band, not a factor.
    assert!(got > 0.5 * expected.min(1.0) && got < 1.0, "tip sank {got}, a whole bar {expected} (small rotations)");
    assert!((p[5] - p[6]).length() < 1e-3);
    assert!(sag(false)[11].y < -5.0, "without the junction the second bar falls");
}

/// A clamped bar in two pieces: the joint carries force and moment, and the tip comes to hang where that of a whole bar does, with direct pieces, swept
/// ones, and one of each.
#[test]
fn a_bar_in_two_pieces_hangs_as_a_whole_one() {
    let tip = |orders: &[SweepOrder], substeps: u32, iterations: u32| {
        let mut w = world(9.81, substeps, iterations);
        let bar = |from: f64, to: f64, n: u32, root, order| {
            let stiffness = Stiffness::Physical { young: 1e8, shear: 4e7 };
            RodsDesc { damping: 5.0, drag: 4.0, root, order, stiffness, ..rods(&[([from, 0.0, 0.0], [to, 0.0, 0.0])], n) }
        };
        let (held, free) = (EndSupport::Clamped, EndSupport::Free);
        let last = match *orders {
            [one] => w.add_rods(bar(0.0, 1.0, 21, held, one)).unwrap(),
            [first, second] => {
                let a = w.add_rods(bar(0.0, 0.5, 11, held, first)).unwrap();
                let b = w.add_rods(bar(0.5, 1.0, 11, free, second)).unwrap();
                w.add_junction(&[(a, StrandEnd { strand: 0, tip: true }), (b, root(0))], 0.0, 0.0).unwrap();
                b
            }
            _ => unreachable!(),
        };
        for _ in 0..240 {
            w.step(1.0 / 60.0, &Inline).unwrap();
        }
        *positions(&w, last).last().unwrap()
    };
    let (direct, swept) = (SweepOrder::Direct, SweepOrder::Alternating);
    let whole = tip(&[direct], 8, 1);
    for (substeps, iterations, bar) in [(8, 4, 0.02), (8, 10, 0.02), (40, 10, 0.015)] {
        let off = |orders: &[SweepOrder]| (tip(orders, substeps, iterations) - whole).length();
        let (both, mixed, none) = (off(&[direct, direct]), off(&[direct, swept]), off(&[swept, swept]));
        println!("{substeps} × {iterations}: direct {both:.1e}, direct and swept {mixed:.1e}, swept {none:.1e} m");
        assert!(both < bar && mixed < 1.5 * none);
    }
}

/// A rod hangs on a triangle of a mesh that the host integrates: the host reads back the pull.
#[test]
fn a_triangle_is_pulled_by_what_hangs_on_it() {
    let mut w = world(9.81, 10, 10);
    let d = rods(&[([0.2, 1.0, 0.2], [0.2, 0.0, 0.2])], 11);
    let id = w.add_rods(d).unwrap();
    let corners = vec![[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]];
    let mesh = w
        .add_mesh(MeshDesc {
            positions: corners.clone(),
            triangles: vec![[0, 2, 1]],
            inv_masses: vec![0.1; 3],
            ..MeshDesc::default()
        })
        .unwrap();
    w.attach_triangle(id, root(0), mesh, 0, [0.6, 0.2, 0.2], true).unwrap();
    for _ in 0..30 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut pull = Vec::new();
    w.read_mesh_corrections(mesh, |_, c| pull.push(c)).unwrap();
    assert!(pull.iter().all(|c| c[1] < 0.0), "{pull:?}");
    assert!(pull[0][1] < pull[1][1], "the nearest corner is pulled most: {pull:?}");
    // The end stays on the triangle, wherever that went.
    let mut at = Vec3::zero();
    w.read_mesh_positions(mesh, |i, x| at = at + Vec3::from(x) * [0.6, 0.2, 0.2][i]).unwrap();
    assert!((positions(&w, id)[0] - at).length() < 1e-4);
    // The host takes the corrections over and they start again from zero.
    w.set_mesh_positions(mesh, |i| corners[i], false).unwrap();
    w.read_mesh_corrections(mesh, |_, c| assert_eq!(c, [0.0; 3])).unwrap();
}

/// A deformable cube on a rod, as in the paper's fig. 8: it hangs, stays a cube, and stops on the ground.
#[test]
fn a_cube_of_points_hangs_and_lands() {
    let mut w = world(9.81, 10, 10);
    let id = w.add_rods(rods(&[([0.0, 2.0, 0.0], [0.0, 1.0, 0.0])], 11)).unwrap();
    w.rods_mut(id).unwrap().set_pin(0, Some([0.0, 2.0, 0.0]), false).unwrap();
    let corner = |i: usize| [(i & 1) as f64 * 0.2 - 0.1, 0.8 + (i >> 1 & 1) as f64 * 0.2, (i >> 2) as f64 * 0.2 - 0.1];
    let mesh = w
        .add_mesh(MeshDesc {
            positions: (0..8).map(corner).collect(),
            triangles: vec![[2, 6, 7], [2, 7, 3]],
            inv_masses: vec![80.0; 8],
            edge_compliance: Some(0.0),
            extra_edges: (0..8u32).flat_map(|a| (a + 1..8).map(move |b| [a, b])).collect(),
            drag: 0.1,
            collides: None,
        })
        .unwrap();
    w.attach_triangle(id, StrandEnd { strand: 0, tip: true }, mesh, 0, [0.5, 0.0, 0.5], true).unwrap();
    let read = |w: &World| {
        let mut x: Vec<Vec3<f64>> = Vec::new();
        w.read_mesh_positions(mesh, |_, p| x.push(p.into())).unwrap();
        x
    };
    for _ in 0..60 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let x = read(&w);
    for a in 0..8 {
        for b in a + 1..8 {
            let (l0, l) = ((Vec3::from(corner(a)) - corner(b).into()).length(), (x[a] - x[b]).length());
            assert!((l / l0 - 1.0).abs() < 0.01, "pair {a} {b}: {l} was {l0}");
        }
    }
    let middle = x.iter().fold(Vec3::zero(), |s, &p| s + p) * 0.125;
    assert!((middle - vec3(0.0, 0.9, 0.0)).length() < 0.05, "it hangs: {middle:?}");
    // Let go: it falls on the plane and stays above it.
    w.add_collider(ColliderDesc::default()).unwrap();
    w.rods_mut(id).unwrap().set_pin(0, None, false).unwrap();
    for _ in 0..120 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let lowest = read(&w).iter().map(|p| p.y).fold(f64::MAX, f64::min);
    assert!((-1e-3..0.05).contains(&lowest), "{lowest}");
}

#[test]
fn ties_are_refused_with_a_reason_and_go_with_their_objects() {
    let mut w = world(9.81, 2, 2);
    let held = w.add_rods(RodsDesc { root: EndSupport::Clamped, ..rods(&[([0.0; 3], [1.0, 0.0, 0.0])], 3) }).unwrap();
    let free = w.add_rods(rods(&[([0.0; 3], [1.0, 0.0, 0.0]), ([0.0; 3], [0.0, 1.0, 0.0])], 3)).unwrap();
    let message = |r: Result<Id>| r.unwrap_err().message;
    assert!(message(w.add_junction(&[(free, root(0)), (held, root(0))], 0.1, 1.0)).contains("ends[1]"));
    assert!(message(w.add_junction(&[(free, root(0)), (free, root(2))], 0.1, 1.0)).contains("strand is 2"));
    assert!(message(w.add_junction(&[(free, root(0)), (free, root(0))], 0.1, 1.0)).contains("same end"));
    assert!(message(w.add_junction(&[(free, root(0))], 0.1, 1.0)).contains("at least 2"));
    assert!(message(w.add_junction(&[(free, root(0)), (free, root(1))], f64::NAN, 1.0)).contains("radius is NaN"));
    let tie = w.add_junction(&[(free, root(0)), (free, root(1))], 0.1, 1.0).unwrap();
    assert!(message(w.add_junction(&[(free, root(0)), (free, root(1))], 0.1, 1.0)).contains("attached already"));
    w.remove_rods(free).unwrap();
    assert_eq!(w.remove_attachment(tie).unwrap_err().kind, ErrorKind::InvalidHandle);
    w.step(1.0 / 60.0, &Inline).unwrap();
}

/// How far a closed curve out of plane, cut into `parts` strands that junctions join to a loop, leaves its start in a second.
fn loop_moves(parts: u32, rest_shape: RestShape) -> f64 {
    const EDGES: u32 = 60;
    let point = |i: u32| {
        let a = core::f64::consts::TAU * f64::from(i % EDGES) / f64::from(EDGES);
        [0.3 * a.cos(), 0.2 * (2.0 * a).sin(), 0.1 * (a + 1.0).sin() + 0.1 * (3.0 * a).cos()]
    };
    let each = EDGES / parts;
    let start: Vec<[f64; 3]> = (0..parts).flat_map(|s| (s * each..=(s + 1) * each).map(point)).collect();
    let mut w = world(0.0, 8, 4);
    let desc = RodsDesc { positions: start.clone(), counts: vec![each + 1; parts as usize], rest_shape, ..rods(&[], 0) };
    let id = w.add_rods(desc).unwrap();
    for s in 0..parts {
        w.add_junction(&[(id, StrandEnd { strand: s, tip: true }), (id, root((s + 1) % parts))], 0.0, 0.0).unwrap();
    }
    for _ in 0..60 {
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    positions(&w, id).iter().zip(start).map(|(p, q)| (*p - Vec3::from(q)).length()).fold(0.0, f64::max)
}

/// Only a strand that closes on itself has its frames relaxed. Over several strands there is nothing to relax: each carries its own
/// twist-free frames, and a junction keeps the turn from one to the next as it is at the start.
#[test]
fn loops_of_one_or_several_strands_rest() {
    for parts in [1, 2, 3] {
        let moved = loop_moves(parts, RestShape::FromPose);
        println!("{parts} strands: {moved:.1e} m");
        assert!(moved < 1e-9, "{parts} strands: {moved} m");
        assert!(loop_moves(parts, RestShape::Straight) > 0.01, "a loop that wants to be straight moves");
    }
}
