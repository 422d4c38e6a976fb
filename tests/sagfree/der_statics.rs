//! Discrete elastic rods at rest, against closed forms and boundary-value problems (`accuracy`).

use withy::math::vec3::vec3;
use withy::rods::der::strand::*;

/// A straight rod along x, EI = GJ = 1, almost inextensible, whose first edge is held: bending begins at its middle, and from
/// there on the length is 1.
fn cantilever(edges: usize) -> Strands<f64> {
    let mut s = Strands::<f64>::new(edges + 1);
    let l = 1.0 / (edges as f64 - 0.5);
    for i in 0..=edges {
        let node = &mut s.state[i];
        (node.edge, node.m1) = (vec3(l, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
        let section = &mut s.section[i];
        (section.ea, section.ei, section.gj) = (1e6, [1.0, 1.0], 1.0);
        (section.mass, section.inertia) = (l, l * 1e-4);
        section.free = [(i > 1) as u32 as f64, (i > 0 && i < edges) as u32 as f64];
    }
    s.section[edges].mass *= 0.5;
    s.swing = 1.0;
    s.measure_twist();
    s.rest_from_state();
    s
}

fn tip(s: &Strands<f64>) -> [f64; 3] {
    let half = s.state[0].edge * 0.5;
    (s.state[..s.vertices() - 1].iter().fold(vec3(0.0, 0.0, 0.0), |x, n| x + n.edge) - half).to_array()
}

/// x, −y of the tip under a load on it.
fn tip_load(alpha: f64, edges: usize) -> [f64; 2] {
    let mut s = cantilever(edges);
    s.section[edges].force.y = -alpha;
    let out = s.settle(60, 1e-7);
    println!("{out:?}");
    assert!(out.residual < 1e-7, "{out:?}");
    let [x, y, _] = tip(&s);
    [x, -y]
}

#[test]
fn tip_load_bends_as_the_elastica() {
    for (alpha, x, y) in [(1.0, 0.943567, 0.301721), (2.0, 0.839358, 0.493457), (10.0, 0.445004, 0.810609)] {
        let error = |n| {
            let got = tip_load(alpha, n);
            (got[0] - x).hypot(got[1] - y)
        };
        let (coarse, fine) = (error(25), error(100));
        println!("{alpha}: {coarse} {fine}");
        assert!(fine < 1e-3, "{fine}");
    }
}
