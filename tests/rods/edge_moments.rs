//! Moments that the host puts on edges: what they twist, how fast they spin what is free, and rest shapes that hold against them.

use crate::scene::*;
use withy::math::Vec3;
use withy::sagfree::rest_shape::Options;
use withy::world::*;

const RADIUS: f64 = 2e-3;
/// Of Young's modulus.
const SHEAR: f64 = 0.4;

/// The ways to solve a rod.
const SOLVERS: [(&str, RodModel, SweepOrder); 3] = [
    ("sweeps", RodModel::Ghost, SweepOrder::Alternating),
    ("direct", RodModel::Ghost, SweepOrder::Direct),
    ("der", RodModel::Der, SweepOrder::Auto),
];

fn rod(positions: Vec<V3>, young: f64, (_, model, order): (&str, RodModel, SweepOrder)) -> RodsDesc {
    RodsDesc {
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young, shear: SHEAR * young },
        model,
        order,
        ..cantilever(positions, young)
    }
}

fn world(double_precision: bool, substeps: u32, iterations: u32, gravity: V3) -> World {
    World::new(WorldDesc { double_precision, substeps, iterations, gravity, ..WorldDesc::default() }).unwrap()
}

/// d¹ of every edge.
fn axes(rods: &Rods) -> Vec<Vec3<f64>> {
    let (x, mut out) = (positions(rods), Vec::new());
    rods.read_ghosts(|i, g| {
        let e = x[i + 1] - x[i];
        let d = Vec3::from(g) - (x[i] + x[i + 1]) * 0.5;
        let d = d - e * (d.dot(e) / e.length2());
        out.push(d * (1.0 / d.length()));
    });
    out
}

/// A moment about the last edge of a straight clamped rod twists each element by M l/GJ, is seen as such in each, and moves no vertex. The
/// clamp of ghost-point rods is half an element before the first edge, that of discrete elastic rods holds it.
#[test]
fn a_rod_twists_by_what_its_end_is_turned_with() {
    let (n, length) = (12, 0.24);
    let young = 1e7;
    let torsion = SHEAR * young * std::f64::consts::PI * RADIUS.powi(4) / 2.0;
    let moment = 0.3 * torsion / length;
    let edge = length / n as f64;
    for solver in SOLVERS {
        for double in [true, false] {
            let (substeps, iterations) = if solver.0 == "sweeps" { (8, 40) } else { (8, 2) };
            let mut w = world(double, substeps, iterations, [0.0; 3]);
            let desc = RodsDesc {
                drag: 20.0,
                viscosity: if solver.0 == "sweeps" { 0.0 } else { 0.05 },
                ..rod(horizontal(n, length), young, solver)
            };
            let id = w.add_rods(RodsDesc { damping: 30.0, can_sleep: false, ..desc }).unwrap();
            let start = axes(w.rods(id).unwrap());
            w.rods_mut(id).unwrap().set_moments(|i| if i == n - 1 { moment } else { 0.0 }).unwrap();
            steps(&mut w, 240, 1.0 / 60.0);
            let rods = w.rods(id).unwrap();
            let lead = if solver.0 == "der" { 0.0 } else { 0.5 };
            let mut worst = 0.0f64;
            for (i, (a, b)) in start.iter().zip(axes(rods)).enumerate() {
                let expected = moment * (i as f64 + lead) * edge / torsion;
                let turned = a.cross(b).x.atan2(a.dot(b));
                worst = worst.max((turned - expected).abs());
            }
            let mut seen = Vec::new();
            rods.read_moments(|_, m| seen.push(m[2]));
            let off = seen[1..n].iter().map(|m| (m / moment - 1.0).abs()).fold(0.0, f64::max);
            let moved =
                positions(rods).iter().zip(horizontal(n, length)).map(|(a, b)| (*a - b.into()).length()).fold(0.0, f64::max);
            println!("{} f64 {double}: angles {worst:.1e} of 0.3 rad, moments {off:.1e}, moved {moved:.1e} m", solver.0);
            let (angle, share, way) = if solver.0 == "sweeps" { (0.02, 0.05, 1e-4) } else { (3e-4, 3e-4, 1e-5) };
            assert!(worst < angle && off < share && moved < way);
            // Taken away, it turns back.
            w.rods_mut(id).unwrap().clear_moments();
            steps(&mut w, 240, 1.0 / 60.0);
            let left = start.iter().zip(axes(w.rods(id).unwrap())).map(|(a, b)| a.cross(b).length()).fold(0.0, f64::max);
            assert!(left < 1e-2, "{left}");
        }
    }
}

/// Moments about all edges of a free rod give it their sum of angular momentum a second, and no momentum. Ghost points of swept rods have
/// their reaction in the ends, and both turn about the centre of both.
#[test]
fn a_free_rod_spins_up() {
    let n = 10;
    for solver in SOLVERS {
        for double in [true, false] {
            let mut w = world(double, 8, 4, [0.0; 3]);
            let id = w.add_rods(RodsDesc { root: EndSupport::Free, ..rod(horizontal(n, 0.2), 1e8, solver) }).unwrap();
            let mut inertia = 0.0;
            let distance = {
                let (x, mut d) = (positions(w.rods(id).unwrap()), 0.0);
                w.rods(id).unwrap().read_ghosts(|i, g| d = (Vec3::from(g) - (x[i] + x[i + 1]) * 0.5).length());
                d
            };
            w.rods(id).unwrap().read_masses(|_, _| (), |_, m| inertia += m * distance * distance);
            // Two turns a second after a second.
            let moment = inertia * 12.0 / n as f64;
            w.rods_mut(id).unwrap().set_moments(|_| moment).unwrap();
            let start = axes(w.rods(id).unwrap())[n / 2];
            steps(&mut w, 30, 1.0 / 60.0);
            let rods = w.rods(id).unwrap();
            let now = axes(rods)[n / 2];
            let angle = start.cross(now).x.atan2(start.dot(now));
            if solver.0 == "sweeps" {
                let after = momentum(rods);
                let got = after.angular * (1.0 / (moment * n as f64 * 0.5));
                println!("sweeps f64 {double}: {got:?} of the angular momentum, {:.1e} kg m/s", after.linear.length());
                assert!((got.x - 1.0).abs() < 1e-5 && got.y.hypot(got.z) < 1e-5 && after.linear.length() < 1e-7 * after.mass);
            } else {
                // The section is balanced about the axis: ½ M/J t², and no vertex moves.
                let moved =
                    positions(rods).iter().zip(horizontal(n, 0.2)).map(|(a, b)| (*a - b.into()).length()).fold(0.0, f64::max);
                println!("{} f64 {double}: turned {angle:.4} rad, moved {moved:.1e} m", solver.0);
                assert!((angle - 1.5).abs() < 0.01 && moved < 1e-5);
            }
        }
    }
}

/// Rest shapes of curls with moments about a third of their edges, and gravity: they stay, and without they do not.
#[test]
fn rest_shapes_hold_against_moments() {
    let n = 24;
    for solver in SOLVERS.into_iter().filter(|s| s.0 != "sweeps") {
        for (double, substeps) in [(true, 2), (false, 8)] {
            for optimized in [true, false] {
                let mut w = world(double, substeps, 1, [0.0, -9.81, 0.0]);
                let desc = rod(curl(n, 0.4), 1e8, solver);
                let id = w.add_rods(desc).unwrap();
                if optimized {
                    // At a clamp, where there is no gravity, the moments alone are the load too.
                    w.rods_mut(id).unwrap().set_moments(|i| if i >= 16 { 2e-5 } else { 0.0 }).unwrap();
                    w.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap();
                    let report = w.rods(id).unwrap().elastic_report()[0];
                    assert_eq!(format!("{:?}", report.status), "AtTarget");
                    assert_eq!(report.unstable_modes, 0);
                } else {
                    w.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap();
                    w.rods_mut(id).unwrap().set_moments(|i| if i >= 16 { 2e-5 } else { 0.0 }).unwrap();
                }
                let (start, frames) = (positions(w.rods(id).unwrap()), axes(w.rods(id).unwrap()));
                steps(&mut w, 180, 1.0 / 60.0);
                let rods = w.rods(id).unwrap();
                let moved = positions(rods).iter().zip(&start).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
                let turned = axes(rods).iter().zip(&frames).map(|(a, b)| a.cross(*b).length()).fold(0.0, f64::max);
                println!("{} f64 {double}, optimized {optimized}: {moved:.1e} m, {turned:.1e} rad", solver.0);
                if optimized {
                    assert!(moved < 1e-4 && turned < 1e-3);
                } else {
                    assert!(turned > 1e-2);
                }
            }
        }
    }
}

/// Clearing forces leaves moments, and the other way round.
#[test]
fn forces_and_moments_are_set_apart() {
    let run = |set: &dyn Fn(&mut Rods)| {
        let mut w = world(false, 4, 4, [0.0; 3]);
        let id = w.add_rods(rod(curl(8, 0.1), 1e8, SOLVERS[0])).unwrap();
        set(w.rods_mut(id).unwrap());
        steps(&mut w, 20, 1.0 / 60.0);
        let bits: Vec<[u64; 3]> = positions(w.rods(id).unwrap()).iter().map(|p| p.to_array().map(f64::to_bits)).collect();
        bits
    };
    let force = |r: &mut Rods| r.set_forces(|_| [0.0, 1e-3, 2e-4]).unwrap();
    let moment = |r: &mut Rods| r.set_moments(|i| 1e-5 * i as f64).unwrap();
    let (none, forced, twisted) = (run(&|_| ()), run(&force), run(&moment));
    assert!(none != forced && none != twisted && forced != twisted);
    assert!(
        run(&|r| {
            force(r);
            moment(r);
            r.clear_moments();
        }) == forced
    );
    assert!(
        run(&|r| {
            force(r);
            moment(r);
            r.clear_forces();
        }) == twisted
    );
    assert!(
        run(&|r| {
            force(r);
            moment(r);
            r.clear_forces();
            r.clear_moments();
        }) == none
    );
    let mut w = world(false, 4, 4, [0.0; 3]);
    let id = w.add_rods(rod(curl(8, 0.1), 1e8, SOLVERS[0])).unwrap();
    let refused = w.rods_mut(id).unwrap().set_moments(|i| if i == 5 { f64::NAN } else { 0.0 }).unwrap_err();
    assert_eq!(refused.to_string(), "moments[5] is NaN, must be finite");
}
