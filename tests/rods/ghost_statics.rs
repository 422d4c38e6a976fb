//! The laws of `withy accuracy` with their bars. What takes longer than a test may is run at fewer edges; the bars are those of a rod
//! of 100 edges, scaled with n² where fewer are used. docs/accuracy.md has the full table.

use crate::accuracy::{Law, Line, lines, orders};

fn law(name: &str) -> &'static Law {
    crate::accuracy::laws().find(|l| l.names.contains(&name)).unwrap_or_else(|| panic!("no law {name}"))
}

/// All lines of a law for these edges, printed.
fn solve(name: &str, edges: &[usize]) -> Vec<Line> {
    let all: Vec<Line> = edges.iter().flat_map(|&n| lines(law(name), n)).collect();
    all.iter().for_each(|l| println!("{}", l.json()));
    all
}

/// 1 % at 100 edges is 4 % at 50 and 16 % at 25 for an error of second order. Nothing here comes near: the bars are 1 % at the
/// largest n, whatever it is.
fn meets(name: &str, edges: &[usize]) {
    let all = solve(name, edges);
    for l in all.iter().filter(|l| l.n == edges[edges.len() - 1]) {
        assert!(l.relative_error() < 0.01, "{} at n = {}: {} instead of {}", l.test, l.n, l.got, l.expected);
    }
}

/// The error at least halves twice when the edges double.
fn converges(name: &str, edges: &[usize], least: f64) {
    let all = solve(name, edges);
    let slope = orders(law(name), &all)[0].got;
    assert!(slope > least, "{name}: the error falls with n to the {slope}");
}

#[test]
fn tip_load() {
    meets("tip_load_alpha1_x", &[32]);
    meets("tip_load_alpha2_x", &[32]);
}

#[test]
fn own_weight() {
    meets("own_weight_gamma1", &[32]);
    meets("own_weight_gamma10", &[32]);
}

/// The model's own error, which the solver's shapes approach as the substep falls.
#[test]
fn statics_converge_with_the_square_of_the_edge() {
    for name in [
        "statics_tip_load_alpha1_x",
        "statics_tip_load_alpha10_x",
        "statics_own_weight_gamma10_x",
        "statics_end_moment_full_circle",
    ] {
        meets(name, &[100]);
        converges(name, &[25, 50, 100], 1.8);
    }
}

#[test]
fn end_moment() {
    meets("end_moment_half_circle", &[40]);
}

#[test]
fn euler_loads() {
    meets("euler_hinged", &[24]);
    meets("euler_clamped", &[24]);
    meets("euler_clamped_hinged", &[24]);
    converges("euler_clamped", &[12, 24, 48], 1.8);
}

#[test]
fn published_and_small_laws() {
    meets("timoshenko_case_euler_bernoulli", &[25]);
    meets("four_point_bending_gfrp", &[34]);
    meets("vibration_bending_f1", &[25]);
    meets("vibration_torsion_f1", &[25]);
    meets("incline_critical_friction", &[10]);
    meets("incline_sliding_acceleration", &[10]);
}
