//! Sections of rods in a world: elliptic, tapered, stiffened, with a modulus of their own against stretching; against beam theory.

use crate::scene::*;
use std::f64::consts::PI;
use withy::world::*;

const YOUNG: f64 = 1e9;
const N: usize = 100;
const LENGTH: f64 = 0.5;
const LOAD: f64 = 1e-5;

/// Where a clamped rod of unit `LENGTH` along x ends under a load on its tip, less where it began.
fn tip(model: RodModel, load: V3, rod: RodsDesc) -> V3 {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    // A held edge of discrete elastic rods bends from its middle on.
    let held = if model == RodModel::Der { 0.5 } else { 0.0 };
    let l = LENGTH / ((N - 1) as f64 - held);
    let positions = (0..N).map(|i| [l * (i as f64 - held), 0.0, 0.0]).collect();
    let id = w
        .add_rods(RodsDesc {
            positions,
            counts: vec![N as u32],
            section_axes: vec![[0.0, 1.0, 0.0]],
            root: EndSupport::Clamped,
            order: SweepOrder::Direct,
            model,
            ..rod
        })
        .unwrap();
    w.rods_mut(id).unwrap().set_forces(|i| if i + 1 == N { load } else { [0.0; 3] }).unwrap();
    w.settle(id, 500, 1e-9, &Inline).unwrap();
    let end = positions_of(&w, id)[N - 1];
    [end[0] - LENGTH, end[1], end[2]]
}

fn positions_of(w: &World, id: Id) -> Vec<V3> {
    positions(w.rods(id).unwrap()).iter().map(|p| [p.x, p.y, p.z]).collect()
}

/// ∫ (L − s)²/EI ds times the load, EI along the rod.
fn deflection(ei: impl Fn(f64) -> f64) -> f64 {
    let n = 20_000;
    let at = |i: usize| (i as f64 + 0.5) / n as f64;
    (0..n).map(|i| LOAD * (LENGTH * (1.0 - at(i))).powi(2) / ei(at(i))).sum::<f64>() * LENGTH / n as f64
}

fn close(what: &str, got: f64, want: f64, bar: f64) {
    println!("{what}: {got:.6e}, beam theory {want:.6e}, {:.1e}", got / want - 1.0);
    assert!((got / want - 1.0).abs() < bar, "{what}: {got} instead of {want}");
}

const MODELS: [RodModel; 2] = [RodModel::Der, RodModel::Ghost];

fn physical() -> RodsDesc {
    RodsDesc { stiffness: Stiffness::Physical { young: YOUNG, shear: 4e8 }, radii: vec![1e-3], ..RodsDesc::default() }
}

/// πa³b/4 against bending along d¹, πab³/4 along d².
#[test]
fn elliptic_sections_bend_more_one_way() {
    for model in MODELS {
        for aspect in [1.0f64, 0.4, 2.5] {
            let rod = || RodsDesc { aspect, ..physical() };
            let (a, b) = (1e-3f64, 1e-3 * aspect);
            let along = tip(model, [0.0, LOAD, 0.0], rod())[1];
            close(&format!("{model:?} aspect {aspect} along d1"), along, deflection(|_| YOUNG * PI * a.powi(3) * b / 4.0), 5e-3);
            let across = tip(model, [0.0, 0.0, LOAD], rod())[2];
            close(&format!("{model:?} aspect {aspect} along d2"), across, deflection(|_| YOUNG * PI * a * b.powi(3) / 4.0), 5e-3);
        }
    }
}

/// Radii a vertex: a taper to half.
#[test]
fn tapered_rods_bend_near_the_tip() {
    for model in MODELS {
        let radius = |s: f64| 1e-3 * (1.0 - 0.5 * s);
        let radii = (0..N).map(|i| radius(i as f64 / (N - 1) as f64)).collect();
        let got = tip(model, [0.0, LOAD, 0.0], RodsDesc { radii, ..physical() })[1];
        close(&format!("{model:?} taper"), got, deflection(|s| YOUNG * PI * radius(s).powi(4) / 4.0), 0.01);
    }
}

/// Factors a vertex: the outer half four times as stiff, in bending and in stretching.
#[test]
fn stiffened_halves_bend_less() {
    for model in MODELS {
        let factor = |s: f64| if s < 0.5 { 1.0 } else { 4.0 };
        let stiffness_scale: Vec<f64> = (0..N).map(|i| factor(i as f64 / (N - 1) as f64)).collect();
        let i4 = PI * 1e-3f64.powi(4) / 4.0;
        let rod = || RodsDesc { stiffness_scale: stiffness_scale.clone(), ..physical() };
        close(&format!("{model:?} scale"), tip(model, [0.0, LOAD, 0.0], rod())[1], deflection(|s| YOUNG * i4 * factor(s)), 0.01);
        let stretched = tip(model, [10.0, 0.0, 0.0], rod())[0];
        let want = 10.0 * LENGTH / (YOUNG * PI * 1e-6) * (0.5 + 0.5 / 4.0);
        close(&format!("{model:?} scale, stretched"), stretched, want, 0.02);
    }
}

/// PL/(E_s A), and bending as before.
#[test]
fn stretching_has_a_modulus_of_its_own() {
    for model in MODELS {
        for modulus in [1e7, 1e10] {
            let rod = || RodsDesc { stretch_modulus: modulus, ..physical() };
            let pull = 1e-2;
            let held = if model == RodModel::Der { 0.5 / ((N - 1) as f64 - 0.5) } else { 0.0 };
            // The held edge of discrete elastic rods keeps its length.
            let want = pull * LENGTH * (1.0 - held) / (modulus * PI * 1e-6);
            close(&format!("{model:?} E_s {modulus:.0e}"), tip(model, [pull, 0.0, 0.0], rod())[0], want, 2e-3);
            let bent = tip(model, [0.0, LOAD, 0.0], rod())[1];
            close(&format!("{model:?} E_s {modulus:.0e}, bent"), bent, deflection(|_| YOUNG * PI * 1e-12 / 4.0), 5e-3);
        }
    }
}

/// ρπab along the rod, of a taper with an elliptic section.
#[test]
fn masses_are_those_of_the_section() {
    for model in MODELS {
        let mut w = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
        let radius = |s: f64| 1e-3 * (1.0 - 0.5 * s);
        let radii = (0..N).map(|i| radius(i as f64 / (N - 1) as f64)).collect();
        let positions = (0..N).map(|i| [LENGTH * i as f64 / (N - 1) as f64, 0.0, 0.0]).collect();
        let desc = RodsDesc { positions, counts: vec![N as u32], radii, aspect: 0.5, density: 1300.0, model, ..physical() };
        let id = w.add_rods(desc).unwrap();
        let mut sum = 0.0;
        let (mut ghosts, rods) = (0.0, w.rods(id).unwrap());
        rods.read_masses(|_, m| sum += m, |_, m| ghosts += m);
        // The mean of r² along the taper is 7/12.
        close(&format!("{model:?} mass"), sum + ghosts, 1300.0 * PI * 0.5 * 1e-6 * LENGTH * 7.0 / 12.0, 1e-3);
    }
}

/// Rods that get another section are those that were made with it: the same motion, the same rest shape found; some vertices pinned, a tip
/// that is let go after it.
#[test]
fn another_section_is_as_good_as_made_with_it() {
    for (model, order) in
        [(RodModel::Der, SweepOrder::Direct), (RodModel::Ghost, SweepOrder::Direct), (RodModel::Ghost, SweepOrder::Alternating)]
    {
        let radius = |s: f64| 1.3e-3 * (1.0 - 0.5 * s);
        let at = |i: usize| i as f64 / 39.0;
        let wanted: Vec<f64> = (0..80).map(|i| radius(at(i % 40))).collect();
        let run = |start: Vec<f64>, change: bool, optimize: bool| {
            let mut w = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
            let strands = [curl(39, 0.0), curl(39, 1.0)];
            let id = w
                .add_rods(RodsDesc {
                    positions: strands.concat(),
                    counts: vec![40; 2],
                    radii: start,
                    aspect: 0.7,
                    root: EndSupport::Clamped,
                    sag_free: optimize && change,
                    model,
                    order,
                    ..physical()
                })
                .unwrap();
            let rods = w.rods_mut(id).unwrap();
            rods.set_pin(39, Some(strands[0][39]), false).unwrap();
            if change {
                rods.set_radii(|i| wanted[i]).unwrap();
            }
            rods.set_pin(39, None, false).unwrap();
            if optimize {
                w.optimize_rest_shape(id, &withy::sagfree::rest_shape::Options::default(), &Inline, &mut |_, _| true).unwrap();
                assert!(
                    w.rods(id).unwrap().elastic_report().iter().all(|r| r.norm <= 1e-6 && r.unstable_modes == 0),
                    "{model:?}"
                );
            }
            steps(&mut w, 30, 1.0 / 60.0);
            let mut masses = Vec::new();
            let ghosts = std::cell::RefCell::new(Vec::new());
            w.rods(id).unwrap().read_masses(|_, m| masses.push(m), |_, m| ghosts.borrow_mut().push(m));
            (positions_of(&w, id), masses, ghosts.into_inner())
        };
        let (made, changed) = (run(wanted.clone(), false, false), run(vec![1e-3], true, false));
        let off =
            |a: &[V3], b: &[V3]| a.iter().zip(b).flat_map(|(a, b)| (0..3).map(move |k| (a[k] - b[k]).abs())).fold(0.0, f64::max);
        let moved = off(&made.0, &[curl(39, 0.0), curl(39, 1.0)].concat());
        println!("{model:?} {order:?}: {:.1e} m apart, both moved by {moved:.3} m", off(&made.0, &changed.0));
        assert!(off(&made.0, &changed.0) < 1e-9 && moved > 0.01, "{model:?} {order:?}");
        for (a, b) in made.1.iter().zip(&changed.1).chain(made.2.iter().zip(&changed.2)) {
            assert!((a / b - 1.0).abs() < 1e-12 || a == b, "{model:?}: {a} kg, {b} kg");
        }
        if order == SweepOrder::Direct {
            let held = run(vec![1e-3], true, true);
            let away = off(&held.0, &[curl(39, 0.0), curl(39, 1.0)].concat());
            println!("{model:?}: optimized again, {away:.1e} m away");
            assert!(away < 1e-9, "{model:?}: {away}");
        }
    }
}
