//! Two sets of rods that touch each other on the GPU: other models, solvers, integrators and radii, layers, friction; sets that come and go. Against the CPU.

use crate::device::device;
use crate::strands_touch::{DT, V, line, overlaps, positions, ropes, winding, world};
use withy::world::*;

/// A rope along x that is held at both ends, and one that lies across it, or hangs over it: in a set each.
fn held() -> Vec<[f64; 3]> {
    line([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 21)
}
fn falls() -> Vec<[f64; 3]> {
    line([0.013, 0.02, -0.25], [0.013, 0.02, 0.25], 21)
}
/// A rope that falls, 4 mm thick in place of 5.
fn falling(order: SweepOrder) -> RodsDesc {
    RodsDesc { radii: vec![4e-3], damping: 2.0, friction: 1.0, ..ropes(&[falls()], order) }
}
fn holding(order: SweepOrder) -> RodsDesc {
    RodsDesc { damping: 2.0, friction: 1.0, ..ropes(&[held()], order) }
}
fn der(d: RodsDesc, integrator: Integrator) -> RodsDesc {
    RodsDesc { model: RodModel::Der, integrator, ..d }
}
fn add_held(w: &mut World, d: RodsDesc) -> Id {
    let id = w.add_rods(d).unwrap();
    for v in [0, 20] {
        w.rods_mut(id).unwrap().set_pin(v, Some(held()[v as usize]), false).unwrap();
    }
    id
}
fn bits(places: &[V]) -> Vec<[u64; 3]> {
    places.iter().map(|p| p.to_array().map(f64::to_bits)).collect()
}
/// The overlap of two ropes of 5 and 4 mm, as a part of both radii.
fn deep(a: &[V], b: &[V]) -> f64 {
    overlaps(&[a, b], |i| [5e-3, 4e-3][i]).1
}

struct Across {
    places: [Vec<V>; 2],
    /// The largest of a step.
    jump: f64,
    deepest: f64,
    contacts: u32,
}

fn across(mut w: World, below: RodsDesc, above: RodsDesc, frames: usize) -> Across {
    let a = add_held(&mut w, below);
    let b = w.add_rods(above).unwrap();
    let mut out = Across { places: [positions(&w, a), positions(&w, b)], jump: 0.0, deepest: f64::MIN, contacts: 0 };
    let mut before = winding(&out.places[0], &out.places[1]);
    for _ in 0..frames {
        w.step(DT, &Inline).unwrap();
        out.places = [positions(&w, a), positions(&w, b)];
        let [a, b] = &out.places;
        let now = winding(a, b);
        (out.jump, before) = (out.jump.max((now - before).abs()), now);
        out.deepest = out.deepest.max(deep(a, b));
        out.contacts += w.stats().contacts;
    }
    out
}

fn stays_on_it(below: RodsDesc, above: RodsDesc, as_on_the_cpu: bool) {
    let Some(gpu) = world(true, 9.81, 1) else { return };
    let on_gpu = across(gpu, below.clone(), above.clone(), 40);
    let on_cpu = across(world(false, 9.81, 1).unwrap(), below, above, 40);
    let pairs = |k: usize| on_gpu.places[k].iter().zip(&on_cpu.places[k]);
    let far = pairs(0).chain(pairs(1)).map(|(a, b)| (*a - *b).length()).sum::<f64>() / 42.0;
    println!(
        "jump {:.3} {:.3}; deepest {:.4} {:.4}; {} {} contacts; {far:e} m apart",
        on_gpu.jump, on_cpu.jump, on_gpu.deepest, on_cpu.deepest, on_gpu.contacts, on_cpu.contacts
    );
    let [a, b] = &on_gpu.places;
    assert!(on_gpu.jump < 0.3 && b[10].y > a[10].y + 5e-3, "{}, {:?} over {:?}", on_gpu.jump, b[10], a[10]);
    assert!(on_gpu.deepest < 0.04 && on_gpu.contacts > 30, "{} {}", on_gpu.deepest, on_gpu.contacts);
    assert!(far < 5e-3 || !as_on_the_cpu, "{far}");
}
fn swept(d: RodsDesc, iterations: u32) -> RodsDesc {
    RodsDesc { iterations, ..d }
}
// Stated, of all: the winding of the two jumps by less than 0.3, so that they do not pass; the overlap is at most 4 % of both radii; one lies on the other in
// the end; the mean vertex is within 5 mm of the CPU's in f32.
#[test]
fn a_ghost_rope_of_first_order_falls_across_an_elastic_one_of_second() {
    let first = RodsDesc { integrator: Integrator::First, ..falling(SweepOrder::Direct) };
    stays_on_it(der(holding(SweepOrder::Direct), Integrator::Second), first, true);
}
#[test]
fn an_elastic_rope_of_first_order_falls_across_a_ghost_rope() {
    stays_on_it(holding(SweepOrder::Direct), der(falling(SweepOrder::Direct), Integrator::First), true);
}
#[test]
fn a_swept_rope_falls_across_one_that_is_solved() {
    stays_on_it(der(holding(SweepOrder::Direct), Integrator::First), swept(falling(SweepOrder::Alternating), 8), true);
}
/// On the CPU both are swept eight times.
#[test]
fn a_swept_rope_falls_across_one_that_is_swept_less() {
    stays_on_it(swept(holding(SweepOrder::Alternating), 5), swept(falling(SweepOrder::Alternating), 8), false);
}

/// Sets whose layers do not meet pass through each other, and sets that are apart do not know of each other: both have the bits that they have alone. Layers
/// that meet from a step on are looked at from that step on. What meets goes the same way twice.
#[test]
fn layers_are_looked_at_pair_by_pair() {
    let above = || falling(SweepOrder::Direct);
    let below = || der(holding(SweepOrder::Direct), Integrator::Second);
    let Some(mut alone) = world(true, 9.81, 1) else { return };
    let id = add_held(&mut alone, below());
    (0..20).for_each(|_| alone.step(DT, &Inline).unwrap());
    let below_alone = bits(&positions(&alone, id));
    let mut alone = world(true, 9.81, 1).unwrap();
    let id = alone.add_rods(above()).unwrap();
    (0..20).for_each(|_| alone.step(DT, &Inline).unwrap());
    let above_alone = bits(&positions(&alone, id));

    let run = |above: RodsDesc| across(world(true, 9.81, 1).unwrap(), below(), above, 20);
    let through = run(RodsDesc { category: 2, mask: 2, ..above() });
    assert_eq!(through.contacts, 0);
    assert!(through.jump > 0.3, "they pass: {}", through.jump);
    assert!(bits(&through.places[0]) == below_alone && bits(&through.places[1]) == above_alone, "layers that do not meet");
    // Of both masks, one is not enough.
    assert!(run(RodsDesc { category: 2, mask: u32::MAX, ..above() }).contacts > 0);
    assert_eq!(run(RodsDesc { category: 1, mask: 2, ..above() }).contacts, 0);
    let away = run(RodsDesc { positions: above().positions.iter().map(|p| [p[0], p[1] + 5.0, p[2]]).collect(), ..above() });
    assert!(bits(&away.places[0]) == below_alone, "what is apart");

    let (once, twice) = (run(above()), run(above()));
    assert!(once.contacts > 5 && once.jump < 0.3);
    assert!(bits(&once.places[0]) == bits(&twice.places[0]) && bits(&once.places[1]) == bits(&twice.places[1]), "twice");

    let mut w = world(true, 9.81, 1).unwrap();
    let a = add_held(&mut w, below());
    let apart = RodsDesc { category: 2, mask: 2, ..above() };
    let b = w.add_rods(apart.clone()).unwrap();
    w.step(DT, &Inline).unwrap();
    w.change_rods(b, &RodsDesc { category: 1, mask: u32::MAX, radii: Vec::new(), ..apart }).unwrap();
    (0..19).for_each(|_| w.step(DT, &Inline).unwrap());
    let (a, b) = (positions(&w, a), positions(&w, b));
    assert!(b[10].y > a[10].y && deep(&a, &b) < 0.04, "{:?} {:?}", a[10], b[10]);
}

/// A rope lies across two others, rails that slope by 0.3. Stated: with a friction of 1 it goes less than 1 mm along them in a third of a second, without it
/// more than 5 cm. Two sets have the root of the product of theirs: 2 and 0.5 give the bits of 1 and 1.
#[test]
fn friction_is_of_both_sets() {
    let run = |on_gpu: bool, friction: [f64; 2]| {
        let mut w = world(on_gpu, 9.81, 1)?;
        let rail = |z: f64| line([-0.3, -0.09, z], [0.3, 0.09, z], 21);
        let lies = line([0.07, 0.0306, -0.2], [0.07, 0.0306, 0.2], 21);
        let of = |strands: &[Vec<[f64; 3]>], k: usize| RodsDesc {
            radii: vec![[5e-3, 4e-3][k]],
            friction: friction[k],
            damping: 1.0,
            ..ropes(strands, SweepOrder::Direct)
        };
        let rails = w.add_rods(of(&[rail(-0.1), rail(0.1)], 0)).unwrap();
        for (v, p) in [-0.1, 0.1].into_iter().flat_map(|z| [rail(z)[0], rail(z)[20]]).zip([0, 20, 21, 41]).map(|(p, v)| (v, p)) {
            w.rods_mut(rails).unwrap().set_pin(v, Some(p), false).unwrap();
        }
        let rope = w.add_rods(of(&[lies], 1)).unwrap();
        (0..20).for_each(|_| w.step(DT, &Inline).unwrap());
        let places = positions(&w, rope);
        assert_eq!(w.stats().non_finite_strands, 0);
        let slid = 0.07 - places[10].x;
        Some((bits(&[places, positions(&w, rails)].concat()), slid, w.stats().contacts))
    };
    let Some(rough) = run(true, [1.0, 1.0]) else { return };
    let [mixed, smooth, half] = [[2.0, 0.5], [0.0, 0.0], [1.0, 0.0]].map(|f| run(true, f).unwrap());
    let [rough_there, smooth_there] = [1.0, 0.0].map(|f| run(false, [f; 2]).unwrap().1);
    println!("slid by {} and {} ({} contacts); on the CPU {rough_there} and {smooth_there}", rough.1, smooth.1, rough.2);
    assert!(rough.0 == mixed.0 && smooth.0 == half.0, "the root of the product");
    assert!(rough.1.abs() < 1e-3 && smooth.1 > 0.05, "{} {}", rough.1, smooth.1);
}

/// Stated: ropes of two sets that meet in flight lose less than 3e-2 of their momentum, both swept less than 1e-5, and gain no energy.
#[test]
fn sets_that_touch_keep_their_momentum() {
    use SweepOrder::{Alternating, Direct};
    for (orders, iterations, most) in [([Direct, Direct], 1, 3e-2), ([Direct, Alternating], 6, 3e-2), ([Alternating; 2], 6, 1e-5)]
    {
        let Some(mut w) = world(true, 0.0, iterations) else { return };
        let flies = RodsDesc {
            velocities: vec![[0.3, -1.0, 0.0]; 17],
            friction: 0.5,
            ..ropes(&[line([0.05, 0.03, -0.2], [0.02, 0.035, 0.2], 17)], orders[1])
        };
        let rests = RodsDesc { friction: 0.5, ..ropes(&[line([-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], 17)], orders[0]) };
        let one = |d: RodsDesc| if d.order == Direct { RodsDesc { iterations: 1, ..d } } else { d };
        let ids = [one(rests), one(flies)].map(|d| w.add_rods(d).unwrap());
        let measure = |w: &World| {
            let all = ids.map(|id| crate::scene::momentum(w.rods(id).unwrap()));
            (all[0].linear + all[1].linear, all[0].kinetic + all[1].kinetic)
        };
        let (before, mut touched) = (measure(&w), 0);
        for _ in 0..12 {
            w.step(DT, &Inline).unwrap();
            touched += w.stats().contacts;
        }
        let after = measure(&w);
        let lost = (after.0 - before.0).length() / before.0.length();
        println!("{orders:?}: {touched} contacts; lost {lost:e}; energy {}", after.1 / before.1);
        assert!(touched > 5 && lost < most && after.1 < before.1, "{orders:?}: {touched} {lost} {}", after.1 / before.1);
    }
}

/// Sets are added, taken out, put back and removed while others live and touch.
#[test]
fn sets_come_and_go() {
    let Some(mut w) = world(true, 9.81, 1) else { return };
    let below = add_held(&mut w, der(holding(SweepOrder::Direct), Integrator::First));
    let memory = w.memory_bytes();
    let first = w.add_rods(falling(SweepOrder::Direct)).unwrap();
    let shifted = |x: f64| {
        let d = falling(SweepOrder::Direct);
        RodsDesc { positions: d.positions.iter().map(|p| [p[0] + x, p[1] + 0.01, p[2]]).collect(), ..d }
    };
    let go = |w: &mut World, frames: usize| (0..frames).for_each(|_| w.step(DT, &Inline).unwrap());
    go(&mut w, 12);
    let second = w.add_rods(shifted(0.1)).unwrap();
    assert!(w.memory_bytes() > memory);
    go(&mut w, 12);
    let lies = |w: &World, rods: Id| {
        let (a, b) = (positions(w, below), positions(w, rods));
        (b[10].y > a[10].y, deep(&a, &b))
    };
    for (name, rods) in [("the first", first), ("the one that was added", second)] {
        let (over, deep) = lies(&w, rods);
        assert!(over && deep < 0.04, "{name}: {over} {deep}");
    }
    // Without the first, the second goes on lying there; the first's place in memory is free again.
    w.remove_rods(first).unwrap();
    go(&mut w, 12);
    let (over, deep) = lies(&w, second);
    assert!(over && deep < 0.04, "after one was destroyed: {over} {deep}");
    // What is not enabled meets nothing.
    w.set_rods_enabled(second, false).unwrap();
    go(&mut w, 1);
    let stood = bits(&positions(&w, second));
    w.rods_mut(below).unwrap().set_pin(0, Some([-0.3, 0.02, 0.0]), false).unwrap();
    go(&mut w, 2);
    assert_eq!(w.stats().contacts, 0);
    assert!(stood == bits(&positions(&w, second)));
    w.rods_mut(below).unwrap().set_pin(0, Some([-0.3, 0.0, 0.0]), false).unwrap();
    w.set_rods_enabled(second, true).unwrap();
    let above: Vec<[f64; 3]> = shifted(0.1).positions;
    w.rods_mut(second).unwrap().write_positions(|i| above[i]).unwrap();
    go(&mut w, 20);
    let (over, deep) = lies(&w, second);
    assert!(over && deep < 0.04, "put back: {over} {deep}");
    w.remove_rods(second).unwrap();
    w.remove_rods(below).unwrap();
    go(&mut w, 2);
    assert!(w.memory_bytes() < memory);
}

/// What cannot be: a set in several parts, and sets that together have no room, each by name, and the world goes on without it.
#[test]
fn what_has_no_room_is_refused() {
    let Some(gpu) = device() else { return };
    let strands: Vec<_> = (0..64).map(|k| line([0.0, 0.0, 0.1 * f64::from(k)], [1.0, 0.0, 0.1 * f64::from(k)], 20)).collect();
    let many = ropes(&strands, SweepOrder::Alternating);
    let refused = |largest: usize, d: &[RodsDesc]| {
        let mut w =
            World::on(&gpu.with_largest_buffer(largest as u64), WorldDesc { substeps: 4, ..WorldDesc::default() }).unwrap();
        let mut last = None;
        for d in d {
            last = w.add_rods(d.clone()).err();
        }
        w.step(DT, &Inline).unwrap();
        (last.unwrap(), w.stats().non_finite_strands)
    };
    // 768 bytes of rows a vertex, 64 of state.
    for (largest, sets, says) in [(60_000, &[many.clone()][..], "in 2"), (1_100_000, &[many.clone(), many][..], "of all sets")] {
        let (error, lost) = refused(largest, sets);
        println!("{error}");
        assert!(
            error.kind == ErrorKind::Unsupported && error.message.contains("self_contact") && error.message.contains(says),
            "{error}"
        );
        assert_eq!(lost, 0);
    }
}
