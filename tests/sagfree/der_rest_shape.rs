//! The rest-shape optimizer against closed forms (accuracy: sag-free strands), and what its poses do in simulation.

use std::f64::consts::PI;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::rods::der::strand::*;
use withy::sagfree::rest_shape::*;

const GRAVITY: Vec3<f64> = Vec3 { x: 0.0, y: -9.81, z: 0.0 };

/// The paper's coefficients (E for stretching and bending, G), radius, density 1000 kg/m³.
#[derive(Clone, Copy)]
struct Material {
    stretch: f64,
    bend: f64,
    twist: f64,
    radius: f64,
}

/// A strand through `points` whose first edge is held, its frames transported from the first, at rest as it is.
fn strand(points: &[Vec3<f64>], m: Material) -> Strands<f64> {
    let n = points.len();
    let mut s = Strands::<f64>::new(n);
    let (area, i4) = (PI * m.radius.powi(2), PI * m.radius.powi(4) / 4.0);
    let mut frame: Option<withy::rods::der::kernels::Frame<f64>> = None;
    for i in 0..n {
        let edge = if i + 1 < n { points[i + 1] - points[i] } else { points[i] - points[i - 1] };
        let t = edge * (1.0 / edge.length());
        let now = match &frame {
            Some(f) => f.transported(t, (0.0, 1.0)),
            None => {
                let m1 = t.any_perpendicular();
                withy::rods::der::kernels::Frame { m1, m2: t.cross(m1), t }
            }
        };
        (s.state[i].edge, s.state[i].m1) = (edge, now.m1);
        frame = Some(now);
    }
    s.measure_twist();
    s.rest_from_state();
    for i in 0..n {
        let half = |i: usize| 0.5 * s.rest[i].length;
        let share = if i > 0 { half(i - 1) } else { 0.0 } + if i + 1 < n { half(i) } else { 0.0 };
        let c = &mut s.section[i];
        c.mass = 1e3 * area * share;
        c.inertia = if i + 1 < n { 0.5 * 1e3 * area * m.radius.powi(2) * s.rest[i].length } else { 1.0 };
        c.free = [(i > 1) as u32 as f64, (i > 0 && i + 1 < n) as u32 as f64];
        c.force = GRAVITY * c.mass;
        (c.ea, c.ei, c.gj) = (m.stretch * area, [m.bend * i4; 2], 2.0 * m.twist * i4);
    }
    s.swing = 1.0;
    s
}

fn line(n: usize, to: Vec3<f64>) -> Vec<Vec3<f64>> {
    (0..n).map(|i| to * (i as f64 / (n - 1) as f64)).collect()
}

fn optimize(s: &mut Strands<f64>, options: &Options) -> Solved<f64> {
    let initial = s.rest.clone();
    Optimizer::new(s.vertices()).run(s, &initial, options)
}

const USUAL: Material = Material { stretch: 1e8, bend: 1e8, twist: 1e8, radius: 1e-3 };

/// l̄ᵢ = lᵢ/(1 + Tᵢ/(c A)).
#[test]
fn vertical_strand_shortens_by_its_tension() {
    for (c, first, total) in [(5e4, Some(0.8469), Some(0.921533)), (5e3, None, None), (5e5, None, None)] {
        let m = Material { stretch: c, ..USUAL };
        let mut s = strand(&line(20, vec3(0.0, -1.0, 0.0)), m);
        let out = optimize(&mut s, &Options::default());
        println!("{c}: {out:?}");
        let l = 1.0 / 19.0;
        let mut sum = l;
        for i in 1..19 {
            let below: f64 = s.section[i + 1..].iter().map(|c| c.mass).sum();
            let exact = l / (1.0 + 9.81 * below / s.section[i].ea);
            assert!((s.rest[i].length - exact).abs() < 1e-6 * l, "{c} {i}: {} {exact}", s.rest[i].length);
            sum += s.rest[i].length;
        }
        if let (Some(first), Some(total)) = (first, total) {
            assert!((s.rest[1].length / l - first).abs() < 1e-4, "{}", s.rest[1].length / l);
            assert!((sum - total).abs() < 1e-6, "{sum}");
        }
        assert!(out.norm < 1e-5);
    }
}

/// κ̄₁ = M₁ l̄/(c π r⁴/4).
#[test]
fn horizontal_strand_bends_up_by_its_moment() {
    for (c, first) in [(1e8, 9.268), (1e9, 0.927), (1e10, 0.0927)] {
        let m = Material { bend: c, twist: c, ..USUAL };
        let mut s = strand(&line(20, vec3(1.0, 0.0, 0.0)), m);
        let mut options = Options::default();
        options.bounds.kappa = 10.0;
        let out = optimize(&mut s, &options);
        let k = s.rest[1].kappa;
        println!("{c}: {out:?} {k:?}");
        let size = k[0].hypot(k[1]);
        assert!((size - first).abs() < 1e-3 * first, "{size} {first}");
        assert!(out.norm < 1e-5, "{out:?}");
    }
}

/// A wave out of plane: f = 0 after the optimization, and the statics stay there.
#[test]
fn wavy_strand_stays_where_it_is() {
    let points: Vec<_> = (0..100)
        .map(|i| {
            let u = i as f64 / 99.0;
            vec3(0.02 * (25.0 * u).sin(), -0.3 * u, 0.02 * (17.0 * u).cos() + 0.1 * u)
        })
        .collect();
    let mut s = strand(&points, USUAL);
    let mut naive = strand(&points, USUAL);
    let sag = |s: &mut Strands<f64>| {
        let out = s.settle(100, 1e-6);
        let d = s.moved[s.vertices() - 1];
        ((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt(), out)
    };
    let out = optimize(&mut s, &Options::default());
    println!("{out:?}");
    // As near to the pose's own shape as the paper's minimum.
    let mut paper = strand(&points, USUAL);
    let least = optimize(&mut paper, &Options { target: 0.0, ..Options::default() });
    let change = |s: &Strands<f64>| {
        let all =
            s.rest.iter().zip(&naive.rest).flat_map(|(a, b)| (0..4).map(|j| a.kappa[j] - b.kappa[j]).chain([a.twist - b.twist]));
        all.map(|d| d * d).sum::<f64>().sqrt()
    };
    println!("{} {} {least:?}", change(&s), change(&paper));
    assert!(change(&s) < 1.05 * change(&paper) && out.iterations < 8.0);
    println!("naive {:?}", sag(&mut naive));
    let (kept, out2) = sag(&mut s);
    println!("optimized {kept} {out2:?}");
    assert!(out.norm < 1e-5 && kept < 1e-6);
}

/// Equilibria that are not minima: an exactly straight horizontal strand under gravity buckles sideways where
/// w L³/√(BC) > 12.85 (Prandtl): 235.9, 74.6 and 23.6 here, with 8, 4 and 1 unstable modes.
#[test]
fn certificate_tells_saddles_from_minima() {
    for (c, modes) in [(1e8, 8.0), (1e9, 4.0), (1e10, 1.0), (1e11, 0.0)] {
        let mut s = strand(&line(20, vec3(1.0, 0.0, 0.0)), Material { bend: c, ..USUAL });
        let mut options = Options::default();
        options.bounds.kappa = 10.0;
        optimize(&mut s, &options);
        let lowest = s.lowest_mode();
        println!("{c}: {} {lowest}", s.modes_below(0.0));
        assert_eq!(s.modes_below(0.0), modes, "{c}");
        assert_eq!(lowest < 0.0, modes > 0.0);
        // A thousandth of the last vertex's weight pushes sideways: it stays, or it falls.
        s.section[19].force.z += 1e-3 * s.section[19].mass * 9.81;
        let out = s.settle(200, 1e-6);
        let d = s.moved[19];
        let fell = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        println!("    {fell} {out:?}");
        assert!(if modes > 0.0 { fell > 0.1 } else { fell < 1e-5 }, "{fell}");
    }
}

/// The lowest bending frequency of a clamped rod, ω = β²√(B/ρAL⁴).
#[test]
fn lowest_mode_is_that_of_a_beam() {
    let n = 100;
    let mut s = strand(&line(n, vec3(1.0, 0.0, 0.0)), Material { stretch: 1e10, ..USUAL });
    let length = 1.0 - 0.5 / (n - 1) as f64;
    let omega = 1.875104f64.powi(2) * (1e8 * PI * 1e-12 / 4.0 / (1e3 * PI * 1e-6) / length.powi(4)).sqrt();
    let got = s.lowest_mode().sqrt();
    println!("{got} {omega}");
    assert!((got - omega).abs() < 0.01 * omega);
}

/// §5 of the paper, but for the target, exact bounds and the exact weight of lengths that goes with it: a target of 0 is the paper's minimum.
#[test]
fn defaults_are_those_of_the_paper() {
    let o = Options::default();
    assert_eq!((o.regularizer, o.tolerance), (1e-5, 1e-5));
    #[cfg(feature = "paper")]
    assert_eq!(o.penalty, 1e6);
    assert_eq!((o.bounds.length, o.bounds.twist), ([0.1, 1.1], std::f64::consts::FRAC_PI_8));
    assert!((o.bounds.kappa - 2.0 * (70f64.to_radians() / 2.0).tan()).abs() < 0.02, "{}", o.bounds.kappa);
    assert!(o.mode == BoundMode::Exact && o.twist && o.stiffen.is_none() && o.target == 1e-6);
}
