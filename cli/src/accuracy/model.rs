//! The model without its solver: the statics of compliant ghost rods as the minimum of their energy ½ Σ K (Ψ − Ψ̄)², by Newton's
//! method. What is left is the error of the discretisation alone, and its order. The laws of `bending` run the constraint solver.

use super::{Law, Slope, reference};
use std::f64::consts::PI;
use withy::math::vec3::vec3;
use withy::rods::der::kernels::Measure;
use withy::rods::der::strand::Strands;

const EDGES: &[usize] = &[25, 50, 100];

pub const LAWS: &[Law] = &[
    Law { names: &["statics_end_moment_full_circle"], edges: EDGES, slope: Slope::Each, run: |n| end_moment(n, 2.0 * PI) },
    Law { names: &["statics_end_moment_half_circle"], edges: EDGES, slope: Slope::Each, run: |n| end_moment(n, PI) },
    Law {
        names: &["statics_tip_load_alpha1_x", "statics_tip_load_alpha1_y"],
        edges: EDGES,
        slope: Slope::Point("statics_tip_load_alpha1", &["statics_tip_load_alpha1_x", "statics_tip_load_alpha1_y"]),
        run: |n| tip_load(n, 1.0),
    },
    Law {
        names: &["statics_tip_load_alpha2_x", "statics_tip_load_alpha2_y"],
        edges: EDGES,
        slope: Slope::Point("statics_tip_load_alpha2", &["statics_tip_load_alpha2_x", "statics_tip_load_alpha2_y"]),
        run: |n| tip_load(n, 2.0),
    },
    Law {
        names: &["statics_tip_load_alpha10_x", "statics_tip_load_alpha10_y"],
        edges: EDGES,
        slope: Slope::Point("statics_tip_load_alpha10", &["statics_tip_load_alpha10_x", "statics_tip_load_alpha10_y"]),
        run: |n| tip_load(n, 10.0),
    },
    Law {
        names: &["statics_own_weight_gamma1_x", "statics_own_weight_gamma1_y"],
        edges: EDGES,
        slope: Slope::Point("statics_own_weight_gamma1", &["statics_own_weight_gamma1_x", "statics_own_weight_gamma1_y"]),
        run: |n| own_weight(n, 1.0),
    },
    Law {
        names: &["statics_own_weight_gamma10_x", "statics_own_weight_gamma10_y"],
        edges: EDGES,
        slope: Slope::Point("statics_own_weight_gamma10", &["statics_own_weight_gamma10_x", "statics_own_weight_gamma10_y"]),
        run: |n| own_weight(n, 10.0),
    },
    Law {
        // The clamp bends a rod this heavy within its first tenth: 25 edges are too few for an order.
        names: &["statics_own_weight_gamma100_x", "statics_own_weight_gamma100_y", "statics_own_weight_gamma100"],
        edges: &[50, 100, 200],
        slope: Slope::Point("statics_own_weight_gamma100", &["statics_own_weight_gamma100_x", "statics_own_weight_gamma100_y"]),
        run: |n| own_weight(n, 100.0),
    },
];

/// The tip of a rod of length 1 and EI = 1 along x under a load on the tip and its own weight, −y.
fn tip(n: usize, load: f64, weight: f64) -> [f64; 2] {
    let l = 1.0 / n as f64;
    // The clamp's frame and the first edge meet in half an element: an edge that is held, at twice the stiffness.
    let mut s = Strands::<f64>::new(n + 2);
    for i in 0..n + 2 {
        (s.state[i].edge, s.state[i].m1) = (vec3(l, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
        let (edge, c) = (i > 0 && i <= n, &mut s.section[i]);
        let stiffness = if i == 1 { 2.0 } else { 1.0 };
        if edge {
            (c.ei, c.gj, c.ea) = ([stiffness; 2], stiffness, 1e7);
        }
        c.mass = if i == 1 || i == n + 1 { 0.5 * l } else { l };
        c.inertia = 1e-4 * l;
        c.free = [f64::from(u8::from(i > 1)), f64::from(u8::from(edge))];
        c.force.y = -weight * c.mass;
    }
    s.section[n + 1].force.y -= load;
    (s.swing, s.measure) = (1.0, Measure::Darboux);
    s.measure_twist();
    s.rest_from_state();
    let out = s.settle(100, 1e-5);
    assert!(out.residual < 1e-5, "no equilibrium: {out:?}");
    let x = s.state[1..=n].iter().fold(vec3(0.0, 0.0, 0.0), |x, e| x + e.edge);
    [x.x, -x.y]
}

pub fn tip_load(n: usize, alpha: f64) -> Vec<[f64; 2]> {
    let (law, rod) = (reference::tip_load(alpha), tip(n, alpha, 0.0));
    vec![[law[0], rod[0]], [law[1], rod[1]]]
}

/// Reach; drop; drop over reach.
pub fn own_weight(n: usize, gamma: f64) -> Vec<[f64; 2]> {
    let (law, rod) = (reference::own_weight(gamma), tip(n, 0.0, gamma));
    vec![[law[0], rod[0]], [law[1], rod[1]], [law[1] / law[0], rod[1] / rod[0]]]
}

/// Each element bends until (B/l) Ψ dΨ/dθ = M, Ψ = 2 tan(θ/2): 2 t (1 + t²) = M l/B for t = tan(θ/2). The clamp's is half as long.
/// Expected: M/B up to the middle of the last edge.
pub fn end_moment(n: usize, moment: f64) -> Vec<[f64; 2]> {
    let angle = |length: f64| {
        let m = moment * length;
        let mut t = 0.5 * m;
        for _ in 0..20 {
            t -= (2.0 * t * (1.0 + t * t) - m) / (2.0 + 6.0 * t * t);
        }
        2.0 * t.atan()
    };
    let l = 1.0 / n as f64;
    vec![[moment * (1.0 - 0.5 * l), angle(0.5 * l) + (n - 1) as f64 * angle(l)]]
}

#[cfg(test)]
mod tests {
    use super::super::{lines, orders};
    use super::*;

    /// Every law of the model is met within 1 % at 100 edges, and with the order 2.
    #[test]
    fn errors_of_the_model_are_of_second_order() {
        for law in LAWS {
            let all: Vec<_> = law.edges.iter().flat_map(|&n| lines(law, n)).collect();
            assert!(all.iter().filter(|l| l.n == 100).all(|l| l.relative_error() < 0.01), "{all:?}");
            for order in orders(law, &all) {
                assert!((order.got - 2.0).abs() < 0.2, "{order:?}");
            }
        }
    }
}
