//! Rods that touch rods.

use crate::tied::{DT, line};
use withy::math::Vec3;
use withy::tasks::Inline;
use withy::world::*;

fn world(gravity: f64, double_precision: bool) -> World {
    World::new(WorldDesc { gravity: [0.0, -gravity, 0.0], double_precision, ..WorldDesc::default() }).unwrap()
}

/// Ropes of 0.5 m with 20 edges and a radius of 5 mm.
fn rope(positions: Vec<[f64; 3]>, count: u32) -> RodsDesc {
    let strands = positions.len() as u32 / count;
    RodsDesc {
        positions,
        counts: vec![count; strands as usize],
        radii: vec![5e-3],
        stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
        stretch_modulus: 1e8,
        self_contact: true,
        ..RodsDesc::default()
    }
}

fn positions(w: &World, rods: Id) -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_positions(|_, p| all.push(p));
    all
}
fn velocities(w: &World, rods: Id) -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_velocities(|_, p| all.push(p));
    all
}

fn fastest(w: &World, rods: Id) -> f64 {
    velocities(w, rods).iter().map(|v| v.iter().map(|c| c * c).sum::<f64>().sqrt()).fold(0.0, f64::max)
}

/// What overlaps at rest is found where ropes are, not where their velocities would take them in a second: a rope that starts 1 m from another, at 1 m/s, passed
/// through it.
#[test]
fn ropes_that_will_meet_do_not_overlap_yet() {
    for order in [SweepOrder::Auto, SweepOrder::Alternating] {
        for start in [-1.0, -0.999, -1.003] {
            let mut w = world(0.0, false);
            let both = [line([0.0, 0.0, -0.2], [0.0, 0.0, 0.2], 11), line([start, 0.0, -0.2], [start, 0.0, 0.2], 11)].concat();
            let goes = |v: usize| [if v < 11 { 0.0 } else { 1.0 }, 0.0, 0.0];
            let desc = RodsDesc { velocities: (0..22).map(goes).collect(), friction: 0.0, order, ..rope(both, 11) };
            let id = w.add_rods(desc).unwrap();
            (0..70).for_each(|_| w.step(DT, &Inline).unwrap());
            let p = positions(&w, id);
            // The radii are 5 mm each.
            assert!(p[5][0] - p[16][0] > 0.0095, "{order:?}, {start}: {:?} and {:?}", p[5], p[16]);
        }
    }
}

#[test]
fn a_rope_hangs_over_another() {
    for (double_precision, model, order) in [
        (false, RodModel::Ghost, SweepOrder::Auto),
        (true, RodModel::Ghost, SweepOrder::Auto),
        (false, RodModel::Der, SweepOrder::Auto),
        (false, RodModel::Ghost, SweepOrder::Alternating),
    ] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let held = EndSupport::Pinned;
        let beam = rope(line([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 21), 21);
        let beam = w.add_rods(RodsDesc { root: held, tip: held, model, order, ..beam }).unwrap();
        let over = rope(line([0.013, 0.02, -0.25], [0.013, 0.02, 0.25], 21), 21);
        let over = w.add_rods(RodsDesc { damping: 2.0, friction: 1.0, model, order, ..over }).unwrap();
        for _ in 0..300 {
            w.step(DT, &Inline).unwrap();
        }
        let (under, p) = (positions(&w, beam), positions(&w, over));
        let what = format!("{model:?} {order:?}, f64 {double_precision}: {:?} over {:?}", p[10], under[10]);
        // Both ends hang down, on both sides, and where they cross one lies on the other.
        assert!(p[0][1] < -0.15 && p[20][1] < -0.15, "{what}: ends at {:?}, {:?}", p[0], p[20]);
        let gap = deepest(&[under, p], 5e-3, 21);
        assert!((-1e-3..0.03).contains(&gap), "{what}: {gap}");
        assert!(fastest(&w, over) < 0.15, "{what}: {}", fastest(&w, over));
    }
}

/// A rope that hangs over one that is held at both ends: whichever of them is swept, at no time do they overlap deeply, and the held one carries what
/// it carries where both are solved directly.
#[test]
fn swept_and_solved_ropes_lie_on_each_other() {
    use SweepOrder::{Alternating, Direct};
    for (model, iterations) in [(RodModel::Ghost, 8), (RodModel::Ghost, 3), (RodModel::Der, 8)] {
        let mut carried = Vec::new();
        for (below, above) in [(Direct, Direct), (Direct, Alternating), (Alternating, Direct), (Alternating, Alternating)] {
            let mut w = World::new(WorldDesc { substeps: 4, iterations, ..WorldDesc::default() }).unwrap();
            let of = |p: Vec<[f64; 3]>, order| {
                let model = if order == Direct { model } else { RodModel::Ghost };
                let integrator = Integrator::First;
                RodsDesc { damping: 2.0, friction: 1.0, order, model, integrator, iterations: 0, ..rope(p, 21) }
            };
            let held = line([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 21);
            let under = w.add_rods(of(held.clone(), below)).unwrap();
            for v in [0, 20] {
                w.rods_mut(under).unwrap().set_pin(v, Some(held[v as usize]), false).unwrap();
            }
            let over = w.add_rods(of(line([0.013, 0.02, -0.25], [0.013, 0.02, 0.25], 21), above)).unwrap();
            let (mut deep, mut height) = (f64::MIN, 0.0);
            for frame in 0..240 {
                w.step(DT, &Inline).unwrap();
                let both = [positions(&w, under), positions(&w, over)];
                height += if frame >= 180 { both[0][10][1] / 60.0 } else { 0.0 };
                deep = deep.max(deepest(&both, 5e-3, 21));
            }
            println!("{model:?} {iterations}: {above:?} over {below:?}: {deep:.4} of both radii, {height:.5} m");
            assert!(deep < 0.04, "{model:?} {iterations}: {above:?} over {below:?}: {deep} of both radii");
            carried.push(height);
        }
        let off = (carried[1] / carried[0] - 1.0).abs();
        assert!(off < 0.02, "{model:?} {iterations}: hangs at {} m, under a rope that is solved at {} m", carried[1], carried[0]);
    }
}

/// Gauss's linking integral of two open lines: it jumps by one where they pass through each other.
fn winding(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let v = |p: [f64; 3]| Vec3::from(p);
    let mut sum = 0.0;
    for i in 0..a.len() - 1 {
        for j in 0..b.len() - 1 {
            let (p, q, r, s) = (v(a[i]), v(a[i + 1]), v(b[j]), v(b[j + 1]));
            let (pr, ps, qs, qr) = (r - p, s - p, s - q, r - q);
            let n = [pr.cross(ps), ps.cross(qs), qs.cross(qr), qr.cross(pr)].map(|n| n * (1.0 / n.length().max(1e-300)));
            let angle = |k: usize| n[k].dot(n[(k + 1) % 4]).clamp(-1.0, 1.0).asin();
            let sign = (q - p).cross(s - r).dot(r - p).signum();
            sum += sign * (0..4).map(angle).sum::<f64>();
        }
    }
    sum / (4.0 * std::f64::consts::PI)
}

/// A hundred substeps of what is thrown at a rope: whether they touch, and whether one passes through the other.
fn throw(w: &mut World, held: Id, thrown: Id) -> (bool, bool) {
    let look = |w: &World| winding(&positions(w, held), &positions(w, thrown));
    let (mut before, mut touched) = (look(w), false);
    for substep in 0..100 {
        w.step(DT / 8.0, &Inline).unwrap();
        touched |= w.stats().contacts > 0;
        let now = look(w);
        if (now - before).abs() > 0.75 {
            println!("{before:.3} -> {now:.3} in substep {substep}");
            return (touched, true);
        }
        before = now;
    }
    (touched, false)
}

/// 1,000 pass as well, in 20 s.
const THROWS: u32 = 200;

#[test]
fn ropes_thrown_at_a_rope_do_not_pass() {
    let mut rng = withy::math::rng::Rng::new(7);
    let (mut wrong, mut met) = (0, 0);
    for _ in 0..THROWS {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, ..WorldDesc::default() }).unwrap();
        let mut at = |by: f64| rng.range(-by, by);
        let held: Vec<[f64; 3]> = (0..31).map(|k| [0.02 * (k as f64 - 15.0), 0.01 * at(0.1), 0.01 * at(0.1)]).collect();
        let thin = |p, count| RodsDesc { radii: vec![1e-3], ..rope(p, count) };
        let held = w.add_rods(RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..thin(held, 31) }).unwrap();
        let way = [at(1.0), at(0.5), at(1.0)];
        let thrown: Vec<[f64; 3]> =
            (0..41).map(|k| (k as f64 - 20.0) * 0.01).map(|t| [0.1 + way[0] * t, 0.25 + way[1] * t, way[2] * t]).collect();
        let (speed, spin) = ([at(5.0), -20.0, at(5.0)], at(30.0));
        let velocities = (0..41).map(|k| [speed[0], speed[1] + spin * 0.01 * (k as f64 - 20.0), speed[2]]).collect();
        let thrown = w.add_rods(RodsDesc { velocities, ..thin(thrown, 41) }).unwrap();
        let (touched, passed) = throw(&mut w, held, thrown);
        (met, wrong) = (met + u32::from(touched), wrong + u32::from(passed));
    }
    assert!(met > THROWS / 2, "{met} met");
    assert_eq!(wrong, 0, "of {met} that met");
}

/// What a junction holds is stopped with it: rings that are thrown at a rope. (Strands that were held back, and the junction not, were carried after it:
/// one ring in seven passed at 20 m/s, and one in five at 5.)
#[test]
fn rings_thrown_at_a_rope_do_not_pass() {
    let mut rng = withy::math::rng::Rng::new(7);
    let (mut wrong, mut met) = (0, 0);
    for _ in 0..40 {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, ..WorldDesc::default() }).unwrap();
        let mut at = |by: f64| rng.range(-by, by);
        let held: Vec<[f64; 3]> = (0..31).map(|k| [0.02 * (k as f64 - 15.0), 0.01 * at(0.1), 0.01 * at(0.1)]).collect();
        let thin = |p, count| RodsDesc { radii: vec![1e-3], ..rope(p, count) };
        let held = w.add_rods(RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..thin(held, 31) }).unwrap();
        let axis = Vec3::from([at(1.0), at(1.0), at(1.0)]).normalized_or(Vec3::from([0.0, 1.0, 0.0]));
        let across = axis.any_perpendicular();
        let (up, turn) = (axis.cross(across), at(3.1));
        let around = |k: u32| {
            let (y, x) = (turn + std::f64::consts::TAU * f64::from(k) / 36.0).sin_cos();
            (across * (0.06 * x) + up * (0.06 * y) + Vec3::from([0.1, 0.25, 0.0])).to_array()
        };
        let velocities = vec![[at(5.0), -20.0, at(5.0)]; 37];
        let ring = w.add_rods(RodsDesc { velocities, ..thin((0..=36).map(around).collect(), 37) }).unwrap();
        let ends = [false, true].map(|tip| (ring, StrandEnd { strand: 0, tip }));
        w.add_junction(&ends, 2e-3, 1e-4).unwrap();
        let (touched, passed) = throw(&mut w, held, ring);
        (met, wrong) = (met + u32::from(touched), wrong + u32::from(passed));
    }
    assert!(met > 20, "{met} met");
    assert_eq!(wrong, 0, "of {met} that met");
}

/// A rope of 1 mm and 8 cm with short edges, a little tilted, is thrown at 20 m/s at one of 16 cm that is pinned at both ends. One that is held back has no force
/// of contact, and was given back the momentum that it lost: it went through.
#[test]
fn thin_ropes_with_short_edges_do_not_pass() {
    let thin = |positions: Vec<[f64; 3]>| {
        let count = positions.len() as u32;
        RodsDesc {
            radii: vec![5e-4],
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            stretch_modulus: 1e9,
            damping: 2.0,
            drag: 0.2,
            friction: 0.6,
            rest_shape: RestShape::Straight,
            ..rope(positions, count)
        }
    };
    for (edge, substeps, throws) in [(2e-3, 8, 40..60), (2e-3, 4, 0..60), (2e-3, 2, 0..60), (1e-3, 8, 70..90)] {
        let (n, m) = ((0.16_f64 / edge).round() as usize + 1, (0.08_f64 / edge).round() as usize + 1);
        for throw in throws {
            let k = f64::from(throw);
            let mut w = World::new(WorldDesc { substeps, ..WorldDesc::default() }).unwrap();
            let held = thin(line([-0.08, 0.0, 0.0], [0.08, 0.0, 0.0], n));
            w.add_rods(RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..held }).unwrap();
            let (angle, high) = ((k * 0.37) % 1.2 - 0.6, 0.03 + 20.0 / 60.0 * ((k * 0.618) % 1.0));
            let [x, y, z] = [0.04 * 0.05_f64.cos() * angle.sin(), 0.04 * 0.05_f64.sin(), 0.04 * 0.05_f64.cos() * angle.cos()];
            let thrown = thin(line([7e-4 - x, high - y, 3e-4 - z], [7e-4 + x, high + y, 3e-4 + z], m));
            let thrown = w.add_rods(RodsDesc { velocities: vec![[0.0, -20.0, 0.0]; m], ..thrown }).unwrap();
            (0..4).for_each(|_| w.step(DT, &Inline).unwrap());
            let highest = positions(&w, thrown).iter().map(|p| p[1]).fold(f64::MIN, f64::max);
            assert!(highest > -0.3, "edges of {edge}, {substeps} substeps, throw {throw}: {highest}");
        }
    }
}

#[test]
fn two_ropes_that_meet_keep_their_momentum_and_gain_no_energy() {
    use SweepOrder::{Alternating, Auto};
    let cases = [(false, 1e-4), (true, 1e-9)].into_iter();
    for ((double_precision, rounding), orders) in
        cases.flat_map(|case| [[Auto; 2], [Alternating, Auto], [Auto, Alternating]].map(|orders| (case, orders)))
    {
        let mut w = world(0.0, double_precision);
        let one = rope(line([0.0, 0.05, -0.25], [0.0, 0.05, 0.25], 21), 21);
        let one = RodsDesc { velocities: vec![[0.0, -2.0, 0.0]; 21], friction: 0.3, order: orders[0], ..one };
        let two = rope(line([-0.25, 0.0, 0.03], [0.25, 0.0, 0.03], 21), 21);
        let two = RodsDesc { friction: 0.3, order: orders[1], ..two };
        let all = [w.add_rods(one).unwrap(), w.add_rods(two).unwrap()];
        // Of both together, for each kilogram of one. Newton's method has half of a ghost point's mass on either side of it.
        let look = |w: &World| {
            let (mut sum, mut energy) = (Vec3::zero(), 0.0);
            for (rods, order) in all.into_iter().zip(orders) {
                let rods = w.rods(rods).unwrap();
                let moves = crate::scene::momentum(rods);
                let (mut linear, mut kinetic) = (moves.linear, moves.kinetic);
                if order == Auto {
                    let points = crate::scene::newton_masses(rods).0;
                    linear = points.iter().fold(Vec3::zero(), |sum, (m, _, v)| sum + *v * *m);
                    kinetic = points.iter().map(|(m, _, v)| 0.5 * m * v.length2()).sum();
                }
                (sum, energy) = (sum + linear * (1.0 / moves.mass), energy + kinetic / moves.mass);
            }
            (sum.to_array(), energy)
        };
        let (before, energy) = look(&w);
        let mut met = false;
        for frame in 0..60 {
            w.step(DT, &Inline).unwrap();
            met |= w.stats().contacts > 0;
            let (now, left) = look(&w);
            for k in 0..3 {
                assert!(
                    (now[k] - before[k]).abs() < rounding,
                    "{orders:?}, f64 {double_precision}, frame {frame}: {before:?} -> {now:?}"
                );
            }
            assert!(left < energy * (1.0 + 1e-5), "{orders:?}, f64 {double_precision}, frame {frame}: {energy} -> {left}");
        }
        assert!(met);
    }
}

/// The deepest overlap of edges that are not neighbours, over the sum of radii.
fn deepest(all: &[Vec<[f64; 3]>], radius: f64, skip: usize) -> f64 {
    use withy::collide::narrow::pills;
    let mut worst = f64::MIN;
    let boxes: Vec<Vec<(Vec3<f64>, Vec3<f64>)>> =
        all.iter().map(|s| s.windows(2).map(|e| (Vec3::from(e[0]), Vec3::from(e[1]))).collect()).collect();
    for i in 0..boxes.len() {
        for j in i..boxes.len() {
            for (k, a) in boxes[i].iter().enumerate() {
                for (l, b) in boxes[j].iter().enumerate() {
                    if i == j && l < k + skip {
                        continue;
                    }
                    if ((a.0 - b.0).length2()) > 0.01 {
                        continue;
                    }
                    let found = pills([a.0, a.1], [radius; 2], [b.0, b.1], [radius; 2]);
                    worst = worst.max(-found.separation / (2.0 * radius));
                }
            }
        }
    }
    worst
}

/// Ropes of 60 edges and 0.9 m that lie across each other in the air.
fn heap(ropes: usize) -> RodsDesc {
    let mut rng = withy::math::rng::Rng::new(3);
    let mut all = Vec::new();
    for k in 0..ropes {
        let (a, x, z) = (rng.range(0.0, 6.3), rng.range(-0.1, 0.1), rng.range(-0.1, 0.1));
        for i in 0..61 {
            let t = (i as f64 / 60.0 - 0.5) * 0.9;
            all.push([x + t * f64::cos(a), 0.02 + 0.012 * k as f64, z + t * f64::sin(a)]);
        }
    }
    RodsDesc { damping: 1.0, ..rope(all, 61) }
}

#[test]
fn a_heap_of_ropes_comes_to_rest() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_collider(ColliderDesc::default()).unwrap();
    let rods = w.add_rods(heap(20)).unwrap();
    for frame in 0..240 {
        w.step(DT, &Inline).unwrap();
        if frame % 20 == 19 {
            let strands: Vec<Vec<[f64; 3]>> = positions(&w, rods).chunks(61).map(|c| c.to_vec()).collect();
            let deep = deepest(&strands, 5e-3, 3);
            assert!(deep < 0.02, "frame {frame}: {deep} of both radii");
        }
    }
    let v = velocities(&w, rods);
    let mean = v.iter().map(|v| v.iter().map(|c| c * c).sum::<f64>().sqrt()).sum::<f64>() / v.len() as f64;
    assert!(mean < 3e-3 && fastest(&w, rods) < 0.1, "mean {mean} m/s, fastest {} m/s", fastest(&w, rods));
    let p = positions(&w, rods);
    assert!(p.iter().all(|p| p[1] > 4.9e-3), "{:?}", p.iter().map(|p| p[1]).fold(f64::MAX, f64::min));
    // They lie on each other, not through.
    let high = p.iter().map(|p| p[1]).fold(0.0, f64::max);
    assert!(high > 0.04, "{high}");
    // And sleep.
    let asleep = (240..900).find(|_| {
        w.step(DT, &Inline).unwrap();
        w.rods_sleep(rods).unwrap()
    });
    println!("20 ropes sleep after {asleep:?} frames");
    assert!(asleep.is_some(), "fastest {} m/s", fastest(&w, rods));
}

/// The same bits on any number of threads, and from a saved state on.
#[test]
fn a_heap_of_ropes_is_the_same_on_threads_and_from_a_saved_state() {
    let pool = withy::tasks::Pool::new(3).unwrap();
    let make = || {
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        w.add_rods(heap(80)).unwrap();
        w
    };
    let (mut one, mut many, mut other) = (make(), make(), make());
    for frame in 0..30 {
        one.step(DT, &Inline).unwrap();
        many.step(DT, &pool).unwrap();
        assert_eq!(one.state_hash(), many.state_hash(), "frame {frame}");
    }
    let mut state = vec![0; one.save_state(&mut []).unwrap()];
    one.save_state(&mut state).unwrap();
    other.restore_state(&state).unwrap();
    for frame in 0..10 {
        one.step(DT, &Inline).unwrap();
        other.step(DT, &Inline).unwrap();
        assert_eq!(one.state_hash(), other.state_hash(), "frame {frame} after the saved one");
    }
    one.restore_state(&state).unwrap();
    for _ in 0..10 {
        one.step(DT, &Inline).unwrap();
    }
    assert_eq!(one.state_hash(), other.state_hash());
}

/// A light, limp rope over a thick, straight one, half a turn, drawn by the host against a weight: T₂/T₁ = e^{μπ}.
#[test]
fn capstan_of_rope_on_rope() {
    for (mu, per_turn) in [(0.2, 24), (0.4, 24), (0.4, 48)] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
        let (thick, thin) = (0.02, 0.002);
        let drum = RodsDesc {
            radii: vec![thick],
            friction: mu,
            root: EndSupport::Clamped,
            tip: EndSupport::Clamped,
            stiffness: Stiffness::Physical { young: 1e11, shear: 4e10 },
            ..rope(line([0.0, 0.0, -0.05], [0.0, 0.0, 0.05], 3), 3)
        };
        w.add_rods(drum).unwrap();
        let r = thick + thin;
        let l = std::f64::consts::TAU * r / per_turn as f64;
        let arc = per_turn / 2;
        let straight = 30;
        let mut p = Vec::new();
        for k in 0..=straight {
            p.push([-r, -(straight - k) as f64 * l, 0.003]);
        }
        for k in 1..arc {
            let a = std::f64::consts::PI * (1.0 - k as f64 / arc as f64);
            p.push([r * a.cos(), r * a.sin(), 0.003]);
        }
        for k in 0..=straight {
            p.push([r, -(k as f64) * l, 0.003]);
        }
        let n = p.len();
        let end = p[0];
        let band = RodsDesc {
            friction: mu,
            radii: vec![thin],
            density: 1000.0,
            damping: 5.0,
            stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
            stretch_modulus: 1e8,
            rest_shape: RestShape::Straight,
            root: EndSupport::Pinned,
            ..rope(p, n as u32)
        };
        let band = w.add_rods(band).unwrap();
        let load = 2.0;
        w.rods_mut(band).unwrap().set_forces(|v| if v + 1 == n { [0.0, -load, 0.0] } else { [0.0; 3] }).unwrap();
        let mut tension = Vec::new();
        for frame in 0..360 {
            // The host pulls at 1 cm/s.
            let down = 0.01 * (frame as f64 + 1.0) * DT;
            w.rods_mut(band)
                .unwrap()
                .set_root_poses(|_| Pose { position: [end[0], end[1] - down, end[2]], ..Pose::IDENTITY }, false)
                .unwrap();
            w.step(DT, &Inline).unwrap();
            let mut t = Vec::new();
            w.rods(band).unwrap().read_forces(|_, f| t.push(f));
            if frame >= 180 {
                tension.push(t[2] / t[n - 4]);
            }
        }
        let mean = tension.iter().sum::<f64>() / tension.len() as f64;
        let law = (mu * std::f64::consts::PI).exp();
        assert!((mean / law - 1.0).abs() < 0.02, "μ {mu}, {per_turn} edges a turn: {mean}, law {law}");
    }
}

/// An overhand knot, drawn tight by its ends until it holds 8 N, and held there.
#[test]
fn an_overhand_knot_holds() {
    let mut w = world(0.0, false);
    let (n, r) = (241, 3e-3);
    let long: Vec<[f64; 3]> = (0..n)
        .map(|k| {
            // Shastri's trefoil.
            let t = (k as f64 / (n - 1) as f64 - 0.5) * 4.3;
            let (t2, t3) = (t * t, t * t * t);
            [0.04 * (t3 - 3.0 * t), 0.04 * (t2 * t2 - 4.0 * t2), 0.006 * (t2 * t3 - 10.0 * t)]
        })
        .collect();
    let p = even(&long, n);
    let length: f64 = p.windows(2).map(|e| dist(e[0], e[1])).sum();
    let knot = RodsDesc {
        radii: vec![r],
        // What is drawn tight wants the normals of where it has come to.
        iterations: 2,
        friction: 0.1,
        damping: 4.0,
        stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
        rest_shape: RestShape::Straight,
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        ..rope(p.clone(), n as u32)
    };
    let (a, b) = (p[0], p[n - 1]);
    let way: [f64; 3] = [0, 1, 2].map(|k| (b[k] - a[k]) / dist(a, b));
    let rods = w.add_rods(knot).unwrap();
    let (mut out, mut tight) = (0.0, None);
    for frame in 0..420 {
        let mut tension = Vec::new();
        w.rods(rods).unwrap().read_forces(|_, f| tension.push(f));
        if tension.iter().copied().fold(0.0, f64::max) > 8.0 && tight.is_none() {
            tight = Some(frame);
        }
        if tight.is_none() {
            out += 0.1 * DT;
            let to =
                |from: [f64; 3], side: f64| Pose { position: [0, 1, 2].map(|k| from[k] + side * out * way[k]), ..Pose::IDENTITY };
            w.rods_mut(rods).unwrap().set_root_poses(|_| to(a, -1.0), false).unwrap();
            w.rods_mut(rods).unwrap().set_tip_poses(|_| to(b, 1.0), false).unwrap();
        }
        w.step(DT, &Inline).unwrap();
    }
    assert!(tight.is_some_and(|f| f < 300), "{tight:?}");
    let p = positions(&w, rods);
    // A knot keeps some of the rope; one that has slipped through itself keeps nothing. (An ideal open trefoil keeps about 10 diameters.)
    let kept = (length - dist(p[0], p[n - 1])) / (2.0 * r);
    assert!((7.0..16.0).contains(&kept), "{kept} diameters");
    let deep = deepest(&[p], r, 5);
    assert!(deep < 0.15, "{deep} of both radii");
    assert!(fastest(&w, rods) < 0.05, "{} m/s", fastest(&w, rods));
}

/// Ropes that overlap when they are made go on doing so, and do not jump apart.
#[test]
fn what_overlaps_at_the_start_may_go_on() {
    let mut w = world(0.0, false);
    let mut p = line([-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], 21);
    p.extend(line([0.0, 4e-3, -0.25], [0.0, 4e-3, 0.25], 21));
    let rods = w.add_rods(rope(p.clone(), 21)).unwrap();
    for _ in 0..60 {
        w.step(DT, &Inline).unwrap();
    }
    let moved = positions(&w, rods).iter().zip(&p).map(|(a, b)| dist(*a, *b)).fold(0.0, f64::max);
    assert!(moved < 1e-5, "{moved} m");
}

/// What no host should give, and some will: nothing is lost, and nothing is not a number.
#[test]
fn odd_starts_survive() {
    let spot = vec![[0.1, 0.2, 0.3]; 42];
    let twice: Vec<[f64; 3]> = line([0.0; 3], [0.5, 0.0, 0.0], 21).into_iter().cycle().take(42).collect();
    let mut back = line([0.0; 3], [0.5, 0.0, 0.0], 21);
    back.extend(line([0.5, 0.0, 0.0], [0.0; 3], 21));
    let thick = RodsDesc { radii: vec![1.0], ..rope(twice.clone(), 21) };
    for (k, desc) in [rope(spot, 21), rope(twice.clone(), 21), rope(back, 42), thick].into_iter().enumerate() {
        let mut w = world(9.81, false);
        w.add_collider(ColliderDesc { pose: Pose { position: [0.0, -0.2, 0.0], ..Pose::IDENTITY }, ..ColliderDesc::default() })
            .unwrap();
        let rods = w.add_rods(desc).unwrap();
        for _ in 0..60 {
            w.step(DT, &Inline).unwrap();
        }
        assert_eq!(w.stats().non_finite_strands, 0, "case {k}");
        let far = positions(&w, rods).iter().map(|p| dist(*p, [0.0; 3])).fold(0.0, f64::max);
        assert!(far < 20.0, "case {k}: {far} m");
    }
}

fn dist(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt()
}

/// The same line with `n` vertices at equal distances along it.
fn even(p: &[[f64; 3]], n: usize) -> Vec<[f64; 3]> {
    let mut arc = vec![0.0];
    p.windows(2).for_each(|e| arc.push(arc[arc.len() - 1] + dist(e[0], e[1])));
    (0..n)
        .map(|k| {
            let s = arc[arc.len() - 1] * k as f64 / (n - 1) as f64;
            let i = arc.partition_point(|&a| a < s).clamp(1, p.len() - 1);
            let t = (s - arc[i - 1]) / (arc[i] - arc[i - 1]);
            [0, 1, 2].map(|c| p[i - 1][c] * (1.0 - t) + p[i][c] * t)
        })
        .collect()
}

/// A rope that could touch others, and does not, moves as one that could not: it keeps its spin.
#[test]
fn what_touches_nothing_moves_as_without_contact() {
    for model in [RodModel::Ghost, RodModel::Der] {
        let run = |self_contact: bool| {
            let mut w = world(0.0, false);
            let p = line([-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], 21);
            let velocities = p.iter().map(|p| [0.0, 10.0 * p[0], 0.0]).collect();
            let rods =
                w.add_rods(RodsDesc { velocities, self_contact, model, integrator: Integrator::First, ..rope(p, 21) }).unwrap();
            (0..60).for_each(|_| w.step(DT, &Inline).unwrap());
            positions(&w, rods)
        };
        assert_eq!(run(true), run(false), "{model:?}");
    }
}

/// Layers say which sets meet; a set meets itself whatever they are.
#[test]
fn layers_are_between_sets() {
    for (category, mask, meets) in [(2, 1, false), (2, 3, true), (4, 8, false)] {
        let mut w = world(9.81, false);
        let held = rope(line([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 21), 21);
        let over = rope(line([0.013, 0.02, -0.25], [0.013, 0.02, 0.25], 21), 21);
        // The second strand of the set falls on the first.
        let mut both = held.clone();
        both.positions.extend(line([0.1, 0.03, -0.25], [0.1, 0.03, 0.25], 21));
        both.counts = vec![21; 2];
        let both = w.add_rods(RodsDesc { category, mask, friction: 1.0, ..both }).unwrap();
        for v in [0, 20] {
            w.rods_mut(both).unwrap().set_pin(v, Some(held.positions[v as usize]), false).unwrap();
        }
        let over = w.add_rods(RodsDesc { category: 2, mask: 2, friction: 1.0, ..over }).unwrap();
        for _ in 0..60 {
            w.step(DT, &Inline).unwrap();
        }
        let lies = positions(&w, over)[10][1] > -0.1;
        assert_eq!(lies, meets, "{category} {mask}: {:?}", positions(&w, over)[10]);
        let own = positions(&w, both)[31];
        assert!(own[1] > -0.15, "{category} {mask}: {own:?}");
    }
}

/// Strands that a junction or a body holds together do not push each other where they meet.
#[test]
fn what_a_joint_holds_together_does_not_touch_there() {
    for on_body in [false, true] {
        let mut w = world(0.0, false);
        let body = on_body.then(|| w.add_body(&BodyDesc { motion: BodyMotion::Static, ..BodyDesc::default() }).unwrap());
        // Five of them to all sides, in sets of their own, edges as long as they are thick.
        let sets: Vec<Id> = (0..5)
            .map(|k| {
                let (y, x) = (0.4 * std::f64::consts::PI * f64::from(k)).sin_cos();
                w.add_rods(rope(line([0.0; 3], [0.2 * x, 0.2 * y, 0.0], 21), 21)).unwrap()
            })
            .collect();
        let root = StrandEnd { strand: 0, tip: false };
        match body {
            Some(body) => sets.iter().for_each(|&id| assert!(w.attach_body(id, root, body, true).is_ok())),
            None => assert!(w.add_junction(&sets.iter().map(|&id| (id, root)).collect::<Vec<_>>(), 0.0, 0.0).is_ok()),
        }
        for _ in 0..30 {
            w.step(DT, &Inline).unwrap();
        }
        let most = sets.iter().map(|&id| fastest(&w, id)).fold(0.0, f64::max);
        assert!(most < 1e-4, "on a body {on_body}: {most} m/s");
        assert_eq!(w.contact_work().contacts, 0);
        if on_body {
            continue;
        }
        // Farther out they do: two that are bent together stop each other.
        for (id, by) in [(sets[0], 1.0), (sets[1], -1.0)] {
            let push: Vec<[f64; 3]> = (0..21).map(|v| [-0.02 * by * f64::from(u8::from(v > 10)), 0.05 * by, 0.0]).collect();
            w.rods_mut(id).unwrap().set_forces(|v| push[v]).unwrap();
        }
        let mut met = 0;
        for _ in 0..240 {
            w.step(DT, &Inline).unwrap();
            met = met.max(w.contact_work().contacts);
        }
        assert!(met > 0);
        let out = [0, 1].map(|k| positions(&w, sets[k])[4..].to_vec());
        assert!(deepest(&out, 5e-3, 21) < 0.05, "{}", deepest(&out, 5e-3, 21));
    }
}

/// A ball on three slack ropes of 0.25 kg, which begins 5 mm beside the middle one: the middle is no place to stay, as on one rope. One of 0.3 kg rolls to between
/// two ropes, which stay where they touch it, one of 0.1 kg finds ropes that give way and rolls off, as they do with four times the substeps.
#[test]
fn slack_ropes_hold_a_heavy_ball_and_drop_a_light_one() {
    let run = |mass: f64, substeps: u32| {
        let mut w = World::new(WorldDesc { substeps, iterations: 1, ..WorldDesc::default() }).unwrap();
        let sags = |z: f64| {
            (0..41).map(move |k| {
                let x = 0.025 * f64::from(k) - 0.5;
                [x, -0.2 * (1.0 - (x / 0.5) * (x / 0.5)), z]
            })
        };
        let ropes = w
            .add_rods(RodsDesc {
                counts: vec![41; 3],
                positions: [-0.04, 0.0, 0.04].into_iter().flat_map(sags).collect(),
                radii: vec![5e-3],
                density: 1000.0,
                stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
                stretch_modulus: 1e8,
                friction: 0.5,
                root: EndSupport::Pinned,
                tip: EndSupport::Pinned,
                order: SweepOrder::Direct,
                integrator: Integrator::First,
                ..RodsDesc::default()
            })
            .unwrap();
        let ball = w
            .add_body(&BodyDesc {
                motion: BodyMotion::Dynamic,
                mass,
                pose: Pose { position: [0.0, -0.094, 5e-3], ..Pose::IDENTITY },
                linear_damping: 1.0,
                angular_damping: 1.0,
                shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.1 }, friction: 0.5, ..ShapeDesc::default() }],
                ..BodyDesc::default()
            })
            .unwrap();
        (0..90).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        let at = w.body_pose(ball).unwrap().position;
        let mut angles = Vec::new();
        w.rods(ropes).unwrap().read_positions(|i, p| {
            if i % 41 == 20 {
                angles.push((p[2] - at[2]).atan2(at[1] - p[1]).to_degrees());
            }
        });
        (at[1], angles)
    };
    let [(y, angles), (fine, _)] = [8, 32].map(|substeps| run(0.3, substeps));
    println!("{y} m, {angles:?}; {fine} m");
    assert!((y - fine).abs() < 2e-3 && angles[1..].iter().all(|a| (8.0..18.0).contains(&a.abs())), "{y} {fine} {angles:?}");
    let light = [8, 32].map(|substeps| run(0.1, substeps).0);
    println!("{light:?}");
    assert!(light.iter().all(|y| *y < -0.5), "{light:?}");
}
