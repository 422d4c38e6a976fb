//! The statics of compliant ghost rods as a minimum of their energy, found by Newton's method: the error of the model itself is
//! of second order, and the constraint solver that runs converges to it.

use withy::math::vec3::vec3;
use withy::rods::der::kernels::Measure;
use withy::rods::der::strand::Strands;

/// Length, EI, GJ = 1, section of radius r with E and G to match.
const RADIUS: f64 = 5e-4;

/// Ghost rod of `edges` along x, clamped at x = 0: the half element between the clamp's frame and the first edge is that
/// between a held edge before the root and the first, at twice the stiffness.
fn model(edges: usize) -> Strands<f64> {
    let mut s = Strands::<f64>::new(edges + 2);
    let l = 1.0 / edges as f64;
    for i in 0..edges + 2 {
        (s.state[i].edge, s.state[i].m1) = (vec3(l, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
        let c = &mut s.section[i];
        let stiffness = if i == 1 { 2.0 } else { 1.0 };
        let element = if i > 0 && i <= edges { stiffness } else { 0.0 };
        (c.ei, c.gj) = ([element; 2], element);
        c.ea = if i > 0 && i <= edges { 4.0 / (RADIUS * RADIUS) } else { 0.0 };
        c.mass = if i == 0 || i == edges + 1 { 0.5 * l } else { l };
        c.inertia = 1e-4 * l;
        c.free = [f64::from(u8::from(i > 1)), f64::from(u8::from(i > 0 && i <= edges))];
    }
    (s.swing, s.measure) = (1.0, Measure::Darboux);
    s.measure_twist();
    s.rest_from_state();
    s
}

fn tip(s: &Strands<f64>) -> [f64; 2] {
    let n = s.vertices();
    let x = s.state[1..n - 1].iter().fold(vec3(0.0, 0.0, 0.0), |x, e| x + e.edge);
    [x.x, -x.y]
}

fn loaded(edges: usize, tip_load: f64, weight: f64) -> [f64; 2] {
    let mut s = model(edges);
    let n = s.vertices();
    for i in 0..n {
        s.section[i].force.y = -weight * s.section[i].mass;
    }
    s.section[n - 1].force.y -= tip_load;
    let out = s.settle(100, 1e-6);
    assert!(out.residual < 1e-6, "{out:?}");
    tip(&s)
}

/// The slope of ln(error) over ln(1/n) between 25, 50 and 100 edges.
fn slopes(run: impl Fn(usize) -> [f64; 2], exact: [f64; 2]) -> [f64; 2] {
    let error = |n: usize| {
        let p = run(n);
        (p[0] - exact[0]).hypot(p[1] - exact[1])
    };
    let (a, b, c) = (error(25), error(50), error(100));
    println!("{a:.3e} {b:.3e} {c:.3e}");
    assert!(c < 1e-3, "{c}");
    [(a / b).log2(), (b / c).log2()]
}

#[test]
fn model_errors_are_of_second_order() {
    // The inextensible elastica to more digits than `accuracy` prints; see the tests of the shooting method.
    for (alpha, x, y) in [(1.0, 0.943566764, 0.301720774), (2.0, 0.839358279, 0.493457480), (10.0, 0.445004402, 0.810609025)] {
        for slope in slopes(|n| loaded(n, alpha, 0.0), [x, y]) {
            println!("tip load {alpha}: {slope}");
            assert!((slope - 2.0).abs() < 0.1, "tip load {alpha}: {slope}");
        }
    }
}
