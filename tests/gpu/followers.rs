//! Render hair and skins that the GPU makes from the rods' state there, beside what the CPU makes of the same state when it is read.
//!
//! Both run the same formulas in f32, from the same f32 positions. The GPU makes frames in f32 as well, the CPU in f64. So a position is off by a few roundings
//! of the size of what follows (6e-8 of it each), and of the length of its offset; bounds leave room for about twenty. A tangent is the difference of two
//! positions over their distance.

use crate::device::{device, world};
use withy::gpu::GpuDevice;
use withy::hair::{BindOptions, Guides, Hair, Lod, Out, Plan, Pose as HairPose, Roots, Strands, Target};
use withy::math::rng::Rng;
use withy::math::{Isa, Quat, Vec3};
use withy::skin::{Mesh, Out as SkinOut, Pose as SkinPose, Strands as Pills};
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn far(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (Vec3::from(*a) - Vec3::from(*b)).length()).fold(0.0, |m, x| if x <= m { m } else { x })
}

/// Guides in two sets, of a model each, 7 m from the origin; the strands of the first are so many that it is in several blocks.
fn guides(which: usize) -> RodsDesc {
    let mut d = RodsDesc {
        root: EndSupport::Clamped,
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        order: if which == 0 { SweepOrder::Alternating } else { SweepOrder::Direct },
        model: if which == 0 { RodModel::Ghost } else { RodModel::Der },
        ..RodsDesc::default()
    };
    for s in 0..[40, 5][which] {
        // Of two and three vertices, too.
        let n = 2 + (s * 3) % 11;
        let (x, z) = (7.0 + 0.02 * f64::from(s % 8), 0.02 * f64::from(s / 8) + 0.3 * which as f64);
        d.counts.push(n);
        d.positions.extend((0..n).map(|v| [x, 2.0 - 0.003 * f64::from(v * v), z + 0.02 * f64::from(v)]));
    }
    d
}

/// Curly strands of all kinds among these guides: even ones, uneven ones, of two vertices and of 40.
struct Groom {
    counts: Vec<u32>,
    positions: Vec<[f64; 3]>,
}

fn groom() -> Groom {
    let mut rng = Rng::new(41);
    let mut g = Groom { counts: Vec::new(), positions: Vec::new() };
    for s in 0..400u32 {
        let n = [16, 16, 9, 2, 40, 3][s as usize % 6];
        let (x, z) = (7.0 + 0.17 * rng.unit(), 0.36 * rng.unit());
        let power = if s % 5 == 0 { 1.5 } else { 1.0 };
        g.counts.push(n);
        g.positions.extend((0..n).map(|v| {
            let t = (f64::from(v) / f64::from(n - 1)).powf(power);
            let curl = 0.004 * t;
            [x + curl * (20.0 * t).sin(), 2.0 - 0.1 * t * t, z + 0.12 * t + curl * (20.0 * t).cos()]
        }));
    }
    g
}

/// A world with them, after some frames in which the roots turn and go.
fn combed(gpu: &GpuDevice, frames: u32) -> (World, [Id; 2], Id) {
    let mut w = World::on(gpu, WorldDesc { substeps: 2, iterations: 4, ..WorldDesc::default() }).unwrap();
    let rods = [0, 1].map(|k| w.add_rods(guides(k)).unwrap());
    let g = groom();
    let strands = Strands { counts: &g.counts, positions: &g.positions, widths: &[] };
    let hair = w.add_hair(&rods, HairSource::Groom(strands), &BindOptions::default()).unwrap();
    play(&mut w, rods, 0..frames);
    (w, rods, hair)
}

fn play(w: &mut World, rods: [Id; 2], frames: std::ops::Range<u32>) {
    for frame in frames {
        for (k, id) in rods.into_iter().enumerate() {
            let d = guides(k);
            let starts: Vec<usize> = d.counts.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + *n as usize))).collect();
            let angle = 0.06 * f64::from(frame + 1);
            let (half, turn) = (0.5 * angle, |p: [f64; 3]| {
                let (c, s) = (angle.cos(), angle.sin());
                [7.0 + c * (p[0] - 7.0) + s * p[2], p[1], c * p[2] - s * (p[0] - 7.0)]
            });
            let q = [0.0, half.sin(), 0.0, half.cos()];
            let pose = |s: usize| Pose { position: turn(d.positions[starts[s]]), rotation: q };
            w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
        }
        w.step(DT, &Inline).unwrap();
    }
}

/// Positions and tangents.
type Both = [Vec<[f64; 3]>; 2];

fn read(w: &World, hair: Id, lod: Lod) -> Both {
    let n = w.plan_hair(hair, lod, |_, plan| plan.vertices()).unwrap();
    let mut both = [vec![[f64::NAN; 3]; n], vec![[f64::NAN; 3]; n]];
    let [positions, tangents] = both.each_mut().map(|v| Target::new(v.as_mut_ptr().cast(), 24, true));
    // SAFETY: there is room for as many vertices.
    unsafe { w.read_hair(hair, lod, &Inline, Out::new(positions, tangents)).unwrap() };
    both
}

/// The same of the CPU, from what is read of the rods.
fn read_there(w: &World, rods: &[Id], hair: &Hair, roots: Option<&Roots>, lod: Lod) -> Both {
    let (mut counts, mut positions, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    for &id in rods {
        let r = w.rods(id).unwrap();
        counts.extend(r.counts());
        r.read_positions(|_, x| positions.push(x));
        r.read_frames(|_, x| frames.push(x));
    }
    let (mut pose, mut plan) = (HairPose::default(), Plan::default());
    hair.pose(&Guides { counts: &counts, positions: &positions, frames: &frames }, roots, &mut pose).unwrap();
    plan.update(hair, lod).unwrap();
    let mut both = [vec![[f64::NAN; 3]; plan.vertices()], vec![[f64::NAN; 3]; plan.vertices()]];
    let [positions, tangents] = both.each_mut().map(|v| Target::new(v.as_mut_ptr().cast(), 24, true));
    // SAFETY: there is room for as many vertices, until all parts are written.
    let job = unsafe { hair.job(&pose, &plan, Out::new(positions, tangents)) }.unwrap();
    (0..job.parts()).for_each(|k| job.part(Isa::best(), k));
    both
}

/// m: how far hair and its guides are apart, about.
const SIZE: f64 = 0.5;

fn assert_alike(found: &Both, wanted: &Both, what: &str) {
    let [x, t] = [0, 1].map(|k| far(&found[k], &wanted[k]));
    println!("{what}: {:.1e} of the size, tangents {t:.1e}", x / SIZE);
    assert!(x < 2e-6 * SIZE && t < 5e-4, "{what}: {x} {t}");
    assert!(found[0].iter().all(|p| Vec3::from(*p).length2().is_finite()));
    // Of length 1, but where neighbours are in one place.
    let one = |t: &[f64; 3]| (Vec3::from(*t).length() - 1.0).abs() < 1e-5;
    assert!(found[1].iter().all(one), "{what}");
}

/// Over what was groomed, of all vertices.
fn longest_edge(x: &[[f64; 3]]) -> f64 {
    let (g, mut first, mut worst) = (groom(), 0, 0.0_f64);
    let edge = |of: &[[f64; 3]], v: usize| (Vec3::from(of[v]) - Vec3::from(of[v - 1])).length();
    for n in &g.counts {
        for v in first + 1..first + *n as usize {
            worst = worst.max(edge(x, v) / edge(&g.positions, v));
        }
        first += *n as usize;
    }
    worst
}

#[test]
fn hair_is_that_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let (mut w, rods, id) = combed(gpu, 10);
    let hair = w.hair(id).unwrap().clone();
    let before = w.memory_bytes();
    let found = read(&w, id, Lod::default());
    // Offsets, 12 bytes a vertex, and what is written, 24: it is there.
    assert!(w.memory_bytes() > before + 36 * found[0].len() as u64, "the CPU made it");
    assert_alike(&found, &read_there(&w, &rods, &hair, None, Lod::default()), "all");
    let mut alone = vec![[f64::NAN; 3]; found[0].len()];
    for (k, found) in found.iter().enumerate() {
        let mut targets = [Target::NONE; 2];
        targets[k] = Target::new(alone.as_mut_ptr().cast(), 24, true);
        // SAFETY: there is room for as many vertices.
        unsafe { w.read_hair(id, Lod::default(), &Inline, Out::new(targets[0], targets[1])).unwrap() };
        assert!(alone == *found, "one without the other");
    }
    let went = far(&found[0], &groom().positions);
    assert!(went > 0.1, "{went}");

    // Fewer strands and vertices: to the bit those of all.
    for lod in [Lod { strands: 0.3, vertices: 0.4, width: 1.0 }, Lod { strands: 1e-9, ..Lod::default() }] {
        let [some, ways] = read(&w, id, lod);
        assert_alike(&[some.clone(), ways.clone()], &read_there(&w, &rods, &hair, None, lod), "some");
        let counts = groom().counts;
        let starts: Vec<u32> = counts.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n))).collect();
        let kept = w.plan_hair(id, lod, |_, plan| plan.kept().to_vec()).unwrap();
        for k in kept {
            let (n, s) = (counts[k.strand as usize], starts[k.strand as usize] as usize);
            for (j, v) in [(0, 0), (k.vertices - 1, n - 1)] {
                assert_eq!(some[(k.first + j) as usize], found[0][s + v as usize]);
            }
        }
    }

    // Where the host puts roots: they are there, and turned.
    let counts = groom().counts;
    let turn = Quat { x: 0.3f64.sin(), y: 0.0, z: 0.0, w: 0.3f64.cos() };
    let mut place = 0;
    let points: Vec<[f64; 3]> = counts
        .iter()
        .map(|n| {
            let p = found[0][place];
            place += *n as usize;
            [p[0] + 0.01, p[1] + 1e-9, p[2] - 0.02]
        })
        .collect();
    for rotation in [turn.to_array(), [0.0, 0.6, 0.0, 0.8]] {
        let rotations = vec![rotation; counts.len()];
        w.set_hair_roots(id, points.clone(), rotations.clone()).unwrap();
        let moved = read(&w, id, Lod::default());
        let roots = Roots { positions: &points, rotations: &rotations };
        assert_alike(&moved, &read_there(&w, &rods, &hair, Some(&roots), Lod::default()), "with roots");
        let mut place = 0;
        for (p, n) in points.iter().zip(&counts) {
            assert!((Vec3::from(*p) - Vec3::from(moved[0][place])).length() < 1e-6);
            place += *n as usize;
        }
    }
    w.set_hair_roots(id, Vec::new(), Vec::new()).unwrap();
    assert!(read(&w, id, Lod::default()) == found, "the same bits twice");
}

/// What the host writes between steps counts at once, and a read changes nothing of the steps that come.
#[test]
fn a_read_shows_what_was_written_and_changes_nothing() {
    let Some(gpu) = device() else { return };
    let run = |reads: bool| {
        let (mut w, rods, id) = combed(gpu, 3);
        let hair = w.hair(id).unwrap().clone();
        let check = |w: &World, what: &str| {
            if reads {
                assert_alike(&read(w, id, Lod::default()), &read_there(w, &rods, &hair, None, Lod::default()), what);
            }
        };
        check(&w, "stepped");
        let then = saved(&w);
        let mut now = Vec::new();
        let set = w.rods_mut(rods[0]).unwrap();
        set.read_positions(|_, p| now.push(p));
        set.write_positions(|i| [now[i][0] + 0.2, now[i][1], now[i][2]]).unwrap();
        check(&w, "written");
        check(&w, "read again");
        // Edges of guides that stand across each other: those of the hair would get many times too long.
        let zigzag = |i: usize| if i.is_multiple_of(2) { 0.03 } else { -0.03 };
        let set = w.rods_mut(rods[0]).unwrap();
        set.write_positions(|i| [now[i][0] + zigzag(i), now[i][1] + zigzag(i / 2), now[i][2]]).unwrap();
        check(&w, "thrown about");
        if reads {
            let longest = longest_edge(&read(&w, id, Lod::default())[0]);
            assert!((1.45..1.501).contains(&longest), "{longest} times as long as groomed");
        }
        w.rods_mut(rods[0]).unwrap().write_positions(|i| now[i]).unwrap();
        check(&w, "written back");
        play(&mut w, rods, 3..5);
        check(&w, "stepped on");
        w.restore_state(&then).unwrap();
        check(&w, "restored");
        play(&mut w, rods, 3..5);
        w.state_hash()
    };
    assert_eq!(run(true), run(false));
}

/// Where buffers are small, it is made in pieces: to the bit the same. Rods that go take nothing else along.
#[test]
fn hair_in_pieces_is_one_and_rods_may_go() {
    let Some(gpu) = device() else { return };
    let (a, b) = (combed(gpu, 4), combed(&gpu.with_largest_buffer(50_000), 4));
    for lod in [Lod::default(), Lod { strands: 0.05, vertices: 0.5, width: 1.0 }] {
        assert!(read(&a.0, a.2, lod) == read(&b.0, b.2, lod));
    }
    let (mut w, rods, id) = a;
    w.remove_rods(rods[1]).unwrap();
    let mut room = vec![[0.0f32; 3]; groom().positions.len()];
    let target = Target::new(room.as_mut_ptr().cast(), 12, false);
    // SAFETY: there is room for as many vertices.
    let gone = unsafe { w.read_hair(id, Lod::default(), &Inline, Out::new(target, Target::NONE)) }.unwrap_err();
    assert!(gone.kind == ErrorKind::InvalidHandle && gone.message.contains("rods[1] of the hair"), "{gone}");
    w.remove_hair(id).unwrap();
    w.step(DT, &Inline).unwrap();
}

fn saved(w: &World) -> Vec<u8> {
    let mut state = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut state).unwrap();
    state
}

/// What has flown too far is refused with the CPU's words, and not shown.
#[test]
fn hair_of_guides_that_are_lost_is_refused() {
    let Some(gpu) = device() else { return };
    let mut w = World::on(gpu, WorldDesc { substeps: 1, iterations: 1, ..WorldDesc::default() }).unwrap();
    let d = RodsDesc {
        counts: vec![2],
        positions: vec![[9.9e8, 0.0, 0.0], [9.9e8 + 1e3, 0.0, 0.0]],
        velocities: vec![[1e9, 0.0, 0.0]; 2],
        max_speed: 1e9,
        radii: vec![1.0],
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    };
    let id = w.add_rods(d.clone()).unwrap();
    let strands = Strands { counts: &d.counts, positions: &d.positions, widths: &[] };
    let hair = w.add_hair(&[id], HairSource::Groom(strands), &BindOptions::default()).unwrap();
    assert!(read(&w, hair, Lod::default())[0][0][0] > 9e8);
    (0..3).for_each(|_| w.step(DT, &Inline).unwrap());
    let mut room = [[7.0f32; 3]; 2];
    let target = Target::new(room.as_mut_ptr().cast(), 12, false);
    // SAFETY: there is room for as many vertices.
    let refused = unsafe { w.read_hair(hair, Lod::default(), &Inline, Out::new(target, Target::NONE)) }.unwrap_err();
    assert!(refused.message.contains("positions of the guides[") && refused.message.contains("must be finite"), "{refused}");
    assert_eq!(room, [[7.0; 3]; 2]);
}

/// Arms of two sets: one keeps its volume and hangs, stretched by its weight; the other keeps its radius.
fn arms(gpu: &GpuDevice) -> (World, [Id; 2]) {
    let mut w = World::on(gpu, WorldDesc { substeps: 4, iterations: 4, ..WorldDesc::default() }).unwrap();
    let rods = [0, 1].map(|k: usize| {
        let n = 12u32;
        let mut d = RodsDesc {
            root: EndSupport::Clamped,
            radii: vec![if k == 0 { 0.05 } else { 0.03 }],
            stiffness: Stiffness::Physical { young: if k == 0 { 2e4 } else { 1e5 }, shear: 1e4 },
            order: SweepOrder::Direct,
            poisson_ratio: if k == 0 { 0.45 } else { 0.0 },
            density: 1000.0,
            ..RodsDesc::default()
        };
        for s in 0..2u32 {
            d.counts.push(n);
            let z = 0.4 * f64::from(s) + 0.2 * k as f64;
            d.positions.extend((0..n).map(|v| [3.0 + 0.05 * f64::from(v), 2.0 - 0.02 * f64::from(v), z]));
        }
        w.add_rods(d).unwrap()
    });
    (w, rods)
}

/// Tubes around their strands, with a seam of mixed edges between two of them.
fn tubes(w: &World, rods: [Id; 2]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    const AROUND: u32 = 10;
    for id in rods {
        let r = w.rods(id).unwrap();
        let (mut axis, mut radii) = (Vec::new(), Vec::new());
        r.read_positions(|_, p| axis.push(Vec3::from(p)));
        r.read_radii(|_, x| radii.push(x));
        let mut first = 0;
        for &n in r.counts() {
            let along = (axis[first + n as usize - 1] - axis[first]).normalized_or(Vec3::zero());
            let side = Vec3::from([0.0, 0.0, 1.0]);
            let up = side.cross(along);
            let begin = points.len() as u32;
            for v in 0..n as usize {
                for k in 0..AROUND {
                    let a = f64::from(k) * std::f64::consts::TAU / f64::from(AROUND);
                    points.push((axis[first + v] + (side * a.cos() + up * a.sin()) * (1.1 * radii[first + v])).to_array());
                }
            }
            for v in 0..n - 1 {
                for k in 0..AROUND {
                    let at = |v: u32, k: u32| begin + v * AROUND + k % AROUND;
                    triangles.extend([[at(v, k), at(v + 1, k), at(v, k + 1)], [at(v, k + 1), at(v + 1, k), at(v + 1, k + 1)]]);
                }
            }
            first += n as usize;
        }
    }
    (points, triangles)
}

const ALL: [SkinRead; 3] = [SkinRead::Positions, SkinRead::Normals, SkinRead::Tangents];

fn skinned(w: &World, id: Id) -> [Vec<[f64; 3]>; 3] {
    ALL.map(|wants| {
        let mut all = vec![[f64::NAN; 3]; w.skin(id).unwrap().vertices()];
        w.read_skin(id, wants, &Inline, |i, v| all[i] = v).unwrap();
        all
    })
}

fn skinned_there(w: &World, rods: [Id; 2], id: Id) -> [Vec<[f64; 3]>; 3] {
    let (mut counts, mut positions, mut radii, mut frames) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for id in rods {
        let r = w.rods(id).unwrap();
        counts.extend(r.counts());
        r.read_positions(|_, x| positions.push(x));
        r.read_radii(|_, x| radii.push(x));
        r.read_frames(|_, x| frames.push(x));
    }
    let (skin, mut pose) = (w.skin(id).unwrap(), SkinPose::default());
    skin.pose(&Pills { counts: &counts, positions: &positions, radii: &radii, frames: &frames }, &mut pose).unwrap();
    let mut all = [0, 1, 2].map(|_| vec![[0.0f32; 3]; skin.vertices()]);
    let origin = pose.origin();
    let [x, n, t] = &mut all;
    skin.deform(&pose, Isa::best(), SkinOut { positions: x, normals: n, tangents: t, origin }).unwrap();
    let [x, n, t] = all.map(|v| v.iter().map(|p| p.map(f64::from)).collect::<Vec<_>>());
    [x.into_iter().map(|p| [0, 1, 2].map(|k| p[k] + origin[k])).collect(), n, t]
}

fn assert_skinned(w: &World, rods: [Id; 2], id: Id, what: &str) -> [Vec<[f64; 3]>; 3] {
    let (found, wanted) = (skinned(w, id), skinned_there(w, rods, id));
    let [x, n, t] = [0, 1, 2].map(|k| far(&found[k], &wanted[k]));
    println!("{what}: {x:.1e} m, normals {n:.1e}, tangents {t:.1e}");
    assert!(x < 2e-6 && n < 2e-5 && t < 2e-5, "{what}: {x} {n} {t}");
    assert!(found.iter().flatten().all(|v| Vec3::from(*v).length2().is_finite()));
    found
}

#[test]
fn a_skin_is_that_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let (mut w, rods) = arms(gpu);
    let (points, triangles) = tubes(&w, rods);
    let tangents: Vec<[f64; 3]> = points.iter().map(|_| [0.9, -0.3, 0.1]).collect();
    let mesh = Mesh { positions: &points, triangles: &triangles, normals: &[], tangents: &tangents };
    let id = w.add_skin(&mesh, &rods, SkinWeights::Pills(Default::default())).unwrap();
    let before = w.memory_bytes();
    let begun = assert_skinned(&w, rods, id, "at the bind pose");
    assert!(w.memory_bytes() > before + 72 * points.len() as u64, "the CPU made it");
    assert!(far(&begun[0], &points) < 1e-6);
    (0..20).for_each(|_| w.step(DT, &Inline).unwrap());
    let found = assert_skinned(&w, rods, id, "after a third of a second");
    assert!(found == skinned(&w, id), "the same bits twice");
    let mut thinnest = 1.0f64;
    w.rods(rods[0]).unwrap().read_scales(|_, s| thinnest = thinnest.min(s));
    assert!(far(&found[0], &points) > 0.05 && thinnest < 0.97, "{thinnest}");
    // Radii that the host changes show.
    w.rods_mut(rods[1]).unwrap().set_radii(|_| 0.045).unwrap();
    let thick = assert_skinned(&w, rods, id, "thicker");
    assert!(far(&thick[0], &found[0]) > 0.01);
    let then = saved(&w);
    w.step(DT, &Inline).unwrap();
    w.restore_state(&then).unwrap();
    assert!(assert_skinned(&w, rods, id, "restored") == thick);

    // In pieces of some hundred vertices, and without tangents.
    let (mut small, rods_there) = arms(&gpu.with_largest_buffer(20_000));
    let mesh = Mesh { tangents: &[], ..mesh };
    let there = small.add_skin(&mesh, &rods_there, SkinWeights::Pills(Default::default())).unwrap();
    (0..20).for_each(|_| small.step(DT, &Inline).unwrap());
    let mut all = vec![[f64::NAN; 3]; points.len()];
    small.read_skin(there, SkinRead::Positions, &Inline, |i, v| all[i] = v).unwrap();
    assert!(all == found[0]);
    assert!(small.read_skin(there, SkinRead::Tangents, &Inline, |_, _| ()).unwrap_err().message.contains("made without"));
    small.remove_rods(rods_there[0]).unwrap();
    let gone = small.read_skin(there, SkinRead::Positions, &Inline, |_, _| ()).unwrap_err();
    assert!(gone.kind == ErrorKind::InvalidHandle && gone.message.contains("rods[0] of the skin"), "{gone}");
}

/// Where the CPU makes hair, in a world of its own, the same calls give the same.
#[test]
fn hair_follows_on_either_backend() {
    let run = |on_gpu: bool| {
        let mut w = world(on_gpu, WorldDesc { substeps: 2, iterations: 4, ..WorldDesc::default() })?;
        let rods = [0, 1].map(|k| w.add_rods(guides(k)).unwrap());
        let g = groom();
        let strands = Strands { counts: &g.counts, positions: &g.positions, widths: &[] };
        let hair = w.add_hair(&rods, HairSource::Groom(strands), &BindOptions::default()).unwrap();
        play(&mut w, rods, 0..1);
        Some(read(&w, hair, Lod::default()))
    };
    let (Some(a), Some(b)) = (run(true), run(false)) else { return };
    let d = far(&a[0], &b[0]);
    println!("{d:e} m apart");
    assert!(d < 1e-3 * SIZE, "{d}");
}
