//! Planar bending at rest: end moment, tip load, own weight, four-point bending.

use super::reference;
use super::rod::{Fineness, Rod, Setup, V3, from_angles, refined, refined_from};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::world::EndSupport;

const FINE: &[usize] = &[25, 50, 100];
const CASES: &[usize] = &[25, 50];

pub const LAWS: &[Law] = &[
    Law { names: &["end_moment_full_circle"], edges: FINE, slope: Slope::None, run: |n| end_moment(n, 2.0 * PI) },
    Law { names: &["end_moment_half_circle"], edges: CASES, slope: Slope::None, run: |n| end_moment(n, PI) },
    Law { names: &["tip_load_alpha1_x", "tip_load_alpha1_y"], edges: FINE, slope: Slope::None, run: |n| tip_load(n, 1.0) },
    Law { names: &["tip_load_alpha2_x", "tip_load_alpha2_y"], edges: FINE, slope: Slope::None, run: |n| tip_load(n, 2.0) },
    Law { names: &["tip_load_alpha10_x", "tip_load_alpha10_y"], edges: CASES, slope: Slope::None, run: |n| tip_load(n, 10.0) },
    Law {
        names: &["own_weight_gamma1", "own_weight_gamma1_x", "own_weight_gamma1_y"],
        edges: FINE,
        slope: Slope::None,
        run: |n| own_weight(n, 1.0),
    },
    Law {
        names: &["own_weight_gamma10", "own_weight_gamma10_x", "own_weight_gamma10_y"],
        edges: FINE,
        slope: Slope::None,
        run: |n| own_weight(n, 10.0),
    },
    Law {
        names: &["own_weight_gamma100", "own_weight_gamma100_x", "own_weight_gamma100_y"],
        edges: CASES,
        slope: Slope::None,
        run: |n| own_weight(n, 100.0),
    },
    Law { names: &["timoshenko_case_euler_bernoulli"], edges: CASES, slope: Slope::None, run: timoshenko },
    Law { names: &["four_point_bending_gfrp"], edges: &[17, 34, 68], slope: Slope::Each, run: four_point },
];

/// M = k B/L on the last edge, as a couple of forces that turns with it. Expected: the angle ML/B at that edge's middle.
pub fn end_moment(n: usize, moment: f64) -> Vec<[f64; 2]> {
    // A round rod would leave the plane before it is a circle: the law is that of a planar one, so this is stiff across it.
    let law = |shape: Vec<V3>| {
        let n = shape.len() - 1;
        let mut rod = Rod::new(&Setup { ribbon: 25.0, twist: 4.0, ..Setup::bent(shape, X) }, Fineness::for_shapes());
        rod.settle_under(3.5, 1e-6, 0.1, |rod| {
            let p = rod.positions();
            let e = p[n] - p[n - 1];
            // Force times arm is the moment: |e × F| = M.
            let f = moment / e.length2();
            let force: V3 = [-e.y * f, e.x * f, 0.0];
            rod.loads(|i| match i {
                i if i == n => force,
                i if i + 1 == n => force.map(|c| -c),
                _ => [0.0; 3],
            });
        });
        rod
    };
    // Near the circle: wound up from straight it would whip round.
    let start = |n: usize| {
        from_angles(&(0..n).map(|i| 0.95 * moment * (i as f64 + 0.5) / n as f64).collect::<Vec<_>>(), X, [0.0, 1.0, 0.0])
    };
    let p = refined_from(n, &start, &law);
    // The sum of the turns, so that a full circle is not zero.
    let mut angle = (p[1] - p[0]).y.atan2((p[1] - p[0]).x);
    for i in 1..n {
        let (a, b) = (p[i] - p[i - 1], p[i + 1] - p[i]);
        angle += (a.x * b.y - a.y * b.x).atan2(a.dot(b));
    }
    vec![[moment * (1.0 - 0.5 / n as f64), angle]]
}

const X: V3 = [1.0, 0.0, 0.0];

/// The tip.
fn tip_loaded(n: usize, alpha: f64) -> V3 {
    let law = |shape: Vec<V3>| {
        let n = shape.len() - 1;
        let mut rod = Rod::new(&Setup::bent(shape, X), Fineness::for_shapes());
        rod.load(n, [0.0, alpha, 0.0]);
        rod.settle(3.5, 1e-6);
        rod
    };
    refined(n, X, law)[n].to_array()
}

pub fn tip_load(n: usize, alpha: f64) -> Vec<[f64; 2]> {
    let (law, rod) = (reference::tip_load(alpha), tip_loaded(n, alpha));
    vec![[law[0], rod[0]], [law[1], rod[1]]]
}

/// Tip drop over tip reach; reach; drop.
pub fn own_weight(n: usize, gamma: f64) -> Vec<[f64; 2]> {
    let law = |shape: Vec<V3>| {
        let mut rod = Rod::new(&Setup { weight: gamma, ..Setup::bent(shape, X) }, Fineness::for_shapes());
        rod.settle(3.5, 1e-6);
        rod
    };
    let [x, y, _] = refined(n, X, law)[n].to_array();
    let e = reference::own_weight(gamma);
    vec![[e[1] / e[0], -y / x], [e[0], x], [e[1], -y]]
}

/// PyElastica's Timoshenko beam: L = 3, r = 0.25, E = 1e6, F = 15. A ghost rod has no shear: FL³/3EI = 0.044003158666047225.
/// The deflection is 1.5 % of the length, so the elastica differs from the linear value by about 1e-4.
pub fn timoshenko(n: usize) -> Vec<[f64; 2]> {
    let (length, r, young, force) = (3.0f64, 0.25f64, 1e6, 15.0);
    let alpha = force * length * length / (young * PI * r.powi(4) / 4.0);
    vec![[0.044003158666047225, tip_loaded(n, alpha)[1] * length]]
}

/// F = 12 E I d/(a²(3L − 4a)) for rollers a = 150 mm inside supports L = 425 mm apart, in units of L and of EI/L². The ends
/// beyond the supports carry nothing and are left out; four balanced forces need no support. The formula is that of small
/// deflections, so the load is small. Expected: the load; got: the formula at the deflection of the rod.
pub fn four_point(n: usize) -> Vec<[f64; 2]> {
    const LOAD: f64 = 0.01;
    let a = 6.0 / 17.0;
    assert!(n.is_multiple_of(17), "the rollers are 6/17 of the way in");
    let inside = n * 6 / 17;
    let mut rod = Rod::new(&Setup { root: EndSupport::Free, ..Setup::straight(n, X) }, Fineness::for_edges(n));
    rod.loads(|i| match i {
        i if i == 0 || i == n => [0.0, 0.5 * LOAD, 0.0],
        i if i == inside || i == n - inside => [0.0, -0.5 * LOAD, 0.0],
        _ => [0.0; 3],
    });
    rod.settle(22.4, 1e-10);
    let p = rod.positions();
    let d = 0.5 * (p[0].y + p[n].y) - 0.5 * (p[inside].y + p[n - inside].y);
    vec![[LOAD, 12.0 * d / (a * a * (3.0 - 4.0 * a))]]
}
