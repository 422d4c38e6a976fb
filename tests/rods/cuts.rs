//! Edges that are cut, or break.

use crate::tied::{DT, line};
use withy::tasks::Inline;
use withy::world::*;

fn rope() -> RodsDesc {
    RodsDesc {
        positions: line([0.0; 3], [0.0, -1.0, 0.0], 21),
        counts: vec![21],
        radii: vec![5e-3],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        stretch_modulus: 1e9,
        root: EndSupport::Pinned,
        damping: 2.0,
        ..RodsDesc::default()
    }
}

fn positions(w: &World, rods: Id) -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_positions(|_, p| all.push(p));
    all
}
fn lengths(p: &[[f64; 3]]) -> Vec<f64> {
    p.windows(2).map(|e| (0..3).map(|k| (e[1][k] - e[0][k]).powi(2)).sum::<f64>().sqrt()).collect()
}
fn steps(w: &mut World, count: usize) {
    (0..count).for_each(|_| w.step(DT, &Inline).unwrap());
}

/// What hangs below a cut falls as freely as if it had never hung there, whatever the damping; what is above stays.
#[test]
fn what_is_cut_off_falls() {
    let (first, second) = (Integrator::First, Integrator::Second);
    for (double_precision, model, edge, integrator) in [
        (false, RodModel::Ghost, 7, first),
        (true, RodModel::Ghost, 7, first),
        (false, RodModel::Der, 7, first),
        (true, RodModel::Der, 0, first),
        (false, RodModel::Ghost, 19, first),
        (false, RodModel::Ghost, 7, second),
        (true, RodModel::Ghost, 7, second),
        (true, RodModel::Der, 0, second),
    ] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let id = w.add_rods(RodsDesc { model, integrator, ..rope() }).unwrap();
        steps(&mut w, 30);
        w.rods_mut(id).unwrap().set_cut(edge, true).unwrap();
        assert_eq!(w.rods(id).unwrap().cuts().collect::<Vec<_>>(), [edge as u32]);
        let before = positions(&w, id);
        steps(&mut w, 30);
        let (after, what) = (positions(&w, id), format!("{model:?} {integrator:?} f64 {double_precision} edge {edge}"));
        // Half a second, in substeps of 1/480 s: implicit Euler falls ½ g t (t + h). The first step of second order is one of these.
        let h = DT / 8.0;
        let fall = 0.5 * 9.81 * if integrator == first { 0.5 * (0.5 + h) } else { 0.25 + h * h };
        // In f32 a step under stiff springs loses some momentum to rounding: here up to 6 mm/s, and 13 in second order.
        let within = if double_precision { 2e-5 } else { 5e-3 * if integrator == first { 1.0 } else { 1.5 } };
        for v in edge + 1..21 {
            assert!((before[v][1] - after[v][1] - fall).abs() < within, "{what}: vertex {v} fell {}", before[v][1] - after[v][1]);
        }
        (0..=edge).for_each(|v| assert!((before[v][1] - after[v][1]).abs() < 1e-3, "{what}: vertex {v}"));
        lengths(&after)
            .iter()
            .enumerate()
            .filter(|e| e.0 != edge)
            .for_each(|(e, l)| assert!((l - 0.05).abs() < 1e-4, "{what}: {e}: {l}"));
        assert!(w.stats().largest_strain < 0.01, "{what}: {}", w.stats().largest_strain);
        // Whole again, the ends come together.
        w.rods_mut(id).unwrap().set_cut(edge, false).unwrap();
        steps(&mut w, 600);
        assert!(lengths(&positions(&w, id)).iter().all(|l| (l - 0.05).abs() < 1e-3), "{what}: {:?}", lengths(&positions(&w, id)));
    }
}

/// A free rope that turns: its parts fly on with the momentum that they had.
#[test]
fn parts_of_a_free_rope_keep_their_momentum() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let velocities = (0..21).map(|v| [4.0 * (f64::from(v) / 20.0 - 0.5), 0.0, 1.0]).collect();
    let id = w.add_rods(RodsDesc { root: EndSupport::Free, velocities, damping: 0.0, ..rope() }).unwrap();
    steps(&mut w, 5);
    w.rods_mut(id).unwrap().set_cut(10, true).unwrap();
    let momentum = |w: &World, part: core::ops::Range<usize>| {
        let (mut v, mut m, mut ghosts) = (Vec::new(), Vec::new(), Vec::new());
        w.rods(id).unwrap().read_velocities(|_, u| v.push(u));
        w.rods(id).unwrap().read_masses(|_, k| m.push(k), |_, k| ghosts.push(k));
        // An edge, also one that is cut, gives half of its mass to each end.
        for (e, k) in ghosts.into_iter().enumerate() {
            m[e] += 0.5 * k;
            m[e + 1] += 0.5 * k;
        }
        let all: f64 = m[part.clone()].iter().sum();
        [0, 1, 2].map(|k| part.clone().map(|i| m[i] * v[i][k]).sum::<f64>() / all)
    };
    let (a, b) = (momentum(&w, 0..11), momentum(&w, 11..21));
    assert!(a[0] < -0.5 && b[0] > 0.5, "{a:?} {b:?}");
    steps(&mut w, 60);
    for (before, after) in [(a, momentum(&w, 0..11)), (b, momentum(&w, 11..21))] {
        (0..3).for_each(|k| assert!((before[k] - after[k]).abs() < 1e-9, "{before:?} {after:?}"));
    }
    let p = positions(&w, id);
    assert!(p[10][0] < -0.5 && p[11][0] > 0.5, "{:?} {:?}", p[10], p[11]);
}

/// A rope that is drawn longer breaks once, where it is weakest, at the tension that was asked for.
#[test]
fn a_rope_breaks_at_its_strength() {
    for weakest in [None, Some(13)] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let id = w.add_rods(RodsDesc { tip: EndSupport::Pinned, ..rope() }).unwrap();
        match weakest {
            None => w.rods_mut(id).unwrap().set_break_force(1, |_| 200.0).unwrap(),
            Some(e) => w.rods_mut(id).unwrap().set_break_force(20, |k| if k == e { 200.0 } else { 230.0 }).unwrap(),
        }
        // EA is 78.5 kN: 200 N at 2.55 mm.
        let (mut last, mut broke_at) = (0.0_f64, None);
        for k in 0..120 {
            let to = Pose { position: [0.0, -1.0 - 4e-5 * f64::from(k), 0.0], ..Pose::IDENTITY };
            w.rods_mut(id).unwrap().set_tip_poses(|_| to, false).unwrap();
            w.step(DT, &Inline).unwrap();
            if broke_at.is_none() && w.rods(id).unwrap().cuts().len() > 0 {
                broke_at = Some(k);
            }
            if broke_at.is_none() {
                last = 0.0;
                w.rods(id).unwrap().read_forces(|_, t| last = last.max(t));
            }
        }
        let cuts: Vec<u32> = w.rods(id).unwrap().cuts().collect();
        assert_eq!(cuts.len(), 1, "{cuts:?}");
        assert!(weakest.is_none_or(|e| cuts[0] as usize == e), "{cuts:?}");
        assert!((194.0..=200.0).contains(&last), "{last} N at step {broke_at:?}");
    }
}

/// What is cut is part of a state; a state from before makes it whole.
#[test]
fn cuts_are_part_of_a_state() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let id = w.add_rods(RodsDesc { self_contact: true, ..rope() }).unwrap();
    let save = |w: &World| {
        let mut bytes = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut bytes).unwrap();
        bytes
    };
    steps(&mut w, 5);
    let whole = save(&w);
    steps(&mut w, 10);
    let on = w.state_hash();
    w.rods_mut(id).unwrap().set_cut(4, true).unwrap();
    w.rods_mut(id).unwrap().set_cut(12, true).unwrap();
    steps(&mut w, 5);
    let cut = save(&w);
    steps(&mut w, 10);
    let fallen = w.state_hash();
    w.restore_state(&whole).unwrap();
    assert_eq!(w.rods(id).unwrap().cuts().len(), 0);
    steps(&mut w, 10);
    assert_eq!(w.state_hash(), on);
    w.restore_state(&cut).unwrap();
    assert_eq!(w.rods(id).unwrap().cuts().collect::<Vec<_>>(), [4, 12]);
    steps(&mut w, 10);
    assert_eq!(w.state_hash(), fallen);
}

/// The part that falls lies down on the part that hangs, and on other ropes.
#[test]
fn parts_touch_each_other() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let all = |d: RodsDesc| RodsDesc { self_contact: true, friction: 1.0, radii: vec![8e-3], ..d };
    let beam = line([-0.3, -1.2, 0.0], [0.3, -1.2, 0.0], 13);
    let beam = all(RodsDesc { positions: beam, counts: vec![13], tip: EndSupport::Pinned, ..rope() });
    let beam = w.add_rods(beam).unwrap();
    // Level, above it and across it: the longer part has its middle over the beam.
    let over = line([0.013, -1.15, -0.6], [0.013, -1.15, 0.4], 21);
    let over = w.add_rods(all(RodsDesc { positions: over, root: EndSupport::Free, ..rope() })).unwrap();
    w.rods_mut(over).unwrap().set_cut(3, true).unwrap();
    steps(&mut w, 240);
    let (p, b) = (positions(&w, over), positions(&w, beam));
    // 4 vertices have fallen past it; the others hang over it.
    assert!(p[..4].iter().all(|x| x[1] < -5.0), "{:?}", p[3]);
    let lowest = b.iter().map(|x| x[1]).fold(0.0, f64::min);
    assert!(p[4..].iter().all(|x| x[1] > lowest - 0.7), "{:?}", &p[4..]);
    assert!(w.contact_work().contacts > 0);
}

#[test]
fn what_cannot_be_cut_is_named() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let says = |r: Result<()>, word: &str| {
        let e = r.unwrap_err();
        assert!(e.message.contains(word), "{}", e.message);
    };
    let id = w.add_rods(rope()).unwrap();
    says(w.rods_mut(id).unwrap().set_cut(20, true), "edge is 20, the rods have 20");
    says(w.rods_mut(id).unwrap().set_break_force(3, |_| 1.0), "break_force has 3 numbers");
    says(w.rods_mut(id).unwrap().set_break_force(1, |_| -1.0), "break_force[0]");
    says(w.rods_mut(id).unwrap().set_break_force(1, |_| f64::NAN), "break_force[0]");
    let swept = w.add_rods(RodsDesc { order: SweepOrder::Alternating, ..rope() }).unwrap();
    says(w.rods_mut(swept).unwrap().set_cut(3, true), "sweeps");
    let clamped = w.add_rods(RodsDesc { root: EndSupport::Clamped, model: RodModel::Der, ..rope() }).unwrap();
    says(w.rods_mut(clamped).unwrap().set_cut(0, true), "clamp");
    w.rods_mut(id).unwrap().set_cut(3, true).unwrap();
    says(w.optimize_rest_shape(id, &Default::default(), &Inline, &mut |_, _| true), "cut");
    // Twice, or none there: nothing happens.
    w.rods_mut(id).unwrap().set_cut(3, true).unwrap();
    w.rods_mut(id).unwrap().set_cut(5, false).unwrap();
    assert_eq!(w.rods(id).unwrap().cuts().len(), 1);
}

/// A part between the points by which rest is judged does not stop in the air, and a strand that is cut at every edge is damped as one whose parts are
/// single vertices: not at all.
#[test]
fn parts_that_fall_do_not_sleep() {
    for broken in [false, true] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let long = RodsDesc { positions: line([0.0; 3], [4.95, 0.0, 0.0], 100), counts: vec![100], ..rope() };
        let id = w.add_rods(long).unwrap();
        for v in (0..31).chain(46..100) {
            w.rods_mut(id).unwrap().set_pin(v, Some([0.05 * f64::from(v), 0.0, 0.0]), false).unwrap();
        }
        for edge in [30, 45] {
            if broken {
                w.rods_mut(id).unwrap().set_break_force(99, |e| if e == edge { 1e-3 } else { f64::INFINITY }).unwrap();
                steps(&mut w, 2);
            } else {
                w.rods_mut(id).unwrap().set_cut(edge, true).unwrap();
            }
        }
        assert_eq!(w.rods(id).unwrap().cuts().collect::<Vec<_>>(), [30, 45]);
        steps(&mut w, 120);
        assert!(!w.rods_sleep(id).unwrap() && positions(&w, id)[38][1] < -15.0, "{:?}", positions(&w, id)[38]);
    }
    let mut w = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
    let id = w.add_rods(RodsDesc { damping: 50.0, ..rope() }).unwrap();
    (0..20).for_each(|e| w.rods_mut(id).unwrap().set_cut(e, true).unwrap());
    let thrown: Vec<[f64; 3]> = (0..21).map(|v| [f64::from(v), 0.0, 0.0]).collect();
    w.rods_mut(id).unwrap().write_velocities(|v| thrown[v]).unwrap();
    steps(&mut w, 30);
    for (v, x) in positions(&w, id).iter().enumerate().skip(1) {
        assert!((x[0] - 0.5 * v as f64).abs() < 1e-9, "{v}: {x:?}");
    }
}
