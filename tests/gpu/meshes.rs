//! Strands on the GPU beside triangle meshes that the host moves and bends, and beside bodies that are hulls and meshes, against the CPU.

use crate::scene::{V3, ball};
use withy::collide::kernels::on_triangle;
use withy::collide::narrow::{TIE, TriangleMesh};
use withy::gpu::solids::SEARCH;
use withy::math::Vec3;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn world(on_gpu: bool) -> Option<World> {
    world_of(on_gpu, WorldDesc::default())
}
fn world_of(on_gpu: bool, desc: WorldDesc) -> Option<World> {
    crate::device::world(on_gpu, WorldDesc { substeps: 4, iterations: 4, ..desc })
}

fn at(position: V3) -> Pose {
    Pose { position, ..Pose::IDENTITY }
}

/// Ropes of `n` vertices along x, side by side at height `y`.
fn ropes(count: usize, n: usize, y: f64, order: SweepOrder) -> RodsDesc {
    let mut d = RodsDesc {
        radii: vec![4e-3],
        stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
        stretch_modulus: 1e8,
        damping: 2.0,
        friction: 1.0,
        order,
        // What rods on the GPU never do.
        one_way: true,
        ..RodsDesc::default()
    };
    for k in 0..count {
        d.counts.push(n as u32);
        let z = 0.03 * (k as f64 - 0.5 * (count - 1) as f64);
        d.positions.extend((0..n).map(|v| [LENGTH * (v as f64 / (n - 1) as f64 - 0.5), y, z]));
    }
    d
}
const LENGTH: f64 = 0.6;

fn mesh(positions: Vec<V3>, triangles: Vec<[u32; 3]>, friction: f64, both_sides: bool) -> MeshDesc {
    MeshDesc {
        inv_masses: vec![0.0; positions.len()],
        positions,
        triangles,
        collides: Some(MeshCollider { both_sides, clockwise: false, friction, category: 1, mask: u32::MAX }),
        ..MeshDesc::default()
    }
}

fn positions(w: &World, rods: Id) -> Vec<Vec3<f64>> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_positions(|_, p| all.push(Vec3::from(p)));
    all
}

/// Mean and worst distance over the length of a rope.
fn apart(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> [f64; 2] {
    let far: Vec<f64> = a.iter().zip(b).map(|(a, b)| (*a - *b).length() / LENGTH).collect();
    [far.iter().sum::<f64>() / far.len() as f64, far.iter().copied().fold(0.0, f64::max)]
}

/// Half a second of ropes on a ball that is drawn out into an egg, shaken and turned. The last places, the least distance from the middle of the egg as a part
/// of its radius, and how many vertices touched.
fn on_an_egg(mut w: World, order: SweepOrder, integrator: Integrator) -> (Vec<Vec3<f64>>, f64, u32) {
    let (unit, triangles) = ball(8);
    let head = w.add_mesh(mesh(unit.iter().map(|p| p.map(|c| 0.2 * c)).collect(), triangles, 0.5, false)).unwrap();
    let rods = w.add_rods(RodsDesc { integrator, ..ropes(5, 31, 0.215, order) }).unwrap();
    let (mut least, mut touched) = (f64::MAX, 0);
    for frame in 1..=30 {
        let t = f64::from(frame) * DT;
        let (stretch, shift, (sin, cos)) = (1.0 + 0.15 * (1.0 - (4.0 * t).cos()), 0.05 * (6.0 * t).sin(), (0.8 * t).sin_cos());
        let place = |p: V3| [0.2 * (cos * p[0] + sin * p[2]) + shift, 0.2 * stretch * p[1], 0.2 * (cos * p[2] - sin * p[0])];
        w.set_mesh_positions(head, |i| place(unit[i]), false).unwrap();
        w.step(DT, &Inline).unwrap();
        for p in positions(&w, rods) {
            least = least.min(Vec3 { x: (p.x - shift) / 0.2, y: p.y / (0.2 * stretch), z: p.z / 0.2 }.length());
        }
        touched += w.stats().contacts;
    }
    assert_eq!(w.stats().non_finite_strands, 0);
    (positions(&w, rods), least, touched)
}

/// Stated: the mean vertex within 5e-4 of a rope's length of the CPU's, the worst within 5e-3, a hundredth of that where strands are swept; none deeper in the
/// egg than on the CPU by more than a thousandth of its radius; as many contacts, to 2 %.
#[test]
fn ropes_on_a_mesh_that_bends_and_moves_go_as_on_the_cpu() {
    for (order, integrator) in [
        (SweepOrder::Direct, Integrator::First),
        (SweepOrder::Direct, Integrator::Second),
        (SweepOrder::Alternating, Integrator::First),
    ] {
        let Some(gpu) = world(true) else { return };
        let (a, least, touched) = on_an_egg(gpu, order, integrator);
        let (b, least_there, touched_there) = on_an_egg(world(false).unwrap(), order, integrator);
        let [mean, worst] = apart(&a, &b);
        println!(
            "{order:?} {integrator:?}: {mean:e} {worst:e} of the length apart; {least} {least_there} from the middle; {touched} {touched_there}"
        );
        let most = if order == SweepOrder::Direct { 1.0 } else { 1e-2 };
        assert!(mean < 5e-4 * most && worst < 5e-3 * most, "{order:?} {integrator:?}: {mean} {worst}");
        assert!(least > 0.985 && least > least_there - 1e-3, "{order:?} {integrator:?}: {least} {least_there}");
        assert!(touched > 500 && touched.abs_diff(touched_there) * 50 < touched_there, "{touched} {touched_there}");
    }
}

/// A sheet of two triangles that is tilted by `slope` and goes along x, with ropes that lie on it across the slope.
fn on_a_slope(mut w: World, order: SweepOrder, slope: f64, friction: f64) -> Vec<Vec3<f64>> {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let place = |shift: f64| corners.map(|[x, z]| [x + shift, slope * z, z]);
    let sheet = w.add_mesh(mesh(place(0.0).to_vec(), vec![[0, 2, 1], [0, 3, 2]], friction, false)).unwrap();
    let mut d = ropes(3, 21, 0.0, order);
    d.positions.iter_mut().for_each(|p| p[1] = slope * p[2] + 4e-3 * (1.0 + slope * slope).sqrt());
    let rods = w.add_rods(d).unwrap();
    for frame in 1..=30 {
        let shift = 0.1 * (f64::from(frame) * DT).powi(2);
        let now = place(shift);
        w.set_mesh_positions(sheet, |i| now[i], false).unwrap();
        w.step(DT, &Inline).unwrap();
    }
    positions(&w, rods)
}

/// Stated: where friction holds, ropes go with the sheet and each vertex is within 1e-5 of the length of the CPU's; where it does not they slide, and are
/// within 1e-3.
#[test]
fn friction_holds_ropes_on_a_mesh_that_is_tilted_and_moves() {
    for order in [SweepOrder::Direct, SweepOrder::Alternating] {
        for (slope, friction, holds) in [(0.3, 1.0, true), (0.5, 0.04, false)] {
            let Some(gpu) = world(true) else { return };
            let a = on_a_slope(gpu, order, slope, friction);
            let b = on_a_slope(world(false).unwrap(), order, slope, friction);
            let [mean, worst] = apart(&a, &b);
            let begun = ropes(3, 21, 0.0, order).positions;
            let way =
                a.iter().zip(&begun).map(|(p, q)| *p - Vec3::from(*q)).fold(Vec3::zero(), |s, d| s + d) * (1.0 / a.len() as f64);
            println!("{order:?}, friction {friction}: {mean:e} {worst:e} of the length apart; went {way:?}");
            assert!(worst < if holds { 1e-5 } else { 1e-3 }, "{order:?} {friction}: {worst}");
            if holds {
                assert!((way.x - 0.025).abs() < 1e-3 && way.z.abs() < 1e-3, "{way:?}");
            } else {
                assert!(way.z < -0.2, "{way:?}");
            }
        }
    }
}

/// A sheet that is felt from both sides stops what is thrown at it from below, and one that is felt from its front what comes from above.
#[test]
fn a_sheet_stops_strands_from_both_sides() {
    for (both_sides, side) in [(true, -1.0), (true, 1.0), (false, 1.0)] {
        let Some(mut w) = world_of(true, WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }) else { return };
        let corners = vec![[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]];
        w.add_mesh(mesh(corners, vec![[0, 2, 1], [0, 3, 2]], 0.5, both_sides)).unwrap();
        let d = ropes(1, 21, 0.1 * side, SweepOrder::Direct);
        let velocities = vec![[0.0, -15.0 * side, 0.0]; d.positions.len()];
        let rods = w.add_rods(RodsDesc { velocities, ..d }).unwrap();
        for _ in 0..15 {
            w.step(DT, &Inline).unwrap();
            let least = positions(&w, rods).iter().map(|p| p.y * side).fold(f64::MAX, f64::min);
            assert!(least > 0.0, "both sides {both_sides}, from {side}: {least}");
        }
    }
}

/// Ropes fall on a hull that turns, and on a body that is a mesh. Stated: the mean vertex within 1e-3 of the length of the CPU's, the worst within 1e-2.
#[test]
fn ropes_on_hulls_and_on_meshes_of_bodies_go_as_on_the_cpu() {
    let run = |mut w: World, order: SweepOrder, hull: bool| {
        let (unit, triangles) = ball(4);
        let points: Vec<V3> = unit.iter().map(|p| [0.2 * p[0], 0.1 * p[1], 0.15 * p[2]]).collect();
        let shape = if hull { BodyShape::Hull { points } } else { BodyShape::Mesh { positions: points, triangles } };
        let motion = if hull { BodyMotion::Kinematic } else { BodyMotion::Static };
        let shapes = vec![ShapeDesc { shape, ..ShapeDesc::default() }];
        let tilted = Pose { rotation: [0.1_f64.sin(), 0.0, 0.0, 0.1_f64.cos()], ..at([0.02, 0.0, 0.01]) };
        let body = w.add_body(&BodyDesc { motion, shapes, pose: tilted, ..BodyDesc::default() }).unwrap();
        let rods = w.add_rods(ropes(3, 25, 0.115, order)).unwrap();
        let mut touched = 0;
        for frame in 1..=30 {
            let half = 0.1 + 0.2 * f64::from(frame) * DT;
            if hull {
                w.set_body_target(body, Pose { rotation: [half.sin(), 0.0, 0.0, half.cos()], ..tilted }).unwrap();
            }
            w.step(DT, &Inline).unwrap();
            touched += w.stats().contacts;
        }
        (positions(&w, rods), touched)
    };
    for (order, hull) in [(SweepOrder::Direct, true), (SweepOrder::Alternating, true), (SweepOrder::Direct, false)] {
        let Some(gpu) = world(true) else { return };
        let (a, touched) = run(gpu, order, hull);
        let (b, touched_there) = run(world(false).unwrap(), order, hull);
        let [mean, worst] = apart(&a, &b);
        println!("{order:?}, hull {hull}: {mean:e} {worst:e} of the length apart; {touched} {touched_there} contacts");
        assert!(mean < 1e-3 && worst < 1e-2, "{order:?} {hull}: {mean} {worst}");
        assert!(touched > 200 && touched.abs_diff(touched_there) * 20 < touched_there, "{touched} {touched_there}");
    }
}

/// Meshes that stand still, come and go, and change places in the list: what is on the GPU is what is in the world. Stated: the GPU's mean vertex is as far from
/// the CPU's in f32 as 1.5 times that in f64 is, the worst as 3 times. And a saved state comes back.
#[test]
fn meshes_come_and_go_and_states_are_saved_with_them() {
    let run = |mut w: World| {
        let (unit, triangles) = ball(4);
        let place = |p: V3, x: f64| [0.1 * p[0] + x, 0.1 * p[1], 0.1 * p[2]];
        let [left, right] = [(-0.2, false), (0.2, true)].map(|(x, both_sides)| {
            let points = unit.iter().map(|p| place(*p, x)).collect();
            w.add_mesh(mesh(points, triangles.clone(), 0.5, both_sides)).unwrap()
        });
        let rods = w.add_rods(ropes(2, 25, 0.105, SweepOrder::Direct)).unwrap();
        let play = |w: &mut World, frames: usize| (0..frames).for_each(|_| w.step(DT, &Inline).unwrap());
        play(&mut w, 8);
        let mut found = vec![positions(&w, rods)];
        let mut saved = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut saved).unwrap();
        // In the restored state it is where it was, and has not moved.
        w.set_mesh_positions(right, |i| place(unit[i], 0.21), false).unwrap();
        play(&mut w, 3);
        found.push(positions(&w, rods));
        w.restore_state(&saved).unwrap();
        play(&mut w, 3);
        let hash = w.state_hash();
        w.restore_state(&saved).unwrap();
        play(&mut w, 3);
        assert_eq!(w.state_hash(), hash);
        // The right one alone is left, then in the first place.
        w.remove_mesh(left).unwrap();
        play(&mut w, 6);
        found.push(positions(&w, rods));
        w.remove_mesh(right).unwrap();
        play(&mut w, 12);
        found.push(positions(&w, rods));
        found
    };
    let Some(gpu) = world(true) else { return };
    let exact = world_of(false, WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
    let (gpu, cpu, exact) = (run(gpu), run(world(false).unwrap()), run(exact));
    for (stage, cpu) in cpu.iter().enumerate() {
        let ([mean, worst], [mean64, worst64]) = (apart(&gpu[stage], cpu), apart(&exact[stage], cpu));
        println!("{stage}: {mean:e} {worst:e} of the length apart, f64 {mean64:e} {worst64:e}");
        assert!(mean < 1.5 * mean64 && worst < 3.0 * worst64, "{stage}: {mean} {worst}, f64 {mean64} {worst64}");
    }
}

/// Needs no adapter: a search looks at no more nodes and triangles than a dispatch is planned for.
#[test]
fn searches_are_as_short_as_planned() {
    let head = withy::io::head::head_mesh();
    let head = (head.points.iter().map(|p| p.map(f64::from)).collect::<Vec<V3>>(), head.triangles.clone());
    let (unit, triangles) = ball(20);
    let egg = (unit.iter().map(|p| [0.1 * p[0], 0.13 * p[1], 0.1 * p[2]]).collect(), triangles);
    for (points, triangles) in [head, egg] {
        let mesh = TriangleMesh::<f32>::new(&points, &triangles).unwrap();
        let mut rng = withy::math::rng::Rng::new(3);
        let mut turns = Vec::new();
        for _ in 0..8000 {
            let t = (rng.next_u64() % triangles.len() as u64) as usize;
            let away = Vec3::from([0; 3].map(|_| rng.range(-8e-3, 8e-3)));
            let p = (Vec3::from(points[triangles[t][0] as usize]) + away).map(|c| c as f32);
            turns.push(turns_of(&mesh, p, 4.0 * 1e-3 + rng.range(0.0, 4e-3) as f32));
        }
        turns.sort_unstable();
        println!("{} triangles: median {}, 99 % {}, most {}", triangles.len(), turns[4000], turns[7920], turns[7999]);
        assert!(turns[7999] <= SEARCH, "{}", turns[7999]);
    }
}

/// What `nearest` in contacts.wgsl looks at.
fn turns_of(mesh: &TriangleMesh<f32>, p: Vec3<f32>, most: f32) -> usize {
    let (mut best, mut at, mut turns) = (most * most, 0, 0);
    let tie = 1.0 + TIE as f32;
    while let Some(node) = mesh.nodes().get(at) {
        turns += 1;
        let out = (node.bounds.min - p).upper(p - node.bounds.max).upper(Vec3::zero());
        if best * tie < out.length2() {
            at = node.skip as usize;
            continue;
        }
        for slot in node.first..node.first + node.count {
            turns += 1;
            best = best.min((p - on_triangle(mesh.triangle(slot as usize).0, p).at).length2());
        }
        at += 1;
    }
    turns
}

/// Refused in the step, with the reason: a software rasteriser counts the turns of loops.
#[test]
fn what_a_software_adapter_cannot_step_beside_a_mesh_is_said() {
    let Some(mut w) = world(true) else { return };
    let (points, triangles) = ball(8);
    w.add_mesh(mesh(points, triangles, 0.5, false)).unwrap();
    w.add_rods(ropes(1, 59, 2.0, SweepOrder::Direct)).unwrap();
    let refused = w.step(DT, &Inline).err().map(|e| (e.kind, e.message.contains("steps strands of at most 58")));
    let software = w.backend_name().contains("llvmpipe");
    assert_eq!(refused, software.then_some((ErrorKind::Unsupported, true)));
}
